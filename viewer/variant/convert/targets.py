"""Targets: what a value can become, most natural first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from viewer.variant.convert.families import Family, family
from viewer.variant.convert.tally import ConvertError
from viewer.variant.convert.types import can_convert, convert
from viewer.variant.dialect import Dialect, Precision, TypeRow
from viewer.variant.value import Array, Value

SAMPLE = 960
"""So many elements are tried; a multiple of every group that a packed array has."""
_RANKS = {"int": 0, "float": 1, "bool": 2, "String": 3}


@dataclass(frozen=True, slots=True)
class RetypeOffer:
    """A type that a value can become, and whether it loses anything by that."""

    name: str
    loses: bool


def targets(value: Value, dialect: Dialect) -> list[str]:
    """The types that a value can become: those that lose nothing first, Nil last.

    Of a large value only the beginning is tried, so that :func:`convert` may still refuse it.

    Args:
        value: what it is now.
        dialect: its engine line.
    """
    return [offer.name for offer in offers(value, dialect)]


def offers(value: Value, dialect: Dialect, precision: Precision = Precision.SINGLE) -> list[RetypeOffer]:
    """What :func:`targets` names, each with whether it loses anything."""
    source = dialect.by_name.get(value.type)
    if source is None:
        return [RetypeOffer("Nil", True)] if "Nil" in dialect.by_name else []
    trial = _sample(value)
    found = []
    for row in dialect.rows:
        if can_convert(source, row) and not _is_odd(value, source, row):
            try:
                losses = convert(trial, row.name, dialect, precision).losses
            except ConvertError:
                continue
            found.append((_order(source, row, bool(losses)), RetypeOffer(row.name, bool(losses))))
    return [offer for _, offer in sorted(found, key=lambda each: each[0])]


def _is_odd(value: Value, source: TypeRow, row: TypeRow) -> bool:
    """Whether a packed array has too few or too many numbers for the groups of another one: no sample shows that."""
    if not family(source) is family(row) is Family.PACKED or not isinstance(value.data, tuple | bytes):
        return False
    return len(value.data) * len(source.narrow) % len(row.narrow) > 0


def _order(source: TypeRow, row: TypeRow, loses: bool) -> tuple[bool, bool, bool, int, int]:
    is_nil, same = family(row) is Family.NIL, family(row) is family(source)
    return is_nil, loses, not same, _RANKS.get(row.name, len(_RANKS)), row.number


def _sample(value: Value) -> Value:
    """The beginning of a large value."""
    data = value.data
    if isinstance(data, Array):
        return Value(value.type, replace(data, elements=data.elements[:SAMPLE]))
    if isinstance(data, tuple | bytes) and len(data) > SAMPLE:
        return Value(value.type, data[:SAMPLE])
    if isinstance(data, str) and len(data) > SAMPLE:
        return Value(value.type, str(data)[:SAMPLE])
    return value
