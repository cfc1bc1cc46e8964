"""A layer around the values, as the hex view wants to see it: its bytes, to be read only."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.span import Span
from viewer.document.viewmodel.shown_layers import ShownLayer
from viewer.ui.hex.byte_source import CoverageMark, Description
from viewer.variant.items import Role
from viewer.variant.tints import CODE, PLAIN, STYLES

BYTES_SHOWN = 16
NAMED = (CODE[Role.HEADER, None], CODE[Role.LENGTH, None])
"""How neighbouring parts are told apart."""


class LayerSource:
    """A :class:`~viewer.ui.hex.byte_source.HexSource` over one layer.

    Args:
        layer: what is shown.
    """

    def __init__(self, layer: ShownLayer) -> None:
        self._layer = layer
        self._errors = [damage.span for damage in layer.damages if len(damage.span)]

    def size(self) -> int:
        """Bytes in the layer."""
        return len(self._layer.buffer)

    def read(self, start: int, end: int) -> bytes:
        """Some of them."""
        return bytes(self._layer.buffer[start:end])

    def styles(self, start: int, end: int) -> bytes:
        """Where one part ends and the next begins."""
        codes = bytearray([PLAIN]) * (end - start)
        for index, part in enumerate(self._layer.parts):
            low, high = max(part.span.start, start), min(part.span.end, end)
            if low < high:
                codes[low - start : high - start] = bytes([NAMED[index % 2]]) * (high - low)
        return bytes(codes)

    def modified(self, start: int, end: int) -> list[Span]:
        """Nothing is changed here."""
        return []

    def errors(self, start: int, end: int) -> list[Span]:
        """What is damaged."""
        return [span for span in self._errors if span.end > start and span.start < end]

    def warnings(self, start: int, end: int) -> list[Span]:
        """Nothing."""
        return []

    def recovered(self, start: int, end: int) -> list[Span]:
        """Nothing."""
        return []

    def search_hits(self, start: int, end: int) -> list[Span]:
        """Nothing: values are looked for in the innermost layer."""
        return []

    def current_hit(self) -> Span | None:
        """None."""
        return None

    def parents(self, offset: int) -> Span | None:
        """None."""
        return None

    def coverage(self, buckets: int) -> Iterator[CoverageMark]:
        """The whole layer in equal stretches."""
        size = self.size()
        count = min(buckets, size)
        for k in range(count):
            start, end = k * size // count, (k + 1) * size // count
            yield CoverageMark(STYLES[self.styles(start, start + 1)[0]], bool(self.errors(start, end)))

    def describe(self, offset: int) -> Description | None:
        """The words of the hover card for a byte."""
        part = next((part for part in self._layer.parts if offset in part.span), None)
        damage = next((damage for damage in self._layer.damages if offset in damage.span), None)
        if part is None and damage is None:
            return None
        span = part.span if part is not None else damage.span if damage is not None else Span(offset, offset + 1)
        raw = self.read(span.start, min(span.end, span.start + BYTES_SHOWN)).hex(" ").upper()
        more = " …" if len(span) > BYTES_SHOWN else ""
        meaning = part.name if part is not None else "damaged"
        value = damage.sentence if damage is not None else part.text if part is not None else ""
        return Description(self._layer.label, "?", None, meaning, value, span, raw + more)
