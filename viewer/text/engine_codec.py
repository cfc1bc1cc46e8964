"""The engines' own text as a wrap around typed values: ConfigFile, .tres and .tscn, and what ``var_to_str`` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import islice

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.container.layer import MOST_INSIDE, Damage, Secret, TooLarge, Unwrapped, WrapError
from viewer.container.unpacking import Differs
from viewer.text.dropped_keys import without_a_value
from viewer.text.engine_notation import EngineNotation
from viewer.text.engine_parser import NEXT, EngineTextParser
from viewer.text.resource_rules import class_faults, object_faults
from viewer.text.text_wrap import (
    BOM,
    MOST_SLIPS,
    SAMPLE,
    LoneValues,
    ReadText,
    beginning,
    is_text,
    without_zeros,
    zeros_inside,
    zeros_passed,
)
from viewer.text.utf8 import bad_utf8
from viewer.text.value_parser import BLANK
from viewer.variant.dialect import Dialect, load, load_text_values
from viewer.variant.engine_classes import class_list

RESOURCE, CONFIG, VALUE = "text-resource", "config", "engine-value"
LINES = ("godot4", "godot3", "godot2")
CLASSES_OF = ("godot4", "godot3")
"""The lines whose classes are known."""
LONGEST_VALUE = 1 << 24
"""The text of one value is not looked for in more bytes."""
MOST_BLANKS, LITTLE = 64, 1 << 10
"""So many blanks stand behind the bracket of a section at most; so many bytes at the end of the beginning tell nothing
more."""
_RESOURCE = late_pattern(rb"(?:\xef\xbb\xbf)?\s*+\[gd_(resource|scene)\b[^\]]*+\]")
_HEAD_WORDS = late_pattern(rb"gd_(?:resource|scene)|\bformat=\d|\bload_steps=")
"""What the first line of a resource still says where a part of it is damaged."""
_RESOURCE_PART = late_pattern(
    rb"^\[(?:resource\]|node name=|(sub_resource type=|ext_resource (?:path|type|uid)=))", re.MULTILINE
)
_FORMAT = late_pattern(rb'(?:\[gd_\w+[^\]]*?|\A[^\n]*?\btype="[^\n]*?)\bformat=(\d+)')
_VERSION = late_pattern(rb"^config_version=(\d+)", re.MULTILINE)
_OLD = late_pattern(
    rb"\bPool(?:Byte|Int|Real|String|Vector[23]|Color)Array\b|\bQuat\(|\bTransform\(|\b[A-Z]\w+\( |=\[ "
)
_NEW = late_pattern(
    rb'\bPacked\w+Array\b|[=:,\[\s(]&"|\b(?:Transform3D|Vector[234]i|Vector4|Rect2i|Quaternion|Projection)[\x01-\x20]*+\('
)
_OLD_WORDS = (b"Pool", b"Quat(", b"Transform(", b"( ", b"=[ ")
_NEW_WORDS = (
    b"Packed",
    b'&"',
    b"Transform3D",
    b"Vector4",
    b"Vector2i",
    b"Vector3i",
    b"Rect2i",
    b"Quaternion",
    b"Projection",
)
"""Of which one at least stands in what the patterns find: looking for words takes far less time."""
_CALL = late_pattern(rb"(?:\{|\[|[A-Z]\w*+[(\[])")
_LEAF, _NEXT_CALL = late_pattern(rb'[&^]?"|-?\d|true|false|null'), late_pattern(rb"\n[\t ]*+(?:\{|\[|[A-Z]\w*+[(\[])")
_CLOSING = (b")", b"]", b"}")
_TEXT_OR_COMMENT = late_pattern(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|;[^\n]*+', re.DOTALL)
_SCRIPTS = (
    (b'Script"', late_pattern(rb'\[sub_resource[^\n]*?\btype="(?:GDScript|CSharpScript|VisualScript)"')),
    (b"script/source", late_pattern(rb"script/source[\t ]*=")),
    (b"[ext_resource", late_pattern(rb'\[ext_resource[^\n]*?\bpath="(?!res://|uid://)[^"\n]*"')),
)
"""What stands in a line with a script, or with one from outside, and how such a line begins."""
_TELLING = (b"Resource", b'type="', *(word for word, _ in _SCRIPTS))
"""What is looked for in all of a resource, wherever it stands."""
WORD = max(map(len, _TELLING))
_NULL = bytes(4)
_KEYED, _KEYED_VALUES = b"[a]\nb=", 4
"""Settings up to a value, and how many values are told of them: all, a name, a section, a key."""
_SECTION = late_pattern(rb"^\[[^\]\n]+\][\t ]*\r?$", re.MULTILINE)
_HEAD = late_pattern(rb"\n(\[[^\]\n]+\][\t ]*\r?)(?![^\n])")
"""The same behind the end of a line, which is found four times as fast."""
HEADS_AT_ONCE = 1 << 20
"""Bytes in which sections are looked for in one go."""
_BARE_LINES = rb"(?:[\t\r ]*+(?:;[^\n]*+)?\n)*+"
_HEADS_ALONE = late_pattern(
    rb"(?:\xef\xbb\xbf)?%b(?:\[[A-Za-z_][\w ./-]*+\][\t\r ]*+\n%b)++(?:;[^\n]*+)?" % (_BARE_LINES, _BARE_LINES)
)
"""Settings without a key, which engines load: lines with the name of a section, and none with anything else."""
_LINE_ALONE = late_pattern(rb"[A-Za-z_][\w./-]*+=[^\n]++\n")
"""Settings of one key in no section, as the engines write them; less is a word with a sign behind it."""
SECTION_AGAIN = "This section occurred before: engines read both as one. A key in both keeps its last value."
_TITLES = {b"resource": "text resource", b"scene": "text scene"}


@dataclass(frozen=True, slots=True)
class EngineTextCodec:
    """Knows one of the engines' kinds of text.

    Args:
        name: which one.
    """

    name: str

    def probe(self, outside: Buffer) -> bool:
        """Whether these bytes are such a text."""
        start = bytes(outside[:SAMPLE])
        if self.name == RESOURCE:
            return _RESOURCE.match(start) is not None or _is_headless(start)
        if not is_text(start):
            return False
        if self.name == VALUE:
            return self._is_value(outside, start)
        size = len(start)
        if self.name == CONFIG and size == len(outside) and _HEADS_ALONE.fullmatch(start):
            return True
        whole = size == len(outside)
        line = line_of(start)
        part = b"" if whole else beginning(start)
        is_most = part and size - len(part) < LITTLE  # what is shown first is read once
        parser = _begun(self, part, line) if is_most else self._begun(start, line)
        damages = [damage for damage in parser.damages if whole or damage.span.end < size - SAMPLE // 2]
        begin = BLANK.match(start.removeprefix(BOM))
        is_sectioned = start.removeprefix(BOM)[begin.end() if begin else 0 :][:1] == b"["
        keys = parser.keys
        is_last = len(parser.damages) == parser.broken == 1 and not NEXT.search(start, parser.damages[0].span.start)
        if is_sectioned and is_last and not whole:
            keys, damages = keys + 1, []  # one value may be longer than all that is looked at
        wrong = len(damages) + len(parser.slips)
        if not keys or wrong > keys:
            return False
        if not is_sectioned and wrong and not damages and _SECTION.search(start):
            is_sectioned = 2 * wrong <= keys
        is_lines = b"\n" in start.strip() or _LINE_ALONE.match(start) is not None
        return (is_sectioned and len(damages) < keys) or (not wrong and is_lines)

    def _is_value(self, outside: Buffer, start: bytes) -> bool:
        """Whether this is the text of values: nothing else tells it from other texts than that all of it is some."""
        bare = start.removeprefix(BOM).lstrip()
        if len(outside) > LONGEST_VALUE or not (_CALL.match(bare) or (_LEAF.match(bare) and _NEXT_CALL.search(bare))):
            return False
        size = len(outside)
        if size > len(start) and bytes(outside[size - SAMPLE :]).rstrip()[-1:] not in _CLOSING:
            return False  # a long one is not read for nothing
        text = start if size == len(start) else bytes(outside[:])
        if size > len(start) and not _is_balanced(text):
            return False
        parser = self._begun(text, LINES[0])
        is_all = not any(slip.span.end == len(outside) for slip in parser.slips)  # a value ends with a bracket
        return is_all and not parser.damages and bool(parser.out)

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Read the text.

        Raises:
            TooLarge: more than *limit* bytes come of it.
            WrapError: there is no value in it, or others than the *expected* bytes come of it.
        """
        text = bytes(outside[:])
        if len(text) > limit:
            raise TooLarge(f"More than {limit} bytes come from this text.", len(text), exact=False)
        kept, zeros = without_zeros(text)
        first = line_of(text[:SAMPLE])
        for line in (first, *(line for line in LINES if line != first and expected is not None)):
            parser = self._parser(kept, line, limit)
            self._read(parser)
            if expected is None or parser.out == expected:
                break
        else:
            raise Differs
        if not parser.out:
            raise WrapError("There is no value in this text.")
        inside = bytes(parser.out) if expected is None else expected
        dialect = load_text_values(line)
        refused, doubtful = self._class_faults(parser, line)
        passed = [] if self.name == VALUE else zeros_passed(kept, [*parser.damages, *parser.slips])
        form = ReadText(
            self._label(text, line, parser.roots > 1),
            text,
            inside,
            parser.places,
            line,
            parser.roots > 1,
            partial(
                EngineNotation,
                dialect=dialect,
                is_value=parser.is_value,
                is_resource=self.name == RESOURCE,
                is_lines=parser.roots > 1,
            ),
            parser.damages,
            _settings_notes(kept, parser) if self.name == CONFIG else (),
            scripts=tuple(_scripts(text)) if self.name == RESOURCE else (),
            slips=[*bad_utf8(text), *parser.slips, *doubtful, *passed, *zeros],
            lone=self._lone(dialect, line),
            refused=[*refused, *(zeros_inside(kept) if self.name == VALUE else ())],
        )
        form.comment, form.has_sections = b";", self.name != VALUE
        return Unwrapped(inside, form, form.damages)

    def begun(self, text: bytes) -> Unwrapped | None:
        """Read the beginning; None where no value begins there."""
        line = line_of(text[:SAMPLE])
        parser = _begun(self, beginning(text), line)
        inside = bytes(parser.out)
        dialect, is_resource = load_text_values(line), self.name == RESOURCE
        notation = partial(EngineNotation, dialect=dialect, is_value=parser.is_value, is_resource=is_resource)
        label = self._label(text, line)
        form = ReadText(label, text, inside, parser.places, line, False, notation, (), is_begun=True)
        return Unwrapped(inside, form) if inside else None

    def _lone(self, dialect: Dialect, line: str) -> LoneValues | None:
        """How values are read by themselves; the text of one value has none."""
        if self.name == VALUE:
            return None
        return LoneValues(
            partial(_value_of, dialect=dialect),
            lambda text: line_of(text[:SAMPLE]) == line,
            _is_apart if self.name == RESOURCE else lambda _, __: True,
            has_sections=True,
        )

    def _class_faults(self, parser: EngineTextParser, line: str) -> tuple[list[Damage], list[Damage]]:
        """Classes that the engine does not have: those that can only be mistakes, and those of which an extension may
        have some."""
        known = class_list(line) if line in CLASSES_OF else None
        if known is None:
            return [], []
        is_told = self.name == RESOURCE or bool(_line_told(parser.data[:SAMPLE]))
        others = [] if is_told else [class_list(other) for other in CLASSES_OF if other != line]
        found = list(object_faults(parser.data, parser.places, known, [each for each in others if each is not None]))
        if self.name == RESOURCE:
            found += class_faults(parser.data, parser.places, parser.out, known)
        return [damage for damage, is_sure in found if is_sure], [damage for damage, is_sure in found if not is_sure]

    def _label(self, text: bytes, line: str, is_lines: bool = False) -> str:
        if self.name == RESOURCE:
            found = _RESOURCE.match(text)
            kind = _TITLES[found[1]] if found is not None else "text resource"
        else:
            kind = "ConfigFile" if self.name == CONFIG else "text of values" if is_lines else "text of a value"
        return f"{load(line).name} {kind}"

    def _parser(self, text: bytes, line: str, limit: int) -> EngineTextParser:
        return EngineTextParser(text, load_text_values(line), limit, self.name == RESOURCE, self.name == VALUE)

    def _begun(self, text: bytes, line: str) -> EngineTextParser:
        """What was read of a text that is short, or of its beginning."""
        parser = self._parser(text, line, MOST_INSIDE)
        self._read(parser)
        return parser

    def _read(self, parser: EngineTextParser) -> None:
        if self.name == VALUE:
            parser.read_value()
        else:
            parser.read()


