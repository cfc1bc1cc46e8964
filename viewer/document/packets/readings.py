"""Readings: all rules that the payloads of a conversation may follow, a payload read by one, and which fit best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from viewer.base.diagnostic import Code, Severity, count_bytes
from viewer.base.record import dataclass
from viewer.document.detection.attempt import LIKELIHOOD
from viewer.document.detection.plausible import plausibility
from viewer.document.packets import godot3, godot4
from viewer.document.packets.draft import MessageBroken, MessageDraft
from viewer.document.packets.godot3 import HEADER, OLD_HEADER, Numbering, PeerMessage
from viewer.document.packets.node_paths import PeerKnowledge
from viewer.document.packets.packet_values import ValueReader
from viewer.document.pieces.message import FieldRole, MessageField, Protocol
from viewer.variant.dialect import Dialect, available, load

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
    body: PeerMessage = PeerMessage.PACKETS
    header: int = HEADER
    big_endian: bool = False

    @property
    def sends_numbers(self) -> bool:
        """Whether a Godot 4 confirm path has a number."""
        return self.dialect.key not in PATH_CONFIRMS

    def read(self, sample: PayloadSample, known: PeerKnowledge, values: ValueReader) -> MessageDraft:
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
            yield PayloadReading(protocol, line, Numbering.GODOT, PeerMessage.PACKETS, header)
        if line.key in PANDEMONIUM_LINES and header == HEADER:
            yield PayloadReading(protocol, line, Numbering.PANDEMONIUM, PeerMessage.PACKETS, header)
        yield PayloadReading(protocol, line, Numbering.GODOT, PeerMessage.VALUES, header)
        yield PayloadReading(protocol, line, Numbering.GODOT, PeerMessage.BYTES, header)


# Recognition: whose rules the payloads of a conversation follow, and which engine wrote their values.


MOST_SAMPLES = 64
"""So many payloads are judged."""
MISFIT = -3.0
ENOUGH = 1.0
"""A score that settles whose rules these are; less proves nothing."""
JUDGED_VALUES, JUDGED_NODES = 8, 32
UNLIKELY = 0.35
"""Values that look less likely than this were written by other rules."""
LIKELY, ENOUGH_NODES, NEARLY = 0.9, 4, 1.0
"""A broken value with so many likely nodes before its fault is one all the same."""
TIE = 0.1
"""How much a dialect's likelihood counts: only where the payloads say the same."""


def recognise(
    samples: Iterable[PayloadSample],
    engine: str | None = None,
    protocol: Protocol | None = None,
    dialect: Dialect | None = None,
) -> PayloadReading:
    """The rules that most payloads of one conversation follow.

    Args:
        samples: its payloads from the first one on; only the first :data:`MOST_SAMPLES` are looked at.
        engine: ``godot3`` or ``godot4`` where something else tells it, such as how ENet was set up.
        protocol, dialect: what a person fixed; it is not questioned.

    Returns:
        The reading; of protocol ``UNKNOWN`` where nothing fits.
    """
    some = [sample for sample in islice(samples, MOST_SAMPLES) if sample.data]
    if protocol is Protocol.UNKNOWN:
        return _unknown(dialect)
    if protocol is not None:
        return _best(readings_of(protocol, dialect), some)[0]
    carrier = some[0].carrier if some else ""
    best, score = _best(list(readings(carrier, engine, dialect)), some)
    if score >= ENOUGH or (carrier.startswith("ENet") and engine == "godot3"):
        return best
    if carrier.startswith("ENet") and engine == "godot4":
        return _godot4_or_unknown(some, dialect)
    return _unknown(dialect)


def _godot4_or_unknown(samples: list[PayloadSample], dialect: Dialect | None) -> PayloadReading:
    """Godot 4's rules where no payload breaks them, such as raw bytes and nothing else."""
    best, score = _best(readings_of(Protocol.GODOT4, dialect), samples)
    return best if score >= 0 else _unknown(dialect)


def _unknown(dialect: Dialect | None) -> PayloadReading:
    return PayloadReading(Protocol.UNKNOWN, dialect or load("godot4"))


def _best(candidates: Sequence[PayloadReading], samples: list[PayloadSample]) -> tuple[PayloadReading, float]:
    """The reading with the highest score, the first of equals."""
    values = {reading.dialect.key: ValueReader(reading.dialect, lints=False) for reading in candidates}
    scored = [(_score(reading, samples, values[reading.dialect.key]), reading) for reading in candidates]
    score, best = max(scored, key=lambda each: each[0] + TIE * LIKELIHOOD.get(each[1].dialect.key, 0.3))
    return best, score


def _score(reading: PayloadReading, samples: list[PayloadSample], values: ValueReader) -> float:
    known = PeerKnowledge(sends_numbers=reading.sends_numbers)
    return sum(_fits(reading, reading.read(sample, known, values), values) for sample in samples)


def _fits(reading: PayloadReading, draft: MessageDraft, values: ValueReader) -> float:
    """How much a payload speaks for a reading, negative against it."""
    if reading.body is PeerMessage.BYTES and draft.kind == "bytes":
        return 0.0 if not draft.doubtful else MISFIT
    if draft.severity is Severity.ERROR and reading.protocol is Protocol.VALUE:
        return _nearly_fits(draft, values)
    if draft.doubtful or draft.severity is Severity.ERROR:
        return MISFIT
    likely = _likelihood(draft, values)
    return MISFIT if likely < UNLIKELY else draft.evidence * (0.5 + 0.5 * likely)


def _nearly_fits(draft: MessageDraft, values: ValueReader) -> float:
    """How much a broken value speaks for values: a little where the nodes before the fault look like ones."""
    piece = next(iter(_value_pieces(draft.pieces)), None)
    if piece is None:
        return MISFIT
    table = values.table(draft.data, piece.span.start, piece.span.end)
    likely = len(table) >= ENOUGH_NODES and plausibility(table, JUDGED_NODES) >= LIKELY
    return NEARLY if likely else MISFIT


def _likelihood(draft: MessageDraft, values: ValueReader) -> float:
    """How likely the values in a payload look, 0 to 1."""
    if not draft.has_values:
        return 1.0
    total, count = 0.0, 0
    for piece in islice(_value_pieces(draft.pieces), JUDGED_VALUES):
        table = values.table(draft.data, piece.span.start, piece.span.end)
        total += plausibility(table, JUDGED_NODES)
        count += 1
    return total / count if count else 1.0


def _value_pieces(pieces: Sequence[MessageField]) -> Iterable[MessageField]:
    """The ordinary values among pieces and what they consist of, which is a few levels at most."""
    for piece in pieces:
        if piece.role is FieldRole.VALUE:
            yield piece
        yield from _value_pieces(piece.children)
