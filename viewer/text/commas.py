"""Collections between brackets, their units apart by commas: how one more is put in, and one taken out."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.base.late_pattern import late_pattern
from viewer.text.patching import CollectionText

_CLEAN = late_pattern(rb"[\x01-\x20]*,[\x01-\x20]*")
_INDENT = late_pattern(rb"\n([\t ]+)\S")
_LINE = late_pattern(rb"[\t ]*")
_COLON = late_pattern(rb'"([\x01-\x20]*:[\x01-\x20]*)[-"\d\[{tfn]')
_LOOKED = 1 << 16
ONE_LINE = 0
"""The level of what stands in one line, however many levels it has."""


class CommaStyle:
    """How a text sets what stands in brackets.

    Args:
        text: all of it.
        colon: what stands between a key and its value, where no pair shows it.
    """

    def __init__(self, text: bytes, colon: bytes = b": ") -> None:
        self.text = text
        start = text[:_LOOKED]
        self.line_end = b"\r\n" if b"\r\n" in start else b"\n"
        indent = _INDENT.search(start)
        self.indent = indent[1] if indent else b""
        shown = _COLON.search(start)
        self.colon = shown[1] if shown else colon
        self.is_spread = self.line_end in start.strip()

    def line(self, level: int) -> bytes:
        """A line end with the indentation of a level, or nothing where all stands in one line."""
        return self.line_end + (self.indent or b"\t") * level

    def between(self, region: CollectionText) -> bytes:
        """What stands between two units of a collection."""
        units, text = region.units, self.text
        for unit in range(min(len(units) - 1, 8)):
            found = text[units[unit].end : units[unit + 1].start]
            if _CLEAN.fullmatch(found):
                return found
        if len(units):
            lead = text[region.opened : units[0].start]
            if not lead.strip():
                return b"," + (lead or (b" " if self.is_wide else b""))
        return b", " if self.is_wide else b","

    def level_in(self, region: CollectionText) -> int:
        """The level of a value that is put into a collection."""
        if len(region.units) and b"\n" not in self.between(region):
            return ONE_LINE
        return region.level + 1 if region.level else ONE_LINE

    @property
    def is_wide(self) -> bool:
        """Whether a blank stands behind commas in one line."""
        return self.colon.endswith(b" ")

    def inserted(self, region: CollectionText, before: int, units: Sequence[bytes]) -> tuple[int, int, bytes]:
        """The patch that puts units in front of one, or behind the last one."""
        held = len(region.units)
        if not held:
            return region.opened, region.closed, self.filled(units, region.level)
        between = self.between(region)
        joined = between.join(units)
        if before < held:
            at = region.units[before].start
            return at, at, joined + between
        at = region.units[held - 1].end
        return at, at, between + joined

    def filled(self, units: Sequence[bytes], level: int) -> bytes:
        """What stands between the brackets of a collection that was empty."""
        if not units:
            return b""
        if not self.is_spread or not level:
            return (b", " if self.is_wide else b",").join(units)
        inner = self.line(level)
        return inner + (b"," + inner).join(units) + self.line(level - 1)

    def removed(self, region: CollectionText, first: int, end: int) -> tuple[int, int, bytes]:
        """The patch that takes units away."""
        units = region.units
        if end < len(units):
            return units[first].start, units[end].start, b""
        if first:
            return units[first - 1].end, units[len(units) - 1].end, b""
        return region.opened, region.closed, b""


def inserted_line(region: CollectionText, before: int, units: Sequence[bytes], line: bytes) -> tuple[int, int, bytes]:
    """The patch that puts values, each from a line of its own on, in front of one or behind the last one."""
    if before < len(region.units):
        at = region.units[before].start
        return at, at, line.join(units) + line
    at = region.units[before - 1].end
    return at, at, line + line.join(units)


def removed_lines(region: CollectionText, first: int, end: int) -> tuple[int, int, bytes]:
    """The patch that takes such values away, but not all of them."""
    units = region.units
    if end < len(units):
        return units[first].start, units[end].start, b""
    return units[first - 1].end, units[end - 1].end, b""
