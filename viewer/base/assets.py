"""The one place that knows where the resources are: in a checkout, a wheel or a zip, and in the user's own folder.

In a checkout and in an editable install ``resources/`` lies beside ``viewer/``; a wheel carries it inside the
package as ``viewer/resources``.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


PACKAGE = Path(__file__).parent.parent


@cache
def root() -> Traversable:
    """The resources folder."""
    for folder in (PACKAGE / "resources", PACKAGE.parent / "resources"):
        if folder.is_dir():
            return folder
    from importlib.resources import files  # in a zip; it loads twenty modules

    package = files("viewer")
    inside = package.joinpath("resources")
    return inside if inside.is_dir() else package.joinpath("..", "resources")


def text(*parts: str) -> str:
    """The UTF-8 text of one resource, named by its path parts.

    Raises:
        FileNotFoundError: there is no such resource.
    """
    return root().joinpath(*parts).read_text(encoding="utf-8")


def data(*parts: str) -> bytes:
    """The bytes of one resource, named by its path parts.

    Raises:
        FileNotFoundError: there is no such resource.
    """
    return root().joinpath(*parts).read_bytes()


def user_files(folder: str, ending: str) -> list[Path]:
    """The files that a person put into a folder of the program's configuration, sorted; there may be none."""
    try:
        return sorted(path for path in (_configuration() / folder).iterdir() if path.name.endswith(ending))
    except OSError:
        return []


def user_text(path: Path, longest: int, *, cut: bool = False) -> str:
    """The UTF-8 text of one of a person's files.

    Args:
        path: a plain file.
        longest: so many bytes it may have.
        cut: read the first *longest* bytes of a longer one.

    Raises:
        OSError: it cannot be read.
        ValueError: it is too long, no plain file, or not UTF-8.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe would let everything wait
    with open(descriptor, "rb") as file:
        if not path.is_file():
            raise ValueError
        raw = file.read(longest + 1)
    if len(raw) <= longest:
        return raw.decode("utf-8-sig")
    if not cut:
        raise ValueError
    return raw[:longest].decode("utf-8-sig", "ignore")


def user_folder(folder: str) -> Path:
    """A folder of the program's configuration, which there need not be yet."""
    return _configuration() / folder


def _configuration() -> Path:
    """The folder that the system keeps for the program's configuration."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming") / "variant-viewer"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "variant-viewer"
    return Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "variant-viewer"


def names(folder: str) -> list[str]:
    """The file names in one resource folder, sorted."""
    return sorted(entry.name for entry in root().joinpath(folder).iterdir() if entry.is_file())
