"""New wraps: forms for bytes that were not wrapped before."""

from __future__ import annotations

import base64
from collections.abc import Callable

from viewer.container.blocks import GCMP, GCPF, BlockCodec, BlockForm
from viewer.container.gdec import GdecForm, Version
from viewer.container.inflate import Method
from viewer.container.layer import ContainerFormat, KeyNeeded, Secret, WrapError
from viewer.container.streams import GzipForm, ZlibForm, ZstdForm

BLOCK_SIZE = 4096
GZIP_HEAD = bytes.fromhex("1f 8b 08 00 00 00 00 00 00 ff")


class Base64Form:
    """One line of base64, as the engines' ``raw_to_base64`` writes it."""

    label = "base64"

    def wrap(self, inside: bytes) -> bytes:
        """The text."""
        return base64.b64encode(inside)


def _blocks(codec: BlockCodec, method: Method) -> Callable[[Secret | None], ContainerFormat]:
    return lambda _: BlockForm(codec.kind, method, BLOCK_SIZE, codec.kind.magic)


def _encrypted(version: Version) -> Callable[[Secret | None], ContainerFormat]:
    def form(secret: Secret | None) -> ContainerFormat:
        if secret is None:
            raise KeyNeeded("Encrypting needs a password or a key; give --password-file FILE or --key-file FILE.")
        return GdecForm(version, secret, b"")

    return form


FRESH: dict[str, Callable[[Secret | None], ContainerFormat]] = {
    "gcpf:fastlz": _blocks(GCPF, Method.FASTLZ),
    "gcpf:deflate": _blocks(GCPF, Method.DEFLATE),
    "gcpf:zstd": _blocks(GCPF, Method.ZSTD),
    "gcpf:gzip": _blocks(GCPF, Method.GZIP),
    "gcmp:fastlz": _blocks(GCMP, Method.FASTLZ),
    "gcmp:deflate": _blocks(GCMP, Method.DEFLATE),
    "gdec:1": _encrypted(Version.ECB),
    "gdec:2": _encrypted(Version.CFB),
    "gzip": lambda _: GzipForm(GZIP_HEAD),
    "zlib": lambda _: ZlibForm(6),
    "zstd": lambda _: ZstdForm(True, True),
    "base64": lambda _: Base64Form(),
}
"""By the name of a wrap and its mode, what makes its form with a key."""


def fresh(name: str, secret: Secret | None) -> ContainerFormat:
    """The form of a new wrap.

    Raises:
        KeyNeeded: it is encrypted, and there is no *secret*.
        WrapError: there is no such wrap.
    """
    if name not in FRESH:
        raise WrapError(f"There is no new wrap called “{name[:40]}”; there are {', '.join(FRESH)}.")
    return FRESH[name](secret)
