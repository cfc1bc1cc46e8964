"""Keys that stand in a text and that the engines do not keep are told, and those alone."""

from __future__ import annotations

import engine
import pytest
from engine4 import Godot

from viewer.base.diagnostic import Code
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_replaced
from viewer.text.dropped_keys import BEGUN_AGAIN, DROPPED, NULL, REFUSED

LINES = b'name="x"\nlast=5\n'
SETTINGS: list[tuple[bytes, list[str]]] = [
    (b'[a]\n""=5\nb=1\n', [DROPPED]),
    (b'[a]\n"" =5\nb=1\n', [DROPPED]),
    (b"[a]\n=5\nb=1\n", [DROPPED]),
    (b'""=5\n[b]\nc=1\n', [DROPPED]),
    (b'[a]\nb="\\"\\"=5"\n;""=5\n', []),
    (b'[a]\nb={"":5}\n', []),
    (b"[a]\nb=null\nc=1\n", [NULL]),
    (b"[a]\nc=1\nc= null\nd=[null]\n", [NULL]),
    (b"[a]\nb=nil\nc=1\n", [NULL]),
    (b'[a]\nb="=null"\nc={"a":null}\n;d=null\n', []),
]
RESOURCE = b'[gd_resource type="Resource" format=3]\n\n[sub_resource type="Resource" id="1"]\n%b\n[resource]\n%b'


def told(text: bytes) -> list[str]:
    codes = (Code.TEXT_SLIP, Code.TEXT_BROKEN, Code.TEXT_NOTE)
    return [found.message.split(": ", 1)[1] for found in Document(text).findings.all() if found.code in codes]


@pytest.mark.parametrize(("text", "sentences"), SETTINGS)
def test_what_is_dropped_of_settings_is_told(text: bytes, sentences: list[str]) -> None:
    assert told(text + LINES) == sentences


@pytest.mark.engine
@pytest.mark.engine4
def test_the_engines_drop_these(godot4: Godot) -> None:
    texts = [text + LINES for text, _ in SETTINGS]
    old = engine.read_back([engine.Request(text, "config") for text in texts])
    for (_, sentences), four, three, text in zip(SETTINGS, godot4.settings(texts), old, texts, strict=True):
        document = Document(text)
        assert not document.text or not document.text.damages
        for answer in (four.value, three.value):
            kept = sum(len(keys["Dictionary"]) for _, keys in answer["Dictionary"])
            written = sum(line.split(b";")[0].count(b"=") > 0 for line in text.splitlines())
            assert (kept < written) == bool(sentences), text


@pytest.mark.parametrize(
    ("sub", "main", "sentences"),
    [
        (b'""=5\n', b"a = 1\n", [BEGUN_AGAIN]),
        (b"=5\n", b"a = 1\n", [BEGUN_AGAIN]),
        (b"a = 1\n", b'""=5\n', [REFUSED]),
        (b"a = 1\n", b"=5\n", [REFUSED]),
        (b"a = null\n", b"b = null\n", []),
    ],
)
def test_what_has_no_key_in_a_resource_is_told(sub: bytes, main: bytes, sentences: list[str]) -> None:
    assert told(RESOURCE % (sub, main)) == sentences


@pytest.mark.engine4
@pytest.mark.parametrize("line", [b'""=5\n', b"=5\n"])
def test_godot4_begins_such_a_section_again(godot4: Godot, line: bytes) -> None:
    main = b'metadata/a = SubResource("1")\n'
    found, _ = godot4.loaded(RESOURCE % (b'resource_name = "x"\n' + line, main), "res://a.tres", {})
    assert found is not None
    assert ["resource_name", {"String": ""}] in found[1].properties
    assert godot4.loaded(RESOURCE % (b"", line), "res://b.tres", {})[0] is None


def test_a_null_that_is_typed_is_told() -> None:
    document = Document(b"[a]\nb=1\nc=2\n")
    document.apply(text_replaced(document, [(Span(6, 7), b"null")], ""))
    assert bytes(document.to_be_written()[:]) == b"[a]\nb=null\nc=2\n"
    assert [NULL in found.message for found in document.findings.all()] == [True]
