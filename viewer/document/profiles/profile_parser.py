"""The text of a profile becomes one; what is wrong in it is said with its file and line.

A profile may come from anybody: its sizes are bounded, its paths hold no conditions, nothing in it is carried out.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from viewer.base import assets
from viewer.base.late_pattern import late_pattern
from viewer.base.toml_text import TomlProblem, read_toml, table_lines
from viewer.document.bulk.frame_values import BulkError
from viewer.document.bulk.operations import LiteralDialect
from viewer.document.bulk.rule_parser import parse_pattern
from viewer.document.bulk.steps import ChildrenStep, EntryStep, KeyStep, NamedDescendantsStep, PatternStep
from viewer.document.profiles.game_profile import (
    KEYS,
    TOP_KEYS,
    GameProfile,
    KeyMeaning,
    ProfileError,
    ProfilePath,
)
from viewer.variant.dialect import Precision, load

LONGEST_PROFILE = 1 << 18
LONGEST_LINE = 1 << 13
MOST_DOTS = 200
"""Between two signs of equality: a key of very many parts would take the square of their number to be read."""
MOST_KEYS, MOST_NAMES, MOST_HAS = 1000, 20_000, 16
"""Of one profile: keys that are explained, values with a name, paths by which its saves are known."""
LONGEST_WORDS, LONGEST_ABOUT, LONGEST_PATH = 200, 1000, 300
MOST_STEPS = 16
CLOSE = 0.5
"""How alike a word must be to one that there is, 0 to 1."""
PLAIN_STEPS = (EntryStep, KeyStep, NamedDescendantsStep)
_RANGE = late_pattern(r"\s*(-?\d{1,18}(?:\.\d{1,18})?)?\s*\.\.\s*(-?\d{1,18}(?:\.\d{1,18})?)?\s*", re.ASCII)
_FILE = late_pattern(r"[\w][\w .-]{0,99}\.csv")
Beside: TypeAlias = Callable[[str], str]
"""The text of a file beside a profile; raises OSError or ValueError."""


def parse_profile(key: str, text: str, place: str, beside: Beside, path: Path | None = None) -> GameProfile:
    """Read a profile.

    Args:
        key: what it is called.
        text: its TOML.
        place: the name of its file, for what is wrong.
        beside: reads the tables of names that it tells.
        path: its file, where it is the person's own.

    Raises:
        ProfileError: it is not TOML, lacks something, or contradicts itself.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise ProfileError(f"{place}, line {number}: A line has at most {LONGEST_LINE} letters.")
        if (
            line.count(".") > MOST_DOTS
            and not line.startswith("#")
            and any(part.count(".") > MOST_DOTS for part in line.split("="))
        ):
            raise ProfileError(f"{place}, line {number}: There are more than {MOST_DOTS} dots here.")
    try:
        table = read_toml(text, place, LONGEST_PROFILE, "A profile")
    except TomlProblem as error:
        raise ProfileError(str(error)) from error
    return _Parser(place, text, beside).profile(key, table, path)


