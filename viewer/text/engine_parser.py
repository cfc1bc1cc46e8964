"""The engines' own text (ConfigFile, .tres, .tscn, what ``var_to_str`` writes), read to the bytes of typed values.

A file is a dictionary of its sections, each named by what stands between its brackets, each a dictionary of its keys;
a text without keys is one value. What an engine refuses is a damage: the key that it is in is passed over, and the
next one is read.
"""

from __future__ import annotations

import re
import struct
from array import array

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.container.layer import Damage, TooLarge
from viewer.text.call_plans import Plan, plan
from viewer.text.engine_values import BLANKS, CODES, PLAIN_NUMBERS, TEXT, BrokenValueError, TextValueReader
from viewer.text.resource_rules import broken_rules
from viewer.text.source_map import SourceMap
from viewer.text.token_hops import COMPILED, TokenHops
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.encode import EncodeError, encode
from viewer.variant.literal.lexer import LiteralError
from viewer.variant.literal.parse import parse_literal

# Groups that may fail in their midst give back: before Python 3.11.5 those that do not go astray there.
BLANK = late_pattern(BLANKS)
PATH = late_pattern(BLANKS + rb'(NodePath\("[^"\\\n]*+"\))')
"""The one call of a text that has no meaning beyond it, as engines write it."""
VALUE = late_pattern(
    BLANKS
    + rb"(?:"
    + TEXT
    + rb"|(-?\d++)(?![\w.])|(-?\d++\.?+\d*+(?:e[-+]?\d++)?)(?![\w.])"
    + rb"|(true|false|null)(?![\w(])|([\[{])|((?:Array|Dictionary)[\x01-\x20]*+\[)"
    + rb'|(&"(?:[^"\\]++|\\.)*+")|([A-Za-z_]\w*+[\x01-\x20]*+\([^()"\[\]{};]*+\)))',
    re.DOTALL,
)
STRING, WHOLE, REAL, WORD, OPENER, TYPED, NAME, CALL = range(1, 9)
TYPED_HEAD = late_pattern(
    rb"(Array|Dictionary)[\x01-\x20]*+\[((?:[^\[\]\"]++|\"[^\"]*+\")*+)\]" + BLANKS + rb"\(" + BLANKS + rb"([\[{])"
)
_OF_FILE = late_pattern(rb'(ExtResource|SubResource)\([\x01-\x20]*"?([^")]*?)"?[\x01-\x20]*\)')
_FOLLOWS = late_pattern(BLANKS + rb"([,\]}:)])?+")
SECTION = late_pattern(rb"\[((?:[^\]\\]++|\\++[^\\])*+)\]", re.DOTALL)
_OLD_SECTION = late_pattern(rb"\[([^\]]*+)\]")
TAG = late_pattern(
    rb"\[((?:[^\[\]\"\n]++|\"(?:[^\"\\]++|\\.)*+\"|\[(?:[^\]\"]++|\"(?:[^\"\\]++|\\.)*+\")*+\])*+)\]", re.DOTALL
)
_KEY = late_pattern(
    rb'([^\x00-\x20="\[;\x80-\xff][^="\x00-\x20;\x80-\xff]*+|"(?:[^"\\\x00]++|\\[^\x00])*+")[\x01-\x20]*+=', re.DOTALL
)
_KEY_PART = late_pattern(
    rb'([\x00-\x20]++)|(;[^\n]*+)|"((?:[^"\\\x00]++|\\[^\x00])*+)"|(=)|([^\x00-\x20;="\[]++|\[)', re.DOTALL
)
NEXT = late_pattern(rb"\n[\t ]*+(?:(?=\[[A-Za-z_])|(?=[\w/.:@-]++[\t ]*+=(?!=)))")
_TAG = late_pattern(
    rb"[\x01-\x20]*+[A-Za-z_]\w*+(?:[\x01-\x20]++[A-Za-z_]\w*+[\x01-\x20]*+=[\x01-\x20]*+"
    rb'(?:"[^"\\]*+"|-?\d++(?=[\x01-\x20\]]|\Z)))*[\x01-\x20]*+',
    re.DOTALL,
)
_TAG_SIGN = late_pattern(BLANKS + rb"(?:([.:])|(-?[A-Za-z_]\w*+)|(\]))")
_OLD_TAG_SIGN = late_pattern(BLANKS + rb"(?:([.:])|([A-Za-z_]\w*+)|(\]))")
_EQUALS = late_pattern(BLANKS + rb"=")
_PAD = (b"", b"\0\0\0", b"\0\0", b"\0")
_HEAD, _COUNT = struct.Struct("<II").pack, struct.Struct("<I").pack_into
_LONG, _DOUBLE = struct.Struct("<Iq").pack, struct.Struct("<Id").pack
_LOSSY = "replace"
_COMMA, _COLON = b",", b":"
_SHORT = 18
"""Whole numbers with so few signs have room in 64 bits."""
LONG_CALL = 1 << 12
"""A packed array with so many bytes of text is read by itself."""
REMEMBERED, MOST_DAMAGES = 1 << 14, 100
SHOWN = 40
"""Letters of a key that a sentence quotes."""
_BLANKS = bytes(range(33))
BOM = b"\xef\xbb\xbf"
NO_SECTION = -1
SECTIONED = 2
"""So many collections are open around a section: the text itself, and what all of it becomes."""


