"""What a field of a layout says, for a person: numbers with their names, bits and times, and what a file inside is."""

from __future__ import annotations

from math import isfinite

from viewer.base.buffer import Buffer, window
from viewer.base.span import Span
from viewer.document.readers.file_layout import LayoutField
from viewer.document.readers.resource_uid import uid_text

LATEST = 253_402_300_800
"""Seconds since 1970 from which on there is no date that a person writes: the year 10000."""
HEAD = 1 << 12
"""Bytes that tell what a file is."""


def number_words(each: LayoutField, number: float) -> str:
    """A number, and what it means."""
    if each.shown_as in ("seconds", "milliseconds"):
        return _time(number, 1000 if each.shown_as == "milliseconds" else 1)
    if not isinstance(number, int):
        return str(number)
    if each.shown_as == "uid":
        return uid_text(number)
    words = f"0x{number:X}" if each.shown_as == "hex" or each.bits else str(number)
    meaning = [each.names[number]] if number in each.names else []
    meaning += [told for name, low, high in each.bits if (told := _bits(number, name, low, high))]
    return f"{words} ({', '.join(meaning)})" if meaning else words


def _bits(number: int, name: str, low: int, high: int) -> str:
    """What a run of bits says, empty for a single one that is not set."""
    value = number >> low & (1 << high - low + 1) - 1
    if low == high:
        return name if value else ""
    return f"{name} {value}"


def _time(number: float, parts: int) -> str:
    seconds = number / parts if isfinite(number) else -1
    if not 0 <= seconds < LATEST:
        return str(number)
    from datetime import UTC, datetime  # few files have a time

    words = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return f"{number} ({words})"


def file_words(buffer: Buffer, span: Span) -> str:
    """What the bytes of a span are where they are a file of a known kind: ``, a picture (PNG)``; else nothing."""
    from viewer.document.kinds.file_kinds import strong_kind  # only packages hold files

    found = strong_kind(window(buffer, span.start, min(span.end, span.start + HEAD)))
    return f", {found.name}" if found is not None else ""
