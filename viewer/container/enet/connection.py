"""Conversations over ENet: captured datagrams in, payloads out, and what is known of each connection."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.enet.enet_layers import command_layer, datagram_layers
from viewer.container.enet.fragments import MOST_RELIABLE, MOST_UNRELIABLE, EnetReassembly, FragmentGroup, JoinedPiece
from viewer.container.enet.protocol import (
    ACKNOWLEDGE,
    ACKNOWLEDGED,
    CONNECT,
    CONNECTION,
    DISCONNECT,
    FRAGMENTS,
    NOBODY,
    VERIFY_CONNECT,
    Check,
    DatagramStyle,
    EnetCommand,
    EnetDatagram,
    EnetFragment,
    connect_id,
    connect_id_of,
    fragment_at,
    number_at,
    read_datagram,
    read_known,
)
from viewer.container.wire import Captured, Delivery, Endpoint, LayerField, Payload, WireLayer

# Where a payload stood, kept small: its layers are made when somebody looks.


@dataclass(frozen=True, slots=True)
class EnetPlace:
    """A command in a datagram.

    Args:
        captured: what brought it.
        habit: how the datagram was read.
        start: where the command begins, in the bytes that hold the commands.
        check: whether the checksum is right, None where there is none.
        data: what was put together from fragments, None for what came in one piece.
        pieces: the fragments in *data*.
        count: how many fragments there should be.
    """

    captured: Captured
    habit: DatagramStyle
    start: int
    check: Check | None = None
    data: bytes | None = None
    pieces: tuple[JoinedPiece, ...] = ()
    count: int = 0

    def layers(self) -> tuple[WireLayer, ...]:
        """The layers of ENet, outermost first; those around them are the business of *captured*."""
        datagram = read_datagram(self.captured.data, self.habit)
        layers = datagram_layers(datagram, self.check)
        broken = datagram.cutting.broken
        for command in [*datagram.commands, *([broken] if broken else [])]:
            if command.start == self.start:
                last = layers[-1]
                layers[-1] = WireLayer(last.name, last.data, last.parts, Span(command.start, command.end))
                layers.append(command_layer(datagram, command))
                break
        if self.data is not None:
            layers.append(WireLayer("ENet, joined", self.data, self._piece_parts(), Span(0, len(self.data))))
        return tuple(layers)

    def _piece_parts(self) -> tuple[LayerField, ...]:
        return tuple(
            LayerField(
                Span(piece.start, piece.end), f"fragment {piece.number + 1} of {self.count}", f"frame {piece.frame}"
            )
            for piece in self.pieces
        )


# What is known of a connection: who called whom, and which engine that looks like.

SYSTEM_CHANNELS = 3
"""Godot asks for no fewer."""
FRAGMENT_OVERHEAD = 28
"""A fragment holds so many bytes less than the MTU, and four less again where there is a checksum."""


class Engine(Enum):
    """Which line of engines a connection looks like."""

    GODOT3 = "godot3"
    GODOT4 = "godot4"


MTUS = {1400: Engine.GODOT3, 1392: Engine.GODOT4}


@dataclass(frozen=True, slots=True)
class ConnectionFacts:
    """What is known of a connection from some frame on.

    Args:
        since: the number of the frame.
        server: the end that was called, None where that is not known.
        called: whether the call itself was captured; else *server* and *engine* are concluded from less.
        client_id: the multiplayer id that the client gave itself.
        engine: a guess, None where nothing tells.
        channels: how many the client asked for.
        mtu: the largest datagram, in bytes.
    """

    since: int = 0
    server: Endpoint | None = None
    called: bool = False
    client_id: int | None = None
    engine: Engine | None = None
    channels: int | None = None
    mtu: int | None = None


def facts_of_call(body: bytes, command: EnetCommand, since: int, server: Endpoint) -> ConnectionFacts:
    """What a CONNECT says."""
    mtu = number_at(body, command, "MTU")
    channels = number_at(body, command, "channels")
    data = number_at(body, command, "data")
    client_id = data if 2 <= data < 1 << 31 else None
    godot = client_id is not None and channels >= SYSTEM_CHANNELS
    return ConnectionFacts(since, server, True, client_id, MTUS.get(mtu) if godot else None, channels, mtu)


def engine_of_fragment(length: int, summed: bool) -> tuple[Engine, int] | None:
    """Engine and MTU that a fragment before the last one implies by its length."""
    mtu = length + FRAGMENT_OVERHEAD + (4 if summed else 0)
    engine = MTUS.get(mtu)
    return (engine, mtu) if engine else None


# One direction between two ends: datagrams come in, payloads go out.

# Short notes on what ENet says to itself.

NANOSECONDS = 1_000_000
"""In a millisecond."""


def control_note(body: bytes, command: EnetCommand, answered_after: int | None = None) -> str:
    """What a command says, in a few words.

    Args:
        body: the bytes that hold it.
        command: it.
        answered_after: for an acknowledgement, nanoseconds since what it answers, None where that is not known.
    """
    number = command.kind.number
    if number == ACKNOWLEDGE:
        where = "" if command.channel == CONNECTION else f" on channel {command.channel}"
        after = "" if answered_after is None else f" after {answered_after / NANOSECONDS:.1f} ms"
        return f"Acknowledges {command.sequence}{where}{after}"
    if number == CONNECT:
        channels = number_at(body, command, "channels")
        return f"Connect, {channels} channel{'' if channels == 1 else 's'}"
    if number == VERIFY_CONNECT:
        return f"Verify connect, slot {number_at(body, command, 'own slot')}"
    if number == DISCONNECT:
        return f"Disconnect, data {number_at(body, command, 'data')}"
    if not command.kind.fields:
        return command.kind.word
    values = [f"{field.name} {number_at(body, command, field.name)}" for field in command.kind.fields]
    return f"{command.kind.word}, {', '.join(values)}"


# Knowing again what was sent before.

MOST_KEPT = 8192
"""Far more commands than are on their way at once, and far fewer than it takes for sequence numbers to come round."""


class RecentCommands:
    """The latest commands of one direction of a connection.

    A command that is sent again is the same byte for byte, its sequence number included; a new one never is.
    """

    __slots__ = ("_order", "_seen")

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._order: deque[int] = deque()

    def again(self, command: bytes) -> bool:
        """Whether the command was seen before; it is remembered."""
        mark = hash(command)
        if mark in self._seen:
            return True
        self._seen.add(mark)
        self._order.append(mark)
        if len(self._order) > MOST_KEPT:
            self._seen.discard(self._order.popleft())
        return False


CONTROL = "ENet"
FRESH = 60 * 10**9
"""Nanoseconds in which the clock of two bytes does not come round."""


class PeerSlot:
    """One connection in one direction: the receiver's slot for the sender, and the use of that slot."""

    __slots__ = ("copies", "reliable", "unreliable")

    def __init__(self) -> None:
        self.copies = RecentCommands()
        self.reliable = EnetReassembly(MOST_RELIABLE)
        self.unreliable = EnetReassembly(MOST_UNRELIABLE)

    def give_up(self) -> list[FragmentGroup]:
        """All that still waits for fragments; nothing is waited for any more."""
        return self.reliable.give_up() + self.unreliable.give_up()

    def start_again(self) -> list[FragmentGroup]:
        """Forget all, for another connection; what still waited for fragments."""
        self.copies = RecentCommands()
        return self.give_up()


