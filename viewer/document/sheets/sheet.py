"""A sheet: the values of one collection as rows and columns, found in the node table when they are asked for.

There is no object a cell and none a row: a row has the number of its shape, which says at which place each column
stands in it, and a cell is an item of the document. Of a collection of a million rows the first are there at once; the
others are read in steps, which find the columns that only they have and count the types.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from viewer.base.record import dataclass
from viewer.document.bulk.frame_values import FrameValues
from viewer.document.document import Document
from viewer.document.outline import is_key, key_of
from viewer.document.viewmodel.row_data import node_name
from viewer.variant.dialect import NAMED, PACKED, PAIRED, Content, TypeRow, content
from viewer.variant.elements import text_index
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.value import Value

MOST_COLUMNS = 1000
"""Keys beyond these have no column of their own."""
MOST_KEYS = 4096
"""So many keys of one row are looked at."""
MOST_SHAPES = 4096
"""So many ways in which keys follow each other are remembered; rows of others are read whenever they are asked for."""
MOST_ROWS = (1 << 31) - 1
LONG_ROW = 1 << 16
"""The keys of a row with more bytes are read one by one."""
UNREAD, UNKEPT = -1, -2
VALUE = "value"
"""The title of the column for rows that are plain values."""


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """One column.

    Args:
        title: what stands over it.
        is_name: whether that is the text of a key, not a number or another literal.
        key: the key that its cells stand under, None where they have none.
        place: the index that they have in their rows, -1 where they have a key or are the rows themselves.
        raw: the bytes by which the key was found first, with a sign before them for names of properties.
    """

    title: str
    is_name: bool
    key: Value | None = None
    place: int = -1
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What is known of a column by now.

    Args:
        count: how many rows have it.
        types: the names of the types of its cells, with how many there are of each; the most frequent first.
    """

    count: int = 0
    types: tuple[tuple[str, int], ...] = ()

    @property
    def main_type(self) -> str:
        """The most frequent type, empty for none; null counts only where there is nothing else."""
        return next((name for name, _ in self.types if name != "Nil"), self.types[0][0] if self.types else "")


class Shape:
    """How the cells of a row lie.

    Attributes:
        columns: the column of each place, -1 for none.
        places: the place of each column; the last one where a key stands there twice.
        step: how many nodes a place takes; 0 where the cells are elements of a packed array.
        of_type: the type of all cells of a packed array, empty where each has its own.
        is_lone: whether the row itself is the only cell.
    """

    __slots__ = ("columns", "is_lone", "of_type", "places", "step")

    def __init__(self, columns: Sequence[int], step: int, of_type: str = "", is_lone: bool = False) -> None:
        self.columns = array("i", columns)
        self.places = {column: place for place, column in enumerate(columns) if column >= 0}
        self.step, self.of_type, self.is_lone = step, of_type, is_lone

    def times(self, column: int) -> int:
        """How often a column stands in the row."""
        return self.columns.count(column)


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A place in a sheet; *column* is -1 where the row as a whole is meant."""

    row: int
    column: int


class Sheet:
    """What all sheets have. Who derives from it says what the rows and the cells are.

    Args:
        document: the document, read to its end.
        holder: the collection.

    Attributes:
        columns: the columns found so far; they are only ever added to.
        rows: how many rows there are.
        left_out: in words, what has no place in the sheet; empty for nothing.
    """

    is_turned = False

    def __init__(self, document: Document, holder: Item) -> None:
        self.document, self.holder = document, holder
        self.ground = FrameValues(document, holder.frame)
        self.table = self.ground.table
        self.columns: list[SheetColumn] = []
        self.rows = 0
        self.left_out = ""

    @property
    def is_read(self) -> bool:
        """Whether all rows are read, so that the columns are all there are and the counts are final."""
        return True

    def read_on(self, most: int) -> bool:
        """Read about *most* more cells; whether there is something new."""
        return False

    def facts(self, column: int) -> ColumnFacts:
        """What is known of a column."""
        raise NotImplementedError

    def row_item(self, row: int) -> Item | None:
        """The value that a row is; None where a row is no value of its own."""
        raise NotImplementedError

    def row_label(self, row: int) -> tuple[str, bool]:
        """What a row is called, and whether that is the text of a key."""
        raise NotImplementedError

    def cell(self, row: int, column: int) -> Item | None:
        """The value in a cell; None where it is missing."""
        raise NotImplementedError

    def times(self, row: int, column: int) -> int:
        """How often the key of a column stands in a row: an engine keeps the last one."""
        return 1

    def place(self, item: Item) -> CellPlace | None:
        """The cell that an item is or lies in; None where it lies outside of the sheet."""
        raise NotImplementedError

    def type_of(self, item: Item) -> str:
        """The name of the type of a cell's value."""
        return self.ground.type(item)

    def _line(self, item: Item) -> list[int]:
        """The nodes from an item up to one that lies in the holder, that one last; nothing where it lies elsewhere."""
        if item.frame != self.holder.frame or item.node < 0 or item.node >= len(self.table):
            return []
        line, node, parent = [], item.node, self.table.parent
        while node:
            line.append(node)
            node = parent[node]
            if node == self.holder.node:
                return line
            if node >= len(parent):
                return []
        return []

    def _child_name(self, node: int) -> tuple[str, bool]:
        name, is_fixed = node_name(self.table, Item(self.holder.frame, node))
        return name, not is_fixed


