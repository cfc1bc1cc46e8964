"""Encoder replay: a value read as an encoder of some wire format wrote it, and what an engine would have written.

The replay keeps its own stack of tasks: nesting comes from the bytes. Where a format leaves open how to go on (a value
that may be absent, a collection without a count), it goes one way and comes back for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import assert_never

from viewer.base.buffer import u32
from viewer.document.doctor.candidate import Patch, patched
from viewer.document.doctor.encoder_rule import PACKED_NUMBER
from viewer.document.doctor.repair_context import Raw
from viewer.document.doctor.replay_cursor import (
    MOST_TASKS,
    U32,
    UNLIKE,
    Mismatch,
    ReplayCursor,
    Replayed,
    ReplayTask,
    uncovered,
)
from viewer.document.doctor.replay_numbers import NumberReplay, is_likely
from viewer.document.doctor.replay_texts import TextReplay
from viewer.document.doctor.wire_format import ENGINE, WireFormat
from viewer.variant.dialect import FLAG_64, HOLDING, PACKED, SHARED, Dialect, Kind, TypeRow
from viewer.variant.header import INT_MAX

MOST_STUCK = 3
MOST_KEY = 64
LEAST_EVEN = 3
"""So many varints, all of them even, are zigzag ones."""
FLAGGED = 0xFFFFFF
"""The bits of a count that count where others are flags."""
EVENT_HEAD = 12
PROPERTY = 2
"""The flag of a path that one more sub-name follows than is counted."""
TYPED_ARRAY_BITS, TYPED_BITS = 0x3 << 16, 0xF << 16
SHORT_NULLS = {"byte": 1, "half": 2}
"""Bytes of a null whose header is not a word."""
REPEATED = frozenset(
    {ReplayTask.VALUES, ReplayTask.PAIRS, ReplayTask.NAMED_VALUES, ReplayTask.TEXTS, ReplayTask.CLOSED_TEXTS}
)
"""Tasks that say how often they are to be done."""


class EncoderReplay:
    """One value, read as an encoder wrote it.

    Args:
        data: the bytes.
        dialect: the engine line that it was written for.
        wire: how it was written.
        several: whether more values may follow the first.

    Attributes:
        cursor: the place in the bytes, which tells how far a replay came that fails.
    """

    def __init__(self, data: Raw, dialect: Dialect, wire: WireFormat, several: bool = False) -> None:
        self.cursor = ReplayCursor(data, wire)
        self.data, self.size = self.cursor.data, self.cursor.size
        self.dialect = dialect
        self.wire = wire
        self._stuck: list[int] = []
        self._texts = TextReplay(self.cursor, dialect.rules.unwritten_padding != "all")
        self._several = several
        self._ids = dict(wire.ids)
        self._unused = frozenset(meant for written, meant in wire.ids if dialect.row(written) is None)
        self._layouts = dict(wire.layouts)
        self._numbers = NumberReplay(self.cursor, dialect, self._layouts)
        self._counted = -1
        self._places: dict[int, list[int]] = {}

    @property
    def stuck(self) -> tuple[int, ...]:
        """The last type numbers that were read."""
        return tuple(self._stuck)

    def solutions(self) -> Iterator[Replayed]:
        """The ways to read all of it, the likeliest by the look first; none where it is not of such an encoder."""
        cursor = self.cursor
        cursor.tasks = [(ReplayTask.VALUES, 1, 0, 0)]
        try:
            while True:
                try:
                    while cursor.tasks:
                        self._task()
                        if not cursor.tasks and self._several and cursor.pos < self.size:
                            cursor.tasks.append((ReplayTask.VALUES, 1, 0, 0))
                    if cursor.pos == self.size and self._are_such_varints() and self._texts.are_of_this_way:
                        yield cursor.replayed()
                except UNLIKE:
                    pass
                if not cursor.back():
                    return
        finally:
            cursor.branches.clear()  # they know this replay, which knows them

    def _are_such_varints(self) -> bool:
        """Whether varints are of the kind that this format has: zigzag doubles what is not negative."""
        even = sum(not number & 1 for number in self.cursor.varints)
        if self.wire.int_size == "leb128":
            return even < max(len(self.cursor.varints), LEAST_EVEN)
        return 2 * even >= len(self.cursor.varints)

    # Tasks

    def _task(self) -> None:
        cursor = self.cursor
        task, left, a, b = cursor.tasks.pop()
        cursor.work += 1
        if cursor.work > MOST_TASKS:
            raise Mismatch
        if cursor.pos > cursor.reached:
            cursor.reached = cursor.pos
        if left > 1 and IS_REPEATED[task]:
            cursor.tasks.append((task, left - 1, a, b))
        DOES[task](self, left, a, b)

    def _element(self, left: int, is_inner: int, count: int) -> None:
        """A value: one of the last *left* of *count*, where it is in a collection."""
        if is_inner:
            if self.wire.element_index:
                start = self.cursor.pos
                if self.cursor.number("u32") != count - left:
                    raise Mismatch
                self.cursor.note("element", start, self.cursor.put(start, b""))
            if self.cursor.has_extra and left < count:
                self.cursor.extra("between", "element")
        self._value(inner=bool(self.cursor.tasks) or bool(is_inner))

    def _pair(self) -> None:
        if self.wire.pair_length:
            start = self.cursor.pos
            length = self.cursor.number(self.wire.pair_length)
            self.cursor.note("pair", start, self.cursor.put(start, b""))
            self.cursor.tasks.append((ReplayTask.ENDS, self.cursor.pos + length, 0, 0))
        if self.cursor.has_extra:
            self.cursor.extra("pair", "pair")
            if self.wire.extra[0] == "pair end":
                self.cursor.push(ReplayTask.EXTRA, 1)
        self.cursor.push(ReplayTask.VALUE_OF_KEY, 1)
        self._key()

    def _split_pairs(self, left: int, start: int, patches: int) -> None:
        """What stands next of a Dictionary whose keys and values do not alternate as an engine's do.

        Args:
            left: how many keys and values are still to come, and one for the end.
            start: where its count stands.
            patches: how many there were there.
        """
        cursor, places = self.cursor, self._places[start]
        count = len(places) // 2
        done = 2 * count + 1 - left
        places[done] = cursor.pos
        if left == 1:
            self._pair_up(start, patches, places)
            return
        cursor.tasks.append((ReplayTask.SPLIT_PAIRS, left - 1, start, patches))
        if _is_key(self.wire.pair_order, done, count):
            self._key()
        else:
            self._value(inner=True)

    def _pair_up(self, start: int, patches: int, places: Sequence[int]) -> None:
        """Have each key stand before its value; keys are no collections, and an engine has none of them twice."""
        cursor, count = self.cursor, len(places) // 2
        inner = uncovered(patch for patch in cursor.patches[patches:] if patch.at >= start)
        pieces = [_patched(self.data, inner, *pair) for pair in pairwise(places)]
        keys = [piece for k, piece in enumerate(pieces) if _is_key(self.wire.pair_order, k, count)]
        values = [piece for k, piece in enumerate(pieces) if not _is_key(self.wire.pair_order, k, count)]
        rows = (self.dialect.row(u32(key, 0)) for key in keys)
        if len(set(keys)) < count or any(row is None or row.kind in HOLDING for row in rows):
            raise Mismatch
        head = _patched(self.data, inner, start, places[0])
        alternating = b"".join(chain.from_iterable(zip(keys, values, strict=True)))
        is_changed = alternating != b"".join(pieces)
        if is_changed:
            cursor.patches.append(Patch(start, cursor.pos - start, head + alternating))
        cursor.note("pair", places[0], is_changed, count)

    def _named_value(self) -> None:
        self.cursor.push(ReplayTask.VALUE_OF_KEY, 1)
        self._texts.text(False)

    def _end_mark(self) -> None:
        start = self.cursor.pos
        if self.cursor.raw(len(self.wire.end_mark)) != self.wire.end_mark:
            raise Mismatch
        self.cursor.note("collection", start, self.cursor.put(start, b""))

    def _ends(self, at: int) -> None:
        if self.cursor.pos != at:
            raise Mismatch

    def _until(self, stop: int, count: int, place: int) -> None:
        """Another element of a collection whose count says its bytes.

        Args:
            stop: where they end.
            count: twice the elements that were read; odd where they are pairs.
            place: the patch of the count.
        """
        if self.cursor.pos > stop:
            raise Mismatch
        if self.cursor.pos == stop:
            self.cursor.counted(place, count >> 1)
            return
        self.cursor.tasks.append((ReplayTask.UNTIL, stop, count + 2, place))
        self.cursor.push(ReplayTask.PAIRS if count & 1 else ReplayTask.VALUES, 1, 1)

    def _open(self, pairs: int, count: int, place: int) -> None:
        """Another element of a collection without a count, or none; the arguments are those of :meth:`_until`."""
        if self.cursor.pos >= self.size:
            self.cursor.counted(place, count >> 1)
            return

        def stop() -> None:
            self.cursor.counted(place, count >> 1)

        self.cursor.or_else(stop)
        self.cursor.tasks.append((ReplayTask.OPEN, pairs, count + 2, place))
        self.cursor.push(ReplayTask.PAIRS if pairs else ReplayTask.VALUES, 1, 1)

    # Values

    def _key(self) -> None:
        if self.wire.key_strings:
            self._key_string()
            return
        if self.wire.key_headers:
            self._value(inner=self.wire.key_length, of_key_text=True)
            return
        self.cursor.or_else(lambda: self._value(inner=True))
        at = self.cursor.pos
        self.cursor.patches.append(Patch(at, 0, U32.pack(self.dialect.type_number("String"))))
        self.cursor.note("key", at, True)
        self._texts.text(False)

    def _key_string(self) -> None:
        """A key that a NUL ends, without a header and a length."""
        start = self.cursor.pos
        end = self.data.find(b"\0", start)
        if end < 0 or end - start > MOST_KEY:
            raise Mismatch
        shown = self.data[start:end].decode()
        if not shown.isprintable():
            raise Mismatch
        self.cursor.pos = end + 1
        raw = shown.encode()
        head = U32.pack(self.dialect.type_number("String")) + U32.pack(len(raw))
        self.cursor.note("key", start, self.cursor.put(start, head + raw + bytes(-len(raw) % 4)))

    def _header(self) -> tuple[int, TypeRow]:
        """The header of a value, and its type; what the engine would have written takes its place."""
        cursor, stuck = self.cursor, self._stuck
        if cursor.has_extra:
            cursor.extra("value", "value")
            cursor.align()
        wire, start = self.wire, cursor.pos
        written = cursor.number(wire.header)
        if wire.count_in_header and self._is_collection(written & 0xFF):
            self._counted = written >> 16
            written &= 0xFFFF
        number, flags = written & 0xFF, written & ~0xFF
        if wire.flag_bit != ENGINE.flag_bit:
            flags = self._flags(flags)
        if not stuck or stuck[-1] != number:
            if number in stuck:
                stuck.remove(number)
            stuck.append(number)
            del stuck[:-MOST_STUCK]
        if number in self._unused:
            raise Mismatch  # the type has a number of the encoder's own, which is no other type's
        meant = self._ids.get(number, number)
        first, by = wire.shift
        if by and number >= first + by:
            meant = number - by
        elif by > 0 and number == first:
            raise Mismatch  # the number of the name that is too many
        row = self.dialect.row(meant)
        if row is None or flags >> 20:
            raise Mismatch
        header = meant | flags
        for _ in range(wire.headers - 1):
            if cursor.number(wire.header) != written:
                raise Mismatch
        is_changed = cursor.put(start, U32.pack(header))
        if cursor.has_extra:
            cursor.extra("header", "header")
        cursor.note("header", start, is_changed)
        if header & FLAG_64 and row.has_wide:
            cursor.note("flag", start, is_changed)
        return header, row

    def _is_collection(self, number: int) -> bool:
        """Whether a type number is that of an Array or of a Dictionary."""
        row = self.dialect.row(number)
        return row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY)

    def _flags(self, written: int) -> int:
        """The flags of a header, those of an engine."""
        bit = 1 << self.wire.flag_bit
        if written & FLAG_64:
            raise Mismatch
        return written & ~bit | (FLAG_64 if written & bit else 0)

    def _value(self, inner: bool, of_key: bool = False, of_key_text: bool = False) -> None:
        """Read one value up to its first text or child."""
        wire = self.wire
        if wire.value_length and inner:
            start = self.cursor.pos
            length = self.cursor.number(wire.value_length)
            self.cursor.note("value", start, self.cursor.put(start, b""))
            if length > self.size - self.cursor.pos:
                raise Mismatch
            self.cursor.tasks.append((ReplayTask.ENDS, self.cursor.pos + length, 0, 0))
        if wire.null == "absent" and inner:
            if of_key and self._is_next_key():
                at = self.cursor.pos
                self.cursor.or_else(lambda: self._present(at))
                self._absent()
                return
            self.cursor.or_else(self._absent)
        short = SHORT_NULLS.get(wire.null, 0)
        if short and self.data[self.cursor.pos] == 0:
            start = self.cursor.pos
            if any(self.cursor.raw(short)):
                raise Mismatch
            self.cursor.note("null", start, self.cursor.put(start, bytes(4)))
            return
        start = self.cursor.pos
        header, row = self._header()
        if wire.null_text and row.kind is Kind.STRING and self.data.startswith(wire.null_text, self.cursor.pos):
            self.cursor.skip(len(wire.null_text))
            self.cursor.note("text", start, self.cursor.put(start, bytes(4)))
            return
        if of_key_text and row.kind is Kind.STRING and (wire.key_size or wire.key_fill):
            self.cursor.push(ReplayTask.KEY_TEXT, 1)
            return
        self._payload(header, row, start)

    def _is_next_key(self) -> bool:
        """Whether a text stands next that another value than a text follows: in a dictionary it is rather a key."""
        at, text = self.cursor.pos, self.dialect.type_number("String")
        head = self.data[at : at + 8]
        if len(head) < 8 or U32.unpack_from(head)[0] != text:
            return False
        behind = at + 8 + (U32.unpack_from(head, 4)[0] + 3 & ~3)
        return self.data[behind : behind + 1] not in (b"", bytes([text]))

    def _present(self, at: int) -> None:
        self.cursor.pos = at
        header, row = self._header()
        self._payload(header, row, at)

    def _absent(self) -> None:
        """A null of which nothing was written."""
        self.cursor.patches.append(Patch(self.cursor.pos, 0, bytes(4)))
        self.cursor.note("null", self.cursor.pos, True)

    def _payload(self, header: int, row: TypeRow, start: int, is_array: bool = False) -> None:
        kind = row.kind
        if kind in PACKED and not (is_array or self.wire.packed_ids):
            self.cursor.note(PACKED_NUMBER, start, None)
        if header & TYPED_BITS & ~FLAG_64 and kind not in HOLDING:
            raise Mismatch
        match kind:
            case Kind.FIXED | Kind.NULL_OBJECT | Kind.REFERENCE:
                self._numbers.fixed(header, row, start)
            case Kind.STRING:
                self.cursor.push(ReplayTask.TEXTS, 1)
            case Kind.ARRAY | Kind.DICTIONARY:
                if kind is Kind.ARRAY and not self.wire.packed_ids:
                    self._or_packed(start)
                if header & self._type_bits(kind) and not self.wire.element_types:
                    header &= ~self._type_bits(kind)
                    is_changed = self._numbers.rewrite_header(start, self.cursor.pos, header)
                    self.cursor.note("typed collection", start, is_changed)
                self._collection(header, kind)
            case Kind.PACKED:
                self._packed(header, row, start)
            case Kind.PACKED_STRINGS:
                means = self.wire.packed_count_means
                count = self._count("packed array", means if means in ("more", "less") else "elements", 1)
                if not self._texts.skip_closed(count):
                    self.cursor.push(ReplayTask.CLOSED_TEXTS, count)
            case Kind.NODE_PATH | Kind.INDEXED_PATH:
                self._path()
            case Kind.OBJECT | Kind.RESOURCE:
                self._object(header)
            case Kind.SIGNAL:
                self.cursor.push(ReplayTask.NUMBERS, 8)
                self.cursor.push(ReplayTask.TEXTS, 1)
            case Kind.TYPED_ARRAY:
                element = self.dialect.row(self.cursor.size_word())
                if element is None:
                    raise Mismatch
                self._collection(0, Kind.ARRAY)
                self.cursor.push(
                    ReplayTask.VALUES, int(element is self.dialect.by_name["Object"] and not header & FLAG_64), 1
                )
            case Kind.IMAGE | Kind.INPUT_EVENT:
                words = [self.cursor.size_word() for _ in range(5 if kind is Kind.IMAGE else 3)]
                length = words[-1] if kind is Kind.IMAGE else words[-1] - EVENT_HEAD
                self.cursor.skip(length)
                if kind is Kind.IMAGE:
                    self._texts.fill("four", self.cursor.pos - length, length)
            case _:
                assert_never(kind)

    # Numbers and vectors

    def _count(self, noun: str, means: str, size: int, kind: str = "") -> int:
        """How many elements a count says; what an engine would have written takes its place."""
        if self.cursor.has_extra:
            self.cursor.extra("count", "count")
        start = self.cursor.pos
        written = self.cursor.number(kind or self.wire.packed_count)
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
        if not 0 <= told <= self.size - self.cursor.pos:
            raise Mismatch
        if self.wire.count_extra and not noun.startswith("packed"):
            self.cursor.raw(self.wire.count_extra)
        self.cursor.note(f"count of a {noun}", start, self.cursor.put(start, U32.pack(told | shared)))
        return told

    def _collection(self, header: int, kind: Kind) -> None:
        wire, pairs = self.wire, kind is Kind.DICTIONARY
        texts = 0
        shifts = (16, 18) if pairs else (16,)
        if header & TYPED_BITS and not self._type_bits(kind):
            raise Mismatch
        for shift in shifts:
            what = header >> shift & 3
            if what == 1:
                if texts:
                    raise Mismatch
                if self.dialect.row(self.cursor.size_word()) is None:
                    raise Mismatch
            elif what:
                texts += 1
        if texts:
            raise Mismatch  # a class or a script: rare in what other encoders write
        noun, task = ("Dictionary", ReplayTask.PAIRS) if pairs else ("Array", ReplayTask.VALUES)
        how = wire.pair_count if pairs else wire.array_count
        if wire.end_mark:
            self.cursor.tasks.append((ReplayTask.END_MARK, 1, 0, 0))
        if self._counted >= 0:
            self.cursor.patches.append(Patch(self.cursor.pos, 0, U32.pack(self._counted)))
            self.cursor.note(f"count of a {noun}", self.cursor.pos, True)
            count, self._counted = self._counted, -1
            if count * (2 if pairs else 1) > self.size - self.cursor.pos:
                raise Mismatch
            self.cursor.push(task, count, 1, count)
        elif how == "none":
            self.cursor.patches.append(Patch(self.cursor.pos, 0, bytes(4)))
            self.cursor.note(f"count of a {noun}", self.cursor.pos, True)
            self.cursor.tasks.append((ReplayTask.OPEN, int(pairs), int(pairs), len(self.cursor.patches) - 1))
        elif wire.count_means == "bytes":
            self._bytes_counted(noun, pairs)
        else:
            start, patches = self.cursor.pos, len(self.cursor.patches)
            means = wire.count_means if pairs or wire.count_means != "values" else "elements"
            count = self._count(noun, (wire.pair_means if pairs else wire.array_means) or means, 1, how)
            if count * (2 if pairs else 1) > self.size - self.cursor.pos:
                raise Mismatch
            if pairs and count and wire.pair_order != ENGINE.pair_order:
                self._places[start] = [0] * (2 * count + 1)
                self.cursor.tasks.append((ReplayTask.SPLIT_PAIRS, 2 * count + 1, start, patches))
            else:
                self.cursor.push(task, count, 1, count)

    def _type_bits(self, kind: Kind) -> int:
        """The bits of a header by which such a collection says what it holds; none where this engine line has none."""
        rules = self.dialect.rules
        if kind is Kind.DICTIONARY:
            return TYPED_BITS if rules.typed_dictionaries else 0
        return TYPED_ARRAY_BITS if rules.typed_arrays else 0

    def _bytes_counted(self, noun: str, pairs: bool) -> None:
        start = self.cursor.pos
        length = self.cursor.number(self.wire.pair_count if pairs else self.wire.array_count)
        if length > self.size - self.cursor.pos:
            raise Mismatch
        self.cursor.patches.append(Patch(start, self.cursor.pos - start, bytes(4)))
        self.cursor.note(f"count of a {noun}", start, length > 0)
        self.cursor.tasks.append((ReplayTask.UNTIL, self.cursor.pos + length, int(pairs), len(self.cursor.patches) - 1))

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
            self.cursor.push(ReplayTask.VALUES, 0)
            self._unwrapped(row, count)
        elif fields[0].type == "u8":
            at = self.cursor.pos
            if wire.packed_byte_size > 1:
                self._wide_bytes(count)
                return
            self.cursor.skip(count)
            self._texts.fill(wire.raw_fill, at, count)
        elif wire.vector3_gap and [each.type for each in fields] == ["f32"] * 3:
            self._numbers.gapped(fields, count)
        else:
            is_float = fields[0].type[0] == "f"
            wanted = wire.packed_int_size if not is_float else wire.packed_real_size
            wanted = wire.packed_vector_size if len(fields) > 1 and is_float else wanted
            at = self.cursor.pos
            self._numbers.fields(row, header, start, count, wanted, "packed array")
            if wire.packed_fill != "none":
                self._texts.fill_packed(at)
        if self.cursor.has_extra:
            self.cursor.extra("packed", "packed array")

    def _or_packed(self, start: int) -> None:
        """Come back for each type of packed array that may have been written as an Array."""
        if self.cursor.is_full:
            return
        at = self.cursor.pos

        def read(row: TypeRow) -> Callable[[], None]:
            def go_on() -> None:
                self.cursor.pos = at
                self._numbers.rewrite_header(start, at, row.number)
                before = self.cursor.pos
                self._payload(row.number, row, start, is_array=True)
                self.cursor.note(PACKED_NUMBER, start, True)
                if row.kind is Kind.PACKED and row.narrow[0].type == "f32":
                    raw = self.data[before + 4 : self.cursor.pos]
                    if len(raw) % 4 or not all(map(is_likely, memoryview(raw).cast("f"))):
                        raise Mismatch

            return go_on

        for row in _packed_rows(self.dialect):
            self.cursor.or_else(read(row))

    def _unwrapped(self, row: TypeRow, count: int) -> None:
        """The elements of a packed array that were written as values with headers."""
        one = row.narrow[0]
        for _ in range(count):
            self.cursor.work += 1
            start = self.cursor.pos
            element = self.dialect.row(self.cursor.number(self.wire.header) & 0xFF)
            if element is None or element.kind is not Kind.FIXED or not element.narrow:
                raise Mismatch
            raw = self.cursor.raw(element.narrow_size)
            if one.type == "u8":
                raw = int.from_bytes(raw, "little").to_bytes(1, "little")
            if len(raw) != row.narrow_size:
                raise Mismatch
            self.cursor.put(start, raw)
        if one.type == "u8" and count % 4:
            self.cursor.patches.append(Patch(self.cursor.pos, 0, bytes(-count % 4)))
        self.cursor.note("packed array", self.cursor.pos, count > 0)

    def _wide_bytes(self, count: int) -> None:
        """The elements of a byte array that take several bytes each."""
        start, size = self.cursor.pos, self.wire.packed_byte_size
        raw = self.cursor.raw(count * size)
        if any(any(raw[k::size]) for k in range(1, size)):
            raise Mismatch
        self.cursor.note("byte array", start, self.cursor.put(start, raw[::size] + bytes(-count % 4)))

    def _path_text(self) -> None:
        """A NodePath that is one plain text."""
        start = self.cursor.pos
        length = self.cursor.number("u32")
        raw = self.cursor.raw(length)
        self.cursor.raw(-length % 4)
        names, *subnames = raw.decode().split(":")
        some = [name for name in names.split("/") if name]
        if not raw.decode().isprintable():
            raise Mismatch
        words = U32.pack(len(some) | SHARED) + U32.pack(len(subnames)) + U32.pack(int(names.startswith("/")))
        texts = (each.encode() for each in (*some, *subnames))
        new = words + b"".join(U32.pack(len(each)) + each + bytes(-len(each) % 4) for each in texts)
        self.cursor.note("NodePath", start, self.cursor.put(start, new))

    def _path(self) -> None:
        if self.wire.path_is_text:
            self._path_text()
            return
        names = self.cursor.size_word()
        if not names & SHARED:
            raise Mismatch
        subnames, flags = self.cursor.size_word(), self.cursor.size_word()
        count = (names & INT_MAX) + subnames + bool(flags & PROPERTY)
        if count > self.size - self.cursor.pos:
            raise Mismatch
        self.cursor.push(ReplayTask.TEXTS, count)

    def _object(self, header: int) -> None:
        """An object: an id, or a class and its properties."""
        if header & FLAG_64:
            self.cursor.skip(8)
            return
        if not any(self.data[self.cursor.pos : self.cursor.pos + 4]):
            self.cursor.size_word()
            return
        self.cursor.push(ReplayTask.PROPERTIES, 1)
        self.cursor.push(ReplayTask.TEXTS, 1)

    def _properties(self) -> None:
        """The number of an object's properties, behind which they follow by name."""
        count = self.cursor.size_word()
        if count > self.size - self.cursor.pos:
            raise Mismatch
        self.cursor.push(ReplayTask.NAMED_VALUES, count)

    # Texts

    def _array_text(self) -> None:
        if self.wire.string_headers:
            start = self.cursor.pos
            row = self.dialect.row(self.cursor.number(self.wire.header))
            if row is None or row.kind is not Kind.STRING:
                raise Mismatch
            self.cursor.note("text of a string array", start, self.cursor.put(start, b""))
        else:
            self.cursor.note("text of a string array", self.cursor.pos, not self.wire.closed)
        self._texts.text(self.wire.closed, closes=True)


