"""Tags of resources and scenes as text: ``[node name="Hero" type="Sprite2D" parent="."]``, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable

from viewer.base.record import dataclass
from viewer.variant.dialect import Dialect
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Value

_NAME = re.compile(r"\s*([A-Za-z_]\w*)")
_PIECE = re.compile(
    r'"(?:[^"\\]|\\.)*"|([(\[{])|([)\]}])|(?<![\w/])([A-Za-z_][\w/]*)\s*=|[A-Za-z_][\w/]*|[^"()\[\]{}A-Za-z_]+|"',
    re.DOTALL,
)


class TagError(ValueError):
    """What stands between the brackets is no tag; the text says why."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag.

    Args:
        name: its first word.
        fields: what it says, by name; of two with the same name the engines take the last.
    """

    name: str
    fields: dict[str, Value]


def read_tag(words: str, dialect: Dialect) -> Tag:
    """The tag of what stands between brackets.

    Args:
        words: the text between them.
        dialect: the engine line.

    Raises:
        TagError: it is none.
    """
    begin = _NAME.match(words)
    if begin is None:
        raise TagError(f"A tag begins with its name, and here stands “[{words[:40]}]”.")
    fields: dict[str, Value] = {}
    for name, literal in _fields(words, begin.end()):
        try:
            fields[name] = parse_literal(literal, dialect)
        except LiteralError as error:
            raise TagError(f"“{name}” in “[{words[:40]}]” has no value that can be read: {error}") from error
    return Tag(begin[1], fields)


def _fields(words: str, at: int) -> Iterable[tuple[str, str]]:
    """The names of the fields and the texts of their values."""
    depth, name, start = 0, "", at
    for found in _PIECE.finditer(words, at):
        opens, closes, field = found.groups()
        depth += bool(opens) - bool(closes)
        if field and not depth:
            if name or words[start : found.start()].strip():
                yield name, words[start : found.start()].strip()
            name, start = field, found.end()
    if name or words[start:].strip():
        yield name, words[start:].strip()
