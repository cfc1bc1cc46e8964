"""Which plot a value is, from its bytes, with the item behind each point."""

from __future__ import annotations

import pytest
from document.visuals.picture_values import bag, save

from viewer.document.document import Document
from viewer.document.path import format_path, parse_path
from viewer.document.visuals.colour_list import ColourList, colours_of
from viewer.document.visuals.plot_data import EdgeRole, PlotData, may_be_plotted, plotted
from viewer.variant.value import Array, Value

POINTS = ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))


def vector(x: float, y: float) -> Value:
    return Value("Vector2", (x, y))


def plot(document: Document, path: str) -> PlotData:
    item = parse_path(document, path)
    assert may_be_plotted(document, item)
    found = plotted(document, item)
    assert found is not None
    return found


def path(document: Document, found: PlotData | ColourList, index: int) -> str:
    return format_path(document, found.item_at(index))


def test_packed_arrays_are_views_of_the_bytes() -> None:
    document = save("godot4", way=Value("PackedVector2Array", POINTS), big=Value("PackedInt64Array", (1 << 40, -2)))
    found = plot(document, "[0].way")
    assert [column.tolist() for column in found.columns] == [[1, 3, 5], [2, 4, 6]]
    assert (found.words, found.count, found.values(1)) == ("PackedVector2Array, 3 points", 3, (3.0, 4.0))
    assert path(document, found, 2) == "[0].way[2]"
    assert plot(document, "[0].way[1].x").item == found.item
    assert plot(document, "[0].big").values(0) == (float(1 << 40),)


def test_an_array_of_numbers_or_vectors_leaves_other_values_out() -> None:
    values = (vector(1, 2), Value("int", 5), vector(3, 4))
    document = save(
        way=Value("Array", Array(values)), ints=Value("Array", Array((Value("int", 4), Value("float", 0.5))))
    )
    found = plot(document, "[0].way")
    assert [column.tolist() for column in found.columns] == [[1, 3], [2, 4]]
    assert path(document, found, 1) == "[0].way[2]"
    assert plot(document, "[0].ints").columns[0].tolist() == [4, 0.5]


def test_dictionaries_with_a_place_are_points() -> None:
    foes = tuple(bag(name=Value("String", "orc"), at=vector(k, k + 1), hp=Value("int", k)) for k in range(3))
    document = save(foes=Value("Array", Array(foes)))
    found = plot(document, "[0].foes")
    assert found.words == "Array, 3 points of \u201cat\u201d"
    assert path(document, found, 2) == "[0].foes[2].at"
    assert plot(document, "[0].foes[1].hp").item == found.item


def test_numbers_of_dictionaries_are_set_against_each_other() -> None:
    foes = tuple(bag(hp=Value("int", 9 - k), gold=Value("float", k / 2), dead=Value("bool", False)) for k in range(3))
    document = save(foes=Value("Array", Array((*foes, bag(hp=Value("int", 3))))))
    item = parse_path(document, "[0].foes")
    alone = plot(document, "[0].foes")
    assert (alone.axes, alone.columns[0].tolist()) == (("hp", ""), [9, 8, 7, 3])
    assert [(key.name, key.is_number) for key in alone.keys] == [("hp", True), ("gold", True)]
    both = plotted(document, item, axes=("gold", "hp"))
    assert both is not None
    assert [column.tolist() for column in both.columns] == [[9, 8, 7], [0, 0.5, 1]]
    assert path(document, both, 2) == "[0].foes[2].gold"
    assert both.words == "Array, 3 points of \u201cgold\u201d against \u201chp\u201d"
    other = plotted(document, item, axes=("none", "dead"))
    assert other is not None
    assert other.axes == ("hp", "")


