"""Previews that are remembered by the bytes of their values: after an edit most rows show what they showed before."""

from __future__ import annotations

from collections.abc import Callable

from viewer.document.shown.preview import Preview, preview
from viewer.variant.dialect import Dialect
from viewer.variant.table import NodeTable

Look = Callable[[NodeTable, int, int], Preview]
REMEMBERED = 2048
LONGEST = 1 << 10
"""Bytes; values of more are looked at each time."""


class Previews:
    """Remembers what :func:`~viewer.document.shown.preview.preview` said of short values."""

    def __init__(self) -> None:
        self._dialect: Dialect | None = None
        self._known: dict[tuple[bytes, int], Preview] = {}

    def of(self, table: NodeTable, node: int, limit: int) -> Preview:
        """A node in about *limit* characters. What is broken, or has no header of its own, is not remembered."""
        start, end = table.start[node], table.end(node)
        if table.diagnostics or end - start > LONGEST or table.is_name(node):
            return preview(table, node, limit)
        if table.dialect is not self._dialect or len(self._known) >= REMEMBERED:
            self._dialect = table.dialect
            self._known.clear()
        key = bytes(table.buffer[start:end]), limit
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = preview(table, node, limit)
        return found
