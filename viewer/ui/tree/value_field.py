"""The field over a value while it is edited, in the tree and in the table, and the card below it with the verdict."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QToolButton, QWidget

from viewer.base.span import Span
from viewer.document.viewmodel.row_data import Rgba
from viewer.document.viewmodel.verdict import (
    NOTHING,
    Verdict,
    stepped,
)
from viewer.ui.look import chips, icons, patterns
from viewer.ui.look.fonts import Size, fixed_font, scaled, ui_font
from viewer.ui.look.icons import icon
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_painting import paint_line

# The field that lies over a value while it is edited.

FRAME = 2
VALUE_FIELD_PADDING = 4
SWATCH = 13
BUTTON = 20
WAVE_BELOW = 2
SPARE = 12
KEPT_OPEN_BY = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
SHEET = """
QLineEdit {{ border: {frame}px solid {line}; border-radius: 4px; padding: 0px; background: {base}; color: {text};
    selection-background-color: {accent}; selection-color: {accent_text}; min-height: 0px; }}
QToolButton {{ border: none; background: transparent; padding: 0px; }}
"""


class ValueField(QLineEdit):
    """A line of text with a frame that says whether it could be written.

    Args:
        counts: whether Up and Down count a number up and down.

    Signals:
        accepted: Enter was pressed.
        cancelled: Esc was pressed.
        left: the focus went elsewhere.
        stepped_out: Tab (1) or Shift+Tab (-1) was pressed.
        fix_wanted: the offered fix was asked for.
        picker_wanted: the colour dialog was asked for.
    """

    accepted = Signal()
    cancelled = Signal()
    left = Signal()
    stepped_out = Signal(int)
    fix_wanted = Signal()
    picker_wanted = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget, counts: bool = True) -> None:
        super().__init__(text, parent)
        self._counts = counts
        self.setObjectName("valueField")
        self.setFont(fixed_font(Size.SECONDARY))
        self.setMaxLength(1 << 30)
        self._theme = theme
        self._wrong_from = -1
        self._swatch: Rgba | None = None
        self._button: QToolButton | None = None
        self.set_wrong(-1)
        self.setText(text)
        self._select_from_end()

    def _select_from_end(self) -> None:
        """Select all with the cursor at the start, so that a long text shows how it begins."""
        self.end(False)
        self.home(True)

    def set_wrong(self, position: int) -> None:
        """Show that the text is wrong from a character on; -1 for right."""
        self._wrong_from = position
        ui = self._theme.ui
        line = ui.focus if position < 0 else self._theme.state("error").line
        colours = {name: getattr(ui, name).name() for name in ("base", "text", "accent", "accent_text")}
        self.setStyleSheet(SHEET.format(frame=FRAME, line=line.name(), **colours))
        self._set_margins()

    def set_swatch(self, rgba: Rgba | None) -> None:
        """Show a colour before the text, and a button that opens the colour dialog behind it."""
        self._swatch = rgba
        if self._button is None:
            self._button = QToolButton(self)
            self._button.setObjectName("pickColour")
            self._button.setIcon(icon("palette", self._theme))
            self._button.setIconSize(QSize(14, 14))
            self._button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._button.setCursor(Qt.CursorShape.ArrowCursor)
            self._button.setToolTip("Choose a colour (Alt+Down)")
            self._button.setAccessibleName("Choose a colour")
            self._button.clicked.connect(self.picker_wanted)
            self._button.show()
        self._set_margins()
        self.update()

    def wanted_width(self) -> int:
        """The width at which all of the text is in view."""
        margins = self.textMargins()
        text = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        return round(text) + margins.left() + margins.right() + 2 * FRAME + SPARE

    def _set_margins(self) -> None:
        left = VALUE_FIELD_PADDING + (SWATCH + VALUE_FIELD_PADDING + 2 if self._swatch is not None else 0) - 2
        self.setTextMargins(left, 0, BUTTON if self._button is not None else VALUE_FIELD_PADDING - 2, 0)

    def _paint_wave(self, painter: QPainter) -> None:
        metrics, text = QFontMetricsF(self.font()), self.text()
        start = min(self._wrong_from, max(0, len(text) - 1))
        cursor = QRectF(self.cursorRect()).center().x() - metrics.horizontalAdvance(text[: self.cursorPosition()])
        left = max(cursor + metrics.horizontalAdvance(text[:start]), FRAME + VALUE_FIELD_PADDING)
        right = min(cursor + metrics.horizontalAdvance(text), self.width() - FRAME - self.textMargins().right())
        top = self.height() / 2 + metrics.ascent() / 2 + WAVE_BELOW
        wave = QRectF(left, round(top) - 1, max(0.0, right - left), patterns.WAVE_HEIGHT)
        painter.setBrushOrigin(wave.topLeft())
        painter.fillRect(wave, patterns.wave(self._theme.state("error").line.name(), self.devicePixelRatioF()))

    def _step(self, event: QKeyEvent) -> bool:
        """Count a number up or down."""
        if not self._counts or event.key() not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return False
        modifiers = event.modifiers()
        steps = 10 if modifiers & Qt.KeyboardModifier.ShiftModifier else 1
        signed = steps if event.key() == Qt.Key.Key_Up else -steps
        text = stepped(self.text(), signed, bool(modifiers & Qt.KeyboardModifier.AltModifier))
        if text is not None:
            self.setText(text)
        return text is not None

    def _slot(self, event: QKeyEvent) -> Callable[[], None] | None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.accepted.emit
        if event.key() == Qt.Key.Key_Escape:
            return self.cancelled.emit
        if event.key() == Qt.Key.Key_Up and control:
            return self.fix_wanted.emit
        if event.key() == Qt.Key.Key_Down and alt and self._button is not None:
            return self.picker_wanted.emit
        return None

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}.get(Qt.Key(event.key()))
            if steps is not None and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                event.accept()
                self.stepped_out.emit(steps)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        slot = self._slot(event)
        if slot is not None:
            event.accept()
            slot()
        elif not self._step(event):
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in KEPT_OPEN_BY:
            self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        if self._swatch is not None:
            top = round((self.height() - SWATCH) / 2)
            square = QRectF(FRAME + VALUE_FIELD_PADDING, top, SWATCH, SWATCH)
            chips.paint_swatch(painter, square, self._swatch, self._theme)
        if self._wrong_from >= 0 and self.text():
            self._paint_wave(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._button is not None:
            top = (self.height() - BUTTON) // 2
            self._button.setGeometry(self.width() - BUTTON - FRAME, top, BUTTON, BUTTON)


# The card under a field: the verdict in words, the bytes now and afterwards, and the keys.

SHADOW = 8
PADDING = 12
WIDTH = 392
RADIUS = 6
LINE = 20
ICON = 16
LABEL_GAP = 10
LEAST_VALUE = 64
SIGNS = {"ok": "circle-check", "warning": "triangle-alert", "error": "circle-x"}
MOST_LINES = 3
"""So many lines a sentence of the verdict may take."""
WILL_WRITE = "Will write"
BYTES = 16
CAP_HEIGHT = 18
FOOTER = 34
CLEAR = 4
KEY_APPLY, KEY_CANCEL, KEY_FIX = "Enter", "Esc", "Ctrl+Up"


def folded(text: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """A sentence in lines that fit, the last one with all that is left where there would be too many."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == MOST_LINES or metrics.horizontalAdvance(longer) <= room):
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class ValueCard(QWidget):
    """A floating card that takes no focus.

    Signals:
        key_clicked: the key (``Enter``, ``Esc``, ``Ctrl+Up``) whose words were clicked.
    """

    key_clicked = Signal(str)

    def __init__(self, theme: Theme, group: str | None, now: str, limits: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("valueCard")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._theme, self._group, self._now, self._limits = theme, group, now, limits
        self._verdict: Verdict | None = None
        self._keys: list[tuple[QRectF, str]] = []
        self._line = scaled(LINE)
        self._title_font, self._small_font = ui_font(strong=True), ui_font(Size.SECONDARY)
        self._value_font, self._strong_font = fixed_font(Size.SECONDARY), fixed_font(Size.SECONDARY, strong=True)

    def set_verdict(self, verdict: Verdict) -> None:
        """Show another verdict."""
        self._verdict = verdict
        self.setAccessibleName(f"{verdict.title}. {verdict.detail}")
        self.update()

    def wanted_size(self, room: int) -> QSize:
        """The size without the shadow, at most *room* wide."""
        width = min(scaled(WIDTH), room)
        return QSize(width, round(self._band_height(width) + self._body_height() + scaled(FOOTER)))

    def show_beside(self, field: QRect, bounds: QRect) -> None:
        """Appear below *field*, above it where there is no room, always inside *bounds*."""
        size = self.wanted_size(bounds.width())
        left = max(bounds.left(), min(field.left(), bounds.right() + 1 - size.width()))
        top = field.bottom() + 1 + CLEAR
        if top + size.height() > bounds.bottom() + 1:
            top = max(bounds.top(), field.top() - CLEAR - size.height())
        card = QRect(QPoint(left, top), size)
        self.setGeometry(card.adjusted(-SHADOW, -SHADOW, SHADOW, SHADOW))
        self.raise_()
        self.show()

    def _band_lines(self, width: float) -> list[tuple[str, QFont]]:
        """The lines of the verdict in a card of such a width, each with its font."""
        if self._verdict is None:
            return []
        room = width - 2 * PADDING - ICON - 8
        words = ((self._verdict.title, self._title_font), (self._verdict.detail, self._small_font))
        return [(line, font) for text, font in words if text for line in folded(text, QFontMetricsF(font), room)]

    def _band_height(self, width: float) -> float:
        return scaled(12) + max(1, len(self._band_lines(width))) * (self._line - 2) + 2

    def _body_height(self) -> float:
        in_text = self._verdict is not None and self._verdict.in_text
        return PADDING + (self._line if in_text else 2 * self._line) + (self._line if self._limits else 0)

    # Painting

    def _paint_surface(self, painter: QPainter, card: QRectF) -> None:
        shade = QColor(0, 0, 0)
        painter.setPen(Qt.PenStyle.NoPen)
        for spread in range(SHADOW - 2, 0, -1):
            shade.setAlphaF(0.045 if self._theme.is_dark else 0.014)
            painter.setBrush(shade)
            outer = card.adjusted(-spread, 2 - spread, spread, spread + 1)
            painter.drawRoundedRect(outer, RADIUS + spread, RADIUS + spread)
        painter.setBrush(self._theme.ui.raised)
        painter.drawRoundedRect(card, RADIUS, RADIUS)

    def _paint_band(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        kind = "error" if not verdict.ok else "warning" if verdict.is_doubtful else "ok"
        state = self._theme.state(kind)
        band = QRectF(card.left(), card.top(), card.width(), self._band_height(card.width()))
        shape = QPainterPath()
        shape.addRoundedRect(card, RADIUS, RADIUS)
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(band, state.bg)
        painter.restore()
        mark = QRectF(band.left() + PADDING, band.top() + 8, ICON, ICON)
        icons.draw(painter, SIGNS[kind], self._theme, mark, f"state.{kind}.line")
        words = QRectF(mark.right() + 8, band.top() + 6, band.right() - PADDING - mark.right() - 8, self._line)
        for text, font in self._band_lines(card.width()):
            paint_line(painter, words, text, font, state.fg)
            words.translate(0, self._line - 2)

    def _paint_body(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        ui, small = self._theme.ui, self._small_font
        line = QRectF(card.left(), card.top() + self._band_height(card.width()) + PADDING / 2, card.width(), self._line)
        line.adjust(PADDING, 0, -PADDING, 0)
        label = max(paint_line(painter, line, "Now", small, ui.text_secondary), self._label_width()) + LABEL_GAP
        room = line.adjusted(label, 0, 0, 0)
        if verdict.in_text:
            paint_line(painter, room, self._now, self._value_font, ui.text)
            if self._limits:
                paint_line(painter, line.translated(0, self._line), self._limits, small, ui.text_dim)
            return
        used = self._paint_bytes(painter, room, verdict, verdict.before, NOTHING)
        rest = room.adjusted(used + PADDING, 0, 0, 0)
        if rest.width() >= LEAST_VALUE:
            paint_line(painter, rest, self._now, self._value_font, ui.text_secondary, right=True)
        line.translate(0, self._line)
        room.translate(0, self._line)
        paint_line(painter, line, WILL_WRITE, small, ui.text_secondary)
        if verdict.after is None:
            paint_line(painter, room, "nothing until the value is valid", small, ui.text_secondary)
        elif verdict.after == verdict.before:
            paint_line(painter, room, "nothing, it is the same", small, ui.text_secondary)
        else:
            self._paint_bytes(painter, room, verdict, verdict.after, verdict.changed)
        if self._limits:
            paint_line(painter, line.translated(0, self._line), self._limits, small, ui.text_dim)

    def _label_width(self) -> float:
        return QFontMetricsF(self._small_font).horizontalAdvance(WILL_WRITE)

    def _paint_bytes(self, painter: QPainter, room: QRectF, verdict: Verdict, data: bytes, changed: Span) -> float:
        """Some bytes in hex around what changes: the header neutral, the rest in the kind's colour."""
        metrics = QFontMetricsF(self._value_font)
        step, more = metrics.horizontalAdvance("00 "), metrics.horizontalAdvance("… ")
        count = min(BYTES, int((room.width() - 2 * more) / step))
        first = verdict.first_byte(count)
        x = room.left()
        if first > verdict.header:
            paint_line(painter, QRectF(x, room.top(), more, self._line), "…", self._value_font, self._theme.ui.text_dim)
            x += more
        for k in range(first, min(len(data), first + count)):
            cell = QRectF(x, room.top(), step, self._line)
            self._paint_byte(painter, cell, data[k], k < verdict.header, k in changed)
            x += step
        if first + count < len(data):
            paint_line(painter, QRectF(x, room.top(), more, self._line), "…", self._value_font, self._theme.ui.text_dim)
            x += more
        return x - room.left()

    def _paint_byte(self, painter: QPainter, cell: QRectF, byte: int, in_header: bool, changed: bool) -> None:
        theme = self._theme
        tint = theme.structure("header") if in_header else theme.kind(self._group)
        colour = theme.state("modified").fg if changed else tint.fg
        font = self._strong_font if changed else self._value_font
        if changed:
            width = QFontMetricsF(font).horizontalAdvance("00")
            mark = QRectF(cell.left() - 1, cell.top() + 2, width + 2, self._line - 4)
            painter.fillRect(mark, theme.state("modified").bg)
            painter.fillRect(QRectF(mark.left(), mark.bottom() - 2, mark.width(), 2), theme.state("modified").line)
        paint_line(painter, cell.adjusted(0, 0, 8, 0), f"{byte:02X}", font, colour)

    def _paint_footer(self, painter: QPainter, card: QRectF, verdict: Verdict) -> None:
        ui = self._theme.ui
        top = card.bottom() - scaled(FOOTER)
        painter.fillRect(QRectF(card.left() + 1, top, card.width() - 2, 1), ui.border)
        x, y = card.left() + PADDING, top + (scaled(FOOTER) - scaled(CAP_HEIGHT)) / 2
        self._keys = []
        for key, words, usable in (
            (KEY_APPLY, "apply", verdict.ok),
            (KEY_CANCEL, "cancel", True),
            *([(KEY_FIX, verdict.fix_label, True)] if verdict.fix is not None else []),
        ):
            start = x
            x = self._paint_cap(painter, QPointF(x, y), key, usable) + 6
            room = QRectF(x, y, card.right() - PADDING - x, scaled(CAP_HEIGHT))
            colour = ui.text if usable else ui.text_dim
            x += paint_line(painter, room, words, self._small_font, colour)
            self._keys.append((QRectF(start, y, x - start, scaled(CAP_HEIGHT)), key))
            x += 16

    def _paint_cap(self, painter: QPainter, at: QPointF, key: str, usable: bool) -> float:
        """One key; returns its right edge."""
        ui = self._theme.ui
        width = QFontMetricsF(self._value_font).horizontalAdvance(key) + 10
        cap = QRectF(round(at.x()) + 0.5, round(at.y()) + 0.5, round(width), scaled(CAP_HEIGHT) - 1)
        painter.setPen(QPen(ui.border_strong if usable else ui.border, 1))
        painter.setBrush(ui.panel)
        painter.drawRoundedRect(cap, 4, 4)
        colour = ui.text if usable else ui.text_dim
        paint_line(painter, cap.adjusted(5, 0, 0, 0), key, self._value_font, colour)
        return cap.right()

    # QWidget

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._verdict is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
        self._paint_surface(painter, card)
        self._paint_band(painter, card, self._verdict)
        self._paint_body(painter, card, self._verdict)
        self._paint_footer(painter, card, self._verdict)
        painter.setPen(QPen(self._theme.ui.border_strong, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        for place, key in self._keys:
            if place.contains(event.position()):
                self.key_clicked.emit(key)
                return


MARGIN = 8
OVER = 1


class OpenField:
    """A field that lies over a cell of a view, and the card beside it.

    Args:
        field: lies in the viewport of the view.
        card: lies in the window.
        view: gets the focus when they go.
    """

    def __init__(self, field: ValueField, card: ValueCard, view: QAbstractItemView) -> None:
        self.field, self.card, self._view = field, card, view
        self._widest = 0

    def start(self) -> None:
        """Show the field and give it the focus."""
        self.field.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def can_follow(self, cell: QRect) -> bool:
        """Whether something of a cell is in sight."""
        return cell.isValid() and self._view.viewport().rect().intersects(cell)

    def follow(self, cell: QRect) -> None:
        """Lie over a cell, as wide as what is typed needs it."""
        room = self._view.viewport().rect().right() - cell.left()
        self._widest = max(self._widest, self.field.wanted_width())  # what is beside the text must not move away
        width = max(cell.width(), min(self._widest, room))
        self.field.setGeometry(QRect(cell.left(), cell.top() - OVER, width, cell.height() + 2 * OVER))
        window = self._view.window()
        corner = self.field.mapTo(window, QPoint(0, 0))
        bounds = window.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        self.card.show_beside(QRect(corner, self.field.size()), bounds)

    def tell(self, verdict: Verdict) -> None:
        """Show what is said about the text, in the field and on the card."""
        self.field.set_wrong(-1 if verdict.ok else max(0, verdict.position))
        self.field.setAccessibleDescription(f"{verdict.title}. {verdict.detail}")
        self.card.set_verdict(verdict)

    def close(self) -> None:
        """Take both away; who had the focus in the field is in the view again."""
        had_focus = self.field.hasFocus()
        for widget in (self.field, self.card):
            widget.blockSignals(True)
            widget.hide()
            widget.deleteLater()
        if had_focus:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
