"""A plot: numbers as a line or by how often they come, points and shapes from any side; moved by mouse and keys.

Of very many numbers a picture shows the least and greatest for each pixel, of very many points an even sample; all of
these points are counted beside the window once the plot rests.
"""

from __future__ import annotations

from enum import Enum
from math import isfinite

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.base.progress import Cancelled, Progress
from viewer.document.visuals.min_max_pyramid import MinMaxPyramid, PointCloud, histogram
from viewer.document.visuals.plot_data import EdgeRole, PlotData, Point
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_focus
from viewer.ui.panels.panel_widgets import FocusRing
from viewer.ui.visuals.plot_painting import Orbit, PlotPlace, dots, lines, paint_grid, polyline, spread
from viewer.ui.visuals.zoom_input import ZoomInput
from viewer.ui.worker import Job, Worker

BINS = 200
MOST_DRAWN = 12_000
"""So many points are drawn while the plot moves."""
FEW, MOST_ROUND = 300, 2000
"""So many points are drawn as large dots, and as round ones."""
MOST_LINES = 4000
PAUSE = 250
"""Milliseconds until all points are counted."""
PAN = 60
TURN = 0.12
REACH = 9
"""Pixels from the mouse to a point that it means."""
EDGE = 0.06
"""Of the widget left free around what fits into it."""
DRAG = 4


class PlotMode(Enum):
    """How numbers or points are shown; the value is its words."""

    LINE = "Line"
    HISTOGRAM = "Histogram"
    POINTS = "Points"
    PATH = "Points and path"


class PlotSide(Enum):
    """From where points in space are seen; the value is its words."""

    TOP = "Top (x, z)"
    FRONT = "Front (x, y)"
    SIDE = "Side (z, y)"
    ORBIT = "Any side"


STEPS = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1, Qt.Key.Key_Home: -(1 << 40), Qt.Key.Key_End: 1 << 40}
"""By how many numbers or points a key goes on."""
AXES = {PlotSide.TOP: (0, 2), PlotSide.FRONT: (0, 1), PlotSide.SIDE: (2, 1)}


