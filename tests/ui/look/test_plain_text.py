"""Texts of files in the window: shown as they are, never read as HTML, and nothing that they name is opened."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from corpus import DATA
from packet_lists import Talk, put, record, store_of
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QImage, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QMenu,
    QMessageBox,
    QTabBar,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from viewer.base.unseen import MIXED
from viewer.document.packets.packet_source import PacketSource
from viewer.ui import dialogs
from viewer.ui.doctor.explain_card import PlainBrowser
from viewer.ui.doctor.finder import SearchProgress
from viewer.ui.look.palette import theme
from viewer.ui.look.plain_text import PlainLabel, in_menu, in_title, plain_tip, set_box_text
from viewer.ui.packets.packets_view import Packets
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.password_dialog import PasswordDialog
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.printing import quoted
from viewer.variant.value import Array, Dictionary, NodePath, ObjectFull, Value

HELPERS = ("plain_text.py", "plain_page.py")
UI = Path(__file__).parents[3] / "viewer" / "ui"
TOOLTIP_SAVE = DATA / "broken" / "rich-text-tooltip.save"
ITEM_ROLES = (
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture that a text could have shown."""
    path = tmp_path / "seen.png"
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(path))
    return path


def evil(picture: Path | str, place: str = "") -> str:
    """HTML that shows a picture, and says in which place of a file it stood."""
    return f"<b>{place}</b><img src='{picture}' width=300 height=200>&lt;"


