"""Icons: our own drawings, coloured from the palette and drawn anew for every size and device pixel ratio."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from viewer.base import assets
from viewer.ui.look.palette import Theme

DEFAULT_ROLE = "text_secondary"
DISABLED_ROLE = "disabled"
SIZES = (16, 32)


def icon(name: str, theme: Theme, role: str = DEFAULT_ROLE) -> QIcon:
    """The icon *name* in a colour role (``text_secondary``, ``state.error.line``); a disabled one is pale by itself.

    It holds the drawing for every pixel ratio of the screens there are now.

    Raises:
        FileNotFoundError: there is no such drawing.
    """
    ratios = sorted({1.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())})
    return _icon(name, theme, role, tuple(ratios))


@cache
def _icon(name: str, theme: Theme, role: str, ratios: tuple[float, ...]) -> QIcon:
    result = QIcon()
    for ratio in ratios:
        for size in SIZES:
            result.addPixmap(pixmap(name, theme, size, ratio, role))
        result.addPixmap(pixmap(name, theme, SIZES[0], ratio, DISABLED_ROLE), QIcon.Mode.Disabled)
    return result


@cache
def pixmap(name: str, theme: Theme, size: int, ratio: float = 1.0, role: str = DEFAULT_ROLE) -> QPixmap:
    """One drawing of *size* logical pixels, sharp at the device pixel *ratio*."""
    result = QPixmap(round(size * ratio), round(size * ratio))
    result.setDevicePixelRatio(ratio)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    draw(painter, name, theme, QRectF(0, 0, size, size), role)
    painter.end()
    return result


def draw(painter: QPainter, name: str, theme: Theme, rect: QRectF, role: str = DEFAULT_ROLE) -> None:
    """Paint an icon into *rect* of any painter, at the painter's own resolution."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _renderer(name, theme.named(role).name()).render(painter, rect)
    painter.restore()


def names() -> list[str]:
    """All icons there are."""
    return [name.removesuffix(".svg") for name in assets.names("icons") if name.endswith(".svg")]


@cache
def _renderer(name: str, colour: str) -> QSvgRenderer:
    svg = assets.text("icons", f"{name}.svg").replace("currentColor", colour)
    return QSvgRenderer(QByteArray(svg.encode()))
