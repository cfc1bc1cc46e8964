"""Ports: what goes wrong when an encoder is written once more in a language whose libraries have their own habits."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from random import Random
from struct import pack
from typing import Any

from document.doctor.heldout.encoders import written
from document.doctor.heldout.made import LINES, Made, Maker, source
from document.doctor.heldout.writer import CODES, Writer

from viewer.variant.dialect import Dialect, TypeRow
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, NodePath

WITH_FLAG = tuple(line for line in LINES if line != "godot2")
LARGE = 700
"""So many bytes have saves, which hold a path, an empty array and arrays of one type."""


def _is_wide(data: int) -> bool:
    return not -(1 << 31) <= data < 1 << 31


# Headers


class HeaderBytesUninitialised(Writer):
    """The type is one byte of a struct, whose other three nobody wrote."""

    def header_word(self, number: int, wide: bool) -> bytes:
        return bytes([number, 0xCD, 0xCD, 0xCD])


class FlagSticks(Writer):
    """The flags of a value are never set back for those behind it."""

    is_stuck = False

    def header(self, row: TypeRow, wide: bool = False) -> None:
        self.is_stuck = self.is_stuck or wide
        super().header(row, self.is_stuck)


class MathIdsOfGodot3(Writer):
    IDS = ("Vector2", "Rect2", "Vector3", "Transform2D", "Plane", "Quaternion", "AABB", "Basis", "Transform3D", "Color")

    def number(self, row: TypeRow) -> int:
        return 5 + self.IDS.index(row.name) if row.name in self.IDS else row.number


class NullAsObjectHeader(Writer):
    def nothing(self, row: TypeRow) -> None:
        self.header(self.dialect.by_name["Object"])


class NestedHeaderDoubled(Writer):
    """Who writes a child writes its header, and so does who writes a collection."""

    depth = 0

    def head(self, row: TypeRow, count: int) -> None:
        if self.depth:
            self.header(row)
        self.depth += 1
        super().head(row, count)

    def end(self) -> None:
        self.depth -= 1


class KeysAsStringNamesOfGodot4(Writer):
    def string(self, row: TypeRow, text: str, is_key: bool) -> None:
        if not is_key:
            super().string(row, text, is_key)
            return
        self.mark(self.word(21))
        self.text(text)


class ElementsShareOneHeader(Writer):
    """Elements of one type stand behind one header for them all."""

    is_shared = False

    def header(self, row: TypeRow, wide: bool = False) -> None:
        if self.is_shared:
            self.is_shared = False
            return
        super().header(row, wide)

    def array(self, row: TypeRow, data: Array) -> None:
        heads = {encode(each, self.dialect)[:4] for each in data.elements}
        if len(heads) != 1:
            super().array(row, data)
            return
        self.head(row, len(data.elements))
        self.mark(heads.pop())
        for element in data.elements:
            self.is_shared = True
            self.value(element)


# Counts


def _below(data: Any) -> int:
    """How many values and pairs lie below a collection, however deep."""
    if isinstance(data, Array):
        return sum(1 + _below(each.data) for each in data.elements)
    if isinstance(data, Dictionary):
        return sum(1 + _below(each.data) for _, each in data.pairs)
    return 0


class CountOfAllBelow(Writer):
    total = 0

    def array(self, row: TypeRow, data: Array) -> None:
        self.total = _below(data)
        super().array(row, data)

    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self.total = _below(data)
        super().dictionary(row, data)

    def head(self, row: TypeRow, count: int) -> None:
        super().head(row, self.total)


class CountBehindElements(Writer):
    """A stream tells the count when it knows it."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.counts: list[int] = []

    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        self.counts.append(count)

    def end(self) -> None:
        self.mark(self.count_word(self.counts.pop()))


class CountNeverFilledIn(Writer):
    """The place of the count is held by a zero, to which nobody comes back."""

    def head(self, row: TypeRow, count: int) -> None:
        super().head(row, 0)


class EmptyLeftBare(Writer):
    """What is empty is only a header."""

    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        if count:
            self.mark(self.count_word(count))

    def string(self, row: TypeRow, text: str, is_key: bool) -> None:
        self.header(row)
        if text:
            self.text(text)


# Texts


