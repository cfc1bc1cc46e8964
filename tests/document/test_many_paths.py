"""Many values in a deep file: what is listed takes work by the bytes, and what is left out of the list is said."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.document.test_long_keys import calls
from viewer.cli import main
from viewer.document.bulk import plan
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.byte_map import PAGE
from viewer.document.document import Document
from viewer.document.export import many_paths, path_room
from viewer.document.export.findings_export import FoundPlace, found_places
from viewer.document.export.many_paths import Paths, PlanLines
from viewer.document.export.report import report, report_text
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching.query import parse_query
from viewer.variant import items
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read, read_beginning

DICTIONARY, ARRAY, OBJECT, TEXT = 27, 28, 24, 4
NULL = bytes(4)
LEFT_OUT = "paths were left out, being very long or very many: explain FILE OFFSET tells what is around an offset."


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def nested(levels: int) -> bytes:
    """Arrays in arrays, each with a number behind the next one."""
    return words(ARRAY, 2) * levels + NULL + words(2, 7) * levels


def opened(data: bytes) -> Document:
    return Document(data, choice=ReadOptions(dialect=load("godot4")))


SHAPES = {
    "arrays": nested(30),
    "a key of many values": words(DICTIONARY, 1, ARRAY, 40) + NULL * 40 + words(2, 7),
    "keys in keys": words(DICTIONARY, 1) * 30 + NULL * 31,
    "pairs": words(DICTIONARY, 30) + words(2, 5) * 60,
    "an object": words(OBJECT, 1) + b"N\0\0\0" + words(9) + (words(1) + b"p\0\0\0" + words(ARRAY, 1, 2, 5)) * 9,
    "empty ones": words(ARRAY, 60) + words(ARRAY, 0) * 60,
    "cut off": words(ARRAY, 60) + words(DICTIONARY, 3, 2, 5) * 8,
}


@pytest.mark.parametrize("data", SHAPES.values(), ids=SHAPES)
def test_the_beginning_of_a_value_reads_as_the_value_does(data: bytes) -> None:
    table = opened(data).frames[0].table
    for node in table.nodes:
        whole = read(table, node)
        for limit in (0, 1, 2, 5, 20, 50, 500):
            wanted = format_literal(whole, table.dialect, limit=limit)
            beginning = read_beginning(table, node, limit)
            assert format_literal(beginning, table.dialect, limit=limit) == wanted, (node, limit)


@pytest.mark.parametrize("data", SHAPES.values(), ids=SHAPES)
def test_paths_are_those_of_single_values(data: bytes) -> None:
    document = opened(data)
    many_paths = Paths(document)
    for node in document.frames[0].table.nodes:
        path = many_paths.path(Item(0, node))
        assert path == format_path(document, Item(0, node))
        assert parse_path(document, path) == Item(0, node)
    assert many_paths.left_out == ""


def test_paths_in_a_long_key_count_it() -> None:
    document = opened((words(DICTIONARY, 1) + words(ARRAY, 2000) + NULL * 2001) + NULL)
    many_paths = Paths(document)
    assert many_paths.path(Item(0, 2)) == "[0][#1]"
    assert many_paths.path(Item(0, 5)) == "[0][#1]@key[2]"


def test_paths_that_are_too_long_are_left_out_and_counted() -> None:
    document = opened(nested(4000))
    many_paths = Paths(document)
    assert many_paths.path(Item(0, 1)) == "[0][0]"
    deep = max(document.frames[0].table.nodes, key=document.frames[0].table.start.__getitem__)
    assert many_paths.path(Item(0, deep)) == "[0][1]"


def test_finding_in_a_deep_file_takes_work_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_room, "ALWAYS", 0)

    def look(levels: int) -> Callable[[], object]:
        document = opened(nested(levels))
        return lambda: list(found_places(document, parse_query("number: 7"), [].append))

    assert calls(look(1200)) <= 5 * calls(look(300))


def path_of(names: int) -> bytes:
    """A node path of many names, with a byte in each that is found."""
    return words(22, names | 1 << 31, 0, 1) + (words(1) + b"a\0\0\0") * names


def test_finding_in_one_value_of_many_parts_takes_work_by_its_bytes() -> None:
    def look(names: int) -> Callable[[], object]:
        document = opened(path_of(names))
        return lambda: list(found_places(document, parse_query("text: a"), [].append))

    assert calls(look(2000)) <= 5 * calls(look(500))


def test_a_report_on_one_value_of_many_parts_looks_at_them_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[int, int]] = []
    codes = ByteClassifier._codes

    def seen(self: ByteClassifier, start: int, end: int) -> bytes:
        looked.append((start, end))
        return codes(self, start, end)

    monkeypatch.setattr(ByteClassifier, "_codes", seen)
    document = opened(path_of(2000))
    assert len(list(report_text(report(document)))) > len(document.buffer) // 16
    assert len(looked) <= 3 + len(document.buffer) // PAGE


@pytest.mark.parametrize("data", [path_of(9), *SHAPES.values()])
def test_every_byte_has_the_part_that_holds_it(data: bytes) -> None:
    table = opened(data).frames[0].table
    for node in table.nodes:
        for offset in range(len(data)):
            held = [part for part in items.parts(table, node) if offset in part.span]
            assert items.part_at(table, node, offset) == (held[0] if held else None)


def test_what_is_found_deep_down_is_told_without_its_path() -> None:
    said: list[str] = []
    found: list[FoundPlace] = list(found_places(opened(nested(4000)), parse_query("number: 7"), said.append))
    without = [place for place in found if place.path is None]
    assert len(found) == 4000
    assert 0 < len(without) < 4000
    assert said == [f"{len(without)} {LEFT_OUT}"]
    assert json.loads(without[0].json)["path"] is None


def test_all_paths_together_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_room, "ALWAYS", 0)
    monkeypatch.setattr(path_room, "FOR_EACH", 1)
    document = opened(nested(300))
    many_paths = Paths(document)
    shown = [path for node in document.frames[0].table.nodes if (path := many_paths.path(Item(0, node))) is not None]
    assert len(document.buffer) <= sum(map(len, shown)) <= len(document.buffer) + 1000
    assert many_paths.left_out == f"{len(document.frames[0].table) - len(shown)} {LEFT_OUT}"


def test_showing_the_beginning_of_a_value_takes_work_by_what_is_shown() -> None:
    def look(levels: int) -> Callable[[], object]:
        found = plan(opened(nested(levels)), "[0][0] -> 1")
        return lambda: found.before(found.rows[0], 20)

    assert calls(look(800)) <= 1.2 * calls(look(100))


def test_a_plan_is_told_with_a_bound_on_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_paths, "MOST_READ", 100)
    listed = PlanLines(plan(opened(nested(300)), "..* -> 1"))
    lines = list(listed.lines())
    short = [line for line in lines if ": Array … -> 1" in line or ": Array … !" in line]
    assert 0 < len(short) < 300
    assert lines[-1] == "[0][1]: 7 -> 1"
    assert listed.left_out == [
        f"{len(short)} values are shown by type only, as very many are nested: get FILE PATH prints one."
    ]


def test_a_dry_run_names_deep_values_by_their_offset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deep.bin"
    file.write_bytes(nested(4000))
    assert main(["bulk", str(file), "..* == 7 -> 8", "--dry-run", "--dialect", "godot4"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "0x7D04: 7 -> 8"
    assert f" {LEFT_OUT}\n" in err


def test_find_prints_dots_for_a_path_that_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deep.bin"
    file.write_bytes(nested(4000))
    assert main(["find", str(file), "number: 7", "--dialect", "godot4"]) == 0
    out, err = capsys.readouterr()
    assert ": …: 7\n" in out
    assert LEFT_OUT in err
