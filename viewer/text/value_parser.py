"""One value of the engines' own text with all that it holds, read to the bytes of typed values."""

from __future__ import annotations

import re
import struct
from array import array

from viewer.base.late_pattern import late_pattern
from viewer.container.layer import TooLarge
from viewer.text.call_plans import NAMED, OTHER, Plan, plan
from viewer.text.engine_values import BLANKS, CODES, PLAIN_NUMBERS, TEXT, BrokenValueError, TextValueReader
from viewer.text.float_spelling import SAFE_DIGITS, engine_float
from viewer.text.source_map import SourceMap
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.encode import EncodeError, encode
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal

# Groups that may fail in their midst give back: before Python 3.11.5 those that do not go astray there.
BLANK = late_pattern(BLANKS)
PATH = late_pattern(BLANKS + rb'(NodePath\("[^"\\\n\x00]*+"\))')
"""The one call of a text that has no meaning beyond it, as engines write it."""
VALUE = late_pattern(
    BLANKS
    + rb"(?:"
    + TEXT
    + rb"|(-?\d++)(?![\w.])|(-?\d++\.?+\d*+(?:e[-+]?\d++)?)(?![\w.])"
    + rb"|(true|false|null)(?![\w(])|([\[{])|((?:Array|Dictionary)[\x01-\x20]*+\[)"
    + rb'|(&"(?:[^"\\\x00]++|\\[^\x00])*+")|([A-Za-z_]\w*+[\x01-\x20]*+\([^()"\[\]{};]*+\)))',
    re.DOTALL,
)
STRING, WHOLE, REAL, WORD, OPENER, TYPED, NAME, CALL = range(1, 9)
TYPED_HEAD = late_pattern(
    rb"(Array|Dictionary)[\x01-\x20]*+\[((?:[^\[\]\"]++|\"[^\"]*+\")*+)\]" + BLANKS + rb"\(" + BLANKS + rb"([\[{])"
)
_OF_FILE = late_pattern(rb'(ExtResource|SubResource)\([\x01-\x20]*"?([^")]*?)"?[\x01-\x20]*\)')
_NO_TYPE, _IN_BRACKETS = late_pattern(rb"(?:^|,)[\x01-\x20]*+[\"\d]"), late_pattern(rb"\([^)]*+\)")
_FOLLOWS = late_pattern(BLANKS + rb"([,\]}:)])?+")
_PAD = (b"", b"\0\0\0", b"\0\0", b"\0")
_HEAD, _COUNT = struct.Struct("<II").pack, struct.Struct("<I").pack_into
_LONG, _DOUBLE = struct.Struct("<Iq").pack, struct.Struct("<Id").pack
_LOSSY = "replace"
_COMMA, _COLON = b",", b":"
_SHORT = 18
"""Whole numbers with so few signs have room in 64 bits."""
LONG_CALL = 1 << 12
"""A packed array with so many bytes of text is read by itself."""
REMEMBERED = 1 << 14
_BLANKS = bytes(range(33))
Level = tuple[int, int, bool, bool, int]
"""An open collection: its number, how many signs are passed, is it a dictionary, is it typed, where its count is."""


