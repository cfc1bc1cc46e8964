"""What is typed into a text changes the values that it is about, and marks no others."""

import pytest

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_written
from viewer.document.path import format_path
from viewer.document.viewmodel.row_data import RowDecorations
from viewer.variant.items import Item

TEXT = b'{"a": [1, 2], "items": [{"id": 5, "name": "Ada", "hp": 15}, {"id": 6, "name": "Bo", "hp": 18}], "z": 1}'
CFG = b'[a]\n\nx=1\ny={\n"p": 1,\n"q": 2\n}\n\n[b]\n\nz="t"\n'
TRES = (
    b'[gd_resource type="Resource" format=3]\n\n[sub_resource type="Resource" id="a"]\nhp = 5\n\n'
    b'[resource]\nname = "x"\nhp = 7\nlist = [1, 2]\n'
)


def typed(text: bytes, behind: bytes, new: bytes, by_key: bool) -> Document:
    """A document into whose text something was typed, key by key or all at once."""
    document = Document(text)
    at = text.index(behind) + len(behind)
    for size in range(1, len(new) + 1) if by_key else (len(new),):
        edit = text_written(document, text[:at] + new[:size] + text[at:], "typing")
        if edit is not None:
            document.apply(edit)
    return document


def marked(document: Document) -> list[str]:
    """The paths of all values in which something is marked as changed, without those that hold others marked."""
    decorations, found = RowDecorations(document), []
    for index, frame in enumerate(document.frames):
        for node in frame.table.nodes:
            item = Item(index, node)
            if not outline.is_key(frame.table, node) and decorations.is_modified(outline.span(document, item)):
                found.append(format_path(document, item))
    return [path for path in found if not any(other != path and other.startswith(path) for other in found)]


@pytest.mark.parametrize("by_key", [True, False], ids=["key by key", "pasted"])
@pytest.mark.parametrize(
    ("behind", "new", "changed"),
    [
        (b'"Ada", ', b'"x": 7, ', ["[0].items[0].x"]),
        (b'"hp": 18', b', "y": 4', ["[0].items[1].y"]),
        (b'"Ada', b" L.", ["[0].items[0].name"]),
        (b'"z": 1', b', "new": {}', ["[0].new"]),
        (b"[1, 2", b", 3", ["[0].a[2]"]),
        (b"[1, 2", b", 3, 4", ["[0].a[2]", "[0].a[3]"]),
        (
            b'"hp": 18}',
            b', {"id": 7}, {"id": 8}, {"id": 8}',
            ["[0].items[2].id", "[0].items[3].id", "[0].items[4].id"],
        ),
        (b'"hp": 1', b"2", ["[0].items[0].hp"]),
    ],
)
def test_only_what_was_typed_is_marked(behind: bytes, new: bytes, changed: list[str], by_key: bool) -> None:
    assert marked(typed(TEXT, behind, new, by_key)) == changed


@pytest.mark.parametrize("by_key", [True, False], ids=["key by key", "pasted"])
def test_a_setting_that_is_put_in_is_marked_alone(by_key: bool) -> None:
    assert marked(typed(CFG, b"x=1\n", b"w=3\n", by_key)) == ["[0].a.w"]
    assert marked(typed(CFG, b'"p": 1,\n', b'"r": 5,\n', by_key)) == ["[0].a.y.r"]


@pytest.mark.parametrize("by_key", [True, False], ids=["key by key", "pasted"])
@pytest.mark.parametrize("behind", [b"[resource]\n", b'name = "x"\n', b"hp = 7\n", b"list = [1, 2]\n"])
def test_a_property_that_is_put_into_a_resource_is_marked_alone(behind: bytes, by_key: bool) -> None:
    assert marked(typed(TRES, behind, b'nick = "Bolt"\n', by_key)) == ["[0].resource.nick"]


def test_what_is_typed_and_taken_away_again_is_no_change() -> None:
    document = typed(TEXT, b'"Ada", ', b'"x": 7, ', by_key=True)
    edit = text_written(document, TEXT)
    assert edit is not None
    document.apply(edit)
    assert not marked(document)


def test_the_values_are_those_of_the_text_and_come_back() -> None:
    document = typed(TEXT, b'"Ada", ', b'"x": [1, {"y": []}], ', by_key=True)
    assert bytes(document.buffer[:]) == bytes(Document(document.shown).buffer[:])
    while document.undo() is not None:
        pass
    assert bytes(document.buffer[:]) == bytes(Document(TEXT).buffer[:])
