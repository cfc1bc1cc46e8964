"""Hits: what a search finds, and what it tells after each step."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.span import Span
from viewer.variant.items import Item


@dataclass(frozen=True, slots=True)
class Hit:
    """A place found: its bytes, and the item where it had to be looked at anyway."""

    span: Span
    item: Item | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What one step found.

    Args:
        hits: the places, in byte order.
        reached: the offset up to which all is known now.
        skipped: texts that were not looked at, because they are too long, no UTF-8, or took too long.
    """

    hits: list[Hit]
    reached: int
    skipped: int = 0
