"""The settings name a person's files: nobody else may read them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os
from pathlib import Path
from viewer.ui.window.app import make_application
from viewer.ui.settings import Settings
os.umask(0o022)
app = make_application()
settings = Settings()
print(oct(os.stat(settings._store.fileName()).st_mode & 0o777))
settings.add_recent(Path("diary.save"))
settings._store.sync()
print("diary" in Path(settings._store.fileName()).read_text())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system itself keeps the settings")
@pytest.mark.parametrize("loose", [False, True])
def test_the_settings_are_closed_before_and_after_they_are_written(tmp_path: Path, loose: bool) -> None:
    folder = tmp_path / "variant-viewer"
    path = folder / "variant-viewer.conf"
    if loose:
        folder.mkdir(mode=0o755)
        path.write_text("[window]\ntheme=dark\n")
        path.chmod(0o644)
    own = {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, **own}, capture_output=True, check=True)
    assert done.stdout.split() == [b"0o600", b"True"]
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, path)] == [0o700, 0o600]
    assert ("theme=dark" in path.read_text()) is loose
