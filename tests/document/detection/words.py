"""Words that nobody stored."""

from __future__ import annotations

import random
from struct import pack


def small_words(seed: int, count: int) -> bytes:
    """Bytes that nobody stored, in which many a word looks like the length of a null behind it."""
    dice = random.Random(seed)
    return b"".join(pack("<I", dice.choice((dice.randrange(40), 0, 1, 4))) for _ in range(count))
