"""Sound parts that stand where they do not belong: found, and put where they belong or taken out."""

from __future__ import annotations

import pytest
from document.doctor.test_stretches import SAVE, frame, items, mended, number, pairs, save, text

from viewer.document.doctor import diagnose, preview
from viewer.document.document import Document

OTHER = pairs(
    ("audio", pairs(("master", number(80)), ("music", number(60)))),
    ("keys", pairs(("jump", text("Space")), ("left", text("A")))),
    ("language", text("de")),
)


# A value inside another


@pytest.mark.parametrize("at", [46, 131, 254, 256, 401])
def test_a_value_inside_another_is_taken_out(at: int) -> None:
    data = SAVE[:at] + OTHER + SAVE[at:]
    assert mended(data, "packets-mixed") == SAVE
    assert "kept nowhere else" in diagnose(Document(data))[0].note


@pytest.mark.parametrize("at", [64, 255, 300])
def test_a_packet_inside_another_is_put_behind_it(at: int) -> None:
    outer, inner = frame(save("Kim", 9)), frame(OTHER)
    data = outer[:at] + inner + outer[at:]
    assert mended(data, "packets-mixed") == outer + inner


# Both versions of a stretch

START, STOP = SAVE.index(text("gold")), SAVE.index(text("items"))
OURS, THEIRS = SAVE[START:STOP], text("gold") + number(900)


def conflict(ours: bytes, theirs: bytes, end: bytes = b"\n", base: bytes = b"") -> bytes:
    middle = b"||||||| 1f3c2d" + end + base + end if base else b""
    lines = (b"<<<<<<< HEAD" + end, ours + end, middle, b"=======" + end, theirs + end, b">>>>>>> main" + end)
    return b"".join(lines)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("base", [b"", text("gold") + number(77)])
def test_of_two_versions_ours_is_kept_first_and_theirs_offered_too(end: bytes, base: bytes) -> None:
    data = SAVE[:START] + conflict(OURS, THEIRS, end, base) + SAVE[STOP:]
    document = Document(data)
    first, second = diagnose(document)[:2]
    assert first.name == second.name == "merge-markers"
    assert "HEAD" in first.reason
    assert "main" in second.reason
    assert bytes(preview(document, first).buffer[:]) == SAVE
    assert bytes(preview(document, second).buffer[:]) == SAVE[:START] + THEIRS + SAVE[STOP:]


def test_the_length_before_a_value_with_two_versions_fits_the_one_that_is_kept() -> None:
    ours, theirs = OURS, text("gold in the bank") + number(900)
    inside = SAVE[:START] + conflict(ours, theirs) + SAVE[STOP:]
    for size in (len(SAVE), len(SAVE) - len(ours) + len(theirs), len(inside)):
        assert mended(size.to_bytes(4, "little") + inside, "merge-markers") == frame(SAVE)


def test_a_note_about_a_conflict_in_a_sound_text_stays() -> None:
    note = conflict(b"ours", b"theirs").decode()
    assert not diagnose(Document(pairs(("note", text(note)), ("gold", number(3)))))


# Segments in the wrong order

LONG = pairs(
    ("version", number(3)),
    ("names", items(*(text("letters of any number"[: 1 + 7 * index % 19]) for index in range(60)))),
    ("ends", items(*(pairs(("id", number(index)), ("at", text("x" * (5 * index % 17)))) for index in range(30)))),
    ("seed", number(99)),
)


@pytest.mark.parametrize(("at", "size"), [(0, 536), (536, 536), (256, 256), (0, 128), (512, 512), (600, 300)])
@pytest.mark.parametrize("data", [LONG, frame(LONG)])
def test_neighbouring_segments_change_places_again(data: bytes, at: int, size: int) -> None:
    one, two = data[at : at + size], data[at + size : at + 2 * size]
    assert mended(data[:at] + two + one + data[at + 2 * size :], "blocks-swapped") == data


@pytest.mark.parametrize("size", [536, 512])
def test_a_shorter_last_segment_goes_behind_the_one_before(size: int) -> None:
    last = len(LONG) - len(LONG) % size
    data = LONG[: last - size] + LONG[last:] + LONG[last - size : last]
    assert mended(data, "blocks-swapped") == LONG


# A stretch that stands again further on


@pytest.mark.parametrize(("start", "size", "at"), [(0, 536, 1072), (0, 512, 1024), (536, 536, 1608), (40, 128, 300)])
def test_a_segment_that_was_sent_again_late_is_taken_out(start: int, size: int, at: int) -> None:
    long = save("Kim", 40)
    data = long[:at] + long[start : start + size] + long[at:]
    assert mended(data, "segment-doubled") == long
    first = diagnose(Document(data))[0]
    assert first.loses is not None
    assert first.confidence > 0.5  # what is lost stands there still


def test_the_nearest_of_many_equal_pieces_is_not_the_only_one_that_counts() -> None:
    """Every record has the same keys; the segment that stands twice is longer than a record."""
    long = save("Kim", 40)
    data = long[:1072] + long[536:1072] + long[1072:]
    assert mended(data, "segment-doubled") == long


def test_of_bytes_that_are_alike_before_a_second_stretch_those_go_that_leave_values() -> None:
    """A buffer that is appended whole: what stands before the copy ends as what stands before the first."""
    long = save("Kim", 40)
    at = next(at for at in range(600, len(long), 4) if long[at - 3 : at] == bytes(3) and long[at - 4] and long[at + 1])
    size = 156
    first = next(k for k in range(200, 400, 4) if long[k - 3 : k] == bytes(3) and long[k + size :][:1] != long[at:][:1])
    data = long[:at] + long[first : first + size] + long[at:]
    assert mended(data, "segment-doubled") == long