def test_shapes_have_edges() -> None:
    document = save(
        area=Value("Rect2", (1.0, 2.0, 3.0, 4.0)),
        box=Value("AABB", (0.0, 0.0, 0.0, 1.0, 2.0, 3.0)),
        place=Value("Transform2D", (1.0, 0.0, 0.0, 2.0, 5.0, 6.0)),
        turn=Value("Quat", (0.0, 0.0, 0.0, 1.0)),
        areas=Value("Array", Array((Value("Rect2", (0.0, 0.0, 1.0, 1.0)), Value("Rect2", (5.0, 5.0, 1.0, 1.0))))),
    )
    assert {edge.end for edge in plot(document, "[0].area").edges} == {(1, 2), (4, 2), (4, 6), (1, 6)}
    box = plot(document, "[0].box")
    assert len(box.edges) == 12
    assert max(edge.end for edge in box.edges) == (1, 2, 3)
    assert [(edge.role, edge.end) for edge in plot(document, "[0].place").edges] == [
        (EdgeRole.X, (6, 6)),
        (EdgeRole.Y, (5, 8)),
    ]
    assert [edge.end for edge in plot(document, "[0].turn").edges] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    areas = plot(document, "[0].areas")
    assert (areas.count, areas.values(1), path(document, areas, 1)) == (2, (5, 5), "[0].areas[1]")


def test_shapes_of_dictionaries_are_drawn_and_what_cannot_be_is_told() -> None:
    area = Value("Rect2", (1.0, 2.0, 3.0, 4.0))
    rooms = tuple(bag(hp=Value("int", k), area=area, door=vector(k, 0)) for k in range(3))
    turns = tuple(Value("Basis", (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)) for _ in range(2))
    far = Value("Rect2", (1e30, 0.0, 1.0, 1.0))
    document = save(
        rooms=Value("Array", Array((*rooms, bag(hp=Value("int", 1))))),
        turns=Value("Array", Array(turns)),
        areas=Value("Array", Array((area, far, Value("int", 5)))),
    )
    doors = plot(document, "[0].rooms")
    assert (doors.axes, [key.name for key in doors.keys]) == (("door", ""), ["hp", "area", "door"])
    found = plotted(document, parse_path(document, "[0].rooms"), axes=("area", ""))
    assert found is not None
    assert (found.words, found.axes, found.keys, len(found.edges)) == (
        "3 Rect2s of \u201carea\u201d",
        ("area", ""),
        doors.keys,
        12,
    )
    assert path(document, found, 1) == "[0].rooms[1].area"
    assert plot(document, "[0].turns").words == "2 Bases"
    areas = plot(document, "[0].areas")
    assert (areas.words, areas.is_cut) == ("1 Rect2, 2 other values not drawn", False)


@pytest.mark.parametrize("name", ["gold", "bytes", "empty", "texts", "colours"])
def test_other_values_have_no_plot(name: str) -> None:
    values = {
        "gold": Value("int", 5),
        "bytes": Value("PoolByteArray", b"abcdefgh"),
        "empty": Value("Array", Array()),
        "texts": Value("Array", Array((Value("String", "a"), Value("String", "b")))),
        "colours": Value("PoolColorArray", ((0.0, 0.0, 0.0, 1.0),)),
    }
    document = save(**{name: values[name]})
    item = parse_path(document, f"[0].{name}")
    assert not may_be_plotted(document, item)
    assert plotted(document, item) is None


def test_colours_are_found_alone_and_in_arrays() -> None:
    red, blue = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.5)
    document = save(
        tint=Value("Color", red),
        pool=Value("PoolColorArray", (red, blue)),
        loose=Value("Array", Array((Value("Color", red), Value("Color", blue)))),
        gold=Value("int", 1),
    )
    for name, count in (("tint", 1), ("pool", 2), ("loose", 2), ("pool[1]", 2), ("loose[1]", 2)):
        found = colours_of(document, parse_path(document, f"[0].{name}"))
        assert found is not None
        assert (found.count, found.at(count - 1)) == (count, blue if count > 1 else red)
    pool = colours_of(document, parse_path(document, "[0].pool"))
    assert pool is not None
    assert path(document, pool, 1) == "[0].pool[1]"
    assert colours_of(document, parse_path(document, "[0].gold")) is None
