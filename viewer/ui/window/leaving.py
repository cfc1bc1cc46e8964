"""Leaving: one question about all files with unsaved changes, and saving those that a person wants saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from viewer.document.document import Document
from viewer.ui import dialogs
from viewer.ui.dialogs import UserChoice
from viewer.ui.window.file_actions import FileActions


def may_leave(window: QWidget, views: Sequence[FileActions], goes: Callable[[Document], bool] = lambda _: True) -> bool:
    """Whether the documents of some views may go: nothing is unsaved, or the person has decided.

    What cannot be saved stays open, is shown, and is told when the others are saved; then nothing else goes either.
    While a file is being written nothing goes.

    Args:
        window: the parent of the question.
        views: they hold the documents.
        goes: says of a document whether it would go at all.
    """
    if any(view.writes for view in views):
        return False
    unsaved: list[tuple[FileActions, Document]] = []
    for view in views:
        unsaved += [
            (view, document)
            for document in view.unsaved()
            if goes(document) and all(document is not other for _, other in unsaved)
        ]
    if not unsaved:
        return True
    documents = [document for _, document in unsaved]
    if len(unsaved) == 1:
        unsaved[0][0].show_open(documents[0])
        answer, wanted = dialogs.ask_unsaved(window, documents[0].name, documents[0].is_gone), [0]
    else:
        answer, wanted = dialogs.ask_all_unsaved(window, told_apart(documents))
    if answer is UserChoice.CANCEL:
        return False
    if answer is UserChoice.SAVE and not _save(window, [unsaved[number] for number in wanted]):
        return False
    for view in views:
        view.give_up(documents)
    return True


def _save(window: QWidget, wanted: Sequence[tuple[FileActions, Document]]) -> bool:
    """Save what can be saved; False where something stays unsaved, which is shown, with what failed in words."""
    stays: tuple[FileActions, Document] | None = None
    problems: list[str] = []
    for view, document in wanted:
        is_saved, said = view.save_quietly(document)
        problems += said
        if not is_saved:
            stays = stays or (view, document)
    if stays is not None:
        stays[0].show_open(stays[1])
    if problems and window.isVisible():
        dialogs.tell(window, "\n".join(dialogs.named(problems)))
    elif problems:
        QTimer.singleShot(0, window, lambda: dialogs.tell(window, "\n".join(dialogs.named(problems))))
    return stays is None


def told_apart(documents: Sequence[Document]) -> list[str]:
    """The names of documents, with the folder where two have the same, and whether their file is gone."""
    names = [document.name for document in documents]
    return [
        f"“{dialogs.shortened(document.name)}”"
        + (f" in {document.path.parent}" if names.count(document.name) > 1 and document.path is not None else "")
        + (" (gone from the disk)" if document.is_gone else "")
        for document in documents
    ]
