"""The hex view as an editor: insert mode, cut and paste, delete, fill, and the offer to mend, with real keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.fragment import Fragment
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.ui.clipboard import to_mime
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.layout import Area
from viewer.ui.hex.view import HexView
from viewer.ui.look import palette
from viewer.ui.panels.status_bar import StatusBar
from viewer.ui.session import Session
from viewer.ui.window.byte_dialogs import FillDialog, InsertDialog
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import Precision, load

KEY = Qt.Key
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
HELLO = bytes.fromhex("04000000 05000000 48656C6C 6F000000")
STORED = bytes.fromhex("10000000") + HELLO


class Hands:
    """A hex view on a document, under real keys."""

    def __init__(self, session: Session, view: HexView, bridge: HexBridge) -> None:
        self.session, self.view, self.bridge = session, view, bridge
        self.failures: list[str] = []
        session.failed.connect(self.failures.append)

    def open(self, data: bytes) -> None:
        self.session.show(Document(data))

    @property
    def data(self) -> bytes:
        assert self.session.document is not None
        return bytes(self.session.document.buffer[:])

    @property
    def words(self) -> str:
        return self.view.footer.accessibleName() if self.view.footer else ""

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.view, key, modifier)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.view, text)

    def go(self, offset: int, area: Area = Area.HEX) -> None:
        self.view.move_caret(offset, area=area)

    def select(self, start: int, end: int) -> None:
        self.session.go_to(start, Span(start, end))


@pytest.fixture
def hands(qtbot: QtBot) -> Hands:
    """A hex view with the stored text "Hello" and the focus."""
    view = HexView(palette.theme(palette.LIGHT))
    qtbot.addWidget(view)
    session = Session(view)
    found = Hands(session, view, HexBridge(session, view))
    found.open(STORED)
    view.resize(view.preferred_width(), 300)
    view.show()
    qtbot.waitExposed(view)
    view.setFocus()
    view.activateWindow()
    qtbot.waitUntil(view.hasFocus)
    return found


# Insert mode


def test_ins_goes_from_overwriting_to_inserting_and_back(hands: Hands, qtbot: QtBot) -> None:
    with qtbot.waitSignal(hands.view.insert_mode_changed) as told:
        hands.press(KEY.Key_Insert)
    assert told.args == [True]
    hands.press(KEY.Key_Insert)
    assert not hands.view.insert_mode


def test_two_digits_insert_one_byte_and_go_on(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(14)
    hands.type("4")
    assert hands.data == STORED[:14] + b"\x40" + STORED[14:]
    assert (hands.view.caret.offset, hands.session.caret) == (14, 14)
    hands.type("1")
    assert hands.data == STORED[:14] + b"\x41" + STORED[14:]
    assert (hands.view.caret.offset, hands.session.caret) == (15, 15)


def test_letters_are_inserted_in_the_text_column_and_one_undo_takes_them_back(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(17, Area.TEXT)
    hands.type("abc")
    assert hands.data == STORED[:17] + b"abc" + STORED[17:]
    assert hands.view.caret.offset == 20
    hands.session.undo()
    assert hands.data == STORED


def test_what_is_typed_elsewhere_is_an_undo_step_of_its_own(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(17, Area.TEXT)
    hands.type("a")
    hands.go(12, Area.TEXT)
    hands.type("b")
    hands.session.undo()
    assert hands.data == STORED[:17] + b"a" + STORED[17:]


def test_what_is_typed_takes_the_place_of_the_selected_bytes_in_insert_mode(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.select(12, 17)
    hands.view.caret.area = Area.TEXT
    hands.type("J")
    assert hands.data == STORED[:12] + b"J" + STORED[17:]


def test_the_caret_may_stand_behind_the_last_byte_only_in_insert_mode(hands: Hands) -> None:
    hands.press(KEY.Key_End, CTRL)
    assert hands.view.caret.offset == len(STORED) - 1
    hands.press(KEY.Key_Insert)
    hands.press(KEY.Key_End, CTRL)
    assert (hands.view.caret.offset, hands.session.caret) == (len(STORED), len(STORED))
    hands.press(KEY.Key_Insert)
    assert (hands.view.caret.offset, hands.session.caret) == (len(STORED) - 1, len(STORED) - 1)


def test_behind_the_last_byte_the_last_value_stays_selected(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.press(KEY.Key_End, CTRL)
    assert hands.session.path.startswith("[0]")


def test_bytes_are_typed_on_behind_the_last_one_and_into_an_empty_file(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.press(KEY.Key_End, CTRL)
    hands.type("0102")
    assert hands.data == STORED + b"\x01\x02"
    hands.open(b"")
    hands.type("0300")
    assert hands.data == b"\x03\x00"


def test_the_place_behind_the_last_byte_is_never_selected(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(18)
    hands.press(KEY.Key_End, CTRL | SHIFT)
    assert hands.view.selection == Span(18, len(STORED))


@pytest.mark.parametrize("area", list(Area))
def test_the_caret_of_insert_mode_is_a_bar_of_two_pixels_at_the_left_of_its_byte(hands: Hands, area: Area) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(6, area)
    assert _accent_columns(hands.view, 6, area) == 2
    hands.press(KEY.Key_Insert)
    assert _accent_columns(hands.view, 6, area) > 4


def _accent_columns(view: HexView, offset: int, area: Area) -> int:
    """How many columns of pixels around the left edge of a byte are all accent, a few pixels from its row's borders."""
    accent = QColor(palette.theme(palette.LIGHT).ui.accent)
    image = view.viewport().grab().toImage()
    box = view.byte_rect(offset, area)
    rows = (box.top() + 3, box.bottom() - 3)
    columns = range(box.left() - 3, box.left() + 14)
    return sum(all(image.pixelColor(x, y) == accent for y in rows) for x in columns)


