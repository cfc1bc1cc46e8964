"""Open levels: the values inside values that a window shows, kept true while the file around them changes.

What is inside is a document of its own. After each change of the outermost one the values that hold something are found
again, and what they hold is opened anew where its bytes are other ones.
"""

from __future__ import annotations

from viewer.base.buffer import Buffer
from viewer.base.record import replace
from viewer.base.span import Span
from viewer.container.layer import KeyWrong, Secret
from viewer.container.unpacking import size_in_words
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.nested.nested_document import NestedDocument, NestedError, inside_path, open_nested, split_levels
from viewer.document.nested.value_content import content
from viewer.document.path import INSIDE, PathError, numbered, parse_path
from viewer.document.selection import SelectionAnchor, Spot
from viewer.document.splice import Edit, Splice, touched
from viewer.variant.items import Item

MOST_OPEN = 1 << 28
"""Bytes of all levels that are open at once."""


class OpenLevel:
    """One value whose inside is open.

    Attributes:
        nested: what is inside, as it is now.
        outer: the level that the value lies in, None where that is the outermost document.
        splices: how the bytes inside became what they are in the last change; none where they stayed.
    """

    def __init__(self, nested: NestedDocument, outer: OpenLevel | None) -> None:
        self.nested = nested
        self.outer = outer
        self.splices: tuple[Splice, ...] = ()
        self.anchor = SelectionAnchor.of(nested.outer, nested.item)
        self._saved: Buffer = nested.document.buffer
        self._since: tuple[Splice, ...] = ()

    @property
    def document(self) -> Document:
        """What is inside."""
        return self.nested.document

    @property
    def line(self) -> list[OpenLevel]:
        """This and all levels that it is inside of, the outermost first."""
        out = [self]
        while out[-1].outer is not None:
            out.append(out[-1].outer)
        return out[::-1]

    @property
    def start(self) -> int | None:
        """Where the bytes inside begin in the outermost document; None where a wrap lies around them."""
        at = 0
        for level in self.line:
            start = level.nested.start
            if start is None:
                return None
            at += start
        return at

    @property
    def wraps(self) -> str:
        """What lies around the bytes inside, in words, the outermost first; empty where they lie there plain."""
        found = [wrap.form.label for level in self.line for wrap in level.document.wraps.around]
        return ", ".join(dict.fromkeys(found)) or ("" if self.start is not None else "text")

    @property
    def modified(self) -> list[Span]:
        """The bytes inside that were changed since the file was saved."""
        return touched(splice.trimmed() for splice in self._since) if self.document.buffer != self._saved else []

    def put_back(self, edit: Edit) -> Edit:
        """The edit of the outermost document that does *edit* inside; see :meth:`NestedDocument.put_back`."""
        return self.nested.put_back(edit)

    def path_of(self, item: Item) -> str:
        """The path of an item inside, from the outermost document on."""
        return self.nested.path_of(item)

    def become(self, nested: NestedDocument, splices: tuple[Splice, ...]) -> None:
        """Hold what is inside now; *splices* lead to its bytes."""
        self.nested, self.splices = nested, splices
        self.anchor = SelectionAnchor.of(nested.outer, nested.item)
        self._since = self._since + splices if nested.document.buffer != self._saved else ()

    def unlocked(self, nested: NestedDocument) -> None:
        """Hold what is inside, now that it can be read."""
        self.become(nested, ())
        self.mark_saved()

    def mark_saved(self) -> None:
        """The file was saved as it is now."""
        self._saved, self._since = self.document.buffer, ()


def _whole(item: Item) -> Item:
    """The value that an item is a part of; a field is whole."""
    return Item(item.frame, item.node) if item.frame >= 0 else item


