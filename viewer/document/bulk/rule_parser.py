"""Parse: the text of a bulk edit to a pattern, a condition and a new value.

Brackets nest as deep as :data:`DEEPEST` and there are at most :data:`MOST_TERMS` operations, so that neither reading an
expression nor asking it can exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.document.bulk import operations
from viewer.document.bulk.frame_values import BulkError, Data, Name, plain
from viewer.document.bulk.guessed_patterns import suggested
from viewer.document.bulk.operations import FUNCTIONS, LiteralDialect, cut
from viewer.document.bulk.steps import (
    ChildrenStep,
    ConditionStep,
    DescendantsStep,
    EntryStep,
    KeyOfStep,
    KeyStep,
    NamedDescendantsStep,
    PatternRun,
    PatternStep,
)
from viewer.document.bulk.terms import (
    Constant,
    EntryTerm,
    FunctionCall,
    LogicalTerm,
    MatchTerm,
    MemberTerm,
    NotTerm,
    PropertyTerm,
    Term,
    ValueTerm,
    VectorTerm,
)
from viewer.document.bulk.text_patterns import bounded
from viewer.variant.dialect import Kind
from viewer.variant.items import Item

# Tokens: the text of a bulk edit in words, numbers, texts and signs.
#
# Values that only the engine's own text form can write (lists, ``Color(…)``) are no tokens: the parser cuts them out
# by their brackets.

LONGEST = 4000
"""Characters that a bulk edit may have."""
SIGNS = ("->", "..", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}")
MORE_SIGNS = (",", ".", "?", "#", "@", "&", "^")
_SPACE = late_pattern(r"\s+")
_NUMBER = late_pattern(r"0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORD = late_pattern(r"[^\W\d]\w*")
_TEXT = late_pattern(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_QUOTED_NAME = late_pattern(r"`[^`]*`")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


class TokenSort(Enum):
    """What a token is."""

    NUMBER = "number"
    WORD = "word"
    NAME = "name in backticks"
    TEXT = "text"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token as it is written, and where it begins and ends, in characters."""

    sort: TokenSort
    text: str
    start: int
    end: int

    def is_sign(self, *signs: str) -> bool:
        """Whether this is one of these signs."""
        return self.sort is TokenSort.SIGN and self.text in signs

    def is_word(self, *words: str) -> bool:
        """Whether this is one of these words."""
        return self.sort is TokenSort.WORD and self.text in words


def tokens(text: str) -> list[Token]:
    """All tokens, an end behind them.

    Raises:
        BulkError: a sign means nothing, a text does not end, or there is too much of it.
    """
    if len(text) > LONGEST:
        raise BulkError(f"A bulk edit has at most {LONGEST} characters; make it in several steps.", LONGEST)
    out: list[Token] = []
    at = 0
    while at < len(text):
        space = _SPACE.match(text, at)
        if space is not None:
            at = space.end()
            continue
        token = _token(text, at, out[-1] if out else None)
        out.append(token)
        at = token.end
    return [*out, Token(TokenSort.END, "", len(text), len(text))]


def _token(text: str, at: int, before: Token | None) -> Token:
    for sort, pattern in (
        (TokenSort.NUMBER, _NUMBER),
        (TokenSort.WORD, _WORD),
        (TokenSort.TEXT, _TEXT),
        (TokenSort.NAME, _QUOTED_NAME),
    ):
        match = pattern.match(text, at)
        if match is not None and not (match[0][0] == "." and before is not None and before.end == at):
            return Token(sort, match[0], at, match.end())
    sign = next((sign for sign in (*SIGNS, *MORE_SIGNS) if text.startswith(sign, at)), None)
    if sign is None:
        raise _unknown(text[at], at)
    return Token(TokenSort.SIGN, sign, at, at + len(sign))


def _unknown(sign: str, at: int) -> BulkError:
    if sign in "\"'`":
        return BulkError(f"The text or name that begins here does not end: write another {sign} after it.", at)
    if sign == "=":
        return BulkError("Two values are compared with ==, and a new value follows ->.", at)
    meant = {"!": "not", "|": "or", "→": "->", "“": '"', "”": '"'}.get(sign)
    return BulkError(f"“{sign}” means nothing here" + (f"; write {meant}." if meant else "."), at)


