"""The window by keyboard alone: Tab goes through everything and out, letters are not given twice, Enter presses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair import Repair
from viewer.document.document import Document
from viewer.document.packets.conversation import TrafficSettings
from viewer.document.reading import ReadOptions
from viewer.ui.dialogs import (
    ask_all_unsaved,
    ask_changed_on_disk,
    ask_drop_changes,
    ask_drop_recorded,
    ask_large,
    ask_losses,
    ask_unsaved,
    ask_zstd,
)
from viewer.ui.doctor.finder import SearchProgress
from viewer.ui.doctor.repairs_controller import PreviewDialog
from viewer.ui.doctor.repairs_view import RepairsView
from viewer.ui.packets.entries import AT_ROW, BY_NAME
from viewer.ui.packets.packet_dialogs import MethodsDialog, PortsDialog, SendDialog
from viewer.ui.panels.inspector_numbers import NumbersGrid
from viewer.ui.panels.inspector_parts import PartsView
from viewer.ui.panels.panel_widgets import FlatButton
from viewer.ui.panels.row_list import RowList
from viewer.ui.window.journal_keeper import JournalKeeper
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.menus import BYTES, TREE
from viewer.ui.window.password_dialog import PasswordDialog
from viewer.ui.window.work_guard import WorkGuard
from viewer.variant.dialect import load

Key, Reason = Qt.Key, Qt.FocusReason
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()
BROKEN = RPG.replace(b"\x04\x00\x00\x00gold", b"\xff\xff\xff\x7fgold", 1)
"""A length that lies: there is an error, and repairs of it."""
PLAIN_TYPES = ("Nil", "Dictionary", "Array", "Object", "RID", "Callable", "Signal")
"""These have no editor of their own."""
MOST_BYTES = 400
MOST = 120
ASKING = (
    *("insert_bytes", "fill_bytes", "select_range", "bulk_edit", "engines", "explain", "shortcuts", "listen", "proxy"),
    *("edit_in_editor", "about"),
)


def show(window: MainWindow, raw: bytes = RPG) -> None:
    window.session.show(Document(raw))
    window.activateWindow()
    window._parts.tree.setFocus()


@pytest.fixture(autouse=True)
def _searched_once(searched_once: None) -> None:
    """Nothing here is about the search for repairs."""


def repairs_of(window: MainWindow, qtbot: QtBot) -> RepairsView:
    """The repairs of a broken save, found and shown."""
    show(window, BROKEN)
    window._doctor.show_repairs(True)
    view = window.findChild(RepairsView)
    assert view is not None
    qtbot.waitUntil(lambda: view._finder.state is SearchProgress.DONE, timeout=20_000)
    assert view.rows[0].is_open
    window.settle()
    window._parts.tree.setFocus()
    return view


def stops(root: QWidget) -> list[QWidget]:
    """What can have the focus by Tab; radio buttons and the like that are one group count as they are."""
    tab = Qt.FocusPolicy.TabFocus
    return [
        each
        for each in root.findChildren(QWidget)
        if each.isVisible()
        and each.isEnabled()
        and each.focusPolicy() & tab == tab
        and each.focusProxy() is None
        and each.window() is root
        and not (isinstance(each, QAbstractButton) and each.group() is not None)
    ]


def passed(root: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> list[QWidget]:
    """What has the focus, press by press, until it is where it began."""
    found: list[QWidget] = []
    start = root.focusWidget()
    for _ in range(MOST):
        now = root.focusWidget()
        assert now is not None
        found.append(now)
        QTest.keyClick(now, key, modifiers)
        if root.focusWidget() is start and len(set(found)) > 1:
            break
    return found


def check_tab(root: QWidget) -> list[QWidget]:
    there, back = passed(root, Key.Key_Tab, PLAIN), passed(root, Key.Key_Backtab, SHIFT)
    for way in (there, back):
        missed = [each for each in stops(root) if each not in way]
        assert not missed
        assert len(way) < MOST
    return there


# Tab


@pytest.mark.parametrize("panes", ["plain", "problems", "found", "filter", "layers"])
def test_tab_and_shift_tab_go_through_all_of_the_window(window: MainWindow, qtbot: QtBot, panes: str) -> None:
    show(window)
    if panes == "problems":
        window._panes.toggle_problems()
    elif panes == "found":
        window._panes.toggle_results()
    elif panes == "filter":
        window._actions["filter"].trigger()
    elif panes == "layers":
        window.open_path(corpus.DATA / "breaks" / "ctrl-tab-after-insert.gcpf")
    window._parts.tree.setFocus()
    check_tab(window)


def test_tab_goes_through_the_repairs_and_out_of_them(window: MainWindow, qtbot: QtBot) -> None:
    view = repairs_of(window, qtbot)
    way = check_tab(window)
    heads = [way.index(row.head) for row in view.rows]
    assert heads == sorted(heads)
    opened = view.rows[0]
    first = way.index(opened.head)
    assert way[first : first + 3] == opened.stops


def test_tab_goes_through_the_list_of_packets(window: MainWindow) -> None:
    window.open_path(corpus.capture_file("enet_rpc_none.pcap"))
    window.settle()
    window._parts.tree.setFocus()
    check_tab(window)


def test_nothing_of_the_repairs_is_a_window_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    repairs_of(window, qtbot)
    assert [each for each in QApplication.topLevelWidgets() if each.isVisible()] == [window]


def open_dialog(window: MainWindow, name: str, look: Callable[[QDialog], None]) -> None:
    """Have an action ask for a dialog, look at it, and leave it by Escape."""
    open_by(window, name, window._actions[name].trigger, look)


def open_by(window: MainWindow, name: str, ask: Callable[[], object], look: Callable[[QDialog], None]) -> None:
    """Ask for a dialog, look at it, and leave it by Escape."""
    seen: list[QDialog] = []

    def do() -> None:
        dialog = QApplication.activeModalWidget() or next(
            (each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()), None
        )
        if not isinstance(dialog, QDialog):
            return
        seen.append(dialog)
        try:
            look(dialog)
        finally:
            QTest.keyClick(dialog, Key.Key_Escape)
            if dialog.isVisible():
                seen.clear()
                dialog.done(0)

    QTimer.singleShot(0, window, do)
    ask()
    if not seen:
        QApplication.processEvents()
        do() if not seen else None
    assert seen, f"{name} asks nothing, or Escape does not leave it"


@pytest.mark.parametrize("name", ASKING)
def test_tab_goes_through_every_dialog_and_escape_leaves_it(window: MainWindow, name: str) -> None:
    show(window)
    window.session.go_to_place("[0].player.name")

    def look(dialog: QDialog) -> None:
        dialog.activateWindow()
        focus = dialog.focusWidget() or next(iter(stops(dialog)))
        focus.setFocus()
        if len(stops(dialog)) > 1:
            check_tab(dialog)

    open_dialog(window, name, look)


def asked(window: MainWindow, folder: Path) -> dict[str, Callable[[], object]]:
    """What else asks something, by names; each is called to do so."""
    theme, names = window._theme.theme, ["one.save", "two.save", "three.save"]
    journals = JournalKeeper(window.session, lambda: window._opened.documents, folder, window._say)
    guard = WorkGuard(window, window.session, window._opened, window._files, window._settings, journals, window._say)

    def preview() -> None:
        repair = Repair(Cause.PREFIX_EXTRA, "Something happened.", "Nothing says so.", 0.5)
        PreviewDialog(window, repair, Document(RPG), theme).open()

    def shrink() -> None:
        show(window, BROKEN)
        window._doctor.shrink()

    return {
        "preview": preview,
        "shrink": shrink,
        "password": PasswordDialog(window, theme, "one.save").exec,
        "wrong password": PasswordDialog(window, theme, "one.save", "It does not fit.").exec,
        "send": SendDialog(window, b"bytes").open,
        "ports": PortsDialog(window, TrafficSettings(), 45001).open,
        "methods": MethodsDialog(window, TrafficSettings()).open,
        "recover": lambda: guard.show_kept(theme),
        "unsaved": lambda: ask_unsaved(window, "one.save"),
        "several unsaved": lambda: ask_all_unsaved(window, names),
        "changed on disk": lambda: ask_changed_on_disk(window, "one.save"),
        "drop changes": lambda: ask_drop_changes(window, "one.save"),
        "drop recorded": lambda: ask_drop_recorded(window, "yesterday"),
        "large": lambda: ask_large(window, "one.save", "Very much comes out.", "1 GiB"),
        "zstd": lambda: ask_zstd(window, "It is not installed."),
        "losses": lambda: ask_losses(window, "Make it an int?", names, "&Change"),
    }


ASKED = (
    *("preview", "shrink", "password", "wrong password", "send", "ports", "methods", "recover", "unsaved"),
    *("several unsaved", "changed on disk", "drop changes", "drop recorded", "large", "zstd", "losses"),
)


def check_dialog(dialog: QDialog) -> None:
    """Tab goes through all of it, and no letter is given twice."""
    dialog.activateWindow()
    focus = dialog.focusWidget()
    assert focus is not None, "nothing has the focus"
    focus.setFocus()
    if len(stops(dialog)) > 1:
        check_tab(dialog)
    labels = [each.text() for each in dialog.findChildren(QLabel) if each.isVisible() and each.buddy() is not None]
    assert not twice([*labels, *(b.text() for b in dialog.findChildren(QAbstractButton) if b.isVisible())])


@pytest.mark.parametrize("name", ASKED)
def test_every_question_is_answered_by_keys_and_left_by_escape(window: MainWindow, name: str, tmp_path: Path) -> None:
    show(window)
    asks = asked(window, tmp_path)
    assert set(asks) == set(ASKED)
    open_by(window, name, asks[name], check_dialog)
    QApplication.processEvents()
    assert window.focusWidget() is window._parts.tree


@pytest.mark.parametrize("line", ["godot2", "godot3", "godot4"])
def test_every_value_editor_is_worked_by_keys_and_left_by_escape(window: MainWindow, line: str) -> None:
    seen, numbers = set[str](), set[int]()
    for row in corpus.vectors(line):
        raw = corpus.vector_bytes(row)
        number = int.from_bytes(raw[:2], "little")
        if number in numbers or len(raw) > MOST_BYTES:
            continue
        numbers.add(number)
        window.session.show(Document(raw, choice=ReadOptions(load(line), framing=FramingKind.BARE)))
        window._parts.tree.setFocus()
        tree = window._parts.tree
        kind = tree.tree_model.facts(tree.tree_model.index(0, 0)).type
        if kind in seen or kind in PLAIN_TYPES:
            continue
        tree.set_current(tree.tree_model.index(0, 0))
        seen.add(kind)
        open_dialog(window, "edit_in_editor", check_dialog)
        assert window.focusWidget() is tree
    assert len(seen) > 15


# Letters


def twice(texts: Iterable[str]) -> dict[str, list[str]]:
    """The letters that more than one text claims."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for text in texts:
        letter = QKeySequence.mnemonic(text).toString()
        if letter:
            found[letter].append(text)
    return {letter: claims for letter, claims in found.items() if len(claims) > 1}


