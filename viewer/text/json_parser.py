"""JSON as the engines read it: to the bytes of typed values, with the place of each one in the text.

Lenient where Godot 4 is [run: 4.6]: a comma may stand behind the last element, any sign up to a blank is white space,
line ends and tabs may stand in strings, numbers may begin with zeros and end with a point, or begin with one behind a
minus. What Godot 4 refuses is a
damage: it is passed over, and what stands behind it is read.
"""

from __future__ import annotations

import re
import struct

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.container.layer import Damage, TooLarge
from viewer.text.float_spelling import engine_float
from viewer.text.source_map import SourceMap
from viewer.text.token_hops import COMPILED, TokenHops
from viewer.text.utf8 import bad_utf8

_WS = rb"[\x01-\x20]*+"
_STRING = rb'"((?:[^"\\]++|\\.)*+)"'
_NUMBER = rb"(-?(?:\d++(?:\.\d*+)?+|(?<=-)\.\d++)(?:[eE][+-]?\d++)?)(?![\w.+-])"
_WORD = rb"(true|false|null)(?![A-Za-z0-9_])"
_SCALAR = rb"(?:" + _STRING + rb"|" + _NUMBER + rb"|" + _WORD + rb")"
_KEY = rb'"((?:[^"\\]++|\\.)*+)"' + _WS + rb":" + _WS
PAIR = late_pattern(_WS + _KEY + rb"(?:" + _SCALAR + _WS + rb"([,}])?|([\[{]))", re.DOTALL)
ITEM = late_pattern(_WS + rb"((?!))?(?:" + _SCALAR + _WS + rb"([,\]])?|([\[{]))", re.DOTALL)
KEY, STRING, NUMBER, WORD, CLOSER, OPENER = range(1, 7)
"""The groups of both: a key, which an element has not; a scalar and what follows it; the bracket of a collection."""
_ROOT = late_pattern(_WS + rb"(?:" + _SCALAR + rb"|([\[{]))", re.DOTALL)
_BLANK = late_pattern(_WS)
_AFTER = late_pattern(_WS + rb"([,}\]])?")
_ESCAPE = late_pattern(
    rb"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL
)
_SKIPPED = late_pattern(rb'"(?:[^"\\\n]|\\[^\n])*+"|[\[{]|[\]}]|,|\n|[^"\[\]{},\n]++|"')
_COMMENT = late_pattern(rb"//[^\n]*+|#[^\n]*+|/\*.*?\*/", re.DOTALL)
_ESCAPES = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b'"': b'"', b"\\": b"\\", b"/": b"/"}
_COMMA, _OBJECT = 0x2C, 0x7B
_KEYED = late_pattern(_WS + _KEY, re.DOTALL)
_LONE_KEY = late_pattern(_WS + _STRING + _WS, re.DOTALL)
_BARE_KEY = late_pattern(rb"\w++" + _WS + rb":")
_DECIMAL = late_pattern(rb"[-+.\dxXeE_a-fA-F]*\d[-+.\dxXeE_a-fA-F]*")
_DECIMALS = late_pattern(rb"\d+(?:[eE][+-]?\d+)?")
_BEFORE_COMMA = late_pattern(rb"\d,\Z")
_MEANT = {b"true": "true", b"false": "false", b"null": "null", b"none": "null", b"nil": "null", b"undefined": "null"}
_DICTIONARY, _ARRAY = struct.pack("<II", 27, 0), struct.pack("<II", 28, 0)
_WORDS = {b"true": struct.pack("<II", 1, 1), b"false": struct.pack("<II", 1, 0), b"null": bytes(4)}
_PAD = (b"", b"\0\0\0", b"\0\0", b"\0")
_FLOAT, _COUNT = struct.Struct("<Id").pack, struct.Struct("<I").pack_into
_HEAD = struct.Struct("<II").pack
EXACT = 15
"""So many digits of a whole number every double holds."""
DEEPEST = 1024
"""In so many collections a value may lie for Godot 4: one more is read where nothing stands in it [run: 4.6]."""
LOOK_AHEAD, MOST_LOOKS = 1 << 16, 1 << 18
"""So many bytes are looked at for where something broken ends, and for where all that is broken does."""
REMEMBERED = 1 << 14
MOST_DAMAGES = 100
MORE_FOLLOWS = "The value is complete, but more follows. Godot 4 refuses that; Godot 3 does not look at it."
LONGEST = 300
"""Digits of a whole number that is worth comparing with its double."""
LOST = "\ufffd".encode()
ZERO_ESCAPED = "Texts cannot hold a zero: Godot 4 reads “\ufffd” here, and in Godot 3 texts may end in front of it."
ROOT_OPENER = 4
_TYPES = [27, 28, 4, 3, 3, 1, 0]
"""The numbers of Dictionary, Array, String, of both kinds of numbers, of bool; there is no StringName."""
_ALL = 1 << 62


