"""Length prefixes: a stream of bytes cut into blocks, each behind a word that says its length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from viewer.span import Span

PREFIX = 4
MOST_BLOCK = 1 << 26


@dataclass(frozen=True, slots=True)
class Block:
    """A block with its length in front.

    Args:
        span: where it lies in the stream, the length included.
        data: its bytes, the length included, up to the first that is missing.
        missing: how many bytes are not in *data*.
    """

    span: Span
    data: bytes
    missing: int = 0


class LengthPrefixed:
    """Cuts one direction of a stream into blocks as its bytes come.

    Args:
        big_endian: the byte order of the lengths.
        most: a longer block is not believed; then nothing more is cut.
    """

    def __init__(self, big_endian: bool = False, most: int = MOST_BLOCK) -> None:
        self._order: Literal["big", "little"] = "big" if big_endian else "little"
        self._most = most
        self._bytes = bytearray()
        self._lost = 0  # bytes of the block in hand that were lost behind those held, and what came after them
        self._start = 0
        self._sentence = ""

    @property
    def broken(self) -> str:
        """Why nothing more can be cut, in one sentence; empty while all is well."""
        return self._sentence

    def feed(self, data: bytes, lost: int = 0) -> list[Block]:
        """Take the next bytes of the stream, before which *lost* are missing; gives the blocks that they complete."""
        if self._sentence:
            return []
        blocks: list[Block] = []
        if lost and not self._lose(lost):
            return blocks
        at = 0
        if self._lost:
            at = self._fill(data, blocks)
        if not self._lost:
            self._bytes += data[at:] if at else data
            self._cut(blocks)
        return blocks

    def finish(self) -> list[Block]:
        """The block that the stream ended in, if it did."""
        if not self._bytes or self._sentence:
            return []
        self._sentence = "The stream has ended."
        return [self._block(bytes(self._bytes), max(self._size(), PREFIX))]

    def _size(self) -> int:
        """The size of the block in hand with its length, 0 where that is not known yet."""
        return PREFIX + int.from_bytes(self._bytes[:PREFIX], self._order) if len(self._bytes) >= PREFIX else 0

    def _block(self, data: bytes, size: int) -> Block:
        return Block(Span(self._start, self._start + size), data, size - len(data))

    def _cut(self, blocks: list[Block]) -> None:
        """Cut off what is whole."""
        held, at = self._bytes, 0
        while len(held) - at >= PREFIX:
            length = int.from_bytes(held[at : at + PREFIX], self._order)
            if length > self._most:
                self._sentence = f"The length at byte {self._start} of the stream says {length}: no such block follows."
                break
            end = at + PREFIX + length
            if end > len(held):
                break
            blocks.append(self._block(bytes(held[at:end]), end - at))
            self._start += end - at
            at = end
        del held[:at]

    def _lose(self, lost: int) -> bool:
        """Note a loss; whether it is known where the next block begins."""
        size = self._size()
        if not size or len(self._bytes) + self._lost + lost > size:
            self._sentence = f"{lost} bytes of the stream were not captured, and with them where the next block begins."
            return False
        self._lost += lost
        return True

    def _fill(self, data: bytes, blocks: list[Block]) -> int:
        """Step over what is left of a block with a loss in it; gives how many bytes of *data* belong to it."""
        size = self._size()
        left = size - len(self._bytes) - self._lost
        if len(data) < left:
            self._lost += len(data)
            return len(data)
        blocks.append(self._block(bytes(self._bytes), size))
        self._start += size
        self._bytes.clear()
        self._lost = 0
        return left
