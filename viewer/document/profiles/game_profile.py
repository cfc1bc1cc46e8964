"""A game profile: how its saves are known, and what each of their keys is called, means and may be.

``docs/profiles.md`` teaches all that one may say. Profiles lie in ``resources/profiles`` and in a folder of the person.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from viewer.base.record import dataclass, field
from viewer.document.bulk.steps import PatternStep
from viewer.document.profiles.profile_index import is_named

TOP_KEYS = frozenset({"name", "files", "has", "layout", "password_hint", "key"})
KEYS = frozenset({"at", "name", "about", "unit", "range", "names", "names_from", "favourite", "hidden"})


class ProfileError(ValueError):
    """A profile that cannot be used; the text names file and line, and says what to mend."""


@dataclass(frozen=True, slots=True)
class ProfilePath:
    """A path of the program's own language: ``party[*].hp``, ``..hp``.

    Args:
        text: as the profile has it.
        frame: the only value of a file that it is about, None for all.
        steps: what leads there.
    """

    text: str
    frame: int | None
    steps: tuple[PatternStep, ...]


@dataclass(frozen=True, slots=True)
class KeyMeaning:
    """What a profile says about the values at a path.

    Args:
        at: the path.
        name: what a person calls it; empty for as it is called.
        about: a sentence or two about it.
        unit: what its numbers count.
        least, most: the range that the game keeps it in, None where it is open.
        names: what its values mean, by their text.
        is_favourite: whether it is shown above all others.
        is_hidden: whether a person need not see it.
        own_names, names_from: of the names, those in the profile itself, and the table of the others.
    """

    at: ProfilePath
    name: str = ""
    about: str = ""
    unit: str = ""
    least: int | float | None = None
    most: int | float | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    is_favourite: bool = False
    is_hidden: bool = False
    own_names: Mapping[str, str] = field(default_factory=dict)
    names_from: str = ""


@dataclass(frozen=True, slots=True)
class GameProfile:
    """What is known of the saves of a game.

    Args:
        key: the name of its file without the ending.
        name: the game.
        place: its file, for what is said about it; *path* where that is the person's own.
        files: a pattern of the names of its saves, or, where a slash is in it, of the end of their paths.
        has: paths that lead somewhere in each of its saves.
        layout: the layout that reads them.
        password_hint: what helps to find their password.
        keys: what its values mean.
    """

    key: str
    name: str
    place: str
    path: Path | None = None
    files: str = ""
    has: tuple[ProfilePath, ...] = ()
    layout: str = ""
    password_hint: str = ""
    keys: tuple[KeyMeaning, ...] = ()

    def may_be(self, path: str) -> bool:
        """Whether a file of this path or name may be one of its saves; all may be where it names no pattern."""
        return not self.files or is_named(self.files, path)
