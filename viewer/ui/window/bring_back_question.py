"""The question at the start: changes that were not saved when the program last ended are offered again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtWidgets import QWidget

from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.document.document import Document
from viewer.document.journals.bringing_back import JournalFit, JournalOutlook, NotBroughtBack
from viewer.document.journals.journal import LeftJournal
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.window.journal_keeper import JournalKeeper

NAMED = 6
LISTED = "File > Recover Unsaved… lists what is kept."


def offer(window: QWidget, keeper: JournalKeeper, show: Callable[[Document], None], say: Callable[[str], None]) -> None:
    """Ask about everything that can be brought back; what is brought back is shown, unsaved, the rest stays.

    Args:
        window: the parent of the dialogs.
        keeper: knows what was left behind.
        show: shows a document in a tab of its own.
        say: told in words what is kept and cannot be brought back now.
    """
    found = keeper.left()
    try:
        _offer(window, keeper, show, say, found)
    finally:
        keeper.release()


def _offer(
    window: QWidget,
    keeper: JournalKeeper,
    show: Callable[[Document], None],
    say: Callable[[str], None],
    found: Sequence[tuple[LeftJournal, JournalOutlook]],
) -> None:
    ready = [(left, look) for left, look in found if look.is_ready]
    secret = [left for left, _ in found if left.is_secret]
    waiting = len(found) - len(ready) - len(secret)
    if ready:
        answer = _ask(window, ready, secret, waiting)
        if answer is UserChoice.CANCEL:
            return
        said: list[str] = []
        for left, _ in ready:
            if answer is UserChoice.SAVE:
                said.append(bring_back(keeper, left, show))
            else:
                keeper.forget(left)
        if any(said):
            dialogs.tell(window, "\n".join([*filter(None, said), LISTED]))
    elif secret:
        dialogs.tell(window, "\n".join(look.sentence for left, look in found if left.is_secret))
    elif waiting:
        say(f"{counted(waiting, 'document')} with unsaved changes cannot be brought back now. {LISTED}")
    for left in secret:
        keeper.forget(left)


def time_of(left: LeftJournal) -> str:
    """When it was changed last, to the second; empty where that is not known."""
    return datetime.fromtimestamp(left.when).strftime("%Y-%m-%d %H:%M:%S") if left.when else ""


def bring_back(
    keeper: JournalKeeper, left: LeftJournal, show: Callable[[Document], None], file: Path | None = None
) -> str:
    """Show a document with its changes; says why not, where they stay or its file holds them.

    Args:
        keeper: knows what was left behind.
        left: what it is.
        show: shows a document in a tab of its own.
        file: where a person says that the edited file is.
    """
    try:
        return keeper.bring_back(left, show, file)
    except NotBroughtBack as problem:
        return str(problem)
    except OSError as error:
        return f"What was kept of “{escaped(left.name)}” cannot be read ({error.strerror or error}): it stays."
    except MemoryError:
        return f"There is not enough memory for “{escaped(left.name)}”: close other programs, then try again."


def _ask(
    window: QWidget, ready: Sequence[tuple[LeftJournal, JournalOutlook]], secret: Sequence[LeftJournal], waiting: int
) -> UserChoice:
    whens = _whens(ready)
    names = [f"“{escaped(left.name)}”{when}{_remark(look)}" for (left, look), when in zip(ready, whens, strict=True)]
    names += [f"“{escaped(left.name)}” (encrypted: not kept)" for left in secret]
    lines = names[:NAMED]
    if len(names) > NAMED:
        lines.append(f"and {len(names) - NAMED} more")
    if waiting:
        lines.append(f"{counted(waiting, 'other document')} cannot be brought back now. {LISTED}")
    box = dialogs.question(
        window, "The program ended before these changes were saved. Bring them back?", "\n".join(lines)
    )
    buttons = {
        box.addButton("&Bring Back", QtWidgets.QMessageBox.ButtonRole.AcceptRole): UserChoice.SAVE,
        box.addButton("&Discard Them", QtWidgets.QMessageBox.ButtonRole.DestructiveRole): UserChoice.DISCARD,
    }
    return dialogs.answer(box, buttons)


def _whens(ready: Sequence[tuple[LeftJournal, JournalOutlook]]) -> list[str]:
    """Which version of its file each one is, where there are several; the latest has the file."""
    alike = Counter(left.file for left, _ in ready)
    seen: set[Path | None] = set()
    whens: list[str] = []
    for left, _ in ready:
        apart = " in a tab of its own," if left.file is not None and left.file in seen else ""
        whens.append(f"{apart} as of {time_of(left)}" if alike[left.file] > 1 else "")
        seen.add(left.file)
    return whens


def _remark(look: JournalOutlook) -> str:
    return " (its file is gone or is a different one now)" if look.fit is JournalFit.ALONE else ""
