"""Layers: the buffers that a file unwraps into, outermost first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from viewer.buffer import Buffer


class Codec(Protocol):
    """One kind of outer wrap."""

    name: str

    def probe(self, buffer: Buffer) -> bool:
        """Whether *buffer* is wrapped this way."""

    def unwrap(self, buffer: Buffer) -> bytes:
        """The bytes inside."""

    def rewrap(self, inside: bytes) -> bytes:
        """The bytes outside, wrapped the same way as what was unwrapped."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A decoded buffer: *codec* made it from the layer before; ``file`` for the file itself."""

    codec: str
    buffer: Buffer
