"""Opening what is wrapped: the password is asked for, and whether very much may be unpacked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from viewer.container.layer import KeyWrong
from viewer.container.unpacking import size_in_words
from viewer.document.document import Document
from viewer.document.wraps import Opening
from viewer.ui.window import dialogs

if TYPE_CHECKING:
    from collections.abc import Callable

    from viewer.ui.look.palette import Theme


def unlocked(parent: QWidget, theme: Callable[[], Theme], document: Document) -> Document:
    """The document with its values reached, where the person helps; else the one that shows closed bytes.

    Args:
        parent: the window.
        theme: gives the colours.
        document: what was opened.
    """
    while document.wraps.blocked is not None:
        helped = _helped(parent, theme, document)
        if helped is None:
            break
        document = helped
    return document


def _helped(parent: QWidget, theme: Callable[[], Theme], document: Document) -> Document | None:
    """The document opened with what the person says, None where they say nothing or cannot help."""
    opening, blocked = document.choice.opening, document.wraps.blocked
    if document.wraps.needs_key:
        from viewer.ui.window.password_dialog import PasswordDialog

        dialog = PasswordDialog(parent, theme(), document.name, str(blocked) if isinstance(blocked, KeyWrong) else "")
        if not dialog.exec() or dialog.secret is None:
            return None
        return _opened_as(parent, document, replace(opening, secret=dialog.secret))
    needed = document.wraps.too_large
    if needed and dialogs.ask_large(parent, document.name, str(blocked), size_in_words(needed)):
        return _opened_as(parent, document, replace(opening, limit=needed))
    return None


def _opened_as(parent: QWidget, document: Document, opening: Opening) -> Document:
    """The document opened so, beside the window: very much may come out of its wraps."""
    found: list[Document] = []
    with dialogs.Waiting(parent, f"Unpacking “{document.name}” …") as waiting:
        waiting.do(lambda: found.append(document.opened_as(opening)))
    return found[0]
