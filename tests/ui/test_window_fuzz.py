"""Some hundred random steps in the window find nothing; ``window_fuzz.py`` goes on for as long as one likes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from ui.window_fuzz import Fuzz, own_home

STEPS = 200
FREEZE = 10_000.0
"""Milliseconds of processor time: a step that hangs is found here, one that is a little slow on demand."""


@pytest.fixture
def quiet_end(qapp: QApplication) -> Iterator[None]:
    """A window that goes ends nothing."""
    qapp.setQuitOnLastWindowClosed(False)
    yield
    qapp.setQuitOnLastWindowClosed(True)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_hands_find_nothing(quiet_end: None, seed: int) -> None:
    with own_home() as folder:
        fuzz = Fuzz(folder, seed, FREEZE)
        found = fuzz.run(steps=STEPS)
        fuzz.close()
    assert fuzz.steps == STEPS
    assert not found.wrong, found.wrong[0]
