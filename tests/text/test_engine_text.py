"""The engines' own text as a tree over its bytes: ConfigFile, .tres and .tscn, what var_to_str writes."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.engine_texts import FOLDER, edits, files

from viewer.base.diagnostic import Code, Severity
from viewer.base.span import Span
from viewer.container.layer import Secret
from viewer.container.new_wrap import fresh
from viewer.document.document import Document
from viewer.document.edits.fragment import written
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import Slot
from viewer.document.edits.structure import delete, insert
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.selection import SelectionState
from viewer.document.wraps import UnwrapOptions
from viewer.text import engine_codec
from viewer.text.resource_rules import read_tag
from viewer.variant.items import Item
from viewer.variant.literal.preview import preview
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

ALL = [path for line in ("godot3", "godot4") for path in files(line, ".tres", ".tscn", ".cfg", ".godot", ".import")]
CONFIG = b"""; settings
[player]

name="Bob" ; who
hp = 12
gold=5000000000
place=Vector2(1.5,  -2)
list=[1, 2,
  3]

[audio]
volume=0.5
"""


def saved(document: Document) -> bytes:
    return bytes(document.to_be_written()[:])


def literal(document: Document, path: str) -> str:
    item = parse_path(document, path)
    return format_literal(read(document.frames[0].table, item.node), document.dialect)


def told(text: bytes) -> list[str]:
    return [found.message for found in Document(text).findings.all() if found.code is Code.TEXT_BROKEN]


def config(**values: str) -> bytes:
    return b"[a]\n\n" + "".join(f"{name}={text}\n" for name, text in values.items()).encode()


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_an_engine_wrote_opens_without_a_word_and_is_saved_as_it_is(path: Path) -> None:
    raw = path.read_bytes()
    document = Document.open(path)
    assert document.text is not None
    assert not document.text.damages
    warned = {found.code for found in document.findings.all() if found.severity >= Severity.WARNING}
    assert warned <= {Code.RESOURCE_SCRIPT, *([Code.TEXT_SLIP] if "extreme" in path.name else [])}
    assert saved(document) == raw
    assert document.dialect.key == f"{path.parent.name}-text"
    spans = [span for span, _ in document.text.values_in(0, len(raw))]
    assert all(0 <= span.start <= span.end <= len(raw) for span in spans)
    starts = [span.start for span in spans]
    assert starts == sorted(starts)


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_one_value_changed_leaves_every_other_byte(path: Path) -> None:
    raw = path.read_bytes()
    for edit in edits(path, random.Random(path.name), 3):
        front = next((k for k, (one, two) in enumerate(zip(raw, edit.text, strict=False)) if one != two), None)
        if front is None:
            continue
        back = next(k for k, (one, two) in enumerate(zip(raw[::-1], edit.text[::-1], strict=False)) if one != two)
        assert len(edit.text) - front - back < 64, edit.place  # the spelling of one value
        again = Document(edit.text)
        assert format_literal(read(again.frames[0].table, 0), again.dialect) == edit.value


def test_sections_and_keys_are_dictionaries() -> None:
    document = Document(CONFIG)
    assert document.wraps.names == ("config",)
    assert literal(document, "[0].player.name") == '"Bob"'
    assert literal(document, "[0].player.place") == "Vector2(1.5, -2)"
    assert literal(document, "[0].audio") == '{"volume": 0.5}'
    item = parse_path(document, "[0].player.hp")
    span = document.place(document.frames[0].table.span(item.node))
    assert CONFIG[span.start : span.end] == b"12"


def test_edits_keep_comments_blanks_and_order() -> None:
    document = Document(CONFIG)
    for path, text in (("[0].player.hp", "13"), ("[0].player.list[2]", "4"), ("[0].player.name", '"Eve"')):
        document.apply(set_literal(document, parse_path(document, path), text))
    assert saved(document) == CONFIG.replace(b"12", b"13").replace(b"  3]", b"  4]").replace(b"Bob", b"Eve")


def test_keys_and_sections_are_put_in_and_taken_away() -> None:
    document = Document(CONFIG)
    player = parse_path(document, "[0].player").node
    document.apply(insert(document, Slot(0, player, 1), [written(document, "[1, 2]", '"new"')]))
    assert saved(document) == CONFIG.replace(b"hp = 12", b"new=[1, 2]\nhp = 12")
    document.apply(delete(document, [parse_path(document, "[0].player.hp")]))
    assert saved(document) == CONFIG.replace(b"hp = 12", b"new = [1, 2]")
    document.apply(delete(document, [parse_path(document, "[0].player")]))
    assert saved(document) == b"; settings\n[audio]\nvolume=0.5\n"
    document.apply(insert(document, Slot(0, 0, 1), [written(document, '{"x": &"y"}', '"more"')]))
    assert saved(document) == b'; settings\n[audio]\nvolume=0.5\n\n[more]\n\nx=&"y"\n'


@pytest.mark.parametrize("name", ["gcpf:zstd", "gdec:1", "gdec:2", "gzip", "base64"])
def test_in_a_wrap_it_opens_and_is_put_back(name: str) -> None:
    choice = ReadOptions(opening=UnwrapOptions(secret=Secret.of_password("open")))
    document = Document(fresh(name, choice.opening.secret).wrap(CONFIG), choice=choice)
    assert document.wraps.names[-1] == "config"
    document.apply(set_literal(document, parse_path(document, "[0].player.hp"), "13"))
    again = Document(saved(document), choice=choice)
    assert bytes(again.shown) == CONFIG.replace(b"12", b"13")


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        (config(x="1", y="[1 2]", z="3"), "Line 4, column 6 (byte 14)", "A comma"),
        (config(x="1", y='{"a" 2}', z="3"), "Line 4, column 8 (byte 16)", "“:”"),
        (config(x="1", y="True", z="3"), "Line 4, column 3 (byte 11)", "“True” is written “true”"),
        (config(x="1", y='"open', z="3"), "Line 4, column 3 (byte 11)", "quote is missing"),
        (config(x="1", y="“smart”", z="3"), "Line 4, column 3 (byte 11)", "straight double quotes"),
        (config(x="1", y="Vector2(1, 2", z="3"), "Line 4, column", "“)” is missing"),
        (config(x="1", y="Vektor2(1, 2)", z="3"), "Line 4, column 3 (byte 11)", "Vektor2"),
        (config(x="1", w="2", v="3", y="", z="3"), "Line 7, column 1", "not a value"),
        (config(x="1", y="2", z="[1, 2"), "Line 6, column 1", "“]” is missing"),
    ],
)
def test_a_mistake_is_told_with_its_line_column_and_byte(text: bytes, place: str, why: str) -> None:
    sentences = told(text)
    assert any(place in each and why in each for each in sentences), sentences


RESOURCE = b"""[gd_resource type="Animation" format=3]

