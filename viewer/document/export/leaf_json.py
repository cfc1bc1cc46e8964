"""What JSON says of a value by its bytes alone: of leaves that are whole and written as an engine writes them.

Most values of a file are short, and the same bytes come again and again. All that is rarer, odd or broken is left to
who knows the node, too.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from json.encoder import encode_basestring
from math import isfinite
from struct import Struct
from typing import TypeAlias, TypeVar

from viewer.document.export.deep_json import visible
from viewer.variant.dialect import FLAG_64, Dialect, Kind, Precision, TypeRow
from viewer.variant.literal.names import printed
from viewer.variant.literal.numbers import component_text, float_text, forms, is_integer
from viewer.variant.literal.preview import ELLIPSIS, MANY, shortened
from viewer.variant.literal.printing import quoted
from viewer.variant.native.json_writer import COLUMNS, PREFIXES, WHOLE, is_matrix
from viewer.variant.primitives import FORMATS, RANGES, fits_f32
from viewer.variant.text import BOM

TEXT_LIMIT = 120
LONGEST = 1 << 9
"""Bytes of the largest leaf that is judged by its bytes."""
REMEMBERED = 1 << 10
"""Twice so many different leaves are kept."""
HEADER = 4
PLAIN_NUMBERS = ("Nil", "bool", "int", "float")

Shape: TypeAlias = "tuple[tuple[int, ...], tuple[str, ...], str]"
"""A leaf in a dump: where its parts end but for the last one, in bytes from its start; the text around each pair of
offsets, the node's own first; and how the leaf is shown in a preview."""
T = TypeVar("T")


def json_text(text: str) -> str:
    """A text as JSON."""
    return visible(encode_basestring(text))


class Memo(dict[bytes, T]):
    """What was found for bytes that came lately; what is asked for again stays."""

    def __init__(self) -> None:
        super().__init__()
        self._older: dict[bytes, T] = {}

    def learned(self, raw: bytes, make: Callable[[], T]) -> T:
        """What there is for bytes that are not in it: what was known before, or else what *make* finds."""
        found = self._older.get(raw)
        if found is None:
            found = make()
        if len(self) >= REMEMBERED:
            self._older = dict(self)
            self.clear()
        self[raw] = found
        return found


def shape(kind: str, text: str, parts: list[tuple[str, str, int]], tail: str, short: str) -> Shape:
    """What a dump says of a leaf.

    Args:
        kind: the name of its type.
        text: how it is shown.
        parts: name, value as JSON and end of each, the end in bytes from the start of the leaf.
        tail: what stands behind the parts, from the comma on.
        short: how it is shown in a preview.
    """
    around = [f'"type": {json_text(kind)}, "span": [', f'], "text": {json_text(text)}, "parts": [']
    for name, value, _ in parts:
        around[-1] += f'{{"name": {json_text(name)}, "span": ['
        around.append(f'], "value": {value}}}, ')
    around[-1] = f"{around[-1][:-2]}]"
    return tuple(end for _, _, end in parts[:-1]), (*around, tail), short


def placed(found: Shape, start: int, begin: str, end: str, mark: str) -> str:
    """The fields of a leaf behind its path, with all offsets.

    Args:
        found: the leaf.
        start: where it begins.
        begin, end: where it begins and ends, as text.
        mark: what stands behind its parts.
    """
    ends, around, _ = found
    count = len(ends)
    if count == 1:
        a, b, c, d, tail = around
        k = str(start + ends[0])
        return f"{a}{begin}, {end}{b}{begin}, {k}{c}{k}, {end}{d}{mark}{tail}"
    if count == 3:
        a, b, c, d, e, f, tail = around
        x, y, z = ends
        k, m, n = str(start + x), str(start + y), str(start + z)
        return f"{a}{begin}, {end}{b}{begin}, {k}{c}{k}, {m}{d}{m}, {n}{e}{n}, {end}{f}{mark}{tail}"
    if count == 2:
        a, b, c, d, e, tail = around
        x, y = ends
        k, m = str(start + x), str(start + y)
        return f"{a}{begin}, {end}{b}{begin}, {k}{c}{k}, {m}{d}{m}, {end}{e}{mark}{tail}"
    places = [begin, *[str(start + after) for after in ends], end]
    parts = [f"{text}{a}, {b}" for text, a, b in zip(around[1:-2], places, places[1:], strict=False)]
    return f"{around[0]}{begin}, {end}{''.join(parts)}{around[-2]}{mark}{around[-1]}"


