"""Editors by real keys: each type is read, judged at every key, and written in one step."""

from __future__ import annotations

import struct
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui.editors.bytes_editor import BytesEditor
from viewer.ui.editors.colour_editor import ColourEditor
from viewer.ui.editors.editor_card import EditorCard
from viewer.ui.editors.image_editor import ImageEditor
from viewer.ui.editors.number_editor import BoolEditor, NumberEditor
from viewer.ui.editors.opening import Editors
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.editors.parts_editor import ComponentEditor, EventEditor, FlagsField, IdEditor, SignalEditor
from viewer.ui.editors.text_editor import PathEditor, TextEditor
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.session import Session
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Data, Image, InputEvent, NodePath, ObjectId, Signal, Value

KEY = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Desk:
    """A window with one value open, and the editor that it asked for."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(900, 700)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.session = Session(self.window)
        self.editors = Editors(self.session, theme(LIGHT), self.window)

    def show(self, raw: bytes, dialect: str = "godot3") -> None:
        self.session.show(Document(raw, name="test", choice=ReadOptions(load(dialect), None, FramingKind.BARE)))

    def edit(self, type_name: str, data: Data, dialect: str = "godot3", part: str = "") -> EditorCard:
        self.show(encode(Value(type_name, data), load(dialect)), dialect)
        if part:
            self.session.select(Item(0, 0, part))
        return self.open()

    def open(self, grid: bool = False) -> EditorCard:
        card = self.editors.open_grid() if grid else self.editors.open()
        assert card is not None
        self.qtbot.waitUntil(card.isActiveWindow)
        return card

    @property
    def raw(self) -> bytes:
        assert self.session.document is not None
        return bytes(self.session.document.buffer[:])

    @property
    def data(self) -> Data:
        assert self.session.document is not None
        return read(self.session.document.frames[0].table).data


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def apply(desk: Desk, card: EditorCard) -> None:
    with desk.qtbot.waitSignal(desk.session.changed):
        desk.qtbot.keyClick(card, KEY.Key_Return, CTRL)


def test_a_number_is_typed_and_applied_as_one_step(desk: Desk) -> None:
    card = desk.edit("int", 5)
    assert isinstance(card.editor, NumberEditor)
    assert card.editor.field.selectedText() == "5"
    desk.qtbot.keyClicks(card.editor.field, "0x2A")
    assert card.editor.bits.text() == "0x0000002A"
    apply(desk, card)
    assert desk.data == 42
    assert desk.session.document is not None
    assert desk.session.document.history.undo_label == "Set [0]"
    desk.session.undo()
    assert desk.data == 5


def test_what_cannot_be_keeps_the_card_open_and_says_why(desk: Desk) -> None:
    card = desk.edit("int", 5)
    assert isinstance(card.editor, NumberEditor)
    desk.qtbot.keyClicks(card.editor.field, "1.5")
    assert not card.apply_button.isEnabled()
    assert "whole number" in card.band.accessibleName()
    desk.qtbot.keyClick(card.editor.field, KEY.Key_Return)
    desk.qtbot.keyClick(card, KEY.Key_Return, CTRL)
    assert card.isVisible()
    assert desk.data == 5


def test_esc_leaves_everything_as_it_was(desk: Desk) -> None:
    card = desk.edit("int", 5)
    assert isinstance(card.editor, NumberEditor)
    before = desk.raw
    desk.qtbot.keyClicks(card.editor.field, "7")
    desk.qtbot.keyClick(card.editor.field, KEY.Key_Escape)
    assert not card.isVisible()
    assert desk.raw == before


def test_arrows_count_and_bits_can_be_typed(desk: Desk) -> None:
    card = desk.edit("float", 1.5)
    assert isinstance(card.editor, NumberEditor)
    desk.qtbot.keyClick(card.editor.field, KEY.Key_Up)
    desk.qtbot.keyClick(card.editor.field, KEY.Key_Up, SHIFT)
    assert card.editor.field.text() == "12.5"
    card.editor.bits.selectAll()
    desk.qtbot.keyClicks(card.editor.bits, "0xBF800000")
    assert card.editor.field.text() == "-1"
    apply(desk, card)
    assert desk.raw == struct.pack("<If", 3, -1)


def test_wrong_bits_are_never_written(desk: Desk) -> None:
    card = desk.edit("float", 1.5)
    assert isinstance(card.editor, NumberEditor)
    desk.qtbot.keyClicks(card.editor.bits, "x")
    assert not card.apply_button.isEnabled()
    assert "Hexadecimal" in card.band.accessibleName()
    desk.qtbot.keyClick(card.editor.bits, KEY.Key_Backspace)
    assert card.apply_button.isEnabled()


def test_a_bool_is_a_box(desk: Desk) -> None:
    card = desk.edit("bool", False)
    assert isinstance(card.editor, BoolEditor)
    desk.qtbot.keyClick(card.editor.box, KEY.Key_Space)
    apply(desk, card)
    assert desk.data is True


def test_a_text_has_lines_and_tabs_that_can_be_seen(desk: Desk) -> None:
    card = desk.edit("String", "a\tb\nc")
    assert isinstance(card.editor, TextEditor)
    assert card.editor.length.text().startswith("5 characters, 5 bytes, 2 lines")
    card.editor.escapes.click()
    assert card.editor.field.toPlainText() == r"a\tb\nc"
    assert "same" in card.band.accessibleName()
    card.editor.field.setPlainText(r"Zoë\n\u00e9")
    apply(desk, card)
    assert desk.data == "Zoë\né"


def test_a_text_with_unseen_characters_opens_with_escapes(desk: Desk) -> None:
    card = desk.edit("String", "a\r\n\u2028b")
    assert isinstance(card.editor, TextEditor)
    assert card.editor.field.toPlainText() == r"a\r\n\u2028b"
    assert "same" in card.band.accessibleName()
    card.editor.field.setPlainText(r"a\q")
    assert not card.apply_button.isEnabled()
    assert "unknown" in card.band.accessibleName()


def test_a_blank_that_does_not_break_stays_one(desk: Desk) -> None:
    card = desk.edit("String", "a\u00a0b")
    assert isinstance(card.editor, TextEditor)
    desk.qtbot.keyClicks(card.editor.field, "x\u00a0y")
    apply(desk, card)
    assert desk.data == "x\u00a0y"


def test_components_stand_in_a_grid_and_untouched_ones_keep_their_bits(desk: Desk) -> None:
    desk.show(struct.pack("<I", 7) + bytes.fromhex("0100807f cdcccc3d 0000803f"))
    card = desk.open()
    assert isinstance(card.editor, ComponentEditor)
    assert [field.text() for field in card.editor.fields] == ["nan", "0.1", "1"]
    desk.qtbot.keyClick(card.editor.fields[2], KEY.Key_Up)
    apply(desk, card)
    assert desk.raw == struct.pack("<I", 7) + bytes.fromhex("0100807f cdcccc3d 00000040")


def test_a_wrong_component_is_named(desk: Desk) -> None:
    card = desk.edit("Rect2", (1.0, 2.0, 3.0, 4.0))
    assert isinstance(card.editor, ComponentEditor)
    card.editor.fields[2].setText("wide")
    assert "size.x" in card.band.accessibleName()
    assert card.editor.fields[2].property("invalid")


def test_a_colour_follows_bytes_and_html(desk: Desk) -> None:
    card = desk.edit("Color", (2.0, 0.0, 0.0, 1.0))
    assert isinstance(card.editor, ColourEditor)
    assert card.editor.html.text() == "#ff0000"
    assert "HDR" in card.editor.hdr.text()
    card.editor.html.selectAll()
    desk.qtbot.keyClicks(card.editor.html, "#8000ff00")
    assert [field.text() for field in card.editor.bytes] == ["0", "255", "0", "128"]
    card.editor.bytes[2].setText("51")
    assert card.editor.channels[2].text() == "0.2"
    desk.qtbot.keyClick(card.editor.channels[2], Qt.Key.Key_Up)
    assert card.editor.channels[2].text() == "0.21"
    card.editor.html.selectAll()
    desk.qtbot.keyClicks(card.editor.html, "#12")
    assert not card.apply_button.isEnabled()
    card.editor.channels[0].setText("1.5")
    apply(desk, card)
    assert isinstance(desk.data, tuple)
    assert desk.data[0] == 1.5


def test_a_colour_is_chosen_by_sliders_and_by_its_shade(desk: Desk) -> None:
    card = desk.edit("Color", (1.0, 0.0, 0.0, 0.5))
    assert isinstance(card.editor, ColourEditor)
    picker, shown = card.editor.picker, card.editor.bytes
    desk.qtbot.keyClick(picker.channels[1], KEY.Key_PageUp)
    desk.qtbot.keyClick(picker.channels[3], KEY.Key_End)
    assert [field.text() for field in shown] == ["255", "16", "0", "255"]
    desk.qtbot.mouseClick(picker.hue, Qt.MouseButton.LeftButton, pos=picker.hue.rect().center())
    cyan = [field.text() for field in shown]
    assert cyan[:2] == ["0", "255"]
    assert int(cyan[2]) > 230
    desk.qtbot.keyClick(picker.square, KEY.Key_Home)
    assert [field.text() for field in shown] == ["255"] * 4
    desk.qtbot.keyClick(picker.square, KEY.Key_End)
    assert [field.text() for field in shown] == cyan, "a grey keeps the hue that was chosen"
    card.grab()
    apply(desk, card)
    assert isinstance(desk.data, tuple)
    assert desk.data[:2] == (0.0, 1.0)


def test_a_node_path_is_edited_in_its_parts_or_as_text(desk: Desk) -> None:
    card = desk.edit("NodePath", NodePath(("A", "B"), ("x",), True))
    assert isinstance(card.editor, PathEditor)
    card.editor.names.setPlainText("A\nB\nC")
    assert card.editor.text.text() == "/A/B/C:x"
    card.editor.text.selectAll()
    desk.qtbot.keyClicks(card.editor.text, "D:y:z")
    assert card.editor.subnames.toPlainText() == "y\nz"
    assert not card.editor.absolute.isChecked()
    apply(desk, card)
    assert desk.data == NodePath(("D",), ("y", "z"), False)


def test_godot_2_has_a_property(desk: Desk) -> None:
    card = desk.edit("NodePath", NodePath(("A",), (), False, "pos"), "godot2")
    assert isinstance(card.editor, PathEditor)
    card.editor.has_property.click()
    apply(desk, card)
    assert desk.data == NodePath(("A",), (), False)


def test_ids_and_signals_are_numbers_and_names(desk: Desk) -> None:
    card = desk.edit("Object", ObjectId(7), "godot4")
    assert isinstance(card.editor, IdEditor)
    desk.qtbot.keyClicks(card.editor.field, "18446744073709551615")
    apply(desk, card)
    assert desk.data == ObjectId(2**64 - 1)
    card = desk.edit("Signal", Signal("pressed", 7), "godot4")
    assert isinstance(card.editor, SignalEditor)
    desk.qtbot.keyClicks(card.editor.name, "gone")
    apply(desk, card)
    assert desk.data == Signal("gone", 7)


def test_flags_are_named_bits(desk: Desk) -> None:
    card = desk.edit("InputEvent", InputEvent(1, 0, (("modifiers", 1 << 28), ("scancode", 65))), "godot2")
    assert isinstance(card.editor, EventEditor)
    flags = card.editor.fields["modifiers"]
    assert isinstance(flags, FlagsField)
    first = flags.boxes.itemAt(0).widget()
    assert first is not None
    desk.qtbot.keyClick(first, KEY.Key_Space)
    assert flags.text() == "0x12000000"
    apply(desk, card)
    assert desk.data == InputEvent(1, 0, (("modifiers", 1 << 28 | 1 << 25), ("scancode", 65)))


def test_an_image_is_drawn_and_its_numbers_change_in_place(desk: Desk) -> None:
    card = desk.edit("Image", Image(4, 0, 2, 1, bytes.fromhex("ff0000ff 0000ffff")), "godot2")
    assert isinstance(card.editor, ImageEditor)
    grab = card.editor.view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    height, width = grab.height(), grab.width()
    assert grab.pixelColor(width // 4, height // 2).getRgb()[:3] == (255, 0, 0)
    assert grab.pixelColor(3 * width // 4, height // 2).getRgb()[:3] == (0, 0, 255)
    card.editor.fields["width"].setText("5")
    assert "needs" in card.editor.words.text()
    card.editor.fields["width"].setText("1")
    apply(desk, card)
    assert desk.data == Image(4, 0, 1, 1, bytes.fromhex("ff0000ff 0000ffff"))


def test_bytes_come_from_a_file_and_go_to_one(desk: Desk, tmp_path: Path) -> None:
    card = desk.edit("PoolByteArray", b"abcde")
    assert isinstance(card.editor, BytesEditor)
    assert "61 62 63 64 65" in card.editor.dump.toPlainText()
    out, new = tmp_path / "out.bin", tmp_path / "new.bin"
    card.editor.export_file(out)
    assert out.read_bytes() == b"abcde"
    new.write_bytes(b"other bytes")
    card.editor.import_file(tmp_path / "missing.bin")
    assert "cannot be read" in card.says.text()
    card.editor.import_file(new)
    apply(desk, card)
    assert desk.data == b"other bytes"


def test_the_bytes_of_a_long_array_are_counted_in_groups(desk: Desk, tmp_path: Path) -> None:
    card = desk.edit("PoolByteArray", bytes(12_000))
    assert isinstance(card.editor, BytesEditor)
    assert card.editor.count.text().startswith("12\u202f000 bytes")
    new = tmp_path / "new.bin"
    new.write_bytes(bytes(34_567))
    card.editor.import_file(new)
    assert card.band._verdict.detail == "34\u202f567 bytes replace the 12\u202f000 bytes there are."
    card.editor.export_file(tmp_path / "out.bin")
    assert card.says.text() == "12\u202f000 bytes written to “out.bin”."


def test_the_pixels_of_an_image_are_counted_in_groups(desk: Desk) -> None:
    card = desk.edit("Image", Image(4, 0, 60, 60, bytes(14_400)), "godot2")
    assert "14\u202f400 bytes" in [each.text() for each in card.findChildren(QLabel)]


def test_bytes_open_as_a_grid(desk: Desk) -> None:
    card = desk.edit("PoolByteArray", b"ab")
    assert isinstance(card.editor, BytesEditor)
    desk.qtbot.mouseClick(card.editor.grid_button, Qt.MouseButton.LeftButton)
    desk.qtbot.waitUntil(lambda: any(isinstance(found.editor, PackedEditor) for found in cards(desk)))


def cards(desk: Desk) -> list[EditorCard]:
    return [found for found in desk.window.findChildren(EditorCard) if found.isVisible()]


def test_a_collection_says_where_it_is_edited(desk: Desk) -> None:
    desk.show(struct.pack("<II", 19, 0))
    with desk.qtbot.waitSignal(desk.session.failed) as failed:
        assert desk.editors.open() is None
    assert failed.args is not None
    assert "in the tree" in failed.args[0]


def test_bytes_changed_meanwhile_close_the_editor(desk: Desk) -> None:
    card = desk.edit("int", 5)
    with desk.qtbot.waitSignal(desk.session.failed):
        desk.session.overwrite(4, b"\x06")
    assert not card.isVisible()
    assert desk.data == 6


@pytest.mark.parametrize("saved", [file for engine in corpus.ENGINES for file in corpus.files(engine.folder)], ids=str)
def test_every_value_of_every_golden_file_opens_or_says_why(desk: Desk, saved: corpus.SavedFile) -> None:
    """Opening writes nothing, and an untouched editor says so."""
    document = Document.open(saved.path)
    if len(document.buffer) > 1 << 16:
        pytest.skip("the same types as in the small files")
    desk.session.show(document)
    told: list[str] = []
    desk.session.failed.connect(told.append)
    seen: set[str] = set()
    for index, frame in enumerate(document.frames):
        for node in frame.table.nodes:
            row = frame.table.row(node)
            if row is None or row.name in seen:
                continue
            seen.add(row.name)
            desk.session.select(Item(index, node))
            card = desk.editors.open()
            assert (card is None) == bool(told)
            if card is not None:
                assert card.editor.proposal().edit is None, row.name
                card.reject()
            told.clear()


def test_the_clipboard_is_left_alone_by_opening(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("mine")
    desk.edit("PoolIntArray", (1, 2)).reject()
    assert QGuiApplication.clipboard().text() == "mine"


def test_a_long_name_in_a_path_stays_whole(desk: Desk) -> None:
    long = "a" * 40_000
    card = desk.edit("NodePath", NodePath((long,), ("x",), False))
    assert isinstance(card.editor, PathEditor)
    desk.qtbot.keyClick(card.editor.text, KEY.Key_End)
    desk.qtbot.keyClicks(card.editor.text, "y")
    apply(desk, card)
    assert desk.data == NodePath((long,), ("xy",), False)


def test_a_blank_that_does_not_break_stays_in_a_name_of_a_path(desk: Desk) -> None:
    card = desk.edit("NodePath", NodePath(("salle\u00a01",), ("x",), False))
    assert isinstance(card.editor, PathEditor)
    card.editor.subnames.setPlainText("y")
    apply(desk, card)
    assert desk.data == NodePath(("salle\u00a01",), ("y",), False)
