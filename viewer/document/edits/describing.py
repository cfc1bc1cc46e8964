"""Describing: what bytes are that no value claims, said field by field in an open file, and written into a layout; or
guessed, with a mark, and never called damage.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from itertools import islice, pairwise
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from viewer.base import assets
from viewer.base.record import dataclass, field
from viewer.base.span import Span
from viewer.base.toml_text import toml_of
from viewer.base.unseen import escaped
from viewer.base.words import counted
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.pieces.message import FieldRole
from viewer.document.readers.checksums import WIDTHS
from viewer.document.readers.field_readings import FieldPlace, FieldReading, guessed
from viewer.document.readers.file_layout import FITS, FOLDER, PLACES, LayoutError
from viewer.document.readers.known import LONGEST_MARK, structure_of
from viewer.document.readers.layout_parser import parse_layout
from viewer.document.readers.layout_reader import structure_by

Table = dict[str, Any]
SKIPPED = "skipped bytes"
VALUES = "values"
ORDER = ("name", "type", "order", "as", "text", "length", "until", "over", "repeat", "called", "optional")
"""The order of the keys of a field in the file."""
HEAD = "# A kind of file, described in Variant Viewer. Every file that follows it is read by it.\n"
LONGEST_KEY = 40
MOST_BESIDE, MOST_BYTES_BESIDE = 500, 1 << 22
"""So many files in the folder are looked at, so many bytes together."""
_STRINGS = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'')
"""Texts in TOML, in which a ``#`` begins no comment."""


class CannotDescribe(ValueError):
    """These bytes cannot be described; the text says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class LayoutChange:
    """What becomes of a layout file; it can be taken back.

    Args:
        path: the file.
        before: what stood in it, None where there was none.
        after: what stands in it now, None where it goes.
    """

    path: Path
    before: str | None
    after: str | None

    @property
    def inverse(self) -> LayoutChange:
        """The change that takes this one back."""
        return LayoutChange(self.path, self.after, self.before)

    def write(self) -> None:
        """Do it.

        Raises:
            OSError: the file cannot be written.
        """
        if self.after is None:
            self.path.unlink(missing_ok=True)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".new")
        beside.write_text(self.after, encoding="utf-8")
        beside.replace(self.path)


# What can be described


def own_layout(document: Document) -> Path | None:
    """The file of the person's own layout by which a document is read; None for all others."""
    if document.structure is None:
        return None
    path = assets.user_folder(FOLDER) / f"{document.structure.kind}.toml"
    return path if document.structure.sources and path.is_file() else None


def describable(document: Document, span: Span) -> Span:
    """The gap, or the field of an own layout, in which bytes lie that can be described.

    Raises:
        CannotDescribe: a value claims some of them, or there is no layout that they could belong to.
    """
    check_describable(document)
    place = bisect_right(document.gaps, span.start, key=lambda gap: gap.start) - 1
    if place < 0 or not span.start < span.end <= document.gaps[place].end:
        raise CannotDescribe("A value claims these bytes; select bytes that none does.")
    return document.gaps[place]


def check_describable(document: Document) -> None:
    """See that bytes of a document can be described at all.

    Raises:
        CannotDescribe: they cannot.
    """
    if document.task is not None or document.message is not None or document.wraps.blocked is not None:
        raise CannotDescribe("Only the bytes of a file that is read can be described.")
    if document.structure is not None and own_layout(document) is None:
        raise CannotDescribe(f"{document.structure.title} is a kind of file that the program knows.")
    if not document.frames or not all(frame.sound for frame in document.frames):
        raise CannotDescribe("Fields are described among sound values, and some here are not sound.")


def field_place(document: Document, span: Span) -> FieldPlace:
    """What is known of the surroundings of bytes."""
    behind = len(document.frames) - bisect_left(document.frames, span.end, key=lambda frame: frame.span.start)
    is_first = not document.frames or span.end <= document.frames[0].span.start
    return FieldPlace(document.buffer, span, behind, is_first)


