"""What a tree row tells, in words and numbers: read from the bytes when the row is painted."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span
from viewer.base.unseen import escaped
from viewer.base.words import grouped, grouped_in
from viewer.document import outline
from viewer.document.change import ExternalChange
from viewer.document.document import Document
from viewer.document.element_index import element_number
from viewer.document.pieces.framing import node_counts
from viewer.document.viewmodel.rows import RowIndex, top_item
from viewer.variant import items, text
from viewer.variant.dialect import Dialect, Kind, TypeRow
from viewer.variant.items import Item, Part, Role
from viewer.variant.literal.preview import Preview, element_text, preview
from viewer.variant.literal.printing import quoted
from viewer.variant.read import read_shallow
from viewer.variant.table import NodeTable
from viewer.variant.value import Reference

if TYPE_CHECKING:  # loaded late: with the first search, the first profile that fits
    from viewer.document.profiles.value_label import ValueLabel
    from viewer.document.viewmodel.found_places import RowFinds

# Row decorations: which rows of the tree are wrong, lie above something wrong, or were changed.

LINTED = 50_000
"""Documents up to so many nodes are looked through for oddities at once; of larger ones only what is known is shown."""


class RowDecorations:
    """The marks of one revision, found when first asked for.

    Args:
        document: whose rows are marked.
        changed: the bytes that count as modified, in byte order; None for what was changed since the last save.
    """

    def __init__(self, document: Document, changed: Sequence[Span] | None = None) -> None:
        self._document = document
        self._changed = changed
        self._found: dict[Item, Diagnostic] | None = None
        self._errors: list[int] = []
        self._modified: list[Span] = []
        self._modified_starts: list[int] = []
        self._news: tuple[ExternalChange, ...] = ()
        self._was: dict[Item, str] = {}
        self._news_starts: list[int] = []
        self._keys: dict[int, outline.OutermostKeys] = {}

    def forget(self) -> None:
        """More is known, or the bytes have changed: find them again when asked."""
        self._found = None

    def finding(self, item: Item) -> Diagnostic | None:
        """The gravest error or warning about what a row shows."""
        return self._here().get(item)

    def has_error_below(self, span: Span, last: bool) -> bool:
        """Whether an error lies inside a row's bytes; *last*: the bytes end where they could not be read further."""
        self._here()
        first = bisect_right(self._errors, span.start)
        return first < bisect_left(self._errors, span.end + last)

    @property
    def any_modified(self) -> bool:
        """Whether any bytes were changed since the last save."""
        self._here()
        return bool(self._modified)

    def is_modified(self, span: Span) -> bool:
        """Whether any of these bytes were changed since the last save."""
        self._here()
        first = max(0, bisect_right(self._modified_starts, span.start) - 1)
        return any(_touches(changed, span) for changed in self._modified[first : first + 2])

    def was(self, item: Item) -> str:
        """What another program has just changed: ``was 10``, ``new``; empty for what it left alone."""
        return self._was.get(item, "") if self._has_news() else ""

    def has_news_below(self, span: Span) -> bool:
        """Whether another program has just changed a value inside a row's bytes."""
        if not self._has_news():
            return False
        return bisect_right(self._news_starts, span.start) < bisect_left(self._news_starts, span.end)

    def _has_news(self) -> bool:
        news = self._document.news
        if news and news is not self._news:
            self._news, self._was = news, {each.item: each.was for each in news}
            self._news_starts = sorted(each.span.start for each in news)
        return bool(news)

    def _here(self) -> dict[Item, Diagnostic]:
        if self._found is None:
            self._find()
        assert self._found is not None
        return self._found

    def _find(self) -> None:
        document = self._document
        self._found = {}
        self._errors = []
        small = document.task is None and sum(node_counts(document.frames)) <= LINTED  # of a glimpse nothing is said
        for finding in document.findings.all() if small else document.findings.known():
            if finding.severity is not Severity.NOTE:
                self._note(finding)
        self._keys = {}
        self._errors.sort()
        self._modified = document.modified_spans() if self._changed is None else list(self._changed)
        self._modified_starts = [span.start for span in self._modified]

    def _note(self, finding: Diagnostic) -> None:
        assert self._found is not None
        item = self._row(finding)
        known = self._found.get(item)
        if known is None or known.severity < finding.severity:
            self._found[item] = finding
        if finding.severity is Severity.ERROR and outline.exists(self._document, item):
            self._errors.append(outline.span(self._document, item).start)

    def _row(self, finding: Diagnostic) -> Item:
        """The item whose row tells of a finding."""
        document = self._document
        item = Item(finding.frame, finding.node, finding.part)
        if finding.frame < 0 or not outline.exists(document, Item(item.frame, item.node)):
            return self._nearest(finding)
        return outline.row_item(document, item, self._keys.setdefault(item.frame, {}))

    def _nearest(self, finding: Diagnostic) -> Item:
        """The row of the first byte that a finding without a node speaks of."""
        document = self._document
        if finding.frame >= 0:
            return top_item(document, finding.frame)
        at = outline.item_at(document, min(finding.span.start, len(document.buffer) - 1))
        return Item(0, 0) if at is None else outline.row_item(document, at)


