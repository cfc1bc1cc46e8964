"""A child: the same with a plain QTreeView over a model without pages. Argument: how many children."""

from __future__ import annotations

import sys
from time import process_time
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QTreeView

from bench.child import report
from bench.window.stage import SIZE, SLEEPING, Painted, main_application

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
TOP, CHILD = 0, 1


class PlainModel(QAbstractItemModel):
    """One row with so many rows under it, doing as little as a model can."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def index(self, row: int, column: int, parent: Index = NO_INDEX) -> QModelIndex:
        return self.createIndex(row, column, CHILD if parent.isValid() else TOP)

    def parent(self, index: Index = NO_INDEX) -> QModelIndex:  # type: ignore[override]
        return self.createIndex(0, 0, TOP) if index.internalId() == CHILD else QModelIndex()

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        if not parent.isValid():
            return 1
        return self._count if parent.internalId() == TOP else 0

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 1

    def hasChildren(self, parent: Index = NO_INDEX) -> bool:
        return not parent.isValid() or parent.internalId() == TOP

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return f"[{index.row()}]" if role == Qt.ItemDataRole.DisplayRole else None


def main() -> None:
    """Open the row once."""
    app = main_application()
    tree, model = QTreeView(), PlainModel(int(sys.argv[1]))
    tree.setUniformRowHeights(True)
    tree.setModel(model)
    tree.resize(SIZE)
    painted = Painted(tree)
    tree.show()
    while not painted.count:
        app.processEvents()
    painted.count = 0
    start = process_time()
    tree.expand(model.index(0, 0))
    while not painted.count:
        app.processEvents(SLEEPING)
    report({"seconds": [process_time() - start]})


if __name__ == "__main__":
    main()
