"""Ctrl+C at any moment: exit code 130, no traceback, and no file left half written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import BROKEN, ROOT, SAMPLE

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl+C there")

LINE = b"variant-viewer: Stopped by Ctrl+C before it was done.\n"
PROGRAM = """
import os, signal, sys, time, weakref
import viewer.document.export.findings_export
place, argv = sys.argv[1], sys.argv[2:]
done = []
def interrupt():
    if not done:
        done.append(place)
        os.kill(os.getpid(), signal.SIGINT)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == place:
            interrupt()
            time.sleep(0)
        return None
def interrupting(function):
    def wrapped(*arguments, **named):
        interrupt()
        return function(*arguments, **named)
    return wrapped
if place.startswith("os."):
    setattr(os, place[3:], interrupting(getattr(os, place[3:])))
elif place == "finalizer":
    class Thing: pass
    import viewer.cli.inspect as commands
    def find(wanted):
        thing = Thing()
        weakref.finalize(thing, lambda: (interrupt(), [0 for _ in range(1000)]))
        del thing
        while True:
            time.sleep(0.001)
    commands.COMMANDS["find"] = find
else:
    sys.modules.pop(place, None)
    sys.meta_path.insert(0, Finder())
sys.argv = ["variant-viewer", *argv]
from viewer.__main__ import run
sys.exit(run())
"""
"""Runs the program, and sends it Ctrl+C when it loads a module, calls a function of the system, or throws away."""


def interrupted(place: str, *words: object) -> subprocess.CompletedProcess[bytes]:
    """How the program ends when Ctrl+C comes at a place."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", PROGRAM, place, *map(str, words)]
    return subprocess.run(command, capture_output=True, env=env, timeout=60, check=False)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("viewer.cli.program", ("check", SAMPLE)),
        ("viewer.cli.arguments", ("dump", SAMPLE)),
        ("viewer.cli.inspect", ("check", SAMPLE)),
        ("viewer.cli.diagnosis", ("report", SAMPLE)),
        ("viewer.document.doctor.likely", ("check", BROKEN)),
        ("viewer.document.doctor.diagnose", ("doctor", BROKEN)),
        ("finalizer", ("find", SAMPLE, "text: x")),
    ],
)
def test_it_ends_with_130_and_a_line_at_most(place: str, words: tuple[object, ...]) -> None:
    ran = interrupted(place, *words)
    assert ran.returncode == 130, ran.stderr.decode()
    assert ran.stderr in (b"", LINE)


@pytest.mark.parametrize("place", ["PySide6.QtCore", "viewer.ui.window.main_window", "viewer.ui.hex.view"])
def test_a_picture_is_given_up_without_a_crash(tmp_path: Path, place: str) -> None:
    pytest.importorskip("PySide6")
    ran = interrupted(place, "shot", SAMPLE, "-o", tmp_path / "out.png")
    assert (ran.returncode, ran.stderr) == (130, b"")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["os.fdopen", "os.fsync", "os.replace"])
@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "beside"])
def test_what_is_written_is_old_or_new_but_never_half(tmp_path: Path, place: str, in_place: bool) -> None:
    source, out = tmp_path / "save", tmp_path / "save" if in_place else tmp_path / "out"
    before = SAMPLE.read_bytes()
    source.write_bytes(before)
    words = () if in_place else ("-o", out)
    assert interrupted("nothing", "set", source, "[0].game", '"other"', "-o", tmp_path / "new").returncode == 0
    after = (tmp_path / "new").read_bytes()
    (tmp_path / "new").unlink()
    ran = interrupted(place, "set", source, "[0].game", '"other"', *words)
    assert ran.returncode == 130, ran.stderr.decode()
    assert ran.stderr == LINE
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    is_there = place == "os.replace"
    assert left.pop(out.name, before) == (after if is_there else before)
    assert all(data == before for data in left.values())
    assert set(left) <= {"save", "save.bak"}
