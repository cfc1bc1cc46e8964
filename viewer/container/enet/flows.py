"""Conversations over ENet: captured datagrams in, payloads out, and what is known of each connection."""

from __future__ import annotations

from dataclasses import replace

from viewer.container.enet.commands import CONNECT, FRAGMENTS, VERIFY_CONNECT, Command, fragment_at, number_at
from viewer.container.enet.datagram import Datagram, connect_id
from viewer.container.enet.facts import Facts, engine_of_fragment, facts_of_call
from viewer.container.enet.header import NOBODY
from viewer.container.enet.way import Way
from viewer.container.wire import Captured, Endpoint, Payload

MOST_FLOWS = 16_384
"""Pairs of ends that are followed at once; the oldest is given up for a new one."""
MOST_FACTS = 1024
"""Connections between the same two ends that are told apart."""

Ends = tuple[str, int, str, int]


class EnetFlows:
    """All ENet conversations of a capture; those that were begun before it are understood as well."""

    __slots__ = ("_flows", "_ways")

    def __init__(self) -> None:
        self._ways: dict[Ends, Way] = {}
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

    def facts(self, one: Endpoint, other: Endpoint, number: int | None = None) -> Facts:
        """What is known of the connection between two ends, in any order.

        Args:
            one, other: the ends.
            number: of a frame; the connection that it belongs to. None for the latest.
        """
        flow = self._flows.get(_ends(one, other)) or self._flows.get(_ends(other, one))
        return flow.facts(number) if flow else Facts()

    def _open(self, source: Endpoint, target: Endpoint) -> Way:
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
        self.there = Way(source, self._watch)
        self.back = Way(target, self._watch)
        self.there.back, self.back.back = self.back, self.there
        self._facts: list[Facts] = [Facts()]
        self._slots: dict[tuple[Endpoint, int], bytes] = {}

    def facts(self, number: int | None) -> Facts:
        """What is known of the connection that a frame belongs to, None for the latest."""
        if number is None:
            return self._facts[-1]
        return next((facts for facts in reversed(self._facts) if facts.since <= number), self._facts[0])

    def finish(self) -> list[Payload]:
        """What never became whole."""
        return self.there.finish() + self.back.finish()

    def _watch(self, captured: Captured, datagram: Datagram, command: Command) -> None:
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

    def _call(self, captured: Captured, datagram: Datagram, command: Command) -> None:
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

    def _answer(self, captured: Captured, datagram: Datagram, command: Command) -> None:
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

    def _from(self, captured: Captured) -> tuple[Way, Way]:
        """The direction of a datagram, and the other."""
        return (self.there, self.back) if self.there.source == captured.source else (self.back, self.there)

    def _fragment(self, datagram: Datagram, command: Command) -> None:
        facts = self._facts[-1]
        fragment = fragment_at(datagram.body, command)
        if facts.mtu is None and fragment.number + 1 < fragment.pieces:
            guess = engine_of_fragment(fragment.length, datagram.summed)
            if guess:
                self._facts[-1] = replace(facts, engine=guess[0], mtu=guess[1])
