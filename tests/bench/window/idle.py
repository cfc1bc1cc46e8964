"""A child: share of a processor that the window takes when nobody does anything. Arguments: the file, seconds."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter, process_time

from PySide6.QtCore import QEventLoop, QTimer

from bench.child import report
from bench.window.stage import Stage

CALM = 0.01
LONGEST_WORK = 240.0


def share(seconds: float) -> float:
    """Sleep in the event loop and tell how busy the process was, 0 to 1."""
    loop, timer = QEventLoop(), QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(loop.quit)
    timer.start(round(seconds * 1000))
    clock, busy = perf_counter(), process_time()
    loop.exec()
    return (process_time() - busy) / (perf_counter() - clock)


def main() -> None:
    """Wait until what follows the opening is done, then measure."""
    stage = Stage()
    stage.open(Path(sys.argv[1]))
    since = perf_counter()
    while share(1.0) > CALM and perf_counter() - since < LONGEST_WORK:
        pass
    report({"ours": [100 * share(float(sys.argv[2]))]})


if __name__ == "__main__":
    main()
