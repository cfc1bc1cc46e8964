"""Brackets that are missing, or too many, by what the indentation of the lines says."""

from __future__ import annotations

import re

from viewer.base.record import dataclass
from viewer.base.span import Span

Patch = tuple[Span, bytes]
_LINE = re.compile(rb"([\t ]*+)([^\n]*+)\n?")
_SIGN = re.compile(rb'"(?:[^"\\\n]|\\.)*+"|[\[{(]|[\]})]')
_PAIR = re.compile(rb'(?:"(?:[^"\\\n]|\\.)*+"|[\w/]+)\s*[:=]')
_UNOPENED = re.compile(rb'(?:"(?:[^"\\\n]|\\.)*+"|[\w/]+)\s*[:=]?[\t ]*')
_CLOSES = {b"[": b"]", b"{": b"}", b"(": b")"}


@dataclass(slots=True)
class _Open:
    """A bracket that is open: how far its line is indented, by what blanks, and what closes it."""

    indent: int
    blank: bytes
    closer: bytes


def balanced(text: bytes) -> list[Patch]:
    """What gives each line the brackets that its indentation asks for; nothing where lines are not indented."""
    lines = [found for found in _LINE.finditer(text) if found[2].strip()]
    patches: list[Patch] = []
    stack: list[_Open] = []
    for number, line in enumerate(lines):
        indent, raw = len(line[1].expandtabs(4)), line[2].rstrip()
        is_closer = raw[:1] in b"]})"
        end_before = _end(text, lines[number - 1]) if number else 0
        while stack and (stack[-1].indent > indent or (stack[-1].indent == indent and not is_closer)):
            lost = stack.pop()
            if raw == b",":  # what stood in front of it is lost
                patches.append((Span(line.start(2), line.start(2)), lost.closer))
                break
            patches.append(_closed(text, end_before, lost, bool(stack), raw))
        if is_closer and not (stack and stack[-1].indent == indent):
            patches.append((Span(line.start(), line.end()), b""))  # it closes nothing
            continue
        if is_closer and raw[:1] != stack[-1].closer:
            patches.append((Span(line.start(2), line.start(2) + 1), stack[-1].closer))
        _signs(raw, line[1], stack)
        follows = lines[number + 1] if number + 1 < len(lines) else None
        if follows is not None and _is_unopened(raw, indent, follows):
            opener = b"{" if _PAIR.match(follows[2]) else b"["
            at = line.start(2) + len(raw)
            sign = b"" if raw[-1:] in b":=" else b":"
            patches.append((Span(at, at), sign + b" " + opener))
            stack.append(_Open(indent, line[1], _CLOSES[opener]))
    end = len(text.rstrip())
    closers = b"".join(b"\n" + lost.blank + lost.closer for lost in reversed(stack))
    return [*patches, (Span(end, end), closers)] if closers else patches


def _end(text: bytes, line: re.Match[bytes]) -> int:
    return line.start() + len(text[line.start() : line.end()].rstrip())


def _is_unopened(raw: bytes, indent: int, follows: re.Match[bytes]) -> bool:
    """Whether a line is a key, and what is indented below it has no bracket that opens."""
    return len(follows[1].expandtabs(4)) > indent and _UNOPENED.fullmatch(raw) is not None


def _closed(text: bytes, end: int, lost: _Open, is_inside: bool, raw: bytes) -> Patch:
    """The bracket that is missing in front of a line, with a comma behind it where more follows."""
    begin = end - (text[end - 1 : end] == b",")
    more = raw[:1] not in b"]})" and is_inside
    return Span(begin, end), b"\n" + lost.blank + lost.closer + (b"," if more else b"")


def _signs(raw: bytes, blank: bytes, stack: list[_Open]) -> None:
    """The brackets of one line: what it opens, and what of that it closes again."""
    for found in _SIGN.finditer(raw):
        if found[0] in _CLOSES:
            stack.append(_Open(len(blank.expandtabs(4)), blank, _CLOSES[found[0]]))
        elif found[0] in (b"]", b"}", b")") and stack:
            stack.pop()
