"""Rule: a whole bulk edit, ``PATTERN [condition] -> new value``, read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from viewer.document.bulk.entries import Name
from viewer.document.bulk.error import BulkError
from viewer.document.bulk.literals import Reading, cut
from viewer.document.bulk.parse import COMPARE, LEVELS, Parser
from viewer.document.bulk.steps import Below, BelowNamed, Hunt, ItsKey, Only, Step, ToChildren, ToEntry, ToKey
from viewer.document.bulk.terms import About, Call, Chain, Constant, Itself, Term
from viewer.document.bulk.tokens import Sort, bracket_end
from viewer.variant.items import Item

MOST_STEPS = 50
MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Rule:
    """A bulk edit.

    Args:
        frame: the only frame that it is about, None for all.
        steps: lead from the value of a frame to those that may change.
        condition: which of them do, None for all.
        new: what they become.
    """

    frame: int | None
    steps: tuple[Step, ...]
    condition: Term | None
    new: Term

    def matches(self, hunt: Hunt) -> Iterator[Item]:
        """The values of one frame that the pattern leads to; the condition is not asked yet."""
        found: Iterator[Item] = iter((Item(hunt.ground.index),) if len(hunt.ground.table) else ())
        for step in self.steps:
            found = step.follow(hunt, found)
        return found


def parse_rule(text: str, reading: Reading) -> Rule:
    """Read a bulk edit.

    Raises:
        BulkError: it is not written as one.
    """
    parser = Parser(text, reading)
    if parser.is_done():
        raise BulkError("Write which values change, an arrow, and what they become: party[*].hp -> 99.", 0)
    frame, steps = _pattern(parser)
    condition = _condition(parser)
    if not parser.skip("->"):
        if parser.is_done():
            raise parser.error("Write -> and the new value behind it.")
        raise parser.error(f"“{parser.now.text}” does not belong here: write -> and the new value.")
    new = parser.expression()
    if not parser.is_done():
        raise parser.error(f"The new value is complete, but more follows: “{text[parser.now.start :][:40]}”.")
    return Rule(frame, tuple(steps), condition, new)


# The condition


def _condition(parser: Parser) -> Term | None:
    """``< 10 and index > 2``, where the value itself is what is compared first, or ``if …``."""
    if parser.now.is_word("if"):
        parser.take()
        return parser.expression()
    is_compared = parser.now.sort in (Sort.SIGN, Sort.WORD) and LEVELS.get(parser.now.text) == COMPARE
    return parser.expression(Itself()) if is_compared else None


# The pattern


def _pattern(parser: Parser) -> tuple[int | None, list[Step]]:
    frame, steps = _beginning(parser)
    while parser.now.is_sign(".", "..", "[", "@"):
        steps.append(_step(parser))
        if len(steps) > MOST_STEPS:
            raise parser.error(f"A pattern has at most {MOST_STEPS} steps.")
    return frame, steps


def _beginning(parser: Parser) -> tuple[int | None, list[Step]]:
    """The frame, where there is one in brackets, or the first step."""
    token = parser.now
    if token.sort in (Sort.WORD, Sort.NAME):
        return None, [ToEntry(Name(parser.name("at the beginning")), _rank(parser))]
    if not token.is_sign("["):
        if not token.is_sign(".", ".."):
            raise parser.error("A pattern begins with a name, with a frame in brackets like [0] or [*], or with ..")
        return None, []
    number = parser.following
    if number.is_sign("*"):
        parser.take()
        parser.take()
        parser.need("]", "behind [*")
        return None, []
    if number.sort is Sort.NUMBER and number.text.isdigit() and len(number.text) <= MOST_DIGITS:
        parser.take()
        frame = int(parser.take().text)
        parser.need("]", "behind the number of the frame")
        return frame, []
    if number.is_sign("?"):
        parser.take()
        return None, [Only(_asked(parser))]
    return None, []


def _step(parser: Parser) -> Step:
    if parser.now.is_sign("["):
        return _bracket(parser)
    if parser.now.is_sign("@"):
        sign = parser.take()
        if parser.name("behind @") != "key":
            raise parser.error("Only values and their keys can be set: @key.", sign)
        return ItsKey()
    is_deep = parser.take().text == ".."
    if is_deep and parser.now.is_sign("["):
        return _deep_bracket(parser)
    if parser.skip("*"):
        return Below() if is_deep else ToChildren()
    name = Name(parser.name("behind the dots" if is_deep else "behind the dot"))
    return BelowNamed(name) if is_deep else ToEntry(name, _rank(parser))


def _bracket(parser: Parser) -> Step:
    """``[*]``, ``[?…]`` or a key in brackets."""
    opening = parser.now
    following = parser.following
    if following.is_sign("*"):
        parser.take()
        parser.take()
        parser.need("]", "behind [*")
        return ToChildren()
    if following.is_sign("?"):
        parser.take()
        return ToChildren(_asked(parser))
    end = bracket_end(parser.text, opening.start)
    key = cut(parser.text, opening.start + 1, end - 1, parser.reading)
    parser.jump(end)
    if key.type == "String" and isinstance(key.data, str):
        return ToEntry(Name(key.data), _rank(parser))
    return ToKey(key, _rank(parser))


def _deep_bracket(parser: Parser) -> Step:
    """``..["any key"]`` or ``..[condition]``."""
    opening = parser.take()
    if parser.now.sort is Sort.TEXT and parser.following.is_sign("]"):
        key = cut(parser.text, parser.now.start, parser.now.end, parser.reading)
        parser.take()
        parser.take()
        return BelowNamed(Name(str(key.data)))
    parser.skip("?")
    condition = parser.expression()
    parser.need("]", f"for the bracket at character {opening.start + 1}")
    return Below(condition, _named_type(condition))


def _asked(parser: Parser) -> Term:
    """The condition behind ``?``, up to the closing bracket."""
    parser.need("?", "before the condition")
    condition = parser.expression()
    parser.need("]", "behind the condition")
    return condition


def _rank(parser: Parser) -> int:
    """``#2`` behind a key, 1 where there is none."""
    if not parser.skip("#"):
        return 1
    token = parser.now
    if (
        token.sort is not Sort.NUMBER
        or not token.text.isdigit()
        or len(token.text) > MOST_DIGITS
        or not int(token.text)
    ):
        raise parser.error("Behind # stands which of the equal keys is meant: #2.")
    return int(parser.take().text)


def _named_type(condition: Term) -> str | None:
    """The type that every value has for which the condition holds, where it says so first."""
    if isinstance(condition, Chain) and not condition.until:
        return _named_type(condition.terms[0])
    if isinstance(condition, Call) and len(condition.terms) == 2 and condition.do is not None:
        left, right = condition.terms
        if isinstance(left, About) and left.what == "type" and isinstance(right, Constant):
            from viewer.document.bulk.operations import equal

            if condition.do is equal and isinstance(right.data, str):
                return right.data
    return None
