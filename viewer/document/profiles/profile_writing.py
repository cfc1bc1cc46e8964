"""A profile from a file that is open: its keys as they are found there, and the text of what a person says of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from viewer.base import assets
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.toml_text import toml_of
from viewer.document.document import Document
from viewer.document.profiles.game_profile import GameProfile, KeyMeaning, ProfileError
from viewer.document.profiles.profile_folder import table_text
from viewer.document.profiles.profile_index import FOLDER
from viewer.document.profiles.profile_parser import MOST_KEYS, parse_profile
from viewer.variant.dialect import HOLDING
from viewer.variant.literal.preview import preview
from viewer.variant.paths.path_walk import walk

MOST_FOUND, MOST_LOOKED, FRAMES = 400, 20_000, 4
"""So many keys are offered, so many values of so many frames looked at for them."""
SHOWN = 40
LONGEST_KEY = 200
TELLING = 3
"""So many keys tell a save of the game, beside its name."""
_INDEX = late_pattern(r"\[\d+\]")
_LAST_DIGITS = late_pattern(r"\d+(?=\D*$)")
_NO_NAME = late_pattern(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class DraftKey:
    """A key that may be explained.

    Args:
        at: its path, ``[*]`` for all elements of an array.
        value: what it holds in the open file, in a few letters.
        name, unit, is_favourite, is_hidden: what a person says of it.
    """

    at: str
    value: str = ""
    name: str = ""
    unit: str = ""
    is_favourite: bool = False
    is_hidden: bool = False

    @property
    def says_something(self) -> bool:
        """Whether it belongs into a profile."""
        return bool(self.name or self.unit or self.is_favourite or self.is_hidden)


def draft_keys(document: Document, profile: GameProfile | None) -> list[DraftKey]:
    """The keys of a document, with what its profile says of them; those of the profile come first."""
    found: dict[str, str] = {}
    looked = 0
    for frame in document.frames[:FRAMES]:
        for visit in walk(frame.table, ""):
            looked += 1
            if looked > MOST_LOOKED or len(found) >= MOST_FOUND:
                break
            row = frame.table.row(visit.node)
            if visit.is_key or not visit.path or row is None or row.kind in HOLDING or len(visit.path) > LONGEST_KEY:
                continue
            at = _INDEX.sub("[*]", visit.path).removeprefix(".")
            if at not in found and "#" not in at:
                found[at] = str(preview(frame.table, visit.node, SHOWN))
    known = {key.at.text: key for key in profile.keys} if profile is not None else {}
    out = [
        DraftKey(at, found.get(at, ""), key.name, key.unit, key.is_favourite, key.is_hidden)
        for at, key in known.items()
    ]
    return out + [DraftKey(at, value) for at, value in found.items() if at not in known]


def usual_pattern(document: Document) -> str:
    """A pattern for the names of the saves, from that of the open one: ``slot*.save``."""
    name = (document.path.name if document.path is not None else document.name).replace("[", "?").replace("*", "?")
    stem, dot, ending = name.rpartition(".")
    return f"{_LAST_DIGITS.sub('*', stem)}{dot}{ending}" if dot else _LAST_DIGITS.sub("*", name)


def usual_game(document: Document) -> str:
    """What the game may be called: the folder of the open file, or its own name."""
    return document.path.parent.name if document.path is not None else document.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class ProfileDraft:
    """A profile to be written.

    Args:
        path: its file.
        text: what will stand in it; it can be read.
        tables: tables beside it that it needs, by their names.
    """

    path: Path
    text: str
    tables: Mapping[str, str]

    def write(self) -> None:
        """Write it; an earlier version of the file stays beside it.

        Raises:
            OSError: it cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for name, text in self.tables.items():
            with suppress(FileExistsError), (self.path.parent / name).open("x", encoding="utf-8") as file:
                file.write(text)
        beside = self.path.with_suffix(".new")
        beside.write_text(self.text, encoding="utf-8")
        if self.path.exists():
            os.replace(self.path, self.path.with_suffix(".toml.bak"))
        os.replace(beside, self.path)


def draft(name: str, files: str, keys: Sequence[DraftKey], profile: GameProfile | None) -> ProfileDraft:
    """What is to be written.

    Args:
        name: the game.
        files: the pattern of the names of its saves; empty for any.
        keys: all keys, with what is said of them.
        profile: what is known already, and kept.

    Raises:
        ProfileError: the program could not read it again.
    """
    known = {key.at.text: key for key in profile.keys} if profile is not None else {}
    said = [key for key in keys if key.says_something or key.at in known]
    if len(said) > MOST_KEYS:
        raise ProfileError(f"A profile explains at most {MOST_KEYS} keys.")
    has = [each.text for each in profile.has] if profile is not None else [key.at for key in _telling(keys)]
    head = {"name": name, "files": files, "has": has}
    if profile is not None:
        head |= {"layout": profile.layout, "password_hint": profile.password_hint}
    text = _lines(head) + "".join(f"\n[[key]]\n{_lines(_facts(key, known.get(key.at)))}" for key in said)
    sources = {key.names_from for key in known.values() if key.names_from}
    tables = {source: table_text(profile, source) for source in sorted(sources)} if profile is not None else {}
    path = profile.path if profile is not None and profile.path is not None else _new_path(name)
    parse_profile(path.stem, text, path.name, tables.__getitem__)
    return ProfileDraft(path, text, tables if path.parent != _folder_of(profile) else {})


def _telling(keys: Sequence[DraftKey]) -> Iterable[DraftKey]:
    """A few keys that all saves of the game have: favourites first, then others that lie in no array."""
    plain = [key for key in keys if "[" not in key.at]
    return sorted(plain, key=lambda key: not key.is_favourite)[:TELLING]


def _facts(key: DraftKey, known: KeyMeaning | None) -> dict[str, object]:
    facts: dict[str, object] = {"at": key.at, "name": key.name, "unit": key.unit}
    if known is not None:
        facts["about"] = known.about
        if known.least is not None or known.most is not None:
            low, high = ("" if each is None else str(each) for each in (known.least, known.most))
            facts["range"] = f"{low}..{high}"
        facts["names"], facts["names_from"] = dict(known.own_names), known.names_from
    return facts | {"favourite": key.is_favourite, "hidden": key.is_hidden}


def _lines(facts: Mapping[str, object]) -> str:
    """A line for each fact that says something."""
    return "".join(f"{key} = {toml_of(_plain(fact))}\n" for key, fact in facts.items() if fact)


def _plain(fact: object) -> object:
    """A fact that can be written: half a letter beyond U+FFFF is none."""
    return fact.encode("utf-8", "replace").decode() if isinstance(fact, str) else fact


def _folder_of(profile: GameProfile | None) -> Path | None:
    return profile.path.parent if profile is not None and profile.path is not None else None


def _new_path(name: str) -> Path:
    """A file for a game that is not there yet."""
    folder = assets.user_folder(FOLDER)
    stem = re.sub(r"-+", "-", _NO_NAME.sub("-", name.lower())).strip("-")[:60] or "game"
    paths = (folder / f"{stem}{number}.toml" for number in ("", *(f"-{each}" for each in range(2, 100))))
    return next((path for path in paths if not path.exists()), folder / f"{stem}-100.toml")
