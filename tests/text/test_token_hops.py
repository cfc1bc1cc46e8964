"""Hopping over ordinary tokens, compiled and as the file stands, gives what the patterns of the parsers give."""

from __future__ import annotations

import gc
import json
import random
import sys
import weakref
from functools import partial
from types import ModuleType
from unittest.mock import patch

import pytest
import twins
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from text.engine_texts import files

from viewer.container.layer import TooLarge
from viewer.text import engine_parser, json_parser, token_hops, token_writer
from viewer.text.engine_codec import LINES
from viewer.text.engine_parser import EngineTextParser
from viewer.text.json_parser import JsonParser
from viewer.variant.dialect import load_text_values

PLAIN_WRITER = twins.plain("viewer.text.token_writer")
with patch.dict(sys.modules, {"viewer.text.token_writer": PLAIN_WRITER}):
    PLAIN = twins.plain("viewer.text.token_hops")
HOPPING = [(module, stretch) for module in (token_hops, PLAIN) for stretch in (1, 7, 1 << 15)]
PATIENT = settings(deadline=None, max_examples=200, suppress_health_check=list(HealthCheck))
LIMIT = 1 << 20
GODOT4 = load_text_values("godot4")
ALL = [path for line in ("godot3", "godot4") for path in files(line, ".tres", ".tscn", ".cfg", ".godot", ".import")]
JSON = [
    b'{"a": [1, -2.5, 1e3, 12345678901234567, 0.1234567890123456789], "b": '
    b'{"c": null, "d": [true, false, []], "e": {}}}',
    b'[[[[["deep"]]]], "\\u00e9\\ud83d\\ude00\\n\\"", "\xc3\xa9\x01", 1., 007, -0, 1e400, [1,], {"k":1,}]',
    b'{"text": "over\ntwo lines", "b"\n:\t1 , "c" : [ ]\r\n}\n[1]\n"x"\n3',
    b'{"bad": "\\ud800", "n": .5, "t": True, /* c */ "x": [1 2], "y": 1-2, "z": nullx, }',
    b"[" * 1100 + b"]" * 1100,
    b'[{"long": "' + b"abc" * 3000 + b'"}, ' + b'{"a":1},' * 50 + b"9007199254740993]",
]
ENGINE = [
    b'[a]\n\nx=1\n"quoted key" = 2 ; why\nm=Vector2(1, -2.5)\nl=[1, {"a": &"b", 2: [ ]}, ]\nr=Rect2i(1,2,3,4)\n'
    b'[b c]\nz="x\\ty"\n',
    b'[gd_resource type="X" format=3]\n\n[sub_resource type="Y" id="Y_1"]\np = PackedFloat32Array(1, 2.5, -3e2)\n'
    b"b = PackedByteArray(1, 2, 255)\ni = PackedInt64Array(9223372036854775807, -1)\n"
    b"v = PackedVector2Array(1, 2, 3, 4)\n"
    b's = PackedStringArray("a", "", "b\\nc", "\xc3\xa9")\ne = PackedInt32Array()\nr = SubResource("Y_1")\n'
    b't = Array[int]([1, 2])\nd = Dictionary[String, Y]({\n"a": SubResource("Y_1")\n})\n\n'
    b'[node name="N" parent="." instance=ExtResource("1_a") groups=["g", "h"]]\nn = NodePath("../A:b")\n[resource]\n',
    b"[a]\nbig=99999999999999999999\nid=9223372036854775807\nlow=-9223372036854775808\nplus=+5\nf=1e5\ninf=inf\nu=.5\nk",
    b'[a]\nx=[1, 2\ny=3\nz={"a" 1}\nw=Vector2(1)\nc=Color(1, 2, 3)\n'
    b'o=Object(Node,"a":1)\nq="open\n[b\nk=1\n[c]\nd=1 e=2\n',
    b"bare=1\nt=Transform2D(1, 0, 0, 1, 5, 6)\nmany words=3\nnull=null\n[s]\n;\n; c\n\n"
    b'[ spaced ]\nx={\n"k": ; c\n[ ; d\n1 ] }\n',
    b'x="'
    + b"long " * 3000
    + b'"\n[s]\ny=PackedStringArray("'
    + b"t" * 9000
    + b'")\nz=['
    + b"[" * 90
    + b"]" * 90
    + b"]\n",
    b'[gd_resource 1ype="X" format=3]\n[resource]\na=1\n',
    b"[a]\np=PackedInt32Array(1, 99999999999)\nq=PackedByteArray(256)\nr=PackedVector3Array(1, 2)\n"
    b"s=PackedFloat32Array(1e39)\n",
]


def told(parser: JsonParser | EngineTextParser) -> object:
    """All that a parser says of its text."""
    places = parser.places
    columns = [list(column) for column in (places.inside, places.start, places.end, places.parent)]
    more = (parser.roots, parser.odd) if isinstance(parser, JsonParser) else (parser.keys, parser.slips)
    return bytes(parser.out), columns, parser.damages, more


