"""Resources of a binary resource: added, doubled and taken away; all numbers that name the others follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.slots import EditError
from viewer.document.outline import field_steps
from viewer.document.path import format_path, parse_path
from viewer.document.pieces.message import MessageField
from viewer.document.readers.file_structure import EXTERNAL, INTERNAL, Resources
from viewer.document.readers.resource_file import LOCAL
from viewer.document.splice import Edit, EditLabel
from viewer.variant import text
from viewer.variant.dialect import Kind
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import LiteralError, parse_literal
from viewer.variant.read import read_shallow
from viewer.variant.value import ObjectFull, Reference, ReferenceKind, Value

OFFSET_SIZE, UID_SIZE = 8, 8
REFERENCE_HEAD = 8
"""Type and kind of a reference, in bytes; its number follows."""
LEAST_DIGITS = 5
NEW_CLASS, NEW_PATH = "Resource", "res://"


@dataclass(frozen=True, slots=True)
class ResourceEntry:
    """An entry of one of the two tables.

    Args:
        kind: which table.
        place: the entry's place in it.
        number: what references say, -1 where none can.
        span: the bytes of the entry.
        frame: the resource itself, -1 for one outside and for one whose bytes cannot be found.
    """

    kind: ReferenceKind
    place: int
    number: int
    span: Span
    frame: int = -1


def resource_entry(document: Document, item: Item) -> ResourceEntry | None:
    """The resource that an item stands for: its value as a whole, or its entry in a table; None for any other item."""
    if document.structure is None or document.structure.resources is None:
        return None
    if item.frame >= 0:
        is_whole = item.node == 0 and not item.part
        return _of_frame(document, item.frame) if is_whole else None
    steps, number = field_steps(item), -1 - item.frame
    name = document.fields[number].name if number < len(document.fields) else ""
    if not steps or steps[0] < 1 or name not in (INTERNAL, EXTERNAL):
        return None
    place = steps[0] - 1
    if name == INTERNAL:
        return _internal(document, place)
    span = _table(document, EXTERNAL).children[place + 1].span
    return ResourceEntry(ReferenceKind.EXTERNAL, place, place, span)


def only_resource(document: Document, items: Sequence[Item]) -> ResourceEntry | None:
    """The resource that is selected; None where values are.

    Raises:
        EditError: there are several.
    """
    found = [resource_entry(document, item) for item in items]
    if len(found) > 1 and any(found):
        raise EditError("Resources are duplicated and deleted one at a time; choose one.")
    return found[0] if found else None


def table_of(document: Document, item: Item) -> ReferenceKind | None:
    """Which table an item is or belongs to."""
    number = -1 - item.frame
    name = document.fields[number].name if item.frame < 0 and number < len(document.fields) else ""
    return {INTERNAL: ReferenceKind.INTERNAL, EXTERNAL: ReferenceKind.EXTERNAL}.get(name)


def resource_name(document: Document, entry: ResourceEntry) -> str:
    """What a person calls a resource: its name in the file, or its path."""
    return _resources(document).named(Reference(entry.kind, entry.number))


def references_to(document: Document, entry: ResourceEntry) -> list[Item]:
    """The values that name a resource, in the order of their bytes; those in the resource itself are left out."""
    found = _references(document, entry.kind)
    return [item for item, number in found if number == entry.number and item.frame != entry.frame]


def add_resource(document: Document, class_name: str = NEW_CLASS, place: int = -1) -> Edit:
    """The edit that puts an empty resource into the file.

    Args:
        document: the file.
        class_name: its class.
        place: before which one it goes; -1 for the main one, which is the last. Only those behind it may name it.

    Raises:
        EditError: there is no such place.
    """
    raw = _string(class_name) + (0).to_bytes(4, "little")
    return _added(document, place, class_name, raw, "Add a resource")


def duplicate_resource(document: Document, entry: ResourceEntry) -> Edit:
    """The edit that puts a copy behind a resource, or before the main one; what it refers to is the same.

    Raises:
        EditError: it is no resource of this file.
    """
    if entry.frame < 0:
        raise EditError("Only a resource inside this file can be duplicated.")
    frame = document.frames[entry.frame]
    payload = frame.cut.payload
    raw = bytes(document.buffer[payload.start : payload.start + frame.table.end_of_data])
    label = EditLabel("Duplicate {}", (document.value_names[entry.frame],))
    place = min(entry.place + 1, len(_targets(document)) - 1)
    return _added(document, place, _class(document, entry.frame), raw, label)


def remove_resource(document: Document, entry: ResourceEntry) -> Edit:
    """The edit that takes a resource away; values that name it become null.

    Raises:
        EditError: it is the main one, or shares its bytes with another.
    """
    rework = EditBuilder(document)
    before: tuple[int, ...] = ()
    if entry.kind is ReferenceKind.INTERNAL:
        targets = _targets(document)
        if entry.place == len(targets) - 1:
            raise EditError("The main resource is what this file is for; it cannot be deleted.")
        if entry.frame < 0 or targets.count(targets[entry.place]) > 1:
            raise EditError("This resource shares its bytes with another one; fix that in the bytes first.")
        span = document.frames[entry.frame].span
        rework.write(-1, span, b"")
        before = (span.start,)
    name = resource_name(document, entry)
    null = encode(Value("Nil", None), document.dialect)
    numbers = _Numbers(rework)
    shifts = entry.kind is ReferenceKind.EXTERNAL or _counts_places(document)
    for item, number in _references(document, entry.kind):
        if item.frame == entry.frame or number < entry.number:
            continue
        frame = document.frames[item.frame]
        found = frame.table.span(item.node).shifted(frame.start)
        if number == entry.number:
            numbers.take(item.frame, found)
        elif shifts:
            numbers.add(item.frame, found, number - 1)
    numbers.write(null)
    _change_table(document, rework, entry.kind, entry.span, b"", -1)
    main = document.frames[document.structure.main].start if document.structure is not None else 0
    return rework.edit(EditLabel("Delete {}", (name,)), before, (), (main,))


def add_external(document: Document, type_name: str = NEW_CLASS, path: str = NEW_PATH) -> Edit:
    """The edit that puts a resource of another file at the end of the table of such.

    Raises:
        EditError: the file has no such table.
    """
    rework, table = EditBuilder(document), _table(document, EXTERNAL)
    uid = b"\xff" * UID_SIZE if _resources(document).has_uids else b""
    end = Span(table.span.end, table.span.end)
    _change_table(document, rework, ReferenceKind.EXTERNAL, end, _string(type_name) + _string(path) + uid, 1)
    return rework.edit("Add an external resource")


def _added(document: Document, place: int, class_name: str, raw: bytes, label: str | EditLabel) -> Edit:
    """The edit that puts the bytes of a resource before those of another one, and its entry before that of it."""
    targets = _targets(document)
    count = len(targets)
    place = min(place, count - 1)
    behind = _internal(document, place % count) if -count <= place < count else None
    if behind is None or behind.frame < 0:
        raise EditError("What would follow this resource cannot be found; fix that in the bytes first.")
    rework, start = EditBuilder(document), document.frames[behind.frame].span.start
    entry = _string(_new_path(document, class_name))
    offset = start + len(entry) + OFFSET_SIZE
    at = Span(behind.span.start, behind.span.start)
    _change_table(document, rework, ReferenceKind.INTERNAL, at, entry + offset.to_bytes(OFFSET_SIZE, "little"), 1)
    if _counts_places(document):
        numbers = _Numbers(rework)
        for item, number in _references(document, ReferenceKind.INTERNAL):
            if number >= behind.number:
                frame = document.frames[item.frame]
                numbers.add(item.frame, frame.table.span(item.node).shifted(frame.start), number + 1)
        numbers.write()
    written = rework.write(-1, Span(start, start), raw)
    return rework.edit(label, (), (written,))


class _Numbers:
    """What becomes of references, written in as few runs as there can be: there may be very many."""

    def __init__(self, rework: EditBuilder) -> None:
        self._rework = rework
        self._found: dict[int, list[tuple[Span, bytes | None]]] = {}

    def add(self, frame: int, reference: Span, number: int) -> None:
        """Give a reference another number."""
        start = reference.start + REFERENCE_HEAD
        self._found.setdefault(frame, []).append((Span(start, start + 4), number.to_bytes(4, "little")))

    def take(self, frame: int, reference: Span) -> None:
        """Put null, which is shorter, in the place of a reference."""
        self._found.setdefault(frame, []).append((reference, None))

    def write(self, null: bytes = b"") -> None:
        """Write all of it."""
        for frame, found in self._found.items():
            run: list[tuple[Span, bytes]] = []
            for span, new in sorted(found, key=lambda each: each[0].start):
                if new is not None:
                    run.append((span, new))
                    continue
                self._write_run(frame, run)
                run = []
                self._rework.write(frame, span, null)
            self._write_run(frame, run)

    def _write_run(self, frame: int, run: list[tuple[Span, bytes]]) -> None:
        if not run:
            return
        whole = Span(run[0][0].start, run[-1][0].end)
        data = bytearray(self._rework.old(whole))
        for span, new in run:
            data[span.start - whole.start : span.end - whole.start] = new
        self._rework.write(frame, whole, bytes(data))


def _change_table(
    document: Document, rework: EditBuilder, kind: ReferenceKind, span: Span, new: bytes, by: int
) -> None:
    """Put an entry into a table or take one out; its count follows."""
    count = _table(document, INTERNAL if kind is ReferenceKind.INTERNAL else EXTERNAL).children[0].span
    number = int.from_bytes(rework.old(count), "little") + by
    rework.write(-1, count, number.to_bytes(len(count), "little"))
    rework.write(-1, span, new)


# What the file says of its resources


def _resources(document: Document) -> Resources:
    found = document.structure.resources if document.structure is not None else None
    if found is None or not document.frames:
        raise EditError("This file has no resources that can be followed.")
    return found


def _table(document: Document, name: str) -> MessageField:
    _resources(document)
    found = next((field for field in document.fields if field.name == name and field.children), None)
    if found is None:
        raise EditError(f"The table of {name} of this file cannot be followed; fix it in the bytes first.")
    return found


def _targets(document: Document) -> list[int]:
    """Where the resources of the file begin, in the order of their table."""
    offsets = document.structure.offsets if document.structure is not None else ()
    count = len(_table(document, INTERNAL).children) - 1
    return [word.target for word in offsets[len(offsets) - count :]] if count else []


def _internal(document: Document, place: int) -> ResourceEntry:
    targets = _targets(document)
    span = _table(document, INTERNAL).children[place + 1].span
    starts = {frame.start: index for index, frame in enumerate(document.frames)}
    number = place if _counts_places(document) else _local_number(document, place)
    return ResourceEntry(ReferenceKind.INTERNAL, place, number, span, starts.get(targets[place], -1))


def _of_frame(document: Document, frame: int) -> ResourceEntry | None:
    targets, start = _targets(document), document.frames[frame].start
    return _internal(document, targets.index(start)) if start in targets else None


def _counts_places(document: Document) -> bool:
    """Whether references to resources inside the file are places in the table, as in Godot 4."""
    return _resources(document).refuses


def _paths(document: Document) -> Iterator[str]:
    return (field.children[0].text for field in _table(document, INTERNAL).children[1:])


def _local_number(document: Document, place: int) -> int:
    digits = _table(document, INTERNAL).children[place + 1].children[0].text.removeprefix(LOCAL)
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else -1


def _new_path(document: Document, class_name: str) -> str:
    """A path that no resource of the file has, as its engine line writes them."""
    if not _counts_places(document):
        return f"{LOCAL}{max(0, *map(int, _resources(document).internal)) + 1}"
    known, number = set(_paths(document)), 1
    while (path := f"{LOCAL}{class_name}_{number:0{LEAST_DIGITS}}") in known:
        number += 1
    return path


def _class(document: Document, frame: int) -> str:
    table = document.frames[frame].table
    data = read_shallow(table, 0).data if len(table) else None
    return data.class_name if isinstance(data, ObjectFull) else NEW_CLASS


def _references(document: Document, kind: ReferenceKind) -> Iterator[tuple[Item, int]]:
    """The values that name resources of a table, each with the number that it says."""
    for index, frame in enumerate(document.frames):
        table = frame.table
        for node in table.nodes:
            row = table.row(node)
            if row is not None and row.kind is Kind.REFERENCE and not table.is_name(node):
                data = read_shallow(table, node).data
                if isinstance(data, Reference) and data.kind is kind:
                    yield Item(index, node), data.number


def _string(content: str) -> bytes:
    raw = text.write(content) + b"\0"
    return len(raw).to_bytes(4, "little") + raw


# As the command line says it.


END = "[]"
TOLD = 5


def resource_from_text(document: Document, path: str, literal: str) -> Edit:
    """The edit that adds a resource.

    Args:
        document: the file.
        path: ``@internal_resources[]`` or ``@external_resources[]``; with the entry before which it goes instead of
            ``[]`` for one inside the file.
        literal: a text, its class; of one outside its class and its path, ``"Script res://a.gd"``.

    Raises:
        PathError: the path leads nowhere.
        EditError: it is no place for a resource, or the text is none.
    """
    item = parse_path(document, path.removesuffix(END))
    kind = table_of(document, item) if document.structure is not None and document.structure.resources else None
    if kind is None:
        raise EditError("No new value can go here; write @internal_resources[] or @external_resources[].")
    try:
        words = str(parse_literal(literal, document.dialect, "String").data)
    except LiteralError as error:
        raise EditError(str(error), error.position, error.fix) from error
    if kind is ReferenceKind.EXTERNAL:
        type_name, _, at = words.partition(" ")
        if not type_name or not at:
            raise EditError('A resource of another file is its class and its path: "Script res://a.gd".')
        return add_external(document, type_name, at)
    if not words:
        raise EditError('A resource needs a class: "Resource".')
    entry = resource_entry(document, item)
    return add_resource(document, words, -1 if entry is None else entry.place)


def resource_taken_away(document: Document, items: Sequence[Item], is_decided: bool) -> Edit | None:
    """The edit that takes a resource away; None where the items are values.

    Args:
        document: the file.
        items: what is taken away.
        is_decided: whether values that name it may become null.

    Raises:
        EditError: it cannot go, or values name it and nobody has decided.
    """
    entry = only_resource(document, items)
    if entry is None:
        return None
    edit = remove_resource(document, entry)
    found = [format_path(document, item) for item in references_to(document, entry)]
    if found and not is_decided:
        more = f" and {len(found) - TOLD} more" if len(found) > TOLD else ""
        raise EditError(
            f"This resource is referred to by {', '.join(found[:TOLD])}{more}; --null-references puts null there."
        )
    return edit
