"""Opening the tree to a level: all rows above it are open, all others closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QModelIndex, QSignalBlocker

from viewer.base.words import grouped
from viewer.ui.tree.tree_rows import MOST_EXPANDED
from viewer.ui.tree.view import TreeView

LEVELS = 4
FEW = 3
"""Where there are no more top rows than these, they stay open when all is closed, as when a file is opened."""
MORE = f"There are more than {grouped(MOST_EXPANDED)} rows to open: the rest stays closed."


def slots(tree: TreeView, say: Callable[[str], None]) -> dict[str, Callable[[], object]]:
    """What each action for the levels does, by its name; *say* is told where some rows stay closed."""
    found: dict[str, Callable[[], object]] = {
        f"expand_{level}": partial(_expand_and_say, tree, level, say) for level in range(1, LEVELS + 1)
    }
    return found | {"collapse_all": partial(collapse_all, tree)}


def _expand_and_say(tree: TreeView, levels: int, say: Callable[[str], None]) -> None:
    if not expand_to(tree, levels):
        say(MORE)


def expand_to(tree: TreeView, levels: int) -> bool:
    """Open the rows of the first *levels* levels and close all others; False where some of those stay closed."""
    current = tree.currentIndex().siblingAtColumn(0)
    wanted, all_open = _holders(tree, levels)
    _open_only(tree, wanted)
    _keep_in_view(tree, current)
    return all_open


def collapse_all(tree: TreeView) -> None:
    """Close all rows; a few top ones stay open, or nothing would be left to see."""
    expand_to(tree, 1 if tree.tree_model.rowCount() <= FEW else 0)


def _holders(tree: TreeView, levels: int) -> tuple[set[int], bool]:
    """The holders of the rows to be open, the upper ones first, and whether these are all."""
    model, shown = tree.tree_model, 0
    level, wanted = [tree.rootIndex()], set[int]()
    for _ in range(levels):
        below: list[QModelIndex] = []
        for parent in level:
            for row in range(model.rowCount(parent)):
                index = model.index(row, 0, parent)
                if not model.hasChildren(index):
                    continue
                shown += model.rowCount(index)
                if shown > MOST_EXPANDED and wanted:
                    return wanted, False
                wanted.add(model.holder(index))
                below.append(index)
        level = below
    return wanted, True


def _open_only(tree: TreeView, wanted: set[int]) -> None:
    """Open the rows of these holders and close all others."""
    model, opened = tree.tree_model, set(tree.expansion.open)
    tree.scheduleDelayedItemsLayout()  # rows opened before a layout are laid out in one go
    with QSignalBlocker(tree):
        for holder in opened - wanted:
            tree.collapse(model.index_of_holder(holder))
        for holder in wanted - opened:
            tree.expand(model.index_of_holder(holder))
    tree.expansion.lent.clear()
    tree.expansion.open.clear()
    tree.expansion.open.update(wanted)
    tree.levels_changed()
    tree.executeDelayedItemsLayout()


def _keep_in_view(tree: TreeView, current: QModelIndex) -> None:
    """Make the lowest row above the current one that is still to be seen the current one, and scroll to it."""
    line = [current]
    while line[-1].isValid():
        line.append(line[-1].parent())
    target = current
    for index in reversed(line[1:-1]):
        target = index
        if not tree.isExpanded(index):
            break
    else:
        target = current
    if target.isValid():
        if target != current:
            tree.set_current(target)
        tree.scrollTo(target)
