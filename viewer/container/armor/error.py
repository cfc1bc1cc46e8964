"""Why a text is not of a form, or a value has none in it."""

from __future__ import annotations


class FormError(ValueError):
    """One sentence for a person.

    Attributes:
        position: where in the text, in characters; -1 where it is about no place.
    """

    def __init__(self, sentence: str, position: int = -1) -> None:
        super().__init__(sentence)
        self.position = position


def error_at(text: str, position: int, sentence: str) -> FormError:
    """The error of a place in a text, which the sentence names by line and column, both from 1."""
    position = max(0, min(position, len(text)))
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return FormError(f"{sentence.removesuffix('.')} (line {line}, column {column}).", position)
