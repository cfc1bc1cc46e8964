"""The rows of the hex view: how many are in view, where each byte lies in them, and how far they are scrolled."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSlider, QFrame, QScrollBar, QSizePolicy, QWidget

from viewer.base.span import Span
from viewer.ui.hex import coverage_strip
from viewer.ui.hex import ruler as hex_ruler
from viewer.ui.hex.byte_source import HexSource
from viewer.ui.hex.coverage_strip import CoverageStrip
from viewer.ui.hex.layout import (
    ROW_WIDTHS,
    Area,
    HexHit,
    bar_maximum,
    bar_of_row,
    row_count,
    row_of_bar,
)
from viewer.ui.hex.row_fit import RowFit
from viewer.ui.hex.ruler import HexRuler
from viewer.ui.look.fonts import ui_pixels
from viewer.ui.look.palette import Theme
from viewer.ui.viewport import own_viewport

# Scrolling in rows: more rows than a scroll bar can count, and single pixels for touch pads.

STEP = 3
FAR = 3


class Notches:
    """Small amounts that add up to whole units: what a fine wheel or a touch pad turns is seldom a whole one."""

    def __init__(self) -> None:
        self._rest = 0

    def turn(self, amount: int, unit: int) -> int:
        """Add an amount; returns how many *unit* it makes. A turn the other way forgets what was left."""
        if amount * self._rest < 0:
            self._rest = 0
        whole = int((self._rest + amount) / unit)
        self._rest += amount - whole * unit
        return whole


class RowBar(QScrollBar):
    """A scroll bar that is painted again only where its handle moves: of many rows a pixel stands for thousands."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._painted: tuple[object, int] | None = None
        self._room: tuple[object, int] | None = None

    def _handle(self) -> tuple[object, int]:
        """What decides where the handle is, but for the value, and the pixel of its way that the value is at."""
        shape = self.size(), self.minimum(), self.maximum(), self.pageStep()
        if self._room is None or self._room[0] != shape:
            from PySide6.QtWidgets import QStyle, QStyleOptionSlider  # very many enums: nobody scrolls at once

            option, part = QStyleOptionSlider(), QStyle.SubControl.SC_ScrollBarSlider
            self.initStyleOption(option)
            ends = []
            for option.sliderPosition in (self.minimum(), self.maximum()):
                ends.append(self.style().subControlRect(QStyle.ComplexControl.CC_ScrollBar, option, part, self).top())
            self._room = shape, ends[1] - ends[0]
        return shape, self.style().sliderPositionFromValue(*shape[1:3], self.value(), self._room[1])

    def sliderChange(self, change: QAbstractSlider.SliderChange) -> None:
        is_value = change == QAbstractSlider.SliderChange.SliderValueChange
        before, self._painted = self._painted, self._handle() if is_value else None
        if self._painted is None or self._painted != before:
            super().sliderChange(change)


