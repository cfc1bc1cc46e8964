"""The plot of a column of a table: its numbers in the order of the rows or against those of another column."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import cast

from viewer.base.progress import Cancelled, Progress
from viewer.base.words import counted
from viewer.document.document import Document
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_cells import cell_data
from viewer.document.sheets.sheet_finding import open_sheet
from viewer.document.visuals.min_max_pyramid import CHUNK, Column
from viewer.document.visuals.plot_data import MOST_VALUES, PlotData, PlotKey, Point, numbers_in
from viewer.variant.dialect import Kind
from viewer.variant.items import Item
from viewer.variant.read import read_shallow

LOOKED_AT = 64
"""So many rows are looked at for a number or a point that says what a column holds."""
MOST_COLUMNS = 500
READ = 1 << 20
"""So many bytes of the table are read between two looks at whether that may go on."""


def column_plot(
    document: Document, holder: Item, is_turned: bool, axes: tuple[str, str], progress: Progress | None = None
) -> PlotData | None:
    """The plot of a column; None where fewer than two of its cells hold numbers or points.

    Args:
        document, holder, is_turned: the table, see :func:`~viewer.document.sheets.sheet_finding.open_sheet`.
        axes: the title of the column, and of the one that its numbers are set against, empty for the rows.
        progress: told how many rows are read.

    Raises:
        Cancelled: *progress* said so.
    """
    sheet = open_sheet(document, holder, is_turned)
    while not sheet.is_read:
        sheet.read_on(READ)
        if progress is not None and not progress(0):
            raise Cancelled
    titles = [column.title for column in sheet.columns]
    if axes[0] not in titles:
        return None
    found = {title: _width(sheet, number) for number, title in reversed(list(enumerate(titles[:MOST_COLUMNS])))}
    keys = tuple(
        PlotKey(title, width == 1) for title in dict.fromkeys(titles[:MOST_COLUMNS]) if (width := found[title])
    )
    width = found.get(axes[0]) or _width(sheet, titles.index(axes[0]))
    if not width:
        return None
    against = axes[1] if width == 1 and found.get(axes[1]) == 1 and axes[1] != axes[0] else ""
    columns = [titles.index(name) for name in (against, axes[0]) if name]
    cells: list[Item] = []
    points = [array("d") for _ in range(width + bool(against))]
    for item, point in _points(sheet, columns, progress):
        if len(point) == len(points):
            cells.append(item)
            for numbers, value in zip(points, point, strict=True):
                numbers.append(value)
    if len(cells) < 2:
        return None
    told = f" of “{axes[0]}”" + (f" against “{against}”" if against else "")
    noun = "number" if len(points) == 1 else "point"
    return PlotData(
        holder,
        f"{counted(len(cells), noun)}{told}",
        tuple(cast(Column, numbers) for numbers in points),
        (),
        cells.__getitem__,
        sheet.rows > MOST_VALUES,
        keys,
        (axes[0], against),
    )


def _points(sheet: Sheet, columns: list[int], progress: Progress | None) -> Iterator[tuple[Item, Point]]:
    """Of each row the last of some cells, and the numbers in all of them, where each has some."""
    for row in range(min(sheet.rows, MOST_VALUES)):
        if progress is not None and row % CHUNK == 0 and not progress(row):
            raise Cancelled
        point: Point = ()
        item = None
        for column in columns:
            item = sheet.cell(row, column)
            numbers = _numbers(sheet, item)
            if numbers is None:
                item = None
                break
            point += numbers
        if item is not None:
            yield item, point


def _numbers(sheet: Sheet, item: Item | None) -> Point | None:
    """The numbers of a cell; None where it is missing or holds none."""
    if item is None:
        return None
    if item.part:
        return numbers_in(cell_data(sheet, item))
    row = sheet.ground.row(item.node)
    return numbers_in(read_shallow(sheet.table, item.node).data) if row is not None and row.kind is Kind.FIXED else None


def _width(sheet: Sheet, column: int) -> int:
    """How many axes the values of a column have, by the first that has any; 0 where none of its first cells has."""
    for row in range(min(sheet.rows, LOOKED_AT)):
        numbers = _numbers(sheet, sheet.cell(row, column))
        if numbers is not None:
            return len(numbers) if len(numbers) <= 3 else 0
    return 0
