"""Conversation: the payloads of two ends, explained by what all of them together tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.container.enet.connection import ConnectionFacts
from viewer.container.wire import Delivery, Endpoint, Payload, WireLayer
from viewer.document.packets.node_paths import MethodNames, PeerKnowledge
from viewer.document.packets.packet_values import Readers
from viewer.document.packets.readings import MOST_SAMPLES, PayloadReading, PayloadSample, recognise
from viewer.document.pieces.message import FieldRole, Message, MessageField, Protocol
from viewer.variant.dialect import Dialect

# Flow: what the payloads of two ends have told so far, and whose rules they follow.


MOST_ASKED = 8 * MOST_SAMPLES
"""So many payloads are explained before the rules are settled, even where they are mostly the same."""


class Flow:
    """One conversation. Belongs to one thread.

    Its rules are recognised from the payloads that :meth:`learn` is given, which should be those of the beginning;
    without it from those that are explained, so that the first of them may be read by other rules than the later ones.

    Args:
        engine: ``godot3`` or ``godot4`` where something else tells it, such as how ENet was set up.
        protocol, dialect: what a person fixed; it is not questioned.
        methods: names of methods that a person gave.
        client: the multiplayer id of the end that is not the server, where that is known.
        readers: those of other flows in the same thread, so that many flows need little memory.

    Attributes:
        reading: the rules that its payloads follow, as far as is known.
        version: goes up when payloads that were explained before would now be explained differently.
    """

    def __init__(
        self,
        engine: str | None = None,
        protocol: Protocol | None = None,
        dialect: Dialect | None = None,
        methods: Iterable[MethodNames] = (),
        client: int | None = None,
        readers: Readers | None = None,
    ) -> None:
        self._engine = engine
        self._protocol = protocol
        self._dialect = dialect
        self._known = PeerKnowledge(methods, client=client)
        self._seen: list[PayloadSample] = []
        self._asked = 0
        self._is_settled = False
        self.version = 0
        self.reading = recognise((), engine, protocol, dialect)
        self._readers = readers or Readers()
        self._values = self._readers.of(self.reading.dialect)
        self._known.sends_numbers = self.reading.sends_numbers

    def learn(self, samples: Iterable[PayloadSample]) -> None:
        """Recognise the rules from these payloads, and keep to them."""
        self._follow(recognise(samples, self._engine, self._protocol, self._dialect))
        self._is_settled = True
        self._seen.clear()

    def explain(self, sample: PayloadSample) -> Message:
        """What the next payload says, or again one from before. Its bytes may be anything."""
        if not self._is_settled:
            self._see(sample)
        reading = self.reading
        return reading.read(sample, self._known, self._values).message(reading.protocol)

    def name_methods(self, methods: Iterable[MethodNames]) -> None:
        """Know methods by these names from now on."""
        self._known.name_methods(methods)
        self.version += 1

    def nodes_of(self, names: MethodNames) -> tuple[str, ...]:
        """The paths of the nodes seen so far whose methods these are; none where the list is right for none."""
        return self._known.nodes_of(names)

    def _see(self, sample: PayloadSample) -> None:
        """Judge anew after 1, 2, 4, ... payloads; a payload that is explained again counts once."""
        self._asked += 1
        if sample not in self._seen:
            self._seen.append(sample)
            count = len(self._seen)
            if count & count - 1 == 0:
                self._follow(recognise(self._seen, self._engine, self._protocol, self._dialect))
        if len(self._seen) >= MOST_SAMPLES or self._asked >= MOST_ASKED:
            self._is_settled = True
            self._seen.clear()

    def _follow(self, reading: PayloadReading) -> None:
        if reading == self.reading:
            return
        self.reading = reading
        self._values = self._readers.of(reading.dialect)
        self._known.sends_numbers = reading.sends_numbers
        self.version += 1


def explain(
    data: bytes, flow: Flow, from_server: bool | None = None, carrier: str = "UDP", channel: int | None = None
) -> Message:
    """What a payload says; the flow learns from it.

    Args:
        data: the bytes, which may be anything.
        flow: its conversation.
        from_server: whether the server sent it, None where nobody knows.
        carrier, channel: as in :class:`viewer.container.wire.Payload`.
    """
    return flow.explain(PayloadSample(data, from_server, carrier, channel))


# Conversation.


MOST_SERVERS = 1024
SURE = 8
"""So many payloads make a conversation an example for others."""


_WORDS = re.compile(r"[A-Za-z ]*")


class PortProtocol(Enum):
    """What a person says that a port carries."""

    VALUES = "values"
    """Bare values over UDP, values behind their lengths over TCP."""
    ENET = "ENet"
    WEBSOCKET = "WebSocket"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class TrafficSettings:
    """What a person said about the traffic; nothing of it is questioned.

    Args:
        ports: what some ports carry.
        protocol, dialect: of all conversations.
        methods: names of methods, for protocols that send numbers only.
    """

    ports: Mapping[int, PortProtocol] = field(default_factory=dict)
    protocol: Protocol | None = None
    dialect: Dialect | None = None
    methods: tuple[MethodNames, ...] = ()

    def carries(self, one: Endpoint, other: Endpoint) -> PortProtocol | None:
        """What the two ends say to each other, None where nobody said."""
        return self.ports.get(one.port) or self.ports.get(other.port)


class Neighbours:
    """What conversations share: readers of values, and what was found out about others with the same server.

    Those most likely follow the same rules; a server that very many clients talk to would cost very much otherwise.
    Belongs to one thread.
    """

    def __init__(self) -> None:
        self.readers = Readers()
        self._readings: dict[tuple[Endpoint, str], PayloadReading] = {}

    def get(self, server: Endpoint, carrier: str) -> PayloadReading | None:
        """The rules of an earlier conversation with a server, None where there was none."""
        return self._readings.get((server, carrier))

    def put(self, server: Endpoint, carrier: str, reading: PayloadReading) -> None:
        """Remember the rules of a conversation."""
        key = server, carrier
        self._readings.pop(key, None)
        self._readings[key] = reading
        if len(self._readings) > MOST_SERVERS:
            del self._readings[next(iter(self._readings))]


class Conversation:
    """The payloads between two ends. They are given to it in order, and explained when somebody asks.

    Args:
        told: what a person said.
        protocol: whose rules the payloads follow, where their carrier decides it.
        server: the end that was called, None while nobody knows.
        caller: the end that spoke first.
        facts: what ENet tells of the connection now.
        neighbours: what it shares with other conversations.
    """

    def __init__(
        self,
        told: TrafficSettings,
        protocol: Protocol | None = None,
        server: Endpoint | None = None,
        caller: Endpoint | None = None,
        facts: Callable[[], ConnectionFacts] | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._told = told
        self._protocol = protocol or told.protocol
        self._server = server
        self._caller = caller
        self._facts = facts
        self._neighbours = neighbours or Neighbours()
        self._samples: list[Payload] = []
        self._learned = 0
        self._greeting: Payload | None = None
        self._greeted: Message | None = None
        self._version = 0
        self._flow: Flow | None = None

    @property
    def version(self) -> int:
        """Goes up when payloads that were explained before would now be explained differently."""
        return self._version

    @property
    def server(self) -> Endpoint | None:
        """The end that was called, None while nobody knows."""
        if self._server is None and self._facts is not None:
            self._server = self._facts().server
        return self._server

    @server.setter
    def server(self, found: Endpoint) -> None:
        self._server = found

    def follow(self, protocol: Protocol) -> None:
        """Have the payloads follow these rules, because their carrier says so; before any is explained."""
        self._protocol = self._told.protocol or protocol

    def note(self, payload: Payload) -> None:
        """Take the next payload, for what it tells of the others."""
        if self._caller is None:
            self._caller = payload.source
        if len(self._samples) < MOST_SAMPLES and payload.delivery is Delivery.WHOLE:
            self._samples.append(payload)

    def to_server(self, payload: Payload) -> bool:
        """Whether it went to the end that was called; where nobody knows, to the one that did not speak first."""
        server = self.server
        return payload.target == server if server is not None else payload.source == self._caller

    def explain(self, payload: Payload) -> Message:
        """What a payload says."""
        if payload.delivery is Delivery.CONTROL:
            return control_message(payload)
        count = len(self._samples)
        if count > self._learned and (count >= 2 * self._learned or count == MOST_SAMPLES):
            self._learn()
        if payload is self._greeting and self._greeted is not None:
            return self._greeted
        if self._flow is None:
            self._flow = self._new_flow(None, self._protocol, self._told.dialect, None)
        found = self._flow.explain(self._sample(payload))
        if payload.delivery is Delivery.INCOMPLETE:
            return replace(found, severity=Severity.NOTE, sentence=payload.note)
        return found

    def _learn(self) -> None:
        """Find out anew whose rules the payloads follow."""
        self._learned = len(self._samples)
        facts = self._facts() if self._facts is not None else ConnectionFacts()
        engine = facts.engine.value if facts.engine is not None else None
        samples = [self._sample(payload) for payload in self._samples]
        flow = self._like_a_neighbour(engine, facts.client_id, samples)
        if flow is None:
            flow = self._new_flow(engine, self._protocol, self._told.dialect, facts.client_id)
            flow.learn(samples)
            if self._learned >= SURE and flow.reading.protocol is not Protocol.UNKNOWN:
                self._neighbours.put(*self._place(), flow.reading)
        if self._flow is not None and self._learned > 1 and flow.reading == self._flow.reading:
            return
        self._flow = flow
        self._version += 1
        self._greet(flow)

    def _like_a_neighbour(self, engine: str | None, client: int | None, samples: list[PayloadSample]) -> Flow | None:
        """A flow by the rules of another conversation with the same server, None where they do not fit."""
        known = self._neighbours.get(*self._place())
        if known is None or self._learned >= MOST_SAMPLES:
            return None
        protocol, dialect = self._protocol or known.protocol, self._told.dialect or known.dialect
        probe, found = (self._new_flow(engine, protocol, dialect, client) for _ in range(2))
        probe.learn(samples[:SURE])
        wrong = [sample for sample in samples if probe.explain(sample).severity is Severity.ERROR]
        if len(wrong) > max(1, len(samples) // SURE):
            return None
        if wrong:  # a few are broken by all rules, or these are not the right ones
            other = self._new_flow(engine, self._protocol, self._told.dialect, client)
            other.learn(wrong)
            if other.reading.protocol is not Protocol.UNKNOWN:
                return None
        found.learn(samples[:SURE])
        return found

    def _new_flow(
        self, engine: str | None, protocol: Protocol | None, dialect: Dialect | None, client: int | None
    ) -> Flow:
        return Flow(engine, protocol, dialect, self._told.methods, client, self._neighbours.readers)

    def _place(self) -> tuple[Endpoint, str]:
        """The server, or who most likely is, and how the payloads travel."""
        first = self._samples[0]
        server = self.server or (first.target if first.source == self._caller else first.source)
        return server, first.carrier.partition(" ")[0]

    def _greet(self, flow: Flow) -> None:
        """Explain the server's first payload now: some protocols begin with one of its own kind."""
        server = self.server
        first = next((each for each in self._samples if each.source == server), None)
        self._greeting = first
        self._greeted = None if first is None else flow.explain(self._sample(first))

    def _sample(self, payload: Payload) -> PayloadSample:
        server = self.server
        from_server = None if server is None else payload.source == server
        return PayloadSample(payload.data, from_server, payload.carrier, payload.channel)


