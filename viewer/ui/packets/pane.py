"""The pane of packets: title with filter, the bar of live traffic, and the rows; it joins these and holds no rule."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from viewer.base.words import counted, grouped
from viewer.document.packets.filter_language import FilterError
from viewer.document.packets.packet import Packet
from viewer.document.packets.packet_source import PacketSource
from viewer.document.viewmodel.packet_row import ListedPackets, PacketCounts, counted_in, empty, numbers
from viewer.ui.look import icons
from viewer.ui.look.fonts import Size, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import plain_tip
from viewer.ui.packets.live_traffic import LiveState, LiveTraffic
from viewer.ui.packets.packet_list import PacketsTable
from viewer.ui.packets.packets_model import PacketsModel
from viewer.ui.panels.filter_field import FilterWords, TitleFilter
from viewer.ui.panels.panel_painting import paint_strip
from viewer.ui.panels.panel_widgets import ElidedLine, FlatButton, IconButton

# The title row of the list of packets: how many there are, the filter, and the buttons.

TITLE_HEIGHT = 34
TITLE_LEFT, RIGHT = 14, 6
BETWEEN = 8
FILTER_WIDTHS = (150, 420)
FILTER_TIP = (
    "Show only packets with these words, or for which this is true (Ctrl+Shift+K)\n"
    'cmd == "move"   type == Dictionary   kind call   size > 100   channel 2\n'
    "from 127.0.0.1:45001   to 10.0.0.7   port 45001   carrier enet\n"
    "error   warning   copy   control   and  or  not  ( )"
)
WORDS = FilterWords(
    "packetsFilterLine",
    "Filter packets",
    'Filter: cmd == "move"   size > 100   error',
    FILTER_TIP,
    "Show all packets again (Esc)",
)


class PacketsTitle(QWidget):
    """Name and numbers at the left, filter and buttons at the right.

    Signals:
        closed: the close button.
        menu_requested: the button with the menu of all that can be done.
        reload_requested: the capture should be read again.
    """

    closed = Signal()
    menu_requested = Signal()
    reload_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.title = ElidedLine(theme, ui_font(Size.UI, strong=True), parent=self)
        self.title.set_text("Packets")
        self.title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.detail = ElidedLine(theme, ui_font(Size.SECONDARY), "text_secondary", parent=self)
        self.detail.setObjectName("packetsDetail")
        self.filter = TitleFilter(theme, WORDS, "packetsFilter", FILTER_WIDTHS)
        self.control_button = FlatButton(theme, "Control", "layers", self)
        self.control_button.setObjectName("packetsControl")
        self.control_button.setCheckable(True)
        self.control_button.setToolTip("Also show what the protocols send for themselves: connect, acknowledge, ping")
        self.reload_button = IconButton(theme, "refresh-cw", "Read the capture again", self)
        self.menu_button = IconButton(theme, "ellipsis", "What can be done with packets", self)
        self.close_button = IconButton(theme, "x", "Close packets", self)
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        self.menu_button.clicked.connect(self.menu_requested)
        self.reload_button.clicked.connect(self.reload_requested)
        self.setFixedHeight(TITLE_HEIGHT)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(TITLE_LEFT, 0, RIGHT, 1)
        row.setSpacing(BETWEEN)
        row.addWidget(self.title)
        row.addWidget(self.detail, 1)
        row.addWidget(self.filter, 2)
        for button in (self.control_button, self.reload_button, self.menu_button, self.close_button):
            row.addWidget(button)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for child in self.findChildren(FlatButton):
            child.set_theme(theme)
        for part in (self.title, self.detail, self.filter):
            part.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_strip(self, self._theme)


# The bar that is there while traffic is recorded, and after: what is listened to, how much came, and Stop.

HEIGHT = 30
LEFT = 36
DOT = 4.5


class LiveBar(QWidget):
    """A row with a sign, a sentence and buttons; hidden where nothing is or was recorded.

    Signals:
        stop_requested, start_requested, clear_requested, save_requested: its buttons.
    """

    stop_requested = Signal()
    start_requested = Signal()
    clear_requested = Signal()
    save_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("liveBar")
        self._theme = theme
        self._state = LiveState()
        self.sentence = ElidedLine(theme, ui_font(Size.SECONDARY), parent=self)
        self.sentence.setObjectName("liveSentence")
        self.save_button = self._button("Save…", "save", "Save what was recorded as pcapng")
        self.clear_button = self._button("Clear", "trash-2", "Discard the listed packets, and go on")
        self.start_button = self._button("Start Again", "refresh-cw", "Record on the same port again")
        self.stop_button = self._button("Stop", "x", "Stop recording; the packets stay")
        self.save_button.clicked.connect(self.save_requested)
        self.clear_button.clicked.connect(self.clear_requested)
        self.start_button.clicked.connect(self.start_requested)
        self.stop_button.clicked.connect(self.stop_requested)
        self.stop_button.setObjectName("liveStop")
        self._lay_out()
        self.setFixedHeight(HEIGHT)
        self.hide()

    def _button(self, text: str, icon: str, tip: str) -> FlatButton:
        button = FlatButton(self._theme, text, icon, self)
        button.setToolTip(plain_tip(tip))
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT, 0, 6, 1)
        row.setSpacing(4)
        row.addWidget(self.sentence, 1)
        for button in (self.save_button, self.clear_button, self.start_button, self.stop_button):
            row.addWidget(button)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for child in self.findChildren(FlatButton):
            child.set_theme(theme)
        self.sentence.set_theme(theme)
        self.update()

    def show_state(self, state: LiveState) -> None:
        """Say what is going on."""
        self._state = state
        self.sentence.set_text(words(state), "state.error.fg" if state.problem else "text")
        self.stop_button.setVisible(state.is_running)
        self.start_button.setVisible(not state.is_running)
        self.save_button.setEnabled(state.packets > 0)
        self.clear_button.setEnabled(state.packets > 0)
        self.setVisible(bool(state.label))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ui = self._theme.ui
        painter.fillRect(self.rect(), self._theme.state("error").bg if self._state.problem else ui.panel)
        painter.fillRect(0, self.height() - 1, self.width(), 1, ui.border)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(22, HEIGHT / 2)
        if self._state.problem:
            icons.draw(painter, "circle-x", self._theme, QRectF(14, HEIGHT / 2 - 8, 16, 16), "state.error.line")
        else:
            running = self._state.is_running
            tone = self._theme.state("ok").line if running else ui.text_secondary
            painter.setPen(QPen(tone, 1.6))
            painter.setBrush(tone if running else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, DOT, DOT)
        painter.end()


def words(state: LiveState) -> str:
    """What the bar says: ``Listening on 127.0.0.1:9000, 12 packets, 3 dropped``."""
    if state.is_running:
        said = [state.label, counted(state.packets, "packet")]
    else:
        said = [f"Stopped, {counted(state.packets, 'packet')} recorded"]
    if state.dropped:
        said.append(f"{grouped(state.dropped)} dropped, too many came at once")
    text = ", ".join(said)
    return f"{state.problem} {text}." if state.problem else text


TYPING = 120
"""Milliseconds without a key before the filter is asked."""
SHOWN_EVERY = 100
"""Milliseconds between two looks of the list at what is known by now."""
ASKED_EVERY = 10
"""So many of these looks until the filter is asked again while packets are still looked at."""
SLICE = 0.008
"""Seconds of looking at packets between two looks at keys and mouse."""


class PacketsPane(QWidget):
    """Lies across the top of tree, bytes and inspector.

    Args:
        theme: its colours.

    Signals:
        packet_chosen: ``Packet``: another one was chosen; its payload should be shown.
        packet_explained: ``Packet``: the chosen one says something else now.
        tree_requested: Enter: the focus should go to the tree.
        menu_requested: ``QPoint`` on the screen: the menu at a row should open there.
        tools_requested: ``QPoint`` on the screen: the menu of all that can be done should open there.
        copy_requested: the chosen rows should be copied as text.
        reload_requested: the capture should be read again.
        closed: the close button.
        counts_changed: ``PacketCounts``: for the status bar.
        changed: what can be done is something else now.
    """

    packet_chosen = Signal(object)
    packet_explained = Signal(object)
    tree_requested = Signal()
    menu_requested = Signal(object)
    tools_requested = Signal(object)
    copy_requested = Signal()
    reload_requested = Signal()
    closed = Signal()
    counts_changed = Signal(object)
    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("packetsView")
        self.setAccessibleName("Packets")
        self._theme = theme
        self.counts = PacketCounts()
        self._chosen: Packet | None = None
        self._wanted: int | None = None
        self._looks = 0
        self.model = PacketsModel(self)
        self.title = PacketsTitle(theme)
        self.live = LiveTraffic(self)
        self.bar = LiveBar(theme)
        self.table = PacketsTable(theme, self.model)
        self._typing = QTimer(self, singleShot=True, interval=TYPING)
        self._work = QTimer(self, interval=0)
        self._later = QTimer(self, singleShot=True, interval=SHOWN_EVERY)
        self._lay_out()
        self._connect()
        self._tell()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.bar)
        column.addWidget(self.table, 1)

    def _connect(self) -> None:
        title, table = self.title, self.table
        title.closed.connect(self.closed)
        title.reload_requested.connect(self.reload_requested)
        title.menu_requested.connect(self._on_tools)
        title.control_button.toggled.connect(self.ask_filter)
        title.filter.edited.connect(self._typing.start)
        title.filter.entered.connect(self._on_filter_entered)
        title.filter.left.connect(table.setFocus)
        table.chosen_changed.connect(self._on_chosen)
        table.entered_row.connect(self.tree_requested)
        table.escaped.connect(self.tree_requested)
        table.copy_requested.connect(self.copy_requested)
        table.customContextMenuRequested.connect(self._on_menu)
        self._typing.timeout.connect(self.ask_filter)
        self._work.timeout.connect(self._explain)
        self._later.timeout.connect(self.look)
        self.live.grew.connect(self._on_grew)
        self.live.changed.connect(self._on_live)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._theme = theme
        for part in (self.title, self.bar, self.table):
            part.set_theme(theme)
        self.update()

    # What is listed

    @property
    def source(self) -> PacketSource | None:
        """Where the packets are from."""
        return self.model.source

    def show_source(self, source: PacketSource | None) -> None:
        """List other packets; the first one is chosen, but not as a person would choose it."""
        self._typing.stop()
        self.table.forget()
        self._chosen = self._wanted = None
        self.model.set_source(source)
        self.title.reload_button.setVisible(not self.live.state.label)
        self._resume()
        self.look()

    def drop_filter(self) -> None:
        """Other packets are listed from now on: what was typed was meant for those before."""
        self.title.filter.line.clear()
        self.ask_filter()

    def look(self) -> None:
        """Take up what the source knows by now."""
        self._looks += 1
        source = self.source
        if source is not None and self.model.is_filtered and (source.is_complete or self._looks % ASKED_EVERY == 0):
            self._refilter()
        self.table.update_rows()
        self._choose_first()
        self._renew_chosen()
        self._tell()

    def choose_later(self, row: int) -> None:
        """Choose a packet as soon as it is there."""
        self._wanted = row
        self.look()

    def forget(self) -> None:
        """What was listed is gone: choose anew when something comes."""
        self.table.forget()
        self._chosen = None
        self.look()
        self.changed.emit()

    def finish(self) -> None:
        """Look at all packets at once instead of when there is time."""
        source = self.source
        while source is not None and source.work_some(1.0):
            pass
        self.look()

    def ask_filter(self) -> None:
        """Show what passes the filter as it is typed now; one that cannot be read leaves the rows as they are."""
        self._typing.stop()
        field = self.title.filter
        try:
            self.table.with_rows_kept(lambda: self.model.set_filter(field.text, self.shows_control))
        except FilterError as error:
            field.refuse(str(error))
            return
        field.refuse("")
        self._choose_first()
        self._tell()
        self.changed.emit()

    @property
    def shows_control(self) -> bool:
        """Whether packets of the protocols themselves are listed."""
        return self.title.control_button.isChecked()

    @property
    def packet(self) -> Packet | None:
        """The chosen packet."""
        return self._chosen

    def selected(self) -> list[Packet]:
        """The selected packets that are still there, in order; the chosen one where no row is selected."""
        source = self.source
        if source is None:
            return []
        rows = self.table.selected or ([self._chosen.row] if self._chosen is not None else [])
        return [source.packet(row) for row in rows if source.first <= row < source.end]

    def listed(self) -> list[int]:
        """The rows of all packets that pass the filter, in order."""
        return [self.model.row_at(place) for place in range(self.model.rowCount())]

    def _refilter(self) -> None:
        self.table.with_rows_kept(self.model.refilter)

    def _choose_first(self) -> None:
        """Something is always shown below: the first packet, until a person chooses another."""
        if self._wanted is not None and self.model.place_of(self._wanted) >= 0:
            row, self._wanted = self._wanted, None
            self.table.choose(row)
        if self.table.chosen is None and self.model.rowCount():
            self.table.choose(self.model.row_at(0), by_hand=False)

    def _on_chosen(self) -> None:
        row, source = self.table.chosen, self.source
        if row is None or source is None or not source.first <= row < source.end:
            return
        self._chosen = source.packet(row)
        self._tell()
        self.packet_chosen.emit(self._chosen)
        self.changed.emit()

    def _renew_chosen(self) -> None:
        """The chosen packet may say something else now that more is known of its conversation."""
        source, known = self.source, self._chosen
        if source is None or known is None or not source.first <= known.row < source.end:
            return
        now = source.packet(known.row)
        if now.message != known.message:
            self._chosen = now
            self.packet_explained.emit(now)

    # Looking at packets while there is time

    def _on_grew(self) -> None:
        self._resume()
        self.look()

    def _resume(self) -> None:
        if self.source is not None and not self.source.is_complete:
            self._work.start()

    def _explain(self) -> None:
        if self.source is None or not self.source.work_some(SLICE):
            self._work.stop()
        if not self._later.isActive():
            self._later.start()

    # Words

    def _tell(self) -> None:
        source = self.source
        counts = counted_in(source, self._chosen) if source is not None else PacketCounts()
        listed = ListedPackets(self.model.rowCount(), self.model.is_filtered, self.shows_control)
        self.title.detail.set_text(numbers(source, listed) if source is not None else "")
        self.title.control_button.setVisible(source is not None and source.controls > 0)
        self.table.empty = empty(counts.packets, listed, self.live.state.is_running)
        if not self.model.rowCount():
            self.table.viewport().update()
        if counts != self.counts:
            self.counts = counts
            self.counts_changed.emit(counts)

    # What is asked for elsewhere

    def _on_live(self) -> None:
        self.bar.show_state(self.live.state)
        self.table.is_live = self.live.state.is_running
        self._tell()
        self.changed.emit()

    def _on_filter_entered(self) -> None:
        self.ask_filter()
        if not self.title.filter.error:
            self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def _on_tools(self) -> None:
        button = self.title.menu_button
        self.tools_requested.emit(button.mapToGlobal(button.rect().bottomLeft()))

    def _on_menu(self, at: QPoint) -> None:
        self.menu_requested.emit(self.table.viewport().mapToGlobal(at))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The table has the focus for the pane. A focus proxy would let Tab skip what lies beside it."""
        self.table.setFocus(event.reason())

    def sizeHint(self) -> QSize:
        return QSize(700, 290)

    def minimumSizeHint(self) -> QSize:
        return QSize(300, 110)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.ui.base)
        painter.end()
