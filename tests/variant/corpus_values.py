"""The golden vectors' own value JSON as values, and an exact comparison.

Two notations stand in the vectors: Godot 3 names the type as a key (``{"int": "5"}``, ``{"Vector2": [...], "f32":
[...]}``), the others tell it apart (``{"t": "Vector2", "v": [...], "bits": [...]}``). Bits decide floats in both.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

from viewer.variant.dialect import Dialect, Kind, TypeRow, input_event, load
from viewer.variant.value import (
    Array,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NaN,
    NodePath,
    ObjectFull,
    ObjectId,
    RawText,
    Signal,
    Value,
    float_from,
)

DIALECTS = {
    "godot2": "godot2",
    "godot3": "godot3",
    "godot4": "godot4",
    "godot4-double": "godot4",
    "pandemonium4": "pandemonium4",
    "pandemonium5": "pandemonium5",
    "godot4.0": "godot4.0",
    "pandemonium3.5": "pandemonium3.5",
}
"""The dialect of each folder of golden vectors."""

_MARKED = re.compile(r"<U\+([0-9A-F]{4})>")
_KEYS = (("alt", 1 << 26), ("shift", 1 << 25), ("control", 1 << 28), ("meta", 1 << 27))


def expected_value(vector: dict[str, Any], dialect: Dialect) -> Value:
    """What the bytes of a vector hold.

    Raises:
        KeyError: the vector holds no value (the engine refused to encode it).
    """
    if "depth" in vector and "value" not in vector:
        return _nested(vector)
    if "tid" in vector:
        read_back = not vector["roundtrip"] and not vector["volatile"]
        return _Godot3(dialect).value(vector["rt_value" if read_back else "value"])
    node = vector["wire_value"] if "wire_value" in vector else vector["value"]
    if isinstance(node, dict) and "codepoints" in node and "decoded_value" in vector:
        node = vector["decoded_value"]  # what is in memory is written as other characters
    return _Tagged(dialect, vector.get("full_objects", False)).value(node)


def godot3_value(told: Any) -> Value:
    """The value that Godot 3 tells."""
    return _Godot3(load("godot3")).value(told)


def _nested(vector: dict[str, Any]) -> Value:
    """The value of a vector that only tells its type and how many levels lie below its root."""
    inner = Value("int", 7) if "_int_" in vector["id"] else _level(vector["type"], ())
    for _ in range(vector["depth"]):
        inner = _level(vector["type"], (inner,))
    return inner


def _level(name: str, inner: tuple[Value, ...]) -> Value:
    return Value(name, Array(inner) if name == "Array" else Dictionary(tuple((Value("String", "k"), v) for v in inner)))


def float_of(digits: str) -> float:
    """The float of 8 or 16 hexadecimal digits, highest first."""
    return float_from(bytes.fromhex(digits)[::-1])


class _Tagged:
    """``{"t": type, "v": ..., "bits": [...]}``; *full* says that objects are written whole."""

    def __init__(self, dialect: Dialect, full: bool = False) -> None:
        self.dialect = dialect
        self.full = full

    def value(self, node: Any) -> Value:
        if node is None:
            return Value("Nil")
        if isinstance(node, bool):
            return Value("bool", node)
        row = self.dialect.by_name[node["t"]]
        return Value(row.name, _TAGGED[row.kind](self, row, node)) if self._is_written(row, node) else Value("Nil")

    @staticmethod
    def _is_written(row: TypeRow, node: Any) -> bool:
        """Whether the type stands in the bytes: engines that write objects write a null one as Nil."""
        return row.kind is not Kind.OBJECT or "class" in node or "object_id" in node

    def fixed(self, row: TypeRow, node: Any) -> Any:
        if row.name == "RID":
            return int(node["v"]) if row.narrow else None
        if row.name == "Callable":
            return None
        if row.name == "int":
            return int(node["v"])
        if row.name == "float":
            return float_of(node.get("bits32") or node["bits"])
        return tuple(self.numbers(node))

    def numbers(self, node: Any) -> list[int | float]:
        return [float_of(bits) for bits in node["bits"]] if "bits" in node else [int(number) for number in node["v"]]

    def string(self, row: TypeRow, node: Any) -> Any:
        return _spelt(node["codepoints"]) if "codepoints" in node else _marked(node["v"])

    def node_path(self, row: TypeRow, node: Any) -> Any:
        names, subnames = map(_marked, node["names"]), map(_marked, node["subnames"])
        return NodePath(tuple(names), tuple(subnames), node["absolute"], node.get("property") or None)

    def object(self, row: TypeRow, node: Any) -> Any:
        if "props" in node:
            return ObjectFull(node["class"], tuple((name, self.value(value)) for name, value in node["props"]))
        if self.full and "object_id" in node:
            signed = int.from_bytes(int(node["object_id"]).to_bytes(8, "little"), "little", signed=True)
            return ObjectFull(node["class"], (("object_id", Value("int", signed)), ("script", Value("Nil"))))
        return ObjectId(int(node["object_id"])) if "object_id" in node else None

    def signal(self, row: TypeRow, node: Any) -> Any:
        return Signal(node["v"]["name"], int(node["v"]["object_id"]))

    def dictionary(self, row: TypeRow, node: Any) -> Any:
        pairs = tuple((self.value(key), self.value(value)) for key, value in node["v"])
        types = self.element(row, node.get("key_type")), self.element(row, node.get("value_type"))
        return Dictionary(pairs, *types, shared=node.get("shared", False))

    def array(self, row: TypeRow, node: Any) -> Any:
        elements = tuple(map(self.value, node["v"]))
        return Array(elements, self.element(row, node.get("element_type")), node.get("shared", False))

    def element(self, row: TypeRow, node: Any) -> ElementType | None:
        """An element type. Pandemonium's names a class beside the number, or tells that the elements are ids."""
        if node is None or (row.kind is not Kind.TYPED_ARRAY and not self.dialect.rules.typed_arrays):
            return None
        is_object = node["builtin"] == self.dialect.type_number("Object")
        if row.kind is Kind.TYPED_ARRAY:
            if not is_object:
                return ElementType(builtin=node["builtin"])
            as_ids = node["class"] == "EncodedObjectAsID"
            return ElementType(node["builtin"], None if as_ids else node["class"], None, as_ids)
        if node.get("script"):
            return ElementType(script=node["script"])
        if node.get("class"):
            return ElementType(class_name=node["class"])
        return ElementType(builtin=node["builtin"]) if node["builtin"] else None

    def packed(self, row: TypeRow, node: Any) -> Any:
        return bytes.fromhex(node["hex"]) if "hex" in node else _grouped(self.numbers(node), len(row.narrow))

    def packed_strings(self, row: TypeRow, node: Any) -> Any:
        return tuple(map(_marked, node["v"]))

    def image(self, row: TypeRow, node: Any) -> Any:
        data = bytes.fromhex(node["data_hex"])
        return Image(node["format"], node["mipmaps"], node["width"], node["height"], data)

    def input_event(self, row: TypeRow, node: Any) -> Any:
        modifiers = sum(bit for key, bit in _KEYS if node.get(key))
        known = {**node, "modifiers": modifiers}
        fields = ((field.name, known[field.name]) for field in input_event(node["type"]).fields)
        return InputEvent(node["type"], node["device"], tuple(fields))


