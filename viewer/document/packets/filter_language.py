"""The little language of the packets' filter field: words, comparisons, and/or/not.

A text is read into terms once; what the terms ask of many rows at a time is
:mod:`viewer.document.packets.packet_columns`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from viewer.base.record import dataclass

# Terms: what a filter asks of a packet, once its text is read.


class Comparison(Enum):
    """How two things are compared."""

    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    HAS = "has"
    """The text has the other in it, upper and lower case alike."""


class Flag(Enum):
    """What a packet is or is not."""

    ERROR = "error"
    WARNING = "warning"
    COPY = "copy"
    CONTROL = "control"
    INCOMPLETE = "incomplete"


class NumberColumn(Enum):
    """A number that every packet has."""

    NUMBER = "number"
    SIZE = "size"
    CHANNEL = "channel"


class NameField(Enum):
    """A word that every packet has."""

    KIND = "kind"
    CARRIER = "carrier"
    PROTOCOL = "protocol"


class AddressSide(Enum):
    """Which end of a packet an address is compared with."""

    FROM = "from"
    TO = "to"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class TextFilter:
    """The text stands somewhere in what the row shows, upper and lower case alike."""

    text: str


@dataclass(frozen=True, slots=True)
class FlagFilter:
    """The packet is that."""

    flag: Flag


@dataclass(frozen=True, slots=True)
class NumberFilter:
    """A number of the packet compares so."""

    field: NumberColumn
    sign: Comparison
    value: float


@dataclass(frozen=True, slots=True)
class NameFilter:
    """A word of the packet compares so."""

    field: NameField
    sign: Comparison
    text: str


@dataclass(frozen=True, slots=True)
class AddressFilter:
    """An end of the packet has this host and port; None is any."""

    side: AddressSide
    host: str | None
    port: int | None


@dataclass(frozen=True, slots=True)
class KeyFilter:
    """The packet is a Dictionary, and its value at a key compares so."""

    key: str
    sign: Comparison
    value: str | float | bool | None


@dataclass(frozen=True, slots=True)
class NotFilter:
    """What the other is not."""

    inner: Term


@dataclass(frozen=True, slots=True)
class AndFilter:
    """Every one of these."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class OrFilter:
    """One of these at least."""

    terms: tuple[Term, ...]


Term: TypeAlias = (
    TextFilter | FlagFilter | NumberFilter | NameFilter | AddressFilter | KeyFilter | NotFilter | AndFilter | OrFilter
)


