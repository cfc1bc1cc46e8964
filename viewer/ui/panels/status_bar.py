"""The status bar: where, how much, how the bytes are typed, what is explained, what is wrong, how it is read."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QStatusBar, QWidget

from viewer.base.diagnostic import count_bytes
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.words import counted, grouped
from viewer.container.frames import BARE, CONCATENATED, STORED, STORED_BIG
from viewer.document.detection.detect import DetectionCandidate
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.number_table import offset_text
from viewer.document.viewmodel.shown_layers import shown_layers
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu, plain_tip, show_tip
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.panels.panel_widgets import FlatButton, SentenceButton, empty_menu
from viewer.ui.panels.problems_view import LOOKS, FindingCounts, count
from viewer.ui.session import Session
from viewer.variant.dialect import Precision, available

# The row of a status bar: buttons at the left and the right end, hairlines between them.

HEIGHT = 26
MESSAGE_EDGE = 12


class StatusRow(QWidget):
    """Lays the buttons out.

    Args:
        theme: its colours.
        left, right: the buttons at either end; those that are hidden take no room.
        between: has the room that these leave.
    """

    def __init__(
        self, theme: Theme, left: tuple[FlatButton, ...], between: FlatButton, right: tuple[FlatButton, ...]
    ) -> None:
        super().__init__()
        self._theme, self._left, self._right = theme, (*left, between), right
        box = QHBoxLayout(self)
        box.setContentsMargins(6, 1, 6, 0)
        box.setSpacing(5)
        for button in left:
            box.addWidget(button)
        box.addWidget(between, 1)
        box.addStretch()
        for button in right:
            box.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme; the buttons are told by who made them."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for group in (self._left, self._right):
            for button in [one for one in group if one.isVisible()][1:]:
                painter.fillRect(button.x() - 3, 7, 1, self.height() - 13, self._theme.ui.border)
        painter.end()


# A flat button with a bar that shows a share, and words beside it.

BAR_WIDTH, BAR_HEIGHT = 40, 4


class ShareButton(FlatButton):
    """Says how it stands with the bytes of :attr:`document` in its tooltip, which is summed up when asked for.

    Attributes:
        share: what the bar shows, from 0 to 1.
        document: whose bytes, None for none.
    """

    share = 1.0
    document: Document | None = None

    def _summed_up(self) -> str:
        from viewer.document.byte_map import standing_lines

        lines = standing_lines(self.document) if self.document is not None else []
        return "\n".join([self.toolTip(), *lines])

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        show_tip(event.globalPos(), self._summed_up(), self)
        return True

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(BAR_WIDTH + 8, 0)

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        bar = QRectF(rect.left(), rect.center().y() - BAR_HEIGHT / 2, BAR_WIDTH, BAR_HEIGHT)
        tint = self._theme.state("ok" if self.share >= 1 else "warning")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.ui.border)
        painter.drawRoundedRect(bar, 2, 2)
        bar.setWidth(max(BAR_HEIGHT, BAR_WIDTH * self.share))
        painter.setBrush(tint.line)
        painter.drawRoundedRect(bar, 2, 2)
        rect.setLeft(rect.left() + BAR_WIDTH + 8)
        paint_line(painter, rect, self.text(), self.font(), self._theme.ui.text_secondary)


# The menu that says how the bytes are read, and overrules it.

CANDIDATES = 5
FRAMING_WORDS = {
    STORED: "stored: a length before each value",
    STORED_BIG: "stored, big-endian: the length with its high byte first",
    BARE: "bare: one value, no length",
    CONCATENATED: "concatenated: values one after another",
}


def reading_words(document: Document) -> str:
    """How the bytes are read: ``Godot 3 · single · stored``, ``Godot 3 · packet``, ``closed``."""
    if document.wraps.blocked is not None:
        return "closed"
    if document.explain is not None:
        return f"{document.dialect.name} · packet"
    if document.structure is not None:
        return document.structure.title
    if document.text is not None:
        return document.text.label
    return f"{document.dialect.name} · {document.precision.value} · {document.framing.label}"


def fill_reading_menu(menu: QMenu, session: Session) -> None:
    """Fill a menu with the ways to read the session's document; the one in use is checked."""
    empty_menu(menu)
    menu.setToolTipsVisible(True)
    document = session.document
    if document is None:
        menu.addAction("Dialect: found automatically").setEnabled(False)
        return
    found = menu.addAction("Find Automatically")
    found.setCheckable(True)
    found.setChecked(document.choice.leaves_all_open)
    found.setToolTip("Try every engine line and take the likeliest")
    found.triggered.connect(lambda: session.read_as(ReadOptions()))
    _add_candidates(menu, session, document)
    _add_dialects(menu, session, document)
    _add_precisions(menu, session, document)
    _add_framings(menu, session, document)


