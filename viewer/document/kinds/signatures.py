"""Signatures: kinds of files by bytes at fixed places, read from a resource."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache

from viewer.base import assets
from viewer.base.buffer import Buffer
from viewer.base.record import dataclass
from viewer.document.kinds import checks

# The kind of a file, as a person is told of it.


@dataclass(frozen=True, slots=True)
class FileKind:
    """What bytes are that hold no stored values.

    Args:
        name: in a user's words, with its article.
        fact: which bytes tell so, a clause.
        advice: what to do with them, one sentence.
        is_sure: whether these bytes are this and nothing else.
    """

    name: str
    fact: str
    advice: str
    is_sure: bool = True

    @property
    def sentence(self) -> str:
        """The whole: what it is, what tells so, and what to do."""
        return f"This {'is' if self.is_sure else 'seems to be'} {self.name}: {self.fact}. {self.advice}"


MOST_SHOWN = 12
"""Bytes of a signature that are shown."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to know a kind.

    Args:
        name, advice: of the kind.
        at: where the bytes lie.
        pattern: what they are; *size* how many.
        check: the name of what must hold too, empty for nothing.
        weak: whether so little tells it that no value may be plausible.
    """

    name: str
    advice: str
    at: int
    pattern: re.Pattern[bytes]
    size: int
    check: str
    weak: bool

    def fits(self, data: Buffer) -> bool:
        """Whether these bytes have it."""
        if len(data) < self.at + max(self.size, 1):
            return False
        if self.pattern.fullmatch(bytes(data[self.at : self.at + self.size])) is None:
            return False
        return not self.check or checks.CHECKS[self.check](data)

    def kind(self, data: Buffer) -> FileKind:
        """The kind of bytes that have it."""
        shown = bytes(data[self.at : self.at + min(self.size, MOST_SHOWN)])
        words = f"“{shown.decode('ascii')}”" if shown.isascii() and shown.decode().isprintable() else ""
        if not shown:
            fact = "its lengths and numbers fit together from the first byte on"
        elif self.at:
            fact = f"at 0x{self.at:X} it has {words or shown.hex(' ').upper()}"
        else:
            fact = f"it begins with {words or shown.hex(' ').upper()}"
        return FileKind(self.name, fact, self.advice, not self.weak)


@cache
def signatures() -> tuple[Signature, ...]:
    """All of them, in the order in which they are tried."""
    table = tomllib.loads(assets.text("kinds.toml"))
    return tuple(_signature(entry, table["advice"]) for entry in table["kind"])


def advice(key: str) -> str:
    """What to do, by its key in the resource."""
    return str(_advice()[key])


@cache
def _advice() -> Mapping[str, str]:
    found: Mapping[str, str] = tomllib.loads(assets.text("kinds.toml"))["advice"]
    return found


def _signature(entry: Mapping[str, str | int | bool], sentences: Mapping[str, str]) -> Signature:
    if "text" in entry:
        words = [f"{byte:02X}" for byte in str(entry["text"]).encode("ascii")]
    else:
        words = str(entry.get("bytes", "")).split()
    pattern = b"".join(b"." if word == "??" else re.escape(bytes.fromhex(word)) for word in words)
    return Signature(
        str(entry["name"]),
        sentences[str(entry["advice"])],
        int(entry.get("at", 0)),
        re.compile(pattern, re.DOTALL),
        len(words),
        str(entry.get("check", "")),
        bool(entry.get("weak", False)),
    )
