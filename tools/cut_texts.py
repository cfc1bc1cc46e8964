"""Which texts of a window have less room than they need: a look at its widgets, no look at pixels.

A line is cut where its words need more width than the widget gives them, or more lines than it is high, or where a
parent has no room for the widget. What a widget shortens by itself, with the whole text in its tooltip, is not cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QTabBar,
    QWidget,
)

from viewer.ui.look.fonts import ui_font
from viewer.ui.look.plain_text import PlainLabel

SLACK = 1
"""A pixel is no letter."""
EDGES = 8
"""What a line of text has beside the text, in all."""


@dataclass(frozen=True)
class CutText:
    """A text without the room that it needs.

    Args:
        widget: which, by its class and name.
        text: it.
        needed, has: pixels, of width or height as *of* says.
        of: what is too little.
    """

    widget: str
    text: str
    needed: int
    has: int
    of: str

    def __str__(self) -> str:
        return f"{self.widget} {self.text!r} {self.of} {self.needed} {self.has}"


def cut_texts(root: QWidget) -> list[CutText]:
    """The texts of a window that have too little room."""
    window = root.window()
    widgets = [root, *root.findChildren(QWidget)]
    seen = [each for each in widgets if each.isVisible() and each.window() is window]
    return [found for widget in seen for found in _looked_at(widget)]


def _looked_at(widget: QWidget) -> Iterator[CutText]:
    text = _text(widget)
    if isinstance(widget, QMenu):
        yield from _menu(widget)
    elif isinstance(widget, QLabel):
        yield from _label(widget)
    elif isinstance(widget, QAbstractButton) and text:
        yield from _hinted(widget, text, _button_width(widget))
    elif isinstance(widget, QComboBox) and not widget.isEditable():
        needed = widget.fontMetrics().horizontalAdvance(widget.currentText())
        has = widget.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, _combo_option(widget), QStyle.SubControl.SC_ComboBoxEditField, widget
        )
        if needed > has.width() + SLACK:
            yield _found(widget, widget.currentText(), needed, has.width(), "width")
    elif isinstance(widget, QLineEdit) and not widget.text() and widget.placeholderText():
        needed = widget.fontMetrics().horizontalAdvance(widget.placeholderText())
        if needed > widget.contentsRect().width() - EDGES + SLACK:
            yield _found(widget, widget.placeholderText(), needed, widget.contentsRect().width() - EDGES, "width")
    elif isinstance(widget, QTabBar):
        yield from _tabs(widget)
    elif isinstance(widget, QHeaderView) and _is_level(widget):
        yield from _titles(widget)
    if text:
        yield from _clipped(widget, text)


def _text(widget: QWidget) -> str:
    """What a widget says, empty where that is not known."""
    if isinstance(widget, QLabel):
        return widget.text() if not _is_rich(widget) else ""
    if isinstance(widget, QAbstractButton):
        is_icon = getattr(widget, "toolButtonStyle", None)
        if is_icon is not None and is_icon() == Qt.ToolButtonStyle.ToolButtonIconOnly and not widget.icon().isNull():
            return ""
        return widget.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
    return ""


def _is_level(header: QHeaderView) -> bool:
    return header.orientation() == Qt.Orientation.Horizontal


def _is_rich(label: QLabel) -> bool:
    return label.textFormat() == Qt.TextFormat.RichText


def _label(label: QLabel) -> Iterator[CutText]:
    text, room = _text(label), label.contentsRect()
    if not text or not label.pixmap().isNull():
        return
    metrics = label.fontMetrics()
    if label.wordWrap():
        needed = label.heightForWidth(label.width())
        if needed > label.height() + SLACK:
            yield _found(label, text, needed, label.height(), "height")
        return
    if type(label) not in (QLabel, PlainLabel) and label.toolTip():
        return  # it shortens its text by itself
    if label.buddy() is not None:
        text = text.replace("&", "")
    needed = max(metrics.horizontalAdvance(line) for line in text.split("\n"))
    if needed > room.width() + SLACK:
        yield _found(label, text, needed, room.width(), "width")
    tall = metrics.lineSpacing() * (text.count("\n") + 1)
    if metrics.height() + tall - metrics.lineSpacing() > label.height() + SLACK:
        yield _found(label, text, tall, label.height(), "height")


def _button_width(button: QAbstractButton) -> int:
    """What a button needs for its words; nothing where it shortens them and a tooltip has them whole."""
    if getattr(button, "elides", False):
        return 0
    if isinstance(button, QPushButton) and (button.isDefault() or button.autoDefault()):
        return button.sizeHint().width() + _bold_extra(button)
    return button.sizeHint().width()


def _bold_extra(button: QPushButton) -> int:
    """How much wider the words are in bold than Qt thinks, for it asks for the room of the plain ones.

    They are bold while Enter would press the button. What the theme gives every button at least may be enough.
    """
    text, option = _text(button), QStyleOptionButton()
    button.initStyleOption(option)
    inner = button.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, button).width()
    bold = QFontMetrics(ui_font(strong=True)).horizontalAdvance(text)
    return max(0, bold - inner - (button.sizeHint().width() - button.width()))


def _hinted(button: QAbstractButton, text: str, needed: int) -> Iterator[CutText]:
    if needed > button.width() + SLACK:
        words = button.fontMetrics().horizontalAdvance(text)
        kind = "words" if words > button.contentsRect().width() + SLACK else "width"
        yield _found(button, text, needed, button.width(), kind)
    if button.fontMetrics().height() > button.height() + SLACK:
        yield _found(button, text, button.fontMetrics().height(), button.height(), "height")


def _combo_option(box: QComboBox):  # type: ignore[no-untyped-def]
    from PySide6.QtWidgets import QStyleOptionComboBox

    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    return option


def _tabs(bar: QTabBar) -> Iterator[CutText]:
    for index in range(bar.count()):
        text = bar.tabText(index)
        needed, has = bar.fontMetrics().horizontalAdvance(text), bar.tabRect(index).width()
        if needed > has + SLACK and not bar.tabToolTip(index):
            yield _found(bar, text, needed, has, "width")


def _titles(header: QHeaderView) -> Iterator[CutText]:
    """Titles of columns that are in sight."""
    model, heading = header.model(), getattr(header, "heading", None)
    for section in range(header.count()):
        if model is None or header.isSectionHidden(section):
            continue
        text = str(heading(section) if heading else model.headerData(section, Qt.Orientation.Horizontal) or "")
        needed, has = header.fontMetrics().horizontalAdvance(text), header.sectionSize(section)
        left = header.sectionViewportPosition(section)
        is_seen = left >= 0 and left < header.viewport().width()
        if text and is_seen and needed > has + SLACK:
            yield _found(header, text, needed, has, "title")


def _menu(menu: QMenu) -> Iterator[CutText]:
    """A menu has to lie in the screen, and to be as large as its entries."""
    screen, place = menu.screen().availableGeometry(), menu.geometry()
    if not screen.contains(place):
        yield _found(menu, menu.title(), place.bottom(), screen.bottom(), "screen")
    hint = menu.sizeHint()
    if hint.width() > menu.width() + SLACK or hint.height() > menu.height() + SLACK:
        yield _found(menu, menu.title(), hint.height(), menu.height(), "menu")


def _clipped(widget: QWidget, text: str) -> Iterator[CutText]:
    """Whether parents leave the whole widget in sight; what can be scrolled to is not cut."""
    seen, at, parent = QRect(QPoint(), widget.size()), QPoint(), widget
    while parent.parentWidget() is not None and not parent.isWindow():
        above = parent.parentWidget()
        if isinstance(above, QAbstractScrollArea) or isinstance(above.parentWidget(), QAbstractScrollArea):
            return
        at += parent.pos()
        seen &= above.rect().translated(-at)
        parent = above
    if seen.width() < widget.width() - SLACK:
        yield _found(widget, text, widget.width(), seen.width(), "clipped width")
    if seen.height() < widget.height() - SLACK:
        yield _found(widget, text, widget.height(), seen.height(), "clipped height")


def _found(widget: QWidget, text: str, needed: int, has: int, of: str) -> CutText:
    name = f"{type(widget).__name__}#{widget.objectName()}" if widget.objectName() else type(widget).__name__
    return CutText(name, text, needed, has, of)
