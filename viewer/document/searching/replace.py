"""Replace: what a search found becomes something else, as one edit.

Text is replaced inside its value: length, fill, counts and prefixes follow, and many places in one text are one write.
Numbers are written in their own width, bytes over as many others. What cannot be replaced is told place by place.
"""

from __future__ import annotations

import math
import re
import struct
import time
import warnings
from collections.abc import Iterable, Sequence
from operator import attrgetter

from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.write_joining import WriteColumns
from viewer.document.pieces.framing import uncollected
from viewer.document.searching.hits import HitRow, hit_row
from viewer.document.searching.judge import LARGE, NodeSweep, TextFinder
from viewer.document.searching.node_search import MOST_SLOW, byte_spans, text_place
from viewer.document.searching.query import LIMIT, Mode, Query, QueryError, parse_bytes, parse_number
from viewer.document.searching.regex_process import POLL, TOO_SLOW, Batch, Expression, RegexError, RegexMatch
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant import items
from viewer.variant.dialect import NUMBERS, NUMERIC, Kind
from viewer.variant.elements import TextIndex
from viewer.variant.items import Item, Part, Role
from viewer.variant.primitives import EncodeError, encode_number
from viewer.variant.table import NodeTable

# Replacements: what a person wrote into the replace field, read in the light of what is looked for.

NOT_TYPES = "A type is not replaced here: change it in the tree."
HALF = "This text holds half a character: type it again."


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of what is found.

    Args:
        text: what was written.
        raw: the same as UTF-8.
        number: the same as a number, None where it is none.
        masked: the same as bytes with masks, empty where bytes are not looked for; ``?`` keeps a digit.
    """

    text: str
    raw: bytes
    number: int | float | None = None
    masked: tuple[tuple[int, int], ...] = ()

    def over(self, old: bytes) -> bytes:
        """The bytes that take the place of *old*."""
        return bytes(value | was & ~mask & 0xFF for (value, mask), was in zip(self.masked, old, strict=True))

    def encoded(self, kind: str) -> bytes:
        """The number in the width and form of a field, such as ``i32``.

        Raises:
            EncodeError: it is no number, or the field cannot hold it.
        """
        if self.number is None:
            raise EncodeError(f"“{self.text}” is not a number: write 42, -1.5 or 0x1F.")
        raw = encode_number(self.number, kind)
        if kind in ("f32", "f64") and math.isinf(struct.unpack("<f" if kind == "f32" else "<d", raw)[0]):
            raise EncodeError(f"{self.text} is too large for {kind}.")
        return raw


def parse_replacement(query: Query, text: str) -> Replacement:
    """Read what is to take the place of what *query* finds.

    Raises:
        QueryError: nothing that it finds could be replaced by that; one sentence that says why.
    """
    if query.mode is Mode.TYPE:
        raise QueryError(NOT_TYPES)
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        raise QueryError(HALF) from None
    number, masked = parse_number(text), ()
    if query.mode is Mode.NUMBER and number is None:
        raise QueryError(f"“{text}” is not a number: write 42, -1.5 or 0x1F.")
    if query.mode is Mode.HEX:
        return Replacement(text, raw, number, _masked(query, text))
    if query.mode is Mode.REGEX:
        _check_template(query.text, text)
    return Replacement(text, raw, number, masked)


def _masked(query: Query, text: str) -> tuple[tuple[int, int], ...]:
    wanted, given = len(parse_bytes(query.text)), parse_bytes(text)
    if len(given) != wanted:
        has = f"{wanted} bytes are" if wanted != 1 else "1 byte is"
        raise QueryError(
            f"Bytes are replaced by the same number of bytes: {has} looked for, {len(given)} would be written."
        )
    return tuple(given)


def _check_template(pattern: str, template: str) -> None:
    """Expand the template once, at a match of nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(f"(?:{pattern})?").sub(template, "", count=1)
    except (re.error, IndexError) as error:
        if "group" in str(error):
            reason = "it names a group that is not there; put ( ) around what \\1 stands for."
        else:
            reason = "“\\” in it is followed by nothing that is known; write \\\\ for the character itself."
        raise QueryError(f"The replacement cannot be used: {reason}") from error


# What a replacing would do: place by place, and as one edit.


