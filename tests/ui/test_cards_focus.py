"""Floating cards and the focus: where it goes when they go away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from viewer.ui.look.palette import Theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.list_card import ListCard
from viewer.ui.panels.note_card import NoteCard

Card = ListCard | NoteCard


def list_card(theme: Theme, window: QWidget) -> ListCard:
    card = ListCard(theme, window, "Commands", "search")
    card.open()
    return card


def note_card(theme: Theme, window: QWidget) -> NoteCard:
    card = NoteCard(theme, window)
    card.ask("", QRect(0, 0, 40, 20))
    return card


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """A window with a field that has the focus."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 400)
    QLineEdit(window).setFocus()
    with qtbot.waitActive(window):
        window.show()
    return window


@pytest.fixture(params=[list_card, note_card])
def card(request: pytest.FixtureRequest, window: QWidget, qapp: QApplication) -> Card:
    """A card that took the focus."""
    make: Callable[[Theme, QWidget], Card] = request.param
    return make(ThemeController(qapp, "light").theme, window)


def field(window: QWidget) -> QLineEdit:
    """The field that had the focus before."""
    return next(each for each in window.children() if isinstance(each, QLineEdit))


def test_the_focus_goes_back(window: QWidget, card: Card) -> None:
    assert not field(window).hasFocus()
    card.dismiss()
    assert field(window).hasFocus()


def test_a_card_goes_away_though_the_widget_that_had_the_focus_is_gone(window: QWidget, card: Card) -> None:
    delete(field(window))
    card.dismiss()
    assert card.isHidden()
