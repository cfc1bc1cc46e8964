"""ResourceContent: a resource with all that it holds, as both of its forms say it.

Values are those of the engine line's text: other resources are named there, ``SubResource("Gradient_a1b2c")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.base.record import dataclass, replace
from viewer.text.float_spelling import readable
from viewer.variant.dialect import Dialect, load_text_values
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, ObjectFull, Value

LINES = ("godot3", "godot4")
"""The engine lines whose resources are known in both forms."""
INTERNAL, EXTERNAL, BY_PATH = "SubResource", "ExtResource", "Resource"
"""The types of values that name another resource."""
SCENE = "PackedScene"
SCRIPT = "script"
METADATA = "metadata/"
NULL = Value("Nil")


class CannotConvertError(ValueError):
    """Values cannot become such a file; the text says why."""


@dataclass(frozen=True, slots=True)
class ExternalResource:
    """A resource in another file.

    Args:
        id: what it is called in the values.
        type, path: its class and its file.
        uid: its unique id, :data:`viewer.document.readers.resource_uid.NO_UID` for none.
    """

    id: str
    type: str
    path: str
    uid: int


@dataclass(frozen=True, slots=True)
class InternalResource:
    """A resource in the file.

    Args:
        id: what it is called in the values; the main one needs no name.
        type: its class.
        properties: names and values, in their order.
    """

    id: str
    type: str
    properties: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class SceneNode:
    """A node of a scene.

    Args:
        name: its name.
        type: its class, empty where another scene brings the node.
        parent, owner: their paths from the root, which is ``.``; empty for none.
        index: its place among the children of its parent, -1 where it follows from the order.
        unique_id: its number in the scene, 0 for none.
        instance: the scene that it is an instance of, as a value; None for none.
        placeholder: the path of a scene that is loaded late, empty for none.
        groups: those that it is in.
        node_paths: the properties whose paths become nodes.
        properties: names and values.
        parent_ids, owner_ids: the numbers of the nodes on the way to a parent or owner of another scene.
    """

    name: str
    type: str = ""
    parent: str = ""
    owner: str = ""
    index: int = -1
    unique_id: int = 0
    instance: Value | None = None
    placeholder: str = ""
    groups: tuple[str, ...] = ()
    node_paths: tuple[str, ...] = ()
    properties: tuple[tuple[str, Value], ...] = ()
    parent_ids: tuple[int, ...] = ()
    owner_ids: tuple[int, ...] = ()


PERSISTS = 2
"""The flags of a connection where nothing else is said."""


@dataclass(frozen=True, slots=True)
class SceneConnection:
    """A signal of a node that calls a method of another one.

    Args:
        source, target: their paths from the root.
        signal, method: what is connected.
        flags: how.
        unbinds: so many arguments of the signal are left out.
        binds: values that follow them.
        source_ids, target_ids: the numbers of the nodes on the way to one of another scene.
    """

    source: str
    target: str
    signal: str
    method: str
    flags: int = PERSISTS
    unbinds: int = 0
    binds: tuple[Value, ...] = ()
    source_ids: tuple[int, ...] = ()
    target_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SceneContent:
    """What a scene packs.

    Args:
        nodes: each behind its parent, the root first.
        connections: their signals.
        editable: paths of instances whose children may be changed.
    """

    nodes: tuple[SceneNode, ...]
    connections: tuple[SceneConnection, ...] = ()
    editable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResourceContent:
    """A resource and all that lies in its file.

    Args:
        line: the engine line, one of :data:`LINES`.
        script_class: the name of the script's class, empty for none.
        uid: its unique id.
        external: the resources of other files that it needs.
        internal: those in the file, each behind what it needs; the last one is the main one.
        scene: what the main one packs, where that is a scene.
    """

    line: str
    script_class: str
    uid: int
    external: tuple[ExternalResource, ...]
    internal: tuple[InternalResource, ...]
    scene: SceneContent | None = None

    @property
    def main(self) -> InternalResource:
        """The resource that the file is there for."""
        return self.internal[-1]

    @property
    def dialect(self) -> Dialect:
        """How its values are written as text."""
        return load_text_values(self.line)


def mapped(value: Value, leaf: Callable[[Value], Value], collection: Callable[[Value], Value]) -> Value:
    """A value with each value in it replaced, the inner ones first. Nothing recurses.

    Args:
        value: what to replace.
        leaf: makes a value that holds no others.
        collection: makes one that does, its inner values replaced already.
    """
    if not isinstance(value.data, Array | Dictionary):
        return leaf(value)
    order, stack = [], [value]
    while stack:
        one = stack.pop()
        inside = held(one)
        order.append((one, len(inside)))
        stack += inside
    built: list[Value] = []
    for one, count in reversed(order):
        data = one.data
        if isinstance(data, Array):
            inner, built[len(built) - count :] = built[len(built) - count :], []
            built.append(collection(Value(one.type, replace(data, elements=tuple(inner)))))
        elif isinstance(data, Dictionary):
            inner, built[len(built) - count :] = built[len(built) - count :], []
            pairs = tuple(zip(inner[::2], inner[1::2], strict=True))
            built.append(collection(Value(one.type, replace(data, pairs=pairs))))
        else:
            built.append(leaf(one))
    return built.pop()


def held(value: Value) -> tuple[Value, ...]:
    """The values that lie in one, keys too."""
    data = value.data
    if isinstance(data, Dictionary):
        return tuple(side for pair in data.pairs for side in pair)
    return data.elements if isinstance(data, Array) else ()


def walked(value: Value) -> Iterator[Value]:
    """A value and all that lie in it."""
    stack = [value]
    while stack:
        one = stack.pop()
        yield one
        if isinstance(one.data, ObjectFull):
            stack += (inner for _, inner in one.data.properties)
        stack += reversed(held(one))


def untyped(value: Value) -> Value:
    """A collection that does not say what it holds."""
    data = value.data
    if isinstance(data, Array):
        return Value(value.type, Array(data.elements))
    if isinstance(data, Dictionary):
        return Value(value.type, Dictionary(data.pairs))
    return value


def differences(before: ResourceContent, after: ResourceContent) -> Iterator[str]:
    """What one says otherwise than the other, a sentence each; types that collections tell are not compared.

    Floats that no spelling is read as are the same as those next to them.
    """
    one, other = _Exact(before), _Exact(after)
    if before.uid != after.uid or before.script_class != after.script_class:
        yield "The id of the resource or the class of its script changes."
    if one.outside != other.outside:
        yield "The resources of other files change."
    if len(before.internal) != len(after.internal):
        yield f"{len(before.internal)} resources become {len(after.internal)}."
        return
    for number, (old, new) in enumerate(zip(before.internal, after.internal, strict=True)):
        is_main = number == len(before.internal) - 1
        name = "the main resource" if is_main else f"“{old.id}”"
        if old.type != new.type or (old.id != new.id and not is_main):
            yield f"The class or the id of {name} changes."
        yield from _properties(name, one, old.properties, other, new.properties)
    if before.scene is not None and after.scene is not None:
        yield from _scenes(one, before.scene, other, after.scene)
    elif before.scene is not after.scene:
        yield "The nodes of the scene are lost."


class _Exact:
    """Makes bytes of values that are the same for the same value, whatever its file calls other resources."""

    def __init__(self, content: ResourceContent) -> None:
        self._dialect = content.dialect
        self._names = {
            EXTERNAL: {one.id: str(number) for number, one in enumerate(content.external)},
            INTERNAL: {one.id: str(number) for number, one in enumerate(content.internal)},
        }
        self.outside = [(one.type, one.path, one.uid) for one in content.external]

    def __call__(self, value: Value | None) -> bytes:
        return b"" if value is None else encode(mapped(value, self._leaf, untyped), self._dialect)

    def _leaf(self, value: Value) -> Value:
        if isinstance(value.data, float):
            return Value(value.type, readable(value.data))
        if value.type == "PackedFloat64Array" and isinstance(value.data, tuple):
            return Value(value.type, tuple(map(readable, value.data)))  # type: ignore[arg-type]
        known = self._names.get(value.type)
        return value if known is None else Value(value.type, known.get(str(value.data), ""))


def _properties(
    name: str,
    one: _Exact,
    before: tuple[tuple[str, Value], ...],
    other: _Exact,
    after: tuple[tuple[str, Value], ...],
) -> Iterator[str]:
    if [key for key, _ in before] != [key for key, _ in after]:
        yield f"The properties of {name} differ, or are in another order."
        return
    for (key, old), (_, new) in zip(before, after, strict=True):
        if one(old) != other(new):
            yield f"“{key}” of {name} changes."


def _scenes(one: _Exact, before: SceneContent, other: _Exact, after: SceneContent) -> Iterator[str]:
    if len(before.nodes) != len(after.nodes):
        yield f"{len(before.nodes)} nodes become {len(after.nodes)}."
        return
    for old, new in zip(before.nodes, after.nodes, strict=True):
        name = f"the node “{old.name}”"
        plain = [replace(node, properties=(), instance=None) for node in (old, new)]
        if plain[0] != plain[1] or one(old.instance) != other(new.instance):
            yield f"What is said of {name} changes."
        yield from _properties(name, one, old.properties, other, new.properties)
    lines = [[replace(line, binds=()) for line in scene.connections] for scene in (before, after)]
    if lines[0] != lines[1] or before.editable != after.editable:
        yield "The connections or the editable instances change."
        return
    for source, target in zip(before.connections, after.connections, strict=True):
        if list(map(one, source.binds)) != list(map(other, target.binds)):
            yield f"The arguments of the signal “{source.signal}” of “{source.source}” change."