def described_field(document: Document, span: Span) -> str:
    """What exactly these bytes are called already; empty where they are no field of an own layout."""
    found = next((piece for piece in document.fields if piece.span == span), None)
    return found.name if found is not None and found.role is FieldRole.FIELD and own_layout(document) else ""


def is_read_so(document: Document, reading: FieldReading) -> bool:
    """Whether a layout of the person's own reads some bytes in this way already."""
    path = own_layout(document) if described_field(document, reading.span) else None
    if path is None:
        return False
    try:
        row, at = _row_of(_table(path, path.read_text(encoding="utf-8")), _source(document, reading.span))
    except (OSError, UnicodeDecodeError, LayoutError, CannotDescribe):
        return False
    return {key: row[at][key] for key in row[at] if key not in ("name", "optional", "over")} == dict(reading.keys)


def usual_name(document: Document) -> str:
    """What a new layout may be called: by the mark of the file, else by its name without numbers."""
    start = re.match(rb"(?:.\0\0\0)?([A-Za-z][A-Za-z0-9_]{2,15})", bytes(document.buffer[:20]), re.DOTALL)
    if start is not None:
        return f"{start[1].decode()} save"
    stem = re.sub(r"[\d_\W]+", " ", Path(document.name or "").stem).strip()
    return f"{stem} save" if stem else "own save"


def pattern_of(name: str) -> str:
    """The names of files that are called alike: ``slot*.save`` of ``slot3.save``."""
    found = re.sub(r"\d+", "*", name) or "unnamed"
    return found if found.strip("*?") else name


# Describing


def describe(document: Document, fields: list[tuple[FieldReading, str]], name: str = "") -> LayoutChange:
    """Say what some bytes are, in the layout of the document or in a new one.

    Args:
        document: the open file.
        fields: how they are read, and what each is called; all in one gap, in order.
        name: what a new layout is called.

    Raises:
        CannotDescribe: they cannot be described.
        LayoutError: the layout of the document cannot be read any more.
    """
    span = Span(fields[0][0].span.start, fields[-1][0].span.end)
    describable(document, span)
    for reading, each in fields:
        if each == VALUES:
            raise CannotDescribe(f"The values themselves are called “{VALUES}”; take another name.")
        if reading.is_count and (not re.fullmatch(r"[^\W\d][\w ]*", each) or each in PLACES):
            raise CannotDescribe("The name of a count is made of letters, digits and blanks.")
    path = own_layout(document)
    before = path.read_text(encoding="utf-8") if path is not None else None
    if path is None or before is None:
        table = _new_table(document, name or usual_name(document))
        path = _free_path(str(table["name"]))
        _add_new(document, table, fields)
    else:
        table = _table(path, before)
        _add_to(document, table, fields)
    _settle(document, table, fields)
    change = LayoutChange(path, before, layout_text(table, _comments(path, before)))
    _try_out(document, change, fields)
    return change


def _try_out(document: Document, change: LayoutChange, fields: list[tuple[FieldReading, str]]) -> None:
    """See that the file is read as was said, before anything is written.

    Raises:
        CannotDescribe: it is not.
    """
    assert change.after is not None
    try:
        layout = parse_layout(change.path.stem, change.after, str(change.path))
    except LayoutError as error:
        raise CannotDescribe(f"That does not make a layout: {error}") from error
    found = structure_by(document.buffer, layout)
    told = {piece.span: piece.name for piece in found.pieces} if found is not None else {}
    if found is not None and found.findings and not (document.structure and document.structure.findings):
        raise CannotDescribe(f"Read this way, the file would be wrong: {found.findings[0].message}")
    wrong = next((name for reading, name in fields if told.get(reading.span) != name), None)
    if wrong is not None:
        raise CannotDescribe(f"With “{escaped(wrong)}” in this place the file would no longer be read.")
    kept = {piece.span.start for piece in found.values} if found is not None else set()
    lost = sum(frame.span.start not in kept and frame.start not in kept for frame in document.frames)
    if lost:
        name = escaped(fields[0][1])
        raise CannotDescribe(f"With “{name}” in this place {counted(lost, 'value')} would no longer be read.")