class Loads(QTextDocument):
    """Text as Qt lays it out, and what it wanted to open for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.setHtml(text) if GuiQt.mightBeRichText(text) else self.setPlainText(text)

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802  # Qt's name
        self.asked.append(str(name))
        return None


def shown_by(text: str) -> str:
    """What a person sees of a text that Qt may take for HTML; fails where something is opened for it."""
    page = Loads(text)
    page.setTextWidth(400)
    page.size()
    assert page.asked == [], text
    assert "<img" in page.toPlainText() or "img" not in text, text
    return page.toPlainText()


# The helper


@pytest.mark.parametrize(
    "text",
    [
        "<img src='x'>",
        "<b>bold</b>",
        "a < b > c & d",
        "&lt;b&gt;",
        "<?xml version='1.0'?>",
        "<!doctype html><p>x",
        "<p style=\"background:url('x')\">a</p>",
        "<script>x</script>",
        "plain",
        "two\nlines\n<i>x</i>",
        "  blanks   stay <b> here",
        "<a href='file:///x'>y</a>",
        "",
    ],
)
def test_a_tooltip_shows_its_text_as_it_is(text: str) -> None:
    page = Loads(plain_tip(text))
    assert page.toPlainText() == text
    assert page.asked == []


def test_a_tooltip_of_a_plain_text_is_that_text() -> None:
    assert plain_tip("3 < 4\nand on") == "3 < 4\nand on"


def test_a_tooltip_is_bounded_and_shows_escapes() -> None:
    assert len(plain_tip("<b>" * 100_000)) < 40_000
    assert plain_tip("a\u202eb\x1bc") == "a\\u202eb\\u001bc"


def test_a_name_in_a_menu_or_title_has_no_signs_of_qt() -> None:
    assert in_menu("a&b\tc\u202e") == "a&&b\\tc\\u202e"
    assert in_title("a[*]b\x1b") == "a[*][*]b\\u001b"


def test_a_label_shows_its_text_as_it_is(qtbot: QtBot, picture: Path) -> None:
    label = PlainLabel(evil(picture))
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.sizeHint().height() < 60
    label.setText("x\x9b\u2066")
    assert label.text() == "x\\u009b\\u2066"


def test_a_box_shows_its_texts_as_they_are(qtbot: QtBot, picture: Path) -> None:
    box = QMessageBox()
    qtbot.addWidget(box)
    set_box_text(box, evil(picture), evil(picture))
    assert box.textFormat() is Qt.TextFormat.PlainText
    assert box.text() == evil(picture)
    assert shown_by(box.informativeText()) == evil(picture)
    box.ensurePolished()
    assert box.sizeHint().height() < 190


def test_a_page_loads_nothing(qtbot: QtBot, picture: Path) -> None:
    page, other = PlainBrowser(), QTextBrowser()
    for each in (page, other):
        qtbot.addWidget(each)
        each.setHtml(f"<img src='{picture}'>")
        each.document().setTextWidth(800)
    assert other.document().size().height() > 200  # so would it look
    assert page.document().size().height() < 100


# The source


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """Everything in the source of the window but the helpers themselves."""
    paths = [path for path in sorted(UI.rglob("*.py")) if path.name not in HELPERS]
    return [(path, node) for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    for path, node in nodes():
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            yield f"{path.relative_to(UI)}:{node.lineno}", name, node


def is_own(node: ast.expr) -> bool:
    """Whether words stand in the source: they are ours."""
    if isinstance(node, ast.IfExp):
        return is_own(node.body) and is_own(node.orelse)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def goes_through(node: ast.expr, helper: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == helper


def test_every_tooltip_goes_through_the_helper() -> None:
    places = {"setToolTip": 0, "setTabToolTip": 1, "setItemToolTip": 1, "setStatusTip": None, "setWhatsThis": None}
    seen = 0
    for place, name, call in calls():
        assert not (name == "showText" and isinstance(call.func, ast.Attribute)), f"{place}: use show_tip"
        at = places.get(name)
        if at is not None:
            seen += 1
            assert is_own(call.args[at]) or goes_through(call.args[at], "plain_tip"), f"{place}: use plain_tip"
    assert seen > 50


def test_every_label_box_and_page_is_a_plain_one() -> None:
    forbidden = {
        "QLabel": "PlainLabel",
        "QTextBrowser": "PlainBrowser",
        "QTextDocument": "PlainBrowser",
        "QTextEdit": "QPlainTextEdit",
        "QErrorMessage": "dialogs.tell",
        "setInformativeText": "set_box_text",
        "information": "dialogs.tell",
        "warning": "dialogs.tell",
        "critical": "dialogs.tell",
        "setDetailedText": "set_box_text",
        "showMessage": "the toast",
    }
    boxes = 0
    for place, name, call in calls():
        assert name not in forbidden, f"{place}: use {forbidden[name]}"
        if name == "QMessageBox":
            boxes += 1
            words = call.args[2]
            assert isinstance(words, ast.Constant), f"{place}: use set_box_text"
            assert words.value == "", f"{place}: use set_box_text"
        if name == "QProgressDialog":
            assert is_own(call.args[0]), f"{place}: give it a PlainLabel"
    assert boxes >= 2
    for path, node in nodes():
        if isinstance(node, ast.ClassDef) and node.name != "PlainBrowser":  # which all pages are shown in
            bases = {ast.unparse(base) for base in node.bases}
            assert not bases & {"QLabel", "QTextBrowser", "QTextEdit", "QMessageBox"}, f"{path}: {node.name}"


def test_every_model_gives_its_tooltips_through_the_helper() -> None:
    found = 0
    for path, node in nodes():
        if isinstance(node, ast.If) and "ToolTipRole" in ast.unparse(node.test):
            found += 1
            returned = [each for each in ast.walk(node) if isinstance(each, ast.Return)]
            assert all(each.value is None or "plain_tip(" in ast.unparse(each.value) for each in returned), path
    assert found >= 8


def test_every_menu_entry_made_of_a_text_goes_through_the_helper() -> None:
    """Names of fields of our own tables (``entry.text``) and plain variables are looked at by the window's tests."""
    for place, name, call in calls():
        if name in ("addAction", "QAction", "addMenu", "addSection") and call.args:
            made = [each for each in ast.walk(call.args[0]) if isinstance(each, ast.FormattedValue)]
            numbers = {"beside.before", "beside.after", "candidate.explained * 100", "names[-1]", "entry.text", "keys"}
            own = {ast.unparse(each.value) for each in made if not is_own(each.value)} - numbers
            words = ast.unparse(call.args[0])
            assert "in_menu(" in words or not own, f"{place}: use in_menu"
            assert "in_menu(" in words or ".name" not in words, f"{place}: use in_menu"


def test_every_title_and_tab_goes_through_a_helper() -> None:
    for place, name, call in calls():
        if name == "setWindowTitle":
            words = ast.unparse(call.args[0])
            assert is_own(call.args[0]) or "in_title(" in words, f"{place}: use in_title"
        if name == "setTabText":
            assert "in_menu(" in ast.unparse(call.args[1]), f"{place}: use in_menu"


# The window


