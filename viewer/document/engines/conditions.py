"""Conditions: with which words an engine's decoder refuses what the scanner found, and what it returns then."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import assert_never

from viewer.base.buffer import u32
from viewer.base.diagnostic import Code, Diagnostic
from viewer.base.record import dataclass
from viewer.document.engines.lines import EngineLine
from viewer.variant.dialect import FLAG_64, Kind, TypeRow
from viewer.variant.header import INT_MAX
from viewer.variant.table import NodeTable

FREES = "frees the object while it reads it, and may die"
DIES = "reads outside the buffer and dies"
OVERFLOWS = "overflows its stack and dies"
SWELLS = "takes memory for every null, and may die"


class EngineError(Enum):
    """What a decoder returns; the value is what games see."""

    ERR_UNAVAILABLE = 2
    ERR_UNAUTHORIZED = 4
    ERR_OUT_OF_MEMORY = 6
    ERR_FILE_EOF = 18
    ERR_INVALID_DATA = 30


@dataclass(frozen=True, slots=True)
class Condition:
    """Why a decoder stops.

    Args:
        text: the condition in the engine's own words; where it dies, in ours.
        error: what it returns, None where it dies.
    """

    text: str
    error: EngineError | None = EngineError.ERR_INVALID_DATA

    @property
    def is_fatal(self) -> bool:
        """Whether the engine dies of it."""
        return self.error is None


CRASH = Condition(DIES, None)


@dataclass(frozen=True, slots=True)
class FindingCase:
    """A finding with what its condition depends on.

    Args:
        engine: whose words.
        found: what stops it.
        table: where it was found.
        row, header: the type of the value, None and 0 where there is none.
    """

    engine: EngineLine
    found: Diagnostic
    table: NodeTable
    row: TypeRow | None
    header: int

    def says(self, check: str, error: EngineError = EngineError.ERR_INVALID_DATA, **facts: object) -> Condition:
        """The engine's words for a check; one that it does not make lets it read outside the buffer."""
        template = self.engine.words.get(check)
        return CRASH if template is None else Condition(template.format_map(facts), error)

    def short(self, size: int | str) -> Condition:
        """Fewer bytes are left than a fixed number."""
        return self.says("short", size=size)

    def number(self, at: int) -> int:
        """The word at an offset, 0 where it is cut off."""
        return u32(self.table.buffer, at) if at + 4 <= len(self.table.buffer) else 0


def condition(engine: EngineLine, found: Diagnostic, table: NodeTable) -> Condition:
    """Why *engine* stops at a finding of severity error."""
    row = table.row(found.node) if 0 <= found.node < len(table) and found.code is not Code.HEADER_MISSING else None
    header = table.header(found.node) if row is not None else 0
    return _BY_CODE[found.code](FindingCase(engine, found, table, row, header))


def unauthorized(engine: EngineLine) -> Condition:
    """It meets an object and was not told to allow them."""
    return Condition(engine.words["objects"], EngineError.ERR_UNAUTHORIZED)


def not_made(engine: EngineLine) -> Condition:
    """It cannot make an object of this class."""
    words = engine.words.get("no_object")
    if words is not None:
        return Condition(words, EngineError.ERR_UNAVAILABLE)
    return Condition(engine.words["no_class"])


# By code


def _header(case: FindingCase) -> Condition:
    return case.short(4)


def _type(case: FindingCase) -> Condition:
    return case.says("type")


def _payload(case: FindingCase) -> Condition:
    row, part = case.row, case.found.part
    if (
        row is not None
        and row.kind is Kind.NODE_PATH
        and part.endswith("_length")
        and "name_short" in case.engine.words
    ):
        return case.says("name_short")
    if row is None or part.endswith("length") or case.table.is_name(case.found.node):
        return case.short(4)
    match row.kind:
        case Kind.FIXED:
            return _fixed(case, row)
        case Kind.NODE_PATH | Kind.INDEXED_PATH:
            return case.short(4 if part == "name_count" else 12)
        case Kind.OBJECT | Kind.RESOURCE | Kind.SIGNAL:
            return case.short(8 if part == "id" else 4)
        case Kind.TYPED_ARRAY:
            return case.short(8) if part == "element_type" else CRASH
        case Kind.IMAGE:
            return case.says("image_data") if part == "data" else case.short("5 * 4")
        case Kind.INPUT_EVENT:
            return CRASH
        case (
            Kind.STRING
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
        ):
            return case.short(4)
        case _:
            assert_never(row.kind)


def _fixed(case: FindingCase, row: TypeRow) -> Condition:
    fields = row.fields(case.header)
    if (len(fields) == 1 and not _is_float(row)) or (row.name == "float" and case.engine.words["real"] == "4"):
        return case.short(fields[0].size)
    if row.name == "float" or row.real:
        size = _real_size(case, len(fields))
        check = "short_real" if "short_real" in case.engine.words else "short"
        return case.says(check, size=size)
    return case.short(_times("(int)4" if case.engine.words["real"] == "(int)4" else "4", len(fields)))


