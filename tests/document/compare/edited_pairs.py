"""Pairs of a real file and the same one after random edits, with what a comparison should say of them.

``python tools/compare_proofs.py pairs 2000`` tries as many and prints the shares.

What counts: each row stands where an edit was made or in what it wrote; each edit has a row there or around it; there
are no more rows than edits and a tenth more. A row stands around edits, as a collection that is another one as a
whole, only where no more than half of the leaves in it are as they were. Of elements taken from, put into and moved in
one list the list counts as the place, because which of two neighbours moved past the other one nobody can say; there
an element that was set counts so, too.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corpus import DATA

from viewer.container.frames import FramingKind
from viewer.container.new_wrap import fresh
from viewer.document.compare.change_script import ScriptError, change_script, run_script
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import DifferenceKind, DocumentComparison, ValueDifference
from viewer.document.compare.difference_words import difference_line
from viewer.document.compare.taking import take
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.fragment import made, taken
from viewer.document.edits.setting import set_literal, set_value
from viewer.document.edits.slots import EditError, Slot, collection, slot_of
from viewer.document.edits.structure import delete, insert, move, to_stored
from viewer.document.export.converting import CannotConvertError
from viewer.document.export.other_engine import for_engine
from viewer.document.outline import is_key, key_of
from viewer.document.path import format_path
from viewer.document.pieces.framing import Frame
from viewer.document.splice import Edit
from viewer.variant.dialect import HOLDING, LISTS, PACKED, Kind
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.table import NONE
from viewer.variant.value import Value

ROOT = Path(__file__).parents[3]
LARGEST = 1 << 16
WRAPS = ("gcpf:zstd", "gcpf:fastlz", "gzip", "zstd", "base64", "zlib")
WORDS = ("sword", "lantern", "quest", "river", "gold", "moss", "tower", "harbour")


def sources(more: Path | None = None, largest: int = LARGEST) -> list[Path]:
    """Real files with values that read without an error, of *largest* bytes at most; those in a folder, too."""
    found = [path for path in sorted((ROOT / "resources" / "samples").iterdir()) if path.suffix in (".save", ".bin")]
    for folder in sorted(DATA.glob("*/files")):
        found += sorted(folder.iterdir())
    found += sorted((DATA / "texts").rglob("*.cfg")) + sorted((DATA / "texts").rglob("*.json"))
    found += sorted((DATA / "projects").iterdir())
    if more is not None:
        known = {path.read_bytes() for path in found if path.is_file()}
        found += [path for path in sorted(more.rglob("files/*")) if path.is_file() and path.read_bytes() not in known]
    return [path for path in found if path.is_file() and is_usable(path, largest)]


def is_usable(path: Path, largest: int = LARGEST) -> bool:
    if path.stat().st_size > largest or path.suffix == ".md":
        return False
    document = Document(path.read_bytes(), name=path.name)
    nodes = sum(len(frame.table) for frame in document.frames)
    sound = all(frame.sound and frame.gap is None for frame in document.frames)
    return document.wraps.blocked is None and sound and nodes > 12 and not document.structure


@dataclass
class EditedPair:
    """A file, and what became of it.

    Args:
        name: of the file.
        old, new: both as documents.
        edits: how many edits were made.
        places: where, as paths of the old side: of the value, or of the list.
        notes: what was done, for a person.
    """

    name: str
    old: Document
    new: Document
    edits: int = 0
    places: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class PairMaker:
    """Makes pairs.

    Args:
        path: the file.
        seed: what chance depends on.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self.dice = random.Random(f"{path.name} {seed}")
        self.old = Document(path.read_bytes(), name=path.name)
        self.new = Document(path.read_bytes(), name=path.name)
        self.name = f"{path.parent.parent.name}/{path.name} {seed}"

    def pair(self) -> EditedPair:
        out = EditedPair(self.name, self.old, self.new)
        wanted = self.dice.choice((1, 1, 2, 3, 5, 8, 12, 20, 30))
        for offset in self.targets(wanted):
            self.change(offset, out)
        self.rewrap(out)
        return out

    def targets(self, wanted: int) -> list[int]:
        """Where edits are made: at values of which none holds another, from the last to the first."""
        every = [
            (index, node)
            for index, frame in enumerate(self.old.frames)
            for node in frame.table.nodes
            if not is_key(frame.table, node) and self.is_outside_keys(frame, node)
        ]
        self.dice.shuffle(every)
        chosen: list[tuple[int, int]] = []
        for index, node in every:
            frame = self.old.frames[index]
            start, end = frame.start + frame.table.start[node], frame.start + frame.table.end(node)
            if all(end <= first or start >= last for first, last in chosen):
                chosen.append((start, end))
            if len(chosen) >= wanted:
                break
        return sorted((start for start, _ in chosen), reverse=True)

    @staticmethod
    def is_outside_keys(frame: Frame, node: int) -> bool:
        while node:
            if is_key(frame.table, node):
                return False
            node = frame.table.parent[node]
        return True

    def item(self, document: Document, offset: int) -> Item:
        """The outermost value that begins there and has no key in front of it."""
        index = document.frame_at(offset)
        frame = document.frames[index]
        return Item(index, frame.table.at(offset - frame.start))

    def change(self, offset: int, out: EditedPair, sort: str = "") -> None:
        document = self.new
        item, was = self.item(document, offset), self.item(self.old, offset)
        table = document.frames[item.frame].table
        row = table.row(item.node)
        if row is None:
            return
        path, parent = format_path(self.old, was), table.parent[item.node] if item.node else NONE
        in_list = parent != NONE and not table.has_pairs(parent)
        home = path.rpartition("[")[0] if in_list else path
        sort = sort or self.dice.choice(
            ("set", "set", "set", "remove", "add", "move", "rename", "elements", "retype", "inside")
        )
        edit: Edit | None = None
        place = path
        try:
            if sort == "remove" and parent != NONE:
                edit, place = delete(document, [item]), home
            elif sort == "add" and parent != NONE:
                edit, place = self.added(item), home if in_list else f"{path}+"
            elif sort == "move" and in_list:
                edit, place = self.moved(item), home
            elif sort == "rename" and parent != NONE and not in_list:
                key = key_of(table, item.node)
                edit = set_literal(document, Item(item.frame, key or 0), f'"{self.word()} {self.dice.randrange(99)}"')
            elif sort == "elements" and row.kind in PACKED:
                edit = self.element(item)
            elif sort == "retype" and item.node:
                edit = set_value(document, item, self.value())
            elif sort == "inside" and row.kind in LISTS:
                held = collection(document, Slot(item.frame, item.node, 0))
                slot = Slot(item.frame, item.node, self.dice.randrange(len(held) + 1))
                edit = insert(document, slot, [made(document, self.value())])
            elif row.kind not in HOLDING and row.kind not in PACKED:
                edit = self.set(item)
        except (EditError, ValueError, KeyError):
            return
        if edit is None or not edit.splices:
            return
        before = read(table, parent if parent != NONE else 0)
        document.apply(edit)
        frame = document.frames[item.frame] if item.frame < len(document.frames) else None
        if frame is None or not frame.sound:
            document.undo()
            return
        start = self.old.frames[was.frame].start + self.old.frames[was.frame].table.start[self.parent_of(was)]
        again = self.item(document, start) if parent != NONE else item
        now = read(document.frames[again.frame].table, again.node if parent != NONE else 0)
        if repr(now) == repr(before):
            document.undo()
            return
        out.edits += 1
        out.places.append(place)
        out.notes.append(f"{sort} {path}")

    def parent_of(self, item: Item) -> int:
        table = self.old.frames[item.frame].table
        return table.parent[item.node] if item.node else 0

    # What edits write

    def word(self) -> str:
        return self.dice.choice(WORDS)

    def value(self) -> Value:
        sort = self.dice.randrange(3)
        if sort == 0:
            return Value("float", self.dice.randrange(-4000, 4000) / 4)
        text = Value("String", f"{self.word()} {self.word()} {self.dice.randrange(1000)}")
        return text if sort == 1 else Value("bool", self.dice.random() < 0.5)

    def set(self, item: Item) -> Edit | None:
        table = self.new.frames[item.frame].table
        row = table.row(item.node)
        assert row is not None
        data = read(table, item.node).data
        if isinstance(data, bool):
            return set_literal(self.new, item, "false" if data else "true")
        if isinstance(data, int):
            return set_literal(self.new, item, str(self.dice.randrange(-(1 << 20), 1 << 20)))
        if isinstance(data, float):
            return set_literal(self.new, item, str(self.dice.randrange(-4000, 4000) / 8))
        if isinstance(data, str):
            return set_literal(self.new, item, f'"{self.word()} {self.word()} {self.dice.randrange(100)}"')
        if isinstance(data, tuple) and row.kind is Kind.FIXED and data:
            number = self.dice.randrange(len(data))
            by = self.dice.randrange(1, 500)
            return set_value(self.new, item, Value(row.name, (*data[:number], by, *data[number + 1 :])))
        return None

    def added(self, item: Item) -> Edit:
        """A new value before one that is there: a neighbour again, or something new."""
        slot = slot_of(self.new, item)
        if self.dice.random() < 0.5:
            fragment = taken(self.new, item)
            key = made(self.new, Value("String", f"{self.word()} {self.dice.randrange(999)}")).value
            return insert(self.new, slot, [fragment.with_key(key) if fragment.key else fragment])
        fragment = made(self.new, self.value())
        if collection(self.new, slot).has_keys:
            key = made(self.new, Value("String", f"{self.word()} {self.dice.randrange(999)}")).value
            fragment = fragment.with_key(key)
        return insert(self.new, slot, [fragment])

    def moved(self, item: Item) -> Edit:
        """A value further behind: what lies before it, where other edits come, stays where it is."""
        slot = slot_of(self.new, item)
        count = len(collection(self.new, slot))
        return move(self.new, [item], Slot(slot.frame, slot.node, self.dice.randrange(slot.number, count + 1)))

    def element(self, item: Item) -> Edit | None:
        held = collection(self.new, Slot(item.frame, item.node, 0))
        if not len(held):
            return None
        number = self.dice.randrange(len(held))
        one = held.item(number)
        if self.dice.random() < 0.4:
            return delete(self.new, [one])
        fragment = taken(self.new, held.item(self.dice.randrange(len(held))))
        return insert(self.new, Slot(item.frame, item.node, number), [fragment])

    # How it is written

    def rewrap(self, out: EditedPair) -> None:
        """Another framing, engine line or wrap around the same values."""
        document, how = self.new, self.dice.randrange(6)
        if how == 0 and document.framing.kind is FramingKind.BARE and document.text is None:
            document.apply(to_stored(document))
            out.notes.append("stored")
        if document.has_other_wraps:
            document.use_other_wraps()
        try:
            raw = bytes(document.to_be_written()[:])
        except FileProblem:  # a text that cannot hold the values stays as it is
            return
        if how in (1, 2) and document.dialect.key in ("godot3", "godot4") and document.text is None:
            try:
                found = for_engine(document, "godot4" if document.dialect.key == "godot3" else "godot3")
            except (CannotConvertError, EditError):
                found = None
            if found is not None and not found.lost:
                raw = bytes(found.data)
                out.notes.append("other engine line")
        if how in (2, 3):
            name = self.dice.choice(WRAPS)
            raw = fresh(name, None).wrap(raw)
            out.notes.append(name)
        out.new = Document(raw, name=self.name)


