"""Values set, renamed and retyped in Godot 4's dialect: Godot 4.6 reads what was intended, and all else as before."""

from __future__ import annotations

import pytest
from document.engine4_save import (
    BAG,
    HERO,
    ITEMS,
    LOOSE,
    OBJECTS,
    PACKED,
    TYPED,
    Case,
    Place,
    Save,
    at,
)
from engine4 import Json, Request

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.edits.fragment import taken
from viewer.document.edits.retype import ContentPart, retype, retype_offers, set_element_type
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.variant.items import Item
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import ElementType

pytestmark = pytest.mark.engine4


def key_at(document: Document, text: str) -> Item:
    """The key of a pair, by the path of its value."""
    found = parse_path(document, text)
    return Item(found.frame, found.node - 1)


# Values


def assigned(place: Place, ours: str, then: str | Json = None) -> Case:
    """A value set to a literal; the engine's own text for it where that is another one."""
    return Case(lambda d: set_literal(d, at(d, *place), ours), {place: ours if then is None else then})


NUMBERS = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16"


def _counting(name: str, count: int) -> str:
    return f"{name}({', '.join(NUMBERS.split(', ')[:count])})"


OF_EACH_TYPE: dict[str, tuple[tuple[Place, str], ...]] = {
    "bool": (((*HERO, "dead"), "true"),),
    "int": (
        *tuple(
            ((*HERO, "gold"), text)
            for text in (
                "0",
                "-7",
                "2147483647",
                "2147483648",
                "-2147483649",
                "9223372036854775807",
                "-9223372036854775808",
            )
        ),
        ((*HERO, "much"), "5"),
    ),
    "float": tuple(((*HERO, "hp"), text) for text in ("0.1", "1e300", "-2.5", "0.0", "16777217.0", "inf")),
    "String": tuple(
        ((*HERO, "name"), text) for text in ('""', '"abc"', '"abcd"', '"Zoë says \\"hi\\"\\n漢字 😀"', '"\\t\\\\ /"')
    ),
    "Vector2": (((*HERO, "spot"), "Vector2(-1.5, 0.1)"),),
    "Vector2i": (((*HERO, "cell"), "Vector2i(2147483647, -2147483648)"),),
    "Rect2": (((*HERO, "area"), "Rect2(0.5, 1, -2, 4)"),),
    "Rect2i": (((*HERO, "block"), "Rect2i(-1, 2, 30, 4)"),),
    "Vector3": (((*HERO, "place"), "Vector3(0.1, 0.2, 0.3)"),),
    "Vector3i": (((*HERO, "voxel"), "Vector3i(9, 8, 7)"),),
    "Transform2D": (((*HERO, "turn"), _counting("Transform2D", 6)),),
    "Vector4": (((*HERO, "four"), "Vector4(4, 3, 2, 1)"),),
    "Vector4i": (((*HERO, "whole"), "Vector4i(4, 3, 2, 1)"),),
    "Plane": (((*HERO, "floor"), "Plane(1, 0, 0, -5)"),),
    "Quaternion": (((*HERO, "spin"), "Quaternion(0, 0, 0, 1)"),),
    "AABB": (((*HERO, "box"), "AABB(6, 5, 4, 3, 2, 1)"),),
    "Basis": (((*HERO, "base"), _counting("Basis", 9)),),
    "Transform3D": (((*HERO, "pose"), _counting("Transform3D", 12)),),
    "Projection": (((*HERO, "lens"), _counting("Projection", 16)),),
    "Color": (((*HERO, "skin"), "Color(0.25, 1.5, 0, 1)"),),
    "StringName": (((*HERO, "title"), '&"Knight of Ä"'), ((*HERO, "title"), '&""')),
    "NodePath": tuple(
        ((*HERO, "target"), f'NodePath("{text}")') for text in ("", ".", "../Boss:hp", "/root", "a/b/c:d:e", ":x:y")
    ),
    "RID": (((*HERO, "rid"), "RID()"),),
    "Dictionary": (
        ((*BAG, "things"), "{}"),
        ((*BAG, "things"), '{"k": [1, 2.5, null], 7: Vector2(1, 2), &"n": {}}'),
        ((*TYPED, "counts"), 'Dictionary[String, int]({"c": 3})'),
    ),
    "Array": (
        ((*BAG, "items"), "[]"),
        ((*BAG, "items"), '[1, "two", [3], {"four": 4}, &"five", NodePath("six"), 7.5, null, true]'),
        ((*TYPED, "ints"), "Array[int]([])"),
        ((*TYPED, "lists"), "Array[Array]([[], [1, [2]]])"),
    ),
    "PackedByteArray": (((*PACKED, "bytes"), 'PackedByteArray("")'), ((*PACKED, "bytes"), 'PackedByteArray("/wA=")')),
    "PackedInt32Array": (((*PACKED, "ints"), "PackedInt32Array(7, -2147483648)"),),
    "PackedInt64Array": (((*PACKED, "longs"), "PackedInt64Array(-9223372036854775808, 9223372036854775807)"),),
    "PackedFloat32Array": (((*PACKED, "reals"), "PackedFloat32Array(0.1, -0.5)"),),
    "PackedFloat64Array": (((*PACKED, "doubles"), "PackedFloat64Array(1e300, 0.1, 3)"),),
    "PackedStringArray": (((*PACKED, "texts"), 'PackedStringArray("", "é", "abc", "abcd")'),),
    "PackedVector2Array": (((*PACKED, "spots"), "PackedVector2Array(0.1, 0.2)"),),
    "PackedVector3Array": (((*PACKED, "places"), "PackedVector3Array(1, 0, 1)"),),
    "PackedColorArray": (((*PACKED, "skins"), "PackedColorArray(0.25, 0.5, 0.75, 1)"),),
    "PackedVector4Array": (((*PACKED, "fours"), "PackedVector4Array(4, 3, 2, 1)"),),
}
SET = {f"{name}: {'.'.join(map(str, place))} = {text}": assigned(place, text)
       for name, tries in OF_EACH_TYPE.items() for place, text in tries
       if text != "RID()"}  # fmt: skip
