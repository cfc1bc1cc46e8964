"""Mistakes that people make in texts that they write by hand, each with the name of what mends it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Make = Callable[[random.Random, bytes], bytes]


def _one(pattern: bytes, fresh: bytes | Callable[[re.Match[bytes]], bytes]) -> Make:
    """One place of those that look so is written otherwise."""

    def make(draw: random.Random, text: bytes) -> bytes:
        found = list(re.finditer(pattern, text))
        if not found:
            return text
        place = draw.choice(found)
        return (
            text[: place.start()]
            + (place.expand(fresh) if isinstance(fresh, bytes) else fresh(place))
            + text[place.end() :]
        )

    return make


JSON: dict[str, Make] = {
    "comma missing": _one(rb",(?=\n)", b""),
    "comma missing in a line": _one(rb"(?<=\d), (?=\d)", b" "),
    "comma twice": _one(rb",", b",,"),
    "semicolon": _one(rb",(?=\n)", b";"),
    "colon missing": _one(rb'(?<="): ', b" "),
    "equals": _one(rb'(?<="): ', b" = "),
    "closing quote of a key": _one(rb'([a-z])":', rb"\1:"),
    "closing quote of a text": _one(rb'([a-z])",\n', b"\\1,\n"),
    "opening quote of a key": _one(rb'(\n\s+)"([a-z]+":)', rb"\1\2"),
    "both quotes of a key": _one(rb'"([a-z]+)":', rb"\1:"),
    "smart quotes": _one(rb'"([a-z ]+)"', lambda found: "“".encode() + found[1] + "”".encode()),
    "single quotes": _one(rb'"([a-z]+)"', rb"'\1'"),
    "True": _one(rb"\b(true|false)\b", lambda found: found[1].capitalize()),
    "None": _one(rb"\bnull\b", b"None"),
    "decimal comma": _one(rb"(\d)\.(\d)", rb"\1,\2"),
    "a comment": _one(rb",\n", b", // why\n"),
    "a comment with a hash": _one(rb",\n", b", # why\n"),
    "the last bracket": lambda draw, text: text.rstrip()[:-1],
    "a bracket in the middle": _one(rb"\](?=,\n)", b""),
    "a point in front": _one(rb"\b0\.(\d)", rb".\1"),
    "a backslash": _one(rb'"([a-z]+)",\n', b'"C:\\\\dir\\\\\\1",\n'),
}
CONFIG: dict[str, Make] = {
    "comma missing": _one(rb"(?<=\d), (?=-?\d)", b" "),
    "closing quote": _one(rb'([a-z])"\n', b"\\1\n"),
    "smart quotes": _one(rb'="([a-z ]+)"', lambda found: "=“".encode() + found[1] + "”".encode()),
    "single quotes": _one(rb'="([a-z]+)"', rb"='\1'"),
    "True": _one(rb"=(true|false)\b", lambda found: b"=" + found[1].capitalize()),
    "None": _one(rb"=null\b", b"=None"),
    "no quotes": _one(rb'="([a-z]+)"', rb"=\1"),
    "bracket": _one(rb"(\d)\)\n", b"\\1\n"),
    "bracket of a list": _one(rb"\]\n(?=[a-z])", b"\n"),
    "a point in front": _one(rb"=0\.(\d)", rb"=.\1"),
}
