"""Nodes of a packed scene: a view over ``_bundled``, in which names, values and nodes lie in lists of their own.

Source: ``scene/resources/packed_scene.cpp`` of Godot 4.2.2; scenes that 3.2.3 and 4.6 wrote.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TypeVar, overload

from viewer.base.buffer import Buffer, window
from viewer.base.span import Span
from viewer.document.pieces.message import MessageField
from viewer.document.readers.file_structure import LateFields
from viewer.variant.dialect import Dialect
from viewer.variant.literal import preview
from viewer.variant.read import read, read_shallow
from viewer.variant.scan import scan
from viewer.variant.string_table import StringTable
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

Sort = TypeVar("Sort", int, str)
BUNDLED = "_bundled"
FIXED = 6
"""Numbers of a node before its properties: parent, owner, type, name, instance, and how many properties there are."""
NAME_MASK, PROPERTY_MASK, NODE_MASK = (1 << 18) - 1, (1 << 30) - 1, (1 << 24) - 1
PACKED_HEAD = 8
"""Type and count of a packed array, in bytes."""
INSTANCED = 0x7FFFFFFF
LONGEST_PATH = 200
DEEPEST = 64


class SceneNodes(Sequence[MessageField]):
    """The nodes of a scene, read when somebody asks for them.

    Args:
        buffer: the bytes of the file.
        span: those of the scene, the main resource.
        dialect: how its values lie.
        names: the strings of the file.
    """

    def __init__(self, buffer: Buffer, span: Span, dialect: Dialect, names: StringTable) -> None:
        self._buffer = buffer
        self._span = span
        self._dialect = dialect
        self._names = names
        self._nodes: Sequence[MessageField] | None = None

    def __len__(self) -> int:
        return len(self._read())

    @overload
    def __getitem__(self, place: int) -> MessageField: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[MessageField]: ...
    def __getitem__(self, place: int | slice) -> MessageField | Sequence[MessageField]:
        return self._read()[place]

    def _read(self) -> Sequence[MessageField]:
        if self._nodes is None:
            inside = window(self._buffer, self._span.start, self._span.end)
            bundle = _Bundle(scan(inside, self._dialect, names=self._names), self._span.start)
            self._nodes = LateFields(bundle.starts, bundle.node)
        return self._nodes


class _Bundle:
    """The parts of ``_bundled`` by name; what is no list of the kind that belongs there is an empty one."""

    def __init__(self, table: NodeTable, start: int) -> None:
        self._table = table
        self._start = start
        parts = self._parts()
        numbers = parts.get("nodes")
        self._numbers = self._packed(numbers, int)
        self._at = start + (table.start[numbers] + PACKED_HEAD if numbers is not None else 0)
        self._texts = self._packed(parts.get("names"), str)
        variants = parts.get("variants")
        self._variants = table.children(variants) if variants is not None else range(0)
        self.starts = self._node_starts()

    def node(self, place: int, start: int) -> MessageField:
        """A node with its properties.

        Args:
            place: which node.
            start: where its numbers begin.
        """
        numbers = self._numbers
        kind, instance = numbers[start + 2], numbers[start + 4]
        words = self._name(kind) if kind != INSTANCED else "of another scene"
        if instance >= 0 and (instance & NODE_MASK) < len(self._variants):
            words = f"instance of {preview.text(self._table, self._variants[instance & NODE_MASK])}"
        inside = []
        for at in range(start + FIXED, start + FIXED + 2 * numbers[start + 5], 2):
            field = self._property(numbers[at] & PROPERTY_MASK, numbers[at + 1] & PROPERTY_MASK)
            if field is not None:
                inside.append(field)
        end = start + FIXED + 2 * numbers[start + 5]
        groups = [self._name(number) for number in numbers[end + 1 : end + 1 + numbers[end]]]
        told = f"{words}, in {', '.join(groups)}" if groups else words
        span = Span(self._at + 4 * start, self._at + 4 * (end + 1 + len(groups)))
        return MessageField(span, self._path(place), told, children=tuple(inside), is_view=True)

    def _property(self, name: int, value: int) -> MessageField | None:
        if not 0 <= value < len(self._variants):
            return None
        node = self._variants[value]
        span = self._table.span(node).shifted(self._start)
        return MessageField(span, self._name(name), preview.text(self._table, node), is_view=True)

    def _path(self, place: int) -> str:
        """The names from the root of the scene down to a node; only the last one where that is too far."""
        steps: list[str] = []
        here = place
        while 0 <= here < len(self.starts) and len(steps) < DEEPEST:
            start = self.starts[here]
            steps.append(self._name(self._numbers[start + 3] & NAME_MASK))
            parent = self._numbers[start]
            above = parent & NODE_MASK if parent >= 0 else -1
            if above >= here:
                break
            here = above
        path = "/".join(reversed(steps))
        return path if len(path) <= LONGEST_PATH else f"…/{steps[0]}"[:LONGEST_PATH]

    def _name(self, number: int) -> str:
        return self._texts[number] if 0 <= number < len(self._texts) else f"name {number}"

    def _node_starts(self) -> array[int]:
        """Where the numbers of each node begin, as far as they can be followed."""
        numbers, starts, at = self._numbers, array("Q"), 0
        while at + FIXED < len(numbers):
            end = at + FIXED + 2 * numbers[at + 5]
            if numbers[at + 5] < 0 or end >= len(numbers) or numbers[end] < 0 or end + numbers[end] >= len(numbers):
                break
            starts.append(at)
            at = end + 1 + numbers[end]
        return starts

    def _parts(self) -> dict[str, int]:
        """The nodes of the values of ``_bundled``, by key."""
        bundled = self._pairs(0).get(BUNDLED) if len(self._table) else None
        return self._pairs(bundled) if bundled is not None else {}

    def _pairs(self, node: int) -> dict[str, int]:
        table, children = self._table, self._table.children(node)
        if not table.has_pairs(node):
            return {}
        return {str(read_shallow(table, children[k]).data): children[k + 1] for k in range(0, len(children) - 1, 2)}

    def _packed(self, node: int | None, sort: type[Sort]) -> Sequence[Sort]:
        """The elements of a packed array; none where they are of another sort."""
        found: Value | None = read(self._table, node) if node is not None else None
        data = found.data if found is not None else ()
        return data if isinstance(data, tuple) and data and isinstance(data[0], sort) else ()  # type: ignore[return-value]


def scene_field(nodes: SceneNodes) -> MessageField:
    """The row above the nodes; it has no bytes of its own."""
    return MessageField(Span(0, 0), "scene", "nodes and their properties", children=nodes, is_view=True)
