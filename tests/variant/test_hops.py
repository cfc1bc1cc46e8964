"""Hops: the compiled module and the plain file that it was made from say the same, wherever the bytes lie."""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from itertools import accumulate
from types import ModuleType

import pytest
import twins
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.base.buffer import Buffer, BufferWindow
from viewer.variant import hops, key_forms
from viewer.variant.dialect import Dialect, keys, load
from viewer.variant.paths import path_keys
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable
from viewer.variant.value import NaN, Value

PLAIN = twins.plain("viewer.variant.hops")
MODULES = [hops, PLAIN]
PATIENT = settings(deadline=None, max_examples=1_000, suppress_health_check=list(HealthCheck))
ROUGH = settings(PATIENT, max_examples=2_000)
by_module = pytest.mark.parametrize("module", MODULES, ids=["installed", "plain"])
GODOT3, GODOT4 = load("godot3"), load("godot4")
REACH = 1 << 16


@pytest.mark.parametrize("name", ["TEXT", "EXACT", "BOOL", "FLOATS", "DOUBLES"])
def test_the_forms_of_keys_are_those_that_a_plan_has(name: str) -> None:
    assert getattr(PLAIN, name) == getattr(key_forms, name)


def word(number: int) -> bytes:
    return struct.pack("<I", number)


def text(raw: bytes, fill: bytes = b"\0\0\0") -> bytes:
    return word(len(raw)) + raw + fill[: -len(raw) % 4]


def string(raw: bytes, dialect: Dialect = GODOT4) -> bytes:
    return word(dialect.type_number("String")) + text(raw)


def dictionary(found: list[bytes], dialect: Dialect = GODOT4) -> bytes:
    """A Dictionary with these keys, each with null as its value."""
    return word(dialect.type_number("Dictionary")) + word(len(found)) + b"".join(key + word(0) for key in found)


