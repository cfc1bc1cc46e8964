"""Hop over the ordinary tokens of JSON and of the engines' own text, without an object for each.

The parsers (:mod:`viewer.text.json_parser`, :mod:`viewer.text.engine_parser`) read everything, and say what is wrong
with it. This reads what is common and right, a stretch at a time, to the same bytes and places, and stops in front of
whatever is not: what was begun there is taken back, so that the parser reads it from its beginning.

This file runs as it stands, and Cython compiles the same file (types in ``token_hops.pxd``). As it stands it is slower
than the patterns of the parsers, which use it only where it is compiled. Text is never walked over recursively, and
what is written in a stretch has room there whatever the text is: :data:`WIDEST` bytes and one value for each byte.
"""

from __future__ import annotations

import struct
from typing import Any

try:
    import cython
except ImportError:
    from viewer.variant import interpreted as cython

from viewer.text.call_plans import OTHER, PACKED
from viewer.text.source_map import SourceMap
from viewer.text.token_signs import (
    AND,
    BLANK,
    CLOSE,
    COLON,
    COMMA,
    CURLY,
    DELETE,
    EQUALS,
    LOW_LINE,
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
    SQUARE,
    TAB,
    UNCURLY,
    UNSQUARE,
    UPPER_A,
    UPPER_Z,
    ZERO,
)
from viewer.text.token_writer import TokenWriter

COMPILED: bool = cython.compiled
STRETCH = 1 << 15
"""Bytes of text in one step: a fraction of a millisecond, after which others may work."""

KEY, VALUE, BETWEEN, NUMBERS = 0, 1, 2, 3
"""What comes next: a section or key, a value, what stands behind one, the numbers of a packed array."""
GO, ON, FULL, ODD, DONE = 0, 1, 2, 3, 4
"""Whether a step goes on, or why it ends: the stretch is over, no more room, something unusual, all is read."""
TABLE, TYPED, SECTION, WHOLE = 1, 2, 4, 8
"""What is open: bits of a collection; a section; a text that is one value."""
NO_SECTION = -1
LEVEL = 4
"""Words that a level takes: its number, how many values it has, what it is, where its count is written."""
LONG_NUMBER = 15