def _add_candidates(menu: QMenu, session: Session, document: Document) -> None:
    menu.addSection("Likeliest")
    for candidate in document.candidates[:CANDIDATES]:
        words = f"{candidate.dialect.name} · {candidate.precision.value} · {candidate.framing.label}"
        action = menu.addAction(f"{in_menu(words)}   {candidate.explained * 100:.0f} %")
        action.setCheckable(True)
        action.setChecked(_is_read_so(document, candidate))
        action.setToolTip(plain_tip(candidate.reason))
        framing = candidate.framing
        choice = ReadOptions(candidate.dialect, candidate.precision, framing.kind, big_endian=framing.big_endian)
        action.triggered.connect(lambda _=False, choice=choice: session.read_as(choice))


def _is_read_so(document: Document, candidate: DetectionCandidate) -> bool:
    now = (document.dialect, document.precision, document.framing)
    return now == (candidate.dialect, candidate.precision, candidate.framing)


def _add_dialects(menu: QMenu, session: Session, document: Document) -> None:
    menu.addSeparator()
    submenu = menu.addMenu("Engine Line")
    submenu.setToolTipsVisible(True)
    for line in available():
        precision = document.choice.precision if document.choice.precision in line.precisions else None
        choice = replace(document.choice, dialect=line, precision=precision, preferred=None)
        _add_choice(submenu, session, line.name, line.about, document.dialect is line, choice)
    _group(submenu)


def _add_precisions(menu: QMenu, session: Session, document: Document) -> None:
    submenu = menu.addMenu("Precision")
    tips = {
        Precision.SINGLE: "Vectors were written by a standard build of the engine",
        Precision.DOUBLE: "Vectors were written by a build with 64-bit reals",
    }
    submenu.setToolTipsVisible(True)
    for precision in document.dialect.precisions:
        choice = replace(document.choice, precision=precision)
        _add_choice(submenu, session, precision.value, tips[precision], document.precision is precision, choice)
    _group(submenu)


def _add_framings(menu: QMenu, session: Session, document: Document) -> None:
    submenu = menu.addMenu("Framing")
    for framing, words in FRAMING_WORDS.items():
        choice = replace(document.choice, framing=framing.kind, big_endian=framing.big_endian, preferred=None)
        _add_choice(submenu, session, words, "", document.framing == framing, choice)
    _group(submenu)


def _add_choice(menu: QMenu, session: Session, words: str, tip: str, checked: bool, choice: ReadOptions) -> None:
    action = menu.addAction(in_menu(words))
    action.setCheckable(True)
    action.setChecked(checked)
    action.setToolTip(plain_tip(tip or words))
    action.triggered.connect(lambda: session.read_as(choice))


def _group(menu: QMenu) -> None:
    """Let one of the actions be checked at a time."""
    group = QActionGroup(menu)
    for action in menu.actions():
        group.addAction(action)


NARROW = 1150
LEAST = 560
"""Pixels below which words go, and below which figures go that the tooltip and other segments have too."""
TICK = 150
"""Milliseconds between two words about a reading; one that is done earlier is not spoken of."""


