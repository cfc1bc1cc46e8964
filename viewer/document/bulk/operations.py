"""Operations: what expressions do with values. Wrong types are a problem of the value, never an exception of Python."""

from __future__ import annotations

import math
from collections.abc import Callable

from viewer.base.record import dataclass
from viewer.document.bulk.frame_values import BulkError, Data, DeferredValue, ValueProblem, Whole, plain
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.value import Array, Dictionary, NodePath, ObjectFull, Value

LARGEST = 1 << 128
"""Whole numbers on the way to a result stay below this, far above all that a file holds."""
LONGEST_TEXT = 1 << 24
Number = int | float


# Looking at values


def type_name(data: Data) -> str:
    """What a value is called in a sentence."""
    if isinstance(data, DeferredValue | Value):
        return data.type or "value that cannot be read"
    names = {bool: "bool", int: "int", float: "float", str: "text"}
    return next((name for kind, name in names.items() if isinstance(data, kind)), "null")


def whole(data: Data) -> Whole:
    """The value, built where it was held back."""
    return data.value if isinstance(data, DeferredValue) else data


def number(data: Data, what: str) -> Number:
    """The value as a number.

    Raises:
        ValueProblem: it is none; *what* needs one.
    """
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise ValueProblem(f"{what} needs a number, and this is {a(type_name(data))}.")
    return data


def a(name: str) -> str:
    """The name of a type with its article."""
    return "null" if name == "null" else f"an {name}" if name[:1] in "AEIOaeio" else f"a {name}"


def truth(data: Data) -> bool:
    """The value as a condition.

    Raises:
        ValueProblem: it is neither true nor false.
    """
    if not isinstance(data, bool):
        raise ValueProblem(f"A condition is true or false, and this is {a(type_name(data))}.")
    return data


def path_text(data: Data) -> Whole:
    """A node path as its text, everything else as it is."""
    built = whole(data)
    return built.data.text if isinstance(built, Value) and isinstance(built.data, NodePath) else built


# Comparing


def equal(left: Data, right: Data) -> bool:
    """Whether two values are the same; numbers are compared by what they are worth, node paths with their text."""
    if not isinstance(left, DeferredValue | Value) and not isinstance(right, DeferredValue | Value):
        return isinstance(left, bool) == isinstance(right, bool) and left == right
    if _kind(left) != _kind(right):
        return False
    left, right = path_text(left), path_text(right)
    if isinstance(left, Value) and isinstance(right, Value):
        return _same(left, right)
    return not isinstance(left, Value) and not isinstance(right, Value) and left == right


def _kind(data: Data) -> str:
    """What a value can be equal to, told without building it."""
    if isinstance(data, DeferredValue | Value):
        return "text" if data.type == "NodePath" else data.type
    return "number" if isinstance(data, int | float) and not isinstance(data, bool) else type_name(data)


def _same(left: Value, right: Value) -> bool:
    """Whether two values of any depth are the same, compared without recursion."""
    stack = [(left, right)]
    while stack:
        one, other = stack.pop()
        if one.type != other.type:
            return False
        if isinstance(one.data, Array) and isinstance(other.data, Array):
            if len(one.data.elements) != len(other.data.elements):
                return False
            stack.extend(zip(one.data.elements, other.data.elements, strict=True))
        elif isinstance(one.data, Dictionary) and isinstance(other.data, Dictionary):
            if len(one.data.pairs) != len(other.data.pairs):
                return False
            for pair, beside in zip(one.data.pairs, other.data.pairs, strict=True):
                stack.extend(zip(pair, beside, strict=True))
        elif isinstance(one.data, ObjectFull) and isinstance(other.data, ObjectFull):
            names = [[name for name, _ in held.properties] for held in (one.data, other.data)]
            if one.data.class_name != other.data.class_name or names[0] != names[1]:
                return False
            held = zip(one.data.properties, other.data.properties, strict=True)
            stack.extend((mine, yours) for (_, mine), (_, yours) in held)
        elif one.data != other.data:
            return False
    return True


def ordered(sign: str) -> Callable[[Data, Data], bool]:
    """The comparison for ``<``, ``<=``, ``>`` or ``>=``: of two numbers, or of two texts."""

    def compare(left: Data, right: Data) -> bool:
        if not (isinstance(left, str) and isinstance(right, str)):
            left, right = number(left, sign), number(right, sign)
        if sign == "<":
            return left < right  # type: ignore[operator]  # both are numbers or both texts
        if sign == "<=":
            return left <= right  # type: ignore[operator]
        return left > right if sign == ">" else left >= right  # type: ignore[operator]

    return compare


