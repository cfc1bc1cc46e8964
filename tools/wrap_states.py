"""States of the window with wraps, packets and files that change: more pictures for ``screenshots.py``."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from viewer.base import assets
from viewer.container.layer import KeyWrong, Secret
from viewer.container.new_wrap import fresh
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.ui.look.palette import Theme
from viewer.ui.packets.live_traffic import RecordingRequest
from viewer.ui.packets.pane import PacketsPane
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.password_dialog import PasswordDialog
from viewer.ui.window.work_guard import WorkGuard

SAMPLE = "godot3-rpg.save"
SECRET = Secret.of_password("open sesame")
ROOT = Path(__file__).parent.parent
CALLS = ROOT / "tests" / "data" / "network" / "packets" / "g4_enet_none.pcap"
CHANGED = {"gold": "99999", "level": "18", "name": '"Hilda"'}
PACKETS = 24
MOMENT = 800


def encrypted() -> bytes:
    """The sample in two wraps."""
    return fresh("base64", None).wrap(fresh("gdec:2", SECRET).wrap(bytes(assets.data("samples", SAMPLE)[:])))


def layers(window: MainWindow) -> None:
    """An encrypted save, opened."""
    choice = ReadOptions(opening=UnwrapOptions(secret=SECRET))
    window.session.show(Document(encrypted(), name="encrypted.save", choice=choice))
    window.session.go_to_place("[0].player.gold")


def outer_layer(window: MainWindow) -> None:
    """The bytes of the encrypted layer."""
    layers(window)
    window.session.show_layer(1)


def closed(window: MainWindow) -> None:
    """An encrypted save whose password nobody knows."""
    window.session.show(Document(encrypted(), name="encrypted.save"))


def calls(window: MainWindow) -> None:
    """A capture of ENet with a call chosen."""
    window.show_for_picture(CALLS)
    window.settle()
    pane = window.findChild(PacketsPane)
    source = pane.source
    row = next(row for row in range(source.first, source.end) if source.packet(row).message.kind == "call")
    pane.table.choose(row)
    QApplication.processEvents()


def live(window: MainWindow) -> None:
    """Packets that are recorded while one looks."""
    packets = window.findChild(object, "listen")
    assert packets is not None
    window._packets._show()
    part = window._packets._late.get()
    value = bytes.fromhex("02000000")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    part.live.start(RecordingRequest("127.0.0.1", port))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(PACKETS):
            sender.sendto(value + number.to_bytes(4, "little"), ("127.0.0.1", port))
    QTest.qWait(MOMENT)


def changed(window: MainWindow) -> None:
    """A save that the game has written again."""
    folder = Path(tempfile.mkdtemp())
    path = folder / "game.save"
    path.write_bytes(assets.data("samples", SAMPLE))
    journals = JournalKeeper(window, lambda: window._opened.documents, folder, window._say)
    WorkGuard(window, window.session, window._opened, window._files, window._settings, journals, window._say)
    window.open_path(path)
    window.session.go_to_place("[0].player.gold")
    other = Document.open(path)
    for name, text in CHANGED.items():
        other.apply(set_literal(other, parse_path(other, f"[0].player.{name}"), text))
    other.save(backup=0)
    window._files.reload()
    QTest.qWait(MOMENT)


def wrong_password(window: MainWindow, theme: Theme, path: Path) -> None:
    """The question for a password after a wrong one."""
    wrong = Document(
        encrypted(), choice=ReadOptions(opening=UnwrapOptions(secret=Secret.of_password("wrong")))
    ).wraps.blocked
    assert isinstance(wrong, KeyWrong)
    dialog = PasswordDialog(window, theme, "encrypted.save", str(wrong))
    dialog.show()
    QApplication.processEvents()
    dialog.grab().save(str(path))
    dialog.close()


STATES: dict[str, Callable[[MainWindow], None]] = {
    "layers": layers,
    "outer-layer": outer_layer,
    "closed": closed,
    "calls": calls,
    "live": live,
    "changed": changed,
}
