"""Fonts: the platform's own UI font and fixed font, in the few sizes the window uses. Nothing is bundled.

The platform is asked once for each: hundreds of widgets ask for the same few, and asking costs more than copying.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

BASE = 13
MONOSPACE = ("SF Mono", "Menlo", "Cascadia Mono", "Consolas", "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono")


class Size(Enum):
    """A size by its use; the value is in pixels where the platform's UI font has 13."""

    SMALL = 11
    SECONDARY = 12
    UI = 13
    TITLE = 18


@cache
def ui_pixels() -> int:
    """The height of the platform's UI font in logical pixels, 13 at least."""
    return max(BASE, QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).pixelSize())


def pixels(size: Size) -> int:
    """A size in logical pixels on this platform."""
    return round(ui_pixels() * size.value / BASE)


def scaled(length: float) -> int:
    """A length that fits a UI font of 13 pixels, in logical pixels for that of this platform."""
    return round(length * ui_pixels() / BASE)


def ui_font(size: Size = Size.UI, strong: bool = False) -> QFont:
    """The platform's UI font; *strong* is weight 600."""
    return QFont(_general(pixels(size), strong))


def fixed_font(size: Size = Size.UI, strong: bool = False) -> QFont:
    """The platform's fixed-width font, for values, offsets, paths and bytes."""
    return fixed_font_of(pixels(size), strong)


def fixed_font_of(height: int, strong: bool = False) -> QFont:
    """The fixed-width font at *height* logical pixels, for what can be zoomed."""
    return QFont(_fixed(height, strong))


@cache
def _general(height: int, strong: bool) -> QFont:
    return _sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont), height, strong)


@cache
def _fixed(height: int, strong: bool) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if not QFontInfo(font).fixedPitch():
        font.setFamilies([font.family(), *MONOSPACE])
        font.setStyleHint(QFont.StyleHint.Monospace)
    return _sized(font, height, strong)


def _sized(font: QFont, height: int, strong: bool) -> QFont:
    font.setPixelSize(height)
    font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
    return font
