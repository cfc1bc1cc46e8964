"""Search from value to value: by type, and by regular expression in every text.

All nodes of a frame are walked in the order of their bytes. Equal texts, such as the same key of ten thousand
dictionaries, are looked at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import assert_never

from viewer.base.buffer import STRETCH, Buffer, u32, unpacker
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.pieces.framing import Frame
from viewer.document.searching.hits import SearchHit, SearchStep, SkippedText, SkipReason
from viewer.document.searching.judge import text_span
from viewer.document.searching.query import Mode, Query
from viewer.document.searching.regex_process import PATIENCE, POLL, TOO_SLOW, Batch, Expression, RegexError, RegexMatch
from viewer.variant import items
from viewer.variant.dialect import FLAG_64, NAMED, Dialect, Kind, TypeRow, kinds_where
from viewer.variant.elements import TextIndex
from viewer.variant.items import Item, Part, Role
from viewer.variant.table import NodeTable

# Text places: where a text stands in a node, and what must be written when it becomes another one.


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A text with its length word and its fill; spans count from the start of the frame.

    Args:
        text: the bytes of the text, without a NUL that closes an element.
        whole: what is written anew: length word, text, fill.
        said: what the length word says.
        closed: whether a NUL closes the text and its length counts it.
        filled: whether the text is filled up to a multiple of four.
    """

    text: Span
    whole: Span
    said: int
    closed: bool = False
    filled: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether no letter of it was cut off; fill may be missing."""
        return self.said == len(self.text) + self.closed


def texts(table: NodeTable, node: int, row: TypeRow) -> Iterator[Span]:
    """The texts of a node that is no String, in byte order, from the start of the frame; not those of its children."""
    if row.kind is Kind.PACKED_STRINGS:
        yield from _elements(table, node)
    elif _has_texts(table, node, row):
        yield from (part.span for part in items.parts(table, node) if part.type == "text")


def _has_texts(table: NodeTable, node: int, row: TypeRow) -> bool:
    match row.kind:
        case Kind.NODE_PATH | Kind.INDEXED_PATH | Kind.SIGNAL | Kind.TYPED_ARRAY:
            return True
        case Kind.OBJECT | Kind.RESOURCE:
            return not table.header(node) & FLAG_64
        case Kind.ARRAY | Kind.DICTIONARY:
            return table.header(node) >> 16 != 0
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return False
        case _:
            assert_never(row.kind)


def _elements(table: NodeTable, node: int) -> Iterator[Span]:
    """The strings of a packed array, one hop after another: none of them is kept."""
    at, end = table.start[node] + 8, table.end(node)
    while at + 4 <= end:
        size = u32(table.buffer, at)
        if size > end - at - 4:
            return
        closed = size > 0 and table.buffer[at + 3 + size] == 0
        if size > closed:
            yield Span(at + 4, at + 4 + size - closed)
        at += 4 + (size if table.dialect.rules.closed_texts else size + 3 & ~3)


def text_place(table: NodeTable, node: int, span: Span, index: TextIndex | None = None) -> TextPlace | None:
    """The text of this node that *span* lies in; None where it lies in none.

    Args:
        table: the frame's nodes.
        node: the deepest one at *span*.
        span: from the start of the frame.
        index: that of the node where it is a packed string array; made where it is not given.
    """
    row = table.row(node)
    if row is None:
        return None
    if table.is_name(node) or row.kind is Kind.STRING:
        text, is_closed = text_span(table, node), table.dialect.rules.closed_texts
        if not text or not text.covers(span):
            return None
        whole, said = Span(text.start - 4, table.end(node)), u32(table.buffer, text.start - 4)
        return TextPlace(text, whole, said, is_closed, not is_closed)
    if row.kind is Kind.PACKED_STRINGS:
        return _element_place(table, node, span, index or TextIndex(table, node))
    if table.names is not None:
        return None  # what stands there are places in the table of strings
    return _part_place(items.parts(table, node), row.kind, span) if _has_texts(table, node, row) else None


def _part_place(parts: list[Part], kind: Kind, span: Span) -> TextPlace | None:
    """A text among the parts of a node. Only the old form of a node path has no fill."""
    for number, part in enumerate(parts):
        if part.type == "text" and part.span.covers(span):
            length = parts[number - 1]
            if kind is Kind.NODE_PATH and length.name == "length":
                return TextPlace(part.span, Span(length.span.start, part.span.end), len(part.span), filled=False)
            following = parts[number + 1 :][:1]
            fill = [found.span.end for found in following if found.role is Role.PADDING]
            return TextPlace(part.span, Span(length.span.start, *(fill or [part.span.end])), len(part.span))
    return None


def _element_place(table: NodeTable, node: int, span: Span, index: TextIndex) -> TextPlace | None:
    number = index.at(span.start)
    if number < 0 or number >= len(index):
        return None
    start, end = index.start(number), index.start(number + 1)
    size = u32(table.buffer, start)
    closed = size > 0 and table.buffer[start + 3 + size] == 0
    text = Span(start + 4, start + 4 + size - closed)
    filled = not table.dialect.rules.closed_texts
    return TextPlace(text, Span(start, end), size, closed, filled) if text.covers(span) else None


NODES = 2048
"""Nodes walked in one step."""
GATHERED = 512
"""Nodes whose texts are gathered in one step."""
LONGEST = 1 << 16
"""Bytes of the longest text that an expression is run at."""
BATCH = 1 << 20
"""Bytes of texts that are run at together."""
MOST_TEXTS = 1 << 16
REMEMBERED = 1 << 16
"""Texts of which is remembered what was found in them."""
MOST_SLOW = 8
"""So many texts may take too long before the search is given up."""


def _never_has_text(kind: Kind) -> bool:
    match kind:
        case Kind.FIXED | Kind.NULL_OBJECT | Kind.REFERENCE | Kind.PACKED | Kind.IMAGE | Kind.INPUT_EVENT:
            return True
        case (
            Kind.STRING
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED_STRINGS
        ):
            return False
        case _:
            assert_never(kind)


WITHOUT_TEXT = kinds_where(_never_has_text)


def node_steps(document: Document, query: Query, within: Span) -> Iterator[SearchStep]:
    """Search one stretch of nodes after another; ends when the document changes."""
    if query.mode is Mode.TYPE:
        yield from _by_type(document, query.text, within)
    else:
        yield from _RegexSearch(document, query, within).steps()


def type_numbers(dialect: Dialect, text: str) -> frozenset[str]:
    """The names of the types that a person means: the one of this name, else all that have it in theirs."""
    wanted = text.casefold().replace(" ", "")
    names = [name for name in dialect.by_name if name]
    exact = frozenset(name for name in names if name.casefold() == wanted)
    return exact or frozenset(name for name in names if wanted in name.casefold())


def _by_type(document: Document, text: str, within: Span) -> Iterator[SearchStep]:
    """The headers of all values of a type."""
    revision, wanted = document.revision, type_numbers(document.dialect, text)
    for index, frame in enumerate(document.frames):
        found: list[SearchHit] = []
        for count, (node, row, is_name) in enumerate(_walk(frame, within)):
            if row is not None and not is_name and row.name in wanted:
                start = frame.start + frame.table.start[node]
                found.append(SearchHit(Span(start, start + 4), Item(index, node)))
            if not count % NODES:
                yield SearchStep(found, frame.start + frame.table.start[node])
                found = []
                if document.revision != revision:
                    return
        yield SearchStep(found, min(frame.span.end, within.end))


def _walk(frame: Frame, within: Span) -> Iterator[tuple[int, TypeRow | None, bool]]:
    """The nodes that begin inside *within* in byte order, with their types and whether they are property names.

    Nesting is as deep as a file says: no recursion.
    """
    if frame.span.end <= within.start or frame.start >= within.end or not len(frame.table):
        return
    table, known = frame.table, _Rows(frame.table.dialect)
    word, start, first = unpacker("<I", table.buffer), table.start, table.first
    low, high = within.start - frame.start, within.end - frame.start
    waiting = [(0, 1, 0, False)]
    while waiting:
        node, stop, begin, named = waiting.pop()
        while node < stop:
            at, is_name = start[node], named and not (node - begin) % 2
            if at >= high:
                return
            row = None if is_name else known[table.assumed.get(node) or word(at)[0]]
            if at >= low:
                yield node, row, is_name
            children = first[node]
            if children and (count := table.child_count(node)):
                waiting.append((node + 1, stop, begin, named))
                named = row is not None and row.kind in NAMED
                begin, node, stop = children, children, children + count
            else:
                node += 1


class _Rows(dict[int, TypeRow | None]):
    """The type of each header word that was met."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect = dialect

    def __missing__(self, header: int) -> TypeRow | None:
        if len(self) >= REMEMBERED:
            self.clear()
        row = self[header] = self._dialect.row(header)
        return row


