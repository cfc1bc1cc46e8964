"""Flow: one conversation of two ends, and what its payloads have told so far."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.document.packets.node_paths import Known, MethodNames
from viewer.document.packets.packet_values import Readers
from viewer.document.packets.readings import PayloadReading, PayloadSample
from viewer.document.packets.rules_recognition import MOST_SAMPLES, recognise
from viewer.document.pieces.message import Message, Protocol
from viewer.variant.dialect import Dialect

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
        self._known = Known(methods, client=client)
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
