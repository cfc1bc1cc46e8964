"""Engine lines: which versions read alike, in which dialect, and where that is known from. Read from a resource."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any

from viewer.base import assets
from viewer.base.record import dataclass, field, replace
from viewer.variant.dialect import Dialect, TypeRow, load
from viewer.variant.engine_classes import ClassList, class_list

# Classes: which of them an engine can make when it reads an object that comes with its class. Read from a resource.

MISCOUNTED = 12
"""Bytes that a decoder counts for the payload of a Vector4 where it misreads what follows: three numbers of four."""


class Evidence(Enum):
    """Where a fact about an engine is from."""

    RUN = "run"
    SOURCE = "source"


class EngineCall(Enum):
    """How a game reads bytes.

    BYTES: a function that takes a byte array. FILE: ``get_var`` of a file, which expects the length of the value in
    front of it. STREAM: ``get_var`` of the network: ``StreamPeer`` expects the length too, ``PacketPeer`` takes a
    packet as one value. LOADER: not by a call for values, but by the loader that the engine has for such files.
    """

    BYTES = "bytes"
    FILE = "file"
    STREAM = "stream"
    LOADER = "loader"


@dataclass(frozen=True, slots=True)
class EngineLine:
    """Versions of an engine that read alike.

    Args:
        key: its name on the command line.
        name: its name for people.
        dialect: what its bytes mean.
        words: the conditions of its decoder by what they check.
        evidence, basis: where this is known from, in a few words.
        function: the function that reads a byte array.
        file_class: the class whose ``get_var`` reads from a file.
        stack: levels of nesting that overflow its stack, 0 for none.
        pools: non-empty packed arrays that it can hold, 0 for any number.
        checks_files: whether ``File.get_var`` notices that a file ends before its value.
        classes: what is known of its classes, None for nothing.
        has_more_classes: it has some that the list does not know, so that only what is abstract can be told.
        converts: it converts values of typed collections that other versions drop.
    """

    key: str
    name: str
    dialect: Dialect
    words: Mapping[str, str] = field(hash=False)
    evidence: Evidence
    basis: str
    function: str
    file_class: str
    stack: int
    pools: int
    checks_files: bool
    classes: ClassList | None = field(hash=False, repr=False)
    has_more_classes: bool
    converts: bool

    @property
    def source(self) -> str:
        """Where the facts are from, as a sentence's end: ``found by running Godot 3.2.3``."""
        return f"found by running {self.basis}" if self.evidence is Evidence.RUN else f"from source: {self.basis}"

    def reads_like(self, other: EngineLine) -> bool:
        """Whether both do the same with all bytes."""
        return self._how() == other._how()

    def _how(self) -> tuple[object, ...]:
        limits = (self.stack, self.pools, self.checks_files)
        return self.dialect, self.words, limits, self.classes, self.has_more_classes, self.converts

    def call_name(self, call: EngineCall, has_length: bool = True) -> str:
        """What a game writes.

        Args:
            call: how it reads.
            has_length: whether a length stands in front of the value.
        """
        if call is EngineCall.LOADER:
            return "own loader"
        if call is EngineCall.BYTES:
            return self.function
        return f"{self.file_class if call is EngineCall.FILE else 'StreamPeer' if has_length else 'PacketPeer'}.get_var"


@cache
def lines() -> tuple[EngineLine, ...]:
    """All engine lines, in the order of the resource."""
    table = _table()
    return tuple(_line(entry, table["words"]) for entry in table["engines"])


def line(key: str) -> EngineLine:
    """The engine line with this key; a number inside one is understood: ``godot4.2`` is in ``godot4.0``.

    Raises:
        KeyError: there is none.
    """
    by_key = {each.key: each for each in lines()}
    return by_key[key if key in by_key else ALIASES[key]]


def line_of(dialect: Dialect) -> EngineLine | None:
    """The line that speaks a dialect, one that was run if there is one; None for a dialect of the user's own."""
    speaking = [each for each in lines() if each.dialect.key == dialect.key]
    return min(speaking, key=lambda each: each.evidence is not Evidence.RUN, default=None)


ALIASES = {
    "godot2": "godot2.1",
    "godot3": "godot3.2",
    **{f"godot3.{minor}": "godot3.2" for minor in (3, 4)},
    "godot3.6": "godot3.5",
    **{f"godot4.{minor}": "godot4.0" for minor in (1, 2)},
    "godot4": "godot4.6",
    "godot4.5": "godot4.4",
}
"""Versions that a line stands for, beside its own key."""


@cache
def decoder(engine: EngineLine) -> Dialect:
    """The dialect as this engine's decoder follows it: with its nesting limit, and its miscounted types.

    A decoder that goes on too early behind a Vector4 reads as if that took fewer bytes.
    """
    given = engine.dialect
    rules = replace(given.rules, max_depth=given.rules.max_depth or engine.stack)
    rows = tuple(_counted(row) for row in given.rows) if rules.vector4_misread else given.rows
    return Dialect(given.key, given.name, given.about, rows, replace(rules, vector4_misread=False))


@cache
def concept(name: str) -> str:
    """What a type is, whatever this engine line calls it."""
    return str(_table()["same"].get(name, name))


def _counted(row: TypeRow) -> TypeRow:
    if row.name not in ("Vector4", "Vector4i"):
        return row
    narrow = row.narrow[: MISCOUNTED // 4]
    return replace(row, narrow=narrow, wide=row.wide[: MISCOUNTED // 4] if row.has_wide else narrow)


def _line(entry: Mapping[str, Any], words: Mapping[str, Mapping[str, str]]) -> EngineLine:
    dialect = load(entry["dialect"])
    if entry.get("typed_dictionaries") is False:
        rules = replace(dialect.rules, typed_dictionaries=False)
        dialect = Dialect(dialect.key, entry["name"], dialect.about, dialect.rows, rules)
    return EngineLine(
        entry["key"],
        entry["name"],
        dialect,
        _words(entry["words"], words),
        Evidence(entry["evidence"]),
        entry["basis"],
        entry["call"],
        entry.get("file_class", "File"),
        entry.get("stack", 0),
        entry.get("pools", 0),
        entry.get("checks_files", True),
        class_list(entry.get("classes", "")),
        entry.get("has_more_classes", False),
        entry.get("converts", False),
    )


def _words(key: str, words: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """The words of a line, with those of the line that it is otherwise like."""
    own = dict(words[key])
    like = own.pop("like", "")
    return {**words[like], **own} if like else own


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(assets.text("engines.toml"))
