"""Dialects: the numbering, names and rules of one engine line, read from TOML.

``shapes.toml`` says how each payload lies, a dialect file which shape each type number has and how this engine line
reads and writes it. Everything else asks the rows: nothing in the program knows a type by its number.
"""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, assert_never

from viewer.base import assets
from viewer.base.record import dataclass, replace

FLAG_64 = 1 << 16
HEADER = 4
SHARED = 1 << 31
T = TypeVar("T")
NUMBERS = {"bool": 4, "u8": 1, "u32": 4, "i32": 4, "i64": 8, "u64": 8, "f32": 4, "f64": 8}


class DialectError(ValueError):
    """A dialect or shapes file that cannot be used; the text says what to mend."""


class Precision(Enum):
    """What ``real`` is in the engine that writes."""

    SINGLE = "single"
    DOUBLE = "double"


class Kind(Enum):
    """Which code follows a layout. The value is the word in ``shapes.toml``.

    What decides by kind names all of them in a ``match`` whose last arm is ``assert_never``, so that the type checker
    lists every such place once a member is added. :func:`by_kind` and :func:`kinds_where` make tables of such a
    ``match`` for what is asked often. The compiled loops name only what they are fast at and leave all else to these.
    """

    FIXED = "fixed"
    STRING = "string"
    NODE_PATH = "node path"
    OBJECT = "object"
    NULL_OBJECT = "null object"
    SIGNAL = "signal"
    DICTIONARY = "dictionary"
    ARRAY = "array"
    TYPED_ARRAY = "typed array"
    PACKED = "packed"
    PACKED_STRINGS = "packed strings"
    IMAGE = "image"
    INPUT_EVENT = "input event"
    RESOURCE = "resource"
    REFERENCE = "reference"
    INDEXED_PATH = "indexed path"


class Content(Enum):
    """What a kind holds besides its own fields and texts."""

    NOTHING = "nothing"
    VALUES = "values"
    PAIRS = "keys and values"
    PROPERTIES = "names and values"
    NUMBERS = "numbers"
    TEXTS = "texts"


def by_kind(choose: Callable[[Kind], T]) -> dict[Kind, T]:
    """What *choose* gives for each kind."""
    return {kind: choose(kind) for kind in Kind}


def kinds_where(holds: Callable[[Kind], bool]) -> tuple[Kind, ...]:
    """The kinds of which *holds* is true."""
    return tuple(kind for kind in Kind if holds(kind))


def content(kind: Kind) -> Content:
    """What a kind holds."""
    match kind:
        case Kind.ARRAY | Kind.TYPED_ARRAY:
            return Content.VALUES
        case Kind.DICTIONARY:
            return Content.PAIRS
        case Kind.OBJECT | Kind.RESOURCE:
            return Content.PROPERTIES
        case Kind.PACKED:
            return Content.NUMBERS
        case Kind.PACKED_STRINGS:
            return Content.TEXTS
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.NULL_OBJECT
            | Kind.SIGNAL
            | Kind.IMAGE
            | Kind.INPUT_EVENT
            | Kind.REFERENCE
            | Kind.INDEXED_PATH
        ):
            return Content.NOTHING
        case _:
            assert_never(kind)


def _with(*contents: Content) -> tuple[Kind, ...]:
    return kinds_where(lambda kind: content(kind) in contents)


LISTS = _with(Content.VALUES)
PAIRED = _with(Content.PAIRS, Content.PROPERTIES)
COLLECTIONS = _with(Content.VALUES, Content.PAIRS)
NAMED = _with(Content.PROPERTIES)
"""What holds pairs of a name, which has no header, and a value."""
HOLDING = _with(Content.VALUES, Content.PAIRS, Content.PROPERTIES)
"""What has children: collections and objects."""
PACKED = _with(Content.NUMBERS, Content.TEXTS)


def _is_numeric(kind: Kind) -> bool:
    match kind:
        case Kind.FIXED | Kind.PACKED:
            return True
        case (
            Kind.STRING
            | Kind.NODE_PATH
            | Kind.OBJECT
            | Kind.NULL_OBJECT
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
            | Kind.RESOURCE
            | Kind.REFERENCE
            | Kind.INDEXED_PATH
        ):
            return False
        case _:
            assert_never(kind)


NUMERIC = kinds_where(_is_numeric)
"""What is the fields of its row and nothing else, once or many times."""


