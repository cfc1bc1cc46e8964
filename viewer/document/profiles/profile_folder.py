"""Where profiles lie: the person's own first, as their files are now, then those of the program."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from viewer.base import assets
from viewer.document.profiles.game_profile import GameProfile, ProfileError
from viewer.document.profiles.profile_index import FOLDER
from viewer.document.profiles.profile_parser import LONGEST_PROFILE, LONGEST_TABLE, parse_profile

MOST_PROFILES = 1000
Stamp: TypeAlias = tuple[Path, int, int]
"""A file with its time and size, which tell whether it is another one."""


def profiles() -> tuple[GameProfile, ...]:
    """All profiles that can be used."""
    return (*(found for found in _own(_files()) if isinstance(found, GameProfile)), *shipped_profiles())


def named_profiles(path: str) -> Iterator[GameProfile]:
    """The profiles that know a file by its path alone."""
    return (each for each in profiles() if each.files and each.may_be(path))


def hint_for(path: str) -> str:
    """What a profile says about the password of a file; empty where none does."""
    return next((each.password_hint for each in named_profiles(path) if each.password_hint), "")


def layout_for(path: str) -> str:
    """The layout that a profile names for a file; empty where none does."""
    return next((each.layout for each in named_profiles(path) if each.layout), "")


def broken_profiles() -> tuple[ProfileError, ...]:
    """What is wrong with profiles in the person's own folder, as they are now."""
    return tuple(found for found in _own(_files()) if isinstance(found, ProfileError))


def _files() -> tuple[Stamp, ...]:
    """The profiles of the person and the tables beside them."""
    found = (*assets.user_files(FOLDER, ".toml")[:MOST_PROFILES], *assets.user_files(FOLDER, ".csv")[:MOST_PROFILES])
    return tuple(_stamped(path) for path in found)


def _stamped(path: Path) -> Stamp:
    try:
        stat = path.stat()
    except OSError:
        return path, 0, 0
    return path, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=1)
def _own(files: tuple[Stamp, ...]) -> tuple[GameProfile | ProfileError, ...]:
    found: list[GameProfile | ProfileError] = []
    for path, _, _ in files:
        if path.suffix == ".toml":
            try:
                found.append(read_profile(path))
            except ProfileError as error:
                found.append(error)
    return tuple(found)


def read_profile(path: Path) -> GameProfile:
    """The profile in a file.

    Raises:
        ProfileError: it cannot be used.
    """
    try:
        text = assets.user_text(path, LONGEST_PROFILE)
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path}: A profile is written in UTF-8.") from error
    except OSError as error:
        raise ProfileError(f"{path}: It cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ProfileError(f"{path}: A profile has at most {LONGEST_PROFILE} bytes and is a plain file.") from error
    return parse_profile(
        path.stem, text, str(path), lambda name: assets.user_text(path.parent / name, LONGEST_TABLE), path
    )


def table_text(profile: GameProfile, name: str) -> str:
    """The text of a table beside a profile; empty where it is gone."""
    try:
        if profile.path is None:
            return assets.text(FOLDER, name)
        return assets.user_text(profile.path.parent / name, LONGEST_TABLE)
    except (OSError, ValueError):
        return ""


@cache
def shipped_profiles() -> tuple[GameProfile, ...]:
    """The profiles of the program."""
    names = [name for name in assets.names(FOLDER) if name.endswith(".toml")]
    return tuple(
        parse_profile(
            name.removesuffix(".toml"), assets.text(FOLDER, name), name, lambda beside: assets.text(FOLDER, beside)
        )
        for name in names
    )
