"""The fourth list: 60 kinds, as bytes, by two people who had seen neither the doctor nor any other list.

One wrote down what authors of encoders do wrong, the other what machines and tools do to files; each with an encoder of
their own, made from a description of the format. A coin told which half of the kinds may be looked at (A) and which is
judged by its sums (B), before the doctor was asked about any of them. Once these had been told, seven kinds of B were
looked at, too; no number was fitted to any of B.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

PATH = Path(__file__).with_name("fourth.jsonl.gz")


@cache
def held_back() -> frozenset[str]:
    """The kinds of half B: no number may be fitted to these."""
    rows = map(json.loads, gzip.decompress(PATH.read_bytes()).decode().splitlines())
    return frozenset(row["damage"] for row in rows if row["half"] == "B")
