"""Where layouts lie: those of the program and the person's own, as their files are now."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from viewer.base import assets
from viewer.document.readers.file_layout import FOLDER, Layout, LayoutError
from viewer.document.readers.layout_parser import LONGEST_LAYOUT, parse_layout, shipped_text


def layouts() -> tuple[Layout, ...]:
    """All layouts that can be used: the person's own first, as their files are now, then those of the program."""
    return (*own_layouts(_files()), *_shipped())


def _files() -> tuple[tuple[Path, int, int], ...]:
    return tuple(_stamped(path) for path in assets.user_files(FOLDER, ".toml"))


def _stamped(path: Path) -> tuple[Path, int, int]:
    """A file with its time and size, which tell whether it is another one."""
    try:
        stat = path.stat()
    except OSError:
        return path, 0, 0
    return path, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=1)
def own_layouts(files: tuple[tuple[Path, int, int], ...]) -> tuple[Layout, ...]:
    """The layouts in a person's files, without those that cannot be used."""
    return tuple(found for found in _own(files) if isinstance(found, Layout))


def broken_layouts() -> tuple[LayoutError, ...]:
    """What is wrong with layouts in the person's own folder, as they are now."""
    return tuple(found for found in _own(_files()) if isinstance(found, LayoutError))


@lru_cache(maxsize=1)
def _own(files: tuple[tuple[Path, int, int], ...]) -> tuple[Layout | LayoutError, ...]:
    found: list[Layout | LayoutError] = []
    places = {path.stem: path for path, _, _ in files}

    def others(key: str) -> tuple[str, str] | None:
        return (_text(places[key]), str(places[key])) if key in places else shipped_text(key)

    for path, _, _ in files:
        try:
            found.append(parse_layout(path.stem, _text(path), str(path), others))
        except LayoutError as error:
            found.append(error)
    return tuple(found)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(LONGEST_LAYOUT + 1)
        if len(raw) > LONGEST_LAYOUT:
            raise LayoutError(f"{path}: A layout has at most {LONGEST_LAYOUT} bytes.")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LayoutError(f"{path}: A layout is written in UTF-8.") from error
    except OSError as error:
        raise LayoutError(f"{path}: It cannot be read: {error.strerror}.") from error


@cache
def _shipped() -> tuple[Layout, ...]:
    names = [name for name in assets.names(FOLDER) if name.endswith(".toml")]
    return tuple(parse_layout(name.removesuffix(".toml"), assets.text(FOLDER, name), name) for name in names)
