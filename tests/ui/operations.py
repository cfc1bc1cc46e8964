"""The operations of a person on a document, one table: where they stand, what they do, and where rows are then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import corpus
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from ui.person import Person

Key = Qt.Key
RPG = (corpus.DATA / "godot3" / "files" / "rpg.save").read_bytes()
BARE = RPG[4:]
OBJECTS = (corpus.DATA / "godot3" / "files" / "full_objects.save").read_bytes()
BAG, QUESTS, NPCS = "[0].inventory", "[0].quests", "[0].npcs"
SWORD, RING, STEPS = f"{BAG}[2]", f"{BAG}[4]", f"{QUESTS}.quest_08.steps"
OPEN = (
    *(
        "[0].saved_at",
        "[0].player",
        BAG,
        SWORD,
        RING,
        f"{RING}.enchant",
        QUESTS,
        f"{QUESTS}.quest_08",
        STEPS,
        NPCS,
        f"{NPCS}[3]",
    ),
    *("[0].map", "[0].map.path", "[0].settings", "[0].settings.keys", "[0].stats"),
)
GOLD = "[0].player.gold"
Moved = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that a person does.

    Args:
        at: the path of the row where they stand.
        do: does it.
        after: the path of the current row then, empty where it is the same value as before.
        moved: which rows, with all below them, have another path then; an empty one for those that are gone.
        also: the paths of other rows that are selected before.
        selected: the paths of all rows selected then, empty for the current one alone.
        names: the entries of the menus that it stands for.
        ready: what is done before one looks.
        opened: the rows that are open, besides the first ones.
        raw, dialect: the document; the dialect where it is not to be found out.
        lead: how many rows are to be seen above the current one.
        scrolls: whether other rows must come into view: what it affects lies elsewhere, or too few rows are left below.
        breaks: whether the bytes from the caret on are no values any more.
        mends: rows that are open then because they are values again.
        goes_on: whether it leads to another place afterwards, which doing it again does not.
    """

    at: str
    do: Callable[[Person], object]
    after: str = ""
    moved: Moved = field(default_factory=dict)
    also: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    ready: Callable[[Person], object] = id
    opened: tuple[str, ...] = OPEN
    raw: bytes = RPG
    dialect: str = ""
    lead: int = 4
    scrolls: bool = False
    breaks: bool = False
    mends: tuple[str, ...] = ()
    goes_on: bool = False


def by(*names: str) -> Callable[[Person], None]:
    """Choose entries of the menus one after the other."""

    def do(person: Person) -> None:
        for name in names:
            person.act(name)

    return do


def new(name: str) -> Callable[[Person], None]:
    """Put a new value somewhere: the first type that is offered, and no other value than that it begins with."""

    def do(person: Person) -> None:
        person.act(name)
        person.write("Nil")
        person.press(Key.Key_Return)
        if person.tree.editor.is_open:  # Esc would take the value back
            person.press(Key.Key_Return)

    return do


def copied(path: str) -> Callable[[Person], None]:
    """Copy another value, and come back."""

    def do(person: Person) -> None:
        back = person.window.session.path
        person.stand(path)
        person.act("copy")
        person.stand(back)

    return do


def typed(name: str, text: str) -> Callable[[Person], None]:
    """Open a field in the tree and type."""

    def do(person: Person) -> None:
        person.act(name)
        person.enter(text)

    return do


def shifted(home: str, first: int, steps: int, last: int = 30) -> Moved:
    """The elements of an array from one on, so many places further."""
    return {f"{home}[{k}]": f"{home}[{k + steps}]" for k in range(first, last)}


def swapped(first: str, second: str) -> Moved:
    """Two rows that take each other's place."""
    return {first: second, second: first}


def clip(text: str) -> Callable[[Person], None]:
    return lambda person: QGuiApplication.clipboard().setText(text)


def text_of(text: str) -> QMimeData:
    mime = QMimeData()
    mime.setText(text)
    return mime


# In the tree

