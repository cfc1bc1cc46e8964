"""A child: a large save, from choosing it in a running window to its painted tree. Argument: the file."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.child import report
from bench.window.stage import Stage
from bench.window.steps import SETTLING, until_read


def main() -> None:
    """Open the file once, as the menu does."""
    stage = Stage()
    stage.rest(SETTLING)
    report({"ours": [until_read(stage, lambda: stage.window.open_path(Path(sys.argv[1])))]})


if __name__ == "__main__":
    main()
