"""The lint pass: what engines accept silently but would not write, and what is worth knowing."""

from __future__ import annotations

import struct
from collections import Counter
from importlib import import_module
from random import Random

import pytest
from corpus import ENGINES, Engine, files, vector_bytes, vectors
from variant.exercise import codes

from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.variant.dialect import load
from viewer.variant.items import part
from viewer.variant.lint.lint import lint, slices
from viewer.variant.scan import scan

ODD = [
    # header and numbers
    ("godot4", "01000000 02000000", "bool-not-0-or-1 value 4 8"),
    ("godot4", "02000200 09000000", "ignored-flags header 0 4"),
    ("godot3", "05000100 0000803f 00000040", "ignored-flags header 0 4"),
    ("godot3", "02ff0000 01000000", "ignored-flags header 0 4"),
    ("godot4", "1b00f0ff 00000000", "ignored-flags header 0 4"),
    ("pandemonium5", "1b000100 02000000 00000000", "ignored-flags header 0 4"),
    ("godot4", "02000100 ffffffff ffffffff", "wide-number value 4 12"),
    ("godot4", "03000100 00000000 0000e03f", "wide-number value 4 12"),
    ("godot4", "03000000 0000c07f", "narrow-nan value 4 8"),
    ("godot4", "03000000 0100807f", "nan-bits value 4 8, narrow-nan value 4 8"),
    ("godot2", "03000000 0100807f", "nan-bits value 4 8"),
    ("godot4.0", "05000100 9a9999999999b93f 000000000000f03f", "narrowed  4 20"),
    ("godot4", "05000100 000000000000f03f 000000000000f07e", "narrowed  4 20"),
    ("godot4", "23000100 01000000 000000000000f03f 010000000000f03f", "narrowed elements 8 24"),
    ("godot4", "23000100 01000000 000000000000f03f 000000100000f03f", "narrowed elements 8 24"),
    # texts
    ("godot4", "04000000 01000000 61 58595a", "padding-not-zero padding 9 12"),
    ("godot4", "04000000 03000000 610062 00", "nul-in-text text 9 11"),
    ("godot4", "04000000 05000000 efbbbf6869 000000", "byte-order-mark text 8 11"),
    ("godot3", "04000000 03000000 eda080 00", "lenient-utf8 text 8 9"),
    ("godot2", "04000000 05000000 f888808080 000000", "lenient-utf8 text 8 9"),
    ("godot2", "04000000 03000000 61ff62 00", "lost-text text 8 11"),
    ("godot2", "04000000 05000000 6162636465", "padding-cut padding 13 13"),
    ("godot2", "04000000 01000000 61 58595a", "unwritten-padding padding 9 12"),
    ("godot4", "1a000000 01000000 73 010000 0500000000000000", "padding-not-zero name_padding 9 12"),
    # node paths
    ("godot4", "16000000 01000080 00000000 00000000  01000000 61 580000", "unwritten-padding name0_padding 21 24"),
    ("godot4", "16000000 01000080 00000000 04000000  01000000 61 000000", "path-flags flags 12 16"),
    (
        "godot4",
        "16000000 01000080 00000000 02000000  01000000 61 000000  01000000 62 000000",
        "path-property flags 12 16",
    ),
    ("godot3", "0f000000 01000080 ffffffff 00000000", "name-count-wraps name_count 4 12"),
    ("godot3", "0f000000 00000080 00000000 01000000", "empty-path flags 12 16"),
    ("godot2", "10000000 03000000 612f62", "old-path-form  0 11"),
    # packed arrays
    ("godot4", "1d000000 05000000 0102030405", "padding-cut padding 13 13"),
    ("godot4", "1d000000 05000000 0102030405 00", "padding-cut padding 13 14"),
    ("godot4", "1d000000 01000000 01 000002", "padding-not-zero padding 9 12"),
    ("godot4", "22000000 01000000 01000000 61 000000", "nul-missing [0] 12 13"),
    ("godot4", "22000000 01000000 00000000", "nul-missing [0] 12 12"),
    ("godot4", "22000000 01000000 04000000 61006200", "nul-in-text [0] 13 15"),
    ("godot4", "22000000 01000000 02000000 6100 0058", "padding-not-zero [0]@padding 14 16"),
    ("godot4", "22000000 ffffffff", "negative-string-count count 4 8"),
    ("pandemonium4", "23000000 01000000 0000803f 00000040 00004040 00008040", "lost-w elements 8 24"),
    # objects
    ("godot4", "18000000 04000000 4e6f6465 00000000", "embedded-object class 8 12"),
    ("godot4", "18000000 00000000", "embedded-object class_length 4 8, null-object class_length 4 8"),
    ("godot4", "18000100 00000000 00000000", "null-object id 4 12"),
    (
        "godot4",
        "18000000 04000000 4e6f6465 ffffffff",
        "embedded-object class 8 12, negative-property-count count 12 16",
    ),
    (
        "godot4",
        "18000000 04000000 4e6f6465 01000000  06000000 736372697074 0000  02000000 01000000",
        "embedded-object class 8 12, script-path header 28 32",
    ),
    (
        "godot4",
        "18000000 04000000 4e6f6465 01000000  06000000 736372697074 0000  04000000 04000000 782e6764",
        "embedded-object class 8 12, script-path text 36 40",
    ),
    (
        "godot4.0",
        "18000000 08000000 5265736f75726365 01000000  06000000 736372697074 0000"
        "18000000 08000000 4744536372697074 00000000",
        "embedded-object class 8 16, embedded-script header 32 36, embedded-object class 40 48",
    ),
    # collections
    ("godot4.0", "1b000000 01000000  15000000 01000000 61 000000  00000000", "name-key header 8 12"),
    (
        "godot4.0",
        "1b000000 02000000  15000000 01000000 61 000000  00000000  04000000 01000000 61 000000  00000000",
        "name-key header 8 12, duplicate-key  24 36",
    ),
    ("godot4", "1c000000 00000080", "shared-bit count 4 8"),
    ("godot4", "1c000100 02000000 00000080", "shared-bit count 8 12"),
    ("pandemonium5", "1b000000 02000080 00000000", "shared-bit element_type 4 8"),
    ("godot4", "1c000100 02000000 01000000  03000000 0000c03f", "wrong-element-type header 12 16"),
    ("godot4", "1c000100 00000000 00000000", "untyped element_type 4 8"),
    ("godot4", "1c000200 00000000 00000000", "empty-class element_class_length 4 8"),
    ("godot4", "1c000300 04000000 782e6764 00000000", "script-path element_script 8 12"),
    ("godot4", "1c000300 00000000 00000000", "script-path element_script 4 8"),
    ("godot4", "1b000100 02000000 01000000  00000000  00000000", "wrong-element-type header 12 16"),
    ("pandemonium5", "1b000000 03000000 01000000  02000000 05000000", "wrong-element-type header 12 16"),
    # what an engine cannot read itself
    ("pandemonium4", "13000000" + "00" * 64, "engine-refuses  0 68"),
    ("pandemonium4", "1a000000 02000000  0c000000" + "00" * 16 + "00000000", "engine-cannot-read-back  8 28"),
    # Godot 2's own
    (
        "godot2",
        "0f000000 03000000 00000000 04000000 04000000 00000000",
        "image-size length 20 24",
    ),
    (
        "godot2",
        "0f000000 00000000 00000000 02000000 01000000 01000000 61 000000",
        "image-size data 24 25",
    ),
    ("godot2", "13000000 01000000 00000000 10000000 00000000 00000000", "event-length length 12 16"),
]

