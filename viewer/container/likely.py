"""Likely places: where a length prefix and a value behind it may begin in foreign bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from viewer.base.buffer import STRETCH, Buffer, stretches

Progress = Callable[[int], bool]
"""Told an offset now and then; returns False to give up."""

LIKELY = re.compile(rb"\0(?<=(?!\0{4})[\0-\xff]{4}[\0-\x3f][\0-\xff][\0-\x0f]\0)", re.DOTALL)
"""The last byte of what may be a prefix and a value's header: a type number below 64, few flags.

It looks for the zero first, which is found much faster than a class of bytes.
"""
LIKELY_SIZE = 8
ZEROS = bytes(STRETCH + LIKELY_SIZE)


def is_header(buffer: Buffer, at: int) -> bool:
    """Whether the word at *at* may be a value's header: a type number below 64, few flags."""
    word = bytes(buffer[at : at + 4])
    return len(word) == 4 and word[0] < 0x40 and word[2] < 0x10 and not word[3]


def likely(buffer: Buffer, at: int, progress: Progress | None) -> Iterator[int]:
    """Offsets from *at* on where a prefix and a header may stand; runs of zeros, in which none can, cost little."""
    for start, stretch in stretches(buffer, at, overlap=LIKELY_SIZE - 1):
        if progress is not None and not progress(start):
            return
        if stretch[0] or stretch[-1] or bytes(stretch) != ZEROS[: len(stretch)]:
            for match in LIKELY.finditer(stretch):
                yield start + match.end() - LIKELY_SIZE
