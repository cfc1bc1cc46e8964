"""Where a payload stood, kept small: its layers are made when somebody looks."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.base.span import Span
from viewer.container.enet.checksum import Check
from viewer.container.enet.datagram import Habit, read_datagram
from viewer.container.enet.explain import command_layer, datagram_layers
from viewer.container.enet.fragments import JoinedPiece
from viewer.container.wire import Captured, Part, WireLayer


@dataclass(frozen=True, slots=True)
class EnetPlace:
    """A command in a datagram.

    Args:
        captured: what brought it.
        habit: how the datagram was read.
        start: where the command begins, in the bytes that hold the commands.
        check: whether the checksum is right, None where there is none.
        data: what was put together from fragments, None for what came in one piece.
        pieces: the fragments in *data*.
        count: how many fragments there should be.
    """

    captured: Captured
    habit: Habit
    start: int
    check: Check | None = None
    data: bytes | None = None
    pieces: tuple[JoinedPiece, ...] = ()
    count: int = 0

    def layers(self) -> tuple[WireLayer, ...]:
        """The layers of ENet, outermost first; those around them are the business of *captured*."""
        datagram = read_datagram(self.captured.data, self.habit)
        layers = datagram_layers(datagram, self.check)
        broken = datagram.cutting.broken
        for command in [*datagram.commands, *([broken] if broken else [])]:
            if command.start == self.start:
                last = layers[-1]
                layers[-1] = WireLayer(last.name, last.data, last.parts, Span(command.start, command.end))
                layers.append(command_layer(datagram, command))
                break
        if self.data is not None:
            layers.append(WireLayer("ENet, joined", self.data, self._piece_parts(), Span(0, len(self.data))))
        return tuple(layers)

    def _piece_parts(self) -> tuple[Part, ...]:
        return tuple(
            Part(Span(piece.start, piece.end), f"fragment {piece.number + 1} of {self.count}", f"frame {piece.frame}")
            for piece in self.pieces
        )
