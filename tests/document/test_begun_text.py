"""A long text that was begun shows its first values as all of it does, keeps its bytes, and cannot be changed yet."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest

from viewer.base.span import Span
from viewer.container.layer import WrapError
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_replaced
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.row_data import RowDecorations, row_facts
from viewer.document.viewmodel.rows import TOP, RowIndex
from viewer.document.wraps import LONG_TEXT, UnwrapOptions
from viewer.variant.items import Item
from viewer.variant.read import read_shallow

COUNT = LONG_TEXT // 50


def json_text() -> str:
    rows = [{"name": f"Settler {k}", "gold": 1_000_003 * k, "tags": ["a, b", "ü"]} for k in range(COUNT)]
    return json.dumps({"version": 7, "rows": rows}, ensure_ascii=False)


def resource_text() -> str:
    line = '[sub_resource type="Resource" id={0}]\ngold = {1}\nat = Vector2( {0}, 1 )\n\n'
    inner = (line.format(k, 7919 * k) for k in range(COUNT))
    return f'[gd_resource type="Resource" load_steps={COUNT} format=2]\n\n{"".join(inner)}[resource]\ngold = 7\n'


def config_text() -> str:
    return "".join(f'[settler {k}]\ngiven="Name, {k}"\nitems=[ {k}, [ 2, "x" ] ]\n' for k in range(COUNT))


TEXTS: dict[str, Callable[[], str]] = {"json": json_text, "text-resource": resource_text, "config": config_text}


@pytest.fixture(scope="module", params=TEXTS)
def raw(request: pytest.FixtureRequest) -> bytes:
    found = TEXTS[request.param]().encode()
    assert len(found) >= LONG_TEXT
    return found


def begun(raw: bytes, choice: ReadOptions | None = None) -> Document:
    document = Document(raw, choice=choice, patience=0, begins=True)
    assert document.is_begun
    assert document.task is not None
    return document


def read_on(document: Document) -> None:
    """What the thread beside the window does."""
    task = document.task
    assert task is not None
    assert document.take(task, task.run()) is not None
    assert document.task is None


def test_the_first_values_are_those_of_all_of_it(raw: bytes) -> None:
    first, whole = begun(raw), Document(raw)
    here, there = first.frames[0].table, whole.frames[0].table
    assert 1000 < len(here) < len(there)
    at = {there.start[node]: node for node in there.nodes}
    for node in list(here.nodes)[::5]:
        same, place = at[here.start[node]], first.place(here.span(node))
        if not here.child_count(node) and here.end(node) < here.end_of_data:
            assert read_shallow(here, node) == read_shallow(there, same)
            assert place == whole.place(there.span(same))
        assert place.start == whole.place(there.span(same)).start
    assert bytes(first.shown[:]) == raw
    assert first.read_as_words == whole.read_as_words
    assert not first.wraps.damages


def test_it_becomes_what_is_read_at_once(raw: bytes) -> None:
    document, whole = begun(raw), Document(raw)
    read_on(document)
    assert not document.is_begun
    assert document.buffer == whole.buffer
    assert list(document.frames[0].table.start) == list(whole.frames[0].table.start)
    assert bytes(document.to_be_written()[:]) == raw
    table = document.frames[0].table
    number = next(node for node in table.nodes if read_shallow(table, node).data == 7)
    document.apply(set_literal(document, Item(0, number), "8"))
    assert document.text is not None
    assert document.text.outside != raw
    document.undo()
    assert document.text.outside == raw
    assert not document.modified


def test_nothing_of_it_is_changed_before(raw: bytes) -> None:
    document = begun(raw)
    assert document.text is not None
    edit = text_replaced(document, [(Span(len(raw), len(raw)), b"\n")], "Add a line")
    with pytest.raises(ValueError, match="not read to its end"):
        document.apply(edit)
    with pytest.raises(WrapError, match="Only the beginning"):
        document.text.wrap(bytes(document.buffer[:-4]))
    assert bytes(document.to_be_written()[:]) == raw
    read_on(document)
    assert bytes(document.to_be_written()[:]) == raw


def test_how_many_a_collection_has_is_not_said_where_it_goes_on(raw: bytes) -> None:
    document = begun(raw)
    rows = RowIndex(document)
    first = row_facts(document, rows, RowDecorations(document), TOP, 0)
    assert first.count == ""
    read_on(document)
    assert row_facts(document, RowIndex(document), RowDecorations(document), TOP, 0).count


def test_a_twin_of_it_is_read_whole(raw: bytes) -> None:
    twin = begun(raw).twin()
    twin.read_now()
    assert not twin.is_begun
    assert twin.buffer == Document(raw).buffer


def test_a_text_in_a_wrap_is_begun_too() -> None:
    raw = gzip.compress(json_text().encode(), 1, mtime=0)
    document = begun(raw)
    assert document.wraps.names == ("gzip", "json")
    read_on(document)
    assert document.buffer == Document(raw).buffer
    assert bytes(document.to_be_written()[:]) == raw


def test_a_text_of_which_too_much_would_come_is_told_when_it_is_read(raw: bytes) -> None:
    choice = ReadOptions(opening=UnwrapOptions(limit=len(raw)))
    at_once, document = Document(raw, choice=choice), begun(raw, choice)
    assert at_once.wraps.too_large
    read_on(document)
    assert document.wraps.too_large == at_once.wraps.too_large
    assert bytes(document.buffer[:]) == raw
    assert not document.frames


def test_no_number_is_cut() -> None:
    raw = b"[" + b", ".join(b"%d.25" % (123_456_789 + k) for k in range(COUNT * 5)) + b"]"
    document, whole = begun(raw), Document(raw)
    here, there = document.frames[0].table, whole.frames[0].table
    last = len(here) - 1  # of one array the values lie in order
    assert read_shallow(here, last) == read_shallow(there, last)


def test_a_short_text_is_read_at_once() -> None:
    document = Document(b'{"a": [1, 2]}', patience=1 << 20, begins=True)
    assert not document.is_begun
    assert document.task is None


@pytest.mark.parametrize("where", ["followed", "read as values"])
def test_what_was_chosen_holds(where: str) -> None:
    raw = json_text().encode()
    if where == "followed":
        assert begun(raw, ReadOptions(opening=UnwrapOptions(codecs=("json",)))).wraps.names == ("json",)
    else:
        document = Document(raw, choice=ReadOptions(opening=UnwrapOptions(codecs=())), patience=0, begins=True)
        assert not document.is_begun


def test_a_value_cannot_be_set_before() -> None:
    document = begun(json_text().encode())
    table = document.frames[0].table
    version = next(node for node in table.nodes if read_shallow(table, node).data == 7)
    with pytest.raises((EditError, ValueError)):
        document.apply(set_literal(document, Item(0, version), "8"))