_TAGGED: dict[Kind, Callable[[_Tagged, TypeRow, Any], Any]] = {
    Kind.FIXED: _Tagged.fixed,
    Kind.STRING: _Tagged.string,
    Kind.NODE_PATH: _Tagged.node_path,
    Kind.OBJECT: _Tagged.object,
    Kind.NULL_OBJECT: _Tagged.object,
    Kind.SIGNAL: _Tagged.signal,
    Kind.DICTIONARY: _Tagged.dictionary,
    Kind.ARRAY: _Tagged.array,
    Kind.TYPED_ARRAY: _Tagged.array,
    Kind.PACKED: _Tagged.packed,
    Kind.PACKED_STRINGS: _Tagged.packed_strings,
    Kind.IMAGE: _Tagged.image,
    Kind.INPUT_EVENT: _Tagged.input_event,
}


class _Godot3:
    """``{type: ..., "f32": ...}``; matrices by axis, though the bytes hold them by row."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def value(self, node: Any) -> Value:
        if node is None:
            return Value("Nil")
        if isinstance(node, bool):
            return Value("bool", node)
        key = next(iter(node))
        data = node[key]
        if key == "str":
            return Value("String", self.text(node))
        if key == "Object":
            return self.object(data)
        reader = _GODOT3.get(key)
        return Value(key, reader(self, data, node) if reader else self.numbers(key, data, node))

    def text(self, node: Any) -> str:
        if node["str"] is not None:
            return str(node["str"])
        raw = bytes.fromhex(node["utf8"])
        try:
            return raw.decode(errors="surrogatepass")
        except UnicodeDecodeError:
            return RawText("\ufffd", raw)

    def numbers(self, key: str, data: Any, node: Any) -> Any:
        """A type of several numbers, or an array of numbers or groups of them."""
        row = self.dialect.by_name[key]
        if "f32" not in node:
            return tuple(map(int, data))
        flat = [float_of(digits) for digits in _flat(node["f32"])]
        return tuple(flat) if row.kind is Kind.FIXED else _grouped(flat, len(row.narrow))

    def object(self, node: Any) -> Value:
        if node is None:
            return Value("Nil")
        if "props" not in node:
            return Value("Object", ObjectId(int(node["id"])))
        props = tuple((self.text(name), self.value(value)) for name, value in node["props"])
        return Value("Object", ObjectFull(node["class"], props))

    def node_path(self, data: Any, node: Any) -> NodePath:
        return NodePath(tuple(map(self.text, data["names"])), tuple(map(self.text, data["subnames"])), data["absolute"])

    def dictionary(self, data: Any, node: Any) -> Dictionary:
        return Dictionary(tuple((self.value(key), self.value(value)) for key, value in data))

    def array(self, data: Any, node: Any) -> Array:
        return Array(tuple(map(self.value, data)))


_GODOT3: dict[str, Callable[[_Godot3, Any, Any], Any]] = {
    "int": lambda self, data, node: int(data),
    "float": lambda self, data, node: float_of(node["f64"]),
    "RID": lambda self, data, node: None,
    "NodePath": _Godot3.node_path,
    "Dictionary": _Godot3.dictionary,
    "Array": _Godot3.array,
    "PoolByteArray": lambda self, data, node: bytes.fromhex(data),
    "PoolStringArray": lambda self, data, node: tuple(map(self.text, data)),
}


def _marked(text: str) -> str:
    """The text with its ``<U+D800>`` marks as the lone surrogates that they stand for."""
    return _MARKED.sub(lambda match: chr(int(match[1], 16)), text)


def _spelt(points: list[int]) -> str:
    """The text of code points, of which some are none of Unicode's and are written in up to six bytes."""
    text = "".join(chr(point) if point <= 0x10FFFF else "\ufffd" for point in points)
    raw = b"".join(map(_utf8, points))
    return text if text.encode(errors="surrogatepass") == raw else RawText(text, raw)


