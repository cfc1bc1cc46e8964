"""Checked reading: the words, texts and counts of a head. What cannot be followed is raised, what is odd is kept."""

from __future__ import annotations

import re

from viewer.base.buffer import Buffer, u32
from viewer.base.diagnostic import Code, Diagnostic, count_bytes
from viewer.base.span import Span
from viewer.variant import text
from viewer.variant.dialect import Dialect

INT_MAX = 0x7FFFFFFF
TEXTS = re.compile(r"(\[|name|subname)(\d+)]?")


class Broken(Exception):
    """The structure cannot be followed beyond *stop*."""

    def __init__(self, code: Code, span: Span, stop: int, part: str = "", **facts: object) -> None:
        super().__init__(code)
        self.code, self.span, self.stop, self.part, self.facts = code, span, stop, part, facts

    def found(self, node: int) -> Diagnostic:
        """What to tell about *node*."""
        return Diagnostic(self.code, self.span, node, self.part, self.facts)


class Checked:
    """Reads primitives in the bytes of a frame, for one node after another.

    Args:
        buffer: a frame's bytes.
        dialect: how to read them.

    Attributes:
        node: what is being read.
        found: findings that do not keep a value from being followed.
        checked: how many heads and texts were read so far.
    """

    def __init__(self, buffer: Buffer, dialect: Dialect) -> None:
        self.buffer = buffer
        self.size = len(buffer)
        self.dialect = dialect
        self.rules = dialect.rules
        self.found: list[Diagnostic] = []
        self.node = -1
        self.checked = 0

    def word(self, pos: int) -> int:
        """The u32 at *pos*."""
        return u32(self.buffer, pos)

    def need_header(self, pos: int) -> None:
        """Check that a header stands at *pos*.

        Raises:
            Broken: fewer than four bytes are left.
        """
        self._words(pos, 1, Code.HEADER_MISSING)

    def _tell(self, code: Code, span: Span, part: str = "", **facts: object) -> None:
        self.found.append(Diagnostic(code, span, self.node, part, facts))

    # Primitives: each takes the offset of what it reads and returns the offset behind it.

    def _words(
        self, pos: int, count: int, code: Code = Code.PAYLOAD_TRUNCATED, what: str = "value", part: str = ""
    ) -> int:
        """Check that *count* words stand at *pos*."""
        return self._bytes(pos, 4 * count, what, part, code)

    def _bytes(self, pos: int, count: int, what: str, part: str = "", code: Code = Code.PAYLOAD_TRUNCATED) -> int:
        """Check that *count* bytes stand at *pos*."""
        left = self.size - pos
        if count > left:
            facts = {"subject": _subject(what), "expected": count_bytes(count), "available": count_bytes(left)}
            raise Broken(code, Span(pos, self.size), pos, part, **facts)
        return pos + count

    def _text(self, pos: int, what: str, padding: bool | None = None) -> int:
        """A length word, that many bytes, fill up to a multiple of four."""
        self.checked += 1
        body = self._words(pos, 1, what=f"{what} length", part=_part(what, "length"))
        length = self.word(pos)
        left = self.size - body
        if length > INT_MAX:
            raise Broken(Code.LENGTH_NEGATIVE, Span(pos, body), body, _part(what, "length"), length=length - (1 << 32))
        if length > left:
            facts = {"length": count_bytes(length), "available": count_bytes(left)}
            raise Broken(Code.LENGTH_TOO_LONG, Span(pos, body), body, _part(what, "length"), **facts)
        end = body + length
        fill = -length % 4
        required = self.rules.string_padding == "required" if padding is None else padding
        if required and fill > left - length:
            facts = {"expected": count_bytes(fill), "available": count_bytes(left - length)}
            raise Broken(Code.PADDING_MISSING, Span(end, self.size), end, _part(what, "padding"), **facts)
        self._check_text(body, end, what)
        return min(end + fill, self.size)

    def _check_text(self, start: int, end: int, what: str) -> None:
        if self.rules.utf8 == "any":
            return
        raw = bytes(self.buffer[start:end])
        fault = text.fault(raw, self.rules.utf8)
        if fault is not None:
            at = start + fault.offset
            self._tell(Code.BAD_UTF8, Span(at, at + 1), what, byte=f"0x{raw[fault.offset]:02X}", reason=fault.reason)

    def _count(self, pos: int, what: str, part: str = "count") -> tuple[int, int]:
        """A count word; returns it as stored and the offset behind it."""
        named = what if part.endswith("_type") else f"{what} {part}"
        end = self._words(pos, 1, what=named, part=part)
        return self.word(pos), end


def _subject(what: str) -> str:
    """What lacks bytes, as a sentence begins: ``This Vector3``, ``The length of name 0``."""
    owner, _, word = what.rpartition(" ")
    if word == "length":
        return f"The length of {_spoken(owner)}"
    if word == "type":
        return f"The {what}"
    return f"The {word.replace('_', ' ')} of this {owner}" if word.endswith("count") else f"This {what}"


def _spoken(what: str) -> str:
    """The name of a text as a person says it."""
    found = TEXTS.fullmatch(what)
    if found is None:
        more = " name" if "class" in what else " path" if "script" in what else ""
        return f"this {what.replace('_', ' ')}{more}"
    kind = {"[": "element", "name": "name", "subname": "sub-name"}[found[1]]
    return f"{kind} {found[2]}"


def _part(what: str, suffix: str) -> str:
    """The name of the part beside a text: ``length`` for the text of a String, ``name0_length`` for a name."""
    return suffix if what in ("text", "name") else f"{what}_{suffix}"