def bracket_end(text: str, start: int) -> int:
    """Where the bracket that opens at *start* has closed; texts and inner brackets are stepped over.

    Raises:
        BulkError: it does not close.
    """
    open_ones: list[str] = []
    at = start
    while at < len(text):
        quoted = _TEXT.match(text, at)
        if quoted is not None:
            at = quoted.end()
            continue
        if text[at] in _CLOSERS:
            open_ones.append(_CLOSERS[text[at]])
        elif open_ones and text[at] == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return at + 1
        at += 1
    raise BulkError(
        f"A bracket opens here and does not close: write {_CLOSERS[text[start]]} after what it holds.", start
    )


DEEPEST = 40
MOST_TERMS = 150
OR, AND, NOT, COMPARE, SUM, PRODUCT = range(1, 7)
LEVELS = {"or": OR, "and": AND, "contains": COMPARE, "matches": COMPARE, "+": SUM, "-": SUM}
LEVELS |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), COMPARE) | dict.fromkeys("*/%", PRODUCT)


def _unequal(left: Data, right: Data) -> bool:
    return not operations.equal(left, right)


OPERATIONS: dict[str, Callable[..., Data]] = {
    "==": operations.equal,
    "!=": _unequal,
    "contains": operations.contains,
    **{sign: operations.ordered(sign) for sign in ("<", "<=", ">", ">=")},
    **{sign: operations.calculate(sign) for sign in "+-*/%"},
}


