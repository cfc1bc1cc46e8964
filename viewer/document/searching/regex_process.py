"""Regular expressions over many texts, in a process of its own.

An expression may take longer than the universe at a text of thirty letters, and nothing can interrupt it inside this
program. A second process can be ended: it gets the texts in a batch, writes what it finds text by text, and is ended
when nothing comes for a while. The text that it was at is left out, and the rest goes to another process.

Texts and matches go through pipes and never lie in a file: a save may be encrypted, and a temporary file would keep its
texts on the disk where everybody finds them.
"""

from __future__ import annotations

import contextlib
import io
import marshal
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import IO

from viewer.base.record import dataclass
from viewer.document.searching.query import SearchError

CHILD = """
import marshal, os, re, signal, sys
parent = int(sys.argv[1])
if hasattr(signal, "setitimer"):
    signal.signal(signal.SIGALRM, lambda *_: os.getppid() == parent or os._exit(1))
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
else:
    import faulthandler
    faulthandler.dump_traceback_later(600, exit=True, file=open(os.devnull, "w"))
pattern, flags, template, most, texts = marshal.load(sys.stdin.buffer)
out, find = sys.stdout.buffer, re.compile(pattern, flags)
marshal.dump(None, out)
out.flush()
for text in texts:
    found = []
    for match in find.finditer(text):
        if match.end() > match.start():
            found.append((match.start(), match.end(), "" if template is None else match.expand(template)))
            if len(found) >= most:
                break
    marshal.dump(found, out)
    out.flush()
"""
"""What the other process runs; it knows nothing of this program.

It ends when the process that started it is gone, also in the middle of an expression that would never end; where the
system has no timer for that, after ten minutes.
"""
IGNORE_CASE = 2
"""``re.IGNORECASE`` as a plain number, for the other process."""
PATIENCE = 0.5
"""Seconds that one text may take."""
START = 10.0
"""Seconds that the process may take to start, on a machine that has much else to do."""
POLL = 0.003
"""Seconds between two looks whether there is more."""
TOO_SLOW = "This expression takes too long at too many texts: write a simpler one."
PIECE = 1 << 16
"""Bytes that are taken out of a pipe at once."""
MOST_MATCHES = 1 << 16
"""So many matches of one text are told."""


Given = tuple[str, int, str | None, int, list[str]]


class RegexError(SearchError):
    """The expression could not be run at all; the text says why."""


@dataclass(frozen=True, slots=True)
class RegexMatch:
    """Where an expression fits, counted in signs of the text, and what the template makes of it."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Expression:
    """What is run.

    Args:
        pattern: the regular expression.
        case_sensitive: whether letters must match exactly.
        template: what to make of every match, with ``\\1`` for a group; None to make nothing.
    """

    pattern: str
    case_sensitive: bool = False
    template: str | None = None


def matches(
    expression: Expression, texts: Sequence[str], patience: float = PATIENCE
) -> Iterator[list[RegexMatch] | None]:
    """The matches in each of the texts, None for one that took too long. Matches of nothing are left out.

    Stands still until all are done; :class:`Batch` does not.

    Raises:
        RegexError: it could not be run.
    """
    batch = Batch(expression, texts, patience)
    try:
        while not batch.poll():
            time.sleep(POLL)
    finally:
        batch.close()
    yield from batch.found


class Batch:
    """Texts at which an expression is run.

    Attributes:
        found: the matches in each text that is done, None for one that took too long.
        slow: how many took too long.

    Args:
        expression: what is run.
        texts: where.
        patience: seconds that one text may take.
    """

    def __init__(self, expression: Expression, texts: Sequence[str], patience: float = PATIENCE) -> None:
        self._expression = expression
        self._texts = texts
        self._patience = patience
        self.found: list[list[RegexMatch] | None] = []
        self.slow = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._pipes: _Pipes | None = None
        self._size = 0
        self._since = 0.0

    def poll(self) -> bool:
        """Whether all texts are done; starts and ends processes, and never waits for one.

        Raises:
            RegexError: the expression could not be run.
        """
        if len(self.found) == len(self._texts):
            return True
        if self._process is None:
            self._start()
            return False
        assert self._pipes is not None
        size = self._pipes.size
        if size != self._size:
            self._size, self._since = size, time.monotonic()
        ended = self._process.poll() is not None
        late = time.monotonic() - self._since > (self._patience if self._size else START)
        if ended or late:
            self._take(late and not ended)
        return len(self.found) == len(self._texts)

    def close(self) -> None:
        """End what still runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._pipes is not None:
            self._pipes.close()
            self._pipes = None

    def _start(self) -> None:
        said = self._expression
        flags = 0 if said.case_sensitive else IGNORE_CASE
        rest = list(self._texts[len(self.found) :])
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-W", "ignore", "-c", CHILD, str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise RegexError("Regular expressions need a second process, and it could not be started.") from error
        self._pipes = _Pipes(self._process, (said.pattern, flags, said.template, MOST_MATCHES, rest))
        self._size, self._since = 0, time.monotonic()

    def _take(self, late: bool) -> None:
        """Take what the process wrote, and leave the text out that it was at."""
        assert self._process is not None
        assert self._pipes is not None
        self._process.kill()
        self._process.wait()
        self._pipes.close()
        found = list(_read(io.BytesIO(self._pipes.written)))
        self.close()
        if not found:
            raise RegexError("This regular expression could not be run: write it in another way.")
        self.found.extend(found[1:])
        if len(self.found) < len(self._texts):
            if not late:
                raise RegexError("This regular expression or what it is replaced with could not be used.")
            self.found.append(None)
            self.slow += 1


class _Pipes:
    """What a process is given and what it writes, while nobody waits for either.

    Args:
        process: with pipes as its standard input and output.
        given: what it reads, as a whole.
    """

    def __init__(self, process: subprocess.Popen[bytes], given: Given) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._into, self._out = process.stdin, process.stdout
        self._pieces: list[bytes] = []
        self._threads = [
            threading.Thread(target=self._give, args=(given,), name="regex-in", daemon=True),
            threading.Thread(target=self._collect, name="regex-out", daemon=True),
        ]
        self.size = 0
        for thread in self._threads:
            thread.start()

    @property
    def written(self) -> bytes:
        """What the process has written so far; all of it behind :meth:`close`."""
        return b"".join(self._pieces)

    def close(self) -> None:
        """Wait for what is left in the pipes of a process that has ended."""
        for thread in self._threads:
            thread.join()
        with contextlib.suppress(OSError):
            self._into.close()
        self._out.close()

    def _give(self, given: Given) -> None:
        with contextlib.suppress(OSError, ValueError):  # it was ended before it had read all
            marshal.dump(given, self._into)
            self._into.close()

    def _collect(self) -> None:
        while piece := os.read(self._out.fileno(), PIECE):
            self._pieces.append(piece)
            self.size += len(piece)


def _read(out: IO[bytes]) -> Iterator[list[RegexMatch]]:
    """What the process wrote as a whole; its first sign of life is an empty list."""
    while True:
        try:
            found = marshal.load(out)
        except (EOFError, ValueError, TypeError):
            return
        yield [RegexMatch(*match) for match in found or ()]
