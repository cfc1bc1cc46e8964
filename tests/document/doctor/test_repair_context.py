"""What is seen of a value at once is what a scan tells, whatever bytes stand there."""

from __future__ import annotations

import struct
from random import Random

import pytest

from viewer.document.doctor.repair_context import WorkBudget, is_readable, size_at_once
from viewer.variant.dialect import FLAG_64, available


def scanned(data: bytes, meter: WorkBudget, dialect: object) -> int:
    table = meter.scan(data, 0, len(data), dialect)  # type: ignore[arg-type]
    return table.end_of_data if is_readable(table) else -1


@pytest.mark.parametrize("dialect", available(), ids=lambda dialect: dialect.key)
def test_what_is_seen_at_once_is_what_a_scan_tells(dialect: object) -> None:
    dice, meter, told = Random(3), WorkBudget(1 << 40), 0
    heads = [struct.pack("<I", number | flag) for number in range(64) for flag in (0, FLAG_64, 1 << 17, 1 << 31)]
    words = [struct.pack("<I", number) for number in (0, 1, 2, 4, 18, 19, 27, 28, 40, 200, 1 << 31, 0xFFFFFFFF)]
    for head in heads:
        for _ in range(60):
            data = head + b"".join(dice.choice(words) for _ in range(dice.randrange(24))) + bytes(dice.randrange(4))
            size = size_at_once(data, 0, len(data), dialect)  # type: ignore[arg-type]
            told += size is not None
            assert size is None or size == scanned(data, meter, dialect), data.hex()
    assert told > 30 * 60


def test_less_than_a_header_is_left_to_the_scan() -> None:
    for dialect in available():
        assert size_at_once(b"\2\0\0", 0, 3, dialect) is None
