"""A child: time to paint a page of bytes with its colours. Arguments: the file, bytes a row, how many pages."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from time import perf_counter

from bench.child import report
from bench.setting import BenchError
from bench.window.stage import main_application
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.view import HexView
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session

ROWS = 60


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


def main() -> None:
    """Paint pages at random places."""
    app = main_application()
    session, columns = Session(app), int(sys.argv[2])
    view = hex_view(session, ThemeController(app, "light"), columns)
    session.show(Document.open(Path(sys.argv[1])))
    app.processEvents()
    if view.columns != columns or view.visible_rows != ROWS:
        raise BenchError(f"the view shows {view.visible_rows} rows of {view.columns} bytes")
    choose, ours = random.Random(3), []
    for _ in range(int(sys.argv[3])):
        at = choose.randrange(view.size_of_source)
        view.ensure_visible(Span(at, at + 1))
        start = perf_counter()
        view.viewport().repaint()
        ours.append(perf_counter() - start)
        app.processEvents()
    report({"ours": ours})


if __name__ == "__main__":
    main()
