"""A child: time from a byte to its deepest node. Arguments: the file, how many batches."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from time import perf_counter

from bench.child import report
from bench.scanners import as_installed

BATCH = 200


def main() -> None:
    """Look random bytes up."""
    raw, choose = Path(sys.argv[1]).read_bytes(), random.Random(1)
    table = as_installed()(raw)
    ours = []
    for _ in range(int(sys.argv[2])):
        offsets = [choose.randrange(len(raw)) for _ in range(BATCH)]
        start = perf_counter()
        for offset in offsets:
            table.at(offset)
        ours.append((perf_counter() - start) / BATCH)
    report({"ours": ours, "nodes": [len(table)]})


if __name__ == "__main__":
    main()
