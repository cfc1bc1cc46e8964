"""Ctrl+C: ended at once where nothing can be left half done, held off where something would be."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

STOPPED = 130
"""The exit code of a program that Ctrl+C ends."""


def leave() -> None:
    """End the program as by Ctrl+C, without a word; what was printed is passed on."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    os._exit(STOPPED)


@contextlib.contextmanager
def ending_at_once(tidy: Callable[[], object] | None = None) -> Iterator[None]:
    """Let Ctrl+C end the program here without unwinding it: C++ that is being loaded or painting dies of an exception.

    Args:
        tidy: called before the end.
    """

    def end(*_: object) -> None:
        if tidy is not None:
            tidy()
        leave()

    with _handled(end):
        yield


@contextlib.contextmanager
def held_off() -> Iterator[None]:
    """Let Ctrl+C wait until this is done; where it fails, the failure is what is told."""
    came: list[object] = []
    with _handled(lambda *_: came.append(None)):
        yield
    if came:
        raise KeyboardInterrupt


@contextlib.contextmanager
def _handled(by: Callable[..., object]) -> Iterator[None]:
    """Have Ctrl+C handled otherwise, in the thread where Python handles it and where it is not ignored."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, by)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
