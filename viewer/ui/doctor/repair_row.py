"""One repair: a line, and below it, when it is open, why it is believed, what it changes, and the buttons for it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from viewer.document.doctor.repair import Repair, Sample
from viewer.document.shown.counts import grouped_in
from viewer.document.shown.numbers import offset_text
from viewer.document.shown.repairs import effect, percent, reason
from viewer.ui.doctor.pieces import BytesLine, Words, paint_share
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import FlatButton, paint_focus, paint_line

HEAD = 28
LEFT = 14
TEXT = 40
BAR = 64
SHARE = 48


class RepairRow(QWidget):
    """A repair, open or closed.

    Args:
        repair: it.
        size: bytes in the document, for the width of offsets.
        theme: the colours.

    Signals:
        open_asked: its line was clicked, or Enter pressed on it.
        step_asked: ``int``: an arrow key was pressed: 1 for the next, -1 for the one before.
        preview_asked, apply_asked: one of its buttons was pressed.
    """

    open_asked = Signal()
    step_asked = Signal(int)
    preview_asked = Signal()
    apply_asked = Signal()

    def __init__(self, repair: Repair, size: int, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("repairRow")
        self.repair = repair
        self._theme, self._size = theme, size
        self._body: _Body | None = None
        self.head = _Head(repair, theme, self)
        self.head.clicked.connect(self.open_asked)
        self.head.stepped.connect(self.step_asked)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.head)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def is_open(self) -> bool:
        """Whether all of it is shown."""
        return self.head.is_open

    def set_open(self, is_open: bool) -> None:
        """Show all of it, or its line only."""
        if is_open and self._body is None:
            self._body = _Body(self.repair, self._size, self._theme)
            self._body.preview_button.clicked.connect(self.preview_asked)
            self._body.apply_button.clicked.connect(self.apply_asked)
            self._column.addWidget(self._body)
        if self._body is not None:
            self._body.setVisible(is_open)
        self.head.set_open(is_open)

    @property
    def stops(self) -> list[QWidget]:
        """What Tab goes to in it, in order."""
        return [self.head, *([self._body.preview_button, self._body.apply_button] if self._body is not None else [])]

    @property
    def apply_button(self) -> QPushButton | None:
        """The button, None where the repair was never open."""
        return self._body.apply_button if self._body is not None else None

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        self.head.set_theme(theme)
        if self._body is not None:
            self._body.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), self._theme.ui.border)
        painter.end()


class _Head(FlatButton):
    """The line: sign, sentence, share.

    Signals:
        stepped: ``int``: an arrow key asks for the next line (1) or the one before (-1).
    """

    stepped = Signal(int)

    def __init__(self, repair: Repair, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, repair.sentence.rstrip("."), "", parent)
        self.setObjectName("repairHead")
        self._repair = repair
        self._share = percent(repair.confidence)
        self._strong, self._plain = ui_font(Size.UI, strong=True), ui_font(Size.UI)
        self._quiet, self._fixed = ui_font(Size.SECONDARY), fixed_font(Size.SECONDARY)
        self.is_open = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{repair.sentence} {reason(repair)} {self._share}")
        self.set_open(False)

    def set_open(self, is_open: bool) -> None:
        """Look open, or closed."""
        self.is_open = is_open
        keys = "Ctrl+Enter applies it, Enter shows what comes of it" if is_open else "Click, or press Enter, for more"
        self.setToolTip(plain_tip(f"{self._repair.sentence}\n{keys}"))
        self.update()

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        ui = self._theme.ui
        row = QRectF(LEFT, 0, self.width() - 2 * LEFT, self.height())
        name, role = ("wand-sparkles", "accent") if self.is_open else ("chevron-right", icons.DEFAULT_ROLE)
        edge = 16 if self.is_open else 12
        box = QRectF(row.left() + (16 - edge) / 2, row.center().y() - edge / 2, edge, edge)
        icons.draw(painter, name, self._theme, box, role)
        colour = ui.text_secondary
        paint_line(painter, row, self._share, self._fixed, colour, right=True)
        paint_share(
            painter, QRectF(row.right() - SHARE - BAR, 0, BAR, row.height()), self._repair.confidence, self._theme
        )
        words = QRectF(TEXT, 0, row.right() - SHARE - BAR - LEFT - TEXT, row.height())
        used = paint_line(painter, words, self.text(), self._strong if self.is_open else self._plain, ui.text)
        if not self.is_open:
            words.setLeft(words.left() + used + 10)
            paint_line(painter, words, reason(self._repair), self._quiet, ui.text_secondary)

    def sizeHint(self) -> QSize:
        return QSize(320, HEAD)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEAD)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        if event.key() in steps:
            self.stepped.emit(steps[Qt.Key(event.key())])
        elif plain or event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        if self.underMouse() and not self.is_open:
            painter.fillRect(whole, self._theme.ui.hover)
        self._paint_content(painter, whole)
        if self.hasFocus():
            paint_focus(painter, whole.adjusted(2, 1, -2, -1), self._theme)
        painter.end()


class _Body(QWidget):
    """Reason, bytes, buttons."""

    def __init__(self, repair: Repair, size: int, theme: Theme) -> None:
        super().__init__()
        self._words = [Words(theme, reason(repair))] if repair.reason else []
        if repair.note:
            self._words.append(Words(theme, grouped_in(repair.note), "text"))
        if repair.before is None and repair.after is None and effect(repair):
            self._words.append(Words(theme, f"{effect(repair)}.", "text"))
        self._line = _bytes_line(repair, size, theme)
        self.preview_button = QPushButton("Preview tree", self)  # without a parent, what is made visible is a window
        self.apply_button = QPushButton("Apply", self)
        self.apply_button.setDefault(True)
        for button in (self.preview_button, self.apply_button):
            button.setAutoDefault(True)  # Enter presses the one that has the focus, not only Space
        column = QVBoxLayout(self)
        column.setContentsMargins(TEXT, 0, LEFT, 10)
        column.setSpacing(8)
        for words in self._words:
            column.addWidget(words)
        if self._line is not None:
            column.addWidget(self._line)
        column.addLayout(self._buttons(repair))

    def _buttons(self, repair: Repair) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.preview_button.setToolTip("Show the values as they would be; nothing is changed (Enter)")
        self.apply_button.setToolTip("Change the bytes, or how they are read; can be undone (Ctrl+Enter)")
        for button in (self.preview_button, self.apply_button):
            button.setVisible(repair.can_be_applied)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        for words in self._words:
            words.set_theme(theme)
        if self._line is not None:
            self._line.set_theme(theme)


def _bytes_line(repair: Repair, size: int, theme: Theme) -> BytesLine | None:
    """The bytes that change; where only the reading does, nothing."""
    before, after, words = repair.before, repair.after, effect(repair)
    if before is None and after is None:
        return None
    at = before or after
    assert at is not None
    changes = [splice.trimmed() for splice in repair.edit.splices] if repair.edit is not None else []
    old = _text(before, max((len(change.removed) for change in changes), default=0))
    new = _text(after, max((len(change.inserted) for change in changes), default=0))
    return BytesLine(theme, offset_text(at.offset, size), old, new, words)


def _text(sample: Sample | None, size: int) -> str:
    """The bytes of a sample; a mark behind them where more than these, *size* of them, change in one place."""
    if sample is None:
        return ""
    return f"{sample.text} …" if sample.text and size > len(sample.text.split()) else sample.text
