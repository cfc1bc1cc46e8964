"""Sight: a value that was read, whose table is there when it is asked for."""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.document.doctor.room import Room
from viewer.variant.dialect import Dialect
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

LONG = 1 << 17
"""The tables of fewer bytes stay as long as their sights."""


class Sight:
    """A value, read.

    Args:
        payload: its bytes.
        dialect: how to read them.
        room: where the table is for as long as no other scan needs the memory, if they are many.
    """

    __slots__ = ("_dialect", "_payload", "_room", "_table")

    def __init__(self, payload: Buffer, dialect: Dialect, room: Room) -> None:
        self._payload = payload
        self._dialect = dialect
        self._room = room
        self._table = scan(payload, dialect) if len(payload) <= LONG else None

    @property
    def table(self) -> NodeTable:
        """The table."""
        return self._room.kept(self._payload, self._dialect) if self._table is None else self._table
