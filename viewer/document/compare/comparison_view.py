"""What a person sees of a comparison: read beside the window, filtered by kind, type and path, told in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.base.buffer import Buffer
from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.words import counted, grouped
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import CompareOptions, DifferenceKind, DocumentComparison, ValueDifference
from viewer.document.compare.difference_words import by_words, difference_line
from viewer.document.compare.path_patterns import ONE, PathPatterns
from viewer.document.disk.paged import fault
from viewer.document.document import Document
from viewer.document.outline import exists, span
from viewer.document.path import format_path
from viewer.document.splice import joined
from viewer.variant.dialect import PAIRED, Kind
from viewer.variant.items import Item, part
from viewer.variant.read import read_shallow

STEP = 1 << 20
"""Bytes that are held against each other at once."""
MOSTLY = 0.5
"""With a smaller share of its bytes in values a side holds none that are worth the word."""
MOST_KEYS = 12
"""So many keys of an element are offered as what tells elements apart."""
LONGEST_TEXT = 1 << 12
"""Texts of more letters are not told word by word in a row."""
NO_ROOM = "There is not enough memory to compare these files: close others first."


@dataclass(frozen=True, slots=True)
class DifferenceFilter:
    """Which differences are shown.

    Args:
        kinds: those of these kinds.
        type: those of values of a type; empty for all.
        text: those whose path has these letters, or is meant by this pattern with a ``*``.
    """

    kinds: frozenset[DifferenceKind] = frozenset(kind for kind in DifferenceKind if kind is not DifferenceKind.WRITTEN)
    type: str = ""
    text: str = ""

    def chosen(self, comparison: DocumentComparison) -> list[int]:
        """The numbers of the differences that are shown."""
        rows = comparison.rows
        out = [number for number, row in enumerate(rows) if row.kind in self.kinds]
        if self.type:
            out = [number for number in out if self.type in types_of(comparison, rows[number])]
        text = self.text.strip()
        if ONE in text:
            patterns = PathPatterns((text,))
            return [number for number in out if patterns.hold(comparison.old, comparison.new, rows[number])]
        if text:
            folded = text.casefold()
            return [number for number in out if folded in _paths(comparison, rows[number])]
        return out


def _paths(comparison: DocumentComparison, row: ValueDifference) -> str:
    sides = ((comparison.old, row.old), (comparison.new, row.new))
    return "\n".join(format_path(document, item) for document, item in sides if item is not None).casefold()


def types_of(comparison: DocumentComparison, row: ValueDifference) -> set[str]:
    """The names of the types on both sides of a difference."""
    return {name for name in (type_of(comparison.old, row.old), type_of(comparison.new, row.new)) if name}


def type_of(document: Document, item: Item | None) -> str:
    """The name of the type of a value; empty for what is none."""
    if item is None or item.frame < 0 or item.node < 0 or item.frame >= len(document.frames):
        return ""
    table = document.frames[item.frame].table
    row = table.row(item.node) if item.node < len(table) else None
    return row.name if row is not None else ""


def all_types(comparison: DocumentComparison) -> list[str]:
    """The types of all values that differ, by their names."""
    found: set[str] = set()
    for row in comparison.rows:
        found |= types_of(comparison, row)
    return sorted(found)


def compared_twins(
    old: Document, new: Document, options: CompareOptions, progress: Progress | None = None
) -> DocumentComparison:
    """Read two twins and compare them; for a thread.

    Raises:
        Cancelled: *progress* gave up.
        MemoryError: there is no room for it.
    """
    for document in (old, new):
        document.read_now(progress)
    return compare(old, new, options, progress)


def differing_spans(comparison: DocumentComparison, shown: Iterable[int], is_new: bool) -> list[Span]:
    """The bytes of one side that differ, as they lie in what a person looks at, in order."""
    document = comparison.new if is_new else comparison.old
    out: list[Span] = []
    for number in shown:
        row = comparison.rows[number]
        item, run = (row.new, row.new_run) if is_new else (row.old, row.old_run)
        if item is None or not exists(document, item):
            continue
        found = span(document, item)
        if run is not None:
            ends = [_element(document, item, each) for each in (run[0], run[-1])] if len(run) else []
            if len(ends) < 2 or ends[0] is None or ends[1] is None:
                continue
            found = Span(ends[0].start, ends[1].end)
        out.append(document.place(found))
    return joined(sorted((each for each in out if len(each)), key=lambda each: each.start))


def _element(document: Document, item: Item, number: int) -> Span | None:
    frame = document.frames[item.frame]
    found = part(frame.table, item.node, f"[{number}]")
    return found.span.shifted(frame.start) if found is not None else None


def place_in_file(comparison: DocumentComparison, row: ValueDifference) -> float:
    """Where a difference stands in the new file, or where it would: from 0 to 1."""
    frame, offset = row.at
    frames, size = comparison.new.frames, len(comparison.new.buffer)
    if frame >= len(frames):
        return 1.0
    start = frames[frame].start if frame >= 0 else 0
    return min(1.0, max(0, start + max(0, offset)) / size) if size else 0.0


def notes(comparison: DocumentComparison, titles: tuple[str, str]) -> list[str]:
    """What should be known of the sides before their rows are believed, a sentence each."""
    out: list[str] = []
    for document, title in zip((comparison.old, comparison.new), titles, strict=True):
        out += _notes_of(document, title)
    old, new = comparison.old, comparison.new
    if min(old.explained, new.explained) < MOSTLY and len(old.buffer) and len(new.buffer):
        at = first_other_byte(old.buffer, new.buffer)
        out.append("Their bytes are the same." if at is None else f"Their bytes differ from 0x{at:X} on.")
    if old.frames and new.frames and old.read_as_words != new.read_as_words:
        out.append(f"{old.read_as_words} against {new.read_as_words}: compared by value.")
    if not comparison.is_complete:
        out.append(f"There are more than {grouped(len(comparison.rows))} differences; the others are not told apart.")
    return out


def _notes_of(document: Document, title: str) -> Iterator[str]:
    lost = fault(document.buffer)
    if lost:
        yield lost
    if document.wraps.blocked is not None:
        yield f"“{title}” stays closed, so that its bytes alone are compared: {document.wraps.blocked}"
    elif not len(document.buffer):
        yield f"“{title}” is empty."
    elif document.explained < MOSTLY:
        yield f"“{title}” holds no values that can be read."
    else:
        broken = sum(1 for frame in document.frames if not frame.sound)
        if broken:
            yield (
                f"“{title}” has errors in {counted(broken, 'value')}: it is compared as far as it reads, then as bytes."
            )


def first_other_byte(old: Buffer, new: Buffer) -> int | None:
    """Where two buffers differ first; None where they are the same."""
    both = min(len(old), len(new))
    for start in range(0, both, STEP):
        ours, theirs = bytes(old[start : min(both, start + STEP)]), bytes(new[start : min(both, start + STEP)])
        if ours == theirs:
            continue
        low, high = 0, len(ours)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if ours[low:middle] != theirs[low:middle] else (middle, high)
        return start + low
    return None if len(old) == len(new) else both


def told(comparison: DocumentComparison, number: int) -> str:
    """A difference in one line, without its path: what it was, what it is, by how much, where it was."""
    line = difference_line(comparison, comparison.rows[number])
    about = f" ({line.about})" if line.about else ""
    moved = f" (was {line.path})" if line.new_path else ""
    match line.kind:
        case DifferenceKind.CHANGED:
            grown = f"  {line.delta}" if line.delta else ""
            values = f": {line.before} → {line.after}" if line.before or line.after else ""
            return f"changed{values}{grown}{about}{moved}"
        case DifferenceKind.MOVED:
            return f"moved from {line.path} to {line.new_path}"
        case DifferenceKind.WRITTEN:
            return f"only written otherwise{about}"
        case DifferenceKind.ADDED:
            return f"added: {line.after}{about}"
        case DifferenceKind.REMOVED:
            return f"removed: {line.before}{about}"


def text_pieces(comparison: DocumentComparison, row: ValueDifference, is_new: bool) -> list[tuple[str, bool]]:
    """The text of one side of a changed text in pieces, each with whether the other side lacks it.

    Nothing for what is no text on both sides, or a very long one.
    """
    if row.kind is not DifferenceKind.CHANGED or row.old is None or row.new is None or row.old_run is not None:
        return []
    found = []
    for document, item in ((comparison.old, row.old), (comparison.new, row.new)):
        if item.frame < 0 or item.node < 0 or item.part:
            return []
        data = read_shallow(document.frames[item.frame].table, item.node).data
        if not isinstance(data, str) or len(data) > LONGEST_TEXT:
            return []
        found.append(str(data))
    side = 1 if is_new else -1
    return [(piece.text, piece.side == side) for piece in by_words(*found) if piece.side in (0, side)]


# Which rows stand for each other

FOUND, ORDER, PLACE = "", "order", "place"


@dataclass(frozen=True, slots=True)
class PairedCollection:
    """A collection whose rows were paired.

    Args:
        path: the pattern that names it, by its path on the old side.
        by: how, in a word: ``keys``, ``order``, ``place`` or the name of a key.
        choices: the other ways that a person may choose, as :attr:`CompareOptions.pair_by` takes them.
    """

    path: str
    by: str
    choices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How the rows were paired, in a few words."""
        return {"keys": "paired by their keys", ORDER: "paired by their order", PLACE: "paired by their place"}.get(
            self.by, f"paired by “{self.by}”"
        )


