"""A text in which somebody types: its bytes as pieces, of which none is copied for a key. Knows no widget."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import overload

from viewer.base.span import Span


class PieceTable:
    """The bytes of a text, in pieces of what was there and of what was typed.

    Typing cuts a piece in two and puts another one between, so that a key costs as much as there are pieces. When a
    text is read, it is joined again.

    Args:
        data: the text as it is at first.

    Attributes:
        edition: another number whenever something was typed.
    """

    __slots__ = ("_pieces", "_starts", "edition")

    def __init__(self, data: bytes = b"") -> None:
        self._pieces: tuple[memoryview, ...] = (memoryview(data),)
        self._starts = [0, len(data)]
        self.edition = 0

    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> bytes: ...
    def __getitem__(self, at: int | slice) -> int | bytes:
        """One byte, or some in a row: ``[start:end]``, neither of them negative."""
        if isinstance(at, slice):
            return self._between(at.start or 0, len(self) if at.stop is None else min(at.stop, len(self)))
        if not 0 <= at < len(self):
            raise IndexError("no such byte")
        number = self._piece_at(at)
        return self._pieces[number][at - self._starts[number]]

    def __bytes__(self) -> bytes:
        """The whole text in one piece, which it is from then on: asked again, the same object."""
        whole = self.whole
        if whole is None:
            whole = b"".join(self._pieces)
            self._be_whole(whole)
        return whole

    @property
    def whole(self) -> bytes | None:
        """The text where it is in one piece, None where something was typed since."""
        found = self._pieces[0].obj if len(self._pieces) == 1 else None
        return found if isinstance(found, bytes) and len(found) == len(self) else None

    @property
    def pieces(self) -> tuple[memoryview, ...]:
        """The text as it is now, to be joined by another thread."""
        return self._pieces

    def take_joined(self, edition: int, whole: bytes) -> bool:
        """Have the text in one piece, as its pieces were joined elsewhere; not where something was typed since.

        Args:
            edition: the one that was joined.
            whole: what its pieces are together.

        Returns:
            whether it is that one piece now.
        """
        is_same = edition == self.edition
        if is_same:
            self._be_whole(whole)
        return is_same

    def _be_whole(self, whole: bytes) -> None:
        self._pieces, self._starts = (memoryview(whole),), [0, len(whole)]

    def replace(self, span: Span, inserted: bytes) -> None:
        """Let other bytes stand in the place of some."""
        first, last = self._piece_at(span.start), self._piece_at(span.end)
        before = self._pieces[first][: span.start - self._starts[first]]
        behind = self._pieces[last][span.end - self._starts[last] :]
        between = [piece for piece in (before, memoryview(inserted), behind) if len(piece)]
        pieces = (*self._pieces[:first], *between, *self._pieces[last + 1 :])
        self._pieces, self.edition = pieces or (memoryview(b""),), self.edition + 1
        self._starts = list(accumulate(map(len, self._pieces), initial=0))

    def _between(self, start: int, end: int) -> bytes:
        if start >= end:
            return b""
        first, last = self._piece_at(start), self._piece_at(end - 1)
        parts = list(self._pieces[first : last + 1])
        parts[-1] = parts[-1][: end - self._starts[last]]
        parts[0] = parts[0][start - self._starts[first] :]
        return b"".join(parts)

    def _piece_at(self, offset: int) -> int:
        """The piece that holds a byte; for the end of the text the last one."""
        return min(bisect_right(self._starts, offset), len(self._pieces)) - 1
