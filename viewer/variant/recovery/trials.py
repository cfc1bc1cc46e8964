"""Trials: scans with one turn more, to see whether it makes sense."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from viewer.variant.recovery.replay import Replay
from viewer.variant.recovery.turn import Turn

MOST_TRIALS = 400
MOST_BYTES = 1 << 24
"""So many bytes are scanned for trials of one turn."""
NODE, MOST_NODES = 64, 20_000
"""What a node of a trial may cost while the trial is judged, in bytes; of larger tables not every node is looked at."""


def joined(turns: Sequence[Turn], turn: Turn) -> list[Turn]:
    """All turns in the order of their offsets."""
    return sorted([*turns, turn], key=lambda each: each.at)


class Trials:
    """Scans with the turns so far and one more.

    Args:
        replay: scans with all turns; None where one does not fit.
        turns: the turns so far.
        size: bytes that a scan reads.
        charge: told the work that a trial is; raises when it was too much.
    """

    def __init__(
        self,
        replay: Callable[[list[Turn]], Replay | None],
        turns: Sequence[Turn],
        size: int,
        charge: Callable[[int], None],
    ) -> None:
        self._charge = charge
        self._size = size
        self._replay = replay
        self._turns = turns
        self._most = min(MOST_TRIALS, 8 + MOST_BYTES // (size + 1))
        self.left = self._most

    def refill(self) -> None:
        """Let another question have as many trials again."""
        self.left = self._most

    @property
    def spent(self) -> bool:
        """Whether no trial is left."""
        return self.left <= 0

    def run(self, turn: Turn) -> Replay | None:
        """The scan with *turn*; None where it does not fit, or too many were done.

        Raises:
            Exhausted: all trials together were too much work.
        """
        if self.spent:
            return None
        self.left -= 1
        self._charge(self._size)
        found = self._replay(joined(self._turns, turn))
        if found is not None:
            self._charge(NODE * min(len(found.table), MOST_NODES))
        return found
