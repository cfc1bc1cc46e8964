"""What a repair keeps and loses of the values that can be read; what costs some is believed little."""

from __future__ import annotations

import random
import struct

import pytest
from command_line import BROKEN
from document.doctor.judging import load_cases
from document.doctor.measure import CASES

from viewer.base.record import replace
from viewer.container.frames import FramingKind
from viewer.document.doctor import DOUBTFUL, Cause, Repair, diagnose, preview
from viewer.document.doctor.as_is import reads_whole
from viewer.document.doctor.candidate import Patch, splices
from viewer.document.doctor.fallback import limit_notes
from viewer.document.doctor.kept import LossCounter, Moves, cautious, leaves
from viewer.document.doctor.repair import Support
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.variant.dialect import load

GODOT3 = load("godot3")
STORED = ReadOptions(GODOT3, framing=FramingKind.STORED)
BARE = ReadOptions(GODOT3, framing=FramingKind.BARE)
INTS = struct.pack("<II", 19, 3) + b"".join(struct.pack("<II", 2, number) for number in (1, 2, 3))


def stored(payload: bytes) -> bytes:
    return struct.pack("<I", len(payload)) + payload


def repair(splice: Splice, confidence: float = 0.98) -> Repair:
    return Repair(Cause.BYTE_LOST, "A byte was lost.", "", confidence, Edit("mend", (splice,)))


def test_a_document_reads_whole_where_every_value_does_whatever_lies_between() -> None:
    assert reads_whole(Document(b"SAVE\1\0" + stored(INTS) + b"tail", choice=STORED))
    assert not reads_whole(Document(stored(INTS[:-2]), choice=STORED))
    assert not reads_whole(Document(stored(INTS + bytes(4)), choice=STORED))
    assert not reads_whole(Document(b"", choice=STORED))


def test_all_that_is_offered_is_not_likelier_together_than_anything_can_be() -> None:
    document = Document(stored(INTS), choice=STORED)
    some = [replace(repair(Splice(at, b"", b"\1")), support=Support(1, 9, 90.0)) for at in (0, 1)]
    nothing = Repair(Cause.DAMAGED, "Bytes were lost.", "", 0.05)
    found = cautious(document, [*some, nothing])
    assert sum(each.confidence for each in found) <= 1.001
    assert found[0].confidence > 0.5


def test_leaves_are_the_values_that_hold_no_others() -> None:
    assert list(leaves(Document(stored(INTS), choice=STORED))) == [(12, 20), (20, 28), (28, 36)]


def test_a_repair_that_costs_a_value_says_so_is_believed_little_and_comes_last() -> None:
    many = struct.pack("<II", 19, 8) + INTS[8:16] * 8
    document = Document(many[:-2], choice=BARE)  # the last of eight numbers is cut off
    harmful = repair(Splice(4, many[4:32], bytes([5, 0, 0, 0])))
    harmless = repair(Splice(len(many) - 2, b"", bytes(2)), 0.5)
    first, second = cautious(document, [harmful, harmless])
    assert (first.edit, first.confidence, first.loses) == (harmless.edit, 0.5, 0)
    assert (second.edit, second.confidence, second.loses) == (harmful.edit, DOUBTFUL, 3)


@pytest.mark.parametrize(
    ("value", "believed"), [(struct.pack("<Iff", 5, 1.5, 3.0), DOUBTFUL), (struct.pack("<III", 5, 11, 14), 0.98)]
)
def test_values_that_are_longer_to_tell_than_their_bytes_were_read_by_mistake(value: bytes, believed: float) -> None:
    many = struct.pack("<II", 19, 8) + value * 8
    document = Document(many[:-2], choice=BARE)
    (judged,) = cautious(document, [repair(Splice(4, many[4:44], bytes([5, 0, 0, 0])))])
    assert (judged.confidence, judged.loses) == (believed, 3)


def test_a_repair_that_keeps_all_values_is_as_likely_as_before() -> None:
    document = Document(INTS[:-2], choice=BARE)
    (judged,) = cautious(document, [repair(Splice(len(INTS) - 2, b"", bytes(2)))])
    assert (judged.confidence, judged.loses) == (0.98, 0)
    assert judged.keeps == len(list(leaves(document)))


def test_values_move_with_the_bytes_before_them() -> None:
    moves = Moves((Splice(20, b"ab", b""), Splice(8, b"", b"xyz")))
    assert [moves.place(start, start + 2) for start in (0, 10, 20, 24)] == [0, 13, -1, 25]


def test_values_that_are_taken_out_are_told_from_those_that_are_others() -> None:
    document = Document(INTS, choice=BARE)
    out = repair(Splice(4, INTS[4:16], bytes([2, 0, 0, 0])))
    other = repair(Splice(8, INTS[8:12], struct.pack("<I", 3)))
    assert [(each.loses, each.takes_out) for each in cautious(document, [out])] == [(1, 1)]
    assert [each.takes_out for each in cautious(document, [other])] == [0]


