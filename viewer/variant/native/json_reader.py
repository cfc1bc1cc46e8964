"""JSON to value; the form is described in :mod:`viewer.variant.native`."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Callable
from typing import TypeAlias, assert_never

from viewer.base.record import dataclass, field
from viewer.variant.dialect import Dialect, Kind, Precision, TypeRow, by_kind, input_event
from viewer.variant.literal.build import grouped
from viewer.variant.literal.names import keyed_element, nearest, resolve, split_path
from viewer.variant.literal.numbers import NUMBER, RANGES, SPOKEN, floating, forms, is_integer, to_f32, whole
from viewer.variant.native.json_writer import COLUMNS, NAN, PREFIXES, is_matrix
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
    float_from,
)

# The pieces of JSON that values are read from, each checked: numbers, texts, element types.
#
# Every function here raises :class:`FaultError` where the piece is missing or not what belongs there.

Node: TypeAlias = "dict[str, object]"
_DIGITS = re.compile("-?[0-9]{1,20}")
_WORDS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_JSON_NAMES = {bool: "a bool", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}
_LARGEST = 1 << 1024


class FaultError(Exception):
    """What is wrong, and where inside the node at hand."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(reason)
        self.place = place


def type_row(name: str, dialect: Dialect) -> TypeRow:
    """The row of a type named as in any engine line."""
    row = resolve(name, dialect)
    if row is None:
        other = nearest(name, dialect)
        hint = "" if other is None else f" The nearest is {other}."
        raise FaultError(f"{dialect.name} has no type “{name[:40]}”.{hint}")
    return row


def number_of(node: object, form: str, place: str) -> int | float:
    """The number of a JSON number or of a word for one that JSON lacks.

    Raises:
        FaultError: it is none, or does not fit the form.
    """
    if isinstance(node, str) and node in _WORDS:
        node = _WORDS[node]
    elif isinstance(node, str) and is_integer(form) and _DIGITS.fullmatch(node):
        node = int(node)
    if isinstance(node, bool) or not isinstance(node, int | float):
        raise FaultError(f"A number belongs here, not {spoken(node)}.", place)
    if is_integer(form):
        return _integer(node, form, place)
    if isinstance(node, int) and abs(node) >= _LARGEST:
        raise FaultError("The number is too large for a float.", place)
    try:
        double = node if isinstance(node, NaN) else float(node)
    except OverflowError:
        raise FaultError("The number is too large for a float.", place) from None
    single = to_f32(double) if form == "f32" and not isinstance(double, NaN) else double
    if single is None:
        raise FaultError("The number is too large for a 32-bit float.", place)
    return single


def _integer(node: int | float, form: str, place: str) -> int:
    if isinstance(node, float) and not node.is_integer():
        raise FaultError(f"{node!r} is not whole, but {SPOKEN[form]} has no fraction.", place)
    low, high = RANGES[form]
    if not low <= node <= high:
        raise FaultError(f"The number does not fit {SPOKEN[form]}, {low} to {high}.", place)
    return int(node)


def spoken(node: object) -> str:
    """What to call a JSON value in a message."""
    return "null" if node is None else _JSON_NAMES.get(type(node), type(node).__name__)


def items_of(node: Node, key: str) -> list[object]:
    """The list under a key."""
    items = node.get(key)
    if not isinstance(items, list):
        reason = f"The list “{key}” is missing." if key not in node else f"A list belongs here, not {spoken(items)}."
        raise FaultError(reason, f".{key}" if key in node else "")
    return items


def flag_of(node: Node, key: str) -> bool:
    """The bool under a key; False where there is none."""
    flag = node.get(key, False)
    if not isinstance(flag, bool):
        raise FaultError(f"true or false belongs here, not {spoken(flag)}.", f".{key}")
    return flag


def word_of(node: Node, key: str, form: str) -> int:
    """A whole number under a key; also as a text, since many JSON readers round large ones."""
    number = node.get(key)
    if isinstance(number, str) and NUMBER.fullmatch(number):
        number = whole(number)
    return int(number_of(number, form, f".{key}"))


def text_of(node: object, place: str) -> str:
    """A text, plain or with bytes of its own."""
    if isinstance(node, str):
        return node
    text, raw = (node.get("text"), node.get("raw")) if isinstance(node, dict) else (None, None)
    if not isinstance(text, str) or not isinstance(raw, str):
        raise FaultError(f"A text belongs here, not {spoken(node)}.", place)
    return _raw_text(text, _bytes(raw, place))


