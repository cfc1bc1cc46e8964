"""What a person does with game profiles, and which one the shown file has: looked for after its rows are painted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QEvent, QObject, QTimer, QUrl
from PySide6.QtGui import QActionGroup, QDesktopServices
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.change import Change
from viewer.document.document import Document
from viewer.ui.look.plain_text import in_menu
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import WAITS, Session
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:
    from viewer.document.profiles.profile_labels import ProfileLabels

NO_PROFILE = "none"


class ProfileActions(QObject):
    """Finds the profile of the shown file, and lets a person choose another one.

    Args:
        window: the parent of the dialogs.
        session: what is open.
        parts: the window's parts, among them the tree that shows what a profile says.
        say: told in words what was done or is wrong.
    """

    def __init__(self, window: QWidget, session: Session, parts: Parts, say: Callable[[str], None]) -> None:
        super().__init__(window)
        self._window, self._session, self._parts, self._say = window, session, parts, say
        self._known: WeakKeyDictionary[Document, ProfileLabels | None] = WeakKeyDictionary()
        self._chosen: WeakKeyDictionary[Document, str] = WeakKeyDictionary()
        self._told: set[str] = set()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.look)
        session.opened.connect(self._wait)
        session.changed.connect(self._follow)
        self._wait()

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {"open_profile": self.open_file}

    # Which profile there is

    def _wait(self) -> None:
        """Another file: what is known of it at once, all else after its first rows are painted."""
        document = self._session.document
        self._later.stop()
        self._session.show_labels(self._known.get(document) if document is not None else None)
        if document is not None and document not in self._known:
            self._parts.tree.viewport().installEventFilter(self)

    def _follow(self, change: Change) -> None:
        """Values that were not read yet are there now."""
        document = self._session.document
        if change.structure and document is not None and document not in self._known:
            self._later.start()

    def look(self) -> None:
        """Find the profile of the shown file now."""
        self._later.stop()
        document = self._session.document
        if document is None or self._session.waits:
            return
        if document not in self._known:
            self._known[document] = self._labels(document)
        self._session.show_labels(self._known[document])

    def _labels(self, document: Document) -> ProfileLabels | None:
        from viewer.document.profiles.profile_fitting import fitting_profile
        from viewer.document.profiles.profile_folder import broken_profiles, profiles
        from viewer.document.profiles.profile_labels import ProfileLabels

        for error in broken_profiles():
            if str(error) not in self._told:
                self._told.add(str(error))
                self._say(f"A profile of yours cannot be used: {error}")
        chosen = self._chosen.get(document, "")
        if chosen:
            profile = next((each for each in profiles() if each.key == chosen), None)
        else:
            profile = fitting_profile(document, profiles())
        return ProfileLabels(profile, document.dialect) if profile is not None else None

    # What a person does

    def fill(self, menu: QMenu) -> None:
        """Offer the profiles, in a menu that is about to open."""
        from viewer.document.profiles.profile_folder import profiles

        document = self._session.document
        empty_menu(menu)
        group = QActionGroup(menu)
        now = self._chosen.get(document, "") if document is not None else ""
        fitting = self._session.labels.profile.name if self._session.labels is not None and not now else ""
        options = [("", f"&Automatic ({in_menu(fitting)})" if fitting else "&Automatic"), (NO_PROFILE, "&None")]
        options += [(each.key, in_menu(each.name)) for each in profiles()]
        for key, words in options:
            action = menu.addAction(words, partial(self._choose, key))
            action.setCheckable(True)
            action.setChecked(key == now)
            action.setEnabled(document is not None)
            group.addAction(action)

    def _choose(self, key: str) -> None:
        """Let another profile say what the values of the shown file mean."""
        document = self._session.document
        if document is not None:
            self._chosen[document] = key
            self.look_again()

    def look_again(self) -> None:
        """The profiles may be other ones: find that of the shown file anew."""
        self._known.clear()
        if self._session.waits:
            self._say(WAITS)
        self.look()

    def open_file(self) -> None:
        """Open the profile of the shown file in the person's editor."""
        labels = self._session.labels
        path = labels.profile.path if labels is not None else None
        if labels is None:
            self._say("No profile fits this file. Tools > Save as Profile makes one.")
        elif path is None:
            self._say(
                f"“{labels.profile.name}” is a profile of the program. Tools > Save as Profile makes one of yours."
            )
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._say(f"The profile is “{path}”.")

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The first rows are being painted: go on behind that."""
        if event.type() is QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._later.start()
        return False
