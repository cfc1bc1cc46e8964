"""News: a value that another program has changed in the file."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.base.span import Span
from viewer.variant.items import Item

NEW = "new"


@dataclass(frozen=True, slots=True)
class News:
    """A value that is another one now.

    Args:
        item: the value, as it is now.
        span: its bytes, as offsets in the layer.
        before: what it was, in a few characters; :data:`NEW` where it was not there.
    """

    item: Item
    span: Span
    before: str

    @property
    def was(self) -> str:
        """For a row: ``was 10``, ``new``."""
        return NEW if self.before == NEW else f"was {self.before}"
