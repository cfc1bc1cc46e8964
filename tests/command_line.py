"""Runs of the command line, in the test's own process or in another one: what they print, and how they end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from viewer.cli import main

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "resources" / "samples" / "godot3-rpg.save"
BROKEN = ROOT / "resources" / "samples" / "broken-packet.bin"
PROGRAM = (sys.executable, "-m", "viewer")


class Ran(NamedTuple):
    """The exit code of a run, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What it printed on stdout, by lines."""
        return self.out.splitlines()

    def failed_with(self, *words: str) -> bool:
        """Whether it ended with 2 and one line on stderr that has these words."""
        one_line = self.err.endswith("\n") and self.err.count("\n") == 1
        return (self.code, self.out, one_line) == (2, "", True) and all(word in self.err for word in words)


Run = Callable[..., Ran]
"""Runs the words of a command line."""


def runner(capfd: pytest.CaptureFixture[str]) -> Run:
    """What runs command lines and catches what they print."""

    def run(*words: object) -> Ran:
        code = main([str(word) for word in words])
        found = capfd.readouterr()
        return Ran(code, found.out, found.err)

    return run


def process(*words: object, raw: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a process of its own, without a display unless *environment* names one."""
    without = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    without.pop("QT_QPA_PLATFORM", None)
    env = {**without, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [*PROGRAM, *map(str, words)], input=raw, capture_output=True, env=env, timeout=60, check=False
    )
