"""States of the window with a save that mixes fields and values, before and after it was described."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.describing import describe
from viewer.document.viewmodel.field_choices import field_choices
from viewer.ui.window.main_window import MainWindow

MIXED = Path(__file__).parent.parent / "tests" / "data" / "mixed" / "m02.save"


def guessed(window: MainWindow) -> None:
    """A save with fields that nobody described."""
    window.session.show(Document.open(MIXED))
    window.session.select(outline.gap_item(0))


def described(window: MainWindow) -> None:
    """The same, each gap described in the likeliest way, by a layout in a folder of its own."""
    before = os.environ.get("XDG_CONFIG_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        document = Document.open(MIXED)
        while document.unexplained:
            choice = field_choices(document, document.unexplained[0])[0]
            describe(document, list(choice.fields)).write()
            document = Document.open(MIXED)
        window.session.show(document)
        window.session.select(outline.gap_item(2))
    if before is None:
        del os.environ["XDG_CONFIG_HOME"]
    else:
        os.environ["XDG_CONFIG_HOME"] = before


STATES: dict[str, Callable[[MainWindow], None]] = {"mixed": guessed, "described": described}
