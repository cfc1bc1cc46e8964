"""The page about one item of a large document: what is wrong there is told, and not all values are looked at for it."""

from __future__ import annotations

import struct

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.explain import explain
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

TEXT = struct.pack("<II4s", 4, 4, b"gold")
NUMBER = struct.pack("<Ii", 2, 7)
TWICE = struct.pack("<II", 27, 2) + (TEXT + NUMBER) * 2
NOT_A_BOOL = struct.pack("<II", 1, 5)


def many() -> tuple[Document, int]:
    """An array with a key that is there twice in the middle, and bools that are none everywhere else."""
    head, half = struct.pack("<II", 28, 20_001), NOT_A_BOOL * 10_000
    data = head + half + TWICE + half
    return Document(data, choice=ReadOptions(load("godot4"), None, FramingKind.BARE)), len(head) + len(half)


def findings(document: Document, offset: int) -> list[tuple[str, str]]:
    """How grave each finding is, and the sentence."""
    sections = explain(document, offset).sections
    return [(row.name, row.meaning) for section in sections if section.title == "Findings" for row in section.rows]


def test_what_is_wrong_at_the_place_is_told() -> None:
    document, at = many()
    second_key = at + 8 + len(TEXT) + len(NUMBER)
    assert findings(document, second_key) == [
        ("warning", "This key was there before; an engine keeps only the last value.")
    ]


def test_what_is_wrong_elsewhere_is_not_looked_for() -> None:
    document, at = many()
    explain(document, at)
    assert document.findings.known() == []


def test_a_value_among_many_is_judged_by_itself() -> None:
    document, at = many()
    assert findings(document, at - 4) == [
        ("warning", "This bool is 5; engines write 0 or 1 and read any other word as true.")
    ]
    assert "not what the engine would write" in explain(document, at - 4).summary


def test_a_path_that_nobody_could_read_is_left_out() -> None:
    data = struct.pack("<II", 28, 1) * 5000 + bytes(4)
    document = Document(data, choice=ReadOptions(load("godot4"), None, FramingKind.BARE))
    assert len(explain(document, len(data) - 2).summary) < 500
