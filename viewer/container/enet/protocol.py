"""Reading an ENet datagram: its header, its checksum where there is one, its body inflated, and the commands in it.

Neither the checksum nor the algorithm is told by the bytes. A host that uses them uses them for all it sends, so what
one datagram proved, a :class:`DatagramStyle`, is tried first on the next.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from viewer.base.record import dataclass
from viewer.container.enet.datagram_inflate import MOST_INSIDE, Algorithm, InflateError, glimpses, inflate, may_fit

# The header of an ENet datagram: the receiver's number for the sender, some bits, and the sender's clock.

TIMED = 0x8000
COMPRESSED = 0x4000
SESSION_SHIFT = 12
NOBODY = 0xFFF
"""The peer id of a sender that has no number at the receiver yet."""
WORD = 2


class Header(NamedTuple):
    """A header.

    Attributes:
        word: the first two bytes as a number.
        sent: the sender's clock in ms, modulo 65536; None where the word says that it does not follow.
        size: in bytes, without a checksum.
    """

    word: int
    sent: int | None
    size: int

    @property
    def timed(self) -> bool:
        """Whether the sent time follows."""
        return bool(self.word & TIMED)

    @property
    def compressed(self) -> bool:
        """Whether what follows is compressed."""
        return bool(self.word & COMPRESSED)

    @property
    def session(self) -> int:
        """Counts the uses of the receiver's slot, modulo 4."""
        return self.word >> SESSION_SHIFT & 3

    @property
    def peer(self) -> int:
        """The receiver's slot for the sender, or :data:`NOBODY`."""
        return self.word & NOBODY

    @property
    def lane(self) -> int:
        """Slot and session: what tells connections between the same two ends apart."""
        return self.word & 0x3FFF


def read_header(data: bytes) -> Header | None:
    """The header of a datagram, None where it is cut."""
    if len(data) < WORD:
        return None
    word = data[0] << 8 | data[1]
    if not word & TIMED:
        return Header(word, None, WORD)
    if len(data) < 2 * WORD:
        return None
    return Header(word, data[2] << 8 | data[3], 2 * WORD)


# ENet's commands as a table, and the cutting of bytes into them.

HEAD = 4
"""Every command begins with the command byte, the channel and a sequence number of two bytes."""
ACKNOWLEDGED = 0x80
UNSEQUENCED = 0x40
NUMBER = 0x0F
CONNECTION = 0xFF
"""The channel of what concerns the whole connection."""


@dataclass(frozen=True, slots=True)
class EnetField:
    """A big-endian number in a command.

    Args:
        name: what it is.
        at: where it starts, from the start of the command.
        size: in bytes.
        unit: ``ms``, ``bytes``, ``hex`` for opaque ones, else empty.
    """

    name: str
    at: int
    size: int
    unit: str


@dataclass(frozen=True, slots=True)
class CommandKind:
    """A command that ENet knows.

    Args:
        number: the low half of the command byte.
        name: ENet's own.
        word: one for a person.
        flags: which may stand in the high half of the command byte.
        carrier: how its data travel, empty where it has none.
        fields: what follows the head.
        size: all of it without its data.
        length_at: where the u16 is that says how many bytes of data follow, 0 where none do.
    """

    number: int
    name: str
    word: str
    flags: tuple[int, ...]
    carrier: str
    fields: tuple[EnetField, ...]
    size: int
    length_at: int

    @property
    def whole_connection(self) -> bool:
        """Whether it concerns no channel."""
        return not self.carrier and self.name != "ACKNOWLEDGE"


def _kind(number: int, name: str, word: str, flags: tuple[int, ...], layout: str, carrier: str = "") -> CommandKind:
    fields = []
    at = HEAD
    for entry in filter(None, layout.split(", ")):
        label, _, kind = entry.partition(":")
        bits, _, unit = kind.partition(" ")
        size = int(bits.removeprefix("u")) // 8
        fields.append(EnetField(label, at, size, unit))
        at += size
    length_at = next((field.at for field in fields if field.name == "length"), 0)
    return CommandKind(number, name, word, flags, carrier, tuple(fields), at, length_at)


RELIABLE = "ENet reliable"
UNRELIABLE = "ENet unreliable"
LOOSE = "ENet unsequenced"

_TERMS = (
    "own slot:u16, in-session:u8, out-session:u8, MTU:u32 bytes, window:u32 bytes, channels:u32, "
    "in-bandwidth:u32 bytes/s, out-bandwidth:u32 bytes/s, throttle interval:u32 ms, acceleration:u32, "
    "deceleration:u32, connect id:u32 hex"
)
_FRAGMENT = (
    "first sequence:u16, length:u16 bytes, count:u32, number:u32, total length:u32 bytes, offset:u32"  # from 0 on
)

