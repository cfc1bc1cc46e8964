"""The bare header loop, compiled once into the cache folder where there is a C compiler."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from array import array
from collections.abc import Callable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from bench.peers import hop as plain_hop
from bench.setting import BenchError, Setting
from viewer.variant.dialect import Dialect, Kind

Hop = Callable[[Sequence[int], Sequence[int]], int]
SOURCES = ("hop.py", "hop.pxd")
DIRECTIVES = "boundscheck=False,wraparound=False,initializedcheck=False,annotation_typing=False,language_level=3"
PATIENCE = 300
SPECIAL = {
    Kind.DICTIONARY: 1,
    Kind.ARRAY: 1,
    Kind.STRING: plain_hop.BYTES,
    Kind.NODE_PATH: plain_hop.NODE_PATH,
    Kind.PACKED_STRINGS: plain_hop.TEXTS,
}


def compiled(setting: Setting) -> Hop:
    """The loop as an extension, built the way the scanner is.

    Raises:
        BenchError: there is no Cython or no C compiler.
    """
    folder = _folder(setting)
    built = _built(folder)
    if built is None:
        _build(folder)
        built = _built(folder)
    if built is None:
        raise BenchError("Cython built nothing")
    spec = importlib.util.spec_from_file_location("hop", built)
    if spec is None or spec.loader is None:
        raise BenchError("the compiled loop cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Hop = module.hop
    return made


def plain() -> Hop:
    """The loop as plain Python."""
    return plain_hop.hop


def words_of(data: bytes) -> memoryview[int]:
    """The bytes as the loop wants them."""
    return memoryview(data).cast("I")


def sizes_of(dialect: Dialect) -> array[int]:
    """The table that the loop looks sizes up in."""
    sizes = array("i", bytes(4 * 64))
    for row in dialect.rows:
        for flag, size in ((0, row.narrow_size), (32, row.wide_size)):
            sizes[row.number + flag] = _size(row.kind, size)
    return sizes


def _size(kind: Kind, size: int) -> int:
    if kind is Kind.PACKED:
        return plain_hop.BYTES if size == 1 else plain_hop.ELEMENTS - size // 4
    return SPECIAL.get(kind, size // 4)


def _folder(setting: Setting) -> Path:
    """One folder for each version of the sources and of Python."""
    here = Path(__file__).parent
    mark = hashlib.sha256(b"".join((here / name).read_bytes() for name in SOURCES) + sys.version.encode())
    return setting.data / f"hop-{mark.hexdigest()[:12]}"


def _built(folder: Path) -> Path | None:
    return next((folder / f"hop{suffix}" for suffix in EXTENSION_SUFFIXES if (folder / f"hop{suffix}").exists()), None)


def _build(folder: Path) -> None:
    if importlib.util.find_spec("Cython") is None:
        raise BenchError("Cython is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    for name in SOURCES:
        shutil.copy(Path(__file__).parent / name, folder / name)
    done = subprocess.run(
        [sys.executable, "-m", "Cython.Build.Cythonize", "-i", "-X", DIRECTIVES, "hop.py"],
        cwd=folder,
        env={**os.environ, "CFLAGS": "-O3"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise BenchError(f"the loop cannot be compiled: {lines[-1] if lines else 'no message'}")
