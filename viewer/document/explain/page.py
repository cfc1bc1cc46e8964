"""A page: a title, sections, rows of bytes and notes; as text and as HTML."""

from __future__ import annotations

from html import escape

from viewer.base.record import dataclass
from viewer.base.unseen import printable
from viewer.base.words import grouped

SHOWN = 12
"""Bytes of a row that are shown."""
STYLE = "body{font:14px/1.45 system-ui,sans-serif}td,th{padding:1px 12px 1px 0;text-align:left;vertical-align:top}"


@dataclass(frozen=True, slots=True)
class PageRow:
    """A line of a table.

    Args:
        name: what it is about.
        meaning: what that is, or holds.
        offset: where it begins, -1 where it is nowhere in particular.
        size: how many bytes it has, -1 where that varies or means nothing.
        raw: its bytes, the first ones of many; empty where there are none to show.
        here: whether it is what was asked for.
    """

    name: str
    meaning: str
    offset: int = -1
    size: int = -1
    raw: bytes = b""
    here: bool = False

    @property
    def place(self) -> str:
        """The offset as people write it, empty for none."""
        return f"0x{self.offset:X}" if self.offset >= 0 else ""

    @property
    def bytes(self) -> str:
        """The bytes as hex digits; the size where there are none."""
        if not self.raw:
            return "" if self.size < 0 else f"{grouped(self.size)} B"
        more = " …" if max(self.size, len(self.raw)) > SHOWN else ""
        return self.raw[:SHOWN].hex(" ") + more


@dataclass(frozen=True, slots=True)
class Note:
    """A fact in a sentence or two, and where it is from."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: rows, then notes."""

    title: str
    rows: tuple[PageRow, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """All that is said of an item: *summary* is one sentence below the title."""

    title: str
    summary: str
    sections: tuple[Section, ...]

    def as_text(self) -> str:
        """The page for a terminal."""
        lines = [_line(self.title), _line(self.summary)]
        for section in self.sections:
            lines += ["", section.title, *_table(section.rows)]
            for note in section.notes:
                lines.append(_line(f"  - {note.text}" + (f" ({note.source})" if note.source else "")))
        return "\n".join(lines) + "\n"

    def as_html(self) -> str:
        """The page as HTML that loads nothing; every text in it is escaped."""
        out = [f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_safe(self.title)}</title>']
        out.append(f"<style>{STYLE}</style></head><body>\n<h1>{_safe(self.title)}</h1>\n<p>{_safe(self.summary)}</p>")
        for section in self.sections:
            out.append(f"<h2>{_safe(section.title)}</h2>")
            if section.rows:
                out.append(f"<table>{''.join(map(_html_row, section.rows))}</table>")
            if section.notes:
                out.append(f"<ul>{''.join(map(_html_note, section.notes))}</ul>")
        return "\n".join(out) + "\n</body></html>\n"


def _table(rows: tuple[PageRow, ...]) -> list[str]:
    cells = [(row.place, _line(row.bytes), _line(row.name), _line(row.meaning)) for row in rows]
    widths = [max((len(cell[k]) for cell in cells), default=0) for k in range(3)]
    out = []
    for row, (place, raw, name, meaning) in zip(rows, cells, strict=True):
        columns = [f"{cell:<{width}}" for cell, width in zip((place, raw, name), widths, strict=True) if width]
        out.append(f"{'>' if row.here else ' '} {'  '.join([*columns, meaning])}".rstrip())
    return out


def _safe(text: str) -> str:
    return escape(_line(text))


def _line(text: str) -> str:
    """A text for one line; the narrow spaces between digits become plain ones."""
    return printable(text.replace("\u202f", " "))


def _html_row(row: PageRow) -> str:
    cells = (row.place, f"<code>{_safe(row.bytes)}</code>" if row.bytes else "", _safe(row.name), _safe(row.meaning))
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr{' style=font-weight:bold' if row.here else ''}>{inside}</tr>\n"


def _html_note(note: Note) -> str:
    return f"<li>{_safe(note.text)}{f' <small>({_safe(note.source)})</small>' if note.source else ''}</li>\n"
