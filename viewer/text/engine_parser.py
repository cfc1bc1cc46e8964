"""The engines' own text (ConfigFile, .tres, .tscn, what ``var_to_str`` writes), read to the bytes of typed values.

A file is a dictionary of its sections, each named by what stands between its brackets, each a dictionary of its keys;
a text without keys is one value. What an engine refuses is a damage: the key that it is in is passed over, and the
next one is read.
"""

from __future__ import annotations

import re

from viewer.base.late_pattern import late_pattern
from viewer.base.span import Span
from viewer.container.layer import Damage
from viewer.text.dropped_keys import BEGUN_AGAIN, DROPPED, REFUSED, without_a_name
from viewer.text.engine_values import BLANKS, BrokenValueError, stripped
from viewer.text.resource_rules import KEYED, broken_rules, read_tag
from viewer.text.text_wrap import ZERO_INSIDE
from viewer.text.token_hops import COMPILED, TokenHops
from viewer.text.value_parser import OPENER, REMEMBERED, TYPED, VALUE, EngineValueParser, Level
from viewer.variant.dialect import Dialect

SECTION = late_pattern(rb"\[((?:[^\]\\]++|\\++[^\\])*+)\]", re.DOTALL)
LATE_BRACKET = "The bracket of this section closes on another line: everything up to there is its name."
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
    rb'(?:"[^"\\\x00]*+"|-?\d++(?=[\x01-\x20\]]|\Z)))*[\x01-\x20]*+',
    re.DOTALL,
)
_TAG_SIGN = late_pattern(BLANKS + rb"(?:([.:])|(-?[A-Za-z_]\w*+)|(\]))")
_OLD_TAG_SIGN = late_pattern(BLANKS + rb"(?:([.:])|([A-Za-z_]\w*+)|(\]))")
_EQUALS = late_pattern(BLANKS + rb"=")
_ZEROS = late_pattern(rb"[\x00-\x20]++")
_LOSSY = "replace"
MOST_DAMAGES = 100
SHOWN = 40
"""Letters of a key that a sentence quotes."""
_BLANKS = bytes(range(33))
BOM = b"\xef\xbb\xbf"
NO_SECTION = -1
SECTIONED = 2
"""So many collections are open around a section: the text itself, and what all of it becomes."""


