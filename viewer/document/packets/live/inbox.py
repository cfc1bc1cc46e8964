"""Inbox: where a listening thread puts what it hears, and where the owner fetches it. It never grows beyond a bound."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from threading import Condition

from viewer.base.record import dataclass
from viewer.container.wire import Captured

MOST_PACKETS = 50_000
MOST_BYTES = 1 << 26


@dataclass(frozen=True, slots=True)
class TrafficCounts:
    """What an inbox has seen so far.

    Args:
        heard: packets that came in.
        dropped: those of them that nobody fetched in time; the oldest go first.
        waiting: those that are still to be fetched.
    """

    heard: int
    dropped: int
    waiting: int


class Inbox:
    """A queue between two threads.

    Args:
        most_packets, most_bytes: what it holds at most; what is older is dropped.
    """

    def __init__(self, most_packets: int = MOST_PACKETS, most_bytes: int = MOST_BYTES) -> None:
        self._most_packets = most_packets
        self._most_bytes = most_bytes
        self._waiting: deque[Captured] = deque()
        self._bytes = 0
        self._heard = 0
        self._dropped = 0
        self._changed = Condition()

    def put(self, arrived: Sequence[Captured]) -> None:
        """Add packets, in order."""
        with self._changed:
            self._waiting.extend(arrived)
            self._heard += len(arrived)
            self._bytes += sum(len(each.data) for each in arrived)
            while len(self._waiting) > self._most_packets or (
                self._bytes > self._most_bytes and len(self._waiting) > 1
            ):
                self._bytes -= len(self._waiting.popleft().data)
                self._dropped += 1
            self._changed.notify_all()

    def drain(self, most: int | None = None) -> list[Captured]:
        """Fetch the oldest packets, *most* of them or all, without waiting."""
        with self._changed:
            found = list(islice(self._waiting, most))
            if len(found) == len(self._waiting):
                self._waiting.clear()
            else:
                for _ in found:
                    self._waiting.popleft()
            self._bytes -= sum(len(each.data) for each in found)
            return found

    def wait(self, seconds: float) -> bool:
        """Wait until there is something to fetch; whether there is."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._waiting), seconds)

    @property
    def counts(self) -> TrafficCounts:
        """What it has seen so far."""
        with self._changed:
            return TrafficCounts(self._heard, self._dropped, len(self._waiting))