ROWS: dict[str, Operation] = {
    "insert behind": Operation(SWORD, new("insert_after"), f"{BAG}[3]", shifted(BAG, 3, 1), names=("insert_after",)),
    "insert before": Operation(SWORD, new("insert_before"), SWORD, shifted(BAG, 2, 1), names=("insert_before",)),
    "insert into an array": Operation(BAG, new("insert_into"), f"{BAG}[24]", scrolls=True, names=("insert_into",)),
    "insert into a dictionary": Operation(f"{RING}.enchant", new("insert_into"), f"{RING}.enchant.new"),
    "insert behind several": Operation(
        SWORD, new("insert_after"), f"{BAG}[5]", shifted(BAG, 5, 1), also=(RING,), scrolls=True
    ),
    "insert an element": Operation(f"{STEPS}[1]", new("insert_after"), f"{STEPS}[2]"),
    "delete": Operation(SWORD, by("delete"), SWORD, {SWORD: "", **shifted(BAG, 3, -1)}, names=("delete",)),
    "delete the last": Operation(f"{BAG}[23]", by("delete"), f"{BAG}[22]"),
    "delete several": Operation(
        SWORD, by("delete"), f"{BAG}[3]", {SWORD: "", RING: "", **shifted(BAG, 5, -2)}, also=(RING,)
    ),
    "delete several and stand on the last": Operation(
        RING, by("delete"), f"{BAG}[3]", {SWORD: "", RING: "", **shifted(BAG, 5, -2)}, also=(SWORD,), lead=16
    ),
    "delete an element": Operation(f"{STEPS}[1]", by("delete"), f"{STEPS}[1]"),
    "delete several elements": Operation(
        f"{STEPS}[5]", by("delete"), f"{STEPS}[3]", also=(f"{STEPS}[1]", f"{STEPS}[2]")
    ),
    "delete the last element": Operation(f"{STEPS}[7]", by("delete"), f"{STEPS}[6]"),
    "delete the only ones": Operation(
        f"{RING}.enchant.fire",
        by("delete"),
        f"{RING}.enchant",
        {f"{RING}.enchant": ""},
        also=(f"{RING}.enchant.durability",),
    ),
    "duplicate": Operation(SWORD, by("duplicate"), f"{BAG}[3]", shifted(BAG, 3, 1), names=("duplicate",)),
    "duplicate several": Operation(
        SWORD,
        by("duplicate"),
        f"{BAG}[3]",
        {f"{BAG}[3]": f"{BAG}[4]", RING: f"{BAG}[5]", **shifted(BAG, 5, 2)},
        also=(RING,),
        selected=(f"{BAG}[3]", f"{BAG}[6]"),
    ),
    "move up": Operation(RING, by("move_up"), f"{BAG}[3]", swapped(RING, f"{BAG}[3]"), names=("move_up",)),
    "move down": Operation(SWORD, by("move_down"), f"{BAG}[3]", swapped(SWORD, f"{BAG}[3]"), names=("move_down",)),
    "move several up": Operation(
        SWORD,
        by("move_up"),
        f"{BAG}[1]",
        {f"{BAG}[1]": SWORD, SWORD: f"{BAG}[1]", f"{BAG}[3]": RING, RING: f"{BAG}[3]"},
        also=(RING,),
        selected=(f"{BAG}[1]", f"{BAG}[3]"),
    ),
    "move an element": Operation(f"{STEPS}[1]", by("move_down"), f"{STEPS}[2]"),
    "cut": Operation(SWORD, by("cut"), SWORD, {SWORD: "", **shifted(BAG, 3, -1)}, names=("cut",)),
    "paste": Operation(
        SWORD, by("paste_value"), f"{BAG}[3]", shifted(BAG, 3, 1), ready=copied(f"{BAG}[1]"), names=("paste_value",)
    ),
    "paste an element": Operation(f"{STEPS}[0]", by("paste_value"), f"{STEPS}[1]", ready=copied(f"{STEPS}[3]")),
    "paste into": Operation(
        f"{RING}.enchant", by("paste_into"), f"{RING}.enchant.gold", ready=copied(GOLD), names=("paste_into",)
    ),
    "paste into the last": Operation("[0].stats", by("paste_into"), "[0].stats[9]", ready=copied(GOLD), scrolls=True),
    "paste into far away": Operation(BAG, by("paste_into"), f"{BAG}[24]", ready=copied(GOLD), scrolls=True),
    "drag up": Operation(RING, lambda person: person.drag(f"{BAG}[3]", 0.0), f"{BAG}[3]", swapped(RING, f"{BAG}[3]")),
    "drag down": Operation(
        f"{BAG}[3]",
        lambda person: person.drag(f"{BAG}[5]", 1.0),
        f"{BAG}[5]",
        {f"{BAG}[3]": f"{BAG}[5]", RING: f"{BAG}[3]", f"{BAG}[5]": RING},
    ),
    "drag into another": Operation(
        f"{BAG}[3]", lambda person: person.drag(RING, 0.5), f"{BAG}[3].new", shifted(BAG, 4, -1)
    ),
    "drag an open one out": Operation(
        f"{RING}.enchant",
        lambda person: person.drag(RING, 0.0),
        RING,
        {f"{RING}.enchant": RING, **shifted(BAG, 4, 1)},
        lead=12,
    ),
    "drag from elsewhere": Operation(
        RING, lambda person: person.drop(text_of("77"), f"{BAG}[3]", 0.0), f"{BAG}[3]", shifted(BAG, 3, 1)
    ),
    "drag elements": Operation(f"{STEPS}[0]", lambda person: person.drag(f"{STEPS}[2]", 1.0), f"{STEPS}[2]"),
    "sort keys": Operation("[0].player", by("sort_keys"), names=("sort_keys",)),
    "sort keys of all": Operation("[0]", by("sort_keys")),
    "add length prefixes": Operation(SWORD, by("to_stored"), raw=BARE, dialect="godot3", names=("to_stored",)),
    "take length prefixes away": Operation(SWORD, by("to_bare"), names=("to_bare",)),
}

