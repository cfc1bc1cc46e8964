"""``python -m viewer``: the same as ``variant-viewer``, and what both begin with."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from _thread import interrupt_main

from viewer.base.interrupts import STOPPED, ending_at_once, leave

SOON = 0.01
"""Seconds."""
MANY = 100_000
"""So many objects more than before may be garbage."""


def run() -> int:
    """Run the program as a process of its own; returns its exit code.

    Ctrl+C ends it with 130 and no traceback at any moment: at once while it is loaded, and by :func:`viewer.cli.main`
    from then on. Where a shell ignores Ctrl+C for it, as behind ``&``, so does the program.

    Garbage is looked for when there may be much of it: not while the program is loaded, where all that is made stays,
    nor when it ends, for what is left then goes with the process.
    """
    gc.set_threshold(MANY)
    with ending_at_once():
        from viewer.cli import main
    sys.unraisablehook = _unraisable
    code = main()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if code == STOPPED:
        leave()  # the interpreter would end by the signal where it came while a module was loaded
    gc.freeze()
    return code


def _unraisable(found: sys.UnraisableHookArgs) -> None:
    """Where Ctrl+C came while something was thrown away, which swallows it, let it come again."""
    if issubclass(found.exc_type, KeyboardInterrupt):
        threading.Timer(SOON, interrupt_main).start()
    else:
        sys.__unraisablehook__(found)


if __name__ == "__main__":
    sys.exit(run())
