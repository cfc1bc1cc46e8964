"""Sound saves that mix a game's own fields with values: all values are found, and nothing is called wrong."""

from __future__ import annotations

from collections import defaultdict

import corpus
import pytest

from viewer.base.diagnostic import Severity
from viewer.document.doctor import DOUBTFUL, diagnose
from viewer.document.document import Document

FOLDER = corpus.DATA / "mixed"
POSITIONS: dict[int, list[int]] = defaultdict(list)
for _line in (FOLDER / "positions.txt").read_text().splitlines():
    _file, _offset = _line.split()
    POSITIONS[int(_file)].append(int(_offset))


@pytest.mark.parametrize("number", sorted(POSITIONS))
def test_all_values_are_found_and_nothing_is_accused(number: int) -> None:
    document = Document.open(FOLDER / f"m{number:02}.save")
    prefixes = [frame.cut.prefix.start if frame.cut.prefix else None for frame in document.frames]
    assert (document.dialect.key, prefixes) == ("godot3", POSITIONS[number])
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]
    assert not [repair for repair in diagnose(document) if repair.confidence > DOUBTFUL]