def _touches(changed: Span, span: Span) -> bool:
    """Whether they share a byte, or bytes were taken out inside."""
    if not len(changed):
        return changed.start in span
    return changed.start < span.end and span.start < changed.end


# Previews that are remembered by the bytes of their values: after an edit most rows show what they showed before.

Look = Callable[[NodeTable, int, int], Preview]
REMEMBERED = 2048
LONGEST = 1 << 10
"""Bytes; values of more are looked at each time."""


class Previews:
    """Remembers what :func:`~viewer.variant.literal.preview.preview` said of short values."""

    def __init__(self) -> None:
        self._dialect: Dialect | None = None
        self._known: dict[tuple[bytes, int], Preview] = {}

    def of(self, table: NodeTable, node: int, limit: int) -> Preview:
        """A node in about *limit* characters. What is broken, or has no header of its own, is not remembered."""
        start, end = table.start[node], table.end(node)
        if table.diagnostics or end - start > LONGEST or table.is_name(node):
            return preview(table, node, limit)
        if table.dialect is not self._dialect or len(self._known) >= REMEMBERED:
            self._dialect = table.dialect
            self._known.clear()
        key = bytes(table.buffer[start:end]), limit
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = preview(table, node, limit)
        return found


# Errors in a few words, for the value column of a tree row; the tooltip and the problem list have the sentence.

SHORT = {
    Code.HEADER_MISSING: "no header, only {available} left",
    Code.CHILD_MISSING: "{promised} promised, {present} there",
    Code.UNKNOWN_TYPE: "type {number} does not exist",
    Code.FLAGS_REFUSED: "header {header} is refused",
    Code.PAYLOAD_TRUNCATED: "needs {expected}, only {available} left",
    Code.LENGTH_TOO_LONG: "length {length}, only {available} left",
    Code.PADDING_MISSING: "{expected} of padding, only {available} left",
    Code.LENGTH_NEGATIVE: "length {length}",
    Code.COUNT_TOO_LARGE: "{elements}, only {available} left",
    Code.COUNT_NEGATIVE: "count {count}",
    Code.OLD_NODE_PATH: "path in the old form",
    Code.IMAGE_FORMAT: "image format {format} does not exist",
    Code.CLASS_NAME_EXPECTED: "no class name, but type {number}",
    Code.BAD_UTF8: "byte {byte} is not UTF-8",
    Code.ELEMENT_TYPE: "element type {number} does not exist",
    Code.TOO_DEEP: "{depth} levels deep, {limit} allowed",
    Code.ENGINE_REFUSES: "refused by {dialect} itself",
    Code.SCRIPT_PATH: "no script path: {found}",
    Code.PREFIX_TOO_LONG: "length {length}, only {available} there",
    Code.PREFIX_TOO_SHORT: "length {length}, {available} there",
}
FATAL = {
    Code.HEADER_MISSING,
    Code.UNKNOWN_TYPE,
    Code.FLAGS_REFUSED,
    Code.PAYLOAD_TRUNCATED,
    Code.LENGTH_TOO_LONG,
    Code.PADDING_MISSING,
    Code.LENGTH_NEGATIVE,
    Code.COUNT_TOO_LARGE,
    Code.COUNT_NEGATIVE,
    Code.OLD_NODE_PATH,
    Code.IMAGE_FORMAT,
    Code.CLASS_NAME_EXPECTED,
    Code.BAD_UTF8,
    Code.ELEMENT_TYPE,
}
"""After these there is no value to show in the row: the words stand in its place."""


