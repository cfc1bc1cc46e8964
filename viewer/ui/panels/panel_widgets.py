"""Small pieces that panels share: flat buttons, elided lines, pane titles, separators."""

from __future__ import annotations

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QActionGroup,
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QWidget,
)

from viewer.base.unseen import escaped
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import RADIUS, has_ring, paint_focus, paint_line, paint_strip

TITLE_HEIGHT = 28
ICON = 16
GAP = 5


def empty_menu(menu: QMenu) -> None:
    """Take everything out of a menu that is filled anew; ``QMenu.clear()`` alone would leave submenus and groups."""
    menu.clear()
    for kind in (QMenu, QActionGroup):
        for below in menu.findChildren(kind, options=Qt.FindChildOption.FindDirectChildrenOnly):
            below.deleteLater()


class FocusRing(QObject):
    """The ring of a widget that paints it itself: hears the focus come and go, and asks for paint.

    Args:
        widget: whose it is; of one that scrolls the viewport is painted.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget, self._wanted = widget, False
        widget.installEventFilter(self)

    @property
    def is_shown(self) -> bool:
        """Whether the widget has the focus, and not from the mouse."""
        return self._wanted and self._widget.hasFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            if event.gotFocus():
                self._wanted = has_ring(event, self._wanted)
            self._paint()
        elif event.type() is QEvent.Type.KeyPress and not self._wanted:
            self._wanted = True  # who presses keys wants to see where they go
            self._paint()
        return False

    def _paint(self) -> None:
        widget = self._widget
        (widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget).update()


class TickBox(QCheckBox):
    """A check box with a frame in every theme, ticked too."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.isChecked():
            option = QtWidgets.QStyleOptionButton()  # a style is named where it is needed: its enums take milliseconds
            self.initStyleOption(option)
            box = self.style().subElementRect(QtWidgets.QStyle.SubElement.SE_CheckBoxIndicator, option, self)
            _paint_frame(self, QRectF(box), 2)


class TypedComboBox(QComboBox):
    """A combo box in which a person can type; it has a frame in every theme."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setEditable(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.hasFocus():
            _paint_frame(self, QRectF(self.rect()), RADIUS - 1)


def _paint_frame(widget: QWidget, rect: QRectF, radius: float) -> None:
    """The frame of a field; Fusion draws that of some darker than the window, where nobody sees it on dark ground."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    palette = widget.palette()
    painter.setPen(QPen(palette.dark().color() if widget.isEnabled() else palette.mid().color(), 1))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.end()


