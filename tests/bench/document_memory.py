"""A child: by how much the process grows with an opened document. Argument: the file."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.child import report
from bench.memory import resident
from viewer.document.document import Document


def main() -> None:
    """Open it once."""
    Document(b"\0\0\0\0")  # loads what is loaded once
    before = resident()
    document = Document.open(Path(sys.argv[1]))
    report({"growth": [resident() - before], "frames": [len(document.frames)]})


if __name__ == "__main__":
    main()
