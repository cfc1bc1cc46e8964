"""What a phrase means that is no value."""

from __future__ import annotations

import pytest

from viewer.text.phrase_meanings import meanings


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("<b>true</b>", "true"),
        ("x1234", "1234"),
        ("12i64", "12"),
        ("12.5f32", "12.5"),
        ("$12", "12"),
        ("12!", "12"),
        ("500 coins", "500"),
        ("- 5", "-5"),
        ("12..5", "12.5"),
        ("13,579.5", "13579.5"),
        ("3 * 4", "12"),
        ("1 << 3", "8"),
        ("\uff11\uff12", "12"),
        ("N/A", "null"),
        ("12:30:05", '"12:30:05"'),
        ("1.2.3", '"1.2.3"'),
        ("'Old Tom'", '"Old Tom"'),
        ("Old Tom", '"Old Tom"'),
        ("R2", '"R2"'),
        ('""Old Tom"', '"Old Tom"'),
        ('"a" !', '"a"'),
    ],
)
def test_the_likeliest_meaning_says_most_of_it(phrase: str, meant: str) -> None:
    likeliest = min(meanings(phrase.encode()), key=lambda each: each.cost)
    assert likeliest.value.decode() == meant


@pytest.mark.parametrize(
    ("phrase", "lost"),
    [
        ('"Old Tom', "The quote at the end of a text is missing"),
        ('Old Tom"', "The quote at the beginning of a text is missing"),
        ("Old Tom", "A text lacks its quotes"),
    ],
)
def test_of_quotes_those_are_named_that_are_missing(phrase: str, lost: str) -> None:
    likeliest = min(meanings(phrase.encode()), key=lambda each: each.cost)
    assert (likeliest.value, likeliest.sentence) == (b'"Old Tom"', lost)


def test_in_a_call_a_number_is_likelier_than_a_text() -> None:
    called = min(meanings(b"'12.5'", is_called=True), key=lambda each: each.cost)
    assert (called.value, min(meanings(b"'12.5'"), key=lambda each: each.cost).value) == (b"12.5", b'"12.5"')


@pytest.mark.parametrize("phrase", [b"", b"\xff\xfe", b"9" * 999, b"1 << 99999", b"2 ** 99999999", b"1 / 0"])
def test_hostile_phrases_cost_nothing(phrase: bytes) -> None:
    assert all(len(each.value) < 100 for each in meanings(phrase))
