"""Random hands on the window: keys, clicks, edits, tab switches and undo over all golden files and broken ones.

    PYTHONPATH=tests:. python tests/ui/window_fuzz.py --minutes 30 --seed 7

Every step is one thing that a person can do, with dialogs and menus open too. What is reported: exceptions, Qt's own
warnings, steps that kept the window's thread busy for longer than ``--freeze`` milliseconds of its processor time, and
the resident memory over time. The seed is printed; the last steps before a finding are too. The end is 1 where anything
was found.

Files are copied into a folder of its own, which is also the home and the current folder: nothing else is written. What
would reach a network is never chosen.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gc
import os
import random
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import corpus
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget
from shiboken6 import isValid

from viewer.document.splice import Edit, Splice
from viewer.ui.look.theme import ThemeController
from viewer.ui.settings import Settings
from viewer.ui.window.main_window import MainWindow

SMALL = 100_000
"""Bytes of the largest file that is opened: larger ones may take longer than a moment."""
JUMP = 48
"""Megabytes more than ever before that a step is named for."""
LAST = 12
"""So many steps are told before a finding."""
MOST_TABS = 6
HARMLESS = ("This plugin does not support", "propagateSizeHints", "QFont", "Populating font family aliases")
NEVER = ("listen", "proxy", "send", "udp", "forward_to", "open_layout", "quit")
"""Parts of the names of actions that are not chosen: they reach a network or end the program."""
KEYS = (
    *("Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End", "Tab", "Backtab", "Return", "Escape"),
    *("Delete", "Backspace", "Insert", "F1", "F2", "F3", "F4", "F5", "F6", "F8", "Space", "Menu"),
)
LETTERS = "0123456789abcdefABCDEFghxyz \"'{}[]():,.-+*#@é€ש\u202e<img src=x>"
MODIFIERS = (
    *([Qt.KeyboardModifier.NoModifier] * 6),
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier,
)


@dataclass
class Findings:
    """What went wrong.

    Attributes:
        wrong: sentences, each with the steps before.
        slowest: the longest step in milliseconds of processor time, and what it was.
        memory: resident megabytes by the number of steps.
        jumps: steps after which much more memory was in use than ever before, each with the steps before.
    """

    wrong: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    memory: list[tuple[int, float]] = field(default_factory=list)
    jumps: list[str] = field(default_factory=list)
    most: float = 0.0


def golden_files(more: Path | None = None) -> list[Path]:
    """All files of the tests' data, and of another folder, that are small enough; broken ones too."""
    folders = [corpus.DATA, *([more] if more is not None else [])]
    inside = (path for folder in folders for path in folder.rglob("*"))
    found = sorted(path for path in inside if path.is_file() and path.suffix not in (".json", ".md"))
    return [path for path in found if path.stat().st_size <= SMALL]


