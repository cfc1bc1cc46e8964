"""Lint what types say: typed collections and what stands in them, embedded objects and their scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.base.diagnostic import Code
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.variant import items
from viewer.variant.dialect import FLAG_64, Dialect, Kind
from viewer.variant.expected import RESOURCE_NAMES, ExpectedTypes, expected
from viewer.variant.header import INT_MAX
from viewer.variant.lint.lint_values import Sink, TextLint
from viewer.variant.read import is_script, read_shallow
from viewer.variant.value import Array, Dictionary

PAUSE_EVERY = 4096

CONVERTS, DROPS = "engines convert it silently", "engines drop it"
LATER = "Godot 4.6 makes it one of {name} silently, earlier versions drop it"
"""What becomes of a value that is not of its collection's type."""
FREED = " A RefCounted object that has one, such as a Resource, is freed meanwhile: the game gets none, or dies."


class TypeLint:
    """The checks and surveys of one walk.

    The heads of typed collections, all before the count, are mostly alike: ``clean`` keeps those that were looked at
    and had nothing odd, ``expected`` what may follow them.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.table = sink.table
        self.buffer = sink.table.buffer
        self.u32 = sink.u32
        self.dialect = sink.dialect
        self.text = TextLint(sink)
        self.object_number = _number(sink.dialect, "Object")
        self.clean: set[bytes] = set()
        self.expected: dict[bytes, ExpectedTypes | None] = {}

    # Checks

    def object(self, node: int, pos: int, end: int, header: int) -> None:
        """An object by its id, or embedded with its class and properties."""
        if header & FLAG_64:
            if end >= pos + 12 and not any(self.buffer[pos + 4 : pos + 12]):
                self.sink.add(Code.NULL_OBJECT, Span(pos + 4, pos + 12), node, "id")
            return
        found = {part.name: part for part in items.parts(self.table, node)}
        length, name, count = found.get("class_length"), found.get("class"), found.get("count")
        shown = name if name is not None else length
        if shown is not None:
            is_spelled = RESOURCE_NAMES[0] in self.dialect.by_name  # a text of the engines
            rule = "makes it when it reads this text" if is_spelled else "refuses it unless it is told to allow objects"
            kind = (name and name.value) or "Object"
            self.sink.add(Code.EMBEDDED_OBJECT, shown.span, node, shown.name, type=kind, rule=rule)
            empty = not name.value if name is not None else length is not None and length.value == 0
            if empty:
                self.sink.add(Code.NULL_OBJECT, shown.span, node, shown.name)
        self.text.by_parts(node, pos, end, header)
        if count is not None and isinstance(count.value, int) and count.value > INT_MAX:
            self.sink.add(Code.NEGATIVE_PROPERTY_COUNT, count.span, node, "count", count=count.value - (1 << 32))

    def typed_array(self, node: int, pos: int, end: int, header: int) -> None:
        """A Pandemonium typed array: a type number, then for objects a class name, then the count."""
        if end >= pos + 8:
            self._head(node, pos, end, header, self._pandemonium_head)

    def typed(self, node: int, pos: int, end: int, header: int) -> None:
        """A typed Array or Dictionary of Godot 4."""
        self._head(node, pos, end, header, self._godot4_head)

    def _head(self, node: int, pos: int, end: int, header: int, look: Callable[[int, int, int], None]) -> None:
        """The type that stands before the count, unless the same bytes were fine before; then the count."""
        head = bytes(self.buffer[pos : end - 4])
        if head in self.clean:
            self.sink.shared(node, end - 4)
            return
        known = len(self.sink.found)
        look(node, pos, header)
        self.text.by_parts(node, pos, end, header)
        count = items.part(self.table, node, "count")
        if count is not None:
            if len(self.sink.found) == known:
                self.clean.add(head)
            self.sink.shared(node, count.span.start)

    def _pandemonium_head(self, node: int, pos: int, header: int) -> None:
        number = self.u32(pos + 4)[0] & INT_MAX
        if header & FLAG_64 and number != self.object_number:
            row = self.dialect.row(header)
            facts = {"bits": f"0x{FLAG_64:08X}", "type": f"a {row.name if row else 'collection'} of this type"}
            self.sink.add(Code.IGNORED_FLAGS, Span(pos, pos + 4), node, "header", **facts)
        self.sink.shared(node, pos + 4, "element type")

    def _godot4_head(self, node: int, pos: int, header: int) -> None:
        for part in items.parts(self.table, node):
            what, _, suffix = part.name.partition("_")
            if suffix == "type" and part.value == 0:
                self.sink.add(Code.UNTYPED, part.span, node, part.name)
            elif suffix == "class_length" and part.value == 0:
                self.sink.add(Code.EMPTY_CLASS, part.span, node, part.name)
            elif suffix == "script_length" and self.dialect.rules.script_paths:
                self._script_path(node, f"{what}_script", part.span)

    def _script_path(self, node: int, name: str, fallback: Span) -> None:
        part = items.part(self.table, node, name)
        path = str(part.value) if part is not None else ""
        if not path.startswith("res://"):
            span = part.span if part is not None else fallback
            self.sink.add(Code.SCRIPT_PATH, span, node, name, dialect=self.dialect.name, found=_quoted(path))

    # Surveys

    def properties(self, node: int, header: int) -> Iterator[None]:
        """The property ``script`` of an object."""
        children = self.table.children(node)
        look = self._script_path_value if self.dialect.rules.script_paths else self._script_object
        for k, name in enumerate(children[:-1:2], 1):
            if is_script(self.table, name):
                look(name + 1)
            if not k % PAUSE_EVERY:
                yield

    def _script_object(self, value: int) -> None:
        """A script that comes whole."""
        row = self.table.row(value)
        if row is None or row.kind is not Kind.OBJECT or self.table.header(value) & FLAG_64:
            return
        start = self.table.start[value]
        fate = FREED if self.dialect.rules.frees_scripted else ""
        facts = {"dialect": self.dialect.name, "fate": fate}
        self.sink.mark(Code.EMBEDDED_SCRIPT, Span(start, start + 4), value, "header", **facts)

    def _script_path_value(self, value: int) -> None:
        """The property ``script`` must be nil or a path."""
        row = self.table.row(value)
        if row is None or row.name == "Nil":
            return
        held = items.part(self.table, value, "text") if row.kind is Kind.STRING else None
        path = str(held.value) if held is not None else ""
        if row.name == "String" and path.startswith("res://"):
            return
        found = _quoted(path) if row.name == "String" else f"a value of type {row.name}"
        start = self.table.start[value]
        span, part = (held.span, "text") if held is not None else (Span(start, start + 4), "header")
        self.sink.mark(Code.SCRIPT_PATH, span, value, part, dialect=self.dialect.name, found=found)

    def elements(self, node: int, header: int) -> Iterator[None]:
        """Elements of another type than the array's."""
        return self.only(node, self.table.children(node))

    def only(self, node: int, children: range) -> Iterator[None]:
        """Elements, or keys, of another type than the collection's."""
        mask, start = self.dialect.rules.header_mask, self.table.start
        head = bytes(self.buffer[start[node] : start[children[0]] - 4])
        if head not in self.expected:
            self.expected[head] = self._expected(node)
        only = self.expected[head]
        if only is None:
            return
        for k, child in enumerate(children, 1):
            number = self.u32(start[child])[0] & mask
            if number not in only.kept:
                self._wrong(child, number, only)
            if not k % PAUSE_EVERY:
                yield

    def _wrong(self, node: int, number: int, only: ExpectedTypes) -> None:
        row = self.dialect.row(number)
        does = CONVERTS if number in only.changed else LATER.format(name=only.name) if number in only.later else DROPS
        facts = {
            "found": row.name if row else f"type {number}",
            "expected": only.name,
            "does": does,
            "fate": _fate(number, only),
        }
        start = self.table.start[node]
        self.sink.mark(Code.WRONG_ELEMENT_TYPE, Span(start, start + 4), node, "header", **facts)

    def _expected(self, node: int) -> ExpectedTypes | None:
        """What the engine lets stand in a typed array, or as a key of a typed dictionary; None for everything."""
        data, row = read_shallow(self.table, node).data, self.table.row(node)
        held = data.element_type if isinstance(data, Array) else data.key_type if isinstance(data, Dictionary) else None
        return expected(self.dialect, row.kind, held) if row is not None else None


def _fate(number: int, only: ExpectedTypes) -> str:
    """Which versions convert such a value: ``always`` every one, ``later`` Godot 4.6, ``never`` none."""
    return "always" if number in only.changed else "later" if number in only.later else "never"


def _quoted(path: str) -> str:
    return f"“{escaped(path)}”" if path else "an empty text"


def _number(dialect: Dialect, name: str) -> int:
    """The number of a type, -1 where the dialect has none."""
    row = dialect.by_name.get(name)
    return row.number if row else -1
