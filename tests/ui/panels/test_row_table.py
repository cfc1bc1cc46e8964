"""A table of rows: its texts and headings, and that other rows take the place of those that are shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from viewer.ui.panels.row_table import RowTable

Role = Qt.ItemDataRole


class Names(RowTable[tuple[str, str]]):
    HEADINGS = ("Name", "Says")

    def text(self, row: tuple[str, str], column: int) -> str:
        return row[column]


def test_rows_are_shown_below_their_headings_and_others_in_their_place(qtbot: QtBot) -> None:
    table = Names([("a", "<b>")])
    tester = QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.show_rows([("c", "d"), ("e", "<i>f</i>")])
    assert (table.rowCount(), table.columnCount(), table.rowCount(table.index(0, 0))) == (2, 2, 0)
    assert [table.headerData(k, Qt.Orientation.Horizontal) for k in range(2)] == ["Name", "Says"]
    assert [[table.index(row, k).data() for k in range(2)] for row in range(2)] == [["c", "d"], ["e", "<i>f</i>"]]
    assert "<i>" not in table.index(1, 1).data(Role.ToolTipRole)  # a text of a file is no markup
    assert table.index(0, 0).data(Role.FontRole) is None
    assert tester.model() is table