# Delete, cut, paste, fill


def test_delete_takes_the_byte_at_the_caret_and_backspace_the_one_before(hands: Hands) -> None:
    hands.go(13)
    hands.press(KEY.Key_Delete)
    assert hands.data == STORED[:13] + STORED[14:]
    assert hands.view.caret.offset == 13
    hands.press(KEY.Key_Backspace)
    assert hands.data == STORED[:12] + STORED[14:]
    assert hands.view.caret.offset == 12


def test_delete_takes_the_selected_bytes_at_once_in_either_mode_and_undo_brings_them_back(hands: Hands) -> None:
    for _ in range(2):
        hands.select(12, 16)
        hands.press(KEY.Key_Delete)
        assert hands.data == STORED[:12] + STORED[16:]
        assert hands.view.selection is None
        hands.session.undo()
        assert hands.data == STORED
        hands.press(KEY.Key_Insert)


def test_backspace_at_a_half_typed_byte_takes_that_one(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(14)
    hands.type("4")
    hands.press(KEY.Key_Backspace)
    assert hands.data == STORED


def test_backspace_at_the_start_and_delete_at_the_end_do_nothing(hands: Hands) -> None:
    hands.go(0)
    hands.press(KEY.Key_Backspace)
    hands.press(KEY.Key_Insert)
    hands.press(KEY.Key_End, CTRL)
    hands.press(KEY.Key_Delete)
    assert hands.data == STORED


def test_deleting_one_after_another_is_one_undo_step(hands: Hands) -> None:
    hands.go(16)
    for _ in range(3):
        hands.press(KEY.Key_Backspace)
    hands.session.undo()
    assert hands.data == STORED


def test_cut_copies_and_takes_out_and_paste_brings_back_in_insert_mode(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.select(12, 16)
    hands.press(KEY.Key_X, CTRL)
    assert hands.data == STORED[:12] + STORED[16:]
    assert QGuiApplication.clipboard().text() == "48 65 6C 6C"
    hands.press(KEY.Key_V, CTRL)
    assert hands.data == STORED
    assert hands.view.caret.offset == 16


def test_paste_overwrites_in_overwrite_mode(hands: Hands) -> None:
    QGuiApplication.clipboard().setText("0x4A, 0x4A")
    hands.go(12)
    hands.press(KEY.Key_V, CTRL)
    assert hands.data == STORED[:12] + b"JJ" + STORED[14:]
    assert hands.view.caret.offset == 14


def test_paste_beyond_the_end_says_what_to_do_and_changes_nothing(hands: Hands) -> None:
    QGuiApplication.clipboard().setText("01 02 03 04")
    hands.go(len(STORED) - 2)
    hands.press(KEY.Key_V, CTRL)
    assert hands.data == STORED
    assert "insert mode (Ins)" in hands.failures[0]


def test_other_text_is_offered_as_text_and_the_same_row_pastes_it(hands: Hands, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("Zoë!")
    hands.press(KEY.Key_Insert)
    hands.go(12)
    hands.press(KEY.Key_V, CTRL)
    assert hands.data == STORED
    footer = hands.view.footer
    assert footer is not None
    assert footer.action_button.text() == "Paste it as text  (Ctrl+Alt+V)"
    qtbot.mouseClick(footer.action_button, Qt.MouseButton.LeftButton)
    assert hands.data == STORED[:12] + "Zoë!".encode() + STORED[12:]


def test_the_key_that_is_offered_pastes_text_even_where_it_looks_like_hex(hands: Hands) -> None:
    QGuiApplication.clipboard().setText("CAFE")
    hands.go(12)
    hands.press(KEY.Key_V, CTRL | ALT)
    assert hands.data == STORED[:12] + b"CAFE" + STORED[16:]


def test_the_text_column_pastes_text(hands: Hands) -> None:
    QGuiApplication.clipboard().setText("CAFE")
    hands.go(12, Area.TEXT)
    hands.press(KEY.Key_V, CTRL)
    assert hands.data == STORED[:12] + b"CAFE" + STORED[16:]


def test_a_value_copied_from_the_tree_is_pasted_as_its_bytes(hands: Hands) -> None:
    number = Fragment(bytes.fromhex("02000000 39300000"), load("godot3"), Precision.SINGLE)
    QGuiApplication.clipboard().setMimeData(to_mime([number]))
    hands.press(KEY.Key_Insert)
    hands.go(len(STORED))
    hands.press(KEY.Key_V, CTRL)
    assert hands.data == STORED + number.value


def test_an_empty_clipboard_is_told(hands: Hands) -> None:
    QGuiApplication.clipboard().setText("")
    hands.press(KEY.Key_V, CTRL)
    assert hands.failures[0].startswith("There is no text on the clipboard")


def test_a_read_only_view_refuses_every_change(hands: Hands, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("01")
    hands.view.read_only = True
    for key, modifier in ((KEY.Key_Delete, None), (KEY.Key_V, CTRL), (KEY.Key_X, CTRL), (KEY.Key_7, None)):
        with qtbot.waitSignal(hands.view.typing_refused):
            hands.press(key, modifier or Qt.KeyboardModifier.NoModifier)
    assert hands.data == STORED


def test_inserted_and_filled_bytes_are_selected(hands: Hands) -> None:
    hands.go(12)
    hands.bridge.editing.insert(b"\xaa\xbb")
    assert hands.view.selection == Span(12, 14)
    hands.bridge.editing.fill(Span(12, 15), b"\x01\x02")
    assert hands.data[12:15] == b"\x01\x02\x01"
    assert hands.view.selection == Span(12, 15)


# The offer to mend


def test_typing_into_a_text_offers_to_fix_its_length_and_one_call_does_so(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(17, Area.TEXT)
    hands.type("!!!")
    assert hands.words == "The text is 3 bytes longer than its length says."
    hands.bridge.editing.mend()
    assert hands.data == _set(STORED, "[0]", '"Hello!!!"')
    assert hands.words == ""
    assert hands.view.caret.offset == 20


def test_mending_is_a_step_of_its_own_and_undo_offers_it_again(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(17, Area.TEXT)
    hands.type("!!!")
    broken = hands.data
    hands.bridge.editing.mend()
    mended = hands.data
    hands.session.undo()
    assert hands.data == broken
    assert hands.words == "The text is 3 bytes longer than its length says."
    hands.session.redo()
    assert hands.data == mended
    assert hands.words == ""
    hands.session.undo()
    hands.session.undo()
    assert (hands.data, hands.words) == (STORED, "")


def test_typing_goes_on_after_mending(hands: Hands) -> None:
    hands.press(KEY.Key_Insert)
    hands.go(17, Area.TEXT)
    hands.type("!")
    hands.bridge.editing.mend()
    hands.type("?")
    assert hands.words == "The text is 1 byte longer than its length says."
    hands.bridge.editing.mend()
    assert hands.data == _set(STORED, "[0]", '"Hello!?"')


def test_a_click_on_the_offer_mends_and_gives_the_focus_back(hands: Hands, qtbot: QtBot) -> None:
    hands.go(13)
    hands.press(KEY.Key_Delete)
    footer = hands.view.footer
    assert footer is not None
    assert footer.action_button.text() == "Fix length and padding  (Ctrl+L)"
    qtbot.mouseClick(footer.action_button, Qt.MouseButton.LeftButton)
    assert hands.data == _set(STORED, "[0]", '"Hllo"')
    assert hands.view.hasFocus()


def test_a_closed_offer_stays_closed_until_the_next_change_and_covers_no_byte(hands: Hands, qtbot: QtBot) -> None:
    height = hands.view.viewport().height()
    hands.go(13)
    hands.press(KEY.Key_Delete)
    footer = hands.view.footer
    assert footer is not None
    assert hands.view.viewport().height() == height - footer.height()
    qtbot.mouseClick(footer.close_button, Qt.MouseButton.LeftButton)
    assert hands.view.footer is None
    assert hands.view.viewport().height() == height
    hands.press(KEY.Key_Delete)
    assert hands.words == "The text is 2 bytes shorter than its length says."


def test_another_document_takes_the_offer_away(hands: Hands) -> None:
    hands.go(13)
    hands.press(KEY.Key_Delete)
    hands.open(HELLO)
    assert hands.words == ""


def test_a_narrow_view_puts_the_button_below_the_sentence(hands: Hands) -> None:
    hands.view.resize(hands.view.width_for_columns(8), 300)
    hands.go(13)
    hands.press(KEY.Key_Delete)
    footer = hands.view.footer
    assert footer is not None
    assert footer.action_button.y() > footer.sentence.y()
    assert footer.action_button.geometry().bottom() <= footer.height()


def _set(data: bytes, path: str, text: str) -> bytes:
    document = Document(data)
    document.apply(set_literal(document, parse_path(document, path), text))
    return bytes(document.buffer[:])


# The window


@pytest.fixture
def window(window: MainWindow, rpg_path: Path) -> MainWindow:
    window.open_path(rpg_path)
    return window


def test_the_status_bar_tells_the_mode_and_changes_it(window: MainWindow, qtbot: QtBot) -> None:
    bar, view = window.findChild(StatusBar), window.findChild(HexView)
    assert bar is not None
    assert view is not None
    qtbot.mouseClick(bar.mode, Qt.MouseButton.LeftButton)
    assert (bar.mode.text(), view.insert_mode) == ("INS", True)
    view.setFocus()
    QTest.keyClick(view, KEY.Key_Insert)
    assert (bar.mode.text(), view.insert_mode) == ("OVR", False)


def test_a_name_in_a_save_is_lengthened_in_the_bytes_and_mended_by_its_key(window: MainWindow) -> None:
    view, document = window.findChild(HexView), window.session.document
    assert view is not None
    assert document is not None
    before = bytes(document.buffer[:])
    window.session.go_to_place("[0].inventory[0].name")
    view.setFocus()
    QTest.keyClick(view, KEY.Key_Insert)
    view.move_caret(window.session.caret + 8, area=Area.TEXT)
    QTest.keyClicks(view, "Great ")
    QTest.keyClick(view, KEY.Key_L, CTRL)
    assert bytes(document.buffer[:]) == _set(before, "[0].inventory[0].name", '"Great Iron Sword"')
    assert window.session.path.startswith("[0].inventory[0].name")


def test_delete_in_the_bytes_takes_bytes_and_no_value(window: MainWindow) -> None:
    view, document = window.findChild(HexView), window.session.document
    assert view is not None
    assert document is not None
    size = len(document.buffer)
    window.session.go_to(0x3AC)
    view.setFocus()
    QTest.keyClick(view, KEY.Key_Delete)
    assert len(document.buffer) == size - 1


def test_the_fill_dialog_says_what_it_would_do_and_what_is_wrong(window: MainWindow) -> None:
    document = window.session.document
    assert document is not None
    dialog = FillDialog(window, document, Span(0x10, 0x20), 0x10)
    dialog.pattern_field.setText('"ab"')
    assert dialog.says.text() == "16 bytes from 0x10 to 0x1F become 61 62 61 62 61 62 61 62 …."
    assert dialog.go.isEnabled()
    dialog.pattern_field.setText("0")
    assert "odd number" in dialog.says.text()
    assert not dialog.go.isEnabled()
    dialog.pattern_field.setText("00")
    dialog.field.setText("0x10..0xFFFFFF")
    assert not dialog.go.isEnabled()


def test_the_insert_dialog_gives_the_bytes(window: MainWindow) -> None:
    dialog = InsertDialog(window, 0x10)
    dialog.field.setText("0x6")
    dialog.pattern_field.setText("01 02 03 04")
    assert dialog.new == bytes([1, 2, 3, 4, 1, 2])
    dialog.field.setText("99999999999")
    assert not dialog.go.isEnabled()


def test_very_many_bytes_are_inserted_whole(window: MainWindow) -> None:
    dialog = InsertDialog(window, 0)
    dialog.field.setText("20000")
    dialog.pattern_field.setText("01 02 " * 10_000)
    assert dialog.new == b"\1\2" * 10_000
