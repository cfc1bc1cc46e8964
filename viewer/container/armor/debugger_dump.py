"""Memory as debuggers show it: addresses, perhaps with the name that lies there, and words of the machine.

``x/xw`` and its like of gdb, ``memory read`` of lldb, ``dd`` and ``dq`` of WinDbg. Words have their lowest byte first
in memory, which is what is read of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.armor.byte_text import error_at
from viewer.container.armor.hexdump import GatheredRows
from viewer.container.armor.text_format import Dearmored
from viewer.container.layer import Damage

LOOKED_AT = 64
"""So many lines tell how the dump is written."""
SIZES = (1, 2, 4, 8)
LEAST = 2
"""So many words are memory."""
LABEL = "memory as a debugger shows it"
_NAME = r"(?P<name>[ \t]*+<(?P<symbol>[^<>\n+]++)(?:\+(?P<plus>[0-9]++))?>)?+"
_ROW = late_pattern(
    rf"(?P<lead>[ \t]*+0[xX])(?P<address>[0-9a-fA-F]{{4,16}}+){_NAME}(?P<gap>:[ \t]++)"
    r"(?P<cells>0[xX][0-9a-fA-F]++(?:[ \t]++0[xX][0-9a-fA-F]++)*+)[ \t]*+"
)
_HALVED = late_pattern(
    r"(?P<lead>[ \t]*+)(?P<address>[0-9a-fA-F]{8}`[0-9a-fA-F]{8})(?P<name>)(?P<gap>[ \t]++)"
    r"(?P<cells>[0-9a-fA-F`]++(?:[ \t]{1,2}[0-9a-fA-F`]++)*+)[ \t]*+"
)
_PROMPT = late_pattern(r"[ \t]*+(?:\(gdb\)|\(lldb\)|[0-9]:[0-9]{3}>|>>>).*+")
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """How a row is written.

    Args:
        lead, gap, between: what stands before the address, behind it, and between the words.
        digits: of the address.
        symbol: the name that lies there, with what stands before it; empty where there is none.
        plus: how far behind that name the first byte is.
        prefix: what stands before the digits of a word.
        size: bytes of a word.
        row: bytes of a row.
        is_halved: whether numbers of 8 bytes have a sign between their halves.
    """

    lead: str
    gap: str
    between: str
    digits: int
    symbol: str
    plus: int
    prefix: str
    size: int
    row: int
    is_halved: bool

    def lines(self, first: int, at: int, data: bytes) -> Iterator[str]:
        """The row of some bytes, *at* bytes behind the first of all; what is no whole word as single bytes."""
        whole = len(data) - len(data) % self.size
        for start, end, size in ((0, whole, self.size), (whole, len(data), 1)):
            if start < end:
                yield self._line(first, at + start, data[start:end], size)

    def _line(self, first: int, at: int, data: bytes, size: int) -> str:
        words = (data[k : k + size] for k in range(0, len(data), size))
        cells = (self.prefix + self._number(int.from_bytes(word, "little"), 2 * size) for word in words)
        plus = self.plus + at
        name = f"{self.symbol}{f'+{plus}' if plus else ''}>" if self.symbol else ""
        return f"{self.lead}{self._number(first + at, self.digits)}{name}{self.gap}{self.between.join(cells)}"

    def _number(self, number: int, digits: int) -> str:
        shown = f"{number:0{digits}x}"
        return f"{shown[:8]}`{shown[8:]}" if self.is_halved and digits == 16 else shown


@dataclass(frozen=True, slots=True)
class MemoryWriter:
    """Memory that is written anew.

    Args:
        layout: how.
        first: the address of the first byte.
        turn: what ends a line.
        before, behind: what stands around the rows.
    """

    layout: MemoryLayout
    first: int
    turn: str
    before: str
    behind: str

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it."""
        row = self.layout.row
        starts = range(0, len(inside), row)
        lines = chain.from_iterable(self.layout.lines(self.first, at, inside[at : at + row]) for at in starts)
        return f"{self.before}{self.turn.join(lines)}{self.behind}"


def looks(text: str, whole: bool) -> bool:
    """Whether a text is memory as a debugger shows it."""
    return _layout(text if whole else text[: text.rfind("\n") + 1]) is not None


def _is_beside(line: str) -> bool:
    """Whether a line is none of the rows, but what a person typed for them, or nothing."""
    return not line.strip() or line.strip().startswith(_FENCE) or _PROMPT.fullmatch(line) is not None


def _row(line: str) -> re.Match[str] | None:
    return _ROW.fullmatch(line) or _HALVED.fullmatch(line)


def _address(found: re.Match[str]) -> int:
    return int(found["address"].replace("`", ""), 16)


def _cells(found: re.Match[str]) -> list[str]:
    """The digits of the words."""
    return [cell.replace("`", "").lower().removeprefix("0x") for cell in found["cells"].split()]


def _size(found: re.Match[str]) -> int:
    """Bytes of each word of a row; 0 where they are not all as long, or no words of a machine."""
    widths = {len(cell) for cell in _cells(found)}
    width = widths.pop()
    return width // 2 if not widths and width % 2 == 0 and width // 2 in SIZES else 0


def _layout(text: str) -> MemoryLayout | None:
    lines = [line.rstrip("\r") for line in islice(text.split("\n"), LOOKED_AT)]
    found = [_row(line) for line in lines if not _is_beside(line)]
    rows = [each for each in found if each is not None]
    if not rows or len(rows) != len(found):
        return None
    sizes = [_size(each) for each in rows]
    if not all(sizes) or sum(len(_cells(each)) for each in rows) < LEAST:
        return None
    size, counts = sizes[0], [len(_cells(each)) for each in rows]
    first = rows[0]
    between = re.search(r"[ \t]+", first["cells"].strip())
    is_named, is_halved = bool(first["name"]), "`" in first["address"]
    symbol = first["name"].partition("<")[0] + f"<{first['symbol']}" if is_named else ""
    return MemoryLayout(
        first["lead"],
        first["gap"],
        between[0] if between else "\t",
        len(first["address"].replace("`", "")),
        symbol,
        int(first["plus"] or 0) if is_named else 0,
        "" if is_halved else first["cells"][:2],
        size,
        size * max(counts),
        is_halved,
    )


def read(text: str) -> Dearmored:
    """The bytes of a dump.

    Raises:
        FormError: there is something else.
    """
    layout = _layout(text)
    if layout is None:
        raise error_at(text, 0, "This is not memory as a debugger shows it")
    lost: list[Damage] = []
    rows = GatheredRows(text, False, lost)
    at, start, end = 0, -1, 0
    for line in text.split("\n"):
        bare = line.rstrip("\r")
        if not _is_beside(bare):
            rows.add(at, len(bare), *_words(text, bare, at))
            start, end = at if start < 0 else start, at + len(bare)
        at += len(line) + 1
    inside = bytes(rows.out)
    turn = "\r\n" if "\r\n" in text else "\n"
    writer = MemoryWriter(layout, rows.expected - len(inside), turn, text[:start], text[end:])
    return Dearmored(inside, writer, LABEL, tuple(lost))


def _words(text: str, line: str, at: int) -> tuple[int, bytes]:
    """Address and bytes of a row, which begins at *at*.

    Raises:
        FormError: it is none of such a dump.
    """
    found = _row(line)
    size = _size(found) if found is not None else 0
    if found is None or not size:
        raise error_at(text, at, "This row is not written like the one before it")
    return _address(found), b"".join(int(cell, 16).to_bytes(size, "little") for cell in _cells(found))
