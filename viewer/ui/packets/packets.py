"""Packets: the pane with all that can be done with it, in one piece for the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from viewer.base.buffer import Buffer
from viewer.document.packets.conversation import Told
from viewer.document.packets.source import CaptureSource, PacketSource
from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.packets.commands import MeaningActions, PacketCommands, Slots
from viewer.ui.packets.entries import AT_ROW, BY_NAME, COPY_MENU, ENTRIES, KEEP_MENU
from viewer.ui.packets.live_actions import LiveActions
from viewer.ui.packets.pane import PacketsPane
from viewer.ui.window.entry import MenuEntry


class Packets(QObject):
    """A pane of packets, its actions and its menus.

    Args:
        theme: its colours.
        say: told in words what was done.
        fail: told in words what could not be done.

    Attributes:
        pane: the widget.
        commands, live, meaning: what its actions do.
    """

    def __init__(self, theme: Theme, say: Callable[[str], None], fail: Callable[[str], None]) -> None:
        super().__init__()
        self._theme = theme
        self.pane = PacketsPane(theme)
        self.commands = PacketCommands(self.pane, say, fail)
        self.live = LiveActions(self.pane, say, fail)
        self.meaning = MeaningActions(self.pane)
        self._slots: Slots = {**self.commands.slots(), **self.live.slots(), **self.meaning.slots()}
        self.meaning.said.connect(self._read_again)
        self.pane.reload_requested.connect(self.read_again)
        self.pane.menu_requested.connect(self._open_row_menu)
        self.pane.tools_requested.connect(self._open_tools)

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        self.pane.set_theme(theme)

    def open_capture(self, buffer: Buffer) -> None:
        """List the packets of a capture, which is read while there is time.

        Raises:
            CaptureError: it is none.
        """
        self.show_source(CaptureSource(buffer, self.meaning.told))

    def show_source(self, source: PacketSource | None) -> None:
        """List other packets; recording is stopped, and what was recorded is let go."""
        self.live.leave()
        self.pane.drop_filter()
        self.pane.show_source(source)

    def read_again(self) -> None:
        """Read the capture from its start."""
        self._read_again(self.meaning.told)

    def _read_again(self, told: Told) -> None:
        source = self.pane.source
        row = self.pane.table.chosen if self.pane.table.by_hand else None
        if isinstance(source, CaptureSource):
            self.pane.show_source(source.again(told))
        else:
            self.live.tell(told)
        if row is not None:
            self.pane.choose_later(row)

    @property
    def has_recorded(self) -> bool:
        """Whether there is anything recorded that closing would lose."""
        return bool(self.live.recording is not None and self.live.recording.records)

    def close(self) -> None:
        """Stop all threads; for the end of the program."""
        self.live.leave()

    # Actions by name, for the menus of the window and for those here

    def run(self, name: str) -> None:
        """Do what an entry says."""
        self._slots[name]()

    def why_not(self, name: str) -> str:
        """Why an entry cannot be chosen now, in words; empty where it can."""
        return self.commands.why_not(name) or self.live.why_not(name)

    def is_on(self, name: str) -> bool:
        """Whether a switch is on."""
        return name == "control_packets" and self.pane.shows_control

    def fill(self, menu: QMenu, names: Iterable[str | None]) -> None:
        """Put entries into a menu, as they can be chosen now."""
        menu.setToolTipsVisible(True)
        for name in names:
            if name is None:
                menu.addSeparator()
            elif name == KEEP_MENU:
                continue  # the menu bar has it
            elif name == COPY_MENU:
                self._add_copy_menu(menu, BY_NAME[name])
            else:
                self._add(menu, BY_NAME[name])
        menu.triggered.connect(self._on_triggered)

    def keep(self, most: int) -> None:
        """Keep so many packets of what is recorded from the next start on."""
        self.live.most = most

    def _add(self, menu: QMenu, entry: MenuEntry) -> None:
        keys = QKeySequence(entry.keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if entry.keys else ""
        action = menu.addAction(f"{entry.text}\t{keys}" if keys else entry.text)  # shown only: the window has the keys
        why = self.why_not(entry.name)
        action.setObjectName(entry.name)
        action.setData(entry.name)
        action.setEnabled(not why)
        action.setToolTip(plain_tip(why or entry.tip))
        action.setCheckable(entry.checkable)
        action.setChecked(self.is_on(entry.name))
        if entry.icon:
            action.setIcon(icon(entry.icon, self._theme))

    def _add_copy_menu(self, menu: QMenu, entry: MenuEntry) -> None:
        below = menu.addMenu(entry.text)
        below.setToolTipsVisible(True)
        below.setIcon(icon(entry.icon, self._theme))
        self.commands.fill_copy_menu(below)
        below.triggered.connect(self.commands.copy_chosen)

    def _on_triggered(self, action: QAction) -> None:
        if action.data() in self._slots:
            self.run(action.data())

    def _open_row_menu(self, at: QPoint) -> None:
        self._open(AT_ROW if self.pane.packet is not None else ("listen", "proxy"), at)

    def _open_tools(self, at: QPoint) -> None:
        self._open([entry.name if entry is not None else None for entry in ENTRIES], at)

    def _open(self, names: Iterable[str | None], at: QPoint) -> None:
        menu = QMenu(self.pane)
        menu.setObjectName("packetsMenu")
        menu.aboutToHide.connect(menu.deleteLater)
        self.fill(menu, names)
        menu.popup(at)
