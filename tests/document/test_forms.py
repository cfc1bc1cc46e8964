"""Values in forms of text: what real engines wrote, and what people paste."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.export.forms import FORMS, FormContent, FormError, decode, form, forms_for, read, write
from viewer.document.export.forms.value_forms import write_value
from viewer.document.path import parse_path
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal
from viewer.variant.literal.printing import format_literal
from viewer.variant.value import Array, Dictionary, NaN, Value

GODOT2, GODOT3, GODOT4 = load("godot2"), load("godot3"), load("godot4")
SCRIPT = Path(__file__).parents[2] / "tools" / "clipboard_forms.py"
SAVE = bytes.fromhex(
    "12000000 02000000"  # Dictionary of two pairs
    "04000000 04000000 676f6c64  02000000 63000000"  # "gold": 99
    "04000000 03000000 706f7300  05000000 0000803f 00000040"  # "pos": Vector2(1, 2)
)


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("clipboard_forms", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def text_of(key: str, literal: str, dialect: str = "godot4") -> tuple[str, tuple[str, ...]]:
    found = load(dialect)
    return write_value(form(key), parse_literal(literal, found), found, Precision.SINGLE)


def test_every_golden_value_reads_back_from_every_form_or_is_refused_as_the_page_says() -> None:
    module = script()
    assert module.FILE.read_text(encoding="utf-8") == module.page()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.key)
def test_a_form_without_losses_never_tells_one(form: object) -> None:
    assert isinstance(form, type(FORMS[0]))
    page = SCRIPT.parents[1].joinpath("docs", "clipboard-forms.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| {form.name} | {form.writes.value}"))
    assert form.lossless == (row.split("|")[5].strip() == "0")


def test_forms_have_keys_and_words_of_their_own() -> None:
    assert len({form.key for form in FORMS}) == len({form.name for form in FORMS}) == len(FORMS)


def test_no_two_forms_are_chosen_by_the_same_letter() -> None:
    letters = [form.words[form.words.index("&") + 1].lower() for form in FORMS]
    assert len(set(letters)) == len(letters)


def test_a_dialect_whose_literal_is_in_the_list_does_not_stand_there_twice() -> None:
    assert form("literal") not in forms_for(GODOT4)
    assert form("literal") in forms_for(GODOT2)


@pytest.mark.parametrize(
    ("key", "literal", "dialect", "text"),
    [
        ("literal3", "PackedByteArray(1, 2)", "godot4", "PoolByteArray(1, 2)"),
        ("literal4", "PoolRealArray(1, 2)", "godot3", "PackedFloat32Array(1, 2)"),
        ("literal4", "Quat(0, 0, 0, 1)", "godot3", "Quaternion(0, 0, 0, 1)"),
        ("literal", '&"n"', "godot4", '&"n"'),
        ("native", '{"a": 1}', "godot4", '{"type": "Dictionary", "args": ["s:a", "i:1"]}'),
        ("json", '{"a": [1, 2.0, null, true, "b"]}', "godot4", '{"a":[1,2.0,null,true,"b"]}'),
        ("json", "inf", "godot4", "1e99999"),
    ],
)  # fmt: skip
def test_a_value_in_a_form(key: str, literal: str, dialect: str, text: str) -> None:
    assert text_of(key, literal, dialect) == (text, ())


@pytest.mark.parametrize(
    ("literal", "text", "lost"),
    [
        ("Vector2(1, 2)", '"Vector2(1, 2)"', "the type Vector2 (written as a text)"),
        ('NodePath("A/B:c")', '"A/B:c"', "the type NodePath (written as a text)"),
        ("PackedByteArray(1, 2)", "[1,2]", "the type PackedByteArray (written as a list)"),
        ("PackedVector2Array(1, 2, 3, 4)", "[[1,2],[3,4]]", "the type PackedVector2Array (written as a list)"),
        ("{1: 2}", '{"1":2}', "the types of keys (written as texts)"),
        ('{"1": 1, 1: 2}', '{"1":1,"1":2}', "a value (its key occurs twice, readers take the last)"),
        ("Array[int]([1])", "[1]", "the types of typed collections"),
        ("nan", "null", "a NaN (written null)"),
    ],
)
def test_plain_json_says_what_is_lost(literal: str, text: str, lost: str) -> None:
    found, losses = text_of("json", literal)
    assert found == text
    assert lost in losses


def test_a_literal_says_that_the_bits_of_a_nan_are_lost() -> None:
    value = Value("float", NaN(bytes.fromhex("010000000000f87f")))
    assert write_value(form("literal4"), value, GODOT4, Precision.SINGLE)[1] == ("the bits of a NaN",)


@pytest.mark.parametrize(
    ("key", "literal", "dialect", "text"),
    [
        ("literal3", "[Vector2i(1, 2)]", "godot4", "[Vector2(1, 2)]"),
        ("literal3", "Array[int]([1])", "godot4", "[1]"),
        ("literal3", '&"name"', "godot4", '"name"'),
    ],
)
def test_what_another_engine_line_lacks_becomes_its_nearest_type_and_that_is_said(
    key: str, literal: str, dialect: str, text: str
) -> None:
    found, lost = text_of(key, literal, dialect)
    assert found == text
    assert len(lost) == 1


def test_a_literal_that_only_another_engine_line_reads_is_read_where_nothing_is_lost() -> None:
    found = read(form("literal4"), "Array[int]([1])", load("pandemonium5"))
    assert isinstance(found, Value)
    assert found.type == "TypedArray"
    with pytest.raises(FormError, match="Godot 3 has no typed Array"):
        read(form("literal4"), "Array[int]([1])", GODOT3)


def test_a_broken_value_is_refused() -> None:
    document = Document(bytes.fromhex("04000000 64000000 6162"))
    for key in ("literal3", "native", "json"):
        with pytest.raises(FormError, match="broken where it was read"):
            write(form(key), document, Item(0, 0))


def test_an_item_is_written_with_its_own_bytes() -> None:
    document = Document(SAVE)
    item = parse_path(document, "[0].gold")
    assert write(form("hex"), document, item).text == "02 00 00 00 63 00 00 00"
    assert write(form("hexdump"), document, item).text.startswith("00000014: 0200 0000 6300 0000 ")
    assert write(form("literal3"), document, item).text == "99"


def test_a_field_of_a_value_is_written_as_its_number() -> None:
    document = Document(SAVE)
    assert write(form("literal3"), document, parse_path(document, "[0].pos.x")).text == "1.0"


def test_a_run_of_bytes_has_no_value() -> None:
    document = Document(SAVE)
    assert write(form("c"), document, Span(0, 2)).text == "unsigned char data[] = {\n    0x12, 0x00\n};\n"
    with pytest.raises(FormError, match="copy them as bytes"):
        write(form("native"), document, Span(0, 2))


@pytest.mark.parametrize("key", [found.key for found in FORMS])
def test_a_whole_document_reads_back(key: str) -> None:
    document = Document(SAVE)
    content = read(form(key), write(form(key), document, Item(0, 0)).text, document.dialect)
    value = decode(content, GODOT3) if isinstance(content, bytes) else content
    if key == "json":
        assert format_literal(value, GODOT3) == '{"gold": 99, "pos": "Vector2(1, 2)"}'
    else:
        assert encode(value, GODOT3) == SAVE


@pytest.mark.parametrize(
    ("key", "text", "reason", "position"),
    [
        ("literal4", "[1, 2", "The text ends inside an array: “,” or “]” is missing (line 1, column 6).", 5),
        ("literal4", '{\n"a": x}', "“x” is not a value of Godot 4. A text goes in quotes (line 2, column 6).", 7),
        ("json", '{"a": [1,\n 2}', "A comma or a closing bracket belongs here: line 2, column 3.", 12),
        ("json", "99999999999999999999", "At $: The number does not fit a 64-bit integer", -1),
        ("native", '{"type": "Vector2", "args": [1]}', "At $", -1),
    ],
)
def test_a_wrong_text_is_told_with_its_place(key: str, text: str, reason: str, position: int) -> None:
    with pytest.raises(FormError) as failure:
        read(form(key), text, GODOT4)
    assert str(failure.value).startswith(reason)
    assert failure.value.position == position


@pytest.mark.parametrize("key", ["literal4", "native", "json"])
def test_deep_nesting_is_written_and_read(key: str) -> None:
    value = Value("Array", Array())
    for _ in range(50_000):
        value = Value("Array", Array((value,)))
    text = write_value(form(key), value, GODOT4, Precision.SINGLE)[0]
    again = read(form(key), text, GODOT4)
    assert isinstance(again, Value)
    assert encode(again, GODOT4) == encode(value, GODOT4)


@pytest.mark.parametrize("key", ["literal4", "native", "json"])
def test_deep_nesting_that_breaks_off_is_one_sentence(key: str) -> None:
    with pytest.raises(FormError):
        read(form(key), "[" * 200_000, GODOT4)


def test_a_text_in_plain_json_is_never_a_type() -> None:
    assert read(form("json"), '{"a": "i:5"}', GODOT4) == Value(
        "Dictionary", Dictionary(((Value("String", "a"), Value("String", "i:5")),))
    )


def test_bytes_decode_behind_their_length_too() -> None:
    assert decode(bytes.fromhex("08000000 02000000 05000000"), GODOT3) == Value("int", 5)


@pytest.mark.parametrize(
    ("hex_bytes", "reason"),
    [
        ("0200", "A value takes at least 4 bytes, but here are 2."),
        ("02000000 05000000 00", "These 9 bytes are not a whole value of Godot 3: it ends at 0x8, and 1 more follows."),
        ("ff000000", "These 4 bytes are not a whole value of Godot 3; at 0x0: Type number 255 does not exist"),
    ],
)
def test_bytes_that_are_no_value_say_where(hex_bytes: str, reason: str) -> None:
    with pytest.raises(FormError) as failure:
        decode(bytes.fromhex(hex_bytes), GODOT3)
    assert str(failure.value).startswith(reason)


def test_only_forms_of_values_and_of_bytes_exist() -> None:
    assert {found.writes for found in FORMS} == {FormContent.VALUE, FormContent.BYTES}
