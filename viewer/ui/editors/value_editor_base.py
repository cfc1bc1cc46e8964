"""What every editor is: some fields that together make a value, and a verdict on it at every key."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.document.edits.slots import EditError
from viewer.document.forms.target import EditTarget, Proposal
from viewer.document.splice import Edit
from viewer.ui.look.palette import Theme
from viewer.variant.value import Data


class Editor(QWidget):
    """The fields of one value. Subclasses say what data the fields make.

    Args:
        target: the value.
        theme: the colours.

    Signals:
        edited: the fields changed.
        said: something else is to be told; one sentence.
    """

    edited = Signal()
    said = Signal(str)
    grows = False
    """Whether more room is of use to it."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__()
        self.target = target
        self.fault: EditError | None = None
        self.theme = theme

    @property
    def has_steps(self) -> bool:
        """Whether there are steps of a person in it, more than a field holds, which leaving it would lose."""
        return False

    def made(self) -> Data:
        """The data of the fields.

        Raises:
            EditError: a field holds what cannot be; the text says which and why.
        """
        raise NotImplementedError

    def proposal(self) -> Proposal:
        """What applying the fields would do."""
        try:
            if self.fault is not None:
                raise self.fault
            return self._proposal()
        except EditError as error:
            return self.target.refuse(error)

    def _proposal(self) -> Proposal:
        return self.target.propose(self.made())

    def edit(self) -> Edit | None:
        """The edit that writes the fields, None where nothing changes.

        Raises:
            EditError: it cannot be made.
        """
        return self.proposal().edit

    def blame(self, error: EditError) -> None:
        """A field that others follow holds what cannot be; the next change of :attr:`fault` forgives it."""
        self.fault = error
        self.edited.emit()

    def start(self) -> None:
        """Put the focus where a person begins to type."""
        self.setFocus()
