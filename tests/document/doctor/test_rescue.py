"""Where nothing brings the bytes back, what is left of them can be kept as a file that reads."""

from __future__ import annotations

import random

import corpus
import engine
import pytest
from document.recovery_files import Saved, saves
from engine import Request
from variant.damage import damaged

from viewer.container.frames import FramingKind
from viewer.document.doctor import Answer, Cause, Repair, diagnose, preview
from viewer.document.doctor.repair_context import WorkBudget
from viewer.document.doctor.salvage import Salvage, _reason, rescue
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()
SAVE = (corpus.DATA / "godot3" / "files" / "medium_1mb.save").read_bytes()
GODOT3 = ReadOptions(load("godot3"))
NOISE = bytes.fromhex("9f3ce1d2 77b8046d")
CASES = 400


def u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def text(content: bytes) -> bytes:
    return u32(4) + u32(len(content)) + content + bytes(-len(content) % 4)


def bare(*words: bytes) -> Document:
    return Document(b"".join(words), choice=GODOT3)


def overwritten(data: bytes, at: int) -> bytes:
    return data[:at] + NOISE + data[at + len(NOISE) :]


def offer(document: Document) -> Repair | None:
    return rescue(document, bytes(document.buffer[:]), WorkBudget(1 << 30))


def rescued(document: Document) -> str:
    """The value that is left, as the engine's own text."""
    found = offer(document)
    assert found is not None
    after = preview(document, found)
    assert [frame.sound for frame in after.frames] == [True]
    table = after.frames[0].table
    return format_literal(read(table), table.dialect)


def test_a_broken_value_becomes_null_and_the_rest_stays() -> None:
    pairs = [text(b"gold"), u32(0x7E), u32(42), text(b"name"), text(b"Anna"), text(b"level"), u32(2), u32(7)]
    assert rescued(bare(u32(18), u32(3), *pairs)) == '{"gold": null, "name": "Anna", "level": 7}'


def test_counts_follow_what_is_there() -> None:
    numbers = [u32(2) + u32(k) for k in range(6)]
    assert rescued(bare(u32(19), u32(9), *numbers)) == "[0, 1, 2, 3, 4, 5]"


def test_a_last_key_without_its_value_is_given_null() -> None:
    pairs = [text(b"gold"), u32(2), u32(42), text(b"name")]
    assert rescued(bare(u32(18), u32(2), *pairs)) == '{"gold": 42, "name": null}'


def test_of_a_packed_array_that_is_cut_off_its_whole_elements_stay() -> None:
    assert rescued(bare(u32(21), u32(9), *(u32(k) for k in range(6)), b"\7\0")) == "PoolIntArray(0, 1, 2, 3, 4, 5)"


def test_of_a_long_packed_array_nothing_is_copied() -> None:
    found = offer(bare(u32(21), u32(1 << 20), bytes(4 << 18), b"\7\0"))
    assert found is not None
    assert found.edit is not None
    assert sum(len(splice.removed) + len(splice.inserted) for splice in found.edit.splices) < 16


def test_a_broken_value_among_many_other_bytes_is_not_worth_it() -> None:
    broken = u32(19) + u32(2) + u32(0x7E) + text(b"Anna")
    choice = ReadOptions(load("godot3"), None, FramingKind.STORED)
    stored = u32(len(broken)) + broken
    assert offer(Document(stored, choice=choice)) is not None
    assert offer(Document(stored + bytes(range(0x80, 0x100)) * 4, choice=choice)) is None


def test_texts_that_an_engine_wrote_itself_are_not_called_damaged() -> None:
    assert offer(bare(u32(19), u32(1), text(b"\xed\xa0\x80"))) is None


def test_bytes_that_are_no_text_become_question_marks() -> None:
    found = rescued(bare(u32(19), u32(2), text(b"caf\xff"), text(b"menu")))
    assert found == '["caf?", "menu"]'
    assert rescued(bare(u32(18), u32(1), text(b"na\xffe"), text(b"Anna"))) == '{"na?e": "Anna"}'


def test_a_key_of_which_nothing_is_left_gets_a_name() -> None:
    pairs = [u32(0x7E), text(b"Anna"), text(b"level"), u32(2), u32(7), text(b"gold"), u32(2), u32(42)]
    assert rescued(bare(u32(18), u32(3), *pairs)) == '{"damaged 8": "Anna", "level": 7, "gold": 42}'


