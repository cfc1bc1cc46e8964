"""Texts inside values: what ``var_to_str`` makes, attributes of sections, JSON, ConfigFiles; told, opened, put back."""

from __future__ import annotations

import pytest
from corpus import DATA

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import delete
from viewer.document.nested.inside_evidence import inside_of
from viewer.document.nested.nested_document import NestedError, enter, open_nested
from viewer.document.nested.nested_texts import EngineText, is_engine_text
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import Dictionary, Value

GODOT4 = load("godot4")
CODEC = EngineText(GODOT4, Precision.SINGLE)
PRETTY = '{\n"a": 1,\n"b": [1, 2,   3],\n"c": Vector2(1, 0.5)\n}\n'


def changed(text: str, new: str) -> str:
    form = CODEC.unwrap(text.encode()).form
    return form.wrap(encode(parse_literal(new, GODOT4), GODOT4)).decode()


def test_a_text_that_says_the_same_stays() -> None:
    assert changed(PRETTY, '{"a": 1, "b": [1, 2, 3], "c": Vector2(1, 0.5)}') == PRETTY


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ('{"a": 50, "b": [1, 2, 3], "c": Vector2(1, 7)}', '{\n"a": 50,\n"b": [1, 2,   3],\n"c": Vector2(1, 7)\n}\n'),
        ('{"a": 1, "b": [1, 3], "c": Vector2(1, 0.5)}', '{\n"a": 1,\n"b": [1,   3],\n"c": Vector2(1, 0.5)\n}\n'),
        ('{"a": 1, "b": [1, 2, 3, [4]], "c": Vector2(1, 0.5)}', None),
        ('{"c": "x"}', None),
    ],
)
def test_only_what_changed_is_written_anew(new: str, text: str | None) -> None:
    found = changed(PRETTY, new)
    assert parse_literal(found, GODOT4) == parse_literal(new, GODOT4)
    if text is not None:
        assert found == text


@pytest.mark.parametrize("text", ['{"a": 1}', PRETTY, "[1, 2]", "Color(1, 0, 0, 1)", '{"a": {"b": &"c"}}'])
def test_what_the_engine_writes_is_engine_text(text: str) -> None:
    assert is_engine_text(text, GODOT4, Precision.SINGLE)


@pytest.mark.parametrize("text", ['{"hp":5,"at":{"x":[1,2]}}', "[1,2.5]", '{"a":"b, c: d"}'])
def test_what_json_stringify_writes_is_json(text: str) -> None:
    """Without blanks behind commas and colons, which ``var_to_str`` always writes; its numbers are floats."""
    assert not is_engine_text(text, GODOT4, Precision.SINGLE)
    outer = encode(Value("Dictionary", Dictionary(((Value("String", "j"), Value("String", text)),))), GODOT4)
    document = Document(outer, choice=ReadOptions(GODOT4))
    assert inside_of(document, parse_path(document, "[0].j")) == "JSON"
    assert enter(document, "[0].j!0").document.dialect.key == "json-text"


def test_a_number_in_json_inside_a_value_is_put_back_as_json_has_it() -> None:
    text = Value("String", '{"hp":5,"at":[1,2]}')
    outer = encode(Value("Dictionary", Dictionary(((Value("String", "j"), text),))), GODOT4)
    document = Document(outer, choice=ReadOptions(GODOT4))
    level = enter(document, "[0].j!0.at[1]")
    document.apply(level.outermost(set_literal(level.document, level.item(), "7.0")))
    assert read(document.frames[0].table).data.pairs[0][1] == Value("String", '{"hp":5,"at":[1,7]}')


def test_a_tight_literal_that_is_no_json_is_a_value() -> None:
    assert is_engine_text("[1,Vector2(1,2)]", GODOT4, Precision.SINGLE)


@pytest.mark.parametrize("text", ["12", "null", '"x"', "[1]", "{}", "{a: 1}", "[1, 2", "Hello (you)", "[b]x[/b]", ""])
def test_other_texts_are_none(text: str) -> None:
    assert not is_engine_text(text, GODOT4, Precision.SINGLE)


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


JSON = b'{"a":[1,2.50],\n "b" : "x","c":null}'
CONFIG = b'[a]\nx = 1 ; why\ny=Vector2(1, 2)\nz="t"\n'


def document(content: bytes, is_text: bool) -> Document:
    held = Value("String", content.decode()) if is_text else Value("PackedByteArray", content)
    whole = Value("Dictionary", Dictionary(((Value("String", "held"), held),)))
    return Document(encode(whole, GODOT4), choice=ReadOptions(GODOT4))


@pytest.mark.parametrize("is_text", [True, False])
@pytest.mark.parametrize(
    ("content", "label", "path", "literal", "after"),
    [
        (JSON, "JSON", "[0].a[0]", "7.0", JSON.replace(b"[1,", b"[7,")),
        (CONFIG, "ConfigFile", "[0].a.x", "7", CONFIG.replace(b"= 1", b"= 7")),
    ],
)
def test_a_text_inside_a_value_is_told_and_put_back(
    content: bytes, label: str, path: str, literal: str, after: bytes, is_text: bool
) -> None:
    outer = document(content, is_text)
    item = parse_path(outer, "[0].held")
    assert inside_of(outer, item) == label
    nested = open_nested(outer, item)
    edit = set_literal(nested.document, parse_path(nested.document, path), literal)
    outer.apply(nested.put_back(edit))
    data = read(outer.frames[0].table, item.node).data
    assert (data.encode() if isinstance(data, str) else data) == after


@pytest.mark.parametrize("text", ["[b]bold[/b]", "{name} has won", "[center]\nHello", "; only words"])
def test_words_in_brackets_are_no_text_of_a_file(text: str) -> None:
    outer = document(text.encode(), is_text=True)
    assert inside_of(outer, parse_path(outer, "[0].held")) == ""


def test_a_text_of_quotes_without_an_end_takes_no_time() -> None:
    signs = '\\"' * 250_000
    assert not is_engine_text('{"' + signs, GODOT4, Precision.SINGLE)
    assert not is_engine_text('{"' + signs + "\\", GODOT4, Precision.SINGLE)
