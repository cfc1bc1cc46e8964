"""The language of the packets' filter: what is read, and what is refused in one sentence with its place."""

from __future__ import annotations

import pytest

from viewer.document.packets.filter_language import (
    AddressFilter,
    AddressSide,
    AndFilter,
    Comparison,
    FilterError,
    Flag,
    FlagFilter,
    KeyFilter,
    NameField,
    NameFilter,
    NotFilter,
    NumberColumn,
    NumberFilter,
    OrFilter,
    Term,
    TextFilter,
    parse_filter,
)

MOVE = KeyFilter("cmd", Comparison.EQUAL, "move")
LARGE = NumberFilter(NumberColumn.SIZE, Comparison.MORE, 100)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("move", TextFilter("move")),
        ("Move", TextFilter("move")),
        ("don't", TextFilter("don't")),
        ('"two words"', TextFilter("two words")),
        (r'"a \"b\""', TextFilter('a "b"')),
        ("size", TextFilter("size")),
        ("from", TextFilter("from")),
        ("error", FlagFilter(Flag.ERROR)),
        ("WARNING", FlagFilter(Flag.WARNING)),
        ("copy", FlagFilter(Flag.COPY)),
        ("control", FlagFilter(Flag.CONTROL)),
        ("incomplete", FlagFilter(Flag.INCOMPLETE)),
        ("size > 100", LARGE),
        ("size>100", LARGE),
        ("size 100", NumberFilter(NumberColumn.SIZE, Comparison.EQUAL, 100)),
        ("number <= 7", NumberFilter(NumberColumn.NUMBER, Comparison.AT_MOST, 7)),
        ("channel 2", NumberFilter(NumberColumn.CHANNEL, Comparison.EQUAL, 2)),
        ("channel != 2", NumberFilter(NumberColumn.CHANNEL, Comparison.UNEQUAL, 2)),
        ("from 127.0.0.1:45001", AddressFilter(AddressSide.FROM, "127.0.0.1", 45001)),
        ("from 127.0.0.1", AddressFilter(AddressSide.FROM, "127.0.0.1", None)),
        ("to [::1]:9000", AddressFilter(AddressSide.TO, "::1", 9000)),
        ("to ::1", AddressFilter(AddressSide.TO, "::1", None)),
        ("to :9000", AddressFilter(AddressSide.TO, None, 9000)),
        ("from != ::1", NotFilter(AddressFilter(AddressSide.FROM, "::1", None))),
        ("port 45001", AddressFilter(AddressSide.EITHER, None, 45001)),
        ("port == 45001", AddressFilter(AddressSide.EITHER, None, 45001)),
        ("type == Dictionary", NameFilter(NameField.KIND, Comparison.EQUAL, "dictionary")),
        ("kind call", NameFilter(NameField.KIND, Comparison.HAS, "call")),
        ("carrier enet", NameFilter(NameField.CARRIER, Comparison.HAS, "enet")),
        ("protocol != unknown", NameFilter(NameField.PROTOCOL, Comparison.UNEQUAL, "unknown")),
        ('cmd == "move"', MOVE),
        ("cmd = move", MOVE),
        ("hp < 10.5", KeyFilter("hp", Comparison.LESS, 10.5)),
        ("seq >= 9007199254740993", KeyFilter("seq", Comparison.AT_LEAST, 9007199254740993)),
        ("alive == true", KeyFilter("alive", Comparison.EQUAL, True)),
        ("target != null", KeyFilter("target", Comparison.UNEQUAL, None)),
        ('"my key" == "5"', KeyFilter("my key", Comparison.EQUAL, "5")),
        ("not error", NotFilter(FlagFilter(Flag.ERROR))),
        ("not not error", NotFilter(NotFilter(FlagFilter(Flag.ERROR)))),
        ('a b "c"', AndFilter((TextFilter("a"), TextFilter("b"), TextFilter("c")))),
        ("a and b or c", OrFilter((AndFilter((TextFilter("a"), TextFilter("b"))), TextFilter("c")))),
        ("a and (b or c)", AndFilter((TextFilter("a"), OrFilter((TextFilter("b"), TextFilter("c")))))),
        ("not (a b)", NotFilter(AndFilter((TextFilter("a"), TextFilter("b"))))),
        ('cmd == "move" and size > 100', AndFilter((MOVE, LARGE))),
        ("", None),
        ("   ", None),
    ],
)
def test_a_filter_is_read(text: str, term: Term | None) -> None:
    assert parse_filter(text) == term


@pytest.mark.parametrize(
    ("text", "words", "position"),
    [
        ("size > big", "compared with a number", 7),
        ("size >", "A number should be here", 6),
        ("cmd ==", "A value should be here", 6),
        ("cmd == )", "A value should be here", 7),
        ('cmd > "move"', "Only numbers", 4),
        ("kind > call", "== or !=", 5),
        ("port x", "A port is a number", 5),
        ("port 70000", "A port is a number", 5),
        ("from > 9", "== or !=", 5),
        ("(a", "closing parenthesis", 0),
        ("a )", "no opening one", 2),
        ("a and", "Something to look for", 5),
        ("or a", "Something to look for", 0),
        ("not", "Something to look for", 3),
        ("> 5", "Something to look for", 0),
        ('a "b', "closing quote", 2),
        ("(" * 60, "50 deep", 50),
        ("not " * 60, "50 deep", 200),
        ("x" * 10_001, "10000 characters", 10_000),
    ],
)
def test_what_is_wrong_is_one_sentence_with_its_place(text: str, words: str, position: int) -> None:
    with pytest.raises(FilterError, match=words) as told:
        parse_filter(text)
    assert told.value.position == position
    assert str(told.value).endswith(f"(character {position + 1}).")
