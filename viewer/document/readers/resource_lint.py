"""What engines do with a binary resource that they can read: zeros behind its end that they read without a word,
references that lead nowhere, scripts that they run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from viewer.base.buffer import Buffer
from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.document.pieces.framing import Frame, unusual
from viewer.document.readers.file_structure import Resources, is_damaged_text
from viewer.variant import items
from viewer.variant.dialect import Kind, TypeRow
from viewer.variant.engine_classes import class_list
from viewer.variant.header import Head, HeaderBroken, HeaderParser
from viewer.variant.read import read_shallow
from viewer.variant.string_table import StringTable
from viewer.variant.table import NodeTable
from viewer.variant.value import ObjectFull, Reference, ReferenceKind

# The end: behind it engines read zeros, and may so load what is not whole.


ENDS = (Code.PAYLOAD_TRUNCATED, Code.CHILD_MISSING, Code.LENGTH_TOO_LONG, Code.COUNT_TOO_LARGE)
"""What is found where the bytes of a resource end too early."""
ENDLESS = 1 << 62
MOST_MISSING = 1 << 24
"""For so many missing bytes of numbers or texts an engine surely has room; with more its fate hangs on its memory."""
LONGEST_CLASS = 1 << 8


def forgive_tails(frames: Sequence[Frame], buffer: Buffer, names: StringTable) -> None:
    """Call what ends with the file no error where an engine loads it, because zeros behind it make it whole.

    Args:
        frames: the resources of a file, in order.
        buffer: all of its bytes.
        names: its strings.
    """
    end = frames[-1].start if len(frames) else 0
    for frame in map(frames.__getitem__, unusual(frames)):
        found = frame.table.diagnostics
        for place, each in enumerate(found):
            if each.code in ENDS and _is_loaded(frame, each, _EndlessParser(buffer, frame, names, frame.start == end)):
                found[place] = replace(each, code=Code.RESOURCE_TAIL)


def _is_loaded(frame: Frame, found: Diagnostic, parser: _EndlessParser) -> bool:
    """Whether the value that ends too early is the last one, and is whole with zeros behind the end of the file."""
    table, node = frame.table, found.node if found.node is not None else -1
    is_begun = found.code is not Code.CHILD_MISSING
    if node < 0 or not _is_last(table, node, is_begun):
        return False
    try:
        if not node and is_begun:
            head = parser.known_class(frame.start)
        else:
            head = parser.read(node, frame.start + (table.start[node] if is_begun else found.span.start))
    except HeaderBroken:
        return False
    is_crash = any(each.severity is Severity.ERROR for each in parser.found)
    return head.end > parser.last and not head.children and not is_crash


def _is_last(table: NodeTable, node: int, is_begun: bool) -> bool:
    """Whether no value is promised behind a node or, where that is not *begun*, behind its next child."""
    if not is_begun and table.has_pairs(node) and len(table.children(node)) % 2 == 0:
        return False  # a name or a key, behind which a value is promised
    present = -1 if is_begun else len(table.children(node))
    while node or present >= 0:
        if present < 0:
            node, present = table.parent[node], table.index(node)
        count = items.part(table, node, "count")
        promised = count.value if count is not None and isinstance(count.value, int) else -1
        if present + 1 != promised * (2 if table.has_pairs(node) else 1):
            return False
        present = -1
    return True


class _EndlessParser(HeaderParser):
    """Reads heads as engines do: behind the last byte all are zero, and a text is as long as it says.

    What may need very many steps is only followed in the resource at the end of the file.

    Args:
        buffer: all bytes of the file.
        frame: one of its resources.
        names: its strings.
        is_at_end: whether no resource lies behind that.
    """

    def __init__(self, buffer: Buffer, frame: Frame, names: StringTable, is_at_end: bool) -> None:
        super().__init__(buffer, frame.table.dialect, names=names)
        self.last = len(buffer)
        self.size = ENDLESS
        self._is_at_end = is_at_end

    def read(self, node: int, pos: int) -> Head:
        """Read the head of a value; what may need very many steps as it is done here, not as elsewhere.

        Raises:
            HeaderBroken: it cannot be followed.
        """
        header = self.word(pos)
        row = self.dialect.row(header)
        self.node = node
        if row is not None and row.kind is Kind.PACKED:
            return self._packed(row, header, pos)
        if row is not None and row.kind is Kind.PACKED_STRINGS:
            return self._packed_strings(row, header, pos)
        if row is not None and row.kind is Kind.INDEXED_PATH:
            return self._indexed_path(row, header, pos)
        return super().read(node, pos)

    def word(self, pos: int) -> int:
        """The u32 at *pos*."""
        return int.from_bytes(bytes(self.buffer[pos : pos + 4]), "little")

    def known_class(self, pos: int) -> Head:
        """Read the class of a resource, which the engine must know, and the count of its properties.

        Raises:
            HeaderBroken: it knows none of this name, or the name has no end: old bytes then follow in the engine.
        """
        name, end, _ = bytes(self.buffer[pos + 4 : pos + 4 + min(self.word(pos), LONGEST_CLASS)]).partition(b"\0")
        known = class_list("godot4" if self.dialect.key.startswith("godot4") else "godot3")
        if not end or (known is not None and known.is_unknown(name.decode(errors="replace"))):
            raise HeaderBroken(Code.RESOURCE_CLASS, Span(pos, pos + 4), pos)
        return self.resource(0, pos)

    def _check_text(self, start: int, end: int, what: str) -> None:
        """Whatever it is, the engine takes it."""

    def _packed(self, row: TypeRow, header: int, pos: int) -> Head:
        head = super()._packed(row, header, pos)
        self._bounded(head.end - self.last <= MOST_MISSING, pos)
        return head

    def _packed_strings(self, row: TypeRow, header: int, pos: int) -> Head:
        lacking = 4 * self.word(pos + 4) - max(0, self.last - pos - 8)
        self._bounded(self._is_at_end and lacking <= MOST_MISSING, pos)
        return super()._packed_strings(row, header, pos)

    def _indexed_path(self, row: TypeRow, header: int, pos: int) -> Head:
        self._bounded(self._is_at_end, pos)
        return super()._indexed_path(row, header, pos)

    def _bounded(self, is_so: bool, pos: int) -> None:
        if not is_so:
            raise HeaderBroken(Code.COUNT_TOO_LARGE, Span(pos + 4, pos + 8), pos)


# References and scripts.


SCRIPTS = ("GDScript", "CSharpScript", "VisualScript", "NativeScript", "PluginScript")
SOURCE = "script/source"
PAUSE = 1 << 9
"""Nodes between two pauses."""
STRETCH = 1 << 14
"""Bytes between two pauses."""
ALL_BITS = 0xFFFFFFFF


def lint_resource(table: NodeTable, frame: int, resources: Resources) -> Iterator[list[Diagnostic]]:
    """The findings about one resource, a few at a time.

    Args:
        table: its values.
        frame: its number among the resources of the file.
        resources: what references name.
    """
    found = [*_class(table), *_script(table)]
    for nodes in _every(table) if is_odd(table) else _referring(table):
        for node in nodes:
            row = table.row(node)
            if row is not None and row.kind is Kind.REFERENCE and not table.is_name(node):
                found.extend(_reference(table, node, frame, resources))
        yield found
        found = []
    yield found


def is_odd(table: NodeTable) -> bool:
    """Whether the bytes alone do not tell what the nodes are, as they do of all but the resource itself."""
    is_assumed = table.guess is not None or any(table.assumed)
    return is_assumed or bool(table.gaps) or table.dialect.rules.header_mask != ALL_BITS


def _every(table: NodeTable) -> Iterator[list[int]]:
    nodes = table.nodes
    while some := list(islice(nodes, PAUSE)):
        yield some


def _referring(table: NodeTable) -> Iterator[list[int]]:
    """The nodes that begin with the type of a reference, by their ids, once all bytes were looked through for them."""
    words = [row.number.to_bytes(4, "little") for row in table.dialect.rows if row.kind is Kind.REFERENCE]
    end, found = table.end_of_data, []
    for start in range(0, end, STRETCH):
        raw = bytes(table.buffer[start : min(start + STRETCH + 3, end)])
        for word in words:
            at = raw.find(word)
            while 0 <= at < STRETCH:
                node = table.at(start + at)
                if table.start[node] == start + at:
                    found.append(node)
                at = raw.find(word, at + 1)
        yield []
    found.sort()
    for first in range(0, len(found), PAUSE):
        yield found[first : first + PAUSE]


def _class(table: NodeTable) -> Iterator[Diagnostic]:
    """Whether the engine can make the class of the resource."""
    part = items.part(table, 0, "class") if len(table) else None
    known = class_list("godot4" if table.dialect.key.startswith("godot4") else "godot3")
    if part is None or known is None or not known.is_unknown(str(part.value)):
        return
    raw = bytes(table.buffer[part.span.start : part.span.end])
    code = Code.CLASS_DAMAGED if is_damaged_text(raw) else Code.RESOURCE_CLASS
    facts = {"dialect": table.dialect.name.removesuffix(" resource"), "name": str(part.value)}
    yield Diagnostic(code, part.span, 0, "class", facts)


def _script(table: NodeTable) -> Iterator[Diagnostic]:
    """Whether the resource is a script, or brings the source of one."""
    if not len(table):
        return
    data = read_shallow(table, 0).data
    head = items.part(table, 0, "class")
    if isinstance(data, ObjectFull) and data.class_name in SCRIPTS and head is not None:
        yield Diagnostic(Code.RESOURCE_SCRIPT, head.span, 0, "class")
        return
    for name in table.children(0)[::2]:
        if read_shallow(table, name).data == SOURCE:
            yield Diagnostic(Code.RESOURCE_SCRIPT, table.span(name), name)


def _reference(table: NodeTable, node: int, frame: int, resources: Resources) -> Iterator[Diagnostic]:
    found = read_shallow(table, node).data
    if not isinstance(found, Reference):
        return
    sentence, span = "", table.span(node)
    if found.kind is ReferenceKind.INTERNAL and found.number not in resources.internal and resources.refuses:
        facts = {"number": found.number, "count": len(resources.internal)}
        yield Diagnostic(Code.REFERENCE_REFUSED, span, node, "", facts)
        return
    if found.kind is ReferenceKind.EXTERNAL and found.number >= len(resources.external):
        count = len(resources.external)
        sentence = f"This is external resource {found.number}, but the table has {count}: engines read null."
    elif found.kind is ReferenceKind.INTERNAL and found.number not in resources.internal:
        sentence = f"There is no resource {found.number} in this file: engines read null."
    elif found.kind is ReferenceKind.INTERNAL and resources.frames.get(found.number, -1) >= frame:
        sentence = "The resource that this names follows it or contains it: engines read null."
    if sentence:
        yield Diagnostic(Code.REFERENCE_LOST, span, node, "", {"sentence": sentence})
