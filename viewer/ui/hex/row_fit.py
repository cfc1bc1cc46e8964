"""How wide the rows of the hex view are: what a person chose for them, and which rows fit into how much room."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFontMetricsF

from viewer.ui.hex.layout import ROW_WIDTHS, HexLayout, offset_digits
from viewer.ui.look.fonts import fixed_font_of, ui_pixels

ROW_HEIGHT = 20
ROW_RATIO = 1.54
SMALLEST, LARGEST = 9, 32


class RowFit:
    """What a person chose for the rows, and which of them fit.

    Where a *size* is asked for, it is that of the buffer in bytes: it decides how many digits an offset has.

    Attributes:
        row_width: 8, 16 or 32 bytes a row, 0 for as many as fit.
        zoom: pixels over the platform's font.
    """

    def __init__(self) -> None:
        self.row_width = 0
        self.zoom = 0

    def choose_row_width(self, columns: int) -> None:
        """Want so many bytes a row.

        Raises:
            ValueError: *columns* is not 0, 8, 16 or 32.
        """
        if columns not in (0, *ROW_WIDTHS):
            raise ValueError(f"{columns} bytes per row")
        self.row_width = columns

    def choose_zoom(self, zoom: int) -> bool:
        """Want a font larger than normal by *zoom* pixels, within reason; returns whether it is another one."""
        before = self.zoom
        self.zoom = min(max(zoom, SMALLEST - ui_pixels()), LARGEST - ui_pixels())
        return self.zoom != before

    def grid(self, font_height: int, columns: int, size: int) -> HexLayout:
        """Rows of so many bytes in a font of so many pixels."""
        return _grid(font_height, columns, offset_digits(size))

    def widest(self, room: int, size: int) -> tuple[int, HexLayout]:
        """The font height and the widest rows that fit; before sixteen become eight the font gives up a pixel."""
        height = ui_pixels() + self.zoom
        smaller = height - (self.zoom == 0)
        wanted = [(height, 32), (height, 16), (smaller, 16), (height, 8), (smaller, 8)]
        if self.row_width:
            wanted = [(height, self.row_width), (smaller, self.row_width)]
        for font_height, columns in wanted:
            grid = self.grid(font_height, columns, size)
            if grid.width <= room + 1:
                return font_height, grid
        return font_height, grid

    def width(self, columns: int, size: int, compact: bool = False) -> int:
        """The width of rows of so many bytes; *compact* is one pixel less of font."""
        return int(self.grid(ui_pixels() + self.zoom - compact, columns, size).width) + 1

    def width_within(self, room: int, size: int) -> int:
        """The width of the longest rows that *room* has place for, all of *room* where not even the shortest fit."""
        if self.row_width:
            return min(self.width(self.row_width, size), room)
        small = (self.width(columns, size, compact) for columns in (16, 8) for compact in (False, True))
        return next((width for width in small if width <= room), room)


@cache
def _grid(font_height: int, columns: int, digits: int) -> HexLayout:
    """A grid, made once: the window asks for widths a hundred times before its first frame."""
    normal = font_height in (ui_pixels(), ui_pixels() - 1) and ui_pixels() == 13
    row = ROW_HEIGHT if normal else round(font_height * ROW_RATIO)
    return HexLayout(_advance(font_height), row, columns, digits)


@cache
def _advance(font_height: int) -> float:
    """The width of a digit, a fraction of a pixel included."""
    return QFontMetricsF(fixed_font_of(font_height)).horizontalAdvance("0" * 64) / 64
