"""Whether any profile may know a file: told by names alone, so that nothing else is loaded for all other files."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from viewer.base import assets
from viewer.base.late_pattern import late_pattern

FOLDER = "profiles"
_FILES = late_pattern(r'(?m)^files = "([^"]+)"$')


def may_have_profile(name: str) -> bool:
    """Whether the person has profiles, or one of the program is for files that are called so."""
    if assets.user_files(FOLDER, ".toml"):
        return True
    return any(fnmatchcase(name.lower(), pattern) for pattern in _shipped_patterns())


@cache
def _shipped_patterns() -> tuple[str, ...]:
    names = (name for name in assets.names(FOLDER) if name.endswith(".toml"))
    return tuple(found for name in names for found in _FILES.findall(assets.text(FOLDER, name)))
