"""Files much larger than memory should hold: sparse ones of each packed type, whole and broken, in all dialects."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.document.disk.paged import FileBlocks
from viewer.document.document import Document
from viewer.variant.dialect import Kind, available

SIZE = 1 << 30
MOST_READ = 64 << 20
MOST_MEMORY = 100 << 10
"""KiB above what a process takes that has read nothing yet."""
CHILD = """
import sys
from pathlib import Path
from viewer.document.damage import has_error
from viewer.document.document import Document
from viewer.document.export.findings_export import findings
from viewer.document.kinds.foreign import has_plausible_value

def peak():
    line = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    return int(line.split()[1])

before = peak()
for name in sys.argv[1:]:
    document = Document.open(Path(name))
    list(findings(document))
    document.buffer[len(document.buffer) - 1]
    has_error(document)
    has_plausible_value(document)
print(peak() - before)
"""


def wide() -> Iterator[tuple[str, int, int]]:
    """Each type with a count of each engine line once: a name, its number, the bytes of an element, zeros all."""
    for dialect in available():
        for row in dialect.rows:
            if row is not None and row.kind is Kind.PACKED:
                yield f"{dialect.key}-{row.name}", row.number, row.narrow_size
            elif row is not None and row.kind in (Kind.ARRAY, Kind.DICTIONARY):
                yield f"{dialect.key}-{row.name}", row.number, 4 if row.kind is Kind.ARRAY else 8


def sparse(path: Path, head: bytes, size: int) -> Path:
    """A file of a head and zeros; skips where it takes room on the disk."""
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    if not hasattr(os.stat_result, "st_blocks") or path.stat().st_blocks * 512 > 1 << 24:
        pytest.skip("this file system has no sparse files")
    return path


def heads() -> Iterator[tuple[str, bytes, int]]:
    """Names, heads and sizes of files: every type whole, with too large a count and with too small a one, by turns."""
    for turn, (name, number, unit) in enumerate(wide()):
        count = (SIZE - 8) // unit & ~3
        told = (count, 2 * count - 5, count - count // 100)[turn % 3]
        size = 8 + unit * count
        prefix = struct.pack("<I", size) if turn // 3 % 2 else b""
        yield f"{name}-{turn % 3}-{len(prefix)}", prefix + struct.pack("<II", number, told), size + len(prefix)


def test_little_is_read_of_a_huge_array(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, pieces = FileBlocks._read, []

    def counted(self: FileBlocks, start: int, end: int) -> bytes:
        pieces.append(end - start)
        return read(self, start, end)

    monkeypatch.setattr(FileBlocks, "_read", counted)
    for name, head, size in heads():
        pieces.clear()
        path = sparse(tmp_path / name, head, size)
        document = Document.open(path)
        assert document.frames, name
        assert max(pieces) <= 4 << 20, name
        row = document.frames[0].table.row(0)
        if row is None or row.kind is not Kind.PACKED_STRINGS:  # as which zeros may be taken; their texts are all read
            assert sum(pieces) <= MOST_READ, name
        path.unlink()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory a process had at most")
def test_huge_files_take_little_memory(tmp_path: Path) -> None:
    files = [sparse(tmp_path / name, head, size) for name, head, size in [*heads()][::5]]
    text = (1 << 30) - 8
    files.append(sparse(tmp_path / "text", struct.pack("<II", 4, text), 8 + text))
    files.append(sparse(tmp_path / "zeros", b"", 1 << 28 | 5))
    found = subprocess.run(
        [sys.executable, "-c", CHILD, *map(str, files)], capture_output=True, text=True, check=True, env=os.environ
    )
    assert int(found.stdout) < MOST_MEMORY
