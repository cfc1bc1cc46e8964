"""The attributes of a section of a resource as text: typed values inside it, each written alone."""

from __future__ import annotations

import pytest
from corpus import DATA

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import delete
from viewer.document.nested.inside_evidence import inside_of
from viewer.document.nested.nested_document import NestedError, enter, open_nested
from viewer.document.path import parse_path
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

SCENE = DATA / "texts" / "godot4" / "scene_tree.tscn"
HERO = '[0]["node Hero"]'


def shown(document: Document, path: str) -> str:
    level = enter(document, path)
    item = level.item()
    return format_literal(read(level.document.frames[item.frame].table, item.node), level.document.dialect)


def set_inside(document: Document, path: str, literal: str) -> None:
    level = enter(document, path)
    document.apply(level.outermost(set_literal(level.document, level.item(), literal)))


@pytest.mark.parametrize(
    ("path", "literal"),
    [
        (f"{HERO}!0.type", '"Sprite2D"'),
        (f"{HERO}!0.unique_id", "1478010448"),
        (f"{HERO}!0.groups", '["units"]'),
        ("[0].gd_scene!0.format", "3"),
        ('[0]["connection timeout"]!0.to', '"."'),
    ],
)
def test_attributes_are_typed_values(path: str, literal: str) -> None:
    assert shown(Document.open(SCENE), path) == literal


@pytest.mark.parametrize(
    ("path", "literal", "old", "new"),
    [
        (f"{HERO}!0.name", '"Heroine"', b'name="Hero"', b'name="Heroine"'),
        (f"{HERO}!0.unique_id", "7", b"unique_id=1478010448", b"unique_id=7"),
        (f"{HERO}!0.groups[0]", '"heroes"', b'groups=["units"]', b'groups=["heroes"]'),
        (f"{HERO}!0.parent@key", '"owner"', b'parent="." unique_id=1478010448', b'owner="." unique_id=1478010448'),
    ],
)
def test_an_edit_writes_one_attribute_and_can_be_taken_back(path: str, literal: str, old: bytes, new: bytes) -> None:
    document = Document.open(SCENE)
    before = bytes(document.shown[:])
    set_inside(document, path, literal)
    assert bytes(document.shown[:]) == before.replace(old, new, 1)
    document.undo()
    assert bytes(document.shown[:]) == before


def test_an_attribute_is_taken_away_with_its_blank() -> None:
    document = Document.open(SCENE)
    before = bytes(document.shown[:])
    level = enter(document, f"{HERO}!0.parent")
    document.apply(level.outermost(delete(level.document, [level.item()])))
    assert bytes(document.shown[:]) == before.replace(b' parent="." unique_id=1478010448', b" unique_id=1478010448")


def test_a_name_with_blanks_is_no_attribute() -> None:
    with pytest.raises(EditError, match="one word"):
        set_inside(Document.open(SCENE), f"{HERO}!0.parent@key", '"two words"')


def test_what_names_a_resource_is_an_attribute_too() -> None:
    document = Document(b'[gd_scene format=3]\n\n[node name="a" instance=ExtResource("1_x")]\nvisible = false\n')
    assert shown(document, '[0]["node a"]!0.instance') == 'ExtResource("1_x")'


def test_sections_without_keys_tell_of_their_attributes_and_settings_have_none() -> None:
    document = Document.open(SCENE)
    assert inside_of(document, parse_path(document, '[0]["connection timeout"]')) == "attributes"
    assert inside_of(document, parse_path(document, HERO)) == ""
    settings = Document(b'[node name="a"]\nb=1\nc=2\n')
    with pytest.raises(NestedError):
        open_nested(settings, parse_path(settings, '[0]["node name=\\"a\\""]'))