@dataclass(frozen=True, slots=True)
class ReplaceRow:
    """What becomes of one place.

    Args:
        span: the bytes found.
        document: where they lie; it must not have changed since when more is asked.
        new: what they become, in words; empty where they stay.
        size: how many bytes that is.
        problem: why they stay, empty where they are replaced.
        as_bytes: whether bytes were looked for.
    """

    span: Span
    document: Document
    new: str = ""
    size: int = 0
    problem: str = ""
    as_bytes: bool = False

    @property
    def shown(self) -> HitRow:
        """The bytes found in what is around them, read when it is asked for: few rows are ever seen."""
        return hit_row(self.document, self.span, self.as_bytes)

    @property
    def path(self) -> str:
        """The steps down to the value."""
        return self.shown.path

    @property
    def before(self) -> str:
        """What stands there, with what is around it."""
        return self.shown.text

    @property
    def after(self) -> str:
        """What will stand there."""
        shown = self.shown
        return shown.text if self.problem else f"{shown.before}{self.new}{shown.after}{shown.rest}"


@dataclass(frozen=True, slots=True)
class ReplacePlan:
    """What a replacing would do.

    Args:
        rows: the places in byte order, the first :data:`LIMIT` of them.
        edit: all of it as one step, None where nothing can be replaced.
        replaced: so many places become something else.
        refused: so many stay.
        values: so many values are written.
    """

    rows: tuple[ReplaceRow, ...]
    edit: Edit | None
    replaced: int
    refused: int
    values: int

    @property
    def first_problem(self) -> str:
        """Why the first place that stays does so; empty where all are replaced."""
        return next((row.problem for row in self.rows if row.problem), "")


LENGTH = struct.Struct("<I").pack
FILL = (b"", bytes(3), bytes(2), bytes(1))
"""What makes texts of these many bytes, of four, whole words."""
LOOK = 256
"""Places between two calls of *progress*."""
CUT_OFF = "This text is cut off; fix it in the bytes first."
NO_VALUE = "These bytes are neither a text nor a number of their own; overwrite them in the hex view."
NO_BYTES = "These bytes belong to no value; overwrite them in the hex view."
GONE = "This place has changed by now; search again."


class ReplaceStopped(Exception):
    """The work was given up."""


def plan_replace(
    document: Document,
    hits: Iterable[Span],
    query: Query,
    replacement: str,
    progress: Progress | None = None,
) -> ReplacePlan:
    """What replacing these places would do; changes nothing.

    Args:
        document: where they lie.
        hits: the places, in byte order, as a search for *query* found them.
        query: what was looked for.
        replacement: what to put there.
        progress: told the offset reached now and then; returning False gives up.

    Raises:
        QueryError: nothing could be replaced by that.
        RegexError: the expression could not be run.
        EditError: a length or count would leave its range.
        Stopped: *progress* gave up.
    """
    is_single = isinstance(hits, Sequence) and len(hits) == 1
    planner = _Planner(document, query, parse_replacement(query, replacement), is_single)
    with uncollected():
        for number, span in enumerate(hits):
            if progress is not None and not number % LOOK and not progress(span.start):
                raise ReplaceStopped
            planner.take(span)
        planner.close_text()
    if query.mode is Mode.REGEX:
        planner.run_regex(progress)
    with uncollected():
        return planner.plan(f"Replace “{_short(query.text)}” with “{_short(replacement)}”")


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:23] + "…"


@dataclass(slots=True)
class _Text:
    """The places found in one text.

    Args:
        frame: the number of the frame it lies in.
        begin, end: the bytes of the text in the layer; from *first* to *behind* with length and fill.
        closed, filled: as in :class:`~viewer.document.searching.node_search.TextPlace`.
        raw: the text.
        spans: the places.
    """

    frame: int
    begin: int
    end: int
    first: int
    behind: int
    closed: bool
    filled: bool
    raw: bytes
    spans: list[Span]

    def encoded(self, raw: bytes) -> bytes:
        """The bytes of the whole with another text."""
        if self.closed:
            raw += b"\0"
        return LENGTH(len(raw)) + raw + (FILL[len(raw) & 3] if self.filled else b"")


class _Strings:
    """Finds the Strings and property names of a frame at rising offsets.

    Args:
        document: where they lie.
        index: the number of the frame.
    """

    def __init__(self, document: Document, index: int) -> None:
        frame = document.frames[index]
        self._index, self._table = index, frame.table
        self.start, self.stop = frame.start, frame.start + frame.table.end_of_data
        self._sweep, self._texts = NodeSweep(frame.table), TextFinder(frame.table)
        self._is_plain = not (frame.table.gaps or frame.table.dialect.rules.closed_texts)

    def at(self, span: Span) -> _Text | None:
        """The text that a place lies in; None where that takes a closer look."""
        start = self.start
        local = span.start - start
        if not self._is_plain:
            return None
        place = self._sweep.at(local)
        begin, end = self._texts.at(place)
        if not begin <= local < end <= place.until or span.end > start + end:
            return None
        at, raw = start + begin, bytes(self._table.buffer[begin:end])
        return _Text(self._index, at, start + end, at - 4, start + place.until, False, True, raw, [span])


