"""Where engines keep ``user://`` on this system: a folder for each game, in folders that are known by the engine.

Godot and Pandemonium put ``app_userdata/NAME`` into a folder of their own, or, where a project names one, a folder
straight into that of all programs' data. Under Linux a game may also run in Steam's Proton or in a Flatpak, which have
homes of their own. Links that lead out of these folders are not followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass

ENGINES = ("godot", "pandemonium")
APP_USERDATA = "app_userdata"
MARKS = (("logs", "godot.log"), ("logs", "pandemonium.log"))
"""What an engine leaves in the ``user://`` of a game that names its own folder."""
CACHES = ("shader_cache", "vulkan")
"""Both of them are there where a game of Godot 4 has drawn anything."""
MOST_ENTRIES = 2000
"""So many entries of a folder are looked at."""
MOST_LIBRARIES = 16
LONGEST_LIST = 1 << 16
_LIBRARY = late_pattern(r'"path"\s+"((?:[^"\\\n]|\\.){1,1000})"')
ROAMING = ("pfx", "drive_c", "users", "steamuser", "AppData", "Roaming")
STEAM_HOMES = (
    (".local", "share", "Steam"),
    (".steam", "steam"),
    (".var", "app", "com.valvesoftware.Steam", ".local", "share", "Steam"),
    ("snap", "steam", "common", ".local", "share", "Steam"),
)


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder in which programs keep their data.

    Args:
        path: the folder.
        origin: what it belongs to, where that is not the system: ``Proton``, ``Flatpak``.
    """

    path: Path
    origin: str = ""


@dataclass(frozen=True, slots=True)
class GameFolder:
    """The ``user://`` of a game.

    Args:
        path: the folder.
        name: the game, by the name of the folder.
        engine: ``Godot`` or ``Pandemonium``, empty where the game names its folder itself and only logs tell.
        origin: as for the folder that it lies in.
    """

    path: Path
    name: str
    engine: str = ""
    origin: str = ""


def data_folders(platform: str, home: Path, environ: Mapping[str, str]) -> list[DataFolder]:
    """The folders for programs' data, each once, whether or not they are there.

    Args:
        platform: as ``sys.platform`` tells.
        home: the person's own folder.
        environ: the environment.
    """
    if platform == "win32":
        return [DataFolder(Path(environ.get("APPDATA") or home / "AppData" / "Roaming"))]
    if platform == "darwin":
        return [DataFolder(home / "Library" / "Application Support")]
    found = [DataFolder(Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share"))]
    found += _flatpaks(home)
    found += _protons(home)
    once: dict[str, DataFolder] = {}
    for each in found:
        once.setdefault(os.path.realpath(each.path), each)
    return list(once.values())


def _flatpaks(home: Path) -> Iterator[DataFolder]:
    for app in folders_in(home / ".var" / "app"):
        for below in (("data",), (".local", "share")):
            found = below_without_links(app, *below)
            if found is not None:
                yield DataFolder(found, "Flatpak")


def _protons(home: Path) -> Iterator[DataFolder]:
    """Windows' own folder in each of Steam's prefixes."""
    for steam in _steam_libraries(home):
        for prefix in folders_in(steam / "steamapps" / "compatdata"):
            found = below_without_links(prefix, *ROAMING)
            if found is not None:
                yield DataFolder(found, "Proton")


def _steam_libraries(home: Path) -> list[Path]:
    """Where Steam keeps its games; a list of its own tells of other disks."""
    found: dict[str, Path] = {}
    for parts in STEAM_HOMES:
        steam = home.joinpath(*parts)
        if not steam.is_dir():
            continue
        found.setdefault(os.path.realpath(steam), steam)
        try:
            with (steam / "steamapps" / "libraryfolders.vdf").open("rb") as file:
                text = file.read(LONGEST_LIST).decode(errors="replace")
        except OSError:
            continue
        for match in _LIBRARY.finditer(text):
            library = Path(match[1].replace("\\\\", "\\"))
            if library.is_absolute() and len(found) < MOST_LIBRARIES:
                found.setdefault(os.path.realpath(library), library)
    return list(found.values())


def games_in(data: DataFolder) -> Iterator[GameFolder]:
    """The games whose ``user://`` lies in a folder for programs' data."""
    for entry in folders_in(data.path):
        engine = next((engine for engine in ENGINES if entry.name.lower() == engine), "")
        users = below_without_links(entry, APP_USERDATA) if engine else None
        if users is not None:
            for game in folders_in(users):
                yield GameFolder(game, game.name, engine.capitalize(), data.origin)
        elif not engine and is_user_folder(entry):
            yield GameFolder(entry, entry.name, "", data.origin)
        elif not engine:
            yield from _of_a_maker(entry, data.origin)


def _of_a_maker(folder: Path, origin: str) -> Iterator[GameFolder]:
    """The games in a folder that a project names with a slash: ``Maker/Game``."""
    for below in folders_in(folder):
        if is_user_folder(below):
            yield GameFolder(below, f"{folder.name}/{below.name}", "", origin)


def is_user_folder(folder: Path) -> bool:
    """Whether an engine has left its marks in a folder."""
    if any(below_without_links(folder, *mark[:-1]) and (folder.joinpath(*mark)).is_file() for mark in MARKS):
        return True
    return all(below_without_links(folder, cache) is not None for cache in CACHES)


def folders_in(folder: Path) -> list[Path]:
    """The folders in a folder, links left out, sorted; nothing where it cannot be read."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for count, entry in enumerate(entries):
                if count >= MOST_ENTRIES:
                    break
                if entry.is_dir(follow_symlinks=False):
                    found.append(Path(entry.path))
    except OSError:
        return []
    return sorted(found)


def below_without_links(folder: Path, *parts: str) -> Path | None:
    """A folder below another one; None where it is not there, or a link stands on the way."""
    for part in parts:
        folder = folder / part
        if folder.is_symlink() or not folder.is_dir():
            return None
    return folder
