"""The tree view: the session's document as rows. What is selected here is selected everywhere, and vice versa."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from viewer.document import outline
from viewer.document.edits import EditError, literal
from viewer.document.shown.counts import grouped
from viewer.document.shown.rows import PAGE
from viewer.ui.late import Late
from viewer.ui.look.palette import Theme
from viewer.ui.session import WAITS, Session
from viewer.ui.tree.base import MOST_EXPANDED
from viewer.ui.tree.following import FollowingTree
from viewer.ui.tree.model import Column
from viewer.ui.tree.paint import value_box
from viewer.ui.tree.placeholder import Placeholder
from viewer.ui.tree.walking import TypeAhead, collapse_inside, current_row, go_left, go_right
from viewer.variant.dialect import Kind

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.tree.value_editor import ValueEditor

LONG_TEXT = 1 << 12
"""A text of so many bytes is edited in an editor of several lines, not in a field of its row."""
Index = QModelIndex | QPersistentModelIndex


class TreeView(FollowingTree):
    """The tree of a session.

    Args:
        session: what is open, and where the person is in it.
        theme: the colours.
        page: how many rows stand under one at most.

    Signals:
        menu_requested: a context menu is wanted: the Item under the mouse (or None) and the global position.
        editor_requested: the current value is to be edited in its own editor: its swatch was double-clicked.
    """

    menu_requested = Signal(object, object)
    editor_requested = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None, page: int = PAGE) -> None:
        super().__init__(session, theme, parent, page)
        self.setObjectName("treeView")
        self.setAccessibleName("Values")
        self._type_ahead = TypeAhead()
        self._editor = Late(self._build_editor)
        self._placeholder = Placeholder(self, session, theme)
        self.follow()

    def _build_editor(self) -> ValueEditor:
        from viewer.ui.tree.value_editor import ValueEditor

        return ValueEditor(self, self._session)

    @property
    def editor(self) -> ValueEditor:
        """Edits a value in its row."""
        return self._editor.get()

    def put_editor_away(self) -> None:
        if self._editor.part is not None:
            self._editor.part.close()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.put_editor_away()
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

    def edit_current(self) -> None:
        """Open the value of the current row for editing; a bool is switched at once."""
        index = current_row(self)
        if not index.isValid() or self.editor.is_open:
            return
        if self.tree_model.facts(index).state is not None:
            self.toggle_current()
        elif self._is_long_text(index):
            self.editor_requested.emit()
        elif self.tree_model.can_set(index) and self._can_work():
            self.keep_in_sight()
            self.editor.open(index)

    def _is_long_text(self, index: Index) -> bool:
        """Whether a row holds a text that no field of one line shows; its editor does."""
        document, item = self._session.document, self.tree_model.item(index)
        frame = outline.frame_of(document, item) if document is not None and item is not None else None
        if frame is None or item is None or item.node < 0 or item.part:
            return False
        row = frame.table.row(item.node)
        return row is not None and row.kind is Kind.STRING and len(frame.table.span(item.node)) > LONG_TEXT

    def toggle_current(self) -> None:
        """Switch a bool."""
        item, index = self.current_item, self.currentIndex()
        state = self.tree_model.facts(index).state if index.isValid() else None
        if item is not None and state is not None and self._can_work():
            self._session.set_literal(item, "false" if state else "true")

    def copy(self) -> None:
        """Copy the current row's value as a literal."""
        document, item = self._session.document, self.current_item
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
            self._session.failed.emit(f"There is more below than {grouped(MOST_EXPANDED)} rows: the rest stays closed.")

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
        item = self.tree_model.item(current)
        if item is not None and not self.is_following:
            self._session.select(item)

    # QTreeView

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._click(event)

    def _click(self, event: QMouseEvent) -> None:
        """A click on a bool's box switches it."""
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or index.column() != Column.VALUE:
            return
        if self.tree_model.facts(index).state is not None and self._on_mark(index, event):
            self.toggle_current()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint()).siblingAtColumn(Column.NAME)
        if not index.isValid() or event.button() is not Qt.MouseButton.LeftButton:
            return
        if self.tree_model.hasChildren(index):
            self.setExpanded(index, not self.isExpanded(index))
        elif self.tree_model.facts(index).state is not None:
            self._click(event)
        elif self.tree_model.facts(index).swatch is not None and self._on_mark(index, event):
            self.editor_requested.emit()
        else:
            self.edit_current()

    def _on_mark(self, index: QModelIndex, event: QMouseEvent) -> bool:
        """Whether the mouse is on the swatch or box before a value."""
        box = value_box(self.cell_rect(index, Column.VALUE).toRectF())
        return box.adjusted(-4, -4, 4, 4).contains(event.position())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        place = event.globalPos()
        if not by_mouse and index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        self.menu_requested.emit(self.tree_model.item(index), place)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.laid_out()


PLAIN = Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
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
