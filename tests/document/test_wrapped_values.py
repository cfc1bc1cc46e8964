"""Every wrapped save that a real engine wrote holds the values that were put into it."""

from __future__ import annotations

from typing import Any

import pytest
from corpus import ENGINES, Engine, SavedFile, wrapped
from document.test_wraps import secret_of
from variant.corpus_values import expected_value, same

from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.read import read

WRAPPED = [(engine, saved) for engine in ENGINES for saved in wrapped(engine.folder)]


def stored(saved: SavedFile) -> list[tuple[int, dict[str, Any]]]:
    """Where the values that were stored begin, and what they are, as the sidecar says."""
    if "items" in saved.sidecar:
        return [(item["frame_offset"], item) for item in saved.sidecar["items"] if "value" in item]
    calls = [call for call in saved.sidecar.get("calls", ()) if call["call"] == "store_var" and "value" in call]
    return [(call["offset"], {**call, "tid": 0, "roundtrip": True, "volatile": False}) for call in calls]


@pytest.mark.parametrize(("engine", "saved"), WRAPPED, ids=lambda each: str(each))
def test_the_values_are_those_that_were_stored(engine: Engine, saved: SavedFile) -> None:
    line = load(engine.dialect)
    choice = ReadOptions(line, Precision(engine.precision), opening=UnwrapOptions(secret=secret_of(saved)))
    document = Document.open(saved.path, choice)
    frames = {frame.span.start: frame for frame in document.frames}
    for offset, item in stored(saved):
        assert offset in frames, f"no value begins at {offset}"
        frame = frames[offset]
        value, expected = read(frame.table, 0), expected_value(item, line)
        if engine.folder == "godot2":  # it writes 32-bit numbers, and the sidecar has them as they were before
            assert encode(expected, line) == bytes(frame.table.buffer[:])
        else:
            assert same(value, expected), f"the value at {offset} is {value}"
