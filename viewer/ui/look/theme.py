"""Light, dark, or as the system says: the one who dresses the application, which has Qt's Fusion style already."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from viewer.ui.look import palette
from viewer.ui.look.fonts import ui_font
from viewer.ui.look.palette import DARK, LIGHT, Theme
from viewer.ui.look.style_sheet import style_sheet

SYSTEM = "system"
CHOICES = (SYSTEM, LIGHT, DARK)
SCHEMES = {LIGHT: Qt.ColorScheme.Light, DARK: Qt.ColorScheme.Dark}


class ThemeController(QObject):
    """Applies fonts, palette and style sheet, and follows the system unless a person chose.

    Args:
        app: what is dressed.
        choice: ``system``, ``light`` or ``dark``; anything else counts as ``system``.

    Signals:
        changed: the new Theme, after it was applied.
    """

    changed = Signal(object)

    def __init__(self, app: QApplication, choice: str = SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice if choice in CHOICES else SYSTEM
        app.setFont(ui_font())
        self._tell_platform()
        self._theme = palette.theme(self._wanted())
        self._apply()
        app.styleHints().colorSchemeChanged.connect(self._update)

    @property
    def theme(self) -> Theme:
        """The theme that is shown."""
        return self._theme

    @property
    def choice(self) -> str:
        """What was chosen: ``system``, ``light`` or ``dark``."""
        return self._choice

    def choose(self, choice: str) -> None:
        """Follow the system, or overrule it.

        Raises:
            ValueError: the choice is none of CHOICES.
        """
        if choice not in CHOICES:
            raise ValueError(choice)
        self._choice = choice
        self._tell_platform()
        self._update()

    def _tell_platform(self) -> None:
        """Ask for window frames and native dialogs that fit."""
        hints = self._app.styleHints()
        if self._choice == SYSTEM:
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(SCHEMES[self._choice])

    def _wanted(self) -> str:
        if self._choice != SYSTEM:
            return self._choice
        return DARK if self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT

    def _update(self) -> None:
        theme = palette.theme(self._wanted())
        if theme is not self._theme:
            self._theme = theme
            self._apply()
            self.changed.emit(theme)

    def _apply(self) -> None:
        self._app.setPalette(qt_palette(self._theme))
        self._app.setStyleSheet(style_sheet(self._theme))


def qt_palette(theme: Theme) -> QPalette:
    """The theme as Qt's own palette, for all that no style sheet reaches."""
    ui, role = theme.ui, QPalette.ColorRole
    result = QPalette()
    colours: dict[QPalette.ColorRole, QColor] = {
        role.Window: ui.panel,
        role.WindowText: ui.text,
        role.Base: ui.base,
        role.AlternateBase: ui.panel,
        role.Text: ui.text,
        role.PlaceholderText: ui.text_secondary,
        role.Button: ui.raised,
        role.ButtonText: ui.text,
        role.BrightText: ui.accent_text,
        role.Highlight: ui.accent,
        role.HighlightedText: ui.accent_text,
        role.Accent: ui.accent,
        role.Link: ui.accent,
        role.LinkVisited: ui.accent,
        role.ToolTipBase: ui.raised,
        role.ToolTipText: ui.text,
        role.Light: ui.raised,
        role.Midlight: ui.hover,
        role.Mid: ui.border,
        role.Dark: ui.border_strong,
        role.Shadow: ui.border_strong,
    }
    for name, colour in colours.items():
        result.setColor(name, colour)
    for name in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.PlaceholderText):
        result.setColor(QPalette.ColorGroup.Disabled, name, ui.disabled)
    result.setColor(QPalette.ColorGroup.Disabled, role.Highlight, ui.selection_inactive)
    return result
