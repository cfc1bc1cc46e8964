"""Dialogs, editors, menus and windows whatever the size of the main window: more for ``screenshots.py``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import desk_states
import doctor_states
import layout_states
from compare_states import CHANGES
from desk import Desk, Key, State, at
from desk_save import SAMPLE, write_games, write_kept
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from viewer.base import assets
from viewer.container.layer import Secret
from viewer.container.new_wrap import fresh
from viewer.document.compare.change_script import run_script
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.games.user_folders import DataFolder
from viewer.document.packets.conversation import TrafficSettings
from viewer.document.path import parse_path
from viewer.ui import dialogs
from viewer.ui.compare.compare_host import ComparedSide
from viewer.ui.compare.compare_window import CompareWindow
from viewer.ui.compare.ignored_dialog import IgnoredDialog
from viewer.ui.compare.merge_window import MergeWindow
from viewer.ui.compare.varying_dialog import VaryingDialog
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.packets.packet_dialogs import ListenDialog, MethodsDialog, PortsDialog, ProxyDialog, SendDialog
from viewer.ui.sheets.sheet_commands import ColumnDialog
from viewer.ui.visuals.picture_dialog import PictureDialog
from viewer.ui.visuals.plot_dialog import PlotDialog
from viewer.ui.window.bulk_dialog import BulkDialog
from viewer.ui.window.convert_dialog import ConvertDialog
from viewer.ui.window.games_dialog import GamesDialog
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.kept_changes_dialog import KeptChangesDialog
from viewer.ui.window.menus import TEXT
from viewer.ui.window.password_dialog import PasswordDialog
from viewer.ui.window.save_profile_dialog import SaveProfileDialog
from viewer.ui.window.shortcuts_dialog import ShortcutsDialog
from viewer.ui.window.work_guard import WorkGuard

LONG = "a save with a very long name that somebody gave it in the long winter.save"
MINE = {"[0].player.gold": "7", "[0].player.level": "18", "[0].player.health": "50.5"}
YOURS = {"[0].player.gold": "8", "[0].player.level": "19", "[0].play_time": "2.5"}
EDITED = {
    "number": "gold",
    "float": "health",
    "long-text": "story",
    "colour": "cloak",
    "vectors": "way",
    "picture-bytes": "portrait",
    "strings": "stock.item",
    "box": "areas[1]",
    "transform": "poses[2]",
}
"""By the name of its picture, a value with an editor."""
PLOTTED = {
    "line": "wave",
    "histogram": "levels",
    "points": "foes",
    "path": "way",
    "orbit": "coil",
    "areas": "areas",
    "boxes": "boxes",
    "axes": "poses",
    "palette": "colours",
}


def shown(desk: Desk, name: str, dialog: QWidget, ready: Callable[[], object] = lambda: True) -> None:
    """A dialog of its own, once it is ready."""
    dialog.show()
    desk.wait(ready)
    desk.settle(100)
    desk.shoot(name, dialog)
    dialog.close()


# Values


def editors(desk: Desk) -> None:
    """The editors of types."""
    for name, path in EDITED.items():
        desk_states.full(desk, f"[0].{path}")
        desk.do("edit_in_editor")
        card = next((each for each in desk.window.findChildren(EditorCard) if each.isVisible()), None)
        if card is None:
            desk.press(Key.Key_Escape)
            continue
        desk.settle(200)
        desk.shoot(f"editor-{name}", card)
        card.reject()
        desk.settle()
    for name in ("levels", "way", "colours"):
        desk_states.full(desk, f"[0].{name}")
        desk.do("edit_grid")
        desk.shoot(f"grid-{name}", desk.dialog())
        desk.dialog().reject()


def pictures(desk: Desk) -> None:
    """The window of a picture, and of bytes that may be one."""
    for name in ("portrait", "raw"):
        desk_states.full(desk, f"[0].{name}")
        desk.do("picture")
        dialog = desk.child(PictureDialog)
        desk.wait(lambda dialog=dialog: dialog._worker.job is None)
        desk.shoot(f"picture-{name}", dialog)
        dialog.close()


def plots(desk: Desk) -> None:
    """Each kind of plot."""
    for name, path in PLOTTED.items():
        desk_states.full(desk, f"[0].{path}")
        desk.do("plot")
        dialog = desk.child(PlotDialog)
        desk.settle(300)
        for number in range(dialog.mode.count()):
            if dialog.mode.itemText(number).lower().replace("points and ", "") == name:
                dialog.mode.setCurrentIndex(number)
                dialog.mode.activated.emit(number)
        if name == "orbit":
            dialog.side.setCurrentIndex(dialog.side.count() - 1)
            dialog.side.activated.emit(dialog.side.currentIndex())
        dialog.view.step(2)
        desk.settle(300)
        desk.shoot(f"plot-{name}", dialog)
        if name == "points":
            for box, key in ((dialog.key, "hp"), (dialog.against, "gold")):
                box.setCurrentIndex(box.findData(key))
                box.activated.emit(box.currentIndex())
            desk.settle(300)
            desk.shoot("plot-against", dialog)
        dialog.close()


def bulk(desk: Desk) -> None:
    """The form of bulk edits: empty, filled, wrong, as an expression."""
    desk_states.full(desk, "[0].foes[1].hp")
    dialog = BulkDialog(desk.window, desk.session, desk.theme)
    dialog.show()
    desk.settle(300)
    desk.shoot("bulk-empty", dialog)
    dialog.form.test.setCurrentText("is less than")
    dialog.form.operand.setText("50")
    dialog.form.new.setText("99")
    desk.wait(lambda: dialog.model.rowCount())
    desk.shoot("bulk-filled", dialog)
    dialog.form.new.setText("ninety-nine of them")
    desk.settle(600)
    desk.shoot("bulk-wrong", dialog)
    dialog.reject()


# Tables


def table_cards(desk: Desk) -> None:
    """Menus of a table, and what asks for a column and a name."""
    pane = desk_states.table(desk)
    titles = pane.view.titles
    place = QPoint(titles.sectionViewportPosition(1) + 20, 10)
    desk.menu("menu-table-column", lambda: pane._ask_column_tools(place))
    desk.menu("menu-table-cell", pane._ask_tools)
    desk.menu("menu-tables", lambda: desk.do("table_other"))
    shown(desk, "table-new-column", ColumnDialog(desk.window, desk.session.document))
    desk.asked("table-rename-column", lambda: desk.do("table_rename"))


# Files


def games(desk: Desk) -> None:
    """The games of this system: none, and some with saves."""
    with tempfile.TemporaryDirectory() as name:
        for picture in ("games-none", "games"):
            dialog = GamesDialog(desk.window, desk.theme, lambda: [DataFolder(Path(name))])
            shown(
                desk,
                picture,
                dialog,
                lambda dialog=dialog: dialog._finder.job is None and dialog._looker.job is None,  # type: ignore[misc]
            )
            write_games(Path(name))


def kept(desk: Desk) -> None:
    """Changes that an earlier run left unsaved."""
    with tempfile.TemporaryDirectory() as name:
        window, folder = desk.window, write_kept(Path(name))
        journals = JournalKeeper(window.session, lambda: window._opened.documents, folder, window._say)
        guard = WorkGuard(window, desk.session, window._opened, window._files, window._settings, journals, window._say)
        dialog = KeptChangesDialog(window, guard.journals, window._opened.add, desk.theme)
        dialog.show()
        for number in range(3):
            desk.settle(100)
            desk.shoot(f"kept-{number}", dialog)
            dialog.list.setFocus()
            desk.press(Key.Key_Down)
        dialog.close()
        journals._folders.release()


def questions(desk: Desk) -> None:
    """What is asked about files."""
    desk_states.sample(desk, "[0].player.gold")
    window, names = desk.window, ["one.save", LONG, "three.save"]
    asks: dict[str, Callable[[], object]] = {
        "unsaved": lambda: dialogs.ask_unsaved(window, LONG),
        "unsaved-several": lambda: dialogs.ask_all_unsaved(window, names),
        "changed-on-disk": lambda: dialogs.ask_changed_on_disk(window, LONG),
        "drop-changes": lambda: dialogs.ask_drop_changes(window, LONG),
        "drop-recorded": lambda: dialogs.ask_drop_recorded(window, "others take their place"),
        "read-again": lambda: dialogs.ask_read_again(window, LONG, 12),
        "large": lambda: dialogs.ask_large(window, LONG, "Very much comes out of its layers.", "1 GiB"),
        "zstd": lambda: dialogs.ask_zstd(window, "What unpacks it is not installed."),
        "save-as": lambda: dialogs.ask_save_as(window, f"“{LONG}” cannot be written: the folder is read-only."),
        "losses": lambda: dialogs.ask_losses(window, "Make it an int?", names, "&Change"),
        "references": lambda: dialogs.ask_references(window, LONG, ["[0].foes[1]", "[0].foes[2].name"]),
        "about": lambda: dialogs.about(window, "compiled"),
        "range": lambda: desk.do("select_range"),
        "insert-bytes": lambda: desk.do("insert_bytes"),
        "fill-bytes": lambda: desk.do("fill_bytes"),
    }
    for name, ask in asks.items():
        desk.asked(f"ask-{name}", ask)


def passwords(desk: Desk) -> None:
    """The question for a password, new and after a wrong one."""
    for name, wrong, hint in (
        ("password", "", ""),
        (
            "password-wrong",
            "The password is wrong: what comes out is no save.",
            "the name of the hero, in small letters",
        ),
    ):
        shown(desk, name, PasswordDialog(desk.window, desk.theme, LONG, wrong, hint))


def conversions(desk: Desk) -> None:
    """What becomes of the values for another engine line."""
    document = Document(assets.data("samples", "godot4-typed.save"), name="godot4-typed.save")
    shown(desk, "convert", ConvertDialog(desk.window, document, "godot3", desk.theme, print))


def profile_dialog(desk: Desk) -> None:
    """A profile that is made of an open file."""
    desk_states.sample(desk)
    dialog = SaveProfileDialog(desk.window, desk.session.document, None, desk.theme)
    shown(desk, "save-profile", dialog)
    dialog = SaveProfileDialog(desk.window, desk.session.document, None, desk.theme)
    dialog.game.clear()
    shown(desk, "save-profile-nameless", dialog)


def describing(desk: Desk) -> None:
    """Bytes of no value are described."""
    layout_states.guessed(desk.window)
    desk.window.settle()
    desk.asked("describe", lambda: desk.do("describe"))


def layer_menus(desk: Desk) -> None:
    """What can be done with the layers of an encrypted save."""
    secret = Secret.of_password("open sesame")
    from viewer.document.reading import ReadOptions
    from viewer.document.wraps import UnwrapOptions

    raw = fresh("gdec:2", secret).wrap(bytes(assets.data("samples", SAMPLE)))
    choice = ReadOptions(opening=UnwrapOptions(secret=secret))
    desk.session.show(Document(raw, name="encrypted.save", choice=choice))
    desk.window.settle()
    desk.menu("menu-layers", lambda: desk.window._pop_up_layers(at(desk.window)))


# Menus


def menus(desk: Desk) -> None:
    """Each menu of the bar and its submenus, as it is with a save open."""
    desk_states.sample(desk, "[0].player.gold")
    for action in desk.window.menuBar().actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        _menu_with_submenus(desk, menu)


def _menu_with_submenus(desk: Desk, menu: QMenu, name: str = "menu") -> None:
    title = f"{name}-{menu.title().replace('&', '').replace('…', '').replace(' ', '-').lower()}"
    desk.menu(title, lambda: menu.popup(at(desk.window, 0, 24)))
    menu.aboutToShow.emit()
    groups = [each.menu() for each in menu.actions() if each.menu() is not None and each.isEnabled()]
    for group in groups:
        assert isinstance(group, QMenu)
        _menu_with_submenus(desk, group, title)
    menu.aboutToHide.emit()


def other_menus(desk: Desk) -> None:
    """The menus of bytes, of a text, of packets, and of ways to read."""
    desk_states.sample(desk, "[0].player.gold")
    desk.menu("menu-readings", lambda: desk.window._menus.pop_up_readings(at(desk.window, 700, 60)))
    desk.menu("menu-of-text", lambda: desk.window._menus.pop_up(TEXT, at(desk.window, 60, 60)))
    desk.window.show_for_picture(desk_states.CAPTURE)
    desk.window.settle()
    packets = desk.window._packets._late.get()
    packets.pane.finish()
    packets.pane.table.choose(5)
    desk.menu("menu-of-packet", lambda: packets._open_row_menu(at(packets.pane)))
    desk.menu("menu-of-packets", lambda: packets._open_tools(at(packets.pane)))


def helps(desk: Desk) -> None:
    """The pages of the help, what a search in it finds, and all keys."""
    desk.do("help")
    found = desk.window._help.get()
    for row in range(found.list.count()):
        found.list.setCurrentRow(row)
        desk.settle(60)
        desk.shoot(f"help-{row}", found)
    found.field.setText("pcap")
    desk.settle(200)
    desk.shoot("help-found", found)
    found.close()
    desk.asked("shortcuts", lambda: ShortcutsDialog(desk.window).exec())


# Comparing


class Host:
    """Nobody who edits anything."""

    def edit(self, document: Document, edit: object) -> str:
        return ""

    def undo(self, document: Document) -> None:
        pass

    def show(self, document: Document, path: str) -> None:
        pass

    def side_of(self, path: Path) -> ComparedSide | None:
        return None

    def ignored(self, document: Document) -> tuple[str, ...]:
        return ()

    def keep_ignored(self, document: Document, patterns: object) -> str:
        return ""


def save(literals: dict[str, str]) -> Document:
    """The sample, with some values set."""
    document = Document(assets.data("samples", SAMPLE), name=SAMPLE)
    for path, literal in literals.items():
        document.apply(set_literal(document, parse_path(document, path), literal))
    return document


def comparing(desk: Desk) -> None:
    """Two saves beside each other, what they ignore, what varies; a merge with what both sides changed."""
    old, new = save({}), save({})
    run_script(new, CHANGES)
    window = CompareWindow(None, desk.theme, ComparedSide(old, LONG), ComparedSide(new, SAMPLE), Host())
    window.show()
    desk.wait(lambda: window.comparison is not None)
    for width in (1200, 800):
        window.resize(width, 640)
        for _ in range(3):
            window.step(1)
        desk.settle(400)
        desk.shoot(f"compare-{width}", window)
    window.close()
    shown(desk, "compare-ignored", IgnoredDialog(desk.window, ("[0].saved_at", "[0].npcs[*].mood")))
    shown(desk, "compare-varying", VaryingDialog(desk.window, desk.theme, [save(MINE), save(YOURS), save({})]))
    sides = [ComparedSide(save(each), name) for each, name in (({}, "base"), (MINE, "ours"), (YOURS, LONG))]
    merge = MergeWindow(None, desk.theme, *sides, Host())
    shown(desk, "merge", merge, lambda: merge.found is not None)
    desk_states.sample(desk)
    desk.asked("merge-sides", lambda: desk.do("merge"))


# Packets, the doctor


def packet_dialogs(desk: Desk) -> None:
    """What is asked to listen, forward, send, and to know ports and methods."""
    window = desk.window
    for name, dialog in (
        ("listen", ListenDialog(window)),
        ("proxy", ProxyDialog(window)),
        ("send", SendDialog(window, b"bytes")),
        ("ports", PortsDialog(window, TrafficSettings(), 45001)),
        ("methods", MethodsDialog(window, TrafficSettings())),
    ):
        shown(desk, f"packets-{name}", dialog)


def doctor(desk: Desk) -> None:
    """What engines do, explanations, the smallest bytes that fail, a repair beforehand."""
    doctor_states.broken(desk.window)
    for action, name in doctor_states.DIALOGS.items():
        desk.do(action)
        desk.wait(lambda name=name: _ready(desk, name))  # type: ignore[misc]
        dialog = desk.window.findChild(QDialog, name)
        if dialog is not None:
            desk.shoot(f"doctor-{action}", dialog)
            dialog.close()
    view = desk.window.findChild(doctor_states.RepairsView)
    assert view is not None
    desk.wait(lambda: view.rows)
    view.preview_asked.emit(view.rows[0].repair)
    desk.wait(lambda: _ready(desk, "repairPreview"))
    dialog = desk.window.findChild(QDialog, "repairPreview")
    if dialog is not None:
        desk.shoot("doctor-preview", dialog)
        dialog.close()


def _ready(desk: Desk, name: str) -> bool:
    dialog = desk.window.findChild(QDialog, name)
    return dialog is not None and doctor_states._is_ready(dialog)


STATES: dict[str, State] = {
    "editors": editors,
    "picture-windows": pictures,
    "plots": plots,
    "bulk": bulk,
    "table-cards": table_cards,
    "games": games,
    "kept": kept,
    "questions": questions,
    "passwords": passwords,
    "conversions": conversions,
    "profile-dialog": profile_dialog,
    "describing": describing,
    "layer-menus": layer_menus,
    "menus": menus,
    "other-menus": other_menus,
    "helps": helps,
    "comparing": comparing,
    "packet-dialogs": packet_dialogs,
    "doctor": doctor,
}
