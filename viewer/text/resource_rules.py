"""What the engines want of the sections of a text resource or scene: their order, their words, their references."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.layer import Damage
from viewer.text.source_map import SourceMap
from viewer.variant.engine_classes import ClassList

_NAME = late_pattern(rb"[\x01-\x20]*+([A-Za-z_]\w*+)")
_WORD = late_pattern(
    rb'(-?[A-Za-z_]\w*+)[\x01-\x20]*+=[\x01-\x20]*+(?:[&@]?"((?:[^"\\]++|\\.)*+)"|(-?\d++))', re.DOTALL
)
_USUAL = late_pattern(rb'sub_resource type="(\w++)" id=(?:"(\w++)"|(\d++))')
"""Most sections of a long resource, of which all is known at one look."""
_TYPE, _RESOURCE = b'type="', b"Resource"
"""What a section with a type and the name of a resource hold, and maybe what only looks so."""
_OBJECT, _MADE = b"Object", late_pattern(rb"Object[\x01-\x20]*+\([\x01-\x20]*+([A-Za-z_][A-Za-z0-9_]*+)")
"""How an object begins whose class is told."""
_OPENS = late_pattern(rb"\[(?=[\x01-\x20]*+[A-Za-z_]\w*+[^\w,(])")
"""How a section begins with its name."""
_NAMED = late_pattern(rb'\b(Ext|Sub)Resource[\x01-\x20]*+\([\x01-\x20]*+"?([^")]*+)"?[\x01-\x20]*+\)')
_OF_TYPE = late_pattern(rb"(?:Array|Dictionary)[\x01-\x20]*+\[[^\](]*+(?:Resource\([^)]*+\)[^\](]*+)?")
"""What stands in front of a resource that the type of a collection is."""
_MAIN, _NODE = late_pattern(rb"^\[(?:resource\]|node )", re.MULTILINE), late_pattern(rb"^\[node ", re.MULTILINE)
_LOADED = late_pattern(rb"^\[(?:sub|ext)_resource ", re.MULTILINE)
_OLD_ID = late_pattern(
    rb"^\[(?:sub|ext)_resource [^\n]*\bid=\d|\bPool\w+Array\(|\b(?:Sub|Ext)Resource\([\t ]*\d", re.MULTILINE
)
"""What only the second format has: numbers for ids, names of types of Godot 3."""
NEWEST, LONGEST_NUMBER = 4, 9
"""The newest format of resources that an engine reads [run: 4.6], and how many of its digits are looked at."""
_NEEDED = {b"gd_resource": (b"type",), b"ext_resource": (b"path", b"type", b"id"), b"sub_resource": (b"type", b"id")}
_ASSIGNED = {b"connection": (b"from", b"to", b"signal", b"method"), b"editable": (b"path",)}
"""What has to be said in a section, as a text or otherwise."""
_HEADS = (b"gd_resource", b"gd_scene")
_IN_SCENES = (b"node", b"connection", b"editable")
_RANKS = {b"ext_resource": 1, b"sub_resource": 2, b"resource": 3, b"node": 3, b"connection": 3, b"editable": 3}
"""What comes after what."""
_BLANKS = bytes(range(1, 33))
KEYED = (b"sub_resource", b"resource", b"node")
_REST = late_pattern(rb"(?:[\x01-\x20]++|;[^\n]*+)*+")


@dataclass(frozen=True, slots=True)
class ResourceTag:
    """What stands in the brackets of a section.

    Args:
        span: where in the text, without the brackets.
        name: the first word.
        words: what is said of it, by name: texts and numbers alone.
        keys: how many keys follow.
    """

    span: Span
    name: bytes
    words: dict[bytes, bytes]
    keys: int


def read_tag(data: bytes, span: Span, keys: int) -> ResourceTag:
    """What stands between two brackets."""
    usual = _USUAL.fullmatch(data, span.start, span.end)
    if usual is not None:
        return ResourceTag(span, b"sub_resource", {b"type": usual[1], b"id": usual[2] or usual[3]}, keys)
    found = _NAME.match(data, span.start, span.end)
    words = {
        word[1]: word[2] if word[2] is not None else word[3]
        for word in _WORD.finditer(data, found.end() if found is not None else span.start, span.end)
    }
    return ResourceTag(span, found[1] if found is not None else b"", words, keys)


def likely_head(text: bytes) -> bytes:
    """The first section of a resource or scene that has lost it, as far as the rest tells; empty where it has one.

    Its format is told by the ids, its steps by the sections. The type of a resource is nowhere else.
    """
    begin = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not begin.startswith(b"[") or begin.startswith(b"[gd_") or _MAIN.search(text) is None:
        return b""
    is_old = _OLD_ID.search(text) is not None
    steps = len(_LOADED.findall(text)) + 1
    kind = b"gd_scene" if _NODE.search(text) else b'gd_resource type="Resource"'
    told = b" load_steps=%d" % steps if steps > 1 else b""
    return b"[%b%b format=%d]\n\n" % (kind, told, 2 if is_old else 3)


def class_faults(
    data: bytes, places: SourceMap, out: bytes | bytearray, known: ClassList
) -> Iterator[tuple[Damage, bool]]:
    """The classes of resources that an engine does not have, each with whether that can only be a mistake.

    Args:
        data: the text of a resource.
        places: where its values stand.
        out: their bytes.
        known: the classes of the engine.
    """
    starts = (at + len(_TYPE) for at in _places(data, _TYPE))
    types = {data[start : max(start, data.find(b'"', start))] for start in starts}
    if not any(known.is_unknown(name.decode(errors="replace")) for name in types):
        return
    for tag in _tags(data, places, out):
        name = tag.words.get(b"type", b"").decode(errors="replace")
        if tag.name not in (b"gd_resource", b"sub_resource") or b"type" not in tag.words or not known.is_unknown(name):
            continue
        at = data.index(b"type", tag.span.start)
        span = Span(data.index(b'"', at) + 1, max(data.find(b'"', data.index(b'"', at) + 1), at))
        meant = nearest(name, known)
        if meant is not None:
            yield (
                Damage(span, f"The engine has no class “{name}”, and refuses the file: maybe “{meant}” is meant."),
                True,
            )
        elif not name.isidentifier():
            yield Damage(span, f"“{name}” cannot be a class: the engine refuses the file."), True
        else:
            sentence = f"The engine has no class “{name}”: it refuses the file, unless an extension brings it."
            yield Damage(span, sentence), False


def object_faults(
    data: bytes, places: SourceMap, known: ClassList, others: Sequence[ClassList]
) -> Iterator[tuple[Damage, bool]]:
    """The classes of objects that an engine cannot make, so that it refuses all of a text [run: 3.2.3 and 4.6].

    Each comes with whether that is sure; it is not where the text may be for another engine that has the class.

    Args:
        data: the text.
        places: where its values stand.
        known: the classes of the engine.
        others: those of the other engines that the text may be for.
    """
    for at in _places(data, _OBJECT):
        found = _MADE.match(data, at)
        name = found[1].decode() if found is not None else ""
        if found is None or name in known.made or name.startswith(known.other):
            continue
        number = bisect_left(places.start, at)
        if number == len(places) or places.start[number] != at:
            continue
        meant = nearest(name, known)
        if name in known.abstract:
            why = f"The engine makes no object of the class “{name}”, and refuses the text."
        elif meant is not None:
            why = f"The engine has no class “{name}”, and refuses the text: maybe “{meant}” is meant."
        else:
            why = f"The engine has no class “{name}”: it refuses the text, unless an extension brings it."
        yield Damage(Span(*found.span(1)), why), not any(name in other.made for other in others)


def nearest(name: str, known: ClassList) -> str | None:
    """The one class whose name is a sign away from this one, None where there are none or several."""
    found = {made for made in known.made if abs(len(made) - len(name)) < 2 and _is_near(name, made)}
    return found.pop() if len(found) == 1 else None


def _is_near(one: str, other: str) -> bool:
    """Whether a sign put in, left out or changed makes one word the other."""
    front = 0
    while front < min(len(one), len(other)) and one[front] == other[front]:
        front += 1
    rests = one[front:], other[front:]
    return any(rests[0][a:] == rests[1][b:] for a, b in ((1, 1), (1, 0), (0, 1)))


def broken_rules(data: bytes, places: SourceMap, out: bytes | bytearray) -> Iterator[Damage]:
    """What the engines refuse of a resource whose sections can be read by themselves.

    Args:
        data: its text.
        places: where its values stand.
        out: their bytes.
    """
    tags, size = list(_tags(data, places, out)), len(data)
    is_scene, rank = bool(tags) and tags[0].name == b"gd_scene", 0
    if not tags or tags[0].name not in _HEADS:
        is_first = tags and not data[: tags[0].span.start - 1].strip()
        span = tags[0].span if is_first else Span(0, min(1, size))
        yield Damage(span, "The file begins with a section “gd_resource” or “gd_scene”, or the engines refuse it.")
    told = tags[0].words.get(b"format", b"") if tags else b""
    if told.isdigit() and int(told[:LONGEST_NUMBER]) > NEWEST:
        yield Damage(
            tags[0].span, f"The format {told.decode()} is newer than any that engines read: they refuse the file."
        )
    for number, tag in enumerate(tags):
        shown = tag.name.decode(errors="replace")
        for word in _NEEDED.get(tag.name, ()):
            if word not in tag.words:
                yield Damage(tag.span, f"“{word.decode()}” is missing in this section: the engines refuse the file.")
        for word in _ASSIGNED.get(tag.name, ()):
            if word not in tag.words and not _is_assigned(data, tag, word):
                yield Damage(tag.span, f"“{word.decode()}” is missing in this section: the engines refuse the file.")
        if tag.keys and tag.name not in KEYED:
            yield Damage(tag.span, f"Keys follow “{shown}”, which has none: a section is missing in front of them.")
        if not number:
            continue
        known = _RANKS.get(tag.name, 0)
        if not known or (tag.name in _IN_SCENES) > is_scene or (tag.name == b"resource" and is_scene):
            yield Damage(tag.span, f"The engines know no section “{shown}” here.")
            continue
        if known < rank:
            yield Damage(tag.span, f"A section “{shown}” must come before one that precedes it here.")
        if known == _RANKS[b"node"] > rank and tag.name in _IN_SCENES and tag.name != b"node":
            yield Damage(tag.span, f"A section “node” is missing in front of “{shown}”: the engines refuse the file.")
        rank = max(rank, known)
        if tag.name == b"resource" and number + 1 < len(tags):
            yield Damage(tags[number + 1].span, "Nothing follows the section “resource”.")
            break
    if not is_scene and rank < _RANKS[b"resource"]:
        yield Damage(Span(size, size), "The section “[resource]” is missing.")
    if is_scene and rank < _RANKS[b"node"]:
        yield Damage(Span(size, size), "A section “node” is missing: the engines refuse a scene without one.")
    if tags and not tags[-1].keys and tags[-1].name not in KEYED:
        yield from _behind(data, tags[-1])
    yield from _unknown(data, places, tags)


def _is_assigned(data: bytes, tag: ResourceTag, word: bytes) -> bool:
    """Whether a section gives a word any value, such as a NodePath."""
    return re.search(rb"\b" + word + rb"[\x01-\x20]*+=", data[tag.span.start : tag.span.end]) is not None


def _behind(data: bytes, tag: ResourceTag) -> Iterator[Damage]:
    """What stands behind the last section, which has no keys."""
    rest = _REST.match(data, tag.span.end + 1)
    start = rest.end() if rest is not None else len(data)
    if start < len(data):
        shown = tag.name.decode(errors="replace")
        yield Damage(Span(start, len(data)), f"After “{shown}” another section begins: the engines refuse the file.")


def _places(data: bytes, word: bytes) -> Iterator[int]:
    """Where a word stands in a text: found much faster than a pattern, which would hold up all other threads."""
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + len(word))


def _tags(data: bytes, places: SourceMap, out: bytes | bytearray) -> Iterator[ResourceTag]:
    """The sections: those brackets at which a value begins that lies in no other."""
    starts, parents = places.start, places.parent
    for found in _OPENS.finditer(data):
        number = bisect_left(starts, found.end())
        if number < len(starts) - 1 and starts[number] == found.end() and number and not parents[number]:
            at = places.inside[number + 1] + 4
            count = int.from_bytes(out[at : at + 4], "little")
            yield read_tag(data, places.span(number), count)


def _unknown(data: bytes, places: SourceMap, tags: Sequence[ResourceTag]) -> Iterator[Damage]:
    """Resources that are named, but not there."""
    begins = {
        (tag.name[:3], tag.words[b"id"]): tag.span.start
        for tag in reversed(tags)
        if tag.name in (b"ext_resource", b"sub_resource") and b"id" in tag.words
    }
    end = 0
    for at in _places(data, _RESOURCE):
        found = _NAMED.match(data, at - len(b"Ext")) if at - len(b"Ext") >= end else None
        if found is None:
            continue
        end = found.end()
        begin = begins.get((found[1].lower(), found[2].strip()))
        if begin is not None and begin < found.start():
            continue
        number = bisect_left(places.start, found.start())
        is_value = number < len(places) and places.start[number] == found.start()
        is_value |= number > 0 and _OF_TYPE.fullmatch(data, places.start[number - 1], found.start()) is not None
        if is_value or _is_said(data, tags, found.start()):
            kind = found[1].lower().decode()
            shown = found[2].decode(errors="replace")
            sentence = f"There is no section “{kind}_resource” with the id {shown} in front of this."
            yield Damage(Span(*found.span()), sentence)


def _is_said(data: bytes, tags: Sequence[ResourceTag], at: int) -> bool:
    """Whether at a byte the value of a word of a section begins, such as the scene of a node."""
    number = bisect_right(tags, at, key=lambda tag: tag.span.start) - 1
    return (
        number >= 0 and at < tags[number].span.end and data[tags[number].span.start : at].rstrip(_BLANKS).endswith(b"=")
    )
