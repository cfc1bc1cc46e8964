"""Values inside payloads: where each ends, what it says in a few words, and why an engine would refuse it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import Any, NamedTuple, assert_never

from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.record import dataclass
from viewer.document.pieces.framing import ScratchColumns
from viewer.variant.dialect import FLAG_64, Dialect, Kind, TypeRow
from viewer.variant.lint.lint import lint
from viewer.variant.literal.names import printed
from viewer.variant.literal.numbers import component_text, float_text
from viewer.variant.literal.preview import ELLIPSIS, number_text, preview, shortened
from viewer.variant.literal.printing import format_literal, quoted
from viewer.variant.read import read_shallow
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

# Texts: the engine's literal as far as a line has room, without reading what is not shown.


LIMIT = 200
"""Characters of a value's text."""
DEPTH = 3
CHILDREN = 24


def value_text(table: NodeTable) -> str:
    """A whole value in at most :data:`LIMIT` characters."""
    return shortened(_node(table, 0, 0), LIMIT)


def _node(table: NodeTable, node: int, depth: int) -> str:
    """A node of at most :data:`DEPTH` levels; what lies deeper is three dots."""
    row = table.row(node)
    if row is None:
        return "?"
    match row.kind:
        case Kind.ARRAY | Kind.TYPED_ARRAY:
            return f"[{_listed(table, node, depth, 1)}]"
        case Kind.DICTIONARY:
            return f"{{{_listed(table, node, depth, 2)}}}"
        case Kind.STRING:
            prefix = "" if row.name == "String" else "&" if table.dialect.rules.literals == "godot4" else "@"
            return prefix + preview(table, node, LIMIT).text
        case Kind.PACKED | Kind.PACKED_STRINGS | Kind.IMAGE:
            return _called(table, node, row)
        case Kind.OBJECT | Kind.RESOURCE if table.child_count(node):
            return _called(table, node, row)
        case (
            Kind.FIXED
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.INPUT_EVENT
        ):
            return format_literal(read_shallow(table, node), table.dialect, limit=LIMIT)
        case _:
            assert_never(row.kind)


def _called(table: NodeTable, node: int, row: TypeRow) -> str:
    """A preview in brackets behind the type's name."""
    return f"{printed(row)}({preview(table, node, LIMIT).text})"


def _listed(table: NodeTable, node: int, depth: int, width: int) -> str:
    """The first children of a collection; *width* is 2 where they are keys and values."""
    children = table.children(node)
    if depth >= DEPTH and children:
        return ELLIPSIS
    out, length = [], 0
    shown = children[: CHILDREN * width]
    for child in shown[::width]:
        text = _node(table, child, depth + 1)
        if width == 2:
            text += f": {_node(table, child + 1, depth + 1) if child + 1 in children else ELLIPSIS}"
        out.append(text)
        length += len(text)
        if length > LIMIT:
            break
    if len(out) * width < len(children):
        out.append(ELLIPSIS)
    return ", ".join(out)


def numbers_text(row: TypeRow, kinds: tuple[str, ...]) -> Callable[[tuple[Any, ...]], str]:
    """What makes a text of the numbers of a value, which are of these kinds."""
    name = printed(row)
    if not kinds:
        empty = "null" if name == "Nil" else f"{name}()"
        return lambda numbers: empty
    if len(kinds) > 1:
        pairs = kinds
        return lambda numbers: f"{name}({', '.join(map(component_text, numbers, pairs))})"
    kind = kinds[0]
    if row.name == "float":
        return lambda numbers: float_text(numbers[0], kind)
    if row.name == "bool":
        return lambda numbers: number_text(numbers[0], kind)
    if row.name == "int":
        return lambda numbers: str(numbers[0])
    return lambda numbers: f"{name}({numbers[0] or ''})"


# Reading the values.


