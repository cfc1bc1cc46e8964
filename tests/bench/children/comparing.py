"""A child: what it costs to compare two saves with 1,000 changes. Arguments: bytes of each, bytes in JSON form.

Beside it what ``cmp -l`` takes for the same two files, and a library for structural diffs (``deepdiff``, where it is
installed) for the same kind of save in JSON form, as far as it can be waited for.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from bench.child import report
from bench.memory import forget_peak, peak, resident
from viewer.document.compare.comparing import compare
from viewer.document.document import Document
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, Value

CHANGED, REMOVED, ADDED = 800, 100, 100
ROUNDS = 3
Item = dict[str, object]


def item(number: int, health: int) -> Item:
    """One entry of a list as games keep it."""
    return {"id": number, "name": f"item {number % 2000}", "hp": health, "place": number / 2, "tags": ["a", "b"]}


def changed(items: list[Item], share: float) -> list[Item]:
    """The list after changes in all of it."""
    dice, new = random.Random(24), list(items)
    for number in dice.sample(range(len(new)), max(1, int(CHANGED * share))):
        new[number] = item(number, dice.randrange(10, 10_000))
    for number in sorted(dice.sample(range(len(new)), max(1, int(REMOVED * share))), reverse=True):
        del new[number]
    for number in sorted(dice.sample(range(len(new)), max(1, int(ADDED * share))), reverse=True):
        new.insert(number, item(10_000_000 + number, 7))
    return new


def value(data: object) -> Value:
    """Plain data as a value; it nests but little."""
    if isinstance(data, dict):
        return Value("Dictionary", Dictionary(tuple((Value("String", key), value(held)) for key, held in data.items())))
    if isinstance(data, list):
        return Value("Array", Array(tuple(map(value, data))))
    return Value({int: "int", float: "float", str: "String"}[type(data)], data)  # type: ignore[arg-type]


def save(items: list[Item]) -> bytes:
    """A save with the list in it."""
    line = load("godot4")
    head = encode(value([]), line)
    return head[:4] + len(items).to_bytes(4, "little") + b"".join(encode(value(each), line) for each in items)


def fastest(work: Callable[[], object]) -> float:
    """Seconds of processor time, the least of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


def byte_diff(old: Path, new: Path) -> float:
    """Seconds of processor time of ``cmp -l``; it stops at the first byte where nobody takes its lines."""
    before = os.times()
    with Path(old.parent, "lines").open("wb") as lines:
        subprocess.run(["cmp", "-l", old, new], stdout=lines, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Compare."""
    size, small = int(sys.argv[1]), int(sys.argv[2])
    each = len(save([item(1_000, 5)])) - 8
    items = [item(number, 5) for number in range(size // each)]
    old, new = save(items), save(changed(items, 1))
    compare(Document(old[:8] + b"\0"), Document(new[:8] + b"\0"))  # loads what is loaded once
    documents = Document(old), Document(new)
    nodes = sum(len(frame.table) for document in documents for frame in document.frames)
    forget_peak()
    before = resident()
    rows = len(compare(*documents).rows)
    memory = (peak() - before) / nodes
    found = {"ours": [fastest(lambda: compare(*documents))], "memory": [memory], "rows": [float(rows)]}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        paths = Path(folder, "old"), Path(folder, "new")
        for path, raw in zip(paths, (old, new), strict=True):
            path.write_bytes(raw)
        found["cmp"] = [byte_diff(*paths)]
    few = items[: small // len(json.dumps(items[0]))]
    texts = [json.dumps(each) for each in (few, changed(few, len(few) / len(items)))]
    found["json_ours"] = [fastest(lambda: compare(Document(texts[0].encode()), Document(texts[1].encode())))]
    try:
        library = importlib.import_module("deepdiff")
        start = process_time()
        library.DeepDiff(*map(json.loads, texts), ignore_order=False)
        found["json"] = [process_time() - start]
    except ImportError:
        found["json"] = []
    report(found)


if __name__ == "__main__":
    main()
