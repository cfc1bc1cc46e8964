"""How busy the machine is with other things, measured with work that is always the same."""

from __future__ import annotations

import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

SECONDS = 2.0
ROOM = bytearray(8 << 20)
"""More than a processor keeps near itself, so that others who use the memory are noticed, too."""
STEP = 4096
JITTER, LOST, OTHERS = 0.05, 0.03, 0.2


@dataclass(frozen=True, slots=True)
class Noise:
    """What stands in the way of a figure.

    Args:
        jitter: by how much the usual processor time of the same work exceeds the smallest, as a share of it.
        lost: the share of the time in which this process wanted to run and did not.
        others: how many processors other programs kept busy meanwhile, None where the system does not tell.
    """

    jitter: float
    lost: float
    others: float | None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why figures taken now are not worth publishing; nothing where they are."""
        found = []
        if self.others is not None and self.others > OTHERS:
            found.append(f"other programs keep {self.others:.1f} processors busy (at most {OTHERS})")
        if self.lost > LOST:
            found.append(f"this one waits for its turn {self.lost:.0%} of the time (at most {LOST:.0%})")
        if self.jitter > JITTER:
            found.append(f"the same work takes {self.jitter:.0%} longer than at best (at most {JITTER:.0%})")
        return tuple(found)


def measured(seconds: float = SECONDS) -> Noise:
    """Work for so long, and look what came in between."""
    _work()
    times, busy, start, own = [], busy_seconds(), perf_counter(), process_time()
    while perf_counter() - start < seconds:
        before = process_time()
        _work()
        times.append(process_time() - before)
    elapsed, own = perf_counter() - start, process_time() - own
    after = busy_seconds()
    others = None if busy is None or after is None else max(0.0, after - busy - own) / elapsed
    return Noise(median(times) / min(times) - 1, max(0.0, 1 - own / elapsed), others)


def busy_seconds() -> float | None:
    """Processor time that all programs, and a host above this system, have taken since it was started.

    None where the system does not tell.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        line = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
    except OSError:
        return None
    user, nice, system, _, _, interrupts, soft, stolen = map(int, line.split()[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _work() -> None:
    """Some milliseconds in Python, in a loop of C, and all over the memory."""
    sum(range(60_000))
    zlib.crc32(ROOM)
    for at in range(0, len(ROOM), STEP):
        ROOM[at] = at >> 12 & 255
