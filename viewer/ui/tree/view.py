"""The tree view: the session's document as rows. What is selected here is selected everywhere, and vice versa."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QTreeView, QVBoxLayout, QWidget

from viewer.base.record import replace
from viewer.base.words import counted, grouped
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.selection import Spot
from viewer.document.splice import Splice
from viewer.document.viewmodel.rows import PAGE
from viewer.ui.lazy import LazyPart
from viewer.ui.look.fonts import ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel
from viewer.ui.session import WAITS, Session
from viewer.ui.tree.cell_painter import value_box
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.tree_rows import MOST_EXPANDED, TreeBase
from viewer.ui.tree.view_state import MOST_SELECTED, SavedView, look, select, show_again, show_same
from viewer.ui.tree.walking import TypeAhead, collapse_inside, current_row, go_left, go_right
from viewer.ui.viewport import PaintedLater
from viewer.variant.dialect import PACKED, Kind
from viewer.variant.items import Item

if TYPE_CHECKING:
    from viewer.ui.tree.dragging import DropTarget
    from viewer.ui.tree.value_editor import ValueEditor

# What stands in the tree while it has no rows: that values are being read, or that there are none.

PATIENCE = 150
"""Milliseconds before a reading is worth a word."""
READING = "Reading values…"
STOPPED = "Not read yet"
EMPTY, UNREADABLE = "This file is empty", "None of this text can be read"


class Placeholder(PlainLabel):
    """A few quiet words in the middle of an empty tree.

    Args:
        tree: over whose rows it lies.
        session: whose document the tree shows.
        theme: its colours.
    """

    def __init__(self, tree: QTreeView, session: Session, theme: Theme) -> None:
        super().__init__(parent=tree.viewport())
        self._session = session
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(ui_font())
        layout = QVBoxLayout(tree.viewport())
        layout.addWidget(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(PATIENCE)
        self._later.timeout.connect(self._show_words)
        self.set_theme(theme)
        reading = session.reading
        for signal in (session.opened, session.changed, reading.changed, reading.glimpsed):
            signal.connect(self.refresh)
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        colours = self.palette()
        colours.setColor(QPalette.ColorRole.WindowText, theme.ui.text_secondary)
        self.setPalette(colours)

    def refresh(self, *_: object) -> None:
        """The document is another one, or is read now."""
        if self._session.reading.is_on:
            self.hide()
            self._later.start()
        else:
            self._later.stop()
            self._show_words()

    def _show_words(self) -> None:
        document = self._session.document
        words = ""
        if document is not None and not document.buffer:
            words = EMPTY if not document.shown else UNREADABLE
        elif document is not None and self._session.waits and not document.frames:
            words = READING if self._session.reading.is_on else STOPPED
        self.setText(words)
        self.setVisible(bool(words))


# The tree of a session, as a source and a goal of drags.

CTRL = Qt.KeyboardModifier.ControlModifier
EDGE_PAUSE = 50
"""Milliseconds between two steps of scrolling while a drag rests at the edge: there a mouse sends no moves."""


OPENED_FRAMES = 3
MIXED = "Select values of one level: some of these are inside a value, others around it."


LONG_TEXT = 1 << 12
"""A text of so many bytes is edited in an editor of several lines, not in a field of its row."""
Index = QModelIndex | QPersistentModelIndex


class TreeView(TreeBase):
    """The tree of a session: its selected values can be dragged, and it follows what is opened, changed or selected.

    Args:
        session: what is open, and where the person is in it.
        theme: the colours.
        page: how many rows stand under one at most.

    Signals:
        menu_requested: a context menu is wanted: the Spot under the mouse (or None) and the global position.
        editor_requested: the current value is to be edited in its own editor: its swatch was double-clicked.
        page_requested: so are the elements of the current packed array from one on (int).
    """

    menu_requested = Signal(object, object)
    editor_requested = Signal()
    page_requested = Signal(int)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None, page: int = PAGE) -> None:
        super().__init__(theme, parent, page)
        self._session = session
        self._goal: DropTarget | None = None
        self._dragged_at = QPoint()
        self._dragged: tuple[Document | None, int] = (None, 0)
        self._at_edge = QTimer(self, interval=EDGE_PAUSE)
        self._others = PaintedLater(self)  # rows that stay
        self._at_edge.timeout.connect(self._scroll_on)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self._focus: tuple[int, ...] = ()
        self._seen: SavedView | None = None
        self._is_new = False
        self.setObjectName("treeView")
        self.setAccessibleName("Values")
        self._type_ahead = TypeAhead()
        self._editor = LazyPart(self._build_editor)
        self._placeholder = Placeholder(self, session, theme)
        self.follow()

    @property
    def current_item(self) -> Item | None:
        """The item of the current row, inside a value that of its own level."""
        return self.tree_model.item(self.currentIndex())

    @property
    def current_document(self) -> Document | None:
        """The document that the current row belongs to: that of the file, or what is inside a value."""
        spot = self.tree_model.spot(self.currentIndex())
        return spot.document if spot is not None else self._session.document

    def selected_items(self) -> list[Item]:
        """The items of the selected rows from the top down, pages left out; the current one where none is selected.

        Raises:
            EditError: they lie in different levels of values inside values, or the current row in another one.
        """
        model = self.tree_model
        found = [index for index in self.selectionModel().selectedRows() if not model.facts(index).page]
        spots = [spot for spot in map(model.spot, found) if spot is not None]
        if any(spot.document is not self.current_document for spot in spots):
            raise EditError(MIXED)
        items = [spot.item for spot in spots]
        current = self.current_item
        if not items and current is not None and not model.facts(self.currentIndex()).page:
            items = [current]
        document = self.current_document
        return sorted(items, key=lambda item: outline.span(document, item).start) if document is not None else []

    def _moves(self, event: QDropEvent) -> bool:
        """Whether the tree's own values are dragged to another place of it; with Ctrl they are copied."""
        return event.source() is self and not event.modifiers() & CTRL

    def _scroll_on(self) -> None:
        """Scroll on under a drag at the edge, as long as there is more; what it would hit is another row then."""
        from viewer.ui.tree import dragging

        if dragging.scroll_at_edge(self, self._dragged_at):
            self._look_for_goal()
        else:
            self._at_edge.stop()

    def _look_for_goal(self) -> None:
        from viewer.ui.tree import dragging

        self._show_goal(dragging.target(self, self._dragged_at))

    def _end_drag(self) -> None:
        self._at_edge.stop()
        self._show_goal(None)

    def _show_goal(self, goal: DropTarget | None) -> None:
        if goal != self._goal:
            self._goal = goal
            self.viewport().update()

    # QTreeView

    def startDrag(self, supported: Qt.DropAction) -> None:
        from viewer.ui.tree import dragging

        document = self.current_document
        try:
            mime = dragging.mime_of(document, self.selected_items()) if document is not None else None
        except EditError as error:
            self._session.failed.emit(str(error))
            return
        if mime is not None and document is not None and not self._session.waits:
            self._dragged = (document, document.revision)
            dragging.start(self, mime)
        self._end_drag()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        from viewer.ui.tree import dragging

        event.setAccepted(dragging.accepts(event.mimeData()) and not self._session.waits)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        from viewer.ui.tree import dragging

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
        from viewer.ui.tree import dragging

        goal = dragging.target(self, event.position().toPoint()) if self._goal is not None else None
        self._end_drag()
        if goal is None:
            event.ignore()
            return
        moves = self._moves(event) and goal.document is self.current_document
        if moves and self._dragged != (goal.document, goal.document.revision):
            event.ignore()
            self._session.failed.emit("The values were changed meanwhile: drag them again.")
            return
        event.setDropAction(Qt.DropAction.CopyAction)  # the rows are moved here, so the view must not take them away
        event.accept()
        try:
            items = self.selected_items() if moves else None
            self._session.apply(dragging.dropped(event.mimeData(), goal, items), of=goal.document)
        except EditError as error:
            self._session.failed.emit(str(error))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._goal is not None:
            from viewer.ui.tree import dragging

            painter = QPainter(self.viewport())
            dragging.paint(painter, self._goal, self.theme.ui.accent)
            painter.end()

    def follow(self) -> None:
        """Show what is open, and from now on whatever becomes of it."""
        session = self._session
        session.opened.connect(self._show_document)
        session.changed.connect(self._show_change)
        session.reading.glimpsed.connect(self._show_change)
        session.levels_changed.connect(self._show_levels)
        session.selected.connect(self.reveal)
        session.labels_changed.connect(self._show_labels)
        for signal in (session.problems_changed, session.news_changed, session.history_changed):
            signal.connect(self._refresh_marks)
        self._show_document()

    def _show_document(self) -> None:
        self.put_editor_away()
        self.expansion.forget()
        self._seen = None
        document = self._session.document
        self.tree_model.set_document(document, opener=self._session.inside)
        self.columns.set_bytes(len(document.buffer) if document is not None else 0)
        self._is_new = True
        self._open_first()
        if self._session.item is not None:
            self.reveal(self._session.item)

    def _open_first(self) -> None:
        """Open the values of a file that is newly shown, where they are few, as soon as there are any."""
        document = self._session.document
        if self._is_new and document is not None and document.frames:
            self._is_new = False
            rows = self.tree_model.rows
            if document.structure is not None and rows is not None:
                self.expand(self.tree_model.index(rows.top.number(document.structure.main), 0))
            elif len(document.frames) <= OPENED_FRAMES:
                for row in range(self.tree_model.rowCount()):
                    self.expand(self.tree_model.index(row, 0))

    def _show_labels(self) -> None:
        self.tree_model.show_labels(self._session.labels)
        self.viewport().update()

    def _show_change(self, change: Change) -> None:
        with self._holding_editor(change.splices):
            self._show_rows(change)

    def _show_rows(self, change: Change) -> None:
        self._focus = change.focus
        rows = self.tree_model.rows
        if change.structure:
            self._show_structure(change)
        elif rows is not None:
            self.is_following = True
            self.tree_model.apply_change(change)
            show_same(self, look(self, rows).after(change), rows, bool(change.focus))
            self.is_following = False
            self._others.start()

    def _show_structure(self, change: Change) -> None:
        """Show the new rows; those that were open stay open, and what is on the screen stays where it is.

        While a document is read it may have no frames: then what was seen before waits until it has some.
        """
        document = self._session.document
        if document is None or self.tree_model.rows is None:
            return
        seen = self._seen or look(self, self.tree_model.rows)
        seen = seen.after(change)
        self.is_following = True
        self.tree_model.apply_change(change)
        self.columns.set_bytes(len(document.buffer))
        self._seen = seen if len(document.buffer) and not document.frames else None
        if self._seen is None:
            show_again(self, seen, self.tree_model.rows, bool(change.focus))
            self._open_first()
        self.is_following = False

    def _show_levels(self) -> None:
        """Other values are open inside values: all other rows stay as they are."""
        rows = self.tree_model.rows
        if rows is None:
            return
        with self._holding_editor():
            seen = look(self, rows)
            self.is_following = True
            self.tree_model.show_levels()
            show_again(self, seen, self.tree_model.rows or rows)
            self.is_following = False

    def _refresh_marks(self) -> None:
        self.tree_model.refresh_marks()
        if not self.is_due:
            self._others.start()

    def reveal(self, item: Item | None) -> None:
        """Make the row of an item the current one, and show it; nothing moves if it is that already."""
        document, spot = self._session.document, self._session.spot
        if item is None or document is None:
            return
        spot = spot if spot is not None and spot.level is not None else Spot(document, item)
        row = replace(spot, item=outline.row_item(spot.document, spot.item))
        index = self.tree_model.index_of_spot(spot)
        if index.isValid() and not (self._has_selected and self.tree_model.spot(self.currentIndex()) == row):
            self.follow_to(index)
        self._select_focused(document)

    @property
    def _has_selected(self) -> bool:
        """Whether rows are selected; the focus alone makes the first row the current one and selects none."""
        return self.currentIndex().isValid() and self.selectionModel().hasSelection()

    def _select_focused(self, document: Document) -> None:
        """Select all values that the last edit wants selected, where these are several."""
        focus, self._focus = self._focus, ()
        if len(focus) > 1 and self.tree_model.rows is not None:
            items = (outline.item_at(document, offset) for offset in focus[:MOST_SELECTED])
            self.clearSelection()
            select(self, (self.tree_model.rows.place(item) for item in items if item is not None))

    def _build_editor(self) -> ValueEditor:
        from viewer.ui.tree.value_editor import ValueEditor

        editor = ValueEditor(self, self._session)
        self._session.settling.connect(editor.settle)
        return editor

    @property
    def editor(self) -> ValueEditor:
        """Edits a value in its row."""
        return self._editor.get()

    def settle(self) -> None:
        """Take what is typed in a row."""
        if self._editor.part is not None:
            self._editor.part.settle()

    def put_editor_away(self) -> None:
        if self._editor.part is not None:
            self._editor.part.put_away()

    @contextmanager
    def _holding_editor(self, splices: tuple[Splice, ...] | None = None) -> Iterator[None]:
        """Hold what is typed in a row while the rows become other ones, and go on with it where that row is then."""
        editor = self._editor.part
        held = editor.hold() if editor is not None else None
        yield
        if editor is not None and held is not None:
            editor.resume(held, splices)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        with self._holding_editor():
            self._placeholder.set_theme(theme)
            super().set_theme(theme)

    # What a person asks for

    def _can_work(self) -> bool:
        """Whether the values are all there, to be changed or copied; where they are still being read, say so."""
        if self._session.waits:
            self._session.failed.emit(WAITS)
        return not self._session.waits

    def rename_current(self) -> None:
        """Open the key of the current row for editing."""
        index = current_row(self)
        if index.isValid() and not self.editor.is_open and self._can_work():
            self.keep_in_sight()
            self.editor.open_key(index)

    def open_current(self) -> None:
        """Show what is in the current row, and go to the first of it."""
        index = current_row(self)
        if self.tree_model.hasChildren(index):
            self.expand(index)
            self.set_current(self.tree_model.index(0, 0, index))
            self.keep_in_sight()

    def edit_current(self) -> None:
        """Open the value of the current row for editing."""
        index = current_row(self)
        if not index.isValid() or self.editor.is_open:
            return
        page = self.tree_model.page(index)
        if page is not None:
            self._edit_page(index, page)
        elif self._wants_editor(index):
            self.editor_requested.emit()
        elif self.tree_model.can_set(index) and self._can_work():
            self.keep_in_sight()
            self.editor.open(index)

    def _edit_page(self, index: Index, page: range) -> None:
        """Open the grid of a packed array where a row stands for some of its elements; else say what the row is."""
        spot = self.tree_model.spot(index) if self.tree_model.is_of_elements(index) else None
        row = outline.type_row(spot.document, spot.item) if spot is not None else None
        if row is not None and row.kind in PACKED and self._can_work():
            self.page_requested.emit(page.start)
        elif row is None or row.kind not in PACKED:
            self._session.failed.emit(f"This row stands for {counted(len(page), 'value')}: open it and choose one.")

    def _wants_editor(self, index: Index) -> bool:
        """Whether a row holds what no field of one line shows as it is: a long text, one with lines, a packed array."""
        spot = self.tree_model.spot(index)
        frame = outline.frame_of(spot.document, spot.item) if spot is not None else None
        if frame is None or spot is None or spot.item.node < 0 or spot.item.part:
            return False
        row, size = frame.table.row(spot.item.node), len(frame.table.span(spot.item.node))
        if row is None:
            return False
        if row.kind is Kind.STRING:
            from viewer.document.edits.cell_text import is_one_line

            return size > LONG_TEXT or not is_one_line(spot.document, spot.item)
        return row.kind in PACKED or row.kind is Kind.IMAGE

    def toggle_current(self) -> None:
        """Switch a bool."""
        item, index = self.current_item, self.currentIndex()
        state = self.tree_model.facts(index).state if index.isValid() else None
        if item is not None and state is not None and self._can_work():
            self._session.set_literal(item, "false" if state else "true", self.current_document)

    def copy(self) -> None:
        """Copy the current row's value as a literal."""
        from viewer.document.edits.setting import literal

        document, item = self.current_document, self.current_item
        if document is None or item is None or not self._can_work():
            return
        try:
            QGuiApplication.clipboard().setText(literal(document, item))
        except EditError as error:
            self._session.failed.emit(str(error))

    def save_state(self) -> bytes:
        """The widths of the columns."""
        return self.columns.save_widths()

    def restore_state(self, state: bytes) -> None:
        """Take the widths of the columns from another run."""
        self.columns.restore_widths(state)

    # Keys

    def _open_all(self) -> None:
        if not self.expand_all_under(current_row(self)):
            self._session.failed.emit(
                f"There are more than {grouped(MOST_EXPANDED)} rows below: the rest stays closed."
            )

    def take_key(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        slot = KEYS.get((Qt.Key(key), PLAIN if key == Qt.Key.Key_Asterisk else modifiers)) if key else None
        if slot is not None:
            slot(self)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.text().strip() and event.text().isprintable() and modifiers in TYPING:
            self._type_ahead.add(self, event.text())
        else:
            return False
        return True

    def laid_out(self) -> None:
        if self._editor.part is not None:
            self._editor.part.place()

    def current_moved(self, current: Index) -> None:
        spot = self.tree_model.spot(current)
        if spot is not None and not self.is_following:
            self.expansion.lent.clear()
            self._session.select_spot(spot)

    # QTreeView

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        is_plain = event.button() is Qt.MouseButton.LeftButton and not event.modifiers()
        drags = is_plain and not self._is_on_chevron(place) and self._is_selected(place)
        super().mousePressEvent(event)
        self._click(event)
        if drags and self.state() is self.State.NoState:
            self.setState(self.State.DraggingState)  # from any other row on, rows are selected

    def _is_selected(self, place: QPoint) -> bool:
        index = self.indexAt(place)
        return index.isValid() and self.selectionModel().isSelected(index)

    def _click(self, event: QMouseEvent) -> None:
        """A click on a bool's box switches it."""
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or index.column() != TreeColumn.VALUE:
            return
        if self.tree_model.facts(index).state is not None and self._on_mark(index, event):
            self.toggle_current()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint()).siblingAtColumn(TreeColumn.NAME)
        if not index.isValid() or event.button() is not Qt.MouseButton.LeftButton:
            return
        is_page = self.tree_model.facts(index).page
        if self.tree_model.hasChildren(index) and (is_page or not _is_picture(self.tree_model.spot(index))):
            self.setExpanded(index, not self.isExpanded(index))
        elif self.tree_model.facts(index).state is not None:
            self._click(event)
        elif self.tree_model.facts(index).swatch is not None and self._on_mark(index, event):
            self.editor_requested.emit()
        else:
            self.edit_current()

    def _on_mark(self, index: QModelIndex, event: QMouseEvent) -> bool:
        """Whether the mouse is on the swatch or box before a value."""
        box = value_box(self.cell_rect(index, TreeColumn.VALUE).toRectF())
        return box.adjusted(-4, -4, 4, 4).contains(event.position())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        place = event.globalPos()
        if not by_mouse and index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        self.menu_requested.emit(self.tree_model.spot(index), place)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.laid_out()


