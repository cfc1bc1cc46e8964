"""The ledger: what every byte of a document is for, as codes: what the hex view colours, the coverage strip sums up."""

from __future__ import annotations

from bisect import bisect_right

from viewer.base.span import Span
from viewer.container.layer import SourceText
from viewer.document.document import Document
from viewer.document.pieces import message
from viewer.document.pieces.framing import Frame
from viewer.variant.dialect import COLLECTIONS, NAMED, PAIRED, Kind
from viewer.variant.elements import TextIndex
from viewer.variant.part import Role
from viewer.variant.table import NONE, NodeTable
from viewer.variant.tints import BYTE, CODE, GAP, HEADER, LENGTH, PADDING, PLAIN, PREFIX, STYLES, Style, Tints

FRAMES_KEPT = 64
COMMENT = 4096
"""Bytes of one line that are looked at for the beginning of a comment."""
BRACKETS = frozenset({b"[", b"]", b"{", b"}", b"(", b")"})
FIELDS = {
    message.FieldRole.FIELD: HEADER,
    message.FieldRole.VALUE: PLAIN,
    message.FieldRole.COMPRESSED: CODE[Role.VALUE, "number"],
    message.FieldRole.OPAQUE: PLAIN,
}


class ByteClassifier:
    """What a document's bytes are for.

    Args:
        document: whose bytes. A ledger sees through edits: it forgets what another revision said.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._revision = -1
        self._last = (0, 0, b"")
        self._indexes: dict[int, dict[int, TextIndex]] = {}  # no tables: their memory serves the next scan

    def codes(self, start: int, end: int) -> bytes:
        """One code of :data:`~viewer.variant.tints.STYLES` for each byte of ``[start, end)`` of the layer or text.

        Bytes between frames are a gap, but PLAIN as long as nobody has looked for frames.
        """
        self._forget()
        first, last, known = self._last
        if start < first < end <= last:
            self._last = (start, end, self._codes(start, first) + known[: end - first])
        elif first <= start < last < end:
            self._last = (start, end, known[start - first :] + self._codes(last, end))
        elif not first <= start <= end <= last:
            self._last = (start, end, self._codes(start, end))
        else:
            return known[start - first : end - first]
        return self._last[2]

    def _codes(self, start: int, end: int) -> bytes:
        if self.document.text is not None:
            return self._text_codes(self.document.text, start, end)
        frames = self.document.frames
        between = BYTE[GAP if self.document.gaps else PLAIN]
        at, end = max(0, start), min(end, len(self.document.buffer))
        index = self._first_frame(at) if at < end else 0
        out = []
        while at < end and index < len(frames):
            span = frames[index].span
            if span.start >= end:
                break
            if at < span.start:
                out.append(between * (span.start - at))
                at = span.start
            stop = min(end, span.end)
            out.append(self._inside(index, at, stop))
            at = max(at, stop)
            index += 1
        out.append(between * (end - at))
        codes = b"".join(out)
        return self._with_fields(codes, max(0, start)) if self.document.fields else codes

    def _text_codes(self, text: SourceText, start: int, end: int) -> bytes:
        """Those of a text: brackets as headers, keys as lengths, comments as padding, and what spells a value."""
        wanted, data = start, text.outside
        least = max(start - COMMENT, 0)
        start = max(data.rfind(b"\n", least, start) + 1, least)  # a comment may have begun before
        codes = bytearray((PLAIN,)) * (min(end, len(data)) - start)
        found: tuple[Frame, int] | None = None
        table: NodeTable | None = None
        kinds: dict[int, Kind | None] = {}
        for span, inside in text.values_in(start, end):
            found = _next_node(found, inside) or self.document.node_at(inside)
            if found is None:
                continue
            if table is not found[0].table:
                table, kinds = found[0].table, {}
            code = _code_in_text(table, found[1], kinds)
            edges = (span,) if code != HEADER else (Span(span.start, span.start + 1), Span(span.end - 1, span.end))
            for edge in edges:
                low, high = max(edge.start, start) - start, min(edge.end, end) - start
                if low < high and (code != HEADER or data[edge.start : edge.end] in BRACKETS):
                    codes[low:high] = BYTE[code] * (high - low)
        _fill_comments(codes, data, text.comment, start)
        return bytes(codes[wanted - start :])

    def _with_fields(self, known: bytes, start: int) -> bytes:
        """The same codes with those of the fields among them, which are looked at like headers."""
        codes, end = bytearray(known), start + len(known)
        fields = self.document.fields
        for place in range(self._first_field(start), len(fields)):
            piece = fields[place]
            if piece.span.start >= end:
                break
            low, high = max(piece.span.start, start) - start, min(piece.span.end, end) - start
            if low < high:
                codes[low:high] = BYTE[self._field_code(piece)] * (high - low)
        return bytes(codes)

    def _field_code(self, piece: message.MessageField) -> int:
        is_left = piece.role is message.FieldRole.OPAQUE and self.document.structure is not None
        return GAP if is_left or piece.is_unread else FIELDS[piece.role]

    def _first_field(self, offset: int) -> int:
        """The first field that ends behind *offset*; they lie in the order of their bytes."""
        return bisect_right(self.document.fields, offset, key=lambda piece: piece.span.end)

    def at(self, offset: int) -> Style:
        """What one byte is for."""
        return STYLES[self.codes(offset, offset + 1)[0]]

    def _forget(self) -> None:
        if self._revision != self.document.revision:
            self._revision = self.document.revision
            self._indexes.clear()
            self._last = (0, 0, b"")

    def _first_frame(self, offset: int) -> int:
        """The first frame that ends behind *offset*."""
        frames = self.document.frames
        low, high = 0, len(frames)
        while low < high:
            middle = (low + high) // 2
            if frames[middle].span.end <= offset:
                low = middle + 1
            else:
                high = middle
        return low

    def _inside(self, index: int, start: int, end: int) -> bytes:
        """The codes of some bytes of a frame."""
        frame = self.document.frames[index]
        begin = frame.start
        prefix = BYTE[PREFIX] * (min(end, begin) - start)
        if end <= begin:
            return prefix
        if len(self._indexes) >= FRAMES_KEPT:
            self._indexes.clear()
        tints = Tints(frame.table, self._indexes.setdefault(index, {}))
        return prefix + tints.codes(max(start, begin) - begin, end - begin)


def _next_node(last: tuple[Frame, int] | None, inside: int) -> tuple[Frame, int] | None:
    """The node that begins at a byte, if it is the next one in its collection, or the first one of the last node."""
    if last is None or last[0].table.gaps:
        return None
    frame, node = last
    start, parent, local = frame.table.start, frame.table.parent, inside - frame.start
    for number in (node + 1, frame.table.first[node]):
        if 0 < number < len(start) and start[number] == local and parent[number] != NONE:
            return frame, number
    return None


def _code_in_text(table: NodeTable, node: int, kinds: dict[int, Kind | None]) -> int:
    """The code of a value that is spelled in a text: that of its type, or of a key; of a collection, its brackets'.

    Args:
        table: the values.
        node: it.
        kinds: those of nodes that hold others, as far as somebody asked; it grows.
    """
    parent = table.parent[node] if node else NONE
    is_key = False
    if parent != NONE:
        if parent not in kinds:
            holder = table.holder_row(parent)
            kinds[parent] = holder.kind if holder is not None else None
        kind = kinds[parent]
        is_key = kind in PAIRED and (node - table.first[parent]) % 2 == 0
        if is_key and kind in NAMED:
            return LENGTH
    row = table.holder_row(node)
    if table.first[node] or (row is not None and row.kind in COLLECTIONS):
        return HEADER
    return LENGTH if is_key else CODE.get((Role.VALUE, row.group), PLAIN) if row is not None else PLAIN


def _fill_comments(codes: bytearray, data: bytes, sign: bytes, start: int) -> None:
    """Let comments be padding: from their sign, where that stands in no value, to the end of the line.

    Args:
        codes: of the bytes from *start* on, which begin with a line; changed.
        data: the text.
        sign: what comments begin with, empty where there are none.
        start: where the codes begin.
    """
    end = start + len(codes)
    at = data.find(sign, start, end) if sign else -1
    while at >= 0:
        stop = at + 1
        if codes[at - start] == PLAIN:
            stop = data.find(b"\n", at, end)
            stop = end if stop < 0 else stop
            codes[at - start : stop - start] = BYTE[PADDING] * (stop - at)
        at = data.find(sign, stop, end)
