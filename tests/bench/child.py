"""Measurements in a process of their own: a crash or a leak in one leaves the others alone.

A child is a module with ``main``; it prints one line of JSON last: series by name.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.setting import BenchError, Setting

TESTS = Path(__file__).resolve().parent.parent
OWN_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
PATIENCE = 600


def run(setting: Setting, module: str, *arguments: object) -> dict[str, list[float]]:
    """The series that a child gives; the same call again gives the same series.

    Args:
        setting: the run.
        module: the child's module below ``bench``.
        arguments: its arguments.

    Raises:
        BenchError: the child failed; the text is the last line that it wrote.
    """
    words = (module, *map(str, arguments))
    if words not in setting.done:
        setting.done[words] = run_anew(module, *arguments)
    return setting.done[words]


def run_anew(module: str, *arguments: object) -> dict[str, list[float]]:
    """The same, but the child runs every time.

    Raises:
        BenchError: as above.
    """
    return _series(_output((module, *map(str, arguments))))


def report(series: Mapping[str, Sequence[float]]) -> None:
    """Tell the parent, as a child's last act: the process ends here, so that no tidying up is waited for."""
    print(json.dumps({name: list(values) for name, values in series.items()}), flush=True)
    os._exit(0)


def _output(words: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        own = dict.fromkeys(OWN_FOLDERS, folder)
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, **own, "PYTHONPATH": str(TESTS)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each start compiles the program anew
        command = [sys.executable, "-m", f"bench.{words[0]}", *words[1:]]
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise BenchError(f"not done after {PATIENCE} seconds") from error
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise BenchError(lines[-1] if lines else f"the process ended with code {done.returncode}")
    return done.stdout


def _series(output: str) -> dict[str, list[float]]:
    lines = output.strip().splitlines()
    if not lines:
        raise BenchError("the process told nothing")
    found: dict[str, list[float]] = json.loads(lines[-1])
    return found
