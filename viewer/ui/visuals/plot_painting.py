"""Pieces of a plot's picture: the grid with its numbers, dots of very many points, and the way from data to pixels."""

from __future__ import annotations

from math import ceil, cos, floor, log, log10, sin

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from viewer.base.record import dataclass
from viewer.document.visuals.min_max_pyramid import PlotBox
from viewer.document.visuals.plot_data import Point
from viewer.ui.look.fonts import Size, fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_line

TICK = 90
"""Pixels between two lines of the grid, at least."""
FAINTEST, FULL = 110, 255
LEAST_SPAN = 1e-12


@dataclass(frozen=True, slots=True)
class PlotPlace:
    """What of a plot is seen.

    Args:
        x, y: the middle of the widget, in the numbers of the data.
        across, down: pixels for one of both axes, positive.
        is_up: whether the second axis grows upwards.
        width, height: of the widget, in pixels.
    """

    x: float
    y: float
    across: float
    down: float
    is_up: bool
    width: float
    height: float

    def to_pixel(self, x: float, y: float) -> QPointF:
        """Where a point of the data is on the widget, bounded to what a painter can take."""
        turned = self.y - y if self.is_up else y - self.y
        return QPointF(
            _bounded((x - self.x) * self.across + self.width / 2), _bounded(turned * self.down + self.height / 2)
        )

    def to_data(self, point: QPointF) -> tuple[float, float]:
        """The point of the data under a pixel."""
        turned = (point.y() - self.height / 2) / self.down
        return (point.x() - self.width / 2) / self.across + self.x, self.y - turned if self.is_up else self.y + turned

    @property
    def box(self) -> PlotBox:
        """The rectangle of the data that is seen."""
        half_x, half_y = self.width / 2 / self.across, self.height / 2 / self.down
        return PlotBox(self.x - half_x, self.y - half_y, self.x + half_x, self.y + half_y)


def _bounded(pixel: float) -> float:
    return min(max(pixel, -1e6), 1e6)


def ticks(low: float, high: float, pixels: float, least: float = 0.0) -> list[float]:
    """Round numbers from *low* to *high*, about :data:`TICK` pixels from each other, and no closer than *least*."""
    span = high - low
    if not LEAST_SPAN < span < 1e300 or pixels < 1:
        return []
    rough = span * TICK / pixels
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    step = max(step, least)
    first, last = ceil(low / step), floor(high / step)
    return [k * step for k in range(first, last + 1)] if last - first < 100 else []


def tick_text(number: float) -> str:
    """A number beside a line of the grid."""
    return f"{number:.6g}"


def paint_grid(painter: QPainter, place: PlotPlace, theme: Theme, counts: bool = False) -> None:
    """Paint the lines of round numbers, these beside them, and the axes stronger; *counts* where x is a place."""
    box, font = place.box, fixed_font(Size.SMALL)
    for is_across, numbers in (
        (True, ticks(box.left, box.right, place.width, 1.0 if counts else 0.0)),
        (False, ticks(box.top, box.bottom, place.height)),
    ):
        for number in numbers:
            at = place.to_pixel(number, number)
            line = QRectF(round(at.x()), 0, 1, place.height) if is_across else QRectF(0, round(at.y()), place.width, 1)
            painter.fillRect(line, theme.ui.border_strong if abs(number) < LEAST_SPAN else theme.ui.border)
            text, is_last = tick_text(number), False
            if is_across:
                words = QRectF(at.x() + 3, place.height - 16, TICK, 14)
                is_last = words.left() + QFontMetricsF(font).horizontalAdvance(text) > place.width
                words = words.translated(-6 - TICK, 0) if is_last else words
            else:
                words = QRectF(4, at.y() - 15 if at.y() >= 15 else at.y() + 2, TICK, 14)
            if is_across or at.y() < place.height - 20:
                paint_line(painter, words, text, font, theme.ui.text_secondary, right=is_last)


def dots(counts: bytes | bytearray, width: int, height: int, colour: QColor) -> QImage:
    """The picture of points by how many of them lie in each pixel."""
    most = max(counts.translate(None, b"\0"), default=0)  # nearly all are 0
    scale = (FULL - FAINTEST) / log(most) if most > 1 else 0.0
    red, green, blue = colour.red(), colour.green(), colour.blue()
    image = QImage(bytes(counts), width, height, width, QImage.Format.Format_Indexed8).copy()
    alphas = [0] + [FULL if most <= 1 else min(FULL, round(FAINTEST + scale * log(k))) for k in range(1, 256)]
    image.setColorTable([alpha << 24 | red << 16 | green << 8 | blue for alpha in alphas])
    return image


def spread(xs: list[float], ys: list[float], place: PlotPlace, width: int, height: int) -> bytearray:
    """Dots of two by two pixels at some points, on a picture of the whole widget."""
    found = bytearray(width * height)
    across, down = place.across * width / place.width, place.down * height / place.height
    left, top = place.box.left, place.box.top
    right, bottom = width - 1, height - 1
    for x, y in zip(xs, ys, strict=True):
        column, row = (x - left) * across, (y - top) * down
        if 0 <= column < right and 0 <= row < bottom:
            at = int(row) * width + int(column)
            found[at] = found[at + 1] = found[at + width] = found[at + width + 1] = 1
    return found


def polyline(painter: QPainter, points: list[QPointF], pen: QPen) -> None:
    """Paint lines from point to point."""
    if len(points) > 1:
        painter.setPen(pen)
        painter.drawPolyline(points)


def lines(painter: QPainter, found: list[QLineF], pen: QPen) -> None:
    """Paint lines by themselves."""
    if found:
        painter.setPen(pen)
        painter.drawLines(found)


@dataclass(frozen=True, slots=True)
class Orbit:
    """A look at points in space from any side; angles in radians."""

    yaw: float
    pitch: float

    def seen(self, xs: list[float], ys: list[float], zs: list[float]) -> tuple[list[float], list[float]]:
        """The points as seen: to the right, and up."""
        cos_yaw, sin_yaw, cos_pitch, sin_pitch = cos(self.yaw), sin(self.yaw), cos(self.pitch), sin(self.pitch)
        across = [cos_yaw * x + sin_yaw * z for x, z in zip(xs, zs, strict=True)]
        up = [cos_pitch * y - sin_pitch * (cos_yaw * z - sin_yaw * x) for x, y, z in zip(xs, ys, zs, strict=True)]
        return across, up

    def seen_point(self, point: Point) -> tuple[float, float]:
        """One point as seen."""
        (across,), (up,) = self.seen([point[0]], [point[1]], [point[2]])
        return across, up
