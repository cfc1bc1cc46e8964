"""The head of a comparison: counts by kind that are switches, filters by type and path, and the way through all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QToolButton, QWidget

from viewer.base.words import grouped
from viewer.document.compare.comparison_view import DifferenceFilter
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, counted_kinds
from viewer.ui.compare.compare_model import SIGNS
from viewer.ui.compare.compare_trees import tint_of
from viewer.ui.look.fonts import Size, pixels, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.panels.panel_painting import paint_strip
from viewer.ui.panels.panel_widgets import TITLE_HEIGHT, ElidedLine, FlatButton, IconButton

HEIGHT = 40
WIDE = 1180
"""Pixels from which on the switches say their kinds in words."""
ALL_TYPES = "All types"
WORDS = {
    DifferenceKind.CHANGED: "changed",
    DifferenceKind.ADDED: "added",
    DifferenceKind.REMOVED: "removed",
    DifferenceKind.MOVED: "moved",
    DifferenceKind.WRITTEN: "only written otherwise",
}


class PathLine(QLineEdit):
    """The filter by path. Escape clears it first, then leaves it, as Enter does; the window stays open.

    Signals:
        left: the keys are to go to the trees.
    """

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class CompareHead(QWidget):
    """Says how much differs, and chooses what of it is shown.

    Args:
        theme: the colours.

    Attributes:
        kinds: the switches; *types* and *path* the filters.
        options: opens the menu of the options; its owner fills it.

    Signals:
        filter_changed: other differences are to be shown.
        step_wanted: ``int``: 1 for the next difference, -1 for the previous one.
    """

    filter_changed = Signal()
    step_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._counts: dict[DifferenceKind, int] = {}
        self.kinds = {kind: self._switch(kind) for kind in DifferenceKind}
        self.types = QComboBox()
        self.types.setAccessibleName("Type")
        self.types.addItem(ALL_TYPES, "")
        self.types.activated.connect(lambda _: self.filter_changed.emit())
        self.path = PathLine()
        self.path.setAccessibleName("Path")
        self.path.setPlaceholderText("Filter by path")
        self.path.setToolTip(plain_tip("Letters of a path, or a pattern: **.gold, party[*].hp (Ctrl+F)"))
        self.path.setClearButtonEnabled(True)
        self.path.textChanged.connect(lambda _: self.filter_changed.emit())
        self.place = PlainLabel()
        self.place.setFont(ui_font(Size.SECONDARY))
        self.previous = IconButton(theme, "arrow-up", "Previous difference (Shift+F7)")
        self.next = IconButton(theme, "arrow-down", "Next difference (F7)")
        self.previous.clicked.connect(lambda: self.step_wanted.emit(-1))
        self.next.clicked.connect(lambda: self.step_wanted.emit(1))
        self.options = IconButton(theme, "ellipsis", "Options: what is ignored, tolerance, folding (Alt+O)")
        self._lay_out()
        self.set_theme(theme)
        self.show_counts(None)

    def _switch(self, kind: DifferenceKind) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setChecked(kind is not DifferenceKind.WRITTEN)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(plain_tip(f"Show or hide what is {WORDS[kind]}"))
        button.toggled.connect(lambda _: self.filter_changed.emit())
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 1)
        row.setSpacing(4)
        for button in self.kinds.values():
            row.addWidget(button)
        row.addStretch(1)
        self.types.setMaximumWidth(round(150 * pixels(Size.UI) / 13))
        self.path.setMaximumWidth(round(260 * pixels(Size.UI) / 13))
        self.path.setMinimumWidth(round(120 * pixels(Size.UI) / 13))
        row.addWidget(self.types)
        row.addWidget(self.path, 2)
        row.addSpacing(8)
        row.addWidget(self.place)
        for icon_button in (self.previous, self.next, self.options):
            row.addWidget(icon_button)
        self.setFixedHeight(round(HEIGHT * pixels(Size.UI) / 13))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for each in (self.previous, self.next, self.options):
            each.set_theme(theme)
        for kind, button in self.kinds.items():
            tint = tint_of(theme, kind)
            ui = theme.ui
            button.setStyleSheet(
                f"QToolButton {{ color: {ui.text_secondary.name()}; border: 1px solid {ui.border.name()};"
                f" border-radius: 4px; padding: 3px 8px; background: transparent; }}"
                f"QToolButton:checked {{ color: {tint.fg.name()}; background: {tint.bg.name()};"
                f" border-color: {tint.line.name()}; }}"
                f"QToolButton:disabled {{ color: {ui.disabled.name()}; background: transparent;"
                f" border-color: {ui.border.name()}; }}"
                f"QToolButton:focus {{ border: 2px solid {ui.focus.name()}; padding: 2px 7px; }}"
            )
        self.update()

    # What is shown

    def show_counts(self, comparison: DocumentComparison | None, types: Sequence[str] = ()) -> None:
        """Say how many differences there are of each kind, and offer the types of the values."""
        self._counts = counted_kinds(comparison.rows) if comparison is not None else {}
        self._name_switches()
        chosen = str(self.types.currentData() or "")
        self.types.blockSignals(True)
        self.types.clear()
        self.types.addItem(ALL_TYPES, "")
        for name in types:
            self.types.addItem(name, name)
        self.types.setCurrentIndex(max(0, self.types.findData(chosen)))
        self.types.blockSignals(False)

    def _name_switches(self) -> None:
        for kind, button in self.kinds.items():
            count = self._counts.get(kind, 0)
            words = WORDS[kind] if kind is not DifferenceKind.WRITTEN else "otherwise written"
            button.setText(f"{SIGNS[kind]} {grouped(count)}" + (f" {words}" if self.width() >= WIDE else ""))
            button.setAccessibleName(f"{grouped(count)} {WORDS[kind]}")
            button.setEnabled(count > 0)

    def show_place(self, number: int, count: int) -> None:
        """Say which of the differences that are shown a person is at, -1 for none."""
        here = f"{grouped(number + 1)} of " if number >= 0 else ""
        self.place.setText(f"{here}{grouped(count)}" if count else "")
        self.previous.setEnabled(count > 0)
        self.next.setEnabled(count > 0)

    @property
    def filter(self) -> DifferenceFilter:
        """What is to be shown."""
        kinds = frozenset(kind for kind, button in self.kinds.items() if button.isChecked())
        return DifferenceFilter(kinds, str(self.types.currentData() or ""), self.path.text())

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_switches()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)


# Over each tree: the name of the side, and what takes it


class SideTitle(QWidget):
    """The name of a side over its tree, and what takes it.

    Args:
        theme: the colours.
        key: what takes the selected rows of this side.
    """

    def __init__(self, theme: Theme, key: str) -> None:
        super().__init__()
        self._theme = theme
        self.title = ElidedLine(theme, ui_font(Size.UI, strong=True), elide=Qt.TextElideMode.ElideMiddle)
        self.take = FlatButton(theme, "Take This Side")
        self.take.setToolTip(plain_tip(f"Make the other side the same as this one in the selected rows ({key})"))
        self.take_all = FlatButton(theme, "Take All")
        self.take_all.setToolTip(plain_tip("The same for everything that is shown as different"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 6, 1)
        row.setSpacing(4)
        row.addWidget(self.title, 1)
        row.addWidget(self.take)
        row.addWidget(self.take_all)
        self.setFixedHeight(TITLE_HEIGHT + 2)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.title, self.take, self.take_all):
            part.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)
