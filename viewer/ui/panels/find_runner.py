"""Searching in small steps: collects hits while the window stays alive, and knows which one is current."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.searching.query import LIMIT, Mode, Query, SearchError
from viewer.document.selection import SelectionAnchor, Spot
from viewer.document.splice import Splice
from viewer.ui.session import Session
from viewer.variant.items import Item

if TYPE_CHECKING:  # loaded with the first search
    from viewer.document.searching.search import SearchStep
    from viewer.document.viewmodel.found_places import FoundPlaces

SLICE = 0.010
"""Seconds of searching before the window gets its turn."""
BETWEEN = 0.1
"""Seconds between two announcements; each makes others paint."""
MANY = 64
"""After a change at more places nothing is kept of what was found before it."""
SETTLE = 150
"""Milliseconds without a change before the bytes are searched again."""


@dataclass(frozen=True, slots=True)
class InsideHit:
    """A place found in what is open inside a value.

    Args:
        spot: the deepest item there.
        span: its bytes, counted in the level's own.
    """

    spot: Spot
    span: Span


class FindRunner(QObject):
    """The hits of one query in the session's document.

    After a change the hits that it did not touch stay, and are replaced when a new search is through.

    Attributes:
        query: what is looked for.
        hits: the places found, in byte order, :data:`LIMIT` at most.
        inside: the places found in what is open inside values; they count behind those.
        index: which of all these is current, -1 for none.
        reached: all hits before this offset are known.
        is_complete: whether the search is through, or was stopped.
        is_stopped: whether a person stopped it, or it could not go on.
        skipped: texts that were not looked at.
        error: why it could not go on, empty where nothing is wrong.
        refused: why nothing is looked for although something was written, empty for none.
        generation: grows when hits are other ones instead of more.

    Signals:
        hits_changed: there are more or other hits, the search has come further, or another hit is current.
    """

    hits_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.query = Query("")
        self.hits: list[Span] = []
        self.inside: list[InsideHit] = []
        self.index = -1
        self.reached = 0
        self.is_complete = True
        self.is_stopped = False
        self.skipped = 0
        self.error = self.refused = ""
        self._scope: SelectionAnchor | None = None
        self._within: Span | None = None
        self.generation = 0
        self._fresh: list[Span] = self.hits
        self._steps: Iterator[SearchStep] = iter(())
        self._inner: Iterator[list[InsideHit]] = iter(())
        self._fresh_inside: list[InsideHit] = []
        self._holders: tuple[tuple[int, ...], list[int]] | None = None
        self._wanted = 0
        self._began = self._told = 0.0
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._work)
        self._idle = QTimer(self, singleShot=True, interval=SETTLE)
        self._idle.timeout.connect(self._begin)
        session.opened.connect(self._on_opened)
        session.changed.connect(self._on_changed)
        session.levels_changed.connect(self._on_levels)
        session.looked_inside.connect(self._on_levels)

    @property
    def current(self) -> Span | None:
        """The hit that the person stands on."""
        return self.hits[self.index] if 0 <= self.index < len(self.hits) else None

    @property
    def total(self) -> int:
        """How many places are known."""
        return len(self.hits) + len(self.inside)

    @property
    def is_cut(self) -> bool:
        """Whether there are more hits than are kept."""
        return self.total >= LIMIT

    @property
    def progress(self) -> float:
        """Share of the bytes that were searched, 0 to 1."""
        whole = self._within
        return max(0.0, (self.reached - whole.start) / len(whole)) if whole else 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since the running search began, 0 where none is running."""
        return 0.0 if self.is_complete else time.monotonic() - self._began

    def look_for(self, query: Query, refused: str = "") -> None:
        """Look for something else, or for nothing and say why; what is running is given up."""
        was, self.refused = self.refused, refused
        if query != self.query:
            self.query = query
            self.restart()
        elif refused != was:
            self.hits_changed.emit()

    @property
    def scope_path(self) -> str:
        """The path of the value that is searched, empty where it is the whole file."""
        return self._scope.path if self._scope is not None else ""

    @property
    def within(self) -> Span | None:
        """The bytes that are searched, None where there are none."""
        return self._within

    def set_scope(self, item: Item | None) -> None:
        """Look under one value only, None for the whole file."""
        document = self._session.document
        node = Item(item.frame, item.node) if item is not None and item.node >= 0 else None
        scope = SelectionAnchor.of(document, node) if document is not None and node is not None else None
        if scope != self._scope:
            self._scope = scope
            self.restart()

    def _find_scope(self) -> Span | None:
        """The bytes to be searched; a value that is gone is searched no more, but the whole file is."""
        document = self._session.document
        if document is None:
            return None
        item = self._scope.find(document) if self._scope is not None else None
        if item is None:
            self._scope = None
            return Span(0, len(document.buffer))
        return outline.span(document, item)

    def restart(self) -> None:
        """Drop all hits and look again from the first byte."""
        self._idle.stop()
        self.hits, self.inside, self.index, self._wanted = [], [], -1, 0
        self.generation += 1
        self._begin()
        self.hits_changed.emit()

    def _on_opened(self) -> None:
        self._scope = None
        self.restart()

    def stop(self) -> None:
        """Give a running search up; what it found stays."""
        if not self.is_complete:
            self._idle.stop()
            self._end(stopped=True)

    def step(self, direction: int) -> None:
        """Go to the next (1) or previous (-1) hit from the caret, around the end; as soon as one is known."""
        if not self.query.is_empty:
            self._wanted = direction
            self._go_when_known()

    def go(self, index: int) -> None:
        """Go to one of the hits."""
        if 0 <= index < len(self.hits):
            self.index, self._wanted = index, 0
            hit = self.hits[index]
            value = self._named_by(hit)
            if value is None:
                self._session.go_to(hit.start, hit)
            else:
                self._session.mark(None)
                self._session.select(value)
            self.hits_changed.emit()
        elif 0 <= index < self.total:
            self.index, self._wanted = index, 0
            self._session.select_spot(self.inside[index - len(self.hits)].spot)
            self.hits_changed.emit()

    @property
    def found(self) -> FoundPlaces | None:
        """The places for the rows of the tree; None where there are none."""
        document = self._session.document
        if document is None or not self.total:
            return None
        from viewer.document.viewmodel.found_places import FoundPlaces

        key = (id(document), document.revision, self.generation, len(self.inside))
        if self._holders is None or self._holders[0] != key:
            self._holders = key, sorted(self._holder_start(document, hit.spot) for hit in self.inside)
        inside = [(hit.spot.document, hit.span) for hit in self.inside]
        return FoundPlaces(self.hits, self.current, inside, self._holders[1])

    def _holder_start(self, document: Document, spot: Spot) -> int:
        return outline.span(document, self._session.inside.holder(spot)).start

    def _named_by(self, hit: Span) -> Item | None:
        """The value whose key or name a hit lies in: that is what a person looks for; None for all other hits."""
        document = self._session.document
        if document is None or self._session.waits or self.query.mode in (Mode.HEX, Mode.TYPE):
            return None
        item = outline.item_at(document, hit.start)
        if item is None or item.node < 0:
            return None
        value = outline.row_item(document, item)
        return value if value.node != item.node else None

    # From the caret

    def _go_when_known(self) -> None:
        if self._wanted and (self.is_complete or self._is_known(self._wanted)):
            direction, self._wanted = self._wanted, 0
            self.go(self._neighbour(direction))

    def _is_known(self, direction: int) -> bool:
        """Whether the hit to go to is known before the search is through, without going around the end."""
        caret, hits = self._session.caret, self.hits
        if not hits:
            return False
        if self._fresh is not hits:
            return True  # they are those from before a change
        return hits[-1].start > caret if direction > 0 else self.reached > caret > hits[0].start

    def _neighbour(self, direction: int) -> int:
        """Index of the hit before or behind the caret; -1 where there is no hit at all."""
        if not self.total:
            return -1
        caret = self._session.caret
        if self._is_on_inside() or self.is_on_value:
            return (self.index + direction) % self.total
        if direction < 0:
            place = bisect_left(self.hits, caret, key=_start) - 1
        elif self.current is not None and self.current.start == caret:
            place = bisect_right(self.hits, caret, key=_start)
        else:
            place = bisect_left(self.hits, caret, key=_start)
        return place % self.total

    def _is_on_inside(self) -> bool:
        """Whether the person stands on the current hit, and that lies inside a value."""
        number, spot = self.index - len(self.hits), self._session.spot
        return 0 <= number < len(self.inside) and spot is not None and spot == self.inside[number].spot

    @property
    def is_on_value(self) -> bool:
        """Whether the person stands on the value that the current hit names."""
        value = self._named_by(self.current) if self.current is not None else None
        return value is not None and self._session.item == value

    # Working

    def _begin(self) -> None:
        """Search from the first byte; hits that are there already stay until the search is through."""
        document = self._session.document
        self._timer.stop()
        self._steps, self._inner = iter(()), iter(())  # those of another document would hold its bytes
        self._fresh_inside = []
        if not self._session.waits:
            self._within = self._find_scope()
        self.reached, self.is_stopped = self._within.start if self._within else 0, False
        self.skipped, self.error = 0, ""
        self._fresh = [] if self.hits else self.hits
        self.is_complete = document is None or self.query.is_empty
        if document is not None and not self.is_complete:
            from viewer.document.searching.search import steps

            self._steps = steps(document, self.query, self._within)
            self._inner = self._steps_inside() if self._scope is None else iter(())
            self._began = self._told = time.monotonic()
            self._timer.start()

    def _work(self) -> None:
        try:
            self._search()
        except SearchError as error:
            self.error = str(error)
            self._end(stopped=True)

    def _search(self) -> None:
        until, before = time.monotonic() + SLICE, len(self._fresh)
        for step in self._steps:
            self._fresh.extend(hit.span for hit in step.hits)
            self.reached = step.reached
            self.skipped += step.skipped
            if len(self._fresh) >= LIMIT:
                del self._fresh[LIMIT:]
                self._inner = iter(())
                break
            if time.monotonic() > until:
                self._announce(is_first=not before and bool(self._fresh))
                return
        for found in self._inner:
            self._fresh_inside.extend(found[: LIMIT - len(self._fresh) - len(self._fresh_inside)])
            if time.monotonic() > until:
                self._announce(is_first=False)
                return
        self._end(stopped=False)

    def _steps_inside(self) -> Iterator[list[InsideHit]]:
        """What is found in the open levels; places whose bytes were found in the file already are left out."""
        from viewer.document.searching.search import steps

        for level in self._session.inside.all:
            document, start = level.document, level.start
            for step in steps(document, self.query):
                found: list[InsideHit] = []
                for hit in step.hits:
                    item = hit.item or outline.item_at(document, hit.span.start)
                    if item is not None and (start is None or not _holds(self._fresh, hit.span.shifted(start))):
                        found.append(InsideHit(Spot(document, item, level), hit.span))
                yield found

    def _announce(self, is_first: bool) -> None:
        self._go_when_known()
        if is_first or time.monotonic() - self._told > BETWEEN:
            self._told = time.monotonic()
            self.hits_changed.emit()

    def _end(self, stopped: bool) -> None:
        self._timer.stop()
        self._steps, self._inner = iter(()), iter(())
        self.is_complete, self.is_stopped = True, stopped
        if not stopped:
            self._take_fresh()
        self.generation += self.inside != self._fresh_inside
        self.inside = self._fresh_inside
        self._fresh = self.hits
        self._go_when_known()
        self.hits_changed.emit()

    def _take_fresh(self) -> None:
        """Let the hits of a search that ran behind older ones take their place; the current one stays current."""
        if self._fresh is self.hits:
            return
        kept, same = self.current, self._fresh == self.hits
        self.hits = self._fresh
        self.generation += not same
        place = bisect_left(self.hits, kept) if kept is not None else len(self.hits)
        self.index = place if place < len(self.hits) and self.hits[place] == kept else -1

    def _on_levels(self) -> None:
        """Something else is open inside values: look there, too."""
        if not self.query.is_empty:
            self.is_complete = False
            self._idle.start()

    def _on_changed(self, change: Change) -> None:
        """Keep what the change left where it was, and look again when changes have stopped."""
        self._timer.stop()
        if self._scope is not None:
            self._scope = self._scope.after(change.splices)
        if self.query.is_empty:
            return
        kept = self.current
        if self.inside:
            self.inside = []
            self.generation += 1
        if change.splices:
            self.hits = _left_by(self.hits, change.splices)
            self.generation += 1
            self.index = self.hits.index(kept) if kept in self.hits else -1
        self._began = time.monotonic()
        self._wanted, self.is_complete, self.is_stopped = 0, False, False
        self._idle.start()
        self.hits_changed.emit()


def _holds(hits: list[Span], span: Span) -> bool:
    """Whether a span is one of some in byte order."""
    place = bisect_left(hits, span)
    return place < len(hits) and hits[place] == span


def _start(span: Span) -> int:
    return span.start


def _left_by(hits: list[Span], splices: tuple[Splice, ...]) -> list[Span]:
    """The hits that no splice touches, where they lie afterwards; none where there are very many splices."""
    if len(splices) > MANY:
        return []
    for splice in splices:
        end = splice.offset + len(splice.removed)
        first = bisect_right(hits, splice.offset, key=_end)
        last = bisect_left(hits, end, key=_start)
        behind = hits[last:]
        hits = hits[:first] + ([hit.shifted(splice.growth) for hit in behind] if splice.growth else behind)
    return hits


def _end(span: Span) -> int:
    return span.end
