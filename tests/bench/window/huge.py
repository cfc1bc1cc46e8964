"""A child: open a file much larger than memory should hold and jump to its end. Argument: the file.

``open`` and ``jump`` are processor time to the painted bytes, ``memory`` the peak above the empty window, until some
time after nothing is being read any more; there is none where reading takes too long.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic

from bench.child import report
from bench.memory import forget_peak, peak, resident
from bench.window.stage import Stage

MEMORY = 4 << 30
LONGEST, AFTERWARDS = 30.0, 2.0


def limit_memory() -> None:
    """Rather an error than a machine without memory; mapped files do not count."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def main() -> None:
    """Open, jump, and look how much memory it took."""
    limit_memory()
    stage = Stage()
    stage.rest(0.3)
    forget_peak()
    before, session = resident(), stage.window.session
    opened = stage.until_painted(lambda: stage.window.open_path(Path(sys.argv[1])), stage.hex_painted)
    document = session.document
    assert document is not None
    jump = stage.until_painted(lambda: session.go_to(len(document.buffer) - 1), stage.hex_painted)
    end = monotonic() + LONGEST
    while session.waits and monotonic() < end:
        stage.rest(0.1)
    stage.rest(AFTERWARDS)
    memory = [] if session.waits else [peak() - before]
    report({"open": [opened], "jump": [jump], "memory": memory})


if __name__ == "__main__":
    main()
