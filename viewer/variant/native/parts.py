"""The pieces of JSON that values are read from, each checked: numbers, texts, element types.

Every function here raises :class:`FaultError` where the piece is missing or not what belongs there.
"""

from __future__ import annotations

import math
import re
from typing import TypeAlias

from viewer.variant.dialect import Dialect, TypeRow
from viewer.variant.literal.names import keyed_element, nearest, resolve
from viewer.variant.literal.numbers import NUMBER, RANGES, SPOKEN, is_integer, to_f32, whole
from viewer.variant.value import ElementType, NaN, RawText, float_from

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
