"""What is edited inside values, three levels deep, is what the real engines read; everything else is as before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import engine
import engine4
import pytest
from document.nested.nested_saves import INSIDE, TEXTS, UNPACKS, NestedSave, nested_save

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.nested.nested_document import enter

SAVES = 100
LEVELS = 3
Read = Callable[[Sequence[bytes]], list[Any]]
"""What an engine reads from bare values."""
FromText = Callable[[Sequence[str]], list[bytes]]
"""What an engine makes of texts, as bytes."""


def edited(save: NestedSave) -> bytes:
    document = Document(save.data)
    level = enter(document, save.path)
    document.apply(level.outermost(set_literal(level.document, level.item(), save.text)))
    after = bytes(document.buffer[:])
    document.undo()
    assert document.buffer == save.data
    return after


def levels(files: Sequence[bytes], saves: Sequence[NestedSave], read: Read, from_text: FromText) -> list[list[Any]]:
    """What the engine reads of each file, level by level, without what holds the next one."""
    raws = [data[4:] for data in files]
    found: list[list[Any]] = [[] for _ in files]
    for level in range(LEVELS + 1):
        pairs = [dict_of(value) for value in read(raws)]
        for told, here in zip(found, pairs, strict=True):
            told.append({name: value for name, value in here.items() if name != INSIDE})
        if level == LEVELS:
            break
        raws = inside([here[INSIDE] for here in pairs], [save.ways[level] for save in saves], from_text)
    return found


def inside(held: Sequence[Any], ways: Sequence[str], from_text: FromText) -> list[bytes]:
    texts = [next(iter(value.values())) for value, way in zip(held, ways, strict=True) if way == "text"]
    made = iter(from_text(texts))
    return [
        next(made) if way == "text" else UNPACKS[way](content(value, way))
        for value, way in zip(held, ways, strict=True)
    ]


def content(value: Any, way: str) -> bytes:
    ((name, data),) = value.items()
    if way in TEXTS:
        return str(data).encode()
    raw = bytes.fromhex(data)
    return raw if name.startswith("Pool") else raw[4 : 4 + int.from_bytes(raw[:4], "little")]


def dict_of(value: Any) -> dict[str, Any]:
    return {next(iter(key.values())): held for key, held in value["Dictionary"]}


def wrong_saves(line: str, read: Read, from_text: FromText) -> list[NestedSave]:
    """Saves in which the engine reads something else than what was meant."""
    saves = [nested_save(line, seed) for seed in range(SAVES)]
    before = levels([save.data for save in saves], saves, read, from_text)
    after = levels([edited(save) for save in saves], saves, read, from_text)
    intended = read(from_text([save.text for save in saves]))
    for save, was, value in zip(saves, before, intended, strict=True):
        was[-1][save.key] = value
    return [save for save, was, now in zip(saves, before, after, strict=True) if now != was]


def of_godot3() -> tuple[Read, FromText]:
    """What Godot 3 reads, and makes of texts."""

    def read(raws: Sequence[bytes]) -> list[Any]:
        return [answer.value for answer in engine.read_back([engine.Request(raw) for raw in raws])]

    return read, engine.encode


def of_godot4(running: engine4.Godot) -> tuple[Read, FromText]:
    """What Godot 4 reads, and makes of texts."""

    def read(raws: Sequence[bytes]) -> list[Any]:
        return [answer.value for answer in running.read([engine4.Request(raw, "bare") for raw in raws])]

    def from_text(texts: Sequence[str]) -> list[bytes]:
        return [answer.values[0].data for answer in running.texts(texts)]

    return read, from_text


@pytest.mark.engine
def test_godot_3_reads_what_was_edited_inside() -> None:
    assert not wrong_saves("godot3", *of_godot3())


@pytest.mark.engine4
def test_godot_4_reads_what_was_edited_inside(godot4: engine4.Godot) -> None:
    assert not wrong_saves("godot4", *of_godot4(godot4))
