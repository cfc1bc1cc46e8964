"""The tree as a source and a goal of drags: its selected values can be carried within it, out of it and into it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from viewer.document import outline
from viewer.document.edits import EditError
from viewer.document.shown.rows import PAGE
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.tree import dragging
from viewer.ui.tree.base import TreeBase
from viewer.variant.items import Item

CTRL = Qt.KeyboardModifier.ControlModifier
EDGE_PAUSE = 50
"""Milliseconds between two steps of scrolling while a drag rests at the edge: there a mouse sends no moves."""


class DragView(TreeBase):
    """A tree that knows the session whose values its rows are.

    Args:
        session: what is open.
        theme: the colours.
        page: how many rows stand under one at most.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None, page: int = PAGE) -> None:
        super().__init__(theme, parent, page)
        self._session = session
        self._goal: dragging.Target | None = None
        self._dragged_at = QPoint()
        self._at_edge = QTimer(self, interval=EDGE_PAUSE)
        self._at_edge.timeout.connect(self._scroll_on)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)

    @property
    def current_item(self) -> Item | None:
        """The item of the current row."""
        return self.tree_model.item(self.currentIndex())

    def selected_items(self) -> list[Item]:
        """The items of the selected rows from the top down, pages left out; the current one where none is selected."""
        model = self.tree_model
        found = [index for index in self.selectionModel().selectedRows() if not model.facts(index).page]
        items = [item for item in map(model.item, found) if item is not None]
        current = self.current_item
        if not items and current is not None and not model.facts(self.currentIndex()).page:
            items = [current]
        document = self._session.document
        return sorted(items, key=lambda item: outline.span(document, item).start) if document is not None else []

    def _moves(self, event: QDropEvent) -> bool:
        """Whether the tree's own values are dragged to another place of it; with Ctrl they are copied."""
        return event.source() is self and not event.modifiers() & CTRL

    def _scroll_on(self) -> None:
        """Scroll on under a drag at the edge, as long as there is more; what it would hit is another row then."""
        if dragging.scroll_at_edge(self, self._dragged_at):
            self._look_for_goal()
        else:
            self._at_edge.stop()

    def _look_for_goal(self) -> None:
        document = self._session.document
        self._show_goal(dragging.target(self, document, self._dragged_at) if document is not None else None)

    def _end_drag(self) -> None:
        self._at_edge.stop()
        self._show_goal(None)

    def _show_goal(self, goal: dragging.Target | None) -> None:
        if goal != self._goal:
            self._goal = goal
            self.viewport().update()

    # QTreeView

    def startDrag(self, supported: Qt.DropAction) -> None:
        document = self._session.document
        mime = dragging.mime_of(document, self.selected_items()) if document is not None else None
        if mime is not None and not self._session.waits:
            dragging.start(self, mime)
        self._end_drag()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        event.setAccepted(dragging.accepts(event.mimeData()) and not self._session.waits)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._dragged_at = event.position().toPoint()
        if not dragging.scroll_at_edge(self, self._dragged_at):
            self._at_edge.stop()
        elif not self._at_edge.isActive():
            self._at_edge.start()
        self._look_for_goal()
        if self._goal is not None:
            event.setDropAction(Qt.DropAction.MoveAction if self._moves(event) else Qt.DropAction.CopyAction)
        event.setAccepted(self._goal is not None)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end_drag()

    def dropEvent(self, event: QDropEvent) -> None:
        document, goal = self._session.document, self._goal
        self._end_drag()
        if document is None or goal is None:
            event.ignore()
            return
        items = self.selected_items() if self._moves(event) else None
        event.setDropAction(Qt.DropAction.CopyAction)  # the rows are moved here, so the view must not take them away
        event.accept()
        try:
            self._session.apply(dragging.dropped(document, event.mimeData(), goal, items))
        except EditError as error:
            self._session.failed.emit(str(error))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._goal is not None:
            painter = QPainter(self.viewport())
            dragging.paint(painter, self._goal, self.theme.ui.accent)
            painter.end()
