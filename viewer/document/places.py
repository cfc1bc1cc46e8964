"""Places: where a person has been, for back and forward."""

from __future__ import annotations

LIMIT = 200


class Places:
    """A line of visited places, each a path and an offset, with the present one marked."""

    def __init__(self) -> None:
        self._line: list[tuple[str, int]] = []
        self._now = -1

    @property
    def has_back(self) -> bool:
        """Whether there is an earlier place."""
        return self._now > 0

    @property
    def has_forward(self) -> bool:
        """Whether there is a later place."""
        return self._now + 1 < len(self._line)

    def visit(self, path: str, offset: int) -> None:
        """Be at another place; later ones are forgotten."""
        del self._line[self._now + 1 :]
        if not self._line or self._line[-1][0] != path:
            self._line.append((path, offset))
        del self._line[:-LIMIT]
        self._now = len(self._line) - 1

    def back(self) -> tuple[str, int] | None:
        """Step to the place before, None where there is none."""
        if not self.has_back:
            return None
        self._now -= 1
        return self._line[self._now]

    def forward(self) -> tuple[str, int] | None:
        """Step to the place after, None where there is none."""
        if not self.has_forward:
            return None
        self._now += 1
        return self._line[self._now]
