"""Rules that follow from what a field may be, on bytes of encoders that were written without a look at them."""

from __future__ import annotations

import struct
from collections import Counter

import pytest
from document.doctor.restoring import case_of, restoring

from viewer.document.doctor import diagnose
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.encoder_rules import RULES
from viewer.document.doctor.encoder_shapes import shape_rules
from viewer.document.doctor.wire_format import ENGINE
from viewer.document.document import Document


def test_each_rule_changes_something_and_none_is_known_already() -> None:
    some = shape_rules()
    assert all(rule.on(ENGINE) not in (None, ENGINE) for rule in some)
    assert not {frozenset(rule.changes) for rule in some} & {frozenset(rule.changes) for rule in RULES}
    assert max(Counter(rule.changes for rule in some).values()) == 1


def test_each_sentence_says_what_an_engine_does_instead() -> None:
    verbs = {"reads", "expects", "counts", "looks", "knows", "writes", "decodes"}
    for rule in (*RULES, *shape_rules()):
        assert rule.reads.split()[0] in verbs, rule.sentence
        assert not rule.reads.endswith((" four", " eight", " one")) or "multiple of" in rule.reads, rule.sentence
        if "big-endian" in rule.writes and rule.reads.startswith("reads four"):
            assert "little-endian" in rule.reads, rule.sentence


def test_a_rule_about_the_64_bit_flag_says_which_bit_it_is() -> None:
    some = [rule for rule in RULES if rule.cause in (Cause.FLAG_MISSING, Cause.FLAG_EXTRA)]
    assert len(some) > 5
    assert all("0x10000" in rule.reads for rule in some)


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("count-in-header", "count-in-header"),
        ("comma-between-elements", "1-byte-between-elements"),
        ("length-u24", "text-length-u24"),
        ("zero-word-behind-pairs", "4-bytes-behind-pair"),
        ("packed-padded-to-16", "packed-padded-to-sixteen"),
        ("length-counts-itself-and-padding", "length-counts-itself-and-padding"),
        ("padding-is-remainder", "text-padded-by-remainder"),
        ("int-as-double", "int-as-f64"),
        ("text-as-qt", "text-utf16-big-endian-length-swapped-unpadded"),
    ],
)
def test_what_an_encoder_does_otherwise_is_named_and_undone(kind: str, named: str) -> None:
    repair = restoring(case_of(kind))
    assert repair is not None
    assert repair.name == named
    assert "Your encoder" in repair.sentence


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (struct.pack("<2I", 28, 2), "each pair of a Dictionary as an Array of two"),
        (struct.pack("<2I", 77, 5), "eight bytes before each pair of a Dictionary"),
    ],
)
def test_what_stands_before_each_pair_is_told_as_what_it_is(head: bytes, said: str) -> None:
    keys = (b"name", b"gold", b"site", b"hits", b"slot")
    pairs = (head + struct.pack("<2I", 4, 4) + key + struct.pack("<2I", 2, k) for k, key in enumerate(keys))
    document = Document(struct.pack("<2I", 27, len(keys)) + b"".join(pairs))
    assert diagnose(document)[0].sentence.startswith(f"Your encoder writes {said}; an engine expects ")
