"""Parse: the text of a bulk edit to a pattern, a condition and a new value.

Brackets nest as deep as :data:`DEEPEST` and there are at most :data:`MOST_TERMS` operations, so that neither reading an
expression nor asking it can exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.document.bulk import operations
from viewer.document.bulk.entries import Name
from viewer.document.bulk.error import BulkError
from viewer.document.bulk.functions import FUNCTIONS
from viewer.document.bulk.ground import Data, plain
from viewer.document.bulk.literals import Reading, cut
from viewer.document.bulk.regex import bounded
from viewer.document.bulk.terms import About, Call, Chain, Constant, Entry, Itself, Matches, Not, Term, Vector, Within
from viewer.document.bulk.tokens import Sort, Token, bracket_end, tokens
from viewer.variant.dialect import Kind

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

    def __init__(self, text: str, reading: Reading) -> None:
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
        return self._tokens[self._at].sort is Sort.END

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
        while self.now.start < end and self.now.sort is not Sort.END:
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
        return LEVELS.get(self.now.text, 0) if self.now.sort in (Sort.SIGN, Sort.WORD) else 0

    def _binary(self, left: Term, level: int) -> Term:
        self._count()
        token = self.take()
        if token.text in ("and", "or"):
            return Chain((left, self.expression(level=level + 1)), token.text == "or")
        right_at = self.now
        right = self.expression(level=level + 1)
        if level == COMPARE and self._level() == COMPARE:
            raise self.error("Comparisons are joined with and: write a < b and b < c.")
        if token.text == "matches":
            return self._matches(left, right, right_at)
        self._check_type(left, right, right_at)
        return Call(OPERATIONS[token.text], (left, right))

    def _matches(self, left: Term, right: Term, token: Token) -> Term:
        if not isinstance(right, Constant) or not isinstance(right.data, str):
            raise self.error("Behind “matches” stands a pattern in quotes.", token)
        return Matches(left, bounded(right.data, token.start))

    def _check_type(self, left: Term, right: Term, token: Token) -> None:
        """A type that the file's engine does not have is a slip of the pen."""
        names = self.reading.dialect.by_name
        if not (isinstance(left, About) and left.what == "type" and isinstance(right, Constant)):
            return
        if isinstance(right.data, str) and right.data not in names:
            raise self.error(f"{self.reading.dialect.name} has no type “{right.data[:40]}”.", token)

    def _unary(self, level: int) -> Term:
        if self.now.is_word("not") and level <= NOT:
            self._count()
            self.take()
            return Not(self.expression(level=NOT))
        if self.now.is_sign("-", "+"):
            self._count()
            sign = self.take()
            self._enter()
            term = self._unary(PRODUCT + 1)
            self._depth -= 1
            if isinstance(term, Constant) and isinstance(term.data, int | float) and not isinstance(term.data, bool):
                return Constant(-term.data if sign.text == "-" else term.data)
            return Call(operations.negative, (term,)) if sign.text == "-" else term
        return self._postfix(self._primary())

    def _postfix(self, term: Term) -> Term:
        while self.now.is_sign(".", "["):
            self._count()
            if self.skip("."):
                term = Within(term, Name(self.name("behind the dot")))
            else:
                start = self.now
                value = cut(self.text, start.start + 1, bracket_end(self.text, start.start) - 1, self.reading)
                self.jump(bracket_end(self.text, start.start))
                term = Within(term, Name(value.data) if isinstance(value.data, str) else value)
        return term

    def name(self, where: str) -> str:
        """A name, in backticks or not."""
        if self.now.sort is Sort.NAME:
            return self.take().text[1:-1]
        if self.now.sort is not Sort.WORD:
            raise self.error(f"A name is missing {where}.")
        return self.take().text

    def _primary(self) -> Term:
        token = self.now
        if token.sort is Sort.NAME:
            return Entry(Name(self.take().text[1:-1]))
        if token.sort is Sort.WORD:
            return self._word(token)
        if token.sort in (Sort.NUMBER, Sort.TEXT):
            self.take()
            return Constant(plain(cut(self.text, token.start, token.end, self.reading)))
        if self.skip("("):
            term = self.expression()
            self.need(")", "behind what stands in brackets")
            return term
        if token.is_sign("[", "{"):
            return self._cut(bracket_end(self.text, token.start))
        if token.is_sign("&", "@", "^") and self.following.sort is Sort.TEXT:
            return self._cut(self.following.end)
        if token.sort is Sort.END:
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
            raise self.error(f"A value is missing before “{token.text}”; a name like that stands in `backticks`.")
        self.take()
        if token.text == "value":
            return Itself()
        if token.text in ("type", "key", "index"):
            return About(token.text)
        if token.text in ("true", "false", "null"):
            return Constant({"true": True, "false": False, "null": None}[token.text])
        if token.text in ("inf", "nan"):
            return Constant(float(token.text))
        return Entry(Name(token.text))

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
            raise self.error(f"{row.name} takes {len(row.narrow)} numbers, here are {len(terms)}.", token)
        return Vector(row.name, terms)

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
            raise self.error(f"{token.text} takes {takes} values, here are {len(terms)}.", token)
        return Call(do, terms)

    def arguments(self, what: str) -> tuple[Term, ...]:
        """The values in the brackets that begin here."""
        self.need("(", f"behind {what}")
        terms: list[Term] = []
        while not self.skip(")"):
            if terms:
                self.need(",", f"between the values of {what}")
            terms.append(self.expression())
        return tuple(terms)
