"""What was retyped, the real engine reads: exactly the intended value, and nothing else changed."""

from __future__ import annotations

import engine
import pytest
from document.test_engine_edits import intended, replaced, rows_between, saved
from engine import Request

from viewer.document.document import Document
from viewer.document.edits.retype import retype, retype_offers
from viewer.document.path import parse_path
from viewer.variant.items import Item
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

pytestmark = pytest.mark.engine

RPG = (
    ("[0].player.gold", "String", '"5000000000"'),
    ("[0].player.gold", "float", "5000000000.0"),
    ("[0].player.gold", "Nil", "null"),
    ("[0].player.class", "NodePath", 'NodePath("ranger")'),
    ("[0].player.dead", "int", "0"),
    ("[0].player.dead", "String", '"false"'),
    ("[0].player.pet", "Dictionary", "{  }"),
    ("[0].player.pet", "Basis", "Basis( 1, 0, 0, 0, 1, 0, 0, 0, 1 )"),
    ("[0].player.pet", "Color", "Color( 0, 0, 0, 1 )"),
    ("[0].player.position", "PoolVector2Array", ""),
    ("[0].player.skin", "PoolRealArray", ""),
    ("[0].stats", "Array", ""),
    ("[0].inventory", "Nil", "null"),
)
"""Where, to what, and the text of it; an empty one is what we print, for the engine to read."""

NO_TEXT = ("RID", "Object")
"""Types of which the engine reads no text."""


def test_retyped_values_are_read_back_and_nothing_else_changes() -> None:
    document = Document.open(saved("rpg.save"))
    texts, places, data = [], [], []
    for path, target, text in RPG:
        item = parse_path(document, path)
        places.append((0, *rows_between(document, path)))
        document.apply(retype(document, item, target).edit)
        data.append(document.buffer[:])
        table = document.frames[0].table
        node = parse_path(document, path).node
        texts.append(text or format_literal(read(table, node), table.dialect))
        document.undo()
    original, *answers = engine.read_back([Request(raw, "get_var_all") for raw in (document.buffer[:], *data)])
    wrong = {
        row: (answer.error, answer.values)
        for row, place, answer, value in zip(RPG, places, answers, intended(texts), strict=True)
        if answer.error or list(answer.values) != replaced(list(original.values), place, value)
    }
    assert wrong == {}


def test_every_value_of_every_type_is_read_back_as_what_it_became() -> None:
    document = Document.open(saved("all_types.save"))
    texts, data = [], []
    for index in range(len(document.frames)):
        offered = [offer.name for offer in retype_offers(document, Item(index))]
        for target in (name for name in offered if name not in NO_TEXT):
            document.apply(retype(document, Item(index), target).edit)
            data.append(document.buffer[document.frames[index].start :])
            texts.append(format_literal(read(document.frames[index].table), document.dialect))
            document.undo()
    wanted = intended(texts)
    answers = engine.read_back([Request(raw, "bytes2var") for raw in data])
    assert len(data) > 60
    assert [answer.error for answer in answers if answer.error] == []
    assert [answer.values[0] for answer in answers] == wanted