@dataclass(frozen=True, slots=True)
class Field:
    """One primitive of a payload: its name and its number type, ``f32`` or ``f64`` where the shape says ``real``."""

    name: str
    type: str

    @property
    def size(self) -> int:
        """Size in bytes."""
        return NUMBERS[self.type]


@dataclass(frozen=True, slots=True)
class TypeRow:
    """One type of a dialect.

    *narrow* are the payload's fields (of one element for a packed array) without the 64-bit flag, *wide* with it; the
    very same where the flag means nothing. The sizes are those of the fields, in bytes.
    """

    number: int
    name: str
    kind: Kind
    narrow: tuple[Field, ...]
    wide: tuple[Field, ...]
    group: str
    chip: str
    about: str
    real: bool

    @property
    def narrow_size(self) -> int:
        """Bytes of the fields without the 64-bit flag."""
        return sum(field.size for field in self.narrow)

    @property
    def wide_size(self) -> int:
        """Bytes of the fields under the 64-bit flag."""
        return sum(field.size for field in self.wide)

    @property
    def has_wide(self) -> bool:
        """Whether the 64-bit flag changes the layout."""
        return self.narrow is not self.wide

    def fields(self, header: int) -> tuple[Field, ...]:
        """The fields under this header word."""
        return self.wide if header & FLAG_64 else self.narrow


@dataclass(frozen=True, slots=True)
class Rules:
    """How an engine line reads and writes; each a key of ``[rules]`` in its file.

    Args:
        header_mask: which bits of the header word name the type.
        flag64: ints and floats may be 64-bit under the flag.
        wide_reals: so may every ``real``.
        string_padding: ``required`` or ``optional`` behind a string when read.
        utf8: ``strict`` refuses what is not UTF-8, ``lenient`` also takes surrogates and long forms, ``any`` takes all.
        old_node_path: a node path may be one plain string.
        property_flag: a node path's property is written behind flag bit 1.
        negative_counts: what the engine does with them: ``refused`` or ``crash``.
        max_depth: deepest value the engine takes, the root being 0; 0 is no limit.
        typed_arrays, typed_dictionaries: header bits 16 to 19 tell element types.
        shared_bit: the engine writes bit 31 of a count.
        unwritten_padding: where the engine leaves fill as it was: ``all`` or ``node paths``.
        literals: the style of its text form: ``godot2``, ``godot3`` or ``godot4``.
        script_paths: an object's script, and a typed container's, is a ``res://`` path.
        projection_needs: bytes that the decoder asks for behind a Projection's header, 0 for what it takes.
        vector4_misread: the decoder goes on four bytes too early behind a Vector4 or Vector4i.
        string_keys: a StringName that is a key is read as a String.
        frees_scripted: a RefCounted object that comes with a script is freed while it is being read.
        closed_texts: a NUL ends each text, its length counts it, and no fill follows: so it is in binary resources.
    """

    header_mask: int
    flag64: bool
    wide_reals: bool
    string_padding: str
    utf8: str
    old_node_path: bool
    property_flag: bool
    negative_counts: str
    max_depth: int
    typed_arrays: bool
    typed_dictionaries: bool
    shared_bit: bool
    unwritten_padding: str
    literals: str
    script_paths: bool
    projection_needs: int
    vector4_misread: bool
    string_keys: bool = False
    frees_scripted: bool = False
    closed_texts: bool = False


def meaning_bits(row: TypeRow, rules: Rules) -> int:
    """The header bits that mean something for a type, besides its number."""
    match row.kind:
        case Kind.ARRAY:
            return 3 << 16 if rules.typed_arrays else 0
        case Kind.DICTIONARY:
            return 15 << 16 if rules.typed_dictionaries else 0
        case Kind.OBJECT | Kind.TYPED_ARRAY:
            return FLAG_64
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.NULL_OBJECT
            | Kind.SIGNAL
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
            | Kind.RESOURCE
            | Kind.REFERENCE
            | Kind.INDEXED_PATH
        ):
            return FLAG_64 if row.has_wide else 0
        case _:
            assert_never(row.kind)


