"""Walking: a value read as an encoder with a habit writes it, and what would make it right.

The walk keeps its own stack of tasks: nesting comes from the file. Where a text may as well be right as not, it tries
one and comes back for the other: an encoder may go wrong in some of its paths only.
"""

from __future__ import annotations

from struct import Struct, error

from viewer.document.doctor.habits import Habit
from viewer.document.doctor.part import Raw
from viewer.document.doctor.patch import Patch, Patches, word
from viewer.document.doctor.retelling import Telling, Unlike, fills, tellings
from viewer.document.doctor.turns import Task, Turn
from viewer.variant.dialect import FLAG_64, SHARED, Dialect, Field, Kind, TypeRow
from viewer.variant.heads import INT_MAX

MOST_NODES = 20_000
MOST_TURNS = 400
MOST_CHOICES = 1 << 12
EVENT_HEAD = 12
PROPERTY = 2
"""The flag of a path that one more sub-name follows than is counted."""
DOUBLE, SINGLE = Struct("<d"), Struct("<f")


class Walk:
    """One value, read.

    Attributes:
        spared: how many texts are right although the habit would have written them otherwise.
    """

    def __init__(self, data: Raw, dialect: Dialect, habit: Habit) -> None:
        self.data = data
        self.size = len(data)
        self.dialect = dialect
        self.habit = habit
        self.order = "big" if habit.big_endian else "little"
        self.is_fill_judged = dialect.rules.unwritten_padding != "all"
        self.patches: list[Patch] = []
        self.pos = 0
        self.seen = 0
        self.spared = 0
        self.tasks: list[tuple[Task, int]] = [(Task.VALUES, 1)]
        self._turns: list[Turn] = []
        self._turned = 0

    def run(self) -> Patches:
        """The patches; none where the habit makes no difference.

        Raises:
            Unlike: the bytes are not what such an encoder writes.
        """
        while True:
            try:
                while self.tasks:
                    self._task()
                if self.pos == self.size and self._is_told():
                    return tuple(self.patches)
            except (Unlike, IndexError, OverflowError, UnicodeError, error):
                pass
            self._turn()

    def _is_told(self) -> bool:
        """Whether something tells of the habit: any two bytes are some sign of UTF-16, but few are a Latin one."""
        texts = self.patches[1::2]
        return self.habit.coding != "utf-16-le" or any(0 < sign < 0x80 for patch in texts for sign in patch.new)

    def _turn(self) -> None:
        """Go back to where another way may be taken."""
        self._turned += 1
        if not self._turns or self._turned > MOST_TURNS or self.seen > MOST_NODES:
            raise Unlike
        turn = self._turns.pop()
        self.pos, self.tasks, self.spared = turn.pos, list(turn.tasks), turn.spared
        del self.patches[turn.patches :]
        self._tell(turn.rest)

    def _task(self) -> None:
        """Do the next thing."""
        task, left = self.tasks.pop()
        self.seen += 1
        if self.seen > MOST_NODES:
            raise Unlike
        if task in (Task.VALUES, Task.TEXTS, Task.CLOSED_TEXTS, Task.PROPERTIES) and left > 1:
            self.tasks.append((task, left - 1))
        if task is Task.VALUES:
            self._node()
        elif task in (Task.TEXTS, Task.CLOSED_TEXTS):
            self._text(task is Task.CLOSED_TEXTS)
        elif task is Task.PROPERTIES:
            self._push((Task.TEXTS, 1), (Task.VALUES, 1))
        elif task is Task.NUMBER:
            self._skip(left)
        else:
            self._children(task, self._word())

    def _push(self, *tasks: tuple[Task, int]) -> None:
        """Do these next, the first one first."""
        self.tasks += [(task, count) for task, count in reversed(tasks) if count > 0]

    def _children(self, task: Task, count: int) -> None:
        count &= INT_MAX
        if count > self.size - self.pos >> 2:
            raise Unlike
        values = 2 * count if task is Task.PAIR_COUNT else count
        self._push((Task.PROPERTIES if task is Task.PROPERTY_COUNT else Task.VALUES, values))

    def _word(self) -> int:
        """The next word; a swapped one is put right."""
        raw = self.data[self.pos : self.pos + 4]
        if len(raw) < 4:
            raise Unlike
        if self.habit.big_endian:
            self.patches.append(Patch(self.pos, 4, raw[::-1]))
        self.pos += 4
        return int.from_bytes(raw, self.order)  # type: ignore[arg-type]

    def _skip(self, size: int) -> None:
        """Go over bytes that are one number."""
        if self.pos + size > self.size or size < 0:
            raise Unlike
        if self.habit.big_endian:
            self.patches.append(Patch(self.pos, size, self.data[self.pos : self.pos + size][::-1]))
        self.pos += size

    # Values

    def _node(self) -> None:
        """Read one value up to its first text or child."""
        start, header = self.pos, self._word()
        row = self.dialect.row(header)
        if row is None or header >> 20:
            raise Unlike
        kind = row.kind
        if kind in (Kind.FIXED, Kind.NULL_OBJECT):
            self._fields(row, header, start, 1)
        elif kind is Kind.STRING:
            self._push((Task.TEXTS, 1))
        elif kind in (Kind.ARRAY, Kind.DICTIONARY):
            self._collection(kind, header)
        elif kind is Kind.PACKED:
            self._packed(row, header, start)
        elif kind is Kind.PACKED_STRINGS:
            self._texts(self._word(), Task.CLOSED_TEXTS)
        elif kind is Kind.NODE_PATH:
            self._path()
        elif kind is Kind.OBJECT:
            self._object(header)
        elif kind is Kind.SIGNAL:
            self._push((Task.TEXTS, 1), (Task.NUMBER, 8))
        elif kind is Kind.TYPED_ARRAY:
            is_class = self.dialect.row(self._word()) is self.dialect.by_name["Object"] and not header & FLAG_64
            self._push((Task.VALUES, int(is_class)), (Task.ARRAY_COUNT, 1))
        else:
            self._raw(kind)

    def _raw(self, kind: Kind) -> None:
        """An Image or InputEvent: some words, the last of which is a length, and so many bytes."""
        words = [self._word() for _ in range(5 if kind is Kind.IMAGE else 3)]
        length = words[-1] if kind is Kind.IMAGE else words[-1] - EVENT_HEAD
        if not 0 <= length <= self.size - self.pos:
            raise Unlike
        if kind is Kind.IMAGE:
            self._tell(tuple(fills(self, self.pos, length)))
        else:
            self.pos += length

    def _path(self) -> None:
        names = self._word()
        if not names & SHARED:
            raise Unlike
        subnames, flags = self._word(), self._word()
        self._texts((names & INT_MAX) + subnames + bool(flags & PROPERTY), Task.TEXTS)

    def _object(self, header: int) -> None:
        """The head of an object: an id, or a class and how many properties follow."""
        if header & FLAG_64:
            self._skip(8)
        elif any(self.data[self.pos : self.pos + 4]):
            self._push((Task.TEXTS, 1), (Task.PROPERTY_COUNT, 1))
        else:
            self._word()

    def _collection(self, kind: Kind, header: int) -> None:
        """The head of an Array or Dictionary."""
        texts = 0
        for shift in (16, 18) if kind is Kind.DICTIONARY else (16,):
            what = header >> shift & 3
            if what == 1:
                if texts:
                    raise Unlike  # rare: a class and then a number
                self._word()
            elif what:
                texts += 1
        count = Task.PAIR_COUNT if kind is Kind.DICTIONARY else Task.ARRAY_COUNT
        self._push((Task.TEXTS, texts), (count, 1))

    # Numbers

    def _fields(self, row: TypeRow, header: int, start: int, count: int) -> None:
        """The fields of *count* elements."""
        habit = self.habit
        wanted = habit.wide_reals if row.real else habit.wide_numbers
        wide = bool(header & FLAG_64) and row.has_wide
        if wanted is None or not _may_be_wide(row) or (wanted == wide):
            self._numbers(row.wide if wide else row.narrow, count)
        elif row.has_wide:
            self.patches.append(word(start, header ^ FLAG_64))
            self._numbers(row.wide if wanted else row.narrow, count)
        elif wanted:
            self._narrowed(row.narrow, count)
        else:
            raise Unlike

    def _numbers(self, fields: tuple[Field, ...], count: int) -> None:
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
                self._skip(field.size)

    def _narrowed(self, fields: tuple[Field, ...], count: int) -> None:
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

    def _packed(self, row: TypeRow, header: int, start: int) -> None:
        """A packed array."""
        count = self._word()
        if count > self.size:
            raise Unlike
        if row.fields(header)[0].type != "u8":
            self._fields(row, header, start, count)
        elif self.pos + count > self.size:
            raise Unlike
        else:
            self._tell(tuple(fills(self, self.pos, count)))

    # Texts

    def _texts(self, count: int, task: Task) -> None:
        if count > self.size >> 2:
            raise Unlike
        self._push((task, count))

    def _text(self, closed: bool) -> None:
        """One text; *closed* where its length rightly counts a NUL."""
        at = self.pos
        self._tell(tuple(tellings(self, at, self._word(), closed)))

    def _tell(self, some: tuple[Telling, ...]) -> None:
        """Take the first way to read a text, and come back for the others."""
        if not some:
            raise Unlike
        if len(some) > 1 and len(self._turns) < MOST_CHOICES:
            turn = Turn(self.pos, tuple(self.tasks), len(self.patches), self.spared, some[1:])
            self._turns.append(turn)
        chosen = some[0]
        self.patches += chosen.patches
        self.spared += chosen.spares
        self.pos = chosen.end


def _may_be_wide(row: TypeRow) -> bool:
    return row.real or row.has_wide or (row.name in ("int", "float", "real"))
