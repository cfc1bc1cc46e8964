"""A child: by how much the process grows with the table of one file. Argument: the file."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.child import report
from bench.memory import resident
from bench.scanners import as_installed


def main() -> None:
    """Scan once."""
    raw, scan = Path(sys.argv[1]).read_bytes(), as_installed()
    scan(raw[:4] + bytes(4))  # loads what is loaded once
    before = resident()
    table = scan(raw)
    report({"growth": [resident() - before], "nodes": [len(table)]})


if __name__ == "__main__":
    main()
