"""What is no stored value at all, named by its bytes; and wraps that were not taken off."""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.container.codecs import CODECS
from viewer.container.layer import WrapError
from viewer.container.secret import Secret
from viewer.document.document import Document
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.kinds.kind import FileKind
from viewer.document.reading import Choice
from viewer.document.wraps import Opening


def named(data: Buffer) -> FileKind | None:
    """What bytes are where they hold no plausible value; None for all others."""
    return foreign_kind(Document(data, choice=Choice(opening=Opening(()))))


def codec_of(data: Buffer, secret: Secret | None) -> tuple[str, bytes] | None:
    """The wrap around bytes, and what is inside; None where there is none, or it cannot be opened."""
    for codec in CODECS:
        if not codec.probe(data):
            continue
        try:
            inside = codec.unwrap(data, secret, 1 << 24).inside
        except WrapError:
            continue
        return codec.name, inside
    return None
