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

from viewer.base.buffer import Buffer
from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.describing import gap_guess
from viewer.document.edits.field_edit import formed
from viewer.document.export.deep_json import dumps
from viewer.document.export.dump_tree import DumpTree
from viewer.document.export.findings_export import findings
from viewer.document.export.path_room import PathRoom
from viewer.document.pieces.framing import Frame
from viewer.document.pieces.message import MessageField
from viewer.document.readers.field_readings import FieldReading
from viewer.variant.native import to_native

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
        named, row = "", gap_guess(document, gap)
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


def _field(document: Document, field: MessageField) -> Iterator[str]:
    """What a field says, and those in it; layouts lie in each other no deeper than a few levels."""
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