def short_words(finding: Diagnostic) -> str:
    """A finding in a few words."""
    template = SHORT.get(finding.code)
    if template is None:
        first, _, rest = finding.message.partition(":")
        is_place = finding.code in (Code.PACKET_REFUSED, Code.PACKET_ODD)
        return grouped_in((rest.strip() if is_place and rest else first).removesuffix("."))
    return grouped_in(template.format_map(_facts(finding)).replace("only 0 bytes", "no bytes"))


def _facts(finding: Diagnostic) -> dict[str, object]:
    """The facts of a finding, without the words that only its sentence needs."""
    facts = dict(finding.facts)
    present = str(facts.get("present", "")).partition(" ")[0]
    promised = str(facts.get("promised", ""))
    if facts.get("parent") == "Object":
        promised = promised.replace("pairs", "properties").replace("pair", "property")
    return facts | {
        "length": str(facts.get("length", "")).removesuffix(" bytes").removesuffix(" byte"),
        "present": "none" if present == "0" else present,
        "promised": promised,
        "elements": "1 element" if facts.get("count") == 1 else f"{facts.get('count')} elements",
    }


NAME_LIMIT = 120
FIELD_CHIPS = ("fd", "pk")
"""The letters of a field of a file, and of one of a packet."""
LONE_VALUE = "value"
"""What the value of a packet is called that holds nothing else: its number says as much."""
BROKEN_KEY = "broken key"
NO_VALUE = "no value follows this key"
TEXT_LIMIT = 160
ELEMENT_TYPES = {"bool": "bool", "u8": "byte", "i32": "int", "i64": "int", "f32": "float", "f64": "float"}
Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class RowData:
    """One row.

    Args:
        name: what it is called; *fixed_name* where that is a number or literal, not a name.
        type: the type's name; *chip* its letters and *group* its family.
        count: ``{7}`` or ``[24]`` of a collection; *text* its value or preview.
        span: its bytes.
        finding: what is wrong with it; *error_below* where something inside it is.
        modified: it was changed; *modified_below* where only something inside it was.
        swatch: the colour that it holds; *state* whether the bool is set.
        strokes: of an array of numbers how they run, from 0 to 1; *colours* the first of an array of them.
        gap: bytes that no value claims; *page* some children of a long collection, its *span* empty where finding
            it would take long.
        replaced: the text says what is wrong in place of a value.
        recovered: a guess: it lies behind an error.
        above: a filter left the row only for what is found below it.
        inside: what its value holds, in a word or three; empty where nothing is that is sure.
        whole: what *name* is short for, empty where that is all.
        found: what a search found of it, None for nothing.
        is_unpacked: its bytes were unpacked from a value, so that the offset counts in these and not in the file.
        label: what the profile of the game says of it.
    """

    name: str
    span: Span = field(default_factory=lambda: Span(0, 0))
    type: str = ""
    chip: str = ""
    group: str | None = None
    count: str = ""
    text: str = ""
    fixed_name: bool = False
    finding: Diagnostic | None = None
    error_below: bool = False
    modified: bool = False
    modified_below: bool = False
    swatch: Rgba | None = None
    state: bool | None = None
    strokes: tuple[float, ...] = ()
    colours: tuple[Rgba, ...] = ()
    gap: bool = False
    page: bool = False
    replaced: bool = False
    recovered: bool = False
    above: bool = False
    inside: str = ""
    is_unpacked: bool = False
    whole: str = ""
    found: RowFinds | None = None
    label: ValueLabel | None = None

    @property
    def is_error(self) -> bool:
        """Whether the engine refuses this very value."""
        return self.finding is not None and self.finding.severity is Severity.ERROR

    @property
    def is_warning(self) -> bool:
        """Whether the engine takes this but would not write it."""
        return self.finding is not None and self.finding.severity is Severity.WARNING

    @property
    def offset_text(self) -> str:
        """Where it starts, in hex; of unpacked bytes from where these begin."""
        sign = "+" if self.is_unpacked else ""
        return "" if self.page and not len(self.span) else f"{sign}0x{self.span.start:X}"

    @property
    def size_text(self) -> str:
        """How many bytes it takes, in groups of three digits."""
        return "" if self.page and not len(self.span) else grouped(len(self.span))


