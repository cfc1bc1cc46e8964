"""Signs that cannot be seen: shown as escapes wherever a text of a file is shown, and never lost by it."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import corpus
import pytest
from command_line import Run, process

from viewer.base.unseen import escaped, mixes_directions, printable
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.export.dump import dump
from viewer.document.forms.typed_values import escaped as for_editing
from viewer.document.forms.typed_values import plain, unescaped
from viewer.document.path import parse_path
from viewer.document.viewmodel.row_data import RowDecorations, row_facts
from viewer.document.viewmodel.rows import TOP, RowIndex
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Dictionary, Value

SPOOF = corpus.DATA / "broken" / "bidi-and-c1.save"
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
UNSEEN = DIRECTIONS + CONTROLS + "\u200b\u2028\u2029\u2060\ufeff\ud800"
DIALECT = load("godot4")
SEEN = [("dump",), ("get", "[0]"), ("find", "X"), ("find", "2J"), ("explain", "0x10"), ("report",)]


def shown_raw(text: str) -> set[str]:
    """The signs of a text that it should show as escapes; line breaks between lines are none."""
    return {sign for sign in text if sign in UNSEEN and sign not in "\n\t"}


def save_with(text: str) -> bytes:
    """A dictionary with the text as a key, as a value and in a value inside."""
    value = Value("String", text)
    inner = Value("Dictionary", Dictionary(((value, Value("int", 1)),)))
    return encode(Value("Dictionary", Dictionary(((value, value), (Value("String", "in"), inner)))), DIALECT)


def test_direction_marks_and_controls_are_escaped_and_letters_are_not() -> None:
    assert escaped(f"a{UNSEEN}b").isascii()
    assert escaped("x\x9b31m\x7f\u202eexe") == "x\\u009b31m\\u007f\\u202eexe"
    for kept in ("Zoë", "שלום", "\u0645\u06cc\u200c\u062e", "👨\u200d👩", "日本"):
        assert escaped(kept) == kept
    assert escaped("a\nb\x1b", keep="\n") == "a\nb\\u001b"


def test_every_sign_that_sets_a_direction_is_escaped() -> None:
    kinds = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    marks = [chr(code) for code in range(0x11000) if unicodedata.bidirectional(chr(code)) in kinds]
    assert len(marks) == 9
    assert escaped("".join(marks)).isascii()


@pytest.mark.parametrize("sign", UNSEEN)
def test_a_literal_shows_an_unseen_sign_as_an_escape_and_reads_it_back(sign: str) -> None:
    value = Value("String", f"a{sign}b")
    written = format_literal(value, DIALECT)
    assert not shown_raw(written)
    assert "\n" not in written
    assert parse_literal(written, DIALECT) == value


@pytest.mark.parametrize("sign", UNSEEN)
def test_the_editor_of_a_text_shows_an_unseen_sign_as_an_escape_and_reads_it_back(sign: str) -> None:
    assert plain(f"a{sign}") is (sign in "\n\t")
    assert not shown_raw(for_editing(sign))
    assert unescaped(for_editing(f"a{sign}\\b")) == f"a{sign}\\b"


@pytest.mark.parametrize("words", SEEN)
@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_the_command_line_shows_no_unseen_sign_raw(words: tuple[str, ...], json_too: tuple[str, ...], run: Run) -> None:
    if words[0] == "explain" and json_too:
        json_too = ("--html",)
    ran = run(words[0], SPOOF, *words[1:], *json_too)
    assert ran.out
    assert not shown_raw(ran.out + ran.err)


def test_json_with_escapes_is_json_and_gives_the_same_bytes_again(tmp_path: Path, run: Run) -> None:
    for name, raw in (("spoof", SPOOF.read_bytes()), ("all", save_with(UNSEEN.replace("\0", "")))):
        path, out, back = tmp_path / name, tmp_path / f"{name}.json", tmp_path / f"{name}.back"
        path.write_bytes(raw)
        text = "".join(dump(Document.open(path)))
        assert not shown_raw(text)
        json.loads(text)
        out.write_text(text, encoding="utf-8")
        assert run("encode", out, "-o", back).code == 0
        assert back.read_bytes() == raw


def test_no_row_of_the_tree_shows_an_unseen_sign_raw() -> None:
    document = Document(save_with(UNSEEN.replace("\0", "")))
    rows = RowIndex(document)
    marks = RowDecorations(document)
    todo, seen = [TOP], []
    while todo:
        holder = todo.pop()
        for row in range(rows.count(holder)):
            facts = row_facts(document, rows, marks, holder, row)
            seen.append(facts.name + facts.text)
            if rows.has_rows(holder, row):
                todo.append(rows.holder(holder, row))
    assert len(seen) == 4
    assert not shown_raw("".join(seen))
    assert "\n" not in "".join(seen)


def test_a_value_that_is_edited_as_shown_keeps_its_signs() -> None:
    document = Document(SPOOF.read_bytes())
    item = parse_path(document, "[0].b")
    before = document.to_be_written()
    shown = format_literal(Value("String", "l\u2028ine"), document.dialect)
    document.apply(set_literal(document, item, shown.replace("ine", "INE")))
    assert document.to_be_written() == before.replace(b"\xe2\x80\xa8ine", b"\xe2\x80\xa8INE")


def test_a_file_name_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b]0;owned\x07\u202eb\x9bc\nd.save"
    try:
        path.write_bytes(SPOOF.read_bytes()[:-3])
    except OSError:
        pytest.skip("this file system takes no such names")
    for words in (("check", path), ("find", path, "X"), ("dump", path), ("check", "--engine", "godot3", path)):
        done = process(*words)
        assert not shown_raw(done.stdout.decode() + done.stderr.decode()), words
    missing = process("check", tmp_path / "gone\x1b[2J")
    assert missing.returncode == 2
    assert missing.stderr.count(b"\n") == 1
    assert b"\x1b" not in missing.stderr
    assert b"gone\\x1b[2J" in missing.stderr


def test_a_line_for_a_terminal_escapes_all_that_does_not_print() -> None:
    assert printable("a\u200db\x1b\n") == "a\\u200db\\x1b\\n"


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("gold", False),
        ("שלום", False),
        ("שלום 12", False),
        ("abc שלום", True),
        ("abc مرحبا", True),
        ('"\\u200f\u05e9\u05dc\\n"', False),
        ("日本 שלום", True),
        ("", False),
    ],
)
def test_letters_of_both_directions_are_noticed(text: str, mixed: bool) -> None:
    assert mixes_directions(text) is mixed
