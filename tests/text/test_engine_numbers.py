"""Numbers in texts are read to the last bit as the engines read them, by every reader that there is."""

from __future__ import annotations

from math import inf
from types import ModuleType
from unittest.mock import patch

import pytest
from engine4 import Godot
from text.engine_numbers import (
    Row,
    as_double,
    bits,
    listed,
    numbers,
    of_godot3,
    of_godot4,
    of_settings,
    plain,
    rows,
    settings,
)
from text.test_token_hops import PLAIN

from viewer.document.document import Document
from viewer.text import engine_parser, json_parser, token_hops
from viewer.text.engine_parser import EngineTextParser
from viewer.text.float_spelling import engine_float
from viewer.text.json_parser import JsonParser
from viewer.variant.dialect import Dialect, load_text_values
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Value

ROWS = rows()
TEXTS = [row.text for row in ROWS]
LIMIT = 1 << 24
READERS = pytest.mark.parametrize("hopping", [None, token_hops, PLAIN], ids=("patterns", "hops", "plain hops"))
"""The patterns of the parsers alone, and with hops as they are compiled and as they stand."""


def parsed(parser: JsonParser | EngineTextParser, dialect: Dialect) -> Value:
    parser.read()
    assert not parser.damages
    return read(scan(bytes(parser.out), dialect))


def reading_by(hopping: ModuleType | None) -> dict[str, object]:
    return {"COMPILED": hopping is not None, "TokenHops": (hopping or token_hops).TokenHops}


def test_the_data_are_of_the_numbers_that_are_asked() -> None:
    assert numbers() == TEXTS


@READERS
def test_json_says_what_engines_read(hopping: ModuleType | None) -> None:
    with patch.multiple(json_parser, **reading_by(hopping)):
        value = parsed(JsonParser(listed(TEXTS).encode(), LIMIT), load_text_values("json"))
    assert list(zip(TEXTS, plain(value.data), strict=True)) == [(row.text, row.json) for row in ROWS]


@READERS
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e-2147483648", 0.0),
        ("1e-2147483649", inf),
        ("0.1e-2147483648", inf),
        ("1e-4294967297", 0.1),
        ("0.01e4294967297", 0.1),
    ],
)
def test_exponents_are_counted_in_32_bits_as_godot_3_does(text: str, number: float, hopping: ModuleType | None) -> None:
    assert engine_float(text) == number
    with patch.multiple(json_parser, **reading_by(hopping)):
        value = parsed(JsonParser(f"[{text}]".encode(), LIMIT), load_text_values("json"))
    assert plain(value.data) == [bits(number)]


@READERS
@pytest.mark.parametrize("line", ["godot3", "godot4"])
def test_settings_say_what_engines_read(line: str, hopping: ModuleType | None) -> None:
    dialect = load_text_values(line)
    with patch.multiple(engine_parser, **reading_by(hopping)):
        value = parsed(EngineTextParser(settings(TEXTS, line).encode(), dialect, LIMIT, False), dialect)
    values, vectors, singles, doubles = of_settings(value)
    found = [Row(row.text, row.json, *each) for row, each in zip(ROWS, zip(values, vectors, strict=True), strict=True)]
    assert found == ROWS
    assert singles == vectors
    assert doubles == ([as_double(row.value) for row in ROWS] if line == "godot4" else [])


@pytest.mark.parametrize("row", ROWS[::100], ids=TEXTS[::100])
def test_a_number_by_itself_is_read_the_same(row: Row) -> None:
    (found,) = plain(read(Document(f"[{row.text}]".encode()).frames[0].table).data)
    assert found == row.json
    number = Document(f"[a]\nb={row.text}\n".encode())
    assert row.value in (bits(engine_float(row.text)), f"int:{read(number.frames[0].table, 4).data}")


def test_floats_in_an_object_are_read_the_same() -> None:
    document = Document(b'[a]\nb=Object(Node,"c":1.4000000000000001,"d":"1.4000000000000001")\n')
    assert "1.4," in (said := repr(read(document.frames[0].table))) or "1.4)" in said
    assert '"1.4000000000000001"' in said or "'1.4000000000000001'" in said


@pytest.mark.engine
def test_godot3_reads_these_numbers() -> None:
    assert of_godot3(TEXTS) == ROWS


@pytest.mark.engine4
def test_godot4_reads_these_numbers(godot4: Godot) -> None:
    assert of_godot4(TEXTS, godot4) == ROWS