@lru_cache(1)  # what it is found out by is shown right behind
def _begun(codec: EngineTextCodec, text: bytes, line: str) -> EngineTextParser:
    """What a codec reads of the beginning of a text, which nobody changes."""
    return codec._begun(text, line)


def _settings_notes(text: bytes, parser: EngineTextParser) -> list[Damage]:
    """What is worth knowing of settings: sections that stand there before, keys that the engines drop."""
    return [*_sections_again(text, parser), *islice(without_a_value(text, parser.places), MOST_SLIPS)]


def _sections_again(text: bytes, parser: EngineTextParser) -> list[Damage]:
    """Sections of settings that stand there before."""
    heads = list(_heads(text))
    if len(set(heads)) == len(heads):
        return []
    places, seen, found = parser.places, set[bytes](), list[Damage]()
    for number, parent in enumerate(places.parent):
        span = places.span(number)
        if number and not parent and text[max(0, span.start - MOST_BLANKS) : span.start].rstrip(b" \t").endswith(b"["):
            name = text[span.start : span.end]
            if name in seen:
                found.append(Damage(span, SECTION_AGAIN))
            seen.add(name)
    return found


def _heads(text: bytes) -> Iterator[bytes]:
    """Lines that are a section in its brackets; some at a time, as all else waits while a pattern is looked for."""
    at = 0
    while at < len(text):
        end = text.find(b"\n", at + HEADS_AT_ONCE)
        end = len(text) if end < 0 else end
        yield from _HEAD.findall(b"\n" + text[at:end])
        at = end + 1


