"""The document: edits, undo, saving, and that a table after an edit is the table of a fresh open."""

from __future__ import annotations

import os
from pathlib import Path

import corpus
import pytest
from document.test_wraps import secret_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from viewer.base.diagnostic import Code, Severity
from viewer.base.progress import Cancelled
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.disk import files
from viewer.document.disk.files import ChangedOnDisk
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.edits.setting import draft, literal, set_literal
from viewer.document.edits.slots import EditError
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadJob, ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import load
from viewer.variant.items import Item
from viewer.variant.table import NodeTable

SAVES = [(engine, file) for engine in corpus.ENGINES for file in corpus.files(engine.folder)]


def rpg() -> Document:
    return Document.open(next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save"))


def columns(table: NodeTable) -> tuple[bytes, list[int], list[int], int]:
    """What a table says, without ids that were promised and never used."""
    used = list(table.nodes)
    return bytes(table.buffer), [table.start[n] for n in used], [table.parent[n] for n in used], table.end_of_data


def same_as_fresh(document: Document) -> bool:
    fresh = ReadJob(document.buffer, document.choice, document.way).run()
    ours = [(frame.cut, columns(frame.table)) for frame in document.frames]
    return ours == [(frame.cut, columns(frame.table)) for frame in fresh.frames] and document.gaps == fresh.gaps


@pytest.mark.parametrize(("engine", "file"), SAVES, ids=lambda value: getattr(value, "folder", None) or value.path.name)
def test_opening_and_saving_gives_the_same_bytes(engine: corpus.Engine, file: corpus.SavedFile, tmp_path: Path) -> None:
    path = tmp_path / file.path.name
    path.write_bytes(file.path.read_bytes())
    document = Document.open(path)
    document.save()
    assert path.read_bytes() == file.path.read_bytes()


def test_a_value_changes_only_its_own_bytes_and_the_length_before_it() -> None:
    document = rpg()
    before = document.buffer
    item = parse_path(document, "[0].player.name")
    old = len(draft(document, item, '"Zo"').before)
    document.apply(set_literal(document, item, '"Zo"'))
    after = document.buffer
    start = before.index(b"Zo\xc3\xab") - 4
    assert after[start : start + 8] == bytes.fromhex("02000000") + b"Zo\0\0"
    assert after[4:start] == before[4:start]
    assert after[start + 8 :] == before[start + old - 4 :]
    assert int.from_bytes(after[:4], "little") == len(after) - 4


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("[0].player.gold", "6"),
        ("[0].player.gold.value", "7"),
        ("[0].player.name", '"x"'),
        ("[0].player.name.text", '"a text that is longer than before, by far"'),
        ("[0].player.skin.g", "0.5"),
        ("[0].player.gold@key", '"silver"'),
        ("[0].player.target.name1", '"Friends"'),
        ("[0].player.target@flags", "1"),
        ("[0].inventory", "[]"),
        ("[0].map.tiles", "PoolByteArray(1, 2, 3)"),
        ("[0]@count", "3"),
        ("[0].player.position", "(1, 2)"),
    ],
)
def test_after_every_edit_and_undo_the_table_is_that_of_a_fresh_open(path: str, text: str) -> None:
    document = rpg()
    before = document.buffer
    document.apply(set_literal(document, parse_path(document, path), text))
    assert document.buffer != before
    assert same_as_fresh(document)
    document.undo()
    assert document.buffer == before
    assert same_as_fresh(document)
    assert not document.modified


@settings(max_examples=60, deadline=None)
@example([(0, 0, False), (8180, 128, True)])  # the length is untrue, then a byte that inner frames are found for
@given(st.lists(st.tuples(st.integers(0, 21_139), st.integers(0, 255), st.booleans()), max_size=6))
def test_typed_bytes_anywhere_keep_the_table_true(typed: list[tuple[int, int, bool]]) -> None:
    document = rpg()
    original = document.buffer
    for offset, byte, undo in typed:
        document.apply(overwrite(document, offset, bytes([byte])))
        if undo:
            document.undo()
        assert same_as_fresh(document)
    while document.undo():
        pass
    assert document.buffer == original


