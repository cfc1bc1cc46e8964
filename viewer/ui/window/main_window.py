"""The main window: it builds the panes, joins them to the session and holds no rule of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from viewer.diagnostic import Severity
from viewer.document.reading import Choice
from viewer.document.shown.notices import Remedy, notice
from viewer.span import Span
from viewer.ui.hex.bridge import HexBridge
from viewer.ui.hex.view import HexView
from viewer.ui.late import Late
from viewer.ui.look.palette import Theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.panels.banner import Banner
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.inspector import Inspector
from viewer.ui.panels.path_bar import PathBar
from viewer.ui.panels.problems_view import ProblemsView
from viewer.ui.panels.status_bar import StatusBar
from viewer.ui.session import Session
from viewer.ui.tree.view import TreeView
from viewer.ui.window import dialogs
from viewer.ui.window.actions import NEED_DOCUMENT, Actions
from viewer.ui.window.file_actions import FileActions
from viewer.ui.window.menus import BYTES, TREE, Menus
from viewer.ui.window.settings import Settings
from viewer.ui.window.tool_row import ToolRow
from viewer.ui.window.work_area import Form, WorkArea
from viewer.variant.scan import COMPILED

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.panels.empty_state import EmptyState
    from viewer.ui.panels.find_results import FindResults
    from viewer.ui.panels.toast import Toast

SIZE = (1280, 800)
SMALLEST = (640, 420)
OVERWRITES = "Typing overwrites bytes; change a value in the tree to make it longer or shorter."


class MainWindow(QMainWindow):
    """One window with one document.

    Args:
        settings: what to remember, None to remember nothing.
        theme: gives the theme and tells when it changes.
    """

    def __init__(self, settings: Settings | None, theme: ThemeController) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.session = Session(self)
        self._settings = settings or Settings()
        self._keeps = settings is not None
        self._problems_seen = (0, False)
        self._theme = theme
        self._build(theme.theme)
        self._files = FileActions(self, self.session, self._settings, self._file_done)
        self._actions = Actions(self, self.menuBar(), self._slots())
        self._tool_row.set_actions(self._actions)
        self._menus = Menus(self, self._actions, self._files, self._settings, self._status.fill_reading_menu)
        self._menus.offer_row_widths(self._set_row_width)
        self._menus.offer_themes(self._choose_theme)
        self._connect()
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self._restore()
        self._actions.set_theme(theme.theme)
        self._tool_row.set_document_shown(False)
        self._update_actions()

    # Building

    def _build(self, theme: Theme) -> None:
        self._tree = TreeView(self.session, theme)
        self._hex = HexView(theme)
        self._bridge = HexBridge(self.session, self._hex)
        self._inspector = Inspector(self.session, theme)
        self._problems = ProblemsView(self.session, theme)
        self._path_bar = PathBar(self.session, theme)
        self._find = FindField(self.session, theme)
        self._results = Late(self._build_results)
        self._status = StatusBar(self.session, theme)
        self._banner = Banner(theme)
        self._tool_row = ToolRow(self._path_bar, self._find)
        self._empty = Late(self._build_empty)
        self._work = WorkArea(self._tree, self._hex, self._inspector, self._problems)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._work)
        center = QWidget()
        layout = QVBoxLayout(center)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self._tool_row, self._banner, self._pages):
            layout.addWidget(part)
        layout.setStretch(2, 1)
        self.setCentralWidget(center)
        self.setStatusBar(self._status)
        self._toast = Late(self._build_toast)

    def _build_empty(self) -> EmptyState:
        from viewer.ui.panels.empty_state import EmptyState

        empty = EmptyState(self._theme.theme)
        empty.open_requested.connect(self._files.open)
        empty.paste_requested.connect(self._files.paste)
        empty.sample_requested.connect(self._files.open_sample)
        empty.file_requested.connect(lambda name: self.open_path(Path(name)))
        self._pages.addWidget(empty)
        return empty

    def _build_results(self) -> FindResults:
        from viewer.ui.panels.find_results import FindResults

        results = FindResults(self.session, self._find.runner, self._theme.theme)
        results.closed.connect(lambda: self._show_results(False))
        results.entered.connect(lambda: self._focus_a_pane(self._hex))
        results.escaped.connect(self._show_find)
        self._work.set_results(results)
        return results

    def _build_toast(self) -> Toast:
        from viewer.ui.panels.toast import Toast

        return Toast(self._theme.theme, self)

    def _slots(self) -> dict[str, Callable[[], object]]:
        session, files, find = self.session, self._files, self._find
        return {
            "open": files.open,
            "paste": files.paste,
            "save": files.save,
            "save_as": files.save_as,
            "revert": files.reload,
            "reload": files.reload,
            "close": files.close,
            "quit": self.close,
            "undo": session.undo,
            "redo": session.redo,
            "edit_value": self._edit_value,
            "copy": self._copy,
            "copy_path": self._copy_path,
            "select_all": self._select_all,
            "select_range": self._select_range,
            "find": self._show_find,
            "find_next": find.next,
            "find_previous": find.previous,
            "find_list": lambda: self._show_results(not self._work.results_shown),
            "inspector": lambda: self._show_inspector(not self._work.inspector_shown),
            "problems": lambda: self._show_problems(not self._work.problems_shown),
            "next_pane": lambda: self._step_pane(1),
            "previous_pane": lambda: self._step_pane(-1),
            "zoom_in": self._hex.zoom_in,
            "zoom_out": self._hex.zoom_out,
            "zoom_reset": self._hex.zoom_reset,
            "go_to": self._edit_path,
            "back": session.back,
            "forward": session.forward,
            "next_problem": lambda: session.step_problem(1),
            "previous_problem": lambda: session.step_problem(-1),
            "stop_reading": session.stop_reading,
            "shortcuts": self._show_shortcuts,
            "about": lambda: dialogs.about(self, "compiled" if COMPILED else "plain Python"),
        }

    def _connect(self) -> None:
        session = self.session
        session.opened.connect(self._show_document)
        session.history_changed.connect(self._update_actions)
        session.selected.connect(lambda _: self._update_actions())
        session.failed.connect(self._say)
        session.reading.changed.connect(self._tell_notice)
        session.reading.changed.connect(self._update_actions)
        session.changed.connect(lambda change: self._tell_notice() if change.structure and not change.splices else None)
        self._theme.changed.connect(self._set_theme)
        self._problems.count_changed.connect(self._count_problems)
        self._problems.closed.connect(lambda: self._show_problems(False))
        self._inspector.closed.connect(lambda: self._show_inspector(False))
        self._problems.count_changed.connect(self._status.set_counts)
        self._inspector.said.connect(self._say)
        self._find.escaped.connect(self._leave_find)
        self._path_bar.left.connect(self._tree.setFocus)
        self._status.go_to_requested.connect(self._edit_path)
        self._status.problems_requested.connect(lambda: self._show_problems(True))
        self._status.selection_requested.connect(self._select_range)
        self._status.insert_mode_requested.connect(lambda _: self._say(OVERWRITES))
        self._hex.typing_refused.connect(lambda _: self._say("These bytes are read-only."))
        self._find.hits_changed.connect(self._show_hits)
        self._find.list_requested.connect(self._show_results)
        self._find.list_entered.connect(lambda: self._results.get().list.take_focus())
        self._tree.menu_requested.connect(lambda _, place: self._menus.pop_up(TREE, place))
        self._hex.context_menu_requested.connect(lambda asked: self._menus.pop_up(BYTES, asked.position))
        self._hex.zoom_changed.connect(lambda zoom: setattr(self._settings, "zoom", zoom) if self._keeps else None)
        self._work.form_changed.connect(lambda _: self._update_actions())

    # Showing

    def open_path(self, path: Path, choice: Choice | None = None) -> None:
        """Show a file, after asking about unsaved changes."""
        self._files.open_path(path, choice)

    def settle(self) -> None:
        """Let everything that comes a moment later happen now, for a picture."""
        self._problems.refresh_now()
        self._work.share_width()
        QApplication.processEvents()
        self._work.share_width()
        QApplication.processEvents()

    def _show_document(self) -> None:
        document = self.session.document
        self._tool_row.set_document_shown(document is not None)
        self._tell_notice()
        if document is None:
            self._show_empty()
        else:
            self._pages.setCurrentWidget(self._work)
            self._tree.setFocus()
        self._update_actions()

    def _show_empty(self) -> None:
        from viewer.ui.window.samples import samples

        empty = self._empty.get()
        empty.set_recent(self._settings.recent if self._keeps else [])
        empty.set_samples(samples())
        self._pages.setCurrentWidget(empty)
        empty.drop.open_button.setFocus()

    def _say(self, sentence: str) -> None:
        self._toast.get().show_text(sentence)

    def _file_done(self, sentence: str) -> None:
        self._say(sentence)
        self._tell_notice()

    def _tell_notice(self) -> None:
        """Say what should be known about the whole file, where there is anything."""
        document = self.session.document
        found = notice(document) if document is not None and not self.session.reading.is_on else None
        if found is None:
            self._banner.hide()
            return
        remedies: dict[Remedy, Callable[[], object]] = {
            Remedy.RELOAD: self._files.reload,
            Remedy.READ_ON: self.session.read_on,
            Remedy.READ_AS: lambda: self._menus.pop_up_readings(
                self._banner.mapToGlobal(self._banner.rect().bottomRight())
            ),
        }
        self._banner.tell(found.sentence, found.severity, found.remedy.value, remedies.get(found.remedy))

    def _update_actions(self) -> None:
        document, session = self.session.document, self.session
        is_open = document is not None
        for name in NEED_DOCUMENT:
            self._actions[name].setEnabled(is_open)
        history = document.history if document else None
        self._enable("undo", "Undo", history.undo_label if history else "")
        self._enable("redo", "Redo", history.redo_label if history else "")
        modified = document is not None and document.modified
        self._actions["save"].setEnabled(is_open and (modified or (document is not None and document.path is None)))
        self._actions["revert"].setEnabled(modified)
        self._actions["reload"].setEnabled(document is not None and document.path is not None)
        self._actions["back"].setEnabled(session.can_go_back)
        self._actions["forward"].setEnabled(session.can_go_forward)
        self._actions["inspector"].setChecked(is_open and self._work.inspector_shown)
        self._actions["problems"].setChecked(is_open and self._work.problems_shown)
        self._actions["find_list"].setChecked(is_open and self._work.results_shown)
        self._actions["stop_reading"].setEnabled(session.reading.is_on)
        self._update_find_actions()
        self.setWindowModified(modified)
        self.setWindowTitle(f"{document.name}[*]" if document else "Variant Viewer")

    def _enable(self, name: str, word: str, label: str) -> None:
        """Undo and redo say what they would do."""
        action = self._actions[name]
        action.setEnabled(bool(label))
        action.setText(f"&{word} {label}".strip())

    def _set_theme(self, theme: Theme) -> None:
        self._actions.set_theme(theme)
        for part in (
            self._tree,
            self._hex,
            self._inspector,
            self._problems,
            self._results.part,
            self._path_bar,
            self._find,
            self._status,
            self._banner,
            self._empty.part,
            self._toast.part,
            self._tool_row,
        ):
            if part is not None:
                part.set_theme(theme)

    def _choose_theme(self, name: str) -> None:
        self._theme.choose(name)
        if self._keeps:
            self._settings.theme = name

    def _set_row_width(self, columns: int) -> None:
        self._hex.set_row_width(columns)
        self._work.share_width()
        if self._keeps:
            self._settings.row_width = columns

    def _show_inspector(self, shown: bool) -> None:
        if not shown and self._inspector.isAncestorOf(_focus(self)):
            self._focus_a_pane(self._tree)
        self._work.show_inspector(shown)
        self._update_actions()

    def _show_problems(self, shown: bool) -> None:
        if not shown and self._problems.isAncestorOf(_focus(self)):
            self._focus_a_pane(self._tree)
        self._work.show_problems(shown)
        self._update_actions()

    def _show_results(self, shown: bool) -> None:
        results = self._results.get() if shown else self._results.part
        if results is None:
            return
        if not shown and results.isAncestorOf(_focus(self)):
            self._focus_a_pane(self._tree)
        self._work.show_results(shown)
        self._find.show_list_shown(shown)
        if shown and self._find.runner.query.is_empty:
            self._show_find()
        elif shown:
            results.list.take_focus()
        self._update_actions()

    def _show_hits(self) -> None:
        self._bridge.show_hits(self._find.hits, self._find.current)
        self._update_find_actions()

    def _update_find_actions(self) -> None:
        """Without something to look for there is no next place, and the menu says so."""
        why = self._find.why_no_step
        for name in ("find_next", "find_previous"):
            self._actions[name].setEnabled(self.session.document is not None and not why)
            self._actions[name].setToolTip(why or self._actions[name].statusTip())

    def _count_problems(self) -> None:
        """Problems come into view by themselves, and go when there are none."""
        grave = [found for found in self._problems.found if found.severity >= Severity.WARNING]
        key = (id(self.session.document), bool(grave))
        if key != self._problems_seen:
            self._problems_seen = key
            self._show_problems(bool(grave))
        self._bridge.refresh()

    # Doing

    def _edit_value(self) -> None:
        self._work.reveal(self._tree)
        self._tree.edit_current()

    def _copy(self) -> None:
        self._tree.copy() if self._tree.hasFocus() else self._hex.copy()

    def _copy_path(self) -> None:
        if self.session.path:
            QGuiApplication.clipboard().setText(self.session.path)
            self._say("Path copied.")

    def _select_all(self) -> None:
        document = self.session.document
        if document is not None and document.buffer:
            self.session.mark(Span(0, len(document.buffer)))

    def _select_range(self) -> None:
        document = self.session.document
        if document is None:
            return
        from viewer.ui.window.range_dialog import RangeDialog

        dialog = RangeDialog(self, document, self.session.caret)
        if dialog.exec() and dialog.span is not None:
            self.session.go_to(dialog.span.start, dialog.span)
            self._hex.setFocus()

    def _show_shortcuts(self) -> None:
        from viewer.ui.window.shortcuts_dialog import ShortcutsDialog

        ShortcutsDialog(self).exec()

    def _show_find(self) -> None:
        self._tool_row.show_find()
        self._find.focus()

    def _leave_find(self) -> None:
        self._tool_row.hide_find()
        self._show_results(False)
        self._focus_a_pane(self._hex if self._find.current is not None else self._tree)

    def _focus_a_pane(self, liked: QWidget) -> None:
        """Put the focus on tree or bytes, on the other one where *liked* lies behind a tab."""
        other = self._hex if liked is self._tree else self._tree
        (liked if liked.isVisible() else other).setFocus()

    def _edit_path(self) -> None:
        self._tool_row.show_path()
        self._path_bar.edit()

    def _step_pane(self, direction: int) -> None:
        """Move the focus around the panes that are in view."""
        if self.session.document is None:
            return
        panes: list[QWidget] = [self._tree, self._hex]
        others = (self._inspector, self._problems, self._results.part)
        panes += [pane for pane in others if pane is not None and pane.isVisible()]
        now = next(
            (k for k, pane in enumerate(panes) if pane.hasFocus() or pane.isAncestorOf(_focus(self))), -direction
        )
        pane = panes[(now + direction) % len(panes)]
        self._work.reveal(pane)
        pane.setFocus(Qt.FocusReason.TabFocusReason)

    # Remembering

    def _restore(self) -> None:
        self.resize(*SIZE)
        if not self._keeps:
            return
        self.restoreGeometry(self._settings.state("geometry"))
        self._hex.set_row_width(self._settings.row_width)
        self._hex.set_zoom(self._settings.zoom)
        self._work.show_inspector(self._settings.flag("inspector", default=True))

    def _remember(self) -> None:
        if not self._keeps:
            return
        self._settings.keep_state("geometry", self.saveGeometry())
        self._settings.keep_state("panes", self._work.save_state())
        if self._work.form is Form.WIDE:
            self._settings.keep_flag("inspector", self._work.inspector_shown)

    # Qt

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._tell_notice()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.session.document is None and not event.spontaneous():
            self._show_document()
        if self._keeps and not event.spontaneous():
            QTimer.singleShot(0, lambda: self._work.restore_state(self._settings.state("panes")))

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._files.may_leave():
            self._remember()
            self._files.leave()
            self.session.reading.leave()
            event.accept()
        else:
            event.ignore()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.open_path(path)


def _dropped_file(data: QMimeData) -> Path | None:
    """The local file that is dragged, None for anything else."""
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return Path(files[0]) if files else None


def _focus(window: QWidget) -> QWidget:
    return QApplication.focusWidget() or window
