"""Tags of a resource or scene as text: values, short in rows and paths, one attribute at a time."""

from __future__ import annotations

import pytest
from corpus import DATA

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import PathError, format_path, parse_path
from viewer.document.viewmodel.crumbs import crumbs, siblings
from viewer.document.viewmodel.row_data import RowData, RowDecorations, row_facts
from viewer.document.viewmodel.rows import TOP, RowIndex
from viewer.text.tags import TagError, attributes, read_tag, shortened
from viewer.variant.dialect import load_text_values

SCENE = DATA / "texts" / "godot4" / "scene_tree.tscn"
GODOT4 = load_text_values("godot4")


def test_each_field_is_a_value() -> None:
    words = 'node name="a = \\"b\\" c=1" groups=["x=1", "y"] instance=ExtResource("1_a") binds= [{"k": [1]}] id=5'
    tag = read_tag(words, GODOT4)
    assert tag.name == "node"
    assert {name: value.type for name, value in tag.fields.items()} == {
        "name": "String",
        "groups": "Array",
        "instance": "ExtResource",
        "binds": "Array",
        "id": "int",
    }
    assert tag.fields["name"].data == 'a = "b" c=1'


@pytest.mark.parametrize("words", ["", '"node"', "node name=", "node name=? x=1", "node odd", 'node name="a" "b"'])
def test_what_is_no_tag_is_told(words: str) -> None:
    with pytest.raises(TagError):
        read_tag(words, GODOT4)


@pytest.mark.parametrize(
    ("words", "found", "is_tag"),
    [
        ('node binds= [{"k": [1]}] id=5', ['[{"k": [1]}]', "5"], True),
        ('node a=ExtResource ( 1 ) b=&"x y"', ["ExtResource ( 1 )", '&"x y"'], True),
        ('node a=1 b="', ["1"], False),
        ("node a=[1", [], False),
        ("node a=1) b=2", ["1"], False),
        ('node a="1" "2" b=3', ['"1"'], False),
        ("node a=1 b", ["1"], False),
    ],
)
def test_both_readings_see_the_same_attributes(words: str, found: list[str], is_tag: bool) -> None:
    seen = attributes(words)
    assert [each.literal for each in seen] == found
    assert [words[each.literal_at : each.end] for each in seen] == found
    assert [words[each.name_at :][: len(each.name)] for each in seen] == [each.name for each in seen]
    if is_tag:
        assert list(read_tag(words, GODOT4).fields) == [each.name for each in seen]
    else:
        with pytest.raises(TagError):
            read_tag(words, GODOT4)


def sections(document: Document) -> list[RowData]:
    rows, marks = RowIndex(document), RowDecorations(document)
    holder = rows.holder(TOP, 0)
    return [row_facts(document, rows, marks, holder, row) for row in range(rows.count(holder))]


def test_rows_say_what_a_section_is_and_the_tooltip_has_all_of_it() -> None:
    found = sections(Document.open(SCENE))
    names = ["gd_scene", "sub_resource RectangleShape2D_3ppa2", "node World", "node Hero", "node Clock", "node Shape"]
    assert [row.name for row in found] == [*names, "connection timeout"]
    assert (
        found[3].text
        == 'type: "Sprite2D", parent: ".", unique_id: 1478010448, groups: ["units"] · modulate: Color(1, 0.5, 0.25, 1)'
    )
    assert found[3].whole == '[node name="Hero" type="Sprite2D" parent="." unique_id=1478010448 groups=["units"]]'


def test_settings_keep_the_names_of_their_sections() -> None:
    assert [row.name for row in sections(Document(b'[node name="a"]\nb=1\n[c d]\ne=2\n'))] == ['node name="a"', "c d"]


def test_a_path_may_call_a_section_in_short() -> None:
    document = Document.open(SCENE)
    item = parse_path(document, '[0]["node Hero"].modulate')
    assert "Sprite2D" in format_path(document, item)
    assert parse_path(document, format_path(document, item)) == item
    with pytest.raises(PathError, match="no key"):
        parse_path(document, '[0]["node Nobody"]')


def test_one_attribute_changes_and_nothing_else() -> None:
    document = Document.open(SCENE)
    before = bytes(document.shown[:])
    words = '"node name=\\"Heroine\\" type=\\"Sprite2D\\" parent=\\".\\" unique_id=1478010448 groups=[\\"units\\"]"'
    document.apply(set_literal(document, parse_path(document, '[0]["node Hero"]@key'), words))
    assert bytes(document.shown[:]) == before.replace(b'name="Hero"', b'name="Heroine"')


@pytest.mark.parametrize(
    ("section", "name", "rest"),
    [
        ("resource", "resource", []),
        ('ext_resource path="res://a b.gd" type="Script" id=1', "ext_resource 1", ["path", "type"]),
        (
            'node name="a \\"b\\"" instance=ExtResource("1_x") groups=["x]", "y"]',
            'node a \\"b\\"',
            ["instance", "groups"],
        ),
        ("node", "node", []),
        ('  odd "x"', "odd", []),
        ("", "", []),
        ('node name="', "node", []),
    ],
)
def test_any_words_between_brackets_have_a_short_name(section: str, name: str, rest: list[str]) -> None:
    assert shortened(section)[0] == name
    assert [attribute.name for attribute in shortened(section)[1]] == rest
    assert len(attributes(section)) >= len(rest)


def test_the_path_bar_calls_sections_in_short() -> None:
    document = Document.open(SCENE)
    found = crumbs(document, parse_path(document, '[0]["node Hero"].modulate'))
    assert [crumb.text for crumb in found[1:]] == ["[0]", "node Hero", "modulate"]
    beside = siblings(document, parse_path(document, '[0]["node Hero"]'))
    assert "node Clock" in [crumb.text for crumb in beside.crumbs]