[sub_resource type="Gradient" id="1"]
offsets = PackedFloat32Array(0, 1)

[resource]
length = 2.0
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"Gradient"', b'"Gradiend"', "maybe “Gradient” is meant"),
        (b'"Gradient"', b'"Grad]ient"', "maybe “Gradient” is meant"),
        (b'"Animation"', b'"What Is This"', "cannot be a class"),
        (b"[gd_resource type", b"[gd_reso]rce type", "“gd_resource”"),
        (b"[gd_resource type", b"]gd_resource type", "“gd_resource”"),
        (b'[gd_resource type="Animation" format=3]\n', b"", "“gd_resource”"),
        (b"gd_resource type", b"gd_resource.type", "A word is expected"),
        (b'" id="1"', b'".id="1"', "A word is expected"),
        (b"format=3", b"format=9", "newer than any"),
        (b"gd_resource type", b"gd_resource-type", "“type” is missing"),
    ],
)
def test_a_resource_with_a_damaged_section_is_one_and_says_so(old: bytes, new: bytes, why: str) -> None:
    text = RESOURCE.replace(old, new)
    document = Document(text)
    assert document.wraps.names == ("text-resource",)
    assert any(why in each for each in told(text)), told(text)


def test_of_a_class_that_an_extension_may_bring_there_is_no_error() -> None:
    text = RESOURCE.replace(b"Gradient", b"SpineSkeletonData")
    assert told(text) == []
    assert any("SpineSkeletonData" in found.message for found in Document(text).findings.all())


def test_one_damaged_sign_leaves_a_text_what_it_is() -> None:
    for text, name in ((CONFIG.replace(b"; set", b"; \x06et"), "config"), (b'{"a": "\x1d", "b": [1, 2]}', "json")):
        document = Document(text)
        assert document.wraps.names == (name,)
        assert told(text) == []
        assert saved(document) == text


def test_behind_a_mistake_the_rest_is_read_and_can_be_edited() -> None:
    text = config(x="1", y="oops oops", z="3")
    document = Document(text)
    assert literal(document, "[0].a") == '{"x": 1, "z": 3}'
    document.apply(set_literal(document, parse_path(document, "[0].a.z"), "4"))
    assert saved(document) == text.replace(b"z=3", b"z=4")


def test_the_line_in_which_a_value_shows_not_to_end_is_read_as_a_key() -> None:
    document = Document(b"[a]\none=1\ntwo=[1, 2\n\nthree=3\nfour=4\n")
    assert "three: 3" in format_literal(read(document.frames[0].table, 0), document.dialect).replace('"', "")
    assert [found.message for found in document.findings.all() if found.code is Code.TEXT_BROKEN] == [
        "Line 5, column 1 (byte 21): A comma or “]” is missing before this."
    ]


