"""``python tests/bench``: run the benchmarks from a checkout."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    runpy.run_module("bench.run", run_name="__main__")
