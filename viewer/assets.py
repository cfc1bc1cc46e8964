"""The one place that knows where the resources are: in a checkout, a wheel or a zip.

In a checkout and in an editable install ``resources/`` lies beside ``viewer/``; a wheel carries it inside the
package as ``viewer/resources``.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def root() -> Traversable:
    """The resources folder."""
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


def names(folder: str) -> list[str]:
    """The file names in one resource folder, sorted."""
    return sorted(entry.name for entry in root().joinpath(folder).iterdir() if entry.is_file())
