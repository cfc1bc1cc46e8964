"""The page about one item, and how much of large ones it looks at."""

from __future__ import annotations

import re
import struct
import tomllib
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import corpus
import pytest
from corpus import DATA, ENGINES, Engine, vector_bytes, vectors
from document.readers.resource_edits import files

from viewer.base import assets
from viewer.base.diagnostic import Code
from viewer.base.words import grouped_in
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.engines.lines import Evidence, concept, lines
from viewer.document.explain.explain import Page, explain, explain_file, facts
from viewer.document.packets.conversation import Flow
from viewer.document.packets.conversation import explain as explain_packet
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Kind, available, load, load_resource_values
from viewer.variant.items import Item

SAMPLES = Path(__file__).parents[3] / "resources" / "samples"
BROKEN = SAMPLES / "broken-packet.bin"
OUTER = re.compile(r"<(?:script|link|img|iframe)|https?:|src=|url\(")


def titles(page: Page) -> list[str]:
    return [section.title for section in page.sections]


def row(page: Page, title: str) -> list[str]:
    return [each.name for section in page.sections if section.title == title for each in section.rows]


def test_a_length_is_explained_by_its_bytes_its_layout_and_what_is_wrong() -> None:
    page = explain(Document.open(BROKEN), 0x44)
    assert titles(page) == ["Bytes", "Layout of String", "What is known", "Findings", "In the engine lines"]
    here = [each for each in page.sections[0].rows if each.here]
    assert [(each.name, each.place, each.bytes) for each in here] == [("length", "0x44", "00 00 00 04")]
    assert page.sections[3].notes[0].text == "Set the length to that of the text."


def test_findings_are_told_in_words_and_not_by_their_codes() -> None:
    page = explain(Document.open(BROKEN), 0x44)
    rows = page.sections[3].rows
    assert [each.name for each in rows] == ["error"]
    assert not any(code.slug in page.as_text().split() for code in Code)


