"""A child: what the painting thread does for a page of bytes. Arguments: the file, bytes a row, seconds for all rounds.

``page`` is all of it at once, ``bytes`` its bytes without strip and ruler, ``strip`` and ``ruler`` one of these alone,
``wheel`` one step of the wheel. ``floor`` is a widget of that size that draws as many letters, a line at a time, in one
colour: it asks nothing about any byte.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import thread_time

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from bench.child import report
from bench.rounds import in_turns
from bench.setting import BenchError
from bench.window.stage import main_application
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.ui.hex.coverage_strip import CoverageStrip
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.ruler import HexRuler
from viewer.ui.hex.view import HexView
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session

ROWS, PAGES, STEPS = 60, 10, 10
NOTCH = -120
TURNS = 2
"""In one the view looks at what changed, in the next that is painted where nothing else was to be painted before."""


class PlainText(QWidget):
    """The floor: the letters of a page.

    Args:
        columns: bytes a row.
        like: the view that is as large.
    """

    def __init__(self, columns: int, like: QWidget) -> None:
        super().__init__()
        self._line = f"{0:08x}  " + " ".join(f"{k:02x}" for k in range(columns)) + "  " + "a" * columns
        self._height = like.height() // ROWS
        self.setFont(fixed_font())
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.resize(like.size())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        for row in range(ROWS):
            painter.drawText(4, self._height * (row + 1), self._line)
        painter.end()


def hex_view(session: Session, theme: ThemeController, columns: int) -> HexView:
    """A shown view that is as high as sixty rows."""
    view = HexView(theme.theme)
    HexBridge(session, view)
    view.set_row_width(columns)
    view.resize(view.width_for_columns(columns) + 40, 20 * ROWS)
    view.show()
    while view.visible_rows != ROWS:
        step = 1 if view.visible_rows < ROWS else -1
        if view.height() > 100 * ROWS:
            raise BenchError("the view does not get high enough")
        view.resize(view.width(), view.height() + step)
    return view


class Pages:
    """A view, and what is done with it at the same places in each round.

    Args:
        app: the application.
        view: the view.
    """

    def __init__(self, app: QApplication, view: HexView) -> None:
        choose, size = random.Random(3), view.size_of_source
        self._app, self._view = app, view
        self._places = [choose.randrange(size // 2) for _ in range(PAGES)]
        strip, ruler = view.findChild(CoverageStrip), view.findChild(HexRuler)
        if not isinstance(strip, CoverageStrip) or not isinstance(ruler, HexRuler):
            raise BenchError("the view has no strip or no ruler")
        self._strip, self._ruler = strip, ruler

    def page(self) -> float:
        """All that is seen of a page."""
        return self._mean(self._view.viewport(), lambda: (self._strip.update(), self._ruler.update()))

    def bytes(self) -> float:
        """Its bytes."""
        self._show_others(False)
        taken = self._mean(self._view.viewport(), lambda: None)
        self._show_others(True)
        return taken

    def strip(self) -> float:
        """The coverage strip."""
        return self._mean(self._strip, self._app.processEvents)

    def ruler(self) -> float:
        """The numbers above the columns."""
        return self._mean(self._ruler, self._app.processEvents)

    def wheel(self) -> float:
        """One step of the wheel, to the painted window."""
        view, taken = self._view, 0.0
        self._go_to(self._places[0])
        self._app.processEvents()
        for _ in range(STEPS):
            event = self._notch()
            start = thread_time()
            QApplication.sendEvent(view.viewport(), event)
            for _ in range(TURNS):
                self._app.processEvents()
            taken += thread_time() - start
        return taken / STEPS

    def _mean(self, widget: QWidget, prepare: Callable[[], object]) -> float:
        taken = 0.0
        for place in self._places:
            self._go_to(place)
            prepare()
            start = thread_time()
            widget.repaint()
            taken += thread_time() - start
            self._app.processEvents()
        return taken / PAGES

    def _show_others(self, are_shown: bool) -> None:
        self._strip.setVisible(are_shown)
        self._ruler.setVisible(are_shown)
        self._app.processEvents()

    def _go_to(self, place: int) -> None:
        self._view.ensure_visible(Span(place, place + 1))

    def _notch(self) -> QWheelEvent:
        middle = QPointF(self._view.viewport().rect().center())
        buttons, keys, phase = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        return QWheelEvent(middle, middle, QPoint(), QPoint(0, NOTCH), buttons, keys, phase, False)


def plain(widget: PlainText) -> float:
    """The floor's page."""
    start = thread_time()
    widget.repaint()
    return thread_time() - start


def main() -> None:
    """Paint pages."""
    app = main_application()
    session, columns = Session(app), int(sys.argv[2])
    view = hex_view(session, ThemeController(app, "light"), columns)
    session.show(Document.open(Path(sys.argv[1])))
    app.processEvents()
    if view.columns != columns or view.visible_rows != ROWS:
        raise BenchError(f"the view shows {view.visible_rows} rows of {view.columns} bytes")
    view.finish()
    widget = PlainText(columns, view.viewport())
    widget.show()
    app.processEvents()
    pages = Pages(app, view)
    works = {"page": pages.page, "bytes": pages.bytes, "strip": pages.strip, "ruler": pages.ruler, "wheel": pages.wheel}
    sides = [*works.values(), lambda: plain(widget)]
    report(dict(zip((*works, "floor"), in_turns(sides, float(sys.argv[3]), float), strict=True)))


if __name__ == "__main__":
    main()
