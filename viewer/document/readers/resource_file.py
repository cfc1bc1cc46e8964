"""Binary resources of Godot 3 and 4 (RSRC, and what RSCC unwraps to): header, tables, and a value for each resource.

Source: files of Godot 3.2.3 and 4.6 read back by them; ``core/io/resource_format_binary.cpp`` of 4.2.2.
"""

from __future__ import annotations

from array import array

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import Code, Diagnostic, count_bytes
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.container.resource_order import LATEST, RSRC
from viewer.document.message import FieldRole, MessageField
from viewer.document.readers.file_structure import RESOURCE, OffsetWord, Resources, Structure, is_damaged_text
from viewer.variant import text
from viewer.variant.dialect import Dialect, load_resource_values
from viewer.variant.string_table import StringTable

NEWEST = {3: 3, 4: 6}
"""The newest format of each engine line; from *FIRST_OF_4* on the header is that of Godot 4."""
FIRST_OF_4 = 4
NAMED_IDS, UIDS, DOUBLE, SCRIPT_CLASS = 1, 2, 4, 8
RESERVED = {3: 13, 4: 11}
NO_UID = (1 << 64) - 1
SHOWN = 64
"""Strings and other resources of a table that are told one by one."""
LOCAL = "local://"


def read_resource(buffer: Buffer) -> Structure:
    """Cut a binary resource.

    Args:
        buffer: the bytes of the file, or what was compressed in it, which begins behind the mark.
    """
    return _ResourceReader(buffer, len(RSRC) if bytes(buffer[:4]) == RSRC else 0).read()


