"""A child: time to ask for the colours of one viewport. Arguments: the file, how many viewports."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from time import perf_counter

from bench.child import report
from bench.window.stage import main_application
from viewer.document.document import Document
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.session import Session

BYTES = 60 * 32


def main() -> None:
    """Ask at random places, each of them new."""
    app = main_application()
    session = Session(app)
    session.show(Document.open(Path(sys.argv[1])))
    source, choose = DocumentSource(session), random.Random(2)
    ours = []
    for _ in range(int(sys.argv[2])):
        at = choose.randrange((source.size() - BYTES) // 32) * 32
        start = perf_counter()
        source.styles(at, at + BYTES)
        ours.append(perf_counter() - start)
    report({"ours": ours})


if __name__ == "__main__":
    main()