class TokenHops(TokenWriter):
    """Where the reading of one text is.

    Args:
        text: its bytes.
        owner: the parser that is asked about what is unusual.
        out: the values; a stretch is put behind what is there already.
        places: where they stand; the same.
        types: the numbers of Dictionary, Array, String, int, float, bool and, where there is one, StringName.
        limit: so many bytes may be there before a collection begins.
        is_json: whether it is JSON.
        is_resource: whether its sections are those of a resource or scene.
        stretch: so many bytes are read in one step.

    Attributes:
        at: where reading goes on.
        section, count, section_end: the number of the open section, how many keys it has, where its last value ends.
        sections, keys: how many there were.
        is_behind: whether JSON goes on behind a collection that ended.
    """

    def __init__(
        self,
        text: bytes,
        owner: Any,
        out: bytearray,
        places: SourceMap,
        types: list[int],
        limit: int,
        is_json: bool = False,
        is_resource: bool = False,
        stretch: int = STRETCH,
    ) -> None:
        self.stretch = min(stretch, len(text))
        TokenWriter.__init__(self, text, owner, is_json, is_resource, self.stretch)
        self.result, self.places, self.limit = out, places, limit
        self.table, self.array, self.string, self.integer, self.floating, self.boolean, self.name = types
        self.level = self.level_room = self.deepest = 0
        self.levels = bytearray()
        self.key_at = self.key_number = self.key_out = 0
        self.packed_form = self.packed_step = self.packed_number = self.packed_at = self.packed_count = 0
        self.count = self.kind = self.count_at = self.section_end = self.stop = 0
        self.sections = self.keys = 0
        self.section, self.state = NO_SECTION, KEY
        self.is_behind = self.was_closed = self.is_done = False
        self.deepen()
        self.bind()

    # Room

    def deepen(self) -> None:
        """Have room for more levels."""
        self.levels += bytes(4 * LEVEL * max(64, self.level_room))
        self.level_room = len(self.levels) // (4 * LEVEL)

    def bind(self) -> None:
        """Go on behind what is there already."""
        self.base, self.first = len(self.result), len(self.places.inside)
        self.used = self.found = 0

    def flush(self) -> None:
        """Put what a stretch gave behind what is there already."""
        if self.used:
            self.result += memoryview(self.written)[: self.used]
        if self.found:
            end, places = 4 * self.found, self.places
            for column, room in zip(
                (places.inside, places.start, places.end, places.parent), self.column_room, strict=True
            ):
                column.frombytes(memoryview(room)[:end])
        self.bind()

    # One step

    def begin(self, at: int) -> None:
        """Read on from where a key or section begins, or in JSON what a collection holds."""
        self.at, self.level, self.deepest = at, 0, self.size
        self.is_behind = self.was_closed = self.is_done = False
        self.bind()
        if self.is_json:
            self.state = VALUE
            self.take_top()
        else:
            self.state, self.number, self.kind = KEY, max(self.section, 0), SECTION
            self.count_at = self.places.inside[self.section] + 4 if self.section >= 0 else 0

    def begin_value(self, at: int) -> None:
        """Read on from where the one value of a text begins."""
        self.begin(at)
        self.state, self.number, self.kind, self.count = VALUE, 0, WHOLE, 0
        self.key_at, self.key_number, self.key_out = at, self.first, self.base

    def take_top(self) -> bool:
        """Have the collection in JSON that was open before; False where there is none."""
        top = self.owner.top()
        if top is None:
            return False
        number, count, is_table, self.deepest = top
        self.number, self.count, self.kind = number, 2 * count if is_table else count, TABLE if is_table else 0
        return True

    def step(self) -> bool:
        """Read a stretch; whether there is more to read."""
        why = self.hop()
        amid = why == ODD and self.is_amid()
        if amid:
            self.take_numbers_back()
        elif why == ODD or (why == FULL and self.is_json):
            self.take_back()
        grows = why == FULL and not self.used and not self.found
        self.flush()
        if grows:
            self.take_room(2 * self.room)
        if why == ODD and self.is_json:
            self.hand_over()
        elif amid:
            self.break_off()
        self.is_done = why == DONE
        return why in (ON, FULL)

    def take_back(self) -> None:
        """Forget what was begun and cannot be gone on with."""
        if self.is_json:
            self.is_behind = self.state == BETWEEN and self.was_closed
            if self.state == BETWEEN and not self.was_closed:
                self.take_one_back()
            if self.kind & TABLE and self.count & 1:
                self.take_one_back()
            self.state = VALUE
        elif self.state != KEY:
            self.found, self.used = self.key_number - self.first, self.key_out - self.base
            if self.found < 0:
                self.places.cut(self.key_number)
                del self.result[self.key_out :]
                self.found = self.used = 0
            self.at, self.state = self.key_at, KEY
            if self.level:
                self.level = 0
                self.restore()
                self.count -= 1

    def take_one_back(self) -> None:
        """Forget the value that was read last."""
        self.found -= 1
        self.used = self.inside[self.found] - self.base
        self.at = self.starts[self.found]
        self.count -= 1

    def hand_over(self) -> None:
        """Let the parser know which collections in JSON are open."""
        top, self.level = self.level, 0
        now = self.number, self.count, self.kind
        for level in range(top + 1):
            if level < top:
                self.level = level
                self.restore()
            else:
                self.number, self.count, self.kind = now
            count = self.count >> 1 if self.kind & TABLE else self.count
            if level:
                self.owner.entered(self.number, count, bool(self.kind & TABLE))
            else:
                self.owner.counted(count)
        self.level = 0

    def is_amid(self) -> bool:
        """Whether a collection in the value of a key holds something unusual, and all before that stays read."""
        if self.is_json or not self.level or self.state == KEY:
            return False
        words = self.words_of(self.levels)
        if words[2] != SECTION or (self.state == NUMBERS and self.packed_number < self.first):
            return False
        sign = self.raw[self.at]
        if self.state != VALUE or self.at >= self.size or (self.kind & TABLE and self.count & 1):
            return True
        if not self.count:
            return sign not in (COMMA, COLON, CLOSE, UNSQUARE, UNCURLY)
        return sign != (UNCURLY if self.kind & TABLE else UNSQUARE)

    def take_numbers_back(self) -> None:
        """Forget the packed array that was begun."""
        if self.state == NUMBERS:
            self.found, self.used = self.packed_number - self.first, self.packed_at - 4 - self.base
            self.at, self.state = self.starts[self.found], VALUE

    def break_off(self) -> None:
        """Let the parser know which collections of a value are open, and that it is to go on."""
        top, self.level = self.level, 0
        now, is_behind = (self.number, self.count, self.kind, self.count_at), self.state == BETWEEN
        open_ones = []
        for level in range(1, top + 1):
            self.level = level
            if level < top:
                self.restore()
            else:
                self.number, self.count, self.kind, self.count_at = now
            passed = self.count - (level < top or is_behind)
            open_ones.append((self.number, passed, bool(self.kind & TABLE), bool(self.kind & TYPED), self.count_at))
        self.level, self.state = 0, KEY
        self.restore()
        self.count -= 1
        self.owner.broken_off(open_ones, (self.key_out, self.key_number), self.key_at, is_behind)

    def restore(self) -> int:
        """Have the collection of a level, which is the innermost one again."""
        words = self.words_of(self.levels)
        at = LEVEL * self.level
        self.number, self.count, self.kind, self.count_at = words[at], words[at + 1], words[at + 2], words[at + 3]
        return 0

    def remember(self) -> int:
        """Keep the collection that is open: another one opens in it."""
        if self.level == self.level_room:
            self.deepen()
        words = self.words_of(self.levels)
        at = LEVEL * self.level
        words[at], words[at + 1], words[at + 2], words[at + 3] = self.number, self.count, self.kind, self.count_at
        self.level += 1
        return 0

    def close(self, number: int, end: int, count_at: int, count: int) -> int:
        """What has a number ends in front of a byte, and holds so many."""
        if number >= self.first:
            self.ends[number - self.first] = end
        else:
            self.places.end[number] = end
        if count_at >= self.base:
            self.word(count_at - self.base, count)
        else:
            struct.pack_into("<I", self.result, count_at, count)
        return 0

    def hop(self) -> int:
        """Read on until the stretch is over or something is unusual; why."""
        self.stop = min(self.size, self.at + self.stretch)
        while True:
            sign = self.blank()
            if self.state == VALUE:
                why = self.value(sign)
            elif self.state == BETWEEN:
                why = self.behind(sign)
            elif self.state == KEY:
                why = self.section_or_key(sign)
            else:
                why = self.packed(sign)
            if why != GO:
                return why

    def is_over(self) -> bool:
        """Whether the stretch is."""
        return self.at >= self.stop or self.used > self.most

    def over(self) -> int:
        """Why nothing more is read here."""
        return ODD if self.at >= self.size else ON

    def open(self, kind: int, start: int, at: int, header: int) -> int:
        """A collection opens, of whose header so many bytes are written but the count behind them."""
        self.count += 1
        self.remember()
        number = self.first + self.found
        self.word(self.used + header, 0)
        self.add(start, at, header + 4)
        self.number, self.kind, self.count, self.count_at = number, kind, 0, self.base + self.used - 4
        self.at = at
        return GO

    def section_or_key(self, sign: int) -> int:
        """A section, or a key up to its value."""
        raw, start = self.raw, self.at
        if self.is_over():
            return self.over()
        if sign == SQUARE:
            return self.begin_section(start, self.tag_end(start))
        if self.section < 0:
            return ODD
        end = at = start
        if sign == QUOTE:
            end = at = self.text_end(at + 1, self.used + 8)
            if at < 0:
                return FULL if at == NO_ROOM else ODD
        else:
            while sign > BLANK and sign != EQUALS and sign != QUOTE and sign != SEMICOLON and sign <= DELETE:
                at += 1
                sign = raw[at]
            end = at
            if self.copy(start, end) < 0:
                return FULL
        while 0 < raw[at] <= BLANK:
            at += 1
        if raw[at] != EQUALS or start == end:
            return ODD
        self.key_at, self.key_number, self.key_out = start, self.first + self.found, self.base + self.used
        self.add_text(self.string, start, end)
        self.at, self.state = at + 1, VALUE
        return GO

    def begin_section(self, at: int, end: int) -> int:
        """A section, whose brackets open at a byte and close at another."""
        raw = self.raw
        if end <= at + 1 or raw[at + 1] <= BLANK or raw[end - 1] <= BLANK or self.base + self.used > self.limit:
            return ODD
        if self.copy(at + 1, end) < 0:
            return FULL
        self.end_section()
        self.number = 0
        self.add_text(self.string, at + 1, end)
        self.section = self.first + self.found
        self.head(self.table, 0)
        self.add(end + 1, end + 1, 8)
        self.number, self.count, self.count_at = self.section, 0, self.base + self.used - 4
        self.at = self.section_end = end + 1
        self.sections += 1
        return GO

    def end_section(self) -> int:
        """The section ends that is open."""
        if self.section >= 0:
            self.close(self.section, self.section_end, self.count_at, self.count)
        return 0

    def value(self, sign: int) -> int:
        """A value, or the end of what holds them."""
        is_second = self.kind & TABLE and self.count & 1
        if self.kind < SECTION and not is_second and sign == (UNCURLY if self.kind & TABLE else UNSQUARE):
            return self.leave()
        if not is_second and self.is_over():
            return FULL if self.used > self.most else self.over()
        start = self.at
        if sign == QUOTE or (sign == AND and self.name and not self.is_json and self.raw[start + 1] == QUOTE):
            end = self.text_end(start + (1 if sign == QUOTE else 2), self.used + 8)
            if end >= 0:
                self.add_text(self.string if sign == QUOTE else self.name, start, end)
        elif self.is_json and self.kind & TABLE and not is_second:
            return ODD
        elif ZERO <= sign <= NINE or sign == MINUS:
            end = self.plain_number(start, sign)
        elif sign in (SQUARE, CURLY):
            if self.base + self.used > self.limit or self.level >= self.deepest:
                return ODD
            self.word(self.used, self.table if sign == CURLY else self.array)
            return self.open(TABLE if sign == CURLY else 0, start, start + 1, 4)
        elif UPPER_A <= sign & 0xDF <= UPPER_Z or sign == LOW_LINE:
            end = self.name_end(start)
            if self.is_json or self.raw[end] not in (OPEN, SQUARE):
                end = self.named(start, end)
            elif self.raw[end] == SQUARE:
                return self.typed(start)
            else:
                self.take_plan(start, end)
                if self.plan_form == PACKED:
                    return self.begin_packed(start, end + 1)
                end = self.call_end(start, end + 1) if self.plan_form != OTHER else NOTHING
        else:
            end = NOTHING
        if end == NOTHING and not self.is_json:
            end = self.spelled(start)
        if end < 0:
            return FULL if end == NO_ROOM else ODD
        self.was_closed = False
        self.count += 1
        return self.complete(end)

    def complete(self, end: int) -> int:
        """A value ends in front of a byte; what comes next."""
        self.at, self.state = end, BETWEEN
        if self.kind == WHOLE:
            return DONE
        if self.kind == SECTION:
            self.section_end, self.state = end, KEY
            self.keys += 1
        return GO

    def behind(self, sign: int) -> int:
        """What stands behind a value in a collection."""
        if self.kind & TABLE and self.count & 1:
            if sign != COLON:
                return ODD
        elif sign != COMMA:
            return self.leave() if sign == (UNCURLY if self.kind & TABLE else UNSQUARE) else ODD
        self.at += 1
        self.state = VALUE
        return GO

    def leave(self) -> int:
        """The innermost collection ends with the bracket here."""
        raw, at = self.raw, self.at + 1
        if self.kind & TYPED:
            while 0 < raw[at] <= BLANK:
                at += 1
            if raw[at] != CLOSE:
                return ODD
            at += 1
        held = self.count >> 1 if self.kind & TABLE else self.count
        self.was_closed = True
        if self.level:
            self.close(self.number, at, self.count_at, held)
            self.level -= 1
            self.restore()
        else:
            self.owner.counted(held)
            self.owner.left(at)
            if not self.take_top():
                self.at = at
                return DONE
        return self.complete(at)

    def plain_number(self, start: int, sign: int) -> int:
        """A number; where it ends, or NOTHING."""
        at = self.number_end(start)
        if at < 0 or self.name_end(at) > at or self.raw[at] == POINT:
            return NOTHING
        if self.is_json:
            if self.raw[at] == MINUS or self.raw[at] == PLUS:
                return NOTHING
            if at - start > LONG_NUMBER and self.is_whole and not self.is_exact:
                self.put(self.owner.number(self.text[start:at], start))
                self.add(start, at, 12)
                return at
        elif self.is_whole:
            if not self.is_short:
                return NOTHING
            self.head(self.integer, self.whole & 0xFFFFFFFF)
            self.word(self.used + 8, (self.whole >> 32) & 0xFFFFFFFF)
            self.add(start, at, 12)
            return at
        self.word(self.used, self.floating)
        self.real(self.used + 4, self.decimal)
        self.add(start, at, 12)
        return at

    def typed(self, start: int) -> int:
        """A typed collection opens."""
        head = self.owner.typed_head(start)
        if head is None or self.base + self.used > self.limit:
            return ODD
        content, end, is_table = head
        if self.used + len(content) > self.most:
            return FULL
        self.put(content)
        return self.open(TYPED | TABLE if is_table else TYPED, start, end, len(content) - 4)

    def begin_packed(self, start: int, at: int) -> int:
        """A packed array of numbers, whose bracket opens in front of a byte."""
        self.packed_number, self.packed_at, self.packed_count = self.first + self.found, self.base + self.used + 4, 0
        self.packed_form, self.packed_step = self.plan_width, self.plan_step
        self.head(self.plan_type, 0)
        self.add(start, at, 8)
        self.at, self.state = at, NUMBERS
        return GO

    def packed(self, sign: int) -> int:
        """The numbers of a packed array."""
        raw, at, used = self.raw, self.at, self.used
        while sign != CLOSE or self.packed_count:
            if at >= self.stop or used > self.most:
                self.at, self.used = at, used
                return self.over()
            while raw[at] == BLANK or TAB <= raw[at] <= RETURN:
                at += 1
            at = self.number_end(at)
            size = self.put_number(used, self.packed_form) if at >= 0 else NOTHING
            if size < 0:
                return ODD
            used += size
            self.packed_count += 1
            while raw[at] == BLANK or TAB <= raw[at] <= RETURN:
                at += 1
            sign = raw[at]
            if sign == CLOSE:
                break
            if sign != COMMA:
                return ODD
            at += 1
        if self.packed_count % self.packed_step:
            return ODD
        self.used = self.filled(used)
        self.close(self.packed_number, at + 1, self.packed_at, self.packed_count // self.packed_step)
        self.was_closed = False
        self.count += 1
        return self.complete(at + 1)

    def spelled(self, start: int) -> int:
        """A value as the parser reads it; where it ends, NOTHING, NO_ROOM."""
        told: tuple[bytes, int] | None = self.owner.spelled(start)
        if told is None:
            return NOTHING
        content, end = told
        if self.used + len(content) > self.most:
            return NO_ROOM
        self.put(content)
        self.add(start, end, len(content))
        return end
