"""The command line: a file or nothing opens the window, a sub-command works in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from viewer.base.interrupts import ending_at_once

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program, see :func:`viewer.cli.program.main`; a window is on the screen before that is loaded."""
    from viewer.cli.screen import show_early

    with ending_at_once():
        show_early(sys.argv[1:] if argv is None else argv)
        from viewer.cli.program import main as run
    return run(argv)