SET |= {f"a value of any type where there was nothing: {tries[-1][1]}": assigned((*HERO, "pet"), tries[-1][1])
        for name, tries in OF_EACH_TYPE.items()}  # fmt: skip
SET |= {
    # the engine reads no number below 1e-307 from a text, so it is asked for the bits
    "the smallest float": assigned((*HERO, "hp"), "5e-324", {"float": "0100000000000000"}),
    "a negative zero": assigned((*HERO, "hp"), "-0.0", {"float": "00000080"}),
    "one number of a vector": Case(
        lambda d: set_literal(d, parse_path(d, "[0].place.y"), "-0.5"),
        {(*HERO, "place"): "Vector3(1, -0.5, 3)"},
    ),
    "one number of a matrix": Case(
        lambda d: set_literal(d, parse_path(d, "[0].pose.origin.z"), "99"),
        {(*HERO, "pose"): "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 7, 8, 99)"},
    ),
    "at the bottom": assigned((*BAG, "deep", 0, 0, 0, 0, 0, "a", 1, 1, 1, "b", "c"), '"top"'),
    "the id of an object": Case(
        lambda d: set_literal(d, parse_path(d, "[4].object.id"), "123456789012"),
        {(*OBJECTS, "object"): {"Object": "123456789012"}},
    ),
    "an object becomes null": Case(
        lambda d: set_literal(d, parse_path(d, "[4].object.id"), "0"), {(*OBJECTS, "object"): {"Object": None}}
    ),
    "the id of an RID": Case(
        lambda d: set_literal(d, parse_path(d, "[4].rid.id"), "9"), {(*OBJECTS, "rid"): {"RID": "0900000000000000"}}
    ),
    "the name of a signal": Case(
        lambda d: set_literal(d, parse_path(d, "[4].signal.name"), '"hit"'),
        {(*OBJECTS, "signal"): {"Signal": "03000000686974000000000000000000"}},
    ),
    "an object in an array of a class": Case(
        lambda d: set_literal(d, parse_path(d, "[4].nodes[1].id"), "8"), {(*OBJECTS, "nodes", 1): {"Object": "8"}}
    ),
}

