"""The rows of a comparison as a Qt model: both sides in one row, with a hole where one of them has nothing."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.base.record import dataclass
from viewer.base.words import counted, grouped
from viewer.document.compare.aligned_rows import LEAF, TOP, AlignedRow, AlignedRows, Place
from viewer.document.compare.comparison_view import text_pieces, told
from viewer.document.compare.difference import DifferenceKind, ValueDifference
from viewer.document.compare.difference_words import delta, shown
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.document.viewmodel.row_data import Previews, RowData, RowDecorations, row_facts
from viewer.document.viewmodel.rows import RowIndex
from viewer.ui.look.plain_text import plain_tip
from viewer.variant.items import Item

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
REMEMBERED = 4096
NAMED = 3
"""So many of the rows that are folded into one are named in it."""


class CompareColumn(IntEnum):
    """The columns: those of the old side, the sign of the difference, those of the new side."""

    OLD_NAME = 0
    OLD_TYPE = 1
    OLD_VALUE = 2
    SIGN = 3
    NEW_NAME = 4
    NEW_TYPE = 5
    NEW_VALUE = 6


HEADINGS = ("Name", "Type", "Value", "", "Name", "Type", "Value")
SIGNS = {
    DifferenceKind.CHANGED: "≠",
    DifferenceKind.ADDED: "+",
    DifferenceKind.REMOVED: "\N{MINUS SIGN}",
    DifferenceKind.MOVED: "→",
    DifferenceKind.WRITTEN: "≈",
}
"""What stands between the sides; each kind has its own, so that none rests on its colour."""
INSIDE = "·"
"""The sign of a row inside which something differs."""


@dataclass(frozen=True, slots=True)
class SideRow:
    """What one side of a row tells.

    Args:
        facts: as in the tree; None for a hole.
        kind: in which way it differs, None where it does not.
        pieces: of a changed text its pieces, each with whether the other side lacks it; else empty.
        delta: by how much a number grew; empty for all else, and on the old side.
        holds: whether something differs inside.
        folded: whether it stands for several rows in which nothing differs.
    """

    facts: RowData | None
    kind: DifferenceKind | None = None
    pieces: tuple[tuple[str, bool], ...] = ()
    delta: str = ""
    holds: bool = False
    folded: bool = False


class _SideFacts:
    """The words of one side's rows."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._rows = RowIndex(document)
        self._marks = RowDecorations(document, [])
        self._previews = Previews()

    def of(self, item: Item) -> RowData:
        """What a row of the tree would tell of an item."""
        place = self._rows.place(item)
        if place is None:
            return RowData(format_path(self.document, item) or "bytes", text=shown(self.document, item), gap=True)
        return row_facts(self.document, self._rows, self._marks, *place, self._previews.of)

    def of_run(self, item: Item, run: range) -> RowData:
        """Some elements of a packed array as one row."""
        whole = self.of(item)
        name = f"[{run.start}]" if len(run) == 1 else f"[{grouped(run.start)} … {grouped(run.stop - 1)}]"
        text = shown(self.document, item, run)
        return RowData(name, whole.span, whole.type, whole.chip, whole.group, text=text, fixed_name=True)


