"""Lazy: a part of the window that is built when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class LazyPart(Generic[T]):
    """A place for a part that most runs of the program never show.

    Args:
        build: makes the part and joins it to the others; called once at most.

    Attributes:
        part: what was built, None until then.
    """

    def __init__(self, build: Callable[[], T]) -> None:
        self._build = build
        self.part: T | None = None

    def get(self) -> T:
        """The part."""
        if self.part is None:
            self.part = self._build()
        return self.part