class SeenDatagram(NamedTuple):
    """A datagram at work: what brought it, what was read, how, and whether its checksum is right."""

    captured: Captured
    datagram: EnetDatagram
    habit: DatagramStyle
    check: Check | None
    lane: PeerSlot


Watch = Callable[[Captured, EnetDatagram, EnetCommand], None]
"""Told of each command that concerns the whole connection, and of each new fragment."""


class Direction:
    """The datagrams from one end to another.

    Args:
        source: the end that sends.
        watch: is told of what concerns the connection.
    """

    __slots__ = ("_guess", "_habit", "_ids", "_lanes", "_late", "_proven", "_sent", "_watch", "back", "source")

    def __init__(self, source: Endpoint, watch: Watch) -> None:
        self.source = source
        self._watch = watch
        self._habit = DatagramStyle()
        self._proven = False
        self._lanes: dict[int, PeerSlot] = {}
        self._ids: dict[int, bytes] = {}
        self._guess: dict[int, bytes] = {}
        self._sent: dict[int, int] = {}
        self._late: list[Payload] = []
        self.back: Direction = self
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

    def _give_up(self, groups: list[FragmentGroup]) -> None:
        self._late += [_of_group(group, self._habit, None) for group in groups]

    # Reading

    def _read(self, captured: Captured) -> SeenDatagram:
        datagram = read_known(captured.data, self._habit) if self._proven else read_datagram(captured.data, self._habit)
        if datagram.strict:
            self._proven = True
            if datagram.summed is not self._habit.summed or datagram.algorithm not in (None, self._habit.algorithm):
                self._habit = DatagramStyle(datagram.summed, datagram.algorithm or self._habit.algorithm)
        lane_number = datagram.header.lane if datagram.header else 0
        lane = self._lanes.get(lane_number)
        if lane is None:
            lane = self._lanes[lane_number] = PeerSlot()
        return SeenDatagram(captured, datagram, self._habit, self._check(datagram), lane)

    def _check(self, datagram: EnetDatagram) -> Check | None:
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

    def _whole(self, seen: SeenDatagram, command: EnetCommand) -> Payload:
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

    def _control(self, seen: SeenDatagram, command: EnetCommand) -> Payload:
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

    def _fragment(self, seen: SeenDatagram, command: EnetCommand, payloads: list[Payload]) -> None:
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


