"""The hex view as a person uses it: keys, mouse, typing, hovering, and files of any size."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeySequence, QShortcut, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.base.span import Span
from viewer.ui.hex import ink as hex_ink
from viewer.ui.hex.byte_source import CoverageMark, Description, PartTint, TypedByte
from viewer.ui.hex.hover_card import SHADOW, HexCard, card_position
from viewer.ui.hex.layout import Area
from viewer.ui.hex.view import HexView, MenuRequest
from viewer.ui.look import palette
from viewer.variant.items import Role
from viewer.variant.tints import BYTE, CODE, STYLES

HUGE = 2**40
TEXT = CODE[Role.VALUE, "text"]
NO_BUTTON = Qt.MouseButton.NoButton
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@dataclass
class Bytes:
    """A source in memory; every byte is text unless *codes* say more. Beyond *data* it is zeros up to *length*."""

    data: bytearray
    length: int
    codes: bytes = b""
    found_errors: list[Span] = field(default_factory=list)
    hits: list[Span] = field(default_factory=list)
    asked: list[tuple[int, int]] = field(default_factory=list)

    def size(self) -> int:
        return self.length

    def read(self, start: int, end: int) -> bytes:
        self.asked.append((start, end))
        return bytes(self.data[start:end]).ljust(end - start, b"\0")

    def styles(self, start: int, end: int) -> bytes:
        return self.codes[start:end].ljust(end - start, BYTE[TEXT])

    def modified(self, start: int, end: int) -> list[Span]:
        return []

    def errors(self, start: int, end: int) -> list[Span]:
        return self.found_errors

    def warnings(self, start: int, end: int) -> list[Span]:
        return []

    def recovered(self, start: int, end: int) -> list[Span]:
        return []

    def search_hits(self, start: int, end: int) -> list[Span]:
        return self.hits

    def current_hit(self) -> Span | None:
        return None

    def parents(self, offset: int) -> Span | None:
        return None

    def coverage(self, buckets: int) -> list[CoverageMark]:
        return [CoverageMark(STYLES[TEXT])] * min(buckets, self.length)

    def describe(self, offset: int) -> Description | None:
        start = offset - offset % 4
        span = Span(start, start + 4)
        return Description(f"[0].at[{start}]", "i", "number", "int", "7", span, self.read(start, start + 4).hex(" "))


def numbered(size: int = 1024) -> Bytes:
    return Bytes(bytearray(i % 256 for i in range(size)), size)


@pytest.fixture
def view(qtbot: QtBot) -> HexView:
    """A view on 1024 numbered bytes, shown and with the focus."""
    widget = HexView(palette.theme(palette.LIGHT))
    qtbot.addWidget(widget)
    widget.set_source(numbered())
    widget.resize(widget.preferred_width(), 26 + 2 + 10 * 20)
    widget.show()
    qtbot.waitExposed(widget)
    widget.setFocus()
    widget.activateWindow()
    qtbot.waitUntil(widget.hasFocus)
    return widget


def click(
    qtbot: QtBot, view: HexView, offset: int, area: Area = Area.HEX, modifier: Qt.KeyboardModifier | None = None
) -> None:
    place = view.byte_rect(offset, area).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier or Qt.KeyboardModifier.NoModifier, place)


def typed(view: HexView) -> list[TypedByte]:
    """The overwrites asked for from now on, applied as an owner does."""
    requests: list[TypedByte] = []

    def apply(request: TypedByte) -> None:
        requests.append(request)
        source = view.source
        assert isinstance(source, Bytes)
        source.data[request.offset] = request.new
        view.refresh()

    view.byte_typed.connect(apply)
    return requests


# Typing


def test_two_hex_digits_overwrite_a_byte_and_go_on(qtbot: QtBot, view: HexView) -> None:
    requests = typed(view)
    view.set_caret(0x12)
    qtbot.keyClicks(view, "a")
    assert (view.caret.offset, view.caret.nibble) == (0x12, 1)
    qtbot.keyClicks(view, "B")
    assert requests == [TypedByte(0x12, 0x12, 0xA2, 0), TypedByte(0x12, 0xA2, 0xAB, 1)]
    assert (view.caret.offset, view.caret.nibble) == (0x13, 0)


def test_the_view_itself_changes_no_byte(qtbot: QtBot, view: HexView) -> None:
    qtbot.keyClicks(view, "ff")
    assert view.source is not None
    assert view.source.read(0, 2) == b"\x00\x01"


def test_a_character_overwrites_a_whole_byte_in_the_text_column(qtbot: QtBot, view: HexView) -> None:
    requests = typed(view)
    click(qtbot, view, 0x20, Area.TEXT)
    qtbot.keyClicks(view, "Gz~")
    assert requests == [
        TypedByte(0x20, 0x20, ord("G"), None),
        TypedByte(0x21, 0x21, ord("z"), None),
        TypedByte(0x22, 0x22, ord("~"), None),
    ]
    assert view.caret.offset == 0x23


def test_what_is_no_hex_digit_or_needs_two_bytes_types_nothing(qtbot: QtBot, view: HexView) -> None:
    requests = typed(view)
    qtbot.keyClicks(view, "gz-")
    click(qtbot, view, 0, Area.TEXT)
    qtbot.keyClick(view, Qt.Key.Key_Udiaeresis)
    assert requests == []


def test_the_caret_stays_on_the_last_byte(qtbot: QtBot, view: HexView) -> None:
    requests = typed(view)
    view.set_caret(1023)
    qtbot.keyClicks(view, "1234")
    assert view.caret.offset == 1023
    assert [request.offset for request in requests] == [1023] * 4


def test_a_read_only_view_refuses_with_a_word(qtbot: QtBot, view: HexView) -> None:
    requests = typed(view)
    view.read_only = True
    with qtbot.waitSignal(view.typing_refused) as refused:
        qtbot.keyClicks(view, "a")
    assert refused.args == [0]
    assert requests == []
    assert view.caret.nibble == 0


def test_a_shortcut_of_one_letter_does_not_take_a_digit_away(qtbot: QtBot, view: HexView) -> None:
    requests = typed(view)
    QShortcut(QKeySequence("A"), view)
    qtbot.keyClicks(view, "a")
    assert len(requests) == 1


# Keys


def test_arrows_home_and_end_move_the_caret_and_tell(qtbot: QtBot, view: HexView) -> None:
    told: list[int] = []
    view.caret_moved.connect(told.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_Home):
        qtbot.keyClick(view, key)
    assert told == [1, 17, 31, 15, 0]


def test_control_end_goes_to_the_last_byte_and_shows_it(qtbot: QtBot, view: HexView) -> None:
    qtbot.keyClick(view, Qt.Key.Key_End, CTRL)
    assert view.caret.offset == 1023
    assert 1023 in view.visible_span
    qtbot.keyClick(view, Qt.Key.Key_Home, CTRL)
    assert view.caret.offset == 0
    assert view.visible_span.start == 0


def test_the_caret_stays_in_sight_when_the_view_gets_smaller(qtbot: QtBot, view: HexView) -> None:
    view.set_caret(view.visible_span.end - 1)
    view.resize(view.width(), view.height() // 2)
    assert view.caret.offset in view.visible_span


def test_a_page_is_what_is_in_view(qtbot: QtBot, view: HexView) -> None:
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    assert view.caret.offset == view.visible_rows * view.columns == 160


def test_paging_takes_the_view_along_and_back_to_where_it_was(qtbot: QtBot, view: HexView) -> None:
    view.set_caret(0x35)
    for start in (160, 320, 480):
        qtbot.keyClick(view, Qt.Key.Key_PageDown)
        assert view.visible_span.start == start
        assert view.caret.offset == start + 0x35
    for start in (320, 160, 0):
        qtbot.keyClick(view, Qt.Key.Key_PageUp)
        assert view.visible_span.start == start
    assert view.caret.offset == 0x35


def test_shift_and_arrows_select_from_the_anchor(qtbot: QtBot, view: HexView) -> None:
    told: list[Span | None] = []
    view.selection_changed.connect(told.append)
    view.set_caret(0x15)
    qtbot.keyClick(view, Qt.Key.Key_Right, SHIFT)
    qtbot.keyClick(view, Qt.Key.Key_Down, SHIFT)
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert told == [Span(0x15, 0x17), Span(0x15, 0x27), None]


def test_control_a_selects_all_and_escape_nothing(qtbot: QtBot, view: HexView) -> None:
    qtbot.keyClick(view, Qt.Key.Key_A, CTRL)
    assert view.selection == Span(0, 1024)
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.selection is None


def test_copy_gives_hex_or_text_by_the_column_of_the_caret(qtbot: QtBot, view: HexView) -> None:
    view.set_selection(Span(0x41, 0x44))
    qtbot.keyClick(view, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "41 42 43"
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    qtbot.keyClick(view, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "ABC"


def test_far_too_many_bytes_are_not_copied(qtbot: QtBot, view: HexView) -> None:
    view.set_source(Bytes(bytearray(), HUGE))
    view.select_all()
    assert not view.copy()


def test_tab_goes_from_hex_to_text_and_then_on(qtbot: QtBot) -> None:
    window = QWidget()
    view, other = HexView(palette.theme(palette.DARK), window), QWidget(window)
    other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.resize(600, 300)
    view.resize(600, 280)
    qtbot.addWidget(window)
    view.set_source(numbered())
    window.show()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert view.hasFocus()
    assert view.caret.area is Area.TEXT
    qtbot.keyClick(view, Qt.Key.Key_Backtab, SHIFT)
    assert view.caret.area is Area.HEX
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert other.hasFocus()


# Mouse


@pytest.mark.parametrize("area", list(Area))
def test_a_click_on_a_byte_puts_the_caret_there(qtbot: QtBot, view: HexView, area: Area) -> None:
    for offset in (0, 3, 4, 15, 16, 0x9F):
        with qtbot.waitSignal(view.caret_moved) as moved:
            click(qtbot, view, offset, area)
        assert moved.args == [offset]
        assert view.caret.area is area


def test_every_visible_byte_is_hit_where_it_is_painted(view: HexView) -> None:
    for area in Area:
        for offset in range(view.visible_span.start, view.visible_span.end):
            hit = view.hit(QPointF(view.byte_rect(offset, area).center()))
            assert hit is not None
            assert (hit.offset, hit.area) == (offset, area)


def test_a_drag_selects_and_shift_click_extends(qtbot: QtBot, view: HexView) -> None:
    place = [view.byte_rect(offset).center() for offset in (0x12, 0x25)]
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=place[0])
    qtbot.mouseMove(view.viewport(), place[1])
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=place[1])
    assert view.selection == Span(0x12, 0x26)
    click(qtbot, view, 0x31, modifier=SHIFT)
    assert view.selection == Span(0x12, 0x32)
    click(qtbot, view, 0x31)
    assert view.selection is None


def test_a_drag_below_the_view_scrolls_on(qtbot: QtBot, view: HexView) -> None:
    start, below = view.byte_rect(0x80).center(), QPoint(120, view.viewport().height() + 30)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view.viewport(), below)
    qtbot.waitUntil(lambda: view.visible_span.start >= 0x60)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=below)
    assert view.selection is not None
    assert view.selection.start == 0x80


def test_a_double_click_asks_for_the_item(qtbot: QtBot, view: HexView) -> None:
    with qtbot.waitSignal(view.item_requested) as asked:
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.byte_rect(0x47).center())
    assert asked.args == [0x47]


def test_a_context_menu_knows_its_byte(qtbot: QtBot, view: HexView) -> None:
    place = view.byte_rect(0x33).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
    with qtbot.waitSignal(view.context_menu_requested) as asked:
        QApplication.sendEvent(view.viewport(), event)
    assert asked.args == [MenuRequest(view.viewport().mapToGlobal(place), 0x33)]


def wheel(
    view: HexView, angle: int = 0, pixels: int = 0, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    middle = QPointF(100, 100)
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(
        middle,
        QPointF(view.mapToGlobal(middle)),
        QPoint(0, pixels),
        QPoint(0, angle),
        NO_BUTTON,
        modifiers,
        phase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_a_notch_of_the_wheel_is_three_rows_and_a_touch_pad_scrolls_by_pixels(view: HexView) -> None:
    wheel(view, angle=-120)
    assert view.visible_span.start == 3 * 16
    top = view.byte_rect(3 * 16).top()
    wheel(view, pixels=-7)
    assert view.byte_rect(3 * 16).top() == top - 7
    hit = view.hit(QPointF(view.byte_rect(0x55).center()))
    assert hit is not None
    assert hit.offset == 0x55


def test_parts_of_a_notch_add_up_and_a_turn_back_starts_anew(view: HexView) -> None:
    for _ in range(60):
        wheel(view, angle=-2)
    assert view.visible_span.start == 3 * 16
    assert view.byte_rect(3 * 16).top() == 2
    wheel(view, angle=-1)
    wheel(view, angle=1)
    assert view.byte_rect(3 * 16).top() == 2


def test_a_touch_pad_scrolls_as_far_as_its_pixels_say(view: HexView) -> None:
    top = view.byte_rect(0).top()
    for _ in range(100):
        wheel(view, pixels=-1)
    assert view.byte_rect(5 * 16).top() == top


def test_control_and_parts_of_a_notch_zoom_when_they_make_a_whole_one(view: HexView) -> None:
    for _ in range(3):
        wheel(view, angle=30, modifiers=CTRL)
    assert view.zoom == 0
    wheel(view, angle=30, modifiers=CTRL)
    assert view.zoom == 1


def test_control_and_the_wheel_zoom(qtbot: QtBot, view: HexView) -> None:
    with qtbot.waitSignal(view.zoom_changed) as zoomed:
        wheel(view, angle=120, modifiers=CTRL)
    assert zoomed.args == [1]
    before = view.byte_rect(0).width()
    view.zoom_out()
    view.zoom_reset()
    assert view.zoom == 0
    assert view.byte_rect(0).width() < before


# Places


def test_ensure_visible_scrolls_only_when_needed(view: HexView) -> None:
    view.ensure_visible(Span(0x20, 0x30))
    assert view.visible_span.start == 0
    view.ensure_visible(Span(0xA0, 0xA4))
    assert view.visible_span.start == 0x10
    view.ensure_visible(Span(0x380, 0x384))
    assert view.visible_span.start < 0x380 < 0x384 <= view.visible_span.end
    view.ensure_visible(Span(0x100, 0x400))
    assert view.visible_span.start == 0x100


def test_of_a_span_that_is_too_long_the_wanted_place_is_shown(view: HexView) -> None:
    view.ensure_visible(Span(0x100, 0x400), 0x3A0)
    assert 0x3A0 in view.visible_span
    view.ensure_visible(Span(0x100, 0x120), 0x110)
    assert 0x100 in view.visible_span


def test_rows_follow_the_width(view: HexView) -> None:
    assert view.columns == 16
    view.resize(view.width_for_columns(16, compact=True), 300)
    assert view.columns == 16
    view.resize(view.width_for_columns(16, compact=True) - 8, 300)
    assert view.columns == 8
    view.resize(view.width_for_columns(32) + 8, 300)
    assert view.columns == 32


def test_a_set_row_width_stays_and_scrolls_sideways_when_narrow(view: HexView) -> None:
    view.set_row_width(32)
    assert view.columns == 32
    assert view.horizontalScrollBar().maximum() > 0
    view.set_row_width(0)
    assert view.columns == 16
    with pytest.raises(ValueError, match="12"):
        view.set_row_width(12)


def test_another_row_width_keeps_the_first_byte_in_view(view: HexView) -> None:
    view.ensure_visible(Span(0x200, 0x201))
    first = view.visible_span.start
    view.set_row_width(8)
    assert first in view.visible_span


def test_the_end_of_a_huge_buffer_is_reached_by_key_bar_and_strip(qtbot: QtBot, view: HexView) -> None:
    source = Bytes(bytearray(b"head"), HUGE)
    view.set_source(source)
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert view.visible_span.end == HUGE
    bar.setValue(0)
    assert view.visible_span.start == 0
    qtbot.keyClick(view, Qt.Key.Key_End, CTRL)
    assert view.caret.offset == HUGE - 1
    view.grab()
    assert max(end for _, end in source.asked) == HUGE
    assert all(end - start <= 4096 for start, end in source.asked)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.caret.offset == HUGE - 17


def test_a_step_of_the_bar_is_rows_even_in_a_huge_buffer(view: HexView) -> None:
    view.set_source(Bytes(bytearray(), 2**62))
    view.verticalScrollBar().triggerAction(view.verticalScrollBar().SliderAction.SliderSingleStepAdd)
    assert view.visible_span.start == 3 * view.columns
    view.verticalScrollBar().triggerAction(view.verticalScrollBar().SliderAction.SliderPageStepAdd)
    assert view.visible_span.start == 13 * view.columns


def test_only_visible_bytes_are_read(view: HexView) -> None:
    source = Bytes(bytearray(), HUGE)
    view.set_source(source)
    source.asked.clear()
    view.grab()
    assert source.asked
    assert all(end <= 12 * 16 for _, end in source.asked)


def test_a_shorter_buffer_takes_caret_selection_and_scroll_position_back(qtbot: QtBot, view: HexView) -> None:
    view.set_selection(Span(0x300, 0x3FF))
    view.ensure_visible(Span(0x300, 0x3FF))
    source = view.source
    assert isinstance(source, Bytes)
    source.length = 0x100
    with qtbot.waitSignal(view.selection_changed):
        view.refresh()
    assert view.caret.offset == 0xFF
    assert view.visible_span == Span(0x60, 0x100)
    view.grab()


def test_an_empty_buffer_and_no_buffer_take_every_key(qtbot: QtBot, view: HexView) -> None:
    for source in (Bytes(bytearray(), 0), None):
        view.set_source(source)
        for key in (Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_A, Qt.Key.Key_PageDown):
            qtbot.keyClick(view, key)
            qtbot.keyClick(view, key, CTRL)
        click_place = QPoint(120, 40)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=click_place)
        view.grab()
        assert view.caret.offset == 0
        assert view.selection is None


# Hover


def hover(qtbot: QtBot, view: HexView, offset: int) -> None:
    qtbot.mouseMove(view.viewport(), view.byte_rect(offset).center() + QPoint(2, 2))
    qtbot.mouseMove(view.viewport(), view.byte_rect(offset).center())


def card_of(view: HexView) -> HexCard | None:
    return view.findChild(HexCard)


def test_a_card_says_what_the_byte_is_and_leaves_with_a_key(qtbot: QtBot, view: HexView) -> None:
    with qtbot.waitSignal(view.hovered) as hovered:
        hover(qtbot, view, 0x75)
    assert hovered.args == [0x75]
    qtbot.waitUntil(lambda: card_of(view) is not None)
    card = card_of(view)
    assert card is not None
    assert card.isVisible()
    assert "[0].at[116]" in card.accessibleName()
    row = view.byte_rect(0x75)
    surface = card.geometry().adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
    assert not surface.intersects(QRect(view.viewport().mapTo(view, row.topLeft()), row.size()))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert not card.isVisible()


def test_the_card_stays_while_the_mouse_is_on_the_same_item(qtbot: QtBot, view: HexView) -> None:
    hover(qtbot, view, 0x75)
    qtbot.waitUntil(lambda: card_of(view) is not None)
    card = card_of(view)
    assert card is not None
    hover(qtbot, view, 0x77)
    assert card.isVisible()
    hover(qtbot, view, 0x78)
    assert not card.isVisible()


def test_scrolling_takes_the_card_away(qtbot: QtBot, view: HexView) -> None:
    hover(qtbot, view, 0x75)
    qtbot.waitUntil(lambda: card_of(view) is not None)
    card = card_of(view)
    assert card is not None
    wheel(view, angle=-120)
    assert not card.isVisible()


@pytest.mark.parametrize(
    ("row", "avoid", "top"),
    [
        (QRect(80, 200, 80, 20), None, 200 - 4 - 72),  # above
        (QRect(80, 40, 80, 20), None, 64),  # below, at the top edge
        (QRect(80, 200, 80, 20), QRect(80, 140, 300, 40), 224),  # below, not over the selection
        (QRect(80, 200, 80, 20), QRect(80, 140, 300, 160), 140 - 4 - 72),  # above the selection that holds the row
    ],
)
def test_a_card_lies_above_its_row_unless_something_is_in_the_way(row: QRect, avoid: QRect | None, top: int) -> None:
    place = card_position(QSize(300, 72), row, QRect(0, 0, 600, 400), avoid)
    assert place.y() == top


# Painting


def test_the_colour_of_a_byte_follows_kind_part_and_state(view: HexView) -> None:
    source = Bytes(bytearray(b"\x04\0\0\0\x05\0\0\0AB\0DEF\0\0"), 16)
    runs = ((Role.HEADER, 4), (Role.LENGTH, 4), (Role.VALUE, 5), (Role.GAP, 3))
    source.codes = b"".join(BYTE[CODE[role, "text" if role is Role.VALUE else None]] * size for role, size in runs)
    source.found_errors = [Span(4, 8)]
    source.hits = [Span(9, 10)]
    view.set_source(source)
    view.set_selected_item(Span(0, 4), [PartTint(Span(0, 4), Role.HEADER)])
    page = view.page()
    assert page is not None
    digits, characters = hex_ink.inks(page)
    text, header, error = hex_ink.KIND["text"], hex_ink.HEADER, hex_ink.ERROR
    assert list(digits[:8]) == [header] * 4 + [error] * 4
    assert list(digits[8:13]) == [text, hex_ink.SEARCH, hex_ink.DIM, text, text]
    assert set(digits[13:]) == {hex_ink.GAP}
    assert list(characters[8:11]) == [text, hex_ink.SEARCH, hex_ink.DIM]


def test_selected_item_paints_its_outline_in_both_columns(view: HexView) -> None:
    view.clearFocus()
    view.set_caret(0x90)
    view.set_selected_item(Span(0x24, 0x28), [PartTint(Span(0x24, 0x28), Role.VALUE, "number")])
    image = view.viewport().grab().toImage()
    accent = palette.theme(palette.LIGHT).ui.accent
    for area in Area:
        rect = view.byte_rect(0x24, area)
        colour = image.pixelColor(rect.left() + 3, rect.top())
        assert abs(colour.blue() - accent.blue()) < 50
        assert colour.red() < 160


@pytest.mark.parametrize("name", [palette.LIGHT, palette.DARK])
def test_every_state_paints_in_both_themes(view: HexView, name: str) -> None:
    source = view.source
    assert isinstance(source, Bytes)
    source.found_errors, source.hits = [Span(3, 40)], [Span(50, 60)]
    view.set_theme(palette.theme(name))
    view.set_selection(Span(60, 90))
    view.insert_mode = True
    view.refresh()
    image = view.viewport().grab().toImage()
    assert image.pixelColor(2, 150) == palette.theme(name).ui.base


def test_the_strip_jumps_to_where_it_is_clicked(qtbot: QtBot, view: HexView) -> None:
    strip = next(child for child in view.findChildren(QWidget) if child.accessibleName() == "Coverage")
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(9, strip.height() - 2))
    assert view.visible_span.end == 1024
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(9, strip.height() // 2))
    assert 512 in view.visible_span


def test_the_view_has_a_name_for_those_who_hear_it(view: HexView) -> None:
    assert view.objectName() == "hexView"
    assert view.accessibleName()
    assert view.accessibleDescription()