class FlatButton(QAbstractButton):
    """A button without a frame: an icon, words, or both; hover is a fill.

    Args:
        theme: its colours.
        text: its words.
        icon_name: its icon, empty for none.
        parent: the widget it lies in.

    Signals:
        focused: it got the focus.
        left: it lost the focus.
    """

    focused = Signal()
    left = Signal()

    def __init__(self, theme: Theme, text: str = "", icon_name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.icon_name = icon_name
        self.icon_role = icons.DEFAULT_ROLE
        self.text_role = "text_secondary"
        self.trailing_icon = ""
        self.margin = 6
        self.ring = False
        self.setText(text)
        self.setFont(ui_font(Size.SECONDARY))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def set_look(self, text: str, icon_name: str = "", icon_role: str = "", text_role: str = "text_secondary") -> None:
        """Change words, icon and their colours."""
        self.icon_name, self.icon_role = icon_name, icon_role or icons.DEFAULT_ROLE
        self.text_role = text_role
        self.setText(text)
        self.updateGeometry()
        self.update()

    def _surface(self) -> QColor | None:
        if not self.isEnabled():
            return None
        if self.isDown() or self.isChecked():
            return self._theme.ui.selection
        return self._hover_surface() if self.underMouse() else None

    def _hover_surface(self) -> QColor:
        return self._theme.ui.selection_inactive

    def _paint_content(self, painter: QPainter, rect: QRectF) -> None:
        if self.icon_name:
            role = self.icon_role if self.isEnabled() else icons.DISABLED_ROLE
            box = QRectF(rect.left(), rect.center().y() - ICON / 2, ICON, ICON)
            icons.draw(painter, self.icon_name, self._theme, box, role)
            rect.setLeft(box.right() + GAP)
        if self.trailing_icon:
            box = QRectF(rect.right() - 12, rect.center().y() - 6, 12, 12)
            icons.draw(painter, self.trailing_icon, self._theme, box)
            rect.setRight(box.left() - GAP)
        colour = self._theme.named(self.text_role) if self.isEnabled() else self._theme.ui.disabled
        paint_line(painter, rect, self.text(), self.font(), colour)

    def sizeHint(self) -> QSize:
        width = 2 * self.margin
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        width += round(words + 0.99) if self.text() else 0
        width += ICON + (GAP if self.text() else 0) if self.icon_name else 0
        width += 12 + GAP if self.trailing_icon else 0
        return QSize(width, 24)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.ring = has_ring(event, self.ring)
        super().focusInEvent(event)
        self.focused.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        surface = self._surface()
        if surface is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(surface)
            painter.drawRoundedRect(whole.adjusted(0, 1, 0, -1), RADIUS, RADIUS)
        self._paint_content(painter, whole.adjusted(self.margin, 0, -self.margin, 0))
        if self.hasFocus() and self.ring:
            paint_focus(painter, whole, self._theme)
        painter.end()


SENTENCE = 40
"""Pixels of a sentence that is cut."""


class SentenceButton(FlatButton):
    """A sentence, cut where there is no room for it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(SENTENCE, super().minimumSizeHint().height())


class IconButton(FlatButton):
    """A square button with an icon only; its tooltip is its accessible name."""

    def __init__(self, theme: Theme, icon_name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", icon_name, parent)
        self.margin = 4
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName(tip)


class ElidedLine(QWidget):
    """One line of text in a colour role, cut where it does not fit; then its tooltip is the whole of it."""

    def __init__(
        self,
        theme: Theme,
        font: QFont,
        role: str = "text",
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._role, self._elide = theme, role, elide
        self._text = ""
        self.setFont(font)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self.update()

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str, role: str = "") -> None:
        """Show another text, in another colour role where one is given."""
        self._text, self._role = escaped(text), role or self._role
        self.setAccessibleName(text)
        self.updateGeometry()
        self._keep_tip()
        self.update()

    def _keep_tip(self) -> None:
        self.setToolTip(plain_tip(self._text if self.sizeHint().width() > self.width() else ""))

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        return QSize(round(metrics.horizontalAdvance(self._text) + 0.99), round(metrics.height() + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: object) -> None:
        self._keep_tip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = self._theme.named(self._role)
        paint_line(painter, QRectF(self.contentsRect()), self._text, self.font(), colour, self._elide)
        painter.end()


class PaneTitle(QWidget):
    """The title row of a pane: name, a few words, buttons, a close button.

    Signals:
        closed: a person closes the pane.
    """

    closed = Signal()

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.title = ElidedLine(theme, ui_font(Size.UI, strong=True), parent=self)
        self.title.set_text(title)
        self.detail = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary", parent=self)
        self.close_button = IconButton(theme, "x", f"Close {title.lower()}", self)
        self.close_button.clicked.connect(self.closed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 0, 6, 1)
        self._row.setSpacing(8)
        self._row.addWidget(self.title)
        self._row.addWidget(self.detail, 1)
        self._row.addWidget(self.close_button)
        self.title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(TITLE_HEIGHT)

    def add_button(self, button: FlatButton) -> None:
        """Put a button before the close button."""
        self._row.insertWidget(self._row.count() - 1, button)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for child in self.findChildren(FlatButton):
            child.set_theme(theme)
        self.title.set_theme(theme)
        self.detail.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)


MOST_SIGNS = 1 << 30


class LongLine(QLineEdit):
    """Takes a text of any length: Qt's own line cuts one off behind 32767 signs, and says nothing."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(MOST_SIGNS)
        self.setText(text)


# A line edit that lies in a frame which somebody else paints: its look, its focus, and that frame.

PLAIN_FIELD_RADIUS = 4


class PlainLine(LongLine):
    """Has no frame and no surface of its own.

    Args:
        field: the widget that paints the frame.
        name: the object name.
        title: what it is called.
        size: of its words.

    Signals:
        focus_changed: it got the focus or lost it.
    """

    focus_changed = Signal()

    def __init__(self, field: QWidget, name: str, title: str, size: Size = Size.UI) -> None:
        super().__init__(parent=field)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setFont(ui_font(size))
        self.setFrame(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()


def plain_field_style(theme: Theme) -> str:
    """A style sheet: no frame, no surface, colours by role."""
    ui = theme.ui
    return (
        "QLineEdit { border: none; background: transparent; padding: 0; margin: 0; min-height: 0;"
        f" color: {ui.text.name()}; placeholder-text-color: {ui.text_secondary.name()};"
        f" selection-background-color: {ui.selection.name()}; selection-color: {ui.text.name()}; }}"
    )


def paint_field(
    painter: QPainter, rect: QRectF, theme: Theme, focused: bool, wrong: bool = False, enabled: bool = True
) -> None:
    """Paint the frame and the surface of a field: its edge is thick where it has the focus or holds what is wrong."""
    edge = theme.state("error").line if wrong else theme.ui.focus if focused else theme.ui.border_strong
    width = 2 if focused or wrong else 1
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(edge if enabled else theme.ui.border, width))
    painter.setBrush(theme.ui.base)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), PLAIN_FIELD_RADIUS, PLAIN_FIELD_RADIUS)