def undescribe(document: Document, span: Span) -> LayoutChange:
    """Take the description of a field away; with the last one the layout goes.

    Raises:
        CannotDescribe: no own layout describes these bytes.
        LayoutError: the layout of the document cannot be read any more.
    """
    path = own_layout(document)
    if path is None or not described_field(document, span):
        raise CannotDescribe("No layout of your own describes these bytes.")
    before = path.read_text(encoding="utf-8")
    table = _table(path, before)
    row, at = _row_of(table, _source(document, span))
    if _is_in_values(table, row):
        del row[at]
    else:
        row[at] = _unknown(len(span))
    _settle(document, table, [])
    after = layout_text(table, _comments(path, before)) if any(_described(table)) else None
    return LayoutChange(path, before, after)


def forget(document: Document) -> LayoutChange:
    """Let the layout of a document go.

    Raises:
        CannotDescribe: it has none of the person's own.
    """
    path = own_layout(document)
    if path is None:
        raise CannotDescribe("This file is not read by a layout of your own.")
    return LayoutChange(path, path.read_text(encoding="utf-8"), None)


def is_concerned(document: Document, change: LayoutChange) -> bool:
    """Whether another open document is read otherwise after a change."""
    if document.wraps.blocked is not None or document.message is not None:
        return False
    kind = document.structure.kind if document.structure is not None else ""
    now = structure_of(document.buffer, document.name)
    return kind == change.path.stem or (now.kind if now is not None else "") != kind


def files_beside(document: Document, change: LayoutChange) -> int:
    """How many other files in the folder of a document are read by a layout after a change, small ones only."""
    if document.path is None or change.after is None:
        return 0
    layout = parse_layout(change.path.stem, change.after, str(change.path))
    found, room = 0, MOST_BYTES_BESIDE
    with suppress(OSError):
        for path in islice(document.path.parent.iterdir(), MOST_BESIDE):
            with suppress(OSError):
                size = path.stat().st_size if path.is_file() and path != document.path else 0
                if 0 < size <= room:
                    room -= size
                    raw = path.read_bytes()
                    found += layout.may_be(raw[:LONGEST_MARK], path.name) and structure_by(raw, layout) is not None
    return found


def _new_table(document: Document, name: str) -> Table:
    value: Table = {"name": "value", "type": "value"}
    if document.framing.kind is FramingKind.STORED:
        value["length"] = "u32"
        if document.framing.big_endian:
            value["order"] = "big"
    group = {"name": VALUES, "type": "group", "repeat": FITS, "field": [value, _unknown()]}
    return {
        "name": name,
        "dialects": [document.dialect.key],
        "files": pattern_of(document.name),
        "field": [group],
    }


def _unknown(size: int = 0, optional: bool = False) -> Table:
    found: Table = {"name": SKIPPED, "type": "unknown"}
    return found | ({"length": size} if size else {}) | ({"optional": True} if optional else {})


def _field(reading: FieldReading, name: str, optional: bool) -> Table:
    return {"name": name, **dict(reading.keys), **({"optional": True} if optional else {})}


def _add_new(document: Document, table: Table, fields: list[tuple[FieldReading, str]]) -> None:
    """The first fields of a layout: before the first value, or behind one."""
    head: list[Table] = table["field"]
    first = document.frames[0].span.start
    if fields[0][0].span.start < first:
        at, row = 0, []
        for reading, name in fields:
            row += [_unknown(reading.span.start - at)] if reading.span.start > at else []
            row.append(_field(reading, name, False))
            at = reading.span.end
        row += [_unknown(first - at)] if at < first else []
        head[:0] = row
        return
    if first:
        head.insert(0, _unknown(first))
    values: list[Table] = head[-1]["field"]
    gap = next(gap for gap in document.gaps if gap.start <= fields[0][0].span.start < gap.end)
    values[-1:] = [*_behind(fields, gap), _unknown()]