class EngineTextParser(EngineValueParser):
    """Reads one text.

    Args:
        data: its bytes, in UTF-8.
        dialect: the engine line that it was written for, with what its text has beyond stored values.
        limit: how many bytes may be made of it.
        is_resource: whether its sections are those of a resource or scene.
        is_value: whether it is one value, without keys.

    Attributes:
        damages: what the engines refuse, in order.
        keys: how many keys were read.
        broken: how many were not, as their values are none.
        roots: how many values a text without keys holds.
    """

    def __init__(
        self, data: bytes, dialect: Dialect, limit: int, is_resource: bool = False, is_value: bool = False
    ) -> None:
        super().__init__(data, dialect, limit, is_value, is_resource)
        self.damages: list[Damage] = []
        self.keys = self.broken = self.roots = 0
        self._keys: dict[bytes, bytes] = {}
        self._section = NO_SECTION
        self._count = self._section_end = self._sections = 0
        self._left: tuple[list[Level], tuple[int, int], int, bool] | None = None
        can_hop = COMPILED and self._is_plain
        self._hops = (
            TokenHops(data, self, self.out, self.places, self._types, limit, False, is_resource) if can_hop else None
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
        at = self._blank(self._mark())
        root = self._open(self._dictionary, 0)
        while at < size:
            if self._hops is not None:
                at = self._hop(at, self._hops)
            if self._left is not None:
                at = self._rest_of_pair(at, *self._left)
                continue
            sign = data[at : at + 1]
            if sign == b"[":
                at = self._tag(at)
            elif sign == b"\0":
                at = self._zeros(at)
            elif self._section < 0 and self._sections:
                at = self._damaged(at, "A section or a key is expected here.")
            elif sign:
                if self._section < 0:
                    self._text(b"", at, at)
                    self._begin_section(at)
                at = self._pair(at)
        self._end_section()
        self._close(root, size, self._sections)
        for number, span in without_a_name(data, self.places):
            self._nameless(number, span)
        if self._is_resource and not self.damages:
            for damage in broken_rules(data, self.places, self.out):
                self._damage(damage.span.start, damage.span.end, damage.sentence, 0, 0)

    def _mark(self) -> int:
        """Where the text begins behind a byte order mark, which engines take for letters."""
        if not self.data.startswith(BOM):
            return 0
        if not self._is_resource:
            self._slip(0, 3, "There is a byte order mark in front: the engines take it for the start of the first key.")
            return 0
        self._damage(0, 3, "There is a byte order mark in front: the engines refuse that in a resource.", 0, 3)
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

    def broken_off(self, held: list[Level], mark: tuple[int, int], begin: int, is_behind: bool) -> None:
        """The hops end amid the value of a key.

        Args:
            held: the collections that are open, outermost first.
            mark: how many bytes and values there were when the key began.
            begin: where it begins.
            is_behind: whether the innermost collection goes on behind a value, else with one.
        """
        self._left = held, mark, begin, is_behind

    def _tag(self, at: int) -> int:
        """A section begins with what stands in brackets at a byte; where what it holds begins."""
        tag = (TAG if self._is_resource else _OLD_SECTION if self._values.is_old else SECTION).match(self.data, at)
        if tag is not None and self._section >= 0 and not self._is_resource and not tag[1].strip(_BLANKS):
            self._slip(at, tag.end(), "This section has no name: engines continue the one before it.")
            self._section_end = tag.end()
            return self._blank(tag.end())
        self._end_section()
        if tag is not None:
            start, stop = tag.span(1)
            end = self._checked(start, stop)
        else:
            end = self._far_tag(at) if self._is_resource else 0
            if not end:
                return self._damaged(at, "The bracket of this section does not close.")
            start, stop = at + 1, end - 1
        inner = (start, stop) if self._is_resource else stripped(self.data, start, stop)
        self._text(self._name_of(start, stop), *inner)
        self._begin_section(end)
        return self._blank(end)

    def _zeros(self, at: int) -> int:
        """Pass over zero bytes where a key may begin, as the engines do; behind what has no keys they refuse them."""
        end = _ZEROS.match(self.data, at).end()  # type: ignore[union-attr]  # there is one
        if self._is_resource and self._key_owner() not in KEYED:
            self._damage(at, at + 1, ZERO_INSIDE, at, end)
        return self._blank(end)

    def _key_owner(self) -> bytes:
        """The first word of the section that is open."""
        return self._name_at(self._section) if self._section >= 0 else b""

    def _name_at(self, section: int) -> bytes:
        """The first word in the brackets of a section."""
        return read_tag(self.data, self.places.span(section - 1), 0).name

    def _nameless(self, number: int, span: Span) -> None:
        """A key is an empty text, which the engines take for none."""
        if not self._is_resource:
            self._slip(span.start, span.end, DROPPED)
        elif self._name_at(self.places.parent[number]) == b"resource":
            self._damage(span.start, span.end, REFUSED, span.start, span.end)
        else:
            self._slip(span.start, span.end, BEGUN_AGAIN)

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
            return self._broken_pair(error, mark, begin, at)
        return self._done_pair(end)

    def _rest_of_pair(self, at: int, held: list[Level], mark: tuple[int, int], begin: int, is_behind: bool) -> int:
        """What is left of a key with its value; where to go on. See :meth:`broken_off`."""
        self._left = None
        try:
            end = self._rest(at, held, is_behind)
        except BrokenValueError as error:
            return self._broken_pair(error, mark, begin, self.places.start[held[0][0]])
        return self._done_pair(end)

    def _done_pair(self, end: int) -> int:
        self._count += 1
        self.keys += 1
        self._section_end = end
        return self._blank(end)

    def _broken_pair(self, error: BrokenValueError, mark: tuple[int, int], begin: int, at: int) -> int:
        """The value behind a byte is none, so that nothing is read of its key, which begins at another."""
        self._roll_back(*mark)
        self.broken += at > begin
        end = self._next(self._line_of(max(error.start, at - 1), at - 1))
        last = max(error.end, min(error.start + 1, len(self.data)))
        line = self.data.find(b"\n", error.start)
        zero = self.data.find(b"\0", error.start, line if line >= 0 else len(self.data))
        if zero >= 0:
            self._damage(zero, zero + 1, ZERO_INSIDE, begin, end)
        else:
            self._damage(error.start, last, error.sentence, begin, end)
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
                    self._slip(at, len(data), "After the last value there is something that the engines do not read.")
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
        if not what and self._is_resource and self._key_owner() == b"resource":
            raise BrokenValueError(part.start(), part.end(), REFUSED)
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
            return f"Something follows this value: {read}"
        if b"\n" in self.data[at:stop]:
            return f"There is no “=” in this line, so it is joined with the next one: {read}"
        if not what:
            return BEGUN_AGAIN if self._is_resource else DROPPED
        return (
            f"Blanks and comments in a key are dropped: {read}"
            if is_plain
            else f"A key like this goes in quotes: {read}"
        )

    def read_value(self) -> None:
        """Read a text that is one value, or values of which each begins on a line of its own."""
        try:
            self._read_values()
        finally:
            self._hops = None  # it holds this parser, and all that was written

    def _read_values(self) -> None:
        data, size = self.data, len(self.data)
        at = self._blank(3 if data.startswith(BOM) else 0)
        while True:
            mark = len(self.out), len(self.places)
            try:
                end = self._hopped_value(at, self._hops) if self._hops is not None else None
                end = self.value(at) if end is None else end
            except BrokenValueError as error:
                self._roll_back(*mark)
                self._damage(error.start, error.end, error.sentence, at, size)
                return
            self.roots += 1
            at = self._blank(end)
            if at == size:
                return
            if b"\n" not in data[end:at]:
                self._slip(at, size, "The value is complete: the engines do not look at what follows.")
                return

    def _hopped_value(self, at: int, hops: TokenHops) -> int | None:
        """Where the value ends that begins at a byte, if all of it is ordinary; else None, and nothing is read."""
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
            self._slip(start - 1, start, LATE_BRACKET)
        zero = self.data.find(b"\0", start, end)
        if zero >= 0:
            self._slip(
                zero, zero + 1, "There is a zero byte in this name: Godot 3 drops it, Godot 4 reads only up to there."
            )
        if self._values.is_old:
            return name.replace(b"\0", b"").decode("latin-1").encode()
        return name.split(b"\0", 1)[0].replace(b"\\]", b"]").decode(errors=_LOSSY).encode()

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

    def _damage(self, start: int, end: int, sentence: str, key: int, stop: int) -> None:
        """Something is refused at *start*, which is why nothing is read from *key* to *stop*."""
        if len(self.damages) < MOST_DAMAGES:
            inside = self.places.inside_of_open()
            spot = Span(inside, min(inside + 8, len(self.out)))
            self.damages.append(Damage(Span(start, max(end, start)), sentence, spot))

    def _slip(self, start: int, end: int, sentence: str) -> None:
        self.slips.append(Damage(Span(start, end), sentence))
