"""Turns: what a second scan does otherwise than the first, so that it reads on behind an error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skip:
    """The next value does not begin at *at*, or is broken; what follows goes on at *to*.

    Args:
        at: where a value would begin; with *broken*, where the broken one does.
        to: where the next one begins; before *at* never, unless *broken*.
        broken: whether a broken value stands at *at*.
        left: how many values the collections that are open still take; the innermost ones end here where they wait
            for more. None leaves them as they are.
    """

    at: int
    to: int
    broken: bool
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """The collection whose head stands at *at* has *children* children, keys included, whatever its count says."""

    at: int
    children: int


@dataclass(frozen=True, slots=True)
class Assume:
    """The broken value at *at* is taken for a collection with *header*, whose children begin at *to*."""

    at: int
    header: int
    children: int
    to: int


Turn = Skip | Count | Assume
