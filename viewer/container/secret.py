"""Secret: the key of an encrypted file. It lives in memory only, and shows itself to nobody."""

from __future__ import annotations

KEY_SIZE = 32


class SecretError(ValueError):
    """The text is no key; one sentence says why."""


class Secret:
    """A key of 32 bytes.

    Args:
        key: the bytes of the key itself.

    Raises:
        SecretError: they are not 32.
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_SIZE:
            raise SecretError(f"A key is {KEY_SIZE} bytes long, and this one has {len(key)}.")
        self._key = bytes(key)

    @classmethod
    def of_password(cls, password: str) -> Secret:
        """The key that the engines make of a password: the MD5 of its UTF-8 bytes, in lowercase hex digits."""
        import hashlib

        return cls(hashlib.md5(password.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest().encode())

    @classmethod
    def of_hex(cls, text: str) -> Secret:
        """The key that 64 hex digits stand for.

        Raises:
            SecretError: they are none, or another number.
        """
        try:
            return cls(bytes.fromhex(text))
        except SecretError:
            raise
        except ValueError:
            raise SecretError("A key is written as 64 hexadecimal digits, two for each of its 32 bytes.") from None

    @property
    def key(self) -> bytes:
        """The 32 bytes."""
        return self._key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._key == self._key

    def __hash__(self) -> int:
        return hash((Secret, len(self._key)))

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("A secret is not written down.")
