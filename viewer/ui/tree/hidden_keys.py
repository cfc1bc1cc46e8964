"""Rows of keys that a game's profile calls of no use to a person: the tree leaves them out until they are asked for."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QTimer, Signal

from viewer.document.change import Change
from viewer.ui.session import Session
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView

MOST_HOLDERS, MOST_ROWS = 2000, 1000
"""So many open rows, and so many rows below each, are looked at."""


class HiddenKeys(QObject):
    """Hides rows of a tree. One that is selected elsewhere is shown, whatever it is.

    Args:
        session: knows what the profile says.
        tree: the rows.

    Attributes:
        shows_all: whether nothing is hidden.

    Signals:
        changed: other rows are hidden.
    """

    changed = Signal()

    def __init__(self, session: Session, tree: TreeView) -> None:
        super().__init__(tree)
        self._session, self._tree = session, tree
        self._hidden: list[QPersistentModelIndex] = []
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self.shows_all = False
        session.labels_changed.connect(self.refresh)
        session.changed.connect(self._follow)
        session.levels_changed.connect(self.refresh)
        session.selected.connect(self._show_selected)
        tree.tree_model.modelReset.connect(self._forget)
        tree.expanded.connect(self._hide_below)
        self.refresh()

    @property
    def count(self) -> int:
        """How many rows are hidden."""
        return len(self._hidden)

    def show_all(self, wanted: bool) -> None:
        """Show all rows, or leave those out again."""
        self.shows_all = wanted
        self.refresh()

    def refresh(self) -> None:
        """Hide what is to be hidden among the rows that are there now."""
        for index in self._hidden:
            if index.isValid():
                self._tree.setRowHidden(index.row(), index.parent(), False)
        self._hidden = []
        if self._hides:
            for holder in sorted(self._tree.expansion.open)[:MOST_HOLDERS]:
                self._hide_in(self._tree.tree_model.index_of_holder(holder))
        self.changed.emit()

    @property
    def _hides(self) -> bool:
        labels = self._session.labels
        return labels is not None and labels.hides and not self.shows_all and not self._tree.tree_model.is_filtered

    def _forget(self) -> None:
        """All rows become other ones, of which the view hides none, as with a filter and without it again."""
        self._hidden = []
        self._later.start()

    def _follow(self, change: Change) -> None:
        if change.structure and self._session.labels is not None:
            self.refresh()

    def _hide_below(self, index: QModelIndex) -> None:
        """A row was opened."""
        if self._hides and self._hide_in(index):
            self.changed.emit()

    def _hide_in(self, above: QModelIndex) -> bool:
        """Hide rows below one; whether there are any to be hidden."""
        model, labels, document = self._tree.tree_model, self._session.labels, self._tree.tree_model.shown_document
        spot = model.spot(above) if above.isValid() else None
        if labels is None or document is None or spot is None or spot.level is not None:
            return False
        if not labels.hides_in(document, spot.item):
            return False
        before, current = len(self._hidden), self._tree.currentIndex().siblingAtColumn(TreeColumn.NAME)
        for row in range(min(model.rowCount(above), MOST_ROWS)):
            index = model.index(row, 0, above)
            label = model.facts(index).label
            if label is not None and label.is_hidden and index != current and not self._tree.isRowHidden(row, above):
                self._tree.setRowHidden(row, above, True)
                self._hidden.append(QPersistentModelIndex(index))
        return len(self._hidden) > before

    def _show_selected(self, item: object) -> None:
        """What is selected is to be seen."""
        index = self._tree.currentIndex().siblingAtColumn(TreeColumn.NAME)
        if item is None or not index.isValid() or not self._tree.isRowHidden(index.row(), index.parent()):
            return
        self._tree.setRowHidden(index.row(), index.parent(), False)
        self._hidden = [each for each in self._hidden if each != QPersistentModelIndex(index)]
        self._tree.reveal_index(index)
        self.changed.emit()
