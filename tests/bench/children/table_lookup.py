"""A child: time from a byte to its deepest node. Arguments: the file, seconds for all rounds."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from bench.child import report
from bench.rounds import repeated, seconds
from bench.scanners import as_installed

BATCH = 2000


def main() -> None:
    """Look the same random bytes up in each round."""
    raw, choose = Path(sys.argv[1]).read_bytes(), random.Random(1)
    table = as_installed()(raw)
    offsets = [choose.randrange(len(raw)) for _ in range(BATCH)]

    def look() -> None:
        for offset in offsets:
            table.at(offset)

    report({"ours": repeated(lambda: seconds(look) / BATCH, float(sys.argv[2]))})


if __name__ == "__main__":
    main()
