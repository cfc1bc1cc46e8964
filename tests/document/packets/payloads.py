"""The payloads of the corpus as conversations, and its values beside ours."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

import corpus

from viewer.document.packets.conversation import Flow, PayloadSample
from viewer.document.packets.godot4 import decode
from viewer.document.pieces.message import FieldRole, Message, MessageField
from viewer.variant.dialect import load
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Array, Dictionary, NodePath, ObjectFull, ObjectId, Value

FROM_SERVER = {"c2s": False, "s2c": True}


def carrier(row: dict[str, Any]) -> str:
    """How a payload travelled, in the words of the program."""
    if "websocket" in row["layers"]:
        return "WebSocket"
    if "enet" in row["layers"] or row.get("synthetic"):
        return "ENet reliable"
    return "TCP" if "tcp" in row["layers"] else "UDP"


def sample(row: dict[str, Any]) -> PayloadSample:
    """A row as a payload."""
    from_server = FROM_SERVER.get(row.get("direction", ""))
    return PayloadSample(bytes.fromhex(row["payload_hex"]), from_server, carrier(row), row.get("channel"))


def conversations() -> dict[str, list[dict[str, Any]]]:
    """The rows of each conversation in order; a synthetic one has only rows of one engine."""
    out: dict[str, list[dict[str, Any]]] = {}
    for row in corpus.payloads():
        which = row["engine"] if row.get("synthetic") else row.get("port")
        out.setdefault(f"{row['scenario']} {which} {carrier(row)}", []).append(row)
    return out


def explained(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Message]]:
    """Each row with its message."""
    rows = list(rows)
    flow = Flow()
    flow.learn(map(sample, rows))
    for row in rows:
        yield row, flow.explain(sample(row))


def flat(pieces: Iterable[MessageField]) -> Iterator[MessageField]:
    """Pieces with all that they consist of, each before its parts."""
    for piece in pieces:
        yield piece
        yield from flat(piece.children)


def texts(message: Message) -> dict[str, str]:
    """The text of each piece by its name; of equal names the first."""
    out: dict[str, str] = {}
    for piece in flat(message.pieces):
        out.setdefault(piece.name, piece.text)
    return out


def values(message: Message, data: bytes) -> list[Value]:
    """All values of a message; the one array of bytes of a raw call too."""
    out = []
    for piece in flat(message.pieces):
        start, end = piece.span.start, piece.span.end
        if piece.role is FieldRole.VALUE:
            out.append(read(scan(data[start:end], message.dialect or load("godot4"))))
        elif piece.role is FieldRole.COMPRESSED:
            short = decode(data, start, end)
            assert short is not None
            out.append(Value("bool" if isinstance(short.value, bool) else "int", short.value))
        elif piece.name == "argument 1":
            out.append(Value("PackedByteArray", data[start:end]))
    return out


def expected_values(row: dict[str, Any]) -> list[Any]:
    """The values that the corpus names for a payload."""
    items = row.get("packet", {}).get("items", ())
    return row["values"] or [value for item in items for value in item["values"]]


def same(value: Value, node: Any) -> bool:
    """Whether a value is what the corpus says."""
    if node is None or isinstance(node, bool):
        return value.data is node
    if "float" in node:
        return isinstance(value.data, float) and struct.pack(">d", value.data).hex() == node["f64"]
    kind, held = next(iter(node.items()))
    return (value.type == "String" if kind == "str" else value.type == kind) and _same_data(value.data, held)


def _same_data(data: Any, held: Any) -> bool:
    if isinstance(data, Array):
        return len(data.elements) == len(held) and all(map(same, data.elements, held))
    if isinstance(data, Dictionary):
        pairs = zip(data.pairs, held, strict=True)
        return all(same(ours[0], theirs[0]) and same(ours[1], theirs[1]) for ours, theirs in pairs)
    if isinstance(data, NodePath):
        ours = [data.absolute, list(data.names), list(data.subnames)]
        return ours == [held["absolute"], list(_leaves(held["names"])), list(_leaves(held["subnames"]))]
    if isinstance(data, ObjectId):
        return str(data.id) == str(held["id"])
    if isinstance(data, ObjectFull):
        return data.class_name == held["class"] and [name for name, _ in data.properties] == [
            key["str"] for key, _ in held["props"]
        ]
    if isinstance(data, bytes):
        return data.hex() == held
    if isinstance(data, str):
        return data == held
    return sorted(map(str, _leaves(data))) == sorted(map(str, _leaves(held)))


def _leaves(data: Any) -> Iterator[object]:
    """Numbers and texts, however they are grouped."""
    if isinstance(data, dict):
        data = tuple(data.values())
    if isinstance(data, list | tuple):
        for each in data:
            yield from _leaves(each)
    else:
        try:
            yield float(data)
        except ValueError:
            yield data
