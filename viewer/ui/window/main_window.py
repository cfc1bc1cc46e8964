"""The main window: it joins its parts, the actions and the session, and holds no rule of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from viewer.document import files
from viewer.document.document import Document
from viewer.document.edits import EditError
from viewer.document.objects import without_objects
from viewer.document.reading import Choice
from viewer.document.shown.notices import Remedy, notice
from viewer.ui.late import Late
from viewer.ui.look.palette import Theme
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.window import dialogs
from viewer.ui.window.action_states import ActionStates
from viewer.ui.window.actions import Actions
from viewer.ui.window.comfort import Comfort
from viewer.ui.window.doctor_actions import DoctorActions
from viewer.ui.window.editing import Editing
from viewer.ui.window.file_actions import FileActions, file_in, is_capture_file
from viewer.ui.window.menus import BYTES, TREE, Menus
from viewer.ui.window.open_files import OpenFiles
from viewer.ui.window.packet_place import PacketPlace
from viewer.ui.window.panes import Panes
from viewer.ui.window.parts import Parts
from viewer.ui.window.settings import Settings
from viewer.ui.window.work_area import Form
from viewer.variant.scan import COMPILED

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.panels.empty_state import EmptyState
    from viewer.ui.panels.toast import Toast
    from viewer.ui.window.guard import Guard
    from viewer.ui.window.layer_actions import LayerActions

SIZE = (1280, 800)
SMALLEST = (640, 420)


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
        self._told = ""
        self._guard: Guard | None = None
        self._dismissed: tuple[Document | None, str] = (None, "")
        self._theme = theme
        self._parts = Parts(self.session, theme.theme)
        self.setCentralWidget(self._parts.center)
        self.setStatusBar(self._parts.status)
        self._empty = self._parts.later(self._build_empty)
        self._toast = self._parts.later(self._build_toast)
        self._panes = Panes(self.session, self._parts, self._update_actions)
        self._opened = OpenFiles(self.session, self._parts.tree, theme.theme)
        self._parts.put_below_tools(self._opened.bar)
        self._files = FileActions(
            self, self.session, self._opened, self._settings, lambda: theme.theme, self._file_done
        )
        self._packets = PacketPlace(
            self,
            self._parts,
            self._opened,
            lambda: self._settings.most_packets,
            self._say,
            partial(dialogs.tell, self),
        )
        self._layers = Late(self._build_layers)
        self._editing = Editing(self, self.session, self._parts, self._say, lambda: theme.theme)
        self._comfort = Comfort(self, self.session, self._parts, settings, self._say)
        self._doctor = DoctorActions(
            self, self.session, self._parts, self._opened, self._files.show_instead, self._say, self._update_actions
        )
        self._actions = Actions(self, self.menuBar(), self._slots())
        self._editing.offer(self._actions.menus)
        self._packets.join(self._actions)
        self._states = ActionStates(self._actions, self.session, self._parts)
        self._parts.tool_row.set_actions(self._actions)
        self._menus = Menus(self, self._actions, self._files, self._settings, self._parts.status.fill_reading_menu)
        self._menus.offer_row_widths(self._set_row_width)
        self._menus.offer_themes(self._choose_theme)
        self._menus.offer_backups()
        self._menus.offer_most_packets(self._packets.keep)
        self._menus.offer_layers(lambda menu: self._layers.get().fill(menu))
        self._connect()
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self._restore()
        self._actions.set_theme(theme.theme)
        self._actions["reload_unasked"].setChecked(self._settings.reload_unasked)
        self._parts.tool_row.set_document_shown(False)
        self._update_actions()

    # Building

    def _build_empty(self, theme: Theme) -> EmptyState:
        from viewer.ui.panels.empty_state import EmptyState

        empty = EmptyState(theme)
        empty.open_requested.connect(self._files.open)
        empty.paste_requested.connect(self._files.paste)
        empty.sample_requested.connect(self._files.open_sample)
        empty.file_requested.connect(lambda name: self.open_path(Path(name)))
        self._parts.pages.addWidget(empty)
        return empty

    def _build_toast(self, theme: Theme) -> Toast:
        from viewer.ui.panels.toast import Toast

        return Toast(theme, self)

    def _build_layers(self) -> LayerActions:
        from viewer.ui.window.layer_actions import LayerActions

        return LayerActions(self, self.session, self._files.show_instead, self._say)

    def _slots(self) -> dict[str, Callable[[], object]]:
        session, files, panes = self.session, self._files, self._panes
        find, hex_view = self._parts.find, self._parts.hex
        return {
            "open": files.open,
            "paste": files.paste,
            "save": files.save,
            "save_as": files.save_as,
            "revert": files.reload,
            "reload": files.reload,
            "reload_unasked": self._switch_reloading,
            "close": files.close,
            "quit": self.close,
            "next_tab": lambda: self._opened.step(1),
            "previous_tab": lambda: self._opened.step(-1),
            "undo": session.undo,
            "redo": session.redo,
            **self._editing.slots(),
            "find": panes.show_find,
            "replace": panes.show_replace,
            "find_next": find.next,
            "find_previous": find.previous,
            "find_list": panes.toggle_results,
            "inspector": panes.toggle_inspector,
            "problems": panes.toggle_problems,
            "next_pane": lambda: panes.step(1),
            "previous_pane": lambda: panes.step(-1),
            "zoom_in": hex_view.zoom_in,
            "zoom_out": hex_view.zoom_out,
            "zoom_reset": hex_view.zoom_reset,
            "go_to": panes.edit_path,
            "back": session.back,
            "forward": session.forward,
            "next_problem": lambda: session.step_problem(1),
            "previous_problem": lambda: session.step_problem(-1),
            "stop_reading": session.stop_reading,
            **self._comfort.slots(),
            **self._doctor.slots(),
            **self._packets.slots(),
            "shortcuts": self._show_shortcuts,
            "about": lambda: dialogs.about(self, "compiled" if COMPILED else "plain Python"),
        }

    def _build_guard(self) -> None:
        """Guard the person's work from now on; offer what an earlier run left behind."""
        from viewer.ui.window.guard import Guard
        from viewer.ui.window.journal_keeper import usual_folder

        self._guard = Guard(self, self.session, self._opened, self._files, self._settings, usual_folder(), self._say)
        self._guard.offer_recovery()

    def _connect(self) -> None:
        session = self.session
        session.news_changed.connect(self._tell_notice)
        self._files.capture_opened.connect(self._packets.show_capture)
        self._packets.shown_changed.connect(self._show_page)
        session.opened.connect(self._show_document)
        session.history_changed.connect(self._update_actions)
        session.selected.connect(lambda _: self._update_actions())
        session.failed.connect(self._say)
        session.reading.changed.connect(self._tell_notice)
        session.reading.changed.connect(self._update_actions)
        session.changed.connect(lambda change: self._tell_notice() if change.structure and not change.splices else None)
        self._theme.changed.connect(self._set_theme)
        self._connect_parts(self._parts)

    def _connect_parts(self, parts: Parts) -> None:
        parts.problems.count_changed.connect(self._count_problems)
        parts.problems.count_changed.connect(parts.status.set_counts)
        parts.inspector.said.connect(self._say)
        parts.hex.insert_mode_changed.connect(self._update_actions)
        parts.hex.typing_refused.connect(lambda _: self._say("These bytes are read-only."))
        parts.find.hits_changed.connect(self._show_hits)
        parts.tree.menu_requested.connect(lambda _, place: self._menus.pop_up(TREE, place))
        parts.hex.context_menu_requested.connect(lambda asked: self._menus.pop_up(BYTES, asked.position))
        parts.hex.zoom_changed.connect(lambda zoom: setattr(self._settings, "zoom", zoom) if self._keeps else None)
        parts.layer_bar.menu_requested.connect(lambda place: self._layers.get().pop_up(place))
        parts.banner.closed.connect(self._dismiss)
        parts.work.form_changed.connect(lambda _: self._update_actions())

    # Showing

    def open_path(self, path: Path, choice: Choice | None = None) -> None:
        """Show a file, in a tab of its own."""
        self._files.open_path(path, choice)

    def show_for_picture(self, path: Path, choice: Choice | None = None) -> None:
        """Show a file at once and without questions.

        Raises:
            FileProblem: it cannot be read.
        """
        if is_capture_file(path):
            self._packets.show_capture(path, files.read(path)[0])
        else:
            self.session.show(Document.open(path, choice))

    def settle(self) -> None:
        """Let everything that comes a moment later happen now, for a picture."""
        self._packets.finish()
        self._parts.problems.refresh_now()
        self._doctor.finish()
        self._parts.work.share_width()
        QApplication.processEvents()
        self._parts.work.share_width()
        QApplication.processEvents()

    def _show_document(self) -> None:
        document = self.session.document
        self._parts.tool_row.set_document_shown(document is not None)
        self._tell_notice()
        self._show_page()
        if document is not None:
            self._parts.tree.setFocus()
        self._update_actions()

    def _show_page(self) -> None:
        """The panes, or what to do where there is nothing to show in them."""
        if self.session.document is not None or self._packets.is_shown:
            self._parts.pages.setCurrentWidget(self._parts.work)
        else:
            self._show_empty()

    def _show_empty(self) -> None:
        from viewer.ui.window.samples import samples

        empty = self._empty.get()
        empty.set_recent(self._settings.recent if self._keeps else [])
        empty.set_samples(samples())
        self._parts.pages.setCurrentWidget(empty)
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
        banner = self._parts.banner
        if found is None or (document, found.sentence) == self._dismissed:
            banner.hide()
            return
        remedies: dict[Remedy, Callable[[], object]] = {
            Remedy.RELOAD: self._files.reload,
            Remedy.READ_ON: self.session.read_on,
            Remedy.PASSWORD: self._files.unlock,
            Remedy.LAYERS: lambda: self._layers.get().pop_up(banner.mapToGlobal(banner.rect().bottomLeft())),
            Remedy.NO_OBJECTS: self._drop_objects,
            Remedy.READ_AS: lambda: self._menus.pop_up_readings(banner.mapToGlobal(banner.rect().bottomRight())),
        }
        self._told = found.sentence
        banner.tell(found.sentence, found.severity, found.remedy.value, remedies.get(found.remedy))

    def _dismiss(self) -> None:
        """A person closed the banner: that sentence is not said again of this document."""
        self._dismissed = (self.session.document, self._told)

    def _drop_objects(self) -> None:
        """Put null in the place of every embedded object."""
        document = self.session.document
        if document is not None:
            try:
                self.session.apply(without_objects(document))
            except EditError as error:
                self._say(str(error))

    def _may_drop_recorded(self) -> bool:
        """Whether nothing recorded would be lost, or the person does not mind."""
        return not self._packets.has_recorded or dialogs.ask_drop_recorded(self)

    def _update_actions(self) -> None:
        """Let actions and title say what can be done, and to which file."""
        document = self.session.document
        self._states.update()
        self.setWindowModified(document is not None and document.modified)
        self.setWindowTitle(f"{document.name}[*]" if document else "Variant Viewer")

    def _set_theme(self, theme: Theme) -> None:
        self._actions.set_theme(theme)
        self._parts.set_theme(theme)
        self._opened.set_theme(theme)

    def _choose_theme(self, name: str) -> None:
        self._theme.choose(name)
        if self._keeps:
            self._settings.theme = name

    def _switch_reloading(self) -> None:
        self._settings.reload_unasked = self._actions["reload_unasked"].isChecked()

    def _set_row_width(self, columns: int) -> None:
        self._parts.hex.set_row_width(columns)
        self._parts.work.share_width()
        if self._keeps:
            self._settings.row_width = columns

    def _show_hits(self) -> None:
        self._parts.bridge.show_hits(self._parts.find.hits, self._parts.find.current)
        self._states.update_find()

    def _count_problems(self) -> None:
        self._panes.follow_problems()
        self._parts.bridge.refresh()
        self._tell_notice()

    def _show_shortcuts(self) -> None:
        from viewer.ui.window.shortcuts_dialog import ShortcutsDialog

        ShortcutsDialog(self).exec()

    # Remembering

    def _restore(self) -> None:
        self.resize(*SIZE)
        if not self._keeps:
            return
        self.restoreGeometry(self._settings.state("geometry"))
        self._parts.hex.set_row_width(self._settings.row_width)
        self._parts.hex.set_zoom(self._settings.zoom)
        self._parts.work.show_inspector(self._settings.flag("inspector", default=True))

    def _remember(self) -> None:
        if not self._keeps:
            return
        self._settings.keep_state("geometry", self.saveGeometry())
        self._settings.keep_state("panes", self._parts.work.save_state())
        if self._parts.work.form is Form.WIDE:
            self._settings.keep_flag("inspector", self._parts.work.inspector_shown)

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
            if self._guard is None:
                QTimer.singleShot(0, self._build_guard)
            QTimer.singleShot(0, lambda: self._parts.work.restore_state(self._settings.state("panes")))

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._files.may_leave() and self._may_drop_recorded():
            self._remember()
            self._files.leave()
            self._packets.leave()
            self._doctor.leave()
            if self._guard is not None:
                self._guard.leave()
            self.session.reading.leave()
            event.accept()
        else:
            event.ignore()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if file_in(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = file_in(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.open_path(path)
