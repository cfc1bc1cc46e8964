"""Instructions that a piece of work takes: by the processor's own counter, else counted one by one.

Their number does not depend on what else the machine does. A virtual machine often has no counter; there the work is
done in a copy of this process that stops behind each instruction, which takes a hundred thousand times as long.
"""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress

from bench.setting import BenchError

Work = Callable[[], object]
OPEN = {"x86_64": 298, "aarch64": 241}
"""The number of perf_event_open, by machine."""
ATTRIBUTES = 64
INSTRUCTIONS, USER_ONLY = 1, 1 << 5 | 1 << 6
TRACE_ME, SINGLE_STEP = 0, 9


def by_counter(work: Work) -> int | None:
    """Instructions of this thread, outside of the system, while *work* is done; None where there is no counter."""
    number = OPEN.get(platform.machine()) if sys.platform.startswith("linux") else None
    if number is None:
        return None
    kind, size, config = struct.pack("<I", 0), struct.pack("<I", ATTRIBUTES), struct.pack("<Q", INSTRUCTIONS)
    attributes = (kind + size + config + bytes(24) + struct.pack("<Q", USER_ONLY)).ljust(ATTRIBUTES, b"\0")
    handle = ctypes.CDLL(None).syscall(number, attributes, 0, -1, -1, 0)
    if handle < 0:
        return None
    try:
        before = _read(handle)
        work()
        return _read(handle) - before
    finally:
        os.close(handle)


def by_steps(work: Work) -> int:
    """The same, counted one by one.

    Raises:
        BenchError: the system does not let one process step through another.
    """
    if not sys.platform.startswith("linux") or platform.machine() not in OPEN:
        raise BenchError("this system does not let instructions be counted")
    trace = ctypes.CDLL(None, use_errno=True).ptrace
    trace.argtypes, trace.restype = [ctypes.c_long] * 4, ctypes.c_long
    child = os.fork()
    if not child:
        _be_stepped(trace, work)
    count = 0
    os.waitpid(child, 0)
    try:
        while not trace(SINGLE_STEP, child, 0, 0):
            _, status = os.waitpid(child, 0)
            if not os.WIFSTOPPED(status):
                raise BenchError("this system does not let instructions be counted")
            if os.WSTOPSIG(status) != signal.SIGTRAP:
                return count
            count += 1
        raise BenchError("this system does not let instructions be counted")
    finally:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _be_stepped(trace: Callable[..., int], work: Work) -> None:
    """Stop, be let on step by step, and stop again behind the work; for a copy of this process, and its end."""
    try:
        if not trace(TRACE_ME, 0, 0, 0):
            gc.disable()
            os.kill(os.getpid(), signal.SIGSTOP)
            work()
            os.kill(os.getpid(), signal.SIGSTOP)
    finally:
        os._exit(1)


def _read(handle: int) -> int:
    number: int = struct.unpack("<q", os.read(handle, 8))[0]
    return number
