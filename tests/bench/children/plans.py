"""A child: what a bulk edit or a replacing would do, for each row of the plan.

Arguments: ``bulk`` or ``replace``, the file, seconds for all rounds, and what the plan needs: the expression, or what
is looked for and what takes its place. ``memory`` is the peak of the first plan beyond what the open document takes.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from pathlib import Path

from bench.child import report
from bench.memory import forget_peak, peak, resident
from bench.rounds import repeated, seconds
from bench.setting import BenchError
from viewer.document import bulk
from viewer.document.document import Document
from viewer.document.searching.query import parse_query
from viewer.document.searching.replace import plan_replace
from viewer.document.searching.search import steps


def bulk_edit(document: Document, expression: str) -> int:
    """Plan it; how many values change."""
    return bulk.plan(document, expression).changes


def replacing(document: Document, wanted: str, new: str) -> int:
    """Search for all places and plan what becomes of them; how many change."""
    query = parse_query(wanted)
    spans = (hit.span for step in steps(document, query) for hit in step.hits)
    return plan_replace(document, spans, query, new).replaced


SMALL = struct.pack("<II", 2, 7)
PLANS: dict[str, Callable[..., int]] = {"bulk": bulk_edit, "replace": replacing}


def main() -> None:
    """Plan again and again."""
    plan, document, words = PLANS[sys.argv[1]], Document.open(Path(sys.argv[2])), sys.argv[4:]
    small = Document(SMALL)
    plan(small, *words)  # loads what is loaded once
    forget_peak()
    before = resident()
    rows = plan(document, *words)
    memory = peak() - before
    if not rows:
        raise BenchError("the plan has no rows")
    ours = repeated(lambda: seconds(lambda: plan(document, *words)) / rows, float(sys.argv[3]))
    report({"ours": ours, "memory": [memory], "rows": [rows]})


if __name__ == "__main__":
    main()
