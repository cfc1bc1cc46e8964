"""Encoder rules: what encoders that people write do otherwise than the engines, each as its author should be told.

A rule is a line of this table: what it is called, what the encoder writes and an engine reads, and how the wire format
differs. Nothing else in the doctor knows one rule from another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from viewer.base.record import dataclass, fields, replace
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.wire_format import ENGINE, WireFormat
from viewer.variant.dialect import Dialect, Kind

Changes = tuple[tuple[str, Any], ...]
VARIANTS = 3.0
"""Bits that say which of several types or numbers a rule is about."""


@dataclass(frozen=True, slots=True)
class EncoderRule:
    """One thing that an encoder does otherwise everywhere.

    Args:
        slug: its name on the command line.
        writes: what the encoder does: "writes a bool as one byte".
        reads: what an engine does: "reads four bytes".
        noun: what it concerns, by the name of :class:`~viewer.document.doctor.encoder_replay.Sites`.
        changes: (name, value) of the fields of the wire format that differ.
        bits: how rare it is.
        cause: what it is an instance of.
    """

    slug: str
    writes: str
    reads: str
    noun: str
    changes: Changes
    bits: float = 7.0
    cause: Cause = Cause.ENCODER_RULE

    def __hash__(self) -> int:
        return hash(self.slug)

    @property
    def sentence(self) -> str:
        """It, told to who wrote the encoder."""
        return f"Your encoder {self.writes}; an engine {self.reads}."

    def is_about(self, other: EncoderRule) -> bool:
        """Whether another rule says something of a field of the format of which this one does."""
        return not {name for name, _ in self.changes}.isdisjoint(name for name, _ in other.changes)

    def on(self, wire: WireFormat) -> WireFormat | None:
        """A format with this rule too, None where it already differs in the same thing."""
        changes: dict[str, Any] = {}
        for name, value in self.changes:
            if name == "layouts":
                changes[name] = (*wire.layouts, *value)
            elif getattr(wire, name) != getattr(ENGINE, name):
                return None
            else:
                changes[name] = value
        return replace(wire, **changes)


def _rule(
    slug: str, writes: str, reads: str, noun: str, bits: float = 7.0, cause: Cause = Cause.ENCODER_RULE, **changes: Any
) -> EncoderRule:
    unknown = changes.keys() - {each.name for each in fields(WireFormat)}
    assert not unknown, unknown
    return EncoderRule(slug, writes, reads, noun, tuple(changes.items()), bits, cause)


HEADER, TEXT, PACKED = "header", "text", "packed array"
FOUR = "reads four bytes"
UNLESS_FLAGGED = "reads four bytes, and eight only where the header has that flag, 0x10000"
WHERE_FLAGGED = "reads eight bytes where the header has that flag, 0x10000"
UP_TO_FOUR = "expects zeros up to a multiple of four bytes"

RULES = (
    # Values of one kind.
    _rule("bool-one-byte", "writes a bool as one byte", FOUR, "bool", 6, bool_size=1),
    _rule("bool-two-bytes", "writes a bool as two bytes", FOUR, "bool", 9, bool_size=2),
    _rule("bool-eight-bytes", "writes a bool as eight bytes", FOUR, "bool", 9, bool_size=8),
    _rule(
        "bool-no-payload",
        "writes nothing after the header of a bool",
        "reads a word of four bytes, 0 or 1",
        "bool",
        9,
        bool_size=0,
    ),
    _rule("null-as-one-byte", "writes a null as one byte", "reads a header of four bytes", "null", 8, null="byte"),
    _rule(
        "null-with-payload",
        "writes four bytes after the header of a null",
        "reads a null as its header alone",
        "null",
        8,
        null="word",
    ),
    _rule(
        "null-left-out",
        "writes nothing at all for a null",
        "reads a header of four zero bytes",
        "null",
        8,
        null="absent",
    ),
    _rule("int-one-byte", "writes an int as one byte", FOUR, "int", 9, int_size=1),
    _rule("int-two-bytes", "writes an int as two bytes", FOUR, "int", 9, int_size=2),
    _rule(
        "int-64-without-flag",
        "writes an int as eight bytes without the 64-bit flag in its header",
        UNLESS_FLAGGED,
        "int",
        6,
        Cause.FLAG_MISSING,
        int_size=8,
    ),
    _rule(
        "int-32-with-flag",
        "sets the 64-bit flag on an int of four bytes",
        WHERE_FLAGGED,
        "int",
        6,
        Cause.FLAG_EXTRA,
        int_size=4,
    ),
    _rule("int-varint", "writes an int as a varint (LEB128)", FOUR, "int", 7.5, int_size="leb128"),
    _rule("int-zigzag", "writes an int as a zigzag varint", FOUR, "int", 9, int_size="zigzag"),
    _rule(
        "float-64-without-flag",
        "writes a float as eight bytes without the 64-bit flag in its header",
        UNLESS_FLAGGED,
        "float",
        6,
        Cause.FLAG_MISSING,
        float_size=8,
    ),
    _rule(
        "int-flag-missing",
        "leaves out the 64-bit flag in the header of an int of eight bytes",
        UNLESS_FLAGGED,
        "int",
        6.5,
        Cause.FLAG_MISSING,
        int_size="unflagged",
    ),
    _rule(
        "float-flag-missing",
        "leaves out the 64-bit flag in the header of a float of eight bytes",
        UNLESS_FLAGGED,
        "float",
        6.5,
        Cause.FLAG_MISSING,
        float_size="unflagged",
    ),
    _rule(
        "number-flag-missing",
        "leaves out the 64-bit flag in the headers of ints and floats of eight bytes",
        UNLESS_FLAGGED,
        "number",
        6.5,
        Cause.FLAG_MISSING,
        int_size="unflagged",
        float_size="unflagged",
    ),
    *(
        _rule(
            f"flag-in-bit-{bit}",
            f"sets bit {bit} (0x{1 << bit:X}) in the header of a number of eight bytes",
            f"looks for the 64-bit flag in bit 16 (0x{1 << 16:X})",
            "flag",
            7 + extra,
            flag_bit=bit,
        )
        for bit, extra in ((8, 0.0), (17, 1.0), (24, 1.0), (31, 1.0))
    ),
    _rule(
        "number-aligned-to-eight",
        "leaves four bytes free between the header and the payload of a number of eight bytes, as a struct does",
        "expects the payload right after the header",
        "number of 64 bits",
        7,
        gap=4,
    ),
    _rule(
        "float-as-decimal",
        "writes a float as a Decimal of sixteen bytes",
        "reads an IEEE float of four bytes, or of eight with the 64-bit flag (0x10000) in its header",
        "float",
        7,
        float_size="decimal",
    ),
    _rule(
        "int64-big-endian",
        "writes ints of eight bytes in big-endian order",
        "reads little-endian",
        "int",
        8,
        wide_int_order="big",
    ),
    _rule(
        "vector3-of-sixteen-bytes",
        "writes four bytes of zeros after each Vector3, in packed arrays too",
        "reads the next value there",
        "Vector3",
        7.5,
        vector3_gap=4,
    ),
    _rule(
        "null-text-minus-one",
        "writes a text that is null with the length -1",
        "reads a null as a header of four zero bytes alone",
        TEXT,
        7,
        null_text=b"\xff" * 4,
    ),
    _rule(
        "float32-with-flag",
        "sets the 64-bit flag on a float of four bytes",
        WHERE_FLAGGED,
        "float",
        6,
        Cause.FLAG_EXTRA,
        float_size=4,
    ),
    _rule(
        "number-64-without-flag",
        "writes ints and floats as eight bytes without the 64-bit flag in their headers",
        UNLESS_FLAGGED,
        "number",
        6.5,
        Cause.FLAG_MISSING,
        int_size=8,
        float_size=8,
    ),
    _rule(
        "number-32-with-flag",
        "sets the 64-bit flag on ints and floats of four bytes",
        WHERE_FLAGGED,
        "number",
        6.5,
        Cause.FLAG_EXTRA,
        int_size=4,
        float_size=4,
    ),
    _rule(
        "float32-with-flag-all",
        "sets the 64-bit flag on floats and vectors of four bytes a number",
        WHERE_FLAGGED,
        "float",
        7.5,
        Cause.FLAG_EXTRA,
        float_size=4,
        real_size=4,
    ),
    _rule(
        "vectors-as-doubles",
        "writes the components of vectors as doubles without the 64-bit flag",
        "reads floats of four bytes",
        "vector",
        7,
        Cause.OTHER_PRECISION,
        real_size=8,
    ),
    _rule(
        "vectors-flag-but-floats",
        "sets the 64-bit flag on vectors of floats",
        "reads doubles of eight bytes where the header has that flag, 0x10000",
        "vector",
        7,
        Cause.OTHER_PRECISION,
        real_size=4,
    ),
    _rule(
        "reals-as-doubles",
        "writes all floats, in vectors and packed arrays too, as doubles without the 64-bit flag",
        "reads floats of four bytes",
        "real",
        8,
        Cause.OTHER_PRECISION,
        float_size=8,
        real_size=8,
        packed_real_size=8,
        packed_vector_size=8,
    ),
    _rule(
        "components-as-doubles",
        "writes the components of vectors, in packed arrays too, as doubles without the 64-bit flag",
        "reads floats of four bytes",
        "vector",
        7.5,
        Cause.OTHER_PRECISION,
        real_size=8,
        packed_vector_size=8,
    ),
    _rule(
        "floats-only-big-endian",
        "writes floats in big-endian order",
        "reads little-endian",
        "float",
        8,
        float_order="big",
    ),
    # Packed arrays.
    _rule(
        "packed-int-64", "writes the integers of a packed array as eight bytes each", FOUR, PACKED, 7, packed_int_size=8
    ),
    _rule(
        "packed-int-16", "writes the integers of a packed array as two bytes each", FOUR, PACKED, 9, packed_int_size=2
    ),
    _rule(
        "packed-real-64", "writes the floats of a packed array as eight bytes each", FOUR, PACKED, 7, packed_real_size=8
    ),
    _rule(
        "packed-vectors-as-doubles",
        "writes the components of packed vectors as doubles without the 64-bit flag",
        "reads floats of four bytes",
        PACKED,
        8,
        packed_vector_size=8,
    ),
    _rule(
        "packed-numbers-64",
        "writes all numbers of packed arrays as eight bytes each",
        FOUR,
        PACKED,
        8,
        packed_int_size=8,
        packed_real_size=8,
        packed_vector_size=8,
    ),
    _rule(
        "packed-reals-64",
        "writes all floats of packed arrays as eight bytes each",
        FOUR,
        PACKED,
        7.5,
        packed_real_size=8,
        packed_vector_size=8,
    ),
    _rule(
        "packed-real-32",
        "writes the floats of a packed array as four bytes each",
        "reads eight bytes",
        PACKED,
        8,
        packed_real_size=4,
    ),
    _rule(
        "packed-array-as-array",
        "writes a packed array with the type number of an Array",
        "expects a header before each element then",
        PACKED,
        7.5,
        packed_ids=False,
    ),
    _rule(
        "packed-elements-with-headers",
        "writes each element of a packed array with a header, as in an Array",
        "expects the elements alone",
        PACKED,
        7.5,
        packed_headers=True,
    ),
    _rule(
        "packed-strings-with-headers",
        "writes each text of a string array with a header",
        "expects the length, the text and its NUL alone",
        "text of a string array",
        8,
        string_headers=True,
    ),
    _rule(
        "packed-strings-with-headers",
        "writes each text of a string array with a header and without its NUL",
        "expects the length, the text and its NUL alone",
        "text of a string array",
        8,
        string_headers=True,
        closed=False,
    ),
    _rule(
        "packed-count-in-bytes",
        "counts the bytes of a packed array",
        "counts its elements",
        "count of a packed array",
        6.5,
        packed_count_means="bytes",
    ),
    _rule(
        "packed-count-of-numbers",
        "counts the numbers in a packed array",
        "counts its elements",
        "count of a packed array",
        8,
        packed_count_means="numbers",
    ),
    _rule(
        "byte-array-without-padding",
        "writes a byte array without padding",
        UP_TO_FOUR,
        "byte array",
        7,
        Cause.PADDING_MISSING,
        raw_fill="none",
    ),
    _rule(
        "byte-array-padding-always",
        "writes four bytes of padding after a byte array that needs none",
        "expects the next value right after it",
        "byte array",
        8,
        Cause.PADDING_EXTRA,
        raw_fill="always",
    ),
    _rule(
        "byte-array-padded-by-offset",
        "pads byte arrays up to an offset that is a multiple of four",
        "expects as much padding as their length alone asks for",
        "byte array",
        8,
        Cause.PADDING_WRONG,
        raw_fill="offset",
    ),
    _rule(
        "padded-by-offset",
        "pads texts and byte arrays up to an offset that is a multiple of four",
        "expects as much padding as their length alone asks for",
        TEXT,
        8,
        Cause.PADDING_WRONG,
        fill="offset",
        raw_fill="offset",
    ),
    _rule(
        "padding-missing-everywhere",
        "writes texts and byte arrays without padding",
        UP_TO_FOUR,
        "text or byte array",
        6,
        Cause.PADDING_MISSING,
        fill="none",
        raw_fill="none",
    ),
    # Texts.
    _rule(
        "text-without-padding",
        "writes texts without padding",
        UP_TO_FOUR,
        TEXT,
        5.5,
        Cause.PADDING_MISSING,
        fill="none",
    ),
    _rule(
        "text-padding-always",
        "writes four bytes of padding after a text that needs none",
        "expects the next value right after it",
        TEXT,
        6,
        Cause.PADDING_EXTRA,
        fill="always",
    ),
    _rule(
        "text-padded-to-two",
        "pads texts to a multiple of two bytes",
        "expects a multiple of four",
        TEXT,
        8,
        Cause.PADDING_WRONG,
        fill="two",
    ),
    _rule(
        "text-padded-to-eight",
        "pads texts to a multiple of eight bytes",
        "expects a multiple of four",
        TEXT,
        7,
        Cause.PADDING_WRONG,
        fill="eight",
    ),
    _rule(
        "text-padded-by-offset",
        "pads texts up to an offset that is a multiple of four",
        "expects as much padding as their length alone asks for",
        TEXT,
        8,
        Cause.PADDING_WRONG,
        fill="offset",
    ),
    _rule(
        "text-padded-with-spaces",
        "fills texts up with spaces",
        "writes zeros there",
        TEXT,
        9,
        Cause.PADDING_WRONG,
        fill_byte=0x20,
    ),
    _rule(
        "length-counts-nul",
        "counts a closing NUL in the length of a text",
        "counts the text alone",
        TEXT,
        6,
        Cause.LENGTH_COUNTS_NUL,
        length_means="nul",
    ),
    _rule(
        "length-counts-nul-unpadded",
        "counts a closing NUL in the length of a text, and writes no padding",
        "counts the text alone, and expects zeros up to a multiple of four bytes",
        TEXT,
        7,
        Cause.LENGTH_COUNTS_NUL,
        length_means="nul",
        fill="none",
    ),
    _rule(
        "text-nul-not-counted",
        "writes a NUL after each text that its length does not count",
        "expects no NUL, only zeros up to a multiple of four bytes where the text needs them",
        TEXT,
        7,
        nul=True,
    ),
    _rule(
        "text-nul-not-counted-unpadded",
        "writes a NUL after each text, and no padding",
        "expects no NUL, only zeros up to a multiple of four bytes",
        TEXT,
        8,
        nul=True,
        fill="none",
    ),
    _rule(
        "c-strings",
        "ends texts with a NUL and writes no length",
        "reads a length of four bytes first",
        TEXT,
        7,
        length="none",
        fill="none",
    ),
    _rule(
        "c-strings-padded",
        "ends texts with a NUL, pads them and writes no length",
        "reads a length of four bytes first",
        TEXT,
        8,
        length="none",
    ),
    _rule(
        "length-counts-characters",
        "counts characters in the length of a text",
        "counts bytes of UTF-8",
        TEXT,
        6,
        Cause.LENGTH_COUNTS_CHARACTERS,
        length_means="characters",
    ),
    _rule(
        "length-counts-utf16-units",
        "counts UTF-16 units in the length of a text",
        "counts bytes of UTF-8",
        TEXT,
        7,
        Cause.LENGTH_COUNTS_CHARACTERS,
        length_means="units",
    ),
    _rule(
        "text-length-in-words",
        "writes the length of a text in words of four bytes",
        "counts its bytes",
        TEXT,
        7.5,
        length_means="words",
    ),
    _rule(
        "length-counts-padding",
        "counts the padding in the length of a text",
        "counts the text alone",
        TEXT,
        6.5,
        length_means="padded",
    ),
    _rule(
        "length-counts-itself",
        "counts the four bytes of the length itself in the length of a text",
        "counts the text alone",
        TEXT,
        7.5,
        length_means="itself",
    ),
    _rule("text-length-one-byte", "writes the length of a text as one byte", FOUR, TEXT, 8, length="u8"),
    _rule(
        "text-length-one-byte-unpadded",
        "writes the length of a text as one byte, and no padding",
        "reads four bytes, and expects zeros after the text up to a multiple of four",
        TEXT,
        8,
        length="u8",
        fill="none",
    ),
    _rule("text-length-u16", "writes the length of a text as two bytes", FOUR, TEXT, 7.5, length="u16"),
    _rule(
        "text-length-u16-nopad",
        "writes the length of a text as two bytes, and no padding",
        "reads four bytes, and expects zeros after the text up to a multiple of four",
        TEXT,
        7.5,
        length="u16",
        fill="none",
    ),
    _rule(
        "text-length-u16-padded-by-offset",
        "writes the length of a text as two bytes, padded up to an offset that is a multiple of four",
        FOUR,
        TEXT,
        9,
        length="u16",
        fill="offset",
    ),
    _rule(
        "text-length-u16-big-endian",
        "writes the length of a text as two bytes in big-endian order, and no padding",
        "reads four bytes, little-endian, and expects zeros after the text up to a multiple of four",
        TEXT,
        8,
        length="u16be",
        fill="none",
    ),
    _rule("text-length-u64", "writes the length of a text as eight bytes", FOUR, TEXT, 8, length="u64"),
    _rule("text-length-varint", "writes the length of a text as a varint (LEB128)", FOUR, TEXT, 8.5, length="varint"),
    _rule(
        "text-length-varint-unpadded",
        "writes the length of a text as a varint (LEB128), and no padding",
        "reads four bytes, and expects zeros after a text up to a multiple of four",
        TEXT,
        7.5,
        length="varint",
        fill="none",
    ),
    _rule(
        "text-length-big-endian",
        "writes the length of a text in big-endian order",
        "reads little-endian",
        TEXT,
        7.5,
        Cause.LENGTH_SWAPPED,
        length="u32be",
    ),
    _rule("text-utf16", "writes texts as UTF-16", "reads UTF-8", TEXT, 7, Cause.TEXT_UTF16, coding="utf-16-le"),
    _rule(
        "text-utf16-units",
        "writes texts as UTF-16, with lengths in units of two bytes",
        "reads UTF-8 and counts bytes",
        TEXT,
        7.5,
        Cause.TEXT_UTF16,
        coding="utf-16-le",
        length_means="units",
    ),
    _rule(
        "text-utf16-big-endian",
        "writes texts as big-endian UTF-16",
        "reads UTF-8",
        TEXT,
        8.5,
        Cause.TEXT_UTF16,
        coding="utf-16-be",
    ),
    _rule("text-utf32", "writes texts as UTF-32", "reads UTF-8", TEXT, 9, Cause.TEXT_UTF16, coding="utf-32-le"),
    _rule("text-latin1", "writes texts as Latin-1", "reads UTF-8", TEXT, 7, Cause.TEXT_LATIN1, coding="latin-1"),
    _rule(
        "text-cp1252",
        "writes texts in Windows code page 1252",
        "reads UTF-8",
        TEXT,
        8,
        Cause.TEXT_LATIN1,
        coding="cp1252",
    ),
    _rule(
        "text-surrogates-cesu8",
        "writes characters above U+FFFF as two surrogates (CESU-8)",
        "reads UTF-8",
        TEXT,
        7.5,
        coding="cesu-8",
    ),
    _rule(
        "nul-missing",
        "writes the texts of a string array without their closing NUL",
        "expects it, and counts it in the length",
        "text of a string array",
        6,
        Cause.NUL_MISSING,
        closed=False,
    ),
    # Collections.
    _rule(
        "count-is-byte-size",
        "writes the size in bytes as the count of a collection",
        "reads the number of elements",
        "count",
        7,
        count_means="bytes",
    ),
    _rule(
        "count-of-keys-and-values",
        "counts the keys and the values of a Dictionary",
        "counts its pairs",
        "count",
        6.5,
        count_means="values",
    ),
    _rule(
        "count-one-more",
        "writes one more than the count of a collection",
        "reads the count itself",
        "count",
        7.5,
        count_means="more",
    ),
    _rule(
        "count-one-less",
        "writes one less than the count of a collection",
        "reads the count itself",
        "count",
        7.5,
        count_means="less",
    ),
    _rule(
        "count-one-byte",
        "writes the count of a collection as one byte",
        FOUR,
        "count",
        8,
        array_count="u8",
        pair_count="u8",
    ),
    _rule(
        "count-u16",
        "writes the count of a collection as two bytes",
        FOUR,
        "count",
        7.5,
        array_count="u16",
        pair_count="u16",
    ),
    _rule(
        "counts-u16",
        "writes counts, of packed arrays too, as two bytes",
        FOUR,
        "count",
        7.5,
        array_count="u16",
        pair_count="u16",
        packed_count="u16",
    ),
    _rule(
        "counts-one-byte",
        "writes counts, of packed arrays too, as one byte",
        FOUR,
        "count",
        8,
        array_count="u8",
        pair_count="u8",
        packed_count="u8",
    ),
    _rule(
        "counts-u64",
        "writes counts as eight bytes",
        FOUR,
        "count",
        8,
        array_count="u64",
        pair_count="u64",
        packed_count="u64",
    ),
    _rule(
        "count-u64",
        "writes the count of a collection as eight bytes",
        FOUR,
        "count",
        8.5,
        array_count="u64",
        pair_count="u64",
    ),
    _rule(
        "packed-count-u16",
        "writes the count of a packed array as two bytes",
        FOUR,
        "count of a packed array",
        8.5,
        packed_count="u16",
    ),
    _rule(
        "packed-count-u64",
        "writes the count of a packed array as eight bytes",
        FOUR,
        "count of a packed array",
        8.5,
        packed_count="u64",
    ),
    _rule(
        "counts-varint",
        "writes counts as varints (LEB128)",
        "reads four bytes",
        "count",
        8,
        array_count="varint",
        pair_count="varint",
        packed_count="varint",
    ),
    _rule(
        "count-varint",
        "writes the count of a collection as a varint (LEB128)",
        "reads four bytes",
        "count",
        8.5,
        array_count="varint",
        pair_count="varint",
    ),
    _rule(
        "collections-without-count",
        "writes Arrays and Dictionaries without their counts",
        "expects after the header how many elements follow",
        "count",
        8,
        array_count="none",
        pair_count="none",
    ),
    _rule(
        "array-without-count",
        "writes an Array without its count",
        "expects after the header how many elements follow",
        "count",
        7.5,
        array_count="none",
    ),
    _rule(
        "dict-without-count",
        "writes a Dictionary without its count",
        "expects after the header how many pairs follow",
        "count",
        7.5,
        pair_count="none",
    ),
    _rule("array-count-u16", "writes the count of an Array as two bytes", FOUR, "count", 9, array_count="u16"),
    _rule("dict-count-u16", "writes the count of a Dictionary as two bytes", FOUR, "count", 9, pair_count="u16"),
    _rule(
        "counts-big-endian",
        "writes counts in big-endian order",
        "reads little-endian",
        "count",
        7.5,
        array_count="u32be",
        pair_count="u32be",
        packed_count="u32be",
    ),
    _rule(
        "count-big-endian",
        "writes the count of a collection in big-endian order",
        "reads little-endian",
        "count",
        8,
        array_count="u32be",
        pair_count="u32be",
    ),
    _rule(
        "counts-lengths-big-endian",
        "writes counts and lengths in big-endian order",
        "reads little-endian",
        "count",
        7.5,
        array_count="u32be",
        pair_count="u32be",
        packed_count="u32be",
        length="u32be",
    ),
    _rule(
        "headers-counts-lengths-be",
        "writes headers, counts and lengths in big-endian order, numbers little-endian",
        "reads all little-endian",
        HEADER,
        7.5,
        header="u32be",
        array_count="u32be",
        pair_count="u32be",
        packed_count="u32be",
        length="u32be",
    ),
    _rule(
        "headers-collections-lengths-be",
        "writes headers, lengths and the counts of collections in big-endian order, the rest little-endian",
        "reads all little-endian",
        HEADER,
        8,
        header="u32be",
        array_count="u32be",
        pair_count="u32be",
        length="u32be",
    ),
    _rule(
        "ints-only-big-endian",
        "writes ints in big-endian order",
        "reads little-endian",
        "int",
        8,
        int_order="big",
        vector_int_order="big",
        packed_int_order="big",
    ),
    _rule(
        "scalar-ints-big-endian",
        "writes ints in big-endian order, but not those in vectors and packed arrays",
        "reads little-endian",
        "int",
        8.5,
        int_order="big",
    ),
    _rule(
        "ints-not-packed-big-endian",
        "writes ints in big-endian order, but not those in packed arrays",
        "reads little-endian",
        "int",
        8.5,
        int_order="big",
        vector_int_order="big",
    ),
    _rule(
        "packed-ints-big-endian",
        "writes the integers of packed arrays in big-endian order",
        "reads little-endian",
        PACKED,
        8.5,
        packed_int_order="big",
    ),
    _rule(
        "ints-bools-big-endian",
        "writes ints and bools in big-endian order",
        "reads little-endian",
        "int",
        8.5,
        int_order="big",
        vector_int_order="big",
        packed_int_order="big",
        word_order="big",
    ),
    _rule(
        "ints-floats-big-endian",
        "writes ints and floats in big-endian order",
        "reads little-endian",
        "int",
        8,
        int_order="big",
        vector_int_order="big",
        packed_int_order="big",
        float_order="big",
    ),
    _rule(
        "numbers-big-endian",
        "writes ints, floats and bools in big-endian order",
        "reads little-endian",
        "int",
        7.5,
        int_order="big",
        vector_int_order="big",
        packed_int_order="big",
        word_order="big",
        float_order="big",
    ),
    _rule(
        "byte-order-but-texts",
        "writes everything but the letters of texts in big-endian order",
        "reads little-endian",
        HEADER,
        6.5,
        Cause.BYTE_ORDER,
        header="u32be",
        array_count="u32be",
        pair_count="u32be",
        packed_count="u32be",
        length="u32be",
        int_order="big",
        vector_int_order="big",
        packed_int_order="big",
        word_order="big",
        float_order="big",
    ),
    _rule(
        "keys-without-header",
        "writes the keys of a Dictionary without headers",
        "expects each key to be a value with a header of its own",
        "key",
        7,
        key_headers=False,
    ),
    _rule(
        "values-with-own-length",
        "writes the size of each value, but not of keys, before it",
        "expects the header right away",
        "value",
        7.5,
        value_length="u32",
        key_length=False,
    ),
    _rule(
        "values-and-keys-with-own-length",
        "writes the size of each value and key before it",
        "expects the header right away",
        "value",
        8,
        value_length="u32",
    ),
    _rule(
        "values-with-own-length-u16",
        "writes the size of each value before it, as two bytes",
        "expects the header right away",
        "value",
        9,
        value_length="u16",
    ),
    # Headers.
    _rule("header-one-byte", "writes headers as one byte", FOUR, HEADER, 7, header="u8"),
    _rule("header-u16", "writes headers as two bytes", FOUR, HEADER, 7, header="u16"),
    _rule("header-three-bytes", "writes headers as three bytes", FOUR, HEADER, 9, header="u24"),
    _rule("header-u64", "writes headers as eight bytes", FOUR, HEADER, 8.5, header="u64"),
    _rule("header-varint", "writes headers as varints (LEB128)", "reads four bytes", HEADER, 8.5, header="varint"),
    _rule(
        "headers-big-endian", "writes headers in big-endian order", "reads little-endian", HEADER, 7.5, header="u32be"
    ),
    _rule("headers-doubled", "writes each header twice", "reads one header", HEADER, 8, headers=2),
    _rule(
        "header-one-byte-lengths-one-byte",
        "writes headers, counts and lengths as one byte each, without padding",
        "reads four bytes each",
        HEADER,
        9,
        header="u8",
        array_count="u8",
        pair_count="u8",
        packed_count="u8",
        length="u8",
        fill="none",
    ),
    _rule(
        "header-one-byte-unpadded",
        "writes headers as one byte and texts without padding",
        "reads four bytes, and expects zeros after a text up to a multiple of four",
        HEADER,
        8,
        header="u8",
        fill="none",
    ),
    _rule(
        "header-u16-unpadded",
        "writes headers as two bytes and texts without padding",
        "reads four bytes, and expects zeros after a text up to a multiple of four",
        HEADER,
        8.5,
        header="u16",
        fill="none",
    ),
    _rule("null-half", "writes a null as two bytes", "reads a header of four bytes", "null", 9, null="half"),
    _rule(
        "packed-bytes-as-words",
        "writes each byte of a byte array as four bytes",
        "reads one byte each",
        "byte array",
        8,
        packed_byte_size=4,
    ),
    _rule(
        "packed-strings-unpadded",
        "writes the texts of string arrays without padding",
        UP_TO_FOUR,
        TEXT,
        8,
        Cause.PADDING_MISSING,
        array_fill="none",
    ),
    _rule(
        "node-path-as-text",
        "writes a NodePath as one plain text",
        "reads the counts of its names, then each name by itself",
        "NodePath",
        7.5,
        path_is_text=True,
    ),
    _rule(
        "text-with-bom",
        "writes a byte order mark before each text",
        "reads it as a letter",
        TEXT,
        7.5,
        coding="utf-8 with a mark",
    ),
    _rule("text-utf8-twice", "encodes texts as UTF-8 twice", "decodes them once", TEXT, 7.5, coding="utf-8 twice"),
    _rule(
        "text-code-page-1251",
        "writes texts in Windows code page 1251",
        "reads UTF-8",
        TEXT,
        9,
        Cause.TEXT_LATIN1,
        coding="cp1251",
    ),
    _rule(
        "text-code-page-437", "writes texts in code page 437", "reads UTF-8", TEXT, 9, Cause.TEXT_LATIN1, coding="cp437"
    ),
    _rule("text-code-page-932", "writes texts as Shift JIS", "reads UTF-8", TEXT, 9, Cause.TEXT_LATIN1, coding="cp932"),
    _rule("text-gbk", "writes texts as GBK", "reads UTF-8", TEXT, 9, Cause.TEXT_LATIN1, coding="gbk"),
    _rule(
        "text-length-in-bits", "writes the length of a text in bits", "counts its bytes", TEXT, 9, length_means="bits"
    ),
    *(
        _rule(
            f"text-field-of-{size}",
            f"writes texts into fields of {size} bytes without a length",
            "reads a length of four bytes first",
            TEXT,
            9,
            field_size=size,
        )
        for size in (16, 32, 64, 128, 256)
    ),
    _rule(
        "count-with-flags",
        "sets high bits of the count of a collection",
        "reads all of them as the count",
        "count",
        9,
        count_means="flagged",
    ),
    _rule(
        "capacity-beside-count",
        "writes a second number after the count of a collection, such as a capacity",
        "reads the first element there",
        "count",
        8.5,
        count_extra=4,
    ),
    _rule(
        "element-index",
        "writes the index of each element of an Array before it",
        "reads elements alone",
        "element",
        8.5,
        element_index=True,
    ),
    _rule(
        "pairs-with-own-length",
        "writes the size of each pair of a Dictionary before it",
        "expects the key right away",
        "pair",
        8.5,
        pair_length="u32",
    ),
    _rule(
        "keys-as-c-strings",
        "ends the keys of a Dictionary with a NUL and writes neither header nor length",
        "expects each key to be a value with a header of its own",
        "key",
        8,
        key_strings=True,
    ),
    *(
        _rule(
            f"end-mark-{name}",
            f"writes {mark.hex(' ').upper()} after the last element of a collection",
            "knows the end by the count",
            "collection",
            8.5 + extra,
            end_mark=mark,
        )
        for name, mark, extra in (
            ("zeros", bytes(4), 0.0),
            ("ones", b"\xff" * 4, 0.0),
            ("zero-byte", b"\0", 1.0),
            ("ff-byte", b"\xff", 1.0),
        )
    ),
    *(
        _rule(
            f"end-mark-{name}-for-count",
            f"writes no count of a collection, but {mark.hex(' ').upper()} after its last element",
            "expects after the header how many elements follow",
            "collection",
            8.5 + extra,
            end_mark=mark,
            array_count="none",
            pair_count="none",
        )
        for name, mark, extra in (
            ("zeros", bytes(4), 0.0),
            ("ones", b"\xff" * 4, 0.0),
            ("zero-byte", b"\0", 1.0),
            ("ff-byte", b"\xff", 1.0),
        )
    ),
    _rule(
        "header-in-high-half",
        "swaps the halves of a header: the flags come first, then the type number",
        "reads the type number first",
        HEADER,
        8.5,
        header="high half",
    ),
    _rule(
        "all-u16",
        "writes headers, counts and lengths as two bytes each",
        "reads four bytes each",
        HEADER,
        8,
        header="u16",
        array_count="u16",
        pair_count="u16",
        packed_count="u16",
        length="u16",
    ),
    _rule(
        "all-u16-unpadded",
        "writes headers, counts and lengths as two bytes each, without padding",
        "reads four bytes each, and expects zeros after a text up to a multiple of four",
        HEADER,
        8,
        header="u16",
        array_count="u16",
        pair_count="u16",
        packed_count="u16",
        length="u16",
        fill="none",
    ),
    _rule(
        "header-and-counts-u16",
        "writes headers and counts as two bytes each",
        "reads four bytes each",
        HEADER,
        8.5,
        header="u16",
        array_count="u16",
        pair_count="u16",
        packed_count="u16",
    ),
    _rule(
        "header-and-collection-counts-u16",
        "writes headers and the counts of collections as two bytes each",
        "reads four bytes each",
        HEADER,
        8.5,
        header="u16",
        array_count="u16",
        pair_count="u16",
    ),
    _rule(
        "header-u16-big-endian",
        "writes headers as two bytes in big-endian order",
        "reads four bytes, little-endian",
        HEADER,
        8.5,
        header="u16be",
    ),
    _rule(
        "all-one-byte",
        "writes headers, counts and lengths as one byte each",
        "reads four bytes each",
        HEADER,
        9,
        header="u8",
        array_count="u8",
        pair_count="u8",
        packed_count="u8",
        length="u8",
    ),
    _rule(
        "header-and-counts-one-byte",
        "writes headers and counts as one byte each",
        "reads four bytes each",
        HEADER,
        9,
        header="u8",
        array_count="u8",
        pair_count="u8",
        packed_count="u8",
    ),
    _rule(
        "all-leb128",
        "writes headers, counts, lengths and ints as varints (LEB128), without padding",
        "reads four bytes each, and expects zeros after a text up to a multiple of four",
        HEADER,
        8,
        header="varint",
        array_count="varint",
        pair_count="varint",
        packed_count="varint",
        length="varint",
        int_size="leb128",
        fill="none",
        raw_fill="none",
    ),
    _rule(
        "all-leb128-but-ints",
        "writes headers, counts and lengths as varints (LEB128), without padding",
        "reads four bytes each, and expects zeros after a text up to a multiple of four",
        HEADER,
        8.5,
        header="varint",
        array_count="varint",
        pair_count="varint",
        packed_count="varint",
        length="varint",
        fill="none",
        raw_fill="none",
    ),
    _rule(
        "counts-lengths-leb128",
        "writes counts and lengths as varints (LEB128), without padding",
        "reads four bytes each, and expects zeros after a text up to a multiple of four",
        "count",
        8.5,
        array_count="varint",
        pair_count="varint",
        packed_count="varint",
        length="varint",
        fill="none",
        raw_fill="none",
    ),
)
"""What is looked for in any value; :func:`rules_of` has those that name types of an engine line too."""

IDENTITIES = ("Dictionary", "Array", "String", "int", "float", "real", "bool", "Vector2", "Vector3", "Color", "Nil")
"""The types for which the number of another is written by mistake."""
COMPONENTS = ("x", "y", "z", "w", "position", "size", "r", "g", "b", "a")


@cache
def type_rules(dialect: Dialect) -> tuple[EncoderRule, ...]:
    """The rules that name a type of an engine line: components that are left out, added or of another width."""
    return tuple(_type_rules(dialect))


def _type_rules(dialect: Dialect) -> Iterator[EncoderRule]:
    for row in dialect.rows:
        if row.kind is not Kind.FIXED or len(row.narrow) < 2 or len(row.narrow) > 4:
            continue
        one, count, name = row.narrow[0].type, len(row.narrow), row.name
        last = row.narrow[-1].name
        a = "an" if name[0] in "AEIOU" else "a"
        if one == "f32":
            yield _laid(
                name,
                f"{name.lower()}-as-doubles",
                f"writes the components of {a} {name} as doubles",
                "reads floats of four bytes",
                ("f64",) * count,
            )
            yield _laid(
                name,
                f"{name.lower()}-as-ints",
                f"writes the components of {a} {name} as integers",
                "reads floats of four bytes",
                ("i32",) * count,
                9.0,
            )
        if name == "Color":
            yield _laid(
                name, "color-without-alpha", "writes a Color without its alpha", "reads four floats", (one,) * 3, 6.5
            )
            yield _laid(name, "color-as-bytes", "writes a Color as four bytes", "reads four floats", ("u8",) * 4)
            yield _laid(
                name, "color-as-three-bytes", "writes a Color as three bytes", "reads four floats", ("u8",) * 3, 9.0
            )
        elif name.startswith("Vector"):
            yield _laid(
                name,
                f"{name.lower()}-with-one-more",
                f"writes {a} {name} with a component too many",
                f"reads {count}",
                (one,) * (count + 1),
                9.0,
            )
            if count > 2:
                yield _laid(
                    name,
                    f"{name.lower()}-without-{last}",
                    f"writes {a} {name} without its {last}",
                    f"reads {count} components",
                    (one,) * (count - 1),
                    9.0,
                )
        if one == "i32":
            yield _laid(
                name,
                f"{name.lower()}-as-floats",
                f"writes the components of {a} {name} as floats",
                "reads integers",
                ("f32",) * count,
                9.0,
            )
            yield _laid(
                name,
                f"{name.lower()}-as-int64",
                f"writes the components of {a} {name} as eight bytes each",
                FOUR,
                ("i64",) * count,
                9.0,
            )


def _laid(name: str, slug: str, writes: str, reads: str, layout: tuple[str, ...], bits: float = 7.5) -> EncoderRule:
    return EncoderRule(slug, writes, reads, name, (("layouts", ((name, layout),)),), bits + VARIANTS)


def number_rules(dialect: Dialect, stuck: tuple[int, ...]) -> Iterator[EncoderRule]:
    """The rules about type numbers.

    Args:
        dialect: the engine line.
        stuck: type numbers at which reading stops.
    """
    names = {row.number: row.name for row in dialect.rows}
    for first in range(1, len(dialect.rows)):
        for by in (1, -1):
            if by < 0 and first == 1:
                continue
            name, which = names[first], "higher" if by > 0 else "lower"
            writes = f"writes type numbers one {which} than they are, from {name} on"
            changes: Changes = (("shift", (first, by)),)
            yield EncoderRule("ids-shifted-by-one", writes, f"reads {first} as {name}", HEADER, changes, 6.0 + VARIANTS)
    for number in filter(None, stuck):
        for name in IDENTITIES:
            row = dialect.by_name.get(name)
            if row is None or row.number == number:
                continue
            other = names.get(number)
            called = f"{number}, the type number of {other}," if other is not None else f"{number}"
            slug = f"{other.lower()}-id-for-{name.lower()}" if other is not None else f"unknown-id-for-{name.lower()}"
            changes = (("ids", ((number, row.number),)),)
            bits, reads = (18.0 if other is not None else 6.0) + VARIANTS, f"reads {row.number} as {name}"
            yield EncoderRule(slug, f"writes {called} for {name}", reads, HEADER, changes, bits)
