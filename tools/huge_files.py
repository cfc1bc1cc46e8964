"""Packed arrays of 3 GiB, of each type in each engine line, whole and broken: the memory of ``check`` and the window.

    python tools/huge_files.py [check] [window] [LINE ...]

The files are sparse: zeros that take no room on the disk, behind a header and a count that fits, is too large, or too
small. Of each is told the peak of memory above a ``check`` of a file of a few bytes, and that above the empty window
once it was opened and gone to its end. The end is 1 where one takes more than :data:`MOST`.
"""

from __future__ import annotations

import os
import struct
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench import child  # noqa: E402
from bench.command import viewer  # noqa: E402

from viewer.variant.dialect import Dialect, Kind, TypeRow, available  # noqa: E402

SIZE = 3 << 30
MOST_ELEMENTS = 0x7FFFFFFF
OFF_BY = 1024
MOST = 100e6
LIMIT = 2048
"""Megabytes that a command may take of its own before it is refused more."""
WAYS = ("whole", "too large", "too small")
DOING = ("check", "window")


def packed(lines: Sequence[str]) -> Iterator[tuple[Dialect, TypeRow]]:
    """The packed types of the engine lines with these keys, of all where none is named."""
    for dialect in available():
        for row in dialect.rows:
            if row.kind in (Kind.PACKED, Kind.PACKED_STRINGS) and (not lines or dialect.key in lines):
                yield dialect, row


def write(path: Path, row: TypeRow, way: str) -> None:
    """A sparse file of one type; bytes are as many as an engine counts."""
    size = sum(field.size for field in row.narrow) or 4
    count = min(SIZE // size, MOST_ELEMENTS - OFF_BY)
    told = {"whole": count, "too large": count + OFF_BY, "too small": count - OFF_BY}[way]
    with path.open("wb") as file:
        file.write(struct.pack("<II", row.number, told))
        file.truncate(8 + count * size)


def main(words: Sequence[str]) -> int:
    """Measure all of them and print a line for each."""
    doing = [each for each in DOING if each in words] or list(DOING)
    lines = [word for word in words if word not in DOING]
    worst = dict.fromkeys(doing, 0.0)
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.bin")
        small.write_bytes(bytes(8))
        idle = viewer("check", small, answer=1).peak
        for dialect, row in packed(lines):
            for way in WAYS:
                path = Path(folder, "huge.bin")
                write(path, row, way)
                found = {}
                if "check" in doing:
                    usage = viewer("check", "--dialect", dialect.key, path, limit=LIMIT, answer=1)
                    found["check"] = usage.peak - idle
                if "window" in doing:
                    found["window"] = max(child.run_anew("window.huge", path)["memory"], default=float("inf"))
                number += 1
                worst = {each: max(worst[each], taken) for each, taken in found.items()}
                told = ", ".join(f"{each} {taken / 1024:,.0f} KiB" for each, taken in found.items())
                print(f"{dialect.key} {row.name}, {way}: {told}", flush=True)
    print(f"{number} files; at most " + ", ".join(f"{each} {taken / 1024:,.0f} KiB" for each, taken in worst.items()))
    return int(max(worst.values()) > MOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