def test_scripts_in_a_resource_are_named() -> None:
    found = Document.open(FOLDER / "godot4" / "sub_built_in_script.tres").findings.all()
    assert [each for each in found if each.code is Code.RESOURCE_SCRIPT]
    outside = b'[gd_resource type="Resource" format=3]\n\n[ext_resource type="Script" path="user://x.gd"]\n[resource]\n'
    assert [each for each in Document(outside).findings.all() if each.code is Code.RESOURCE_SCRIPT]


def test_sub_resources_and_external_ones_keep_their_names() -> None:
    document = Document.open(FOLDER / "godot4" / "sub_of_engine.tres")
    assert literal(document, "[0].resource.script") in ('ExtResource("1")', "ExtResource(1)")
    assert literal(document, "[0].resource.value").startswith('SubResource("GradientTexture1D')


def test_what_var_to_str_writes_is_a_value() -> None:
    text = b'{\n"a": Vector2(1, 2),\n"b": [1, &"x"]\n}'
    document = Document(text)
    assert document.wraps.names == ("engine-value",)
    document.apply(set_literal(document, parse_path(document, "[0].a"), "Vector2(1, 3)"))
    assert saved(document) == text.replace(b"(1, 2)", b"(1, 3)")


@pytest.mark.parametrize(
    "text",
    [
        b"hello = world\nmore words here\n",
        b"# comment\nkey: value\n",
        b"a=1",
        b"a=b\n",
        b"YWJjZGVm\nYQ==\n",
        b"YWJjZA==\n",
    ],
)
def test_what_is_no_text_of_an_engine_is_none(text: bytes) -> None:
    assert Document(text).text is None


NAMES = st.text("abcdefgh_/", min_size=1, max_size=6)
LITERALS = st.recursive(
    st.integers(-(1 << 40), 1 << 40).map(str)
    | st.sampled_from(
        ["true", "null", "0.5", "-1e-05", '"t\\"x"', '"a;b=c"', "Vector2(1, 2)", "Color( 1,0 ,0,1 )", '&"n"']
    )
    | st.just("PackedInt32Array(1, 2, 3)"),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda each: f"[ {', '.join(each)}]")
        | st.dictionaries(NAMES, inner, max_size=3).map(
            lambda each: "{" + ",\n ".join(f'"{key}" : {value}' for key, value in each.items()) + "}"
        )
    ),
    max_leaves=8,
)
SPACE = st.sampled_from(["", "\n", "\r\n\r\n", "\n; a comment = [x]\n", "  \n\t"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NAMES, LITERALS, SPACE), min_size=2, max_size=6, unique_by=lambda each: each[0]), SPACE)
def test_any_sections_are_read_and_saved_as_they_are(keys: list[tuple[str, str, str]], lead: str) -> None:
    text = f"{lead}[one]\n" + "".join(f"{space}\n{key} ={value}\n" for key, value, space in keys)
    raw = text.encode()
    document = Document(raw)
    assert document.wraps.names == ("config",), raw
    assert not told(raw)
    assert saved(document) == raw
    document.apply(set_literal(document, parse_path(document, f'[0].one["{keys[0][0]}"]'), "7")) if keys[0][
        1
    ].isdigit() else None
    assert Document(saved(document)).text is not None


def test_whatever_happens_to_it_there_is_a_place_and_no_exception() -> None:
    draw = random.Random(6)
    samples = [CONFIG, (FOLDER / "godot4" / "sub_of_engine.tres").read_bytes()]
    for sample in samples:
        cases = [sample[:cut] for cut in range(0, len(sample), 3)]
        for _ in range(300):
            raw = bytearray(sample)
            for _ in range(draw.randint(1, 3)):
                raw[draw.randrange(len(raw))] = draw.choice(b'{}[]()",:;=\\ \n\t019azT#&\xc3\xff')
            cases.append(bytes(raw))
        for case in cases:
            document = Document(case)
            if document.text is None:
                continue
            assert saved(document) == case
            for sentence in told(case):
                assert re.match(r"Line \d+, column \d+ \(byte \d+\): .+[.]$", sentence, re.DOTALL), sentence


def test_settings_below_a_comment_are_settings_though_some_are_broken() -> None:
    text = b"; of the game\n[audio]\nvolume=0.8\nmute=False\n\n[video]\nsize=Vector2i(1280, 720\nfull = true\n"
    text += b'[input]\nkeys={"jump": "space"}\n'
    document = Document(text)
    assert document.text is not None
    assert len(told(text)) == 2
    assert saved(document) == text


HEADS = (b"[Items]\n\n[Player]\n", b"[Items]\r\n", b"; of the game\n\n[Items and more/of.them] \n;[b]\n[c-d]\n;")
"""Settings without a key; both engines load them."""


