"""Looks for repairs beside the window, once changes have stopped.

Bytes in which something is wrong are looked at, few values that hold what no engine writes, and what a person asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from weakref import WeakKeyDictionary, WeakSet

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.base.progress import Progress
from viewer.base.record import dataclass
from viewer.document.damage import can_be_misread, is_damaged, may_be_damaged
from viewer.document.doctor import examine
from viewer.document.doctor.as_mended import read_as_mended
from viewer.document.doctor.likely import LIKELY, LikelyCause, likeliest
from viewer.document.doctor.repair import Answer, Repair
from viewer.document.document import Document
from viewer.document.edits.length_fixups import FixupOffer
from viewer.document.reading import Reading
from viewer.document.viewmodel.repairs import Headline, headline, with_own
from viewer.ui.doctor.lone_worker import LoneWorker
from viewer.ui.session import Session
from viewer.ui.worker import Job

PAUSE, OPENED = 300, 20
"""Milliseconds without a change until somebody looks, and until the window is painted that shows another document."""


_Known = tuple[Headline | None, tuple[Repair, ...], str, LikelyCause | None, float]
"""What is kept of a search as long as its document is there, which it must not hold itself."""


class SearchProgress(Enum):
    """How far the search for repairs is."""

    NOTHING = "nothing"
    WAITING = "waiting"
    ON = "on"
    DONE = "done"
    READ = "read"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class FoundRepairs:
    """What came of a search, or is known so far.

    Args:
        document, revision: what was looked at.
        headline: what the engine says.
        repairs: the best first.
        cut: why not everything was tried, in a sentence; empty where it was, or still is.
        cause: what is told beside the findings; None while the search is on, and where nothing is likely.
        reading: how the values are read by who knows the first repair, None where that shows no more.
        is_open: whether something unlikely was found, or not everything was tried, in bytes that an engine reads.
        unexplained: how likely it is that none of the repairs tells what happened, 0 to 1.
    """

    document: Document
    revision: int
    headline: Headline | None
    repairs: tuple[Repair, ...] = ()
    cut: str = ""
    cause: LikelyCause | None = None
    reading: Reading | None = None
    is_open: bool = False
    unexplained: float = 0.0


class RepairFinder(QObject):
    """Keeps the repairs of the session's document up to date.

    Args:
        session: whose document.
        parent: what it belongs to.
        offer: tells what a person's own edit of the bytes made untrue.

    Signals:
        changed: the search went a step on; look at the attributes.
    """

    changed = Signal()
    _partly = Signal(object)

    def __init__(
        self, session: Session, parent: QObject | None = None, offer: Callable[[], FixupOffer | None] = lambda: None
    ) -> None:
        super().__init__(parent)
        self._session, self._offer = session, offer
        self._asked: tuple[Document, int] | None = None
        self._is_read = False
        self._sound: WeakKeyDictionary[Document, int] = WeakKeyDictionary()
        self._wished: WeakSet[Document] = WeakSet()
        self._worker = LoneWorker(self)
        self._worker.finished.connect(self._take)
        self._partly.connect(self._take_part)
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._look)
        self.state = SearchProgress.NOTHING
        self.found: FoundRepairs | None = None
        self._learned: WeakKeyDictionary[Document, _Known] = WeakKeyDictionary()
        session.opened.connect(self._follow_opened)
        session.changed.connect(self._follow_changed)
        session.problems_changed.connect(self._look_again)
        self.restart()

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The repairs of the document as it is now; while they are looked for, those that are known."""
        found = self.found
        return found.repairs if found is not None and self._is_now(found.document, found.revision) else ()

    @property
    def cause(self) -> LikelyCause | None:
        """What most probably went wrong with the document as it is now, None as long as nobody knows."""
        found = self.found
        return found.cause if found is not None and self._is_now(found.document, found.revision) else None

    @property
    def tried(self) -> int:
        """How much the search under way has tried."""
        job = self._worker.job
        return job.reached if job is not None else 0

    def restart(self, pause: int = PAUSE) -> None:
        """Forget what was found, and look again after a pause in milliseconds if there is anything wrong."""
        document = self._session.document
        if document is not None and document.is_learned:
            self._session.unlearn()  # of which it hears itself
            return
        self._worker.stop()
        self._asked = self.found = None
        if document is not None and not self._known_to_be_sound(document) and self._is_looked_at(document):
            self.state = SearchProgress.WAITING
            self._pause.start(pause)
        else:
            self.state = SearchProgress.NOTHING
            self._pause.stop()
        self.changed.emit()

    def ask(self) -> None:
        """A person asks: look also where an engine reads all of it."""
        document = self._session.document
        if document is None or document in self._wished or self.state is not SearchProgress.NOTHING:
            return
        self._wished.add(document)
        if self._is_looked_at(document) and not self._known_to_be_sound(document):
            self.restart(OPENED)

    def _is_looked_at(self, document: Document | None) -> bool:
        """Whether there may be something to find, or a person asked."""
        wished = document is not None and document in self._wished and can_be_misread(document)
        return wished or may_be_damaged(document)

    def _known_to_be_sound(self, document: Document) -> bool:
        return self._sound.get(document) == document.revision

    def _follow_opened(self, *_: object) -> None:
        self._follow(OPENED)

    def _follow_changed(self, *_: object) -> None:
        self._follow(PAUSE)

    def _follow(self, pause: int) -> None:
        """Other bytes are looked at; values that are only read otherwise because of what was found are not."""
        document = self._session.document
        found = self._learned.get(document) if document is not None and document.is_learned else None
        if document is None or found is None:
            self.restart(pause)
            return
        self._worker.stop()
        self._pause.stop()
        self._asked = None
        said, repairs, cut, cause, rest = found
        self.state = SearchProgress.DONE
        self.found = FoundRepairs(document, document.revision, said, repairs, cut, cause, unexplained=rest)
        self.changed.emit()

    def cancel(self) -> None:
        """Give up looking; :meth:`look_now` begins again."""
        self._worker.stop()
        self._pause.stop()
        self.state, self._asked = SearchProgress.STOPPED, None
        self.changed.emit()

    def look_now(self) -> None:
        """Look without waiting for a pause."""
        self._pause.stop()
        self._look()

    def finish(self) -> None:
        """Look at once, and wait for a few seconds; what was found is told when events are next handled."""
        if self.state in (SearchProgress.WAITING, SearchProgress.ON):
            if self.state is SearchProgress.WAITING:
                self.look_now()
            self._worker.wait()

    def leave(self) -> None:
        """Wait until nothing works beside the window any more; for the end of the program."""
        self._pause.stop()
        self._worker.stop()
        self._worker.wait()

    def _look_again(self) -> None:
        """More may be wrong than was known; the same bytes are not looked at twice."""
        document = self._session.document
        if self.state is not SearchProgress.NOTHING or document is None or self._known_to_be_sound(document):
            return
        if self._is_looked_at(document):
            self.restart()

    def _look(self) -> None:
        document = self._session.document
        is_read = self._is_read = not is_damaged(document)
        if document is None or document.is_learned or (is_read and not self._is_looked_at(document)):
            self.restart()
            return
        self._asked = document, document.revision
        revision, own = document.revision, self._offer()

        def work(goes_on: Progress) -> FoundRepairs:
            said = headline(document, goes_on)

            def tell(answer: Answer) -> None:
                some = () if is_read else with_own(own, answer.repairs)  # what may be nothing waits until it is known
                with suppress(RuntimeError):  # the window is gone
                    self._partly.emit(FoundRepairs(document, revision, said, some, unexplained=_rest(some, answer)))

            answer = examine(document, goes_on, tell)  # which tells at once, before it looks
            repairs = with_own(own, answer.repairs)
            if is_read:
                some = repairs if _is_likely(repairs) else ()
                is_open = bool(answer.cut or answer.repairs)
                return FoundRepairs(
                    document, revision, said, some, answer.cut, likeliest(document, some), None, is_open
                )
            cause = likeliest(document, repairs)
            reading = read_as_mended(document, repairs)
            if reading is not None and (choice := repairs[0].choice) is not None:
                said = headline(Document(document.buffer, choice=choice), goes_on)
            rest = _rest(repairs, answer)
            return FoundRepairs(document, revision, said, repairs, answer.cut, cause, reading, unexplained=rest)

        self.state = SearchProgress.ON
        self._worker.start(work)
        self.changed.emit()

    def _take_part(self, found: FoundRepairs) -> None:
        if (
            self.state is SearchProgress.ON
            and self._asked == (found.document, found.revision)
            and self._is_now(*self._asked)
        ):
            self.found = found
            self.changed.emit()

    def _take(self, job: Job[FoundRepairs]) -> None:
        if self._asked is None or not self._is_now(*self._asked):
            return  # the bytes changed meanwhile: a new search has begun
        document, revision = self._asked
        self._asked = None
        self.state, self.found = SearchProgress.DONE, job.result
        if job.result is not None and not job.result.repairs and self._is_read:
            self.state = SearchProgress.READ if job.result.is_open else SearchProgress.NOTHING
            if not job.result.is_open:
                self._sound[document] = revision
        self.changed.emit()
        if job.result is not None and job.result.reading is not None:
            found = job.result
            known = found.headline, found.repairs, found.cut, found.cause, found.unexplained
            self._learned[found.document] = known
            self._session.learn(job.result.reading)
        if job.error is not None:
            raise job.error

    def _is_now(self, document: Document, revision: int) -> bool:
        return document is self._session.document and document.revision == revision


def _rest(repairs: tuple[Repair, ...], answer: Answer) -> float:
    """How likely it is that none of the repairs tells what happened; not at all beside a person's own edit."""
    return 0.0 if repairs != answer.repairs else answer.unexplained or 0.0


def _is_likely(repairs: tuple[Repair, ...]) -> bool:
    """Whether there is something to say of bytes that an engine reads."""
    return bool(repairs) and repairs[0].confidence >= LIKELY
