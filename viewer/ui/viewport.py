"""A viewport of our own for scroll areas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


def own_viewport(area: QAbstractScrollArea) -> None:
    """Give a scroll area a viewport like the one Qt has made for it.

    The first widget that PySide6 meets without having made it costs 10 ms: to find its class, all widget classes are
    loaded. A start-up that meets none saves that.
    """
    viewport = QWidget()
    viewport.setBackgroundRole(QPalette.ColorRole.Base)
    viewport.setAutoFillBackground(True)
    area.setViewport(viewport)


# Lazy: a part of the window that is built when it is first needed.

T = TypeVar("T")


class Lazy(Generic[T]):
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
