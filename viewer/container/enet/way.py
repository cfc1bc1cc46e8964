"""One direction between two ends: datagrams come in, payloads go out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from viewer.base.diagnostic import count_bytes
from viewer.container.enet.checksum import Check, connect_id_of
from viewer.container.enet.commands import ACKNOWLEDGE, ACKNOWLEDGED, FRAGMENTS, Command, Fragment, fragment_at
from viewer.container.enet.copies import Copies
from viewer.container.enet.datagram import Datagram, Habit, read_datagram, read_known
from viewer.container.enet.fragments import MOST_RELIABLE, MOST_UNRELIABLE, Fragments, Group
from viewer.container.enet.header import NOBODY
from viewer.container.enet.notes import control_note
from viewer.container.enet.place import EnetPlace
from viewer.container.wire import Captured, Delivery, Endpoint, Payload

CONTROL = "ENet"
FRESH = 60 * 10**9
"""Nanoseconds in which the clock of two bytes does not come round."""


class Lane:
    """One connection in one direction: the receiver's slot for the sender, and the use of that slot."""

    __slots__ = ("copies", "reliable", "unreliable")

    def __init__(self) -> None:
        self.copies = Copies()
        self.reliable = Fragments(MOST_RELIABLE)
        self.unreliable = Fragments(MOST_UNRELIABLE)

    def give_up(self) -> list[Group]:
        """All that still waits for fragments; nothing is waited for any more."""
        return self.reliable.give_up() + self.unreliable.give_up()

    def start_again(self) -> list[Group]:
        """Forget all, for another connection; what still waited for fragments."""
        self.copies = Copies()
        return self.give_up()


class Seen(NamedTuple):
    """A datagram at work: what brought it, what was read, how, and whether its checksum is right."""

    captured: Captured
    datagram: Datagram
    habit: Habit
    check: Check | None
    lane: Lane


Watch = Callable[[Captured, Datagram, Command], None]
"""Told of each command that concerns the whole connection, and of each new fragment."""


