"""Hexdumps: offsets, digits, text. Written as ``xxd`` does, or again in the columns of their first full line; read also
as ``hexdump -C`` and packet tools write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.armor.byte_text import FormError, error_at
from viewer.container.armor.text_format import Dearmored
from viewer.container.layer import Damage

ROW = 16
MOST_LOST = 1 << 12
"""Bytes that may be missing from all the rows of a text."""
MOST_REPEATED = 1 << 26
"""Bytes that all the “*” of a text may stand for."""
OFFSET_DIGITS = 8
REPEAT = "*"
OUT_OF_ORDER = "Rows are not in the order of their offsets; they were read by their offsets."
_LINE = late_pattern(r"[ \t]*(?:0[xX])?([0-9a-fA-F]{4,16})(:|(?=\s|$))[ \t]*(.*)")
_TEXT_COLUMN = {":": late_pattern(r" {2}|\t"), "": late_pattern(r"[ \t]*[|>]|[ \t]{3}")}
_PAIRS = late_pattern(r"(?:[0-9a-fA-F]{2})*")
_UNSEEN = late_pattern(rb"[^\x20-\x7e]")


def write_hexdump(data: bytes, start: int = 0) -> str:
    """Lines of 16 bytes: offset, pairs of bytes, text.

    Args:
        start: the offset of the first byte.
    """
    return "".join(_rows(data, start))


def _rows(data: bytes, start: int) -> Iterator[str]:
    for at in range(0, len(data), ROW):
        row = data[at : at + ROW]
        text = _UNSEEN.sub(b".", row).decode("ascii")
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
        sentence = f"{', and '.join(told)}; zeros are there instead."
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
            text,
            at + found.start(3),
            "The offset is followed by pairs of hex digits, and these by two blanks and the text",
        )
    return int(found[1], 16), bytes.fromhex(digits)


def _check_offset(text: str, at: int, offset: int, expected: int) -> None:
    if offset != expected:
        what = "left out" if offset > expected else "given twice"
        raise error_at(text, at, f"This line begins at 0x{offset:X}, but 0x{expected:X} comes next: bytes are {what}")


# Written again line by line.


LEAST_ROW = 8
"""Bytes that a line must have where nothing marks its offset as one."""
LOOKED_AT = 1 << 12
_HEAD = late_pattern(r"(?P<lead>[ \t]*(?:0[xX])?)(?P<offset>[0-9a-fA-F]{4,16})(?P<gap>:?[ \t]*)")
_PAIR = late_pattern(r"[0-9a-fA-F]{2}")


@dataclass(frozen=True, slots=True)
class DumpLayout:
    """The columns of a line.

    Args:
        lead, gap: what stands before and behind the offset.
        digits: of the offset.
        upper: whether its letters, and those of the bytes, are capitals.
        gaps: what stands behind each byte of a full line, up to the text.
        open, close: what stands around the text; None where there is no text.
        middle: whether a blank parts the text in two.
        padded: whether the bytes of a short line are filled up with blanks, so that the texts stand below each other.
    """

    lead: str
    gap: str
    digits: int
    upper: bool
    gaps: tuple[str, ...]
    open: str | None
    close: str
    middle: bool
    padded: bool = True

    def offset(self, at: int) -> str:
        """An offset with what stands before it."""
        return f"{self.lead}{at:0{self.digits}{'X' if self.upper else 'x'}}"

    def line(self, at: int, data: bytes) -> str:
        """The line of some bytes, no more than a full one has."""
        pairs = [f"{byte:02X}" if self.upper else f"{byte:02x}" for byte in data]
        used = "".join(pair + gap for pair, gap in zip(pairs, self.gaps, strict=False))
        line = f"{self.offset(at)}{self.gap}{used}"
        if self.open is None:
            return line.rstrip()
        rest = self.gaps[len(data) :]
        blank = "".join(" " * (2 + len(gap)) for gap in rest) if self.padded else ""
        if rest and not self.padded:
            line, blank = line.rstrip(), self.gaps[-1]
        return f"{line}{blank}{self.open}{self._text(data)}{self.close}"

    def _text(self, data: bytes) -> str:
        text = _UNSEEN.sub(b".", data).decode("ascii")
        half = len(self.gaps) // 2
        return f"{text[:half]} {text[half:]}" if self.middle and len(text) > half else text


@dataclass(frozen=True, slots=True)
class HexdumpWriter:
    """Lines of a hexdump.

    Args:
        text: all of it.
        inside: its bytes.
        first: the offset of the first one.
        layout: the columns.
        turn: what ends a line.
        ends: whether the last line is an offset alone.
        squeezed: whether “*” stands for lines like the one before.
        has_lost: whether lines are missing.
    """

    text: str
    inside: bytes
    first: int
    layout: DumpLayout
    turn: str
    ends: bool
    squeezed: bool = False
    has_lost: bool = False

    def write(self, inside: bytes) -> str:
        """The text with these bytes in it; lines whose bytes and offset are the same stay."""
        lines = self.text.split(self.turn)
        if self.squeezed or self.has_lost:
            lines = self._anew(inside, lines)
        last = len(lines)
        while last and not lines[last - 1].strip():
            last -= 1
        out = lines[:last] if self.squeezed or self.has_lost else list(self._lines(lines[:last], inside))
        if self.ends:
            out.append(self.layout.offset(self.first + len(inside)))
        return self.turn.join((*out, *lines[last:]))

    def _anew(self, inside: bytes, lines: list[str]) -> list[str]:
        """All lines anew, and the blank ones at the end."""
        width = len(self.layout.gaps)
        out: list[str] = []
        row = b""
        for at in range(0, len(inside), width):
            before, row = row, inside[at : at + width]
            if row != before or not self.squeezed:
                out.append(self.layout.line(self.first + at, row))
            elif out[-1] != REPEAT:
                out.append(REPEAT)
        blank = next((number for number, line in enumerate(reversed(lines)) if line.strip()), 0)
        return out + lines[len(lines) - blank :]

    def _lines(self, lines: list[str], inside: bytes) -> Iterator[str]:
        at = 0
        width = len(self.layout.gaps)
        for line in lines:
            data = dump_line(line)[1] if line.strip() else b""
            if not data:
                if not line.strip():
                    yield line
                continue
            end = at + len(data)
            last = end == len(self.inside)
            if data == inside[at:end] and (not last or len(inside) <= end):
                yield line
            elif at < len(inside):
                end = min(at + (width if last else len(data)), len(inside))
                yield from self._fresh(inside, at, end)
            at = end
        yield from self._fresh(inside, at, len(inside))

    def _fresh(self, inside: bytes, start: int, end: int) -> Iterator[str]:
        width = len(self.layout.gaps)
        for at in range(start, end, width):
            yield self.layout.line(self.first + at, inside[at : min(at + width, end)])


def looks(text: str, whole: bool) -> bool:
    """Whether a text is a hexdump; without marks of one, it must have more than a line, or begin at 0."""
    if not whole:
        text = text[: text.rfind("\n") + 1]
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not (looks_like_hexdump(text) or _goes_on(lines)):
        return False
    marked = ":" in lines[0] or "|" in lines[0]
    return marked or len(lines) > 1 or re.match(r"\s*0{4,16}\s", text) is not None


def _goes_on(lines: list[str]) -> bool:
    """Whether the second line begins where the first one ends."""
    try:
        (first, data), (second, _) = (dump_line(line) for line in lines[:2])
    except ValueError:
        return False
    return len(data) >= LEAST_ROW and second - first == len(data)


def read(text: str) -> Dearmored:
    """The bytes of a hexdump.

    Raises:
        FormError: there is something else.
    """
    lost: list[Damage] = []
    turn = "\r\n" if "\r\n" in text else "\n"
    try:
        inside = read_hexdump(text, repeats=True, lost=lost)
    except FormError:
        ordered = _by_offsets(text, turn)
        if ordered is None:
            raise
        missing: list[Damage] = []
        inside = read_hexdump(ordered, repeats=True, lost=missing)
        told = " ".join((OUT_OF_ORDER, *(each.sentence for each in missing)))
        lost = [Damage(Span(0, len(text)), told, missing[0].inside if missing else None)]
        text = ordered
    lines = (line for line in text.split(turn) if line.strip() not in ("", REPEAT))
    looked = [(line, *dump_line(line)) for line in islice(lines, LOOKED_AT)]
    line, offset, data = max(looked, key=lambda each: len(each[2]), default=("", 0, b""))
    if not data:
        raise error_at(text, 0, "There is no line of a hexdump with bytes here")
    layout = _layout(line, data)
    if layout.line(offset, data) != line.rstrip():
        gaps = (*[" "] * (min(len(data), ROW) - 1), "  ")
        layout = replace(layout, gap=layout.gap.strip() + "  ", gaps=gaps, open=None, middle=False)
    ends = not dump_line(text.rstrip().rpartition(turn)[2])[1]
    squeezed = f"\n{REPEAT}" in text
    writer = HexdumpWriter(text, inside, looked[0][1], layout, turn, ends, squeezed, bool(lost))
    return Dearmored(inside, writer, "hexdump", tuple(lost))


def _by_offsets(text: str, turn: str) -> str | None:
    """The lines by their offsets; None where that changes nothing, or lines stand there twice."""
    lines = [line for line in text.split(turn) if line.strip()]
    try:
        offsets = [dump_line(line)[0] for line in lines]
    except FormError:
        return None
    if len(set(offsets)) < len(offsets) or offsets == sorted(offsets):
        return None
    return turn.join(line for _, line in sorted(zip(offsets, lines, strict=True))) + turn


def _layout(line: str, data: bytes) -> DumpLayout:
    """The columns of a line."""
    head = _HEAD.match(line)
    if head is None or not data:
        return DumpLayout("", "", 8, False, (), None, "", False)
    at = head.end()
    gaps = []
    for _ in data:
        pair = _PAIR.match(line, at)
        start = pair.end() if pair else at
        at = start
        while at < len(line) and line[at] in " \t":
            at += 1
        gaps.append(line[start:at])
    rest = line[at:]
    text = _UNSEEN.sub(b".", data).decode("ascii")
    half = len(data) // 2
    middle = f"{text[:half]} {text[half:]}" in rest and text not in rest
    shown = f"{text[:half]} {text[half:]}" if middle else text
    if gaps and rest[:1] and shown[:1] == " " and shown not in rest:
        shown_at = len(shown) - len(shown.lstrip())  # the blanks of the text were taken for a gap
        gaps[-1] = gaps[-1][: len(gaps[-1]) - shown_at]
        rest = " " * shown_at + rest
    digits = line[: head.end()] + "".join(
        found[0] for found in _PAIR.finditer(line, head.end(), line.find(rest) if rest else len(line))
    )
    upper = re.search(r"[A-F]", digits) is not None and re.search(r"[a-f]", digits) is None
    place = rest.find(shown)
    if place < 0:
        return DumpLayout(head["lead"], head["gap"], len(head["offset"]), upper, tuple(gaps), None, "", False)
    before, after = rest[:place], rest[place + len(shown) :]
    return DumpLayout(head["lead"], head["gap"], len(head["offset"]), upper, tuple(gaps), before, after, middle)