class Parser:
    """Reads expressions from tokens.

    Args:
        text: the whole bulk edit.
        reading: the file's dialect and precision, which say what a value in it may be.

    Raises:
        BulkError: from all methods: what stands there cannot be read.
    """

    def __init__(self, text: str, reading: LiteralDialect) -> None:
        self.text = text
        self.reading = reading
        self._tokens = tokens(text)
        self._at = 0
        self._depth = 0
        self._terms = 0

    # Tokens

    @property
    def now(self) -> Token:
        """The next token."""
        return self._tokens[self._at]

    def is_done(self) -> bool:
        """Whether nothing follows."""
        return self._tokens[self._at].sort is TokenSort.END

    @property
    def following(self) -> Token:
        """The one behind it."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    def take(self) -> Token:
        """Move past the next token."""
        token = self.now
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def skip(self, *signs: str) -> bool:
        """Move past one of these signs if it is next."""
        found = self.now.is_sign(*signs)
        if found:
            self.take()
        return found

    def need(self, sign: str, where: str) -> None:
        """Move past a sign that must be there."""
        if not self.skip(sign):
            raise self.error(f"{sign} is missing {where}.")

    def error(self, sentence: str, token: Token | None = None) -> BulkError:
        """What is wrong, at a token, the next one by default."""
        return BulkError(sentence, (token or self.now).start)

    def jump(self, end: int) -> None:
        """Go on with the first token that begins at *end* or behind it."""
        while self.now.start < end and self.now.sort is not TokenSort.END:
            self._at += 1

    # Expressions

    def expression(self, left: Term | None = None, level: int = OR) -> Term:
        """An expression of operators that bind at least as strongly as *level*; *left* is its beginning, if known."""
        self._enter()
        term = self._unary(level) if left is None else left
        while (found := self._level()) >= level:
            term = self._binary(term, found)
        self._depth -= 1
        return term

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.error("This is nested too deeply; make the change in several steps.")

    def _count(self) -> None:
        self._terms += 1
        if self._terms > MOST_TERMS:
            raise self.error(f"There are more than {MOST_TERMS} operations; make the change in several steps.")

    def _level(self) -> int:
        return LEVELS.get(self.now.text, 0) if self.now.sort in (TokenSort.SIGN, TokenSort.WORD) else 0

    def _binary(self, left: Term, level: int) -> Term:
        self._count()
        token = self.take()
        if token.text in ("and", "or"):
            return LogicalTerm((left, self.expression(level=level + 1)), token.text == "or")
        right_at = self.now
        right = self.expression(level=level + 1)
        if level == COMPARE and self._level() == COMPARE:
            raise self.error("Comparisons are joined with and: write a < b and b < c.")
        if token.text == "matches":
            return self._matches(left, right, right_at)
        self._check_type(left, right, right_at)
        return FunctionCall(OPERATIONS[token.text], (left, right))

    def _matches(self, left: Term, right: Term, token: Token) -> Term:
        if not isinstance(right, Constant) or not isinstance(right.data, str):
            raise self.error("“matches” is followed by a pattern in quotes.", token)
        return MatchTerm(left, bounded(right.data, token.start))

    def _check_type(self, left: Term, right: Term, token: Token) -> None:
        """A type that the file's engine does not have is a slip of the pen."""
        names = self.reading.dialect.by_name
        if not (isinstance(left, PropertyTerm) and left.what == "type" and isinstance(right, Constant)):
            return
        if isinstance(right.data, str) and right.data not in names:
            raise self.error(f"{self.reading.dialect.name} has no type “{right.data[:40]}”.", token)

    def _unary(self, level: int) -> Term:
        if self.now.is_word("not") and level <= NOT:
            self._count()
            self.take()
            return NotTerm(self.expression(level=NOT))
        if self.now.is_sign("-", "+"):
            self._count()
            sign = self.take()
            self._enter()
            term = self._unary(PRODUCT + 1)
            self._depth -= 1
            if isinstance(term, Constant) and isinstance(term.data, int | float) and not isinstance(term.data, bool):
                return Constant(-term.data if sign.text == "-" else term.data)
            return FunctionCall(operations.negative, (term,)) if sign.text == "-" else term
        return self._postfix(self._primary())

    def _postfix(self, term: Term) -> Term:
        while self.now.is_sign(".", "["):
            self._count()
            if self.skip("."):
                term = MemberTerm(term, Name(self.name("after the dot")))
            else:
                start = self.now
                value = cut(self.text, start.start + 1, bracket_end(self.text, start.start) - 1, self.reading)
                self.jump(bracket_end(self.text, start.start))
                term = MemberTerm(term, Name(value.data) if isinstance(value.data, str) else value)
        return term

    def name(self, where: str) -> str:
        """A name, in backticks or not."""
        if self.now.sort is TokenSort.NAME:
            return self.take().text[1:-1]
        if self.now.sort is not TokenSort.WORD:
            raise self.error(f"A name is missing {where}.")
        return self.take().text

    def _primary(self) -> Term:
        token = self.now
        if token.sort is TokenSort.NAME:
            return EntryTerm(Name(self.take().text[1:-1]))
        if token.sort is TokenSort.WORD:
            return self._word(token)
        if token.sort in (TokenSort.NUMBER, TokenSort.TEXT):
            self.take()
            return Constant(plain(cut(self.text, token.start, token.end, self.reading)))
        if self.skip("("):
            term = self.expression()
            self.need(")", "after what is in brackets")
            return term
        if token.is_sign("[", "{"):
            return self._cut(bracket_end(self.text, token.start))
        if token.is_sign("&", "@", "^") and self.following.sort is TokenSort.TEXT:
            return self._cut(self.following.end)
        if token.sort is TokenSort.END:
            raise self.error("A value is missing at the end.")
        raise self.error(f"A value is missing before “{token.text}”.")

    def _cut(self, end: int) -> Term:
        """A value as the engine writes it, from the next token to *end*."""
        start = self.now.start
        self.jump(end)
        return Constant(plain(cut(self.text, start, end, self.reading)))

    def _word(self, token: Token) -> Term:
        is_called = self.following.is_sign("(")
        if is_called and token.text in FUNCTIONS:
            return self._function(self.take())
        if is_called or (token.is_word("Array", "Dictionary") and self.following.is_sign("[")):
            return self._called(token)
        if token.text in ("and", "or", "not", "contains", "matches"):
            raise self.error(f"A value is missing before “{token.text}”; a name like that goes in `backticks`.")
        self.take()
        if token.text == "value":
            return ValueTerm()
        if token.text in ("type", "key", "index"):
            return PropertyTerm(token.text)
        if token.text in ("true", "false", "null"):
            return Constant({"true": True, "false": False, "null": None}[token.text])
        if token.text in ("inf", "nan"):
            return Constant(float(token.text))
        return EntryTerm(Name(token.text))

    def _called(self, token: Token) -> Term:
        """A value that begins with its type; where it takes several numbers, each may be an expression."""
        row = self.reading.dialect.by_name.get(token.text)
        end = bracket_end(self.text, self.following.start)
        while self.text[end : end + 1] in ("(", "["):
            end = bracket_end(self.text, end)
        try:
            return self._cut(end) if row is not None else self._unknown(token, end)
        except BulkError:
            if row is None or row.kind is not Kind.FIXED or len(row.narrow) < 2:
                raise
        self._at = next(k for k, found in enumerate(self._tokens) if found.start == token.start) + 1
        self._count()
        terms = self.arguments(token.text)
        if len(terms) != len(row.narrow):
            raise self.error(f"{row.name} takes {len(row.narrow)} numbers, not {len(terms)}.", token)
        return VectorTerm(row.name, terms)

    def _unknown(self, token: Token, end: int) -> Term:
        """What begins with a word that is no type: another engine line's name for one, or no function."""
        try:
            return self._cut(end)
        except BulkError as error:
            if error.position != token.start:
                raise
            functions = ", ".join(FUNCTIONS)
            raise self.error(
                f"There is no function or type “{token.text}” here; there are {functions}.", token
            ) from error

    def _function(self, token: Token) -> Term:
        self._count()
        do, least, most = FUNCTIONS[token.text]
        terms = self.arguments(token.text)
        if not least <= len(terms) <= most:
            takes = f"{least}" if least == most else f"{least} to {most}"
            raise self.error(f"{token.text} takes {takes} values, not {len(terms)}.", token)
        return FunctionCall(do, terms)

    def arguments(self, what: str) -> tuple[Term, ...]:
        """The values in the brackets that begin here."""
        self.need("(", f"after {what}")
        terms: list[Term] = []
        while not self.skip(")"):
            if terms:
                self.need(",", f"between the values of {what}")
            terms.append(self.expression())
        return tuple(terms)


