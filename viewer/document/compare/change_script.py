"""A comparison as a script, and the script done to another file.

One step a line, in the order in which they are done, each in what the ones before it left::

    set [0].gold 9999
    delete [0].items[2]
    insert [0].items[4] {"id": "shield"}
    insert [0].player["new key"] 5

What stands behind ``#`` at the beginning of a line is for a person. ``set`` takes a value of any type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from viewer.base.unseen import printable
from viewer.document.compare.change_steps import ChangeStep, StepKind, key_item, planned_steps
from viewer.document.compare.difference import DocumentComparison, ValueDifference
from viewer.document.compare.difference_words import difference_line
from viewer.document.compare.taking import translated
from viewer.document.document import Document
from viewer.document.edits.fragment import element_type, written
from viewer.document.edits.new_places import new_place
from viewer.document.edits.setting import set_literal, set_value
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import delete, insert
from viewer.document.outline import is_key, span
from viewer.document.path import PathError, closing, format_path, parse_path
from viewer.document.splice import Edit
from viewer.variant.items import Item, part
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Data, Value

SET, DELETE, INSERT, REMARK = "set", "delete", "insert", "#"


class ScriptError(ValueError):
    """A line that cannot be done; the text is one sentence that says which and why."""


def change_script(comparison: DocumentComparison, rows: Iterable[ValueDifference] | None = None) -> Iterator[str]:
    """The lines that make the old side say what the new one says, by default in all that differs.

    First comes what is there, from the last value to the first, so that no path is changed by a line before it; then
    what is new, from the first to the last, as the paths of the new side have it. What cannot be said is a remark.
    """
    plan = planned_steps(comparison, rows)
    old, new = comparison.old, comparison.new
    for row in plan.left:
        yield f"{REMARK} not done: {printable(str(difference_line(comparison, row)))}"
    for step in sorted(plan.changes, key=lambda step: _start(old, step), reverse=True):
        yield _line(old, new, step)
    for step in plan.added:
        yield _line(old, new, step)


def _start(old: Document, step: ChangeStep) -> tuple[int, int]:
    assert step.old is not None
    if step.old.part and step.old.node >= 0:
        return span(old, Item(step.old.frame, step.old.node)).start, int(step.old.part[1:-1])
    return span(old, step.old).start, -1


def _line(old: Document, new: Document, step: ChangeStep) -> str:
    try:
        if step.kind is StepKind.REMOVE and step.old is not None:
            return f"{DELETE} {format_path(old, step.old)}"
        if step.kind is StepKind.ADD and step.new is not None:
            return f"{INSERT} {format_path(new, step.new)} {_literal(new, step.new, old)}"
        if step.old is not None and step.new is not None and step.kind is not StepKind.BYTES:
            before, after = step.old, step.new
            if step.kind is StepKind.RENAME:
                before, after = key_item(old, before) or before, key_item(new, after) or after
            return f"{SET} {format_path(old, before)} {_literal(new, after, old)}"
        reason = "these bytes are not a value"
    except EditError as error:
        reason = str(error)
    place = format_path(old, step.old) if step.old is not None else format_path(new, step.new or Item(0))
    return f"{REMARK} not done: {place}: {printable(reason)}"


def _literal(source: Document, item: Item, target: Document) -> str:
    """A value in the engine line of the other side."""
    table = source.frames[item.frame].table
    if item.part:
        row, found = table.row(item.node), part(table, item.node, item.part)
        if row is None:
            raise EditError("it cannot be read.")
        data: Data = found.value if found is not None else ""  # type: ignore[assignment]  # numbers or a text
        value = Value(element_type(row, table.dialect), data)
        literal = format_literal(value, table.dialect, precision=source.precision)
    else:
        value, _ = translated(source, item, target)
        literal = format_literal(value, target.dialect, precision=target.precision)
    return literal


# Doing a script


def run_script(document: Document, script: str) -> int:
    """Do all lines of a script, one step of undo each; returns how many there were.

    Raises:
        ScriptError: a line cannot be done; those before it are.
    """
    count = 0
    for number, line in enumerate(script.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith(REMARK):
            continue
        verb, _, rest = line.partition(" ")
        try:
            document.apply(_edit(document, verb, rest.strip()))
        except (EditError, PathError, LiteralError) as error:
            raise ScriptError(f"Line {number} cannot be done: {error}") from error
        count += 1
    return count


def _edit(document: Document, verb: str, rest: str) -> Edit:
    at = _path_end(rest)
    path, literal = rest[:at], rest[at:].strip()
    if verb == DELETE and path and not literal:
        return delete(document, [parse_path(document, path)])
    if verb == SET and path and literal:
        return _set(document, parse_path(document, path), literal)
    if verb == INSERT and path and literal:
        place = new_place(document, path)
        return insert(document, place.slot, [written(document, literal, place.key)], renames=False)
    raise EditError("It is none of: set PATH LITERAL, delete PATH, insert PATH LITERAL.")


def _set(document: Document, item: Item, literal: str) -> Edit:
    """Set a value of any type; parts, names and what keeps its type in other words as a person sets them."""
    table = document.frames[item.frame].table if 0 <= item.frame < len(document.frames) else None
    if table is None or item.node < 0 or item.part or table.is_name(item.node) or is_key(table, item.node):
        return set_literal(document, item, literal)
    value = parse_literal(literal, table.dialect, precision=document.precision)
    return set_value(document, item, value)


def _path_end(text: str) -> int:
    """Where a path ends: at the first blank that stands in no brackets."""
    at = 0
    while at < len(text) and not text[at].isspace():
        at = closing(text, at) + 1 if text[at] == "[" else at + 1
    return at
