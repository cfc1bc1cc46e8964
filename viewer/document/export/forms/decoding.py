"""Bytes that encode one value: whether they do, and which."""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.container.armor.byte_text import FormError
from viewer.variant.dialect import Dialect
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

PREFIX = 4
LEAST = 4


def decode(data: bytes, dialect: Dialect) -> Value:
    """The value that bytes encode, also behind the length that ``store_var`` writes.

    Raises:
        FormError: they are no whole value, with the first offset that is wrong.
    """
    if len(data) < LEAST:
        raise FormError(f"A value takes at least {LEAST} bytes, and here are {len(data)}.")
    table = _whole(data, dialect)
    if table is None and _has_prefix(data):
        table = _whole(data[PREFIX:], dialect)
    return read(table if table is not None else _refused(data, dialect))


def is_whole(data: bytes, dialect: Dialect) -> bool:
    """Whether bytes encode one value, with or without its length before it."""
    return len(data) >= LEAST and (
        _whole(data, dialect) is not None or (_has_prefix(data) and _whole(data[PREFIX:], dialect) is not None)
    )


def _has_prefix(data: bytes) -> bool:
    rest = len(data) - PREFIX
    return rest >= LEAST and rest in (int.from_bytes(data[:PREFIX], order) for order in ("little", "big"))


def _whole(data: Buffer, dialect: Dialect) -> NodeTable | None:
    table = scan(data, dialect)
    sound = not any(found.severity is Severity.ERROR for found in table.diagnostics)
    return table if sound and len(table) and table.end_of_data == len(data) else None


def _refused(data: bytes, dialect: Dialect) -> NodeTable:
    table = scan(data, dialect)
    wrong = next((found for found in table.diagnostics if found.severity is Severity.ERROR), None)
    what = f"These {len(data)} bytes are no whole value of {dialect.name}"
    if wrong is not None:
        raise FormError(f"{what}; at 0x{wrong.span.start:X}: {wrong.message}")
    rest = Span(table.end_of_data, len(data))
    raise FormError(f"{what}: it ends at 0x{rest.start:X}, and {len(rest)} more follow.")
