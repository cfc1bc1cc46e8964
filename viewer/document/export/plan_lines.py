"""What a bulk edit would do as lines for a terminal, with no more work than the bytes are worth."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.unseen import printable
from viewer.document.bulk import Plan, Row
from viewer.document.export.paths import Paths

MOST_READ = 20_000
"""So many values within values are read to be shown; what holds others behind them is told by its type."""


class PlanLines:
    """Tells of the rows of a plan.

    Args:
        plan: what a bulk edit would do.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._paths = Paths(plan.document)
        self._read = 0
        self._short = 0

    def lines(self) -> Iterator[str]:
        """What changes, one value a line, and what cannot."""
        for row in self._plan.rows:
            tail = f"! {row.problem}" if row.problem else f"-> {self._plan.after(row)}"
            yield printable(f"{self.place(row)}: {self._before(row)} {tail}")

    def place(self, row: Row) -> str:
        """A row's path; where that is left out, the offset of its bytes."""
        return printable(self._paths.path(row.item) or f"0x{row.start:X}")

    @property
    def left_out(self) -> list[str]:
        """What the lines do not tell and how to see it, one sentence each."""
        found = [self._paths.left_out] if self._paths.left_out else []
        if self._short:
            values = "1 value is" if self._short == 1 else f"{self._short} values are"
            found.append(f"{values} told by the type only, as very many lie in one another: get FILE PATH prints one.")
        return found

    def _before(self, row: Row) -> str:
        held = self._plan.held(row)
        if held and self._read + held > MOST_READ:
            self._short += 1
            return f"{self._plan.type(row)} …"
        self._read += held
        return self._plan.before(row)
