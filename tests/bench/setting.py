"""What all measurements of one run share: folders, patience, and what was made or started once."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = "variant-viewer-bench"


class BenchError(Exception):
    """Something cannot be measured here; the text says why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One run.

    Args:
        data: the folder of the data and of all else that is made once.
        quick: few rounds, small counts.
        done: what child processes gave, by their arguments, so that several rows share one.
    """

    data: Path
    quick: bool = False
    done: dict[tuple[str, ...], dict[str, list[float]]] = field(default_factory=dict)

    def rounds(self, full: int, quick: int = 3) -> int:
        """How often to measure."""
        return quick if self.quick else full


def default_folder() -> Path:
    """Where data lie that can be made again: the user's cache, else the folder for temporary files."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(name):
            return Path(os.environ[name]) / FOLDER
    cache = Path.home() / ".cache"
    return (cache if cache.is_dir() else Path(tempfile.gettempdir())) / FOLDER
