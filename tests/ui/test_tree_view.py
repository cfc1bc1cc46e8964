"""The tree view with a session, by real keys: editing, selecting, and staying where one is."""

from __future__ import annotations

import corpus
import pytest
from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.setting import set_value
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.session import Session
from viewer.ui.tree import dragging
from viewer.ui.tree.cell_painter import CHIP_ROOM
from viewer.ui.tree.model import TreeColumn
from viewer.ui.tree.view import TreeView
from viewer.variant.dialect import load
from viewer.variant.value import Value

RPG = corpus.DATA / "godot3" / "files" / "rpg.save"


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    return Session()


@pytest.fixture
def tree(qtbot: QtBot, session: Session) -> TreeView:
    """A tree of the role-playing game's save, in a shown window."""
    view = TreeView(session, theme(LIGHT))
    qtbot.addWidget(view)
    view.resize(520, 600)
    session.show(Document.open(RPG))
    with qtbot.waitExposed(view):
        view.show()
    view.activateWindow()
    view.setFocus()
    return view


def _document(session: Session) -> Document:
    assert session.document is not None
    return session.document


def _bytes_of(session: Session, path: str) -> bytes:
    span = outline.span(_document(session), parse_path(_document(session), path))
    return _document(session).buffer[span.start : span.end]


def _type(qtbot: QtBot, tree: TreeView, text: str) -> None:
    assert tree.editor.field is not None
    qtbot.keyClicks(tree.editor.field, text)


def _open_paths(tree: TreeView) -> set[str]:
    return {tree.tree_model.path(tree.tree_model.index_of_holder(holder)) for holder in tree.expansion.open}


def test_f2_and_enter_write_a_new_number(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].player.gold")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert tree.editor.field is not None
    assert tree.editor.field.text() == tree.editor.field.selectedText() == "5000000000"
    _type(qtbot, tree, "777")
    with qtbot.waitSignal(session.changed):
        qtbot.keyClick(tree.editor.field, Qt.Key.Key_Return)
    assert _bytes_of(session, "[0].player.gold") == bytes.fromhex("02000100 0903000000000000")
    assert not tree.editor.is_open
    assert session.path == "[0].player.gold"
    assert tree.currentIndex().siblingAtColumn(TreeColumn.VALUE).data() == "777"
    assert tree.hasFocus()


def test_f2_opens_a_bool_as_any_value_and_space_turns_it_over(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].inventory[0].equipped")
    before = _bytes_of(session, "[0].inventory[0].equipped")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert tree.editor.field is not None
    assert tree.editor.field.text() in ("true", "false")
    qtbot.keyClick(tree.editor.field, Qt.Key.Key_Escape)
    assert _bytes_of(session, "[0].inventory[0].equipped") == before
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    assert _bytes_of(session, "[0].inventory[0].equipped") != before


