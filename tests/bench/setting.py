"""What all measurements of one run share: folders, patience, and what was made or started once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

FOLDER = "variant-viewer-bench"
BUDGET, BUDGET_SHORT, BUDGET_QUICK = 8.0, 2.0, 0.5
Made = TypeVar("Made")


class BenchError(Exception):
    """Something cannot be measured here; the text says why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One run.

    Args:
        data: the folder of the data and of all else that is made once.
        quick: very little time and small files.
        short: little time.
        done: what was measured once for several rows.
    """

    data: Path
    quick: bool = False
    short: bool = False
    done: dict[object, Any] = field(default_factory=dict)

    @property
    def budget(self) -> float:
        """Seconds that the rounds of one row may take; the round in which they are over is finished."""
        return BUDGET_QUICK if self.quick else BUDGET_SHORT if self.short else BUDGET

    def size(self, full: int, quick: int) -> int:
        """How large, or how often."""
        return quick if self.quick else full

    def once(self, key: object, make: Callable[[], Made]) -> Made:
        """What *make* gives, asked once for each key; where it failed, so it does again.

        Raises:
            BenchError: it failed.
        """
        if key not in self.done:
            try:
                self.done[key] = make()
            except BenchError as error:
                self.done[key] = error
        found: Made | BenchError = self.done[key]
        if isinstance(found, BenchError):
            raise found
        return found


def default_folder() -> Path:
    """Where data lie that can be made again: the user's cache, else the folder for temporary files."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(name):
            return Path(os.environ[name]) / FOLDER
    cache = Path.home() / ".cache"
    return (cache if cache.is_dir() else Path(tempfile.gettempdir())) / FOLDER
