"""What we insert, delete, double, move and sort, the real engine reads: exactly the intended values in their places."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import corpus
import engine
import pytest
from engine import Request

from viewer.document.document import Document
from viewer.document.edits.fragment import taken, written
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import FILE, Slot, inside, slot_of
from viewer.document.edits.structure import delete, duplicate, insert, move, shift, sort_keys, to_bare
from viewer.document.path import parse_path
from viewer.document.splice import Edit
from viewer.variant.items import Item

pytestmark = pytest.mark.engine

Rows = list[Any]
STEPS, NOTES = ("quests", "quest_11", "steps"), ("quests", "quest_11", "notes")


@dataclass(frozen=True)
class Case:
    """An operation, and the same done to what the engine read before."""

    make: Callable[[Document], Edit]
    model: Callable[[Rows], object]


def item(document: Document, path: str) -> Item:
    return parse_path(document, path)


def items(document: Document, *paths: str) -> list[Item]:
    return [item(document, path) for path in paths]


def before(document: Document, path: str) -> Slot:
    return slot_of(document, item(document, path))


def end(document: Document, path: str) -> Slot:
    return inside(document, item(document, path))


def rows(values: Rows, *steps: str | int) -> Rows:
    """The rows of a collection: elements, or pairs as lists of two."""
    held: Any = values[0]
    for step in steps:
        content = next(iter(held.values()))
        held = content[step] if isinstance(step, int) else next(v for k, v in content if k == {"str": step})
    found: Rows = next(iter(held.values()))
    return found


def key(name: str) -> Any:
    return {"str": name}


def pair(values: Rows, name: str, *steps: str | int) -> Any:
    return next(each for each in rows(values, *steps) if each[0] == key(name))


def _pop(found: Rows, *numbers: int) -> None:
    for number in sorted(numbers, reverse=True):
        del found[number]


def _swap(found: Rows, one: int, other: int) -> None:
    found[one], found[other] = found[other], found[one]


RPG: dict[str, Case] = {
    "delete an element": Case(
        lambda d: delete(d, items(d, "[0].inventory[2]")),
        lambda v: _pop(rows(v, "inventory"), 2),
    ),
    "delete several, here and there": Case(
        lambda d: delete(
            d, items(d, "[0].inventory[0]", "[0].inventory[5]", "[0].player.gold", "[0].quests.quest_11.steps[1]")
        ),
        lambda v: (
            _pop(rows(v, "inventory"), 0, 5),
            rows(v, "player").remove(pair(v, "gold", "player")),
            _pop(rows(v, *STEPS), 1),
        ),
    ),
    "delete a value and what is in it": Case(
        lambda d: delete(d, items(d, "[0].inventory", "[0].inventory[5].name")),
        lambda v: rows(v).remove(pair(v, "inventory")),
    ),
    "double an element": Case(
        lambda d: duplicate(d, items(d, "[0].inventory[1]")),
        lambda v: rows(v, "inventory").insert(2, rows(v, "inventory")[1]),
    ),
    "double a pair": Case(
        lambda d: duplicate(d, items(d, "[0].player.gold")),
        lambda v: rows(v, "player").insert(
            rows(v, "player").index(pair(v, "gold", "player")) + 1, [key("gold2"), pair(v, "gold", "player")[1]]
        ),
    ),
    "move up": Case(
        lambda d: shift(d, items(d, "[0].inventory[3]"), -1),
        lambda v: _swap(rows(v, "inventory"), 2, 3),
    ),
    "move a pair down": Case(
        lambda d: shift(d, items(d, "[0].player.name"), 1),
        lambda v: _swap(rows(v, "player"), 0, 1),
    ),
    "move to the front": Case(
        lambda d: move(d, items(d, "[0].inventory[7]", "[0].inventory[4]"), before(d, "[0].inventory[0]")),
        lambda v: rows(v, "inventory").__setitem__(
            slice(None), [rows(v, "inventory")[k] for k in (4, 7, 0, 1, 2, 3, 5, 6, *range(8, 24))]
        ),
    ),
    "move a pair into an array": Case(
        lambda d: move(d, items(d, "[0].player.gold"), before(d, "[0].inventory[1]")),
        lambda v: (
            rows(v, "inventory").insert(1, pair(v, "gold", "player")[1]),
            rows(v, "player").remove(pair(v, "gold", "player")),
        ),
    ),
    "move an element into a dictionary": Case(
        lambda d: move(d, items(d, "[0].inventory[0]"), end(d, "[0].player")),
        lambda v: rows(v, "player").append([key("new"), rows(v, "inventory").pop(0)]),
    ),
    "insert with a key": Case(
        lambda d: insert(d, before(d, "[0].player.gold"), [written(d, "null", '"soul"')]),
        lambda v: rows(v, "player").insert(rows(v, "player").index(pair(v, "gold", "player")), [key("soul"), None]),
    ),
    "paste an element of a packed array": Case(
        lambda d: insert(d, end(d, "[0].inventory"), [taken(d, item(d, "[0].quests.quest_11.steps[4]"))]),
        lambda v: rows(v, "inventory").append({"int": rows(v, *STEPS)[4]}),
    ),
    "insert into a packed array": Case(
        lambda d: insert(d, before(d, "[0].quests.quest_11.steps[1]"), [written(d, "7"), written(d, "8")]),
        lambda v: rows(v, *STEPS).__setitem__(slice(1, 1), ["7", "8"]),
    ),
    "texts of a packed array": Case(
        lambda d: move(d, items(d, "[0].quests.quest_11.notes[2]"), before(d, "[0].quests.quest_11.notes[0]")),
        lambda v: rows(v, *NOTES).insert(0, rows(v, *NOTES).pop(2)),
    ),
    "rename a key": Case(
        lambda d: set_literal(d, Item(0, item(d, "[0].player.gold").node - 1), '"coins"'),
        lambda v: pair(v, "gold", "player").__setitem__(0, key("coins")),
    ),
    "sort keys": Case(
        lambda d: sort_keys(d, item(d, "[0].player")),
        lambda v: rows(v, "player").sort(key=lambda each: each[0]["str"].casefold()),
    ),
}
FRAMES: dict[str, Case] = {
    "delete a frame": Case(lambda d: delete(d, items(d, "[3]")), lambda v: v.pop(3)),
    "double a frame": Case(lambda d: duplicate(d, items(d, "[2]")), lambda v: v.insert(3, v[2])),
    "move a frame up": Case(lambda d: shift(d, items(d, "[5]"), -1), lambda v: _swap(v, 4, 5)),
    "move a frame to the end": Case(
        lambda d: move(d, items(d, "[1]"), Slot(FILE, 0, len(d.frames))), lambda v: v.append(v.pop(1))
    ),
    "insert a frame": Case(lambda d: insert(d, Slot(FILE, 0, 0), [written(d, "null")]), lambda v: v.insert(0, None)),
}


@pytest.mark.parametrize(("name", "cases"), [("rpg.save", RPG), ("all_types.save", FRAMES)])
def test_the_engine_reads_what_was_intended(name: str, cases: dict[str, Case]) -> None:
    document = Document.open(next(file.path for file in corpus.files("godot3") if file.path.name == name))
    asked = [Request(bytes(document.buffer[:]), "get_var_all")]
    for case in cases.values():
        document.apply(case.make(document))
        asked.append(Request(bytes(document.buffer[:]), "get_var_all"))
        document.undo()
    original, *answers = engine.read_back(asked)
    wrong = []
    for (what, case), answer in zip(cases.items(), answers, strict=True):
        wanted = copy.deepcopy(list(original.values))
        case.model(wanted)
        if answer.error or list(answer.values) != wanted:
            wrong.append((what, answer.error))
    assert wrong == []


def test_the_engine_reads_a_value_without_its_length_as_the_bare_value() -> None:
    document = Document.open(next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save"))
    stored = Request(bytes(document.buffer[:]), "get_var")
    document.apply(to_bare(document))
    before, after = engine.read_back([stored, Request(bytes(document.buffer[:]), "bytes2var")])
    assert after.error is None
    assert after.values == before.values
