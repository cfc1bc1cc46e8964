"""Names: numbers for what is said again and again in a list, so that a column of it is small and quick to search."""

from __future__ import annotations

from collections.abc import Callable

from viewer.container.wire import Endpoint


class Names:
    """Numbers for texts of which there are few: the same text has the same number, the empty one has 0."""

    def __init__(self) -> None:
        self.texts: list[str] = [""]
        self._numbers: dict[str, int] = {"": 0}

    def number(self, text: str) -> int:
        """The number of a text, a new one for a new text."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found

    def chosen(self, passes: Callable[[str], bool]) -> frozenset[int]:
        """The numbers of all texts that pass."""
        return frozenset(number for number, text in enumerate(self.texts) if passes(text))


class Ends:
    """Numbers for the ends that packets came from and went to."""

    def __init__(self) -> None:
        self._ends: list[Endpoint] = []
        self._numbers: dict[Endpoint, int] = {}

    def number(self, end: Endpoint) -> int:
        """The number of an end, a new one for a new end."""
        found = self._numbers.get(end)
        if found is None:
            found = self._numbers[end] = len(self._ends)
            self._ends.append(end)
        return found

    def chosen(self, passes: Callable[[Endpoint], bool]) -> frozenset[int]:
        """The numbers of all ends that pass."""
        return frozenset(number for number, end in enumerate(self._ends) if passes(end))
