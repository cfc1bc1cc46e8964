"""What a text cannot hold is refused before anything changes, and not offered; what it can hold is kept as typed."""

import pytest

from viewer.document.document import Document
from viewer.document.edits.new_value import typed_value
from viewer.document.edits.retype import retype_offers
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import inside
from viewer.document.edits.structure import addable
from viewer.document.edits.text_limits import spelled
from viewer.document.outline import key_of
from viewer.document.path import parse_path
from viewer.document.viewmodel.verdict import judge
from viewer.variant.items import Item

JSON = b'{\n\t"gold": 9.5,\n\t"items": [1, 2]\n}\n'
CONFIG = b'[a]\n\ngold=1\nlist=[{"x": 1}]\n'
RESOURCE = b'[gd_resource type="Resource" format=3]\n\n[resource]\nmetadata/name = "Ada"\n'


def key_item(document: Document, path: str) -> Item:
    item = parse_path(document, path)
    key = key_of(document.frames[item.frame].table, item.node)
    assert key is not None
    return Item(item.frame, key)


def test_a_number_that_json_has_not_is_refused_in_the_field() -> None:
    document = Document(JSON)
    found = judge(document, parse_path(document, "[0].gold"), "nan")
    assert (found.ok, found.title, found.detail) == (False, "JSON has no number for NaN", "set another one.")
    assert judge(document, parse_path(document, "[0].gold"), "7.0").ok


def test_the_name_of_a_section_that_breaks_its_head_is_refused_in_the_field() -> None:
    document = Document(CONFIG)
    found = judge(document, key_item(document, "[0].a"), '"a\\\\"')
    assert not found.ok
    assert "must not end with a backslash" in found.title + found.detail
    assert judge(document, key_item(document, "[0].a"), '"a]b"').ok
    document = Document(RESOURCE)
    found = judge(document, Item(0, 1), '"resource]"')
    assert not found.ok
    assert "its brackets must come in pairs" in found.title + found.detail


@pytest.mark.parametrize("text", [CONFIG, RESOURCE])
def test_at_the_top_of_settings_and_resources_only_sections_are_offered(text: bytes) -> None:
    document = Document(text)
    top = inside(document, Item(0, 0))
    assert addable(document, top) == ["Dictionary"]
    assert typed_value(document, top, "5") is None
    assert typed_value(document, top, "{}") is not None


def test_a_section_and_the_keys_of_a_text_keep_their_types() -> None:
    document = Document(CONFIG)
    assert retype_offers(document, Item(0, 0)) == retype_offers(document, parse_path(document, "[0].a")) == []
    assert retype_offers(document, key_item(document, "[0].a")) == []
    assert retype_offers(document, key_item(document, "[0].a.gold")) == []
    assert retype_offers(document, parse_path(document, "[0].a.gold"))
    assert retype_offers(document, key_item(document, "[0].a.list[0].x"))
    document = Document(JSON)
    assert retype_offers(document, key_item(document, "[0].gold")) == []
    assert retype_offers(document, parse_path(document, "[0].gold"))


def test_the_digits_of_a_whole_number_stay_in_json_and_what_engines_read_is_told() -> None:
    document = Document(JSON)
    item = parse_path(document, "[0].gold")
    found = judge(document, item, "9007199254740993")
    assert (found.ok, found.title) == (
        True,
        "JSON numbers are floats for the engine: it reads 9007199254740992",
    )
    document.apply(set_literal(document, item, "9007199254740993"))
    assert bytes(document.to_be_written()[:]) == JSON.replace(b"9.5", b"9007199254740993")
    (told,) = document.findings.all()
    assert "The engines read 9007199254740993 as 9007199254740992" in told.message
    item = parse_path(document, "[0].gold")
    assert judge(document, item, "9007199254740995").changes_something
    document.apply(set_literal(document, item, "9007199254740992"))
    document.undo()
    document.undo()
    assert bytes(document.to_be_written()[:]) == JSON


def test_a_number_that_a_float_holds_is_no_matter() -> None:
    document = Document(JSON)
    item = parse_path(document, "[0].gold")
    assert judge(document, item, "9007199254740994").title == "Valid float"
    document.apply(set_literal(document, item, "9007199254740994"))
    assert b": 9007199254740994" in bytes(document.to_be_written()[:])


def test_what_is_shown_of_a_long_text_begins_and_ends_with_whole_signs() -> None:
    document = Document(b'{"a": "%s"}' % ("ä€𝄞" * 60).encode())
    item = parse_path(document, "[0].a")
    for at in range(60, 80):
        words = "ä€𝄞" * 60
        now, then = spelled(document, item, set_literal(document, item, f'"{words[:at]}é{words[at + 1 :]}"'))
        assert "\ufffd" not in now + then
        assert then


@pytest.mark.parametrize(
    ("text", "path"),
    [(b'{"a": "b"}', "[0].a"), (CONFIG, "[0].a.gold"), (RESOURCE, '[0].resource["metadata/name"]')],
)
@pytest.mark.parametrize("typed", ['"\\ud83d"', '"\ud83d"'])
def test_half_of_a_sign_is_refused_in_the_field(text: bytes, path: str, typed: str) -> None:
    document = Document(text)
    found = judge(document, parse_path(document, path), typed)
    assert not found.ok
    assert found.title
