"""Resources and scenes as text: what one holds, and its text as the engine line writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from viewer.container.layer import WrapError
from viewer.document.document import Document
from viewer.document.export.resources.resource_content import (
    EXTERNAL,
    INTERNAL,
    LINES,
    PERSISTS,
    SCENE,
    CannotConvertError,
    ExternalResource,
    InternalResource,
    ResourceContent,
    SceneConnection,
    SceneContent,
    SceneNode,
    walked,
)
from viewer.document.export.resources.scene_bundle import settled
from viewer.document.readers.resource_uid import NO_UID, parse_uid, uid_text
from viewer.text.engine_notation import KEYS, EngineNotation, as_letters
from viewer.text.float_spelling import is_misread, readable
from viewer.text.tags import Tag, TagError, read_tag
from viewer.variant.literal.names import split_path
from viewer.variant.literal.printing import quoted
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, NodePath, Value

TEXT = "-text"
FORMATS = {"godot3": 2, "godot4": 3}
WITH_LONG_BYTES = 4
"""The format of Godot 4 that has long runs of bytes in base64, and PackedVector4Array."""
LONG_BYTES = 64
_FIELDS: Mapping[str, frozenset[str]] = {
    "gd_resource": frozenset({"type", "script_class", "load_steps", "format", "uid"}),
    "gd_scene": frozenset({"load_steps", "format", "uid"}),
    "ext_resource": frozenset({"type", "path", "id", "uid"}),
    "sub_resource": frozenset({"type", "id"}),
    "resource": frozenset(),
    "node": frozenset(
        {"name", "type", "parent", "owner", "index", "unique_id", "instance", "instance_placeholder", "groups"}
        | {"node_paths", "parent_id_path", "owner_uid_path"}
    ),
    "connection": frozenset(
        {"signal", "from", "to", "method", "flags", "unbinds", "binds", "from_uid_path", "to_uid_path"}
    ),
    "editable": frozenset({"path"}),
}
"""The tags that there are, and what they say."""
_COMMENT = re.compile(rb"^[\t ]*;", re.MULTILINE)
"""Where a comment may begin: inside of texts there are such lines, too."""


# What a file holds.


def text_content(document: Document, lost: list[str]) -> ResourceContent:
    """What a resource or scene as text holds.

    Args:
        document: the file.
        lost: takes what of it has no place in the other form, a sentence each.

    Raises:
        CannotConvertError: it is damaged, or no resource that is known.
    """
    text = document.text
    assert text is not None
    if text.damages:
        raise CannotConvertError(f"{text.damages[0].sentence} Repair that first.")
    line = document.dialect.key.removesuffix(TEXT)
    if line not in LINES:
        raise CannotConvertError("Resources of Godot 2 are another format in both forms, which is not written here.")
    data = read(document.frames[0].table).data
    assert isinstance(data, Dictionary)
    reader = _TextReader(line, lost)
    for key, section in data.pairs:
        try:
            tag = read_tag(str(key.data), document.dialect)
        except TagError as error:
            raise CannotConvertError(str(error)) from error
        reader.take(tag, _properties(section))
    if any(not _is_inside_text(document, found.start()) for found in _COMMENT.finditer(text.outside)):
        lost.append("Comments are lost.")
    return reader.content()


def _is_inside_text(document: Document, offset: int) -> bool:
    """Whether a byte stands inside a text in quotes."""
    text = document.text
    assert text is not None
    span = text.span_of(text.inside_of(offset))
    return span.start < offset and text.outside[span.start : span.start + 1] in (b'"', b"&")


def _properties(section: Value) -> tuple[tuple[str, Value], ...]:
    data = section.data
    assert isinstance(data, Dictionary)
    return tuple((str(key.data), value) for key, value in data.pairs)


class _TextReader:
    """Takes the tags of one file."""

    def __init__(self, line: str, lost: list[str]) -> None:
        self._line = line
        self._lost = lost
        self._head: Tag | None = None
        self._external: list[ExternalResource] = []
        self._internal: list[InternalResource] = []
        self._main: InternalResource | None = None
        self._nodes: list[SceneNode] = []
        self._connections: list[SceneConnection] = []
        self._editable: list[str] = []
        self._taken: set[tuple[str, str]] = set()

    def take(self, tag: Tag, properties: tuple[tuple[str, Value], ...]) -> None:
        """Take a tag with what stands under it.

        Raises:
            CannotConvertError: it does not belong here.
        """
        known = _FIELDS.get(tag.name)
        is_first = self._head is None
        if known is None or is_first != tag.name.startswith("gd_"):
            raise CannotConvertError(f"[{tag.name}] does not belong here in a resource; the engines refuse it.")
        odd = next((name for name in tag.fields if name not in known), None)
        if odd is not None:
            self._lost.append(f"“{odd}” in [{tag.name}] means nothing to the engines, and is lost.")
        if properties and tag.name not in ("sub_resource", "resource", "node"):
            raise CannotConvertError(f"Nothing may be set under [{tag.name}], but here is “{properties[0][0]}”.")
        match tag.name:
            case "gd_resource" | "gd_scene":
                self._head = tag
            case "ext_resource":
                self._external.append(self._one_external(tag))
            case "sub_resource":
                self._internal.append(self._one_internal(tag, properties))
            case "resource":
                self._main = InternalResource("", self._of_head("type"), properties)
            case "node":
                self._nodes.append(_node(tag, properties))
            case "connection":
                self._connections.append(_connection(tag))
            case _:
                self._editable.append(_word(tag, "path"))

    def content(self) -> ResourceContent:
        """All of it.

        Raises:
            CannotConvertError: something is missing.
        """
        if self._head is None:
            raise CannotConvertError("This is not a resource.")
        scene = None
        if self._head.name == "gd_scene":
            self._main = InternalResource("", SCENE, ())
            if not self._nodes:
                raise CannotConvertError("There is no node in this scene.")
            nodes, connections = tuple(self._nodes), tuple(self._connections)
            scene = settled(SceneContent(nodes, connections, tuple(self._editable)))
        if self._main is None or (scene is None and self._nodes):
            raise CannotConvertError("There is no [resource] in this file, or there are nodes in it.")
        uid = parse_uid(self._of_head("uid", "none"))
        return ResourceContent(
            self._line,
            self._of_head("script_class", ""),
            NO_UID if uid is None else uid,
            tuple(self._external),
            (*self._internal, self._main),
            scene,
        )

    def _of_head(self, name: str, default: str | None = None) -> str:
        assert self._head is not None
        return _word(self._head, name, default)

    def _one_external(self, tag: Tag) -> ExternalResource:
        uid = parse_uid(_word(tag, "uid", "none"))
        name = _word(tag, "id")
        if (EXTERNAL, name) in self._taken:
            raise CannotConvertError(f"Two [ext_resource] have the id “{name}”: give one of them another id first.")
        self._taken.add((EXTERNAL, name))
        return ExternalResource(name, _word(tag, "type"), _word(tag, "path"), NO_UID if uid is None else uid)

    def _one_internal(self, tag: Tag, properties: tuple[tuple[str, Value], ...]) -> InternalResource:
        name = _word(tag, "id")
        if (INTERNAL, name) in self._taken:
            raise CannotConvertError(f"Two [sub_resource] have the id “{name}”: give one of them another id first.")
        if self._line == "godot3" and not name.isdecimal():
            raise CannotConvertError(f"Godot 3 has numbers for ids, but here is “{name}”.")
        self._taken.add((INTERNAL, name))
        return InternalResource(name, _word(tag, "type"), properties)


def _node(tag: Tag, properties: tuple[tuple[str, Value], ...]) -> SceneNode:
    return SceneNode(
        _word(tag, "name"),
        _word(tag, "type", ""),
        _word(tag, "parent", ""),
        _word(tag, "owner", ""),
        _whole(tag, "index", -1),
        _whole(tag, "unique_id", 0),
        tag.fields.get("instance"),
        _word(tag, "instance_placeholder", ""),
        tuple(map(str, _many(tag, "groups"))),
        tuple(map(str, _many(tag, "node_paths"))),
        properties,
        tuple(int(number) for number in _many(tag, "parent_id_path")),  # type: ignore[call-overload]
        tuple(int(number) for number in _many(tag, "owner_uid_path")),  # type: ignore[call-overload]
    )


def _connection(tag: Tag) -> SceneConnection:
    binds = tag.fields.get("binds")
    return SceneConnection(
        _word(tag, "from"),
        _word(tag, "to"),
        _word(tag, "signal"),
        _word(tag, "method"),
        _whole(tag, "flags", PERSISTS),
        _whole(tag, "unbinds", 0),
        binds.data.elements if binds is not None and isinstance(binds.data, Array) else (),
        tuple(int(number) for number in _many(tag, "from_uid_path")),  # type: ignore[call-overload]
        tuple(int(number) for number in _many(tag, "to_uid_path")),  # type: ignore[call-overload]
    )


def _word(tag: Tag, name: str, default: str | None = None) -> str:
    """What a field says.

    Raises:
        CannotConvertError: it is missing or no text.
    """
    found = tag.fields.get(name)
    if found is None and default is not None:
        return default
    if found is None or not isinstance(found.data, str | int | NodePath) or isinstance(found.data, bool):
        raise CannotConvertError(f"[{tag.name}] has no “{name}” that the engines take.")
    return found.data.text if isinstance(found.data, NodePath) else str(found.data)


def _whole(tag: Tag, name: str, default: int) -> int:
    word = _word(tag, name, str(default))
    if not word.removeprefix("-").isdecimal():
        raise CannotConvertError(f"“{name}” of [{tag.name}] is not a number: “{word}”.")
    return int(word)


def _many(tag: Tag, name: str) -> Iterable[object]:
    found = tag.fields.get(name)
    if found is None:
        return ()
    if isinstance(found.data, Array):
        return [one.data for one in found.data.elements]
    return found.data if isinstance(found.data, tuple) else ()


def _has_nan(data: object) -> bool:
    """Whether a nan stands among several numbers."""
    if not isinstance(data, tuple):
        return False
    return any(number != number or _has_nan(number) for number in data)


# The text of a file.


def text_bytes(content: ResourceContent, lost: list[str]) -> bytes:
    """The text of a resource or scene.

    Args:
        content: what it holds.
        lost: takes what it cannot hold, a sentence each.

    Raises:
        CannotConvertError: a value has no place in it.
    """
    try:
        return "\n".join(_TextWriter(content, lost).lines()).encode(errors="surrogatepass") + b"\n"
    except (WrapError, ValueError) as error:
        raise CannotConvertError(str(error)) from error


class _TextWriter:
    """Writes one file."""

    def __init__(self, content: ResourceContent, lost: list[str]) -> None:
        self._content = content
        self._lost = lost
        self._is_new = content.line == "godot4"
        self._notation = EngineNotation(b"", content.dialect, False)

    def lines(self) -> Iterator[str]:
        for value in self._values():
            self._check(value)
        content, scene = self._content, self._content.scene
        yield self._head()
        yield ""
        for one in content.external:
            yield self._external(one)
        if content.external:
            yield ""
        for inner in content.internal[:-1]:
            yield f"[sub_resource type={_quoted(inner.type)} id={self._id(inner.id)}]"
            yield from self._keys(inner.properties)
            yield ""
        if scene is None:
            yield "[resource]"
            yield from self._keys(content.main.properties)
            return
        for name, _ in content.main.properties:
            self._lost.append(f"“{name}” of the scene itself has no place in its text.")
        for place, node in enumerate(scene.nodes):
            if place:
                yield ""
            yield self._node(node)
            yield from self._keys(node.properties)
        for place, connection in enumerate(scene.connections):
            if not place:
                yield ""
            yield self._connection(connection)
        for place, path in enumerate(scene.editable):
            if not place:
                yield ""
            yield f"[editable path={_quoted(path)}]"

    def _check(self, value: Value) -> None:
        """Say what the engines read otherwise than it is written.

        Raises:
            CannotConvertError: they would refuse all of it.
        """
        data = value.data
        if isinstance(data, NodePath) and split_path(data.text, self._content.dialect) != data:
            raise CannotConvertError(f"The path “{data.text}” would be split differently in a text.")
        if not self._is_new and _has_nan(data):
            raise CannotConvertError(f"{value.type} with a nan in it: Godot 3 refuses the text.")
        numbers = (data,) if value.type == "float" else data if value.type == "PackedFloat64Array" else ()
        misread = next((number for number in numbers if is_misread(number)), None)  # type: ignore[union-attr, arg-type]
        if isinstance(misread, float):
            self._lost.append(f"{misread!r} is read as {readable(misread)!r}: the engines have no spelling for it.")

    def _head(self) -> str:
        content = self._content
        words = ["gd_scene"]
        if content.scene is None:
            words = [f"gd_resource type={_quoted(content.main.type)}"]
            words += [f"script_class={_quoted(content.script_class)}"] if content.script_class else []
        steps = len(content.external) + len(content.internal)
        words += [f"load_steps={steps}"] if not self._is_new and steps > 1 else []
        words.append(f"format={self._format()}")
        words += [f"uid={_quoted(uid_text(content.uid))}"] if content.uid != NO_UID else []
        return f"[{' '.join(words)}]"

    def _format(self) -> int:
        """The oldest format that has all that is written."""
        if self._is_new and any(value.type == "PackedVector4Array" for value in self._values()):
            return WITH_LONG_BYTES
        return FORMATS[self._content.line]

    def _values(self) -> Iterator[Value]:
        scene = self._content.scene
        for resource in self._content.internal:
            for _, value in resource.properties:
                yield from walked(value)
        for node in scene.nodes if scene is not None else ():
            for _, value in node.properties:
                yield from walked(value)
        for connection in scene.connections if scene is not None else ():
            for value in connection.binds:
                yield from walked(value)

    def _id(self, name: str) -> str:
        return _quoted(name) if self._is_new else name

    def _external(self, one: ExternalResource) -> str:
        if not self._is_new:
            return f"[ext_resource path={_quoted(one.path)} type={_quoted(one.type)} id={one.id}]"
        uid = f" uid={_quoted(uid_text(one.uid))}" if one.uid != NO_UID else ""
        return f"[ext_resource type={_quoted(one.type)}{uid} path={_quoted(one.path)} id={_quoted(one.id)}]"

    def _keys(self, properties: Iterable[tuple[str, Value]]) -> Iterator[str]:
        for name, value in properties:
            key = self._notation.key(Value("String", name), KEYS).decode()
            yield f"{key} = {self._literal(value)}"

    def _literal(self, value: Value) -> str:
        return self._notation.value(value, b"", 0).decode()

    def _node(self, node: SceneNode) -> str:
        words = [f"node name={_quoted(node.name)}"]
        words += [f"type={_quoted(node.type)}"] if node.type else []
        if node.parent:
            words.append(f"parent={_quoted(node.parent)}")
            words += self._numbers("parent_id_path", node.parent_ids)
        if node.owner and node.owner != ".":
            words.append(f"owner={_quoted(node.owner)}")
            words += self._numbers("owner_uid_path", node.owner_ids)
        words += [f'index="{node.index}"'] if node.index >= 0 else []
        words += [f"unique_id={node.unique_id}"] if node.unique_id else []
        if node.node_paths:
            words.append(f"node_paths=PackedStringArray({', '.join(map(_quoted, node.node_paths))})")
        if node.groups and self._is_new:
            words.append(f"groups=[{', '.join(map(_quoted, node.groups))}]")
        elif node.groups:
            words.append("groups=[\n" + "".join(f"{_quoted(name)},\n" for name in node.groups) + "]")
        words += [f"instance_placeholder={_quoted(node.placeholder)}"] if node.placeholder else []
        words += [f"instance={self._literal(node.instance)}"] if node.instance is not None else []
        return f"[{' '.join(words)}]"

    def _connection(self, line: SceneConnection) -> str:
        words = [f"connection signal={_quoted(line.signal)} from={_quoted(line.source)} to={_quoted(line.target)}"]
        words.append(f"method={_quoted(line.method)}")
        words += [f"flags={line.flags}"] if line.flags != PERSISTS else []
        words += self._numbers("from_uid_path", line.source_ids) + self._numbers("to_uid_path", line.target_ids)
        words += [f"unbinds={line.unbinds}"] if line.unbinds else []
        if line.binds:
            words.append(f"binds= {self._literal(Value('Array', Array(line.binds)))}")
        return f"[{' '.join(words)}]"

    def _numbers(self, name: str, numbers: tuple[int, ...]) -> list[str]:
        return [f"{name}=PackedInt32Array({', '.join(map(str, numbers))})"] if numbers else []


def _quoted(text: str) -> str:
    return as_letters(quoted(text))
