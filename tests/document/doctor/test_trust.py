"""What explains the bytes best is believed less where it is of a kind that fits much, or leaves oddities behind."""

from __future__ import annotations

import base64
import struct

import pytest

from viewer.container.frames import FramingKind
from viewer.document.doctor import Cause, Repair, diagnose
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.encoder_rule import HEADER, EncoderRule
from viewer.document.doctor.encoder_rules import RULES
from viewer.document.doctor.fallback import FOREIGN, FOREIGN_CODED
from viewer.document.doctor.finding_collector import HARDLY_TRUE
from viewer.document.doctor.machine_damage import machine_damage, reals_in
from viewer.document.doctor.preview import preview
from viewer.document.doctor.repair import Support
from viewer.document.doctor.trust import HIGHEST, NO_VALUES, OTHER_TYPE, of_candidate, of_first, of_result
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.variant.dialect import load

GODOT3 = load("godot3")
CHOICE = ReadOptions(GODOT3)


def array(*children: bytes) -> bytes:
    return struct.pack("<II", 19, len(children)) + b"".join(children)


def number(value: int) -> bytes:
    return struct.pack("<Ii", 2, value)


def real(value: float) -> bytes:
    return struct.pack("<If", 3, value)


def boolean(word: int) -> bytes:
    return struct.pack("<II", 1, word)


def typed(name: str, meant: str) -> Candidate:
    ids = (("ids", ((GODOT3.type_number(name), GODOT3.type_number(meant)),)),)
    return Candidate(Cause.ENCODER_RULE, (), "", rules=(EncoderRule("a", "b", "c", HEADER, ids, 9.0),))


SLIP = Support(0, 0, 40.0)


def trust(
    data: bytes, *splices: Splice, support: Support = SLIP, cause: Cause = Cause.PADDING_MISSING, loses: int = 0
) -> float:
    document = Document(data, choice=CHOICE)
    repair = Repair(cause, "", "", 0.9, Edit("", splices), support=support)
    return of_result(repair, preview(document, repair), loses)


COUNTED = array(number(5), boolean(1), number(3))
MISCOUNTED, MEND = COUNTED[:4] + b"\x02" + COUNTED[5:], Splice(4, b"\x02", b"\x03")


def test_one_rule_is_believed_as_far_as_it_explains() -> None:
    assert of_candidate(Candidate(Cause.ENCODER_RULE, (), "", rules=RULES[:1]), GODOT3) == 1.0
    assert of_candidate(Candidate(Cause.BYTES_BACKWARDS, (Patch(0, 99, b""),), ""), GODOT3) == 1.0


def test_a_number_that_was_chosen_so_that_it_fits_is_never_believed_as_sure() -> None:
    assert trust(MISCOUNTED, MEND, cause=Cause.COUNT_TOO_SMALL) < 0.7 < 0.9 < trust(MISCOUNTED, MEND)


def test_two_rules_at_once_are_believed_less() -> None:
    one, two = (trust(MISCOUNTED, MEND, support=Support(rules, 3, 60.0)) for rules in (1, 2))
    assert two < 0.5 < 0.9 < one


def test_a_rule_that_shows_in_many_places_is_believed_more() -> None:
    once, often = (trust(MISCOUNTED, MEND, support=Support(1, places, 10.0 * places)) for places in (1, 8))
    assert once < often


def test_what_costs_values_is_believed_less() -> None:
    assert trust(MISCOUNTED, MEND, loses=1) < trust(MISCOUNTED, MEND) - 0.1


def test_what_is_told_by_signs_is_believed_as_they_say() -> None:
    repair = Repair(Cause.DAMAGED, "", "", 0.3)
    assert of_result(repair, Document(COUNTED)) == 1.0


@pytest.mark.parametrize(("name", "expected"), [("float", OTHER_TYPE), ("real", OTHER_TYPE), ("Object", 1.0)])
def test_a_type_that_holds_no_others_is_seldom_taken_for_another(name: str, expected: float) -> None:
    if name in GODOT3.by_name:
        assert of_candidate(typed(name, "String"), GODOT3) == expected


