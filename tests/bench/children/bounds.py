"""A child: processor time that broken bytes take, and memory. Arguments: the shape (``sound`` for none), its bytes.

Memory is the peak of the whole process beyond what it took before the bytes were there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

from bench.child import report
from bench.memory import forget_peak, peak
from viewer.document.doctor import Answer, examine
from viewer.document.document import Document
from viewer.document.explain import explain

SMALL = b"\x12\0\0\0\x01\0\0\0\x02\0\0\0\x07\0\0\0\x63\0\0\0"


def main() -> None:
    """Open them, then ask the doctor, then for the page in the middle."""
    shape, size = sys.argv[1], int(sys.argv[2])
    examine(Document(SMALL))  # loads what is loaded once
    forget_peak()
    before = peak()
    data = made(shape, size)
    start = process_time()
    document = Document(data)
    found = {"bytes": [float(len(data))], "open": [process_time() - start]}
    if shape != "sound":
        found |= doctor(document) | page(document)
    report(found | {"peak": [float(peak() - before)]})


def made(shape: str, size: int) -> bytes:
    """The bytes, made by another process: what making them leaves in memory is none of the program's."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        target = Path(folder, "data")
        subprocess.run([sys.executable, "-m", "bench.broken", shape, str(size), str(target)], check=True)
        return target.read_bytes()


def doctor(document: Document) -> dict[str, list[float]]:
    """Seconds to the first answer of the doctor, to the first that can be applied, and to the last."""
    start = process_time()
    told: list[tuple[float, bool]] = []

    def tell(answer: Answer) -> None:
        told.append((process_time() - start, any(repair.can_be_applied for repair in answer.repairs)))

    tell(examine(document, found=tell))
    repairs = [seconds for seconds, is_repair in told if is_repair]
    return {"first": [told[0][0]], "repair": repairs[:1], "all": [told[-1][0]]}


def page(document: Document) -> dict[str, list[float]]:
    """Seconds to the page about the byte in the middle."""
    start = process_time()
    explain(document, len(document.buffer) // 2)
    return {"page": [process_time() - start]}


if __name__ == "__main__":
    main()
