"""Bytes of which nothing is known yet, for the hex view."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.buffer import Buffer
from viewer.base.span import Span
from viewer.ui.hex.byte_source import CoverageMark, Description
from viewer.variant.tints import PLAIN


class PlainSource:
    """A :class:`~viewer.ui.hex.byte_source.HexSource` over bytes that are not read.

    Args:
        buffer: the bytes.
    """

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer

    def size(self) -> int:
        """How many bytes."""
        return len(self._buffer)

    def read(self, start: int, end: int) -> bytes:
        """Some of them."""
        return bytes(self._buffer[start:end])

    def styles(self, start: int, end: int) -> bytes:
        """All look alike."""
        return bytes([PLAIN]) * (end - start)

    def modified(self, start: int, end: int) -> list[Span]:
        """Nothing is known."""
        return []

    errors = warnings = recovered = search_hits = modified

    def current_hit(self) -> Span | None:
        """None."""
        return None

    def parents(self, offset: int) -> Span | None:
        """None."""
        return None

    def coverage(self, buckets: int) -> Iterator[CoverageMark]:
        """None."""
        return iter(())

    def describe(self, offset: int) -> Description | None:
        """Nothing."""
        return None
