"""What a person may type in a number's place and have counted out."""

from __future__ import annotations

import pytest

from viewer.variant.literal.arithmetic import ArithmeticProblem, calculate, is_arithmetic, written_out


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("+5", 105),
        ("+=5", 105),
        ("-=5", 95),
        ("-5", -5),
        ("*2", 200),
        ("/4", 25),
        ("/8", 12.5),
        ("5000+5", 5005),
        ("2+3*4", 14),
        ("(2+3)*4", 20),
        ("5-3-1", 1),
        ("2*-3", -6),
        ("-(2+1)", -3),
        ("0x1F + 1", 32),
        ("1.5*2", 3.0),
        (" 7 - 2 ", 5),
    ],
)
def test_what_it_comes_to_from_a_hundred(text: str, result: float) -> None:
    found = calculate(text, 100)
    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize("text", ["+5", "*2", "/3", "5+5", "-5+2", "(5", "0x1F+1", "2024-01-02", "-=5"])
def test_arithmetic_is_known(text: str) -> None:
    assert is_arithmetic(text)


@pytest.mark.parametrize("text", ["5", "-5", "1e-5", "0x1F", "1_000", "nan", "-inf", "word", "", "a+b", "1+" * 200])
def test_what_is_a_number_or_none_is_left_alone(text: str) -> None:
    assert not is_arithmetic(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [("1/0", 1), ("5+", 2), ("5 5", 2), ("((1)", 0), ("1)", 1), ("2(3)", 1), ("5+a", 2), ("()", 1), ("*/2", 1)],
)
def test_what_has_no_result_says_where(text: str, place: int) -> None:
    with pytest.raises(ArithmeticProblem) as found:
        calculate(text, 1)
    assert found.value.position == place
    assert str(found.value).endswith(".")


def test_a_result_out_of_all_bounds_is_refused() -> None:
    with pytest.raises(ArithmeticProblem, match="larger than any"):
        calculate("9" * 79 + ("*" + "9" * 79) * 8, 0)


@pytest.mark.parametrize(
    ("typed", "out"),
    [
        ("+10", "now + 10"),
        ("*-2", "now * -2"),
        ("-=5", "now - 5"),
        ("=(3+4)*2", "(3 + 4) * 2"),
        ("+0x10*2", "now + 16 * 2"),
    ],
)
def test_arithmetic_is_written_out_with_the_number_that_it_goes_on_from(typed: str, out: str) -> None:
    assert written_out(typed, "now") == out
    assert eval(out, {"now": 7}) == calculate(typed, 7)
