"""Plan: what a bulk edit would change, value by value, and the one edit that does it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from viewer.document.bulk.error import BulkError, ValueProblem
from viewer.document.bulk.fit import held, written
from viewer.document.bulk.ground import Ground, Held
from viewer.document.bulk.literals import Reading
from viewer.document.bulk.rule import Rule, parse_rule
from viewer.document.bulk.steps import Hunt
from viewer.document.bulk.terms import Scope
from viewer.document.document import Document
from viewer.document.edits.error import EditError
from viewer.document.edits.rework import Rework, Write
from viewer.document.path import format_path
from viewer.document.reading import Progress
from viewer.document.shown.counts import counted
from viewer.document.splice import Edit
from viewer.document.write_joining import joined_writes
from viewer.variant.items import Item
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Value

MOST_ROWS = 1_000_000
"""Values that one bulk edit may change."""
SHOWN = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One value that the pattern and the condition lead to.

    Args:
        item: the value.
        start: where its bytes begin, in the layer.
        before: what it is.
        after: what it becomes, None where it stays.
        problem: why it stays, empty where it changes.
    """

    item: Item
    start: int
    before: Value | Held
    after: Value | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bulk edit would do; it is about the document as it was, and must not outlive a change.

    Args:
        document: the document.
        rows: values that change and those that cannot, in byte order.
        edit: makes all changes as one step, None where there are none.
        same: how many values are already what they would become.
    """

    document: Document
    rows: list[Row]
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
        return sum(1 for row in self.rows if row.problem)

    def path(self, row: Row) -> str:
        """Where a row's value stands."""
        return format_path(self.document, row.item)

    def held(self, row: Row) -> int:
        """How many values a row's value may hold that showing it as it is means to read; 0 for a plain one."""
        before = row.before
        if not isinstance(before, Held) or before.item.part:
            return 0
        table, node = before.ground.table, before.item.node
        return min(SHOWN, (table.end(node) - table.start[node]) // 4)

    def type(self, row: Row) -> str:
        """The name of the type of a row's value as it is."""
        return row.before.type

    def before(self, row: Row, limit: int | None = SHOWN) -> str:
        """A row's value as it is, as text of about *limit* characters."""
        before = row.before
        if isinstance(before, Held):  # each value within it takes a character at least
            before = before.value if limit is None else before.beginning(limit)
        return self._text(before, limit)

    def after(self, row: Row, limit: int | None = SHOWN) -> str:
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
        said = [_counted(self.changes, "value changes", "values change") if self.changes else "No value changes"]
        if self.problems:
            said.append(_counted(self.problems, "cannot and stays", "cannot and stay"))
        if self.same:
            said.append(_counted(self.same, "is like that already", "are like that already"))
        return ", ".join(said) + "."


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def check(document: Document, expression: str) -> Rule:
    """Read a bulk edit without looking for values.

    Raises:
        BulkError: it is not written as one.
    """
    return parse_rule(expression, Reading(document.dialect, document.precision))


def plan(document: Document, expression: str, progress: Progress | None = None) -> Plan:
    """What a bulk edit would do to a document; nothing is changed.

    Args:
        document: the document, read to its end.
        expression: ``PATTERN [condition] -> new value``.
        progress: told the offset reached now and then; returning False gives up.

    Raises:
        BulkError: the expression cannot be read, or leads to too many values.
        Cancelled: *progress* gave up.
    """
    rule = check(document, expression)
    if rule.frame is not None and rule.frame >= len(document.frames):
        raise BulkError(f"There is no frame [{rule.frame}]; the file has {len(document.frames)}.", 0)
    revision = document.revision
    work = _Planner(document, rule, progress)
    frames = range(len(document.frames)) if rule.frame is None else (rule.frame,)
    for index in frames:
        work.frame(index)
    return Plan(document, work.rows, work.edit(), work.same, revision)


@dataclass(slots=True)
class _Planner:
    """Gathers rows and writes, a frame after another."""

    document: Document
    rule: Rule
    progress: Progress | None
    rows: list[Row] = field(default_factory=list)
    same: int = 0
    _writes: list[Write] = field(default_factory=list)

    def frame(self, index: int) -> None:
        """Look for the values of a frame, in the order of their bytes."""
        ground = Ground(self.document, index)
        start = self.document.frames[index].start
        hunt = Hunt(ground, self._progress(start))
        found = self._held(hunt, self.rule.matches(hunt))
        troubled = {item for item, _ in hunt.troubles}
        rows = [Row(item, start + _start(ground, item), held(ground, item), None, why) for item, why in hunt.troubles]
        found.sort(key=lambda item: (_start(ground, item), item.node))
        reading = Reading(self.document.dialect, self.document.precision)
        end = -1
        for item in found:
            hunt.step(item.node)
            if item not in troubled:
                end = self._row(ground, item, reading, rows, end)
        rows.sort(key=lambda row: row.start)
        self.rows += rows

    def _progress(self, start: int) -> Progress | None:
        told = self.progress
        return None if told is None else lambda offset: told(start + offset)

    def _held(self, hunt: Hunt, items: Iterable[Item]) -> list[Item]:
        """The values for which the condition holds."""
        condition = self.rule.condition
        out: list[Item] = []
        for item in items:
            if condition is None or hunt.holds(condition, item, is_beside=True):
                out.append(item)
            if len(out) + len(self.rows) + len(hunt.troubles) > MOST_ROWS:
                raise BulkError(f"More than {MOST_ROWS} values match; narrow the pattern.")
        return out

    def _row(self, ground: Ground, item: Item, reading: Reading, rows: list[Row], end: int) -> int:
        """Plan one value; returns where the bytes that are replaced so far end."""
        start = self.document.frames[ground.index].start
        before = held(ground, item)
        at = start + _start(ground, item)
        try:
            result = self.rule.new.of(Scope(ground, item, True))
            if isinstance(result, Held) and result.item == item:
                self.same += 1
                return end
            span, new, after = written(ground, item, result, reading)
        except ValueProblem as problem:
            rows.append(Row(item, at, before, None, str(problem)))
            return end
        if span.start < end:
            rows.append(Row(item, at, before, None, "It lies inside a value that is replaced as a whole."))
            return end
        if len(new) == len(span) and ground.table.buffer[span.start : span.end] == new:
            self.same += 1
            return end
        rows.append(Row(item, at, before, after))
        self._writes.append(Write(span.shifted(start), new, ground.index))
        return span.end

    def edit(self) -> Edit | None:
        """All changes as one step."""
        if not self._writes:
            return None
        rework = Rework(self.document)
        for write in joined_writes(self.document, self._writes):
            rework.write(write.frame, write.span, write.new)
        try:
            return rework.edit(f"Bulk Edit of {counted(len(self._writes), 'Value')}")
        except EditError as error:
            raise BulkError(str(error)) from error


def _start(ground: Ground, item: Item) -> int:
    """Where the bytes of a value begin, from the start of the frame."""
    return ground.part(item).span.start if item.part else ground.table.start[item.node]
