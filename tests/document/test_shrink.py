"""Shrinking: what is left fails in the same way, and little is left."""

from __future__ import annotations

import itertools
import random
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import engine as godot3
import pytest
from corpus import DATA, ENGINES, Engine, malformed

from viewer.base.diagnostic import Code
from viewer.document.document import Document
from viewer.document.export.failing import as_gdscript, as_hex, as_literal
from viewer.document.shrink import Failure, failure, shrink, shrunk
from viewer.variant.dialect import load

SHORT = 4096
GODOT3 = load("godot3")
BROKEN = Path(__file__).parents[2] / "resources" / "samples" / "broken-packet.bin"


def broken_inputs(engine: Engine) -> list[bytes]:
    raws = [bytes.fromhex(row["hex"]) for row in malformed(engine.folder)]
    return [raw for raw in raws if len(raw) < SHORT and failure(raw, load(engine.dialect)) is not None]


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_broken_input_shrinks_to_one_that_fails_alike(engine: Engine) -> None:
    dialect = load(engine.dialect)
    for raw in broken_inputs(engine):
        small = shrink(raw, dialect)
        assert failure(small, dialect) == failure(raw, dialect)
        assert len(small) <= min(len(raw), 40)


def test_a_save_with_one_bad_text_shrinks_to_that_text() -> None:
    raw = bytearray((DATA / "godot3" / "files" / "rpg.save").read_bytes())
    frame = Document(bytes(raw)).frames[0]
    payload = raw[frame.start : frame.cut.payload.end]
    at = payload.index(b"player") if b"player" in payload else payload.index(b"name")
    payload[at] = 0xFF
    assert shrink(bytes(payload), GODOT3) in (
        bytes.fromhex("04000000 04000000 ff000000"),
        bytes.fromhex("04000000 01000000 ff000000"),
    )


def test_siblings_and_the_levels_around_go_first() -> None:
    inner = struct.pack("<III", 0x13, 1, 99)
    raw = struct.pack("<II", 0x13, 100) + struct.pack("<II", 2, 7) * 60 + inner
    assert shrink(raw, GODOT3) == struct.pack("<I", 99)


def test_a_promise_that_is_not_kept_stays_one() -> None:
    raw = struct.pack("<II", 0x13, 9) + struct.pack("<II", 2, 7) * 8
    small = shrink(raw, GODOT3)
    assert failure(small, GODOT3) == Failure(Code.CHILD_MISSING, "Array")
    assert len(small) == 8


def test_the_caller_says_what_failing_is() -> None:
    raw = struct.pack("<II", 0x13, 3) + struct.pack("<II", 2, 7) * 3
    assert shrink(raw, GODOT3, lambda data: b"\x07" in data) == b"\x07"


def test_what_does_not_fail_cannot_shrink() -> None:
    with pytest.raises(ValueError, match="Nothing is wrong"):
        shrink(struct.pack("<II", 2, 7), GODOT3)
    with pytest.raises(ValueError, match="do not fail"):
        shrink(struct.pack("<I", 99), GODOT3, lambda data: False)


def test_it_stops_when_told_to_and_keeps_what_it_has() -> None:
    raw = struct.pack("<II", 0x1C, 1) * 1100 + bytes(4)
    small = shrink(raw, load("godot4"), progress=lambda size: False)
    assert failure(small, load("godot4")) == failure(raw, load("godot4"))


def test_random_bytes_shrink_without_a_fault() -> None:
    dice = random.Random(3)
    for _ in range(40):
        raw = b"".join(
            dice.choice((3, 0x12, 0x13, 0x14, 99)).to_bytes(4, "little") for _ in range(dice.randrange(1, 30))
        )
        if failure(raw, GODOT3) is not None:
            assert failure(shrink(raw, GODOT3), GODOT3) == failure(raw, GODOT3)


@pytest.mark.engine
def test_the_real_engine_refuses_what_is_left() -> None:
    small = [shrink(raw, GODOT3) for raw in broken_inputs(ENGINES[1])[::3]]
    assert all(answer.error for answer in godot3.read_back([godot3.Request(raw) for raw in small]))


# What is left, to be handed on


def test_failing_bytes_are_written_as_hex() -> None:
    assert as_hex(bytes(range(18))) == "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n10 11"


def test_a_value_that_is_whole_has_a_literal_and_a_broken_one_none() -> None:
    assert as_literal(struct.pack("<II", 2, 7), GODOT3) == "7"
    assert as_literal(struct.pack("<II", 4, 7), GODOT3) is None


@pytest.mark.parametrize(
    ("key", "array", "call"),
    [
        ("godot4", "PackedByteArray([99, 0, 0, 0])", "bytes_to_var(bytes)"),
        ("godot3", "PoolByteArray([99, 0, 0, 0])", "stream.get_var()"),
        ("pandemonium5", "PoolByteArray([99, 0, 0, 0])", "stream.get_var()"),
        ("godot2", "RawArray([99, 0, 0, 0])", "bytes2var(bytes)"),
    ],
)
def test_a_test_in_gdscript_is_of_its_engine(key: str, array: str, call: str) -> None:
    text = as_gdscript(struct.pack("<I", 99), load(key))
    assert text.startswith("func test():\n\t# 0x0: error unknown-type: ")
    assert array in text
    assert text.endswith(f"assert({call} != null)")


def calls(work: Callable[[], object]) -> int:
    """How many functions of Python are called to do something."""
    count = 0

    def seen(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("pair", [struct.pack("<II", 19, 1), struct.pack("<III", 19, 2, 0)])
def test_shrinking_many_levels_takes_work_by_what_is_tried(pair: bytes) -> None:
    raw = pair * 4000 + b"\x63\0\0\0" + bytes(4)
    assert failure(raw, GODOT3) is not None
    assert calls(lambda: shrink(raw, GODOT3)) < 1_500_000


def test_what_lies_behind_the_failure_of_a_deep_value_is_cut_off() -> None:
    deep = struct.pack("<II", 19, 1) * 20_000 + bytes(4)

    def fails(data: bytes) -> bool:
        return data.startswith(struct.pack("<II", 19, 1) * 1024)

    found = shrunk(deep, GODOT3, fails)
    assert 8 * 1024 <= len(found.data) <= 8 * 1025


def test_a_search_that_is_cut_short_says_so() -> None:
    assert not shrunk(struct.pack("<II", 19, 1) + b"\x63\0\0\0", GODOT3).cut_short
    raw = struct.pack("<II", 19, 1) * 2000 + b"\x63\0\0\0"
    assert shrunk(raw, GODOT3, lambda data: len(data) > 8000, progress=lambda size: False).cut_short


def test_trials_that_take_long_are_ended_by_the_clock() -> None:
    seconds = itertools.count()
    tried: list[int] = []

    def fails(data: bytes) -> bool:
        tried.append(len(data))
        return len(data) > 10

    found = shrunk(struct.pack("<II", 19, 1) * 50 + bytes(4), GODOT3, fails, clock=lambda: next(seconds))
    assert found.cut_short
    assert len(tried) < 5
