"""Light, dark, or as the system says: what colours the application, which has Qt's Fusion style already."""

from __future__ import annotations

from pathlib import Path
from string import Template

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from viewer.base import assets
from viewer.base.record import fields
from viewer.ui.look import palette
from viewer.ui.look.fonts import ui_font
from viewer.ui.look.palette import DARK, LIGHT, Theme

# The application's style sheet: shapes and measures here, colours by role from the theme.

SHEET = Template("""
QMainWindow, QDialog { background: $panel; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolTip { background: $raised; color: $text; border: 1px solid $border_strong; padding: 3px 6px; }

QMenuBar { background: $panel; padding: 2px 8px; }
QMenuBar::item { background: transparent; padding: 3px 11px; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }
QMenuBar::item:pressed { background: $selection; }
QMenu { background: $raised; border: 1px solid $border; padding: 4px; }
QMenu::item { background: transparent; padding: 5px 24px 5px 28px; border-radius: 4px; }
QMenu::item:selected { background: $selection; color: $text; }
QMenu::item:disabled { color: $disabled; background: transparent; }
QMenu::icon { left: 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 8px; }
QMenu::separator { height: 1px; background: $border_strong; margin: 4px 8px; }

QToolBar { background: $panel; border: none; border-bottom: 1px solid $border; spacing: 2px; padding: 3px 6px; }
QToolBar::separator { width: 1px; background: $border_strong; margin: 8px 4px; }
QToolButton { background: transparent; border: 2px solid transparent; border-radius: 4px; padding: 4px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed { background: $selection; }
QToolButton:focus { border-color: $focus; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; width: 0; }

QCheckBox::indicator:unchecked, QAbstractItemView::indicator:unchecked {
    width: 12px; height: 12px; border: 1px solid $border_strong; border-radius: 2px;
}

QPushButton {
    background: $base; color: $text; border: 1px solid $border_strong; border-radius: 4px;
    min-height: 26px; min-width: 56px; padding: 0 14px;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $selection; }
QPushButton:focus { border: 2px solid $focus; min-height: 24px; padding: 0 13px; }
QPushButton:disabled { color: $disabled; border-color: $border; background: $panel; }
QPushButton:default { background: $accent; color: $accent_text; border-color: $accent; font-weight: 600; }
QPushButton:default:hover { background: $accent_hover; }
QPushButton:default:pressed { background: $accent_pressed; }
QPushButton:default:focus { border: 2px solid $text; min-height: 24px; padding: 0 13px; }
QPushButton:default:disabled { background: $panel; color: $disabled; border-color: $border; }

QLineEdit, QPlainTextEdit, QTextEdit {
    background: $base; color: $text; border: 1px solid $border_strong; border-radius: 4px;
    selection-background-color: $accent; selection-color: $accent_text;
}
QLineEdit { min-height: 26px; padding: 0 7px; }
QLineEdit:focus { border: 2px solid $focus; min-height: 24px; padding: 0 6px; }
QLineEdit[invalid="true"] { border: 2px solid $error; min-height: 24px; padding: 0 6px; }
QLineEdit:disabled { color: $disabled; border-color: $border; background: $panel; }
QLineEdit:read-only { background: $panel; }
QLineEdit[frame="false"] { background: transparent; border: none; min-height: 0; padding: 0; }
QAbstractItemView QLineEdit, QAbstractItemView QLineEdit[frame="false"] {
  background: $base; border: 2px solid $focus; min-height: 0; padding: 0 4px;
}
QAbstractItemView QLineEdit[invalid="true"] { border: 2px solid $error; min-height: 0; padding: 0 4px; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $focus; }
QDialog QTableView, QWidget[objectName="shortcutsArea"] { border: 2px solid transparent; }
QDialog QTableView:focus, QWidget[objectName="shortcutsArea"]:focus { border-color: $focus; }
QDialog QTableView[objectName="packedGrid"] { border: 1px solid $border; margin: 1px; }
QDialog QTableView[objectName="packedGrid"]:focus { border: 2px solid $focus; margin: 0; }
QAbstractSpinBox { min-height: 22px; }
QComboBox {
    background: $base; color: $text; border: 1px solid $border_strong; border-radius: 4px;
    min-height: 26px; padding: 0 0 0 7px;
}
QComboBox:hover { background: $hover; }
QComboBox:focus { border: 2px solid $focus; min-height: 24px; padding: 0 0 0 6px; }
QComboBox:disabled { color: $disabled; border-color: $border; background: $panel; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox QAbstractItemView { border: 1px solid $border_strong; }

QAbstractItemView {
    background: $base; border: none; outline: none;
    selection-background-color: $selection; selection-color: $text;
}
QTreeView::item, QListView::item, QTableView::item { min-height: 24px; }
QHeaderView { background: $panel; border: none; }
QHeaderView::section {
    background: $panel; color: $text_secondary; border: none; border-bottom: 1px solid $border;
    height: 25px; padding: 0 6px; font-weight: 400;
}
QTableCornerButton::section { background: $panel; border: none; border-bottom: 1px solid $border; }

QTabWidget::pane { border: none; border-top: 1px solid $border; }
QTabBar { background: $panel; }
QTabBar::tab {
    background: transparent; color: $text_secondary; border: none; border-bottom: 2px solid transparent;
    height: 26px; padding: 0 12px;
}
QTabBar::tab:hover { background: $hover; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:focus { border-bottom-color: $focus; background: $hover; }

QSplitter { background: $base; }
QSplitter::handle { background: $border; }
QSplitter::handle:horizontal { margin: 0 3px; }
QSplitter::handle:vertical { margin: 3px 0; }
QSplitter::handle:hover { background: $border_strong; }
QSplitter::handle:pressed { background: $accent; }

QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $border_strong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $text_secondary; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: $base; border: none; }

QStatusBar { background: $panel; border-top: 1px solid $border; min-height: 25px; }
QStatusBar::item { border: none; }
QProgressBar { background: $selection_inactive; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
""")

