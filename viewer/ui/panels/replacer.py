"""Replacing what a search found: the plan is made beside the window, and done as one edit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from viewer.base.progress import Progress
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.words import counted, grouped
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.searching.query import Query, QueryError, SearchError
from viewer.document.searching.replace import ReplacePlan, ReplaceRow, ReplaceStopped, parse_replacement, plan_replace
from viewer.document.searching.search import steps
from viewer.document.splice import EditFocus
from viewer.ui.panels.find_runner import FindRunner
from viewer.ui.session import Session
from viewer.ui.worker import Job, Worker

SETTLE = 120
"""Milliseconds without a key before the plan is made."""
NOT_READ = "These bytes are still being read; try again in a moment."
NOTHING = "There is nothing to replace: type what to look for in the search field."
NOWHERE = "There is nothing to replace: nothing was found."
REPLACING = "Replacing … Escape stops it."
STOPPED = "Stopped; nothing was replaced."


class Replacer(QObject):
    """Replaces the places that a search found.

    Attributes:
        text: what they become.
        sentence: what is to be said about it.
        is_wrong: whether that is an error.

    Args:
        session: whose document is changed.
        runner: found the places.
        parent: owns it.

    Signals:
        changed: the sentence or what the places would become is another one.
        replaced: one place was replaced, or all were.
    """

    changed = Signal()
    replaced = Signal()

    def __init__(self, session: Session, runner: FindRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._runner = session, runner
        self.text = ""
        self.sentence = ""
        self.is_wrong = False
        self._is_on = False
        self._rows: dict[Span, ReplaceRow] = {}
        self._plan: ReplacePlan | None = None
        self._made_for: tuple[object, ...] = ()
        self._applies = False
        self._next: int | None = None
        self._keeps = False
        self._asked = runner.query
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.leave)
        self._later = QTimer(self, singleShot=True, interval=SETTLE)
        self._later.timeout.connect(self._preview)
        runner.hits_changed.connect(self._follow)
        session.opened.connect(self._on_opened)
        session.changed.connect(self._on_changed)

    @property
    def is_on(self) -> bool:
        """Whether what would be replaced is shown."""
        return self._is_on

    @property
    def is_replacing(self) -> bool:
        """Whether all places are being replaced just now."""
        return self._applies and self._worker.job is not None

    def turn(self, on: bool) -> None:
        """Begin or end to show what the places would become."""
        self._is_on, self._keeps = on, False
        self.stop()
        self._forget()
        if on:
            self._follow()
        self._say("")

    def set_text(self, text: str) -> None:
        """Replace by something else."""
        self.text, self._keeps = text, False
        self.stop()
        self._forget()
        self._say(*self._why_not())
        self._follow()

    def row(self, index: int) -> ReplaceRow | None:
        """What becomes of a place, None where that is not known."""
        hits = self._runner.hits
        return self._rows.get(hits[index]) if self._is_on and index < len(hits) else None

    def stop(self) -> None:
        """Give up what is done beside the window; nothing is replaced."""
        was_on = self.is_replacing
        self._worker.stop()
        self._applies = False
        if was_on:
            self._say(STOPPED)

    def leave(self) -> None:
        """The program ends: wait until nothing works beside the window any more."""
        self._worker.stop()
        self._worker.wait()

    # One place

    def replace_one(self) -> None:
        """Replace the place that the person stands on and go to the next one; without one go to the first."""
        document, current = self._session.document, self._runner.current
        problem = self._why_not(asked=True)[0]
        if document is None or problem:
            self._say(problem, True)
            return
        if current is None:
            self._runner.step(1)
            return
        try:
            plan = plan_replace(document, [current], self._runner.query, self.text)
        except (QueryError, SearchError, EditError) as error:
            self._say(str(error), True)
            return
        self._say(plan.first_problem, bool(plan.first_problem))
        self._keeps = bool(plan.first_problem)
        self._next = current.start + (plan.rows[0].size if plan.replaced else len(current))
        if plan.edit is not None:
            self._session.seal()
            self._session.apply(replace(plan.edit, focus=EditFocus((), ())))  # taken back, it leads back here
            self.replaced.emit()
        if not self._session.waits:
            self._go_on()

    def _go_on(self) -> None:
        """Stand behind what was replaced, and go to the next place from there."""
        document, place, self._next = self._session.document, self._next, None
        if place is not None and document is not None:
            self._session.go_to(min(place, len(document.buffer) - 1), remember=False)
            self._runner.step(1)

    # All places

    def replace_all(self) -> None:
        """Replace all places as one step; where not all are known yet, they are searched first."""
        problem = self._why_not(asked=True)[0]
        document = self._session.document
        if document is None or problem:
            self._say(problem, True)
            return
        if self._runner.is_complete and not self._runner.hits and not self._runner.is_stopped:
            self._say(NOWHERE, True)
        elif self._plan is not None and self._made_for == self._state() and not self._runner.is_cut:
            self._apply(self._plan)
        else:
            self._applies = True
            self._say(REPLACING)
            self._start(document, self._known_hits())

    def _known_hits(self) -> list[Span] | None:
        """All places there are; None where they are to be searched first."""
        runner = self._runner
        is_all = runner.is_complete and not runner.is_cut and not runner.is_stopped
        return list(runner.hits) if is_all else None

    def _apply(self, plan: ReplacePlan) -> None:
        if plan.edit is None:
            self._say(plan.first_problem or "It is the same already; nothing was changed.", bool(plan.refused))
            return
        self._session.seal()
        self._session.apply(plan.edit)
        self.replaced.emit()
        self._keeps = True
        many = counted(plan.replaced + plan.refused, "place")
        places = f"{grouped(plan.replaced)} of {many}" if plan.refused else many
        self._say(
            f"Replaced {places} in {counted(plan.values, 'value')}. {plan.first_problem}".rstrip(), bool(plan.refused)
        )

    # Beside the window

    def _why_not(self, asked: bool = False) -> tuple[str, bool]:
        """Why nothing can be replaced, as a sentence and whether it is an error; empty where something can be."""
        if self._session.waits:
            return NOT_READ, True
        if self._runner.query.is_empty:
            return (NOTHING, True) if asked else ("", False)
        try:
            parse_replacement(self._runner.query, self.text)
        except QueryError as error:
            is_begun = asked or bool(self.text)
            return (str(error), True) if is_begun else ("", False)
        return "", False

    def _state(self) -> tuple[object, ...]:
        """What a plan is made for."""
        document, runner = self._session.document, self._runner
        revision = document.revision if document is not None else -1
        return revision, runner.query, self.text, runner.generation, len(runner.hits)

    def _follow(self) -> None:
        """There may be other places, or they may become something else."""
        self._keeps = self._keeps and self._runner.query == self._asked
        self._asked = self._runner.query
        if self._is_on and self._made_for != self._state():
            self._later.start()

    def _preview(self) -> None:
        document, runner = self._session.document, self._runner
        if self._applies or document is None or not self._is_on or not runner.is_complete or not runner.hits:
            return
        if self._why_not(asked=True)[0]:
            self._forget()
            self._say(*self._why_not())
            return
        self._start(document, list(runner.hits))

    def _start(self, document: Document, hits: list[Span] | None) -> None:
        runner = self._runner
        self._made_for = self._state()
        self._worker.start(partial(_planned, document, hits, runner.within, runner.query, self.text))

    def _take(self, job: Job[ReplacePlan]) -> None:
        applies, self._applies = self._applies, False
        if isinstance(job.error, ReplaceStopped):
            return
        if isinstance(job.error, QueryError | SearchError | EditError):
            self._say(str(job.error), True)
        elif isinstance(job.error, MemoryError):
            self._say("There is not enough memory to replace so much; replace under one value at a time.", True)
        elif job.error is not None:
            raise job.error
        elif job.result is not None and self._made_for == self._state():
            self._plan = job.result
            self._rows = {row.span: row for row in job.result.rows}
            self._apply(job.result) if applies else self._tell(job.result)

    def _tell(self, plan: ReplacePlan) -> None:
        """What would happen, before it does."""
        if self._keeps:
            self.changed.emit()
        elif plan.refused and not plan.replaced:
            self._say(plan.first_problem, True)
        else:
            whole = f" of {grouped(plan.replaced + plan.refused)}" if plan.refused else ""
            more = " at least" if self._runner.is_cut else ""
            self._say(f"{grouped(plan.replaced)}{whole}{more} will change. {plan.first_problem}".rstrip(), False)

    def _say(self, sentence: str, is_wrong: bool = False) -> None:
        self.sentence, self.is_wrong = sentence, is_wrong
        self.changed.emit()

    def _forget(self) -> None:
        self._plan, self._rows, self._made_for = None, {}, ()

    def _on_opened(self) -> None:
        self.stop()
        self._forget()
        self._next = None
        self._say("")

    def _on_changed(self, change: Change) -> None:
        self._worker.stop()
        self._applies = False
        self._forget()
        if self._next is not None and not change.waits:
            QTimer.singleShot(0, self, self._go_on)
        self._follow()


def _planned(
    document: Document, hits: list[Span] | None, within: Span | None, query: Query, text: str, progress: Progress
) -> ReplacePlan:
    """The plan for these places, or for all there are."""
    found = _found(document, within, query, progress) if hits is None else hits
    return plan_replace(document, found, query, text, progress)


def _found(document: Document, within: Span | None, query: Query, progress: Progress) -> Iterator[Span]:
    """All places, searched as they are taken."""
    for step in steps(document, query, within):
        if not progress(step.reached):
            raise ReplaceStopped
        yield from (hit.span for hit in step.hits)
