"""GDEC: the encrypted file of ``open_encrypted`` and ``open_encrypted_with_pass``.

======== =========================================== ==============================================
bytes    version 1 (Godot 2, Godot 3, Pandemonium)    version 2 (Godot 4)
======== =========================================== ==============================================
4        ``GDEC``                                     ``GDEC``
4        mode, 1                                      no such word
16       MD5 of the plain bytes                       the same
8        how many plain bytes there are               the same
16       nothing                                      IV
the rest AES-256-ECB, filled with zeros to 16         AES-256-CFB with segments of 128 bits, filled alike
======== =========================================== ==============================================

Nothing in the bytes tells the versions apart but whether the sizes fit. Nothing tells a wrong key from damage.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from viewer.base.buffer import Buffer, stretches, u32
from viewer.base.record import dataclass, field
from viewer.container.layer import MOST_INSIDE, KeyNeeded, KeyWrong, Secret, TooLarge, Unwrapped, WrapError
from viewer.container.unpacking import PIECE, Output

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import Cipher

MAGIC = b"GDEC"
BLOCK = 16
_DIGEST = 16
_MODE = 1
_MODE_ROOMS = ("cryptography.hazmat.decrepit.ciphers.modes", "cryptography.hazmat.primitives.ciphers.modes")


class Version(Enum):
    """Which layout; the value is where the MD5 stands."""

    ECB = 8
    CFB = 4

    @property
    def number(self) -> int:
        """What the engine's own people call it."""
        return 1 if self is Version.ECB else 2

    @property
    def length_at(self) -> int:
        """Where the word of 64 bits with the number of plain bytes stands."""
        return self.value + _DIGEST

    @property
    def header(self) -> int:
        """Bytes before the encrypted ones."""
        return self.length_at + 8 + (0 if self is Version.ECB else BLOCK)


@dataclass(frozen=True, slots=True)
class GdecForm:
    """How a file was encrypted.

    Args:
        version: the layout.
        secret: the key.
        outside: the file as it was: what is inside has not changed where its MD5 and length are those in there.
        tail: bytes behind the encrypted ones, which the engines do not look at.
    """

    version: Version
    secret: Secret
    outside: bytes = field(repr=False)
    tail: bytes = field(default=b"", repr=False)

    @property
    def label(self) -> str:
        """``GDEC 1``, ``GDEC 2``."""
        return f"GDEC {self.version.number}"

    def wrap(self, inside: bytes) -> bytes:
        """Encrypt bytes as these were; changed ones get a new IV where the version has one."""
        facts = _md5(inside) + len(inside).to_bytes(8, "little")
        at = self.version.value
        if facts == self.outside[at : at + len(facts)]:
            return self.outside
        return encrypt(self.version, self.secret, inside) + self.tail


class Gdec:
    """Files that were encrypted with a password or a key."""

    name = "gdec"

    def probe(self, outside: Buffer) -> bool:
        """Whether the file begins like an encrypted one."""
        return quick_check(outside)

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Decrypt a file.

        Raises:
            KeyNeeded: there is no *secret*.
            KeyWrong: it does not fit, or the file is damaged.
            TooLarge: more than *limit* bytes are inside.
            WrapError: it is no such file, or bytes are missing.
        """
        if not quick_check(outside):
            raise WrapError("This file is not encrypted: it does not begin with GDEC.")
        versions = list(_fitting(outside))
        if not versions:
            raise WrapError(_what_misfits(outside))
        if secret is None:
            raise KeyNeeded("This file is encrypted; its password or its key is needed to open it.")
        sizes = [_length(outside, version) for version in versions]
        if min(sizes) > limit:
            raise TooLarge(f"{min(sizes)} bytes are encrypted in this file, more than are opened.", min(sizes))
        for version, size in zip(versions, sizes, strict=True):
            inside = _decrypted(version, secret, outside, expected) if size <= limit else None
            if inside is not None:
                tail = bytes(outside[version.header + _filled(size) :])
                return Unwrapped(inside, GdecForm(version, secret, bytes(outside[:]), tail))
        raise KeyWrong("The password or key is wrong, or the file is damaged.")


GDEC = Gdec()


def quick_check(outside: Buffer) -> bool:
    """Whether bytes begin with the mark of an encrypted file."""
    return bytes(outside[: len(MAGIC)]) == MAGIC


def encrypt(version: Version, secret: Secret, inside: bytes) -> bytes:
    """A file that an engine opens with this key; version 2 gets an IV that was never used before."""
    iv = b"" if version is Version.ECB else os.urandom(BLOCK)
    mode = _MODE.to_bytes(4, "little") if version is Version.ECB else b""
    worker = _cipher(version, secret, iv).encryptor()
    out = Output()
    out.write(b"".join((MAGIC, mode, _md5(inside), len(inside).to_bytes(8, "little"), iv)))
    for _, piece in stretches(inside, size=PIECE):
        out.write(worker.update(piece))
    out.write(worker.update(bytes(-len(inside) % BLOCK)) + worker.finalize())
    return out.take()


def _fitting(outside: Buffer) -> Iterator[Version]:
    """The versions that a file may be of, the likelier first: one whose sizes fit to the byte, then version 1."""
    loose = []
    for version in Version:
        spare = len(outside) - version.header - _filled(_length(outside, version))
        if len(outside) < version.header or spare < 0 or (version is Version.ECB and u32(outside, 4) != _MODE):
            continue
        if spare:
            loose.append(version)
        else:
            yield version
    yield from loose


def _what_misfits(outside: Buffer) -> str:
    """Why a file is of no version, with the sizes where it says which one it is of."""
    version = Version.ECB if u32(outside, 4) == _MODE else Version.CFB
    if len(outside) < version.header:
        return f"This encrypted file is cut off inside its header, after {len(outside)} bytes."
    missing = version.header + _filled(_length(outside, version)) - len(outside)
    return f"This encrypted file is damaged: it ends {missing} byte{'' if missing == 1 else 's'} before it says so."


def _decrypted(version: Version, secret: Secret, outside: Buffer, expected: bytes | None) -> bytes | None:
    """The plain bytes, None where their MD5 is another.

    Raises:
        Differs: they are not the *expected* ones.
    """
    size = _length(outside, version)
    iv = bytes(outside[version.header - BLOCK : version.header])
    worker = _cipher(version, secret, iv).decryptor()
    out = Output(expected)
    for _, piece in stretches(outside, version.header, version.header + _filled(size), PIECE):
        out.write(worker.update(piece)[: size - len(out)])
    inside = out.take()
    told = bytes(outside[version.value : version.value + _DIGEST])
    return inside if _md5(inside) == told else None


def _cipher(version: Version, secret: Secret, iv: bytes) -> Cipher[Any]:
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES

    mode = _mode("ECB")() if version is Version.ECB else _mode("CFB")(iv)
    return Cipher(AES(secret.key), mode)


def _mode(name: str) -> Any:
    """A mode of the library, which moves those that are no longer thought safe to another room."""
    for room in _MODE_ROOMS:
        try:
            found = getattr(import_module(room), name, None)
        except ImportError:
            continue
        if found is not None:
            return found
    raise WrapError(f"The installed library “cryptography” has no AES in mode {name}; install version 50 of it.")


def _length(outside: Buffer, version: Version) -> int:
    return int.from_bytes(outside[version.length_at : version.length_at + 8], "little")


def _filled(size: int) -> int:
    return size + -size % BLOCK


def _md5(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()
