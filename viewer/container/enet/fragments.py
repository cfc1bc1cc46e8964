"""Putting fragments together; what they state of the whole is believed only once all of it is there."""

from __future__ import annotations

from typing import NamedTuple

from viewer.base.record import dataclass
from viewer.container.enet.protocol import EnetCommand, EnetFragment
from viewer.container.wire import Captured

MOST_UNRELIABLE = 64
"""Packets that are still waited for; of what may never come, only the newest."""
MOST_RELIABLE = 1024
MOST_BYTES = 1 << 26
"""Bytes that wait for others, in one direction of a connection."""
FAR = 1 << 14
"""A sequence number so far behind the newest does not come any more."""

Key = tuple[int, int, int]
"""Channel, first sequence, and for unreliable fragments the sequence of the head, else 0."""


class HeldFragment(NamedTuple):
    """A fragment that waits for the others: its place in the whole, its bytes, and the frame that brought it."""

    offset: int
    data: bytes
    frame: int


@dataclass(frozen=True, slots=True)
class JoinedPiece:
    """A fragment in what was joined: its number from 0 on, where its bytes start and end there, and its frame."""

    number: int
    start: int
    end: int
    frame: int


class FragmentGroup:
    """The fragments of one packet.

    Attributes:
        command: the latest, in the bytes of *last*.
        count, total: how many there are and how many bytes they make, as the first one stated.
        last: what brought the latest fragment.
    """

    __slots__ = ("_held", "command", "count", "last", "size", "total")

    def __init__(self, fragment: EnetFragment, command: EnetCommand, captured: Captured) -> None:
        self.command = command
        self.count = fragment.pieces
        self.total = fragment.total
        self.last = captured
        self.size = 0
        self._held: dict[int, HeldFragment] = {}

    @property
    def complete(self) -> bool:
        """Whether every fragment was seen."""
        return len(self._held) >= self.count

    def fits(self, fragment: EnetFragment) -> bool:
        """Whether a fragment says the same of the whole, and is new."""
        return fragment.pieces == self.count and fragment.total == self.total and fragment.number not in self._held

    def add(self, fragment: EnetFragment, data: bytes, command: EnetCommand, captured: Captured) -> None:
        """Take a fragment that :meth:`fits`."""
        self._held[fragment.number] = HeldFragment(fragment.offset, data, captured.number)
        self.size += len(data)
        self.command = command
        self.last = captured

    def joined(self) -> tuple[bytes, tuple[JoinedPiece, ...]]:
        """The bytes without a hole: from the first fragment there is to the first that is missing."""
        pieces: list[JoinedPiece] = []
        out = bytearray()
        before: HeldFragment | None = None
        for number in sorted(self._held):
            held = self._held[number]
            if before is not None and (
                number != pieces[-1].number + 1 or held.offset != before.offset + len(before.data)
            ):
                break
            pieces.append(JoinedPiece(number, len(out), len(out) + len(held.data), held.frame))
            out += held.data
            before = held
        return bytes(out), tuple(pieces)

    def trouble(self, joined: bytes) -> str:
        """What is wrong with it, in a sentence; empty where all of it is there."""
        absent = self.count - len(self._held)
        if not absent:
            return "" if len(joined) == self.total else "The fragments do not fit together."
        if absent > 1:
            return f"{absent} of {self.count} fragments are missing, fragment {self._first_absent() + 1} is the first."
        return f"Fragment {self._first_absent() + 1} of {self.count} is missing."

    def _first_absent(self) -> int:
        number = 0
        while number in self._held:
            number += 1
        return number


class EnetReassembly:
    """The packets of one direction of a connection that are not whole yet.

    Args:
        most: so many packets are waited for.
    """

    __slots__ = ("_groups", "_most", "_size")

    def __init__(self, most: int) -> None:
        self._most = most
        self._groups: dict[Key, FragmentGroup] = {}
        self._size = 0

    def add(
        self, key: Key, fragment: EnetFragment, data: bytes, command: EnetCommand, captured: Captured
    ) -> list[FragmentGroup]:
        """Take a fragment; the groups that are done with, whole or given up."""
        done = []
        group = self._groups.get(key)
        if group is not None and not group.fits(fragment):
            done.append(self._take(key))  # the number came round, and means another packet
            group = None
        if group is None:
            done += self._outdated(key)
            group = self._groups[key] = FragmentGroup(fragment, command, captured)
        group.add(fragment, data, command, captured)
        self._size += len(data)
        if group.complete:
            done.append(self._take(key))
        while self._size > MOST_BYTES:
            done.append(self._take(next(iter(self._groups))))
        return done

    def give_up(self) -> list[FragmentGroup]:
        """All that is still waited for."""
        left = list(self._groups.values())
        self._groups.clear()
        self._size = 0
        return left

    def _take(self, key: Key) -> FragmentGroup:
        group = self._groups.pop(key)
        self._size -= group.size
        return group

    def _outdated(self, key: Key) -> list[FragmentGroup]:
        """The oldest groups, where a new one makes too many or shows that they are long past."""
        done = []
        while self._groups:
            oldest = next(iter(self._groups))
            past = oldest[0] == key[0] and FAR <= (key[1] - oldest[1] & 0xFFFF) < 0x10000 - FAR
            if len(self._groups) < self._most and not past:
                break
            done.append(self._take(oldest))
        return done
