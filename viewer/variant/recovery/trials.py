"""Trials: scans with one turn more, to see whether it makes sense."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from viewer.variant.recovery.replay import Replay
from viewer.variant.recovery.turn import Turn

MOST_TRIALS = 400
MOST_BYTES = 1 << 24
"""So many bytes are scanned for trials of one turn."""


def joined(turns: Sequence[Turn], turn: Turn) -> list[Turn]:
    """All turns in the order of their offsets."""
    return sorted([*turns, turn], key=lambda each: each.at)


class Trials:
    """Scans with the turns so far and one more.

    Args:
        replay: scans with all turns; None where one does not fit.
        turns: the turns so far.
        size: bytes that a scan reads.
        check: raises when no time is left.
    """

    def __init__(
        self,
        replay: Callable[[list[Turn]], Replay | None],
        turns: Sequence[Turn],
        size: int,
        check: Callable[[], None],
    ) -> None:
        self._check = check
        self._replay = replay
        self._turns = turns
        self._most = min(MOST_TRIALS, 8 + MOST_BYTES // (size + 1))
        self.left = self._most

    def refill(self) -> None:
        """Let another question have as many trials again."""
        self.left = self._most

    def run(self, turn: Turn) -> Replay | None:
        """The scan with *turn*; None where it does not fit, or too many were done."""
        self._check()
        if self.left <= 0:
            return None
        self.left -= 1
        return self._replay(joined(self._turns, turn))