# Rule: a whole bulk edit, ``PATTERN [condition] -> new value``, read.

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
    steps: tuple[PatternStep, ...]
    condition: Term | None
    new: Term

    def matches(self, hunt: PatternRun) -> Iterator[Item]:
        """The values of one frame that the pattern leads to; the condition is not asked yet."""
        found: Iterator[Item] = iter((Item(hunt.ground.index),) if len(hunt.ground.table) else ())
        for step in self.steps:
            found = step.follow(hunt, found)
        return found


def parse_rule(text: str, reading: LiteralDialect) -> Rule:
    """Read a bulk edit.

    Raises:
        BulkError: it is not written as one; the sentence says how it is, where it is written as elsewhere.
    """
    try:
        return _read(text, reading)
    except BulkError as error:
        sentence = suggested(text, lambda other: _can_be_read(other, reading)) if text.strip() else ""
        if not sentence:
            raise
        raise BulkError(sentence, error.position) from error


def _can_be_read(text: str, reading: LiteralDialect) -> bool:
    try:
        _read(text, reading)
    except BulkError:
        return False
    return True


def _read(text: str, reading: LiteralDialect) -> Rule:
    parser = Parser(text, reading)
    if parser.is_done():
        raise BulkError("Write which values change, an arrow, and what they become: party[*].hp -> 99.", 0)
    frame, steps = _pattern(parser)
    condition = _condition(parser)
    if not parser.skip("->"):
        if parser.is_done():
            raise parser.error("Write -> and the new value after it.")
        raise parser.error(f"“{parser.now.text}” does not belong here: write -> and the new value.")
    new = parser.expression()
    if not parser.is_done():
        raise parser.error(f"One new value belongs here: “{text[parser.now.start :][:40]}” is unexpected.")
    return Rule(frame, tuple(steps), condition, new)


def parse_pattern(text: str, reading: LiteralDialect) -> tuple[int | None, list[PatternStep]]:
    """Read a pattern alone: the only frame that it is about, None for all, and what leads on from there.

    Raises:
        BulkError: it is not written as one.
    """
    parser = Parser(text, reading)
    if parser.is_done():
        raise BulkError("Write where the value is: party[*].hp.", 0)
    found = _pattern(parser)
    if not parser.is_done():
        raise parser.error(f"“{parser.now.text}” does not belong here.")
    return found


# The condition


def _condition(parser: Parser) -> Term | None:
    """``< 10 and index > 2``, where the value itself is what is compared first, or ``if …``."""
    if parser.now.is_word("if"):
        parser.take()
        return parser.expression()
    is_compared = parser.now.sort in (TokenSort.SIGN, TokenSort.WORD) and LEVELS.get(parser.now.text) == COMPARE
    return parser.expression(ValueTerm()) if is_compared else None


# The pattern


def _pattern(parser: Parser) -> tuple[int | None, list[PatternStep]]:
    frame, steps = _beginning(parser)
    while parser.now.is_sign(".", "..", "[", "@"):
        steps.append(_step(parser))
        if len(steps) > MOST_STEPS:
            raise parser.error(f"A pattern has at most {MOST_STEPS} steps.")
    return frame, steps


def _beginning(parser: Parser) -> tuple[int | None, list[PatternStep]]:
    """The frame, where there is one in brackets, or the first step."""
    token = parser.now
    if token.sort in (TokenSort.WORD, TokenSort.NAME):
        return None, [EntryStep(Name(parser.name("at the beginning")), _rank(parser))]
    if not token.is_sign("["):
        if token.is_sign("*"):
            return None, [_below(parser) if _skip_stars(parser) > 1 else ChildrenStep()]
        if not token.is_sign(".", ".."):
            raise parser.error("A pattern begins with a name, with a frame in brackets like [0] or [*], or with ..")
        return None, []
    number = parser.following
    if number.is_sign("*"):
        parser.take()
        parser.take()
        parser.need("]", "after [*")
        return None, []
    if number.sort is TokenSort.NUMBER and number.text.isdigit() and len(number.text) <= MOST_DIGITS:
        parser.take()
        frame = int(parser.take().text)
        parser.need("]", "after the number of the frame")
        return frame, []
    if number.is_sign("?"):
        parser.take()
        return None, [ConditionStep(_asked(parser))]
    return None, []


