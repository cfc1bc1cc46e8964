"""Block reader: plain bytes from compressed blocks, one block after another, whatever is wrong with them."""

from __future__ import annotations

from viewer.base.span import Span
from viewer.container.inflate import SHORTEST, Inflated, Inflater, Method, Trouble
from viewer.container.layer import Damage
from viewer.container.unpacking import Output

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
        if found.doubtful or (not lost and found.trouble is Trouble.WRONG):
            lost = Span(there.start, there.start + logical)  # which byte is wrong, nobody knows
        self._add(Damage(span, f"Block {len(self.blocks) + 1} {said}", lost if lost else None))

    def _said(self, found: Inflated, span: Span, size: int, there: int, logical: int) -> str | None:
        """What is wrong with a block, as the end of a sentence; None for nothing."""
        if len(span) < size:
            return f"is cut: the file ends {_bytes(size - len(span))} before it."
        if found.trouble is Trouble.WRONG:
            return f"is damaged at byte {found.used}: {found.why}."
        if found.trouble is Trouble.MORE:
            return f"holds more than the {_bytes(logical)} that should be in it; the others are left out."
        if found.trouble is Trouble.CUT:
            return f"is damaged: {found.why}."
        if there < logical:
            return f"holds {_bytes(there)}, and {logical} should be in it."
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
    return "1 block more is damaged." if count == 1 else f"{count} blocks more are damaged."


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"
