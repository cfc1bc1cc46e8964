"""Replacing what was found: one edit that keeps lengths, fill, counts and prefixes true, and says what it cannot do."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from corpus import spread

from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.byte_edit import Write
from viewer.document.edits.write_joining import joined_writes
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching import replace as replacing
from viewer.document.searching.hits import HitRow, hit_row
from viewer.document.searching.query import QueryError, parse_query
from viewer.document.searching.replace import CUT_OFF, NO_BYTES, ReplacePlan, ReplaceStopped, plan_replace
from viewer.document.searching.search import find_all
from viewer.variant.dialect import load
from viewer.variant.read import read

DATA = Path(__file__).parents[2] / "data"
GODOT3 = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)


@pytest.fixture
def rpg() -> Document:
    return Document.open(DATA / "godot3/files/rpg.save")


def bare(raw: bytes) -> Document:
    return Document(raw, choice=GODOT3)


def string(text: bytes) -> bytes:
    return struct.pack("<II", 4, len(text)) + text + bytes(-len(text) % 4)


def plan(document: Document, query: str, replacement: str, case: bool = False) -> ReplacePlan:
    wanted = parse_query(query, case)
    return plan_replace(document, [hit.span for hit in find_all(document, wanted)], wanted, replacement)


def replaced(document: Document, query: str, replacement: str) -> bytes:
    found = plan(document, query, replacement)
    assert found.edit is not None
    document.apply(found.edit)
    return bytes(document.buffer)


def value(document: Document, path: str) -> object:
    item = parse_path(document, path)
    return read(document.frames[item.frame].table, item.node).data


# Texts


@pytest.mark.parametrize(
    ("before", "query", "new", "after"),
    [
        (b"gold", "gold", "silver", b"silver"),
        (b"old gold", "gold", "", b"old "),
        (b"gold", "gold", "", b""),
        (b"aXbXc", "x", "--", b"a--b--c"),
        (b"Zo\xc3\xab", "ë", "e", b"Zoe"),
        (b"a\0gold", "gold", "tin", b"a\0tin"),
    ],
)
def test_a_text_is_replaced_inside_its_string(before: bytes, query: str, new: str, after: bytes) -> None:
    assert replaced(bare(string(before)), f"text: {query}", new) == string(after)


def test_a_key_is_renamed_and_its_value_stays() -> None:
    raw = struct.pack("<II", 18, 1) + string(b"gold") + struct.pack("<II", 2, 5)
    new = struct.pack("<II", 18, 1) + string(b"silver") + struct.pack("<II", 2, 5)
    assert replaced(bare(raw), "key: gold", "silver") == new


def test_a_string_of_a_packed_array_keeps_the_nul_that_its_length_counts() -> None:
    def packed(*texts: bytes) -> bytes:
        parts = (struct.pack("<I", len(text) + 1) + text + bytes(1 + -(len(text) + 1) % 4) for text in texts)
        return struct.pack("<II", 23, len(texts)) + b"".join(parts)

    assert replaced(bare(packed(b"iron", b"tin", b"iron")), "iron", "copper") == packed(b"copper", b"tin", b"copper")


def test_a_name_of_a_node_path_is_replaced() -> None:
    def path(*names: bytes) -> bytes:
        parts = (struct.pack("<I", len(name)) + name + bytes(-len(name) % 4) for name in names)
        return struct.pack("<IIII", 15, 0x80000000 | len(names), 0, 1) + b"".join(parts)

    assert replaced(bare(path(b"Orc", b"Arm")), "orc", "Goblin") == path(b"Goblin", b"Arm")


def test_many_places_in_one_text_are_one_write(rpg: Document) -> None:
    document = bare(string(b"a.b.c.d"))
    found = plan(document, "text: .", "::")
    assert (found.replaced, found.values) == (3, 1)
    assert found.edit is not None
    assert len(found.edit.splices) == 1


def test_the_length_prefix_follows(rpg: Document) -> None:
    replaced(rpg, "Iron Sword", "A much longer name of a sword")
    prefix = int.from_bytes(rpg.buffer[:4], "little")
    assert prefix == len(rpg.buffer) - 4
    assert value(rpg, "[0].inventory[9].name") == "A much longer name of a sword"


def test_all_places_are_one_step_of_undo(rpg: Document) -> None:
    before = bytes(rpg.buffer)
    replaced(rpg, "key: name", "title")
    assert value(rpg, "[0].player.title") == 'Zoë "the Bold"\nof Ærø'
    rpg.undo()
    assert bytes(rpg.buffer) == before


def test_what_stands_elsewhere_stays(rpg: Document) -> None:
    before, found = bytes(rpg.buffer), plan(rpg, "Iron Sword", "Iron Blade")
    assert found.edit is not None
    rpg.apply(found.edit)
    assert len(rpg.buffer) == len(before)
    assert sum(one != other for one, other in zip(before, rpg.buffer, strict=True)) == 3 * 5


def test_one_place_alone_leaves_its_neighbours_in_the_same_text_untouched() -> None:
    document = bare(string(b"iron, iron"))
    query = parse_query("iron")
    first, second = (hit.span for hit in find_all(document, query))
    found = plan_replace(document, [first], query, "gold ore")
    assert found.edit is not None
    assert all(not (s.offset < second.end and second.start < s.offset + len(s.removed)) for s in found.edit.splices)
    document.apply(found.edit)
    assert bytes(document.buffer) == string(b"gold ore, iron")


def test_a_text_that_is_cut_off_stays_and_is_told() -> None:
    document = bare(struct.pack("<II", 4, 40) + b"gold in a")
    found = plan(document, "text: gold", "tin")
    assert found.edit is None
    assert found.first_problem in (CUT_OFF, NO_BYTES)


def test_fill_that_is_missing_is_written() -> None:
    assert replaced(bare(struct.pack("<II", 4, 5) + b"irons"), "text: iron", "tin") == string(b"tins")


def test_rows_tell_path_and_text_before_and_after(rpg: Document) -> None:
    first = plan(rpg, "iron", "Copper").rows[0]
    assert (first.path, first.before, first.after) == ("[0].inventory[0].name", "Iron Sword", "Copper Sword")


# Numbers


def test_a_number_is_written_in_its_own_width(rpg: Document) -> None:
    size = len(rpg.buffer)
    replaced(rpg, "number: 5000000000", "7")
    assert value(rpg, "[0].player.gold") == 7
    assert len(rpg.buffer) == size


@pytest.mark.parametrize(
    ("header", "layout", "old", "new", "problem"),
    [
        (2, "<i", 5, "5000000000", "does not fit"),
        (2, "<i", 5, "1.5", "does not fit"),
        (3, "<f", 0.5, "1e99", "too large"),
        (2, "<i", 5, "-7", ""),
        (3, "<f", 0.5, "2", ""),
    ],
)
def test_a_number_that_does_not_fit_is_refused(header: int, layout: str, old: float, new: str, problem: str) -> None:
    document = bare(struct.pack("<I", header) + struct.pack(layout, old))
    found = plan(document, f"number: {old}", new)
    assert [problem in row.problem and bool(problem) == bool(row.problem) for row in found.rows] == [True]
    assert (found.edit is None) == bool(problem)


def test_numbers_and_texts_of_one_search_are_replaced_each_in_its_kind() -> None:
    raw = struct.pack("<II", 19, 2) + string(b"5000 orcs") + struct.pack("<II", 2, 5000)
    new = struct.pack("<II", 19, 2) + string(b"70 orcs") + struct.pack("<II", 2, 70)
    assert replaced(bare(raw), "5000", "70") == new


def test_a_number_becomes_no_word() -> None:
    raw = struct.pack("<II", 19, 2) + string(b"5000 orcs") + struct.pack("<II", 2, 5000)
    found = plan(bare(raw), "5000", "many")
    assert (found.replaced, found.refused) == (1, 1)
    assert found.first_problem == "“many” is not a number: write 42, -1.5 or 0x1F."


# Bytes


def test_bytes_are_written_over_as_many_and_a_question_mark_keeps_a_digit() -> None:
    assert replaced(bare(string(b"Iron")), "hex: 49 ?? 6F", "?? 41 4?") == string(b"IAOn")


@pytest.mark.parametrize("new", ["41", "41 42 43"])
def test_other_numbers_of_bytes_are_refused(rpg: Document, new: str) -> None:
    with pytest.raises(QueryError, match="replaced by the same number of bytes: 2 bytes are looked for"):
        plan(rpg, "hex: 49 72", new)


# Regular expressions


def test_a_template_takes_groups(rpg: Document) -> None:
    found = plan(rpg, r"regex: ^iron (\w+)$", r"\1 of iron")
    assert {row.after for row in found.rows} == {"Sword of iron"}
    assert found.edit is not None
    rpg.apply(found.edit)
    assert value(rpg, "[0].inventory[18].name") == "Sword of iron"


def test_a_template_takes_groups_beyond_ascii() -> None:
    document = bare(string("Zoë und Ærø, Zoë".encode()))
    assert replaced(document, r"regex: (zo)(ë)", r"\2\1") == string("ëZo und Ærø, ëZo".encode())


@pytest.mark.parametrize("template", [r"\3", r"\g<who>", "\\"])
def test_a_template_that_cannot_be_used_is_told(rpg: Document, template: str) -> None:
    with pytest.raises(QueryError, match="The replacement cannot be used"):
        plan(rpg, r"regex: (iron)", template)


# Bounds


def test_types_are_not_replaced(rpg: Document) -> None:
    with pytest.raises(QueryError, match="A type is not replaced"):
        plan(rpg, "type: Vector2", "Vector3")


def test_bytes_that_are_no_value_of_their_own_stay(rpg: Document) -> None:
    query = parse_query("gold")
    found = plan_replace(rpg, [Span(4, 8), Span(0, 4)], query, "tin")
    assert (found.edit, found.refused) == (None, 2)


def test_it_can_be_given_up(rpg: Document) -> None:
    query = parse_query("e")
    with pytest.raises(ReplaceStopped):
        plan_replace(rpg, [hit.span for hit in find_all(rpg, query)], query, "E", lambda offset: False)


def test_what_stands_around_a_place_is_read_when_it_is_asked_for(
    rpg: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Span] = []

    def counted(document: Document, span: Span, as_bytes: bool) -> HitRow:
        asked.append(span)
        return hit_row(document, span, as_bytes)

    monkeypatch.setattr(replacing, "hit_row", counted)
    found = plan(rpg, "text: e", "[long]")
    assert not asked
    assert found.rows[1].after.startswith(found.rows[1].shown.before + "[long]")
    assert set(asked) == {found.rows[1].span}


def test_very_many_writes_become_few_that_do_the_same() -> None:
    document = bare(bytes(range(200)))
    writes = [Write(Span(at, at + 1), b"new", 0) for at in (0, 2, 3, 9, 50, 52, 90, 199)]

    def after(group: list[Write]) -> bytes:
        out = bytes(document.buffer)
        for write in reversed(group):
            out = out[: write.span.start] + write.new + out[write.span.end :]
        return out

    few = joined_writes(document, writes, 4)
    assert [write.span for write in few] == [Span(0, 10), Span(50, 53), Span(90, 91), Span(199, 200)]
    assert after(few) == after(writes)


@pytest.mark.parametrize("folder", ["godot2", "godot3", "godot4", "pandemonium5"])
def test_every_text_of_a_golden_file_can_be_replaced_and_read_again(folder: str) -> None:
    for path in spread(sorted((DATA / folder).rglob("*"))[:60], 2, folder):
        document = Document.open(path) if path.is_file() else None
        if document is None or not document.frames or any(not frame.sound for frame in document.frames):
            continue
        found = plan(document, "text: e", "[long]")
        if found.edit is not None:
            before = bytes(document.buffer)
            document.apply(found.edit)
            assert all(frame.sound for frame in document.frames), path
            codes = [found.code for found in document.findings.of_frames()]
            unchanged = Document(bytes(path.read_bytes()), choice=document.choice)
            assert codes == [found.code for found in unchanged.findings.of_frames()], path
            document.undo()
            assert bytes(document.buffer) == before
