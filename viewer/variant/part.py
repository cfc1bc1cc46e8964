"""Part and Item: what a byte of a node is called, and what a person can select."""

from __future__ import annotations

from enum import Enum

from viewer.base.record import dataclass
from viewer.base.span import Span


class Role(Enum):
    """What bytes are for."""

    HEADER = "header"
    LENGTH = "length"
    VALUE = "value"
    PADDING = "padding"
    GAP = "gap"
    PREFIX = "prefix"


@dataclass(frozen=True, slots=True)
class Part:
    """A virtual piece of a node.

    Args:
        name: what paths call it: ``header``, ``count``, ``x``, ``name0_length``, ``[3]``.
        span: its bytes, from the start of the frame.
        role: what it is for.
        type: the number type of a field, ``text``, ``bytes``, or empty for several fields.
        value: a number, a text or the raw bytes; None for ``elements``.
    """

    name: str
    span: Span
    role: Role
    type: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Item:
    """What a person can select: a node of a frame, or one of its parts.

    Args:
        frame: index of the frame; -1 - g for the gap number g outside all frames.
        node: id of the node; -1 for the frame itself (its prefix and its gap).
        part: name of the part, empty for the whole node.
    """

    frame: int
    node: int = 0
    part: str = ""