FINE = [
    ("godot4", "02000100 00000080 00000000", "an int that needs 64 bits"),
    ("godot4", "05000100 000000000000f03f 000000000000e0bf", "a Vector2 in 64 bits whose numbers need 32"),
    ("godot4", "23000100 01000000 000000000000f03f 000000e00000f03f", "an array of the same"),
    ("godot4.0", "1b000000 01000000  00000000  15000000 01000000 61 000000", "a StringName that is a value"),
    ("godot4", "1b000000 01000000  15000000 01000000 61 000000  00000000", "a StringName key where it stays one"),
    ("godot4", "03000100 00000000 0000f87f", "a 64-bit NaN"),
    ("godot2", "03000000 0000c07f", "a NaN where floats are narrow"),
    ("godot4", "04000000 06000000 e4b896e7958c 0000", "text beyond ASCII"),
    ("godot2", "15000000 00000080", "a shared array"),
    ("godot2", "10000000 01000080 00000000 02000000  01000000 61 000000  01000000 62 000000", "a property"),
    ("godot4", "1c000100 18000000 01000000  00000000", "a null in an array of objects"),
    ("godot4", "1b000500 04000000 02000000 01000000  04000000 00000000  04000000 00000000", "a value of another type"),
    ("godot4", "13000000" + "00" * 64, "a Projection"),
    ("pandemonium4", "13000000" + "00" * 248, "a Projection with enough behind it"),
    ("pandemonium4", "1a000000 01000000  0c000000" + "00" * 16, "a Vector4i that stands last"),
    ("godot4", "0c000000" + "00" * 16 + "00", "a Vector4 with junk behind the value"),
    (
        "godot4",
        "18000100 0500000000000000",
        "an object id",
    ),
]