STEPS: dict[ReplayTask, Callable[[EncoderReplay, int, int, int], None]] = {
    ReplayTask.VALUES: EncoderReplay._element,
    ReplayTask.PAIRS: lambda replay, left, a, b: replay._pair(),
    ReplayTask.EXTRA: lambda replay, left, a, b: replay.cursor.extra("pair end", "pair"),
    ReplayTask.KEY_TEXT: lambda replay, left, a, b: replay._texts.text(False, is_key=True),
    ReplayTask.END_MARK: lambda replay, left, a, b: replay._end_mark(),
    ReplayTask.KEY: lambda replay, left, a, b: replay._key(),
    ReplayTask.VALUE_OF_KEY: lambda replay, left, a, b: replay._value(inner=True, of_key=True),
    ReplayTask.PROPERTIES: lambda replay, left, a, b: replay._properties(),
    ReplayTask.NAMED_VALUES: lambda replay, left, a, b: replay._named_value(),
    ReplayTask.TEXTS: lambda replay, left, a, b: replay._texts.text(False),
    ReplayTask.CLOSED_TEXTS: lambda replay, left, a, b: replay._array_text(),
    ReplayTask.NUMBERS: lambda replay, left, a, b: replay.cursor.skip(left),
    ReplayTask.UNTIL: EncoderReplay._until,
    ReplayTask.OPEN: EncoderReplay._open,
    ReplayTask.ENDS: lambda replay, left, a, b: replay._ends(left),
    ReplayTask.SPLIT_PAIRS: EncoderReplay._split_pairs,
}
"""What each task does; its three numbers say what of."""
DOES = [STEPS[ReplayTask.VALUES], *(STEPS[task] for task in ReplayTask)]
IS_REPEATED = [False, *(task in REPEATED for task in ReplayTask)]
"""The same, and whether it says how often it is to be done, by the number of the task: a list is quicker to ask."""


def _is_key(order: str, index: int, count: int) -> bool:
    """Whether what stands at a place among *count* keys and as many values is a key."""
    return {"keys values": index < count, "values keys": index >= count, "value key": bool(index % 2)}[order]


def _patched(data: Raw, patches: Sequence[Patch], start: int, end: int) -> bytes:
    """The bytes of a stretch after those patches that lie in it."""
    own = (patch.shifted(-start) for patch in patches if start <= patch.at < end)
    return patched(data[start:end], own)


@lru_cache(32)
def _packed_rows(dialect: Dialect) -> tuple[TypeRow, ...]:
    """The types of packed arrays, what tells most last."""
    return tuple(sorted((row for row in dialect.rows if row.kind in PACKED), key=lambda row: -_packed_order(row)))


def _packed_order(row: TypeRow) -> int:
    """Texts tell most, then what more numbers must agree with."""
    if row.kind is Kind.PACKED_STRINGS:
        return -1
    return {"f32": 0, "i32": 2, "u8": 3}.get(row.narrow[0].type, 4) + len(row.narrow)