def place_of(found: DocumentComparison, row: ValueDifference) -> list[str]:
    """The places of a row, as the places of edits are told."""
    out = []
    for document, item in ((found.old, row.old), (found.new, row.new)):
        if item is None or item.frame < 0 or item.node < 0:
            continue
        path = format_path(document, item)
        table = document.frames[item.frame].table
        parent = table.parent[item.node] if item.node else NONE
        if (
            row.kind is not DifferenceKind.CHANGED
            and row.old_run is None
            and parent != NONE
            and not table.has_pairs(parent)
        ):
            path = path.rpartition("[")[0]
        out.append(path)
    return out


def fits(place: str, other: str) -> bool:
    """Whether one place is the other, lies in it or holds it; a new key stands in the dictionary of its neighbour."""
    if place.endswith("+"):
        place = parent_path(place[:-1])
    return holds(place, other) or holds(other, place)


def parent_path(path: str) -> str:
    depth = 0
    for at in range(len(path) - 1, -1, -1):
        depth += (path[at] == "]") - (path[at] == "[")
        if not depth and path[at] in ".[":
            return path[:at]
    return path


def holds(outer: str, inner: str) -> bool:
    return inner == outer or (inner.startswith(outer) and inner[len(outer) : len(outer) + 1] in (".", "[", "@", "#"))


