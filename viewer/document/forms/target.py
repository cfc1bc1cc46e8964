"""Target: what an editor changes, a whole value or one element of a packed array, and what a change would write."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import assert_never

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.packed import Element, open_array, set_elements
from viewer.document.edits.setting import set_value
from viewer.document.edits.slots import EditError
from viewer.document.edits.text_limits import check_typed, spelled
from viewer.document.path import item_path
from viewer.document.splice import Edit, EditLabel, Splice
from viewer.document.viewmodel.row_data import element_type
from viewer.document.viewmodel.verdict import Verdict, accepted, refused, unchanged
from viewer.variant import items
from viewer.variant.dialect import Field, Kind, TypeRow, kinds_where
from viewer.variant.items import Item
from viewer.variant.primitives import EncodeError, encode_number
from viewer.variant.read import read_shallow
from viewer.variant.value import Data, NaN, Value

LONGEST = 1 << 20
"""Bytes of a value beyond which no editor shows it as a whole: it would take longer than a person should wait."""


def _may_be_long(kind: Kind) -> bool:
    match kind:
        case Kind.DICTIONARY | Kind.ARRAY | Kind.TYPED_ARRAY | Kind.PACKED | Kind.PACKED_STRINGS | Kind.IMAGE:
            return True
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.INPUT_EVENT
        ):
            return False
        case _:
            assert_never(kind)


UNREAD = kinds_where(_may_be_long)
"""What may be long: its editor reads what it shows."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What applying would do: *edit* is None where there is nothing to write or it cannot be."""

    verdict: Verdict
    edit: Edit | None


@dataclass(frozen=True, slots=True)
class EditTarget:
    """A value that can be edited.

    Args:
        document: where it is.
        item: the node, or an element ``[3]`` of a packed array.
        row: the type of the node.
        type: the type of the value itself: of the element where it is one.
        fields: its numbers, empty where it is not made of numbers.
        data: what it holds now; None for the kinds in :data:`UNREAD`.
    """

    document: Document
    item: Item
    row: TypeRow
    type: str
    fields: tuple[Field, ...]
    data: Data

    @property
    def is_element(self) -> bool:
        """Whether this is an element of a packed array."""
        return bool(self.item.part)

    @property
    def about(self) -> str:
        """One sentence about the type."""
        own = self.document.dialect.by_name.get(self.type)
        return own.about if own is not None else self.row.about

    def propose(self, data: Data) -> Proposal:
        """What setting it to *data* would do; the same data leaves the bytes as they are, odd ones too."""
        if _exact(data) == _exact(self.data):
            return Proposal(self._in_text(unchanged(self.document, self.item), None), None)
        try:
            if self.is_element:
                edit = set_elements(self.document, Item(self.item.frame, self.item.node), {self._index: _element(data)})
            else:
                edit = set_value(self.document, self.item, Value(self.type, data))
            if self.document.text is not None:
                check_typed(self.document, edit)
        except EditError as error:
            return Proposal(refused(self.document, self.item, error), None)
        before, after = outcome(self.document, self._span, edit)
        done = edit if before != after else None
        return Proposal(self._in_text(accepted(self.document, self.item, before, after), done), done)

    def propose_parts(self, numbers: Mapping[str, float]) -> Proposal:
        """What setting some number fields of a node, by their names, would do."""
        frame = outline.frame_of(self.document, self.item)
        assert frame is not None
        rework = EditBuilder(self.document)
        end = start = frame.table.start[self.item.node]
        try:
            for name, number in numbers.items():
                part = items.part(frame.table, self.item.node, name)
                if part is None:
                    raise EditError(f"There is no {name}; this value is cut off.")
                rework.write(self.item.frame, part.span.shifted(frame.start), encode_number(number, part.type))
                end = max(end, part.span.end)
        except (EditError, EncodeError) as error:
            return self.refuse(EditError(str(error)))
        edit = rework.edit(EditLabel("Set {}", (item_path(self.document, self.item),)))
        before, after = outcome(self.document, Span(start, end).shifted(frame.start), edit)
        done = edit if before != after else None
        return Proposal(self._in_text(accepted(self.document, self.item, before, after), done), done)

    def _in_text(self, verdict: Verdict, edit: Edit | None) -> Verdict:
        """The verdict with what stands in the text, and would stand there, where the value was read from one."""
        if self.document.text is None:
            return verdict
        return replace(verdict, spelled=spelled(self.document, self.item, edit))

    def refuse(self, error: EditError) -> Proposal:
        """That what a person typed cannot be."""
        return Proposal(refused(self.document, self.item, error), None)

    @property
    def _span(self) -> Span:
        """All bytes of the value; of a string in an array with its length and fill."""
        if not self.is_element:
            return outline.span(self.document, self.item)
        array = open_array(self.document, self.item)
        return Span(array.start(self._index), array.start(self._index + 1)).shifted(array.frame.start)

    @property
    def _index(self) -> int:
        return int(self.item.part[1:].partition("]")[0])


