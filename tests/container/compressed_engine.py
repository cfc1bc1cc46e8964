"""Ask the real Godot 3.2.3 to read and to write compressed files."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from engine import ENGINE, SCRIPTS

SECONDS = 60


def read(files: Sequence[bytes]) -> list[bytes | None]:
    """What ``open_compressed`` reads from each file; None where it refuses to open it."""
    return _ask([("read", data) for data in files])


def write(plain: Sequence[bytes], method: int) -> list[bytes | None]:
    """What ``open_compressed`` writes for each of some bytes."""
    return _ask([(f"write:{method}", data) for data in plain])


def fastlz(plain: Sequence[bytes]) -> list[bytes | None]:
    """What ``PoolByteArray.compress`` makes of each of some bytes, by FastLZ."""
    return _ask([("fastlz", data) for data in plain])


def _ask(jobs: Sequence[tuple[str, bytes]]) -> list[bytes | None]:
    with tempfile.TemporaryDirectory(prefix="engine-") as folder:
        project = Path(folder) / "project"
        shutil.copytree(SCRIPTS, project)
        for name in ("in", "out"):
            (project / name).mkdir()
        for number, (_, data) in enumerate(jobs):
            (project / "in" / str(number)).write_bytes(data)
        lines = [f"{number} {mode}\n" for number, (mode, _) in enumerate(jobs)]
        (project / "requests.txt").write_text("".join(lines), encoding="ascii")
        _run(project, folder)
        found = [project / "out" / str(number) for number in range(len(jobs))]
        return [path.read_bytes() if path.exists() else None for path in found]


def _run(project: Path, home: str) -> None:
    own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), home)
    subprocess.run(
        [ENGINE, "--no-window", "--path", str(project), "-s", "compressed.gd"],
        env={**os.environ, **own, "LANG": "en_US.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=SECONDS,
        check=True,
    )
