"""Values carried over to another engine line: what becomes of each is recorded, and the engines read the result."""

from __future__ import annotations

import corpus
import pytest
from document.export.conversions import (
    Carried,
    CarriedFile,
    carried,
    carried_files,
    file_fault,
    is_told_whole,
    lost_on_the_way,
    misread,
)
from engine4 import Godot
from variant.small_values import golden

from viewer.document.document import Document
from viewer.document.export.converting import VALUES, CannotConvertError, ConversionChoice, converted
from viewer.document.export.other_engine import for_engine
from viewer.document.reading import ReadOptions
from viewer.variant.convert.conversion_record import MOST_CHANGES, ConversionRecord, PathChange, ValueOutcome
from viewer.variant.convert.substitutes import COLLECTION_TYPES, Substitute, homeless
from viewer.variant.convert.translate import TranslationChoice, translate
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.value import Image, Value

GODOT2, GODOT3, GODOT4 = map(load, ("godot2", "godot3", "godot4"))
MERGED = "The key Vector2(1, 2) occurs twice; the last one counts"
LITERAL = (
    '{"at": Vector2i(1, -2), "name": &"Mira", "deep": [{"far": Vector4(1, 2, 3, 4)}], "turn": Quaternion(0, 0, 0, 1),'
    ' "ids": PackedInt64Array(5, 6), "typed": Array[int]([1, 2]), "same": 7}'
)


def stored(literal: str, precision: Precision = Precision.SINGLE) -> Document:
    raw = encode(parse_literal(literal, GODOT4, precision=precision), GODOT4, precision)
    return Document(len(raw).to_bytes(4, "little") + raw, choice=ReadOptions(GODOT4, precision))


def literal_of(data: bytes, line: str) -> str:
    document = Document(data, choice=ReadOptions(load(line)))
    return format_literal(read(document.frames[0].table), document.dialect)


def test_what_becomes_of_every_value_is_recorded_by_its_path() -> None:
    found = for_engine(stored(LITERAL), "godot3")
    assert found.record is not None
    told = {change.path: (change.outcome, change.after) for change in found.record.changes}
    assert told == {
        "[0].at": (ValueOutcome.REPLACED, "Vector2"),
        "[0].name": (ValueOutcome.REPLACED, "String"),
        "[0].deep[0].far": (ValueOutcome.REPLACED, "Quat"),
        "[0].turn": (ValueOutcome.RENAMED, "Quat"),
        "[0].ids": (ValueOutcome.REPLACED, "PoolIntArray"),
        "[0].typed": (ValueOutcome.REPLACED, "Array"),
    }
    assert list(told) == [change.path for change in found.record.changes]
    assert found.record.words() == "20 values: 14 exact, 1 renamed, 5 replaced"
    assert str(found.record.changes[0]) == "[0].at: Vector2i -> Vector2; A Vector2i becomes a Vector2"


@pytest.mark.parametrize(
    ("name", "what", "becomes"),
    [
        ("Vector2i", Substitute.TEXT, '"at": "Vector2i(1, -2)"'),
        ("Vector2i", Substitute.ARRAY, '"at": [1, -2]'),
        ("Vector2i", Substitute.DICTIONARY, '"at": {"x": 1, "y": -2}'),
        ("Vector4", Substitute.DICTIONARY, '"far": {"x": 1.0, "y": 2.0, "z": 3.0, "w": 4.0}'),
        ("PackedInt64Array", Substitute.ARRAY, '"ids": [5, 6]'),
        ("StringName", Substitute.TEXT, '"name": "Mira"'),
    ],
)
def test_a_person_chooses_what_stands_instead(name: str, what: Substitute, becomes: str) -> None:
    found = for_engine(stored(LITERAL), "godot3", ConversionChoice(substitutes={name: what}))
    assert becomes in literal_of(found.data, "godot3")


@pytest.mark.parametrize(
    ("name", "where"), [("Vector4", "[0].deep[0].far"), (COLLECTION_TYPES, "[0].typed"), ("StringName", "[0].name")]
)
def test_what_shall_not_be_converted_is_named_by_its_path(name: str, where: str) -> None:
    with pytest.raises(CannotConvertError) as refused:
        for_engine(stored(LITERAL), "godot3", ConversionChoice(substitutes={name: Substitute.REFUSE}))
    assert str(refused.value).startswith(f"{where}: ")


