"""Nested documents: what a value holds, opened as a document of its own, and put back into the one around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.base.record import dataclass, replace
from viewer.container.codecs import START
from viewer.container.frames import Framing, FramingKind
from viewer.container.layer import Secret, TooLarge, WrapError
from viewer.container.unpacking import size_in_words
from viewer.document.detection.detect import holds_only_values, looks_like_values, way_of_sound_values
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.nested.inside_evidence import engine_line, inside_of, may_be_values
from viewer.document.nested.inside_hint import holds_file
from viewer.document.nested.nested_texts import EngineText, SectionText, begins_as_value, section_of
from viewer.document.nested.value_content import content, content_start, holds_bytes, put
from viewer.document.outline import gap_item
from viewer.document.path import INSIDE, PathError, PathLevel, closing, format_path, numbered
from viewer.document.readers.known import structure_of
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, EditLabel, applied
from viewer.document.wraps import UnwrapOptions, Wrap, Wraps, take_off
from viewer.variant import items
from viewer.variant.dialect import Dialect, Kind, Precision
from viewer.variant.items import Item

MOST_INSIDE = 1 << 26
"""So many bytes lie in all values that are opened one inside the other, together."""


class NestedError(ValueError):
    """There is nothing inside a value, or it cannot be opened; the text is one sentence that says why."""


@dataclass(frozen=True, slots=True, eq=False)
class NestedDocument:
    """What is inside a value.

    Args:
        outer: the document that the value is in.
        item: the value.
        document: what it holds.
        above: what *outer* is inside of, None where it is the outermost document.
        spent: bytes that came out of it and of all around it.
    """

    outer: Document
    item: Item
    document: Document
    above: NestedDocument | None = None
    spent: int = 0

    @property
    def start(self) -> int | None:
        """Where the bytes inside begin in those of the outer document; None where a wrap lies around them."""
        return content_start(self.outer, self.item) if not self.document.wraps.around else None

    @property
    def line(self) -> list[NestedDocument]:
        """This and all that it is inside of, the outermost first."""
        out: list[NestedDocument] = []
        each: NestedDocument | None = self
        while each is not None:
            out.append(each)
            each = each.above
        return out[::-1]

    @property
    def path(self) -> str:
        """The path of the value in the outermost document, and the sign for what is inside."""
        line = self.line
        first, *others = (format_path(each.outer, each.item) + INSIDE for each in line)
        return first + "".join(map(inner_form, others))

    def path_of(self, item: Item) -> str:
        """The path, from the outermost document, of an item inside."""
        return self.path + inner_form(format_path(self.document, item))

    def put_back(self, edit: Edit) -> Edit:
        """The edit of the outermost document that does *edit* inside; all lengths on the way follow.

        Raises:
            EditError: a value around it cannot hold what comes out.
        """
        words = EditLabel("{} inside {}", (edit.words, self.path.removesuffix(INSIDE)))
        each: NestedDocument | None = self
        while each is not None and edit.does_something:
            edit = each._put_back(edit)
            each = each.above
        return replace(edit, words=words, focus=None)

    def _put_back(self, edit: Edit) -> Edit:
        document = self.document
        try:
            inside = applied(document.buffer, edit.splices)
            wraps = edit.bases[1] if edit.bases is not None else document.wraps.put_on(inside)
        except WrapError as error:
            raise EditError(str(error)) from error
        return put(self.outer, self.item, bytes(wraps.outside[:]))


def inner_form(path: str) -> str:
    """A path as it stands behind the sign for what is inside: its first value without brackets."""
    return path[1:].replace("]", "", 1) if path.startswith("[") else path


def open_nested(
    outer: Document, item: Item, above: NestedDocument | None = None, secret: Secret | None = None
) -> NestedDocument:
    """What is inside a value of a document.

    Args:
        outer, item, above: as for what comes out.
        secret: a password or key for what is encrypted; without one, that of the document around is tried.

    Raises:
        NestedError: there is nothing inside that can be read.
    """
    raw = content(outer, item)
    name = format_path(outer, item)
    if raw is None:
        raise NestedError(f"{name} holds neither bytes nor a text: nothing can be inside.")
    spent = above.spent if above is not None else 0
    left = MOST_INSIDE - spent
    if len(raw) > left:
        raise NestedError(f"More than {size_in_words(MOST_INSIDE)} would be unpacked from values inside values.")
    if section_of(outer, item):
        return NestedDocument(outer, item, _attributes(outer, raw, name), above, spent + len(raw))
    secret = secret or outer.wraps.secret
    line = engine_line(outer.dialect)
    way = way_of_sound_values(raw, line, None, None) if may_be_values(raw[:START], len(raw)) else None
    opening = UnwrapOptions(None, secret, left)
    wraps = Wraps((), raw, None, secret) if way is not None else _unwrapped(raw, line, outer.precision, opening)
    if isinstance(wraps.blocked, TooLarge):
        raise NestedError(f"{name} unpacks to more than {size_in_words(MOST_INSIDE)}.")
    document = Document(raw, name=name, choice=_choice(wraps, line, outer.precision, way), wraps=wraps)
    is_bare = way is None and not wraps.around and wraps.blocked is None and document.structure is None
    if is_bare and not looks_like_values(raw):
        raise NestedError(f"Nothing in {name} reads as a value.")
    spent += len(raw) + sum(len(wrap.inside) for wrap in wraps.around)
    return NestedDocument(outer, item, document, above, spent)


def _attributes(outer: Document, raw: bytes, name: str) -> Document:
    """The attributes of a section of a resource as text.

    Raises:
        NestedError: one of them cannot be read.
    """
    codec = SectionText(outer.dialect)
    try:
        taken = codec.unwrap(raw)
    except WrapError as error:
        raise NestedError(str(error)) from error
    wraps = Wraps((Wrap(codec, raw, taken.inside, taken.form),), taken.inside)
    choice = ReadOptions(outer.dialect, outer.precision, FramingKind.BARE, UnwrapOptions(wraps.names))
    return Document(raw, name=name, choice=choice, wraps=wraps)


def _unwrapped(raw: bytes, line: Dialect, precision: Precision, opening: UnwrapOptions) -> Wraps:
    """What lies around the values inside, engine text too."""
    codec = EngineText(line, precision)
    found = None if _may_be_text(raw) else take_off(raw, opening, _makes_sense, holds_only_values)
    if found is None:
        found = Wraps((), raw, None, opening.secret)
    inside = bytes(found.inside[:])
    if found.blocked is not None or not _may_be_text(inside):
        return found
    try:
        taken = codec.unwrap(inside, None, opening.limit or MOST_INSIDE)
    except WrapError:
        return found if found.around else take_off(raw, opening, _makes_sense, holds_only_values)
    return replace(found, around=(*found.around, Wrap(codec, inside, taken.inside, taken.form)), inside=taken.inside)


def _makes_sense(raw: object) -> bool:
    assert isinstance(raw, bytes | bytearray | memoryview)
    return _may_be_text(bytes(raw)) or looks_like_values(raw) or structure_of(raw) is not None


def _may_be_text(raw: bytes) -> bool:
    """Whether bytes begin as the text of a value with a structure, and are a text."""
    if raw[:1] not in (b"{", b"[", b" ", b"\n") and not raw[:1].isalpha():
        return False
    try:
        return begins_as_value(raw[:64].decode(errors="replace")) and b"\0" not in raw and bool(raw.decode())
    except UnicodeDecodeError:
        return False


def _choice(wraps: Wraps, line: Dialect, precision: Precision, way: tuple[Dialect, Framing] | None) -> ReadOptions:
    """How to read what is inside: as values of the same engine line, where they are sound so; *way* where known."""
    opening = UnwrapOptions(wraps.names, wraps.secret)
    inside = wraps.inside
    if wraps.blocked is not None or structure_of(inside) is not None:
        return ReadOptions(opening=opening)
    way = way or way_of_sound_values(inside, line, None, None)
    if way is None:
        return ReadOptions(opening=opening)
    dialect, framing = way
    return ReadOptions(dialect, precision, framing.kind, opening, framing.big_endian)


# Paths that lead into values: ``[0].blob!0.gold`` is the value ``[0].gold`` of what is inside ``[0].blob``.


def split_levels(text: str) -> list[str]:
    """The paths of a path from level to level.

    Raises:
        PathError: a bracket is not closed.
    """
    out, begin, at = [], 0, 0
    while at < len(text):
        if text[at] == "[":
            at = closing(text, at)
        elif text[at] == INSIDE:
            out.append(text[begin:at])
            begin = at + 1
        at += 1
    return [*out, text[begin:]]


def enter(document: Document, text: str, secret: Secret | None = None) -> PathLevel:
    """The innermost document that a path leads to, and the path in it.

    Args:
        document: the outermost one.
        text: the path.
        secret: a password or key for what is encrypted on the way.

    Raises:
        PathError: a value on the way is not there, or nothing is inside it.
    """
    first, *others = split_levels(text.strip()) if INSIDE in text else [text]
    level, nested = PathLevel(document, first), None
    for rest in others:
        try:
            nested = open_nested(level.document, level.item(), nested, secret)
        except NestedError as error:
            raise PathError(str(error)) from error
        if nested.document.wraps.blocked is not None:
            raise PathError(f"{nested.path.removesuffix(INSIDE)} stays closed: {nested.document.wraps.blocked}")
        level = PathLevel(nested.document, inside_path(numbered(nested.document, rest)), nested)
    return level


def inside_path(rest: str) -> str:
    """A path inside as it is written by itself.

    Raises:
        PathError: it does not begin with a value.
    """
    digits = len(rest) - len(rest.lstrip("0123456789"))
    if digits:
        return f"[{rest[:digits]}]{rest[digits:]}"
    if rest.startswith(("[", "@")):
        return rest
    raise PathError(f"{INSIDE} must be followed by the number of a value, for example {INSIDE}0, not “{rest[:20]}”.")


# All that is inside the values of a document, however deep: what a search on wish looks through.


def candidates(document: Document) -> Iterator[Item]:
    """All that could hold values: files in a package, then byte arrays and texts in byte order."""
    for number in range(len(document.fields) if document.structure is not None else 0):
        if holds_file(document, gap_item(number)):
            yield gap_item(number)
    for index, frame in enumerate(document.frames):
        table = frame.table
        for node in range(len(table)):
            row = table.row(node)
            if row is None:
                continue
            if row.kind is Kind.STRING or holds_bytes(row):
                yield Item(index, node)
            elif row.kind is Kind.PACKED_STRINGS:
                for part in items.parts(table, node):
                    if part.name.startswith("[") and part.name.endswith("]"):
                        yield Item(index, node, part.name)


def nested_documents(document: Document, left_out: Callable[[str], None]) -> Iterator[NestedDocument]:
    """What is inside the values of a document and, one level after another, inside these.

    Args:
        document: the outermost one.
        left_out: told in a sentence where more would be unpacked than is allowed; then it ends.
    """
    spent = 0
    stack: list[tuple[Document, NestedDocument | None, Iterator[Item]]] = [(document, None, candidates(document))]
    while stack:
        outer, above, rest = stack[-1]
        item = next(rest, None)
        if item is None:
            stack.pop()
            continue
        if not inside_of(outer, item):
            continue
        try:
            found = open_nested(outer, item, above)
        except NestedError as error:
            left_out(str(error))
            continue
        spent += found.spent - (above.spent if above is not None else 0)
        if spent > MOST_INSIDE:
            left_out(f"More than {size_in_words(MOST_INSIDE)} would be unpacked; the rest is left out.")
            return
        yield found
        stack.append((found.document, found, candidates(found.document)))
