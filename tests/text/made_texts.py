"""Texts of all three kinds, made by chance: values of every type, with comments and odd white space between them."""

from __future__ import annotations

import json
import random
import re
import struct
from collections.abc import Callable
from typing import Any

from viewer.text.float_spelling import is_misread, respelled
from viewer.variant.dialect import Dialect, load_text_values
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Dictionary, NodePath, Value

DEEPEST = 3
LETTERS = (
    "",
    "a",
    'ä\nö"\\',
    "x" * 90,
    "; no\n[comment]",
    "tab\t",
    "日本 \U0001f600",
    "res://a",
    "null",
    'SubResource("1")',
)
NAMES = ("hp", "name", "a/b", "metadata/list", "_x1", "Items")
_FIXED = {"Vector2": 2, "Rect2": 4, "Vector3": 3, "Transform2D": 6, "Plane": 4, "AABB": 6, "Basis": 9, "Color": 4}
_FIXED_IN = {
    "godot3": {"Quat": 4, "Transform": 12},
    "godot4": {"Quaternion": 4, "Transform3D": 12, "Vector4": 4, "Projection": 16},
}
_WHOLE = {"Vector2i": 2, "Rect2i": 4, "Vector3i": 3, "Vector4i": 4}
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{},:]|[^"()\[\]{},:]+', re.DOTALL)
_BLANKS = ("", "", "", " ", "\t", "\n", "  \r\n ")
_COMMENTS = ("", "", "", "; a comment = [x]\n", "\n\n", "  ; “signs”, {\n")


def json_text(draw: random.Random) -> tuple[bytes, Any]:
    """JSON, and what it says."""
    value = {"first": _plain(draw), "second": [_plain(draw), 1], "third": _plain(draw)}
    return _json(value, draw).strip().encode(), value


def config_text(draw: random.Random, line: str) -> tuple[bytes, str]:
    """Settings, and the literal of all that they say."""
    dialect = load_text_values(line)
    out, sections = [_gap(draw)], []
    for section in draw.sample(NAMES, draw.randint(1, 3)):
        pairs = _pairs(draw, dialect)
        out.append(f"[{section}]{_lines(draw)}" + "".join(_entry(draw, dialect, *pair) for pair in pairs))
        sections.append((Value("String", section), Value("Dictionary", Dictionary(tuple(pairs)))))
    return "".join(out).encode(), format_literal(Value("Dictionary", Dictionary(tuple(sections))), dialect)


def resource_text(draw: random.Random, line: str) -> tuple[bytes, str]:
    """A resource as text, and the literal of all that it says."""
    dialect = load_text_values(line)
    is_new = line == "godot4"
    parts = draw.sample(range(1, 9), draw.randrange(3))
    number = '"{}"' if is_new else "{}"
    heads = [f'gd_resource type="Resource" load_steps={len(parts) + 1} format={3 if is_new else 2}']
    heads += [f'sub_resource type="Resource" id={number.format(part)}' for part in parts] + ["resource"]
    out, sections = [], []
    for place, head in enumerate(heads):
        pairs = _pairs(draw, dialect, parts[: max(0, place - 1)]) if place else []
        out.append(f"[{head}]{_lines(draw)}" + "".join(_entry(draw, dialect, *pair) for pair in pairs))
        sections.append((Value("String", head), Value("Dictionary", Dictionary(tuple(pairs)))))
    return "".join(out).encode(), format_literal(Value("Dictionary", Dictionary(tuple(sections))), dialect)


def _pairs(draw: random.Random, dialect: Dialect, parts: list[int] | None = None) -> list[tuple[Value, Value]]:
    """Keys, each with a value; the names of a resource are such that an engine takes any value for them."""
    names = draw.sample(NAMES if parts is None else [f"metadata/{name}" for name in NAMES[:2]], draw.randint(1, 2))
    return [(Value("String", name), value(draw, dialect, parts or ())) for name in names]


def _entry(draw: random.Random, dialect: Dialect, key: Value, held: Value) -> str:
    return f"{key.data}{draw.choice(('', ' '))}={_spelled(draw, dialect, held)}{_lines(draw)}"


def _spelled(draw: random.Random, dialect: Dialect, held: Value) -> str:
    """A value with odd white space, as no engine writes it, but all read it."""
    out, depth = [draw.choice(("", " "))], 0
    literal = format_literal(held, dialect).replace('Resource("SubResource(', "SubResource(")
    for token in _TOKENS.findall(respelled(literal, dialect.rules.literals != "godot4")):
        depth += (token in "([{") - (token in ")]}")
        out.append(token.strip(" ") + (draw.choice(_BLANKS) if token in ",[{(" and depth else ""))
    return "".join(out)


def _lines(draw: random.Random) -> str:
    return "\n" + draw.choice(_COMMENTS)


def _gap(draw: random.Random) -> str:
    return draw.choice(_COMMENTS)


def value(draw: random.Random, dialect: Dialect, parts: list[int] | tuple[int, ...] = (), depth: int = 0) -> Value:
    """A value of any type that text holds."""
    choice = draw.random()
    if depth < DEEPEST and choice < 0.2:
        return Value("Array", Array(tuple(value(draw, dialect, parts, depth + 1) for _ in range(draw.randrange(4)))))
    if depth < DEEPEST and choice < 0.4:
        keys = {(key.type, repr(key.data)): key for key in (_key(draw) for _ in range(draw.randrange(4)))}
        held = ((key, value(draw, dialect, parts, depth + 1)) for key in keys.values())
        return Value("Dictionary", Dictionary(tuple(held)))
    return _leaf(draw, dialect, parts)


def _key(draw: random.Random) -> Value:
    if draw.random() < 0.7:
        return Value("String", draw.choice(LETTERS))
    return Value("int", draw.randrange(9))


def _leaf(draw: random.Random, dialect: Dialect, parts: list[int] | tuple[int, ...]) -> Value:
    is_new = dialect.rules.literals == "godot4"
    made: list[Callable[[], Value]] = [
        lambda: Value("Nil"),
        lambda: Value("bool", draw.random() < 0.5),
        lambda: Value("int", draw.choice((0, -1, 2**31, -(2**63), 2**63 - 1, draw.randrange(10**6)))),
        lambda: Value("float", _double(draw)),
        lambda: Value("String", draw.choice(LETTERS)),
        lambda: _fixed(draw, "godot4" if is_new else "godot3"),
        lambda: _packed(draw, "Packed" if is_new else "Pool"),
        lambda: Value("NodePath", NodePath(("A", "..")[: draw.randint(1, 2)], ("x",)[: draw.randrange(2)], False)),
    ]
    if is_new:
        made.append(lambda: Value("StringName", draw.choice(LETTERS)))
        name = draw.choice(tuple(_WHOLE))
        made.append(lambda: Value(name, tuple(draw.randrange(-(2**31), 2**31) for _ in range(_WHOLE[name]))))
    if parts:
        made.append(lambda: Value("SubResource", str(draw.choice(parts))))
    return draw.choice(made)()


def _fixed(draw: random.Random, line: str) -> Value:
    counts = _FIXED | _FIXED_IN[line]
    name = draw.choice(tuple(counts))
    return Value(name, tuple(_single(draw) for _ in range(counts[name])))


def _packed(draw: random.Random, prefix: str) -> Value:
    count, is_new = draw.randrange(4), prefix == "Packed"
    made: dict[str, Callable[[], Any]] = {
        "Float32Array" if is_new else "RealArray": lambda: tuple(_single(draw) for _ in range(count)),
        "Int32Array" if is_new else "IntArray": lambda: tuple(draw.randrange(-(2**31), 2**31) for _ in range(count)),
        "StringArray": lambda: tuple(draw.choice(LETTERS) for _ in range(count)),
        "ByteArray": lambda: bytes(draw.randrange(256) for _ in range(count)),
        "Vector2Array": lambda: tuple((_single(draw), 1.0) for _ in range(count)),
        "ColorArray": lambda: tuple((1.0, _single(draw), 0.5, 0.0) for _ in range(count)),
    }
    name = draw.choice(tuple(made))
    return Value(prefix + name, made[name]())


def _single(draw: random.Random) -> float:
    number = draw.choice((0.0, 1.0, -2.5, draw.randrange(-(10**6), 10**6) / 64, 1e-20, 3e38))
    return float(struct.unpack("<f", struct.pack("<f", number))[0])


def _double(draw: random.Random) -> float:
    number = draw.choice((0.0, 0.1, 1e300, -1e-5, draw.randrange(10**9) / 1e4, 123456789.123))
    return 0.5 if is_misread(number) else number


def _plain(draw: random.Random, depth: int = 0) -> Any:
    """A value of JSON."""
    choice = draw.randrange(5 if depth > DEEPEST else 7)
    if choice == 5:
        return [_plain(draw, depth + 1) for _ in range(draw.randrange(4))]
    if choice == 6:
        return {draw.choice(LETTERS[:4] + NAMES): _plain(draw, depth + 1) for _ in range(draw.randrange(4))}
    whole = draw.randint(-(10**15), 10**15)
    return (None, draw.random() < 0.5, whole, whole / 1024, draw.choice(LETTERS))[choice]


def _json(value: Any, draw: random.Random) -> str:
    blank = draw.choice(_BLANKS)
    if isinstance(value, dict):
        return f"{{{','.join(f'{blank}{json.dumps(k)}{blank}:{_json(v, draw)}' for k, v in value.items())}{blank}}}"
    if isinstance(value, list):
        return f"[{','.join(_json(each, draw) for each in value)}{blank}]{blank}"
    return blank + json.dumps(value, ensure_ascii=draw.random() < 0.5) + blank
