"""Layouts: a kind of file as data, from ``resources/layouts`` and from the person's own folder.

A layout is a row of fields. Each has a ``name`` and a ``type``:

- a number, ``u8`` to ``u64``, ``i8`` to ``i64``, ``f32`` or ``f64``; with ``order = "big"`` big-endian
- ``mark``: its ``text`` stands there, behind its ``length`` if that is the type of the number in front
- ``text``, ``bytes``: their ``length`` is a number, the name of a field before, or the type of the number in front
- ``value``: a Variant, behind a ``length`` of such a type or bare; ``called`` is the field whose text is its name
- ``group``: fields of its own
- ``unknown``: bytes that nobody has described yet: as many as ``length`` says, else up to where the next field fits
- ``rest``: all that follows

``repeat`` is a number, the name of a field, or ``fits``: as often as such bytes stand there. ``optional = true``: the
field stands there unless what follows it fits in its place. A number fits anywhere, a value only where one is sound, a
text only where one can be read. A layout begins with a mark; one without is told by ``files``, the names of its files
(``slot*.save``), and only where its first value stands in its place. What a layout says wrong is told with the file and
the line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from viewer.base import assets
from viewer.base.record import dataclass

NUMBERS = {
    **{f"u{8 * size}": (size, "u") for size in (1, 2, 4, 8)},
    **{f"i{8 * size}": (size, "i") for size in (1, 2, 4, 8)},
    "f32": (4, "f"),
    "f64": (8, "f"),
}
"""Bytes and sort of each type of number."""
COUNTS = tuple(name for name, (_, sort) in NUMBERS.items() if sort == "u")
TYPES = (*NUMBERS, "mark", "text", "bytes", "value", "group", "unknown", "rest")
KEYS = frozenset({"name", "type", "order", "text", "length", "repeat", "called", "field", "optional"})
FITS = "fits"
"""How often a field stands there that stands as often as such bytes do."""
DEEPEST = 8
FOLDER = "layouts"


class LayoutError(ValueError):
    """A layout that cannot be used; the text names file and line, and says what to mend."""


@dataclass(frozen=True, slots=True)
class LayoutField:
    """One field.

    Args:
        name: what it is called.
        type: one of :data:`TYPES`.
        big_endian: the order of the bytes of its number, or of its length.
        text: of a mark.
        length: bytes of a text or of bytes: a number, the name of a field, or the type of the number in front.
        repeat: how often it stands there: a number, the name of a field, or :data:`FITS`; None is once.
        called: of a value, the field whose text is its name.
        fields: of a group.
        optional: whether it may be missing.
    """

    name: str
    type: str
    big_endian: bool = False
    text: str = ""
    length: int | str | None = None
    repeat: int | str | None = None
    called: str = ""
    fields: tuple[LayoutField, ...] = ()
    optional: bool = False

    @property
    def mark(self) -> bytes:
        """The bytes of a mark, behind their length where it has one; empty for all other fields."""
        raw = self.text.encode() if self.type == "mark" else b""
        width = NUMBERS[self.length][0] if raw and isinstance(self.length, str) else 0
        return len(raw).to_bytes(width, "big" if self.big_endian else "little") + raw if width else raw

    @property
    def searches(self) -> bool:
        """Whether its place and number depend on what fits."""
        return self.optional or self.repeat == FITS or self.type == "unknown"


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of file.

    Args:
        key: the name of its file without the ending; what JSON calls it.
        name: what a person calls it.
        dialects: in which its values may be, the likeliest first.
        fields: what it is made of.
        files: the names of its files, where no mark tells them: ``slot*.save``.
    """

    key: str
    name: str
    dialects: tuple[str, ...]
    fields: tuple[LayoutField, ...]
    files: str = ""

    @property
    def mark(self) -> bytes:
        """How every such file begins; empty where its name tells it."""
        return self.fields[0].mark

    @property
    def searches(self) -> bool:
        """Whether some of its fields are looked for."""
        return any(each.searches for each in _all(self.fields))

    def may_be(self, start: bytes, name: str) -> bool:
        """Whether a file that begins so, and is called so, may be of this kind."""
        return start.startswith(self.mark) and (not self.files or fnmatchcase(name.lower(), self.files.lower()))


def parse_layout(key: str, text: str, place: str) -> Layout:
    """Read a layout.

    Args:
        key: what it is called.
        text: its TOML.
        place: the name of its file, for what is wrong.

    Raises:
        LayoutError: it is not TOML, lacks something, or contradicts itself.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"{place}: {error}.") from error
    return _Parser(place, text).layout(key, table)


def layouts() -> tuple[Layout, ...]:
    """All layouts that can be used: the person's own first, as their files are now, then those of the program."""
    return (*own_layouts(tuple(_stamped(path) for path in assets.user_files(FOLDER, ".toml"))), *_shipped())


def _stamped(path: Path) -> tuple[Path, int, int]:
    """A file with its time and size, which tell whether it is another one."""
    try:
        stat = path.stat()
    except OSError:
        return path, 0, 0
    return path, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=1)
def own_layouts(files: tuple[tuple[Path, int, int], ...]) -> tuple[Layout, ...]:
    """The layouts in a person's files; what cannot be used is left out, as it is with dialects."""
    found = []
    for path, _, _ in files:
        with suppress(OSError, UnicodeDecodeError, LayoutError):
            found.append(parse_layout(path.stem, path.read_text(encoding="utf-8"), str(path)))
    return tuple(found)


