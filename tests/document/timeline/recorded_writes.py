"""A program that writes a file again and again, as games do, and one that keeps what it wrote until it is killed.

python recorded_writes.py FILE rename|truncate COUNT    a version stands for STANDS seconds; what it wrote is on stdout
python recorded_writes.py FILE keep ROOT SEED           keeps made versions as fast as it can; says each on stdout
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import time
from pathlib import Path

STANDS = 0.1
"""Seconds that each version is left alone."""
HALVES = (0.0, 0.005, 0.02, 0.05)
"""Seconds that a half-written state stands."""


def content(number: int, size: int = 3000) -> bytes:
    """The bytes of a version: most are those of the version before, as in a save."""
    same = random.Random(7).randbytes(size)
    return b"version %08d " % number + same + random.Random(number).randbytes(64)


def write_again(path: Path, way: str, count: int) -> None:
    """Write so many versions, each left alone for a moment; the half-written states between are not."""
    chance = random.Random(count)
    for number in range(count):
        data = content(number)
        if way == "rename":
            fresh = path.with_name("fresh.tmp")
            fresh.write_bytes(data)
            os.replace(fresh, path)
        else:
            with path.open("wb") as file:
                file.write(data[: len(data) // 3])
                file.flush()
                time.sleep(chance.choice(HALVES))
                file.write(data[len(data) // 3 :])
        time.sleep(STANDS)


def keep_on(path: Path, root: Path, seed: int) -> None:
    """Keep versions, with marks and pins between, in so little room that old ones are thinned out."""
    from viewer.document.timeline.timeline import Timeline, TimelineBounds

    timeline, chance = Timeline(path, root), random.Random(seed)
    timeline.bound(TimelineBounds(60, 1 << 20))
    number = seed * 100_000
    while True:
        number += 1
        size = 200_000 if chance.random() < 0.1 else 3000
        version, _ = timeline.add(content(number, size))
        if version is not None:
            print(version.number, version.content, flush=True)
        if chance.random() < 0.05:
            timeline.mark(f"act {number}")
        if chance.random() < 0.05 and version is not None and len(timeline.protected()) < 30:
            timeline.pin(version.number)
        if len(timeline.protected()) > 40:
            for mark in timeline.marks:
                timeline.unmark(mark.number)
            for each in timeline.versions:
                timeline.pin(each.number, False)


def digest(data: bytes) -> str:
    """How a timeline names bytes."""
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    if sys.argv[2] == "keep":
        keep_on(Path(sys.argv[1]), Path(sys.argv[3]), int(sys.argv[4]))
    else:
        write_again(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
