"""A window that brings back, edits and saves until it is killed: ``edited.py SEED MODE``; one line for each thing.

MODE is ``short`` or ``long``, where journals hold no bytes of files, with ``+full`` where the disk is full at times.
The first line of standard input names the files to be opened, as a JSON list. What is written:

``asked``, ``bringing NAME``, ``brought NAME STATE``, ``ready``: the start;
``open NAME STATE``: a file is shown; ``next NAME STATE``: it is about to become this;
``done NAME STATE``: it is this, and kept; ``unkept NAME STATE``: it is this, and the window said that it is not kept;
``saving NAME``, ``clean NAME STATE``: it is as its file is.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from viewer.base.buffer import Buffer
from viewer.base.span import Span
from viewer.document.disk.files import ChangedOnDisk, FileProblem
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import insert_bytes, overwrite, remove_bytes
from viewer.document.edits.slots import EditError
from viewer.document.journals import journal
from viewer.document.journals.journal import LeftJournal
from viewer.document.splice import Edit, applied
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.look.theme import ThemeController
from viewer.ui.settings import Settings
from viewer.ui.window import bring_back_question
from viewer.ui.window.app import make_application
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.main_window import MainWindow

if sys.platform != "win32":
    import resource

STEPS = 150
LIMIT = 3000
"""Where the disk is full, no file gets longer: journals do soon."""


def state(buffer: Buffer) -> str:
    """What tells bytes apart, for a line."""
    return hashlib.blake2b(bytes(buffer[0 : len(buffer)]), digest_size=8).hexdigest()


class Run:
    """One run of the window.

    Args:
        seed: what it does.
        mode: how journals are kept.
    """

    def __init__(self, seed: int, mode: str) -> None:
        self._chance = random.Random(seed)
        self._fills = mode.endswith("+full")
        if mode.startswith("long"):
            journal.KEPT_WHOLE = 0
        self._patch()
        app = make_application()
        self._window = MainWindow(Settings(), ThemeController(app, "light"))
        self._window.show()
        while self._window._guard is None:
            app.processEvents()
        app.processEvents()

    def _patch(self) -> None:
        """Let a person be there who brings everything back and writes over what others wrote."""
        bring_back = JournalKeeper.bring_back

        def told(keeper: JournalKeeper, left: LeftJournal, *rest: object) -> str:
            say("bringing", left.name)
            said = bring_back(keeper, left, *rest)  # type: ignore[arg-type]
            document = keeper._session.document
            if document is not None and document.modified:
                say("brought", document.name, state(document.buffer))
            return said

        JournalKeeper.bring_back = told  # type: ignore[method-assign, assignment]
        bring_back_question._ask = asked  # type: ignore[assignment]
        dialogs.tell = lambda *_: None  # type: ignore[assignment]

    def edit(self, names: list[str]) -> None:
        """Open files, and do one thing after the other."""
        for name in names:
            self._window.open_path(Path(name))
            document = self._document
            say("open", document.name, state(document.buffer))
        for step in range(STEPS):
            if self._fills and step % 20 == 7:
                self._limit(LIMIT)
            elif self._fills and step % 20 == 15:
                self._limit(resource.RLIM_INFINITY)
                self._keeper.try_again()
            self._step()
            if step % 5 == 4:
                QApplication.processEvents()
        say("end")

    def _limit(self, size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        filler = os.environ.get("FILLER")
        if not filler:
            return
        if size == resource.RLIM_INFINITY:
            Path(filler).unlink(missing_ok=True)
            return
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
            while True:
                file.write(bytes(512))

    @property
    def _document(self) -> Document:
        document = self._window.session.document
        assert document is not None
        return document

    @property
    def _keeper(self) -> JournalKeeper:
        assert self._window._guard is not None
        return self._window._guard.journals

    def _step(self) -> None:
        chance, session = self._chance, self._window.session
        if self._window._opened.documents and chance.random() < 0.1:
            self._window._opened.step(1)
        if session.document is None:
            return
        document, what = self._document, chance.random()
        if what < 0.12:
            self._save()
        elif what < 0.22:
            self._to(document.history.done - 1)
        elif what < 0.3:
            self._to(document.history.done + 1)
        else:
            edit = some_edit(document, chance)
            say("next", document.name, state(applied(document.buffer, edit.splices)))
            session.apply(edit)
            self._tell()

    def _to(self, place: int) -> None:
        """Undo or redo one edit."""
        document = self._document
        history = document.history
        if not 0 <= place <= len(history.labels):
            return
        edits = history._edits
        edit = edits[place].inverse if place < history.done else edits[place - 1]
        say("next", document.name, state(applied(document.buffer, edit.splices)))
        self._window.session.undo() if place < history.done else self._window.session.redo()
        self._tell()

    def _tell(self) -> None:
        document = self._document
        known = self._keeper._journals.get(id(document))
        is_behind = document.modified and (known is None or known[1].is_behind)
        word = "unkept" if is_behind else "done" if document.modified else "clean"
        say(word, document.name, state(document.buffer))

    def _save(self) -> None:
        document = self._document
        say("saving", document.name)
        with contextlib.suppress(FileProblem):
            try:
                self._window.session.save(backup=1)
            except ChangedOnDisk:
                if self._chance.random() < 0.5:
                    self._window.session.save(force=True, backup=1)
        self._tell()


def some_edit(document: Document, chance: random.Random) -> Edit:
    """Any edit of a few bytes."""
    size = len(document.buffer)
    while True:
        offset = chance.randrange(max(1, size - 8))
        what = chance.random()
        with contextlib.suppress(EditError):
            if what < 0.4 and size > 16:
                return overwrite(document, offset, chance.randbytes(chance.randrange(1, 9)))
            if what < 0.6 and size > 300:
                return remove_bytes(document, Span(offset, offset + chance.randrange(1, 8)))
            if what < 0.95 or not size:
                return insert_bytes(document, offset, chance.randbytes(chance.randrange(1, 9)))
            return insert_bytes(document, offset, chance.randbytes(400))


def asked(*_: object) -> UserChoice:
    """The question at the start: bring back."""
    say("asked")
    return UserChoice.SAVE


def say(*words: str) -> None:
    """Write a line, whole."""
    os.write(1, (" ".join(words) + "\n").encode())


def main(seed: str, mode: str) -> None:
    run = Run(int(seed), mode)
    say("ready")
    run.edit(json.loads(sys.stdin.readline()))


if __name__ == "__main__":
    main(*sys.argv[1:])
