"""The first frame: what stands on the screen before the code of the window's parts, and of documents, is loaded.

A person sees the window where it was, in its colours: menus, tools, room for the values, status. Only what that takes
is imported here. What is typed or clicked meanwhile waits in the system's queue and reaches the window itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenuBar, QWidget

from viewer.base.version import VERSION
from viewer.ui.look.icons import DEFAULT_ROLE, DISABLED_ROLE, pixmap
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_title
from viewer.ui.look.theme import ThemeController
from viewer.ui.settings import Settings
from viewer.ui.window.split_window import SplitWindow

if TYPE_CHECKING:
    from viewer.ui.window.first_rows import FirstRows

APPLICATION = "variant-viewer"
ENDS = "endedBySystem"
PATIENCE = 200
"""Milliseconds that a system has to show the window; then the start goes on without."""

GLIMPSE_WITHIN = 250
"""Milliseconds that the first values have to be there with the view; later ones come into it."""

NOT_THE_PERSON = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents

TITLES = ("&File", "&Edit", "Va&lue", "&Bytes", "&View", "&Go", "&Tools", "T&able", "&Packets", "&Help")
TOOLS = (
    (14, "folder-open"),
    (46, "save"),
    (91, "undo-2"),
    (123, "redo-2"),
    (168, "arrow-left"),
    (200, "arrow-right"),
)
"""The drawings of the tool row, and where they begin; the last ones are counted from the right."""
LAST_TOOLS = ((62, "panel-bottom"), (30, "panel-right"))
RULES = (76, 153)
MENU_ROOM, TOOL_ROOM, HEADING, STATUS = 26, 40, 26, 26
FIELD = 28
PATH_LEFT, PATH_RIGHT, FIND_LEFT, FIND_RIGHT = 230, 340, 336, 72
"""Where the fields begin and end; all but the first are counted from the right."""
FIND_ICON, FIND_WORDS = "search", "Find key, value, text or bytes"
NARROW = 1150
"""Pixels below which the search field is a button."""


class FirstFrame(QWidget):
    """The room of a view that is to come.

    Args:
        theme: its colours.
        has_file: whether a file is to be shown in it.

    Attributes:
        is_painted: whether somebody could see it.
    """

    def __init__(self, theme: Theme, has_file: bool) -> None:
        super().__init__()
        self._theme, self._has_file = theme, has_file
        self.is_painted = False
        self._pane: QWidget | None = None
        self._pane_width = 0
        self._bar = QMenuBar(self)
        for title in TITLES:
            self._bar.addAction(title)

    def wait(self) -> None:
        """Let the system show it; what a person does meanwhile stays in the queue."""
        loop = QEventLoop()
        late = QTimer(singleShot=True, interval=PATIENCE)
        late.start()
        while not self.is_painted and late.isActive():
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents | NOT_THE_PERSON)
        loop.processEvents(NOT_THE_PERSON)  # what was painted goes to the screen

    def put_in(self, pane: QWidget, width: int, rows: QWidget) -> None:
        """Have the values shown at the left, so many pixels wide; to wait is to wait for their *rows* from then on."""
        self._pane, self._pane_width = pane, width
        self.is_painted = False
        rows.installEventFilter(self)
        pane.setParent(self)
        self._place_pane()
        pane.show()

    def _place_pane(self) -> None:
        if self._pane is not None:
            top = MENU_ROOM + TOOL_ROOM
            self._pane.setGeometry(0, top, self._pane_width, self.height() - top - STATUS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self.is_painted = True
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bar.setGeometry(0, 0, self.width(), MENU_ROOM)
        self._place_pane()

    def paintEvent(self, event: QPaintEvent) -> None:
        self.is_painted = True
        painter, ui, width = QPainter(self), self._theme.ui, self.width()
        top, bottom = MENU_ROOM + TOOL_ROOM, self.height() - STATUS
        painter.fillRect(self.rect(), ui.panel)
        painter.fillRect(0, top, width, bottom - top, ui.base)
        painter.fillRect(0, bottom, width, 1, ui.border)
        if self._has_file:
            painter.fillRect(0, top, width, HEADING, ui.panel)
            painter.fillRect(0, top + HEADING - 1, width, 1, ui.border)
        painter.setPen(self.palette().mid().color())
        for left in RULES:
            painter.drawLine(left, MENU_ROOM + 12, left, MENU_ROOM + 27)
        for number, (left, name) in enumerate(TOOLS):
            self._draw_tool(painter, left, name, not number)
        for right, name in LAST_TOOLS:
            self._draw_tool(painter, width - right, name, self._has_file)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_wide = width >= NARROW
        if self._has_file:
            self._draw_field(painter, PATH_LEFT, width - (PATH_RIGHT if is_wide else FIND_RIGHT + FIELD + 4))
        if not is_wide:
            self._draw_tool(painter, width - FIND_RIGHT - FIELD + 6, FIND_ICON, self._has_file)
            return
        field = self._draw_field(painter, width - FIND_LEFT, width - FIND_RIGHT)
        self._draw_tool(painter, field.left() + 9, FIND_ICON, True)
        painter.setPen(ui.text_secondary)
        painter.drawText(field.adjusted(33, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, FIND_WORDS)

    def _draw_tool(self, painter: QPainter, left: int, name: str, is_on: bool) -> None:
        role = DEFAULT_ROLE if is_on else DISABLED_ROLE
        painter.drawPixmap(left, MENU_ROOM + 12, pixmap(name, self._theme, 16, self.devicePixelRatioF(), role))

    def _draw_field(self, painter: QPainter, left: int, right: int) -> QRect:
        ui = self._theme.ui
        painter.setPen(ui.border_strong if self._has_file else ui.border)
        painter.setBrush(ui.base)
        field = QRect(left, MENU_ROOM + (TOOL_ROOM - FIELD) // 2, right - left, FIELD)
        painter.drawRoundedRect(QRectF(field).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        return field


class StartedWindow:
    """The application with a window that is shown and has nothing in it yet.

    Args:
        file: what is going to be shown, None for nothing.

    Attributes:
        app, settings, theme: what the program goes on with.
        frame: the window.
        first: what it shows.
        rows: the values in it, None where there are none yet.
    """

    def __init__(self, file: str | None) -> None:
        self.app = application()
        self.settings = Settings()
        self.theme = ThemeController(self.app, self.settings.theme)
        self.frame = SplitWindow(lambda _: False)
        self.frame.take_first_size()
        self.frame.restoreGeometry(self.settings.state("geometry"))
        self.frame.setWindowTitle(in_title(Path(file).name) if file else "Variant Viewer")
        self.first = FirstFrame(self.theme.theme, file is not None)
        self.rows: FirstRows | None = None
        self.frame.stand_in(self.first)
        self.frame.show()
        self.first.wait()


_begun: list[StartedWindow] = []


def start(file: str | None) -> StartedWindow:
    """The start of this process, which is made once, as soon as it is clear that a window is wanted."""
    if not _begun:
        _begun.append(StartedWindow(file))
    return _begun[0]


class Application(QApplication):
    """Tells by its property :data:`ENDS` whether the system is ending the program, as when a person logs out."""

    def event(self, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Quit:
            return super().event(event)
        self.setProperty(ENDS, True)
        try:
            return super().event(event)
        finally:
            self.setProperty(ENDS, False)


def application() -> QApplication:
    """The one application object, with the names that settings and the desktop know it by."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    # the style as an argument: setStyle() returns an object, for which PySide6 makes six hundred enum members
    app = QApplication.instance() or Application([APPLICATION, "-style", "fusion"])
    assert isinstance(app, QApplication)
    QCoreApplication.setApplicationName(APPLICATION)
    QCoreApplication.setOrganizationName(APPLICATION)
    QCoreApplication.setApplicationVersion(VERSION)
    QGuiApplication.setApplicationDisplayName("Variant Viewer")
    QGuiApplication.setDesktopFileName(APPLICATION)
    return app
