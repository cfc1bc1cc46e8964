"""The repairs in the window: looks for them, shows what would come of one, and does it when asked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

from viewer.base.progress import Progress
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.words import counted, grouped
from viewer.document import outline
from viewer.document.doctor import preview
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.edits.length_fixups import FixupOffer
from viewer.document.splice import touched
from viewer.ui import dialogs
from viewer.ui.dialogs import MARGIN
from viewer.ui.doctor.finder import RepairFinder
from viewer.ui.doctor.repairs_view import RepairsView
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_widgets import ElidedLine
from viewer.ui.panels.problems_view import count
from viewer.ui.session import Session
from viewer.ui.tree.tree_rows import TreeBase
from viewer.ui.tree.view import TreePane
from viewer.ui.worker import Job, Worker

# The values as a repair would leave them: a tree that nothing can be changed in, and a button that does the repair.

SIZE = (760, 520)
APPLY_KEYS = ("Ctrl+Return", "Ctrl+Enter")
OPENED = 3
"""So many values are opened at once."""
MARKED = "; what changes has a bar at its left"


class PreviewDialog(QDialog):
    """Shows a document that is nowhere else; accepting it means to do the repair.

    Args:
        parent: the window.
        repair: what would be done.
        document: what would come of it.
        theme: the colours.
    """

    def __init__(self, parent: QWidget, repair: Repair, document: Document, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("repairPreview")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle("Preview of a repair")
        self.resize(QSize(*SIZE).boundedTo(parent.size() - QSize(MARGIN, MARGIN)))
        self.repair = repair
        self.tree = TreeBase(theme, self)
        self.tree.setObjectName("previewTree")
        self.tree.setAccessibleName("Values after the repair")
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setFrameShape(TreeBase.Shape.StyledPanel)
        changed = changed_spans(repair)
        self._show(document, changed)
        self.facts = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary")
        self.facts.set_text(facts(document) + (MARKED if changed else ""))
        self._lay_out(repair, theme)
        for keys in APPLY_KEYS:
            QShortcut(QKeySequence(keys), self).activated.connect(self.accept)
        self.tree.setFocus()

    def _show(self, document: Document, changed: list[Span]) -> None:
        self.tree.tree_model.set_document(document, changed)
        self.tree.columns.set_bytes(len(document.shown))
        model = self.tree.tree_model
        for row in range(min(OPENED, model.rowCount())):
            self.tree.expand(model.index(row, 0))
        self._go_to(document, changed)

    def _go_to(self, document: Document, changed: list[Span]) -> None:
        """Choose the first row that changes, or the first of all."""
        model = self.tree.tree_model
        item = outline.item_at(document, min(changed[0].start, len(document.buffer) - 1)) if changed else None
        index = model.index_of(item) if item is not None else model.index(0, 0)
        if not index.isValid():
            index = model.index(0, 0)
        if index.isValid():
            self.tree.set_current(self.tree.reveal_index(index))

    def _lay_out(self, repair: Repair, theme: Theme) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        title = ElidedLine(theme, ui_font(Size.UI, strong=True))
        title.set_text(repair.sentence.rstrip("."))
        head.addWidget(_Sign(theme))
        head.addWidget(title, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply_button = buttons.addButton("&Apply", QDialogButtonBox.ButtonRole.AcceptRole)
        self.apply_button.setToolTip("Change the document like this; can be undone (Ctrl+Enter)")
        self.apply_button.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN - 4, MARGIN, MARGIN - 4)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(TreePane(self.tree), 1)
        column.addWidget(self.facts)
        column.addWidget(buttons)


def changed_spans(repair: Repair) -> list[Span]:
    """The bytes that a repair writes, as they lie afterwards; where it opens a wrap none of them can be seen."""
    if repair.edit is None or (repair.choice is not None and repair.choice.opening.codecs):
        return []
    return touched(splice.trimmed() for splice in repair.edit.splices)


def facts(document: Document) -> str:
    """How much a document holds and what is wrong with it, in a few words."""
    frames = len(document.frames)
    values = sum(len(frame.table) for frame in document.frames)
    whole = counted(frames, "value") + (f" ({grouped(values)} with all inside)" if values > frames else "")
    parts = [whole, counted(len(document.shown), "byte")]
    counts = count(document.findings.known())
    if document.buffer:
        what = "in values" if counts.errors else "explained"
        parts.append(f"{document.explained:.0%} {what}".replace("%", " %"))
    return ", ".join([*parts, counts.words])


class _Sign(QWidget):
    """The wand before the title."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(18, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        icons.draw(painter, "wand-sparkles", self._theme, QRectF(1, 2, 16, 16), "accent")
        painter.end()


