"""Filtering the tree while a person writes: looks in small steps, and shows the rows that are found."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent

from viewer.base.words import counted, grouped
from viewer.document.change import Change
from viewer.document.searching.query import Query, QueryError, SearchError, parse_query
from viewer.document.viewmodel.filtered_rows import FilteredRows
from viewer.ui.session import Session
from viewer.ui.tree.tree_filter_bar import FilterBar
from viewer.ui.tree.view import TreeView
from viewer.ui.tree.view_state import look, show_again
from viewer.variant.items import Item

if TYPE_CHECKING:
    from viewer.document.searching.row_search import FilterStep


PAUSE = 120
"""Milliseconds without a key before it begins to look."""
SLICE = 0.010
"""Seconds of looking before the window gets its turn."""
SHOWN_AFTER = 0.7
"""Seconds after which rows are shown although it still looks."""
MOST_OPENED = 2000
"""So many rows are opened: the window stands still meanwhile."""
MOST = 5000
"""So many rows are shown at most."""
UNREADABLE = "?"
NOTHING = "No row has “{}” in its name, type or value."


class TreeFilter(QObject):
    """Joins the bar, the search for rows, and the tree.

    An edit does not filter anew, so that no row goes away under the hand that changes it.

    Args:
        session: what is open.
        tree: whose rows are filtered.
        bar: where the person writes.

    Attributes:
        is_complete: whether all rows are found, or so many that it ends.

    Signals:
        closed: the filter is gone; the focus should go to the tree.
    """

    closed = Signal()

    def __init__(self, session: Session, tree: TreeView, bar: FilterBar) -> None:
        super().__init__(tree)
        self._session, self._tree, self._bar = session, tree, bar
        self._query = Query("")
        self._error = ""
        self._items: list[Item] = []
        self._rows: FilteredRows | None = None
        self._steps: Iterator[FilterStep] = iter(())
        self._progress = self._shown_at = 0.0
        self._is_cut = False
        self.is_complete = True
        self._opened: set[int] = set()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._begin)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)
        bar.edited.connect(self._read)
        bar.entered.connect(self._enter)
        bar.escaped.connect(self.clear)
        session.opened.connect(self._forget)
        session.changed.connect(self._on_changed)
        session.selected.connect(self._follow)
        tree.installEventFilter(self)
        over = tree.viewport().layout()
        assert over is not None
        over.addWidget(bar.nothing)

    def focus(self) -> None:
        """Show the bar and go there."""
        self._bar.show()
        self._bar.focus()

    def clear(self) -> None:
        """Show all rows again, what was selected among them, and hide the bar."""
        self._forget()
        self.closed.emit()

    def _forget(self) -> None:
        self._bar.line.clear()
        self._stop()
        self._query = Query("")
        self._show_items(None)
        self._bar.nothing.say("")  # also where other rows are shown already
        self._bar.hide()

    def _read(self, text: str) -> None:
        """Another text: look for it in a moment."""
        self._bar.sentence.say("")
        try:
            self._query, self._error = parse_query(text.strip()), ""
        except QueryError as error:
            self._error = str(error)
        self._stop()
        self.is_complete = bool(self._error)
        if self._error:
            self._bar.tell(UNREADABLE, is_bad=True)
        else:
            self._pause.start()

    def _enter(self) -> None:
        """Go to the first row; what cannot be read is said."""
        if self._error:
            self._bar.sentence.say(self._error)
            return
        if self._pause.isActive():
            self._pause.stop()
            self._begin()
        tree = self._tree
        first = self._first_found()
        if first.isValid() and not tree.currentIndex().isValid():
            tree.setCurrentIndex(first)
        if tree.tree_model.rowCount():
            tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _first_found(self) -> QModelIndex:
        model = self._tree.tree_model
        return model.index_of(self._items[0]) if self._items else model.index(0, 0)

    # Looking

    def _begin(self) -> None:
        document = self._session.document
        self._stop()
        self._items, self._is_cut, self._rows = [], False, None
        if document is None or self._query.is_empty:
            self._bar.tell("")
            self._show_items(None)
            return
        if document.task is not None:
            self.is_complete = False
            self._bar.tell("when the values are read")
            return
        from viewer.document.searching.row_search import filter_steps

        self.is_complete, self._progress, self._shown_at = False, 0.0, time.monotonic()
        self._steps = filter_steps(document, self._query)
        self._timer.start()
        self._work()

    def _stop(self) -> None:
        self._pause.stop()
        self._timer.stop()
        self._steps = iter(())
        self.is_complete = True

    def _work(self) -> None:
        try:
            goes_on = self._look()
        except SearchError as error:
            goes_on, self._error = False, str(error)
        if goes_on:
            return
        self._stop()
        self._show_items(self._items)
        if self._error:
            self._bar.tell(UNREADABLE, is_bad=True)
            self._bar.sentence.say(self._error)
        else:
            self._tell()

    def _look(self) -> bool:
        """Look a little further; whether there is more to look at.

        Raises:
            SearchError: the search takes too long.
        """
        until, before = time.monotonic() + SLICE, len(self._items)
        for step in self._steps:
            self._is_cut = len(self._items) + len(step.items) > MOST
            self._take(step.items[: MOST - len(self._items)])
            self._progress = step.progress
            if self._is_cut:
                break
            if time.monotonic() > until:
                self._show_meanwhile(len(self._items) > before)
                return True
        return False

    def _take(self, items: list[Item]) -> None:
        """More is found: the rows to be shown are made ready bit by bit; once shown they are not added to any more."""
        document = self._tree.tree_model.shown_document
        if self._rows is None and document is not None:
            self._rows = FilteredRows(document, self._items)
        self._items.extend(items)
        if self._rows is not None:
            self._rows.add(items)

    def _show_meanwhile(self, found_more: bool) -> None:
        """Rows are shown now and then while it looks: each time they are laid out anew."""
        if found_more and time.monotonic() - self._shown_at > SHOWN_AFTER:
            self._show_items(self._items)
            self._shown_at = time.monotonic()
        self._tell()

    def _tell(self) -> None:
        count = len(self._items)
        if not self.is_complete:
            self._bar.tell(f"{grouped(count)} … {self._progress:.0%}".replace("%", "\u202f%"))
        elif self._is_cut:
            self._bar.tell(f"the first {grouped(count)}, there are more")
        else:
            self._bar.tell(counted(count, "row") if count else "none", is_bad=not count)

    # Showing

    def _show_items(self, items: list[Item] | None) -> None:
        """Show these rows; those that stay keep their place on the screen."""
        tree, model = self._tree, self._tree.tree_model
        if model.rows is None or (items is None and not model.is_filtered):
            return
        tree.expansion.open -= self._opened
        self._opened.clear()
        seen = look(tree, model.rows)
        model.set_filter(None if items is None else self._ready(items))
        self._bar.nothing.say(NOTHING.format(self._query.text) if items is not None and not items else "")
        show_again(tree, seen, model.rows)
        if model.filtered is not None:
            self._open(model.filtered)
        if self._session.item is not None:
            tree.reveal(self._session.item)
            self._follow(self._session.item)

    def _ready(self, items: list[Item]) -> FilteredRows:
        """The rows of these items, which may be made already."""
        rows, self._rows = self._rows, None
        document = self._tree.tree_model.shown_document
        assert document is not None
        return rows if rows is not None else FilteredRows(document, items)

    def _follow(self, item: Item | None) -> None:
        """What is selected elsewhere may have no row here: then no other one looks as if it were selected."""
        tree = self._tree
        if item is not None and tree.tree_model.is_filtered and not tree.tree_model.index_of(item).isValid():
            tree.selectionModel().clear()

    def _open(self, rows: FilteredRows) -> None:
        """Open the rows above those found; where there are very many, above the first ones."""
        tree = self._tree
        wanted = set(rows.holders[:MOST_OPENED]) - tree.expansion.open
        tree.scheduleDelayedItemsLayout()  # rows opened before a layout are laid out in one go
        with QSignalBlocker(tree):  # thousands of rows: the tree is told at once instead of by each
            for holder in wanted:
                tree.expand(tree.tree_model.index_of_holder(holder))
        tree.expansion.open |= wanted
        tree.levels_changed()
        tree.executeDelayedItemsLayout()
        self._opened = wanted

    def _on_changed(self, change: Change) -> None:
        """The tree keeps the rows through an edit; where it could not, or the bytes are read anew, look again."""
        if self._query.is_empty or self._session.document is None:
            return
        if not change.structure:
            if not self.is_complete:
                self._timer.stop()
                self._pause.start()
            return
        self._opened.clear()
        rows = self._tree.tree_model.filtered
        if rows is None or not change.splices or not self.is_complete:
            self._begin()
        else:
            self._items = list(rows.items)
            self._open(rows)
            self._tell()

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if is_key and event.key() == Qt.Key.Key_Escape and self._bar.isVisible():  # type: ignore[attr-defined]
            self.clear()
            return True
        return super().eventFilter(watched, event)
