"""What is compared, and what the compare window asks of the window that it was opened from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.splice import Edit


@dataclass(frozen=True, slots=True, eq=False)
class ComparedSide:
    """One side of a comparison.

    Args:
        document: what is compared; it is read anew, so that it may be edited meanwhile.
        title: what the side is called: ``rpg.save``, ``rpg.save.bak``, ``on disk``.
        fixed: why it cannot be edited, a sentence; empty where it can.
    """

    document: Document
    title: str
    fixed: str = ""


class CompareHost(Protocol):
    """What the window asks of the one that it was opened from."""

    def edit(self, document: Document, edit: Edit) -> str:
        """Do an edit of a document as one step of undo; why it cannot be done, empty where it was."""
        ...

    def undo(self, document: Document) -> None:
        """Take the last edit of a document back."""
        ...

    def show(self, document: Document, path: str) -> None:
        """Show a value of a document in the window."""
        ...

    def side_of(self, path: Path) -> ComparedSide | None:
        """A file as a side; None where it cannot be read, which was told."""
        ...

    def ignored(self, document: Document) -> tuple[str, ...]:
        """The patterns of paths that are remembered as always changing, for the folder of a document."""
        ...

    def keep_ignored(self, document: Document, patterns: Sequence[str]) -> str:
        """Remember other ones; why they cannot be, empty where they are."""
        ...
