"""The samples that come with the program, as the empty state and the File menu list them."""

from __future__ import annotations

import tomllib
from functools import cache

from viewer.base import assets
from viewer.base.record import dataclass


@dataclass(frozen=True, slots=True)
class SampleFile:
    """One sample: its file's name, and what its card says; *size* is in bytes."""

    name: str
    title: str
    description: str
    engine: str
    chip: str
    group: str
    size: int


@cache
def samples() -> tuple[SampleFile, ...]:
    """All samples, in the order of ``samples.toml``."""
    table = tomllib.loads(assets.text("samples", "samples.toml"))
    return tuple(
        SampleFile(
            entry["file"],
            entry["title"],
            entry["description"],
            entry["engine"],
            entry["chip"],
            entry["group"],
            len(assets.data("samples", entry["file"])),
        )
        for entry in table["sample"]
    )
