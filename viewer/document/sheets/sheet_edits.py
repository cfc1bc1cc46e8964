"""Edits of sheets: many cells, keys for all rows, new rows and another order of the data, each as one step for undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from viewer.base.buffer import u32
from viewer.base.span import Span
from viewer.document.bulk.frame_values import Data, DeferredValue, ValueProblem
from viewer.document.bulk.operations import LiteralDialect, whole
from viewer.document.bulk.planning import written
from viewer.document.bulk.quick_writes import QuickWrites
from viewer.document.edits.byte_edit import EditBuilder, Write
from viewer.document.edits.fragment import Fragment, FragmentFitter, check_depth, made
from viewer.document.edits.packed import Element, NumberArray, TextArray, open_array
from viewer.document.edits.setting import allowed
from viewer.document.edits.slots import Collection, EditError, Slot
from viewer.document.edits.structure import put_rows
from viewer.document.edits.write_joining import joined_writes
from viewer.document.path import item_path
from viewer.document.sheets.sheet import ParallelSheet, Sheet, SheetColumn
from viewer.document.sheets.sheet_cells import cell_data
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.dialect import PAIRED, Content, Kind, content
from viewer.variant.encode import EncodeError, encode
from viewer.variant.items import Item
from viewer.variant.value import Array, Dictionary, Value

COUNT_AT = 4
"""Where the count of a plain dictionary lies, from its start."""
MOST_CELLS = 1_000_000
"""So many cells may be changed at once."""


def as_value(data: Data) -> Value:
    """The value that plain data stands for."""
    data = whole(data)
    if isinstance(data, Value):
        return data
    if data is None:
        return Value("Nil")
    names = {bool: "bool", int: "int", float: "float", str: "String"}
    return Value(names[type(data) if type(data) in names else str], data)


class SheetWriter:
    """Gathers what becomes of cells, and makes one edit of it.

    Args:
        sheet: as it is before the edit.
    """

    def __init__(self, sheet: Sheet) -> None:
        self._sheet, self._document = sheet, sheet.document
        self._reading = LiteralDialect(self._document.dialect, self._document.precision)
        self._quick = QuickWrites(self._document.dialect)
        self._start = self._document.frames[sheet.holder.frame].start
        self._writes: list[Write] = []
        self._additions: dict[int, list[tuple[Value | None, Data]]] = {}
        self._arrays: dict[int, NumberArray | TextArray] = {}
        self._encoded: dict[tuple[int, type, object], bytes] = {}
        self._new_rows: list[tuple[Value | None, list[tuple[SheetColumn, Data]]]] = []
        self.cells = 0

    # Gathering

    def set(self, row: int, column: int, data: Data) -> None:
        """Give a cell a value of the type that it has; a missing one is added.

        Raises:
            EditError: the cell cannot hold it.
        """
        item = self._sheet.cell(row, column)
        if item is None:
            self._add(row, column, data)
        elif item.part:
            self._element(item, data)
        else:
            self._value(item, data)

    def replace(self, row: int, column: int, data: Data) -> None:
        """Give a cell a value of any type.

        Raises:
            EditError: the cell cannot hold it.
        """
        item = self._sheet.cell(row, column)
        of_type = as_value(data).type if item is not None and not item.part else ""
        if item is None or item.part or self._sheet.type_of(item) == of_type:
            self.set(row, column, data)
            return
        table, document = self._sheet.table, self._document
        value = as_value(data)
        limit = allowed(table, item.node)
        if limit is not None and table.dialect.type_number(value.type) not in limit.kept | limit.changed:
            raise EditError(f"What holds this value takes only {limit.name}.")
        new = self._encode(value)
        check_depth(document, table, item.node, 0, new)
        self._write(table.span(item.node), new)

    def add_key(self, row: int, key: Value, data: Data) -> None:
        """Give a row a key that it lacks.

        Raises:
            EditError: the row has no keys.
        """
        item = self._sheet.row_item(row)
        of_type = self._sheet.ground.row(item.node) if item is not None and not item.part else None
        if of_type is None or of_type.kind not in PAIRED:
            raise EditError("This row has no keys.")
        self._additions.setdefault(row, []).append((key, data))
        self.cells += 1

    def append(self, cells: Iterable[tuple[SheetColumn, Data]], key: Value | None = None) -> None:
        """Add a row behind the last one, with values in some columns, under a key where the rows have such."""
        self._new_rows.append((key, list(cells)))
        self.cells += 1

    def _value(self, item: Item, data: Data) -> None:
        table = self._sheet.table
        begin = table.start[item.node]
        quick = None if isinstance(data, DeferredValue) else self._quick.written(u32(table.buffer, begin), data)
        if quick is not None:
            self._write(Span(begin, table.end(item.node)), quick)
            return
        try:
            start, stop, new, _ = written(self._sheet.ground, item, data, self._reading)
        except ValueProblem as problem:
            raise EditError(str(problem)) from problem
        self._write(Span(start, stop), new)

    def _element(self, item: Item, data: Data) -> None:
        array = self._arrays.get(item.node)
        if array is None:
            array = self._arrays[item.node] = open_array(self._document, Item(item.frame, item.node))
        number = self._sheet.ground.index_of(item)
        assert number is not None
        self._write(Span(array.start(number), array.start(number + 1)), array.encoded(_as_element(data, array)))

    def _write(self, span: Span, new: bytes) -> None:
        old = self._sheet.table.buffer[span.start : span.end]
        if old != new:
            self._writes.append(Write(span.shifted(self._start), new, self._sheet.holder.frame))
            self.cells += 1

    def _add(self, row: int, column: int, data: Data) -> None:
        sheet = self._sheet
        if isinstance(sheet, ParallelSheet):
            raise EditError("This column ends before this row; insert elements in the tree.")
        place = sheet.columns[column].place
        item = sheet.row_item(row)
        assert item is not None
        of_type = sheet.ground.row(item.node) if not item.part else None
        if of_type is None or content(of_type.kind) is Content.NOTHING:
            raise EditError("This row is a plain value, which has no such column.")
        if (place >= 0) == (of_type.kind in PAIRED) or (place < 0 and sheet.columns[column].key is None):
            raise EditError("This row is of another kind, which has no such column.")
        if place >= 0:
            held = Collection(self._document, item.frame, item.node)
            behind = len(held) + len(self._additions.get(row, ()))
            if place != behind:
                raise EditError(f"This row ends before [{behind}]; fill that cell first.")
        self._additions.setdefault(row, []).append((sheet.columns[column].key, data))
        self.cells += 1

    # The edit

    def edit(self, label: str | EditLabel) -> Edit:
        """All of it as one step.

        Raises:
            EditError: something cannot be added.
        """
        rework = EditBuilder(self._document)
        slow = [row for row in sorted(self._additions) if not self._add_quickly(row)]
        self._writes.sort(key=lambda write: (write.span.start, write.span.end))
        is_alone = not slow and not self._new_rows
        for write in joined_writes(self._document, self._writes) if is_alone else self._writes:
            rework.add(write)
        for row in slow:
            self._add_slowly(rework, row)
        self._append_rows(rework)
        return rework.edit(label)

    def _encode(self, value: Value) -> bytes:
        try:
            return encode(value, self._document.dialect, self._document.precision)
        except EncodeError as error:
            raise EditError(str(error)) from error

    def _pair(self, key: Value, data: Data) -> bytes:
        """The bytes of a key and its value."""
        data = whole(data)
        known = (id(key), type(data), data) if isinstance(data, bool | int | float | str) or data is None else None
        if known is not None and known in self._encoded:
            return self._encoded[known]
        raw = self._encode(key) + self._encode(as_value(data))
        if known is not None and data == data:
            self._encoded[known] = raw
        return raw

    def _add_quickly(self, row: int) -> bool:
        """Add the pairs of a plain dictionary; False where it is none, or where it is not sure what it holds."""
        sheet, table = self._sheet, self._sheet.table
        item = sheet.row_item(row)
        assert item is not None
        of_type = sheet.ground.row(item.node)
        if of_type is None or of_type.kind is not Kind.DICTIONARY or table.guess is not None or table.assumed:
            return False
        if table.dialect.rules.closed_texts or any(not _is_flat(data) for _, data in self._additions[row]):
            return False
        begin, end = table.start[item.node], table.end(item.node)
        count = table.child_count(item.node)
        head = table.start[table.first[item.node]] if count else end
        word = u32(table.buffer, begin + COUNT_AT)
        if head - begin != COUNT_AT + 4 or word & 0x7FFFFFFF != count // 2 or (end - begin) % 4:
            return False
        added = self._additions[row]
        frame, new = sheet.holder.frame, b"".join(self._pair(key, data) for key, data in added if key)
        at = Span(begin + COUNT_AT, begin + COUNT_AT + 4).shifted(self._start)
        self._writes.append(Write(at, (word + len(added)).to_bytes(4, "little"), frame))
        self._writes.append(Write(Span(end, end).shifted(self._start), new, frame))
        return True

    def _add_slowly(self, rework: EditBuilder, row: int) -> None:
        item = self._sheet.row_item(row)
        assert item is not None
        held = Collection(self._document, item.frame, item.node)
        fragments = [self._fragment(key, data) for key, data in self._additions[row]]
        put_rows(rework, held, Slot(item.frame, item.node, len(held)), fragments, FragmentFitter(held, False))

    def _fragment(self, key: Value | None, data: Data) -> Fragment:
        value = made(self._document, as_value(data))
        return value if key is None else value.with_key(made(self._document, key).value)

    def _append_rows(self, rework: EditBuilder) -> None:
        if not self._new_rows:
            return
        sheet, holder = self._sheet, self._sheet.holder
        if isinstance(sheet, ParallelSheet):
            raise EditError("Rows cannot be added to arrays side by side; insert elements in the tree.")
        held = Collection(self._document, holder.frame, holder.node)
        fragments = [self._fragment(key, _new_row(cells)) for key, cells in self._new_rows]
        put_rows(rework, held, Slot(holder.frame, holder.node, len(held)), fragments, FragmentFitter(held))


def _new_row(cells: Sequence[tuple[SheetColumn, Data]]) -> Value:
    """A new row: a dictionary, an array, or a value by itself."""
    keys = [(column.key, as_value(data)) for column, data in cells]
    if keys and all(key is not None for key, _ in keys):
        return Value("Dictionary", Dictionary(tuple((key, value) for key, value in keys if key is not None)))
    if any(column.place >= 0 for column, _ in cells):
        return Value("Array", Array(tuple(value for _, value in keys)))
    if len(cells) == 1:
        return keys[0][1]
    raise EditError("A new row takes values for the columns of one kind of row.")


def _is_flat(data: Data) -> bool:
    """Whether a value holds no others, so that it adds no level that an engine might refuse."""
    return not isinstance(whole(data), Value)


def _as_element(data: Data, array: NumberArray | TextArray) -> Element:
    value = as_value(data)
    if isinstance(array, TextArray):
        return value.data if isinstance(value.data, str) else str(value.data)
    if isinstance(value.data, bool | int | float | tuple):
        floats = isinstance(value.data, int) and array.fields[0].type[0] == "f"
        return float(value.data) if floats else value.data  # type: ignore[return-value, arg-type]
    raise EditError("A number belongs here.")


def _path_label(sheet: Sheet, words: str, count: int, unit: str = "cell") -> EditLabel:
    return EditLabel(f"{words} {{}} of {{}}", (CountLabel(count, unit), item_path(sheet.document, sheet.holder)))


def set_cells(sheet: Sheet, cells: Mapping[tuple[int, int], Data], words: str = "Set") -> Edit:
    """The edit that gives cells new values.

    Raises:
        EditError: a cell cannot hold its value; the sentence says which.
    """
    if len(cells) > MOST_CELLS:
        raise EditError(f"These are {len(cells)} cells; change at most {MOST_CELLS} at once.")
    writer = SheetWriter(sheet)
    for (row, column), data in cells.items():
        with _InCell(sheet, row, column):
            writer.set(row, column, data)
    return writer.edit(_path_label(sheet, words, writer.cells))


def fill_down(sheet: Sheet, rows: Sequence[int], columns: Iterable[int]) -> Edit:
    """The edit that gives some columns of some rows the values that they have in the first of them.

    Raises:
        EditError: there is one row only, a cell of the first one is missing, or another cannot hold its value.
    """
    if len(rows) < 2:
        raise EditError("Select the cells to fill, and above them the one with the value.")
    writer = SheetWriter(sheet)
    for column in columns:
        item = sheet.cell(rows[0], column)
        if item is None:
            raise EditError(f"The first row has no {sheet.columns[column].title} to fill down.")
        data = whole(cell_data(sheet, item))
        for row in rows[1:]:
            with _InCell(sheet, row, column):
                writer.replace(row, column, data)
    return writer.edit(_path_label(sheet, "Fill", writer.cells))


class _InCell:
    """Says in which cell something was refused."""

    def __init__(self, sheet: Sheet, row: int, column: int) -> None:
        self._sheet, self._row, self._column = sheet, row, column

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, EditError):
            place = f"{self._sheet.row_label(self._row)[0]}, {self._sheet.columns[self._column].title}"
            raise EditError(f"{place}: {error}") from error


def add_column(sheet: Sheet, key: Value, data: Data) -> Edit:
    """The edit that gives all rows a key that they lack, with the same value.

    Raises:
        EditError: no row lacks it, or the rows have no keys.
    """
    if sheet.is_turned:
        raise EditError("The columns here are arrays; insert another array in the tree.")
    number = next((k for k, column in enumerate(sheet.columns) if column.key == key), None)
    writer = SheetWriter(sheet)
    for row in range(sheet.rows):
        item = sheet.row_item(row)
        of_type = sheet.ground.row(item.node) if item is not None and not item.part else None
        if of_type is None or of_type.kind not in PAIRED:
            continue
        if number is None or sheet.cell(row, number) is None:
            writer.add_key(row, key, data)
    if not writer.cells:
        name = sheet.columns[number].title if number is not None else ""
        raise EditError(f"Every row has the key {name} already." if name else "These rows have no keys.")
    return writer.edit(_path_label(sheet, "Add a key to", writer.cells, "row"))


def rename_column(sheet: Sheet, column: int, key: Value) -> Edit:
    """The edit that gives the key of a column another name in all rows.

    Raises:
        EditError: the column has no key, or a row has the new one already.
    """
    if sheet.is_turned or sheet.columns[column].key is None:
        raise EditError("This column has no key that could be renamed.")
    other = next((k for k, each in enumerate(sheet.columns) if each.key == key), -1)
    document, table, frame = sheet.document, sheet.table, sheet.holder.frame
    start, rework, count = document.frames[frame].start, EditBuilder(document), 0
    writes: list[Write] = []
    for row in range(sheet.rows):
        item = sheet.cell(row, column)
        if item is None:
            continue
        if other >= 0 and sheet.cell(row, other) is not None:
            raise EditError(f"{sheet.row_label(row)[0]} has the key {sheet.columns[other].title} already.")
        of_type = sheet.ground.row(table.parent[item.node])
        if of_type is None or of_type.kind is not Kind.DICTIONARY:
            raise EditError("Names of properties are renamed in the tree.")
        limit = allowed(table, item.node - 1)
        if limit is not None and document.dialect.type_number(key.type) not in limit.kept | limit.changed:
            raise EditError(f"The keys here are of type {limit.name}.")
        raw = encode(key, document.dialect, document.precision)
        writes.append(Write(table.span(item.node - 1).shifted(start), raw, frame))
        count += 1
    for write in joined_writes(document, writes):
        rework.add(write)
    return rework.edit(_path_label(sheet, "Rename a key in", count, "row"))


def row_cells(sheet: Sheet, rows: Iterable[int]) -> list[Item]:
    """What belongs to some rows: the values that they are, or the elements side by side."""
    if not sheet.is_turned:
        return [item for item in map(sheet.row_item, rows) if item is not None]
    cells = (sheet.cell(row, column) for row in rows for column in range(len(sheet.columns)))
    return [item for item in cells if item is not None]


def removable(sheet: Sheet, cells: Iterable[tuple[int, int]]) -> list[Item]:
    """The values of some cells whose keys can be taken away.

    Raises:
        EditError: a cell has no key of its own.
    """
    out = []
    for row, column in cells:
        item = sheet.cell(row, column)
        if item is None:
            continue
        if sheet.is_turned or sheet.columns[column].key is None:
            raise EditError("Only a key can be removed from a row; to remove rows, choose Delete Rows.")
        out.append(item)
    return out


def sort_data(sheet: Sheet, order: Sequence[int]) -> Edit:
    """The edit that puts the rows themselves into another order.

    Args:
        sheet: the sheet.
        order: the numbers of all rows.

    Raises:
        EditError: they are in this order already, or the columns are not equally long.
    """
    if len(order) != sheet.rows:
        raise EditError("A filter hides some rows; remove it, then sort the data.")
    if list(order) == list(range(sheet.rows)):
        raise EditError("The data are in this order already.")
    rework = EditBuilder(sheet.document)
    frame = sheet.holder.frame
    for holder in _holders(sheet):
        held = Collection(sheet.document, frame, holder.node)
        if len(held) != sheet.rows:
            raise EditError("These arrays are not equally long; their rows cannot be sorted together.")
        begin = held.offset(0)
        for row in order:
            rework.carry(held.span(row), frame, begin, frame)
    start = sheet.document.frames[frame].start + sheet.table.start[sheet.holder.node]
    label = EditLabel("Sort the rows of {}", (item_path(sheet.document, sheet.holder),))
    return rework.edit(label, (start,), (), (start,))


def _holders(sheet: Sheet) -> list[Item]:
    if isinstance(sheet, ParallelSheet):
        return [sheet.holds(column) for column in range(len(sheet.columns))]
    return [sheet.holder]
