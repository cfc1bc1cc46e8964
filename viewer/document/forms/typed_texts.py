"""Text for editing: its length in characters and bytes, and a form in which tabs and line breaks can be seen."""

from __future__ import annotations

import re

from viewer.base.unseen import SIGNS, escape
from viewer.base.words import counted
from viewer.document.edits.slots import EditError
from viewer.variant import text as wire
from viewer.variant.value import NodePath, RawText

LONG = {"\\": "\\", "n": "\n", "t": "\t", "r": "\r"}
UNSEEN = re.compile(rf"[\\{SIGNS}]")
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.|$)", re.DOTALL)


def escaped(text: str) -> str:
    """A text on one line: backslash, tab, line breaks and what cannot be seen as ``\\n``, ``\\t``, ``\\u0001``."""
    return UNSEEN.sub(lambda found: "\\\\" if found[0] == "\\" else escape(found[0]), text)


def unescaped(text: str) -> str:
    """The text that :func:`escaped` stands for.

    Raises:
        EditError: a backslash is followed by something unknown.
    """
    return ESCAPE.sub(_meant, text)


def plain(text: str) -> bool:
    """Whether a field of several lines shows the text as it is: of what is unseen it has line breaks and tabs only."""
    return not any(found[0] not in "\n\t\\" for found in UNSEEN.finditer(text))


def measure(text: str) -> str:
    """Length in words: ``5 characters, 7 bytes, 2 lines``."""
    lines = text.count("\n") + 1
    size = f"{counted(len(text), 'character')}, {counted(len(wire.write(text)), 'byte')}"
    return size if lines == 1 else f"{size}, {counted(lines, 'line')}"


def odd(text: object) -> str:
    """One sentence where the bytes of a text are not what an engine would write for it, else empty."""
    if not isinstance(text, RawText):
        return ""
    return f"Its {counted(len(text.raw), 'byte')} are not plain UTF-8 of this text; a change writes them anew."


def _meant(match: re.Match[str]) -> str:
    form = match[1]
    if form in LONG:
        return LONG[form]
    if form[:1] in ("u", "U") and len(form) > 1:
        number = int(form[1:], 16)
        if number <= 0x10FFFF:
            return chr(number)
    raise EditError(rf"“\{form}” is unknown. Write \n, \t, \\ or \u and four digits.", match.start())


# Node paths in their parts, as lists with one name a line.


def lines(names: tuple[str, ...]) -> str:
    """Names, one a line."""
    return "\n".join(escaped(name) for name in names)


def names(text: str) -> tuple[str, ...]:
    """The names of a list; an empty line in it is an empty name, an empty list none.

    Raises:
        EditError: a backslash is followed by something unknown.
    """
    return tuple(unescaped(line) for line in text.split("\n")) if text else ()


def node_path(names_text: str, subnames_text: str, absolute: bool, prop: str | None) -> NodePath:
    """The path of these parts; *prop* is None where it has no property.

    Raises:
        EditError: as :func:`names`.
    """
    return NodePath(names(names_text), names(subnames_text), absolute, unescaped(prop) if prop is not None else None)


def from_text(text: str, with_property: bool) -> NodePath:
    """The path that an engine makes of ``/A/B:sub``; *with_property*: the last sub-name is a property.

    Raises:
        EditError: the text has no name between two slashes.
    """
    path, *tail = text.split(":")
    parts = tuple(name for name in path.split("/") if name)
    if "" in tail:
        raise EditError("A sub-name is missing behind a colon.")
    prop = tail.pop() if tail and with_property else None
    return NodePath(parts, tuple(tail), path.startswith("/"), prop)


# Bytes as a short hexdump: offset, sixteen bytes, text.

ROW = 16


def hex_lines(data: bytes, rows: int) -> list[str]:
    """The first *rows* rows of sixteen bytes each."""
    return [_line(data[at : at + ROW], at) for at in range(0, min(len(data), rows * ROW), ROW)]


def _line(raw: bytes, at: int) -> str:
    pairs = " ".join(f"{byte:02X}" for byte in raw).ljust(3 * ROW - 1)
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in raw)
    return f"{at:06X}  {pairs}  {text}"
