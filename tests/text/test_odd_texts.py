"""Odd texts that people write: each is read as the real engines read it, or told where they refuse it."""

from __future__ import annotations

from pathlib import Path

import engine
import pytest
from engine4 import Godot
from text.odd_texts import BOTH, GODOT3, GODOT4, NEW, NEW_SHOWN, OLD, OLD_SHOWN, RESOURCES, VALUES4
from text.test_engines_read_texts import unordered

from viewer.base.diagnostic import Code
from viewer.document.document import Document
from viewer.document.edits.fragment import written
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import Slot
from viewer.document.edits.structure import insert
from viewer.document.path import parse_path
from viewer.text.engine_codec import VALUES
from viewer.variant.dialect import load_text_values
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.scan import scan

CASES3 = [(OLD + text, value and f"{{{OLD_SHOWN}, {value}}}") for text, value in (*BOTH, *GODOT3)]
CASES4 = [(NEW + text, value and f"{{{NEW_SHOWN}, {value}}}") for text, value in (*BOTH, *GODOT4)]
DEEPEST = 1024


def shown(document: Document) -> str:
    return format_literal(read(document.frames[0].table, 0), document.dialect)


def errors(document: Document) -> list[str]:
    return [found.message for found in document.findings.all() if found.code is Code.TEXT_BROKEN]


def plain(literal: str, line: str) -> str:
    dialect = load_text_values(line)
    return format_literal(parse_literal(literal, dialect), dialect)


@pytest.mark.parametrize(
    ("text", "value", "line"),
    [*((*case, "godot3") for case in CASES3), *((*case, "godot4") for case in CASES4)],
)
def test_settings_are_read_as_the_engine_reads_them(text: bytes, value: str | None, line: str) -> None:
    document = Document(text)
    assert document.dialect.key == f"{line}-text"
    assert bool(errors(document)) == (value is None), errors(document)
    if value is not None:
        assert shown(document) == plain(value, line)
    assert bytes(document.to_be_written()[:]) == text


@pytest.mark.engine
def test_godot3_reads_them_so() -> None:
    answers = engine.read_back([engine.Request(text, "config") for text, _ in CASES3])
    values = [value for _, value in CASES3 if value is not None]
    ours = iter(engine.read_back([engine.Request(raw, "bytes2var") for raw in engine.encode(values)]))
    for (text, value), answer in zip(CASES3, answers, strict=True):
        assert bool(answer.values) == (value is not None), (text, answer.error)
        if value is not None:
            assert unordered(answer.value) == unordered(next(ours).value), text


@pytest.mark.engine4
def test_godot4_reads_them_so(godot4: Godot) -> None:
    answers = godot4.settings(text for text, _ in CASES4)
    for (text, value), answer in zip(CASES4, answers, strict=True):
        assert answer.refused == (value is None), (text, answer.messages)
        if value is not None:
            assert unordered(answer.value) == unordered(godot4.texts([value])[0].value), text
    for text, value in VALUES4:
        assert godot4.texts([text])[0].value == godot4.texts([value])[0].value


@pytest.mark.parametrize(("text", "value"), VALUES4)
def test_a_value_by_itself_is_read_as_godot4_reads_it(text: str, value: str) -> None:
    form = VALUES.unwrap(text.encode()).form
    dialect = load_text_values(form.dialect)
    assert format_literal(read(scan(form.inside, dialect), 0), dialect) == plain(value, "godot4")


def test_a_key_behind_a_section_without_a_name_can_be_changed_and_get_a_neighbour() -> None:
    document = Document(b"[a]\nx=1\n[]\ny=2\n\n[b]\nz=3\n")
    document.apply(set_literal(document, parse_path(document, "[0].a.y"), "5"))
    document.apply(insert(document, Slot(0, parse_path(document, "[0].a").node, 2), [written(document, "7", '"w"')]))
    assert bytes(document.to_be_written()[:]) == b"[a]\nx=1\n[]\ny=5\nw=7\n\n[b]\nz=3\n"
    assert [each.message for each in document.findings.all() if each.code is Code.TEXT_SLIP] == [
        "Line 3, column 1 (byte 8): This section has no name: engines continue the one before it."
    ]


def test_an_object_without_properties_keeps_its_comma() -> None:
    document = Document(b"[a]\nx=[Object(Resource,)]\n")
    document.apply(set_literal(document, parse_path(document, "[0].a.x[0]"), "Object(Node)"))
    assert bytes(document.to_be_written()[:]) == b"[a]\nx=[Object(Node,)]\n"
    assert not errors(document)


