"""A child: processor time of what a person does with a long table. Arguments: the file, seconds for all rounds.

``open`` is from the key to the painted table, ``whole`` until all rows are read; ``page`` and ``wheel`` paint the
table alone, as it is scrolled; ``edit`` changes the length of a text and waits for all panes; ``sort`` is by text.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from bench.child import report
from bench.rounds import repeated
from bench.setting import BenchError
from bench.window.stage import Stage
from viewer.document.document import Document
from viewer.document.sheets.sheet_entry import drafted
from viewer.ui.sheets.sheet_pane import SheetPane

STEPS = 10
NOTCH = -120


class Table:
    """The window with a table.

    Args:
        stage: the window, with the file open.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._count = 0

    @property
    def pane(self) -> SheetPane:
        """The table."""
        found = self._stage.window.findChild(SheetPane)
        if found is None:
            raise BenchError("there is no table")
        return found

    def open(self) -> tuple[float, float]:
        """Show it; processor time until it is painted, and until all of it is read."""
        session = self._stage.window.session
        if session.document is None:
            raise BenchError("the file is not open")
        begin = process_time()
        self._stage.window._actions["table"].trigger()
        self.pane.view.viewport().repaint()
        painted = process_time() - begin
        self.pane.finish()
        QApplication.processEvents()
        return painted, process_time() - begin

    def close(self) -> None:
        """Close it."""
        self._stage.window._actions["table"].trigger()
        QApplication.processEvents()

    def page(self) -> float:
        """Scroll by pages."""
        bar, viewport = self.pane.view.verticalScrollBar(), self.pane.view.viewport()
        bar.setValue((bar.value() + 7919) % max(1, bar.maximum() - STEPS * bar.pageStep()))
        viewport.repaint()
        begin = process_time()
        for _ in range(STEPS):
            bar.setValue(bar.value() + bar.pageStep())
            viewport.repaint()
        return (process_time() - begin) / STEPS

    def wheel(self) -> float:
        """Turn the wheel."""
        viewport = self.pane.view.viewport()
        begin = process_time()
        for _ in range(STEPS):
            at = QPointF(viewport.rect().center())
            notch = QWheelEvent(
                at,
                viewport.mapToGlobal(at),
                QPoint(),
                QPoint(0, NOTCH),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(viewport, notch)
            QApplication.processEvents()
        return (process_time() - begin) / STEPS

    def edit(self) -> float:
        """Make a text longer or shorter."""
        self._count += 1
        sheet = self.pane.sheet
        if sheet is None:
            raise BenchError("there is no table")
        begin = process_time()
        edit = drafted(sheet, 20 + self._count % 9, 0, "x" * (self._count % 40)).edit
        if edit is None:
            raise BenchError("the edit changes nothing")
        self.pane.apply(edit)
        self.pane.view.viewport().repaint()
        took = process_time() - begin
        self.pane.finish()
        QApplication.processEvents()
        return took

    def sort(self) -> float:
        """Show it in another order."""
        self.pane.sort = None
        begin = process_time()
        self.pane.sort_by(3)
        self.pane.finish()
        self.pane.view.viewport().repaint()
        return process_time() - begin


def main() -> None:
    """Measure, and report."""
    path, budget = Path(sys.argv[1]), float(sys.argv[2])
    stage = Stage()
    stage.window.session.show(Document.open(path))
    QApplication.processEvents()
    table = Table(stage)
    openings = [table.open()]
    for _ in range(2):
        table.close()
        openings.append(table.open())
    share = budget / 4
    found = {
        "open": [first for first, _ in openings],
        "whole": [last for _, last in openings],
        "page": list(repeated(table.page, share)),
        "wheel": list(repeated(table.wheel, share)),
        "edit": list(repeated(table.edit, share)),
        "sort": list(repeated(table.sort, share)),
    }
    report(found)


if __name__ == "__main__":
    main()
