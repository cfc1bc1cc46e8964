"""All codecs, in the order in which they are tried."""

from __future__ import annotations

from viewer.container.armor.codecs import TEXT_CODECS
from viewer.container.gcmp import GCMP
from viewer.container.gcpf import GCPF
from viewer.container.gdec import Gdec
from viewer.container.layer import Codec, WrapError
from viewer.container.streams import GZIP_STREAM, ZLIB_STREAM, ZSTD_STREAM

CODECS: tuple[Codec, ...] = (GCPF, Gdec(), GCMP, GZIP_STREAM, ZSTD_STREAM, ZLIB_STREAM, *TEXT_CODECS)
NAMES = tuple(codec.name for codec in CODECS)


def find(name: str) -> Codec:
    """The codec with a name.

    Raises:
        WrapError: there is none.
    """
    for codec in CODECS:
        if codec.name == name:
            return codec
    raise WrapError(f"There is no wrap called “{name}”; there are {', '.join(NAMES)}.")
