"""Values alone, values beside bytes, or packets over both: chosen by a person, remembered for each kind of file."""

from __future__ import annotations

from collections.abc import Callable

from viewer.document.damage import kind_of
from viewer.document.document import Document
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.window.packets_controller import PacketsController
from viewer.ui.window.parts import Parts
from viewer.ui.window.work_area import PaneLayout

NO_PACKETS = "No packets are shown: open a capture, or record some in the Packets menu."


class Arrangement:
    """Shows or hides what stands beside the values.

    Where nobody chose, bytes are shown where there is room for them, and wherever something is wrong with them.

    Args:
        session: whose document is shown.
        parts: the panes.
        packets: shows the list of packets.
        settings: where a choice is kept, None to keep it for this run alone.
        say: told in words what cannot be done.
        show_inspector: shows the inspector, or hides it.
    """

    def __init__(
        self,
        session: Session,
        parts: Parts,
        packets: PacketsController,
        settings: Settings | None,
        say: Callable[[str], None],
        show_inspector: Callable[[bool], None],
    ) -> None:
        self._session, self._parts, self._packets = session, parts, packets
        self._settings, self._say, self._show_inspector = settings, say, show_inspector
        self._chosen: dict[str, bool] = {}
        self._unread: Document | None = None
        """Opened and still being read, so that nobody knows whether it is damaged, and a person has chosen nothing."""
        session.opened.connect(self._on_opened)
        session.reading.changed.connect(self._on_reading)
        parts.work.form_changed.connect(self.follow)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            "bytes": self.toggle_bytes,
            "arrange_values": self.show_values,
            "arrange_both": self.show_both,
            "arrange_packets": self.show_packets,
        }

    def follow(self, *_: object) -> None:
        """Show what fits what is open."""
        document = self._session.document
        if document is not None:
            self._show(self._wanted(document))

    def _on_opened(self) -> None:
        document = self._session.document
        self._unread = document if document is not None and document.task is not None else None
        self.follow()

    def _on_reading(self) -> None:
        document, self._unread = self._unread, self._unread if self._session.waits else None
        if document is not None and self._unread is None and document is self._session.document:
            self.follow()

    def toggle_bytes(self) -> None:
        """Show the bytes beside the values, or the values alone; from now on for all files of this kind."""
        self._choose(not self._parts.work.bytes_shown)

    def show_values(self) -> None:
        """The values have all the room."""
        self._choose(False)
        self._show_inspector(False)
        self._parts.give_keys()

    def show_both(self) -> None:
        """Values, bytes and, where there is room for it, the inspector."""
        self._choose(True)
        self._show_inspector(self._parts.work.form is PaneLayout.WIDE)

    def show_packets(self) -> None:
        """The list of packets over values and bytes."""
        self.show_both()
        if not self._packets.is_shown:
            self._say(NO_PACKETS)
            return
        self._parts.work.show_packets(True)

    def _choose(self, shown: bool) -> None:
        document = self._session.document
        if document is None:
            return
        kind, self._unread = kind_of(document), None
        self._chosen[kind] = shown
        if self._settings is not None:
            self._settings.keep_flag(f"bytes/{kind}", shown)
        self._show(shown)

    def _wanted(self, document: Document) -> bool:
        kind = kind_of(document)
        usual = self._parts.work.form is PaneLayout.WIDE or kind == "damaged"
        if kind in self._chosen:
            return self._chosen[kind]
        return self._settings.flag(f"bytes/{kind}", usual) if self._settings is not None else usual

    def _show(self, shown: bool) -> None:
        work = self._parts.work
        if shown == work.bytes_shown:
            return
        had_focus = self._parts.bytes.current.hasFocus()
        work.show_bytes(shown)
        if had_focus and not shown:
            self._parts.give_keys()
