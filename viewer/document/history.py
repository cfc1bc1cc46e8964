"""History: edits done and undone, and where the saved file stands among them."""

from __future__ import annotations

from viewer.document.splice import Edit, Splice


class History:
    """A line of edits with a place on it."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        self._done = 0
        self._saved: int | None = 0
        self._sealed = True

    @property
    def modified(self) -> bool:
        """Whether the bytes differ from the saved ones by any edit."""
        return self._done != self._saved

    @property
    def undo_label(self) -> str:
        """The label of the edit that undo would take back, empty where there is none."""
        return self._edits[self._done - 1].label if self._done else ""

    @property
    def redo_label(self) -> str:
        """The label of the edit that redo would do again, empty where there is none."""
        return self._edits[self._done].label if self._done < len(self._edits) else ""

    def record(self, edit: Edit) -> None:
        """Remember an edit that was just applied; what had been undone is forgotten."""
        del self._edits[self._done :]
        if self._saved is not None and self._saved > self._done:
            self._saved = None
        last = self._edits[-1] if self._edits else None
        if last and edit.merge and last.merge == edit.merge and not self._sealed and self._saved != self._done:
            self._edits[-1] = last.then(edit)
        else:
            self._edits.append(edit)
            self._done += 1
        self._sealed = False

    def seal(self) -> None:
        """Let the next edit be a step of its own."""
        self._sealed = True

    def undo(self) -> Edit | None:
        """The edit that takes the last one back, now to be applied; None at the beginning."""
        if not self._done:
            return None
        self._done -= 1
        self.seal()
        return self._edits[self._done].inverse

    def redo(self) -> Edit | None:
        """The edit to be applied again; None at the end."""
        if self._done == len(self._edits):
            return None
        self._done += 1
        self.seal()
        return self._edits[self._done - 1]

    def mark_saved(self) -> None:
        """The bytes as they are now are on disk."""
        self._saved = self._done
        self.seal()

    def since_saved(self) -> list[Splice] | None:
        """The splices that lead from the saved bytes to those of now; None where no way is known."""
        if self._saved is None:
            return None
        if self._saved <= self._done:
            return [splice for edit in self._edits[self._saved : self._done] for splice in edit.splices]
        undone = reversed(self._edits[self._done : self._saved])
        return [splice for edit in undone for splice in edit.inverse.splices]
