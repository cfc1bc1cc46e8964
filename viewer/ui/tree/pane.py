"""The tree with what lies over it."""

from __future__ import annotations

from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from viewer.ui.tree.base import TreeBase
from viewer.ui.tree.model import Column


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
        bar.setFixedWidth(max(1, self._tree.columnWidth(Column.NAME)))
        bar.setVisible(bar.maximum() > 0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The tree has the focus for the pane. A focus proxy would let Tab skip what lies beside it."""
        self._tree.setFocus(event.reason())