def test_pictures_and_events_of_godot_2_keep_what_they_hold() -> None:
    picture = Value("Image", Image(3, 0, 1, 2, b"abcdef"))
    substitutes = {"Image": Substitute.DICTIONARY}
    found = translate(picture, GODOT2, GODOT3, choice=TranslationChoice(substitutes))
    expected = '{"format": 3, "mipmaps": 0, "width": 1, "height": 2, "data": PoolByteArray(97, 98, 99, 100, 101, 102)}'
    assert format_literal(found.value, GODOT3).replace("( ", "(").replace(" )", ")") == expected
    assert found.losses == ("An Image becomes a Dictionary",)


def test_what_each_engine_line_lacks_is_known() -> None:
    assert homeless(GODOT3, GODOT4) == {}
    lacking = homeless(GODOT4, GODOT3)
    assert {"Vector2i", "StringName", "Signal", "PackedInt64Array", COLLECTION_TYPES} < lacking.keys()
    assert lacking["Signal"][0] is Substitute.NULL
    assert set(homeless(GODOT2, GODOT3)) == {"Image", "InputEvent"}


def test_every_choice_that_is_offered_can_be_made() -> None:
    for vectors in corpus.ENGINES:
        source = load(vectors.dialect)
        values = {value.type: value for value in golden(vectors)}
        for target in (GODOT2, GODOT3, GODOT4):
            for name, offered in homeless(source, target).items():
                for what in (what for what in offered if what is not Substitute.REFUSE and name in values):
                    choice = TranslationChoice({name: what}, ConversionRecord())
                    found = translate(values[name], source, target, choice=choice)
                    assert encode(found.value, target), (name, what)


def test_of_doubles_in_single_precision_it_is_said_which_are_rounded() -> None:
    document = stored('{"a": Vector2(0.1, 1), "b": Vector2(0.5, 1)}', Precision.DOUBLE)
    assert for_engine(document, "godot4").data == bytes(document.buffer[:])
    found = for_engine(document, "godot4", ConversionChoice(Precision.SINGLE))
    assert found.record is not None
    assert [(change.path, change.outcome) for change in found.record.changes] == [("[0].a", ValueOutcome.ROUNDED)]
    assert not found.record.is_exact


def test_of_very_many_changes_the_rest_is_counted() -> None:
    record = ConversionRecord()
    record.add(3, [PathChange("[0]", ValueOutcome.RENAMED, "a", "b")] * (MOST_CHANGES + 5))
    assert (len(record.changes), record.untold, record.counts.total()) == (MOST_CHANGES, 5, MOST_CHANGES + 8)


def test_a_value_that_is_not_read_as_it_was_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.document.export.converting.encode", lambda *_: bytes.fromhex("02000000 05000000 0000"))
    with pytest.raises(CannotConvertError, match="would read a value differently"):
        converted(stored("5"), VALUES, "godot3")


def test_keys_that_become_the_same_are_told() -> None:
    for source, target, literal, told in (
        (GODOT4, GODOT3, "{Vector2(1, 2): 1, Vector2i(1, 2): 2}", ("A Vector2i becomes a Vector2", MERGED)),
        (GODOT4, GODOT3, '{"a": 1, &"b": 2}', ("A StringName becomes a String",)),
        (
            load("pandemonium3.5"),
            GODOT4,
            '{"a": 1, &"a": 2}',
            ('The key &"a" occurs twice; the last one counts',),
        ),
        (GODOT3, GODOT4, "{Quat(0, 0, 0, 1): 5, PoolIntArray(): 4}", ()),
    ):
        assert translate(parse_literal(literal, source), source, target).losses == told


@pytest.mark.engine4
def test_godot_4_has_the_values_of_godot_3(godot4: Godot) -> None:
    found = [one for one in carried("godot3", "godot4") if isinstance(one, Carried)]
    asked = [one for one in found if is_told_whole(one.after, one.data, "godot4")]
    assert len(asked) > 200
    assert [said for one in found if (said := lost_on_the_way(one, "godot3", "godot4"))] == []
    assert misread(asked, "godot4", godot4) == []


@pytest.mark.engine4
def test_godot_4_has_the_files_of_godot_3_and_they_come_back(godot4: Godot) -> None:
    found = [one for one in carried_files(1000) if isinstance(one, CarriedFile)]
    assert sum(one.secret is not None for one in found) > 5
    assert [said for one in found if (said := file_fault(one, godot4))] == []


@pytest.mark.engine
def test_godot_3_has_the_values_of_godot_4() -> None:
    found = [one for one in carried("godot4", "godot3") if isinstance(one, Carried)]
    asked = [one for one in found if is_told_whole(one.after, one.data, "godot3")]
    assert len(asked) > 200
    assert misread(asked, "godot3") == []
