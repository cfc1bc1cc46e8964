"""What is loaded before a person sees something: each module costs its share of a start, which all others add up to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import corpus
import pytest

LISTS = Path(__file__).parent / "loaded"
SAVE = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save")
TELL = "sys.stderr.write(chr(10).join(name for name in sys.modules if name.partition('.')[0] == 'viewer'))"
FIRST_ROW = f"""
import os, sys
from viewer import cli
from viewer.ui.tree.view import TreeView

def first(*arguments):
    {TELL}
    sys.stderr.flush()
    os._exit(0)

TreeView.drawRow = first
cli.main(sys.argv[1:])
"""
FIRST_FRAME = f"""
import os, sys
from viewer import cli
from viewer.ui.window.first_frame import FirstFrame

def painted(*arguments):
    {TELL}
    sys.stderr.flush()
    os._exit(0)

FirstFrame.paintEvent = painted
cli.main(sys.argv[1:])
"""
COMMAND = f"""
import sys
from viewer import cli

cli.main(sys.argv[1:])
{TELL}
"""
RUNS = {
    "frame": (FIRST_FRAME, [str(SAVE)]),
    "window": (FIRST_ROW, [str(SAVE)]),
    "get": (COMMAND, ["get", str(SAVE), "[0].player.name"]),
}
LIBRARIES = (
    *("dataclasses", "importlib.resources", "json", "hashlib", "tempfile", "asyncio", "logging", "difflib"),
    *("inspect", "ast", "dis"),
)
"""What takes milliseconds to load and is of no use to a sub-command that shows one value."""


@pytest.mark.parametrize("what", RUNS)
def test_a_module_is_loaded_early_only_if_it_is_listed(what: str) -> None:
    code, arguments = RUNS[what]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    loaded = {line for line in done.stderr.splitlines() if line.startswith("viewer")}
    file = LISTS / f"{what}.txt"
    listed = set(file.read_text(encoding="utf-8").split())
    assert sorted(loaded - listed) == [], (
        f"These are now loaded before the first thing is seen. Import them in the function that needs them; where the "
        f"first thing cannot be shown without them, add them to tests/{file.parent.name}/{file.name}."
    )
    assert sorted(listed - loaded) == [], f"These are loaded late now: take them out of {file.name}, so that it stays."


def test_the_first_frame_is_shown_without_what_reads_the_kept_profiles() -> None:
    code, arguments = RUNS["frame"]
    code = code.replace(TELL, "sys.stderr.write(' '.join(sys.modules))")
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert "viewer.ui.settings" in loaded
    assert "json" not in loaded


def test_one_value_is_shown_without_the_large_libraries() -> None:
    probe = "import sys; from viewer import cli; cli.main(sys.argv[1:]); sys.stderr.write(' '.join(sys.modules))"
    command = [sys.executable, "-c", probe, "get", str(SAVE), "[0].player.name"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(LIBRARIES) & set(done.stderr.split()) == set()


def test_a_dump_without_anything_to_guess_loads_nothing_that_guesses() -> None:
    probe = "import sys; from viewer import cli; cli.main(sys.argv[1:]); sys.stderr.write(' '.join(sys.modules))"
    command = [sys.executable, "-c", probe, "dump", "--json", str(SAVE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert {"hashlib", "viewer.document.edits.describing"} & set(done.stderr.split()) == set()


def test_classes_with_very_many_enums_are_not_made_before_the_first_row() -> None:
    tell = "from PySide6 import QtWidgets; sys.stderr.write(chr(10) + ' '.join(vars(QtWidgets)))"
    command = [sys.executable, "-c", FIRST_ROW.replace(TELL, tell), str(SAVE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    made = set(done.stderr.split())
    assert "QTreeView" in made
    assert {"QStyle", "QMessageBox", "QFileDialog"} & made == set()
