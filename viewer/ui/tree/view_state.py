"""A steady view: what was open, selected and on the screen is so again, after a change and when a person comes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QRect, QSignalBlocker

from viewer.base.record import dataclass, replace
from viewer.document.change import Change, joined_moves
from viewer.document.splice import Move, Splice
from viewer.document.viewmodel.nested_rows import NestedFollower, NestedRows
from viewer.document.viewmodel.rows import Place
from viewer.ui.tree.expansion import ExpansionChange
from viewer.ui.tree.tree_rows import TreeBase

Flag = QItemSelectionModel.SelectionFlag
MOST_SEEN = 200
MOST_SELECTED = 1000
"""So many selected rows are selected again after a change."""


@dataclass(frozen=True, slots=True)
class TreeStanding:
    """How a tree was left: the holders whose rows are open, how far it was scrolled, and the branch shown alone."""

    open: frozenset[int] = frozenset()
    scrolled: int = 0
    sideways: int = 0
    branch: Place | None = None


@dataclass(frozen=True, slots=True)
class SavedView:
    """What was on the screen before a change.

    Args:
        rows: the rows then.
        tops: the visible rows with their y coordinates, from the top down.
        current: the current row.
        scrolled: the scroll bar's value.
        selected: the selected rows where there are several.
        splices: what has changed since.
        moves: which of these bytes were only carried elsewhere.
        branch: the row whose branch was shown alone, None where all rows were shown.
    """

    rows: NestedRows
    tops: tuple[tuple[Place, int], ...]
    current: Place | None
    scrolled: int
    selected: tuple[Place, ...] = ()
    splices: tuple[Splice, ...] = ()
    moves: tuple[Move, ...] = ()
    branch: Place | None = None

    def after(self, change: Change) -> SavedView:
        """The same when more has changed."""
        return replace(self, splices=self.splices + change.splices, moves=joined_moves(self, change))


def standing(view: TreeBase) -> TreeStanding:
    """How a tree is now."""
    scrolled, sideways = view.verticalScrollBar().value(), view.sideways.value()
    return TreeStanding(frozenset(view.expansion.open), scrolled, sideways, _branch(view))


def _branch(view: TreeBase) -> Place | None:
    branch = view.rootIndex()
    return (branch.internalId(), branch.row()) if branch.isValid() else None


def stand(view: TreeBase, left: TreeStanding) -> None:
    """Open and scroll as the same rows were left."""
    rows = view.tree_model.rows
    if rows is None or not left.open:
        return
    view.expansion.open |= {holder for holder in left.open if rows.has(holder)}
    open_known(view)
    if left.branch is not None and rows.has_place(left.branch):
        view.show_branch(view.tree_model.index_at(left.branch))
    view.executeDelayedItemsLayout()
    view.verticalScrollBar().setValue(left.scrolled)
    view.names.bar.setValue(left.sideways)


def look(view: TreeBase, rows: NestedRows) -> SavedView:
    """What is on the screen."""
    current = view.currentIndex()
    place = (current.internalId(), current.row()) if current.isValid() else None
    rows_selected = view.selectionModel().selectedRows()
    selected = tuple((row.internalId(), row.row()) for row in rows_selected[:MOST_SELECTED] if len(rows_selected) > 1)
    tops, scrolled = tuple(_visible(view)), view.verticalScrollBar().value()
    return SavedView(rows, tops, place, scrolled, selected, branch=_branch(view))


def _visible(view: TreeBase) -> Iterator[tuple[Place, int]]:
    index = view.indexAt(view.viewport().rect().topLeft())
    for _ in range(MOST_SEEN):
        top = view.visualRect(index).top()
        if not index.isValid() or top >= view.viewport().height():
            return
        yield (index.internalId(), index.row()), top
        index = view.indexBelow(index)


def show_again(view: TreeBase, seen: SavedView, rows: NestedRows, goes: bool = False) -> None:
    """Open, select and scroll as it was before the rows became *rows*.

    Args:
        view: the tree.
        seen: what was on the screen.
        rows: what is shown now.
        goes: whether the change selects something else afterwards, so that taking it back leads back here.
    """
    follower = NestedFollower(seen.rows, rows, seen.splices, seen.moves)
    own, back = view.expansion.carry(follower, seen.splices)
    open_known(view)
    branch = follower.row(seen.branch) if seen.branch is not None else None
    if branch is not None:
        view.show_branch(view.tree_model.index_at(branch))
    current = follower.row(seen.current) if seen.current is not None else None
    own.hid = goes or (seen.current is not None and current is None)
    selected: Iterable[Place | None] = map(follower.row, seen.selected)
    tops = [(follower.row(place), y) for place, y in seen.tops]
    _keep(own, seen)
    if back is not None and back.current is not None and (back.hid or goes) and rows.has_place(back.current):
        current, selected = back.current, (place for place in back.selected if rows.has_place(place))
    if current is not None:  # the session then has no need to scroll to it
        view.set_current(view.tree_model.index_at(current))
    select(view, selected)
    view.executeDelayedItemsLayout()
    own.hid |= len(tops) > 0 and not _rect(view, tops[0][0]).isValid()
    if back is not None and back.hid and back.top is not None and rows.has_place(back.top[0]):
        tops = [back.top]
    own.hid |= not _scroll(view, tops, seen.scrolled)
    if back is not None and goes:
        _return(view, back, rows)


def show_same(view: TreeBase, seen: SavedView, rows: NestedRows, goes: bool = False) -> None:
    """Note a change that left all rows where they are; taking it back selects and scrolls as before it.

    Args:
        view, seen, rows, goes: as for :func:`show_again`.
    """
    own, back = view.expansion.note(rows, seen.splices)
    _keep(own, seen)
    if back is not None and goes and back.current is not None:
        view.set_current(view.tree_model.index_at(back.current))
        select(view, back.selected)
        _return(view, back, rows)


def _keep(step: ExpansionChange, seen: SavedView) -> None:
    """Let a step know what was seen before it."""
    step.top, step.current, step.selected = next(iter(seen.tops), None), seen.current, seen.selected


def _return(view: TreeBase, step: ExpansionChange, rows: NestedRows) -> None:
    """Scroll as it was when a step was done, where its current row is not to be seen."""
    if step.current is None or step.top is None or not rows.has_place(step.current) or not rows.has_place(step.top[0]):
        return
    rect = _rect(view, step.current)
    if not rect.isValid() or rect.top() < 0 or rect.bottom() >= view.viewport().height():
        _scroll(view, [step.top], view.verticalScrollBar().value())


def select(view: TreeBase, places: Iterable[Place | None]) -> None:
    """Select more rows; the current one stays what it is."""
    chosen = QItemSelection()
    for place in places:
        if place is not None:
            index = view.tree_model.index_at(place)
            chosen.select(index, index)
    view.selectionModel().select(chosen, Flag.Select | Flag.Rows)


def open_known(view: TreeBase) -> None:
    """Open the rows of which :attr:`expansion` already knows."""
    with QSignalBlocker(view):
        for holder in view.expansion.open:
            view.expand(view.tree_model.index_of_holder(holder))
    view.levels_changed()


def _rect(view: TreeBase, place: Place | None) -> QRect:
    """A row in the viewport, invalid where it is gone or stands under a closed one."""
    return view.row_rect(view.tree_model.index_at(place)) if place is not None else QRect()


def _scroll(view: TreeBase, tops: Iterable[tuple[Place | None, int]], scrolled: int) -> bool:
    """Bring the first of the rows that is shown to its y coordinate; without one, scroll as far as before.

    Returns:
        Whether there are enough rows below it for that.
    """
    bar = view.verticalScrollBar()
    bar.setValue(scrolled)
    for place, y in tops:
        rect = _rect(view, place)
        if rect.isValid():
            bar.setValue(bar.value() + rect.top() - y)
            return _rect(view, place).top() == y
    return True
