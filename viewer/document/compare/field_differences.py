"""What differs between two files outside their values: how they are wrapped and read, and their fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.document.compare.difference import DifferenceKind, ValueDifference
from viewer.document.document import Document
from viewer.document.outline import gap_item
from viewer.document.pieces.message import FieldRole, MessageField
from viewer.variant.items import Item

BEHIND = 1 << 62
"""Fields are told behind all values."""
Known = dict[tuple[str, ...], tuple[Item, bytes, bool]]


def file_differences(old: Document, new: Document) -> Iterator[ValueDifference]:
    """How the values are wrapped, framed and written, where that differs."""
    facts = (
        ("wraps", _wraps),
        ("engine line", lambda document: document.dialect.name),
        ("precision", lambda document: document.precision.value),
        ("framing", lambda document: document.framing.kind.value),
    )
    for name, fact in facts:
        before, after = fact(old), fact(new)
        if before != after:
            yield ValueDifference(DifferenceKind.WRITTEN, None, None, f"{name}: {before} -> {after}", at=(-1, 0))


def _wraps(document: Document) -> str:
    return ", ".join(layer.codec for layer in document.layers[1:]) or "none"


def field_differences(old: Document, new: Document) -> Iterator[ValueDifference]:
    """The fields of files with a structure, by their names; else the bytes between values, by their order."""
    ours, theirs = _known(old), _known(new)
    places = {key: number for number, key in enumerate(theirs)}
    for key, (item, raw, follows) in ours.items():
        found = theirs.get(key)
        at = BEHIND, places.get(key, len(places))
        if found is None:
            yield ValueDifference(DifferenceKind.REMOVED, item, None, at=at)
        elif found[1] != raw:
            kind = DifferenceKind.WRITTEN if follows or found[2] else DifferenceKind.CHANGED
            yield ValueDifference(kind, item, found[0], "follows from others" if follows or found[2] else "", at=at)
    for key, (item, _, _) in theirs.items():
        if key not in ours:
            yield ValueDifference(DifferenceKind.ADDED, None, item, at=(BEHIND, places[key]))


def _known(document: Document) -> Known:
    """All fields that hold no others, by their names and their turn among those of the same name."""
    if not document.fields:
        return {
            (str(number),): (gap_item(number), bytes(document.buffer[gap.start : gap.end]), False)
            for number, gap in enumerate(document.gaps)
        }
    structure, message = document.structure, document.message
    moving = {word.span.start for word in structure.offsets} if structure is not None else set[int]()
    if structure is not None:
        moving |= {length.span.start for length in structure.lengths} | {
            each.span.start for each in structure.checksums
        }
    out: Known = {}
    level: list[tuple[tuple[str, ...], tuple[int, ...], Sequence[MessageField]]] = [((), (), document.fields)]
    while level:
        names, steps, fields = level.pop()
        turns: dict[str, int] = {}
        for number, field in enumerate(fields):
            turns[field.name] = turn = turns.get(field.name, 0) + 1
            key, way = (*names, field.name, str(turn)), (*steps, number)
            if field.is_view or field.role is FieldRole.VALUE:
                continue
            if field.children:
                level.append((key, way, field.children))
                continue
            follows = field.span.start in moving or (field.form is not None and field.form.is_locked)
            raw = bytes(document.buffer[field.span.start : field.span.end])
            follows |= message is None and field.name in ("fill", "padding")
            out[key] = gap_item(way[0], way[1:]), raw, follows
    return out
