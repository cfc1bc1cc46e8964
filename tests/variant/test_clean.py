"""The sieve: it spares the lint pass a look at clean nodes, and hides none that has a finding."""

from __future__ import annotations

import importlib.util
import random
import struct
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus import ENGINES, Engine, files, malformed, vector_bytes, vectors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from variant.exercise import flips, random_frame
from variant.random_values import VALUES, any_value

from viewer.base.buffer import Buffer, BufferWindow
from viewer.variant import clean, interpreted
from viewer.variant.columns import Columns
from viewer.variant.dialect import Dialect, keys, load
from viewer.variant.encode import EncodeError, encode
from viewer.variant.lint.lint import lint
from viewer.variant.scan import scan
from viewer.variant.table import NONE, NodeTable

PLAIN = "plain_clean"
LEVELS = 300_000
ROOM = 64
RANDOM_FRAMES = 1_000
PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


def _plain_sieve() -> Any:
    """The class from the source as it stands, whatever is compiled here."""
    spec = importlib.util.spec_from_file_location(PLAIN, Path(interpreted.__file__).with_name("clean.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PLAIN] = module
    spec.loader.exec_module(module)
    return module.Sieve


SIEVES = [clean.Sieve, _plain_sieve()]
by_sieve = pytest.mark.parametrize("sieve", SIEVES, ids=["installed", "plain"])
by_engine = pytest.mark.parametrize("engine", ENGINES, ids=str)
by_dialect = pytest.mark.parametrize("dialect", [load(key) for key in keys()], ids=lambda dialect: dialect.key)


def doubted(sieve: Any, table: NodeTable, room: int = ROOM) -> list[int]:
    """All doubtful nodes, in the order in which they come."""
    walk, found = sieve(table, room), []
    while not walk.is_done():
        found += walk.doubtful()
    return found


def assert_hides_nothing(table: NodeTable) -> None:
    """The lint pass finds the same with every sieve as without."""
    expected = list(lint(table, sieve=None))
    for sieve in SIEVES:
        assert list(lint(table, sieve=sieve)) == expected


def from_hex(text: str, dialect: str) -> NodeTable:
    return scan(bytes.fromhex(text), load(dialect))


# Nothing is hidden


@by_engine
def test_what_engines_write_has_the_same_findings(engine: Engine) -> None:
    for row in vectors(engine.folder):
        assert_hides_nothing(scan(vector_bytes(row), load(engine.dialect)))
    for saved in files(engine.folder):
        assert_hides_nothing(scan(saved.path.read_bytes()[4:], load(engine.dialect)))


@by_engine
def test_what_engines_refuse_has_the_same_findings(engine: Engine) -> None:
    for row in malformed(engine.folder):
        assert_hides_nothing(scan(bytes.fromhex(row["hex"]), load(engine.dialect)))


@by_dialect
def test_what_other_engines_write_has_the_same_findings(dialect: Dialect) -> None:
    for engine in ENGINES:
        for row in vectors(engine.folder)[::3]:
            assert_hides_nothing(scan(vector_bytes(row), dialect))


@by_engine
def test_a_changed_byte_leads_to_the_same_findings(engine: Engine) -> None:
    dice = random.Random(str(engine))
    for row in vectors(engine.folder)[::11]:
        for spoilt in flips(vector_bytes(row)[:120], dice):
            assert_hides_nothing(scan(spoilt, load(engine.dialect)))


@by_engine
def test_a_cut_value_has_the_same_findings(engine: Engine) -> None:
    for row in vectors(engine.folder)[::3]:
        raw = vector_bytes(row)
        for end in range(0, len(raw), max(1, len(raw) // 8)):
            assert_hides_nothing(scan(raw[:end], load(engine.dialect)))


@by_dialect
def test_random_frames_have_the_same_findings(dialect: Dialect) -> None:
    dice = random.Random(dialect.key)
    for _ in range(RANDOM_FRAMES):
        assert_hides_nothing(scan(random_frame(dialect, dice), dialect))


@by_dialect
@PATIENT
@given(data=VALUES)
def test_nearly_valid_values_have_the_same_findings(dialect: Dialect, data: st.DataObject) -> None:
    try:
        raw = bytearray(encode(data.draw(any_value(dialect)), dialect))
    except EncodeError:
        return
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=4))
        if not raw:
            break
    assert_hides_nothing(scan(bytes(raw), dialect))


@by_dialect
def test_keys_of_all_kinds_have_the_same_findings(dialect: Dialect) -> None:
    dice, engine = random.Random(dialect.key), _engine_of(dialect)
    values = [raw for raw in map(vector_bytes, vectors(engine.folder)) if len(raw) <= 24]
    values = [raw for raw in values if not scan(raw, dialect).diagnostics] + list(_alike(dialect))
    head = dialect.type_number("Dictionary").to_bytes(4, "little")
    for _ in range(RANDOM_FRAMES):
        count = dice.randrange(2, 6)
        pairs = b"".join(dice.choice(values) + dice.choice(values) for _ in range(count))
        assert_hides_nothing(scan(head + count.to_bytes(4, "little") + pairs, dialect))


NANS = ["03000100 01000000 0000f87f", "03000100 02000000 0000f87f"]
RARE = [
    ("godot4", "03000100 00000020 0000f03f", "a wide float that needs the last bit of a narrow one"),
    ("godot4", f"1b000000 02000000 {NANS[0]} 00000000 {NANS[1]} 00000000", "wide NaNs as keys"),
    ("godot4", "1c000100 00000000 00000000", "a typed array of no type"),
    ("godot4", "1c000100 18000000 01000000  02000000 05000000", "a number in an array of objects"),
    ("godot4", "1c000100 02000000 01000000  03000000 00000000", "a float in an array of ints"),
]


@pytest.mark.parametrize(("dialect", "text", "what"), RARE, ids=[what for *_, what in RARE])
def test_a_rare_oddity_is_found(dialect: str, text: str, what: str) -> None:
    table = from_hex(text, dialect)
    assert list(lint(table))
    assert_hides_nothing(table)


def _engine_of(dialect: Dialect) -> Engine:
    return next((engine for engine in ENGINES if engine.dialect == dialect.key), ENGINES[1])


def _alike(dialect: Dialect) -> Iterator[bytes]:
    """Values that are nearly the same, or the same in other bytes."""
    texts = ["01000000 61000000", "02000000 61000000", "03000000 efbbbf61", "02000000 c3a90000", "01000000 61000001"]
    for row in dialect.rows:
        if row.name in ("String", "StringName"):
            yield from (row.number.to_bytes(4, "little") + bytes.fromhex(text) for text in texts)
        elif row.kind.value == "fixed":
            for word in ("00000000", "00000080", "01000000", "02000000", "0000c07f", "0100c07f", "ffffffff"):
                yield row.number.to_bytes(4, "little") + bytes.fromhex(word) * (row.narrow_size // 4)
                if dialect.row(row.number | 1 << 16) is row and row.has_wide:
                    size = row.wide_size // 8
                    yield (row.number | 1 << 16).to_bytes(4, "little") + bytes.fromhex(word + "00000000") * size
                    yield (row.number | 1 << 16).to_bytes(4, "little") + bytes.fromhex("01000000" + word) * size


# What is spared

SPARED = [
    ("godot3", "01000000 01000000", "a bool"),
    ("godot3", "02000100 00000080 00000000", "an int of 64 bits"),
    ("godot3", "03000100 9a999999 9999b93f", "a float of 64 bits"),
    ("godot3", "07000000 00000080 0000c07f ffffffff", "a vector of any bits"),
    ("godot3", "04000000 00000000", "no text"),
    ("godot3", "04000000 05000000 c3a9e282 ac000000", "text beyond ASCII"),
    ("godot3", "04000000 04000000 f09f9880", "text beyond the first plane"),
    ("godot3", "0f000000 01000080 01000000 01000000  01000000 61000000  01000000 62000000", "a node path"),
    ("godot3", "14000000 05000000 ffffffff ff000000", "bytes with fill"),
    ("godot3", "15000000 02000000 ffffffff ffffffff", "packed ints"),
    ("godot3", "17000000 02000000  02000000 61000000  05000000 c3a9c3a9 00000000", "packed strings"),
    ("godot3", "11000100 05000000 00000000", "an object id"),
    ("godot4", "1c000100 02000000 02000000  02000000 05000000  02000000 06000000", "a typed array"),
    ("godot3", "12000000 02000000  04000000 01000000 61000000 00000000  04000000 01000000 62000000 00000000", "texts"),
    ("godot3", "12000000 02000000  02000000 01000000 00000000  02000000 ffffffff 00000000", "ints as keys"),
    ("godot3", "12000000 02000000  03000000 00000080 00000000  03000000 0000803f 00000000", "floats as keys"),
]


@by_sieve
@pytest.mark.parametrize(("dialect", "text", "what"), SPARED, ids=[what for *_, what in SPARED])
def test_the_usual_is_not_doubted(sieve: Any, dialect: str, text: str, what: str) -> None:
    assert doubted(sieve, from_hex(text, dialect)) == []


@by_sieve
def test_the_names_of_an_object_are_not_doubted_for_the_object(sieve: Any) -> None:
    inner = "18000000 01000000 41000000 01000000  01000000 62000000  02000000 05000000"
    rest = "01000000 63000000  02000000 05000000  01000000 64000001  02000000 05000000"
    table = from_hex(f"18000000 01000000 41000000 03000000  01000000 61000000 {inner} {rest}", "godot4")
    assert [table.start[node] for node in doubted(sieve, table)] == [0, 24, 72]


@by_sieve
def test_many_keys_are_told_apart_and_the_one_that_stands_twice_is_not(sieve: Any) -> None:
    for last, expected in ((1_000, []), (500, [0])):
        numbers = [*range(999), last]
        body = b"".join(bytes.fromhex("02000000") + number.to_bytes(4, "little") + bytes(4) for number in numbers)
        assert doubted(sieve, scan(bytes.fromhex("12000000 e8030000") + body, load("godot3"))) == expected


# How it walks


@by_sieve
def test_doubts_come_in_the_order_of_the_bytes_and_not_too_many_at_once(sieve: Any) -> None:
    twice = "12000000 02000000  00000000 00000000  00000000 00000000"
    raw = bytes.fromhex("13000000 90010000" + f"{twice} 01000000 02000000" * 200)
    table = scan(raw, load("godot3"))
    walk, steps = sieve(table, 10), []
    while not walk.is_done():
        steps.append(walk.doubtful())
    starts = [table.start[node] for step in steps for node in step]
    assert starts == sorted(set(starts))
    assert len(starts) == 400
    assert max(map(len, steps)) <= 11


@by_sieve
def test_many_levels_neither_recurse_nor_stop_the_walk(sieve: Any) -> None:
    raw = bytes.fromhex("13000000 01000000") * LEVELS + bytes.fromhex("01000000 02000000")
    assert doubted(sieve, scan(raw, load("godot3"))) == [LEVELS]


@by_sieve
def test_an_empty_table_is_done_at_once(sieve: Any) -> None:
    assert sieve(scan(b"", load("godot3")), ROOM).is_done()


@by_sieve
def test_where_the_bytes_are_makes_no_difference(sieve: Any) -> None:
    text = "04000000 01000000 6100000004000000 01000000 6100000101000000 02000000"
    raw = bytes.fromhex("13000000 2c010000" + text * 100)
    dialect = load("godot3")
    expected = doubted(sieve, scan(raw, dialect))
    assert len(expected) == 200
    buffers: list[Buffer] = [bytearray(raw), BufferWindow(b"xx" + raw, 2, 2 + len(raw))]
    buffers += [memoryview(bytes(askew) + raw)[askew:] for askew in range(4)]
    for buffer in buffers:
        assert doubted(sieve, scan(buffer, dialect)) == expected


@by_sieve
def test_a_buffer_that_is_read_in_windows_has_the_same_findings(sieve: Any) -> None:
    odd, body = bytes.fromhex("01000000 02000000"), b"a" * 3_000
    text = bytes.fromhex("04000000") + len(body).to_bytes(4, "little") + body
    keyed = bytes.fromhex("12000000 02000000  01000000 00000000") + text + bytes.fromhex("01000000 01000000") + odd
    raw = bytes.fromhex("13000000 c40f0000") + b"".join(bytes([0x13, 0, 0, 0, 1, 0, 0, 0]) + keyed for _ in range(4036))
    assert len(raw) > 2 * clean.WINDOW
    whole = list(lint(scan(raw, load("godot3")), sieve=None))
    assert len(whole) == 4036
    assert list(lint(scan(BufferWindow(raw, 0, len(raw)), load("godot3")), sieve=sieve)) == whole
    assert len(doubted(sieve, scan(BufferWindow(raw, 0, len(raw)), load("godot3")))) < 4036 + 20


@by_sieve
def test_values_behind_an_askew_one_are_still_spared(sieve: Any) -> None:
    count = 5_000
    path, number = bytes.fromhex("10000000 03000000 612f62"), bytes.fromhex("02000000 05000000")
    raw = bytes.fromhex("15000000") + (count + 2).to_bytes(4, "little") + path + number * count + path
    assert doubted(sieve, laid_out(raw, "godot2", [8, *range(19, 20 + 8 * count, 8)])) == [1, count + 2]


@by_sieve
@pytest.mark.parametrize(("starts", "end"), [([8, 20], 28), ([8, 16], 28)], ids=["between", "behind"])
def test_a_node_that_ends_elsewhere_than_its_bytes_say_is_doubted(sieve: Any, starts: list[int], end: int) -> None:
    raw = bytes.fromhex("13000000 02000000  02000000 05000000") + bytes(starts[1] - 16)
    raw = (raw + bytes.fromhex("02000000 05000000")).ljust(end, b"\0")
    assert doubted(sieve, laid_out(raw, "godot3", starts)) == [2 if starts[1] == 16 else 1]


def laid_out(raw: bytes, dialect: str, starts: list[int]) -> NodeTable:
    """The table of an Array whose elements begin at *starts*."""
    columns, table = Columns(len(starts) + 1), NodeTable(raw, load(dialect))
    columns.start[:] = array("I", [0, *starts])
    columns.parent[:] = array("I", [NONE] + [0] * len(starts))
    columns.first[:] = array("I", [1] + [0] * len(starts))
    table.take(columns, len(starts) + 1)
    table.end_of_data = len(raw)
    return table


@by_sieve
@pytest.mark.parametrize("first", [struct.pack("<II4sI", 4, 1, b"k", 0), struct.pack("<III", 28, 0, 0)])
def test_keys_in_keys_are_not_looked_into_however_deep_they_go(sieve: Any, first: bytes) -> None:
    """Each dictionary has two keys, the second of which is the next one."""
    levels = LEVELS // 3
    raw = (struct.pack("<II", 27, 2) + first) * levels + bytes(4) + bytes(4) * levels
    table = scan(raw, load("godot4"))
    assert len(table) == 4 * levels + 1
    found = doubted(sieve, table)
    assert levels - 1 <= len(found) == len(set(found)) <= levels