def _sound(fragment: EnetFragment) -> bool:
    """Whether the numbers of a fragment can be true together."""
    return fragment.number < fragment.pieces and fragment.offset + fragment.length <= fragment.total


def _piece(seen: SeenDatagram, command: EnetCommand, data: bytes, delivery: Delivery, note: str) -> Payload:
    captured = seen.captured
    place = EnetPlace(captured, seen.habit, command.start, seen.check)
    ends = captured.source, captured.target
    return Payload(
        captured.number, captured.time, *ends, command.kind.carrier, data, delivery, command.channel, note, (), place
    )


def _damaged(seen: SeenDatagram) -> Payload:
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


def _of_group(group: FragmentGroup, habit: DatagramStyle, check: Check | None) -> Payload:
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


MOST_FLOWS = 16_384
"""Pairs of ends that are followed at once; the oldest is given up for a new one."""
MOST_FACTS = 1024
"""Connections between the same two ends that are told apart."""

Ends = tuple[str, int, str, int]


class EnetFlows:
    """All ENet conversations of a capture; those that were begun before it are understood as well."""

    __slots__ = ("_flows", "_ways")

    def __init__(self) -> None:
        self._ways: dict[Ends, Direction] = {}
        self._flows: dict[Ends, _Flow] = {}

    def feed(self, captured: Captured) -> list[Payload]:
        """The payloads that a datagram brings, or completes.

        Data that wait for the rest of their fragments come with the last of them; what is incomplete comes when it is
        given up, at the latest with :meth:`finish`.
        """
        source, target = captured.source, captured.target
        way = self._ways.get((source.host, source.port, target.host, target.port))
        if way is not None:
            return way.take(captured)
        given_up = self._make_room()
        return given_up + self._open(source, target).take(captured)

    def finish(self) -> list[Payload]:
        """What never became whole; call it at the end of the capture."""
        return [payload for flow in self._flows.values() for payload in flow.finish()]

    def facts(self, one: Endpoint, other: Endpoint, number: int | None = None) -> ConnectionFacts:
        """What is known of the connection between two ends, in any order.

        Args:
            one, other: the ends.
            number: of a frame; the connection that it belongs to. None for the latest.
        """
        flow = self._flows.get(_ends(one, other)) or self._flows.get(_ends(other, one))
        return flow.facts(number) if flow else ConnectionFacts()

    def _open(self, source: Endpoint, target: Endpoint) -> Direction:
        flow = _Flow(source, target)
        self._flows[_ends(source, target)] = flow
        self._ways[_ends(source, target)] = flow.there
        self._ways[_ends(target, source)] = flow.back
        return flow.there

    def _make_room(self) -> list[Payload]:
        if len(self._flows) < MOST_FLOWS:
            return []
        ends = next(iter(self._flows))
        del self._ways[ends]
        self._ways.pop((*ends[2:], *ends[:2]), None)
        return self._flows.pop(ends).finish()