class CompareModel(QAbstractItemModel):
    """Holds no object a row; what a row tells is read when it is painted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: AlignedRows | None = None
        self._sides: tuple[_SideFacts, _SideFacts] | None = None
        self._told: dict[tuple[int, int, bool], SideRow] = {}

    @property
    def rows(self) -> AlignedRows | None:
        """What is shown, None for nothing."""
        return self._rows

    def show(self, rows: AlignedRows | None) -> None:
        """Show the rows of another comparison, or of other differences in it."""
        self.beginResetModel()
        before = self._rows
        self._rows = rows
        self._told.clear()
        if rows is None:
            self._sides = None
        elif before is None or before.comparison is not rows.comparison or self._sides is None:
            self._sides = _SideFacts(rows.comparison.old), _SideFacts(rows.comparison.new)
        self.endResetModel()

    # Rows

    def row(self, index: Index) -> AlignedRow:
        """The row of a valid index."""
        assert self._rows is not None
        return self._rows.row(index.internalId(), index.row())

    def index_at(self, place: Place) -> QModelIndex:
        """The index of a row."""
        return self.createIndex(place[1], 0, place[0])

    def depth(self, index: Index) -> int:
        """How many rows stand above a row."""
        depth, holder = 0, index.internalId() if index.isValid() else TOP
        while self._rows is not None and holder != TOP:
            above = self._rows.above(holder)
            assert above is not None
            depth, holder = depth + 1, above[0]
        return depth

    def difference(self, index: Index) -> ValueDifference | None:
        """What differs in a row itself."""
        if not index.isValid() or self._rows is None:
            return None
        number = self.row(index).difference
        return self._rows.comparison.rows[number] if number >= 0 else None

    def side(self, index: Index, is_new: bool) -> SideRow:
        """What one side of a row tells."""
        key = index.internalId(), index.row(), is_new
        found = self._told.get(key)
        if found is None:
            if len(self._told) > REMEMBERED:
                self._told.clear()
            found = self._told[key] = self._side(index, is_new)
        return found

    def _side(self, index: Index, is_new: bool) -> SideRow:
        assert self._rows is not None
        assert self._sides is not None
        row, facts = self.row(index), self._sides[is_new]
        if row.folded:
            return SideRow(self._fold(index, row, is_new), holds=row.holds, folded=True)
        item = row.new if is_new else row.old
        difference = self.difference(index)
        if difference is None:
            return SideRow(facts.of(item) if item is not None else None, holds=row.holds)
        if difference.old is None and difference.new is None:
            return SideRow(RowData("file", text=difference.about), difference.kind)
        if row.is_run and item is not None:
            run = difference.new_run if is_new else difference.old_run
            shown_row = facts.of_run(item, run) if run else None
        else:
            shown_row = facts.of(item) if item is not None else None
        comparison = self._rows.comparison
        return SideRow(
            shown_row,
            difference.kind,
            tuple(text_pieces(comparison, difference, is_new)),
            delta(comparison, difference) if is_new else "",
            row.holds,
        )

    def _fold(self, index: Index, row: AlignedRow, is_new: bool) -> RowData | None:
        """A row for those that are folded into it."""
        assert self._rows is not None
        assert self._sides is not None
        first = self._rows.folded_rows(index.internalId(), index.row(), NAMED)
        items = [each.new if is_new else each.old for each in first]
        names = [self._sides[is_new].of(item).name for item in items if item is not None]
        if not names:
            return None
        more = ", …" if row.folded > len(names) else ""
        return RowData(f"{counted(row.folded, 'row')}", text=", ".join(names) + more, page=True)

    def sign(self, index: Index) -> str:
        """What stands between the two sides of a row."""
        row, difference = self.row(index), self.difference(index)
        return SIGNS[difference.kind] if difference is not None else INSIDE if row.holds else ""

    def _tip(self, index: Index) -> str:
        row = self.row(index)
        assert self._rows is not None
        if row.folded:
            return "Something differs in these rows" if row.holds else "Nothing that is shown differs in these rows"
        comparison = self._rows.comparison
        is_new = index.column() > CompareColumn.SIGN
        item = row.new if is_new else row.old
        path = format_path(comparison.new if is_new else comparison.old, item) if item is not None else ""
        return "\n".join(filter(None, (path, told(comparison, row.difference) if row.difference >= 0 else "")))

    # QAbstractItemModel

    def index(self, row: int, column: int, parent: Index = NO_INDEX) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        assert self._rows is not None
        holder = self._rows.holder(parent.internalId(), parent.row()) if parent.isValid() else TOP
        return self.createIndex(row, column, holder)

    def parent(self, index: Index = NO_INDEX) -> QModelIndex:  # type: ignore[override]
        above = self._rows.above(index.internalId()) if index.isValid() and self._rows is not None else None
        return self.createIndex(above[1], 0, above[0]) if above is not None else QModelIndex()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        if self._rows is None or parent.column() > 0:
            return 0
        if not parent.isValid():
            return self._rows.count(TOP)
        holder = self._rows.holder(parent.internalId(), parent.row())
        return 0 if holder == LEAF else self._rows.count(holder)

    def hasChildren(self, parent: Index = NO_INDEX) -> bool:
        if self._rows is None or parent.column() > 0:
            return False
        return self._rows.has_rows(parent.internalId(), parent.row()) if parent.isValid() else self.rowCount() > 0

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return len(CompareColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._rows is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._tip(index))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._text(index) or ("nothing" if index.column() != CompareColumn.SIGN else "")
        return None

    def _text(self, index: Index) -> str:
        column = CompareColumn(index.column())
        if column is CompareColumn.SIGN:
            return self.sign(index)
        found = self.side(index, column > CompareColumn.SIGN).facts
        if found is None:
            return ""
        if column in (CompareColumn.OLD_NAME, CompareColumn.NEW_NAME):
            return found.name
        if column in (CompareColumn.OLD_TYPE, CompareColumn.NEW_TYPE):
            return found.type
        return f"{found.count} {found.text}".strip()

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADINGS[section]
        return None
