"""Type chips and colour swatches: the two small marks that stand before a value."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.ui.look.fonts import fixed_font_of
from viewer.ui.look.palette import Theme

WIDTH = 26
HEIGHT = 16
RADIUS = 4
SWATCH_RADIUS = 2.5
LETTER_PIXELS = (11, 11, 10, 8)


def paint_chip(
    painter: QPainter,
    rect: QRectF,
    letters: str,
    group: str | None,
    theme: Theme,
    *,
    recovered: bool = False,
    gap: bool = False,
    error: bool = False,
) -> None:
    """Paint a chip centred in *rect*.

    Args:
        letters: one to four of them, the row's ``chip`` in ``shapes.toml``.
        group: the kind group that gives the tint.
        recovered: a guess, with a dashed edge.
        gap: bytes that nobody claims, hatched and without letters.
        error: a value the engine refuses, tinted as an error.
    """
    chip = QRectF(0, 0, WIDTH, HEIGHT)
    chip.moveCenter(rect.center())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if gap:
        _paint_gap(painter, chip, theme)
    else:
        tint = theme.state("error") if error else theme.kind(group)
        _paint_surface(painter, chip, tint.bg, tint.fg, recovered)
        _paint_letters(painter, chip, letters, tint.fg)
    painter.restore()


def paint_swatch(painter: QPainter, rect: QRectF, rgba: tuple[float, float, float, float], theme: Theme) -> None:
    """Paint a colour: a checkerboard under alpha, a black corner when a channel is brighter than full (HDR)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    red, green, blue, alpha = (_channel(value) for value in rgba)
    painter.setPen(Qt.PenStyle.NoPen)
    if alpha < 1:
        from viewer.ui.look import patterns

        painter.setBrushOrigin(rect.topLeft())
        painter.setBrush(patterns.checkerboard("#ffffff", "#c2c7ce", _ratio(painter)))
        painter.drawRoundedRect(edge, SWATCH_RADIUS, SWATCH_RADIUS)
    painter.setBrush(QColor.fromRgbF(red, green, blue, alpha))
    painter.drawRoundedRect(edge, SWATCH_RADIUS, SWATCH_RADIUS)
    if max(rgba[:3]) > 1:
        corner = [edge.topRight() - QPointF(rect.width() / 2, 0), edge.topRight()]
        painter.setBrush(Qt.GlobalColor.black)
        painter.drawPolygon([*corner, edge.topRight() + QPointF(0, rect.height() / 2)])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.ui.border_strong, 1))
    painter.drawRoundedRect(edge, SWATCH_RADIUS, SWATCH_RADIUS)
    painter.restore()


def _channel(value: float) -> float:
    """A channel as a screen can show it; what is no number shows as none."""
    return min(max(value, 0.0), 1.0) if value == value else 0.0


def _ratio(painter: QPainter) -> float:
    device = painter.device()
    return device.devicePixelRatio() if device else 1.0


def _paint_surface(painter: QPainter, chip: QRectF, surface: QColor, edge: QColor, recovered: bool) -> None:
    painter.setBrush(surface)
    painter.setPen(_dashed(edge) if recovered else _edge(edge))
    painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS - 0.5, RADIUS - 0.5)


def _edge(colour: QColor) -> QPen:
    """A breath of the letters' colour, so that the palest chips keep a shape on white."""
    faint = QColor(colour)
    faint.setAlphaF(0.22)
    return QPen(faint, 1)


def _dashed(colour: QColor) -> QPen:
    pen = QPen(colour, 1)
    pen.setDashPattern([3, 2])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _paint_letters(painter: QPainter, chip: QRectF, letters: str, colour: QColor) -> None:
    painter.setFont(fixed_font_of(LETTER_PIXELS[min(len(letters), len(LETTER_PIXELS)) - 1], strong=True))
    painter.setPen(colour)
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, letters)


def _paint_gap(painter: QPainter, chip: QRectF, theme: Theme) -> None:
    from viewer.ui.look import patterns  # few files have gaps

    tint = theme.structure("gap")
    painter.setPen(Qt.PenStyle.NoPen)
    for brush in (tint.bg, patterns.fine_hatch(tint.line, _ratio(painter))):
        painter.setBrush(brush)
        painter.drawRoundedRect(chip, RADIUS, RADIUS)
