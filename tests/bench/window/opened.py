"""A child: a large save, from choosing it in a running window to its painted tree, in processor time of all threads.
Argument: the file.

``first`` is the first painting of a tree that shows values, ``ours`` that of the tree of all values.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

from PySide6.QtCore import QTimer

from bench.child import report
from bench.window.stage import Stage
from bench.window.steps import SETTLING, until_read


def main() -> None:
    """Open the file once, as the menu does."""
    stage = Stage()
    stage.rest(SETTLING)
    first: list[float] = []

    def seen() -> None:
        if stage.tree.model().rowCount():
            QTimer.singleShot(0, lambda: first.append(process_time()))  # the painting itself comes first

    stage.tree_painted.begun.connect(seen)
    start = process_time()
    whole = until_read(stage, lambda: stage.window.open_path(Path(sys.argv[1])))
    report({"first": [first[0] - start], "ours": [whole]})


if __name__ == "__main__":
    main()