def row_facts(
    document: Document, rows: RowIndex, marks: RowDecorations, holder: int, row: int, look: Look = preview
) -> RowData:
    """What row number *row* under *holder* tells; *look* says a value in a few characters."""
    facts = _in_layer(document, rows, marks, holder, row, look)
    return facts if document.text is None else replace(facts, span=document.place(facts.span))


def _in_layer(document: Document, rows: RowIndex, marks: RowDecorations, holder: int, row: int, look: Look) -> RowData:
    """The same, with the span in the layer."""
    item = rows.item(holder, row)
    page = rows.page(holder, row)
    if page is not None:
        return _page(rows, marks, holder, row, page)
    if item.node < 0 or outline.is_gap(item):
        value = outline.shown_value(document, item)
        field = outline.field_of(document, item) if value is not item else None
        return _unclaimed(document, marks, item) if field is None else _view(document, marks, value, field.name, look)
    if element_number(item) >= 0:
        return _element(document, rows, marks, item)
    facts = _node(document, marks, item, look)
    was = marks.was(item)
    return replace(facts, text=f"{facts.text}   {was}", modified=True, modified_below=False) if was else facts


def _view(document: Document, marks: RowDecorations, value: Item, name: str, look: Look) -> RowData:
    """The row of a field that shows a value which lies elsewhere."""
    return replace(_node(document, marks, value, look), name=name, fixed_name=True)


def _page(rows: RowIndex, marks: RowDecorations, holder: int, row: int, page: range) -> RowData:
    span = rows.page_span(holder, row) or Span(0, 0)
    whole = rows.block(holder).whole
    around = Span(span.start - 1, span.end)  # what begins with the page lies in it
    return RowData(
        f"[{grouped(page[0])} … {grouped(page[-1])}]",
        span,
        fixed_name=True,
        page=True,
        error_below=marks.has_error_below(around, rows.is_cut_off(holder, span)),
        modified=not whole.first and whole.node >= 0 and marks.is_modified(span),
    )


def _unclaimed(document: Document, marks: RowDecorations, item: Item) -> RowData:
    finding = marks.finding(item)
    if not outline.exists(document, item):
        return RowData("empty frame", gap=True, finding=finding)
    span = outline.span(document, item)
    if item.part == outline.PREFIX:
        return RowData(f"[{item.frame}]", span, text="no value", fixed_name=True, gap=True, finding=finding)
    from viewer.document.viewmodel.meaning import unclaimed  # few files have gaps

    words = unclaimed(document, item, span)
    if words.is_field:
        return RowData(
            words.name,
            span,
            "field",
            FIELD_CHIPS[document.message is not None],
            text=words.text,
            finding=finding,
            error_below=marks.has_error_below(Span(span.start - 1, span.end), False) and finding is None,
            modified=marks.is_modified(span),
        )
    return RowData(words.name, span, text=words.guess or words.text, gap=True, recovered=bool(words.guess))


# Nodes


