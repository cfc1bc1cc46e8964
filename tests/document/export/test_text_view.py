"""The text view: bytes beside the tree."""

from __future__ import annotations

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.export.text_view import text_view
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load


def words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "little") for number in numbers)


def lines(raw: bytes, framing: FramingKind = FramingKind.BARE) -> list[str]:
    return list(text_view(Document(raw, name="test.save", choice=ReadOptions(load("godot3"), None, framing))))


def test_bytes_stand_beside_the_tree() -> None:
    raw = words(32, 18, 1, 4, 3) + b"pos\0" + words(5, 0x3F800000, 0x40000000)
    assert lines(raw, FramingKind.STORED) == [
        "test.save: 36 bytes, Godot 3, stored, 1 value",
        "",
        "00000000  20 00 00 00                                      [0]@prefix                                  32",
        "00000004  12 00 00 00 01 00 00 00                          [0]                           Dictionary"
        "    {1} pos: Vector2(1, 2)",
        '0000000c  04 00 00 00 03 00 00 00 70 6f 73 00                key                         String        "pos"',
        "00000018  05 00 00 00 00 00 80 3f 00 00 00 40                pos                         Vector2"
        "       Vector2(1, 2)",
    ]


def test_a_line_has_at_most_sixteen_bytes() -> None:
    assert all(len(line[10:57].split()) <= 16 for line in lines(words(20, 100) + bytes(100))[2:])


def test_long_runs_are_cut() -> None:
    shown = lines(words(20, 4000) + bytes(4000))
    assert shown[-1].endswith("… 3744 more bytes")
    assert len(shown) < 30


def test_findings_stand_at_the_end() -> None:
    assert lines(words(1, 7))[-2:] == [
        "",
        "0x4: warning bool-not-0-or-1: This bool is 7; engines write 0 or 1 and read any other word as true."
        " ([0].value)",
    ]


def test_text_cannot_control_the_terminal() -> None:
    assert "\x1b" not in "\n".join(lines(words(4, 8) + b"\x1b[2J\x1b[0m"))


def test_bytes_of_no_value_are_shown_where_they_lie() -> None:
    shown = lines(b"HEAD" + words(8, 2, 5), FramingKind.STORED)
    told = "@gap0                                       4 bytes of no value, perhaps mark “HEAD”"
    assert shown[2].split(None, 5)[-1] == told
