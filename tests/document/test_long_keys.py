"""Keys that hold keys that hold keys: a path counts the long ones, and naming a value takes work by its depth alone."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from types import FrameType

import pytest

from viewer.document.document import Document
from viewer.document.export.findings_export import found_places
from viewer.document.path import PathError, format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching.hits import hit_row
from viewer.document.searching.query import parse_query
from viewer.document.selection import SelectionAnchor
from viewer.document.viewmodel.crumbs import MOST_STEPS, crumbs, siblings
from viewer.document.viewmodel.row_data import RowDecorations
from viewer.variant.dialect import load
from viewer.variant.items import Item

DICTIONARY, ARRAY, TEXT = 27, 28, 4
NULL = bytes(4)
GODOT4 = ReadOptions(dialect=load("godot4"))


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def text(written: str) -> bytes:
    raw = written.encode()
    return words(TEXT, len(raw)) + raw + bytes(-len(raw) % 4)


def nested(levels: int) -> bytes:
    """A dictionary whose key is a dictionary whose key is one, and so on; null is every value."""
    return words(DICTIONARY, 1) * levels + text("x") + NULL * levels


def nested_second(levels: int) -> bytes:
    """The same, each with another key before the long one."""
    return (words(DICTIONARY, 2) + text("k") + NULL) * levels + NULL + NULL * levels


def nested_alike(levels: int) -> bytes:
    """Dictionaries with three keys each, the last of which holds the next one."""
    return (words(DICTIONARY, 3) + (words(ARRAY, 1, 2, 7) + NULL) * 2) * levels + NULL + NULL * levels


SHAPES = {"one key": nested, "second key": nested_second, "keys alike": nested_alike}


def opened(data: bytes) -> Document:
    return Document(data, choice=GODOT4)


def calls(work: Callable[[], object]) -> int:
    """How many functions are called to do something."""
    count = 0

    def seen(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_path_into_keys_leads_back(shape: Callable[[int], bytes]) -> None:
    document = opened(shape(60))
    table = document.frames[0].table
    for node in table.nodes:
        path = format_path(document, Item(0, node))
        assert parse_path(document, path) == Item(0, node)
        assert len(path) < 5000


def test_a_long_key_is_counted_and_a_short_one_is_written() -> None:
    long = words(ARRAY, 40) + NULL * 40
    short = words(ARRAY, 2) + NULL * 2
    document = opened(words(DICTIONARY, 3) + short + NULL + long + NULL + text("n" * 5000) + NULL)
    table = document.frames[0].table
    paths = [format_path(document, Item(0, node)) for node in table.children(0)[1::2]]
    assert paths == ["[0][[null, null]]", "[0][#2]", "[0][#3]"]
    assert [parse_path(document, path).node for path in paths] == list(table.children(0)[1::2])


def test_a_long_key_that_is_written_all_the_same_is_found() -> None:
    long = words(ARRAY, 40) + NULL * 40
    document = opened(words(DICTIONARY, 3) + text("a") + NULL + long + NULL + text("n" * 5000) + NULL)
    children = document.frames[0].table.children(0)
    assert parse_path(document, f"[0][[{', '.join(['null'] * 40)}]]").node == children[3]
    assert parse_path(document, f"[0].{'n' * 5000}").node == children[5]
    with pytest.raises(PathError, match="There is no key"):
        parse_path(document, f"[0][[{', '.join(['null'] * 41)}]]")


@pytest.mark.parametrize("path", ["[0][#0]", "[0][#4]", "[0][#-1]", "[0][#99999999999999999999]", "[0][#1]#2"])
def test_a_pair_that_is_not_there_is_said(path: str) -> None:
    document = opened(words(DICTIONARY, 3) + (text("a") + NULL) * 3)
    with pytest.raises(PathError):
        parse_path(document, path)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_naming_a_value_takes_work_by_its_depth(shape: Callable[[int], bytes]) -> None:
    counts = []
    for levels in (400, 800):
        document = opened(shape(levels))
        item = Item(0, len(document.frames[0].table) // 2)
        counts.append(
            [
                calls(lambda document=document, item=item: format_path(document, item)),
                calls(lambda document=document, item=item: crumbs(document, item)),
                calls(lambda document=document, item=item: siblings(document, item)),
                calls(lambda document=document, item=item: SelectionAnchor.of(document, item)),
                calls(lambda document=document, item=item: hit_row(document, document.frames[0].table.span(item.node))),
            ]
        )
    for few, many in zip(*counts, strict=True):
        assert many <= 2.5 * few + 1000
        assert many <= 800 * 60


def test_finding_in_deep_keys_takes_work_by_their_bytes() -> None:
    found = []

    def look(levels: int) -> Callable[[], object]:
        document = opened(nested(levels))
        return lambda: found.extend(found_places(document, parse_query("text: x"), [].append))

    few, many = calls(look(400)), calls(look(800))
    assert many <= 3 * few
    assert [len(place.path) < 20_000 for place in found] == [True, True]


def test_steps_to_a_deep_value_are_few_and_begin_with_one_that_leads_there() -> None:
    document = opened(words(ARRAY, 1) * 5000 + NULL)
    shown = crumbs(document, Item(0, 5000))
    assert len(shown) == MOST_STEPS + 3
    assert [crumb.text for crumb in shown[1:4]] == ["[0]", "…", "[0]"]
    assert shown[2].item == Item(0, 5000 - MOST_STEPS)
    assert shown[-1].item == Item(0, 5000)
    assert calls(lambda: crumbs(document, Item(0, 5000))) < 200 * MOST_STEPS


def test_a_value_deeper_than_any_engine_reads_is_known_by_its_byte() -> None:
    document = opened(words(ARRAY, 1) * 5000 + NULL)
    near, deep = SelectionAnchor.of(document, Item(0, 1024)), SelectionAnchor.of(document, Item(0, 1025))
    assert near.path == "[0]" * 1025
    assert (deep.path, deep.find(document)) == ("", Item(0, 1025))
    assert calls(lambda: SelectionAnchor.of(document, Item(0, 5000))) < 100


def test_marking_rows_takes_work_by_nodes_not_by_findings_times_depth() -> None:
    def marked(levels: int) -> Callable[[], object]:
        document = opened(words(DICTIONARY, 1) * levels)
        document.findings.all()
        return lambda: RowDecorations(document).finding(Item(0, 0))

    assert calls(marked(1600)) <= 1600 * 100


def test_marking_many_deep_rows_looks_at_what_lies_above_them_once() -> None:
    """A bool that is neither true nor false at every level: without what is known of the levels, their square."""

    def marked(levels: int) -> Callable[[], object]:
        document = opened(words(ARRAY, 2, 1, 7) * levels + NULL)
        assert len(document.findings.all()) >= levels
        return lambda: RowDecorations(document).finding(Item(0, 0))

    few, many = calls(marked(400)), calls(marked(1600))
    assert many <= 5 * few
