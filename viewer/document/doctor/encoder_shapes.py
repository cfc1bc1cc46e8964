"""Encoder shapes: the rules that nobody needs to have met, since they follow from what a field of a value may be.

Each number that says something of others has every width and order, each text and array every fill, each kind of value
every width and order of its own, and at each place something more may stand that says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from viewer.document.doctor.encoder_orders import order_rules
from viewer.document.doctor.encoder_rule import FOUR, HEADER, PACKED, TEXT, Changes, EncoderRule
from viewer.document.doctor.encoder_rules import RULES

COMMON, RARE, RAREST = 9.0, 10.0, 11.0
"""Bits: how rare such rules are beside those that are known."""
WIDTHS = {
    "u8": ("one-byte", "one byte"),
    "u16": ("u16", "two bytes"),
    "u16be": ("u16-big-endian", "two bytes in big-endian order"),
    "u24": ("u24", "three bytes"),
    "u24be": ("u24-big-endian", "three bytes in big-endian order"),
    "u32be": ("big-endian", "four bytes in big-endian order"),
    "u64": ("u64", "eight bytes"),
    "u64be": ("u64-big-endian", "eight bytes in big-endian order"),
    "varint": ("varint", "a varint (LEB128)"),
}
FILLS = {
    "none": ("unpadded", ", without padding", "writes {} without padding"),
    "offset": (
        "padded-by-offset",
        ", padded up to an offset that is a multiple of four",
        "pads {} up to an offset that is a multiple of four",
    ),
    "two": ("padded-to-two", "", "pads {} to a multiple of two bytes"),
    "eight": ("padded-to-eight", "", "pads {} to a multiple of eight bytes"),
    "sixteen": ("padded-to-sixteen", "", "pads {} to a multiple of sixteen bytes"),
    "always": ("padded-always", "", "pads {} even where they need no padding"),
    "remainder": ("padded-by-remainder", "", "pads {} with as many bytes as their size is over a multiple of four"),
}
"""Each way to pad: its name, what is said of it beside something else, and what the encoder does."""
COUNTED = {
    "length": ("text-length", "the length of a text", TEXT, ("length",)),
    "key": ("key-length", "the length of a key", "key", ("key_size",)),
    "count": ("count", "the count of a collection", "count", ("array_count", "pair_count")),
    "packed": ("packed-count", "the count of a packed array", PACKED, ("packed_count",)),
    "counts": ("counts", "counts", "count", ("array_count", "pair_count", "packed_count")),
    "all": ("counts-lengths", "counts and lengths", "count", ("array_count", "pair_count", "packed_count", "length")),
    "header": ("header", "a header", HEADER, ("header",)),
    "headers": ("headers-lengths", "headers and lengths", HEADER, ("header", "length")),
    "head": ("headers-counts", "headers and counts", HEADER, ("header", "array_count", "pair_count", "packed_count")),
    "whole": (
        "headers-counts-lengths",
        "headers, counts and lengths",
        HEADER,
        ("header", "array_count", "pair_count", "packed_count", "length"),
    ),
}
PLACES = {
    "value": ("before-each-value", "before each value", "value"),
    "header": ("behind-header", "between the header and what follows it", HEADER),
    "length": ("behind-length", "between the length and the letters of a text", TEXT),
    "count": ("before-count", "before each count", "count"),
    "pair": ("before-pair", "before each pair of a Dictionary", "pair"),
    "pair end": ("behind-pair", "after each pair of a Dictionary", "pair"),
    "between": ("between-elements", "between the elements of an Array", "element"),
    "packed": ("behind-packed", "after each packed array", PACKED),
    "number": ("before-number", "between the header of a number and the number", "number"),
    "vector": ("before-vector", "between the header of a vector and its components", "vector"),
}
NEXT = "expects the next value right after it"
PADDED = "expects zeros up to a multiple of four bytes"
ONLY_BYTES = "expects padding only after byte arrays, up to a multiple of four bytes"
ONLY_TEXTS = "expects padding only after texts and byte arrays, up to a multiple of four bytes"
SIZES = {1: "a byte", 2: "two bytes", 4: "a word of four bytes", 8: "eight bytes"}


def _made(slug: str, writes: str, reads: str, noun: str, bits: float, **changes: Any) -> EncoderRule:
    return EncoderRule(slug, writes, reads, noun, tuple(changes.items()), bits)


@cache
def shape_rules() -> tuple[EncoderRule, ...]:
    """All of them, but for those that are known by a name of their own."""
    known = {frozenset(rule.changes) for rule in RULES}
    found: dict[Changes, EncoderRule] = {}
    for rule in (*_counted(), *_texts(), *_numbers(), *_packed(), *_extras(), *order_rules()):
        if frozenset(rule.changes) not in known:
            found.setdefault(rule.changes, rule)
    return tuple(found.values())


def _counted() -> Iterator[EncoderRule]:
    """Each number that counts, in each width and order, beside each fill where it is that of a text."""
    for name, (slug, told, noun, names) in COUNTED.items():
        for width, (called, words) in WIDTHS.items():
            changes = dict.fromkeys(names, width)
            bits = COMMON if width != "u24be" and name != "key" else RARE
            read = f"{FOUR}, little-endian" if width.endswith("be") else FOUR
            yield _made(f"{slug}-{called}", f"writes {told} as {words}", read, noun, bits, **changes)
            if name in ("length", "all", "whole", "headers"):
                for fill in ("none", "offset"):
                    how, say, _ = FILLS[fill]
                    more = {"fill": fill, "raw_fill": fill} if name != "length" else {"fill": fill}
                    yield _made(
                        f"{slug}-{called}-{how}", f"writes {told} as {words}{say}", f"{read}, and {PADDED}", noun,
                        bits + 1, **changes, **more,
                    )  # fmt: skip
            if name == "key":
                yield _made(
                    f"{slug}-{called}-unpadded", f"writes {told} as {words}, and no padding",
                    f"{read}, and {PADDED}", noun, bits, **changes, key_fill="none",
                )  # fmt: skip
    yield _made(
        "count-in-header", "writes the count of a collection into the upper half of its header",
        "reads it from a word after it", "count", COMMON, count_in_header=True,
    )  # fmt: skip
    for name, noun in (("array", "Array"), ("pair", "Dictionary")):
        for means, words in (("more", "one more than there are"), ("less", "one less than there are")):
            yield _made(
                f"{noun.lower()}-count-one-{means}", f"writes a count of {noun} that is {words}",
                "reads as many as it says", f"count of a {noun}", RARE, **{f"{name}_means": means},
            )  # fmt: skip
    for means in ("more", "less"):
        yield _made(
            f"packed-count-one-{means}", f"counts one element {means} in a packed array than there are",
            "reads as many as it says", PACKED, RARE, packed_count_means=means,
        )  # fmt: skip
    yield _made(
        "flags-behind-header", "writes a header as two words, of which the second holds the flags",
        "reads one, whose upper half holds them", HEADER, COMMON, header="u64", flag_bit=32,
    )  # fmt: skip


def _texts() -> Iterator[EncoderRule]:
    for fill, (slug, _, words) in FILLS.items():
        yield _made(f"text-{slug}", words.format("texts"), PADDED, TEXT, COMMON, fill=fill)
        yield _made(
            f"text-and-bytes-{slug}", words.format("texts and byte arrays"), PADDED, "text or byte array",
            COMMON, fill=fill, raw_fill=fill,
        )  # fmt: skip
        yield _made(f"key-{slug}", words.format("keys"), PADDED, "key", RARE, key_fill=fill)
    for means, slug, words in (
        ("both", "length-counts-itself-and-padding", "counts the four bytes of the length and the padding too"),
        ("less", "length-one-less", "writes the length of a text one less than it is"),
        ("more", "length-one-more", "writes the length of a text one more than it is"),
    ):
        yield _made(slug, words, "counts the text alone", TEXT, COMMON, length_means=means)
    yield _made(
        "text-as-fstring", "counts a closing NUL in the length of a text, negative for UTF-16, without padding",
        "reads UTF-8, and counts its bytes", TEXT, COMMON, length_means="unreal",
    )  # fmt: skip
    for order, words in (("le", "little"), ("be", "big")):
        for fill in ("none", "four"):
            how = f"{words}-endian UTF-16 after its length in big-endian order"
            yield _made(
                f"text-utf16-{words}-endian-length-swapped-{FILLS.get(fill, ('padded',))[0]}",
                f"writes a text as {how}{FILLS.get(fill, ('', ', with padding'))[1]}",
                "reads UTF-8 after a little-endian length",
                TEXT, RARE, coding=f"utf-16-{order}", length="u32be", fill=fill,
            )  # fmt: skip
    yield _made(
        "text-padded-before", "writes the padding of a text before it", "expects it after the text", TEXT, RARE,
        fill_is_before=True,
    )  # fmt: skip
    for fill in ("four", "always"):
        yield _made(
            f"text-{fill}-padded-with-garbage", "pads texts with bytes that are not zeros", "writes zeros there",
            TEXT, RARE, fill=fill, any_fill=True,
        )  # fmt: skip
    yield _made(
        "string-array-nul-not-counted", "writes a NUL after each text of a string array without counting it",
        "counts it in the length", "text of a string array", COMMON, closed=False, array_fill="always",
    )  # fmt: skip


def _numbers() -> Iterator[EncoderRule]:
    for size, words in ((1, "one byte"), (2, "two bytes"), (3, "three bytes"), (4, "four bytes"), (8, "eight bytes")):
        yield _made(f"int-{words.replace(' ', '-')}", f"writes an int as {words}", FOUR, "int", RARE, int_size=size)
    yield _made(
        "int-as-f64", "writes an int as a float of eight bytes", "reads a whole number", "int", COMMON, int_size="f64"
    )
    yield _made("int-as-text", "writes an int as a text of digits", FOUR, "int", COMMON, int_size="text")
    yield _made("float-as-text", "writes a float as a text of digits", FOUR, "float", COMMON, float_size="text")
    yield _made(
        "number-as-text", "writes ints and floats as texts of digits", FOUR, "number", COMMON,
        int_size="text", float_size="text",
    )  # fmt: skip
    yield _made("float-as-half", "writes a float as two bytes (half precision)", FOUR, "float", RARE, float_size=2)
    yield _made("bool-three-bytes", "writes a bool as three bytes", FOUR, "bool", RARE, bool_size=3)
    yield _made(
        "bool-in-header", "writes a bool into the upper half of its header, and nothing after it",
        "reads a word of four bytes after it", "bool", COMMON, bool_in_header=True,
    )  # fmt: skip
    yield _made(
        "vectors-as-halves", "writes the components of vectors as two bytes each", FOUR, "vector", RARE, real_size=2
    )
    yield _made(
        "components-as-halves", "writes the components of vectors, in packed arrays too, as two bytes each", FOUR,
        "vector", RARE, real_size=2, packed_vector_size=2, packed_real_size=2,
    )  # fmt: skip
    yield _made(
        "reals-as-halves", "writes all floats as two bytes each", FOUR, "real", RARE,
        float_size=2, real_size=2, packed_vector_size=2, packed_real_size=2,
    )  # fmt: skip
    for name, noun, words in (
        ("wide_float_order", "float", "floats of eight bytes"),
        ("vector_order", "vector", "the components of vectors"),
        ("packed_real_order", PACKED, "the floats of packed arrays"),
        ("vector_int_order", "vector", "the integers of vectors"),
        ("word_order", "bool", "bools"),
    ):
        slug = words.replace("the ", "").replace(" ", "-")
        yield _made(
            f"{slug}-big-endian",
            f"writes {words} in big-endian order",
            "reads little-endian",
            noun,
            RARE,
            **{name: "big"},
        )
    yield _made(
        "vectors-and-packed-floats-big-endian", "writes floats in vectors and packed arrays in big-endian order",
        "reads little-endian", "real", RARE, vector_order="big", packed_real_order="big",
    )  # fmt: skip


def _packed() -> Iterator[EncoderRule]:
    for fill in ("none", "eight", "sixteen"):
        slug, _, words = FILLS[fill]
        yield _made(
            f"byte-array-{slug}",
            words.format("byte arrays"),
            PADDED,
            "byte array",
            COMMON,
            raw_fill=fill,
        )
        if fill != "none":
            yield _made(
                f"packed-{slug}", words.format("packed arrays"), ONLY_BYTES, PACKED,
                COMMON, packed_fill=fill, raw_fill=fill,
            )  # fmt: skip
            yield _made(
                f"numbers-of-packed-{slug}", words.format("packed arrays of numbers"), NEXT, PACKED,
                RARE, packed_fill=fill,
            )  # fmt: skip
            yield _made(
                f"all-{slug}", words.format("texts and packed arrays"), ONLY_TEXTS,
                "text or byte array", COMMON, fill=fill, packed_fill=fill, raw_fill=fill,
            )  # fmt: skip


def _extras() -> Iterator[EncoderRule]:
    for place, (slug, words, noun) in PLACES.items():
        for size, told in SIZES.items():
            yield _made(
                f"{size}-{'byte' if size == 1 else 'bytes'}-{slug}", f"writes {told} {words}",
                "expects nothing there", noun, RARE if size in (1, 4) else RAREST, extra=(place, size),
            )  # fmt: skip
    yield _made(
        "values-aligned-to-eight", "begins each value at a multiple of eight bytes", NEXT, "value", RARE,
        extra=("align", 8),
    )  # fmt: skip
