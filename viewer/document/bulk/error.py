"""What can be wrong with a bulk edit: with its text, and with one value that it meets."""

from __future__ import annotations


class BulkError(ValueError):
    """A bulk edit that cannot be made; the text is one sentence that says what to do.

    Attributes:
        position: where in the expression, in characters; -1 where it is about all of it.
    """

    def __init__(self, message: str, position: int = -1) -> None:
        super().__init__(message)
        self.position = position


class ValueProblem(ValueError):
    """What keeps one value from being asked or changed, in one sentence.

    Attributes:
        is_told: whether a condition tells it too, instead of being false.
    """

    def __init__(self, message: str, is_told: bool = False) -> None:
        super().__init__(message)
        self.is_told = is_told