class Dialect:
    """One engine line: rows by type number and by name, and its rules.

    Args:
        key, name, about: what the command line, a person and a tooltip call it.
        rows: its types, by their numbers, which need not follow each other.
        rules: how it reads and writes.
        wide: the numbers of those types that hold the 64 bits of another one of the same name.
    """

    def __init__(
        self,
        key: str,
        name: str,
        about: str,
        rows: tuple[TypeRow, ...],
        rules: Rules,
        wide: Mapping[str, int] | None = None,
    ) -> None:
        self.key = key
        self.name = name
        self.about = about
        self.rows = rows
        self.rules = rules
        self.wide = dict(wide or {})
        self._by_number: list[TypeRow | None] = [None] * (1 + max((row.number for row in rows), default=-1))
        for row in rows:
            self._by_number[row.number] = row
        self.by_name = {row.name: row for row in rows if self.wide.get(row.name) != row.number}
        fixed = [row if row is not None and row.kind is Kind.FIXED else None for row in self._by_number]
        self._fixed = [
            (None, None) if row is None else (HEADER + row.narrow_size, HEADER + row.wide_size) for row in fixed
        ]

    def __repr__(self) -> str:
        return f"Dialect({self.key!r})"

    def row(self, header: int) -> TypeRow | None:
        """The row that a header word names, or None where this engine line knows no such type."""
        number = header & self.rules.header_mask
        return self._by_number[number] if number < len(self._by_number) else None

    def fixed_size(self, header: int) -> int | None:
        """How many bytes a value takes under this header word, which is counted; None where more than that tells it."""
        number = header & self.rules.header_mask
        return self._fixed[number][header & FLAG_64 > 0] if number < len(self._fixed) else None

    def type_number(self, name: str) -> int:
        """The number of a type.

        Raises:
            KeyError: this engine line has no such type.
        """
        return self.by_name[name].number

    @property
    def precisions(self) -> tuple[Precision, ...]:
        """The precisions in which this engine line writes differently."""
        return (Precision.SINGLE, Precision.DOUBLE) if self.rules.wide_reals else (Precision.SINGLE,)


def parse_dialect(key: str, text: str) -> Dialect:
    """Read one dialect file.

    Args:
        key: what the command line calls it; the file's name without ``.toml``.
        text: the file's TOML.

    Raises:
        DialectError: it is not TOML, lacks a key, or names an unknown shape.
    """
    try:
        table = tomllib.loads(text)
        rules = Rules(**table["rules"])
        given = table["types"]
        types = {int(number): str(entry) for number, entry in given.items()} if isinstance(given, dict) else None
        types = types or dict(enumerate(map(str, given)))
        wide = {str(name): int(number) for name, number in table.get("wide", {}).items()}
        name, about = str(table["name"]), str(table["about"])
        words = {str(name): str(said) for name, said in table.get("words", {}).items()}
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise DialectError(f"The dialect “{key}” cannot be read: {error}.") from error
    rows = [_row(number, entry, rules, key, entry.partition("=")[0] in wide) for number, entry in types.items()]
    rows += [_wide_row(number, rows, name, key) for name, number in wide.items()]
    rows = [replace(row, about=words[row.name]) if row.name in words else row for row in rows]
    return Dialect(key, name, about, tuple(rows), rules, wide)


