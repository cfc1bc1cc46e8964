"""A pattern that is compiled late is a pattern."""

from __future__ import annotations

import re

import pytest

from viewer.base.late_pattern import late_pattern


def test_it_finds_what_the_pattern_finds() -> None:
    digits, letters = late_pattern("[0-9]+"), late_pattern(rb"[a-z]+", re.IGNORECASE)
    assert [found[0] for found in digits.finditer("1 22")] == ["1", "22"]
    assert letters.fullmatch(b"Abc") is not None
    assert (digits.pattern, digits.sub("-", "a1"), letters.flags & re.IGNORECASE) == ("[0-9]+", "a-", re.IGNORECASE)


def test_it_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    compiled = re.compile
    monkeypatch.setattr(re, "compile", lambda source, flags=0: seen.append(source) or compiled(source, flags))
    late = late_pattern("a+")
    assert seen == []
    assert late.match("aa") is not None
    assert late.match("b") is None
    assert seen == ["a+"]


def test_what_a_pattern_has_not_it_has_not_either() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = late_pattern("a").nothing
