"""A table of one value is looked at with little work: a file may hold thousands of them."""

from __future__ import annotations

import struct
import sys
from types import FrameType

import pytest

from viewer.base.diagnostic import Code
from viewer.variant.dialect import load
from viewer.variant.lint.lint import lint
from viewer.variant.scan import scan

ODD_BOOL = struct.pack("<2I", 1, 7)


@pytest.mark.parametrize("name", ["godot2", "godot3", "godot4", "pandemonium5"])
def test_one_odd_value_is_found_without_a_look_at_every_type(name: str) -> None:
    table = scan(ODD_BOOL, load(name))
    assert [found.code for found in lint(table)] == [Code.BOOL_NOT_0_OR_1]
    count = 0

    def seen(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        list(lint(table))
    finally:
        sys.setprofile(None)
    assert count < 150, count