KINDS: tuple[CommandKind | None, ...] = (
    None,
    _kind(1, "ACKNOWLEDGE", "Acknowledge", (0,), "acknowledged sequence:u16, sent time:u16 ms"),
    _kind(2, "CONNECT", "Connect", (ACKNOWLEDGED,), f"{_TERMS}, data:u32"),
    _kind(3, "VERIFY_CONNECT", "Verify connect", (ACKNOWLEDGED,), _TERMS),
    _kind(4, "DISCONNECT", "Disconnect", (ACKNOWLEDGED, UNSEQUENCED), "data:u32"),
    _kind(5, "PING", "Ping", (ACKNOWLEDGED,), ""),
    _kind(6, "SEND_RELIABLE", "Reliable", (ACKNOWLEDGED,), "length:u16 bytes", RELIABLE),
    _kind(7, "SEND_UNRELIABLE", "Unreliable", (0,), "unreliable sequence:u16, length:u16 bytes", UNRELIABLE),
    _kind(8, "SEND_FRAGMENT", "Fragment", (ACKNOWLEDGED,), _FRAGMENT, RELIABLE),
    _kind(9, "SEND_UNSEQUENCED", "Unsequenced", (UNSEQUENCED,), "group:u16, length:u16 bytes", LOOSE),
    _kind(
        10, "BANDWIDTH_LIMIT", "Bandwidth limit", (ACKNOWLEDGED,), "in-bandwidth:u32 bytes/s, out-bandwidth:u32 bytes/s"
    ),
    _kind(
        11,
        "THROTTLE_CONFIGURE",
        "Throttle",
        (ACKNOWLEDGED,),
        "throttle interval:u32 ms, acceleration:u32, deceleration:u32",
    ),
    _kind(12, "SEND_UNRELIABLE_FRAGMENT", "Unreliable fragment", (0,), _FRAGMENT, UNRELIABLE),
    None,
    None,
    None,
)
"""By number."""

ACKNOWLEDGE, CONNECT, VERIFY_CONNECT, DISCONNECT = 1, 2, 3, 4
SEND_UNSEQUENCED = 9
FRAGMENTS = (8, 12)
MOST_COMMANDS = 32
"""A datagram never holds more."""

_head = struct.Struct(">BBH").unpack_from
_u16 = struct.Struct(">H").unpack_from
_fragment = struct.Struct(">HHIIII").unpack_from


class EnetCommand(NamedTuple):
    """A command in the bytes that hold it: ``start <= offset < data`` are its fields, from there to *end* its data."""

    kind: CommandKind
    start: int
    data: int
    end: int
    flags: int
    channel: int
    sequence: int


class EnetFragment(NamedTuple):
    """What a fragment says of the whole; numbers from 0 on, lengths and offsets in bytes."""

    first: int
    length: int
    pieces: int
    number: int
    total: int
    offset: int


class ParsedCommands(NamedTuple):
    """Commands, and what keeps the bytes from *end* on from being one; *problem* is empty when they all are."""

    commands: list[EnetCommand]
    end: int
    problem: str
    broken: EnetCommand | None = None
    """The command whose data are cut short, with what there is of them."""


def cut_commands(body: bytes, at: int) -> ParsedCommands:
    """Cut bytes into commands, up to the first that is none."""
    commands: list[EnetCommand] = []
    size = len(body)
    kinds = KINDS
    while at + HEAD <= size:
        byte, channel, sequence = _head(body, at)
        kind = kinds[byte & NUMBER]
        if kind is None:
            return ParsedCommands(commands, at, f"ENet has no command {byte & NUMBER}, and stops reading here.")
        data = end = at + kind.size
        if data > size:
            return ParsedCommands(
                commands, at, f"The command {kind.name} is cut: {size - at} of {kind.size} bytes are there."
            )
        if kind.length_at:
            length = _u16(body, at + kind.length_at)[0]
            end = data + length
            if end > size:
                broken = EnetCommand(kind, at, data, size, byte & 0xF0, channel, sequence)
                said = f"The data of {kind.name} are cut: {size - data} of {length} bytes are there."
                return ParsedCommands(commands, at, said, broken)
        commands.append(EnetCommand(kind, at, data, end, byte & 0xF0, channel, sequence))
        at = end
    if at < size:
        return ParsedCommands(commands, at, f"A command is cut: {size - at} of {HEAD} bytes are there.")
    return ParsedCommands(commands, at, "")


def number_at(body: bytes, command: EnetCommand, name: str) -> int:
    """The number that a field of a command holds; *name* must be one of its fields."""
    for field in command.kind.fields:
        if field.name == name:
            at = command.start + field.at
            return int.from_bytes(body[at : at + field.size], "big")
    raise KeyError(name)


