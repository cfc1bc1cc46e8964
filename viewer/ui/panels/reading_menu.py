"""The menu that says how the bytes are read, and overrules it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from viewer.container.frames import BARE, CONCATENATED, STORED, STORED_BIG
from viewer.document.detect import Candidate
from viewer.document.document import Document
from viewer.document.reading import Choice
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.panels.pieces import empty_menu
from viewer.ui.session import Session
from viewer.variant.dialect import Precision, available

CANDIDATES = 5
FRAMING_WORDS = {
    STORED: "stored: a length before each value",
    STORED_BIG: "stored, big-endian: the length with its high byte first",
    BARE: "bare: one value, no length",
    CONCATENATED: "concatenated: values one after another",
}


def reading_words(document: Document) -> str:
    """How the bytes are read: ``Godot 3 · single · stored``, ``Godot 3 · packet``, ``closed``."""
    if document.wraps.blocked is not None:
        return "closed"
    if document.explain is not None:
        return f"{document.dialect.name} · packet"
    return f"{document.dialect.name} · {document.precision.value} · {document.framing.label}"


def fill_reading_menu(menu: QMenu, session: Session) -> None:
    """Fill a menu with the ways to read the session's document; the one in use is checked."""
    empty_menu(menu)
    menu.setToolTipsVisible(True)
    document = session.document
    if document is None:
        menu.addAction("Dialect: found by itself").setEnabled(False)
        return
    found = menu.addAction("Find by itself")
    found.setCheckable(True)
    found.setChecked(document.choice.leaves_all_open)
    found.setToolTip("Try every engine line and take the likeliest")
    found.triggered.connect(lambda: session.read_as(Choice()))
    _add_candidates(menu, session, document)
    _add_dialects(menu, session, document)
    _add_precisions(menu, session, document)
    _add_framings(menu, session, document)


def _add_candidates(menu: QMenu, session: Session, document: Document) -> None:
    menu.addSection("Likeliest")
    for candidate in document.candidates[:CANDIDATES]:
        words = f"{candidate.dialect.name} · {candidate.precision.value} · {candidate.framing.label}"
        action = menu.addAction(f"{in_menu(words)}   {candidate.explained * 100:.0f} %")
        action.setCheckable(True)
        action.setChecked(_is_read_so(document, candidate))
        action.setToolTip(plain_tip(candidate.reason))
        framing = candidate.framing
        choice = Choice(candidate.dialect, candidate.precision, framing.kind, big_endian=framing.big_endian)
        action.triggered.connect(lambda _=False, choice=choice: session.read_as(choice))


def _is_read_so(document: Document, candidate: Candidate) -> bool:
    now = (document.dialect, document.precision, document.framing)
    return now == (candidate.dialect, candidate.precision, candidate.framing)


def _add_dialects(menu: QMenu, session: Session, document: Document) -> None:
    menu.addSeparator()
    submenu = menu.addMenu("Engine line")
    submenu.setToolTipsVisible(True)
    for line in available():
        precision = document.choice.precision if document.choice.precision in line.precisions else None
        choice = replace(document.choice, dialect=line, precision=precision, preferred=None)
        _add_choice(submenu, session, line.name, line.about, document.dialect is line, choice)
    _group(submenu)


def _add_precisions(menu: QMenu, session: Session, document: Document) -> None:
    submenu = menu.addMenu("Precision")
    tips = {
        Precision.SINGLE: "Vectors were written by a usual build of the engine",
        Precision.DOUBLE: "Vectors were written by a build with 64-bit reals",
    }
    submenu.setToolTipsVisible(True)
    for precision in document.dialect.precisions:
        choice = replace(document.choice, precision=precision)
        _add_choice(submenu, session, precision.value, tips[precision], document.precision is precision, choice)
    _group(submenu)


def _add_framings(menu: QMenu, session: Session, document: Document) -> None:
    submenu = menu.addMenu("Framing")
    for framing, words in FRAMING_WORDS.items():
        choice = replace(document.choice, framing=framing.kind, big_endian=framing.big_endian, preferred=None)
        _add_choice(submenu, session, words, "", document.framing == framing, choice)
    _group(submenu)


def _add_choice(menu: QMenu, session: Session, words: str, tip: str, checked: bool, choice: Choice) -> None:
    action = menu.addAction(in_menu(words))
    action.setCheckable(True)
    action.setChecked(checked)
    action.setToolTip(plain_tip(tip or words))
    action.triggered.connect(lambda: session.read_as(choice))


def _group(menu: QMenu) -> None:
    """Let one of the actions be checked at a time."""
    group = QActionGroup(menu)
    for action in menu.actions():
        group.addAction(action)
