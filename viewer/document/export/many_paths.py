"""Paths of many values, as many as there is room for; those that are longer than any person reads are left out, too."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.unseen import printable
from viewer.document import outline
from viewer.document.bulk import BulkPlan, BulkRow
from viewer.document.document import Document
from viewer.document.export.path_room import PathRoom
from viewer.document.path import format_path
from viewer.variant.items import Item
from viewer.variant.paths.path_walk import PathBook


class Paths:
    """The paths of items of one document, as it is now.

    Args:
        document: whose items.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._books: dict[int, PathBook] = {}
        self._room = PathRoom(len(document.buffer))

    def path(self, item: Item) -> str | None:
        """The path of an item, None where it is left out."""
        found = self._path(item) if self._room.is_left else None
        if found is None:
            self._room.missing += 1
        else:
            self._room.take(len(found))
        return found

    @property
    def left_out(self) -> str:
        """How many paths were left out, in a sentence that says how to see them; empty where none was."""
        return self._room.left_out

    def _path(self, item: Item) -> str | None:
        frame = outline.frame_of(self._document, item)
        if frame is None or item.node < 0:
            return format_path(self._document, item)
        if item.frame not in self._books:
            self._books[item.frame] = PathBook(frame.table, f"[{item.frame}]")
        return self._books[item.frame].path(item.node, item.part)


# What a bulk edit would do as lines for a terminal, with no more work than the bytes are worth.

MOST_READ = 20_000
"""So many values within values are read to be shown; what holds others behind them is told by its type."""


class PlanLines:
    """Tells of the rows of a plan.

    Args:
        plan: what a bulk edit would do.
    """

    def __init__(self, plan: BulkPlan) -> None:
        self._plan = plan
        self._paths = Paths(plan.document)
        self._read = 0
        self._short = 0

    def lines(self) -> Iterator[str]:
        """What changes, one value a line, and what cannot."""
        for row in self._plan.rows:
            tail = f"! {row.problem}" if row.problem else f"-> {self._plan.after(row)}"
            yield printable(f"{self.place(row)}: {self._before(row)} {tail}")

    def place(self, row: BulkRow) -> str:
        """A row's path; where that is left out, the offset of its bytes."""
        return printable(self._paths.path(row.item) or f"0x{row.start:X}")

    @property
    def left_out(self) -> list[str]:
        """What the lines do not tell and how to see it, one sentence each."""
        found = [self._paths.left_out] if self._paths.left_out else []
        if self._short:
            values = "1 value is" if self._short == 1 else f"{self._short} values are"
            found.append(f"{values} shown by type only, as very many are nested: get FILE PATH prints one.")
        return found

    def _before(self, row: BulkRow) -> str:
        held = self._plan.held(row)
        if held and self._read + held > MOST_READ:
            self._short += 1
            return f"{self._plan.type(row)} …"
        self._read += held
        return self._plan.before(row)