class TextCutToCharacters(Writer):
    """A buffer of as many bytes as the text has characters takes what fits."""

    def raw_text(self, text: str) -> bytes:
        return text.encode()[: len(text.encode("utf-16-le")) // 2]


class TextAsJavaUtf(Writer):
    def raw_text(self, text: str) -> bytes:
        raw = text.encode("utf-16-le")
        units = (int.from_bytes(raw[at : at + 2], "little") for at in range(0, len(raw), 2))
        return b"".join(chr(unit).encode("utf-8", "surrogatepass") for unit in units)

    def length_word(self, text: str, raw: bytes) -> bytes:
        return pack(">H", len(raw))

    def fill(self, size: int) -> bytes:
        return b""


class TextAsQt(Writer):
    def text(self, text: str) -> None:
        raw = text.encode("utf-16-be")
        self.mark(pack(">I", len(raw)))
        self.put(raw)


class PaddingAsForNul(Writer):
    """The fill leaves place for a zero that is not written; elements of string arrays have theirs."""

    def fill(self, size: int) -> bytes:
        return bytes(-(size + 1) % 4)

    def string_element(self, text: str) -> None:
        raw = text.encode() + b"\0"
        self.mark(self.word(len(raw)))
        self.put(raw + bytes(-len(raw) % 4))


class PaddingIsRemainder(Writer):
    def fill(self, size: int) -> bytes:
        return bytes(size % 4)

    def packed_fill(self, size: int) -> bytes:
        return bytes(size % 4)


class NodePathWithoutMark(Writer):
    """Nothing says that the path is of the newer form."""

    def path(self, row: TypeRow, data: NodePath) -> None:
        self.header(row)
        self.mark(self.word(len(data.names)))
        self.mark(self.word(len(data.subnames)))
        self.put(self.word(int(data.absolute)))
        for name in (*data.names, *data.subnames):
            self.text(name)


# Numbers


class IntAsDouble(Writer):
    """A language with one type of numbers."""

    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row)
        self.put(pack("<d", data))


class BoolAsDigitCharacter(Writer):
    """As PHP makes a text of it: true is "1", false is empty."""

    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(b"1\0\0\0" if data else bytes(4))


class NegativeIntsWideWithoutFlag(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        if data >= 0 or _is_wide(data):
            super().integer(row, data)
            return
        self.header(row)
        self.put(pack("<q", data))


class WideNumbersBehindGap(Writer):
    """As a struct of a word and a number of eight bytes lies in memory."""

    def integer(self, row: TypeRow, data: int) -> None:
        if not _is_wide(data):
            super().integer(row, data)
            return
        self.header(row, True)
        self.put(bytes(4) + pack("<q", data))

    def real(self, row: TypeRow, data: float) -> None:
        if not (row.has_wide and self.is_precise(data)):
            super().real(row, data)
            return
        self.header(row, True)
        self.put(bytes(4) + pack("<d", data))


class ScalarsOfUnionSize(Writer):
    """Small values are copied with all of the union that they are kept in."""

    def _filled(self, start: int) -> None:
        self.put(bytes(12 - (len(self.out) - start)))

    def boolean(self, row: TypeRow, data: bool) -> None:
        start = len(self.out)
        super().boolean(row, data)
        self._filled(start)

    def integer(self, row: TypeRow, data: int) -> None:
        start = len(self.out)
        super().integer(row, data)
        self._filled(start)

    def real(self, row: TypeRow, data: float) -> None:
        start = len(self.out)
        super().real(row, data)
        self._filled(start)


class PayloadsBigEndian(Writer):
    """Headers, counts and lengths are right."""

    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(pack(">I", data))

    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row, _is_wide(data))
        self.put(pack(">q" if _is_wide(data) else ">i", data))

    def real(self, row: TypeRow, data: float) -> None:
        is_wide = row.has_wide and self.is_precise(data)
        self.header(row, is_wide)
        self.put(pack(">d" if is_wide else ">f", data))

    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row)
        self.put(pack(f">{len(data)}f", *data))

    def element(self, row: TypeRow, data: Any) -> bytes:
        numbers = data if isinstance(data, tuple) else (data,)
        return pack(">" + "".join(CODES[field.type] for field in row.narrow), *numbers)


class PackedVectors2WithZ(Writer):
    """An engine that has one type for points of two and of three numbers."""

    def element(self, row: TypeRow, data: Any) -> bytes:
        raw = super().element(row, data)
        return raw + pack("<f", 0.0) if len(row.narrow) == 2 else raw


