"""The scanner in the ways it can run: compiled, as plain Python, into fresh memory or over columns used before."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import cast

from bench.setting import BenchError
from viewer.variant import scan as scan_module
from viewer.variant.columns import Pool
from viewer.variant.dialect import load
from viewer.variant.table import NodeTable

Scan = Callable[[bytes], NodeTable]
DIALECT = "godot3"
PLAIN = "bench_plain_scan"


def is_compiled() -> bool:
    """Whether the installed scanner is the compiled one."""
    return bool(getattr(scan_module, "COMPILED", False))


def as_installed() -> Scan:
    """The scanner that the program uses here, into fresh memory every time."""
    dialect = load(DIALECT)
    return lambda data: scan_module.scan(data, dialect)


def compiled() -> Scan:
    """The compiled scanner, into fresh memory every time.

    Raises:
        BenchError: it is not compiled here.
    """
    if not is_compiled():
        raise BenchError("the scanner is not compiled here")
    return as_installed()


def reusing() -> Scan:
    """The compiled scanner over the same columns every time, if its last table is gone.

    Raises:
        BenchError: it is not compiled here.
    """
    compiled()
    dialect, pool = load(DIALECT), Pool()
    return lambda data: scan_module.scan(data, dialect, pool=pool)


def plain() -> Scan:
    """The scanner's own source as plain Python, beside a compiled one or not."""
    module, dialect = _plain_module(), load(DIALECT)
    return lambda data: cast(NodeTable, module.scan(data, dialect))


def _plain_module() -> ModuleType:
    if PLAIN in sys.modules:
        return sys.modules[PLAIN]
    source = Path(sys.modules["viewer.variant"].__path__[0]) / "scan.py"
    spec = importlib.util.spec_from_file_location(PLAIN, source)
    if spec is None or spec.loader is None:
        raise BenchError("the scanner's source is not here")
    module = importlib.util.module_from_spec(spec)
    sys.modules[PLAIN] = module
    spec.loader.exec_module(module)
    return module
