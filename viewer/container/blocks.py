"""Compressed blocks: what lies in a file as blocks of a size, each compressed by itself, behind a table of sizes.

The layout: magic, u32 method, u32 block size, u32 size of all plain bytes, one u32 compressed size for each of
``total // block size + 1`` blocks, the blocks, and the magic again. So the last block is always shorter than the
others, and may stand for no bytes at all.
"""

from __future__ import annotations

import sys
from array import array

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import count_bytes
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.container.fastlz import MARGIN
from viewer.container.inflate import SHORTEST, Inflated, InflateFault, Inflater, Method, deflate
from viewer.container.layer import MOST_INSIDE, Damage, Secret, TooLarge, Unwrapped, WrapError
from viewer.container.unpacking import Output

# Block reader: plain bytes from compressed blocks, one block after another, whatever is wrong with them.

FILL_FLOOR = 1 << 20
FILL_FACTOR = 16
"""So many zeros for each byte of the file, and some more, stand in for what is lost; then the rest is left out."""
MOST_DAMAGES = 256


class BlockReader:
    """Reads the blocks of a wrap in order.

    Args:
        data: the whole wrap.
        at: where the first block begins.
        method: how the blocks are compressed.
        expected: the bytes that must come out, where they are known.
    """

    def __init__(self, data: bytes, at: int, method: Method, expected: bytes | None = None) -> None:
        self.at = at
        """Where the next block begins; beyond the end of the data where that is cut."""
        self.inside = Output(expected)
        self.blocks: list[Span] = []
        """Where the blocks that *inside* was made of are."""
        self._data = data
        self._method = method
        self._inflater = Inflater(method)
        self._fill = FILL_FLOOR + FILL_FACTOR * len(data)
        self._damages: list[Damage] = []
        self._unsaid = 0

    def read(self, size: int, logical: int, count: int, total: int) -> bool:
        """Read the next block.

        Args:
            size: its compressed bytes, as the table says.
            logical: the plain bytes that belong to it.
            count, total: how many blocks and plain bytes there are in all.

        Returns:
            Whether to go on: no where the data ends, or would be made up for the most part.
        """
        span = Span(self.at, min(self.at + size, len(self._data)))
        if self.at > len(self._data) or (logical and size and not span):
            self._lose(count, total)
            return False
        # FastLZ gets at least so many bytes: those of a short last block are followed by zeros
        room = max(logical, SHORTEST) if self._method is Method.FASTLZ else logical
        careful = len(self._damages) < MOST_DAMAGES
        start = len(self.inside)
        found = self._inflater.inflate(self._data[span.start : span.end], self.inside, room, careful)
        self.inside.cut(start + logical)
        there = len(self.inside) - start
        missing = logical - there
        if missing > self._fill:
            self._lose(count, total)
            return False
        self._tell(found, span, size, Span(start, start + there), logical)
        self._fill -= missing
        self.inside.fill(missing)
        self.blocks.append(span)
        self.at += size
        return True

    def all_damages(self) -> tuple[Damage, ...]:
        """What is wrong, in order; of very many damaged blocks the last ones share a sentence."""
        if not self._unsaid:
            return tuple(self._damages)
        more = Damage(Span(self._damages[-1].span.end, len(self._data)), _more(self._unsaid))
        return (*self._damages, more)

    def _tell(self, found: Inflated, span: Span, size: int, there: Span, logical: int) -> None:
        """Say what is wrong with the block that is being read, if anything; *there* are its bytes inside."""
        said = self._said(found, span, size, len(there), logical)
        if said is None:
            return
        lost = Span(there.end, there.start + logical)
        if found.doubtful or (not lost and found.trouble is InflateFault.WRONG):
            lost = Span(there.start, there.start + logical)  # which byte is wrong, nobody knows
        self._add(Damage(span, f"Block {len(self.blocks) + 1} {said}", lost if lost else None))

    def _said(self, found: Inflated, span: Span, size: int, there: int, logical: int) -> str | None:
        """What is wrong with a block, as the end of a sentence; None for nothing."""
        if len(span) < size:
            return f"is cut: the file ends {_bytes(size - len(span))} before it."
        if found.trouble is InflateFault.WRONG:
            return f"is damaged at byte {found.used}: {found.why}."
        if found.trouble is InflateFault.MORE:
            return f"holds more than the {_bytes(logical)} that should be in it; the others are left out."
        if found.trouble is InflateFault.CUT:
            return f"is damaged: {found.why}."
        if there < logical:
            return f"holds {_bytes(there)}, but {logical} should be in it."
        if found.used < size:
            return f"ends {_bytes(size - found.used)} before the table says so."
        return None

    def _lose(self, count: int, total: int) -> None:
        """Give up what is left."""
        lost = Span(len(self.inside), total)
        first = len(self.blocks) + 1
        blocks = f"Blocks {first} to {count} are" if first < count else f"Block {count} is"
        place = min(self.at, len(self._data))
        self.at = len(self._data) + 1
        self._damages.append(Damage(Span(place, len(self._data)), f"{blocks} lost with {_bytes(len(lost))}.", lost))

    def _add(self, damage: Damage) -> None:
        if len(self._damages) < MOST_DAMAGES:
            self._damages.append(damage)
        else:
            self._unsaid += 1


def _more(count: int) -> str:
    return "1 more block is damaged." if count == 1 else f"{count} more blocks are damaged."


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"


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
            raise TooLarge(f"{count_bytes(table.total)} would come out, but no more than {limit} may.", table.total)
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
            raise WrapError(f"These bytes do not begin with {label}, so they are not wrapped that way.")
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
                Damage(extra, f"{count_bytes(len(extra))} after the end of the wrap: no engine reads on there."),
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


# GCMP: the compressed files of Godot 2, which its scripts cannot write but its own classes do.

OLD_MARGIN = 12
"""Godot 2 holds an older FastLZ, which begins a match one byte later."""

GCMP = BlockCodec(BlockKind("gcmp", b"GCMP", (Method.FASTLZ, Method.DEFLATE), OLD_MARGIN))


# GCPF: what ``open_compressed`` writes, in Godot 3, Godot 4 and Pandemonium.

GCPF = BlockCodec(BlockKind("gcpf", b"GCPF", tuple(Method), MARGIN))


# RSCC: a compressed binary resource of Godot 3 and 4. The stream inside lacks the mark at its beginning.

RSCC = BlockCodec(BlockKind("rscc", b"RSCC", tuple(Method), MARGIN))
