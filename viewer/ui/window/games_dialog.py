"""File > Games: the games on this system and their saves, which can be opened, and copied where they lie."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from itertools import tee
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.progress import Cancelled, Progress
from viewer.base.unseen import escaped
from viewer.base.words import counted, grouped
from viewer.container.unpacking import size_in_words
from viewer.document.games.dated_copy import CannotCopy, copy_beside
from viewer.document.games.save_finding import FoundGame, FoundSave, GameList, SaveKind, find_games, save_kind
from viewer.document.games.user_folders import DataFolder, data_folders
from viewer.document.profiles.profile_folder import profiles
from viewer.ui import dialogs
from viewer.ui.dialogs import MARGIN
from viewer.ui.look.fonts import Size, fixed_font, pixels, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.viewport import fit_screen
from viewer.ui.worker import Job, Worker

SIZE = (820, 520)
HEADINGS = ("Game or save", "Kind", "Profile", "Changed", "Size")
NAME, KIND, PROFILE, CHANGED, BYTES = range(5)
WIDTHS = {KIND: 150, CHANGED: 130, BYTES: 84, PROFILE: 134}
LISTED = 12
"""So many folders are named where no game was found."""
OPENED = 3
"""So many games are open at first."""
BATCH = 8
"""So many saves are looked into before the list tells what they are."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
SaveRole = Qt.ItemDataRole.UserRole + 1
DOWN = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
LOOKING = "Looking for games…"


def own_folders() -> list[DataFolder]:
    """Where programs keep their data on this system."""
    return data_folders(sys.platform, Path.home(), os.environ)


