"""Functions: what can be called in an expression."""

from __future__ import annotations

import math
from collections.abc import Callable

from viewer.document.bulk.error import ValueProblem
from viewer.document.bulk.ground import Data, Held
from viewer.document.bulk.operations import a, number, path_text, type_name
from viewer.variant.value import Array, Dictionary, Value

ROOM = 300
"""Characters that a number may have in a text."""


def _rounded(how: Callable[[float], float]) -> Callable[..., Data]:
    def do(data: Data) -> Data:
        found = number(data, "Rounding")
        if isinstance(found, int):
            return found
        if not math.isfinite(found):
            raise ValueProblem(f"{found} cannot be rounded.")
        return int(how(found))

    return do


def _half_away(found: float) -> float:
    """As the engines round: a half goes away from zero."""
    down = math.floor(abs(found))
    return math.copysign(down + (abs(found) - down >= 0.5), found)


def _length(data: Data) -> Data:
    if isinstance(data, str):
        return len(data)
    count = data.ground.count(data.item) if isinstance(data, Held) else -1
    held = data.data if isinstance(data, Value) else None
    if isinstance(held, Array):
        count = len(held.elements)
    elif isinstance(held, Dictionary):
        count = len(held.pairs)
    if count < 0:
        raise ValueProblem(f"len needs a text or a collection, and this is {a(type_name(data))}.")
    return count


def _to_text(data: Data) -> Data:
    data = path_text(data)
    if isinstance(data, str):
        return data
    if data is None or isinstance(data, bool):
        return {None: "null", True: "true", False: "false"}[data]
    if isinstance(data, int | float):
        return str(data)
    raise ValueProblem(f"str needs a number, a text or a bool, and this is {a(type_name(data))}.")


def _to_int(data: Data) -> Data:
    if isinstance(data, str):
        try:
            return int(data.strip()[:ROOM], 10)
        except ValueError:
            raise ValueProblem("This text is no whole number.") from None
    if isinstance(data, bool):
        return int(data)
    return _rounded(math.trunc)(data)


def _to_float(data: Data) -> Data:
    if isinstance(data, str):
        try:
            return float(data.strip()[:ROOM])
        except ValueError:
            raise ValueProblem("This text is no number.") from None
    try:
        return float(number(int(data) if isinstance(data, bool) else data, "float"))
    except OverflowError:
        raise ValueProblem("The number is too large for a float.") from None


def _least(*data: Data) -> Data:
    return min(number(one, "min") for one in data)


def _most(*data: Data) -> Data:
    return max(number(one, "max") for one in data)


def _clamped(data: Data, low: Data, high: Data) -> Data:
    return max(number(low, "clamp"), min(number(high, "clamp"), number(data, "clamp")))


FUNCTIONS: dict[str, tuple[Callable[..., Data], int, int]] = {
    "min": (_least, 1, 16),
    "max": (_most, 1, 16),
    "abs": (lambda data: abs(number(data, "abs")), 1, 1),
    "round": (_rounded(_half_away), 1, 1),
    "floor": (_rounded(math.floor), 1, 1),
    "ceil": (_rounded(math.ceil), 1, 1),
    "clamp": (_clamped, 3, 3),
    "len": (_length, 1, 1),
    "str": (_to_text, 1, 1),
    "int": (_to_int, 1, 1),
    "float": (_to_float, 1, 1),
}
"""Each function with the fewest and the most values that it takes."""
