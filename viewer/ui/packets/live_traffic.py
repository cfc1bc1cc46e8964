"""Live traffic: what a listening thread hears is fetched by a timer, a little at a time, and put into a list."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.base.record import dataclass, replace
from viewer.container.wire import Captured, Endpoint
from viewer.document.packets.live import TrafficCounts

EVERY = 100
"""Milliseconds between two looks at what came."""
SLICE = 0.02
"""Seconds that one look may take."""
AT_ONCE = 200
"""Records that are taken up between two looks at the clock."""


class RecordQueue(Protocol):
    """Where records wait to be fetched."""

    def drain(self, most: int = ...) -> list[Captured]:
        """Fetch the oldest ones, *most* of them, without waiting."""

    @property
    def counts(self) -> TrafficCounts:
        """How many it has seen, and how many of them were dropped."""


class TrafficListener(Protocol):
    """What listens."""

    @property
    def inbox(self) -> RecordQueue:
        """Where the records wait."""

    @property
    def address(self) -> Endpoint:
        """Where it listens."""

    @property
    def problem(self) -> str:
        """What went wrong while it ran, in one sentence; empty for nothing."""

    def stop(self) -> None:
        """Stop; what was heard can still be fetched."""


Take = Callable[[Sequence[Captured]], object]
"""Puts records into a list of packets."""


@dataclass(frozen=True, slots=True)
class RecordingRequest:
    """What is to be recorded.

    Args:
        host, port: where to listen.
        server: whom to forward to; None where nothing is forwarded.
    """

    host: str
    port: int
    server: Endpoint | None = None


@dataclass(frozen=True, slots=True)
class LiveState:
    """How recording goes.

    Args:
        label: what is listened to, in words; empty where nothing is or was.
        is_running: whether it still is.
        packets: how many records were taken up.
        dropped: how many could not be, because too many came at once.
        problem: what went wrong, in a sentence.
    """

    label: str = ""
    is_running: bool = False
    packets: int = 0
    dropped: int = 0
    problem: str = ""


class LiveTraffic(QObject):
    """Keeps a list growing with what an ear hears.

    Signals:
        grew: the list has more packets.
        changed: the state is another one.
    """

    grew = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = LiveState()
        self.wanted: RecordingRequest | None = None
        self._ear: TrafficListener | None = None
        self._take: Take | None = None
        self._timer = QTimer(self, interval=EVERY)
        self._timer.timeout.connect(self.look)

    def start(self, wanted: RecordingRequest, ear: TrafficListener, take: Take) -> None:
        """Fetch what an ear hears from now on; one that was there is stopped."""
        self.stop()
        self._ear, self._take, self.wanted = ear, take, wanted
        self._say(LiveState(_label(ear, wanted), True))
        self._timer.start()

    def stop(self) -> None:
        """Stop, and take up what was heard; the packets stay."""
        ear, self._ear = self._ear, None
        if ear is None:
            return
        self._timer.stop()
        ear.stop()
        self._fetch(ear, None)
        counts = ear.inbox.counts
        self._say(replace(self.state, is_running=False, dropped=counts.dropped, problem=ear.problem))

    def put_into(self, take: Take) -> None:
        """Put what comes from now on into another list, which has what came before."""
        if self._take is not None:
            self._take = take

    def count_anew(self) -> None:
        """The list was emptied."""
        self._say(replace(self.state, packets=0))

    def end(self) -> None:
        """Stop, and have nothing to say any more."""
        self.stop()
        self.wanted = self._take = None
        self._say(LiveState())

    def look(self) -> None:
        """Take up what came."""
        ear = self._ear
        if ear is None:
            return
        self._fetch(ear, time.monotonic() + SLICE)
        state = replace(self.state, dropped=ear.inbox.counts.dropped, problem=ear.problem)
        if state != self.state:
            self._say(state)

    def _fetch(self, ear: TrafficListener, until: float | None) -> None:
        assert self._take is not None
        fetched = 0
        while records := ear.inbox.drain(AT_ONCE):
            self._take(records)
            fetched += len(records)
            if until is not None and time.monotonic() > until:
                break
        if fetched:
            self._say(replace(self.state, packets=self.state.packets + fetched))
            self.grew.emit()

    def _say(self, state: LiveState) -> None:
        self.state = state
        self.changed.emit()


def _label(ear: TrafficListener, wanted: RecordingRequest) -> str:
    if wanted.server is None:
        return f"Listening on {ear.address.label}"
    return f"Forwarding {ear.address.label} to {wanted.server.label}"