@cache
def _shipped() -> tuple[Layout, ...]:
    names = [name for name in assets.names(FOLDER) if name.endswith(".toml")]
    return tuple(parse_layout(name.removesuffix(".toml"), assets.text(FOLDER, name), name) for name in names)


class _Parser:
    """Reads the tables of one file, and knows in which line each field begins."""

    def __init__(self, place: str, text: str) -> None:
        self._place = place
        heads = (number for number, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[field", line))
        self._lines = list(heads)
        self._seen = 0
        self._line = 1

    def _wrong(self, words: str) -> LayoutError:
        return LayoutError(f"{self._place}, line {self._line}: {words}")

    def layout(self, key: str, table: Mapping[str, Any]) -> Layout:
        name, dialects = table.get("name"), table.get("dialects", [])
        if not isinstance(name, str) or not name:
            raise self._wrong('A layout needs a name: name = "…".')
        if not isinstance(dialects, list) or not all(isinstance(each, str) for each in dialects):
            raise self._wrong('The dialects of a layout are a list of names: dialects = ["godot4"].')
        fields = self._fields(table.get("field"), (), 0)
        files = table.get("files", "")
        if not isinstance(files, str):
            raise self._wrong('The files of a layout are told by a pattern of their names: files = "slot*.save".')
        has_values = any(each.type == "value" for each in _all(fields))
        if fields[0].type != "mark" and not (files.strip("*?") and has_values):
            self._line = self._lines[0]
            raise self._wrong(
                "The first field must be a mark, by which such a file is known; "
                'a layout with values may have the names of its files instead: files = "slot*.save".'
            )
        if not dialects and has_values:
            raise self._wrong("A layout with values needs the dialects that they may be in.")
        return Layout(key, name, tuple(dialects), fields, files)

    def _fields(self, found: object, known: tuple[str, ...], depth: int) -> tuple[LayoutField, ...]:
        if not isinstance(found, list) or not found:
            raise self._wrong("Fields are missing here: write [[field]] with a name and a type.")
        if depth > DEEPEST:
            raise self._wrong(f"Groups lie at most {DEEPEST} levels in each other.")
        out: list[LayoutField] = []
        for each in found:
            self._line = self._lines[min(self._seen, len(self._lines) - 1)] if self._lines else 1
            self._seen += 1
            if not isinstance(each, dict):
                raise self._wrong("A field is a table: write [[field]].")
            out.append(self._field(each, known, depth))
            known = (*known, out[-1].name)
        return tuple(out)

    def _field(self, table: Mapping[str, Any], known: tuple[str, ...], depth: int) -> LayoutField:
        name, kind, order = table.get("name"), table.get("type"), table.get("order", "little")
        unknown = sorted(table.keys() - KEYS)
        if unknown:
            raise self._wrong(f"A field has no “{unknown[0]}”; it has {', '.join(sorted(KEYS))}.")
        if not isinstance(name, str) or not name:
            raise self._wrong('A field needs a name: name = "…".')
        if kind not in TYPES:
            raise self._wrong(f"“{kind}” is no type; there are {', '.join(TYPES)}.")
        if order not in ("little", "big"):
            raise self._wrong(f"“{order}” is no order of bytes; write little or big.")
        text, called = table.get("text", ""), table.get("called", "")
        if not isinstance(text, str) or not isinstance(called, str):
            raise self._wrong("“text” and “called” are texts.")
        if kind == "mark" and not text:
            raise self._wrong('A mark needs the text that stands there: text = "…".')
        if called and called not in known:
            raise self._wrong(f"No field “{called}” stands before this one.")
        length = self._count(table.get("length"), "length", known, kind in ("mark", "text", "bytes", "value"))
        if kind == "mark" and (length not in (None, *COUNTS) or (length == "u8" and len(text.encode()) > 255)):
            raise self._wrong("The length of a mark is the type of the number in front of it: u32.")
        if kind == "unknown" and isinstance(length, str):
            raise self._wrong("The length of unknown bytes is a number, or not told.")
        if length is None and kind in ("text", "bytes"):
            raise self._wrong(f"A field of {kind} needs a length: a number, a field before it, or u8 to u64 in front.")
        if kind == "value" and length is not None and length not in COUNTS:
            raise self._wrong("The length of a value is the type of the number in front of it: u32.")
        repeat = FITS if table.get("repeat") == FITS else self._count(table.get("repeat"), "repeat", known, False)
        optional = table.get("optional", False)
        if not isinstance(optional, bool):
            raise self._wrong("“optional” is true or false.")
        fields = self._fields(table.get("field"), known, depth + 1) if kind == "group" else ()
        return LayoutField(name, str(kind), order == "big", text, length, repeat, called, fields, optional)

    def _count(self, found: object, word: str, known: tuple[str, ...], may_be_type: bool) -> int | str | None:
        if found is None or (isinstance(found, int) and not isinstance(found, bool) and found >= 0):
            return found
        if isinstance(found, str) and (found in known or (may_be_type and found in COUNTS)):
            return found
        raise self._wrong(f"“{word}” is a number from 0 on, or the name of a field before this one, not “{found}”.")


def _all(fields: tuple[LayoutField, ...]) -> Iterator[LayoutField]:
    waiting = list(fields)
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(each.fields)
