"""Readers: one reader of values for each dialect, for all conversations of a thread; each holds memory of its own."""

from __future__ import annotations

from viewer.document.packets.values import ValueReader
from viewer.variant.dialect import Dialect


class Readers:
    """Value readers by dialect, made when they are first needed. Belongs to one thread."""

    def __init__(self) -> None:
        self._readers: dict[str, ValueReader] = {}

    def of(self, dialect: Dialect) -> ValueReader:
        """What reads the values of a dialect."""
        found = self._readers.get(dialect.key)
        if found is None:
            found = self._readers[dialect.key] = ValueReader(dialect)
        return found
