"""How much paths may take: each may be long in a deep file, and all of them together take memory by their square.

So long ones behind the first that would be too much are left out.
"""

from __future__ import annotations

ALWAYS, FOR_EACH = 1 << 20, 16
"""Characters that all paths together may have: so many, and so many more for each byte of the file."""
SHORT = 1 << 8
"""Paths of so few characters are no burden."""


class PathRoom:
    """Room for the paths of a file of *size* bytes.

    Attributes:
        missing: how many paths were left out.
    """

    def __init__(self, size: int) -> None:
        self._left = ALWAYS + FOR_EACH * size
        self.missing = 0

    @property
    def is_left(self) -> bool:
        """Whether another path may be told."""
        return self._left > 0

    def has(self, length: int) -> bool:
        """Whether a path of so many characters may be told."""
        return length <= SHORT or self._left > 0

    def take(self, length: int, count: int = 1) -> None:
        """Count paths of so many characters."""
        self._left -= length * count

    @property
    def left_out(self) -> str:
        """How many paths were left out, in a sentence that says how to see them; empty where none was."""
        if not self.missing:
            return ""
        paths = "1 path was" if self.missing == 1 else f"{self.missing} paths were"
        return f"{paths} left out, being very long or very many: explain FILE OFFSET tells what is around an offset."
