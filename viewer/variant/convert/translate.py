"""Translate: a value of one engine line as the same value of another one, with all that it holds."""

from __future__ import annotations

from typing import Any

from viewer.variant.convert.elements import Elements
from viewer.variant.convert.leaves import Leaves
from viewer.variant.convert.tally import Converted, ConvertError, Tally
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.value import Array, Dictionary, ObjectFull, Value


def translate(value: Value, source: Dialect, target: Dialect, precision: Precision = Precision.SINGLE) -> Converted:
    """The same value in another engine line, and what it loses by that.

    A type that the other line lacks becomes its nearest one. Nothing recurses, however deep the value nests.

    Args:
        value: what it is in *source*.
        source: the engine line that it comes from.
        target: the engine line that it goes to.
        precision: width of ``real`` there.

    Raises:
        ConvertError: a value inside is broken, or a number fits nothing in *target*.
    """
    if source is target:
        return Converted(value)
    tally = Tally()
    leaves, elements = Leaves(source, target, precision, tally), Elements(source, target, tally)
    built: list[Value] = []
    for one in reversed(_in_order(value)):
        count = len(_children(one))
        children, built[len(built) - count :] = built[len(built) - count :], []
        built.append(elements.collected(one, children) if _is_collection(one) else leaves.translated(one))
    return Converted(built.pop(), tally.losses)


def _in_order(value: Value) -> list[Value]:
    """The value and all that lies in it, each before its children; the last child's come first."""
    order, stack = [], [value]
    while stack:
        one = stack.pop()
        order.append(one)
        stack.extend(_children(one))
    return order


def _children(value: Value) -> list[Value]:
    data: Any = value.data
    if isinstance(data, Array):
        return list(data.elements)
    if isinstance(data, Dictionary):
        return [side for pair in data.pairs for side in pair]
    return [inner for _, inner in data.properties] if isinstance(data, ObjectFull) else []


def _is_collection(value: Value) -> bool:
    return isinstance(value.data, Array | Dictionary | ObjectFull)


__all__ = ["ConvertError", "translate"]
