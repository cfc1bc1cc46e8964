"""A child: open a file much larger than memory should hold and jump to its end. Argument: the file."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

from bench.child import report
from bench.memory import resident
from bench.window.stage import Stage

MEMORY = 4 << 30


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
    before, start = resident(), perf_counter()
    session = stage.window.session
    stage.until_painted(lambda: stage.window.open_path(Path(sys.argv[1])), stage.hex_painted)
    opened = perf_counter() - start
    document = session.document
    assert document is not None
    jump = stage.until_painted(lambda: session.go_to(len(document.buffer) - 1), stage.hex_painted)
    while session.waits:
        stage.rest(0.1)
    report({"open": [opened], "jump": [jump], "memory": [resident() - before]})


if __name__ == "__main__":
    main()
