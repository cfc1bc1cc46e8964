"""Numbers with a point that a game may have, told from those that any bytes make."""

from __future__ import annotations

from viewer.buffer import Buffer
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.elements import number

SMALLEST, LARGEST = 1e-30, 1e20
"""Other numbers with a point, but zero, are no game's."""


def has_numbers(raw: Buffer, at: int, row: TypeRow | None, header: int) -> bool:
    """Whether the numbers with a point of the value at *at*, if it has any, are such as a game may have."""
    at += 4
    for field in row.fields(header) if row is not None and row.kind is Kind.FIXED else ():
        if field.type[0] == "f":
            size = abs(number(raw, at, field.type))
            if size and not SMALLEST <= size <= LARGEST:
                return False
        at += field.size
    return True
