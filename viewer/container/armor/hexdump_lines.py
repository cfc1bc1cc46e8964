"""Hexdumps: written again line by line, in the columns of their first full line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from viewer.base.record import dataclass, replace
from viewer.container.armor.byte_text import error_at
from viewer.container.armor.hexdump import REPEAT, ROW, dump_line, looks_like_hexdump, read_hexdump
from viewer.container.armor.text_format import Worn
from viewer.container.layer import Damage

LEAST_ROW = 8
"""Bytes that a line must have where nothing marks its offset as one."""
LOOKED_AT = 1 << 12
_HEAD = re.compile(r"(?P<lead>[ \t]*(?:0[xX])?)(?P<offset>[0-9a-fA-F]{4,16})(?P<gap>:?[ \t]*)")
_PAIR = re.compile(r"[0-9a-fA-F]{2}")
_UNSEEN = re.compile(rb"[^\x20-\x7e]")


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
class DumpDress:
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


def read(text: str) -> Worn:
    """The bytes of a hexdump.

    Raises:
        FormError: there is something else.
    """
    lost: list[Damage] = []
    inside = read_hexdump(text, repeats=True, lost=lost)
    turn = "\r\n" if "\r\n" in text else "\n"
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
    dress = DumpDress(text, inside, looked[0][1], layout, turn, ends, squeezed, bool(lost))
    return Worn(inside, dress, "hexdump", tuple(lost))


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