class LeafJson:
    """Leaves of one dialect; *precision* is that in which the file is written."""

    def __init__(self, dialect: Dialect, precision: Precision) -> None:
        self._name = dialect.by_name["String"]
        self._is_closed = dialect.rules.closed_texts
        rows = () if self._is_closed else dialect.rows  # there wide numbers are types of their own, too
        self._texts = {row.number: row for row in rows if row.name in PREFIXES and row.kind is Kind.STRING}
        self._numbers: dict[int, _Numbers] = {}
        for row in rows:
            if row.kind is not Kind.FIXED:
                continue
            for wide in _widths(row, precision):
                self._numbers[row.number | FLAG_64 * wide] = _Numbers(row, wide, precision)

    def value(self, raw: bytes) -> str | None:
        """The value of a leaf as JSON, None where its bytes alone do not tell."""
        header = int.from_bytes(raw[:HEADER], "little")
        numbers = self._numbers.get(header)
        if numbers is not None:
            found = numbers.read(raw)
            return None if found is None else numbers.native(found)
        row = self._texts.get(header)
        text = None if row is None else _plain_text(raw, HEADER)
        return None if row is None or text is None else json_text(PREFIXES[row.name] + text)

    def shape(self, raw: bytes, named: bool = False) -> Shape | None:
        """A leaf, or the name of a property, as a dump tells it; None where its bytes alone do not tell."""
        if named:
            return None if self._is_closed else _text_shape(raw, self._name, 0)
        header = int.from_bytes(raw[:HEADER], "little")
        numbers = self._numbers.get(header)
        if numbers is not None:
            return numbers.shape(raw)
        row = self._texts.get(header)
        return None if row is None else _text_shape(raw, row, HEADER)


def _widths(row: TypeRow, precision: Precision) -> tuple[bool, ...]:
    """Under which layouts an engine may write a type, False for the narrow one; none for those that are rare."""
    if row.name not in PLAIN_NUMBERS and (len(row.narrow) < 2 or any(field.type == "bool" for field in row.narrow)):
        return ()
    if not row.has_wide:
        return (False,)
    if row.real:
        return (precision is Precision.DOUBLE,)
    if row.name in PLAIN_NUMBERS:
        return False, True
    return (False,)


# Texts


def _plain_text(raw: bytes, at: int) -> str | None:
    """The text whose length stands at *at*, None where another writer would write other bytes."""
    length = int.from_bytes(raw[at : at + 4], "little")
    begin = at + 4
    end = begin + length
    if len(raw) != begin + (length + 3 & ~3) or raw.find(0, begin, end) >= 0 or any(raw[end:]):
        return None
    if raw.startswith(BOM, begin):
        return None
    try:
        return raw[begin:end].decode()
    except UnicodeDecodeError:
        return None


def _text_shape(raw: bytes, row: TypeRow, at: int) -> Shape | None:
    text = _plain_text(raw, at)
    if text is None:
        return None
    length, begin = int.from_bytes(raw[at : at + 4], "little"), at + 4
    parts = [("header", str(row.number), at)] if at else []
    parts.append(("length", str(length), begin))
    if length:
        parts.append(("text", json_text(text), begin + length))
    if length % 4:
        parts.append(("padding", f'"{raw[begin + length :].hex()}"', len(raw)))
    shown = shortened(quoted(text[: TEXT_LIMIT + 1]), TEXT_LIMIT)
    short = shown if len(shown) <= MANY else shortened(quoted(text), MANY)
    return shape(row.name, shown, parts, f', "value": {json_text(PREFIXES[row.name] + text)}', short)


# Numbers