class _Planner:
    """Gathers writes and rows, place after place."""

    def __init__(self, document: Document, query: Query, replacement: Replacement, is_single: bool) -> None:
        self._document, self._query, self._replacement = document, query, replacement
        self._is_single, self._is_regex = is_single, query.mode is Mode.REGEX
        self._as_bytes = query.mode is Mode.HEX
        self._writes = WriteColumns()
        self._rows: list[ReplaceRow] = []
        self._text: _Text | None = None
        self._texts: list[_Text] = []
        self._replaced = self._refused = self._values = 0
        self._index: tuple[int, int, TextIndex] | None = None
        self._strings: _Strings | None = None

    def take(self, span: Span) -> None:
        """One place more."""
        if self._as_bytes:
            self._take_bytes(span)
            return
        text = self._text
        if text is not None and text.begin <= span.start and span.end <= text.end:
            text.spans.append(span)
            return
        if text is not None:
            self.close_text()
        known = self._strings
        if known is None or not known.start <= span.start < known.stop:
            known = self._enter(span)
        if known is not None:
            self._text = known.at(span)
            if self._text is None:
                self._take_closely(span)

    def _enter(self, span: Span) -> _Strings | None:
        """Go to the frame with a value at a place; where there is none, the place stays."""
        index = self._document.frame_at(span.start)
        self._strings = found = _Strings(self._document, index) if index >= 0 else None
        if found is not None and found.start <= span.start < found.stop:
            return found
        self._refuse(span, NO_BYTES)
        return None

    def _take_closely(self, span: Span) -> None:
        """A place that is no part of an ordinary text."""
        index = self._document.frame_at(span.start)
        frame = self._document.frames[index]
        local, node = span.shifted(-frame.start), frame.table.at(span.start - frame.start)
        place = text_place(frame.table, node, local, self._text_index(index, node))
        if place is None:
            self._take_number(span, Item(index, node))
        elif not place.is_complete:
            self._refuse(span, CUT_OFF)
        else:
            raw = bytes(frame.table.buffer[place.text.start : place.text.end])
            text, whole = place.text.shifted(frame.start), place.whole.shifted(frame.start)
            filled = place.filled
            self._text = _Text(index, text.start, text.end, whole.start, whole.end, place.closed, filled, raw, [span])

    def _text_index(self, frame: int, node: int) -> TextIndex | None:
        """Where the strings of a packed array stand, kept while the places lie in the same one."""
        table = self._document.frames[frame].table
        row = table.row(node)
        if row is None or row.kind is not Kind.PACKED_STRINGS or table.is_name(node):
            return None
        if self._index is None or self._index[:2] != (frame, node):
            self._index = frame, node, TextIndex(table, node)
        return self._index[2]

    # Bytes and numbers

    def _take_bytes(self, span: Span) -> None:
        new = self._replacement.over(bytes(self._document.buffer[span.start : span.end]))
        self._writes.add(span.start, span.end, new, self._document.frame_at(span.start))
        self._values += 1
        self._do(span, new.hex(" ").upper(), len(new))

    def _take_number(self, span: Span, item: Item) -> None:
        frame = self._document.frames[item.frame]
        part = _number_part(frame.table, item.node, span.shifted(-frame.start))
        if part is None:
            self._refuse(span, NO_VALUE)
            return
        try:
            new = self._replacement.encoded(part.type)
        except EncodeError as error:
            self._refuse(span, str(error))
            return
        self._writes.add(span.start, span.end, new, item.frame)
        self._values += 1
        self._do(span, self._replacement.text.strip(), len(new))

    # Texts

    def close_text(self) -> None:
        """All places in this text are known."""
        text, self._text = self._text, None
        if text is not None and self._is_regex:
            self._texts.append(text)
        elif text is not None:
            self._write_same(text)

    def run_regex(self, progress: Progress | None) -> None:
        """Expand the template at the matches in all texts."""
        unique = {text.raw: number for number, text in enumerate(self._texts)}
        said = Expression(self._query.text, self._query.case_sensitive, self._replacement.text)
        found = dict(zip(unique, _matches(said, [raw.decode() for raw in unique], progress), strict=True))
        for text in self._texts:
            fits: list[RegexMatch] = found[text.raw] or []
            spans = [span.shifted(text.begin) for span in byte_spans(text.raw, fits)]
            becoming = ((match.new.encode(errors="surrogatepass"), match.new) for match in fits)
            news = dict(zip(spans, becoming, strict=True))
            self._write_each(text, news)

    def _write_same(self, text: _Text) -> None:
        """Write the text once, with the same in all its places."""
        new, raw, at = self._replacement.raw, text.raw, text.begin
        pieces, end = [], 0
        for span in text.spans:
            pieces.append(raw[end : span.start - at])
            end = span.end - at
            if len(self._rows) < LIMIT:
                self._row(span, self._replacement.text, len(new), "")
        self._replaced += len(text.spans)
        self._values += 1
        if self._is_single:
            self._write_finely(text, text.spans[0], new)
        else:
            pieces.append(raw[end:])
            self._writes.add(text.first, text.behind, text.encoded(new.join(pieces)), text.frame)

    def _write_each(self, text: _Text, news: dict[Span, tuple[bytes, str]]) -> None:
        """Write the text once, with its own in each of its places."""
        at = text.begin
        pieces, end = [], 0
        for span in text.spans:
            if span not in news:
                self._refuse(span, GONE)
                continue
            new, words = news[span]
            pieces += [text.raw[end : span.start - at], new]
            end = span.end - at
            self._do(span, words, len(new))
        self._values += bool(pieces)
        if pieces and self._is_single and len(text.spans) == 1:
            self._write_finely(text, text.spans[0], pieces[1])
        elif pieces:
            raw = b"".join([*pieces, text.raw[end:]])
            self._writes.add(text.first, text.behind, text.encoded(raw), text.frame)

    def _write_finely(self, text: _Text, span: Span, new: bytes) -> None:
        """One place alone: only its own bytes, length and fill are written, so that all around it stays what it is."""
        raw = text.raw[: span.start - text.begin] + new + text.raw[span.end - text.begin :]
        written, end = text.encoded(raw), text.begin + len(text.raw)
        self._writes.add(text.first, text.first + 4, written[:4], text.frame)
        self._writes.add(span.start, span.end, new, text.frame)
        if end < text.behind or len(written) > 4 + len(raw):
            self._writes.add(end, text.behind, written[4 + len(raw) :], text.frame)

    # Rows and the plan

    def _do(self, span: Span, new: str, size: int) -> None:
        self._replaced += 1
        if len(self._rows) < LIMIT:
            self._row(span, new, size, "")

    def _refuse(self, span: Span, problem: str) -> None:
        self._refused += 1
        if len(self._rows) < LIMIT:
            self._row(span, "", 0, problem)

    def _row(self, span: Span, new: str, size: int, problem: str) -> None:
        self._rows.append(ReplaceRow(span, self._document, new, size, problem, self._as_bytes))

    def plan(self, label: str) -> ReplacePlan:
        """What was gathered, as one edit."""
        rework = EditBuilder(self._document)
        self._writes.sort()
        for write in self._writes.joined(self._document):
            rework.add(write)
        edit = rework.edit(
            label if self._replaced == 1 else EditLabel("{} at {}", (label, CountLabel(self._replaced, "place")))
        )
        rows = tuple(sorted(self._rows, key=attrgetter("span.start", "span.end")))
        return ReplacePlan(rows, edit if edit.splices else None, self._replaced, self._refused, self._values)


def _matches(said: Expression, texts: list[str], progress: Progress | None) -> list[list[RegexMatch] | None]:
    """The matches in all texts; only those that a search has found before it come here, so none should be slow."""
    batch = Batch(said, texts)
    try:
        while not batch.poll():
            if progress is not None and not progress(0):
                raise ReplaceStopped
            if batch.slow >= MOST_SLOW:
                raise RegexError(TOO_SLOW)
            time.sleep(POLL)
    finally:
        batch.close()
    return batch.found


def _number_part(table: NodeTable, node: int, local: Span) -> Part | None:
    """The number that these bytes are; None where they are none, or finding out would mean reading much."""
    row = table.row(node)
    large = table.head_end(node) - table.start[node] > LARGE
    if row is None or (large and row.kind not in NUMERIC):
        return None
    part = items.part_at(table, node, local.start)
    fits = part is not None and part.role is Role.VALUE and part.span == local
    return part if fits and part is not None and part.type in NUMBERS and part.type != "bool" else None