def test_values_that_are_put_elsewhere_are_not_lost() -> None:
    moved = Edit("move", (Splice(48, b"", INTS[8:16]), Splice(8, INTS[8:16], b"")))
    moves = Moves(moved.splices)
    assert [moves.place(start, start + 8) for start in (8, 16, 24, 48)] == [40, 8, 16, 48]
    assert not moves.takes_out(8, 16)
    assert Moves((Splice(8, INTS[8:16], b""),)).takes_out(8, 16)


def test_values_that_are_written_anew_are_others_and_not_taken_out() -> None:
    """Where all bytes were escaped what is read now was never stored."""
    old, new = bytes(range(100)), bytes(range(99, 9, -1))
    assert not Moves((Splice(0, old, new),)).takes_out(8, 16)
    assert Moves((Splice(0, old, new[:40]),)).takes_out(8, 16)


def test_a_change_of_many_bytes_is_told_as_the_places_that_change() -> None:
    """Otherwise all the values between them would be lost with their bytes."""
    dice = random.Random(4)
    for _ in range(200):
        lines = [dice.randbytes(dice.randint(9, 40)).replace(b"\n", b".") for _ in range(dice.randint(1, 9))]
        old, new = b"\r\n".join(lines), b"\n".join(lines)
        old, new = (old, new) if dice.random() < 0.7 else (new, old + dice.randbytes(dice.randrange(3)))
        found = splices(old, (Patch(0, len(old), new),))
        mended = old
        for splice in found:
            end = splice.offset + len(splice.removed)
            assert mended[splice.offset : end] == splice.removed
            mended = mended[: splice.offset] + splice.inserted + mended[end:]
        assert mended == new
        if len(old) >= 80:
            assert len(found) <= len(lines) + 3
            assert sum(len(each.removed) + len(each.inserted) for each in found) < 40


def test_what_an_engine_may_refuse_is_not_told_beside_a_repair_that_takes_it_away() -> None:
    cases = [case for case in load_cases(CASES) if case.kind == "object-id-for-dictionary"]
    documents = [Document(case.data) for case in cases]
    notes = [{note.cause for note in limit_notes(document)} for document in documents]
    assert sum(Cause.OBJECTS_NOT_ALLOWED in some for some in notes) > 1
    gone = 0
    for document, some in zip(documents, notes, strict=True):
        found = diagnose(document)
        if found[0].confidence < 0.5 or not found[0].can_be_applied:
            continue
        left = {note.cause for note in limit_notes(preview(document, found[0]))}
        assert {each.cause for each in found} & some == left
        gone += len(some - left)
    assert gone > 1


def test_a_value_that_is_written_otherwise_is_not_lost() -> None:
    assert Moves((Splice(4, b"ab", b"abcd"),)).place(4, 6) == 4


def test_a_broken_packet_still_has_its_repair() -> None:
    found = diagnose(Document.open(BROKEN))
    assert (found[0].cause, found[0].confidence > 0.9) == (Cause.LENGTH_SWAPPED, True)


def test_what_the_best_repair_gains_the_others_lose() -> None:
    document = Document(INTS[:-2], choice=BARE)
    found = Support(1, 3, 90.0, 0.8, 3)
    best = replace(repair(Splice(len(INTS) - 2, b"", bytes(2)), 0.8), support=found)
    note, unknown = (Repair(cause, "", "", 0.1) for cause in (Cause.END_MISSING, Cause.DAMAGED))
    told = cautious(document, [best, note, unknown])
    assert told[0].confidence > 0.8
    assert all(0 < each.confidence < 0.1 for each in told[1:])


def test_where_the_best_repair_is_hardly_likely_nobody_knows_what_happened() -> None:
    document = Document(INTS[:-2], choice=BARE)
    doubtful = replace(repair(Splice(len(INTS) - 2, b"", b"\xfe\xca"), 0.9), support=Support(0, 0, 0.0, 0.2, 3000))
    told = cautious(
        document, [doubtful, *(Repair(cause, "", "", 0.08) for cause in (Cause.END_MISSING, Cause.DAMAGED))]
    )
    assert [each.cause for each in told] == [Cause.DAMAGED, doubtful.cause, Cause.END_MISSING]
    assert told[1].confidence == told[2].confidence < 0.1
    assert cautious(document, told[:1]) == told[:1]


def test_no_saving_makes_likely_what_costs_values() -> None:
    many = struct.pack("<II", 19, 8) + INTS[8:16] * 8
    document = Document(many[:-2], choice=BARE)
    splice = Splice(4, many[4:32], bytes([5, 0, 0, 0]))
    little, much = (replace(repair(splice), support=Support(1, 3, bits)) for bits in (60.0, 9000.0))
    assert max(cautious(document, [each])[0].confidence for each in (little, much)) <= DOUBTFUL


def test_values_deep_inside_others_are_told_once() -> None:
    levels = 3000
    text = struct.pack("<II", 29, 1 << 20) + b"x" * (1 << 20)
    data = struct.pack("<II", 28, 1) * levels + struct.pack("<II", 28, 2) + text + struct.pack("<II", 4, 1 << 30)
    told = LossCounter(Document(data, choice=ReadOptions(load("godot4"), framing=FramingKind.BARE)))._bits
    assert sum(raw for _, raw in told.values()) < 2 * 8 * len(data)
