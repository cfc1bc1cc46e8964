"""The suggested repairs in the window: when they are looked for, what is shown, and that nothing is done unasked."""

from __future__ import annotations

from pathlib import Path
from random import Random

import corpus
import pytest
from document.doctor.judging import load_cases
from document.doctor.measure import CASES
from document.packets.traffic import store_of
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFontMetricsF
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from ui.test_dialogs import is_whole_in_bold

from viewer.base.diagnostic import Severity
from viewer.container.capture import open_capture
from viewer.document.damage import can_be_misread, is_damaged
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.repair import ByteSample, Repair
from viewer.document.document import Document
from viewer.document.export.packet_files import payload_document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.ui.doctor.doctor_widgets import BytesLine
from viewer.ui.doctor.explain_card import ExplainCard
from viewer.ui.doctor.finder import SearchProgress
from viewer.ui.doctor.repairs_controller import PreviewDialog, RepairsController
from viewer.ui.doctor.repairs_view import RepairRow, RepairsView, two_lines
from viewer.ui.hex.view import HexView
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.problems_view import CauseRole, ProblemsView
from viewer.ui.tree.model import RowRole
from viewer.ui.window.main_window import MainWindow
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
BROKEN = SAMPLES / "broken-packet.bin"
SOUND = SAMPLES / "godot3-rpg.save"
MENDED = "04000000 04000000 4D697261"
SWAPPED = "04000000 00000004 4D697261"
PATIENCE = 20_000
CAUSE = "Likely (94 %): The length of a text was written with its bytes swapped."


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> MainWindow:
    found = MainWindow(None, ThemeController(qapp, "light"))
    qtbot.addWidget(found, before_close_func=_leave)
    found.resize(1400, 900)
    found.show()
    return found


def _leave(window: MainWindow) -> None:
    window._doctor.leave()
    window.session.show(None)


def show(qtbot: QtBot, window: MainWindow, document: Document) -> RepairsController:
    """Show a damaged document and wait for its repairs."""
    window.session.show(document)
    qtbot.waitUntil(lambda: window._doctor._repairs.part is not None, timeout=PATIENCE)
    return wait(qtbot, window)


def wait(qtbot: QtBot, window: MainWindow) -> RepairsController:
    place = window._doctor._repairs.part
    assert place is not None
    qtbot.waitUntil(lambda: place.finder.state not in (SearchProgress.WAITING, SearchProgress.ON), timeout=PATIENCE)
    return place


def broken() -> Document:
    return Document(BROKEN.read_bytes(), name="packet")


@pytest.fixture
def place(qtbot: QtBot, window: MainWindow, searched_once: None) -> RepairsController:
    return show(qtbot, window, broken())


def buffer(window: MainWindow) -> bytes:
    assert window.session.document is not None
    return bytes(window.session.document.buffer[:])


def view(window: MainWindow) -> RepairsView:
    found = window.findChild(RepairsView, "repairsView")
    assert isinstance(found, RepairsView)
    return found


def test_a_sound_file_is_not_looked_at(qtbot: QtBot, window: MainWindow) -> None:
    window.session.show(Document.open(SOUND))
    with qtbot.waitSignal(window._parts.problems.finder.found):
        window._parts.problems.refresh_now()
    assert window._doctor._repairs.part is None
    assert window.findChild(RepairsView) is None


def test_the_likeliest_repair_of_a_broken_packet_stands_open_beside_its_problem(
    window: MainWindow, place: RepairsController
) -> None:
    shown = view(window)
    assert shown.isVisible()
    assert shown.parentWidget() is window._parts.problems.parentWidget()
    assert shown.rows[0].is_open
    assert "length" in shown.rows[0].repair.sentence
    assert shown.rows[0].repair.confidence > 0.9
    assert not any(row.is_open for row in shown.rows[1:])


def test_what_the_engine_says_stands_in_the_title(window: MainWindow, place: RepairsController) -> None:
    assert view(window).headline.text() == "Godot 3.2: refuses it (ERR_FILE_EOF)"


