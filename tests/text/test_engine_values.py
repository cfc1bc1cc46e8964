"""What the engines make of settings and resources that none of them wrote; each case was asked of the real ones."""

from __future__ import annotations

import engine
import pytest
from document.readers.resource_edits import scripts
from engine4 import Godot, Json
from text.engine_texts import FOLDER

from viewer.base.diagnostic import Code
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.text.engine_parser import EngineTextParser
from viewer.text.engine_values import TextValueReader
from viewer.variant.dialect import load_text_values
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.scan import scan

GODOT4 = [
    ("a=Vector2(1 ; why\n, 2)", '"a": Vector2(1, 2)'),
    ("a=nil", '"a": null'),
    ("a=1e", '"a": 1.0'),
    ("a=#ff8000", '"a": Color(1, 0.5019608, 0, 1)'),
    ("a=#f80c", '"a": Color(1, 0.53333336, 0, 0.8)'),
    ("a=PackedByteArray(300, -1, 1.9)", '"a": PackedByteArray(44, 255, 1)'),
    ("a=PackedInt32Array(5000000000, 1.9)", '"a": PackedInt32Array(705032704, 1)'),
    ("a=Vector2i(5000000000, -1.5)", '"a": Vector2i(705032704, -1)'),
    ("a=PoolVector2Array(1, 2, 3)", '"a": PackedVector2Array(1, 2)'),
    ('a=PackedStringArray("x", )', '"a": PackedStringArray("x")'),
    ("a=-99999999999999999999", '"a": -9223372036854775808'),
    ("a=9223372036854775808", '"a": -9223372036854775808'),
    ("a=Array [ int ] ( [ 1 ] )", '"a": Array[int]([1])'),
    ('a="\\q\\a\\v"', '"a": "qav"'),
    ('a="\\u00e9\\u65e5\\u0041"', '"a": "\ufffd A"'),
    ("a=0x10\nb=1", '"a": 0, "x10b": 1'),
    ("a=1_000\nb=1", '"a": 1, "_000b": 1'),
    ('a="x" "y"\nb=1', '"a": "x", "yb": 1'),
    ("a ; why\nb=1", '"ab": 1'),
    ('a"b"=1', '"b": 1'),
    ('"b"c=1', '"bc": 1'),
    ("a[b]=1", '"a[b]": 1'),
    ("ä=1", '"Ã¤": 1'),
    ('"ä"=1', '"ä": 1'),
    ("a=1\nstray", '"a": 1'),
    ("a=1\n; why", '"a": 1'),
    ("a=Array[Resource]([])\nb=1", '"a": Array[Resource]([]), "b": 1'),
    ("a=Dictionary[String, Resource]({})", '"a": Dictionary[String, Resource]({})'),
    ('a=PackedByteArray("AQ\nID")', '"a": PackedByteArray(1, 2, 3)'),
]
"""Settings and how Godot 4 reads them."""
GODOT3 = [
    ("a=nil", '"a": null'),
    ("a=--1\nb=1", '"a": 0, "-1b": 1'),
    ("a=-.5", '"a": -0.5'),
    ("a=1E5\nb=1", '"a": 1, "E5b": 1'),
    ('a="\\U01f600"', '"a": "U01f600"'),
    ('a="\\u00e9"', '"a": "é"'),
    ("a=#8000ff00", '"a": Color(0, 1, 0, 0.5019608)'),
    ("a=PoolByteArray(300, -1, 1.9)", '"a": PoolByteArray(44, 255, 1)'),
    ("a=RID(5)", '"a": 5'),
]
REFUSED4 = [
    "a=+1",
    "a=.5",
    "a=-",
    "a=- 5",
    'a="\\u12"',
    'a="\\ud83dx"',
    "a=Vector2(1, 2,)",
    "a=RawArray(1)",
    "a=Vector2(1_0, 2)",
]
REFUSED4 += [
    'a=StringName("x")',
    "a=[1,,2]",
    'a={"b":1,,}',
    "a=NodePath(1)",
    "a=:",
    "a==1",
    "a=",
    'a="x',
    "a=Signal(1)",
    'a=Signal("x", 5)',
    'a=Array[Signal]([Signal("", 22)])',
    'a=ExtResource("1")',
    'a=[SubResource("1")]',
    'a=PackedByteArray("AQID=")',
]
REFUSED3 = [
    "a=+1",
    'a=&"x"',
    "a=Vector2i(1, 2)",
    "a=Quaternion(0, 0, 0, 1)",
    "a=PackedInt32Array(1)",
    "a=Callable()",
    "a=RID()",
]
RESOURCE = (FOLDER / "godot4" / "sub_of_engine.tres").read_text()
HARMED = [
    RESOURCE.replace("[resource]", "[resorce]"),
    RESOURCE.replace("[resource]\n", ""),
    RESOURCE.replace(' type="Script"', ""),
    RESOURCE.replace('ExtResource("1")', 'ExtResource("7")'),
    RESOURCE.replace("\n\n[ext", "\nvalue = 1\n\n[ext"),
    RESOURCE.replace(" format=3", " format:3"),
    "\ufeff" + RESOURCE,
    RESOURCE + "\n[more]\n",
]

