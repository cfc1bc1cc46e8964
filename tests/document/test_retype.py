"""Retyping values and keys: what the bytes are afterwards, what is said to be lost, what is refused."""

from __future__ import annotations

import corpus
import pytest

from viewer.container.frames import BARE
from viewer.document.document import Document
from viewer.document.edits.retype import Retyped, retype, retype_offers
from viewer.document.edits.slots import EditError
from viewer.document.path import parse_path
from viewer.document.reading import ReadOptions
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.retype import convert
from viewer.variant.dialect import Dialect, Precision, load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, ElementType, ObjectFull, Value

GODOT3, GODOT4, PANDEMONIUM5 = map(load, ("godot3", "godot4", "pandemonium5"))
LARGEST = 4096
MANY = 5000


def opened(data: bytes, dialect: Dialect, precision: Precision = Precision.SINGLE) -> Document:
    return Document(data, choice=ReadOptions(dialect, precision, BARE.kind))


def holding(value: Value, dialect: Dialect = GODOT3) -> Document:
    return opened(encode(value, dialect), dialect)


def done(document: Document, path: str, target: str) -> tuple[Retyped, Value]:
    """The change at a path, done, and the whole value afterwards."""
    found = retype(document, parse_path(document, path), target)
    document.apply(found.edit)
    return found, read(document.frames[0].table)


def targets(document: Document, item: Item) -> list[str]:
    return [offer.name for offer in retype_offers(document, item)]


def texts(*pairs: tuple[str, Value]) -> Value:
    return Value("Dictionary", Dictionary(tuple((Value("String", key), value) for key, value in pairs)))


class TestValues:
    def test_a_value_in_a_dictionary_becomes_another_type_and_nothing_else_changes(self) -> None:
        document = holding(texts(("gold", Value("int", 5)), ("name", Value("String", "Al"))))

        found, after = done(document, "[0].gold", "String")

        assert found.losses == ()
        assert found.edit.label == "Change [0].gold to String"
        assert after == texts(("gold", Value("String", "5")), ("name", Value("String", "Al")))

    def test_what_is_lost_is_said(self) -> None:
        document = holding(Value("Array", Array((Value("float", 0.5),))))

        found, after = done(document, "[0][0]", "int")

        assert found.losses == ("0.5 becomes 0",)
        assert after.data == Array((Value("int", 0),))

    def test_taking_it_back_restores_every_byte(self) -> None:
        document = holding(texts(("gold", Value("int", 2**40))))
        before = bytes(document.buffer)

        done(document, "[0].gold", "Nil")
        document.undo()

        assert document.buffer == before

    def test_a_length_prefix_follows(self) -> None:
        inner = encode(Value("int", 5), GODOT3)
        document = Document(len(inner).to_bytes(4, "little") + inner)

        document.apply(retype(document, Item(0), "Nil").edit)

        assert document.buffer == bytes.fromhex("04000000 00000000")

    def test_a_collection_that_goes_says_how_much_is_lost(self) -> None:
        elements = tuple(Value("Array", Array((Value("int", 1),))) for _ in range(3))
        document = holding(texts(("a", Value("Array", Array(elements))), ("d", texts(("x", Value("Nil"))))))

        assert retype(document, parse_path(document, "[0].a"), "Nil").losses == ("All 3 elements are lost",)
        assert retype(document, parse_path(document, "[0].d"), "Nil").losses == ("The only pair is lost",)

    def test_an_array_becomes_a_packed_array(self) -> None:
        document = holding(Value("Array", Array((Value("int", 1), Value("int", 2)))))

        assert done(document, "[0]", "PoolIntArray")[1] == Value("PoolIntArray", (1, 2))

    def test_a_null_becomes_an_empty_dictionary(self) -> None:
        assert done(holding(Value("Nil")), "[0]", "Dictionary")[1] == Value("Dictionary", Dictionary())


