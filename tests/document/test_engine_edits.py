"""What we edit, the real engine reads: exactly the intended value, and nothing else changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import corpus
import engine
import pytest
from engine import Request

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path

pytestmark = pytest.mark.engine

ALL_TYPES = {
    "Nil": ("null",),
    "bool": ("true", "false"),
    "int": ("-7", "2147483647", "2147483648", "-9223372036854775808"),
    "float": ("0.5", "0.1", "-1e300"),
    "String": ('""', '"Zoë says \\"hi\\"\\n漢字 😀"', '"abc"', '"abcde"'),
    "Vector2": ("Vector2( 1.5, -2 )",),
    "Rect2": ("Rect2( 1, 2, 3, 4.25 )",),
    "Vector3": ("Vector3( 0.1, 0.2, 0.3 )",),
    "Transform2D": ("Transform2D( 1, 2, 3, 4, 5, 6 )",),
    "Plane": ("Plane( 1, 0, 0, 5 )",),
    "Quat": ("Quat( 0, 0.6, 0, 0.8 )",),
    "AABB": ("AABB( 1, 2, 3, 4, 5, 6 )",),
    "Basis": ("Basis( 1, 2, 3, 4, 5, 6, 7, 8, 9 )",),
    "Transform": ("Transform( 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 )",),
    "Color": ("Color( 0.25, 1.5, 0, 1 )",),
    "NodePath": ('NodePath("/root/A/B:position:x")', 'NodePath("")'),
    "Dictionary": ('{ "k": [ 1, 2.5, null ], 7: Vector2( 1, 2 ) }', "{  }"),
    "Array": ('[ 1, "two", [ 3 ], { "four": 4 } ]', "[  ]"),
    "PoolByteArray": ("PoolByteArray( 1, 2, 255 )", "PoolByteArray(  )"),
    "PoolIntArray": ("PoolIntArray( -1, 2147483647 )",),
    "PoolRealArray": ("PoolRealArray( 0.5, -0.25, 1e10 )",),
    "PoolStringArray": ('PoolStringArray( "", "é", "abc" )',),
    "PoolVector2Array": ("PoolVector2Array( 1, 2, 3, 4 )",),
    "PoolVector3Array": ("PoolVector3Array( 1, 2, 3 )",),
    "PoolColorArray": ("PoolColorArray( 1, 0, 0, 1, 0, 0.5, 0, 0.5 )",),
}
"""By type, texts that the engine's own ``str2var`` reads too: it says what is intended."""

RPG = (
    ("[0].player.gold", "6000000000"),
    ("[0].player.gold", "7"),
    ("[0].player.name", '"Al"'),
    ("[0].player.name", '"A much longer name than the one before"'),
    ("[0].player.dead", "true"),
    ("[0].player.hp", "0.1"),
    ("[0].player.position", "Vector2( -1, 0.5 )"),
    ("[0].player.skin", "Color( 1, 0, 0, 0.5 )"),
    ("[0].player.target", 'NodePath("../Boss:hp")'),
    ("[0].inventory[3].name", '"Æther Blade"'),
    ("[0].inventory[23]", "{  }"),
    ("[0].player.pet", '"Wolf"'),
    ("[0].inventory[0]", '{ "id": 1, "name": "Stick" }'),
    ("[0].stats[5]", "1"),
    ("[0].flags", "{  }"),
)


@dataclass(frozen=True)
class Try:
    """One edit: where, to what text, the bytes afterwards and what the engine must read."""

    path: str
    text: str
    data: bytes
    place: tuple[int, ...]


def edited(document: Document, path: str, text: str) -> bytes:
    """The bytes after one edit; the document is as it was."""
    item = parse_path(document, path)
    document.apply(set_literal(document, item, text))
    data = document.buffer
    document.undo()
    return data


def replaced(values: Any, place: tuple[int, ...], by: Any) -> Any:
    """Engine values with the one at *place* replaced; a step into a Dictionary counts its pairs."""
    if not place:
        return by
    head, rest = place[0], place[1:]
    if isinstance(values, dict):
        name, content = next(iter(values.items()))
        return {name: replaced(content, place, by)}
    out = list(values)
    is_pair = isinstance(out[head], list)
    out[head] = [out[head][0], replaced(out[head][1], rest, by)] if is_pair else replaced(out[head], rest, by)
    return out


def intended(texts: list[str]) -> list[Any]:
    """What the engine itself makes of the texts."""
    answers = engine.read_back([Request(data) for data in engine.encode(texts)])
    return [answer.values[0] for answer in answers]


def rows_between(document: Document, path: str) -> tuple[int, ...]:
    """The steps from the root to the item, counting pairs in dictionaries."""
    table, item = document.frames[0].table, parse_path(document, path)
    steps: list[int] = []
    node = item.node
    while node:
        index = table.index(node)
        steps.append(index // 2 if table.has_pairs(table.parent[node]) else index)
        node = table.parent[node]
    return tuple(reversed(steps))


def test_every_type_of_the_engine_can_be_set_and_is_read_back_alone_changed() -> None:
    document = Document.open(saved("all_types.save"))
    names = [row.name for frame in document.frames if (row := frame.table.row(0))]
    tries = [
        Try(f"[{k}]", text, edited(document, f"[{k}]", text), (k,))
        for k, name in enumerate(names)
        for text in ALL_TYPES.get(name, ())
    ]
    assert {name for name in ALL_TYPES if name not in names} == set()
    check(document, tries)


def test_edits_deep_in_a_save_change_nothing_else() -> None:
    document = Document.open(saved("rpg.save"))
    tries = [Try(path, text, edited(document, path, text), (0, *rows_between(document, path))) for path, text in RPG]
    check(document, tries)


def test_at_least_forty_edits_are_shown_to_the_engine() -> None:
    assert len(RPG) + sum(len(texts) for texts in ALL_TYPES.values()) >= 40


def check(document: Document, tries: list[Try]) -> None:
    """Ask the engine about all tries in one run."""
    asked = [Request(document.buffer, "get_var_all"), *(Request(t.data, "get_var_all") for t in tries)]
    original, *answers = engine.read_back(asked)
    wanted = intended([t.text for t in tries])
    wrong = {
        (t.path, t.text): (answer.error, answer.values)
        for t, answer, value in zip(tries, answers, wanted, strict=True)
        if answer.error or list(answer.values) != replaced(list(original.values), t.place, value)
    }
    assert original.error is None
    assert wrong == {}


def saved(name: str) -> Any:
    """The path of a golden save of the engine."""
    return next(file.path for file in corpus.files("godot3") if file.path.name == name)
