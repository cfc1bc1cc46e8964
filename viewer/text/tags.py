"""Tags of resources and scenes as text: ``[node name="Hero" type="Sprite2D" parent="."]``, read and in few words."""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.variant.dialect import Dialect
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Value

ATTRIBUTE_NAME = late_pattern(r"[A-Za-z_][\w/]*+")
_WORD = late_pattern(r"\s*+([A-Za-z_]\w*+)")
_SET = late_pattern(
    rf'\s*+({ATTRIBUTE_NAME.pattern})\s*+=\s*+((?:"[^"\\]*+"|[^\s"()\[\]{{}}]++)(?=\s++[A-Za-z_]|\s*+\Z))?+'
)
"""A name with the sign behind it, and the value where it is a plain text or one word."""
_PIECE = late_pattern(r'"(?:[^"\\]|\\.)*+"|([(\[{])|([)\]}])|[^\s"()\[\]{}]++(?:\s++(?=\())?+|(\s++)|"', re.DOTALL)
_CALLED = {"node": "name", "ext_resource": "id", "sub_resource": "id", "connection": "signal", "editable": "path"}
"""Which attribute tells tags of a kind apart."""
_QUOTE = '"'
_SHOWN = 40


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


@dataclass(frozen=True, slots=True)
class TagAttribute:
    """An attribute as it is spelled.

    Args:
        name: what stands before the equals sign.
        literal: its value.
        name_at: where the name begins, in what stands between the brackets.
        literal_at: where the value begins there.
    """

    name: str
    literal: str
    name_at: int
    literal_at: int

    @property
    def end(self) -> int:
        """Where the value ends."""
        return self.literal_at + len(self.literal)


def read_tag(words: str, dialect: Dialect) -> Tag:
    """The tag of what stands between brackets.

    Args:
        words: the text between them.
        dialect: the engine line.

    Raises:
        TagError: it is none.
    """
    end = word_end(words)
    if not end:
        raise TagError(f"A tag begins with its name, but here is “[{words[:_SHOWN]}]”.")
    name, found = words[:end].strip(), attributes(words)
    rest = words[found[-1].end if found else end :].strip()
    if rest:
        raise TagError(f"“{rest[:_SHOWN]}” in “[{words[:_SHOWN]}]” is not a name with a value.")
    fields: dict[str, Value] = {}
    for each in found:
        try:
            fields[each.name] = parse_literal(each.literal, dialect)
        except LiteralError as error:
            raise TagError(f"“{each.name}” in “[{words[:_SHOWN]}]” has no value that can be read: {error}") from error
    return Tag(name, fields)


def shortened(words: str) -> tuple[str, list[TagAttribute]]:
    """What a tag is called (``node Hero``, ``ext_resource 1_abc``), and its other attributes."""
    word, rest = _WORD.match(words), attributes(words)
    if word is None:
        return words, rest
    called = next((each for each in rest if each.name == _CALLED.get(word[1])), None)
    if called is None:
        return word[1], rest
    rest.remove(called)
    return f"{word[1]} {called.literal.removeprefix(_QUOTE).removesuffix(_QUOTE)}", rest


def word_end(words: str) -> int:
    """Where the first word of a tag ends; 0 where there is none."""
    word = _WORD.match(words)
    return word.end() if word is not None else 0


def attributes(words: str) -> list[TagAttribute]:
    """The attributes of a tag; what is none ends them."""
    at, out = word_end(words), []
    while found := _SET.match(words, at):
        start = found.end() if found[2] is None else found.start(2)
        at = _literal_end(words, start) if found[2] is None else found.end()
        if at == start:
            break
        out.append(TagAttribute(found[1], words[start:at], found.start(1), start))
    return out


def _literal_end(words: str, start: int) -> int:
    """Where a value ends: at the next blank outside of brackets; at its start where one is not closed."""
    depth = 0
    for piece in _PIECE.finditer(words, start):
        opens, closes, blank = piece.groups()
        if piece[0] == _QUOTE:
            return start
        if not depth and (blank or closes):
            return piece.start()
        depth += bool(opens) - bool(closes)
    return start if depth else len(words)
