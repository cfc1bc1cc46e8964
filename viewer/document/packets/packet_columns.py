"""Columns: what a run of packets holds, laid out so that a filter looks at thousands of rows within milliseconds."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Callable, Sequence
from typing import assert_never

from viewer.base.buffer import window
from viewer.base.diagnostic import Severity
from viewer.container.wire import Delivery, Endpoint, Payload
from viewer.document.packets.filter_language import (
    AddressFilter,
    AddressSide,
    AndFilter,
    Comparison,
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
)
from viewer.document.packets.packet import PayloadExplainer, SeenPayload, text_of
from viewer.document.pieces.message import FieldRole, Message
from viewer.variant.dialect import Dialect, Kind
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

# The keys of a Dictionary that is a whole payload: whether the value at one of them compares as asked.
#
# Most payloads are dismissed by a search for the key's bytes; only what has them somewhere is scanned.

LONGEST = 1 << 20
"""Payloads above so many bytes are not looked into."""

_ORDERED: dict[Comparison, Callable[[float, float], bool]] = {
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.MORE: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}


def _is_compared(kind: Kind) -> bool:
    """Whether what a value of a kind holds may be asked for."""
    match kind:
        case Kind.FIXED | Kind.STRING:
            return True
        case (
            Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.DICTIONARY
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
            | Kind.IMAGE
            | Kind.INPUT_EVENT
        ):
            return False
        case _:
            assert_never(kind)


def holds(datas: Sequence[tuple[bytes, int, Dialect | None] | None], term: KeyFilter) -> bytes:
    """For each payload 1 where it is a Dictionary whose value at the key compares so, else 0.

    Args:
        datas: bytes, where the value begins in them, and the dialect; None for what is no Dictionary.
        term: what to ask.
    """
    key = term.key.encode("utf-8", "surrogatepass")
    needle = len(key).to_bytes(4, "little") + key
    also = (
        term.value.encode("utf-8", "surrogatepass")
        if isinstance(term.value, str) and term.sign is Comparison.EQUAL
        else b""
    )
    return bytes(
        each is not None and needle in each[0] and also in each[0] and each[2] is not None and _one(*each, term, key)
        for each in datas
    )


def _one(data: bytes, start: int, dialect: Dialect | None, term: KeyFilter, key: bytes) -> bool:
    if dialect is None or len(data) > LONGEST:
        return False
    table = scan(window(data, start), dialect)
    root = table.row(0) if len(table) else None
    if root is None or root.kind is not Kind.DICTIONARY:
        return False
    ids = table.children(0)
    for node in ids[:-1:2]:
        if _is_key(table, node, key):
            return _compares(table, node + 1, term)
    return False


def _is_key(table: NodeTable, node: int, key: bytes) -> bool:
    """Whether a node is this text: header, length word, bytes."""
    row = table.row(node)
    if row is None or row.kind is not Kind.STRING:
        return False
    start = table.start[node]
    return bytes(table.buffer[start + 4 : start + 8 + len(key)]) == len(key).to_bytes(4, "little") + key


def _compares(table: NodeTable, node: int, term: KeyFilter) -> bool:
    row = table.row(node)
    if row is None:
        return False
    found: object = read(table, node).data if _is_compared(row.kind) else None
    is_null = row.name in ("Nil", "null")
    if term.sign is Comparison.EQUAL or term.sign is Comparison.UNEQUAL:
        same = is_null if term.value is None else not is_null and _same(found, term.value)
        return same is (term.sign is Comparison.EQUAL)
    if isinstance(found, bool) or not isinstance(found, int | float) or not isinstance(term.value, int | float):
        return False
    return _ORDERED[term.sign](found, term.value)


def _same(found: object, wanted: str | float | bool | None) -> bool:
    """Equal and of the same sort: 1 is no ``true``."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    return found == wanted


# Names: numbers for what is said again and again in a list, so that a column of it is small and quick to search.