def test_bytes_behind_an_error_are_not_said_to_be_skipped() -> None:
    #                    Dict.    1        String   says 2147483647
    raw = bytes.fromhex("12000000 01000000 04000000 ffffff7f 61626300")
    document = Document(raw, choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    assert "skipped silently" not in explain(document, 16).as_text()
    assert "stops at the first error" in explain(document, 16).as_text()


def test_skipped_bytes_are_explained_as_such() -> None:
    page = explain(Document.open(BROKEN), 0x48)
    assert page.title == "Skipped bytes"
    assert "guess" in page.as_text()


def test_a_guessed_value_says_that_it_is_one() -> None:
    assert any(
        "guess" in note.text for section in explain(Document.open(BROKEN), 0x5C).sections for note in section.notes
    )


def test_a_length_in_front_of_a_value_is_explained() -> None:
    page = explain(Document.open(SAMPLES / "godot3-rpg.save"), 0)
    assert page.title == "Length in front of a value"
    assert "store_var" in page.as_text()


def test_a_field_of_a_packet_is_explained_as_one() -> None:
    payloads = [bytes.fromhex(row["payload_hex"]) for row in corpus.payloads()[:40]]
    for raw in payloads:
        flow = Flow()
        document = Document(raw, explain=partial(explain_packet, flow=flow))
        assert all(explain(document, offset).title for offset in range(0, len(raw), 5))


def test_a_wrap_is_explained_with_what_is_known_of_it() -> None:
    page = explain_file(Document.open(DATA / "godot3" / "files" / "comp_zstd_empty.save"))
    assert any("GCPF, Zstd" in title for title in titles(page))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_every_byte_of_the_samples_has_a_page(path: Path) -> None:
    if path.suffix == ".toml":
        return
    document = Document.open(path)
    for offset in range(0, len(document.buffer), 1 + len(document.buffer) // 60):
        page = explain(document, offset)
        assert page.title
        assert any(section.notes for section in page.sections), hex(offset)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_type_has_a_page_with_its_layout(engine: Engine) -> None:
    dialect, seen = load(engine.dialect), set()
    for each in vectors(engine.folder):
        raw = vector_bytes(each)
        number = raw[0]
        if number in seen:
            continue
        seen.add(number)
        page = explain(Document(raw, choice=ReadOptions(dialect, framing=FramingKind.BARE)), Item(0, 0))
        assert f"Layout of {dialect.rows[number].name}" in titles(page)
        assert len(row(page, "In the engine lines")) == len(lines())
    assert len(seen) >= len(dialect.rows) - 3


def test_what_is_not_there_has_no_page() -> None:
    with pytest.raises(KeyError):
        explain(Document.open(BROKEN), 5000)
    with pytest.raises(KeyError):
        explain(Document.open(BROKEN), Item(0, 400))


def test_hostile_texts_are_escaped() -> None:
    raw = b"\x04\0\0\0\x14\0\0\0<script>x</script>\n\x1b"
    document = Document(raw, name="<b>\u202e", choice=ReadOptions(load("godot3"), framing=FramingKind.BARE))
    page = explain(document, 8)
    assert "<script" not in page.as_html()
    assert "\x1b" not in page.as_text()
    assert "<b>" not in explain_file(document).as_html()


def test_a_page_loads_nothing_and_is_whole() -> None:
    page = explain(Document.open(BROKEN), 0x44).as_html()
    assert OUTER.search(page) is None
    opened: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: opened.append(tag) if tag != "meta" else None  # type: ignore[method-assign]
    parser.handle_endtag = lambda tag: opened.remove(tag)  # type: ignore[method-assign]
    parser.feed(page)
    assert opened == ["!doctype"] or opened == []


# The facts


def test_every_fact_says_where_it_is_from() -> None:
    for fact in facts():
        assert fact.basis
        assert fact.evidence in Evidence


def test_every_subject_of_a_fact_is_one_that_a_page_asks_for() -> None:
    types = {f"type {name}" for line in available() for each in line.rows for name in (each.name, concept(each.name))}
    kinds = {f"kind {kind.value}" for kind in Kind}
    wraps = {f"wrap {name}" for name in ("gcpf", "gcmp", "gdec", "base64")}
    parts = {"header", "length", "count", "padding", "name_count", "flags", "text", "name", "real"}
    element = {"element_type", "key_type", "value_type"}
    fields = {f"field {name}" for name in ("header", "strings", "external resources", "internal resources", "end")}
    known = types | kinds | wraps | parts | element | fields | {"prefix", "gap", "guess", "packet"}
    assert [subject for fact in facts() for subject in fact.about if subject not in known] == []


RESOURCES = [path for line in ("godot3", "godot4") for path in files(line) if path.name.startswith(("game", "every"))]


@pytest.mark.parametrize("path", corpus.spread(RESOURCES, 2), ids=lambda path: path.name)
def test_what_is_true_of_stored_values_alone_is_not_said_of_resources(path: Path) -> None:
    document = Document(path.read_bytes())
    assert document.structure is not None
    own = {fact.text for fact in facts() if document.dialect.key in fact.engines}
    said = set()
    for index, frame in enumerate(document.frames):
        for node in frame.table.nodes:
            page = explain(document, Item(index, node))
            assert "64-bit flag" not in page.as_text()
            assert "multiple of four" not in page.summary or "ByteArray" in page.title
            said |= {
                note.text for section in page.sections for note in section.notes if section.title == "What is known"
            }
    for offset in (0, document.fields[-1].span.start, document.structure.offsets[-1].span.start):
        page = explain(document, offset)
        said |= {note.text for section in page.sections for note in section.notes if section.title == "What is known"}
    assert said
    assert said <= {grouped_in(text) for text in own}


def test_every_engine_of_a_fact_is_one() -> None:
    keys = [line.key for line in (*available(), *map(load_resource_values, ("godot3", "godot4")))]
    assert [name for fact in facts() for name in fact.engines if not any(key.startswith(name) for key in keys)] == []


def test_no_fact_stands_twice() -> None:
    entries = tomllib.loads(assets.text("facts.toml"))["facts"]
    assert len({(entry["text"], tuple(entry.get("engines", ()))) for entry in entries}) == len(entries)


TEXT = struct.pack("<II4s", 4, 4, b"gold")
NUMBER = struct.pack("<Ii", 2, 7)
TWICE = struct.pack("<II", 27, 2) + (TEXT + NUMBER) * 2
NOT_A_BOOL = struct.pack("<II", 1, 5)


def many() -> tuple[Document, int]:
    """An array with a key that is there twice in the middle, and bools that are none everywhere else."""
    head, half = struct.pack("<II", 28, 20_001), NOT_A_BOOL * 10_000
    data = head + half + TWICE + half
    return Document(data, choice=ReadOptions(load("godot4"), None, FramingKind.BARE)), len(head) + len(half)


def findings(document: Document, offset: int) -> list[tuple[str, str]]:
    """How grave each finding is, and the sentence."""
    sections = explain(document, offset).sections
    return [(row.name, row.meaning) for section in sections if section.title == "Findings" for row in section.rows]


def test_what_is_wrong_at_the_place_is_told() -> None:
    document, at = many()
    second_key = at + 8 + len(TEXT) + len(NUMBER)
    assert findings(document, second_key) == [
        ("warning", "This key occurred before; an engine keeps only the last value.")
    ]


def test_what_is_wrong_elsewhere_is_not_looked_for() -> None:
    document, at = many()
    explain(document, at)
    assert document.findings.known() == []


def test_a_value_among_many_is_judged_by_itself() -> None:
    document, at = many()
    assert findings(document, at - 4) == [
        ("warning", "This bool is 5; engines write 0 or 1 and read any other word as true.")
    ]
    assert "accepted, with a warning" in explain(document, at - 4).summary


def test_a_header_of_a_damaged_value_is_not_called_odd() -> None:
    short = bytes.fromhex(  # two bytes of the count are missing
        "12000000 0400 04000000 03000000 636d6400 04000000 04000000 6d6f7665 04000000 02000000 69640000"
        "02000100 c847e9cf8b010000 04000000 03000000 706f7300 05000000 0000803f687dde3d 04000000 01000000 74000000"
        "03000000 0000803f"
    )
    page = explain(Document(short, choice=ReadOptions(load("godot3"), None, FramingKind.BARE)), 0)
    assert "part of a value that seems to be damaged" in page.summary
    assert "warning" not in page.summary


def test_an_error_without_a_known_cause_names_the_doctor() -> None:
    page = explain(Document(bytes.fromhex("63000000 01020304")), 0).as_text()
    assert "error" in page
    assert "the doctor says what may have happened" in page


def test_a_path_that_nobody_could_read_is_left_out() -> None:
    data = struct.pack("<II", 28, 1) * 5000 + bytes(4)
    document = Document(data, choice=ReadOptions(load("godot4"), None, FramingKind.BARE))
    assert len(explain(document, len(data) - 2).summary) < 500
