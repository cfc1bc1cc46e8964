"""Big-endian binary resources as little-endian ones: every word that the engine swaps is swapped, and nothing is moved.

Whether Godot 3 or 4 wrote it: the numbers in packed arrays stay as they are, because the engines write them
big-endian and read them little-endian; what a game reads back is what they say here [run: 3.2.3 and 4.6].
"""

from __future__ import annotations

from struct import unpack_from

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.container.layer import MOST_INSIDE, Secret, TooLarge, Unwrapped, WrapError

RSRC = b"RSRC"
OLDEST, LATEST = 2, 4
"""The major versions of engines that write binary resources."""
CLASS_AT, LONGEST_CLASS = 24, 128
"""Where the name of the class stands behind the words of the header, and how long one may be."""
FLAGS_FROM, UIDS, DOUBLE, SCRIPT_CLASS = 4, 2, 4, 8
"""The format from which on a header has flags, and three of them."""
RESERVED = 11
WORDS = {
    1: 0, 2: 1, 3: 1, 4: 1, 10: 2, 11: 4, 12: 3, 13: 4, 14: 4, 15: 6, 16: 9, 17: 12, 18: 6, 20: 4, 23: 1, 42: 0, 43: 0,
    45: 2, 46: 4, 47: 3, 50: 4, 51: 4, 52: 16,
}  # fmt: skip
"""Words of 32 bits behind the type of a value that has no other parts."""
PACKED = {31: 1, 32: 4, 33: 4, 35: 12, 36: 16, 37: 8, 48: 8, 49: 8, 53: 16}
"""Bytes of an element of a packed array."""
LONG, TEXT, PATH, OBJECT, DICTIONARY, ARRAY, TEXTS = (40, 41), (5, 44), 22, 24, 26, 30, 34
COUNT = 0x7FFFFFFF
INLINE = 1 << 31


def resource_order(buffer: Buffer) -> str | None:
    """``little`` or ``big`` where a binary resource begins, with its mark or, as in a compressed one, without."""
    head = bytes(buffer[: len(RSRC) + CLASS_AT + LONGEST_CLASS])
    marked = head.startswith(RSRC)
    head = head[len(RSRC) :] if marked else head
    if marked and len(head) < CLASS_AT:
        return "little"
    for order, sign in (("little", "<"), ("big", ">")):
        if len(head) < CLASS_AT or any(head[1:4]) or (head[0] != 0) != (order == "big"):
            continue
        if marked:
            return order
        double, major, minor, form, length = unpack_from(f"{sign}5I", head, 4)
        name = head[CLASS_AT : CLASS_AT + length]
        if not double and OLDEST <= major <= LATEST and minor < 100 and form < 100 and 1 < length <= LONGEST_CLASS:
            is_name = name[-1:] == b"\0" and name[:-1].decode("latin-1").isidentifier()
            return order if is_name and head[0] <= 1 else None
    return "little" if marked else None


@dataclass(frozen=True, slots=True)
class BigEndianForm:
    """The byte order of a resource; *mark* is the word that told it."""

    mark: bytes

    @property
    def label(self) -> str:
        """``big-endian``."""
        return "big-endian"

    def wrap(self, inside: bytes) -> bytes:
        """The same resource with its words swapped.

        Raises:
            WrapError: it cannot be followed to its end, so that nobody knows which bytes are words.
        """
        return _Swapper(inside, "little").swapped(self.mark)


