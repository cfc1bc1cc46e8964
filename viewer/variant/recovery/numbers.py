"""Numbers with a point that a game may have, told from those that any bytes make."""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.variant.dialect import Field, Kind, TypeRow
from viewer.variant.elements import number

SMALLEST, LARGEST = 1e-30, 1e20
"""Other numbers with a point, but zero, are no game's."""
FEW = 4
"""So many elements of a packed array are looked at."""


def has_numbers(raw: Buffer, at: int, row: TypeRow | None, header: int) -> bool:
    """Whether the numbers with a point of the value at *at*, if it has any, are such as a game may have."""
    at += 4
    for field in row.fields(header) if row is not None and row.kind is Kind.FIXED else ():
        if not _is_likely(raw, at, field):
            return False
        at += field.size
    return True


def has_elements(raw: Buffer, at: int, end: int, row: TypeRow, header: int) -> bool:
    """The same of the first elements of the packed array from *at* to *end*."""
    at += 8
    for field in row.fields(header) * FEW:
        if at + field.size > end:
            break
        if not _is_likely(raw, at, field):
            return False
        at += field.size
    return True


def _is_likely(raw: Buffer, at: int, field: Field) -> bool:
    size = abs(number(raw, at, field.type)) if field.type[0] == "f" else 0
    return not size or SMALLEST <= size <= LARGEST