class PlotView(QWidget):
    """Draws one plot.

    Signals:
        picked: ``int``: a person chooses a number or point.
        pointed: ``int``: the mouse is over another one; -1 for none.
        counted: all points were counted, or are to be again.
    """

    picked = Signal(int)
    pointed = Signal(int)
    counted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("plotView")
        self._theme = theme
        self.data: PlotData | None = None
        self._pyramids: tuple[MinMaxPyramid, ...] = ()
        self.mode, self.side = PlotMode.LINE, PlotSide.TOP
        self._side_is_chosen = False
        self._orbit = Orbit(0.6, 0.5)
        self._bins: list[int] = []
        self._place = PlotPlace(0, 0, 1, 1, True, 1, 1)
        self._fits = True
        self.marked = self.hovered = -1
        self.drawn_of = 1
        self._all: tuple[PlotPlace, QImage] | None = None
        self._press: QPointF | None = None
        self._dragged: QPointF | None = None
        self._ring = FocusRing(self)
        self._input = ZoomInput(self, self._arrow, self.zoom, self.fit)
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._count_all)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(200, 140))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._move(self._place)

    def set_data(
        self, data: PlotData | None, pyramids: tuple[MinMaxPyramid, ...] = (), keeps_place: bool = False
    ) -> None:
        """Show another plot, or none.

        Args:
            data: it.
            pyramids: those of its columns.
            keeps_place: whether it is the same value as before, so that what is seen of it stays.
        """
        self.stop()
        before, self.data, self._pyramids = self.data, data, pyramids
        self.hovered, self._bins = -1, []
        if data is None:
            self.marked = -1
        else:
            if not self._side_is_chosen:  # a place is read off best from above, a shape is seen best from aside
                self.side = PlotSide.ORBIT if data.edges else PlotSide.TOP
            modes = self.modes
            self.mode = self.mode if self.mode in modes else modes[0]
            if before is None or not keeps_place or _axes_of(before) != _axes_of(data):
                self.marked = -1
                self.fit()
            self._prepare()
        self._move(self._place)

    def stop(self) -> None:
        """Count nothing any more."""
        self._pause.stop()
        self._worker.stop()

    @property
    def modes(self) -> list[PlotMode]:
        """The ways to show what there is."""
        if self.data is None:
            return []
        if len(self.data.columns) == 1:
            return [PlotMode.LINE, PlotMode.HISTOGRAM]
        return [PlotMode.POINTS] if self.data.edges else [PlotMode.POINTS, PlotMode.PATH]

    @property
    def sides(self) -> list[PlotSide]:
        """The sides from which it can be seen; none but of points in space."""
        return list(PlotSide) if self.data is not None and len(self.data.columns) == 3 else []

    def set_mode(self, mode: PlotMode) -> None:
        """Show it in another way."""
        if mode is not self.mode:
            scales = PlotMode.HISTOGRAM in (mode, self.mode)
            self.mode = mode
            self._prepare()
            self.fit() if scales else self.update()

    def set_side(self, side: PlotSide) -> None:
        """Look from another side, at this plot and those that follow."""
        self.side, self._side_is_chosen = side, True
        self.fit()

    def mark(self, index: int) -> None:
        """Show a number or point as the one that is selected; -1 for none."""
        self.marked = index
        self.update()

    # What is seen

    @property
    def _is_orbit(self) -> bool:
        return len(self._pyramids) == 3 and self.side is PlotSide.ORBIT

    @property
    def _axes(self) -> tuple[int, int]:
        return AXES.get(self.side, (0, 1)) if len(self._pyramids) == 3 else (0, 1)

    @property
    def _cloud(self) -> PointCloud:
        first, second = self._axes
        return PointCloud(self._pyramids[first], self._pyramids[second])

    def _seen(self, point: Point) -> tuple[float, float]:
        """A point of the data on the axes that are seen."""
        if self._is_orbit:
            return self._orbit.seen_point(point)
        first, second = self._axes
        return point[first], point[second]

    def _extent(self) -> tuple[float, float, float, float]:
        """From the least to the greatest of both axes: all that there is."""
        assert self.data is not None
        if self.mode is PlotMode.HISTOGRAM:
            low, high = self._pyramids[0].whole
            return low, high, 0.0, float(max(self._bins, default=1))
        if self.mode is PlotMode.LINE:
            return 0.0, max(1.0, self.data.count - 1.0), *self._pyramids[0].whole
        corners = [self._seen(edge.end) for edge in self.data.edges]
        wholes = [pyramid.whole for pyramid in self._pyramids]
        if self._is_orbit:
            corners += [self._seen((x, y, z)) for x in wholes[0] for y in wholes[1] for z in wholes[2]]
        else:
            first, second = self._axes
            corners += [(wholes[first][k], wholes[second][k]) for k in range(2)]
        xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
        return min(xs), max(xs), min(ys), max(ys)

    def fit(self) -> None:
        """Show all of it."""
        self._fits = True
        if self.data is None or not self._pyramids:
            return
        left, right, top, bottom = self._extent()
        width, height = float(max(1, self.width())), float(max(1, self.height()))
        free = 1 - 2 * EDGE
        across = width * free / (right - left) if right > left else width * free
        down = height * free / (bottom - top) if bottom > top else height * free
        if not self.data.is_graph:
            across = down = min(across, down)
        is_up = self.data.is_graph or (len(self._pyramids) == 3 and self.side is not PlotSide.TOP)
        middle = ((left + right) / 2, (top + bottom) / 2)
        if all(map(isfinite, (*middle, across, down))):
            self._move(PlotPlace(*middle, across, down, is_up, width, height))

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Show it larger or smaller; the point *about* of the widget stays where it is. A line only grows wider."""
        place = self._place
        about = about if about is not None else QPointF(place.width / 2, place.height / 2)
        both = len(self._pyramids) > 1
        across, down = place.across * factor, place.down * (factor if both else 1)
        if not (1e-300 < across < 1e15 and 1e-300 < down < 1e15):
            return
        x, y = place.to_data(about)
        turned = (about.y() - place.height / 2) / down
        self._fits = False
        middle_x = x - (about.x() - place.width / 2) / across
        middle_y = y + turned if place.is_up else y - turned
        self._move(PlotPlace(middle_x, middle_y, across, down, place.is_up, place.width, place.height))

    def pan(self, across: float, down: float) -> None:
        """Move what is seen by some pixels."""
        place = self._place
        middle = place.to_data(QPointF(place.width / 2 + across, place.height / 2 + down))
        self._fits = False
        self._move(PlotPlace(*middle, place.across, place.down, place.is_up, place.width, place.height))

    def turn(self, yaw: float, pitch: float) -> None:
        """Look from another angle, in radians."""
        self._orbit = Orbit(self._orbit.yaw + yaw, min(max(self._orbit.pitch + pitch, -1.57), 1.57))
        self.update()

    def _arrow(self, across: int, down: int) -> None:
        self.turn(TURN * across, TURN * down) if self._is_orbit else self.pan(PAN * across, PAN * down)

    def _move(self, place: PlotPlace) -> None:
        self._place = place
        self._all = None
        if self.mode in (PlotMode.POINTS, PlotMode.PATH):
            self._worker.stop()
            self._pause.start()
        self.update()
        self.counted.emit()

    # Beside the window

    def _prepare(self) -> None:
        """Count how often numbers come, where that is to be shown."""
        if self.mode is not PlotMode.HISTOGRAM or self._bins or not self._pyramids:
            return
        pyramid = self._pyramids[0]

        def work(goes_on: Progress) -> list[int] | None:
            try:
                return histogram(pyramid.column, *pyramid.whole, BINS, goes_on)
            except Cancelled:
                return None

        self._worker.start(work)

    def _count_all(self) -> None:
        if (
            not self._pyramids
            or len(self._pyramids) < 2
            or self._is_orbit
            or self.drawn_of <= 1
            or not self.isVisible()
        ):
            return
        cloud, place, ratio = self._cloud, self._place, self.devicePixelRatioF()
        width, height = round(place.width * ratio), round(place.height * ratio)

        def work(goes_on: Progress) -> tuple[PlotPlace, bytes, int, int] | None:
            try:
                return place, cloud.density(place.box, width, height, goes_on), width, height
            except Cancelled:
                return None

        self._worker.start(work)
        self.counted.emit()

    def _take(self, job: Job[object]) -> None:
        if job.error is not None:
            raise job.error
        if isinstance(job.result, list):
            self._bins = job.result
            self.fit()
        elif isinstance(job.result, tuple):
            place, counts, width, height = job.result
            self._all = place, self._picture(counts, width, height)
            self.drawn_of = 1
        self.update()
        self.counted.emit()

    def _picture(self, counts: bytes | bytearray, width: int, height: int) -> QImage:
        if self._place.is_up:
            counts = b"".join(counts[row * width : (row + 1) * width] for row in reversed(range(height)))
        found = dots(counts, width, height, self._colour)
        found.setDevicePixelRatio(self.devicePixelRatioF())
        return found

    # Painting

    @property
    def _colour(self) -> QColor:
        return self._theme.kind("number" if len(self._pyramids) == 1 else "vector").fg

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        if self.data is not None and self._pyramids:
            if not self._is_orbit:
                paint_grid(painter, self._place, self._theme, self.mode is PlotMode.LINE)
            self._paint_data(painter, self.data)
        painter.setPen(self._theme.ui.border)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._ring.is_shown:
            paint_focus(painter, QRectF(self.rect()), self._theme)
        painter.end()

    def _paint_data(self, painter: QPainter, data: PlotData) -> None:
        match self.mode:
            case PlotMode.LINE:
                self._paint_line(painter, data)
            case PlotMode.HISTOGRAM:
                self._paint_histogram(painter)
            case PlotMode.POINTS | PlotMode.PATH:
                self._paint_points(painter, data)
                self._paint_edges(painter, data)
        if self.mode is not PlotMode.HISTOGRAM:
            for index, role in ((self.hovered, "text_secondary"), (self.marked, "accent")):
                if 0 <= index < data.count:
                    self._paint_ring(painter, self._pixel(index), self._theme.named(role))

    def _pixel(self, index: int) -> QPointF:
        """Where a number or point is."""
        assert self.data is not None
        values = self.data.values(index)
        return self._place.to_pixel(*((index, values[0]) if len(values) == 1 else self._seen(values)))

    def _paint_ring(self, painter: QPainter, at: QPointF, colour: QColor) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(at, 6, 6)

    def _paint_line(self, painter: QPainter, data: PlotData) -> None:
        """For each pixel from the least to the greatest number in it; where there are few, from number to number."""
        place, pyramid = self._place, self._pyramids[0]
        box = place.box
        first, last = max(0, int(box.left) - 1), min(data.count, int(box.right) + 3)
        if last - first <= 2 * place.width:
            numbers = pyramid.column[first:last].tolist()
            points = [place.to_pixel(first + k, number) for k, number in enumerate(numbers) if number == number]
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            polyline(painter, points, QPen(self._colour, 1.2))
            if place.across > 12:
                painter.setPen(QPen(self._colour, 5, c=Qt.PenCapStyle.RoundCap))
                painter.drawPoints(points)
            return
        found: list[QLineF] = []
        before: tuple[float, float] | None = None
        for pixel in range(int(place.width) + 1):
            start = place.to_data(QPointF(pixel, 0))[0]
            span = pyramid.between(round(start), max(round(start) + 1, round(start + 1 / place.across)))
            if span is not None:
                low, high = span
                reach = (min(low, before[1]), max(high, before[0])) if before is not None else span
                top, bottom = place.to_pixel(0, reach[1]).y(), place.to_pixel(0, reach[0]).y()
                found.append(QLineF(pixel + 0.5, top, pixel + 0.5, max(bottom, top + 1)))
            before = span
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        lines(painter, found, QPen(self._colour, 1))

    def _paint_histogram(self, painter: QPainter) -> None:
        low, high = self._pyramids[0].whole
        width = (high - low) / BINS
        colour = QColor(self._colour)
        colour.setAlphaF(0.75)
        for k, count in enumerate(self._bins):
            if count:
                corner = self._place.to_pixel(low + k * width, count)
                foot = self._place.to_pixel(low + (k + 1) * width, 0)
                bar = QRectF(corner, QPointF(max(foot.x(), corner.x() + 1), foot.y()))
                bar.setTop(min(bar.top(), bar.bottom() - 1))
                painter.fillRect(bar.adjusted(0, 0, -0.5 if bar.width() > 3 else 0, 0), colour)

    def _paint_points(self, painter: QPainter, data: PlotData) -> None:
        place = self._place
        if self._all is not None and self._all[0] == place and self.mode is PlotMode.POINTS:
            painter.drawImage(QPointF(0, 0), self._all[1])
            return
        runs, step = self._samples(data)
        if step != self.drawn_of:
            self.drawn_of = step
            QTimer.singleShot(0, self, self.counted.emit)
        if self.mode is PlotMode.PATH:
            self._paint_path(painter, runs)
        xs = [x for run in runs for x in run[0]]
        ys = [y for run in runs for y in run[1]]
        if len(xs) <= MOST_ROUND:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._colour, 5 if len(xs) <= FEW else 3, c=Qt.PenCapStyle.RoundCap))
            painter.drawPoints([place.to_pixel(x, y) for x, y in zip(xs, ys, strict=True) if x == x and y == y])
            return
        ratio = self.devicePixelRatioF()
        width, height = round(place.width * ratio), round(place.height * ratio)
        painter.drawImage(QPointF(0, 0), self._picture(spread(xs, ys, place, width, height), width, height))

    def _samples(self, data: PlotData) -> tuple[list[tuple[list[float], list[float]]], int]:
        """Places of points that follow each other, and how many points stand for one."""
        if not self._is_orbit:
            numbers, step = self._cloud.sample(self._place.box, MOST_DRAWN)
            return [self._cloud.points(each) for each in numbers], step
        step = max(1, -(-data.count // (MOST_DRAWN // 2)))
        return [self._orbit.seen(*(column[::step].tolist() for column in data.columns))], step

    def _paint_path(self, painter: QPainter, runs: list[tuple[list[float], list[float]]]) -> None:
        place = self._place
        colour = QColor(self._colour)
        colour.setAlphaF(0.55)
        thin = max(1, sum(len(run[0]) for run in runs) // MOST_LINES)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for xs, ys in runs:
            points = [place.to_pixel(x, y) for x, y in zip(xs[::thin], ys[::thin], strict=True) if x == x and y == y]
            polyline(painter, points, QPen(colour, 1.2))

    def _paint_edges(self, painter: QPainter, data: PlotData) -> None:
        theme, place = self._theme, self._place
        colours = {
            EdgeRole.EDGE: self._colour,
            EdgeRole.X: theme.state("error").line,
            EdgeRole.Y: theme.state("ok").line,
            EdgeRole.Z: theme.ui.accent,
        }
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for role, colour in colours.items():
            found = [
                QLineF(place.to_pixel(*self._seen(edge.start)), place.to_pixel(*self._seen(edge.end)))
                for edge in data.edges
                if edge.role is role
            ]
            lines(painter, found, QPen(colour, 1.5 if role is EdgeRole.EDGE else 2.5))
            if role is not EdgeRole.EDGE and len(found) <= MOST_ROUND:
                painter.setPen(colour)
                for line in found:
                    painter.drawText(line.p2() + QPointF(4, -4), role.value)

    # What is meant

    def index_at(self, point: QPointF) -> int:
        """The number or point that a pixel means, -1 for none."""
        data, place = self.data, self._place
        if data is None or not self._pyramids or self.mode is PlotMode.HISTOGRAM:
            return -1
        x, y = place.to_data(point)
        if self.mode is PlotMode.LINE:
            return self._number_at(data, x, y)
        if not self._is_orbit:
            return self._cloud.nearest(x, y, REACH / place.across, REACH / place.down)
        (xs, ys), step = self._samples(data)[0][0], self._samples(data)[1]
        far = [(across - x) * (across - x) + (up - y) * (up - y) for across, up in zip(xs, ys, strict=True)]
        reach = REACH / place.across
        best = min(range(len(far)), key=far.__getitem__, default=-1)
        return best * step if best >= 0 and far[best] <= reach * reach else -1

    def _number_at(self, data: PlotData, x: float, y: float) -> int:
        """The number at a pixel: of many that share it, the one next to the mouse."""
        half = max(0.5, 0.5 / self._place.across)
        first, last = max(0, round(x - half)), min(data.count, round(x + half) + 1)
        if not -0.5 <= x <= data.count - 0.5 or first >= last:
            return -1
        step = max(1, (last - first) // MOST_DRAWN)
        numbers = self._pyramids[0].column[first:last:step].tolist()
        return first + step * min(range(len(numbers)), key=lambda k: abs(numbers[k] - y))

    def bin_words(self, point: QPointF) -> str:
        """What a bar of the histogram says, empty where there is none."""
        if self.mode is not PlotMode.HISTOGRAM or not self._bins:
            return ""
        low, high = self._pyramids[0].whole
        x = self._place.to_data(point)[0]
        k = int((x - low) / (high - low) * BINS) if high > low else 0
        if not (low <= x <= high and 0 <= k < BINS):
            return ""
        edges = [low + (high - low) * each / BINS for each in (k, k + 1)]
        return f"from {edges[0]:.6g} to {edges[1]:.6g}: {self._bins[k]}"

    def step(self, by: int) -> None:
        """Choose the number or point that is *by* further on, and bring it into view."""
        if self.data is None or self.mode is PlotMode.HISTOGRAM:
            return
        self.marked = min(max(0, self.marked + by), self.data.count - 1)
        at = self._pixel(self.marked)
        if not QRectF(self.rect()).contains(at):
            self.pan(at.x() - self.width() / 2, at.y() - self.height() / 2)
        self.pointed.emit(self.marked)
        self.update()

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(560, 380)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        place, size = self._place, event.size()
        if self._fits:
            self.fit()
        else:
            width, height = float(size.width()), float(size.height())
            self._move(PlotPlace(place.x, place.y, place.across, place.down, place.is_up, width, height))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._press = self._dragged = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._press, self._dragged = self._press, None, None
        self.unsetCursor()
        if pressed is not None and (event.position() - pressed).manhattanLength() <= DRAG:
            index = self.index_at(event.position())
            if index >= 0:
                self.mark(index)
                self.picked.emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._press is not None and self._dragged is not None:
            if (at - self._press).manhattanLength() > DRAG:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                moved = self._dragged - at
                self.turn(-moved.x() / 120, -moved.y() / 120) if self._is_orbit else self.pan(moved.x(), moved.y())
                self._dragged = at
            return
        index = self.index_at(at)
        if index != self.hovered:
            self.hovered = index
            self.update()
        self.pointed.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS:
            self.step(STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marked >= 0:
            self.picked.emit(self.marked)
        else:
            super().keyPressEvent(event)


def _axes_of(data: PlotData) -> tuple[int, tuple[str, str]]:
    """What the axes of a plot are: another one of these is not seen at the same place."""
    return len(data.columns), data.axes
