"""A child: what the program loads until the first row of its tree is painted. Argument: the file that it is to open.

``modules`` of the program, ``idle`` those of them that have functions none of which was called (a module that is
compiled does not tell), ``dataclasses`` that were built before the first frame. The names of idle ones go to the error
output.
"""

from __future__ import annotations

import dataclasses
import sys
import threading
from importlib.machinery import EXTENSION_SUFFIXES
from types import FrameType, ModuleType

from bench.child import report
from bench.window.start import program

PACKAGE = "viewer"
OPTIMIZED = 1
"""The flag of code that is a function's, not a module's or a class's."""

called: set[str] = set()
built: list[int] = []


def watch(frame: FrameType, event: str, _: object) -> None:
    """Note whose function is called, unless its module is still being loaded."""
    if event == "call" and frame.f_code.co_flags & OPTIMIZED:
        name = frame.f_globals.get("__name__", "")
        if name not in called and not getattr(frame.f_globals.get("__spec__"), "_initializing", False):
            called.add(name)


def count_dataclasses() -> None:
    """Count what the standard library builds from now on."""
    build = dataclasses._process_class  # type: ignore[attr-defined]

    def counted(*arguments: object) -> object:
        built.append(1)
        return build(*arguments)

    dataclasses._process_class = counted  # type: ignore[attr-defined]


def has_functions(module: ModuleType) -> bool:
    """Whether there is anything in a module to call."""
    own = [found for found in vars(module).values() if getattr(found, "__module__", None) == module.__name__]
    inside = [entry for found in own if isinstance(found, type) for entry in vars(found).values()]
    functions = [getattr(found, "fget", None) or getattr(found, "__func__", found) for found in (*own, *inside)]
    return any(
        getattr(found, "__module__", None) == module.__name__ and callable(found) and hasattr(found, "__code__")
        for found in functions
    )


def main() -> None:
    """Start the program and look what is there."""
    frames: dict[str, int] = {}

    def tell(name: str) -> None:
        frames[name] = len(built)
        if name != "row":
            return
        sys.setprofile(None)
        loaded = [name for name in sys.modules if name.partition(".")[0] == PACKAGE]
        idle = [name for name in loaded if is_idle(sys.modules[name])]
        print("\n".join(sorted(idle)), file=sys.stderr)
        report({"modules": [len(loaded)], "idle": [len(idle)], "dataclasses": [frames.get("frame", len(built))]})

    count_dataclasses()
    sys.setprofile(watch)
    threading.setprofile(watch)
    program(sys.argv[1], tell)


def is_idle(module: ModuleType) -> bool:
    """Whether a module could have been called and was not."""
    is_compiled = str(getattr(module, "__file__", "")).endswith(tuple(EXTENSION_SUFFIXES))
    return not is_compiled and module.__name__ not in called and has_functions(module)


if __name__ == "__main__":
    main()
