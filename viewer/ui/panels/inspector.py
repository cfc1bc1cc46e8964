"""The inspector: the selected value by name, type and size, its parts, and the bytes at the caret as numbers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.base.unseen import escaped, with_direction_note
from viewer.base.words import counted, grouped, grouped_in
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.selection import Spot
from viewer.document.viewmodel.crumbs import crumbs
from viewer.document.viewmodel.meaning import label, meaning, part_words, unclaimed
from viewer.document.viewmodel.number_table import offset_text, readings
from viewer.document.viewmodel.part_list import PartList, PartWindow
from viewer.document.viewmodel.row_data import FIELD_CHIPS
from viewer.ui.look import chips
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.inspector_numbers import NumbersGrid
from viewer.ui.panels.inspector_parts import PartRow, PartsView
from viewer.ui.panels.panel_painting import paint_line
from viewer.ui.panels.panel_widgets import PaneTitle
from viewer.ui.session import Session
from viewer.ui.viewport import own_viewport
from viewer.variant.items import Item, Part, Role
from viewer.variant.literal.preview import text

# The head of the inspector: chip, name, type, value in a few lines, size and place.

LEFT, RIGHT, TOP = 14, 12, 4
NAME_HEIGHT = 24
LINE = 18
VALUE_LINES = 4
ELLIPSIS = "…"


class InspectorHead(QWidget):
    """What the selected value is called and holds."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("inspectorHead")
        self._theme = theme
        self._chip, self._group = "", None  # type: tuple[str, str | None]
        self.name = self.kind = self.value = self.of_key = self.place = self.empty = ""
        self._broken = False
        self.said: tuple[str, ...] = ()
        self._lines: list[str] = []
        self._said_lines: list[str] = []
        self._name_font = ui_font(Size.UI, strong=True)
        self._kind_font = ui_font(Size.SECONDARY)
        self._value_font = fixed_font(Size.SECONDARY)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def clear(self, words: str) -> None:
        """Show only why there is nothing to show."""
        self.show_value("", None, "", "", "", "", "")
        self.empty = words
        self.setAccessibleName(words)

    def show_value(
        self,
        chip: str,
        group: str | None,
        name: str,
        kind: str,
        value: str,
        of_key: str,
        place: str,
        broken: bool = False,
        said: tuple[str, ...] = (),
    ) -> None:
        """Show another value; *chip* is empty for bytes that are none, *of_key* for all but keys.

        Of a *broken* one, *value* is the sentence that says what is wrong with it. *said* is what the profile of the
        game says of it.
        """
        self._chip, self._group, self._broken = chip, group, broken
        self._value_font = ui_font(Size.SECONDARY) if broken else fixed_font(Size.SECONDARY)
        self.name, self.kind, self.value, self.of_key, self.place = name, kind, value, of_key, place
        self.said = said
        self.empty = ""
        self.setToolTip(plain_tip("\n".join((with_direction_note(value, value), *said))))
        self.setAccessibleName(", ".join(word for word in (name, of_key, kind, value, *said, place) if word))
        self._wrap()
        self.updateGeometry()
        self.update()

    def _wrap(self) -> None:
        """Break the value into lines that fit, and what is said of it, four at most of each."""
        width = max(40.0, self.width() - LEFT - RIGHT)
        self._lines = _broken(self.value, self._value_font, width)
        self._said_lines = [line for words in self.said for line in _broken(words, self._kind_font, width)]

    def _height(self) -> int:
        lines = len(self._lines) + len(self._said_lines) + bool(self.of_key) + 1
        return TOP + NAME_HEIGHT + lines * LINE + 8

    def sizeHint(self) -> QSize:
        return QSize(260, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        before = self._height()
        self._wrap()
        if self._height() != before:
            self.updateGeometry()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(LEFT, TOP, self.width() - LEFT - RIGHT, self.height() - TOP)
        if self.empty:
            line = QRectF(whole.left(), whole.top(), whole.width(), NAME_HEIGHT)
            paint_line(painter, line, self.empty, self._kind_font, self._theme.ui.text_secondary)
        else:
            self._paint_value(painter, whole)
        painter.end()

    def _paint_value(self, painter: QPainter, whole: QRectF) -> None:
        ui = self._theme.ui
        top = QRectF(whole.left(), whole.top(), whole.width(), NAME_HEIGHT)
        chip = QRectF(top.left(), top.top(), chips.WIDTH, NAME_HEIGHT)
        chips.paint_chip(painter, chip, self._chip, self._group, self._theme, gap=not self._chip, error=self._broken)
        used = paint_line(painter, top, self.kind, self._kind_font, ui.text_secondary, right=True)
        name = QRectF(QPointF(chip.right() + 10, top.top()), QPointF(top.right() - used - 8, top.bottom()))
        paint_line(painter, name, self.name, self._name_font, ui.text, Qt.TextElideMode.ElideMiddle)
        line = QRectF(whole.left(), top.bottom() + 2, whole.width(), LINE)
        if self.of_key:
            paint_line(painter, line, self.of_key, self._kind_font, ui.text_secondary, Qt.TextElideMode.ElideMiddle)
            line.translate(0, LINE)
        colour = self._theme.state("error").fg if self._broken else self._theme.kind(self._group).fg
        painter.setFont(self._value_font)
        painter.setPen(colour)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        metrics = QFontMetricsF(self._value_font)
        for shown in self._lines:  # each as wide as it was laid out: cut again, the text would lack its middle
            painter.drawText(
                QPointF(line.left(), line.center().y() + (metrics.ascent() - metrics.descent()) / 2), shown
            )
            line.translate(0, LINE)
        for shown in self._said_lines:
            paint_line(painter, line, shown, self._kind_font, ui.text)
            line.translate(0, LINE)
        paint_line(painter, line, self.place, self._kind_font, ui.text_secondary)


def _broken(text: str, font: QFont, width: float) -> list[str]:
    """A text in lines that fit, four at most."""
    lines: list[str] = []
    layout = QTextLayout(escaped(text.replace("\n", " ")), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)  # lines of one text, whatever script each begins with
    layout.setTextOption(option)
    layout.beginLayout()
    while len(lines) < VALUE_LINES and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        lines.append(_units(layout.text(), line.textStart(), line.textStart() + line.textLength()))
        rest = _units(layout.text(), line.textStart())
    layout.endLayout()
    if len(lines) == VALUE_LINES and len(rest) > len(lines[-1]):
        lines[-1] = QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return lines


def _units(text: str, start: int, end: int | None = None) -> str:
    """The part of a text between two places as Qt counts them: a sign beyond U+FFFF takes two."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * start : None if end is None else 2 * end].decode("utf-16-le", "surrogatepass")


# The sections of the inspector: one above the other, or side by side where it is wide and low.

BESIDE = 620


class SectionTitle(QWidget):
    """A bold title with a small detail at the right."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        self._theme, self._title, self._detail = theme, title, ""
        self._font, self._small = ui_font(Size.SECONDARY, strong=True), fixed_font(Size.SMALL)
        self.setFixedHeight(28)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_detail(self, detail: str) -> None:
        """Show other small words."""
        self._detail = detail
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect()).adjusted(14, 0, -12, 0)
        paint_line(painter, rect, self._title, self._font, self._theme.ui.text)
        paint_line(painter, rect, self._detail, self._small, self._theme.ui.text_secondary, right=True)
        painter.end()