def read(text: bytes, line: str, hopping: tuple[ModuleType, int] | None, limit: int = LIMIT) -> object:
    """What is said of a text: JSON where no engine *line* is named; how it is read, None for patterns alone."""
    module, stretch = hopping or (token_hops, 1)
    names = {"COMPILED": hopping is not None, "TokenHops": partial(module.TokenHops, stretch=stretch)}
    with patch.multiple(json_parser, **names), patch.multiple(engine_parser, **names):
        parser: JsonParser | EngineTextParser
        if not line:
            parser = JsonParser(text, limit)
        else:
            parser = EngineTextParser(text, load_text_values(line), limit, text.startswith(b"[gd_"))
        try:
            if isinstance(parser, EngineTextParser) and line and b"=" not in text and text[:1] in b"[{V":
                parser.read_value()
            else:
                parser.read()
        except TooLarge:
            return "too large"
        return told(parser)


def spoilt(text: bytes, dice: random.Random) -> bytes:
    """The same with some bytes changed, doubled or gone."""
    out = bytearray(text)
    for _ in range(dice.randrange(1, 4)):
        at = dice.randrange(len(out) + 1)
        match dice.randrange(4):
            case 0:
                out[at : at + 1] = bytes([dice.choice(b'"\\[]{}(),:=;. \n\0-+1eEnutf/&\xc3')])
            case 1:
                del out[at : at + dice.randrange(1, 9)]
            case 2:
                out[at:at] = out[at : at + dice.randrange(1, 30)]
            case _:
                del out[at:]
    return bytes(out)


def same_in_all(text: bytes, line: str, ways: list[tuple[ModuleType, int]]) -> None:
    expected = read(text, line, None)
    for way in ways:
        assert read(text, line, way) == expected, (text, line, way[0].__name__, way[1])


@pytest.mark.compiled
def test_the_two_modules_are_two() -> None:
    assert token_hops.COMPILED
    assert not PLAIN.COMPILED
    assert not issubclass(PLAIN.TokenHops, token_writer.TokenWriter)


@pytest.mark.parametrize("text", JSON, ids=range(len(JSON)))
def test_json_is_read_the_same(text: bytes) -> None:
    same_in_all(text, "", HOPPING)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("text", ENGINE, ids=range(len(ENGINE)))
def test_engine_text_is_read_the_same(text: bytes, line: str) -> None:
    same_in_all(text, line, HOPPING)


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_an_engine_wrote_is_read_the_same(path: object) -> None:
    same_in_all(path.read_bytes(), path.parent.name, [(token_hops, 7), (token_hops, 1 << 15), (PLAIN, 64)])  # type: ignore[attr-defined]


def test_spoilt_texts_are_read_the_same() -> None:
    dice = random.Random(7)
    for _ in range(1_500):
        line = dice.choice(("", "", *LINES))
        text = spoilt(dice.choice(ENGINE if line else JSON)[:3000], dice)
        same_in_all(text, line, [(token_hops, dice.choice((1, 9, 100)))])


@PATIENT
@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
        max_leaves=30,
    ),
    st.sampled_from([None, 1, "\t"]),
    st.booleans(),
)
def test_any_json_is_read_the_same(value: object, indent: int | str | None, escapes: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escapes).encode(errors="surrogatepass")
    same_in_all(text, "", [(token_hops, 5), (PLAIN, 5)])


def test_one_value_is_read_the_same() -> None:
    for text in (b"[1, 2, {}]", b'{"a": Vector2(1, 2)}', b"Vector2(1, 2) x", b"[1, [2}", b"[", b'{"a" : Foo()}'):
        same_in_all(text, "godot4", HOPPING)


@pytest.mark.parametrize("limit", [0, 40, 200])
def test_too_much_is_too_much(limit: int) -> None:
    for text, line in ((b"[[[[[[[[1]]]]]]]]" * 3, ""), (ENGINE[0] * 3, "godot4"), (b"[" * 100, "")):
        expected = read(text, line, None, limit)
        assert [read(text, line, way, limit) for way in HOPPING] == [expected] * len(HOPPING)


@pytest.mark.compiled
@pytest.mark.parametrize("mistake", [b"x", b", ,", b"[", b"}", b'"', b"Color(1, 2", b"PackedByteArray(1, x)", b""])
def test_a_mistake_deep_in_a_long_value_costs_no_second_reading_of_it(mistake: bytes) -> None:
    text = b'[a]\na = {"b": [' + b'{"c": [1, Vector2(1, 2)]}, ' * 2000 + mistake
    text += b"]}\n\n[b]\nd = 1\n" if mistake else b""
    leaves: list[int] = []

    class Counting(EngineTextParser):
        def _leaf(self, found: object, kind: int, start: int) -> int:
            leaves.append(start)
            return super()._leaf(found, kind, start)  # type: ignore[arg-type]

    parser = Counting(text, GODOT4, LIMIT)
    parser.read()
    assert len(leaves) < 10
    assert (parser.keys, parser.broken) == ((1, 1) if mistake else (0, 1))
    same_in_all(text, "godot4", HOPPING)


def test_a_text_that_was_read_is_held_by_nobody() -> None:
    gc.disable()
    try:
        for make in (lambda: JsonParser(JSON[0], LIMIT), lambda: EngineTextParser(ENGINE[0], GODOT4, LIMIT)):
            parser: JsonParser | EngineTextParser = make()
            parser.read()
            left = weakref.ref(parser)
            del parser
            assert left() is None
    finally:
        gc.enable()
