"""Of two explanations of the same bytes that is said first which leaves less to tell."""

from __future__ import annotations

import struct

import pytest

from viewer.document.doctor import Cause, Repair, diagnose, preview
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.description import raw_bits
from viewer.document.doctor.encoder_shapes import shape_rules
from viewer.document.doctor.trying import thrown_bits
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

GODOT2, GODOT3 = load("godot2"), load("godot3")


def number(value: int) -> bytes:
    return struct.pack("<Ii", 2, value)


def plain(shown: bytes, fill: bytes | None = None) -> bytes:
    """A text behind its length, filled up as engines do or otherwise."""
    return struct.pack("<I", len(shown)) + shown + (bytes(-len(shown) % 4) if fill is None else fill)


def text(shown: bytes, fill: bytes | None = None) -> bytes:
    return struct.pack("<I", 4) + plain(shown, fill)


def pairs(*some: bytes) -> bytes:
    return struct.pack("<II", 18, len(some) // 2) + b"".join(some)


def stored(*values: bytes) -> bytes:
    return b"".join(struct.pack("<I", len(value)) + value for value in values)


def first(data: bytes, dialect: str = "godot3") -> Repair:
    return diagnose(Document(data, choice=ReadOptions(load(dialect))))[0]


def mended(data: bytes, repair: Repair) -> bytes:
    return bytes(preview(Document(data, choice=ReadOptions(GODOT3)), repair).buffer[:])


PLAYER = pairs(text(b"name"), text(b"Player"), text(b"hp"), number(20))
ENEMY = pairs(text(b"name"), text(b"Enemy"), text(b"hp"), number(7))


@pytest.mark.parametrize("more", [0, 4])
@pytest.mark.parametrize("values", [(PLAYER,), (PLAYER, ENEMY, PLAYER), (ENEMY, PLAYER, text(b"end of it"))])
def test_a_length_that_stands_twice_before_one_value_is_no_field(values: tuple[bytes, ...], more: int) -> None:
    *before, last = values
    data = stored(*before) + struct.pack("<I", len(last) + more) + stored(last)
    repair = first(data)
    assert repair.cause in (Cause.PREFIX_DOUBLED, Cause.PREFIX_EXTRA)
    assert mended(data, repair) == stored(*values)


def test_a_length_that_stands_twice_before_each_value_is_a_field() -> None:
    values = (PLAYER, ENEMY, text(b"end of it"), PLAYER)
    data = b"".join(struct.pack("<I", len(value)) + stored(value) for value in values)
    repairs = diagnose(Document(data))
    assert all(repair.edit is None for repair in repairs)
    assert [repair.cause for repair in repairs] == [Cause.OWN_FIELDS]


def test_bytes_that_a_rule_says_nothing_of_are_to_be_told() -> None:
    """What stands there is told once; zeros that align are what the rule says."""
    gone = (Patch(0, 8, b""), Patch(20, 8, b""))
    data = bytes(range(0x81, 0x89)) + bytes(12) + bytes(range(0x81, 0x89)) + bytes(4)
    shapes = [rule for rule in shape_rules() if any(name == "extra" for name, _ in rule.changes)]
    told = {
        value[0]: thrown_bits(data, Candidate(rule.cause, gone, "", rules=(rule,)))
        for rule in shapes
        for name, value in rule.changes
        if name == "extra"
    }
    assert told["value"] == raw_bits(data[:8])
    assert told["align"] == 0


def test_values_of_other_types_are_as_long_to_tell_without_an_array() -> None:
    """The elements behind a text without its padding read one by one; they are no row of values for that."""
    kinds = [
        struct.pack("<II", 1, 1),
        number(3),
        struct.pack("<If", 3, 1.5),
        text(b"str", b""),
        struct.pack("<Iff", 5, 1, 2),
        struct.pack("<Iffff", 6, 1, 2, 3, 4),
        struct.pack("<Ifff", 7, 1, 2, 3),
        number(-4),
        struct.pack("<Iffff", 14, 0.5, 0.5, 1, 1),
        struct.pack("<II", 1, 0),
        struct.pack("<Iff", 5, 3, 4),
        text(b"four"),
    ]
    value = struct.pack("<II", 19, len(kinds)) + b"".join(kinds)
    assert first(stored(value)).cause is Cause.PADDING_MISSING


def test_padding_that_the_end_lacks_is_named_where_the_engine_accepts_that() -> None:
    value = struct.pack("<II", GODOT2.type_number("Dictionary"), 1) + text(b"name") + text(b"Enemy", b"")
    repair = first(value, "godot2")
    assert repair.cause is Cause.PADDING_MISSING
    assert repair.edit is not None
    assert repair.edit.splices[0].inserted == bytes(3)


def test_a_rule_of_an_encoder_may_show_in_one_value_alone() -> None:
    bad = pairs(text(b"title", b""), text(b"Hello", b""), text(b"level", b""), number(4))
    good = pairs(text(b"title"), text(b"Hello"), text(b"level"), number(4))
    data = stored(PLAYER, bad, ENEMY)
    repair = first(data)
    assert repair.cause is Cause.PADDING_MISSING
    assert mended(data, repair) == stored(PLAYER, good, ENEMY)


def test_the_texts_of_an_object_follow_the_rules_of_an_encoder_too() -> None:
    def value(fill: bytes | None) -> bytes:
        head = struct.pack("<I", 17) + plain(b"Resource") + struct.pack("<I", 3)
        name, title = plain(b"resource_name", fill) + text(b"gem", fill), plain(b"title", fill) + text(b"A gem", fill)
        return head + name + title + plain(b"level", fill) + number(3)

    data = stored(value(b""))
    repair = first(data)
    assert repair.cause is Cause.PADDING_MISSING
    assert mended(data, repair) == stored(value(None))


def test_a_copy_that_is_taken_out_is_no_lost_value() -> None:
    child = struct.pack("<Iff", 5, 0.25, 7.5)
    value = struct.pack("<II", 19, 3) + number(2) + child + child + text(b"end")
    repair = first(pairs(text(b"raw"), number(1), text(b"n"), value))
    assert repair.cause is Cause.CHILD_DUPLICATED
    assert repair.loses


def test_what_two_rules_put_in_is_told_without_what_the_other_takes_out() -> None:
    """A word where an engine has another is no byte too many."""
    shapes = [rule for rule in shape_rules() if any(name == "extra" for name, _ in rule.changes)]
    rule = next(rule for rule in shapes if dict(rule.changes)["extra"][0] == "value")
    gone, shorter = Patch(0, 8, b""), Patch(20, 4, b"\0")
    told = thrown_bits(bytes(range(24)), Candidate(rule.cause, (gone, shorter), "", rules=(rule,)))
    assert told == raw_bits(bytes(range(8)))


def test_an_end_mark_instead_of_a_count_may_show_in_one_collection() -> None:
    keys = ("one", "two", "three", "four", "five")
    pairs = b"".join(text(key.encode()) + number(index) for index, key in enumerate(keys))
    repair = first(stored(struct.pack("<I", 18) + pairs + bytes(4)))
    assert repair.cause is Cause.ENCODER_RULE
    assert repair.confidence > 0.9
    assert mended(stored(struct.pack("<I", 18) + pairs + bytes(4)), repair) == stored(
        struct.pack("<2I", 18, len(keys)) + pairs
    )
