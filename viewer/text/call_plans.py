"""What stands in the brackets of a call in the engines' own text, by its name."""

from __future__ import annotations

from viewer.variant.dialect import Dialect, Kind
from viewer.variant.expected import RESOURCE_NAMES

OTHER, REALS, WHOLES, PACKED, NAMED, TEXTS = 0, 1, 2, 3, 4, 5
"""Something else; numbers of 32 bits, real or whole; those of a packed array; the name of a resource; texts."""
U8, I32, I64, F32, F64 = 1, 2, 3, 4, 5
"""How the numbers of a packed array lie."""
_WIDTHS = {"u8": U8, "i32": I32, "i64": I64, "f32": F32, "f64": F64}

Plan = tuple[int, int, int, int]
"""What stands there, the number of the type, how many numbers each value or element takes, how these lie."""


def plan(dialect: Dialect, name: str) -> Plan:
    """What stands in the brackets behind *name*; OTHER also for what is no type."""
    row = dialect.by_name.get(name)
    if row is None:
        return OTHER, 0, 0, 0
    types = {field.type for field in row.narrow}
    width = _WIDTHS.get(types.pop(), 0) if len(types) == 1 else 0
    if row.kind is Kind.FIXED and width in (F32, I32):
        return (REALS if width == F32 else WHOLES), row.number, len(row.narrow), width
    if row.kind is Kind.PACKED and width:
        return PACKED, row.number, len(row.narrow), width
    if row.kind is Kind.PACKED_STRINGS and not dialect.rules.closed_texts:
        return TEXTS, row.number, 0, 0
    if name in RESOURCE_NAMES and row.kind is Kind.STRING:
        return NAMED, row.number, 0, 0
    return OTHER, 0, 0, 0
