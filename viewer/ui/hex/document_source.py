"""The session's document as the hex view wants to see it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.selection import Spot
from viewer.document.splice import Splice, joined
from viewer.document.viewmodel.meaning import meaning
from viewer.ui.hex.byte_source import CoverageMark, Description, PartTint
from viewer.ui.session import Session
from viewer.variant.items import Item, Role
from viewer.variant.literal.preview import part_text, preview
from viewer.variant.read import read_shallow
from viewer.variant.tints import BYTE, PLAIN

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
        self._known: list[Diagnostic] = []
        self._found: dict[Severity, list[Span]] = {}
        self._modified: list[Span] = []
        self._guessed: list[Span] = []
        self._inside: list[tuple[Span, ByteClassifier]] = []
        self._stale = True
        self._shown = (0, b"")
        self._kept: tuple[int, bytes] | None = None

    def refresh(self) -> None:
        """The document has changed, or more is known about it: spans are taken anew when they are asked for."""
        self._stale, self._kept = True, None

    def follow(self, splices: Iterable[Splice]) -> None:
        """Bytes were changed and are still to be read: until that is told, those in view keep what they were for."""
        if self._document.text is None:
            self._kept = _moved(*(self._kept or self._shown), splices)

    @property
    def has_other_findings(self) -> bool:
        """Whether more or less is known to be wrong with the same bytes than when spans were last taken."""
        return not self._stale and self._known != self._document.findings.known()

    def set_hits(self, hits: Iterable[Span], current: Span | None) -> None:
        """Show these search hits."""
        self._hits = joined(map(self._document.place, hits))
        self._current = self._document.place(current) if current is not None else None

    def tints(self) -> list[PartTint]:
        """The parts of the selected item, to be tinted inside its outline."""
        spot = self._session.spot
        start = spot.level.start if spot is not None and spot.level is not None else 0
        if spot is None or start is None or spot.document.text is not None:
            return []  # they lie in a wrap: the value around them is outlined as a whole
        return [
            PartTint(
                part.span.shifted(start), part.role, row.group if row is not None and part.role is Role.VALUE else None
            )
            for part, row in outline.roles(spot.document, spot.item)
        ]

    # HexSource

    def size(self) -> int:
        """Bytes in the layer."""
        return len(self._document.shown)

    def read(self, start: int, end: int) -> bytes:
        """Some of them."""
        return bytes(self._document.shown[start:end])

    def styles(self, start: int, end: int) -> bytes:
        """What they are for; where a value is open and its bytes lie plain, what they are for inside."""
        self._look()
        codes = self._ledger.codes(start, end)
        for span, ledger in self._inside:
            low, high = max(start, span.start), min(end, span.end)
            if low < high:
                inner = ledger.codes(low - span.start, high - span.start)
                codes = codes[: low - start] + inner + codes[high - start :]
        if self._kept is None:
            self._shown = start, codes
            return codes
        first, kept = self._kept
        low, high = max(start, first), min(end, first + len(kept))
        if low < high:
            codes = codes[: low - start] + kept[low - first : high - first] + codes[high - start :]
        return codes

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
        spot = self._session.spot
        start = spot.level.start if spot is not None and spot.level is not None else 0
        if spot is None or start is None:
            return None
        item = spot.item
        holder = outline.parent_item(spot.document, Item(item.frame, item.node)) if item.node >= 0 else None
        return spot.document.place(outline.span(spot.document, holder)).shifted(start) if holder else None

    def coverage(self, buckets: int) -> Iterator[CoverageMark]:
        """The whole layer in equal stretches; none while it is still to be read."""
        if self._document.task is not None:
            return iter(())
        count = min(buckets, self.size())
        return (self._mark(k, count) for k in range(count))

    def describe(self, offset: int) -> Description | None:
        """The words of the hover card for a byte."""
        document = self._document
        item = outline.item_at(document, offset if document.text is None else document.text.inside_of(offset))
        if item is None:
            return None
        spot = self._session.inside.at_byte(item, offset) or Spot(document, item)
        span = spot.span() or outline.span(document, item)
        span = document.place(span) if spot.level is None else span
        row = outline.type_row(spot.document, spot.item)
        raw = document.shown[span.start : min(span.end, span.start + BYTES_SHOWN)].hex(" ").upper()
        more = " …" if len(span) > BYTES_SHOWN else ""
        return Description(
            spot.path,
            row.chip if row else "?",
            row.group if row else None,
            meaning(spot.document, spot.item),
            _value(spot),
            span,
            raw + more,
            _swatch(spot),
        )

    def _look(self) -> None:
        """Take the spans anew: once for many changes, because there may be as many findings as values."""
        if not self._stale:
            return
        self._stale = False
        document = self._document
        self._modified = joined(document.place(span) for span in document.modified_spans() if len(span))
        self._found = {Severity.ERROR: [], Severity.WARNING: []}
        self._known = document.findings.known()
        for diagnostic in self._known if document.text is None else ():
            if len(diagnostic.span) and diagnostic.severity in self._found:
                self._found[diagnostic.severity].append(diagnostic.span)
        if document.text is not None:
            self._found[Severity.ERROR] = [damage.span for damage in document.text.damages if len(damage.span)]
        self._found = {severity: joined(spans) for severity, spans in self._found.items()}
        self._inside = [
            (Span(start, start + len(level.document.buffer)), ByteClassifier(level.document))
            for level, start in self._session.inside.plain()
        ]
        self._guessed = [span for index in document.findings.odd_frames for span in document.frames[index].guessed]

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


def _value(spot: Spot) -> str:
    item, part = spot.item, outline.part(spot.document, spot.item)
    if part is not None:
        return part_text(part, VALUE_SHOWN)
    frame = outline.frame_of(spot.document, item)
    return str(preview(frame.table, item.node, VALUE_SHOWN)) if frame and item.node >= 0 else ""


def _swatch(spot: Spot) -> tuple[float, float, float, float] | None:
    frame, row = outline.frame_of(spot.document, spot.item), outline.type_row(spot.document, spot.item)
    if frame is None or row is None or row.name != "Color":
        return None
    data = read_shallow(frame.table, spot.item.node).data
    return data if isinstance(data, tuple) and len(data) == 4 else None  # type: ignore[return-value]


def _moved(start: int, codes: bytes, splices: Iterable[Splice]) -> tuple[int, bytes]:
    """The codes of the bytes from *start* on after the splices, and where they begin then."""
    most = len(codes)
    for splice in splices:
        first, last = splice.offset - start, splice.offset - start + len(splice.removed)
        if first < 0:
            start, codes = max(start, splice.offset + len(splice.removed)) + splice.growth, codes[max(last, 0) :]
        elif first < len(codes):
            written = codes[first:last][: len(splice.inserted)]
            new = BYTE[PLAIN] * min(len(splice.inserted) - len(written), most)
            codes = (codes[:first] + written + new + codes[last:])[:most]
    return start, codes


def _touching(spans: list[Span], start: int, end: int) -> list[Span]:
    """Those of sorted, disjoint spans that touch ``[start, end)``."""
    if not spans:
        return []
    first = max(0, bisect_right(spans, Span(start, start)) - 1)
    last = bisect_left(spans, Span(end, end))
    return [span for span in spans[first:last] if span.end > start and span.start < end]
