"""Which rows of a sheet are shown, and in which order. The data stay where they are."""

from __future__ import annotations

import re
from array import array
from collections.abc import Generator, Iterable

from viewer.base.record import dataclass
from viewer.document.bulk.frame_values import DeferredValue
from viewer.document.sheets.sheet import Sheet
from viewer.document.sheets.sheet_cells import cell_data, cell_facts

DIGITS = re.compile(r"([0-9]{1,18})")
LONGEST = 256
"""Texts are compared by so many letters."""
STEP = 256
"""Rows between two looks whether there is something else to do."""
NUMBERS, TEXTS, NOTHING, OTHERS = 0, 1, 2, 3
Rank = tuple[int, float, tuple[object, ...]]
Steps = Generator[None, None, "array[int] | None"]

TERM = re.compile(
    r'("[^"]*"|[^\s"<>=!:~]+)?\s*(<=|=<|>=|=>|!=|<>|==|<|>|=|:)\s*("[^"]*"|[^\s"]+)?|("[^"]*"|[^\s"<>=!:]+|[!~"])'
)
"""The title of a column, a comparison and a value, blanks beside the comparison or not; or a word."""
SAME_SIGNS = {"=<": "<=", "=>": ">=", "<>": "!=", "==": "="}
MEASURES = ("<", "<=", ">", ">=")
NUMBER_TYPES, TEXT_TYPES = ("int", "float"), ("String", "StringName", "NodePath")
MOST_TITLES = 6
MOST_QUOTED = 32
"""So many columns, and characters of what was typed, are named in a sentence."""


@dataclass(frozen=True, slots=True)
class SheetSort:
    """By which column rows are sorted; *column* -1 means by what the rows are called."""

    column: int
    is_descending: bool = False


@dataclass(frozen=True, slots=True)
class FilterTerm:
    """One condition: some cell of a row, or that of the column called *title*, is like *word*."""

    title: str
    sign: str
    word: str


def natural(text: str) -> tuple[object, ...]:
    """A text as it is compared: letters in either case alike, digits by the number that they are."""
    pieces = DIGITS.split(text[:LONGEST].casefold())
    return tuple(int(piece) if k % 2 else piece for k, piece in enumerate(pieces))


def rank(sheet: Sheet, row: int, column: int) -> Rank | None:
    """Where a cell comes in order: numbers by size, then texts, then null and all others; None where it is missing."""
    if column < 0:
        return TEXTS, 0, natural(sheet.row_label(row)[0])
    item = sheet.cell(row, column)
    if item is None:
        return None
    data = cell_data(sheet, item)
    if isinstance(data, bool | int | float):
        return (NUMBERS, data, ()) if data == data else (NUMBERS, float("inf"), (1,))
    if isinstance(data, str):
        return TEXTS, 0, natural(data)
    if data is None:
        return NOTHING, 0, ()
    if isinstance(data, DeferredValue):
        count = sheet.ground.count(item)
        return OTHERS, count, (cell_facts(sheet, row, column).text,)
    return OTHERS, 0, ()


def parse_filter(text: str) -> list[FilterTerm]:
    """What was typed into the filter, as conditions that must all hold: ``iron count>5 name=Sword "two words"``."""
    out: list[FilterTerm] = []
    for found in TERM.finditer(text):
        left, sign, right, word = (_unquoted(part or "") for part in found.groups())
        if sign:
            out.append(FilterTerm(left, SAME_SIGNS.get(sign, sign), right))
        elif word:
            out.append(FilterTerm("", "", word))
    return out


def _unquoted(part: str) -> str:
    return part[1:-1] if part[:1] == '"' and len(part) > 1 else part


def complaint(sheet: Sheet, text: str) -> str:
    """Why a condition of a filter cannot hold for any row, in one sentence; empty where all of them can.

    Args:
        sheet: read to its end.
        text: what was typed.
    """
    return next(filter(None, (_complaint(sheet, term) for term in parse_filter(text))), "")


def _complaint(sheet: Sheet, term: FilterTerm) -> str:
    columns, quoted = _called(sheet, term.title), f"“{_cut(term.title)}”"
    if term.title and term.sign != ":" and not columns:
        return f"No column is called {quoted}; {_others(sheet, term.title)}."
    if term.sign in MEASURES and not term.word:
        return f"{term.sign} must be followed by what {quoted if term.title else 'a cell'} is compared with."
    types = {name for column in columns for name, _ in sheet.facts(column).types} - {"Nil"}
    is_number = _number(term.word) is not None
    if types and types <= set(NUMBER_TYPES) and not is_number and term.sign in (*MEASURES, "="):
        return f"“{_cut(term.word)}” is not a number, and {quoted} holds numbers."
    if types and types <= set(TEXT_TYPES) and is_number and term.sign in MEASURES:
        return f"{quoted} holds texts, which are neither more nor less than a number."
    return ""


