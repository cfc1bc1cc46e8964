"""A child: time from opening a row of many children to its painting. Arguments: the file, how often."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.child import report
from bench.window.stage import Stage


def main() -> None:
    """Close and open the top row of the file."""
    stage = Stage()
    stage.open(Path(sys.argv[1]))
    stage.rest(0.5)
    tree = stage.tree
    top = tree.model().index(0, 0)
    ours = []
    for _ in range(int(sys.argv[2])):
        tree.collapse(top)
        stage.rest(0.05)
        ours.append(stage.until_painted(lambda: tree.expand(top), stage.tree_painted))
    report({"ours": ours})


if __name__ == "__main__":
    main()
