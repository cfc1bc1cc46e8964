"""The kind of a file, as a person is told of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileKind:
    """What bytes are that hold no stored values.

    Args:
        name: in a user's words, with its article.
        fact: which bytes tell so, a clause.
        advice: what to do with them, one sentence.
        is_sure: whether these bytes are this and nothing else.
    """

    name: str
    fact: str
    advice: str
    is_sure: bool = True

    @property
    def sentence(self) -> str:
        """The whole: what it is, what tells so, and what to do."""
        return f"This {'is' if self.is_sure else 'seems to be'} {self.name}: {self.fact}. {self.advice}"
