"""What only looks like a value costs little, whatever it is made of: all of it is looked at a few times at most."""

from __future__ import annotations

import time

import pytest

from viewer.document.wraps import UnwrapOptions, take_off

SIZE = 1 << 19
SECONDS = 1.5
"""Of the processor, for half a MiB: each of them took two to thirty."""


def filled(begin: bytes, unit: bytes, end: bytes, size: int = SIZE) -> bytes:
    return begin + unit * (size // len(unit)) + end


@pytest.mark.parametrize(
    "text",
    [
        filled(b"", b"{", b"}", 4 * SIZE),
        filled(b"", b"Name(", b")", 16 * SIZE),
        filled(b"Vector2(", b"1,", b"1)", 4 * SIZE),
        filled(b'[Resource("', b"a", b'") 1]', 4 * SIZE),
        filled(b'["', b"\\ud83d\\ude00", b'" 1]'),
        filled(b"", b"{\n", b"}"),
        filled(b"{\n", b"x [\n", b"}"),
        filled(b'[gd_resource type="Resource" format=3]\n[resource]\n', b"b=A(\n", b"}"),
        filled(b'[gd_resource type="Resource" format=3]\n[resource]\n', b"b=Object(Node,\n", b"}"),
    ],
    ids=["braces", "names", "numbers", "path", "pairs", "lines", "words", "calls", "objects"],
)
def test_a_text_that_is_no_value_costs_little(text: bytes) -> None:
    began = time.process_time()
    take_off(text, UnwrapOptions(), lambda _: False, begins=True)
    assert time.process_time() - began < SECONDS


def test_a_scene_whose_first_bracket_is_never_closed_costs_little() -> None:
    text = filled(b'[gd_scene format=3\n[node name="a"\n', b"a=1\n", b"")
    began = time.process_time()
    take_off(text, UnwrapOptions(), lambda _: False)
    assert time.process_time() - began < 3 * SECONDS