class Fuzz(QObject):
    """Works a window.

    Args:
        folder: where files are copied to and written.
        seed: of the random choices.
        freeze: milliseconds of the thread's processor time that one step may take.
        more: another folder with files to open.
        settings: whether the window keeps journals and settings, as the program does.
    """

    def __init__(self, folder: Path, seed: int, freeze: float, more: Path | None = None, settings: bool = True) -> None:
        super().__init__()
        self.dice = random.Random(seed)
        self.folder = folder
        self.freeze = freeze
        self.found = Findings()
        self.steps = 0
        self._last: collections.deque[str] = collections.deque(maxlen=LAST)
        self._files = golden_files(more)
        self._until = 0.0
        self._most = 0
        self._begun: tuple[float, str] | None = None
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self._app = app
        self.window = MainWindow(Settings() if settings else None, ThemeController(app, "light"))
        self.window.installEventFilter(self)
        self.window.resize(1200, 800)
        self.window.show()

    # Running

    def run(self, seconds: float = float("inf"), steps: int = 1 << 60) -> Findings:
        """Work for a while."""
        self._until, self._most = time.monotonic() + seconds, self.steps + steps
        with self._watching():
            self._soon(self._step)
            self._app.exec()
        return self.found

    def close(self) -> None:
        """Let the window go."""
        self.window.removeEventFilter(self)
        for document in self.window._opened.documents:  # nothing is asked
            document.history.mark_saved()
        self.window.close()
        self.window.deleteLater()

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802
        """The window stays open."""
        if event.type() == QEvent.Type.Close:
            event.ignore()
            return True
        return False

    def _chosen_file(self, *_: object, **__: object) -> tuple[str, str]:
        """What the system's dialog for files would give; it is the system's, and no part of the window."""
        if self.dice.random() < 0.3:
            return "", ""
        name = self.dice.choice([*(path.name for path in self.folder.iterdir() if path.is_file()), "new.save"])
        return str(self.folder / name), ""

    @contextlib.contextmanager
    def _watching(self) -> Iterator[None]:
        QFileDialog.getOpenFileName = QFileDialog.getSaveFileName = self._chosen_file
        QFileDialog.getExistingDirectory = lambda *_, **__: str(self.folder)
        hook, thread_hook = sys.excepthook, threading.excepthook
        sys.excepthook = self._caught
        threading.excepthook = lambda args: self._caught(args.exc_type, args.exc_value, args.exc_traceback)
        before = qInstallMessageHandler(self._warned)
        try:
            yield
        finally:
            sys.excepthook, threading.excepthook = hook, thread_hook
            qInstallMessageHandler(before)

    def _caught(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        self._tell("".join(traceback.format_exception(kind, error, trace)))

    def _warned(self, kind: QtMsgType, _: object, text: str) -> None:
        if kind is not QtMsgType.QtInfoMsg and not text.startswith(HARMLESS):
            self._tell(f"Qt: {text}")

    def _tell(self, what: str) -> None:
        self.found.wrong.append(f"{what.rstrip()}\n  step {self.steps}, after:\n    " + "\n    ".join(self._last))

    def _step(self) -> None:
        """One step; the next is on its way before, as this one may open a dialog that waits for it."""
        self._measure()
        if time.monotonic() > self._until or self.steps >= self._most:
            self._leave()
            return
        self._soon(self._step)
        self.steps += 1
        if self.steps % 500 == 0:
            self.found.memory.append((self.steps, resident()))
        self._weigh()
        action = self.dice.choices(list(ACTIONS), list(ACTIONS.values()))[0]
        self._begun = (time.thread_time(), action.__name__)
        self._last.append(action.__name__)
        action(self)

    def _weigh(self) -> None:
        """Name the steps after which much more memory is in use."""
        now = resident()
        if now > self.found.most + JUMP and self.found.most:
            self.found.jumps.append(
                f"{self.found.most:.0f} -> {now:.0f} MB at step {self.steps}: {', '.join(self._last)}"
            )
        self.found.most = max(now, self.found.most)

    def _soon(self, work: Callable[[], None]) -> None:
        """Do something in the loop that runs then, which may be a dialog's: each time a timer of its own."""
        timer = QTimer(self, singleShot=True, interval=1)
        timer.timeout.connect(work)
        timer.timeout.connect(timer.deleteLater)
        timer.start()

    def _measure(self) -> None:
        """How long the step before took, with all that it set off."""
        if self._begun is None:
            return
        begun, name = self._begun
        took = (time.thread_time() - begun) * 1000
        if took > self.found.slowest[0]:
            self.found.slowest = (took, self._last[-1] if self._last else name)
        if took > self.freeze:
            self._tell(f"frozen for {took:.0f} ms of processor time: {self._last[-1]}")
        self._begun = None

    def _leave(self) -> None:
        """End all dialogs, then the loop; a dialog may be gone before it is told to go."""
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if top is None:
            self._app.exit()  # quit() would ask the window, which stays
            return
        self._soon(self._leave)
        with contextlib.suppress(RuntimeError):
            top.close()

    def _note(self, what: str) -> None:
        self._last[-1] += f" {what}"

    # Where

    def _top(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    def _focus(self) -> QWidget:
        top = self._top()
        focus = QApplication.focusWidget()
        return focus if focus is not None and (focus is top or top.isAncestorOf(focus)) else top

    def _some_widget(self) -> QWidget | None:
        alive = (each for each in self._top().findChildren(QWidget) if isValid(each))
        seen = [each for each in alive if each.isVisible() and each.isEnabled() and each.width() > 4]
        return self.dice.choice(seen) if seen else None

    def _point(self, widget: QWidget) -> QPoint:
        return QPoint(self.dice.randrange(max(1, widget.width())), self.dice.randrange(max(1, widget.height())))

    # Steps

    def press_key(self) -> None:
        """A key with or without modifiers."""
        name, modifiers = self.dice.choice(KEYS), self.dice.choice(MODIFIERS)
        self._note(f"{modifiers.value:x}+{name} in {_name(self._focus())}")
        QTest.keyClick(self._focus(), getattr(Qt.Key, f"Key_{name}"), modifiers)

    def type_text(self) -> None:
        """Some letters."""
        focus = self._focus()
        text = "".join(self.dice.choice(LETTERS) for _ in range(self.dice.randrange(1, 6)))
        self._note(f"{text!r} in {_name(focus)}")
        for letter in text:
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):  # QTest knows only Latin letters
                QApplication.sendEvent(focus, QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter))

    def press_escape(self) -> None:
        """Leave a dialog or menu."""
        top = self._top()
        if top is not self.window:
            self._note(_name(top))
            QTest.keyClick(self._focus(), Qt.Key.Key_Escape)

    def click(self) -> None:
        """A click, a double click, or one with another button."""
        widget = self._some_widget()
        if widget is None or isinstance(widget, QMenu):
            return
        place = self._point(widget)
        button = self.dice.choice([Qt.MouseButton.LeftButton] * 6 + [Qt.MouseButton.RightButton])
        modifiers = self.dice.choice(MODIFIERS)
        self._note(f"{_name(widget)} at {place.x()},{place.y()}")
        (QTest.mouseDClick if self.dice.random() < 0.2 else QTest.mouseClick)(widget, button, modifiers, place)

    def drag(self) -> None:
        """From one place to another."""
        widget = self._some_widget()
        if widget is None:
            return
        start, end = self._point(widget), self._point(widget)
        self._note(_name(widget))
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
        QTest.mouseMove(widget, end)
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)

    def turn_wheel(self) -> None:
        """A step of the wheel."""
        widget = self._some_widget()
        if widget is None:
            return
        place = QPointF(self._point(widget))
        turned = QPoint(0, self.dice.choice([-120, 120, -960, 960]))
        QApplication.sendEvent(
            widget,
            QWheelEvent(
                place,
                widget.mapToGlobal(place),
                QPoint(),
                turned,
                Qt.MouseButton.NoButton,
                self.dice.choice(MODIFIERS),
                Qt.ScrollPhase.NoScrollPhase,
                False,
            ),
        )

    def choose_action(self) -> None:
        """Something out of a menu, where no dialog is open."""
        if self._top() is not self.window:
            return
        actions = [each for each in self.window.findChildren(QAction) if each.isEnabled() and _may_be_chosen(each)]
        if actions:
            action = self.dice.choice(actions)
            self._note(action.text())
            action.trigger()

    def open_file(self) -> None:
        """Another file, or one that is open already."""
        if self._top() is not self.window:
            return
        golden = self.dice.choice(self._files)
        path = self.folder / golden.name
        if not path.exists() or self.dice.random() < 0.5:
            path.write_bytes(self._maybe_damaged(golden.read_bytes()))
        self._note(golden.name)
        self.window.open_path(path)
        while len(self.window._opened.documents) > MOST_TABS:
            self.window._opened.documents[0].history.mark_saved()
            self.window._opened.switch(0)
            self.window._files.close()

    def _maybe_damaged(self, data: bytes) -> bytes:
        if not data or self.dice.random() < 0.5:
            return data
        at, raw = self.dice.randrange(len(data)), bytearray(data)
        match self.dice.randrange(4):
            case 0:
                del raw[at:]
            case 1:
                raw[at] ^= 1 << self.dice.randrange(8)
            case 2:
                raw[at:at] = self.dice.randbytes(self.dice.randrange(1, 9))
            case _:
                del raw[at : at + self.dice.randrange(1, 9)]
        return bytes(raw)

    def write_behind_its_back(self) -> None:
        """Another program writes the shown file."""
        document = self.window.session.document
        if document is not None and document.path is not None and document.path.parent == self.folder:
            with contextlib.suppress(OSError):
                document.path.write_bytes(self._maybe_damaged(document.path.read_bytes()))

    def break_bytes(self) -> None:
        """Splice random bytes, as typing does."""
        session = self.window.session
        document = session.document
        if self._top() is not self.window or document is None or session.waits or document.wraps.blocked is not None:
            return
        size = len(document.buffer)
        at = self.dice.randrange(size + 1)
        old = bytes(document.buffer[at : at + self.dice.choice([0, 0, 1, 4])])
        new = self.dice.randbytes(self.dice.choice([0, 1, 4, len(old)]))
        if old != new:
            self._note(f"at {at} of {size}: {old.hex()} -> {new.hex()}")
            session.apply(Edit("fuzz", (Splice(at, old, new),)))

    def undo_or_redo(self) -> None:
        """Some steps back or forth."""
        if self._top() is self.window:
            for _ in range(self.dice.randrange(1, 5)):
                self.dice.choice([self.window.session.undo, self.window.session.undo, self.window.session.redo])()

    def undo_everything(self) -> None:
        """All changes taken back leave the bytes that were read."""
        session = self.window.session
        document = session.document
        if self._top() is not self.window or document is None or session.waits:
            return
        while session.undo():
            pass

    def switch_tab(self) -> None:
        """Another tab."""
        if self._top() is self.window:
            self.window._opened.step(self.dice.choice([-1, 1]))

    def jump(self) -> None:
        """The caret to any byte."""
        document = self.window.session.document
        if self._top() is self.window and document is not None and len(document.shown):
            self.window.session.go_to_place(hex(self.dice.randrange(len(document.shown))))

    def resize(self) -> None:
        """Another size of the window."""
        self.window.resize(self.dice.randrange(640, 1920), self.dice.randrange(420, 1080))

    def put_on_clipboard(self) -> None:
        """What may be pasted next."""
        texts = ("1b00000002000000", '{"a": [1, 2]}', "Vector2(1, 2)", "5", "", "x" * 2000, "\u202eabc\0", "AQAAAA==")
        QGuiApplication.clipboard().setText(self.dice.choice(texts))


