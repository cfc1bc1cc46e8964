"""``docs/dump.schema.json`` says what ``dump --json`` prints, of sound files and of broken ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import corpus
import pytest
from corpus import ENGINES, Engine
from jsonschema import Draft202012Validator

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.export.deep_json import loads
from viewer.document.export.dump import FORMAT, dump
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[3] / "docs" / "dump.schema.json").read_text("utf-8"))
WHOLE = Draft202012Validator(SCHEMA)
ONE_NODE = Draft202012Validator({"$ref": "#/$defs/node", "$defs": SCHEMA["$defs"]})
STAND_IN = {"path": None, "type": "", "span": [0, 0], "text": "", "parts": [], "value": None}
"""What stands for a child while its parent is checked: the checker recurses, and values are deep."""
LARGEST = 2500
EVERY = 9
"""One in so many of the vectors and the broken inputs is checked."""

Tree = dict[str, Any]


def problems(found: Tree) -> Iterator[str]:
    """Where a dump is not what the schema says; takes the dump apart."""
    stack = []
    for frame in found["frames"]:
        if frame["root"] is not None:
            stack.append(frame["root"])
            frame["root"] = STAND_IN
    yield from (error.message for error in WHOLE.iter_errors(found))
    while stack:
        node = stack.pop()
        for child in node.get("children", ()):
            for side in ("key", "node"):
                if child.get(side) is not None:
                    stack.append(child[side])
                    child[side] = STAND_IN
        yield from (f"{node.get('path')}: {error.message}" for error in ONE_NODE.iter_errors(node))


def dumped(raw: bytes, choice: ReadOptions) -> Tree:
    return cast(Tree, loads("".join(dump(Document(raw, name="test", choice=choice)))))


def keys(found: object) -> set[str]:
    seen: set[str] = set()
    stack = [found]
    while stack:
        inside = stack.pop()
        if isinstance(inside, dict):
            seen |= inside.keys()
            stack += inside.values()
        elif isinstance(inside, list):
            stack += inside
    return seen


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["format"]["const"] == FORMAT


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_dumps_of_an_engines_files_are_as_the_schema_says(engine: Engine) -> None:
    saved = [
        each.path.read_bytes()
        for each in (*corpus.files(engine.folder), *corpus.spread(corpus.wrapped(engine.folder), 4, engine.folder))
    ]
    small = [raw for raw in saved if len(raw) <= LARGEST]
    assert small
    for raw in small:
        assert [*problems(dumped(raw, ReadOptions()))] == []


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_dumps_of_values_and_of_broken_bytes_are_as_the_schema_says(engine: Engine) -> None:
    choice = ReadOptions(load(engine.dialect), Precision(engine.precision), FramingKind.BARE)
    values = [corpus.vector_bytes(row) for row in corpus.vectors(engine.folder)[::EVERY]]
    broken = [bytes.fromhex(row["hex"]) for row in corpus.malformed(engine.folder)[::EVERY]]
    for raw in (*values, *broken):
        if len(raw) <= LARGEST:
            assert [*problems(dumped(raw, choice))] == []


def test_no_key_of_the_schema_is_dead() -> None:
    choice = ReadOptions(load("godot2"), Precision.SINGLE, FramingKind.BARE)
    seen: set[str] = set()
    for row in corpus.malformed("godot2"):
        seen |= keys(dumped(bytes.fromhex(row["hex"]), choice))
    for saved in corpus.files("godot2"):
        raw = saved.path.read_bytes()
        if len(raw) <= LARGEST:
            seen |= keys(dumped(raw, ReadOptions())) | keys(dumped(raw[:-5], ReadOptions()))
    seen |= keys(dumped((corpus.DATA / "resources" / "godot3" / "string.res").read_bytes(), ReadOptions()))
    told = {key for each in (SCHEMA, *SCHEMA["$defs"].values()) for key in each.get("properties", ())}
    assert told - seen == set()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"format": 2}, "1 was expected"),
        ({"format": None}, "1 was expected"),
        ({"framing": "loose"}, "is not one of"),
        ({"extra": 1}, "Additional properties"),
    ],
)
def test_the_schema_refuses_another_form(change: Tree, word: str) -> None:
    found = dumped(b"\2\0\0\0\5\0\0\0", ReadOptions())
    assert word in next(problems({**found, **change}))


@pytest.mark.parametrize(
    "change",
    [{"value": None, "children": []}, {"span": [0]}, {"bytes": "0"}, {"present": 1}, {"damaged": True}, {"text": None}],
)
def test_the_schema_refuses_another_form_of_a_node(change: Tree) -> None:
    found = dumped(b"\2\0\0\0\5\0\0\0", ReadOptions())
    found["frames"][0]["root"] |= change
    assert [*problems(found)]
