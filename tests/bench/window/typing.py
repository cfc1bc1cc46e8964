"""A child: what a person does in the text view of a long text, in processor time of all threads.

Arguments: the file, what is done, and seconds for all rounds.

``keys`` types digits into a number in the middle, ``end`` blanks behind the end, ``paste`` pastes a thousand lines, and
``undo`` takes digits back that were typed. Each gives four series: ``key`` is the time from a key to the painted line,
the longest of a round; ``read`` that from the end of a round until what was typed is read and the tree of all values
is painted; ``stall`` the longest time, by the clock, in which the window answers nothing meanwhile; ``slice`` the most
that the thread of the window does in one go, in its processor time.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import thread_time

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication

from bench.child import report
from bench.rounds import repeated
from bench.setting import BenchError
from bench.window.stage import Painted, Stage
from bench.window.stall import Heartbeat
from bench.window.steps import SETTLING, until_read
from viewer.ui.text.line_view import TextView

DIGITS, BLANKS = "12345", "     "
PLACE = 0.6
NUMBER = re.compile(rb"[ :=,]\d(?=\d)")
LINES = 1000
ENTRIES = {
    True: (re.compile(rb"\n(?=\w+=)"), "pasted{0}={0}\n"),
    False: (re.compile(rb',\s*(?="\w+":)'), '"pasted{0}":{0},\n'),
}
"""Behind what more entries of a ConfigFile, and of any other text, can stand; and such an entry."""


class _Typing:
    """A text view in which somebody types."""

    def __init__(self, stage: Stage) -> None:
        view = stage.window.findChild(TextView)
        document = stage.window.session.document
        if view is None or document is None or document.text is None:
            raise BenchError("no text is shown")
        self.stage, self.view, self.painted = stage, view, Painted(view)
        self.session = stage.window.session
        self.text = document.text.outside
        view.setFocus()
        self.heart, self.slices = Heartbeat(stage.window), Heartbeat(stage.window, thread_time)
        self.found: dict[str, list[float]] = {"key": [], "read": [], "stall": [], "slice": []}

    def keys(self) -> Callable[[], float]:
        """Type digits into a number in the middle of the text."""
        self._go_behind(NUMBER)
        return lambda: self._round([lambda sign=sign: self._press(sign) for sign in DIGITS])  # type: ignore[misc]

    def end(self) -> Callable[[], float]:
        """Type blanks behind the end of the text."""
        self.view.set_caret(len(self.text))
        return lambda: self._round([lambda sign=sign: self._press(sign) for sign in BLANKS])  # type: ignore[misc]

    def paste(self) -> Callable[[], float]:
        """Paste lines of entries into the middle of the text, and take them back behind each round."""
        place, entry = ENTRIES[self.stage.window.session.document.wraps.names[-1] == "config"]  # type: ignore[union-attr]
        self._go_behind(place)
        at = self.view.caret.offset
        QGuiApplication.clipboard().setText("".join(map(entry.format, range(LINES))))

        def work() -> float:
            taken = self._round([self.view.paste])
            until_read(self.stage, self.session.undo)
            self.view.set_caret(at)
            self.stage.rest(0.3)
            return taken

        return work

    def undo(self) -> Callable[[], float]:
        """Type digits, and take them back when they are read; only the latter counts."""
        self._go_behind(NUMBER)

        def work() -> float:
            for sign in DIGITS:
                self._press(sign)
            until_read(self.stage, lambda: None)
            self.stage.rest(0.3)
            return self._round([], self.session.undo)

        return work

    def _round(self, deeds: list[Callable[[], object]], last: Callable[[], object] = lambda: None) -> float:
        """Do something and wait until it is read; how long that took behind the last deed."""
        self._begin()
        keys = [self.stage.until_painted(deed, self.painted) for deed in deeds]
        self._beat()
        self.found["key"].append(max(keys, default=0.0))
        read = until_read(self.stage, last)
        self.stage.rest(0.3)
        self._beat()
        self.found["read"].append(read)
        self.found["stall"].append(self.heart.longest)
        self.found["slice"].append(self.slices.longest)
        return read

    def _begin(self) -> None:
        self._beat()
        self.heart.longest = self.slices.longest = 0.0

    def _beat(self) -> None:
        self.heart.beat()
        self.slices.beat()

    def _go_behind(self, what: re.Pattern[bytes]) -> None:
        place = what.search(self.text, int(PLACE * len(self.text)))
        if place is None:
            raise BenchError("there is no such place in the text")
        self.view.set_caret(place.end())

    def _press(self, sign: str) -> None:
        event = QKeyEvent(QEvent.Type.KeyPress, ord(sign), Qt.KeyboardModifier.NoModifier, sign)
        QApplication.sendEvent(self.view, event)


def main() -> None:
    """Do it, round by round."""
    stage = Stage()
    stage.rest(SETTLING)
    until_read(stage, lambda: stage.window.open_path(Path(sys.argv[1])))
    stage.rest(SETTLING)
    typing = _Typing(stage)
    ways = {"keys": typing.keys, "end": typing.end, "paste": typing.paste, "undo": typing.undo}
    repeated(ways[sys.argv[2]](), float(sys.argv[3]))
    report(typing.found)


if __name__ == "__main__":
    main()