def _cut(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"


def _called(sheet: Sheet, title: str) -> list[int]:
    """The columns of a title."""
    wanted = title.casefold()
    return [number for number, column in enumerate(sheet.columns) if column.title.casefold() == wanted]


def _others(sheet: Sheet, title: str) -> str:
    """Which columns there are instead: one that is called nearly so, or the first ones."""
    from difflib import get_close_matches

    titles = {column.title.casefold(): column.title for column in sheet.columns}
    near = get_close_matches(title.casefold(), titles, 1)
    if near:
        return f"one is called “{_cut(titles[near[0]])}”"
    named = [_cut(name) for name in list(titles.values())[:MOST_TITLES]]
    more = len(titles) - len(named)
    there = "there is" if len(titles) == 1 else "there are"
    return f"{there} {', '.join(named)}{f' and {more} more' if more else ''}"


def ordered(sheet: Sheet, sort: SheetSort | None, filter_text: str) -> Steps:
    """The numbers of the rows that are shown, in their order; None for all as they are stored. Stops now and then."""
    terms = parse_filter(filter_text)
    if sort is None and not terms:
        return None
    shown: array[int] | range = range(sheet.rows)
    if terms:
        shown = array("i")
        checks = [_Check(sheet, term) for term in terms]
        for row in range(sheet.rows):
            if all(check.holds(row) for check in checks):
                shown.append(row)
            if not row % STEP:
                yield
    if sort is None:
        return array("i", shown)
    ranked: list[tuple[Rank, int]] = []
    rest = array("i")
    for place, row in enumerate(shown):
        found = rank(sheet, row, sort.column)
        if found is None:
            rest.append(row)
        else:
            ranked.append((found, row))
        if not place % STEP:
            yield
    ranked.sort(key=lambda each: each[0], reverse=sort.is_descending)
    return array("i", [row for _, row in ranked]) + rest


def is_sorted(sheet: Sheet, rows: Iterable[int], sort: SheetSort) -> bool:
    """Whether rows stand in an order, those without the column behind all others."""
    last: Rank | None = None
    is_missing = False
    for row in rows:
        found = rank(sheet, row, sort.column)
        if found is None:
            is_missing = True
            continue
        if is_missing or (last is not None and (found > last if sort.is_descending else found < last)):
            return False
        last = found
    return True


def now(steps: Steps) -> array[int] | None:
    """The rows, without a stop."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: array[int] | None = done.value
            return result


class _Check:
    """One condition on a row."""

    def __init__(self, sheet: Sheet, term: FilterTerm) -> None:
        self._columns = _called(sheet, term.title) if term.title else []
        if term.title and term.sign == ":" and not self._columns:
            term = FilterTerm("", "", f"{term.title}:{term.word}")  # as in res://icon.png
        self._sheet, self._term = sheet, term
        self._word = term.word.casefold()
        self._number = _number(term.word)

    def holds(self, row: int) -> bool:
        term, sheet = self._term, self._sheet
        if term.sign in MEASURES and not term.word:
            return True  # it is still being typed
        if not term.title:
            label = sheet.row_label(row)[0].casefold()
            if term.sign in ("", ":") and self._word in label:
                return True
            return any(self._is_like(row, column) for column in range(len(sheet.columns)))
        return any(self._is_like(row, column) for column in self._columns)

    def _is_like(self, row: int, column: int) -> bool:
        sheet, sign = self._sheet, self._term.sign
        item = sheet.cell(row, column)
        if item is None:
            return False
        data = cell_data(sheet, item)
        if sign in ("", ":"):
            text = data if isinstance(data, str) else cell_facts(sheet, row, column).text
            return self._word in text.casefold()
        if isinstance(data, int | float) and self._number is not None:
            return _compared(data, sign, self._number)
        if sign in MEASURES and (self._number is not None or isinstance(data, int | float)):
            return False  # a text is neither more nor less than a number
        text = (data if isinstance(data, str) else cell_facts(sheet, row, column).text).casefold()
        return _compared(text, sign, self._word)


def _compared(one: float | str, sign: str, other: float | str) -> bool:
    if sign == "=":
        return one == other
    if sign == "!=":
        return one != other
    if isinstance(one, str) != isinstance(other, str):
        return False
    if sign in ("<", "<="):
        return one < other or (sign == "<=" and one == other)  # type: ignore[operator]  # of the same type
    return one > other or (sign == ">=" and one == other)  # type: ignore[operator]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
