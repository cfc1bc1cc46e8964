"""A child: processor time from an event to the painted window.

Arguments: the file, what is done, seconds for all rounds, and the path of the text that ``edit`` changes.

``edit`` makes a text longer or shorter, ``page`` presses Page Down in the bytes, ``select`` goes to a random byte.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from PySide6.QtCore import QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from bench.child import report
from bench.rounds import repeated
from bench.setting import BenchError
from bench.window.stage import Stage
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.path import parse_path

PLACE = "[0].settlers[321].given"
SETTLING = 1.0
PAUSE = 0.05
LENGTHS = (4, 12, 20, 28, 36)
PLACES = 5


def edits(stage: Stage, document: Document) -> float:
    """Texts of other lengths, so that everything behind them moves."""
    session, taken = stage.window.session, 0.0
    item = parse_path(document, _place())
    for letters in LENGTHS:
        text = f'"{"x" * letters}"'
        size = len(document.buffer)
        taken += until_read(stage, lambda text=text: session.set_literal(item, text))  # type: ignore[misc]
        if len(document.buffer) == size:
            raise BenchError("the edit did not change the size")
        stage.rest(PAUSE)
    return taken / len(LENGTHS)


def until_read(stage: Stage, work: Callable[[], object]) -> float:
    """Change the bytes and wait, as the program does, until the tree is painted with what was read of them.

    Returns:
        the processor time of all threads.
    """
    session, loop, told = stage.window.session, QEventLoop(), []

    def tell(change: Change) -> None:
        if not change.waits:
            told.append(change)

    def seen() -> None:
        if told:
            QTimer.singleShot(0, lambda: QTimer.singleShot(0, loop.quit))  # all rows are painted by then

    session.changed.connect(tell)
    stage.tree_painted.begun.connect(seen)
    start = process_time()
    work()
    loop.exec()
    taken = process_time() - start
    session.changed.disconnect(tell)
    stage.tree_painted.begun.disconnect(seen)
    return taken


def page_downs(stage: Stage, document: Document) -> float:
    """The key, at places all over the file."""
    choose, taken = random.Random(4), 0.0
    stage.hex.setFocus()
    for _ in range(PLACES):
        stage.window.session.go_to(choose.randrange(len(document.buffer) * 9 // 10))
        stage.rest(PAUSE)
        taken += stage.until_painted(lambda: _press(stage, Qt.Key.Key_PageDown), stage.hex_painted)
    return taken / PLACES


def selections(stage: Stage, document: Document) -> float:
    """A click's effect: caret, bytes and tree row follow."""
    choose, session, taken = random.Random(5), stage.window.session, 0.0
    for _ in range(PLACES):
        at = choose.randrange(len(document.buffer))
        taken += stage.until_painted(lambda at=at: session.go_to(at), stage.tree_painted, stage.hex_painted)  # type: ignore[misc]
        stage.rest(PAUSE)
    return taken / PLACES


def _press(stage: Stage, key: Qt.Key) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(stage.hex, event)


WAYS: dict[str, Callable[[Stage, Document], float]] = {
    "edit": edits,
    "page": page_downs,
    "select": selections,
}


def _place() -> str:
    return sys.argv[4] if len(sys.argv) > 4 else PLACE


def main() -> None:
    """Do one of them, round by round."""
    stage = Stage()
    document = stage.open(Path(sys.argv[1]))
    stage.rest(SETTLING)
    work = WAYS[sys.argv[2]]
    if work is edits:
        stage.window.session.select(parse_path(document, _place()))
        stage.rest(SETTLING)
    report({"ours": repeated(lambda: work(stage, document), float(sys.argv[3]))})


if __name__ == "__main__":
    main()
