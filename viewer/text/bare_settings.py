"""Settings without a section in which something is wrong: what speaks for them, and against the many like them.

Files of other programs have lines of a key and a value, too: what shells, Java and systemd read, and scripts. Their
values have no quotes, or blanks stand around “=”, or other lines are between them, or comments with “#”.
"""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.text.engine_codec import CONFIG, EngineTextCodec
from viewer.text.text_wrap import is_text

LEAST, TEXTS = 3, 2
"""So many keys such settings have, and so many texts in quotes where nothing says more."""
A_MISTAKE = 4
"""Among so many keys there may be a mistake, and one in fewer."""
_LINE = late_pattern(rb"(?P<key>[A-Za-z_][\w./-]*+)=(?P<value>[^\r\n]*+)")
_CALL = late_pattern(
    rb"(?:(?:Vector|Rect|Transform|Packed|Pool|Color|Quat|Basis|AABB|Plane|NodePath|Projection)\w*+\(|[&@^]\")"
)
"""What no other program writes."""
_TEXT = late_pattern(rb'"(?:[^"\\]|\\.)*+"[\t ]*+(?:;.*)?')
_PLAIN = late_pattern(rb"(?:-?\d++(?:\.\d*+)?+(?:e[-+]?\d++)?+|true|false|null)[\t ]*+(?:;.*)?")
_COLLECTION = late_pattern(rb"[\[{][\t ]*+(?:[\"\d\[\]{}-]|[A-Z]\w*+\(|true|false|null|\Z)")
_UNENDED = late_pattern(rb'"[^"]*+')
_INSIDE = late_pattern(rb"[\t ]|[\"\d\[\]{}()-]|[A-Z]\w*+\(|true|false|null")
"""How a line begins that a collection goes on in."""
_OF_OTHERS = late_pattern(rb"^[\t ]*+(?:#|//|--|\*|!)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Signs:
    """How many lines have a key, how many of their values are what; and how many lines are no part of settings.

    Values are a call of the engines, a text, the beginning of a collection, a text that does not end, or none of them.
    """

    keys: int = 0
    calls: int = 0
    texts: int = 0
    collections: int = 0
    unended: int = 0
    bare: int = 0
    others: int = 0


def are_settings(text: bytes) -> bool:
    """Whether a text without a section is settings of an engine in which little is wrong."""
    if _OF_OTHERS.search(text) is not None or not is_text(text):
        return False
    signs = _signs(text)
    wrong = signs.bare + signs.others
    if signs.keys < LEAST or wrong > (1 if signs.calls else 0) or signs.unended > 1:
        return False
    parser = EngineTextCodec(CONFIG)._begun(text, "godot4")
    found = len(parser.damages)
    if not found + wrong or found > max(1, signs.keys // A_MISTAKE):
        return False
    return signs.calls > 0 or signs.texts >= TEXTS or (signs.texts + signs.collections > 1 and not signs.unended)


def _signs(text: bytes) -> _Signs:
    count = dict.fromkeys(("keys", "calls", "texts", "collections", "unended", "bare", "others"), 0)
    is_inside = False
    for line in text.split(b"\n"):
        line = line.rstrip(b"\r")
        pair = _LINE.fullmatch(line)
        if pair is None:
            is_part = not line.strip() or line.startswith(b";") or (is_inside and _INSIDE.match(line) is not None)
            count["others"] += not is_part
            continue
        kind = _kind(pair["value"])
        count["keys"] += 1
        if kind:
            count[kind] += 1
        is_inside = kind in ("calls", "collections")
    return _Signs(**count)


def _kind(value: bytes) -> str:
    """What a value is, by how it stands on its line; empty for a number or a word."""
    if _PLAIN.fullmatch(value) is not None:
        return ""
    if _CALL.match(value) is not None:
        return "calls"
    if _TEXT.fullmatch(value) is not None:
        return "texts"
    if _COLLECTION.match(value) is not None:
        return "collections"
    return "unended" if _UNENDED.fullmatch(value) is not None else "bare"