def _is_balanced(text: bytes) -> bool:
    """Whether as many brackets close as open: a sixteenth of the time at most that it takes to read the text."""
    bare = _TEXT_OR_COMMENT.sub(b"", text)
    return all(
        bare.count(opener) == bare.count(closer) for opener, closer in ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
    )


def _is_headless(start: bytes) -> bool:
    """Whether a resource or a scene begins here whose first section is damaged or lost."""
    part = _RESOURCE_PART.search(start)
    if part is None or not is_text(start):
        return False
    return part[1] is not None or _HEAD_WORDS.search(start, 0, part.start()) is not None


def line_of(start: bytes) -> str:
    """The engine line that a text was written for, by its beginning."""
    return _line_told(start) or LINES[0]


@lru_cache(2)  # asked on the way to the text, and of the text itself
def _line_told(start: bytes) -> str:
    """The same; empty where nothing tells it."""
    told = _found(start, _FORMAT, b"format=")
    if told is not None:
        return {b"1": "godot2", b"2": "godot3"}.get(told[1], "godot4")
    version = _found(start, _VERSION, b"config_version=")
    if version is not None:
        return "godot3" if int(version[1]) < 5 else "godot4"
    if _found(start, _NEW, *_NEW_WORDS):
        return "godot4"
    return "godot3" if _found(start, _OLD, *_OLD_WORDS) else ""


