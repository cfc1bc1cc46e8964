"""Measurements in a process of their own: a crash or a leak in one leaves the others alone.

A child is a module with ``main``; it prints one line of JSON last: series by name.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.setting import BenchError, Setting

TESTS = Path(__file__).resolve().parent.parent
OWN_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
PATIENCE = 120
Found = dict[str, list[float]]


def run(setting: Setting, module: str, *arguments: object) -> Found:
    """The series that a child gives; the same call again gives the same series.

    Args:
        setting: the run.
        module: the child's module below ``bench``.
        arguments: its arguments.

    Raises:
        BenchError: the child failed; the text is the last line that it wrote.
    """
    words = (module, *map(str, arguments))
    return setting.once(words, lambda: run_anew(*words))


def run_anew(module: str, *arguments: object) -> Found:
    """The same, but the child runs every time.

    Raises:
        BenchError: as above.
    """
    return series([sys.executable, "-m", f"bench.{module}", *map(str, arguments)])


def report(found: Mapping[str, Sequence[float]]) -> None:
    """Tell the parent, as a child's last act: the process ends here, so that no tidying up is waited for."""
    print(json.dumps({name: list(values) for name, values in found.items()}), flush=True)
    os._exit(0)


def series(command: Sequence[str]) -> Found:
    """What a command writes as its last line.

    Raises:
        BenchError: as above.
    """
    with own_environment() as environment:
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            said, complaint = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise BenchError(f"not done after {PATIENCE} seconds") from error
        finally:
            _end(process)
    if process.returncode:
        lines = complaint.strip().splitlines()
        raise BenchError(lines[-1] if lines else f"the process ended with code {process.returncode}")
    lines = said.strip().splitlines()
    if not lines:
        raise BenchError("the process told nothing")
    found: Found = json.loads(lines[-1])
    return found


def _end(process: subprocess.Popen[str]) -> None:
    """End a process that still runs, with those that it has begun."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@contextmanager
def own_environment() -> Iterator[dict[str, str]]:
    """No screen, no settings of anybody's, and the program compiled once, not at each start."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        own = dict.fromkeys(OWN_FOLDERS, folder)
        paths = os.pathsep.join((str(TESTS), str(TESTS.parent)))
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, **own, "PYTHONPATH": paths}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        yield environment