class _Stretch:
    """Cuts short pieces out of a buffer in the order of their bytes; one on disk is read a stretch at a time."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._from, self._raw = 0, b""

    def cut(self, start: int, end: int) -> bytes:
        """The bytes ``start <= offset < end``."""
        at = start - self._from
        if at < 0 or end - self._from > len(self._raw):
            self._from, at = start, 0
            self._raw = bytes(self._buffer[start : max(end, start + STRETCH)])
        return self._raw[at : at + end - start]


class _RegexSearch:
    """One search for a regular expression.

    Args:
        document, query, within: as for a search.
    """

    def __init__(self, document: Document, query: Query, within: Span) -> None:
        self._document = document
        self._within = within
        self._expression = Expression(query.text, query.case_sensitive)
        self._known: dict[bytes, list[RegexMatch] | None] = {}
        self._waiting: list[tuple[int, bytes]] = []
        self._fresh: dict[bytes, str] = {}
        self._indexed: set[int] = set()
        self._size = self._slow = 0
        self._left_out: list[SkippedText] = []
        self._reached = within.start
        self._cut = _Stretch(b"").cut

    def steps(self) -> Iterator[SearchStep]:
        """Texts are gathered until there are enough for a batch; a step that waits for it finds nothing."""
        revision = self._document.revision
        for frame in self._document.frames:
            self._cut = _Stretch(frame.table.buffer).cut
            for count, (node, row, is_name) in enumerate(_walk(frame, self._within)):
                self._gather(frame, node, row, is_name)
                if count % GATHERED and self._size < BATCH:
                    continue
                if self._size >= BATCH or len(self._waiting) >= MOST_TEXTS:
                    yield from self._run(frame.start + frame.table.start[node], revision)
                else:
                    yield SearchStep([], self._reached)
                if self._document.revision != revision:
                    return
        yield from self._run(self._within.end, revision)

    def _gather(self, frame: Frame, node: int, row: TypeRow | None, is_name: bool) -> None:
        table = frame.table
        if is_name or (row is not None and row.kind is Kind.STRING):
            if is_name and table.names is not None:
                self._take_name(frame, table.start[node])
                return
            start = table.start[node] + (4 if is_name else 8)
            size = int.from_bytes(self._cut(start - 4, start), "little") if start <= table.end_of_data else 0
            self._take(frame, start, min(start + size, table.end_of_data))
        elif row is not None and row.kind not in WITHOUT_TEXT:
            for span in texts(table, node, row):
                self._take(frame, span.start, span.end)

    def _take(self, frame: Frame, start: int, end: int) -> None:
        """Have a text wait for its batch; equal ones are run at once only."""
        if end - start > LONGEST:
            self._left_out.append(SkippedText(frame.start + start, SkipReason.TOO_LONG))
            return
        raw = self._cut(start, end)
        if raw and raw not in self._known and raw not in self._fresh:
            try:
                self._fresh[raw] = raw.decode()
            except UnicodeDecodeError:
                self._left_out.append(SkippedText(frame.start + start, SkipReason.NOT_UTF8))
                return
            self._size += len(raw)
        self._waiting.append((frame.start + start, raw))

    def _take_name(self, frame: Frame, start: int) -> None:
        """The same of a name that is a place in the file's table of strings."""
        names = frame.table.names
        place = int.from_bytes(self._cut(start, start + 4), "little")
        if names is None or place >= len(names):
            return
        raw = names[place].encode(errors="replace")
        if raw not in self._known and raw not in self._fresh:
            self._fresh[raw] = raw.decode()
            self._size += len(raw)
        self._indexed.add(frame.start + start)
        self._waiting.append((frame.start + start, raw))

    def _run(self, reached: int, revision: int) -> Iterator[SearchStep]:
        """Run the expression at what is gathered, and tell the hits."""
        batch = Batch(self._expression, list(self._fresh.values()), PATIENCE)
        try:
            while not batch.poll():
                yield SearchStep([], self._reached)
                if self._document.revision != revision:
                    return
                time.sleep(POLL)
                if batch.slow + self._slow >= MOST_SLOW:
                    break
        finally:
            batch.close()
        self._slow += batch.slow
        known = self._known
        known.update(zip(self._fresh, batch.found, strict=False))
        waiting, left_out = self._waiting, self._left_out
        slow = (offset for offset, raw in waiting if known.get(raw, []) is None)
        left_out += [SkippedText(offset, SkipReason.TOO_SLOW) for offset in slow]
        self._known = known if len(known) < REMEMBERED else {}
        self._waiting, self._fresh, self._size, self._left_out = [], {}, 0, []
        indexed, self._indexed = self._indexed, set()
        for first in range(0, len(waiting), NODES):
            part = waiting[first : first + NODES]
            found = ((offset, raw) for offset, raw in part if known.get(raw))
            hits = [hit for offset, raw in found for hit in _hits(offset, raw, known[raw], offset in indexed)]
            yield SearchStep(hits, part[-1][0] + 1)
        self._reached = reached
        yield SearchStep([], reached, tuple(sorted(left_out, key=lambda text: text.offset)))
        if self._slow >= MOST_SLOW:
            raise RegexError(TOO_SLOW)


def _hits(offset: int, raw: bytes, found: list[RegexMatch] | None, is_indexed: bool) -> Iterator[SearchHit]:
    """The hits in one text, in bytes of the layer; of a name that stands elsewhere, the number that leads there."""
    spans = [Span(0, 4)] if is_indexed else byte_spans(raw, found or [])
    return (SearchHit(span.shifted(offset)) for span in spans)


def byte_spans(raw: bytes, found: list[RegexMatch]) -> Iterator[Span]:
    """The bytes of each match in its text, which is UTF-8."""
    if raw.isascii():
        yield from (Span(match.start, match.end) for match in found)
        return
    text = raw.decode()
    sign = at = 0
    for match in found:
        start = at + len(text[sign : match.start].encode())
        sign, at = match.end, start + len(text[match.start : match.end].encode())
        yield Span(start, at)
