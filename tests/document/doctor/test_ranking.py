"""What is said and shown of a repair: its sentence, and the bytes at its first change, before and after."""

from __future__ import annotations

import struct

import corpus
import pytest
from document.doctor.judging import load_cases
from document.doctor.measure import CASES

from viewer.document.doctor import Cause, diagnose
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.causes import ADVICE
from viewer.document.doctor.encoder_rules import number_rules
from viewer.document.doctor.ranking import _differing, samples, sentence_of
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load


def test_what_is_shown_is_where_the_bytes_differ() -> None:
    """A Color without its alpha: the patch has the three floats that stay, and four bytes behind them."""
    colour = bytes(range(1, 13))
    before, after = samples(bytes(4) + colour + b"\5\0\0\0", (Patch(4, 12, colour + b"\0\0\x80\x3f"),))
    assert before is not None
    assert after is not None
    assert (before.offset, after.offset) == (16, 16)
    assert after.text.startswith("00 00 80 3F")
    assert before.text != after.text


def test_what_changes_nothing_is_not_shown() -> None:
    before, after = samples(bytes(8), (Patch(0, 4, bytes(4)), Patch(4, 4, b"\2\0\0\0")))
    assert before is not None
    assert after is not None
    assert (before.offset, after.text) == (4, "02 00 00 00")
    assert samples(bytes(8), (Patch(0, 4, bytes(4)),)) == (None, None)


def test_a_word_that_becomes_another_is_shown_whole() -> None:
    before, after = samples(bytes(8), (Patch(4, 4, b"\2\0\0\0"),))
    assert before is not None
    assert after is not None
    assert (before.offset, before.text, after.text) == (4, "00 00 00 00", "02 00 00 00")


@pytest.mark.parametrize(
    ("cause", "patch", "said"),
    [
        (Cause.BYTE_LOST, Patch(8, 0, b"\0"), "A byte was lost."),
        (Cause.BYTE_LOST, Patch(8, 0, bytes(3)), "3 bytes were lost."),
        (Cause.BYTE_INSERTED, Patch(8, 1, b""), "There is a byte too many here."),
        (Cause.BYTE_INSERTED, Patch(8, 2, b""), "There are 2 bytes too many here."),
    ],
)
def test_it_is_said_how_many_bytes_were_lost(cause: Cause, patch: Patch, said: str) -> None:
    assert sentence_of(Candidate(cause, (patch,))) == said


def test_the_same_mistake_is_shown_where_it_is_undone_otherwise() -> None:
    """Which of several nulls were left out is not known: all ways begin with the same ones."""
    cases = [case for case in load_cases(CASES) if case.kind == "null-left-out"]
    alike = 0
    for case in cases:
        some = [each for each in diagnose(Document(case.data)) if each.name == "null-left-out"]
        alike += len(some) > 1
        shown = [(each.before, each.after) for each in some]
        assert len(set(shown)) == len(shown)
    assert alike


def test_what_is_advised_is_a_sentence_each_and_reaches_who_asks() -> None:
    assert all(words.endswith(".") and words[0].isupper() for words in ADVICE.values())
    save = next(file.path for file in corpus.files("godot3") if file.path.name == "rpg.save").read_bytes()
    best = diagnose(Document(save.decode("latin-1").encode()))[0]
    assert (best.cause, best.note) == (Cause.MADE_UTF8, ADVICE[Cause.MADE_UTF8])
    assert "as Latin-1 and written as UTF-8" in best.reason


def test_of_two_ways_that_change_all_bytes_it_is_shown_where_they_begin_to_differ() -> None:
    known = (Patch(0, 16, bytes(16)),)
    (shown,) = _differing((Patch(0, 16, bytes(10) + b"\1" + bytes(5)),), known)
    assert (shown.at, shown.size, shown.new) == (8, 8, b"\0\0\1" + bytes(5))
    assert _differing(known, known) == known
    other = (Patch(4, 4, b"abcd"), Patch(12, 1, b""))
    assert _differing(other, other[:1]) == other[1:]


def test_a_number_that_is_that_of_the_type_in_another_engine_line_is_named() -> None:
    """Who wrote the encoder took the table of another one."""
    for number, words in (
        (28, "writes 28 for Array, as Godot 4 does; an engine"),
        (99, "writes 99 for Array; an engine"),
    ):
        rules = {rule.slug: rule for rule in number_rules(load("godot3"), (number,))}
        assert words in rules["unknown-id-for-array"].sentence


@pytest.mark.parametrize("engine", ["godot3", "godot4"])
def test_a_count_of_two_is_no_int_before_a_header(engine: str) -> None:
    head = load(engine).type_number("Array").to_bytes(4, "little")
    value = head + b"\2\0\0\0" + (b"\4\0\0\0\4\0\0\0abcd" * 2)
    data = value[:12] + bytes(4) + value[16:]
    assert not any("the four of the int" in each.note for each in diagnose(Document(data)))


@pytest.mark.parametrize(("number", "word", "is_told"), [(999, 0, True), (-5, 0, False)])
def test_a_header_that_is_the_upper_half_of_the_int_before_it_may_have_been_written_with_it(
    number: int, word: int, is_told: bool
) -> None:
    """A cheat tool writes eight bytes over the four of an int."""
    value = struct.pack("<II", 19, 6) + struct.pack("<Ii", 2, number) + struct.pack("<Ii", 2, 7) * 5
    data = value[:16] + struct.pack("<I", word) + value[20:]
    notes = [each.note for each in diagnose(Document(data, choice=ReadOptions(load("godot3"))))]
    assert any("the four of the int at 0xC:" in note for note in notes) is is_told
