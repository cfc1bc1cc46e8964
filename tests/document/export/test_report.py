"""The report: the same facts as text, as JSON and as a page, whatever hostile texts the bytes hold."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import pytest
from corpus import ENGINES, Engine, malformed

from viewer.base.diagnostic import Code
from viewer.container.frames import FramingKind
from viewer.document.advice import ADVICE
from viewer.document.document import Document
from viewer.document.engines.lines import lines
from viewer.document.export.report import WHOLE, report, report_json, report_text
from viewer.document.export.report_html import report_html
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"
BROKEN = SAMPLES / "broken-packet.bin"
OUTER = re.compile(r"<(?:script|link|img|iframe|object)|https?:|src=|url\(|@import")
HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m\n"


def test_the_text_tells_the_finding_beside_its_bytes() -> None:
    lines = list(report_text(report(Document.open(BROKEN))))
    at = next(k for k, text in enumerate(lines) if text.startswith("  00000040"))
    assert lines[at + 1].split()[4:8] == ["!!"] * 4
    assert lines[at + 2].strip().startswith("^ 0x44: error length-too-long")


def test_the_json_tells_all_and_its_runs_tile() -> None:
    told = json.loads(report_json(report(Document.open(BROKEN))))
    assert sum(told["bytes"].values()) == told["size"] == 120
    assert [each["engine"] for each in told["engines"]] == [engine.key for engine in lines()]
    assert [told["runs"][0][0], told["runs"][-1][1]] == [0, 120]
    assert all(a[1] == b[0] for a, b in zip(told["runs"], told["runs"][1:], strict=False))
    assert told["findings"][0]["advice"]


def test_of_an_empty_file_nothing_is_explained() -> None:
    told = report(Document(b""))
    assert json.loads(report_json(told))["explained"] is None
    assert "Explained: no bytes" in list(report_text(told))
    assert json.loads(report_json(report(Document(bytes.fromhex("02000000 05000000")))))["explained"] == 1.0


def test_the_page_loads_nothing_and_escapes_texts() -> None:
    text = HOSTILE.encode()
    raw = struct.pack("<II", 4, len(text)) + text + bytes(-len(text) % 4) + b"xyz"
    document = Document(raw, name=HOSTILE, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    page = "".join(report_html(report(document)))
    assert OUTER.search(page) is None
    assert not {"\u202e", "\x1b"} & set(page)
    assert all(text.isprintable() for text in report_text(report(document)))


def test_a_hostile_key_in_a_path_is_escaped() -> None:
    key = b"<img src=x onerror=y>"
    raw = struct.pack("<IIII", 0x12, 1, 4, len(key)) + key + bytes(-len(key) % 4) + struct.pack("<II", 1, 7)
    page = "".join(report_html(report(Document(raw, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE)))))
    assert "&lt;img" in page
    assert OUTER.search(page.replace("&lt;img src=", "")) is None


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_tenth_broken_input_has_a_report(engine: Engine) -> None:
    for row in malformed(engine.folder)[::10]:
        told = report(Document(bytes.fromhex(row["hex"]), choice=ReadOptions(load(engine.dialect))))
        assert list(report_text(told))
        assert json.loads(report_json(told))["size"] == len(told.document.buffer)
        assert "".join(report_html(told)).endswith("</html>\n")


def test_of_a_large_document_only_what_matters_is_shown() -> None:
    count = WHOLE
    raw = bytearray(struct.pack("<II", 0x13, count) + struct.pack("<II", 1, 1) * count)
    raw[8 * 9000 + 4] = 7
    told = report(Document(bytes(raw), choice=ReadOptions(load("godot3"), framing=FramingKind.BARE)))
    assert sum(map(len, told.rows)) < 20
    assert 8 * 9000 // 16 in told.rows[-1]


def test_every_code_has_advice() -> None:
    assert set(ADVICE) == set(Code)
    assert all(text.endswith(".") for text in ADVICE.values())


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("02000000 00", "This int needs 4 bytes here, but only 1 byte is left."),
        ("00000000 00", "1 byte follows the value inside its frame, which engines skip."),
        ("02000000 0000", "This int needs 4 bytes here, but only 2 bytes are left."),
    ],
)
def test_one_byte_has_the_verb_of_one(raw: str, sentence: str) -> None:
    document = Document(bytes.fromhex(raw), choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    assert sentence in [found.message for found in document.findings.all()]
