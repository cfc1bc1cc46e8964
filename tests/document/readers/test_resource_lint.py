"""What is found in a resource by its bytes, held beside a look at every node."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from document.readers.resource_edits import FOLDER

from viewer.base.diagnostic import Code, Diagnostic
from viewer.document.document import Document
from viewer.document.readers import resource_lint
from viewer.document.readers.resource_lint import is_odd, lint_resource

PATHS = sorted(FOLDER.rglob("*.res")) + sorted(FOLDER.rglob("*.scn"))


def found_in(document: Document) -> list[list[Diagnostic]]:
    structure = document.structure
    if structure is None or structure.resources is None:
        return []
    out = []
    for number, frame in enumerate(document.frames):
        out.append([found for batch in lint_resource(frame.table, number, structure.resources) for found in batch])
    return out


def test_references_are_found_by_their_bytes_as_by_a_look_at_every_node(monkeypatch: pytest.MonkeyPatch) -> None:
    choose, told = random.Random(3), 0
    assert len(PATHS) > 20
    for path in choose.sample(PATHS, 20):
        raw = path.read_bytes()
        for _ in range(12):
            spoilt = bytearray(raw)
            at = choose.randrange(min(60, len(raw) - 1), len(raw))
            spoilt[at] = choose.choice((0, 1, 2, 3, 24, 255))
            document = Document(bytes(spoilt), path)
            quick = found_in(document)
            with monkeypatch.context() as patch:
                patch.setattr(resource_lint, "is_odd", lambda table: True)
                assert found_in(document) == quick
            told += sum(each.code is Code.REFERENCE_LOST for found in quick for each in found)
    assert told


@pytest.mark.parametrize("path", PATHS[:3], ids=lambda path: path.name)
def test_of_a_sound_resource_the_bytes_tell_all(path: Path) -> None:
    assert not any(is_odd(frame.table) for frame in Document.open(path).frames)