def test_what_a_person_typed_is_mended_first_in_the_list_as_it_is_offered_below_the_bytes(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.session.show(Document.open(SOUND))
    window.session.go_to_place("[0].player.name")
    window.session.go_to(window.session.caret + 10)
    hex_view = window._parts.bridge.editing.parent()
    assert isinstance(hex_view, HexView)
    hex_view.setFocus()
    window.findChild(QAction, "insert_mode").trigger()
    qtbot.keyClicks(hex_view, "414243")
    qtbot.waitUntil(lambda: window._doctor._repairs.part is not None, timeout=PATIENCE)
    wait(qtbot, window)
    offer, first = window._parts.bridge.editing.offer, view(window).rows[0]
    assert offer is not None
    assert (first.repair.sentence, first.repair.edit) == (offer.sentence, offer.edit)
    assert first.is_open
    typed = buffer(window)
    assert first.apply_button is not None
    qtbot.mouseClick(first.apply_button, Qt.MouseButton.LeftButton)
    assert buffer(window) != typed
    assert window._parts.bridge.editing.offer is None
    assert not [found for found in window.session.problems() if found.severity is Severity.ERROR]
    window.session.undo()
    assert buffer(window) == typed
    again = window._parts.bridge.editing.offer
    assert again is not None
    assert again.sentence == offer.sentence


def test_that_the_search_goes_on_stands_whole_in_a_narrow_title(window: MainWindow, place: RepairsController) -> None:
    shown = view(window)
    place.finder.state = SearchProgress.ON
    place.finder.changed.emit()
    shown.again.show()
    for width in (420, 800):
        shown.title.resize(width, shown.title.height())
        layout = shown.title.layout()
        assert layout is not None
        layout.activate()
        assert shown.title.detail.text() == "still looking …"
        assert shown.title.detail.width() >= shown.title.detail.sizeHint().width()
        assert shown.title.close_button.geometry().right() < width


def test_nothing_is_repaired_unasked(window: MainWindow, place: RepairsController) -> None:
    assert buffer(window) == BROKEN.read_bytes()
    assert window.session.document is not None
    assert not window.session.document.modified


def test_apply_mends_the_bytes_in_one_step_and_the_pane_goes(
    qtbot: QtBot, window: MainWindow, place: RepairsController
) -> None:
    assert view(window).rows[0].apply_button is not None
    qtbot.mouseClick(view(window).rows[0].apply_button, Qt.MouseButton.LeftButton)
    raw = BROKEN.read_bytes()
    assert buffer(window) == raw.replace(bytes.fromhex(SWAPPED), bytes.fromhex(MENDED))
    qtbot.waitUntil(lambda: not view(window).isVisible())
    window.session.undo()
    assert buffer(window) == raw


def test_after_undo_it_is_looked_for_again(qtbot: QtBot, window: MainWindow, place: RepairsController) -> None:
    place.apply(place.finder.repairs[0])
    assert place.finder.repairs == ()
    window.session.undo()
    wait(qtbot, window)
    assert len(view(window).rows) == len(place.finder.repairs) > 0


def test_a_repair_made_for_other_bytes_is_not_applied(window: MainWindow, place: RepairsController) -> None:
    repair = place.finder.repairs[0]
    window.session.overwrite(0x2C, b"\x02\x00\x00\x00\x09")
    changed = buffer(window)
    place.apply(repair)
    assert buffer(window) == changed


def test_arrows_go_between_repairs_enter_opens_and_escape_leaves(qtbot: QtBot, window: MainWindow) -> None:
    sound = BROKEN.read_bytes().replace(bytes.fromhex(SWAPPED), bytes.fromhex(MENDED))
    more = sound[:4] + b"\x07" + sound[5:]
    show(qtbot, window, Document(more, name="packet"))  # the count is off, or entries were lost
    window.activateWindow()
    shown = view(window)
    shown.take_focus()
    qtbot.keyClick(shown.rows[0].head, Qt.Key.Key_Down)
    assert window.focusWidget() is shown.rows[1].head
    qtbot.keyClick(shown.rows[1].head, Qt.Key.Key_Return)
    assert [row.is_open for row in shown.rows[:2]] == [False, True]
    qtbot.keyClick(shown.rows[1].head, Qt.Key.Key_Escape)
    assert window.focusWidget() is window._parts.tree


def test_the_preview_marks_the_row_that_changes_and_goes_to_it(
    qtbot: QtBot, window: MainWindow, place: RepairsController
) -> None:
    dialog = preview(qtbot, window, place)
    model = dialog.tree.tree_model
    rows = [model.index(row, 0, model.index(0, 0)) for row in range(5)]
    assert [row.data() for row in rows if row.data(RowRole.IS_MODIFIED)] == ["name"]
    assert dialog.tree.currentIndex().data() == "name"
    dialog.reject()


@pytest.mark.parametrize("width", [700, 520, 480, 460, 420])
def test_the_buttons_of_a_repair_stand_below_its_bytes_in_every_width(
    qtbot: QtBot, window: MainWindow, place: RepairsController, width: int
) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    row = RepairRow(place.finder.repairs[0], 120, theme("light"))
    row.set_open(True)
    area.setWidgetResizable(True)
    area.setWidget(row)
    area.resize(900, 400)
    area.show()
    area.resize(width, 400)
    QApplication.processEvents()
    line = row.findChild(BytesLine)
    assert isinstance(line, BytesLine)
    assert isinstance(row.apply_button, QWidget)
    assert line.is_narrow == (width < 600)
    assert line.geometry().bottom() < row.apply_button.geometry().top()


def test_a_long_title_of_an_open_repair_has_two_lines_where_it_needs_them(qtbot: QtBot) -> None:
    words = "The file is empty. A game that stops or crashes while it saves leaves such a file."
    row = RepairRow(Repair(Cause.PACKETS_MIXED, words, "", 0.5), 120, theme("light"))
    qtbot.addWidget(row)
    row.resize(1600, 200)
    row.set_open(True)
    row.show()
    wide = row.head.height()
    row.resize(600, 200)
    QApplication.processEvents()
    assert row.head.height() > wide
    row.set_open(False)
    assert row.head.height() == wide


def test_a_title_is_cut_into_lines_at_a_space() -> None:
    font = ui_font(Size.UI, strong=True)
    assert two_lines("Short", font, 400) == ("Short", "")
    first, rest = two_lines("A sentence of many words that has no room in one line", font, 200)
    assert f"{first} {rest}" == "A sentence of many words that has no room in one line"
    assert QFontMetricsF(font).horizontalAdvance(first) <= 200
    assert two_lines("Unbroken" * 30, font, 200) == ("Unbroken" * 30, "")


def test_of_many_bytes_that_go_the_first_ones_are_shown_with_a_mark(qtbot: QtBot) -> None:
    edit = Edit("Cut", (Splice(4, bytes(range(64)), b""),))
    sample = ByteSample(4, bytes(range(12)).hex(" "))
    repair = Repair(Cause.PACKETS_MIXED, "Cut.", "", 0.5, edit, before=sample, after=ByteSample(4, ""))
    row = RepairRow(repair, 120, theme("light"))
    qtbot.addWidget(row)
    row.set_open(True)
    line = row.findChild(BytesLine)
    assert isinstance(line, BytesLine)
    assert "0b … becomes nothing" in line.accessibleName()


def test_numbers_are_grouped_in_problems_and_repairs(
    qtbot: QtBot, window: MainWindow, place: RepairsController
) -> None:
    shown = window.findChild(ProblemsView)
    assert isinstance(shown, ProblemsView)
    qtbot.waitUntil(lambda: shown.list.model().rowCount() > 0)
    assert "67\u202f108\u202f864 bytes" in str(shown.list.model().index(0, 0).data())


def test_ctrl_enter_applies_the_repair_with_the_focus(
    qtbot: QtBot, window: MainWindow, place: RepairsController
) -> None:
    window.activateWindow()
    view(window).take_focus()
    qtbot.keyClick(view(window).rows[0].head, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert bytes.fromhex(MENDED) in buffer(window)


def test_the_preview_shows_the_values_and_changes_nothing(
    qtbot: QtBot, window: MainWindow, place: RepairsController
) -> None:
    dialog = preview(qtbot, window, place)
    model = dialog.tree.tree_model
    names = [model.data(model.index(row, 0, model.index(0, 0))) for row in range(5)]
    assert names == ["cmd", "peer", "name", "to", "tick"]
    assert "no problems" in dialog.facts.text()
    dialog.reject()
    assert buffer(window) == BROKEN.read_bytes()


def test_the_preview_can_be_applied_by_keyboard(qtbot: QtBot, window: MainWindow, place: RepairsController) -> None:
    dialog = preview(qtbot, window, place)
    qtbot.keyClick(dialog.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert bytes.fromhex(MENDED) in buffer(window)


def preview(qtbot: QtBot, window: MainWindow, place: RepairsController) -> PreviewDialog:
    view(window).preview_asked.emit(place.finder.repairs[0])
    qtbot.waitUntil(lambda: window.findChild(PreviewDialog) is not None, timeout=PATIENCE)
    dialog = window.findChild(PreviewDialog)
    assert isinstance(dialog, PreviewDialog)
    return dialog


def test_bytes_of_another_engine_line_are_read_as_that_one(qtbot: QtBot, window: MainWindow) -> None:
    save = SAMPLES / "godot4-typed.save"
    place = show(qtbot, window, Document.open(save, ReadOptions(dialect=load("godot3"))))
    repair = next(each for each in place.finder.repairs if each.choice is not None and each.edit is None)
    place.apply(repair)
    assert window.session.document is not None
    assert window.session.document.dialect.key == "godot4"
    assert not window.session.document.modified


def test_a_search_can_be_stopped_and_begun_again(qtbot: QtBot, window: MainWindow, place: RepairsController) -> None:
    place.finder.restart()
    place.finder.cancel()
    assert view(window).rows == []
    assert view(window).says.text() == "Stopped looking."
    qtbot.mouseClick(view(window).again, Qt.MouseButton.LeftButton)
    wait(qtbot, window)
    assert len(view(window).rows) > 0


def test_bytes_that_nothing_explains_say_so_in_words(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, Document(Random(5).randbytes(40), name="noise"))
    assert view(window).rows == []
    assert view(window).says.isVisible()
    assert view(window).says.text().startswith("No single mistake explains these bytes.")


def test_on_a_narrow_window_the_repairs_are_a_tab_behind_the_problems(
    qtbot: QtBot, window: MainWindow, place: RepairsController
) -> None:
    window.resize(1000, 640)
    qtbot.waitUntil(lambda: window._parts.work._bottom.count() == 2)
    tabs = window._parts.work._bottom
    assert [tabs.tabText(k) for k in range(2)] == ["Problems", "Repairs"]
    assert not view(window).isVisible()
    window.resize(1400, 900)
    qtbot.waitUntil(lambda: view(window).isVisible())


def test_the_pane_can_be_closed_and_comes_back_by_its_action(
    qtbot: QtBot, window: MainWindow, place: RepairsController
) -> None:
    action = window.findChild(QAction, "repairs")
    assert isinstance(action, QAction)
    assert action.isChecked()
    qtbot.mouseClick(view(window).title.close_button, Qt.MouseButton.LeftButton)
    assert not view(window).isVisible()
    assert not action.isChecked()
    action.trigger()
    assert view(window).isVisible()


def test_asked_for_on_a_sound_file_the_pane_says_that_nothing_is_wrong(qtbot: QtBot, window: MainWindow) -> None:
    window.session.show(Document.open(SOUND))
    action = window.findChild(QAction, "repairs")
    assert isinstance(action, QAction)
    action.trigger()
    with qtbot.waitSignal(window._parts.problems.finder.found):
        window._parts.problems.refresh_now()
    assert view(window).isVisible()
    place = wait(qtbot, window)
    assert place.finder.state is SearchProgress.NOTHING
    assert view(window).says.text().startswith("Nothing is wrong.")
    action.trigger()
    action.trigger()
    assert place.finder.state is SearchProgress.NOTHING  # the same bytes are not looked at twice


def damaged_so(kind: str) -> bytes:
    return next(case.data for case in load_cases(CASES) if case.kind == kind and not is_damaged(Document(case.data)))


def test_a_person_who_asks_is_told_of_a_wrong_encoder_whose_bytes_an_engine_reads(
    qtbot: QtBot, window: MainWindow
) -> None:
    document = Document(damaged_so("floats-only-big-endian"))
    window.session.show(document)
    window._parts.problems.refresh_now()
    assert window._doctor._repairs.part is None  # nothing that no engine writes stands there
    action = window.findChild(QAction, "repairs")
    assert isinstance(action, QAction)
    action.trigger()
    place = wait(qtbot, window)
    assert place.finder.state is SearchProgress.DONE
    assert [row.repair.name for row in view(window).rows][:1] == ["floats-only-big-endian"]
    window.session.show(Document.open(SOUND))
    assert place.finder.state is SearchProgress.NOTHING  # of another document nobody asked
    assert not place.finder.repairs
    window.session.show(document)  # who comes back to it need not ask again
    wait(qtbot, window)
    assert [row.repair.name for row in view(window).rows][:1] == ["floats-only-big-endian"]


def test_of_what_an_engine_reads_notes_are_told_and_nothing_is_denied(qtbot: QtBot, window: MainWindow) -> None:
    line = load("godot4")
    holding = encode(parse_literal('[1, Object(Node,"name":"Anna")]', line), line)
    window.session.show(Document(holding))
    action = window.findChild(QAction, "repairs")
    assert isinstance(action, QAction)
    action.trigger()
    place = wait(qtbot, window)
    assert [repair.cause for repair in place.finder.repairs] == [Cause.OBJECTS_NOT_ALLOWED]
    assert "Nothing is wrong" not in view(window).says.text()


def test_packets_are_explained_and_not_looked_at(window: MainWindow) -> None:
    """What stands before a value in them is the header of a protocol."""
    store = store_of(open_capture((corpus.DATA / "network" / "packets" / "g4_enet_none.pcap").read_bytes()))
    packets = [store.packet(row) for row in list(store.rows)[:40]]
    documents = [payload_document(packet, store.explainer(packet.row)) for packet in packets]
    assert any(document.frames for document in documents)
    assert not any(can_be_misread(document) for document in documents)


def test_what_no_engine_writes_is_explained_without_a_question(qtbot: QtBot, window: MainWindow) -> None:
    window.session.show(Document(damaged_so("prefix-constant-1024")))
    qtbot.waitUntil(lambda: window._doctor._repairs.part is not None, timeout=PATIENCE)
    place = wait(qtbot, window)
    assert place.finder.cause is not None
    assert place.finder.cause.repair.name == "prefix-constant"
    assert not window._parts.work.repairs_shown  # the pane comes by itself with an error alone
    assert not window.session.document.is_learned  # type: ignore[union-attr]


def test_f6_comes_by_the_repairs(window: MainWindow, place: RepairsController) -> None:
    panes: list[QWidget] = window._panes._in_view()
    assert view(window) in panes


def test_the_dark_theme_reaches_the_repairs(window: MainWindow, place: RepairsController) -> None:
    place.set_theme(theme("dark"))
    assert view(window).rows[0].head._theme is theme("dark")


@pytest.mark.parametrize("folder", ["godot3", "godot4"])
def test_real_broken_bytes_never_break_the_pane(qtbot: QtBot, window: MainWindow, folder: str) -> None:
    rows = [row for row in corpus.malformed(folder) if 24 <= len(row["hex"]) // 2 <= 4096]
    for row in rows[:: max(1, len(rows) // 8)]:
        document = Document(bytes.fromhex(row["hex"]), name=row["id"], choice=ReadOptions(dialect=load(folder)))
        window.session.show(document)
        place = window._doctor._repairs.part
        if place is not None and place.finder.state is not SearchProgress.NOTHING:
            place.finder.look_now()
            wait(qtbot, window)
            assert len(view(window).rows) == len(place.finder.repairs)


# What is likely, elsewhere in the window


def test_the_problems_and_their_tooltips_say_it(qtbot: QtBot, window: MainWindow) -> None:
    show(qtbot, window, broken())
    rows = window._parts.problems.rows
    index = rows.index(0)
    assert index.data(CauseRole) == CAUSE
    assert CAUSE in index.data(Qt.ItemDataRole.AccessibleTextRole)
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert "Set the length to that of the text" not in tip
    assert "The doctor says how to fix it." in tip


def test_it_goes_with_the_damage(qtbot: QtBot, window: MainWindow) -> None:
    place = show(qtbot, window, broken())
    assert place.finder.cause is not None
    place.apply(place.finder.repairs[0])
    assert place.finder.cause is None
    assert window._doctor._told is None
    window.session.show(Document(BROKEN.read_bytes()[:8], name="other"))
    assert place.finder.cause is None


def test_the_page_of_f1_says_it_once_it_is_known(qtbot: QtBot, window: MainWindow) -> None:
    window.session.show(broken())
    window.session.go_to(0x44)
    window._doctor.show_explanation()
    card = window.findChild(ExplainCard)
    assert isinstance(card, ExplainCard)
    qtbot.waitUntil(lambda: card.page is not None and CAUSE in card.page.as_text(), timeout=PATIENCE)


def test_the_words_of_the_button_that_has_the_focus_are_whole(place: RepairsController, window: MainWindow) -> None:
    view = window.findChild(RepairsView)
    assert view is not None
    buttons = [button for button in view.findChildren(QPushButton) if button.isVisible()]
    assert {button.text() for button in buttons} >= {"Preview tree", "Apply"}
    assert all(is_whole_in_bold(button) for button in buttons)
