"""A text behind a line with its checksum, as games write it that look whether somebody changed their save."""

from __future__ import annotations

import hashlib

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.layer import MOST_INSIDE, Secret, TooLarge, Unwrapped, WrapError

METHODS = {32: ("md5", "MD5"), 40: ("sha1", "SHA-1"), 64: ("sha256", "SHA-256")}
"""Which checksums have so many digits, for Python and for a person."""
LONGEST = max(METHODS) + len("\r\n")
LINE = late_pattern(rb"([0-9a-f]{32}|[0-9A-F]{32}|[0-9a-f]{40}|[0-9A-F]{40}|[0-9a-f]{64}|[0-9A-F]{64})\r?\n")
_BEGINS = late_pattern(rb"(?:\xef\xbb\xbf)?[\t\r\n\x20-\x7e]")
_ENDS = (b"", b"\n", b"\r\n")
"""What stands behind a text that its checksum is not made of."""


@dataclass(frozen=True, slots=True)
class ChecksumForm:
    """A line in front of a text.

    Args:
        digits: its checksum.
        end: how the line ends.
        is_true: whether it is that of the text.
        behind: what ends the text and does not count.
    """

    digits: bytes
    end: bytes
    is_true: bool
    behind: bytes = b""

    @property
    def label(self) -> str:
        """``MD5 in a line before it``."""
        return f"{METHODS[len(self.digits)][1]} in a line before it" if self.is_true else "checksum line, kept"

    @property
    def note(self) -> str:
        """What becomes of the line."""
        name = METHODS[len(self.digits)][1]
        return self.kept or f"The first line is the {name} of what follows it, and is made anew when you save."

    @property
    def kept(self) -> str:
        """What may come of it where the line does not change with the text; empty where it does."""
        if self.is_true:
            return ""
        name = METHODS[len(self.digits)][1]
        return (
            f"The first line is as long as {'an' if name[0] == 'M' else 'a'} {name}, but not that of what follows it:"
            " it is kept as it is, and a game that checks it may refuse the changed file."
        )

    def wrap(self, inside: bytes) -> bytes:
        """The text behind its line, with the checksum that it has now."""
        digits = _digits(inside, self.behind, self.digits) if self.is_true else self.digits
        return digits + self.end + inside


class ChecksumLineCodec:
    """Knows a line of as many digits as a checksum has, and text behind it."""

    name = "checksum-line"

    def probe(self, outside: Buffer) -> bool:
        """Whether these bytes begin so."""
        start = bytes(outside[: LONGEST + len(b"\xef\xbb\xbf?")])
        line = LINE.match(start)
        return line is not None and _BEGINS.match(start, line.end()) is not None

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Take the line off.

        Raises:
            TooLarge: there are more than *limit* bytes behind it.
            WrapError: there is no such line.
        """
        line = LINE.match(bytes(outside[:LONGEST]))
        if line is None:
            raise WrapError("This does not begin with a line that is a checksum.")
        if len(outside) - line.end() > limit:
            raise TooLarge(f"{len(outside)} bytes would come out, more than are opened.", len(outside))
        inside, digits, end = bytes(outside[line.end() :]), line[1], line[0][len(line[1]) :]
        behind = next((each for each in _ENDS if _digits(inside, each, digits) == digits), None)
        return Unwrapped(inside, ChecksumForm(digits, end, behind is not None, behind or b""))


def _digits(inside: bytes, behind: bytes, like: bytes) -> bytes:
    """The checksum of a text up to what stands behind it, in the same kind of digits as another one."""
    made = hashlib.new(METHODS[len(like)][0], inside.removesuffix(behind), usedforsecurity=False).hexdigest().encode()
    return made.upper() if like.isupper() else made


CHECKSUM_LINE = ChecksumLineCodec()
