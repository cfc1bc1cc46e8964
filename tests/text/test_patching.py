"""A text that is written again keeps the bytes of all that did not change."""

from __future__ import annotations

import random

import pytest

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.structure import delete
from viewer.document.path import parse_path
from viewer.text import patching

CHANGES = {"1.50": "9.25", "1e2": "7.125", '"\\u0061"': '"fresh"', "true": "false", "9.25": "1.75"}
SPELLINGS = ("1.50", "1e2", "-0.0", "3", "[1, 2.0]", "[ ]", '"\\u0061"', '{"x":7.10}', "true")


@pytest.mark.parametrize("alike", [1, 3, patching.MANY_ALIKE])
@pytest.mark.parametrize("named", [False, True])
def test_values_far_apart_are_changed_and_no_other(monkeypatch: pytest.MonkeyPatch, named: bool, alike: int) -> None:
    monkeypatch.setattr(patching, "MANY_ALIKE", alike)
    dice = random.Random(f"{named} {alike}")
    for _ in range(12):
        spelled = [dice.choice(SPELLINGS) for _ in range(dice.choice([25, 60, 200]))]
        document = Document(text_of(spelled, named))
        for _ in range(3):
            number = dice.choice([number for number, text in enumerate(spelled) if text in CHANGES])
            spelled[number] = CHANGES[spelled[number]]
            value = parse_path(document, f"[0].k{number}" if named else f"[0][{number}]")
            document.apply(set_literal(document, value, spelled[number]))
        assert document.text is not None
        assert document.text.outside == text_of(spelled, named)


def text_of(spelled: list[str], named: bool) -> bytes:
    """The values in one collection, each in a line."""
    if not named:
        return ("[\n" + ",\n".join(spelled) + "\n]").encode()
    return ("{\n" + ",\n".join(f'"k{number}":  {text}' for number, text in enumerate(spelled)) + "\n}\n").encode()


def test_a_row_is_taken_away_between_values_that_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patching, "MANY_ALIKE", 2)
    spelled = [f"{number}.50" for number in range(90)]
    document = Document(text_of(spelled, named=True))
    document.apply(set_literal(document, parse_path(document, "[0].k80"), "0.25"))
    document.apply(delete(document, [parse_path(document, "[0].k40")]))
    document.apply(set_literal(document, parse_path(document, "[0].k3"), "1.5"))
    spelled[3], spelled[80] = "1.5", "0.25"
    assert document.text is not None
    assert document.text.outside == text_of(spelled, named=True).replace(b'"k40":  40.50,\n', b"")
