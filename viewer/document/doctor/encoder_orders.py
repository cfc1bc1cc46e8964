"""Encoder orders: rules about the order in which the bytes of a number stand, and the keys and values of a Dictionary.

Such bytes mostly read without an error. What tells a rule is how much likelier the values are that come out of it, over
all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from viewer.document.doctor.encoder_rule import PACKED, EncoderRule

COMMON, SELDOM, RARE = 8.5, 10.0, 13.0
"""Bits: how rare such rules are beside those that are known."""
WIDE_ORDERS = {
    "big": ("big-endian", "in big-endian order"),
    "halves": ("words-swapped", "as two words of four bytes, the high one first"),
    "words": ("bytes-of-words-swapped", "with the bytes of each four swapped"),
    "pairs": ("bytes-of-pairs-swapped", "with the bytes of each two swapped"),
    "units": ("pairs-turned", "with the last two bytes first, and so on"),
}
HALVES = {"halves": ("halves-swapped", "with the second half of their bytes first")}
ORDERS = {**HALVES, "pairs": ("bytes-of-pairs-swapped", "with the bytes of each two swapped")}
INTS = ("int_order", "vector_int_order", "packed_int_order")
OF_WIDE = {
    "int64": ("ints of eight bytes", "int", ("wide_int_order",)),
    "float64": ("floats of eight bytes", "float", ("wide_float_order",)),
    "numbers-of-64-bits": ("ints and floats of eight bytes", "number", ("wide_int_order", "wide_float_order")),
}
OF_ALL = {
    "ints": ("ints, those in vectors and packed arrays too,", "int", INTS),
    "floats": ("floats, those in vectors and packed arrays too,", "real", ("float_order",)),
    "numbers": ("ints and floats", "number", (*INTS, "float_order")),
}
OF_SOME = {
    "scalar-ints": ("ints, but not those in vectors and packed arrays,", "int", INTS[:1]),
    "packed-ints": ("the integers of packed arrays", PACKED, INTS[2:]),
    "vector-floats": ("floats in vectors and packed arrays", "real", ("vector_order", "packed_real_order")),
}
PAIRS = {
    "keys values": ("keys-then-values", "all keys of a Dictionary first, then all its values", 7.0),
    "value key": ("value-before-key", "each value of a Dictionary before its key", COMMON),
    "values keys": ("values-then-keys", "all values of a Dictionary first, then all its keys", 9.5),
}


@cache
def order_rules() -> tuple[EncoderRule, ...]:
    """All of them."""
    some = ((OF_WIDE, WIDE_ORDERS), (OF_ALL, ORDERS), (OF_SOME, HALVES))
    numbers = (rule for kinds, orders in some for rule in _of_numbers(kinds, orders))
    return (*numbers, *_of_pairs(), *_of_counts())


def _of_numbers(
    kinds: dict[str, tuple[str, str, tuple[str, ...]]], orders: dict[str, tuple[str, str]]
) -> Iterator[EncoderRule]:
    for kind, (told, noun, fields) in kinds.items():
        for order, (slug, how) in orders.items():
            changes = tuple((field, order) for field in fields)
            bits = RARE if order not in ("big", "halves") else COMMON if kind in OF_WIDE else SELDOM
            yield EncoderRule(f"{kind}-{slug}", f"writes {told} {how}", "reads little-endian", noun, changes, bits)


def _of_pairs() -> Iterator[EncoderRule]:
    for order, (slug, told, bits) in PAIRS.items():
        reads = "reads each key with its value behind it"
        yield EncoderRule(slug, f"writes {told}", reads, "pair", (("pair_order", order),), bits)


def _of_counts() -> Iterator[EncoderRule]:
    """Counts that do not count, whatever stands there."""
    for means, slug, told, bits in (
        ("nothing", "means-nothing", "the same number as the count of every", COMMON),
        ("anything", "is-another-number", "something else than the count of", RARE),
    ):
        for noun, field, more in (("Dictionary", "pair_means", 0.0), ("Array", "array_means", 3.0)):
            a = "" if means == "nothing" else "an " if noun == "Array" else "a "
            yield EncoderRule(
                f"{noun.lower()}-count-{slug}", f"writes {told} {a}{noun}", "reads as many as it says",
                f"count of a {noun}", ((field, means),), bits + more,
            )  # fmt: skip
        yield EncoderRule(
            f"count-{slug}", f"writes {told} {'' if means == 'nothing' else 'a '}collection",
            "reads as many as it says", "count", (("count_means", means),), bits + 1.0,
        )  # fmt: skip
