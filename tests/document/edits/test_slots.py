"""Collections of a document: what is one, and what is said of what is none."""

from __future__ import annotations

import corpus
import pytest

from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.slots import Collection, EditError
from viewer.document.edits.structure import sort_keys

RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()
JUNK = b"\xff" * 4000


def test_bytes_between_values_hold_none_and_stand_for_no_other_collection() -> None:
    document = Document(JUNK + RPG + JUNK + RPG + JUNK)
    assert (len(document.frames), len(document.gaps)) == (2, 3)
    for gap in (outline.gap_item(1), outline.gap_item(2)):
        with pytest.raises(EditError, match="belong to no value"):
            Collection(document, gap.frame, gap.node)
        with pytest.raises(EditError, match="belong to no value"):
            sort_keys(document, gap)
