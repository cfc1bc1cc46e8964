"""XOR with one byte. Values are full of zeros, and so the key stands open between them."""

from __future__ import annotations

from collections import Counter

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.container.layer import MOST_INSIDE, Secret, TooLarge, Unwrapped, WrapError

LEAST = 24
"""Fewer bytes tell no key."""
MOST = 1 << 24
"""Of more bytes no key is looked for."""
SAMPLE = 1 << 12
MOST_TYPES = 64


@dataclass(frozen=True, slots=True)
class XorForm:
    """Bytes of which each was changed by the same *key*."""

    key: int

    @property
    def label(self) -> str:
        """``XOR with 0xE3, guessed``."""
        return f"XOR with 0x{self.key:02X}, guessed"

    def wrap(self, inside: bytes) -> bytes:
        """Change bytes in the same way."""
        return _changed(inside, self.key)


class XorCodec:
    """Finds the key where a value begins under it."""

    name = "xor"

    def probe(self, outside: Buffer) -> bool:
        """Whether a key makes the beginning of a value of these bytes."""
        return LEAST <= len(outside) <= MOST and bool(_key(bytes(outside[:SAMPLE]), len(outside)))

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Take the key off.

        Raises:
            TooLarge: there are more than *limit* bytes.
            WrapError: no key is found.
        """
        key = _key(bytes(outside[:SAMPLE]), len(outside)) if len(outside) >= LEAST else 0
        if not key:
            raise WrapError("No byte is found that makes values of these bytes by XOR.")
        if len(outside) > limit:
            raise TooLarge(f"{len(outside)} bytes would come out, more than are opened.", len(outside))
        return Unwrapped(_changed(bytes(outside[:]), key), XorForm(key))


def _changed(data: bytes, key: int) -> bytes:
    return data.translate(bytes(byte ^ key for byte in range(256)))


def _key(start: bytes, size: int) -> int:
    """The key under which a value begins at the first byte, or behind a length; 0 where there is none.

    It is one of the bytes that are zero in a header or in a length, or the one that comes most often.
    """
    common = Counter(start).most_common(1)[0][0]
    for key in dict.fromkeys((common, start[3], start[0])):
        if key and common and _begins(_changed(start[:12], key), size):
            return key
    return 0


def _begins(plain: bytes, size: int) -> bool:
    """Whether the header of a value stands at the start, or behind a length that the bytes have room for."""
    if _is_header(plain[:4]):
        return True
    lengths = (int.from_bytes(plain[:4], order) for order in ("little", "big"))
    return any(4 <= length <= size - 4 for length in lengths) and _is_header(plain[4:8])


def _is_header(word: bytes) -> bool:
    """Whether four bytes may be a header: a type, and the few flags that there are."""
    return word[0] < MOST_TYPES and not word[1] and word[2] < 16 and not word[3]


XOR = XorCodec()
