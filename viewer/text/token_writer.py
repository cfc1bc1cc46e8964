"""Read one token of JSON or of the engines' own text where it is ordinary, and write the bytes of its value.

This file runs as it stands, and Cython compiles the same file (types in ``token_writer.pxd``). Compiled, no index is
checked but by what stands here: the text ends with a zero in memory, at which every token ends; and what is written has
room up to ``most``, and :data:`~viewer.text.token_signs.SLACK` bytes behind it. ``tools/sanitized.py`` shows it by
damaged texts.
"""

from __future__ import annotations

import struct
from typing import Any

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython

from viewer.text.call_plans import F32, F64, I32, NAMED, REALS, TEXTS, U8
from viewer.text.float_spelling import MOST_EXPONENT, SCALES
from viewer.text.token_signs import (
    BACKSLASH,
    BEHIND_SURROGATES,
    BLANK,
    CLOSE,
    COMMA,
    DELETE,
    EQUALS,
    HIGH_SURROGATE,
    LINE,
    LOW_LINE,
    LOW_SURROGATE,
    LOWER_E,
    LOWER_U,
    MINUS,
    NINE,
    NO_ROOM,
    NOTHING,
    OPEN,
    PLUS,
    POINT,
    QUOTE,
    RETURN,
    SEMICOLON,
    SLACK,
    TAB,
    UNSQUARE,
    UPPER_A,
    UPPER_E,
    UPPER_F,
    UPPER_Z,
    ZERO,
)

WIDEST = 8
"""No token becomes more bytes than so many times its own."""
EXACT, MOST_DIGITS = 1 << 53, 18
EXPONENT_BITS, EXPONENT_SIGN = (1 << 32) - 1, 1 << 31
I32_MIN, I32_MAX, F32_MAX = -(1 << 31), (1 << 31) - 1, 3.4028235677973366e38
"""From F32_MAX on a number becomes infinite in 32 bits."""
POWERS = struct.pack(f"<{len(SCALES)}d", *SCALES)
TRUE, FALSE, NULL = b"true", b"false", b"null"