class EngineValueParser:
    """Reads values of one text.

    Args:
        data: its bytes, in UTF-8.
        dialect: the engine line that it was written for, with what its text has beyond stored values.
        limit: how many bytes may be made of it.
        is_value: whether it is one value, without keys.
        is_resource: whether it is a resource or scene.

    Attributes:
        out: the values.
        places: where each one stands.
        slips: what the engines take, but hardly as it was meant.
    """

    def __init__(self, data: bytes, dialect: Dialect, limit: int, is_value: bool, is_resource: bool) -> None:
        self.data = data
        self.out = bytearray()
        self.places = SourceMap()
        self.is_value = is_value
        self._is_resource = is_resource
        self._dialect = dialect
        self._limit = limit
        self._calls: dict[bytes, bytes] = {}
        self._heads: list[int] = []
        self._plans: dict[bytes, Plan] = {}
        self._forms: dict[bytes, tuple[TypeRow | None, str]] = {}
        self._values = TextValueReader(data, dialect, not is_value, is_resource)
        self._is_plain = self._values.is_utf8
        self.slips = self._values.slips
        self._name = dialect.type_number("StringName") if "StringName" in dialect.by_name else 0
        numbers = {
            name: dialect.type_number(name) for name in ("Dictionary", "Array", "String", "int", "float", "bool")
        }
        self._dictionary, self._array = _HEAD(numbers["Dictionary"], 0), _HEAD(numbers["Array"], 0)
        self._string, self._int, self._float = numbers["String"], numbers["int"], numbers["float"]
        self._words = {
            b"true": _HEAD(numbers["bool"], 1),
            b"false": _HEAD(numbers["bool"], 0),
            b"null": bytes(4),
        }
        self._types = [*numbers.values(), self._name]

    def _blank(self, at: int) -> int:
        found = BLANK.match(self.data, at)
        return found.end() if found else at

    def _roll_back(self, size: int, places: int) -> None:
        del self.out[size:]
        self.places.cut(places)

    def _string_bytes(self, content: bytes) -> bytes:
        return _HEAD(self._string, len(content)) + content + _PAD[len(content) & 3]

    def _open(self, head: bytes, at: int) -> int:
        here = len(self.out)
        if here > self._limit:
            raise TooLarge(f"More than {self._limit} bytes come from this text.", here, exact=False)
        number = self.places.open(here, at)
        self.out += head
        self._heads.append(here + len(head) - 4)
        return number

    def _close(self, number: int, at: int, count: int) -> None:
        self.places.close(at)
        _COUNT(self.out, self._heads.pop(), count)

    def _text(self, content: bytes, start: int, end: int) -> None:
        self.places.add(len(self.out), start, end)
        self.out += self._string_bytes(content)

    def value(self, at: int) -> int:
        """Read the value that begins behind a byte; where it ends.

        Raises:
            BrokenValueError: there is none.
        """
        return self._rest(at, [], False)

    def _rest(self, at: int, held: list[Level], is_behind: bool) -> int:
        """Read what is left of a value; the same."""
        data, match = self.data, VALUE.match
        stack = [list(each[:4]) for each in held]  # number, count, is it a dictionary, is it typed
        depth = len(self._heads), self.places.depth
        for each in held:
            self.places.reopen(each[0])
            self._heads.append(each[4])
        try:
            if is_behind:
                at = self._between(at, stack)
                if not stack:
                    return at
            while True:
                found = match(data, at)
                kind = found.lastindex if found is not None else 0
                if found is None or kind is None:
                    kind = 0
                start = found.start(kind) if found is not None and kind else self._blank(at)
                if kind == OPENER:
                    is_table = data[start] == 0x7B
                    number = self._open(self._dictionary if is_table else self._array, start)
                    stack.append([number, 0, is_table, 0])
                    at = start + 1
                elif kind == TYPED:
                    at = self._typed(start, stack)
                else:
                    at = self._leaf(found, kind, start)
                    if not stack:
                        return at
                at = self._between(at, stack)
                if not stack:
                    return at
        except BrokenValueError:
            del self._heads[depth[0] :]
            self.places.shut(depth[1])
            raise

    def _between(self, at: int, stack: list[list[int]]) -> int:
        """Move behind a value, or into a collection that opened, to the next value; or behind the outermost one."""
        data = self.data
        while stack:
            top = stack[-1]
            fresh = data[at - 1 : at] in b"[{" and self.places.is_just_opened(top[0])
            found = _FOLLOWS.match(data, at)
            sign = found[1] if found is not None else None
            end = found.end() if found is not None else at
            closer = b"}" if top[2] else b"]"
            if fresh and sign is None:
                return at
            if sign == _COLON and top[2] and top[1] % 2 == 0 and not fresh:
                top[1] += 1
                return end
            if sign == _COMMA and not fresh and not (top[2] and top[1] % 2 == 0):
                top[1] += 1
                follows = _FOLLOWS.match(data, end)
                if follows is None or follows[1] != closer:
                    return end
                found, sign, end = follows, closer, follows.end()
                fresh = True
            if sign == closer and (fresh or not (top[2] and top[1] % 2 == 0)):
                top[1] += not fresh
                if top[3]:
                    shut = _FOLLOWS.match(data, end)
                    if shut is None or shut[1] != b")":
                        raise BrokenValueError(end, end + 1, "“)” is missing after this typed collection.")
                    end = shut.end()
                stack.pop()
                self._close(top[0], end, top[1] // 2 if top[2] else top[1])
                at = end
                continue
            place = self._blank(at)
            raise BrokenValueError(place, place + 1, _missing(bool(top[2]), top[1] % 2 == 0, data[place : place + 1]))
        return at

    def _typed(self, at: int, stack: list[list[int]]) -> int:
        """A typed array or dictionary opens; where what it holds begins."""
        head, end, is_table = self._typed_head(at)
        stack.append([self._open(head, at), 0, is_table, 1])
        return end

    def _typed_head(self, at: int) -> tuple[bytes, int, bool]:
        """The header of a typed collection, where what it holds begins, and whether that are pairs.

        Raises:
            BrokenValueError: it is none.
        """
        head = TYPED_HEAD.match(self.data, at)
        if head is None:
            raise BrokenValueError(at, at + 1, "A typed collection is its types in brackets, then “([…])” or “({…})”.")
        of_files = _OF_FILE.sub(rb'Resource("\1(\2)")', head[2])
        if _NO_TYPE.search(_IN_BRACKETS.sub(b"", head[2])) is not None:
            raise BrokenValueError(at, head.end(), "The name of a type is written here without quotes.")
        is_table = head[1] == b"Dictionary"
        if (head[3] == b"{") != is_table:
            raise BrokenValueError(at, head.end(), "A typed array holds “[…]”, a typed dictionary “{…}”.")
        literal = head[1] + b"[" + of_files + (b"]({})" if is_table else b"]([])")
        return self._encoded(literal, at, head.end()), head.end(), is_table

    def _leaf(self, found: re.Match[bytes] | None, kind: int, start: int) -> int:
        """A value without others inside; where it ends."""
        if found is None or not kind:
            return self._other(start)
        end = found.end()
        raw = found[kind]
        if kind == STRING:
            content = raw if self._is_plain else self._values.text(raw, start - 1)
            if b"\\" in raw and self._is_plain:
                content = self._values.text(raw, start - 1)
            self.places.add(len(self.out), start - 1, end)
            self.out += _HEAD(self._string, len(content)) + content + _PAD[len(content) & 3]
            return end
        if kind == CALL:
            done = self._calls.get(raw) or self._fixed(raw)
            if done is None:
                return self._other(start)
        elif kind == WHOLE:
            if len(raw) > _SHORT:
                return self._other(start)
            done = _LONG(self._int, int(raw))
        elif kind == REAL:
            done = _DOUBLE(self._float, engine_float(raw.decode()))
        elif kind == WORD:
            done = self._words[raw]
        else:
            return self._other(start)
        self.places.add(len(self.out), start, end)
        self.out += done
        return end

    def _fixed(self, raw: bytes) -> bytes | None:
        """The bytes of a value of plain numbers, such as a Vector2; None for all else, and for what is none."""
        name, _, inside = raw.partition(b"(")
        found = self._forms.get(name)
        if found is None:
            self._forms[name] = found = self._form(name)
        row, form = found
        if row is None:
            return None
        numbers = inside[:-1]
        if PLAIN_NUMBERS.fullmatch(numbers) is None:
            return None
        if row.kind is Kind.FIXED and numbers.count(_COMMA) + 1 != len(row.narrow):
            return None
        try:
            if row.kind is Kind.FIXED:
                return struct.pack(form, row.number, *map(_real if form[-1] == "f" else int, numbers.split(_COMMA)))
            held = array(form, map(_real if form in "fd" else int, numbers.split(_COMMA)))
        except (ValueError, OverflowError, struct.error):
            return None
        count, over = divmod(len(held), len(row.narrow))
        if over:
            return None
        data = held.tobytes()
        return _HEAD(row.number, count) + data + _PAD[len(data) & 3]

    def _form(self, name: bytes) -> tuple[TypeRow | None, str]:
        """The type of plain numbers that is called so, and the form of one or all of them."""
        row = self._values.row(name.strip(_BLANKS))
        codes = {field.type for field in row.narrow} if row is not None else set()
        if row is None or len(codes) != 1 or row.kind not in (Kind.FIXED, Kind.PACKED):
            return None, ""
        code = CODES.get(codes.pop(), "")
        if not code:
            return None, ""
        return row, f"<I{len(row.narrow)}{code}" if row.kind is Kind.FIXED else code

    def plan(self, name: bytes) -> Plan:
        """What stands in the brackets behind a name."""
        found = self._plans.get(name)
        if found is None:
            found = plan(self._dialect, name.strip().decode(errors=_LOSSY))
            if found[0] == NAMED and (self._values.is_old or not self._is_resource):  # Godot 3 takes no text there
                found = OTHER, 0, 0, 0
            self._plans[name] = found
        return found

    def spelled(self, at: int) -> tuple[bytes, int] | None:
        """The bytes of the value at a byte, and where it ends; None for a collection, and for what is none."""
        slips = len(self.slips)
        found = VALUE.match(self.data, at)
        kind = found.lastindex if found is not None else None
        if kind in (OPENER, TYPED):
            return None
        found, kind = (found, kind) if found is not None else (PATH.match(self.data, at), CALL)
        raw = found[found.lastindex or 0] if found is not None and kind in (NAME, CALL) else b""
        done = self._calls.get(raw)
        if done is not None and found is not None:
            return done, found.end()
        try:
            told = self._values.read(at)
        except BrokenValueError:
            told = None
        if len(self.slips) > slips or told is None:  # the parser says so when it reads this
            del self.slips[slips:]
            return None
        self._keep(self.data[at : told[1]], told[0])
        return told

    def typed_head(self, at: int) -> tuple[bytes, int, bool] | None:
        """The header of the typed collection at a byte, where what it holds begins, whether that are pairs; or None."""
        try:
            return self._typed_head(at)
        except BrokenValueError:
            return None

    def _other(self, at: int) -> int:
        """A value that is written as no engine writes it, or none; where it ends."""
        slips = len(self.slips)
        done, end = self._values.read(at)
        self.places.add(len(self.out), at, end)
        self.out += done
        if len(self.slips) == slips:
            self._keep(self.data[at:end], done)
        return end

    def _keep(self, raw: bytes, done: bytes) -> None:
        """Remember the bytes of a call by its text."""
        if len(self._calls) < REMEMBERED and len(raw) <= LONG_CALL and raw[-1:] in b')"':
            self._calls[raw] = done

    def _encoded(self, raw: bytes, start: int, end: int) -> bytes:
        """The bytes of a value by its text.

        Raises:
            BrokenValueError: it is none.
        """
        done = self._calls.get(raw)
        if done is not None:
            return done
        try:
            text = raw.decode(errors=_LOSSY)
            done = encode(parse_literal(text, self._dialect), self._dialect)
        except LiteralError as error:
            raise BrokenValueError(start, end, str(error)) from error
        except (EncodeError, KeyError, ValueError, OverflowError) as error:
            raise BrokenValueError(start, end, f"This is not a value: {error}") from error
        if len(self._calls) < REMEMBERED and len(raw) <= LONG_CALL:
            self._calls[raw] = done
        return done


def _real(raw: bytes) -> float:
    """A number of a vector.

    Raises:
        ValueError: it is a whole one that a double may not hold.
    """
    number = raw.strip()
    if not number.lstrip(b"-").isdigit():
        return engine_float(number.decode())
    if len(number) > SAFE_DIGITS:
        raise ValueError
    return float(int(number))


def _missing(is_table: bool, is_key: bool, sign: bytes) -> str:
    """What is expected behind a value in a collection."""
    if not sign:
        return f"The text ends inside {'a dictionary: “}' if is_table else 'an array: “]'}” is missing."
    if is_table and is_key:
        return "“:” and a value are expected here, after a key."
    return "A comma or “}” is missing before this." if is_table else "A comma or “]” is missing before this."