def _raw_text(text: str, raw: bytes) -> str:
    """A text with bytes of its own; a plain one where they only spell surrogates, which JSON may have paired."""
    spelt = raw.decode(errors="surrogatepass") if _is_spelt(raw) else text
    pairs = spelt.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")
    return spelt if pairs and spelt.encode(errors="surrogatepass") == raw else RawText(text, raw)


def _is_spelt(raw: bytes) -> bool:
    try:
        raw.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def texts_of(node: Node, key: str) -> tuple[str, ...]:
    """The list of texts under a key."""
    return tuple(text_of(text, f".{key}[{k}]") for k, text in enumerate(items_of(node, key)))


def _bytes(digits: object, place: str) -> bytes:
    try:
        if isinstance(digits, str):
            return bytes.fromhex(digits)
    except ValueError:
        pass
    raise FaultError("Bytes in hexadecimal digits belong here.", place)


def numbers_of(node: Node, kinds: tuple[str, ...]) -> list[int | float]:
    """The numbers of ``args``, those NaNs with bits among them."""
    items = items_of(node, "args")
    flat = [number_of(item, kinds[k % len(kinds)], f".args[{k}]") for k, item in enumerate(items)]
    bits = node.get("bits", {})
    if not isinstance(bits, dict):
        raise FaultError(f"An object belongs here, not {spoken(bits)}.", ".bits")
    for key, digits in bits.items():
        place = f".bits.{key}"
        raw = _bytes(digits, place)[::-1]
        number = float_from(raw) if len(raw) in (4, 8) else 0.0
        at = int(key) if isinstance(key, str) and key.isdecimal() and len(key) < 12 else len(flat)
        if at >= len(flat) or not isinstance(number, NaN) or flat[at] == flat[at]:
            raise FaultError("The bits of a NaN in args belong here, 8 or 16 hexadecimal digits.", place)
        flat[at] = number
    return flat


def element_of(node: Node, key: str, dialect: Dialect) -> ElementType | None:
    """The element type under a key; None where there is none."""
    if key not in node:
        return None
    name = node[key]
    if isinstance(name, str):
        return keyed_element(name, dialect)
    if not isinstance(name, dict):
        raise FaultError(f"A type's name belongs here, not {spoken(name)}.", f".{key}")
    builtin, class_name, script = name.get("builtin"), name.get("class"), name.get("script")
    return ElementType(
        None if builtin is None else int(number_of(builtin, "u32", f".{key}.builtin")),
        None if class_name is None else text_of(class_name, f".{key}.class"),
        None if script is None else text_of(script, f".{key}.script"),
        flag_of(name, "ids"),
    )


_TYPES = {prefix: name for name, prefix in PREFIXES.items()}


