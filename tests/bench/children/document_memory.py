"""A child: by how much the process grows while a file is opened, at most. Argument: the file."""

from __future__ import annotations

import sys
from pathlib import Path

from corpus import DATA

from bench.child import report
from bench.memory import forget_peak, peak, resident
from viewer.document.document import Document


def main() -> None:
    """Open once."""
    Document.open(DATA / "resources" / "godot3" / "sub_shared.res")  # loads what is loaded once
    forget_peak()
    before, path = resident(), Path(sys.argv[1])
    document = Document.open(path)
    report({"growth": [peak() - before], "size": [path.stat().st_size], "values": [len(document.frames)]})


if __name__ == "__main__":
    main()