class EngineTextParser:
    """Reads one text.

    Args:
        data: its bytes, in UTF-8.
        dialect: the engine line that it was written for, with what its text has beyond stored values.
        limit: how many bytes may be made of it.
        is_resource: whether its sections are those of a resource or scene.
        is_value: whether it is one value, without keys.

    Attributes:
        out: the values.
        places: where each one stands.
        damages: what the engines refuse, in order.
        slips: what they take, but hardly as it was meant.
        keys: how many keys were read.
        broken: how many were not, as their values are none.
    """

    def __init__(
        self, data: bytes, dialect: Dialect, limit: int, is_resource: bool = False, is_value: bool = False
    ) -> None:
        self.data = data
        self.out = bytearray()
        self.places = SourceMap()
        self.damages: list[Damage] = []
        self.keys = self.broken = 0
        self.is_value = is_value
        self._dialect = dialect
        self._limit = limit
        self._is_resource = is_resource
        self._calls: dict[bytes, bytes] = {}
        self._keys: dict[bytes, bytes] = {}
        self._heads: list[int] = []
        self._plans: dict[bytes, Plan] = {}
        self._forms: dict[bytes, tuple[TypeRow | None, str]] = {}
        self._values = TextValueReader(data, dialect, not is_value)
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
        self._section = NO_SECTION
        self._count = self._section_end = self._sections = 0
        types = [*numbers.values(), self._name]
        can_hop = COMPILED and self._is_plain
        self._hops = TokenHops(data, self, self.out, self.places, types, limit, False, is_resource) if can_hop else None

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
        at = self._blank(self._mark())
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
        if self._is_resource and not self.damages:
            for damage in broken_rules(data, self.places, self.out):
                self._damage(damage.span.start, damage.span.end, damage.sentence, 0, 0)

    def _mark(self) -> int:
        """Where the text begins behind a byte order mark, which engines take for letters."""
        if not self.data.startswith(BOM):
            return 0
        if not self._is_resource:
            self._slip(0, 3, "A byte order mark stands in front: the engines take it for the start of the first key.")
            return 0
        self._damage(0, 3, "A byte order mark stands in front: the engines refuse that in a resource.", 0, 3)
        return 3

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
        tag = (TAG if self._is_resource else _OLD_SECTION if self._values.is_old else SECTION).match(self.data, at)
        if tag is not None:
            start, stop = tag.span(1)
            end = self._checked(start, stop)
        else:
            end = self._far_tag(at) if self._is_resource else 0
            if not end:
                return self._damaged(at, "The bracket of this section does not close.")
            start, stop = at + 1, end - 1
        self._text(self._name_of(start, stop), start, stop)
        self._begin_section(end)
        return self._blank(end)

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
        mark, begin = (len(self.out), len(self.places)), at
        try:
            key = _KEY.match(data, at)
            if key is not None:
                content = self._keys.get(key[1]) or self._key(key[1], key.start(1))
                self.places.add(len(self.out), key.start(1), key.end(1))
                self.out += content
                at = key.end()
            else:
                at = self._odd_key(at, self._section_end)
                if at < 0:
                    return size
            found = VALUE.match(data, at)
            kind = found.lastindex if found is not None else None
            if kind is None or kind in (OPENER, TYPED):
                end = self.value(at)
            else:
                end = self._leaf(found, kind, found.start(kind))  # type: ignore[union-attr]
        except BrokenValueError as error:
            self._roll_back(*mark)
            self.broken += at > begin
            end = self._next(self._line_of(max(error.start, at - 1), at - 1))
            self._damage(error.start, max(error.end, min(error.start + 1, size)), error.sentence, begin, end)
        else:
            self._count += 1
            self.keys += 1
        self._section_end = end
        return self._blank(end)

    def _key(self, raw: bytes, start: int) -> bytes:
        """The bytes of a key that is new."""
        done = self._string_bytes(self._values.text(raw[1:-1], start) if raw[:1] == b'"' else raw)
        if len(self._keys) < REMEMBERED:
            self._keys[raw] = done
        return done

    def _odd_key(self, at: int, before: int) -> int:
        """Read a key that no engine writes so, as they read it; where its value begins, -1 where none follows.

        Args:
            at: where it begins.
            before: where what is in front of it ends.

        Raises:
            BrokenValueError: it has quotes that do not close.
        """
        data, what, is_plain, stop = self.data, b"", True, at
        place = at
        while True:
            part = _KEY_PART.match(data, place)
            if part is None:
                if place >= len(data):
                    self._slip(at, len(data), "Behind the last value stands something that the engines do not read.")
                    return -1
                raise BrokenValueError(place, place + 1, "A text begins here and does not end: a quote is missing.")
            place = part.end()
            blank, comment, quoted, equals, letters = part.groups()
            if equals is not None:
                break
            if quoted is not None:
                is_plain = not what
                what = self._values.text(quoted, part.start(3) - 1)
            elif letters is not None:
                if not letters.isascii():
                    is_plain = False
                what += letters.decode("latin-1").encode()
            if blank is None and comment is None:
                stop = part.end()
        self.places.add(len(self.out), at, stop)
        self.out += self._string_bytes(what)
        self._slip(at, stop, self._odd(at, stop, before, what, is_plain))
        return place

    def _odd(self, at: int, stop: int, before: int, what: bytes, is_plain: bool) -> str:
        """What the engines make of a key."""
        shown = what.decode(errors=_LOSSY)
        read = f"the engines read the key “{shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'}”."
        line = self.data.rfind(b"\n", 0, at) + 1
        if before > line:
            return f"Something stands behind this value: {read}"
        if b"\n" in self.data[at:stop]:
            return f"There is no “=” in this line, so it is joined with the next one: {read}"
        if not what:
            return "There is no key in front of this “=”: the engines drop the value."
        return (
            f"Blanks and comments in a key are dropped: {read}"
            if is_plain
            else f"A key like this stands in quotes: {read}"
        )

    def _string_bytes(self, content: bytes) -> bytes:
        return _HEAD(self._string, len(content)) + content + _PAD[len(content) & 3]

    def read_value(self) -> None:
        """Read a text that is one value."""
        at = self._blank(3 if self.data.startswith(BOM) else 0)
        try:
            end = self._hopped_value(at)
            end = self.value(at) if end is None else end
        except BrokenValueError as error:
            self._roll_back(0, 0)
            self._damage(error.start, error.end, error.sentence, at, len(self.data))
            return
        end = self._blank(end)
        if end < len(self.data):
            self._slip(end, len(self.data), "The value is complete: the engines do not look at what follows.")

    def _hopped_value(self, at: int) -> int | None:
        """Where the value ends that begins at a byte, if all of it is ordinary; else None, and nothing is read."""
        hops, self._hops = self._hops, None  # it holds this parser
        if hops is None:
            return None
        hops.begin_value(at)
        while hops.step():
            pass
        return hops.at if hops.is_done else None

    def _name_of(self, start: int, end: int) -> bytes:
        """The name of a section as the engines read it, of a resource all that stands in its brackets."""
        name = self.data[start:end].strip(_BLANKS)
        if self._is_resource:
            return name
        if b"\n" in self.data[start:end]:
            self._slip(
                start - 1, start, "The bracket of this section closes in another line: all up to there is its name."
            )
        if self._values.is_old:
            return name.decode("latin-1").encode()
        return name.replace(b"\\]", b"]").decode(errors=_LOSSY).encode()

    def _checked(self, start: int, end: int) -> int:
        """Check what stands in the brackets of a section; where they end."""
        if not self._is_resource or _TAG.fullmatch(self.data, start, end) is not None:
            return end + 1
        mark = len(self.out), len(self.places)
        try:
            return self._words_of(start)
        except BrokenValueError as error:
            self._damage(error.start, max(error.end, error.start + 1), error.sentence, start, end)
            return end + 1
        finally:
            self._roll_back(*mark)

    def _far_tag(self, at: int) -> int:
        """Where a section ends that no engine writes so, 0 where it is none."""
        mark = len(self.out), len(self.places)
        try:
            return self._words_of(at + 1)
        except BrokenValueError:
            return 0
        finally:
            self._roll_back(*mark)

    def _words_of(self, at: int) -> int:
        """Read a name, then words with “=” and values, up to the bracket that closes; where that ends."""
        match = (_OLD_TAG_SIGN if self._values.is_old else _TAG_SIGN).match
        is_named = is_name = False
        while True:
            sign = match(self.data, at)
            if sign is None or (sign[2] is None and not is_named) or (sign[1] is not None and not is_name):
                sentence = "A word is expected here, or the bracket that closes this section."
                raise BrokenValueError(self._blank(at), self._blank(at) + 1, sentence)
            at = sign.end()
            if sign[3] is not None:
                return at
            if not is_named:
                is_named = is_name = True
                continue
            if sign[1] is not None:
                at = rest.end() if (rest := match(self.data, at)) is not None else at  # whatever it is
                continue
            is_name = False
            equals = _EQUALS.match(self.data, at)
            if equals is None:
                raise BrokenValueError(self._blank(at), self._blank(at) + 1, "“=” and a value are expected here.")
            at = self.value(equals.end())

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

    def _slip(self, start: int, end: int, sentence: str) -> None:
        self.slips.append(Damage(Span(start, end), sentence))

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

    def value(self, at: int) -> int:
        """Read the value that begins behind a byte; where it ends.

        Raises:
            BrokenValueError: there is none.
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
                        raise BrokenValueError(end, end + 1, "“)” is missing behind this typed collection.")
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
            done = _DOUBLE(self._float, float(raw))
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
        try:
            if row.kind is Kind.FIXED:
                return struct.pack(form, row.number, *map(float if form[-1] == "f" else int, numbers.split(_COMMA)))
            held = array(form, map(float if form in "fd" else int, numbers.split(_COMMA)))
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
            self._plans[name] = found = plan(self._dialect, name.strip().decode(errors=_LOSSY))
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
            raise BrokenValueError(start, end, f"This is no value: {error}") from error
        if len(self._calls) < REMEMBERED and len(raw) <= LONG_CALL:
            self._calls[raw] = done
        return done


def _missing(is_table: bool, is_key: bool, sign: bytes) -> str:
    """What is expected behind a value in a collection."""
    if not sign:
        return f"The text ends inside {'a dictionary: “}' if is_table else 'an array: “]'}” is missing."
    if is_table and is_key:
        return "“:” and a value are expected here, behind a key."
    return "A comma or “}” is missing before this." if is_table else "A comma or “]” is missing before this."
