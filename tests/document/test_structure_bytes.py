"""Structure and bytes: what an engine wrote stands, byte for byte, where it was put; what cannot stand is refused."""

from __future__ import annotations

import struct

import corpus
import pytest
from corpus import Engine

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.fragment import Fragment, taken, written
from viewer.document.edits.packed import open_array
from viewer.document.edits.retype import held_of, retype
from viewer.document.edits.setting import can_set, set_literal
from viewer.document.edits.slots import EditError, Slot, inside
from viewer.document.edits.structure import delete, insert
from viewer.document.outline import gap_item
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load
from viewer.variant.items import Item


def empty_array(engine: Engine) -> Document:
    """A bare Array without elements."""
    dialect = load(engine.dialect)
    raw = struct.pack("<II", dialect.type_number("Array"), 0)
    return Document(raw, name="array", choice=ReadOptions(dialect, Precision(engine.precision)))


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_every_value_of_an_engine_is_inserted_as_the_engine_wrote_it_and_taken_away(engine: Engine) -> None:
    document = empty_array(engine)
    before = bytes(document.buffer[:])
    choice = ReadOptions(document.dialect, document.precision, document.framing.kind)
    for row in corpus.vectors(engine.folder):
        raw = bytes.fromhex(row["hex"])
        source = Document(raw, name="vector", choice=choice)
        if not source.frames[0].sound or source.frames[0].gap is not None:
            continue
        if row.get("depth", 0) >= (document.dialect.rules.max_depth or row.get("depth", 0) + 1):
            continue  # inside an array it would lie too deep
        document.apply(insert(document, Slot(0, 0, 0), [taken(source, Item(0, 0))]))
        assert bytes(document.buffer[:]) == before[:4] + struct.pack("<I", 1) + raw, row
        document.apply(delete(document, [Item(0, 1)]))
        assert bytes(document.buffer[:]) == before


def test_what_would_lie_deeper_than_the_engine_reads_is_refused() -> None:
    engine = corpus.ENGINES[2]
    document = empty_array(engine)
    most = document.dialect.rules.max_depth
    array = struct.pack("<I", document.dialect.type_number("Array"))
    for depth, fits in ((most, True), (most + 1, False)):
        raw = (array + struct.pack("<I", 1)) * (depth - 1) + array + struct.pack("<I", 0)
        fragment = Fragment(raw, document.dialect, document.precision)
        if fits:
            assert insert(document, inside(document, Item(0, 0)), [fragment]).splices
        else:
            with pytest.raises(EditError, match=f"at most {most} levels"):
                insert(document, inside(document, Item(0, 0)), [fragment])


@pytest.mark.parametrize("text", ["[1, 2", "Vector2(1,", '"open', "", "{1: }", "nonsense"])
def test_half_a_literal_is_refused_with_its_place(text: str) -> None:
    document = empty_array(corpus.ENGINES[1])
    with pytest.raises(EditError):
        written(document, text)


def test_a_typed_array_takes_only_what_fits() -> None:
    document = Document(
        next(f.path for f in corpus.files("godot4") if f.path.name == "plain_typed.bin").read_bytes(),
        name="typed",
        choice=ReadOptions(load("godot4")),
    )
    frame, table = document.frames[0], document.frames[0].table
    node = next(n for n in table.nodes if table.child_count(n) and table.header(n) >> 16 & 3 and not table.has_pairs(n))
    before = bytes(document.buffer[:])
    with pytest.raises(EditError, match="Every element here is of type"):
        insert(document, inside(document, Item(0, node)), [written(document, "{}")])
    assert bytes(document.buffer[:]) == before
    assert frame.sound


def test_a_value_is_put_behind_a_text_whose_fill_the_end_of_the_data_cut_off() -> None:
    number = load("godot2").type_number("Array"), load("godot2").type_number("String")
    raw = struct.pack("<IIIIII", number[0], 1, number[0], 1, number[1], 1) + b"a"
    document = Document(raw, name="texts", choice=ReadOptions(load("godot2"), framing=FramingKind.BARE))
    assert document.frames[0].sound
    for node in (0, 1):
        document.apply(insert(document, inside(document, Item(0, node)), [written(document, "null")]))
        assert document.frames[0].sound
        document.undo()
    assert bytes(document.buffer[:]) == raw


def test_a_text_is_put_behind_one_whose_fill_the_end_of_the_data_cut_off() -> None:
    raw = struct.pack("<II", 25, 1) + struct.pack("<I", 2) + b"a\0"
    document = Document(raw, name="texts", choice=ReadOptions(load("godot2"), framing=FramingKind.BARE))
    assert document.frames[0].sound
    document.apply(insert(document, inside(document, Item(0, 0)), [written(document, '"b"')]))
    text = struct.pack("<I", 2)
    assert bytes(document.buffer[:]) == struct.pack("<II", 25, 2) + text + b"a\0\0\0" + text + b"b\0\0\0"
    document.undo()
    assert bytes(document.buffer[:]) == raw


@pytest.mark.parametrize("item", [gap_item(0), gap_item(1), Item(0, -1, "gap"), Item(0, 0), Item(9, 0)])
def test_nothing_is_put_into_bytes_that_belong_to_no_value(item: Item) -> None:
    raw = b"SAVE\1" + struct.pack("<IIi", 8, 2, 7) + b"\xff\xfe"
    document = Document(raw, choice=ReadOptions(load("godot3"), framing=FramingKind.STORED))
    assert (len(document.frames), len(document.gaps)) == (1, 2)
    with pytest.raises(EditError):
        inside(document, item)


@pytest.mark.parametrize("item", [Item(0, 7), Item(3, 0), Item(0, -1), gap_item(0)])
def test_a_value_that_is_gone_cannot_be_changed(item: Item) -> None:
    """A menu may have been opened before the file was read again."""
    document = Document(struct.pack("<IIi", 8, 2, 7), choice=ReadOptions(load("godot3"), framing=FramingKind.STORED))
    assert not can_set(document, item)
    assert held_of(document, item) == ()
    for change in (lambda: retype(document, item, "float"), lambda: set_literal(document, item, "1")):
        with pytest.raises(EditError):
            change()
    with pytest.raises(EditError):
        open_array(document, item)
