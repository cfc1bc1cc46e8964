"""Sections of a resource or scene as text in few words: ``[node name="Hero" parent="."]`` is the node Hero."""

from __future__ import annotations

import re

_WORD = re.compile(r"\s*([A-Za-z_]\w*)")
ATTRIBUTE = re.compile(
    r'\s*([\w/]+)\s*=\s*((?:"(?:[^"\\]|\\.)*"|\[(?:[^\[\]"]|"(?:[^"\\]|\\.)*")*\]'
    r'|[A-Za-z_]\w*\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|[^\s"\[\]()])+)',
    re.DOTALL,
)
_CALLED = {"node": "name", "ext_resource": "id", "sub_resource": "id", "connection": "signal", "editable": "path"}
"""Which attribute tells sections of a kind apart."""
QUOTE = '"'


def shortened(section: str) -> tuple[str, list[tuple[str, str]]]:
    """What a section is called (``node Hero``, ``ext_resource 1_abc``), and its other attributes."""
    word, rest = _WORD.match(section), attributes(section)
    if word is None:
        return section, rest
    called = next((pair for pair in rest if pair[0] == _CALLED.get(word[1])), None)
    if called is None:
        return word[1], rest
    rest.remove(called)
    return f"{word[1]} {called[1].removeprefix(QUOTE).removesuffix(QUOTE)}", rest


def word_end(section: str) -> int:
    """Where the first word of a section ends."""
    word = _WORD.match(section)
    return word.end() if word is not None else 0


def attributes(section: str) -> list[tuple[str, str]]:
    """The attributes of a section, each with its value as it is spelled; what is none ends them."""
    at, out = word_end(section), []
    while found := ATTRIBUTE.match(section, at):
        out.append((found[1], found[2]))
        at = found.end()
    return out