def hostile(picture: Path) -> bytes:
    """A save with HTML in every place where it can have a text."""

    def told(place: str) -> str:
        return evil(picture, place)

    def text(place: str) -> Value:
        return Value("String", told(place))

    inner = Value("Dictionary", Dictionary(((text("inner key"), text("inner value")),)))
    path = Value("NodePath", NodePath((told("node"),), (told("sub"),), True))
    held = ObjectFull(told("class"), ((told("property"), text("held")),))
    entries = (
        (text("key"), text("value")),
        (Value("StringName", told("name key")), Value("StringName", told("name"))),
        (path, inner),
        (Value("String", "path"), path),
        (Value("String", "texts"), Value("PackedStringArray", (told("packed"), told("packed 2")))),
        (Value("String", "object"), Value("Object", held)),
        (Value("String", "list"), Value("Array", Array((text("element"), inner)))),
        (Value("String", "mixed"), Value("String", "\u05e9\u05dc abc")),
    )
    return encode(Value("Dictionary", Dictionary(entries)), load("godot4"))


def indexes(model: QAbstractItemModel, above: QModelIndex | None = None, depth: int = 0) -> Iterator[QModelIndex]:
    above = above or QModelIndex()
    for row in range(min(model.rowCount(above), 200)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(above)):
            yield model.index(row, column, above)
        if depth < 5:
            yield from indexes(model, model.index(row, 0, above), depth + 1)


def check_all(window: QWidget, *but: QAbstractItemView) -> int:
    """Look at every tooltip, label, tab, title, action and model role under a window; returns how many had HTML."""
    found = 0
    for widget in [window, *window.findChildren(QWidget)]:
        for text in (widget.toolTip(), widget.whatsThis()):
            found += "img" in shown_by(text)
        for text in (widget.windowTitle(), widget.accessibleName(), widget.statusTip()):
            assert not set("\u202e\x1b\x9b") & set(text)
        if isinstance(widget, QLabel):
            found += widget.textFormat() is not Qt.TextFormat.PlainText and "img" in shown_by(widget.text())
        if isinstance(widget, QTextBrowser):
            assert isinstance(widget, PlainBrowser)
        if isinstance(widget, QTabBar):
            for k in range(widget.count()):
                found += "img" in shown_by(widget.tabToolTip(k))
        if isinstance(widget, QAbstractItemView) and widget.model() is not None and widget not in but:
            for index in indexes(widget.model()):
                for role in ITEM_ROLES:
                    text = index.data(role)
                    found += bool(text) and "img" in shown_by(str(text))
        for action in widget.actions():
            found += "img" in shown_by(action.toolTip())
    return found


@pytest.fixture
def open_hostile(window: MainWindow, tmp_path: Path, picture: Path) -> MainWindow:
    """A window with the hostile save open; its name is hostile too."""
    path = tmp_path / "&a <img src=x>[*].save"
    try:
        path.write_bytes(hostile(picture))
    except OSError:
        path = tmp_path / "&a [*].save"
        path.write_bytes(hostile(picture))
    window.open_path(path)
    return window