def _node(document: Document, marks: RowDecorations, item: Item, look: Look) -> RowData:
    frame = document.frames[item.frame]
    table, node = frame.table, item.node
    row = table.row(node)
    span = table.span(node).shifted(frame.start)
    name, fixed_name = node_name(table, item)
    if document.value_names and not node and document.value_names[item.frame] != LONE_VALUE:
        name, fixed_name = document.value_names[item.frame], False
    shown = look(table, node, TEXT_LIMIT)
    is_lone = bool(node) and outline.is_key(table, node)  # a key has a row of its own where its value is missing
    told = NO_VALUE if is_lone else _named_by(document, table, node, row) or pictured(table, node, row)
    strokes, colours = _looks(table, node, row)
    facts = RowData(
        name,
        span,
        type_name(table, node, row),
        row.chip if row else "?",
        row.group if row else None,
        _stated(document, table, node, shown.count) if document.task is not None else shown.count,
        told or shown.text,
        fixed_name,
        swatch=_swatch(row, read_shallow(table, node).data) if row is not None and row.name == "Color" else None,
        state=_state(table, node, row),
        strokes=strokes,
        colours=colours,
    )
    if node and not table.parent[node] and document.has_sections:
        facts = _section(table, node, facts)
    return _marked(document, marks, item, facts)


def _looks(table: NodeTable, node: int, row: TypeRow | None) -> tuple[tuple[float, ...], tuple[Rgba, ...]]:
    """How the numbers of a packed array run, and the first of its colours; nothing of all other values."""
    if row is None or row.kind is not Kind.PACKED or table.is_name(node):
        return (), ()
    from viewer.document.viewmodel.sparkline import first_colours, sparkline

    return sparkline(table, node, row), first_colours(table, node, row)


def pictured(table: NodeTable, node: int, row: TypeRow | None) -> str:
    """Which picture file a byte array is; empty where it is none, and for all other values."""
    if row is None or row.kind is not Kind.PACKED or row.narrow_size != 1 or table.is_name(node):
        return ""
    from viewer.document.visuals.found_picture import picture_file_words

    return picture_file_words(table, node)


def _section(table: NodeTable, node: int, facts: RowData) -> RowData:
    """The row of a section of a resource or scene as text: its name in short, and what stands in its brackets."""
    from viewer.text.tags import shortened

    key = outline.key_of(table, node)
    words = outline.key_text(table, key) if key is not None else ""
    if not words:
        return facts
    name, rest = shortened(words)
    told = ", ".join(f"{each.name}: {each.literal}" for each in rest)
    text = " · ".join(part for part in (escaped(told), facts.text) if part)
    return replace(facts, name=escaped(name), fixed_name=False, text=text, whole=f"[{escaped(words)}]")


def _named_by(document: Document, table: NodeTable, node: int, row: TypeRow | None) -> str:
    """What a reference to another resource names; empty where it names nothing, and for all other values."""
    if row is None or row.kind is not Kind.REFERENCE or document.structure is None or table.is_name(node):
        return ""
    found, resources = read_shallow(table, node).data, document.structure.resources
    return escaped(resources.named(found)) if isinstance(found, Reference) and resources is not None else ""


def _stated(document: Document, table: NodeTable, node: int, shown: str) -> str:
    """How many children a collection has, by its own word: those that are there may not be all, while it is read.

    In a text it says nothing itself, so that nobody knows of one that reaches to where the text was read to.
    """
    if document.is_begun and table.end(node) >= table.end_of_data:
        return ""
    found = items.part(table, node, "count") if shown else None
    return f"{shown[0]}{grouped(found.value)}{shown[-1]}" if found and isinstance(found.value, int) else shown


def node_name(table: NodeTable, item: Item) -> tuple[str, bool]:
    """What a node is called, and whether that is a number or literal instead of a name."""
    node = item.node
    if not node:
        return f"[{item.frame}]", True
    key = node if outline.is_key(table, node) else outline.key_of(table, node)
    if key is None:
        return f"[{table.index(node)}]", True
    row = table.row(key)
    if row is None or row.kind is not Kind.STRING or table.end(key) - table.start[key] > 4 * NAME_LIMIT:
        shown = str(preview(table, key, NAME_LIMIT))
        return (shown if shown != "?" else BROKEN_KEY), True
    plain = outline.key_text(table, key)
    if not plain and not isinstance(read_shallow(table, key).data, str):
        return BROKEN_KEY, True
    return (plain, False) if plain.isprintable() and plain.strip() else (quoted(plain), True)