MOST_LETTERS = 10_000
DEEPEST = 50
"""Parentheses inside parentheses, and ``not`` before ``not``."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"""|(?P<sign>==|!=|<=|>=|[=<>()])"""
    r"""|(?P<word>(?:[^\s()"'=<>!]|(?<=\w)['!](?!=))+|!))"""
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class FilterError(ValueError):
    """A filter that cannot be understood; the text is one sentence that says what to write.

    Args:
        position: where in the text, in characters from 0 on.
    """

    def __init__(self, sentence: str, position: int) -> None:
        super().__init__(f"{sentence[:-1]} (character {position + 1}).")
        self.position = position


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    at: int
    kind: str

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and self.text.casefold() in words


def parse_filter(text: str) -> Term | None:
    """Read a filter; None where there is nothing in it but blanks, which every packet passes.

    Raises:
        FilterError: it cannot be understood.
    """
    if len(text) > MOST_LETTERS:
        raise FilterError(f"A filter has {MOST_LETTERS} characters at most.", MOST_LETTERS)
    tokens = _tokens(text)
    return _Parser(tokens, len(text.rstrip())).whole() if tokens else None


def _tokens(text: str) -> list[_Token]:
    found, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise FilterError("The closing quote of this text is missing.", at)
        kind = match.lastgroup
        word = match[kind]
        if kind == "quoted":
            word = _ESCAPE.sub(r"\1", word[1:-1])
        found.append(_Token(word, match.start(kind), kind))
        at = match.end()
    return found


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[_Token], end: int) -> None:
        self._tokens = tokens
        self._end = _Token("", end, "end")
        self._next = 0
        self._depth = 0

    def whole(self) -> Term:
        """The term that all tokens are."""
        found = self._any()
        if self._peek().kind != "end":
            raise FilterError("This closing parenthesis has no opening one.", self._peek().at)
        return found

    def _peek(self, ahead: int = 0) -> _Token:
        place = self._next + ahead
        return self._tokens[place] if place < len(self._tokens) else self._end

    def _take(self) -> _Token:
        found = self._peek()
        self._next += 1
        return found

    def _any(self) -> Term:
        terms = [self._all()]
        while self._peek().is_word("or"):
            self._take()
            terms.append(self._all())
        return terms[0] if len(terms) == 1 else OrFilter(tuple(terms))

    def _all(self) -> Term:
        terms = [self._single()]
        while not (self._peek().kind == "end" or self._peek().text == ")" or self._peek().is_word("or")):
            if self._peek().is_word("and"):
                self._take()
            terms.append(self._single())
        return terms[0] if len(terms) == 1 else AndFilter(tuple(terms))

    def _single(self) -> Term:
        token = self._take()
        if token.is_word("not", "!"):
            return NotFilter(self._deeper(token, self._single))
        if token.kind == "sign" and token.text == "(":
            found = self._deeper(token, self._any)
            if self._take().text != ")":
                raise FilterError("The closing parenthesis for this one is missing.", token.at)
            return found
        if token.kind == "end" or token.kind == "sign" or token.is_word("and", "or"):
            raise FilterError("Something to look for should be here.", token.at)
        return self._term(token)

    def _deeper(self, token: _Token, read: Callable[[], Term]) -> Term:
        if self._depth >= DEEPEST:
            raise FilterError(f"Parentheses and “not” may be nested {DEEPEST} deep at most.", token.at)
        self._depth += 1
        found = read()
        self._depth -= 1
        return found

    def _term(self, token: _Token) -> Term:
        """What begins with a word or a quoted text."""
        name = token.text.casefold() if token.kind == "word" else ""
        if name in ("from", "to", "port") and self._has_operand():
            return self._address(name)
        if name in _NUMBERS and (self._compares() or _is_number(self._peek())):
            return self._number(_NUMBERS[name])
        if name in _NAMES and self._has_operand():
            return self._name(_NAMES[name])
        if self._compares():
            return self._key(token)
        if name in _FLAGS:
            return FlagFilter(_FLAGS[name])
        return TextFilter(token.text.casefold())

    def _compares(self) -> bool:
        return self._peek().kind == "sign" and self._peek().text not in "()"

    def _has_operand(self) -> bool:
        following = self._peek()
        return (
            self._compares()
            or following.kind == "quoted"
            or not (following.kind in ("end", "sign") or following.is_word("and", "or"))
        )

    def _sign(self, default: Comparison) -> Comparison:
        if not self._compares():
            return default
        text = self._take().text
        return Comparison.EQUAL if text == "=" else Comparison(text)

    def _operand(self, what: str) -> _Token:
        found = self._take()
        if found.kind not in ("word", "quoted"):
            raise FilterError(f"{what} should be here.", found.at)
        return found

    def _number(self, field: NumberColumn) -> Term:
        sign = self._sign(Comparison.EQUAL)
        found = self._operand("A number")
        value = _number(found.text)
        if value is None:
            raise FilterError(f"“{field.value}” is compared with a number, like {field.value} > 100.", found.at)
        return NumberFilter(field, sign, value)

    def _name(self, field: NameField) -> Term:
        at = self._peek().at
        sign = self._sign(Comparison.HAS)
        if sign not in (Comparison.EQUAL, Comparison.UNEQUAL, Comparison.HAS):
            raise FilterError(f"“{field.value}” is a word: compare it with == or !=.", at)
        return NameFilter(field, sign, self._operand("A word").text.casefold())

    def _address(self, name: str) -> Term:
        at = self._peek().at
        sign = self._sign(Comparison.EQUAL)
        if sign not in (Comparison.EQUAL, Comparison.UNEQUAL):
            raise FilterError("Addresses are compared with == or !=.", at)
        found = self._operand("A port" if name == "port" else "An address")
        host, port = _address(found.text)
        if name == "port" and (port is None or host is not None):
            raise FilterError("A port is a number from 0 to 65535.", found.at)
        side = {"from": AddressSide.FROM, "to": AddressSide.TO}.get(name, AddressSide.EITHER)
        term = AddressFilter(side, host, port)
        return NotFilter(term) if sign is Comparison.UNEQUAL else term

    def _key(self, token: _Token) -> Term:
        at = self._peek().at
        sign = self._sign(Comparison.EQUAL)
        found = self._operand("A value")
        value = found.text if found.kind == "quoted" else _value(found.text)
        ordered = sign not in (Comparison.EQUAL, Comparison.UNEQUAL)
        if ordered and (isinstance(value, str | bool) or value is None):
            raise FilterError(f"Only numbers are compared with {sign.value}.", at)
        return KeyFilter(token.text, sign, value)


_NUMBERS = {each.value: each for each in NumberColumn}
_NAMES = {**{each.value: each for each in NameField}, "type": NameField.KIND}
_FLAGS = {each.value: each for each in Flag}
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


def _is_number(token: _Token) -> bool:
    return token.kind == "word" and _number(token.text) is not None


def _number(text: str) -> float | None:
    """A number as people write it; int where it is whole, so that large ones stay exact."""
    try:
        return int(text) if len(text) <= 20 else float(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


def _value(text: str) -> str | float | bool | None:
    if text in _WORDS:
        return _WORDS[text]
    found = _number(text)
    return text if found is None else found


def _address(text: str) -> tuple[str | None, int | None]:
    """Host and port of ``127.0.0.1:9000``, ``[::1]:9000``, ``::1``, ``9000``, ``:9000``."""
    bracketed = re.fullmatch(r"\[([^]]*)\](?::([0-9]{1,5}))?", text)
    if bracketed:
        return bracketed[1].casefold(), int(bracketed[2]) if bracketed[2] else None
    host, colon, port = text.rpartition(":")
    if text.count(":") > 1:
        return text.casefold(), None
    if port.isascii() and port.isdigit() and int(port[:6]) <= 0xFFFF and (colon or "." not in text):
        return host.casefold() or None, int(port)
    return text.casefold(), None
