"""Binary resources of Godot 3 and 4 (RSRC, and what RSCC unwraps to): header, tables, and a value for each resource.

Source: files of Godot 3.2.3 and 4.6 read back by them; ``core/io/resource_format_binary.cpp`` of 4.2.2.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from operator import lt

from viewer.base.buffer import Buffer, in_memory, u32, unpacker
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
    LateMapping,
    LateNames,
    OffsetWords,
    ResourcePieces,
    Resources,
    Structure,
    is_damaged_text,
)
from viewer.document.readers.resource_uid import uid_text
from viewer.variant import text
from viewer.variant.dialect import Dialect, load_resource_values
from viewer.variant.hops import hop_directory
from viewer.variant.string_table import StringTable

NEWEST = {3: 3, 4: 6}
"""The newest format of each engine line. Godot 4 always sets flags, where Godot 3 has a reserved word."""
NAMED_IDS, UIDS, DOUBLE, SCRIPT_CLASS = 1, 2, 4, 8
RESERVED = {3: 13, 4: 11}
LOCAL = "local://"
STRETCH = 1 << 18
"""Bytes of a table that are looked at together."""


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
        self.places, self.entry_starts = array("Q"), array("Q")
        self.values: ResourcePieces | None = None
        self.major = self.line = LATEST
        self.flags = 0
        self.is_damaged = False
        self.type = self.script_class = ""
        self.dialect: Dialect = load_resource_values("godot4")
        self.starts = array("Q")
        self.main = 0

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
        return Structure(
            RESOURCE,
            f"{line} binary resource: {escaped(self.script_class or self.type) or 'without a class'}",
            self.dialect,
            self.values or tuple(self.pieces),
            self.main,
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
        if self.big:
            self._internal_one_by_one(starts, count)
        else:
            self._hop_internal(starts, count)
        self.entry_starts = starts
        self.offsets.extend(_behind(starts, self.at))
        self.targets += self.places
        if not count:
            span = Span(self.at - 4, self.at)
            facts = {"sentence": "There is no resource in this file: engines refuse it."}
            self.found.append(Diagnostic(Code.RESOURCE_REFUSED, span, facts=facts))
        self._close(INTERNAL, counted(count, "resource"))

    def _hop_internal(self, starts: array[int], count: int) -> None:
        """Read the table of the resources, whose count was held against what is left of the file."""
        starts.frombytes(bytes(8 * count))
        self.places = array("Q", bytes(8 * count))
        state, stretch = array("q", (self.at, 0)), STRETCH
        while state[1] < count:
            at, number = state
            raw, low = (self.buffer, 0) if in_memory(self.buffer) else (self.buffer[at : at + stretch], at)
            hop_directory(state, raw, low, starts, self.places)
            if state[1] == number:  # one entry is longer than all that was looked at, or the file ends in it
                stretch = 12 + u32(self.buffer, at)
                if at + stretch > self.size:
                    del starts[number:], self.places[number:]
                    self.at = at
                    self._one_internal(number)
        self.at = state[0]

    def _internal_one_by_one(self, starts: array[int], count: int) -> None:
        for place in range(count):
            start, known = self.at, len(self.children)
            self._one_internal(place)
            del self.children[known:]
            starts.append(start)
            self.places.append(int.from_bytes(bytes(self.buffer[self.at - 8 : self.at]), "big"))

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

    def _path(self, place: int) -> str:
        """The path of an internal resource, by its place in the table."""
        start = self.entry_starts[place]
        length = int.from_bytes(bytes(self.buffer[start : start + 4]), self._order)  # type: ignore[arg-type]
        return _read_text(bytes(self.buffer[start + 4 : start + 4 + length]))

    def _name(self, place: int) -> str:
        """What an internal resource is called, by its place in the table."""
        if place == len(self.places) - 1:
            return MAIN
        return self._path(place).removeprefix(LOCAL) or f"resource {place}"

    def _numbers(self) -> Sequence[int]:
        """The number that references have for each internal resource: its place, without named ids that in its path."""
        if self.flags & NAMED_IDS:
            return range(len(self.entry_starts))
        numbers = (self._path(place).removeprefix(LOCAL) for place in range(len(self.entry_starts)))
        return [int(number) if number.isascii() and number.isdigit() and len(number) < 10 else -1 for number in numbers]

    def _resources(self) -> Resources:
        """What references name."""
        named, frames = LateMapping(self._named, self._usual_name), LateMapping(self._framed)
        return Resources(named, tuple(self.external), frames, bool(self.flags & NAMED_IDS), bool(self.flags & UIDS))

    def _usual_name(self, number: int) -> str | None:
        """What an internal resource is called that stands where engines write it; None for any other."""
        last = len(self.entry_starts) - 1
        if self.flags & NAMED_IDS:
            return self._name(number) if 0 <= number <= last else None
        if not 0 < number <= last:
            return None
        digits = str(number)
        return digits if self._path(number - 1) == LOCAL + digits != self._path(last) else None

    def _named(self) -> dict[int, str]:
        """What the internal resources are called, by the numbers that references have for them."""
        count = len(self.places)
        return {number: self._name(place) for place, number in enumerate(self._numbers()[:count]) if number >= 0}

    def _framed(self) -> dict[int, int]:
        """Which frame each of them is."""
        begins = self.values.places[0] if self.values is not None else ()
        frames = {start: frame for frame, start in enumerate(begins)}
        placed = zip(self._numbers(), self.places, strict=False)
        return {number: frames[offset] for number, offset in placed if offset in frames and number >= 0}

    def _blocks(self) -> None:
        """The resources in the order of their bytes: each reaches to the next one."""
        end = self.size - len(RSRC) if bytes(self.buffer[self.size - 4 :]) == RSRC else self.size
        end = max(end, self.at)
        begins, names = self.places, LateNames(len(self.places), self._name)
        is_plain = len(begins) and self.at <= begins[0] and begins[-1] < end
        if not is_plain or not all(map(lt, begins, islice(begins, 1, None))):
            begins, names = self._sorted_blocks(end)
        if not begins:
            self._rest(self.at, "unread")
            return
        if begins[0] > self.at:
            self._unused(Span(self.at, begins[0]))
        behind = []
        if end < self.size:
            behind.append(MessageField(Span(end, self.size), "end", "RSRC"))
        else:
            self.found.append(Diagnostic(Code.RESOURCE_END, Span(max(0, self.size - 1), self.size)))
        self.main = len(begins) - 1 if begins is self.places else _place_of(MAIN, names)
        ends = begins[1:]
        ends.append(end)
        self.values = ResourcePieces(begins, ends, names, self.pieces, behind)

    def _sorted_blocks(self, end: int) -> tuple[array[int], LateNames]:
        """Where the resources begin and what they are called, where the table has them in another order.

        Some may share their bytes, or lie nowhere.
        """
        named: dict[int, str] = {}
        words = self.offsets[len(self.offsets) - len(self.places) :]
        for place, (offset, word) in enumerate(zip(self.places, words, strict=True)):
            name = self._name(place)
            if not self.at <= offset < end:
                facts = {"name": name, "offset": f"0x{offset:X}"}
                self.found.append(Diagnostic(Code.RESOURCE_OFFSET, Span(word, word + 8), facts=facts))
            else:
                named[offset] = name if offset not in named else f"{named[offset]}, {name}"
        begins = array("Q", sorted(named))
        return begins, LateNames(len(begins), [named[offset] for offset in begins].__getitem__)

    def _scene(self) -> None:
        """Of a scene, its nodes before all other fields."""
        main = self.values.values[self.main] if self.values is not None else None
        if self.type == SCENE and main is not None and main.name == MAIN:
            from viewer.document.readers.scene_nodes import SceneNodes, scene_field

            names = StringTable(self.buffer, self.starts, self.dialect.rules.utf8)
            nodes = scene_field(SceneNodes(self.buffer, main.span, self.dialect, names))
            self.values = self.values.behind_field(nodes) if self.values is not None else None

    def _unused(self, span: Span) -> None:
        self.pieces.append(MessageField(span, "unused", count_bytes(len(span)), FieldRole.OPAQUE))


def _behind(starts: array[int], end: int) -> Iterator[int]:
    """Where the number at the end of each entry stands, of a table that ends at a byte."""
    return map((-8).__add__, chain(islice(starts, 1, None), (end,) if starts else ()))


def _place_of(name: str, names: Sequence[str]) -> int:
    """The last place of a name; where there is none, the last one of all."""
    return next((place for place in reversed(range(len(names))) if names[place] == name), max(0, len(names) - 1))


def _read_text(raw: bytes) -> str:
    return str(text.read(raw.removesuffix(b"\0"), "lenient"))


MAIN, SCENE = "main", "PackedScene"
FLAGS = ((NAMED_IDS, "named ids"), (UIDS, "uids"), (DOUBLE, "64-bit reals"), (SCRIPT_CLASS, "script class"))


def _flags(word: int) -> str:
    known = [name for bit, name in FLAGS if word & bit]
    rest = word & ~sum(bit for bit, _ in FLAGS)
    return ", ".join([*known, *([f"0x{rest:X}"] if rest else [])]) or "none"
