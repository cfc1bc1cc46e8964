"""The page about what is selected: what its bytes are, how the type is laid out, what engines do with it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QShowEvent, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QTextBrowser, QVBoxLayout, QWidget

from viewer.base.progress import Progress
from viewer.base.unseen import printable
from viewer.document.doctor.likely import LikelyCause
from viewer.document.explain import Note, Page, PageRow, Section, explain
from viewer.ui.doctor.lone_worker import LoneWorker
from viewer.ui.look.fonts import Size, fixed_font, pixels
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.worker import Job
from viewer.variant.items import Item


class ClosedDocument(QTextDocument):
    """A rich text that loads nothing: no picture, no style sheet.

    The page alone cannot see to it, nor can an answer of nothing: then Qt opens the file by itself.
    """

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing


class PlainBrowser(QTextBrowser):
    """A page that loads nothing and leads to no other page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocument(ClosedDocument(self))
        self.setOpenLinks(False)


# A page of explanations as rich text in a theme's colours, bytes in the fixed font.

CELL = 'style="padding: 2px 14px 2px 0; white-space: nowrap"'
REST = 'width="100%" style="padding: 2px 0"'
"""Of the last cell: it takes all the width that the others leave, so that a row's colour goes to the edge."""


def page_html(page: Page, theme: Theme) -> str:
    """The page; every text in it is escaped, nothing is loaded."""
    ui = theme.ui
    small = pixels(Size.SECONDARY)
    return "".join(
        (
            f'<div style="color: {ui.text.name()}; font-size: {pixels(Size.UI)}px">',
            f'<p style="font-size: {pixels(Size.TITLE)}px; margin-bottom: 2px"><b>{_safe(page.title)}</b></p>',
            f'<p style="color: {ui.text_secondary.name()}; font-size: {small}px; margin-top: 0">',
            f"{_safe(page.summary)}</p>",
            *(_section(section, theme) for section in page.sections),
            "</div>",
        )
    )


def _section(section: Section, theme: Theme) -> str:
    rows = "".join(_row(row, theme) for row in section.rows)
    notes = "".join(_note(note, theme) for note in section.notes)
    title = f'<p style="margin-top: 14px; margin-bottom: 4px"><b>{_safe(section.title)}</b></p>'
    return title + (f'<table width="100%" cellspacing="0" cellpadding="0">{rows}</table>' if rows else "") + notes


def _row(row: PageRow, theme: Theme) -> str:
    """Offset, bytes, name and meaning; what was asked for lies on the selection's colour, behind an arrow."""
    ui = theme.ui
    surface = f' bgcolor="{ui.selection.name()}"' if row.here else ""
    mark = "▸" if row.here else "&nbsp;"
    fixed = f"font-family: '{fixed_font().family()}', monospace; font-size: {pixels(Size.SECONDARY)}px"
    quiet = f"{fixed}; color: {ui.text_secondary.name()}"
    name = f"<b>{_safe(row.name)}</b>" if row.here else _safe(row.name)
    return (
        f"<tr{surface}><td {CELL}>{mark}&nbsp;</td>"
        f'<td {CELL}><span style="{quiet}">{_safe(row.place)}</span></td>'
        f'<td {CELL}><span style="{fixed}">{_safe(row.bytes).replace(" ", "&nbsp;")}</span></td>'
        f"<td {CELL}>{name}</td><td {REST}>{_safe(row.meaning)}</td></tr>"
    )


def _note(note: Note, theme: Theme) -> str:
    source = f' <span style="color: {theme.ui.text_secondary.name()}">({_safe(note.source)})</span>'
    return f'<p style="margin-top: 2px; margin-bottom: 4px">• {_safe(note.text)}{source if note.source else ""}</p>'


def _safe(text: str) -> str:
    return escape(printable(text.replace("\u202f", " ")))