def paired_collection(comparison: DocumentComparison, item: Item | None) -> PairedCollection | None:
    """How the rows of a collection of the old side, or of that which holds a value, were paired; None for neither."""
    if item is None or item.frame < 0 or item.node < 0:
        return None
    table, node = comparison.old.frames[item.frame].table, item.node
    for _ in range(2):
        known = comparison.pairings.get((item.frame, node))
        if known is not None and node < len(table):
            path = format_path(comparison.old, Item(item.frame, node))
            is_array = not table.has_pairs(node)
            choices = (FOUND, ORDER, PLACE, *_keys(comparison.old, item.frame, node)) if is_array else ()
            return PairedCollection(path, known[2].by, choices)
        if not node:
            return None
        node = table.parent[node]
    return None


def _keys(document: Document, frame: int, node: int) -> tuple[str, ...]:
    """The keys of the first element that may tell elements apart."""
    table = document.frames[frame].table
    if not table.child_count(node):
        return ()
    first = table.first[node]
    row = table.row(first)
    if row is None or row.kind not in PAIRED:
        return ()
    out = []
    for key in table.children(first)[: 4 * MOST_KEYS : 2]:
        named = table.row(key)
        if named is not None and named.kind is Kind.STRING:
            data = read_shallow(table, key).data
            if isinstance(data, str) and data.isidentifier():
                out.append(str(data))
    return tuple(out[:MOST_KEYS])
