"""The layer bar: what a file or a packet unwraps into, a button for each; hidden where there is but one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from viewer.document.viewmodel.shown_layers import ShownLayer, shown_layers
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.panels.panel_painting import paint_strip
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton, IconButton
from viewer.ui.session import Session

HEIGHT = 32
LEFT = 12


class LayerBar(QWidget):
    """A row with a button for each layer, outermost first; the one that the hex view shows is pressed.

    Args:
        session: whose document is shown.
        theme: its colours.

    Signals:
        menu_requested: ``QPoint``: what can be done with the layers is wanted, at a global position.
    """

    menu_requested = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("layerBar")
        self.setAccessibleName("Layers")
        self._session = session
        self._theme = theme
        self._layers: list[ShownLayer] = []
        self._buttons: list[FlatButton] = []
        self._title = ElidedLine(theme, ui_font(Size.SECONDARY, strong=True), parent=self)
        self._title.set_text("Layers", "text")
        self._more = IconButton(theme, "ellipsis", "What can be done with the layers", self)
        self._more.clicked.connect(self._ask_menu)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(LEFT, 0, 8, 1)
        self._row.setSpacing(4)
        self._row.addWidget(self._title)
        self._row.addStretch(1)
        self._row.addWidget(self._more)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()
        session.opened.connect(self.refresh)
        session.layer_shown.connect(self._press)
        session.history_changed.connect(self._follow_saving)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        self._title.set_theme(theme)
        for button in (self._more, *self._buttons):
            button.set_theme(theme)
        self.update()

    def refresh(self) -> None:
        """Show the layers of the open document."""
        document = self._session.document
        self._layers = shown_layers(document) if document is not None else []
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(number, layer) for number, layer in enumerate(self._layers)]
        for number, button in enumerate(self._buttons):
            self._row.insertWidget(1 + number, button)
        self.setVisible(len(self._layers) > 1 or (document is not None and document.wraps.blocked is not None))
        self._press()

    def _button(self, number: int, layer: ShownLayer) -> FlatButton:
        button = FlatButton(self._theme, "", parent=self)
        button.setCheckable(True)
        button.ring = True
        icon = "triangle-alert" if layer.damages else "layers"
        role = "state.warning.line" if layer.damages else ""
        button.set_look(layer.label, icon, role, "text")
        damaged = "; damaged: " + " ".join(damage.sentence for damage in layer.damages[:3]) if layer.damages else ""
        button.setToolTip(plain_tip(f"{layer.label}, {layer.size}{damaged}"))
        button.setAccessibleName(f"Layer {number + 1} of {len(self._layers)}: {layer.label}, {layer.size}")
        button.clicked.connect(partial(self._choose, number))
        return button

    def _choose(self, number: int) -> None:
        self._session.show_layer(None if self._layers[number].is_inside else number)
        self._press()

    def _press(self) -> None:
        shown = self._session.layer
        for number, button in enumerate(self._buttons):
            inside = self._layers[number].is_inside
            button.setChecked(inside if shown is None else number == shown)

    def _follow_saving(self) -> None:
        """Once a file is saved its wraps are other ones."""
        document = self._session.document
        if document is None or len(self._layers) < 2 or self._session.layer is not None:
            return
        now = document.layers
        if len(now) == len(self._layers) and now[0].buffer is not self._layers[0].buffer:
            self.refresh()

    def _ask_menu(self) -> None:
        self.menu_requested.emit(self._more.mapToGlobal(QPoint(0, self._more.height())))

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        at = next((k for k, button in enumerate(self._buttons) if button.hasFocus()), None)
        if step and at is not None:
            self._buttons[(at + step) % len(self._buttons)].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)
