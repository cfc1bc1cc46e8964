"""The window of one plot, or of the colours of a value: modes, sides, what is under the mouse, its bytes."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from viewer.base.progress import Cancelled, Progress
from viewer.base.record import replace
from viewer.base.unseen import escaped
from viewer.base.words import grouped
from viewer.document import outline
from viewer.document.path import format_path
from viewer.document.selection import Spot
from viewer.document.visuals.colour_list import ColourList, colours_of
from viewer.document.visuals.min_max_pyramid import MinMaxPyramid
from viewer.document.visuals.plot_data import PlotData, PlotKey, plotted
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.viewport import fit_screen
from viewer.ui.visuals.palette_view import PaletteView
from viewer.ui.visuals.plot_view import PlotMode, PlotSide, PlotView
from viewer.ui.visuals.value_window import ValueWindow
from viewer.ui.worker import Job, Worker
from viewer.variant.items import Item
from viewer.variant.literal.preview import preview

SIZE = (760, 580)
PLACE = "place in the list"
READING = "Reading the numbers…"
NO_PLOT = "The value is gone."
TOO_FEW = "Fewer than two of these values are numbers or points that can be drawn."
MOST_LOOKED_AT = 1000
AT_ONCE = 1 << 18
"""A plot of a value in so few bytes is not read beside the window: it takes no time."""


class PlotDialog(ValueWindow):
    """Shows numbers, points, shapes or colours of a value, beside the window.

    Args:
        window: what it belongs to.
        session: what is open; what is chosen in the plot is selected there.
        theme: the colours.

    Signals:
        edit_wanted: a person wants to change what is selected.
    """

    edit_wanted = Signal()

    def __init__(self, window: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(window, session, theme, "plotDialog", "Plot")
        fit_screen(self, SIZE)
        self._picks = False
        self._is_turned: bool | None = None
        self._worker = Worker(self)
        self._worker.finished.connect(self._take)
        self.view = PlotView(theme)
        self.view.picked.connect(self._pick)
        self.view.pointed.connect(self._tell)
        self.view.counted.connect(self._tell_words)
        self.palette_view = PaletteView(theme)
        self.palette_view.picked.connect(self._pick)
        self.palette_view.pointed.connect(self._tell)
        self.palette_view.edit_wanted.connect(self._edit)
        self.colours: ColourList | None = None
        self._build()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        super().set_theme(theme)
        self.view.set_theme(theme)
        self.palette_view.set_theme(theme)

    def _build(self) -> None:
        self.mode = QComboBox()
        self.mode.setAccessibleName("Show as")
        self.mode.activated.connect(lambda: self.view.set_mode(self.mode.currentData()))
        self.side = QComboBox()
        self.side.setAccessibleName("Seen from")
        self.side.addItems([side.value for side in PlotSide])
        self.side.setCurrentIndex(list(PlotSide).index(self.view.side))
        self.side.activated.connect(lambda: self.view.set_side(list(PlotSide)[self.side.currentIndex()]))
        self.key, self.against = QComboBox(), QComboBox()
        self.key.setAccessibleName("Of the key")
        self.against.setAccessibleName("Against")
        self.key_row = QWidget()
        keys = QHBoxLayout(self.key_row)
        keys.setContentsMargins(0, 0, 0, 0)
        keys.setSpacing(8)
        self._labelled(keys, "Of the &key", self.key)
        self._against_label = self._labelled(keys, "a&gainst", self.against)
        keys.addStretch(1)
        for field in (self.key, self.against):
            field.activated.connect(self._choose_axes)
        row = self._lay_out(self.key_row, self.view, self.palette_view)
        self._mode_label = self._labelled(row, "Show &as", self.mode)
        self._side_label = self._labelled(row, "Seen f&rom", self.side)
        self._tools = [
            self._tool("\u2212", "Smaller (\u2212)", lambda: self.view.zoom(0.5)),
            self._tool("+", "Larger (+)", lambda: self.view.zoom(2)),
            self._tool("&Fit", "All of it (0)", self.view.fit),
        ]
        for field in (self.mode, self.side, self.key, self.against):
            field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for tool in self._tools:
            row.addWidget(tool)
        row.addStretch(1)
        self.select_button = self._button(
            "&Select in Window", "Select the value of the marked point in the window (Enter)", self._pick_marked
        )
        self.edit_button = self._button("&Edit Colour…", "Change the marked colour (Enter)", self._edit_marked)
        row.addWidget(self.select_button)
        row.addWidget(self.edit_button)

    @property
    def focus_view(self) -> QWidget:
        """The view that is shown."""
        return self.view if self.colours is None else self.palette_view

    # Showing

    def show_spot(self, spot: Spot) -> bool:
        """Show the colours or the plot of a value; a long plot is read beside the window."""
        self._is_turned = None
        colours = colours_of(spot.document, spot.item)
        if colours is None and outline.node_frame(spot.document, spot.item) is None:
            return False
        self._show_colours(spot, colours) if colours is not None else self._read(spot)
        return True

    def show_column(self, table: Spot, is_turned: bool, title: str) -> None:
        """Show the plot of a column of the table that a value is; *is_turned* where its columns are arrays."""
        self._is_turned = is_turned
        self._read(table, (title, ""))

    def _turn(self, colours: ColourList | None) -> None:
        """Show the palette or the plot, and what belongs to it."""
        self.stop()
        self.colours = colours
        is_plot = colours is None
        self.setWindowTitle("Plot" if is_plot else "Colours")
        self.palette_view.set_colours(colours)
        plain: list[QWidget] = [self.view, self.mode, self._mode_label, *self._tools, self.select_button]
        for widget in plain:
            widget.setVisible(is_plot)
        for widget in (self.side, self._side_label):
            widget.setVisible(is_plot and bool(self.view.sides))
        self.key_row.setVisible(is_plot and self.view.data is not None and bool(self.view.data.keys))
        for widget in (self.palette_view, self.edit_button):
            widget.setVisible(not is_plot)
        self.place.set_text("")

    def _show_colours(self, spot: Spot, colours: ColourList) -> None:
        self._turn(colours)
        self.stand_on(replace(spot, item=colours.item))
        self.words.set_text(colours.words)
        self._mark_selected(spot)

    def _read(self, spot: Spot, axes: tuple[str, str] = ("", "")) -> None:
        """Read numbers and pyramids beside the window."""
        self._turn(None)
        self.words.set_text(READING)
        self.path.set_text(spot.path)

        is_turned = self._is_turned

        def work(goes_on: Progress) -> tuple[Spot, PlotData | None, tuple[MinMaxPyramid, ...]]:
            try:
                data = self._data(spot, is_turned, axes, goes_on)
                pyramids = tuple(MinMaxPyramid(column, goes_on) for column in data.columns) if data is not None else ()
            except Cancelled:
                return spot, None, ()
            return spot, data, pyramids

        if len(spot.document.buffer) > AT_ONCE:
            self._worker.start(work)
            return
        job = Job(work)
        job.run()
        self._take(job)

    @staticmethod
    def _data(spot: Spot, is_turned: bool | None, axes: tuple[str, str], goes_on: Progress) -> PlotData | None:
        """The plot of a value, or of a column of the table that it is."""
        if is_turned is None:
            return plotted(spot.document, spot.item, goes_on, axes)
        from viewer.document.sheets.column_plot import column_plot

        return column_plot(spot.document, spot.item, is_turned, axes, goes_on)

    def _take(self, job: Job[tuple[Spot, PlotData | None, tuple[MinMaxPyramid, ...]]]) -> None:
        if job.error is not None:
            raise job.error
        assert job.result is not None
        spot, data, pyramids = job.result
        if data is None:
            self.view.set_data(None)
            self.words.set_text(TOO_FEW)
            return
        before, shown = self.spot, replace(spot, item=data.item)
        keeps_place = before is not None and before.path == shown.path
        self.stand_on(shown)
        self.view.set_data(data, pyramids, keeps_place)
        self.mode.clear()
        for mode in self.view.modes:
            self.mode.addItem(mode.value, mode)
        self.mode.setCurrentIndex(self.view.modes.index(self.view.mode))
        self.side.setCurrentIndex(list(PlotSide).index(self.view.side))
        self._turn_sides()
        self._offer_keys(data)
        self._tell_words()
        self._mark_selected(spot)

    def _turn_sides(self) -> None:
        for widget in (self.side, self._side_label):
            widget.setVisible(bool(self.view.sides))
        self.mode.setVisible(len(self.view.modes) > 1)
        self._mode_label.setVisible(len(self.view.modes) > 1)

    def _offer_keys(self, data: PlotData) -> None:
        """Of dictionaries, let a person choose what of them is plotted."""
        name, against = data.axes
        self.key.clear()
        self.against.clear()
        for key in data.keys:
            self.key.addItem(escaped(key.name), key.name)
        self.against.addItem(PLACE, "")
        for key in data.keys:
            if key.is_number and key.name != name:
                self.against.addItem(escaped(key.name), key.name)
        self.key.setCurrentIndex(self.key.findData(name))
        self.against.setCurrentIndex(max(0, self.against.findData(against)))
        self.key_row.setVisible(bool(data.keys))
        for widget in (self.against, self._against_label):
            widget.setVisible(PlotKey(name, True) in data.keys)

    def _choose_axes(self) -> None:
        if self.spot is not None:
            self._read(self.spot, (self.key.currentData(), self.against.currentData() or ""))

    def _tell_words(self) -> None:
        data = self.view.data
        if data is None:
            return
        words = [data.words]
        if data.is_cut:
            words.append("the first of them")
        if self.view.drawn_of > 1 and self.view.mode is not PlotMode.LINE:
            words.append(f"1 of {grouped(self.view.drawn_of)} drawn")
        self.words.set_text(" · ".join(words))
        self.view.setAccessibleName(f"Plot: {data.words}")

    def _tell(self, index: int) -> None:
        """Say what is under the mouse."""
        if self.colours is not None:
            colour = self.colours.at(index) if 0 <= index < self.colours.count else None
            shown = ", ".join(f"{channel:.4g}" for channel in colour) if colour is not None else ""
            self.place.set_text(f"[{index}]  ({shown})" if shown else "")
            return
        data = self.view.data
        if data is None:
            return
        if self.view.mode is PlotMode.HISTOGRAM:
            self.place.set_text(self.view.bin_words(self.view.mapFromGlobal(self.cursor().pos()).toPointF()))
        elif 0 <= index < data.count:
            values = ", ".join(f"{number:.7g}" for number in data.values(index))
            shown = values if len(data.columns) == 1 else f"({values})"
            self.place.set_text(f"{self._name_of(index)}  {shown}{self._row_of(index)}")
        else:
            self.place.set_text("")

    def _name_of(self, index: int) -> str:
        """What a point is called: its path, without that of the whole."""
        item, spot = self._item_at(index), self.spot
        if item is None or spot is None:
            return ""
        whole = format_path(spot.document, spot.item)
        return escaped(format_path(spot.document, item).removeprefix(whole)) or whole

    def _row_of(self, index: int) -> str:
        """What the dictionary of a point holds, in a few letters; nothing where the point lies in none of its own."""
        item, spot = self._item_at(index), self.spot
        if item is None or spot is None or item.part or item == spot.item:
            return ""
        row = outline.parent_item(spot.document, item)
        frame = outline.frame_of(spot.document, row) if row is not None and row != spot.item else None
        return f"    {escaped(preview(frame.table, row.node).text)}" if frame is not None and row is not None else ""

    # Choosing

    def _item_at(self, index: int) -> Item | None:
        if self.colours is not None:
            return self.colours.item_at(index) if 0 <= index < self.colours.count else None
        data = self.view.data
        return data.item_at(index) if data is not None and 0 <= index < data.count else None

    def _pick(self, index: int) -> None:
        """Select the value of a point or colour in the window."""
        item = self._item_at(index)
        if item is None or self.spot is None:
            return
        self._picks = True
        self._session.select_spot(replace(self.spot, item=item))
        self._picks = False
        self._tell(index)

    def _pick_marked(self) -> None:
        self._pick(self.view.marked)

    def _edit(self, index: int) -> None:
        self._pick(index)
        self.edit_wanted.emit()

    def _edit_marked(self) -> None:
        self._edit(max(0, self.palette_view.marked))

    def _mark_selected(self, spot: Spot) -> None:
        """Mark the point or colour that is selected in the window."""
        index = self._index_of(spot.item)
        if self.colours is not None:
            self.palette_view.mark(index)
        elif self.view.data is not None:
            self.view.mark(index if self.view.data.count > 1 else -1)
        if index >= 0:
            self._tell(index)

    def _index_of(self, item: Item) -> int:
        """The number of the element that an item is; of a value in an Array only the first thousand are looked at."""
        digits = item.part[1:].partition("]")[0] if item.part.startswith("[") else ""
        if digits.isdecimal():
            return int(digits)
        count = self.colours.count if self.colours is not None else self.view.data.count if self.view.data else 0
        found = (index for index in range(min(count, MOST_LOOKED_AT)) if self._item_at(index) == item)
        return next(found, -1)

    # Following

    def follow(self, spot: Spot) -> None:
        """Mark what is selected in the window, where it belongs to the plot."""
        if self._picks or self.spot is None or spot.document is not self.spot.document:
            return
        item = spot.item
        if (item.frame, item.node) == (self.spot.item.frame, self.spot.item.node) or self.spot.item == (
            outline.parent_item(spot.document, Item(item.frame, item.node)) if item.node >= 0 else None
        ):
            self._mark_selected(spot)

    def refresh(self, spot: Spot | None) -> None:
        """The bytes have changed: show the value as it is now."""
        axes = self.view.data.axes if self.view.data is not None and self.colours is None else ("", "")
        if spot is not None and any(axes):
            self._read(spot, axes)
        elif spot is None or self._is_turned is not None or not self.show_spot(spot):
            self._worker.stop()
            self.view.set_data(None)
            self.words.set_text(NO_PLOT)

    def stop(self) -> None:
        """Read and count no further."""
        self._worker.stop()
        self.view.stop()

    def clear(self) -> None:
        """Let go of numbers and colours."""
        self.colours = None
        self.view.set_data(None)
        self.palette_view.set_colours(None)
