"""After an edit a file with a structure is read as if it were opened with the same bytes, whatever was kept."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import corpus
import pytest
from document.readers.made_resources import many
from document.readers.resource_edits import WANTED, files

from viewer.document import reading
from viewer.document.document import Document
from viewer.document.edits import structure
from viewer.document.edits.fragment import written
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError, Slot
from viewer.document.pieces import framing
from viewer.document.pieces.message import MessageField
from viewer.document.readers.file_structure import Structure
from viewer.document.splice import Edit, Splice, applied, kept_runs
from viewer.variant.items import Item
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable

SEED, EDITS = 8100, 20
SMALL = 20_000
HEAD = 48
"""Bytes that say what kind of file it is, which is only looked for when it is opened."""
FILES = [
    *(path for line in ("godot3", "godot4") for path in files(line)),
    *sorted((corpus.DATA / "projects").iterdir()),
]
NUMBERS = (b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\xff\xff\xff\xff", b"\x01\0\0\0", b"\x1a\0\0\0")


def told_table(table: NodeTable) -> tuple[Any, ...]:
    """Everything that a table says."""
    columns = (bytes(table.start), bytes(table.parent), bytes(table.first))
    found = [(each.code, each.span, each.node, each.part, each.facts) for each in table.diagnostics]
    return *columns, table.end_of_data, found, bytes(table.buffer[:]), table.dialect.key, table.assumed


def told_fields(pieces: Sequence[MessageField]) -> list[Any]:
    """Every field with all that it is made of."""
    return [(each.span, each.name, each.text, each.role, told_fields(each.children)) for each in pieces]


def told_structure(found: Structure | None) -> tuple[Any, ...]:
    """Everything that a structure says."""
    if found is None:
        return ()
    names = None if found.names is None else [found.names[place] for place in range(len(found.names))]
    facts = (found.kind, found.title, found.dialect.key, found.main, names, list(found.offsets), found.resources)
    return *facts, told_fields(found.pieces), found.findings


def told(document: Document) -> tuple[Any, ...]:
    """Everything that was read of a document."""
    frames = [(frame.cut, told_table(frame.table)) for frame in document.frames]
    fields = told_fields(document.fields)
    return frames, told_structure(document.structure), document.gaps, document.value_names, fields, document.framing


def _edits(document: Document, some: random.Random) -> Iterator[Edit | None]:
    """What a random hand does: values set, moved and taken away, bytes written anywhere, several places at once."""
    while True:
        yield _change(document, some) if some.random() < 0.6 else _raw(document, some)


def _raw(document: Document, some: random.Random) -> Edit:
    buffer, splices = document.buffer, []
    for _ in range(some.choice((1, 1, 1, 2, 3))):
        at = some.randrange(HEAD, len(buffer))
        removed = bytes(buffer[at : at + some.choice((0, 1, 4))])
        new = some.choice((b"", b"\0", b"ab\0", *NUMBERS)) if some.random() < 0.5 else bytes(len(removed))
        splices.append(Splice(at, removed, new))
        buffer = applied(buffer, splices[-1:])
    return Edit("bytes", tuple(splices))


def _change(document: Document, some: random.Random) -> Edit | None:
    frames = [number for number, frame in enumerate(document.frames) if len(frame.table)]
    if not frames:
        return None
    frame = some.choice(frames)
    table = document.frames[frame].table
    nodes = [node for node in table.nodes if table.row(node) is not None and not table.is_name(node)]
    if not nodes:
        return None
    node = some.choice(nodes)
    item, row = Item(frame, node), table.row(node)
    try:
        match some.randrange(4):
            case 0:
                return structure.delete(document, [item])
            case 1:
                return structure.duplicate(document, [item])
            case 2:
                value = written(document, "7", '"k"' if table.has_pairs(node) else "")
                return structure.insert(document, Slot(frame, node, 0), [value])
            case _:
                return set_literal(document, item, some.choice(WANTED.get(row.name if row else "", ("7",))))
    except (EditError, ValueError):
        return None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_read_after_an_edit_is_what_is_read_anew(path: Path) -> None:
    some, document = random.Random(f"{SEED} {path.name}"), Document.open(path)
    if document.structure is None or len(document.buffer) > SMALL:
        return
    hand = _edits(document, some)
    for count in range(EDITS):
        edit = next(hand)
        if edit is None:
            continue
        document.apply(edit)
        assert told(document) == told(Document(bytes(document.buffer)))
        if count % 3:
            document.undo()
            assert told(document) == told(Document(bytes(document.buffer)))


def test_of_long_values_only_the_one_that_changed_is_scanned_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "SHORT", 0)
    document = Document.open(next(path for path in files("godot4") if path.name == "game.res"))
    before, scanned = [frame.table for frame in document.frames], []
    usual = reading.FrameReader.table
    monkeypatch.setattr(reading.FrameReader, "table", lambda self, span: scanned.append(span) or usual(self, span))
    document.apply(structure.delete(document, [Item(2, len(before[2]) - 1)]))
    assert [document.frames[2].cut.payload] == scanned
    assert [frame.table is old for frame, old in zip(document.frames, before, strict=True)].count(False) == 1


@pytest.mark.parametrize("line", ["godot3", "godot4"])
def test_very_many_offsets_are_written_as_one_run(line: str) -> None:
    document = Document(many(line, 400))
    before, item = bytes(document.buffer), Item(9, 2)
    edit = set_literal(document, item, '"a name of another length"')
    assert len(edit.splices) == 2
    document.apply(edit)
    assert told(document) == told(Document(bytes(document.buffer)))
    assert [offset.target for offset in document.structure.offsets] == [frame.start for frame in document.frames]
    assert not document.findings.all()
    document.undo()
    assert bytes(document.buffer) == before
    assert told(document) == told(Document(before))


def test_runs_that_stay_are_where_the_splices_left_them() -> None:
    some = random.Random(SEED)
    for _ in range(300):
        before = bytes(some.randrange(256) for _ in range(60))
        after, splices = bytearray(before), []
        for _ in range(some.randrange(5)):
            at = some.randrange(len(after) + 1)
            splices.append(Splice(at, bytes(after[at : at + some.randrange(9)]), bytes(some.randrange(9))))
            after = bytearray(applied(bytes(after), splices[-1:])[:])
        at = 0
        for span, by in kept_runs(len(before), splices):
            assert at <= span.start < span.end <= len(after)
            assert after[span.start : span.end] == before[span.start - by : span.end - by]
            at = span.end


@pytest.mark.parametrize("line", ["godot3", "godot4"])
def test_a_resource_that_is_read_quickly_is_read_as_others(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = 0
    for raw in (many(line, 60), *(path.read_bytes() for path in files(line)[::3])):
        monkeypatch.undo()
        document = Document(raw)
        quick += len(document.frames) - len(framing.unusual(document.frames))
        found = told(document)
        monkeypatch.setattr(framing, "SHORT", 0)
        slow = Document(raw)
        assert len(framing.unusual(slow.frames)) == len(slow.frames)
        assert told(slow) == found
    assert quick > 60


@pytest.mark.parametrize("line", ["godot3", "godot4"])
def test_what_is_cut_off_or_spoiled_is_read_as_slowly(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    some, raw = random.Random(SEED), many(line, 12)
    broken = [raw[:end] for end in range(0, len(raw), 61)]
    for _ in range(60):
        data = bytearray(raw)
        data[some.randrange(len(data))] = some.choice((0, 1, 3, 128, 255, some.randrange(256)))
        broken.append(bytes(data))
    for frame in Document(raw).frames[:3]:  # more properties than there is room for, by a number that doubles to a few
        data = bytearray(raw)
        data[frame.start + 4 + data[frame.start] + 3] |= 0x80
        broken.append(bytes(data))
    for each in broken:
        monkeypatch.undo()
        found = told(Document(each))
        monkeypatch.setattr(framing, "SHORT", 0)
        assert told(Document(each)) == found


def test_a_frame_that_is_held_reads_the_bytes_as_they_are() -> None:
    document = Document(many("godot3", 9))
    frame = document.frames[3]
    document.apply(set_literal(document, Item(3, 4), "Vector3(9, 1.5, 2)"))
    told_now = [read_shallow(table, 4).data for table in (frame.table, document.frames[3].table)]
    assert told_now[0] == told_now[1] == read_shallow(Document(bytes(document.buffer)).frames[3].table, 4).data
    with pytest.raises(IndexError):
        document.frames[len(document.frames)]
    assert document.frames[-1].cut == document.frames[len(document.frames) - 1].cut