def _step(parser: Parser) -> PatternStep:
    if parser.now.is_sign("["):
        return _bracket(parser)
    if parser.now.is_sign("@"):
        sign = parser.take()
        if parser.name("after @") != "key":
            raise parser.error("Only values and their keys can be set: @key.", sign)
        return KeyOfStep()
    is_deep = parser.take().text == ".."
    if is_deep and parser.now.is_sign("["):
        return _deep_bracket(parser)
    stars = _skip_stars(parser)
    if stars > 1:
        return _below(parser)
    if stars:
        return DescendantsStep() if is_deep else ChildrenStep()
    name = Name(parser.name("after the dots" if is_deep else "after the dot"))
    return NamedDescendantsStep(name) if is_deep else EntryStep(name, _rank(parser))


def _skip_stars(parser: Parser) -> int:
    """Move past ``*`` or ``**``; returns how many stars there were."""
    first = parser.now
    if not parser.skip("*"):
        return 0
    return 1 + (parser.now.start == first.end and parser.skip("*"))


def _below(parser: Parser) -> PatternStep:
    """What stands behind ``**``, which leads to any depth as two dots do; all values where nothing does."""
    dots = parser.skip(".") or parser.skip("..")
    if parser.now.is_sign("["):
        return _deep_bracket(parser)
    stars = _skip_stars(parser) if dots else 0
    if stars > 1:
        return _below(parser)
    return NamedDescendantsStep(Name(parser.name("after the dots"))) if dots and not stars else DescendantsStep()


def _bracket(parser: Parser) -> PatternStep:
    """``[*]``, ``[?…]`` or a key in brackets."""
    opening = parser.now
    following = parser.following
    if following.is_sign("*"):
        parser.take()
        parser.take()
        parser.need("]", "after [*")
        return ChildrenStep()
    if following.is_sign("?"):
        parser.take()
        return ChildrenStep(_asked(parser))
    end = bracket_end(parser.text, opening.start)
    key = cut(parser.text, opening.start + 1, end - 1, parser.reading)
    parser.jump(end)
    if key.type == "String" and isinstance(key.data, str):
        return EntryStep(Name(key.data), _rank(parser))
    return KeyStep(key, _rank(parser))


def _deep_bracket(parser: Parser) -> PatternStep:
    """``..["any key"]`` or ``..[condition]``."""
    opening = parser.take()
    if parser.now.sort is TokenSort.TEXT and parser.following.is_sign("]"):
        key = cut(parser.text, parser.now.start, parser.now.end, parser.reading)
        parser.take()
        parser.take()
        return NamedDescendantsStep(Name(str(key.data)))
    parser.skip("?")
    condition = parser.expression()
    parser.need("]", f"for the bracket at character {opening.start + 1}")
    return DescendantsStep(condition, _named_type(condition))


def _asked(parser: Parser) -> Term:
    """The condition behind ``?``, up to the closing bracket."""
    parser.need("?", "before the condition")
    condition = parser.expression()
    parser.need("]", "after the condition")
    return condition


def _rank(parser: Parser) -> int:
    """``#2`` behind a key, 1 where there is none."""
    if not parser.skip("#"):
        return 1
    token = parser.now
    if (
        token.sort is not TokenSort.NUMBER
        or not token.text.isdigit()
        or len(token.text) > MOST_DIGITS
        or not int(token.text)
    ):
        raise parser.error("# must be followed by the number of the equal key that is meant: #2.")
    return int(parser.take().text)


def _named_type(condition: Term) -> str | None:
    """The type that every value has for which the condition holds, where it says so first."""
    if isinstance(condition, LogicalTerm) and not condition.until:
        return _named_type(condition.terms[0])
    if isinstance(condition, FunctionCall) and len(condition.terms) == 2 and condition.do is not None:
        left, right = condition.terms
        if isinstance(left, PropertyTerm) and left.what == "type" and isinstance(right, Constant):
            from viewer.document.bulk.operations import equal

            if condition.do is equal and isinstance(right.data, str):
                return right.data
    return None
