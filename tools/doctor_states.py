"""States of the window with damaged bytes: repairs, what engines do, explanations; more for ``screenshots.py``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import damaged_save
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from viewer.base import assets
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui.doctor.repairs_view import RepairsView
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load

BROKEN = "broken-packet.bin"
DIALOGS = {"engines": "enginesDialog", "explain": "explainCard", "shrink": "shrinkDialog"}
"""By action, the dialog that it opens."""
MOMENT = 100
TRIES = 100


def broken(window: MainWindow) -> None:
    """A broken packet, its problem selected, with what may have happened to it."""
    window.session.show(Document(assets.data("samples", BROKEN), name=BROKEN))
    window.settle()
    window.session.step_problem(1)


def other_engine(window: MainWindow) -> None:
    """A save of Godot 4 that is read as one of Godot 3."""
    name = "godot4-typed.save"
    window.session.show(Document(assets.data("samples", name), name=name, choice=ReadOptions(load("godot3"))))


def to_the_front(window: MainWindow) -> None:
    """The repairs where they lie behind a tab, with the keys in them."""
    broken(window)
    _run(window, "repairs")


def damaged(window: MainWindow) -> None:
    """A large save that is damaged in some places: noise in view, and what was made sense of behind it."""
    raw = damaged_save.damaged()
    window.session.show(Document(raw, name="world.save"))
    window.settle()
    window.session.go_to(damaged_save.noise_at(raw) + damaged_save.NOISE)
    for _ in range(TRIES):
        QTest.qWait(MOMENT)
        if window.findChild(RepairsView).rows:
            break


def _run(window: MainWindow, name: str) -> None:
    window.findChild(QAction, name).trigger()
    QApplication.processEvents()


STATES: dict[str, Callable[[MainWindow], None]] = {
    "malformed": broken,
    "repairs": to_the_front,
    "repairs-engine": other_engine,
    "damaged-save": damaged,
}


def pictures(window: MainWindow, theme: str, folder: Path) -> None:
    """The dialogs by themselves."""
    broken(window)
    for action, name in DIALOGS.items():
        _run(window, action)
        _save(window, name, folder / f"{action}-{theme}.png")
    view = window.findChild(RepairsView)
    view.preview_asked.emit(view.rows[0].repair)
    _save(window, "repairPreview", folder / f"repair-preview-{theme}.png")


def _save(window: MainWindow, name: str, path: Path) -> None:
    """Wait until a dialog has something to show, and take its picture."""
    for _ in range(TRIES):
        QTest.qWait(MOMENT)
        dialog = window.findChild(QDialog, name)
        if dialog is not None and _is_ready(dialog):
            dialog.grab().save(str(path))
            dialog.close()
            return


def _is_ready(dialog: QDialog) -> bool:
    """Whether what a dialog waits for is there."""
    for waited in ("page", "result_bytes"):
        if hasattr(dialog, waited):
            return getattr(dialog, waited) is not None
    return not hasattr(dialog, "model") or bool(dialog.model.rowCount())
