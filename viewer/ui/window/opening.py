"""Opening what is wrapped: the password is asked for, and whether very much may be unpacked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from viewer.container.layer import KeyWrong
from viewer.document.document import Document
from viewer.ui.window import dialogs

if TYPE_CHECKING:
    from collections.abc import Callable

    from viewer.ui.look.palette import Theme

MEGABYTE = 1 << 20


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
        return document.opened_as(replace(opening, secret=dialog.secret))
    size = document.wraps.too_large
    if size and dialogs.ask_large(parent, document.name, size // MEGABYTE):
        return document.opened_as(replace(opening, limit=size))
    return None
