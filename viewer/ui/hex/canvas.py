"""The still half of the hex view: what it shows, where it lies, how it is scrolled and painted."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QWidget

from viewer.span import Span
from viewer.ui.hex import coverage_strip
from viewer.ui.hex import ruler as hex_ruler
from viewer.ui.hex.caret import HexCaret
from viewer.ui.hex.coverage_strip import CoverageStrip
from viewer.ui.hex.glyphs import HexGlyphs
from viewer.ui.hex.layout import ROW_WIDTHS, Area, HexLayout, Hit, offset_digits, row_count
from viewer.ui.hex.page import Focus, HexPage, read_page
from viewer.ui.hex.paint import HexPainter
from viewer.ui.hex.ruler import HexRuler
from viewer.ui.hex.scroll import HexScroll
from viewer.ui.hex.source import HexSource, PartTint
from viewer.ui.look.fonts import fixed_font_of, ui_font, ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.viewport import own_viewport

TOP_PAD = 2
ROW_HEIGHT = 20
ROW_RATIO = 1.54
SMALLEST, LARGEST = 9, 32
SPARE_ROWS = 2
EMPTY = "This file is empty."


class HexCanvas(QAbstractScrollArea):
    """Shows a HexSource, with a caret, an outlined item and a byte selection.

    Signals (offsets travel as objects, an int signal would cut them to 32 bits):
        selection_changed: Span or None, the selected bytes.
        zoom_changed: the zoom in pixels over the normal font (int).
    """

    selection_changed = Signal(object)
    zoom_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source: HexSource | None = None
        self._item: Span | None = None
        self._parts: tuple[PartTint, ...] = ()
        self._row_width = 0
        self._zoom = 0
        self._insert = False
        self._font_height = ui_pixels()
        self._grid = self._grid_for(self._font_height, 16)
        self._glyphs: HexGlyphs | None = None
        self._glyphs_key: tuple[int, HexLayout, int] | None = None
        self.caret = HexCaret()
        self._scroll = HexScroll(self.verticalScrollBar())
        self._ruler = HexRuler(theme, self._grid, self)
        self._strip = CoverageStrip(theme, self)
        self._hovered: Span | None = None
        self._dress()
        self._connect()

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

    def _connect(self) -> None:
        self._scroll.moved.connect(self._on_scrolled)
        self.horizontalScrollBar().valueChanged.connect(self._on_scrolled)
        self._strip.jump_requested.connect(self._jump)

    # What the owner tells

    def set_source(self, source: HexSource | None) -> None:
        """Show another buffer, from its start, with nothing selected."""
        had_selection = self.selection is not None
        self._source = source
        self._item, self._parts = None, ()
        self.caret = HexCaret(area=self.caret.area)
        self._strip.set_source(source)
        self._strip.set_selected(None)
        self._arrange()
        self._scroll.to_row(0)
        if had_selection:
            self.selection_changed.emit(None)

    def refresh(self) -> None:
        """The bytes, or what is known about them, have changed; caret and scroll position stay where they can."""
        before = self.selection
        self.caret.clamp(self.last_offset)
        self._strip.refresh()
        self._arrange()
        if self.selection != before:
            self.selection_changed.emit(self.selection)

    def set_selected_item(self, span: Span | None, parts: list[PartTint]) -> None:
        """Outline an item and tint its parts."""
        self._item, self._parts = span, tuple(parts)
        self._strip.set_selected(span)
        self.viewport().update()

    def set_caret(self, offset: int) -> None:
        """Put the caret on a byte, with no byte selection; tells nobody but those who watch the selection."""
        before = self.selection
        self.caret.place(min(max(offset, 0), self.last_offset))
        self._after_caret(before)

    def set_selection(self, span: Span | None) -> None:
        """Select bytes, the caret on the last of them."""
        before = self.selection
        self.caret.select(span)
        self.caret.clamp(self.last_offset)
        self._after_caret(before)

    def ensure_visible(self, span: Span) -> None:
        """Scroll as little as needed to show a span, or its start when it is long."""
        self._scroll.reveal(self._grid.row_of(span.start), self._grid.row_of(max(span.end - 1, span.start)))

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
        if columns not in (0, *ROW_WIDTHS):
            raise ValueError(f"{columns} bytes a row")
        self._row_width = columns
        self._arrange()

    def zoom_in(self) -> None:
        """Larger by a pixel."""
        self.set_zoom(self._zoom + 1)

    def zoom_out(self) -> None:
        """Smaller by a pixel."""
        self.set_zoom(self._zoom - 1)

    def zoom_reset(self) -> None:
        """Back to the platform's size."""
        self.set_zoom(0)

    def set_zoom(self, zoom: int) -> None:
        """The font larger than normal by *zoom* pixels, within reason."""
        zoom = min(max(zoom, SMALLEST - ui_pixels()), LARGEST - ui_pixels())
        if zoom != self._zoom:
            self._zoom = zoom
            self._arrange()
            self.zoom_changed.emit(zoom)

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
    def selection(self) -> Span | None:
        """The selected bytes; the place behind the last one is none."""
        found = self.caret.selection
        if found is None or found.end <= self.size_of_source:
            return found
        return Span(found.start, self.size_of_source) if found.start < self.size_of_source else None

    @property
    def zoom(self) -> int:
        """Pixels over the normal font."""
        return self._zoom

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

    @property
    def insert_mode(self) -> bool:
        """Whether the caret stands between bytes, as a bar."""
        return self._insert

    @insert_mode.setter
    def insert_mode(self, value: bool) -> None:
        self._insert = value
        self.caret.clamp(self.last_offset)
        self._arrange()

    def width_for_columns(self, columns: int, compact: bool = False) -> int:
        """The width of the whole view at *columns* bytes a row; *compact* is one pixel less of font."""
        width = self._grid_for(ui_pixels() + self._zoom - compact, columns).width
        return int(width) + 1 + coverage_strip.WIDTH + self.verticalScrollBar().sizeHint().width()

    def preferred_width(self) -> int:
        """The width of sixteen bytes a row, or of the row width that was set."""
        return self.width_for_columns(self._row_width or 16)

    def width_within(self, room: int) -> int:
        """The width of the longest rows that *room* has place for, all of *room* where not even the shortest fit."""
        preferred = self.preferred_width()
        if self._row_width:
            return min(preferred, room)
        small = [self.width_for_columns(columns, compact) for columns in (16, 8) for compact in (False, True)]
        return next((width for width in small if width <= room), room)

    def byte_rect(self, offset: int, area: Area = Area.HEX) -> QRect:
        """Where a byte is painted, in the viewport; what is not in view lies just outside of it."""
        boxes = self._grid.boxes(Span(offset, offset + 1), self._grid.row_of(offset), 1, area)
        row = min(max(self._grid.row_of(offset) - self._scroll.top, -SPARE_ROWS), self.visible_rows + SPARE_ROWS)
        left, top = round(boxes[0].x) - self._shift, row * self._grid.row_height + self._origin
        return QRect(left, top, round(boxes[0].width), self._grid.row_height)

    # Geometry

    @property
    def _shift(self) -> int:
        return self.horizontalScrollBar().value()

    @property
    def _origin(self) -> int:
        return TOP_PAD - self._scroll.pixels

    def hit(self, point: QPointF) -> Hit | None:
        """The byte under a point of the viewport."""
        return self._grid.hit(point.x() + self._shift, point.y() - self._origin, self._scroll.top, self.size_of_source)

    def nearest(self, point: QPointF, area: Area | None = None) -> Hit:
        """The byte nearest to a point of the viewport, or beyond its edges."""
        x, y = point.x() + self._shift, point.y() - self._origin
        return self._grid.nearest(x, y, self._scroll.top, self.last_offset, area)

    def _grid_for(self, font_height: int, columns: int) -> HexLayout:
        advance = _advance(font_height)
        normal = font_height in (ui_pixels(), ui_pixels() - 1) and ui_pixels() == 13
        row = ROW_HEIGHT if normal else round(font_height * ROW_RATIO)
        return HexLayout(advance, row, columns, offset_digits(self.size_of_source))

    def _choose_grid(self) -> tuple[int, HexLayout]:
        """The widest rows that fit; before sixteen become eight the font gives up a pixel."""
        height = ui_pixels() + self._zoom
        smaller = height - (self._zoom == 0)
        wanted = [(height, 32), (height, 16), (smaller, 16), (height, 8), (smaller, 8)]
        if self._row_width:
            wanted = [(height, self._row_width), (smaller, self._row_width)]
        for size, columns in wanted:
            grid = self._grid_for(size, columns)
            if grid.width <= self.viewport().width() + 1:
                return size, grid
        return size, grid

    def _arrange(self) -> None:
        """Fit columns, rows, bars and header to the size of the view and of the buffer."""
        first = self._scroll.top * self._grid.columns
        self._font_height, self._grid = self._choose_grid()
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

    def _after_caret(self, before: Span | None) -> None:
        """Show the caret's place; tell when the selection is no longer *before*."""
        self.viewport().update()
        if self.selection != before:
            self.selection_changed.emit(self.selection)

    # Painting

    def page(self) -> HexPage | None:
        """All that is in view now."""
        if self._source is None:
            return None
        focus = Focus(
            self.caret.offset,
            self.caret.nibble,
            self.caret.area,
            self.hasFocus(),
            self._insert,
            self.selection,
            self._item,
            self._parts,
            self._hovered,
        )
        rows = -((self._origin - self.viewport().height()) // self._grid.row_height)
        return read_page(self._source, self._grid, self._scroll.top, rows, focus)

    def _ready_glyphs(self) -> HexGlyphs:
        """The glyphs of as many rows as can ever be in view, kept until font or grid change."""
        key = (self._font_height, self._grid, self.viewport().height() // self._grid.row_height + SPARE_ROWS)
        if self._glyphs is None or key != self._glyphs_key:
            self._glyphs = HexGlyphs(fixed_font_of(self._font_height), self._grid, key[2])
            self._glyphs_key = key
        return self._glyphs

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

    def paintEvent(self, event: QPaintEvent) -> None:
        page = self.page()
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme.ui.base)
        if page is not None and page.size == 0 and not self._insert:
            painter.setFont(ui_font())
            painter.setPen(self._theme.ui.text_secondary)
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, EMPTY)
        elif page is not None:
            painter.translate(-self._shift, self._origin)
            ratio = self.devicePixelRatioF()
            hex_painter = HexPainter(self._theme, self._grid, self._ready_glyphs(), ratio)
            hex_painter.paint(painter, page, self._grid.width + self._shift)
        painter.end()
        self._ruler.set_caret(self.caret.offset % self.columns if page and page.size else None, self.hasFocus())


@cache
def _advance(font_height: int) -> float:
    """The width of a digit, a fraction of a pixel included; layouts ask for it a hundred times before a frame."""
    return QFontMetricsF(fixed_font_of(font_height)).horizontalAdvance("0" * 64) / 64
