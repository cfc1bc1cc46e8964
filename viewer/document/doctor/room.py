"""Room: the memory of all scans of which only the last one is looked at."""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.document.framing import Scratch
from viewer.variant.columns import SMALL, Columns, Pool
from viewer.variant.dialect import Dialect
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

MANY = 1 << 17
"""Rows, each of 12 bytes: a table of more is not kept while as many are needed for another."""

STEP = 1 << 12
"""So many rows more than a scan needs: one that begins a little earlier must not need other columns."""


class Room(Scratch):
    """Columns that every scan fills anew, as long as the longest one needs; and one table that stays meanwhile.

    Of many bytes only one of both is there at a time: either the table that stays, which is read again when it is asked
    for, or that of another scan. Columns are made for all rows that may come, since what is not written to takes no
    memory: those that double while they are filled are there twice for a while.

    Args:
        lender: where columns may be that nobody needs meanwhile; :meth:`leave` gives them back.
    """

    def __init__(self, lender: Pool | None = None) -> None:
        super().__init__()
        self._lender = lender or Pool()
        self._long: Columns | None = None
        self._kept: NodeTable | None = None

    def kept(self, payload: Buffer, dialect: Dialect) -> NodeTable:
        """The table of the very *payload*; who holds on to it holds its memory."""
        table = self._kept
        if table is None or table.buffer is not payload or table.dialect is not dialect:
            self._long = self._kept = None
            table = self._kept = scan(payload, dialect)
        return table

    def take(self, rows: int) -> Columns:
        """The columns for the next scan, whatever they hold."""
        if rows <= SMALL:
            return super().take(rows)
        if rows > MANY:
            self._kept = None
        if self._long is None or rows > self._long.capacity:
            self._long = None
            self._long = self._lender.take(rows + STEP)
            if rows > self._long.capacity:
                self._lender.give(self._long)
                self._long = Columns(rows + STEP)
        return self._long

    def leave(self) -> None:
        """Give back the columns: nothing that was read in them is looked at any more."""
        if self._long is not None:
            self._lender.give(self._long)
        self._long = self._kept = None

    def give(self, columns: Columns) -> None:
        """Nothing to do: the columns are here."""
