"""History: the edits done and undone, and where the saved file stands among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from viewer.base.record import replace
from viewer.document.splice import Edit, EditFocus, Splice, joined_bases

if TYPE_CHECKING:
    from viewer.document.wraps import Wraps


class History:
    """A line of edits with a place on it."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []
        self._done = 0
        self._saved: int | None = 0
        self._sealed = True
        self._aim: int | None = None
        self._texts: dict[int, tuple[Wraps, Wraps]] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all edits, done and undone, in their order."""
        return tuple(edit.label for edit in self._edits)

    @property
    def done(self) -> int:
        """How many of the edits are done: the place of now."""
        return self._done

    @property
    def saved(self) -> int | None:
        """How many edits lie before the saved bytes, None where these cannot be reached any more."""
        return self._saved

    @property
    def modified(self) -> bool:
        """Whether the bytes differ from the saved ones by any edit."""
        return self._done != self._saved

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back."""
        return self._done > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit to do again."""
        return self._done < len(self._edits)

    @property
    def last(self) -> Edit | None:
        """The edit that undo would take back, None where there is none."""
        return self._edits[self._done - 1] if self.can_undo else None

    def is_done(self, edit: Edit) -> bool:
        """Whether this very edit is done, and not taken back."""
        return any(each is edit for each in self._edits[: self._done])

    @property
    def undo_label(self) -> str:
        """The label of the edit that undo would take back, empty where there is none."""
        return self._edits[self._done - 1].label if self.can_undo else ""

    @property
    def redo_label(self) -> str:
        """The label of the edit that redo would do again, empty where there is none."""
        return self._edits[self._done].label if self.can_redo else ""

    def record(self, edit: Edit) -> None:
        """Remember an edit that was just applied; what had been undone is forgotten."""
        del self._edits[self._done :]
        self._texts = {number: texts for number, texts in self._texts.items() if number < self._done}
        self._aim = None
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

    def aim(self, done: int) -> None:
        """Let the next undo or redo go as far as the place where *done* edits are done, in one step.

        Raises:
            ValueError: there is no such place.
        """
        if not 0 <= done <= len(self._edits):
            raise ValueError(f"There is no place behind {done} edits.")
        self._aim = done

    def undo(self) -> Edit | None:
        """The edit that takes the last one back, or all that are aimed at, now to be applied; None at the beginning."""
        if not self._done:
            return None
        target = self._aimed(self._done - 1, 0, self._done)
        undone = [self._step(number).inverse for number in reversed(range(target, self._done))]
        self._done = target
        self.seal()
        return _joined(undone)

    def redo(self) -> Edit | None:
        """The edit to be applied again, or all that are aimed at as one; None at the end."""
        if self._done == len(self._edits):
            return None
        target = self._aimed(self._done + 1, self._done + 1, len(self._edits) + 1)
        redone = [self._step(number) for number in range(self._done, target)]
        self._done = target
        self.seal()
        return _joined(redone)

    def _aimed(self, usual: int, low: int, high: int) -> int:
        """The place aimed at where it lies in ``[low, high)``, else the *usual* one; the aim is forgotten."""
        aim, self._aim = self._aim, None
        return usual if aim is None or not low <= aim < high else aim

    def mark_saved(self, texts: tuple[Wraps, Wraps] | None = None) -> None:
        """The bytes as they are now are on disk.

        Args:
            texts: the wraps with the text that the values were read from until now, and those with the text that was
                written, where there is one: undo leads back to the older one, as it was spelled.
        """
        self._saved = self._done
        self.seal()
        if texts is not None and self._done:
            before = self._step(self._done - 1).bases
            self._texts[self._done - 1] = (before[0] if before is not None else texts[0], texts[1])

    def _step(self, number: int) -> Edit:
        """An edit, with the text that was saved behind it."""
        texts = self._texts.get(number)
        return self._edits[number] if texts is None else replace(self._edits[number], bases=texts)

    @property
    def is_typed(self) -> bool:
        """Whether all that leads from the saved bytes to those of now was typed into the text."""
        saved, done = self._saved, self._done
        if saved is None or saved == done:
            return False
        return all(edit.readings[1] for edit in self._edits[min(saved, done) : max(saved, done)])

    def since_saved(self) -> list[Splice] | None:
        """The splices that lead from the saved bytes to those of now; None where no way is known."""
        if self._saved is None:
            return None
        if self._saved <= self._done:
            return [splice for edit in self._edits[self._saved : self._done] for splice in edit.splices]
        undone = reversed(self._edits[self._done : self._saved])
        return [splice for edit in undone for splice in edit.inverse.splices]


def _joined(edits: Sequence[Edit]) -> Edit:
    """Consecutive edits as one; what a later one wrote may be what an earlier one moved, so that no moves are left."""
    first, last = edits[0], edits[-1]
    if first is last:
        return first
    focus = EditFocus(first.focus.before if first.focus else (), last.focus.after) if last.focus else None
    splices = tuple(splice for edit in edits for splice in edit.splices)
    readings = (first.readings[0], last.readings[1])
    return Edit(last.words, splices, focus=focus, bases=joined_bases(edits), readings=readings)
