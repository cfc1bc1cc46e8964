"""Frames of a buffer with their tables: the container's cuts, measured by the format's scanner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from viewer.container.frames import Cut, Framing, Measured, cut, prefix
from viewer.diagnostic import Severity
from viewer.span import Span
from viewer.variant.dialect import Dialect
from viewer.variant.scan import Stopped, scan
from viewer.variant.table import NodeTable

Progress = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Frame:
    """One value of the buffer.

    Args:
        cut: prefix and payload, as offsets in the layer.
        table: the payload's nodes; their offsets count from the payload's start.
    """

    cut: Cut
    table: NodeTable

    @property
    def start(self) -> int:
        """Where the payload starts in the layer."""
        return self.cut.payload.start

    @property
    def span(self) -> Span:
        """Prefix and payload."""
        return self.cut.span

    @property
    def gap(self) -> Span | None:
        """The bytes of the payload that no value claims, None where there are none."""
        end = self.start + self.table.end_of_data
        return Span(end, self.cut.payload.end) if end < self.cut.payload.end else None

    @property
    def sound(self) -> bool:
        """Whether the scanner found no error in it."""
        return is_sound(self.table)

    def prefix_is_true(self, buffer: bytes, framing: Framing) -> bool:
        """Whether the length prefix tells the payload's length; true where there is none."""
        return not self.cut.prefix or prefix(buffer, self.cut.prefix.start, framing.big_endian) == len(self.cut.payload)


def is_sound(table: NodeTable) -> bool:
    """Whether the scanner found no error."""
    return len(table) > 0 and all(found.severity is not Severity.ERROR for found in table.diagnostics)


class Reader:
    """Measures values for the cutter and keeps their tables for the frames.

    Args:
        buffer: the layer's bytes.
        dialect: how to read them.
        known: tables that are still true, by where their payload lies.
        progress: asked now and then with an offset; False stops a scan where it is.
    """

    def __init__(
        self,
        buffer: bytes,
        dialect: Dialect,
        known: dict[Span, NodeTable] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.view = memoryview(buffer)
        self.dialect = dialect
        self.known = known or {}
        self.progress = progress
        self.stopped = False
        self._measured: dict[int, tuple[Span, NodeTable]] = {}

    def measure(self, span: Span) -> Measured:
        """What stands at the start of *span*."""
        table = self.table(span)
        if self.stopped:
            return Measured(len(span), True)
        return Measured(table.end_of_data, is_sound(table))

    def table(self, span: Span) -> NodeTable:
        """The table of the value at the start of *span*."""
        table = self.known.get(span)
        if table is not None:
            return self._bound(table, span)
        measured = self._measured.get(span.start)
        if measured is not None and (
            measured[0] == span or (is_sound(measured[1]) and measured[1].end_of_data <= len(span))
        ):
            return self._bound(measured[1], span)
        try:
            table = scan(self.view[span.start : span.end], self.dialect, self._progress(span.start))
        except Stopped as stopped:
            table, self.stopped = stopped.table, True
        self._measured[span.start] = (span, table)
        return table

    def _bound(self, table: NodeTable, span: Span) -> NodeTable:
        table.buffer = self.view[span.start : span.end]
        return table

    def _progress(self, start: int) -> Progress | None:
        progress = self.progress
        return None if progress is None else lambda pos: progress(start + pos)


def frames(buffer: bytes, framing: Framing, reader: Reader, budget: int | None = None) -> list[Frame]:
    """Cut a buffer into frames with their tables; *budget* as in :func:`viewer.container.frames.cut`."""
    return [Frame(found, reader.table(found.payload)) for found in cut(buffer, framing, reader.measure, budget)]


def gaps(frames: list[Frame], size: int) -> list[Span]:
    """The bytes between, before and after the frames."""
    out, at = [], 0
    for frame in frames:
        if frame.span.start > at:
            out.append(Span(at, frame.span.start))
        at = frame.span.end
    return [*out, Span(at, size)] if at < size else out
