"""A child: processor time from opening a row of many children to its painting. Argument: the file."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.child import report
from bench.window.stage import Stage


def main() -> None:
    """Close and open the top row of the file, which is the second time that it is opened."""
    stage = Stage()
    stage.open(Path(sys.argv[1]))
    stage.rest(0.5)
    tree = stage.tree
    top = tree.model().index(0, 0)
    tree.collapse(top)
    stage.rest(0.1)
    report({"seconds": [stage.until_painted(lambda: tree.expand(top), stage.tree_painted)]})


if __name__ == "__main__":
    main()
