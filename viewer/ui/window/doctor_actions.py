"""The doctor's actions: repairs beside the problems, what engines do, explanations, shrinking, reports.

All of it is loaded when first needed: the repairs when a file is shown that holds an error or what no engine writes,
the rest when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from viewer.document.damage import has_error, may_be_damaged
from viewer.document.document import Document
from viewer.ui.lazy import LazyPart
from viewer.ui.look.palette import Theme
from viewer.ui.session import Session
from viewer.ui.window.open_files import OpenFiles
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:  # built late, see Late
    from viewer.document.doctor.likely import LikelyCause
    from viewer.ui.doctor.engines_dialog import EnginesDialog
    from viewer.ui.doctor.explain_card import ExplainCard
    from viewer.ui.doctor.repairs_controller import RepairsController
    from viewer.ui.doctor.report_export import ReportExport

WAITS = "These bytes are still being read; try again in a moment."
NOTHING_FAILS = "No value here is refused, so there is nothing to shrink."


class DoctorActions(QObject):
    """Joins the doctor to a window.

    Args:
        window: the parent of the dialogs.
        session: what is open.
        parts: where the repairs lie.
        opened: shows results in tabs of their own.
        show_instead: shows another reading of the same file.
        say: told in words what was done, or why not.
        changed: told after the repairs were shown or hidden.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        parts: Parts,
        opened: OpenFiles,
        show_instead: Callable[[Document], None],
        say: Callable[[str], None],
        changed: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._parts, self._opened = window, session, parts, opened
        self._show_instead, self._say, self._changed = show_instead, say, changed
        self._seen = (0, False)
        self._told: LikelyCause | None = None
        self._repairs = parts.later(self._build_repairs)
        self._engines = parts.later(self._build_engines)
        self._explain = parts.later(self._build_explain)
        self._report = LazyPart(self._build_report)
        self._theme = parts.later(_Wearing)
        parts.problems.count_changed.connect(self._follow)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {
            "repairs": self.toggle_repairs,
            "engines": self.show_engines,
            "explain": self.show_explanation,
            "shrink": self.shrink,
            "export_report": self.export_report,
        }

    def finish(self) -> None:
        """Have the repairs now, for a picture."""
        if self._repairs.part is not None:
            self._repairs.part.finder.finish()

    def leave(self) -> None:
        """Wait until nothing works beside the window any more; for the end of the program."""
        for part in (self._repairs.part, self._engines.part, self._explain.part, self._report.part):
            if part is not None:
                part.leave()

    # Building

    def _build_repairs(self, theme: Theme) -> RepairsController:
        from viewer.ui.doctor.repairs_controller import RepairsController

        editing = self._parts.bridge.editing
        place = RepairsController(
            self._window, self._session, theme, self._show_instead, self._opened.add, self._say, lambda: editing.offer
        )
        place.view.closed.connect(partial(self.show_repairs, False))
        place.view.left.connect(self._focus_tree)
        place.view.engines_asked.connect(self.show_engines)
        place.finder.changed.connect(self._follow)
        place.finder.changed.connect(self._tell_cause)
        self._parts.work.set_repairs(place.view)
        return place

    def _build_engines(self, theme: Theme) -> EnginesDialog:
        from viewer.ui.doctor.engines_dialog import EnginesDialog

        return EnginesDialog(self._window, self._session, theme)

    def _build_explain(self, theme: Theme) -> ExplainCard:
        from viewer.ui.doctor.explain_card import ExplainCard

        return ExplainCard(self._window, self._session, theme, self._cause)

    def _build_report(self) -> ReportExport:
        from viewer.ui.doctor.report_export import ReportExport

        return ReportExport(self._window, self._say)

    # Repairs

    def toggle_repairs(self) -> None:
        """Show the repairs and go there, also where they came by themselves; where a person is in them, hide them."""
        part = self._repairs.part
        shown = not self._parts.work.repairs_shown or part is None or not _holds_focus(part.view)
        self.show_repairs(shown)
        if shown:
            self._repairs.get().finder.ask()
            self._parts.work.reveal(self._repairs.get().view)
            self._repairs.get().view.take_focus()

    def show_repairs(self, shown: bool) -> None:
        """Show or hide the repairs."""
        if not shown and self._repairs.part is None:
            return
        view = self._repairs.get().view
        focus = QApplication.focusWidget()
        if not shown and focus is not None and view.isAncestorOf(focus):
            self._focus_tree()
        self._parts.work.show_repairs(shown)
        self._changed()

    def _follow(self, *_: object) -> None:
        """Repairs are looked for in damaged and in odd bytes; the pane comes by itself with an error, and goes with it.

        Where an engine reads everything the bytes may well be as the game wants them: a person asks for the pane.
        """
        document = self._session.document
        if may_be_damaged(document):
            self._repairs.get()
        place = self._repairs.part
        wanted = place is not None and has_error(document)
        seen = (id(document), wanted)
        if seen != self._seen:
            self._seen = seen
            self.show_repairs(wanted)

    def _cause(self) -> LikelyCause | None:
        """What most probably went wrong with the document, as far as it is known."""
        place = self._repairs.part
        return place.finder.cause if place is not None else None

    def _tell_cause(self) -> None:
        """What is said of findings elsewhere follows the search."""
        cause = self._cause()
        if cause is self._told:
            return
        self._told = cause
        self._parts.problems.rows.set_cause(cause)
        self._parts.tree.tree_model.set_cause(cause)
        if self._explain.part is not None:
            self._explain.part.follow()

    def _focus_tree(self) -> None:
        tree = self._parts.tree
        (tree if tree.isVisible() else self._parts.bytes.current).setFocus()

    # Engines and explanations

    def show_engines(self) -> None:
        """Show what each engine would do with the bytes."""
        self._engines.get().start()

    def show_explanation(self) -> None:
        """Explain what is selected, and what will be from then on."""
        self._explain.get().start()

    # Shrinking and reports

    def shrink(self) -> None:
        """Cut the value that fails down to the smallest bytes that fail in the same way."""
        document = self._session.document
        if document is None or self._session.waits:
            self._say(WAITS)
            return
        from viewer.ui.doctor.shrink_dialog import ShrinkDialog, failing_frame

        frame = failing_frame(document, self._session.caret)
        if frame is None:
            self._say(NOTHING_FAILS)
            return
        dialog = ShrinkDialog(self._window, document, frame, self._theme.get().theme)
        dialog.tab_asked.connect(partial(self._open_small, document))
        dialog.start()

    def _open_small(self, document: Document, data: bytes) -> None:
        from viewer.container.frames import FramingKind
        from viewer.document.reading import ReadOptions
        from viewer.document.wraps import UnwrapOptions

        choice = ReadOptions(document.dialect, document.precision, FramingKind.BARE, UnwrapOptions(()))
        self._opened.add(Document(data, name=f"smallest of {document.name}", choice=choice))

    def export_report(self) -> None:
        """Write a report on the document to a file."""
        document = self._session.document
        if document is None or self._session.waits:
            self._say(WAITS)
            return
        self._report.get().ask(document, self._cause())


def _holds_focus(view: QWidget) -> bool:
    """Whether the focus is in a pane."""
    focus = QApplication.focusWidget()
    return focus is not None and (focus is view or view.isAncestorOf(focus))


class _Wearing:
    """Knows the theme of the moment."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self.theme = theme
