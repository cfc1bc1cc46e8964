"""Wire formats: how an encoder writes values, the engines' own way or one with wrong rules in it.

A wire format is data: what it says differently from :data:`ENGINE` is what such an encoder does wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from viewer.base.record import dataclass

NUMBERS: dict[str, tuple[int, Literal["little", "big"]]] = {
    "u8": (1, "little"),
    "u16": (2, "little"),
    "u16be": (2, "big"),
    "u24": (3, "little"),
    "u24be": (3, "big"),
    "u32": (4, "little"),
    "u32be": (4, "big"),
    "high half": (4, "little"),
    "u64": (8, "little"),
    "u64be": (8, "big"),
}
"""Whole numbers: bytes and order. Beside them there are ``varint`` (LEB128) and ``none``, which takes no bytes;
``high half`` is a word whose halves are swapped: the flags come first."""


ORDERS: dict[str, Callable[[bytes], bytes]] = {
    "little": lambda raw: raw,
    "big": lambda raw: raw[::-1],
    "halves": lambda raw: raw[len(raw) // 2 :] + raw[: len(raw) // 2],
    "pairs": lambda raw: b"".join(raw[k : k + 2][::-1] for k in range(0, len(raw), 2)),
    "words": lambda raw: b"".join(raw[k : k + 4][::-1] for k in range(0, len(raw), 4)),
    "units": lambda raw: b"".join(raw[k : k + 2] for k in range(len(raw) - 2, -1, -2)),
}
"""The orders in which the bytes of a number that is a value stand, by what brings them into an engine's: the second
half comes first, or each two bytes, or each four of them, are swapped, or the units of two bytes are."""
SAY_NOTHING = frozenset({"nothing", "anything"})
"""What counts mean that tell nothing of what follows."""


@dataclass(frozen=True, slots=True)
class WireFormat:
    """How values lie in bytes.

    Args:
        header: the number that a header word is written as.
        ids: pairs of a type number as it is written, and the one that is meant.
        flag_bit: the bit of a header that says that a number takes eight bytes.
        gap: bytes of zeros between the header and the payload of such a number.
        shift: (first, by): type numbers from *first* on are written *by* higher than they are.
        array_count, pair_count: the numbers that count what is in an Array and a Dictionary; ``none`` where none does.
        count_means: what they count: ``elements``, ``bytes`` (behind it), ``values`` (keys too), ``more`` or ``less``
            (one off), ``nothing`` (the same number stands everywhere), ``anything`` (not what follows).
        packed_count, packed_count_means: the same of packed arrays; ``numbers`` counts each component.
        count_extra: bytes behind each count of a collection that say nothing of it, such as a capacity.
        end_mark: bytes that end a collection, behind its elements.
        element_index: whether each element of an Array stands behind its index, a word.
        length: the number that says how long a text is; with ``none`` a NUL ends it.
        length_means: ``bytes``, ``characters``, ``units`` (of UTF-16), ``words`` (of four bytes), ``padded`` (the fill
            too), ``itself`` (its own bytes too), ``both`` (these two), ``more`` and ``less`` (one off), ``unreal``
            (with a NUL; negative in units of UTF-16), ``nul`` (and the NUL that follows the text), ``bits``.
        field_size: bytes of the field that each text stands in, filled up with NULs, without a length; 0 for none.
        coding: how texts are encoded.
        nul: whether a NUL that no length counts follows each text.
        array_fill: how texts of string arrays are filled up, empty for as other texts are.
        fill: how texts are filled up, a word of :data:`FILLS`.
        raw_fill: how byte arrays are.
        fill_byte: what texts are filled with.
        bool_size: bytes of a bool behind its header; 0 is one whose header alone means true.
        packed_byte_size: bytes of each element of a byte array.
        null: ``header``, ``byte`` and ``half`` (its header is one byte, or two), ``word`` (four bytes follow),
            ``absent`` (nothing at all).
        int_size, float_size: bytes of a number whatever the flag says, None by the flag; ``leb128`` and ``zigzag`` are
            integers of any size, ``text`` writes digits, ``f64`` is an int as a float of eight bytes,
            ``unflagged`` takes eight bytes where the number needs them,
            without the flag, and ``decimal`` is a float as .NET lays out its Decimal.
        wide_int_order: a word of :data:`ORDERS`, of ints of eight bytes alone.
        null_text: the length that stands for a text that is null, empty where a null is written as one.
        vector3_gap: bytes of zeros behind each Vector3, in packed arrays too.
        real_size: the same of the components of vectors.
        packed_int_size, packed_real_size, packed_vector_size: the same of elements of packed arrays, and of their
            components.
        int_order, vector_int_order, packed_int_order: a word of :data:`ORDERS`, of ints alone, in vectors, and in
            packed arrays.
        float_order: a word of :data:`ORDERS`, of all floats.
        word_order: ``little`` or ``big``, of bools and other words that are values.
        layouts: (type name, fields as they are written): ``f32 f64 i32 i64 u8``, more or fewer than there should be.
        value_length: the number that stands before each value inside another one and says its size; empty for none.
        key_length: whether it stands before keys too.
        pair_length: the number that stands before each pair of a dictionary and says its size; empty for none.
        key_strings: whether keys are ended by a NUL, without a header and a length.
        key_headers: whether keys that are Strings have headers.
        headers: how often the header of a value is written.
        packed_ids: whether packed arrays have type numbers of their own, not that of an Array.
        packed_headers: whether each element of a packed array is a value with a header.
        string_headers: whether each text of a string array has one.
        closed: whether texts of string arrays are closed by a NUL that their length counts.
        path_is_text: whether a NodePath is written as one plain text.
        element_types: whether the type of elements stands behind a header that says that they have one.
        extra: (place, bytes): so many bytes that say nothing stand at each place of a kind: ``value`` (before each
            value), ``header`` (behind each), ``length``, ``count`` (before each), ``pair`` (before), ``pair end``,
            ``between`` (elements of an Array), ``packed`` (behind each array), ``number``, ``vector`` (behind their
            headers); with ``align`` zeros up to a multiple of so many before each value.
        count_in_header: whether the count of a collection stands in the upper half of its header.
        bool_in_header: whether the flag of a bool's header is its value, and nothing follows.
        array_means, pair_means: what the counts of Arrays and of Dictionaries count, where it is not ``count_means``.
        packed_fill: how packed arrays but those of bytes and texts are filled up.
        fill_is_before: whether the fill stands before a text, behind its length.
        any_fill: whether fill may be any bytes.
        key_size, key_fill: the length and the fill of keys, empty where they are those of other texts.
        wide_float_order, vector_order, packed_real_order: a word of :data:`ORDERS`, of floats of eight bytes, in
            vectors, and in packed arrays.
        pair_order: how the keys and values of a Dictionary follow each other: ``key value``, ``value key``,
            ``keys values`` and ``values keys`` (all of the one kind first).
    """

    header: str = "u32"
    ids: tuple[tuple[int, int], ...] = ()
    flag_bit: int = 16
    gap: int = 0
    shift: tuple[int, int] = (0, 0)
    array_count: str = "u32"
    pair_count: str = "u32"
    count_means: str = "elements"
    packed_count: str = "u32"
    packed_count_means: str = "elements"
    count_extra: int = 0
    end_mark: bytes = b""
    element_index: bool = False
    length: str = "u32"
    length_means: str = "bytes"
    field_size: int = 0
    coding: str = "utf-8"
    nul: bool = False
    fill: str = "four"
    array_fill: str = ""
    raw_fill: str = "four"
    fill_byte: int = 0
    bool_size: int = 4
    packed_byte_size: int = 1
    null: str = "header"
    int_size: int | str | None = None
    float_size: int | str | None = None
    real_size: int | None = None
    packed_int_size: int | None = None
    packed_real_size: int | None = None
    packed_vector_size: int | None = None
    int_order: str = "little"
    wide_int_order: str = "little"
    word_order: str = "little"
    vector_int_order: str = "little"
    packed_int_order: str = "little"
    float_order: str = "little"
    null_text: bytes = b""
    vector3_gap: int = 0
    layouts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    value_length: str = ""
    pair_length: str = ""
    key_strings: bool = False
    key_length: bool = True
    key_headers: bool = True
    headers: int = 1
    packed_ids: bool = True
    packed_headers: bool = False
    string_headers: bool = False
    closed: bool = True
    path_is_text: bool = False
    element_types: bool = True
    extra: tuple[str, int] = ("", 0)
    count_in_header: bool = False
    bool_in_header: bool = False
    array_means: str = ""
    pair_means: str = ""
    packed_fill: str = "none"
    fill_is_before: bool = False
    any_fill: bool = False
    key_size: str = ""
    key_fill: str = ""
    wide_float_order: str = "little"
    vector_order: str = "little"
    packed_real_order: str = "little"
    pair_order: str = "key value"


ENGINE = WireFormat()
"""How engines write."""


def _four(at: int, size: int) -> int:
    return -size % 4


FILLS: dict[str, Callable[[int, int], int]] = {
    "four": _four,
    "none": lambda at, size: 0,
    "always": lambda at, size: 4 - size % 4,
    "two": lambda at, size: -size % 2,
    "eight": lambda at, size: -size % 8,
    "sixteen": lambda at, size: -size % 16,
    "offset": lambda at, size: -(at + size) % 4,
    "remainder": lambda at, size: size % 4,
}
"""How many bytes of fill follow *size* bytes that begin at offset *at*, by the word for it."""
