"""A child: the bytes after random steps, as the screen shows them, and painted anew. Arguments: a file, a seed, steps.

Prints how many pictures were compared; a picture that differs ends it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import replace_bytes
from viewer.ui.hex import coverage_strip, ruler
from viewer.ui.hex import view as hex_view
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.layout import Area
from viewer.ui.hex.view import HexView
from viewer.ui.look import palette
from viewer.ui.session import Session
from viewer.ui.window.app import make_application

KEEPING = (coverage_strip, hex_view, ruler)
TURNS = 3
"""In one the bytes are painted, which tells the ruler what to show in the next one."""
EARLY = 0.2
"""How often something else paints before the view has looked at what changed."""
THEMES = (palette.LIGHT, palette.DARK)


class Steps:
    """What a person does with a view, at random."""

    def __init__(self, path: Path, seed: int) -> None:
        self.app = make_application()
        self.path = path
        self.session = Session(self.app)
        self.view = HexView(palette.theme(palette.LIGHT))
        HexBridge(self.session, self.view)
        self.view.resize(700, 500)
        self.view.show()
        self.session.show(Document.open(path))
        self.choose = random.Random(seed)
        self.kinds: list[Callable[[], object]] = [
            *[self.wheel] * 6,
            *[self.pixels] * 2,
            *[self.jump] * 2,
            self.caret,
            self.select,
            self.item,
            self.hover,
            *[self.edit] * 2,
            *[self.grow] * 2,
            *[self.undo] * 2,
            self.hits,
            self.insert,
            self.utf8,
            self.area,
            self.theme,
            self.resize,
            self.row_width,
            self.sideways,
            self.zoom,
            *[self.other] * 2,
        ]

    def offset(self) -> int:
        """A byte, mostly one in view."""
        seen = self.view.visible_span
        return self.choose.randrange(seen.start, max(seen.end, seen.start + 1))

    def wheel(self) -> None:
        turn = QPoint(0, self.choose.choice((-120, -120, 120, -240)))
        at, none = QPointF(50, 50), Qt.MouseButton.NoButton
        event = QWheelEvent(
            at, at, QPoint(), turn, none, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False
        )
        QApplication.sendEvent(self.view.viewport(), event)

    def pixels(self) -> None:
        self.view._scroll.by_pixels(self.choose.randrange(-60, 90))

    def jump(self) -> None:
        at = self.choose.randrange(self.view.size_of_source)
        self.view.ensure_visible(Span(at, at + 1))

    def caret(self) -> None:
        self.view.move_caret(self.offset())

    def select(self) -> None:
        at = self.offset()
        self.view.set_selection(Span(at, min(at + self.choose.randrange(1, 90), self.view.size_of_source)))

    def item(self) -> None:
        self.session.go_to(self.offset())

    def hover(self) -> None:
        self.view._show_card(self.offset()) if self.choose.random() < 0.5 else self.view._hide_card()

    def edit(self) -> None:
        document, at = self.session.document, self.offset()
        assert document is not None
        self.session.apply(replace_bytes(document, Span(at, at + 1), bytes([self.choose.randrange(256)])))

    def grow(self) -> None:
        """Insert bytes, or take some out."""
        document, at, count = self.session.document, self.offset(), self.choose.randrange(1, 10)
        assert document is not None
        is_in = self.choose.random() < 0.5
        span = Span(at, at) if is_in else Span(at, min(at + count, len(document.buffer)))
        self.session.apply(replace_bytes(document, span, bytes(count * is_in)))

    def other(self) -> None:
        """Show another file, at its top, of which the same rows are another part."""
        data = self.path.read_bytes()
        self.session.show(Document(data * self.choose.choice((1, 3)), name=self.path.name))

    def undo(self) -> None:
        self.session.undo()

    def hits(self) -> None:
        source, first, other = self.view.source, self.offset(), self.offset()
        assert isinstance(source, DocumentSource)
        source.set_hits([Span(first, first + 3), Span(other, other + 40)], Span(first, first + 3))
        self.view.refresh()

    def insert(self) -> None:
        self.view.toggle_insert_mode()

    def utf8(self) -> None:
        self.view.show_utf8(not self.view.shows_utf8)

    def area(self) -> None:
        self.view.setFocus()
        self.view.focusNextPrevChild(self.view.caret.area is Area.HEX)

    def theme(self) -> None:
        self.view.set_theme(palette.theme(self.choose.choice(THEMES)))

    def resize(self) -> None:
        self.view.resize(self.choose.randrange(300, 1100), self.choose.randrange(150, 800))

    def row_width(self) -> None:
        self.view.set_row_width(self.choose.choice((0, 8, 16, 32)))

    def sideways(self) -> None:
        self.view.horizontalScrollBar().setValue(self.choose.randrange(200))

    def zoom(self) -> None:
        self.view.set_zoom(self.choose.randrange(-2, 4))

    def do(self) -> str:
        """One of them; its name."""
        kind = self.choose.choice(self.kinds)
        kind()
        if self.choose.random() < EARLY:
            self.choose.choice((self.view.grab, self.view.viewport().grab, self.view.viewport().repaint))()
        for _ in range(TURNS):
            self.app.processEvents()
        self.view.finish()
        self.app.processEvents()
        return kind.__name__


def picture(widget: QWidget) -> QImage:
    """How a widget looks when it is painted now."""
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def on_screen(view: HexView) -> QImage:
    """How the window of a view looks: what was moved in it, and what was painted over that."""
    shown = view.backingStore().paintDevice()
    assert isinstance(shown, QImage)
    return shown.copy().convertToFormat(QImage.Format.Format_RGB32)


def main() -> None:
    """Do the steps and compare."""
    steps = Steps(Path(sys.argv[1]), int(sys.argv[2]))
    view, exact, compared, done = steps.view, hex_view.shows_pixels, 0, []
    for _ in range(int(sys.argv[3])):
        done.append(steps.do())
        shown = {"screen": on_screen(view)}
        shown |= {type(each).__name__: picture(each) for each in (view, view.viewport(), view._strip, view._ruler)}
        for module in KEEPING:
            module.shows_pixels = lambda painter, ratio: False
        for name, widget in zip(shown, (view, view, view.viewport(), view._strip, view._ruler), strict=True):
            anew = picture(widget)
            if shown[name] != anew:
                shown[name].save("shown.png")
                anew.save("anew.png")
                raise SystemExit(f"{name} differs after {done[-3:]}")
            compared += 1
        for module in KEEPING:
            module.shows_pixels = exact
    print(compared)


if __name__ == "__main__":
    main()