class NativeError(ValueError):
    """JSON that stands for no value of the dialect, in one sentence.

    Attributes:
        path: where in the JSON, like ``$.args[3]``.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"At {path}: {reason}")
        self.path = path


@dataclass(slots=True)
class _Frame:
    """A value that holds others, while it is read: their nodes, where they stand, and what becomes of them."""

    nodes: list[object]
    places: Callable[[int], str]
    finish: Callable[[tuple[Value, ...]], Value]
    values: list[Value] = field(default_factory=list)


def from_native(data: object, dialect: Dialect) -> Value:
    """The value of a JSON structure: our own, the engine's, or plain JSON.

    Raises:
        NativeError: it stands for no value of this dialect.
    """
    stack: list[_Frame] = []
    node = data
    try:
        while True:
            begun = _begin(node, dialect)
            if isinstance(begun, _Frame):
                stack.append(begun)
            elif stack:
                stack[-1].values.append(begun)
            else:
                return begun
            while len(stack[-1].values) == len(stack[-1].nodes):
                frame = stack.pop()
                done = frame.finish(tuple(frame.values))
                if not stack:
                    return done
                stack[-1].values.append(done)
            node = stack[-1].nodes[len(stack[-1].values)]
    except FaultError as fault:
        path = "".join(frame.places(len(frame.values)) for frame in stack)
        raise NativeError(f"${path}{fault.place}", str(fault)) from None


def _begin(node: object, dialect: Dialect) -> Value | _Frame:
    if node is None:
        return Value("Nil")
    if isinstance(node, bool):
        return Value("bool", node)
    if isinstance(node, int | float):
        row = dialect.by_name["int" if isinstance(node, int) else "float"]
        return Value(row.name, number_of(node, forms(row, Precision.SINGLE)[0], ""))
    if isinstance(node, str):
        return _prefixed(node, dialect)
    if isinstance(node, list):
        return _Frame(node, lambda k: f"[{k}]", lambda values: Value("Array", Array(values)))
    if isinstance(node, dict):
        return _typed(node, dialect) if "type" in node else _plain(node)
    raise FaultError(f"{type(node).__name__} is not JSON.")


def _plain(node: Node) -> _Frame:
    """A JSON object that names no type: a Dictionary with String keys."""
    keys = list(node)
    for key in keys:
        if not isinstance(key, str):
            raise FaultError("A key of a JSON object is a text.")

    def finish(values: tuple[Value, ...]) -> Value:
        names = (Value("String", key) for key in keys)
        return Value("Dictionary", Dictionary(tuple(zip(names, values, strict=True))))

    return _Frame(list(node.values()), lambda k: f".{keys[k]}", finish)


def _prefixed(text: str, dialect: Dialect) -> Value:
    prefix, colon, rest = text.partition(":")
    name = _TYPES.get(prefix + colon)
    if name is None:
        return Value("String", text)
    row = type_row(name, dialect)
    if name == "NodePath":
        path = split_path(rest, dialect)
        if path is None:
            raise FaultError("A node path cannot have an empty name between two colons.")
        return Value(name, path)
    if name in ("int", "float"):
        return Value(name, _scalar(rest, name, row))
    return Value(name, rest)


def _scalar(text: str, name: str, row: TypeRow) -> int | float:
    """The number behind ``i:`` or ``f:``."""
    form = forms(row, Precision.SINGLE)[0]
    if name == "float" and text == "nan":
        return NaN(NAN)
    number: int | float | None = whole(text) if name == "int" and NUMBER.fullmatch(text) else floating(text)
    if number is None or (name == "int" and not isinstance(number, int)):
        raise FaultError(f"“{text[:40]}” is no {name}.")
    if isinstance(number, float) and math.isinf(number) and "inf" not in text.lower():
        raise FaultError(f"“{text[:40]}” is too large for a float.")
    return number_of(number, form, "")


def _typed(node: Node, dialect: Dialect) -> Value | _Frame:
    """A JSON object that names its type."""
    if "broken" in node:
        raise FaultError("This value was broken where it was read: its content is missing.")
    if "props" in node:
        return _object(node, dialect)
    name = node["type"]
    if not isinstance(name, str):
        raise FaultError(f"A type's name belongs here, not {spoken(name)}.", ".type")
    row = type_row(name, dialect)
    return _READERS[row.kind](row, node, dialect)


def _fixed(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    kinds = forms(row, Precision.SINGLE)
    if row.name in ("RID", "Callable"):
        number = word_of(node, "id", "u64") if row.narrow and "id" in node else 0
        return Value(row.name, number if row.narrow else None)
    if row.name in ("Nil", "bool") or (row.name == "int" and "args" not in node):
        raise FaultError(f"{row.name} is written without its name.")
    flat = numbers_of(node, kinds)
    if len(flat) != len(kinds):
        raise FaultError(f"{row.name} takes {len(kinds)} numbers, not {len(flat)}.", ".args")
    if is_matrix(row):
        flat = [flat[k] for k in COLUMNS] + flat[9:]
    return Value(row.name, flat[0] if len(flat) == 1 else tuple(flat))


def _string(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    return Value(row.name, text_of(node if "raw" in node else node.get("text"), ".text"))


def _node_path(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    prop = node.get("property")
    return Value(
        row.name,
        NodePath(
            texts_of(node, "names"),
            texts_of(node, "subnames"),
            flag_of(node, "absolute"),
            None if prop is None else text_of(prop, ".property"),
        ),
    )


def _object(node: Node, dialect: Dialect) -> _Frame:
    """An object with its class and properties."""
    class_name = text_of(node["type"], ".type")
    row = dialect.by_name["Object"]
    if row.kind is not Kind.OBJECT:
        raise FaultError(f"{dialect.name} writes no objects.")
    props = items_of(node, "props")
    if len(props) % 2:
        raise FaultError("The last property has a name but no value.", ".props")
    names = [text_of(name, f".props[{2 * k}]") for k, name in enumerate(props[::2])]

    def finish(values: tuple[Value, ...]) -> Value:
        return Value(row.name, ObjectFull(class_name, tuple(zip(names, values, strict=True))))

    return _Frame(props[1::2], lambda k: f".props[{2 * k + 1}]", finish)


def _object_id(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    if "id" not in node:
        return Value(row.name, None)
    if row.kind is not Kind.OBJECT:
        raise FaultError(f"{dialect.name} writes no ids of objects.", ".id")
    return Value(row.name, ObjectId(word_of(node, "id", "u64")))


def _reference(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    """Another resource, in a binary resource."""
    if "path" in node:
        found = Reference(
            ReferenceKind.PATH, 0, text_of(node.get("class", ""), ".class"), text_of(node["path"], ".path")
        )
        return Value(row.name, found)
    for kind in (ReferenceKind.INTERNAL, ReferenceKind.EXTERNAL):
        if kind.name.lower() in node:
            return Value(row.name, Reference(kind, word_of(node, kind.name.lower(), "u32")))
    return Value(row.name, None)


def _signal(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    name = text_of(node.get("name", ""), ".name")
    return Value(row.name, Signal(name, word_of(node, "id", "u64") if "id" in node else 0))


def _array(row: TypeRow, node: Node, dialect: Dialect) -> _Frame:
    element, shared = element_of(node, "elem_type", dialect), flag_of(node, "shared")

    def finish(values: tuple[Value, ...]) -> Value:
        return Value(row.name, Array(values, element, shared))

    return _Frame(items_of(node, "args"), lambda k: f".args[{k}]", finish)


def _dictionary(row: TypeRow, node: Node, dialect: Dialect) -> _Frame:
    args = items_of(node, "args")
    if len(args) % 2:
        raise FaultError("The last key has no value.", ".args")
    types = element_of(node, "key_type", dialect), element_of(node, "value_type", dialect)
    shared = flag_of(node, "shared")

    def finish(values: tuple[Value, ...]) -> Value:
        pairs = tuple(zip(values[::2], values[1::2], strict=True))
        return Value(row.name, Dictionary(pairs, *types, shared=shared))

    return _Frame(args, lambda k: f".args[{k}]", finish)


def _packed(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    kinds = forms(row, Precision.SINGLE)
    flat = numbers_of(node, kinds)
    if len(flat) % len(kinds):
        raise FaultError(f"{row.name} takes its numbers in groups of {len(kinds)}, but there are {len(flat)}.", ".args")
    data: Data = bytes(map(int, flat)) if kinds == ("u8",) else grouped(flat, len(kinds))
    return Value(row.name, data)


def _packed_strings(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    return Value(row.name, texts_of(node, "args"))


def _image(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    words = [word_of(node, key, "u32") for key in ("format", "mipmaps", "width", "height")]
    try:
        data = base64.b64decode(text_of(node.get("data"), ".data"), validate=True)
    except (binascii.Error, ValueError):
        raise FaultError("The pixels belong here, in base64.", ".data") from None
    return Value(row.name, Image(words[0], words[1], words[2], words[3], data))


def _input_event(row: TypeRow, node: Node, dialect: Dialect) -> Value:
    number, device = word_of(node, "event", "u32"), word_of(node, "device", "i32")
    stored = {stored.name: stored.type for stored in input_event(number).fields}
    names = texts_of(node, "names")
    flat = numbers_of(node, tuple(stored.get(name, "i64") for name in names) or ("i64",))
    if len(flat) != len(names):
        raise FaultError(f"{len(names)} names need as many numbers, not {len(flat)}.", ".args")
    return Value(row.name, InputEvent(number, device, tuple(zip(names, flat, strict=True))))


def _reader(kind: Kind) -> Callable[[TypeRow, Node, Dialect], Value | _Frame]:
    match kind:
        case Kind.FIXED:
            return _fixed
        case Kind.STRING:
            return _string
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return _node_path
        case Kind.OBJECT | Kind.RESOURCE | Kind.NULL_OBJECT:
            return _object_id
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


_READERS = by_kind(_reader)
