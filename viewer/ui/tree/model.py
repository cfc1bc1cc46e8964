"""The tree as a Qt model: numbers in, facts out. It keeps no object per row and reads a row when it is painted."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.unseen import with_direction_note
from viewer.base.words import grouped_in
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.document.selection import Spot
from viewer.document.splice import touched
from viewer.document.viewmodel.nested_rows import LevelOpener, NestedRows, NoLevels
from viewer.document.viewmodel.row_data import Previews, RowData, RowDecorations
from viewer.document.viewmodel.rows import LEAF, PAGE, TOP, Place, RowIndex
from viewer.ui.look.plain_text import plain_tip
from viewer.variant.items import Item

if TYPE_CHECKING:  # sound files are shown without the doctor, and all rows at first
    from viewer.document.doctor.likely import LikelyCause
    from viewer.document.profiles.profile_labels import ProfileLabels
    from viewer.document.viewmodel.filtered_rows import FilteredRows
    from viewer.document.viewmodel.found_places import FoundPlaces, RowFinds

Index = QModelIndex | QPersistentModelIndex
REMEMBERED = 4096
ANCESTORS = 100
TOOLTIP_LIMIT = 2000
NO_INDEX = QModelIndex()


class TreeColumn(IntEnum):
    """The columns."""

    NAME = 0
    TYPE = 1
    VALUE = 2
    OFFSET = 3
    SIZE = 4


class RowRole(IntEnum):
    """What the delegate asks for. FACTS is all of it at once."""

    FACTS = Qt.ItemDataRole.UserRole
    CHIP = Qt.ItemDataRole.UserRole + 1
    GROUP = Qt.ItemDataRole.UserRole + 2
    COUNT = Qt.ItemDataRole.UserRole + 3
    TEXT = Qt.ItemDataRole.UserRole + 4
    IS_ERROR = Qt.ItemDataRole.UserRole + 5
    HAS_ERROR_BELOW = Qt.ItemDataRole.UserRole + 6
    IS_WARNING = Qt.ItemDataRole.UserRole + 7
    IS_MODIFIED = Qt.ItemDataRole.UserRole + 8
    IS_GAP = Qt.ItemDataRole.UserRole + 9
    SWATCH = Qt.ItemDataRole.UserRole + 10
    STATE = Qt.ItemDataRole.UserRole + 11
    PATH = Qt.ItemDataRole.UserRole + 12
    IS_MODIFIED_BELOW = Qt.ItemDataRole.UserRole + 13


COLUMNS = len(TreeColumn)
HEADINGS = ("Name", "Type", "Value", "Offset", "Size")
NUMBER_COLUMNS = (TreeColumn.OFFSET, TreeColumn.SIZE)
ROLES: dict[int, Callable[[RowData], object]] = {
    RowRole.FACTS: lambda facts: facts,
    RowRole.CHIP: lambda facts: facts.chip,
    RowRole.GROUP: lambda facts: facts.group,
    RowRole.COUNT: lambda facts: facts.count,
    RowRole.TEXT: lambda facts: facts.text,
    RowRole.IS_ERROR: lambda facts: facts.is_error,
    RowRole.HAS_ERROR_BELOW: lambda facts: facts.error_below,
    RowRole.IS_WARNING: lambda facts: facts.is_warning,
    RowRole.IS_MODIFIED: lambda facts: facts.modified,
    RowRole.IS_MODIFIED_BELOW: lambda facts: facts.modified_below,
    RowRole.IS_GAP: lambda facts: facts.gap,
    RowRole.SWATCH: lambda facts: facts.swatch,
    RowRole.STATE: lambda facts: facts.state,
}
TEXTS: tuple[Callable[[RowData], str], ...] = (
    lambda facts: facts.name,
    lambda facts: facts.type,
    lambda facts: f"{facts.count} {facts.text}".strip(),
    lambda facts: facts.offset_text,
    lambda facts: facts.size_text,
)


class TreeModel(QAbstractItemModel):
    """Frames and gaps, and under them values, elements and pages.

    Args:
        page: how many rows stand under one at most.

    Attributes:
        labels: say what values mean; None for nothing.

    An index carries the number of its holder (:class:`viewer.document.viewmodel.rows.RowIndex`). Between a change of
    the document and :meth:`apply_change` the model still tells the structure that it told before.
    """

    def __init__(self, parent: QObject | None = None, page: int = PAGE) -> None:
        super().__init__(parent)
        self._page = page
        self._live: Document | None = None
        self._shown: Document | None = None
        self._rows: NestedRows | None = None
        self._opener: LevelOpener = NoLevels()
        self._marks: RowDecorations | None = None
        self._facts: dict[tuple[int, int], RowData] = {}
        self._previews = Previews()
        self._cause: LikelyCause | None = None
        self._found: FoundPlaces | None = None
        self.labels: ProfileLabels | None = None
        self._asked: tuple[int, int, int, int] = (LEAF, 0, LEAF, 0)

    @property
    def rows(self) -> NestedRows | None:
        """The rows that are shown, None where nothing is open."""
        return self._rows

    @property
    def filtered(self) -> FilteredRows | None:
        """The rows of the document that a filter left, None where all are there."""
        base = self._rows.base if self._rows is not None else None
        return cast("FilteredRows", base) if base is not None and base.is_filtered else None

    @property
    def shown_document(self) -> Document | None:
        """The document with the structure that the rows tell."""
        return self._shown

    def set_document(
        self, document: Document | None, changed: Sequence[Span] | None = None, opener: LevelOpener | None = None
    ) -> None:
        """Show another document, or nothing.

        Args:
            document: it.
            changed: what is marked as modified; None for what differs from the file.
            opener: opens what is inside values; None where nothing is to be opened.
        """
        self.beginResetModel()
        self._live = document
        self._opener = opener or NoLevels()
        self._marks = RowDecorations(document, changed) if document is not None else None
        self._take()
        self.endResetModel()

    def apply_change(self, change: Change) -> None:
        """The document has changed: tell which rows, or that all may be other ones."""
        if self._live is None or self._shown is None:
            return
        if change.structure:
            self.beginResetModel()
            before = self.filtered
            self._take()
            if before is not None and self._rows is not None and self._rows.document.frames:
                from viewer.document.viewmodel.filtered_rows import followed

                self._rows = self._nested(followed(before, self._rows.base, change))  # all, where nothing is read yet
            self.endResetModel()
            return
        self._shown.have_bytes_of(self._live)
        self.refresh_marks()
        for span in touched(change.splices):
            self._tell(span)

    def refresh_marks(self) -> None:
        """More is known of errors and modified bytes: find the marks again. The view repaints."""
        self._facts.clear()
        if self._marks is not None:
            self._marks.forget()

    @property
    def is_filtered(self) -> bool:
        """Whether only some rows are there."""
        return self.filtered is not None

    def set_filter(self, rows: FilteredRows | None) -> None:
        """Show only these rows of :attr:`shown_document`; None shows all."""
        if self._shown is None or (rows is None and not self.is_filtered):
            return
        self.beginResetModel()
        self._rows = self._nested(rows if rows is not None else RowIndex(self._shown, self._page))
        self._asked = (LEAF, 0, LEAF, 0)
        self._facts.clear()
        self.endResetModel()

    def _take(self) -> None:
        self._shown = copy.copy(self._live)
        self._rows = self._nested(RowIndex(self._shown, self._page)) if self._shown is not None else None
        self._asked = (LEAF, 0, LEAF, 0)
        self.refresh_marks()

    def _nested(self, rows: RowIndex) -> NestedRows:
        return NestedRows(rows, self._opener)

    def show_levels(self) -> None:
        """Other values are open inside values than before, or others are to be shown so."""
        if self._rows is not None:
            self.beginResetModel()
            self._rows = self._nested(self._rows.base)
            self._asked = (LEAF, 0, LEAF, 0)
            self._facts.clear()
            self.endResetModel()

    def _tell(self, span: Span) -> None:
        """The rows that show bytes of a span have changed, and the previews above them."""
        first, last = self._index_at(span.start), self._index_at(max(span.start, span.end - 1))
        if first.isValid() and first.parent() == last.parent():
            self.dataChanged.emit(first, last.siblingAtColumn(TreeColumn.SIZE))
        for index in (first, last):
            for _ in range(ANCESTORS):
                if not index.isValid():
                    break
                self.dataChanged.emit(index, index.siblingAtColumn(TreeColumn.SIZE))
                index = index.parent()

    def _index_at(self, offset: int) -> QModelIndex:
        item = outline.item_at(self._shown, offset) if self._shown is not None else None
        return self.index_of(item) if item is not None else QModelIndex()

    # Items and rows

    def item(self, index: Index) -> Item | None:
        """The item that a row shows, inside a value that of its own level; None for no row."""
        if not index.isValid() or self._rows is None:
            return None
        return self._rows.item(index.internalId(), index.row())

    def spot(self, index: Index) -> Spot | None:
        """The item that a row shows, with the level that it lies in; None for no row."""
        if not index.isValid() or self._rows is None or self._live is None:
            return None
        level, item = self._rows.level_item(index.internalId(), index.row())
        return Spot(level.document if level is not None else self._live, item, level)

    def page(self, index: Index) -> range | None:
        """The children that a row stands for, None for one that is no page."""
        return self._rows.page(index.internalId(), index.row()) if index.isValid() and self._rows is not None else None

    def is_of_elements(self, index: Index) -> bool:
        """Whether a row lies in an array whose elements are no values: it shows one of them, or stands for many."""
        whole = self._rows.block(index.internalId()).whole if index.isValid() and self._rows is not None else None
        return whole is not None and whole.frame >= 0 and not whole.first

    def index_of(self, item: Item, column: int = 0) -> QModelIndex:
        """The row that shows an item or, of a key or part, its value; invalid where there is none."""
        place = self._rows.place(item) if self._rows is not None else None
        return self.createIndex(place[1], column, place[0]) if place is not None else QModelIndex()

    def index_of_spot(self, spot: Spot) -> QModelIndex:
        """The row that shows an item of any level; invalid where there is none."""
        if spot.level is None or self._rows is None:
            return self.index_of(spot.item)
        place = self._rows.place_in(spot.level, spot.item)
        return self.createIndex(place[1], 0, place[0]) if place is not None else QModelIndex()

    def index_at(self, place: Place) -> QModelIndex:
        """The row at a place of :attr:`rows`, invalid where there is none."""
        is_there = self._rows is not None and self._rows.has_place(place)
        return self.createIndex(place[1], 0, place[0]) if is_there else QModelIndex()

    def holder(self, index: Index) -> int:
        """The number under which a row's own rows stand, LEAF where it can have none."""
        if self._rows is None:
            return LEAF
        return self._rows.holder(index.internalId(), index.row()) if index.isValid() else TOP

    def index_of_holder(self, holder: int) -> QModelIndex:
        """The row whose rows stand under a number; invalid for the top, and where no rows stand under it any more."""
        return self._above(holder) if self._rows is not None and self._rows.has(holder) else QModelIndex()

    def _above(self, holder: int) -> QModelIndex:
        """The row of a holder that is there."""
        place = self._rows.above(holder) if self._rows is not None else None
        return self.createIndex(place[1], 0, place[0]) if place is not None else QModelIndex()

    def facts(self, index: Index) -> RowData:
        """What a row tells."""
        key = (index.internalId(), index.row())
        found = self._facts.get(key)
        if found is None:
            assert self._shown is not None
            assert self._rows is not None
            assert self._marks is not None
            if len(self._facts) > REMEMBERED:
                self._facts.clear()
            found = self._rows.facts(self._marks, *key, self._previews.of)
            filtered = self.filtered
            if filtered is not None and self._rows.mount(key[0]) is None and filtered.is_above(*key):
                found = replace(found, above=True)
            finds = self._finds(index) if self._found is not None else None
            if finds is not None:
                found = replace(found, found=finds)
            if self.labels is not None:
                found = self._labelled(self.labels, found, *key)
            self._facts[key] = found
        return found

    def set_found(self, found: FoundPlaces | None) -> None:
        """Tell of the rows what a search found there, or no longer."""
        if found is not None or self._found is not None:
            self._found = found
            self._facts.clear()

    def _finds(self, index: Index) -> RowFinds | None:
        """What was found of a row."""
        if self._found is None or self._rows is None or self._shown is None:
            return None
        place = index.internalId(), index.row()
        level, item = self._rows.level_item(*place)
        spot = Spot(level.document if level is not None else self._shown, item, level)
        if self._rows.page(*place) is not None:
            span = self._rows.page_span(*place)
            return self._found.of_page(spot, span) if span is not None else None
        return self._found.of_row(spot, self._rows.has_rows(*place))

    def show_labels(self, labels: ProfileLabels | None) -> None:
        """Say from now on what values mean, or no longer. The view repaints."""
        self.labels = labels
        self._facts.clear()

    def _labelled(self, labels: ProfileLabels, facts: RowData, holder: int, row: int) -> RowData:
        """A row with what the profile says of it; values inside values are none of the game's own."""
        assert self._shown is not None
        assert self._rows is not None
        if facts.page or self._rows.mount(holder) is not None:
            return facts
        label = labels.label(self._shown, self._rows.item(holder, row))
        return replace(facts, label=label) if label is not None else facts

    def path(self, index: Index) -> str:
        """The path of what a row shows."""
        spot = self.spot(index)
        if spot is None or self._shown is None:
            return ""
        return format_path(self._shown, spot.item) if spot.level is None else spot.path

    def _tooltip(self, index: Index) -> str:
        facts = self.facts(index)
        lines = [facts.whole, self.path(index)]
        if facts.finding is not None:
            from viewer.document.advice import advice

            lines += [grouped_in(facts.finding.message), grouped_in(advice(facts.finding, self._cause))]
        elif index.column() == TreeColumn.VALUE or not facts.type:
            lines.append(TEXTS[TreeColumn.VALUE](facts))
        else:
            lines.append(facts.type)
        if facts.found is not None:
            lines.append(facts.found.words)
        if facts.inside:
            lines.append(f"Holds more: {facts.inside}. The row opens it.")
        if facts.label is not None:
            lines.extend(facts.label.words)
        return with_direction_note("\n".join(line[:TOOLTIP_LIMIT] for line in lines if line), facts.name, facts.text)

    def set_cause(self, cause: LikelyCause | None) -> None:
        """Say what most probably went wrong where a person asks what a sign of damage means."""
        self._cause = cause

    def depth(self, index: Index) -> int:
        """How many rows stand above a row."""
        return self._rows.depth(index.internalId()) if self._rows is not None and index.isValid() else 0

    def can_set(self, index: Index) -> bool:
        """Whether a row's value can be edited. No flag says it: a layout asks for the flags of each row twice."""
        from viewer.document.edits.setting import can_set

        if self._shown is None or self._rows is None or not index.isValid():
            return False
        place, spot = (index.internalId(), index.row()), self.spot(index)
        if spot is None or self._rows.page(*place) is not None:
            return False
        return can_set(self._shown if spot.level is None else spot.document, spot.item)

    def _under(self, parent: Index) -> tuple[int, int]:
        """The holder of a row's rows and their count. A view asks a thousand times in a row for the same one."""
        assert self._rows is not None
        if not parent.isValid():
            return TOP, self._rows.count(TOP)
        above, row = parent.internalId(), parent.row()
        asked = self._asked
        if asked[0] != above or asked[1] != row:
            holder = self._rows.holder(above, row)
            asked = self._asked = (above, row, holder, self._rows.count(holder))
        return asked[2], asked[3]

    # QAbstractItemModel

    def index(self, row: int, column: int, parent: Index = NO_INDEX) -> QModelIndex:
        above, of, holder, count = self._asked
        if not column and 0 <= row < count and (parent.internalId(), parent.row(), parent.column()) == (above, of, 0):
            return self.createIndex(row, 0, holder)  # a layout asks for a thousand rows under the same one
        if self._rows is None or row < 0 or not 0 <= column < COLUMNS or parent.column() > 0:
            return QModelIndex()
        holder, count = self._under(parent)
        return self.createIndex(row, column, holder) if row < count else QModelIndex()

    def parent(self, index: Index = NO_INDEX) -> QModelIndex:  # type: ignore[override]
        return self._above(index.internalId()) if index.isValid() else QModelIndex()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return self._under(parent)[1] if self._rows is not None and parent.column() <= 0 else 0

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return COLUMNS

    def hasChildren(self, parent: Index = NO_INDEX) -> bool:
        if self._rows is None or parent.column() > 0:
            return False
        return self._rows.has_rows(parent.internalId(), parent.row()) if parent.isValid() else self.rowCount() > 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return TEXTS[index.column()](self.facts(index))
        if role in ROLES:
            return ROLES[role](self.facts(index))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and index.column() == TreeColumn.NAME:
            finds = self.facts(index).found
            return finds.words if finds is not None else ""
        if role == RowRole.PATH:
            return self.path(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._tooltip(index))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            label, text = self.facts(index).label, TEXTS[index.column()](self.facts(index))
            return ", ".join((text, *label.words)) if label is not None and index.column() == TreeColumn.VALUE else text
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in NUMBER_COLUMNS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return None