class OpenLevels:
    """All levels that are open in one document.

    Args:
        document: the outermost one.

    Attributes:
        levels: they, each behind the one that it is inside of.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.levels: list[OpenLevel] = []
        self._known: list[OpenLevel] | None = None
        self._by_value: dict[tuple[int, Item], OpenLevel] = {}
        self._hint: tuple[OpenLevel, tuple[Splice, ...]] | None = None

    def of(self, document: Document) -> OpenLevel | None:
        """The level that a document is the inside of; None for others."""
        return next((level for level in self.levels if level.document is document), None)

    def at(self, outer: object, item: Item) -> OpenLevel | None:
        """The level that is open inside a value; None where none is."""
        if self._known is not self.levels or len(self._by_value) != len(self.levels):
            self._known = self.levels
            self._by_value = {(id(level.outer), level.nested.item): level for level in self.levels}
        return self._by_value.get((id(outer), item))

    def open(self, outer: OpenLevel | None, item: Item) -> OpenLevel:
        """Open what is inside a value, if it is not open.

        Args:
            outer: the level that the value lies in, None for the outermost document.
            item: the value.

        Raises:
            NestedError: there is nothing inside that can be read, or too much is open.
        """
        found = self.at(outer, item)
        if found is not None:
            return found
        document = outer.document if outer is not None else self.document
        if sum(_size(level.nested) for level in self.levels) > MOST_OPEN:
            raise NestedError(f"More than {size_in_words(MOST_OPEN)} are open inside values; close some of them first.")
        level = OpenLevel(open_nested(document, item, outer.nested if outer is not None else None), outer)
        self.levels.append(level)
        return level

    def unlock(self, level: OpenLevel, secret: Secret) -> str:
        """Open an encrypted level with a password or key; returns why that is a wrong one, empty where it is not.

        Raises:
            NestedError: what is inside cannot be read.
        """
        was = level.nested
        nested = open_nested(was.outer, was.item, was.above, secret)
        if isinstance(nested.document.wraps.blocked, KeyWrong):
            return str(nested.document.wraps.blocked)
        level.unlocked(nested)
        return ""

    def close(self, level: OpenLevel) -> None:
        """Close a level, and all that are inside of it."""
        self.levels = [each for each in self.levels if level not in each.line]

    def find(self, text: str) -> Spot:
        """What a path names, with the levels on its way open.

        Raises:
            PathError: it leads nowhere.
        """
        first, *others = split_levels(text.strip())
        level: OpenLevel | None = None
        item = parse_path(self.document, first)
        for rest in others:
            try:
                level = self.open(level, item)
            except NestedError as error:
                raise PathError(str(error)) from error
            blocked = level.document.wraps.blocked
            if blocked is not None:
                raise PathError(f"{level.nested.path.removesuffix(INSIDE)} stays closed: {blocked}")
            item = parse_path(level.document, inside_path(numbered(level.document, rest)))
        return Spot(level.document if level is not None else self.document, item, level)

    def at_byte(self, item: Item, offset: int) -> Spot | None:
        """The deepest item inside an open value at a byte of the outermost document; None where nothing is open."""
        found: Spot | None = None
        level = self.at(None, _whole(item))
        while level is not None and level.start is not None:
            inner = outline.item_at(level.document, offset - level.start)
            if inner is None:
                break
            found = Spot(level.document, inner, level)
            level = self.at(level, _whole(inner))
        return found

    # After a change

    def expect(self, level: OpenLevel, edit: Edit) -> None:
        """An edit of what is inside a level is about to be done by one of the outermost document."""
        self._hint = level, edit.splices

    def moved(self, splices: tuple[Splice, ...]) -> None:
        """The bytes of the outermost document were changed, whether or not they are read yet."""
        for level in self.levels:
            if level.outer is None:
                level.anchor = level.anchor.after(splices)

    def follow(self) -> bool:
        """Find all levels again, now that the outermost document is read; whether any is another one or gone."""
        before, changed, self._known = self.levels, False, None
        hint, self._hint = self._hint, None
        self.levels, kept = [], {id(None)}
        for level in before:
            expected = hint[1] if hint is not None and hint[0] is level else ()
            changed |= id(level.outer) not in kept or self._follow(level, expected)
            if self.levels and self.levels[-1] is level:
                kept.add(id(level))
        return changed

    def _follow(self, level: OpenLevel, hint: tuple[Splice, ...]) -> bool:
        """Find one level again, and keep it if it is there; whether it is another one or gone."""
        was, outer = level.nested, level.outer
        document = outer.document if outer is not None else self.document
        anchor = level.anchor if outer is None else level.anchor.after(outer.splices)
        item = anchor.find(document)
        raw = content(document, item) if item is not None else None
        if item is None or raw is None:
            return True
        above = outer.nested if outer is not None else None
        if raw == was.document.wraps.outside:
            level.become(replace(was, outer=document, item=item, above=above), ())
            self.levels.append(level)
            return False
        try:
            nested = open_nested(document, item, above, was.document.wraps.secret)
        except NestedError:
            return True
        splices = hint or difference(was.document.buffer, nested.document.buffer)
        level.become(nested, splices)
        self.levels.append(level)
        return True

    def mark_saved(self) -> None:
        """The file was saved as it is now."""
        for level in self.levels:
            level.mark_saved()


def difference(before: Buffer, after: Buffer) -> tuple[Splice, ...]:
    """The splice that leads from some bytes to others; none where they are equal."""
    old, new = bytes(before[:]), bytes(after[:])
    if old == new:
        return ()
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    return (Splice(head, old[head : len(old) - tail], new[head : len(new) - tail]),)


def _alike(one: bytes, other: bytes) -> int:
    """How many bytes are equal from the beginning on."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _size(nested: NestedDocument) -> int:
    """Bytes that a level alone holds."""
    return nested.spent - (nested.above.spent if nested.above is not None else 0)
