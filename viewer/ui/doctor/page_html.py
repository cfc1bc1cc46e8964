"""A page of explanations as rich text in a theme's colours, bytes in the fixed font."""

from __future__ import annotations

from html import escape

from viewer.base.unseen import printable
from viewer.document.explain.page import Note, Page, Row, Section
from viewer.ui.look.fonts import Size, fixed_font, pixels
from viewer.ui.look.palette import Theme

CELL = 'style="padding: 2px 14px 2px 0; white-space: nowrap"'
REST = 'width="100%" style="padding: 2px 0"'
"""Of the last cell: it takes all the width that the others leave, so that a row's colour goes to the edge."""


def page_html(page: Page, theme: Theme) -> str:
    """The page; every text in it is escaped, nothing is loaded."""
    ui = theme.ui
    small = pixels(Size.SECONDARY)
    return "".join(
        (
            f'<div style="color: {ui.text.name()}; font-size: {pixels(Size.UI)}px">',
            f'<p style="font-size: {pixels(Size.TITLE)}px; margin-bottom: 2px"><b>{_safe(page.title)}</b></p>',
            f'<p style="color: {ui.text_secondary.name()}; font-size: {small}px; margin-top: 0">',
            f"{_safe(page.summary)}</p>",
            *(_section(section, theme) for section in page.sections),
            "</div>",
        )
    )


def _section(section: Section, theme: Theme) -> str:
    rows = "".join(_row(row, theme) for row in section.rows)
    notes = "".join(_note(note, theme) for note in section.notes)
    title = f'<p style="margin-top: 14px; margin-bottom: 4px"><b>{_safe(section.title)}</b></p>'
    return title + (f'<table width="100%" cellspacing="0" cellpadding="0">{rows}</table>' if rows else "") + notes


def _row(row: Row, theme: Theme) -> str:
    """Offset, bytes, name and meaning; what was asked for lies on the selection's colour, behind an arrow."""
    ui = theme.ui
    surface = f' bgcolor="{ui.selection.name()}"' if row.here else ""
    mark = "▸" if row.here else "&nbsp;"
    fixed = f"font-family: '{fixed_font().family()}', monospace; font-size: {pixels(Size.SECONDARY)}px"
    quiet = f"{fixed}; color: {ui.text_secondary.name()}"
    name = f"<b>{_safe(row.name)}</b>" if row.here else _safe(row.name)
    return (
        f"<tr{surface}><td {CELL}>{mark}&nbsp;</td>"
        f'<td {CELL}><span style="{quiet}">{_safe(row.place)}</span></td>'
        f'<td {CELL}><span style="{fixed}">{_safe(row.bytes).replace(" ", "&nbsp;")}</span></td>'
        f"<td {CELL}>{name}</td><td {REST}>{_safe(row.meaning)}</td></tr>"
    )


def _note(note: Note, theme: Theme) -> str:
    source = f' <span style="color: {theme.ui.text_secondary.name()}">({_safe(note.source)})</span>'
    return f'<p style="margin-top: 2px; margin-bottom: 4px">• {_safe(note.text)}{source if note.source else ""}</p>'


def _safe(text: str) -> str:
    return escape(printable(text.replace("\u202f", " ")))
