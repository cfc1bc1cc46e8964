"""Which plot a value is: numbers as a line, vectors as points, rectangles, boxes and transforms as their edges."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, TypeAlias, cast

from viewer.base.buffer import window
from viewer.base.progress import Cancelled, Progress
from viewer.base.record import dataclass, replace
from viewer.base.words import counted, grouped
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.visuals.min_max_pyramid import CHUNK, Column
from viewer.variant.dialect import LISTS, Kind, TypeRow
from viewer.variant.elements import element_count
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

CODES = {"u8": "B", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}
MOST_BYTES = 1 << 29
"""So much of one array is plotted."""
MOST_VALUES = 500_000
"""So many values of an Array are plotted; each is read by itself."""
MOST_PAIRS = 64
"""So many pairs of a dictionary are looked at for what can be plotted."""
MOST_SHAPES = 2000
COLOURS = "[c"
ABOVE = 4
"""So many levels above the selected value are looked at."""
Point: TypeAlias = tuple[float, ...]


class EdgeRole(Enum):
    """What an edge is: of a box, or an axis of a transform."""

    EDGE = "edge"
    X = "x"
    Y = "y"
    Z = "z"


@dataclass(frozen=True, slots=True)
class PlotEdge:
    """A line from one point to another, of the shape *index*."""

    start: Point
    end: Point
    role: EdgeRole
    index: int


@dataclass(frozen=True, slots=True)
class PlotKey:
    """A key of dictionaries whose values can be plotted; *is_number* where they are no vectors."""

    name: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class PlotData:
    """What is plotted.

    Args:
        item: the value.
        words: what it is, in a few words.
        columns: numbers: one of a line, two of points in the plane, three of points in space.
        edges: the lines of shapes; then the points are those where they begin.
        item_at: the item of a point or number by its index.
        is_cut: whether there are more than these.
        keys: of dictionaries in an Array, what else can be plotted of them; *axes* what is, and of a number what it is
            set against: another number, or its place in the Array where that is empty.
    """

    item: Item
    words: str
    columns: tuple[Column, ...]
    edges: tuple[PlotEdge, ...]
    item_at: Callable[[int], Item]
    is_cut: bool = False
    keys: tuple[PlotKey, ...] = ()
    axes: tuple[str, str] = ("", "")

    @property
    def count(self) -> int:
        """How many numbers or points."""
        return len(self.columns[0])

    @property
    def is_graph(self) -> bool:
        """Whether the axes are numbers of their own kind, and no places: the second one then grows upwards."""
        return len(self.columns) == 1 or bool(self.axes[1])

    def values(self, index: int) -> Point:
        """The numbers of one of them."""
        return tuple(column[index] for column in self.columns)


def may_be_plotted(document: Document, item: Item) -> bool:
    """Whether a value, or what it lies in, has a plot by its first values; costs next to nothing."""
    frame = outline.node_frame(document, item)
    if frame is None:
        return False
    at: Item | None = Item(item.frame, item.node)
    for _ in range(ABOVE):
        if at is None:
            return False
        row = frame.table.row(at.node)
        if row is not None and not frame.table.is_name(at.node):
            if _is_packed(row) or (row.kind is Kind.FIXED and row.name in _MAKERS):
                return True
            if row.kind in LISTS and _first_of(frame.table, frame.table.children(at.node)) is not None:
                return True
        at = outline.parent_item(document, at)
    return False


def plotted(
    document: Document, item: Item, progress: Progress | None = None, axes: tuple[str, str] = ("", "")
) -> PlotData | None:
    """The plot of the value of an item, or of what it lies in; None where there is none.

    Args:
        document, item: the value.
        progress: told how many values are read.
        axes: of dictionaries in an Array, the key that is plotted and the one that it is set against; empty for the
            usual ones.

    Raises:
        Cancelled: *progress* said so.
    """
    frame = outline.node_frame(document, item)
    at: Item | None = Item(item.frame, item.node)
    for _ in range(ABOVE):
        if frame is None or at is None:
            return None
        found = _of_node(frame.table, at, progress, axes)
        if found is not None:
            return found
        at = outline.parent_item(document, at)
    return None


def _of_node(table: NodeTable, item: Item, progress: Progress | None, axes: tuple[str, str]) -> PlotData | None:
    row = table.row(item.node)
    if row is None or table.is_name(item.node):
        return None
    if _is_packed(row):
        return _packed(table, item, row)
    if row.kind is Kind.FIXED:
        return _shapes(table, item, [item.node], row) if row.name in _MAKERS else None
    return _listed(table, item, row, progress, axes) if row.kind in LISTS else None


# Packed arrays


def _is_packed(row: TypeRow) -> bool:
    """Whether a type is a packed array of numbers or points; bytes are neither, and colours are shown as such."""
    return row.kind is Kind.PACKED and row.narrow_size > 1 and row.chip != COLOURS


def _packed(table: NodeTable, item: Item, row: TypeRow) -> PlotData | None:
    fields = row.fields(table.header(item.node))
    count, size = element_count(table, item.node), sum(field.size for field in fields)
    shown = min(count, MOST_BYTES // size)
    if not shown:
        return None
    start = table.start[item.node] + 8
    raw = window(table.buffer, start, start + shown * size)
    columns = _columns(raw if isinstance(raw, memoryview) else bytes(raw[:]), fields[0].type, len(fields))
    noun = "number" if len(fields) == 1 else "point"
    return PlotData(
        item,
        f"{row.name}, {counted(count, noun)}",
        columns[:3],
        (),
        lambda index: Item(item.frame, item.node, f"[{index}]"),
        shown < count,
    )


def _columns(raw: bytes | memoryview, kind: str, width: int) -> tuple[Column, ...]:
    """The numbers of each field, as views of the bytes where these lie as this machine has them."""
    code = CODES[kind]
    if sys.byteorder == "big":
        turned = array(code, bytes(raw))
        turned.byteswap()
        raw = turned.tobytes()
    plain: Any = memoryview(raw)
    numbers = plain.cast(code)
    return tuple(cast(Column, numbers[k::width]) for k in range(width))


# Values of an Array


Reader: TypeAlias = Callable[[NodeTable, int], "Point | None"]


def _listed(
    table: NodeTable, item: Item, row: TypeRow, progress: Progress | None, axes: tuple[str, str]
) -> PlotData | None:
    """The plot of the values of an Array: numbers, vectors, shapes, or what dictionaries have under a key."""
    children = table.children(item.node)[:MOST_VALUES]
    found = _first_of(table, children, axes[0])
    if found is None:
        return None
    name, first = found
    keys = _plotted_keys(table, children[0])
    if first.name in _MAKERS:
        nodes_of = (_under(table, child, name) if name else child for child in children)
        shapes = _shapes(table, item, [node for node in nodes_of if node >= 0], first)
        told = f"{shapes.words} of “{name}”" if shapes is not None and name else ""
        return replace(shapes, words=told, keys=keys, axes=(name, "")) if shapes is not None and name else shapes
    width = _width(first)
    is_known = any(key == PlotKey(axes[1], True) for key in keys)
    against = axes[1] if width == 1 and is_known and axes[1] != name else ""
    nodes, points = array("q"), [array("d") for _ in range(width + bool(against))]
    for number, child in enumerate(children):
        if progress is not None and number % CHUNK == 0 and not progress(number):
            raise Cancelled
        node = _under(table, child, name) if name else child
        point = numbers_in(read_shallow(table, node).data) if node >= 0 else None
        if point is not None and against:
            other = _under(table, child, against)
            point = (*(numbers_in(read_shallow(table, other).data) or ()), *point) if other >= 0 else None
        if point is None or len(point) != len(points):
            continue
        nodes.append(node)
        for column, value in zip(points, point, strict=True):
            column.append(value)
    if len(nodes) < 2:
        return None
    noun = "number" if len(points) == 1 else "point"
    told = f" of “{name}”" + (f" against “{against}”" if against else "") if name else ""
    return PlotData(
        item,
        f"{row.name}, {counted(len(nodes), noun)}{told}",
        tuple(cast(Column, column) for column in points),
        (),
        lambda index: Item(item.frame, nodes[index]),
        len(children) < len(table.children(item.node)),
        keys,
        (name, against),
    )


def _first_of(table: NodeTable, children: Sequence[int], asked: str = "") -> tuple[str, TypeRow] | None:
    """The type that is plotted of the values of an Array, and the key that it stands under in dictionaries."""
    if len(children) < 2:
        return None
    first = table.row(children[0])
    if first is not None and first.kind is Kind.DICTIONARY:
        keys = _plotted_keys(table, children[0])
        rows = {key: table.row(_under(table, children[0], key.name)) for key in keys}
        usual = next((key for key, row in rows.items() if row is not None and _width(row) > 1), None)
        usual = usual or next((key for key in keys if not key.is_number), keys[0] if keys else None)
        chosen = next((key for key in keys if key.name == asked), usual)
        inner = table.row(_under(table, children[0], chosen.name)) if chosen is not None else None
        return (chosen.name, inner) if chosen is not None and inner is not None else None
    return ("", first) if first is not None and _is_plotted(first) else None


def _is_plotted(row: TypeRow) -> bool:
    return row.kind is Kind.FIXED and (bool(_width(row)) or row.name in _MAKERS)


def _plotted_keys(table: NodeTable, node: int) -> tuple[PlotKey, ...]:
    """The keys of a dictionary whose values are numbers, points or shapes."""
    row = table.row(node)
    if row is None or row.kind is not Kind.DICTIONARY:
        return ()
    rows = ((name, table.row(value)) for name, value in _pairs(table, node))
    return tuple(
        PlotKey(name, _width(inner) == 1) for name, inner in rows if name and inner is not None and _is_plotted(inner)
    )


def numbers_in(data: object) -> Point | None:
    """The numbers of a value that is read, None for one of another kind."""
    if isinstance(data, int | float) and not isinstance(data, bool):
        return (float(data),) if -1e300 < data < 1e300 or data != data else None
    if isinstance(data, tuple) and data and isinstance(data[0], int | float):
        return tuple(map(float, data))
    return None


def _width(row: TypeRow) -> int:
    """How many axes a value of a type has, 0 for what is no point."""
    return 1 if row.group == "number" else {"Vector2": 2, "Vector2i": 2, "Vector3": 3, "Vector3i": 3}.get(row.name, 0)


def _pairs(table: NodeTable, node: int) -> Iterator[tuple[str, int]]:
    children = table.children(node)[: 2 * MOST_PAIRS]
    return ((outline.key_text(table, key), value) for key, value in zip(children[::2], children[1::2], strict=False))


def _under(table: NodeTable, node: int, name: str) -> int:
    """The value under a key of a dictionary, -1 where there is none."""
    row = table.row(node)
    if row is None or row.kind is not Kind.DICTIONARY:
        return -1
    return next((value for key, value in _pairs(table, node) if key == name), -1)


# Shapes


EdgeMaker: TypeAlias = Callable[[Point, int], list[PlotEdge]]


def _shapes(table: NodeTable, item: Item, nodes: Sequence[int], row: TypeRow) -> PlotData | None:
    make = _MAKERS[row.name]
    edges: list[PlotEdge] = []
    kept: list[int] = []
    for node in nodes[:MOST_SHAPES]:
        own = table.row(node)
        data = numbers_in(read_shallow(table, node).data)
        if own is row and data is not None and all(abs(number) < 1e30 for number in data):
            edges += make(data, len(kept))
            kept.append(node)
    if not kept:
        return None
    width = len(edges[0].start)
    starts = {edge.index: edge.start for edge in reversed(edges)}
    columns = tuple(array("d", [starts[k][axis] for k in range(len(kept))]) for axis in range(width))
    is_one = len(nodes) == 1 and nodes[0] == item.node
    return PlotData(
        item,
        row.name if is_one else _told_shapes(row.name, len(kept), min(len(nodes), MOST_SHAPES) - len(kept)),
        tuple(cast(Column, column) for column in columns),
        tuple(edges),
        lambda index: Item(item.frame, kept[index]),
        len(nodes) > MOST_SHAPES,
    )


def _told_shapes(name: str, drawn: int, others: int) -> str:
    """How many shapes there are, and how many values are none or lie beyond what can be drawn."""
    units = {"Basis": "Bases", "Matrix3": "Matrix3 values", "Matrix32": "Matrix32 values"}
    told = f"{grouped(drawn)} {units[name]}" if name in units and drawn != 1 else counted(drawn, name)
    return f"{told}, {counted(others, 'other value')} not drawn" if others else told


def _rectangle(data: Point, index: int) -> list[PlotEdge]:
    x, y, width, height = data
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return [PlotEdge(corners[k], corners[(k + 1) % 4], EdgeRole.EDGE, index) for k in range(4)]


def _box(data: Point, index: int) -> list[PlotEdge]:
    (x, y, z), size = data[:3], data[3:]
    corners = [(x + size[0] * (k & 1), y + size[1] * (k >> 1 & 1), z + size[2] * (k >> 2 & 1)) for k in range(8)]
    pairs = [(k, k | bit) for k in range(8) for bit in (1, 2, 4) if not k & bit]
    return [PlotEdge(corners[a], corners[b], EdgeRole.EDGE, index) for a, b in pairs]


def _axes(origin: Point, axes: Sequence[Point], index: int) -> list[PlotEdge]:
    roles = (EdgeRole.X, EdgeRole.Y, EdgeRole.Z)
    return [
        PlotEdge(origin, tuple(a + b for a, b in zip(origin, axis, strict=True)), role, index)
        for axis, role in zip(axes, roles, strict=False)
    ]


def _flat_transform(data: Point, index: int) -> list[PlotEdge]:
    return _axes(data[4:6], (data[0:2], data[2:4]), index)


def _transform(data: Point, index: int) -> list[PlotEdge]:
    """Rows of the basis, then the origin: an axis is a column."""
    origin = data[9:12] if len(data) == 12 else (0.0, 0.0, 0.0)
    return _axes(origin, [(data[k], data[k + 3], data[k + 6]) for k in range(3)], index)


def _rotation(data: Point, index: int) -> list[PlotEdge]:
    x, y, z, w = data
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    return _transform(tuple(number for row in rows for number in row), index)


_MAKERS: dict[str, EdgeMaker] = {
    "Rect2": _rectangle,
    "Rect2i": _rectangle,
    "AABB": _box,
    "Transform2D": _flat_transform,
    "Matrix32": _flat_transform,
    "Transform": _transform,
    "Transform3D": _transform,
    "Basis": _transform,
    "Matrix3": _transform,
    "Quat": _rotation,
    "Quaternion": _rotation,
}
