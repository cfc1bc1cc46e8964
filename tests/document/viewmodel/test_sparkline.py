"""Rows of packed arrays show how their numbers run, from a few reads however long they are."""

from __future__ import annotations

import pytest
from document.visuals.picture_values import save

from viewer.document.document import Document
from viewer.document.path import parse_path
from viewer.document.viewmodel.sparkline import STROKES, first_colours, sparkline
from viewer.variant.value import Value


def strokes(document: Document, name: str) -> tuple[float, ...]:
    item = parse_path(document, f"[0].{name}")
    table = document.frames[0].table
    row = table.row(item.node)
    assert row is not None
    return sparkline(table, item.node, row)


def test_numbers_run_from_the_least_to_the_greatest() -> None:
    document = save(
        "godot4",
        few=Value("PackedInt32Array", (5, 10, 0, 5)),
        many=Value("PackedFloat64Array", tuple(float(k) for k in range(5000))),
    )
    assert strokes(document, "few") == (0.5, 1, 0, 0.5)
    many = strokes(document, "many")
    assert len(many) == STROKES
    assert (many[0], many[-1]) == (0, 1)
    assert many == tuple(sorted(many))


@pytest.mark.parametrize(
    "value",
    [
        Value("PackedByteArray", b"12345678"),
        Value("PackedInt32Array", (1, 2, 3)),
        Value("PackedInt32Array", (7,) * 9),
        Value("PackedFloat32Array", (float("nan"), float("inf"), 1.0, float("nan"))),
        Value("PackedVector2Array", ((1.0, 2.0),) * 5),
        Value("PackedFloat64Array", (-1e308, 1e308, 0.0, 1.0)),
    ],
)
def test_other_arrays_have_no_line(value: Value) -> None:
    assert strokes(save("godot4", it=value), "it") == ()


def test_the_first_colours_are_shown() -> None:
    red = (1.0, 0.0, 0.0, 1.0)
    document = save(colours=Value("PoolColorArray", (red,) * 9), numbers=Value("PoolIntArray", (1, 2)))
    table = document.frames[0].table
    for name, found in (("colours", (red,) * 5), ("numbers", ())):
        node = parse_path(document, f"[0].{name}").node
        row = table.row(node)
        assert row is not None
        assert first_colours(table, node, row) == found
