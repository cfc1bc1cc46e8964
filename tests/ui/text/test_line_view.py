"""The text view under keys and mouse, over a text that carries out what it asks for."""

import random
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QImage, QKeySequence, QPainter, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.ui.look.palette import theme
from viewer.ui.text.line_view import TextView
from viewer.ui.text.piece_table import PieceTable
from viewer.ui.text.text_source import TextMark, TextTint, TextTyped
from viewer.ui.viewport import BAND

TEXT = b'{\n  "name": "Gr\xc3\xbc\xc3\x9fe",\n  "gold": 12\n}\n'
K = Qt.Key
NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


class Text:
    """A text with nothing known about it."""

    def __init__(self, data: bytes) -> None:
        self.data = PieceTable(data)

    def tints(self, span: Span) -> list[TextTint]:
        return []

    def marks(self, span: Span) -> list[TextMark]:
        return []


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    return shown(qtbot, TEXT)


def shown(qtbot: QtBot, data: bytes) -> TextView:
    view = TextView(theme("light"))
    qtbot.addWidget(view)
    view.resize(500, 300)
    text = Text(data)
    view.set_source(text)

    def carry_out(typed: TextTyped) -> None:
        text.data.replace(typed.removed, typed.inserted)
        view.replaced(typed.removed, typed.inserted)

    view.typed.connect(carry_out)
    view.show()
    view.setFocus()
    return view


def now(view: TextView) -> bytes:
    assert view.source is not None
    return bytes(view.source.data)


def press(view: TextView, *keys: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    for key, held in keys:
        QTest.keyClick(view, key, held)


def test_arrows_go_by_characters(view: TextView) -> None:
    view.set_caret(TEXT.index("ü".encode()))
    press(view, (K.Key_Right, NONE))
    assert view.caret.offset == TEXT.index("ß".encode())
    press(view, (K.Key_Left, NONE), (K.Key_Left, NONE))
    assert view.caret.offset == TEXT.index(b"r\xc3")


def test_up_and_down_keep_the_column_over_shorter_lines(view: TextView) -> None:
    view.set_caret(TEXT.index(b"12"))
    press(view, (K.Key_Down, NONE))
    assert view.position(view.caret.offset) == (4, 2)
    press(view, (K.Key_Up, NONE))
    assert view.caret.offset == TEXT.index(b"12")


def test_home_goes_to_the_first_sign_then_to_the_line(view: TextView) -> None:
    view.set_caret(TEXT.index(b"12"))
    press(view, (K.Key_Home, NONE))
    assert view.caret.offset == TEXT.index(b'"gold"')
    press(view, (K.Key_Home, NONE))
    assert view.position(view.caret.offset) == (3, 1)
    press(view, (K.Key_End, NONE))
    assert now(view)[view.caret.offset :] == b"\n}\n"


def test_shift_selects_and_an_arrow_leaves_the_selection_at_its_end(view: TextView) -> None:
    start = TEXT.index(b"gold")
    view.set_caret(start)
    press(view, *[(K.Key_Right, SHIFT)] * 4)
    assert view.selection == Span(start, start + 4)
    press(view, (K.Key_Right, NONE))
    assert (view.selection, view.caret.offset) == (None, start + 4)


def test_words(view: TextView) -> None:
    view.set_caret(TEXT.index(b"Gr"))
    press(view, (K.Key_Right, CTRL))
    assert view.caret.offset == TEXT.index(b'",')
    press(view, (K.Key_Backspace, CTRL))
    assert b'"name": ""' in now(view)


def test_what_is_typed_stands_in_the_text(view: TextView) -> None:
    view.set_caret(TEXT.index(b"12"))
    QTest.keyClicks(view, "3")
    assert b'"gold": 312' in now(view)
    press(view, (K.Key_Delete, NONE), (K.Key_Delete, NONE), (K.Key_Backspace, NONE))
    assert b'"gold": \n' in now(view)
    assert view.caret.offset == now(view).index(b": \n}") + 2


def test_typing_takes_the_place_of_what_is_selected(view: TextView) -> None:
    start = TEXT.index(b"gold")
    view.select(Span(start, start + 4))
    QTest.keyClicks(view, "x")
    assert b'"x": 12' in now(view)
    assert view.selection is None


def test_a_new_line_is_indented_as_the_one_before(view: TextView) -> None:
    view.set_caret(TEXT.index(b"12") + 2)
    press(view, (K.Key_Return, NONE))
    assert b"12\n  \n}" in now(view)


def test_lines_end_as_they_do_elsewhere(qtbot: QtBot) -> None:
    view = shown(qtbot, b"a\r\nb\r\n")
    press(view, (K.Key_End, NONE))
    assert view.caret.offset == 1
    press(view, (K.Key_Return, NONE))
    assert now(view) == b"a\r\n\r\nb\r\n"
    press(view, (K.Key_Backspace, NONE))
    assert now(view) == b"a\r\nb\r\n"


def test_cut_and_paste(view: TextView) -> None:
    line = TEXT.index(b'  "gold"')
    view.select(Span(line, TEXT.index(b"}")))
    press(view, (K.Key_X, CTRL))
    assert QApplication.clipboard().text() == '  "gold": 12\n'
    assert b"gold" not in now(view)
    press(view, (K.Key_V, CTRL))
    assert now(view) == TEXT


def test_read_only_refuses_and_says_so(view: TextView, qtbot: QtBot) -> None:
    view.read_only = True
    with qtbot.waitSignal(view.typing_refused):
        QTest.keyClicks(view, "x")
    press(view, (K.Key_Delete, NONE))
    assert now(view) == TEXT


def test_a_click_puts_the_caret_and_a_double_click_selects_a_word(view: TextView) -> None:
    view.set_caret(TEXT.index(b"old"))
    place = view.caret_rect().center()
    view.set_caret(0)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, NONE, place)
    assert view.caret.offset == TEXT.index(b"old")
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, NONE, place)
    assert view.selection == Span(TEXT.index(b"gold"), TEXT.index(b"gold") + 4)


