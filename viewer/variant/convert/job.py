"""Job: what one conversion works with."""

from __future__ import annotations

from dataclasses import dataclass, field

from viewer.variant.convert.tally import ConvertError, Tally, article, opening
from viewer.variant.dialect import Dialect, Precision, TypeRow


@dataclass(frozen=True, slots=True)
class Job:
    """One conversion.

    Args:
        source, target: the type now and afterwards.
        dialect: where the value is now, and the one that says how its elements are called.
        precision: width of ``real`` afterwards.
        tally: what gets lost.
    """

    source: TypeRow
    target: TypeRow
    dialect: Dialect
    precision: Precision
    tally: Tally = field(default_factory=Tally)

    def refused(self) -> ConvertError:
        """The error for types that have nothing to do with each other."""
        return ConvertError(f"{opening(self.source.name)} cannot become {article(self.target.name)}.")
