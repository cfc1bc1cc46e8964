"""JSON as a wrap around typed values, and lines of which each is JSON."""

from __future__ import annotations

import re
from functools import partial

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.container.layer import MOST_INSIDE, Damage, Secret, TooLarge, Unwrapped, WrapError
from viewer.container.unpacking import Differs
from viewer.text.float_spelling import engine_float
from viewer.text.json_notation import JsonNotation
from viewer.text.json_parser import JsonParser
from viewer.text.text_wrap import BOM, SAMPLE, LoneValues, ReadText, beginning, is_text, without_zeros, zeros_inside
from viewer.text.utf8 import bad_utf8

LEAST = 3
"""Values in a text with something broken that is JSON all the same."""
A_DAMAGE = 2
"""So many values weigh as much as a damage."""
NO_UTF8 = "This is not UTF-8: Godot 4 reads another character here, Godot 3 refuses the file or reads nonsense."

_CALL = late_pattern(rb"\b[A-Z]\w*[(\[]")
"""What only the engines' own text has."""
_BY_ENGINE = late_pattern(rb'^\[*\{\n"', re.MULTILINE)
_TEXT = late_pattern(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NOT_BY_ENGINE = late_pattern(rb'\n[\t ]|\[\n|\r|,[^\n ]|":[^ ]')
"""How ``var_to_str`` begins a dictionary, texts, and what it never writes outside of them: other programs break lines
between elements too, or put blanks in front of them."""


class JsonCodec:
    """Knows JSON by reading its beginning: an object or an array, sound or nearly so."""

    name = "json"

    def probe(self, outside: Buffer) -> bool:
        """Whether these bytes are such a text."""
        start = bytes(outside[:SAMPLE])
        if start.removeprefix(BOM).lstrip()[:1] not in (b"{", b"[") or not is_text(start):
            return False
        if _BY_ENGINE.search(start) and not _NOT_BY_ENGINE.search(_TEXT.sub(b'""', start)):
            return False
        reader = JsonParser(start, MOST_INSIDE)
        reader.read()
        size = len(start)
        damages = [damage for damage in reader.damages if damage.span.end < size or size == len(outside)]
        damages = [damage for damage in damages if len(damage.span)]  # that it breaks off speaks against nothing
        if any(_CALL.search(start, damage.span.start, damage.span.end) for damage in damages):
            return False
        if not damages:
            return len(reader.places) >= LEAST or not reader.damages
        lost = sum(len(damage.span) for damage in damages)
        return len(reader.places) >= LEAST and len(reader.places) > A_DAMAGE * len(damages) and 2 * lost <= size

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
        reader = JsonParser(kept, limit)
        reader.read()
        if not reader.roots:
            raise WrapError("This is not JSON: it does not begin with a value.")
        if expected is not None and reader.out != expected:
            raise Differs
        inside = bytes(reader.out) if expected is None else expected
        is_lines = reader.roots > 1
        notes = []
        for span in reader.odd:
            number = text[span.start : span.end].decode()
            read = f"{engine_float(number):.17g}"
            notes.append(Damage(span, f"The engines read {number[:40]} as {read}: every number in JSON is a float."))
        form = ReadText(
            "JSON lines" if is_lines else "JSON",
            text,
            inside,
            reader.places,
            "json",
            is_lines,
            partial(JsonNotation, is_lines=is_lines),
            reader.damages,
            notes,
            lone=LoneValues(_value_of),
            slips=[*reader.slips, *zeros],
            refused=[*(Damage(damage.span, NO_UTF8) for damage in bad_utf8(text)), *zeros_inside(kept)],
        )
        return Unwrapped(inside, form, form.damages)

    def begun(self, text: bytes) -> Unwrapped | None:
        """Read the beginning; None where no value begins there."""
        reader = JsonParser(beginning(text), MOST_INSIDE)
        reader.read()
        inside, is_lines = bytes(reader.out), reader.roots > 1
        notation = partial(JsonNotation, is_lines=is_lines)
        label = "JSON lines" if is_lines else "JSON"
        form = ReadText(label, text, inside, reader.places, "json", is_lines, notation, (), is_begun=True)
        return Unwrapped(inside, form) if reader.roots else None


def _value_of(text: bytes) -> bytes | None:
    """The bytes of a text that is one value without others inside; None for every other."""
    reader = JsonParser(text, MOST_INSIDE)
    reader.read()
    is_one = len(reader.places) == 1 and len(reader.places.span(0)) == len(text)
    return None if reader.damages or reader.odd or reader.slips or bad_utf8(text) or not is_one else bytes(reader.out)


JSON = JsonCodec()
