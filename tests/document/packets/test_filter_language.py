"""The language of the packets' filter: what is read, and what is refused in one sentence with its place."""

from __future__ import annotations

import pytest

from viewer.document.packets.filter_language import (
    AddressIs,
    All,
    Any,
    Comparison,
    FilterError,
    Flag,
    FlagIs,
    KeyIs,
    NameField,
    NameIs,
    NotFilter,
    NumberColumn,
    NumberIs,
    Side,
    Term,
    TextIs,
    parse_filter,
)

MOVE = KeyIs("cmd", Comparison.EQUAL, "move")
LARGE = NumberIs(NumberColumn.SIZE, Comparison.MORE, 100)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("move", TextIs("move")),
        ("Move", TextIs("move")),
        ("don't", TextIs("don't")),
        ('"two words"', TextIs("two words")),
        (r'"a \"b\""', TextIs('a "b"')),
        ("size", TextIs("size")),
        ("from", TextIs("from")),
        ("error", FlagIs(Flag.ERROR)),
        ("WARNING", FlagIs(Flag.WARNING)),
        ("copy", FlagIs(Flag.COPY)),
        ("control", FlagIs(Flag.CONTROL)),
        ("incomplete", FlagIs(Flag.INCOMPLETE)),
        ("size > 100", LARGE),
        ("size>100", LARGE),
        ("size 100", NumberIs(NumberColumn.SIZE, Comparison.EQUAL, 100)),
        ("number <= 7", NumberIs(NumberColumn.NUMBER, Comparison.AT_MOST, 7)),
        ("channel 2", NumberIs(NumberColumn.CHANNEL, Comparison.EQUAL, 2)),
        ("channel != 2", NumberIs(NumberColumn.CHANNEL, Comparison.UNEQUAL, 2)),
        ("from 127.0.0.1:45001", AddressIs(Side.FROM, "127.0.0.1", 45001)),
        ("from 127.0.0.1", AddressIs(Side.FROM, "127.0.0.1", None)),
        ("to [::1]:9000", AddressIs(Side.TO, "::1", 9000)),
        ("to ::1", AddressIs(Side.TO, "::1", None)),
        ("to :9000", AddressIs(Side.TO, None, 9000)),
        ("from != ::1", NotFilter(AddressIs(Side.FROM, "::1", None))),
        ("port 45001", AddressIs(Side.EITHER, None, 45001)),
        ("port == 45001", AddressIs(Side.EITHER, None, 45001)),
        ("type == Dictionary", NameIs(NameField.KIND, Comparison.EQUAL, "dictionary")),
        ("kind call", NameIs(NameField.KIND, Comparison.HAS, "call")),
        ("carrier enet", NameIs(NameField.CARRIER, Comparison.HAS, "enet")),
        ("protocol != unknown", NameIs(NameField.PROTOCOL, Comparison.UNEQUAL, "unknown")),
        ('cmd == "move"', MOVE),
        ("cmd = move", MOVE),
        ("hp < 10.5", KeyIs("hp", Comparison.LESS, 10.5)),
        ("seq >= 9007199254740993", KeyIs("seq", Comparison.AT_LEAST, 9007199254740993)),
        ("alive == true", KeyIs("alive", Comparison.EQUAL, True)),
        ("target != null", KeyIs("target", Comparison.UNEQUAL, None)),
        ('"my key" == "5"', KeyIs("my key", Comparison.EQUAL, "5")),
        ("not error", NotFilter(FlagIs(Flag.ERROR))),
        ("not not error", NotFilter(NotFilter(FlagIs(Flag.ERROR)))),
        ('a b "c"', All((TextIs("a"), TextIs("b"), TextIs("c")))),
        ("a and b or c", Any((All((TextIs("a"), TextIs("b"))), TextIs("c")))),
        ("a and (b or c)", All((TextIs("a"), Any((TextIs("b"), TextIs("c")))))),
        ("not (a b)", NotFilter(All((TextIs("a"), TextIs("b"))))),
        ('cmd == "move" and size > 100', All((MOVE, LARGE))),
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
