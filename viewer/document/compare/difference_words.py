"""A difference in words: its path, what stood there, what stands there, and by how much it differs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from viewer.base.record import dataclass
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, ValueDifference, counted_kinds
from viewer.document.compare.sequence_alignment import matched
from viewer.document.document import Document
from viewer.document.outline import exists, span
from viewer.document.path import format_path
from viewer.variant import items
from viewer.variant.items import Item
from viewer.variant.literal.preview import LIMIT, part_text, text
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

FEW_ELEMENTS = 8
"""So many elements of a run are shown."""
RENAMED, OF_KEY = "renamed", "key"
"""What a value is called that only got another key, and what is said about its row."""
LONG_TEXT = 40
"""Texts of more letters are compared word by word."""
MOST_WORDS = 1 << 14
DELTA_DIGITS = 12
WORD = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """What is said of a difference.

    Args:
        kind: in which way.
        path: where it is, on the side where it is.
        new_path: where it is now, where that is elsewhere; else empty.
        before, after: what it was and is, shortened; empty where there was or is nothing.
        delta: by how much a number grew, ``+8624``; else empty.
        about: what else is to be said, or empty.
    """

    kind: DifferenceKind
    path: str
    new_path: str
    before: str
    after: str
    delta: str
    about: str

    def __str__(self) -> str:
        if not self.path:
            return f"{self.kind.value}: {self.about}"
        head = f"{self.kind.value} {self.path}"
        if self.kind is DifferenceKind.MOVED:
            head = f"{RENAMED} {self.path}" if self.about == OF_KEY else head
            return f"{head} -> {self.new_path}: {self.after}"
        if self.kind is DifferenceKind.WRITTEN:
            return f"{head}: {self.about}"
        moved = f" (now {self.new_path})" if self.new_path else ""
        about = f" ({self.about})" if self.about else f" ({self.delta})" if self.delta else ""
        if self.kind is DifferenceKind.CHANGED:
            return f"{head}{moved}: {self.before} -> {self.after}{about}"
        return f"{head}: {self.before or self.after}{about}"


def difference_line(comparison: DocumentComparison, row: ValueDifference, limit: int = LIMIT) -> DifferenceLine:
    """A row in words; each value in *limit* letters at most."""
    old, new = comparison.old, comparison.new
    if row.old is None and row.new is None:
        return DifferenceLine(row.kind, "", "", "", "", "", row.about)
    paths = [
        "" if item is None else format_path(document, item) + _run(run)
        for document, item, run in ((old, row.old, row.old_run), (new, row.new, row.new_run))
    ]
    before = shown(old, row.old, row.old_run, limit) if row.kind is not DifferenceKind.ADDED else ""
    after = shown(new, row.new, row.new_run, limit) if row.kind is not DifferenceKind.REMOVED else ""
    path = paths[1] if row.kind is DifferenceKind.ADDED else paths[0] or paths[1]
    is_elsewhere = paths[0] and paths[1] and paths[0] != paths[1] and row.kind is not DifferenceKind.ADDED
    return DifferenceLine(
        row.kind, path, paths[1] if is_elsewhere else "", before, after, delta(comparison, row), row.about
    )


def _run(run: range | None) -> str:
    """Elements as a path has them: ``[3]``, ``[3..5]`` with both ends; nothing for a place where none are."""
    if not run:
        return ""
    return f"[{run.start}]" if len(run) == 1 else f"[{run.start}..{run.stop - 1}]"


def shown(document: Document, item: Item | None, run: range | None = None, limit: int = LIMIT) -> str:
    """A value, some elements of it, or bytes of no value, in *limit* letters at most; empty for none."""
    if item is None:
        return ""
    if item.frame < 0 or item.node < 0:
        if not exists(document, item):
            return ""
        found = span(document, item)
        return bytes(document.buffer[found.start : min(found.end, found.start + limit // 2)]).hex(" ").upper()
    table = document.frames[item.frame].table
    if item.part:
        return _element(table, item.node, item.part, limit)
    if run is None:
        return text(table, item.node, limit)
    told = [_element(table, item.node, f"[{number}]", limit) for number in run[:FEW_ELEMENTS]]
    more = [f"… {len(run) - len(told)} more"] if len(run) > len(told) else []
    return ", ".join(told + more)


def _element(table: NodeTable, node: int, name: str, limit: int) -> str:
    part = items.part(table, node, name)
    return part_text(part, limit) if part is not None else '""'


def delta(comparison: DocumentComparison, row: ValueDifference) -> str:
    """By how much a number grew: ``+8624``; empty for what is no number."""
    if row.kind is not DifferenceKind.CHANGED or row.old is None or row.new is None:
        return ""
    ours, theirs = _number(comparison.old, row.old, row.old_run), _number(comparison.new, row.new, row.new_run)
    if ours is None or theirs is None:
        return ""
    by = theirs - ours
    if isinstance(by, int):
        return f"{by:+d}"
    return f"{by:+.{DELTA_DIGITS}g}" if abs(by) < float("inf") else ""


def _number(document: Document, item: Item, run: range | None) -> int | float | None:
    if item.frame < 0 or item.node < 0:
        return None
    table = document.frames[item.frame].table
    data: object
    if run is not None:
        part = items.part(table, item.node, f"[{run.start}]") if len(run) == 1 else None
        data = part.value if part is not None else None
    else:
        data = read_shallow(table, item.node).data
    return data if isinstance(data, int | float) and not isinstance(data, bool) else None


def long_texts(comparison: DocumentComparison, row: ValueDifference) -> tuple[str, str] | None:
    """The texts on both sides of a row that is worth being told word by word; None for all others."""
    if row.kind is not DifferenceKind.CHANGED or row.old is None or row.new is None or row.old_run is not None:
        return None
    found = []
    for document, item in ((comparison.old, row.old), (comparison.new, row.new)):
        if item.frame < 0 or item.node < 0:
            return None
        data = read_shallow(document.frames[item.frame].table, item.node).data
        if not isinstance(data, str):
            return None
        found.append(str(data))
    return (found[0], found[1]) if max(map(len, found)) > LONG_TEXT else None


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Words of a text that are on both sides, gone, or new: *side* is 0, -1 or 1."""

    side: int
    text: str


