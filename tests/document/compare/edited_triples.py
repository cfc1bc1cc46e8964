"""A real file and what two sides made of it, with what a merge should come to.

``python tools/compare_proofs.py triples 500`` tries as many and prints the shares.

The sides edit different values, and no list or dictionary gets other rows from both; but for some values that both
set, each to its own: these are the conflicts, and no others are. The merged file must then have all edits, with ours
in them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from document.compare.edited_pairs import EditedPair, PairMaker, sources

from viewer.document.compare.comparing import compare
from viewer.document.compare.difference_words import difference_line
from viewer.document.compare.merging import merge
from viewer.document.document import Document
from viewer.document.path import format_path
from viewer.variant.table import NONE


@dataclass
class EditedTriple:
    """A base, both sides, what they should come to, and the paths of what both set."""

    name: str
    base: Document
    ours: Document
    theirs: Document
    both: Document
    disputed: set[str]
    edits: int


def made(path: Path, seed: int) -> EditedTriple | None:
    """A triple of a file; None where nothing could be edited."""
    maker, raw = PairMaker(path, seed), path.read_bytes()
    dice = random.Random(seed)
    documents = {name: Document(raw, name=name) for name in ("ours", "theirs", "both")}
    told = {name: EditedPair(name, maker.old, document) for name, document in documents.items()}
    disputed: set[str] = set()
    for offset in maker.targets(dice.choice((2, 4, 8, 16, 30))):
        item = maker.item(maker.old, offset)
        table = maker.old.frames[item.frame].table
        parent = table.parent[item.node] if item.node else NONE
        names = ("ours", "theirs") if parent % 2 else ("theirs", "ours")
        is_disputed = dice.random() < 0.15 and not table.child_count(item.node)
        is_disputed &= parent != NONE and table.has_pairs(parent)
        done = {}
        for name in ("ours", "theirs") if is_disputed else names[:1]:
            for target in (name, "both") if name == "ours" or not is_disputed else (name,):
                maker.dice, maker.new = random.Random(f"{seed} {offset} {name}"), documents[target]
                edits = told[target].edits
                maker.change(offset, told[target], "set" if is_disputed else "")
                done[target] = told[target].edits > edits
        if is_disputed and done.get("ours") and done.get("theirs"):
            disputed.add(format_path(maker.old, item))
        elif is_disputed and done.get("theirs"):
            return None
    count = told["ours"].edits + told["theirs"].edits
    return EditedTriple(maker.name, maker.old, *documents.values(), disputed, count) if count else None


def merge_fault(triple: EditedTriple) -> str:
    """What is wrong with the merge of a triple; nothing where it is as it should be."""
    same = {
        format_path(found.old, row.old)
        for found in (compare(triple.ours, triple.theirs),)
        for row in found.changes
        if row.old is not None
    }
    found = merge(triple.base, triple.ours, triple.theirs)
    ours = triple.ours
    ours.apply(found.edit)
    again = compare(ours, triple.both)
    conflicts = {conflict.path for conflict in found.conflicts}
    if again.changes:
        return f"lost or wrong: {difference_line(again, again.changes[0])}"
    if conflicts - triple.disputed:
        return f"needless: {found.conflicts[0]}"
    if any(path in same for path in triple.disputed - conflicts):
        return f"untold: {sorted(triple.disputed - conflicts)}"
    return ""


def triples(count: int, seed: int, files: list[Path] | None = None) -> Iterator[EditedTriple]:
    files = files or sources()
    for number in range(count):
        found = made(files[number % len(files)], seed + number)
        if found is not None:
            yield found
