"""The lists of strangers: 60 kinds each, as bytes, by two people who had seen neither the doctor nor any other list.

One wrote down what authors of encoders do wrong, the other what machines and tools do to files; each with an encoder of
their own, made from a description of the format. A coin told which half of the kinds may be looked at (A) and which is
judged by its sums (B), before the doctor was asked about any of them. Of the fourth list seven kinds of B were looked
at, too, once these had been told; of the fifth none. What an offer must name to be true of a kind was written down by
somebody who had seen the kinds and the names of all causes, but no code. No number was fitted to any of B.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

PATHS = {name: Path(__file__).with_name(f"{name}.jsonl.gz") for name in ("fourth", "fifth")}


@cache
def held_back() -> frozenset[str]:
    """The kinds of the halves B: no number may be fitted to these."""
    lines = (line for path in PATHS.values() for line in gzip.decompress(path.read_bytes()).decode().splitlines())
    return frozenset(row["damage"] for row in map(json.loads, lines) if row["half"] == "B")
