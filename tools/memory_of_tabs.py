"""Open and close a save of 1 MB many times in one window, and say how much memory stays behind.

    python tools/memory_of_tabs.py [TIMES] [MEBIBYTES]

It ends with 1 where more than MEBIBYTES (10) came to stay after a twentieth of the TIMES (500) had warmed it up. Linux
only: it reads VmRSS. Nothing of the person's own is read or written: all folders are temporary ones.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from pathlib import Path

SAVE = Path(__file__).parents[1] / "tests" / "data" / "godot3" / "files" / "medium_1mb.save"
FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


def resident() -> float:
    """MiB that are in memory now."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def run(times: int, allowed: float, folder: Path) -> int:
    """Open and close; the exit code."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from viewer.ui.look.theme import ThemeController
    from viewer.ui.window.main_window import MainWindow

    app = QApplication(["memory", "-style", "fusion"])
    window = MainWindow(None, ThemeController(app, "light"))
    window.resize(1200, 800)
    window.show()
    path = folder / SAVE.name
    path.write_bytes(SAVE.read_bytes())
    warm, before = max(1, times // 20), 0.0
    for step in range(1, times + warm + 1):
        window.open_path(path)
        while window.session.waits:
            QTest.qWait(5)
        window.settle()
        window._actions["close"].trigger()
        QTest.qWait(1)  # unlike processEvents() it deletes what is to be deleted later
        if step == warm:
            before = resident()
        if step % max(1, times // 10) == 0:
            print(f"{step:6} {resident():8.1f} MiB, {len(gc.get_objects())} objects", flush=True)
    stays = resident() - before
    print(f"{stays:.1f} MiB came to stay in {times} openings and closings")
    window.close()
    return int(stays > allowed)


def main() -> int:
    """Run it in folders of its own."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    allowed = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        for name in FOLDERS:
            os.environ[name] = folder
        return run(times, allowed, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