class AllAsBincode(Writer):
    """What a library of Rust makes of an enum that looks like the table of types."""

    def header_word(self, number: int, wide: bool) -> bytes:
        return self.word(number)

    def count_word(self, count: int) -> bytes:
        return pack("<Q", count)

    def length_word(self, text: str, raw: bytes) -> bytes:
        return pack("<Q", len(raw))

    def fill(self, size: int) -> bytes:
        return b""

    def packed_fill(self, size: int) -> bytes:
        return b""

    def string_element(self, text: str) -> None:
        self.text(text)

    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(bytes([data]))

    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row)
        self.put(pack("<q", data))

    def real(self, row: TypeRow, data: float) -> None:
        self.header(row)
        self.put(pack("<d", data))

    def path(self, row: TypeRow, data: NodePath) -> None:
        self.header(row)
        for names in (data.names, data.subnames):
            self.mark(self.count_word(len(names)))
            for name in names:
                self.text(name)
        self.put(bytes([data.absolute]))


# A tool that puts texts in another form


class Decomposed(Writer):
    """Letters and their marks are apart, as one system keeps names of files; all lengths are right."""

    def raw_text(self, text: str) -> bytes:
        return unicodedata.normalize("NFD", text).encode()


class DecomposedInPlace(Decomposed):
    """The same by a tool that knows no lengths."""

    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(len(text.encode()))

    def text(self, text: str) -> None:
        raw = self.raw_text(text)
        self.mark(self.length_word(text, raw))
        self.put(raw + self.fill(len(text.encode())))

    def string_element(self, text: str) -> None:
        self.text(text + "\0")


def _author(
    writer: type[Writer],
    lines: tuple[str, ...] = LINES,
    least: int = 0,
    known: bool = True,
    right: type[Writer] | None = None,
) -> Maker:
    """A mistake in every value; what another writer writes may be as right as what was there."""

    def make(random: Random) -> Made | None:
        some = source(random, lines=lines, least=least)
        data, leaves = written(some, writer)
        also = (written(some, right)[0],) if right else ()
        return None if data == some.data else Made(data, some, leaves, known, also)

    return make


MAKERS: dict[str, Maker] = {
    "header-bytes-uninitialised": _author(HeaderBytesUninitialised),
    "flag-sticks": _author(FlagSticks, WITH_FLAG),
    "math-ids-of-godot3": _author(MathIdsOfGodot3, ("godot4",)),
    "null-as-object-header": _author(NullAsObjectHeader, WITH_FLAG),
    "nested-header-doubled": _author(NestedHeaderDoubled),
    "keys-as-string-names-of-godot4": _author(KeysAsStringNamesOfGodot4, ("godot3", "pandemonium5")),
    "elements-share-one-header": _author(ElementsShareOneHeader, least=LARGE),
    "count-of-all-below": _author(CountOfAllBelow),
    "count-behind-elements": _author(CountBehindElements),
    "count-never-filled-in": _author(CountNeverFilledIn),
    "empty-left-bare": _author(EmptyLeftBare, least=LARGE),
    "text-cut-to-characters": _author(TextCutToCharacters, known=False),
    "text-as-java-utf": _author(TextAsJavaUtf),
    "text-as-qt": _author(TextAsQt),
    "padding-as-for-nul": _author(PaddingAsForNul),
    "padding-is-remainder": _author(PaddingIsRemainder),
    "node-path-without-mark": _author(NodePathWithoutMark, least=LARGE),
    "int-as-double": _author(IntAsDouble),
    "bool-as-digit-character": _author(BoolAsDigitCharacter),
    "negative-ints-wide-without-flag": _author(NegativeIntsWideWithoutFlag),
    "wide-numbers-behind-gap": _author(WideNumbersBehindGap, WITH_FLAG),
    "scalars-of-union-size": _author(ScalarsOfUnionSize),
    "payloads-big-endian": _author(PayloadsBigEndian),
    "packed-vectors2-with-z": _author(PackedVectors2WithZ, least=LARGE),
    "all-as-bincode": _author(AllAsBincode),
    "texts-decomposed": _author(DecomposedInPlace, right=Decomposed),
}
"""The kinds by name."""
