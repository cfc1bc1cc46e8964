"""What a row of the list of packets shows, in words."""

from __future__ import annotations

from datetime import UTC, datetime

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.unseen import printable, with_direction_note
from viewer.base.words import counted, grouped
from viewer.container.wire import Delivery
from viewer.document.packets.packet import Packet, seconds
from viewer.document.packets.packet_source import PacketSource
from viewer.document.pieces.message import Message, Protocol

BARE = (Protocol.VALUE, Protocol.STREAM_VALUE)
"""Protocols whose payloads are a value and nothing else, so that the kind is its type."""
COLLECTIONS = "collection"
KINDS = {
    "call": ("fn", "object"),
    "set": ("=", "object"),
    "simplify path": ("np", "path"),
    "confirm path": ("np", "path"),
    "spawn": ("+", "collection"),
    "despawn": ("-", "collection"),
    "sync": ("sy", "vector"),
    "delta": ("sy", "vector"),
    "raw": ("[b", "packed"),
    "bytes": ("··", None),
}
"""By the kind of a message: the letters of its chip, and the group of types whose colour it has."""
OTHER = ("··", None)
RELAYED = "relayed "
EDITED = "edited: "
MARKS = {
    Delivery.COPY: "Sent again: the same payload was seen before.",
    Delivery.INCOMPLETE: "Parts of it were never seen.",
    Delivery.CONTROL: "Nothing from the application: the protocol sent it for itself.",
}


@dataclass(frozen=True, slots=True)
class PacketRow:
    """One row.

    Args:
        number: that of its frame in the capture, from 1 on.
        time: seconds since the first packet, with six digits.
        to_server: which way the arrow points.
        source, target, carrier, size: as they are shown.
        chip, group: the letters and the tint of its type.
        type: what kind of message it is.
        value: what it says, or the sentence that tells what is wrong with it.
        is_error: whether the engine would refuse it.
        is_warning: whether something is odd about it.
        is_value: whether it is coloured by its kind, as a value is.
        is_dim: whether it is of less interest: a copy, or the protocol's own.
    """

    number: int
    time: str
    to_server: bool
    source: str
    target: str
    carrier: str
    size: str
    chip: str
    group: str | None
    type: str
    value: str
    is_error: bool
    is_warning: bool
    is_value: bool
    is_dim: bool

    @property
    def arrow(self) -> str:
        """The way it went, as a sign."""
        return "→" if self.to_server else "←"

    @property
    def words(self) -> str:
        """The whole row as a line of text."""
        ends = f"{self.source} {self.arrow} {self.target}"
        return "\t".join((str(self.number), self.time, ends, self.carrier, self.size, self.type, self.value))


def packet_row(packet: Packet, is_edited: bool = False) -> PacketRow:
    """What the row of a packet shows; of an edited one it says so."""
    payload, message = packet.payload, packet.message
    chip, group = _chip(message)
    is_error = message.severity is Severity.ERROR
    return PacketRow(
        payload.number,
        seconds(packet.since_start),
        packet.to_server,
        packet.source.label,
        packet.target.label,
        payload.carrier,
        str(packet.size),
        chip,
        group,
        message.kind,
        f"{EDITED if is_edited else ''}{printable(_value(packet, is_error))}",
        is_error,
        message.severity is Severity.WARNING or payload.delivery is Delivery.INCOMPLETE,
        message.protocol in BARE and not is_error,
        payload.delivery in (Delivery.COPY, Delivery.CONTROL),
    )


def packet_tip(packet: Packet) -> str:
    """What the tooltip of a row says: all that the row has no room for."""
    payload, message = packet.payload, packet.message
    carrier = payload.carrier if payload.channel is None else f"{payload.carrier}, channel {payload.channel}"
    lines = [
        f"Packet {payload.number}, {_clock(payload.time)}",
        f"{packet.source.label} to {packet.target.label} by {carrier}",
        f"{message.protocol.value}, {message.kind}, {counted(packet.size, 'byte')}",
        message.summary,
        message.sentence,
        payload.note or MARKS.get(payload.delivery, ""),
    ]
    return with_direction_note("\n".join(printable(line) for line in lines if line), message.summary)


def _clock(nanoseconds: int) -> str:
    """The time of day, with what is left where no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(nanoseconds // 1_000_000_000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{nanoseconds} ns"


def _chip(message: Message) -> tuple[str, str | None]:
    if message.protocol in BARE and message.dialect is not None:
        row = message.dialect.by_name.get(message.kind.partition("[")[0])
        return (row.chip, row.group) if row is not None else OTHER
    return KINDS.get(message.kind.removeprefix(RELAYED), OTHER)


def _value(packet: Packet, is_error: bool) -> str:
    """The value in a line; where there is none, what is wrong."""
    message = packet.message
    if is_error and message.sentence:
        return message.sentence
    if packet.payload.delivery is Delivery.INCOMPLETE:
        return packet.payload.note or MARKS[Delivery.INCOMPLETE]
    return _without_name(message)


def _without_name(message: Message) -> str:
    """The summary, of a packed array without its name, which stands beside it: ``[1, 2]``."""
    text, name = message.summary, f"{message.kind}("
    if message.protocol not in BARE or not message.kind.endswith("Array") or not text.startswith(name):
        return text
    return f"[{text[len(name) : -1]}]" if text.endswith(")") else f"[{text[len(name) :]}"


# How many packets there are, in words, and what is said where none is listed.

NOTHING = (
    "No packets. What programs send each other is listed here: open a capture (pcap or pcapng), listen on a UDP port "
    "(Ctrl+Shift+U), or forward between a client and a server; the button … offers both."
)
WAITING = "Nothing has come yet. Packets are listed as soon as a program sends them."
NO_MATCH = "No packet passes the filter. Esc in its field shows all of them again."
ONLY_CONTROL = "There are only packets that protocols send for themselves; “Control” shows them."


@dataclass(frozen=True, slots=True)
class PacketCounts:
    """How many packets there are.

    Args:
        packets, errors: all, and those that the engine would refuse, as far as is known.
        place: that of the chosen packet among all, from 1 on; 0 for none.
    """

    packets: int = 0
    errors: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class ListedPackets:
    """What a list shows of its source.

    Args:
        count: rows.
        is_filtered: whether a filter is on.
        control: whether packets of the protocols themselves are listed.
    """

    count: int
    is_filtered: bool = False
    control: bool = False


def counted_in(source: PacketSource, chosen: Packet | None) -> PacketCounts:
    """The counts of a source; *chosen* is the packet that a person looks at."""
    place = chosen.row + 1 - source.first if chosen is not None else 0
    return PacketCounts(source.end - source.first, source.errors, place)


def numbers(source: PacketSource, listed: ListedPackets) -> str:
    """``24 packets, 2 with errors``, then what a person should know of where they are from."""
    total, errors = source.end - source.first, source.errors
    said = counted(total, "packet")
    words = [f"{grouped(listed.count)} of {said}" if listed.is_filtered else said]
    if errors:
        words.append(f"{grouped(errors)} with {'an error' if errors == 1 else 'errors'}")
    if source.controls and not listed.control and not listed.is_filtered:
        words.append(f"{grouped(source.controls)} control hidden")
    if source.doing:
        words.append(source.doing)
    findings = source.findings if source.is_complete else ()
    return ". ".join((", ".join(words), *(each.removesuffix(".") for each in findings)))


def empty(total: int, listed: ListedPackets, is_live: bool) -> str:
    """Why no packet is listed, and what to do about it."""
    if total:
        return NO_MATCH if listed.is_filtered else ONLY_CONTROL
    return WAITING if is_live else NOTHING
