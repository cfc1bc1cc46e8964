"""The parts of the window: which widgets it has, where they lie, and the theme that all of them wear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from viewer.ui.hex.bridge import HexBridge
from viewer.ui.hex.view import HexView
from viewer.ui.late import Late
from viewer.ui.look.palette import Theme
from viewer.ui.panels.banner import Banner
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.inspector import Inspector
from viewer.ui.panels.layer_bar import LayerBar
from viewer.ui.panels.path_bar import PathBar
from viewer.ui.panels.problems_view import ProblemsView
from viewer.ui.panels.status_bar import StatusBar
from viewer.ui.session import Session
from viewer.ui.tree.pane import TreePane
from viewer.ui.tree.view import TreeView
from viewer.ui.window.tool_row import ToolRow
from viewer.ui.window.work_area import WorkArea


class Themed(Protocol):
    """A part that can change its theme."""

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""


Part = TypeVar("Part", bound=Themed)


class Parts:
    """The widgets of a window, laid out and joined to the session, not yet to one another.

    Args:
        session: what the parts show.
        theme: what they wear at first.

    Attributes:
        center: the tool row over the banner over the layers over the pages.
        work: the page of an open document: tree, bytes, inspector, problems.
        bridge: brings the session's document into the bytes.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        self._theme = theme
        self._late: list[Callable[[], Themed | None]] = []
        self.tree = TreeView(session, theme)
        self.hex = HexView(theme)
        self.bridge = HexBridge(session, self.hex)
        self.inspector = Inspector(session, theme)
        self.problems = ProblemsView(session, theme)
        self.path_bar = PathBar(session, theme)
        self.find = FindField(session, theme)
        self.status = StatusBar(session, theme)
        self.banner = Banner(theme)
        self.layer_bar = LayerBar(session, theme)
        self.tool_row = ToolRow(self.path_bar, self.find)
        self.tree_pane = TreePane(self.tree)
        self.work = WorkArea(self.tree_pane, self.hex, self.inspector, self.problems)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.work)
        self.center = self._lay_out()

    def _lay_out(self) -> QWidget:
        center = QWidget()
        layout = QVBoxLayout(center)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.tool_row, self.banner, self.layer_bar, self.pages):
            layout.addWidget(part)
        layout.setStretch(3, 1)
        return center

    def put_below_tools(self, bar: QWidget) -> None:
        """Show a row between the tool row and the banner."""
        layout = self.center.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(1, bar)

    def later(self, build: Callable[[Theme], Part]) -> Late[Part]:
        """A part that is built in the theme of that moment when it is first needed, and follows it from then on."""
        late = Late(lambda: build(self._theme))
        self._late.append(lambda: late.part)
        return late

    def set_theme(self, theme: Theme) -> None:
        """Give every part another theme, and those that are still to be built."""
        self._theme = theme
        parts: tuple[Themed, ...] = (
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