ACTIONS: dict[Callable[[Fuzz], None], int] = {
    Fuzz.press_key: 40,
    Fuzz.type_text: 12,
    Fuzz.press_escape: 12,
    Fuzz.click: 25,
    Fuzz.drag: 4,
    Fuzz.turn_wheel: 5,
    Fuzz.choose_action: 12,
    Fuzz.open_file: 4,
    Fuzz.write_behind_its_back: 1,
    Fuzz.break_bytes: 6,
    Fuzz.undo_or_redo: 6,
    Fuzz.undo_everything: 1,
    Fuzz.switch_tab: 5,
    Fuzz.jump: 6,
    Fuzz.resize: 1,
    Fuzz.put_on_clipboard: 2,
}
"""The steps and how often each is chosen."""


def _name(widget: QWidget) -> str:
    kind = type(widget).__name__
    return f"{kind} {widget.objectName()}".strip()


def _may_be_chosen(action: QAction) -> bool:
    name = f"{action.objectName()} {action.text()}".casefold().replace("&", "")
    return action.menu() is None and not action.isSeparator() and not any(word in name for word in NEVER)


def resident() -> float:
    """Megabytes of memory in use now; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return float(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20))


@contextlib.contextmanager
def own_home() -> Iterator[Path]:
    """A folder that is home, settings, data and current folder, and goes afterwards."""
    before, at = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        for key in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
            os.environ[key] = name
        Path(name).chmod(0o700)
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(at)
            os.environ.clear()
            os.environ.update(before)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--freeze", type=float, default=500.0, help="milliseconds of processor time")
    parser.add_argument("--more", type=Path, help="another folder with files to open")
    wanted = parser.parse_args()
    more = wanted.more.absolute() if wanted.more is not None else None
    print(f"seed {wanted.seed}", flush=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    with own_home() as folder:
        app = QApplication(["fuzz", "-style", "fusion"])
        app.setQuitOnLastWindowClosed(False)
        fuzz = Fuzz(folder, wanted.seed, wanted.freeze, more)
        found = fuzz.run(60 * wanted.minutes)
        fuzz.close()
        app.processEvents()
        gc.collect()
    for text in found.wrong:
        print(text)
    for text in found.jumps:
        print(text)
    print(f"{fuzz.steps} steps, {len(found.wrong)} findings, slowest {found.slowest[0]:.0f} ms ({found.slowest[1]})")
    print("memory:", *(f"{steps}: {size:.0f} MB" for steps, size in found.memory[:: max(1, len(found.memory) // 12)]))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
