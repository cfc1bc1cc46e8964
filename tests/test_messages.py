"""Messages: each is listed where it can be read, is whole English, and gives its numbers in words."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import corpus
import pytest

from viewer.base.diagnostic import Code, Diagnostic
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.advice import ADVICE
from viewer.document.doctor import Cause
from viewer.document.document import Document
from viewer.document.engines.lines import lines
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.row_data import short_words
from viewer.variant.dialect import load

ROOT = Path(__file__).parents[1]
WRONG = re.compile(
    r"(?<!-)\b1 (?:bytes|elements|pairs|values|frames|texts|things)\b|\b(\w+) \1\b|“”|\s\s|\{|\}"
    r"|\b[Aa] [AEIOaeio]\w|\b0 bytes\b|\b[Oo]nly 0\b|\bfill\b|\.\.|\bNone\b"
)
"""What no sentence has: wrong plurals and articles, a word twice, empty quotes, holes, counts of nothing."""
SENTENCES = (Code.RESOURCE_REFUSED, Code.REFERENCE_LOST)
OF_TEXTS = (Code.TEXT_BROKEN, Code.TEXT_CANNOT, Code.TEXT_NOTE, Code.TEXT_SLIP, Code.WRAP_NOTE)
TEXTS = (Code.PACKET_REFUSED, Code.PACKET_ODD, Code.WRAP_CLOSED, Code.WRAP_DAMAGED, *SENTENCES, *OF_TEXTS)


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def broken() -> Iterator[Document]:
    """Bytes that hold most findings, one after another."""
    for engine in corpus.ENGINES:
        for row in corpus.malformed(engine.folder)[::3]:
            yield Document(bytes.fromhex(row["hex"]), choice=ReadOptions(load(engine.dialect)))


@cache
def found() -> tuple[Diagnostic, ...]:
    return tuple(each for document in broken() for each in document.findings.all())


def test_every_sentence_of_the_source_is_listed() -> None:
    listed = {ast.literal_eval(text) for _, _, text in tool("message_texts").texts(ROOT / "viewer") if text[0] != "f"}
    sentences = [code.template for code in Code if code not in TEXTS] + [ADVICE[code] for code in Code]
    sentences += [cause.sentence.removesuffix(".") for cause in Cause]
    made = {text for text in sentences if text not in listed}
    assert {code.slug for code in Code if ADVICE[code] in made} <= {"unknown-type", "value-damaged"}
    assert {text for text in made if text not in ADVICE.values()} == set()


def test_every_code_says_what_to_do() -> None:
    assert [code.slug for code in Code if not ADVICE[code].endswith(".")] == []


def test_the_words_of_every_engine_are_listed_with_it() -> None:
    assert all(line.words and line.source for line in lines())


def test_findings_are_whole_sentences() -> None:
    said = {each.message for each in found()}
    assert len(said) > 100
    assert [text for text in said if not re.match(r"[A-Z“\d].*\.\Z", text, re.DOTALL)] == []
    assert [text for text in said if WRONG.search(text)] == []


def test_findings_in_a_few_words_count_as_the_sentences_do() -> None:
    said = {short_words(each) for each in found()}
    assert [text for text in said if WRONG.search(text) or not text] == []


@pytest.mark.parametrize(
    ("dialect", "digits", "sentence"),
    [
        ("godot3", "04000000 0300", "The length of this text needs 4 bytes here, but only 2 bytes are left."),
        ("godot3", "12000000 01", "The count of this Dictionary needs 4 bytes here, but only 1 byte is left."),
        ("godot3", "17000000 01000000 0300", "The length of element 0 needs 4 bytes here, but only 2 bytes are left."),
        (
            "godot3",
            "0f000000 01000080 00000000 00000000",
            "The length of name 0 needs 4 bytes here, but no bytes are left.",
        ),
        ("godot4", "1c000100 02", "The element type needs 4 bytes here, but only 1 byte is left."),
        (
            "godot4",
            "1c000300 0200",
            "The length of this element script path needs 4 bytes here, but only 2 bytes are left.",
        ),
        (
            "godot3",
            "13000000 02000000 00000000",
            "The Array promises 2 elements, but only 1 is there, and no bytes are left for more.",
        ),
        (
            "godot3",
            "13000000 01000000 0300",
            "The Array promises 1 element, but none is there, and only 2 bytes are left for more.",
        ),
        (
            "godot3",
            "11000000 01000000 41000000 01000000",
            "The Object promises 1 property, but none is there, and no bytes are left for more.",
        ),
        (
            "godot3",
            "18000000 01000000 0000",
            "This PoolVector2Array says it holds 1 element, which takes 8 bytes, but only 2 bytes are left.",
        ),
        (
            "godot3",
            "14000000 05000000 6162636465 0000",
            "The data ends 1 byte before this padding does; engines accept that there.",
        ),
        (
            "godot3",
            "04000000 03000000 616263",
            "This text must be followed by 1 byte of padding, but no bytes are left.",
        ),
        (
            "godot4",
            "04000000 01000000 ff000000",
            "The byte 0xFF does not belong here: this text is not UTF-8 (no character begins with it).",
        ),
        (
            "godot4",
            "1c000300 00000000 00000000",
            "A script must be a path that begins with res://; Godot 4 refuses an empty text.",
        ),
        (
            "godot2",
            "0f000000 04000000 00000000 02000000 02000000 00000000",
            "No pixels are here for an image of 2 by 2 in RGBA: the engine reads an empty image.",
        ),
        (
            "godot3",
            "12000000 02000000 02000000 07000000 00000000 02000000 07000000 00000000",
            "This key occurred before; an engine keeps only the last value.",
        ),
    ],
)
def test_a_finding_names_what_lacks_and_what_is_there(dialect: str, digits: str, sentence: str) -> None:
    document = Document(bytes.fromhex(digits), choice=ReadOptions(load(dialect), framing=FramingKind.BARE))
    assert sentence in [each.message for each in document.findings.all()]


def test_an_object_whose_class_is_cut_off_is_not_called_null() -> None:
    #                    Object   a class of 9 bytes, none of which is there
    data = bytes.fromhex("11000000 09000000")
    document = Document(data, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    assert Code.NULL_OBJECT not in {each.code for each in document.findings.all()}


@pytest.mark.parametrize(("size", "words"), [(1, "here is 1 byte"), (3, "here are 3 bytes")])
def test_where_no_value_begins_it_is_said_what_one_takes(size: int, words: str) -> None:
    document = Document(b"\3\0\0"[:size])
    assert words in document.findings.all()[0].message


def test_one_byte_comes_before_the_next_value() -> None:
    facts = {"length": "0 bytes", "available": "1 byte"}
    assert "1 byte comes before" in Diagnostic(Code.PREFIX_TOO_SHORT, Span(0, 4), facts=facts).message