SCENE = """[gd_scene format=3]

[node name="Root" type="Node"]

[node name="Timer" type="Timer" parent="."]

[connection signal="timeout" from="Timer" to="." method="queue_free"]
"""
HARMED_SCENES = [
    SCENE.replace(' from="Timer"', ""),
    SCENE.replace(' method="queue_free"', ""),
    SCENE + "stray",
    SCENE + "; a note\n\nstray\n",
    SCENE + "\n[editable]\n",
    SCENE.replace('type="Timer" parent="."', 'parent="." instance=ExtResource("1_x")'),
]
SOUND_SCENES = [
    SCENE,
    SCENE + "\n; a note\n",
    SCENE.replace('from="Timer"', 'from=NodePath("Timer")'),
    SCENE.replace('"Timer" type', '"ExtResource(7)" type').replace('from="Timer"', 'from="ExtResource(7)"'),
]


def parsed(text: str, line: str) -> EngineTextParser:
    parser = EngineTextParser(f"[s]\n{text}\n".encode(), load_text_values(line), 1 << 20)
    parser.read()
    return parser


def shown(parser: EngineTextParser, line: str) -> str:
    dialect = load_text_values(line)
    return format_literal(read(scan(memoryview(bytes(parser.out)), dialect), 0), dialect)


@pytest.mark.parametrize(
    ("line", "text", "value"),
    [("godot4", *case) for case in GODOT4] + [("godot3", *case) for case in GODOT3],
)
def test_what_no_engine_writes_is_read_as_they_read_it(line: str, text: str, value: str) -> None:
    parser = parsed(text, line)
    assert not parser.damages
    assert shown(parser, line) == f'{{"s": {{{value}}}}}'


@pytest.mark.parametrize(
    ("line", "text"), [("godot4", text) for text in REFUSED4] + [("godot3", text) for text in REFUSED3]
)
def test_what_they_refuse_is_an_error(line: str, text: str) -> None:
    assert parsed(text, line).damages


@pytest.mark.parametrize("text", [*HARMED, *HARMED_SCENES])
def test_a_resource_without_what_engines_want_of_one_is_an_error(text: str) -> None:
    assert Document(text.encode()).text is not None
    assert [found for found in Document(text.encode()).findings.all() if found.code is Code.TEXT_BROKEN]


@pytest.mark.parametrize("text", SOUND_SCENES)
def test_a_scene_that_engines_load_has_no_error(text: str) -> None:
    assert not [found for found in Document(text.encode()).findings.all() if found.code is Code.TEXT_BROKEN]


@pytest.mark.engine4
def test_godot4_loads_and_refuses_the_same_scenes(godot4: Godot) -> None:
    for texts, is_loaded in ((SOUND_SCENES, True), (HARMED_SCENES, False)):
        for text in texts:
            assert (godot4.loaded(text.encode(), "res://x.tscn", {})[0] is not None) == is_loaded, text


def test_what_is_read_otherwise_than_it_is_meant_is_a_warning_at_its_place() -> None:
    text = b"[player]\nname=12px\nplace=Vector2(1, 2)\nhealth points=3\nmana=4\n"
    slips = [found for found in Document(text).findings.all() if found.code is Code.TEXT_SLIP]
    assert [str(found.facts["sentence"]) for found in slips] == [
        "Line 2, column 8 (byte 16): Something follows this value: the engines read the key “pxplace”.",
        "Line 4, column 1 (byte 39): Blanks and comments in a key are dropped: the engines read the key “healthpoints”.",  # noqa: E501
    ]


