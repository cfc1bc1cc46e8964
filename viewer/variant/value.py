"""What a Variant holds, as plain immutable Python.

A value is a type name of its dialect and the data that its kind asks for:

==================  =====================================================
layout              data
==================  =====================================================
nothing             None
one field           bool, int or float
several fields      tuple of int or float, in wire order
string              str
node path           NodePath
object              ObjectId, ObjectFull or None
resource            ObjectFull
reference           Reference or None
signal              Signal
array               Array of values
dictionary          Dictionary of pairs of values
packed, u8          bytes
packed, one field   tuple of int or float
packed, more        tuple of tuples
packed strings      tuple of str
image               Image
input event         InputEvent
==================  =====================================================

What plain Python cannot hold rides along on subclasses, so that nothing is lost on the way back to bytes: :class:`NaN`
keeps its bits, :class:`RawText` the bytes that an engine reads as this text but would not write.

Nesting comes from files: nothing here recurses over :attr:`Value.data` but the generated ``==`` and ``repr``, which
code must not call on values of unknown depth.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import TypeAlias

from viewer.base.record import dataclass


class NaN(float):
    """A NaN that remembers its bits; *size* is 4 or 8 bytes."""

    __slots__ = ("raw",)
    raw: bytes

    def __new__(cls, raw: bytes) -> NaN:
        self = super().__new__(cls, "nan")
        self.raw = raw
        return self

    @property
    def bits(self) -> int:
        """The IEEE 754 bits as one integer, of 4 or 8 bytes like :attr:`raw`."""
        return int.from_bytes(self.raw, "little")


class RawText(str):
    """Text whose bytes in the file are not its plain UTF-8: an embedded NUL, a byte order mark, odd UTF-8."""

    __slots__ = ("raw",)
    raw: bytes

    def __new__(cls, text: str, raw: bytes) -> RawText:
        self = super().__new__(cls, text)
        self.raw = raw
        return self


@dataclass(frozen=True, slots=True)
class NodePath:
    """A node path in its parts. *prop* is Godot 2's property, written behind flag bit 1; None where there is none."""

    names: tuple[str, ...] = ()
    subnames: tuple[str, ...] = ()
    absolute: bool = False
    prop: str | None = None

    @property
    def text(self) -> str:
        """The path as an engine prints it: ``/A/B:sub:prop``."""
        tail = self.subnames if self.prop is None else (*self.subnames, self.prop)
        return ("/" if self.absolute else "") + "/".join(self.names) + "".join(f":{name}" for name in tail)


@dataclass(frozen=True, slots=True)
class ObjectId:
    """An object written as its 64-bit instance id (unsigned)."""

    id: int


@dataclass(frozen=True, slots=True)
class ObjectFull:
    """An object written as its class and stored properties. Nothing is ever instantiated."""

    class_name: str
    properties: tuple[tuple[str, Value], ...] = ()


class ReferenceKind(IntEnum):
    """How a binary resource names another one."""

    NULL = 0
    PATH = 1
    INTERNAL = 2
    EXTERNAL = 3


@dataclass(frozen=True, slots=True)
class Reference:
    """Another resource, as a binary resource names it.

    Args:
        kind: how; never NULL, for which there is no reference.
        number: of an internal or external resource, as the file writes it.
        type, path: of a resource that is named by its path.
    """

    kind: ReferenceKind
    number: int = 0
    type: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal: its name and the 64-bit id of its object (unsigned)."""

    name: str
    object_id: int


@dataclass(frozen=True, slots=True)
class ElementType:
    """What a typed collection holds. Exactly one of the three says it.

    *builtin* is a type number of the dialect; *class_name* an engine class (beside builtin ``Object`` in Pandemonium 5,
    where *as_ids* tells that the elements are ids); *script* a resource path.
    """

    builtin: int | None = None
    class_name: str | None = None
    script: str | None = None
    as_ids: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """Elements, their type where the array is typed, and the shared bit of the count word."""

    elements: tuple[Value, ...] = ()
    element_type: ElementType | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Pairs in wire order, equal keys included; types where the dictionary is typed; the shared bit."""

    pairs: tuple[tuple[Value, Value], ...] = ()
    key_type: ElementType | None = None
    value_type: ElementType | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """Godot 2's image: format number, *extra* mipmap levels, size in pixels, pixel bytes."""

    format: int
    mipmaps: int
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class InputEvent:
    """Godot 2's input event: type number, device, and what this type stores, by name."""

    type: int
    device: int
    fields: tuple[tuple[str, int | float], ...] = ()


Number: TypeAlias = "int | float"
Data: TypeAlias = (
    "bool | int | float | str | bytes | tuple[Number, ...] | tuple[tuple[Number, ...], ...] | tuple[str, ...]"
    " | NodePath | ObjectId | ObjectFull | Reference | Signal | Array | Dictionary | Image | InputEvent | None"
)


@dataclass(frozen=True, slots=True)
class Value:
    """One Variant: *type* is its name in the dialect, *data* as in the table above."""

    type: str
    data: Data = None


def float_from(raw: bytes) -> float:
    """The float in 4 or 8 little-endian bytes; a NaN keeps its bits."""
    number: float = struct.unpack("<f" if len(raw) == 4 else "<d", raw)[0]
    return NaN(bytes(raw)) if number != number else number