def _behind(fields: list[tuple[FieldReading, str]], within: Span) -> Iterator[Table]:
    """Fields behind a value, with what nobody describes of the bytes that they lie in."""
    at = within.start
    for reading, name in fields:
        if reading.span.start > at:
            yield _unknown(reading.span.start - at, optional=True)
        yield _field(reading, name, True)
        at = reading.span.end
    if at < within.end:
        yield _unknown(within.end - at, optional=True)


def _add_to(document: Document, table: Table, fields: list[tuple[FieldReading, str]]) -> None:
    """More fields of a layout, in the place of bytes that it leaves over or of a field."""
    start, end = fields[0][0].span.start, fields[-1][0].span.end
    piece = next((each for each in document.fields if each.span.start <= start and end <= each.span.end), None)
    if piece is None:
        raise CannotDescribe("Select bytes of one field, or bytes that no field claims.")
    row, at = _row_of(table, _source(document, piece.span))
    if _is_in_values(table, row):
        is_open = row[at]["type"] == "unknown" and "length" not in row[at]
        row[at : at + 1] = [*_behind(fields, piece.span), *([_unknown()] if is_open else [])]
        return
    new: list[Table] = []
    before = piece.span.start
    for reading, name in fields:
        new += [_unknown(reading.span.start - before)] if reading.span.start > before else []
        new.append(_field(reading, name, False))
        before = reading.span.end
    row[at : at + 1] = [*new, *([_unknown(piece.span.end - before)] if before < piece.span.end else [])]


def _settle(document: Document, table: Table, new: list[tuple[FieldReading, str]]) -> None:
    """Let what the fields say of each other be true again.

    A layout without a mark is told by the names of its files, one with a mark is not. The values stand as often as
    their count says, and a checksum is over all that follows it.
    """
    head: list[Table] = table["field"]
    skipped = (each for each in _all(table) if each["type"] == "unknown" and each["name"].startswith(SKIPPED))
    for number, each in enumerate(skipped):
        each["name"] = SKIPPED if not number else f"{SKIPPED} {number + 1}"
    values = next((each for each in head if each["name"] == VALUES and "repeat" in each), None)
    if values is not None:
        counts = [name for reading, name in new if reading.is_count]
        gone = {piece.name for piece in document.fields} - {each["name"] for each in head}
        gone |= {name for reading, name in new if not reading.is_count}
        values["repeat"] = counts[0] if counts else FITS if values["repeat"] in gone else values["repeat"]
    for each, behind in pairwise(head):
        if each["type"] in WIDTHS and each.get("over", [VALUES])[-1] == VALUES:
            each["over"] = [behind["name"], VALUES]
    if table["field"][0]["type"] == "mark":
        table.pop("files", None)
    else:
        table.setdefault("files", pattern_of(document.name))


# The tables of a layout


def _table(path: Path, text: str) -> Table:
    import tomllib

    parse_layout(path.stem, text, str(path))  # tells what is wrong
    return deepcopy(tomllib.loads(text))


def _source(document: Document, span: Span) -> tuple[int, ...]:
    structure = document.structure
    assert structure is not None
    source = structure.sources.get(span.start, ())
    if not source:
        raise CannotDescribe("The layout of this file ends before these bytes.")
    return source


def _row_of(table: Table, source: tuple[int, ...]) -> tuple[list[Table], int]:
    """The row that a field of a layout stands in, and its place there."""
    row: list[Table] = table["field"]
    for step in source[:-1]:
        if "field" not in row[step]:
            raise CannotDescribe("Another layout that this one names describes these bytes; change that one.")
        row = row[step]["field"]
    return row, source[-1]


def _is_in_values(table: Table, row: list[Table]) -> bool:
    """Whether a row is that of a group which is repeated as often as it fits."""
    groups = (each for each in _all(table) if each.get("repeat") == FITS or each["name"] == VALUES)
    return any(each.get("field") is row for each in groups)


def _all(table: Mapping[str, Any]) -> Iterator[Table]:
    for each in table.get("field", ()):
        yield each
        yield from _all(each)