class HexScroll(QObject):
    """The top row of the view and how many pixels of it are scrolled away, in step with a scroll bar.

    Signals:
        moved: the top has changed.
    """

    moved = Signal()

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._rows = 1
        self._visible = 1
        self._row_height = 1
        self.top = 0
        self.pixels = 0
        bar.valueChanged.connect(self._follow_bar)
        bar.actionTriggered.connect(self._act)

    @property
    def visible(self) -> int:
        """Rows that are wholly in view."""
        return self._visible

    def shows(self, row: int) -> bool:
        """Whether a row is wholly in view."""
        return self.top + bool(self.pixels) <= row < self.top + self._visible

    @property
    def last_top(self) -> int:
        """The top row when the end is in view."""
        return max(0, self._rows - self._visible)

    def configure(self, rows: int, visible: int, row_height: int) -> None:
        """Fit the bar to *rows* rows, *visible* of them in view; the top row stays where it can."""
        self._rows, self._visible, self._row_height = rows, max(visible, 1), row_height
        with QSignalBlocker(self._bar):
            self._bar.setRange(0, bar_maximum(rows, self._visible))
            self._bar.setPageStep(min(self._visible, 2**30))
            self._bar.setEnabled(rows > self._visible)  # without a handle where all is in view
        self.to_row(self.top, self.pixels)

    def to_row(self, row: int, pixels: int = 0) -> None:
        """Bring *row* to the top, *pixels* of it scrolled away."""
        top = min(max(row, 0), self.last_top)
        pixels = 0 if top != row or top == self.last_top else min(max(pixels, 0), self._row_height - 1)
        changed = (top, pixels) != (self.top, self.pixels)
        self.top, self.pixels = top, pixels
        with QSignalBlocker(self._bar):
            self._bar.setValue(bar_of_row(top, self._rows, self._visible))
        if changed:
            self.moved.emit()

    def by_pixels(self, distance: int) -> None:
        """Scroll smoothly, downwards when *distance* is positive."""
        rows, pixels = divmod(self.pixels + distance, self._row_height)
        self.to_row(self.top + rows, pixels)

    def reveal(self, first: int, last: int, spare: int = 0) -> None:
        """Bring the rows *first* to *last* into view: by the least when they are near, else with room above.

        Of more rows than fit, the first comes to the top unless it is in view. *spare* rows above and below come along
        where there is room for them.
        """
        if last - first + 2 * spare < self._visible:
            first, last = max(0, first - spare), max(last, min(self._rows - 1, last + spare))
        if self.shows(first) and self.shows(last):
            return
        if last - first >= self._visible:
            if not self.top <= first < self.top + self._visible:
                self.to_row(first)
            return
        above, below = self.top - first, last - self.top - self._visible + 1
        if max(above, below) > FAR:
            self.to_row(first - min(self._visible // 3, self._visible - (last - first) - 1))
        else:
            self.to_row(first if above >= 0 else self.top + below)

    def _follow_bar(self, value: int) -> None:
        self.to_row(row_of_bar(value, self._rows, self._visible))

    def _act(self, action: int) -> None:
        """Steps go by rows, however many rows one unit of the bar stands for."""
        kinds = QAbstractSlider.SliderAction
        steps = {
            kinds.SliderSingleStepAdd: STEP,
            kinds.SliderSingleStepSub: -STEP,
            kinds.SliderPageStepAdd: self._visible,
            kinds.SliderPageStepSub: -self._visible,
        }
        step = steps.get(QAbstractSlider.SliderAction(action))
        if step is not None:
            self.to_row(self.top + step)


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
        self.setVerticalScrollBar(bar := RowBar())
        self._scroll = HexScroll(bar)
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
        self._show_changes()

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

    def ensure_visible(self, span: Span, place: int | None = None, spare: int = 0) -> None:
        """Scroll as little as needed to show a span; of too long a one its start, or the byte at *place* in it.

        *spare* rows above and below are shown too, where there is room.
        """
        first, last = self._grid.row_of(span.start), self._grid.row_of(max(span.end - 1, span.start))
        if place is not None and place in span and last - first >= self.visible_rows:
            first = last = self._grid.row_of(place)
        self._scroll.reveal(first, last, spare)

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
        return self._fit.width(columns, self.size_of_source, compact) + self._beside_rows

    def preferred_width(self) -> int:
        """The width of sixteen bytes a row, or of the row width that was set."""
        return self.width_for_columns(self._fit.row_width or 16)

    def width_within(self, room: int) -> int:
        """The width of the longest rows that *room* has place for, all of *room* where not even the shortest fit."""
        return self._fit.width_within(room - self._beside_rows, self.size_of_source) + self._beside_rows

    def byte_rect(self, offset: int, area: Area = Area.HEX) -> QRect:
        """Where a byte is painted, in the viewport; what is not in view lies just outside of it."""
        boxes = self._grid.boxes(Span(offset, offset + 1), self._grid.row_of(offset), 1, area)
        row = min(max(self._grid.row_of(offset) - self._scroll.top, -SPARE_ROWS), self.visible_rows + SPARE_ROWS)
        left, top = round(boxes[0].x) - self._shift, row * self._grid.row_height + self._origin
        return QRect(left, top, round(boxes[0].width), self._grid.row_height)

    def hit(self, point: QPointF) -> HexHit | None:
        """The byte under a point of the viewport."""
        return self._grid.hit(point.x() + self._shift, point.y() - self._origin, self._scroll.top, self.size_of_source)

    def nearest(self, point: QPointF, area: Area | None = None) -> HexHit:
        """The byte nearest to a point of the viewport, or beyond its edges."""
        x, y = point.x() + self._shift, point.y() - self._origin
        return self._grid.nearest(x, y, self._scroll.top, self.last_offset, area)

    # Inside

    @property
    def _beside_rows(self) -> int:
        return coverage_strip.WIDTH + self.verticalScrollBar().sizeHint().width()

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
        self._show_changes()

    def _show_changes(self) -> None:
        """Paint anew."""
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