class _Parser:
    """Reads the tables of one file, and finds the line of what is wrong there."""

    def __init__(self, place: str, text: str, beside: Beside) -> None:
        self._place, self._beside = place, beside
        self._text = text.split("\n")
        self._key_place = -1
        self._reading = LiteralDialect(load("godot4"), Precision.SINGLE)
        self._names = 0
        self._tables: dict[str, dict[str, str]] = {}

    def _wrong(self, words: str, key: str = "") -> ProfileError:
        return ProfileError(f"{self._place}, line {self._line(key)}: {words}")

    def _line(self, key: str) -> int:
        """The line in which a key of the table stands, else the one in which the table begins."""
        first, end = self._lines_of(self._key_place)
        if key:
            begins = re.compile(rf"(?:.*[{{,]|\[)?\s*[\"']?{re.escape(key)}[\"']?\s*[.=\]]")
            for at in range(first, min(end, len(self._text))):
                if begins.match(self._text[at]):
                    return at + 1
        return first + 1

    def _lines_of(self, place: int) -> tuple[int, int]:
        """The lines from which and up to which the table of a key stands, from 0; -1 is what is before all of them."""
        heads = [line - 1 for line in table_lines("\n".join(self._text))]
        first = 0 if place < 0 or not heads else heads[min(place, len(heads) - 1)]
        return first, heads[place + 1] if place + 1 < len(heads) else len(self._text)

    def profile(self, key: str, table: Mapping[str, Any], path: Path | None) -> GameProfile:
        """The profile."""
        self._known(table, TOP_KEYS, "A profile")
        name = self._words(table, "name", LONGEST_WORDS)
        if not name:
            raise self._wrong('A profile needs the name of its game: name = "…".', "name")
        files = self._words(table, "files", LONGEST_WORDS)
        if "files" in table and not files.strip("*?/ "):
            raise self._wrong('“files” is a pattern of the names of the saves: files = "slot*.save".', "files")
        has = self._has(table)
        if not files and not has:
            raise self._wrong(
                'A profile must say how its saves are known: files = "slot*.save", or has = ["player.gold"].'
            )
        layout = self._words(table, "layout", LONGEST_WORDS)
        if layout and not _is_layout(layout):
            raise self._wrong(f"There is no layout “{layout[:40]}”.", "layout")
        hint = self._words(table, "password_hint", LONGEST_WORDS)
        return GameProfile(key, name, self._place, path, files, has, layout, hint, self._keys(table))

    def _has(self, table: Mapping[str, Any]) -> tuple[ProfilePath, ...]:
        found = table.get("has", [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self._wrong('“has” is a list of paths that each save has: has = ["player.gold"].', "has")
        if len(found) > MOST_HAS:
            raise self._wrong(f"“has” names at most {MOST_HAS} paths.", "has")
        return tuple(self._path(each, "has") for each in found)

    def _keys(self, table: Mapping[str, Any]) -> tuple[KeyMeaning, ...]:
        found = table.get("key", [])
        if not isinstance(found, list):
            raise self._wrong("Keys go in tables of their own: write [[key]] with two brackets.", "key")
        if len(found) > MOST_KEYS:
            raise self._wrong(f"A profile explains at most {MOST_KEYS} keys.")
        out: list[KeyMeaning] = []
        before: dict[str, int] = {}
        for place, each in enumerate(found):
            self._key_place = place
            if not isinstance(each, dict):
                raise self._wrong("A key is a table: write [[key]].")
            meaning = self._key(each)
            first = before.setdefault(meaning.at.text, place)
            if first != place:
                line = self._lines_of(first)[0] + 1
                raise self._wrong(f"“{meaning.at.text[:40]}” is explained in line {line} already.", "at")
            out.append(meaning)
        return tuple(out)

    def _key(self, table: Mapping[str, Any]) -> KeyMeaning:
        self._known(table, KEYS, "A key")
        at = table.get("at")
        if not isinstance(at, str):
            raise self._wrong('A key needs the path where it is: at = "player.gold".', "at")
        least, most = self._range(table)
        return KeyMeaning(
            self._path(at, "at"),
            self._words(table, "name", LONGEST_WORDS),
            self._words(table, "about", LONGEST_ABOUT),
            self._words(table, "unit", LONGEST_WORDS),
            least,
            most,
            self._value_names(table),
            self._flag(table, "favourite"),
            self._flag(table, "hidden"),
            table.get("names", {}),
            table.get("names_from", ""),
        )

    def _known(self, table: Mapping[str, Any], keys: frozenset[str], what: str) -> None:
        unknown = next((key for key in table if key not in keys), None)
        if unknown is not None:
            raise self._wrong(f"{what} has no “{unknown[:40]}”; {_nearest(unknown, sorted(keys))}.", unknown[:100])

    def _words(self, table: Mapping[str, Any], key: str, longest: int) -> str:
        found = table.get(key, "")
        if not isinstance(found, str):
            raise self._wrong(f"“{key}” is a text in quotes.", key)
        if len(found) > longest:
            raise self._wrong(f"“{key}” has at most {longest} letters.", key)
        return found.strip()

    def _flag(self, table: Mapping[str, Any], key: str) -> bool:
        found = table.get(key, False)
        if not isinstance(found, bool):
            raise self._wrong(f"“{key}” is true or false.", key)
        return found

    def _path(self, text: str, key: str) -> ProfilePath:
        if len(text) > LONGEST_PATH:
            raise self._wrong(f"A path has at most {LONGEST_PATH} letters.", key)
        try:
            frame, steps = parse_pattern(text, self._reading)
        except BulkError as error:
            raise self._wrong(f"“{text[:40]}” is not a path: {error}", key) from error
        if len(steps) > MOST_STEPS:
            raise self._wrong(f"A path has at most {MOST_STEPS} steps.", key)
        if not all(_is_plain(step) for step in steps):
            raise self._wrong(
                f"“{text[:40]}” is not a path of a profile: it has names, [3], [*] and ..name, and no conditions.", key
            )
        return ProfilePath(text, frame, tuple(steps))

    def _range(self, table: Mapping[str, Any]) -> tuple[int | float | None, int | float | None]:
        if "range" not in table:
            return None, None
        found = table["range"]
        match = _RANGE.fullmatch(found) if isinstance(found, str) else None
        least, most = (_number(match[1]), _number(match[2])) if match is not None else (None, None)
        if least is None and most is None:
            raise self._wrong(
                '“range” is the least and the greatest number: range = "0..99", "1.." or "..0.5".', "range"
            )
        if least is not None and most is not None and least > most:
            raise self._wrong(f"“range” ends before it begins: {found}.", "range")
        return least, most

    def _value_names(self, table: Mapping[str, Any]) -> Mapping[str, str]:
        found, source = table.get("names", {}), table.get("names_from")
        if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
            raise self._wrong('“names” says what values mean: names = { 0 = "ranger", 1 = "mage" }.', "names")
        long = next((each for each in (*found, *found.values()) if len(each) > LONGEST_NAME), None)
        if long is not None:
            raise self._wrong(f"A name has at most {LONGEST_NAME} letters.", "names")
        table = self._names_from(source) if source is not None else {}
        self._names += len(found)
        if self._names > MOST_NAMES:
            raise self._wrong(f"A profile names at most {MOST_NAMES} values.", "names")
        return ChainMap(found, table) if found and table else found or table

    def _names_from(self, source: object) -> dict[str, str]:
        if not isinstance(source, str) or not _FILE.fullmatch(source):
            raise self._wrong(
                '“names_from” is the name of a table beside the profile: names_from = "items.csv".', "names_from"
            )
        if source in self._tables:
            return self._tables[source]
        try:
            names = self._tables[source] = parse_names(self._beside(source))
            self._names += len(names)
            return names
        except NamesProblem as error:
            raise self._wrong(f"“{source}”, {error}", "names_from") from error
        except UnicodeDecodeError as error:
            raise self._wrong(f"“{source}” is not written in UTF-8.", "names_from") from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a plain file"
            raise self._wrong(f"“{source}” cannot be read: {reason}.", "names_from") from error


def _is_plain(step: PatternStep) -> bool:
    """Whether a step leads by names and places alone, and to the first of equal keys."""
    if isinstance(step, ChildrenStep):
        return step.condition is None
    return isinstance(step, PLAIN_STEPS) and getattr(step, "rank", 1) == 1


def _number(digits: str | None) -> int | float | None:
    if digits is None:
        return None
    number = float(digits) if "." in digits else int(digits)
    return number if math.isfinite(number) else None


def _is_layout(key: str) -> bool:
    shipped = f"{key}.toml" in assets.names("layouts")
    return shipped or any(path.stem == key for path in assets.user_files("layouts", ".toml"))


def _nearest(word: str, words: Sequence[str]) -> str:
    """Which word is likely meant, or which there are."""
    from difflib import get_close_matches  # only where something is wrong

    close = get_close_matches(word[:40], words, 1, CLOSE)
    return f"{close[0]} is likely meant" if close else f"there are {', '.join(words)}"


# Names of ids from a table beside a profile

LONGEST_NAME = 200
LONGEST_TABLE = 1 << 20
MOST_ROWS = 20_000
ID_WORDS, NAME_WORDS = ("id", "key", "number"), ("name", "title", "label")


class NamesProblem(ValueError):
    """A table that cannot be used; the text begins with the line and ends as a sentence."""


def parse_names(text: str) -> dict[str, str]:
    """The names by their ids.

    A first row of words such as ``id`` and ``name`` says which columns are meant.

    Raises:
        NamesProblem: a row has no id or no name, or there are too many.
    """
    sign = next(
        (sign for sign in (";", "\t") if sign in text.split("\n", 1)[0] and "," not in text.split("\n", 1)[0]), ","
    )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
    out: dict[str, str] = {}
    id_at, name_at = 0, 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not out and (found := _columns(cells)) is not None and reader.line_num == 1:
                id_at, name_at = found
                continue
            if len(cells) <= max(id_at, name_at) or not cells[id_at]:
                raise NamesProblem(f"line {reader.line_num}: A row has an id and a name.")
            if len(cells[id_at]) > LONGEST_NAME or len(cells[name_at]) > LONGEST_NAME:
                raise NamesProblem(f"line {reader.line_num}: A name has at most {LONGEST_NAME} letters.")
            out[cells[id_at]] = cells[name_at]
            if len(out) > MOST_ROWS:
                raise NamesProblem(f"line {reader.line_num}: A table has at most {MOST_ROWS} rows.")
    except csv.Error as error:
        raise NamesProblem(f"line {reader.line_num}: This is not CSV: {error}.") from error
    return out


def _columns(cells: list[str]) -> tuple[int, int] | None:
    """Where id and name stand, of a first row that says so."""
    words = [cell.lower() for cell in cells]
    id_at = next((words.index(word) for word in ID_WORDS if word in words), None)
    name_at = next((words.index(word) for word in NAME_WORDS if word in words), None)
    return (id_at, name_at) if id_at is not None and name_at is not None else None
