"""The tree with what lies over it."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from viewer.ui.tree.view import TreeView


class TreePane(QWidget):
    """Holds the tree, and over it a bar where there is one.

    Args:
        tree: it has the focus of the pane.
    """

    def __init__(self, tree: TreeView) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(tree, 1)
        self.setFocusProxy(tree)

    def put_over(self, bar: QWidget) -> None:
        """Have a bar over the tree, which is hidden at first."""
        bar.hide()
        self._column.insertWidget(0, bar)