class _Numbers:
    """A type of numbers under one header word."""

    def __init__(self, row: TypeRow, wide: bool, precision: Precision) -> None:
        self._row = row
        self._fields = row.wide if wide else row.narrow
        self._layout = Struct("<" + "".join(FORMATS[field.type][1:] for field in self._fields))
        self._header = str(row.number | FLAG_64 * wide)
        self._forms = forms(row, precision)
        self._short_forms = forms(row, Precision.SINGLE)
        self._has_narrow = wide and not row.real
        self._has_floats = any(not is_integer(field.type) for field in self._fields)
        self._order = (*COLUMNS, *range(9, len(self._fields))) if is_matrix(row) else range(len(self._fields))
        self._begin = f'{{"type": {json_text(row.name)}, "args": ['
        self._kind = f'"type": {json_text(row.name)}, "span": ['
        self._parts = (*(f'}}, {{"name": {json_text(field.name)}, "span": [' for field in self._fields), "}]")
        sizes = (field.size for field in self._fields)
        self._ends = tuple(accumulate(sizes, initial=HEADER))[:-1]

    def read(self, raw: bytes) -> tuple[float, ...] | None:
        """The numbers, None where an engine would write others, or in another way."""
        if len(raw) != HEADER + self._layout.size:
            return None
        numbers: tuple[float, ...] = self._layout.unpack_from(raw, HEADER)
        if self._row.name == "bool":
            return numbers if numbers[0] <= 1 else None
        if self._has_floats and not all(map(isfinite, numbers)):
            return None
        if self._has_narrow and _fits_narrow(numbers[0]):
            return None
        return numbers

    def native(self, numbers: tuple[float, ...]) -> str:
        """As :func:`viewer.variant.native.to_native` writes them."""
        if len(numbers) > 1:
            return f"{self._begin}{', '.join([self._number(numbers[k], k) for k in self._order])}]}}"
        match self._row.name:
            case "Nil":
                return "null"
            case "bool":
                return "true" if numbers[0] else "false"
            case "int":
                return f'"i:{numbers[0]}"'
            case _:
                return f'"f:{numbers[0]!r}"'

    def _number(self, number: float, place: int) -> str:
        """A finite number in a list of numbers: as digits in quotes where the engine would round a whole one."""
        is_exact = -WHOLE <= number <= WHOLE or not is_integer(self._fields[place].type)
        return repr(number) if is_exact else f'"{number}"'

    def shape(self, raw: bytes) -> Shape | None:
        """As a dump tells them."""
        numbers = self.read(raw)
        if numbers is None:
            return None
        text = short = self._text(numbers, self._forms)
        if self._forms != self._short_forms:
            short = self._text(numbers, self._short_forms)
        first = f'], "text": "{_cut(text, TEXT_LIMIT)}", "parts": [{{"name": "header", "span": ['
        tail = f', "value": {self.native(numbers)}'
        if len(numbers) == 1:
            begin, end = self._parts
            value = text if self._row.name == "bool" else repr(numbers[0])
            around = self._kind, first, f'], "value": {self._header}{begin}', f'], "value": {value}{end}', tail
            return self._ends, around, _cut(short, MANY)
        values = (self._header, *map(repr, numbers))
        between = [f'], "value": {value}{begin}' for value, begin in zip(values, self._parts, strict=True)]
        return self._ends, (self._kind, first, *between, tail), _cut(short, MANY)

    def _text(self, numbers: tuple[float, ...], kinds: tuple[str, ...]) -> str:
        """As :func:`viewer.variant.literal.printing.format_literal` prints them."""
        if len(numbers) > 1:
            return f"{printed(self._row)}({', '.join(map(component_text, numbers, kinds))})"
        match self._row.name:
            case "Nil":
                return "null"
            case "bool":
                return "true" if numbers[0] else "false"
            case "int":
                return str(numbers[0])
            case _:
                return float_text(numbers[0], kinds[0])


def _fits_narrow(number: float) -> bool:
    if isinstance(number, int):
        low, high = RANGES["i32"]
        return low <= number <= high
    return fits_f32(number)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + ELLIPSIS