CHANGED = "The bytes changed meanwhile: this repair was made for others."
DONE = "Repaired. Ctrl+Z undoes it."
READ = "Read in another way now. Nothing in the bytes was changed."


class RepairsController(QObject):
    """Joins the repairs to a window.

    Args:
        window: the parent of the dialogs.
        session: whose document is mended.
        theme: the colours.
        show_instead: shows a document in the place of the one that is open.
        add: shows a document in a tab of its own.
        say: told in words what was done.
        offer: tells what a person's own edit of the bytes made untrue.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        theme: Theme,
        show_instead: Callable[[Document], None],
        add: Callable[[Document], None],
        say: Callable[[str], None],
        offer: Callable[[], FixupOffer | None],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._theme = window, session, theme
        self._show_instead, self._add, self._say = show_instead, add, say
        self._previewed: Repair | None = None
        self._worker = Worker(self)
        self._worker.finished.connect(self._show_preview)
        self.finder = RepairFinder(session, self, offer)
        self.view = RepairsView(session, self.finder, theme)
        self.view.preview_asked.connect(self.preview)
        self.view.apply_asked.connect(self.apply)

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        self.view.set_theme(theme)

    def leave(self) -> None:
        """Wait until nothing works beside the window any more; for the end of the program."""
        self.finder.leave()
        self._worker.stop()
        self._worker.wait()

    def preview(self, repair: Repair) -> None:
        """Show the values as a repair would leave them."""
        document = self._session.document
        if document is None or not self._is_known(repair):
            return
        self._previewed = repair

        def work(goes_on: Progress) -> Document:
            return preview(document, repair)

        self._worker.start(work)

    def _show_preview(self, job: Job[Document]) -> None:
        repair = self._previewed
        if job.error is not None:
            raise job.error
        if repair is None or job.result is None or not self._is_known(repair):
            return
        dialog = PreviewDialog(self._window, repair, job.result, self._theme)
        dialog.accepted.connect(self._apply_previewed)
        dialog.open()

    def _apply_previewed(self) -> None:
        if self._previewed is not None:
            self.apply(self._previewed)

    def apply(self, repair: Repair) -> None:
        """Do a repair: change the bytes, how they are read, or which wraps are taken off."""
        document = self._session.document
        if document is None or not repair.can_be_applied:
            return
        if not self._is_known(repair):
            self._say(CHANGED)
            return
        choice = repair.choice
        if choice is not None and choice.opening.codecs:
            self._open_wraps(document, repair)
            return
        if repair.edit is not None:
            self._session.seal()
            self._session.apply(repair.edit, repair.edit.splices[0].offset if repair.edit.splices else None)
        if choice is not None:
            self._session.read_as(choice)
        self._say(DONE if repair.edit is not None else READ)

    def _open_wraps(self, document: Document, repair: Repair) -> None:
        """Take more wraps off: the file is read anew, so that saving puts them on again."""
        assert repair.choice is not None
        if document.carried or repair.edit is not None:
            self._add(preview(document, repair))
            return
        if document.modified and not dialogs.ask_drop_changes(self._window, document.name):
            return
        opening = repair.choice.opening
        codecs = (*document.wraps.names, *(opening.codecs or ()))
        self._show_instead(document.opened_as(replace(document.choice.opening, codecs=codecs, secret=opening.secret)))

    def _is_known(self, repair: Repair) -> bool:
        """Whether a repair is one for the bytes as they are."""
        return any(known.does_as(repair) for known in self.finder.repairs)
