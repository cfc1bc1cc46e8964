"""Whether any profile may know a file: told by names alone, so that nothing else is loaded for all other files."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from viewer.base import assets
from viewer.base.late_pattern import late_pattern

FOLDER = "profiles"
LONGEST_HEAD = 1 << 12
"""In so many letters of a profile its pattern is looked for."""
_TABLE = late_pattern(r"(?m)^\s*\[")
_FILES = late_pattern(r'(?m)^files = "([^"\\\n]+)"\s*$')


def may_have_profile(path: str) -> bool:
    """Whether a profile of the person or of the program may be for a file of this path or name."""
    return any(not pattern or is_named(pattern, path) for pattern in (*_own_patterns(), *_shipped_patterns()))


def is_named(pattern: str, path: str) -> bool:
    """Whether a pattern is that of a file's name, or, where a slash is in it, of the end of its path."""
    path, pattern = path.replace("\\", "/").lower(), pattern.lower()
    if "/" in pattern:
        return fnmatchcase(path, f"*{pattern}" if pattern.startswith("/") else f"*/{pattern}")
    return fnmatchcase(path.rpartition("/")[2], pattern)


def _own_patterns() -> Iterator[str]:
    return (_pattern(_head(path)) for path in assets.user_files(FOLDER, ".toml"))


@cache
def _shipped_patterns() -> tuple[str, ...]:
    names = (name for name in assets.names(FOLDER) if name.endswith(".toml"))
    return tuple(_pattern(assets.text(FOLDER, name)) for name in names)


def _head(path: Path) -> str:
    try:
        return assets.user_text(path, LONGEST_HEAD, cut=True)
    except (OSError, ValueError):
        return ""  # who reads all of it says what is wrong


def _pattern(text: str) -> str:
    """The pattern in the text of a profile; empty where it has none, or only a parser could tell."""
    table = _TABLE.search(text)
    head = text[: table.start() if table is not None else len(text)]
    found = _FILES.findall(head)
    return found[0] if len(found) == 1 and not any(quotes in head for quotes in ('"""', "'''")) else ""
