"""Plan: what a bulk edit would change, value by value, and the one edit that does it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from operator import ge

from viewer.base.buffer import u32
from viewer.base.progress import Progress
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.document.bulk.bulk_rows import BulkRow, BulkRows, start_of
from viewer.document.bulk.frame_values import BulkError, Data, DeferredValue, FrameValues, ValueProblem, Whole
from viewer.document.bulk.operations import LiteralDialect, a, type_name, whole
from viewer.document.bulk.quick_writes import QuickWrites
from viewer.document.bulk.rule_parser import Rule, parse_rule
from viewer.document.bulk.steps import PatternRun
from viewer.document.bulk.terms import Scope
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.slots import EditError
from viewer.document.edits.write_joining import WriteColumns
from viewer.document.path import format_path
from viewer.document.pieces.framing import uncollected
from viewer.document.splice import CountLabel, Edit, EditLabel
from viewer.variant.dialect import COLLECTIONS, Kind, TypeRow
from viewer.variant.encode import EncodeError, encode, property_name
from viewer.variant.items import Item
from viewer.variant.literal.lexer import LiteralError, LiteralReader
from viewer.variant.literal.parse import fitted
from viewer.variant.literal.printing import format_literal
from viewer.variant.primitives import encode_number
from viewer.variant.value import Array, Dictionary, Value

SAMPLES = {"int": "99", "float": "1.5", "bool": "true"}
TEXTS = ("String", "StringName")
MOST_QUOTED = 24
"""So many characters of what was typed are repeated."""

# Fit: a result as the bytes of the place it is for. Values keep their type; what does not fit is a problem.


def fit(data: Data, row: TypeRow, reading: LiteralDialect) -> Value:
    """The result as a value of a type.

    Raises:
        ValueProblem: it loses something there, or is of another type.
    """
    result = whole(data)
    if row.name == "bool" or isinstance(result, bool):
        if not isinstance(result, bool) or row.name not in ("bool", "Nil"):
            raise _stays(row.name, result)
        return Value("bool", result)
    if isinstance(result, int | float):
        return _number(result, row)
    value = result if isinstance(result, Value) else Value("Nil") if result is None else Value("String", result)
    if row.name == "Nil" or value.type == row.name:
        return value
    if row.kind is Kind.STRING and value.type not in ("String", "StringName"):
        raise _stays(row.name, result)
    try:
        return fitted(LiteralReader("", reading.dialect, reading.precision), value, row, 0)
    except (LiteralError, KeyError):
        raise _stays(row.name, result) from None


def _stays(name: str, result: Data) -> ValueProblem:
    """A result is of another type than the value that it is for."""
    is_number = isinstance(result, int | float) and not isinstance(result, bool)
    more = "; write str(…) around it" if name in TEXTS and isinstance(result, int | float) else ""
    more = more or (
        "; write int(…) or float(…) around it" if name in ("int", "float") and type_name(result) == "text" else ""
    )
    in_line = f"This stays of type {name}, and the new value is {a(type_name(result))}{more}."
    if name in TEXTS and is_number:
        return ValueProblem(
            f'{result} is a number, and this stays a text; type it in quotes: "{result}".', in_line=in_line
        )
    if not is_number and not isinstance(result, str):
        return ValueProblem(in_line)
    such = f", such as {SAMPLES[name]}" if name in SAMPLES else ""
    shown = str(result) if is_number else f"“{shortened(str(result))}”"
    return ValueProblem(f"{shown} is not {a(name)}{such}.", in_line=in_line)


def _number(result: int | float, row: TypeRow) -> Value:
    if row.name == "Nil":
        return Value("int" if isinstance(result, int) else "float", result)
    if row.name == "int":
        if isinstance(result, float) and not result.is_integer():
            stays = f"{result} is not a whole number, and this stays an int"
            raise ValueProblem(f"{stays}.", in_line=f"{stays}; write round(…), floor(…) or ceil(…).")
        return Value("int", int(result))
    if row.name == "float":
        return Value("float", _as_float(result))
    raise _stays(row.name, result)


def _as_float(result: int | float) -> float:
    try:
        return float(result)
    except OverflowError:
        raise ValueProblem("The number is too large for a float.") from None


def written(ground: FrameValues, item: Item, result: Data, reading: LiteralDialect) -> tuple[int, int, bytes, Value]:
    """Where the bytes begin and end that setting an item to a result replaces, from the start of the frame; the new
    ones; and their value.

    Raises:
        ValueProblem: the item cannot hold it.
    """
    try:
        change = _part(ground, item, result, reading) if item.part else _node(ground, item.node, result, reading)
        span, new, value = change
        return span.start, span.end, new, value
    except EncodeError as error:
        raise ValueProblem(str(error)) from error


def shortened(text: str) -> str:
    """The beginning of a text, as a sentence repeats it."""
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"


def _node(ground: FrameValues, node: int, result: Data, reading: LiteralDialect) -> tuple[Span, bytes, Value]:
    table = ground.table
    if table.is_name(node):
        value = fit(result, reading.dialect.by_name["String"], reading)
        return table.span(node), property_name(table, str(value.data)), value
    row = table.row(node)
    if row is None:
        raise ValueProblem("The type of this value is unknown; fix its header in the bytes first.")
    value = fit(result, row, reading)
    if row.kind in COLLECTIONS and value.type == row.name:
        value = _kept(ground, node, value)
    span = table.span(node)
    head = bytes(table.buffer[span.start : min(span.end, span.start + 8)])
    return span, encode(value, reading.dialect, reading.precision, head, table.names), value


def _kept(ground: FrameValues, node: int, value: Value) -> Value:
    """The new collection with what no plain list can tell of the old one: its shared bit and element types."""
    from viewer.variant.read import read_shallow

    old, new = read_shallow(ground.table, node).data, value.data
    if isinstance(old, Array) and isinstance(new, Array):
        kind = new.element_type or (old.element_type if not new.elements else None)
        return Value(value.type, replace(new, shared=old.shared, element_type=kind))
    if isinstance(old, Dictionary) and isinstance(new, Dictionary):
        return Value(value.type, replace(new, shared=old.shared))
    return value


def _part(ground: FrameValues, item: Item, result: Data, reading: LiteralDialect) -> tuple[Span, bytes, Value]:
    """A field of a value or an element of a packed array of numbers."""
    part = ground.part(item)
    old = ground.value(item)
    if part.type == "text":
        raise ValueProblem("A text inside another value is set with that value.")
    row = reading.dialect.by_name.get(old.type)
    if row is None:
        raise ValueProblem("These bytes are set with the value that they belong to.")
    value = fit(result, row, reading)
    if isinstance(value.data, tuple):
        numbers = zip(value.data, _kinds(ground, item), strict=True)
        return part.span, b"".join(encode_number(one, kind) for one, kind in numbers), value  # type: ignore[arg-type]
    if not isinstance(value.data, bool | int | float):
        raise ValueProblem("A number belongs here.")
    return part.span, encode_number(value.data, part.type), value


def _kinds(ground: FrameValues, item: Item) -> list[str]:
    """The number types of an element of several numbers."""
    row = ground.table.row(item.node)
    assert row is not None
    return [field.type for field in row.fields(ground.table.header(item.node))]


MOST_ROWS = 1_000_000
"""Values that one bulk edit may change."""
SHOWN = 200


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """What a bulk edit would do; it is about the document as it was, and must not outlive a change.

    Args:
        document: the document.
        rows: values that change and those that cannot, in byte order.
        edit: makes all changes as one step, None where there are none.
        same: how many values are already what they would become.
    """

    document: Document
    rows: BulkRows
    edit: Edit | None
    same: int
    revision: int

    @property
    def changes(self) -> int:
        """How many values change."""
        return len(self.rows) - self.problems

    @property
    def problems(self) -> int:
        """How many values cannot be changed and stay."""
        return len(self.rows.problems)

    def path(self, row: BulkRow) -> str:
        """Where a row's value stands."""
        return format_path(self.document, row.item)

    def held(self, row: BulkRow) -> int:
        """How many values a row's value may hold that showing it as it is means to read; 0 for a plain one."""
        before = row.before
        if not isinstance(before, DeferredValue) or before.item.part:
            return 0
        table, node = before.ground.table, before.item.node
        return min(SHOWN, (table.end(node) - table.start[node]) // 4)

    def type(self, row: BulkRow) -> str:
        """The name of the type of a row's value as it is."""
        return row.before.type

    def before(self, row: BulkRow, limit: int | None = SHOWN) -> str:
        """A row's value as it is, as text of about *limit* characters."""
        before = row.before
        if isinstance(before, DeferredValue):  # each value within it takes a character at least
            before = before.value if limit is None else before.beginning(limit)
        return self._text(before, limit)

    def after(self, row: BulkRow, limit: int | None = SHOWN) -> str:
        """A row's value as it becomes, empty where it stays."""
        return "" if row.after is None else self._text(row.after, limit)

    def _text(self, value: Value, limit: int | None) -> str:
        if value.type not in self.document.dialect.by_name:
            return "?"
        return format_literal(value, self.document.dialect, limit=limit, precision=self.document.precision)

    @property
    def summary(self) -> str:
        """What would happen, in one sentence."""
        if not self.rows:
            return "Every value found is like that already." if self.same else "Nothing in this file matches."
        said = [f"{self.problems} cannot be changed"] if self.problems else []
        if self.same:
            said.append(_counted(self.same, "is like that already", "are like that already"))
        if not self.changes:
            return f"No value changes: {', '.join(said)}."
        return ", ".join([_counted(self.changes, "value changes", "values change"), *said]) + "."


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def check(document: Document, expression: str) -> Rule:
    """Read a bulk edit without looking for values.

    Raises:
        BulkError: it is not written as one.
    """
    return parse_rule(expression, LiteralDialect(document.dialect, document.precision))


def plan(document: Document, expression: str, progress: Progress | None = None, *, by_hand: bool = True) -> BulkPlan:
    """What a bulk edit would do to a document; nothing is changed.

    Args:
        document: the document, read to its end.
        expression: ``PATTERN [condition] -> new value``.
        progress: told the offset reached now and then; returning False gives up.
        by_hand: whether a person wrote the expression; else a form did, and nobody is told of functions.

    Raises:
        BulkError: the expression cannot be read, or leads to too many values.
        Cancelled: *progress* gave up.
    """
    rule = check(document, expression)
    if rule.frame is not None and rule.frame >= len(document.frames):
        raise BulkError(f"There is no frame [{rule.frame}]; the file has {len(document.frames)}.", 0)
    revision = document.revision
    reading = LiteralDialect(document.dialect, document.precision)

    def after(ground: FrameValues, item: Item, result: Whole) -> Value:
        return result if isinstance(result, Value) else written(ground, item, result, reading)[3]

    work = _Planner(document, rule, progress, reading, BulkRows(after), QuickWrites(document.dialect), by_hand)
    frames = range(len(document.frames)) if rule.frame is None else (rule.frame,)
    with uncollected():
        for index in frames:
            work.frame(index)
        return BulkPlan(document, work.rows, work.edit(), work.same, revision)


def _sort(ground: FrameValues, found: list[Item]) -> None:
    """Bring values into the order of their bytes, in which they mostly are already."""
    starts = ground.table.start
    places = [start_of(ground, item) if item.part else starts[item.node] for item in found]
    if any(map(ge, places, islice(places, 1, None))):
        found.sort(key=lambda item: (start_of(ground, item), item.node))


@dataclass(slots=True)
class _Planner:
    """Gathers rows and writes, a frame after another."""

    document: Document
    rule: Rule
    progress: Progress | None
    reading: LiteralDialect
    rows: BulkRows
    quick: QuickWrites
    by_hand: bool = True
    same: int = 0
    _writes: WriteColumns = field(default_factory=WriteColumns)

    def frame(self, index: int) -> None:
        """Look for the values of a frame, in the order of their bytes."""
        ground = FrameValues(self.document, index)
        start = self.document.frames[index].start
        hunt = PatternRun(ground, self._progress(start))
        found = self._held(hunt, self.rule.matches(hunt))
        troubled = {item for item, _ in hunt.troubles}
        first = len(self.rows)
        self.rows.begin(ground)
        for item, why in hunt.troubles:
            self.rows.add(item, None, why)
        _sort(ground, found)
        end, scope = -1, Scope(ground, Item(index), True)
        for item in found:
            hunt.step(item.node)
            if not troubled or item not in troubled:
                scope.item = item
                end = self._row(scope, start, end)
        if troubled:
            self.rows.sort(first)

    def _progress(self, start: int) -> Progress | None:
        told = self.progress
        return None if told is None else lambda offset: told(start + offset)

    def _held(self, hunt: PatternRun, items: Iterable[Item]) -> list[Item]:
        """The values for which the condition holds."""
        condition = self.rule.condition
        out: list[Item] = []
        for item in items:
            if condition is None or hunt.holds(condition, item, is_beside=True):
                out.append(item)
            if len(out) + len(self.rows) + len(hunt.troubles) > MOST_ROWS:
                raise BulkError(f"More than {MOST_ROWS} values match; narrow the pattern.")
        return out

    def _row(self, scope: Scope, start: int, end: int) -> int:
        """Plan one value of a frame that begins at *start*; returns where the bytes that are replaced so far end."""
        ground, item = scope.ground, scope.item
        try:
            result = self.rule.new.of(scope)
            if isinstance(result, DeferredValue) and result.item == item:
                self.same += 1
                return end
            quick = self._quick(ground, item, result)
            begin, stop, new, after = quick or written(ground, item, result, self.reading)
        except ValueProblem as problem:
            self.rows.add(item, None, problem.in_line if self.by_hand else str(problem))
            return end
        if begin < end:
            self.rows.add(item, None, "It is inside a value that is replaced as a whole.")
            return end
        if len(new) == stop - begin and ground.table.buffer[begin:stop] == new:
            self.same += 1
            return end
        self.rows.add(item, after)
        self._writes.add(start + begin, start + stop, new, ground.index)
        return stop

    def _quick(self, ground: FrameValues, item: Item, result: Data) -> tuple[int, int, bytes, Whole] | None:
        """As :func:`written`, for a plain number or text that stays what it is; None for all else."""
        table, node = ground.table, item.node
        if item.part or isinstance(result, DeferredValue) or ground.is_name(node):
            return None
        begin = table.start[node]
        new = self.quick.written(u32(table.buffer, begin), result)
        return None if new is None else (begin, table.end(node), new, result)

    def edit(self) -> Edit | None:
        """All changes as one step."""
        if not len(self._writes):
            return None
        rework = EditBuilder(self.document)
        for write in self._writes.joined(self.document):
            rework.add(write)
        try:
            return rework.edit(EditLabel("Bulk Edit of {}", (CountLabel(len(self._writes), "Value"),)))
        except EditError as error:
            raise BulkError(str(error)) from error
