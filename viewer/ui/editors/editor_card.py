"""The card round an editor: whose value it is, the fields, the verdict on them, Apply and Cancel."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.document.change import Change
from viewer.document.edits.slots import EditError
from viewer.document.forms.target import Proposal
from viewer.document.path import format_path
from viewer.document.splice import Edit
from viewer.document.viewmodel.verdict import NOTHING, Verdict
from viewer.ui import dialogs
from viewer.ui.edited_value import EditedValue
from viewer.ui.editors.fields import note
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look import chips, icons
from viewer.ui.look.fonts import Size, fixed_font, scaled, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_title, plain_tip
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.panels.panel_widgets import ElidedLine
from viewer.ui.session import Session

# The band under the fields of an editor: the verdict in words, the bytes now and those that would be written.

PADDING = 12
BAND = 48
LINE = 20
ICON = 16
LABEL = 72
RADIUS = 6
BYTES = 24
STEPS, UNAPPLIED = "editor", "apply it in its editor first, or close that."
CHANGED = "This value was changed elsewhere meanwhile"
STALE = Proposal(Verdict(False, CHANGED, "Copy what you typed, then open the editor again.", b"", None), None)


class VerdictBand(QWidget):
    """Says what applying would do.

    Args:
        theme: the colours.
        group: the kind group whose colour the bytes have.
        with_bytes: whether there are bytes to show.
    """

    def __init__(self, theme: Theme, group: str | None, with_bytes: bool = True) -> None:
        super().__init__()
        self.setObjectName("verdictBand")
        self._theme, self._group, self._with_bytes = theme, group, with_bytes
        self._verdict: Verdict | None = None
        self._band, self._line = scaled(BAND), scaled(LINE)
        self._title, self._small = ui_font(strong=True), ui_font(Size.SECONDARY)
        self._value, self._strong = fixed_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_verdict(self, verdict: Verdict) -> None:
        """Show another verdict."""
        self._verdict = verdict
        self.setAccessibleName(f"{verdict.title}. {verdict.detail}".strip())
        self.setToolTip(plain_tip(self.accessibleName()))
        self.update()

    def _paint_words(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        state = self._theme.state("ok" if verdict.ok else "error")
        band = QRectF(card.left(), card.top(), card.width(), self._band)
        painter.save()
        painter.setClipRect(band)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(state.bg)
        painter.drawRoundedRect(band.adjusted(0, 0, 0, RADIUS if self._with_bytes else 0), RADIUS, RADIUS)
        painter.restore()
        mark = QRectF(band.left() + PADDING, band.top() + 7, ICON, ICON)
        if not verdict.detail:
            mark.moveTop(band.center().y() - ICON / 2)
        name, role = ("circle-check", "state.ok.line") if verdict.ok else ("circle-x", "state.error.line")
        icons.draw(painter, name, self._theme, mark, role)
        words = QRectF(mark.right() + 8, mark.top() - 2, band.right() - PADDING - mark.right() - 8, self._line)
        paint_line(painter, words, verdict.title, self._title, state.fg)
        paint_line(painter, words.translated(0, self._line - 1), verdict.detail, self._small, state.fg)

    def _paint_now(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        ui = self._theme.ui
        line = QRectF(card.left() + PADDING, card.top() + self._band + 6, card.width() - 2 * PADDING, self._line)
        room = line.adjusted(scaled(LABEL), 0, 0, 0)
        paint_line(painter, line, "Now", self._small, ui.text_secondary)
        if verdict.in_text:
            paint_line(painter, room, verdict.spelled[0], self._value, ui.text)
        else:
            self._paint_bytes(painter, room, verdict, verdict.before, NOTHING)
        line.translate(0, self._line)
        room.translate(0, self._line)
        paint_line(painter, line, "Will write", self._small, ui.text_secondary)
        if verdict.after is None:
            paint_line(painter, room, "nothing until the value is valid", self._small, ui.text_secondary)
        elif verdict.after == verdict.before:
            paint_line(painter, room, "nothing, it is the same", self._small, ui.text_secondary)
        elif verdict.in_text:
            words = verdict.spelled[1] or "the value as this text spells others"
            paint_line(painter, room, words, self._strong, self._theme.state("modified").fg)
        else:
            self._paint_bytes(painter, room, verdict, verdict.after, verdict.changed)

    def _paint_bytes(self, painter: QPainter, room: QRectF, verdict: Verdict, data: bytes, changed: Span) -> None:
        """Some bytes in hex round what changes: the header neutral, the rest in the kind's colour."""
        metrics, height = QFontMetricsF(self._value), self._line
        step = metrics.horizontalAdvance("00 ")
        count = max(1, min(BYTES, int((room.width() - 2 * step) / step)))
        first = verdict.first_byte(count)
        x = room.left()
        if first > verdict.header:
            x += paint_line(painter, QRectF(x, room.top(), step, height), "… ", self._value, self._theme.ui.text_dim)
        for k in range(first, min(len(data), first + count)):
            self._paint_byte(painter, QRectF(x, room.top(), step, height), data[k], k < verdict.header, k in changed)
            x += step
        if first + count < len(data):
            paint_line(painter, QRectF(x, room.top(), step, height), "…", self._value, self._theme.ui.text_dim)

    def _paint_byte(self, painter: QPainter, cell: QRectF, byte: int, in_header: bool, changed: bool) -> None:
        theme = self._theme
        tint = theme.structure("header") if in_header else theme.kind(self._group)
        if changed:
            width = QFontMetricsF(self._strong).horizontalAdvance("00")
            mark = QRectF(cell.left() - 1, cell.top() + 2, width + 2, self._line - 4)
            painter.fillRect(mark, theme.state("modified").bg)
            painter.fillRect(QRectF(mark.left(), mark.bottom() - 2, mark.width(), 2), theme.state("modified").line)
        colour = theme.state("modified").fg if changed else tint.fg
        paint_line(painter, cell.adjusted(0, 0, 8, 0), f"{byte:02X}", self._strong if changed else self._value, colour)

    # QWidget

    def sizeHint(self) -> QSize:
        return QSize(400, self._band + (2 * self._line + PADDING if self._with_bytes else 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._verdict is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.ui.base)
        painter.drawRoundedRect(card, RADIUS, RADIUS)
        self._paint_words(painter, card, self._verdict)
        if self._with_bytes:
            self._paint_now(painter, card, self._verdict)
        painter.setPen(QPen(self._theme.ui.border, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()


MARGIN = 24
WIDTH = 520
SPACING = 12
APPLY_KEYS = ("Ctrl+Return", "Ctrl+Enter")


class EditorCard(QDialog):
    """One open editor. Applying is one step for undo; Esc leaves everything as it was, and asks where that is much.

    Where the file is changed elsewhere, an editor in which nothing was typed goes. Any other one stays with what was
    typed, and writes it once its value is as it was when the editor was opened.

    Args:
        editor: the fields.
        session: applies the edit.
        theme: the colours.
        parent: the window it lies over.
        with_bytes: whether the verdict shows the bytes.
    """

    def __init__(
        self, editor: Editor, session: Session, theme: Theme, parent: QWidget, with_bytes: bool = True
    ) -> None:
        super().__init__(parent)
        self.setObjectName("editorCard")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.editor = editor
        self._asks = self._is_given_up = False
        self._session, self._theme = session, theme
        target = editor.target
        self._value = EditedValue(session, target.document, target.item)
        self._opened_with = self._value.digest()
        self._is_typed = self._is_stale = False
        self.setWindowTitle(in_title(f"Edit {target.type}"))
        self.band = VerdictBand(theme, target.row.group, with_bytes)
        self.says = note()
        self.apply_button = QPushButton("&Apply")
        self.cancel_button = QPushButton("&Cancel")
        spot = session.spot
        inside = spot is not None and spot.level is not None and spot.document is target.document
        self._lay_out(spot.path if spot is not None and inside else format_path(target.document, target.item))
        self._connect()
        self._judge()
        self.resize(self.sizeHint().expandedTo(QSize(scaled(WIDTH), 0)))

    def _lay_out(self, path: str) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN - 4, MARGIN, MARGIN - 4)
        layout.setSpacing(SPACING)
        layout.addLayout(self._head(path))
        layout.addWidget(note(self.editor.target.about))
        layout.addWidget(self.editor, 1)
        if not self.editor.grows:
            layout.addStretch()
        layout.addWidget(self.says)
        self.says.hide()
        layout.addWidget(self.band)
        buttons = QDialogButtonBox()
        buttons.addButton(self.apply_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.cancel_button, QDialogButtonBox.ButtonRole.RejectRole)
        self.apply_button.setDefault(True)
        self.apply_button.setToolTip("Write this (Ctrl+Enter)")
        self.cancel_button.setToolTip("Close without a change (Esc)")
        layout.addWidget(buttons)

    def _head(self, path: str) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(8)
        target = self.editor.target
        own = target.document.dialect.by_name.get(target.type, target.row)
        head.addWidget(_Chip(self._theme, own.chip, own.group))
        name = ElidedLine(self._theme, fixed_font(Size.UI, strong=True), elide=Qt.TextElideMode.ElideMiddle)
        name.set_text(path)
        kind = ElidedLine(self._theme, ui_font(Size.SECONDARY), "text_secondary")
        kind.set_text(target.type)
        head.addWidget(name, 1)
        head.addWidget(kind)
        return head

    def _connect(self) -> None:
        self.editor.edited.connect(self._judge)
        self.editor.said.connect(self.say)
        self.apply_button.clicked.connect(self.apply)
        self.cancel_button.clicked.connect(self._give_up)
        for keys in APPLY_KEYS:
            QShortcut(QKeySequence(keys), self).activated.connect(self.apply)
        self._session.changed.connect(self._follow)
        self._session.opened.connect(self._follow_file)

    def start(self) -> None:
        """Show it and let a person type."""
        self.open()
        self.editor.start()

    def say(self, sentence: str) -> None:
        """Tell something above the verdict."""
        self.says.setText(sentence)
        self.says.setVisible(bool(sentence))

    def _judge(self) -> None:
        self.say("")
        proposal = self.editor.proposal() if not self._is_stale else STALE
        self.band.set_verdict(proposal.verdict)
        self.apply_button.setEnabled(proposal.verdict.ok)
        self._is_typed = self.editor.has_steps or not proposal.verdict.ok or proposal.edit is not None
        self._session.note_typing(not self._is_typed, STEPS, UNAPPLIED)

    def apply(self) -> None:
        """Write the value and close; where it cannot be written, stay and say why."""
        self._session.settle()
        if not self.apply_button.isEnabled():
            return
        try:
            if self._session.waits:
                raise EditError("These bytes are still being read; try again in a moment.")
            edit = self.editor.edit()
        except EditError as error:
            self.say(str(error))
            return
        self._session.changed.disconnect(self._follow)
        if edit is not None and not self._is_written(edit):
            self._session.changed.connect(self._follow)
            return
        self.accept()

    def _is_written(self, edit: Edit) -> bool:
        """Do an edit as a step of its own; whether it was done, where not it is said why."""
        document = self._session.document
        before = document.revision if document is not None else 0
        self._session.failed.connect(self.say)
        self._session.seal()
        self._session.apply(edit, of=self.editor.target.document)
        self._session.failed.disconnect(self.say)
        return document is not None and document.revision != before

    def reject(self) -> None:
        if self.editor.has_steps:
            self._asks = True
            goes = dialogs.ask_drop_steps(self)
            self._asks = False
            if not (goes or self._is_given_up):
                return
        self._give_up()

    def _give_up(self) -> None:
        """Leave unasked; a question that lies over this is answered first, as it would go together with it."""
        self._is_given_up = True
        if not self._asks:
            super().reject()

    def done(self, result: int) -> None:
        self._session.note_typing(True, STEPS)
        super().done(result)

    def _follow(self, change: Change) -> None:
        """The bytes were changed elsewhere."""
        self._go_on(self._value.follow(change.splices))

    def _follow_file(self) -> None:
        """The file was read again, or another one is shown."""
        if self._session.document is None:
            self._give_up()
        else:
            self._go_on(self._value.follow_to(self._session.document))

    def _go_on(self, is_there: bool) -> None:
        """Stay with what was typed, for the value where it is now."""
        if not self._is_typed:
            self._give_up()
            self._session.failed.emit("The file was changed meanwhile; open the editor again.")
            return
        self._is_stale = not (is_there and self._opened_with and self._value.digest() == self._opened_with)
        if not self._is_stale:
            spot = self._value.spot
            self.editor.target = replace(self.editor.target, document=spot.document, item=spot.item)
        self._judge()


class _Chip(QWidget):
    """The chip of a type."""

    def __init__(self, theme: Theme, letters: str, group: str) -> None:
        super().__init__()
        self._theme, self._letters, self._group = theme, letters, group
        self.setFixedSize(chips.WIDTH, chips.HEIGHT + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        chips.paint_chip(painter, QRectF(self.rect()), self._letters, self._group, self._theme)
        painter.end()
