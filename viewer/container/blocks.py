"""Compressed blocks: what lies in a file as blocks of a size, each compressed by itself, behind a table of sizes.

The layout: magic, u32 method, u32 block size, u32 size of all plain bytes, one u32 compressed size for each of
``total // block size + 1`` blocks, the blocks, and the magic again. So the last block is always shorter than the
others, and may stand for no bytes at all.
"""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass, field, replace

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import count_bytes
from viewer.base.span import Span
from viewer.container.block_reader import BlockReader
from viewer.container.inflate import SHORTEST, Method, deflate
from viewer.container.layer import MOST_INSIDE, Damage, TooLarge, Unwrapped, WrapError
from viewer.container.secret import Secret

HEADER = 16
LARGEST = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class BlockKind:
    """What the wraps of this layout differ in.

    Args:
        name: the codec's.
        magic: four bytes at both ends.
        methods: what the engine can read.
        margin: FastLZ's, see :func:`viewer.container.fastlz.compress`.
    """

    name: str
    magic: bytes
    methods: tuple[Method, ...]
    margin: int

    @property
    def label(self) -> str:
        """The name for a person."""
        return self.magic.decode()


@dataclass(frozen=True, slots=True)
class Original:
    """The wrap as it was found.

    Args:
        outside: all of it.
        inside: what came out.
        blocks: where the compressed bytes of each block are that *inside* begins with, in *outside*.
    """

    outside: bytes
    inside: bytes
    blocks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class BlockForm:
    """How bytes were wrapped in blocks.

    Args:
        kind: which wrap.
        method: how the blocks are compressed.
        block_size: plain bytes a block.
        tail: what stands behind the last block.
        original: the wrap as it was found, whose blocks are used again where their bytes are the same.
    """

    kind: BlockKind
    method: Method
    block_size: int
    tail: bytes
    original: Original | None = field(default=None, repr=False)

    @property
    def label(self) -> str:
        """``GCPF, Zstd``."""
        return f"{self.kind.label}, {self.method.label}"

    def as_zstd(self) -> BlockForm:
        """The same wrap with every block compressed by Zstd, for what cannot be compressed as it was."""
        return replace(self, method=Method.ZSTD, original=None)

    def wrap(self, inside: bytes) -> bytes:
        """Wrap bytes; every block whose bytes are as they were stays as it was, a damaged one too.

        Raises:
            WrapError: no engine writes the method, or the bytes are too many.
        """
        if self.original is not None and inside == self.original.inside:
            return self.original.outside
        if len(inside) > LARGEST:
            raise WrapError(f"{self.kind.label} holds at most {LARGEST} bytes, and these are {len(inside)}.")
        count = len(inside) // self.block_size + 1
        blocks = [self._block(number, inside) for number in range(count)]
        head = (self.method.value, self.block_size, len(inside), *map(len, blocks))
        return b"".join((self.kind.magic, _words(head), *blocks, self.tail))

    def _block(self, number: int, inside: bytes) -> bytes:
        start = number * self.block_size
        plain = inside[start : start + self.block_size]
        original = self.original
        if original is not None and number < len(original.blocks):
            span = original.blocks[number]
            if plain == original.inside[start : start + self.block_size]:
                return original.outside[span.start : span.end]
        return deflate(self.method, plain, self.kind.margin)


@dataclass(frozen=True, slots=True)
class _Table:
    """What the head of a wrap says: *sizes* are those of the compressed blocks."""

    method: Method
    block_size: int
    total: int
    sizes: array[int]

    @property
    def blocks_start(self) -> int:
        return HEADER + 4 * len(self.sizes)

    def possible(self, size: int) -> int:
        """No more bytes than this come out of *size* bytes of blocks, whatever the table says."""
        ratio, least = self.method.ratio, SHORTEST
        found = 0
        for number, stated in enumerate(self.sizes):
            there = min(stated, size)
            size -= there
            found += min(self.logical(number), there * ratio + least)
        return found

    def logical(self, number: int) -> int:
        """How many plain bytes belong to a block."""
        return self.block_size if number < len(self.sizes) - 1 else self.total % self.block_size


@dataclass(frozen=True, slots=True)
class BlockCodec:
    """Takes one kind of block wrap off."""

    kind: BlockKind

    @property
    def name(self) -> str:
        """The word for the command line."""
        return self.kind.name

    def probe(self, outside: Buffer) -> bool:
        """Whether the magic is there; no bare and no stored Variant can begin with it."""
        return bytes(outside[:4]) == self.kind.magic

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Decompress all blocks; a damaged one gives what can be had of it, and zeros."""
        table = self._table(outside)
        possible = table.possible(len(outside) - table.blocks_start)
        if possible > limit:
            raise TooLarge(f"{count_bytes(table.total)} would come out, and no more than {limit} may.", table.total)
        data = bytes(outside[:])
        reader = BlockReader(data, table.blocks_start, table.method, expected)
        for number, size in enumerate(table.sizes):
            if not reader.read(size, table.logical(number), len(table.sizes), table.total):
                break
        inside = reader.inside.take()
        tail, damages = self._tail(data, reader.at)
        original = Original(data, inside, tuple(reader.blocks))
        form = BlockForm(self.kind, table.method, table.block_size, tail, original)
        return Unwrapped(inside, form, (*reader.all_damages(), *damages))

    def _table(self, outside: Buffer) -> _Table:
        label = self.kind.label
        if not self.probe(outside):
            raise WrapError(f"These bytes do not begin with {label}, so they are not wrapped so.")
        if len(outside) < HEADER:
            raise WrapError(f"The {label} header is cut: it takes {HEADER} bytes, and {len(outside)} are there.")
        number, block_size, total = (u32(outside, at) for at in (4, 8, 12))
        method = next((method for method in self.kind.methods if method.value == number), None)
        if method is None:
            raise WrapError(f"The {label} header asks for method {number}, which no engine knows.")
        if not block_size:
            raise WrapError(f"The {label} header says that a block holds no bytes; no engine reads that.")
        count = total // block_size + 1
        if 4 * count > len(outside) - HEADER:
            left = len(outside) - HEADER
            raise WrapError(
                f"The table of compressed sizes is cut: it takes {4 * count} bytes, and {left or 'none'} are there."
            )
        return _Table(method, block_size, total, _read_words(outside, HEADER, count))

    def _tail(self, data: bytes, at: int) -> tuple[bytes, tuple[Damage, ...]]:
        """What stands behind the blocks, to be written again, and what is wrong with it; the engines do not look."""
        magic = self.kind.magic
        tail = data[at:]
        if at > len(data):
            return magic, ()
        if not tail.startswith(magic):
            return tail, (Damage(Span(at, len(data)), f"The closing {self.kind.label} is not where it should be."),)
        extra = Span(at + len(magic), len(data))
        if extra:
            return tail, (
                Damage(extra, f"{count_bytes(len(extra))} behind the end of the wrap: no engine reads on there."),
            )
        return tail, ()


def _words(numbers: tuple[int, ...]) -> bytes:
    words = array("I", numbers)
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def _read_words(buffer: Buffer, at: int, count: int) -> array[int]:
    words = array("I", bytes(buffer[at : at + 4 * count]))
    if sys.byteorder == "big":
        words.byteswap()
    return words
