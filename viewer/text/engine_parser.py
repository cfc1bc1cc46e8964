"""The engines' own text (ConfigFile, .tres, .tscn, what ``var_to_str`` writes), read to the bytes of typed values.

A file is a dictionary of its sections, each named by what stands between its brackets, each a dictionary of its keys;
a text without keys is one value. What an engine refuses is a damage: the key that it is in is passed over, and the
next one is read.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from array import array

from viewer.base.span import Span
from viewer.container.layer import Damage, TooLarge
from viewer.text.call_plans import REALS, Plan, plan
from viewer.text.source_map import SourceMap
from viewer.text.token_hops import COMPILED, TokenHops
from viewer.variant.dialect import Dialect, Kind
from viewer.variant.encode import EncodeError, encode
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.names import split_path
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Value

# Groups that may fail in their midst give back: before Python 3.11.5 those that do not go astray there.
_BLANK = rb"(?:[\x01-\x20]++|;[^\n]*+)*+"
_STRING = rb'"((?:[^"\\]++|\\.)*+)"'
BLANK = re.compile(_BLANK)
VALUE = re.compile(
    _BLANK
    + rb"(?:"
    + _STRING
    + rb"|(-?\d++)(?![\w.])|([-+]?\d++\.?+\d*+(?:[eE][-+]?\d++)?)(?![\w.])"
    + rb"|(true|false|null)(?![\w(])|([\[{])|(Array\[|Dictionary\[)"
    + rb'|(&"(?:[^"\\]++|\\.)*+")|([A-Za-z_]\w*+[\x01-\x20]*+\([^()"\[\]{};]*+\)))',
    re.DOTALL,
)
STRING, WHOLE, REAL, WORD, OPENER, TYPED, NAME, CALL = range(1, 9)
_CALL_OPENS = re.compile(rb"[A-Za-z_]\w*+[\x01-\x20]*+\(")
_SKIPPED = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[()\[\]{}]|[^()\[\]{}"]++', re.DOTALL)
_WORDLIKE = re.compile(rb"[-+^@&\w.]++(?:\"(?:[^\"\\]++|\\.)*+\")?", re.DOTALL)
TYPED_HEAD = re.compile(
    rb"(Array|Dictionary)\[((?:[^\[\]\"]++|\"[^\"]*+\")*+)\]" + _BLANK + rb"\(" + _BLANK + rb"([\[{])"
)
_OF_FILE = re.compile(rb'(ExtResource|SubResource)\([\x01-\x20]*"?([^")]*?)"?[\x01-\x20]*\)')
_NODE_PATH = re.compile(rb'NodePath\("([ !#-\[\]-~]*+)"\)')
_FOLLOWS = re.compile(_BLANK + rb"([,\]}:)])?+")
SECTION = re.compile(rb"\[((?:[^\]\"\n]++|\"(?:[^\"\\]++|\\.)*+\")*+)\]", re.DOTALL)
TAG = re.compile(
    rb"\[((?:[^\[\]\"\n]++|\"(?:[^\"\\]++|\\.)*+\"|\[(?:[^\]\"]++|\"(?:[^\"\\]++|\\.)*+\")*+\])*+)\]", re.DOTALL
)
_KEY = re.compile(
    rb'([^\x00-\x20="\[;][^="\x00-\x20]*+(?:[\x01-\x20]++[^="\x00-\x20]++)*|"(?:[^"\\]++|\\.)*+")[\x01-\x20]*+=',
    re.DOTALL,
)
NEXT = re.compile(rb"\n[\t ]*+(?:(?=\[[A-Za-z_])|(?=[\w/.:@-]++[\t ]*+=(?!=)))")
_NO_DIGIT = re.compile(rb"[-+]?\.\d")
_NO_DIGIT_IN = re.compile(rb"[(,\x01-\x20][-+]?\.|\A[-+]?\.")
_HUGE = re.compile(rb"\de\+?\d{3}")
"""A number that may be too large, and then is infinite."""
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|(.))", re.DOTALL)
_ESCAPES = {b"b": b"\b", b"t": b"\t", b"n": b"\n", b"f": b"\f", b"r": b"\r", b"a": b"\a", b"v": b"\v"}
_TAG = re.compile(
    rb"[\x01-\x20]*+[A-Za-z_]\w*+(?:[\x01-\x20]++[\w/]++[\x01-\x20]*+=[\x01-\x20]*+"
    rb'(?:"(?:[^"\\]++|\\.)*+"|[A-Za-z]\w*+\([^)]*+\)|[^\x01-\x20"\[\]()]++|\[[^\]]*+\]))*[\x01-\x20]*+',
    re.DOTALL,
)
_PAD = (b"", b"\0\0\0", b"\0\0", b"\0")
_HEAD, _COUNT = struct.Struct("<II").pack, struct.Struct("<I").pack_into
_LONG, _DOUBLE = struct.Struct("<Iq").pack, struct.Struct("<Id").pack
_LONG_MIN, _LONG_MAX = -(1 << 63), (1 << 63) - 1
_LOSSY = "replace"
_COMMA, _COLON = b",", b":"
LONG_CALL = 1 << 12
"""A packed array with so many bytes of text is read by itself."""
REMEMBERED = 1 << 14
MOST_DAMAGES = 100
BOM = b"\xef\xbb\xbf"
NO_SECTION = -1
SECTIONED = 2
"""So many collections are open around a section: the text itself, and what all of it becomes."""
NUMBERS = {"u8": "B", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}


class _BrokenValueError(Exception):
    """Something is no value."""

    def __init__(self, start: int, end: int, sentence: str) -> None:
        super().__init__(sentence)
        self.start = start
        self.end = end
        self.sentence = sentence


class EngineTextParser:
    """Reads one text.

    Args:
        data: its bytes, in UTF-8.
        dialect: the engine line that it was written for, with what its text has beyond stored values.
        limit: how many bytes may be made of it.
        is_resource: whether its sections are those of a resource or scene.

    Attributes:
        out: the values.
        places: where each one stands.
        damages: what the engines refuse, in order.
        notes: what is right, but worth knowing.
        keys: how many keys were read.
        broken: how many were not, as their values are none.
        is_value: whether it is one value, without keys.
    """

    def __init__(self, data: bytes, dialect: Dialect, limit: int, is_resource: bool = False) -> None:
        self.data = data
        self.out = bytearray()
        self.places = SourceMap()
        self.damages: list[Damage] = []
        self.notes: list[Damage] = []
        self.keys = self.broken = 0
        self.is_value = False
        self._dialect = dialect
        self._limit = limit
        self._is_resource = is_resource
        self._calls: dict[bytes, bytes] = {}
        self._keys: dict[bytes, bytes] = {}
        self._heads: list[int] = []
        self._plans: dict[bytes, Plan] = {}
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
        self._section = NO_SECTION
        self._count = self._section_end = self._sections = 0
        types = [*numbers.values(), self._name]
        self._hops = (
            TokenHops(data, self, self.out, self.places, types, limit, False, is_resource) if COMPILED else None
        )

    # A file

    def read(self) -> None:
        """Read a file of keys.

        Raises:
            TooLarge: more than *limit* bytes come of it.
        """
        try:
            self._read()
        finally:
            self._hops = None  # it holds this parser, and all that was written

    def _read(self) -> None:
        data, size = self.data, len(self.data)
        at = self._blank(3 if data.startswith(BOM) else 0)
        root = self._open(self._dictionary, 0)
        while at < size:
            if self._hops is not None:
                at = self._hop(at, self._hops)
            sign = data[at : at + 1]
            if sign == b"[":
                self._end_section()
                at = self._tag(at)
            elif self._section < 0 and self._sections:
                at = self._damaged(at, "A section or a key is expected here.")
            elif sign:
                if self._section < 0:
                    self._text(b"", at, at)
                    self._begin_section(at)
                at = self._pair(at)
        self._end_section()
        self._close(root, size, self._sections)

    def _hop(self, at: int, hops: TokenHops) -> int:
        """Read on as far as all is ordinary; where something is not."""
        hops.section, hops.count, hops.section_end = self._section, self._count, self._section_end
        hops.sections, hops.keys = self._sections, self.keys
        hops.begin(at)
        while hops.step():
            pass
        if hops.section != self._section:
            self.places.shut(SECTIONED)
            self.places.reopen(hops.section)
            self._heads[1:] = [self.places.inside[hops.section] + len(self._dictionary) - 4]
        self._section, self._count, self._section_end = hops.section, hops.count, hops.section_end
        self._sections, self.keys = hops.sections, hops.keys
        return hops.at

    def _tag(self, at: int) -> int:
        """A section begins with what stands in brackets at a byte; where what it holds begins."""
        data = self.data
        tag = (TAG if self._is_resource else SECTION).match(data, at)
        if tag is None:
            return self._damaged(at, "The bracket of this section does not close.")
        start, end = tag.span(1)
        self._check_tag(start, end)
        self._text(data[start:end].strip(), start, end)
        self._begin_section(tag.end())
        return self._blank(tag.end())

    def _begin_section(self, at: int) -> None:
        self._sections += 1
        self._section, self._count, self._section_end = self._open(self._dictionary, at), 0, at

    def _end_section(self) -> None:
        if self._section >= 0:
            self._close(self._section, self._section_end, self._count)
            self._section = NO_SECTION

    def _pair(self, at: int) -> int:
        """A key with its value; where to go on."""
        data, size = self.data, len(self.data)
        key = _KEY.match(data, at)
        if key is None:
            return self._damaged(at, "A key, “=” and a value are expected here.")
        mark = len(self.out), len(self.places)
        raw = key[1]
        self.places.add(len(self.out), key.start(1), key.end(1))
        self.out += self._keys.get(raw) or self._key(raw, key.start(1))
        try:
            found = VALUE.match(data, key.end())
            kind = found.lastindex if found is not None else None
            if kind is None or kind in (OPENER, TYPED):
                end = self.value(key.end())
            else:
                end = self._leaf(found, kind, found.start(kind))  # type: ignore[union-attr]
        except _BrokenValueError as error:
            self._roll_back(*mark)
            self.broken += 1
            end = self._next(self._line_of(max(error.start, key.end() - 1), key.end() - 1))
            self._damage(error.start, max(error.end, min(error.start + 1, size)), error.sentence, key.start(1), end)
        else:
            self._count += 1
            self.keys += 1
        self._section_end = end
        return self._blank(end)

    def _key(self, raw: bytes, start: int) -> bytes:
        """The bytes of a key that is new."""
        if raw[:1] == b'"':
            content = self._content(raw[1:-1])
        else:
            content = b"".join(raw.split())
            if b"\n" in raw:
                where = Span(start, start + len(raw))
                self._note(where, "There is no “=” in this line: the engines join it with the next one to one key.")
                return self._string_bytes(content)
        done = self._string_bytes(content)
        if len(self._keys) < REMEMBERED:
            self._keys[raw] = done
        return done

    def _string_bytes(self, content: bytes) -> bytes:
        return _HEAD(self._string, len(content)) + content + _PAD[len(content) & 3]

    def read_value(self) -> None:
        """Read a text that is one value."""
        self.is_value = True
        at = self._blank(3 if self.data.startswith(BOM) else 0)
        try:
            end = self._hopped_value(at)
            end = self.value(at) if end is None else end
        except _BrokenValueError as error:
            self._roll_back(0, 0)
            self._damage(error.start, error.end, error.sentence, at, len(self.data))
            return
        end = self._blank(end)
        if end < len(self.data):
            self._damage(end, len(self.data), "The value is complete, but more follows.", end, len(self.data))

    def _hopped_value(self, at: int) -> int | None:
        """Where the value ends that begins at a byte, if all of it is ordinary; else None, and nothing is read."""
        hops, self._hops = self._hops, None  # it holds this parser
        if hops is None:
            return None
        hops.begin_value(at)
        while hops.step():
            pass
        return hops.at if hops.is_done else None

    def _check_tag(self, start: int, end: int) -> None:
        if self._is_resource and _TAG.fullmatch(self.data, start, end) is None:
            self._damage(start, end, "A section of a resource is its name, then words with “=” and values.", start, end)

    def _damaged(self, at: int, sentence: str) -> int:
        """Something that is neither key nor section stands here; where the next one may begin."""
        end = self._next(at)
        self._damage(at, end, sentence, at, end)
        return end

    def _next(self, at: int) -> int:
        """Where behind a byte the next key or section may begin."""
        found = NEXT.search(self.data, at)
        if len(self.damages) >= MOST_DAMAGES or found is None:
            return len(self.data)
        return found.end()

    def _line_of(self, at: int, start: int) -> int:
        """The end of the line before where a byte is the first one of its line; never in front of *start*."""
        end = self.data.rfind(b"\n", start, at)
        return end if end >= 0 and not self.data[end:at].strip() else at

    def _blank(self, at: int) -> int:
        found = BLANK.match(self.data, at)
        return found.end() if found else at

    def _roll_back(self, size: int, places: int) -> None:
        del self.out[size:]
        self.places.cut(places)

    def _damage(self, start: int, end: int, sentence: str, key: int, stop: int) -> None:
        """Something is refused at *start*, which is why nothing is read from *key* to *stop*."""
        if len(self.damages) < MOST_DAMAGES:
            inside = self.places.inside_of_open()
            spot = Span(inside, min(inside + 8, len(self.out)))
            self.damages.append(Damage(Span(start, max(end, start)), sentence, spot))

    def _note(self, where: Span, sentence: str) -> None:
        if len(self.notes) < MOST_DAMAGES:
            self.notes.append(Damage(where, sentence))

    # A value

    def _open(self, head: bytes, at: int) -> int:
        here = len(self.out)
        if here > self._limit:
            raise TooLarge(f"More than {self._limit} bytes come of this text.", here, exact=False)
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

    def _content(self, raw: bytes) -> bytes:
        """What a text with escapes says."""
        return _ESCAPE.sub(_unescaped, raw) if b"\\" in raw else raw

    def value(self, at: int) -> int:
        """Read the value that begins behind a byte; where it ends.

        Raises:
            _BrokenValueError: there is none.
        """
        data, match = self.data, VALUE.match
        stack: list[list[int]] = []  # number, count, is it a dictionary, is it typed
        depth = len(self._heads), self.places.depth
        try:
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
        except _BrokenValueError:
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
                        raise _BrokenValueError(end, end + 1, "“)” is missing behind this typed collection.")
                    end = shut.end()
                stack.pop()
                self._close(top[0], end, top[1] // 2 if top[2] else top[1])
                at = end
                continue
            place = self._blank(at)
            raise _BrokenValueError(place, place + 1, _missing(bool(top[2]), top[1] % 2 == 0, data[place : place + 1]))
        return at

    def _typed(self, at: int, stack: list[list[int]]) -> int:
        """A typed array or dictionary opens; where what it holds begins."""
        head, end, is_table = self._typed_head(at)
        stack.append([self._open(head, at), 0, is_table, 1])
        return end

    def _typed_head(self, at: int) -> tuple[bytes, int, bool]:
        """The header of a typed collection, where what it holds begins, and whether that are pairs.

        Raises:
            _BrokenValueError: it is none.
        """
        head = TYPED_HEAD.match(self.data, at)
        if head is None:
            raise _BrokenValueError(at, at + 1, "A typed collection is its types in brackets, then “([…])” or “({…})”.")
        of_files = _OF_FILE.sub(rb'Resource("\1(\2)")', head[2])
        is_table = head[1] == b"Dictionary"
        if (head[3] == b"{") != is_table:
            raise _BrokenValueError(at, head.end(), "A typed array holds “[…]”, a typed dictionary “{…}”.")
        literal = head[1] + b"[" + of_files + (b"]({})" if is_table else b"]([])")
        return self._encoded(literal, at, head.end()), head.end(), is_table

    def _leaf(self, found: re.Match[bytes] | None, kind: int, start: int) -> int:
        """A value without others inside; where it ends."""
        if found is None or not kind:
            return self._other(start)
        end = found.end()
        raw = found[kind]
        if kind == STRING:
            content = self._content(raw)
            self.places.add(len(self.out), start - 1, end)
            self.out += _HEAD(self._string, len(content)) + content + _PAD[len(content) & 3]
            return end
        self.places.add(len(self.out), start, end)
        if kind == WHOLE:
            number = int(raw) if len(raw) <= 20 else _LONG_MAX + 1
            if not _LONG_MIN <= number <= _LONG_MAX:
                self._note(Span(start, end), "This number has no room in 64 bits; the engines read another one.")
                number = max(_LONG_MIN, min(number, _LONG_MAX))
            self.out += _LONG(self._int, number)
        elif kind == REAL:
            self.out += _DOUBLE(self._float, float(raw))
        elif kind == WORD:
            self.out += self._words[raw]
        elif kind == NAME and self._name:
            content = self._content(raw[2:-1])
            self.out += _HEAD(self._name, len(content)) + content + _PAD[len(content) & 3]
        else:
            self.out += (kind == CALL and self._fixed(raw)) or self._encoded(raw, start, end)
        return end

    def plan(self, name: bytes) -> Plan:
        """What stands in the brackets behind a name."""
        found = self._plans.get(name)
        if found is None:
            self._plans[name] = found = plan(self._dialect, name.strip().decode(errors=_LOSSY))
        return found

    def _fixed(self, raw: bytes) -> bytes | None:
        """The bytes of a value of plain numbers, such as a Vector2; None for all else, and for what is none."""
        name, _, inside = raw.partition(b"(")
        form, number, count, _ = self.plan(name)
        if form != REALS or _NO_DIGIT_IN.search(inside):
            return None
        try:
            return struct.pack(f"<I{count}f", number, *map(float, inside[:-1].split(_COMMA)))
        except (ValueError, OverflowError, struct.error):
            return None

    def spelled(self, at: int) -> tuple[bytes, int] | None:
        """The bytes of the value at a byte, and where it ends; None for a collection, and for what is none."""
        found = VALUE.match(self.data, at)
        kind = found.lastindex if found is not None else None
        try:
            if found is None or kind is None:
                end = self._end_of_other(at)
                return self._encoded(self.data[at:end], at, end), end
            raw, end = found[kind], found.end()
            if kind == STRING:
                return self._string_bytes(self._content(raw)), end
            if kind == WHOLE and len(raw) <= 20 and _LONG_MIN <= int(raw) <= _LONG_MAX:
                return _LONG(self._int, int(raw)), end
            if kind in (NAME, CALL):
                return self._encoded(raw, at, end), end
        except _BrokenValueError:
            return None
        return None

    def typed_head(self, at: int) -> tuple[bytes, int, bool] | None:
        """The header of the typed collection at a byte, where what it holds begins, whether that are pairs; or None."""
        try:
            return self._typed_head(at)
        except _BrokenValueError:
            return None

    def _other(self, at: int) -> int:
        """What begins otherwise: a call with texts or values in it, or a word that may be a number."""
        end = self._end_of_other(at)
        self.places.add(len(self.out), at, end)
        self.out += self._encoded(self.data[at:end], at, end)
        return end

    def _end_of_other(self, at: int) -> int:
        """Where it ends.

        Raises:
            _BrokenValueError: it is no value.
        """
        opens = _CALL_OPENS.match(self.data, at)
        if opens is not None:
            return self._balanced(opens.end())
        word = _WORDLIKE.match(self.data, at)
        if word is None:
            raise _BrokenValueError(at, at + 1, _no_value(self.data[at : at + 4]))
        return word.end()

    def _balanced(self, at: int) -> int:
        """Where the bracket is closed that was opened in front of a byte."""
        depth = 1
        for found in _SKIPPED.finditer(self.data, at):
            sign = found[0]
            if sign in (b"(", b"[", b"{"):
                depth += 1
            elif sign in (b")", b"]", b"}"):
                depth -= 1
                if not depth:
                    return found.end()
        raise _BrokenValueError(at, at + 1, "“)” is missing: what is called here does not end.")

    def _encoded(self, raw: bytes, start: int, end: int) -> bytes:
        """The bytes of a value by its text.

        Raises:
            _BrokenValueError: it is none.
        """
        done = self._calls.get(raw)
        if done is not None:
            return done
        if _NO_DIGIT.match(raw) or (raw[-1:] == b")" and b'"' not in raw and _NO_DIGIT_IN.search(raw)):
            raise _BrokenValueError(start, end, "A number begins with a digit: 0.5, and not .5.")
        if len(raw) > LONG_CALL:
            packed = self._packed(raw)
            if packed is not None:
                return packed
        try:
            path = _NODE_PATH.fullmatch(raw)
            named = split_path(path[1].decode(), self._dialect) if path is not None else None
            value = Value("NodePath", named) if named is not None else None
            done = encode(value or parse_literal(raw.decode(errors=_LOSSY), self._dialect), self._dialect)
        except LiteralError as error:
            packed = self._packed(raw) if _HUGE.search(raw) else None
            if packed is not None:
                return packed
            raise _BrokenValueError(start, end, str(error)) from error
        except (EncodeError, KeyError, ValueError, OverflowError) as error:
            raise _BrokenValueError(start, end, f"This is no value: {error}") from error
        if len(self._calls) < REMEMBERED and len(raw) <= LONG_CALL:
            self._calls[raw] = done
        return done

    def _packed(self, raw: bytes) -> bytes | None:
        """The bytes of a long packed array of numbers, read all at once; None where that does not go."""
        name, _, inside = raw.partition(b"(")
        row = self._dialect.by_name.get(name.strip().decode(errors=_LOSSY))
        if row is None or row.kind is not Kind.PACKED:
            return None
        inside = inside.rstrip().removesuffix(b")").strip()
        fields = row.narrow
        code = NUMBERS.get(fields[0].type)
        if code is None or any(field.type != fields[0].type for field in fields):
            return None
        try:
            if inside[:1] == b'"' and code == "B":
                data = base64.b64decode(inside.strip(b'"'), validate=True)
                numbers, step = len(data), 1
            else:
                parts = inside.split(b",")
                held = array(code, map(float, parts) if code in "fd" else map(int, parts))
                numbers, step, data = len(held), len(fields), held.tobytes()
        except (ValueError, OverflowError, binascii.Error):
            return None
        if numbers % step:
            return None
        return _HEAD(row.number, numbers // step) + data + _PAD[len(data) & 3]


def _unescaped(found: re.Match[bytes]) -> bytes:
    short, long, letter = found.groups()
    if letter is not None:
        return _ESCAPES.get(letter, letter)
    return chr(min(int(short or long, 16), 0x10FFFF)).encode(errors="replace")


def _missing(is_table: bool, is_key: bool, sign: bytes) -> str:
    """What is expected behind a value in a collection."""
    if not sign:
        return (
            "The text ends inside a dictionary: “}” is missing."
            if is_table
            else "The text ends inside an array: “]” is missing."
        )
    if is_table and is_key:
        return "“:” and a value are expected here, behind a key."
    return "A comma or “}” is missing before this." if is_table else "A comma or “]” is missing before this."


def _no_value(sign: bytes) -> str:
    """Why no value begins here."""
    if not sign:
        return "The text ends where a value is expected."
    if sign.startswith(("\u201c".encode(), "\u201d".encode())) or sign[:1] == b"'":
        return "Texts stand in straight double quotes."
    if sign[:1] == b'"':
        return "A text begins here and does not end: a quote is missing."
    return "A value is expected here."