def test_shows_the_bytes_at_the_damage_and_not_the_length_before_them() -> None:
    found = offer(Document(overwritten(RPG, 4000), choice=GODOT3))
    assert found is not None
    assert found.before is not None
    assert 3990 <= found.before.offset <= 4008


@pytest.mark.parametrize("data", [RPG, SAVE], ids=["rpg", "1 MB"])
def test_a_save_with_overwritten_bytes_reads_again(data: bytes) -> None:
    document = Document(overwritten(data, len(data) // 2), choice=GODOT3)
    found = offer(document)
    assert found is not None
    assert found.edit is not None
    damaged_bytes = bytes(document.buffer[:])

    document.apply(found.edit)
    assert [(frame.sound, frame.gap) for frame in document.frames] == [(True, None)]
    assert len(document.buffer) > 0.99 * len(data)
    document.undo()
    assert bytes(document.buffer[:]) == damaged_bytes


def test_it_comes_at_once_and_behind_what_explains_the_bytes() -> None:
    told: list[Answer] = []
    repairs = diagnose(Document(overwritten(SAVE, len(SAVE) // 2), choice=GODOT3), found=told.append)
    assert [each.cause for each in told[1].repairs] == [Cause.DAMAGED]
    assert told[1].repairs[0].can_be_applied
    assert [each.cause for each in repairs].count(Cause.DAMAGED) <= 1
    assert all(each.confidence >= repairs[-1].confidence for each in repairs)


def test_what_goes_is_told_in_one_sentence() -> None:
    one, some = Salvage(removed=1), Salvage(removed=4, replaced=2, counts=1)
    assert _reason([one], 1, 0, 100) == "Once 1 byte that makes no sense goes, the rest, 99 % of the bytes, reads."
    assert _reason([some], 4, 8, 100) == (
        "Once 4 bytes that make no sense go, null or a stand-in takes the place of 2 broken values and 1 count is "
        "corrected, the rest, 96 % of the bytes, reads. The 8 bytes around the values stay as they are."
    )


def test_what_can_be_mended_needs_no_rescue() -> None:
    swapped = RPG[3::-1] + RPG[4:]
    assert Cause.DAMAGED not in [each.cause for each in diagnose(Document(swapped, choice=GODOT3))]


def test_nothing_is_kept_of_noise_and_nothing_done_to_what_is_whole() -> None:
    assert offer(Document(RPG, choice=GODOT3)) is None
    assert offer(Document(random.Random(4).randbytes(1 << 12), choice=GODOT3)) is None


@pytest.fixture(scope="module")
def broken() -> list[tuple[Document, Repair]]:
    """Damaged saves of all engines with what would keep the rest of them."""
    chance, sound = random.Random(7), saves()
    found: list[tuple[Document, Repair]] = []
    unkept = 0
    for _ in range(CASES):
        _, number, raw, _ = damaged(chance, [each.sample for each in sound])
        document = _opened(raw, sound[number])
        if all(frame.sound for frame in document.frames):
            continue
        repair = offer(document)
        if repair is None:
            unkept += 1
        else:
            found.append((document, repair))
    assert unkept < len(found) / 5
    return found


def _opened(raw: bytes, saved: Saved) -> Document:
    return Document(raw, choice=ReadOptions(saved.sample.dialect))


def test_whatever_is_offered_leaves_only_values_that_read(broken: list[tuple[Document, Repair]]) -> None:
    assert len(broken) > CASES // 3
    for document, repair in broken:
        after = preview(document, repair)
        if document.gaps:
            assert "around the values stay as they are" in repair.reason
        else:
            assert all(frame.sound for frame in after.frames), repair.reason


@pytest.mark.engine
def test_the_engine_reads_what_is_left() -> None:
    chance = random.Random(11)
    sound = [each for each in saves() if each.sample.name in ("godot3/rpg.save", "godot3/all_types.save")]
    asked: list[Request] = []
    for _ in range(120):
        _, number, raw, _ = damaged(chance, [each.sample for each in sound])
        document = _opened(raw, sound[number])
        repair = None if all(frame.sound for frame in document.frames) else offer(document)
        if repair is not None:
            asked.append(Request(bytes(preview(document, repair).buffer[:]), "get_var_all"))
    assert len(asked) > 30
    assert [answer.error for answer in engine.read_back(asked) if answer.error is not None] == []


def test_a_way_to_read_that_throws_most_bytes_away_is_not_believed() -> None:
    """Another engine line reads the first 52 bytes of the save; the others are no other packet's."""
    data = overwritten(overwritten(RPG, 4000), 8952)
    repairs = diagnose(Document(data))
    assert repairs[0].cause is Cause.DAMAGED
    assert all(each.confidence <= 0.02 for each in repairs[1:])


def test_a_value_among_others_can_be_kept_as_null_instead_of_taken_out() -> None:
    data = (corpus.DATA / "godot3" / "files" / "many_store_var.save").read_bytes()
    document = Document(overwritten(data, 0xA37))
    count = len(document.frames)
    found = next(each for each in diagnose(document) if each.cause is Cause.DAMAGED)
    kept = preview(document, found)
    assert (len(kept.frames), [frame.sound for frame in kept.frames]) == (count, [True] * count)


def read_as(dialect: str, *words: bytes, framing: FramingKind = FramingKind.BARE) -> Document:
    return Document(b"".join(words), choice=ReadOptions(load(dialect), None, framing))


def framed(*words: bytes) -> bytes:
    return u32(len(b"".join(words))) + b"".join(words)


def test_two_keys_do_not_become_the_same() -> None:
    pairs = [text(b"na\xffe"), u32(2), u32(1), text(b"na\xfee"), u32(2), u32(2)]
    assert rescued(bare(u32(18), u32(2), *pairs)) == '{"na?e": 1, "damaged 1C": 2}'
    pairs = [text(b"na?e"), u32(2), u32(1), text(b"na\xffe"), u32(2), u32(2)]
    assert rescued(bare(u32(18), u32(2), *pairs)) == '{"na?e": 1, "damaged 1C": 2}'


def test_a_latin_1_letter_is_no_lone_surrogate() -> None:
    assert rescued(bare(u32(19), u32(2), text(b"caf\xed"), text(b"menu"))) == '["caf?", "menu"]'


def test_two_bytes_of_a_surrogate_are_none() -> None:
    assert rescued(bare(u32(19), u32(2), text(b"caf\xed\xa0s"), text(b"menu"))) == '["caf??s", "menu"]'


def test_lone_surrogates_stay_beside_what_is_damaged() -> None:
    document = read_as("pandemonium5", u32(26), u32(2), text(b"\xed\xa0\x80"), text(b"caf\xff"))
    found = offer(document)
    assert found is not None
    assert b"\xed\xa0\x80" in bytes(preview(document, found).buffer[:])
    assert b"caf?" in bytes(preview(document, found).buffer[:])


def test_a_frame_that_cannot_be_kept_becomes_null_beside_others() -> None:
    texts = framed(u32(19), u32(3), *(text(b"menu%d" % k) for k in range(2)), text(b"caf\xff"))
    lost = framed(u32(4), u32(99), b"abcd")
    document = read_as("godot3", texts, lost, framing=FramingKind.STORED)
    found = offer(document)
    assert found is not None
    assert [frame.sound for frame in preview(document, found).frames] == [True, True]


def test_an_object_keeps_its_values_where_its_class_is_no_text() -> None:
    properties = [u32(2), b"hp\0\0", u32(2), u32(7)]
    document = read_as("godot4", u32(24), u32(5), b"No\xffde\0\0\0", u32(1), *properties)
    found = offer(document)
    assert found is not None
    assert bytes(preview(document, found).buffer[:]) == bytes(document.buffer[:]).replace(b"\xff", b"?")


@pytest.mark.parametrize("many", [8, 64])
def test_texts_of_which_much_is_broken_do_not_take_long(many: int) -> None:
    strings = u32(34) + u32(many) + (u32(64) + b"\xff" * 64) * many
    document = read_as("godot4", u32(28), u32(many), *([strings] * many))
    meter = WorkBudget(1 << 30)
    rescue(document, bytes(document.buffer[:]), meter)
    assert meter.left > -len(document.buffer) * 1024


def test_a_preview_reads_the_bytes_as_they_are_read_now() -> None:
    """Where the first length is untrue, the kept rest alone could be taken for something else."""
    lost = framed(u32(4), u32(99), b"abcd")
    whole = framed(u32(19), u32(1), u32(2), u32(7))
    document = read_as("godot3", lost, whole, framing=FramingKind.STORED)
    found = offer(document)
    assert found is not None
    shown = preview(document, found)
    assert (shown.framing, shown.dialect) == (document.framing, document.dialect)
    document.apply(found.edit)
    assert [frame.cut for frame in shown.frames] == [frame.cut for frame in document.frames]
