"""How values are spelled in the engines' own text, as the engine line writes them."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.container.layer import WrapError
from viewer.text.commas import ONE_LINE, CommaStyle, inserted_line, removed_lines
from viewer.text.float_spelling import lost_in, respelled
from viewer.text.patching import CollectionText
from viewer.text.value_parser import TYPED_HEAD
from viewer.variant.dialect import Dialect
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Dictionary, Value

FILE, SECTION = -2, -1
"""Levels of what is no value by itself: all sections, and the keys of one."""
SECTIONS, KEYS = 1, 2
"""Levels of the collections that have no brackets."""
_PLAIN_KEY = late_pattern(r"[!#-:<>-Z\\^-~]+")
"""What stands without quotes; of other letters engines take each byte for one."""
_EQUALS = late_pattern(rb"^[\w/.:@-]+([\t ]*=[\t ]*)\S", re.MULTILINE)
_TOKENS = late_pattern(r'"(?:[^"\\]|\\.)*"|[()\[\]{}]|, |[^"()\[\]{},]+|,', re.DOTALL)
_OF_FILE = late_pattern(r'Resource\("((?:Ext|Sub)Resource)\((.*?)\)"\)')
_LOOKED, MOST_BLANKS = 1 << 16, 64
_ESCAPES = late_pattern(r"\\(?:u([0-9a-f]{4})|.)", re.DOTALL)
_ASCII = 0x7F
_BLANKS = "".join(map(chr, range(33)))


class EngineNotation:
    """The engines' text as one text spells it.

    Args:
        text: all of it.
        dialect: the engine line.
        is_value: whether it is one value, without keys.
        is_resource: whether its sections are those of a resource or scene.
        is_lines: whether it is several values, each from a line of its own on.
    """

    def __init__(
        self, text: bytes, dialect: Dialect, is_value: bool, is_resource: bool = False, is_lines: bool = False
    ) -> None:
        self._text = text
        self._dialect = dialect
        self._is_value = is_value
        self._is_resource = is_resource
        self._is_lines = is_lines
        self._is_old = dialect.rules.literals != "godot4"
        self._commas = CommaStyle(text)
        self._line = self._commas.line_end
        shown = _EQUALS.search(text[:_LOOKED])
        self._equals = shown[1] if shown else b"="

    # Values

    def value(self, value: Value, spelled: bytes, level: int) -> bytes:
        """The text of a value, or of the keys of a section.

        Raises:
            WrapError: a section is to be something else than a dictionary.
        """
        if level in (FILE, SECTION) and not isinstance(value.data, Dictionary):
            raise WrapError("A section holds keys and values, and the file sections: both stay dictionaries.")
        if level == SECTION and isinstance(value.data, Dictionary):
            pairs = value.data.pairs
            return self._line.join(self._pair(self.key(key, KEYS), self.value(held, b"", 0)) for key, held in pairs)
        data = value.data
        if isinstance(data, bytes) and b'("' in spelled[:64]:
            return b'PackedByteArray("' + base64.b64encode(data) + b'")'
        return self._styled(format_literal(value, self._dialect)).encode()

    def _styled(self, literal: str) -> str:
        """A literal as the engine sets it: each pair in a line of its own, and in Godot 3 blanks inside brackets."""
        out: list[str] = []
        stack: list[str] = []
        tokens = _TOKENS.findall(_unnamed(literal))
        blank = " " if self._is_old else ""
        for number, token in enumerate(tokens):
            follows = tokens[number + 1] if number + 1 < len(tokens) else ""
            if token in ("(", "[", "{"):
                behind = out[-1] if out else ""
                is_type = (token == "[" and behind.endswith(("Array", "Dictionary"))) or (
                    token == "(" and behind == "Object"
                )
                stack.append("<" if is_type else token)
                is_empty = follows in (")", "]", "}")
                out.append(token + ("\n" if token == "{" and not is_empty else "" if is_type or is_empty else blank))
            elif token == ")" and tokens[max(number - 3, 0) : number - 1] == ["Object", "("]:
                stack.pop()
                out.append(",)")  # so an object stands without properties
            elif token in (")", "]", "}"):
                opened = stack.pop() if stack else token
                is_empty = number > 0 and tokens[number - 1] in ("(", "[", "{")
                before = "\n" if token == "}" and not is_empty else "" if opened == "<" or is_empty else blank
                out.append((before if token != "{" else "") + token)
            elif token == ", " and stack and stack[-1] == "{":
                out.append(",\n")
            else:
                out.append(token)
        styled = "".join(out)
        if why := lost_in(styled):
            raise WrapError(why)
        return respelled(as_letters(styled), self._is_old)

    def key(self, value: Value, level: int) -> bytes:
        """The text of a key.

        Raises:
            WrapError: a key or the name of a section cannot be so.
        """
        if self._is_value or level > KEYS:
            return self._styled(format_literal(value, self._dialect)).encode()
        if value.type != "String":
            raise WrapError(f"Sections and keys are texts, but one here is a {value.type}: make it a String.")
        text = str(value.data)
        if level == KEYS:
            if not text:
                raise WrapError("A key must not be empty: engines drop its value.")
            plain = _PLAIN_KEY.fullmatch(text)
            return (text if plain else as_letters(format_literal(value, self._dialect))).encode()
        return self._section(text).encode()

    def _section(self, name: str) -> str:
        """What stands between the brackets of a section."""
        if self._is_resource:
            if "\n" in name or name.count("[") != name.count("]"):
                raise WrapError("A section name must not contain a line break, and its brackets must come in pairs.")
            return name
        if "\n" in name or name != name.strip(_BLANKS):
            raise WrapError("A section name must not contain a line break, or begin or end with a space.")
        if self._is_old:
            if "]" in name or not name.isascii():
                raise WrapError("In Godot 3 a section name must not contain “]” or letters beyond ASCII.")
            return name
        if name.endswith("\\"):
            raise WrapError("A section name must not end with a backslash.")
        return name.replace("]", "\\]")

    def _pair(self, key: bytes, value: bytes) -> bytes:
        return key + self._equals + value

    # Collections

    def brackets(self, span: Span, level: int) -> tuple[int, int]:
        """Where what a collection holds may begin, and must end."""
        if not self._is_value and level <= KEYS:
            return span.start, span.end
        typed = TYPED_HEAD.match(self._text, span.start, span.end)
        if typed is None:
            return span.start + 1, span.end - 1
        return typed.end(), max(self._text.rfind(b"]", 0, span.end), self._text.rfind(b"}", 0, span.end))

    def level_in(self, region: CollectionText) -> int:
        """The level of a value that is put into a collection."""
        if self._is_value or region.level > SECTIONS:
            return ONE_LINE
        return FILE if region.is_top else SECTION

    def joined(self, key: bytes, value: bytes, region: CollectionText) -> bytes:
        """A key and its value, or a section with its keys."""
        if self._is_value or region.level > KEYS:
            return key + self._commas.colon + value
        if region.level == KEYS:
            return self._pair(key, value)
        return b"[" + key + b"]" + (self._line * 2 + value if value else b"")

    def inserted(self, region: CollectionText, before: int, units: Sequence[bytes]) -> tuple[int, int, bytes]:
        """The patch that puts units in front of one, or behind the last one."""
        if region.is_top and self._is_lines:
            return inserted_line(region, before, units, self._line)
        if region.is_top:
            raise WrapError("Engine text holds one value, or one set of sections: keep one.")
        if self._is_value or region.level > KEYS:
            if not len(region.units):
                return region.opened, region.closed, self._filled(region, units)
            return self._commas.inserted(region, before, units)
        is_keys = region.level == KEYS
        between = self._line if is_keys else self._line * 2
        if before < len(region.units):
            at = region.units[before].start
            at -= 0 if is_keys else self._before(at)
            return at, at, between.join(units) + between
        at = region.units[len(region.units) - 1].end if len(region.units) else region.opened
        lead = between if len(region.units) or not is_keys else self._line * (1 if self._equals != b"=" else 2)
        fresh = lead + between.join(units)
        if not is_keys and fresh.endswith(b"]") and b"\n" not in self._text[at:]:
            fresh += self._line
        return at, at, fresh

    def _filled(self, region: CollectionText, units: Sequence[bytes]) -> bytes:
        """What stands between the brackets of a collection that was empty."""
        if self._text[region.opened - 1 : region.opened] == b"{":
            return self._line + (b"," + self._line).join(units) + self._line if units else b""
        blank = b" " if self._is_old and units else b""
        return blank + b", ".join(units) + blank

    def removed(self, region: CollectionText, first: int, end: int) -> tuple[int, int, bytes]:
        """The patch that takes units away."""
        if region.is_top and self._is_lines and end - first < len(region.units):
            return removed_lines(region, first, end)
        if region.is_top:
            raise WrapError("Engine text holds a value, but there is none here.")
        if self._is_value or region.level > KEYS:
            return self._commas.removed(region, first, end)
        units, text = region.units, self._text
        start, stop = units[first].start, units[end - 1].end
        if region.level == KEYS:
            rest = text.find(b"\n", stop)
            if rest >= 0 and not text[stop:rest].strip() and rest < len(text) - 1:
                return start, rest + 1, b""
            return start, stop, b""
        start -= self._before(start)
        if end < len(units):
            return start, units[end].start - self._before(units[end].start), b""
        return (units[first - 1].end if first else start), stop, b""

    def _before(self, start: int) -> int:
        """How many bytes the bracket in front of the name of a section takes, with blanks; 0 for one without a name."""
        blank = self._text[max(0, start - MOST_BLANKS) : start]
        bare = blank.rstrip(b" \t")
        return len(blank) - len(bare) + 1 if bare.endswith(b"[") else 0


def as_letters(literal: str) -> str:
    """A literal whose unseen signs stand as they are: from a file engines read one byte of such an escape only."""
    if "\\u" not in literal:
        return literal
    return _ESCAPES.sub(lambda found: _letter(found[0], int(found[1] or "0", 16)), literal)


def _letter(escape: str, code: int) -> str:
    return chr(code) if code > _ASCII else escape


def _unnamed(literal: str) -> str:
    """Types of typed collections that other resources stand for, as the text names them."""
    if "Resource(" not in literal:
        return literal
    return _OF_FILE.sub(lambda found: f'{found[1]}("{found[2]}")', literal)
