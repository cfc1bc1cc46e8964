"""Modules that exist twice: compiled, and as the plain file that was compiled."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType


def is_compiled(name: str) -> bool:
    """Whether an import gives the compiled module."""
    return not str(importlib.import_module(name).__file__).endswith(".py")


@cache
def plain(name: str) -> ModuleType:
    """The module ``viewer.….name`` from its source, whether or not it was compiled."""
    package, _, last = name.rpartition(".")
    source = Path(importlib.import_module(package).__path__[0]) / f"{last}.py"
    spec = importlib.util.spec_from_file_location(f"plain_{last}", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