SIZE = (620, 520)
EDGE = 12
BELOW = 80
PAUSE = 60
"""Milliseconds without a move until the page is made, so that walking through a tree stays light."""
NOTHING = "Select a value or a byte, and it is explained here."
LOOKING = "Looking it up …"
WAITS = "These bytes are still being read; what they are is known in a moment."


class ExplainCard(QDialog):
    """A page in a small window of its own.

    Args:
        parent: the window it floats over.
        session: what is selected.
        theme: the colours.
        cause: what most probably went wrong with the document, as far as the doctor knows.
    """

    def __init__(
        self, parent: QWidget, session: Session, theme: Theme, cause: Callable[[], LikelyCause | None]
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explainCard")
        self.setWindowTitle("Explain")
        self.page: Page | None = None
        self._session, self._theme, self._cause = session, theme, cause
        self._place: Item | int | None = None
        self._worker = LoneWorker(self)
        self._worker.finished.connect(self._take)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._ask)
        self.text = PlainBrowser()
        self.text.setAccessibleName("Explanation")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(16)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = buttons.addButton("&Copy", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setAutoDefault(False)
        self.copy_button.clicked.connect(self.copy)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        buttons.setContentsMargins(EDGE, 0, EDGE, EDGE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(EDGE)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        for signal in (session.opened, session.changed, session.selected, session.caret_moved):
            signal.connect(self.follow)

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        self._show_page()

    def start(self) -> None:
        """Show it beside what is selected, or where it was left."""
        self.show()
        self.raise_()
        self.text.setFocus()
        self._ask()

    def copy(self) -> None:
        """Copy what is marked, else the whole page as text."""
        marked = self.text.textCursor().selectedText().replace("\u2029", "\n")
        text = marked or (self.page.as_text() if self.page is not None else "")
        if text:
            QGuiApplication.clipboard().setText(text)

    def leave(self) -> None:
        """Wait until nothing works beside the window any more."""
        self._pause.stop()
        self._worker.stop()
        self._worker.wait()

    def follow(self, *_: object) -> None:
        """Make the page anew in a moment: something else is selected, or more is known."""
        self._worker.stop()
        if self.isVisible():
            self._pause.start()

    def _ask(self) -> None:
        session, document = self._session, self._session.document
        spot = session.spot
        if document is None or session.waits or not len(document.buffer):
            self._say(WAITS if session.waits else NOTHING)
            return
        place, cause = self._wanted(), self._cause()
        if spot is not None and spot.level is not None and place is session.item:
            document, place = spot.document, spot.item
        if self.page is None:
            self._say(LOOKING)

        def work(goes_on: Progress) -> Page:
            return explain(document, place, cause)

        self._worker.start(work)

    def _wanted(self) -> Item | int:
        """The selected item; the byte at the caret where the caret stands elsewhere or nothing is selected."""
        session = self._session
        assert session.document is not None
        if session.item is not None and (session.item_span is None or session.caret in session.item_span):
            return session.item
        return min(session.caret, len(session.document.buffer))

    def _take(self, job: Job[Page]) -> None:
        if isinstance(job.error, KeyError):
            self._say(NOTHING)
        elif job.error is not None:
            raise job.error
        elif job.result is not None and job.result != self.page:
            self.page = job.result
            self._show_page()

    def _say(self, sentence: str) -> None:
        self.page = None
        self.text.setPlainText(sentence)

    def _show_page(self) -> None:
        if self.page is not None:
            self.text.setHtml(page_html(self.page, self._theme))

    # Qt

    def sizeHint(self) -> QSize:
        parent = self.parentWidget()
        return QSize(*SIZE).boundedTo(parent.size() if parent is not None else QSize(*SIZE))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        parent = self.parentWidget()
        if parent is not None and not event.spontaneous() and not self.testAttribute(Qt.WidgetAttribute.WA_Moved):
            self.resize(self.sizeHint())
            corner = parent.mapToGlobal(parent.rect().topRight())
            self.move(corner.x() - self.width() - 2 * EDGE, corner.y() + BELOW)
