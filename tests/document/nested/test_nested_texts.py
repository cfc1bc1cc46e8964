"""Texts inside values: JSON and ConfigFiles in byte arrays and texts are told, opened, and put back."""

from __future__ import annotations

import pytest

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.nested.inside_evidence import inside_of
from viewer.document.nested.nested_document import open_nested
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.read import read
from viewer.variant.value import Dictionary, Value

GODOT4 = load("godot4")
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
