"""Encoders: what other people's encoders do wrong, in every value that they write."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from struct import pack
from typing import Any

from document.doctor.heldout.made import LINES, Made, Maker, Source, source, word
from document.doctor.heldout.writer import Writer

from viewer.variant.dialect import FLAG_64, Dialect, TypeRow
from viewer.variant.encode import encode
from viewer.variant.value import Dictionary, NodePath, Value

WITH_FLAG = tuple(line for line in LINES if line != "godot2")
UNKNOWN = frozenset({"color-as-four-bytes", "vector3-without-z"})
"""Nobody can know what these left out."""


def leb128(number: int) -> bytes:
    """An unsigned number, seven bits a byte, the lowest first."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def zigzag(number: int) -> int:
    """A signed number as an unsigned one, small where it was near zero."""
    return number << 1 if number >= 0 else (-number << 1) - 1


# Headers


class HeaderU64(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return pack("<Q", number | (FLAG_64 if wide else 0))


class HeaderLeb128(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return leb128(number | (FLAG_64 if wide else 0))


class HeaderInHighHalf(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return self.word(number << 16 | int(wide))


class HeaderFlagInByte(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return bytes([number, int(wide)])


class FlagAtBit8(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return self.word(number | (1 << 8 if wide else 0))


class FlagAtBit31(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return self.word(number | (1 << 31 if wide else 0))


class WideWithoutFlag(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return self.word(number)


class IntsFlagBut32(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        is_wide = not -(1 << 31) <= data < 1 << 31
        self.header(row, True)
        self.put(pack("<q" if is_wide else "<i", data))


class IntsAs64WithoutFlag(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row, False)
        self.put(pack("<q", data))


class FloatsAs64WithoutFlag(Writer):
    def real(self, row: TypeRow, data: float) -> None:
        self.header(row, False)
        self.put(pack("<d", data))


class IdsLackOneType(Writer):
    def number(self, row: TypeRow) -> int:
        return row.number - (row.number > 11)


class IdsFromTen(Writer):
    def number(self, row: TypeRow) -> int:
        return row.number + 10


class NullAsAllOnes(Writer):
    def nothing(self, row: TypeRow) -> None:
        self.mark(b"\xff\xff\xff\xff")


class CollectionIdsSwapped(Writer):
    def number(self, row: TypeRow) -> int:
        other = {"Array": "Dictionary", "Dictionary": "Array"}.get(row.name, row.name)
        return self.dialect.by_name[other].number


# Counts


class CountU64(Writer):
    def count_word(self, count: int) -> bytes:
        return pack("<Q", count)


class CountOneByte(Writer):
    def count_word(self, count: int) -> bytes:
        return bytes([count & 0xFF])


class CountLeb128(Writer):
    def count_word(self, count: int) -> bytes:
        return leb128(count)


class CountOfKeysAndValues(Writer):
    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self.header(row)
        self.mark(self.count_word(2 * len(data.pairs)))
        for key, value in data.pairs:
            self.pair(key, value)


class CountOneMore(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        self.mark(self.count_word(count + 1))


class CountIsLastIndex(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        self.mark(self.word(count - 1))


class CountBeforeHeader(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.mark(self.count_word(count))
        self.header(row)


class CountTwice(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        self.mark(self.count_word(count))
        self.mark(self.count_word(count))


class EndMarkForCount(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)

    def end(self) -> None:
        self.put(b"\xff\xff\xff\xff")


class EndWordBehindCollections(Writer):
    def end(self) -> None:
        self.put(bytes(4))


class CapacityBesideCount(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        self.mark(self.count_word(count))
        self.put(b"\x10\0\0\0")


class CountHighBit(Writer):
    def head(self, row: TypeRow, count: int) -> None:
        self.header(row)
        self.mark(self.word(count | 1 << 30))


# Texts


class LengthOfUtf16(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(len(text.encode("utf-16-le")) // 2)


class LengthWithPadding(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(len(raw) + -len(raw) % 4)


class LengthCountsItself(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(len(raw) + 4)


class LengthU64(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return pack("<Q", len(raw))


class LengthOneByte(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return bytes([len(raw)])


class LengthLeb128NoPadding(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return leb128(len(raw))

    def fill(self, size: int) -> bytes:
        return b""


class LengthInBits(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return self.word(8 * len(raw))


class TextAsCString(Writer):
    def text(self, text: str) -> None:
        raw = text.encode() + b"\0"
        self.put(raw + bytes(-len(raw) % 4))


class TextPaddedTo8(Writer):
    def fill(self, size: int) -> bytes:
        return bytes(-size % 8)


class TextPaddedTo2(Writer):
    def fill(self, size: int) -> bytes:
        return bytes(-size % 2)


class TextPaddedTo8ByOffset(Writer):
    def fill(self, size: int) -> bytes:
        return bytes(-(len(self.out) + size) % 8)


class TextAlwaysPadded(Writer):
    def fill(self, size: int) -> bytes:
        return bytes(4 - size % 4)


class TextFilledWithSpaces(Writer):
    def fill(self, size: int) -> bytes:
        return b" " * (-size % 4)


class TextWithBom(Writer):
    def raw_text(self, text: str) -> bytes:
        return b"\xef\xbb\xbf" + text.encode()


class TextUtf32(Writer):
    def raw_text(self, text: str) -> bytes:
        return text.encode("utf-32-le")


class TextUtf8Twice(Writer):
    def raw_text(self, text: str) -> bytes:
        return text.encode().decode("latin-1").encode()


class TextFixedField(Writer):
    def text(self, text: str) -> None:
        raw = text.encode()
        self.mark(self.length_word(text, raw))
        self.put(raw.ljust(48, b"\0"))


class TextWithNulBehind(Writer):
    def text(self, text: str) -> None:
        raw = text.encode()
        self.mark(self.length_word(text, raw))
        self.put(raw + b"\0" + bytes(-(len(raw) + 1) % 4))


class KeysUnpadded(Writer):
    def string(self, row: TypeRow, text: str, is_key: bool) -> None:
        self.header(row)
        raw = text.encode()
        self.mark(self.length_word(text, raw))
        self.put(raw + (b"" if is_key else self.fill(len(raw))))


class KeysAsCStrings(Writer):
    def string(self, row: TypeRow, text: str, is_key: bool) -> None:
        if not is_key:
            super().string(row, text, is_key)
            return
        raw = text.encode() + b"\0"
        self.put(raw + bytes(-len(raw) % 4))


class TextLengthTwice(Writer):
    def text(self, text: str) -> None:
        raw = text.encode()
        self.mark(self.length_word(text, raw) * 2)
        self.put(raw + self.fill(len(raw)))


# Small values


class SmallIntOneByte(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        if not 0 <= data < 256:
            super().integer(row, data)
            return
        self.header(row)
        self.put(bytes([data]))


class IntTwoBytes(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        if not -(1 << 15) <= data < 1 << 15:
            super().integer(row, data)
            return
        self.header(row)
        self.put(pack("<h", data))


class IntZigzagLeb128(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row)
        self.put(leb128(zigzag(data)))


class IntLeb128(Writer):
    def integer(self, row: TypeRow, data: int) -> None:
        self.header(row)
        self.put(leb128(data & 0xFFFFFFFFFFFFFFFF if not -(1 << 31) <= data < 1 << 31 else data & 0xFFFFFFFF))


class BoolEightBytes(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(pack("<Q", data))


class BoolTwoBytes(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(pack("<H", data))


class BoolBigEndian(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(pack(">I", data))


class BoolAllOnes(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(pack("<i", -int(data)))


class BoolAsText(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.text("true" if data else "false")


class NullTwice(Writer):
    def nothing(self, row: TypeRow) -> None:
        self.put(bytes(8))


class NullTwoBytes(Writer):
    def nothing(self, row: TypeRow) -> None:
        self.put(bytes(2))


# Numbers in groups


class Vector3WithFourth(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        super().reals(row, data)
        if row.name == "Vector3":
            self.put(pack("<f", 1.0))


class Vector3WithoutZ(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        super().reals(row, data[:2] if row.name == "Vector3" else data)


class ColorAsFourBytes(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        if row.name != "Color":
            super().reals(row, data)
            return
        self.header(row)
        self.put(bytes(round(255 * part) for part in data))


class VectorsWithCount(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row)
        self.put(self.word(len(data)) + pack(f"<{len(data)}f", *data))


class InnerHeaders(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        inner = self.dialect.by_name["float"].number
        self.header(row)
        self.put(b"".join(self.word(inner) + pack("<f", part) for part in data))


class AllVectorsAsDoubles(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row)
        self.put(pack(f"<{len(data)}d", *data))


class VectorsFlagAndDoubles(Writer):
    def reals(self, row: TypeRow, data: Sequence[float]) -> None:
        self.header(row, True)
        self.put(pack(f"<{len(data)}d", *data))


# Packed arrays


class PackedBytesUnpadded(Writer):
    def packed_fill(self, size: int) -> bytes:
        return b""


class PackedCountOfFloats(Writer):
    def packed_count_word(self, count: int, row: TypeRow) -> bytes:
        return self.word(count * len(row.narrow))


class PackedWithoutCount(Writer):
    def packed(self, row: TypeRow, data: Any) -> None:
        self.header(row)
        raw = data if isinstance(data, bytes) else b"".join(self.element(row, each) for each in data)
        self.put(raw + self.packed_fill(len(raw)))


class PackedSizeBesideCount(Writer):
    def packed_count_word(self, count: int, row: TypeRow) -> bytes:
        return self.word(count) + self.word(count * row.narrow_size)


class PackedElementsWithHeaders(Writer):
    def element(self, row: TypeRow, data: Any) -> bytes:
        names = {1: "int" if row.narrow[0].type == "i32" else "float", 2: "Vector2", 3: "Vector3", 4: "Color"}
        return self.word(self.dialect.by_name[names[len(row.narrow)]].number) + super().element(row, data)


class PackedInt16(Writer):
    def element(self, row: TypeRow, data: Any) -> bytes:
        if row.narrow[0].type == "i32" and -(1 << 15) <= data < 1 << 15:
            return pack("<h", data)
        return super().element(row, data)


class PackedBytesAsWords(Writer):
    def packed(self, row: TypeRow, data: Any) -> None:
        if not isinstance(data, bytes):
            super().packed(row, data)
            return
        self.header(row)
        self.mark(self.packed_count_word(len(data), row))
        self.put(b"".join(map(self.word, data)))


class PackedStringsUnpadded(Writer):
    def string_element(self, text: str) -> None:
        raw = text.encode() + b"\0"
        self.mark(self.length_word(text, raw))
        self.put(raw)


# Collections


class PairsWithOwnLength(Writer):
    def pair(self, key: Value, value: Value) -> None:
        size = len(encode(key, self.dialect))
        at = len(self.out)
        self.put(self.word(0))
        super().pair(key, value)
        self.out[at : at + 4] = self.word(max(size, len(self.out) - at - 4))


class ElementsWithIndex(Writer):
    def element_value(self, index: int, element: Value) -> None:
        self.put(self.word(index))
        self.value(element)


class KeysThenValues(Writer):
    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self.head(row, len(data.pairs))
        for key, _ in data.pairs:
            self.value(key, is_key=True)
        for _, value in data.pairs:
            self.value(value)


class DictionaryWithTypes(Writer):
    def dictionary(self, row: TypeRow, data: Dictionary) -> None:
        self.header(row)
        self.put(self.word(self.dialect.by_name["String"].number) + self.word(0))
        self.mark(self.count_word(len(data.pairs)))
        for key, value in data.pairs:
            self.pair(key, value)


class PairsEndedByNull(Writer):
    def pair(self, key: Value, value: Value) -> None:
        super().pair(key, value)
        self.put(b"\0")


class NodePathAsText(Writer):
    def path(self, row: TypeRow, data: NodePath) -> None:
        self.header(row)
        self.text(data.text)


# Two at once


class HeaderAndCountU16(Writer):
    def header_word(self, number: int, wide: bool) -> bytes:
        return pack("<H", number | (1 << 15 if wide else 0))

    def count_word(self, count: int) -> bytes:
        return pack("<H", count)


class UnpaddedAndCountOneByte(CountOneByte):
    def fill(self, size: int) -> bytes:
        return b""


class AllLeb128(HeaderLeb128, CountLeb128, LengthLeb128NoPadding):
    pass


class BoolByteAndNullByte(Writer):
    def boolean(self, row: TypeRow, data: bool) -> None:
        self.header(row)
        self.put(bytes([data]))

    def nothing(self, row: TypeRow) -> None:
        self.put(b"\0")


class LengthsAndCountsU16BigEndian(Writer):
    def length_word(self, text: str, raw: bytes) -> bytes:
        return pack(">H", len(raw))

    def count_word(self, count: int) -> bytes:
        return pack(">H", count)


class KeysCStringsAndIntsOneByte(KeysAsCStrings, SmallIntOneByte):
    pass


CAUSES: dict[str, type[Writer]] = {
    "header-u64": HeaderU64,
    "header-leb128": HeaderLeb128,
    "header-in-high-half": HeaderInHighHalf,
    "header-byte-and-flag-byte": HeaderFlagInByte,
    "flag-at-bit-8": FlagAtBit8,
    "flag-at-bit-31": FlagAtBit31,
    "wide-without-flag": WideWithoutFlag,
    "ints-flag-but-32": IntsFlagBut32,
    "ints-as-64-without-flag": IntsAs64WithoutFlag,
    "floats-as-64-without-flag": FloatsAs64WithoutFlag,
    "ids-lack-one-type": IdsLackOneType,
    "ids-from-ten": IdsFromTen,
    "null-as-all-ones": NullAsAllOnes,
    "collection-ids-swapped": CollectionIdsSwapped,
    "count-u64": CountU64,
    "count-one-byte": CountOneByte,
    "count-leb128": CountLeb128,
    "count-of-keys-and-values": CountOfKeysAndValues,
    "count-one-more": CountOneMore,
    "count-is-last-index": CountIsLastIndex,
    "count-before-header": CountBeforeHeader,
    "count-twice": CountTwice,
    "end-mark-for-count": EndMarkForCount,
    "end-word-behind-collections": EndWordBehindCollections,
    "capacity-beside-count": CapacityBesideCount,
    "count-bit-30": CountHighBit,
    "length-of-utf16": LengthOfUtf16,
    "length-with-padding": LengthWithPadding,
    "length-counts-itself": LengthCountsItself,
    "length-u64": LengthU64,
    "length-one-byte": LengthOneByte,
    "length-leb128-no-padding": LengthLeb128NoPadding,
    "length-in-bits": LengthInBits,
    "text-as-c-string": TextAsCString,
    "text-padded-to-8": TextPaddedTo8,
    "text-padded-to-2": TextPaddedTo2,
    "text-padded-to-8-by-offset": TextPaddedTo8ByOffset,
    "text-always-padded": TextAlwaysPadded,
    "text-filled-with-spaces": TextFilledWithSpaces,
    "text-with-bom": TextWithBom,
    "text-utf32": TextUtf32,
    "text-utf8-twice": TextUtf8Twice,
    "text-fixed-field": TextFixedField,
    "text-with-nul-behind": TextWithNulBehind,
    "keys-unpadded": KeysUnpadded,
    "keys-as-c-strings": KeysAsCStrings,
    "text-length-twice": TextLengthTwice,
    "small-int-one-byte": SmallIntOneByte,
    "int-two-bytes": IntTwoBytes,
    "int-zigzag-leb128": IntZigzagLeb128,
    "int-leb128": IntLeb128,
    "bool-eight-bytes": BoolEightBytes,
    "bool-two-bytes": BoolTwoBytes,
    "bool-big-endian": BoolBigEndian,
    "bool-all-ones": BoolAllOnes,
    "bool-as-text": BoolAsText,
    "null-eight-bytes": NullTwice,
    "null-two-bytes": NullTwoBytes,
    "vector3-with-fourth": Vector3WithFourth,
    "vector3-without-z": Vector3WithoutZ,
    "color-as-four-bytes": ColorAsFourBytes,
    "vectors-with-count": VectorsWithCount,
    "inner-headers": InnerHeaders,
    "all-vectors-as-doubles": AllVectorsAsDoubles,
    "vectors-flag-and-doubles": VectorsFlagAndDoubles,
    "packed-bytes-unpadded": PackedBytesUnpadded,
    "packed-count-of-floats": PackedCountOfFloats,
    "packed-without-count": PackedWithoutCount,
    "packed-size-beside-count": PackedSizeBesideCount,
    "packed-elements-with-headers": PackedElementsWithHeaders,
    "packed-int-16": PackedInt16,
    "packed-bytes-as-words": PackedBytesAsWords,
    "packed-strings-unpadded": PackedStringsUnpadded,
    "pairs-with-own-length": PairsWithOwnLength,
    "elements-with-index": ElementsWithIndex,
    "keys-then-values": KeysThenValues,
    "dictionary-with-types": DictionaryWithTypes,
    "pairs-ended-by-nul": PairsEndedByNull,
    "node-path-as-text": NodePathAsText,
    "header-and-count-u16": HeaderAndCountU16,
    "unpadded-and-count-one-byte": UnpaddedAndCountOneByte,
    "all-leb128": AllLeb128,
    "bool-byte-and-null-byte": BoolByteAndNullByte,
    "lengths-and-counts-u16-big-endian": LengthsAndCountsU16BigEndian,
    "keys-c-strings-and-ints-one-byte": KeysCStringsAndIntsOneByte,
}
"""The mistakes by name."""
ONLY_WITH_FLAG = frozenset(
    {"flag-at-bit-8", "flag-at-bit-31", "wide-without-flag", "header-byte-and-flag-byte", "header-in-high-half"}
)
ONLY_WITHOUT_WIDE_VECTORS = frozenset({"vectors-flag-and-doubles"})
"""Godot 4 reads these rightly."""


def written(some: Source, writer: type[Writer]) -> tuple[bytes, tuple[tuple[int, int], ...]]:
    """The bytes as another encoder writes them, and where values lie in them that are right."""
    data, leaves = b"", []
    for value in some.values:
        each = _written(value, writer, some.dialect)
        data += word(len(each.out)) if some.framed else b""
        leaves += [(len(data) + start, len(data) + end) for start, end in each.leaves]
        data += bytes(each.out)
    return data, tuple(leaves)


def _written(value: Value, writer: type[Writer], dialect: Dialect) -> Writer:
    found = writer(dialect)
    found.value(value)
    return found


def _maker(name: str, writer: type[Writer]) -> Maker:
    def make(random: Random) -> Made | None:
        lines = WITH_FLAG if name in ONLY_WITH_FLAG else LINES
        if name in ONLY_WITHOUT_WIDE_VECTORS:
            lines = ("godot3", "pandemonium5")
        some = source(random, lines=lines)
        data, leaves = written(some, writer)
        if data == some.data or (name in ONLY_WITH_FLAG and not _has_wide(some)):
            return None
        return Made(data, some, leaves, known=name not in UNKNOWN)

    return make


def _has_wide(some: Source) -> bool:
    data = some.data
    return any(data[start + 2 : end] == b"\x01\0" for start, end in some.words)


MAKERS: dict[str, Maker] = {name: _maker(name, writer) for name, writer in CAUSES.items()}
"""The kinds by name."""
