"""All windows of the program: they share settings, journals and open documents, and are left with one question."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication, QMenu

from viewer.base.record import replace
from viewer.document.document import Document
from viewer.document.selection import NavigationHistory
from viewer.ui.look.theme import ThemeController
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.window.main_window import MainWindow
from viewer.ui.window.split_window import SplitWindow

if TYPE_CHECKING:  # built late, or before all else
    from viewer.ui.window.first_rows import FirstRows
    from viewer.ui.window.journal_keeper import JournalKeeper
    from viewer.ui.window.kept_windows import KeptWindows

OFFSET = QPoint(32, 32)
"""So far a new window lies from the one that it was opened in."""
KEEP_AFTER = 300
"""Milliseconds after which it is kept which files are open."""
RESTORE_AFTER, RESTORE_WAITS = 60, 10
"""Milliseconds until other files are opened again beside one that is opened at the start, which is painted first; and
how often they wait again where that is still being read."""


class Windows(QObject):
    """Opens, divides and closes windows.

    Args:
        settings: what all of them remember.
        theme: what all of them wear.

    Attributes:
        frames: the windows, the oldest first.
    """

    def __init__(self, settings: Settings, theme: ThemeController) -> None:
        super().__init__()
        self._settings, self._theme = settings, theme
        self.frames: list[SplitWindow] = []
        self._journals: JournalKeeper | None = None
        self._kept: KeptWindows | None = None
        self._has_offered = False
        self._waits = RESTORE_WAITS
        self._soon = QTimer(self, singleShot=True, interval=KEEP_AFTER)
        self._soon.timeout.connect(self._keep)

    @property
    def views(self) -> list[MainWindow]:
        """All views, window by window."""
        return [side for frame in self.frames for side in frame.sides]

    @property
    def active(self) -> SplitWindow:
        """The window that is used, or the last one."""
        return next((frame for frame in self.frames if frame.isActiveWindow()), self.frames[-1])

    def frame_of(self, view: MainWindow) -> SplitWindow:
        """The window that a view is in."""
        return next(frame for frame in self.frames if view in frame.sides)

    # What the views share

    def documents(self) -> list[Document]:
        """All open documents; one that several views show is there once."""
        found = {id(document): document for view in self.views for document in view.opened.documents}
        return list(found.values())

    def journals(self) -> JournalKeeper:
        """What writes down the changes of all views."""
        if self._journals is None:
            from viewer.ui.window.journal_keeper import JournalKeeper, usual_folder

            self._journals = JournalKeeper(self, self.documents, usual_folder(), self._say)
        return self._journals

    def takes_offer(self) -> bool:
        """Whether what an earlier run left behind is still to be offered; said once."""
        first, self._has_offered = not self._has_offered, True
        return first

    def _say(self, sentence: str) -> None:
        self.active.active.say(sentence)

    def _beside(self, session: Session) -> Sequence[Session]:
        """The sessions of other views that show the same document."""
        if session.document is None:
            return ()
        sessions = (view.session for view in self.views)
        return [other for other in sessions if other is not session and other.document is session.document]

    def _elsewhere(self, view: MainWindow) -> list[Document]:
        return [document for other in self.views if other is not view for document in other.opened.documents]

    def _exchange(self, view: MainWindow, old: Document, new: Document) -> None:
        for other in self.views:
            if other is not view:
                other.opened.exchange(old, new)

    def _name_tabs(self, view: MainWindow) -> None:
        """A document may have changed, or be saved, that other views have in a tab."""
        for other in self.views:
            if other is not view:
                other.opened.name_tabs()

    # Opening

    def open(self, beside: SplitWindow | None = None) -> SplitWindow:
        """Make a window with nothing open; it is not shown yet."""
        frame = SplitWindow(self._may_close)
        frame.take_first_size()
        if beside is None:
            frame.restoreGeometry(self._settings.state("geometry"))
        else:
            frame.resize(beside.normalGeometry().size())
            frame.move(_beside(beside))
        return self.take(frame)

    def take(self, frame: SplitWindow, rows: FirstRows | None = None) -> SplitWindow:
        """Put a view with nothing open into a window that has none yet; it takes over the *rows* that are there."""
        frame.may_close = self._may_close
        self.frames.append(frame)
        frame.add(self._view(rows))
        frame.turned.connect(self._refresh)
        frame.reshaped.connect(self.keep_soon)
        self._refresh()
        return frame

    def new_window(self) -> SplitWindow:
        """Show another window with nothing open."""
        frame = self.open(self.active)
        frame.show()
        frame.activateWindow()
        return frame

    def _view(self, rows: FirstRows | None = None) -> MainWindow:
        view = MainWindow(self._settings, self._theme, self, rows)
        view.session.beside = partial(self._beside, view.session)
        view.opened.elsewhere = partial(self._elsewhere, view)
        view.opened.exchanged.connect(partial(self._exchange, view))
        view.opened.listed.connect(partial(self._follow_tabs, view))
        view.session.history_changed.connect(partial(self._name_tabs, view))
        view.opened.menu_requested.connect(partial(self._offer_moves, view))
        return view

    def _follow_tabs(self, view: MainWindow) -> None:
        """A side of a divided window that nothing is open in any more goes."""
        self.keep_soon()
        if not view.opened.documents:
            QTimer.singleShot(0, view, partial(self._close_empty, view))
        self._refresh()

    def _close_empty(self, view: MainWindow) -> None:
        if view in self.views and self.frame_of(view).is_split and view.is_empty:
            self.close_side(view)
        self._refresh()

    # Dividing a window

    def split(self, view: MainWindow, below: bool) -> None:
        """Show the file of a view a second time, beside or below it."""
        frame = self.frame_of(view)
        entry = view.opened.shown()
        if frame.is_split:
            return
        other = self.divide(frame, below)
        if entry is not None:
            place = replace(entry.place, inside=None, places=NavigationHistory()) if entry.place is not None else None
            other.opened.take(replace(entry, place=place))
        frame.turn_to(other)

    def divide(self, frame: SplitWindow, below: bool) -> MainWindow:
        """Give a window a second side, with nothing open in it."""
        other = self._view()
        frame.add(other, below)
        return other

    def turn_over(self, view: MainWindow) -> None:
        """Go to the other side of a divided window."""
        other = self.frame_of(view).other()
        if other is not None:
            self.frame_of(view).turn_to(other)

    def close_split(self, view: MainWindow) -> None:
        """Give the active side all of the window; the files of the other side go on in it, so that nothing is lost."""
        frame = self.frame_of(view)
        other = frame.other()
        if other is None or not other.may_drop_recorded("this side is closed"):
            return
        shown = view.opened.shown()
        self._hand_over(other, view)
        if shown is not None:
            view.files.show_open(shown.document)
        self.close_side(other)

    def _hand_over(self, here: MainWindow, there: MainWindow) -> None:
        for document in here.opened.documents:
            if there.opened.place_of(document) < 0:
                there.opened.add(document)

    def close_side(self, view: MainWindow) -> None:
        """Close a side of a divided window, with what is open in it."""
        self.frame_of(view).take_out(view)
        view.leave(is_last=False)
        view.deleteLater()
        self._refresh()
        self.keep_soon()

    # Moving tabs

    def move(self, view: MainWindow, there: MainWindow) -> None:
        """Let the shown file of a view go on in another one."""
        entry = view.opened.shown()
        if entry is None:
            return
        if there.opened.place_of(entry.document) >= 0:
            there.files.show_open(entry.document)
        else:
            there.opened.take(entry)
        view.opened.close_current()
        frame = self.frame_of(there)
        frame.turn_to(there)
        frame.activateWindow()

    def move_to_new(self, view: MainWindow) -> None:
        """Let the shown file of a view go on in a window of its own."""
        if view.opened.shown() is not None:
            self.move(view, self.new_window().active)

    def move_over(self, view: MainWindow) -> None:
        """Let the shown file of a view go on in the other side, which is made where there is none, or window."""
        there = self.frame_of(view).other() or self._next_window(view)
        if there is not None:
            self.move(view, there)

    def _next_window(self, view: MainWindow) -> MainWindow | None:
        number = self.frames.index(self.frame_of(view))
        following = self.frames[(number + 1) % len(self.frames)]
        return following.active if following is not self.frames[number] else None

    def _offer_moves(self, view: MainWindow, number: int, place: QPoint) -> None:
        """Offer what can be done with a tab."""
        view.opened.switch(number)
        menu = QMenu(view)
        menu.setToolTipsVisible(True)
        view.fill_tab_menu(menu)
        menu.popup(place)
        menu.aboutToHide.connect(menu.deleteLater)

    # What can be done

    def why_not(self, view: MainWindow, name: str) -> str:
        """Why an action of windows cannot be chosen in a view now, empty where it can."""
        frame = self.frame_of(view)
        if name in ("other_side", "close_split"):
            return "" if frame.is_split else "The window is not split"
        if not view.opened.documents:
            return "" if name in ("new_window", "close_window") else "No file is open"
        if name == "move_to_new":
            is_alone = len(view.opened.documents) == 1 and not frame.is_split
            return "It is the only file of this window" if is_alone else ""
        if name == "move_over":
            return "" if frame.is_split or len(self.frames) > 1 else "There is no other side or window"
        if name in ("split_right", "split_below"):
            return "The window is split already" if frame.is_split else ""
        return ""

    def _refresh(self) -> None:
        for view in self.views:
            view.update_windows()

    # Leaving

    def close_window(self, view: MainWindow) -> None:
        """Close the window that a view is in."""
        self.frame_of(view).close()

    def _may_close(self, frame: SplitWindow) -> bool:
        """Whether a window may close; with the last one the program ends."""
        if len(self.frames) == 1:
            if not self._may_end("the program ends"):
                return False
            self._keep()
            self._soon.stop()
        else:
            stay = [document for other in self.frames if other is not frame for document in _open_in(other)]
            if not self._may_leave(frame, frame.sides, "the window closes", stay):
                return False
        self._close(frame)
        return True

    def quit(self) -> None:
        """Close all windows, with one question about what is unsaved."""
        if self._may_end("the program ends"):
            self._keep()
            self._soon.stop()
            for frame in list(self.frames):
                self._close(frame)
                frame.hide()
            QApplication.quit()

    def end_session(self, manager: QSessionManager) -> None:
        """The person logs out: ask about what is unsaved, where the system lets a program ask."""
        if manager.allowsInteraction():
            if not self._may_end("the session ends"):
                manager.cancel()
            manager.release()

    def _may_end(self, when: str) -> bool:
        return self._may_leave(self.active, self.views, when, [])

    def _may_leave(self, asker: SplitWindow, views: Sequence[MainWindow], when: str, stay: Sequence[Document]) -> bool:
        """Whether views may close; the documents that *stay* are open elsewhere.

        Changes are asked about last: who gives them up leaves.
        """
        from viewer.ui.window.leaving import may_leave

        kept = {id(document) for document in stay}
        files = [view.files for view in views]
        if not all(view.may_drop_recorded(when) for view in views):
            return False
        return may_leave(asker, files, lambda document: id(document) not in kept)

    def _close(self, frame: SplitWindow) -> None:
        """Let a window go that nothing is lost with."""
        is_last = len(self.frames) == 1
        with ExitStack() as leaving:
            for view in frame.sides:
                leaving.callback(view.leave, is_last and view is frame.sides[-1])
            leaving.callback(self._settings.keep_state, "geometry", frame.saveGeometry())
            leaving.callback(frame.active.keep_inspector)
        self.frames.remove(frame)
        if not is_last:
            frame.deleteLater()
            self._refresh()
            self.keep_soon()

    # What is open is kept, and opened again

    def keep_soon(self) -> None:
        """Which files are open has changed."""
        if self._kept is not None and self.frames:
            self._soon.start()

    def _keep(self) -> None:
        if self._kept is not None and self.frames:
            self._kept.keep(self.frames, self.active)

    def restore_soon(self) -> None:
        """Open again what was open when the program last ended, once the window is shown."""
        first = self.frames[0].active
        QTimer.singleShot(0 if first.is_empty else RESTORE_AFTER, self, self._restore)

    def _restore(self) -> None:
        if self._waits and self.frames and self.frames[0].active.session.reading.is_on:
            self._waits -= 1
            QTimer.singleShot(RESTORE_AFTER, self, self._restore)
            return
        from viewer.ui.window.kept_windows import KeptWindows

        kept = KeptWindows(self._settings)
        if kept.claim():
            said = kept.open_again(self)
            self._kept = kept
            self.keep_soon()
            if said:
                self._say(said)


def _open_in(frame: SplitWindow) -> list[Document]:
    return [document for side in frame.sides for document in side.opened.documents]


def _beside(window: SplitWindow) -> QPoint:
    """Where a window as large as another one goes: a little lower and to the right, where all of it is in sight."""
    room = window.screen().availableGeometry()
    wanted = window.frameGeometry().translated(OFFSET)
    return window.pos() + OFFSET if room.contains(wanted) else room.topLeft()
