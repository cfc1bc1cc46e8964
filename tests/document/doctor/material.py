"""Material: undamaged bytes of real engines, and how their values lie in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

import corpus

from viewer.container.frames import BARE, STORED, Framing
from viewer.document.doctor.candidate import Patch, patched
from viewer.document.document import Document
from viewer.document.pieces.framing import is_sound
from viewer.variant.dialect import Dialect, Kind, load
from viewer.variant.items import parts
from viewer.variant.part import Role
from viewer.variant.scan import scan
from viewer.variant.table import NONE, NodeTable

LEAST_NODES = 5
MOST_SIZE = 24_000
COLLECTIONS = (Kind.ARRAY, Kind.DICTIONARY)


@dataclass(frozen=True, slots=True)
class Value:
    """One value that an engine wrote."""

    data: bytes
    dialect: Dialect

    @property
    def table(self) -> NodeTable:
        """Its nodes."""
        return scan(self.data, self.dialect)


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A text with its length word at *at*; *fill* bytes follow its *length*."""

    at: int
    length: int
    fill: int
    closed: bool

    @property
    def start(self) -> int:
        return self.at + 4

    @property
    def end(self) -> int:
        return self.start + self.length

    @property
    def stop(self) -> int:
        return self.end + self.fill


@cache
def values() -> tuple[Value, ...]:
    """Values with some structure: vectors, and the values of saves."""
    found: dict[bytes, Value] = {}
    for engine in corpus.ENGINES:
        dialect = load(engine.dialect)
        rows = [*corpus.vectors(engine.folder), *(corpus.native() if engine.folder == "godot4" else [])]
        raws = [corpus.vector_bytes(row) for row in rows if not row.get("full_objects")]
        for saved in corpus.files(engine.folder):
            document = Document(saved.path.read_bytes())
            raws += [bytes(document.buffer[f.start : f.cut.payload.end]) for f in document.frames]
        for raw in raws:
            table = scan(raw, dialect)
            whole = is_sound(table) and table.end_of_data == len(raw) <= MOST_SIZE
            if whole and len(table) >= LEAST_NODES and not _is_dull(table):
                found.setdefault(raw, Value(raw, dialect))
    return tuple(found.values())


def _is_dull(table: NodeTable) -> bool:
    """Whether nearly all nodes are nested in each other: a chain tells nothing of its children."""
    return len({table.parent[node] for node in table.nodes}) > 0.8 * len(table) and len(table) > 8


@dataclass(frozen=True, slots=True)
class Source:
    """Undamaged bytes: some values, framed."""

    values: tuple[Value, ...]
    framing: Framing

    @property
    def dialect(self) -> Dialect:
        return self.values[0].dialect

    @property
    def data(self) -> bytes:
        if self.framing is BARE:
            return self.values[0].data
        return b"".join(len(v.data).to_bytes(4, "little") + v.data for v in self.values)

    def start(self, index: int) -> int:
        """Where the payload of a frame starts."""
        if self.framing is BARE:
            return 0
        return 4 + sum(4 + len(value.data) for value in self.values[:index])


def source(
    random: Random, framing: Framing | None = None, count: int = 0, wanted: Callable[[Value], bool] | None = None
) -> Source:
    """Some bytes: one bare value, or some stored ones of one engine; the first is *wanted*."""
    kind = framing or random.choice((BARE, STORED))
    first = random.choice(values() if wanted is None else [value for value in values() if wanted(value)])
    if kind is BARE:
        return Source((first,), BARE)
    same = [value for value in values() if value.dialect is first.dialect and len(value.data) < MOST_SIZE // 4]
    number = count or random.choice((1, 1, 2, 3, 5))
    some = [random.choice(same) for _ in range(number)]
    if wanted is not None:
        some[0] = first
    return Source(tuple(some), STORED)


def text_places(value: Value) -> list[TextPlace]:
    """All texts of a value."""
    table, found = value.table, []
    for node in table.nodes:
        row = table.row(node)
        closed = row is not None and row.kind is Kind.PACKED_STRINGS
        if row is not None and row.kind not in (Kind.STRING, Kind.NODE_PATH, Kind.PACKED_STRINGS):
            continue
        for part in parts(table, node):
            if part.role is Role.LENGTH and part.name.endswith("length"):
                length = int(part.value)  # type: ignore[call-overload]
                found.append(TextPlace(part.span.start, length, -length % 4, closed))
    return found


def collections(value: Value, kinds: tuple[Kind, ...] = COLLECTIONS) -> list[int]:
    """The nodes that hold others."""
    table = value.table
    return [n for n in table.nodes if (row := table.row(n)) is not None and row.kind in kinds and not table.is_name(n)]


def count_place(value: Value, node: int) -> int:
    """Where the count of a collection stands."""
    table = value.table
    return table.head_end(node) - 4


def children(value: Value, node: int) -> list[tuple[int, int]]:
    """Start and end of each child, or of each pair."""
    table = value.table
    unit = 2 if table.has_pairs(node) else 1
    ids = [child for child in table.children(node) if table.parent[child] != NONE]
    return [(table.start[ids[k]], table.end(ids[k + unit - 1])) for k in range(0, len(ids), unit)]


def reframed(source: Source, index: int, patches: list[Patch], truly: bool = True) -> bytes:
    """The source with patches in one value; its length is that of the new value, unless the bytes were lost later."""
    start = source.start(index)
    moved = [patch.shifted(start) for patch in sorted(patches)]
    grown = sum(patch.growth for patch in moved)
    if source.framing is not BARE and truly and grown:
        length = len(source.values[index].data) + grown
        moved.insert(0, Patch(start - 4, 4, length.to_bytes(4, "little")))
    return patched(source.data, moved)