def verdict(pair: EditedPair) -> tuple[list[str], DocumentComparison]:
    """What is wrong with what a comparison says of a pair."""
    found = compare(pair.old, pair.new)
    wrong = []
    rows = found.changes
    if len(rows) > pair.edits + (pair.edits + 9) // 10 * (pair.edits > 0):
        wrong.append("more rows")
    places = [place_of(found, row) for row in rows]
    lists = {place for place, note in zip(pair.places, pair.notes, strict=False) if place != note.partition(" ")[2]}
    wide = [parent_path(place) if parent_path(place) in lists else place for place in pair.places]
    if any(not any(fits(place, mine) for place in pair.places for mine in row) for row in places):
        wrong.append("row without edit")
    if any(is_too_wide(found, row, paths, pair.places) for row, paths in zip(rows, places, strict=True)):
        wrong.append("row around what stayed")
    if any(not any(fits(place, mine) for row in places for mine in row) for place in wide):
        wrong.append("edit without row")
    return wrong, found


def is_too_wide(found: DocumentComparison, row: ValueDifference, paths: list[str], edits: list[str]) -> bool:
    """Whether a row says that a collection is another one as a whole, of whose leaves more than half stayed."""
    if row.kind is not DifferenceKind.CHANGED or row.old is None or row.new is None or row.old.node < 0:
        return False
    if row.old_run is not None or row.about or any(holds(place, mine) for place in edits for mine in paths):
        return False
    ours, theirs = (Counter(leaves(document, item)) for document, item in ((found.old, row.old), (found.new, row.new)))
    return 2 * (ours & theirs).total() > max(ours.total(), theirs.total())