def test_invalid_text_keeps_the_field_open_and_says_why(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    before = _document(session).buffer
    session.go_to_place("[0].player.gold")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    _type(qtbot, tree, "9223372036854775808")
    field, card = tree.editor.field, tree.editor.card
    assert field is not None
    assert card is not None
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert tree.editor.field is field
    assert card.isVisible()
    assert card.accessibleName().startswith("One too large for int")
    qtbot.keyClick(field, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == "9223372036854775807"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not tree.editor.is_open
    assert _document(session).buffer == before


@pytest.mark.parametrize(
    ("path", "key", "modifier", "expected"),
    [
        ("[0].player.level", Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, "18"),
        ("[0].player.level", Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier, "7"),
        ("[0].player.hp", Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, "88.5"),
        ("[0].player.hp", Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier, "87.4"),
    ],
)
def test_arrow_keys_count_a_number_up_and_down(
    qtbot: QtBot,
    tree: TreeView,
    session: Session,
    path: str,
    key: Qt.Key,
    modifier: Qt.KeyboardModifier,
    expected: str,
) -> None:
    session.go_to_place(path)
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    assert tree.editor.field is not None
    qtbot.keyClick(tree.editor.field, key, modifier)
    assert tree.editor.field.text() == expected


def test_leaving_the_field_keeps_what_is_valid(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].player.level")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    _type(qtbot, tree, "99")
    tree.setFocus()
    assert _bytes_of(session, "[0].player.level") == bytes.fromhex("02000000 63000000")


def test_leaving_the_field_drops_what_is_invalid_and_says_so(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    before = _document(session).buffer
    session.go_to_place("[0].player.level")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    _type(qtbot, tree, "99x")
    with qtbot.waitSignal(session.failed) as failed:
        tree.setFocus()
    assert failed.args is not None
    assert "[0].player.level keeps its value" in failed.args[0]
    assert _document(session).buffer == before


def test_space_and_a_click_on_the_box_switch_a_bool(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].player.dead")
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    assert _bytes_of(session, "[0].player.dead") == bytes.fromhex("01000000 01000000")
    cell = tree.cell_rect(tree.currentIndex(), TreeColumn.VALUE)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(cell.left() + 12, cell.center().y()))
    assert _bytes_of(session, "[0].player.dead") == bytes.fromhex("01000000 00000000")
    assert not tree.editor.is_open


def test_every_byte_selects_its_row(tree: TreeView, session: Session) -> None:
    document = _document(session)
    for offset in range(0, len(document.buffer), 3):
        session.go_to(offset)
        item = outline.item_at(document, offset)
        assert item is not None
        assert tree.current_item == outline.row_item(document, item), hex(offset)
        span = session.item_span
        assert span is not None
        assert offset in span


def test_selecting_a_row_selects_the_item_and_moves_the_caret(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    gold = parse_path(_document(session), "[0].game")
    tree.setCurrentIndex(tree.tree_model.index_of(gold))
    assert session.item == gold
    assert session.caret == outline.span(_document(session), gold).start
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert session.path == "[0].saved_at"


def test_a_part_of_the_current_row_moves_nothing(tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].player.position")
    tree.verticalScrollBar().setValue(tree.verticalScrollBar().maximum())
    scrolled = tree.verticalScrollBar().value()
    session.go_to(session.caret + 5)
    assert session.path == "[0].player.position.x"
    assert tree.verticalScrollBar().value() == scrolled


def test_nothing_closes_or_scrolls_through_edit_undo_and_dialect(tree: TreeView, session: Session) -> None:
    for path in ("[0].inventory[3].id", "[0].saved_at.year", "[0].player.name"):
        session.go_to_place(path)
    tree.verticalScrollBar().setValue(100)
    open_paths, scrolled = _open_paths(tree), tree.verticalScrollBar().value()
    name = parse_path(_document(session), "[0].player.name")
    session.set_literal(name, '"a much longer name than the one that stood here before"')
    assert (_open_paths(tree), tree.verticalScrollBar().value()) == (open_paths, scrolled)
    session.undo()
    assert (_open_paths(tree), tree.verticalScrollBar().value()) == (open_paths, scrolled)
    session.read_as(ReadOptions(dialect=load("godot3")))
    assert (_open_paths(tree), tree.verticalScrollBar().value()) == (open_paths, scrolled)
    assert session.path == "[0].player.name"
    assert tree.tree_model.path(tree.currentIndex()) == "[0].player.name"


def test_what_an_edit_took_away_is_open_again_after_undo(tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].saved_at.year")
    open_paths = _open_paths(tree)
    session.apply(set_value(_document(session), parse_path(_document(session), "[0].saved_at"), Value("int", 5)))
    assert "[0].saved_at" not in _open_paths(tree)
    session.undo()
    assert _open_paths(tree) == open_paths


def test_left_and_right_walk_and_open(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].saved_at")
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert session.path == "[0].saved_at.year"
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert session.path == "[0].saved_at"
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert not tree.isExpanded(tree.currentIndex())


def test_shift_right_opens_all_below_and_control_left_closes_it(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].inventory")
    qtbot.keyClick(tree, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert "[0].inventory[23]" in _open_paths(tree)
    qtbot.keyClick(tree, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert {path for path in _open_paths(tree) if path.startswith("[0].inventory")} == {"[0].inventory"}


def test_typing_goes_to_the_next_name(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].game")
    qtbot.keyClicks(tree, "pl")
    assert session.path == "[0].play_time"
    qtbot.keyClicks(tree, "aye")
    assert session.path == "[0].player"


def test_copy_gives_the_literal(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].player.skin")
    qtbot.keyClick(tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Color(1, 0.8, 0.6, 1)"


def test_columns_leave_one_by_one_and_fill_the_width(tree: TreeView) -> None:
    seen = []
    for width in (700, 480, 450, 400, 300):
        tree.columns.fit(width)
        shown = [column for column in TreeColumn if not tree.isColumnHidden(column)]
        seen.append(len(shown))
        assert sum(tree.columnWidth(column) for column in shown) == width
    assert seen == sorted(seen, reverse=True)
    assert seen[0] == 5
    assert seen[-1] == 2


def test_types_are_whole_where_name_and_value_can_spare_the_room(tree: TreeView) -> None:
    needed = QFontMetricsF(ui_font(Size.SECONDARY)).horizontalAdvance("PackedVector2Array")
    tree.columns.fit(560)
    narrow = tree.columnWidth(TreeColumn.TYPE)
    tree.columns.fit(1200)
    assert narrow < needed <= tree.columnWidth(TreeColumn.TYPE) <= needed + 20
    assert sum(tree.columnWidth(column) for column in TreeColumn) == 1200


@pytest.mark.parametrize("is_selected", [True, False])
def test_a_selected_row_is_dragged_by_the_mouse_and_from_another_one_rows_are_selected(
    qtbot: QtBot, tree: TreeView, session: Session, monkeypatch: pytest.MonkeyPatch, is_selected: bool
) -> None:
    dragged: list[QMimeData] = []
    monkeypatch.setattr(dragging, "start", lambda _, mime: dragged.append(mime))
    session.go_to_place("[0].game")
    start = "[0].game" if is_selected else "[0].saved_at_unix"
    model = tree.tree_model
    places = [
        tree.visualRect(model.index_of(parse_path(_document(session), path))).center() for path in (start, "[0].player")
    ]
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(tree.viewport(), left, pos=places[0])
    for place in (places[0] + QPoint(0, 6), places[0] + QPoint(0, 14), places[1]):
        if not dragged:  # from then on the mouse is the drag's
            qtbot.mouseMove(tree.viewport(), place)
    qtbot.mouseRelease(tree.viewport(), left, pos=places[1])
    assert len(dragged) == is_selected
    assert len(tree.selected_items()) == (1 if is_selected else 4)
    qtbot.mouseClick(tree.viewport(), left, pos=places[1])
    assert session.path == "[0].player"


def test_a_press_on_the_chevron_of_a_selected_row_drags_nothing(
    qtbot: QtBot, tree: TreeView, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    dragged: list[QMimeData] = []
    monkeypatch.setattr(dragging, "start", lambda _, mime: dragged.append(mime))
    session.go_to_place("[0].player")
    index = tree.currentIndex().siblingAtColumn(TreeColumn.NAME)
    was_open = tree.isExpanded(index)
    name, left = tree.visualRect(index), Qt.MouseButton.LeftButton
    place = QPoint(name.left() - tree.indentation() // 2, name.center().y())
    qtbot.mousePress(tree.viewport(), left, pos=place)
    for by in (8, 16, 40):
        qtbot.mouseMove(tree.viewport(), place + QPoint(by, 0))
    qtbot.mouseRelease(tree.viewport(), left, pos=place)
    assert not dragged
    assert tree.isExpanded(index) is not was_open


def test_dragged_widths_come_back(tree: TreeView) -> None:
    tree.columns.resizeSection(TreeColumn.TYPE, 120)
    state = tree.save_state()
    tree.columns.resizeSection(TreeColumn.TYPE, 82)
    tree.restore_state(state)
    assert tree.columnWidth(TreeColumn.TYPE) == 120
    tree.restore_state(b"nonsense")
    assert tree.columnWidth(TreeColumn.TYPE) == 120


def test_names_dragged_narrow_keep_their_least_room_at_once(tree: TreeView) -> None:
    tree.columns.resizeSection(TreeColumn.NAME, 60)
    assert tree.columnWidth(TreeColumn.NAME) == 140
    assert sum(tree.columnWidth(column) for column in TreeColumn) == tree.columns.width()


def test_a_closed_document_leaves_nothing(tree: TreeView, session: Session) -> None:
    session.show(None)
    assert tree.tree_model.rowCount(QModelIndex()) == 0
    assert not tree.currentIndex().isValid()


def test_a_field_that_nobody_typed_in_writes_nothing(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    before = _document(session).buffer
    session.go_to_place("[0].player.target")
    for leave in (tree.setFocus, lambda: qtbot.keyClick(tree.editor.field, Qt.Key.Key_Return)):
        qtbot.keyClick(tree, Qt.Key.Key_F2)
        assert tree.editor.field is not None
        assert tree.editor.field.cursorPosition() == 0
        leave()
        assert not tree.editor.is_open
        assert _document(session).buffer == before
        assert not _document(session).modified


def test_f2_on_a_long_text_asks_for_its_editor(qtbot: QtBot, session: Session, tree: TreeView) -> None:
    for length, is_long in ((100, False), (5_000, True), (77_000, True)):
        text = b"a" * length
        raw = (4).to_bytes(4, "little") + length.to_bytes(4, "little") + text + bytes(-length % 4)
        session.show(Document(raw, choice=ReadOptions(load("godot3"))))
        session.select(parse_path(_document(session), "[0]"))
        asked: list[bool] = []
        tree.editor_requested.connect(lambda asked=asked: asked.append(True))
        qtbot.keyClick(tree, Qt.Key.Key_F2)
        assert bool(asked) is is_long
        assert tree.editor.is_open is not is_long
        tree.editor.close()


@pytest.mark.parametrize(("levels", "width"), [(14, 380), (40, 380), (40, 700), (300, 380), (3, 380)])
def test_names_stay_in_their_column_however_deep_they_lie(qtbot: QtBot, levels: int, width: int) -> None:
    session = Session()
    tree = TreeView(session, theme(LIGHT))
    qtbot.addWidget(tree)
    tree.resize(width, 600)
    with qtbot.waitExposed(tree):
        tree.show()
    array = bytes.fromhex("13000000 01000000")
    session.show(Document(array * levels + bytes.fromhex("02000000 05000000"), choice=ReadOptions(load("godot3"))))
    index = tree.tree_model.index(0, 0)
    lefts = []
    while index.isValid():
        tree.expand(index)
        lefts.append(index)
        index = tree.tree_model.index(0, 0, index)
    found = [tree.name_left(row) for row in lefts]
    room = tree.columnWidth(TreeColumn.NAME)
    assert found == sorted(found)
    assert found[-1] + 40 <= room
    for level in range(1, min(levels, 60)):  # the levels can be told apart, further to the right where they are many
        tree.sideways.setValue(level * 4)
        assert tree.name_left(lefts[level]) - tree.name_left(lefts[level - 1]) >= 4
    tree.sideways.setValue(0)
    if levels == 3:
        assert found == [16 * (level + 1) + CHIP_ROOM for level in range(4)]  # nothing is narrower than it must be


def test_a_click_on_a_chevron_opens_and_closes_a_row_of_narrow_levels(qtbot: QtBot) -> None:
    session = Session()
    tree = TreeView(session, theme(LIGHT))
    qtbot.addWidget(tree)
    tree.resize(380, 900)
    with qtbot.waitExposed(tree):
        tree.show()
    array = bytes.fromhex("13000000 01000000")
    session.show(Document(array * 30 + bytes.fromhex("02000000 05000000"), choice=ReadOptions(load("godot3"))))
    rows = [tree.tree_model.index(0, 0)]
    for _ in range(29):
        tree.expand(rows[-1])
        rows.append(tree.tree_model.index(0, 0, rows[-1]))
    row = rows[20]
    rect = tree.row_rect(row)
    assert rect.isValid()
    chevron = QPoint(tree.chip_left(20) - 8, rect.center().y())
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron)
    assert not tree.isExpanded(row)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=chevron)
    assert tree.isExpanded(row)
    name = QPoint(tree.name_left(row) + 4, rect.center().y())
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=name)
    assert tree.isExpanded(row)
    assert tree.currentIndex().siblingAtColumn(0) == row


class Paintings(QObject):
    """Counts how often the rows are painted."""

    def __init__(self, tree: TreeView) -> None:
        super().__init__(tree)
        self.count = 0
        tree.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_rows_that_are_all_painted_anew_are_painted_once(qtbot: QtBot, tree: TreeView, session: Session) -> None:
    session.go_to_place("[0].player.name")
    qtbot.waitUntil(lambda: not tree.is_due)
    for _ in range(16):  # what is still to be painted of the file that was opened comes before
        QApplication.processEvents()
    painted = Paintings(tree)
    session.set_literal(parse_path(_document(session), "[0].player.name"), '"somebody with a longer name"')
    assert tree.is_due
    qtbot.waitUntil(lambda: painted.count > 0)
    for _ in range(8):  # more turns than painting all of it again would take
        QApplication.processEvents()
    assert (painted.count, tree.is_due) == (1, False)
    session.problems_changed.emit()  # more is known of rows that stay
    qtbot.waitUntil(lambda: painted.count > 1)
