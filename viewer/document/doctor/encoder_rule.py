"""An encoder rule: one thing that an encoder does otherwise than the engines, as its author should be told."""

from __future__ import annotations

from typing import Any

from viewer.base.record import dataclass, fields, replace
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.wire_format import ENGINE, WireFormat

Changes = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True, eq=False)
class EncoderRule:
    """One thing that an encoder does otherwise everywhere. It equals itself alone: those to be joined are of a table.

    Args:
        slug: its name on the command line.
        writes: what the encoder does: "writes a bool as one byte".
        reads: what an engine does: "reads four bytes".
        noun: what it concerns, by the name of :class:`~viewer.document.doctor.replay_cursor.RuleCounts`.
        changes: (name, value) of the fields of the wire format that differ.
        bits: how rare it is.
        cause: what it is an instance of.
    """

    slug: str
    writes: str
    reads: str
    noun: str
    changes: Changes
    bits: float = 7.0
    cause: Cause = Cause.ENCODER_RULE

    @property
    def sentence(self) -> str:
        """It, told to who wrote the encoder."""
        return f"Your encoder {self.writes}; an engine {self.reads}."

    def is_about(self, other: EncoderRule) -> bool:
        """Whether another rule says something of a field of the format of which this one does."""
        return not {name for name, _ in self.changes}.isdisjoint(name for name, _ in other.changes)

    def on(self, wire: WireFormat) -> WireFormat | None:
        """A format with this rule too, None where it already differs in the same thing."""
        changes: dict[str, Any] = {}
        for name, value in self.changes:
            if name == "layouts":
                changes[name] = (*wire.layouts, *value)
            elif getattr(wire, name) != getattr(ENGINE, name):
                return None
            else:
                changes[name] = value
        return replace(wire, **changes)


def rule(
    slug: str, writes: str, reads: str, noun: str, bits: float = 7.0, cause: Cause = Cause.ENCODER_RULE, **changes: Any
) -> EncoderRule:
    """A line of a table of rules; the fields of the wire format that differ are named as keywords."""
    unknown = changes.keys() - {each.name for each in fields(WireFormat)}
    assert not unknown, unknown
    return EncoderRule(slug, writes, reads, noun, tuple(changes.items()), bits, cause)


HEADER, TEXT, PACKED, PACKED_NUMBER = "header", "text", "packed array", "type number of a packed array"
FOUR = "reads four bytes"
UNLESS_FLAGGED = "reads four bytes, and eight only where the header has that flag, 0x10000"
WHERE_FLAGGED = "reads eight bytes where the header has that flag, 0x10000"
UP_TO_FOUR = "expects zeros up to a multiple of four bytes"
