"""Tally: what a conversion loses, counted while it works and then said in sentences."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from viewer.base.record import dataclass, field
from viewer.variant.dialect import Dialect, Precision, TypeRow
from viewer.variant.literal.numbers import float_text
from viewer.variant.literal.printing import quoted
from viewer.variant.value import Value

LONGEST = 40
Scalar: TypeAlias = "bool | int | float | str"


class ConvertError(ValueError):
    """This value cannot be one of that type; the text is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A value in its new type.

    Args:
        value: the value.
        losses: what it lost, each a sentence without its full stop: ``0.5 becomes 0``. Empty where converting back
            gives the value as it was.
    """

    value: Value
    losses: tuple[str, ...] = ()


class ConversionChange(Enum):
    """How numbers and texts change. The value says it of many; one is named with what becomes of it."""

    CUT = "cut to whole ones"
    ROUNDED_32 = "rounded to 32 bits"
    ROUNDED_64 = "rounded to 64 bits"
    WRITTEN = "read differently from how they are written"
    TRUTH = "now only true or false"
    CLEANED = "cleaned of bytes that cannot be read there"


@dataclass(slots=True)
class _Count:
    before: Scalar
    after: Scalar
    count: int = 1


@dataclass(slots=True)
class ConversionTally:
    """Counts what is lost.

    Attributes:
        numbers: how many numbers are converted in all; 0 where nobody counted.
    """

    numbers: int = 0
    _changes: dict[ConversionChange, _Count] = field(default_factory=dict)
    _types: dict[tuple[str, str], int] = field(default_factory=dict)
    _sentences: dict[str, None] = field(default_factory=dict)

    def change(self, how: ConversionChange, before: Scalar, after: Scalar) -> None:
        """A number or text is another one afterwards."""
        seen = self._changes.get(how)
        if seen is None:
            self._changes[how] = _Count(before, after)
        else:
            seen.count += 1

    def retype(self, before: str, after: str) -> None:
        """A value inside has another type afterwards."""
        self._types[before, after] = self._types.get((before, after), 0) + 1

    def say(self, sentence: str) -> None:
        """Something else is lost; said once however often it happens."""
        self._sentences[sentence] = None

    def add(self, other: ConversionTally) -> None:
        """Take over what another one counted."""
        self.numbers += other.numbers
        for how, seen in other._changes.items():
            self.change(how, seen.before, seen.after)
            self._changes[how].count += seen.count - 1
        for names, count in other._types.items():
            self._types[names] = self._types.get(names, 0) + count
        self._sentences |= other._sentences

    @property
    def is_changed(self) -> bool:
        """Whether a number or text is another one."""
        return bool(self._changes)

    @property
    def is_replaced(self) -> bool:
        """Whether something became of another type, or is gone."""
        return bool(self._types or self._sentences)

    @property
    def losses(self) -> tuple[str, ...]:
        """The sentences, without full stops."""
        changes = (self._change_words(how, seen) for how, seen in self._changes.items())
        types = (_type_words(*names, count) for names, count in self._types.items())
        return (*types, *changes, *self._sentences)

    def _change_words(self, how: ConversionChange, seen: _Count) -> str:
        if seen.count == 1:
            rounded = how in (ConversionChange.ROUNDED_32, ConversionChange.ROUNDED_64)
            return f"{spelt(seen.before)} is rounded to {seen.after!r}" if rounded else _becomes(seen)
        unit = "texts" if isinstance(seen.before, str) else "numbers"
        of = f" of {self.numbers}" if unit == "numbers" and self.numbers else ""
        return f"{seen.count}{of} {unit} are {how.value}"


def _becomes(seen: _Count) -> str:
    return f"{spelt(seen.before)} becomes {spelt(seen.after)}"


def spelt(content: Scalar) -> str:
    """A number as the engines write it; a text in quotes, cut where it is long."""
    if isinstance(content, bool):
        return "true" if content else "false"
    if not isinstance(content, str):
        return float_text(content, "f32") if isinstance(content, float) else str(content)
    shown = content if len(content) <= LONGEST else content[:LONGEST] + "…"
    return f"“{quoted(shown)[1:-1]}”"


def article(name: str) -> str:
    """A type's name with ``a`` or ``an``: ``an int``. There is only one Nil."""
    if name == "Nil":
        return name
    return f"{'an' if name[:1] in 'AEIOUaeiou' or name == 'RID' else 'a'} {name}"


def opening(name: str) -> str:
    """A type's name with an article, as a sentence begins."""
    words = article(name)
    return words[0].upper() + words[1:]


def _type_words(before: str, after: str, count: int) -> str:
    return (
        f"{opening(before)} becomes {article(after)}"
        if count == 1
        else f"{count} values change from {before} to {after}"
    )


# Job: what one conversion works with.


@dataclass(frozen=True, slots=True)
class ConversionJob:
    """One conversion.

    Args:
        source, target: the type now and afterwards.
        dialect: where the value is now, and the one that says how its elements are called.
        precision: width of ``real`` afterwards.
        tally: what gets lost.
    """

    source: TypeRow
    target: TypeRow
    dialect: Dialect
    precision: Precision
    tally: ConversionTally = field(default_factory=ConversionTally)

    def refused(self) -> ConvertError:
        """The error for types that have nothing to do with each other."""
        return ConvertError(f"{opening(self.source.name)} cannot become {article(self.target.name)}.")
