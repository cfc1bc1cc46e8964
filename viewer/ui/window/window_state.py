"""What a window takes over from its last run: its place and shape, the panes, zoom, bytes a row, theme."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow

from viewer.ui.look.theme import ThemeController
from viewer.ui.settings import PaneWidths, Settings
from viewer.ui.viewport import fit_screen
from viewer.ui.window.parts import Parts
from viewer.ui.window.split_window import SIZE
from viewer.ui.window.work_area import PaneLayout

FORMS = (PaneLayout.WIDE, PaneLayout.NARROW)
"""Those that have panes beside each other."""


class WindowState:
    """Restores a window, and keeps what a person chooses in it.

    Args:
        window: whose place and shape it is.
        parts: its panes.
        theme: follows the choice of a theme.
        settings: where it is kept, None to restore and keep nothing.
        stands_alone: whether the window is one of the system, and no view in one.
    """

    def __init__(
        self,
        window: QMainWindow,
        parts: Parts,
        theme: ThemeController,
        settings: Settings | None,
        stands_alone: bool = True,
    ) -> None:
        self._window, self._parts, self._theme, self._settings = window, parts, theme, settings
        self._stands_alone = stands_alone
        parts.hex.zoom_changed.connect(self._keep_zoom)
        parts.work.dragged.connect(self._keep_widths)
        parts.work.bottom_dragged.connect(self._keep_bottom)

    def restore(self) -> None:
        """Give the window the shape it had, before it is shown."""
        fit_screen(self._window, SIZE)
        if self._settings is not None:
            if self._stands_alone:
                self._window.restoreGeometry(self._settings.state("geometry"))
            self._parts.hex.set_row_width(self._settings.row_width)
            self._parts.hex.set_zoom(self._settings.zoom)
            self._parts.hex.show_utf8(self._settings.flag("utf8", default=False))
            self._parts.work.show_inspector(self._settings.flag("inspector", default=True))
            for form in FORMS:
                self._parts.work.set_widths(form, self._settings.pane_widths(form.name.lower()))
            self._parts.work.set_bottom_height(self._settings.bottom_height)

    def keep_shape(self) -> None:
        """Remember the shape of the window, and whether it has an inspector."""
        if self._settings is not None:
            self._settings.keep_state("geometry", self._window.window().saveGeometry())
        self.keep_inspector()

    def keep_inspector(self) -> None:
        """Remember whether the inspector is shown, where there is room for it."""
        if self._settings is not None and self._parts.work.form is PaneLayout.WIDE:
            self._settings.keep_flag("inspector", self._parts.work.inspector_shown)

    def choose_theme(self, name: str) -> None:
        """Wear another theme, in later runs too."""
        self._theme.choose(name)
        if self._settings is not None:
            self._settings.theme = name

    def choose_row_width(self, columns: int) -> None:
        """Show so many bytes a row, in later runs too."""
        self._parts.hex.set_row_width(columns)
        self._parts.work.share_width()
        if self._settings is not None:
            self._settings.row_width = columns

    def switch_utf8(self) -> None:
        """Show signs of UTF-8 in the text column, or no longer, in later runs too."""
        self._parts.hex.show_utf8(not self._parts.hex.shows_utf8)
        if self._settings is not None:
            self._settings.keep_flag("utf8", self._parts.hex.shows_utf8)

    def _keep_widths(self, form: PaneLayout, widths: PaneWidths) -> None:
        """Remember the widths of the panes as soon as they are dragged: they are those of the next view too."""
        if self._settings is not None:
            self._settings.keep_pane_widths(form.name.lower(), widths)

    def _keep_bottom(self, height: int) -> None:
        if self._settings is not None:
            self._settings.bottom_height = height

    def _keep_zoom(self, pixels: int) -> None:
        if self._settings is not None:
            self._settings.zoom = pixels