def test_keys_in_front_of_all_sections_may_be_odd() -> None:
    document = Document("free=1\nä=2\n[player]\nhp=3\nmana=4\n".encode())
    assert document.wraps.names == ("config",)
    assert Document("free=1\nä=2\n".encode()).text is None


def test_a_byte_order_mark_hides_the_first_section_from_engines() -> None:
    document = Document(b"\xef\xbb\xbf[player]\nname=1\nb=2\n[audio]\nc=3\n")
    assert format_literal(read(document.frames[0].table, 0), document.dialect) == (
        '{"": {"ï»¿[player]name": 1, "b": 2}, "audio": {"c": 3}}'
    )
    assert [found for found in document.findings.all() if found.code is Code.TEXT_SLIP]


def test_a_key_with_other_letters_is_written_in_quotes() -> None:
    document = Document(b"[s]\na=1\nb=2\n")
    document.apply(set_literal(document, parse_path(document, "[0].s"), '{"ä": 1, "b": 2, "c;d": 3, "e/f": 4}'))
    assert bytes(document.to_be_written()[:]) == '[s]\n"ä"=1\nb=2\n"c;d"=3\ne/f=4\n'.encode()


def test_a_typed_array_of_resources_is_no_damage_and_stays_as_it_is() -> None:
    text = b"[s]\na=Array[Resource]([])\nb=1\n"
    document = Document(text)
    assert not document.findings.all()
    document.apply(set_literal(document, parse_path(document, "[0].s.b"), "2"))
    assert bytes(document.to_be_written()[:]) == text.replace(b"b=1", b"b=2")


def test_an_object_of_godot3_keeps_its_brackets() -> None:
    text = b'[input]\nevents=[ Object(InputEventKey,"scancode":65,"at":Vector2( 1, 2 ),"script":null)\n ]\n'
    document = Document(text)
    (told,) = document.findings.all()
    assert (
        told.message
        == "An embedded InputEventKey: an engine makes it when it reads this text, and then may run its script."
    )
    document.apply(set_literal(document, parse_path(document, "[0].input.events[0].scancode"), "70"))
    assert bytes(document.to_be_written()[:]) == text.replace(b"65", b"70")


def config(text: str) -> bytes:
    return f"[s]\n{text}\n".encode()


def unordered(told: Json) -> Json:
    """Dictionaries without their order, and without null, which a ConfigFile does not keep."""
    if isinstance(told, dict) and "Dictionary" in told:
        return sorted(((key, unordered(value)) for key, value in told["Dictionary"] if value is not None), key=repr)
    return told


@pytest.mark.parametrize("value", ['NodePath("../Hero:position")', '&"walk"', "RID()", "Color(1, 0.5, 0, 1)"])
@pytest.mark.compiled
@pytest.mark.parametrize("in_list", [False, True])
def test_what_stands_in_a_text_a_thousand_times_is_read_once(
    monkeypatch: pytest.MonkeyPatch, value: str, in_list: bool
) -> None:
    read, looks = TextValueReader.read, []
    monkeypatch.setattr(TextValueReader, "read", lambda self, at: (looks.append(at), read(self, at))[1])
    keys = f"a=[{', '.join([value] * 1000)}]" if in_list else "\n".join(f"k{key}={value}" for key in range(1000))
    parser = EngineTextParser(config(keys), load_text_values("godot4"), 1 << 20)
    parser.read()
    assert not parser.damages
    assert len(parser.places) > 1000
    assert len(looks) <= 1


@pytest.mark.engine4
def test_godot4_says_the_same(godot4: Godot) -> None:
    answers = godot4.settings([config(text) for text, _ in GODOT4])
    ours = godot4.texts(f'{{"s": {{{value}}}}}' for _, value in GODOT4)
    for (text, _), answer, other in zip(GODOT4, answers, ours, strict=True):
        assert not answer.refused, text
        assert unordered(answer.value) == unordered(other.value) or text == "a=nil", text
    assert all(answer.refused for answer in godot4.settings(map(config, REFUSED4)))
    beside = scripts("godot4")
    assert [text for text in HARMED if godot4.loaded(text.encode(), "res://x.tres", beside)[0] is not None] == []


@pytest.mark.engine
def test_godot3_says_the_same() -> None:
    answers = engine.read_back([engine.Request(config(text), "config") for text, _ in GODOT3])
    assert all(answer.values for answer in answers)
    assert not any(
        answer.values for answer in engine.read_back([engine.Request(config(t), "config") for t in REFUSED3])
    )
