"""Labels of edits: put into words when they are read, by what was so when the edit was made."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits import raw_bytes
from viewer.document.edits.fragment import taken
from viewer.document.edits.packed import Changes, change_elements, replace_bytes, set_elements
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.edits.retype import retype
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import slot_of
from viewer.document.edits.structure import delete, duplicate, insert, shift, sort_keys
from viewer.document.path import ItemPath, format_path, parse_path
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.dialect import Dialect, load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal
from viewer.variant.paths.path_keys import PlainKey

GODOT3 = load("godot3")
SAVE = (
    '{"player": {"gold": 5, "name": "Zoë", "hp": 2.5, "any key": 1}, "list": [1, 2, 3, 4], 7: true,'
    ' "raw": PoolByteArray(1, 2, 3, 4, 5), "gold": 1, "gold": 2}'
)
EDITS: dict[str, Callable[[Document], Edit]] = {
    "Set [0].player.gold": lambda document: set_literal(document, at(document, "[0].player.gold"), "7"),
    'Set [0].player["any key"]': lambda document: set_literal(document, at(document, '[0].player["any key"]'), "7"),
    "Set [0].gold#2": lambda document: set_literal(document, at(document, "[0].gold#2"), "7"),
    "Set [0][7]": lambda document: set_literal(document, at(document, "[0][7]"), "false"),
    "Rename [0].player.name": lambda document: set_literal(document, at(document, "[0].player.name@key"), '"title"'),
    "Set [0].list[2]": lambda document: set_literal(document, at(document, "[0].list[2]"), "9"),
    "Change [0].player.gold to String": lambda document: (
        retype(document, at(document, "[0].player.gold"), "String").edit
    ),
    "Delete [0].list[1]": lambda document: delete(document, [at(document, "[0].list[1]")]),
    "Delete 2 values": lambda document: delete(document, [at(document, f"[0].list[{k}]") for k in (1, 2)]),
    "Insert in [0].list": lambda document: insert(
        document, slot_of(document, at(document, "[0].list[1]")), [taken(document, at(document, "[0].list[2]"))]
    ),
    "Insert 2 values in [0]": lambda document: insert(
        document, slot_of(document, at(document, "[0].raw")), [taken(document, at(document, "[0].list[2]"))] * 2
    ),
    "Duplicate [0].list[1]": lambda document: duplicate(document, [at(document, "[0].list[1]")]),
    "Move [0].list[1] up": lambda document: shift(document, [at(document, "[0].list[1]")], -1),
    "Sort [0].player": lambda document: sort_keys(document, at(document, "[0].player")),
    "Set [0].raw[3]": lambda document: set_elements(document, at(document, "[0].raw"), {3: 9}),
    "Delete 2 elements of [0].raw": lambda document: change_elements(
        document, at(document, "[0].raw"), Changes(deletes=[range(1, 3)])
    ),
    "Replace the bytes of [0].raw": lambda document: replace_bytes(document, at(document, "[0].raw"), b"123"),
    "Overwrite byte 0x1F": lambda document: overwrite(document, 31, b"x"),
    "Overwrite 2 bytes at 0x1E": lambda document: overwrite(document, 30, b"xy"),
    "Insert 3 bytes at 0x14": lambda document: raw_bytes.insert_bytes(document, 20, b"xyz"),
    "Delete 1 byte at 0x14": lambda document: raw_bytes.remove_bytes(document, Span(20, 21)),
    "Fill 4 bytes at 0x14": lambda document: raw_bytes.fill(document, Span(20, 24), b"\xff"),
}


@pytest.fixture
def document() -> Document:
    return Document(encode(parse_literal(SAVE, GODOT3), GODOT3))


def at(document: Document, path: str) -> Item:
    return parse_path(document, path)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was put into words."""
    found: list[object] = []

    def counting(kind: type) -> None:
        write = kind.__str__

        def counted(self: object) -> str:
            found.append(self)
            return write(self)

        monkeypatch.setattr(kind, "__str__", counted)

    for kind in (EditLabel, CountLabel, ItemPath, PlainKey):
        counting(kind)
    return found


@pytest.mark.parametrize("label", EDITS)
def test_no_label_is_written_while_an_edit_is_done_undone_and_done_again(
    document: Document, written: list[object], label: str
) -> None:
    edit = EDITS[label](document)
    written.clear()  # a test finds its values by paths
    document.apply(edit)
    document.undo()
    document.redo()
    assert written == []
    assert document.history.undo_label == label
    assert written


def test_no_label_is_written_while_an_edit_is_made(document: Document, written: list[object]) -> None:
    item = at(document, "[0].player.gold")
    written.clear()
    document.apply(set_literal(document, item, "7"))
    assert written == []


@pytest.mark.parametrize("label", EDITS)
def test_a_label_tells_what_was_so_when_the_edit_was_made(document: Document, label: str) -> None:
    document.apply(EDITS[label](document))
    document.history.seal()
    document.apply(raw_bytes.remove_bytes(document, Span(0, len(document.buffer))))
    document.history.seal()
    document.apply(raw_bytes.insert_bytes(document, 0, encode(parse_literal("[1]", GODOT3), GODOT3)))
    assert document.history.labels[0] == label


def held(thing: object) -> Iterator[object]:
    """All that a thing keeps alive but dialects and classes, which live as long as the program."""
    seen: dict[int, object] = {}
    waiting = [thing]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, Dialect | type):
            seen[id(each)] = each
            waiting += gc.get_referents(each)
    yield from seen.values()


@pytest.mark.parametrize("label", EDITS)
def test_a_label_keeps_nothing_of_the_document(document: Document, label: str) -> None:
    found = list(held(EDITS[label](document).words))
    assert {type(each) for each in found} <= {EditLabel, CountLabel, ItemPath, PlainKey, tuple, str, int}
    assert len(found) < 40


def test_labels_that_say_the_same_are_equal(document: Document) -> None:
    assert EDITS["Set [0].player.gold"](document) == EDITS["Set [0].player.gold"](document)


def test_the_first_of_equal_keys_is_told_from_the_others_by_plain_bytes_and_odd_ones_alike() -> None:
    keys = ('"a"', '"b"', '"a"', "1", '"a\\u0000b"', '"b"')
    text = "{" + ", ".join(f"{key}: {number}" for number, key in enumerate(keys)) + "}"
    document = Document(encode(parse_literal(text, GODOT3), GODOT3))
    table = document.frames[0].table
    paths = [format_path(document, Item(0, node)) for node in table.children(0)[1::2]]
    assert paths == [format_path(document, at(document, path)) for path in paths]
    assert (paths[0], paths[1], paths[2]) == ("[0].a", "[0].b", "[0].a#2")
