"""What a save is, told by its first bytes, and which game profile knows it."""

from __future__ import annotations

from pathlib import Path

from viewer.base.record import dataclass
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.profiles.game_profile import GameProfile
from viewer.document.profiles.profile_fitting import fitting_profile

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