def _height_policy(column: QWidget, beside: bool) -> QSizePolicy.Policy:
    """Side by side all sections are as high as the panel; one above the other only the parts give way."""
    growing = beside or column.findChild(PartsView) is not None
    return QSizePolicy.Policy.Preferred if growing else QSizePolicy.Policy.Maximum


def _told_nothing(height: int) -> None:
    """Nobody is told of the room."""


class InspectorSections(QWidget):
    """The sections: one above the other, or side by side where the panel is wide and low."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: list[QWidget] = []
        self._room = 0
        self._set_room: Callable[[int], None] = _told_nothing
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(0, 0, 0, 8)
        self._box.setSpacing(0)
        self._box.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def add(self, head: QWidget, content: QWidget | None) -> None:
        """Append a section: what stands first in it, and what follows."""
        column = QWidget(self)
        box = QVBoxLayout(column)
        box.setContentsMargins(0, 5, 0, 5)
        box.setSpacing(0)
        box.addWidget(head)
        if content is not None:
            box.addWidget(content)
        box.addStretch(1)
        column.setSizePolicy(QSizePolicy.Policy.Preferred, _height_policy(column, beside=False))
        self._box.insertWidget(len(self._columns), column)
        self._columns.append(column)

    def put_second(self, widget: QWidget, set_room: Callable[[int], None]) -> None:
        """Make a widget the second section; where it is hidden there is none. It is told how high it may be."""
        self._set_room = set_room
        self._box.insertWidget(1, widget)
        self._columns.insert(1, widget)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = self.width() >= BESIDE
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._box.direction() != direction:
            self._box.setDirection(direction)
            self._arrange()
        super().resizeEvent(event)

    def _arrange(self) -> None:
        beside = self._box.direction() == QBoxLayout.Direction.LeftToRight
        for column in self._columns:
            column.setSizePolicy(QSizePolicy.Policy.Preferred, _height_policy(column, beside))
        for place in range(self._box.count()):
            self._box.setStretch(place, int(beside is (place < len(self._columns))))
        self.tell_room(self._room)

    def tell_room(self, height: int) -> None:
        """So high is what can be seen at once; side by side no picture is to be higher."""
        self._room = height
        beside = self._box.direction() == QBoxLayout.Direction.LeftToRight
        self._set_room(height if beside else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line that parts two sections."""
        painter = QPainter(self)
        for column in self._columns[1:]:
            if not any(part.isVisible() for part in column.findChildren(QWidget) or [column]):
                continue
            box = column.geometry()
            beside = self._box.direction() == QBoxLayout.Direction.LeftToRight
            line = (box.left(), 0, 1, self.height()) if beside else (0, box.top(), self.width(), 1)
            painter.fillRect(*line, self._theme.ui.border)
        painter.end()


