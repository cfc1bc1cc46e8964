"""Hexdumps: offsets, digits, text. Written as ``xxd`` does; read also as ``hexdump -C`` and packet tools write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.container.armor.error import error_at

ROW = 16
MOST_REPEATED = 1 << 26
"""Bytes that all the “*” of a text may stand for."""
OFFSET_DIGITS = 8
REPEAT = "*"
_LINE = re.compile(r"[ \t]*(?:0[xX])?([0-9a-fA-F]{4,16})(:|(?=\s|$))[ \t]*(.*)")
_TEXT_COLUMN = {":": re.compile(r" {2}|\t"), "": re.compile(r"[ \t]*[|>]|[ \t]{3}")}
_PAIRS = re.compile(r"(?:[0-9a-fA-F]{2})*")
_PRINTABLE = re.compile(rb"[^\x20-\x7e]")


def write_hexdump(data: bytes, start: int = 0) -> str:
    """Lines of 16 bytes: offset, pairs of bytes, text.

    Args:
        start: the offset of the first byte.
    """
    return "".join(_rows(data, start))


def _rows(data: bytes, start: int) -> Iterator[str]:
    for at in range(0, len(data), ROW):
        row = data[at : at + ROW]
        text = _PRINTABLE.sub(b".", row).decode("ascii")
        yield f"{start + at:0{OFFSET_DIGITS}x}: {row.hex(' ', -2):<39}  {text}\n"


def looks_like_hexdump(text: str) -> bool:
    """Whether the first line has an offset in front and bytes behind it."""
    line = text.lstrip().split("\n", 1)[0]
    found = _LINE.fullmatch(line.rstrip("\r"))
    return found is not None and bool(found[3]) and (found[2] == ":" or "  " in line or "|" in line)


def read_hexdump(text: str, repeats: bool = False) -> bytes:
    """The bytes of a hexdump, wherever it starts.

    Args:
        repeats: whether “*” is read as lines like the one before it.

    Raises:
        FormError: a line is none of a hexdump, or bytes between two lines are missing.
    """
    out = bytearray()
    first: int | None = None
    at, most = 0, MOST_REPEATED
    data, star = b"", False
    for line in text.split("\n"):
        bare = line.rstrip("\r ")
        if repeats and data and bare == REPEAT:
            star = True
        elif bare:
            last, (offset, data) = data, _line(text, bare, at)
            first = offset if first is None else first
            if star:
                more = _repeated(last, offset - first - len(out), most)
                most -= len(more)
                out += more
                star = False
            _check_offset(text, at, offset, first + len(out))
            out += data
        at += len(line) + 1
    if first is None:
        raise error_at(text, 0, "There is no line of a hexdump here")
    return bytes(out)


def _repeated(row: bytes, size: int, most: int) -> bytes:
    """So many bytes of lines that are all the same, none where they do not come out even or are too many."""
    return row * (size // len(row)) if row and 0 < size <= most and not size % len(row) else b""


def dump_line(line: str) -> tuple[int, bytes]:
    """Offset and bytes of one line.

    Raises:
        FormError: it is none of a hexdump.
    """
    return _line(line, line.rstrip("\r "), 0)


def _line(text: str, line: str, at: int) -> tuple[int, bytes]:
    """Offset and bytes of one line, which begins at *at* in *text*."""
    if line.strip() == REPEAT:
        raise error_at(text, at, "“*” stands for lines that were left out; make the dump with all of them (hexdump -v)")
    found = _LINE.fullmatch(line)
    if found is None:
        raise error_at(text, at, "A line of a hexdump begins with an offset, like 00000010:")
    column = _TEXT_COLUMN[found[2]].search(found[3])
    body = found[3][: column.start()] if column else found[3]
    digits = "".join(body.split())
    if _PAIRS.fullmatch(digits) is None:
        raise error_at(
            text, at + found.start(3), "Behind the offset stand pairs of hex digits, and the text behind two blanks"
        )
    return int(found[1], 16), bytes.fromhex(digits)


def _check_offset(text: str, at: int, offset: int, expected: int) -> None:
    if offset != expected:
        what = "left out" if offset > expected else "told twice"
        raise error_at(text, at, f"This line begins at 0x{offset:X}, but 0x{expected:X} comes next: bytes are {what}")
