"""Values inside values of the open document: opened on demand, followed through changes, closed with the document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from viewer.container.layer import Secret
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.selection import SelectionAnchor, Spot
from viewer.document.splice import Edit, Splice
from viewer.variant.items import Item

if TYPE_CHECKING:  # loaded when something is found inside a value
    from viewer.document.nested.open_levels import OpenLevel, OpenLevels
    from viewer.document.viewmodel.nested_rows import ShownLevel


class InsideLevels:
    """The levels of one window; see :class:`~viewer.document.viewmodel.nested_rows.LevelOpener`.

    Args:
        refused: told in a sentence why a value that the tree was to open stays closed.
        opened: told that the tree has opened one.
    """

    def __init__(self, refused: Callable[[str], None], opened: Callable[[], None]) -> None:
        self._refused, self._opened = refused, opened
        self._document: Document | None = None
        self._open: OpenLevels | None = None
        self._shut: set[tuple[int, Item]] = set()

    def show(self, document: Document | None) -> None:
        """Another document is open, or none: nothing inside it is."""
        self._document, self._open = document, None
        self._shut.clear()

    @property
    def is_any_open(self) -> bool:
        """Whether anything is open inside a value."""
        return self._open is not None and bool(self._open.levels)

    @property
    def all(self) -> list[OpenLevel]:
        """The open levels, each behind the one that it is inside of."""
        return list(self._open.levels) if self._open is not None else []

    def plain(self) -> Iterator[tuple[OpenLevel, int]]:
        """The open levels whose bytes lie plain in the file, and where they begin there; inner ones come later."""
        starts: dict[int, int] = {}
        for level in self.all:
            start, outer = level.nested.start, 0 if level.outer is None else starts.get(id(level.outer))
            if start is not None and outer is not None and level.document.text is None:
                starts[id(level)] = start + outer
                yield level, start + outer

    # For the rows of the tree

    def levels(self) -> list[tuple[ShownLevel, Item]]:
        """The open levels, each with the value that it is the inside of."""
        return [(level, level.nested.item) for level in self.all]

    def open(self, outer: object, item: Item) -> OpenLevel | None:
        """Open what is inside a value; None where that cannot be."""
        from viewer.document.nested.nested_document import NestedError

        try:
            found = self.look(outer, item)
        except NestedError as error:
            self._refused(str(error))
            return None
        self._opened()
        return found

    def look(self, outer: object, item: Item) -> OpenLevel:
        """Open what is inside a value, whether or not anything says that something is.

        Raises:
            NestedError: there is nothing that can be read.
        """
        self._shut.discard((id(outer), item))
        return self._levels().open(self._own(outer), item)

    def locked(self, spot: Spot) -> OpenLevel | None:
        """The level inside a value, or that of an item inside it, where a password or key would open it; else None."""
        own = self._own(spot.level)
        found = own if own is not None and own.document.wraps.needs_key else None
        if found is None and self._open is not None:
            found = self._open.at(own, spot.item)
        return found if found is not None and found.document.wraps.needs_key else None

    def unlock(self, level: OpenLevel, secret: Secret) -> str:
        """Open an encrypted level; returns why the password or key is a wrong one, empty where it is not.

        Raises:
            NestedError: what is inside cannot be read.
        """
        return self._levels().unlock(level, secret)

    def shut(self, outer: object, item: Item) -> None:
        """Show the elements of an array of bytes, and not what is inside; a text is a leaf again."""
        self._shut.add((id(outer), item))
        level = self._open.at(self._own(outer), item) if self._open is not None else None
        if self._open is not None and level is not None:
            self._open.close(level)

    def label(self, document: Document, item: Item) -> str:
        """What is inside a value, in a word or three; empty where nothing is that is sure."""
        from viewer.document.nested.inside_evidence import inside_of

        return inside_of(document, item)

    def choice(self, outer: object, item: Item) -> bool | None:
        """Whether a person wants to see what is inside a value; None where they did not say."""
        if (id(outer), item) in self._shut:
            return False
        is_open = self._open is not None and self._open.at(outer, item) is not None
        return True if is_open else None

    # For the session

    def find(self, path: str) -> Spot:
        """What a path names, with the levels on its way open.

        Raises:
            PathError: it leads nowhere.
        """
        found = self._levels().find(path)
        self._shut -= {(id(spot.level), spot.item) for spot in self.line(found)}
        return found

    def at_byte(self, item: Item | None, offset: int) -> Spot | None:
        """The deepest item that is open inside a value at a byte of the document; None where none is."""
        return self._open.at_byte(item, offset) if self._open is not None and item is not None else None

    def holder(self, spot: Spot) -> Item:
        """The value of the outermost document that an item inside lies in."""
        level = self._own(spot.level)
        assert level is not None
        return level.line[0].nested.item

    def line(self, spot: Spot) -> list[Spot]:
        """The items on the way to one: the values that hold what is inside, the outermost first, and it itself."""
        level, out = self._own(spot.level), [spot]
        while level is not None:
            out.append(Spot(level.nested.outer, level.nested.item, level.outer))
            level = level.outer
        return out[::-1]

    def of(self, document: Document) -> OpenLevel | None:
        """The level that a document is the inside of; None for others."""
        return self._open.of(document) if self._open is not None else None

    def focused(self, level: object, edit: Edit) -> Spot | None:
        """What an edit inside a level selects, after it was done; None for nothing."""
        own = self._own(level)
        if own is None or edit.focus is None or not edit.focus.after:
            return None
        item = outline.item_at(own.document, edit.focus.after[0])
        return Spot(own.document, outline.row_item(own.document, item), own) if item is not None else None

    def put_back(self, edit: Edit, document: Document) -> Edit:
        """The edit of the outermost document that does *edit* in that of a level.

        Raises:
            EditError: a value around it cannot hold what comes out, or the level is open no more.
        """
        level = self.of(document)
        if self._open is None or level is None:
            raise EditError("What is inside this value has changed meanwhile; try again.")
        self._open.expect(level, edit)
        return level.put_back(edit)

    def moved(self, splices: tuple[Splice, ...]) -> None:
        """The bytes of the document were changed."""
        if self._open is not None:
            self._open.moved(splices)

    def follow(self, structure: bool) -> bool:
        """Find all levels again after a change; whether rows inside may be other ones."""
        if structure:
            self._shut.clear()
        return self._open.follow() if self._open is not None else False

    def again(self, spot: Spot, anchor: SelectionAnchor) -> Spot | None:
        """Where an item inside is after a change, None where it is gone."""
        level = next((each for each in self.all if each is spot.level), None)
        if level is None:
            return None
        item = anchor.after(level.splices).find(level.document)
        return Spot(level.document, item, level) if item is not None else None

    def mark_saved(self) -> None:
        """The document was saved."""
        if self._open is not None:
            self._open.mark_saved()

    def _levels(self) -> OpenLevels:
        from viewer.document.nested.open_levels import OpenLevels

        assert self._document is not None
        if self._open is None:
            self._open = OpenLevels(self._document)
        return self._open

    def _own(self, level: object) -> OpenLevel | None:
        """A level as what it is here."""
        return next((each for each in self.all if each is level), None)