def leaves(document: Document, item: Item) -> Iterator[str]:
    """What the leaves of a value are."""
    table = document.frames[item.frame].table
    waiting = [item.node]
    while waiting:
        node = waiting.pop()
        held = table.children(node)
        waiting += held
        if not held:
            yield repr(read(table, node))


def taken_all(found: DocumentComparison) -> str:
    """What is wrong with taking all of the new side; nothing where the values are equal then."""
    try:
        side = take(found)
    except EditError as error:
        return f"take: {error}"
    if side.left:
        return f"left: {side.left[0]}"
    old = found.old
    old.apply(side.edit)
    again = compare(old, found.new)
    said = str(difference_line(again, again.changes[0])) if again.changes else ""
    old.undo()
    return f"not equal: {said}" if said or not again.is_equal else ""


def replayed(found: DocumentComparison) -> str:
    """What is wrong with the script of a comparison, done to the old file as it is read again."""
    old = Document(found.old.to_be_written(), name="replayed")
    script = "\n".join(change_script(found))
    try:
        run_script(old, script)
    except ScriptError as error:
        return f"{error}\n{script[:600]}"
    again = compare(old, found.new)
    said = str(difference_line(again, again.changes[0])) if again.changes else ""
    return f"script: {said}\n{script[:600]}" if said else ""


def pairs(count: int, seed: int, files: list[Path] | None = None) -> Iterator[EditedPair]:
    files = files or sources()
    for number in range(count):
        pair = PairMaker(files[number % len(files)], seed + number).pair()
        if pair.edits:
            yield pair
