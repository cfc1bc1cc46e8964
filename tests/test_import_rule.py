"""The terminal half of the program starts without Qt."""

from __future__ import annotations

import subprocess
import sys

PROBE = "import sys, viewer.cli; sys.exit(bool({'PySide6', 'shiboken6'} & sys.modules.keys()))"


def test_importing_the_command_line_loads_no_qt() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
