"""Values with pictures in them, for the tests of what values look like."""

from __future__ import annotations

import struct
import zlib

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Data, Dictionary, ObjectFull, Value

PIXELS = bytes(range(0, 240, 5))  # 4 x 3 in RGBA
BYTE_ARRAYS = {"godot3": "PoolByteArray", "godot4": "PackedByteArray"}


def png(width: int = 2, height: int = 1, rows: bytes = b"\x00\xff\x00\x00\x00\x00\xff") -> bytes:
    """A PNG in RGB; *rows* have a filter byte each."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bag(**values: Value) -> Value:
    """A Dictionary with String keys."""
    return Value("Dictionary", Dictionary(tuple((Value("String", name), value) for name, value in values.items())))


def image_data(line: str, name: str = "RGBA8", data: bytes = PIXELS, mipmaps: bool = False, width: int = 4) -> Value:
    """The dictionary that an Image of an engine line keeps its picture in; three rows."""
    return bag(
        width=Value("int", width),
        height=Value("int", 3),
        format=Value("String", name),
        mipmaps=Value("bool", mipmaps),
        data=Value(BYTE_ARRAYS[line], data),
    )


def save(line: str = "godot3", **values: Value) -> Document:
    """An open save with a Dictionary of these values."""
    raw = encode(bag(**values), load(line))
    stored = len(raw).to_bytes(4, "little") + raw
    return Document(stored, name="test", choice=ReadOptions(load(line), None, FramingKind.STORED))


def image_object(line: str, **how: Data) -> Value:
    """An Image as an object with its property."""
    return Value("Object", ObjectFull("Image", (("data", image_data(line, **how)),)))  # type: ignore[arg-type]
