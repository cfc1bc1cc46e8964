"""Element types of typed arrays and dictionaries: read, changed, refused."""

from __future__ import annotations

import pytest

from viewer.container.frames import BARE
from viewer.document.document import Document
from viewer.document.edits.retype import ContentPart, element_type_of, held_of, set_element_type
from viewer.document.edits.setting import set_literal, set_value
from viewer.document.edits.slots import EditError
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Dialect, load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, ElementType, ObjectId, Value

GODOT3, GODOT4, GODOT40, PANDEMONIUM5 = map(load, ("godot3", "godot4", "godot4.0", "pandemonium5"))
ONE, TWO, TEXT = Value("int", 1), Value("int", 2), Value("String", "a")
INT, STRING = ElementType(builtin=2), ElementType(builtin=4)


def holding(value: Value, dialect: Dialect = GODOT4) -> Document:
    return Document(encode(value, dialect), choice=ReadOptions(dialect, None, BARE.kind))


def array(*elements: Value, held: ElementType | None = None) -> Value:
    return Value("Array", Array(elements, held))


def pairs(*found: tuple[Value, Value]) -> Value:
    return Value("Dictionary", Dictionary(found))


class TestArrays:
    def test_an_array_says_what_it_holds(self) -> None:
        document = holding(array(ONE, TWO))

        document.apply(set_element_type(document, Item(0), ContentPart.ELEMENT, INT))

        assert read(document.frames[0].table) == array(ONE, TWO, held=INT)
        assert document.buffer == bytes.fromhex("1c000100 02000000 02000000 02000000 01000000 02000000 02000000")
        assert element_type_of(document, Item(0)) == INT

    def test_it_no_longer_says_it(self) -> None:
        document = holding(array(ONE, held=INT))

        document.apply(set_element_type(document, Item(0), ContentPart.ELEMENT, None))

        assert read(document.frames[0].table) == array(ONE)

    def test_taking_it_back_restores_every_byte(self) -> None:
        document = holding(array(ONE))
        before = bytes(document.buffer)

        document.apply(set_element_type(document, Item(0), ContentPart.ELEMENT, INT))
        document.undo()

        assert document.buffer == before

    def test_objects_are_held_by_class_or_by_script(self) -> None:
        document = holding(array(Value("Object", ObjectId(5)), Value("Nil")))

        for held in (ElementType(class_name="Node"), ElementType(script="res://a.gd")):
            document.apply(set_element_type(document, Item(0), ContentPart.ELEMENT, held))
            assert element_type_of(document, Item(0)) == held

    def test_a_nested_array_is_typed_where_it_lies(self) -> None:
        document = holding(array(TEXT, array(ONE)))

        document.apply(set_element_type(document, Item(0, 2), ContentPart.ELEMENT, INT))

        assert read(document.frames[0].table) == array(TEXT, array(ONE, held=INT))

    def test_the_first_element_of_another_type_is_named(self) -> None:
        with pytest.raises(EditError, match=r"\[0\]\[1\] is a String, not an int; change its type first\."):
            set_element_type(holding(array(ONE, TEXT, TEXT)), Item(0), ContentPart.ELEMENT, INT)


class TestDictionaries:
    def test_keys_and_values_are_typed_apart(self) -> None:
        document = holding(pairs((TEXT, ONE)))

        document.apply(set_element_type(document, Item(0), ContentPart.VALUE, INT))
        document.apply(set_element_type(document, Item(0), ContentPart.KEY, STRING))

        assert read(document.frames[0].table).data == Dictionary(((TEXT, ONE),), STRING, INT)
        assert element_type_of(document, Item(0), ContentPart.KEY) == STRING
        assert element_type_of(document, Item(0), ContentPart.VALUE) == INT

    def test_a_key_of_another_type_is_named(self) -> None:
        with pytest.raises(EditError, match=r"\[0\]\.a@key is a String, not an int"):
            set_element_type(holding(pairs((ONE, ONE), (TEXT, ONE))), Item(0), ContentPart.KEY, INT)

    def test_a_value_of_another_type_is_named(self) -> None:
        with pytest.raises(EditError, match=r"\[0\]\[1\] is a String, not an int"):
            set_element_type(holding(pairs((ONE, TEXT))), Item(0), ContentPart.VALUE, INT)


