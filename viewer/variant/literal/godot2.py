"""Godot 2's values of flat arguments that no later engine has: images and input events."""

from __future__ import annotations

from viewer.variant.dialect import TypeRow, image_formats, input_event
from viewer.variant.literal.args import converted, number, tokens_of
from viewer.variant.literal.lexer import LiteralReader
from viewer.variant.value import Image, InputEvent, Value

_KEY_LETTERS = {"A": 1 << 26, "S": 1 << 25, "C": 1 << 28, "M": 1 << 27}
_EVENT_TYPES = {input_event(number).name: number for number in range(9)}
_EVENT_TYPES |= {"MBUTTON": 3, "JAXIS": 4, "JBUTTON": 5}


def image(reader: LiteralReader, row: TypeRow) -> Value:
    """Godot 2's image: width, height, mipmaps, format, bytes."""
    start, tokens = tokens_of(reader, row.name)
    words = [token.strip() for token in tokens[:4]]
    if not words:
        return Value(row.name, Image(0, 0, 0, 0, b""))
    if len(words) < 4:
        raise reader.error("Image takes a width, a height, a number of mipmaps and a format, then its bytes.", start)
    names = image_formats()
    known = str(names.index(words[3])) if words[3] in names else words[3]
    pixel_format = int(number(reader, known, "u32", start, "a format"))
    width, height, mipmaps = (int(number(reader, word, "u32", start)) for word in words[:3])
    data = converted(reader, tokens[4:], ("u8",), start + sum(map(len, tokens[:4])) + 4)
    return Value(row.name, Image(pixel_format, mipmaps, width, height, bytes(int(byte) for byte in data)))


def event(reader: LiteralReader, row: TypeRow) -> Value:
    """Godot 2's input event: its type, then what it stores by place or by name, then its device."""
    start, tokens = tokens_of(reader, row.name)
    words = [token.strip() for token in tokens] or ["NONE"]
    kind = _EVENT_TYPES.get(words[0])
    if kind is None:
        kind = int(number(reader, words[0], "u32", start, "an event type"))
    named = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    device = int(number(reader, named.pop("device", "0"), "i32", start))
    placed = [word for word in words[1:] if "=" not in word]
    stored = {field.name: field.type for field in input_event(kind).fields}
    fields = [(name, number(reader, text, stored.get(name, "i64"), start)) for name, text in named.items()]
    if kind == 1 and placed:
        letters = placed[1] if len(placed) > 1 else ""
        mask = sum(_KEY_LETTERS.get(letter, 0) for letter in dict.fromkeys(letters))
        fields += [("modifiers", mask), ("scancode", int(number(reader, placed[0], "u32", start)))]
    else:
        texts = zip(stored.items(), placed, strict=False)
        fields += [(name, number(reader, text, form, start)) for (name, form), text in texts]
    return Value(row.name, InputEvent(kind, device, tuple(fields)))
