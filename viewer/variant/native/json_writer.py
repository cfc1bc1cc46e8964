"""Value to JSON; the form is described in :mod:`viewer.variant.native`."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias, assert_never, cast

from viewer.base.late_pattern import late_pattern
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow, by_kind
from viewer.variant.literal.names import element_key, is_broken, split_path
from viewer.variant.literal.numbers import forms, is_integer
from viewer.variant.value import (
    Array,
    Data,
    Dictionary,
    ElementType,
    Image,
    InputEvent,
    NaN,
    NodePath,
    ObjectFull,
    ObjectId,
    RawText,
    Reference,
    ReferenceKind,
    Signal,
    Value,
)

Sink: TypeAlias = "Callable[[object], None]"
Inside: TypeAlias = "list[tuple[Iterable[Value], Sink]]"
"""What is still to be written: values, and what takes the node of each."""

COLUMNS = (0, 3, 6, 1, 4, 7, 2, 5, 8)
"""Where the numbers of a 3 x 3 matrix, stored row by row, stand column by column; its own inverse."""
WHOLE = 1 << 53
"""Up to here a double holds every whole number, and so does a number of JSON."""
_SURROGATE = late_pattern("[\ud800-\udfff]")
NAN = bytes.fromhex("000000000000f87f")
PREFIXES = {"String": "s:", "StringName": "sn:", "NodePath": "np:", "int": "i:", "float": "f:"}


def to_native(value: Value, dialect: Dialect) -> object:
    """The JSON structure of a value: lists, dicts, texts, numbers, bools and None. Nothing is lost."""
    root: list[object] = []
    inside: Inside = [((value,), root.append)]
    while inside:
        values, sink = inside.pop()
        for each in values:
            row = dialect.by_name.get(each.type)
            if row is None or is_broken(row, each.data):
                sink({"type": each.type, "broken": True})
            else:
                sink(_WRITERS[row.kind](row, each.data, dialect, inside))
    return root[0]


def is_matrix(row: TypeRow) -> bool:
    """Whether the first nine numbers of a type are a 3 x 3 matrix row by row."""
    return len(row.narrow) >= 9 and row.narrow[0].name == "row0.x"


def text_node(text: str) -> object:
    """A text in a list or as a name."""
    return text if is_plain(text) else _raw_node({}, text)


def is_plain(text: str) -> bool:
    """Whether JSON can hold a text as it is: it has no bytes of its own and no surrogates, which JSON would pair."""
    return not isinstance(text, RawText) and _SURROGATE.search(text) is None


def _raw_node(node: dict[str, object], text: str) -> dict[str, object]:
    raw = text.raw if isinstance(text, RawText) else text.encode(errors="surrogatepass")
    return {**node, "text": str(text), "raw": raw.hex()}


def _number(number: float, form: str) -> object:
    """A number of ``args``: whole ones that a double cannot hold as digits, which the engine reads to the last one."""
    if is_integer(form):
        return int(number) if abs(number) <= WHOLE else str(int(number))
    return float(number) if not math.isnan(number) else "nan"


def _args(node: dict[str, object], flat: Iterable[float], kinds: tuple[str, ...]) -> dict[str, object]:
    """Add the numbers and the bits of the NaNs among them."""
    args: list[object] = []
    bits: dict[str, object] = {}
    for k, number in enumerate(flat):
        args.append(_number(number, kinds[k % len(kinds)]))
        if isinstance(number, NaN):
            bits[str(k)] = number.raw[::-1].hex()
    node["args"] = args
    if bits:
        node["bits"] = bits
    return node


def _fixed(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    kinds = forms(row, Precision.SINGLE)
    if isinstance(data, tuple):
        flat = cast("tuple[float, ...]", data)
        if is_matrix(row):
            flat = tuple(flat[k] for k in COLUMNS) + flat[9:]
        return _args({"type": row.name}, flat, kinds)
    if row.name in ("Nil", "bool"):
        return data
    if row.name == "int":
        return f"i:{cast(int, data)}"
    if row.name == "float":
        if isinstance(data, NaN) and data.raw != NAN:
            return _args({"type": row.name}, (data,), kinds)
        return f"f:{float(cast(float, data))!r}"
    return {"type": row.name, "id": f"{data:d}"} if isinstance(data, int) and data else {"type": row.name}


def _string(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    text, prefix = cast(str, data), PREFIXES.get(row.name)  # the name of a resource in a text has none
    return prefix + text if prefix is not None and is_plain(text) else _raw_node({"type": row.name}, text)


def _node_path(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    path = cast(NodePath, data)
    parts = (*path.names, *path.subnames, path.prop or "")
    if split_path(path.text, dialect) == path and all(map(is_plain, parts)):
        return PREFIXES[row.name] + path.text
    return {
        "type": row.name,
        "names": [text_node(name) for name in path.names],
        "subnames": [text_node(name) for name in path.subnames],
        "absolute": path.absolute,
        "property": None if path.prop is None else text_node(path.prop),
    }


def _object(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    if isinstance(data, ObjectId):
        return {"type": row.name, "id": str(data.id)}
    if data is None:
        return {"type": row.name}
    full = cast(ObjectFull, data)
    props: list[object] = []
    for name, value in full.properties:
        props += [text_node(name), None]
        inside.append(((value,), partial(props.__setitem__, len(props) - 1)))
    return {"type": text_node(full.class_name), "props": props}


def _reference(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    if data is None:
        return {"type": row.name}
    found = cast(Reference, data)
    if found.kind is ReferenceKind.PATH:
        return {"type": row.name, "class": text_node(found.type), "path": text_node(found.path)}
    return {"type": row.name, found.kind.name.lower(): found.number}


def _signal(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    signal = cast(Signal, data)
    if not signal.name and not signal.object_id and not isinstance(signal.name, RawText):
        return {"type": row.name}
    return {"type": row.name, "name": text_node(signal.name), "id": str(signal.object_id)}


def element_node(element: ElementType, dialect: Dialect) -> object:
    """An element type: its name where that says it all."""
    name = element_key(element, dialect)
    if name is not None and is_plain(name):
        return name
    return {
        "builtin": element.builtin,
        "class": None if element.class_name is None else text_node(element.class_name),
        "script": None if element.script is None else text_node(element.script),
        "ids": element.as_ids,
    }


def _array(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    array = cast(Array, data)
    args: list[object] = []
    inside.append((array.elements, args.append))
    if row.kind is Kind.ARRAY and array.element_type is None and not array.shared:
        return args
    node: dict[str, object] = {"type": row.name}
    if array.element_type is not None:
        node["elem_type"] = element_node(array.element_type, dialect)
    if array.shared:
        node["shared"] = True
    node["args"] = args
    return node


def _dictionary(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    table = cast(Dictionary, data)
    node: dict[str, object] = {"type": row.name}
    if table.key_type is not None:
        node["key_type"] = element_node(table.key_type, dialect)
    if table.value_type is not None:
        node["value_type"] = element_node(table.value_type, dialect)
    if table.shared:
        node["shared"] = True
    args: list[object] = []
    inside.append(((part for pair in table.pairs for part in pair), args.append))
    node["args"] = args
    return node


def _packed(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    kinds = forms(row, Precision.SINGLE)
    if isinstance(data, bytes):
        return {"type": row.name, "args": list(data)}
    if len(kinds) == 1:
        return _args({"type": row.name}, cast("tuple[float, ...]", data), kinds)
    groups = cast("tuple[tuple[float, ...], ...]", data)
    return _args({"type": row.name}, (number for group in groups for number in group), kinds)


def _packed_strings(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    return {"type": row.name, "args": [text_node(text) for text in cast("tuple[str, ...]", data)]}


def _image(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    image = cast(Image, data)
    return {
        "type": row.name,
        "format": image.format,
        "mipmaps": image.mipmaps,
        "width": image.width,
        "height": image.height,
        "data": base64.b64encode(image.data).decode("ascii"),
    }


def _input_event(row: TypeRow, data: Data, dialect: Dialect, inside: Inside) -> object:
    event = cast(InputEvent, data)
    node: dict[str, object] = {"type": row.name, "event": event.type, "device": event.device}
    node["names"] = [name for name, _ in event.fields]
    kinds = tuple("f64" if isinstance(number, float) else "i64" for _, number in event.fields)
    return _args(node, [number for _, number in event.fields], kinds)


def _writer(kind: Kind) -> Callable[[TypeRow, Data, Dialect, Inside], object]:
    match kind:
        case Kind.FIXED:
            return _fixed
        case Kind.STRING:
            return _string
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return _node_path
        case Kind.OBJECT | Kind.RESOURCE | Kind.NULL_OBJECT:
            return _object
        case Kind.REFERENCE:
            return _reference
        case Kind.SIGNAL:
            return _signal
        case Kind.DICTIONARY:
            return _dictionary
        case Kind.ARRAY | Kind.TYPED_ARRAY:
            return _array
        case Kind.PACKED:
            return _packed
        case Kind.PACKED_STRINGS:
            return _packed_strings
        case Kind.IMAGE:
            return _image
        case Kind.INPUT_EVENT:
            return _input_event
        case _:
            assert_never(kind)


_WRITERS = by_kind(_writer)
