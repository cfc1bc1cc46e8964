"""What a replacing would do: place by place, and as one edit."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.base.span import Span
from viewer.document.shown.hit_row import HitRow
from viewer.document.splice import Edit


@dataclass(frozen=True, slots=True)
class Row:
    """What becomes of one place.

    Args:
        span: the bytes found.
        shown: them in what is around them.
        new: what they become, in words; empty where they stay.
        size: how many bytes that is.
        problem: why they stay, empty where they are replaced.
    """

    span: Span
    shown: HitRow
    new: str = ""
    size: int = 0
    problem: str = ""

    @property
    def path(self) -> str:
        """The steps down to the value."""
        return self.shown.path

    @property
    def before(self) -> str:
        """What stands there, with what is around it."""
        return self.shown.text

    @property
    def after(self) -> str:
        """What will stand there."""
        return self.before if self.problem else f"{self.shown.before}{self.new}{self.shown.after}{self.shown.rest}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a replacing would do.

    Args:
        rows: the places in byte order, the first :data:`LIMIT` of them.
        edit: all of it as one step, None where nothing can be replaced.
        replaced: so many places become something else.
        refused: so many stay.
        values: so many values are written.
    """

    rows: tuple[Row, ...]
    edit: Edit | None
    replaced: int
    refused: int
    values: int

    @property
    def first_problem(self) -> str:
        """Why the first place that stays does so; empty where all are replaced."""
        return next((row.problem for row in self.rows if row.problem), "")