class TokenWriter:
    """Reads tokens of a text and writes values.

    Args:
        text: its bytes.
        owner: the parser that is asked what stands in the brackets of a call.
        is_json: whether it is JSON.
        is_resource: whether its sections are those of a resource or scene.
        stretch: so many bytes of it are read before what is written is taken away.
    """

    def __init__(self, text: bytes, owner: Any, is_json: bool, is_resource: bool, stretch: int) -> None:
        self.text, self.owner = text, owner
        self.sentinel = text if cython.compiled else text + b"\0"
        self.raw = self.sentinel
        self.size = len(text)
        self.powers = _reals(POWERS)
        self.is_json, self.is_resource = is_json, is_resource
        self.escape_table = _escapes(is_json)
        self.escapes = self.escape_table
        self.plan_start = self.plan_end = 0
        self.plan_form = self.plan_type = self.plan_step = self.plan_width = 0
        self.boolean = self.number = self.base = 0
        self.column_room = [bytearray(4 * (stretch + SLACK)) for _ in range(4)]
        self.inside, self.starts = self.words_of(self.column_room[0]), self.words_of(self.column_room[1])
        self.ends, self.parents = self.words_of(self.column_room[2]), self.words_of(self.column_room[3])
        self.at = self.used = self.found = self.length = self.whole = 0
        self.decimal = 0.0
        self.is_simple = self.is_short = self.is_exact = self.is_whole = False
        self.take_room(WIDEST * stretch + 2 * SLACK)

    def words_of(self, room: bytearray) -> Any:
        """The words of some room."""
        if cython.compiled:
            return cython.cast(cython.p_uint, cython.cast(cython.p_uchar, room))
        return memoryview(room).cast("I")

    # Writing

    def take_room(self, size: int) -> None:
        """Have room for so many bytes a stretch."""
        self.room, self.most = size, size - SLACK
        self.written = bytearray(size)
        self.out = _bytes(self.written)

    def add(self, start: int, end: int, size: int) -> int:
        """One more value, whose bytes are written, so many of them."""
        found = self.found
        self.inside[found], self.starts[found] = self.base + self.used, start
        self.ends[found], self.parents[found] = end, self.number
        self.used, self.found = self.used + size, found + 1
        return 0

    def head(self, kind: int, more: int) -> int:
        """Write the header of a value and the word behind it."""
        self.word(self.used, kind)
        return self.word(self.used + 4, more)

    def word(self, to: int, word: int) -> int:
        """Write 32 bits."""
        out = self.out
        out[to] = word & 0xFF
        out[to + 1] = word >> 8 & 0xFF
        out[to + 2] = word >> 16 & 0xFF
        out[to + 3] = word >> 24
        return 0

    def filled(self, to: int) -> int:
        """Write zeros up to a multiple of four of all bytes; where they end."""
        while (self.base + to) & 3:
            self.out[to] = 0
            to += 1
        return to

    def real(self, to: int, real: float) -> int:
        """Write a double."""
        if cython.compiled:
            memcpy(cython.address(self.out[to]), cython.address(real), 8)  # type: ignore[name-defined]  # noqa: F821
        else:
            struct.pack_into("<d", self.out, to, real)
        return 0

    def single(self, to: int, real: float) -> int:
        """Write a float of 32 bits."""
        if cython.compiled:
            narrow = real
            memcpy(cython.address(self.out[to]), cython.address(narrow), 4)  # type: ignore[name-defined]  # noqa: F821
        else:
            struct.pack_into("<f", self.out, to, real)
        return 0

    def add_text(self, kind: int, start: int, end: int) -> int:
        """A text, whose content is written; its length is kept."""
        self.head(kind, self.length)
        return self.add(start, end, self.filled(self.used + 8 + self.length) - self.used)

    def copy(self, start: int, end: int) -> int:
        """Write what stands in the text as the content of one; NO_ROOM where there is none."""
        raw, out, to, length = self.raw, self.out, self.used + 8, end - start
        if self.used + length > self.most:
            return NO_ROOM
        for k in range(length):
            out[to + k] = raw[start + k]
        self.length = length
        return 0

    def put(self, content: bytes) -> int:
        """Write bytes that the parser gave."""
        held, out, to = content, self.out, self.used
        for k in range(len(content)):
            out[to + k] = held[k]
        return 0

    # Reading

    def blank(self) -> int:
        """Pass over white space and comments; the sign behind them."""
        raw, at = self.raw, self.at
        sign = raw[at]
        while sign <= SEMICOLON:
            if 0 < sign <= BLANK:
                at += 1
            elif sign == SEMICOLON and not self.is_json:
                while at < self.size and raw[at] != LINE:
                    at += 1
            else:
                break
            sign = raw[at]
        self.at = at
        return sign

    def text_end(self, at: int, to: int) -> int:
        """Write what a text in quotes says; where it ends, NOTHING for what is unusual, NO_ROOM.

        Args:
            at: the byte behind the quote.
            to: where to write it. Its length is kept, and whether all of it is ASCII as it stands there.
        """
        raw, out, begin, size = self.raw, self.out, to, self.size
        most, is_simple = self.most, True
        while True:
            sign = raw[at]
            if sign == QUOTE:
                break
            if to >= most:
                return NO_ROOM
            if sign == BACKSLASH:
                is_simple = False
                at += 2
                sign = raw[at - 1]
                if sign == LOWER_U:
                    code = self.code(at)
                    at += 4
                    if HIGH_SURROGATE <= code < LOW_SURROGATE and self.is_json:
                        if raw[at] != BACKSLASH or raw[at + 1] != LOWER_U:
                            return NOTHING
                        low = self.code(at + 2) - LOW_SURROGATE
                        at += 6
                        if not 0 <= low < 0x400:
                            return NOTHING
                        code = 0x10000 + ((code - HIGH_SURROGATE) << 10) + low
                    elif (
                        code <= 0 or HIGH_SURROGATE <= code < BEHIND_SURROGATES or (code > DELETE and not self.is_json)
                    ):
                        return NOTHING
                    to = self.put_sign(code, to)
                    continue
                sign = self.escapes[sign]
                if not sign:
                    return NOTHING
            else:
                at += 1
                if sign < BLANK or sign >= DELETE:
                    is_simple = False
                    if not sign and (at > size or not self.is_json):
                        return NOTHING
            out[to] = sign
            to += 1
        self.length, self.is_simple = to - begin, is_simple
        return at + 1

    def code(self, at: int) -> int:
        """The number that four hexadecimal digits spell, NOTHING for what are none."""
        code, raw = 0, self.raw
        for k in range(at, at + 4):
            if k >= self.size:
                return NOTHING
            sign = raw[k]
            if ZERO <= sign <= NINE:
                code = 16 * code + sign - ZERO
            elif UPPER_A <= sign & 0xDF <= UPPER_F:
                code = 16 * code + (sign & 0xDF) - 0x37
            else:
                return NOTHING
        return code

    def put_sign(self, code: int, to: int) -> int:
        """Write a sign in UTF-8; where it ends."""
        out = self.out
        if code < 0x80:
            out[to] = code
            return to + 1
        if code < 0x800:
            out[to] = 0xC0 | code >> 6
            out[to + 1] = 0x80 | code & 0x3F
            return to + 2
        if code < 0x10000:
            out[to] = 0xE0 | code >> 12
        else:
            out[to] = 0xF0 | code >> 18
            out[to + 1] = 0x80 | code >> 12 & 0x3F
            to += 1
        out[to + 1] = 0x80 | code >> 6 & 0x3F
        out[to + 2] = 0x80 | code & 0x3F
        return to + 3

    def number_end(self, at: int) -> int:
        """Read a number; where it ends, NOTHING for what is none.

        Kept are its double as the engines read it (:mod:`viewer.text.float_spelling`), whether it is whole, and of a
        whole one itself, where it has few digits; and whether no digit of it is lost in the double.
        """
        raw, powers = self.raw, self.powers
        mantissa, digits, power, is_minus = 0, 0, 0, False
        sign = raw[at]
        if sign == MINUS:
            is_minus = True
            at += 1
            sign = raw[at]
        if not ZERO <= sign <= NINE:
            return NOTHING
        while ZERO <= sign <= NINE:
            if digits < MOST_DIGITS:
                mantissa = 10 * mantissa + sign - ZERO
            else:
                power += 1
            digits += 1
            at += 1
            sign = raw[at]
        self.is_whole = True
        if sign == POINT:
            self.is_whole = False
            at += 1
            sign = raw[at]
            while ZERO <= sign <= NINE:
                if digits < MOST_DIGITS:
                    mantissa = 10 * mantissa + sign - ZERO
                    power -= 1
                digits += 1
                at += 1
                sign = raw[at]
        if sign == UPPER_E and not self.is_json:
            return NOTHING
        if sign in (LOWER_E, UPPER_E):
            self.is_whole = False
            at += 1
            is_less, raised = raw[at] == MINUS, 0
            if is_less or raw[at] == PLUS:
                at += 1
            sign = raw[at]
            if not ZERO <= sign <= NINE:
                return NOTHING
            while ZERO <= sign <= NINE:
                raised = (10 * raised + sign - ZERO) & EXPONENT_BITS
                at += 1
                sign = raw[at]
            power = (power + (-raised if is_less else raised)) & EXPONENT_BITS
            power -= (power & EXPONENT_SIGN) << 1
        self.is_short = digits <= MOST_DIGITS
        self.is_exact = self.is_short and mantissa <= EXACT
        decimal, size = float(mantissa), min(abs(power), MOST_EXPONENT)
        decimal = decimal / powers[size] if power < 0 else decimal * powers[size]
        self.decimal = -decimal if is_minus else decimal
        self.whole = -mantissa if is_minus else mantissa
        return at

    def put_number(self, to: int, form: int) -> int:
        """Write the number that was read last; how many bytes it takes, NOTHING where it has no room in its form."""
        out = self.out
        if self.is_whole and not self.whole and form in (F32, F64):
            self.decimal = 0.0  # a whole number has no sign at zero
        if form == F32:
            if not -F32_MAX < self.decimal < F32_MAX or (self.is_whole and not self.is_exact):
                return NOTHING
            self.single(to, self.decimal)
            return 4
        if form == F64:
            if self.is_whole and not self.is_short:
                return NOTHING
            self.real(to, self.decimal)
            return 8
        if not self.is_whole or not self.is_short:
            return NOTHING
        number = self.whole
        if form == U8:
            if not 0 <= number < 256:
                return NOTHING
            out[to] = number
            return 1
        if form == I32 and not I32_MIN <= number <= I32_MAX:
            return NOTHING
        self.word(to, number & 0xFFFFFFFF)
        if form == I32:
            return 4
        self.word(to + 4, (number >> 32) & 0xFFFFFFFF)
        return 8

    def take_plan(self, start: int, end: int) -> int:
        """Have what stands in the brackets behind a name; most names are the one before."""
        raw, length = self.raw, end - start
        if length == self.plan_end - self.plan_start:
            for k in range(length):
                if raw[start + k] != raw[self.plan_start + k]:
                    break
            else:
                return 0
        form, number, step, width = self.owner.plan(self.text[start:end])
        self.plan_form, self.plan_type, self.plan_step, self.plan_width = form, number, step, width
        self.plan_start, self.plan_end = start, end
        return 0

    def call_end(self, start: int, at: int) -> int:
        """A value of plain numbers, one text or texts in the brackets that open in front of a byte; where it ends,
        NOTHING for what is unusual, NO_ROOM."""
        raw, out, to, begin, count = self.raw, self.out, self.used, self.used, 0
        form, step, most = self.plan_form, self.plan_step, self.most
        self.word(to, self.plan_type)
        to += 4
        if form == NAMED:
            at = self.text_end(at + 1, to + 4) if raw[at] == QUOTE else NOTHING
            if at < 0:
                return at
            if raw[at] != CLOSE or not self.is_simple:
                return NOTHING
            self.word(to, self.length)
            to += 4 + self.length
        elif form == TEXTS:
            to += 4
            while True:
                while is_space(raw[at]):
                    at += 1
                if raw[at] == CLOSE and not count:
                    break
                at = self.text_end(at + 1, to + 4) if raw[at] == QUOTE else NOTHING
                if at < 0:
                    return at
                if not self.is_simple:
                    return NOTHING
                self.word(to, self.length + 1)
                to += 4 + self.length
                out[to] = 0
                to += 1
                to = self.filled(to)
                count += 1
                while is_space(raw[at]):
                    at += 1
                if raw[at] == CLOSE:
                    break
                if raw[at] != COMMA:
                    return NOTHING
                if to > most:
                    return NO_ROOM
                at += 1
            self.word(begin + 4, count)
        else:
            while True:
                while is_space(raw[at]):
                    at += 1
                at = self.number_end(at)
                if at < 0 or count == step:
                    return NOTHING
                length = self.put_number(to, F32 if form == REALS else I32)
                if length < 0:
                    return NOTHING
                to += length
                count += 1
                while is_space(raw[at]):
                    at += 1
                if raw[at] == CLOSE:
                    break
                if raw[at] != COMMA:
                    return NOTHING
                at += 1
            if count != step:
                return NOTHING
        self.add(start, at + 1, self.filled(to) - begin)
        return at + 1

    def named(self, start: int, end: int) -> int:
        """A truth value or null; where it ends, NOTHING for another word."""
        length = end - start
        is_true = length == 4 and self.reads(start, TRUE)
        if is_true or (length == 5 and self.reads(start, FALSE)):
            self.head(self.boolean, 1 if is_true else 0)
            self.add(start, end, 8)
        elif length == 4 and self.reads(start, NULL):
            self.word(self.used, 0)
            self.add(start, end, 4)
        else:
            return NOTHING
        return end

    def reads(self, at: int, word: bytes) -> bool:
        """Whether a word stands here."""
        raw, held, k = self.raw, word, 0
        while k < len(word) and raw[at + k] == held[k]:
            k += 1
        return k == len(word)

    def tag_end(self, at: int) -> int:
        """Where the bracket of a section is that opens at a byte, NOTHING for an unusual one.

        Of a resource it is a word, then words with a text, a name or number, or a call behind "=", one blank between.
        """
        raw = self.raw
        at += 1
        if not self.is_resource:
            while raw[at] != UNSQUARE:
                if raw[at] < BLANK or raw[at] == QUOTE or raw[at] == BACKSLASH or raw[at] > DELETE:
                    return NOTHING
                at += 1
            return at
        if not is_word(raw[at]) or ZERO <= raw[at] <= NINE:
            return NOTHING
        while is_word(raw[at]):
            at += 1
        while raw[at] == BLANK:
            at += 1
            start = at
            while is_word(raw[at]):
                at += 1
            if at == start or ZERO <= raw[start] <= NINE or raw[at] != EQUALS:
                return NOTHING
            at += 1
            start = at
            if raw[at] != QUOTE:
                while is_word(raw[at]) or raw[at] == MINUS or raw[at] == POINT:
                    at += 1
                if at == start:
                    return NOTHING
                if raw[at] != OPEN:
                    for k in range(start, at):
                        if not ZERO <= raw[k] <= NINE:
                            return NOTHING
                    continue
                at += 1
                if not UPPER_A <= raw[start] & 0xDF <= UPPER_Z or raw[at] != QUOTE:
                    return NOTHING
            is_call = at > start
            at += 1
            while raw[at] != QUOTE:
                if raw[at] < BLANK or raw[at] == BACKSLASH or (is_call and raw[at] == CLOSE):
                    return NOTHING
                at += 1
            at += 1
            if is_call:
                if raw[at] != CLOSE:
                    return NOTHING
                at += 1
        return at if raw[at] == UNSQUARE else NOTHING

    def name_end(self, at: int) -> int:
        """Where a name ends, which begins at a byte."""
        while is_word(self.raw[at]):
            at += 1
        return at


def is_word(sign: int) -> bool:
    """Whether a sign may stand in a name."""
    return UPPER_A <= sign & 0xDF <= UPPER_Z or ZERO <= sign <= NINE or sign == LOW_LINE


def is_space(sign: int) -> bool:
    """Whether a sign may stand around a number in the brackets of a call."""
    return sign == BLANK or TAB <= sign <= RETURN


def _escapes(is_json: bool) -> bytes:
    """What each byte means behind a backslash; 0 for what is unusual."""
    plain = {b"b": 8, b"t": 9, b"n": 10, b"f": 12, b"r": 13}
    if is_json:
        known = {**plain, b'"': QUOTE, b"\\": BACKSLASH, b"/": 47}
    else:
        known = {bytes([sign]): sign for sign in range(BLANK, DELETE)} | {**plain, b"U": 0}
    return bytes(known.get(bytes([sign]), 0) for sign in range(256))


def _bytes(room: bytearray) -> bytearray:
    """The bytes of some room."""
    return room


def _reals(room: bytes) -> Any:
    """The doubles of some room."""
    if cython.compiled:
        return cython.cast(cython.p_double, cython.cast(cython.p_char, room))
    return memoryview(room).cast("d")