def menus(menu: QMenu) -> Iterable[QMenu]:
    menu.aboutToShow.emit()
    yield menu
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from menus(below)


def test_no_menu_gives_a_letter_twice(window: MainWindow) -> None:
    show(window)
    bar = [action for action in window.menuBar().actions() if action.isVisible()]
    assert not twice(action.text() for action in bar)
    for top in bar:
        first = top.menu()
        assert isinstance(first, QMenu)
        for menu in menus(first):
            assert not twice(action.text() for action in menu.actions()), menu.title()


def test_no_menu_at_the_mouse_gives_a_letter_twice(window: MainWindow) -> None:
    for names in (TREE, BYTES):
        assert not twice(window._actions[name].text() for name in names if name is not None)
    assert not twice(BY_NAME[name].text for name in AT_ROW if name is not None)


@pytest.mark.parametrize("name", ASKING)
def test_no_dialog_gives_a_letter_twice(window: MainWindow, name: str) -> None:
    show(window)
    window.session.go_to_place("[0].player.name")

    def look(dialog: QDialog) -> None:
        labels = [each.text() for each in dialog.findChildren(QLabel) if each.isVisible() and each.buddy() is not None]
        assert not twice([*labels, *(b.text() for b in dialog.findChildren(QAbstractButton) if b.isVisible())])

    open_dialog(window, name, look)