def run(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert isinstance(action, QAction)
    action.trigger()
    QApplication.processEvents()


def tree_of(window: MainWindow) -> QAbstractItemView:
    found = window.findChild(QAbstractItemView, "treeView")
    assert isinstance(found, QAbstractItemView)
    return found


def test_no_row_of_a_save_and_nothing_about_it_is_read_as_html(open_hostile: MainWindow) -> None:
    tree = tree_of(open_hostile)
    seen = check_all(open_hostile)
    assert seen > 20
    for index in [each for each in indexes(tree.model()) if not each.column()]:
        tree.setCurrentIndex(index)
        assert check_all(open_hostile, tree) > 0 or index.row() == 7 or not index.parent().isValid()


def test_what_is_found_marked_changed_and_explained_is_not_read_as_html(
    open_hostile: MainWindow, qtbot: QtBot, picture: Path
) -> None:
    window, tree = open_hostile, tree_of(open_hostile)
    session = window.session
    document = session.document
    assert document is not None
    top = tree.model().index(0, 0)
    tree.setCurrentIndex(tree.model().index(0, 0, top))
    item = session.item
    assert item is not None
    session.set_literal(item, quoted(evil(picture, "changed")))
    session.seal()
    window._parts.find.focus()
    window._parts.find.line.setText("img")
    qtbot.waitUntil(lambda: window._parts.find.runner.is_complete)
    seen = {}
    for name in ("find_list", "bookmark", "bookmarks", "history", "explain"):
        run(window, name)
        seen[name] = check_all(window, tree)
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
    seen["menus"] = check_all(window, tree)
    assert all(seen.values()), seen
    page = window.findChild(PlainBrowser)
    assert page is not None
    qtbot.waitUntil(lambda: "<img" in page.toPlainText())
    undo = window.findChild(QAction, "undo")
    assert isinstance(undo, QAction)
    assert "\t" not in undo.text()


def test_problems_and_repairs_of_a_broken_save_are_not_read_as_html(
    window: MainWindow, tmp_path: Path, picture: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "broken.save"
    path.write_bytes(hostile(picture)[:-20])
    window.open_path(path)
    run(window, "problems")
    with qtbot.waitSignal(window._parts.problems.finder.found):
        window._parts.problems.refresh_now()
    run(window, "repairs")
    place = window._doctor._repairs.part
    assert place is not None
    qtbot.waitUntil(lambda: place.finder.state is SearchProgress.DONE, timeout=60_000)
    assert check_all(window) > 20


def test_no_text_of_a_packet_is_read_as_html(qtbot: QtBot, picture: Path) -> None:
    said: list[str] = []
    packets = Packets(theme("light"), said.append, said.append)
    qtbot.addWidget(packets.pane, before_close_func=lambda _: packets.close())
    packets.pane.show()
    store = store_of([])
    texts = [encode(Value("String", evil(picture, "packet")), load("godot3")), hostile(picture), b"<img src='x'>"]
    put(store, [record(data, number + 1) for number, data in enumerate(texts)], Talk())
    packets.show_source(PacketSource(store))
    packets.pane.finish()
    assert packets.pane.table.model().rowCount() == 3
    assert check_all(packets.pane) > 0


@pytest.mark.parametrize(
    "ask",
    [
        lambda window, name: dialogs.ask_changed_on_disk(window, name),
        lambda window, name: dialogs.tell(window, f"“{name}” cannot be opened: {name}."),
        lambda window, name: dialogs.ask_losses(window, f"Change {name}?", [name, name], "&Change"),
        lambda window, name: dialogs.question(window, name, name).exec(),
        lambda window, name: PasswordDialog(window, window._theme.theme, name).exec(),
    ],
)
def test_no_box_reads_a_name_as_html(
    window: MainWindow, picture: Path, ask: Callable[[MainWindow, str], object]
) -> None:
    name, seen = f"{evil(picture)}\u202e", []

    def look() -> None:
        box = QApplication.activeModalWidget()
        labels = [label for label in box.findChildren(QLabel) if "img" in label.text()]
        check_all(box)
        seen.extend(label.text() for label in labels)
        seen.append(box.sizeHint().height() < 600 and not any("\u202e" in label.text() for label in labels))
        box.close()

    QTimer.singleShot(0, look)
    ask(window, name)
    assert len(seen) > 1
    assert seen[-1]


def test_a_hostile_file_name_is_shown_as_it_is(open_hostile: MainWindow) -> None:
    document = open_hostile.session.document
    assert document is not None
    assert open_hostile.windowTitle() == f"{document.name.replace('[*]', '[*][*]')}[*]"
    bar = open_hostile.findChild(QTabBar, "fileTabs") or open_hostile._opened.bar
    assert bar.tabText(0) == document.name.replace("&", "&&")
    assert open_hostile._parts.path_bar.steps[0] == document.name


def test_the_value_that_names_a_file_is_shown_as_text_by_tree_and_inspector(window: MainWindow) -> None:
    window.open_path(TOOLTIP_SAVE)
    window.session.go_to_place("[0].name")
    head = window.findChild(QWidget, "inspectorHead")
    assert isinstance(head, QWidget)
    told = "<b><img src='/etc/hostname' width=300 height=200></b>"
    assert shown_by(head.toolTip()) == f'"{told}"'
    model = tree_of(window).model()
    rows = [model.index(row, 0, model.index(0, 0)) for row in range(2)]
    tips = [shown_by(row.data(Qt.ItemDataRole.ToolTipRole)) for row in rows]
    assert "<img src='/etc/hostname'" in tips[1]


def test_the_tree_says_where_directions_mix(open_hostile: MainWindow) -> None:
    tree = open_hostile.findChild(QAbstractItemView, "treeView")
    mixed = [index for index in indexes(tree.model()) if MIXED in str(index.data(Qt.ItemDataRole.ToolTipRole))]
    assert {index.row() for index in mixed if index.parent() == tree.model().index(0, 0)} == {7}
