"""The journeys of ARCHITECTURE.md: the hops are really called, in the order in which the page has them."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.ui.doctor.finder import SearchProgress
from viewer.ui.text.line_view import TextView
from viewer.ui.window.main_window import MainWindow

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "resources" / "samples"
PATIENCE = 20_000
MENDED = "04000000 04000000 4D697261"


def hops(heading: str) -> list[str]:
    """The hops of the journey below a heading."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    found = text.partition(f"### {heading}\n")[2]
    return re.findall(r"^\d+\. `([^`]+)`", re.split(r"^##", found, maxsplit=1, flags=re.MULTILINE)[0], re.MULTILINE)


@contextmanager
def calls(wanted: list[str]) -> Iterator[list[str]]:
    """The calls of these functions, in their order, in every thread that begins meanwhile."""
    paths = {hop: f"{hop.partition(':')[0].replace('.', '/')}.py" for hop in wanted}
    known = {(paths[hop], hop.partition(":")[2]): hop for hop in wanted}
    seen: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            at = code.co_filename.replace("\\", "/").rfind("viewer/")
            hop = known.get((code.co_filename[at:].replace("\\", "/"), code.co_qualname)) if at >= 0 else None
            if hop is not None:
                seen.append(hop)

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]


def first_not_reached(wanted: list[str], seen: list[str]) -> str | None:
    """The first hop that does not follow the one before it; None where all do."""
    rest = iter(seen)
    return next((hop for hop in wanted if hop not in rest), None)


def paint(window: MainWindow) -> None:
    QApplication.processEvents()
    window.grab()


def test_from_a_file_to_painted_rows(window: MainWindow) -> None:
    wanted = hops("Open a save, to painted rows")
    with calls(wanted) as seen:
        assert window.open_path(SAMPLES / "godot3-rpg.save") is None
        paint(window)
    assert first_not_reached(wanted, seen) is None


def test_from_a_key_to_changed_bytes_and_back(window: MainWindow) -> None:
    window.open_path(SAMPLES / "godot3-rpg.save")
    session = window.session
    session.go_to_place("[0].player.level")
    paint(window)
    document = session.document
    assert document is not None
    before = bytes(document.buffer[:])
    window._parts.tree.setFocus()
    wanted = hops("Edit an int, and undo it")
    with calls(wanted) as seen:
        QTest.keyClick(window._parts.tree, Qt.Key.Key_F2)
        QTest.keyClicks(QApplication.focusWidget(), "77")
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        changed = bytes(document.buffer[:])
        QTest.keyClick(window._parts.tree, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert before != changed
    assert bytes(document.buffer[:]) == before
    assert first_not_reached(wanted, seen) is None


def test_from_a_key_in_a_text_to_its_bytes(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    path.write_bytes(b'{"gold": 12, "name": "Ada"}')
    window.open_path(path)
    view, document = window._parts.bytes.current, window.session.document
    assert isinstance(view, TextView)
    assert document is not None
    view.setFocus()
    view.set_caret(len(b'{"gold": 12'))
    wanted = hops("Type a key into a text")
    with calls(wanted) as seen:
        QTest.keyClicks(view, "5")
        window.session.settle()
    assert bytes(document.to_be_written()[:]) == b'{"gold": 125, "name": "Ada"}'
    assert first_not_reached(wanted, seen) is None


def test_from_a_broken_packet_to_an_applied_repair(qtbot: QtBot, window: MainWindow) -> None:
    wanted = hops("Mend a broken packet")
    with calls(wanted) as seen:
        window.open_path(SAMPLES / "broken-packet.bin")
        place = window._doctor._repairs.part
        assert place is not None
        qtbot.waitUntil(lambda: place.finder.state is SearchProgress.DONE, timeout=PATIENCE)
        repair = place.finder.repairs[0]
        place.preview(repair)
        qtbot.waitUntil(lambda: bool(window.findChildren(object, "repairPreview")), timeout=PATIENCE)
        QApplication.activeModalWidget().accept()
    document = window.session.document
    assert document is not None
    assert bytes.fromhex(MENDED) in bytes(document.buffer[:])
    window._doctor.leave()
    assert first_not_reached(wanted, seen) is None


@pytest.mark.parametrize("seen", [[], ["b", "a"], ["a", "c"]])
def test_a_hop_that_is_not_taken_is_seen(seen: list[str]) -> None:
    assert first_not_reached(["a", "b"], seen) is not None
