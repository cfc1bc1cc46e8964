"""A child: time from an event to the painted window. Arguments: the file, what is done, how often.

``edit`` makes a text longer or shorter, ``page`` presses Page Down in the bytes, ``select`` goes to a random byte.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from bench.child import report
from bench.setting import BenchError
from bench.window.stage import Stage
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.path import parse_path

PLACE = "[0].settlers[4321].given"
SETTLING = 1.0
PAUSE = 0.05
LONGEST = 40


def edits(stage: Stage, document: Document, count: int) -> list[float]:
    """Texts of other lengths, so that everything behind them moves."""
    session = stage.window.session
    item = parse_path(document, PLACE)
    session.select(item)
    stage.rest(SETTLING)
    found = []
    for number in range(count):
        text = '"' + "x" * (4 + 8 * number % LONGEST) + '"'
        size = len(document.buffer)
        found.append(until_read(stage, lambda text=text: session.set_literal(item, text)))  # type: ignore[misc]
        if len(document.buffer) == size:
            raise BenchError("the edit did not change the size")
        stage.rest(PAUSE)
    return found


def until_read(stage: Stage, work: Callable[[], object]) -> float:
    """Change the bytes and wait, as the program does, until the tree is painted with what was read of them; seconds."""
    session, loop, told = stage.window.session, QEventLoop(), []

    def tell(change: Change) -> None:
        if not change.waits:
            told.append(change)

    def seen() -> None:
        if told:
            QTimer.singleShot(0, loop.quit)  # the painting itself comes first

    session.changed.connect(tell)
    stage.tree_painted.begun.connect(seen)
    start = perf_counter()
    work()
    loop.exec()
    taken = perf_counter() - start
    session.changed.disconnect(tell)
    stage.tree_painted.begun.disconnect(seen)
    return taken


def page_downs(stage: Stage, document: Document, count: int) -> list[float]:
    """The key, at places all over the file."""
    choose, session, found = random.Random(4), stage.window.session, []
    stage.hex.setFocus()
    for _ in range(count):
        session.go_to(choose.randrange(len(document.buffer) * 9 // 10))
        stage.rest(PAUSE)
        found.append(stage.until_painted(lambda: _press(stage, Qt.Key.Key_PageDown), stage.hex_painted))
    return found


def selections(stage: Stage, document: Document, count: int) -> list[float]:
    """A click's effect: caret, bytes and tree row follow."""
    choose, session, found = random.Random(5), stage.window.session, []
    for _ in range(count):
        at = choose.randrange(len(document.buffer))
        found.append(stage.until_painted(lambda at=at: session.go_to(at), stage.tree_painted, stage.hex_painted))  # type: ignore[misc]
        stage.rest(PAUSE)
    return found


def _press(stage: Stage, key: Qt.Key) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(stage.hex, event)


WAYS: dict[str, Callable[[Stage, Document, int], list[float]]] = {
    "edit": edits,
    "page": page_downs,
    "select": selections,
}


def main() -> None:
    """Do one of them; the first round warms up."""
    stage = Stage()
    document = stage.open(Path(sys.argv[1]))
    stage.rest(SETTLING)
    report({"ours": WAYS[sys.argv[2]](stage, document, int(sys.argv[3]) + 1)[1:]})


if __name__ == "__main__":
    main()
