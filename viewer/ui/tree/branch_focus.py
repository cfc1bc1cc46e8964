"""One branch of the tree alone: its rows begin at the left edge, a bar over them says which it is and leads back."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton
from viewer.ui.session import Session
from viewer.ui.tree.view import TreeView
from viewer.ui.tree.walking import current_row

HEIGHT = 32
ICON = 16
LEAF_SAYS = "This value is at the top and has no rows below it; choose an array or a dictionary."


class BranchBar(QWidget):
    """Says which branch is shown alone.

    Args:
        theme: its colours.

    Signals:
        up_wanted: the branch that holds this one is to be shown.
        all_wanted: the whole tree is to be shown again.
    """

    up_wanted = Signal()
    all_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("branchBar")
        self._theme = theme
        self.line = ElidedLine(theme, fixed_font(Size.SECONDARY), elide=Qt.TextElideMode.ElideMiddle, parent=self)
        self.line.setAccessibleName("Branch that is shown alone")
        self.up_button = FlatButton(theme, "Up", "arrow-up", self)
        self.up_button.setToolTip(plain_tip("Show what this branch is in"))
        self.all_button = FlatButton(theme, "Show All", "list-tree", self)
        self.all_button.setToolTip(plain_tip("Show the whole tree again (Ctrl+Alt+O)"))
        self.up_button.clicked.connect(self.up_wanted)
        self.all_button.clicked.connect(self.all_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(8 + ICON + 8, 2, 4, 3)
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(self.up_button)
        row.addWidget(self.all_button)
        self.setFixedHeight(HEIGHT)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.line, self.up_button, self.all_button):
            part.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.panel)
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), self._theme.ui.border)
        icons.draw(painter, "locate-fixed", self._theme, QRectF(8, (self.height() - ICON) / 2, ICON, ICON))
        painter.end()


class BranchFocus(QObject):
    """Shows a branch of a tree alone, and the whole tree again.

    Args:
        session: whose tree it is; told in a sentence what cannot be done.
        tree: it.
        bar: lies over it.

    Signals:
        changed: another branch is shown, or the whole tree.
    """

    changed = Signal()

    def __init__(self, session: Session, tree: TreeView, bar: BranchBar) -> None:
        super().__init__(tree)
        self._session, self._tree, self._bar = session, tree, bar
        bar.up_wanted.connect(self.go_up)
        bar.all_wanted.connect(self.leave)
        tree.branch_changed.connect(self._show)

    @property
    def is_on(self) -> bool:
        """Whether a branch is shown alone."""
        return self._tree.rootIndex().isValid()

    def toggle(self) -> None:
        """Show the current branch alone, or the whole tree again; a value without rows means what it lies in."""
        if self.is_on:
            self.leave()
            return
        index = current_row(self._tree)
        branch = index if self._tree.tree_model.hasChildren(index) else index.parent()
        if not branch.isValid():
            self._session.failed.emit(LEAF_SAYS)
            return
        self._tree.show_branch(branch)
        if index == branch:
            self._tree.set_current(self._tree.tree_model.index(0, 0, branch))
        self._tree.setFocus()

    def go_up(self) -> None:
        """Show what the branch lies in; from the top on the whole tree."""
        branch = self._tree.rootIndex()
        if branch.isValid():
            self._turn(branch.parent(), branch)

    def leave(self) -> None:
        """Show the whole tree again, with the current row in sight."""
        if self.is_on:
            self._turn(QModelIndex(), current_row(self._tree))

    def _turn(self, branch: QModelIndex, current: QModelIndex) -> None:
        self._tree.show_branch(branch)
        if current.isValid():
            self._tree.set_current(current)
            self._tree.reveal_index(current)
        self._tree.setFocus()

    def _show(self) -> None:
        """Say which branch is shown."""
        branch = self._tree.rootIndex()
        if branch.isValid():
            self._bar.line.set_text(f"Only {self._tree.tree_model.path(branch)}")
        self._bar.setVisible(branch.isValid())
        self.changed.emit()