class RecordSheet(Sheet):
    """A row a value of the collection; columns are the keys or indexes found in these values.

    Args:
        document, holder: as for all sheets.
        known: columns of an earlier sheet of the same collection, which stay where they are.
    """

    def __init__(self, document: Document, holder: Item, known: Sequence[SheetColumn] = ()) -> None:
        super().__init__(document, holder)
        self._row = self.ground.row(holder.node)
        assert self._row is not None
        self._is_packed = self._row.kind in PACKED
        self._pairs = 2 if self._row.kind in PAIRED else 1
        self._first = self.table.first[holder.node]
        self.rows = min(run_count(self.ground, holder), MOST_ROWS)
        self._shape_of = array("i", [UNREAD]) * self.rows
        self._read = 0
        self._shapes: list[Shape] = []
        self._shape_ids: dict[object, int] = {}
        self._tally: Counter[tuple[int, bytes]] = Counter()
        self._loose: dict[int, Counter[str]] = {}
        self._facts: dict[int, ColumnFacts] | None = None
        self._by_raw: dict[bytes, int] = {}
        self._by_key: dict[tuple[str, object], int] = {}
        self._by_place: dict[int, int] = {}
        self._lone_column = -1
        self._names: dict[int, str] = {}
        for column in known:
            self._add(column)

    @property
    def is_read(self) -> bool:
        return self._read >= self.rows

    def read_on(self, most: int) -> bool:
        before = self._read
        left = most
        while left > 0 and self._read < self.rows:
            row = self._read
            shape, types, number = self._look(row)
            self._shape_of[row] = number
            if number >= 0:
                self._tally[number, types] += 1
            else:
                self._count_loose(shape, types)
            left -= 2 + len(shape.columns)
            self._read += 1
        self._facts = None
        if self.is_read and self._read > before:
            self._tell_left_out()
        return self._read > before

    def facts(self, column: int) -> ColumnFacts:
        if self._facts is None:
            self._facts = self._counted()
        return self._facts.get(column, ColumnFacts())

    def row_item(self, row: int) -> Item:
        frame, node = self.holder.frame, self.holder.node
        if self._is_packed:
            return Item(frame, node, f"[{row}]")
        return Item(frame, self._first + row * self._pairs + self._pairs - 1)

    def row_label(self, row: int) -> tuple[str, bool]:
        return (f"[{row}]", False) if self._pairs == 1 else self._child_name(self.row_item(row).node)

    def cell(self, row: int, column: int) -> Item | None:
        shape = self._shape(row)
        place = shape.places.get(column)
        if place is None:
            return None
        item = self.row_item(row)
        if shape.is_lone:
            return item
        if not shape.step:
            return Item(item.frame, item.node, f"[{place}]")
        return Item(item.frame, self.table.first[item.node] + place * shape.step + shape.step - 1)

    def times(self, row: int, column: int) -> int:
        shape = self._shape(row)
        return shape.times(column) if len(shape.places) < len(shape.columns) else 1

    def place(self, item: Item) -> CellPlace | None:
        if self._is_packed:
            number = self.ground.index_of(item) if item.node == self.holder.node and item.part else None
            return None if number is None or number >= self.rows else CellPlace(number, self._lone_column)
        line = self._line(item)
        if not line:
            return None
        row = (line[-1] - self._first) // self._pairs
        node = self.row_item(row).node
        if row >= self.rows or line[-1] != node:
            return CellPlace(row, -1) if row < self.rows else None
        shape = self._shape(row)
        if shape.is_lone:
            return CellPlace(row, self._lone_column)
        if not shape.step:
            number = self.ground.index_of(item) if item.part else None
            return CellPlace(row, -1 if number is None or number >= len(shape.columns) else shape.columns[number])
        if len(line) == 1:
            return CellPlace(row, -1)
        place = (line[-2] - self.table.first[node]) // shape.step
        return CellPlace(row, shape.columns[place] if place < len(shape.columns) else -1)

    # Reading rows

    def _shape(self, row: int) -> Shape:
        number = self._shape_of[row]
        return self._shapes[number] if number >= 0 else self._look(row)[0]

    def _look(self, row: int) -> tuple[Shape, bytes, int]:
        """The shape of a row, the numbers of the types of its cells, and the number of the shape."""
        item = self.row_item(row)
        of_type = self.ground.row(item.node) if not item.part else None
        if item.part or of_type is None:
            return self._lone(item, of_type)
        match content(of_type.kind):
            case Content.PAIRS | Content.PROPERTIES:
                return self._pairs_of(item.node, of_type)
            case Content.VALUES:
                nodes = range(self.table.first[item.node], self.table.first[item.node] + self._count(item.node))
                return self._numbered(len(nodes), 1, "", self._types(nodes))
            case Content.NUMBERS | Content.TEXTS:
                count = min(run_count(self.ground, item), MOST_COLUMNS)
                return self._numbered(count, 0, self._element_type(item, count), b"")
            case Content.NOTHING:
                return self._lone(item, of_type)

    def _count(self, node: int) -> int:
        return min(self.table.child_count(node), MOST_KEYS)

    def _element_type(self, item: Item, count: int) -> str:
        return self.ground.type(Item(item.frame, item.node, "[0]")) if count and self._has_first(item) else "String"

    def _has_first(self, item: Item) -> bool:
        row = self.ground.row(item.node)
        return row is not None and content(row.kind) is Content.NUMBERS

    def _types(self, nodes: Sequence[int]) -> bytes:
        start, buffer = self.table.start, self.table.buffer
        if self.table.assumed:
            return bytes(self.table.header(node) & 0xFF for node in nodes)
        return bytes([buffer[start[node]] for node in nodes])

    def _lone(self, item: Item, of_type: TypeRow | None) -> tuple[Shape, bytes, int]:
        if self._lone_column < 0:
            self._lone_column = self._add(SheetColumn(VALUE, False))
        if item.part:
            name = self._element_type(Item(item.frame, item.node), 1)
            return self._kept(("element", name), lambda: Shape((self._lone_column,), 0, name, True), b"")
        types = bytes((self.table.header(item.node) & 0xFF,))
        return self._kept("lone", lambda: Shape((self._lone_column,), 0, "", True), types)

    def _numbered(self, count: int, step: int, of_type: str, types: bytes) -> tuple[Shape, bytes, int]:
        def make() -> Shape:
            return Shape([self._place_column(place) for place in range(count)], step, of_type)

        return self._kept((count, step, of_type), make, types)

    def _place_column(self, place: int) -> int:
        found = self._by_place.get(place)
        return self._add(SheetColumn(f"[{place}]", False, None, place)) if found is None else found

    def _pairs_of(self, node: int, of_type: TypeRow) -> tuple[Shape, bytes, int]:
        first, count = self.table.first[node], self._count(node) & ~1
        if not count:
            return self._kept((), lambda: Shape((), 2), b"")
        starts = self.table.start[first : first + count].tolist()
        low, values, buffer = starts[0], starts[1::2], self.table.buffer
        if starts[-1] - low > LONG_ROW:
            keys = tuple([bytes(buffer[key:value]) for key, value in zip(starts[::2], values, strict=True)])
            types = self._types(range(first + 1, first + count, 2))
        else:
            raw = bytes(buffer[low : starts[-1] + 1])
            keys = tuple([raw[key - low : value - low] for key, value in zip(starts[::2], values, strict=True)])
            types = bytes([raw[value - low] for value in values])
        if self.table.assumed:
            types = self._types(range(first + 1, first + count, 2))
        is_named = of_type.kind in NAMED

        def make() -> Shape:
            return Shape([self._key_column(first + 2 * k, key, is_named) for k, key in enumerate(keys)], 2)

        return self._kept((keys, is_named), make, types)

    def _kept(self, key: object, make: object, types: bytes) -> tuple[Shape, bytes, int]:
        number = self._shape_ids.get(key)
        if number is None:
            shape: Shape = make()  # type: ignore[operator]
            if len(self._shapes) >= MOST_SHAPES:
                return shape, types, UNKEPT
            number = self._shape_ids[key] = len(self._shapes)
            self._shapes.append(shape)
        return self._shapes[number], types, number

    def _key_column(self, node: int, raw: bytes, is_named: bool) -> int:
        known = (b"\0" if is_named else b"\1") + raw
        found = self._by_raw.get(known)
        if found is None:
            value = read_shallow(self.table, node)
            data = value.data
            plain = (value.type, data) if isinstance(data, str | int) else None
            found = self._by_key.get(plain) if plain is not None else None
            if found is None:
                name, is_name = self._child_name(node + 1)
                found = self._add(SheetColumn(name, is_name, value, raw=known))
            elif len(self._by_raw) < 4 * MOST_COLUMNS:
                self._by_raw[known] = found
        return found

    def _add(self, column: SheetColumn) -> int:
        """The number of a new column, -1 where there are too many."""
        if len(self.columns) >= MOST_COLUMNS:
            self.left_out = "more keys"
            return -1
        number = len(self.columns)
        self.columns.append(column)
        if column.raw:
            self._by_raw[column.raw] = number
        if column.key is not None and isinstance(column.key.data, str | int):
            self._by_key[column.key.type, column.key.data] = number
        if column.place >= 0:
            self._by_place[column.place] = number
        if column.key is None and column.place < 0:
            self._lone_column = number
        return number

    # Counting

    def _count_loose(self, shape: Shape, types: bytes) -> None:
        for place, column in enumerate(shape.columns):
            if column >= 0:
                self._loose.setdefault(column, Counter())[shape.of_type or self._type_name(types[place])] += 1

    def _counted(self) -> dict[int, ColumnFacts]:
        rows: Counter[int] = Counter()
        types: dict[int, Counter[str]] = {column: Counter(found) for column, found in self._loose.items()}
        for column, counter in self._loose.items():
            rows[column] = counter.total()
        for (number, numbers), times in self._tally.items():
            shape = self._shapes[number]
            for column, place in shape.places.items():
                rows[column] += times
                name = shape.of_type or self._type_name(numbers[place])
                types.setdefault(column, Counter())[name] += times
        return {column: ColumnFacts(rows[column], tuple(found.most_common())) for column, found in types.items()}

    def _type_name(self, number: int) -> str:
        if number not in self._names:
            row = self.document.dialect.row(number)
            self._names[number] = row.name if row is not None else f"type {number}"
        return self._names[number]

    def _tell_left_out(self) -> None:
        if self.left_out:
            self.left_out = f"only the first {MOST_COLUMNS} keys have a column"


