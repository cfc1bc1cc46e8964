"""What may cost values that can be read is believed little, however well it explains the bytes."""

from __future__ import annotations

import struct

from command_line import BROKEN

from viewer.container.frames import FramingKind
from viewer.document.doctor import DOUBTFUL, Cause, Repair, diagnose
from viewer.document.doctor.kept import cautious, reads_whole, values_read
from viewer.document.document import Document
from viewer.document.reading import Choice
from viewer.document.splice import Edit, Splice
from viewer.variant.dialect import load

GODOT3 = load("godot3")
STORED = Choice(GODOT3, framing=FramingKind.STORED)
BARE = Choice(GODOT3, framing=FramingKind.BARE)
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


def test_values_behind_an_error_are_not_counted_as_read() -> None:
    broken = INTS[:16] + b"\xff" + INTS[17:]
    assert values_read(Document(INTS, choice=BARE)) == 4
    assert values_read(Document(broken, choice=BARE)) == 2


def test_where_everything_reads_no_repair_is_believed() -> None:
    document = Document(stored(INTS), choice=STORED)
    (judged,) = cautious(document, [repair(Splice(12, INTS[8:12], INTS[8:12]))])
    assert judged.confidence == DOUBTFUL


def test_a_repair_that_costs_a_value_is_believed_little_and_comes_last() -> None:
    document = Document(INTS[:-2], choice=BARE)  # the last of three numbers is cut off
    harmful = repair(Splice(4, bytes([3]), bytes([1])))
    harmless = repair(Splice(len(INTS) - 2, b"", bytes(2)), 0.5)
    first, second = cautious(document, [harmful, harmless])
    assert (first, second.edit, second.confidence) == (harmless, harmful.edit, DOUBTFUL)


def test_a_repair_that_keeps_all_values_is_as_likely_as_before() -> None:
    document = Document(INTS[:-2], choice=BARE)
    kept = repair(Splice(len(INTS) - 2, b"", bytes(2)))
    assert cautious(document, [kept]) == (kept,)


def test_a_broken_packet_still_has_its_repair() -> None:
    found = diagnose(Document.open(BROKEN))
    assert (found[0].cause, found[0].confidence > 0.9) == (Cause.LENGTH_SWAPPED, True)
