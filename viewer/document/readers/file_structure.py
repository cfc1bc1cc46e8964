"""Structure: what a reader makes of a file, and what an edit of it must keep true."""

from __future__ import annotations

from viewer.base.diagnostic import Diagnostic
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.message import FieldRole, MessageField
from viewer.variant.dialect import Dialect
from viewer.variant.string_table import StringTable
from viewer.variant.value import Reference

RESOURCE = "resource"
"""The kind of structures that the engine's ResourceLoader reads."""


def is_damaged_text(raw: bytes) -> bool:
    """Whether no engine writes these bytes as a name: no NUL ends them, one stands inside, or they are not UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return True
    return bool(raw) and raw.find(b"\0") != len(raw) - 1


@dataclass(frozen=True, slots=True)
class OffsetWord:
    """A number in the file that says where something begins: what grows before that moves it.

    Args:
        span: where the number stands.
        target: what it says, in bytes from the start of the layer.
        big_endian: the order of its bytes.
    """

    span: Span
    target: int
    big_endian: bool = False

    def written(self, target: int) -> bytes:
        """The number for another place."""
        return target.to_bytes(len(self.span), "big" if self.big_endian else "little")


@dataclass(frozen=True, slots=True)
class Resources:
    """The other resources that values of a file may name.

    Args:
        internal: what a person calls those in the file, by the number that references have.
        external: type and path of each of those outside.
        frames: the frame of each internal one.
        refuses: whether the engine refuses a reference to an internal one that there is not.
    """

    internal: dict[int, str]
    external: tuple[tuple[str, str], ...]
    frames: dict[int, int]
    refuses: bool = True

    def named(self, reference: Reference) -> str:
        """What a reference names, empty where it names nothing."""
        if reference.path:
            return reference.path
        if reference.number in self.internal and reference.kind.name == "INTERNAL":
            return self.internal[reference.number]
        known = reference.kind.name == "EXTERNAL" and reference.number < len(self.external)
        return self.external[reference.number][1] if known else ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A file that is more than values: its bytes by name.

    Args:
        kind: what it is, as the command line names it: ``resource``.
        title: what it is, for a person.
        dialect: how its values lie.
        pieces: fields and values, in byte order; they tile the layer.
        main: the number, among the values, of the one that a person opened the file for.
        names: the strings that names in the values are places in.
        offsets: the numbers that say where something begins.
        findings: what is wrong outside the values.
        resources: what references in the values name.
        is_searched: whether fields were looked for, so that bytes that are left over may be damage.
    """

    kind: str
    title: str
    dialect: Dialect
    pieces: tuple[MessageField, ...]
    main: int = 0
    names: StringTable | None = None
    offsets: tuple[OffsetWord, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    resources: Resources | None = None
    is_searched: bool = False

    @property
    def is_partial(self) -> bool:
        """Whether bytes are left over among the fields that were looked for."""
        return self.is_searched and any(piece.role is FieldRole.OPAQUE for piece in self.pieces)

    @property
    def values(self) -> list[MessageField]:
        """The pieces that are values, in order; the length in front of one is its child."""
        return [piece for piece in self.pieces if piece.role is FieldRole.VALUE]
