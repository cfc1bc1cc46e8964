"""Every state of the main window that a save editor meets: more pictures for ``screenshots.py``.

Each state is a function that brings a `desk.Desk` there and takes one picture or several. What does not depend on the
size of the window stands in `desk_cards`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from desk import CTRL, Desk, Key, State, at
from desk_save import SAMPLE, desk_save, write_profile, write_versions
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from viewer.base import assets
from viewer.ui.hex.view import HexView
from viewer.ui.panels.find_field import FindField
from viewer.ui.panels.list_card import ListCard
from viewer.ui.panels.replace_bar import ReplaceBar
from viewer.ui.settings import Settings
from viewer.ui.sheets.sheet_pane import SheetPane
from viewer.ui.text.line_view import TextView
from viewer.ui.window.windows import Windows

ROOT = Path(__file__).parent.parent
CAPTURE = ROOT / "tests" / "data" / "network" / "packets" / "g4_enet_none.pcap"
NO_CAPTURE_FILTER = "size > big"
HALF = 0.5


def sample(desk: Desk, path: str = "") -> None:
    """The role-playing save."""
    desk.show(bytes(assets.data("samples", SAMPLE)), path, SAMPLE)


def full(desk: Desk, path: str = "") -> None:
    """The save with something of everything."""
    desk.show(desk_save(), path)


# Layouts


def layouts(desk: Desk) -> None:
    """Values alone, values and bytes, packets over both."""
    sample(desk, "[0].player.gold")
    for name in ("values", "both"):
        desk.do(f"arrange_{name}")
        desk.shoot(f"layout-{name}")


def packet_layout(desk: Desk) -> None:
    """A capture, its packets over values and bytes; a filter that cannot be read."""
    desk.window.show_for_picture(CAPTURE)
    desk.window.settle()
    desk.do("arrange_packets")
    packets = desk.window._packets._late.get()
    packets.pane.finish()
    packets.pane.table.choose(5)
    desk.shoot("layout-packets")
    packets.pane.title.filter.line.setText(NO_CAPTURE_FILTER)
    desk.settle(400)
    desk.shoot("packets-filter-wrong")


def columns(desk: Desk) -> None:
    """A column made wider, and one made narrow."""
    sample(desk, "[0].player.gold")
    header = desk.tree.header()
    header.resizeSection(0, round(header.sectionSize(0) * 1.5))
    desk.shoot("columns-widened")
    header.resizeSection(0, 60)
    desk.shoot("columns-narrow")


# Plain entry


def entry(desk: Desk) -> None:
    """A text, a number with arithmetic, a key and a wrong number while they are typed."""
    full(desk, "[0].name")
    desk.do("edit_value")
    desk.shoot("entry-text")
    desk.press(Key.Key_Escape)
    desk.go("[0].gold")
    desk.do("edit_value")
    desk.type("+25*4")
    desk.shoot("entry-arithmetic")
    desk.press(Key.Key_Escape)
    desk.do("edit_value")
    desk.type("12 pounds")
    desk.press(Key.Key_Return)
    desk.shoot("entry-error")
    desk.press(Key.Key_Escape)
    desk.do("rename_key")
    desk.shoot("entry-key")


def entry_long(desk: Desk) -> None:
    """A text of some lines in its row, and a value that is typed where any type may stand."""
    full(desk, "[0].motto")
    desk.do("edit_value")
    desk.shoot("entry-lines")
    desk.press(Key.Key_Escape)
    desk.go("[0].mixed[1]")
    desk.do("insert_after")
    for text in ("12", "true", "Mira"):
        field = desk.child(ListCard).field
        field.clear()
        QTest.keyClicks(field, text)
        desk.shoot(f"entry-untyped-{text.lower()}")


def entry_add(desk: Desk) -> None:
    """A field added like its neighbours, and an element of an array of dictionaries."""
    full(desk, "[0].foes[2]")
    desk.do("insert_after")
    desk.shoot("add-like-neighbours")
    desk.press(Key.Key_Return)
    desk.shoot("added-like-neighbours")


def entry_add_key(desk: Desk) -> None:
    """A pair put into a dictionary, while its key is typed."""
    full(desk, "[0].foes[1]")
    desk.do("insert_into")
    desk.shoot("add-into")
    desk.press(Key.Key_Return)
    desk.shoot("added-into")


# Tables


def table(desk: Desk) -> SheetPane:
    """The table of foes, some of which lack a key."""
    full(desk, "[0].foes")
    desk.do("table")
    return desk.child(SheetPane)


def tables(desk: Desk) -> None:
    """A table as it opens, with a cell in edit, a wrong one, sorted, filtered, turned, alone."""
    pane = table(desk)
    desk.shoot("table-missing-keys")
    desk.press(Key.Key_Right)
    desk.type("7")
    desk.shoot("table-cell")
    desk.type("+")
    desk.press(Key.Key_Return)
    desk.shoot("table-cell-wrong")
    desk.press(Key.Key_Escape)
    desk.do("table_sort")
    desk.shoot("table-sorted")
    desk.do("table_alone")
    desk.shoot("table-alone")
    desk.do("table_alone", "table_filter")
    desk.type("wolf")
    desk.settle(300)
    desk.shoot("table-filtered")
    assert pane.isVisible()


def table_parallel(desk: Desk) -> None:
    """Arrays of the same length as columns."""
    full(desk, "[0].stock")
    desk.do("table")
    desk.shoot("table-parallel")
    desk.do("table_swap")
    desk.shoot("table-swapped")


# Pictures, sparklines, hover


def pictures(desk: Desk) -> None:
    """A picture in the inspector, and over the bytes."""
    full(desk, "[0].portrait")
    desk.do("arrange_both")
    if not desk.window._parts.inspector.isVisible():
        desk.do("inspector")
    desk.settle(500)
    desk.shoot("picture-inspector")
    view = desk.child(HexView)
    view._show_card(desk.session.caret + 20)
    desk.settle(500)
    desk.shoot("picture-hover")


def hovers(desk: Desk) -> None:
    """The card that tells what a byte is for."""
    full(desk, "[0].gold")
    desk.do("arrange_both")
    view = desk.child(HexView)
    view._show_card(desk.session.caret + 9)
    desk.shoot("hover-card")


def sparklines(desk: Desk) -> None:
    """Small lines and colours in the rows of the tree."""
    full(desk, "[0].levels")
    desk.do("arrange_values")
    desk.shoot("sparklines")
    desk.go("[0].colours")
    desk.shoot("swatches")


# Search


def look_for(desk: Desk, text: str) -> FindField:
    """Type into the search."""
    desk.do("find")
    desk.type(text)
    find = desk.child(FindField)
    desk.wait(lambda: find.runner.is_complete)
    desk.settle(300)
    return find


def searches(desk: Desk) -> None:
    """The chips, hits with counts on closed branches, the list of them, nothing found, a wrong pattern."""
    full(desk, "[0].name")
    desk.do("arrange_values", "collapse_all", "expand_1", "find")
    desk.shoot("search-chips")
    look_for(desk, "gold")
    desk.shoot("search-hits")
    desk.press(Key.Key_Return)
    desk.do("find_list")
    desk.settle(300)
    desk.shoot("search-list")
    desk.do("find")
    desk.press(Key.Key_A, CTRL)
    look_for(desk, "xyzzy")
    desk.shoot("search-nothing")
    desk.press(Key.Key_A, CTRL)
    look_for(desk, "hex:zz")
    desk.shoot("search-wrong")


def replacing(desk: Desk) -> None:
    """What replaces what was found, in the list."""
    full(desk, "[0].name")
    desk.do("replace")
    desk.type("a")
    bar = desk.child(ReplaceBar)
    bar.field.line.setText("o")
    desk.wait(lambda: bar.replacer.sentence)
    desk.settle(800)
    desk.shoot("search-replace")


def filtering(desk: Desk) -> None:
    """Rows filtered, and a filter that nothing has."""
    full(desk, "[0].name")
    desk.do("filter")
    desk.type("gold")
    desk.settle(800)
    desk.shoot("filter-some")
    desk.press(Key.Key_A, CTRL)
    desk.type("xyzzy")
    desk.settle(800)
    desk.shoot("filter-none")


# Profiles


def profiles(desk: Desk) -> None:
    """What a profile says beside the values, the favourites over the tree, also in a table."""
    desk.window._files.open_sample(SAMPLE)
    desk.wait(lambda: desk.session.labels is not None)
    desk.go("[0].inventory[2].id")
    desk.settle(500)
    desk.shoot("profile-labels")
    desk.do("hidden_keys")
    desk.shoot("profile-hidden-keys")
    desk.do("table")
    desk.shoot("profile-table")


def profile_note(desk: Desk) -> None:
    """A number that the profile says is out of range, and a profile that is broken."""
    folder = assets.user_folder("profiles")
    try:
        write_profile(folder)
        desk.window._files.open_sample(SAMPLE)
        desk.wait(lambda: desk.session.labels is not None)
        desk.go("[0].player.gold")
        desk.settle(500)
        desk.shoot("profile-out-of-range")
        desk.session.show(None)
        write_profile(folder, is_broken=True)
        desk.window._files.open_sample(SAMPLE)
        desk.wait(lambda: desk.window._toast.part is not None and desk.window._toast.part.isVisible())
        desk.shoot("profile-broken")
    finally:
        (folder / "own.toml").unlink(missing_ok=True)


# Two sides


def split(desk: Desk) -> None:
    """A window of two sides, beside and below each other, with several tabs."""
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name) / each for each in ("hero.save", "backup of the hero from the long winter.save", "b.save")]
        for path in paths:
            path.write_bytes(assets.data("samples", SAMPLE))
        windows = Windows(Settings(), desk.controller)
        frame = windows.open()
        frame.active._offers = True  # nothing is offered here
        frame.resize(desk.window.size())
        frame.show()
        for path in paths:
            frame.active.open_path(path)
        frame.active.settle()
        desk.shoot("tabs", frame)
        for action in ("split_right", "close_split", "split_below"):
            frame.active.findChild(object, action).trigger()
            desk.settle(300)
            if action != "close_split":
                desk.shoot(action.replace("_", "-"), frame)
        for document in windows.documents():
            document.history.mark_saved()
        windows.quit()


# Trees


def deep(desk: Desk) -> None:
    """Forty levels, one of them alone, and moved sideways."""
    path = "[0].deep" + "[1]" * 38
    full(desk, path)
    desk.do("arrange_values")
    desk.shoot("deep")
    desk.tree.sideways.setValue(desk.tree.sideways.maximum())
    desk.shoot("deep-sideways")
    desk.go("[0].deep" + "[1]" * 30)
    desk.do("focus_branch")
    desk.shoot("deep-branch")


def branch(desk: Desk) -> None:
    """One branch alone."""
    sample(desk, "[0].player")
    desk.do("focus_branch")
    desk.shoot("branch")


# Cards in the window


def toasts(desk: Desk) -> None:
    """What was done, with Undo; a long sentence; the list of what was said."""
    full(desk, "[0].foes[3]")
    desk.do("delete")
    desk.shoot("toast-undo")
    desk.window._say(
        "“a save with a very long name that somebody gave it in the long winter.save” is not there any more: it was "
        "moved, renamed or deleted by another program. Save writes it again."
    )
    desk.shoot("toast-long")
    desk.do("messages")
    desk.shoot("messages")


def cards(desk: Desk) -> None:
    """The palette, the list of changes, the list of bookmarks, the types to choose from."""
    full(desk, "[0].gold")
    desk.do("palette")
    desk.shoot("card-palette")
    desk.type("move")
    desk.shoot("card-palette-typed")
    desk.press(Key.Key_Escape)
    desk.session.set_literal(desk.session.item, "7")
    desk.go("[0].foes[2]")
    desk.do("duplicate", "history")
    desk.shoot("card-history")
    desk.press(Key.Key_Escape)
    desk.do("bookmark", "bookmarks")
    desk.shoot("card-bookmarks")
    desk.press(Key.Key_Escape)
    desk.go("[0].notes[0]")
    desk.do("insert_after")
    desk.type("vec")
    desk.shoot("card-types")
    desk.press(Key.Key_Escape)
    desk.do("go_to")
    desk.type("[0].foes")
    desk.settle(300)
    desk.shoot("path-typed")


# Text


def text_entry(desk: Desk) -> None:
    """A text that is typed wrong, and its menu."""
    desk.show(b'{\n  "gold": 1.50,\n  "name": "Ada",\n  "list": [1, 2, 3]\n}\n', "[0].gold", "save.json")
    if not any(each.isVisible() for each in desk.window.findChildren(TextView)):
        desk.do("text")
    view = desk.child(TextView)
    view.setFocus()
    view.move_caret(view.offset_of(1, 12))
    desk.type("x")
    desk.settle(1500)
    desk.shoot("text-typed-wrong")
    if not desk.window._parts.inspector.isVisible():
        desk.do("inspector")
    desk.settle(300)
    desk.shoot("text-inspector")


def text_search(desk: Desk) -> None:
    """Hits in a text."""
    desk.show(ROOT / "tests" / "data" / "texts" / "godot4" / "everything.tres")
    look_for(desk, "a")
    desk.shoot("text-hits")


# What is wrong with a file


def banners(desk: Desk) -> None:
    """A file cut off, a file of nothing known, an empty file, a value out of other engines."""
    raw = bytes(assets.data("samples", SAMPLE))
    for name, data in (("cut-off", raw[: len(raw) // 2]), ("noise", bytes(range(256)) * 3), ("none", b"")):
        desk.show(data, name=f"{name}.save")
        desk.settle(600)
        desk.shoot(f"banner-{name}")
    desk.session.show(None)
    missing = Path("nowhere") / "gone.save"
    desk.asked("told-missing-file", lambda: desk.window.open_path(missing))


def problems(desk: Desk) -> None:
    """The list of what is wrong."""
    raw = bytes(assets.data("samples", SAMPLE))
    desk.show(raw.replace(b"\4\0\0\0gold", b"\4\0\0\1gold", 1))
    desk.do("problems") if not desk.window._parts.problems.isVisible() else None
    desk.settle(800)
    desk.shoot("problems")


def inside(desk: Desk) -> None:
    """A menu of what a byte array is read as, opened inside."""
    from desk_save import GODOT3, bag, encode, text, whole

    held = encode(bag(gold=whole(5), name=text("Ash")), GODOT3)
    from viewer.variant.value import Value

    raw = encode(bag(slot=Value("PoolByteArray", held), name=text("outer")), GODOT3)
    desk.show(len(raw).to_bytes(4, "little") + raw, "[0].slot")
    desk.do("look_inside")
    desk.settle(300)
    desk.shoot("inside")


# Windows that are as large as the main window lets them be


def timelines(desk: Desk) -> None:
    """The versions of a save, each page."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "fens.save"
        write_versions(path)
        desk.window.open_path(path)
        desk.do("timeline")
        found = desk.window._timelines.get()._shown
        assert found is not None
        found.resize(min(found.width(), desk.window.width()), min(found.height(), desk.window.height()))
        desk.settle(1500)
        for page in range(found.pages.count()):
            found.pages.setCurrentIndex(page)
            desk.settle(300)
            desk.shoot(f"timeline-{page}", found)
        desk.window._timelines.get().leave()
        found.close()


