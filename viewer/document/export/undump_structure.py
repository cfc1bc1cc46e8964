"""From the dump of a file with a structure back to its bytes, with what was changed in it.

The dump has the bytes of each value and field. They give the file as it was; where the dump that is read says something
else than its own does, the difference is an edit like any other, so that offsets, counts and lengths follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.byte_edit import EditBuilder
from viewer.document.edits.field_edit import formed
from viewer.document.edits.slots import EditError
from viewer.document.export.deep_json import dumps, loads
from viewer.document.export.dump import dump
from viewer.document.export.undump import DumpWriter, Node, Place, UndumpError, error_at, from_hex, list_in, span_in
from viewer.document.pieces.message import MessageField
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import NAMED
from viewer.variant.encode import property_name
from viewer.variant.literal.parse import LiteralError
from viewer.variant.literal.printing import format_literal
from viewer.variant.native import NativeError, from_native
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

OTHER_PARTS = "This has different parts from the file; what they say can be changed, and values."


def encode_structured(root: Node) -> bytes:
    """The bytes of a file with a structure.

    Args:
        root: its dump.

    Raises:
        UndumpError: the dump lacks bytes, or says what the file cannot hold.
    """
    name = root.get("file")
    choice = ReadOptions(opening=UnwrapOptions(codecs=()))
    document = Document(_bytes_before(root), name=PurePath(name).name if isinstance(name, str) else "", choice=choice)
    if document.structure is None or document.structure.kind != root["structure"]:
        raise UndumpError("The bytes of this dump are not a file of the kind that it names.")
    changes = _Changes(document, root)
    try:
        edit = changes.edit()
    except EditError as error:
        raise UndumpError(str(error)) from error
    document.apply(edit)
    return bytes(document.buffer[:])


def _bytes_before(root: Node) -> bytes:
    """The file as it was when it was dumped."""
    runs: list[tuple[int, bytes]] = []
    for key in ("frames", "gaps"):
        for k, each in enumerate(list_in(root, key, None)):
            place: Place = (None, f".{key}[{k}]")
            if not isinstance(each, dict):
                raise error_at(place, "An object belongs here.")
            span = span_in(each, place)
            if span is None:
                raise error_at(place, "This needs its span, to know its place.")
            raw = from_hex(each.get("hex"), (place, ".hex"))
            if len(raw) != span[1] - span[0]:
                raise error_at((place, ".hex"), "The span has another number of bytes; change the values instead.")
            runs.append((span[0], raw))
    out, at = [], 0
    for start, raw in sorted(runs):
        if start != at:
            raise UndumpError(f"The dump lacks the bytes from {at} on.")
        out.append(raw)
        at += len(raw)
    return b"".join(out)


@dataclass(frozen=True, slots=True)
class _Pair:
    """What a dump says now and what it said, at one place."""

    now: object
    before: object
    place: Place


class _Changes:
    """What a dump says that the file does not, as one edit."""

    def __init__(self, document: Document, root: Node) -> None:
        self._document = document
        self._now = root
        self._rework = EditBuilder(document)
        self._writer = DumpWriter(root, document.dialect, document.precision, document.framing.kind, None)

    def edit(self) -> Edit:
        """The edit.

        Raises:
            UndumpError: something cannot be changed so.
            EditError: the file cannot hold it.
        """
        before = loads("".join(dump(self._document)))
        assert isinstance(before, dict)
        for k, (now, was) in enumerate(self._both(self._now, before, "frames", None)):
            self._nodes(k, _Pair(now.get("root"), was.get("root"), (None, f".frames[{k}].root")))
        for k, (now, was) in enumerate(self._both(self._now, before, "gaps", None)):
            self._fields([self._document.fields[k]], [_Pair(now, was, (None, f".gaps[{k}]"))])
        return self._rework.edit("Encode")

    def _both(self, now: Node, was: Node, key: str, place: Place) -> list[tuple[Node, Node]]:
        one, other = list_in(now, key, place), list_in(was, key, place)
        if len(one) != len(other) or not all(isinstance(each, dict) for each in one):
            raise error_at((place, f".{key}"), OTHER_PARTS)
        return list(zip(one, other, strict=True))  # type: ignore[arg-type]  # all of both are objects

    # Values

    def _nodes(self, frame: int, root: _Pair) -> None:
        waiting = [root]
        while waiting:
            pair = waiting.pop()
            now, was = pair.now, pair.before
            if not isinstance(was, dict) or _same(now, was):
                continue
            inner = self._inner(pair) if isinstance(now, dict) else None
            if inner is not None:
                waiting.extend(reversed(inner))
                continue
            span = span_in(was, pair.place)
            assert span is not None
            place, writer = Span(*span), self._writer
            raw = self._resource(frame, pair) if was is root.before and self._is_named(frame) else None
            self._rework.write(frame, place, writer.tree(now, pair.place) if raw is None else raw)

    def _inner(self, pair: _Pair) -> list[_Pair] | None:
        """The nodes inside two that differ in nothing else; None where something else differs."""
        now, was = pair.now, pair.before
        assert isinstance(now, dict)
        assert isinstance(was, dict)
        one, other = now.get("children"), was.get("children")
        if not isinstance(one, list) or not isinstance(other, list) or len(one) != len(other):
            return None
        told = ("type", "head", "bytes", "damaged", "gaps", "present")
        if any(now.get(key) != was.get(key) for key in told):
            return None
        out = []
        for k, (child, old) in enumerate(zip(one, other, strict=True)):
            if not isinstance(child, dict) or "node" not in child or not _same(child.get("key"), old.get("key")):
                return None
            out.append(_Pair(child["node"], old["node"], (pair.place, f".children[{k}].node")))
        return out

    def _is_named(self, frame: int) -> bool:
        row = self._document.frames[frame].table.row(0)
        return row is not None and row.kind in NAMED

    def _resource(self, frame: int, pair: _Pair) -> bytes:
        """The bytes of a resource with other properties than it had."""
        now, was, table = pair.now, pair.before, self._document.frames[frame].table
        assert isinstance(was, dict)
        if not isinstance(now, dict) or any(now.get(key) != was.get(key) for key in ("type", "head", "bytes")):
            raise error_at(pair.place, "Only the properties of a resource can differ, not its class.")
        head = from_hex(was.get("bytes"), (pair.place, ".bytes"))
        children = list_in(now, "children", pair.place)
        out = [head[:-4], len(children).to_bytes(4, "little")]
        for k, child in enumerate(children):
            place: Place = (pair.place, f".children[{k}]")
            if not isinstance(child, dict) or "node" not in child or "key" not in child:
                raise error_at(place, "A property is an object with a key and a node.")
            out.append(self._name(table, child["key"], (place, ".key")))
            out.append(self._writer.tree(child["node"], (place, ".node")))
        return b"".join(out)

    def _name(self, table: NodeTable, key: object, place: Place) -> bytes:
        native = key.get("value") if isinstance(key, dict) and "value" in key else key
        try:
            data = from_native(native, self._document.dialect).data
        except NativeError as error:
            raise error_at(place, str(error)) from error
        if not isinstance(data, str):
            raise error_at(place, "The name of a property must be a text.")
        return self._rework.named(property_name(table, data))

    # Fields

    def _fields(self, fields: Sequence[MessageField], pairs: list[_Pair]) -> None:
        waiting = list(zip(fields, pairs, strict=True))
        while waiting:
            field, pair = waiting.pop()
            now, was = pair.now, pair.before
            assert isinstance(now, dict)
            assert isinstance(was, dict)
            if "fields" in was:
                both = self._both(now, was, "fields", pair.place)
                inner = [_Pair(one, two, (pair.place, f".fields[{k}]")) for k, (one, two) in enumerate(both)]
                waiting.extend(zip(field.children, inner, strict=True))
            elif not _same(now.get("value"), was.get("value")):
                self._rework.write(-1, field.span, self._field(field, now.get("value"), (pair.place, ".value")))

    def _field(self, field: MessageField, native: object, place: Place) -> bytes:
        found = formed(field)
        if found is None or found.form.is_locked:
            raise error_at(place, "This is derived from others, and cannot be changed.")
        dialect = self._document.dialect
        if found.form.type == "bytes":
            native = from_hex(native, place).hex()
        try:
            is_plain = isinstance(native, int | float) or found.form.type == "bytes"
            data = native if is_plain else from_native(native, dialect).data
            is_text = found.form.type == "text" and isinstance(data, str)
            return found.encoded(format_literal(Value("String", str(data)), dialect) if is_text else str(data), dialect)
        except (NativeError, LiteralError, EditError) as error:
            raise error_at(place, str(error)) from error


def _same(one: object, other: object) -> bool:
    """Whether two parts of dumps say the same, but for what is for reading only."""
    return dumps(one) == dumps(other)
