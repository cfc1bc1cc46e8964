"""One window of the program for a picture: what is open in it, what is pressed, and where the picture goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from cut_texts import cut_texts
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from viewer.document.document import Document
from viewer.ui.look.theme import ThemeController
from viewer.ui.tree.view import TreeView
from viewer.ui.window.main_window import MainWindow

PATIENCE = 8000
"""Milliseconds that something may take to be shown."""
MOMENT = 20
PLAIN = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
Key = Qt.Key
Kind = TypeVar("Kind", bound=QWidget)


class Desk:
    """A window, as a person sits before it.

    Args:
        controller: gives the theme.
        size: of the window.
        folder: where the pictures go.

    Attributes:
        made: the names of the pictures.
    """

    def __init__(self, controller: ThemeController, size: tuple[int, int], folder: Path) -> None:
        self.controller, self.folder = controller, folder
        self.made: list[str] = []
        self.window = MainWindow(None, controller)
        self.window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.window.resize(QSize(*size))
        self.window.show()
        QTest.qWaitForWindowExposed(self.window)
        self.window.activateWindow()

    @property
    def theme(self):  # type: ignore[no-untyped-def]
        """The colours that are worn."""
        return self.controller.theme

    @property
    def session(self):  # type: ignore[no-untyped-def]
        """The hub of the window."""
        return self.window.session

    @property
    def tree(self) -> TreeView:
        """The tree of the window."""
        found = self.window.findChild(TreeView)
        assert found is not None
        return found

    @property
    def focus(self) -> QWidget:
        """What has the keys."""
        return QApplication.focusWidget() or self.window

    def show(self, document: Document | Path | bytes | None, path: str = "", name: str = "hero.save") -> None:
        """Open something, and go to a value of it."""
        if isinstance(document, Path):
            self.window.open_path(document)
        elif isinstance(document, bytes):
            self.session.show(Document(document, name=name))
        else:
            self.session.show(document)
        self.window.settle()
        if path:
            self.go(path)

    def go(self, path: str) -> None:
        """Select a value, with the keys in the tree."""
        self.session.go_to_place(path)
        self.window.settle()
        self.tree.setFocus()
        self.settle()

    def do(self, *names: str) -> None:
        """Run actions of the window."""
        for name in names:
            self.window.findChild(object, name).trigger()
            self.settle()

    def press(self, key: Qt.Key, how: Qt.KeyboardModifier = PLAIN, times: int = 1) -> None:
        """Press a key."""
        for _ in range(times):
            QTest.keyClick(self.focus, key, how)
            self.settle()

    def type(self, text: str) -> None:
        """Type letters, each where the focus then is."""
        for letter in text:
            QTest.keyClicks(self.focus, letter)
        self.settle()

    def settle(self, milliseconds: int = MOMENT) -> None:
        """Let the window come to rest."""
        QApplication.processEvents()
        QTest.qWait(milliseconds)

    def wait(self, is_so: Callable[[], object]) -> None:
        """Wait until something is so; after a while go on all the same."""
        for _ in range(PATIENCE // MOMENT):
            if is_so():
                return
            QTest.qWait(MOMENT)
        print("WAITED IN VAIN", flush=True)

    def child(self, kind: type[Kind], name: str = "") -> Kind:
        """The visible widget of a class, also in a dialog of the window."""
        found = [
            each for each in self.window.findChildren(kind) if each.isVisible() and name in ("", each.objectName())
        ]
        assert found, f"no {kind.__name__} {name}"
        return found[-1]

    def dialog(self) -> QDialog:
        """The dialog that is open."""
        QApplication.processEvents()
        found = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]
        assert found, "no dialog"
        return found[-1]

    def asked(self, name: str, ask: Callable[[], object], before: Callable[[QDialog], object] = lambda _: None) -> None:
        """Take the picture of a dialog that blocks until it is answered, after something was done in it; refuse it."""
        wrong: list[BaseException] = []

        def look() -> None:
            found = QApplication.activeModalWidget()
            if not isinstance(found, QDialog):
                return
            timer.stop()
            try:
                found.activateWindow()
                self.settle(60)
                before(found)
                self.settle(60)
                self.shoot(name, found)
            except BaseException as error:  # told below: here nobody hears it
                wrong.append(error)
            finally:
                for _ in range(3):
                    if found.isVisible():
                        found.reject()
                        QApplication.processEvents()

        timer = QTimer(interval=MOMENT)
        timer.timeout.connect(look)
        timer.start()
        ask()
        timer.stop()
        if wrong:
            raise wrong[0]

    def menu(self, name: str, opens: Callable[[], object]) -> None:
        """Take the picture of the menu that something pops up."""
        opens()
        self.settle()
        found = QApplication.activePopupWidget()
        assert isinstance(found, QMenu), f"no menu: {found}"
        self.shoot(name, found)
        found.close()
        self.settle()

    def shoot(self, name: str, widget: QWidget | None = None) -> None:
        """Take the picture of the window, or of something else, and tell what is cut in it."""
        widget = widget or self.window
        self.settle(60)
        self.folder.mkdir(parents=True, exist_ok=True)
        widget.grab().save(str(self.folder / f"{name}.png"))
        self.made.append(name)
        for found in cut_texts(widget):
            print("CUT", name, found, flush=True)

    def close(self) -> None:
        """Leave what was opened."""
        for each in QApplication.topLevelWidgets():
            if isinstance(each, (QMenu, QDialog)) and each.isVisible():
                each.close()
        for action in ("stop_live", "clear_live"):
            self.window.findChild(object, action).trigger()
        self.session.show(None)
        self.window.close()
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


State = Callable[[Desk], None]


def make(
    controller: ThemeController, states: dict[str, State], size: tuple[int, int], folder: Path, only: Sequence[str]
) -> list[str]:
    """Make the pictures of states, each in a window of its own; a state that fails is told. Returns their names."""
    made: list[str] = []
    for name, state in states.items():
        if only and name not in only:
            continue
        desk = Desk(controller, size, folder)
        try:
            state(desk)
        except Exception as error:
            print("FAILED", name, type(error).__name__, error, flush=True)
        made += desk.made
        desk.close()
    return made


def at(widget: QWidget, x: int = 10, y: int = 10) -> QPoint:
    """A place in a widget, on the screen."""
    return widget.mapToGlobal(QPoint(x, y))
