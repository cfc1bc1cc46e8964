"""Why an edit cannot be made."""

from __future__ import annotations


class EditError(ValueError):
    """This item cannot be set to that; the text is one sentence that says why."""

    def __init__(self, message: str, position: int = -1, fix: str | None = None) -> None:
        super().__init__(message)
        self.position = position
        self.fix = fix