class BigEndianCodec:
    """Knows a big-endian resource by the first word of its header."""

    name = "big-endian"

    def probe(self, outside: Buffer) -> bool:
        """Whether these bytes are one."""
        return resource_order(outside) == "big"

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Swap its words.

        Raises:
            TooLarge: there are more than *limit* bytes.
            WrapError: it is none, or cannot be followed to its end.
        """
        if not self.probe(outside):
            raise WrapError("This is not a big-endian resource.")
        if len(outside) > limit:
            raise TooLarge(f"{len(outside)} bytes would come out, more than are opened.", len(outside))
        data = bytes(outside[:])
        start = len(RSRC) if data.startswith(RSRC) else 0
        return Unwrapped(_Swapper(data, "big").swapped(bytes(4)), BigEndianForm(data[start : start + 4]))


class _Swapper:
    """Goes through one resource in the byte order that it has, and swaps each word.

    Args:
        data: all of it.
        order: its byte order, ``little`` or ``big``.
    """

    def __init__(self, data: bytes, order: str) -> None:
        self._data = data
        self._order = order
        self._out = bytearray(data)
        self._at = len(RSRC) if data.startswith(RSRC) else 0

    def swapped(self, mark: bytes) -> bytes:
        """The bytes with *mark* as the first word of the header."""
        self._out[self._at : self._at + 4] = mark
        self._at += 4
        offsets = self._tables()
        for offset in offsets:
            self._at = offset
            self._block()
        return bytes(self._out)

    def _number(self, size: int = 4) -> int:
        start, end = self._at, self._at + size
        if end > len(self._data):
            raise WrapError("This big-endian resource breaks off, and what is left of it cannot be swapped.")
        raw = self._data[start:end]
        self._out[start:end] = raw[::-1]
        self._at = end
        return int.from_bytes(raw, self._order)  # type: ignore[arg-type]

    def _skip(self, size: int) -> None:
        if self._at + size > len(self._data):
            raise WrapError("This big-endian resource breaks off, and what is left of it cannot be swapped.")
        self._at += size

    def _text(self) -> None:
        self._skip(self._number())

    def _tables(self) -> list[int]:
        """Header and tables; where the resources begin."""
        major, form = (self._number(), self._number(), self._number(), self._number())[1::2]
        self._text()
        self._number(8)
        has_flags = form >= FLAGS_FROM or major >= FLAGS_FROM
        flags = self._number()
        if has_flags and flags & DOUBLE:
            raise WrapError("This big-endian resource has numbers of double precision, which are not swapped.")
        self._number(8) if has_flags else (self._number(), self._number())
        if has_flags and flags & SCRIPT_CLASS:
            self._text()
        for _ in range(RESERVED):
            self._number()
        for _ in range(self._number()):
            self._text()
        for _ in range(self._number()):
            self._text()
            self._text()
            if has_flags and flags & UIDS:
                self._number(8)
        offsets = []
        for _ in range(self._number()):
            self._text()
            offsets.append(self._number(8))
        return sorted(set(offsets))

    def _block(self) -> None:
        """One resource: nothing recurses, values still to come are counted."""
        self._text()
        for _ in range(self._number() & COUNT):
            self._name()
            left = 1
            while left:
                left += self._value() - 1

    def _name(self) -> None:
        word = self._number()
        if word & INLINE:
            self._skip(word & COUNT)

    def _value(self) -> int:
        """Swap one value but for those that it holds; how many these are."""
        kind = self._number()
        if kind in WORDS:
            for _ in range(WORDS[kind]):
                self._number()
        elif kind in LONG:
            self._number(8)
        elif kind in TEXT:
            self._text()
        elif kind in PACKED:
            size = self._number() * PACKED[kind]
            self._skip(size + (-size % 4 if PACKED[kind] == 1 else 0))
        elif kind == TEXTS:
            for _ in range(self._number()):
                self._text()
        elif kind == PATH:
            counts = self._number(2), self._number(2)
            for _ in range(counts[0] + (counts[1] & 0x7FFF)):
                self._name()
        elif kind == OBJECT:
            self._object()
        elif kind in (DICTIONARY, ARRAY):
            return (self._number() & COUNT) * (2 if kind == DICTIONARY else 1)
        else:
            raise WrapError(f"This big-endian resource has a value of the unknown type {kind}, and cannot be swapped.")
        return 0

    def _object(self) -> None:
        target = self._number()
        if target == 1:
            self._text()
            self._text()
        elif target:
            self._number()


BIG_ENDIAN = BigEndianCodec()
