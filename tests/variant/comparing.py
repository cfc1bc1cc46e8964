"""The golden vectors as test parameters, and comparisons that forgive what a text form loses."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from viewer.variant.dialect import Dialect
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Dictionary, ObjectFull, Value

DATA = Path(__file__).parent.parent / "data"


def vectors(folder: str) -> list[dict[str, Any]]:
    lines = (DATA / folder / "vectors.jsonl").read_text(encoding="utf-8").splitlines()
    return [vector for vector in map(json.loads, lines) if "value" in vector]


def ordered(value: Value, dialect: Dialect) -> Value:
    """The value with the pairs of its outermost dictionary in the order of their keys' texts, as engines print them."""
    data = value.data
    if isinstance(data, Dictionary):
        pairs = ((ordered(key, dialect), ordered(inner, dialect)) for key, inner in data.pairs)
        in_order = sorted(pairs, key=lambda pair: format_literal(pair[0], dialect))
        return Value(value.type, Dictionary(tuple(in_order), data.key_type, data.value_type))
    if isinstance(data, Array):
        return Value(value.type, Array(tuple(ordered(inner, dialect) for inner in data.elements), data.element_type))
    if isinstance(data, ObjectFull):
        properties = tuple((name, ordered(inner, dialect)) for name, inner in data.properties)
        return Value(value.type, ObjectFull(data.class_name, properties))
    return value


def alike(a: Any, b: Any, tolerance: float) -> bool:
    """Whether two parts of values are the same but for the digits of floats and the sign of zero, however deep."""
    pairs: list[tuple[Any, Any]] = [(a, b)]
    while pairs:
        x, y = pairs.pop()
        if isinstance(x, float) and isinstance(y, float):
            if not (math.isnan(x) and math.isnan(y)) and not math.isclose(x, y, rel_tol=tolerance, abs_tol=0.0):
                return False
        elif type(x) is not type(y):
            return False
        elif hasattr(x, "__dataclass_fields__"):
            pairs.extend((getattr(x, name), getattr(y, name)) for name in x.__dataclass_fields__)
        elif isinstance(x, tuple):
            if len(x) != len(y):
                return False
            pairs.extend(zip(x, y, strict=True))
        elif x != y:
            return False
    return True
