"""The window of a timeline: its versions, what changed in each, one value through all of them, what somebody did."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QLineEdit,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from viewer.base.progress import Progress
from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.container.unpacking import size_in_words
from viewer.document.compare.difference import DifferenceKind
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.path import PathError
from viewer.document.reading import AT_ONCE, ReadOptions
from viewer.document.splice import Edit
from viewer.document.timeline.restoring import restored, restored_value
from viewer.document.timeline.timeline import KeptVersion, Timeline, TimelineProblem
from viewer.document.timeline.version_documents import VersionDocuments
from viewer.document.timeline.version_steps import VersionStep, path_of
from viewer.ui.compare.compare_host import ComparedSide
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, in_title, plain_tip
from viewer.ui.panels.panel_widgets import ElidedLine, TickBox
from viewer.ui.session import WAITS, Session
from viewer.ui.timeline.act_page import ActPage
from viewer.ui.timeline.follow_page import FollowPage
from viewer.ui.timeline.timeline_parts import (
    PATH_ROLE,
    OpenTimeline,
    button,
    cells,
    change_words,
    column,
    flat_list,
    is_told,
    line_of_words,
    row,
)
from viewer.ui.timeline.version_model import BYTES, NUMBER, SUMMARY, TIME, VersionModel
from viewer.ui.viewport import fit_screen
from viewer.ui.worker import Job, Worker

SIZE = (1040, 640)
LEAST = (640, 420)
MARGIN = 16
WIDE = 900
"""From so many pixels on the sizes of versions have room."""
LOOK = 500
"""Milliseconds between two looks at what other threads and programs have kept."""
BATCH = 6
"""So many summaries are made before they are shown."""
CHANGES, VALUE, ACTS = range(3)
KEPT = "It is a kept version; it cannot be edited"
NOTHING_KEPT = "Nothing is kept yet. Tick “Record This File”, and each version that the game writes is kept here."
BEGUN = "The first version is kept in a moment."
FIRST_ONE = "Nothing was kept before this version."
NOT_OPEN = "The file is not open any more."


class TimelineHost(Protocol):
    """What the window asks of the one that it was opened from."""

    def compare(self, old: ComparedSide, new: ComparedSide) -> None:
        """Show two sides beside each other."""
        ...

    def begin_again(self, file: Path) -> None:
        """Record a file, or no longer, as its timeline says now."""
        ...

    def is_recorded(self, file: Path) -> bool:
        """Whether a file is recorded now."""
        ...

    def open(self, document: Document) -> None:
        """Show a document in a tab of its own."""
        ...

    def bring(self, file: Path) -> Document | None:
        """Show the tab of a file; None where it is not open any more."""
        ...


class TimelineWindow(QDialog):
    """Shows one timeline beside the window. It never writes the file: what is restored is an edit of the open document.

    Args:
        window: what it belongs to.
        session: what is open.
        theme: the colours.
        timeline: what is shown; this window alone uses it.
        host: does what concerns the main window.

    Attributes:
        model, list: the versions.
        changes: the rows of what changed in the chosen version.
        value, acts: the pages about one value, and about what somebody did.

    Signals:
        told: what changed in the chosen version is shown.
        summarised: all versions have their words.
    """

    told = Signal()
    summarised = Signal()

    def __init__(self, window: QWidget, session: Session, theme: Theme, timeline: Timeline, host: TimelineHost) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self.setObjectName("timelineWindow")
        self.setWindowTitle(in_title(f"Timeline of {timeline.file.name}"))
        fit_screen(self, SIZE, LEAST)
        self._session, self._theme, self._timeline, self._host = session, theme, timeline, host
        document = session.document
        self._choice = ReadOptions(opening=(document.choice if document is not None else ReadOptions()).opening)
        self._documents = VersionDocuments(timeline, self._choice)
        self._opened = OpenTimeline(timeline, self._documents)
        self._unknown: list[tuple[KeptVersion | None, KeptVersion]] = []
        self._summarised: set[int] = set()
        self._shown: tuple[object, ...] = ()
        self._summaries, self._stepping = Worker(self), Worker(self)
        self._timer = QTimer(self, interval=LOOK)
        self._build()
        self._lay_out()
        self._connect()
        self.refresh()
        self._offer_selected()
        self._tell_buttons()
        self._timer.start()

    # Building

    def _build(self) -> None:
        theme = self._theme
        self.path = ElidedLine(theme, fixed_font(Size.SECONDARY), "text_secondary", Qt.TextElideMode.ElideMiddle)
        self.path.set_text(escaped(str(self._timeline.file)))
        self.record = TickBox("&Record This File")
        self.record.setToolTip(plain_tip("Keep each version that a game writes, as long as the file is open here"))
        self.secrets = TickBox("&Encrypted Files, Too")
        self.secrets.setToolTip(plain_tip("Keep versions that are encrypted, as they are"))
        self.says = PlainLabel()
        self.says.setFont(ui_font(Size.SECONDARY))
        self.says.setWordWrap(True)
        self.model = VersionModel(theme, self)
        self.list = flat_list(self.model, "Versions", SUMMARY, {NUMBER: 66, TIME: 152, BYTES: 76})
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.mark_field = QLineEdit()
        self.mark_field.setPlaceholderText("What you do now in the game")
        self.mark_field.setAccessibleName("What you do now in the game")
        self.mark_button = button("&Mark", "Now I do this: what changes next belongs to it", self.mark)
        self.done_button = button("Do&ne", "It is done: nothing that comes later belongs to it", self.done_with)
        self._changes_model = QStandardItemModel(0, 2, self)
        self._changes_model.setHorizontalHeaderLabels(("Value", "Change"))
        self.changes = flat_list(self._changes_model, "What changed", 1, {0: 190})
        self.step_words = line_of_words()
        self.value = FollowPage(theme, self._opened, self._chosen_number, self.model.when)
        self.acts = ActPage(self._opened)
        self.pages = QTabWidget()
        self.pages.setDocumentMode(True)
        self.compare_button = button(
            "&Compare…", "Show two selected versions, or one and the previous one", self.compare
        )
        tip = "Compare the version with the file as it is open"
        self.now_button = button("Compare With No&w…", tip, self.compare_now)
        self.open_button = button("&Open", "Open a copy of the version in a tab of its own", self.open_version)
        self.pin_button = button("&Pin", "Never thin this version out", self.pin)
        tip = "Set the open file to what this version holds; Undo reverts that"
        self.restore_button = button("Restore &Version", tip, self.restore)
        tip = "Set the chosen value to what it was in this version; Undo reverts that"
        self.value_button = button("Restore Va&lue", tip, self.restore_value)

    def _lay_out(self) -> None:
        head = row(self.path, self.record, self.secrets, stretch=True)
        left, changes = QWidget(), QWidget()
        column(left, self.list, row(self.mark_field, self.mark_button, self.done_button, stretch=True))
        column(changes, self.step_words, self.changes, row(self.value_button, end=True), inner=8)
        for page, title in ((changes, "Chan&ges"), (self.value, "Val&ue"), (self.acts, "What I &Did")):
            self.pages.addTab(page, title)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(left)
        both.addWidget(self.pages)
        both.setChildrenCollapsible(False)
        both.setSizes([540, 460])
        both.setStretchFactor(0, 1)
        both.setStretchFactor(1, 1)
        buttons = row(self.compare_button, self.now_button, self.open_button, self.pin_button)
        buttons.addStretch(1)
        buttons.addWidget(self.restore_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(MARGIN, 12, MARGIN, MARGIN)
        whole.setSpacing(8)
        whole.addLayout(head)
        whole.addWidget(self.says)
        whole.addWidget(both, 1)
        whole.addLayout(buttons)
        self.list.setFocus()

    def _connect(self) -> None:
        self._timer.timeout.connect(self.refresh)
        self.record.clicked.connect(self._switch)
        self.secrets.clicked.connect(self._switch)
        self.list.selectionModel().selectionChanged.connect(self._choose)
        self.list.doubleClicked.connect(lambda _: self.compare())
        self.mark_field.returnPressed.connect(self.mark)
        self.mark_field.textChanged.connect(self._tell_buttons)
        self.changes.selectionModel().currentChanged.connect(self._tell_buttons)
        self.changes.activated.connect(lambda index: self.follow_value(index.siblingAtColumn(0).data(PATH_ROLE)))
        self.acts.follow_wanted.connect(self.follow_value)
        self.value.picked.connect(self._pick)
        self.pages.currentChanged.connect(self._turn)
        self._session.selected.connect(self._offer_selected)
        self._summaries.finished.connect(self._take_summaries)
        self._stepping.finished.connect(self._take_step)
        for keys, slot in (("Ctrl+Return", self.compare), ("F5", self.refresh)):
            QShortcut(QKeySequence(keys), self, slot)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.path.set_theme(theme)
        self.value.set_theme(theme)
        self.model.set_theme(theme)

    # What there is

    def refresh(self) -> None:
        """Show what was kept and marked meanwhile, here or by other programs."""
        with self._opened.at_once() as is_free:
            if not is_free:
                return  # a thread reads it now; the next look comes soon
            try:
                self._timeline.refresh()
            except TimelineProblem as problem:
                self.say(str(problem))
                return
        versions, marks = self._timeline.versions, self._timeline.marks
        shown = tuple(versions), tuple(marks), self._timeline.is_on, self._host.is_recorded(self._timeline.file)
        if shown == self._shown:
            return
        is_first, self._shown = not self._shown, shown
        was_newest = self.list.currentIndex().row() <= 0 and len(self._chosen()) < 2
        self.model.show(versions, marks)
        self.list.resizeColumnToContents(TIME)
        self._tell_state()
        pairs = zip(chain((None,), versions), versions, strict=False)
        self._unknown = [pair for pair in pairs if pair[1].number not in self._summarised]
        self._summarise()
        if versions and (is_first or was_newest):
            self._pick(versions[-1].number)
        self.acts.fill()
        if self.value.found and not is_first:
            self.value.follow()
        self._tell_buttons()

    def _tell_state(self) -> None:
        kept = self._timeline
        self.record.setChecked(kept.is_on)
        self.secrets.setChecked(kept.keeps_secrets)
        if kept.problem:
            self.say(kept.problem)
        elif not kept.versions:
            self.say(BEGUN if kept.is_on else NOTHING_KEPT)
        else:
            thinned = f", {counted(kept.thinned, 'old one')} thinned out" if kept.thinned else ""
            on = " Recording." if self._host.is_recorded(kept.file) else " Not recording."
            self.say(f"{counted(len(kept.versions), 'version')} in {size_in_words(kept.stored)}{thinned}.{on}")

    def _switch(self) -> None:
        """Record the file, or no longer, as the boxes say."""
        self._do(lambda: self._timeline.switch(self.record.isChecked(), self.secrets.isChecked()))
        self._host.begin_again(self._timeline.file)
        self.refresh()
        self._tell_state()

    def _do(self, change: Callable[[], object]) -> bool:
        """Change the timeline; False where that cannot be, which is told."""
        try:
            with self._opened.alone():
                change()
        except TimelineProblem as problem:
            self.say(str(problem))
            return False
        return True

    def say(self, sentence: str) -> None:
        """Tell something about the timeline, or about what was asked for."""
        self.says.setText(escaped(sentence))

    # Summaries

    def _summarise(self) -> None:
        """Say what changed in the next few versions, the newest first."""
        batch, self._unknown = self._unknown[-BATCH:], self._unknown[:-BATCH]
        if not batch:
            self.summarised.emit()
            return
        documents, in_turn, is_last = self._documents, self._opened.in_turn, not self._unknown

        def work(goes_on: Progress) -> dict[int, str]:
            out: dict[int, str] = {}
            for old, new in reversed(batch):
                if not goes_on(new.number):
                    return out
                with in_turn():
                    out[new.number] = documents.summary(old, new)
            if is_last:
                with in_turn():
                    documents.keep_summaries()
            return out

        self._summaries.start(work)

    def _take_summaries(self, job: Job[dict[int, str]]) -> None:
        if job.error is not None:
            raise job.error
        self.model.tell(job.result or {})
        self._summarised.update(job.result or ())
        self._summarise()

    # Choosing versions

    def _chosen(self) -> list[KeptVersion]:
        """The selected versions, the oldest first."""
        rows = (self.model.row(index.row()) for index in self.list.selectionModel().selectedRows())
        return sorted((found for found in rows if isinstance(found, KeptVersion)), key=lambda each: each.number)

    def _chosen_number(self) -> int:
        chosen = self._chosen()
        return chosen[-1].number if chosen else 0

    def _pair(self) -> tuple[KeptVersion, KeptVersion] | None:
        """Two versions to compare: the first and last that are selected, or one and that before it."""
        chosen, versions = self._chosen(), self._timeline.versions
        if len(chosen) == 1:
            place = next((k for k, version in enumerate(versions) if version.number == chosen[0].number), 0)
            return (versions[place - 1], chosen[0]) if place else None
        return (chosen[0], chosen[-1]) if chosen else None

    def _pick(self, number: int) -> None:
        """Choose a version by its number."""
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        index = self.model.index(self.model.place_of(number), 0)
        self.list.selectionModel().setCurrentIndex(index, flags)
        self.list.scrollTo(index)

    def _choose(self, *_: object) -> None:
        self._tell_buttons()
        self._changes_model.removeRows(0, self._changes_model.rowCount())
        pair = self._pair()
        if pair is None:
            self._stepping.stop()
            self.step_words.setText(FIRST_ONE if self._chosen() else "")
            return
        old, new = pair
        self.step_words.setText(f"From version {old.number} to {new.number}:")
        documents, alone = self._documents, self._opened.alone

        def work(goes_on: Progress) -> tuple[KeptVersion, KeptVersion, VersionStep]:
            with alone():
                return old, new, documents.step(old, new, goes_on)

        self._stepping.start(work)

    def _take_step(self, job: Job[tuple[KeptVersion, KeptVersion, VersionStep]]) -> None:
        self._changes_model.removeRows(0, self._changes_model.rowCount())
        if is_told(job, self.step_words) or job.result is None:
            return
        old, new, step = job.result
        changes = [change for change in step.changes if change.kind is not DifferenceKind.WRITTEN]
        words = counted(len(changes), "difference") if changes else "no value changed"
        self.step_words.setText(f"From version {old.number} to {new.number}: {words}.")
        for change in changes:
            self._changes_model.appendRow(cells(path_of(change.place), change_words(change)))
        if changes:
            self.changes.setCurrentIndex(self._changes_model.index(0, 0))
        self._tell_buttons()
        self.told.emit()

    def _tell_buttons(self, *_: object) -> None:
        chosen, has_file = self._chosen(), self._session.document is not None
        one = len(chosen) == 1
        self.compare_button.setEnabled(self._pair() is not None)
        for each in (self.now_button, self.restore_button):
            each.setEnabled(one and has_file)
        for each in (self.open_button, self.pin_button):
            each.setEnabled(one)
        self.pin_button.setText("Un&pin" if one and chosen[0].is_pinned else "&Pin")
        self.value_button.setEnabled(one and has_file and self.changes.currentIndex().isValid())
        self.mark_button.setEnabled(bool(self.mark_field.text().strip()))
        marks = self._timeline.marks
        self.done_button.setEnabled(bool(marks) and marks[-1].until is None)

    # What can be done with versions

    def _version_document(self, version: KeptVersion) -> Document | None:
        """A version as a document that is nobody else's; None where it cannot be had, which is told."""
        name = f"{self._timeline.file.stem} v{version.number}{self._timeline.file.suffix}"
        try:
            with self._opened.alone():
                data = self._timeline.read(version)
            return Document(data, name=name, choice=self._choice, patience=AT_ONCE)
        except (TimelineProblem, FileProblem) as problem:
            self.say(str(problem))
            return None

    def _side(self, version: KeptVersion) -> ComparedSide | None:
        document = self._version_document(version)
        return None if document is None else ComparedSide(document, f"version {version.number}", KEPT)

    def compare(self) -> None:
        """Show both sides of two versions."""
        pair = self._pair()
        if pair is not None:
            old, new = self._side(pair[0]), self._side(pair[1])
            if old is not None and new is not None:
                self._host.compare(old, new)

    def compare_now(self) -> None:
        """Hold a version against the open file."""
        chosen, document = self._chosen(), self._host.bring(self._timeline.file)
        side = self._side(chosen[0]) if chosen else None
        if document is None:
            self.say(NOT_OPEN)
        elif side is not None:
            self._host.compare(side, ComparedSide(document, f"{document.name} as it is now"))

    def open_version(self) -> None:
        """Open a copy of a version."""
        chosen = self._chosen()
        found = self._version_document(chosen[0]) if chosen else None
        if found is not None:
            self._host.open(found)

    def pin(self) -> None:
        """Keep a version whatever comes, or no longer."""
        chosen = self._chosen()
        if chosen and self._do(lambda: self._timeline.pin(chosen[0].number, not chosen[0].is_pinned)):
            self.refresh()

    def restore(self) -> None:
        """Give the open document what a version holds."""
        self._restore(restored)

    def restore_value(self) -> None:
        """Give one value of the open document what it was."""
        path = self.changes.currentIndex().siblingAtColumn(0).data(PATH_ROLE)
        if isinstance(path, str):
            self._restore(lambda document, version, number: restored_value(document, version, number, path))

    def _restore(self, make: Callable[[Document, Document, int], Edit | None]) -> None:
        chosen = self._chosen()
        document = self._host.bring(self._timeline.file)
        if not chosen or document is None:
            self.say(NOT_OPEN)
            return
        if self._session.waits:
            self.say(WAITS)
            return
        self._session.settle()
        number = chosen[0].number
        try:
            with self._opened.alone():
                edit = make(document, self._documents.document(chosen[0]), number)
        except (TimelineProblem, EditError, PathError) as problem:
            self.say(str(problem))
            return
        if edit is None:
            self.say(f"The open file has that already: nothing differs from version {number}.")
            return
        self._session.apply(edit, of=document)
        self.say(f"Taken from version {number}. Nothing is written before you save; Undo reverts it.")

    # Marks, and one value

    def mark(self) -> None:
        """Write down what a person does now."""
        text = self.mark_field.text()
        if text.strip() and self._do(lambda: self._timeline.mark(text)):
            self.mark_field.clear()
            self.refresh()

    def done_with(self) -> None:
        """What the latest mark says is done."""
        if self._do(self._timeline.done):
            self.refresh()
            self.pages.setCurrentIndex(ACTS)

    def _turn(self, page: int) -> None:
        if page == ACTS:
            self.acts.search()
        elif page == VALUE and not self.value.found:
            self.value.follow()

    def _offer_selected(self, *_: object) -> None:
        spot = self._session.spot
        if spot is not None and spot.document is self._session.document:
            self.value.offer(spot.path)

    def follow_value(self, path: str) -> None:
        """Show a value in all versions."""
        self.value.found = []
        self.value.field.setText(path)
        if self.pages.currentIndex() == VALUE:
            self.value.follow()
        self.pages.setCurrentIndex(VALUE)

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.setColumnHidden(BYTES, self.width() < WIDE)

    def done(self, result: int) -> None:
        self._timer.stop()
        for worker in (self._summaries, self._stepping):
            worker.stop()
            worker.wait()
        self.value.stop()
        self.acts.stop()
        super().done(result)
