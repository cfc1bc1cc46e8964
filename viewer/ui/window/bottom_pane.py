"""The bottom pane: problems with the repairs beside them, search results, and the inspector where it lies nowhere else.

What is wanted lies behind tabs; with one tab there is no tab bar, with none no pane.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QTabWidget, QWidget

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