@cache
def load(key: str) -> Dialect:
    """The dialect with this key: one of the user's own, or one that ships with the program.

    Raises:
        DialectError: there is none, or its file cannot be used.
    """
    own = _own().get(key)
    if own is not None:
        try:
            return parse_dialect(key, own.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise DialectError(f"The dialect “{key}” cannot be read: {error}.") from error
    if key not in keys():
        raise DialectError(f"There is no dialect “{key}”. Known are {', '.join(keys())}.")
    return parse_dialect(key, assets.text("dialects", f"{key}.toml"))


RESOURCE_VALUES = "-resource"
"""How the keys of dialects end that are found in binary resources only."""


@cache
def load_resource_values(line: str, double: bool = False) -> Dialect:
    """How the values in binary resources of an engine line lie: ``godot3`` or ``godot4``.

    Args:
        line: which.
        double: whether the file says that ``real`` takes 64 bits.
    """
    found = parse_dialect(f"{line}{RESOURCE_VALUES}", assets.text("resource_values", f"{line}.toml"))
    if not double:
        return found
    rows = tuple(_doubled(row, row.name in found.wide) for row in found.rows)
    return Dialect(found.key, found.name, found.about, rows, found.rules, found.wide)


@cache
def load_text_values(kind: str) -> Dialect:
    """How the values lie that were made of a kind of text: ``json``, or an engine line whose own text it is."""
    if kind not in keys():
        return parse_dialect(f"{kind}-text", assets.text("text_values", f"{kind}.toml"))
    line = load(kind)
    more = parse_dialect(kind, assets.text("text_values", "references.toml")).rows
    rules = replace(line.rules, max_depth=0, utf8="any", script_paths=False, flag64=False, wide_reals=False)
    own = {row.name: row for row in more}
    rows = (*(own.pop(row.name, row) for row in line.rows), *own.values())
    return Dialect(f"{kind}-text", line.name, line.about, rows, rules)


def _doubled(row: TypeRow, has_wide: bool) -> TypeRow:
    """A row where ``real`` takes 64 bits; colours and arrays of plain floats do not."""
    is_float = has_wide and row.narrow[0].type == "f32"
    fields = tuple(Field(field.name, "f64") for field in row.narrow) if row.real or is_float else row.narrow
    return replace(row, narrow=fields, wide=fields if row.real or is_float else row.wide)


@cache
def keys() -> tuple[str, ...]:
    """The keys of all dialects: those that ship with the program, then the user's own."""
    shipped = [name.removesuffix(".toml") for name in assets.names("dialects") if name.endswith(".toml")]
    return tuple(dict.fromkeys([*shipped, *_own()]))


@cache
def available() -> tuple[Dialect, ...]:
    """All dialects that can be used; a file of the user's that cannot is left out."""
    return tuple(_usable())


def first() -> Dialect:
    """The first of :func:`available`, without a look at the others."""
    return next(_usable())


def _usable() -> Iterator[Dialect]:
    for key in keys():
        with contextlib.suppress(DialectError):
            yield load(key)


@cache
def _own() -> dict[str, Path]:
    """The user's dialect files: ``dialects/*.toml`` in the configuration folder."""
    return {path.stem: path for path in assets.user_files("dialects", ".toml")}


@dataclass(frozen=True, slots=True)
class EventType:
    """What one type of Godot 2's InputEvent stores behind its three words."""

    name: str
    fields: tuple[Field, ...]


def input_event(number: int) -> EventType:
    """The event type with this number; an unknown one, of which a file may have any number, stores nothing more."""
    return _input_events().get(number) or EventType(f"type {number}", ())


@cache
def _input_events() -> dict[int, EventType]:
    return {int(number): _event_type(entry) for number, entry in _tables()["input_events"].items()}


def _event_type(entry: Mapping[str, str]) -> EventType:
    pairs = (field.split(":") for field in entry["layout"].split())
    return EventType(entry["name"], tuple(Field(name, number_type) for name, number_type in pairs))


@cache
def image_formats() -> tuple[str, ...]:
    """The names of Godot 2's pixel formats, by number."""
    return tuple(_tables()["image_formats"]["names"])


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(assets.text("shapes.toml"))


def _row(number: int, entry: str, rules: Rules, key: str, has_wide: bool = False) -> TypeRow:
    name, _, shape_name = entry.partition("=")
    shape = _tables()["shapes"].get(shape_name or name)
    if shape is None:
        raise DialectError(f"The dialect “{key}” names the unknown shape “{shape_name or name}”.")
    layout = shape["layout"]
    kind, fields = _kind(layout)
    narrow, wide = _fields(fields, False, False), _fields(fields, rules.flag64 or has_wide, rules.wide_reals)
    return TypeRow(
        number,
        name,
        kind,
        narrow,
        narrow if wide == narrow else wide,
        shape["group"],
        shape["chip"],
        shape["about"],
        ":real" in fields and not has_wide,
    )


def _wide_row(number: int, rows: list[TypeRow], name: str, key: str) -> TypeRow:
    """The row of the type that holds the 64 bits of the one with this name."""
    narrow = next((row for row in rows if row.name == name), None)
    if narrow is None:
        raise DialectError(f"The dialect “{key}” has a wide “{name}”, but no narrow one.")
    return replace(narrow, number=number, narrow=narrow.wide)


@cache
def _kind(layout: str) -> tuple[Kind, str]:
    with contextlib.suppress(ValueError):
        return Kind(layout), ""
    if layout.startswith("packed "):
        return Kind.PACKED, layout.removeprefix("packed ")
    return Kind.FIXED, layout


@cache
def _fields(layout: str, wide_side_counts: bool, wide_reals: bool) -> tuple[Field, ...]:
    """The fields of a layout; all dialects share them, because most lay out most types alike."""
    narrow_side, _, wide_side = layout.partition(" | ")
    side = wide_side if wide_side_counts and wide_side else narrow_side
    real = "f64" if wide_reals else "f32"
    pairs = (entry.split(":") for entry in side.split())
    return tuple(Field(name, real if number == "real" else number) for name, number in pairs)
