"""Random sessions: a document edited in every way that there is, undone and redone, and looked at after each step."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from document import session_texts

from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.edits.fragment import taken, written
from viewer.document.edits.packed import delete_elements, insert_elements, set_elements
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.edits.retype import retype, retype_offers
from viewer.document.edits.setting import literal, set_literal
from viewer.document.edits.slots import FILE, Collection, EditError, Slot
from viewer.document.edits.structure import delete, duplicate, insert, move, shift, sort_keys, to_bare, to_stored
from viewer.document.pieces.framing import Frame
from viewer.document.reading import ReadJob, ReadOptions
from viewer.document.splice import Edit
from viewer.variant.items import Item
from viewer.variant.table import NONE

LITERALS = (
    "null",
    "true",
    "-7",
    "6000000000",
    "0.5",
    '"Zoë"',
    '""',
    "[1, [2], {}]",
    '{"a": 1, 2: "b"}',
    "Vector2(1, 2)",
)
KEYS = ('"hp"', '"new key"', "3", "Vector2(0, 1)")
LARGEST = 1 << 16


@dataclass
class Session:
    """One document under the hands of a very busy person.

    Args:
        document: what is edited.
        dice: decides what is done.
    """

    document: Document
    dice: random.Random
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    sentences: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.original = bytes(self.document.buffer[:])

    def step(self) -> None:
        """Do something at random; what is refused must have changed nothing."""
        name = self.dice.choice(tuple(OPERATIONS))
        before, revision = self.document.buffer, self.document.revision
        whole = not self.document.gaps and self.is_sound
        try:
            OPERATIONS[name](self)
        except EditError as error:
            self.sentences.add(str(error))
            assert self.document.buffer is before
            assert self.document.revision == revision
            self.refused[name] += 1
        else:
            self.done[name] += 1
            assert self.is_sound or not whole, name  # foreign bytes, once they stand alone, may look like anything
        if len(self.document.buffer) > LARGEST:
            self.document.undo()

    def check(self) -> None:
        """The document says what one that is opened afresh on these bytes says."""
        fresh = ReadJob(bytes(self.document.buffer[:]), ReadOptions(), self.document.way).run()
        assert [frame_state(frame) for frame in self.document.frames] == [frame_state(frame) for frame in fresh.frames]
        assert self.document.gaps == fresh.gaps

    def undo_all(self) -> None:
        """Take everything back."""
        while self.document.undo() is not None:
            pass
        assert bytes(self.document.buffer[:]) == self.original

    # What there is to choose from

    def item(self) -> Item:
        """A value with a row of its own."""
        frame = self.dice.randrange(len(self.document.frames)) if self.document.frames else 0
        if not self.document.frames:
            raise EditError("There is nothing left.")
        table = self.document.frames[frame].table
        nodes = [node for node in table.nodes if not outline.is_key(table, node)]
        item = Item(frame, self.dice.choice(nodes))
        held = self.collection(item)
        if held is not None and held.is_packed and len(held) and self.dice.random() < 0.5:
            return held.item(self.dice.randrange(len(held)))
        return item

    def items(self) -> list[Item]:
        """Some values."""
        return [self.item() for _ in range(self.dice.choice((1, 1, 1, 2, 5)))]

    def collection(self, item: Item) -> Collection | None:
        """The values that a value holds, None where it holds none."""
        try:
            return Collection(self.document, item.frame, item.node)
        except EditError:
            return None

    def slot(self) -> Slot:
        """A place for a value."""
        if self.dice.random() < 0.1:
            return Slot(FILE, 0, self.dice.randint(0, len(self.document.frames)))
        for _ in range(50):
            item = self.item()
            held = self.collection(item)
            if held is not None:
                return Slot(item.frame, item.node, self.dice.randint(0, len(held)))
        return Slot(FILE, 0, 0)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is broken."""
        return all(frame.sound for frame in self.document.frames)

    def undo(self, times: int) -> None:
        """Undo, beyond an edit that mended what the one before it broke."""
        for _ in range(times):
            self.document.undo()
        while not self.is_sound and self.document.undo() is not None:
            pass

    def redo(self, times: int) -> None:
        """Redo, up to an edit that broke something."""
        for _ in range(times):
            self.document.redo()
            if not self.is_sound:
                self.document.undo()
                return

    def apply(self, edit: Edit) -> None:
        """Do an edit."""
        if edit.splices:
            self.document.apply(edit)


