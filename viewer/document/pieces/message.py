"""Message: what a payload says, byte by byte."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from viewer.base.diagnostic import Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.variant.dialect import Dialect

UNREAD = ("unread", "ignored")
"""The names of bytes that cannot be followed, or that engines skip."""


class FieldRole(Enum):
    """What a piece of a message is made of."""

    FIELD = "field"
    """A number, an id or a text of the protocol itself."""
    VALUE = "value"
    """An ordinary Variant, unaligned; its bytes are scanned as a frame of their own."""
    COMPRESSED = "compressed"
    """A Variant in Godot 4's short form of one to nine bytes, which only this protocol has."""
    OPAQUE = "opaque"
    """Bytes of the game, or bytes that nothing explains."""


@dataclass(frozen=True, slots=True)
class FieldForm:
    """How a field lies in its bytes; with it the field can be read, and another one written in its place.

    Args:
        type: ``u8`` to ``u64``, ``i8`` to ``i64``, ``f32``, ``f64``, ``varint``, ``text``, ``bytes``, or ``uid``: a
            number of 64 bits that is written ``uid://…``.
        big_endian: the order of the bytes of its number, or of its length.
        length: of a text or bytes, how many bytes the number in front takes that says how long they are; it lies in
            the field's span. 0 where there is none, -1 for a varint.
        end: what ends a text, in the field's span; a length in front counts it.
        is_fixed: whether the field keeps its size; a shorter text is filled with NULs.
        fill: to a multiple of so many bytes NULs fill a text, which its length counts; 0 for none.
        is_locked: whether a person may only read it, since it follows from something else.
    """

    type: str
    big_endian: bool = False
    length: int = 0
    end: bytes = b""
    is_fixed: bool = False
    fill: int = 0
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class MessageField:
    """A run of bytes of a message.

    Args:
        span: where, in the payload.
        name: what it is: ``source``, ``target``, ``kind``, ``node``, ``method``, ``argument 1``, ``path``.
        text: what it holds, for a person: ``1 (server)``, ``3 = Main/Player``, ``hit``.
        role: what it is made of.
        children: the same bytes in more detail, such as the flags of a command.
        form: how it lies in its bytes where it is one number, text or run of bytes.
        is_view: whether it has no bytes of its own, but shows a value elsewhere, whose bytes *span* is.
    """

    span: Span
    name: str
    text: str
    role: FieldRole = FieldRole.FIELD
    children: Sequence[MessageField] = ()
    form: FieldForm | None = None
    is_view: bool = False

    @property
    def is_opaque(self) -> bool:
        """Whether these are bytes of the game, or such that nothing explains."""
        return self.role is FieldRole.OPAQUE

    @property
    def is_unread(self) -> bool:
        """Whether no engine makes anything of these bytes."""
        return self.is_opaque and self.name in UNREAD


class Protocol(Enum):
    """Whose rules a payload follows."""

    VALUE = "value"
    """One bare Variant, as ``put_var`` on a packet peer sends it."""
    STREAM_VALUE = "length and value"
    """A length word and a Variant, as ``put_var`` on a stream sends it."""
    GODOT3 = "Godot 3 multiplayer"
    GODOT3_WEBSOCKET = "Godot 3 multiplayer over WebSocket"
    GODOT4 = "Godot 4 multiplayer"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Message:
    """A payload, explained.

    Args:
        protocol: whose rules it follows.
        kind: what it is in a word or two: ``call``, ``set``, ``simplify path``, ``spawn``, ``Dictionary``, ``bytes``.
        summary: one line for a list: ``Main/Player.hit(1, "abc")``.
        pieces: what its bytes are, in order; they tile the payload.
        dialect: in which its values are read, None where it has none.
        severity: the worst that is wrong with it, None for nothing.
        sentence: what is wrong, empty for nothing.
        sender, receiver: multiplayer ids where they are known (receiver 0 = all, -n = all but n).
    """

    protocol: Protocol
    kind: str
    summary: str
    pieces: tuple[MessageField, ...]
    dialect: Dialect | None = None
    severity: Severity | None = None
    sentence: str = ""
    sender: int | None = None
    receiver: int | None = None


def leaves(pieces: Iterable[MessageField]) -> Iterator[MessageField]:
    """The pieces that have no finer ones, in order; they tile what *pieces* tile."""
    waiting = list(reversed(list(pieces)))
    while waiting:
        piece = waiting.pop()
        if piece.children:
            waiting.extend(reversed(piece.children))
        else:
            yield piece


def named_at(pieces: Sequence[MessageField], offset: int) -> tuple[str, MessageField] | None:
    """The finest piece that holds a byte, with the names on the way to it: ``strings, string 3``; None for no piece."""
    names: list[str] = []
    found: MessageField | None = None
    waiting = pieces
    while True:
        place = bisect_right(waiting, offset, key=lambda piece: piece.span.start) - 1
        if place < 0 or offset not in waiting[place].span:
            return None if found is None else (", ".join(names), found)
        found = waiting[place]
        names.append(found.name)
        waiting = found.children
