"""The saves of a game, and what each is: plain files in its ``user://``, without what engines keep for themselves."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Container, Iterable
from pathlib import Path

from viewer.base.record import dataclass, replace
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.games.user_folders import DataFolder, GameFolder, games_in
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.profiles.game_profile import GameProfile
from viewer.document.profiles.profile_fitting import fitting_profile

NO_SAVES = frozenset(
    {"logs", "shader_cache", "vulkan", "objectdb_snapshots", ".import", ".godot", "crash_reports", "sentry"}
)
"""Folders that engines and their helpers fill."""
NO_ENDINGS = (".log", ".tmp", ".lock", ".dmp", ".cache")
DEEPEST = 5
MOST_FILES, MOST_OF_ALL = 500, 20_000
"""So many files of one game are listed, the newest of them; so many entries of all games are looked at."""


@dataclass(frozen=True, slots=True)
class FoundSave:
    """A file that may be a save.

    Args:
        path: the file.
        name: its place in the game's folder, with slashes.
        changed: when it was written last, in seconds since 1970.
        size: its bytes.
        twin: what it is where it is no save of its own, such as ``copy``; empty for a save.
    """

    path: Path
    name: str
    changed: float
    size: int
    twin: str = ""


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game and its saves, the newest first; behind them what they were before, and copies of them.

    Args:
        folder: its ``user://``.
        saves: the newest of them.
        more: how many are not listed.
    """

    folder: GameFolder
    saves: tuple[FoundSave, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class GameList:
    """All games on this system.

    Args:
        games: those with saves; the game that was played last comes first.
        looked: the folders that were looked at.
        is_cut: whether there was too much to look at all of it.
    """

    games: tuple[FoundGame, ...]
    looked: tuple[DataFolder, ...]
    is_cut: bool = False


def find_games(folders: Iterable[DataFolder], goes_on: Callable[[int], bool] | None = None) -> GameList:
    """Look for games and their saves.

    Args:
        folders: where programs keep their data.
        goes_on: told how many entries were seen; False gives up.
    """
    looked = tuple(folders)
    budget = _Budget(goes_on)
    games: dict[str, FoundGame] = {}
    for data in looked:
        for folder in games_in(data):
            place = os.path.realpath(folder.path)
            if place not in games and budget.goes_on():
                games[place] = _saves_of(folder, budget)
    found = [game for game in games.values() if game.saves]
    found.sort(key=lambda game: (-game.saves[0].changed, game.folder.name.casefold()))
    return GameList(tuple(found), looked, budget.is_spent)


class _Budget:
    """How many entries may still be looked at."""

    def __init__(self, goes_on: Callable[[int], bool] | None) -> None:
        self._goes_on = goes_on
        self._seen = 0
        self.is_spent = False

    def goes_on(self) -> bool:
        """Whether there may be another entry."""
        self._seen += 1
        if self._seen > MOST_OF_ALL or (self._goes_on is not None and not self._goes_on(self._seen)):
            self.is_spent = True
        return not self.is_spent


def _saves_of(folder: GameFolder, budget: _Budget) -> FoundGame:
    found: list[FoundSave] = []
    waiting = [(folder.path, "", 0)]
    while waiting:
        path, name, depth = waiting.pop()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    if not budget.goes_on():
                        waiting.clear()
                        break
                    if entry.is_dir(follow_symlinks=False):
                        if depth < DEEPEST and not (depth == 0 and entry.name.lower() in NO_SAVES):
                            waiting.append((Path(entry.path), f"{name}{entry.name}/", depth + 1))
                    elif not entry.name.lower().endswith(NO_ENDINGS):
                        facts = entry.stat(follow_symlinks=False)
                        if stat.S_ISREG(facts.st_mode):
                            found.append(FoundSave(Path(entry.path), name + entry.name, facts.st_mtime, facts.st_size))
        except OSError:
            continue
    names = {save.name for save in found}
    found = [replace(save, twin=twin_of(save.name, names)) for save in found]
    found.sort(key=lambda save: (bool(save.twin), -save.changed, save.name))
    return FoundGame(folder, tuple(found[:MOST_FILES]), max(0, len(found) - MOST_FILES))


VERSION, COPY = "earlier version", "copy"
_VERSION = re.compile(r"(?P<stem>.+)\.bak(?:-oldest)?\d*", re.IGNORECASE)
_COPY = re.compile(r"(?P<stem>.+) \d{4}-\d\d-\d\d \d\d\.\d\d(?: \d+)?(?P<ending>\.[^./]*)?")


def twin_of(name: str, names: Container[str]) -> str:
    """What a file is to another one of a game's files *names*: :data:`VERSION` or :data:`COPY`; empty for a save.

    Only where the other file is there: games write dated saves, and some their own ``.bak``.
    """
    version = _VERSION.fullmatch(name)
    if version and version["stem"] in names:
        return VERSION
    dated = _COPY.fullmatch(name)
    return COPY if dated and f"{dated['stem']}{dated['ending'] or ''}" in names else ""


# What a save is, told by its first bytes, and which game profile knows it

LOOK = 1 << 16
"""So many bytes of a file are looked at."""
TEXTS = {"json": "JSON", "config": "settings", "text-resource": "resource, as text", "engine-value": "value, as text"}
ENCRYPTED = b"GDEC"
MOSTLY = 0.5
"""Where values claim less of the bytes, they are likely none."""
UNKNOWN, EMPTY, UNREADABLE = "unknown", "empty", "cannot be read"


@dataclass(frozen=True, slots=True)
class SaveKind:
    """What a save is, in a word or three, and the game that a profile tells; empty where none does."""

    words: str
    profile: str = ""


def save_kind(path: Path, size: int, profiles: tuple[GameProfile, ...]) -> SaveKind:
    """What a file of some size is."""
    start = files.start_of(path, LOOK)
    if not start:
        return SaveKind(UNREADABLE if size else EMPTY)
    document = Document(start, path)
    profile = fitting_profile(document, profiles)
    return SaveKind(_words(document), profile.name if profile is not None else "")


def _words(document: Document) -> str:
    names = document.wraps.names
    if document.wraps.needs_key or bytes(document.buffer[: len(ENCRYPTED)]) == ENCRYPTED:
        return "encrypted"
    text = next((TEXTS[name] for name in reversed(names) if name in TEXTS), "")
    if text:
        return text
    if document.structure is not None:
        return document.structure.title
    other = foreign_kind(document)
    if other is not None:
        return other.name.removeprefix("a ").removeprefix("an ")
    wrapped = f", {names[-1]}" if names else ""
    if document.frames and document.explained >= MOSTLY:
        return f"{document.dialect.name}{wrapped}"
    return f"{UNKNOWN}{wrapped}"
