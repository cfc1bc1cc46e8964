"""ENet's commands as a table, and the cutting of bytes into them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import NamedTuple

HEAD = 4
"""Every command begins with the command byte, the channel and a sequence number of two bytes."""
ACKNOWLEDGED = 0x80
UNSEQUENCED = 0x40
NUMBER = 0x0F
CONNECTION = 0xFF
"""The channel of what concerns the whole connection."""


@dataclass(frozen=True, slots=True)
class Field:
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
class Kind:
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
    fields: tuple[Field, ...]
    size: int
    length_at: int

    @property
    def whole_connection(self) -> bool:
        """Whether it concerns no channel."""
        return not self.carrier and self.name != "ACKNOWLEDGE"


def _kind(number: int, name: str, word: str, flags: tuple[int, ...], layout: str, carrier: str = "") -> Kind:
    fields = []
    at = HEAD
    for entry in filter(None, layout.split(", ")):
        label, _, kind = entry.partition(":")
        bits, _, unit = kind.partition(" ")
        size = int(bits.removeprefix("u")) // 8
        fields.append(Field(label, at, size, unit))
        at += size
    length_at = next((field.at for field in fields if field.name == "length"), 0)
    return Kind(number, name, word, flags, carrier, tuple(fields), at, length_at)


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

KINDS: tuple[Kind | None, ...] = (
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


class Command(NamedTuple):
    """A command in the bytes that hold it: ``start <= offset < data`` are its fields, from there to *end* its data."""

    kind: Kind
    start: int
    data: int
    end: int
    flags: int
    channel: int
    sequence: int


class Fragment(NamedTuple):
    """What a fragment says of the whole; numbers from 0 on, lengths and offsets in bytes."""

    first: int
    length: int
    pieces: int
    number: int
    total: int
    offset: int


class Cutting(NamedTuple):
    """Commands, and what keeps the bytes from *end* on from being one; *problem* is empty when they all are."""

    commands: list[Command]
    end: int
    problem: str
    broken: Command | None = None
    """The command whose data are cut short, with what there is of them."""


def cut_commands(body: bytes, at: int) -> Cutting:
    """Cut bytes into commands, up to the first that is none."""
    commands: list[Command] = []
    size = len(body)
    kinds = KINDS
    while at + HEAD <= size:
        byte, channel, sequence = _head(body, at)
        kind = kinds[byte & NUMBER]
        if kind is None:
            return Cutting(commands, at, f"ENet has no command {byte & NUMBER}, and stops reading here.")
        data = end = at + kind.size
        if data > size:
            return Cutting(commands, at, f"The command {kind.name} is cut: {size - at} of {kind.size} bytes are there.")
        if kind.length_at:
            length = _u16(body, at + kind.length_at)[0]
            end = data + length
            if end > size:
                broken = Command(kind, at, data, size, byte & 0xF0, channel, sequence)
                said = f"The data of {kind.name} are cut: {size - data} of {length} bytes are there."
                return Cutting(commands, at, said, broken)
        commands.append(Command(kind, at, data, end, byte & 0xF0, channel, sequence))
        at = end
    if at < size:
        return Cutting(commands, at, f"A command is cut: {size - at} of {HEAD} bytes are there.")
    return Cutting(commands, at, "")


def number_at(body: bytes, command: Command, name: str) -> int:
    """The number that a field of a command holds; *name* must be one of its fields."""
    for field in command.kind.fields:
        if field.name == name:
            at = command.start + field.at
            return int.from_bytes(body[at : at + field.size], "big")
    raise KeyError(name)


def fragment_at(body: bytes, command: Command) -> Fragment:
    """What a command of :data:`FRAGMENTS` says of the whole."""
    return Fragment(*_fragment(body, command.start + HEAD))