# Keys

KEYS = {
    "5": '"int"', '"text"': '"String"', '&"name"': '"StringName"', "0.5": '"float"', "true": '"bool"',
    "Vector2i(1, 2)": '"Vector2i"', "[1, 2]": '"Array"', "null": '"Nil"', 'NodePath("a/b")': '"NodePath"',
    "{1: 2}": '"Dictionary"',
}  # fmt: skip


def renamed(segment: str, old: str, new: str) -> Case:
    pairs = [f"{new if key == old else key}: {value}" for key, value in KEYS.items()]
    return Case(
        lambda d: set_literal(d, key_at(d, f"[1].keys{segment}"), new),
        {(*BAG, "keys"): "{" + ", ".join(pairs) + "}"},
    )


RENAMED = {
    "a number": renamed("[5]", "5", "6"),
    "a number becomes a text": renamed("[5]", "5", '"five"'),
    "a text": renamed(".text", '"text"', '"a longer text"'),
    "a text becomes a number": renamed(".text", '"text"', "-1"),
    "a name": renamed('[&"name"]', '&"name"', '&"n"'),
    "a float": renamed("[0.5]", "0.5", "0.25"),
    "a truth": renamed("[true]", "true", "false"),
    "a vector": renamed("[Vector2i(1, 2)]", "Vector2i(1, 2)", "Vector2i(3, 4)"),
    "an array": renamed("[[1, 2]]", "[1, 2]", "[1, 2, 3]"),
    "nothing": renamed("[null]", "null", '"was nothing"'),
    "a dictionary": renamed("[{1: 2}]", "{1: 2}", '{"x": {}}'),
    "of a typed dictionary": Case(
        lambda d: set_literal(d, key_at(d, "[2].counts.a"), '"z"'),
        {(*TYPED, "counts"): 'Dictionary[String, int]({"z": 1, "b": 2})'},
    ),
    "a vector of a typed dictionary": Case(
        lambda d: set_literal(d, key_at(d, "[2].tiles[Vector2i(0, 1)]"), "Vector2i(7, 7)"),
        {(*TYPED, "tiles"): 'Dictionary[Vector2i, String]({Vector2i(7, 7): "grass"})'},
    ),
}

# Types


def retyped(place: Place, target: str, then: str) -> Case:
    return Case(lambda d: retype(d, at(d, *place), target).edit, {place: then})


RETYPED = {
    f"{'.'.join(map(str, place))} to {target}": retyped(place, target, then)
    for place, target, then in (
        ((*HERO, "gold"), "String", '"137"'),
        ((*HERO, "gold"), "float", "137.0"),
        ((*HERO, "gold"), "bool", "true"),
        ((*HERO, "gold"), "StringName", '&"137"'),
        ((*HERO, "much"), "float", "5000000000.0"),
        ((*HERO, "much"), "Nil", "null"),
        ((*HERO, "name"), "StringName", '&"Zoë"'),
        ((*HERO, "name"), "NodePath", 'NodePath("Zoë")'),
        ((*HERO, "name"), "PackedByteArray", 'PackedByteArray("Wm/Dqw==")'),
        ((*HERO, "title"), "String", '"ranger"'),
        ((*HERO, "target"), "String", '"/root/A/B:position:x"'),
        ((*HERO, "dead"), "int", "0"),
        ((*HERO, "dead"), "String", '"false"'),
        ((*HERO, "spot"), "Vector2i", "Vector2i(1, 2)"),
        ((*HERO, "cell"), "Vector2", "Vector2(3, -4)"),
        ((*HERO, "area"), "Rect2i", "Rect2i(1, 2, 3, 4)"),
        ((*HERO, "place"), "Vector3i", "Vector3i(1, 2, 3)"),
        ((*HERO, "four"), "Vector4i", "Vector4i(1, 2, 3, 4)"),
        ((*HERO, "skin"), "PackedFloat32Array", "PackedFloat32Array(1, 0.5, 0.25, 1)"),
        ((*HERO, "spot"), "PackedVector2Array", "PackedVector2Array(1, 2)"),
        ((*TYPED, "ints"), "PackedInt32Array", "PackedInt32Array(1, 2, 3)"),
        ((*TYPED, "ints"), "PackedInt64Array", "PackedInt64Array(1, 2, 3)"),
        ((*TYPED, "names"), "PackedStringArray", 'PackedStringArray("a", "bc")'),
        (LOOSE, "PackedFloat64Array", "PackedFloat64Array(1, 2)"),
        ((*PACKED, "reals"), "PackedFloat64Array", "PackedFloat64Array(0.5, 1.5, 2.5)"),
        ((*PACKED, "longs"), "Array", "[1, 5000000000]"),
        ((*HERO, "pet"), "Dictionary", "{}"),
        ((*HERO, "pet"), "Basis", "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)"),
        ((*HERO, "pet"), "Projection", "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)"),
        (ITEMS, "Nil", "null"),
    )
}


