"""Which colour each visible byte is written in: its kind's, which yields to the state on error and search fills."""

from __future__ import annotations

from PySide6.QtGui import QColor

from viewer.ui.hex.glyphs import PRINTABLE
from viewer.ui.hex.hex_page import HexPage
from viewer.ui.look.palette import GROUPS, Theme
from viewer.variant.items import Role
from viewer.variant.tints import STYLES, Style

DIM, HEADER, LENGTH, PADDING, GAP, ERROR, SEARCH, CURRENT, PLAIN = range(9)
KIND = {group: PLAIN + 1 + index for index, group in enumerate(GROUPS)}
STRUCTURE = {
    Role.HEADER: HEADER,
    Role.LENGTH: LENGTH,
    Role.PREFIX: LENGTH,
    Role.PADDING: PADDING,
    Role.GAP: GAP,
    Role.VALUE: HEADER,
}


def _ink(style: Style) -> int:
    if style.role is None:
        return PLAIN
    return KIND.get(style.group or "", HEADER) if style.role is Role.VALUE else STRUCTURE[style.role]


LOUD = bytes(map(_ink, STYLES)).ljust(256, b"\0")
QUIET = bytes(GAP if style.role is Role.GAP else DIM for style in STYLES).ljust(256, b"\0")
"""The inks of the codes of tints: for bytes that say something, and for zeros and what cannot be printed."""
BYTE = [bytes((value,)) for value in range(256)]
NOT_ZERO = bytes(255 * bool(value) for value in range(256))
IS_PRINTABLE = bytes(255 * (value in PRINTABLE) for value in range(256))


def colours(theme: Theme) -> list[QColor]:
    """The colour behind every ink."""
    structures = [theme.structure(name).fg for name in ("header", "length", "padding", "gap")]
    states = [theme.state(name).fg for name in ("error", "search", "search_current")]
    return [theme.ui.text_dim, *structures, *states, theme.ui.text, *(theme.kind(group).fg for group in GROUPS)]


def inks(page: HexPage) -> tuple[bytes, bytes]:
    """The inks of the hex digits and of the characters, one per visible byte.

    Zero bytes and dots are written dim, inside tints in the colour of the structure.
    """
    loud, quiet = bytearray(page.styles.translate(LOUD)), bytearray(page.styles.translate(QUIET))
    for part in page.focus.parts:
        ink = STRUCTURE[part.role]
        _fill(quiet, page, part.span.start, part.span.end, ink)
        if part.role is not Role.VALUE:
            _fill(loud, page, part.span.start, part.span.end, ink)
    _fill_states(loud, quiet, page)
    return _mix(loud, quiet, page.data.translate(NOT_ZERO)), _mix(loud, quiet, page.letters.translate(IS_PRINTABLE))


def _fill_states(loud: bytearray, quiet: bytearray, page: HexPage) -> None:
    states = [(span, ERROR) for span in page.errors] + [(span, SEARCH) for span in page.hits]
    if page.current_hit:
        states.append((page.current_hit, CURRENT))
    for span, ink in states:
        _fill(loud, page, span.start, span.end, ink)
        _fill(quiet, page, span.start, span.end, ink)


def _fill(inks: bytearray, page: HexPage, start: int, end: int, ink: int) -> None:
    first, last = max(start - page.start, 0), min(end - page.start, len(inks))
    if first < last:
        inks[first:last] = BYTE[ink] * (last - first)


def _mix(loud: bytearray, quiet: bytearray, mask: bytes) -> bytes:
    """Bytes of *loud* where the mask is 255, of *quiet* where it is 0; as whole numbers, much faster than a loop."""
    chosen = int.from_bytes(mask, "little")
    one, other = int.from_bytes(loud, "little"), int.from_bytes(quiet, "little")
    return (other ^ ((one ^ other) & chosen)).to_bytes(len(mask), "little")