class TestKeys:
    def test_a_key_becomes_another_type(self) -> None:
        document = holding(texts(("1", Value("bool", True))))

        found, after = done(document, '[0]["1"]@key', "int")

        assert found.losses == ()
        assert after.data == Dictionary(((Value("int", 1), Value("bool", True)),))

    def test_a_key_that_another_pair_has_is_said(self) -> None:
        pairs = ((Value("String", "1"), Value("Nil")), (Value("int", 1), Value("Nil")))
        document = holding(Value("Dictionary", Dictionary(pairs)))

        found = retype(document, parse_path(document, '[0]["1"]@key'), "int")

        assert found.losses == ("Another pair has this key too, and the engine keeps only the last one",)

    def test_the_name_of_a_property_stays_a_text(self) -> None:
        document = holding(Value("Object", ObjectFull("Node", (("a", Value("int", 1)),))))

        with pytest.raises(EditError, match="The name of a property is always a text"):
            retype(document, Item(0, 1), "int")


class TestTypedCollections:
    def test_an_element_keeps_to_the_type_of_its_array(self) -> None:
        document = holding(Value("Array", Array((Value("int", 1),), ElementType(builtin=2))), GODOT4)

        assert targets(document, Item(0, 1)) == []
        with pytest.raises(EditError, match="What holds this value takes only int; change that first"):
            retype(document, Item(0, 1), "float")

    def test_a_value_of_a_dictionary_with_typed_keys_is_free(self) -> None:
        data = Dictionary(((Value("int", 1), Value("int", 2)),), ElementType(builtin=2))
        document = holding(Value("Dictionary", data), GODOT4)

        assert targets(document, Item(0, 1)) == []
        assert "float" in targets(document, Item(0, 2))

    def test_an_array_becomes_a_typed_one_by_its_head_alone(self) -> None:
        inner = Value("Array", Array((Value("int", 1),)))
        document = holding(Value("Array", Array((inner, inner))), PANDEMONIUM5)

        found, after = done(document, "[0]", "TypedArray")

        assert sum(len(splice.removed) for splice in found.edit.splices) <= 8
        assert after.type == "TypedArray"
        assert after.data == Array((inner, inner), ElementType(builtin=26))


class TestRefusals:
    def test_an_element_of_a_packed_array(self) -> None:
        document = holding(Value("PoolIntArray", (1, 2)))

        assert targets(document, Item(0, 0, "[1]")) == []
        with pytest.raises(EditError, match="change the type of the whole value"):
            retype(document, Item(0, 0, "[1]"), "float")

    def test_a_value_of_an_unknown_type(self) -> None:
        document = opened(bytes.fromhex("63000000"), GODOT3)

        with pytest.raises(EditError, match="change its header in the bytes"):
            retype(document, Item(0), "int")

    def test_a_type_that_the_engine_line_lacks(self) -> None:
        with pytest.raises(EditError, match="Godot 3 has no type Vector2i"):
            retype(holding(Value("Nil")), Item(0), "Vector2i")

    def test_bytes_outside_all_values(self) -> None:
        document = opened(encode(Value("Nil"), GODOT3) + b"junk", GODOT3)

        with pytest.raises(EditError, match="belong to no value"):
            retype(document, Item(0, -1, "gap"), "int")


class TestTargets:
    @pytest.mark.parametrize("number", [MANY, MANY + 1])
    def test_of_a_large_packed_array_only_the_beginning_is_read(self, number: int) -> None:
        document = holding(Value("PoolRealArray", (0.5,) * number))

        found = targets(document, Item(0))

        assert ("PoolVector2Array" in found) is (number % 2 == 0)
        assert found[-1] == "Nil"

    def test_what_is_offered_first_loses_nothing(self) -> None:
        assert targets(holding(Value("int", 7)), Item(0)) == ["float", "String", "bool", "Nil"]


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_every_golden_value_becomes_what_it_is_offered_as(engine: corpus.Engine) -> None:
    dialect, precision = load(engine.dialect), Precision(engine.precision)
    for row in corpus.spread(corpus.vectors(engine.folder), 3, engine.folder):
        raw = corpus.vector_bytes(row)
        document = opened(raw, dialect, precision)
        if len(raw) > LARGEST or document.frames[0].table.diagnostics:
            continue
        value = read(document.frames[0].table)
        for target in targets(document, Item(0)):
            try:
                edit = retype(document, Item(0), target).edit
            except EditError:
                with pytest.raises(ConvertError):
                    convert(value, target, dialect, precision)
                continue
            document.apply(edit)
            after = encode(convert(value, target, dialect, precision).value, dialect, precision)
            assert bytes(document.buffer) == after, (row["id"], target)
            document.undo()
