"""Measure the first start after a boot and the second one, each without a file and with one, on the clock.

    python tools/first_start.py [FILE]

For a first start the files of Python, Qt and the program are dropped from the page cache, as far as no other process
has them mapped; so it is about that of a system that has just started. Each is told with three moments: the first
frame of the window, the first painted rows of the file, the whole window.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import time

ROOT = Path(__file__).resolve().parent.parent
SAVE = ROOT / "tests" / "data" / "godot3" / "files" / "rpg.save"
ROUNDS = 5
PATIENCE = 120
FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
CHILD = """
import gc, json, os, sys
from time import process_time, time

gc.disable()  # as the program does
from viewer import cli
from bench.window.start import once, watch_tree, watch_windows

moments = {}

def tell(name):
    moments.setdefault(name, (time() - float(sys.argv[1]), process_time()))
    if name == "window":
        print(json.dumps(moments), flush=True)
        os._exit(0)

def opened(event, arguments):
    if event == "open" and sys.argv[2:] and arguments[0] == sys.argv[2]:
        watch_tree(tell)

def whole(frame):
    reveal(frame)
    once(lambda: tell("window"))()

watch_windows(tell)
sys.addaudithook(opened)
from viewer.ui.window.split_window import SplitWindow

reveal, SplitWindow.reveal = SplitWindow.reveal, whole
cli.main(sys.argv[2:])
"""


def main() -> None:
    """Measure, and write a table; the smallest of a few rounds counts."""
    save = Path(sys.argv[1]) if sys.argv[1:] else SAVE
    print(f"{'':24}{'first frame':>20}{'first rows':>20}{'whole window':>20}")
    for what, words in (("without a file", []), (f"with {save.name}", [str(save)])):
        for name, is_first in (("first", True), ("second", False)):
            found = [started(words, is_first) for _ in range(ROUNDS)]
            cells = (_cell(found, moment) for moment in ("frame", "row", "window"))
            print(f"{name + ' ' + what:24}" + "".join(f"{cell:>20}" for cell in cells))
    print("Milliseconds on the clock, and of processor time.")


def _cell(found: list[dict[str, list[float]]], moment: str) -> str:
    if moment not in found[0]:
        return "-"
    clock, busy = (min(each[moment][k] for each in found) for k in (0, 1))
    return f"{1000 * clock:.0f} / {1000 * busy:.0f}"


def started(words: list[str], is_first: bool) -> dict[str, list[float]]:
    """Start the program once, with settings of its own; when the moments of its start came."""
    with tempfile.TemporaryDirectory(prefix="first-start-") as folder:
        paths = os.pathsep.join((str(ROOT / "tests"), str(ROOT)))
        own = {**dict.fromkeys(FOLDERS, folder), "PYTHONPATH": paths}
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, **own}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a program that is installed is compiled once
        if is_first:
            for path in _files():
                _drop(path)
        command = [sys.executable, "-c", CHILD, str(time()), *words]
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, timeout=PATIENCE, check=True, cwd=ROOT
        )
    moments: dict[str, list[float]] = json.loads(done.stdout.splitlines()[-1])
    return moments


def _files() -> Iterator[Path]:
    for folder in {Path(sys.prefix), Path(sys.base_prefix), ROOT / "viewer", ROOT / "resources"}:
        yield from (path for path in folder.rglob("*") if path.is_file())


def _drop(path: Path) -> None:
    """Have the system forget a file; what it has not written yet stays."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(handle)


if __name__ == "__main__":
    main()
