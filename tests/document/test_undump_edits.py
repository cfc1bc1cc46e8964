"""A dump that a person edited: values win, and counts, lengths and prefixes follow."""

from __future__ import annotations

import json
from typing import Any

import pytest

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.export.dump import dump
from viewer.document.export.undump import UndumpError, encode_json
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load

GODOT3 = load("godot3")


def words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "little") for number in numbers)


def tree(raw: bytes, dialect: str = "godot3", framing: FramingKind = FramingKind.BARE) -> dict[str, Any]:
    source = Document(raw, name="test", choice=ReadOptions(load(dialect), None, framing))
    found: dict[str, Any] = json.loads("".join(dump(source)))
    return found


def root(found: dict[str, Any]) -> dict[str, Any]:
    node: dict[str, Any] = found["frames"][0]["root"]
    return node


def encoded(found: object, **options: Any) -> bytes:
    return encode_json(json.dumps(found), **options)


def test_a_changed_number_is_written() -> None:
    found = tree(words(2, 5))
    root(found)["value"] = "i:6"
    assert encoded(found) == words(2, 6)


def test_a_plain_number_in_a_float_stays_a_float() -> None:
    found = tree(words(3, 0x3F800000))
    root(found)["value"] = 2
    assert encoded(found) == words(3, 0x40000000)


def test_a_longer_text_moves_padding_and_prefix() -> None:
    found = tree(words(12, 4, 3) + b"abc\0", framing=FramingKind.STORED)
    root(found)["value"] = "s:abcde"
    assert encoded(found) == words(16, 4, 5) + b"abcde\0\0\0"


def test_a_big_endian_prefix_stays_big_endian() -> None:
    raw = b"\0\0\0\x0c" + words(4, 3) + b"abc\0"
    found = tree(raw, framing=FramingKind.STORED)
    root(found)["value"] = "s:abcde"
    assert encoded(found) == b"\0\0\0\x10" + words(4, 5) + b"abcde\0\0\0"


def test_a_value_may_get_another_type() -> None:
    found = tree(words(19, 1, 2, 5))
    root(found)["children"][0]["node"]["value"] = ["i:1", True]
    assert encoded(found) == words(19, 1, 19, 2, 2, 1, 1, 1)


def test_an_added_child_is_counted() -> None:
    found = tree(words(19, 1, 2, 5))
    root(found)["children"].append({"key": None, "index": 1, "node": {"type": "int", "value": "i:7"}})
    assert encoded(found) == words(19, 2, 2, 5, 2, 7)


def test_an_added_child_may_be_a_plain_value() -> None:
    found = tree(words(18, 0))
    root(found)["children"].append({"key": "s:a", "node": None})
    assert encoded(found) == words(18, 1, 4, 1, 97, 0)


def test_a_removed_child_is_counted() -> None:
    found = tree(words(18, 2, 4, 1, 97, 2, 7, 2, 42, 0))
    del root(found)["children"][0]
    assert encoded(found) == words(18, 1, 2, 42, 0)


def test_children_may_change_places() -> None:
    found = tree(words(19, 2, 2, 5, 0))
    root(found)["children"].reverse()
    assert encoded(found) == words(19, 2, 0, 2, 5)


def test_odd_bytes_stay_where_the_value_does() -> None:
    raw = words(19, 2, 0x10002, 5, 0, 2, 6)
    found = tree(raw)
    root(found)["children"][1]["node"]["value"] = "i:9"
    assert encoded(found) == words(19, 2, 0x10002, 5, 0, 2, 9)


def test_an_edited_value_wins_over_odd_bytes_but_keeps_the_flag() -> None:
    found = tree(words(0x10002, 5, 0))
    root(found)["value"] = "i:9"
    assert encoded(found) == words(0x10002, 9, 0)


def test_odd_bytes_are_used_where_a_tool_wrote_the_numbers_anew() -> None:
    found = tree(words(0xFF05, 0x3F800000, 0x40000000))
    assert root(found)["bytes"]
    root(found)["value"]["args"] = [1, 2]
    assert encoded(found) == words(0xFF05, 0x3F800000, 0x40000000)


def test_an_odd_head_keeps_its_bits_under_a_new_count() -> None:
    found = tree(words(0xFF13, 0x80000001, 0))
    root(found)["children"] = []
    assert encoded(found) == words(0xFF13, 0x80000000)


def test_a_broken_count_is_kept_until_the_children_change() -> None:
    raw = words(19, 3, 2, 5)
    found = tree(raw)
    assert encoded(found) == raw
    root(found)["children"].append({"node": "i:6"})
    assert encoded(found) == words(19, 2, 2, 5, 2, 6)


def test_a_key_without_a_value_is_kept() -> None:
    raw = words(18, 1, 2, 5)
    assert encoded(tree(raw)) == raw


def test_a_lying_prefix_is_kept_until_the_length_changes() -> None:
    raw = words(99, 2, 5)
    found = tree(raw, framing=FramingKind.STORED)
    assert encoded(found) == raw
    root(found)["value"] = "i:5000000000"
    assert encoded(found) == words(12, 0x10002, 705032704, 1)


def test_an_element_type_is_edited_in_the_head() -> None:
    raw = words(0x1001C, 2, 1, 2, 5)
    found = tree(raw, "godot4")
    assert root(found)["head"] == {"type": "Array", "elem_type": "int", "args": []}
    root(found)["head"]["elem_type"] = "bool"
    assert encoded(found) == words(0x1001C, 1, 1, 2, 5)


