"""The windows that show what changed: more pictures for ``screenshots.py``."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from viewer.base import assets
from viewer.document.compare.change_script import run_script
from viewer.document.document import Document
from viewer.ui.compare.compare_host import ComparedSide
from viewer.ui.compare.compare_window import CompareWindow
from viewer.ui.look.theme import ThemeController

SAMPLE = "godot3-rpg.save"
SIZE = (1200, 760)
CHANGES = """\
set [0].player.name "Mira Oakhand the Brave"
set [0].player.gold 9999
set [0].player.health 12.5
set [0].player.hair Color(0.2, 0.5, 0.9, 1)
delete [0].player.stamina
delete [0].inventory[1]
"""
"""What was done between the two states, as lines of ``bulk --script``."""
STEPS = 4
"""So many differences on is the one that is selected."""
PATIENCE = 20_000
SETTLING = 300


def compared(controller: ThemeController, theme: str, path: Path) -> None:
    """Two states of the sample beside each other."""
    controller.choose(theme)
    data = assets.data("samples", SAMPLE)
    old, new = Document(data, name=SAMPLE), Document(data, name=SAMPLE)
    run_script(new, CHANGES)
    window = CompareWindow(
        None, controller.theme, ComparedSide(old, f"{SAMPLE}, as it was saved"), ComparedSide(new, SAMPLE)
    )
    window.resize(*SIZE)
    window.show()
    for _ in range(PATIENCE // SETTLING):
        QTest.qWait(SETTLING)
        if window.comparison is not None:
            break
    for _ in range(STEPS):
        window.step(1)
    QTest.qWait(SETTLING)
    path.parent.mkdir(parents=True, exist_ok=True)
    window.grab().save(str(path))
    window.close()
    QApplication.processEvents()
