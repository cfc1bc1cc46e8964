"""Terms: what a filter asks of a packet, once its text is read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Sign(Enum):
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


class NumberField(Enum):
    """A number that every packet has."""

    NUMBER = "number"
    SIZE = "size"
    CHANNEL = "channel"


class NameField(Enum):
    """A word that every packet has."""

    KIND = "kind"
    CARRIER = "carrier"
    PROTOCOL = "protocol"


class Side(Enum):
    """Which end of a packet an address is compared with."""

    FROM = "from"
    TO = "to"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class TextIs:
    """The text stands somewhere in what the row shows, upper and lower case alike."""

    text: str


@dataclass(frozen=True, slots=True)
class FlagIs:
    """The packet is that."""

    flag: Flag


@dataclass(frozen=True, slots=True)
class NumberIs:
    """A number of the packet compares so."""

    field: NumberField
    sign: Sign
    value: float


@dataclass(frozen=True, slots=True)
class NameIs:
    """A word of the packet compares so."""

    field: NameField
    sign: Sign
    text: str


@dataclass(frozen=True, slots=True)
class AddressIs:
    """An end of the packet has this host and port; None is any."""

    side: Side
    host: str | None
    port: int | None


@dataclass(frozen=True, slots=True)
class KeyIs:
    """The packet is a Dictionary, and its value at a key compares so."""

    key: str
    sign: Sign
    value: str | float | bool | None


@dataclass(frozen=True, slots=True)
class Not:
    """What the other is not."""

    inner: Term


@dataclass(frozen=True, slots=True)
class All:
    """Every one of these."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """One of these at least."""

    terms: tuple[Term, ...]


Term: TypeAlias = TextIs | FlagIs | NumberIs | NameIs | AddressIs | KeyIs | Not | All | Any