# The repairs


def test_ctrl_r_goes_to_repairs_that_are_shown_and_only_then_closes_them(window: MainWindow, qtbot: QtBot) -> None:
    view = repairs_of(window, qtbot)
    assert not view.isAncestorOf(QApplication.focusWidget())  # type: ignore[arg-type]
    window._actions["repairs"].trigger()
    assert view.isVisible()
    assert QApplication.focusWidget() is view.rows[0].head
    window._actions["repairs"].trigger()
    assert not view.isVisible()


@pytest.mark.parametrize("number", [1, 2])
def test_enter_presses_the_button_of_a_repair_that_has_the_focus(window: MainWindow, qtbot: QtBot, number: int) -> None:
    view = repairs_of(window, qtbot)
    button = view.rows[0].stops[number]
    assert isinstance(button, QPushButton)
    pressed: list[str] = []
    button.clicked.disconnect()
    button.clicked.connect(lambda: pressed.append(button.text()))
    button.setFocus()
    QTest.keyClick(button, Key.Key_Return)
    assert pressed == [button.text()]


# Focus that is seen


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", [RowList, PartsView])
def test_a_list_shows_that_it_has_the_focus(window: MainWindow, qtbot: QtBot, kind: type[QWidget], dark: bool) -> None:
    window._theme.choose("dark" if dark else "light")
    show(window)
    window._panes.toggle_problems()
    view = next(each for each in window.findChildren(kind) if each.isVisible())
    focus = window._theme.theme.ui.focus

    def line() -> list[bool]:
        shot = view.viewport().grab().toImage()  # type: ignore[attr-defined]
        return [shot.pixelColor(x, y) == focus for y in (0, 1) for x in (shot.width() // 2, shot.width() - 1)]

    assert not any(line())
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert all(line())


def test_the_focus_is_marked_as_before_when_it_comes_back(window: MainWindow) -> None:
    """From a menu, a dialog or another program; what was pressed with the mouse has no ring then either."""
    show(window)
    buttons = [each for each in window.findChildren(FlatButton) if each.isVisible() and each.isEnabled()]
    places = [buttons[0], window._parts.path_bar, window.findChild(NumbersGrid)]
    for place in places:
        assert isinstance(place, QWidget)
        for reason, marked in ((Reason.TabFocusReason, True), (Reason.MouseFocusReason, False)):
            window._parts.tree.setFocus()
            place.setFocus(reason)
            for back in (Reason.ActiveWindowFocusReason, Reason.PopupFocusReason):
                place.clearFocus()
                plain = place.grab().toImage()
                place.setFocus(back)
                assert (place.grab().toImage() != plain) is marked, (place, reason, back)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", [*ASKING, "packed"])
def test_whatever_has_the_focus_in_a_dialog_looks_like_it(window: MainWindow, name: str, dark: bool) -> None:
    """A line of the focus' colour at its left edge; of the text's, where the ground is as blue as the line.

    Choices are drawn by Qt's own style, which marks them in a shade of its own.
    """
    window._theme.choose("dark" if dark else "light")
    show(window)
    window.session.go_to_place("[0].player.name")
    if name == "packed":
        floats = bytes.fromhex("15000000 08000000") + bytes(4 * 8)
        window.session.show(Document(floats, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE)))
        window._parts.tree.set_current(window._parts.tree.tree_model.index(0, 0))

    ui = window._theme.theme.ui

    def look(dialog: QDialog) -> None:
        dialog.activateWindow()
        for each in stops(dialog):
            if not isinstance(each, (QAbstractScrollArea, QLineEdit, QPushButton)):
                continue
            each.setFocus(Qt.FocusReason.TabFocusReason)
            QApplication.processEvents()
            assert each.hasFocus()
            shot = dialog.grab(each.rect().translated(each.mapTo(dialog, QPoint()))).toImage()
            edge = [shot.pixelColor(x, shot.height() // 2) for x in range(5)]
            assert ui.focus in edge or ui.text in edge, f"no focus is seen on {type(each).__name__} {each.objectName()}"

    open_dialog(window, {"packed": "edit_in_editor"}.get(name, name), look)


def test_the_list_of_shortcuts_has_room_for_its_lines(window: MainWindow) -> None:
    def look(dialog: QDialog) -> None:
        area = dialog.findChild(QScrollArea, "shortcutsArea")
        assert area is not None
        assert area.verticalScrollBar().maximum() > 0
        assert area.horizontalScrollBar().maximum() == 0

    open_dialog(window, "shortcuts", look)
