"""Fuzzing: random harm to bytes, from a seed that can be told again."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence

FUZZ_SECONDS = float(os.environ.get("FUZZ_SECONDS", "1"))
"""How long each test that fuzzes goes on; the environment may ask for more."""
FUZZ_SEED = int(os.environ.get("FUZZ_SEED", "1"))


def harmed(samples: Sequence[bytes], seed: int = FUZZ_SEED) -> Iterator[bytes]:
    """Samples with random harm, until the time is up; pytest shows the number of the last one where a test fails."""
    end = time.monotonic() + FUZZ_SECONDS
    number = 0
    while time.monotonic() < end:
        dice = random.Random(f"{seed} {number}")
        data = bytearray(dice.choice(samples))
        for _ in range(dice.choice((1, 1, 2, 5, 20))):
            _harm(dice, data)
        print(f"seed {seed}, number {number}") if number % 500 == 0 else None
        yield bytes(data)
        number += 1


def _harm(dice: random.Random, data: bytearray) -> None:
    at = dice.randrange(min(len(data), dice.choice((24, len(data)))) or 1) if data else 0
    match dice.randrange(6):
        case 0 if data:
            data[at] ^= 1 << dice.randrange(8)
        case 1 if data:
            data[at] = dice.choice((0, 1, 31, 127, 128, 255, dice.randrange(256)))
        case 2:
            del data[at : at + dice.choice((1, 4, 100))]
        case 3:
            data[at:at] = dice.randbytes(dice.choice((1, 4, 100)))
        case 4:
            del data[dice.randrange(len(data) + 1) :]
        case _:
            data[at : at + 4] = dice.choice((0, 1, 15, 4096, 65536, 1 << 31, (1 << 32) - 1)).to_bytes(4, "little")
