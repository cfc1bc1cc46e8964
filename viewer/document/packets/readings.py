"""Readings: all rules that a conversation's payloads may follow, and a payload read by one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from viewer.base.diagnostic import Code, Severity, count_bytes
from viewer.base.record import dataclass
from viewer.document.packets import godot3, godot4
from viewer.document.packets.draft import MessageBroken, MessageDraft
from viewer.document.packets.godot3 import HEADER, OLD_HEADER, Body, Numbering
from viewer.document.packets.node_paths import Known
from viewer.document.packets.packet_values import ValueReader
from viewer.document.pieces.message import Protocol
from viewer.variant.dialect import Dialect, available

PATH_CONFIRMS = frozenset({"godot4.0"})
"""Dialects whose engines confirm a path by itself, not by its number."""
GODOT3_LINES = ("godot3", "pandemonium3.5")
PANDEMONIUM_LINES = ("pandemonium3.5", "pandemonium4", "pandemonium5")
GODOT4_LINES = ("godot4", "godot4.0")
LINES_BY_ENGINE = {"godot3": (*GODOT3_LINES, *PANDEMONIUM_LINES[1:]), "godot4": GODOT4_LINES}
CLIENT_ID_SIZE = 4


@dataclass(frozen=True, slots=True)
class PayloadSample:
    """A payload and what its way tells of it.

    Args:
        data: the bytes.
        from_server: whether the server sent it, None where nobody knows.
        carrier, channel: as in :class:`viewer.container.wire.Payload`.
    """

    data: bytes
    from_server: bool | None = None
    carrier: str = "UDP"
    channel: int | None = None


@dataclass(frozen=True, slots=True)
class PayloadReading:
    """Rules for the payloads of one conversation.

    Args:
        protocol: whose rules.
        dialect: in which values are read.
        numbering: of Godot 3's packets.
        body: what follows Godot 3's header.
        header: bytes of Godot 3's ENet header.
        big_endian: whether the length before a value is.
    """

    protocol: Protocol
    dialect: Dialect
    numbering: Numbering = Numbering.GODOT
    body: Body = Body.PACKETS
    header: int = HEADER
    big_endian: bool = False

    @property
    def sends_numbers(self) -> bool:
        """Whether a Godot 4 confirm path has a number."""
        return self.dialect.key not in PATH_CONFIRMS

    def read(self, sample: PayloadSample, known: Known, values: ValueReader) -> MessageDraft:
        """A payload read by these rules, to its end; *values* reads the dialect."""
        draft = MessageDraft(sample.data, known, values, sample.from_server)
        if sample.from_server and known.first_to_client is None:
            known.first_to_client = sample.data
        if not sample.data:
            draft.kind = draft.summary = "empty"
            return draft
        try:
            self._follow(draft, sample)
        except MessageBroken as error:
            draft.end = len(sample.data)
            draft.broken(error)
        return draft

    def _follow(self, draft: MessageDraft, sample: PayloadSample) -> None:
        if self.protocol is Protocol.VALUE:
            godot3.read_value(draft)
        elif self.protocol is Protocol.STREAM_VALUE:
            _stream_values(draft, self.big_endian)
        elif self.protocol is Protocol.GODOT3:
            godot3.read_enet(draft, self.numbering, self.body, self.header, sample.channel)
        elif self.protocol is Protocol.GODOT3_WEBSOCKET:
            godot3.read_websocket(draft, self.numbering, self.body)
        elif self.protocol is Protocol.GODOT4:
            _godot4(draft, sample)
        else:
            draft.summary = draft.opaque("data")


def _godot4(draft: MessageDraft, sample: PayloadSample) -> None:
    """A packet, or over WebSocket the id that a client gets first."""
    is_first = sample.from_server and sample.data == draft.known.first_to_client
    if is_first and sample.carrier == "WebSocket" and len(sample.data) == CLIENT_ID_SIZE:
        peer = godot4.read_client_id(draft)
        draft.known.client = peer
        draft.doubtful |= peer < 2
    else:
        godot4.read_packet(draft)


def _stream_values(draft: MessageDraft, big_endian: bool) -> None:
    """Lengths and values, one after the other; behind a broken one nobody knows where the next begins."""
    texts: list[str] = []
    evidence = 0.0
    while draft.left:
        draft.expect(4, "the length")
        length = int.from_bytes(draft.data[draft.at : draft.at + 4], "big" if big_endian else "little")
        if length > draft.left - 4:
            sentence = Code.PREFIX_TOO_LONG.template.format(
                length=count_bytes(length), available=count_bytes(draft.left - 4)
            )
            draft.remark(Severity.ERROR, f"At byte {draft.at}: {sentence}")
        draft.put("length", 4, f"{length}" + (" (big-endian)" if big_endian else ""))
        whole = draft.end
        draft.end = min(whole, draft.at + length)
        try:
            godot3.read_value(draft)
        except MessageBroken as error:
            draft.broken(error)
            raise
        finally:
            draft.end = whole
        texts.append(draft.summary)
        evidence += draft.evidence + 1.0
    draft.summary = ", ".join(texts)
    draft.kind = draft.kind if len(texts) == 1 else "values"
    draft.evidence = evidence


# All rules


def readings(carrier: str, engine: str | None, dialect: Dialect | None) -> Iterator[PayloadReading]:
    """The rules that payloads may follow which came this way.

    Args:
        carrier: as in :class:`viewer.container.wire.Payload`; what is not known may be anything.
        engine: ``godot3`` or ``godot4`` where that is known.
        dialect: the only one, where that is settled.
    """
    lines = [dialect] if dialect is not None else list(_lines(engine))
    known = carrier.startswith("ENet") or carrier in ("UDP", "TCP", "WebSocket")
    if carrier.startswith("ENet") or not known:
        yield from _godot3(Protocol.GODOT3, lines, (HEADER, OLD_HEADER))
    if carrier == "WebSocket" or not known:
        yield from _godot3(Protocol.GODOT3_WEBSOCKET, lines, (HEADER,))
    if carrier.startswith("ENet") or carrier == "WebSocket" or not known:
        yield from (PayloadReading(Protocol.GODOT4, line) for line in lines if line.key not in _ONLY_GODOT3)
    if carrier == "TCP" or not known:
        yield from (
            PayloadReading(Protocol.STREAM_VALUE, line, big_endian=big) for line in lines for big in (False, True)
        )
    if not (carrier.startswith("ENet") and engine == "godot3"):
        yield from (PayloadReading(Protocol.VALUE, line) for line in lines)


def readings_of(protocol: Protocol, dialect: Dialect | None) -> list[PayloadReading]:
    """The rules of one protocol, which a person chose."""
    lines = [dialect] if dialect is not None else list(available())
    if protocol in (Protocol.GODOT3, Protocol.GODOT3_WEBSOCKET):
        headers = (HEADER, OLD_HEADER) if protocol is Protocol.GODOT3 else (HEADER,)
        return list(_godot3(protocol, lines, headers))
    if protocol is Protocol.GODOT4 and dialect is None:
        lines = [line for line in lines if line.key not in _ONLY_GODOT3]
    if protocol is Protocol.STREAM_VALUE:
        return [PayloadReading(protocol, line, big_endian=big) for line in lines for big in (False, True)]
    return [PayloadReading(protocol, line) for line in lines]


_ONLY_GODOT3 = frozenset({"godot2", *GODOT3_LINES, *PANDEMONIUM_LINES})


def _lines(engine: str | None) -> Iterator[Dialect]:
    """The dialects that this engine may write, the user's own included."""
    lines = LINES_BY_ENGINE.get(engine or "")
    return (line for line in available() if lines is None or line.key in lines)


def _godot3(protocol: Protocol, lines: list[Dialect], headers: tuple[int, ...]) -> Iterator[PayloadReading]:
    for line, header in product(lines, headers):
        if line.key in ("godot2", *GODOT4_LINES) and len(lines) > 1:
            continue
        if line.key not in PANDEMONIUM_LINES or line.key in GODOT3_LINES:
            yield PayloadReading(protocol, line, Numbering.GODOT, Body.PACKETS, header)
        if line.key in PANDEMONIUM_LINES and header == HEADER:
            yield PayloadReading(protocol, line, Numbering.PANDEMONIUM, Body.PACKETS, header)
        yield PayloadReading(protocol, line, Numbering.GODOT, Body.VALUES, header)
        yield PayloadReading(protocol, line, Numbering.GODOT, Body.BYTES, header)
