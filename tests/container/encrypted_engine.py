"""Ask the real Godot 3.2.3 to read and to write encrypted files."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from engine import ENGINE, SCRIPTS

SECONDS = 60


def carry_out(jobs: Sequence[tuple[str, bytes, bytes]]) -> list[bytes | None]:
    """What comes out of each job, None where the engine refuses it.

    Args:
        jobs: the mode (``key``, ``pass``, ``write-key``, ``write-pass``), the key or the password in UTF-8, the bytes.
    """
    with tempfile.TemporaryDirectory(prefix="engine-") as folder:
        project = Path(folder) / "project"
        shutil.copytree(SCRIPTS, project)
        for name in ("in", "out"):
            (project / name).mkdir()
        for number, (_, _, data) in enumerate(jobs):
            (project / "in" / str(number)).write_bytes(data)
        lines = [f"{number} {mode} {secret.hex()}\n" for number, (mode, secret, _) in enumerate(jobs)]
        (project / "requests.txt").write_text("".join(lines), encoding="ascii")
        own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), folder)
        subprocess.run(
            [ENGINE, "--no-window", "--path", str(project), "-s", "encrypted.gd"],
            env={**os.environ, **own, "LANG": "en_US.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=True,
        )
        found = [project / "out" / str(number) for number in range(len(jobs))]
        return [path.read_bytes() if path.exists() else None for path in found]
