"""Detection: the right engine line and framing first, wherever the bytes can tell."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from typing import Any

import corpus
import pytest
from bench import broken as shapes
from document.detection.words import small_words
from document.recovery_files import saves as sound_saves
from document.test_wraps import secret_of
from variant.damage import damaged

from viewer.container.frames import FramingKind
from viewer.document.detection.detect import DetectionCandidate, detect
from viewer.document.detection.plausible import holds_texts, plausibility
from viewer.document.disk.paged import open_paged
from viewer.document.doctor import diagnose
from viewer.document.document import Document
from viewer.document.engines.verdicts import difference
from viewer.document.pieces.framing import FrameReader
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.dialect import available, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.read import read
from viewer.variant.scan import scan

SHORTEST, LONGEST = 16, 20_000
AMBIGUOUS_FILES = {
    ("godot3", "empty.save"): "no bytes at all",
    ("pandemonium5", "plain_multi.bin"): "uses no type whose number differs from Pandemonium 4's",
    ("pandemonium5", "plain_single.bin"): "uses no type whose number differs from Pandemonium 4's",
    ("pandemonium5", "plain_vector4_projection.bin"): "uses no type whose number differs from Pandemonium 4's",
    ("pandemonium5", "raw_concat.bin"): "uses no type whose number differs from Pandemonium 4's",
    **{
        ("godot4.0", f"plain_{name}.bin"): "uses no type that later versions write otherwise"
        for name in ("bigendian", "full_objects", "multi", "objects_as_ids", "typed", "units")
    },
}
OTHERWISE = "another line reads other values from it, to the last byte and without an error"
MISSED_VECTORS = {
    ("godot2", "image_empty"): "24 bytes of which 23 are zero: as likely an empty Transform2D of Godot 4",
    ("pandemonium5", "typedarray_t27_2"): OTHERWISE,
    ("pandemonium5", "typedarray_t28_2"): OTHERWISE,
    ("pandemonium5", "packedtypedarray_t09_2"): OTHERWISE,
    ("pandemonium5", "packedtypedarray_t15_2"): OTHERWISE,
    ("godot2", "inputevent_type3_default"): OTHERWISE,
    ("godot4.0", "pstr_special"): "Godot 4.2 itself refuses one of the texts",
    ("godot4.0", "transform2d_special"): OTHERWISE,
    ("pandemonium3.5", "transform2d_special"): OTHERWISE,
    ("pandemonium5", "string_lone_surrogate"): "Pandemonium itself refuses this text, Godot 3 reads it",
}


def saves() -> Iterator[tuple[corpus.Engine, corpus.SavedFile]]:
    for engine in corpus.ENGINES:
        for file in corpus.files(engine.folder):
            yield engine, file


def test_every_save_that_can_be_told_is_told() -> None:
    wrong = {}
    for engine, file in saves():
        best = detect(file.path.read_bytes())[0]
        if best.dialect.key != engine.dialect:
            wrong[engine.folder, file.path.name] = best.dialect.key
    assert set(wrong) <= set(AMBIGUOUS_FILES)


@pytest.mark.parametrize(("folder", "name"), [pair for pair in AMBIGUOUS_FILES if pair[1] != "empty.save"])
def test_what_is_called_ambiguous_reads_the_same_either_way(folder: str, name: str) -> None:
    data = next(file.path for file in corpus.files(folder) if file.path.name == name).read_bytes()
    found = detect(data)
    first = found[0]
    second = next(c for c in found if c.dialect.key == folder and c.explained == first.explained)
    assert first.explained == second.explained
    assert abs(first.score - second.score) < 0.1


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_every_wrapped_save_reads_as_what_was_stored(engine: corpus.Engine) -> None:
    wrong = []
    for saved in corpus.wrapped(engine.folder):
        opening = UnwrapOptions(secret=secret_of(saved))
        document = Document.open(saved.path, ReadOptions(opening=opening))
        true = Document.open(saved.path, ReadOptions(load(engine.dialect), opening=opening))
        if len(document.frames) != len(true.frames) or any(
            difference(ours.table, theirs.table) for ours, theirs in zip(document.frames, true.frames, strict=True)
        ):
            wrong.append((engine.folder, saved.path.name))
    assert wrong == []


def test_every_save_is_framed_as_it_was_written() -> None:
    expected = {
        "raw": "bare",
        "raw_concat.bin": "concatenated",
        "endian": "stored, big-endian",
        "bigendian": "stored, big-endian",
    }
    wrong = {}
    for engine, file in saves():
        name = file.path.name
        label = next(
            (value for part, value in sorted(expected.items(), key=lambda kv: -len(kv[0])) if part in name), "stored"
        )
        if file.path.stat().st_size and detect(file.path.read_bytes())[0].framing.label != label:
            wrong[engine.folder, name] = label
    assert wrong == {}


def is_laid_out_alike(best: DetectionCandidate, engine: corpus.Engine, data: bytes) -> bool:
    """Whether the best candidate finds values at the same places as the true line, if by other names."""
    ours, theirs = scan(data, best.dialect), scan(data, load(engine.dialect))
    starts = [[table.start[node] for node in table.nodes] for table in (ours, theirs)]
    return best.framing.kind is FramingKind.BARE and best.explained > 0.999 and starts[0] == starts[1]


def test_vectors_of_sixteen_bytes_and_more_are_told_where_they_can_be() -> None:
    wrong, ambiguous, total = [], 0, 0
    for engine in corpus.ENGINES:
        for row in corpus.spread(corpus.vectors(engine.folder), 2, engine.folder):
            data = corpus.vector_bytes(row)
            if not SHORTEST <= len(data) <= LONGEST:
                continue
            total += 1
            best = detect(data)[0]
            if best.dialect.key == engine.dialect and best.framing.kind is FramingKind.BARE:
                continue
            if is_laid_out_alike(best, engine, data):
                ambiguous += engine.dialect != "godot4.0"  # later versions number its types as it does
            else:
                wrong.append((engine.folder, row["id"]))
    assert total > (900 if corpus.WHOLE else 450)
    assert set(wrong) <= set(MISSED_VECTORS)
    assert ambiguous < total / 4


def test_double_precision_is_seen_by_its_wide_reals() -> None:
    single = [detect(file.path.read_bytes())[0].precision.value for file in corpus.files("godot4")]
    double = {
        file.path.name: detect(file.path.read_bytes())[0].precision.value for file in corpus.files("godot4-double")
    }
    assert set(single) == {"single"}
    assert {name for name, found in double.items() if found == "single"} <= {"plain_typed.bin"}


def test_the_reason_says_what_fits_and_what_another_line_would_make_of_it() -> None:
    path = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save")
    reason = detect(path.read_bytes())[0].reason
    assert reason.startswith("1 of 1 frame ends exactly at the stated length; ")
    assert "would read type 18 as" in reason


def test_a_choice_is_not_questioned() -> None:
    path = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save")
    found = detect(path.read_bytes(), dialect=load("godot4"), framing=FramingKind.BARE)
    assert {(c.dialect.key, c.framing.kind) for c in found} == {("godot4", FramingKind.BARE)}


@pytest.mark.parametrize("data", [b"", b"\0", b"Hello, world! This is no save.\n", bytes(1000), b"\xff" * 1000])
def test_what_is_no_save_still_has_a_reading(data: bytes) -> None:
    assert len(detect(data)) >= 1
    assert Document(data).buffer == data


def test_foreign_bytes_between_values_are_gaps() -> None:
    path = next(file.path for file in corpus.files("godot3") if file.path.name == "mixed_calls.save")
    document = Document.open(path)
    values = [read(frame.table).type for frame in document.frames]
    assert values == ["Dictionary", "Array", "String", "Nil", "PoolByteArray"]
    assert len(document.gaps) == 4


def test_of_many_frames_the_first_are_read_and_the_reason_says_so() -> None:
    found = detect(bytes.fromhex("08000000 02000000 07000000") * 20_000)
    assert found[0].framing.label == "stored"
    assert found[0].explained == 1.0
    assert found[0].reason.startswith("256 of the first 256 frames end exactly at the stated length")


def test_every_engine_line_is_a_candidate_with_its_reason() -> None:
    path = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save")
    found = detect(path.read_bytes())
    assert {candidate.dialect for candidate in found} == set(available())
    assert all(candidate.reason for candidate in found)


def test_frames_behind_many_foreign_bytes_are_looked_for() -> None:
    path = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save")
    best = detect(b"A header of my own" + path.read_bytes())[0]
    assert (best.dialect.key, best.framing.label) == ("godot3", "stored")
    assert best.explained > 0.99


def test_texts_are_found_behind_their_lengths_in_either_order() -> None:
    noise = random.Random(8).randbytes(3000)
    assert not holds_texts(noise)
    assert not holds_texts(small_words(3, 900))
    assert not holds_texts(b"")
    for text in ("gold", "a b", "\u91d1\u5e01", "x" * 64):
        raw = text.encode()
        for order in ("<I", ">I"):
            assert holds_texts(noise + pack(order, len(raw)) + raw)
    assert not holds_texts(noise + pack("<I", 4) + b"1234")  # digits alone are numbers, too
    assert not holds_texts(noise + pack("<I", 5) + b"gold\0")
    assert holds_texts(bytes(1 << 14))  # nobody looks


def test_noise_takes_less_work_than_bytes_with_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[int] = []
    measured = FrameReader.measure

    def measure(self: FrameReader, payload: Any) -> Any:
        spent[-1] += 1
        return measured(self, payload)

    monkeypatch.setattr(FrameReader, "measure", measure)
    noise = small_words(5, 1024)
    for data in (noise, noise[:-8] + pack("<I", 4) + b"gold"):
        spent.append(0)
        detect(data)
    assert 2 * spent[0] < spent[1]


def file_bytes(folder: str, name: str) -> bytes:
    return next(file.path for file in corpus.files(folder) if file.path.name == name).read_bytes()


def found(data: bytes) -> tuple[str, str]:
    best = detect(data)[0]
    return best.dialect.key, best.framing.label


def broken(data: bytes, at: int, new: str) -> bytes:
    return data[:at] + bytes.fromhex(new) + data[at + len(bytes.fromhex(new)) :]


def test_whole_frames_around_a_broken_one_outweigh_a_sound_value_with_bytes_behind_it() -> None:
    data = broken(file_bytes("pandemonium5", "plain_typed.bin"), 112, "5f")  # a Vector2's type number
    assert found(data) == ("pandemonium5", "stored")


def test_one_damage_is_likelier_than_another_engine_line_with_several() -> None:
    data = file_bytes("pandemonium4", "raw_var2bytes.bin")
    assert found(data[:9] + data[10:]) == ("pandemonium4", "bare")


def test_a_broken_key_leaves_a_stored_value_stored() -> None:
    data = broken(file_bytes("godot3", "single_dict.save"), 24, "7f")
    assert found(data) == ("godot3", "stored")


def test_a_collection_with_a_broken_key_is_not_several_values_of_another_engine_line() -> None:
    data = broken(file_bytes("godot3", "raw_var2bytes.bin"), 8, "01")
    assert found(data) == ("godot3", "bare")


def test_a_stored_file_that_ends_in_its_second_value_is_stored() -> None:
    """As one value it would be a Rect2i, and two bytes behind it."""
    best = detect(bytes.fromhex("08000000 02000000 01000000 0c000000 03000100 9a99"))[0]
    assert best.framing.kind is FramingKind.STORED
    assert best.explained == 1.0


@pytest.mark.parametrize("tail", [b"\xcd" * 60, b"\xff" * 60, bytes(range(60, 120))])
def test_a_whole_value_with_foreign_bytes_behind_it_is_read_as_what_it_is(tail: bytes) -> None:
    pair = bytes.fromhex("01000000 04000000 03000000 61626300 02000000 09000000")
    for key, kind in (("godot3", 18), ("godot4", 27)):
        assert found(kind.to_bytes(4, "little") + pair + tail) == (key, "bare")


def test_an_array_that_swallows_everything_for_its_absurd_count_is_none() -> None:
    """Of two typed arrays of Godot 4 the second is broken; Pandemonium would read both as one of 65,564 elements."""
    first = "1c000000 1c000100 02000000 02000000 02000000 01000000 02000000 02000000"
    second = "2c000000 1b000500 04000000 1c000000 01000000 04000000 01000000 61000000 fb1c0000 00010000 00020000 000000"
    best = detect(bytes.fromhex(first + second))[0]
    assert (best.dialect.key, best.framing.kind) == ("godot4", FramingKind.STORED)


def test_values_brought_to_light_are_among_the_explained_bytes() -> None:
    data = broken(file_bytes("godot3", "single_dict.save"), 12, "ee")
    assert detect(data)[0].explained > 0.9


def test_nearly_all_damaged_saves_are_read_in_the_engine_line_of_the_whole_ones() -> None:
    chance, saved = random.Random(11), sound_saves()
    samples = [each.sample for each in saved]
    cases = [damaged(chance, samples) for _ in range(100)]
    own = {number: detect(samples[number].raw)[0].dialect for _, number, _, _ in cases}
    wrong = [(way, samples[number].name) for way, number, raw, _ in cases if detect(raw)[0].dialect is not own[number]]
    assert len(wrong) <= 5, wrong


@pytest.mark.parametrize(
    "data",
    [
        bytes.fromhex("1c000000 01000000") * 3000,  # hundreds of frames, each a broken collection
        bytes(random.Random(3).choices([0, 0, 0, 1, 2, 5, 0x12, 0x1C, 0xFF], k=50_000)),
    ],
    ids=["nested", "near values"],
)
def test_hostile_bytes_come_out_the_same_each_time(data: bytes) -> None:
    first, again = detect(data), detect(data)
    assert [(each.dialect, each.framing, each.score) for each in first] == [
        (each.dialect, each.framing, each.score) for each in again
    ]


def test_short_broken_packets_are_seldom_taken_for_stored_values() -> None:
    rows = [(engine, row) for engine in corpus.ENGINES for row in corpus.malformed(engine.folder)]
    raws = [(load(engine.dialect), bytes.fromhex(row["hex"])) for engine, row in rows]
    found = [detect(raw, dialect)[0].framing.kind for dialect, raw in raws if 0 < len(raw) < 1000]
    assert len(found) > 1000
    assert found.count(FramingKind.STORED) < len(found) / 8


def test_tiny_broken_frames_are_not_read_as_thousands_of_values() -> None:
    document = Document(shapes.SHAPES["frames"][1](1_000_000))
    assert len(document.frames) < 10


@pytest.mark.parametrize(
    ("name", "likely"), [(b"Node2D", True), (b"\xc3\x84rger_2", True), (b"no word", False), (b"A" * 300, False)]
)
def test_a_class_is_called_by_a_word(name: bytes, likely: bool) -> None:
    words = (0x18, len(name))
    raw = b"".join(word.to_bytes(4, "little") for word in words) + name + bytes(-len(name) % 4) + bytes(4)
    assert (plausibility(scan(raw, load("godot4"))) > 0) is likely


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        # an array of Godot 3, [42, "hi"]: as Godot 2 an InputEvent that says it has 4 bytes, and a text
        ("13000000 02000000 02000000 2a000000 04000000 02000000 6869", "godot3"),
        # a dictionary of Godot 4 with a wrong count: as Pandemonium 5 a typed array with elements of other types
        ("1b000000 04000000 04000000 01000000 78000000 02000000 01000000 04000000 07000000 c581c3b364c5ba00", "godot4"),
        # a typed array of Godot 4 with a broken count: the flag means nothing to other lines
        ("1c000100 02000080 02000000 01000000 00000000 00000001 00000000 000000", "godot4"),
    ],
)
def test_a_few_damaged_bytes_are_read_in_the_line_in_which_the_least_is_wrong(raw: str, key: str) -> None:
    assert found(bytes.fromhex(raw)) == (key, "bare")


@pytest.mark.parametrize(("stated", "is_likely"), [(20, True), (12, False), (4, False), (1 << 20, False)])
def test_an_input_event_whose_length_lies_is_hardly_one(stated: int, is_likely: bool) -> None:
    event = b"".join(word.to_bytes(4, "little") for word in (19, 1, 0, stated, 0, 65))
    assert (plausibility(scan(event, load("godot2"))) > 0) is is_likely


def test_elements_of_another_type_than_the_array_states_are_hardly_elements() -> None:
    texts = "1b000000 {:02x}000000 01000000 04000000 01000000 78000000"
    right, wrong = (scan(bytes.fromhex(texts.format(kind)), load("pandemonium5")) for kind in (4, 3))
    assert plausibility(wrong) < plausibility(right)


@pytest.mark.parametrize(("text", "fill", "is_likely"), [
    (b"", b"", True),
    (b"abc", b"\0", True),
    (b"abcd", b"", True),
    ("Äpfel".encode(), b"\0\0", True),
    (b"a\tb\n", b"", True),
    (b"a\0c", b"\0", False),
    (b"a\x01c", b"\0", False),
    (b"abc", b"\1", False),
])  # fmt: skip
@pytest.mark.parametrize("key", ["godot3", "godot4"])
def test_a_printable_text_with_zeros_as_fill_is_likely(text: bytes, fill: bytes, is_likely: bool, key: str) -> None:
    raw = pack("<2I", 4, len(text)) + text + fill
    assert (plausibility(scan(raw, load(key))) == 1) is is_likely


def test_bytes_on_disk_are_told_as_those_in_memory(tmp_path: Path) -> None:
    value = pack("<2I", 19, 1 << 16) + pack("<2I", 2, 7) * (1 << 16)
    for number, raw in enumerate((value, pack("<I", len(value)) + value, pack("<3I", 8, 2, 7) * 20000 + value[8:])):
        path = tmp_path / str(number)
        path.write_bytes(raw)
        assert detect(open_paged(path)) == detect(raw)


def test_true_prefixes_of_a_few_values_outweigh_what_is_wrong_behind_them() -> None:
    """Raw fields, an int, a raw field, an int, a raw field: the second int is read as one of two damaged values."""
    raw = "47534156 01000000 08000000 02000000 65c80000 4d000000 08000000 02000000 3c350100 16020000"
    assert found(bytes.fromhex(raw)) == ("godot3", "stored")


def test_zeros_behind_a_broken_value_are_fill_and_no_null() -> None:
    """Texts of Godot 4 with a surrogate among them: as Pandemonium 5 nine words, and a zero word behind them."""
    raw = "22000000 04000000 05000000 efbbbf61 00000000 04000000 61006200 04000000 eda08000 01000000 00000000"
    assert found(bytes.fromhex(raw))[1] == "bare"


def cut_values() -> Iterator[tuple[str, bytes]]:
    """Arrays and dictionaries of every engine that are told when whole, each in four states of damage."""
    chance = random.Random(17)
    for engine in corpus.ENGINES:
        line = load(engine.dialect)
        numbers = line.type_number("Array"), line.type_number("Dictionary")
        for row in corpus.vectors(engine.folder):
            raw = corpus.vector_bytes(row)
            if not SHORTEST <= len(raw) <= 64 or raw[0] not in numbers or found(raw) != (engine.dialect, "bare"):
                continue
            at = chance.randrange(4, len(raw))
            wrong = int.from_bytes(raw[4:8], "little") + chance.choice((1, 2, 10))
            yield engine.dialect, raw[: -chance.choice((1, 2, 3))]
            yield engine.dialect, raw[:4] + wrong.to_bytes(4, "little") + raw[8:]
            yield engine.dialect, raw[:at] + raw[at + chance.choice((1, 2, 4)) :]
            yield engine.dialect, raw[:at] + bytes([raw[at] ^ 1 << chance.randrange(8)]) + raw[at + 1 :]


def test_most_short_collections_are_told_however_they_are_damaged() -> None:
    cases = list(cut_values())
    right = sum(detect(raw)[0].dialect.key == key for key, raw in cases)
    assert len(cases) > 300
    assert right >= 0.72 * len(cases), (right, len(cases))


VALUES_BEHIND_A_LINE = [
    ("godot3", ["true", "12345678901", '{"a": {"b": [1, 2.5, "x"]}}']),
    ("godot3", ["[]", '"abc"']),
    ("godot3", ["[]", "Vector2(1, 2)"]),
    ("godot4", ['{"hp": 5}', "12345678901", "PackedInt32Array(1, 2, 3)"]),
    ("godot4", ["Vector3(1, 2, 3)", "null"]),
    ("godot4", ['PackedStringArray("a", "b")', "12345678901", '{"at": Vector2(1, 2)}']),
]


@pytest.mark.parametrize("line", [b"1.0\n", b"v12\n", b"save 2\n", b"a\n1.0\n"])
@pytest.mark.parametrize(("key", "literals"), VALUES_BEHIND_A_LINE)
def test_values_behind_a_line_of_text_are_of_the_engine_that_wrote_them(
    line: bytes, key: str, literals: list[str]
) -> None:
    dialect = load(key)
    values = [encode(parse_literal(literal, dialect), dialect) for literal in literals]
    document = Document(line + b"".join(pack("<I", len(value)) + value for value in values))
    assert next(frame.span.start for frame in document.frames) == len(line)
    assert len(document.frames) == len(values)
    assert all(frame.sound for frame in document.frames)
    assert document.dialect.key.startswith("godot")
    assert [repair for repair in diagnose(document) if repair.edit is not None and repair.confidence > 0.3] == []
