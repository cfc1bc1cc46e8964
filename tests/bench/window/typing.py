"""A child: keys typed into the text view of a long text, in processor time of all threads.

Arguments: the file, and seconds for all rounds.

``key`` is the time from a key to the painted line, the longest of a round; ``read`` that from the end of a round until
what was typed is read and the tree of all values is painted; ``stall`` the longest time, by the clock, in which the
window answers nothing meanwhile.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from bench.child import report
from bench.rounds import repeated
from bench.setting import BenchError
from bench.window.stage import Painted, Stage
from bench.window.stall import Heartbeat
from bench.window.steps import SETTLING, until_read
from viewer.ui.text.line_view import TextView

DIGITS = "12345"
PLACE = 0.6
NUMBER = re.compile(rb"[ :=,]\d(?=\d)")


class _Typing:
    """A text view in which somebody types digits into a number in the middle of the text."""

    def __init__(self, stage: Stage) -> None:
        view = stage.window.findChild(TextView)
        document = stage.window.session.document
        if view is None or document is None or document.text is None:
            raise BenchError("no text is shown")
        self.stage, self.view, self.painted = stage, view, Painted(view)
        text = document.text.outside
        number = NUMBER.search(text, int(PLACE * len(text)))
        if number is None:
            raise BenchError("there is no number in the text")
        view.setFocus()
        view.set_caret(number.end())
        self.keys: list[float] = []
        self.heart = Heartbeat(stage.window)
        self.stalls: list[float] = []

    def round(self) -> float:
        """Type some digits and wait until they are read; how long that took behind the last key."""
        self.heart.longest = 0.0
        longest = max(self.stage.until_painted(lambda sign=sign: self._press(sign), self.painted) for sign in DIGITS)  # type: ignore[misc]
        self.keys.append(longest)
        read = until_read(self.stage, lambda: None)
        self.stage.rest(0.3)
        self.heart.beat()
        self.stalls.append(self.heart.longest)
        return read

    def _press(self, sign: str) -> None:
        event = QKeyEvent(QEvent.Type.KeyPress, ord(sign), Qt.KeyboardModifier.NoModifier, sign)
        QApplication.sendEvent(self.view, event)


def main() -> None:
    """Type, round by round."""
    stage = Stage()
    stage.rest(SETTLING)
    until_read(stage, lambda: stage.window.open_path(Path(sys.argv[1])))
    stage.rest(SETTLING)
    typing = _Typing(stage)
    read = repeated(typing.round, float(sys.argv[2]))
    report({"key": typing.keys, "read": list(read), "stall": typing.stalls})


if __name__ == "__main__":
    main()
