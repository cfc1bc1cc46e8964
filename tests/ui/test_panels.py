"""The inspector and the problems, over real files and the real session."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.base.diagnostic import Severity
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.look.palette import DARK, LIGHT, theme
from viewer.ui.panels.inspector import Inspector, InspectorHead
from viewer.ui.panels.inspector_parts import ROW
from viewer.ui.panels.problems_view import ProblemsView
from viewer.ui.session import Session
from viewer.variant.dialect import load
from viewer.variant.items import Item

FILES = Path(__file__).parents[1] / "data/godot3/files"
LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = Session()
    session.show(Document.open(FILES / "rpg.save"))
    return session


def select(session: Session, path: str) -> None:
    assert session.document is not None
    session.select(parse_path(session.document, path))


def bare(raw: bytes) -> Document:
    return Document(raw, name="bytes", choice=ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE))


@pytest.fixture
def inspector(session: Session, qtbot: QtBot) -> Inspector:
    inspector = Inspector(session, theme(LIGHT))
    qtbot.addWidget(inspector)
    inspector.resize(276, 800)
    inspector.show()
    return inspector


def labels(inspector: Inspector) -> list[str]:
    return [row.label for row in inspector.parts.rows.rows]


def lit(inspector: Inspector) -> str:
    index = inspector.parts.currentIndex()
    return inspector.parts.rows.rows[index.row()].label if index.isValid() else ""


def click_row(qtbot: QtBot, inspector: Inspector, row: int) -> None:
    view = inspector.parts
    place = view.visualRect(view.rows.index(row)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)


def test_the_head_names_the_value(session: Session, inspector: Inspector) -> None:
    select(session, "[0].player.target")
    head = inspector.head
    assert (head.name, head.kind, head.value) == ("target", "NodePath", 'NodePath("../Enemies/Orc:hp")')
    assert head.place == "52 bytes at 0x000390 (912)"


def test_a_key_says_whose_key_it_is(session: Session, inspector: Inspector) -> None:
    select(session, "[0].player.gold@key")
    assert (inspector.head.name, inspector.head.of_key) == ("gold", "key of gold")


def test_the_part_of_the_caret_is_lit(session: Session, inspector: Inspector) -> None:
    select(session, "[0].player.target")
    assert lit(inspector) == "header"
    session.go_to(0x3AC)
    assert lit(inspector) == "name 1"
    assert inspector.head.name == "target"


def test_a_click_on_a_part_selects_it(session: Session, inspector: Inspector, qtbot: QtBot) -> None:
    select(session, "[0].player.skin")
    with qtbot.waitSignal(session.selected):
        click_row(qtbot, inspector, 2)
    assert session.path == "[0].player.skin.g"
    assert session.caret == 0x354


def test_arrows_walk_through_the_parts(session: Session, inspector: Inspector, qtbot: QtBot) -> None:
    select(session, "[0].player.skin")
    qtbot.keyClick(inspector.parts, Qt.Key.Key_Down)
    qtbot.keyClick(inspector.parts, Qt.Key.Key_Down)
    assert session.path == "[0].player.skin.g"


def test_a_huge_array_has_few_rows_that_follow_the_caret(session: Session, inspector: Inspector, qtbot: QtBot) -> None:
    words = b"".join(struct.pack("<I", 4) + b"abc\0" for _ in range(100_000))
    session.show(bare(struct.pack("<II", 23, 100_000) + words))
    assert inspector.parts.rows.rowCount() < 210
    assert labels(inspector)[-1].endswith("more")
    session.go_to(8 + 8 * 50_000 + 4)
    assert inspector.parts.rows.rowCount() < 210
    assert lit(inspector) == "[50000]"


def test_a_click_on_what_is_left_out_shows_it(session: Session, inspector: Inspector, qtbot: QtBot) -> None:
    session.show(bare(struct.pack("<II", 22, 1000) + bytes(4000)))
    inspector.parts.scrollToBottom()
    click_row(qtbot, inspector, inspector.parts.rows.rowCount() - 1)
    assert session.item is not None
    assert session.item.part == "[198]"
    assert lit(inspector) == "[198]"


def test_an_edit_shows_the_new_value(session: Session, inspector: Inspector) -> None:
    select(session, "[0].player.gold")
    assert session.document is not None
    session.set_literal(Item(0, session.item.node), "7")  # type: ignore[union-attr]
    assert inspector.head.value == "7"


def test_a_problem_is_told_with_what_to_do(session: Session, qtbot: QtBot) -> None:
    view = ProblemsView(session, theme(LIGHT))
    qtbot.addWidget(view)
    session.show(bare(bytes.fromhex("04000000 FF000000 6162")))
    view.refresh_now()
    tip = str(view.rows.index(0).data(Qt.ItemDataRole.ToolTipRole))
    assert tip.endswith("\nSet the length to that of the text.")
    assert "length-too-long" not in tip


def test_a_broken_value_says_why(session: Session, inspector: Inspector) -> None:
    session.show(bare(bytes.fromhex("04000000 FF000000 6162")))
    assert inspector.head.value.startswith("This text says it is 255 bytes long")


def test_a_gap_inside_a_collection_shows_its_own_bytes(session: Session, inspector: Inspector) -> None:
    #                    Array    2        Nil      type 27  Nil
    session.show(bare(bytes.fromhex("13000000 02000000 00000000 1b000000 00000000")))
    session.go_to(12)
    head = inspector.head
    assert (head.name, head.value, head.place) == (
        "skipped bytes",
        "4 bytes that no value claims",
        "4 bytes at 0x00000C (12)",
    )
    assert [row.part.span.start for row in inspector.parts.rows.rows] == [12]
    assert inspector.parts.rows.rows[0].words == "4 bytes"


def test_numbers_at_the_caret_are_copied_by_click(session: Session, inspector: Inspector, qtbot: QtBot) -> None:
    session.go_to(0x3AC)
    with qtbot.waitSignal(inspector.said) as said:
        qtbot.mouseClick(inspector.numbers, LEFT, pos=QPoint(70, 20 + 2 * 19 + 5))
    assert said.args == ["Copied “28229”"]
    assert QGuiApplication.clipboard().text() == "28229"


def test_numbers_are_copied_by_keys(session: Session, inspector: Inspector, qtbot: QtBot) -> None:
    session.go_to(0x3AC)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(inspector.numbers, key)
    assert QGuiApplication.clipboard().text() == "17774"


def test_too_few_bytes_show_a_dash_and_copy_nothing(session: Session, inspector: Inspector, qtbot: QtBot) -> None:
    assert session.document is not None
    session.go_to(len(session.document.buffer) - 1)
    assert inspector.numbers.text_of((2, 0)) is None
    with qtbot.assertNotEmitted(inspector.said):
        qtbot.mouseClick(inspector.numbers, LEFT, pos=QPoint(70, 20 + 2 * 19 + 5))


def test_nothing_open_shows_nothing(session: Session, inspector: Inspector) -> None:
    session.show(None)
    assert inspector.head.empty == "No file is open"
    assert not inspector.parts.isVisible()
    assert not inspector.numbers.isVisible()


@pytest.mark.parametrize("size", [(200, 300), (276, 420), (1000, 200), (276, 1200)])
def test_the_inspector_paints_at_any_size_in_both_themes(
    session: Session, inspector: Inspector, size: tuple[int, int]
) -> None:
    inspector.resize(*size)
    for name in (LIGHT, DARK):
        inspector.set_theme(theme(name))
        QApplication.processEvents()
        assert not inspector.grab().isNull()
    assert inspector.parts.height() >= min(6, inspector.parts.rows.rowCount()) * ROW


# Problems


@pytest.fixture
def problems(session: Session, qtbot: QtBot) -> ProblemsView:
    view = ProblemsView(session, theme(LIGHT))
    qtbot.addWidget(view)
    view.resize(700, 240)
    view.show()
    return view


def broken(session: Session, problems: ProblemsView) -> None:
    """A save with a bool that is 2, and a text that is too long in its second half."""
    raw = bytearray((FILES / "rpg.save").read_bytes())
    raw[0x3D4:0x3D8] = (2).to_bytes(4, "little")
    raw[0x42C + 4 : 0x42C + 8] = (10**6).to_bytes(4, "little")
    session.show(Document(bytes(raw), name="broken"))
    problems.refresh_now()


def test_findings_come_when_the_window_is_idle(session: Session, problems: ProblemsView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: problems.finder.is_complete)
    assert session.document is not None
    assert problems.found == session.document.findings.all()
    assert problems.is_empty
    assert problems.counts.notes == len(problems.found) > 0
    assert problems.title.detail.text() == f"{problems.counts.notes} notes"


def test_notes_are_shown_on_demand(session: Session, problems: ProblemsView, qtbot: QtBot) -> None:
    problems.refresh_now()
    qtbot.mouseClick(problems.notes_button, LEFT)
    assert problems.rows.rowCount() == problems.counts.notes
    assert {row.severity for row in problems.rows.rows} == {Severity.NOTE}


def test_problems_lie_in_the_order_of_their_offsets(session: Session, problems: ProblemsView) -> None:
    broken(session, problems)
    starts = [row.span.start for row in problems.rows.rows]
    assert starts == sorted(starts)
    assert {row.severity for row in problems.rows.rows} == {Severity.WARNING, Severity.ERROR}


def test_a_click_jumps_to_the_problem(session: Session, problems: ProblemsView, qtbot: QtBot) -> None:
    broken(session, problems)
    place = problems.list.visualRect(problems.rows.index(1)).center()
    qtbot.mouseClick(problems.list.viewport(), LEFT, pos=place)
    assert session.caret == problems.rows.rows[1].span.start
    assert session.marked_span == problems.rows.rows[1].span


def test_enter_jumps_to_the_problem(session: Session, problems: ProblemsView, qtbot: QtBot) -> None:
    broken(session, problems)
    problems.list.setCurrentIndex(problems.rows.index(0))
    qtbot.keyClick(problems.list, Qt.Key.Key_Return)
    assert session.caret == problems.rows.rows[0].span.start


def test_a_jump_from_elsewhere_lights_the_row(session: Session, problems: ProblemsView) -> None:
    broken(session, problems)
    session.go_to_problem(problems.rows.rows[1])
    assert problems.list.currentIndex().row() == 1


def test_a_row_is_lit_also_where_its_finding_is_known_only_after_the_jump(
    session: Session, problems: ProblemsView
) -> None:
    broken(session, problems)
    found = problems.rows.rows[0]
    session.show(None)
    raw = bytearray((FILES / "rpg.save").read_bytes())
    raw[0x3D4:0x3D8] = (2).to_bytes(4, "little")
    session.show(Document(bytes(raw), name="broken"))
    session.go_to(found.span.start)
    assert problems.rows.rowCount() == 0
    problems.refresh_now()
    assert problems.list.currentIndex().row() == 0


def test_a_finding_behind_the_last_byte_is_lit_too(session: Session, problems: ProblemsView) -> None:
    session.show(bare(bytes.fromhex("13000000 02000000 02000000")))
    problems.refresh_now()
    cut = problems.rows.rows[-1]
    assert len(cut.span) == 0
    session.go_to_problem(cut)
    assert problems.list.currentIndex().row() == problems.rows.rowCount() - 1


def test_the_selected_row_stays_where_the_same_is_found_in_other_words(
    session: Session, problems: ProblemsView
) -> None:
    #                               type 50, which no engine has
    session.show(bare(bytes.fromhex("32000000")))
    problems.refresh_now()
    session.go_to(0)
    problems.list.setCurrentIndex(problems.rows.index(0))
    before = problems.rows.rows[0].message
    session.read_as(ReadOptions(load("godot4"), framing=FramingKind.BARE))
    problems.refresh_now()
    assert problems.rows.rows[0].message != before
    assert problems.list.currentIndex().row() == 0


def test_the_counts_are_announced(session: Session, problems: ProblemsView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(problems.count_changed):
        broken(session, problems)
    assert (problems.counts.errors, problems.counts.warnings) == (1, 1)
    with qtbot.waitSignal(problems.count_changed):
        session.show(None)
    assert problems.counts.words == "no problems"


def test_ten_thousand_problems_are_fine(session: Session, problems: ProblemsView) -> None:
    bools = b"".join(struct.pack("<II", 1, 5) for _ in range(10_000))
    session.show(bare(struct.pack("<II", 19, 10_000) + bools))
    problems.refresh_now()
    assert problems.rows.rowCount() == 10_000
    problems.list.scrollToBottom()
    assert not problems.grab().isNull()


def test_an_edit_that_mends_takes_the_row_away(session: Session, problems: ProblemsView, qtbot: QtBot) -> None:
    session.show(bare(struct.pack("<II", 1, 5)))
    problems.refresh_now()
    assert problems.rows.rowCount() == 1
    session.overwrite(4, b"\x01")
    qtbot.waitUntil(lambda: problems.finder.is_complete)
    assert problems.is_empty


@pytest.mark.parametrize(
    "unit",
    ["שלום עולם abc ", "مرحبا 12 abc ", "\U0001f600 wide \U0001d11e sign ", "abc שלום \U0001f600 "],
    ids=["Hebrew", "Arabic", "beyond U+FFFF", "all of them"],
)
@pytest.mark.parametrize("width", [180, 260, 400])
def test_the_value_in_the_inspectors_head_loses_nothing_between_its_lines(qtbot: QtBot, unit: str, width: int) -> None:
    head = InspectorHead(theme(LIGHT))
    qtbot.addWidget(head)
    head.resize(width, 200)
    text = unit * 30
    head.show_value("S", "text", "name", "String", text, "", "")
    assert len(head._lines) == 4
    assert text.startswith("".join(head._lines[:-1]))
    last = head._lines[-1].removesuffix("…").removesuffix("\u200d")  # Qt keeps the form of a letter that goes on
    assert text.startswith("".join(head._lines[:-1]) + last)
    assert not any("…" in line for line in head._lines[:-1])
    metrics = QFontMetricsF(head._value_font)
    assert max(metrics.horizontalAdvance(line.rstrip()) for line in head._lines) <= width - 14
