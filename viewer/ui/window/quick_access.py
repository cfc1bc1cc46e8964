"""What makes the way short: the command palette, the list of changes, bookmarks, the tree's filter and its levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow

from viewer.base.assets import user_folder
from viewer.ui.look.palette import Theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.tree import levels
from viewer.ui.window.bookmark_actions import BookmarkActions
from viewer.ui.window.parts import Parts
from viewer.ui.window.work_area import PaneLayout

if TYPE_CHECKING:
    from viewer.ui.tree.tree_filter import FilterBar, TreeFilter
    from viewer.ui.window.command_palette import Palette
    from viewer.ui.window.history_list import HistoryList


class QuickAccess:
    """Builds each of these when it is first asked for.

    Args:
        window: over which they lie.
        session: what is open.
        parts: the panes.
        settings: what to remember, None to remember nothing.
        say: told in words what was done.
    """

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        parts: Parts,
        settings: Settings | None,
        say: Callable[[str], None],
    ) -> None:
        self._window, self._session, self._parts = window, session, parts
        self._settings, self._say = settings, say
        self._palette = parts.later(self._build_palette)
        self._history = parts.later(self._build_history)
        self._filter = parts.later(self._build_filter)
        self._filtering: TreeFilter | None = None
        folder = user_folder("bookmarks") if settings is not None else None
        self._bookmarks = BookmarkActions(session, parts, folder, say)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each of its actions does, by the action's name."""
        return {
            "palette": self.show_palette,
            "history": self.show_history,
            "filter": self.show_filter,
            **levels.slots(self._parts.tree, self._say),
            "bookmark": self._bookmarks.toggle,
            "next_bookmark": self._bookmarks.next,
            "previous_bookmark": self._bookmarks.previous,
            "bookmarks": self._bookmarks.show_list,
        }

    def show_palette(self) -> None:
        """Show or hide the command palette."""
        self._palette.get().toggle()

    def show_filter(self) -> None:
        """Go to the filter over the tree."""
        self._filter.get()
        self._parts.work.reveal(self._parts.tree)
        assert self._filtering is not None
        self._filtering.focus()

    def _build_filter(self, theme: Theme) -> FilterBar:
        from viewer.ui.tree.tree_filter import FilterBar, TreeFilter

        bar = FilterBar(theme)
        self._parts.tree_pane.put_over(bar)
        self._filtering = TreeFilter(self._session, self._parts.tree, bar)
        self._filtering.closed.connect(self._parts.tree.setFocus)
        return bar

    def show_history(self) -> None:
        """Show or hide the list of changes."""
        self._history.get().toggle()

    def _build_history(self, theme: Theme) -> HistoryList:
        from viewer.ui.window.history_list import HistoryList

        return HistoryList(theme, self._parts, self._session)

    def _build_palette(self, theme: Theme) -> Palette:
        from viewer.ui.window.command_palette import Palette

        recent = self._settings.recent_commands if self._settings is not None else []
        return Palette(theme, self._window, self._session, recent, self._keep_recent)

    def _keep_recent(self, keys: list[str]) -> None:
        if self._settings is not None:
            self._settings.recent_commands = keys


# What a window takes over from its last run: its place and shape, the panes, zoom, bytes a row, theme.

SIZE = (1280, 800)


class WindowState:
    """Restores a window, and keeps what a person chooses in it.

    Args:
        window: whose place and shape it is.
        parts: its panes.
        theme: follows the choice of a theme.
        settings: where it is kept, None to restore and keep nothing.
    """

    def __init__(self, window: QMainWindow, parts: Parts, theme: ThemeController, settings: Settings | None) -> None:
        self._window, self._parts, self._theme, self._settings = window, parts, theme, settings
        parts.hex.zoom_changed.connect(self._keep_zoom)

    def restore(self) -> None:
        """Give the window the shape it had, before it is shown."""
        self._window.resize(*SIZE)
        if self._settings is not None:
            self._window.restoreGeometry(self._settings.state("geometry"))
            self._parts.hex.set_row_width(self._settings.row_width)
            self._parts.hex.set_zoom(self._settings.zoom)
            self._parts.work.show_inspector(self._settings.flag("inspector", default=True))

    def restore_panes(self) -> None:
        """Give the panes the widths they had, once they are laid out."""
        if self._settings is not None:
            self._parts.work.restore_state(self._settings.state("panes"))

    def keep_shape(self) -> None:
        """Remember the shape of the window and its panes."""
        if self._settings is not None:
            self._settings.keep_state("geometry", self._window.saveGeometry())
            self._settings.keep_state("panes", self._parts.work.save_state())
            if self._parts.work.form is PaneLayout.WIDE:
                self._settings.keep_flag("inspector", self._parts.work.inspector_shown)

    def choose_theme(self, name: str) -> None:
        """Wear another theme, in later runs too."""
        self._theme.choose(name)
        if self._settings is not None:
            self._settings.theme = name

    def choose_row_width(self, columns: int) -> None:
        """Show so many bytes a row, in later runs too."""
        self._parts.hex.set_row_width(columns)
        self._parts.work.share_width()
        if self._settings is not None:
            self._settings.row_width = columns

    def _keep_zoom(self, pixels: int) -> None:
        if self._settings is not None:
            self._settings.zoom = pixels