def _found(start: bytes, pattern: re.Pattern[bytes], *words: bytes) -> re.Match[bytes] | None:
    """Where a pattern is found of which one of some words is a part."""
    return pattern.search(start) if any(word in start for word in words) else None


def _value_of(text: bytes, dialect: Dialect) -> bytes | None:
    """The bytes of a text that is one value of settings without others inside; None for every other."""
    parser = EngineTextParser(_KEYED + text + b"\n", dialect, MOST_INSIDE)
    parser.read()
    places = parser.places
    is_one = len(places) == _KEYED_VALUES + 1 and places.span(_KEYED_VALUES) == Span(len(_KEYED), len(_KEYED + text))
    is_sound = is_one and not (parser.damages or parser.slips or bad_utf8(text))
    is_sound = is_sound and len(parser.out) > places.inside[_KEYED_VALUES] + len(_NULL)  # of a key, null is told
    return bytes(parser.out[places.inside[_KEYED_VALUES] :]) if is_sound else None


def _is_apart(text: bytes, span: Span) -> bool:
    """Whether nothing hangs on a value of a resource beyond itself: it names no other one, and says of no class."""
    around = text[max(span.start - WORD, 0) : span.end + WORD]
    return b"\n" not in text[span.start : span.end] and not any(word in around for word in _TELLING)


def _scripts(text: bytes) -> Iterator[Span]:
    """Where a script stands in the text that an engine would run, or is loaded from outside the game."""
    for word, line in _SCRIPTS:
        at = text.find(word)
        while at >= 0:
            found = line.match(text, text.rfind(b"\n", 0, at) + 1)
            if found is not None:
                yield Span(*found.span())
            end = text.find(b"\n", at)
            at = text.find(word, end) if end >= 0 else -1


RESOURCES = EngineTextCodec(RESOURCE)
"""Resources and scenes as text."""
CONFIGS = EngineTextCodec(CONFIG)
"""ConfigFile, project.godot, .import and the like."""
VALUES = EngineTextCodec(VALUE)
"""What ``var_to_str`` writes."""
