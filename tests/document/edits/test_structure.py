"""Reframing: lengths put before values and taken away, and the way back."""

from __future__ import annotations

import corpus
import pytest

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import duplicate, to_bare, to_stored
from viewer.variant.items import Item


def opened(name: str, folder: str) -> Document:
    return Document.open(next(file.path for file in corpus.files(folder) if file.path.name == name))


def test_a_bare_value_gets_the_length_that_the_engine_writes_and_loses_it_again() -> None:
    document = opened("raw_var_to_bytes.bin", "godot4")
    bare = bytes(document.buffer[:])
    document.apply(to_stored(document))
    assert document.framing.kind is FramingKind.STORED
    assert bytes(document.buffer[:]) == len(bare).to_bytes(4, "little") + bare
    document.apply(to_bare(document))
    assert (document.framing.kind, bytes(document.buffer[:])) == (FramingKind.BARE, bare)
    document.undo()
    document.undo()
    assert (document.framing.kind, bytes(document.buffer[:])) == (FramingKind.BARE, bare)
    document.redo()
    assert document.framing.kind is FramingKind.STORED


def test_a_value_that_got_its_length_can_stand_beside_others() -> None:
    document = opened("raw_var_to_bytes.bin", "godot4")
    document.apply(to_stored(document))
    document.apply(duplicate(document, [Item(0, 0)]))
    assert [frame.sound for frame in document.frames] == [True, True]
    with pytest.raises(EditError, match="one value and nothing else"):
        to_bare(document)


def test_values_one_after_another_all_get_their_lengths() -> None:
    document = opened("raw_concat.bin", "godot4-double")
    count, raw = len(document.frames), bytes(document.buffer[:])
    document.apply(to_stored(document))
    assert (len(document.frames), document.gaps) == (count, [])
    document.undo()
    assert (bytes(document.buffer[:]), document.framing.kind) == (raw, FramingKind.CONCATENATED)


def test_what_has_lengths_gets_no_others() -> None:
    document = opened("rpg.save", "godot3")
    with pytest.raises(EditError, match="already"):
        to_stored(document)
