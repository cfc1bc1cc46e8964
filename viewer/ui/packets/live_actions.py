"""What can be done with live traffic: listen, stand between, stop, start again, clear, save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QObject

from viewer.document.files import FileProblem
from viewer.document.packets.conversation import Told
from viewer.document.packets.live.sockets import LiveError
from viewer.document.packets.source import MOST_RECORDS, Recording
from viewer.document.shown.counts import counted
from viewer.ui.packets.dialogs import EndsDialog, ListenDialog, ProxyDialog
from viewer.ui.packets.live import Ear, Wanted
from viewer.ui.packets.pane import PacketsPane

PCAPNG = "Captures (*.pcapng)"
NOT_RECORDED = "Nothing is being recorded"
RUNS = "It is recording already"
NEVER = "Nothing was recorded yet"
NO_RECORDS = "There is nothing recorded"


class LiveActions(QObject):
    """Starts, stops and saves what a pane lists.

    Args:
        pane: what lists it.
        say: told in words what was done.
        fail: told in words what could not be done.

    Attributes:
        recording: what was heard, None while a capture or nothing is listed.
        told: what a person said about the traffic, for the next recording.
    """

    def __init__(self, pane: PacketsPane, say: Callable[[str], None], fail: Callable[[str], None]) -> None:
        super().__init__(pane)
        self._pane, self._say, self._fail = pane, say, fail
        self.recording: Recording | None = None
        self.told = Told()
        self.most = MOST_RECORDS
        self._last: dict[type[EndsDialog], Wanted] = {}
        self._number = 1
        pane.bar.stop_requested.connect(self.stop)
        pane.bar.start_requested.connect(self.start_again)
        pane.bar.clear_requested.connect(self.clear)
        pane.bar.save_requested.connect(self.save)

    def slots(self) -> dict[str, Callable[[], object]]:
        """The actions by name."""
        return {
            "listen": self.ask_listen,
            "proxy": self.ask_proxy,
            "stop_live": self.stop,
            "start_live": self.start_again,
            "clear_live": self.clear,
            "save_live": self.save,
        }

    def why_not(self, name: str) -> str:
        """Why an action cannot be chosen now, empty where it can."""
        live, recording = self._pane.live, self.recording
        if name == "stop_live" and not live.state.is_running:
            return NOT_RECORDED
        if name == "start_live" and (live.wanted is None or live.state.is_running):
            return RUNS if live.state.is_running else NEVER
        if name in ("clear_live", "save_live") and (recording is None or not recording.records):
            return NO_RECORDS
        return ""

    def ask_listen(self) -> None:
        """Ask where to listen."""
        self._ask(ListenDialog(self._pane.window(), self._last.get(ListenDialog)))

    def ask_proxy(self) -> None:
        """Ask where to listen and whom to forward to."""
        self._ask(ProxyDialog(self._pane.window(), self._last.get(ProxyDialog)))

    def start(self, wanted: Wanted) -> bool:
        """Record; whether that is possible. What was recorded before stays in the list."""
        self.stop()
        try:
            ear = open_ear(wanted, self._number)
        except LiveError as error:
            self._fail(str(error))
            return False
        recording = self.recording
        if recording is None:
            recording = self.recording = Recording(self.told, self.most)
        self._last[ProxyDialog if wanted.server is not None else ListenDialog] = wanted
        self._pane.live.start(wanted, ear, recording.add)
        if self._pane.source is not recording:
            self._pane.drop_filter()
            self._pane.show_source(recording)
        return True

    def start_again(self) -> None:
        """Record on the same port as before."""
        if self._pane.live.wanted is not None:
            self.start(self._pane.live.wanted)

    def stop(self) -> None:
        """Stop recording; the packets stay."""
        self._pane.live.stop()
        if self.recording is not None and self.recording.records:
            self._number = self.recording.records[-1].number + 1

    def clear(self) -> None:
        """Forget what was recorded."""
        if self.recording is not None:
            self.recording.clear()
            self._pane.live.count_anew()
            self._pane.forget()

    def tell(self, told: Told) -> None:
        """Take up what was recorded anew, with what a person says about it."""
        self.told = told
        if self.recording is not None:
            self.recording = self.recording.again(told)
            self._pane.live.put_into(self.recording.add)
            self._pane.show_source(self.recording)

    def leave(self) -> None:
        """Stop, and have nothing to do with what the pane lists from now on."""
        self.stop()
        self.recording, self._number = None, 1
        self._pane.live.end()

    def save(self) -> None:
        """Ask for a file, and write what was recorded to it."""
        if self.why_not("save_live"):
            self._say(f"{NO_RECORDS}.")
            return
        name, _ = QtWidgets.QFileDialog.getSaveFileName(
            self._pane.window(), "Save recorded packets", "recorded.pcapng", PCAPNG
        )
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Write what was recorded to a file."""
        from viewer.container.capture import CaptureError

        assert self.recording is not None
        path = path if path.suffix else path.with_suffix(".pcapng")
        try:
            count = self.recording.save(path)
        except (FileProblem, CaptureError) as error:
            self._fail(f"“{path.name}” was not written. {error}")
        else:
            self._say(f"Saved {counted(count, 'packet')} to “{path.name}”.")

    def _ask(self, dialog: EndsDialog) -> None:
        dialog.answered.connect(self.start)
        dialog.show()


def open_ear(wanted: Wanted, first: int = 1) -> Ear:
    """Listen, and forward where that is wanted; the first record gets the number *first*.

    Raises:
        LiveError: that is not possible; the text says why.
    """
    from viewer.document.packets.live.listener import Recorder
    from viewer.document.packets.live.proxy import Proxy

    if wanted.server is None:
        return Recorder(wanted.port, wanted.host, first=first)
    return Proxy(wanted.port, wanted.server, wanted.host, first=first)
