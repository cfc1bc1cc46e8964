"""Guards a person's work: changes are written down for the case of a crash, and other programs' writing is noticed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from viewer.base.assets import user_folder
from viewer.base.words import counted, grouped
from viewer.document.document import Document
from viewer.ui import dialogs
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.window.file_actions import AGAIN, FileActions
from viewer.ui.window.file_watcher import FileWatcher
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.open_files import OpenFiles


class WorkGuard(QObject):
    """Journals and file watching of one view.

    Args:
        window: the parent of the dialogs.
        session: what is edited.
        opened: the open documents.
        files: reads a file again.
        settings: says whether that is done unasked.
        journals: writes down what is edited.
        say: told in words what happened.

    Signals:
        told_news: two ``Document`` and a sentence: the second is the first, read again, and this is what changed in it.
    """

    told_news = Signal(object, object, str)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        opened: OpenFiles,
        files: FileActions,
        settings: Settings,
        journals: JournalKeeper,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(session)
        self._window = window
        self._session = session
        self._opened = opened
        self._files = files
        self._settings = settings
        self._say = say
        self.journals = journals
        journals.follow(session)
        self.watcher = FileWatcher(session)
        self.watcher.changed.connect(self._changed_on_disk)
        self._later = QTimer(session, singleShot=True, interval=AGAIN)
        self._later.timeout.connect(self._read_late)
        session.opened.connect(self._later.start)
        session.typing_changed.connect(self._later.start)
        files.read_again.connect(self._tell_news)

    def offer_kept(self) -> None:
        """Offer what an earlier run left behind, where it did."""
        from viewer.ui.window.bring_back_question import offer

        offer(self._window, self.journals, self._opened.bring_back, self._say)

    def show_kept(self, theme: Theme) -> None:
        """List what is kept of earlier runs."""
        from viewer.ui.window.kept_changes_dialog import KeptChangesDialog

        KeptChangesDialog(self._window, self.journals, self._opened.bring_back, theme).exec()

    def leave(self, is_last: bool = True) -> None:
        """The view closes as it should; with the last one the program ends."""
        self.journals.part(self._session)
        if is_last:
            self.journals.leave()

    def _changed_on_disk(self) -> None:
        is_asked = dialogs.is_asking(self._window)
        if self._is_to_be_read and not is_asked:
            self._files.reload(is_asked=False)
        elif self._session.document is not None:
            self._session.news_changed.emit()
        if is_asked:
            self._later.start()

    @property
    def _is_to_be_read(self) -> bool:
        """Whether the shown file is to be read again unasked."""
        document = self._session.document
        if document is None or not self._settings.reload_unasked or document.modified or self._session.has_typed:
            return False
        return document.changed_on_disk and not document.is_gone

    def _read_late(self) -> None:
        """Read again what was written behind another tab, or while something was asked or typed that is done now."""
        if dialogs.is_asking(self._window):
            self._later.start()
        elif self._is_to_be_read:
            self._files.reload(is_asked=False)

    def _tell_news(self, old: Document, new: Document) -> None:
        """Mark the values that a file read again has changed, until a person has seen them."""
        from viewer.document.compare.comparing import compare
        from viewer.document.compare.difference import CompareOptions, DifferenceKind
        from viewer.document.compare.ignored_paths import FOLDER, load
        from viewer.document.compare.news import MOST_NEWS, news

        if old.task is not None or new.task is not None:
            return
        if old.modified:  # what the person changed and let go is no news
            with dialogs.Waiting(self._window, f"Comparing “{new.name}”…") as waiting:
                before: list[Document] = []
                waiting.do(lambda: before.append(old.as_saved()))
            if self._session.document is not new:
                return  # the person went on meanwhile
            old = before[0]
        options = CompareOptions(ignore=load(user_folder(FOLDER), new.path))
        found = compare(old, new, options, most=MOST_NEWS)
        new.news = tuple(news(found))
        if found.changes:
            gone = found.count(DifferenceKind.REMOVED)
            left = f", {grouped(gone)} removed" if gone else ""
            ignored = f", {grouped(found.ignored)} ignored" if found.ignored else ""
            said = f"Read again: {counted(len(new.news), 'value')} changed{left}{ignored}."
            self.told_news.emit(old, new, said)
        else:
            self._say("Read again.")
        if new.news:
            self._session.news_changed.emit()
