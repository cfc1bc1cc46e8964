"""Where the steps of the path bar lie, and which of them give way when it is narrow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

CHEVRON = 18.0
MORE = 24.0
PAD = 4.0


class PieceKind(Enum):
    """What a piece of the bar is."""

    CRUMB = "crumb"
    CHEVRON = "chevron"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece: *index* is the crumb's; a chevron has that of the crumb behind it, the ellipsis that of the first
    crumb that it hides."""

    kind: PieceKind
    index: int
    rect: QRectF


@dataclass(frozen=True, slots=True)
class PathLayout:
    """The pieces from left to right, and the indexes of the crumbs that are hidden."""

    pieces: tuple[Piece, ...]
    hidden: range


def lay_out(texts: list[str], area: QRectF, normal: QFontMetricsF, strong: QFontMetricsF) -> PathLayout:
    """Lay out crumbs in *area*. The first and the last always stay; the middle is hidden from the left on."""
    last = len(texts) - 1
    widths = [(strong if k == last else normal).horizontalAdvance(text) + 2 * PAD + 1 for k, text in enumerate(texts)]
    first = 1
    total = sum(widths) + CHEVRON * last
    while total > area.width() and first < last:
        total += (MORE + CHEVRON if first == 1 else 0) - widths[first] - CHEVRON
        first += 1
    over = total - area.width()
    if over > 0 and last > 0:
        narrower = min(over, max(0.0, widths[0] - 48))
        widths[0] -= narrower
        over -= narrower
    widths[last] -= max(0.0, over)
    hidden = range(1, first)
    return PathLayout(tuple(_pieces(widths, hidden, area)), hidden)


def _pieces(widths: list[float], hidden: range, area: QRectF) -> list[Piece]:
    out: list[Piece] = []
    left = area.left()

    def add(kind: PieceKind, index: int, width: float) -> None:
        nonlocal left
        out.append(Piece(kind, index, QRectF(left, area.top(), max(0.0, width), area.height())))
        left += width

    for index, width in enumerate(widths):
        if index in hidden:
            if index == hidden.start:
                add(PieceKind.CHEVRON, index, CHEVRON)
                add(PieceKind.MORE, index, MORE)
            continue
        if index:
            add(PieceKind.CHEVRON, index, CHEVRON)
        add(PieceKind.CRUMB, index, width)
    return out
