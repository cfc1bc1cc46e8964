"""Numbers and texts that take the place of such: their new bytes, without a value being built."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from struct import Struct
from typing import TypeAlias

from viewer.document.bulk.frame_values import Whole
from viewer.variant.dialect import FLAG_64, Dialect, Kind
from viewer.variant.primitives import RANGES, fits_f32
from viewer.variant.text import write

Encoder: TypeAlias = "Callable[..., bytes | None]"
HEAD, INT, WIDE_INT, FLOAT, WIDE_FLOAT = Struct("<II"), Struct("<Ii"), Struct("<Iq"), Struct("<If"), Struct("<Id")
FILL = (b"", bytes(3), bytes(2), bytes(1))
"""What fills texts of these many bytes, of four, up to a word."""
MOST_TEXT = 1 << 16


class QuickWrites:
    """Writes plain values in one dialect, as :func:`viewer.variant.encode.encode` does over old bytes."""

    def __init__(self, dialect: Dialect) -> None:
        self._encoders: dict[tuple[int, type], Encoder] = {}
        if dialect.rules.closed_texts:
            return  # in resources texts end otherwise, and wide numbers are types of their own
        for row in dialect.rows:
            if row.name == "String" and row.kind is Kind.STRING:
                self._encoders[row.number, str] = _text(row.number)
            elif row.kind is Kind.FIXED and row.name in ("int", "float") and not row.real:
                types = row.narrow[0].type, row.wide[0].type
                if row.name == "int" and types in (("i32", "i64"), ("i32", "i32")):
                    self._add(row.number, int, _whole(row.number, row.has_wide), row.has_wide)
                elif row.name == "float" and types == ("f32", "f64"):
                    self._add(row.number, float, _floating(row.number), True)

    def _add(self, number: int, kind: type, make: Callable[[bool], Encoder], has_wide: bool) -> None:
        self._encoders[number, kind] = make(False)
        if has_wide:
            self._encoders[number | FLAG_64, kind] = make(True)

    def written(self, header: int, result: Whole) -> bytes | None:
        """The bytes of a result in the place of a value with this header; None where that takes a closer look."""
        encoder = self._encoders.get((header, type(result)))
        return None if encoder is None else encoder(result)


def _text(number: int) -> Encoder:
    def encoder(text: str) -> bytes | None:
        if len(text) > MOST_TEXT:
            return None
        raw = write(text)
        return HEAD.pack(number, len(raw)) + raw + FILL[len(raw) & 3]

    return encoder


def _whole(number: int, has_wide: bool) -> Callable[[bool], Encoder]:
    low, high = RANGES["i32"]
    lowest, highest = RANGES["i64"]

    def make(is_wide: bool) -> Encoder:
        def encoder(result: int) -> bytes | None:
            if not is_wide and low <= result <= high:
                return INT.pack(number, result)
            return WIDE_INT.pack(number | FLAG_64, result) if has_wide and lowest <= result <= highest else None

        return encoder

    return make


def _floating(number: int) -> Callable[[bool], Encoder]:
    def make(is_wide: bool) -> Encoder:
        def encoder(result: float) -> bytes | None:
            if not isfinite(result):
                return None
            if not is_wide and fits_f32(result):
                return FLOAT.pack(number, result)
            return WIDE_FLOAT.pack(number | FLAG_64, result)

        return encoder

    return make
