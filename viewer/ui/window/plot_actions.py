"""Show the plot or the colours of the selected value."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from viewer.document.selection import Spot
from viewer.document.visuals.colour_list import colours_of
from viewer.document.visuals.plot_data import may_be_plotted
from viewer.ui.look.palette import Theme
from viewer.ui.session import WAITS, Session
from viewer.ui.visuals.plot_dialog import PlotDialog

NOTHING = "Nothing to plot here: arrays of numbers, vectors and colours, rectangles, boxes and transforms can be shown."


class PlotActions:
    """Opens the window of plots and colours.

    Args:
        window: its parent.
        session: knows the selected value.
        theme: the colours.
        edit: opens the editor of the selected value.
    """

    def __init__(self, window: QWidget, session: Session, theme: Theme, edit: Callable[[], object]) -> None:
        self._window, self._session, self._theme, self._edit = window, session, theme, edit
        self._dialog: PlotDialog | None = None

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        if self._dialog is not None:
            self._dialog.set_theme(theme)

    def show(self) -> None:
        """Show the plot or the colours of the selected value, or of what it lies in."""
        spot = self._session.spot
        document, item = (spot.document, spot.item) if spot is not None else (None, None)
        if document is None or item is None or not (colours_of(document, item) or may_be_plotted(document, item)):
            self._session.failed.emit(WAITS if self._session.waits else NOTHING)
            return
        assert spot is not None
        dialog = self._built()
        dialog.show_spot(spot)
        dialog.bring_up(dialog.focus_view)

    def show_column(self, table: Spot, is_turned: bool, title: str) -> None:
        """Show the plot of a column of a table.

        Args:
            table: what the table is made of.
            is_turned: whether its columns are arrays.
            title: what stands over the column.
        """
        dialog = self._built()
        dialog.show_column(table, is_turned, title)
        dialog.bring_up(dialog.focus_view)

    def _built(self) -> PlotDialog:
        if self._dialog is None:
            self._dialog = PlotDialog(self._window, self._session, self._theme)
            self._dialog.edit_wanted.connect(lambda: self._edit())
        return self._dialog
