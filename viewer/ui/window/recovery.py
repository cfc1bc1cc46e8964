"""At the start: changes that were not saved when the program last ended are offered again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6 import QtWidgets
from PySide6.QtWidgets import QWidget

from viewer.document.document import Document
from viewer.document.files import FileProblem
from viewer.document.journal import JournalError, Left, brought_back
from viewer.ui.window import dialogs
from viewer.ui.window.dialogs import Answer
from viewer.ui.window.journal_keeper import JournalKeeper

NAMED = 6


def offer(window: QWidget, keeper: JournalKeeper, show: Callable[[Document], None]) -> None:
    """Ask about everything that was left behind; what is brought back is shown, unsaved.

    Args:
        window: the parent of the dialogs.
        keeper: knows what was left behind.
        show: shows a document in a tab of its own.
    """
    left = keeper.left()
    if not left:
        return
    answer = _ask(window, left)
    if answer is Answer.CANCEL:
        return
    said: list[str] = []
    for each in left:
        if answer is Answer.SAVE:
            said += _bring_back(each, show)
        keeper.forget(each)
    if said:
        dialogs.tell(window, "\n".join(said))


def _bring_back(left: Left, show: Callable[[Document], None]) -> list[str]:
    """Show a document with its changes; returns why not."""
    try:
        document = brought_back(left)
    except (JournalError, FileProblem) as error:
        return [str(error)]
    if document is not None:
        show(document)
    return []


def _ask(window: QWidget, left: Sequence[Left]) -> Answer:
    names = [f"“{each.name}”" + (" (encrypted: not kept)" if each.is_secret else "") for each in left]
    more = f"\nand {len(names) - NAMED} more" if len(names) > NAMED else ""
    box = dialogs.question(
        window,
        "The program ended before these changes were saved. Bring them back?",
        "\n".join(names[:NAMED]) + more,
    )
    buttons = {
        box.addButton("&Bring back", QtWidgets.QMessageBox.ButtonRole.AcceptRole): Answer.SAVE,
        box.addButton("&Drop them", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): Answer.DISCARD,
    }
    return dialogs.answer(box, buttons)
