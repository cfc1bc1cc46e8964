"""A child: time to ask for the colours of one viewport. Arguments: the file, seconds for all rounds."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from bench.child import report
from bench.rounds import repeated, seconds
from bench.window.stage import main_application
from viewer.document.document import Document
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.session import Session

BYTES = 60 * 32
VIEWPORTS = 100


def main() -> None:
    """Ask at the same random places in each round."""
    app = main_application()
    session = Session(app)
    session.show(Document.open(Path(sys.argv[1])))
    source, choose = DocumentSource(session), random.Random(2)
    places = [choose.randrange((source.size() - BYTES) // 32) * 32 for _ in range(VIEWPORTS)]

    def ask() -> None:
        for at in places:
            source.styles(at, at + BYTES)

    report({"ours": repeated(lambda: seconds(ask) / VIEWPORTS, float(sys.argv[2]))})


if __name__ == "__main__":
    main()
