"""The files to measure with: made once, by a real Godot 3.2.3 or, the largest, from what it made."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.peers import godot
from bench.setting import BenchError, Setting

MEGABYTE = 1_000_000
ARRAY = 19
SPARSE_SIZE = 6 << 30


@dataclass(frozen=True, slots=True)
class Shape:
    """A function of ``data.gd`` and its argument: bytes for ``save``, else how many of what it makes."""

    function: str
    size: int


SHAPES = {
    "save10": Shape("save", 10 * MEGABYTE),
    "save50": Shape("save", 50 * MEGABYTE),
    "slice": Shape("save", MEGABYTE // 4),
    "mixed": Shape("mixed", 330_000),
    "strings": Shape("strings", 200_000),
    "towers": Shape("towers", 4_000),
    "ints": Shape("ints", 1_000_000),
    "reals": Shape("reals", 10_000_000),
    "raw": Shape("raw", 100_000_000),
}


def path(setting: Setting, name: str) -> Path:
    """A file of one bare value in Godot 3's format, made now where it is not there yet.

    Raises:
        BenchError: the engine is not installed, or failed.
    """
    target = _folder(setting) / f"{name}.bin"
    if not target.exists():
        shape = SHAPES[name]
        _make(target, lambda part: godot.write(shape.function, shape.size, part))
    return target


def load(setting: Setting, name: str) -> bytes:
    """The bytes of such a file."""
    return path(setting, name).read_bytes()


def many_saves(setting: Setting) -> Path:
    """An array of saves, 160 MB together: twelve million nodes, at the depths of a real file."""
    target = _folder(setting) / "saves.bin"
    if not target.exists():
        large, small = load(setting, "save50"), load(setting, "save10")
        _make(target, lambda part: _write(part, [struct.pack("<II", ARRAY, 4), large, large, large, small]))
    return target


def nulls(setting: Setting, count: int) -> Path:
    """An array of so many nulls."""
    target = _folder(setting) / f"nulls{count}.bin"
    if not target.exists():
        _make(target, lambda part: _write(part, [struct.pack("<II", ARRAY, count), bytes(4 * count)]))
    return target


def sparse(setting: Setting) -> Path:
    """A file of 6 GiB that takes no room on the disk.

    Raises:
        BenchError: the file system has no sparse files.
    """
    target = _folder(setting) / "sparse.bin"
    if not target.exists():
        _make(target, _write_sparse)
    return target


def _folder(setting: Setting) -> Path:
    """One folder for each version of what makes the data."""
    mark = hashlib.sha256((godot.SCRIPTS / "data.gd").read_bytes() + repr(SHAPES).encode())
    return setting.data / f"data-{mark.hexdigest()[:12]}"


def _make(target: Path, fill: Callable[[Path], None]) -> None:
    """Fill a file beside the target and rename it, so that a broken run leaves no half file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    part.unlink(missing_ok=True)
    fill(part)
    part.replace(target)


def _write(part: Path, pieces: list[bytes]) -> None:
    with part.open("wb") as file:
        file.writelines(pieces)


def _write_sparse(part: Path) -> None:
    with part.open("wb") as file:
        file.truncate(SPARSE_SIZE)
    blocks = getattr(part.stat(), "st_blocks", None)
    if blocks is None or blocks * 512 > MEGABYTE:
        part.unlink()
        raise BenchError("this file system has no sparse files")
