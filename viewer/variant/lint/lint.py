"""Lint a node table: what an engine accepts without a word, but would not write so itself.

The scanner finds what cannot be read. This pass finds the rest: warnings, notes, and the few refusals that are no
errors of structure. It looks at the nodes in the order of their bytes, and only at those that the sieve doubts: most
values have nothing odd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, assert_never

from viewer.base.buffer import unpacker
from viewer.base.diagnostic import Code, Diagnostic
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.variant import text
from viewer.variant.clean import Sieve
from viewer.variant.dialect import FLAG_64, LISTS, Kind, TypeRow, kinds_where, meaning_bits
from viewer.variant.lint.lint_types import TypeLint
from viewer.variant.lint.lint_values import NumberLint, Sink, TextLint
from viewer.variant.read import read_shallow
from viewer.variant.table import NONE, NodeTable
from viewer.variant.value import Data, NodePath, ObjectFull, ObjectId, Signal

# When are two keys of a Dictionary the same? Tokens that are equal where an engine takes the keys for equal.
#
# All engines compare numbers by value whatever their width, 0.0 like -0.0, texts up to their first NUL, arrays element
# by element. An int never equals a float. They differ in NaN, in String beside StringName, and in dictionaries as
# keys.


@dataclass(frozen=True, slots=True)
class Equality:
    """What an engine family takes for equal.

    Args:
        nan: a NaN equals every NaN.
        names: a StringName equals the String with its text, as a key itself.
        dictionaries: dictionaries are compared by what they hold; elsewhere each equals only itself.
    """

    nan: bool
    names: bool
    dictionaries: bool


def _equals_itself_only(kind: Kind) -> bool:
    """Whether two values of a kind are never equal, whatever they hold."""
    match kind:
        case Kind.DICTIONARY | Kind.IMAGE | Kind.INPUT_EVENT:
            return True
        case (
            Kind.FIXED
            | Kind.STRING
            | Kind.NODE_PATH
            | Kind.INDEXED_PATH
            | Kind.OBJECT
            | Kind.RESOURCE
            | Kind.NULL_OBJECT
            | Kind.REFERENCE
            | Kind.SIGNAL
            | Kind.ARRAY
            | Kind.TYPED_ARRAY
            | Kind.PACKED
            | Kind.PACKED_STRINGS
        ):
            return False
        case _:
            assert_never(kind)


_UNIQUE = kinds_where(_equals_itself_only)
EQUALITY = {
    "godot2": Equality(nan=False, names=False, dictionaries=False),
    "godot3": Equality(nan=True, names=False, dictionaries=False),
    "godot4": Equality(nan=True, names=True, dictionaries=True),
}
"""By family: the ``literals`` rule of a dialect."""


class KeyTokens:
    """Makes the tokens of one table's keys.

    A nested key is digested bottom up, once for all nested keys that it holds, so that the whole walk stays linear.
    """

    def __init__(self, table: NodeTable) -> None:
        self.table = table
        self.u32, self.i32 = unpacker("<I", table.buffer), unpacker("<i", table.buffer)
        self.mask = table.dialect.rules.header_mask
        self.equality = EQUALITY.get(table.dialect.rules.literals, EQUALITY["godot4"])
        self.digests: dict[int, bytes] = {}
        alike, rows = ("String", "StringName") if self.equality.names else ("String",), table.dialect.rows
        self.plain = {row.number for row in rows if row.name in alike}
        self.integer = next((row.number for row in rows if row.name == "int"), -1)

    def token(self, key: int) -> object:
        """A token for the key node *key*: hashable, equal for equal keys of one dictionary."""
        table = self.table
        pos = table.start[key]
        header = self.u32(pos)[0]
        number = header & self.mask
        if number in self.plain and table.end_of_data >= pos + 8:
            end = pos + 8 + self.u32(pos + 4)[0]
            raw = bytes(table.buffer[pos + 8 : end])
            if raw.isascii() and b"\0" not in raw and end <= table.end_of_data:
                return raw
        row = table.dialect.row(header)
        if row is None:
            return key, "broken"
        if number == self.integer and pos + 8 <= table.end_of_data and not header & FLAG_64:
            return number, self.i32(pos + 4)[0]
        if self._descends(row):
            return "", self._digest(key)
        token = self._leaf(key, row)
        return token[1] if number in self.plain else token

    def _descends(self, row: TypeRow) -> bool:
        by_value = self.equality.dictionaries and row.kind is Kind.DICTIONARY
        return by_value or row.kind in LISTS

    def _digest(self, key: int) -> bytes:
        if key not in self.digests:
            self._digest_below(key)
        return self.digests.pop(key)

    def _digest_below(self, root: int) -> None:
        """Digest *root* and all that it holds; keep the digests of those that are keys themselves."""
        from hashlib import blake2b  # for keys that are collections; loading it takes two milliseconds

        done: dict[int, bytes] = {}
        for node in reversed(self._below(root)):
            row = self.table.row(node)
            if row is None or not self._descends(row):
                token = (node,) if row is None else self._leaf(node, row)
                done[node] = blake2b(repr(token).encode(), digest_size=16).digest()
                continue
            inner = b"".join(done.pop(child) for child in self.table.children(node))
            done[node] = blake2b(b"%d:" % row.number + inner, digest_size=16).digest()
            if node == root or self._is_key(node):
                self.digests[node] = done[node]

    def _below(self, root: int) -> list[int]:
        """*root* and all that is compared with it, parents before children."""
        order, stack = [], [root]
        while stack:
            node = stack.pop()
            order.append(node)
            row = self.table.row(node)
            if row is not None and self._descends(row):
                stack.extend(self.table.children(node))
        return order

    def _is_key(self, node: int) -> bool:
        row = self.table.row(self.table.parent[node])
        return row is not None and row.kind is Kind.DICTIONARY and self.table.index(node) % 2 == 0

    def _leaf(self, node: int, row: TypeRow) -> tuple[object, object]:
        """Type and content; for what equals only itself, the node."""
        data = node if row.kind in _UNIQUE else self._plain(read_shallow(self.table, node).data, node)
        return row.number, data

    def _plain(self, data: Data, node: int) -> object:
        """The data as Python compares it the way the engine does."""
        if isinstance(data, str):
            return text.write(str(data))
        if isinstance(data, float):
            return self._number(data, node)
        if isinstance(data, tuple):
            return tuple(self._plain(entry, node) for entry in data)
        if isinstance(data, NodePath):
            absolute = data.absolute and bool(data.names or data.subnames)
            return self._plain(data.names, node), self._plain(data.subnames, node), data.prop, absolute
        if isinstance(data, Signal):
            return self._plain(data.name, node), data.object_id
        return _object(data, node)

    def _number(self, number: float, node: int) -> object:
        if number != number:
            return "nan" if self.equality.nan else ("nan", node)
        return number + 0.0  # -0.0 becomes 0.0


def _object(data: Data, node: int) -> object:
    """An object equals only itself, but null is null; everything else here compares as it is."""
    if isinstance(data, ObjectId):
        return node if data.id else None
    if isinstance(data, ObjectFull):
        return node if data.class_name else None
    return data


SLICE = 128
"""Doubtful nodes looked at in one step: a few milliseconds, whatever they are."""

Check = Callable[[int, int, int, int], None]
"""Looks at one node: its id, the offset of its header, where its own bytes end, its header."""
Survey = Callable[[int, int], Iterator[None]]
"""Looks at the children of a node, by its id and header, before they are visited; pauses now and then."""


def lint(table: NodeTable, sieve: type[Sieve] | None = Sieve) -> Iterator[Diagnostic]:
    """Findings beyond the scanner's, in the order of the values they are about.

    Spans count from the start of the frame. What lies behind the root value is not looked at.

    Args:
        table: what to look at.
        sieve: what tells the nodes that are surely clean; without it all are looked at, and the same is found.
    """
    for found in slices(table, sieve=sieve):
        yield from found


def slices(table: NodeTable, size: int = SLICE, sieve: type[Sieve] | None = Sieve) -> Iterator[list[Diagnostic]]:
    """The same findings in small steps: each list, and many are empty, is the yield of about *size* doubtful nodes."""
    linter: _Linter | None = None
    for nodes in _every(table, size) if sieve is None or table.guess is not None else _doubtful(sieve(table, size)):
        if nodes and linter is None:
            linter = _Linter(table, size)
        if linter is not None:
            yield from linter.visit(nodes)
        yield linter.sink.take() if linter is not None else []
    if linter is not None:
        yield linter.rest()


def lint_nodes(table: NodeTable, nodes: list[int]) -> Iterator[Diagnostic]:
    """The findings about some nodes only, which come in the order of their bytes, and about the children of these."""
    linter = _Linter(table, SLICE)
    for found in linter.visit(nodes):
        yield from found
    yield from linter.rest()


def _doubtful(sieve: Sieve) -> Iterator[list[int]]:
    """The nodes that may have something odd, in the order of their bytes."""
    while not sieve.is_done():
        yield sieve.doubtful()


def _every(table: NodeTable, size: int) -> Iterator[list[int]]:
    """All nodes in the order of their bytes."""
    nodes = sorted(table.nodes, key=table.start.__getitem__) if len(table) else []
    for at in range(0, len(nodes), size):
        yield nodes[at : at + size]


class _Way(NamedTuple):
    """How the nodes of one type are looked at.

    Args:
        name: the type.
        ignored: the header bits that mean nothing for it.
        is_texts: whether it is an array of texts.
        check, survey: what looks at a node and at its children, if anything does.
    """

    name: str
    ignored: int
    is_texts: bool
    check: Check | None
    survey: Survey | None


MANY_KEYS = 1 << 20
"""The keys of larger dictionaries are not all kept while they are compared: a hundred bytes each."""
PLACES = (1 << 29) - 1
"""A mask for hashes, each of which has a bit meanwhile."""


class _Linter:
    """One walk over a table. Most tables are small and of few types: the way of a type is found when it is met."""

    def __init__(self, table: NodeTable, size: int) -> None:
        self.table = table
        self.u32 = unpacker("<I", table.buffer)
        self.rules = table.dialect.rules
        self.size = size
        self.sink = Sink(table)
        self.owner, self.owns_names = NONE, False
        self.text = TextLint(self.sink)
        self.numbers = NumberLint(self.sink)
        self.types = TypeLint(self.sink)
        self.keys = KeyTokens(table)
        self.ways: dict[int, _Way] = {}

    def visit(self, nodes: list[int]) -> Iterator[list[Diagnostic]]:
        """Check nodes that come in the order of their bytes; hand out what was found where that takes longer."""
        for node in nodes:
            survey = self._visit(node)
            if survey is not None:
                for _ in survey:
                    yield self.sink.take()

    def rest(self) -> list[Diagnostic]:
        """What was marked behind the last node that was visited."""
        self.sink.release(self.table.end_of_data)
        return self.sink.take()

    def _visit(self, node: int) -> Iterator[None] | None:
        """Check one node; returns what is to be done in more steps: the survey of its children or elements."""
        table = self.table
        pos, following = table.start[node], self._following(node)
        end = table.before_gap(table.start[following] if following else table.end_of_data)
        self.sink.release(pos)
        if self._is_name(node):
            self.text.check(node, pos, end)
            return None
        if end < pos + 4:
            return None
        header = self.u32(pos)[0]
        number = header & self.rules.header_mask
        way = self.ways.get(number) or self._way(number)
        if way is None:
            return None
        if header & way.ignored:
            self._flags(node, pos, header & way.ignored, way.name)
        if way.is_texts:
            return self.text.packed_strings(node, pos, end)
        if way.check is not None:
            way.check(node, pos, end, header)
        survey = way.survey
        return survey(node, header) if survey is not None and following and following == table.first[node] else None

    def _is_name(self, node: int) -> bool:
        """Whether this is a property name; most nodes have the same parent as the one before."""
        parent = self.table.parent[node]
        if parent != self.owner:
            row = self.table.row(parent) if node else None
            self.owner, self.owns_names = parent, row is not None and row.kind is Kind.OBJECT
        return self.owns_names and not (node - self.table.first[parent]) % 2

    def _following(self, node: int) -> int:
        """The node whose bytes begin where this one's own bytes end, 0 where there is none."""
        child = self.table.first[node]
        return child if child and self.table.parent[child] == node else self._climb(node)

    def _climb(self, node: int) -> int:
        """The next node that is no descendant, 0 where there is none."""
        parent = self.table.parent
        while node:
            sibling = node + 1
            if sibling < len(parent) and parent[sibling] == parent[node]:
                return sibling
            node = parent[node]
        return 0

    def _way(self, number: int) -> _Way | None:
        """How to look at a type that is met for the first time; None where there is none of this number."""
        row = self.table.dialect.row(number)
        if row is None:
            return None
        ignored = ~(self.rules.header_mask | meaning_bits(row, self.rules))
        is_texts = row.kind is Kind.PACKED_STRINGS
        way = self.ways[number] = _Way(row.name, ignored, is_texts, self._check_for(row), self._survey_for(row))
        return way

    def _check_for(self, row: TypeRow) -> Check | None:
        match row.kind:
            case Kind.FIXED:
                return self._fixed_check(row)
            case Kind.STRING:
                return self._name if row.name == "StringName" and self.rules.string_keys else self._string
            case Kind.NODE_PATH | Kind.INDEXED_PATH:
                return self.text.node_path
            case Kind.OBJECT | Kind.RESOURCE:
                return self.types.object
            case Kind.SIGNAL:
                return self.text.by_parts
            case Kind.DICTIONARY:
                return self._dictionary
            case Kind.ARRAY:
                return self._array
            case Kind.TYPED_ARRAY:
                return self.types.typed_array
            case Kind.PACKED:
                return self._packed_check(row)
            case Kind.IMAGE:
                return self.text.image
            case Kind.INPUT_EVENT:
                return self.text.input_event
            case Kind.NULL_OBJECT | Kind.REFERENCE | Kind.PACKED_STRINGS:
                return None
            case _:
                assert_never(row.kind)

    def _fixed_check(self, row: TypeRow) -> Check | None:
        if row.name == "Projection" and self.rules.projection_needs:
            return self.numbers.projection
        if row.name in ("Vector4", "Vector4i") and self.rules.vector4_misread:
            return self.numbers.vector4
        if row.real and self.rules.wide_reals:
            return self.numbers.reals
        by_type = {"bool": self.numbers.bool_word, "i32": self.numbers.int_width, "f32": self.numbers.float_bits}
        return by_type.get(row.narrow[0].type) if len(row.narrow) == 1 else None

    def _packed_check(self, row: TypeRow) -> Check | None:
        if row.narrow[0].type == "u8":
            return self.text.packed_bytes
        if row.real and self.rules.wide_reals:
            return self.numbers.packed_reals
        return self.numbers.quadruples if row.narrow[-1].name == "w" and self.rules.vector4_misread else None

    def _survey_for(self, row: TypeRow) -> Survey | None:
        match row.kind:
            case Kind.DICTIONARY:
                return self._pairs
            case Kind.ARRAY:
                return self._typed_elements if self.rules.typed_arrays else None
            case Kind.TYPED_ARRAY:
                return self.types.elements
            case Kind.OBJECT | Kind.RESOURCE:
                return self.types.properties
            case (
                Kind.FIXED
                | Kind.STRING
                | Kind.NODE_PATH
                | Kind.INDEXED_PATH
                | Kind.NULL_OBJECT
                | Kind.REFERENCE
                | Kind.SIGNAL
                | Kind.PACKED
                | Kind.PACKED_STRINGS
                | Kind.IMAGE
                | Kind.INPUT_EVENT
            ):
                return None
            case _:
                assert_never(row.kind)

    # Checks

    def _flags(self, node: int, pos: int, bits: int, name: str) -> None:
        self.sink.add(Code.IGNORED_FLAGS, Span(pos, pos + 4), node, "header", bits=f"0x{bits:08X}", type=name)

    def _string(self, node: int, pos: int, end: int, header: int) -> None:
        self.text.check(node, pos + 4, end)

    def _name(self, node: int, pos: int, end: int, header: int) -> None:
        """A StringName where one that is a key is read as a String."""
        parent = self.table.parent[node]
        row = self.table.row(parent) if node and not self.table.is_name(parent) else None
        if row is not None and row.kind is Kind.DICTIONARY and not self.table.index(node) % 2:
            self.sink.add(Code.NAME_KEY, Span(pos, pos + 4), node, "header", dialect=self.table.dialect.name)
        self.text.check(node, pos + 4, end)

    def _array(self, node: int, pos: int, end: int, header: int) -> None:
        if header & 3 << 16 and self.rules.typed_arrays:
            self.types.typed(node, pos, end, header)
        elif end >= pos + 8:
            self.sink.shared(node, pos + 4)

    def _dictionary(self, node: int, pos: int, end: int, header: int) -> None:
        if header & 15 << 16 and self.rules.typed_dictionaries:
            self.types.typed(node, pos, end, header)
        elif end >= pos + 8:
            self.sink.shared(node, pos + 4)

    # Surveys

    def _typed_elements(self, node: int, header: int) -> Iterator[None]:
        return self.types.elements(node, header) if header & 3 << 16 else iter(())

    def _pairs(self, node: int, header: int) -> Iterator[None]:
        """Keys that stand twice, and keys of another type than a typed dictionary's."""
        children = self.table.children(node)
        if len(children) > 2:
            yield from self._equal_keys(children[::2])
        if header & 3 << 16 and self.rules.typed_dictionaries:
            yield from self.types.only(node, children[::2])

    def _suspects(self, keys: range, suspects: set[int]) -> Iterator[None]:
        """Find the hashes that several keys have, so that only those keys need be kept."""
        token, bits = self.keys.token, bytearray((PLACES + 1) // 8)
        for k, key in enumerate(keys, 1):
            place = hash(token(key)) & PLACES
            bit = 1 << (place & 7)
            if bits[place >> 3] & bit:
                suspects.add(place)
            bits[place >> 3] |= bit
            if not k % self.size:
                yield

    def _equal_keys(self, keys: range) -> Iterator[None]:
        seen: set[object] = set()
        token, known = self.keys.token, seen.add
        suspects: set[int] | None = None
        if len(keys) > MANY_KEYS:
            suspects = set()
            yield from self._suspects(keys, suspects)
        for k, key in enumerate(keys, 1):
            found = token(key)
            if suspects is None or hash(found) & PLACES in suspects:
                if found in seen:
                    self.sink.mark(Code.DUPLICATE_KEY, self.table.span(key), key)
                known(found)
            if not k % self.size:
                yield
