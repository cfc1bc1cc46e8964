"""The harness hears from the engine exactly what the golden vectors say."""

from __future__ import annotations

from typing import Any

import corpus
import engine
import pytest
from engine import Answer, Request

pytestmark = pytest.mark.engine


NULL_OBJECT = {"Object": None}


def expected(row: corpus.Row) -> Any:
    """What reading a vector gives: its value, but for texts whose first BOM the engine drops."""
    return row["value"] if row["roundtrip"] else row["rt_value"]


def comparable(value: Any) -> Any:
    """A value without what its bytes do not hold: ids of objects and resources, and that a null was once an object."""
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if value == NULL_OBJECT:
        return None
    if not isinstance(value, dict):
        return value
    return {name: "any" if name in ("id", "RID") else comparable(item) for name, item in value.items()}


def test_every_vector_reads_back_as_its_value() -> None:
    rows = [row for row in corpus.vectors("godot3") if not row["volatile"]]
    asked = [Request(bytes.fromhex(row["hex"]), objects=row["how"] == "var2bytes(v, true)") for row in rows]
    wrong = {
        row["id"]: (answer.error, answer.values)
        for row, answer in zip(rows, engine.read_back(asked), strict=True)
        if comparable(list(answer.values)) != [comparable(expected(row))]
    }
    assert len(rows) > 250
    assert wrong == {}


def test_refused_bytes_give_the_engines_own_words() -> None:
    texts = ["ff000000", "02000000 05000000"]
    unknown_type, good = engine.read_back([Request(bytes.fromhex(text)) for text in texts])
    assert unknown_type.values == ()
    assert "VARIANT_MAX" in (unknown_type.error or "")
    assert good == Answer(({"int": "5"},), None)


def test_get_var_reads_prefixed_values_one_by_one() -> None:
    #                     prefix   header   value    prefix   header
    two = bytes.fromhex("08000000 02000000 05000000 04000000 00000000")
    first, both = engine.read_back([Request(two, "get_var"), Request(two, "get_var_all")])
    assert first == Answer(({"int": "5"},), None, 12)
    assert both == Answer(({"int": "5"}, None), None, 20)


def test_get_var_tells_a_damaged_value_from_a_stored_null() -> None:
    (answer,) = engine.read_back([Request(bytes.fromhex("04000000 ff000000"), "get_var")])
    assert answer.values == (None,)
    assert "VARIANT_MAX" in (answer.error or "")


def test_an_engine_that_dies_still_answers_the_rest_of_the_batch() -> None:
    deep = bytes.fromhex("13000000 01000000") * 200_000 + bytes(4)  # one array in another: the engine recurses
    five = Request(bytes.fromhex("02000000 05000000"))
    before, dead, after = engine.read_back([five, Request(deep), five])
    assert before.value == after.value == {"int": "5"}
    assert dead.values == ()
    assert "the engine ended with code" in (dead.error or "")


def test_encode_gives_the_engines_bytes() -> None:
    assert engine.encode(["7", '{"é": Vector2( 1, 2 )}']) == [
        bytes.fromhex("02000000 07000000"),
        bytes.fromhex("12000000 01000000 04000000 02000000 c3a90000 05000000 0000803f 00000040"),
    ]


def test_encode_refuses_a_text_that_is_no_value() -> None:
    with pytest.raises(engine.EngineError, match="does not understand"):
        engine.encode(["Vector2("])


def test_an_empty_batch_needs_no_engine() -> None:
    assert engine.read_back([]) == []