def by_words(old: str, new: str) -> list[WordPiece]:
    """Two texts as one: what both have, what is gone and what is new, word by word.

    Of very long texts only the part between what is the same at both ends is told, as one piece.
    """
    ours, theirs = _words(old), _words(new)
    if ours is None or theirs is None:
        return [WordPiece(-1, old), WordPiece(1, new)]
    out: list[WordPiece] = []
    at = beside = 0
    for first, second, length in (*matched(ours, theirs), (len(ours), len(theirs), 0)):
        out += (WordPiece(-1, "".join(ours[at:first])), WordPiece(1, "".join(theirs[beside:second])))
        out.append(WordPiece(0, "".join(ours[first : first + length])))
        at, beside = first + length, second + length
    return [piece for piece in out if piece.text]


def _words(said: str) -> Sequence[str] | None:
    found = [match[0] for match in islice(WORD.finditer(said), MOST_WORDS + 1)]
    return found if len(found) <= MOST_WORDS else None


def summary(comparison: DocumentComparison) -> str:
    """All of it in one sentence."""
    counts = counted_kinds(comparison.rows)
    told = {kind.value: counts.get(kind, 0) for kind in list(DifferenceKind)[:-1]}
    moved = (row for row in comparison.rows if row.kind is DifferenceKind.MOVED)
    told[RENAMED] = sum(row.about == OF_KEY for row in moved)
    told[DifferenceKind.MOVED.value] -= told[RENAMED]
    words = [f"{count} {what}" for what, count in told.items() if count]
    otherwise = counts.get(DifferenceKind.WRITTEN, 0)
    begin = f"{', '.join(words)}." if words else "The values are equal."
    if otherwise:
        begin += f" {otherwise} {'place is' if otherwise == 1 else 'places are'} only written otherwise"
        begin += f" ({'; '.join(_reasons(comparison.rows))})."
    if comparison.ignored:
        begin += f" {comparison.ignored} ignored."
    if not comparison.is_complete:
        begin += " There are more, which are not told apart."
    return begin


def _reasons(rows: Sequence[ValueDifference]) -> Iterator[str]:
    """Why values are written otherwise, each reason with how often."""
    found = sorted(row.about for row in rows if row.kind is DifferenceKind.WRITTEN)
    for about, group in groupby(found):
        count = sum(1 for _ in group)
        yield about if count == 1 else f"{about} {count} times"
