"""The account: runs that tile the bytes, and totals that agree with what the document says."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import ENGINES, Engine, files, malformed, spread, wrapped

from viewer.container.frames import FramingKind
from viewer.document.byte_map import ByteStatus, account
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
SMALL = 1 << 17


def assert_accounted(document: Document) -> None:
    """The runs tile the bytes, add up to the totals, and leave unexplained what the document does."""
    found = account(document)
    totals, at = dict.fromkeys(ByteStatus, 0), 0
    for run in found.runs():
        assert run.span.start == at < run.span.end
        totals[run.standing] += len(run.span)
        at = run.span.end
    assert at == len(document.buffer)
    assert totals == found.totals
    if document.buffer:
        assert 1 - totals[ByteStatus.UNEXPLAINED] / at == pytest.approx(document.explained)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_byte_of_every_broken_input_is_accounted_for(engine: Engine) -> None:
    for row in spread(malformed(engine.folder), 3, engine.folder):
        assert_accounted(Document(bytes.fromhex(row["hex"]), choice=ReadOptions(load(engine.dialect))))


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_byte_of_every_save_is_accounted_for(engine: Engine) -> None:
    for saved in (*files(engine.folder), *wrapped(engine.folder)):
        if saved.path.stat().st_size < SMALL:
            assert_accounted(Document.open(saved.path))


def test_what_is_wrong_stands_so() -> None:
    found = account(Document.open(SAMPLES / "broken-packet.bin"))
    expected = [ByteStatus.FINE, ByteStatus.REFUSED, ByteStatus.UNEXPLAINED, ByteStatus.GUESSED]
    assert [run.standing for run in found.runs(0x40, 0x50)] == expected
    assert found.at(0x44).owner == "length"


def test_what_is_accepted_silently_stands_odd() -> None:
    document = Document(
        bytes.fromhex("01000000 02000000"), choice=ReadOptions(load("godot3"), framing=FramingKind.BARE)
    )
    assert account(document).totals == {**dict.fromkeys(ByteStatus, 0), ByteStatus.FINE: 4, ByteStatus.ODD: 4}


def test_a_piece_of_the_bytes_has_the_runs_of_the_whole() -> None:
    found = account(Document.open(SAMPLES / "godot3-rpg.save"))
    bytes_of_whole = [run for run in found.runs() for _ in range(len(run.span))][100:200]
    bytes_of_piece = [run for run in found.runs(100, 200) for _ in range(len(run.span))]
    assert [(run.style, run.standing) for run in bytes_of_whole] == [
        (run.style, run.standing) for run in bytes_of_piece
    ]


def test_every_byte_has_an_owner() -> None:
    document = Document.open(SAMPLES / "broken-packet.bin")
    found = account(document)
    assert all(found.owner(offset) is not None for offset in range(len(document.buffer)))
