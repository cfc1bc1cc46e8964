"""What a profile says of one value: shown beside it, and never in its place."""

from __future__ import annotations

from viewer.base.record import dataclass


@dataclass(frozen=True, slots=True)
class ValueLabel:
    """One label.

    Args:
        name: what the key is called; empty for as it is.
        about: a sentence or two about it.
        meaning: what the value means: the name that it stands for, or its unit.
        note: that it is out of its range; empty where it is not.
        is_favourite: whether it is shown above all others.
        is_hidden: whether a person need not see it.
    """

    name: str = ""
    about: str = ""
    meaning: str = ""
    note: str = ""
    is_favourite: bool = False
    is_hidden: bool = False

    def renames(self, name: str) -> bool:
        """Whether it says more than a key's own name, in which capitals and underscores make no difference."""
        plain = name.replace("_", " ").casefold()
        return bool(self.name) and self.name.casefold() != plain

    @property
    def words(self) -> tuple[str, ...]:
        """All of it in lines, for a tooltip."""
        first = " · ".join(part for part in (self.name, self.meaning) if part)
        return tuple(line for line in (first, self.about, self.note) if line)
