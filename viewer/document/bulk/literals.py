"""Literals: values in an expression that stand in the engine's own text form."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.document.bulk.error import BulkError
from viewer.variant.dialect import Dialect, Precision
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.value import Value


@dataclass(frozen=True, slots=True)
class Reading:
    """What the values of a file are written in."""

    dialect: Dialect
    precision: Precision


def cut(text: str, start: int, end: int, reading: Reading) -> Value:
    """The value that stands at ``start <= position < end`` of a text.

    Raises:
        BulkError: none stands there.
    """
    try:
        return parse_literal(text[start:end], reading.dialect, precision=reading.precision)
    except LiteralError as error:
        raise BulkError(str(error), start + error.position) from error
