"""A window that edits and saves until it is killed: ``killed.py SAVE SETTINGS SEED``; one line after each step."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import insert_bytes, overwrite, remove_bytes
from viewer.document.splice import Edit
from viewer.ui.look.theme import ThemeController
from viewer.ui.settings import Settings
from viewer.ui.window.app import make_application
from viewer.ui.window.main_window import MainWindow

STEPS = 400
SAVE_EVERY = 7


def edit(document: Document, seed: int, step: int) -> Edit:
    """Edit number *step*: the same for the same bytes, seed and step."""
    size = len(document.buffer)
    offset = (seed * 7919 + step * 104729) % (size - 64)
    new = f"<{seed}:{step}>".encode()
    if step % 3 == 0:
        return overwrite(document, offset, new)
    return insert_bytes(document, offset, new) if step % 3 == 1 else remove_bytes(document, Span(offset, offset + 5))


def states(data: bytes, seed: int, steps: int = STEPS) -> tuple[list[bytes], set[bytes]]:
    """The bytes after each of the first *steps*, and those that are saved."""
    document = Document(data)
    after, saved = [data], {data}
    for step in range(min(steps, STEPS)):
        document.apply(edit(document, seed, step))
        after.append(bytes(document.buffer[:]))
        if step % SAVE_EVERY == SAVE_EVERY - 1:
            saved.add(after[-1])
    return after, saved


def main(save: str, settings: str, seed: str) -> None:
    QStandardPaths.setTestModeEnabled(False)
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, settings)
    app = make_application()
    window = MainWindow(Settings(), ThemeController(app, "light"))
    window.open_path(Path(save))
    window.show()
    for _ in range(3):
        QApplication.processEvents()
    document = window.session.document
    assert document is not None
    print("ready", flush=True)
    for step in range(STEPS):
        window.session.apply(edit(document, int(seed), step))
        print(step, flush=True)
        if step % SAVE_EVERY == SAVE_EVERY - 1:
            window.session.save()
    print("end", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