def _described(table: Table) -> Iterator[Table]:
    return (each for each in _all(table) if each["type"] not in ("unknown", "group", "value"))


def _free_path(name: str) -> Path:
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_KEY] or "own"
    folder = assets.user_folder(FOLDER)
    taken = {path.name for path in assets.user_files(FOLDER, ".toml")} | set(assets.names(FOLDER))
    names = (f"{key}.toml" if number == 1 else f"{key}-{number}.toml" for number in range(1, len(taken) + 2))
    return folder / next(each for each in names if each not in taken)


# Text


def layout_text(table: Mapping[str, Any], comments: str = HEAD) -> str:
    """The TOML of a layout."""
    lines = [f"{key} = {toml_of(found)}" for key, found in table.items() if key != "field"]
    return comments + "\n".join([*lines, *_field_lines(table["field"], "field")]) + "\n"


def _field_lines(fields: list[Table], path: str) -> Iterator[str]:
    for each in fields:
        yield f"\n[[{path}]]"
        keys = sorted((key for key in each if key != "field"), key=lambda key: ORDER.index(key) if key in ORDER else 99)
        yield from (f"{key} = {toml_of(each[key])}" for key in keys)
        if "field" in each:
            yield from _field_lines(each["field"], f"{path}.field")


def _comments(path: Path, text: str | None) -> str:
    """The comment lines at the top of a layout, which stay.

    Raises:
        CannotDescribe: it has others, which would be lost.
    """
    if text is None:
        return HEAD
    lines = text.splitlines(keepends=True)
    end = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
    if "#" in _STRINGS.sub("", "".join(lines[end:])):
        raise CannotDescribe(
            f"“{path.name}” has comments between its fields, which would be lost; change the file itself."
        )
    return "".join(lines[:end])


# Guesses: what bytes that nobody described seem to be.


BYTE = 8
"""Bits that a byte takes which nothing explains."""
MOST_LOOKED_AT = 1 << 14
"""Bytes of gaps that are looked at; what a file has more of is not guessed."""
FEW = 8
"""So many guessed fields are told in a sentence."""


@dataclass(slots=True)
class _Guesses:
    """Those of a document as it is at a revision."""

    revision: int = -1
    left: int = 0
    found: dict[Span, tuple[FieldReading, ...]] = field(default_factory=dict)


_kept: WeakKeyDictionary[Document, _Guesses] = WeakKeyDictionary()


def gap_guess(document: Document, span: Span) -> tuple[FieldReading, ...]:
    """The fields that a gap seems to be made of; nothing where that explains no more than the bytes as they are."""
    kept = _kept.setdefault(document, _Guesses())
    if kept.revision != document.revision:
        kept.revision, kept.found = document.revision, {}
        kept.left = MOST_LOOKED_AT if _may_be(document) else 0
    if span not in kept.found and len(span) <= kept.left:
        kept.left -= len(span)
        kept.found[span] = _guess(document, span)
    return kept.found.get(span, ())


def _may_be(document: Document) -> bool:
    try:
        check_describable(document)
    except CannotDescribe:
        return False
    return True


def _guess(document: Document, span: Span) -> tuple[FieldReading, ...]:
    place = bisect_left(document.gaps, span.start, key=lambda gap: gap.start)
    if place == len(document.gaps) or document.gaps[place] != span:
        return ()
    if document.fields and document.fields[place].role is not FieldRole.OPAQUE:
        return ()  # somebody did
    row = guessed(field_place(document, span))
    return row if sum(reading.bits for reading in row) < BYTE * len(span) else ()


def guess_text(row: tuple[FieldReading, ...]) -> str:
    """What guessed fields say, for a row of the tree: ``“SAVE”, 3``."""
    return ", ".join(reading.text for reading in row)


def guess_words(row: tuple[FieldReading, ...]) -> str:
    """What guessed fields are and say: ``perhaps mark “SAVE”, u32 3``."""
    told = ", ".join(f"{reading.words.replace(', ', ' ')} {reading.text}" for reading in row[:FEW])
    return f"perhaps {told}{' …' if len(row) > FEW else ''}"
