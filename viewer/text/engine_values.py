"""One value of the engines' own text, read sign by sign as the engines do: all that is not written as they write it.

What each engine line takes was asked of it [run: 3.2.3 and 4.6]; much of it means another value than one would think.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from array import array
from collections.abc import Iterator
from functools import lru_cache

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.container.layer import Damage
from viewer.text.float_spelling import engine_float, engine_reading
from viewer.text.utf8 import bad_utf8
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.encode import EncodeError, encode
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.names import resolve
from viewer.variant.literal.parse import parse_literal

BLANKS = rb"(?:[\x01-\x20]++|;[^\n]*+)*+"
TEXT = rb'"((?:[^"\\\x00]++|\\[^\x00])*+)"'
_TOKEN = late_pattern(
    BLANKS
    + rb"(?:([()\[\]{},:.=])|"
    + TEXT
    + rb'|([&@]"(?:[^"\\\x00]++|\\[^\x00])*+")|(#[0-9a-fA-F]*+)|(-?[A-Za-z_]\w*+)'
    + rb"|(-?\d++(?:\.\d*+)?+(?:[eE][-+]?+\d*+)?+))",
    re.DOTALL,
)
_OLD_TOKEN = late_pattern(
    BLANKS
    + rb"(?:([()\[\]{},:.=])|"
    + TEXT
    + rb"|((?!))?(?:(#[0-9a-fA-F]*+)|(-inf(?:\.0)?+\b|[A-Za-z_]\w*+)|((?=[-\d])-?\d*+(?:\.\d*+)?+(?:e[-+]?+\d*+)?+)))",
    re.DOTALL,
)
SIGN, STRING, NAME, COLOR, WORD, NUMBER = range(1, 7)
_ESCAPE = late_pattern(rb"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|(.))", re.DOTALL)
_OLD_ESCAPE = late_pattern(rb"\\(?:u([0-9a-fA-F]{4})|((?!))|(.))", re.DOTALL)
_FAR = late_pattern(rb"\\(?:u(?!00[0-7][0-9a-fA-F])|u0000|U)")
_ESCAPES = {b"b": b"\b", b"t": b"\t", b"n": b"\n", b"f": b"\f", b"r": b"\r"}
_LATIN, _LAST_SIGN, _NO_SIGN = 0x100, 0x10FFFF, "\ufffd"
_ZERO = "Texts cannot hold a zero: Godot 4 reads “{}” instead."
_OLD_ZERO = "Texts cannot hold a zero: Godot 3 reads this one only up to there."
_BY_CODE = 1 << 24
_LINE_END = late_pattern(rb"\x20*\r?\n")
"""What base64 may have between its signs."""
_TEXT_OR_COMMENT = late_pattern(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")|;[^\n]*+', re.DOTALL)
_FLOAT = late_pattern(rb"(-?\d*+(?:\.\d*+)?+)(?:[eE]([-+]?\d++))?")
PLAIN_NUMBERS = late_pattern(
    rb"(?:[\x01-\x20]*+-?\d++(?:\.\d*+)?+(?:e[-+]?+\d++)?+[\x01-\x20]*+,)*+"
    rb"[\x01-\x20]*+-?\d++(?:\.\d*+)?+(?:e[-+]?+\d++)?+[\x01-\x20]*+"
)
"""Numbers as every engine line reads them."""
_HEAD = struct.Struct("<II").pack
_LONG, _DOUBLE = struct.Struct("<Iq").pack, struct.Struct("<Id").pack
_PAD = (b"", b"\0\0\0", b"\0\0", b"\0")
MOST_DIGITS = 19
"""So many digits the largest number of 64 bits has."""
INT_MIN, INT_MAX = -(1 << 63), (1 << 63) - 1
MOST_COUNTED = 100
"""So many numbers are counted in the brackets of what takes a few."""
MOST_UNCLOSED = 1 << 12
"""So many brackets are remembered that are open where another one does not close, the outermost first, each
with where reading ended."""
LONGEST_UNKNOWN = 1 << 12
"""A call of something unknown is looked at in so many bytes, for what is wrong with it."""
SHORT_LITERAL = 1 << 8
"""Of literals with so many letters the bytes are kept."""
_INF = float("inf")
CODES = {"u8": "B", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}
_INTEGERS = {"u8": 8, "i32": 32, "i64": 64}
_FLOAT_WORDS = {b"inf": _INF, b"nan": float("nan"), b"-inf": -_INF, b"inf_neg": -_INF, b"-inf.0": -_INF}
_ALIASES = {"PackedIntArray": "PackedInt32Array", "PackedRealArray": "PackedFloat32Array"}
_ALIASES |= {"Vector4Array": "PackedVector4Array"}
_OLD_NAMES = frozenset(
    ("Matrix32", "Matrix3", "Rect3", "ByteArray", "IntArray", "FloatArray", "StringArray", "Vector2Array")
)
_OLD_NAMES |= {"Vector3Array", "ColorArray"}
_NOT_NEW = frozenset(("RawArray", "RealArray", "real", "StringName"))
_NO_CALLS = frozenset(("int", "float"))
"""Types that no engine calls in a text: their values are numbers."""
_HTML = {3: 1, 4: 1, 6: 2, 8: 2}
"""How many digits a channel of a colour has, by those of all."""


ENGINES_OWN = "Godot 3.2 writes such a number here, but does not read it."


class BrokenValueError(Exception):
    """Something is no value.

    Attributes:
        start, end: what cannot be read.
        sentence: why not.
    """

    def __init__(self, start: int, end: int, sentence: str) -> None:
        super().__init__(sentence)
        self.start = start
        self.end = end
        self.sentence = sentence


def stripped(text: bytes, start: int, end: int) -> tuple[int, int]:
    """Some bytes of a text without the blanks and tabs at both ends; as they are where there is nothing else."""
    raw = text[start:end]
    return (end - len(raw.lstrip(b" \t")), start + len(raw.rstrip(b" \t"))) if raw.strip() else (start, end)


class TextValueReader:
    """Reads values without others inside; collections are the parser's.

    Args:
        data: the whole text.
        dialect: the engine line that it was written for.
        is_file: whether an engine reads it from a file, and not from a text that it holds.
        has_parts: whether it is a resource or scene, whose values may name other parts of it.

    Attributes:
        slips: what the engine takes, but hardly as it was meant.
    """

    def __init__(self, data: bytes, dialect: Dialect, is_file: bool, has_parts: bool) -> None:
        self.slips: list[Damage] = []
        self._data = data
        self._dialect = dialect
        self._is_file = is_file
        self._has_parts = has_parts
        self.is_old = dialect.rules.literals != "godot4"
        self._token = _OLD_TOKEN if self.is_old else _TOKEN
        self.is_utf8 = not bad_utf8(data)
        self._rows: dict[bytes, TypeRow | None] = {}
        self._unclosed: dict[int, int] = {}
        number = dialect.type_number
        self._int, self._float = number("int"), number("float")
        self._words = {b"true": _HEAD(number("bool"), 1), b"false": _HEAD(number("bool"), 0)}
        self._words |= {b"null": bytes(4), b"nil": bytes(4)}

    def read(self, at: int) -> tuple[bytes, int]:
        """The bytes of the value behind a byte, and where it ends in the text.

        Raises:
            BrokenValueError: there is none.
        """
        found = self._token.match(self._data, at)
        kind = found.lastindex if found is not None else None
        if found is None or kind is None:
            raise self._none(at)
        start, end, raw = found.start(kind), found.end(), found[kind]
        if kind == NUMBER:
            return self._number(raw, start), end
        if kind == COLOR:
            if end == len(self._data):
                raise BrokenValueError(
                    start, end, "Engines read such a colour only where something follows: a line end."
                )
            return self._color(raw, start), end
        if kind == WORD:
            return self._named(raw, start, end)
        if kind == NAME:
            return self._encoded("&" + _quoted(self.text(raw[2:-1], start)), start, end), end
        if kind == STRING:
            content = self.text(raw, start - 1)
            return _HEAD(self._dialect.type_number("String"), len(content)) + content + _PAD[len(content) & 3], end
        raise self._none(at)

    def text(self, raw: bytes, start: int) -> bytes:
        """What stands between two quotes says, as the engine reads it.

        Raises:
            BrokenValueError: an escape in it is refused.
        """
        if b"\\" in raw:
            if _FAR.search(raw) is not None:
                return self._far(raw, start)
            raw = _ESCAPE.sub(_near, raw)
        if self.is_utf8:
            return raw
        if not self.is_old:
            return raw.decode(errors="replace").encode()
        return raw if not bad_utf8(raw) else raw.decode("latin-1").encode()

    # Names

    def row(self, name: bytes) -> TypeRow | None:
        """The type that the engine calls so."""
        if name not in self._rows:
            self._rows[name] = self._row(name.decode())
        return self._rows[name]

    def _row(self, name: str) -> TypeRow | None:
        if name in _NO_CALLS:
            return None
        row = self._dialect.by_name.get(name)
        if row is not None:
            return row
        if self.is_old:
            return resolve(name, self._dialect) if name in _OLD_NAMES else None
        return None if name in _NOT_NEW else resolve(_ALIASES.get(name, name), self._dialect)

    def _named(self, name: bytes, start: int, end: int) -> tuple[bytes, int]:
        """A word, or a call."""
        word = self._words.get(name)
        if word is not None:
            return word, end
        if name == b"inf_neg" and self.is_old:
            raise BrokenValueError(start, end, f"{self._dialect.name} does not read “inf_neg”.")
        if name[:1] == b"-" and self.is_old:
            self._slip(start, end, ENGINES_OWN)
        number = _FLOAT_WORDS.get(name)
        if number is not None:
            return _DOUBLE(self._float, number), end
        row = self.row(name)
        opens = self._token.match(self._data, end)
        is_call = opens is not None and opens[SIGN] == b"("
        if row is None and not (is_call and name in (b"Object", b"Resource", b"RID", b"Signal", b"Callable")):
            raise BrokenValueError(start, end, self._unknown(name, start, end, is_call))
        if opens is None or not is_call:
            raise BrokenValueError(start, end, f"“(” is missing after {name.decode()}.")
        at = opens.end()
        if name == b"Object":
            self._check_object(at)
        if name == b"Resource":
            self._check_path(at)
        if name == b"Signal":
            self._check_empty(at, start)
        if row is not None and row.kind in (Kind.FIXED, Kind.PACKED) and row.narrow and name != b"RID":
            if row.narrow_size == 1 and row.kind is Kind.PACKED and not self.is_old:
                found = self._token.match(self._data, at)
                if found is not None and found.lastindex == STRING:
                    return self._base64(row, found, start)
            numbers, stop = self._numbers(at, start, row)
            return self._filled(row, numbers, start, stop), stop
        if row is not None and row.kind is Kind.PACKED_STRINGS:
            texts, stop = self._texts(at, start)
            return self._encoded(f"{row.name}({', '.join(map(_quoted, texts))})", start, stop), stop
        if row is not None and row.kind in (Kind.NODE_PATH, Kind.INDEXED_PATH):
            texts, stop = self._texts(at, start)
            if len(texts) != 1:
                raise BrokenValueError(start, stop, "A NodePath is one text in quotes.")
            return self._encoded(f"NodePath({_quoted(texts[0])})", start, stop), stop
        if name == b"RID" and self.is_old:
            numbers, stop = self._numbers(at, start)
            if len(numbers) != 1:
                raise BrokenValueError(start, stop, "Godot 3 needs a number in the brackets of an RID.")
            return _LONG(self._int, int(numbers[0])), stop
        if row is not None and name in (b"ExtResource", b"SubResource"):
            return self._file_part(row, at, start)
        stop = self._balanced(at, start)
        raw = name + self._data[at - 1 : stop]
        plain = _TEXT_OR_COMMENT.sub(rb"\1", raw)
        return self._encoded(engine_reading(plain.decode(errors="replace")), start, stop), stop

    def _check_object(self, at: int) -> None:
        """What stands in the brackets of an object begins with its class and a comma, also where nothing follows.

        Raises:
            BrokenValueError: it does not.
        """
        word = self._token.match(self._data, at)
        if word is None or word.lastindex != WORD:
            raise BrokenValueError(at, at + 1, "After “Object(” the name of a class is expected, without quotes.")
        comma = self._token.match(self._data, word.end())
        if comma is None or comma[SIGN] != b",":
            sentence = "A comma is missing after the class of this object: engines need it, even where nothing follows."
            raise BrokenValueError(word.end(), word.end() + 1, sentence)

    def _check_empty(self, at: int, start: int) -> None:
        """Of a signal the engine writes no more than that it is one, and reads no more.

        Raises:
            BrokenValueError: something stands in its brackets.
        """
        found = self._token.match(self._data, at)
        if found is None or found[SIGN] != b")":
            raise BrokenValueError(start, at, f"A Signal holds nothing in a file of {self._dialect.name}.")

    def _check_path(self, at: int) -> None:
        """In the brackets of a resource that lies elsewhere stands where.

        Raises:
            BrokenValueError: it does not.
        """
        path = self._token.match(self._data, at)
        if path is None or path.lastindex != STRING or not path[STRING]:
            raise BrokenValueError(at, at + 1, "The brackets of Resource hold a path in quotes.")

    def _file_part(self, row: TypeRow, at: int, start: int) -> tuple[bytes, int]:
        """Another resource of the file, by its number or its name."""
        if not self._has_parts:
            sentence = f"{row.name} names a part of a .tres or .tscn, which this is not: the engines refuse it here."
            raise BrokenValueError(start, at, sentence)
        for found in self._tokens(at, start, "name"):
            if found.lastindex == STRING:
                content = self.text(found[STRING], found.start(STRING) - 1)
                if self.is_old:
                    self._slip(
                        found.start(STRING) - 1, found.end(), "Godot 3 needs a number here, and refuses the file."
                    )
            elif found.lastindex == NUMBER:
                content = found[NUMBER]
            else:
                break
            closes = self._token.match(self._data, found.end())
            if closes is None or closes[SIGN] != b")":
                break
            return _HEAD(row.number, len(content)) + content + _PAD[len(content) & 3], closes.end()
        raise BrokenValueError(start, at, f"The brackets of {row.name} hold one number or text.")

    def _unknown(self, name: bytes, start: int, end: int, is_call: bool) -> str:
        """Why a name is none."""
        try:
            stop = self._balanced(self._data.index(b"(", end) + 1, start, LONGEST_UNKNOWN) if is_call else end
            if stop >= 0:
                parse_literal(self._data[start:stop].decode(errors="replace"), self._dialect)
        except BrokenValueError as error:
            return error.sentence
        except LiteralError as error:
            return str(error)
        return f"{self._dialect.name} does not read “{name.decode()}”."

    def _none(self, at: int) -> BrokenValueError:
        """Why no value begins behind a byte."""
        blank = re.compile(BLANKS).match(self._data, at)
        start = blank.end() if blank is not None else at
        return BrokenValueError(start, start + 1, no_value(self._data[start : start + 4]))

    # What stands in brackets

    def _tokens(self, at: int, start: int, wanted: str) -> Iterator[re.Match[bytes]]:
        """What stands between commas up to “)”."""
        is_first = True
        while True:
            found = self._token.match(self._data, at)
            if found is None or found.lastindex is None:
                raise self._open(at, start)
            if found[SIGN] == b")" and (is_first or wanted == "text"):
                yield found
                return
            if found.lastindex == SIGN:
                place = found.start(SIGN)
                raise BrokenValueError(place, place + 1, f"A {wanted} is missing before this.")
            yield found
            is_first = False
            sign = self._token.match(self._data, found.end())
            if sign is None or sign[SIGN] not in (b",", b")"):
                raise self._open(found.end(), start)
            if sign[SIGN] == b")":
                yield sign
                return
            at = sign.end()

    def _open(self, at: int, start: int) -> BrokenValueError:
        """A bracket does not close, or no comma stands where one belongs."""
        blank = re.compile(BLANKS).match(self._data, at)
        place = blank.end() if blank is not None else at
        if place >= len(self._data) or b"\n" in self._data[at:place]:
            return BrokenValueError(start, at, "“)” is missing: what is called here does not end.")
        return BrokenValueError(place, place + 1, "A comma or “)” is missing before this.")

    def _numbers(self, at: int, start: int, row: TypeRow | None = None) -> tuple[list[int | float], int]:
        """The numbers up to “)”, of a type that may take only so many, and where that ends."""
        out: list[int | float] = []
        most = MOST_COUNTED if row is not None and row.kind is Kind.FIXED else len(self._data)
        for found in self._tokens(at, start, "number"):
            kind = found.lastindex
            if kind == SIGN:
                return out, found.end()
            if len(out) == most and row is not None:
                raise BrokenValueError(
                    start, found.end(), f"{row.name} takes {len(row.narrow)} numbers, here are more than {most}."
                )
            raw = found[kind or 0]
            if kind == NUMBER:
                out.append(self._plain(raw, found.start(NUMBER)))
            elif kind == WORD and raw in _FLOAT_WORDS:
                out.append(_FLOAT_WORDS[raw])
                if self.is_old:
                    self._slip(found.start(WORD), found.end(), ENGINES_OWN)
            else:
                place = found.start(kind or 0)
                raise BrokenValueError(place, found.end(), "A number is expected here.")
        raise AssertionError

    def _texts(self, at: int, start: int) -> tuple[list[bytes], int]:
        """The texts up to “)”, and where that ends."""
        out: list[bytes] = []
        for found in self._tokens(at, start, "text"):
            if found.lastindex == SIGN:
                return out, found.end()
            if found.lastindex != STRING:
                place = found.start(found.lastindex or 0)
                raise BrokenValueError(place, found.end(), "A text in double quotes is expected here.")
            out.append(self.text(found[STRING], found.start(STRING) - 1))
        raise AssertionError

    def _balanced(self, at: int, start: int, most: int | None = None) -> int:
        """Where the bracket is closed that was opened in front of a byte; -1 where not in so many bytes."""
        opened, last = array("I", (at,)), len(self._data) if most is None else at + most
        while at <= last:
            found = self._token.match(self._data, at)
            if found is None or found.lastindex is None or at in self._unclosed:
                at = self._unclosed.get(at, at)
                self._unclosed.update(dict.fromkeys(opened[:MOST_UNCLOSED], at))
                raise BrokenValueError(start, at, "“)” is missing: what is called here does not end.")
            at = found.end()
            if found[SIGN] in (b"(", b"[", b"{"):
                opened.append(at)
            elif found[SIGN] in (b")", b"]", b"}"):
                opened.pop()
                if not opened:
                    return at
        return -1

    def _filled(self, row: TypeRow, numbers: list[int | float], start: int, end: int) -> bytes:
        """A value of plain numbers."""
        fields = row.narrow
        if row.kind is Kind.FIXED and len(numbers) != len(fields):
            here = f"here {'is' if len(numbers) == 1 else 'are'} {len(numbers)}"
            raise BrokenValueError(start, end, f"{row.name} takes {len(fields)} numbers, {here}.")
        over = len(numbers) % len(fields)
        if over:
            self._slip(
                start, end, f"The numbers of a {row.name} come in groups of {len(fields)}: the last ones are lost."
            )
            del numbers[len(numbers) - over :]
        held = [self._held(number, fields[k % len(fields)].type, start, end) for k, number in enumerate(numbers)]
        data = struct.pack("<" + "".join(CODES[fields[k % len(fields)].type] for k in range(len(held))), *held)
        if row.kind is Kind.FIXED:
            return _HEAD(row.number, 0)[:4] + data
        return _HEAD(row.number, len(held) // len(fields)) + data + _PAD[len(data) & 3]

    def _held(self, number: int | float, code: str, start: int, end: int) -> int | float:
        """A number as a field holds it."""
        bits = _INTEGERS.get(code)
        if bits is None:
            if code == "f32" and isinstance(number, int):
                return _for_32_bits(number)
            if code == "f32" and abs(number) >= _INFINITE_32 and abs(number) != _INF:
                return _INF if number > 0 else -_INF
            return float(number)
        whole = _whole(number, bits, self.is_old) if isinstance(number, float) else number
        low = 0 if code == "u8" else -(1 << bits - 1)
        held = (whole - low) % (1 << bits) + low
        if held != number:
            self._slip(
                start, end, f"The engines read {number!r:.40} as {held} here: it does not fit or has a fraction."
            )
        return held

    def _base64(self, row: TypeRow, found: re.Match[bytes], start: int) -> tuple[bytes, int]:
        closes = self._token.match(self._data, found.end())
        if closes is None or closes[SIGN] != b")":
            raise self._open(found.end(), start)
        try:
            spelled = _LINE_END.sub(b"", self.text(found[STRING], found.start(STRING) - 1))
            data = base64.b64decode(spelled, validate=True)
            if len(spelled) % 4:
                raise binascii.Error
        except binascii.Error as error:
            raise BrokenValueError(found.start(STRING), found.end(), "The text in quotes is not base64.") from error
        return _HEAD(row.number, len(data)) + data + _PAD[len(data) & 3], closes.end()

    # Numbers, colours and texts

    def _number(self, raw: bytes, start: int) -> bytes:
        number = self._plain(raw, start)
        return _DOUBLE(self._float, number) if isinstance(number, float) else _LONG(self._int, number)

    def _plain(self, raw: bytes, start: int) -> int | float:
        """The number that some signs stand for."""
        if raw.lstrip(b"-").isdigit():
            number = whole_number(raw)
            if len(raw.lstrip(b"-0")) > MOST_DIGITS or number != int(raw):
                self._slip(start, start + len(raw), f"This number does not fit in 64 bits: the engines read {number}.")
            return number
        if raw == b"-":
            self._slip(start, start + 1, "A minus sign without digits is 0 to Godot 3.")
            return 0
        found = _FLOAT.match(raw)
        assert found is not None
        mantissa = found[1] if found[1].strip(b"-.") else found[1].replace(b".", b"") + b"0"
        return engine_float((mantissa + (b"e" + found[2] if found[2] else b"")).decode())

    def _color(self, raw: bytes, start: int) -> bytes:
        """A colour as web pages have it."""
        digits = raw[1:].decode()
        width = _HTML.get(len(digits), 0)
        if self.is_old and width and len(digits) in (4, 8):
            digits = digits[width:] + digits[:width]  # Godot 3 has the alpha in front
        channels = (
            [int(digits[k : k + width], 16) / (16**width - 1) for k in range(0, len(digits), width)] if width else []
        )
        if not channels:
            self._slip(start, start + len(raw), "This is not a colour: the engines read black.")
        channels = channels or [0.0, 0.0, 0.0]
        if len(channels) == len("rgb"):
            channels.append(1.0)
        return struct.pack("<I4f", self._dialect.type_number("Color"), *channels)

    def _far(self, raw: bytes, start: int) -> bytes:
        """A text with escapes of letters beyond ASCII, which engines read from a file in ways of their own."""
        signs: list[int] = []
        at = 0
        for found in (_OLD_ESCAPE if self.is_old else _ESCAPE).finditer(raw):
            signs += raw[at : found.start()]
            at = found.end()
            signs.append(self._sign(found, start + 1 + found.start()))
        signs += raw[at:]
        end = start + len(raw) + 2
        if not self.is_old:
            signs = _paired(signs, start, end)
        meant = b"".join(_spelled(sign, self.is_old) for sign in signs)
        codes = [sign - _BY_CODE if sign >= _BY_CODE else sign for sign in signs]
        if not self._is_file:
            whole = meant.decode(errors="replace").replace("\0", _NO_SIGN).encode()
            told = meant.split(b"\0", 1)[0] if self.is_old else whole
        elif not self.is_old:
            told = bytes(code if 0 < code < _LATIN else 0x20 for code in codes).decode(errors="replace").encode()
        else:
            low = bytes(code & 0xFF for code in codes).split(b"\0", 1)[0]
            told = low if not bad_utf8(low) else "".join(map(chr, codes)).encode(errors="surrogatepass")
        if 0 in codes:
            self._slip(start, end, _OLD_ZERO if self.is_old else _ZERO.format(" " if self._is_file else _NO_SIGN))
        elif told != meant and self._is_file:
            sentence = f"{self._dialect.name} reads such escapes wrongly from a file: write the letter itself."
            self._slip(start, end, sentence)
        return told

    def _sign(self, found: re.Match[bytes], start: int) -> int:
        """The sign that an escape stands for: one given by its number with a mark."""
        short, long, letter = found.groups()
        if letter is None:
            return _BY_CODE + int(short or long, 16)
        if letter == b"u" or (letter == b"U" and not self.is_old):
            digits = "four" if letter == b"u" else "six"
            sentence = f"“\\{letter.decode()}” needs {digits} hexadecimal digits after it."
            raise BrokenValueError(start, start + 2, sentence)
        return _ESCAPES.get(letter, letter)[0]

    def _encoded(self, literal: str, start: int, end: int) -> bytes:
        """The bytes of a value by its text."""
        try:
            made = _made if len(literal) <= SHORT_LITERAL else _made.__wrapped__
            return made(literal, self._dialect)
        except LiteralError as error:
            raise BrokenValueError(start, end, str(error)) from error
        except (EncodeError, KeyError, ValueError, OverflowError) as error:
            raise BrokenValueError(start, end, f"This is not a value: {error}") from error

    def _slip(self, start: int, end: int, sentence: str) -> None:
        self.slips.append(Damage(Span(start, end), sentence))


@lru_cache(1 << 10)
def _made(literal: str, dialect: Dialect) -> bytes:
    """The bytes of a literal: a path stands often in a text, and a text is read oftener than once.

    Raises:
        LiteralError: it is none.
        EncodeError, KeyError, ValueError, OverflowError: it cannot be written.
    """
    return encode(parse_literal(literal, dialect), dialect)


_KEPT_BITS = 50
_INFINITE_32 = 3.4028235677973366e38
"""From here on a number is infinite in 32 bits; the largest float there is half a step below."""


def _for_32_bits(number: int) -> float:
    """A double that becomes the same float of 32 bits as a whole number does: it is rounded only once."""
    over = max(0, abs(number).bit_length() - _KEPT_BITS)
    kept = abs(number) >> over
    return float((kept | (kept << over != abs(number))) << over) * (-1 if number < 0 else 1)


def whole_number(raw: bytes) -> int:
    """A whole number as the engines read it into 64 bits."""
    digits = raw.lstrip(b"-0")
    is_negative = raw.startswith(b"-")
    if len(digits) > MOST_DIGITS or int(digits[:-1] or b"0") > INT_MAX // 10:
        return INT_MIN if is_negative else INT_MAX
    held = (int(digits or b"0") - INT_MIN) % (1 << 64) + INT_MIN
    return (-held - INT_MIN) % (1 << 64) + INT_MIN if is_negative else held


def _whole(number: float, bits: int, is_old: bool) -> int:
    """A float cut to a whole number of some bits."""
    low, high = -(1 << max(bits, 32) - 1), (1 << max(bits, 32) - 1) - 1
    if number != number:
        return low if is_old else 0
    if low <= number <= high:
        return int(number)
    return low if is_old or number < 0 else high


def no_value(sign: bytes) -> str:
    """Why no value begins with these signs."""
    if not sign:
        return "The text ends where a value is expected."
    if sign.startswith(("\u201c".encode(), "\u201d".encode())) or sign[:1] == b"'":
        return "Texts go in straight double quotes."
    if sign[:1] == b'"':
        return "A text begins here and does not end: a quote is missing."
    if sign[:1] == b"." or sign[:2] == b"-.":
        return "A number begins with a digit: 0.5, and not .5."
    if sign[:1] == b"+":
        return "A number has no plus sign in front."
    return "A value is expected here."


def _near(found: re.Match[bytes]) -> bytes:
    """What an escape of ASCII means."""
    short, _, letter = found.groups()
    return bytes((int(short, 16),)) if letter is None else _ESCAPES.get(letter, letter)


def _paired(signs: list[int], start: int, end: int) -> list[int]:
    """The same with halves of pairs put together.

    Raises:
        BrokenValueError: one stands by itself.
    """
    out, at = list[int](), 0
    while at < len(signs):
        high = signs[at] - _BY_CODE
        if 0xD800 <= high < 0xE000:
            low = signs[at + 1] - _BY_CODE if at + 1 < len(signs) else 0
            if high >= 0xDC00 or not 0xDC00 <= low < 0xE000:
                raise BrokenValueError(start, end, "Half of a pair of escapes is here without the other half.")
            out.append(_BY_CODE + 0x10000 + (high - 0xD800 << 10) + low - 0xDC00)
            at += 2
        else:
            out.append(signs[at])
            at += 1
    return out


def _spelled(sign: int, is_old: bool) -> bytes:
    """The bytes of a sign; Godot 3 keeps each half of a pair by itself."""
    if sign < _BY_CODE:
        return bytes((sign,))
    code = sign - _BY_CODE
    return (chr(code) if code <= _LAST_SIGN else _NO_SIGN).encode(errors="surrogatepass" if is_old else "replace")


def _quoted(content: bytes) -> str:
    return '"' + content.decode(errors="replace").replace("\\", "\\\\").replace('"', '\\"') + '"'