class NameNumbers:
    """Numbers for texts of which there are few: the same text has the same number, the empty one has 0."""

    def __init__(self) -> None:
        self.texts: list[str] = [""]
        self._numbers: dict[str, int] = {"": 0}

    def number(self, text: str) -> int:
        """The number of a text, a new one for a new text."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found

    def chosen(self, passes: Callable[[str], bool]) -> frozenset[int]:
        """The numbers of all texts that pass."""
        return frozenset(number for number, text in enumerate(self.texts) if passes(text))


class EndNumbers:
    """Numbers for the ends that packets came from and went to."""

    def __init__(self) -> None:
        self._ends: list[Endpoint] = []
        self._numbers: dict[Endpoint, int] = {}

    def number(self, end: Endpoint) -> int:
        """The number of an end, a new one for a new end."""
        found = self._numbers.get(end)
        if found is None:
            found = self._numbers[end] = len(self._ends)
            self._ends.append(end)
        return found

    def chosen(self, passes: Callable[[Endpoint], bool]) -> frozenset[int]:
        """The numbers of all ends that pass."""
        return frozenset(number for number, end in enumerate(self._ends) if passes(end))


NOT_YET = 0
"""In the column of kinds: nobody has asked what the packet says."""
NO_CHANNEL = -1
MOST_KEPT = 16
"""Answers about keys that a full run of rows keeps."""

_DELIVERIES = {each: number for number, each in enumerate(Delivery)}
_ORDER: dict[Comparison, Callable[[float, float], bool]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.UNEQUAL: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.MORE: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}


class PacketColumns:
    """A run of rows, *room* at most; what they say is filled in later, see :meth:`tell`.

    Attributes:
        payloads, talks: as they came.
        summaries: one line each, empty where nobody has asked yet; those of the last rows may be missing.
        size: bytes of all payloads.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self.payloads: list[Payload] = []
        self.talks: list[PayloadExplainer] = []
        self.summaries: list[str] = []
        self.size = 0
        self._sizes, self._numbers, self._channels = array("I"), array("Q"), array("q")
        self._carriers, self._sources, self._targets = array("H"), array("H"), array("H")
        self._deliveries = bytearray()
        self._kinds, self._protocols = array("H"), array("H")
        self._severities, self._starts = bytearray(), bytearray()
        self._dialects: list[Dialect | None] = []
        self._names, self._ends = NameNumbers(), EndNumbers()
        self._told = 0
        self._kept: dict[KeyFilter, bytes] = {}

    def __len__(self) -> int:
        return len(self.payloads)

    @property
    def is_full(self) -> bool:
        """Whether no more rows fit."""
        return len(self.payloads) >= self._room

    def add(self, seen: SeenPayload) -> None:
        """Add a row."""
        self.payloads.append(seen.payload)
        self.talks.append(seen.talk)
        self.size += len(seen.payload.data)

    def _catch_up(self) -> None:
        """Fill the columns of the rows that were added since; many at a time cost much less than one by one."""
        known = len(self._sizes)
        fresh = self.payloads[known:] if known < len(self.payloads) else ()
        if not fresh:
            return
        name, end = self._names.number, self._ends.number
        self._sizes.extend([len(each.data) for each in fresh])
        self._numbers.extend([each.number for each in fresh])
        self._channels.extend([NO_CHANNEL if each.channel is None else each.channel for each in fresh])
        self._carriers.extend([name(each.carrier) for each in fresh])
        self._sources.extend([end(each.source) for each in fresh])
        self._targets.extend([end(each.target) for each in fresh])
        self._deliveries.extend([_DELIVERIES[each.delivery] for each in fresh])
        self._kinds.frombytes(bytes(2 * len(fresh)))
        self._protocols.frombytes(bytes(2 * len(fresh)))
        self._severities.extend(bytes(len(fresh)))
        self._starts.extend(bytes(len(fresh)))
        self._dialects.extend([None] * len(fresh))
        self.summaries.extend([""] * len(fresh))

    def tell(self, place: int, message: Message) -> None:
        """Fill in what a row says."""
        self._catch_up()
        if self._kinds[place] == NOT_YET:
            self._told += 1
        self._kinds[place] = self._names.number(message.kind or "?")
        self._protocols[place] = self._names.number(message.protocol.value)
        self.summaries[place] = text_of(message, self.payloads[place])
        self._severities[place] = 0 if message.severity is None else message.severity + 1
        self._starts[place], self._dialects[place] = _value_start(message), message.dialect
        self._kept.clear()

    def is_told(self, place: int) -> bool:
        """Whether what a row says is filled in."""
        return place < len(self._kinds) and self._kinds[place] != NOT_YET

    def kind(self, place: int) -> str:
        """What a row is in a word or two, empty where nobody has asked yet."""
        return self._names.texts[self._kinds[place]] if place < len(self._kinds) else ""

    def summary(self, place: int) -> str:
        """What a row says in one line, empty where nobody has asked yet."""
        return self.summaries[place] if place < len(self.summaries) else ""

    def severity(self, place: int) -> Severity | None:
        """The worst that is wrong with a row, None for nothing, and where nobody has asked yet."""
        found = self._severities[place] if place < len(self._severities) else 0
        return Severity(found - 1) if found else None

    @property
    def errors(self) -> int:
        """How many rows have an error, of those that were asked for."""
        return self._severities.count(Severity.ERROR + 1)

    @property
    def controls(self) -> int:
        """How many rows are the protocol's own."""
        self._catch_up()
        return self._deliveries.count(_DELIVERIES[Delivery.CONTROL])

    # What passes a filter

    def passing(self, term: Term | None) -> bytes:
        """For each row 1 where it passes, else 0."""
        self._catch_up()
        count = len(self)
        return (self._lanes(term) if term is not None else _ones(count)).to_bytes(count, "little")

    def _lanes(self, term: Term) -> int:
        """The same as one large number, a byte a row: such are combined at once."""
        if isinstance(term, NotFilter):
            return _ones(len(self)) ^ self._lanes(term.inner)
        if isinstance(term, AndFilter):
            found = _ones(len(self))
            for each in term.terms:
                found = found and found & self._lanes(each)
            return found
        if isinstance(term, OrFilter):
            found = 0
            for each in term.terms:
                found |= self._lanes(each)
            return found
        return int.from_bytes(self._single(term), "little")

    def _single(self, term: TextFilter | FlagFilter | NumberFilter | NameFilter | AddressFilter | KeyFilter) -> bytes:
        if isinstance(term, TextFilter):
            return self._text(term.text)
        if isinstance(term, FlagFilter):
            return self._flag(term.flag)
        if isinstance(term, NumberFilter):
            return self._number(term)
        if isinstance(term, NameFilter):
            column = {NameField.CARRIER: self._carriers, NameField.PROTOCOL: self._protocols}
            return _marks(column.get(term.field, self._kinds), self._names.chosen(_name_test(term)))
        if isinstance(term, AddressFilter):
            return self._address(term)
        return self._keys(term)

    def _text(self, text: str) -> bytes:
        names = self._names.chosen(lambda name: text in name.casefold())
        ends = self._ends.chosen(lambda end: text in end.label.casefold())
        found = int.from_bytes(bytes([text in line.casefold() for line in self.summaries]), "little")
        for column, chosen in (
            (self._kinds, names),
            (self._carriers, names),
            (self._sources, ends),
            (self._targets, ends),
        ):
            if chosen:
                found |= int.from_bytes(_marks(column, chosen), "little")
        return found.to_bytes(len(self), "little")

    def _flag(self, flag: Flag) -> bytes:
        if flag is Flag.ERROR or flag is Flag.WARNING:
            wanted = 1 + (Severity.ERROR if flag is Flag.ERROR else Severity.WARNING)
            return _equal(self._severities, wanted)
        delivery = {Flag.COPY: Delivery.COPY, Flag.CONTROL: Delivery.CONTROL}.get(flag, Delivery.INCOMPLETE)
        return _equal(self._deliveries, _DELIVERIES[delivery])

    def _number(self, term: NumberFilter) -> bytes:
        compare, value = _ORDER[term.sign], term.value
        if term.field is NumberColumn.CHANNEL:
            return bytes([number != NO_CHANNEL and compare(number, value) for number in self._channels])
        column = self._sizes if term.field is NumberColumn.SIZE else self._numbers
        return bytes([compare(number, value) for number in column])

    def _address(self, term: AddressFilter) -> bytes:
        chosen = self._ends.chosen(
            lambda end: term.host in (None, end.host.casefold()) and term.port in (None, end.port)
        )
        sources, targets = _marks(self._sources, chosen), _marks(self._targets, chosen)
        if term.side is not AddressSide.EITHER:
            return sources if term.side is AddressSide.FROM else targets
        return bytes(map(operator.or_, sources, targets))

    def _keys(self, term: KeyFilter) -> bytes:
        kept = self._kept.get(term)
        if kept is not None and len(kept) == len(self):
            return kept
        dictionaries = self._names.chosen(lambda name: name.startswith("Dictionary"))
        found = holds(
            [
                (payload.data, start, dialect) if kind in dictionaries else None
                for payload, start, dialect, kind in zip(
                    self.payloads, self._starts, self._dialects, self._kinds, strict=True
                )
            ],
            term,
        )
        if self._told == len(self):
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[term] = found
        return found


def _ones(count: int) -> int:
    return int.from_bytes(b"\x01" * count, "little")


def _marks(column: Sequence[int], chosen: frozenset[int]) -> bytes:
    return bytes([number in chosen for number in column]) if chosen else bytes(len(column))


def _equal(column: bytearray, wanted: int) -> bytes:
    return bytes(column.translate(bytes(number == wanted for number in range(256))))


def _name_test(term: NameFilter) -> Callable[[str], bool]:
    if term.sign is Comparison.HAS:
        return lambda name: term.text in name.casefold()
    return lambda name: (name.casefold() == term.text) is (term.sign is Comparison.EQUAL)


def _value_start(message: Message) -> int:
    """Where the first value of a payload begins; that of a whole payload follows its length word at most."""
    for piece in message.pieces:
        if piece.role is FieldRole.VALUE:
            return min(piece.span.start, 255)
    return 0
