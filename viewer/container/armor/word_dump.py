"""Dumps in the words of the machine, as ``hexdump`` and ``od`` write them where nothing else is asked for."""

from __future__ import annotations

import re
from itertools import islice, pairwise

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.armor.byte_text import error_at
from viewer.container.armor.hexdump import REPEAT, GatheredRows
from viewer.container.armor.text_format import Dearmored
from viewer.container.layer import Damage

LOOKED_AT = 64
"""So many lines tell what the cells are."""
SIGNS_WIDTH = 4
"""Characters of a cell with one sign."""
_LINE = late_pattern(r"(?P<lead>[ \t]*+)(?P<offset>[0-9a-fA-F]{6,16})(?P<gap>[ \t]*+)(?P<cells>.*)")
_NAMED = {"0": 0, "a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_NAMES = {byte: f"\\{name}" for name, byte in _NAMED.items()}


@dataclass(frozen=True, slots=True)
class WordCells:
    """What stands between the blanks of a line.

    Args:
        label: what a person calls it.
        pattern: of one cell.
        size: bytes that a cell stands for.
        base: of its number, 0 for signs.
        width: characters of a cell as it is written.
        is_signed: whether numbers may be negative.
    """

    label: str
    pattern: re.Pattern[str]
    size: int
    base: int
    width: int
    is_signed: bool = False

    def read(self, cell: str) -> bytes:
        """The bytes of a cell.

        Raises:
            ValueError, OverflowError: it is none.
        """
        if not self.base:
            return bytes((_sign(cell),))
        number = int(cell, self.base)
        return (number % (1 << 8 * self.size) if number < 0 else number).to_bytes(self.size, "little")

    def write(self, data: bytes) -> str:
        """A cell of bytes, which are filled up with zeros where they are too few."""
        number = int.from_bytes(data, "little", signed=self.is_signed)
        if not self.base:
            return f"{_shown(number):>3}"
        if self.base == 10 and self.size == 1:
            return f"{number:>{self.width}}"
        return f"{number:0{self.width}{ {16: 'x', 8: 'o', 10: 'd'}[self.base] }}"


def _sign(cell: str) -> int:
    if len(cell) == 1:
        return ord(cell.encode("ascii"))
    if cell.startswith("\\") and cell[1:] in _NAMED:
        return _NAMED[cell[1:]]
    return int(cell, 8)


def _shown(byte: int) -> str:
    if byte in _NAMES:
        return _NAMES[byte]
    return chr(byte) if 0x20 <= byte < 0x7F else f"{byte:03o}"


def _cells(label: str, pattern: str, size: int, base: int, width: int, is_signed: bool = False) -> WordCells:
    return WordCells(label, re.compile(pattern), size, base, width, is_signed)


KINDS = (
    _cells("hexdump in words of 2 bytes", "[0-9a-fA-F]{4}", 2, 16, 4),
    _cells("hexdump in words of 4 bytes", "[0-9a-fA-F]{8}", 4, 16, 8),
    _cells("hexdump in words of 8 bytes", "[0-9a-fA-F]{16}", 8, 16, 16),
    _cells("dump in octal words", "[0-7]{6}", 2, 8, 6),
    _cells("dump in octal bytes", "[0-7]{3}", 1, 8, 3),
    _cells("dump in decimal words", "[0-9]{5}", 2, 10, 5),
    _cells("hexdump with octal offsets", "[0-9a-fA-F]{2}", 1, 16, 2),
    _cells("dump in decimal bytes", "[0-9]{1,3}", 1, 10, 3),
    _cells("dump in signed bytes", "-?[0-9]{1,3}", 1, 10, 4, True),
    _cells("dump in characters", r"[ -~]|\\[0abtnvfr]|[0-7]{3}", 1, 0, 3),
)
SIGNS = KINDS[-1]
PAIRS = KINDS[6]


@dataclass(frozen=True, slots=True)
class WordLayout:
    """How a dump is written.

    Args:
        cells: what its cells are.
        base: of its offsets; *digits* of each.
        gap, between: what stands behind the offset, and between cells.
        row: bytes of a line.
    """

    cells: WordCells
    base: int
    digits: int
    gap: str
    between: str
    row: int

    def offset(self, at: int) -> str:
        """An offset."""
        return f"{at:0{self.digits}{ {16: 'x', 8: 'o', 10: 'd'}[self.base] }}"

    def line(self, at: int, data: bytes) -> str:
        """The line of some bytes."""
        size = self.cells.size
        cells = (self.cells.write(data[start : start + size]) for start in range(0, len(data), size))
        return f"{self.offset(at)}{self.gap}{self.between.join(cells)}"


@dataclass(frozen=True, slots=True)
class WordDumpWriter:
    """A dump that is written anew.

    Args:
        layout: how.
        first: the offset of the first byte.
        turn: what ends a line.
        tail: what stands behind the last line.
    """

    layout: WordLayout
    first: int
    turn: str
    tail: str

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        out: list[str] = []
        row = b""
        for at in range(0, len(inside), self.layout.row):
            before, row = row, inside[at : at + self.layout.row]
            if row != before:
                out.append(self.layout.line(self.first + at, row))
            elif out[-1] != REPEAT:
                out.append(REPEAT)
        return f"{self.turn.join((*out, self.layout.offset(self.first + len(inside))))}{self.tail}"


def looks(text: str, whole: bool) -> bool:
    """Whether a text is a dump in words, in octal numbers or in signs."""
    return _layout(text if whole else text[: text.rfind("\n") + 1]) is not None


def _layout(text: str) -> WordLayout | None:
    lines = [line.rstrip("\r") for line in islice(text.split("\n"), LOOKED_AT)]
    found = [_LINE.fullmatch(line) for line in lines if line.strip() and line.strip() != REPEAT]
    if not found or not all(found) or found[0] is None or not found[0]["cells"].strip():
        return None
    heads = [each for each in found if each is not None]
    for cells in KINDS:
        rows = [_split(cells, each) for each in heads]
        if all(row is not None and all(map(cells.pattern.fullmatch, row)) for row in rows):
            return _laid_out(cells, heads, [len(row) * cells.size for row in rows if row is not None])
    return None


def _split(cells: WordCells, line: re.Match[str]) -> list[str] | None:
    """The cells of a line; signs have columns of their own, since a blank is one."""
    if cells is not SIGNS:
        return line["cells"].split()
    body = line[0][line.end("offset") :]
    if len(body) % SIGNS_WIDTH:
        body = body.rstrip()
        body += " " * (-len(body) % SIGNS_WIDTH)
    return [body[at : at + SIGNS_WIDTH].strip() or " " for at in range(0, len(body), SIGNS_WIDTH)]


def _laid_out(cells: WordCells, heads: list[re.Match[str]], sizes: list[int]) -> WordLayout | None:
    """The layout, where offsets count the bytes and nothing says that this is another dump."""
    offsets = [head["offset"] for head in heads]
    steps = {base: _steps(offsets, base, sizes, cells.size) for base in (8, 16, 10)}
    base = max(steps, key=lambda each: steps[each]) if len(heads) > 1 else 16
    if (len(heads) > 1 and not steps[base]) or (len(heads) == 1 and int(offsets[0], 16)):
        return None
    digits = len(offsets[0])
    if base == 16 and (cells is PAIRS or (cells.base == 16 and digits != 7)):
        return None
    body = heads[0]["cells"].rstrip()
    gap = re.search(r"\s+", body)
    between = gap[0] if gap and cells.base and cells.base != 10 else " "
    behind = " " if cells is SIGNS else heads[0]["gap"] or " "  # the columns of signs follow the offset
    return WordLayout(cells, base, digits, behind, between, max(sizes))


def _steps(offsets: list[str], base: int, sizes: list[int], cell: int) -> int:
    """How many offsets count the bytes of the line before them, with numbers in this base; 0 if some are not."""
    try:
        numbers = [int(each, base) for each in offsets]
    except ValueError:
        return 0
    return sum(size - cell < behind - at <= size for size, (at, behind) in zip(sizes, pairwise(numbers), strict=False))


def read(text: str) -> Dearmored:
    """The bytes of a dump.

    Raises:
        FormError: there is something else.
    """
    layout = _layout(text)
    if layout is None:
        raise error_at(text, 0, "This is not a dump in words, in octal numbers or in characters")
    lost: list[Damage] = []
    rows = GatheredRows(text, True, lost)
    at, end = 0, None
    for line in text.split("\n"):
        bare = line.rstrip("\r")
        if bare.strip() == REPEAT:
            rows.star()
        elif bare.strip():
            if end is not None:
                raise error_at(text, at, "After an offset alone there can be no more bytes")
            offset, data = _row(text, bare, at, layout)
            end = None if data else offset
            if data or offset > rows.expected:
                rows.add(at, len(bare), offset, data)
        at += len(line) + 1
    inside = bytes(rows.out)
    if end is not None and 0 <= rows.expected - end < layout.cells.size:
        inside = inside[: len(inside) - (rows.expected - end)]
    turn = "\r\n" if "\r\n" in text else "\n"
    tail = turn if text.endswith("\n") else ""
    first = rows.expected - len(rows.out)
    return Dearmored(inside, WordDumpWriter(layout, first, turn, tail), layout.cells.label, tuple(lost))


def _row(text: str, line: str, at: int, layout: WordLayout) -> tuple[int, bytes]:
    """Offset and bytes of a line, which begins at *at*.

    Raises:
        FormError: it is none of such a dump.
    """
    found = _LINE.fullmatch(line)
    try:
        if found is None:
            raise ValueError
        cells = _split(layout.cells, found) if found["cells"] or layout.cells is SIGNS else []
        return int(found["offset"], layout.base), b"".join(map(layout.cells.read, cells or ()))
    except (ValueError, OverflowError):
        raise error_at(text, at, "This line is not part of the dump before it") from None