class Way:
    """The datagrams from one end to another.

    Args:
        source: the end that sends.
        watch: is told of what concerns the connection.
    """

    __slots__ = ("_guess", "_habit", "_ids", "_lanes", "_late", "_proven", "_sent", "_watch", "back", "source")

    def __init__(self, source: Endpoint, watch: Watch) -> None:
        self.source = source
        self._watch = watch
        self._habit = Habit()
        self._proven = False
        self._lanes: dict[int, Lane] = {}
        self._ids: dict[int, bytes] = {}
        self._guess: dict[int, bytes] = {}
        self._sent: dict[int, int] = {}
        self._late: list[Payload] = []
        self.back: Way = self
        """The other direction."""

    def take(self, captured: Captured) -> list[Payload]:
        """The payloads that a datagram brings or completes."""
        seen = self._read(captured)
        header = seen.datagram.header
        if header is not None and header.sent is not None:
            self._sent[header.sent] = captured.time
        payloads, self._late = self._late, []
        for command in seen.datagram.commands:
            if command.kind.number in FRAGMENTS:
                self._fragment(seen, command, payloads)
            elif command.kind.carrier:
                payloads.append(self._whole(seen, command))
            else:
                payloads.append(self._control(seen, command))
        if seen.datagram.problem:
            payloads.append(_damaged(seen))
        return payloads

    def finish(self) -> list[Payload]:
        """What never became whole; nothing is waited for any more."""
        self._give_up([group for lane in self._lanes.values() for group in lane.give_up()])
        late, self._late = self._late, []
        return late

    def know_id(self, peer: int, connect_id: bytes) -> None:
        """A connection to the slot *peer* begins: what was sent to that slot before is another matter."""
        if self._ids.get(peer) != connect_id:
            self._ids[peer] = connect_id
            self.start_again(peer)

    def start_again(self, peer: int | None = None) -> None:
        """Forget what was sent to the slot *peer*, or to all of them."""
        for number, lane in self._lanes.items():
            if peer is None or number & NOBODY == peer:
                self._give_up(lane.start_again())

    def _give_up(self, groups: list[Group]) -> None:
        self._late += [_of_group(group, self._habit, None) for group in groups]

    # Reading

    def _read(self, captured: Captured) -> Seen:
        datagram = read_known(captured.data, self._habit) if self._proven else read_datagram(captured.data, self._habit)
        if datagram.strict:
            self._proven = True
            if datagram.summed is not self._habit.summed or datagram.algorithm not in (None, self._habit.algorithm):
                self._habit = Habit(datagram.summed, datagram.algorithm or self._habit.algorithm)
        lane_number = datagram.header.lane if datagram.header else 0
        lane = self._lanes.get(lane_number)
        if lane is None:
            lane = self._lanes[lane_number] = Lane()
        return Seen(captured, datagram, self._habit, self._check(datagram), lane)

    def _check(self, datagram: Datagram) -> Check | None:
        """What is known of the checksum; without a connect id, two datagrams that imply the same one prove it."""
        if datagram.checksum is None or datagram.header is None:
            return None
        peer = datagram.header.peer
        check = datagram.check(self._ids.get(peer))
        if check is not Check.OPEN:
            return check
        header = datagram.data[: datagram.header.size]
        implied = connect_id_of(header, datagram.checksum, datagram.body[datagram.at :])
        if self._guess.get(peer) == implied:
            self._ids[peer] = implied
            return Check.RIGHT
        self._guess[peer] = implied
        return check

    # Payloads

    def _whole(self, seen: Seen, command: Command) -> Payload:
        captured, datagram, habit, check, lane = seen
        body = datagram.body
        again = lane.copies.again(body[command.start : command.end])
        return Payload(
            captured.number,
            captured.time,
            captured.source,
            captured.target,
            command.kind.carrier,
            body[command.data : command.end],
            Delivery.COPY if again else Delivery.WHOLE,
            command.channel,
            "Sent again." if again else "",
            (),
            EnetPlace(captured, habit, command.start, check),
        )

    def _control(self, seen: Seen, command: Command) -> Payload:
        captured, datagram, habit, check, lane = seen
        data = datagram.body[command.start : command.end]
        answered = None
        again = False
        if command.kind.number == ACKNOWLEDGE:
            answered = self.back.answered_after(int.from_bytes(data[-2:], "big"), captured.time)
        else:
            self._watch(captured, datagram, command)  # before all else: it may start the lane again
            again = lane.copies.again(data)
        note = control_note(datagram.body, command, answered)
        return Payload(
            captured.number,
            captured.time,
            captured.source,
            captured.target,
            CONTROL,
            data,
            Delivery.CONTROL,
            None if command.channel == 0xFF else command.channel,
            f"{note}, sent again" if again else note,
            (),
            EnetPlace(captured, habit, command.start, check),
        )

    def answered_after(self, clock: int, time: int) -> int | None:
        """Nanoseconds from the datagram that was sent when the sender's clock said *clock* to *time*."""
        sent = self._sent.get(clock)
        return time - sent if sent is not None and 0 <= time - sent < FRESH else None

    def _fragment(self, seen: Seen, command: Command, payloads: list[Payload]) -> None:
        captured, datagram, habit, check, lane = seen
        body = datagram.body
        fragment = fragment_at(body, command)
        data = body[command.data : command.end]
        if lane.copies.again(body[command.start : command.end]):
            note = f"Fragment {fragment.number + 1} of {fragment.pieces}, sent again."
            payloads.append(_piece(seen, command, data, Delivery.COPY, note))
            return
        if not _sound(fragment):
            note = "The fragment contradicts itself, and ENet breaks the connection off."
            payloads.append(_piece(seen, command, data, Delivery.INCOMPLETE, note))
            return
        self._watch(captured, datagram, command)
        waiting = lane.reliable if command.flags & ACKNOWLEDGED else lane.unreliable
        key = (command.channel, fragment.first, 0 if command.flags & ACKNOWLEDGED else command.sequence)
        for group in waiting.add(key, fragment, data, command, captured):
            payloads.append(_of_group(group, habit, check))


def _sound(fragment: Fragment) -> bool:
    """Whether the numbers of a fragment can be true together."""
    return fragment.number < fragment.pieces and fragment.offset + fragment.length <= fragment.total


def _piece(seen: Seen, command: Command, data: bytes, delivery: Delivery, note: str) -> Payload:
    captured = seen.captured
    place = EnetPlace(captured, seen.habit, command.start, seen.check)
    ends = captured.source, captured.target
    return Payload(
        captured.number, captured.time, *ends, command.kind.carrier, data, delivery, command.channel, note, (), place
    )


def _damaged(seen: Seen) -> Payload:
    """What follows the last good command."""
    captured, datagram = seen.captured, seen.datagram
    cutting = datagram.cutting
    note = cutting.problem
    if captured.missing:
        note += f" The capture left out {count_bytes(captured.missing)}."
    broken = cutting.broken
    if broken is not None:
        return _piece(seen, broken, datagram.body[broken.data : broken.end], Delivery.INCOMPLETE, note)
    place = EnetPlace(captured, seen.habit, cutting.end, seen.check)
    rest = datagram.body[cutting.end :]
    ends = captured.source, captured.target
    return Payload(captured.number, captured.time, *ends, CONTROL, rest, Delivery.CONTROL, None, note, (), place)


def _of_group(group: Group, habit: Habit, check: Check | None) -> Payload:
    """What was put together; the joined layer tells which frame brought which bytes."""
    data, pieces = group.joined()
    trouble = group.trouble(data)
    captured, command = group.last, group.command
    place = EnetPlace(captured, habit, command.start, check, data, pieces, group.count)
    delivery = Delivery.INCOMPLETE if trouble else Delivery.WHOLE
    note = trouble or f"Put together from {group.count} fragment{'' if group.count == 1 else 's'}."
    ends = captured.source, captured.target
    return Payload(
        captured.number, captured.time, *ends, command.kind.carrier, data, delivery, command.channel, note, (), place
    )
