"""The place in the window where a file is looked at byte by byte: its bytes, or the text that they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QStackedWidget

from viewer.ui.hex.view import HexView

if TYPE_CHECKING:
    from viewer.ui.text.line_view import TextView


class BytesPane(QStackedWidget):
    """Shows one of both; the text view is built when it is first wanted.

    Args:
        hex_view: the bytes.

    Signals:
        zoom_changed: the zoom in pixels over the normal font (int).
        turned: the other one is shown.
    """

    zoom_changed = Signal(object)
    turned = Signal()

    def __init__(self, hex_view: HexView) -> None:
        super().__init__()
        self._hex = hex_view
        self._build: Callable[[], TextView] | None = None
        self._text: TextView | None = None
        self.addWidget(hex_view)
        hex_view.zoom_changed.connect(self._share_zoom)

    @property
    def shows_text(self) -> bool:
        """Whether the text is shown."""
        return self._text is not None and self.currentWidget() is self._text

    @property
    def current(self) -> HexView | TextView:
        """What is shown."""
        return self._text if self._text is not None and self.shows_text else self._hex

    @property
    def text_in_use(self) -> TextView | None:
        """The view of the text where it has the keys, else None."""
        return self._text if self._text is not None and self._text.hasFocus() else None

    def set_builder(self, build: Callable[[], TextView]) -> None:
        """Tell what builds the view of a text when one is shown."""
        self._build = build

    def show_text(self, shown: bool) -> None:
        """Show the text, or the bytes; who had the keys has them still."""
        if shown == self.shows_text or self._build is None:
            return
        had_focus = self.current.hasFocus()
        if self._text is None:
            self._text = self._build()
            self._text.set_zoom(self._hex.zoom)
            self._text.zoom_requested.connect(self._hex.set_zoom)
            self.addWidget(self._text)
        self.setCurrentWidget(self._text if shown else self._hex)
        self.setFocusProxy(self.current)
        if had_focus:
            self.current.setFocus()
        self.turned.emit()

    def width_within(self, room: int) -> int:
        """The width that is best for what is shown, where there is place for so much."""
        return self._text.width_within(room) if self._text and self.shows_text else self._hex.width_within(room)

    def _share_zoom(self, zoom: int) -> None:
        if self._text is not None:
            self._text.set_zoom(zoom)
        self.zoom_changed.emit(zoom)

    # Qt

    def minimumSizeHint(self) -> QSize:
        return self.current.minimumSizeHint()

    def sizeHint(self) -> QSize:
        return self.current.sizeHint()
