"""The repairs in the window: looks for them, shows what would come of one, and does it when asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from viewer.document.doctor import preview
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.ui.doctor.finder import RepairFinder
from viewer.ui.doctor.preview_dialog import PreviewDialog
from viewer.ui.doctor.repairs_view import RepairsView
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.window import dialogs
from viewer.ui.worker import Job, Progress, Worker

CHANGED = "The bytes changed meanwhile: this repair was made for others."
DONE = "Repaired. Ctrl+Z takes it back."
READ = "Read in another way now. Nothing in the bytes was changed."


class RepairsPlace(QObject):
    """Joins the repairs to a window.

    Args:
        window: the parent of the dialogs.
        session: whose document is mended.
        theme: the colours.
        show_instead: shows a document in the place of the one that is open.
        add: shows a document in a tab of its own.
        say: told in words what was done.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        theme: Theme,
        show_instead: Callable[[Document], None],
        add: Callable[[Document], None],
        say: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._theme = window, session, theme
        self._show_instead, self._add, self._say = show_instead, add, say
        self._previewed: Repair | None = None
        self._worker = Worker(self)
        self._worker.finished.connect(self._show_preview)
        self.finder = RepairFinder(session, self)
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
