"""Prove what is said of comparisons and merges on real files after random edits.

    python tools/compare_proofs.py pairs [COUNT] [SEED] [FOLDER]
    python tools/compare_proofs.py triples [COUNT] [SEED] [FOLDER]

``pairs`` edits a real file 1 to 30 times, writes it otherwise (another framing, wrap or engine line) and compares. The
rows must be the edits; what that means stands in ``tests/document/compare/edited_pairs.py``. Taking the new side, and
the script of the comparison done to the old file, must each give equal values. ``triples`` lets two sides edit a file:
the merge must have all edits of both, tell each value that both set, and nothing else. FOLDER has more files, below
folders called ``files``. Ends with 1 where a goal is missed: 98 % of the pairs, and every one taken, replayed and
merged.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from document.compare.edited_pairs import pairs, replayed, sources, taken_all, verdict  # noqa: E402
from document.compare.edited_triples import merge_fault, triples  # noqa: E402

from viewer.document.compare.difference_words import difference_line  # noqa: E402

GOAL = 0.98
SHOWN = 12
"""So many failures are printed."""
LARGEST = 1 << 21


def try_pairs(count: int, seed: int, files: list[Path]) -> bool:
    tally: Counter[str] = Counter()
    for pair in pairs(count, seed, files):
        wrong, found = verdict(pair)
        trouble = {"taken": taken_all(found), "replayed": replayed(found)}
        tally.update(pairs=1, edits=pair.edits, rows=len(found.changes), good=not wrong)
        tally.update({name: not said for name, said in trouble.items()})
        tally.update(wrong)
        if (wrong or any(trouble.values())) and tally["bad"] < SHOWN:
            tally["bad"] += 1
            print(pair.name, wrong, *trouble.values())
            print("   ", "\n    ".join(pair.notes))
            print("  > ", "\n  >  ".join(str(difference_line(found, row))[:160] for row in found.changes), flush=True)
    print(dict(tally))
    print(f"exactly the edits in {tally['good'] / tally['pairs']:.2%}; taken {tally['taken']}, replayed", end=" ")
    print(f"{tally['replayed']} of {tally['pairs']}")
    return tally["good"] >= GOAL * tally["pairs"] and tally["taken"] == tally["replayed"] == tally["pairs"]


def try_triples(count: int, seed: int, files: list[Path]) -> bool:
    tally: Counter[str] = Counter()
    for triple in triples(count, seed, files):
        fault = merge_fault(triple)
        tally.update(triples=1, edits=triple.edits, disputed=len(triple.disputed), good=not fault)
        if fault and tally["bad"] < SHOWN:
            tally["bad"] += 1
            print(triple.name, fault[:400], flush=True)
    print(dict(tally))
    return tally["good"] == tally["triples"]


def main(words: list[str]) -> int:
    if not words or words[0] not in ("pairs", "triples"):
        print(__doc__)
        return 2
    count = int(words[1]) if len(words) > 1 else {"pairs": 2000, "triples": 500}[words[0]]
    seed = int(words[2]) if len(words) > 2 else 0
    files = sources(Path(words[3]) if len(words) > 3 else None, LARGEST)
    print(f"{len(files)} files")
    return int(not (try_pairs if words[0] == "pairs" else try_triples)(count, seed, files))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
