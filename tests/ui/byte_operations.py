"""The rest of the table of operations: what is done in editors, in the search and in the bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from ui.operations import BARE, GOLD, OBJECTS, OPEN, QUESTS, STEPS, SWORD, Operation, by, clip
from ui.person import ALT, CTRL, Person

from viewer.ui.editors.bytes_editor import BytesEditor
from viewer.ui.editors.colour_editor import ColourEditor
from viewer.ui.editors.image_editor import ImageEditor
from viewer.ui.editors.number_editor import BoolEditor, NumberEditor
from viewer.ui.editors.packed_editor import PackedEditor
from viewer.ui.editors.parts_editor import ComponentEditor, EventEditor, IdEditor, SignalEditor
from viewer.ui.editors.text_editor import PathEditor, TextEditor
from viewer.ui.panels.banner import Banner
from viewer.ui.panels.find_field import FindField
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Array, ElementType, Image, InputEvent, NodePath, ObjectId, Signal, Value

Key = Qt.Key
NAME, LAST = f"{SWORD}.name", "[0].stats[8]"

# Editors


def edit(kind: Any, do: Callable[[Any], object]) -> Callable[[Person], None]:
    return lambda person: person.edit(kind, do)


def grid(do: Callable[[Any], object]) -> Callable[[Person], None]:
    return lambda person: person.edit(PackedEditor, do, grid=True)


def array_of(dialect: str, *values: Value, held: ElementType | None = None) -> bytes:
    """An array of these behind twenty numbers, and twenty more."""
    numbers = tuple(Value("int", number) for number in range(20)) if held is None else ()
    return encode(Value("Array", Array((*numbers, *values, *numbers), held)), load(dialect))


NUMBERS = tuple(Value("int", number) for number in range(20))
LISTS = Value("Array", Array(NUMBERS))
GODOT2 = array_of(
    "godot2",
    LISTS,
    Value("Image", Image(4, 0, 2, 1, bytes(range(8)))),
    Value("InputEvent", InputEvent(1, 0, (("modifiers", 0), ("scancode", 65)))),
    Value("NodePath", NodePath(("A",), (), False, "pos")),
)
GODOT4 = array_of(
    "godot4",
    LISTS,
    Value("Object", ObjectId(7)),
    Value("Signal", Signal("pressed", 7)),
    Value("Array", Array((Value("int", 1), Value("int", 2)), ElementType(builtin=2))),
)
OPEN_LISTS = ("[0][20]",)
OPEN_TYPED = ("[0][20]", "[0][23]")


def bytes_from_file(person: Person) -> None:
    path = person.given(b"other bytes")
    person.edit(BytesEditor, lambda editor: editor.import_file(path))


EDITORS: dict[str, Operation] = {
    "a number": Operation(
        GOLD, edit(NumberEditor, lambda editor: editor.field.setText("3")), names=("edit_in_editor",)
    ),
    "a bool": Operation(f"{SWORD}.equipped", edit(BoolEditor, lambda editor: editor.box.toggle())),
    "a text": Operation(
        f"{SWORD}.name", edit(TextEditor, lambda editor: editor.field.setPlainText("Much longer text"))
    ),
    "a vector": Operation("[0].player.position", edit(ComponentEditor, lambda editor: editor.fields[0].setText("5"))),
    "a colour": Operation("[0].player.skin", edit(ColourEditor, lambda editor: editor.channels[0].setText("0.75"))),
    "a node path": Operation(
        "[0].player.target", edit(PathEditor, lambda editor: editor.names.setPlainText("A\nB\nC\nD\nE\nF"))
    ),
    "bytes": Operation("[0].map.tiles", bytes_from_file),
    "an element": Operation(f"{STEPS}[1]", edit(NumberEditor, lambda editor: editor.field.setText("3"))),
    "a packed array": Operation(STEPS, edit(PackedEditor, lambda editor: editor.grid.append_row()), f"{STEPS}[8]"),
    "cells of a grid": Operation(f"{STEPS}[1]", grid(lambda editor: editor.grid.set_picked("9")), names=("edit_grid",)),
    "rows into a grid": Operation(f"{STEPS}[1]", grid(lambda editor: editor.grid.insert_rows())),
    "rows out of a grid": Operation(f"{STEPS}[1]", grid(lambda editor: editor.grid.delete_rows())),
    "an image": Operation(
        "[0][21]",
        edit(ImageEditor, lambda editor: editor.fields["width"].setText("1")),
        raw=GODOT2,
        dialect="godot2",
        opened=OPEN_LISTS,
    ),
    "an input event": Operation(
        "[0][22]",
        edit(EventEditor, lambda editor: editor.fields["device"].setText("4")),
        raw=GODOT2,
        dialect="godot2",
        opened=OPEN_LISTS,
    ),
    "a node path with a property": Operation(
        "[0][23]",
        edit(PathEditor, lambda editor: editor.has_property.click()),
        raw=GODOT2,
        dialect="godot2",
        opened=OPEN_LISTS,
    ),
    "an object's number": Operation(
        "[0][21]",
        edit(IdEditor, lambda editor: editor.field.setText("9")),
        raw=GODOT4,
        dialect="godot4",
        opened=OPEN_TYPED,
    ),
    "a signal": Operation(
        "[0][22]",
        edit(SignalEditor, lambda editor: editor.name.setText("much_longer_name")),
        raw=GODOT4,
        dialect="godot4",
        opened=OPEN_TYPED,
    ),
    "the type of elements": Operation(
        "[0][23]",
        lambda person: person.choose_type("&Anything", "&Elements Hold"),
        raw=GODOT4,
        dialect="godot4",
        opened=OPEN_TYPED,
    ),
}

# The search


def found(text: str, new: str) -> Callable[[Person], None]:
    """Look for a text, go to the first place and write what it becomes."""

    def do(person: Person) -> None:
        person.act("find")
        person.write(text)
        field = person.window.findChild(FindField, "findField")
        assert field is not None
        person.qtbot.waitUntil(lambda: field.runner.is_complete)
        person.press(Key.Key_Return)
        person.act("replace")
        person.write(new)

    return do


def replace_all(person: Person) -> None:
    with person.qtbot.waitSignal(person.window.session.changed):
        person.press(Key.Key_Return, CTRL | ALT)


SEARCH: dict[str, Operation] = {
    "replace one": Operation(
        NAME,
        lambda person: person.press(Key.Key_Return),
        "[0].inventory[11].name",
        ready=found("Healing Potion", "X"),
        opened=(*OPEN, "[0].inventory[11]"),
        scrolls=True,
        goes_on=True,
        names=("replace",),
    ),
    "replace one number": Operation(
        GOLD,
        lambda person: person.press(Key.Key_Return),
        f"{STEPS}[7]",
        ready=found("number: 7", "8"),
        scrolls=True,
        goes_on=True,
    ),
    "replace all texts": Operation(NAME, replace_all, ready=found("Oak Shield", "A much longer name")),
    "replace all in keys": Operation(
        GOLD,
        replace_all,
        '[0]["a words"]',
        {
            f"{QUESTS}.quest_08": '[0]["a words"]["a word_08"]',
            QUESTS: '[0]["a words"]',
        },
        ready=found("quest", "a word"),
    ),
}

# Bytes


def in_bytes(path: str, first: int, last: int | None = None, insert: bool = False) -> Callable[[Person], None]:
    return lambda person: person.bytes_of(path, first, last, insert)


def writing(text: str) -> Callable[[Person], None]:
    return lambda person: person.write(text)


BROKEN: dict[str, Any] = {"breaks": True, "raw": BARE, "dialect": "godot3"}


def asked(name: str, count: str, pattern: str) -> Callable[[Person], None]:
    """Fill a dialog that asks for bytes."""

    def fill(dialog: Any) -> None:
        dialog.field.setText(count)
        dialog.pattern_field.setText(pattern)

    def do(person: Person) -> None:
        person.answer(fill)
        person.act(name)

    return do


def both(*steps: Callable[[Person], object]) -> Callable[[Person], None]:
    """One after the other."""

    def do(person: Person) -> None:
        for step in steps:
            step(person)

    return do


def take_objects_out(person: Person) -> None:
    banner = person.window.findChild(Banner, "banner")
    assert banner is not None
    person.qtbot.waitUntil(banner.isVisible)
    person.click(banner.action_button)


BYTES: dict[str, Operation] = {
    "overwrite a number": Operation(GOLD, writing("7"), ready=in_bytes(GOLD, 4)),
    "overwrite a text": Operation(NAME, writing("41 42".replace(" ", "")), ready=in_bytes(NAME, 9)),
    "overwrite a type": Operation(GOLD, writing("03"), ready=in_bytes(GOLD, 0)),
    "fill": Operation(NAME, asked("fill_bytes", "", "41"), ready=in_bytes(NAME, 8, 12), names=("fill_bytes",)),
    "paste over bytes": Operation(
        NAME, by("paste_bytes"), ready=both(in_bytes(NAME, 9), clip("42 43")), names=("paste_bytes",)
    ),
    "paste text over bytes": Operation(
        NAME, by("paste_text"), ready=both(in_bytes(NAME, 9), clip("bc")), names=("paste_text",)
    ),
    "insert bytes": Operation(
        NAME,
        asked("insert_bytes", "4", "41"),
        ready=in_bytes(NAME, 9),
        names=("insert_bytes",),
        breaks=True,
        raw=BARE,
        dialect="godot3",
    ),
    "type bytes in between": Operation(NAME, writing("41"), ready=in_bytes(NAME, 9, insert=True), **BROKEN),
    "delete bytes": Operation(
        NAME,
        by("delete_bytes"),
        ready=in_bytes(NAME, 9, 13),
        names=("delete_bytes",),
        breaks=True,
        raw=BARE,
        dialect="godot3",
    ),
    "delete the last bytes": Operation(LAST, by("delete_bytes"), ready=in_bytes(LAST, 4, 8), **BROKEN),
    "cut bytes": Operation(NAME, by("cut"), ready=in_bytes(NAME, 9, 13), **BROKEN),
    "mend": Operation(
        NAME,
        by("mend"),
        NAME,
        names=("mend",),
        ready=both(in_bytes(NAME, 9, insert=True), writing("41")),
        mends=("[0]", *OPEN),
        scrolls=True,
    ),
    "take objects out": Operation(
        "[0]",
        take_objects_out,
        moved={"[1]": ""},
        raw=OBJECTS,
        opened=(),
    ),
}
