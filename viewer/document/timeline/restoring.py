"""Restoring: edits that bring a version of the timeline back into the open document, whole or one value of it."""

from __future__ import annotations

from viewer.base.record import replace
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import DifferenceKind, ValueDifference
from viewer.document.compare.taking import take
from viewer.document.document import Document
from viewer.document.edits.layer_edit import text_written
from viewer.document.edits.slots import EditError
from viewer.document.path import PathError, parse_path
from viewer.document.splice import Edit, EditLabel, Splice
from viewer.document.timeline.version_steps import Place, place_of


def restored(document: Document, version: Document, number: int) -> Edit | None:
    """The edit that makes the open document hold what a version holds, byte by byte; None where it does already.

    The wraps stay those of the open document: they are put on again when it is saved.

    Args:
        document: the open one, read.
        version: the other one.
        number: of the version, for the words of undo.

    Raises:
        EditError: the version cannot stand in this document.
    """
    label = EditLabel("Restore Version {}", (number,))
    if version.wraps.blocked is not None:
        raise EditError(f"Version {number} cannot be restored: {version.wraps.blocked}")
    if (document.wraps.text is None) != (version.wraps.text is None):
        raise EditError(
            f"Version {number} is {'a text' if version.wraps.text else 'no text'}; open it and save it instead."
        )
    if document.wraps.text is not None:
        edit = text_written(document, bytes(version.shown[:]))
        return None if edit is None else replace(edit, words=label)
    ours = document.dialect, document.precision
    if ours != (version.dialect, version.precision):
        raise EditError(
            f"Version {number} is of another engine line ({version.dialect.name}); open it and save it instead."
        )
    old, new = bytes(document.buffer[:]), bytes(version.buffer[:])
    if old == new:
        return None
    framings = document.framing, version.framing
    return Edit(label, (Splice(0, old, new).trimmed(),), framing=None if framings[0] == framings[1] else framings)


def restored_value(document: Document, version: Document, number: int, path: str) -> Edit | None:
    """The edit that gives one value of the open document what it was in a version; None where it is the same.

    The value is found by what stands for it, wherever it is now; one that is gone comes back where it was.

    Args:
        document: the open one, read.
        version: the other one, in which *path* counts.
        number: of the version, for the words of undo.
        path: of the value; where only the open document has it, it goes.

    Raises:
        EditError: it cannot be put there.
        PathError: neither of both has such a value.
    """
    found = compare(document, version)
    try:
        place, is_there = place_of(version, parse_path(version, path)), True
    except PathError:
        place, is_there = place_of(document, parse_path(document, path)), False
    rows = []
    for row in found.changes:
        item, side = (row.new, version) if is_there else (row.old, document)
        if item is None:
            continue
        at = place_of(side, item)
        if at[: len(place)] == place:
            rows.append(row)
        elif place[: len(at)] == at:
            rows.append(_narrowed(row, place[len(at) :], is_there))
    if not rows:
        return None
    taken = take(found, rows)
    if taken.left:
        raise EditError("This value cannot be put where it was.")
    return replace(taken.edit, words=EditLabel("Restore Value of Version {}", (number,)))


def _narrowed(row: ValueDifference, inner: Place, is_there: bool) -> ValueDifference:
    """A row about something that holds the value: the element of it that is meant, or all of what came.

    Raises:
        EditError: more than the value would change.
    """
    run = row.new_run if is_there else row.old_run
    if row.old_run is not None and row.new_run is not None and run is not None and isinstance(inner[0], int):
        if len(row.old_run) != len(row.new_run):
            return row
        number = run.index(inner[0]) if inner[0] in run else -1
        if number >= 0:
            one = slice(number, number + 1)
            return replace(row, old_run=row.old_run[one], new_run=row.new_run[one])
    elif row.kind is DifferenceKind.ADDED:
        return row
    raise EditError("What holds this value differs as a whole; restore that.")