def test_what_leaves_values_that_no_engine_writes_is_believed_little() -> None:
    assert trust(MISCOUNTED.replace(boolean(1), boolean(7)), MEND) < 0.7 * trust(MISCOUNTED, MEND)


def test_what_reads_bytes_that_are_as_short_without_a_value_is_believed_less() -> None:
    noise = bytes(range(3, 243, 5)) * 2
    packed = struct.pack("<II", 20, 0) + noise
    assert trust(packed, Splice(4, b"\x00", bytes([len(noise)]))) < 0.5


def test_bytes_that_are_as_short_without_the_values_of_another_reading_are_believed_less() -> None:
    data = struct.pack("<IIIiI", 27, 1, 4, -1, ord("k")) * 9
    otherwise = ReadOptions(GODOT3, framing=FramingKind.CONCATENATED)
    document = Document(data, choice=CHOICE)
    repair = Repair(Cause.SEVERAL_VALUES, "", "", 0.9, choice=otherwise, support=SLIP)
    assert of_result(repair, preview(document, repair)) <= NO_VALUES
    sound = Document(array(number(1), number(2)) * 9, choice=otherwise)
    assert of_result(repair, sound) > 0.9


def test_where_one_byte_stands_as_often_as_zeros_do_these_were_not_taken_out() -> None:
    values = array(*(number(index + 1) for index in range(40)))
    told = {each: list(machine_damage(values.replace(b"\0", each), 0)) for each in (b"", b"\x81")}
    assert [sign.cause for sign in told[b""] if sign.bits < 0] == [Cause.ZEROS_STRIPPED]
    assert not any(sign.bits < 0 for sign in told[b"\x81"])


def test_that_no_byte_is_above_127_tells_something_of_floats_only() -> None:
    whole = array(*(number(index % 100) for index in range(100)))[:-3]
    assert not any(sign.bits < 0 for sign in machine_damage(whole, reals_in(Document(whole))))
    cleared = bytes(byte & 0x7F for byte in array(*(real(index + 0.3) for index in range(20))))[:-3]
    signs = machine_damage(cleared, reals_in(Document(cleared, choice=CHOICE)))
    assert any(sign.cause is Cause.SEVEN_BIT and sign.bits < 0 for sign in signs)


def test_a_text_without_words_may_well_hold_values_in_a_form_that_is_not_known() -> None:
    coded = base64.b32encode(array(*map(number, range(40)))) * 2
    words = b"The doctor tells what it knows, and not what it does not know. " * 9
    told = {text: diagnose(Document(text))[0] for text in (coded, words)}
    assert {each.cause for each in told.values()} == {Cause.NO_VARIANT}
    assert (told[coded].confidence, told[words].confidence) == (FOREIGN_CODED, FOREIGN)


def test_a_rule_after_which_sound_numbers_are_hardly_less_odd_is_believed_less() -> None:
    bits = [struct.unpack("<i", struct.pack("<f", value))[0] for value in (1, 2, 3, 7, 12, 100)]
    (told,) = diagnose(Document(array(*map(number, bits)), choice=CHOICE))
    assert told.confidence <= HARDLY_TRUE


def test_the_best_explanation_is_believed_by_its_share_and_by_what_it_rests_on() -> None:
    for rules in (0, 1):
        told = [of_first(Support(rules, 3, 90.0, share, 2), trust) for share, trust in SHARES]
        assert told == sorted(told, reverse=True)
        assert told[0] > 0.9
        assert told[-1] < 0.3


SHARES = ((0.98, 0.99), (0.7, 0.97), (0.5, 0.9), (0.5, 0.2), (0.1, 0.1))


def test_a_slip_beside_which_much_else_was_found_is_believed_less() -> None:
    alone, among = (of_first(Support(0, 0, 90.0, 0.98, others), 0.9) for others in (1, 60))
    assert among < alone - 0.05


def test_a_rule_is_as_likely_whatever_else_was_found() -> None:
    told = {of_first(Support(1, 9, 90.0, 0.98, others), 0.98) for others in (1, 60)}
    assert len(told) == 1
    assert 0.9 < told.pop() <= HIGHEST
