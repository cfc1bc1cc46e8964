"""Binary resources of Godot 3 and 4 (RSRC, and what RSCC unwraps to): header, tables, and a value for each resource.

Source: files of Godot 3.2.3 and 4.6 read back by them; ``core/io/resource_format_binary.cpp`` of 4.2.2.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from struct import Struct

from viewer.base.buffer import Buffer, unpacker
from viewer.base.diagnostic import Code, Diagnostic, count_bytes
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.container.resource_order import LATEST, RSRC
from viewer.document.pieces.message import FieldForm, FieldRole, MessageField
from viewer.document.readers.file_structure import (
    EXTERNAL,
    INTERNAL,
    RESOURCE,
    STRINGS,
    LateFields,
    OffsetWords,
    Resources,
    Structure,
    is_damaged_text,
)
from viewer.document.readers.resource_uid import uid_text
from viewer.variant import text
from viewer.variant.dialect import Dialect, load_resource_values
from viewer.variant.string_table import StringTable

NEWEST = {3: 3, 4: 6}
"""The newest format of each engine line. Godot 4 always sets flags, where Godot 3 has a reserved word."""
NAMED_IDS, UIDS, DOUBLE, SCRIPT_CLASS = 1, 2, 4, 8
RESERVED = {3: 13, 4: 11}
LOCAL = "local://"
STRETCH, ENTRY = 1 << 18, 1 << 8
"""Bytes of a table that are looked at together, and those that hold nearly each of its entries."""


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
        self.entries: LateFields | None = None
        self.offsets, self.targets = array("Q"), array("Q")
        self.external: list[tuple[str, str]] = []
        self.paths: list[str] = []
        self.names: list[str] = []
        self.places = array("Q")
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
                self._scene()
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
            OffsetWords(self.offsets, self.targets, self.big),
            tuple(self.found),
            self._resources(),
        )

    # Primitives

    def _need(self, size: int) -> int:
        if self.at + size > self.size:
            raise _Cut(self.what)
        start, self.at = self.at, self.at + size
        return start

    def _number(self, name: str, size: int = 4, editable: str = "") -> int:
        """A number; *editable* is the type of one that a person may change."""
        kind = editable or f"u{8 * size}"
        start = self._need(size)
        number = int.from_bytes(bytes(self.buffer[start : self.at]), self._order)  # type: ignore[arg-type]
        form = FieldForm(kind, self.big, is_locked=not editable)
        self.children.append(MessageField(Span(start, self.at), name, str(number), form=form))
        return number

    @property
    def _order(self) -> str:
        return "big" if self.big else "little"

    def _uid(self) -> None:
        self._retell(uid_text(self._number("uid", 8, "uid")))

    def _text(self, name: str) -> str:
        start = self._need(4)
        length = int.from_bytes(bytes(self.buffer[start : self.at]), self._order)  # type: ignore[arg-type]
        if length > self.size - self.at:
            self.at = start
            raise _Cut(self.what)
        raw = bytes(self.buffer[self.at : self.at + length])
        self.at += length
        found = _read_text(raw)
        self.is_damaged = is_damaged_text(raw)
        form = FieldForm("text", self.big, 4, b"\0")
        self.children.append(MessageField(Span(start, self.at), name, found, form=form))
        return found

    def _retell(self, told: str) -> None:
        """Say what the last number means."""
        self.children[-1] = replace(self.children[-1], text=told)

    def _close(self, name: str, told: str) -> None:
        """Make one field of what was read since the last one."""
        start = self.pieces[-1].span.end if self.pieces else 0
        children: Sequence[MessageField] = tuple(self.children)
        if self.entries is not None:
            children = self.entries.between(children[:1], children[1:])
        if self.at > start:
            self.pieces.append(MessageField(Span(start, self.at), name, told, children=children))
        self.children, self.entries = [], None

    def _entries(self, make: Callable[[_ResourceReader, int], None]) -> array[int]:
        """Where the entries of the table begin that follows, of which each is made when somebody asks for it."""
        starts = array("Q")
        self.entries = LateFields(starts, partial(self._made, make))
        return starts

    def _made(self, make: Callable[[_ResourceReader, int], None], place: int, start: int) -> MessageField:
        lone = _ResourceReader(self.buffer, self.start)
        lone.at, lone.big, lone.flags = start, self.big, self.flags
        make(lone, place)
        return lone.children[0]

    def _behind_text(self, word: Callable[[int], tuple[int]], at: int) -> int:
        """The byte behind the text at *at*, of the file's length at most; 0 where the file ends before."""
        end = at + 4 + word(at)[0] if at + 4 <= self.size else 0
        return end if end <= self.size else 0

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
        self.big = self._number("byte order") != 0
        self._retell("big-endian" if self.big else "little-endian")
        self._number("64-bit reals")
        place = self.at
        self.major = self._number("engine, major", editable="u32")
        minor = self._number("engine, minor", editable="u32")
        form_place = self.at
        form = self._number("format", editable="u32")
        self.type = self._text("class")
        start = self.at
        moved = self._number("import metadata", 8)
        if moved:
            self.offsets.append(start)
            self.targets.append(moved)
        start, self.flags = self.at, self._number("flags")
        is_of_4 = bool(self.flags) or (self.major >= LATEST and form > NEWEST[3])
        line = self.line = LATEST if is_of_4 else 3
        self._judge_version(place, form_place, form)
        if line == 4:
            self._retell(_flags(self.flags))
            self._uid()
            if self.flags & SCRIPT_CLASS:
                self.script_class = self._text("script class")
        else:
            self.children[-1] = MessageField(Span(start, self.at), "reserved", "0")
        for _ in range(RESERVED[line]):
            self._number("reserved")
        self.dialect = load_resource_values(f"godot{line}", bool(self.flags & DOUBLE))
        self._close("header", f"{self.type}, Godot {self.major}.{minor}, format {form}")

    def _judge_version(self, place: int, form_place: int, form: int) -> None:
        """Whether the engine line that wrote this refuses to load it."""
        newest, span = NEWEST[self.line], Span(place, place + 4)
        if self.major > LATEST:
            sentence = f"Godot {self.major} wrote this; what is known here ends with Godot {LATEST}."
        elif self.major > self.line:
            sentence = (
                f"This has the header of Godot {self.line}, but says Godot {self.major}: Godot {self.line} refuses it."
            )
        elif form > newest:
            span = Span(form_place, form_place + 4)
            sentence = (
                f"Format {form} is newer than any of Godot {self.line} that is known here, which end with {newest}."
            )
        else:
            return
        self.found.append(Diagnostic(Code.RESOURCE_REFUSED, span, facts={"sentence": sentence}))

    def _strings(self) -> None:
        self.what = STRINGS
        count = self._count(4)
        starts, word = self._entries(_ResourceReader._string), self._unpacker("I")
        for place in range(count):
            end = self._behind_text(word, self.at)
            if not end:
                self._string(place)
            starts.append(self.at)
            self.at = end
        self.starts = starts
        self._close(STRINGS, counted(count, "name"))

    def _string(self, place: int) -> None:
        self._text(f"string {place}")

    def _external(self) -> None:
        self.what = EXTERNAL
        count = self._count(8 + 8 * bool(self.flags & UIDS))
        starts = self._entries(_ResourceReader._one_external)
        for place in range(count):
            start, known = self.at, len(self.children)
            self._one_external(place)
            del self.children[known:]
            starts.append(start)
        self._close(EXTERNAL, counted(count, "resource"))

    def _one_external(self, place: int) -> None:
        start, known = self.at, len(self.children)
        kind, path = self._text("type"), self._text("path")
        if self.is_damaged:
            facts = {"path": path}
            self.found.append(Diagnostic(Code.RESOURCE_PATH, self.children[-1].span, facts=facts))
        if self.flags & UIDS:
            self._uid()
        self.external.append((kind, path))
        self._group(start, known, f"external {place}", f"{kind} {path}")

    def _internal(self) -> None:
        self.what = INTERNAL
        count = self._count(12)
        starts = self._entries(_ResourceReader._one_internal)
        order = ">" if self.big else "<"
        word, target, empty = Struct(f"{order}I").unpack_from, Struct(f"{order}Q").unpack_from, b""
        raw, low, at = empty, self.at, self.at
        for place in range(count):
            if at - low + ENTRY > len(raw):
                raw, low = bytes(self.buffer[at : at + STRETCH]), at
            begin = at - low + 4
            end = begin + word(raw, begin - 4)[0] if begin <= len(raw) else self.size
            if end + 8 > len(raw):
                raw, low, begin = bytes(self.buffer[at : at + end - begin + 12]), at, 4
                end = begin + word(raw, 0)[0] if len(raw) >= begin else self.size
            if end + 8 > len(raw):
                self.at = at
                self._one_internal(place)
            path = raw[begin:end]
            is_plain = path.isascii() and path.find(b"\0") == end - begin - 1
            self.paths.append(str(path[:-1], "ascii") if is_plain else _read_text(path))
            self.places.append(target(raw, end)[0])
            starts.append(at)
            at = low + end + 8
            self.offsets.append(at - 8)
        self.at = at
        self.targets += self.places
        self.names = self._names()
        if not count:
            span = Span(self.at - 4, self.at)
            facts = {"sentence": "There is no resource in this file: engines refuse it."}
            self.found.append(Diagnostic(Code.RESOURCE_REFUSED, span, facts=facts))
        self._close(INTERNAL, counted(count, "resource"))

    def _one_internal(self, place: int) -> None:
        start, known = self.at, len(self.children)
        path = self._text("path")
        offset = self._number("offset", 8)
        self._retell(f"0x{offset:X}")
        self._group(start, known, f"internal {place}", f"{path} at 0x{offset:X}")

    def _unpacker(self, layout: str) -> Callable[[int], tuple[int]]:
        return unpacker(f"{'>' if self.big else '<'}{layout}", self.buffer)

    def _group(self, start: int, known: int, name: str, told: str) -> None:
        """One entry of a table, with what it is made of."""
        inside = tuple(self.children[known:])
        del self.children[known:]
        self.children.append(MessageField(Span(start, self.at), name, told, children=inside))

    # The resources

    def _names(self) -> list[str]:
        """What each internal resource is called, in the order of the table."""
        names = [path.removeprefix(LOCAL) or f"resource {place}" for place, path in enumerate(self.paths)]
        if names:
            names[-1] = MAIN
        return names

    def _numbers(self) -> list[int]:
        """The number that references have for each internal resource: its place, without named ids that in its path."""
        if self.flags & NAMED_IDS:
            return list(range(len(self.paths)))
        numbers = (path.removeprefix(LOCAL) for path in self.paths)
        return [int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1 for number in numbers]

    def _resources(self) -> Resources:
        """What references name."""
        values = (piece for piece in self.pieces if piece.role is FieldRole.VALUE)
        starts = {piece.span.start: frame for frame, piece in enumerate(values)}
        numbers = self._numbers()
        named = {number: name for number, name in zip(numbers, self.names, strict=False) if number >= 0}
        placed = zip(numbers, self.places, strict=False)
        frames = {number: starts[offset] for number, offset in placed if offset in starts and number >= 0}
        return Resources(named, tuple(self.external), frames, bool(self.flags & NAMED_IDS), bool(self.flags & UIDS))

    def _blocks(self) -> None:
        """The resources in the order of their bytes: each reaches to the next one."""
        end = self.size - len(RSRC) if bytes(self.buffer[self.size - 4 :]) == RSRC else self.size
        end = max(end, self.at)
        named: dict[int, str] = {}
        words = self.offsets[len(self.offsets) - len(self.places) :]
        for offset, name, word in zip(self.places, self.names, words, strict=True):
            if not self.at <= offset < end:
                facts = {"name": name, "offset": f"0x{offset:X}"}
                self.found.append(Diagnostic(Code.RESOURCE_OFFSET, Span(word, word + 8), facts=facts))
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

    def _scene(self) -> None:
        """Of a scene, its nodes before all other fields."""
        main = next((piece for piece in self.pieces if piece.role is FieldRole.VALUE and piece.name == MAIN), None)
        if self.type == SCENE and main is not None:
            from viewer.document.readers.scene_nodes import SceneNodes, scene_field

            names = StringTable(self.buffer, self.starts, self.dialect.rules.utf8)
            self.pieces.insert(0, scene_field(SceneNodes(self.buffer, main.span, self.dialect, names)))

    def _unused(self, span: Span) -> None:
        self.pieces.append(MessageField(span, "unused", count_bytes(len(span)), FieldRole.OPAQUE))


def _read_text(raw: bytes) -> str:
    return str(text.read(raw.removesuffix(b"\0"), "lenient"))


MAIN, SCENE = "main", "PackedScene"
FLAGS = ((NAMED_IDS, "named ids"), (UIDS, "uids"), (DOUBLE, "64-bit reals"), (SCRIPT_CLASS, "script class"))


def _flags(word: int) -> str:
    known = [name for bit, name in FLAGS if word & bit]
    rest = word & ~sum(bit for bit, _ in FLAGS)
    return ", ".join([*known, *([f"0x{rest:X}"] if rest else [])]) or "none"
