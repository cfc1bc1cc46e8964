"""Checksums in a file: what engines and games write over some of its bytes to find out whether they are whole."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.base.span import Span

WIDTHS = {"crc32": 4, "adler32": 4, "md5": 16, "sha256": 32}
"""The kinds, and the bytes of each."""
NAMES = {"crc32": "CRC32", "adler32": "Adler32", "md5": "MD5", "sha256": "SHA-256"}
"""What a person calls them."""
PIECE = 1 << 20
"""Bytes over which a checksum is made at once."""


@dataclass(frozen=True, slots=True)
class ChecksumWord:
    """A checksum in a file: if it is true, it changes with what changes in its run.

    Args:
        span: where it stands; these bytes count as zeros where the run holds them.
        run: the bytes that it is over.
        kind: one of :data:`WIDTHS`.
        big_endian: the order of its bytes, where it is a number.
    """

    span: Span
    run: Span
    kind: str
    big_endian: bool = False

    def over(self, buffer: Buffer) -> bytes:
        """What it must be over the bytes of a buffer."""
        return checksum(self.kind, self._pieces(buffer), self.big_endian)

    def _pieces(self, buffer: Buffer) -> Iterator[bytes]:
        run, own = self.run, self.span
        if len(run) <= PIECE and (own.end <= run.start or run.end <= own.start):  # as nearly always
            yield bytes(buffer[run.start : run.end])
            return
        for start in range(run.start, run.end, PIECE):
            piece = bytes(buffer[start : min(start + PIECE, run.end)])
            first, last = max(own.start - start, 0), min(own.end - start, len(piece))
            yield piece[:first] + bytes(last - first) + piece[last:] if first < last else piece


def checksum(kind: str, pieces: Iterable[bytes], big_endian: bool = False) -> bytes:
    """The bytes of a checksum.

    Args:
        kind: one of :data:`WIDTHS`.
        pieces: the bytes that it is over, one behind the other.
        big_endian: the order of the bytes of a number; digests have none.
    """
    if kind in ("md5", "sha256"):
        digest = (hashlib.md5 if kind == "md5" else hashlib.sha256)(usedforsecurity=False)
        for piece in pieces:
            digest.update(piece)
        return digest.digest()
    number = zlib.adler32(b"") if kind == "adler32" else 0
    for piece in pieces:
        number = zlib.adler32(piece, number) if kind == "adler32" else zlib.crc32(piece, number)
    return number.to_bytes(4, "big" if big_endian else "little")
