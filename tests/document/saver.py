"""Saves a file again and again until it is killed: ``saver.py PATH KEPT FIRST SAVES``; one line before and after each.

Save number *n* writes what :func:`content` says.
"""

from __future__ import annotations

import sys
from pathlib import Path

from viewer.document.disk import files


def content(number: int) -> bytes:
    """The bytes of version *number*; no two are equal."""
    return f"version {number}\n".encode() * (1 + number % 7)


def main(path: str, kept: str, first: str, saves: str) -> None:
    for number in range(int(first), int(first) + int(saves)):
        print("saving", number, flush=True)
        files.write(Path(path), content(number), backup=int(kept))
        print("saved", number, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