def test_a_click_on_a_line_number_selects_the_line(view: TextView) -> None:
    view.set_caret(TEXT.index(b"gold"))
    y = view.caret_rect().center().y()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, NONE, QPoint(3, y))
    assert view.selection == Span(TEXT.index(b'  "gold"'), TEXT.index(b"}"))


def test_places_are_lines_and_columns(view: TextView) -> None:
    assert view.position(TEXT.index(b'",\n')) == (2, 17)
    assert view.offset_of(2, 17) == TEXT.index(b'",\n')
    assert view.offset_of(99, 99) == len(TEXT)


def test_the_caret_stays_at_its_letters_when_others_change(view: TextView) -> None:
    view.set_caret(TEXT.index(b"12"))
    assert isinstance(view.source, Text)
    view.source.data.replace(Span(0, 1), b"[[[")
    view.replaced(Span(0, 1), b"[[[")
    assert view.caret.offset == TEXT.index(b"12") + 2


def test_one_very_long_line_is_shown_and_left(qtbot: QtBot) -> None:
    view = shown(qtbot, b"[" + b"1234567, " * 100_000 + b"1]")
    press(view, (K.Key_End, CTRL))
    assert view.caret.offset == 900_003
    assert view.viewport().rect().contains(view.caret_rect().center())
    press(view, (K.Key_PageUp, NONE), (K.Key_Up, NONE))
    assert view.viewport().rect().intersects(view.caret_rect())
    view.grab()


def test_keys_of_the_text_go_before_those_of_the_window(view: TextView) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    def taken(key: Qt.Key, held: Qt.KeyboardModifier, text: str = "") -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, held, text)
        event.ignore()
        QApplication.sendEvent(view, event)
        return event.isAccepted()

    assert taken(K.Key_C, CTRL, "\x03")
    assert taken(K.Key_Delete, NONE)
    assert taken(K.Key_N, NONE, "n")
    assert not taken(K.Key_S, CTRL, "\x13")
    assert not taken(K.Key_F3, NONE)
    assert QKeySequence(QKeySequence.StandardKey.Copy) == QKeySequence("Ctrl+C")


def test_a_selected_value_of_several_rows_has_a_line_beside_it_and_no_fill(view: TextView) -> None:
    def colours(span: Span) -> set[str]:
        view.set_selected_item(span)
        image = view.viewport().grab().toImage()
        return {image.pixelColor(x, 2).name() for x in range(view._gutter, view._gutter + 30)}

    ui = theme("light").ui
    assert ui.selection_inactive.name() in colours(Span(0, 1))
    several = colours(Span(0, view.offset_of(2) + 1))
    assert ui.selection_inactive.name() not in several
    assert ui.accent.name() in several


def test_rows_wider_than_their_bytes_tell_are_scrolled_into_view(qtbot: QtBot) -> None:
    view = shown(qtbot, b"\x01" * 30 + b'"name": "Ada"\nshort\n')  # each is shown as four letters
    bar = view.horizontalScrollBar()
    assert bar.maximum() > 0
    view.move_caret(40)
    assert bar.value() > 0
    assert 0 < view.caret_rect().x() < view.viewport().width()
    middle = view.caret_rect().center().toPointF()
    assert view._nearest(middle) == 40
    press(view, (K.Key_Home, NONE), (K.Key_Home, NONE))
    assert view.caret_rect().x() > view._gutter
    view.set_source(Text(b"short\n"))
    assert bar.maximum() == 0


