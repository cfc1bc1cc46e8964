"""The still half of the hex view: what it shows in its rows, where the caret stands, what is selected."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from viewer.base.span import Span
from viewer.ui.hex.caret import HexCaret
from viewer.ui.hex.glyphs import HexGlyphs
from viewer.ui.hex.layout import HexLayout
from viewer.ui.hex.page import Focus, HexPage, read_page
from viewer.ui.hex.paint import HexPainter
from viewer.ui.hex.rows import SPARE_ROWS, HexRows
from viewer.ui.hex.source import HexSource, PartTint
from viewer.ui.look.fonts import fixed_font_of, ui_font
from viewer.ui.look.palette import Theme

EMPTY = "This file is empty."


class HexCanvas(HexRows):
    """Shows a HexSource, with a caret, an outlined item and a byte selection.

    Signals (offsets travel as objects, an int signal would cut them to 32 bits):
        selection_changed: Span or None, the selected bytes.
    """

    selection_changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._item: Span | None = None
        self._parts: tuple[PartTint, ...] = ()
        self._hovered: Span | None = None
        self._glyphs: HexGlyphs | None = None
        self._glyphs_key: tuple[int, HexLayout, int] | None = None
        self.caret = HexCaret()

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

    # What the owner may ask

    @property
    def selection(self) -> Span | None:
        """The selected bytes; the place behind the last one is none."""
        found = self.caret.selection
        if found is None or found.end <= self.size_of_source:
            return found
        return Span(found.start, self.size_of_source) if found.start < self.size_of_source else None

    @property
    def insert_mode(self) -> bool:
        """Whether the caret stands between bytes, as a bar."""
        return self._insert

    @insert_mode.setter
    def insert_mode(self, value: bool) -> None:
        self._insert = value
        self.caret.clamp(self.last_offset)
        self._arrange()

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

    # Inside

    def _after_caret(self, before: Span | None) -> None:
        """Show the caret's place; tell when the selection is no longer *before*."""
        self.viewport().update()
        if self.selection != before:
            self.selection_changed.emit(self.selection)

    def _ready_glyphs(self) -> HexGlyphs:
        """The glyphs of as many rows as can ever be in view, kept until font or grid change."""
        key = (self._font_height, self._grid, self.viewport().height() // self._grid.row_height + SPARE_ROWS)
        if self._glyphs is None or key != self._glyphs_key:
            self._glyphs = HexGlyphs(fixed_font_of(self._font_height), self._grid, key[2])
            self._glyphs_key = key
        return self._glyphs

    # Qt

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
