"""``_bundled``: the nodes of a scene as lists of numbers, in which binary resources have them.

Source: ``scene/resources/packed_scene.cpp`` of Godot 4; scenes that 3.2.3 and 4.6 wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.base.record import replace
from viewer.document.export.resources.resource_content import (
    CannotConvertError,
    SceneConnection,
    SceneContent,
    SceneNode,
    held,
)
from viewer.document.readers.scene_nodes import BUNDLED, FIXED, INSTANCED, NAME_MASK, NODE_MASK, PROPERTY_MASK
from viewer.variant.dialect import Dialect
from viewer.variant.encode import encode
from viewer.variant.literal.names import split_path
from viewer.variant.value import Array, Dictionary, NodePath, Value

__all__ = ["BUNDLED", "bundle_of", "scene_of", "settled"]

IS_PATH = IS_PLACEHOLDER = NODE_PATH = 1 << 30
NAME_BITS = 18
MOST_CHILDREN = (1 << 14) - 1
NONE = -1
UNBINDS = 3
"""The version from which on connections tell how many arguments are left out."""
ROOT = "."


def settled(scene: SceneContent) -> SceneContent:
    """A scene in which each thing is said in one way: paths are short, numbers stand where paths leave the scene.

    What a text leaves out is filled in: a node with a parent belongs to the root unless another scene brings it.
    """
    known = _paths(scene.nodes)
    inside = set(known)
    nodes = []
    for node in scene.nodes:
        parent, owner = _short(node.parent), _short(node.owner)
        is_brought = not node.type and node.instance is None and not node.placeholder
        if parent and not owner and not is_brought:
            owner = ROOT
        parents = () if parent in inside else node.parent_ids
        owners = () if owner in inside else node.owner_ids
        nodes.append(replace(node, parent=parent, owner=owner, parent_ids=parents, owner_ids=owners))
    connections = []
    for line in scene.connections:
        source, target = _short(line.source), _short(line.target)
        sources = () if source in inside else line.source_ids
        targets = () if target in inside else line.target_ids
        connections.append(replace(line, source=source, target=target, source_ids=sources, target_ids=targets))
    return SceneContent(tuple(nodes), tuple(connections), tuple(map(_short, scene.editable)))


def _short(path: str) -> str:
    """A path without steps that lead nowhere."""
    if not path:
        return ""
    return "/".join(step for step in path.split("/") if step and step != ROOT) or ROOT


def _paths(nodes: Sequence[SceneNode]) -> dict[str, int]:
    """The nodes by their paths."""
    found: dict[str, int] = {}
    for place, node in enumerate(nodes):
        found.setdefault(_below(_short(node.parent), node.name), place)
    return found


def _below(parent: str, name: str) -> str:
    if not parent:
        return ROOT
    return name if parent == ROOT else f"{parent}/{name}"


# From the lists to nodes.


def scene_of(bundled: Value, dialect: Dialect) -> SceneContent:
    """The nodes that a bundle packs.

    Args:
        bundled: the value of ``_bundled``.
        dialect: the engine line.

    Raises:
        CannotConvertError: its lists do not fit each other.
    """
    try:
        return settled(_Unbundler(bundled).scene())
    except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise CannotConvertError("The lists of the scene's nodes do not fit each other: repair them first.") from error


class _Unbundler:
    """Reads one bundle. What does not fit raises what Python raises."""

    def __init__(self, bundled: Value) -> None:
        assert isinstance(bundled.data, Dictionary)
        parts = {str(key.data): value for key, value in bundled.data.pairs}
        self._parts = parts
        self._names: tuple[str, ...] = parts["names"].data  # type: ignore[assignment]
        self._variants = parts["variants"].data.elements  # type: ignore[union-attr]
        self._version = int(parts["version"].data) if "version" in parts else 1  # type: ignore[arg-type]
        self._ids: tuple[int, ...] = parts["node_ids"].data if "node_ids" in parts else ()  # type: ignore[assignment]
        self._paths = [one.data.text for one in held(parts["node_paths"])] if "node_paths" in parts else []  # type: ignore[union-attr]
        id_paths = held(parts["id_paths"]) if "id_paths" in parts else ()
        self._id_paths: list[tuple[int, ...]] = [one.data for one in id_paths]  # type: ignore[misc]
        self._of_nodes: list[str] = []

    def scene(self) -> SceneContent:
        parts = self._parts
        nodes = list(self._nodes(parts["nodes"].data, int(parts["node_count"].data)))  # type: ignore[arg-type]
        if "base_scene" in parts and nodes:
            nodes[0] = replace(nodes[0], instance=self._variants[_index(parts["base_scene"].data)])
        connections = tuple(self._connections(parts["conns"].data, int(parts["conn_count"].data)))  # type: ignore[arg-type]
        editable = held(parts["editable_instances"]) if "editable_instances" in parts else ()
        return SceneContent(tuple(nodes), connections, tuple(one.data.text for one in editable))  # type: ignore[union-attr]

    def _nodes(self, numbers: Sequence[int], count: int) -> Iterator[SceneNode]:
        at = 0
        for place in range(count):
            parent, owner, kind, word, instance, many = numbers[at : at + FIXED]
            at += FIXED
            pairs = [(numbers[k], numbers[k + 1]) for k in range(at, at + 2 * many, 2)]
            at += 2 * many
            groups = tuple(self._name(number) for number in numbers[at + 1 : at + 1 + numbers[at]])
            at += 1 + numbers[at]
            word &= 0xFFFFFFFF
            above, above_ids = self._node(parent)
            owned, owned_ids = self._node(owner)
            name = self._name(word & NAME_MASK)
            scene, placeholder = None, ""
            if instance >= 0:
                found = self._variants[instance & NODE_MASK]
                if instance & IS_PLACEHOLDER:
                    placeholder = str(found.data)
                else:
                    scene = found
            self._of_nodes.append(_below(_short(above), name))
            yield SceneNode(
                name,
                "" if kind == INSTANCED else self._name(kind),
                above,
                owned,
                (word >> NAME_BITS) - 1,
                self._ids[place] if place < len(self._ids) else 0,
                scene,
                placeholder,
                groups,
                tuple(self._name(key & PROPERTY_MASK) for key, _ in pairs if key & NODE_PATH),
                tuple((self._name(key & PROPERTY_MASK), self._variants[_index(value)]) for key, value in pairs),
                above_ids,
                owned_ids,
            )

    def _connections(self, numbers: Sequence[int], count: int) -> Iterator[SceneConnection]:
        at = 0
        for _ in range(count):
            source, target, signal, method, flags, many = numbers[at : at + FIXED]
            at += FIXED
            binds = tuple(self._variants[_index(number)] for number in numbers[at : at + many])
            at += many
            unbinds = 0
            if self._version >= UNBINDS:
                unbinds = numbers[at]
                at += 1
            (start, start_ids), (end, end_ids) = self._node(source), self._node(target)
            names = self._name(signal), self._name(method)
            yield SceneConnection(start, end, *names, flags, unbinds, binds, start_ids, end_ids)

    def _name(self, number: int) -> str:
        return self._names[_index(number)]

    def _node(self, number: int) -> tuple[str, tuple[int, ...]]:
        """The path of a node, and the numbers on the way to it; nothing for none."""
        if number < 0 or number == INSTANCED:
            return "", ()
        place = number & NODE_MASK
        if not number & IS_PATH:
            return self._of_nodes[place], ()
        return self._paths[place] or ROOT, tuple(self._id_paths[place]) if place < len(self._id_paths) else ()


def _index(number: object) -> int:
    """A place in a list.

    Raises:
        IndexError: it is none.
    """
    if not isinstance(number, int) or number < 0:
        raise IndexError(number)
    return number


# From nodes to the lists.


def bundle_of(scene: SceneContent, dialect: Dialect) -> Value:
    """The bundle of a scene, as the engine line packs it.

    Args:
        scene: the nodes.
        dialect: how values are written as text.
    """
    return _Bundler(scene, dialect).value()


class _Bundler:
    """Writes one bundle."""

    def __init__(self, scene: SceneContent, dialect: Dialect) -> None:
        self._scene = scene
        self._dialect = dialect
        self._is_new = "PackedInt32Array" in dialect.by_name
        self._names: dict[str, int] = {}
        self._variants: list[Value] = []
        self._known: dict[bytes, int] = {}
        self._paths: dict[str, int] = {}
        self._id_paths: list[tuple[int, ...]] = []
        self._nodes = _paths(scene.nodes)

    def value(self) -> Value:
        root = self._scene.nodes[0]
        base = self._variant(root.instance) if root.instance is not None else None
        nodes = [number for place, node in enumerate(self._scene.nodes) for number in self._node(place, node)]
        conns = [number for line in self._scene.connections for number in self._connection(line)]
        ids = [node.unique_id for node in self._scene.nodes]
        has_ids = any(ids) or any(self._id_paths)
        pairs = [
            ("names", Value("PackedStringArray" if self._is_new else "PoolStringArray", tuple(self._names))),
            ("variants", _array(self._variants)),
            ("node_count", Value("int", len(self._scene.nodes))),
            ("nodes", self._ints(nodes)),
            *([("node_ids", self._ints(ids))] if has_ids else []),
            ("conn_count", Value("int", len(self._scene.connections))),
            ("conns", self._ints(conns)),
            ("node_paths", _array(map(self._path, self._paths))),
            *([("id_paths", _array(map(self._ints, self._id_paths)))] if has_ids else []),
            ("editable_instances", _array(map(self._path, self._scene.editable))),
            *([("base_scene", Value("int", base))] if base is not None else []),
            ("version", Value("int", UNBINDS if self._is_new else UNBINDS - 1)),
        ]
        return Value("Dictionary", Dictionary(tuple((Value("String", name), value) for name, value in pairs)))

    def _ints(self, numbers: Sequence[int]) -> Value:
        return Value("PackedInt32Array" if self._is_new else "PoolIntArray", tuple(numbers))

    def _path(self, path: str) -> Value:
        return Value("NodePath", split_path(path, self._dialect) or NodePath((path,)))

    def _name(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def _variant(self, value: Value) -> int:
        """The place of a value; those that hold others have one each, because games may change them."""
        if isinstance(value.data, Array | Dictionary):
            self._variants.append(value)
            return len(self._variants) - 1
        place = self._known.setdefault(encode(value, self._dialect), len(self._variants))
        if place == len(self._variants):
            self._variants.append(value)
        return place

    def _node(self, place: int, node: SceneNode) -> list[int]:
        if node.index >= MOST_CHILDREN:
            raise CannotConvertError(
                f"“{node.name}” is child {node.index} of its parent, which has no room in a bundle."
            )
        word = self._name(node.name) | (node.index + 1) << NAME_BITS
        instance = NONE
        if node.placeholder:
            instance = self._variant(Value("String", node.placeholder)) | IS_PLACEHOLDER
        elif node.instance is not None and place:
            instance = self._variant(node.instance)
        properties = []
        for name, value in node.properties:
            key = self._name(name) | (NODE_PATH if name in node.node_paths else 0)
            properties += [key, self._variant(value)]
        groups = [self._name(name) for name in node.groups]
        kind = self._name(node.type) if node.type else INSTANCED
        parent = self._place(node.parent, node.parent_ids)
        owner = self._place(node.owner, node.owner_ids)
        head = [parent, owner, kind, word - (1 << 32) if word >= 1 << 31 else word, instance]
        return [*head, len(node.properties), *properties, len(groups), *groups]

    def _connection(self, line: SceneConnection) -> list[int]:
        source = self._place(line.source, line.source_ids)
        target = self._place(line.target, line.target_ids)
        method = self._name(line.method)
        signal = self._name(line.signal)
        binds = list(map(self._variant, line.binds))
        more = [line.unbinds] if self._is_new else []
        return [source, target, signal, method, line.flags, len(binds), *binds, *more]

    def _place(self, path: str, ids: tuple[int, ...]) -> int:
        """What stands for a node: its number, or that of its path where it is not one of the scene."""
        if not path:
            return NONE
        known = self._nodes.get(path)
        if known is not None:
            return known
        place = self._paths.setdefault(path, len(self._paths))
        if place == len(self._id_paths):
            self._id_paths.append(ids)
        return place | IS_PATH


def _array(values: object) -> Value:
    return Value("Array", Array(tuple(values)))  # type: ignore[arg-type]
