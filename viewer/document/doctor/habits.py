"""Habits: mistakes that an encoder makes in every value it writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from viewer.document.doctor.cause import Cause


@dataclass(frozen=True, slots=True)
class Habit:
    """A mistake that an encoder makes everywhere.

    Args:
        cause: the mistake.
        fact: more about it.
        fill: how many bytes of fill it writes behind so many bytes, None for what is right.
        nul: what a length counts beyond the text: 1 for a NUL, which the encoder also writes; -1 where a NUL is missing
            that should close the text.
        characters: lengths count characters.
        coding: how texts are encoded.
        units: lengths count units of so many bytes.
        wide_reals, wide_numbers: such fields are 64 bits wide whatever the flag says, False for 32; None by the flag.
        big_endian: numbers are; texts are as they should be.
    """

    cause: Cause
    fact: str
    fill: Callable[[int], int] | None = None
    nul: int = 0
    characters: bool = False
    coding: str = "utf-8"
    units: int = 1
    wide_reals: bool | None = None
    wide_numbers: bool | None = None
    big_endian: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether a text that can be read so cannot be right at the same time."""
        return bool(self.nul) or self.coding != "utf-8"

    def changes_text(self, closed: bool) -> bool:
        """Whether it concerns a text itself, not only its fill; *closed* where a NUL is rightly counted."""
        if self.nul:
            return closed is (self.nul < 0)
        return self.characters or self.coding != "utf-8"


def _none(size: int) -> int:
    return 0


def _always(size: int) -> int:
    return 4 - size % 4


def _eight(size: int) -> int:
    return -size % 8


def _two(size: int) -> int:
    return -size % 2


HABITS = (
    Habit(Cause.PADDING_MISSING, "It is so behind every text.", fill=_none),
    Habit(
        Cause.PADDING_EXTRA, "Texts of a multiple of four bytes have four bytes of padding everywhere.", fill=_always
    ),
    Habit(Cause.PADDING_WRONG, "All texts are filled up to a multiple of eight.", fill=_eight),
    Habit(Cause.PADDING_WRONG, "All texts are filled up to a multiple of two.", fill=_two),
    Habit(Cause.LENGTH_COUNTS_NUL, "It is so in every text.", nul=1),
    Habit(Cause.LENGTH_COUNTS_NUL, "It is so in every text, and there is no padding.", nul=1, fill=_none),
    Habit(Cause.NUL_MISSING, "It is so in every text.", nul=-1),
    Habit(Cause.LENGTH_COUNTS_CHARACTERS, "It is so in every text.", characters=True),
    Habit(Cause.LENGTH_COUNTS_CHARACTERS, "It is so in every text, the padding too.", characters=True, units=0),
    Habit(Cause.TEXT_UTF16, "All texts are.", coding="utf-16-le"),
    Habit(Cause.TEXT_UTF16, "All texts are, and their lengths count units of two bytes.", coding="utf-16-le", units=2),
    Habit(Cause.TEXT_LATIN1, "All texts are.", coding="latin-1"),
    Habit(Cause.OTHER_PRECISION, "All components of vectors have 64 bits, without the flag.", wide_reals=True),
    Habit(Cause.OTHER_PRECISION, "All components of vectors have 32 bits, in spite of the flag.", wide_reals=False),
    Habit(Cause.FLAG_MISSING, "All numbers have 64 bits.", wide_numbers=True),
    Habit(Cause.FLAG_EXTRA, "All numbers have 32 bits.", wide_numbers=False),
    Habit(Cause.BYTE_ORDER, "All numbers are swapped, texts are not.", big_endian=True),
)


def right_fill(size: int) -> int:
    """How many bytes of fill belong behind so many bytes."""
    return -size % 4
