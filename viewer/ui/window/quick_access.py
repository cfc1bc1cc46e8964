"""What makes the way short: the command palette, the list of changes, bookmarks, the tree's filter and its levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow

from viewer.base.assets import user_folder
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.tree import levels
from viewer.ui.window.bookmark_actions import BookmarkActions
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:
    from viewer.ui.tree.branch_focus import BranchBar, BranchFocus
    from viewer.ui.tree.tree_filter import TreeFilter
    from viewer.ui.tree.tree_filter_bar import FilterBar
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
        changed: told when the tree shows other rows alone.
    """

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        parts: Parts,
        settings: Settings | None,
        say: Callable[[str], None],
        changed: Callable[[], object],
    ) -> None:
        self._window, self._session, self._parts = window, session, parts
        self._settings, self._say = settings, say
        self._palette = parts.later(self._build_palette)
        self._history = parts.later(self._build_history)
        self._filter = parts.later(self._build_filter)
        self._filtering: TreeFilter | None = None
        self._branch = parts.later(self._build_branch)
        self._focusing: BranchFocus | None = None
        self._changed = changed
        folder = user_folder("bookmarks") if settings is not None else None
        self._bookmarks = BookmarkActions(session, parts, folder, say)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each of its actions does, by the action's name."""
        return {
            "palette": self.show_palette,
            "history": self.show_history,
            "filter": self.show_filter,
            "focus_branch": self.focus_branch,
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

    def focus_branch(self) -> None:
        """Show the branch of the selected value alone, or the whole tree again."""
        self._branch.get()
        self._parts.work.reveal(self._parts.tree)
        assert self._focusing is not None
        self._focusing.toggle()
        self._changed()

    def _build_branch(self, theme: Theme) -> BranchBar:
        from viewer.ui.tree.branch_focus import BranchBar, BranchFocus

        bar = BranchBar(theme)
        self._parts.tree_pane.put_over(bar)
        self._focusing = BranchFocus(self._session, self._parts.tree, bar)
        self._focusing.changed.connect(self._changed)
        return bar

    def _build_filter(self, theme: Theme) -> FilterBar:
        from viewer.ui.tree.tree_filter import TreeFilter
        from viewer.ui.tree.tree_filter_bar import FilterBar

        bar = FilterBar(theme)
        self._parts.tree_pane.put_over(bar)
        self._filtering = TreeFilter(self._session, self._parts.tree, bar)
        self._filtering.closed.connect(self._parts.give_keys)
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