def _ends(source: Endpoint, target: Endpoint) -> Ends:
    return source.host, source.port, target.host, target.port


class _Flow:
    """The two directions between two ends."""

    __slots__ = ("_facts", "_slots", "back", "there")

    def __init__(self, source: Endpoint, target: Endpoint) -> None:
        self.there = Direction(source, self._watch)
        self.back = Direction(target, self._watch)
        self.there.back, self.back.back = self.back, self.there
        self._facts: list[ConnectionFacts] = [ConnectionFacts()]
        self._slots: dict[tuple[Endpoint, int], bytes] = {}

    def facts(self, number: int | None) -> ConnectionFacts:
        """What is known of the connection that a frame belongs to, None for the latest."""
        if number is None:
            return self._facts[-1]
        return next((facts for facts in reversed(self._facts) if facts.since <= number), self._facts[0])

    def finish(self) -> list[Payload]:
        """What never became whole."""
        return self.there.finish() + self.back.finish()

    def _watch(self, captured: Captured, datagram: EnetDatagram, command: EnetCommand) -> None:
        number = command.kind.number
        if number == CONNECT:
            self._call(captured, datagram, command)
        elif number == VERIFY_CONNECT:
            self._answer(captured, datagram, command)
        elif number in FRAGMENTS:
            self._fragment(datagram, command)
        if self._facts[-1].server is None and datagram.header and 0 < datagram.header.peer < NOBODY:
            # a client keeps one slot only, number 0; who is another number was called by many
            self._facts[-1] = replace(self._facts[-1], server=captured.target)

    def _call(self, captured: Captured, datagram: EnetDatagram, command: EnetCommand) -> None:
        slot = captured.source, number_at(datagram.body, command, "own slot")
        known, made_with = self._slots.get(slot), connect_id(datagram.body, command)
        if known == made_with:
            return  # sent again
        if known is not None:  # what this slot was used for before is over
            self.there.start_again()
            self.back.start_again()
        self._slots[slot] = made_with
        if len(self._facts) == MOST_FACTS:
            del self._facts[0]
        self._facts.append(facts_of_call(datagram.body, command, captured.number, captured.target))

    def _answer(self, captured: Captured, datagram: EnetDatagram, command: EnetCommand) -> None:
        """A VERIFY_CONNECT comes from the server, and tells the client's slot there."""
        told = self._facts[-1]
        if not told.called:
            mtu = number_at(datagram.body, command, "MTU")
            channels = number_at(datagram.body, command, "channels")
            self._facts[-1] = replace(told, server=captured.source, mtu=mtu, channels=channels)
        made_with = connect_id(datagram.body, command)
        to_client, to_server = self._from(captured)
        if datagram.header is not None:
            to_client.know_id(datagram.header.peer, made_with)
        to_server.know_id(number_at(datagram.body, command, "own slot"), made_with)

    def _from(self, captured: Captured) -> tuple[Direction, Direction]:
        """The direction of a datagram, and the other."""
        return (self.there, self.back) if self.there.source == captured.source else (self.back, self.there)

    def _fragment(self, datagram: EnetDatagram, command: EnetCommand) -> None:
        facts = self._facts[-1]
        fragment = fragment_at(datagram.body, command)
        if facts.mtu is None and fragment.number + 1 < fragment.pieces:
            guess = engine_of_fragment(fragment.length, datagram.summed)
            if guess:
                self._facts[-1] = replace(facts, engine=guess[0], mtu=guess[1])
