"""A person at the window: what is opened, pressed, typed, chosen and dragged in the tests of whole operations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.hex.layout import Area
from viewer.ui.hex.view import HexView
from viewer.ui.tree import dragging
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow

PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
LEFT, COPY = Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction
T = TypeVar("T", bound=Editor)


class Person:
    """Works in one window that stays open for many tests.

    Args:
        window: the window.
        qtbot: waits.
        patch: answers the dialogs for files.
        folder: for files.
    """

    def __init__(self, window: MainWindow, qtbot: QtBot, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.window, self.qtbot, self._patch, self._folder = window, qtbot, patch, folder
        tree, view = window.findChild(TreeView), window.findChild(HexView)
        assert tree is not None
        assert view is not None
        self.tree, self.hex = tree, view

    @property
    def document(self) -> Document:
        """What is open."""
        assert self.window.session.document is not None
        return self.window.session.document

    @property
    def raw(self) -> bytes:
        """Its bytes."""
        return bytes(self.document.buffer[:])

    def start(self, path: str) -> int:
        """Where a value begins in the bytes."""
        item = parse_path(self.document, path)
        frame = self.document.frames[item.frame]
        return frame.start + frame.table.start[item.node]

    def stand(self, path: str) -> None:
        """Go to a row of the tree, with the keys in it."""
        self.window.session.go_to_place(path)
        self.tree.setFocus()

    # Keys and menus

    def press(self, key: Qt.Key, modifiers: Any = PLAIN) -> None:
        """Press a key."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)

    def write(self, text: str) -> None:
        """Type a text."""
        QTest.keyClicks(QApplication.focusWidget() or self.window, text)

    def enter(self, text: str) -> None:
        """Type a text and Enter."""
        self.write(text)
        self.press(Qt.Key.Key_Return)

    def act(self, name: str) -> None:
        """Choose an entry of a menu."""
        found = self.window.findChild(QAction, name)
        assert isinstance(found, QAction)
        found.trigger()

    def choose_type(self, text: str, submenu: str = "") -> None:
        """Choose another type from the menu."""
        menu = next(found for found in self.window.findChildren(QMenu) if found.title() == "C&hange Type")
        menu.aboutToShow.emit()
        if submenu:
            below = [action.menu() for action in menu.actions()]
            menu = next(found for found in below if isinstance(found, QMenu) and found.title() == submenu)
        entry = next(found for found in menu.actions() if found.text().rstrip("…") == text)
        entry.trigger()

    def answer(self, fill: Callable[[Any], None]) -> None:
        """Fill the next dialog that blocks, and press its button."""

        def do() -> None:
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, QDialog)
            fill(dialog)
            dialog.accept()

        QTimer.singleShot(0, self.window, do)

    def file(self, raw: bytes) -> None:
        """Let the next dialog that asks for a file find one that holds these bytes."""
        path = self.given(raw)
        self._patch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))

    def given(self, raw: bytes) -> Path:
        """A file with these bytes."""
        path = self._folder / "given.bin"
        path.write_bytes(raw)
        return path

    # The editors of values

    def edit(self, kind: type[T], do: Callable[[T], object], grid: bool = False) -> None:
        """Open the editor of the current value, do something in it and press Ctrl+Enter."""
        self.act("edit_grid" if grid else "edit_in_editor")
        card = next(found for found in self.window.findChildren(EditorCard) if found.isVisible())
        self.qtbot.waitUntil(card.isActiveWindow)
        assert isinstance(card.editor, kind)
        do(card.editor)
        QTest.keyClick(card, Qt.Key.Key_Return, CTRL)

    # The bytes

    def bytes_of(self, path: str, first: int, last: int | None = None, insert: bool = False) -> None:
        """Go into the bytes of a value: to one of them, or select those from *first* to before *last*."""
        at = self.start(path) + first
        span = None if last is None else Span(at, self.start(path) + last)
        self.hex.setFocus()
        self.hex.set_insert_mode(insert)
        self.window.session.go_to(at, span)
        self.hex.move_caret(at, area=Area.HEX) if span is None else None

    # The mouse

    def drag(self, path: str, share: float) -> None:
        """Drag the selected rows to a row, so far down in it (0 to 1), and drop them."""
        goal = dragging.target(self.tree, self._in_row(path, share).toPoint())
        assert goal is not None
        self.window.session.apply(dragging.dropped(QMimeData(), goal, self.tree.selected_items()), of=goal.document)

    def drop(self, mime: QMimeData, path: str, share: float) -> None:
        """Drop what another program drags."""
        place = self._in_row(path, share)
        self.tree.dragMoveEvent(QDragMoveEvent(place.toPoint(), COPY, mime, LEFT, PLAIN))
        self.tree.dropEvent(QDropEvent(place, COPY, mime, LEFT, PLAIN))

    def _in_row(self, path: str, share: float) -> QPointF:
        row = self.tree.row_rect(self.tree.tree_model.index_of(parse_path(self.document, path)))
        assert self.tree.viewport().rect().contains(row)
        return QPointF(row.center().x(), row.top() + share * (row.height() - 1))

    def click(self, button: QWidget) -> None:
        """Click a button."""
        QTest.mouseClick(button, LEFT)
