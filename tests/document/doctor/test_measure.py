"""The measure itself: what it takes for restored, true, harmful and shown, on small cases made by hand."""

from __future__ import annotations

import struct
from types import SimpleNamespace
from typing import Any, cast

import pytest
from document.doctor.judging import (
    Known,
    Verdict,
    is_whole,
    judged,
    known,
    load_cases,
    lost,
    names,
    probability,
    shown,
    slug,
    truths,
    values_in,
)
from document.doctor.measure import CASES, Record, calibration_error, chosen, figures, measured, table, totals

from viewer.base.record import replace
from viewer.document.doctor import Cause, Repair, preview
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.variant.dialect import load

KIND = "bool-one-byte"


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<II", 4, len(raw)) + raw + bytes(-len(raw) % 4)


def _int(number: int) -> bytes:
    return struct.pack("<Ii", 2, number)


def _wide(number: int) -> bytes:
    return struct.pack("<Iq", 2 | 1 << 16, number)


def _float(number: float) -> bytes:
    return struct.pack("<If", 3, number)


def _double(number: float) -> bytes:
    return struct.pack("<Id", 3 | 1 << 16, number)


def _array(*children: bytes) -> bytes:
    return struct.pack("<II", 19, len(children)) + b"".join(children)


HERO, FIVE = _text("hero"), _int(5)
SOUND = _array(HERO, FIVE, _float(0.5))
LEAVES = ((8, 20), (20, 28), (28, 36))


def _case(data: bytes, *results: bytes, kind: str = KIND, equal: bool = True, leaves: Any = LEAVES) -> Known:
    return Known(kind, data, results, equal, "godot3", False, leaves)


def _opened(data: bytes) -> Document:
    return Document(data, choice=ReadOptions(load("godot3")))


def _repair(
    *splices: Splice, cause: Cause = Cause.DAMAGED, sure: float = 0.5, choice: ReadOptions | None = None
) -> Repair:
    return Repair(cause, "", "", sure, Edit("", splices) if splices else None, choice)


def _judged(case: Known, *splices: Splice, **more: Any) -> Verdict:
    return judged(case, _opened(case.data), _repair(*splices, **more))


COUNT_OFF = SOUND[:4] + b"\x04" + SOUND[5:]
MENDED = Splice(4, b"\x04", b"\x03")


def test_the_same_bytes_are_restored_and_true() -> None:
    assert _judged(_case(COUNT_OFF, SOUND), MENDED) == Verdict("damaged", 0.5, True, True, False)


def test_what_is_as_right_is_restored() -> None:
    other = _array(HERO, FIVE)
    assert _judged(_case(COUNT_OFF, other, SOUND, equal=False), MENDED).restores


def test_other_bytes_are_not_restored() -> None:
    assert not _judged(_case(COUNT_OFF, SOUND), Splice(4, b"\x04", b"\x02")).restores


def test_a_note_restores_nothing_and_harms_nothing() -> None:
    assert _judged(_case(COUNT_OFF, SOUND)) == Verdict("damaged", 0.5, False, False, False)


@pytest.mark.parametrize("wider", [_array(HERO, _wide(5), _float(0.5)), _array(HERO, FIVE, _double(0.5))])
def test_equal_numbers_of_another_width_are_as_good(wider: bytes) -> None:
    assert _judged(_case(COUNT_OFF, wider), MENDED).restores
    assert not _judged(_case(COUNT_OFF, wider, equal=False), MENDED).restores


@pytest.mark.parametrize(
    "other", [_array(HERO, _int(6), _float(0.5)), _array(HERO, _float(5), _float(0.5)), _array(HERO, FIVE)]
)
def test_other_values_are_not_as_good(other: bytes) -> None:
    assert not _judged(_case(COUNT_OFF, other), MENDED).restores


def test_equal_values_must_be_all_that_is_there() -> None:
    assert values_in(SOUND, _case(SOUND).choice) is not None
    assert values_in(SOUND + b"\0", _case(SOUND).choice) is None
    assert values_in(SOUND[:-1], _case(SOUND).choice) is None


def test_bytes_that_nobody_knows_are_never_restored() -> None:
    assert not _judged(_case(COUNT_OFF), MENDED).restores


def test_an_offer_may_be_true_by_its_name_alone() -> None:
    case = _case(COUNT_OFF, kind="cut-at-1024")
    assert _judged(case, cause=Cause.END_MISSING).true
    assert not _judged(case, cause=Cause.PREFIX_SWAPPED).true


def test_the_name_of_a_kind_is_true_of_it() -> None:
    assert names("header-u16", "header-u16")
    assert names("unheard-of", "unheard-of")
    assert not names("header-u16", "header-one-byte")


def test_names_and_probabilities_of_a_doctor_that_calls_them_otherwise() -> None:
    repair = cast(Repair, SimpleNamespace(slug="count-u16", probability=0.25))
    assert (slug(repair), probability(repair)) == ("count-u16", 0.25)
    assert (slug(_repair(sure=0.75)), probability(_repair(sure=0.75))) == ("damaged", 0.75)


def test_to_take_out_a_sound_value_is_harmful() -> None:
    case = _case(COUNT_OFF, SOUND)
    assert _judged(case, MENDED, Splice(20, FIVE, b"")).harmful
    assert _judged(case, Splice(24, b"\x05", b"\x06")).harmful


def test_to_move_sound_values_is_not_harmful() -> None:
    found = _judged(_case(COUNT_OFF, SOUND), Splice(28, b"", _int(7)))
    assert not found.restores
    assert not found.harmful


