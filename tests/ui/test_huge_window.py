"""Files of 1 GiB in the window: what opening them and jumping to their ends takes of the memory."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

SIZE = 1 << 30
MOST_MEMORY = 100 << 10
"""KiB above the empty window."""
CHILD = """
import sys
from pathlib import Path
from bench.window.stage import Stage

def peak():
    line = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return int(line.split()[1])

stage = Stage()
stage.rest(0.3)
before, session = peak(), stage.window.session
for name in sys.argv[1:]:
    stage.until_painted(lambda: stage.window.open_path(Path(name)), stage.hex_painted)
    while session.waits:
        stage.rest(0.1)
    session.go_to(len(session.document.buffer) - 1)
    stage.rest(0.3)
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory a process had at most")
def test_huge_files_take_little_memory_in_the_window(tmp_path: Path) -> None:
    heads = {
        "bytes": struct.pack("<II", 20, SIZE),
        "reals": struct.pack("<II", 22, SIZE // 4),
        "broken": struct.pack("<II", 29, SIZE + 4),
        "text": struct.pack("<II", 4, SIZE),
        "stored": struct.pack("<III", SIZE + 8, 20, SIZE + 8),
    }
    files = []
    for name, head in heads.items():
        path = tmp_path / name
        with path.open("wb") as file:
            file.write(head)
            file.truncate(len(head) + SIZE)
        if path.stat().st_blocks * 512 > 1 << 24:
            pytest.skip("this file system has no sparse files")
        files.append(str(path))
    tests = Path(__file__).parents[1]
    env = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join((str(tests.parent), str(tests))),
    }
    found = subprocess.run(
        [sys.executable, "-c", CHILD, *files], capture_output=True, text=True, env=env, cwd=tmp_path, check=False
    )
    assert found.returncode == 0, found.stderr[-500:]
    assert int(found.stdout) < MOST_MEMORY
