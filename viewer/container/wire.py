"""What travels on a network: who sent which bytes to whom, and through which layers they came."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from viewer.base.record import dataclass
from viewer.base.span import Span


class Transport(Enum):
    """What carried some bytes between two ends."""

    UDP = "UDP"
    TCP = "TCP"


@dataclass(frozen=True, slots=True, order=True)
class Endpoint:
    """One end of a conversation."""

    host: str
    port: int

    @property
    def label(self) -> str:
        """``127.0.0.1:45001``, ``[::1]:45001``."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class LayerField:
    """A run of bytes with a meaning, inside some layer.

    Args:
        span: where.
        name: what it is, in the words of the protocol: ``peer id``, ``sequence``, ``target``.
        text: what it holds, for a person: ``1 (server)``, ``0x8000``.
    """

    span: Span
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class WireLayer:
    """One layer around a payload, in its own bytes.

    Args:
        name: ``Ethernet``, ``IPv4``, ``UDP``, ``ENet``, ``ENet, inflated (FastLZ)``, ``WebSocket``.
        data: the layer's bytes, whole.
        parts: what its bytes are, in order; not all of them need be named.
        inside: where in *data* the next layer lies, None where that was put together or decoded from several places.
    """

    name: str
    data: bytes
    parts: tuple[LayerField, ...] = ()
    inside: Span | None = None


@dataclass(frozen=True, slots=True)
class TcpMarks:
    """What a TCP segment says beside its bytes."""

    sequence: int
    syn: bool = False
    fin: bool = False
    rst: bool = False
    ack: bool = False


@dataclass(frozen=True, slots=True)
class FramePlace:
    """What stood around some bytes in their frame: enough to name the layers when somebody asks for them.

    Args:
        link: the link type of the frame, in the numbers of pcap.
        before: the bytes in front, all headers; where fragments were put together the whole last one.
        after: the bytes behind, such as fill and check sums.
        joined: where fragments were put together, what stood in front of the bytes in the whole; else empty.
    """

    link: int
    before: bytes
    after: bytes = b""
    joined: bytes = b""


@dataclass(frozen=True, slots=True)
class Captured:
    """What one UDP datagram or one TCP segment carried.

    Args:
        number: of the frame in the capture, from 1 on; for fragments of IP, of the one that completed it.
        time: nanoseconds since 1970.
        source, target: the two ends.
        transport: UDP or TCP.
        data: the bytes that were there, fewer than were sent where the capture cut them.
        missing: how many bytes the capture cut off.
        tcp: what only TCP has.
        layers: the layers around *data*, outermost first, where they are known already.
        place: from which the layers can be made, None where no frame was read.
    """

    number: int
    time: int
    source: Endpoint
    target: Endpoint
    transport: Transport
    data: bytes
    missing: int = 0
    tcp: TcpMarks | None = None
    layers: tuple[WireLayer, ...] = ()
    place: FramePlace | None = None


class Delivery(Enum):
    """What became of a payload on its way."""

    WHOLE = "whole"
    COPY = "copy"
    """Sent again: the same payload was seen before."""
    INCOMPLETE = "incomplete"
    """Parts of it were never seen."""
    CONTROL = "control"
    """Nothing of the application: the protocol talks to itself (connect, acknowledge, ping, handshake)."""


class PayloadPlace(Protocol):
    """Where a payload stood, kept small: its layers are made when somebody looks."""

    @property
    def captured(self) -> Captured:
        """What brought it; of the last piece where it came in several."""

    def layers(self) -> tuple[WireLayer, ...]:
        """The layers between *captured* and the payload, outermost first; those around *captured* go before them."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What an application gave to the network in one piece.

    Args:
        number, time, source, target: as in :class:`Captured`; of the last piece where it came in several.
        carrier: how it travelled: ``UDP``, ``TCP``, ``WebSocket``, ``ENet reliable``, ``ENet unreliable`` ...
        data: the bytes; for CONTROL the bytes of the protocol's own command.
        delivery: whether it is whole, a copy, ...
        channel: ENet's channel, None elsewhere.
        note: one sentence where there is something to say (``Fragment 3 of 7 is missing.``), else empty.
        layers: the layers around *data*, outermost first, where they are known already.
        place: from which the layers can be made, None where *layers* has them.
    """

    number: int
    time: int
    source: Endpoint
    target: Endpoint
    carrier: str
    data: bytes
    delivery: Delivery = Delivery.WHOLE
    channel: int | None = None
    note: str = ""
    layers: tuple[WireLayer, ...] = ()
    place: PayloadPlace | None = None