def menus_open(desk: Desk) -> None:
    """The longest menus have to fit a screen of the window's size: the menu of a row over the window."""
    sample(desk, "[0].player.gold")
    desk.menu("menu-row", lambda: desk.window._pop_up_tree(None, at(desk.tree, 200, 100)))
    hex_view = desk.window.findChild(HexView)
    desk.do("arrange_both")
    assert hex_view is not None
    QTest.mouseMove(hex_view.viewport(), QPoint(100, 100))
    desk.menu("menu-bytes", lambda: desk.window._menus.pop_up(_bytes_menu(), at(hex_view, 100, 50)))


def _bytes_menu() -> tuple[str | None, ...]:
    from viewer.ui.window.menus import BYTES

    return tuple(BYTES)


STATES: dict[str, State] = {
    "layouts": layouts,
    "packet-layout": packet_layout,
    "columns": columns,
    "entry": entry,
    "entry-long": entry_long,
    "entry-add": entry_add,
    "entry-add-key": entry_add_key,
    "tables": tables,
    "table-parallel": table_parallel,
    "pictures": pictures,
    "hovers": hovers,
    "sparklines": sparklines,
    "searches": searches,
    "replacing": replacing,
    "filtering": filtering,
    "profiles": profiles,
    "profile-note": profile_note,
    "split": split,
    "deep": deep,
    "branch": branch,
    "toasts": toasts,
    "cards": cards,
    "text-entry": text_entry,
    "text-search": text_search,
    "banners": banners,
    "problems": problems,
    "inside": inside,
    "timelines": timelines,
    "menus-open": menus_open,
}
