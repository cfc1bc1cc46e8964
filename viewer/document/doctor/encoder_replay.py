"""Encoder replay: a value read as an encoder of some wire format wrote it, and what an engine would have written.

The replay keeps its own stack of tasks: nesting comes from the bytes. Where a format leaves open how to go on (a value
that may be absent, a collection without a count), it goes one way and comes back for the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum, auto
from math import isfinite
from struct import Struct, error
from typing import assert_never

from viewer.base.record import dataclass, field
from viewer.document.doctor.candidate import Patch, Patches
from viewer.document.doctor.repair_context import Raw
from viewer.document.doctor.wire_format import FILLS, NUMBERS, WireFormat
from viewer.variant.dialect import FLAG_64, HOLDING, PACKED, SHARED, Dialect, Field, Kind, TypeRow
from viewer.variant.header import INT_MAX

MOST_TASKS = 60_000
MOST_BRANCHES = 1 << 10
"""So many times a replay goes back for another way."""
MOST_TEXT = 1 << 16
MOST_STUCK = 3
MOST_KEY = 64
LEAST_EVEN = 3
"""So many varints, all of them even, are zigzag ones."""
FLAGGED = 0xFFFFFF
"""The bits of a count that count where others are flags."""
BOM = b"\xef\xbb\xbf"
EVENT_HEAD = 12
PROPERTY = 2
"""The flag of a path that one more sub-name follows than is counted."""
TYPED_BITS = 0xF << 16
SPACE = frozenset("\n\t\r")
U32 = Struct("<I")
STRUCTS = {
    kind: Struct(f"<{sign}")
    for kind, sign in {"f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}.items()
}
DECIMAL_UNUSED, DECIMAL_POWER = 0x7F00FFFF, 28
UNSIGNED = {"u8": 1, "u32": 4, "u64": 8, "bool": 4}
FULL_ALPHA = 1.0


class Mismatch(Exception):
    """The bytes are not what such an encoder writes."""


UNLIKE = (Mismatch, IndexError, OverflowError, UnicodeError, error)
"""What tells that the bytes are not what such an encoder writes."""


class ReplayTask(Enum):
    """What stands next in the bytes."""

    VALUES = auto()
    KEY = auto()
    VALUE_OF_KEY = auto()
    PAIRS = auto()
    NAMED_VALUES = auto()
    TEXTS = auto()
    CLOSED_TEXTS = auto()
    NUMBERS = auto()
    UNTIL = auto()
    OPEN = auto()
    ENDS = auto()
    END_MARK = auto()


@dataclass(slots=True)
class Sites:
    """How often something was written, how often wrongly, and where first.

    Args:
        seen, changed: times.
        first: offset of the first that is wrong, -1 for none.
    """

    seen: int = 0
    changed: int = 0
    first: int = -1


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a replay may go on in another way.

    Args:
        pos, tasks, patches, varints: its state.
        sites: the times until there.
        go_on: does the other way.
    """

    pos: int
    tasks: tuple[tuple[ReplayTask, int, int, int], ...]
    patches: int
    varints: int
    sites: Counter[tuple[str, bool]]
    go_on: Callable[[], None]


@dataclass(slots=True)
class Replayed:
    """What a replay found.

    Args:
        patches: what makes the bytes right.
        sites: how often each thing stood there and was wrong, by its noun.
    """

    patches: Patches
    sites: dict[str, Sites] = field(default_factory=dict)