def fragment_at(body: bytes, command: EnetCommand) -> EnetFragment:
    """What a command of :data:`FRAGMENTS` says of the whole."""
    return EnetFragment(*_fragment(body, command.start + HEAD))


# The strict test for ENet: every command as ENet itself writes it, to the last byte.
#
# One datagram that passes is enough to know the protocol: of 100,000 random payloads none did.

LEAST_MTU, MOST_MTU = 576, 4096
LEAST_WINDOW, MOST_WINDOW = 4096, 65_536
MOST_CHANNELS = 255
MOST_FRAGMENTS = 1 << 20


def is_strict(header: Header, body: bytes, cutting: ParsedCommands) -> bool:
    """Whether the commands of a datagram are all of it, and all as ENet writes them."""
    commands = cutting.commands
    if cutting.problem or not 0 < len(commands) <= MOST_COMMANDS:
        return False
    if not all(_as_written(body, command) for command in commands):
        return False
    if any(command.flags & ACKNOWLEDGED for command in commands) is not header.timed:
        return False
    return header.peer != NOBODY or _without_peer(commands)


def may_begin(beginning: bytes) -> bool:
    """Whether commands as ENet writes them can begin with these bytes, one or more."""
    kind = KINDS[beginning[0] & NUMBER] if beginning else None
    if kind is None or beginning[0] & 0xF0 not in kind.flags:
        return False
    if len(beginning) == 1 or kind.number == ACKNOWLEDGE:
        return True
    return (beginning[1] == CONNECTION) is kind.whole_connection


def may_go_on(body: bytes) -> bool:
    """Whether compressed commands as ENet writes them can begin with these bytes, the more the surer."""
    cutting = cut_commands(body, 0)
    last = cutting.broken
    if last is not None and number_at(body, last, "length") > MOST_INSIDE:
        return False
    return may_begin(body) and all(_as_written(body, command) for command in cutting.commands)


def _without_peer(commands: Sequence[EnetCommand]) -> bool:
    """Before it has a number at the other end, a host only connects, or gives that up."""
    return all(command.kind.number in (CONNECT, DISCONNECT) for command in commands)


def _as_written(body: bytes, command: EnetCommand) -> bool:
    kind = command.kind
    if command.flags not in kind.flags:
        return False
    if kind.number == ACKNOWLEDGE:
        return number_at(body, command, "acknowledged sequence") == command.sequence
    if (command.channel == CONNECTION) is not kind.whole_connection:
        return False
    if kind.number in (CONNECT, VERIFY_CONNECT):
        return _sound_terms(body, command)
    if kind.number in FRAGMENTS:
        return _sound_fragment(body, command)
    return kind.number != SEND_UNSEQUENCED or command.sequence == 0


def _sound_terms(body: bytes, command: EnetCommand) -> bool:
    return (
        LEAST_MTU <= number_at(body, command, "MTU") <= MOST_MTU
        and LEAST_WINDOW <= number_at(body, command, "window") <= MOST_WINDOW
        and 1 <= number_at(body, command, "channels") <= MOST_CHANNELS
        and number_at(body, command, "own slot") < NOBODY
    )


def _sound_fragment(body: bytes, command: EnetCommand) -> bool:
    fragment = fragment_at(body, command)
    if not fragment.number < fragment.pieces <= min(MOST_FRAGMENTS, fragment.total):
        return False
    if not fragment.length or fragment.offset + fragment.length > fragment.total:
        return False
    unreliable = not command.flags & ACKNOWLEDGED
    return unreliable or command.sequence == fragment.first + fragment.number & 0xFFFF


# ENet's checksum: a CRC-32 that covers the connect id, which does not travel with it.
#
# The four bytes of the checksum hold the connect id while it is computed. Since a CRC can be run backwards, a datagram
# also tells which connect id it was computed with; two that agree prove each other.

SIZE = 4
NO_ID = bytes(SIZE)
_WORD = 0xFFFF_FFFF


