"""Reading an ENet datagram: its header, its checksum where there is one, its body inflated, and the commands in it.

Neither the checksum nor the algorithm is told by the bytes. A host that uses them uses them for all it sends, so what
one datagram proved, a :class:`Habit`, is tried first on the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from viewer.container.enet.checksum import NO_ID, SIZE, Check, checksum
from viewer.container.enet.commands import CONNECT, VERIFY_CONNECT, Command, Cutting, cut_commands
from viewer.container.enet.header import NOBODY, WORD, Header, read_header
from viewer.container.enet.inflate import Algorithm, InflateError, glimpses, inflate, may_fit
from viewer.container.enet.strict import is_strict, may_begin, may_go_on

IN_TURN: dict[Algorithm | None, tuple[Algorithm, ...]] = {
    first: tuple(([first] if first else []) + [other for other in Algorithm if other is not first])
    for first in (None, *Algorithm)
}
"""All algorithms in the order in which to try them, by the one that is usual."""
CONNECT_ID_AT = 40
"""Where the connect id stands in CONNECT and VERIFY_CONNECT."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How a host writes datagrams.

    Args:
        summed: whether it adds a checksum.
        algorithm: by which it compresses, None where it was not seen to compress.
    """

    summed: bool = False
    algorithm: Algorithm | None = None


@dataclass(frozen=True, slots=True)
class Datagram:
    """A datagram, read.

    Args:
        data: its bytes.
        header: its header; None where it is cut.
        body: the bytes that hold the commands: *data* itself, or what came out of its compressed block.
        at: where the commands begin in *body*.
        cutting: the commands, and what is wrong where they end.
        algorithm: how the block was compressed, None where it was not, or by nothing known.
        summed: whether a checksum follows the header.
        strict: whether all of it is as ENet writes it.
    """

    data: bytes
    header: Header | None
    body: bytes
    at: int
    cutting: Cutting
    algorithm: Algorithm | None = None
    summed: bool = False
    strict: bool = False

    @property
    def commands(self) -> list[Command]:
        """The commands that are whole."""
        return self.cutting.commands

    @property
    def problem(self) -> str:
        """What is wrong, in a sentence; empty for nothing."""
        return self.cutting.problem

    @property
    def inflated(self) -> bool:
        """Whether the commands stand in bytes of their own."""
        return self.body is not self.data

    @property
    def checksum(self) -> int | None:
        """The checksum it carries."""
        if not self.summed or self.header is None:
            return None
        return int.from_bytes(self.data[self.header.size : self.header.size + SIZE], "big")

    def check(self, connect_id: bytes | None) -> Check | None:
        """Whether the checksum is right, by the connect id of the connection; None where there is no checksum."""
        if not self.summed or self.header is None:
            return None
        known = self.own_id() or connect_id
        if known is None:
            return Check.OPEN
        right = checksum(self.data[: self.header.size], known, self.body[self.at :])
        return Check.RIGHT if right == self.checksum else Check.WRONG

    def own_id(self) -> bytes | None:
        """The connect id that its checksum was made with, where the datagram itself tells it."""
        if self.header is not None and self.header.peer == NOBODY:
            return NO_ID
        for command in self.commands:
            if command.kind.number == VERIFY_CONNECT:
                return connect_id(self.body, command)
        return None


def connect_id(body: bytes, command: Command) -> bytes:
    """The connect id in a CONNECT or VERIFY_CONNECT, as it stands there."""
    if command.kind.number not in (CONNECT, VERIFY_CONNECT):
        raise ValueError(f"{command.kind.name} holds no connect id.")
    at = command.start + CONNECT_ID_AT
    return body[at : at + SIZE]


def is_enet(data: bytes) -> bool:
    """Whether a UDP payload is an ENet datagram, whole and as ENet writes it; one is enough to know."""
    return _proven(data, Habit()) is not None


def read_datagram(data: bytes, habit: Habit | None = None) -> Datagram:
    """Read a datagram as far as it makes sense; never fails on bytes.

    Args:
        data: the payload of a UDP datagram.
        habit: how its sender writes them, where others of it were read before.
    """
    return _proven(data, habit or Habit()) or _as_far_as_it_goes(data, habit or Habit())


def read_known(data: bytes, habit: Habit) -> Datagram:
    """The same for a sender whose habit is proven: quicker, since only a datagram that does not fit it is doubted."""
    header = read_header(data)
    if header is None or header.compressed:
        return read_datagram(data, habit)
    at = header.size + SIZE if habit.summed else header.size
    cutting = cut_commands(data, at)
    if cutting.problem:
        return read_datagram(data, habit)
    return Datagram(data, header, data, at, cutting, None, habit.summed)


def _proven(data: bytes, habit: Habit) -> Datagram | None:
    """The first reading in which all of a datagram is as ENet writes it."""
    header = read_header(data)
    if header is None:
        return None
    for summed in (habit.summed, not habit.summed):
        at = header.size + SIZE if summed else header.size
        for algorithm, body in _bodies(data, at, habit) if header.compressed else [(None, data)]:
            start = at if body is data else 0
            if not may_begin(body[start : start + WORD]):
                continue
            cutting = cut_commands(body, start)
            found = Datagram(data, header, body, start, cutting, algorithm, summed, strict=True)
            if is_strict(header, body, cutting) and found.check(None) is not Check.WRONG:
                return found
    return None


def _bodies(data: bytes, at: int, habit: Habit) -> Iterator[tuple[Algorithm, bytes]]:
    """What the block at *at* may stand for, by each algorithm that fits; it is larger than the block."""
    block = data[at:]
    for algorithm in IN_TURN[habit.algorithm]:
        if not may_fit(algorithm, block):
            continue
        try:
            usual = algorithm is habit.algorithm
            if not usual and not all(may_go_on(glimpse) for glimpse in glimpses(algorithm, block)):
                continue  # the range coder makes something of any bytes, and takes its time
            body = inflate(algorithm, block)
            if len(body) > len(block):
                yield algorithm, body
        except InflateError:
            continue


def _as_far_as_it_goes(data: bytes, habit: Habit) -> Datagram:
    """What can be read of a datagram that is damaged."""
    header = read_header(data)
    if header is None:
        return Datagram(data, None, data, 0, Cutting([], 0, "The header is cut."))
    at = header.size + SIZE if habit.summed else header.size
    if at > len(data):
        return Datagram(data, header, data, header.size, Cutting([], header.size, "The checksum is cut."))
    if not header.compressed:
        cutting = cut_commands(data, at)
        if not cutting.commands and not cutting.problem:
            cutting = Cutting([], at, "No command follows the header.")
        return Datagram(data, header, data, at, cutting, None, habit.summed)
    return _half_inflated(data, header, at, habit)


def _half_inflated(data: bytes, header: Header, at: int, habit: Habit) -> Datagram:
    """A compressed datagram of which no reading is proven: the one with the most commands."""
    best: Datagram | None = None
    for algorithm, body in _bodies(data, at, habit):
        found = Datagram(data, header, body, 0, cut_commands(body, 0), algorithm, habit.summed)
        if best is None or len(found.commands) > len(best.commands):
            best = found
    said = "The commands are compressed, and no algorithm that ENet uses makes sense of them."
    return best or Datagram(data, header, data, at, Cutting([], at, said), None, habit.summed)
