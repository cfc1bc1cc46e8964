"""Hexdumps: offsets, digits, text. Written as ``xxd`` does; read also as ``hexdump -C`` and packet tools write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.base.span import Span
from viewer.container.armor.byte_text import error_at
from viewer.container.layer import Damage

ROW = 16
MOST_LOST = 1 << 12
"""Bytes that may be missing from all the rows of a text."""
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


def read_hexdump(text: str, repeats: bool = False, lost: list[Damage] | None = None) -> bytes:
    """The bytes of a hexdump, wherever it starts.

    Args:
        repeats: whether “*” is read as lines like the one before it.
        lost: where to say which rows are missing; zeros take their places. None refuses a text without them.

    Raises:
        FormError: a line is none of a hexdump, or bytes between two lines are missing.
    """
    rows = GatheredRows(text, repeats, lost)
    at = 0
    for line in text.split("\n"):
        bare = line.rstrip("\r ")
        if repeats and rows.started and bare == REPEAT:
            rows.star()
        elif bare:
            rows.add(at, len(bare), *_line(text, bare, at))
        at += len(line) + 1
    if not rows.started:
        raise error_at(text, 0, "There is no line of a hexdump here")
    return bytes(rows.out)


class GatheredRows:
    """The rows of a dump, put together by their offsets.

    Args:
        text: all of it.
        repeats: whether “*” stands for rows like the one before.
        lost: where to say what is missing; None refuses it.

    Attributes:
        out: the bytes so far.
        started: whether there was a row.
    """

    def __init__(self, text: str, repeats: bool, lost: list[Damage] | None) -> None:
        self.out = bytearray()
        self.started = False
        self._text = text
        self._repeats = repeats
        self._lost = lost
        self._first = 0
        self._row = b""
        self._width = 0
        self._most_repeated, self._most_lost = MOST_REPEATED, MOST_LOST
        self._star = False

    @property
    def expected(self) -> int:
        """The offset of the next row."""
        return self._first + len(self.out)

    def star(self) -> None:
        """Rows like the last one may follow."""
        self._star = True

    def add(self, at: int, length: int, offset: int, data: bytes) -> None:
        """The next row, which stands at *at* in the text and is *length* long.

        Raises:
            FormError: it does not belong here.
        """
        if not self.started:
            self._first, self.started = offset, True
        if self._star and self._row:
            more = _repeated(self._row, offset - self.expected, self._most_repeated)
            self._most_repeated -= len(more)
            self.out += more
        self._star = False
        self._width = max(self._width, len(data))
        expected = self.expected
        if self._lost is not None and 0 < offset - expected <= self._most_lost and self._width:
            self._fill(at, length, expected, offset)
        _check_offset(self._text, at, offset, self.expected)
        self._row = data
        self.out += data

    def _fill(self, at: int, length: int, expected: int, offset: int) -> None:
        """Zeros in the place of bytes that are missing before the row at *offset*, and a sentence about them."""
        self._most_lost -= offset - expected
        start = len(self.out)
        rest = min(-len(self._row) % self._width, offset - expected)
        told = []
        if rest:
            told.append(f"row 0x{expected - len(self._row):X} is {rest} byte{'s' if rest > 1 else ''} short")
        rows = range(expected + rest, offset, self._width)
        if len(rows) == 1:
            told.append(f"row 0x{rows[0]:X} is missing")
        elif rows:
            told.append(f"rows 0x{rows[0]:X} to 0x{rows[-1]:X} are missing")
        self.out += bytes(offset - expected)
        sentence = f"{', and '.join(told)}; zeros stand there instead."
        if self._lost is not None:
            self._lost.append(
                Damage(Span(at, at + length), sentence[0].upper() + sentence[1:], Span(start, len(self.out)))
            )


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
