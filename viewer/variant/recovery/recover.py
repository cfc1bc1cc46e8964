"""Recover: show what is whole behind an error.

The first scan of a frame stops where an engine would. Recovery looks for the damage near that place, and for the offset
behind it from which the values make sense again; then it scans once more, with that turn on the way, and so on for each
further error. The table that comes of it says what is guessed (see :class:`~viewer.variant.table.NodeTable`).
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.base.diagnostic import Severity
from viewer.base.progress import Progress
from viewer.variant.columns import Pool
from viewer.variant.table import NodeTable

FILL = 32
MOST_BYTES = 1 << 28
"""Larger frames are shown up to their first error."""


def is_whole(table: NodeTable) -> bool:
    """Whether nothing needs to be recovered: no error, and nothing behind the value."""
    return table.end_of_data == len(table.buffer) and is_sound(table)


def is_sound(table: NodeTable) -> bool:
    """Whether an engine reads the value."""
    return all(found.severity is not Severity.ERROR for found in table.diagnostics)


def recover(
    first: NodeTable,
    progress: Progress | None = None,
    pool: Pool | None = None,
    work: Callable[[int], None] | None = None,
) -> NodeTable:
    """Read on behind the errors of a table.

    Args:
        first: what the scanner found; it stays as it is.
        progress: called now and then; returning False ends the recovery where it is.
        pool: where columns come from.
        work: told what is done, in bytes that could be hopped over meanwhile; what it raises ends the recovery.

    Returns:
        A table with all that makes sense, or *first* where nothing more does.
    """
    if is_whole(first) or not len(first) or len(first.buffer) > MOST_BYTES or _has_only_fill(first):
        return first
    from viewer.variant.recovery.course import Recovery

    return Recovery(first, is_sound(first), progress, pool, work).run()


def _has_only_fill(table: NodeTable) -> bool:
    """Whether the value is sound, and what follows it begins with zeros."""
    return is_sound(table) and not any(table.buffer[table.end_of_data : table.end_of_data + FILL])
