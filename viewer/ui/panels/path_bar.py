"""The path bar: where the selected item is, step by step; a click beside the steps makes it a text field."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from viewer.base.record import dataclass, replace
from viewer.base.unseen import escaped
from viewer.base.words import grouped_in
from viewer.document import outline
from viewer.document.path import INSIDE, PathError
from viewer.document.selection import Spot
from viewer.document.viewmodel.crumbs import Crumb, crumbs, siblings
from viewer.document.viewmodel.number_table import offset_text
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu, plain_tip, show_tip
from viewer.ui.panels.panel_painting import has_ring, paint_line
from viewer.ui.panels.panel_widgets import LongLine, paint_field, plain_field_style
from viewer.ui.session import Session

# The text field of the path bar, and the sentence below it when what was written leads nowhere.

POPUP_HEIGHT = 30


class PathField(QWidget):
    """A frame with a line edit that lies over the path bar while a person writes.

    Signals:
        entered: ``str``: Enter was pressed.
        left: Escape was pressed, the focus went elsewhere, or the place was found. ``bool``: whether the focus is to go
            back, and not taken by what was clicked or asked for.
    """

    entered = Signal(str)
    left = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.line = _Line(parent=self)
        self.line.setObjectName("pathField")
        self.line.setAccessibleName("Path or offset")
        self.line.setPlaceholderText("[0].player.gold, 0x1A0, 416 or +16")
        self.line.setFont(fixed_font(Size.SECONDARY))
        self.line.setFrame(False)
        self.line.returnPressed.connect(lambda: self.entered.emit(self.line.text()))
        self.line.textEdited.connect(lambda: self.refuse(""))
        self.line.escaped.connect(self.end)
        self.line.focus_lost.connect(self.end)
        self.error = Sentence(theme, self)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.line.setStyleSheet(plain_field_style(theme))
        self.error.set_theme(theme)
        self.update()

    def begin(self, text: str) -> None:
        """Appear with a text, all of it selected."""
        self.line.setText(text)
        holder = self.parentWidget()
        assert holder is not None
        self.setGeometry(holder.rect())
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def end(self, goes_back: bool = True) -> None:
        """Disappear; the focus goes back where nothing else has taken it."""
        if not self.isHidden():
            self.refuse("")
            self.hide()
            self.left.emit(goes_back)

    def refuse(self, sentence: str) -> None:
        """Say why the text leads nowhere; an empty sentence takes it back."""
        self.error.say(grouped_in(sentence))
        self.update()

    def resizeEvent(self, event: object) -> None:
        self.line.setGeometry(30, 3, max(40, self.width() - 38), self.height() - 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_field(painter, QRectF(self.rect()), self._theme, focused=True, wrong=bool(self.error.text))
        icons.draw(painter, "locate-fixed", self._theme, QRectF(10, 6, 16, 16))
        painter.end()


TAKES = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ShortcutFocusReason, Qt.FocusReason.OtherFocusReason)
"""Something else was clicked, or asked for by a key or the program: it has the focus, and keeps it."""


class _Line(LongLine):
    """Tells when it is left, and whether the focus went on by itself, as with Tab."""

    escaped = Signal()
    focus_lost = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
        event.accept()  # or the bar behind would take Enter for itself

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.focus_lost.emit(event.reason() not in TAKES)


SENTENCE_LEFT, SENTENCE_EDGES = 34, 44
"""Pixels before the words of a sentence, and beside them in all."""
WRAPPED = Qt.TextFlag.TextWordWrap.value


class Sentence(QWidget):
    """A card below a field that says what is wrong with what it holds: one line, or more where the window is narrow.

    Args:
        theme: its colours.
        field: the widget under which it hangs; the card itself lies in that widget's window.

    Attributes:
        below: so many pixels below the field something else hangs.
    """

    def __init__(self, theme: Theme, field: QWidget) -> None:
        super().__init__(field)
        self.setObjectName("fieldError")
        self._theme, self._field = theme, field
        self.text = ""
        self.below = 0
        self._font = ui_font(Size.SECONDARY)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def say(self, text: str) -> None:
        """Show a sentence; nothing is shown for an empty one."""
        self.text = text
        self.setAccessibleName(text)
        if not text:
            self.hide()
            return
        window = self._field.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            window.installEventFilter(self)
        self._place(window)
        self.setToolTip(plain_tip(text))
        self.show()
        self.raise_()

    def _place(self, window: QWidget) -> None:
        corner = self._field.mapTo(window, QPoint(0, self._field.height() + self.below + 4))
        width = min(self.sizeHint().width(), window.width() - 16)
        left = max(8, min(corner.x(), window.width() - width - 8))
        metrics = QFontMetricsF(self._font)
        lines = metrics.boundingRect(QRectF(0, 0, width - SENTENCE_EDGES, window.height()), WRAPPED, escaped(self.text))
        more = max(0, round(lines.height() - metrics.height()))
        self.setGeometry(left, corner.y(), width, POPUP_HEIGHT + more)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden() and isinstance(watched, QWidget):
            self._place(watched)
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self._font).horizontalAdvance(self.text)) + 48, POPUP_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tint = self._theme.state("error")
        painter.setPen(QPen(tint.line, 1))
        painter.setBrush(tint.bg)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        icons.draw(painter, "circle-x", self._theme, QRectF(10, 7, 16, 16), "state.error.line")
        painter.setFont(self._font)
        painter.setPen(tint.fg)
        room = QRectF(SENTENCE_LEFT, 0, self.width() - SENTENCE_EDGES, self.height())
        painter.drawText(room, WRAPPED | Qt.AlignmentFlag.AlignVCenter.value, escaped(self.text))
        painter.end()


# Where the steps of the path bar lie, and which of them give way when it is narrow.

CHEVRON = 18.0
MORE = 24.0
PAD = 4.0


class PieceKind(Enum):
    """What a piece of the bar is."""

    CRUMB = "crumb"
    CHEVRON = "chevron"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class PathPiece:
    """One piece: *index* is the crumb's; a chevron has that of the crumb behind it, the ellipsis that of the first
    crumb that it hides."""

    kind: PieceKind
    index: int
    rect: QRectF


@dataclass(frozen=True, slots=True)
class PathLayout:
    """The pieces from left to right, and the indexes of the crumbs that are hidden."""

    pieces: tuple[PathPiece, ...]
    hidden: range


def lay_out(texts: list[str], area: QRectF, normal: QFontMetricsF, strong: QFontMetricsF) -> PathLayout:
    """Lay out crumbs in *area*. The first and the last always stay; the middle is hidden from the left on."""
    last = len(texts) - 1
    widths = [(strong if k == last else normal).horizontalAdvance(text) + 2 * PAD + 1 for k, text in enumerate(texts)]
    first = 1
    total = sum(widths) + CHEVRON * last
    while total > area.width() and first < last:
        total += (MORE + CHEVRON if first == 1 else 0) - widths[first] - CHEVRON
        first += 1
    over = total - area.width()
    if over > 0 and last > 0:
        narrower = min(over, max(0.0, widths[0] - 48))
        widths[0] -= narrower
        over -= narrower
    widths[last] -= max(0.0, over)
    hidden = range(1, first)
    return PathLayout(tuple(_pieces(widths, hidden, area)), hidden)


def _pieces(widths: list[float], hidden: range, area: QRectF) -> list[PathPiece]:
    out: list[PathPiece] = []
    left = area.left()

    def add(kind: PieceKind, index: int, width: float) -> None:
        nonlocal left
        out.append(PathPiece(kind, index, QRectF(left, area.top(), max(0.0, width), area.height())))
        left += width

    for index, width in enumerate(widths):
        if index in hidden:
            if index == hidden.start:
                add(PieceKind.CHEVRON, index, CHEVRON)
                add(PieceKind.MORE, index, MORE)
            continue
        if index:
            add(PieceKind.CHEVRON, index, CHEVRON)
        add(PieceKind.CRUMB, index, width)
    return out


HEIGHT = 28
LEFT = 30
RIGHT = 10
OFFSET_GAP = 16


class PathBar(QWidget):
    """Steps from the file to the selected item.

    Args:
        session: what is open, and where the person is.
        theme: its colours.

    Signals:
        left: the text field was left, and nothing else has taken the focus: it should go back to where it was.
    """

    left = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("pathBar")
        self._session, self._theme = session, theme
        self._crumbs: list[Crumb] = []
        self._spots: list[Spot | None] = []
        self._layout = PathLayout((), range(0))
        self._current = -1
        self._hovered: PathPiece | None = None
        self._ring = False
        self._font, self._strong = fixed_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)
        self.field = PathField(theme, self)
        self.field.entered.connect(self._go)
        self.field.left.connect(self._leave)
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        session.opened.connect(self.refresh)
        session.changed.connect(self.refresh)
        session.selected.connect(self.refresh)
        session.history_changed.connect(self.refresh)
        session.layer_shown.connect(self._arrange)
        session.caret_moved.connect(self._on_caret)
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.field.set_theme(theme)
        self.update()

    @property
    def steps(self) -> list[str]:
        """The words of the steps, the file first."""
        return [crumb.text for crumb in self._crumbs]

    @property
    def pieces(self) -> tuple[PathPiece, ...]:
        """What is shown, from left to right."""
        return self._layout.pieces

    def edit(self) -> None:
        """Become a text field with the path of the selected item, all of it selected."""
        document = self._session.document
        if document is not None:
            text = self._session.path or offset_text(self._session.caret, len(document.buffer))
            self.field.begin(text)

    def refresh(self, *_: object) -> None:
        """Show where the person is now."""
        document = self._session.document
        self._crumbs, self._spots = self._steps() if document is not None else ([], [])
        self._current = min(self._current, len(self._crumbs) - 1)
        self.setAccessibleName(f"Path: {self._session.path}" if self._crumbs else "Path: nothing is open")
        self.setEnabled(document is not None)
        self._arrange()

    def _steps(self) -> tuple[list[Crumb], list[Spot | None]]:
        """The steps to what is selected, and where each of them leads; those inside values behind those around them."""
        document, spot = self._session.document, self._session.spot
        assert document is not None
        line = self._session.inside.line(spot) if spot is not None else []
        found = crumbs(document, line[0].item if line else None)
        spots: list[Spot | None] = [Spot(document, crumb.item) if crumb.item is not None else None for crumb in found]
        for each in line[1:]:
            inner = crumbs(each.document, each.item)[1:]
            found += [Crumb(INSIDE + _number(inner[0].text), inner[0].item), *inner[1:]]
            spots += [Spot(each.document, crumb.item, each.level) for crumb in inner if crumb.item is not None]
        return found, spots

    def _on_caret(self, offset: int) -> None:
        self.update()

    def _offset(self) -> str:
        document, caret = self._session.document, self._session.caret
        if document is None:
            return ""
        spot = self._session.spot
        if spot is not None and spot.level is not None and spot.level.start is None:
            return f"+0x{outline.span(spot.document, spot.item).start:X} in {spot.level.wraps}"
        start = caret if document.text is None else document.text.span_of(caret).start
        offset = offset_text(start, len(document.shown))
        if self._session.layer is None:
            return offset
        from viewer.document.viewmodel.shown_layers import shown_layers

        return f"{offset} in {shown_layers(document)[-1].label}"  # the bytes in view are those of a layer around them

    def _arrange(self) -> None:
        normal, strong = QFontMetricsF(self._font), QFontMetricsF(self._strong)
        right = RIGHT + normal.horizontalAdvance(self._offset()) + OFFSET_GAP
        area = QRectF(LEFT, 0, max(40.0, self.width() - LEFT - right), HEIGHT)
        self._layout = lay_out(self.steps, area, normal, strong) if self._crumbs else PathLayout((), range(0))
        self._hovered = None
        self.update()

    # What a person does

    def _select(self, index: int) -> None:
        spot = self._spots[index]
        if spot is not None:
            self._session.select_spot(spot)
        else:
            self._session.go_to(0)

    def menu_for(self, piece: PathPiece) -> QMenu:
        """The menu of a chevron (what stands beside the crumb behind it) or of the ellipsis (what it hides)."""
        menu = QMenu(self)
        if piece.kind is PieceKind.MORE:
            for index in self._layout.hidden:
                menu.addAction(in_menu(self._crumbs[index].text)).triggered.connect(
                    lambda _=False, k=index: self._select(k)
                )
            return menu
        spot = self._spots[piece.index]
        if spot is None:
            return menu
        item = spot.item
        beside = siblings(spot.document, item)
        if beside.before:
            menu.addAction(f"… {beside.before} before").setEnabled(False)
        for crumb in beside.crumbs:
            action = menu.addAction(in_menu(crumb.text))
            action.setCheckable(True)
            action.setChecked(crumb.item == item)
            if crumb.item is not None:
                target = replace(spot, item=crumb.item)
                action.triggered.connect(lambda _=False, target=target: self._session.select_spot(target))
            if crumb.item == item:
                menu.setActiveAction(action)
        if beside.after:
            menu.addAction(f"… {beside.after} more").setEnabled(False)
        return menu

    def _activate(self, piece: PathPiece) -> None:
        if piece.kind is PieceKind.CRUMB:
            self._select(piece.index)
            return
        menu = self.menu_for(piece)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(round(piece.rect.left()), HEIGHT)))

    def _go(self, text: str) -> None:
        try:
            self._session.go_to_place(text)
        except PathError as error:
            self.field.refuse(str(error))
            return
        self.field.end()

    def _leave(self, goes_back: bool) -> None:
        self.refresh()
        if goes_back:
            self.left.emit()

    def piece_at(self, point: QPointF) -> PathPiece | None:
        """The piece under a point."""
        return next((piece for piece in self._layout.pieces if piece.rect.contains(point)), None)

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(480, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.field.setGeometry(self.rect())
        self._arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        piece = self.piece_at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if piece is not None else Qt.CursorShape.IBeamCursor)
        if piece != self._hovered:
            self._hovered = piece
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        piece = self.piece_at(event.position())
        if piece is None:
            self.edit()
        else:
            self._activate(piece)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._layout.pieces) - 1
        if event.key() == Qt.Key.Key_Left:
            self._current = max(0, self._current - 1)
        elif event.key() == Qt.Key.Key_Right:
            self._current = min(last, self._current + 1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Down):
            if 0 <= self._current <= last:
                self._activate(self._layout.pieces[self._current])
        elif event.key() == Qt.Key.Key_F2:
            self.edit()
        else:
            super().keyPressEvent(event)
            return
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = has_ring(event, self._ring)
        self._current = len(self._layout.pieces) - 1
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            piece = self.piece_at(QPointF(event.pos()))
            tips = {PieceKind.CHEVRON: "Show what is beside it", PieceKind.MORE: "Show the steps between"}
            tip = self._crumbs[piece.index].text if piece is not None and piece.kind is PieceKind.CRUMB else ""
            tip = tip or (tips.get(piece.kind, "") if piece is not None else "Type a path or an offset (Ctrl+G)")
            show_tip(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ui, focused = self._theme.ui, self.hasFocus() and self._ring
        painter.setPen(QPen(ui.focus if focused else ui.border_strong, 2 if focused else 1))
        painter.setBrush(ui.base)
        inset = 1 if focused else 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
        icons.draw(painter, "list-tree", self._theme, QRectF(10, 6, 16, 16))
        for place, piece in enumerate(self._layout.pieces):
            self._paint_piece(painter, piece, focused and place == self._current)
        right = QRectF(self.width() / 2, 0, self.width() / 2 - RIGHT, HEIGHT)
        paint_line(painter, right, self._offset(), self._font, ui.text_secondary, right=True)
        painter.end()

    def _paint_piece(self, painter: QPainter, piece: PathPiece, current: bool) -> None:
        ui = self._theme.ui
        if current or piece == self._hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ui.selection if current else ui.hover)
            painter.drawRoundedRect(piece.rect.adjusted(0, 4, 0, -4), 4, 4)
        middle = piece.rect.center()
        if piece.kind is PieceKind.CHEVRON:
            icons.draw(painter, "chevron-right", self._theme, QRectF(middle.x() - 6, middle.y() - 6, 12, 12))
        elif piece.kind is PieceKind.MORE:
            icons.draw(painter, "ellipsis", self._theme, QRectF(middle.x() - 7, middle.y() - 7, 14, 14))
        else:
            last = piece.index == len(self._crumbs) - 1
            font = self._strong if last else self._font
            colour = ui.text if last else ui.text_secondary
            elide = Qt.TextElideMode.ElideMiddle
            paint_line(painter, piece.rect.adjusted(4, 0, -4, 0), self._crumbs[piece.index].text, font, colour, elide)


def _number(text: str) -> str:
    """The number of a value at the top as it stands in paths inside: without its brackets."""
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text
