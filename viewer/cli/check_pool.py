"""``check`` of very many files on all processors: other processes check some files each, and what they print is printed
here, in the order of the files.

They are plain processes that read names from a pipe and know nothing else of this one, so that it is the same on all
systems. Where one cannot be started, or ends too early, its files are checked here.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import marshal
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias

AT_ONCE = 1 << 3
"""Files that a process is given together."""
AHEAD = 8
"""So many times as many may be checked by each process before they are printed."""
MOST = 32
"""Processes."""
CHILD = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
import marshal, sys
sys.path[:] = marshal.load(sys.stdin.buffer)
from viewer.cli.check_pool import work
work()
"""
"""What the other processes run: whoever presses Ctrl+C means the first one, which ends them."""

Checked: TypeAlias = "tuple[int, str, str]"
"""What came of one file: the exit code, what belongs on standard output, and what on standard error."""
One: TypeAlias = Callable[[str], int]
"""Checks one file, and prints what it finds."""


def captured(one: One, name: str) -> Checked:
    """Check a file and print nothing."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = one(name)
    return code, out.getvalue(), err.getvalue()


def checked(wanted: argparse.Namespace, one: One) -> Generator[Checked, None, None]:
    """What comes of each of the wanted files, in their order, as it is known."""
    batches = [wanted.files[at : at + AT_ONCE] for at in range(0, len(wanted.files), AT_ONCE)]
    count = min(_processors(), len(batches), MOST)
    pool = _Pool(wanted, batches, count) if count > 1 else None
    try:
        for number, names in enumerate(batches):
            found = None if pool is None else pool.take(number)
            yield from (captured(one, name) for name in names) if found is None else found
    finally:
        if pool is not None:
            pool.close()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Pool:
    """Processes that check batches of files, each with a thread that waits for it."""

    def __init__(self, wanted: argparse.Namespace, batches: Sequence[list[str]], count: int) -> None:
        self._options = {key: value for key, value in vars(wanted).items() if key not in ("choice", "files")}
        self._batches = batches
        self._ahead = AHEAD * count
        self._found: dict[int, list[Checked] | None] = {}
        self._next = self._taken = 0
        self._changed = threading.Condition()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._running = count
        self._closed = False
        self._threads = [threading.Thread(target=self._serve, name="check", daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def take(self, number: int) -> list[Checked] | None:
        """What came of a batch, None where nobody has checked it; each is asked for once, in order."""
        with self._changed:
            self._taken = number
            self._changed.notify_all()
            while number not in self._found:
                if not self._running:
                    return None
                self._changed.wait()
            return self._found.pop(number)

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            for process in self._processes:
                process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                with contextlib.suppress(OSError):  # what a process that has ended did not read
                    pipe.close()

    def _serve(self) -> None:
        """Give batches to a process of its own until there are no more, or it has ended."""
        number = None
        try:
            process = self._start()
            while process is not None and (number := self._draw()) is not None:
                found = _asked(process, self._batches[number])
                with self._changed:
                    self._found[number] = found
                    self._changed.notify_all()
                number = None
        except (OSError, EOFError, ValueError, TypeError):
            pass
        finally:
            with self._changed:
                self._running -= 1
                if number is not None:
                    self._found[number] = None
                self._changed.notify_all()

    def _start(self) -> subprocess.Popen[bytes] | None:
        process = subprocess.Popen(
            [sys.executable, "-I", "-W", "ignore", "-c", CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        with self._changed:
            self._processes.append(process)
            if self._closed:
                process.kill()
                return None
        assert process.stdin is not None
        marshal.dump(sys.path, process.stdin)
        marshal.dump(self._options, process.stdin)
        return process

    def _draw(self) -> int | None:
        """The next batch, None where there is none; waits while many are not printed yet."""
        with self._changed:
            while not self._closed and self._next < len(self._batches) and self._next > self._taken + self._ahead:
                self._changed.wait()
            if self._closed or self._next >= len(self._batches):
                return None
            self._next += 1
            return self._next - 1


def _asked(process: subprocess.Popen[bytes], names: list[str]) -> list[Checked] | None:
    """What a process says of some files, None where it could not check them."""
    assert process.stdin is not None
    assert process.stdout is not None
    marshal.dump(names, process.stdin)
    process.stdin.flush()
    found: list[Checked] | None = marshal.load(process.stdout)
    return found


def work() -> None:
    """Check what is named on standard input, as one of the other processes, until that ends."""
    from viewer.cli.input import choice
    from viewer.cli.inspect import checker

    names, results = sys.stdin.buffer, sys.stdout.buffer
    wanted = argparse.Namespace(**marshal.load(names))
    wanted.choice = choice(wanted)
    one = checker(wanted)
    while True:
        try:
            batch = marshal.load(names)
        except EOFError:
            return
        try:
            found = [captured(one, name) for name in batch]
        except (MemoryError, OSError):
            found = None
        marshal.dump(found, results)
        results.flush()
