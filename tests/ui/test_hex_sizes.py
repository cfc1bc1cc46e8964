"""The hex view on buffers that are larger than an int, on disk, not yet scanned, or full of findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.span import Span
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.disk.paged import open_paged
from viewer.document.document import Document
from viewer.document.findings import Findings
from viewer.document.reading import ReadOptions
from viewer.ui.hex.byte_source import CoverageMark, Description
from viewer.ui.hex.coverage_strip import CoverageStrip
from viewer.ui.hex.document_source import DocumentSource
from viewer.ui.hex.view import HexView
from viewer.ui.look import palette
from viewer.ui.session import Session
from viewer.variant.items import Role
from viewer.variant.tints import BYTE, CODE, GAP, PLAIN, STYLES

CTRL = Qt.KeyboardModifier.ControlModifier
GIANT = 6 << 30
VALUE = CODE[Role.VALUE, "number"]


class Giant:
    """Bytes made from their offsets: each byte is the low byte of the number of its row of sixteen."""

    def __init__(self, size: int = GIANT) -> None:
        self.length = size
        self.most = 0
        self.taken = 0

    def size(self) -> int:
        return self.length

    def read(self, start: int, end: int) -> bytes:
        assert 0 <= start <= end <= self.length
        self.most = max(self.most, end - start)
        return bytes(offset >> 4 & 0xFF for offset in range(start, end))

    def styles(self, start: int, end: int) -> bytes:
        return BYTE[VALUE] * (end - start)

    def modified(self, start: int, end: int) -> list[Span]:
        return []

    errors = warnings = recovered = search_hits = modified

    def current_hit(self) -> Span | None:
        return None

    def parents(self, offset: int) -> Span | None:
        return None

    def coverage(self, buckets: int) -> Iterator[CoverageMark]:
        for _ in range(buckets):
            self.taken += 1
            yield CoverageMark(STYLES[VALUE])

    def describe(self, offset: int) -> Description | None:
        return None


def shown(qtbot: QtBot, source: object) -> HexView:
    """A view with the focus, ten rows of sixteen bytes high."""
    view = HexView(palette.theme(palette.LIGHT))
    qtbot.addWidget(view)
    view.set_source(source)  # type: ignore[arg-type]
    view.set_row_width(16)
    view.resize(view.preferred_width(), 26 + 2 + 10 * 20)
    view.show()
    qtbot.waitExposed(view)
    view.setFocus()
    view.activateWindow()
    qtbot.waitUntil(view.hasFocus)
    return view


@pytest.fixture
def giant(qtbot: QtBot) -> HexView:
    """A view on 6 GiB."""
    return shown(qtbot, Giant())


def test_the_bar_counts_rows_and_the_middle_of_it_is_the_middle_of_the_bytes(giant: HexView) -> None:
    bar = giant.verticalScrollBar()
    assert bar.maximum() == GIANT // 16 - 10
    bar.setSliderDown(True)
    bar.setSliderPosition(GIANT // 32)
    bar.setSliderDown(False)
    assert giant.visible_span == Span(GIANT // 2, GIANT // 2 + 160)
    hit = giant.hit(QPointF(giant.byte_rect(GIANT // 2 + 0x25).center()))
    assert hit is not None
    assert hit.offset == GIANT // 2 + 0x25


def test_keys_reach_both_ends_and_page_exactly(qtbot: QtBot, giant: HexView) -> None:
    qtbot.keyClick(giant, Qt.Key.Key_End, CTRL)
    assert giant.caret.offset == GIANT - 1
    assert giant.visible_span.end == GIANT
    qtbot.keyClick(giant, Qt.Key.Key_PageUp)
    assert giant.visible_span == Span(GIANT - 320, GIANT - 160)
    assert giant.caret.offset == GIANT - 161
    qtbot.keyClick(giant, Qt.Key.Key_Home, CTRL)
    assert (giant.caret.offset, giant.visible_span.start) == (0, 0)


def test_signals_carry_offsets_beyond_an_int(qtbot: QtBot, giant: HexView) -> None:
    giant.ensure_visible(Span(GIANT - 32, GIANT - 31))
    place = giant.byte_rect(GIANT - 32).center()
    with qtbot.waitSignal(giant.caret_moved) as moved:
        qtbot.mouseClick(giant.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert moved.args == [GIANT - 32]
    with qtbot.waitSignal(giant.selection_changed) as selected:
        giant.select_all()
    assert selected.args == [Span(0, GIANT)]


def test_only_a_page_is_read_wherever_one_goes(qtbot: QtBot, giant: HexView) -> None:
    source = giant.source
    assert isinstance(source, Giant)
    for value in (0, 1 << 20, GIANT // 32, GIANT // 16):
        giant.verticalScrollBar().setValue(value)
        giant.grab()
    assert 0 < source.most <= 12 * 16


def test_offsets_over_four_gib_have_ten_digits(qtbot: QtBot, giant: HexView) -> None:
    narrow = giant.width_for_columns(16)
    giant.set_source(Giant(1 << 32))  # type: ignore[arg-type]
    digit = (narrow - giant.width_for_columns(16)) / 2
    assert digit > 5


def test_a_byte_out_of_view_has_a_place_outside_of_it(giant: HexView) -> None:
    assert giant.byte_rect(GIANT - 1).top() > giant.viewport().height()
    giant.verticalScrollBar().setValue(giant.verticalScrollBar().maximum())
    assert giant.byte_rect(0).bottom() < 0


def test_rows_beyond_an_int_keep_both_ends_and_single_steps(qtbot: QtBot) -> None:
    size = 16 * (3 * 2**31 + 5)
    view = shown(qtbot, Giant(size))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert view.visible_span.end == size
    qtbot.keyClick(view, Qt.Key.Key_End, CTRL)
    qtbot.keyClick(view, Qt.Key.Key_PageUp)
    assert view.visible_span.end == size - 160
    view.grab()


# The coverage strip


def test_the_strip_takes_its_marks_once_for_many_paintings(qtbot: QtBot, giant: HexView) -> None:
    source, strip = giant.source, giant.findChild(CoverageStrip)
    assert isinstance(source, Giant)
    assert strip is not None
    taken = source.taken
    assert taken > 0
    strip.grab()
    giant.verticalScrollBar().setValue(1000)
    strip.grab()
    assert source.taken == taken


def test_a_picture_has_all_marks_of_a_changed_buffer(giant: HexView) -> None:
    source = giant.source
    assert isinstance(source, Giant)
    taken = source.taken
    giant.refresh()
    giant.finish()
    assert source.taken == 2 * taken


def test_a_changed_buffer_gets_other_marks(qtbot: QtBot, giant: HexView) -> None:
    source, strip = giant.source, giant.findChild(CoverageStrip)
    assert isinstance(source, Giant)
    assert strip is not None
    taken = source.taken
    giant.refresh()
    strip.grab()
    qtbot.waitUntil(lambda: source.taken == 2 * taken)


# Documents


def save(name: str = "rpg.save") -> Path:
    return next(file.path for file in corpus.files("godot3") if file.path.name == name)


def opened(document: Document, parent: QWidget) -> DocumentSource:
    session = Session(parent)
    session.show(document)
    session.stop_reading()  # what is still to be read of it stays so
    return DocumentSource(session)


def test_bytes_that_nobody_has_read_yet_are_plain_and_can_be_edited(qtbot: QtBot) -> None:
    document = Document.open(save(), patience=0)
    assert not document.frames
    window = QWidget()
    qtbot.addWidget(window)
    source = opened(document, window)
    assert set(source.styles(0, 64)) == {PLAIN}
    view = shown(qtbot, source)
    view.set_selection(Span(3, 9))
    assert view.copy()
    assert source.describe(20) is None
    with qtbot.waitSignal(view.byte_typed):
        qtbot.keyClicks(view, "a")
    view.grab()


def test_bytes_in_which_no_value_was_found_are_a_gap(qtbot: QtBot) -> None:
    document = Document(b"\xff" * 40, choice=ReadOptions())
    codes = ByteClassifier(document).codes(0, 40)
    assert len(codes) == 40
    assert codes[-1] == GAP


def test_a_file_on_disk_is_coloured_like_one_in_memory(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    held = opened(Document.open(save()), window)
    paged = opened(Document(open_paged(save())), window)  # type: ignore[arg-type]
    assert paged.size() == held.size()
    for start in range(0, held.size() - 100, 97):
        assert paged.styles(start, start + 100) == held.styles(start, start + 100)
        assert paged.read(start, start + 100) == held.read(start, start + 100)


def test_findings_are_sorted_once_for_many_paintings(qtbot: QtBot) -> None:
    class Counted(Findings):
        asked = 0

        def known(self) -> list[Diagnostic]:
            Counted.asked += 1
            return super().known()

    window = QWidget()
    qtbot.addWidget(window)
    document = Document.open(save())
    document.findings = Counted(document)
    source = opened(document, window)
    Counted.asked = 0
    for start in range(0, 200, 10):
        source.errors(start, start + 10)
        source.warnings(start, start + 10)
    assert Counted.asked == 1
    for _ in range(5):
        source.refresh()
    source.errors(0, 100)
    assert Counted.asked == 2


def test_what_is_wrong_is_marked_in_the_strip(qtbot: QtBot) -> None:
    data = save().read_bytes()
    window = QWidget()
    qtbot.addWidget(window)
    document = Document(data[: len(data) // 2] + b"\xff" * 64)
    source = opened(document, window)
    wrong = [d.span for d in document.findings.known() if d.severity is Severity.ERROR and len(d.span)]
    marks = list(source.coverage(100))
    assert len(marks) == 100
    assert any(mark.error for mark in marks) == bool(wrong)