def test_a_class_that_only_the_other_engine_has_is_a_warning_where_nothing_tells_the_engine() -> None:
    document = Document(b'[a]\nx=Object(Reference,"a":1)\n')
    assert not errors(document)
    (found,) = [each.message for each in document.findings.all() if each.code is Code.TEXT_SLIP]
    assert "no class “Reference”" in found


ZERO = (
    b'[gd_resource type="Resource" format=3]\n%b\n[sub_resource type="Resource" id="1"]\na = 1\n%b\n[resource]\n'
    b"b = 2\n%b"
)


@pytest.mark.parametrize(("parts", "is_refused"), [((b"\0", b"", b""), True), ((b"", b"\0\0", b""), False)])
def test_a_zero_between_sections_of_a_resource(parts: tuple[bytes, ...], is_refused: bool) -> None:
    document = Document(ZERO % parts)
    assert [each.split("): ")[1][:29] for each in errors(document)[:1]] == [
        "There is a zero byte here: Go"
    ] * is_refused
    assert '"resource": {"b": 2}' in shown(document)


@pytest.mark.engine4
def test_godot4_takes_a_zero_only_where_a_key_may_stand(godot4: Godot) -> None:
    assert godot4.loaded(ZERO % (b"\0", b"", b""), "res://a.tres", {})[0] is None
    assert godot4.loaded(ZERO % (b"", b"\0\0", b"\0x=1"), "res://b.tres", {})[0] is not None


@pytest.mark.parametrize(("text", "is_read"), RESOURCES)
def test_a_resource_is_accused_where_the_engines_refuse_it(text: bytes, is_read: bool) -> None:
    for version in (2, 3):
        assert bool(errors(Document(text % version))) != is_read, (version, errors(Document(text % version)))


@pytest.mark.engine
def test_godot3_refuses_these_resources() -> None:
    loaded = engine.loaded([text % 2 for text, _ in RESOURCES], Path("no scripts"))
    assert [told is not None for told in loaded] == [is_read for _, is_read in RESOURCES]


@pytest.mark.engine4
def test_godot4_refuses_these_resources(godot4: Godot) -> None:
    for number, (text, is_read) in enumerate(RESOURCES):
        ending = "tscn" if b"gd_scene" in text else "tres"
        loaded, messages = godot4.loaded(text % 3, f"res://odd{number}.{ending}", {})
        assert (loaded is not None) == is_read, (text, messages)


def test_a_text_in_the_place_of_a_number_is_told_in_a_resource_of_godot3() -> None:
    document = Document(b'[gd_resource type="Resource" format=2]\n[resource]\na = SubResource("1")\n')
    assert any("Godot 3 needs a number here" in found.message for found in document.findings.all())


def nested(levels: int, inside: bytes = b"") -> list[bytes]:
    pairs = b'{"a":' * (levels - 1) + b"{" + (b'"a":' + inside if inside else b"") + b"}" * levels
    return [b"[" * levels + inside + b"]" * levels, pairs]


DEEP = [*nested(DEEPEST), *nested(DEEPEST, b"1"), *nested(DEEPEST + 1)]
TOO_DEEP = [*nested(DEEPEST + 1, b"1"), *nested(DEEPEST + 2)]


@pytest.mark.parametrize("number", range(len(DEEP)))
def test_json_is_as_deep_as_godot4_reads_it(number: int) -> None:
    assert not errors(Document(DEEP[number]))


@pytest.mark.parametrize("number", range(len(TOO_DEEP)))
def test_deeper_json_is_refused(number: int) -> None:
    (error,) = errors(Document(TOO_DEEP[number]))
    assert f"more than {DEEPEST} levels deep" in error


@pytest.mark.parametrize("levels", [DEEPEST, DEEPEST + 1, 4 * DEEPEST])
def test_settings_are_as_deep_as_one_likes(levels: int) -> None:
    for text in (*nested(levels), *nested(levels, b"1")):
        assert not errors(Document(b"[a]\nx=" + text + b"\n"))


@pytest.mark.engine4
def test_godot4_reads_json_so_deep_and_settings_deeper(godot4: Godot) -> None:
    assert not any(answer.refused for answer in godot4.parsed(DEEP))
    assert all(answer.refused for answer in godot4.parsed(TOO_DEEP))
    assert not any(answer.refused for answer in godot4.settings(b"[a]\nx=" + text + b"\n" for text in TOO_DEEP))
