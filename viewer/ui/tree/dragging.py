"""Dragging: values carried to another place of the tree, copied between windows, or dropped elsewhere as text."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QDrag, QPainter, QPen
from PySide6.QtWidgets import QWidget

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.edits.fragment import taken
from viewer.document.edits.slots import EditError, Slot, inside, slot_of
from viewer.document.splice import Edit
from viewer.ui.clipboard import VALUES, from_mime, to_mime
from viewer.ui.tree.tree_rows import TreeBase
from viewer.variant.items import Item

MOST = 1000
EDGE = 0.25
"""The share of a row, at its top and its bottom, where a drop goes between the rows."""
SCROLL_ZONE = 24


@dataclass(frozen=True, slots=True)
class DropTarget:
    """Where a drop would go.

    Args:
        document: where that is: that of the file, or what is inside a value.
        slot: the place in the document.
        mark: where to show it, in the viewport: a row to be framed, or a line between rows of height 0.
    """

    document: Document
    slot: Slot
    mark: QRect


def mime_of(document: Document, items: list[Item]) -> QMimeData | None:
    """What is dragged, None where these are no values."""
    try:
        return to_mime([taken(document, item) for item in items[:MOST]]) if items else None
    except EditError:
        return None


def start(view: QWidget, mime: QMimeData) -> None:
    """Drag values until they are dropped; what is dropped outside of the tree stays here too."""
    drag = QDrag(view)
    drag.setMimeData(mime)
    drag.exec(Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.DropAction.MoveAction)


def accepts(mime: QMimeData) -> bool:
    """Whether something that is dragged holds values; files are the window's business."""
    return mime.hasFormat(VALUES) or (mime.hasText() and not mime.hasUrls())


def target(view: TreeBase, place: QPoint) -> DropTarget | None:
    """Where a drop at a place of the viewport would go, None where nothing can stand."""
    index = view.indexAt(place).siblingAtColumn(0)
    spot = view.tree_model.spot(index)
    if not index.isValid() or spot is None or view.tree_model.facts(index).page:
        return None
    document, item = spot.document, spot.item
    row = view.row_rect(index)
    share = (place.y() - row.top()) / max(1, row.height())
    try:
        if EDGE <= share <= 1 - EDGE or not item.node:
            held = _into(document, item)
            if held is not None:
                return DropTarget(document, held, row)
        slot = slot_of(document, item)
    except EditError:
        return None
    below = share > 0.5
    if below and view.isExpanded(index) and view.tree_model.hasChildren(index):
        return _first_inside(view, document, index, row)
    line = QRect(_indent(view, index), row.bottom() if below else row.top() - 1, row.width(), 0)
    return DropTarget(document, Slot(slot.frame, slot.node, slot.number + below), line)


def dropped(mime: QMimeData, goal: DropTarget, items: list[Item] | None) -> Edit:
    """The edit that a drop makes.

    Args:
        mime: what is dropped.
        goal: where.
        items: the document's own values, that are to be moved; None for values that are copied.

    Raises:
        EditError: they cannot stand there.
    """
    from viewer.document.edits.structure import insert, move  # not needed at the start

    if items is not None:
        return move(goal.document, items, goal.slot)
    return insert(goal.document, goal.slot, from_mime(mime, goal.document), "Drop")


def scroll_at_edge(view: TreeBase, place: QPoint) -> bool:
    """Scroll while something is dragged along the upper or lower edge; False where it is not, or nothing is beyond."""
    bar, height = view.verticalScrollBar(), view.viewport().height()
    before = bar.value()
    if place.y() < SCROLL_ZONE:
        bar.setValue(before - bar.singleStep())
    elif place.y() > height - SCROLL_ZONE:
        bar.setValue(before + bar.singleStep())
    return bar.value() != before


def paint(painter: QPainter, goal: DropTarget, colour: QColor) -> None:
    """Show where a drop would go: a frame on a collection, a line between rows."""
    painter.setPen(QPen(colour, 2))
    if goal.mark.height():
        painter.drawRect(QRectF(goal.mark).adjusted(1, 1, -1, -1))
    else:
        painter.drawLine(goal.mark.left(), goal.mark.top(), goal.mark.right(), goal.mark.top())


def _into(document: Document, item: Item) -> Slot | None:
    """The slot behind the last value that an item holds, None where it holds none."""
    try:
        return inside(document, item) if not item.part else None
    except EditError:
        return None


def _first_inside(view: TreeBase, document: Document, index: QModelIndex, row: QRect) -> DropTarget | None:
    """Below an open row: before the first one inside."""
    item = view.tree_model.item(index)
    held = _into(document, item) if item is not None else None
    if held is None:
        return None
    first = view.tree_model.index(0, 0, index)
    return DropTarget(
        document, Slot(held.frame, held.node, 0), QRect(_indent(view, first), row.bottom(), row.width(), 0)
    )


def _indent(view: TreeBase, index: QModelIndex) -> int:
    return max(0, view.name_left(index))
