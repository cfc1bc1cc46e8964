"""Values as plain Python, from the viewer's own and from what the engines answer, so that they can be compared."""

from __future__ import annotations

import struct
from typing import Any

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.pieces.framing import FrameReader
from viewer.variant.dialect import load
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, Value


def plain(value: Value) -> Any:
    """A value of a text: dictionaries as lists of pairs, floats by their bits."""
    data = value.data
    if isinstance(data, Dictionary):
        return [(plain(key), plain(inner)) for key, inner in data.pairs]
    if isinstance(data, Array):
        return [plain(inner) for inner in data.elements]
    if isinstance(data, bool) or data is None:
        return data
    return ("float", struct.pack("<d", data)) if isinstance(data, float) else str(data)


def of_document(document: Document) -> list[Any]:
    """All values of a document."""
    return [plain(read(frame.table, 0)) for frame in document.frames]


def of_json(value: Any) -> Any:
    """What Python's own reader made of a JSON text."""
    if isinstance(value, dict):
        return [(key, of_json(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [of_json(inner) for inner in value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return ("float", struct.pack("<d", value)) if is_number else value


def of_godot4(data: bytes) -> Any:
    """What Godot 4 wrote of a value."""
    return plain(read(FrameReader(data, load("godot4")).table(Span(0, len(data)))))


def of_godot3(told: Any) -> Any:
    """What Godot 3 answers."""
    if not isinstance(told, dict):
        return told
    ((name, data), *_) = told.items()
    if name == "Dictionary":
        return [(of_godot3(key), of_godot3(value)) for key, value in data]
    if name == "Array":
        return [of_godot3(each) for each in data]
    return ("float", bytes.fromhex(told["f64"])[::-1]) if name == "float" else data