def test_to_write_sound_values_anew_is_not_harmful() -> None:
    anew = _array(HERO, _int(9), FIVE, _float(0.5))
    assert not _judged(_case(COUNT_OFF, SOUND), Splice(0, COUNT_OFF, anew)).harmful
    without = _array(HERO, _int(9), _float(0.5))
    assert _judged(_case(COUNT_OFF, SOUND), Splice(0, COUNT_OFF, without)).harmful


def test_to_hide_sound_values_is_harmful() -> None:
    assert _judged(_case(COUNT_OFF, SOUND), Splice(0, b"\x13", b"\x15")).harmful
    assert _judged(_case(COUNT_OFF, SOUND), choice=ReadOptions(load("godot2"))).harmful


def test_what_was_not_shown_cannot_be_lost() -> None:
    case = _case(COUNT_OFF, SOUND, leaves=((9, 20), (20, 28)))
    document, repair = _opened(COUNT_OFF), _repair(Splice(8, HERO, b""))
    assert shown(case, document) == [(20, 28)]
    assert lost(case, document, repair, preview(document, repair)) == []


def test_lost_values_are_named_where_they_were() -> None:
    document, repair = _opened(COUNT_OFF), _repair(MENDED, Splice(20, FIVE, b""))
    assert lost(_case(COUNT_OFF, SOUND), document, repair, preview(document, repair)) == [(20, 28)]


def test_to_open_may_be_all_that_is_to_be_done() -> None:
    assert is_whole(_case(SOUND, SOUND), _opened(SOUND))
    assert not is_whole(_case(COUNT_OFF, COUNT_OFF), _opened(COUNT_OFF))
    assert not is_whole(_case(SOUND, COUNT_OFF), _opened(SOUND))


def test_right_bytes_that_are_read_wrongly_must_read() -> None:
    document = Document(SOUND, choice=ReadOptions(load("godot2")))
    case = _case(SOUND, SOUND)
    assert not is_whole(case, document)
    assert judged(case, document, _repair(choice=ReadOptions(load("godot3")))).restores
    assert not judged(case, document, _repair(choice=ReadOptions(load("godot2")))).restores


def test_a_case_is_measured() -> None:
    found = measured((7, _case(COUNT_OFF, SOUND)))
    assert (found.kind, found.index, found.size) == (KIND, 7, len(COUNT_OFF))
    assert found.restorable
    assert not found.whole
    assert (found.shown, found.leaves) == (3, 3)
    assert found.seconds > 0
    assert not found.error
    assert found.is_restored(3)


def test_sound_bytes_are_right_without_an_offer() -> None:
    found = measured((0, _case(SOUND, SOUND)))
    assert found.whole
    assert found.is_true(1)
    assert found.is_restored(1)


TRUE = Verdict("a", 0.95, False, True, False)
FALSE = Verdict("b", 0.95, False, False, True)
RECORD = Record("kind", 0, 1, False, True, (TRUE,), 2, 1, 2, 1.0)


def test_calibration() -> None:
    assert calibration_error([]) == 0
    assert calibration_error([TRUE] * 19 + [FALSE]) == pytest.approx(0)
    assert calibration_error([TRUE, FALSE]) == pytest.approx(0.45)
    assert calibration_error([replace(TRUE, probability=1.0)]) == 0


def test_figures_of_some_cases() -> None:
    found = figures(
        [
            RECORD,
            replace(RECORD, offers=(FALSE, TRUE), leaves=6, shown=3, seconds=3.0),
            replace(RECORD, offers=(), leaves=0, shown=0, restorable=False),
            replace(RECORD, offers=(replace(TRUE, restores=True),)),
        ]
    )
    assert (found["first true"], found["three true"]) == (0.5, 0.75)
    assert found["restorable"] == 3
    assert found["first restored"] == pytest.approx(1 / 3)
    assert (found["sure offers"], found["sure true"]) == (4, 0.75)
    assert found["likely first offers"] == 3
    assert found["likely harmful"] == pytest.approx(1 / 3)
    assert (found["leaves shown"], found["without offer"]) == (0.5, 1)
    assert (found["seconds, mean"], found["seconds, most"]) == (1.5, 3.0)


def test_tables_tell_every_kind() -> None:
    lines = list(table([RECORD, replace(RECORD, kind="other", restorable=False)]))
    assert [line.split()[0] for line in lines] == ["kind", "kind", "other"]
    assert any(line.startswith("first true") for line in totals([RECORD]))


def test_all_kinds_of_the_file_have_names_that_are_true() -> None:
    kinds = {case.kind for case in load_cases(CASES)}
    assert len(kinds) == 68
    assert all(truths()[kind][0] == kind for kind in kinds)


def test_some_kinds_and_so_many_cases_of_each() -> None:
    found = list(chosen(load_cases(CASES), ["count-u16", "raw-deflate"], 2))
    assert [case.kind for _, case in found] == ["count-u16"] * 2 + ["raw-deflate"] * 2


def test_a_line_of_a_file() -> None:
    line = (
        '{"damage": "x", "data": "0102", "undamaged": "01", "also_right": ["02"], "equal_values_suffice": true,'
        ' "dialect": "godot4", "framed": true, "intact_leaves": [[0, 1]]}'
    )
    assert known(line) == Known("x", b"\1\2", (b"\1", b"\2"), True, "godot4", True, ((0, 1),))
    assert known(line.replace('"01"', "null").replace('["02"]', "[]")).results == ()