def _text(case: FindingCase) -> Condition:
    """A text that is too long, negative, or without its fill."""
    if "text_overflow" not in case.engine.words:
        return _unchecked_text(case)
    length = case.number(case.found.span.start) if case.found.code is not Code.PADDING_MISSING else 0
    overflows = length > INT_MAX - (-length % 4)
    return case.says("text_overflow" if overflows else "text", EngineError.ERR_FILE_EOF)


def _unchecked_text(case: FindingCase) -> Condition:
    if case.found.code is Code.LENGTH_NEGATIVE:
        return CRASH
    is_name = case.row is not None and case.row.kind is Kind.NODE_PATH
    return case.says("name" if is_name else "text")


def _count(case: FindingCase) -> Condition:
    """A count that is negative, or of more than there is."""
    row = case.row
    assert row is not None
    fields = row.fields(case.header)
    size = sum(field.size for field in fields)
    if size == 1:
        negative = case.found.code is Code.COUNT_NEGATIVE
        return CRASH if negative and "overflow" not in case.engine.words else case.says("bytes")
    stated = case.number(case.found.span.start)
    words = _packed_words(case, row, len(fields), fields[0].size)
    if stated > INT_MAX // size:
        return case.says("overflow", size=words) if "overflow" in case.engine.words else _wrapped(case, stated, size)
    real = "packed_real" in case.engine.words and "sizeof" in words
    return case.says("packed_real" if real else "packed", size=words)


def _wrapped(case: FindingCase, stated: int, size: int) -> Condition:
    """A decoder that multiplies in 32 bits: what comes out may seem to fit."""
    product = stated * size & 0xFFFFFFFF
    left = len(case.table.buffer) - case.found.span.end
    refuses = left < product <= INT_MAX
    return case.says("packed", size=_times("4", size // 4)) if refuses else CRASH


def _packed_words(case: FindingCase, row: TypeRow, count: int, size: int) -> str:
    if row.real and "sizeof" in case.engine.words["real"]:
        return _real_size(case, count, wide=size == 8)
    return _times(str(size) if count == 1 else "4", count)


def _class_name(case: FindingCase) -> Condition:
    number = case.number(case.found.span.start) & case.table.dialect.rules.header_mask
    return case.says("type" if number >= len(case.table.dialect.rows) else "class_name")


def _element_type(case: FindingCase) -> Condition:
    return case.says("element_type", number=case.found.facts["number"], types=len(case.table.dialect.rows))


def _depth(case: FindingCase) -> Condition:
    if case.engine.stack:
        return Condition(OVERFLOWS, None)
    return case.says("depth", EngineError.ERR_OUT_OF_MEMORY)


def _script(case: FindingCase) -> Condition:
    """A script that is no path, or no text at all."""
    part = case.found.part
    is_path = part == "text" or part.endswith(("script", "script_length"))
    return case.says("script" if is_path else "script_type")


def _checks(check: str) -> Callable[[FindingCase], Condition]:
    return lambda case: case.says(check)


_BY_CODE: dict[Code, Callable[[FindingCase], Condition]] = {
    Code.HEADER_MISSING: _header,
    Code.CHILD_MISSING: _header,
    Code.UNKNOWN_TYPE: _type,
    Code.FLAGS_REFUSED: _type,
    Code.PAYLOAD_TRUNCATED: _payload,
    Code.LENGTH_TOO_LONG: _text,
    Code.LENGTH_NEGATIVE: _text,
    Code.PADDING_MISSING: _text,
    Code.COUNT_TOO_LARGE: _count,
    Code.COUNT_NEGATIVE: _count,
    Code.VALUE_TOO_LONG: _header,
    Code.TOO_MANY_NULLS: lambda case: Condition(SWELLS, None),
    Code.OLD_NODE_PATH: _checks("old_path"),
    Code.IMAGE_FORMAT: _checks("image_format"),
    Code.CLASS_NAME_EXPECTED: _class_name,
    Code.BAD_UTF8: _checks("utf8"),
    Code.ELEMENT_TYPE: _element_type,
    Code.TOO_DEEP: _depth,
    Code.ENGINE_REFUSES: _checks("projection"),
    Code.SCRIPT_PATH: _script,
}


def _is_float(row: TypeRow) -> bool:
    return row.narrow[0].type in ("f32", "f64")


def _real_size(case: FindingCase, count: int, wide: bool | None = None) -> str:
    is_wide = bool(case.header & FLAG_64) if wide is None else wide
    real = case.engine.words["real"].format(real="double" if is_wide else "float")
    return _times(real, count)


def _times(word: str, count: int) -> str:
    return word if count == 1 else f"{word} * {count}"
