"""How much memory a process has in use, as the system counts it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from bench.setting import BenchError


def resident(process: int | None = None) -> int:
    """Bytes of a process (this one, where none is named) that are in memory.

    Raises:
        BenchError: the system does not tell.
    """
    return _told("VmRSS:", process or os.getpid())


def peak() -> int:
    """Bytes of this process that were in memory at most, so far.

    Raises:
        BenchError: the system does not tell.
    """
    return _told("VmHWM:", os.getpid())


def forget_peak() -> None:
    """Let the peak be what is in memory now, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _told(name: str, process: int) -> int:
    try:
        text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError as error:
        raise BenchError("this system does not tell how much memory a process uses") from error
    line = next(line for line in text.splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024
