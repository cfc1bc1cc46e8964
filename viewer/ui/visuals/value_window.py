"""What the windows of pictures, plots and colours share: whose value it is, words about it, the session."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from viewer.base.record import replace
from viewer.document.change import Change
from viewer.document.selection import SelectionAnchor, Spot
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, in_title, plain_tip
from viewer.ui.panels.panel_widgets import ElidedLine
from viewer.ui.session import Session

MARGIN = 16
EXPANDING = QSizePolicy.Policy.Expanding


class ValueWindow(QDialog):
    """Lies beside the window and shows one value. Subclasses say how, and what becomes of it when bytes change.

    Args:
        window: what it belongs to.
        session: what is open.
        theme: the colours.
        name: of the object; *title* of the window.

    Attributes:
        spot: the value that is shown, None before the first one.
        path, words, place: its path; what it is; what is under the mouse.
    """

    def __init__(self, window: QWidget, session: Session, theme: Theme, name: str, title: str) -> None:
        super().__init__(window)
        self.setObjectName(name)
        self.setWindowTitle(in_title(title))
        self._session, self._theme = session, theme
        self.spot: Spot | None = None
        self._anchor = SelectionAnchor()
        self.path = ElidedLine(theme, fixed_font(Size.SECONDARY, strong=True), elide=Qt.TextElideMode.ElideMiddle)
        self.words = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary")
        self.place = ElidedLine(theme, fixed_font(Size.SECONDARY), "text_secondary")
        self.problem = PlainLabel()
        self.problem.setWordWrap(True)
        self.problem.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.problem.hide()
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        session.selected.connect(self._selected)
        session.changed.connect(self._changed)
        session.opened.connect(self._stay_or_go)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.path, self.words, self.place):
            part.set_theme(theme)

    def stand_on(self, spot: Spot) -> None:
        """This is the value that is shown from now on; it is found again after changes."""
        self.spot, self._anchor = spot, SelectionAnchor.of(spot.document, spot.item)
        self.path.set_text(spot.path)

    def show_spot(self, spot: Spot) -> bool:
        """Show the value of an item; False where it has nothing to show."""
        raise NotImplementedError

    def refresh(self, spot: Spot | None) -> None:
        """The bytes have changed: show the value as it is now, where it is now; None where it is gone."""
        raise NotImplementedError

    def follow(self, spot: Spot) -> None:
        """Another item is selected."""
        raise NotImplementedError

    def stop(self) -> None:
        """Work for it no more."""
        raise NotImplementedError

    def clear(self) -> None:
        """Let go of what was shown: bytes of a closed file are not kept."""
        raise NotImplementedError

    def bring_up(self, focus: QWidget) -> None:
        """Show the window before all others."""
        self.show()
        self.raise_()
        self.activateWindow()
        focus.setFocus()

    def _selected(self, *_: object) -> None:
        if self.isVisible() and self._session.spot is not None:
            self.follow(self._session.spot)

    def _changed(self, change: Change) -> None:
        if self.isVisible() and self.spot is not None and not self._session.waits:
            self.refresh(self._again(self.spot, change))

    def _stay_or_go(self) -> None:
        """Another document is shown: this goes, but stays with its value where that is the same file, read again."""
        spot, document = self.spot, self._session.document
        item = None
        if spot is not None and spot.level is None and document is not None and not self._session.waits:
            is_same = document.path is not None and document.path == spot.document.path
            item = replace(self._anchor, start=None).find(document) if is_same and self.isVisible() else None
        if document is None or item is None:
            self.close()
        else:
            self.stand_on(Spot(document, item))  # also where nothing is shown of it: the old document is past
            self.refresh(self.spot)

    def _again(self, spot: Spot, change: Change) -> Spot | None:
        """Where the value is after a change."""
        if spot.level is not None:
            return self._session.inside.again(spot, self._anchor)
        item = self._anchor.after(change.splices).find(spot.document)
        return Spot(spot.document, item) if item is not None else None

    # Building

    def _lay_out(self, *widgets: QWidget) -> QHBoxLayout:
        """Path and words over the widgets, these over what is under the mouse; returns the row of buttons below."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, 12, MARGIN, MARGIN)
        layout.setSpacing(8)
        for widget in (self.path, self.words, *widgets, self.problem, self.place):
            layout.addWidget(widget, int(widget.sizePolicy().verticalPolicy() == EXPANDING or widget is self.problem))
        row = QHBoxLayout()
        row.setSpacing(8)
        layout.addLayout(row)
        return row

    def _labelled(self, row: QHBoxLayout, text: str, field: QWidget) -> PlainLabel:
        """Put a field behind its words; returns these."""
        label = PlainLabel(text)
        label.setBuddy(field)
        row.addWidget(label)
        row.addWidget(field)
        return label

    def _button(self, text: str, tip: str, slot: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setToolTip(plain_tip(tip))
        button.clicked.connect(lambda: slot())
        return button

    def _tool(self, text: str, tip: str, slot: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(plain_tip(tip))
        button.setAccessibleName(tip.partition(" (")[0])
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: slot())
        return button

    # Qt

    def done(self, result: int) -> None:
        self.stop()
        was_active, window = self.isActiveWindow(), self.parentWidget()
        super().done(result)
        self.spot = None
        self.clear()
        if was_active and window is not None:
            window.activateWindow()