class _Cut(Exception):
    """The file ends inside what is read."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class _ResourceReader:
    """Reads header and tables.

    Args:
        buffer: the bytes.
        start: where the stream begins, behind the mark.
    """

    def __init__(self, buffer: Buffer, start: int) -> None:
        self.buffer = buffer
        self.size = len(buffer)
        self.start = self.at = start
        self.big = False
        self.what = "header"
        self.pieces: list[MessageField] = []
        self.children: list[MessageField] = []
        self.found: list[Diagnostic] = []
        self.offsets: list[OffsetWord] = []
        self.external: list[tuple[str, str]] = []
        self.internal: list[tuple[str, int]] = []
        self.major = self.line = LATEST
        self.flags = 0
        self.is_damaged = False
        self.type = self.script_class = ""
        self.dialect: Dialect = load_resource_values("godot4")
        self.starts = array("Q")

    def read(self) -> Structure:
        """The structure, as far as the bytes can be followed."""
        try:
            self._header()
            self._strings()
            self._external()
            self._internal()
        except _Cut as cut:
            if self.children:
                self._close(self.what, "cut off")
            span = Span(min(self.at, max(self.size - 1, 0)), self.size)
            self.found.append(Diagnostic(Code.RESOURCE_CUT, span, facts={"what": cut.what}))
            self._rest(self.at, "unread")
        else:
            if not self.big:
                self._blocks()
            else:
                self._rest(self.at, "big-endian values")
        line = f"Godot {self.line}"
        names = StringTable(self.buffer, self.starts, self.dialect.rules.utf8)
        values = [piece for piece in self.pieces if piece.role is FieldRole.VALUE]
        return Structure(
            RESOURCE,
            f"{line} binary resource: {escaped(self.script_class or self.type) or 'without a class'}",
            self.dialect,
            tuple(self.pieces),
            max(0, next((k for k, piece in enumerate(values) if piece.name == MAIN), len(values) - 1)),
            names,
            tuple(self.offsets),
            tuple(self.found),
            self._resources(),
        )

    # Primitives

    def _need(self, size: int) -> int:
        if self.at + size > self.size:
            raise _Cut(self.what)
        start, self.at = self.at, self.at + size
        return start

    def _number(self, name: str, size: int = 4, told: str = "", little: bool = False) -> int:
        start = self._need(size)
        order = "big" if self.big and not little else "little"
        number = int.from_bytes(bytes(self.buffer[start : self.at]), order)  # type: ignore[arg-type]
        self.children.append(MessageField(Span(start, self.at), name, told or str(number)))
        return number

    def _text(self, name: str) -> str:
        start = self._need(4)
        length = int.from_bytes(bytes(self.buffer[start : self.at]), "big" if self.big else "little")
        if length > self.size - self.at:
            self.at = start
            raise _Cut(self.what)
        raw = bytes(self.buffer[self.at : self.at + length])
        self.at += length
        found = str(text.read(raw.removesuffix(b"\0"), "lenient"))
        self.is_damaged = is_damaged_text(raw)
        self.children.append(MessageField(Span(start, self.at), name, found))
        return found

    def _retell(self, told: str) -> None:
        """Say what the last number means."""
        last = self.children[-1]
        self.children[-1] = MessageField(last.span, last.name, told)

    def _close(self, name: str, told: str) -> None:
        """Make one field of what was read since the last one."""
        start = self.pieces[-1].span.end if self.pieces else 0
        if self.at > start:
            self.pieces.append(MessageField(Span(start, self.at), name, told, children=tuple(self.children)))
        self.children = []

    def _rest(self, start: int, name: str) -> None:
        if start < self.size:
            told = count_bytes(self.size - start)
            self.pieces.append(MessageField(Span(start, self.size), name, told, FieldRole.OPAQUE))

    def _count(self, least: int) -> int:
        """A count of entries that take at least so many bytes each."""
        start = self.at
        count = self._number("count")
        if count * least > self.size - self.at:
            facts = {"what": self.what, "count": count, "available": count_bytes(self.size - self.at)}
            self.found.append(Diagnostic(Code.RESOURCE_COUNT, Span(start, self.at), facts=facts))
            raise _Cut(self.what)
        return count

    # The header and the tables

    def _header(self) -> None:
        if self.start:
            self.children.append(MessageField(Span(0, self.start), "mark", "RSRC"))
        self.big = self._number("byte order", little=True) != 0
        self._retell("big-endian" if self.big else "little-endian")
        self._number("64-bit reals")
        place = self.at
        self.major = self._number("engine, major")
        minor = self._number("engine, minor")
        form_place = self.at
        form = self._number("format")
        self._judge_version(place, form_place, form)
        line = self.line = LATEST if self.major >= LATEST or form >= FIRST_OF_4 else 3
        self.type = self._text("class")
        start = self.at
        moved = self._number("import metadata", 8)
        if moved:
            self.offsets.append(OffsetWord(Span(start, self.at), moved, self.big))
        self.flags = self._number("flags") if line == 4 else 0
        if line == 4:
            self._retell(_flags(self.flags))
            uid = self._number("uid", 8)
            self._retell("none" if uid == NO_UID else f"{uid:016x}")
            if self.flags & SCRIPT_CLASS:
                self.script_class = self._text("script class")
        else:
            self._number("reserved")
        for _ in range(RESERVED[line]):
            self._number("reserved")
        self.dialect = load_resource_values(f"godot{line}", bool(self.flags & DOUBLE))
        self._close("header", f"{self.type}, Godot {self.major}.{minor}, format {form}")

    def _judge_version(self, place: int, form_place: int, form: int) -> None:
        newest = NEWEST[LATEST if self.major >= LATEST else 3]
        if self.major > LATEST:
            sentence = f"Godot {self.major} wrote this; what is known here ends with Godot {LATEST}."
            self.found.append(Diagnostic(Code.RESOURCE_REFUSED, Span(place, place + 4), facts={"sentence": sentence}))
        elif form > newest:
            sentence = (
                f"Format {form} is newer than any of Godot {self.major} that is known here, which end with {newest}."
            )
            span = Span(form_place, form_place + 4)
            self.found.append(Diagnostic(Code.RESOURCE_REFUSED, span, facts={"sentence": sentence}))

    def _strings(self) -> None:
        self.what = "strings"
        count = self._count(4)
        for place in range(count):
            self.starts.append(self.at)
            self._text(f"string {place}")
            if place >= SHOWN:
                self.children.pop()
        self._close("strings", counted(count, "name"))

    def _external(self) -> None:
        self.what = "external resources"
        count = self._count(8 + 8 * bool(self.flags & UIDS))
        for place in range(count):
            start, known = self.at, len(self.children)
            kind, path = self._text("type"), self._text("path")
            if self.is_damaged:
                facts = {"path": path}
                self.found.append(Diagnostic(Code.RESOURCE_PATH, self.children[-1].span, facts=facts))
            if self.flags & UIDS:
                self._number("uid", 8)
            self.external.append((kind, path))
            self._group(start, known, f"external {place}", f"{kind} {path}", place)
        self._close("external resources", counted(count, "resource"))

    def _internal(self) -> None:
        self.what = "internal resources"
        count = self._count(12)
        for place in range(count):
            start, known = self.at, len(self.children)
            path = self._text("path")
            at = self.at
            offset = self._number("offset", 8)
            self._retell(f"0x{offset:X}")
            self.offsets.append(OffsetWord(Span(at, self.at), offset, self.big))
            self.internal.append((path, offset))
            self._group(start, known, f"internal {place}", f"{path} at 0x{offset:X}", place)
        if not count:
            span = Span(self.at - 4, self.at)
            facts = {"sentence": "There is no resource in this file: engines refuse it."}
            self.found.append(Diagnostic(Code.RESOURCE_REFUSED, span, facts=facts))
        self._close("internal resources", counted(count, "resource"))

    def _group(self, start: int, known: int, name: str, told: str, place: int) -> None:
        """One entry of a table, with what it is made of; those behind the first are not told one by one."""
        inside = tuple(self.children[known:])
        del self.children[known:]
        if place < SHOWN:
            self.children.append(MessageField(Span(start, self.at), name, told, children=inside))

    # The resources

    def _names(self) -> list[str]:
        """What each internal resource is called, in the order of the table."""
        names = [path.removeprefix(LOCAL) or f"resource {place}" for place, (path, _) in enumerate(self.internal)]
        if names:
            names[-1] = MAIN
        return names

    def _numbers(self) -> list[int]:
        """The number that references have for each internal resource: its place, in Godot 3 that in its path."""
        if self.line >= LATEST:
            return list(range(len(self.internal)))
        numbers = (path.removeprefix(LOCAL) for path, _ in self.internal)
        return [int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1 for number in numbers]

    def _resources(self) -> Resources:
        """What references name."""
        values = [piece for piece in self.pieces if piece.role is FieldRole.VALUE]
        starts = {piece.span.start: frame for frame, piece in enumerate(values)}
        entries = list(zip(self._numbers(), self._names(), self.internal, strict=True))
        named = {number: name for number, name, _ in entries if number >= 0}
        frames = {number: starts[offset] for number, _, (_, offset) in entries if offset in starts and number >= 0}
        return Resources(named, tuple(self.external), frames, self.line >= LATEST)

    def _blocks(self) -> None:
        """The resources in the order of their bytes: each reaches to the next one."""
        end = self.size - len(RSRC) if bytes(self.buffer[self.size - 4 :]) == RSRC else self.size
        end = max(end, self.at)
        named: dict[int, str] = {}
        words = self.offsets[len(self.offsets) - len(self.internal) :]
        for (_, offset), name, word in zip(self.internal, self._names(), words, strict=True):
            if not self.at <= offset < end:
                facts = {"name": name, "offset": f"0x{offset:X}"}
                self.found.append(Diagnostic(Code.RESOURCE_OFFSET, word.span, facts=facts))
            else:
                named[offset] = name if offset not in named else f"{named[offset]}, {name}"
        places = sorted(named)
        if not places:
            self._rest(self.at, "unread")
            return
        if places[0] > self.at:
            self._unused(Span(self.at, places[0]))
        for start, stop in zip(places, [*places[1:], end], strict=True):
            self.pieces.append(MessageField(Span(start, stop), named[start], "", FieldRole.VALUE))
        if end < self.size:
            self.pieces.append(MessageField(Span(end, self.size), "end", "RSRC"))
        else:
            self.found.append(Diagnostic(Code.RESOURCE_END, Span(max(0, self.size - 1), self.size)))

    def _unused(self, span: Span) -> None:
        self.pieces.append(MessageField(span, "unused", count_bytes(len(span)), FieldRole.OPAQUE))


MAIN = "main"
FLAGS = ((NAMED_IDS, "named ids"), (UIDS, "uids"), (DOUBLE, "64-bit reals"), (SCRIPT_CLASS, "script class"))


def _flags(word: int) -> str:
    known = [name for bit, name in FLAGS if word & bit]
    rest = word & ~sum(bit for bit, _ in FLAGS)
    return ", ".join([*known, *([f"0x{rest:X}"] if rest else [])]) or "none"
