"""How much memory a process has in use, as the system counts it."""

from __future__ import annotations

import os
from pathlib import Path

from bench.setting import BenchError


def resident(process: int | None = None) -> int:
    """Bytes of a process (this one, where none is named) that are in memory.

    Raises:
        BenchError: the system does not tell.
    """
    try:
        text = Path(f"/proc/{process or os.getpid()}/status").read_text(encoding="ascii")
    except OSError as error:
        raise BenchError("this system does not tell how much memory a process uses") from error
    line = next(line for line in text.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def peak() -> int:
    """Bytes of this process that were in memory at most, so far.

    Raises:
        BenchError: the system does not tell.
    """
    try:
        text = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError as error:
        raise BenchError("this system does not tell how much memory a process used") from error
    line = next(line for line in text.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