def test_an_edit_of_one_frame_leaves_the_tables_of_the_others() -> None:
    path = next(file.path for file in corpus.files("godot3") if file.path.name == "many_store_var.save")
    document = Document.open(path)
    tables = [frame.table for frame in document.frames]
    longest = max(range(len(tables)), key=lambda k: tables[k].end_of_data)
    document.apply(overwrite(document, document.frames[longest].start, bytes.fromhex("ff")))
    kept = [frame.table is table for frame, table in zip(document.frames, tables, strict=True)]
    assert 1 <= kept.count(False) <= 3  # a frame is cut anew with the two before it
    assert not document.frames[longest].sound


def test_wide_ints_stay_wide_and_meaningless_header_bits_stay() -> None:
    #               header   value             | header with bit 31
    document = Document(bytes.fromhex("02000100 0500000000000000"), choice=ReadOptions(load("godot4")))
    document.apply(set_literal(document, Item(0, 0), "6"))
    assert document.buffer.hex() == "020001000600000000000000"
    document = Document(bytes.fromhex("02000080 05000000"), choice=ReadOptions(load("godot4")))
    document.apply(set_literal(document, Item(0, 0), "6"))
    assert document.buffer.hex() == "0200008006000000"


@pytest.mark.parametrize(
    ("before", "literal_", "after"),
    [
        #  int      5000000000                   int      5
        ("02000100 00f2052a01000000", "5", "02000100 0500000000000000"),
        ("02000100 00f2052a01000000", "5000000001", "02000100 01f2052a01000000"),
        #  float    0.1                          float    2.0
        ("03000100 9a9999999999b93f", "2.0", "03000100 0000000000000040"),
        ("03000100 9a9999999999b93f", "nan", "03000100 000000000000f87f"),
        #  float    a NaN                        float    inf
        ("03000100 000000000000f87f", "inf", "03000100 000000000000f07f"),
        #  int      5                            int      5000000000
        ("02000000 05000000", "5000000000", "02000100 00f2052a01000000"),
        #  float    0.5
        ("03000100 000000000000e03f", "2.0", "03000100 0000000000000040"),
    ],
)
def test_a_wide_number_stays_wide_and_a_narrow_one_grows_only_where_it_must(
    before: str, literal_: str, after: str
) -> None:
    document = Document(bytes.fromhex(before), choice=ReadOptions(load("godot4"), framing=FramingKind.BARE))
    document.apply(set_literal(document, Item(0, 0), literal_))
    assert document.buffer == bytes.fromhex(after)


@pytest.mark.parametrize(
    ("dialect", "before", "path", "literal_", "after"),
    [
        #            Object   id
        ("godot4", "18000100 05000000 00000080", "[0].id", "9223372036854775814", "18000100 06000000 00000080"),
        #            Dict.    count, shared bit afterwards
        ("godot2", "14000000 00000000", "[0]@count", "2147483648", "14000000 00000080"),
    ],
)
def test_unsigned_words_take_more_than_an_int_holds(
    dialect: str, before: str, path: str, literal_: str, after: str
) -> None:
    document = Document(bytes.fromhex(before), choice=ReadOptions(load(dialect), framing=FramingKind.BARE))
    document.apply(set_literal(document, parse_path(document, path), literal_))
    assert document.buffer == bytes.fromhex(after)


def test_the_shared_bit_of_a_godot_2_array_survives_a_new_value() -> None:
    #               Array    shared,1 int      1
    array = bytes.fromhex("15000000 01000080 02000000 01000000")
    document = Document(array, choice=ReadOptions(load("godot2"), framing=FramingKind.BARE))
    document.apply(set_literal(document, Item(0, 0), "[1, 2]"))
    assert document.buffer[4:8].hex() == "02000080"