def test_rows_with_tabs_are_all_in_sight(qtbot: QtBot) -> None:
    text = b"\t" * 30 + b'"name": "Ada"\n\tshort\n'
    view = shown(qtbot, text)
    assert view.horizontalScrollBar().maximum() == 0
    assert view._rows.rows > 4
    for offset in (0, 29, 30, 40, len(text) - 2):
        view.move_caret(offset)
        assert 0 < view.caret_rect().x() < view.viewport().width()
        assert view._nearest(view.caret_rect().center().toPointF()) == offset


def test_marks_on_a_letter_go_with_it(qtbot: QtBot) -> None:
    text = "xe\u0301\u0323y é".encode()
    view = shown(qtbot, text)
    press(view, (K.Key_Right, NONE), (K.Key_Right, NONE))
    assert view.caret.offset == text.index(b"y")
    press(view, (K.Key_Backspace, NONE))
    assert now(view) == "xe\u0301y é".encode()  # the last mark alone, as everywhere
    press(view, (K.Key_Left, NONE), (K.Key_Delete, NONE))
    assert now(view) == "xy é".encode()


LONG = b"".join(b"line %d\n" % k for k in range(100_000))


def test_the_end_of_a_text_whose_lines_are_not_counted_yet_is_reached_by_a_key(qtbot: QtBot) -> None:
    view = shown(qtbot, LONG)
    QTest.keyClick(view, K.Key_End, CTRL)
    assert view.position(view.caret.offset) == (100_001, 1)
    assert view.viewport().rect().contains(view.caret_rect().center())
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_the_bar_of_a_text_whose_lines_are_not_counted_yet_leads_to_its_last_line(qtbot: QtBot) -> None:
    view = shown(qtbot, b"x\n" * 150_000 + b"a longer line of text\n" * 50_000)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, NONE, QPoint(400, view.viewport().height() - 1))
    assert view.position(view.caret.offset)[0] in (200_000, 200_001)


def test_all_lines_of_a_long_text_are_counted_while_nobody_asks(qtbot: QtBot) -> None:
    view = shown(qtbot, b"x\n" * 150_000 + b"a longer line of text\n" * 50_000)
    before = view.verticalScrollBar().maximum()
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() != before, timeout=20_000)
    height = view.verticalScrollBar().pageStep()
    assert view.verticalScrollBar().maximum() == 200_001 - height
    assert view.offset_of(200_001) == len(now(view))


