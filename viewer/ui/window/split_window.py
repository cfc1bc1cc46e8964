"""A window of the system: one view, or two views beside or below each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QVBoxLayout, QWidget

from viewer.ui.look.plain_text import already_in_title

if TYPE_CHECKING:
    from viewer.ui.window.main_window import MainWindow

SIZE = (1280, 800)
FRAME = (20, 60)
"""Pixels that the frame of a window takes of the screen, and what lies at its edges."""
SMALLEST = (640, 420)
SMALLEST_SIDE = (320, 200)
HANDLE = 7
"""Pixels of the grip between two views, as between panes."""


class SplitWindow(QMainWindow):
    """Holds one view or two; the menus are those of the one that has the keys.

    Args:
        may_close: asked, with this window, before it closes.

    Attributes:
        may_close: the same; another one may take its place.
        sides: the views, left or upper first.
        active: the one that has the keys, or had them last.

    Signals:
        turned: another view is the active one, or there are more or fewer of them.
        reshaped: the window has another place, size or division.
    """

    turned = Signal()
    reshaped = Signal()

    def __init__(self, may_close: Callable[[SplitWindow], bool]) -> None:
        super().__init__()
        self.setObjectName("frame")
        self.may_close = may_close
        self._stand_in: QWidget | None = None
        self._splitter = QSplitter()
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(HANDLE)
        self._splitter.splitterMoved.connect(lambda *_: self.reshaped.emit())
        self.setCentralWidget(self._splitter)
        self.setMinimumSize(*SMALLEST)
        self.sides: list[MainWindow] = []
        self._bars: QWidget | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)

    def take_first_size(self) -> None:
        """Take the size that a window has at first, on a small screen what that has room for."""
        self.resize(QSize(*SIZE).boundedTo(self.screen().availableSize() - QSize(*FRAME)))

    # Views

    @property
    def active(self) -> MainWindow:
        """The view that has the keys, or had them last."""
        return self._active

    @property
    def is_split(self) -> bool:
        """Whether there are two views."""
        return len(self.sides) > 1

    @property
    def is_upright(self) -> bool:
        """Whether one view lies below the other."""
        return self._splitter.orientation() is Qt.Orientation.Vertical

    def other(self) -> MainWindow | None:
        """The view that is not the active one, None where there is one alone."""
        return next((side for side in self.sides if side is not self._active), None)

    def add(self, view: MainWindow, below: bool = False) -> None:
        """Show a view, beside or below the one that is there."""
        if not self.sides:
            self._active = view
        self._splitter.setOrientation(Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal)
        self.sides.append(view)
        view.retitled.connect(self._take_title)
        if self._stand_in is not None:
            view.hide()
        self._splitter.addWidget(view)
        for side in self.sides:
            self._fit(side)
        if self._stand_in is None:
            view.show()
        if self.is_split:
            self._share_bars()
            self._splitter.setSizes([1000, 1000])
        self.turned.emit()

    def stand_in(self, widget: QWidget) -> None:
        """Show something until the first view is there and :meth:`reveal` is called."""
        self._stand_in = widget
        self._splitter.addWidget(widget)

    def reveal(self) -> None:
        """Show the view in the place of what stood in for it; there is no frame between them."""
        widget, self._stand_in = self._stand_in, None
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
            self._active.show()
            self._active.take_keys()

    def take_out(self, view: MainWindow) -> None:
        """Show a view no longer; the other one gets its room and the keys."""
        had_keys = view.isAncestorOf(self.focusWidget() or view)
        self.sides.remove(view)
        view.retitled.disconnect(self._take_title)
        view.hide()
        view.setParent(None)
        if self.sides:
            self._active = self.sides[0]
            self._return_bar(view)
            self._fit(self._active)
            if had_keys:
                self._active.take_keys()
            self._take_title()
            self.turned.emit()

    def turn_to(self, view: MainWindow) -> None:
        """Make a view the active one, and give it the keys."""
        self._set_active(view)
        view.take_keys()

    def sizes(self) -> list[int]:
        """How the views share the window, in pixels."""
        return self._splitter.sizes()

    def set_sizes(self, sizes: list[int]) -> None:
        """Share the window so."""
        self._splitter.setSizes(sizes)

    def _set_active(self, view: MainWindow) -> None:
        if view is not self._active:
            self._active = view
            self._show_bar()
            self._take_title()
            self.turned.emit()

    def _fit(self, side: MainWindow) -> None:
        """Let a view be as small as its share may be, and a click beside all its fields make it the active one."""
        side.setMinimumSize(*(SMALLEST_SIDE if self.is_split else SMALLEST))
        side.setFocusPolicy(Qt.FocusPolicy.ClickFocus if self.is_split else Qt.FocusPolicy.NoFocus)

    def _follow_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.is_split:
            for side in self.sides:
                if side is now or side.isAncestorOf(now):
                    self._set_active(side)
                if side is now:  # a click beside all fields: the keys stay, or go where they begin
                    if before is not None and side.isAncestorOf(before) and before.isVisible():
                        before.setFocus()
                    else:
                        side.take_keys()

    # What the views share: one row of menus, one title

    def _share_bars(self) -> None:
        """Let the menus lie over both views, and each key mean the view that it is pressed in."""
        self._bars = QWidget()
        column = QVBoxLayout(self._bars)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for side in self.sides:
            column.addWidget(side.menuBar())
            side.opened.show_tabs_always(True)
            _bound(side.actions(), Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.setMenuWidget(self._bars)
        self._show_bar()

    def _return_bar(self, left: MainWindow) -> None:
        """Give the one view that stays its menus back, and all keys."""
        side = self._active
        left.setMenuBar(left.menuBar())
        side.setMenuBar(side.menuBar())
        side.menuBar().show()
        side.opened.show_tabs_always(False)
        _bound(side.actions(), Qt.ShortcutContext.WindowShortcut)
        bars, self._bars = self._bars, None
        if bars is not None:
            bars.hide()
            self.setMenuWidget(QWidget())  # which has no height; Qt deletes the one before

    def _show_bar(self) -> None:
        if self._bars is not None:
            for side in self.sides:
                side.menuBar().setVisible(side is self._active)

    def _take_title(self) -> None:
        self.setWindowModified(False)  # Qt wants the mark's place in the title before there is a mark
        self.setWindowTitle(already_in_title(self._active))
        self.setWindowModified(self._active.isWindowModified())

    # Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # and so it stays where anything goes wrong
        if self.may_close(self):
            event.accept()


def _bound(actions: list[QAction], context: Qt.ShortcutContext) -> None:
    for action in actions:
        action.setShortcutContext(context)
