"""The command line: whole processes as a shell begins them, what they write going nowhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import data
from bench.command import Pairs, Usage, figure, in_rounds, used, viewer
from bench.measure import Measure, Series, Unit, at_most, within
from bench.rounds import one_processor
from bench.scanners import as_installed
from bench.setting import Setting

PYTHON, CHECK, ONE_CORE = "python -c pass", "check of the same file", "the same on one processor"
FILES, FILES_QUICK = 5000, 100
ALONE = within(1.1)
"""What a streaming command may take beyond the memory of one that writes nothing."""
COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "get": ("save20k", ("get", "{}", "[0].settlers[0].given")),
    "get-json": ("save10", ("get", "{}", "[0]", "--json")),
    "dump": ("save10", ("dump", "--json", "{}")),
    "dump50": ("save50", ("dump", "--json", "{}")),
    "dump-values": ("save10", ("dump", "--values", "{}")),
}
"""What is run: the file, and the words with its place."""


def taken(setting: Setting, name: str) -> Pairs:
    """A command in turns with the one that it is compared with."""
    file, words = COMMANDS[name]
    path = data.path(setting, file)
    mine = [word.format(path) for word in words]
    if name == "get":
        return in_rounds(setting, name, lambda: viewer(*mine), lambda: used("-c", "pass"))
    return in_rounds(setting, name, lambda: viewer(*mine), lambda: viewer("check", path))


def seconds(name: str) -> Callable[[Setting], Series]:
    """Processor time of the whole process."""
    return lambda setting: figure(taken(setting, name), "seconds")


def peak(name: str) -> Callable[[Setting], Series]:
    """Memory of the whole process, at most."""
    return lambda setting: figure(taken(setting, name), "peak")


def seconds_a_node(setting: Setting) -> Series:
    """The same of `dump --json`, for each value of the file."""
    nodes = len(as_installed()(data.load(setting, "save10")))
    return figure(taken(setting, "dump"), "seconds", nodes)


def batch(name: str) -> Callable[[Setting], Series]:
    """A check of many files, with all processors and with one."""

    def take(setting: Setting) -> Series:
        names = data.same_saves(setting, setting.size(FILES, FILES_QUICK))
        pairs = in_rounds(setting, "batch", lambda: viewer("check", *names), lambda: _on_one(names))
        return figure(pairs, name, len(names))

    return take


def _on_one(names: list[Path]) -> Usage:
    with one_processor():
        return viewer("check", *names)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _measures() -> Iterator[Measure]:
    yield Measure("get", "get of a 20 KB save", seconds("get"), PYTHON, at_most(0.080))
    yield Measure("dump", "dump --json, 10 MB save", seconds("dump"), CHECK, at_most(3.0))
    yield Measure("dump-node", "dump --json, 10 MB save, for each value", seconds_a_node, CHECK)
    yield Measure("dump-memory", "peak memory of dump --json, 10 MB save", peak("dump"), CHECK, ALONE, Unit.BYTES)
    yield Measure("dump50", "dump --json, 50 MB save", seconds("dump50"), CHECK, at_most(15.0))
    yield Measure("dump50-memory", "peak memory of dump --json, 50 MB save", peak("dump50"), CHECK, ALONE, Unit.BYTES)
    yield Measure("dump-values", "dump --values, 10 MB save", seconds("dump-values"), CHECK, at_most(1.5))
    yield Measure("get-json", "get '[0]' --json, 10 MB save", seconds("get-json"), CHECK, at_most(1.5))
    yield Measure(
        "get-json-memory", "peak memory of get '[0]' --json, 10 MB save", peak("get-json"), CHECK, unit=Unit.BYTES
    )
    all_of_them = within(1.1 / _processors())
    yield Measure("batch", "check of 5,000 files, time on the clock for each", batch("elapsed"), ONE_CORE, all_of_them)
    yield Measure("batch-work", "check of 5,000 files, processor time for each", batch("seconds"), ONE_CORE)


MEASURES = list(_measures())
