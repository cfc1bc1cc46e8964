"""What is plainly a text opens as one, though much of it is broken, with its mistakes by line and column."""

from __future__ import annotations

import pytest

from viewer.base.diagnostic import Code, Severity
from viewer.document.doctor import diagnose
from viewer.document.document import Document
from viewer.text.broken_text import ENTRY


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        (b"[audio]\nmaster=0.8\n[player\ngold=250\nhp=3\n", "config", 3),
        (b'[a]\nitems=["a", "b"\n[video]\nsize=Vector2(1280 720)\n', "config", 3),
        (b"{\n  'player': {\n    'gold': 250\n  },\n  'version': 3\n}\n", "json", 2),
        (b'{"n": 0x1F}\n', "json", 1),
        (b'{\n  "b": True\n}\n', "json", 2),
        (b'{\n  "c": NaN\n}\n', "json", 2),
    ],
)
def test_it_opens_as_a_text_with_lines_and_mends(text: bytes, name: str, line: int) -> None:
    document = Document(text)
    assert document.wraps.names == (name,)
    errors = [each for each in document.findings.all() if each.severity is Severity.ERROR]
    assert errors[0].code is Code.TEXT_BROKEN
    assert errors[0].message.startswith(f"Line {line}, column ")
    best = diagnose(document)[0]
    assert best.edit is not None
    document.apply(best.edit)
    assert not document.text or not document.text.damages


@pytest.mark.parametrize(
    "text",
    [
        b"[global]\nindex-url = https://here/simple\n",
        b"{ color: red; }\n",
        b"{\\rtf1 some text}",
        b"[1] first, see page\n[2] second\n",
    ],
)
def test_texts_of_others_are_none(text: bytes) -> None:
    assert Document(text).text is None


def test_zeros_behind_the_end_are_told_and_taken_away() -> None:
    text = b'{"gold": 250,\n "n": "ab"}'
    document = Document(text + bytes(8))
    (found,) = [each for each in document.findings.all() if each.severity >= Severity.WARNING]
    assert found.message.startswith("Line 2, column 12 (byte 25): 8 zero bytes come after the end")
    best = diagnose(document)[0]
    assert best.name == "text-zeros"
    assert best.edit is not None
    document.apply(best.edit)
    assert bytes(document.to_be_written()[:]) == text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b'{"gold": 250, "n": "a\0b"}', "Line 1, column 22 (byte 21): "),
        (b'[a]\nx="b\0c"\ny=2\n', "Line 2, column 5 (byte 8): "),
    ],
)
def test_a_zero_inside_has_a_place_and_the_line_stays(text: bytes, place: str) -> None:
    document = Document(text)
    assert any(each.message.startswith(place + "There is a zero byte here") for each in document.findings.all())
    best = diagnose(document)[0]
    assert best.edit is not None
    document.apply(best.edit)
    assert bytes(document.to_be_written()[:]) == text.replace(b"\0", b"")


def test_a_long_text_that_lacks_its_last_bracket_gets_it() -> None:
    text = b'{"a": "' + b"x" * (3 << 19) + b'", "b": [1, {"c": 2}]}'
    document = Document(text[:-1])
    (best,) = diagnose(document)
    assert best.edit is not None
    document.apply(best.edit)
    assert bytes(document.to_be_written()[:]) == text


def test_an_empty_file_is_said_to_be_empty() -> None:
    (told,) = diagnose(Document(b""))
    assert told.sentence.startswith("The file is empty.")
    assert "earlier copy" in told.note


def test_a_wrong_value_has_its_own_column() -> None:
    errors = [each.message for each in Document(b'{\n  "a": 1,\n  "hp": .5,\n  "b": 2\n}\n').findings.all()]
    assert any(each.startswith("Line 3, column 9 ") for each in errors)


def test_a_section_that_is_there_again_is_merged_and_only_a_key_twice_is_lost() -> None:
    found = Document(b"[a]\nx=1\n[b]\ny=2\n[a]\nz=3\nz=4\n").findings.all()
    assert [each.code for each in found] == [Code.TEXT_NOTE, Code.DUPLICATE_KEY]
    assert found[0].message.startswith("Line 5, column 2 ")
    assert "read both as one" in found[0].message


def test_a_line_of_blanks_is_looked_at_once() -> None:
    found = ENTRY.search(b"a" + b" " * (1 << 20))  # each length of the key tried anew would take hours
    assert found is None
    entry = ENTRY.search(b"  two words \t= 5")
    assert entry is not None
    assert (entry["key"], entry["blank"], entry["value"]) == (b"  two words", b" \t", b"5")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b'name="Bob"\ntitle="x"\nsize=Vector2(1, 2\nhp=12\n', "Line 3, column "),
        (b'name="Bob"\nsize=Vector2(1, 2)\nfullscreen=True\nhp=12\n', "Line 3, column 12 "),
        (b'name="Bob"\r\ntitle="x"\r\nlist=[1, 2 3]\r\nhp=12\r\n', "Line 3, column 12 "),
        (b'name="Bob"\nlist=["a",\n"b" "c"]\nhp=12\nkeys={}\n', "Line 3, column 5 "),
        (b'volume=0.5\nkeys={"a": 1, "b" 2}\nname="Bob"\n', "Line 2, column 19 "),
        (b'; options\nname="Bob"\nsize=Vector2(1, 2)\nplace=Vektor2(3, 4)\n', "Line 4, column 7 "),
        (b'name="Bob"\ntown="here"\nhp=12\ntitle="the first\n', "Line 4, column 7 "),
    ],
)
def test_settings_without_a_section_open_with_their_mistake(text: bytes, place: str) -> None:
    document = Document(text)
    assert document.wraps.names == ("config",)
    errors = [each.message for each in document.findings.all() if each.code is Code.TEXT_BROKEN]
    assert errors[0].startswith(place), errors
    assert bytes(document.to_be_written()[:]) == text


@pytest.mark.parametrize(
    "text",
    [
        b'PRETTY_NAME="Debian"\nVERSION_ID="12"\nID=debian\nHOME_URL="https://here/"\n',
        b'A="x"\nB="y"\nC="z"\nRE=[a-z]*\n',
        b'A="x"\nB="y"\nC="z"\nD=$(date +"%Y")\n',
        b"port=8080\ndebug=true\nmax=10\npattern=[a-z]+\nname=My App\n",
        b'# options\nA="x"\nB="y"\nC="z\n',
        b'import os\nname="x"\nsize=[1, 2\ntitle="y"\nlist=[3]\n',
        b'extends Node\nvar name="x"\nvar size=Vector2(1, 2)\nfunc _ready():\n\tpass\n',
        b'x = "a"\ny = [1, 2]\nz = Vector2(1, 2)\nw = True\n',
        b"key=value\nother=thing\nmore=1\n",
        b"a=1\nb=2\nc=3;4\nd=,\n",
        b'<a b="c"\nd="e"\nf="g">\n',
    ],
)
def test_other_texts_of_keys_and_values_are_none(text: bytes) -> None:
    assert Document(text).text is None
