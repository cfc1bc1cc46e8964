"""The parts of an item as a list of which only a window is made: a packed array may have millions of them."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.elements import TextIndex
from viewer.variant.items import Item, Part, Role
from viewer.variant.table import NodeTable

WINDOW = 200
A_TEXT = 3
"""Parts of a text in a packed array: length, letters, fill."""


@dataclass(frozen=True, slots=True)
class PartWindow:
    """Some neighbouring parts; spans are offsets in the layer.

    Args:
        first: index of the first one in the whole list.
        parts: they.
        total: how long the whole list is.
    """

    first: int
    parts: tuple[Part, ...]
    total: int

    @property
    def before(self) -> int:
        """How many parts come before these."""
        return self.first

    @property
    def after(self) -> int:
        """How many parts come behind these."""
        return self.total - self.first - len(self.parts)

    def at(self, offset: int) -> int:
        """Index, in this window, of the part that holds the byte at *offset*, -1 for none."""
        return next((k for k, part in enumerate(self.parts) if offset in part.span), -1)


class PartList:
    """The parts of one item's node, of a prefix or of a gap, in byte order.

    The elements of a packed array stand in the list one by one, made when asked for.

    Args:
        document: whose item.
        item: any item of the node.
    """

    def __init__(self, document: Document, item: Item) -> None:
        self._item = item
        self._table: NodeTable | None = None
        self._shift = 0
        self._elements = 0
        self._element_size = 1
        self._texts: TextIndex | None = None
        frame = outline.frame_of(document, item)
        if frame is None or item.node < 0 or outline.is_gap(item):
            span = outline.span(document, item)
            role = Role.PREFIX if item.part == outline.PREFIX else Role.GAP
            parts = _fields(document, item) or (_guesses(document, span) if role is Role.GAP else [])
            self._head: list[Part] = parts or [Part(item.part, span, role, "bytes")]
            self._tail: list[Part] = []
            return
        self._table, self._shift = frame.table, frame.start
        if items.holds_whole_strings(frame.table, item.node):
            self._texts = TextIndex(frame.table, item.node)
            self._head, self._tail = list(items.head(frame.table, item.node)), []
            return
        whole = items.parts(frame.table, item.node)
        at = next((k for k, part in enumerate(whole) if part.name == "elements"), len(whole))
        self._head, self._tail = whole[:at], whole[at + 1 :]
        row = frame.table.row(item.node)
        if at < len(whole) and row is not None and row.kind is Kind.PACKED:
            self._elements = items.element_count(frame.table, item.node)
            self._element_size = len(whole[at].span) // self._elements

    def __len__(self) -> int:
        """How many parts there are; of each text in a packed array its length, its letters and its fill are counted."""
        return len(self._head) + self._elements + len(self._tail) + (len(self._texts) * A_TEXT if self._texts else 0)

    def __getitem__(self, index: int) -> Part:
        element = index - len(self._head)
        if element < 0:
            return self._located(self._head[index])
        if self._texts is not None:
            number, which = divmod(element, A_TEXT)
            cut = self._text(self._texts, number)
            return cut[min(which, len(cut) - 1)]
        if element < self._elements:
            assert self._table is not None
            return self._located(items.element(self._table, self._item.node, element))
        return self._located(self._tail[element - self._elements])

    def _located(self, part: Part) -> Part:
        return Part(part.name, part.span.shifted(self._shift), part.role, part.type, part.value)

    def index_at(self, offset: int) -> int:
        """Index of the part that holds the byte at *offset*; the nearest one before it where none does."""
        local = offset - self._shift
        if self._elements:
            start = self._head[-1].span.end
            inside = (local - start) // self._element_size
            if 0 <= inside < self._elements:
                return len(self._head) + inside
            if inside >= self._elements:
                return len(self) - 1
        return max(0, _last_starting(self._head, local))

    def window(self, offset: int, size: int = WINDOW) -> PartWindow:
        """About *size* parts around the byte at *offset*."""
        if self._texts is not None:
            return self._text_window(self._texts, offset - self._shift, size)
        total = len(self)
        first = max(0, min(self.index_at(offset) - size // 2, total - size))
        return PartWindow(first, tuple(self[k] for k in range(first, min(total, first + size))), total)

    def _text(self, texts: TextIndex, number: int) -> list[Part]:
        """The parts of one text of a packed array."""
        assert self._table is not None
        return [self._located(part) for part in items.string_parts(self._table, self._item.node, texts, number)]

    def _text_window(self, texts: TextIndex, offset: int, size: int) -> PartWindow:
        """The parts of the texts around a byte; an empty text lacks some, so that the list is counted a little long."""
        near, count = max(0, texts.at(offset)), size // A_TEXT
        begin = max(0, min(near - count // 2, len(texts) - count))
        end = min(len(texts), begin + count)
        found = [] if begin else [self._located(part) for part in self._head]
        for number in range(begin, end):
            found += self._text(texts, number)
        first = len(self._head) + A_TEXT * begin if begin else 0
        return PartWindow(first, tuple(found), first + len(found) + A_TEXT * (len(texts) - end))


def _fields(document: Document, item: Item) -> list[Part]:
    """What a field between the values is made of, in byte order; nothing where it has no finer pieces."""
    number = -1 - item.frame
    if item.frame >= 0 or number >= len(document.fields):
        return []
    found = []
    waiting = [("", piece) for piece in reversed(document.fields[number].children)]
    while waiting:
        above, piece = waiting.pop()
        name = f"{above} {piece.name}".strip()
        if piece.children:
            waiting.extend((name, inner) for inner in reversed(piece.children))
        else:
            found.append(Part(name, piece.span, Role.VALUE, "field", piece.text))
    return found


def _guesses(document: Document, span: Span) -> list[Part]:
    """What a gap seems to be made of, each with a question mark."""
    from viewer.document.edits.describing import gap_guess  # few files have gaps

    return [Part(f"{each.words}?", each.span, Role.GAP, "field", each.text) for each in gap_guess(document, span)]


def _last_starting(parts: list[Part], offset: int) -> int:
    """Index of the last part that starts at *offset* or before it, and holds bytes where one does."""
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high) // 2
        if parts[middle].span.start <= offset:
            low = middle + 1
        else:
            high = middle
    return low - 1