WIDTH = 276
LOOK_AFTER = 120
"""Milliseconds after which a value counts as more than passed by."""
VALUE_LIMIT = 400
WORDS_LIMIT = 60


class Inspector(QWidget):
    """The panel that explains the selected value.

    Args:
        session: what is open, and where the person is.
        theme: its colours.

    Signals:
        closed: the close button.
        said: ``str``: what was done, for a toast.
        rested: ``Spot`` or None: another value is selected, and it is more than passed by.
    """

    closed = Signal()
    said = Signal(str)
    rested = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self.setAccessibleName("Inspector")
        self._session, self._theme = session, theme
        self._list: PartList | None = None
        self._listed: tuple[int, int, int, int, str] | None = None
        self._window: PartWindow | None = None
        self._look = QTimer(self, singleShot=True, interval=LOOK_AFTER)
        self._look.timeout.connect(self._rest)
        self._is_painted = False
        self._build(theme)
        session.opened.connect(self.refresh)
        session.changed.connect(self._on_changed)
        session.selected.connect(self.refresh)
        session.labels_changed.connect(self.refresh)
        session.caret_moved.connect(self._on_caret)
        session.layer_shown.connect(self._show_numbers)
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.title, self.head, self.parts, self.numbers, self._parts_title, self._numbers_title):
            part.set_theme(theme)
        self._body.set_theme(theme)
        self.update()

    # Building

    def _build(self, theme: Theme) -> None:
        self.title = PaneTitle(theme, "Inspector", self)
        self.title.closed.connect(self.closed)
        self.head = InspectorHead(theme)
        self.parts = PartsView(theme)
        self.parts.picked.connect(self._pick)
        self.numbers = NumbersGrid(theme)
        self.numbers.copy_asked.connect(self._copy)
        self._parts_title = SectionTitle(theme, "Parts")
        self._numbers_title = SectionTitle(theme, "Bytes at caret")
        self._body = InspectorSections(theme, self)
        self._body.add(self.head, None)
        self._body.add(self._parts_title, self.parts)
        self._body.add(self._numbers_title, self.numbers)
        scroll = QScrollArea(self)
        own_viewport(scroll)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._body)
        scroll.viewport().setAutoFillBackground(False)
        self._body.setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(scroll, 1)
        self.setMinimumWidth(200)

    def put_picture(self, widget: QWidget, set_room: Callable[[int], None]) -> None:
        """Put a widget behind name and value, and tell it how high it may be."""
        self._body.put_second(widget, set_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._body.tell_room(self.height() - self.title.height())

    # Following the session

    def refresh(self, *_: object) -> None:
        """Show the selected item anew."""
        spot = self._session.spot
        if spot is None or not outline.exists(spot.document, spot.item):
            self._list = self._listed = self._window = None
            self.head.clear(self._why_empty())
            self._show_parts([])
            self._look.start()
        else:
            document, item = spot.document, spot.item
            whole = item.node >= 0 and not outline.is_gap(item)
            node = Item(item.frame, item.node, "" if whole else item.part)
            self._show_head(spot, node)
            key = (id(document), document.revision, node.frame, node.node, node.part)
            if key != self._listed:
                self._list, self._listed, self._window = PartList(document, node), key, None
                self._look.start()
            self._follow(spot)
        self._show_numbers()

    def _rest(self) -> None:
        """Tell where the person is, once the inspector itself was painted."""
        if not self.isVisible():
            return
        if self._session.document is not None and not self._is_painted:
            self._look.start()
            return
        spot = self._session.spot
        self.rested.emit(spot if spot is not None and outline.exists(spot.document, spot.item) else None)

    def _why_empty(self) -> str:
        if self._session.document is None:
            return "No file is open"
        return "The values are not read yet" if self._session.waits else "Nothing is selected"

    def _on_changed(self, change: Change) -> None:
        if not change.structure:
            self.refresh()

    def _on_caret(self, offset: int) -> None:
        spot = self._session.spot
        if spot is not None and self._listed is not None:
            item, document = spot.item, spot.document
            if (id(document), document.revision, item.frame, item.node) == self._listed[:4]:
                self._follow(spot)
        self._show_numbers()

    def _show_head(self, spot: Spot, node: Item) -> None:
        document = spot.document
        frame, row = outline.frame_of(document, node), outline.type_row(document, node)
        span = outline.span(document, node)
        steps = crumbs(document, node)
        of_key, broken = "", ""
        is_gap = outline.is_gap(node)
        if frame is not None and node.node >= 0 and not is_gap:
            broken = next((grouped_in(d.message) for d in frame.table.diagnostics if _breaks(d, node.node)), "")
            value = broken or text(frame.table, node.node, VALUE_LIMIT)
            chip = row.chip if row is not None else "?"
            kind = row.name if row is not None else f"type {frame.table.header(node.node) & 0xFF}"
            if outline.is_key(frame.table, node.node):
                of_key = "key of " + crumbs(document, outline.row_item(document, node))[-1].text
        else:
            field = is_gap and unclaimed(document, node, span).is_field
            chip = FIELD_CHIPS[document.message is not None] if field else ""
            value, kind = meaning(document, node), "field" if field else ""
        place = self._place(spot, span)
        name = unclaimed(document, node, span).name if is_gap else steps[-1].text
        name = name.removesuffix("@key")
        said = self._said(spot)
        self.head.show_value(chip, row.group if row else None, name, kind, value, of_key, place, bool(broken), said)

    def _said(self, spot: Spot) -> tuple[str, ...]:
        """What the profile of the game says of the selected value, or of the element that it is."""
        labels, item = self._session.labels, spot.item
        if labels is None or spot.level is not None:
            return ()
        label = labels.label(spot.document, outline.row_item(spot.document, item))
        return label.words if label is not None else ()

    def _place(self, spot: Spot, span: Span) -> str:
        """Where the bytes of a value lie; those that are unpacked from another value lie in no place of the file."""
        start = spot.level.start if spot.level is not None else 0
        if start is None and spot.level is not None:
            return f"{_bytes(len(span))} at +0x{span.start:X} in {spot.level.wraps}"
        span = spot.document.place(span)
        if spot.document.text is not None:
            line, column = spot.document.text.line_and_column(span.start)
            return f"{_bytes(len(span))} in line {grouped(line)}, column {grouped(column)}"
        document, at = self._session.document, span.start + (start or 0)
        return f"{_bytes(len(span))} at {offset_text(at, len(document.shown) if document else 0)} ({grouped(at)})"

    def _follow(self, spot: Spot) -> None:
        """Show the parts round the caret and light the one it stands on."""
        assert self._list is not None
        document, item = spot.document, spot.item
        start = spot.level.start if spot.level is not None else 0
        caret = outline.span(document, item).start if start is None else self._session.caret - start
        window = self._window
        if window is None or (window.at(caret) < 0 and window.total > len(window.parts)):
            self._window = self._list.window(caret)
            self._show_parts(self._rows(document, item, self._list, self._window))
        self.parts.light(caret)

    def _rows(self, document: Document, item: Item, parts: PartList, window: PartWindow) -> list[PartRow]:
        if document.text is not None:
            return []
        row = outline.type_row(document, item)
        group = row.group if row is not None else None
        out = [_row(document, item, part, group) for part in window.parts]
        if window.before:
            out.insert(0, _note(parts[window.first - 1], f"… {grouped(window.before)} more before"))
        if window.after:
            out.append(_note(parts[window.first + len(window.parts)], f"… {grouped(window.after)} more"))
        return out

    def _show_parts(self, rows: list[PartRow]) -> None:
        self.parts.set_rows(rows)
        self.parts.setMaximumHeight(max(20, self.parts.sizeHint().height()))
        total = self._window.total if self._window is not None else 0
        self._parts_title.set_detail(grouped(total) if total else "")
        for part in (self.parts, self._parts_title):
            part.setVisible(bool(rows))

    def _show_numbers(self) -> None:
        document, caret = self._session.document, self._session.caret
        if document is not None and document.text is not None:
            document = None  # the bytes of a text are signs, and no numbers
        if self._session.layer is not None:
            document = None  # the caret that is seen stands in the bytes of a layer around the values
        shown = readings(document.buffer, caret) if document is not None and document.buffer else []
        self.numbers.set_readings(shown)
        self._numbers_title.set_detail(offset_text(caret, len(document.buffer)) if document is not None else "")
        for part in (self.numbers, self._numbers_title):
            part.setVisible(bool(shown))

    # What a person does

    def _pick(self, part: Part) -> None:
        spot = self._session.spot
        if spot is None:
            return
        document, item = spot.document, spot.item
        if part.role is Role.GAP and part.type and spot.level is None:  # a guess: a person may describe its bytes
            self._session.go_to(part.span.start, part.span)
            return
        there = item if item.node < 0 else Item(item.frame, item.node, part.name)
        if item.node < 0 and document.fields:
            there = outline.item_at(document, part.span.start) or item
        self._session.select_spot(replace(spot, item=there))

    def _copy(self, number: str) -> None:
        QGuiApplication.clipboard().setText(number)
        self.said.emit(f"Copied “{number}”")

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The table has the focus for the pane. A focus proxy would let Tab skip what lies beside it."""
        self.parts.setFocus(event.reason())

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 600)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._is_painted = True
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.panel)
        painter.end()


def _breaks(problem: Diagnostic, node: int) -> bool:
    return problem.node == node and problem.severity is Severity.ERROR


def _bytes(number: int) -> str:
    return counted(number, "byte")


def _row(document: Document, item: Item, part: Part, group: str | None) -> PartRow:
    name = "padding" if part.role is Role.PADDING else label(part)
    if document.fields and item.frame < 0:
        name = part.name if part.type == "field" else "field"
    return PartRow(part, name, part_words(document, item, part, WORDS_LIMIT), grouped(len(part.span)), group)


def _note(part: Part, words: str) -> PartRow:
    return PartRow(part, words, "", "", note=True)