class Check(Enum):
    """What is known of a checksum."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "cannot be checked, the connect id was not captured"


def checksum(header: bytes, connect_id: bytes, commands: bytes) -> int:
    """The checksum of a datagram: its header, the connect id as sent (zeros while there is none), its commands."""
    return zlib.crc32(commands, zlib.crc32(connect_id, zlib.crc32(header)))


def connect_id_of(header: bytes, found: int, commands: bytes) -> bytes:
    """The connect id with which a datagram has the checksum *found*."""
    state = found ^ _WORD
    for byte in reversed(commands):
        state = _back(state, byte)
    # Four zeros from here backwards: what the register held before the id, were the id zero. The difference is the id.
    for _ in range(SIZE):
        state = _back(state, 0)
    return ((zlib.crc32(header) ^ _WORD) ^ state).to_bytes(SIZE, "little")


def _table() -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        row = byte
        for _ in range(8):
            row = row >> 1 ^ (0xEDB8_8320 if row & 1 else 0)
        rows.append(row)
    return tuple(rows)


_ROWS = _table()
_BY_TOP = bytes(sorted(range(256), key=lambda byte: _ROWS[byte] >> 24))


def _back(state: int, byte: int) -> int:
    """The register before *byte* went into it."""
    index = _BY_TOP[state >> 24]
    return ((state ^ _ROWS[index]) << 8 | index ^ byte) & _WORD


IN_TURN: dict[Algorithm | None, tuple[Algorithm, ...]] = {
    first: tuple(([first] if first else []) + [other for other in Algorithm if other is not first])
    for first in (None, *Algorithm)
}
"""All algorithms in the order in which to try them, by the one that is usual."""
CONNECT_ID_AT = 40
"""Where the connect id stands in CONNECT and VERIFY_CONNECT."""


@dataclass(frozen=True, slots=True)
class DatagramStyle:
    """How a host writes datagrams.

    Args:
        summed: whether it adds a checksum.
        algorithm: by which it compresses, None where it was not seen to compress.
    """

    summed: bool = False
    algorithm: Algorithm | None = None


@dataclass(frozen=True, slots=True)
class EnetDatagram:
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
    cutting: ParsedCommands
    algorithm: Algorithm | None = None
    summed: bool = False
    strict: bool = False

    @property
    def commands(self) -> list[EnetCommand]:
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


def connect_id(body: bytes, command: EnetCommand) -> bytes:
    """The connect id in a CONNECT or VERIFY_CONNECT, as it stands there."""
    if command.kind.number not in (CONNECT, VERIFY_CONNECT):
        raise ValueError(f"{command.kind.name} holds no connect id.")
    at = command.start + CONNECT_ID_AT
    return body[at : at + SIZE]


def is_enet(data: bytes) -> bool:
    """Whether a UDP payload is an ENet datagram, whole and as ENet writes it; one is enough to know."""
    return _proven(data, DatagramStyle()) is not None


def read_datagram(data: bytes, habit: DatagramStyle | None = None) -> EnetDatagram:
    """Read a datagram as far as it makes sense; never fails on bytes.

    Args:
        data: the payload of a UDP datagram.
        habit: how its sender writes them, where others of it were read before.
    """
    return _proven(data, habit or DatagramStyle()) or _as_far_as_it_goes(data, habit or DatagramStyle())


def read_known(data: bytes, habit: DatagramStyle) -> EnetDatagram:
    """The same for a sender whose habit is proven: quicker, since only a datagram that does not fit it is doubted."""
    header = read_header(data)
    if header is None or header.compressed:
        return read_datagram(data, habit)
    at = header.size + SIZE if habit.summed else header.size
    cutting = cut_commands(data, at)
    if cutting.problem:
        return read_datagram(data, habit)
    return EnetDatagram(data, header, data, at, cutting, None, habit.summed)


def _proven(data: bytes, habit: DatagramStyle) -> EnetDatagram | None:
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
            found = EnetDatagram(data, header, body, start, cutting, algorithm, summed, strict=True)
            if is_strict(header, body, cutting) and found.check(None) is not Check.WRONG:
                return found
    return None


def _bodies(data: bytes, at: int, habit: DatagramStyle) -> Iterator[tuple[Algorithm, bytes]]:
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


def _as_far_as_it_goes(data: bytes, habit: DatagramStyle) -> EnetDatagram:
    """What can be read of a datagram that is damaged."""
    header = read_header(data)
    if header is None:
        return EnetDatagram(data, None, data, 0, ParsedCommands([], 0, "The header is cut."))
    at = header.size + SIZE if habit.summed else header.size
    if at > len(data):
        return EnetDatagram(data, header, data, header.size, ParsedCommands([], header.size, "The checksum is cut."))
    if not header.compressed:
        cutting = cut_commands(data, at)
        if not cutting.commands and not cutting.problem:
            cutting = ParsedCommands([], at, "No command follows the header.")
        return EnetDatagram(data, header, data, at, cutting, None, habit.summed)
    return _half_inflated(data, header, at, habit)


def _half_inflated(data: bytes, header: Header, at: int, habit: DatagramStyle) -> EnetDatagram:
    """A compressed datagram of which no reading is proven: the one with the most commands."""
    best: EnetDatagram | None = None
    for algorithm, body in _bodies(data, at, habit):
        found = EnetDatagram(data, header, body, 0, cut_commands(body, 0), algorithm, habit.summed)
        if best is None or len(found.commands) > len(best.commands):
            best = found
    said = "The commands are compressed, and no algorithm that ENet uses makes sense of them."
    return best or EnetDatagram(data, header, data, at, ParsedCommands([], at, said), None, habit.summed)
