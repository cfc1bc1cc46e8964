"""Repair: what went wrong with some bytes, why that is believed, and what would mend it."""

from __future__ import annotations

from viewer.base.record import dataclass
from viewer.document.doctor.causes import Cause
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit


@dataclass(frozen=True, slots=True)
class ByteSample:
    """Some bytes to show.

    Args:
        offset: where they lie in the layer.
        text: the bytes as hex digits, or those of a text as they are read.
        place: where they stand in a text, empty for bytes.
    """

    offset: int
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """What an explanation rests on.

    Args:
        rules: how many wrong rules of an encoder it says there are.
        places: in how many places they show.
        gained: how many bits it saves beside leaving the bytes as they are.
        share: its part of the probability of all explanations that were found, 0 to 1.
        others: how many explanations were found that come to other bytes, this one included.
    """

    rules: int
    places: int
    gained: float
    share: float = 1.0
    others: int = 1


@dataclass(frozen=True, slots=True)
class Repair:
    """A mistake that may have been made, with what would mend it.

    Args:
        cause: the mistake.
        sentence: what happened.
        reason: why it is believed.
        confidence: how much, 0 to 1.
        edit: the bytes to change, None where the bytes are right or cannot be mended.
        choice: how to read the bytes (after *edit*), None as they are read now.
        note: what else to do, in the game or elsewhere; may be empty.
        before, after: the bytes at the damage, and what they become.
        keeps, loses: how many of the values that can be read now are still there afterwards, and how many are not; None
            where that was not counted. *takes_out*: how many of these are taken out with their bytes.
        slug: what the mistake is called on the command line; empty where that is the name of its cause.
        support: what it rests on, None where it is told by signs alone.
    """

    cause: Cause
    sentence: str
    reason: str
    confidence: float
    edit: Edit | None = None
    choice: ReadOptions | None = None
    note: str = ""
    before: ByteSample | None = None
    after: ByteSample | None = None
    slug: str = ""
    keeps: int | None = None
    loses: int | None = None
    takes_out: int = 0
    support: Support | None = None

    @property
    def name(self) -> str:
        """What the mistake is called on the command line."""
        return self.slug or self.cause.slug

    @property
    def can_be_applied(self) -> bool:
        """Whether it is more than a note."""
        return self.edit is not None or self.choice is not None

    def does_as(self, other: Repair) -> bool:
        """Whether another one says the same and would change the same, however sure it is of it."""
        return (self.cause, self.edit, self.choice) == (other.cause, other.edit, other.choice)


# The answer of the doctor.

SHORT = "The search was cut short: only what is likeliest was tried."
LARGE = "These are too many bytes to search for a repair."
STOPPED = "The search was stopped; more may be found."


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found.

    Args:
        repairs: the best first; those that only tell something last. None where nothing is wrong.
        cut: why the search did not try everything, in a sentence; empty where it did.
        is_read: whether the bytes read as they are: sound values, and nothing but fields of a game's own between them.
        unexplained: how likely it is that something happened which is none of the repairs, 0 to 1; what an engine may
            refuse in sound bytes is no repair, but that values are too deep is. None where nothing needs to have
            happened, and where nobody counts it: for texts, files that are more than values, and foreign bytes.
    """

    repairs: tuple[Repair, ...] = ()
    cut: str = ""
    is_read: bool = True
    unexplained: float | None = None
