"""Where the steps of the path bar lie: those that have no room are hidden from the left on, in work by their number."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication

from viewer.ui.panels.path_bar import PieceKind, lay_out


class Counted(QFontMetricsF):
    """Counts how often a text is measured."""

    asked = 0

    def horizontalAdvance(self, text: str) -> float:  # type: ignore[override]  # noqa: N802
        self.asked += 1
        return float(len(text) * 7)


@pytest.mark.parametrize("width", [40, 200, 333, 700, 1500, 100_000])
@pytest.mark.parametrize("count", [1, 2, 3, 10, 60])
def test_what_is_shown_fits_and_no_more_is_hidden_than_must(qapp: QApplication, width: int, count: int) -> None:
    metrics = Counted(QFont())
    texts = [f"step {k}" for k in range(count)]
    found = lay_out(texts, QRectF(0, 0, width, 20), metrics, metrics)
    crumbs = [piece.index for piece in found.pieces if piece.kind is PieceKind.CRUMB]
    assert crumbs == [k for k in range(count) if k not in found.hidden]
    assert found.pieces[-1].rect.right() <= width or width == 40
    if len(crumbs) > 2:
        taken = found.pieces[-1].rect.right()
        before = metrics.horizontalAdvance(texts[found.hidden[-1]]) if found.hidden else 0
        assert not found.hidden or taken + before + 9 + 18 > width or len(found.hidden) == 1
    assert metrics.asked <= count + 1


def test_many_steps_are_added_up_once(qapp: QApplication) -> None:
    metrics = Counted(QFont())
    found = lay_out(["x"] * 200_000, QRectF(0, 0, 400, 20), metrics, metrics)
    assert len(found.hidden) > 199_000
    assert metrics.asked == 200_000