def found_in(dialect: str, text: str) -> list[Diagnostic]:
    return list(lint(scan(bytes.fromhex(text), load(dialect))))


def brief(found: Diagnostic) -> str:
    return f"{found.code.slug} {found.part} {found.span.start} {found.span.end}"


@pytest.mark.parametrize(("dialect", "text", "expected"), ODD, ids=[f"{d}-{e.split(' ')[0]}" for d, _, e in ODD])
def test_an_oddity_is_found_with_its_part_and_span(dialect: str, text: str, expected: str) -> None:
    assert ", ".join(map(brief, found_in(dialect, text))) == expected


@pytest.mark.parametrize(("dialect", "text", "expected"), ODD, ids=[f"{d}-{e.split(' ')[0]}" for d, _, e in ODD])
def test_the_part_of_a_finding_is_one_of_the_node_and_holds_its_span(dialect: str, text: str, expected: str) -> None:
    table = scan(bytes.fromhex(text), load(dialect))
    for found in lint(table):
        held = part(table, found.node, found.part) if found.part else None
        if held is not None and found.code is not Code.NAME_COUNT_WRAPS:
            assert held.span.covers(found.span)


@pytest.mark.parametrize(("dialect", "text", "what"), FINE, ids=[what for _, _, what in FINE])
def test_what_an_engine_writes_itself_is_no_oddity(dialect: str, text: str, what: str) -> None:
    assert found_in(dialect, text) == []


@pytest.mark.parametrize(
    ("element", "fate"),
    [("02000000 07000000", "always"), ("01000000 01000000", "later"), ("04000000 00000000", "never")],
    ids=["int", "bool", "String"],
)
def test_an_element_in_an_array_of_float_is_converted_or_dropped(element: str, fate: str) -> None:
    found = found_in("godot4", f"1c000100 03000000 01000000  {element}")
    assert [entry.facts["fate"] for entry in found] == [fate]


def test_every_one_of_many_typed_arrays_is_looked_at() -> None:
    text = "1c000000 03000000" + "1c000100 02000000 00000000" + "1c000100 02000000 00000080" * 2
    assert [entry.node for entry in found_in("godot4", text)] == [2, 3]


@pytest.mark.parametrize("name", ["06000000 736372697074 5858", "07000000 73637269707400 00"], ids=["fill", "NUL"])
def test_an_odd_property_name_that_reads_as_script_is_the_script(name: str) -> None:
    text = f"18000000 04000000 4e6f6465 01000000  {name}  02000000 01000000"
    assert found_in("godot4", text)[-1].code is Code.SCRIPT_PATH


def test_a_path_in_the_resources_is_a_good_script() -> None:
    text = "18000000 04000000 4e6f6465 01000000  06000000 736372697074 0000  04000000 08000000 7265733a2f2f782e"
    assert [entry.code for entry in found_in("godot4", text)] == [Code.EMBEDDED_OBJECT]


def test_engines_before_scripts_were_paths_embed_them() -> None:
    text = "18000000 04000000 4e6f6465 01000000  06000000 736372697074 0000  02000000 01000000"
    assert [entry.code for entry in found_in("godot4.0", text)] == [Code.EMBEDDED_OBJECT]


def test_the_text_of_a_property_name_is_looked_at_too() -> None:
    text = "18000000 04000000 4e6f6465 01000000  01000000 61 000001  01000000 01000000"
    assert list(map(brief, found_in("godot4", text)))[1:] == ["padding-not-zero padding 21 24"]


def test_findings_come_in_the_order_of_the_bytes() -> None:
    twice = "12000000 02000000  00000000 00000000  00000000 00000000"
    text = f"13000000 03000000  {twice}  01000000 02000000  02000100 0000000000000000"
    starts = [entry.span.start for entry in found_in("godot3", text)]
    assert starts == sorted(starts)
    assert len(starts) == 3


def test_slices_hand_out_the_same_findings_in_small_steps() -> None:
    raw = bytes.fromhex("13000000 e8030000") + bytes.fromhex("01000000 02000000") * 1000
    table = scan(raw, load("godot3"))
    steps = list(slices(table, 100))
    assert [entry for step in steps for entry in step] == list(lint(table))
    assert len(steps) >= 10
    assert max(map(len, steps)) <= 101


