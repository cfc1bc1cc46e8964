"""Lint texts, fill, and the values whose payload has parts of their own."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.diagnostic import Code, count_bytes
from viewer.base.span import Span
from viewer.variant import text
from viewer.variant.dialect import SHARED, image_formats, input_event
from viewer.variant.heads import INT_MAX, name_total
from viewer.variant.items import Role, parts
from viewer.variant.lint.image_size import fits
from viewer.variant.lint.sink import Sink

PAUSE_EVERY = 1024
ZEROS = (b"", b"\0", b"\0\0", b"\0\0\0")


class TextLint:
    """The checks of one walk. Those called with a header take what the walk gives every check."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.table = sink.table
        self.buffer = sink.table.buffer
        self.u32 = sink.u32
        self.rules = sink.rules
        self.may_be_cut = sink.rules.string_padding == "optional"

    def check(self, node: int, at: int, end: int) -> None:
        """The only text of a node: its length word stands at *at*, the node's own bytes end at *end*."""
        if end < at + 4:
            return
        stop = at + 4 + self.u32(at)[0]
        if stop <= end:
            self._text(node, Span(at + 4, stop), "text")
            self._last_fill(node, Span(stop, end), -(stop - at) % 4, "padding", self.may_be_cut)

    def packed_bytes(self, node: int, pos: int, end: int, header: int) -> None:
        """The fill of a byte array; all engines take it when it is cut off."""
        count = self.u32(pos + 4)[0] if end >= pos + 8 else 0
        if count % 4 and pos + 8 + count <= end:
            self._last_fill(node, Span(pos + 8 + count, end), -count % 4, "padding", True)

    def packed_strings(self, node: int, pos: int, end: int) -> Iterator[None]:
        """Each element: its length counts a NUL that closes it. Pauses now and then."""
        if end < pos + 8:
            return
        count = self.u32(pos + 4)[0]
        if count > INT_MAX:
            span = Span(pos + 4, pos + 8)
            self.sink.add(Code.NEGATIVE_STRING_COUNT, span, node, "count", count=count - (1 << 32))
            return
        at = pos + 8
        for k in range(count):
            if at + 4 > end:
                return
            stop = at + 4 + self.u32(at)[0]
            if stop > end:
                return
            after = min(stop + (at - stop) % 4, end)
            if not _is_clean_element(bytes(self.buffer[at + 4 : stop]), bytes(self.buffer[stop:after])):
                self._element(node, k, Span(at + 4, stop), Span(stop, after))
            at = after
            if k % PAUSE_EVERY == PAUSE_EVERY - 1:
                yield

    def _element(self, node: int, k: int, span: Span, fill: Span) -> None:
        closed = len(span) > 0 and self.buffer[span.end - 1] == 0
        if not closed:
            self.sink.add(Code.NUL_MISSING, span, node, f"[{k}]")
        self._text(node, Span(span.start, span.end - closed), f"[{k}]")
        self._last_fill(node, fill, -len(span) % 4, f"[{k}]@padding", self.may_be_cut)

    def node_path(self, node: int, pos: int, end: int, header: int) -> None:
        """Counts, flags and names."""
        if end < pos + 8:
            return
        names = self.u32(pos + 4)[0]
        if not names & SHARED:
            if self.rules.old_node_path:
                self.sink.add(Code.OLD_PATH_FORM, Span(pos, end), node, dialect=self.sink.dialect.name)
        elif end >= pos + 16:
            self._path_words(node, pos + 4, names & INT_MAX)
        self.by_parts(node, pos, end, header, unwritten=True)

    def _path_words(self, node: int, at: int, names: int) -> None:
        subnames, flags = self.u32(at + 4)[0], self.u32(at + 8)[0]
        total, span = name_total(names, subnames, flags), Span(at + 8, at + 12)
        if names + subnames + (flags >> 1 & 1) != total:
            self.sink.add(Code.NAME_COUNT_WRAPS, Span(at, at + 8), node, "name_count", count=total)
        if flags & ~3:
            self.sink.add(Code.PATH_FLAGS, span, node, "flags", bits=f"0x{flags & ~3:08X}")
        if flags & 2 and not self.rules.property_flag:
            self.sink.add(Code.PATH_PROPERTY, span, node, "flags", dialect=self.sink.dialect.name)
        if flags & 1 and not total:
            self.sink.add(Code.EMPTY_PATH, span, node, "flags")

    def image(self, node: int, pos: int, end: int, header: int) -> None:
        """Godot 2's image: do the pixel bytes fit format and size?"""
        if end < pos + 24:
            return
        number, mipmaps, width, height, length = (self.u32(at)[0] for at in range(pos + 4, pos + 24, 4))
        if number >= len(image_formats()) or pos + 24 + length > end:
            return
        if not fits(image_formats()[number], width, height, mipmaps, length):
            span, part = (Span(pos + 24, pos + 24 + length), "data") if length else (Span(pos + 20, pos + 24), "length")
            image = _image_words(image_formats()[number], width, height, mipmaps)
            self.sink.add(Code.IMAGE_SIZE, span, node, part, size=count_bytes(length), image=image)
        self._last_fill(node, Span(pos + 24 + length, end), -length % 4, "padding", True)

    def input_event(self, node: int, pos: int, end: int, header: int) -> None:
        """Godot 2's event: its length counts from the type on."""
        if end < pos + 16:
            return
        expected = 12 + sum(field.size for field in input_event(self.u32(pos + 4)[0]).fields)
        length = self.u32(pos + 12)[0]
        if length != expected:
            facts = {"length": count_bytes(length), "expected": count_bytes(expected)}
            self.sink.add(Code.EVENT_LENGTH, Span(pos + 12, pos + 16), node, "length", **facts)

    def by_parts(self, node: int, pos: int, end: int, header: int, unwritten: bool = False) -> None:
        """Every text and fill of a node, part by part; *unwritten* fill is not what the engine writes."""
        for part in parts(self.table, node):
            if part.type == "text":
                self._text(node, part.span, part.name)
            elif part.role is Role.PADDING:
                self._fill(node, part.span, part.name, unwritten)

    # Texts and fill

    def _text(self, node: int, span: Span, part: str) -> None:
        raw = bytes(self.buffer[span.start : span.end])
        if raw.startswith(text.BOM):
            self.sink.add(Code.BYTE_ORDER_MARK, Span(span.start, span.start + 3), node, part)
        nul = raw.find(b"\0")
        if nul >= 0:
            self.sink.add(Code.NUL_IN_TEXT, Span(span.start + nul, span.end), node, part)
        if self.rules.utf8 == "strict" or (fault := text.fault(raw, "strict")) is None:
            return
        lost = text.fault(raw, "lenient")
        if lost is None:
            at, name = span.start + fault.offset, self.sink.dialect.name
            self.sink.add(Code.LENIENT_UTF8, Span(at, at + 1), node, part, dialect=name)
        elif self.rules.utf8 == "any":
            self.sink.add(Code.LOST_TEXT, span, node, part, dialect=self.sink.dialect.name)

    def _fill(self, node: int, span: Span, part: str, unwritten: bool = False) -> None:
        """The fill that is there; *unwritten* where the engine leaves it as it was."""
        if any(self.buffer[span.start : span.end]):
            kept = unwritten or self.rules.unwritten_padding == "all"
            code = Code.UNWRITTEN_PADDING if kept else Code.PADDING_NOT_ZERO
            self.sink.add(code, span, node, part, dialect=self.sink.dialect.name)

    def _last_fill(self, node: int, span: Span, size: int, part: str, may_be_cut: bool) -> None:
        """Fill that should be *size* bytes long, but may be cut off where the data ends."""
        if len(span) < size and may_be_cut:
            self.sink.add(Code.PADDING_CUT, span, node, part, missing=count_bytes(size - len(span)))
        self._fill(node, span, part)


def _image_words(name: str, width: int, height: int, mipmaps: int) -> str:
    levels = f" with {mipmaps} extra level{'' if mipmaps == 1 else 's'}" if mipmaps else ""
    return f"an image of {width} by {height} in {name}{levels}"


def _is_clean_element(raw: bytes, fill: bytes) -> bool:
    """Whether a string element is plain ASCII, closed by its only NUL, and filled up with zeros."""
    return raw.find(b"\0") == len(raw) - 1 and len(raw) > 0 and raw.isascii() and fill == ZEROS[-len(raw) % 4]
