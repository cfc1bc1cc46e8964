"""The files to measure with: made once, by a real Godot 3.2.3 or, what needs no engine, here."""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.peers import godot
from bench.setting import BenchError, Setting

MEGABYTE = 1_000_000
ARRAY, DICTIONARY, INT, STRING = 19, 18, 2, 4
BYTES, REALS = 20, 22
GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Shape:
    """A function of ``data.gd`` and its argument: bytes for ``save``, else how many of what it makes."""

    function: str
    size: int


SHAPES = {
    "save8k": Shape("save", 8_000),
    "save20k": Shape("save", 20_000),
    "save24k": Shape("save", 24_000),
    "save1": Shape("save", MEGABYTE),
    "save10": Shape("save", 10 * MEGABYTE),
    "save50": Shape("save", 50 * MEGABYTE),
    "mixed": Shape("mixed", 330_000),
    "towers": Shape("towers", 4_000),
    "ints": Shape("ints", 1_000_000),
    "tree20": Shape("save", 20 * MEGABYTE),
    "inner20": Shape("resources", 20 * MEGABYTE),
    "json20": Shape("save", 35 * MEGABYTE),
    "tres20": Shape("save", 28 * MEGABYTE),
    "tresin20": Shape("resources", 24 * MEGABYTE),
    "cfg20": Shape("save", 31 * MEGABYTE),
    "tree6": Shape("save", 6 * MEGABYTE),
    "inner6": Shape("resources", 6 * MEGABYTE),
}
QUICK = {"save10": "save1", "save50": "save10", "tree20": "tree6", "inner20": "inner6"}
QUICK |= dict.fromkeys(("json20", "tres20", "cfg20"), "tree6") | {"tresin20": "inner6"}
"""What takes the place of large files where only the running of it is to be shown."""


def path(setting: Setting, name: str) -> Path:
    """A file of one bare value in Godot 3's format, made now where it is not there yet.

    Raises:
        BenchError: the engine is not installed, or failed.
    """
    if setting.quick:
        name = QUICK.get(name, name)
    shape = SHAPES[name]
    return _made(setting, f"{name}.bin", lambda part: godot.write(shape.function, shape.size, part))


def resource(setting: Setting, name: str) -> Path:
    """A binary resource of Godot 3 that holds such a value, made now where it is not there yet.

    Raises:
        BenchError: the engine is not installed, or failed.
    """
    shape = SHAPES[QUICK.get(name, name) if setting.quick else name]

    def fill(part: Path) -> None:
        made = part.with_suffix(".res")  # by its ending the engine knows how to write it
        godot.write(shape.function, shape.size, made)
        made.replace(part)

    return _made(setting, f"{shape.function}{shape.size // MEGABYTE}.resource.res", fill)


def text(setting: Setting, name: str, ending: str) -> Path:
    """A text that Godot 3 writes of such a value: a resource, a ConfigFile or JSON, as its ending says.

    Raises:
        BenchError: the engine is not installed, or failed.
    """
    shape = SHAPES[QUICK.get(name, name) if setting.quick else name]

    def fill(part: Path) -> None:
        made = part.with_suffix(ending)
        godot.write(shape.function, shape.size, made)
        made.replace(part)

    return _made(setting, f"{shape.function}{shape.size // MEGABYTE}.text{ending}", fill)


def load(setting: Setting, name: str) -> bytes:
    """The bytes of such a file."""
    return path(setting, name).read_bytes()


def many_saves(setting: Setting) -> Path:
    """An array of saves, 160 MB together: twelve million nodes, at the depths of a real file."""
    large, small = path(setting, "save50"), path(setting, "save10")

    def fill(part: Path) -> None:
        raw = large.read_bytes()
        _write(part, [struct.pack("<II", ARRAY, 4), raw, raw, raw, small.read_bytes()])

    return _made(setting, f"saves-{large.stem}.bin", fill)


def nulls(setting: Setting, count: int) -> Path:
    """An array of so many nulls."""
    return _made(setting, f"nulls{count}.bin", lambda part: _write(part, [_head(ARRAY, count), bytes(4 * count)]))


def keys(setting: Setting, count: int) -> Path:
    """A dictionary of so many texts as keys, each of an int."""
    pairs = (struct.pack("<II12sII", STRING, 11, f"item {k:06}".encode(), INT, k) for k in range(count))
    return _made(setting, f"keys{count}.bin", lambda part: _write(part, [_head(DICTIONARY, count), *pairs]))


def records(setting: Setting, count: int) -> Path:
    """An array of so many dictionaries of twelve keys: numbers, and texts of different lengths."""

    def text(words: str) -> bytes:
        raw = words.encode()
        return struct.pack("<II", STRING, len(raw)) + raw + bytes(-len(raw) % 4)

    names = [text(f"field {letter}") for letter in "abcdefghijkl"]

    def record(number: int) -> bytes:
        cells = (text(f"Item {number * k}") if k % 3 == 0 else struct.pack("<II", INT, number * k) for k in range(12))
        return _head(DICTIONARY, 12) + b"".join(name + cell for name, cell in zip(names, cells, strict=True))

    records = (record(number) for number in range(count))
    return _made(setting, f"records{count}.bin", lambda part: _write(part, [_head(ARRAY, count), *records]))


def same_saves(setting: Setting, count: int) -> list[Path]:
    """So many small saves, which are one file by many names."""
    save, folder = path(setting, "save20k"), _folder(setting) / f"same{count}"
    names = [folder / f"save{k:05}.bin" for k in range(count)]
    if not names[-1].exists():
        folder.mkdir(exist_ok=True)
        for name in names:
            name.unlink(missing_ok=True)
            os.link(save, name)
    return names


def sparse(setting: Setting, kind: int, size: int, missing: int = 0) -> Path:
    """A bare packed array of zeros that takes no room on the disk.

    Args:
        setting: the run.
        kind: the number of its type.
        size: bytes of its elements.
        missing: so many of these are not there, though its count says so.

    Raises:
        BenchError: the file system has no sparse files.
    """
    count = size if kind == BYTES else size // 4
    whole = 8 + size - missing
    return _made(setting, f"sparse-{kind}-{size}-{missing}.bin", lambda part: _write_sparse(part, kind, count, whole))


def _head(kind: int, count: int) -> bytes:
    return struct.pack("<II", kind, count)


def _folder(setting: Setting) -> Path:
    """One folder for each version of what makes the data."""
    mark = hashlib.sha256((godot.SCRIPTS / "data.gd").read_bytes() + repr(SHAPES).encode())
    return setting.data / f"data-{mark.hexdigest()[:12]}"


def _made(setting: Setting, name: str, fill: Callable[[Path], None]) -> Path:
    """A file, filled under another name and renamed where it is not there, so that a broken run leaves no half file."""
    target = _folder(setting) / name
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(".part")
        part.unlink(missing_ok=True)
        fill(part)
        part.replace(target)
    return target


def _write(part: Path, pieces: Sequence[bytes]) -> None:
    with part.open("wb") as file:
        file.writelines(pieces)


def _write_sparse(part: Path, kind: int, count: int, size: int) -> None:
    with part.open("wb") as file:
        file.write(_head(kind, count))
        file.truncate(size)
    blocks = getattr(part.stat(), "st_blocks", None)
    if blocks is None or blocks * 512 > MEGABYTE:
        part.unlink()
        raise BenchError("this file system has no sparse files")
