"""Texts of files in the window: as plain text everywhere, with what cannot be seen as escapes.

Qt takes a text for HTML where it looks like it (``Qt.mightBeRichText``): tooltips and labels do so unless they are
told otherwise, and then open the file that an ``<img src=…>`` in a save names; on Windows a path on another machine
sends a hash of the person's password there. In menus and on tabs ``&`` underlines a letter, in titles ``[*]`` marks
changes. So every tooltip, label, box, menu, tab and title gets its words through this module; a test reads the source
for others.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6 import QtGui
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from viewer.base.unseen import LINES, escaped

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMessageBox

MOST = 1 << 12
"""So many signs of a text are shown in a tooltip."""
ELLIPSIS = "…"


def plain_tip(text: str) -> str:
    """A text for a tooltip: shown as it is, with a bound on its length.

    What Qt would take for HTML becomes HTML in which all of it is escaped: a tooltip can be told in no other way.
    """
    shown = escaped(text[:MOST], LINES) + (ELLIPSIS if len(text) > MOST else "")
    if not QtGui.Qt.mightBeRichText(shown):
        return shown
    return f'<p style="white-space:pre-wrap">{escape(shown)}</p>'


def show_tip(place: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip at a global position."""
    QToolTip.showText(place, plain_tip(text), widget)


def in_menu(text: str) -> str:
    """A text for a menu, a tab or a button, where ``&`` would underline a letter and a tab begin a column."""
    return escaped(text).replace("&", "&&")


def in_title(text: str) -> str:
    """A text for the title of a window, where ``[*]`` would be the mark of changes."""
    return escaped(text).replace("[*]", "[*][*]")


def already_in_title(window: QWidget) -> str:
    """The title of a window, which :func:`in_title` has made, for another one that holds it."""
    return window.windowTitle()


def set_box_text(box: QMessageBox, words: str, more: str = "") -> None:
    """Say something in a box: *words*, and *more* below them in smaller letters."""
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(escaped(words, LINES))
    box.setInformativeText(plain_tip(more))  # its label has no format of its own


class PlainLabel(QLabel):
    """A label that shows its text as it is."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(escaped(text, LINES))
