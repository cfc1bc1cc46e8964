"""What lies in what is found where nulls were left out, or counts say nothing."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from document.doctor.wrong_encoder import Pair, WrongEncoder

from viewer.document.doctor import examine, preview
from viewer.document.doctor.candidate import patched
from viewer.document.doctor.encoder_orders import order_rules
from viewer.document.doctor.encoder_rules import RULES
from viewer.document.doctor.nesting_search import NestingSearch
from viewer.document.doctor.wire_format import ENGINE, WireFormat
from viewer.document.document import Document
from viewer.variant.dialect import load

GODOT4 = load("godot4")
NO_NULLS = WireFormat(null="absent")


def text(shown: str) -> Pair:
    return ("String", shown)


def pairs(*some: tuple[str, Pair]) -> Pair:
    return ("Dictionary", [(text(key), value) for key, value in some])


def nothing() -> Pair:
    return ("Nil", None)


PLAYERS = pairs(
    ("guild", nothing()),
    ("heights", ("PackedFloat32Array", [5.5, 42.25, 54.75])),
    ("weapon", nothing()),
    ("title", text("Count")),
    (
        "bag",
        ("Array", [pairs(("id", ("int", 1)), ("of", nothing())), pairs(("id", ("int", 2)), ("of", ("int", 7)))]),
    ),
    ("mount", nothing()),
)


class CountsOf(WrongEncoder):
    """Writes a number of its own as the count of each dictionary."""

    def __init__(self, number: int) -> None:
        super().__init__(GODOT4)
        self.number = number

    def _collection(self, name: str, data: Any) -> None:
        start = len(self.out)
        super()._collection(name, data)
        if name == "Dictionary":
            self.out[start : start + 4] = struct.pack("<I", self.number)


@pytest.mark.parametrize("slug", ["null-left-out", "dictionary-count-means-nothing", "count-is-another-number"])
def test_it_is_for_formats_that_leave_nothing_else_open(slug: str) -> None:
    wire = next(rule for rule in (*RULES, *order_rules()) if rule.slug == slug).on(ENGINE)
    assert wire is not None
    assert NestingSearch.suits(wire)
    assert not NestingSearch.suits(ENGINE)
    assert not NestingSearch.suits(WireFormat(null="absent", fill="none"))


def test_nulls_that_were_left_out_are_put_where_a_text_is_the_next_key() -> None:
    data, right = WrongEncoder(GODOT4, NO_NULLS).encode(PLAYERS), WrongEncoder(GODOT4).encode(PLAYERS)
    found = next(NestingSearch(data, GODOT4, NO_NULLS).solutions())
    assert patched(data, found.patches) == right
    first = examine(Document(data)).repairs[0]
    assert first.name == "null-left-out"
    assert bytes(preview(Document(data), first).buffer[:]) == right


@pytest.mark.parametrize("number", [0, 7, 9])
def test_counts_that_say_nothing_are_counted(number: int) -> None:
    some = [pairs(("id", ("int", k)), ("name", text(f"n{k}")), ("at", ("Vector2", (1.5, k)))) for k in range(5)]
    packet = pairs(("op", text("all")), ("players", ("Array", some)))
    data, right = CountsOf(number).encode(packet), WrongEncoder(GODOT4).encode(packet)
    first = examine(Document(data)).repairs[0]
    assert first.name == "dictionary-count-means-nothing"
    assert bytes(preview(Document(data), first).buffer[:]) == right


def test_bytes_whose_heads_lead_nowhere_have_no_solution() -> None:
    assert not list(NestingSearch(b"\x1b\0\0\0\1\0\0\0\x99\x99", GODOT4, NO_NULLS).solutions())
    right = WrongEncoder(GODOT4).encode(PLAYERS)
    assert not next(NestingSearch(right, GODOT4, NO_NULLS).solutions()).patches