PLAIN = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
TYPING = (PLAIN, SHIFT)
KEYS = {
    (Qt.Key.Key_F2, PLAIN): TreeView.edit_current,
    (Qt.Key.Key_Return, PLAIN): TreeView.edit_current,
    (Qt.Key.Key_Enter, PLAIN): TreeView.edit_current,
    (Qt.Key.Key_Space, PLAIN): TreeView.toggle_current,
    (Qt.Key.Key_Left, PLAIN): go_left,
    (Qt.Key.Key_Right, PLAIN): go_right,
    (Qt.Key.Key_Right, SHIFT): TreeView._open_all,
    (Qt.Key.Key_Asterisk, PLAIN): TreeView._open_all,
    (Qt.Key.Key_Left, CTRL): collapse_inside,
}


# The tree with what lies over it.


class TreePane(QWidget):
    """Holds the tree, over it a bar where there is one, and below it, in deep trees, what scrolls its names sideways.

    Args:
        tree: it has the focus of the pane.
    """

    def __init__(self, tree: TreeBase) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(tree, 1)
        self._column.addWidget(tree.sideways)
        self._tree = tree
        tree.sideways.rangeChanged.connect(self._fit_bar)
        tree.columns.sectionResized.connect(self._fit_bar)

    def put_over(self, bar: QWidget) -> None:
        """Have a bar over the tree, which is hidden at first."""
        bar.hide()
        self._column.insertWidget(0, bar)

    def _fit_bar(self, *_: int) -> None:
        """The bar is as wide as the names that it scrolls, and there where they do not all have room."""
        bar = self._tree.sideways
        bar.setFixedWidth(max(1, self._tree.columnWidth(TreeColumn.NAME)))
        bar.setVisible(bar.maximum() > 0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The tree has the focus for the pane. A focus proxy would let Tab skip what lies beside it."""
        self._tree.setFocus(event.reason())


def _is_picture(spot: Spot | None) -> bool:
    """Whether a value is the bytes of a picture, so that its elements say nothing to a person."""
    from viewer.document.visuals.found_picture import picture_of_bytes

    return spot is not None and picture_of_bytes(spot.document, spot.item) is not None