def _insert(session: Session) -> None:
    dice = session.dice
    fragment = written(session.document, dice.choice(LITERALS), dice.choice(("", *KEYS)))
    session.apply(
        insert(session.document, session.slot(), [fragment] * dice.choice((1, 3)), renames=dice.random() < 0.9)
    )


def _paste(session: Session) -> None:
    fragments = [taken(session.document, item) for item in session.items()]
    session.apply(insert(session.document, session.slot(), fragments, "Paste"))


def _set(session: Session) -> None:
    item = session.item()
    text = session.dice.choice((literal(session.document, item), *LITERALS))
    session.apply(set_literal(session.document, item, text))


def _rename(session: Session) -> None:
    item = session.item()
    frame = outline.frame_of(session.document, item)
    key = outline.key_of(frame.table, item.node) if frame is not None else None
    if key is None:
        raise EditError("This value has no key.")
    session.apply(set_literal(session.document, Item(item.frame, key), session.dice.choice(KEYS)))


def _overwrite(session: Session) -> None:
    """A byte that may break everything; it is taken back at once, because little can be done to what is broken."""
    at = session.dice.randrange(max(1, len(session.document.buffer)))
    session.apply(overwrite(session.document, at, session.dice.randbytes(1)))
    session.check()
    session.document.undo()


def _retype(session: Session) -> None:
    item = session.item()
    targets = [offer.name for offer in retype_offers(session.document, item)]
    if not targets:
        raise EditError("This value has no other type.")
    session.apply(retype(session.document, item, session.dice.choice(targets)).edit)


def _elements(session: Session) -> None:
    """Set, insert or delete elements of a packed array."""
    dice, document = session.dice, session.document
    found = [held for held in (session.collection(session.item()) for _ in range(50)) if held is not None]
    held = next((held for held in found if held.is_packed and len(held)), None)
    if held is None:
        raise EditError("There is no packed array.")
    number, array = dice.randrange(len(held)), Item(held.frame, held.node)
    part = outline.part(document, held.item(number))
    element: Any = part.value if part is not None else ""
    what = dice.randrange(3)
    if what == 0:
        session.apply(set_elements(document, array, {number: element}))
    elif what == 1:
        session.apply(insert_elements(document, array, number, [element] * 3))
    else:
        session.apply(delete_elements(document, array, [range(number, number + 1)]))


def _reframe(session: Session) -> None:
    """To a file with lengths or without; back at once, since each of them allows less."""
    change = to_bare if session.document.framing.kind is FramingKind.STORED else to_stored
    session.apply(change(session.document))
    session.check()
    session.document.undo()


OPERATIONS: dict[str, Callable[[Session], None]] = {
    "insert": _insert,
    "paste": _paste,
    "set": _set,
    "rename": _rename,
    "overwrite": _overwrite,
    "bulk": session_texts.bulk,
    "replace": session_texts.replace,
    "element type": session_texts.element_type,
    "raw bytes": session_texts.raw_bytes,
    "mend": session_texts.mended,
    "retype": _retype,
    "elements": _elements,
    "reframe": _reframe,
    "sort": lambda session: session.apply(sort_keys(session.document, session.item())),
    "delete": lambda session: session.apply(delete(session.document, session.items())),
    "duplicate": lambda session: session.apply(duplicate(session.document, session.items())),
    "move": lambda session: session.apply(move(session.document, session.items(), session.slot())),
    "up": lambda session: session.apply(shift(session.document, session.items(), -1)),
    "down": lambda session: session.apply(shift(session.document, session.items(), 1)),
    "undo": lambda session: session.undo(1),
    "undo some": lambda session: session.undo(session.dice.randrange(20)),
    "redo": lambda session: session.redo(1),
    "redo some": lambda session: session.redo(session.dice.randrange(20)),
}


def frame_state(frame: Frame) -> tuple[object, ...]:
    """All that a frame and its table say."""
    table = frame.table
    known = [node for node in range(len(table)) if node == 0 or table.parent[node] != NONE]
    rows = [(node, table.start[node], table.parent[node], table.first[node]) for node in known]
    return frame.cut, rows, len(table), table.end_of_data, table.diagnostics
