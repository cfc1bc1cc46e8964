"""Layers: the buffers that a file unwraps into, outermost first, how each was wrapped, and with which key.

A codec takes a wrap off; what it finds out on the way, a form keeps, so that the same wrap can be put on again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.base.span import Span

# Secret: the key of an encrypted file. It lives in memory only, and shows itself to nobody.


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


# Layer: the bytes between two wraps, and what takes a wrap off and puts it on.


MOST_INSIDE = 1 << 28
"""So many bytes come out of a wrap where nothing else is said; a few can stand for very many."""


class WrapError(ValueError):
    """A wrap cannot be taken off or put on; the text is one sentence that says why and what to do."""


class KeyNeeded(WrapError):
    """The bytes are encrypted, and no password or key is known."""


class KeyWrong(WrapError):
    """The password or key does not fit, or the bytes are damaged: which of the two, nobody can tell."""


class TooLarge(WrapError):
    """More bytes would come out than the caller allowed.

    Args:
        size: how many bytes must be allowed for it to go on, as far as is known.
        exact: whether the wrap says that so many are inside; else there are so many at least.
    """

    def __init__(self, sentence: str, size: int, exact: bool = True) -> None:
        super().__init__(sentence)
        self.size = size
        self.exact = exact


@dataclass(frozen=True, slots=True)
class Damage:
    """Something wrong with a wrap that does not keep the rest from being read.

    Args:
        span: where, in the bytes outside.
        sentence: what is wrong.
        inside: the bytes inside that are missing or made up because of it, None where all are there.
    """

    span: Span
    sentence: str
    inside: Span | None = None


class ContainerFormat(Protocol):
    """How some bytes were wrapped: all that is needed to wrap others the same way."""

    @property
    def label(self) -> str:
        """What kind of wrap it is, for a person: ``GCPF, Zstd``, ``GDEC 2``, ``base64``."""

    def wrap(self, inside: bytes) -> bytes:
        """Wrap bytes as these were.

        Raises:
            WrapError: it cannot be done.
        """


class SourceText:
    """A text that was read to values: they are what the tree shows, but the text is what the file holds.

    Attributes:
        label: what kind of text it is, for a person.
        outside: the text.
        inside: the bytes that were made of it.
        damages: what could not be read of it, each with its line, its column and its byte.
        dialect: how the values lie in the bytes that were made of it, by the name of its file.
        is_list: whether values follow each other; else there is one.
        slips: what engines take, but hardly as it was meant, each at its place in the text.
        notes: what is right, but worth knowing, each at its place in the text.
        scripts: where a script stands that the engine would run.
        comment: the sign that a comment begins with, up to the end of its line; empty where there are none.
        is_begun: whether only its beginning was read: then nothing of it can be changed.
        has_sections: whether it is made of sections with keys, and nothing else stands at the top.
    """

    label: str
    outside: bytes
    inside: bytes
    damages: tuple[Damage, ...]
    dialect: str
    is_list: bool
    slips: tuple[Damage, ...] = ()
    notes: tuple[Damage, ...] = ()
    scripts: tuple[Span, ...] = ()
    comment: bytes = b""
    is_begun: bool = False
    has_sections: bool = False

    def wrap(self, inside: bytes) -> bytes:
        """The text with what changed in the values.

        Raises:
            WrapError: it cannot hold one of them, or something that could not be read would change.
        """
        raise NotImplementedError

    def rewritten(self, inside: bytes) -> tuple[bytes, SourceText | None]:
        """The same, and the text as it would be read, where that is known without reading it.

        Floats that no spelling is read as are read as the ones next to them: then its bytes are others than these.

        Raises:
            WrapError: as above.
        """
        return self.wrap(inside), None

    def retyped(self, text: bytes) -> Unwrapped | None:
        """What is read of another text where that is known without reading all of it; None where it is not."""
        return None

    def follow(self, before: SourceText) -> None:
        """Take over what was counted in the text that stood in this one's place, as far as both are the same."""

    def unread(self, text: bytes, why: str) -> Unwrapped:
        """Another text in this one's place of which nothing can be read, for the reason given: it holds no value."""
        raise NotImplementedError

    def span_of(self, offset: int) -> Span:
        """The bytes of the text that spell the value around a byte inside."""
        raise NotImplementedError

    def inside_of(self, offset: int) -> int:
        """Where the value begins inside that a byte of the text belongs to."""
        raise NotImplementedError

    def values_in(self, start: int, end: int) -> Iterator[tuple[Span, int]]:
        """The values that touch some bytes of the text, outer ones first: where each stands, and begins inside."""
        raise NotImplementedError

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """The line and the column of a byte, both from 1."""
        raise NotImplementedError

    def offset_of(self, line: int, column: int = 1) -> int | None:
        """The byte at a line and a column, both from 1, the last one of a shorter line; None for no such line."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """What came out of a wrap.

    Args:
        inside: the bytes.
        form: how they were wrapped.
        damages: what is wrong with the wrap, in order.
    """

    inside: bytes
    form: ContainerFormat
    damages: tuple[Damage, ...] = ()


class BegunCodec(Protocol):
    """A codec of texts that can be read from their beginning."""

    def begun(self, text: bytes) -> Unwrapped | None:
        """What the beginning of a long text holds, with a form that says so; None where that shows nothing.

        A collection that goes on has only some of its children then, and nothing is said of what is wrong.
        """


class Codec(Protocol):
    """One kind of outer wrap."""

    @property
    def name(self) -> str:
        """The word that the command line and the JSON use: ``gcpf``, ``gdec``, ``base64``."""

    def probe(self, outside: Buffer) -> bool:
        """Whether *outside* is wrapped this way; looks at few bytes, and is right when it says so."""

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Take the wrap off.

        Args:
            outside: the bytes.
            secret: password or key, for what is encrypted.
            limit: how many bytes may come out.
            expected: the bytes that must come out, where they are known; they are not kept a second time then.

        Raises:
            KeyNeeded, KeyWrong: it is encrypted.
            TooLarge: more than *limit* bytes would come out.
            WrapError: it is no such wrap, nothing can be read of it, or others than the *expected* bytes come out.
        """


@dataclass(frozen=True, slots=True)
class Layer:
    """A decoded buffer.

    Args:
        codec: the name of the codec that made it from the layer before; ``file`` for the file itself.
        buffer: the bytes.
        form: how they were wrapped, None for the file itself.
        damages: what is wrong with the wrap around them.
    """

    codec: str
    buffer: Buffer
    form: ContainerFormat | None = None
    damages: tuple[Damage, ...] = ()
