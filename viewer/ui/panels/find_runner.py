"""Searching in small steps: collects hits while the window stays alive, and knows which one is current."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.document.search import LIMIT, Hit, Query, steps
from viewer.span import Span
from viewer.ui.session import Session

SLICE = 0.008


class FindRunner(QObject):
    """The hits of one query in the session's document.

    Signals:
        hits_changed: there are more or other hits, or another one is current.
    """

    hits_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.query = Query("")
        self.hits: list[Span] = []
        self.index = -1
        self.is_complete = True
        self._steps: Iterator[list[Hit]] = iter(())
        self._wanted = 0
        self._kept: Span | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        session.opened.connect(self.restart)
        session.changed.connect(self.restart)

    @property
    def current(self) -> Span | None:
        """The hit that the person stands on."""
        return self.hits[self.index] if 0 <= self.index < len(self.hits) else None

    @property
    def is_cut(self) -> bool:
        """Whether there are more hits than are kept."""
        return len(self.hits) >= LIMIT

    def look_for(self, query: Query) -> None:
        """Look for something else."""
        if query != self.query:
            self.query = query
            self.restart()

    def restart(self, *_: object) -> None:
        """Look again from the first byte."""
        document = self._session.document
        had = bool(self.hits)
        kept = self.current
        self.hits, self.index, self._wanted = [], -1, 0
        self.is_complete = document is None or self.query.is_empty
        self._timer.stop()
        if document is not None and not self.query.is_empty:
            self._steps = steps(document, self.query)
            self._kept = kept
            self._timer.start()
        elif had:
            self.hits_changed.emit()

    def step(self, direction: int) -> None:
        """Go to the next (1) or previous (-1) hit from the caret, around the end; as soon as one is known."""
        if not self.query.is_empty:
            self._wanted = direction
            if self.is_complete or (direction > 0 and self._next_is_known()):
                self._go()

    def _next_is_known(self) -> bool:
        return bool(self.hits) and self.hits[-1].start > self._session.caret

    def _go(self) -> None:
        direction, self._wanted = self._wanted, 0
        if not self.hits:
            return
        starts = [hit.start for hit in self.hits]
        caret = self._session.caret
        if direction > 0:
            on_hit = self.current is not None and self.current.start == caret
            place = bisect_right(starts, caret) if on_hit else bisect_left(starts, caret)
        else:
            place = bisect_left(starts, caret) - 1
        self.index = place % len(self.hits)
        hit = self.hits[self.index]
        self._session.go_to(hit.start, hit)
        self.hits_changed.emit()

    def _step(self) -> None:
        until = time.monotonic() + SLICE
        before = len(self.hits)
        for found in self._steps:
            self.hits.extend(hit.span for hit in found)
            if len(self.hits) >= LIMIT:
                del self.hits[LIMIT:]
                break
            if time.monotonic() > until:
                self._announce(before)
                return
        self._timer.stop()
        self.is_complete = True
        self._announce(-1)

    def _announce(self, before: int) -> None:
        if self._kept is not None and self._kept in self.hits[max(0, before) :]:
            self.index = self.hits.index(self._kept)
            self._kept = None
        if self._wanted and (self.is_complete or (self._wanted > 0 and self._next_is_known())):
            self._go()
        elif len(self.hits) != before:
            self.hits_changed.emit()
