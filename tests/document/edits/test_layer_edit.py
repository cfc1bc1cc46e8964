"""Writing in the text that values were read from: what is written stays to the byte, and can be taken back."""

import gzip
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viewer.base.diagnostic import Code, Severity
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_written
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.splice import Edit, Splice

TEXT = b'{\n  "gold": 1.50,\n  "name": "Ada"\n}\n'
CONFIG = b'[a]\n\ngold=1.50\nname="Ada"\n'
RESOURCE = b'[gd_resource type="Resource" format=3]\n\n[resource]\nmetadata/name = "Ada"\n'


def written(document: Document) -> bytes:
    return bytes(document.to_be_written()[:])


def write(document: Document, text: bytes, merge: str = "") -> None:
    edit = text_written(document, text, merge)
    assert edit is not None
    document.apply(edit)


def put(document: Document, path: str, literal: str) -> None:
    document.apply(set_literal(document, parse_path(document, path), literal))


def test_blanks_that_a_person_writes_stay() -> None:
    document = Document(TEXT)
    spaced = TEXT.replace(b": 1.50", b"  :  1.50")
    write(document, spaced)
    assert (written(document), document.modified) == (spaced, True)
    document.undo()
    assert (written(document), document.modified) == (TEXT, False)
    document.redo()
    assert written(document) == spaced


def test_a_value_that_a_person_writes_is_read() -> None:
    document = Document(TEXT)
    change = document.apply(text_written(document, TEXT.replace(b"Ada", b"Grace")))  # type: ignore[arg-type]
    assert change.text
    assert b"Grace" in bytes(document.buffer[:])


def test_values_and_text_may_be_edited_by_turns_and_all_taken_back() -> None:
    document = Document(TEXT)
    put(document, "[0].gold", "7.0")
    after_value = written(document)
    write(document, after_value.replace(b'"Ada"', b' "Ada" '))
    put(document, "[0].name", '"Bo"')
    assert written(document) == after_value.replace(b'"Ada"', b' "Bo" ')
    document.undo()
    document.undo()
    assert written(document) == after_value
    document.undo()
    assert written(document) == TEXT
    for _ in range(3):
        document.redo()
    assert written(document) == after_value.replace(b'"Ada"', b' "Bo" ')


@pytest.mark.parametrize("seed", range(6))
def test_after_many_steps_back_and_forth_text_and_values_are_as_if_opened_so(seed: int, tmp_path: Path) -> None:
    dice, path = random.Random(seed), tmp_path / "save.json"
    path.write_bytes(TEXT)
    document, states, at = Document.open(path), [TEXT], 0
    for _ in range(60):
        now, deed = states[at], dice.choice("ttvvuurras")
        if deed == "t":
            place = dice.choice([k for k in range(len(now)) if now[k : k + 1] in b",:{"])
            write(document, now[:place] + b" \n"[: dice.randint(1, 2)] + now[place:], dice.choice(["", "text: type"]))
            document.history.seal()
        elif deed == "v":
            put(document, "[0].name", f'"{dice.random()}"')
        elif deed == "s":
            document.save()
        else:
            to = {"u": at - 1, "r": at + 1}.get(deed, dice.randrange(len(states)))
            to = min(max(to, 0), len(states) - 1)
            document.history.aim(to)
            while document.history.done != to:
                assert document.undo() if to < at else document.redo()
            at = to
        if deed in "tv":
            states[at + 1 :], at = [bytes(document.shown[:])], at + 1
        assert bytes(document.shown[:]) == states[at] == written(document)
        assert bytes(document.buffer[:]) == bytes(Document(states[at]).buffer[:])


def test_the_same_text_is_no_edit() -> None:
    assert text_written(Document(TEXT), TEXT) is None


@pytest.mark.parametrize(
    ("text", "typed"), [(TEXT, b"hello"), (TEXT, b"  "), (TEXT, b""), (CONFIG, b"hello"), (RESOURCE, b"hello")]
)
def test_a_text_of_which_nothing_can_be_read_is_kept_as_it_stands(text: bytes, typed: bytes) -> None:
    document = Document(text)
    for end in range(len(typed) + 1):
        edit = text_written(document, typed[:end], "typing")
        if edit is not None:
            document.apply(edit)
    assert (bytes(document.shown[:]), written(document), document.modified) == (typed, typed, True)
    if text is TEXT:
        found = document.findings.all()
        assert (document.frames, [(each.severity, each.code) for each in found]) == (
            [],
            [(Severity.ERROR, Code.TEXT_BROKEN)],
        )
    document.undo()
    assert (written(document), document.modified, document.findings.all()) == (text, False, [])
    document.redo()
    write(document, text.replace(b"Ada", b"Bo"))
    assert b"Bo" in bytes(document.buffer[:])
    document.undo()
    assert written(document) == typed