# Values

VALUES: dict[str, Operation] = {
    "set a number": Operation(GOLD, typed("edit_value", "7"), names=("edit_value",)),
    "set a text": Operation(f"{SWORD}.name", typed("edit_value", '"A much longer name"')),
    "set a collection": Operation("[0].saved_at", typed("edit_value", '{"year": 1}')),
    "set a collection near the end": Operation("[0].settings.keys", typed("edit_value", '{"jump": 1}'), scrolls=True),
    "set an element": Operation(f"{STEPS}[1]", typed("edit_value", "77")),
    "switch a bool by key": Operation(f"{SWORD}.equipped", lambda person: person.press(Key.Key_Space)),
    "rename a key": Operation(GOLD, typed("rename_key", "coins"), "[0].player.coins", names=("rename_key",)),
    "rename the key of what is open": Operation(
        f"{QUESTS}.quest_08",
        typed("rename_key", "other"),
        f"{QUESTS}.other",
        {f"{QUESTS}.quest_08": f"{QUESTS}.other"},
    ),
    "change a type": Operation(GOLD, lambda person: person.choose_type("String"), names=("change_type",)),
    "change the type of what is open": Operation(STEPS, lambda person: person.choose_type("PoolRealArray")),
    "make an array of elements": Operation(STEPS, lambda person: person.choose_type("Array")),
    "change the type of a key": Operation(
        f"{QUESTS}.quest_08",
        lambda person: person.choose_type("NodePath", "&Key"),
        f'{QUESTS}[NodePath("quest_08")]',
        {f"{QUESTS}.quest_08": f'{QUESTS}[NodePath("quest_08")]'},
    ),
    "bulk edit of numbers": Operation(
        SWORD, lambda person: bulk(person, "inventory[*].count -> value + 1"), names=("bulk_edit",)
    ),
    "bulk edit with several selected": Operation(
        SWORD,
        lambda person: bulk(person, 'inventory[*].name -> value + "!!"'),
        also=(RING, f"{BAG}[6]"),
        selected=(SWORD, RING, f"{BAG}[6]"),
    ),
    "bulk edit of texts": Operation(SWORD, lambda person: bulk(person, 'inventory[*].name -> value + "!!!!"')),
    "import a value": Operation(f"{SWORD}.name", lambda person: imported(person, b'"s:From a file"')),
    "import a collection": Operation("[0].saved_at", lambda person: imported(person, b'{"year": 3}')),
}


def bulk(person: Person, text: str) -> None:
    def fill(dialog: object) -> None:
        dialog.field.setText(text)  # type: ignore[attr-defined]
        person.qtbot.waitUntil(dialog.apply_button.isEnabled)  # type: ignore[attr-defined]

    person.answer(fill)
    person.act("bulk_edit")


def imported(person: Person, raw: bytes) -> None:
    person.file(raw)
    person.act("import_value")
