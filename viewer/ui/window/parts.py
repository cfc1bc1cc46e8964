"""The parts of the window: which widgets it has, where they lie, and the theme that all of them wear."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from viewer.document import outline
from viewer.document.edits.slots import EditError
from viewer.ui.hex.hex_bridge import HexBridge
from viewer.ui.hex.view import HexView
from viewer.ui.lazy import LazyPart
from viewer.ui.look.palette import Theme
from viewer.ui.panels.banner import Banner
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.inspector import Inspector
from viewer.ui.panels.layer_bar import LayerBar
from viewer.ui.panels.path_bar import PathBar
from viewer.ui.panels.problems_view import ProblemsView
from viewer.ui.panels.status_bar import StatusBar
from viewer.ui.session import Session
from viewer.ui.text.bytes_pane import BytesPane
from viewer.ui.tree.view import TreePane, TreeView
from viewer.ui.window.actions import Actions
from viewer.ui.window.work_area import NARROW, TINY, WorkArea
from viewer.variant.items import Item

if TYPE_CHECKING:
    from viewer.ui.window.first_rows import FirstRows

# The tool row: the few actions that a hand goes to, the path bar, the search field, the pane switches.

HEIGHT = 40
ICON = 16
BUTTON = 28
LEFT = (("open", "save"), ("undo", "redo"), ("back", "forward"))
RIGHT = ("problems", "inspector")
SPARED = frozenset(("back", "forward", *RIGHT))
SLIM = 560
"""Pixels below which the path has the room of the buttons that are spared: one side of a small divided window."""
MOST_COUNTED = 5000
"""The bytes of so many selected rows are counted at most: it is done anew with each row that joins them."""


class _Rule(QWidget):
    """A hairline between groups of buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(9, BUTTON)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().mid().color())
        painter.drawLine(4, 6, 4, BUTTON - 7)