def open_target(document: Document, item: Item) -> EditTarget:
    """The value that an editor changes where *item* is selected; a part of a value leads to the whole of it.

    Raises:
        EditError: there is no value here, or it is too long or too broken to be edited.
    """
    frame = outline.frame_of(document, item)
    row = outline.type_row(document, item)
    if frame is None or item.node < 0 or row is None:
        raise EditError("These bytes belong to no known value; change them in the hex view.")
    if item.part.startswith("["):
        return _element_target(document, Item(item.frame, item.node, item.part.partition("]")[0] + "]"), row)
    whole = Item(item.frame, item.node)
    if frame.table.is_name(item.node):
        raise EditError("This is the name of a property; change it in the tree.")
    if row.kind in UNREAD:
        return EditTarget(document, whole, row, row.name, (), None)
    if len(frame.table.span(item.node)) > LONGEST:
        raise EditError("This value is too long to be shown at once; change it in the hex view.")
    data = read_shallow(frame.table, item.node).data
    header = frame.table.header(item.node)
    fields = row.fields(header) if row.kind is Kind.FIXED else ()
    if data is None and fields:
        raise EditError("This value is cut off; fix it in the bytes first.")
    return EditTarget(document, whole, row, row.name, fields, data)


def _element_target(document: Document, item: Item, row: TypeRow) -> EditTarget:
    frame = outline.frame_of(document, item)
    assert frame is not None
    part = items.part(frame.table, item.node, item.part)
    if part is None:
        raise EditError("There is no such element.")
    name = element_type(document.dialect, row, part)
    fields = row.fields(frame.table.header(item.node)) if row.kind is Kind.PACKED else ()
    return EditTarget(document, item, row, name, fields, part.value)  # type: ignore[arg-type]


def _exact(data: Data) -> object:
    """Something that is equal only for data with the same bits."""
    if isinstance(data, NaN):
        return "nan", data.raw
    if isinstance(data, float):
        return struct.pack("<d", data)
    if isinstance(data, tuple):
        return tuple(_exact(part) for part in data)
    return data


def _element(data: Data) -> Element:
    if isinstance(data, int | float | str):
        return data
    assert isinstance(data, tuple)
    return data  # type: ignore[return-value]


def outcome(document: Document, span: Span, edit: Edit) -> tuple[bytes, bytes]:
    """The bytes of a span now and after an edit, which writes nothing but these and, before them, a count or prefix."""
    low = min([span.start, *(splice.offset for splice in edit.splices)])
    raw = bytes(document.buffer[low : span.end])
    head = span.start - low
    return raw[head:], _spliced(raw, edit.splices, low)[head:]


def _spliced(raw: bytes, splices: tuple[Splice, ...], start: int) -> bytes:
    for splice in splices:
        at = splice.offset - start
        raw = raw[:at] + splice.inserted + raw[at + len(splice.removed) :]
    return raw
