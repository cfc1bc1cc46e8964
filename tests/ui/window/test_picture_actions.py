"""Pictures by keys: shown beside the window and in the inspector, exported, replaced in one step."""

from __future__ import annotations

from pathlib import Path

import pytest
from document.visuals.picture_values import bag, image_data, png, save
from PySide6 import QtWidgets
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.document.visuals.found_picture import PictureForm
from viewer.ui import dialogs
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.hex.hover_card import HexCard
from viewer.ui.visuals.picture_dialog import NO_PICTURE, PictureDialog
from viewer.ui.visuals.picture_thumbnail import PictureThumbnail
from viewer.ui.visuals.picture_view import Channel
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.menus import NO_PICTURE as NO_PICTURE_ACTION
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.read import read
from viewer.variant.value import Array, Value

KEY, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier
RAW = bytes(x * 4 for _ in range(3) for x in range(4) for _ in range(4))


class Stage:
    """The window with a save of pictures."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.document = save(
            face=Value("PoolByteArray", png()),
            icon=image_data("godot3"),
            raw=Value("PoolByteArray", RAW),
            broken=Value("PoolByteArray", png()[:40]),
            tall=Value("PoolByteArray", png(1, 200, b"\0\xff\0\0" * 200)),
            gold=Value("int", 5),
        )
        window.session.show(self.document)

    def select(self, name: str) -> None:
        self.window.session.select(parse_path(self.document, f"[0].{name}"))

    def open(self, name: str) -> PictureDialog:
        """Select a value and press the key."""
        self.select(name)
        self.qtbot.keyClick(self.window, KEY.Key_F7, SHIFT)
        dialog = self.window.findChild(PictureDialog)
        assert dialog is not None
        self.qtbot.waitUntil(lambda: dialog._worker.job is None)
        return dialog

    def data(self, name: str) -> object:
        item = parse_path(self.document, f"[0].{name}")
        return read(self.document.frames[0].table, item.node).data


@pytest.fixture
def stage(window: MainWindow, qtbot: QtBot) -> Stage:
    return Stage(window, qtbot)


def answer(monkeypatch: pytest.MonkeyPatch, path: Path, chosen: str = "") -> list[str]:
    """Let file dialogs answer, and questions be agreed to; returns what was told or asked."""
    told: list[str] = []
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QtWidgets.QFileDialog, name, lambda *_: (str(path), chosen))
    monkeypatch.setattr(dialogs, "tell", lambda _, sentence: told.append(sentence))
    monkeypatch.setattr(dialogs, "ask_losses", lambda *asked: told.extend(asked[2]) or True)
    return told


def test_a_key_shows_the_picture_and_keys_move_it(stage: Stage) -> None:
    dialog = stage.open("face")
    view = dialog.view
    assert dialog.isVisible()
    assert dialog.words.text() == "PNG, 2 \u00d7 1 \u00b7 70 bytes"
    assert view.image is not None
    assert (view.image.width(), view.zoom) == (2, 64.0)
    stage.qtbot.keyClick(view, KEY.Key_1)
    assert view.zoom == 1.0
    stage.qtbot.keyClick(view, KEY.Key_Plus)
    assert view.zoom > 1
    stage.qtbot.keyClick(view, KEY.Key_0)
    assert view.zoom == 64.0
    dialog.channel.setCurrentIndex(list(Channel).index(Channel.RED))
    dialog.grab()
    stage.qtbot.keyClick(dialog, KEY.Key_Escape)
    assert not dialog.isVisible()


def test_another_selected_picture_is_shown_and_other_values_change_nothing(stage: Stage) -> None:
    dialog = stage.open("face")
    stage.select("icon")
    stage.qtbot.waitUntil(lambda: dialog._worker.job is None)
    assert dialog.words.text().startswith("RGBA8, 4 \u00d7 3")
    stage.select("gold")
    assert dialog.words.text().startswith("RGBA8, 4 \u00d7 3")


def test_raw_bytes_are_shown_as_the_person_chooses(stage: Stage) -> None:
    dialog = stage.open("raw")
    assert dialog.raw_row.isVisible()
    assert not dialog.replace_button.isEnabled()
    dialog.format.setCurrentText("L8")
    dialog.width_field.setValue(16)
    stage.qtbot.waitUntil(lambda: dialog._worker.job is None)
    assert dialog.words.text() == "L8, 16 \u00d7 3 \u00b7 48 bytes"
    dialog.width_field.setValue(10)
    assert dialog.words.text().endswith("8 bytes after the picture")


def test_a_broken_picture_is_one_sentence(stage: Stage) -> None:
    dialog = stage.open("broken")
    assert dialog.problem.isVisible()
    assert "cannot be read" in dialog.problem.text()
    assert not dialog.export_button.isEnabled()


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_a_picture_in_the_tree_opens_as_one_and_its_bytes_in_their_editor(stage: Stage, by: str) -> None:
    tree = stage.window._parts.tree
    stage.select("face")
    index = tree.currentIndex()
    if by == "mouse":
        place = tree.visualRect(index.siblingAtColumn(2)).center()
        stage.qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    else:
        stage.qtbot.keyClick(tree, KEY.Key_F2)
    dialog = stage.window.findChild(PictureDialog)
    assert dialog is not None
    assert dialog.isVisible()
    assert not tree.isExpanded(index)
    dialog.close()
    stage.select("raw")
    index = tree.currentIndex()
    place = tree.visualRect(index.siblingAtColumn(2)).center()
    stage.qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tree.isExpanded(index)
    assert not dialog.isVisible()


def test_a_double_click_opens_the_pages_of_a_long_picture_as_rows(stage: Stage) -> None:
    tree = stage.window._parts.tree
    long = save(face=Value("PoolByteArray", png() + bytes(5000)))
    stage.window.session.show(long)
    stage.window.session.select(parse_path(long, "[0].face"))
    tree.expand(tree.currentIndex())
    page = tree.tree_model.index(0, 0, tree.currentIndex())
    assert tree.tree_model.facts(page).page
    place = tree.visualRect(page.siblingAtColumn(2)).center()
    stage.qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tree.isExpanded(page)
    assert stage.window.findChild(PictureDialog) is None


@pytest.mark.parametrize("key", [KEY.Key_F2, KEY.Key_Return])
@pytest.mark.parametrize(
    ("value", "elements"),
    [
        (Value("PoolByteArray", png() + bytes(5000)), 4000),
        (Value("PoolIntArray", tuple(range(2500))), 2000),
        (Value("PoolStringArray", ("a",) * 2500), 2000),
    ],
)
def test_f2_on_a_page_opens_the_grid_where_it_begins(stage: Stage, key: Qt.Key, value: Value, elements: int) -> None:
    tree = stage.window._parts.tree
    long = save(long=value)
    stage.window.session.show(long)
    stage.window.session.select(parse_path(long, "[0].long"))
    tree.expand(tree.currentIndex())
    index = tree.tree_model.index(elements // 1000, 0, tree.currentIndex())
    tree.set_current(index)
    stage.qtbot.keyClick(tree, key)
    card = stage.window.findChild(EditorCard)
    assert card is not None
    assert isinstance(card.editor, PackedEditor)
    assert card.editor.grid.currentIndex().row() == elements
    assert card.editor.grid.rowAt(0) == elements  # the range begins at the upper edge, as far as there is more below
    assert card.windowTitle() == f"Edit {value.type}"
    assert stage.window.findChild(PictureDialog) is None
    card.reject()


def test_f2_on_a_page_of_values_says_what_the_row_is(stage: Stage) -> None:
    tree = stage.window._parts.tree
    long = save(list=Value("Array", Array((Value("int", 1),) * 2500)))
    stage.window.session.show(long)
    stage.window.session.select(parse_path(long, "[0].list"))
    tree.expand(tree.currentIndex())
    tree.set_current(tree.tree_model.index(2, 0, tree.currentIndex()))
    with stage.qtbot.waitSignal(stage.window.session.failed) as said:
        stage.qtbot.keyClick(tree, KEY.Key_F2)
    assert said.args == ["This row stands for 500 values: open it and choose one."]


def test_f2_on_a_page_of_top_level_arrays_says_what_the_row_is(stage: Stage) -> None:
    tree = stage.window._parts.tree
    dialect = load("godot3")
    raw = encode(Value("PoolIntArray", (1, 2)), dialect) * 1200
    stage.window.session.show(Document(raw, name="test", choice=ReadOptions(dialect, None, FramingKind.CONCATENATED)))
    tree.set_current(tree.tree_model.index(1, 0))
    with stage.qtbot.waitSignal(stage.window.session.failed) as said:
        stage.qtbot.keyClick(tree, KEY.Key_F2)
    assert said.args == ["This row stands for 200 values: open it and choose one."]
    assert stage.window.findChild(EditorCard) is None


def test_a_picture_can_be_replaced_from_the_menu_of_its_row(stage: Stage) -> None:
    stage.select("face")
    stage.window._pop_up_tree(None, QPoint(0, 0))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert {"picture", "replace_picture"} <= {each.objectName() for each in menu.actions() if each.isEnabled()}
    menu.close()


def test_what_is_no_picture_is_told(stage: Stage) -> None:
    told: list[str] = []
    stage.window.session.failed.connect(told.append)
    stage.window.session.select(parse_path(stage.document, "[0]"))
    for name in ("picture", "export_picture", "replace_picture"):
        stage.window._actions[name].trigger()
    assert len(told) == 3
    assert not any(dialog.isVisible() for dialog in stage.window.findChildren(PictureDialog))


def test_what_cannot_be_a_picture_is_grey_with_the_reason(stage: Stage) -> None:
    action = stage.window._actions["replace_picture"]
    stage.select("gold")
    assert not action.isEnabled()
    assert action.toolTip() == NO_PICTURE_ACTION
    stage.select("face")
    assert action.isEnabled()
    assert action.toolTip() == "Replace the picture with one from a file"


def test_a_picture_is_replaced_in_one_step_and_the_dialog_follows(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new.png"
    path.write_bytes(png(1, 2, b"\x00\x01\x02\x03" * 2))
    told = answer(monkeypatch, path)
    dialog = stage.open("face")
    dialog.replace_button.click()
    assert stage.data("face") == path.read_bytes()
    assert told == ["The picture was 2 \u00d7 1 pixels and becomes 1 \u00d7 2: a game may expect the size that it had"]
    stage.qtbot.waitUntil(lambda: dialog._worker.job is None)
    assert dialog.words.text().startswith("PNG, 1 \u00d7 2")
    stage.window.session.undo()
    assert stage.data("face") == png()
    path.write_bytes(b"no picture at all")
    dialog.replace_button.click()
    assert told[-1].startswith("\u201cnew.png\u201d was not taken. This is not a picture")


def test_a_picture_goes_over_the_clipboard(stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = answer(monkeypatch, tmp_path)
    dialog = stage.open("icon")
    stage.qtbot.keyClick(dialog, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    stage.open("face")
    dialog.paste_button.click()
    stage.qtbot.waitUntil(lambda: dialog._worker.job is None)
    assert dialog.words.text().startswith("PNG, 4 \u00d7 3")
    assert told == ["The picture was 2 \u00d7 1 pixels and becomes 4 \u00d7 3: a game may expect the size that it had"]
    QGuiApplication.clipboard().setText("no picture")
    dialog.paste_button.click()
    assert told[-1] == "There is no picture on the clipboard."


def test_a_picture_inside_a_value_is_replaced_and_found_again_behind_what_is_inserted(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = encode(bag(face=Value("PoolByteArray", png())), load("godot3"))
    document = save(gold=Value("int", 7), blob=Value("PoolByteArray", inner))
    session = stage.window.session
    session.show(document)
    session.go_to_place("[0].blob!0.face")
    stage.qtbot.keyClick(stage.window, KEY.Key_F7, SHIFT)
    dialog = stage.window.findChild(PictureDialog)
    assert dialog is not None
    path = tmp_path / "new.png"
    for width in (3, 5):
        path.write_bytes(png(width, 1, b"\x00" + b"\x01\x02\x03" * width))
        answer(monkeypatch, path)
        dialog.replace_button.click()
        assert dialog.words.text().startswith(f"PNG, {width} \u00d7 1")
        stage.qtbot.waitUntil(lambda: dialog._worker.job is None)
    session.apply(set_literal(document, parse_path(document, "[0].gold"), "9000000000"))
    assert dialog.path.text() == "[0].blob!0.face"
    assert dialog.words.text().startswith("PNG, 5 \u00d7 1")
    session.apply(set_literal(document, parse_path(document, "[0]"), "{}"))
    assert dialog.words.text() == NO_PICTURE


def test_a_picture_is_exported_as_it_is_or_in_another_form(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, tmp_path / "face", "PNG (*.png)")
    stage.select("face")
    stage.window._actions["export_picture"].trigger()
    assert (tmp_path / "face.png").read_bytes() == png()
    answer(monkeypatch, tmp_path / "icon.bmp", f"{PictureForm.BMP.words} (*.bmp)")
    stage.select("icon")
    stage.window._actions["export_picture"].trigger()
    assert (tmp_path / "icon.bmp").read_bytes().startswith(b"BM")


def test_the_inspector_has_a_thumbnail_that_opens_the_picture(stage: Stage, qapp: QApplication) -> None:
    stage.select("face")
    stage.qtbot.waitUntil(lambda: stage.window.findChild(PictureThumbnail) is not None)
    thumbnail = stage.window.findChild(PictureThumbnail)
    assert thumbnail is not None
    stage.qtbot.waitUntil(lambda: thumbnail.image is not None)
    assert thumbnail.words == "PNG, 2 \u00d7 1"
    stage.qtbot.keyClick(thumbnail, KEY.Key_Return)
    assert stage.window.findChild(PictureDialog) is not None
    stage.select("broken")
    stage.qtbot.waitUntil(lambda: "cannot be read" in thumbnail.words)
    stage.select("gold")
    stage.qtbot.waitUntil(thumbnail.isHidden)


def test_in_a_low_inspector_the_thumbnail_is_seen_with_its_words(stage: Stage) -> None:
    stage.window.resize(900, 600)
    stage.window.findChild(QAction, "inspector").trigger()
    stage.window.settle()
    stage.select("tall")
    stage.qtbot.waitUntil(lambda: stage.window.findChild(PictureThumbnail) is not None)
    thumbnail = stage.window.findChild(PictureThumbnail)
    assert thumbnail is not None
    stage.qtbot.waitUntil(lambda: thumbnail.image is not None)
    QApplication.processEvents()
    inspector = stage.window._parts.inspector
    assert thumbnail.isVisible()
    assert inspector.height() < 180
    bottom = thumbnail.mapTo(inspector, QPoint(0, thumbnail.sizeHint().height())).y()
    assert bottom <= inspector.height()
    stage.window.resize(1400, 900)
    stage.qtbot.waitUntil(lambda: thumbnail.sizeHint().height() > 150)


def test_the_card_over_the_bytes_shows_the_picture_of_the_selected_value(stage: Stage) -> None:
    view = stage.window._parts.hex
    stage.select("face")
    stage.qtbot.waitUntil(lambda: view._picture is not None)
    assert view._picture is not None
    span = view._picture[0]
    view._show_card(span.start + 20)
    card = view.window().findChild(HexCard)
    assert card is not None
    tall = card.height()
    view._show_card(span.end + 40)
    assert card.height() < tall
    view._show_card(span.start + 20)
    card.grab()
    stage.window.session.overwrite(span.start + 20, b"?")
    assert view._picture is None


def test_a_closed_window_keeps_nothing_of_a_file(stage: Stage) -> None:
    dialog = stage.open("face")
    assert dialog.view.image is not None
    stage.window.session.show(None)
    assert not dialog.isVisible()
    assert dialog.spot is None
    assert dialog.view.image is None