def test_a_property_gets_another_name() -> None:
    found = tree(words(17, 1, 97, 1, 1, 98, 0))
    root(found)["children"][0]["key"]["value"] = "s:hello"
    assert encoded(found) == words(17, 1, 97, 1, 5) + b"hello\0\0\0" + words(0)


def test_a_frame_is_added() -> None:
    found = tree(words(8, 2, 5), framing=FramingKind.STORED)
    found["frames"].append({"root": "i:6"})
    assert encoded(found) == words(8, 2, 5, 8, 2, 6)


def test_another_dialect_numbers_the_types_anew() -> None:
    found = tree(words(19, 1, 2, 5))
    assert encoded(found, dialect=load("godot4")) == words(28, 1, 2, 5)


def test_another_framing_takes_the_prefixes_away() -> None:
    found = tree(words(8, 2, 5), framing=FramingKind.STORED)
    assert encoded(found, framing=FramingKind.BARE) == words(2, 5)


def test_double_precision_is_kept() -> None:
    source = Document(words(0x10005, 0, 0x3FF00000, 0, 0), choice=ReadOptions(load("godot4"), Precision.DOUBLE))
    found = json.loads("".join(dump(source)))
    assert "bytes" not in root(found)
    root(found)["value"]["args"] = [2.0, 0.0]
    assert encoded(found) == words(0x10005, 0, 0x40000000, 0, 0)


@pytest.mark.parametrize(
    ("node", "options", "raw"),
    [
        ("i:5", {}, words(2, 5)),
        (5, {"dialect": GODOT3}, words(2, 5)),
        ({"a": None}, {"dialect": GODOT3}, words(18, 1, 4, 1, 97, 0)),
        ([], {"dialect": GODOT3, "framing": FramingKind.STORED}, words(8, 19, 0)),
        ({"type": "Vector2", "args": [1.0, 0.0]}, {"precision": Precision.DOUBLE}, words(0x10005, 0, 0x3FF00000, 0, 0)),
    ],
)
def test_a_plain_value_is_written_bare_and_in_godot_4_unless_told(node: object, options: Any, raw: bytes) -> None:
    assert encoded(node, **options) == raw


def broken(change: Any) -> dict[str, Any]:
    found = tree(words(8, 19, 1, 2, 5)[4:])
    change(found)
    return found


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({"type": "Vector2", "args": [1]}, "At $.args: Vector2 takes 2 numbers, not 1."),
        (broken(lambda t: t.update(dialect="godot9")), "At $.dialect: There is no dialect “godot9”."),
        (broken(lambda t: t.update(framing="loose")), "At $.framing: “loose” is none of stored, bare, concatenated."),
        (broken(lambda t: t.update(frames=5)), "At $.frames: A list belongs here."),
        (broken(lambda t: t.update(frames=[5])), "At $.frames[0]: A frame is an object."),
        (broken(lambda t: t.update(gaps=[{"hex": "00"}])), "At $.gaps[0]: A gap needs its span"),
        (
            broken(lambda t: t.update(gaps=[{"span": [0, 1], "hex": "0"}])),
            "At $.gaps[0].hex: Bytes in hexadecimal digits belong here.",
        ),
        (
            broken(lambda t: root(t)["children"][0]["node"].update(value="i:x")),
            "At $.frames[0].root.children[0].node.value: “x” is no int.",
        ),
        (
            broken(lambda t: root(t)["children"].append(7)),
            "At $.frames[0].root.children[1]: A child is an object with a node.",
        ),
        (broken(lambda t: root(t).update(type="sword")), "At $.frames[0].root.type: Godot 3 has no such type."),
        (broken(lambda t: root(t).update(type="Object")), "At $.frames[0].root: Object with children needs a head"),
        (broken(lambda t: root(t).update(head="i:5")), "At $.frames[0].root.head: A head is an empty collection"),
        (
            broken(lambda t: root(t)["children"][0].update(node={"type": "Nope", "args": []})),
            "At $.frames[0].root.children[0].node: Godot 3 has no type “Nope”.",
        ),
        (
            broken(lambda t: root(t)["children"][0].update(node={"value": {"type": "int", "broken": True}})),
            "At $.frames[0].root.children[0].node.value: This value was broken",
        ),
        (
            broken(lambda t: root(t)["children"][0].update(node={"value": "i:5", "bytes": "02"})),
            "At $.frames[0].root.children[0].node: Bytes of a value are at least its 4-byte header.",
        ),
    ],
)
def test_an_error_says_where_and_what(found: object, message: str) -> None:
    with pytest.raises(UndumpError) as caught:
        encoded(found)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_dump_from_before_formats_had_a_number_is_read() -> None:
    found = tree(words(2, 5))
    del found["format"]
    assert encoded(found) == words(2, 5)


def test_a_dump_of_a_later_format_is_refused_in_one_sentence() -> None:
    with pytest.raises(UndumpError) as refused:
        encoded(tree(words(2, 5)) | {"format": 2})
    assert str(refused.value) == (
        "This dump has format 2, which a later version of the program writes; this one reads format 1."
    )


@pytest.mark.parametrize("odd", [0, -1, "1", None, True, 1.0])
def test_a_format_that_is_no_number_of_one_is_refused(odd: object) -> None:
    with pytest.raises(UndumpError, match=r"At \$\.format: A whole number"):
        encoded(tree(words(2, 5)) | {"format": odd})