def test_a_null_can_become_any_value_and_others_keep_their_type() -> None:
    document = rpg()
    document.apply(set_literal(document, parse_path(document, "[0].player.pet"), '"Rex"'))
    assert literal(document, parse_path(document, "[0].player.pet")) == '"Rex"'
    with pytest.raises(EditError, match="int"):
        draft(document, parse_path(document, "[0].player.gold"), '"much"')


def test_a_number_out_of_range_is_refused_with_a_way_out() -> None:
    document = rpg()
    with pytest.raises(EditError) as caught:
        draft(document, parse_path(document, "[0].player.gold"), "9223372036854775808")
    assert caught.value.fix == "9223372036854775807"


def test_a_draft_tells_the_bytes_before_and_after_and_changes_nothing() -> None:
    document = rpg()
    found = draft(document, parse_path(document, "[0].player.gold"), "5000000001")
    assert (found.before.hex(), found.after.hex()) == ("0200010000f2052a01000000", "0200010001f2052a01000000")
    assert not document.modified


def test_modified_bytes_are_marked_until_they_are_saved(tmp_path: Path) -> None:
    document = rpg()
    offset = parse_path(document, "[0].player.gold")
    document.apply(set_literal(document, offset, "5000000001"))
    assert [len(span) for span in document.modified_spans()] == [1]
    document.save(tmp_path / "x.save")
    assert document.modified_spans() == []
    document.undo()
    assert [len(span) for span in document.modified_spans()] == [1]


def test_a_file_that_the_game_wrote_meanwhile_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(bytes.fromhex("08000000 02000000 05000000"))
    document = Document.open(path)
    assert not document.changed_on_disk
    path.write_bytes(bytes.fromhex("08000000 02000000 0500000000"))
    assert document.changed_on_disk
    with pytest.raises(ChangedOnDisk):
        document.save()
    document.save(force=True)
    assert path.read_bytes() == bytes.fromhex("08000000 02000000 05000000")


def test_a_file_that_was_written_anew_with_the_same_bytes_is_the_same(tmp_path: Path) -> None:
    path, data = tmp_path / "a.save", bytes.fromhex("08000000 02000000 05000000")
    path.write_bytes(data)
    document = Document.open(path)

    def copied(bytes_: bytes, at: int) -> None:
        path.write_bytes(bytes_)
        os.utime(path, ns=(at, at))

    copied(data, 10**18)
    assert not document.changed_on_disk
    copied(data, 2 * 10**18)
    document.apply(set_literal(document, parse_path(document, "[0]"), "6"))
    document.save()
    copied(data, 10**18)  # what was read, and not what was saved
    assert document.changed_on_disk
    copied(document.saved.outside[:-1] + b"\x01", 2 * 10**18)
    assert document.changed_on_disk
    with pytest.raises(ChangedOnDisk):
        document.save()
    copied(bytes(document.saved.outside[:]), 3 * 10**18)
    assert not document.changed_on_disk


def test_of_a_text_the_bytes_of_the_file_are_compared(tmp_path: Path) -> None:
    path, data = tmp_path / "a.json", b'{"hp": 5}'
    path.write_bytes(data)
    document = Document.open(path)
    path.write_bytes(data)
    os.utime(path, ns=(10**18, 10**18))
    assert not document.changed_on_disk
    path.unlink()
    assert document.changed_on_disk


def test_a_long_file_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(bytes.fromhex("08000000 02000000 05000000"))
    document = Document.open(path)
    os.utime(path, ns=(10**18, 10**18))
    monkeypatch.setattr(files, "COMPARED", 10)
    assert document.changed_on_disk


def test_reading_can_be_given_up(tmp_path: Path) -> None:
    path = tmp_path / "long.save"
    #                 prefix: 400004   Array          100000      then 100000 nulls
    path.write_bytes((400_008).to_bytes(4, "little") + bytes.fromhex("13000000 a0860100") + bytes(400_000))
    with pytest.raises(Cancelled):
        Document.open(
            path, ReadOptions(load("godot3"), framing=FramingKind.STORED), progress=lambda offset: offset < 100_000
        )
    assert len(Document.open(path, progress=lambda offset: True).frames[0].table) == 100_001


