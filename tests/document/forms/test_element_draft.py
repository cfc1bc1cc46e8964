"""A packed array with changes that are not written yet, and its cells as text."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

import pytest

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.packed import change_elements, open_array, replace_bytes
from viewer.document.edits.slots import EditError
from viewer.document.forms.cells import GridColumns, parse_table, table_text
from viewer.document.forms.element_draft import ElementDraft
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Data, Value

GODOT3 = load("godot3")
ROOT = Item(0, 0)


def document(type_name: str, data: Data) -> Document:
    raw = encode(Value(type_name, data), GODOT3)
    return Document(raw, name="test", choice=ReadOptions(GODOT3, None, FramingKind.BARE))


def written(source: Document, draft: ElementDraft) -> Data:
    """What the array holds once the draft is applied."""
    source.apply(change_elements(source, ROOT, draft.changes))
    return read(source.frames[0].table).data


def rows(draft: ElementDraft) -> tuple[object, ...]:
    return tuple(draft.value(row) for row in range(len(draft)))


def test_changes_are_seen_at_once_and_written_in_one_edit() -> None:
    source = document("PoolIntArray", (0, 1, 2, 3, 4))
    draft = ElementDraft(open_array(source, ROOT))
    draft.set({1: 10})
    draft.insert(2, (7, 8))
    draft.delete(4, 5)
    draft.set({2: 70})
    assert rows(draft) == (0, 10, 70, 8, 3, 4)
    assert written(source, draft) == (0, 10, 70, 8, 3, 4)


def test_a_value_set_back_is_no_change() -> None:
    source = document("PoolRealArray", (0.0, 1.0))
    draft = ElementDraft(open_array(source, ROOT))
    draft.set({0: 5.0})
    draft.set({0: 0.0})
    assert draft.changes.size == 0
    draft.set({0: -0.0})
    assert draft.changes.size == 1


def test_a_step_can_be_taken_back() -> None:
    draft = ElementDraft(open_array(document("PoolIntArray", (1, 2, 3)), ROOT))
    draft.keep()
    draft.delete(0, 2)
    assert rows(draft) == (3,)
    draft.undo()
    assert rows(draft) == (1, 2, 3)
    assert not draft.can_undo


@pytest.mark.parametrize("seed", range(20))
def test_many_random_steps_write_what_was_shown(seed: int) -> None:
    dice = random.Random(seed)
    words = ("", "a", "Zoë", "longer text")
    start = tuple(dice.choice(words) for _ in range(dice.randrange(8)))
    source = document("PoolStringArray", start)
    draft, plain = ElementDraft(open_array(source, ROOT)), list(start)
    for _ in range(12):
        at = dice.randrange(len(plain) + 1)
        step = dice.randrange(3)
        if step == 0:
            new = tuple(dice.choice(words) for _ in range(dice.randrange(1, 3)))
            draft.insert(at, new)
            plain[at:at] = new
        elif step == 1 and at < len(plain):
            last = dice.randrange(at + 1, len(plain) + 1)
            draft.delete(at, last)
            del plain[at:last]
        elif at < len(plain):
            draft.set({at: "set"})
            plain[at] = "set"
        assert rows(draft) == tuple(plain)
    assert written(source, draft) == tuple(plain)
    assert not source.findings.all()


def test_cells_are_components() -> None:
    columns = GridColumns.of(open_array(document("PoolVector2Array", ((1.0, 0.10000000149011612),)), ROOT))
    assert columns.names == ("x", "y")
    assert columns.blank == (0.0, 0.0)
    value = (1.0, 0.10000000149011612)
    assert columns.text(value, 1) == "0.1"
    assert columns.with_cell(value, 1, "0.1") is value
    assert columns.with_cell(value, 0, "= value * 3 + row", row=2) == (5.0, 0.10000000149011612)
    with pytest.raises(EditError, match="is not a number"):
        columns.with_cell(value, 0, "one")


def test_texts_show_line_breaks_in_the_grid_and_not_to_other_programs() -> None:
    columns = GridColumns.of(open_array(document("PoolStringArray", ("a\nb",)), ROOT))
    assert columns.text("a\nb", 0) == "a\\nb"
    assert columns.plain("a\nb", 0) == "a\nb"
    assert columns.with_cell("", 0, "a\\nb") == "a\nb"
    assert columns.with_cell("", 0, "a\\nb", raw=True) == "a\\nb"


@pytest.mark.parametrize("table", [[["1", "2"], ["3", "4"]], [["a\tb", 'quote"'], ["two\nlines", ""]]])
def test_a_table_goes_to_the_clipboard_and_back(table: Sequence[Sequence[str]]) -> None:
    assert parse_table(table_text(table)) == table
    odd = [["a\rb", "a\r\nb", "a\nb"], ["", '"', "long " * 40_000 + '"\n']]
    assert parse_table(table_text(odd)) == odd


def test_an_empty_clipboard_is_no_table() -> None:
    with pytest.raises(EditError, match="does not hold a table"):
        parse_table("")


def test_bytes_are_replaced_as_a_whole() -> None:
    source = document("PoolByteArray", b"abcde")
    source.apply(replace_bytes(source, ROOT, b"xyz"))
    assert bytes(source.buffer[:]) == struct.pack("<II", 20, 3) + b"xyz\0"
    source.undo()
    assert bytes(source.buffer[:]) == struct.pack("<II", 20, 5) + b"abcde\0\0\0"
