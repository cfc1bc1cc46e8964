"""Rows, elements and bytes edited in Godot 4's dialect: Godot 4.6 reads what was intended, and all else as before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from document.engine4_save import (
    BAG,
    HERO,
    ITEMS,
    LOOSE,
    OBJECTS,
    PACKED,
    THINGS,
    TYPED,
    Case,
    Place,
    Save,
    at,
)
from engine4 import Json

from viewer.base.span import Span
from viewer.document.bulk import plan as bulk_plan
from viewer.document.document import Document
from viewer.document.edits.fragment import Fragment, encoded, taken, written
from viewer.document.edits.length_fixups import UnfixedEdits, mend
from viewer.document.edits.packed import Changes, change_elements, delete_elements, insert_elements, set_elements
from viewer.document.edits.packed import replace_bytes as replace_contents
from viewer.document.edits.raw_bytes import insert_bytes, overwrite, remove_bytes
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import Slot, inside, slot_of
from viewer.document.edits.structure import delete, duplicate, insert, move, shift, sort_keys
from viewer.document.export.forms import recognise
from viewer.document.export.forms.recognising import decode
from viewer.document.path import parse_path
from viewer.document.searching.query import parse_query
from viewer.document.searching.replace import plan_replace
from viewer.document.searching.search import find_all
from viewer.document.splice import Edit
from viewer.variant.items import Item

pytestmark = pytest.mark.engine4


# Structure


def before_row(place: Place) -> Callable[[Document], Slot]:
    return lambda d: slot_of(d, at(d, *place))


def end_of(place: Place) -> Callable[[Document], Slot]:
    return lambda d: inside(d, at(d, *place))


def inserted(slot: Callable[[Document], Slot], *texts: str, key: str = "", then: dict[Place, str | Json]) -> Case:
    return Case(lambda d: insert(d, slot(d), [written(d, text, key) for text in texts]), then)


def done(make: Callable[[Document, list[Item]], Edit], *places: Place, then: dict[Place, str | Json]) -> Case:
    return Case(lambda d: make(d, [at(d, *place) for place in places]), then)


STRUCTURE = {
    "insert at the beginning": inserted(
        before_row((*ITEMS, 0)), "0", then={ITEMS: '[0, 1, "two", [3], {"four": 4}, null, &"six", 7.5]'}
    ),
    "insert two at the end": inserted(
        end_of(ITEMS), "[]", "{}", then={ITEMS: '[1, "two", [3], {"four": 4}, null, &"six", 7.5, [], {}]'}
    ),
    "insert a pair": inserted(
        end_of(THINGS), "0.1", key='"bag"', then={THINGS: '{"sword": 1, "axe": 2, "bow": 3, "bag": 0.1}'}
    ),
    "insert a pair with a key of another type": inserted(
        before_row((*THINGS, "axe")),
        "0",
        key="Vector2i(1, 2)",
        then={THINGS: '{"sword": 1, Vector2i(1, 2): 0, "axe": 2, "bow": 3}'},
    ),
    "insert into an empty typed array": inserted(
        end_of((*TYPED, "none")), "5", then={(*TYPED, "none"): "Array[int]([5])"}
    ),
    "insert into an array of texts": inserted(
        end_of((*TYPED, "names")), '"def"', then={(*TYPED, "names"): 'Array[String](["a", "bc", "def"])'}
    ),
    "insert a name into an array of texts": inserted(
        end_of((*TYPED, "names")), '&"def"', then={(*TYPED, "names"): 'Array[String](["a", "bc", "def"])'}
    ),
    "insert a text into an array of names": inserted(
        end_of((*TYPED, "tags")), '"z"', then={(*TYPED, "tags"): 'Array[StringName]([&"x", &"y", &"z"])'}
    ),
    "insert a whole number into an array of floats": inserted(
        end_of((*TYPED, "floats")), "3", then={(*TYPED, "floats"): "Array[float]([0.5, 1.5, 3.0])"}
    ),
    "insert an array into an array of arrays": inserted(
        before_row((*TYPED, "lists", 1)), "[0]", then={(*TYPED, "lists"): 'Array[Array]([[1], [0], ["two"]])'}
    ),
    "insert a dictionary into an array of dictionaries": inserted(
        end_of((*TYPED, "maps")), '{"b": 2}', then={(*TYPED, "maps"): 'Array[Dictionary]([{"a": 1}, {"b": 2}])'}
    ),
    "insert a vector into an array of vectors": inserted(
        before_row((*TYPED, "spots", 0)),
        "Vector2(9, 9)",
        then={(*TYPED, "spots"): "Array[Vector2]([Vector2(9, 9), Vector2(1, 2), Vector2(3, 4)])"},
    ),
    "insert packed bytes into an array of them": inserted(
        end_of((*TYPED, "blobs")),
        "PackedByteArray(7)",
        then={(*TYPED, "blobs"): 'Array[PackedByteArray]([PackedByteArray("AQI="), PackedByteArray("Bw==")])'},
    ),
    "insert a pair into a typed dictionary": inserted(
        end_of((*TYPED, "counts")),
        "3",
        key='"c"',
        then={(*TYPED, "counts"): 'Dictionary[String, int]({"a": 1, "b": 2, "c": 3})'},
    ),
    "insert a pair whose key becomes a name": inserted(
        end_of((*TYPED, "flags")),
        "false",
        key='"won"',
        then={(*TYPED, "flags"): 'Dictionary[StringName, bool]({&"met": true, &"won": false})'},
    ),
    "insert a pair without a key into a dictionary of numbers": inserted(
        end_of((*TYPED, "byid")),
        '"nine"',
        then={(*TYPED, "byid"): 'Dictionary[int, Variant]({7: "seven", 8: [8], 2: "nine"})'},
    ),
    "insert a pair with a vector for its key": inserted(
        end_of((*TYPED, "tiles")),
        '"sand"',
        key="Vector2i(5, 5)",
        then={(*TYPED, "tiles"): 'Dictionary[Vector2i, String]({Vector2i(0, 1): "grass", Vector2i(5, 5): "sand"})'},
    ),
    "insert an object into an array of a class": Case(
        lambda d: insert(d, end_of((*OBJECTS, "nodes"))(d), [taken(d, at(d, *OBJECTS, "object"))]),
        {
            (*OBJECTS, "nodes"): {
                "Array": [{"Object": "1"}, {"Object": "2"}, {"Object": "77"}],
                "of": "EncodedObjectAsID",
            }
        },
    ),
    "delete an element": done(delete, (*ITEMS, 1), then={ITEMS: '[1, [3], {"four": 4}, null, &"six", 7.5]'}),
    "delete several, here and there": done(
        delete,
        (*ITEMS, 0),
        (*ITEMS, 6),
        (*THINGS, "axe"),
        then={ITEMS: '["two", [3], {"four": 4}, null, &"six"]', THINGS: '{"sword": 1, "bow": 3}'},
    ),
    "delete the only pair": done(delete, (*TYPED, "maps", 0, "a"), then={(*TYPED, "maps", 0): "{}"}),
    "delete from a typed array": done(
        delete, (*TYPED, "ints", 0), (*TYPED, "ints", 2), then={(*TYPED, "ints"): "Array[int]([2])"}
    ),
    "delete from a typed dictionary": done(
        delete, (*TYPED, "counts", "a"), then={(*TYPED, "counts"): 'Dictionary[String, int]({"b": 2})'}
    ),
    "delete all elements of a typed array": done(
        delete, (*TYPED, "cells", 0), then={(*TYPED, "cells"): "Array[Vector2i]([])"}
    ),
    "double an element": done(
        duplicate, (*ITEMS, 3), then={ITEMS: '[1, "two", [3], {"four": 4}, {"four": 4}, null, &"six", 7.5]'}
    ),
    "double a pair": done(duplicate, (*THINGS, "axe"), then={THINGS: '{"sword": 1, "axe": 2, "axe2": 2, "bow": 3}'}),
    "double a pair with a number for its key": done(
        duplicate,
        (*TYPED, "byid", 7),
        then={(*TYPED, "byid"): 'Dictionary[int, Variant]({7: "seven", 9: "seven", 8: [8]})'},
    ),
    "double an element of a typed array": done(
        duplicate, (*TYPED, "names", 1), then={(*TYPED, "names"): 'Array[String](["a", "bc", "bc"])'}
    ),
    "move up": Case(
        lambda d: shift(d, [at(d, *ITEMS, 2)], -1), {ITEMS: '[1, [3], "two", {"four": 4}, null, &"six", 7.5]'}
    ),
    "move a pair down": Case(
        lambda d: shift(d, [at(d, *THINGS, "sword")], 1), {THINGS: '{"axe": 2, "sword": 1, "bow": 3}'}
    ),
    "move to the front": Case(
        lambda d: move(d, [at(d, *TYPED, "ints", 2)], slot_of(d, at(d, *TYPED, "ints", 0))),
        {(*TYPED, "ints"): "Array[int]([3, 1, 2])"},
    ),
    "move a pair into an array": Case(
        lambda d: move(d, [at(d, *TYPED, "table", "a")], inside(d, at(d, *LOOSE))),
        {(*TYPED, "table"): '{"b": 2}', LOOSE: "[1, 2, 1]"},
    ),
    "move an element into a typed dictionary": Case(
        lambda d: move(d, [at(d, *LOOSE, 0)], inside(d, at(d, *TYPED, "counts"))),
        {LOOSE: "[2]", (*TYPED, "counts"): 'Dictionary[String, int]({"a": 1, "b": 2, "new": 1})'},
    ),
    "move into another frame": Case(
        lambda d: move(d, [at(d, *ITEMS, 0)], inside(d, at(d, *TYPED, "none"))),
        {ITEMS: '["two", [3], {"four": 4}, null, &"six", 7.5]', (*TYPED, "none"): "Array[int]([1])"},
    ),
    "move an element into a packed array": Case(
        lambda d: move(d, [at(d, *LOOSE, 1)], inside(d, at(d, *PACKED, "ints"))),
        {LOOSE: "[1]", (*PACKED, "ints"): "PackedInt32Array(1, -2, 3, 2)"},
    ),
    "sort keys": Case(lambda d: sort_keys(d, at(d, *THINGS)), {THINGS: '{"axe": 2, "bow": 3, "sword": 1}'}),
    "sort the keys of a save": Case(
        lambda d: sort_keys(d, at(d, *TYPED, "held")),
        {(*TYPED, "held"): 'Dictionary[Variant, float]({2: 1.5, "x": 0.5})'},
    ),
}

# Packed arrays

SPOTS = (*PACKED, "spots")
GRID = {
    "a byte": Case(
        lambda d: set_elements(d, at(d, *PACKED, "bytes"), {4: 255}),
        {(*PACKED, "bytes"): 'PackedByteArray("AQIDBP8=")'},
    ),
    "bytes go": Case(
        lambda d: delete_elements(d, at(d, *PACKED, "bytes"), [range(1, 4)]),
        {(*PACKED, "bytes"): 'PackedByteArray("AQU=")'},
    ),
    "bytes are replaced": Case(
        lambda d: replace_contents(d, at(d, *PACKED, "bytes"), b"\xff\x00"),
        {(*PACKED, "bytes"): 'PackedByteArray("/wA=")'},
    ),
    "numbers come": Case(
        lambda d: insert_elements(d, at(d, *PACKED, "ints"), 1, [7, 8]),
        {(*PACKED, "ints"): "PackedInt32Array(1, 7, 8, -2, 3)"},
    ),
    "long numbers": Case(
        lambda d: set_elements(d, at(d, *PACKED, "longs"), {0: -(1 << 63)}),
        {(*PACKED, "longs"): "PackedInt64Array(-9223372036854775808, 5000000000)"},
    ),
    "reals": Case(
        lambda d: insert_elements(d, at(d, *PACKED, "reals"), 3, [0.1]),
        {(*PACKED, "reals"): "PackedFloat32Array(0.5, 1.5, 2.5, 0.1)"},
    ),
    "doubles": Case(
        lambda d: set_elements(d, at(d, *PACKED, "doubles"), {1: 1e-300}),
        {(*PACKED, "doubles"): "PackedFloat64Array(0.1, 1e-300)"},
    ),
    "a text": Case(
        lambda d: set_elements(d, at(d, *PACKED, "texts"), {1: "zwölf"}),
        {(*PACKED, "texts"): 'PackedStringArray("one", "zwölf", "drei")'},
    ),
    "texts come and go": Case(
        lambda d: change_elements(d, at(d, *PACKED, "texts"), Changes({}, ((3, ("x", "")),), (range(1),))),
        {(*PACKED, "texts"): 'PackedStringArray("", "drei", "x", "")'},
    ),
    "points": Case(
        lambda d: insert_elements(d, at(d, *SPOTS), 0, [(9.0, 8.0)]), {SPOTS: "PackedVector2Array(9, 8, 1, 2, 3, 4)"}
    ),
    "places": Case(
        lambda d: delete_elements(d, at(d, *PACKED, "places"), [range(1)]),
        {(*PACKED, "places"): "PackedVector3Array(4, 5, 6)"},
    ),
    "colours": Case(
        lambda d: set_elements(d, at(d, *PACKED, "skins"), {1: (0.5, 0.5, 0.5, 0.5)}),
        {(*PACKED, "skins"): "PackedColorArray(1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5)"},
    ),
    "four numbers": Case(
        lambda d: delete_elements(d, at(d, *PACKED, "fours"), [range(2)]), {(*PACKED, "fours"): "PackedVector4Array()"}
    ),
    "one number of a point": Case(
        lambda d: set_literal(d, parse_path(d, "[3].spots[1]"), "(5, 6)"), {SPOTS: "PackedVector2Array(1, 2, 5, 6)"}
    ),
    "a row is moved": Case(
        lambda d: move(d, [parse_path(d, "[3].texts[2]")], slot_of(d, parse_path(d, "[3].texts[0]"))),
        {(*PACKED, "texts"): 'PackedStringArray("drei", "one", "")'},
    ),
    "a row is doubled": Case(
        lambda d: duplicate(d, [parse_path(d, "[3].longs[1]")]),
        {(*PACKED, "longs"): "PackedInt64Array(1, 5000000000, 5000000000)"},
    ),
}

# Many at once, and pasted


def bulk(rule: str, then: dict[Place, str | Json]) -> Case:
    def edit(document: Document) -> Edit:
        found = bulk_plan(document, rule).edit
        assert found is not None
        return found

    return Case(edit, then)


def found_and_replaced(query: str, new: str, then: dict[Place, str | Json]) -> Case:
    def edit(document: Document) -> Edit:
        wanted = parse_query(query, True)
        found = plan_replace(document, [hit.span for hit in find_all(document, wanted)], wanted, new).edit
        assert found is not None
        return found

    return Case(edit, then)


def pasted(text: str, slot: Callable[[Document], Slot], then: dict[Place, str | Json]) -> Case:
    def edit(document: Document) -> Edit:
        return insert(document, slot(document), [_recognised(document, text)], "Paste", lost=[])

    return Case(edit, then)


def _recognised(document: Document, text: str) -> Fragment:
    found = recognise(text, document.dialect, document.precision)
    value = decode(found.content, document.dialect) if isinstance(found.content, bytes) else found.content
    return encoded(value, found.dialect, document.precision)


MANY = {
    "bulk: numbers of a dictionary": bulk(
        "[1].things.* -> value * 10", {THINGS: '{"sword": 10, "axe": 20, "bow": 30}'}
    ),
    "bulk: a typed array": bulk(
        "[2].ints[*] -> value + 4000000000", {(*TYPED, "ints"): "Array[int]([4000000001, 4000000002, 4000000003])"}
    ),
    "bulk: texts": bulk('[2].names[*] -> value + "!"', {(*TYPED, "names"): 'Array[String](["a!", "bc!"])'}),
    "bulk: with a condition": bulk("[1].things.* > 1 -> 99", {THINGS: '{"sword": 1, "axe": 99, "bow": 99}'}),
    "bulk: floats keep their type": bulk("[2].floats[*] -> 7", {(*TYPED, "floats"): "Array[float]([7.0, 7.0])"}),
    "bulk: values of a typed dictionary": bulk(
        "[2].counts.* -> 0", {(*TYPED, "counts"): 'Dictionary[String, int]({"a": 0, "b": 0})'}
    ),
    "replace: in a text": found_and_replaced("ranger", "a wizard of old", {(*HERO, "title"): '&"a wizard of old"'}),
    "replace: in packed texts": found_and_replaced(
        "drei", "3", {(*PACKED, "texts"): 'PackedStringArray("one", "", "3")'}
    ),
    "replace: a key": found_and_replaced("sword", "blade", {THINGS: '{"blade": 1, "axe": 2, "bow": 3}'}),
    "replace: a number": found_and_replaced("137", "138", {(*HERO, "gold"): "138"}),
    "paste: a literal of Godot 3": pasted(
        "Quat( 0, 0, 0, 1 )", end_of(LOOSE), {LOOSE: "[1, 2, Quaternion(0, 0, 0, 1)]"}
    ),
    "paste: a pool array of Godot 3": pasted(
        "PoolIntArray( 1, 2 )", end_of(LOOSE), {LOOSE: "[1, 2, PackedInt32Array(1, 2)]"}
    ),
    "paste: JSON of the engine": pasted(
        '{"type":"Vector2i","args":[1,2]}', end_of(LOOSE), {LOOSE: "[1, 2, Vector2i(1, 2)]"}
    ),
    "paste: plain JSON": pasted(
        '{"a": [1, true, null, "x"]}', end_of(LOOSE), {LOOSE: '[1, 2, {"a": [1, true, null, "x"]}]'}
    ),
    "paste: hex of a value": pasted("02000000 07000000", end_of(LOOSE), {LOOSE: "[1, 2, 7]"}),
    "paste: a literal into a typed array": pasted(
        "[5]", end_of((*TYPED, "lists")), {(*TYPED, "lists"): 'Array[Array]([[1], ["two"], [5]])'}
    ),
}

# Bytes


def raw(*steps: Callable[[Document], Edit], then: dict[Place, str | Json]) -> Case:
    """Edits of bytes, and then the one that makes the lengths true again, as one edit."""

    def edit(document: Document) -> Edit:
        wound, splices = UnfixedEdits(), []
        for step in steps:
            found = step(document)
            for splice in found.splices:
                wound = wound.before(document, splice)
            change = document.apply(found)
            wound = wound.after(change.splices)
            splices += list(found.splices)
        mending = mend(document, wound)
        splices += list(mending.splices) if mending is not None else []
        for _ in steps:
            document.undo()
        return Edit("bytes", tuple(splices))

    return Case(edit, then)


def content(document: Document, text: str) -> int:
    """Where the bytes of a text that is in the file once begin."""
    data = bytes(document.buffer[:])
    assert data.count(text.encode()) == 1
    return data.index(text.encode())


def value_start(document: Document, text: str) -> int:
    item = parse_path(document, text)
    frame = document.frames[item.frame]
    return frame.start + frame.table.start[item.node]


BYTES = {
    "over the bytes of a number": raw(
        lambda d: overwrite(d, value_start(d, "[0].gold") + 4, b"\x07\0\0\0"), then={(*HERO, "gold"): "7"}
    ),
    "over a text": raw(
        lambda d: overwrite(d, content(d, "bottom"), b"BOTTOM"),
        then={(*BAG, "deep", 0, 0, 0, 0, 0, "a", 1, 1, 1, "b", "c"): '"BOTTOM"'},
    ),
    "into a text": raw(
        lambda d: insert_bytes(d, content(d, "ranger") + 3, b"-a long-"), then={(*HERO, "title"): '&"ran-a long-ger"'}
    ),
    "out of a text": raw(
        lambda d: remove_bytes(d, Span(content(d, "ranger"), content(d, "ranger") + 5)),
        then={(*HERO, "title"): '&"r"'},
    ),
    "into a text of a packed array": raw(
        lambda d: insert_bytes(d, content(d, "drei") + 4, b"zehn"),
        then={(*PACKED, "texts"): 'PackedStringArray("one", "", "dreizehn")'},
    ),
    "into packed bytes": raw(
        lambda d: insert_bytes(d, value_start(d, "[3].bytes") + 8, b"\xff\xff"),
        then={(*PACKED, "bytes"): 'PackedByteArray("//8BAgMEBQ==")'},
    ),
    "out of packed numbers": raw(
        lambda d: remove_bytes(d, Span(value_start(d, "[3].ints") + 8, value_start(d, "[3].ints") + 12)),
        then={(*PACKED, "ints"): "PackedInt32Array(-2, 3)"},
    ),
    "into two texts, one after the other": raw(
        lambda d: insert_bytes(d, content(d, "sword"), b"long"),
        lambda d: insert_bytes(d, content(d, "ranger"), b"st"),
        then={(*HERO, "title"): '&"stranger"', THINGS: '{"longsword": 1, "axe": 2, "bow": 3}'},
    ),
}

GROUPS = {"structure": STRUCTURE, "packed": GRID, "many": MANY, "bytes": BYTES}
CASES = [pytest.param(case, id=f"{group}: {name}") for group, cases in GROUPS.items() for name, case in cases.items()]


@pytest.mark.parametrize("case", CASES)
def test_the_engine_reads_what_was_intended(save4: Save, case: Case) -> None:
    save4.check(case)