def control_message(payload: Payload) -> Message:
    """What a protocol says to itself, as far as its layers name the bytes."""
    layers = payload.layers or (payload.place.layers() if payload.place is not None else ())
    words = _WORDS.match(payload.note)
    kind = words[0].strip().lower() if words else "control"
    pieces = _pieces(layers, payload.data)
    return Message(Protocol.UNKNOWN, kind or "control", payload.note or kind, pieces)


def _pieces(layers: tuple[WireLayer, ...], data: bytes) -> tuple[MessageField, ...]:
    """The named parts of the layer that has just these bytes, and what lies between them."""
    if not data:
        return ()
    found: list[MessageField] = []
    at = 0
    for part in next((layer.parts for layer in reversed(layers) if layer.data == data), ()):
        if part.span.start < at or not part.span or part.span.end > len(data):
            continue
        if part.span.start > at:
            found.append(_unnamed(data, at, part.span.start))
        found.append(MessageField(part.span, part.name, part.text))
        at = part.span.end
    if at < len(data):
        found.append(_unnamed(data, at, len(data)))
    return tuple(found)


def _unnamed(data: bytes, start: int, end: int) -> MessageField:
    return MessageField(Span(start, end), "data", data[start : min(end, start + 16)].hex(" ").upper(), FieldRole.OPAQUE)