class EncoderReplay:
    """One value, read as an encoder wrote it.

    Args:
        data: the bytes.
        dialect: the engine line that it was written for.
        wire: how it was written.
        several: whether more values may follow the first.

    Attributes:
        reached: the furthest offset that made sense, for one that fails.
        stuck: the last type numbers that were read.
        work: steps that were done.
    """

    def __init__(self, data: Raw, dialect: Dialect, wire: WireFormat, several: bool = False) -> None:
        self.data = data[:]
        self.size = len(data)
        self.dialect = dialect
        self.wire = wire
        self.reached = 0
        self.work = 0
        self.stuck: tuple[int, ...] = ()
        self._several = several
        self._ids = dict(wire.ids)
        self._layouts = dict(wire.layouts)
        self._pos = 0
        self._patches: list[Patch] = []
        self._tasks: list[tuple[ReplayTask, int, int, int]] = []
        self._branches: list[Branch] = []
        self._branched = 0
        self._sites: Counter[tuple[str, bool]] = Counter()
        self._first: dict[str, int] = {}
        self._varints: list[int] = []
        self._judges_fill = dialect.rules.unwritten_padding != "all"

    def solutions(self) -> Iterator[Replayed]:
        """The ways to read all of it, the likeliest by the look first; none where it is not of such an encoder."""
        self._tasks = [(ReplayTask.VALUES, 1, 0, 0)]
        while True:
            try:
                while self._tasks:
                    self._task()
                    if not self._tasks and self._several and self._pos < self.size:
                        self._tasks.append((ReplayTask.VALUES, 1, 0, 0))
                if self._pos == self.size and self._are_such_varints():
                    yield self._replayed()
            except UNLIKE:
                pass
            if not self._back():
                return

    def _replayed(self) -> Replayed:
        patches = tuple(
            patch for patch in _uncovered(self._patches) if self.data[patch.at : patch.at + patch.size] != patch.new
        )
        sites: dict[str, Sites] = {}
        for (noun, changed), times in self._sites.items():
            some = sites.setdefault(noun, Sites(first=self._first.get(noun, -1)))
            some.seen += times
            some.changed += times if changed else 0
        return Replayed(patches, sites)

    def _are_such_varints(self) -> bool:
        """Whether varints are of the kind that this format has: zigzag doubles what is not negative."""
        even = sum(not number & 1 for number in self._varints)
        if self.wire.int_size == "leb128":
            return even < max(len(self._varints), LEAST_EVEN)
        return 2 * even >= len(self._varints)

    # Going back

    def _or_else(self, go_on: Callable[[], None]) -> None:
        """Come back to this place for another way."""
        if len(self._branches) < MOST_BRANCHES:
            state = (self._pos, tuple(self._tasks), len(self._patches), len(self._varints), self._sites.copy())
            branch = Branch(*state, go_on)
            self._branches.append(branch)

    def _back(self) -> bool:
        """Go back to where another way may be taken; False where there is none."""
        while self._branches and self._branched < MOST_BRANCHES and self.work < MOST_TASKS:
            self._branched += 1
            branch = self._branches.pop()
            self._pos, self._tasks, self._sites = branch.pos, list(branch.tasks), branch.sites
            del self._patches[branch.patches :]
            del self._varints[branch.varints :]
            try:
                branch.go_on()
            except UNLIKE:
                continue
            return True
        return False

    # Tasks

    def _push(self, task: ReplayTask, count: int, a: int = 0, b: int = 0) -> None:
        if count > 0:
            self._tasks.append((task, count, a, b))

    def _task(self) -> None:
        task, left, a, b = self._tasks.pop()
        self.work += 1
        if self.work > MOST_TASKS:
            raise Mismatch
        self.reached = max(self.reached, self._pos)
        if task in (
            ReplayTask.VALUES,
            ReplayTask.PAIRS,
            ReplayTask.NAMED_VALUES,
            ReplayTask.TEXTS,
            ReplayTask.CLOSED_TEXTS,
        ):
            self._push(task, left - 1, a, b)
        match task:
            case ReplayTask.VALUES:
                if self.wire.element_index and a:
                    start = self._pos
                    if self._number("u32") != b - left:
                        raise Mismatch
                    self._note("element", start, self._put(start, b""))
                self._value(inner=bool(self._tasks) or bool(a))
            case ReplayTask.PAIRS:
                if self.wire.pair_length:
                    start = self._pos
                    length = self._number(self.wire.pair_length)
                    self._note("pair", start, self._put(start, b""))
                    self._tasks.append((ReplayTask.ENDS, self._pos + length, 0, 0))
                self._push(ReplayTask.VALUE_OF_KEY, 1)
                self._key()
            case ReplayTask.END_MARK:
                start = self._pos
                if self._raw(len(self.wire.end_mark)) != self.wire.end_mark:
                    raise Mismatch
                self._note("collection", start, self._put(start, b""))
            case ReplayTask.KEY:
                self._key()
            case ReplayTask.VALUE_OF_KEY:
                self._value(inner=True, of_key=True)
            case ReplayTask.NAMED_VALUES:
                self._push(ReplayTask.VALUE_OF_KEY, 1)
                self._text(False)
            case ReplayTask.TEXTS:
                self._text(False)
            case ReplayTask.CLOSED_TEXTS:
                self._array_text()
            case ReplayTask.NUMBERS:
                self._skip(left)
            case ReplayTask.UNTIL:
                self._until(left, a, b)
            case ReplayTask.OPEN:
                self._open(left, a, b)
            case ReplayTask.ENDS:
                if self._pos != left:
                    raise Mismatch

    def _until(self, stop: int, count: int, place: int) -> None:
        """Another element of a collection whose count says its bytes.

        Args:
            stop: where they end.
            count: twice the elements that were read; odd where they are pairs.
            place: the patch of the count.
        """
        if self._pos > stop:
            raise Mismatch
        if self._pos == stop:
            self._counted(place, count >> 1)
            return
        self._tasks.append((ReplayTask.UNTIL, stop, count + 2, place))
        self._push(ReplayTask.PAIRS if count & 1 else ReplayTask.VALUES, 1, 1)

    def _open(self, pairs: int, count: int, place: int) -> None:
        """Another element of a collection without a count, or none; the arguments are those of :meth:`_until`."""
        if self._pos >= self.size:
            self._counted(place, count >> 1)
            return

        def stop() -> None:
            self._counted(place, count >> 1)

        self._or_else(stop)
        self._tasks.append((ReplayTask.OPEN, pairs, count + 2, place))
        self._push(ReplayTask.PAIRS if pairs else ReplayTask.VALUES, 1, 1)

    def _counted(self, place: int, count: int) -> None:
        """Write a count that was only found by counting."""
        patch = self._patches[place]
        self._patches[place] = Patch(patch.at, patch.size, U32.pack(count))

    # Numbers

    def _note(self, noun: str, at: int, wrong: bool) -> None:
        self._sites[noun, wrong] += 1
        if wrong and self._first.get(noun, self.size) >= at:
            self._first[noun] = at

    def _number(self, kind: str) -> int:
        """A whole number that says something of others."""
        if kind == "varint":
            return self._leb128()
        size, order = NUMBERS[kind]
        raw = self._raw(size)
        if kind == "high half":
            raw = raw[2:] + raw[:2]
        return int.from_bytes(raw, order)

    def _leb128(self) -> int:
        out = shift = 0
        while True:
            byte = self.data[self._pos]
            self._pos += 1
            out |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return out
            if shift > 63:
                raise Mismatch

    def _raw(self, size: int) -> bytes:
        raw = self.data[self._pos : self._pos + size]
        if len(raw) != size:
            raise Mismatch
        self._pos += size
        return raw

    def _put(self, start: int, new: bytes) -> bool:
        """Have the bytes since *start* be *new*; whether that is a change."""
        old = self.data[start : self._pos]
        if old == new:
            return False
        self._patches.append(Patch(start, self._pos - start, new))
        return True

    def _skip(self, size: int) -> None:
        if size < 0 or self._pos + size > self.size:
            raise Mismatch
        self._pos += size

    def _size_word(self) -> int:
        """A word that this format writes as engines do, in its order."""
        start = self._pos
        number = self._number("u32be" if self.wire.word_order == "big" else "u32")
        self._put(start, U32.pack(number))
        return number

    # Values

    def _key(self) -> None:
        if self.wire.key_strings:
            self._key_string()
            return
        if self.wire.key_headers:
            self._value(inner=self.wire.key_length)
            return
        self._or_else(lambda: self._value(inner=True))
        at = self._pos
        self._patches.append(Patch(at, 0, U32.pack(self.dialect.type_number("String"))))
        self._note("key", at, True)
        self._text(False)

    def _key_string(self) -> None:
        """A key that a NUL ends, without a header and a length."""
        start = self._pos
        end = self.data.find(b"\0", start)
        if end < 0 or end - start > MOST_KEY:
            raise Mismatch
        shown = self.data[start:end].decode()
        if not shown.isprintable():
            raise Mismatch
        self._pos = end + 1
        raw = shown.encode()
        head = U32.pack(self.dialect.type_number("String")) + U32.pack(len(raw))
        self._note("key", start, self._put(start, head + raw + bytes(-len(raw) % 4)))

    def _header(self) -> tuple[int, TypeRow]:
        """The header of a value, and its type; what the engine would have written takes its place."""
        wire, start = self.wire, self._pos
        written = self._number(wire.header)
        number, flags = written & 0xFF, self._flags(written & ~0xFF)
        if number not in self.stuck[-1:]:
            self.stuck = (*(each for each in self.stuck if each != number), number)[-MOST_STUCK:]
        meant = self._ids.get(number, number)
        first, by = wire.shift
        if by and number >= first + by:
            meant = number - by
        row = self.dialect.row(meant)
        if row is None or flags >> 20 or written > 0xFFFFFFFF:
            raise Mismatch
        header = meant | flags
        for _ in range(wire.headers - 1):
            if self._number(wire.header) != written:
                raise Mismatch
        is_changed = self._put(start, U32.pack(header))
        self._note("header", start, is_changed)
        if header & FLAG_64 and row.has_wide:
            self._note("flag", start, is_changed)
        return header, row

    def _flags(self, written: int) -> int:
        """The flags of a header, those of an engine."""
        bit = 1 << self.wire.flag_bit
        if bit == FLAG_64:
            return written
        if written & FLAG_64:
            raise Mismatch
        return written & ~bit | (FLAG_64 if written & bit else 0)

    def _value(self, inner: bool, of_key: bool = False) -> None:
        """Read one value up to its first text or child."""
        wire = self.wire
        if wire.value_length and inner:
            start = self._pos
            length = self._number(wire.value_length)
            self._note("value", start, self._put(start, b""))
            if length > self.size - self._pos:
                raise Mismatch
            self._tasks.append((ReplayTask.ENDS, self._pos + length, 0, 0))
        if wire.null == "absent" and inner:
            if of_key and self._is_next_key():
                at = self._pos
                self._or_else(lambda: self._present(at))
                self._absent()
                return
            self._or_else(self._absent)
        short = {"byte": 1, "half": 2}.get(wire.null, 0)
        if short and self.data[self._pos] == 0:
            start = self._pos
            if any(self._raw(short)):
                raise Mismatch
            self._note("null", start, self._put(start, bytes(4)))
            return
        start = self._pos
        header, row = self._header()
        if wire.null_text and row.kind is Kind.STRING and self.data.startswith(wire.null_text, self._pos):
            self._skip(len(wire.null_text))
            self._note("text", start, self._put(start, bytes(4)))
            return
        self._payload(header, row, start)

    def _is_next_key(self) -> bool:
        """Whether a text stands next that another value than a text follows: in a dictionary it is rather a key."""
        at, text = self._pos, self.dialect.type_number("String")
        head = self.data[at : at + 8]
        if len(head) < 8 or U32.unpack_from(head)[0] != text:
            return False
        behind = at + 8 + (U32.unpack_from(head, 4)[0] + 3 & ~3)
        return self.data[behind : behind + 1] not in (b"", bytes([text]))

    def _present(self, at: int) -> None:
        self._pos = at
        header, row = self._header()
        self._payload(header, row, at)

    def _absent(self) -> None:
        """A null of which nothing was written."""
        self._patches.append(Patch(self._pos, 0, bytes(4)))
        self._note("null", self._pos, True)

    def _payload(self, header: int, row: TypeRow, start: int) -> None:
        kind = row.kind
        if header & TYPED_BITS & ~FLAG_64 and kind not in HOLDING:
            raise Mismatch
        match kind:
            case Kind.FIXED | Kind.NULL_OBJECT | Kind.REFERENCE:
                self._fixed(header, row, start)
            case Kind.STRING:
                self._push(ReplayTask.TEXTS, 1)
            case Kind.ARRAY | Kind.DICTIONARY:
                if kind is Kind.ARRAY and not self.wire.packed_ids:
                    self._or_packed(start)
                self._collection(header, kind)
            case Kind.PACKED:
                self._packed(header, row, start)
            case Kind.PACKED_STRINGS:
                means = self.wire.packed_count_means
                count = self._count("packed array", means if means in ("more", "less") else "elements", 1)
                self._push(ReplayTask.CLOSED_TEXTS, count)
            case Kind.NODE_PATH | Kind.INDEXED_PATH:
                self._path()
            case Kind.OBJECT | Kind.RESOURCE:
                self._object(header)
            case Kind.SIGNAL:
                self._push(ReplayTask.NUMBERS, 8)
                self._push(ReplayTask.TEXTS, 1)
            case Kind.TYPED_ARRAY:
                element = self.dialect.row(self._size_word())
                if element is None:
                    raise Mismatch
                self._collection(0, Kind.ARRAY)
                self._push(
                    ReplayTask.VALUES, int(element is self.dialect.by_name["Object"] and not header & FLAG_64), 1
                )
            case Kind.IMAGE | Kind.INPUT_EVENT:
                words = [self._size_word() for _ in range(5 if kind is Kind.IMAGE else 3)]
                length = words[-1] if kind is Kind.IMAGE else words[-1] - EVENT_HEAD
                self._skip(length)
                if kind is Kind.IMAGE:
                    self._fill("four", self._pos - length, length)
            case _:
                assert_never(kind)

    # Numbers and vectors

    def _fixed(self, header: int, row: TypeRow, start: int) -> None:
        wire = self.wire
        if not row.narrow:
            if header & ~0xFF:
                raise Mismatch
            if row.number == 0:
                self._nothing()
            return
        if row.name == "bool":
            self._bool()
            return
        if wire.vector3_gap and row.name == "Vector3":
            self._gapped(row.fields(header), 1)
            return
        layout = self._layouts.get(row.name)
        if layout is not None:
            self._laid_out(row, header, start, layout)
        elif len(row.narrow) == 1 and row.name in ("int", "float", "real"):
            self._scalar(row, header, start)
        else:
            self._fields(row, header, start, 1, wire.real_size if row.real else None, row.name)

    def _nothing(self) -> None:
        if self.wire.null == "word":
            start = self._pos
            if any(self._raw(4)):
                raise Mismatch
            self._note("null", start, self._put(start, b""))

    def _bool(self) -> None:
        start, size = self._pos, self.wire.bool_size
        number = int.from_bytes(self._raw(size), "big" if self.wire.word_order == "big" else "little") if size else 1
        if number not in (0, 1):
            raise Mismatch
        self._note("bool", start, self._put(start, U32.pack(number)))

    def _scalar(self, row: TypeRow, header: int, start: int) -> None:
        """An int or a float."""
        wire, is_float = self.wire, row.name != "int"
        size = wire.float_size if is_float else wire.int_size
        if size is not None and header & ~FLAG_64 & ~0xFF:
            raise Mismatch
        if wire.gap and header & FLAG_64 and row.has_wide:
            gap = self._pos
            if any(self._raw(wire.gap)):
                raise Mismatch
            self._note("number of 64 bits", start, self._put(gap, b""))
        if size == "unflagged":
            self._unflagged(row, header, start)
            return
        lacks_flag = NUMBERS.get(wire.header, (4, ""))[0] < 3
        if size == 4 and header & FLAG_64 and row.has_wide:
            at = self._pos
            self._or_else(lambda: self._sized(row, header, start, at, 8))
        if size is None:
            size = 8 if header & FLAG_64 and row.has_wide else 4
            if lacks_flag and row.has_wide:
                state = self._pos
                self._or_else(lambda: self._sized(row, header, start, state, 8))
        self._sized(row, header, start, self._pos, size)

    def _unflagged(self, row: TypeRow, header: int, start: int) -> None:
        """A number that takes eight bytes where it needs them, which no flag tells."""
        if header & FLAG_64:
            raise Mismatch
        at = self._pos
        sizes = (8, 4) if self._is_header(at + 8) and not self._is_header(at + 4) else (4, 8)
        if row.has_wide:
            self._or_else(lambda: self._needed(row, header, start, at, sizes[1]))
        self._needed(row, header, start, at, sizes[0] if row.has_wide else 4)

    def _needed(self, row: TypeRow, header: int, start: int, at: int, size: int) -> None:
        """A number of *size* bytes, where it needs so many."""
        self._sized(row, header, start, at, size)
        if size == 8:
            raw = self.data[at : at + 8]
            number = STRUCTS["i64" if row.name == "int" else "f64"].unpack(raw)[0]
            if -(1 << 31) <= number < 1 << 31 if row.name == "int" else _single(number) is not None:
                raise Mismatch

    def _is_header(self, at: int) -> bool:
        """Whether a header may stand here, or the end."""
        word = self.data[at : at + 4]
        if len(word) < 4:
            return at == self.size
        number = U32.unpack(word)[0] & ~FLAG_64
        return number <= 0xFF and self.dialect.row(number) is not None

    def _sized(self, row: TypeRow, header: int, start: int, at: int, size: int | str) -> None:
        wire, is_float = self.wire, row.name != "int"
        self._pos = at
        noun = "float" if is_float else "int"
        if size == "decimal":
            self._float(row, 0, start, at, STRUCTS["f64"].pack(self._decimal()), noun)
        elif isinstance(size, str):
            number = self._leb128()
            self._varints.append(number)
            number = (number >> 1) ^ -(number & 1) if size == "zigzag" else number - (number >> 63 << 64)
            self._integer(row, start, at, number, noun)
        elif is_float:
            raw = self._raw(size)
            raw = raw[::-1] if wire.float_order == "big" else raw
            self._float(row, header, start, at, raw, noun)
        else:
            raw = self._raw(size)
            is_big = "big" in (wire.int_order, wire.wide_int_order if size == 8 else "")
            number = int.from_bytes(raw, "big" if is_big else "little", signed=True)
            if size == (8 if header & FLAG_64 and row.has_wide else 4) and wire.header == "u32":
                self._note(noun, start, self._put(at, raw[::-1] if is_big else raw))
            else:
                self._integer(row, start, at, number, noun)

    def _decimal(self) -> float:
        """A Decimal of .NET: three words of a whole number, and one of its sign and its power of ten."""
        raw = self._raw(16)
        flags = int.from_bytes(raw[12:], "little")
        power = flags >> 16 & 0xFF
        if flags & DECIMAL_UNUSED or power > DECIMAL_POWER:
            raise Mismatch
        number: float = int.from_bytes(raw[:12], "little") / 10**power
        return -number if flags >> 31 else number

    def _integer(self, row: TypeRow, start: int, at: int, number: int, noun: str) -> None:
        """An int as an engine writes it."""
        wide = not -(1 << 31) <= number < 1 << 31
        if wide and not row.has_wide:
            raise Mismatch
        new = number.to_bytes(8 if wide else 4, "little", signed=True)
        other = self._rewrite_header(start, at, row.number | (FLAG_64 if wide else 0))
        self._note(noun, start, self._put(at, new) or other)

    def _rewrite_header(self, start: int, end: int, header: int) -> bool:
        """Have another header stand in the bytes from *start* to *end*; whether it is another."""
        new = U32.pack(header)
        for place in range(len(self._patches) - 1, -1, -1):
            patch = self._patches[place]
            if patch.at == start and patch.size == end - start:
                self._patches[place] = Patch(start, patch.size, new)
                return patch.new != new
            if patch.at < start:
                break
        if self.data[start:end] == new:
            return False
        self._patches.append(Patch(start, end - start, new))
        return True

    def _float(self, row: TypeRow, header: int, start: int, at: int, raw: bytes, noun: str) -> None:
        """A float as an engine writes it."""
        number = STRUCTS["f32" if len(raw) == 4 else "f64"].unpack(raw)[0]
        if not _is_likely(number):
            raise Mismatch
        told = 8 if header & FLAG_64 and row.has_wide else 4
        if len(raw) == told and NUMBERS.get(self.wire.header, (4, ""))[0] >= 3:
            self._note(noun, start, self._put(at, raw))
            return
        short = _single(number)
        wide = row.has_wide and short is None
        new = raw if len(raw) == 8 and wide else STRUCTS["f32"].pack(number)
        other = self._rewrite_header(start, at, row.number | (FLAG_64 if wide else 0))
        self._note(noun, start, self._put(at, new) or other)

    def _fields(self, row: TypeRow, header: int, start: int, count: int, size: int | None, noun: str) -> None:
        """The numbers of *count* elements, each *size* bytes where that is not told by the flag."""
        wide = bool(header & FLAG_64) and row.has_wide
        fields = row.wide if wide else row.narrow
        if header & FLAG_64 and not row.has_wide and size is None:
            raise Mismatch
        kind = fields[0].type
        if size is None or size == fields[0].size:
            big = self.wire.float_order
            if kind[0] != "f":
                big = self.wire.packed_int_order if noun == "packed array" else self.wire.vector_int_order
            self._plain_fields(fields, count, big == "big", noun, start)
            return
        if kind not in ("f32", "f64", "i32", "i64") or count * len(fields) > self.size // size:
            raise Mismatch
        at = self._pos
        numbers = [self._read(f"{kind[0]}{8 * size}") for _ in range(count * len(fields))]
        if kind[0] == "f" and not all(map(_is_likely, numbers)):
            raise Mismatch
        narrow = row.narrow[0].type
        if row.real and row.has_wide and size == 8 and any(_single(float(number)) is None for number in numbers):
            other = self._rewrite_header(start, start + self._header_size(), row.number | FLAG_64)
            narrow = row.wide[0].type
        else:
            other = self._rewrite_header(start, start + self._header_size(), header & ~FLAG_64)
        pack = STRUCTS[narrow].pack
        self._note(noun, start, self._put(at, b"".join(map(pack, numbers))) or other)

    def _header_size(self) -> int:
        return NUMBERS.get(self.wire.header, (1, ""))[0] * self.wire.headers

    def _read(self, kind: str) -> float:
        """A number that is a value."""
        if kind in UNSIGNED:
            return int.from_bytes(self._raw(UNSIGNED[kind]), "big" if self.wire.int_order == "big" else "little")
        struct = STRUCTS[kind]
        raw = self._raw(struct.size)
        order = self.wire.float_order if kind[0] == "f" else self.wire.int_order
        found: float = struct.unpack(raw[::-1] if order == "big" else raw)[0]
        return found

    def _plain_fields(self, fields: tuple[Field, ...], count: int, big: bool, noun: str, start: int) -> None:
        size = sum(each.size for each in fields)
        if count * size > self.size - self._pos:
            raise Mismatch
        if not big:
            self._pos += count * size
            self._note(noun, start, False)
            return
        for _ in range(count):
            for each in fields:
                at = self._pos
                self._put(at, self._raw(each.size)[::-1])
        self._note(noun, start, True)

    def _gapped(self, fields: tuple[Field, ...], count: int) -> None:
        """So many Vector3 with something behind each."""
        for _ in range(count):
            self.work += 1
            start = self._pos
            self._skip(sum(each.size for each in fields))
            at = self._pos
            if any(self._raw(self.wire.vector3_gap)):
                raise Mismatch
            self._note("Vector3", start, self._put(at, b""))

    def _laid_out(self, row: TypeRow, header: int, start: int, layout: tuple[str, ...]) -> None:
        """A value of a type whose fields are other ones."""
        at = self._pos
        numbers = [self._read(kind) for kind in layout]
        fields = row.fields(header)
        if not all(map(_is_likely, numbers)):
            raise Mismatch
        if layout[0] == "u8" and fields[0].type[0] == "f":
            numbers = [number / 255 for number in numbers]
        numbers = numbers[: len(fields)] + [FULL_ALPHA] * (len(fields) - len(numbers))
        whole = [int(number) if each.type[0] != "f" else number for number, each in zip(numbers, fields, strict=True)]
        new = b"".join(STRUCTS[each.type].pack(number) for number, each in zip(whole, fields, strict=True))
        self._note(row.name, start, self._put(at, new))

    # Collections

    def _count(self, noun: str, means: str, size: int, kind: str = "") -> int:
        """How many elements a count says; what an engine would have written takes its place."""
        start = self._pos
        written = self._number(kind or self.wire.packed_count)
        shared = written & SHARED if written <= 0xFFFFFFFF else 0
        told = written ^ shared
        if means == "flagged":
            told &= FLAGGED
        if means == "bytes":
            told, rest = divmod(told, size)
            if rest:
                raise Mismatch
        elif means == "values":
            told, rest = divmod(told, 2)
            if rest:
                raise Mismatch
        told += {"more": -1, "less": 1}.get(means, 0)
        if not 0 <= told <= self.size - self._pos:
            raise Mismatch
        if self.wire.count_extra and not noun.startswith("packed"):
            self._raw(self.wire.count_extra)
        self._note(f"count of a {noun}", start, self._put(start, U32.pack(told | shared)))
        return told

    def _collection(self, header: int, kind: Kind) -> None:
        wire, pairs = self.wire, kind is Kind.DICTIONARY
        texts = 0
        shifts = (16, 18) if pairs else (16,)
        rules = self.dialect.rules
        if header & TYPED_BITS and not (rules.typed_dictionaries if pairs else rules.typed_arrays):
            raise Mismatch
        for shift in shifts:
            what = header >> shift & 3
            if what == 1:
                if texts:
                    raise Mismatch
                if self.dialect.row(self._size_word()) is None:
                    raise Mismatch
            elif what:
                texts += 1
        if texts:
            raise Mismatch  # a class or a script: rare in what other encoders write
        noun, task = ("Dictionary", ReplayTask.PAIRS) if pairs else ("Array", ReplayTask.VALUES)
        how = wire.pair_count if pairs else wire.array_count
        if wire.end_mark:
            self._tasks.append((ReplayTask.END_MARK, 1, 0, 0))
        if how == "none":
            self._patches.append(Patch(self._pos, 0, bytes(4)))
            self._note(f"count of a {noun}", self._pos, True)
            self._tasks.append((ReplayTask.OPEN, int(pairs), int(pairs), len(self._patches) - 1))
        elif wire.count_means == "bytes":
            self._bytes_counted(noun, pairs)
        else:
            means = wire.count_means if pairs or wire.count_means != "values" else "elements"
            count = self._count(noun, means, 1, how)
            if count * (2 if pairs else 1) > self.size - self._pos:
                raise Mismatch
            self._push(task, count, 1, count)

    def _bytes_counted(self, noun: str, pairs: bool) -> None:
        start = self._pos
        length = self._number(self.wire.pair_count if pairs else self.wire.array_count)
        if length > self.size - self._pos:
            raise Mismatch
        self._patches.append(Patch(start, self._pos - start, bytes(4)))
        self._note(f"count of a {noun}", start, length > 0)
        self._tasks.append((ReplayTask.UNTIL, self._pos + length, int(pairs), len(self._patches) - 1))

    def _packed(self, header: int, row: TypeRow, start: int) -> None:
        wire, fields = self.wire, row.fields(header)
        size = sum(each.size for each in fields)
        means = wire.packed_count_means
        if means == "numbers":
            means, size = "bytes", len(fields)
        if means == "bytes" and size == 1:
            means = "elements"
        count = self._count("packed array", means, size)
        if wire.packed_headers:
            self._push(ReplayTask.VALUES, 0)
            self._unwrapped(row, count)
        elif fields[0].type == "u8":
            at = self._pos
            if wire.packed_byte_size > 1:
                self._wide_bytes(count)
                return
            self._skip(count)
            self._fill(wire.raw_fill, at, count)
        elif wire.vector3_gap and [each.type for each in fields] == ["f32"] * 3:
            self._gapped(fields, count)
        else:
            is_float = fields[0].type[0] == "f"
            wanted = wire.packed_int_size if not is_float else wire.packed_real_size
            wanted = wire.packed_vector_size if len(fields) > 1 and is_float else wanted
            self._fields(row, header, start, count, wanted, "packed array")

    def _or_packed(self, start: int) -> None:
        """Come back for each type of packed array that may have been written as an Array."""
        at = self._pos
        rows = [row for row in self.dialect.rows if row.kind in PACKED]

        def read(row: TypeRow) -> Callable[[], None]:
            def go_on() -> None:
                self._pos = at
                self._rewrite_header(start, at, row.number)
                before = self._pos
                self._payload(row.number, row, start)
                self._note("packed array", start, True)
                if row.kind is Kind.PACKED and row.narrow[0].type == "f32":
                    raw = self.data[before + 4 : self._pos]
                    if len(raw) % 4 or not all(map(_is_likely, memoryview(raw).cast("f"))):
                        raise Mismatch

            return go_on

        for row in sorted(rows, key=lambda row: -_packed_order(row)):
            self._or_else(read(row))

    def _unwrapped(self, row: TypeRow, count: int) -> None:
        """The elements of a packed array that were written as values with headers."""
        one = row.narrow[0]
        for _ in range(count):
            self.work += 1
            start = self._pos
            element = self.dialect.row(self._number(self.wire.header) & 0xFF)
            if element is None or element.kind is not Kind.FIXED or not element.narrow:
                raise Mismatch
            raw = self._raw(element.narrow_size)
            if one.type == "u8":
                raw = int.from_bytes(raw, "little").to_bytes(1, "little")
            if len(raw) != row.narrow_size:
                raise Mismatch
            self._put(start, raw)
        if one.type == "u8" and count % 4:
            self._patches.append(Patch(self._pos, 0, bytes(-count % 4)))
        self._note("packed array", self._pos, count > 0)

    def _wide_bytes(self, count: int) -> None:
        """The elements of a byte array that take several bytes each."""
        start, size = self._pos, self.wire.packed_byte_size
        raw = self._raw(count * size)
        if any(any(raw[k::size]) for k in range(1, size)):
            raise Mismatch
        self._note("byte array", start, self._put(start, raw[::size] + bytes(-count % 4)))

    def _path_text(self) -> None:
        """A NodePath that is one plain text."""
        start = self._pos
        length = self._number("u32")
        raw = self._raw(length)
        self._raw(-length % 4)
        names, *subnames = raw.decode().split(":")
        some = [name for name in names.split("/") if name]
        if not raw.decode().isprintable():
            raise Mismatch
        words = U32.pack(len(some) | SHARED) + U32.pack(len(subnames)) + U32.pack(int(names.startswith("/")))
        texts = (each.encode() for each in (*some, *subnames))
        new = words + b"".join(U32.pack(len(each)) + each + bytes(-len(each) % 4) for each in texts)
        self._note("NodePath", start, self._put(start, new))

    def _path(self) -> None:
        if self.wire.path_is_text:
            self._path_text()
            return
        names = self._size_word()
        if not names & SHARED:
            raise Mismatch
        subnames, flags = self._size_word(), self._size_word()
        count = (names & INT_MAX) + subnames + bool(flags & PROPERTY)
        if count > self.size - self._pos:
            raise Mismatch
        self._push(ReplayTask.TEXTS, count)

    def _object(self, header: int) -> None:
        """An object: an id, or a class and its properties."""
        if header & FLAG_64:
            self._skip(8)
            return
        if not any(self.data[self._pos : self._pos + 4]):
            self._size_word()
            return
        raise Mismatch  # its properties: rare in what other encoders write

    # Texts

    def _array_text(self) -> None:
        if self.wire.string_headers:
            start = self._pos
            row = self.dialect.row(self._number(self.wire.header))
            if row is None or row.kind is not Kind.STRING:
                raise Mismatch
            self._note("text of a string array", start, self._put(start, b""))
        else:
            self._note("text of a string array", self._pos, not self.wire.closed)
        self._text(self.wire.closed, closes=True)

    def _text(self, counts_nul: bool, closes: bool = False) -> None:
        """One text.

        Args:
            counts_nul: whether its length counts a NUL that is there.
            closes: whether it should.
        """
        wire, start = self.wire, self._pos
        body, raw = self._body(start)
        whole = len(raw)
        if (
            counts_nul
            and wire.length != "none"
            and not wire.field_size
            and wire.length_means not in ("nul", "words", "padded")
        ):
            if not raw.endswith(b"\0") and (raw or not closes):
                raise Mismatch
            raw = raw[: len(raw) - 1]
        shown = CODINGS[wire.coding](raw) if wire.coding in CODINGS else raw.decode(wire.coding)
        if not all(sign.isprintable() or sign in SPACE for sign in shown):
            raise Mismatch
        new = shown.encode() + (
            b"\0" if closes and (shown or counts_nul or wire.string_headers or not wire.closed) else b""
        )
        usual = (closes and wire.array_fill) or wire.fill
        text = U32.pack(len(new)) + new + bytes(-len(new) % 4)
        if usual == "none" and wire.length == "u32" and len(raw) % 4:
            at = self._pos
            self._or_else(lambda: self._filled(start, at, body, whole, "four", text))
        self._filled(start, self._pos, body, whole, usual, text)

    def _filled(self, start: int, at: int, body: int, size: int, word: str, text: bytes) -> None:
        """A text whose letters end at *at*, with its fill; *text* is what an engine would have written."""
        self._pos = at
        self._fill(word, body, size, put=False)
        self._note("text", start, self.data[start : self._pos] != text and self._put(start, text))

    def _body(self, start: int) -> tuple[int, bytes]:
        """Where a text begins, and its bytes, without a NUL that only this format counts."""
        wire = self.wire
        if wire.field_size:
            self._pos += wire.field_size
            raw = self.data[start : self._pos]
            bare = raw.rstrip(b"\0")
            if len(raw) != wire.field_size or b"\0" in bare:
                raise Mismatch
            return start, bare
        if wire.length == "none":
            end = self.data.find(b"\0", start)
            if end < 0 or end - start > MOST_TEXT:
                raise Mismatch
            self._pos = end + 1
            return start, self.data[start:end]
        told = self._number(wire.length)
        body = self._pos
        match wire.length_means:
            case "characters":
                size = self._characters(body, told)
            case "units":
                size = 2 * told if wire.coding.startswith("utf-16") else self._units(body, told)
            case "words":
                size = 4 * told
            case "bits":
                size, rest = divmod(told, 8)
                if rest:
                    raise Mismatch
            case "itself":
                size = told - (body - start)
            case _:
                size = told
        if not 0 <= size <= min(MOST_TEXT, self.size - body):
            raise Mismatch
        raw = self._raw(size)
        if wire.length_means in ("words", "padded"):
            bare = raw.rstrip(b"\0")
            if len(raw) - len(bare) > 4:
                raise Mismatch
            return body, bare
        if wire.length_means == "nul":
            if not raw.endswith(b"\0") or b"\0" in raw[:-1]:
                raise Mismatch
            return body, raw[:-1]
        if wire.nul and self._raw(1) != b"\0":
            raise Mismatch
        return body, raw

    def _characters(self, at: int, count: int) -> int:
        """How many bytes so many characters of UTF-8 take."""
        if count > self.size - at:
            raise Mismatch
        start = at
        for _ in range(count):
            lead = self.data[at]
            at += 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        return at - start

    def _units(self, at: int, count: int) -> int:
        """The same of units of UTF-16."""
        start = at
        while count > 0:
            lead = self.data[at]
            at += 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            count -= 2 if lead >= 0xF0 else 1
        if count:
            raise Mismatch
        return at - start

    def _fill(self, word: str, body: int, size: int, put: bool = True) -> None:
        """The fill behind what begins at *body*; its length is what was read of it with a NUL."""
        read = max(size, self._pos - body)
        there = FILLS[word](body, read)
        start = self._pos
        fill = self._raw(there)
        if any(each != self.wire.fill_byte for each in fill) and self._judges_fill:
            raise Mismatch
        if put:
            wrong = self._put(start, bytes(-size % 4)) if len(fill) != -size % 4 or self.wire.fill_byte else False
            self._note("byte array", start, wrong)