class ToolRow(QWidget):
    """Lays out buttons around the path bar and the search field.

    Args:
        path_bar: takes the width that is left.
        find: the search field; below 1150 pixels a button stands for it until it is asked for, below 760 it then
            takes the place of the path bar.
    """

    def __init__(self, path_bar: QWidget, find: QWidget) -> None:
        super().__init__()
        self.setObjectName("toolRow")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self._path_bar, self._find = path_bar, find
        self._find_button = QToolButton()
        self._find_asked = False
        self._shown = False
        self._buttons: list[QToolButton] = []
        self._spared: list[QToolButton] = []
        self._theme: Theme | None = None

    def set_actions(self, actions: Actions) -> None:
        """Fill the row; called once."""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 8, 0)
        layout.setSpacing(4)
        for place, group in enumerate(LEFT):
            if place:
                layout.addWidget(_Rule())
            for name in group:
                layout.addWidget(self._button(actions, name))
        layout.addSpacing(4)
        layout.addWidget(self._path_bar, 1)
        layout.addStretch(0)
        layout.addWidget(self._find)
        self._find_button = self._button(actions, "find")
        layout.addWidget(self._find_button)
        for name in RIGHT:
            layout.addWidget(self._button(actions, name))
        self._stretch = layout
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Icons come with the actions; lines with the palette."""
        self._theme = theme
        self.update()

    def set_document_shown(self, shown: bool) -> None:
        """Without a document there is no path to show."""
        self._shown = shown
        self._find_asked = self._find_asked and shown
        self._arrange()

    def show_find(self) -> None:
        """Bring the search field into view where a button stands for it."""
        self._find_asked = True
        self._arrange()

    def hide_find(self) -> None:
        """Let the button stand for the field again where there is little room."""
        self._find_asked = False
        self._arrange()

    def show_path(self) -> None:
        """Bring the path bar back where the search field has taken its place."""
        if self._shown and self._path_bar.isHidden():
            self.hide_find()

    def _button(self, actions: Actions, name: str) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(actions[name])
        button.setAccessibleName(actions[name].text().replace("&", ""))
        button.setIconSize(QSize(ICON, ICON))
        button.setFixedSize(BUTTON, BUTTON)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.append(button)
        if name in SPARED:
            self._spared.append(button)
        return button

    def _arrange(self) -> None:
        narrow = self.width() < NARROW
        tiny = self.width() < TINY
        self._path_bar.setVisible(self._shown and not (tiny and self._find_asked))
        self._find.setVisible(not narrow or (self._find_asked and self._shown))
        self._find_button.setVisible(narrow and not self._find_asked)
        for button in self._spared:
            button.setVisible(self.width() >= SLIM)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


class ThemedPart(Protocol):
    """A part that can change its theme."""

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""


class TextCommands(Protocol):
    """A part that does by itself what the Edit menu does with values."""

    def copy(self) -> None:
        """Copy what is selected in it."""

    def cut(self) -> None:
        """Copy what is selected in it, and take it away."""

    def paste(self) -> None:
        """Put the clipboard there."""

    def delete(self) -> None:
        """Take away what is selected in it."""

    def select_all(self) -> None:
        """Select all of it."""


class GridCommands(TextCommands, Protocol):
    """The same for the table."""

    @property
    def in_use(self) -> bool:
        """Whether the keys mean it."""

    @property
    def holder(self) -> Item | None:
        """The collection that is shown, None for none."""

    def edit(self) -> None:
        """Edit the current cell."""

    def settle(self) -> None:
        """Take what is typed in a cell."""


Part = TypeVar("Part", bound=ThemedPart)


class Parts:
    """The widgets of a window, laid out and joined to the session, not yet to one another.

    Args:
        session: what the parts show.
        theme: what they wear at first.
        rows: has the tree where it is there already, else None.

    Attributes:
        center: the tool row over the banner over the layers over the pages.
        work: the page of an open document: tree, bytes, inspector, problems.
        hex, bytes: the bytes, and the pane that shows these or the text that they are.
        bridge: brings the session's document into the bytes.
        grid: what copies, pastes and takes away in the table, None until there was one.
    """

    def __init__(self, session: Session, theme: Theme, rows: FirstRows | None = None) -> None:
        self._theme = theme
        self._late: list[Callable[[], ThemedPart | None]] = []
        self.tree = rows.tree if rows is not None else TreeView(session, theme)
        self.tree_pane = rows.pane if rows is not None else TreePane(self.tree)
        self.hex = HexView(theme)
        self.bytes = BytesPane(self.hex)
        self.bridge = HexBridge(session, self.hex)
        self.inspector = Inspector(session, theme)
        self.problems = ProblemsView(session, theme)
        self.path_bar = PathBar(session, theme)
        self.find = FindField(session, theme)
        self.status = StatusBar(session, theme)
        self.banner = Banner(theme)
        self.layer_bar = LayerBar(session, theme)
        self.tool_row = ToolRow(self.path_bar, self.find)
        self.work = WorkArea(self.tree_pane, self.bytes, self.inspector, self.problems)
        self.grid: GridCommands | None = None
        self.pages = QStackedWidget()
        self.pages.addWidget(self.work)
        self.center = self._lay_out()
        self.tree.selectionModel().selectionChanged.connect(self._count_rows)
        self.tree.tree_model.modelReset.connect(self._count_rows)  # then none is selected, and nobody says so

    def _count_rows(self, *_: object) -> None:
        """Have the status bar count the selected rows, where they are several."""
        rows, document = len(self.tree.selectionModel().selectedRows()), self.tree.current_document
        if rows < 2 or document is None:
            self.status.set_rows(0, 0)
            return
        size = end = 0
        try:
            items = self.tree.selected_items() if rows <= MOST_COUNTED else []
        except EditError:  # they lie in different levels of values inside values
            items = []
        for item in items:  # the first ones first; what lies in one of them counts once
            span = document.place(outline.span(document, item))
            size += max(0, span.end - max(end, span.start))
            end = max(end, span.end)
        self.status.set_rows(rows, size)

    def _lay_out(self) -> QWidget:
        center = QWidget()
        layout = QVBoxLayout(center)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.tool_row, self.banner, self.layer_bar, self.pages):
            layout.addWidget(part)
        layout.setStretch(3, 1)
        return center

    @property
    def editor_in_use(self) -> TextCommands | None:
        """The view of the text or the table, where one of them has the keys, else None."""
        if self.grid is not None and self.grid.in_use:
            return self.grid
        return self.bytes.text_in_use

    def settle_fields(self) -> None:
        """Take what is typed in a cell of the tree or the table, where it is a value."""
        self.tree.settle()
        if self.grid is not None:
            self.grid.settle()

    def give_keys(self, liked: QWidget | None = None) -> None:
        """Give the keys to the values, or to another pane that is *liked*; where that lies behind tabs, to what is
        in front of it.
        """
        wanted, shown = liked or self.tree, self.bytes.current
        other = shown if wanted is self.tree else self.tree
        (wanted if wanted.isVisibleTo(self.center) else other).setFocus()

    def put_below_tools(self, bar: QWidget) -> None:
        """Show a row between the tool row and the banner."""
        layout = self.center.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(1, bar)

    def later(self, build: Callable[[Theme], Part]) -> LazyPart[Part]:
        """A part that is built in the theme of that moment when it is first needed, and follows it from then on."""
        late = LazyPart(lambda: build(self._theme))
        self._late.append(lambda: late.part)
        return late

    def set_theme(self, theme: Theme) -> None:
        """Give every part another theme, and those that are still to be built."""
        self._theme = theme
        parts: tuple[ThemedPart, ...] = (
            self.tree,
            self.hex,
            self.inspector,
            self.problems,
            self.path_bar,
            self.find,
            self.status,
            self.banner,
            self.layer_bar,
            self.tool_row,
        )
        for part in parts:
            part.set_theme(theme)
        for built in self._late:
            late = built()
            if late is not None:
                late.set_theme(theme)
