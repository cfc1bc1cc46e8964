"""One value through all versions: as a line where it is a number, and as a list."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QLineEdit, QSplitter, QWidget

from viewer.base.progress import Cancelled, Progress
from viewer.base.words import counted
from viewer.document.path import PathError
from viewer.document.timeline.version_documents import FollowedValue
from viewer.document.visuals.min_max_pyramid import Column, MinMaxPyramid
from viewer.document.visuals.plot_data import PlotData
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.timeline.timeline_parts import OpenTimeline, cells, column, flat_list, is_told, line_of_words
from viewer.ui.visuals.plot_view import PlotMode, PlotView
from viewer.ui.worker import Job, Worker
from viewer.variant.items import Item

AXES = ("value", "version")
NO_VALUE = "Select a value in the window, or write its path, to see it in all versions."


class FollowPage(QWidget):
    """Shows one value in all versions.

    Args:
        theme: the colours.
        opened: the timeline.
        chosen: gives the number of the version that the path counts in, 0 for the latest.
        when: words for a moment.

    Attributes:
        field: its path.
        plot, values: the value as a line, and in rows.
        found: what came of it last.

    Signals:
        picked: ``int``: the number of a version that a person chose.
        told: the value is shown.
    """

    picked = Signal(int)
    told = Signal()

    def __init__(
        self, theme: Theme, opened: OpenTimeline, chosen: Callable[[], int], when: Callable[[int], str]
    ) -> None:
        super().__init__()
        self._opened, self._chosen, self._when = opened, chosen, when
        self.found: list[FollowedValue] = []
        self.field = QLineEdit()
        self.field.setFont(fixed_font(Size.SECONDARY))
        self.field.setPlaceholderText("[0].player.gold")
        self.field.setAccessibleName("Path of the value that is followed")
        self.words = line_of_words()
        self.words.setText(NO_VALUE)
        self.plot = PlotView(theme)
        self.plot.setAccessibleName("The value in all versions")
        self.plot.hide()
        self.model = QStandardItemModel(0, 3, self)
        self.model.setHorizontalHeaderLabels(("Version", "Time", "Value"))
        self.values = flat_list(self.model, "The value in all versions", 2, {0: 70, 1: 152})
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(self.plot)
        halves.addWidget(self.values)
        halves.setSizes([240, 160])
        halves.setChildrenCollapsible(False)
        column(self, self.field, self.words, halves, inner=8)
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self.field.returnPressed.connect(self.follow)
        self.plot.picked.connect(self._pick)
        self.values.activated.connect(lambda index: self._pick(index.row()))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.plot.set_theme(theme)

    def offer(self, path: str) -> None:
        """Offer the path of what is selected elsewhere, until one is followed."""
        if not self.found and not self.field.hasFocus():
            self.field.setText(path)

    def show_path(self, path: str) -> None:
        """Follow a value."""
        self.found = []
        self.field.setText(path)
        self.follow()

    def follow(self) -> None:
        """Follow the value whose path was written."""
        path, versions = self.field.text().strip(), self._opened.timeline.versions
        if not path or not versions:
            self.words.setText(NO_VALUE)
            return
        number = self._chosen()
        at = next((k for k, version in enumerate(versions) if version.number == number), len(versions) - 1)
        order = [at, *range(len(versions) - 1, -1, -1)]
        documents, alone = self._opened.documents, self._opened.alone

        def work(goes_on: Progress) -> list[FollowedValue]:
            with alone():
                for place in order[:-1]:
                    try:
                        return documents.followed(versions, place, path, goes_on)
                    except PathError:
                        if not goes_on(place):
                            raise Cancelled from None
                return documents.followed(versions, order[-1], path, goes_on)

        self.words.setText("Reading the versions…")
        self._worker.start(work)

    def _take(self, job: Job[list[FollowedValue]]) -> None:
        self.model.removeRows(0, self.model.rowCount())
        if is_told(job, self.words) or job.result is None:
            self.plot.set_data(None)
            self.plot.hide()
            return
        self.found = job.result
        changed = 0
        last: FollowedValue | None = None
        for each in self.found:
            said = (each.change or each.text) if each.path else "not there"
            made = cells(str(each.version.number), self._when(each.version.at), said)
            made[1].setFont(fixed_font(Size.SECONDARY))
            made[2].setFont(fixed_font(Size.SECONDARY))
            if last is not None and not each.is_as(last):
                changed += 1
                made[0].setFont(ui_font(Size.UI, strong=True))
                made[2].setFont(fixed_font(Size.SECONDARY, strong=True))
            last = each
            self.model.appendRow(made)
        times = ("never", "once", "twice")[changed] if changed < 3 else f"{changed} times"
        self.words.setText(f"Changed {times} in {counted(len(self.found), 'version')}.")
        data, pyramids = _plotted(self.found)
        self.plot.setVisible(data is not None)
        self.plot.set_data(data, pyramids)
        self.plot.set_mode(PlotMode.PATH)
        self.told.emit()

    def _pick(self, index: int) -> None:
        if 0 <= index < len(self.found):
            self.plot.mark(index)
            self.picked.emit(self.found[index].version.number)

    def stop(self) -> None:
        """Work no more."""
        self._worker.stop()
        self.plot.stop()


def _plotted(found: Sequence[FollowedValue]) -> tuple[PlotData | None, tuple[MinMaxPyramid, ...]]:
    """The numbers of a followed value against those of the versions; where there is none, the one before stands on."""
    known = [each.number for each in found if each.number is not None]
    if len(known) < 2:
        return None, ()
    numbers, last = array("d"), known[0]
    for each in found:
        last = each.number if each.number is not None else last
        numbers.append(last)
    places = array("d", [each.version.number for each in found])
    columns = cast(Column, places), cast(Column, numbers)
    data = PlotData(Item(0, 0), counted(len(found), "version"), columns, (), lambda _: Item(0, 0), axes=AXES)
    return data, tuple(map(MinMaxPyramid, columns))
