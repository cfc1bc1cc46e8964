"""The menus of the compare window: options, pairings, and what can be done with a row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from viewer.base.record import replace
from viewer.document.compare.comparison_view import paired_collection
from viewer.document.compare.ignored_paths import patterns_for
from viewer.ui.look.plain_text import in_menu, plain_tip

if TYPE_CHECKING:  # it has the menus
    from viewer.ui.compare.compare_window import CompareWindow

PAIR_WORDS = {"": "&Found Automatically", "order": "By &Order", "place": "By &Place"}
SHOW_WORDS = "&Show the Left One in the Window", "Show the R&ight One in the Window"


class CompareMenus(QObject):
    """Fills the menus when they are asked for.

    Args:
        window: whose they are.
    """

    def __init__(self, window: CompareWindow) -> None:
        super().__init__(window)
        self._window = window

    def _menu(self) -> QMenu:
        menu = QMenu(self._window)
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def pop_up_options(self) -> None:
        """Offer what can be asked of the whole comparison."""
        w = self._window
        menu = self._menu()
        folds = menu.addAction("&Fold Equal Rows", lambda: w.fold(not w.folds))
        folds.setCheckable(True)
        folds.setChecked(w.folds)
        menu.addAction("&Tolerance of Numbers…", self._ask_tolerance)
        menu.addAction("&Ignored Paths…", self._ask_ignored)
        menu.addAction("&Learn Ignored Paths from Saves…", self._learn)
        menu.addSeparator()
        menu.addAction("&Exchange Sides", lambda: w.show_sides(w.sides[1], w.sides[0]))
        menu.addAction("&Compare Again (F5)", w.compare)
        menu.popup(w.head.options.mapToGlobal(QPoint(0, w.head.options.height())))

    def pop_up_pairings(self) -> None:
        """Offer other ways to pair the rows of the collection that the current row is, or lies in."""
        w = self._window
        comparison, current = w.comparison, w.trees.current
        row = w.model.row(current) if comparison is not None and current.isValid() else None
        collection = paired_collection(comparison, row.old) if comparison is not None and row is not None else None
        if collection is None or not collection.choices:
            return
        menu = self._menu()
        now = w.options.pair_by.get(collection.path, "")
        for how in collection.choices:
            words = PAIR_WORDS.get(how) or f"By “{in_menu(how)}”"
            action = menu.addAction(words, partial(w.pair_by, collection.path, how))
            action.setCheckable(True)
            action.setChecked(how == now)
        place = w.detail.pairing.mapToGlobal(QPoint(0, w.detail.pairing.height()))
        menu.popup(place - QPoint(max(0, menu.sizeHint().width() - w.detail.pairing.width()), 0))

    def pop_up_row(self, place: QPoint) -> None:
        """Offer what can be done with the selected rows, at a global position."""
        w = self._window
        menu, comparison = self._menu(), w.comparison
        old, new = w.here()
        for words, is_new in (("Take the &Left Side", False), ("Take the &Right Side", True)):
            action = menu.addAction(words, partial(w.take_selected, is_new))
            why = w.why_not_take(is_new)
            action.setEnabled(not why and bool(w.selected_differences()))
            action.setToolTip(plain_tip(why or "As one undo step"))
        menu.addSeparator()
        path = new or old
        if path and comparison is not None:
            for pattern in patterns_for(path):
                add = partial(w.ignore, (*w.options.ignore, pattern))
                menu.addAction(f"Ignore {in_menu(pattern)}", add)
            menu.addSeparator()
            menu.addAction("&Copy Path", lambda: QGuiApplication.clipboard().setText(path))
        for side, shown, words in zip(w.sides, (old, new), SHOW_WORDS, strict=True):
            if shown and w.host is not None and not side.fixed:
                menu.addAction(words, partial(w.host.show, side.document, shown))
        menu.popup(place)

    def _ask_tolerance(self) -> None:
        from viewer.ui.compare.ignored_dialog import ask_tolerance

        w = self._window
        found = ask_tolerance(w, w.options.tolerance)
        if found is not None:
            w.choose_options(replace(w.options, tolerance=found))

    def _ask_ignored(self) -> None:
        from viewer.ui.compare.ignored_dialog import IgnoredDialog

        w = self._window
        dialog = IgnoredDialog(w, w.options.ignore)
        if dialog.exec():
            w.ignore(dialog.patterns, dialog.keeps)
        dialog.deleteLater()

    def _learn(self) -> None:
        from viewer.ui.compare.ignored_dialog import learn

        w = self._window
        found = learn(w, [side.document for side in w.sides], w.options.ignore)
        if found is not None:
            w.ignore(found, True)
