"""Walking: from row to row of the tree, with keys and by the names of the rows."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QModelIndex

from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.tree_rows import MOST_WALKED, TreeBase

TYPING_PAUSE = 1000
"""After so many milliseconds without a letter another name is begun."""


def current_row(view: TreeBase) -> QModelIndex:
    """The current row, by its first column."""
    return view.currentIndex().siblingAtColumn(TreeColumn.NAME)


def go_left(view: TreeBase) -> None:
    """Close the current row, or go to the one that it stands under."""
    index = current_row(view)
    if view.isExpanded(index) and view.tree_model.hasChildren(index):
        view.collapse(index)
    elif index.parent().isValid() and index.parent() != view.rootIndex():
        view.set_current(index.parent())


def go_right(view: TreeBase) -> None:
    """Open the current row, or go to the first one under it."""
    index = current_row(view)
    if not view.tree_model.hasChildren(index):
        return
    if view.isExpanded(index):
        view.set_current(view.tree_model.index(0, 0, index))
    else:
        view.expand(index)


def collapse_inside(view: TreeBase) -> None:
    """Close all rows under the current one, or under the one that it stands under."""
    index = current_row(view)
    view.collapse_all_under(index if view.tree_model.hasChildren(index) else index.parent())


class TypeAhead:
    """Goes to the rows whose names begin with what is typed."""

    def __init__(self) -> None:
        self._typed = ""
        self._typing = QElapsedTimer()

    def add(self, view: TreeBase, text: str) -> None:
        """Go to the next row in view of the tree whose name begins with what was typed."""
        paused = not self._typing.isValid() or self._typing.elapsed() > TYPING_PAUSE
        self._typing.start()
        self._typed = text if paused else self._typed + text
        start = current_row(view)
        row = _below(view, start) if len(self._typed) == 1 else start
        for _ in range(MOST_WALKED):
            if not row.isValid():
                return
            if view.tree_model.facts(row).name.casefold().startswith(self._typed.casefold()):
                view.set_current(row)
                return
            row = _below(view, row)
            if row == start:
                return


def _below(view: TreeBase, index: QModelIndex) -> QModelIndex:
    """The row below one, behind the last one the first."""
    below = view.indexBelow(index) if index.isValid() else QModelIndex()
    return below if below.isValid() else view.tree_model.index(0, 0, view.rootIndex())
