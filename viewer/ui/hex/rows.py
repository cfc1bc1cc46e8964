"""The rows of the hex view: how many are in view, where each byte lies in them, and how far they are scrolled."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QWidget

from viewer.base.span import Span
from viewer.ui.hex import coverage_strip
from viewer.ui.hex import ruler as hex_ruler
from viewer.ui.hex.coverage_strip import CoverageStrip
from viewer.ui.hex.fitting import RowFit
from viewer.ui.hex.layout import ROW_WIDTHS, Area, Hit, row_count
from viewer.ui.hex.ruler import HexRuler
from viewer.ui.hex.scroll import HexScroll
from viewer.ui.hex.source import HexSource
from viewer.ui.look.fonts import ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.viewport import own_viewport

TOP_PAD = 2
SPARE_ROWS = 2


class HexRows(QAbstractScrollArea):
    """Lays the bytes of a HexSource out in rows, between the ruler above and the strip at the right.

    Signals:
        zoom_changed: the zoom in pixels over the normal font (int).
    """

    zoom_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source: HexSource | None = None
        self._insert = False
        self._fit = RowFit()
        self._font_height = ui_pixels()
        self._grid = self._fit.grid(self._font_height, 16, 0)
        self._scroll = HexScroll(self.verticalScrollBar())
        self._ruler = HexRuler(theme, self._grid, self)
        self._strip = CoverageStrip(theme, self)
        self._dress()
        self._scroll.moved.connect(self._on_scrolled)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)
        self._strip.jump_requested.connect(self._jump)

    def _dress(self) -> None:
        own_viewport(self)
        self.setObjectName("hexView")
        self.setAccessibleName("Bytes")
        self.setAccessibleDescription("The bytes of the file in hexadecimal and as text.")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setViewportMargins(0, hex_ruler.HEIGHT, coverage_strip.WIDTH, 0)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    # What the owner tells

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._ruler.set_theme(theme)
        self._strip.set_theme(theme)
        self.viewport().update()

    def set_row_width(self, columns: int) -> None:
        """Show 8, 16 or 32 bytes a row, or with 0 as many as fit.

        Raises:
            ValueError: any other number.
        """
        self._fit.choose_row_width(columns)
        self._arrange()

    def zoom_in(self) -> None:
        """Larger by a pixel."""
        self.set_zoom(self.zoom + 1)

    def zoom_out(self) -> None:
        """Smaller by a pixel."""
        self.set_zoom(self.zoom - 1)

    def zoom_reset(self) -> None:
        """Back to the platform's size."""
        self.set_zoom(0)

    def set_zoom(self, zoom: int) -> None:
        """The font larger than normal by *zoom* pixels, within reason."""
        if self._fit.choose_zoom(zoom):
            self._arrange()
            self.zoom_changed.emit(self.zoom)

    def ensure_visible(self, span: Span, place: int | None = None) -> None:
        """Scroll as little as needed to show a span; of too long a one its start, or the byte at *place* in it."""
        first, last = self._grid.row_of(span.start), self._grid.row_of(max(span.end - 1, span.start))
        if place is not None and place in span and last - first >= self.visible_rows:
            first = last = self._grid.row_of(place)
        self._scroll.reveal(first, last)

    # What the owner may ask

    @property
    def source(self) -> HexSource | None:
        """The buffer that is shown."""
        return self._source

    @property
    def size_of_source(self) -> int:
        """Bytes in the buffer."""
        return self._source.size() if self._source else 0

    @property
    def last_offset(self) -> int:
        """The last place the caret can take: the last byte, and in insert mode the place behind it."""
        return max(self.size_of_source - (not self._insert), 0)

    @property
    def zoom(self) -> int:
        """Pixels over the normal font."""
        return self._fit.zoom

    @property
    def columns(self) -> int:
        """Bytes per row as shown now."""
        return self._grid.columns

    @property
    def visible_rows(self) -> int:
        """Rows wholly in view."""
        return self._scroll.visible

    @property
    def visible_span(self) -> Span:
        """The bytes in view."""
        start = self._scroll.top * self.columns
        return Span(start, min(start + self._scroll.visible * self.columns, max(self.size_of_source, start)))

    def finish(self) -> None:
        """Have the whole coverage strip now, for a picture."""
        self._strip.finish()

    def width_for_columns(self, columns: int, compact: bool = False) -> int:
        """The width of the whole view at *columns* bytes a row; *compact* is one pixel less of font."""
        rows = self._fit.width(columns, self.size_of_source, compact)
        return rows + coverage_strip.WIDTH + self.verticalScrollBar().sizeHint().width()

    def preferred_width(self) -> int:
        """The width of sixteen bytes a row, or of the row width that was set."""
        return self.width_for_columns(self._fit.row_width or 16)

    def width_within(self, room: int) -> int:
        """The width of the longest rows that *room* has place for, all of *room* where not even the shortest fit."""
        preferred = self.preferred_width()
        if self._fit.row_width:
            return min(preferred, room)
        small = [self.width_for_columns(columns, compact) for columns in (16, 8) for compact in (False, True)]
        return next((width for width in small if width <= room), room)

    def byte_rect(self, offset: int, area: Area = Area.HEX) -> QRect:
        """Where a byte is painted, in the viewport; what is not in view lies just outside of it."""
        boxes = self._grid.boxes(Span(offset, offset + 1), self._grid.row_of(offset), 1, area)
        row = min(max(self._grid.row_of(offset) - self._scroll.top, -SPARE_ROWS), self.visible_rows + SPARE_ROWS)
        left, top = round(boxes[0].x) - self._shift, row * self._grid.row_height + self._origin
        return QRect(left, top, round(boxes[0].width), self._grid.row_height)

    def hit(self, point: QPointF) -> Hit | None:
        """The byte under a point of the viewport."""
        return self._grid.hit(point.x() + self._shift, point.y() - self._origin, self._scroll.top, self.size_of_source)

    def nearest(self, point: QPointF, area: Area | None = None) -> Hit:
        """The byte nearest to a point of the viewport, or beyond its edges."""
        x, y = point.x() + self._shift, point.y() - self._origin
        return self._grid.nearest(x, y, self._scroll.top, self.last_offset, area)

    # Inside

    @property
    def _shift(self) -> int:
        return self.horizontalScrollBar().value()

    @property
    def _origin(self) -> int:
        return TOP_PAD - self._scroll.pixels

    def _arrange(self) -> None:
        """Fit columns, rows, bars and header to the size of the view and of the buffer."""
        first = self._scroll.top * self._grid.columns
        self._font_height, self._grid = self._fit.widest(self.viewport().width(), self.size_of_source)
        rows = row_count(self.size_of_source, self._grid.columns, self._insert)
        visible = (self.viewport().height() - TOP_PAD) // self._grid.row_height
        self._scroll.configure(rows, visible, self._grid.row_height)
        if first != self._scroll.top * self._grid.columns:
            self._scroll.to_row(self._grid.row_of(first))
        hidden = max(0, round(self._grid.width) - self.viewport().width())
        self.horizontalScrollBar().setRange(0, hidden if hidden > 1 else 0)
        self.horizontalScrollBar().setPageStep(self.viewport().width())
        self._ruler.set_grid(self._grid, self._font_height, self._shift)
        self._on_scrolled()

    def _on_scrolled(self) -> None:
        self._ruler.set_grid(self._grid, self._font_height, self._shift)
        self._strip.set_view(self.visible_span)
        self.viewport().update()

    def _jump(self, offset: int) -> None:
        self._scroll.to_row(self._grid.row_of(offset) - self._scroll.visible // 2)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(self.preferred_width(), 480)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.width_for_columns(ROW_WIDTHS[0], compact=True), 120)

    def resizeEvent(self, event: QResizeEvent) -> None:
        inside = self.viewport().geometry()
        width = inside.width() + coverage_strip.WIDTH
        self._ruler.setGeometry(inside.left(), inside.top() - hex_ruler.HEIGHT, width, hex_ruler.HEIGHT)
        self._strip.setGeometry(inside.right() + 1, inside.top(), coverage_strip.WIDTH, inside.height())
        self._arrange()