def type_name(table: NodeTable, node: int, row: TypeRow | None) -> str:
    """The name of a node's type, of a resource that of its class, or its number where the dialect has none."""
    if row is not None and row.kind is Kind.RESOURCE:
        found = items.part(table, node, "class")
        return escaped(str(found.value)) if found is not None and found.value else row.name
    return row.name if row is not None else f"type {table.header(node) & 0xFF}"


def _marked(document: Document, marks: RowDecorations, item: Item, facts: RowData) -> RowData:
    frame = document.frames[item.frame]
    table, node = frame.table, item.node
    finding = marks.finding(item)
    at_end = table.end(node) == table.end_of_data
    key = outline.key_of(table, node)
    start = table.start[node if key is None else key]
    own = Span(start, max(table.head_end(node), start)).shifted(frame.start)
    here = finding is not None and finding.node == node  # a key's own fault leaves its value to be seen
    replaced = here and finding is not None and finding.code in FATAL and not facts.count
    modified, holds = marks.is_modified(own), bool(table.child_count(node))
    below = holds and not modified and (marks.is_modified(facts.span) or marks.has_news_below(facts.span))
    return replace(
        facts,
        finding=finding,
        recovered=table.is_guessed(node),
        error_below=holds and marks.has_error_below(facts.span, at_end),
        modified=modified,
        modified_below=below,
        replaced=replaced,
        text=short_words(finding) if replaced and finding is not None else facts.text,
    )


def _swatch(row: TypeRow | None, data: object) -> Rgba | None:
    return (
        (float(data[0]), float(data[1]), float(data[2]), float(data[3]))
        if isinstance(data, tuple) and len(data) == 4
        else None
    )


def _state(table: NodeTable, node: int, row: TypeRow | None) -> bool | None:
    if row is None or row.name != "bool":
        return None
    found = items.part(table, node, "value")
    return bool(found.value) if found is not None else None


# Elements of packed arrays


def _element(document: Document, rows: RowIndex, marks: RowDecorations, item: Item) -> RowData:
    frame = document.frames[item.frame]
    table = frame.table
    row = table.row(item.node)
    assert row is not None
    if row.kind is Kind.PACKED_STRINGS:
        part = string_part(table, rows.elements.string_start(item), item.part)
        shown = quoted(str(part.value))
    else:
        part = items.element(table, item.node, element_number(item))
        shown = element_text(part)
    of_type = element_type(table.dialect, row, part)
    like = table.dialect.by_name.get(of_type) or table.dialect.by_name.get("int")
    assert like is not None
    span = part.span.shifted(frame.start)
    return RowData(
        item.part,
        span,
        of_type,
        like.chip,
        like.group,
        text=shown,
        fixed_name=True,
        finding=marks.finding(item),
        recovered=table.is_guessed(item.node),
        modified=marks.is_modified(span),
        swatch=_swatch(row, part.value) if of_type == "Color" else None,
    )


def element_type(dialect: Dialect, row: TypeRow, part: Part) -> str:
    """The type that an element of a packed array has in the engine's scripts."""
    if row.kind is Kind.PACKED_STRINGS:
        return "String"
    if part.type:
        return ELEMENT_TYPES.get(part.type, part.type)
    bare = row.name.removeprefix("Pool").removeprefix("Packed").removesuffix("Array")
    return bare if bare in dialect.by_name else row.name


def string_part(table: NodeTable, start: int, name: str) -> Part:
    """An element of a packed string array whose length word stands at *start*; only as much text as a row shows."""
    length = int.from_bytes(table.buffer[start : start + 4], "little")
    raw = bytes(table.buffer[start + 4 : start + 4 + min(length, 4 * TEXT_LIMIT)])
    if length > len(raw):
        shown = raw.decode(errors="replace")
    else:
        shown = text.read(raw.removesuffix(b"\0"), table.dialect.rules.utf8)
    return Part(name, Span(start + 4, start + 4 + length), Role.VALUE, "text", shown)
