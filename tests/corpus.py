"""The golden bytes of ``tests/data``: what real engines wrote, and what they say of broken bytes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

DATA = Path(__file__).with_name("data")

T = TypeVar("T")
Row = dict[str, Any]
WHOLE = os.environ.get("WHOLE_CORPUS", "0") != "0"
"""Whether sweeps over the corpus take all of it."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine whose output we hold: its folder, the dialect it speaks, and the width of its reals."""

    folder: str
    dialect: str
    precision: str

    def __str__(self) -> str:
        return self.folder


ENGINES = (
    Engine("godot2", "godot2", "single"),
    Engine("godot3", "godot3", "single"),
    Engine("godot4", "godot4", "single"),
    Engine("godot4-double", "godot4", "double"),
    Engine("pandemonium4", "pandemonium4", "single"),
    Engine("pandemonium5", "pandemonium5", "single"),
    Engine("godot4.0", "godot4.0", "single"),
    Engine("pandemonium3.5", "pandemonium3.5", "single"),
)


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file that an engine saved, and what is known of it."""

    path: Path
    sidecar: Row

    def __str__(self) -> str:
        return f"{self.path.parent.parent.name}/{self.path.name}"


def spread(some: Iterable[T], each: int, folder: str = "") -> list[T]:
    """Each so many-th of many that are alike; with ``WHOLE_CORPUS=1`` in the environment all of them.

    The engines begin at different ones, so that what all of them have is taken of one or another.
    """
    turn = next((k for k, engine in enumerate(ENGINES) if engine.folder == folder), 0)
    return list(some) if WHOLE else list(some)[turn % each :: each]


def vectors(folder: str) -> list[Row]:
    """Every value of an engine that has bytes, one row a value."""
    return [row for row in _rows(folder, "vectors") if row.get("hex") is not None]


def vector_bytes(row: Row) -> bytes:
    """The bytes an encoder must write for a vector: those that the engine left unwritten are zero."""
    return bytes.fromhex(row["hex0"] if "hex0" in row else row["hex"])


def malformed(folder: str) -> list[Row]:
    """Every broken input of an engine that has bytes, one row an input."""
    return [row for row in _rows(folder, "malformed") if row.get("hex") is not None]


def native() -> list[Row]:
    """Random nested values of Godot 4, with the engine's own ``JSON.from_native`` of each."""
    return _rows("godot4", "native")


def files(folder: str) -> list[SavedFile]:
    """Every saved file of an engine that has no wrap around its values."""
    return [saved for saved in _saved(folder) if not _is_wrapped(saved.sidecar)]


def wrapped(folder: str) -> list[SavedFile]:
    """Every saved file of an engine that is compressed, encrypted or text."""
    return [saved for saved in _saved(folder) if _is_wrapped(saved.sidecar)]


def broken_wraps(folder: str) -> list[Row]:
    """Every broken file in a wrap, and what the engine says of it; none where the engine was not asked."""
    return _rows(folder, "malformed_containers") if (DATA / folder / "malformed_containers.jsonl").exists() else []


@cache
def _saved(folder: str) -> list[SavedFile]:
    """Read once for all modules of tests that ask: none of them changes what it is given."""
    paths = (path.with_suffix("") for path in sorted((DATA / folder / "files").glob("*.*.json")))
    return [SavedFile(path, json.loads(Path(f"{path}.json").read_text(encoding="utf-8"))) for path in paths]


def _is_wrapped(sidecar: Row) -> bool:
    container = sidecar.get("container", "")
    if isinstance(container, dict):
        return bool(container["kind"] != "plain")
    return str(container).startswith(("GDEC", "GCPF", "GCMP"))


def limits() -> Row:
    """Where Godot 3 gives up: depths, counts and sizes, found by trying."""
    found: Row = json.loads((DATA / "godot3" / "limits.json").read_text(encoding="utf-8"))
    return found


def capture_file(name: str) -> Path:
    """A capture of engines that talk to each other, by the name of its file."""
    paths = (DATA / folder / "packets" / name for folder in ("network", "godot3"))
    return next(path for path in paths if path.exists())


def payloads() -> list[Row]:
    """Every application payload of the captures, decoded: ``file``, ``direction``, ``layers``, ``payload_hex`` ..."""
    return _rows("network", "payloads")


def _rows(folder: str, name: str) -> list[Row]:
    # not splitlines(): the texts hold U+2028 and its like
    lines = (DATA / folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]
