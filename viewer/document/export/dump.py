"""Dump a document as JSON: every byte with its owner, every value, and enough to write the same file again.

One object::

    {"format", "file", "size", "layers": [{"codec", "size"}], "dialect", "precision", "framing", "byte_order",
     "frames": [{"span", "prefix", "prefix_hex", "root": NODE | null, "gaps": [[a, b]], "gaps_hex": [...]}],
     "gaps": [{"span", "name", "text", "guess": [{"span", "type", "text"}], "hex"}],
     "diagnostics": [{"severity", "code", "message", "span", "path"}]}
    NODE = {"path", "type", "span", "text", "parts": [{"name", "span", "value"}],
            "value", "bytes"                                              for leaves
            "head", "bytes", "present", "children": [{"key", "index", "node"}]}   for collections and objects

``docs/dump.schema.json`` says the same as a JSON Schema. ``format`` is :data:`FORMAT`; it grows when a reader of the
old form would misread the new one. Spans are offsets in the layer. Parts and children of a node tile it; ``parts`` and
``text`` are for reading only.

- ``value`` is the leaf as :mod:`viewer.variant.native` writes it; ``head`` the empty collection, or the object without
  its properties, where its type alone does not say it all.
- ``bytes`` (hex) stands only where writing ``value`` or ``head`` anew would give other bytes: odd but accepted
  encodings, fill that is not zero, broken values. It counts as long as ``value`` or ``head`` is still what it decodes
  to; a changed one wins.
- ``present`` stands where a head promises another number of children than there are; it is how many there are. When
  their number is still that, the promise stays.
- A key whose value is missing stands in the last child's ``node``, with null for its ``key``.
- ``prefix_hex`` stands where a length prefix lies; it counts as long as the frame keeps its length.
- ``gaps`` inside a frame follow its root; those between frames stand at the end, with their bytes. What recovery
  skipped is a part ``gap`` of the collection that it lies in, which has ``gaps`` then: ``before`` how many of its
  children, keys counted too, and their bytes (``hex``).
- ``name`` and ``text`` of a gap say what a structure calls it, ``guess`` what fields it seems to be made of where
  nobody has described it; they are for reading only.
- ``recovered`` is true for a value that is guessed behind an error, ``damaged`` for a collection whose head is broken:
  its ``bytes`` are that head; and for a value of which nothing but the type is known, and which is null then.
- ``path`` is null where it would be longer than any person reads (see :mod:`viewer.variant.paths.path_walk`), or all of
  them together (see :mod:`viewer.document.export.path_room`). Like ``parts`` and ``text`` it is for reading only.

- Of a file with a structure (``structure``) frames have their bytes, ``hex``, too, and gaps are its fields: ``name``,
  ``text``, and either ``fields`` or, where the form of one is known, its ``value``. Values and fields count where they
  say something else than the bytes; offsets, lengths and counts follow.

Numbers of parts that JSON lacks are the texts ``"nan"``, ``"inf"`` and ``"-inf"``; bytes are in hex.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from viewer.base.buffer import Buffer
from viewer.base.span import Span
from viewer.base.words import grouped
from viewer.document.document import Document
from viewer.document.export.child_blocks import BLOCK, Block, ChildBlocks
from viewer.document.export.deep_json import dumps
from viewer.document.export.dump_nodes import Node, NodeFields
from viewer.document.export.findings_export import findings
from viewer.document.export.leaf_json import TEXT_LIMIT, LeafJson, Memo, Shape, json_text, placed, shape
from viewer.document.export.path_room import PathRoom
from viewer.document.pieces.framing import Frame
from viewer.document.pieces.message import MessageField
from viewer.variant.dialect import NAMED, PAIRED, Dialect, Kind, Precision, TypeRow
from viewer.variant.literal import preview
from viewer.variant.literal.preview import PREVIEW_CHILDREN
from viewer.variant.native import to_native
from viewer.variant.paths.path_keys import key_segment
from viewer.variant.paths.path_walk import MAX_PATH, ranked_key

if TYPE_CHECKING:  # loaded where something is to be guessed
    from viewer.document.readers.field_readings import FieldReading

FORMAT = 1
"""Which form of dump this is."""
HEX_CHUNK = 1 << 16


def dump(document: Document, room: PathRoom | None = None) -> Iterator[str]:
    """The JSON text of a document, in pieces.

    Args:
        document: what to dump.
        room: for its paths, which also tells how many were left out.
    """
    room = room or PathRoom(len(document.buffer))
    about = {
        "format": FORMAT,
        "file": str(document.path) if document.path is not None else document.name,
        "size": len(document.layers[0].buffer),
        "layers": [{"codec": layer.codec, "size": len(layer.buffer)} for layer in document.layers],
        "dialect": document.dialect.key,
        "precision": document.precision.value,
        "framing": document.framing.kind.value,
        "byte_order": "big" if document.framing.big_endian else "little",
        **({"structure": document.structure.kind} if document.structure is not None else {}),
    }
    yield f'{dumps(about)[:-1]},\n"frames": ['
    tree: DumpTree | None = None
    for index, frame in enumerate(document.frames):
        if tree is None or tree.dialect is not frame.table.dialect or frame.table.names is not None:
            tree = DumpTree(frame.table.dialect, document.precision, room)
        yield "\n" if index == 0 else ",\n"
        yield from _frame(document, index, frame, tree)
    yield '],\n"gaps": ['
    for index, gap in enumerate(document.gaps):
        named, row = "", _guesses(document, gap)
        if document.structure is not None:
            named = "".join(_field(document, document.fields[index]))
        named += f'"guess": {dumps([_guessed(each) for each in row])}, ' if row else ""
        yield f'{"," if index else ""}\n{{"span": {_pair(gap)}, {named}"hex": '
        yield from _hex(document.buffer, gap)
        yield "}"
    yield '],\n"diagnostics": ['
    beside = PathRoom(len(document.buffer))
    for index, found in enumerate(findings(document, room=beside)):
        line = {
            "severity": found.severity.word,
            "code": found.code,
            "message": found.message,
            "span": [found.span.start, found.span.end],
            "path": found.path,
        }
        yield ("," if index else "") + "\n" + dumps(line)
    room.missing += beside.missing
    yield "]}\n"


def _guesses(document: Document, gap: Span) -> tuple[FieldReading, ...]:
    """What fields a gap seems to be made of; most files have none, and what tells it takes megabytes."""
    from viewer.document.edits.describing import gap_guess

    return gap_guess(document, gap)


def _field(document: Document, field: MessageField) -> Iterator[str]:
    """What a field says, and those in it; layouts lie in each other no deeper than a few levels."""
    from viewer.document.edits.field_edit import formed

    yield f'"name": {dumps(field.name)}, "text": {dumps(field.text)}, '
    found = formed(field)
    if found is not None and not field.children:
        value = found.value(document)
        native = value.hex() if isinstance(value, bytes) else to_native(value, document.dialect)
        yield f'"value": {dumps(native)}, '
    if field.children:
        yield '"fields": ['
        for number, child in enumerate(field.children):
            yield f"{',' if number else ''}\n{{"
            yield from _field(document, child)
            yield f'"span": {_pair(child.span)}}}'
        yield "], "


def _guessed(reading: FieldReading) -> dict[str, object]:
    return {"span": [reading.span.start, reading.span.end], "type": reading.words, "text": reading.text}


def _pair(span: Span | None) -> str:
    return "null" if span is None else f"[{span.start}, {span.end}]"


def _hex(buffer: Buffer, span: Span) -> Iterator[str]:
    yield '"'
    for start in range(span.start, span.end, HEX_CHUNK):
        yield buffer[start : min(span.end, start + HEX_CHUNK)].hex()
    yield '"'


def _frame(document: Document, index: int, frame: Frame, tree: DumpTree) -> Iterator[str]:
    prefix, gap = frame.cut.prefix, frame.gap
    yield f'{{"span": {_pair(frame.span)}, "prefix": {_pair(prefix)}, '
    if prefix is not None and not frame.prefix_is_true(document.buffer, document.framing):
        yield f'"prefix_hex": "{document.buffer[prefix.start : prefix.end].hex()}", '
    yield '"root": ' if len(frame.table) else '"root": null'
    yield from tree.pieces(frame, f"[{index}]")
    yield f', "gaps": [{_pair(gap) if gap else ""}], "gaps_hex": ['
    if gap is not None:
        yield from _hex(document.buffer, gap)
    yield "]"
    if document.structure is not None:
        yield ', "hex": '
        yield from _hex(document.buffer, frame.span)
    yield "}"


# The tree: one walk over a table, in the order of its bytes, written down in pieces

PIECES = 1 << 9
"""So many pieces are put together before they are handed on."""
HEAD = 8
"""Bytes before the children of a collection whose type says nothing about them."""
LONGEST_PLACE = 24
"""Letters of a place in an array, with its brackets."""
LONGEST_SEGMENT = 1 << 13 >> 1
AT_KEY = "@key"
HEAD_WORDS = Struct("<II").unpack
NEW_LINE, NEXT_LINE = "\n", ",\n"
RECOVERED = ', "recovered": true'
NULL = "null"


class Place(NamedTuple):
    """A path, None where it is left out; and the same as JSON without its quotes."""

    path: str | None
    json: str

    def within(self, segment: str | None) -> Place:
        """The path of something inside."""
        return NOWHERE if segment is None else self.at(segment, json_text(segment)[1:-1])

    def at(self, segment: str | None, json: str) -> Place:
        """The path of something inside; *json* is its segment as JSON without quotes."""
        if self.path is None or segment is None or len(self.path) + len(segment) > MAX_PATH:
            return NOWHERE
        return Place(self.path + segment, self.json + json)

    def of(self, segment: str | None, json: str, end: str = "") -> str:
        """The path of something inside as JSON; *json* is its segment as JSON without quotes."""
        if self.path is None or segment is None or len(self.path) + len(segment) + len(end) > MAX_PATH:
            return NULL
        return f'"{self.json}{json}{end}"'

    def key(self, segment: str | None) -> Place:
        """The path of the key whose value has this segment."""
        return self.within(None if segment is None else segment + AT_KEY)

    @property
    def quoted(self) -> str:
        """As JSON."""
        return NULL if self.path is None else f'"{self.json}"'


NOWHERE = Place(None, "")


Key: TypeAlias = "tuple[str, str, str, Shape]"
"""A short key: as a segment of paths, the same as JSON without quotes, how a preview shows it, and the leaf."""

Inside: TypeAlias = "tuple[int, int, Place, str]"
"""A value that is to be written next: its id, its end, its path, and what stands behind it."""
FLUSH: Inside = (-1, 0, NOWHERE, "")
"""Instead of one: much was written."""


class DumpTree:
    """Writes the trees of one dialect.

    Args:
        dialect: how they are read.
        precision: of the file.
        room: for paths.
    """

    def __init__(self, dialect: Dialect, precision: Precision, room: PathRoom) -> None:
        self.dialect = dialect
        self.precision = precision
        self.room = room
        self.leaves = LeafJson(dialect, precision)
        self.known: Memo[Shape] = Memo()
        self.keys: Memo[Key] = Memo()
        self.names: Memo[Key] = Memo()
        self.plain = {row.number: row for row in dialect.rows if row.kind in (Kind.ARRAY, Kind.DICTIONARY)}

    def pieces(self, frame: Frame, name: str) -> Iterator[str]:
        """All nodes of a frame; *name* is its path."""
        return _Walk(self, frame).pieces(name) if len(frame.table) else iter(())


class _Walk:
    """Writes one table."""

    def __init__(self, tree: DumpTree, frame: Frame) -> None:
        self._tree = tree
        self._table = frame.table
        self._base = frame.start
        self._fields = NodeFields(frame.table, frame.start, tree.precision)
        self._blocks = ChildBlocks(frame.table)
        self._out: list[str] = []

    def pieces(self, name: str) -> Iterator[str]:
        """The text of the root, in pieces."""
        out, place = self._out, Place(name, json_text(name)[1:-1])
        self._tree.room.take(len(name))
        out.append(f'\n{{"path": {place.quoted}, ')
        levels = [self._level(0, self._table.end_of_data, place, "}")]
        while levels:
            inside = next(levels[-1], None)
            if inside is None:
                levels.pop()
            elif inside[0] >= 0:
                levels.append(self._level(*inside))
            if len(out) >= PIECES:
                yield from _joined(out)
                out.clear()
        yield from _joined(out)

    def _level(self, node: int, end: int, place: Place, behind: str) -> Iterator[Inside]:
        """Write a node behind its path; what is not written here is handed out to be written next."""
        table, out = self._table, self._out
        first = table.first[node]
        children = range(first, first + table.child_count(node)) if first else range(0)
        block = self._blocks.block(node, end, first, children.stop) if children else None
        text, row = (None, None) if block is None else self._plain_head(node, end, len(children), block)
        if text is None:
            row = table.row(node)
            fields, inner = self._fields.node(node, end)
            out.append(dumps(fields)[1:-1] + (', "children": [' if inner else ""))
            behind = f"]{behind}" if inner else behind
        else:
            out.append(text)
            behind = f"]{behind}"
        if block is not None:
            place, seen = self._roomed(place, len(children)), dict[str, int]()
            while True:
                if row is not None and row.kind in PAIRED:
                    yield from self._pairs(block, children, place, seen, row.kind in NAMED)
                else:
                    yield from self._elements(block, children, place)
                first += BLOCK
                if first >= children.stop:
                    break
                yield FLUSH
                block = self._blocks.block(node, end, first, children.stop)
        out.append(behind)

    def _roomed(self, place: Place, count: int) -> Place:
        """The place as what it holds is told of it: left out where the paths of so many would take too much."""
        room = self._tree.room
        if place.path is None or not room.has(len(place.path)):
            room.missing += count
            return NOWHERE
        room.take(len(place.path), count)
        return place

    def _elements(self, block: Block, children: range, place: Place) -> Iterator[Inside]:
        """Some children of an array."""
        first, starts, ends, raws = block
        out, get, base, mark = self._out, self._tree.known.get, self._base, ""
        is_sound = self._blocks.is_sound
        is_short = place.path is not None and len(place.path) + LONGEST_PLACE <= MAX_PATH
        at, json = first - children.start, place.json
        begins, stops = self._offsets(starts, ends)
        for node, start, end, begin, stop, raw in zip(
            range(first, first + len(raws)), starts, ends, begins, stops, raws, strict=True
        ):
            path = f'"{json}[{at}]"' if is_short else place.within(f"[{at}]").quoted
            lead = f'{NEXT_LINE if at else NEW_LINE}{{"key": null, "index": {at}, "node": {{"path": {path}, '
            if raw is None:
                out.append(lead)
                yield node, end, place.at(f"[{at}]", f"[{at}]"), "}}"
            else:
                if not is_sound:
                    mark = self._mark(start)
                found = get(raw) or self._learn(node, raw, start)
                out.append(f"{lead}{placed(found, base + start, begin, stop, mark)}}}}}")
            at += 1

    def _pairs(
        self, block: Block, children: range, place: Place, seen: dict[str, int], named: bool
    ) -> Iterator[Inside]:
        """Some pairs of a dictionary, or properties of an object (*named*).

        Args:
            block: the pairs.
            children: all children of the same node.
            place: the node's path.
            seen: how many of the keys were written alike.
            named: whether the keys are names.
        """
        first, starts, ends, raws = block
        out, base, is_sound = self._out, self._base, self._blocks.is_sound
        get_key, get = (self._tree.names if named else self._tree.keys).get, self._tree.known.get
        begins, stops = self._offsets(starts, ends)
        is_short = place.path is not None and len(place.path) + LONGEST_SEGMENT <= MAX_PATH
        mark = other_mark = ""
        at, around = first - children.start >> 1, place.json
        for node, start, begin, stop, key, after, other_begin, other_stop, raw in zip(
            range(first, first + len(raws) - 1, 2),
            starts[::2],
            begins[::2],
            stops[::2],
            raws[::2],
            starts[1::2],
            begins[1::2],
            stops[1::2],
            raws[1::2],
            strict=False,
        ):
            lead = NEXT_LINE if at else NEW_LINE
            if not is_sound:
                mark, other_mark = self._mark(start), self._mark(after)
            if key is None:
                segment = None if place.path is None else ranked_key(self._table, node, seen)
                json = "" if segment is None else json_text(segment)[1:-1]
                out.append(f'{lead}{{"key": {{"path": {place.of(segment, json, AT_KEY)}, ')
                yield node, int(stop) - base, place.key(segment), f'}}, "index": {at}, "node": '
                lead = f'{{"path": {place.of(segment, json)}, '
            else:
                segment, json, _, found = get_key(key) or self._learn_key(node, key, start, named)
                rank = seen.get(segment, 0) + 1
                seen[segment] = rank
                if rank > 1:
                    segment, json = f"{segment}#{rank}", f"{json}#{rank}"
                told = placed(found, base + start, begin, stop, mark)
                if is_short:
                    lead = (
                        f'{lead}{{"key": {{"path": "{around}{json}@key", {told}}}, "index": {at}, "node": '
                        f'{{"path": "{around}{json}", '
                    )
                else:
                    lead = (
                        f'{lead}{{"key": {{"path": {place.of(segment, json, AT_KEY)}, {told}}}, "index": {at}, '
                        f'"node": {{"path": {place.of(segment, json)}, '
                    )
            if raw is None:
                out.append(lead)
                yield node + 1, int(other_stop) - base, place.at(segment, json), "}}"
            else:
                found = get(raw) or self._learn(node + 1, raw, after)
                out.append(f"{lead}{placed(found, base + after, other_begin, other_stop, other_mark)}}}}}")
            at += 1
        if len(raws) % 2:
            node = first + len(raws) - 1
            key_place = place.key(None if place.path is None else ranked_key(self._table, node, seen))
            lead = NEXT_LINE if at else NEW_LINE
            out.append(f'{lead}{{"key": null, "index": {at}, "node": {{"path": {key_place.quoted}, ')
            yield node, ends[-1], key_place, "}}"

    def _offsets(self, starts: list[int], ends: list[int]) -> tuple[list[str], list[str]]:
        """Where values begin and end in the layer, as text."""
        base = self._base
        if base:
            starts, ends = [at + base for at in starts], [at + base for at in ends]
        begins = list(map(str, starts))
        return begins, list(map(str, ends)) if self._table.gaps else [*begins[1:], str(ends[-1])]

    def _learn_key(self, node: int, raw: bytes, start: int, named: bool) -> Key:
        """A short key that is whole."""

        def key() -> Key:
            table, segment = self._table, key_segment(self._table, node)
            found = self._shape(node, raw, start, True) if named else self._learn(node, raw, start)
            return segment, json_text(segment)[1:-1], preview.pair_name(table, node), found

        return (self._tree.names if named else self._tree.keys).learned(raw, key)

    def _mark(self, start: int) -> str:
        """What is said of a value because of where it lies."""
        guess = self._table.guess
        return RECOVERED if guess is not None and start >= guess else ""

    def _learn(self, node: int, raw: bytes, start: int) -> Shape:
        """A short leaf that is whole and no name."""
        return self._tree.known.learned(raw, lambda: self._shape(node, raw, start, False))

    def _shape(self, node: int, raw: bytes, start: int, named: bool) -> Shape:
        found = self._tree.leaves.shape(raw, named)
        if found is not None:
            return found
        fields, inner = self._fields.node(node, start + len(raw))
        fields.pop("recovered", None)
        return _shape_of(fields, self._base + start, inner, preview.short(self._table, node))

    # Collections whose head is the type's number and a count

    def _plain_head(self, node: int, end: int, count: int, block: Block) -> tuple[str | None, TypeRow | None]:
        """The fields of a collection of the commonest form and its type, None where it is of another."""
        first, starts, _, raws = block
        start = self._table.start[node]
        if starts[0] != start + HEAD or not self._blocks.is_plain(node):
            return None, None
        header, told = HEAD_WORDS(self._blocks.raw(start, start + HEAD))
        row = self._tree.plain.get(header)
        is_dictionary = row is not None and row.kind is Kind.DICTIONARY
        total = count // 2 if is_dictionary else count
        if row is None or told != total or (is_dictionary and count % 2):
            return None, None
        if is_dictionary:
            shown = self._shown_pairs(first, raws)
            sign = f"{{{grouped(total)}}} "
        else:
            shown = self._shown(first, raws)
            sign = f"[{grouped(count)}] "
        text = json_text(sign + preview.joined(shown, total, TEXT_LIMIT))
        at, mark = self._base + start, "" if self._blocks.is_sound else self._mark(start)
        head = (
            f'"type": "{row.name}", "span": [{at}, {self._base + end}], "text": {text}, "parts": '
            f'[{{"name": "header", "span": [{at}, {at + 4}], "value": {header}}}, '
            f'{{"name": "count", "span": [{at + 4}, {at + HEAD}], "value": {told}}}]{mark}, "children": ['
        )
        return head, row

    def _shown_pairs(self, first: int, raws: list[bytes | None]) -> list[str]:
        """The first pairs in a preview, as many as it has room for."""
        get_key, get, found, room = self._tree.keys.get, self._tree.known.get, list[str](), TEXT_LIMIT
        shown = raws[: 2 * PREVIEW_CHILDREN]
        for node, key, raw in zip(range(first, first + len(shown), 2), shown[::2], shown[1::2], strict=False):
            name = self._key_name(node, key) if key is None or (known := get_key(key)) is None else known[2]
            value = self._short(node + 1, raw) if raw is None or (leaf := get(raw)) is None else leaf[2]
            found.append(f"{name}: {value}")
            room -= len(found[-1])
            if room < 0:
                break
        return found

    def _shown(self, first: int, raws: list[bytes | None]) -> list[str]:
        """The same of elements."""
        get, found, room = self._tree.known.get, list[str](), TEXT_LIMIT
        for node, raw in enumerate(raws[:PREVIEW_CHILDREN], first):
            found.append(self._short(node, raw) if raw is None or (leaf := get(raw)) is None else leaf[2])
            room -= len(found[-1])
            if room < 0:
                break
        return found

    def _key_name(self, node: int, raw: bytes | None) -> str:
        if raw is None:
            return preview.pair_name(self._table, node)
        return self._learn_key(node, raw, self._table.start[node], False)[2]

    def _short(self, node: int, raw: bytes | None) -> str:
        if raw is None:
            return preview.short(self._table, node)
        return self._learn(node, raw, self._table.start[node])[2]


def _joined(pieces: list[str]) -> Iterator[str]:
    """Pieces that follow each other as one, by themselves where they are not ASCII: that is encoded far more slowly."""
    return map("".join, (run for _, run in groupby(pieces, str.isascii)))


def _shape_of(fields: Node, start: int, inner: bool, short: str) -> Shape:
    """A leaf, or a collection that holds nothing, by the fields that a dump has for it."""
    kind, text, parts = fields.pop("type"), fields.pop("text"), fields.pop("parts")
    fields.pop("span")
    told = [
        (part["name"], dumps(part["value"]), part["span"][1] - start)
        for part in parts  # type: ignore[attr-defined]
    ]
    tail = f", {dumps(fields)[1:-1]}" if fields else ""
    return shape(str(kind), str(text), told, tail + (', "children": []' if inner else ""), short)
