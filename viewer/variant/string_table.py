"""The table of strings of a binary resource: names of properties and of nodes, which values name by their places."""

from __future__ import annotations

from array import array

from viewer.base.buffer import Buffer, u32
from viewer.variant import text


class StringTable:
    """Strings that stand one behind another, each a length that counts its NUL, and its bytes.

    Args:
        buffer: the bytes of the file.
        starts: where the length of each string stands.
        utf8: how the engine reads texts, a rule of its dialect.
    """

    def __init__(self, buffer: Buffer, starts: array[int], utf8: str) -> None:
        self._buffer = buffer
        self._starts = starts
        self._utf8 = utf8
        self._places: dict[str, int] | None = None

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, place: int) -> str:
        start = self._starts[place]
        raw = bytes(self._buffer[start + 4 : start + 4 + u32(self._buffer, start)])
        return text.read(raw.removesuffix(b"\0"), self._utf8)

    def find(self, name: str) -> int | None:
        """The first place where a string stands, None where it does not."""
        if self._places is None:
            self._places = {}
            for place in range(len(self)):
                self._places.setdefault(self[place], place)
        return self._places.get(name)
