"""The pane beside the problems: what may have gone wrong, the likeliest first, and what would mend it.

It only asks: nothing is previewed or applied here, and nothing is applied unasked.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from viewer.base.words import grouped, grouped_in, percent
from viewer.document.doctor.repair import ByteSample, Repair
from viewer.document.viewmodel.number_table import offset_text
from viewer.document.viewmodel.repairs import SOMETHING_ELSE, Headline, effect, is_rest_told, reason
from viewer.ui.dialogs import give_room
from viewer.ui.doctor.doctor_widgets import (
    BAR,
    HEAD,
    LEFT,
    SHARE,
    TEXT,
    BytesLine,
    ShareLine,
    Words,
    paint_share,
    share_box,
)
from viewer.ui.doctor.finder import RepairFinder, SearchProgress
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_focus, paint_line
from viewer.ui.panels.panel_widgets import FlatButton, PaneTitle, SentenceButton
from viewer.ui.session import Session

# One repair: a line, and below it, when it is open, why it is believed, what it changes, and the buttons for it.

LEAST_REASON = 12
"""Letters of a reason that have to be seen, or none of it is."""


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
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(f"{repair.sentence} {reason(repair)} {self._share}")
        self.set_open(False)

    def set_open(self, is_open: bool) -> None:
        """Look open, or closed."""
        self.is_open = is_open
        self._fit()
        keys = "Ctrl+Enter applies it, Enter previews it" if is_open else "Click, or press Enter, for more"
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
        paint_share(painter, share_box(row), self._repair.confidence, self._theme)
        if self.is_open:
            self._paint_title(painter)
            return
        words = QRectF(TEXT, 0, self._room, row.height())
        used = paint_line(painter, words, self.text(), self._plain, ui.text)
        words.setLeft(words.left() + used + 10)
        why = reason(self._repair)
        if words.width() >= QFontMetricsF(self._quiet).horizontalAdvance(why[:LEAST_REASON]):
            paint_line(painter, words, why, self._quiet, ui.text_secondary)

    @property
    def _room(self) -> int:
        """Pixels that the words have."""
        return _room(self.width())

    def _paint_title(self, painter: QPainter) -> None:
        """The sentence in one line, or in two where it needs them."""
        first, rest = two_lines(self.text(), self._strong, self._room)
        line = QFontMetricsF(self._strong).height()
        top = (self.height() - line * (2 if rest else 1)) / 2
        for number, words in enumerate((first, rest)):
            box = QRectF(TEXT, top + number * line, self._room, line)
            paint_line(painter, box, words, self._strong, self._theme.ui.text)

    def _fit(self) -> None:
        """Have the height that the sentence needs."""
        self.setFixedHeight(self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(320, HEAD)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEAD)

    def heightForWidth(self, width: int) -> int:
        is_long = self.is_open and two_lines(self.text(), self._strong, _room(width))[1]
        return HEAD + (round(QFontMetricsF(self._strong).height()) if is_long else 0)

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


def _room(width: int) -> int:
    """Pixels that the words have in a line so wide."""
    return width - 2 * LEFT - SHARE - BAR - TEXT


def two_lines(words: str, font: QFont, room: float) -> tuple[str, str]:
    """Words cut at a space where they need more than one line; the second part is empty where they do not."""
    metrics = QFontMetricsF(font)
    if metrics.horizontalAdvance(words) <= room:
        return words, ""
    cuts = [place for place, sign in enumerate(words) if sign == " "]
    fitting = [place for place in cuts if metrics.horizontalAdvance(words[:place]) <= room]
    return (words[: fitting[-1]], words[fitting[-1] + 1 :]) if fitting else (words, "")


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
        give_room([self.preview_button, self.apply_button])
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
    return BytesLine(theme, at.place or offset_text(at.offset, size), old, new, words)


def _text(sample: ByteSample | None, size: int) -> str:
    """The bytes of a sample; a mark behind them where more than these, *size* of them, change in one place."""
    if sample is None or sample.place:
        return sample.text if sample is not None else ""
    return f"{sample.text} …" if sample.text and size > len(sample.text.split()) else sample.text


PATIENCE = 1000
"""Milliseconds of looking until Cancel is offered, and between two times that it is said how far the search is."""
LOOKING = "Looking for what went wrong …"
ON = "still looking …"
OTHERWISE = "How likely it is that none of these happened"
MORE = "Still looking: what is found now may be likelier …"
SAID = {
    SearchProgress.NOTHING: (
        "Nothing is wrong. Where an engine refuses bytes, what may have happened is suggested here."
    ),
    SearchProgress.WAITING: LOOKING,
    SearchProgress.ON: LOOKING,
    SearchProgress.DONE: (
        "No single mistake explains these bytes. The list of problems says where they stop making sense."
    ),
    SearchProgress.READ: "An engine reads all of it, and no mistake that is likely was found.",
    SearchProgress.STOPPED: "Stopped looking.",
}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class RepairsView(QWidget):
    """Lists the repairs of the session's document.

    Args:
        session: what is open.
        finder: looks for the repairs.
        theme: the colours.

    Signals:
        closed: the close button.
        left: Escape was pressed.
        engines_asked: the engine's verdict was clicked.
        preview_asked, apply_asked: ``Repair``: it is to be shown, or done.
    """

    closed = Signal()
    left = Signal()
    engines_asked = Signal()
    preview_asked = Signal(object)
    apply_asked = Signal(object)

    def __init__(self, session: Session, finder: RepairFinder, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("repairsView")
        self.setAccessibleName("Suggested repairs")
        self.rows: list[RepairRow] = []
        self._session, self._finder, self._theme = session, finder, theme
        self._repairs: tuple[Repair, ...] = ()
        self._open = 0
        self._build(theme)
        self._slow = QTimer(self, interval=PATIENCE)
        self._slow.timeout.connect(self._say_how_far)
        finder.changed.connect(self._show)
        self._show()

    def _build(self, theme: Theme) -> None:
        self.title = PaneTitle(theme, "Suggested repairs", self)
        self.title.closed.connect(self.closed)
        self.again = FlatButton(theme, "Cancel", "x", self)
        self.again.clicked.connect(self._cancel_or_look)
        self.headline = SentenceButton(theme, self)
        self.headline.clicked.connect(self.engines_asked)
        for button in (self.again, self.headline):  # in sight, however many rows there are
            self.title.add_button(button)
        self.says = Words(theme)
        self.says.setContentsMargins(LEFT, 8, LEFT, 0)
        self._page = QWidget()
        self._page.setMinimumHeight(1)  # as high as its words are in its width, and not as in the least one
        self._list = QVBoxLayout(self._page)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self.rest = ShareLine(theme, SOMETHING_ELSE, OTHERWISE)
        self._list.addWidget(self.rest)
        self._list.addWidget(self.says)
        self._list.addStretch(1)
        self.area = QScrollArea()
        self.area.setObjectName("repairsArea")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.viewport().setAutoFillBackground(False)
        self.area.setWidget(self._page)
        self._page.setAutoFillBackground(False)  # setWidget() switches it on
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.area, 1)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.title.set_theme(theme)
        self.rest.set_theme(theme)
        self.says.set_theme(theme)
        for row in self.rows:
            row.set_theme(theme)
        self.update()

    @property
    def current(self) -> Repair | None:
        """The repair that is open."""
        return self._repairs[self._open] if self._open < len(self._repairs) else None

    def take_focus(self) -> None:
        """Have the keys, at the repair that is open."""
        head = self.rows[self._open].head if self.rows else self.again
        head.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.area.ensureWidgetVisible(head, 0, 0)

    def open_row(self, number: int) -> None:
        """Open one repair and close the others."""
        self._open = number
        for place, row in enumerate(self.rows):
            row.set_open(place == number)
        self._order_stops()
        QTimer.singleShot(0, self, partial(self._bring_into_view, self.rows[number]))

    def _order_stops(self) -> None:
        """Let Tab go through the title, the rows and out: what is made late would stand at the end of the window."""
        stops = [self.again, self.headline, self.title.close_button, *(stop for row in self.rows for stop in row.stops)]
        for before, after in pairwise(stops):
            self.setTabOrder(before, after)

    # Showing

    def _show(self) -> None:
        state, found = self._finder.state, self._finder.found
        if self._finder.repairs != self._repairs:
            self._show_rows(self._finder.repairs)
        unexplained = found.unexplained if found is not None else 0.0
        self.rest.set_share(unexplained)
        self.rest.setVisible(state is SearchProgress.DONE and is_rest_told(self._repairs, unexplained))
        if state is not SearchProgress.ON or not self._slow.isActive():
            self._show_state(state, found.cut if found is not None else "")
        self.title.detail.set_text(ON if self.rows and state in (SearchProgress.WAITING, SearchProgress.ON) else "")
        self.title.detail.setMinimumWidth(self.title.detail.sizeHint().width())  # the verdict has a tooltip
        self._show_headline(found.headline if found is not None else None)

    def _show_state(self, state: SearchProgress, cut: str) -> None:
        """How far the search is, with a button to end it or to begin again."""
        words = [] if self.rows and state is SearchProgress.DONE else [SAID[state]]
        self.says.setText(" ".join([*words, cut]).strip())
        self.says.setVisible(bool(self.says.text()) and (not self.rows or state is not SearchProgress.ON))
        self._slow.stop()
        self.again.setVisible(state is SearchProgress.STOPPED)
        self.again.set_look("Look again", "refresh-cw")
        if state is SearchProgress.ON:
            self._slow.start()

    def _say_how_far(self) -> None:
        tried = self._finder.tried
        words = MORE if self.rows else LOOKING
        self.says.setText(f"{words} {grouped(tried)} guesses tried." if tried else words)
        self.says.show()
        self.again.set_look("Cancel", "x")
        self.again.show()

    def _cancel_or_look(self) -> None:
        if self._finder.state is SearchProgress.ON:
            self._finder.cancel()
        else:
            self._finder.look_now()

    def _show_headline(self, said: Headline | None) -> None:
        self.headline.setVisible(said is not None)
        if said is not None:
            role = "state.ok.fg" if said.is_good else "state.error.fg"
            self.headline.set_look(said.words, "", "", role)
            self.headline.setToolTip(plain_tip(f"{said.detail}\nClick to see what all engines do".strip()))
            self.headline.setAccessibleName(f"{said.words}. {said.detail}")

    def _show_rows(self, repairs: tuple[Repair, ...]) -> None:
        had_focus = self._page.isAncestorOf(self.window().focusWidget() or self)
        last = self.current if self._open or had_focus else None  # what nobody chose makes room for what is likelier
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        document = self._session.document
        size = len(document.buffer) if document is not None else 0
        again = (k for k, each in enumerate(repairs) if last is not None and each.does_as(last))
        kept = next(again, -1)
        self._repairs, self._open = repairs, max(0, kept)
        self.rows = [RepairRow(repair, size, self._theme, self._page) for repair in repairs]
        for place, row in enumerate(self.rows):
            row.open_asked.connect(partial(self._enter, place))
            row.step_asked.connect(partial(self._step, place))
            row.preview_asked.connect(partial(self.preview_asked.emit, row.repair))
            row.apply_asked.connect(partial(self.apply_asked.emit, row.repair))
            self._list.insertWidget(place, row)
            row.show()
        if self.rows:
            self.open_row(self._open)
        if had_focus and kept >= 0:
            self.take_focus()
        elif had_focus:
            self.left.emit()

    def _bring_into_view(self, row: RepairRow) -> None:
        """Show as much of a row as there is room for, and its line in any case: there is the focus."""
        if row in self.rows:
            self.area.ensureWidgetVisible(row, 0, 0)
            self.area.ensureWidgetVisible(row.head, 0, 0)

    # Keys

    def _enter(self, place: int) -> None:
        """A line was clicked or Enter pressed on it: open it; Enter on the open one shows what would come of it."""
        if place != self._open:
            self.open_row(place)
        elif self.rows[place].repair.can_be_applied and not self.rows[place].head.underMouse():
            self.preview_asked.emit(self.rows[place].repair)

    def _step(self, place: int, by: int) -> None:
        if 0 <= place + by < len(self.rows):
            self.rows[place + by].head.setFocus(Qt.FocusReason.TabFocusReason)
            self.area.ensureWidgetVisible(self.rows[place + by].head, 0, 0)

    def _repair_at_focus(self) -> Repair | None:
        """The repair that has the focus, else the open one."""
        focus = self.window().focusWidget()
        here = (row.repair for row in self.rows if focus is not None and row.isAncestorOf(focus))
        return next(here, self.current)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(500, 240)

    def focusInEvent(self, event: object) -> None:
        self.take_focus()

    def event(self, event: QEvent) -> bool:
        """Ctrl+Enter is ours here, whatever the window does with it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _applies(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        repair = self._repair_at_focus()
        if _applies(event):
            if repair is not None and repair.can_be_applied:
                self.apply_asked.emit(repair)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        painter.end()


def _applies(event: QKeyEvent) -> bool:
    """Whether it is Ctrl+Enter."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in ENTER and modifiers == Qt.KeyboardModifier.ControlModifier
