"""What a person does with game profiles, and which one the shown file has: looked for after its rows are painted."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from PySide6 import QtCore
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QActionGroup, QDesktopServices
from PySide6.QtWidgets import QMenu, QWidget

from viewer.base.assets import user_folder
from viewer.base.record import replace
from viewer.document.change import Change
from viewer.document.document import Document
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import in_menu
from viewer.ui.panels.panel_widgets import empty_menu
from viewer.ui.session import WAITS, Session
from viewer.ui.settings import Settings
from viewer.ui.window.parts import Parts
from viewer.variant.items import Item

if TYPE_CHECKING:
    from viewer.document.profiles.profile_labels import ProfileLabels
    from viewer.ui.panels.favourites_bar import FavouritesBar
    from viewer.ui.tree.hidden_keys import HiddenKeys

NO_PROFILE, PROFILES = "none", "profiles"


class ProfileActions(QObject):
    """Finds the profile of the shown file, and lets a person choose another one.

    Args:
        window: the parent of the dialogs.
        session: what is open.
        parts: the window's parts, among them the tree that shows what a profile says.
        settings: where it is kept which profile a file has that its name does not tell; None to keep nothing.
        say: told in words what was done or is wrong.
        changed: told when a switch in the menus stands otherwise.
    """

    _paths: ClassVar[WeakKeyDictionary[Document, Path]] = WeakKeyDictionary()
    """Where documents lay when their profiles were looked for or kept, for all views: one of them follows a name."""
    _known: ClassVar[WeakKeyDictionary[Document, ProfileLabels | None]] = WeakKeyDictionary()
    _chosen: ClassVar[WeakKeyDictionary[Document, str]] = WeakKeyDictionary()
    """What is known of documents, and which profiles a person chose for them: the same in all views."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        parts: Parts,
        settings: Settings | None,
        say: Callable[[str], None],
        changed: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._settings = settings
        self._changed = changed
        self._window, self._session, self._parts, self._say = window, session, parts, say
        self._told: set[str] = set()
        self._bar = parts.later(self._build_bar)
        self._hidden: HiddenKeys | None = None
        self._shows_all = False
        self._refresh = QTimer(self, singleShot=True, interval=0)
        self._refresh.timeout.connect(self._show_favourites)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.look)
        session.opened.connect(self._wait)
        session.changed.connect(self._follow)
        session.reread.connect(self._look_after_reading)
        session.history_changed.connect(self._follow_name)
        session.labels_changed.connect(self._refresh.start)
        self._wait()

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {"open_profile": self.open_file, "hidden_keys": self.switch_hidden, "save_profile": self.save}

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
        if self._session.labels is not None:
            self._refresh.start()

    def _look_after_reading(self) -> None:
        """A person had the bytes read in another way: they may be other values."""
        document = self._session.document
        if document is not None:
            self._known.pop(document, None)
            self._later.start()

    def look(self) -> None:
        """Find the profile of the shown file now."""
        self._later.stop()
        document = self._session.document
        if document is None or self._session.waits:
            return
        if document not in self._known:
            self._remember_choice(document)
            if not self._may_have_one(document):
                self._known[document] = None
            elif self._reads_by_layout(document):
                return
            else:
                self._known[document] = self._labels(document)
        for session in (self._session, *self._session.beside()):
            session.show_labels(self._known[document])

    def _remember_choice(self, document: Document) -> None:
        """Take the profile that was chosen for a file in an earlier run, or that it had under another name."""
        if document.path is None:
            return
        self._paths[document] = document.path
        kept = self._settings.profile_of(document.path) if self._settings is not None else ""
        if kept and document not in self._chosen:
            self._chosen[document] = kept

    def _follow_name(self) -> None:
        """A file that was saved under another name keeps its profile there, also where the profile does not know it."""
        document = self._session.document
        path = document.path if document is not None else None
        before = self._paths.get(document) if document is not None else None
        if document is None or path is None or document not in self._known or before == path:
            return
        self._paths[document] = path
        kept = self._settings.profile_of(before) if self._settings is not None and before is not None else ""
        chosen, labels = kept or self._chosen.get(document, ""), self._known[document]  # any view may have kept one
        if not chosen and labels is not None and not labels.profile.may_be(str(path)):
            chosen = labels.profile.key
        if self._settings is not None:
            self._settings.keep_profile(path, chosen)

    def _may_have_one(self, document: Document) -> bool:
        """Whether profiles are to be read for a document."""
        from viewer.document.profiles.profile_index import may_have_profile

        path = str(document.path) if document.path is not None else document.name
        return bool(self._chosen.get(document)) or may_have_profile(path)

    def _reads_by_layout(self, document: Document) -> bool:
        """Have a file read that nothing tells but a profile, which names its layout; whether it is read anew."""
        choice = document.choice
        if document.structure is not None or choice.layout or not choice.leaves_all_open or document.path is None:
            return False
        from viewer.document.profiles.profile_folder import layout_for

        key = layout_for(str(document.path))
        if key and not document.modified:
            self._session.read_as(replace(choice, layout=key))
        return bool(key) and document.structure is not None

    def _labels(self, document: Document) -> ProfileLabels | None:
        from viewer.document.profiles.profile_fitting import fitting_profile
        from viewer.document.profiles.profile_folder import broken_profiles, profiles
        from viewer.document.profiles.profile_labels import ProfileLabels

        for error in broken_profiles():
            if str(error) not in self._told:
                self._told.add(str(error))
                self._say(f"Profile {_in_its_folder(str(error))}")
        chosen = self._chosen.get(document, "")
        profile = next((each for each in profiles() if each.key == chosen), None)
        if profile is None and chosen != NO_PROFILE:  # none was chosen, or the one is gone
            profile = fitting_profile(document, profiles())
        return ProfileLabels(profile, document.dialect) if profile is not None else None

    # What it shows above the tree, and hides in it

    @property
    def shows_all(self) -> bool:
        """Whether keys are shown that a profile hides."""
        return self._shows_all

    def switch_hidden(self) -> None:
        """Show the keys that profiles hide, or no longer."""
        self._shows_all = not self._shows_all
        if self._hidden is not None:
            self._hidden.show_all(self._shows_all)
        self._changed()

    def _show_favourites(self) -> None:
        """Bring the strip over the tree up to date; it is built with the first profile that wants it."""
        labels, document = self._session.labels, self._session.document
        if labels is None or document is None:
            if self._bar.part is not None:
                self._bar.part.hide()
            return
        from viewer.document.profiles.favourites import favourites

        if labels.hides and self._hidden is None:
            from viewer.ui.tree.hidden_keys import HiddenKeys

            self._hidden = HiddenKeys(self._session, self._parts.tree)
            self._hidden.show_all(self._shows_all)
            self._hidden.changed.connect(self._refresh.start)
        shown = favourites(document, labels)
        count = self._hidden.count if self._hidden is not None and labels.hides else 0
        if shown or labels.hides:
            self._bar.get().show_favourites(shown, count, labels.hides and self._shows_all)
        elif self._bar.part is not None:
            self._bar.part.hide()

    def _build_bar(self, theme: Theme) -> FavouritesBar:
        from viewer.ui.panels.favourites_bar import FavouritesBar

        bar = FavouritesBar(theme)
        self._parts.tree_pane.put_over(bar)
        bar.picked.connect(self._go_to)
        bar.edit_requested.connect(self._edit)
        bar.hidden_asked.connect(self.switch_hidden)
        return bar

    def _go_to(self, item: Item) -> None:
        self._parts.work.reveal(self._parts.tree)
        self._session.select(item)
        self._parts.tree.setFocus()

    def _edit(self, item: Item) -> None:
        self._go_to(item)
        self._parts.tree.edit_current()

    # What a person does

    def fill(self, menu: QMenu) -> None:
        """Offer the profiles, in a menu that is about to open."""
        from viewer.document.profiles.profile_folder import profiles

        document = self._session.document
        empty_menu(menu)
        group = QActionGroup(menu)
        now = self._chosen.get(document, "") if document is not None else ""
        if now not in {NO_PROFILE, *(each.key for each in profiles())}:  # it is gone
            now = ""
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
            self._keep_choice(document)
            self.look_again()

    def _keep_choice(self, document: Document) -> None:
        if self._settings is not None and document.path is not None:
            self._settings.keep_profile(document.path, self._chosen.get(document, ""))

    def look_again(self) -> None:
        """The profiles may be other ones: find that of the shown file anew."""
        self._known.clear()
        if self._session.waits:
            self._say(WAITS)
        self.look()

    def save(self) -> None:
        """Ask what the keys of the shown file are called, and write that as a profile."""
        document = self._session.document
        if document is None or self._session.waits:
            self._say(WAITS)
            return
        from viewer.ui.window.save_profile_dialog import SaveProfileDialog

        self.look()
        labels = self._session.labels
        dialog = SaveProfileDialog(
            self._window, document, labels.profile if labels is not None else None, self._parts.tree.theme
        )
        if dialog.exec() and dialog.draft is not None:
            try:
                dialog.draft.write()
            except OSError as error:
                self._say(f"The profile could not be written: {error.strerror}.")
            else:
                self._chosen.pop(document, None)
                self._keep_choice(document)
                self.look_again()
                self._say(f"Saved the profile as “{dialog.draft.path.name}”.")
        dialog.deleteLater()

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
        elif not QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(str(path))):
            self._say(f"The profile is “{path}”.")

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The first rows are being painted: go on behind that."""
        if event.type() is QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._later.start()
        return False


def _in_its_folder(words: str) -> str:
    """A sentence about a profile with the name of its file alone."""
    return words.replace(f"{user_folder(PROFILES)}{os.sep}", "", 1)
