"""Make the pictures of the window: those of the README, or with --all every state in both themes and several sizes.

Needs no screen. Run it in the environment the program is installed in: ``python tools/screenshots.py [--all FOLDER]``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from viewer import assets
from viewer.document.document import Document
from viewer.ui.app import make_application
from viewer.ui.look.theme import ThemeController
from viewer.ui.window.main_window import MainWindow

DOCS = Path(__file__).parent.parent / "docs"
SAMPLE = "godot3-rpg.save"
BROKEN = "broken-packet.bin"
THEMES = ("light", "dark")
SIZES = ((1000, 640), (1400, 900), (1920, 1080))


def show(window: MainWindow, name: str) -> None:
    """Open a sample."""
    window.session.show(Document(assets.data("samples", name), name=name))


def main_state(window: MainWindow) -> None:
    """A save with a nested value selected."""
    show(window, SAMPLE)
    window.session.go_to_place("[0].player.target")


def editing(window: MainWindow) -> None:
    """A value being edited, with what is wrong about it."""
    show(window, SAMPLE)
    window.session.go_to_place("[0].player.gold")
    window.settle()
    window.findChild(object, "edit_value").trigger()
    field = QApplication.focusWidget()
    if field is not None:
        QTest.keyClicks(field, "9223372036854775808")


def malformed(window: MainWindow) -> None:
    """A broken packet with its problem selected."""
    show(window, BROKEN)
    window.settle()
    window.session.step_problem(1)


def empty(window: MainWindow) -> None:
    """Nothing open."""
    window.session.show(None)


STATES: dict[str, Callable[[MainWindow], None]] = {
    "main": main_state,
    "edit": editing,
    "malformed": malformed,
    "empty": empty,
}


def picture(controller: ThemeController, state: str, theme: str, size: tuple[int, int], path: Path) -> None:
    """One state in one theme and size."""
    controller.choose(theme)
    window = MainWindow(None, controller)
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    window.resize(QSize(*size))
    window.show()
    QTest.qWaitForWindowExposed(window)
    STATES[state](window)
    window.settle()
    path.parent.mkdir(parents=True, exist_ok=True)
    window.grab().save(str(path))
    window.session.show(None)
    window.close()
    QApplication.processEvents()


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", metavar="FOLDER", help="every state, theme and size, into this folder")
    options = parser.parse_args()
    controller = ThemeController(make_application())
    if options.all is None:
        for theme in THEMES:
            picture(controller, "main", theme, SIZES[1], DOCS / f"main-{theme}.png")
        return
    for state in STATES:
        for theme in THEMES:
            for size in SIZES:
                name = f"{state}-{size[0]}x{size[1]}-{theme}.png"
                picture(controller, state, theme, size, Path(options.all) / name)


if __name__ == "__main__":
    main()