def test_nothing_is_put_into_a_text_of_which_nothing_can_be_read() -> None:
    document = Document(TEXT)
    write(document, b"hello")
    edit = Edit("Insert", (Splice(0, b"", bytes(Document(b"[1]").buffer[:])),))
    assert "repair the text first" in document.refusal(edit)


def test_broken_text_keeps_its_values_and_is_written_as_it_is() -> None:
    document = Document(TEXT)
    broken = TEXT.replace(b"1.50,", b"1.50")
    write(document, broken)
    assert written(document) == broken
    assert b"Ada" in bytes(document.buffer[:])
    assert document.findings.all()


def test_the_wraps_around_the_text_stay() -> None:
    document = Document(gzip.compress(TEXT, mtime=0))
    write(document, TEXT.replace(b"Ada", b"Grace"))
    assert gzip.decompress(written(document)) == TEXT.replace(b"Ada", b"Grace")


def test_typing_is_one_step() -> None:
    document = Document(TEXT)
    document.history.seal()
    write(document, TEXT.replace(b"Ada", b"Adas"), "typing")
    write(document, TEXT.replace(b"Ada", b"Adas!"), "typing")
    document.undo()
    assert written(document) == TEXT


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.binary(max_size=300), st.binary(max_size=8))
def test_a_trimmed_splice_writes_the_same(one: bytes, other: bytes, same: bytes) -> None:
    splice = Splice(3, same * 20 + one + same, same * 20 + other + same)
    trimmed = splice.trimmed()
    assert not (trimmed.removed and trimmed.inserted) or (
        trimmed.removed[0] != trimmed.inserted[0] and trimmed.removed[-1] != trimmed.inserted[-1]
    )
    at = trimmed.offset - 3
    assert splice.removed[:at] + trimmed.inserted + splice.removed[at + len(trimmed.removed) :] == splice.inserted
    assert Span(at, at + len(trimmed.removed)).end <= len(splice.removed)


@pytest.mark.parametrize(
    ("name", "text", "paths"),
    [
        ("a.json", b'{ "a": "x\\u0041/\\/y",\n "n": 1.50e1,\n "b":[1 ,2]}\n', ("[0].n", "[0].a", "[0].b[1]")),
        ("a.cfg", b"; all\n[s]\na = 1.50e1\nb=\t15.0\nc=[1 ,2]\n", ("[0].s.a", "[0].s.b", "[0].s.c[0]")),
        (
            "a.tres",
            b'[gd_resource type="Resource" format=3]\n\n[resource]\na =  1.50\nb=2.50\nc=[1 ,2]\n',
            ("[0].resource.a", "[0].resource.b", "[0].resource.c[1]"),
        ),
    ],
    ids=["JSON", "ConfigFile", "resource"],
)
def test_undo_and_redo_across_saves_lead_to_each_text_as_it_was(
    tmp_path: Path, name: str, text: bytes, paths: tuple[str, ...]
) -> None:
    file = tmp_path / name
    file.write_bytes(text)
    document, texts = Document.open(file), [text]
    for path in paths:
        put(document, path, '"7"' if path.endswith("].a") else "7")
        texts.append(written(document))
        if path != paths[1]:
            document.save()
            assert file.read_bytes() == texts[-1]
    dice, place = random.Random(1), len(paths)
    for _ in range(40):
        if dice.random() < 0.3:
            document.save()
        step = dice.choice((-1, 1))
        if 0 <= place + step <= len(paths):
            place += step
            assert (document.undo() if step < 0 else document.redo()) is not None
        assert written(document) == texts[place]
    document.history.aim(0)
    if place:
        document.undo()
    document.save()
    assert file.read_bytes() == text


def test_what_is_done_behind_a_save_that_was_taken_back_stands_in_the_older_text(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b'{"a": 1.50, "b": 2.50}')
    document = Document.open(file)
    put(document, "[0].a", "7.0")
    document.save()
    document.undo()
    put(document, "[0].b", "8.0")
    assert written(document) == b'{"a": 1.50, "b": 8.0}'
    document.undo()
    assert written(document) == b'{"a": 1.50, "b": 2.50}'