def test_a_part_is_painted_as_in_the_whole_and_asks_for_no_other_rows(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Span] = []

    def tints(_: Text, span: Span) -> list[TextTint]:
        asked.append(span)
        return [TextTint(Span(at, at + 2), "kind.number") for at in range(span.start // 7 * 7, span.end, 7)]

    monkeypatch.setattr(Text, "tints", tints)
    view = shown(qtbot, b"gj 123\n" * 40)
    view.set_caret(7 * 4)
    whole = view.viewport().grab().toImage()
    assert asked[-1].start == 0
    part, rect = QImage(whole.size(), whole.format()), view.caret_rect()
    view.viewport().render(part, rect.topLeft(), QRegion(rect))
    assert part.copy(rect) == whole.copy(rect)
    assert (asked[-1].start, asked[-1].end) == (7 * 3, 7 * 6 - 1)


def is_caret_in_sight(view: TextView) -> bool:
    return view.viewport().rect().contains(view.caret_rect().adjusted(0, 1, 0, -1))


def test_the_caret_stays_in_sight_when_the_view_gets_smaller(qtbot: QtBot) -> None:
    view = shown(qtbot, b"".join(b"line %d\n" % k for k in range(200)))
    view.set_caret(view.offset_of(14, 5))
    top = view._scroll.top
    view.resize(500, 120)
    assert is_caret_in_sight(view)
    assert view._scroll.top > top
    wide = shown(qtbot, b"".join(b"word " * 20 + b"%d\n" % k for k in range(200)))
    wide.set_caret(wide.offset_of(6, 30))
    wide.resize(230, 300)
    assert is_caret_in_sight(wide)


def test_a_view_that_was_scrolled_away_from_the_caret_stays_there(qtbot: QtBot) -> None:
    view = shown(qtbot, b"line\n" * 200)
    view._scroll.to_row(60)
    view.resize(500, 120)
    assert view._scroll.top == 60


@pytest.mark.parametrize("pasted", ["one\n" * 60, "one\r\n" * 60, "word " * 400, "\t" * 300])
def test_the_caret_is_in_sight_behind_what_is_pasted(qtbot: QtBot, pasted: str) -> None:
    view = shown(qtbot, b"line\n" * 200)
    view.set_caret(view.offset_of(14, 5))
    QApplication.clipboard().setText(pasted)
    view.paste()
    assert is_caret_in_sight(view)


class Regions(QObject):
    """What of a viewport was painted since it was last asked."""

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view)
        self.painted = QRegion()
        self.heights: list[int] = []
        self.is_on = True
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if self.is_on and isinstance(event, QPaintEvent):
            self.painted += event.region()
            self.heights.append(event.rect().height())
        return False

    def image(self, view: QAbstractScrollArea) -> QImage:
        """How all of it looks now, whether or not that was painted."""
        self.is_on = False
        found = view.viewport().grab().toImage()
        self.is_on = True
        return found


def without(image: QImage, region: QRegion) -> QImage:
    out = QImage(image)
    painter = QPainter(out)
    painter.setClipRegion(region)
    painter.fillRect(out.rect(), Qt.GlobalColor.black)
    painter.end()
    return out


def random_deed(view: TextView, choose: random.Random) -> Callable[[], object]:
    size, sights = len(now(view)), view.viewport().rect()
    at, length = choose.randrange(size + 1), choose.choice((0, 1, 3, 40, 400))
    spot = QPoint(choose.randrange(sights.width()), choose.randrange(sights.height()))
    key = choose.choice((K.Key_Left, K.Key_Right, K.Key_Up, K.Key_Down, K.Key_Home, K.Key_End, K.Key_PageDown))
    held = choose.choice((NONE, SHIFT, CTRL))
    source, end = view.source, min(at + length, size)
    assert isinstance(source, Text)
    deeds: list[Callable[[], object]] = [
        lambda: QTest.keyClicks(view, choose.choice("ax9")),
        lambda: press(view, (choose.choice((K.Key_Backspace, K.Key_Delete, K.Key_Return)), NONE)),
        lambda: press(view, (key, held)),
        lambda: QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot),
        lambda: QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot),
        lambda: view.set_caret(at, extend=held is SHIFT),
        lambda: view.set_selected_item(Span(at, end) if length else None),
        lambda: (source.data.replace(Span(at, end), b"edited"), view.replaced(Span(at, end), b"edited")),
        lambda: view.write("x" * length + "\n" * (length % 2)),
    ]
    return choose.choice(deeds)


@pytest.mark.parametrize("seed", range(3))
def test_all_that_looks_otherwise_behind_a_deed_is_painted(qtbot: QtBot, seed: int) -> None:
    choose = random.Random(seed)
    lines = [b"%d: %s" % (k, b"word " * choose.choice((0, 1, 3, 60))) for k in range(60)]
    flash = QApplication.cursorFlashTime()
    QApplication.setCursorFlashTime(0)
    try:
        view = shown(qtbot, b"\n".join(lines))
        regions = Regions(view)
        QApplication.processEvents()
        for _ in range(120):
            before, regions.painted = regions.image(view), QRegion()
            random_deed(view, choose)()
            QApplication.processEvents()
            after = regions.image(view)
            assert without(before, regions.painted) == without(after, regions.painted)
    finally:
        QApplication.setCursorFlashTime(flash)


def test_a_key_paints_its_own_row_and_not_those_of_other_lines_below(qtbot: QtBot) -> None:
    view = shown(qtbot, b"\n".join([b"a line"] * 60))
    view.set_caret(30)
    regions = Regions(view)
    QApplication.processEvents()
    regions.painted = QRegion()
    QTest.keyClicks(view, "x")
    QApplication.processEvents()
    row = view.caret_rect()
    assert regions.painted.boundingRect().contains(row)
    assert regions.painted.boundingRect().height() <= 2 * row.height()


def test_what_becomes_known_of_a_text_is_painted_in_turns_of_its_own(qtbot: QtBot) -> None:
    view = shown(qtbot, b"\n".join([b"a line"] * 60))
    view.resize(500, 900)
    QApplication.processEvents()
    regions = Regions(view)
    view.refresh()
    qtbot.waitUntil(lambda: regions.painted.boundingRect() == view.viewport().rect())
    assert len(regions.heights) > 2
    assert max(regions.heights) <= BAND


def test_the_selected_value_stays_at_its_letters_while_somebody_types_before_it(view: TextView) -> None:
    name = TEXT.index(b'"Gr')
    view.set_selected_item(Span(name, name + 5))
    view.set_caret(TEXT.index(b'"name'))
    QTest.keyClicks(view, "xy")
    assert view._item == Span(name + 2, name + 7)
