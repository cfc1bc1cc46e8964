"""What three encoders that the doctor was not made with got wrong, one rule at a time, is named and undone.

``VARIANT_VIEWER_ALL_ENCODERS=1`` measures all payloads, which takes minutes.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from document.doctor.judging import values_in

from viewer.container.frames import FramingKind
from viewer.document.doctor import Repair, examine, preview
from viewer.document.doctor.whole import latest_first
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

CASES = Path(__file__).parents[2] / "data" / "encoders" / "cases.json.gz"
IS_WHOLE = bool(os.environ.get("VARIANT_VIEWER_ALL_ENCODERS"))
SMALL = {("spawn", 3)}
"""The payload that stands for all: it has nearly every type."""
LEAST = 0.8
NAMES = {
    "double-no-flag": ("float-64-without-flag", "number-64-without-flag", "flag-missing"),
    "int64-no-flag": ("int-flag-missing", "number-flag-missing", "flag-missing"),
    "utf16-length": ("length-counts-characters", "length-counts-utf16-units"),
    "no-padding": ("text-without-padding", "padding-missing-everywhere"),
    "undefined-skipped": ("null-left-out",),
    "bigint-big-endian": ("int64-big-endian", "scalar-ints-big-endian"),
    "prefix-counts-itself": ("prefix-counts-itself",),
    "pad-always": ("text-padding-always",),
    "float32-with-flag": ("float32-with-flag", "number-32-with-flag", "flag-extra"),
    "vector-doubles": (
        "vectors-as-doubles",
        "components-as-doubles",
        "reals-as-doubles",
        "color-as-doubles",
        "vector3-as-doubles",
    ),
    "big-endian": ("byte-order-but-texts", "byte-order"),
    "rune-count": ("length-counts-characters",),
    "bytes-unpadded": ("padding-missing-everywhere", "byte-array-without-padding", "padding-missing"),
    "varint-ints": ("int-zigzag",),
    "map-count-doubled": ("count-of-keys-and-values",),
    "aligned-to-8": ("number-aligned-to-eight",),
    "keys-without-header": ("keys-without-header",),
    "int-always-8": ("int-64-without-flag", "number-64-without-flag", "flag-missing"),
    "slice-size-for-count": ("packed-count-in-bytes",),
    "header-halves-swapped": ("header-in-high-half",),
    "seven-bit-strings": ("text-length-varint-unpadded",),
    "utf16-strings": ("text-utf16",),
    "decimal-floats": ("float-as-decimal",),
    "bool-one-byte": ("bool-one-byte",),
    "ids-shifted": ("ids-shifted-by-one",),
    "flag-in-bit-8": ("flag-in-bit-8",),
    "string-length-ushort": ("text-length-u16", "text-length-u16-padded-by-offset"),
    "color-as-bytes": ("color-as-bytes",),
    "null-string-minus-one": ("null-text-minus-one",),
    "vector3-of-16": ("vector3-of-sixteen-bytes",),
}
"""What the doctor calls each rule of the encoders; what shows in one place only may be called by its cause alone."""


def load_cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(gzip.decompress(CASES.read_bytes()))
    return found


def says_how_often(repair: Repair) -> bool:
    """Whether it is told that a rule holds everywhere: in 7 of 7 places, or that it fits all of them."""
    return bool(re.search(r"\b(?:is so (?:in|after)|fits) (\d+) of \1 ", repair.reason))


def is_told(case: dict[str, Any]) -> bool:
    """Whether the first offer names the rule, says how often, and gives the right bytes or ones of equal values."""
    document = Document(bytes.fromhex(case["data"]))
    first = next(iter(examine(document).repairs), None)
    if first is None or first.edit is None or not set(first.name.split("+")) & set(NAMES[case["rule"]]):
        return False
    if not says_how_often(first):
        return False
    found = bytes(preview(document, first).buffer[:])
    right = [bytes.fromhex(each) for each in case["right"]]
    if found in right:
        return True
    framing = FramingKind.STORED if case["framed"] else FramingKind.BARE
    choice = ReadOptions(load(f"godot{case['major']}"), None, framing)
    values = values_in(found, choice)
    return values is not None and any(values == values_in(each, choice) for each in right)


def told_by_rule() -> Iterator[tuple[str, int, int]]:
    """Each rule, how many of its cases are told, and of how many."""
    by_rule: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for case in load_cases():
        if IS_WHOLE or (case["payload"], case["major"]) in SMALL:
            by_rule[f"{case['language']} {case['rule']}"].append(case)
    for rule, some in sorted(by_rule.items()):
        yield rule, sum(map(is_told, some)), len(some)


def test_most_rules_of_foreign_encoders_are_named_and_undone() -> None:
    told = list(told_by_rule())
    for rule, times, cases in told:
        print(f"{rule:26} {times} of {cases}")
    missed = [rule for rule, times, cases in told if 2 * times <= cases]
    assert len(told) == len(NAMES)
    assert len(missed) <= (1 - LEAST) * len(told), missed


def test_what_fits_a_line_of_engines_is_not_read_as_its_earlier_versions() -> None:
    case = next(each for each in load_cases() if each["rule"] == "no-padding" and each["major"] == 4)
    choices = [repair.choice for repair in examine(Document(bytes.fromhex(case["data"]))).repairs[:1]]
    assert all(choice is None or choice.dialect in (None, load("godot4")) for choice in choices)
    assert [each.key for each in latest_first((load("godot4.0"), load("godot4"), load("pandemonium3.5")))] == [
        "godot4",
        "pandemonium3.5",
        "godot4.0",
    ]