def _packed_order(row: TypeRow) -> int:
    """Texts tell most, then what more numbers must agree with."""
    if row.kind is Kind.PACKED_STRINGS:
        return -1
    return {"f32": 0, "i32": 2, "u8": 3}.get(row.narrow[0].type, 4) + len(row.narrow)


def _from_cesu(raw: bytes) -> str:
    """A text whose characters above U+FFFF are two surrogates."""
    return raw.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass").decode("utf-16-le")


CODINGS: dict[str, Callable[[bytes], str]] = {
    "cesu-8": _from_cesu,
    "utf-8 twice": lambda raw: raw.decode().encode("cp1252").decode(),
    "utf-8 with a mark": lambda raw: raw.removeprefix(BOM).decode(),
}
"""Encodings of texts that Python has no name for."""


def _is_likely(number: float) -> bool:
    """Whether a game may have stored a number."""
    return isinstance(number, int) or number == 0 or (isfinite(number) and 1e-12 < abs(number) < 1e15)


def _single(number: float) -> float | None:
    """A number that 32 bits hold, None for another."""
    try:
        short: float = STRUCTS["f32"].unpack(STRUCTS["f32"].pack(number))[0]
    except OverflowError:
        return None
    return short if short == number else None


def _uncovered(patches: list[Patch]) -> list[Patch]:
    """The patches in order, without those inside of bytes that another one replaces whole."""
    out: list[Patch] = []
    start = end = -1
    for patch in sorted(patches, key=lambda each: (each.at, -each.size)):
        if patch.at < end and (patch.size or patch.at > start):
            continue
        out.append(patch)
        if patch.at + patch.size > end:
            start, end = patch.at, patch.at + patch.size
    return sorted(out)
