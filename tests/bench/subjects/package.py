"""What is installed."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import viewer
from bench.measure import Measure, Series, Unit, at_most
from bench.setting import BenchError, Setting


def compiled_size(_: Setting) -> Series:
    """Bytes of all modules that this Python would load compiled.

    Raises:
        BenchError: there are none.
    """
    chosen: dict[Path, Path] = {}
    for suffix in EXTENSION_SUFFIXES:
        for path in Path(viewer.__path__[0]).rglob(f"*{suffix}"):
            chosen.setdefault(path.parent / path.name.partition(".")[0], path)
    if not chosen:
        raise BenchError("no module is compiled here")
    return Series((float(sum(path.stat().st_size for path in chosen.values())),))


MEASURES = [Measure("compiled-size", "size of the compiled modules", compiled_size, "", at_most(1.7e6), Unit.BYTES)]
