"""The session's document as the hex view wants to see it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QObject

from viewer.base.diagnostic import Severity
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.change import Change
from viewer.document.path import format_path
from viewer.document.splice import joined
from viewer.document.viewmodel.crumbs import ShownLayer, shown_layers
from viewer.document.viewmodel.meaning import meaning
from viewer.ui.hex.byte_editing import ByteEditing
from viewer.ui.hex.byte_source import CoverageMark, Description, PartTint
from viewer.ui.hex.view import HexView
from viewer.ui.session import Session
from viewer.variant.items import Item, Role
from viewer.variant.preview import part_text, preview
from viewer.variant.read import read_shallow
from viewer.variant.tints import CODE, PLAIN, STYLES

BYTES_SHOWN = 16
VALUE_SHOWN = 60


class DocumentSource:
    """A :class:`~viewer.ui.hex.byte_source.HexSource` over the open document.

    Args:
        session: whose document is shown; it must have one.
    """

    def __init__(self, session: Session) -> None:
        assert session.document is not None
        self._session = session
        self._document = session.document
        self._ledger = ByteClassifier(session.document)
        self._hits: list[Span] = []
        self._current: Span | None = None
        self._found: dict[Severity, list[Span]] = {}
        self._modified: list[Span] = []
        self._guessed: list[Span] = []
        self._stale = True

    def refresh(self) -> None:
        """The document has changed, or more is known about it: spans are taken anew when they are asked for."""
        self._stale = True

    def set_hits(self, hits: Iterable[Span], current: Span | None) -> None:
        """Show these search hits."""
        self._hits, self._current = joined(hits), current

    def tints(self) -> list[PartTint]:
        """The parts of the selected item, to be tinted inside its outline."""
        document, item = self._document, self._session.item
        if item is None:
            return []
        return [
            PartTint(part.span, part.role, row.group if row is not None and part.role is Role.VALUE else None)
            for part, row in outline.roles(document, item)
        ]

    # HexSource

    def size(self) -> int:
        """Bytes in the layer."""
        return len(self._document.buffer)

    def read(self, start: int, end: int) -> bytes:
        """Some of them."""
        return bytes(self._document.buffer[start:end])

    def styles(self, start: int, end: int) -> bytes:
        """What they are for."""
        return self._ledger.codes(start, end)

    def modified(self, start: int, end: int) -> list[Span]:
        """Changed since the last save."""
        self._look()
        return _touching(self._modified, start, end)

    def errors(self, start: int, end: int) -> list[Span]:
        """What the engine refuses."""
        self._look()
        return _touching(self._found[Severity.ERROR], start, end)

    def warnings(self, start: int, end: int) -> list[Span]:
        """What the engine takes but would not write."""
        self._look()
        return _touching(self._found[Severity.WARNING], start, end)

    def recovered(self, start: int, end: int) -> list[Span]:
        """What is guessed: the values behind an error."""
        self._look()
        return _touching(self._guessed, start, end)

    def search_hits(self, start: int, end: int) -> list[Span]:
        """What the search found."""
        return _touching(self._hits, start, end)

    def current_hit(self) -> Span | None:
        """The hit that the search stands on."""
        return self._current

    def parents(self, offset: int) -> Span | None:
        """The span of what holds the selected item."""
        item = self._session.item
        if item is None:
            return None
        holder = outline.parent_item(self._document, Item(item.frame, item.node)) if item.node >= 0 else None
        return outline.span(self._document, holder) if holder else None

    def coverage(self, buckets: int) -> Iterator[CoverageMark]:
        """The whole layer in equal stretches; none while it is still to be read."""
        if self._document.task is not None:
            return iter(())
        count = min(buckets, self.size())
        return (self._mark(k, count) for k in range(count))

    def describe(self, offset: int) -> Description | None:
        """The words of the hover card for a byte."""
        document = self._document
        item = outline.item_at(document, offset)
        if item is None:
            return None
        span, row = outline.span(document, item), outline.type_row(document, item)
        raw = document.buffer[span.start : min(span.end, span.start + BYTES_SHOWN)].hex(" ").upper()
        more = " …" if len(span) > BYTES_SHOWN else ""
        return Description(
            format_path(document, item),
            row.chip if row else "?",
            row.group if row else None,
            meaning(document, item),
            self._value(item),
            span,
            raw + more,
            self._swatch(item),
        )

    def _look(self) -> None:
        """Take the spans anew: once for many changes, because there may be as many findings as values."""
        if not self._stale:
            return
        self._stale = False
        self._modified = joined(span for span in self._document.modified_spans() if len(span))
        self._found = {Severity.ERROR: [], Severity.WARNING: []}
        for diagnostic in self._document.known_diagnostics():
            if len(diagnostic.span) and diagnostic.severity in self._found:
                self._found[diagnostic.severity].append(diagnostic.span)
        self._found = {severity: joined(spans) for severity, spans in self._found.items()}
        self._guessed = [span for frame in self._document.frames for span in frame.guessed]

    def _value(self, item: Item) -> str:
        part = outline.part(self._document, item)
        if part is not None:
            return part_text(part, VALUE_SHOWN)
        frame = outline.frame_of(self._document, item)
        return str(preview(frame.table, item.node, VALUE_SHOWN)) if frame and item.node >= 0 else ""

    def _swatch(self, item: Item) -> tuple[float, float, float, float] | None:
        frame, row = outline.frame_of(self._document, item), outline.type_row(self._document, item)
        if frame is None or row is None or row.name != "Color":
            return None
        data = read_shallow(frame.table, item.node).data
        return data if isinstance(data, tuple) and len(data) == 4 else None  # type: ignore[return-value]

    def _mark(self, index: int, count: int) -> CoverageMark:
        size = self.size()
        start, end = index * size // count, (index + 1) * size // count
        return CoverageMark(
            self._ledger.at((start + end - 1) // 2),
            bool(self.errors(start, end)),
            bool(self.warnings(start, end)),
            bool(self.modified(start, end)),
            bool(self.recovered(start, end)),
            bool(self.search_hits(start, end)),
        )


def _touching(spans: list[Span], start: int, end: int) -> list[Span]:
    """Those of sorted, disjoint spans that touch ``[start, end)``."""
    if not spans:
        return []
    first = max(0, bisect_right(spans, Span(start, start)) - 1)
    last = bisect_left(spans, Span(end, end))
    return [span for span in spans[first:last] if span.end > start and span.start < end]


# A layer around the values, as the hex view wants to see it: its bytes, to be read only.

LAYER_SOURCE_BYTES_SHOWN = 16
NAMED = (CODE[Role.HEADER, None], CODE[Role.LENGTH, None])
"""How neighbouring parts are told apart."""


class LayerSource:
    """A :class:`~viewer.ui.hex.byte_source.HexSource` over one layer.

    Args:
        layer: what is shown.
    """

    def __init__(self, layer: ShownLayer) -> None:
        self._layer = layer
        self._errors = [damage.span for damage in layer.damages if len(damage.span)]

    def size(self) -> int:
        """Bytes in the layer."""
        return len(self._layer.buffer)

    def read(self, start: int, end: int) -> bytes:
        """Some of them."""
        return bytes(self._layer.buffer[start:end])

    def styles(self, start: int, end: int) -> bytes:
        """Where one part ends and the next begins."""
        codes = bytearray([PLAIN]) * (end - start)
        for index, part in enumerate(self._layer.parts):
            low, high = max(part.span.start, start), min(part.span.end, end)
            if low < high:
                codes[low - start : high - start] = bytes([NAMED[index % 2]]) * (high - low)
        return bytes(codes)

    def modified(self, start: int, end: int) -> list[Span]:
        """Nothing is changed here."""
        return []

    def errors(self, start: int, end: int) -> list[Span]:
        """What is damaged."""
        return [span for span in self._errors if span.end > start and span.start < end]

    def warnings(self, start: int, end: int) -> list[Span]:
        """Nothing."""
        return []

    def recovered(self, start: int, end: int) -> list[Span]:
        """Nothing."""
        return []

    def search_hits(self, start: int, end: int) -> list[Span]:
        """Nothing: values are looked for in the innermost layer."""
        return []

    def current_hit(self) -> Span | None:
        """None."""
        return None

    def parents(self, offset: int) -> Span | None:
        """None."""
        return None

    def coverage(self, buckets: int) -> Iterator[CoverageMark]:
        """The whole layer in equal stretches."""
        size = self.size()
        count = min(buckets, size)
        for k in range(count):
            start, end = k * size // count, (k + 1) * size // count
            yield CoverageMark(STYLES[self.styles(start, start + 1)[0]], bool(self.errors(start, end)))

    def describe(self, offset: int) -> Description | None:
        """The words of the hover card for a byte."""
        part = next((part for part in self._layer.parts if offset in part.span), None)
        damage = next((damage for damage in self._layer.damages if offset in damage.span), None)
        if part is None and damage is None:
            return None
        span = part.span if part is not None else damage.span if damage is not None else Span(offset, offset + 1)
        raw = self.read(span.start, min(span.end, span.start + LAYER_SOURCE_BYTES_SHOWN)).hex(" ").upper()
        more = " …" if len(span) > LAYER_SOURCE_BYTES_SHOWN else ""
        meaning = part.name if part is not None else "damaged"
        value = damage.sentence if damage is not None else part.text if part is not None else ""
        return Description(self._layer.label, "?", None, meaning, value, span, raw + more)


# Between session and hex view: what one says, the other shows.


class HexBridge(QObject):
    """Keeps the hex view in step with the session, both ways, without either knowing the other.

    Attributes:
        editing: carries out what is typed and commanded in the view.
    """

    def __init__(self, session: Session, view: HexView) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        self._source: DocumentSource | None = None
        self.editing = ByteEditing(session, view)
        session.opened.connect(self._open)
        session.layer_shown.connect(self._show_layer)
        session.changed.connect(self._change)
        session.selected.connect(self._select)
        session.caret_moved.connect(self._move)
        session.marked.connect(self._mark)
        session.history_changed.connect(self.refresh)
        session.problems_changed.connect(self.refresh)
        session.news_changed.connect(self.refresh)
        view.caret_moved.connect(self._caret)
        view.selection_changed.connect(self._marked)
        view.item_requested.connect(self._go_to)

    def refresh(self) -> None:
        """More is known about the same bytes."""
        if self._source is not None:
            self._source.refresh()
            self._view.refresh()

    def show_hits(self, hits: Sequence[Span], current: Span | None) -> None:
        """Mark what a search found."""
        if self._source is not None:
            self._source.set_hits(hits, current)
            self._view.refresh()

    def _open(self) -> None:
        self._source = DocumentSource(self._session) if self._session.document else None
        self._view.set_source(self._source)
        self._view.set_selected_item(None, [])

    def _show_layer(self) -> None:
        """Show the bytes of a layer around the values, or those of the values where the person left them."""
        session, document = self._session, self._session.document
        if session.layer is None or document is None:
            caret = session.caret
            self._open()
            self._view.read_only = False
            self._view.set_caret(caret)
            self._select(session.item)
            return
        self._source = None
        self._view.set_source(LayerSource(shown_layers(document)[session.layer]))
        self._view.set_selected_item(None, [])
        self._view.read_only = True

    def _change(self, change: Change) -> None:
        self.refresh()
        self._select(self._session.item)

    def _select(self, item: Item | None) -> None:
        if self._source is None:
            return
        span = self._session.item_span
        self._view.set_selected_item(span, self._source.tints())
        if span is not None and not self._view.hasFocus():
            self._view.ensure_visible(span, self._session.caret)

    def _move(self, offset: int) -> None:
        if self._source is None:
            return
        if self._session.marked_span is None and self._view.caret.offset != offset:
            self._view.set_caret(offset)
        self._view.ensure_visible(Span(offset, offset + 1))

    def _mark(self, span: Span | None) -> None:
        if self._source is not None and self._view.selection != span:
            self._view.set_selection(span)

    def _caret(self, offset: int) -> None:
        if self._source is None:
            return
        self._session.go_to(offset, self._view.selection)

    def _marked(self, span: Span | None) -> None:
        if self._source is not None:
            self._session.mark(span)

    def _go_to(self, offset: int) -> None:
        if self._source is not None:
            self._session.go_to(offset)
