"""The head of the inspector: chip, name, type, value in a few lines, size and place."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.base.unseen import escaped, with_direction_note
from viewer.ui.look import chips
from viewer.ui.look.fonts import Size, fixed_font, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.pieces import paint_line

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
        self._lines: list[str] = []
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
    ) -> None:
        """Show another value; *chip* is empty for bytes that are none, *of_key* for all but keys.

        Of a *broken* one, *value* is the sentence that says what is wrong with it.
        """
        self._chip, self._group, self._broken = chip, group, broken
        self._value_font = ui_font(Size.SECONDARY) if broken else fixed_font(Size.SECONDARY)
        self.name, self.kind, self.value, self.of_key, self.place = name, kind, value, of_key, place
        self.empty = ""
        self.setToolTip(plain_tip(with_direction_note(value, value)))
        self.setAccessibleName(", ".join(word for word in (name, of_key, kind, value, place) if word))
        self._wrap()
        self.updateGeometry()
        self.update()

    def _wrap(self) -> None:
        """Break the value into lines that fit, four at most."""
        width = max(40.0, self.width() - LEFT - RIGHT)
        self._lines = []
        layout = QTextLayout(escaped(self.value.replace("\n", " ")), self._value_font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)  # lines of one text, whatever script each begins with
        layout.setTextOption(option)
        layout.beginLayout()
        while len(self._lines) < VALUE_LINES and (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            self._lines.append(_units(layout.text(), line.textStart(), line.textStart() + line.textLength()))
            rest = _units(layout.text(), line.textStart())
        layout.endLayout()
        if len(self._lines) == VALUE_LINES and len(rest) > len(self._lines[-1]):
            metrics = QFontMetricsF(self._value_font)
            self._lines[-1] = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)

    def _height(self) -> int:
        lines = len(self._lines) + bool(self.of_key) + 1
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
        for text in self._lines:  # each as wide as it was laid out: cut again, the text would lack its middle
            painter.drawText(QPointF(line.left(), line.center().y() + (metrics.ascent() - metrics.descent()) / 2), text)
            line.translate(0, LINE)
        paint_line(painter, line, self.place, self._kind_font, ui.text_secondary)


def _units(text: str, start: int, end: int | None = None) -> str:
    """The part of a text between two places as Qt counts them: a sign beyond U+FFFF takes two."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * start : None if end is None else 2 * end].decode("utf-16-le", "surrogatepass")
