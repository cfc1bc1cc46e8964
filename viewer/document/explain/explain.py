"""The page about one item: what its bytes are, how its type is laid out, what is known of it, what is wrong with it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from typing import TYPE_CHECKING, TypeAlias, assert_never

from viewer.base import assets
from viewer.base.diagnostic import Code, Diagnostic, Severity
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.base.unseen import printable
from viewer.base.words import counted, grouped, grouped_in
from viewer.container.layer import Layer, SourceText
from viewer.document import outline
from viewer.document.advice import advice
from viewer.document.byte_map import ByteMap, ByteStatus
from viewer.document.document import Document
from viewer.document.engines.lines import Evidence, concept, lines
from viewer.document.pieces.framing import Frame
from viewer.document.readers.file_structure import RESOURCE
from viewer.document.viewmodel.meaning import NUMBER_WORDS, label, meaning, part_words, unclaimed
from viewer.variant.dialect import RESOURCE_VALUES, Dialect, Field, Kind, Rules, TypeRow
from viewer.variant.items import Item, Part, Role
from viewer.variant.lint.lint import lint_nodes
from viewer.variant.literal import preview
from viewer.variant.paths.path_walk import PathBook
from viewer.variant.table import NONE, NodeTable

if TYPE_CHECKING:
    from viewer.document.doctor.likely import LikelyCause


# Page: a title, sections, rows of bytes and notes; as text and as HTML.


SHOWN = 12
"""Bytes of a row that are shown."""
STYLE = "body{font:14px/1.45 system-ui,sans-serif}td,th{padding:1px 12px 1px 0;text-align:left;vertical-align:top}"


@dataclass(frozen=True, slots=True)
class PageRow:
    """A line of a table.

    Args:
        name: what it is about.
        meaning: what that is, or holds.
        offset: where it begins, -1 where it is nowhere in particular.
        size: how many bytes it has, -1 where that varies or means nothing.
        raw: its bytes, the first ones of many; empty where there are none to show.
        here: whether it is what was asked for.
    """

    name: str
    meaning: str
    offset: int = -1
    size: int = -1
    raw: bytes = b""
    here: bool = False

    @property
    def place(self) -> str:
        """The offset as people write it, empty for none."""
        return f"0x{self.offset:X}" if self.offset >= 0 else ""

    @property
    def bytes(self) -> str:
        """The bytes as hex digits; the size where there are none."""
        if not self.raw:
            return "" if self.size < 0 else f"{grouped(self.size)} B"
        more = " …" if max(self.size, len(self.raw)) > SHOWN else ""
        return self.raw[:SHOWN].hex(" ").upper() + more


@dataclass(frozen=True, slots=True)
class Note:
    """A fact in a sentence or two, and where it is from."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: rows, then notes."""

    title: str
    rows: tuple[PageRow, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """All that is said of an item: *summary* is one sentence below the title."""

    title: str
    summary: str
    sections: tuple[Section, ...]

    def as_text(self) -> str:
        """The page for a terminal."""
        lines = [_line(self.title), _line(self.summary)]
        for section in self.sections:
            lines += ["", section.title, *_table(section.rows)]
            for note in section.notes:
                lines.append(_line(f"  - {note.text}" + (f" ({note.source})" if note.source else "")))
        return "\n".join(lines) + "\n"

    def as_html(self) -> str:
        """The page as HTML that loads nothing; every text in it is escaped."""
        out = [f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_safe(self.title)}</title>']
        out.append(f"<style>{STYLE}</style></head><body>\n<h1>{_safe(self.title)}</h1>\n<p>{_safe(self.summary)}</p>")
        for section in self.sections:
            out.append(f"<h2>{_safe(section.title)}</h2>")
            if section.rows:
                out.append(f"<table>{''.join(map(_html_row, section.rows))}</table>")
            if section.notes:
                out.append(f"<ul>{''.join(map(_html_note, section.notes))}</ul>")
        return "\n".join(out) + "\n</body></html>\n"


def _table(rows: tuple[PageRow, ...]) -> list[str]:
    cells = [(row.place, _line(row.bytes), _line(row.name), _line(row.meaning)) for row in rows]
    widths = [max((len(cell[k]) for cell in cells), default=0) for k in range(3)]
    out = []
    for row, (place, raw, name, words) in zip(rows, cells, strict=True):
        columns = [f"{cell:<{width}}" for cell, width in zip((place, raw, name), widths, strict=True) if width]
        out.append(f"{'>' if row.here else ' '} {'  '.join([*columns, words])}".rstrip())
    return out


def _safe(text: str) -> str:
    return escape(_line(text))


def _line(text: str) -> str:
    """A text for one line; the narrow spaces between digits become plain ones."""
    return printable(text.replace("\u202f", " "))


def _html_row(row: PageRow) -> str:
    cells = (row.place, f"<code>{_safe(row.bytes)}</code>" if row.bytes else "", _safe(row.name), _safe(row.meaning))
    inside = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr{' style=font-weight:bold' if row.here else ''}>{inside}</tr>\n"


def _html_note(note: Note) -> str:
    return f"<li>{_safe(note.text)}{f' <small>({_safe(note.source)})</small>' if note.source else ''}</li>\n"


# What stands on it.


# Nearby: what is wrong with the bytes of one item, without a look at all values of a large document.

SPELLED = 80
"""Bytes of a text that are shown of one value."""
MOST_NODES = 1 << 13
"""Of frames with more nodes only the node, what it lies in and what it begins with are looked at."""
NEARBY_MOST_LEVELS, MOST_INSIDE = 64, 256
MOST_CHILDREN, MOST_BYTES = 1 << 12, 1 << 18
"""Nodes with more children, or with more bytes of their own, are not looked at either."""


def findings_at(document: Document, item: Item, span: Span) -> list[Diagnostic]:
    """The findings that touch the bytes of an item, in byte order.

    Args:
        document: what the item is in.
        item: as for :func:`viewer.document.explain`.
        span: its bytes, in the layer.
    """
    frame = document.frames[item.frame] if 0 <= item.frame < len(document.frames) else None
    found = list(_lints(document, item, frame)) if frame is not None and item.node >= 0 else []
    unique = {(each.code, each.span, each.node, each.part): each for each in (*document.findings.known(), *found)}
    here = [each for each in unique.values() if _touches(each, span)]
    return sorted(here, key=lambda each: (each.span.start, -each.severity))


def _touches(found: Diagnostic, span: Span) -> bool:
    if not len(found.span):
        return span.start <= found.span.start <= span.end
    return found.span.start < span.end and span.start < found.span.end


def _lints(document: Document, item: Item, frame: Frame) -> Iterator[Diagnostic]:
    table = frame.table
    if len(table) <= MOST_NODES and len(table.buffer) <= MOST_BYTES:
        yield from document.findings.lints(item.frame)
        return
    nodes = sorted({*_around(table, item.node), *_nearby_inside(table, item.node)}, key=table.start.__getitem__)
    for found in lint_nodes(table, [node for node in nodes if _is_quick(table, node)]):
        yield found.located(item.frame, frame.start)


def _is_quick(table: NodeTable, node: int) -> bool:
    own = table.head_end(node) - table.start[node]
    return table.child_count(node) <= MOST_CHILDREN and own <= MOST_BYTES


def _around(table: NodeTable, node: int) -> Iterator[int]:
    """A node and what it lies in, the outermost ones of very many left out."""
    for _ in range(NEARBY_MOST_LEVELS):
        if node == NONE:
            return
        yield node
        node = table.parent[node]


def _nearby_inside(table: NodeTable, node: int) -> list[int]:
    """The first nodes in a node."""
    found: list[int] = []
    waiting = [node]
    while waiting and len(found) < MOST_INSIDE:
        some = table.children(waiting.pop())[: MOST_INSIDE - len(found)]
        inside = [child for child in some if table.parent[child] != NONE]
        found += inside
        waiting += reversed(inside)
    return found


# How a type is laid out, from the shape tables: the rows of a page, and what each engine line calls the type.

TEXT = (("length", 4, "bytes of the text"), ("text", -1, "UTF-8"), ("padding", -1, "up to a multiple of four"))
CLOSED_TEXT = (("length", 4, "bytes of the text with its NUL"), ("text", -1, "UTF-8, then a NUL"))
LayoutRow: TypeAlias = tuple[str, int, str]
TYPED = PageRow("element types", "where header bits 16 to 19 say so", 4)


def layout_rows(row: TypeRow, dialect: Dialect, header: int) -> Iterator[PageRow]:
    """The layout of a type, offsets counted from its header; the width of numbers as this header says."""
    mask = dialect.rules.header_mask
    if row.kind is Kind.RESOURCE:
        yield from (PageRow(name, words, -1, size) for name, size, words in _layout(row, dialect.rules, header))
        return
    yield PageRow("header", f"type number {row.number}" + (", flags above" if mask == 0xFF else ""), 0, 4)
    is_typed = (row.kind is Kind.ARRAY and dialect.rules.typed_arrays) or (
        row.kind is Kind.DICTIONARY and dialect.rules.typed_dictionaries
    )
    at = 4
    if is_typed:
        yield TYPED
        at = -1
    for name, size, words in _layout(row, dialect.rules, header):
        yield PageRow(name, words, at, size)
        at = at + size if at >= 0 and size >= 0 else -1


def _layout(row: TypeRow, rules: Rules, header: int) -> tuple[LayoutRow, ...]:
    """What follows the header of a type: name, size in bytes or -1, and words for it."""
    match row.kind:
        case Kind.FIXED:
            return tuple((field.name, field.size, NUMBER_WORDS[field.type]) for field in row.fields(header))
        case Kind.PACKED:
            return _packed_layout(row.fields(header))
        case Kind.STRING:
            return CLOSED_TEXT if rules.closed_texts else TEXT
        case Kind.INDEXED_PATH:
            return (
                ("name count", 2, ""),
                ("sub-name count", 2, "the highest bit: absolute"),
                (
                    "names, sub-names",
                    -1,
                    "each its place in the strings of the file, or with bit 31 a length and a text",
                ),
            )
        case Kind.REFERENCE:
            return (
                ("target", 4, "0 null, 1 a path, 2 in this file, 3 external"),
                ("index", 4, "its number; of a path class and path as texts"),
            )
        case Kind.RESOURCE:
            return (
                ("class", -1, "length with its NUL, text and NUL"),
                ("count", 4, "of properties"),
                ("properties", -1, "each the place of its name in the strings of the file, then a value"),
            )
        case Kind.NODE_PATH:
            return (
                ("name count", 4, "with bit 31 set"),
                ("sub-name count", 4, ""),
                ("flags", 4, "bit 0: absolute"),
                ("names, sub-names", -1, "each as length, text and padding"),
            )
        case Kind.OBJECT:
            return (
                ("class", -1, "length, text and padding; under the 64-bit flag a 64-bit id instead of all this"),
                ("count", 4, "of properties"),
                ("properties", -1, "each a name without a header, then a value"),
            )
        case Kind.NULL_OBJECT:
            return ()
        case Kind.SIGNAL:
            return (("name", -1, "length, text and padding"), ("id", 8, "of the object"))
        case Kind.DICTIONARY:
            return (("count", 4, "of pairs"), ("pairs", -1, "a key, then its value"))
        case Kind.ARRAY:
            return (("count", 4, "of elements"), ("elements", -1, "each a whole value"))
        case Kind.TYPED_ARRAY:
            return (
                ("element type", 4, "a type number"),
                ("class", -1, "of objects: a whole StringName"),
                ("count", 4, "of elements"),
                ("elements", -1, "each a whole value"),
            )
        case Kind.PACKED_STRINGS:
            return (
                ("count", 4, "of texts"),
                ("texts", -1, f"each as length with its NUL, text, NUL{'' if rules.closed_texts else ' and padding'}"),
            )
        case Kind.IMAGE:
            return (
                ("format", 4, ""),
                ("mipmaps", 4, "extra levels"),
                ("width", 4, ""),
                ("height", 4, ""),
                ("length", 4, "bytes of pixels"),
                ("data", -1, "the pixels, then padding"),
            )
        case Kind.INPUT_EVENT:
            return (
                ("type", 4, ""),
                ("device", 4, ""),
                ("length", 4, "from the type on"),
                ("fields", -1, "what this type of event stores"),
            )
        case _:
            assert_never(row.kind)


def _packed_layout(fields: tuple[Field, ...]) -> tuple[LayoutRow, ...]:
    inside = " ".join(f"{field.name}: {NUMBER_WORDS[field.type]}" for field in fields)
    size = sum(field.size for field in fields)
    rows = (("count", 4, "of elements"), ("elements", -1, f"{size} bytes each: {inside}"))
    return (*rows, ("padding", -1, "up to a multiple of four")) if size % 4 else rows


def engine_rows(row: TypeRow) -> Iterator[PageRow]:
    """The number and name of a type in each engine line, and what sets that line apart."""
    wanted = concept(row.name)
    for engine in lines():
        found = next((each for each in engine.dialect.rows if concept(each.name) == wanted), None)
        origin = engine.source if engine.evidence is Evidence.RUN else "from source"
        if found is None:
            yield PageRow(engine.name, f"has no such type; {origin}")
            continue
        limit = engine.dialect.rules.max_depth if found.kind in (Kind.ARRAY, Kind.DICTIONARY) else 0
        words = f"{found.name}, type number {found.number}" + (f", at most {limit} levels deep" if limit else "")
        yield PageRow(engine.name, f"{words}; {origin}")


# The facts about the format, read from a resource, by the subjects that they are about.


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known.

    Args:
        about: its subjects.
        text: what is known.
        engines: the beginnings of the dialects' keys that it holds for; none for all.
        evidence, basis: where it is from.
    """

    about: frozenset[str]
    text: str
    engines: tuple[str, ...]
    evidence: Evidence
    basis: str

    def holds_for(self, dialect: str) -> bool:
        """Whether it is true of a dialect, given by its key.

        What is true of stored values need not be true of those in binary resources: these have facts of their own.
        """
        if dialect.endswith(RESOURCE_VALUES):
            return dialect in self.engines
        return not self.engines or dialect.startswith(
            tuple(each for each in self.engines if RESOURCE_VALUES not in each)
        )

    @property
    def source(self) -> str:
        """Where it is from, in words."""
        if self.evidence is Evidence.RUN:
            return f"found by running {self.basis}"
        return f"from source: {self.basis}"


@cache
def facts() -> tuple[Fact, ...]:
    """All facts, in the order of the resource."""
    entries = tomllib.loads(assets.text("facts.toml"))["facts"]
    return tuple(
        Fact(
            frozenset(entry["about"]),
            entry["text"],
            tuple(entry.get("engines", ())),
            Evidence(entry["evidence"]),
            entry["basis"],
        )
        for entry in entries
    )


def notes(subjects: Iterable[str], dialect: str) -> tuple[Note, ...]:
    """What is known about any of these subjects in a dialect, given by its key."""
    wanted = frozenset(subjects)
    return tuple(
        Note(grouped_in(fact.text), fact.source) for fact in facts() if fact.about & wanted and fact.holds_for(dialect)
    )


ASK = "The mistake may be before this place: the doctor says what may have happened to all of the bytes."
MOST_ROWS = 48
MOST_FINDINGS = 12
MOST_WAYS = 4
MOST_LEVELS = 1 << 10


def explain(document: Document, place: Item | int, cause: LikelyCause | None = None) -> Page:
    """The page about an item, or about the deepest item that holds the byte at an offset of the layer.

    Args:
        document: what it is in.
        place: the item or the offset; that of the end is behind the last byte.
        cause: what most probably went wrong with the document.

    Raises:
        KeyError: the document has no such item or byte.
    """
    if place == len(document.buffer):
        return _end(document, cause)
    item = outline.item_at(document, place) if isinstance(place, int) else place
    if item is None or not outline.exists(document, item):
        raise KeyError(place)
    offset = place if isinstance(place, int) else -1
    frame = outline.frame_of(document, item)
    if frame is None or item.node < 0 or item.part.startswith(outline.GAP):
        return _outside(document, item, offset, cause)
    if document.text is not None:
        return _of_text(document, document.text, item, frame)
    return _inside(document, item, frame, offset, cause)


def _of_text(document: Document, text: SourceText, item: Item, frame: Frame) -> Page:
    """The page about a value that stands in a text."""
    table = frame.table
    row, span = table.row(item.node), document.place(outline.span(document, item))
    line, column = text.line_and_column(span.start)
    raw = text.outside[span.start : span.end]
    rows = (
        PageRow("text", raw[:SPELLED].decode(errors="replace") + ("…" if len(raw) > SPELLED else "")),
        PageRow("value", preview.text(table, item.node, SPELLED)),
    )
    found = findings_at(document, item, outline.span(document, item))
    words = f"Line {line}, column {column}: {counted(len(span), 'byte')} at 0x{span.start:X}"
    path = PathBook(table, f"[{item.frame}]").path(item.node, "") if _is_near(table, item.node) else None
    about = f" {row.about}" if row is not None else ""
    summary = ", ".join([words, *([path] if path else [])]) + "." + about
    title = row.name if row is not None else "unknown"
    sections = [Section(f"In this {text.label}", rows), *_findings(found, None, is_text=True)]
    return Page(f"{title[:1].upper()}{title[1:]}", summary, _filled(sections))


def _inside(document: Document, item: Item, frame: Frame, offset: int, cause: LikelyCause | None) -> Page:
    """The page about a node or a part of one."""
    table = frame.table
    row = None if table.is_name(item.node) else table.row(item.node)
    span = outline.span(document, item)
    shown = [part for part, _ in outline.roles(document, item)]
    part = next((each for each in shown if each.name == item.part), None)
    subjects = _subjects(table.is_name(item.node), row, part)
    if table.is_guessed(item.node) or (table.guess is not None and item.node in table.assumed):
        subjects.append("guess")
    sections = [Section("Bytes", tuple(_part_rows(document, item, shown, span)))]
    if row is not None:
        header = table.header(item.node)
        sections.append(Section(f"Layout of {row.name}", tuple(layout_rows(row, table.dialect, header))))
    sections.append(Section("What is known", notes=notes(subjects, table.dialect.key)))
    found = findings_at(document, item, span)
    sections += _findings(found, cause)
    sections += _likely(document, cause, span, found)
    if row is not None and document.structure is None:
        sections.append(Section("In the engine lines", tuple(engine_rows(row))))
    title = meaning(document, item)
    path = PathBook(table, f"[{item.frame}]").path(item.node, item.part) if _is_near(table, item.node) else None
    about = row.about if row is not None else ""
    summary = _summary(document, span, found, path, about, offset)
    return Page(f"{title[:1].upper()}{title[1:]}", summary, _filled(sections))


def _end(document: Document, cause: LikelyCause | None) -> Page:
    """The page about the end of the bytes."""
    end = Span(len(document.buffer), len(document.buffer))
    found = [each for each in document.findings.known() if each.span.end == end.end]
    frame = next((each for each in reversed(document.frames) if each.cut.payload.end == end.end), None)
    if frame is None:
        words = "No value extends to here."
    elif frame.sound:
        words = "The last value ends here."
    else:
        words = "The last value should continue here, or an error before it hides where it ends."
    size = counted(len(document.buffer), "byte")
    rows = (PageRow("end", words, end.start, 0, here=True),)
    summary = (
        f"There is nothing at 0x{end.start:X}: the file ends here, after {size}."
        if end.start
        else "There are no bytes."
    )
    sections = [Section("Bytes", rows), *_findings(found, cause)]
    return Page("End of the bytes", summary, _filled(sections))


def _likely(document: Document, cause: LikelyCause | None, span: Span, found: list[Diagnostic]) -> Iterator[Section]:
    """What most probably went wrong, where no finding here says it but a repair changes how these bytes are read."""
    if cause is None or any(cause.explains(each) for each in found[:MOST_FINDINGS]):
        return
    is_lost = len(span) and ByteMap(document, findings=found).at(span.start).standing > ByteStatus.ODD
    if cause.touches(span) or is_lost:
        yield Section("Likely cause", notes=(Note(grouped_in(f"{cause.sentence} {cause.deed}")),))


def _outside(document: Document, item: Item, offset: int, cause: LikelyCause | None) -> Page:
    """The page about a length in front of a value, or bytes of no value."""
    span = outline.span(document, item)
    raw = bytes(document.buffer[span.start : min(span.end, span.start + SHOWN)])
    is_prefix = item.part == outline.PREFIX
    name = "length" if is_prefix else unclaimed(document, item, span).name
    words = meaning(document, item) if is_prefix else unclaimed(document, item, span).text
    row = PageRow(name, words, span.start, len(span), raw, here=True)
    subjects = ["prefix"] if is_prefix else [_gap_subject(document, item)]
    subjects += [f"wrap {wrap}" for wrap in document.wraps.names] if document.wraps.blocked is not None else []
    rows = (row, *_field_rows(document, item))
    sections = [Section("Bytes", rows), Section("What is known", notes=notes(subjects, document.dialect.key))]
    found = findings_at(document, item, span)
    sections += _findings(found, cause)
    sections += _likely(document, cause, span, found)
    sections += _wraps(document)
    title = "Length in front of a value" if is_prefix else f"{name[:1].upper()}{name[1:]}"
    return Page(title, _summary(document, span, found, None, words, offset), _filled(sections))


def _gap_subject(document: Document, item: Item) -> str:
    """What the bytes of no value lie in: a packet, a broken frame, or anything else."""
    frame = outline.frame_of(document, item)
    is_broken = frame is not None and (frame.table.guess is not None or not frame.sound)
    if document.structure is not None:
        return f"field {unclaimed(document, item, outline.span(document, item)).name}"
    return "packet" if document.fields else "guess" if is_broken else "gap"


def _field_rows(document: Document, item: Item) -> Iterator[PageRow]:
    """The finer pieces of a packet's field."""
    number = -1 - item.frame
    for piece in document.fields[number].children if 0 <= number < len(document.fields) else ():
        raw = bytes(document.buffer[piece.span.start : min(piece.span.end, piece.span.start + SHOWN)])
        yield PageRow(piece.name, piece.text, piece.span.start, len(piece.span), raw)


def explain_file(document: Document) -> Page:
    """The page about a whole document: the wraps around its values, and how these are read."""
    ways = [
        PageRow("engine line", document.dialect.name),
        PageRow("framing", document.framing.label if document.structure is None else document.structure.title),
        PageRow("values", grouped(len(document.frames))),
    ]
    reasons = [
        PageRow(f"{each.dialect.name}, {each.framing.label}", grouped_in(each.reason))
        for each in document.candidates[:MOST_WAYS]
    ]
    sections = [Section("Read as", tuple(ways)), Section("Ways that were tried", tuple(reasons)), *_wraps(document)]
    if document.wraps.blocked is not None:
        sections.append(Section("Closed", (PageRow("why", grouped_in(str(document.wraps.blocked))),)))
    size = counted(len(document.buffer), "byte")
    share = f"{100 * document.explained:.1f} % of them in values"
    wrong = sum(found.severity is Severity.ERROR for found in document.findings.known())
    words = f"{size}, {share}" + (f", and {counted(wrong, 'error')}" if wrong else "")
    return Page(document.name, f"{words}.", _filled(sections))


def _wraps(document: Document) -> Iterator[Section]:
    """What lies around the bytes."""
    for layer in document.layers[1:]:
        found = notes([f"wrap {layer.codec}"], document.dialect.key)
        rows = [PageRow("bytes", counted(len(layer.buffer), "byte"))]
        rows += [PageRow("damage", grouped_in(damage.sentence)) for damage in layer.damages]
        yield Section(f"Inside {_wrap_name(layer)}", tuple(rows), found)


def _wrap_name(layer: Layer) -> str:
    """What a wrap is called."""
    return layer.form.label if layer.form is not None else layer.codec


def _summary(document: Document, span: Span, found: list[Diagnostic], path: str | None, about: str, offset: int) -> str:
    whole = ByteMap(document, findings=found)
    standing = whole.at(span.start if offset < 0 else offset).standing.label if len(span) else "no bytes"
    if standing == ByteStatus.ODD.label and any(each.code is Code.VALUE_DAMAGED for each in found):
        standing = "part of a value that seems to be damaged"
    elif standing == ByteStatus.ODD.label and document.structure is not None and document.structure.kind != RESOURCE:
        standing = "not as the layout of such files says"
    words = [f"{counted(len(span), 'byte')} at 0x{span.start:X}", *([path] if path else []), standing]
    return ", ".join(words) + "." + (f" {about[:1].upper()}{about[1:]}" if about else "")


def _is_near(table: NodeTable, node: int) -> bool:
    """Whether it lies so deep only that its path can be read."""
    for _ in range(MOST_LEVELS):
        if node == NONE:
            return True
        node = table.parent[node]
    return False


def _subjects(is_name: bool, row: TypeRow | None, part: Part | None) -> list[str]:
    """What the facts of this page are about: of a part only itself, of a whole value the type."""
    if part is not None:
        by_role = {Role.HEADER: ["header"], Role.PADDING: ["padding"]}.get(part.role)
        if by_role is not None:
            return by_role
        last = part.name.rpartition("_")[2].rpartition("@")[2]
        if part.role is Role.LENGTH:
            found = [part.name, "length" if last == "length" else last]
            return [*found, f"kind {row.kind.value}"] if row is not None and last == "count" else found
    out = ["name"] if is_name else []
    if row is not None:
        out += [f"type {concept(row.name)}", f"type {row.name}", f"kind {row.kind.value}"]
        out += ["real"] if row.real else []
    return out or ["header"]


def _part_rows(document: Document, item: Item, shown: list[Part], span: Span) -> Iterator[PageRow]:
    """The parts around the one that is asked for."""
    first = next((k for k, part in enumerate(shown) if part.name == item.part), 0)
    begin = max(0, first - MOST_ROWS // 2)
    if begin:
        yield PageRow("…", f"{counted(begin, 'part')} before")
    for part in shown[begin : begin + MOST_ROWS]:
        raw = bytes(document.buffer[part.span.start : min(part.span.end, part.span.start + SHOWN)])
        words = part_words(document, item, part)
        yield PageRow(label(part), words, part.span.start, len(part.span), raw, part.name == item.part)
    left = len(shown) - begin - MOST_ROWS
    if left > 0:
        yield PageRow("…", f"{counted(left, 'part')} more")
    own_end = shown[-1].span.end if shown else span.start
    if not item.part and own_end < span.end:
        yield PageRow("children", counted(span.end - own_end, "byte"), own_end, span.end - own_end)


def _findings(here: list[Diagnostic], cause: LikelyCause | None, is_text: bool = False) -> Iterator[Section]:
    """What is wrong here, and what to do about it: where the likely cause explains it, nothing but that.

    What mends an error in its place is no good where the mistake was made elsewhere, so the doctor is named as well.
    """
    if not here:
        return
    rows = tuple(
        PageRow(found.severity.word, grouped_in(found.message), found.span.start) for found in here[:MOST_FINDINGS]
    )
    todo = dict.fromkeys(advice(found, cause) for found in here[:MOST_FINDINGS])
    more = [f"{len(here) - MOST_FINDINGS} more."] if len(here) > MOST_FINDINGS else []
    errors = (found for found in here[:MOST_FINDINGS] if found.severity is Severity.ERROR)
    if not is_text and any(cause is None or not cause.explains(found) for found in errors):
        more.append(ASK)
    yield Section("Findings", rows, tuple(Note(grouped_in(text)) for text in (*todo, *more) if text))


def _filled(sections: list[Section]) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.rows or section.notes)
