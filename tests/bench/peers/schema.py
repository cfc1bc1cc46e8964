"""The part of Godot 3's format that the data use, as a schema of the ``construct`` package that notes every offset."""

from __future__ import annotations

import importlib
from typing import Any

from bench.setting import BenchError

FIXED_WORDS = {5: 2, 6: 4, 7: 3, 8: 6, 9: 4, 10: 4, 11: 6, 12: 9, 13: 12, 14: 4}
"""Floats of the types that hold nothing else."""
ELEMENT_WORDS = {21: 1, 22: 1, 24: 2, 25: 3, 26: 4}
"""Words of an element of the packed arrays."""
WIDE = 1 << 16


def schema() -> Any:
    """A parser of one value; each value tells ``start`` and ``end``.

    Raises:
        BenchError: the package is not installed.
    """
    try:
        con = importlib.import_module("construct")
    except ImportError as error:
        raise BenchError("construct is not installed") from error
    word = con.Int32ul
    made: list[Any] = []  # the schema itself, once there is one: values stand in values
    text = con.Struct("length" / word, "text" / con.Bytes(con.this.length), con.Padding(-con.this.length % 4))
    texts = con.PrefixedArray(word, text)
    path = con.Struct(
        "names" / word,
        "subnames" / word,
        "flags" / word,
        "texts" / con.Array((con.this.names & 0x7FFFFFFF) + con.this.subnames + (con.this.flags >> 1 & 1), text),
    )
    value = con.LazyBound(lambda: made[0])
    pair = con.Struct("key" / value, "value" / value)
    cases = {
        0: con.Pass,
        1: word,
        2: con.IfThenElse(con.this.header & WIDE, con.Int64sl, con.Int32sl),
        3: con.IfThenElse(con.this.header & WIDE, con.Float64l, con.Float32l),
        4: text,
        15: path,
        16: con.Pass,
        18: con.Struct("count" / word, "pairs" / con.Array(con.this.count & 0x7FFFFFFF, pair)),
        19: con.Struct("count" / word, "values" / con.Array(con.this.count & 0x7FFFFFFF, value)),
        20: text,
        23: texts,
        **{number: con.Array(count, con.Float32l) for number, count in FIXED_WORDS.items()},
        **{number: con.PrefixedArray(word, con.Array(count, word)) for number, count in ELEMENT_WORDS.items()},
    }
    whole: Any = con.Struct(
        "start" / con.Tell,
        "header" / word,
        "payload" / con.Switch(con.this.header & 0xFF, cases, default=con.Error),
        "end" / con.Tell,
    )
    made.append(whole)
    return whole


def count(parsed: Any) -> int:
    """How many values a parse gave."""
    found, waiting = 0, [parsed]
    while waiting:
        node = waiting.pop()
        found += 1
        payload, number = node.payload, node.header & 0xFF
        if number == 18:
            for pair in payload["pairs"]:
                waiting += (pair.key, pair.value)
        elif number == 19:
            waiting += payload["values"]
    return found
