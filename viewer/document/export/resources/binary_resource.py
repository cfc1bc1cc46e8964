"""Binary resources: what one holds, and its bytes as the engine line writes them."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Iterator

from viewer.base.diagnostic import Code
from viewer.container.resource_order import RSRC
from viewer.document.document import Document
from viewer.document.export.resources.resource_content import (
    BY_PATH,
    EXTERNAL,
    INTERNAL,
    METADATA,
    NULL,
    SCENE,
    SCRIPT,
    CannotConvertError,
    ExternalResource,
    InternalResource,
    ResourceContent,
    held,
    mapped,
    untyped,
    walked,
)
from viewer.document.export.resources.scene_bundle import BUNDLED, bundle_of, scene_of
from viewer.document.pieces.message import MessageField
from viewer.document.readers import file_structure, resource_file
from viewer.document.readers.resource_uid import NO_UID, parse_uid
from viewer.variant.dialect import Dialect, load_resource_values, load_text_values
from viewer.variant.encode import EncodeError, encode
from viewer.variant.primitives import encode_name, encode_text
from viewer.variant.read import read
from viewer.variant.string_table import StringTable
from viewer.variant.value import Array, Dictionary, NodePath, ObjectFull, Reference, ReferenceKind, Signal, Value

CUT = (Code.RESOURCE_CUT, Code.RESOURCE_COUNT, Code.RESOURCE_OFFSET)
VERSIONS = {"godot3": (3, 2, 3), "godot4": (4, 2, 5)}
"""Engine version and format that are written: the oldest ones that have all that is written."""
WITH_VECTOR4_ARRAYS = (4, 3, 6)
MOST_NAMED = 5
ONLY_ROOT = NodePath(absolute=True)
NEWER = "PackedVector4Array"
RID_READ = "Engines read the number 0 for an RID in a binary resource, and keep RIDs in no other form."
ROOT_READ = "Godot 3 reads an empty path from a binary resource where “/” is written."
_WORD, _LONG = struct.Struct("<I").pack, struct.Struct("<Q").pack


# What a file holds.


def binary_content(document: Document, lost: list[str]) -> ResourceContent:
    """What a binary resource holds.

    Args:
        document: the file.
        lost: takes what of it has no place in a text, a sentence each.

    Raises:
        CannotConvertError: it is damaged, or its values cannot be read.
    """
    return _BinaryReader(document, lost).content()


class _BinaryReader:
    """Reads one file."""

    def __init__(self, document: Document, lost: list[str]) -> None:
        assert document.structure is not None
        self._document = document
        self._lost = lost
        self._tables = {piece.name: piece for piece in document.structure.pieces}
        self._line = document.dialect.key.removesuffix("-resource")
        self._dialect = load_text_values(self._line)
        self._external: list[ExternalResource] = []
        self._ids: list[str] = []
        self._taken: set[str] = set()
        self._numbers: dict[int, int] = {}
        self._here = 0

    def content(self) -> ResourceContent:
        assert self._document.structure is not None
        if any(found.code in CUT for found in self._document.structure.findings):
            raise CannotConvertError("The tables of this resource are damaged: repair them first.")
        header = {field.name: field for field in self._children("header")}
        if not header or self._number(header["byte order"]):
            raise CannotConvertError("The values of a big-endian resource are not read, because engines misread them.")
        flags = self._number(header["flags"]) if "flags" in header else 0
        if flags & resource_file.DOUBLE:
            self._lost.append("This file has 64-bit vectors; those that are written have 32 bits.")
        self._external = [self._one_external(place, field) for place, field in self._entries(file_structure.EXTERNAL)]
        blocks = self._blocks(bool(flags & resource_file.NAMED_IDS))
        internal: list[InternalResource] = []
        for place, raw in enumerate(blocks):
            self._here = place
            properties = tuple((name, self._text_value(value)) for name, value in raw.properties)
            internal.append(InternalResource(self._ids[place], raw.class_name, properties))
        main = internal[-1]
        bundled = next((value for name, value in main.properties if name == BUNDLED), None)
        scene = None
        if main.type == SCENE and bundled is not None:
            scene = scene_of(bundled, self._dialect)
            rest = tuple(pair for pair in main.properties if pair[0] != BUNDLED)
            internal[-1] = InternalResource(main.id, main.type, rest)
        uid = parse_uid(header["uid"].text) if "uid" in header else None
        script_class = header["script class"].text if "script class" in header else ""
        return ResourceContent(
            self._line,
            script_class,
            NO_UID if uid is None else uid,
            tuple(self._external),
            tuple(self._without_null(one) for one in internal),
            scene,
        )

    def _without_null(self, resource: InternalResource) -> InternalResource:
        """A resource without the word that it has no script, which Godot 4 writes in this form alone."""
        if self._line != "godot4" or (SCRIPT, NULL) not in resource.properties:
            return resource
        kept = tuple(pair for pair in resource.properties if pair != (SCRIPT, NULL))
        return InternalResource(resource.id, resource.type, kept)

    def _children(self, name: str) -> Iterable[MessageField]:
        return self._tables[name].children if name in self._tables else ()

    def _entries(self, name: str) -> Iterator[tuple[int, dict[str, MessageField]]]:
        """The entries of a table, each as its fields by name."""
        for place, field in enumerate(self._children(name), -1):
            if place >= 0:
                yield place, {inner.name: inner for inner in field.children}

    def _number(self, field: MessageField) -> int:
        return int.from_bytes(bytes(self._document.buffer[field.span.start : field.span.end]), "little")

    def _one_external(self, place: int, fields: dict[str, MessageField]) -> ExternalResource:
        uid = parse_uid(fields["uid"].text) if "uid" in fields else None
        return ExternalResource(
            str(place + 1), fields["type"].text, fields["path"].text, NO_UID if uid is None else uid
        )

    def _blocks(self, has_names: bool) -> list[ObjectFull]:
        """The internal resources in the order of their table; what they are called is known then."""
        assert self._document.structure is not None
        starts = {piece.span.start: frame for frame, piece in enumerate(self._document.structure.values)}
        found, paths = [], []
        for place, fields in self._entries(file_structure.INTERNAL):
            index = starts.get(self._number(fields["offset"]))
            frame = self._document.frames[index] if index is not None else None
            if frame is None or not len(frame.table) or not frame.sound or frame.gap is not None:
                raise CannotConvertError(f"The resource {place} of this file is damaged: repair it first.")
            data = read(frame.table).data
            assert isinstance(data, ObjectFull)
            found.append(data)
            path = fields["path"].text
            paths.append(path)
            number = path.removeprefix(resource_file.LOCAL)
            if has_names:
                self._numbers[place] = place
            elif number.isascii() and number.isdecimal():
                self._numbers[int(number)] = place
            self._ids.append(self._id(path, data.class_name, place))
            self._taken.add(self._ids[-1])
        if not found:
            raise CannotConvertError("There is no resource in this file.")
        self._ids[-1] = ""
        for path in paths[:-1]:  # engines have no use for that of the main one
            if path and not path.startswith(resource_file.LOCAL):
                self._lost.append(f"The path “{path}” of a resource in this file has no place in the other form.")
        return found

    def _id(self, path: str, kind: str, place: int) -> str:
        """What the text calls a resource."""
        name = path.removeprefix(resource_file.LOCAL)
        is_free = name not in self._taken and name != ""
        if self._line == "godot3":
            return name if name.isascii() and name.isdecimal() and is_free else str(1 + place)
        return name if is_free and name != path else f"{kind}_{place + 1}"

    # Values

    def _text_value(self, value: Value) -> Value:
        return mapped(value, self._leaf, untyped)

    def _leaf(self, value: Value) -> Value:
        data = value.data
        if value.type == "Signal":
            return Value("Signal", Signal("", 0))
        if isinstance(data, Reference):
            return self._reference(data)
        if value.type == "RID":
            self._lost.append(RID_READ)
            return value if self._line == "godot4" else Value("int", 0)
        if self._line == "godot3" and data == ONLY_ROOT:
            self._lost.append(ROOT_READ)
        return NULL if value.type == "Object" else value

    def _reference(self, reference: Reference) -> Value:
        match reference.kind:
            case ReferenceKind.INTERNAL:
                place = self._numbers.get(reference.number)
                if place is not None and place < self._here:
                    return Value(INTERNAL, self._ids[place])
                self._lost.append(
                    "A reference to a resource that does not precede it becomes null, as engines read it."
                )
            case ReferenceKind.EXTERNAL:
                if reference.number < len(self._external):
                    return Value(EXTERNAL, self._external[reference.number].id)
                self._lost.append("A reference to a resource that does not exist becomes null, as engines read it.")
            case ReferenceKind.PATH:
                return Value(EXTERNAL, added(self._external, reference.type or BY_PATH, reference.path).id)
            case ReferenceKind.NULL:
                pass
        return NULL


def added(external: list[ExternalResource], kind: str, path: str) -> ExternalResource:
    """The resource of another file at a path, put behind those that are known unless it is one of them."""
    known = next((one for one in external if one.path == path), None)
    if known is None:
        taken = {one.id for one in external}
        number = next(number for number in range(1, len(external) + 2) if str(number) not in taken)
        known = ExternalResource(str(number), kind, path, NO_UID)
        external.append(known)
    return known


# The bytes of a file.


def binary_bytes(content: ResourceContent, lost: list[str]) -> bytes:
    """The bytes of a binary resource.

    Args:
        content: what it holds.
        lost: takes what it cannot hold, a sentence each.

    Raises:
        CannotConvertError: a value has no place in it.
    """
    try:
        return _BinaryWriter(content, lost).file()
    except EncodeError as error:
        raise CannotConvertError(str(error)) from error


class _BinaryWriter:
    """Writes one file."""

    def __init__(self, content: ResourceContent, lost: list[str]) -> None:
        self._content = content
        self._lost = lost
        self._dialect: Dialect = load_resource_values(content.line)
        self._is_new = content.line == "godot4"
        self._external = list(content.external)
        self._places = {one.id: place for place, one in enumerate(content.external)}
        self._numbers: dict[str, int] = {}
        self._property = ""
        self._newer = False

    def file(self) -> bytes:
        resources = []
        self._tell_types()
        for place, resource in enumerate(self._content.internal):
            properties = self._properties(resource, place == len(self._content.internal) - 1)
            resources.append([(name, self._value(name, value)) for name, value in properties])
            self._numbers[resource.id] = place if self._is_new else int(resource.id or 0)
        table, names = self._strings(resources)
        blocks = [
            encode_text(resource.type, True)
            + _WORD(len(properties))
            + b"".join(
                encode_name(name, names) + encode(value, self._dialect, names=names) for name, value in properties
            )
            for resource, properties in zip(self._content.internal, resources, strict=True)
        ]
        head = self._header() + table + self._external_table()
        paths = [encode_text(resource_file.LOCAL + name, True) for name in self._local_names()]
        at = len(head) + 4 + sum(len(path) + 8 for path in paths)
        entries = []
        for path, block in zip(paths, blocks, strict=True):
            entries.append(path + _LONG(at))
            at += len(block)
        return b"".join([head, _WORD(len(paths)), *entries, *blocks, RSRC])

    def _header(self) -> bytes:
        content = self._content
        major, minor, form = WITH_VECTOR4_ARRAYS if self._newer else VERSIONS[content.line]
        head = RSRC + b"".join(map(_WORD, (0, 0, major, minor, form))) + encode_text(content.main.type, True)
        head += _LONG(0)
        if not self._is_new:
            return head + _WORD(0) * (1 + resource_file.RESERVED[3])
        named = bool(content.script_class)
        flags = resource_file.NAMED_IDS | resource_file.UIDS | (resource_file.SCRIPT_CLASS if named else 0)
        head += _WORD(flags) + _LONG(content.uid)
        return head + (encode_text(content.script_class, True) if named else b"") + _WORD(0) * resource_file.RESERVED[4]

    def _strings(self, resources: list[list[tuple[str, Value]]]) -> tuple[bytes, StringTable]:
        """The table of strings: names in paths, then those of properties."""
        names: dict[str, None] = {}
        for properties in resources:
            for _, value in properties:
                names.update(dict.fromkeys(_names_in(value)))
        for properties in resources:
            names.update(dict.fromkeys(name for name, _ in properties))
        raw, starts = bytearray(_WORD(len(names))), array("Q")
        for name in names:
            starts.append(len(raw))
            raw += encode_text(name, True)
        return bytes(raw), StringTable(bytes(raw), starts, self._dialect.rules.utf8)

    def _external_table(self) -> bytes:
        out = [_WORD(len(self._external))]
        for one in self._external:
            out += [encode_text(one.type, True), encode_text(one.path, True), _LONG(one.uid) if self._is_new else b""]
        return b"".join(out)

    def _local_names(self) -> Iterator[str]:
        for one in self._content.internal[:-1]:
            yield one.id
        main = self._content.main
        taken = {one.id for one in self._content.internal[:-1]}
        if self._is_new:
            yield main.id or f"{main.type}_main"
        else:
            yield str(1 + max((int(name) for name in taken), default=0))

    def _properties(self, resource: InternalResource, is_main: bool) -> list[tuple[str, Value]]:
        """The properties with what this form has beyond a text."""
        found = list(resource.properties)
        if is_main and self._content.scene is not None:
            found.insert(0, (BUNDLED, bundle_of(self._content.scene, self._content.dialect)))
        if self._is_new and not any(name == SCRIPT for name, _ in found):
            metadata = (place for place, (name, _) in enumerate(found) if name.startswith(METADATA))
            found.insert(next(metadata, len(found)), (SCRIPT, NULL))
        return found

    # Values

    def _tell_types(self) -> None:
        """Say which types of collections may not come back: an engine's own class has them, a script may have none."""
        scene = self._content.scene
        holders = [one.properties for one in self._content.internal]
        holders += [node.properties for node in (scene.nodes if scene is not None else ())]
        declared: dict[str, None] = {}
        lost: dict[str, None] = {}
        for properties in holders:
            has_script = any(name == SCRIPT for name, _ in properties)
            for name, value in properties:
                inner = walked(value)
                is_typed = _is_typed(next(inner))
                if (is_typed and name.startswith(METADATA)) or any(map(_is_typed, inner)):
                    lost[name] = None
                elif is_typed and has_script:
                    declared[name] = None
        if declared:
            names = _named(declared)
            self._lost.append(
                f"What typed collections hold is not stored; it comes back where the script declares it: {names}."
            )
        if lost:
            self._lost.append(
                f"What typed collections hold is lost in metadata and inside other values: {_named(lost)}."
            )

    def _value(self, name: str, value: Value) -> Value:
        self._property = name
        return mapped(value, self._leaf, untyped)

    def _leaf(self, value: Value) -> Value:
        data = value.data
        match value.type:
            case "SubResource":
                return self._reference(ReferenceKind.INTERNAL, self._numbers.get(str(data)), str(data))
            case "ExtResource":
                return self._reference(ReferenceKind.EXTERNAL, self._places.get(str(data)), str(data))
            case "Resource":
                found = added(self._external, BY_PATH, str(data))
                return self._reference(ReferenceKind.EXTERNAL, self._external.index(found), str(data))
            case "Object":
                if data is None:
                    return NULL
                raise CannotConvertError(f"“{self._property}” holds an object, and binary resources hold none.")
            case "RID":
                self._lost.append(RID_READ)
                return Value("RID", 0)
            case "Callable" | "Signal":
                if value.type == "Signal" and data != Signal("", 0):
                    self._lost.append("A signal is not stored.")
                return Value(value.type)
        if not self._is_new and data == ONLY_ROOT:
            self._lost.append(ROOT_READ)
        self._newer = self._newer or value.type == NEWER
        return value

    def _reference(self, kind: ReferenceKind, number: int | None, name: str) -> Value:
        if number is None:
            what = INTERNAL if kind is ReferenceKind.INTERNAL else EXTERNAL
            raise CannotConvertError(f"{what}(“{name}”) in “{self._property}” names nothing that precedes it.")
        return Value("Object", Reference(kind, number))


def _named(names: Iterable[str]) -> str:
    """Some names, the first ones by name."""
    some = list(names)
    more = f" and {len(some) - MOST_NAMED} more" if len(some) > MOST_NAMED else ""
    return ", ".join(f"“{name}”" for name in some[:MOST_NAMED]) + more


def _is_typed(value: Value) -> bool:
    data = value.data
    if isinstance(data, Array):
        return data.element_type is not None
    return isinstance(data, Dictionary) and (data.key_type is not None or data.value_type is not None)


def _names_in(value: Value) -> Iterator[str]:
    """The names in the paths that a value holds, in order."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one.data, NodePath):
            yield from (*one.data.names, *one.data.subnames)
        stack += reversed(held(one))
