"""The page about bulk edits: every example in it does what stands below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from viewer.container.frames import FramingKind
from viewer.document.bulk import plan
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

PAGE = (Path(__file__).parents[2] / "docs" / "bulk-edit.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```bulk\n(.*?)```", PAGE, re.DOTALL)
GODOT4 = load("godot4")


@pytest.fixture
def document() -> Document:
    sample = re.search(r"<!-- sample -->\n```gdscript\n(.*?)```", PAGE, re.DOTALL)
    assert sample is not None
    return Document(
        encode(parse_literal(sample[1], GODOT4), GODOT4), choice=ReadOptions(GODOT4, framing=FramingKind.BARE)
    )


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.partition("\n")[0])
def test_example(document: Document, example: str) -> None:
    expression, *expected = example.strip().split("\n")
    found = plan(document, expression)
    assert [
        f"{found.path(row)}: {found.before(row)} " + (f"! {row.problem}" if row.problem else f"-> {found.after(row)}")
        for row in found.rows
    ] == expected


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.partition("\n")[0])
def test_example_is_one_step_that_undo_takes_back(document: Document, example: str) -> None:
    before = bytes(document.buffer[:])
    edit = plan(document, example.partition("\n")[0]).edit
    if edit is None:
        return
    document.apply(edit)
    assert not document.findings.all()
    document.undo()
    assert bytes(document.buffer[:]) == before
