"""Prove what is said of the converter, on all golden values and files of real engines, with real engines asked.

    python tools/convert_proofs.py [values|choices|files]

All values of Godot 3 go to Godot 4 and back: they are equal, or the report says what is lost. Godot 4 reads them, and
all files of Godot 3, encrypted ones with their keys, as the same values. Godot 2 goes to Godot 3, Pandemonium to both
and back, Godot 4 to Godot 3 with each choice that is offered for what Godot 3 lacks; ``godot3-server`` and Godot 4 read
the results. Ends with 1 where anything is another value and nothing says so.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import engine  # noqa: E402
import engine4  # noqa: E402
from document.export.conversions import (  # noqa: E402
    Carried,
    carried,
    carried_files,
    choices,
    file_fault,
    is_told_whole,
    lost_on_the_way,
    misread,
)

LARGEST = 1 << 17
SHOWN = 8
WAYS = (
    ("godot3", "godot4"),
    ("godot2", "godot3"),
    ("godot2", "godot4"),
    ("godot4", "godot3"),
    ("godot4.0", "godot3"),
    ("godot4-double", "godot3"),
    *((folder, line) for folder in ("pandemonium3.5", "pandemonium4", "pandemonium5") for line in ("godot3", "godot4")),
    *((folder, line) for folder in ("godot3", "godot4") for line in ("pandemonium3.5", "pandemonium4", "pandemonium5")),
)

CHOSEN = (("godot4", "godot3"), ("godot2", "godot3"), ("pandemonium5", "godot3"))


def dialect_of(folder: str) -> str:
    return "godot4" if folder == "godot4-double" else folder


def told(what: str, faults: list[str], tally: Counter[str]) -> bool:
    print(f"{what}: {dict(tally)}, {len(faults)} wrong", flush=True)
    for fault in faults[:SHOWN]:
        print(f"    {fault}")
    return not faults


def try_values(what: str, target: str, source: str, found: Iterable[Carried | str], godot: engine4.Godot) -> bool:
    tally: Counter[str] = Counter()
    faults, asked = [], list[Carried]()
    for one in found:
        if isinstance(one, str):
            tally["refused"] += 1
            continue
        tally.update(values=1, exact=one.is_exact)
        if source != "godot4-double" and (fault := lost_on_the_way(one, dialect_of(source), target)):
            faults.append(fault)
        if target in ("godot3", "godot4") and is_told_whole(one.after, one.data, target):
            asked.append(one)
    if asked and (target != "godot3" or engine.available()):
        faults += misread(asked, target, godot)
        tally["read by the engine"] = len(asked)
    return told(what, faults, tally)


def main() -> int:
    words = sys.argv[1:] or ["values", "choices", "files"]
    if not {*words} <= {"values", "choices", "files"}:
        print(__doc__)
        return 2
    is_good = True
    with engine4.Godot() as godot:
        for folder, target in WAYS if "values" in words else ():
            is_good &= try_values(f"{folder} -> {target}", target, folder, carried(folder, target), godot)
        for folder, target in CHOSEN if "choices" in words else ():
            for chosen in choices(folder, target):
                said = f"{folder} -> {target}, {next(iter(chosen.values())).value} for {len(chosen)} types"
                is_good &= try_values(said, target, folder, carried(folder, target, chosen), godot)
        if "files" in words:
            is_good &= try_files(godot)
    return int(not is_good)


def try_files(godot: engine4.Godot) -> bool:
    tally: Counter[str] = Counter()
    faults = []
    for one in carried_files(LARGEST):
        if isinstance(one, str):
            tally["refused"] += 1
            print(f"    refused: {one}")
            continue
        fault = file_fault(one, godot)
        encrypted = "encrypted" if one.secret is not None else "others"
        tally.update({"files": 1, encrypted: 1})
        faults += [fault] if fault else []
    return told("files of Godot 3 -> Godot 4 -> Godot 3", faults, tally)


if __name__ == "__main__":
    sys.exit(main())