def test_a_broken_value_is_still_looked_at_as_far_as_it_goes() -> None:
    assert codes(bytes.fromhex("13000000 02000000 01000000 02000000 ff000000"), load("godot3")) == [
        "unknown-type",
        "bool-not-0-or-1",
    ]


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_engines_write_nothing_odd_but_what_is_known(engine: Engine) -> None:
    found = Counter(
        entry.code
        for row in vectors(engine.folder)
        for entry in lint(scan(vector_bytes(row), load(engine.dialect)))
        if entry.severity > Severity.NOTE
    )
    assert set(found) <= KNOWN[engine.folder] | {Code.EMBEDDED_OBJECT, Code.EMBEDDED_SCRIPT}


KNOWN = {
    "godot2": {Code.LENIENT_UTF8},
    "godot3": {Code.LENIENT_UTF8, Code.BYTE_ORDER_MARK},
    "godot4": set(),
    "godot4-double": set(),
    "pandemonium4": {Code.ENGINE_REFUSES, Code.ENGINE_CANNOT_READ_BACK, Code.LOST_W},
    "pandemonium5": {Code.ENGINE_REFUSES, Code.ENGINE_CANNOT_READ_BACK, Code.LOST_W, Code.WRONG_ELEMENT_TYPE},
    "godot4.0": {Code.BYTE_ORDER_MARK, Code.NUL_IN_TEXT},
    "pandemonium3.5": {Code.BYTE_ORDER_MARK, Code.NUL_IN_TEXT, Code.LENIENT_UTF8},
}
"""Texts that an engine writes but others refuse, and what Pandemonium writes but cannot read."""


def test_an_array_of_too_many_odd_texts_is_not_looked_at_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.variant.lint.lint_values.MOST_ODD_TEXTS", 3)
    clean, odd = "02000000 61000000", "00000000"
    raw = bytes.fromhex(f"17000000 07000000 {odd} {clean} {odd} {odd} {clean} {odd} {odd}")
    found = list(lint(scan(raw, load("godot3"))))
    assert [entry.code for entry in found] == [*[Code.NUL_MISSING] * 3, Code.MORE_ODD_TEXTS]
    assert found[-1].message == "3 texts of this array have something odd; the rest are not checked."
    assert len(list(lint(scan(raw[:4] + b"\4" + raw[5:32], load("godot3"))))) == 3


def test_keys_of_a_large_dictionary_are_compared_without_keeping_all(monkeypatch: pytest.MonkeyPatch) -> None:
    choose = Random(3)
    keys = [choose.randrange(4000) for _ in range(3000)]
    pairs = b"".join(struct.pack("<IIII", 2, key, 2, 0) for key in keys)
    table = scan(struct.pack("<II", 18, len(keys)) + pairs, load("godot3"))
    expected = [(entry.code, entry.node) for entry in lint(table)]
    assert len(expected) == len(keys) - len(set(keys))
    module = import_module("viewer.variant.lint.lint")
    monkeypatch.setattr(module, "MANY_KEYS", 100)
    monkeypatch.setattr(module, "PLACES", (1 << 12) - 1)
    assert [(entry.code, entry.node) for entry in lint(table)] == expected


def test_a_real_save_has_no_warnings() -> None:
    saved = next(entry for entry in files("godot3") if entry.path.name == "rpg.save")
    raw = saved.path.read_bytes()
    table = scan(raw[4 : 4 + int.from_bytes(raw[:4], "little")], load("godot3"))
    assert {entry.code for entry in lint(table)} == {Code.UNWRITTEN_PADDING}


def test_every_code_about_values_has_a_case_here() -> None:
    seen = {entry.code for dialect, text, _ in ODD for entry in found_in(dialect, text)} | {Code.DUPLICATE_KEY}
    of_others = {Code.TRAILING_BYTES, Code.FOREIGN_BYTES, Code.PACKET_ODD, Code.SKIPPED_BYTES, Code.VALUE_DAMAGED}
    of_others |= {Code.MORE_ODD_TEXTS, Code.WRAP_NOTE}
    of_files = {
        code for code in Code if code.slug.startswith(("resource-", "reference-", "name-empty", "layout-", "text-"))
    }
    assert {code for code in Code if code.severity < Severity.ERROR} - of_others - of_files <= seen


@pytest.mark.parametrize(("dialect", "text", "expected"), ODD, ids=[f"{d}-{e.split(' ')[0]}" for d, _, e in ODD])
def test_every_message_is_a_sentence(dialect: str, text: str, expected: str) -> None:
    for found in found_in(dialect, text):
        assert found.message.endswith(".")
        assert "{" not in found.message
