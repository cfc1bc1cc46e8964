"""The inspector: the selected value by name, type and size, its parts, and the bytes at the caret as numbers."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from viewer.base.diagnostic import Diagnostic, Severity
from viewer.document import outline
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.document.shown.counts import counted, grouped, grouped_in
from viewer.document.shown.crumbs import crumbs
from viewer.document.shown.meaning import label, meaning, part_words
from viewer.document.shown.numbers import offset_text, readings
from viewer.document.shown.part_list import PartList, Window
from viewer.document.shown.preview import text
from viewer.document.shown.unclaimed import unclaimed
from viewer.ui.look.palette import Theme
from viewer.ui.panels.inspector_body import Sections, SectionTitle
from viewer.ui.panels.inspector_head import InspectorHead
from viewer.ui.panels.inspector_numbers import NumbersGrid
from viewer.ui.panels.inspector_parts import PartRow, PartsView
from viewer.ui.panels.pieces import PaneTitle
from viewer.ui.session import Session
from viewer.ui.viewport import own_viewport
from viewer.variant.items import Item, Part, Role

WIDTH = 276
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
    """

    closed = Signal()
    said = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self.setAccessibleName("Inspector")
        self._session, self._theme = session, theme
        self._list: PartList | None = None
        self._listed: tuple[int, int, int, str] | None = None
        self._window: Window | None = None
        self._build(theme)
        session.opened.connect(self.refresh)
        session.changed.connect(self._on_changed)
        session.selected.connect(self.refresh)
        session.caret_moved.connect(self._on_caret)
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
        self._body = Sections(theme, self)
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

    # Following the session

    def refresh(self, *_: object) -> None:
        """Show the selected item anew."""
        document, item = self._session.document, self._session.item
        if document is None or item is None or not outline.exists(document, item):
            self._list = self._listed = self._window = None
            self.head.clear(self._why_empty())
            self._show_parts([])
        else:
            whole = item.node >= 0 and not outline.is_gap(item)
            node = Item(item.frame, item.node, "" if whole else item.part)
            self._show_head(document, node)
            key = (document.revision, node.frame, node.node, node.part)
            if key != self._listed:
                self._list, self._listed, self._window = PartList(document, node), key, None
            self._follow(document, item)
        self._show_numbers()

    def _why_empty(self) -> str:
        if self._session.document is None:
            return "No file is open"
        return "The values are not read yet" if self._session.waits else "Nothing is selected"

    def _on_changed(self, change: Change) -> None:
        if not change.structure:
            self.refresh()

    def _on_caret(self, offset: int) -> None:
        document, item = self._session.document, self._session.item
        key = (document.revision, item.frame, item.node) if document is not None and item is not None else None
        if document is not None and item is not None and self._listed is not None and key == self._listed[:3]:
            self._follow(document, item)
        self._show_numbers()

    def _show_head(self, document: Document, node: Item) -> None:
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
            value, chip, kind = meaning(document, node), "pk" if field else "", "field" if field else ""
        place = f"{_bytes(len(span))} at {offset_text(span.start, len(document.buffer))} ({grouped(span.start)})"
        name = unclaimed(document, node, span).name if is_gap else steps[-1].text
        name = name.removesuffix("@key")
        self.head.show_value(chip, row.group if row else None, name, kind, value, of_key, place, bool(broken))

    def _follow(self, document: Document, item: Item) -> None:
        """Show the parts round the caret and light the one it stands on."""
        assert self._list is not None
        caret = self._session.caret
        window = self._window
        if window is None or (window.at(caret) < 0 and window.total > len(window.parts)):
            self._window = self._list.window(caret)
            self._show_parts(self._rows(document, item, self._list, self._window))
        self.parts.light(caret)

    def _rows(self, document: Document, item: Item, parts: PartList, window: Window) -> list[PartRow]:
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
        shown = readings(document.buffer, caret) if document is not None and document.buffer else []
        self.numbers.set_readings(shown)
        self._numbers_title.set_detail(offset_text(caret, len(document.buffer)) if document is not None else "")
        for part in (self.numbers, self._numbers_title):
            part.setVisible(bool(shown))

    # What a person does

    def _pick(self, part: Part) -> None:
        item = self._session.item
        if item is None:
            return
        self._session.select(item if item.node < 0 else Item(item.frame, item.node, part.name))

    def _copy(self, number: str) -> None:
        QGuiApplication.clipboard().setText(number)
        self.said.emit(f"Copied “{number}”")

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The table has the focus for the pane. A focus proxy would let Tab skip what lies beside it."""
        self.parts.setFocus(event.reason())

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 600)

    def paintEvent(self, event: QPaintEvent) -> None:
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
        name = "field"
    return PartRow(part, name, part_words(document, item, part, WORDS_LIMIT), grouped(len(part.span)), group)


def _note(part: Part, words: str) -> PartRow:
    return PartRow(part, words, "", "", note=True)