FORMATS = {"bool": "I", "u8": "B", "u32": "I", "i32": "i", "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}
READS_ON = frozenset({Code.BAD_UTF8, Code.ELEMENT_TYPE, Code.TOO_DEEP, Code.ENGINE_REFUSES, Code.SCRIPT_PATH})
"""Refused, but the value's end is known all the same."""


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value in a payload.

    Args:
        end: the first byte behind it; where it breaks off, the first one that could not be read.
        type: its type's name, empty where there is none.
        text: the value in a few words.
        severity, sentence: the worst that is wrong with it; *wrong_at* is the byte.
        is_whole: whether *end* is its end.
    """

    end: int
    type: str
    text: str
    severity: Severity | None = None
    sentence: str = ""
    wrong_at: int = 0
    is_whole: bool = True


class _Plain(NamedTuple):
    """A type of so many numbers and nothing else: its size with the header, and its text."""

    size: int
    name: str
    text: Callable[[tuple[Any, ...]], str]
    numbers: Struct


class ValueReader:
    """Reads values of one dialect. Belongs to one thread.

    Args:
        dialect: how to read them.
        lints: whether to tell also what an engine accepts but would not write.
    """

    def __init__(self, dialect: Dialect, lints: bool = True) -> None:
        self.dialect = dialect
        self._lints = lints
        self._scratch = ScratchColumns()
        self._string = dialect.type_number("String")
        self._plain = _plain_types(dialect)

    def read(self, data: bytes, at: int, end: int) -> FoundValue:
        """The value that begins at *at*; no byte from *end* on belongs to it."""
        header = int.from_bytes(data[at : at + 4], "little")
        plain = self._plain.get(header)
        if plain is not None:
            size = at + plain.size
            if size <= end:
                numbers = plain.numbers.unpack_from(data, at + 4)
                if plain.name != "bool" or numbers[0] <= 1:
                    return FoundValue(size, plain.name, plain.text(numbers))
        elif header == self._string and at + 8 <= end:
            found = self._short_text(data, at + 4, end)
            if found is not None:
                return found
        return self._scanned(data, at, end)

    def table(self, data: bytes, at: int, end: int) -> NodeTable:
        """The value's table, whose offsets count from *at*. The next reading makes it void."""
        return scan(memoryview(data)[at:end], self.dialect, pool=self._scratch)

    def _short_text(self, data: bytes, at: int, end: int) -> FoundValue | None:
        """A String without anything unusual; *at* is its length word."""
        length = int.from_bytes(data[at : at + 4], "little")
        behind = at + 4 + (length + 3 & ~3)
        if length > LIMIT or behind > end:
            return None
        raw = data[at + 4 : at + 4 + length]
        if not raw.isascii() or b"\0" in raw or any(data[at + 4 + length : behind]):
            return None
        return FoundValue(behind, "String", quoted(raw.decode("ascii")))

    def _scanned(self, data: bytes, at: int, end: int) -> FoundValue:
        table = self.table(data, at, end)
        row = table.row(0) if len(table) else None
        worst = _worst(table, self._lints)
        behind = at + table.end_of_data
        name = row.name if row is not None else ""
        if worst is None:
            return FoundValue(behind, name, value_text(table))
        is_whole = all(d.severity < Severity.ERROR or d.code in READS_ON for d in table.diagnostics)
        text = value_text(table) if is_whole else f"{name} (broken)" if name else ""
        return FoundValue(behind, name, text, worst.severity, worst.message, at + worst.span.start, is_whole)


def _worst(table: NodeTable, lints: bool) -> Diagnostic | None:
    """The gravest finding about a value, the first of equals; none where there are only notes."""
    worst = max(table.diagnostics, key=_gravity, default=None)
    if lints and (worst is None or worst.severity is not Severity.ERROR):
        worst = max(filter(None, (worst, *lint(table))), key=_gravity, default=None)
    return worst if worst is not None and worst.severity is not Severity.NOTE else None


def _gravity(found: Diagnostic) -> Severity:
    return found.severity


@cache
def _plain_types(dialect: Dialect) -> dict[int, _Plain]:
    """The types that are so many numbers, by their header words."""
    return {header: plain for row in dialect.rows for header, plain in _plain_forms(dialect, row)}


def _plain_forms(dialect: Dialect, row: TypeRow) -> list[tuple[int, _Plain]]:
    """The header words under which a type is so many numbers, each with what is read behind it."""
    rules = dialect.rules
    odd = (rules.projection_needs and row.name == "Projection") or (
        rules.vector4_misread and row.name.startswith("Vector4")
    )
    if row.kind is not Kind.FIXED or odd:
        return []
    forms = [(row.number, _plain_form(row, row.number))]
    if row.has_wide:
        forms.append((row.number | FLAG_64, _plain_form(row, row.number | FLAG_64)))
    return forms


def _plain_form(row: TypeRow, header: int) -> _Plain:
    kinds = tuple(field.type for field in row.fields(header))
    numbers = Struct("<" + "".join(FORMATS[kind] for kind in kinds))
    return _Plain(4 + numbers.size, row.name, numbers_text(row, kinds), numbers)


# Readers: one reader of values for each dialect, for all conversations of a thread; each holds memory of its own.


class Readers:
    """Value readers by dialect, made when they are first needed. Belongs to one thread."""

    def __init__(self) -> None:
        self._readers: dict[str, ValueReader] = {}

    def of(self, dialect: Dialect) -> ValueReader:
        """What reads the values of a dialect."""
        found = self._readers.get(dialect.key)
        if found is None:
            found = self._readers[dialect.key] = ValueReader(dialect)
        return found