def contains(left: Data, right: Data) -> bool:
    """Whether a text holds another, an array an element, a dictionary a key.

    Raises:
        ValueProblem: it holds nothing.
    """
    left = path_text(left) if not isinstance(left, DeferredValue) else left
    if isinstance(left, str):
        if not isinstance(right, str):
            raise ValueProblem(f"A text contains texts, not {a(type_name(right))}.")
        return right in left
    if isinstance(left, DeferredValue):
        if left.ground.count(left.item) < 0:
            return contains(left.value, right)
        ground = left.ground
        if not left.item.part and ground.has_pairs(left.item.node):
            return any(equal(ground.key(child), right) for child in ground.children(left.item))
        return any(equal(ground.data(child), right) for child in ground.children(left.item))
    held = left.data if isinstance(left, Value) else None
    if isinstance(held, NodePath):
        return contains(held.text, right)
    if isinstance(held, Array):
        return any(equal(plain(element), right) for element in held.elements)
    if isinstance(held, Dictionary):
        return any(equal(plain(key), right) for key, _ in held.pairs)
    raise ValueProblem(f"{a(type_name(left)).capitalize()} contains nothing.")


# Calculating


def calculate(sign: str) -> Callable[[Data, Data], Data]:
    """The operation for ``+ - * / %``; ``+`` also joins texts, and a vector is taken number by number."""
    one, joins = _SUMS[sign], sign == "+"

    def do(left: Data, right: Data) -> Data:
        if joins and isinstance(left, str) and isinstance(right, str):
            if len(left) + len(right) > LONGEST_TEXT:
                raise ValueProblem(f"A text may get at most {LONGEST_TEXT} characters.")
            return left + right
        left, right = whole(left), whole(right)
        if joins and isinstance(left, str):
            raise ValueProblem(
                f"A text grows by texts, and this is {a(type_name(right))}; put it in quotes.",
                in_line=f"A text is joined with texts: write str(…) around the {type_name(right)}.",
            )
        if isinstance(left, Value) or isinstance(right, Value):
            return _vector(sign, one, left, right)
        return _checked(one(number(left, sign), number(right, sign)))

    return do


def _vector(sign: str, one: Callable[[Number, Number], Number], left: Data, right: Data) -> Value:
    shape = left if isinstance(left, Value) else right
    assert isinstance(shape, Value)
    count = len(shape.data) if isinstance(shape.data, tuple) else 0
    pairs = zip(_numbers(left, sign, shape, count), _numbers(right, sign, shape, count), strict=True)
    return Value(shape.type, tuple(_checked(one(a, b)) for a, b in pairs))


def _numbers(data: Data, sign: str, shape: Value, count: int) -> tuple[Number, ...]:
    """The numbers of a vector; a lone number once for each."""
    if not isinstance(data, Value):
        return (number(data, sign),) * count
    numbers = data.data
    if data.type != shape.type or not isinstance(numbers, tuple) or shape.type.endswith("Array"):
        raise ValueProblem(f"{sign} needs numbers or vectors of one type, and this is {a(data.type)}.")
    return tuple(number(one, sign) for one in numbers)  # type: ignore[arg-type]  # others raise


def _checked(result: Number) -> Number:
    if isinstance(result, int) and not -LARGEST < result < LARGEST:
        raise ValueProblem("The result is too large for any number in a file.")
    return result


def _divided(left: Number, right: Number) -> Number:
    """Whole where it comes out even, so that nothing is lost."""
    if right == 0:
        raise ValueProblem("A number cannot be divided by 0.")
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    return left / right


def _rest(left: Number, right: Number) -> Number:
    if right == 0:
        raise ValueProblem("A number cannot be divided by 0.")
    return left % right


def _product(left: Number, right: Number) -> Number:
    return left * right


_SUMS: dict[str, Callable[[Number, Number], Number]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": _product,
    "/": _divided,
    "%": _rest,
}


def negative(data: Data) -> Data:
    """The number, or each of a vector, with the other sign."""
    return calculate("*")(data, -1)


# Functions: what can be called in an expression.

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
    count = data.ground.count(data.item) if isinstance(data, DeferredValue) else -1
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
            raise ValueProblem("This text is not a whole number.") from None
    if isinstance(data, bool):
        return int(data)
    return _rounded(math.trunc)(data)


def _to_float(data: Data) -> Data:
    if isinstance(data, str):
        try:
            return float(data.strip()[:ROOM])
        except ValueError:
            raise ValueProblem("This text is not a number.") from None
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


# Literals: values in an expression that stand in the engine's own text form.


@dataclass(frozen=True, slots=True)
class LiteralDialect:
    """What the values of a file are written in."""

    dialect: Dialect
    precision: Precision


def cut(text: str, start: int, end: int, reading: LiteralDialect) -> Value:
    """The value that stands at ``start <= position < end`` of a text.

    Raises:
        BulkError: none stands there.
    """
    try:
        return parse_literal(text[start:end], reading.dialect, precision=reading.precision)
    except LiteralError as error:
        raise BulkError(str(error), start + error.position) from error