def held(place: Place, which: ContentPart, builtin: int | None, then: str) -> Case:
    element = None if builtin is None else ElementType(builtin=builtin)
    return Case(lambda d: set_element_type(d, at(d, *place), which, element), {place: then})


ELEMENT_TYPES = {
    "an array says that it holds numbers": held(LOOSE, ContentPart.ELEMENT, 2, "Array[int]([1, 2])"),
    "an array says it no more": held((*TYPED, "spots"), ContentPart.ELEMENT, None, "[Vector2(1, 2), Vector2(3, 4)]"),
    "an empty array holds vectors": held((*TYPED, "none"), ContentPart.ELEMENT, 9, "Array[Vector3]([])"),
    "a dictionary says what its keys are": held(
        (*TYPED, "table"), ContentPart.KEY, 4, 'Dictionary[String, Variant]({"a": 1, "b": 2})'
    ),
    "a dictionary says what its values are": held(
        (*TYPED, "table"), ContentPart.VALUE, 2, 'Dictionary[Variant, int]({"a": 1, "b": 2})'
    ),
    "a dictionary says no more what its keys are": held(
        (*TYPED, "counts"), ContentPart.KEY, None, 'Dictionary[Variant, int]({"a": 1, "b": 2})'
    ),
    "a dictionary says nothing more": held((*TYPED, "held"), ContentPart.VALUE, None, '{"x": 0.5, 2: 1.5}'),
}

GROUPS = {"set": SET, "key": RENAMED, "retype": RETYPED, "element type": ELEMENT_TYPES}
CASES = [pytest.param(case, id=f"{group}: {name}") for group, cases in GROUPS.items() for name, case in cases.items()]


@pytest.mark.parametrize("case", CASES)
def test_the_engine_reads_what_was_intended(save4: Save, case: Case) -> None:
    save4.check(case)


NO_TEXT = ("RID", "Object", "Callable", "Signal")
"""Types of which the engine reads no text that tells all."""


def test_every_value_of_every_type_is_read_back_as_what_it_became(save4: Save) -> None:
    """Each value of the save as a file of its own, retyped to all that is offered for it."""
    texts, data = [], []
    whole = save4.document
    for place in sorted({place for tries in OF_EACH_TYPE.values() for place, _ in tries}):
        source = Document(
            taken(whole, at(whole, *place)).value, choice=ReadOptions(whole.dialect, None, FramingKind.BARE)
        )
        for offer in retype_offers(source, Item(0)):
            if offer.name not in NO_TEXT:
                source.apply(retype(source, Item(0), offer.name).edit)
                data.append(Request(bytes(source.buffer[:]), "bare"))
                texts.append(format_literal(read(source.frames[0].table), source.dialect))
                source.undo()
    answers = save4.godot.read(data)
    assert len(data) > 130
    assert [answer.fault for answer in answers if answer.fault] == []
    assert [answer.value for answer in answers] == [answer.value for answer in save4.godot.texts(texts)]


def test_every_type_is_among_the_edits() -> None:
    """Of the 39 types, those of which no text tells are in the groups of their own."""
    assert len(OF_EACH_TYPE) + len(("Nil", "Object", "Callable", "Signal")) == 39
    assert len(CASES) >= 120
