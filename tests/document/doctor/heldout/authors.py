"""Authors: mistakes of encoders in other languages than those of :mod:`document.doctor.heldout.encoders`."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from random import Random
from struct import pack
from typing import Any

from document.doctor.heldout.encoders import written
from document.doctor.heldout.made import LINES, Made, Maker, source
from document.doctor.heldout.writer import Writer

from viewer.variant.dialect import FLAG_64, TypeRow
from viewer.variant.value import Array, Dictionary, Value

WITH_FLAG = tuple(line for line in LINES if line != "godot2")


def _is_wide(data: int) -> bool:
    return not -(1 << 31) <= data < 1 << 31


# Headers


class FlagsWordBehindHeader(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return pack("<II", number, int(wide))


class CountInHeader(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.mark(self.word(row.number | count << 16))


class BoolInHeader(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.mark(self.word(row.number | data << 16))


class HeadersAndLengthsBigEndian(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return super().header_word(number, wide)[::-1]

    def length_word(self, text: str, raw: bytes) -> bytes:
        return pack(">I", len(raw))


class TagByteBeforeEachValue(Writer):
    def written(self, value: Value, is_key: bool) -> None:
        self.put(b"\1")
        super().written(value, is_key)


class ValuesAlignedToEight(Writer):
    def written(self, value: Value, is_key: bool) -> None:
        self.put(bytes(-len(self.out) % 8))
        super().written(value, is_key)


class HeaderHalvesAndCountsBigEndian(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return pack(">HH", int(wide), number)

    def count_word(self, count: int) -> bytes:
        return pack(">H", count)


# Counts


class SizeBeforeCount(Writer):
    def array(self, row: TypeRow, data: Array) -> None:
        self._sized(row, len(data.elements), data)

    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self._sized(row, len(data.pairs), data)

    def _sized(self, row: TypeRow, count: int, data: Any) -> None:
        self.header(row)
        at = len(self.out)
        self.put(bytes(4))
        self.mark(self.count_word(count))
        if isinstance(data, Array):
            for element in data.elements:
                self.value(element)
        else:
            for key, value in data.pairs:
                self.pair(key, value)
        self.out[at : at + 4] = self.word(len(self.out) - at - 4)


class CountU24(Writer):
    def count_word(self, count: int) -> bytes:
        return pack("<I", count)[:3]


class PackedCountOneMore(Writer):
    def packed_count_word(self, count: int, row: TypeRow) -> bytes:
        return self.word(count + 1)


class DictionaryCountOneLess(Writer):
    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self.head(row, max(0, len(data.pairs) - 1))
        for key, value in data.pairs:
            self.pair(key, value)


class CommaBetweenElements(Writer):
    def element_value(self, index: int, element: Value) -> None:
        if index:
            self.put(b",")
        self.value(element)


class ZeroWordBehindPairs(Writer):
    def pair(self, key: Value, value: Value) -> None:
        super().pair(key, value)
        self.put(bytes(4))


# Lengths and texts


class LengthU24(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return pack("<I", len(raw))[:3]


class PascalPaddedWithLength(Writer):
    def text(self, text: str) -> None:
        raw = self.raw_text(text)
        self.mark(bytes([len(raw) & 0xFF]))
        self.put(raw + bytes(-(len(raw) + 1) % 4))


class LengthCountsItselfAndPadding(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(len(raw) + -len(raw) % 4 + 4)


class TextPaddedTo16(Writer):
    def fill(self, size: int) -> bytes:
        return bytes(-size % 16)


class TextAsUnreal(Writer):
    def text(self, text: str) -> None:
        raw = text.encode("ascii") + b"\0" if text.isascii() else (text + "\0").encode("utf-16-le")
        self.mark(pack("<i", len(raw) if text.isascii() else -(len(raw) // 2)))
        self.put(raw)


class LengthLessOne(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(max(0, len(raw) - 1))


class TextFilledBefore(Writer):
    """The fill stands between the length and the text."""

    def text(self, text: str) -> None:
        raw = self.raw_text(text)
        self.mark(self.length_word(text, raw))
        self.put(self.fill(len(raw)) + raw)


class TextFilledWithGarbage(Writer):
    def fill(self, size: int) -> bytes:
        return b"\xcd" * (-size % 4 or 4)


class KeysWithLengthU16(Writer):
    def string(self, row: TypeRow, text: str, is_key: bool) -> None:
        self.header(row)
        if not is_key:
            self.text(text)
            return
        raw = text.encode()
        self.mark(pack("<H", len(raw)))
        self.put(raw)


class StringsJoined(Writer):
    def strings(self, row: TypeRow, data: tuple[str, ...]) -> None:
        self.header(row)
        self.mark(self.count_word(len(data)))
        raw = b"".join(text.encode() + b"\0" for text in data)
        self.put(self.word(len(raw)) + raw + self.fill(len(raw)))


class StringArrayNulNotCounted(Writer):
    def string_element(self, text: str) -> None:
        raw = text.encode()
        self.mark(self.word(len(raw)))
        self.put(raw + b"\0" + bytes(-(len(raw) + 1) % 4))


# Numbers


class IntThreeBytes(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        if _is_wide(data) or not -(1 << 23) <= data < 1 << 23:
            super().integer(row, data)
            return
        self.header(row)
        self.put(pack("<i", data)[:3])


class IntAsText(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row)
        self.text(str(data))


class FloatAsText(Writer):
    def real(self, row: TypeRow, data: float) -> None:
        self.header(row)
        self.text(repr(data))


class FloatAsHalf(Writer):
    def real(self, row: TypeRow, data: float) -> None:
        self.header(row)
        self.put(pack("<e", data))


class DoublesBigEndian(Writer):
    def real(self, row: TypeRow, data: float) -> None:
        is_wide = row.has_wide and self.is_precise(data)
        self.header(row, is_wide)
        self.put(pack(">d" if is_wide else "<f", data))


class IntBehindSize(Writer):
    """Ints of eight bytes say so by a word before them."""

    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row)
        self.put(self.word(8 if _is_wide(data) else 4) + pack("<q" if _is_wide(data) else "<i", data))


class BoolAsDouble(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(pack("<d", data))


class BoolThreeBytes(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(bytes([data, 0, 0]))


# Vectors


class VectorsAsHalves(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row)
        self.put(pack(f"<{len(data)}e", *data))


class VectorsBigEndian(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row)
        self.put(pack(f">{len(data)}f", *data))


class ColorAsText(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        if row.name != "Color":
            super().reals(row, data)
            return
        self.header(row)
        self.text("#" + bytes(round(255 * each) for each in data).hex())


class Transform2DOfNine(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        some = list(data)
        if len(some) == 6:
            some = [*some[:2], 0.0, *some[2:4], 0.0, *some[4:], 1.0]
        self.header(row)
        self.put(pack(f"<{len(some)}f", *some))


class VectorsWithSize(Writer):
    """Each vector stands behind the bytes that it takes."""

    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row)
        self.put(self.word(4 * len(data)) + pack(f"<{len(data)}f", *data))


# Packed arrays


class PackedPaddedTo16(Writer):
    def packed_fill(self, size: int) -> bytes:
        return bytes(-size % 16)


class PackedBytesAsBase64(Writer):
    def packed(self, row: TypeRow, data: Any) -> None:
        if not isinstance(data, bytes):
            super().packed(row, data)
            return
        self.header(row)
        raw = base64.b64encode(data)
        self.mark(self.word(len(data)))
        self.put(raw + self.fill(len(raw)))


class PackedRealsBigEndian(Writer):
    def element(self, row: TypeRow, data: Any) -> bytes:
        raw = super().element(row, data)
        if row.narrow[0].type[0] != "f":
            return raw
        return b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4))


class PackedEndedByFf(Writer):
    def packed(self, row: TypeRow, data: Any) -> None:
        super().packed(row, data)
        self.put(b"\xff" * 4)


# Two at once


class IntsWideAndTextsUnpadded(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row, False)
        self.put(pack("<q", data))

    def fill(self, size: int) -> bytes:
        return b""


class BoolByteAndCountsBigEndian(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(bytes([data]))

    def count_word(self, count: int) -> bytes:
        return pack(">I", count)


class WideIntsAndNulCounted(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        self.mark(self.word(row.number | FLAG_64))
        self.put(pack("<q", data))

    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(len(raw) + 1)

    def raw_text(self, text: str) -> bytes:
        return text.encode()

    def fill(self, size: int) -> bytes:
        return bytes(1 + -(size + 1) % 4)


CAUSES: dict[str, type[Writer]] = {
    "flags-word-behind-header": FlagsWordBehindHeader,
    "count-in-header": CountInHeader,
    "bool-in-header": BoolInHeader,
    "headers-and-lengths-big-endian": HeadersAndLengthsBigEndian,
    "tag-byte-before-each-value": TagByteBeforeEachValue,
    "values-aligned-to-8": ValuesAlignedToEight,
    "header-halves-and-counts-big-endian": HeaderHalvesAndCountsBigEndian,
    "size-before-count": SizeBeforeCount,
    "count-u24": CountU24,
    "packed-count-one-more": PackedCountOneMore,
    "dictionary-count-one-less": DictionaryCountOneLess,
    "comma-between-elements": CommaBetweenElements,
    "zero-word-behind-pairs": ZeroWordBehindPairs,
    "length-u24": LengthU24,
    "pascal-padded-with-length": PascalPaddedWithLength,
    "length-counts-itself-and-padding": LengthCountsItselfAndPadding,
    "text-padded-to-16": TextPaddedTo16,
    "text-as-unreal": TextAsUnreal,
    "length-one-less": LengthLessOne,
    "text-filled-before": TextFilledBefore,
    "text-filled-with-garbage-always": TextFilledWithGarbage,
    "keys-with-length-u16": KeysWithLengthU16,
    "strings-joined": StringsJoined,
    "string-array-nul-not-counted": StringArrayNulNotCounted,
    "int-three-bytes": IntThreeBytes,
    "int-as-text": IntAsText,
    "float-as-text": FloatAsText,
    "float-as-half": FloatAsHalf,
    "doubles-big-endian": DoublesBigEndian,
    "int-size-before-int": IntBehindSize,
    "bool-as-double": BoolAsDouble,
    "bool-three-bytes": BoolThreeBytes,
    "vectors-as-halves": VectorsAsHalves,
    "vectors-big-endian": VectorsBigEndian,
    "color-as-text": ColorAsText,
    "transform2d-of-nine": Transform2DOfNine,
    "vectors-behind-size": VectorsWithSize,
    "packed-padded-to-16": PackedPaddedTo16,
    "packed-bytes-as-base64": PackedBytesAsBase64,
    "packed-reals-big-endian": PackedRealsBigEndian,
    "packed-ended-by-ff": PackedEndedByFf,
    "ints-wide-and-texts-unpadded": IntsWideAndTextsUnpadded,
    "bool-byte-and-counts-big-endian": BoolByteAndCountsBigEndian,
    "wide-ints-and-nul-counted": WideIntsAndNulCounted,
}
"""The mistakes by name."""


def _maker(writer: type[Writer]) -> Maker:
    def make(random: Random) -> Made | None:
        some = source(random, lines=WITH_FLAG)
        data, leaves = written(some, writer)
        return None if data == some.data else Made(data, some, leaves)

    return make


MAKERS: dict[str, Maker] = {name: _maker(writer) for name, writer in CAUSES.items()}
"""The kinds by name."""
