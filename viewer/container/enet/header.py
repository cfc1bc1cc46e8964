"""The header of an ENet datagram: the receiver's number for the sender, some bits, and the sender's clock."""

from __future__ import annotations

from typing import NamedTuple

TIMED = 0x8000
COMPRESSED = 0x4000
SESSION_SHIFT = 12
NOBODY = 0xFFF
"""The peer id of a sender that has no number at the receiver yet."""
WORD = 2


class Header(NamedTuple):
    """A header.

    Attributes:
        word: the first two bytes as a number.
        sent: the sender's clock in ms, modulo 65536; None where the word says that it does not follow.
        size: in bytes, without a checksum.
    """

    word: int
    sent: int | None
    size: int

    @property
    def timed(self) -> bool:
        """Whether the sent time follows."""
        return bool(self.word & TIMED)

    @property
    def compressed(self) -> bool:
        """Whether what follows is compressed."""
        return bool(self.word & COMPRESSED)

    @property
    def session(self) -> int:
        """Counts the uses of the receiver's slot, modulo 4."""
        return self.word >> SESSION_SHIFT & 3

    @property
    def peer(self) -> int:
        """The receiver's slot for the sender, or :data:`NOBODY`."""
        return self.word & NOBODY

    @property
    def lane(self) -> int:
        """Slot and session: what tells connections between the same two ends apart."""
        return self.word & 0x3FFF


def read_header(data: bytes) -> Header | None:
    """The header of a datagram, None where it is cut."""
    if len(data) < WORD:
        return None
    word = data[0] << 8 | data[1]
    if not word & TIMED:
        return Header(word, None, WORD)
    if len(data) < 2 * WORD:
        return None
    return Header(word, data[2] << 8 | data[3], 2 * WORD)
