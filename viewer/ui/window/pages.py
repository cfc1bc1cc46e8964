"""The page in the middle of the window: the panes, or where to begin while there is nothing to show in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.window.file_actions import FileActions
from viewer.ui.window.packet_place import PacketPlace
from viewer.ui.window.parts import Parts
from viewer.ui.window.settings import Settings

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.panels.empty_state import EmptyState


class Pages:
    """Turns the pages of a window.

    Args:
        session, packets: know whether there is anything to show.
        parts: hold the pages.
        files: opens what is chosen on the page to begin with.
        settings: knows the recent files, None for none.
    """

    def __init__(
        self, session: Session, parts: Parts, packets: PacketPlace, files: FileActions, settings: Settings | None
    ) -> None:
        self._session, self._parts, self._packets = session, parts, packets
        self._files, self._settings = files, settings
        self._empty = parts.later(self._build_empty)
        packets.shown_changed.connect(self.turn)

    def turn(self) -> None:
        """Show the page that fits what is open."""
        if self._session.document is not None or self._packets.is_shown:
            self._parts.pages.setCurrentWidget(self._parts.work)
        else:
            self._show_empty()

    def mark_drop(self, hovers: bool) -> None:
        """Show that what hangs over the window may be dropped, where there is a place for that."""
        if self._empty.part is not None:
            self._empty.part.drop.set_dragging(hovers)

    def _show_empty(self) -> None:
        from viewer.ui.window.samples import samples

        empty = self._empty.get()
        empty.set_recent(self._settings.recent if self._settings is not None else [])
        empty.set_samples(samples())
        empty.drop.set_keeps(self._settings is None or self._settings.backups > 0)
        self._parts.pages.setCurrentWidget(empty)
        empty.drop.open_button.setFocus()

    def _build_empty(self, theme: Theme) -> EmptyState:
        from viewer.ui.panels.empty_state import EmptyState

        empty = EmptyState(theme)
        empty.open_requested.connect(self._files.open)
        empty.paste_requested.connect(self._files.paste)
        empty.sample_requested.connect(self._files.open_sample)
        empty.file_requested.connect(self._open_named)
        self._parts.pages.addWidget(empty)
        return empty

    def _open_named(self, name: str) -> None:
        self._files.open_path(Path(name))
