"""The work area: tree, bytes, inspector, problems and search results, laid out by the width there is.

Wide: tree | hex | inspector over problems and results. Below 1150 pixels the inspector is a tab of the bottom pane,
below 760 tree and hex are tabs. The hex view may be hidden: the tree takes its room then.
"""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QTabWidget, QVBoxLayout, QWidget

from viewer.base.record import replace
from viewer.ui.look.plain_text import in_menu, plain_tip
from viewer.ui.settings import PaneWidths
from viewer.ui.text.bytes_pane import BytesPane

# The bottom pane: problems with the repairs beside them, search results, and the inspector where it lies nowhere else.
#
# What is wanted lies behind tabs; with one tab there is no tab bar, with none no pane.

HANDLE = 1


class BottomPane(QTabWidget):
    """Holds the panes below tree and bytes. What is wanted shows with the next :meth:`arrange`.

    Args:
        problems: the list of problems; it becomes a child.

    Attributes:
        problems_wanted, repairs_wanted, results_wanted: what should be shown.
        repairs, results: panes that are built when first needed, None until then.
    """

    def __init__(self, problems: QWidget) -> None:
        super().__init__()
        self.problems_wanted = self.repairs_wanted = self.results_wanted = False
        self.repairs: QWidget | None = None
        self.results: QWidget | None = None
        self._problems = problems
        self._beside: QSplitter | None = None
        self.setDocumentMode(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its bar, where one is to be seen, takes Tab by itself
        problems.setParent(self)

    def set_repairs(self, repairs: QWidget) -> None:
        """Take the pane of the repairs: it lies beside the problems, or behind a tab."""
        self.repairs = repairs
        repairs.setParent(self)
        repairs.hide()
        place = self.indexOf(self._problems)
        current = self.currentWidget()
        self._beside = QSplitter(Qt.Orientation.Horizontal)
        self._beside.setChildrenCollapsible(False)
        self._beside.setHandleWidth(HANDLE)
        self._beside.addWidget(self._problems)
        if place >= 0:
            self.insertTab(place, self._beside, "Problems")
            self.setCurrentWidget(self._beside if current is self._problems else current or self._beside)
            self._problems.show()
        else:
            self._beside.setParent(self)
            self._beside.hide()

    def set_results(self, results: QWidget) -> None:
        """Take the pane of the search results."""
        results.setParent(self)
        results.hide()
        self.results = results

    def arrange(self, inspector: QWidget | None, inspector_wanted: bool) -> None:
        """Show what is wanted, and itself where that is anything.

        Args:
            inspector: where it belongs here; None where there is room for it, and for the repairs, beside something.
            inspector_wanted: whether it should be shown.
        """
        self._place_problems(is_wide=inspector is None)
        if self.results is not None:
            self._tab(self.results, "Found", self.results_wanted)
        if inspector is not None:
            self._tab(inspector, "Inspector", inspector_wanted)
        count = self.count()
        self.tabBar().setVisible(count > 1)
        self.setVisible(count > 0)

    def show_problems_first(self) -> None:
        """Bring the problems to the front."""
        self.setCurrentWidget(self._beside or self._problems)

    def _place_problems(self, is_wide: bool) -> None:
        """The problems, with the repairs beside them where there is room, else in a tab of their own."""
        beside, repairs = self._beside, self.repairs
        if beside is None or repairs is None:
            self._tab(self._problems, "Problems", self.problems_wanted)
            return
        self._problems.setVisible(self.problems_wanted)
        self._tab(beside, "Problems", self.problems_wanted or (is_wide and self.repairs_wanted), 0)
        if not is_wide:
            self._tab(repairs, "Repairs", self.repairs_wanted, self.indexOf(beside) + 1)
        elif beside.indexOf(repairs) < 0:
            beside.addWidget(repairs)
            beside.setSizes([1000, 1000])
        if is_wide:
            repairs.setVisible(self.repairs_wanted)

    def _tab(self, pane: QWidget, title: str, shown: bool, wanted: int = -1) -> None:
        place = self.indexOf(pane)
        if shown and place < 0:
            self.insertTab(wanted, pane, title)
        elif not shown and place >= 0:
            self.removeTab(place)
            pane.hide()
        elif not shown:
            pane.hide()


NARROW, TINY = 1150, 760
INSPECTOR_WIDTH = 276
TREE_MIN, TREE_GOOD = 240, 520
"""Pixels: what the values need at least, and what they get before the bytes have more than eight columns."""
BOTTOM_HEIGHT = 180
REPAIRS_HEIGHT = 240
PACKETS_HEIGHT = 290
TOP_MIN = 120
"""Pixels that a bottom pane which was dragged higher leaves to the values at least."""


class PaneLayout(IntEnum):
    """How the panes lie."""

    WIDE = 0
    NARROW = 1
    TINY = 2


def form_for(width: int) -> PaneLayout:
    """The form that a window of this width takes."""
    return PaneLayout.WIDE if width >= NARROW else PaneLayout.NARROW if width >= TINY else PaneLayout.TINY


class _Grip(QSplitterHandle):
    """Lies between two panes."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._panes.taken.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._panes.let_go.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._panes.usual_wanted.emit()

    @property
    def _panes(self) -> _GrippedPanes:
        panes = self.splitter()
        assert isinstance(panes, _GrippedPanes)
        return panes


class _GrippedPanes(QSplitter):
    """Panes beside or below each other.

    Args:
        orientation: how they lie.
        sizes: what their grips change, in words.

    Signals:
        taken: a person takes a grip.
        let_go: the grip is let go.
        usual_wanted: a grip was clicked twice, so the panes shall be as large as where nobody dragged them.
    """

    taken = Signal()
    let_go = Signal()
    usual_wanted = Signal()

    def __init__(self, orientation: Qt.Orientation, sizes: str) -> None:
        super().__init__(orientation)
        self._tip = f"Drag it to change the {sizes}, double-click it for the default ones"
        self.setChildrenCollapsible(False)
        self.setHandleWidth(HANDLE)

    def createHandle(self) -> QSplitterHandle:
        grip = _Grip(self.orientation(), self)
        grip.setToolTip(plain_tip(self._tip))
        return grip


class WorkArea(QWidget):
    """Holds the panes.

    Args:
        tree, bytes_pane, inspector, problems: the panes; they become its children.

    Signals:
        form_changed: another :class:`PaneLayout` was taken.
        bytes_turned: the bytes were shown or hidden.
        dragged: a person has let go of a grip and wants other widths in the form that there is
            (:class:`PaneLayout`, :class:`~viewer.ui.settings.PaneWidths`).
        bottom_dragged: a person wants the bottom pane so many pixels high, 0 for what it needs.
    """

    form_changed = Signal(object)
    bytes_turned = Signal()
    dragged = Signal(object, object)
    bottom_dragged = Signal(int)

    def __init__(self, tree: QWidget, bytes_pane: BytesPane, inspector: QWidget, problems: QWidget) -> None:
        super().__init__()
        self._packets: QWidget | None = None
        self._sheet: QWidget | None = None
        self._tree, self._bytes, self._inspector = tree, bytes_pane, inspector
        self.form = PaneLayout.WIDE
        self._inspector_wanted = self._inspector_when_wide = self._bytes_wanted = True
        self._height_by_hand = False
        self._bottom_by_hand, self._is_bottom_untold = 0, False
        self._by_hand: dict[PaneLayout, PaneWidths] = {}
        self._shown = PaneWidths()
        self._untold: PaneLayout | None = None
        self._top = _GrippedPanes(Qt.Orientation.Horizontal, "widths")
        self._whole = _GrippedPanes(Qt.Orientation.Vertical, "heights")
        self._bottom = BottomPane(problems)
        self._panes = QTabWidget()
        self._panes.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its bar, where one is to be seen, takes Tab by itself
        self._panes.setDocumentMode(True)
        self._tree.setMinimumWidth(TREE_MIN)  # narrower no name can be read and no value edited
        self._whole.addWidget(self._top)
        self._whole.addWidget(self._bottom)
        self._whole.setStretchFactor(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._whole)
        self._top.taken.connect(self._look_at_widths)
        self._top.splitterMoved.connect(self._remember_widths)
        self._top.let_go.connect(self._tell_widths)
        self._top.usual_wanted.connect(self._take_usual_widths)
        self._whole.splitterMoved.connect(self._remember_height)
        self._whole.let_go.connect(self._tell_height)
        self._whole.usual_wanted.connect(self._take_usual_heights)
        self._bytes.zoom_changed.connect(self.share_width)
        self._bytes.turned.connect(self.share_width)
        self._bytes.turned.connect(self._name_tab)
        self._arrange()

    # Which panes are shown

    @property
    def bytes_shown(self) -> bool:
        """Whether the bytes, or the text that they are, are wanted beside the values."""
        return self._bytes_wanted

    @property
    def bytes_in_front(self) -> bool:
        """Whether they are to be seen, and not behind the tab of the values."""
        is_tab = self._panes.indexOf(self._bytes) >= 0
        return self._bytes_wanted and (not is_tab or self._panes.currentWidget() is self._bytes)

    def show_bytes(self, shown: bool) -> None:
        """Show the bytes, or leave their room to the values."""
        if shown != self._bytes_wanted:
            self._bytes_wanted = shown
            self._arrange()
            self.bytes_turned.emit()

    @property
    def inspector_shown(self) -> bool:
        """Whether the inspector is wanted."""
        return self._inspector_wanted

    def show_inspector(self, shown: bool) -> None:
        """Show or hide the inspector, wherever it lies."""
        self._inspector_wanted = shown
        self._arrange()
        if shown and self.form is not PaneLayout.WIDE:
            self._bottom.setCurrentWidget(self._inspector)

    @property
    def problems_shown(self) -> bool:
        """Whether the problems are wanted."""
        return self._bottom.problems_wanted

    def show_problems(self, shown: bool) -> None:
        """Show or hide the problems."""
        if shown != self._bottom.problems_wanted:
            self._bottom.problems_wanted = shown
            self._arrange()
        if shown:
            self._bottom.show_problems_first()

    @property
    def repairs_shown(self) -> bool:
        """Whether the suggested repairs are wanted."""
        return self._bottom.repairs_wanted

    @property
    def repairs(self) -> QWidget | None:
        """The pane of the suggested repairs, None until it is built."""
        return self._bottom.repairs

    def set_repairs(self, repairs: QWidget) -> None:
        """Take the pane of the repairs, built when first needed: it lies beside the problems, or behind a tab."""
        self._bottom.set_repairs(repairs)

    def show_repairs(self, shown: bool) -> None:
        """Show or hide the repairs; they do not come before what is looked at."""
        if self.repairs is not None and shown != self.repairs_shown:
            self._bottom.repairs_wanted = shown
            self._arrange()
            if not self._height_by_hand:
                self._share_height()

    @property
    def results_shown(self) -> bool:
        """Whether the search results are wanted."""
        return self._bottom.results_wanted

    def set_results(self, results: QWidget) -> None:
        """Take the pane of the search results, which is built when it is first shown."""
        self._bottom.set_results(results)

    def show_results(self, shown: bool) -> None:
        """Show or hide the search results."""
        if shown != self._bottom.results_wanted:
            self._bottom.results_wanted = shown
            self._arrange()
        if shown and self._bottom.results is not None:
            self._bottom.setCurrentWidget(self._bottom.results)

    @property
    def packets_shown(self) -> bool:
        """Whether the list of packets is wanted."""
        return self._packets is not None and not self._packets.isHidden()

    def set_packets(self, packets: QWidget) -> None:
        """Take the list of packets, which is built when it is first needed; it lies across the top."""
        self._packets = packets
        packets.hide()
        self._whole.insertWidget(0, packets)
        self._whole.setStretchFactor(0, 0)
        self._whole.setStretchFactor(1, 1)

    def show_packets(self, shown: bool) -> None:
        """Show or hide the list of packets."""
        if self._packets is None or shown == self.packets_shown:
            return
        self._packets.setVisible(shown)
        if shown:
            self._share_height()

    @property
    def sheet_shown(self) -> bool:
        """Whether the table is wanted."""
        return self._sheet is not None and not self._sheet.isHidden()

    @property
    def sheet(self) -> QWidget | None:
        """The table, None until it is built."""
        return self._sheet

    @property
    def sheet_alone(self) -> bool:
        """Whether the table has all of the room."""
        return self.sheet_shown and self._top.isHidden()

    def set_sheet(self, sheet: QWidget) -> None:
        """Take the table, which is built when it is first needed; it lies over tree, bytes and inspector."""
        self._sheet = sheet
        sheet.hide()
        self._whole.insertWidget(self._whole.indexOf(self._top), sheet)
        self._whole.setStretchFactor(self._whole.indexOf(sheet), 1)

    def show_sheet(self, shown: bool) -> None:
        """Show or hide the table."""
        if self._sheet is None or shown == self.sheet_shown:
            return
        self._sheet.setVisible(shown)
        if not shown:
            self._top.show()
            self._arrange()
        self._share_height()

    def show_sheet_alone(self, alone: bool) -> None:
        """Give the table all of the room, or part of it."""
        if self.sheet_shown:
            self._top.setVisible(not alone)
            self._arrange()
            self._share_height()

    def _share_height(self) -> None:
        """Give the list of packets and the bottom pane what they need, and the panes between them the rest."""
        self._height_by_hand = False
        top = min(PACKETS_HEIGHT, self.height() // 3) if self.packets_shown else 0
        bottom = min(BOTTOM_HEIGHT, self.height() // 3) if not self._bottom.isHidden() else 0
        if bottom and self.repairs_shown:
            bottom = min(REPAIRS_HEIGHT, self.height() * 2 // 5)
        if bottom and self._bottom_by_hand:
            bottom = max(1, min(self._bottom_by_hand, self.height() - top - TOP_MIN))
        rest = max(2, self.height() - top - bottom)
        sheet = rest // 2 if self.sheet_shown else 0
        heights = {self._packets: top, self._sheet: sheet, self._top: rest - sheet, self._bottom: bottom}
        self._whole.setSizes([heights.get(self._whole.widget(k), 0) for k in range(self._whole.count())])

    def reveal(self, pane: QWidget) -> None:
        """Bring a pane to the front where it lies behind a tab, and the bytes where they are hidden."""
        if pane is self._bytes or self._bytes.isAncestorOf(pane):
            self.show_bytes(True)
        for tabs in (self._panes, self._bottom):
            for place in range(tabs.count()):
                holder = tabs.widget(place)
                if holder is not None and (holder is pane or holder.isAncestorOf(pane)):
                    tabs.setCurrentIndex(place)

    # Shape

    def share_width(self, *_: object) -> None:
        """Give bytes and inspector what a person dragged them to, else what they need, and the tree the rest."""
        if self.form is PaneLayout.TINY:
            return
        by_hand, least = self._by_hand.get(self.form, PaneWidths()), self._bytes.minimumSizeHint().width()
        has_inspector, inspector = self._inspector_wanted and self.form is PaneLayout.WIDE, 0
        room = self.width() - HANDLE * (self._bytes_wanted + has_inspector)
        if has_inspector:
            most = room - TREE_MIN - (least if self._bytes_wanted else 0)
            inspector = max(min(by_hand.inspector or INSPECTOR_WIDTH, most), self._inspector.minimumWidth())
        room -= inspector
        if not self._bytes_wanted:
            self._top.setSizes([room, 0, inspector])
            return
        wanted = by_hand.bytes or self._bytes.width_within(room - TREE_GOOD)
        if wanted >= room - TREE_GOOD and not by_hand.bytes:
            wanted = self._bytes.width_within(room - TREE_MIN)
        wanted = max(min(wanted, room - TREE_MIN), least)
        self._top.setSizes([room - wanted, wanted, inspector] if inspector else [room - wanted, wanted])

    def set_widths(self, form: PaneLayout, widths: PaneWidths) -> None:
        """Have bytes and inspector as wide as a person dragged them, wherever the form is this one."""
        self._by_hand[form] = widths
        self.share_width()

    def _look_at_widths(self) -> None:
        self._shown = PaneWidths(self._bytes.width(), self._inspector.width())

    def _remember_widths(self, _: int, grip: int) -> None:
        """Keep what a person drags, by which the panes on both sides of a grip become wider or less wide."""
        if self.form is PaneLayout.TINY:
            return
        before, kept, held = self._shown, self._by_hand.get(self.form, PaneWidths()), self._top.widget(grip)
        self._look_at_widths()
        widths = kept
        if self._bytes_wanted:
            wide = _dragged(kept.bytes, before.bytes, self._shown.bytes, held is self._bytes)
            widths = replace(widths, bytes=wide)
        if self._inspector_wanted and self.form is PaneLayout.WIDE:
            wide = _dragged(kept.inspector, before.inspector, self._shown.inspector, held is self._inspector)
            widths = replace(widths, inspector=wide)
        self._by_hand[self.form], self._untold = widths, self.form

    def _tell_widths(self) -> None:
        """Tell what was dragged, once and not at each pixel: it is written to the disk."""
        form, self._untold = self._untold, None
        if form is not None:
            self.dragged.emit(form, self._by_hand[form])

    def _take_usual_widths(self) -> None:
        self.set_widths(self.form, PaneWidths())
        self.dragged.emit(self.form, PaneWidths())

    def set_bottom_height(self, height: int) -> None:
        """Have the bottom pane as high as a person dragged it; 0 for what it needs."""
        self._bottom_by_hand = height
        self._share_height()

    def _remember_height(self, _: int, grip: int) -> None:
        """Keep what a person drags; the bottom pane becomes higher or less high by its own grip alone."""
        self._height_by_hand = True
        if self._whole.widget(grip) is self._bottom:
            self._bottom_by_hand, self._is_bottom_untold = self._bottom.height(), True

    def _tell_height(self) -> None:
        """Tell how high the bottom pane was dragged, once and not at each pixel."""
        was_untold, self._is_bottom_untold = self._is_bottom_untold, False
        if was_untold:
            self.bottom_dragged.emit(self._bottom_by_hand)

    def _take_usual_heights(self) -> None:
        self._is_bottom_untold = False
        self.set_bottom_height(0)
        self.bottom_dragged.emit(0)

    def _arrange(self) -> None:
        """Put every pane where the form wants it; what has the keys keeps them, as far as it is to be seen."""
        focused = self.window().focusWidget()  # which a window has before it is shown, or while another one is active
        had_focus = focused is not None and self.isAncestorOf(focused)
        self._place_top()
        self._place_bottom()
        self.share_width()
        if had_focus and focused is not None:
            self._give_back(focused)

    def _give_back(self, focused: QWidget) -> None:
        """Give the keys to what had them, or to the pane in front where that is not to be seen any more."""
        if not focused.isVisibleTo(self):
            focused = self._bytes.current if self._panes.currentWidget() is self._bytes else self._tree
        if focused.isVisibleTo(self) and self.window().focusWidget() is not focused:
            focused.setFocus()

    def _place_top(self) -> None:
        if self.form is PaneLayout.TINY and self._bytes_wanted:
            for pane, title in ((self._tree, "Values"), (self._bytes, "Bytes")):
                if self._panes.indexOf(pane) < 0:
                    self._panes.addTab(pane, title)
            self._name_tab()
            self._insert(self._panes, 0)
        else:
            self._panes.setParent(None)
            self._insert(self._tree, 0)
            self._insert(self._bytes, 1)
            self._tree.show()
            self._bytes.setVisible(self._bytes_wanted)
        if self.form is PaneLayout.WIDE:
            self._insert(self._inspector, 2)
            self._inspector.setVisible(self._inspector_wanted)
        self._top.setStretchFactor(0, 1)

    def _name_tab(self) -> None:
        """The tab beside the values is called what it shows."""
        place = self._panes.indexOf(self._bytes)
        if place >= 0:
            self._panes.setTabText(place, in_menu("Text" if self._bytes.shows_text else "Bytes"))

    def _insert(self, pane: QWidget, place: int) -> None:
        if self._top.indexOf(pane) != place:
            self._top.insertWidget(place, pane)
        pane.show()

    def _place_bottom(self) -> None:
        was_hidden = self._bottom.isHidden()
        self._bottom.arrange(None if self.form is PaneLayout.WIDE else self._inspector, self._inspector_wanted)
        if was_hidden and not self._bottom.isHidden():
            self._share_height()

    def _take_form(self, form: PaneLayout) -> None:
        """Lay the panes out anew; the inspector gives way in the narrow forms and is back in the wide one."""
        if self.form is PaneLayout.WIDE:
            self._inspector_when_wide = self._inspector_wanted
        self._inspector_wanted = form is PaneLayout.WIDE and self._inspector_when_wide
        self.form = form
        self._arrange()
        self.form_changed.emit(form)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (self.packets_shown or self.sheet_shown or self._bottom_by_hand) and not self._height_by_hand:
            self._share_height()
        form = form_for(event.size().width())
        if form is not self.form:
            self._take_form(form)
        else:
            QTimer.singleShot(0, self, self.share_width)


def _dragged(kept: int, before: int, now: int, is_own: bool) -> int:
    """The width to keep of a pane: one that lacked room for what it was dragged to keeps that, but for its own grip."""
    return now if now != before and (is_own or kept in (0, before)) else kept
