"""Find what I did: what changed when a person did what they said, and at no other time."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from viewer.base.progress import Progress
from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.document.timeline.act_finding import FoundAct, acts_of, found_acts
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.timeline.timeline_parts import (
    PATH_ROLE,
    OpenTimeline,
    cells,
    change_words,
    column,
    flat_list,
    is_told,
    line_of_words,
)
from viewer.ui.worker import Job, Worker

MOST = 100
"""So many suspects are listed."""
NO_MARK = "Say below the list what you do now in the game, do it, let the game save, and press Done."
NOTHING = "No version came after that mark yet, or nothing changed in it."
EXACT = "changed then and at no other time"
NOT_EXACT = "Nothing changed exactly then. Do it once more, with a mark and something else between."


class ActPage(QWidget):
    """Lists what may be what a person did, the likeliest first.

    Args:
        opened: the timeline.

    Attributes:
        acts: what was marked.
        suspects: the rows.

    Signals:
        follow_wanted: ``str``: the path of a value that a person wants to see in all versions.
        told: the rows are shown.
    """

    follow_wanted = Signal(str)
    told = Signal()

    def __init__(self, opened: OpenTimeline) -> None:
        super().__init__()
        self._opened = opened
        self.acts = QComboBox()
        self.acts.setAccessibleName("What I did")
        self.words = line_of_words()
        self.model = QStandardItemModel(0, 3, self)
        self.model.setHorizontalHeaderLabels(("Value", "Change", "Else"))
        self.suspects = flat_list(self.model, "What changed when you did it", 1, {0: 190, 2: 70})
        column(self, self.acts, self.words, self.suspects, inner=8)
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self.acts.activated.connect(lambda _: self.search())
        self.suspects.activated.connect(lambda index: self.follow_wanted.emit(index.siblingAtColumn(0).data(PATH_ROLE)))

    def fill(self) -> None:
        """Offer what was marked, the latest first."""
        marks, current = self._opened.timeline.marks, self.acts.currentData()
        words = list(dict.fromkeys(mark.text for mark in reversed(marks)))
        self.acts.clear()
        for text in words:
            count = len(acts_of(marks, text))
            self.acts.addItem(escaped(text) + (f" ({count} times)" if count > 1 else ""), text)
        self.acts.setCurrentIndex(max(0, self.acts.findData(current)) if words else -1)
        self.acts.setVisible(bool(words))
        if self.isVisible() or not words:
            self.search()

    def search(self) -> None:
        """Find what changed when the chosen thing was done."""
        text = self.acts.currentData()
        if not isinstance(text, str):
            self.model.removeRows(0, self.model.rowCount())
            self.words.setText(NO_MARK)
            return
        self.words.setText("Looking…")
        timeline, documents, alone = self._opened.timeline, self._opened.documents, self._opened.alone
        versions, marks = timeline.versions, acts_of(timeline.marks, text)

        def work(goes_on: Progress) -> list[FoundAct]:
            with alone():
                return found_acts(versions, documents.steps(versions, goes_on), marks)

        self._worker.start(work)

    def _take(self, job: Job[list[FoundAct]]) -> None:
        self.model.removeRows(0, self.model.rowCount())
        if is_told(job, self.words) or job.result is None:
            return
        found = job.result
        exact = sum(each.is_exact for each in found)
        self.words.setText(NOTHING if not found else f"{counted(exact, 'value')} {EXACT}." if exact else NOT_EXACT)
        for each in found[:MOST]:
            words = (
                f"{counted(each.count, 'value')} {each.change.kind.value}" if each.count else change_words(each.change)
            )
            times = "never" if not each.elsewhere else "once" if each.elsewhere == 1 else f"{each.elsewhere} times"
            made = cells(each.path, words, times)
            if each.is_exact:
                for cell in made:
                    cell.setFont(ui_font(Size.UI, strong=True))
            self.model.appendRow(made)
        if found:
            self.suspects.setCurrentIndex(self.model.index(0, 0))
        self.told.emit()

    def stop(self) -> None:
        """Work no more."""
        self._worker.stop()
