"""Make the pictures of the window: those of the README, or with --all every state in both themes and several sizes.

Needs no screen. Run it in the environment the program is installed in: ``python tools/screenshots.py [--all FOLDER]``.

``--desk FOLDER`` makes all that a save editor meets: windows, cards, dialogs and menus, in each theme and size, or in
one by ``--theme dark --size 900x600``; ``--cards`` only what does not depend on the size. The scale comes from the
environment: ``QT_SCALE_FACTOR=1.5 python tools/screenshots.py --desk FOLDER``. The pictures lie in
``FOLDER/THEME-WxH@SCALE`` and ``FOLDER/cards-THEME@SCALE``; a line ``CUT`` is printed for each text without the room
that it needs.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import compare_states
import desk
import desk_cards
import desk_states
import doctor_states
import layout_states
import text_states
import wrap_states
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from viewer.base import assets
from viewer.document.document import Document
from viewer.ui.hex.view import HexView
from viewer.ui.look.theme import ThemeController
from viewer.ui.packets.packets_view import Packets
from viewer.ui.packets.pane import PacketsPane
from viewer.ui.tree.view import TreeView
from viewer.ui.window.app import make_application
from viewer.ui.window.bulk_dialog import BulkDialog
from viewer.ui.window.main_window import MainWindow

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
CAPTURES = {
    "udp": "godot3/packets/udp.pcap",
    "enet": "godot3/packets/enet_rpc_none.pcap",
    "godot4": "network/packets/g4_enet_fastlz.pcap",
}
"""By name, a capture among the golden bytes."""
PANE_WIDTHS = (760, 1000, 1400)
PANE_HEIGHT = 290
SAMPLE = "godot3-rpg.save"
MOMENT = 1500
"""Milliseconds that searches take at most to show what they found in the sample."""
TRIES = 10
THEMES = ("light", "dark")
SIZES = ((1000, 640), (1400, 900), (1920, 1080))
DESK_SIZES = ((900, 600), (1280, 800), (1920, 1080))
SCREEN = (2560, 1440)
"""Of the screen that pictures of the desk are made on, before it is scaled."""
FOLDERS = ("CONFIG", "DATA", "STATE", "CACHE")


def show(window: MainWindow, name: str) -> None:
    """Open a sample."""
    window.session.show(Document(assets.data("samples", name), name=name))


def main_state(window: MainWindow) -> None:
    """A save with a nested value selected."""
    show(window, SAMPLE)
    window.session.go_to_place("[0].player.target")


def editing(window: MainWindow) -> None:
    """A value being edited, with what is wrong about it."""
    show(window, SAMPLE)
    window.session.go_to_place("[0].player.gold")
    window.settle()
    window.findChild(object, "edit_value").trigger()
    field = QApplication.focusWidget()
    if field is not None:
        QTest.keyClicks(field, "9223372036854775808")


def empty(window: MainWindow) -> None:
    """Nothing open."""
    window.session.show(None)


def at(path: str, action: str = "", text: str = "") -> Callable[[MainWindow], None]:
    """A state: the sample at a place, after an action, with a text typed into what has the focus then."""

    def state(window: MainWindow) -> None:
        show(window, SAMPLE)
        window.session.go_to_place(path)
        window.settle()
        if action:
            window.findChild(object, action).trigger()
            QApplication.processEvents()
        field = QApplication.focusWidget()
        if text and field is not None:
            QTest.keyClicks(field, text)
            QTest.qWait(MOMENT)

    return state


def several(window: MainWindow) -> None:
    """Several rows selected, after they were moved."""
    at("[0].inventory[1]")(window)
    tree = window.findChild(TreeView)
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    window.findChild(object, "move_down").trigger()


def history(window: MainWindow) -> None:
    """The list of changes after some."""
    several(window)
    window.findChild(object, "history").trigger()


def insert_mode(window: MainWindow) -> None:
    """Bytes typed into a text, and the offer to make its length true."""
    at("[0].player.name")(window)
    window.session.go_to(window.session.caret + 10)
    hex_view = window.findChild(HexView)
    hex_view.setFocus()
    window.findChild(object, "insert_mode").trigger()
    QTest.keyClicks(hex_view, "414243")


STATES: dict[str, Callable[[MainWindow], None]] = {
    "main": main_state,
    "edit": editing,
    "empty": empty,
    "several": several,
    "rename": at("[0].player.gold", "rename_key"),
    "chooser": at("[0].inventory[0]", "insert_after", "vec"),
    "insert-mode": insert_mode,
    "replace": at("[0]", "replace", "sword"),
    "table": at("[0].inventory[1].count", "table"),
    "values": at("[0].player.gold", "arrange_values"),
    "palette": at("[0]", "palette", "move"),
    "filter": at("[0]", "filter", "gold"),
    "history": history,
    **wrap_states.STATES,
    **doctor_states.STATES,
    **layout_states.STATES,
    **text_states.STATES,
}
CARDS = {
    "number": "[0].player.gold",
    "text": "[0].player.name",
    "colour": "[0].player.hair",
    "vector": "[0].player.position",
    "matrix": "[0].player.transform",
    "path": "[0].player.target",
}
"""By name, a value whose editor is a card of its own."""


def picture(controller: ThemeController, state: str, theme: str, size: tuple[int, int], path: Path) -> None:
    """One state in one theme and size."""
    controller.choose(theme)
    window = MainWindow(None, controller)
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    window.resize(QSize(*size))
    window.show()
    QTest.qWaitForWindowExposed(window)
    STATES[state](window)
    window.settle()
    path.parent.mkdir(parents=True, exist_ok=True)
    window.grab().save(str(path))
    for action in ("stop_live", "clear_live"):
        window.findChild(object, action).trigger()
    window.session.show(None)
    window.close()
    QApplication.processEvents()


def editors(controller: ThemeController, theme: str, folder: Path) -> None:
    """The editors of some types, the grid and the preview of a bulk edit."""
    controller.choose(theme)
    window = MainWindow(None, controller)
    window.show()
    show(window, SAMPLE)
    for name, path in (*CARDS.items(), ("grid", "[0].player.attributes")):
        window.session.go_to_place(path)
        window.findChild(object, "edit_grid" if name == "grid" else "edit_in_editor").trigger()
        card = window.findChild(QDialog)
        QApplication.processEvents()
        card.grab().save(str(folder / f"editor-{name}-{theme}.png"))
        card.close()
        QApplication.processEvents()
    dialog = BulkDialog(window, window.session, controller.theme)
    dialog.form.which.setCurrentIndex(0)
    dialog.form.what.setEditText("count")
    dialog.form.become.setCurrentText("is multiplied by")
    dialog.form.new.setText("2")
    dialog.show()
    for _ in range(TRIES):
        QTest.qWait(MOMENT)
        if dialog.model.rowCount():
            break
    dialog.grab().save(str(folder / f"bulk-{theme}.png"))
    dialog.close()
    wrap_states.wrong_password(window, controller.theme, folder / f"password-{theme}.png")
    doctor_states.pictures(window, theme, folder)
    window.session.show(None)
    window.close()
    QApplication.processEvents()


def packet_lists(controller: ThemeController, theme: str, folder: Path) -> None:
    """The list of packets by itself: captures in several widths, a filter that cannot be read, and nothing."""
    controller.choose(theme)
    for name, path in CAPTURES.items():
        for width in PANE_WIDTHS:
            packets = Packets(controller.theme, print, print)
            packets.open_capture((ROOT / "tests" / "data" / path).read_bytes())
            packets.pane.finish()
            packets.pane.table.choose(20)
            packets.pane.title.filter.line.setText("size > big" if name == "udp" and width == PANE_WIDTHS[0] else "")
            pane_picture(packets.pane, width, folder / f"packets-{name}-{width}-{theme}.png")
            packets.close()
    packets = Packets(controller.theme, print, print)
    pane_picture(packets.pane, PANE_WIDTHS[1], folder / f"packets-none-{theme}.png")


def pane_picture(pane: PacketsPane, width: int, path: Path) -> None:
    """The pane of packets in one width."""
    pane.resize(width, PANE_HEIGHT)
    pane.show()
    pane.ask_filter()
    QApplication.processEvents()
    pane.grab().save(str(path))
    pane.close()
    pane.deleteLater()
    QApplication.processEvents()


def scale() -> str:
    """The scale of the windows, as folders name it."""
    return f"{float(os.environ.get('QT_SCALE_FACTOR', '1')):g}"


def stand_alone(folder: str) -> None:
    """Have a screen that is large enough, and nothing of what the person keeps; before Qt begins."""
    for name in FOLDERS:
        os.environ[f"XDG_{name}_HOME"] = str(Path(folder, name.lower()))
    wide, high = (round(side * float(scale())) for side in SCREEN)
    screen = {"name": "desk", "x": 0, "y": 0, "width": wide, "height": high, "logicalDpi": 96, "dpr": 1.0}
    path = Path(folder, "screens.json")
    path.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={path}"


def desk_pictures(options: argparse.Namespace) -> None:
    """All pictures of the desk, in the wanted themes and sizes."""
    with tempfile.TemporaryDirectory() as folder:
        stand_alone(folder)
        controller = ThemeController(make_application())
        sizes = [tuple(map(int, options.size.split("x")))] if options.size else DESK_SIZES
        for theme in [options.theme] if options.theme else THEMES:
            controller.choose(theme)
            places = [(*size, f"{theme}-{size[0]}x{size[1]}@{scale()}") for size in sizes if not options.cards]
            for wide, high, name in places:
                states = {name: _of_window(name, state) for name, state in STATES.items()} | desk_states.STATES
                made = desk.make(controller, states, (wide, high), Path(options.desk, name), options.only)
                print("MADE", name, len(made), flush=True)
            if not options.size:
                into = Path(options.desk, f"cards-{theme}@{scale()}")
                made = desk.make(controller, desk_cards.STATES, DESK_SIZES[1], into, options.only)
                print("MADE", into.name, len(made), flush=True)


def _of_window(name: str, state: Callable[[MainWindow], None]) -> desk.State:
    """A state of the window alone as one of the desk."""

    def shown(sat: desk.Desk) -> None:
        state(sat.window)
        sat.window.settle()
        sat.shoot(name)

    return shown


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", metavar="FOLDER", help="every state and editor into this folder")
    parser.add_argument("--desk", metavar="FOLDER", help="all that a save editor meets into folders in this one")
    parser.add_argument("--theme", choices=THEMES, help="with --desk: in this theme alone")
    parser.add_argument("--size", metavar="WxH", help="with --desk: windows of this size alone, without cards")
    parser.add_argument("--cards", action="store_true", help="with --desk: cards and dialogs alone")
    parser.add_argument("--only", metavar="STATE", nargs="+", default=(), help="with --desk: these states alone")
    options = parser.parse_args()
    if options.desk:
        desk_pictures(options)
        return
    controller = ThemeController(make_application())
    if options.all is None:
        for theme in THEMES:
            picture(controller, "main", theme, SIZES[1], DOCS / f"main-{theme}.png")
        picture(controller, "malformed", "light", SIZES[1], DOCS / "broken-light.png")
        picture(controller, "text-encrypted", "light", SIZES[1], DOCS / "text-light.png")
        picture(controller, "table", "light", SIZES[1], DOCS / "table-light.png")
        picture(controller, "values", "dark", SIZES[1], DOCS / "values-dark.png")
        picture(controller, "text-mistakes", "dark", SIZES[1], DOCS / "text-mistakes-dark.png")
        compare_states.compared(controller, "light", DOCS / "compare-light.png")
        return
    for state in STATES:
        for theme in THEMES:
            for size in SIZES:
                name = f"{state}-{size[0]}x{size[1]}-{theme}.png"
                picture(controller, state, theme, size, Path(options.all) / name)
    for theme in THEMES:
        compare_states.compared(controller, theme, Path(options.all) / f"compare-{theme}.png")
        editors(controller, theme, Path(options.all))
        packet_lists(controller, theme, Path(options.all))


if __name__ == "__main__":
    main()