@pytest.mark.parametrize("text", HEADS)
def test_settings_of_sections_alone_are_settings(text: bytes) -> None:
    document = Document(text)
    assert document.wraps.names == ("config",)
    assert not told(text)
    assert saved(document) == text


LINES_ALONE = (b"volume=0.5\n", b'last_slot="a b"\n', b'audio/keys={ "a": [1, 2] }\n')
"""One key in no section, as engines write what was set so; both load it."""


@pytest.mark.parametrize("text", LINES_ALONE)
def test_one_key_alone_makes_settings(text: bytes) -> None:
    document = Document(text)
    assert document.wraps.names == ("config",)
    assert not told(text)
    assert saved(document) == text


@pytest.mark.parametrize(
    "text",
    [
        b"[Items]",  # what a person copies of a text
        b"[link](http://host)\n[other]: http://host\n",
        b"- [ ] to do\n- [x] done\n",
        b"[a]\nwords\n",
        b"[a] [b]\n",
        b"# of another program\n[a]\n",
        b"[[a]]\n",
        b"[12:30]\n",
    ],
)
def test_brackets_that_are_no_sections_make_no_settings(text: bytes) -> None:
    assert Document(text).text is None


@pytest.mark.parametrize("text", [b"[1, 2]\n", b"[]\n", b"[true]\n", b'["a"]\n', b"[\n]\n"])
def test_an_array_is_no_section(text: bytes) -> None:
    assert Document(text).wraps.names == ("json",)


def test_what_names_a_resource_says_so_in_the_tree() -> None:
    document = Document(b'[gd_resource format=3]\n\n[resource]\nscript = ExtResource("1")\nlist = [SubResource("a")]\n')
    table = document.frames[0].table
    resource = parse_path(document, "[0].resource").node
    assert preview(table, resource).text.startswith('script: ExtResource("1")')
    assert str(preview(table, parse_path(document, "[0].resource.list[0]").node)) == 'SubResource("a")'


def test_of_a_text_whole_values_are_selected_and_no_parts() -> None:
    document = Document(CONFIG)
    for offset in range(0, len(document.buffer), 4):
        item = SelectionState().at(document, offset).item
        assert item is not None
        assert not item.part


@pytest.mark.parametrize(
    "value",
    ["[" + "1, " * 30_000 + "2]", '"' + "x" * 70_000 + '"', "PackedInt32Array(" + "1, " * 30_000 + "2)", "9" * 70_000],
    ids=["array", "text", "call", "number"],
)
def test_settings_with_one_very_long_value_are_settings(value: str) -> None:
    document = Document(f"[data]\nbig={value}\n".encode())
    assert document.wraps.names == ("config",)
    assert document.text is not None
    assert not document.text.damages
    assert Document(f"[data]\n{value}".encode()).wraps.names != ("config",)


@pytest.mark.parametrize(
    "words", ['type="X" id="a_1"', 'type="X" id=12', 'type="X" id=""', 'type="X" id="0"', 'type="X"']
)
def test_a_usual_section_says_what_an_unusual_one_says(words: str) -> None:
    usual, odd = (f"sub_resource {words}{blank}".encode() for blank in ("", " "))
    tags = [read_tag(text, Span(0, len(text)), 1) for text in (usual, odd)]
    assert (tags[0].name, tags[0].words, tags[0].keys) == (tags[1].name, tags[1].words, tags[1].keys)


def test_blanks_inside_the_brackets_of_a_section_stay() -> None:
    text = b"[ video ]\nx=1\n\n[b]\ny=2\n"
    document = Document(text)
    document.apply(set_literal(document, Item(0, 1), '"display"'))
    assert saved(document) == text.replace(b"video", b"display")
    document.apply(delete(document, [parse_path(document, "[0].display")]))
    assert saved(document) == b"[b]\ny=2\n"


def test_a_new_section_leaves_no_blank_lines_behind() -> None:
    text = b"[a]\n\nx=1\n\n"
    document = Document(text)
    document.apply(insert(document, Slot(0, 0, 1), [written(document, "{}", '"new"')]))
    assert saved(document) == b"[a]\n\nx=1\n\n[new]\n\n"
    node = parse_path(document, "[0].new").node
    document.apply(insert(document, Slot(0, node, 0), [written(document, "2", '"y"')]))
    assert saved(document) == b"[a]\n\nx=1\n\n[new]\n\ny=2\n\n"


@pytest.mark.parametrize("size", [1 << 20, 5, 1])
def test_sections_that_stand_there_before_are_told_wherever_they_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(engine_codec, "HEADS_AT_ONCE", size)
    text = b"[a]\r\nk=1\n\n[b] \n[a]\t\nk=[\n[2],\n3 ]\n[b] \nk=4\n[c]"
    found = Document(text, choice=ReadOptions()).text
    assert found is not None
    assert [note.span.start for note in found.notes] == [text.rindex(b"a]"), text.rindex(b"b]")]
