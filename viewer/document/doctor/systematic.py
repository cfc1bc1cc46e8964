"""Hypotheses about an encoder that makes the same mistake everywhere: the value is read as such an encoder writes.

The walk keeps its own stack: nesting comes from the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct, error

from viewer.document.doctor.candidate import Candidate
from viewer.document.doctor.ground import Ground
from viewer.document.doctor.habits import HABITS, Habit, right_fill
from viewer.document.doctor.patch import Patch, Patches, growth, word
from viewer.variant.dialect import FLAG_64, SHARED, Dialect, Field, Kind, TypeRow
from viewer.variant.heads import INT_MAX

MOST_NODES = 20_000
MOST_TEXT = 1 << 16
BREAKS = "\n\t\r"
DOUBLE, SINGLE = Struct("<d"), Struct("<f")


class Unlike(Exception):
    """The bytes are not what such an encoder writes."""


def systematic_candidates(ground: Ground) -> Iterator[Candidate]:
    """Mistakes that are made in the whole value."""
    payload = ground.payload
    for habit in HABITS:
        try:
            patches = Walk(payload, ground.way.dialect, habit).run()
        except (Unlike, IndexError, OverflowError, UnicodeError, error):
            continue
        if patches:
            moved = tuple(patch.shifted(ground.start) for patch in patches)
            yield from _framed(ground, Candidate(habit.cause, moved, habit.fact, _weight(habit, len(patches))))


def _weight(habit: Habit, count: int) -> float:
    """One place is better told by what is said of one place."""
    return 0.3 if count < 2 else 2.0


def _framed(ground: Ground, candidate: Candidate) -> Iterator[Candidate]:
    """The candidate; where the whole file has the mistake, the frames behind this one have it too."""
    yield candidate
    more = list(candidate.patches)
    if not ground.has_prefix or ground.end >= len(ground.data) or not ground.stored >= 0:
        return
    habit = next(each for each in HABITS if each.fact == candidate.fact and each.cause is candidate.cause)
    big = ground.way.framing.big_endian
    order = "big" if big else "little"
    grown = growth(candidate.patches)
    more.insert(0, word(ground.at, ground.stored + grown, big)) if grown else None
    at = ground.end
    while at < len(ground.data) and len(more) < MOST_NODES:
        length = int.from_bytes(ground.data[at : at + 4], order)  # type: ignore[arg-type]
        payload = ground.data[at + 4 : at + 4 + length]
        if len(payload) != length or length < 4:
            return
        try:
            patches = Walk(payload, ground.way.dialect, habit).run()
        except (Unlike, IndexError, OverflowError, UnicodeError, error):
            return
        grown = growth(patches)
        more += [word(at, length + grown, big)] if grown else []
        more += [patch.shifted(at + 4) for patch in patches]
        at += 4 + length
    yield Candidate(candidate.cause, tuple(more), candidate.fact, candidate.weight, framed=True)


class Walk:
    """Reads one value as an encoder with a habit writes it, and notes what would make it right."""

    def __init__(self, data: bytes, dialect: Dialect, habit: Habit) -> None:
        self.data = data
        self.size = len(data)
        self.dialect = dialect
        self.habit = habit
        self.order = "big" if habit.big_endian else "little"
        self.patches: list[Patch] = []
        self.pos = 0
        self.in_object = False
        self.seen = 0
        self.zeros = False

    def run(self) -> Patches:
        """The patches; none where the habit makes no difference.

        Raises:
            Unlike: the bytes are not what such an encoder writes.
        """
        waiting, named = [1], [False]
        while waiting:
            if not waiting[-1]:
                waiting.pop()
                named.pop()
                continue
            waiting[-1] -= 1
            if named[-1]:
                self.text()
            self.seen += 1
            if self.seen > MOST_NODES:
                raise Unlike
            children = self.node()
            if children:
                if children > self.size - self.pos >> 2:
                    raise Unlike
                waiting.append(children)
                named.append(self.in_object)
        if self.pos != self.size or (self.habit.coding == "utf-16-le" and not self.zeros):
            raise Unlike
        return tuple(self.patches)

    def word(self) -> int:
        """The next word; a swapped one is put right."""
        raw = self.data[self.pos : self.pos + 4]
        if len(raw) < 4:
            raise Unlike
        if self.habit.big_endian:
            self.patches.append(Patch(self.pos, 4, raw[::-1]))
        self.pos += 4
        return int.from_bytes(raw, self.order)  # type: ignore[arg-type]

    def node(self) -> int:
        """Read one value without its children; gives how many of these follow."""
        self.in_object = False
        start, header = self.pos, self.word()
        row = self.dialect.row(header)
        if row is None or header >> 20:
            raise Unlike
        kind = row.kind
        if kind in (Kind.FIXED, Kind.NULL_OBJECT):
            self.fields(row, header, start, 1)
        elif kind is Kind.STRING:
            self.text()
        elif kind in (Kind.ARRAY, Kind.DICTIONARY):
            return self.collection(kind, header)
        elif kind is Kind.PACKED:
            self.packed(row, header, start)
        elif kind is Kind.PACKED_STRINGS:
            self.texts(self.word(), closed=True)
        elif kind is Kind.NODE_PATH:
            names = self.word()
            if not names & SHARED:
                raise Unlike
            subnames, _ = self.word(), self.word()
            self.texts((names & INT_MAX) + subnames)
        elif kind is Kind.OBJECT:
            return self.object(header)
        else:
            raise Unlike
        return 0

    def object(self, header: int) -> int:
        """The head of an object: an id, or a class and how many properties follow."""
        if header & FLAG_64:
            self.skip(8)
            return 0
        begin = self.pos
        self.text()
        self.in_object = True
        return self.word() if any(self.data[begin : begin + 4]) else 0

    def collection(self, kind: Kind, header: int) -> int:
        """The head of an Array or Dictionary."""
        for shift in (16, 18) if kind is Kind.DICTIONARY else (16,):
            what = header >> shift & 3
            if what == 1:
                self.word()
            elif what:
                self.text()
        count = self.word() & INT_MAX
        return 2 * count if kind is Kind.DICTIONARY else count

    def skip(self, size: int) -> None:
        """Go over bytes that are one number."""
        if self.pos + size > self.size:
            raise Unlike
        if self.habit.big_endian:
            self.patches.append(Patch(self.pos, size, self.data[self.pos : self.pos + size][::-1]))
        self.pos += size

    # Numbers

    def fields(self, row: TypeRow, header: int, start: int, count: int) -> None:
        """The fields of *count* elements."""
        habit = self.habit
        wanted = habit.wide_reals if row.real else habit.wide_numbers
        wide = bool(header & FLAG_64) and row.has_wide
        if wanted is None or not _may_be_wide(row, self.dialect) or (wanted == wide):
            self.numbers(row.wide if wide else row.narrow, count)
        elif row.has_wide:
            self.patches.append(word(start, header ^ FLAG_64))
            self.numbers(row.wide if wanted else row.narrow, count)
        elif wanted:
            self.narrowed(row.narrow, count)
        else:
            raise Unlike

    def numbers(self, fields: tuple[Field, ...], count: int) -> None:
        """Numbers as wide as the header says."""
        if not self.habit.big_endian:
            self.pos += count * sum(field.size for field in fields)
            if self.pos > self.size:
                raise Unlike
            return
        if count > self.size:
            raise Unlike
        for _ in range(count):
            for field in fields:
                self.skip(field.size)

    def narrowed(self, fields: tuple[Field, ...], count: int) -> None:
        """Numbers that were written in 64 bits where this engine line knows 32 only."""
        if count * len(fields) > self.size >> 3:
            raise Unlike
        for field in fields * count:
            raw = self.data[self.pos : self.pos + 8]
            if field.type == "f32":
                new = SINGLE.pack(DOUBLE.unpack(raw)[0])
            else:
                new = int.from_bytes(raw, "little", signed=True).to_bytes(4, "little", signed=True)
            self.patches.append(Patch(self.pos, 8, new))
            self.pos += 8

    def packed(self, row: TypeRow, header: int, start: int) -> None:
        """A packed array."""
        count = self.word()
        if count > self.size:
            raise Unlike
        if row.fields(header)[0].type != "u8":
            self.fields(row, header, start, count)
            return
        self.pos += count
        if self.pos > self.size:
            raise Unlike
        self.filled(count, self.pos)

    # Texts

    def texts(self, count: int, closed: bool = False) -> None:
        """So many texts."""
        if count > self.size >> 2:
            raise Unlike
        self.seen += count
        if self.seen > MOST_NODES:
            raise Unlike
        for _ in range(count):
            self.text(closed)

    def text(self, closed: bool = False) -> None:
        """One text; *closed* where its length rightly counts a NUL."""
        at = self.pos
        length = self.word()
        body, habit = self.pos, self.habit
        size = self.size_of(length, body, closed)
        raw = self.data[body : body + size]
        if len(raw) != size or size > MOST_TEXT:
            raise Unlike
        new = raw
        if habit.nul and not closed:
            if not raw.endswith(b"\0") or size == 1:
                raise Unlike
            new = raw[:-1]
        elif habit.coding != "utf-8":
            new = self.recoded(raw)
        else:
            raw.decode()
        self.pos = body + size
        if new == raw and size == length:
            self.filled(size, self.pos)
            return
        self.patches.append(word(at, len(new)))
        fill = (habit.fill or right_fill)(length if habit.characters and habit.units == 0 else size)
        self.pos += fill
        if self.pos > self.size or any(self.data[self.pos - fill : self.pos]):
            raise Unlike
        self.patches.append(Patch(body, size + fill, new + bytes(right_fill(len(new)))))

    def recoded(self, raw: bytes) -> bytes:
        """A text in another encoding, as UTF-8."""
        if self.habit.coding == "latin-1" and _is_utf8(raw):
            return raw
        if self.habit.coding != "latin-1" and 0 not in raw and _is_utf8(raw):
            raise Unlike
        self.zeros = self.zeros or 0 in raw
        shown = raw.decode(self.habit.coding)
        if not all(sign.isprintable() or sign in BREAKS for sign in shown.rstrip("\0")):
            raise Unlike
        return shown.encode()

    def size_of(self, length: int, body: int, closed: bool) -> int:
        """How many bytes a text takes whose length says *length*."""
        habit = self.habit
        if length > self.size:
            raise Unlike
        if not habit.characters:
            return length * max(1, habit.units)
        at = body
        for _ in range(length):
            lead = self.data[at]
            at += 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        return at - body

    def filled(self, size: int, end: int) -> None:
        """The fill behind *size* bytes."""
        right = right_fill(size)
        there = (self.habit.fill or right_fill)(size)
        if end + there > self.size or (self.habit.fill is not None and any(self.data[end : end + there])):
            raise Unlike
        if there != right:
            self.patches.append(Patch(end, there, bytes(right)))
        self.pos = end + there


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _may_be_wide(row: TypeRow, dialect: Dialect) -> bool:
    return row.real or row.has_wide or (row.name in ("int", "float", "real"))
