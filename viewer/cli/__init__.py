"""The command line: a file or nothing opens the window, a sub-command works in the terminal."""

from viewer.cli.program import main

__all__ = ["main"]
