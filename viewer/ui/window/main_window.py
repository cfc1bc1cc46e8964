"""A view: menus, panes and the session behind them, joined; it holds no rule of its own.

It is a window of the system, or one of two sides of one, see :mod:`viewer.ui.window.windows`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QSessionManager, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QMenuBar

from viewer.base.assets import user_folder
from viewer.base.buffer import Buffer
from viewer.base.words import grouped_in
from viewer.document import outline
from viewer.document.change import Change, place_of
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.ui import dialogs
from viewer.ui.hex.view import MenuRequest
from viewer.ui.lazy import LazyPart
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_title
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.window.actions import Actions
from viewer.ui.window.arrangement import Arrangement
from viewer.ui.window.doctor_actions import DoctorActions
from viewer.ui.window.edit_actions import Editing
from viewer.ui.window.file_actions import FileActions, FileDrops, is_capture_file
from viewer.ui.window.file_notice import FileNotice
from viewer.ui.window.menus import BYTES, TEXT, TREE, ActionStates, Menus
from viewer.ui.window.open_files import OpenFiles
from viewer.ui.window.packets_controller import PacketsController
from viewer.ui.window.panes import Pages, Panes
from viewer.ui.window.parts import Parts
from viewer.ui.window.profile_actions import ProfileActions
from viewer.ui.window.quick_access import QuickAccess
from viewer.ui.window.sheet_actions import SheetActions
from viewer.ui.window.text_actions import TextActions
from viewer.ui.window.window_actions import WindowActions
from viewer.ui.window.window_state import WindowState
from viewer.variant.scan import COMPILED

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.panels.toast import Toast
    from viewer.ui.window.compare_actions import CompareActions
    from viewer.ui.window.file_copies import FileCopies
    from viewer.ui.window.first_rows import FirstRows
    from viewer.ui.window.help_window import HelpWindow
    from viewer.ui.window.layer_actions import LayerActions
    from viewer.ui.window.layout_actions import LayoutActions
    from viewer.ui.window.message_list import MessageList
    from viewer.ui.window.timeline_actions import TimelineActions
    from viewer.ui.window.windows import Windows
    from viewer.ui.window.work_guard import WorkGuard

SMALLEST = (640, 420)
TAKING = ("delete", "cut", "table_delete")
"""Actions after which undo is offered."""
GUARD_AFTER = 250
"""Milliseconds until unsaved work of earlier runs is offered, so that the first rows need not wait for that."""


class MainWindow(QMainWindow):
    """One view with its open documents.

    Args:
        settings: what to remember, None to remember nothing.
        theme: gives the theme and tells when it changes.
        windows: all windows of the program, None where this is the only one.
        rows: what shows the values of a file already, None for nothing.

    Signals:
        retitled: its title is another one.
    """

    retitled = Signal()

    def __init__(
        self,
        settings: Settings | None,
        theme: ThemeController,
        windows: Windows | None = None,
        rows: FirstRows | None = None,
    ) -> None:
        super().__init__()
        self._windows = windows
        self.setObjectName("mainWindow")
        self.session = rows.session if rows is not None else Session()
        self.session.setParent(self)
        self._settings = settings or Settings()
        self._keeps = settings is not None
        self._theme = theme
        self._guard: WorkGuard | None = None
        self._offers = False
        self._build_parts(theme.theme, rows)
        self._build_rooms(settings)
        self._build_actions()
        self._notice = FileNotice(self.session, self._parts.banner, self._files, self._menus, self._layers, self._say)
        self._connect()
        self._connect_parts(self._parts)
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self._remembering.restore()
        self._actions.set_theme(theme.theme)
        self._parts.tool_row.set_document_shown(False)
        self._update_actions()

    # Building

    def _build_parts(self, theme: Theme, rows: FirstRows | None) -> None:
        """The widgets of the window."""
        self._parts = Parts(self.session, theme, rows)
        self.setCentralWidget(self._parts.center)
        self.setStatusBar(self._parts.status)
        self._toast = self._parts.later(self._build_toast)
        self._messages = self._parts.later(self._build_messages)
        self._help = self._parts.later(self._build_help)
        self._panes = Panes(self.session, self._parts, self._update_actions)
        self._opened = OpenFiles(self.session, self._parts.tree, theme)
        self._parts.put_below_tools(self._opened.bar)

    def _build_rooms(self, settings: Settings | None) -> None:
        """What does the work behind the actions, each its own subject."""
        session, parts, opened = self.session, self._parts, self._opened
        readings = user_folder("readings") if settings is not None else None
        self._files = FileActions(self, session, opened, self._settings, self._theme_now, self._file_done, readings)
        fail = partial(dialogs.tell, self)
        self._packets = PacketsController(self, parts, opened, lambda: self._settings.most_packets, self._say, fail)
        self._pages = Pages(session, parts, self._packets, self._files, settings, self._show_games)
        show_inspector = self._panes.show_inspector
        self._arrangement = Arrangement(session, parts, self._packets, settings, self._say, show_inspector)
        self._layers = LazyPart(self._build_layers)
        self._layouts = LazyPart(self._build_layouts)
        self._copies = LazyPart(self._build_copies)
        self._compares = LazyPart(self._build_compares)
        self._timelines = LazyPart(self._build_timelines)
        self._editing = Editing(self, session, parts, self._say, self._say_undo, self._theme_now)
        self._comfort = QuickAccess(self, session, parts, settings, self._say, self._update_actions)
        show_instead = self._files.show_instead
        self._text = TextActions(session, parts, self._say, self._pop_up_text)
        plot = self._editing.plot_column
        self._sheets = SheetActions(session, parts, self._say, self._pop_up_table, self._update_table, plot)
        self._profiles = ProfileActions(self, session, parts, settings, self._say, self._update_actions)
        self._doctor = DoctorActions(self, session, parts, opened, show_instead, self._say, self._update_actions)
        self._drops = FileDrops(self)
        self._remembering = WindowState(self, parts, self._theme, settings, self._windows is None)
        self._sides = WindowActions(self, self._windows)

    def _build_actions(self) -> None:
        """The menus, and the actions in them, that ask the rooms to do something."""
        self._bar = super().menuBar()
        self._actions = Actions(self, self._bar, self._slots())
        self._sides.join(self._actions)
        self._set_switches()
        self._editing.offer(self._actions.menus)
        self._packets.join(self._actions)
        self._states = ActionStates(self._actions, self.session, self._parts)
        self._states.ask_table(self._sheets.why_not)
        self._parts.tool_row.set_actions(self._actions)
        self._menus = Menus(self, self._actions, self._files, self._settings, self._parts.status.fill_reading_menu)
        self._menus.popping_up = self._states.explain_in
        self._menus.offer_row_widths(self._remembering.choose_row_width)
        self._menus.offer_columns(self._parts.tree.columns)
        self._menus.offer_themes(self._remembering.choose_theme)
        self._menus.offer_backups()
        self._menus.offer_most_packets(self._packets.keep)
        self._menus.offer("layers", lambda menu: self._layers.get().fill(menu))
        self._menus.offer("save_for", lambda menu: self._copies.get().fill_engines(menu))
        self._menus.offer("save_kind", lambda menu: self._copies.get().fill_kinds(menu))
        self._menus.offer("profile", self._profiles.fill)
        self._menus.offer("compare_with", lambda menu: self._compares.get().fill(menu))

    def _set_switches(self) -> None:
        """Check what is on; another window may have changed it."""
        self._actions["reload_unasked"].setChecked(self._settings.reload_unasked)
        self._actions["reopen"].setChecked(self._settings.reopens)

    def _build_toast(self, theme: Theme) -> Toast:
        from viewer.ui.panels.toast import Toast

        toast = Toast(theme, self)
        toast.left.connect(self.take_keys)
        return toast

    def _build_messages(self, theme: Theme) -> MessageList:
        from viewer.ui.window.message_list import MessageList

        toast = self._toast.get()
        return MessageList(theme, self._parts, lambda: toast.said, toast.show_again)

    def _build_help(self, theme: Theme) -> HelpWindow:
        from viewer.ui.window.help_window import HelpWindow

        return HelpWindow(self, theme)

    def _show_help(self, page: str = "") -> None:
        """Show the help, at a page where one is named."""
        self._help.get().open(page)

    def _build_layers(self) -> LayerActions:
        from viewer.ui.window.layer_actions import LayerActions

        return LayerActions(self, self.session, self._files.show_instead, self._say)

    def _build_copies(self) -> FileCopies:
        from viewer.ui.window.file_copies import FileCopies

        return FileCopies(self, self.session, self._theme_now, self._file_done)

    def _build_compares(self) -> CompareActions:
        from viewer.ui.window.compare_actions import CompareActions

        return CompareActions(self, self.session, self._opened, self._theme_now, self._say)

    def _build_timelines(self) -> TimelineActions:
        from viewer.ui.window.timeline_actions import TimelineActions

        return TimelineActions(self, self.session, self._opened, self._compares.get, self._theme_now, self._say)

    def _build_layouts(self) -> LayoutActions:
        from viewer.ui.window.layout_actions import LayoutActions

        opened = self._opened
        return LayoutActions(self, self.session, self._theme_now, lambda: opened.documents, self._say_with)

    def _build_guard(self) -> None:
        """Guard the person's work from now on, where that is not done already."""
        if self._guard is not None:
            return
        from viewer.ui.window.journal_keeper import JournalKeeper, usual_folder
        from viewer.ui.window.work_guard import WorkGuard

        if self._windows is not None:
            journals = self._windows.journals()
        else:
            journals = JournalKeeper(self.session, lambda: self._opened.documents, usual_folder(), self._say)
        self._guard = WorkGuard(self, self.session, self._opened, self._files, self._settings, journals, self._say)
        self._guard.told_news.connect(self._tell_news)
        if user_folder("timelines").is_dir():
            self._timelines.get().follow()

    def _tell_news(self, old: Document, new: Document, sentence: str) -> None:
        """Say what another program has changed in a file, and offer all of it beside how it was."""
        self._compares.get().keep_before(old, new)
        self._say_with(sentence, "Show All Changes", self._compares.get().with_before)

    def _offer_kept(self) -> None:
        """Offer what an earlier run left behind."""
        self._build_guard()
        is_first = self._windows is None or self._windows.takes_offer()
        if self._guard is not None and self.isVisible() and is_first:
            self._guard.offer_kept()

    def _show_kept(self) -> None:
        """List the unsaved changes of earlier runs."""
        if self._guard is not None:
            self._guard.show_kept(self._theme_now())

    def _slots(self) -> dict[str, Callable[[], object]]:
        session, files, hex_view = self.session, self._files, self._parts.hex
        slots: dict[str, Callable[[], object]] = {
            "open": files.open,
            "paste": files.paste,
            "games": self._show_games,
            "save": files.save,
            "save_as": files.save_as,
            "recover": self._show_kept,
            "revert": files.reload,
            "reload": files.reload,
            "reload_unasked": self._switch_reloading,
            "reopen": self._switch_reopening,
            "close": files.close,
            "quit": self.close if self._windows is None else self._windows.quit,
            "next_tab": partial(self._opened.step, 1),
            "previous_tab": partial(self._opened.step, -1),
            "undo": partial(self._step_history, session.undo, "Undone"),
            "redo": partial(self._step_history, session.redo, "Done again"),
            "find_next": self._parts.find.next,
            "find_previous": self._parts.find.previous,
            "zoom_in": hex_view.zoom_in,
            "zoom_out": hex_view.zoom_out,
            "zoom_reset": hex_view.zoom_reset,
            "back": session.back,
            "forward": session.forward,
            "next_problem": partial(session.step_problem, 1),
            "dismiss_news": session.dismiss_news,
            "previous_problem": partial(session.step_problem, -1),
            "stop_reading": session.stop_reading,
            "compare_file": lambda: self._compares.get().with_file(),
            "merge": lambda: self._compares.get().merge(),
            "timeline": lambda: self._timelines.get().show(),
            "compare_before": lambda: self._compares.get().with_before(),
            "describe": lambda: self._layouts.get().describe(),
            "undescribe": lambda: self._layouts.get().undescribe(),
            "forget_layout": lambda: self._layouts.get().forget(),
            "open_layout": lambda: self._layouts.get().open_file(),
            "shortcuts": self._show_shortcuts,
            "utf8": self._remembering.switch_utf8,
            "messages": lambda: self._messages.get().toggle(),
            "help": self._show_help,
            "bulk_guide": partial(self._show_help, "bulk-edit"),
            "about": lambda: dialogs.about(self, "compiled" if COMPILED else "plain Python"),
            **self._editing.slots(),
            **self._panes.slots(),
            **self._arrangement.slots(),
            **self._comfort.slots(),
            **self._doctor.slots(),
            **self._text.slots(),
            **self._sheets.slots(),
            **self._profiles.slots(),
            **self._packets.slots(),
            **self._sides.slots(),
        }
        slots |= {name: partial(self._offering_undo, slots[name]) for name in TAKING}
        changing = (*self._editing.slots(), *self._sheets.slots())
        return slots | {name: partial(self._after_typing, slots[name]) for name in changing}

    def _after_typing(self, do: Callable[[], object]) -> None:
        """Change something by a key while a cell is still being edited: what is typed there goes before."""
        self._parts.settle_fields()
        do()

    def _step_history(self, step: Callable[[], Change | None], word: str) -> None:
        """Undo or redo; what changes beside the selected value is told, and can be shown."""
        self.session.settle()
        document = self.session.document
        if document is None:
            return
        history = document.history
        label = history.undo_label if word == "Undone" else history.redo_label
        change = step()
        if change is not None and self._text.go_to_change():
            return
        at = place_of(change.splices) if change is not None and not change.focus and not change.waits else None
        found = outline.item_at(document, at) if at is not None else None
        shown = self.session.item
        if (
            at is not None
            and found is not None
            and (shown is None or (shown.frame, shown.node) != (found.frame, found.node))
        ):
            self._say_with(f"{word}: {label}.", "Show", partial(self._show_changed, document, document.revision, at))

    def _show_changed(self, document: Document, revision: int, at: int) -> None:
        """Go to what an undo changed, while nothing was done since."""
        found = outline.item_at(document, at) if document.revision == revision else None
        if found is not None and self.session.document is document:
            self.session.select(outline.row_item(document, found))

    def _offering_undo(self, take: Callable[[], object]) -> None:
        """Take values away, and offer to take that back."""
        document, grid = self.session.document, self._parts.grid
        before = document.history.done if document is not None else 0
        is_values = self._parts.tree.hasFocus() or (grid is not None and grid.in_use)
        take()
        if not is_values or document is None or document is not self.session.document:
            return
        done, label = document.history.done, document.history.undo_label
        if done > before:
            words = label.replace("Delete ", "Deleted ", 1).replace("Remove ", "Removed ", 1)
            self._say_undo(f"{words}.")

    def _say_undo(self, sentence: str) -> None:
        """Tell what was done last, and offer to take it back."""
        document = self.session.document
        if document is not None:
            document.history.seal()  # what is told of stays a step of its own
            history, edit = document.history, document.history.last
            undo = partial(self._undo_that, document, edit)
            self._toast.get().show_text(grouped_in(sentence), "Undo", undo, document, lambda: history.last is edit)

    def _undo_that(self, document: Document, edit: Edit | None) -> None:
        """Undo an edit, unless something else was done meanwhile: then say so."""
        self.session.settle()
        if self.session.document is not document or edit is None:
            return
        if document.history.last is edit:
            self.session.undo()
            self._text.go_to_change()
        elif not document.history.is_done(edit):
            self._say("That was already undone.")
        else:
            self._say("Something was changed after that: undo it first, with Ctrl+Z.")

    def _connect(self) -> None:
        session = self.session
        self._files.capture_opened.connect(self._show_capture)
        self._packets.compare_wanted.connect(lambda old, new: self._compares.get().with_packet(old, new))
        self._packets.columns_wanted.connect(lambda found: self._compares.get().show_columns(found))
        self._drops.hovering.connect(self._pages.mark_drop)
        self._drops.dropped.connect(self._files.open_all)
        session.opened.connect(self._show_document)
        session.history_changed.connect(self._update_actions)
        session.typing_changed.connect(self._update_actions)
        session.history_changed.connect(self._packets.follow_change)
        session.opened.connect(self._packets.follow_change)
        session.news_changed.connect(self._update_actions)
        session.selected.connect(self._update_actions)
        session.failed.connect(self._say)
        session.reading.changed.connect(self._update_actions)
        self._opened.listed.connect(self._update_actions)
        self._theme.changed.connect(self._set_theme)

    def _connect_parts(self, parts: Parts) -> None:
        parts.problems.count_changed.connect(self._count_problems)
        parts.problems.count_changed.connect(parts.status.set_counts)
        parts.inspector.said.connect(self._say)
        parts.hex.insert_mode_changed.connect(self._update_actions)
        parts.hex.typing_refused.connect(self._say_read_only)
        parts.find.hits_changed.connect(self._show_hits)
        parts.tree.menu_requested.connect(self._pop_up_tree)
        parts.hex.context_menu_requested.connect(self._pop_up_bytes)
        parts.layer_bar.menu_requested.connect(self._pop_up_layers)
        parts.work.form_changed.connect(self._update_actions)
        parts.work.bytes_turned.connect(self._update_actions)
        parts.bytes.turned.connect(self._update_actions)

    # For the window that it is in

    def menuBar(self) -> QMenuBar:
        return self._bar  # which may lie over two views

    @property
    def files(self) -> FileActions:
        """Opens and saves its files."""
        return self._files

    @property
    def opened(self) -> OpenFiles:
        """Its tabs."""
        return self._opened

    @property
    def is_empty(self) -> bool:
        """Whether nothing is shown."""
        return not self._opened.documents and not self._packets.is_shown

    def say(self, sentence: str) -> None:
        """Tell something that stays when another file is shown."""
        self._file_done(sentence)

    def take_keys(self) -> None:
        """Give the keys to the values, or to where one can begin."""
        page = self._parts.pages.currentWidget()
        if self.session.document is not None:
            self._parts.give_keys()
        elif page is not None:
            page.setFocus()

    def update_windows(self) -> None:
        """The windows are other ones, or divided otherwise."""
        self._sides.update()

    def fill_tab_menu(self, menu: QMenu) -> None:
        """Offer what can be done with the tab that is shown."""
        self._sides.fill_tab_menu(menu)

    # Showing

    def open_path(self, path: Path, choice: ReadOptions | None = None) -> None:
        """Show a file, in a tab of its own."""
        self._files.open_path(path, choice)

    def take_rows(self, rows: FirstRows) -> None:
        """Go on with what shows the values of a file already."""
        self._files.show_read(rows.document, rows.path)

    def show_for_picture(self, path: Path, choice: ReadOptions | None = None) -> None:
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
        self._profiles.look()
        self._doctor.finish()
        self._parts.work.share_width()
        QApplication.processEvents()
        self._parts.work.share_width()
        self._parts.hex.finish()
        QApplication.processEvents()

    def _show_document(self) -> None:
        document = self.session.document
        if self._toast.part is not None:
            self._toast.part.follow(document)
        self._parts.tool_row.set_document_shown(document is not None)
        self._notice.tell()
        self._pages.turn()
        if document is not None and not (self._opened.stays and QApplication.focusWidget() is not None):
            self._parts.give_keys()
        self._update_actions()

    def _say(self, sentence: str) -> None:
        """Tell something about what is shown; it goes when another file is."""
        self._toast.get().show_text(grouped_in(sentence), about=self.session.document)

    def _say_with(self, sentence: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Tell something about what is shown, with a button that does something about it."""
        self._toast.get().show_text(grouped_in(sentence), action, do, self.session.document)

    def _file_done(self, sentence: str) -> None:
        """Tell something about a file by its name; it stays when another one is shown."""
        self._toast.get().show_text(grouped_in(sentence))
        self._notice.tell()

    def _say_read_only(self, *_: object) -> None:
        self._say("These bytes are read-only.")

    def _pop_up_tree(self, _: object, place: QPoint) -> None:
        self._menus.pop_up(TREE, place)

    def _pop_up_table(self, names: tuple[str, ...], place: QPoint) -> None:
        self._menus.pop_up(names, place)

    def _update_table(self) -> None:
        self._states.update_table()
        self._states.update_switches()

    def _pop_up_bytes(self, asked: MenuRequest) -> None:
        self._menus.pop_up(BYTES, asked.position)

    def _pop_up_text(self, place: object) -> None:
        assert isinstance(place, QPoint)
        self._menus.pop_up(TEXT, place)

    def _pop_up_layers(self, place: QPoint) -> None:
        self._layers.get().pop_up(place)

    def may_drop_recorded(self, when: str) -> bool:
        """Whether nothing recorded would be lost, or the person does not mind."""
        return not self._packets.has_recorded or dialogs.ask_drop_recorded(self, when)

    def _show_capture(self, path: Path, buffer: Buffer) -> None:
        if self.may_drop_recorded("others take their place"):
            self._packets.show_capture(path, buffer)

    def _update_actions(self, *_: object) -> None:
        """Let actions and title say what can be done, and to which file."""
        if self.session.reading.is_handing_over:
            return  # its end is told next
        document = self.session.document
        self._states.update()
        if self._toast.part is not None:
            self._toast.part.check()
        self._actions["hidden_keys"].setChecked(self._profiles.shows_all)
        self.setWindowModified(False)  # Qt wants the mark's place in the title before there is a mark
        self.setWindowTitle(f"{in_title(self._opened.label(document))}[*]" if document else "Variant Viewer")
        self.setWindowModified(document is not None and document.modified)
        self.retitled.emit()

    def _theme_now(self) -> Theme:
        """The theme of the moment."""
        return self._theme.theme

    def _set_theme(self, theme: Theme) -> None:
        self._actions.set_theme(theme)
        self._parts.set_theme(theme)
        self._opened.set_theme(theme)
        for part in (self._compares.part, self._timelines.part):
            if part is not None:
                part.set_theme(theme)

    def _switch_reloading(self) -> None:
        self._settings.reload_unasked = self._actions["reload_unasked"].isChecked()

    def _switch_reopening(self) -> None:
        self._settings.reopens = self._actions["reopen"].isChecked()

    def _show_hits(self) -> None:
        self._parts.bridge.show_hits(self._parts.find.hits, self._parts.find.current)
        self._parts.tree.show_found(self._parts.find.runner.found)
        self._text.show_hits()
        self._states.update_find()

    def _count_problems(self) -> None:
        self._panes.follow_problems()
        self._parts.bridge.show_findings()
        self._text.refresh()
        self._notice.tell()

    def _show_games(self) -> None:
        """List the games on this system, and open the save that is chosen."""
        from viewer.ui.window.games_dialog import GamesDialog

        dialog = GamesDialog(self, self._theme_now())
        if dialog.exec() and dialog.chosen is not None:
            self._files.open_path(dialog.chosen)
        dialog.deleteLater()

    def _show_shortcuts(self) -> None:
        from viewer.ui.window.shortcuts_dialog import ShortcutsDialog

        ShortcutsDialog(self).exec()

    # Qt

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._notice.tell()
            self._set_switches()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.session.document is None and not event.spontaneous():
            self._show_document()
        if self._keeps and not event.spontaneous() and not self._offers:
            self._offers = True
            self.session.settling.connect(self._build_guard)  # before the first edit
            QTimer.singleShot(GUARD_AFTER, self, self._offer_kept)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # and so it stays where anything goes wrong
        if not (self.may_drop_recorded("the program ends") and self._files.may_leave()):
            return
        event.accept()
        with ExitStack() as leaving:
            leaving.callback(self.leave)
            leaving.callback(self._remembering.keep_shape)

    def keep_inspector(self) -> None:
        """Have the next start show the inspector, or not."""
        self._remembering.keep_inspector()

    def leave(self, is_last: bool = True) -> None:
        """The view goes, with everything that works for it; with the last one the program ends."""
        with ExitStack() as leaving:  # each of them, whatever becomes of another; the last one here is the first
            if not is_last:
                leaving.callback(self.session.show, None)
            leaving.callback(self.session.reading.leave)
            if self._guard is not None:
                leaving.callback(self._guard.leave, is_last)
            for part in (self._compares.part, self._timelines.part):
                if part is not None:
                    leaving.callback(part.leave)
            leaving.callback(self._doctor.leave)
            leaving.callback(self._packets.leave)
            leaving.callback(self._files.leave)

    def end_session(self, manager: QSessionManager) -> None:
        """The person logs out: ask about what is unsaved, where the system lets a program ask."""
        if manager.allowsInteraction():
            if not (self.may_drop_recorded("the session ends") and self._files.may_leave()):
                manager.cancel()
            manager.release()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._drops.take(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._drops.take(event)