class TestPandemonium:
    def test_a_typed_array_says_what_it_holds(self) -> None:
        document = holding(Value("TypedArray", Array((), INT)), PANDEMONIUM5)

        document.apply(set_element_type(document, Item(0), ContentPart.ELEMENT, STRING))

        assert element_type_of(document, Item(0)) == STRING

    def test_a_class_stands_beside_the_number_of_object(self) -> None:
        document = holding(Value("TypedArray", Array((), INT)), PANDEMONIUM5)

        document.apply(set_element_type(document, Item(0), ContentPart.ELEMENT, ElementType(class_name="Node")))

        assert element_type_of(document, Item(0)) == ElementType(builtin=23, class_name="Node")

    def test_it_always_says_something(self) -> None:
        with pytest.raises(EditError, match="A TypedArray always says what it holds; change its type to Array"):
            set_element_type(
                holding(Value("TypedArray", Array((), INT)), PANDEMONIUM5), Item(0), ContentPart.ELEMENT, None
            )

    def test_no_array_is_of_a_script(self) -> None:
        document = holding(Value("TypedArray", Array((), INT)), PANDEMONIUM5)

        with pytest.raises(EditError, match="name its class instead"):
            set_element_type(document, Item(0), ContentPart.ELEMENT, ElementType(script="res://a.gd"))


class TestRefusals:
    @pytest.mark.parametrize("dialect", [GODOT3, GODOT40], ids=repr)
    def test_engine_lines_without_typed_arrays(self, dialect: Dialect) -> None:
        with pytest.raises(EditError, match="writes no type for the elements of this value"):
            set_element_type(holding(array(), dialect), Item(0), ContentPart.ELEMENT, INT)

    def test_keys_of_an_array(self) -> None:
        assert held_of(holding(array()), Item(0)) == (ContentPart.ELEMENT,)
        with pytest.raises(EditError, match="writes no type for the keys of this value"):
            element_type_of(holding(array()), Item(0), ContentPart.KEY)

    @pytest.mark.parametrize(
        ("held", "sentence"),
        [
            (ElementType(builtin=99), "Godot 4 has no type number 99; the highest is 38."),
            (ElementType(class_name=""), "A class needs a name, such as Node."),
            (ElementType(script="a.gd"), "A script is named by its path, which begins with res://."),
        ],
        ids=repr,
    )
    def test_types_that_there_cannot_be(self, held: ElementType, sentence: str) -> None:
        with pytest.raises(EditError) as raised:
            set_element_type(holding(array()), Item(0), ContentPart.ELEMENT, held)

        assert str(raised.value) == sentence

    def test_a_value_that_holds_nothing(self) -> None:
        assert held_of(holding(ONE), Item(0)) == ()

    def test_bytes_outside_all_values(self) -> None:
        assert held_of(holding(ONE), Item(0, -1, "gap")) == ()


class TestSetting:
    """What a typed collection does not take, and what lies too deep, is refused before it is written."""

    @pytest.mark.parametrize(
        ("place", "value", "held"),
        [(1, TEXT, "int"), (2, Value("Nil"), "int"), (1, Value("Array", Array(())), "int")],
    )
    def test_an_element_of_another_type(self, place: int, value: Value, held: str) -> None:
        document = holding(array(ONE, TWO, held=INT))

        with pytest.raises(EditError, match=f"takes only {held}"):
            set_value(document, Item(0, place), value)

    def test_a_key_of_another_type(self) -> None:
        document = holding(Value("Dictionary", Dictionary(((TEXT, ONE),), STRING, INT)))

        with pytest.raises(EditError, match="takes only String"):
            set_literal(document, Item(0, 1), "5")

    def test_a_type_that_the_engine_changes_is_taken_and_a_finding(self) -> None:
        document = holding(Value("Dictionary", Dictionary(((TEXT, ONE),), STRING, INT)))

        document.apply(set_literal(document, Item(0, 1), '&"b"'))

        assert len(document.findings.all()) == 1

    @pytest.mark.parametrize(("more", "fits"), [(24, True), (25, False)])
    def test_what_lies_too_deep(self, more: int, fits: bool) -> None:
        deep = Value("Nil")
        for _ in range(1000):
            deep = array(deep)
        document = holding(deep)

        if fits:
            document.apply(set_literal(document, Item(0, 1000), "[" * more + "7" + "]" * more))
            assert not document.findings.all()
        else:
            with pytest.raises(EditError, match="at most 1024 levels"):
                set_literal(document, Item(0, 1000), "[" * more + "7" + "]" * more)