def string_bytes(content: bytes) -> bytes:
    """The bytes of a String Variant."""
    return _HEAD(4, len(content)) + content + _PAD[len(content) & 3]


class JsonParser:
    """Reads one text.

    Args:
        data: its bytes, in UTF-8.
        limit: how many bytes may be made of it.

    Attributes:
        out: the values, one behind the other.
        places: where each one stands.
        roots: how many values stand at the top: more than one only where each has its line.
        damages: what Godot 4 refuses, in order.
        odd: where whole numbers stand that no double holds; not all, where there are very many.
        slips: what Godot 4 takes, but reads otherwise than it stands there.
    """

    def __init__(self, data: bytes, limit: int) -> None:
        self.data = data
        self.out = bytearray()
        self.places = SourceMap()
        self.roots = 0
        self.damages: list[Damage] = []
        self.odd: list[Span] = []
        self.slips: list[Damage] = []
        self._limit = limit
        self._keys: dict[bytes, bytes] = {}
        self._numbers: dict[bytes, bytes] = {}
        self._open: list[int] = []
        self._counts: list[int] = []
        self._pairs: list[bool] = []
        self._is_utf8 = not bad_utf8(data)
        self._looks = MOST_LOOKS
        can_hop = COMPILED and self._is_utf8
        self._hops = TokenHops(data, self, self.out, self.places, _TYPES, limit, is_json=True) if can_hop else None

    def read(self) -> None:
        """Read all of it.

        Raises:
            TooLarge: more than *limit* bytes come of it.
        """
        try:
            self._read()
        finally:
            self._hops = None  # it holds this parser, and all that was written

    def _read(self) -> None:
        data, size = self.data, len(self.data)
        at = self._blank(3 if data.startswith(b"\xef\xbb\xbf") else 0)
        while at < size:
            found = _ROOT.match(data, at)
            if found is None:
                self._damage(at, size, "A value is expected here.")
                return
            self.roots += 1
            begin = at
            if found.lastindex == ROOT_OPENER:
                end = self._tree(found.end() - 1)
            else:
                end = found.end()
                self._scalar(found.group(1), found.group(2), found.group(3), at, end)
            at = self._blank(end)
            if at < size and (data.find(b"\n", begin, end) >= 0 or data.find(b"\n", end, at) < 0):
                self._damage(at, size, MORE_FOLLOWS)
                return

    def _blank(self, at: int) -> int:
        found = _BLANK.match(self.data, at)
        return found.end() if found else at

    def _tree(self, at: int) -> int:
        """Read the collection that opens at a byte, with all that it holds; where it ends."""
        self._begin(at)
        at += 1
        if self._hops is None:
            return self._steps(at, _ALL)
        while self._open:
            at = self._hop(at, self._hops)
            if self._open:
                at = self._steps(at, 1)
        return at

    def _hop(self, at: int, hops: TokenHops) -> int:
        """Read on as far as all is ordinary; where something is not."""
        hops.begin(at)
        while hops.step():
            pass
        return self._behind(hops.at) if hops.is_behind else hops.at

    def _steps(self, at: int, most: int) -> int:
        """Read so many values, unless the outermost collection ends before; where to go on."""
        data, out, places = self.data, self.out, self.places
        counts, pairs, keys, numbers = self._counts, self._pairs, self._keys, self._numbers
        inside, starts, ends, parents = (
            places.inside.append,
            places.start.append,
            places.end.append,
            places.parent.append,
        )
        pair, item = PAIR.match, ITEM.match
        while self._open and most:  # each value of the text passes here: what it takes is not called, but stands here
            most -= 1
            found = pair(data, at) if pairs[-1] else item(data, at)
            if found is None:
                at = self._unexpected(at)
                continue
            key, text, number, word, closer, opener = found.groups()
            if closer is None and opener is None and self._runs_on(key, text):
                at = self._unclosed(self._blank(at))
                continue
            counts[-1] += 1
            at = found.end()
            top = self._open[-1]
            if key is not None:
                start = found.start(KEY)
                inside(len(out))
                starts(start - 1)
                ends(start + len(key) + 1)
                parents(top)
                out += keys.get(key) or self._key(key, start)
            if opener is not None:
                self._begin(at - 1)
                continue
            inside(len(out))
            parents(top)
            if text is not None:
                start = found.start(STRING)
                starts(start - 1)
                ends(start + len(text) + 1)
                if b"\\" in text or not self._is_utf8:
                    text = self._content(text, start)
                out += _HEAD(4, len(text)) + text + _PAD[len(text) & 3]
            elif number is not None:
                start = found.start(NUMBER)
                starts(start)
                ends(start + len(number))
                out += numbers.get(number) or self._number(number, start)
            else:
                starts(found.start(WORD))
                ends(found.end(WORD))
                out += _WORDS[word]
            if closer is None:
                at = self._no_comma(at)
            elif closer != b",":
                at = self._close(at)
        return at

    @staticmethod
    def _runs_on(key: bytes | None, text: bytes | None) -> bool:
        """Whether a string goes on behind the end of its line, and nothing that may follow a value follows it."""
        return (text is not None and b"\n" in text) or (key is not None and b"\n" in key)

    def _begin(self, at: int) -> None:
        """A collection opens."""
        here = len(self.out)
        if here > self._limit:
            raise TooLarge(f"More than {self._limit} bytes come from this text.", here, exact=False)
        is_object = self.data[at] == _OBJECT
        self.out += _DICTIONARY if is_object else _ARRAY
        self._open.append(self.places.open(here, at))
        self._counts.append(0)
        self._pairs.append(is_object)
        if len(self._open) == DEEPEST + 1 and not self._is_empty(at, is_object):
            self._damage(at, at + 1, f"It is nested more than {DEEPEST} levels deep: Godot 4 refuses that.")

    def _is_empty(self, at: int, is_object: bool) -> bool:
        """Whether nothing stands in the collection that opens at a byte."""
        end = self._blank(at + 1)
        return self.data[end : end + 1] == (b"}" if is_object else b"]")

    def _end(self, at: int) -> None:
        """The innermost collection ends in front of a byte."""
        number = self._open.pop()
        self.places.close(at)
        self._pairs.pop()
        _COUNT(self.out, self.places.inside[number] + 4, self._counts.pop())

    def _close(self, at: int) -> int:
        """The innermost collection was closed in front of a byte, with all that close behind it; where to go on."""
        self._end(at)
        return self._behind(at)

    def _behind(self, at: int) -> int:
        """What stands behind a collection that ended: where to go on."""
        data = self.data
        while self._open:
            found = _AFTER.match(data, at)
            closer = found.group(1) if found else None
            if found is None or closer is None:
                return self._no_comma(at)
            if closer == b",":
                return found.end()
            if (closer == b"}") != self._pairs[-1]:
                return at
            at = found.end()
            self._end(at)
        return at

    # What is asked while hopping

    def top(self) -> tuple[int, int, bool, int] | None:
        """What is open: its number, how many units it holds, whether these are pairs, how many may open in it."""
        depth = len(self._open)
        if not depth:
            return None
        room = DEEPEST - depth if depth <= DEEPEST else len(self.data)
        return self._open[-1], self._counts[-1], self._pairs[-1], room

    def entered(self, number: int, count: int, is_table: bool) -> None:
        """A collection is open in the one that was."""
        self.places.reopen(number)
        self._open.append(number)
        self._counts.append(count)
        self._pairs.append(is_table)

    def counted(self, count: int) -> None:
        """The innermost collection holds so many units."""
        self._counts[-1] = count

    def left(self, at: int) -> None:
        """It ends in front of a byte."""
        self._end(at)

    def number(self, raw: bytes, start: int) -> bytes:
        """The bytes of a long number."""
        return self._numbers.get(raw) or self._number(raw, start)

    # Scalars

    def _key(self, raw: bytes, start: int) -> bytes:
        """The bytes of a key that is new."""
        done = string_bytes(self._content(raw, start) if b"\\" in raw or not self._is_utf8 else raw)
        if len(self._keys) < REMEMBERED:
            self._keys[raw] = done
        return done

    def _scalar(self, text: bytes | None, number: bytes | None, word: bytes | None, start: int, end: int) -> None:
        self.places.add(len(self.out), start, end)
        if text is not None:
            self.out += string_bytes(self._content(text, start + 1))
        elif number is not None:
            self.out += self._numbers.get(number) or self._number(number, start)
        else:
            self.out += _WORDS[word or b"null"]

    def _number(self, raw: bytes, start: int) -> bytes:
        read = engine_float(raw.decode())
        done = _FLOAT(3, read)
        if len(raw) > EXACT and raw.lstrip(b"-").isdigit() and (len(raw) > LONGEST or int(raw) != int(read)):
            if len(self.odd) < MOST_DAMAGES and not (self.odd and self.odd[-1].start == start):  # read once before
                self.odd.append(Span(start, start + len(raw)))
        elif len(self._numbers) < REMEMBERED:
            self._numbers[raw] = done
        return done

    def _content(self, raw: bytes, start: int) -> bytes:
        """What a string with escapes says."""
        out, at = [], 0
        for found in _ESCAPE.finditer(raw):
            out.append(raw[at : found.start()])
            at = found.end()
            out.append(self._escape(found, start))
        out.append(raw[at:])
        content = b"".join(out)
        return content if self._is_utf8 else content.decode(errors="replace").encode()

    def _escape(self, found: re.Match[bytes], start: int) -> bytes:
        high, low, code, letter = found.groups()
        if high is not None:
            return chr(0x10000 + (int(high, 16) - 0xD800 << 10) + int(low, 16) - 0xDC00).encode()
        begin, end = start + found.start(), start + found.end()
        if code is not None:
            sign = int(code, 16)
            if not sign:
                if len(self.slips) < MOST_DAMAGES:
                    self.slips.append(Damage(Span(begin, end), ZERO_ESCAPED))
                return LOST
            if not 0xD800 <= sign < 0xE000:
                return chr(sign).encode()
            self._damage(begin, end, "Half of a pair of escapes is here without the other half.")
            return LOST
        plain = _ESCAPES.get(letter)
        if plain is None:
            word = (
                "\\u needs four hexadecimal digits after it."
                if letter == b"u"
                else "This escape means nothing in JSON."
            )
            self._damage(begin, end, f"{word} A backslash is written twice.")
        return plain or letter

    # What Godot 4 refuses

    def _damage(self, start: int, end: int, sentence: str) -> None:
        if len(self.damages) < MOST_DAMAGES:
            inside = self.places.inside[self._open[-1]] if self._open else 0
            self.damages.append(Damage(Span(start, end), sentence, Span(inside, min(inside + 8, len(self.out)))))

    def _no_comma(self, at: int) -> int:
        """Behind a value stands neither a comma nor the bracket that closes what holds it."""
        at = self._blank(at)
        char = self.data[at : at + 1]
        if char and char not in b"]}" and (PAIR if self._pairs[-1] else ITEM).match(self.data, at):
            self._damage(at, at + 1, "A comma is missing before this.")
        elif char and char not in b"]}":
            return self._pass(at)
        return at

    def _unexpected(self, at: int) -> int:
        """Neither a value nor a pair begins at a byte; where to go on."""
        data = self.data
        at = self._blank(at)
        char = data[at : at + 1]
        is_object = self._pairs[-1]
        if not char:
            self._cut_off(at)
        elif char == (b"}" if is_object else b"]"):
            return self._close(at + 1)
        elif char in b"]}" and (char == b"}") in self._pairs:
            wanted = "“}”" if is_object else "“]”"
            self._damage(at, at + 1, f"{wanted} is missing before this bracket.")
            self._end(at)
        elif char in b"]}":
            self._damage(at, at + 1, "This bracket closes nothing.")
            return at + 1
        elif char == b",":
            self._damage(at, at + 1, f"A {'key' if is_object else 'value'} is missing before this comma.")
            return at + 1
        else:
            return self._pass(at)
        return at

    def _cut_off(self, at: int) -> None:
        """The text ends inside collections."""
        begin = self.places.start[self._open[-1]]
        wanted, what = ("“}”", "an object") if self._pairs[-1] else ("“]”", "an array")
        line = self.data.count(b"\n", 0, begin) + 1
        self._damage(at, at, f"The text ends inside {what} that begins in line {line}: {wanted} is missing.")
        while self._open:
            self._end(at)

    def _unclosed(self, at: int) -> int:
        """A string does not end on its line."""
        end = self.data.find(b"\n", at)
        end = len(self.data) if end < 0 else end
        self._damage(at, end, "A string begins here and does not end: a quote is missing in this line.")
        return end

    def _pass(self, at: int) -> int:
        """Pass over what is neither a value nor a pair, up to where the next may begin."""
        data = self.data
        comment = _COMMENT.match(data, at)
        if comment is not None:
            self._damage(at, comment.end(), "JSON has no comments: the engines refuse this.")
            return comment.end()
        end = self._broken_end(at)
        place = self._wrong_from(at, end)
        reason = self._reason(at, end)
        if place >= end:  # what is missing behind a key is not in its line
            end = self._broken_end(place)
        self._damage(place, max(end, min(place + 1, len(data))), reason)
        if len(self.damages) == MOST_DAMAGES:
            end = len(data)
        return end + (data[end : end + 1] == b",")

    def _wrong_from(self, at: int, end: int) -> int:
        """Where what is wrong begins in a pair: behind a key that is right."""
        data = self.data
        if not self._pairs[-1] or data.count(b'"', at, end) % 2:
            return at
        pair = _KEYED.match(data, at)
        if pair is not None:
            return at if b"\n" in pair[1] else pair.end()
        key = _LONE_KEY.match(data, at)
        if key is None or b"\n" in key[1] or data[key.end() : key.end() + 1] in b",}":
            return at  # alone it may be meant as a value
        return key.end()

    def _reason(self, at: int, end: int) -> str:
        """Why what stands here is none."""
        raw = self.data[at:end].rstrip()
        if raw.count(b'"') % 2:
            return "A string begins or ends here without its other quote."
        pair = _KEYED.match(raw)
        wanted = 'A pair such as "key": value' if self._pairs[-1] else "A value"
        if _DECIMALS.fullmatch(raw) and _BEFORE_COMMA.search(self.data[max(0, at - 2) : at]):
            return "Numbers have a decimal point, not a comma."
        bare = (raw[pair.end() :] if pair else raw).strip()
        meant = _MEANT.get(bare.lower())
        if meant is not None and (pair or not self._pairs[-1]):
            return f"“{bare.decode()}” is written “{meant}”."
        if raw[:1] == b"'" or "\u201c".encode() in raw or "\u201d".encode() in raw:
            return "Texts go in straight double quotes."
        if _DECIMAL.fullmatch(bare) and (pair or not self._pairs[-1]):
            return "This is not a number as JSON has them: digits, a point between them, an exponent."
        if pair is None and self._pairs[-1] and _BARE_KEY.match(raw):
            return "A key goes in double quotes."
        if pair is not None and self._pairs[-1]:
            return "A value is expected here, after a key and “:”."
        if self._pairs[-1] and _LONE_KEY.match(raw):
            return "“:” and a value are expected here, after a key."
        return f"{wanted} is expected here."

    def _broken_end(self, at: int) -> int:
        """Where something broken ends: at a comma or the end of a line, behind all brackets that it opens.

        All that is broken in a text shares the bytes that may be looked at.
        """
        data, depth = self.data, 0
        for found in _SKIPPED.finditer(data, at, at + min(LOOK_AHEAD, self._looks)):
            self._looks -= found.end() - found.start()
            char = found[0][:1]
            if char in b"[{":
                depth += 1
            elif char in b"]}":
                if not depth:
                    return found.start()
                depth -= 1
            elif char in b",\n" and not depth and found.start() > at:
                return found.start()
            elif found[0] == b'"':
                break
        end = data.find(b"\n", at)
        return len(data) if end < 0 else max(end, at + 1)