def odd_places(table: NodeTable, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.setattr(path_keys, "hops", module)
    return [key // 2 for key in path_keys.odd(table, 0, named=False)]


# Texts


@pytest.mark.compiled
def test_the_two_modules_are_two() -> None:
    assert hops.COMPILED
    assert not PLAIN.COMPILED


@ROUGH
@given(
    st.lists(st.one_of(st.integers(0, 9), st.sampled_from((1 << 31, 0xFFFFFFFF, 40))), max_size=8),
    st.integers(0, 3),
    st.integers(0, 12),
    st.integers(0, 9),
)
def test_both_find_the_same_texts(lengths: list[int], start: int, missing: int, count: int) -> None:
    raw = bytes(start) + b"".join(word(length) + b"x" * (min(length, 9) + 3 & ~3) for length in lengths)
    end = max(start, len(raw) - missing)
    expected = PLAIN.text_starts(raw, start, end, count)
    assert hops.text_starts(raw, start, end, count) == expected
    assert hops.text_starts(BufferWindow(raw, 0, len(raw)), start, end, count) == expected


@by_module
def test_texts_on_disk_are_found_over_many_stretches(module: ModuleType) -> None:
    raw = b"".join(text(bytes(k % 300)) for k in range(3_000)) + text(bytes(3 * REACH)) + text(b"last")
    starts = module.text_starts(BufferWindow(raw, 0, len(raw)), 0, len(raw), 1 << 30)
    assert (len(starts), starts[-1], starts[-2]) == (3_003, len(raw), len(raw) - 8)


@by_module
def test_a_count_that_lies_takes_no_memory(module: ModuleType) -> None:
    assert list(module.text_starts(bytes(12), 0, 12, 1 << 62)) == [0, 4, 8, 12]


# Lines


@PATIENT
@given(st.binary(max_size=60).map(lambda raw: raw.replace(b"\0", b"\n")), st.integers(0, 70), st.integers(0, 9))
def test_both_find_the_same_lines(raw: bytes, start: int, room: int) -> None:
    start = min(start, len(raw))
    found = []
    for module in MODULES:
        ends = array("Q", bytes(8 * room))
        count = module.line_ends(raw, start, len(raw), ends)
        found.append((count, ends, module.longest_line(ends[:count]) if count else 0))
    assert found[0] == found[1]
    lines = raw[start:].split(b"\n")[:-1][:room]
    assert [end - 1 for end in found[0][1][: found[0][0]]] == [
        len(b"\n".join(lines[: k + 1])) for k in range(len(lines))
    ]
    assert found[0][2] == max(map(len, lines), default=0)


@PATIENT
@given(st.text(max_size=40), st.integers(-2, 60), st.integers(-2, 60))
def test_both_count_the_same_letters(text: str, start: int, end: int) -> None:
    raw = text.encode(errors="replace")
    low, high = max(start, 0), min(end, len(raw))
    begun = sum(byte & 0xC0 != 0x80 for byte in raw[low : max(low, high)])
    assert [module.letters(raw, start, end) for module in MODULES] == [begun, begun]


# Numbers that say where something begins


@PATIENT
@given(
    st.lists(st.integers(0, 200), max_size=9),
    st.lists(st.tuples(st.integers(0, 200), st.integers(-60, 60)), max_size=4),
)
def test_both_move_the_same_numbers(targets: list[int], grown: list[tuple[int, int]]) -> None:
    writes = sorted(grown)
    ends, moved = [end for end, _ in writes], list(accumulate((by for _, by in writes), initial=0))
    said = []
    for module in MODULES:
        found, now = array("I", bytes(4 * len(targets))), array("Q", bytes(8 * len(targets)))
        count = module.moved_places(array("Q", targets), array("q", ends), array("q", moved), 150, found, now)
        data = bytearray(8 * len(targets))
        starts = array("Q", range(0, 8 * len(targets), 8))
        if count > 0:
            assert module.put_words(data, 0, starts, found[:count], now[:count]) == 0
            assert module.put_words(data, 1, starts, array("I", (0,)), now[:1]) == -1
        said.append((count, found[: max(count, 0)], now[: max(count, 0)], data))
    assert said[0] == said[1]
    new = [target + moved[bisect_right(ends, target)] if 0 < target <= 150 else target for target in targets]
    if said[0][0] >= 0:
        changed = [(place, number) for place, number in enumerate(new) if number != targets[place]]
        assert changed == list(zip(said[0][1], said[0][2], strict=True))
        assert [int.from_bytes(said[0][3][8 * place : 8 * place + 8], "little") for place, _ in changed] == [
            number for _, number in changed
        ]
    else:
        assert min(new) < 0


# Keys


ODD_KEYS = [
    ("04000000 03000000 610062 00", "a NUL in a text"),
    ("04000000 04000000 efbbbf61", "a byte order mark"),
    ("04000000 02000000 c1a1 0000", "a form that is too long"),
    ("04000000 03000000 eda080 00", "a surrogate"),
    ("04000000 02000000 61c3 0000", "a sequence that is cut off"),
    ("01000000 02000000", "a bool that is neither 0 nor 1"),
    ("03000000 0100c07f", "a NaN"),
    ("03000100 01000000 0000f07f", "a wide NaN"),
    ("05000100 000000000000f03f 000000000000f87f", "a wide vector with a NaN"),
    ("1c000000 00000000", "an Array"),
    ("16000000 00000080 00000000 00000000", "a node path"),
]
PLAIN_KEYS = [
    ("00000000", "null"),
    ("04000000 06000000 c3a9f09f9880 0000", "a text of long sequences"),
    ("04000000 00000000", "an empty text"),
    ("04000000 01000000 61 ffffff", "fill that is not zero"),
    ("01000000 01000000", "true"),
    ("02000100 ffffffff ffffff7f", "a wide int"),
    ("03000000 0000807f", "infinity"),
    ("03000100 00000000 0000f0ff", "wide infinity"),
    ("06000000 ffffffff ffffffff", "whole coordinates"),
    ("15000000 01000000 61 000000", "a StringName"),
]


@by_module
@pytest.mark.parametrize(("key", "what"), ODD_KEYS, ids=[what for _, what in ODD_KEYS])
def test_an_odd_key_is_found(module: ModuleType, key: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dialect = load("godot2") if "form" in what or "surrogate" in what or "cut off" in what else GODOT4
    around = word(dialect.type_number("int")) + word(5)
    table = scan(dictionary([around, bytes.fromhex(key), around], dialect), dialect)
    assert odd_places(table, module, monkeypatch) == [1]


@by_module
@pytest.mark.parametrize(("key", "what"), PLAIN_KEYS, ids=[what for _, what in PLAIN_KEYS])
def test_a_plain_key_is_not_odd(module: ModuleType, key: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = scan(dictionary([bytes.fromhex(key)]), GODOT4)
    assert odd_places(table, module, monkeypatch) == []


@by_module
@pytest.mark.parametrize(
    ("value", "places"),
    [
        (Value("String", "a"), [0, 5]),
        (Value("int", 5), [1, 2]),
        (Value("float", 5.0), [3]),
        (Value("StringName", "a"), [4]),
        (Value("float", NaN(bytes.fromhex("0000c07f"))), []),
        (Value("Nil", None), [6]),
        (Value("nothing", 1), []),
        (Value("Array", None), []),
        (Value("Vector2i", (1, 1 << 40)), []),
    ],
)
def test_plain_keys_are_found_by_their_value(
    module: ModuleType, value: Value, places: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_keys, "hops", module)
    found = [string(b"a"), word(2) + word(5), word(2 | 1 << 16) + word(5) + word(0), word(3) + struct.pack("<f", 5)]
    found += [word(21) + text(b"a"), word(4) + text(b"a", b"xyz"), word(0), word(2 | 1 << 16) + word(5) + word(1)]
    table = scan(dictionary(found), GODOT4)
    forms = path_keys.forms(value, GODOT4, named=False)
    assert sorted(key // 2 for form in forms for key in path_keys.equal(table, 0, form)) == places


KEYS = st.one_of(
    st.binary(max_size=6).map(string),
    st.text(max_size=3).map(lambda letters: string(letters.encode(errors="ignore"))),
    st.tuples(st.integers(0, 40), st.sampled_from((0, 1 << 16)), st.binary(min_size=8, max_size=8)).map(
        lambda key: word(key[0] | key[1]) + key[2]
    ),
    st.sampled_from([bytes.fromhex(key) for key, _ in ODD_KEYS + PLAIN_KEYS]),
)


@pytest.mark.compiled
@PATIENT
@given(st.lists(KEYS, min_size=1, max_size=8), st.sampled_from(keys()), st.integers(0, 3), st.booleans())
def test_both_find_the_same_keys(found: list[bytes], key: str, skipped: int, paged: bool) -> None:
    dialect = load(key)
    raw = dictionary(found, dialect)
    buffer: Buffer = BufferWindow(raw, 0, len(raw)) if paged else memoryview(bytes(skipped) + raw)[skipped:]
    table = scan(buffer, dialect)
    if not table.child_count(0):
        return
    with pytest.MonkeyPatch.context() as patch:
        odd = [odd_places(table, module, patch) for module in MODULES]
        assert odd[0] == odd[1]
        for one in found:
            form = path_keys.KeyBytes(len(one), 0xFF, one[0], one[4:])
            equal = []
            for module in MODULES:
                patch.setattr(path_keys, "hops", module)
                equal.append(path_keys.equal(table, 0, form))
            assert equal[0] == equal[1]


@by_module
@pytest.mark.parametrize("value", [b"", bytes(9_000)], ids=["dense", "sparse"])
def test_keys_on_disk_are_found_in_every_window(
    module: ModuleType, value: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_keys, "hops", module)
    monkeypatch.setattr(path_keys, "WINDOW", 100)
    pairs = b"".join(string(b"key%d" % (k % 3)) + string(value) for k in range(100))
    raw = word(GODOT4.type_number("Dictionary")) + word(100) + pairs
    table = scan(BufferWindow(raw, 0, len(raw)), GODOT4)
    (form,) = path_keys.forms(Value("String", "key1"), GODOT4, named=False)
    assert path_keys.equal(table, 0, form) == array("I", [1 + 2 * k for k in range(1, 100, 3)])


@by_module
def test_many_keys_are_looked_at_in_several_goes(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_keys, "hops", module)
    monkeypatch.setattr(path_keys, "KEYS", 4)
    table = scan(dictionary([string(b"a"), word(1) + word(2)] * 10), GODOT4)
    (form,) = path_keys.forms(Value("String", "a"), GODOT4, named=False)
    assert [key // 2 for key in path_keys.equal(table, 0, form)] == list(range(0, 20, 2))
    assert odd_places(table, module, monkeypatch) == list(range(1, 20, 2))
