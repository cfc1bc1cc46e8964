"""What is said of a repair: of a text in its characters and lines, of values in their bytes."""

from __future__ import annotations

import pytest

from viewer.base.record import replace
from viewer.document.doctor import Cause, Repair, diagnose
from viewer.document.doctor.repair import Support
from viewer.document.document import Document
from viewer.document.splice import Edit, Splice
from viewer.document.viewmodel.repairs import effect, text_effect

TEXT = b'{\n\t"name": "Mira \xf0\x9f\x97\xa1",\n\t"hp": 10\n\t"list": [1, 2]\n}\n'


def test_a_mended_text_counts_its_characters_and_shows_its_line() -> None:
    best = diagnose(Document(TEXT))[0]
    assert best.before is not None
    assert best.after is not None
    assert (best.before.place, best.before.text, best.after.text) == ("line 3", '"hp": 10', '"hp": 10,')
    assert effect(best) == "1 character inserted into line 3"


def test_what_is_taken_out_and_what_is_put_in_are_counted_by_themselves() -> None:
    more, less = Splice(4, bytes(4), bytes(16)), Splice(40, bytes(596), b"")
    mend = Repair(Cause.DAMAGED, "It.", "So.", 0.3, Edit("mend", (less, more)), keeps=9, loses=0)
    assert effect(mend) == "596 bytes removed, 12 inserted, the rest moves; keeps all 9 readable"
    one = Repair(Cause.DAMAGED, "It.", "So.", 0.3, Edit("mend", (less,)), keeps=7, loses=2, takes_out=2)
    assert effect(one) == "596 bytes removed, the rest moves; loses 2 of 9 readable"
    alone = Repair(Cause.DAMAGED, "It.", "So.", 0.3, Edit("mend", (less,)), keeps=0, loses=1, takes_out=1)
    assert effect(alone) == "596 bytes removed, the rest moves; loses the readable value"
    rule = replace(one, cause=Cause.ENCODER_RULE, support=Support(1, 5, 40.0))
    assert effect(rule) == "596 bytes removed, the rest moves; finds 2 of 9 readable misread"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a\nbc\nd", "a\nbxc\nd", "1 character inserted into line 2"),
        ("a\n“b”\nd", 'a\n"b"\nd', "2 characters change in line 2"),
        ("a\n“b", 'a\n"b', "1 character changes in line 2"),
        ("x: True, y", "x: true, y", "1 character changes in line 1"),
        ("a b\nc d\ne f", "ab\nc d\nef", "2 lines change"),
        ("a\n// b\n// c\nd", "a\nd", "2 lines removed, from line 2 on"),
        ("a 🗡\nb", "a\nb", "2 characters removed from line 1"),
        ("None", "null", "4 characters change in line 1"),
        ("a nil b", "a ∅ b", "3 characters become 1 in line 1"),
    ],
)
def test_the_effect_on_a_text_is_told_in_characters_and_lines(old: str, new: str, said: str) -> None:
    assert text_effect(old.encode(), new.encode()) == said


def test_the_effect_on_values_is_told_in_bytes() -> None:
    found = diagnose(Document(bytes.fromhex("0c000000 04000000 00000003 61626300")))
    assert any("byte" in effect(repair) or "word" in effect(repair) for repair in found)