def codes(document: Document, least: Severity = Severity.WARNING) -> list[Code]:
    return [found.code for found in document.findings.all() if found.severity >= least]


def test_a_prefix_that_lies_is_an_error_and_the_value_is_still_shown() -> None:
    #               says 99  int      5
    choice = ReadOptions(load("godot3"), framing=FramingKind.STORED)
    document = Document(bytes.fromhex("63000000 02000000 05000000"), choice=choice)
    assert codes(document) == [Code.PREFIX_TOO_LONG]
    assert literal(document, Item(0, 0)) == "5"


def test_bytes_behind_a_value_are_a_warning_and_a_gap() -> None:
    #               prefix   int      5        junk
    choice = ReadOptions(load("godot3"), framing=FramingKind.STORED)
    document = Document(bytes.fromhex("0c000000 02000000 05000000 deadbeef"), choice=choice)
    assert codes(document) == [Code.TRAILING_BYTES]
    assert document.frames[0].gap is not None
    assert document.explained == 0.75


def test_nothing_to_read_says_so() -> None:
    assert codes(Document(b"")) == [Code.EMPTY_FILE]


def test_a_wrap_with_nothing_in_it_is_what_an_engine_writes_for_an_empty_file() -> None:
    empty = [saved for engine in corpus.ENGINES for saved in corpus.wrapped(engine.folder) if not _holds(saved)]
    assert len(empty) > 10
    for saved in empty:
        document = Document.open(saved.path, ReadOptions(opening=UnwrapOptions(secret=secret_of(saved))))
        assert (len(document.buffer), codes(document)) == (0, [])


def _holds(saved: corpus.SavedFile) -> bool:
    return bool(saved.sidecar.get("plain_length", saved.sidecar.get("payload_bytes", 1)))


@pytest.mark.parametrize("folder", [engine.folder for engine in corpus.ENGINES])
def test_no_malformed_input_raises_anything(folder: str) -> None:
    for row in corpus.spread(corpus.malformed(folder), 4, folder):
        document = Document(bytes.fromhex(row["hex"]))
        for found in document.findings.all():
            assert found.message
            assert format_path(document, Item(found.frame, found.node, found.part)) if found.frame >= 0 else True


def test_a_number_in_a_broken_frame_may_be_the_length_of_another() -> None:
    """A byte array that promises too many bytes, the last of which may be a frame of their own."""
    value = (20).to_bytes(4, "little") + (12).to_bytes(4, "little") + bytes(12)
    head = (17).to_bytes(4, "little") + (20).to_bytes(4, "little") + (45).to_bytes(4, "little") + bytes(9)
    document = Document(head + b"\x28\0\0\0" + value, choice=ReadOptions(load("godot3"), None, FramingKind.STORED))
    assert [frame.span for frame in document.frames] == [Span(0, 45)]
    document.apply(Edit("Set", (Splice(21, b"\x28", b"\x14"),)))
    assert [frame.span for frame in document.frames] == [Span(0, 21), Span(21, 45)]


def test_a_number_among_guessed_values_may_change_what_is_guessed() -> None:
    """More values than the count says: the engine reads what it counts, and the table has no error."""
    data = b"\x13\0\0\0\2\0\0\0" + b"\2\0\0\0\7\0\0\0" * 6
    document = Document(data, choice=ReadOptions(load("godot3"), None, FramingKind.BARE))
    frame = document.frames[0]
    assert frame.sound
    assert frame.table.guess is not None
    assert frame.table.guess < 8 + 5 * 8
    assert document.apply(Edit("Set", (Splice(8 + 5 * 8 + 4, b"\7", b"\x08"),))).structure


def test_a_file_that_cannot_be_asked_about_is_not_said_to_be_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.save"
    file.write_bytes(bytes(4))
    document = Document.open(file)

    def refused(self: Path, **_: object) -> None:
        raise PermissionError

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refused)
        assert document.changed_on_disk
        assert not document.is_gone
        assert not document.is_unsaved
    file.unlink()
    assert document.is_gone
    assert document.is_unsaved