def _utf8(point: int) -> bytes:
    if point <= 0x10FFFF:
        return chr(point).encode(errors="surrogatepass")
    size = next(size for size in (4, 5, 6) if point < 1 << (5 * size + 1))
    tail = (0x80 | point >> 6 * k & 0x3F for k in reversed(range(size - 1)))
    return bytes((0xFF << (8 - size) & 0xFF | point >> 6 * (size - 1), *tail))


def _grouped(flat: list[int | float], size: int) -> Any:
    return tuple(flat) if size == 1 else tuple(zip(*[iter(flat)] * size, strict=True))


def _flat(digits: Any) -> Iterator[str]:
    """The hexadecimal words of a list, of lists, or of axes, in wire order."""
    if isinstance(digits, str):
        yield digits
    elif isinstance(digits, dict) and "z" in digits:
        for row in zip(digits["x"], digits["y"], digits["z"], strict=True):
            yield from row
        yield from digits.get("origin", ())
    else:
        for part in (digits["x"], digits["y"], digits["origin"]) if isinstance(digits, dict) else digits:
            yield from _flat(part)


def same(a: Value, b: Value) -> bool:
    """Whether two values are the same to the last bit, however deep they nest.

    Floats compare by their bits, so -0.0 is not 0.0. Two NaNs that remember their bits must have the same; else any two
    NaNs do. A text that remembers its bytes is the same as the one that it reads as, and as the one that they spell.
    """
    pairs: list[tuple[Any, Any]] = [(a, b)]
    while pairs:
        x, y = pairs.pop()
        if isinstance(x, float) and isinstance(y, float):
            if not _same_float(x, y):
                return False
        elif isinstance(x, str) and isinstance(y, str):
            if not _same_text(x, y):
                return False
        elif type(x) is not type(y):
            return False
        elif isinstance(x, tuple) or hasattr(x, "__dataclass_fields__"):
            inner = (x, y) if isinstance(x, tuple) else (_parts(x), _parts(y))
            if len(inner[0]) != len(inner[1]):
                return False
            pairs.extend(zip(*inner, strict=True))
        elif x != y:
            return False
    return True


def _parts(thing: Any) -> tuple[Any, ...]:
    return tuple(getattr(thing, name) for name in thing.__dataclass_fields__)


def _same_float(x: float, y: float) -> bool:
    if math.isnan(x) or math.isnan(y):
        if isinstance(x, NaN) and isinstance(y, NaN):
            return x.raw == y.raw
        return math.isnan(x) and math.isnan(y)
    return struct.pack("<d", x) == struct.pack("<d", y)


def _same_text(x: str, y: str) -> bool:
    if isinstance(x, RawText) and isinstance(y, RawText):
        return x.raw == y.raw
    spelt = [text.raw if isinstance(text, RawText) else text.encode(errors="surrogatepass") for text in (x, y)]
    return str.__eq__(x, y) or spelt[0] == spelt[1]
