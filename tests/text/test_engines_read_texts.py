"""ConfigFile and text resources as the real engines read them: equal values, and edits that they load."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import engine
import pytest
from document.readers.resource_edits import FOLDER as RESOURCES
from document.readers.resource_edits import scripts
from engine4 import Godot, Json
from text.engine_texts import TextEdit, edits, files
from text.test_engine_text import HEADS, LINES_ALONE

from viewer.base.diagnostic import Code
from viewer.document.document import Document
from viewer.variant.dialect import load, load_text_values
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

EACH = 20
BROKEN = 150


def as_stored(literal: str) -> bytes:
    """What a literal of a text is among stored values."""
    line = load("godot4")
    return encode(parse_literal(literal, line), line)


def config_edits(line: str) -> list[TextEdit]:
    draw = random.Random(11)
    out = [edit for path in files(line, ".cfg", ".godot") for edit in edits(path, draw, 3 * EACH)]
    assert len(out) > EACH
    return out


def whole(path: Path) -> str:
    document = Document.open(path)
    return format_literal(read(document.frames[0].table, 0), document.dialect)


@pytest.mark.engine4
def test_godot4_reads_settings_as_they_are_shown_and_edited(godot4: Godot) -> None:
    cases = [(path.read_bytes(), whole(path)) for path in files("godot4", ".cfg", ".godot")]
    cases += [(edit.text, edit.value) for edit in config_edits("godot4")]
    answers = godot4.settings(text for text, _ in cases)
    shown = godot4.texts(value for _, value in cases)
    for (_, value), answer, ours in zip(cases, answers, shown, strict=True):
        assert not answer.refused, value
        assert unordered(answer.value) == unordered(ours.value)


@pytest.mark.engine
def test_godot3_reads_settings_as_they_are_shown_and_edited() -> None:
    cases = [(path.read_bytes(), whole(path)) for path in files("godot3", ".cfg", ".godot")]
    cases += [(edit.text, edit.value) for edit in config_edits("godot3")]
    answers = engine.read_back([engine.Request(text, "config") for text, _ in cases])
    ours = engine.read_back([engine.Request(raw, "bytes2var") for raw in engine.encode([value for _, value in cases])])
    for (_, value), answer, other in zip(cases, answers, ours, strict=True):
        assert answer.values, (value, answer.error)
        assert unordered(answer.value) == unordered(other.value)


@pytest.mark.engine
def test_sections_without_a_key_are_read_by_godot3() -> None:
    answers = engine.read_back([engine.Request(text, "config") for text in HEADS])
    assert [answer.value for answer in answers] == [{"Dictionary": []}] * len(HEADS)


@pytest.mark.engine4
def test_sections_without_a_key_are_read_by_godot4(godot4: Godot) -> None:
    assert not any(answer.refused for answer in godot4.settings(HEADS))


@pytest.mark.engine
def test_one_key_alone_is_read_by_godot3() -> None:
    answers = engine.read_back([engine.Request(text, "config") for text in LINES_ALONE])
    assert [len(answer.values) for answer in answers] == [1] * len(LINES_ALONE)


@pytest.mark.engine4
def test_one_key_alone_is_read_by_godot4(godot4: Godot) -> None:
    assert not any(answer.refused for answer in godot4.settings(LINES_ALONE))


def unordered(told: Json) -> Json:
    """Dictionaries without their order and without sections that hold nothing, which engines forget."""
    if isinstance(told, list):
        return [unordered(each) for each in told]
    if isinstance(told, dict):
        pairs = told.get("Dictionary")
        if pairs is not None:
            return {"Dictionary": sorted(([unordered(key), unordered(value)] for key, value in pairs), key=repr)}
        return {name: unordered(value) for name, value in told.items()}
    return told


def resource_edits(line: str) -> list[tuple[Path, TextEdit]]:
    draw, out = random.Random(12), []
    for path in files(line, ".tres"):
        out += [(path, edit) for edit in edits(path, draw, 4) if "Property" not in edit.place]
    return out


@pytest.mark.engine4
def test_godot4_loads_what_was_edited(godot4: Godot) -> None:
    found = resource_edits("godot4")
    assert len(found) > 100
    beside = scripts("godot4")
    for path, edit in found:
        loaded, messages = godot4.loaded(edit.text, f"res://{path.name}", beside)
        assert loaded is not None, (edit.place, messages)


@pytest.mark.engine
def test_godot3_loads_what_was_edited() -> None:
    found = resource_edits("godot3")
    assert len(found) > 60
    folder = RESOURCES / "godot3" / "scripts"
    paths = files("godot3", ".tres")
    sound = {
        path
        for path, told in zip(paths, engine.loaded([path.read_bytes() for path in paths], folder), strict=True)
        if told
    }
    assert len(sound) > len(paths) - 6
    loaded = engine.loaded([edit.text for _, edit in found], folder)
    assert [
        edit.place for (path, edit), told in zip(found, loaded, strict=True) if told is None and path in sound
    ] == []


def broken(draw: random.Random, text: bytes) -> bytes:
    raw = bytearray(text)
    at = draw.randrange(len(raw))
    if draw.random() < 0.5:
        raw[at] = draw.choice(b'{}[]()",:= \n019atP')
    else:
        del raw[at]
    return bytes(raw)


@pytest.mark.engine4
def test_where_godot4_refuses_settings_there_is_an_error(godot4: Godot) -> None:
    draw = random.Random(13)
    texts = [path.read_bytes() for path in files("godot4", ".cfg")]
    cases = [broken(draw, draw.choice(texts)) for _ in range(BROKEN)]
    cases = [case for case in cases if Document(case).text is not None]
    assert len(cases) > BROKEN // 2
    wrong: list[Any] = []
    for case, answer in zip(cases, godot4.settings(cases), strict=True):
        ours = [found.message for found in Document(case).findings.all() if found.code is Code.TEXT_BROKEN]
        if answer.refused and not ours:
            wrong.append((answer.refused, ours, case))
    assert len(wrong) <= len(cases) // 50, wrong[:3]


def test_numbers_of_a_text_take_64_bits_and_all_else_lies_as_stored() -> None:
    line = load_text_values("godot4")
    assert len(encode(parse_literal("1", line), line)) == len(encode(parse_literal("0.5", line), line)) == 12
    for literal in ("Vector2(1, 2)", '"text"', 'NodePath("a/b:c")', "PackedInt32Array(1, 2)", "Color(1, 0, 0, 1)"):
        assert encode(parse_literal(literal, line), line) == as_stored(literal)
    typed = "Dictionary[String, int]({})"
    assert format_literal(parse_literal(typed, line), line) == typed