DRAWN = Template("""
QMenu::indicator:checked { image: url("drawings:$folder/check.svg"); }
QMenu::right-arrow { image: url("drawings:$folder/chevron-right.svg"); width: 12px; height: 12px; right: 6px; }
QComboBox::down-arrow { image: url("drawings:$folder/chevron-down.svg"); width: 12px; height: 12px; }
QAbstractItemView::indicator:checked {
    image: url("drawings:$folder/check.svg"); width: 12px; height: 12px;
    border: 1px solid $border_strong; border-radius: 2px;
}
""")
"""What is drawn from files, and by Qt's own style where there are none: in a zip."""
DRAWINGS = "drawings"
"""What the sheet calls the folder of the drawings."""
SHEET_DRAWINGS = {"check": "text", "chevron-right": "text_secondary", "chevron-down": "text_secondary"}
"""The drawings that the sheet names, with their colours; ``tools/make_icons.py`` writes them for each theme."""


def style_sheet(theme: Theme) -> str:
    """The sheet in the colours of a theme; Qt is told where the drawings lie that it names."""
    roles = {field.name: getattr(theme.ui, field.name).name() for field in fields(theme.ui)}
    accent = theme.ui.accent
    sheet = SHEET.substitute(
        roles,
        error=theme.state("error").line.name(),
        accent_hover=accent.lighter(110).name(),
        accent_pressed=accent.darker(112).name(),
    )
    icons, folder = assets.root().joinpath("icons"), DARK if theme.is_dark else LIGHT
    if isinstance(icons, Path) and icons.joinpath(folder).is_dir():
        QDir.setSearchPaths(DRAWINGS, [str(icons.resolve())])  # no name of a folder has to be spelled in the sheet
        sheet += DRAWN.substitute(roles, folder=folder)
    return sheet


FRAMED = ("QAbstractSpinBox",)
"""Classes whose frame Fusion draws in a darker shade of the window, which nobody sees on dark."""
FUSION_DARKER = 140
"""Per cent: how much darker than the window Fusion draws a frame (``QFusionStylePrivate::outline``)."""
SYSTEM = "system"
CHOICES = (SYSTEM, LIGHT, DARK)
SCHEMES = {LIGHT: Qt.ColorScheme.Light, DARK: Qt.ColorScheme.Dark}


class ThemeController(QObject):
    """Applies fonts, palette and style sheet, and follows the system unless a person chose.

    Args:
        app: what is coloured.
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
        for kind in FRAMED:
            self._app.setPalette(framed_palette(self._theme), kind)  # type: ignore[arg-type]  # the stub wants bytes
        sheet = style_sheet(self._theme)
        if self._app.styleSheet() != sheet:  # the same one colours every widget that there is once more
            self._app.setStyleSheet(sheet)


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


def framed_palette(theme: Theme) -> QPalette:
    """The palette of FRAMED: a window of which the darker shade is the edge that fields have."""
    result = qt_palette(theme)
    result.setColor(QPalette.ColorRole.Window, theme.ui.border_strong.lighter(FUSION_DARKER))
    return result
