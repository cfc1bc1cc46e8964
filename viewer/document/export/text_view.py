"""A document for the terminal: its bytes, 16 a line, beside the tree of its values; the findings at the end.

Every node has a line: offset, bytes, indented name, type, value. A node whose own bytes do not fit on that line shows
its header there and its other parts below. Of a text a line has the place of a value where its bytes would be.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import count_bytes
from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.container.layer import SourceText
from viewer.document.document import Document
from viewer.document.edits.describing import gap_guess, guess_words
from viewer.document.export.findings_export import findings
from viewer.document.export.path_room import PathRoom
from viewer.document.outline import gap_item
from viewer.document.path import format_path
from viewer.document.pieces.framing import Frame
from viewer.document.pieces.message import MessageField
from viewer.variant import items
from viewer.variant.dialect import Kind
from viewer.variant.items import Part
from viewer.variant.literal import preview
from viewer.variant.paths.path_walk import WalkedNode, walk

WIDTH = 16
MAX_LINES = 16
"""Longer runs of bytes are cut; the JSON dump has them whole."""
MAX_INDENT = 24
"""Levels that are indented; deeper ones would only push the values out of sight."""
NAME_WIDTH = 28
TYPE_WIDTH = 12
PLACE_WIDTH = 9
"""Of a line and a column."""
LIMIT = 72
MOST_NAMED = 1000


def text_view(document: Document, room: PathRoom | None = None) -> Iterator[str]:
    """The lines of a document, without line ends; *room* is for the paths of findings."""
    yield _title(document)
    if document.buffer:
        yield ""
    if document.text is not None:
        yield from _of_text(document, document.text)
        yield from _findings(document, room)
        return
    number = 0
    for index, frame in enumerate(document.frames):
        while number < len(document.gaps) and document.gaps[number].start < frame.span.start:
            yield from _foreign(document, number)
            number += 1
        yield from _frame(document, index, frame)
    for rest in range(number, len(document.gaps)):
        yield from _foreign(document, rest)
    yield from _findings(document, room)


def _gap_path(document: Document, number: int) -> str:
    """The path of a gap; among very many fields, whose names would have to be looked for, their number."""
    return format_path(document, gap_item(number)) if len(document.gaps) <= MOST_NAMED else f"@gap{number}"


def _of_text(document: Document, text: SourceText) -> Iterator[str]:
    """A line for each value: its offset, line and column in the text, and its value in the place of its bytes."""
    for index, frame in enumerate(document.frames):
        for visit in walk(frame.table, f"[{index}]"):
            table, node = frame.table, visit.node
            row = table.row(node)
            start = text.span_of(frame.start + table.start[node]).start
            line, column = text.line_and_column(start)
            name = "  " * min(visit.depth, MAX_INDENT) + _name(visit)
            place = f"{line}:{column}"
            kind = row.name if row is not None else "unknown"
            words = printable(preview.text(table, node, LIMIT))
            yield f"{start:08x}  {place:<{PLACE_WIDTH}}  {name:<{NAME_WIDTH}}  {kind:<{TYPE_WIDTH}}  {words}".rstrip()


def _title(document: Document) -> str:
    count = len(document.frames)
    words = [count_bytes(len(document.shown)), printable(document.read_as_words)]
    if len(document.dialect.precisions) > 1:
        words.append(f"{document.precision.value} precision")
    words.append("1 value" if count == 1 else f"{count} values")
    return f"{printable(document.name)}: {', '.join(words)}"


def _findings(document: Document, room: PathRoom | None) -> Iterator[str]:
    blank = True
    for found in findings(document, room=room):
        if blank:
            yield ""
        blank = False
        yield f"0x{found.span.start:X}: {found.line}"


def _foreign(document: Document, number: int) -> Iterator[str]:
    """The lines of a gap; a field with finer ones has one for each of them."""
    gap, name = document.gaps[number], _gap_path(document, number)
    field = document.fields[number] if number < len(document.fields) else None
    if field is not None and field.children:
        yield f"{gap.start:08x}  {'':<{3 * WIDTH - 1}}  {name}  {printable(field.text)}"
        yield from _inside(document, field, 1)
        return
    row = gap_guess(document, gap)
    guess = f", {printable(guess_words(row))}" if row else ""
    if field is None:
        yield from _bytes(document.buffer, gap, name, "", f"{count_bytes(len(gap))} of no value{guess}")
        return
    yield from _bytes(document.buffer, gap, name, printable(field.name), f"{printable(field.text)}{guess}")


def _inside(document: Document, field: MessageField, depth: int) -> Iterator[str]:
    """The fields in a field, which are no deeper than a few levels."""
    for child in field.children:
        name = "  " * depth + printable(child.name)
        if child.children or child.is_view:
            yield f"{child.span.start:08x}  {'':<{3 * WIDTH - 1}}  {name:<{NAME_WIDTH}}  {printable(child.text)}"
            yield from _inside(document, child, depth + 1)
        else:
            yield from _bytes(document.buffer, child.span, name, "", printable(child.text))


def _frame(document: Document, index: int, frame: Frame) -> Iterator[str]:
    prefix, gap = frame.cut.prefix, frame.gap
    name = f"[{index}]"
    if prefix is not None:
        order = "big" if document.framing.big_endian else "little"
        length = int.from_bytes(document.buffer[prefix.start : prefix.end], order)  # type: ignore[arg-type]
        yield from _bytes(document.buffer, prefix, f"{name}@prefix", "", f"{length}")
    for visit in walk(frame.table, name):
        yield from _node(document, frame, visit)
    if gap is not None:
        yield from _bytes(document.buffer, gap, f"{name}@gap", "", f"{count_bytes(len(gap))} of no value")


def _node(document: Document, frame: Frame, visit: WalkedNode) -> Iterator[str]:
    table, node = frame.table, visit.node
    row = table.row(node)
    kind = row.name if row is not None else "unknown"
    parts = items.parts(table, node)
    indent = "  " * min(visit.depth, MAX_INDENT)
    own = Span(table.start[node], parts[-1].span.end).shifted(frame.start)
    text = printable(preview.text(table, node, LIMIT))
    if len(own) <= WIDTH or (row is not None and row.kind is Kind.STRING):
        yield from _bytes(document.buffer, own, indent + _name(visit), kind, text)
        return
    first = parts[0].span.shifted(frame.start)
    yield from _bytes(document.buffer, first, indent + _name(visit), kind, text)
    for part in _grouped(parts[1:]):
        yield from _bytes(
            document.buffer, part.span.shifted(frame.start), f"{indent}  @{part.name}", "", _part_text(part)
        )


def _grouped(parts: list[Part]) -> Iterator[Part]:
    """The parts, as many floats in one as a line holds."""
    held: list[Part] = []
    for part in parts:
        fits = held and part.span.end - held[0].span.start <= WIDTH
        if fits and part.type == held[0].type and part.type in ("f32", "f64"):
            held.append(part)
            continue
        yield from _together(held)
        held = [part]
    yield from _together(held)


def _together(held: list[Part]) -> Iterator[Part]:
    if len(held) < 2:
        yield from held
        return
    name, span = f"{held[0].name} … {held[-1].name}", Span(held[0].span.start, held[-1].span.end)
    yield Part(name, span, held[0].role, "", ", ".join(map(_part_text, held)))


def _part_text(part: Part) -> str:
    if isinstance(part.value, str) and part.type != "text":
        return part.value
    return "" if isinstance(part.value, bytes) else printable(preview.part_text(part, LIMIT))


def _name(visit: WalkedNode) -> str:
    if visit.depth == 0 or visit.segment is None:
        return visit.segment or "…"
    return "key" if visit.is_key else visit.segment.removeprefix(".")


def _bytes(buffer: Buffer, span: Span, name: str, kind: str, text: str) -> Iterator[str]:
    """The lines of one run of bytes; the first one carries the words."""
    stop = min(span.end, span.start + WIDTH * MAX_LINES)
    words = f"{name:<{NAME_WIDTH}}  {kind:<{TYPE_WIDTH}}  {text}"
    for start in range(span.start, stop, WIDTH):
        pairs = buffer[start : min(stop, start + WIDTH)].hex(" ")
        yield f"{start:08x}  {pairs:<{3 * WIDTH - 1}}  {words}".rstrip()
        words = ""
    if stop < span.end:
        yield f"{stop:08x}  … {count_bytes(span.end - stop).replace(' ', ' more ')}"
