"""The compiled scanner and the plain file that it was made from give the same table, on everything."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any

import pytest
import twins
from corpus import ENGINES, Engine, files, malformed, vector_bytes, vectors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from viewer.variant.dialect import keys, load
from viewer.variant.scan import COMPILED, scan
from viewer.variant.table import NodeTable

pytestmark = pytest.mark.compiled
by_engine = pytest.mark.parametrize("engine", ENGINES, ids=str)
PLAIN = twins.plain("viewer.variant.scan")
COMPILED_MODULE = sys.modules["viewer.variant.scan"]
TRIALS = int(os.environ.get("SCAN_TRIALS", "2000"))
THOROUGH = settings(deadline=None, max_examples=TRIALS, suppress_health_check=list(HealthCheck), database=None)
WINDOW = 1 << 10


def told(table: NodeTable) -> tuple[Any, ...]:
    """Everything that a table says."""
    columns = (bytes(table.start), bytes(table.parent), bytes(table.first))
    return *columns, table.end_of_data, [(d.code, d.span, d.node, d.part, d.facts) for d in table.diagnostics]


def assert_same(raw: bytes, key: str) -> None:
    dialect = load(key)
    assert told(scan(raw, dialect)) == told(PLAIN.scan(raw, dialect))


def word(number: int) -> bytes:
    return number.to_bytes(4, "little")


WORDS = st.one_of(
    st.integers(0, 40).map(word),
    st.integers(0, 40).map(lambda number: word(number | 1 << 16)),
    st.integers(0, 12).map(lambda number: word(number | 1 << 31)),
    st.sampled_from((0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x00FF0003, 0x00010012, 0x0001001C)).map(word),
    st.text(max_size=9).map(lambda text: word(4) + word(len(text.encode())) + text.encode() + b"\0\0\0"),
    st.binary(min_size=4, max_size=8),
)
BUFFERS = st.lists(WORDS, max_size=24).map(b"".join)


def test_the_two_scanners_are_two() -> None:
    assert COMPILED
    assert not PLAIN.COMPILED
    assert twins.is_compiled("viewer.variant.scan")


@by_engine
def test_they_agree_on_every_vector_in_every_dialect(engine: Engine) -> None:
    for row in vectors(engine.folder):
        for key in keys():
            assert_same(vector_bytes(row), key)


@by_engine
def test_they_agree_on_every_broken_input(engine: Engine) -> None:
    for row in malformed(engine.folder):
        for key in keys():
            assert_same(bytes.fromhex(row["hex"]), key)


@by_engine
def test_they_agree_on_every_file_whole_and_behind_every_kind_of_prefix(engine: Engine) -> None:
    for saved in files(engine.folder):
        raw = saved.path.read_bytes()
        for key in keys():
            for skipped in range(5):
                assert_same(raw[skipped:], key)


@THOROUGH
@given(BUFFERS, st.sampled_from(keys()))
def test_they_agree_on_whatever_looks_like_values(raw: bytes, key: str) -> None:
    assert_same(raw, key)


@settings(THOROUGH, max_examples=500)
@given(BUFFERS, st.sampled_from(keys()), st.integers(0, 3))
def test_bytes_at_odd_places_in_memory_are_scanned_alike(raw: bytes, key: str, skipped: int) -> None:
    whole = bytes(skipped) + raw
    assert told(scan(memoryview(whole)[skipped:], load(key))) == told(PLAIN.scan(raw, load(key)))


@settings(THOROUGH, max_examples=500)
@given(st.binary(max_size=40))
def test_the_utf8_check_is_that_of_python(raw: bytes) -> None:
    try:
        raw.decode()
        good = True
    except UnicodeDecodeError:
        good = False
    assert PLAIN._is_utf8(raw, 0, len(raw)) == good
    text = word(4) + word(len(raw)) + raw + bytes(-len(raw) % 4)
    assert_same(text, "godot4")


@pytest.mark.parametrize("module", [COMPILED_MODULE, PLAIN], ids=["compiled", "plain"])
@pytest.mark.parametrize("in_memory", [True, False], ids=["memory", "slices"])
def test_a_window_that_moves_over_the_bytes_changes_nothing(
    module: ModuleType, in_memory: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = next(saved for saved in files("godot3") if saved.path.stat().st_size > 20 * WINDOW).path.read_bytes()[4:]
    whole = told(scan(raw, load("godot3")))
    monkeypatch.setattr(module, "WINDOW", WINDOW)
    assert told(module.scan(raw if in_memory else _Slices(raw), load("godot3"))) == whole


class _Slices:
    """A buffer that is not in memory."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def __len__(self) -> int:
        return len(self._raw)

    def __getitem__(self, at: Any) -> Any:
        return self._raw[at]
