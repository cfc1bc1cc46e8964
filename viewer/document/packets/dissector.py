"""Flows: from captured datagrams and segments to the payloads of applications, each in its conversation.

Works on whole captures and on live traffic alike: everything is taken one piece at a time.
"""

from __future__ import annotations

from viewer.base.diagnostic import count_bytes
from viewer.container.enet.connection import EnetFlows
from viewer.container.enet.protocol import CONNECT, NUMBER, is_enet
from viewer.container.tcp_stream import Chunk, TcpStreams
from viewer.container.wire import Captured, Delivery, Endpoint, Payload, Transport
from viewer.document.packets.conversation import Conversation, Neighbours, PortProtocol, TrafficSettings
from viewer.document.packets.packet import SeenPayload, WholePayload
from viewer.document.packets.tcp_flows import TcpFlow
from viewer.document.pieces.message import Protocol

TRIED = 32
"""So many datagrams between two ends may speak for ENet; then only the call of a new connection does."""
MOST_PAIRS = 1 << 14
"""Pairs of ends that are followed; the one that began first is forgotten for a new one."""
DTLS = (b"\xfe\xfd", b"\xfe\xff")
DTLS_TYPES = frozenset(range(20, 24))
ENCRYPTED = "This is DTLS: it is encrypted."

Pair = tuple[Endpoint, Endpoint]


class _Pair:
    """Two ends that send each other datagrams."""

    __slots__ = ("is_enet", "plain", "since", "talk", "tried")

    def __init__(self) -> None:
        self.is_enet = False
        self.tried = 0
        self.since = -1
        self.plain: Conversation | None = None
        self.talk: Conversation | None = None


class Dissector:
    """Finds payloads in what is captured, and the conversations that they belong to.

    Args:
        told: what a person said about the traffic.
    """

    def __init__(self, told: TrafficSettings | None = None) -> None:
        self._told = told or TrafficSettings()
        self._neighbours = Neighbours()
        self._pairs: dict[Pair, _Pair] = {}
        self._enet = EnetFlows()
        self._tcp = TcpStreams()
        self._connections: dict[int, TcpFlow] = {}

    def feed(self, captured: Captured) -> list[SeenPayload]:
        """The payloads that a datagram or segment brings, or completes."""
        if captured.transport is Transport.UDP:
            return self._datagram(captured)
        return [seen for chunk in self._tcp.feed(captured) for seen in self._chunk(chunk)]

    def finish(self) -> list[SeenPayload]:
        """The payloads that were still held back; nothing more comes."""
        found = [seen for chunk in self._tcp.finish() for seen in self._chunk(chunk)]
        found += [seen for flow in self._connections.values() for seen in flow.finish()]
        self._connections.clear()
        return found + self._commands(self._enet.finish())

    # TCP

    def _chunk(self, chunk: Chunk) -> list[SeenPayload]:
        flow = self._connections.get(chunk.connection)
        if flow is None:
            flow = self._connections[chunk.connection] = TcpFlow(self._told, chunk.captured, self._neighbours)
        found = list(flow.feed(chunk))
        if len(self._connections) > MOST_PAIRS:
            found += self._connections.pop(next(iter(self._connections))).finish()
        return found

    # UDP

    def _datagram(self, captured: Captured) -> list[SeenPayload]:
        pair = self._pair(captured.source, captured.target)
        if not pair.is_enet:
            pair.is_enet = self._speaks_enet(pair, captured)
        if pair.is_enet:
            return self._commands(self._enet.feed(captured), pair, captured.source)
        return [self._plain(pair, captured)]

    def _pair(self, one: Endpoint, other: Endpoint) -> _Pair:
        found = self._pairs.get((one, other))
        if found is None:
            found = _Pair()
            while len(self._pairs) >= 2 * MOST_PAIRS:
                first, second = next(iter(self._pairs))
                del self._pairs[first, second]
                self._pairs.pop((second, first), None)
            self._pairs[one, other] = self._pairs[other, one] = found
        return found

    def _speaks_enet(self, pair: _Pair, captured: Captured) -> bool:
        """Whether a datagram shows that these two speak ENet."""
        carries = self._told.carries(captured.source, captured.target)
        if carries is not None:
            return carries is PortProtocol.ENET
        data = captured.data
        calls = len(data) > 1 and data[0] & 0x0F == 0x0F and data[1] == 0xFF
        if pair.tried >= TRIED and not calls:
            return False
        pair.tried += 1
        return not captured.missing and is_enet(data)

    def _plain(self, pair: _Pair, captured: Captured) -> SeenPayload:
        """The whole datagram as a payload."""
        if pair.plain is None:
            pair.plain = Conversation(
                self._told, self._plain_protocol(captured), caller=captured.source, neighbours=self._neighbours
            )
        data = captured.data
        note = ENCRYPTED if len(data) > 12 and data[0] in DTLS_TYPES and data[1:3] in DTLS else ""
        if captured.missing:
            note = f"The capture holds all but its last {count_bytes(captured.missing)}."
        payload = Payload(
            captured.number,
            captured.time,
            captured.source,
            captured.target,
            "UDP",
            data,
            Delivery.INCOMPLETE if captured.missing else Delivery.WHOLE,
            None,
            note,
            (),
            WholePayload(captured),
        )
        pair.plain.note(payload)
        return SeenPayload(payload, pair.plain)

    def _plain_protocol(self, captured: Captured) -> Protocol | None:
        carries = self._told.carries(captured.source, captured.target)
        return (
            {PortProtocol.VALUES: Protocol.VALUE, PortProtocol.BYTES: Protocol.UNKNOWN}.get(carries)
            if carries
            else None
        )

    # ENet

    def _commands(
        self, payloads: list[Payload], pair: _Pair | None = None, source: Endpoint | None = None
    ) -> list[SeenPayload]:
        """The payloads of ENet; *pair* is that of *source*, where all of them most likely come from."""
        found: list[SeenPayload] = []
        for payload in payloads:
            if pair is None or payload.source is not source:
                source, pair = payload.source, self._pair(payload.source, payload.target)
            talk = pair.talk
            if talk is None or self._calls_again(pair, payload):
                talk = pair.talk = self._enet_talk(pair, payload)
            talk.note(payload)
            found.append(SeenPayload(payload, talk))
        return found

    def _calls_again(self, pair: _Pair, payload: Payload) -> bool:
        """Whether a new connection begins between two ends that had one before."""
        if payload.delivery is not Delivery.CONTROL or not payload.data or payload.data[0] & NUMBER != CONNECT:
            return False
        return self._enet.facts(payload.source, payload.target, payload.number).since != pair.since

    def _enet_talk(self, pair: _Pair, payload: Payload) -> Conversation:
        one, other, number = payload.source, payload.target, payload.number
        facts = self._enet.facts(one, other, number)
        pair.since = facts.since
        return Conversation(
            self._told,
            server=facts.server,
            caller=payload.source,
            facts=lambda: self._enet.facts(one, other, number),
            neighbours=self._neighbours,
        )