class ParallelSheet(Sheet):
    """A column an array of the collection, a row an index in all of them.

    Args:
        document, holder: as for all sheets.
    """

    is_turned = True

    def __init__(self, document: Document, holder: Item) -> None:
        super().__init__(document, holder)
        self._nodes: list[int] = []
        self._counts: list[int] = []
        self._facts: dict[int, ColumnFacts] = {}
        others = 0
        for item in self.ground.children(holder):
            row = None if item.part else self.ground.row(item.node)
            if row is None or not is_run(row) or len(self._nodes) >= MOST_COLUMNS:
                others += 1
                continue
            self.columns.append(self._column(item.node))
            self._nodes.append(item.node)
            self._counts.append(run_count(self.ground, item))
        self.rows = min(max(self._counts, default=0), MOST_ROWS)
        if others:
            self.left_out = f"{others} other {'value is not an array' if others == 1 else 'values are not arrays'}"

    def _column(self, node: int) -> SheetColumn:
        name, is_name = self._child_name(node)
        key = key_of(self.table, node)
        return SheetColumn(name, is_name, read_shallow(self.table, key) if key is not None else None)

    def holds(self, column: int) -> Item:
        """The array of a column."""
        return Item(self.holder.frame, self._nodes[column])

    def facts(self, column: int) -> ColumnFacts:
        if column not in self._facts:
            self._facts[column] = ColumnFacts(self._counts[column], tuple(self._types(column)))
        return self._facts[column]

    def _types(self, column: int) -> Iterator[tuple[str, int]]:
        node, count = self._nodes[column], self._counts[column]
        row = self.ground.row(node)
        assert row is not None
        match content(row.kind):
            case Content.NUMBERS if count:
                yield self.ground.type(Item(self.holder.frame, node, "[0]")), count
            case Content.TEXTS if count:
                yield "String", count
            case Content.VALUES:
                first = self.table.first[node]
                found = Counter(self.ground.type(Item(self.holder.frame, first + k)) for k in range(count))
                yield from found.most_common()
            case _:
                return

    def row_item(self, row: int) -> None:
        return None

    def row_label(self, row: int) -> tuple[str, bool]:
        return f"[{row}]", False

    def cell(self, row: int, column: int) -> Item | None:
        if row >= self._counts[column]:
            return None
        node = self._nodes[column]
        of_type = self.ground.row(node)
        assert of_type is not None
        if of_type.kind in PACKED:
            return Item(self.holder.frame, node, f"[{row}]")
        return Item(self.holder.frame, self.table.first[node] + row)

    def place(self, item: Item) -> CellPlace | None:
        line = self._line(item)
        if not line or is_key(self.table, line[-1]) or line[-1] not in self._nodes:
            return None
        column = self._nodes.index(line[-1])
        if len(line) > 1:
            return CellPlace(line[-2] - self.table.first[line[-1]], column)
        number = self.ground.index_of(item) if item.part else None
        return None if number is None or number >= self.rows else CellPlace(number, column)


def run_count(ground: FrameValues, item: Item) -> int:
    """How many values a collection holds; strings are hopped over, not read."""
    row = ground.row(item.node)
    if row is not None and content(row.kind) is Content.TEXTS:
        return len(text_index(ground.table, item.node))
    return max(0, ground.count(item))


def is_run(row: TypeRow) -> bool:
    """Whether a type holds values one after another, without keys."""
    return content(row.kind) in (Content.VALUES, Content.NUMBERS, Content.TEXTS)