class StatusBar(QStatusBar):
    """One row of flat buttons.

    Args:
        session: what is open, and where the person is.
        theme: its colours.

    Signals:
        go_to_requested: the offset was clicked.
        selection_requested: the selection was clicked.
        insert_mode_requested: ``bool``: bytes should be inserted (True) or overwritten.
        problems_requested: the problems were clicked.
    """

    go_to_requested = Signal()
    selection_requested = Signal()
    insert_mode_requested = Signal(bool)
    problems_requested = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.setAccessibleName("Status")
        self._session, self._theme = session, theme
        self._insert = False
        self._rows = self._rows_size = 0
        self._counts = FindingCounts()
        self._is_slow = False
        self._build(theme)
        self.setSizeGripEnabled(False)
        self.setFixedHeight(HEIGHT)
        for signal in (session.opened, session.changed, session.history_changed):
            signal.connect(self._refresh)
        session.opened.connect(self._guess_counts)
        session.selected.connect(self._show_place)
        session.caret_moved.connect(self._show_place)
        session.text_caret_moved.connect(self._show_place)
        session.marked.connect(self._show_place)
        session.layer_shown.connect(self._show_place)
        session.reading.changed.connect(self._watch_reading)
        self._guess_counts()
        self._refresh()

    def _build(self, theme: Theme) -> None:
        self.place = FlatButton(theme)
        self.place.setFont(fixed_font(Size.SECONDARY))
        self.selection, self.mode, self.modified = FlatButton(theme), FlatButton(theme), FlatButton(theme)
        self.explained = ShareButton(theme)
        self.problems, self.reading = FlatButton(theme), FlatButton(theme)
        self.reading.trailing_icon = "chevron-down"
        self.place.clicked.connect(self.go_to_requested)
        self.selection.clicked.connect(self.selection_requested)
        self.mode.clicked.connect(lambda: self.insert_mode_requested.emit(not self._insert))
        self.modified.clicked.connect(self._go_to_change)
        self.explained.clicked.connect(self._go_to_gap)
        self.problems.clicked.connect(self.problems_requested)
        self.reading.clicked.connect(self._act_on_reading)
        self._watch = QTimer(self)
        self._watch.timeout.connect(self._tell_progress)
        self._left = (self.place, self.selection, self.mode, self.modified)
        self.finding = SentenceButton(theme)
        self.finding.clicked.connect(self.problems_requested)
        self._right = (self.explained, self.problems, self.reading)
        self._row = StatusRow(theme, self._left, self.finding, self._right)
        self.addWidget(self._row, 1)

    def _watch_reading(self) -> None:
        """While bytes are read, say how far; readings of a moment are not worth a word."""
        if not self._session.reading.is_on:
            self._watch.stop()
            self._is_slow = False
            self._refresh()
        elif not self._watch.isActive():
            self._watch.start(TICK)

    def _tell_progress(self) -> None:
        self._is_slow = True
        self._refresh()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._row.set_theme(theme)
        for button in (*self._left, self.finding, *self._right):
            button.set_theme(theme)
        self.update()

    def set_insert_mode(self, insert: bool) -> None:
        """Say whether typed bytes are inserted."""
        self._insert = insert
        self._refresh()

    def set_rows(self, rows: int, size: int) -> None:
        """Say how many rows of the tree are selected, and how many bytes these have together, 0 where unknown."""
        if (rows, size) != (self._rows, self._rows_size):
            self._rows, self._rows_size = rows, size
            self._show_place()

    def set_counts(self, counts: FindingCounts) -> None:
        """Say how many problems there are."""
        self._counts = counts
        self._show_problems()
        document = self._session.document
        if document is not None:
            self._show_explained(document)

    def fill_reading_menu(self, menu: QMenu) -> None:
        """Fill a menu with the ways to read the bytes."""
        fill_reading_menu(menu, self._session)

    @property
    def is_narrow(self) -> bool:
        """Whether words have to go."""
        return self.width() < NARROW

    @property
    def is_least(self) -> bool:
        """Whether there is room for one side of a split window alone."""
        return self.width() < LEAST

    # Showing

    def _refresh(self, *_: object) -> None:
        document = self._session.document
        if self._session.reading.is_handing_over:
            return  # its end is told next
        if self._session.reading.is_on and not self._is_slow:
            self._show_place()
            return
        always, left, right = (self.place, self.explained, self.reading), self._left, self._right
        for button in always if document is not None else (*left, *right):
            button.setVisible(document is not None)  # the others below, once each: every change lays out the bar
        self._show_place()
        self.explained.document = document if document is not None and document.task is None else None
        if document is not None:
            insert = "INS" if self._insert else "OVR"
            _say(self.mode, insert, "Typed bytes are " + ("inserted" if self._insert else "written over others"))
            self.mode.setVisible(document.text is None)
            self.modified.setVisible(document.modified)
            self.modified.set_look("" if self.is_narrow else "Modified", "pencil", "state.modified.line", "text")
            _tell(self.modified, "There are unsaved changes; click to see the first one")
            self._show_explained(document)
            self._show_problems()
        self._show_reading(document)

    def _show_place(self, *_: object) -> None:
        document = self._session.document
        self._show_finding()
        if document is None:
            self.place.setVisible(True)
            self.place.setFont(self.selection.font())
            _say(self.place, "No file open", "Open a file, or drop one on the window")
            return
        caret = self._session.caret
        self.place.setFont(fixed_font(Size.SECONDARY))
        span = self._session.marked_span or self._session.item_span or Span(0, 0)
        if self._session.layer is not None:  # its bytes are others than those that the session counts
            self.place.setFont(self.selection.font())
            layers = shown_layers(document)
            label, inside = layers[self._session.layer].label.removeprefix("File: "), layers[-1].label
            tip = f"Its bytes can only be viewed; {inside} over the tree leads back to those of the values"
            _say(self.place, f"Bytes of {label}", tip)
        elif document.text is not None:
            caret, span = document.place(Span(caret, caret + 1)).start, document.place(span)
            here = self._session.text_caret
            line, column = (here.line, here.column) if here is not None else document.text.line_and_column(caret)
            _say(self.place, f"Line {grouped(line)}, column {grouped(column)}", "Go to an offset or path")
            span = here.selected if here is not None and here.selected is not None else span
        else:
            offset = offset_text(caret, len(document.buffer))
            _say(self.place, offset if self.is_least else f"{offset} · {grouped(caret)}", "Go to an offset or path")
        words = f"{grouped(len(span))} bytes" if len(span) != 1 else count_bytes(1)
        said = words if self.is_narrow else f"Selected {words} (0x{len(span):X})"
        tip = f"Bytes 0x{span.start:X} to 0x{max(span.start, span.end - 1):X}"
        if self._rows > 1 and self._session.marked_span is None:
            words = counted(self._rows, "row")
            words = f"{words}, {counted(self._rows_size, 'byte')}" if self._rows_size else words
            said, tip = words if self.is_narrow else f"Selected {words}", "The bytes of all selected rows together"
        _say(self.selection, said, tip)
        self.selection.setVisible(len(span) > 0 and self._session.layer is None)

    def _show_finding(self) -> None:
        """What is found in the line of the caret, where a text is in view."""
        here = self._session.text_caret
        self.finding.setVisible(here is not None and bool(here.finding))
        if here is not None and here.finding:
            name, role = LOOKS[here.severity]
            self.finding.set_look(here.finding, name, role, "text")
            _tell(self.finding, f"{here.finding}\nClick to show the list")

    def _show_explained(self, document: Document) -> None:
        if document.task is not None:
            self.explained.share = self._session.reading.share
            words = f"{_percent(self.explained.share)} %"
            words = words if self.is_narrow else f"{words} read"
            _say(self.explained, words, "The values are being read" if self._session.reading.is_on else "Not read yet")
            return
        if not document.buffer:
            self.explained.share = 0.0
            self.explained.document = document
            if document.shown:
                _say(self.explained, "0 %" if self.is_narrow else "0 % explained", "None of this text can be read")
            else:
                _say(self.explained, "Empty", "There are no bytes in this file")
            return
        share = document.explained
        percent = f"{_percent(share)} %"
        self.explained.share = share
        tip = "Every byte belongs to a value" if share >= 1 else "Some bytes belong to no value; click to see the first"
        what = "in values" if self._counts.errors else "explained"  # what is refused is claimed, but not explained
        words = percent if self.is_narrow else f"{percent} {what}"
        _say(self.explained, "" if self.is_least and share >= 1 else words, tip)

    def _show_problems(self) -> None:
        errors, warnings = self._counts.errors, self._counts.warnings
        worst = FindingCounts(errors, 0 if errors else warnings)
        self.problems.setVisible(not self._session.waits)
        number = errors or warnings
        look = ("circle-check", "state.ok.line", "text_secondary")
        if errors:
            look = ("circle-x", "state.error.line", "state.error.fg")
        elif warnings:
            look = ("triangle-alert", "state.warning.line", "state.warning.fg")
        words = str(number) if self.is_narrow else worst.words if number else "No problems"
        self.problems.set_look(words, *look)
        tip = self._counts.words
        _tell(self.problems, f"{tip[0].upper()}{tip[1:]}; click to show the list")

    def _show_reading(self, document: Document | None) -> None:
        self.reading.setVisible(True)
        if document is None:
            _say(self.reading, "Dialect: found automatically", "The engine line is found when a file is opened")
            return
        if document.task is not None:
            on = self._session.reading.is_on
            tip = "Stop reading; the bytes stay" if on else "Read the values of these bytes"
            self.reading.trailing_icon = ""
            _say(self.reading, "Stop" if on else "Read", tip)
            return
        self.reading.trailing_icon = "chevron-down"
        whole = reading_words(document)
        words = document.dialect.name if self.is_narrow and document.wraps.blocked is None else whole
        reason = f": {document.candidates[0].reason}" if document.candidates else ""
        _say(self.reading, words, f"Read as {whole}{reason}; click to change")

    def _guess_counts(self, *_: object) -> None:
        """Of a file just opened, what the scanner found, until somebody looked closer."""
        document = self._session.document
        self.set_counts(count(document.findings.known()) if document is not None else FindingCounts())

    # Doing

    def _go_to_change(self) -> None:
        document = self._session.document
        spans = document.modified_spans() if document is not None else []
        if spans:
            self._session.go_to(spans[0].start, spans[0] if len(spans[0]) else None)

    def _go_to_gap(self) -> None:
        document = self._session.document
        if document is None:
            return
        inner = [gap for index in document.findings.odd_frames for gap in document.frames[index].gaps]
        first = min([*document.unexplained, *inner], default=None)
        if first is not None:
            self._session.go_to(first.start, first)

    def _act_on_reading(self) -> None:
        if not self._session.waits:
            self._pop_up()
        elif self._session.reading.is_on:
            self._session.stop_reading()
        else:
            self._session.read_on()

    def _pop_up(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("readingMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_reading_menu(menu, self._session)
        corner = self.reading.mapToGlobal(QPoint(self.reading.width(), 0))
        menu.popup(corner - QPoint(menu.sizeHint().width(), menu.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.panel)
        painter.fillRect(0, 0, self.width(), 1, self._theme.ui.border)
        if self.currentMessage():  # what the chosen entry of an open menu does, in the place of all buttons
            room = QRectF(self.rect()).adjusted(MESSAGE_EDGE, 0, -MESSAGE_EDGE, 0)
            paint_line(painter, room, self.currentMessage(), ui_font(Size.SECONDARY), self._theme.ui.text_secondary)
        painter.end()


def _percent(share: float) -> str:
    """A share in percent that never says all where something is missing."""
    if 0.99 < share < 1:
        return f"{min(99.9, share * 100):.1f}"
    return f"{share * 100:.0f}"


def _say(button: FlatButton, text: str, tip: str) -> None:
    button.set_look(text, button.icon_name, button.icon_role)
    _tell(button, tip)


def _tell(button: FlatButton, tip: str) -> None:
    button.setToolTip(plain_tip(tip))
    button.setAccessibleName(f"{button.text()}. {tip}" if button.text() else tip)