class GamesDialog(QDialog):
    """Lists the games and their saves.

    Args:
        parent: the window.
        theme: the colours.
        folders: says where to look.

    Attributes:
        chosen: the save to be opened, None for none.
        field: what is written here, a row must have in its name, kind or profile.
        tree: a row for each game, and below it one for each save.
        says: how many there are, or where was looked when there are none.
    """

    def __init__(self, parent: QWidget, theme: Theme, folders: Callable[[], list[DataFolder]] = own_folders) -> None:
        super().__init__(parent)
        self.setObjectName("gamesDialog")
        self.setWindowTitle("Games")
        fit_screen(self, SIZE)
        self._theme, self._folders = theme, folders
        self.chosen: Path | None = None
        self._found = GameList((), ())
        self._kinds: dict[Path, SaveKind] = {}
        self._waiting: list[FoundSave] = []
        self._copied = ""
        self._rows: dict[Path, QStandardItem] = {}
        self.field = QLineEdit()
        self.field.setPlaceholderText("Filter by game, save, kind or profile")
        self.field.setAccessibleName("Filter")
        self.field.setClearButtonEnabled(True)
        self.model = QStandardItemModel(0, len(HEADINGS), self)
        self.model.setHorizontalHeaderLabels(HEADINGS)
        self.tree = self._view()
        self.says = PlainLabel(LOOKING)
        self.says.setWordWrap(True)
        self.says.setFont(ui_font(Size.SECONDARY))
        self.says.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.open_button = self._buttons.addButton("&Open", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button = self._buttons.addButton("&Make a Copy Beside It", QDialogButtonBox.ButtonRole.ActionRole)
        self.again_button = self._buttons.addButton("&Look Again", QDialogButtonBox.ButtonRole.ActionRole)
        self._lay_out()
        self._finder, self._looker = Worker(self), Worker(self)
        self._connect()
        self._tell_buttons()
        self.look()

    def _view(self) -> QTreeView:
        tree = QTreeView()
        tree.setModel(self.model)
        tree.setAccessibleName("Games and their saves")
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setUniformRowHeights(True)
        tree.setAllColumnsShowFocus(True)
        tree.setExpandsOnDoubleClick(False)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.model.horizontalHeaderItem(BYTES).setTextAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        scale = pixels(Size.UI) / 13
        for column, width in WIDTHS.items():
            tree.setColumnWidth(column, round(width * scale))
        return tree

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(12)
        column.addWidget(self.field)
        column.addWidget(self.tree, 1)
        column.addWidget(self.says)
        column.addWidget(self._buttons)
        for button in (self.copy_button, self.again_button):
            button.setAutoDefault(False)
        self.open_button.setDefault(True)
        dialogs.give_room(self._buttons.buttons())
        self.field.setFocus()

    def _connect(self) -> None:
        self._finder.finished.connect(self._take_games)
        self._looker.finished.connect(self._take_kinds)
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.tree.doubleClicked.connect(self._open_at)
        self.tree.selectionModel().currentChanged.connect(self._tell_buttons)
        self.open_button.clicked.connect(self.open_current)
        self.copy_button.clicked.connect(self.copy_current)
        self.again_button.clicked.connect(self.look)
        self._buttons.rejected.connect(self.reject)

    # Looking

    def look(self) -> None:
        """Look for games now, beside the window."""
        self._looker.stop()
        self._copied = ""
        self.says.setText(LOOKING)
        folders = self._folders
        self._finder.start(lambda goes_on: find_games(folders(), goes_on))

    def _take_games(self, job: Job[GameList]) -> None:
        if job.result is None:
            self.says.setText(f"The folders could not be searched: {job.error}.")
            return
        current = self._current()
        self._found = job.result
        self.model.removeRows(0, self.model.rowCount())
        self._rows.clear()
        for game in self._found.games:
            self.model.appendRow(self._game_row(game))
        for row in range(min(OPENED, self.model.rowCount())):
            self.tree.expand(self.model.index(row, 0))
        self._filter()
        self._go_to(current.path if current is not None else None)
        self._tell_games()
        saves = [save for game in self._found.games for save in game.saves]
        self._waiting = sorted((save for save in saves if save.path not in self._kinds), key=lambda save: -save.changed)
        for path in self._kinds.keys() & self._rows.keys():
            self._show_kind(path)
        self._look_on()

    def _look_on(self) -> None:
        """Look into the next few saves, the newest first."""
        batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
        if batch:
            self._looker.start(lambda goes_on: _kinds_of(batch, goes_on))

    def _take_kinds(self, job: Job[dict[Path, SaveKind]]) -> None:
        if job.result is not None:
            self._kinds.update(job.result)
            for path in job.result:
                self._show_kind(path)
        if self.field.text():
            self._filter()
        self._look_on()

    # Rows

    def _game_row(self, game: FoundGame) -> list[QStandardItem]:
        folder, newest = game.folder, game.saves[0]
        origin = " · ".join(part for part in (folder.engine, folder.origin) if part)
        count = counted(len(game.saves) + game.more, "file")
        cells = [_cell(folder.name), _cell(origin), _cell(""), _cell(_date(newest)), _cell(count)]
        bold = ui_font(Size.UI, strong=True)
        cells[NAME].setFont(bold)
        _finish(cells, f"{folder.name}\n{folder.path}")
        for save in game.saves:
            cells[NAME].appendRow(self._save_row(save))
        return cells

    def _save_row(self, save: FoundSave) -> list[QStandardItem]:
        cells = [_cell(save.name), _cell("…"), _cell(""), _cell(_date(save)), _cell(size_in_words(save.size))]
        cells[NAME].setData(save, SaveRole)
        _finish(cells, f"{save.path}\n{counted(save.size, 'byte')}")
        if save.twin:
            cells[KIND].setText(save.twin)
            for cell in cells:
                cell.setForeground(self._theme.ui.text_secondary)
        self._rows[save.path] = cells[NAME]
        return cells

    def _show_kind(self, path: Path) -> None:
        first, kind = self._rows.get(path), self._kinds[path]
        save = first.data(SaveRole) if first is not None else None
        told = save.twin if isinstance(save, FoundSave) and save.twin else kind.words
        holder = first.parent() if first is not None else None
        if first is not None and holder is not None:
            for column, words in ((KIND, told), (PROFILE, kind.profile)):
                holder.child(first.row(), column).setText(escaped(words))

    def _tell_games(self) -> None:
        found = self._found
        if not found.games:
            looked = [f"{_there(data.path)} {escaped(str(data.path))}" for data in found.looked[:LISTED]]
            self.says.setText("\n".join(("No games with saves were found. These folders were searched:", *looked)))
            return
        saves = sum(len(game.saves) + game.more for game in found.games)
        words = f"{counted(len(found.games), 'game')}, {counted(saves, 'file')}."
        hidden = sum(game.more for game in found.games)
        if hidden:
            words += f" The oldest {grouped(hidden)} are not listed."
        cut = " There is too much to search all of it." if found.is_cut else ""
        self.says.setText(f"{self._copied}{words}{cut}")

    # The filter

    def _filter(self, *_: object) -> None:
        """Show what has all of the words; a game is shown with its saves."""
        words = self.field.text().casefold().split()
        root = QModelIndex()
        for row in range(self.model.rowCount()):
            game = self.model.item(row, NAME)
            of_game = self._says(game, None)
            seen = 0
            for child in range(game.rowCount()):
                said = of_game + self._says(game, child)
                fits = all(word in said for word in words)
                self.tree.setRowHidden(child, game.index(), not fits)
                seen += fits
            self.tree.setRowHidden(row, root, not seen)
            if words and seen:
                self.tree.expand(game.index())
        current = self.tree.currentIndex()
        if not current.isValid() or self.tree.visualRect(current).isEmpty():
            self._go_to(None)
        self._tell_buttons()

    def _says(self, game: QStandardItem, child: int | None) -> str:
        """The words of a row, of a game or of one of its saves."""
        row, columns = game.row(), (NAME, KIND, PROFILE)
        cells = (self.model.item(row, column) if child is None else game.child(child, column) for column in columns)
        return " ".join(cell.text() for cell in cells if cell is not None).casefold() + " "

    def _go_to(self, path: Path | None) -> None:
        """Make a save the current row, else the newest one that is shown; a copy only where it was asked for."""
        item = self._rows.get(path) if path is not None else None
        index = item.index() if item is not None else self._first()
        self.tree.setCurrentIndex(index)

    def _first(self) -> QModelIndex:
        shown = (
            game.child(child, NAME).index()
            for row in range(self.model.rowCount())
            if not self.tree.isRowHidden(row, QModelIndex())
            for game in (self.model.item(row, NAME),)
            for child in range(game.rowCount())
            if not self.tree.isRowHidden(child, game.index())
        )
        asked, rest = tee(shown)
        saves = (index for index in asked if not index.data(SaveRole).twin)
        return next(saves, None) or next(rest if self.field.text() else iter(()), QModelIndex())

    # What a person does

    def _current(self) -> FoundSave | None:
        found = self.tree.currentIndex().siblingAtColumn(NAME).data(SaveRole)
        return found if isinstance(found, FoundSave) else None

    def _tell_buttons(self, *_: object) -> None:
        has_save = self._current() is not None
        self.open_button.setEnabled(has_save)
        self.copy_button.setEnabled(has_save)

    def _open_at(self, index: QModelIndex) -> None:
        if self._current() is None:
            self.tree.setExpanded(index.siblingAtColumn(NAME), not self.tree.isExpanded(index.siblingAtColumn(NAME)))
        else:
            self.open_current()

    def open_current(self) -> None:
        """Have the current save opened."""
        save = self._current()
        if save is not None:
            self.chosen = save.path
            self.accept()

    def copy_current(self) -> None:
        """Copy the current save to a file beside it, with the moment in its name."""
        save = self._current()
        if save is None:
            return
        try:
            with dialogs.Waiting(self, f"Copying “{save.path.name}”…") as waiting:
                made = copy_beside(save.path, datetime.now(), waiting.goes_on)
        except CannotCopy as error:
            self.says.setText(escaped(str(error)))
            return
        except Cancelled:
            return
        self.look()
        self._copied = f"The copy is “{escaped(made.name)}”, beside the save in {escaped(str(made.parent))}. "

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows choose a row while the filter is written."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in DOWN:
            self.tree.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def done(self, result: int) -> None:
        for worker in (self._finder, self._looker):
            worker.stop()
            worker.wait()
        super().done(result)


def _kinds_of(saves: list[FoundSave], goes_on: Progress) -> dict[Path, SaveKind]:
    known = profiles()
    out: dict[Path, SaveKind] = {}
    for number, save in enumerate(saves):
        if not goes_on(number):
            break
        out[save.path] = save_kind(save.path, save.size, known)
    return out


def _cell(text: str) -> QStandardItem:
    item = QStandardItem(escaped(text))
    item.setEditable(False)
    return item


def _finish(cells: list[QStandardItem], tip: str) -> None:
    for column in (CHANGED, BYTES):
        cells[column].setFont(fixed_font(Size.SECONDARY))
    cells[BYTES].setTextAlignment(RIGHT)
    for cell in cells:
        cell.setToolTip(plain_tip(tip))


def _date(save: FoundSave) -> str:
    try:
        return datetime.fromtimestamp(save.changed).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return ""


def _there(path: Path) -> str:
    return "•" if path.is_dir() else "• (not there)"
