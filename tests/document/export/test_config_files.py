"""Values as a ConfigFile: names of sections and keys that engines would read as others are spelled so, or refused."""

from __future__ import annotations

import engine
import pytest
from engine4 import Godot

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.export.converting import CONFIG, CannotConvertError, ConvertedFile, converted
from viewer.document.outline import key_of
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

NAMES = ("ü[1]", "x]y", "[", "]", "[[a]]", "a\\]b", "tab\tx", ";c", '"q"', "a.b/c")
"""Names of sections that Godot 4 writes and reads."""
REFUSED4 = (" lead", "trail ", "a\\", "a\nb")
REFUSED3 = ("ü", "x]y", " lead", "trail ", "a\nb")
"""What an engine itself writes in such a way that it reads something else."""


def as_config(literal: str, line: str = "godot4") -> ConvertedFile:
    dialect = load(line)
    raw = encode(parse_literal(literal, dialect), dialect)
    return converted(Document(raw, choice=ReadOptions(dialect)), CONFIG)


def quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def sections(*names: str) -> str:
    return "{" + ", ".join(f'{quoted(name)}: {{"k": {number}}}' for number, name in enumerate(names)) + "}"


def shown(text: bytes) -> str:
    document = Document(text)
    assert document.findings.all() == []
    return format_literal(read(document.frames[0].table, 0), document.dialect)


def test_brackets_in_the_name_of_a_section_are_escaped() -> None:
    found = as_config(sections("ü[1]", "z"))
    assert found.data == "[ü[1\\]]\n\nk=0\n\n[z]\n\nk=1\n".encode()
    document = Document(found.data)
    key = key_of(document.frames[0].table, parse_path(document, "[0].z").node)
    assert key is not None
    document.apply(set_literal(document, Item(0, key), '"y]"'))
    assert bytes(document.to_be_written()[:]) == "[ü[1\\]]\n\nk=0\n\n[y\\]]\n\nk=1\n".encode()


@pytest.mark.parametrize(("line", "name"), [("godot4", name) for name in REFUSED4] + [("godot3", n) for n in REFUSED3])
def test_a_name_that_would_be_read_as_another_is_refused(line: str, name: str) -> None:
    with pytest.raises(CannotConvertError, match="section name must not"):
        as_config(sections("a", name), line)


def test_an_empty_key_is_refused_and_a_null_is_told() -> None:
    with pytest.raises(CannotConvertError, match="empty"):
        as_config('{"s": {"": 1}}')
    assert as_config('{"s": {"a": 1}}').lost == ()
    assert "null" in as_config('{"s": {"a": 1, "b": null}}').lost[0]


def test_keys_without_a_section_stand_in_front() -> None:
    assert shown(as_config('{"s": {"a": 1}, "": {"b": 2}}').data) == '{"": {"b": 2}, "s": {"a": 1}}'


@pytest.mark.engine4
def test_godot4_reads_the_names(godot4: Godot) -> None:
    found = godot4.settings([as_config(sections(*NAMES)).data])[0]
    assert not found.refused
    assert found.value == godot4.texts([sections(*NAMES)])[0].value


@pytest.mark.engine4
def test_godot4_reads_other_names_as_others(godot4: Godot) -> None:
    """As it writes them, which was asked: a name as it is, but for its brackets."""
    texts = [f"[{name}]\nk=1\n[z]\nk=2\n".encode() for name in REFUSED4 if "\n" not in name]
    for answer, name in zip(godot4.settings([*texts, b'[z]\nk=2\n""=1\nn=null\n']), [*REFUSED4[:3], ""], strict=True):
        assert answer.value != godot4.texts([f'{{{quoted(name)}: {{"k": 1}}, "z": {{"k": 2}}}}'])[0].value
    assert answer.value == godot4.texts(['{"z": {"k": 2}}'])[0].value


@pytest.mark.engine
def test_godot3_reads_the_names() -> None:
    names = ("[", "tab\tx", ";c", "a.b/c", "a\\")
    (answer,) = engine.read_back([engine.Request(as_config(sections(*names), "godot3").data, "config")])
    assert answer.value == {
        "Dictionary": [
            [{"str": name}, {"Dictionary": [[{"str": "k"}, {"int": str(number)}]]}] for number, name in enumerate(names)
        ]
    }
