"""What each engine line would do with bytes, against what the engines themselves said of the golden ones."""

from __future__ import annotations

import random
import re
import struct
import sys
from collections import Counter
from types import CodeType

import engine as godot3
import pytest
from corpus import DATA, ENGINES, Engine, Row, vector_bytes, vectors
from variant.exercise import random_frame
from variant.test_verdicts import frame_of, inputs, is_accepted, kills

from viewer.base.diagnostic import Code
from viewer.base.span import Span
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.engines.conditions import condition
from viewer.document.engines.lines import ALIASES, EngineCall, Evidence, line, line_of, lines
from viewer.document.engines.ruling import Ruling, rule
from viewer.document.engines.verdicts import EngineVerdict, Outcome, verdict_json, verdict_lines, verdicts
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.repairs import told
from viewer.variant.dialect import Precision, available, load

LINES = {
    "godot2": "godot2.1",
    "godot3": "godot3.2",
    "godot4": "godot4.4",
    "godot4-double": "godot4.4",
    "pandemonium4": "pandemonium4",
    "pandemonium5": "pandemonium5",
    "godot4.0": "godot4.0",
    "pandemonium3.5": "pandemonium3.5",
}
NO_SCRIPT_FILE = {"godot4-double tarray_script_missing_allow"}
UNLISTED_CLASS = {"pandemonium3.5 obj_unknown_class"}
ONLY_THE_ENGINE_KNOWS = NO_SCRIPT_FILE | UNLISTED_CLASS
"""Refused because of a script's file that no bytes tell of, or of a class where no list of them is at hand."""
CONDITION = re.compile(r'Condition (["\'])(?P<text>.*?)\1 is true\. [Rr]eturn(?:ed|ing): (?P<error>\w+)')
METHOD = re.compile(r'(Method(?:/function)? failed\.|Index .*?\.|Parameter ".*?" is null\.)(?:$| Return)')
BARE = ReadOptions(framing=FramingKind.BARE)

Case = tuple[Engine, Row, bytes]


def cases() -> list[Case]:
    return [
        (engine, row, frame) for engine in ENGINES for row in inputs(engine) if (frame := frame_of(row)) is not None
    ]


def ruling(engine: Engine, row: Row, frame: bytes) -> Ruling:
    allow = bool(row.get("allow_objects", "true" in row.get("api", "")))
    return rule(line(LINES[engine.folder]), frame, allow)


def outcome(found: Ruling) -> Outcome:
    if found.stop is None:
        return Outcome.ACCEPTS
    return Outcome.DIES if found.stop.condition.is_fatal else Outcome.REFUSES


def said(row: Row) -> tuple[str, str] | None:
    """The first condition that the engine's decoder named, and what it returned; the latter may be empty."""
    for message in row.get("engine_messages") or row.get("log", []):
        if "marshalls.cpp" not in message and not message.startswith(("ERROR: decode_", "ERROR: _decode_")):
            continue
        found = CONDITION.search(message)
        if found is not None:
            return " ".join(found["text"].split()), found["error"]
        plain = METHOD.search(message)
        if plain is not None:
            return plain[1], ""
    return None


def only(raw: bytes, key: str, allow: bool = False) -> EngineVerdict:
    return verdicts(raw, allow_objects=allow, engines=[line(key)])[0]


# Against what the engines said


def test_every_verdict_on_broken_bytes_is_the_engines_but_for_what_only_it_knows() -> None:
    different = {
        f"{engine} {row['id']}"
        for engine, row, frame in cases()
        if not kills(row)
        and outcome(ruling(engine, row, frame)) != (Outcome.ACCEPTS if is_accepted(row) else Outcome.REFUSES)
    }
    assert different == ONLY_THE_ENGINE_KNOWS


def test_verdicts_agree_in_995_of_1000() -> None:
    judged = sum(not kills(row) for _, row, _ in cases())
    assert judged > 2100
    assert len(ONLY_THE_ENGINE_KNOWS) <= judged / 200


def test_what_kills_an_engine_is_foretold() -> None:
    deadly = [case for case in cases() if kills(case[1])]
    assert len(deadly) == 9
    assert {outcome(ruling(*case)) for case in deadly} == {Outcome.DIES}


def test_every_condition_that_an_engine_named_is_named() -> None:
    compared, different = 0, []
    for engine, row, frame in cases():
        words = None if kills(row) or is_accepted(row) else said(row)
        stop = ruling(engine, row, frame).stop
        if words is None or stop is None:
            continue
        compared += 1
        error = stop.condition.error.name if stop.condition.error is not None else ""
        if (stop.condition.text, error) not in (words, (words[0], words[1] or error)):
            different.append(f"{engine} {row['id']}: {words}, not {stop.condition}")
    assert compared > 600
    assert different == []


def test_every_value_ends_where_the_engine_says_it_does() -> None:
    beyond = []
    for engine, row, frame in cases():
        if "used" not in row or not is_accepted(row):
            continue
        found = ruling(engine, row, frame)
        if found.stop is None and found.table.end_of_data != row["used"]:
            assert found.table.end_of_data == len(frame) < row["used"]  # it counts fill that is not there
            beyond.append(row["id"])
    assert len(beyond) == 14


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_vector_is_read_or_refused_as_the_engine_does_with_its_own_bytes(engine: Engine) -> None:
    own = line(LINES[engine.folder])
    different = [
        row.get("id", row["hex"])
        for row in vectors(engine.folder)
        if (rule(own, vector_bytes(row), allow_objects=True).stop is not None) != bool(row.get("decode_error"))
    ]
    assert different == []


# The engine itself


@pytest.mark.engine
def test_the_real_engine_agrees_on_spoilt_bytes() -> None:
    dice = random.Random(5)
    raws = [random_frame(load("godot3"), dice) for _ in range(150)]
    raws += [spoilt(bytes.fromhex(row["hex"]), dice) for _, row, _ in cases()[::5] if len(row["hex"]) < 4000]
    answers = godot3.read_back([godot3.Request(raw) for raw in raws])
    for raw, answer in zip(raws, answers, strict=True):
        stop = rule(line("godot3.2"), raw).stop
        assert (stop is not None) == bool(answer.error), raw.hex()
        if stop is not None and (found := CONDITION.search(answer.error or "")):
            assert stop.condition.text == found["text"], raw.hex()


def spoilt(raw: bytes, dice: random.Random) -> bytes:
    out = bytearray(raw or bytes(4))
    at = dice.randrange(len(out))
    out[at] = dice.choice((0, 1, 0x80, 0xFF))
    return bytes(out[: dice.randrange(1, len(out) + 1)]) if dice.random() < 0.3 else bytes(out)


# What single engines do


VECTOR4_THEN_INT = struct.pack("<III4fII", 0x1A, 2, 0x0B, 1, 2, 3, 4, 2, 5)


def test_pandemonium_misreads_what_follows_a_vector4() -> None:
    document = Document(VECTOR4_THEN_INT, choice=ReadOptions(load("pandemonium5"), framing=FramingKind.BARE))
    (found,) = verdicts(document, engines=[line("pandemonium5")])
    assert found.outcome is Outcome.DIFFERS
    assert found.span == Span(24, 28)  # the w of the vector is taken for the next header


def test_pandemonium_refuses_a_projection_without_many_bytes_behind_it() -> None:
    found = only(struct.pack("<I16f", 0x13, *range(16)), "pandemonium5")
    assert (found.outcome, found.code) == (Outcome.REFUSES, Code.ENGINE_REFUSES)


def test_pandemonium_reads_a_last_vector4_as_it_is() -> None:
    document = Document(VECTOR4_THEN_INT[8:28], choice=ReadOptions(load("pandemonium5"), framing=FramingKind.BARE))
    assert verdicts(document, engines=[line("pandemonium5")])[0].outcome is Outcome.ACCEPTS


EMPTY_ARRAY_OF_BOOL = bytes.fromhex("1c000100 01000000 00000000")


def test_godot_4_2_takes_an_element_type_for_the_count() -> None:
    document = Document(EMPTY_ARRAY_OF_BOOL, choice=ReadOptions(load("godot4"), framing=FramingKind.BARE))
    old, new = verdicts(document, engines=[line("godot4.2"), line("godot4.3")])
    assert new.outcome is Outcome.ACCEPTS
    assert old.outcome is Outcome.DIFFERS


def test_godot_4_3_knows_no_typed_dictionaries() -> None:
    raw = bytes.fromhex("1b000400 02000000 01000000  02000000 01000000 02000000 05000000")
    assert only(raw, "godot4.4").outcome is Outcome.ACCEPTS
    assert only(raw, "godot4.3").outcome is Outcome.REFUSES


def test_the_same_numbers_are_other_types_elsewhere() -> None:
    document = Document(
        bytes.fromhex("07000000 0000803F 00000040 00004040"), choice=ReadOptions(load("godot3"), None, BARE.framing)
    )
    found = {each.engine.key: each for each in verdicts(document)}
    assert found["godot3.2"].outcome is Outcome.ACCEPTS
    assert found["pandemonium4"].outcome is Outcome.DIFFERS
    assert {"Vector2", "Vector3."} <= set(found["pandemonium4"].text.split())
    assert found["godot4.4"].outcome is Outcome.REFUSES


OBJECT = bytes.fromhex("11000000 08000000") + b"Resource" + bytes(4)


def test_an_object_needs_leave() -> None:
    refused = only(OBJECT, "godot3.2")
    assert (refused.outcome, refused.condition, refused.error_name) == (
        Outcome.REFUSES,
        "!p_allow_objects",
        "ERR_UNAUTHORIZED",
    )
    allowed = only(OBJECT, "godot3.2", allow=True)
    assert allowed.outcome is Outcome.ACCEPTS
    assert "Resource" in allowed.notes[0]


def test_a_number_that_looks_like_an_object_is_none() -> None:
    assert only(bytes.fromhex("02000000 11000000"), "godot3.2").outcome is Outcome.ACCEPTS


def test_what_lies_too_deep_is_refused_or_kills() -> None:
    def nested(number: int, levels: int) -> bytes:
        return struct.pack("<II", number, 1) * levels + bytes(4)

    assert only(nested(0x1C, 1025), "godot4.4").error_name == "ERR_OUT_OF_MEMORY"
    assert only(nested(0x13, 20_000), "godot3.2").outcome is Outcome.ACCEPTS
    assert only(nested(0x13, 27_000), "godot3.2").outcome is Outcome.DIES


def test_more_arrays_than_godot_3_has_places_for_kill_it() -> None:
    one = struct.pack("<III", 0x15, 1, 7)
    array = struct.pack("<II", 0x13, 65_500) + one * 65_500
    assert only(array, "godot3.2").outcome is Outcome.DIES
    assert only(struct.pack("<II", 0x13, 65_000) + one * 65_000, "godot3.2").outcome is Outcome.ACCEPTS


def test_two_hostile_counts_are_followed_to_where_the_engine_stops() -> None:
    raw = struct.pack("<IIIII", 0x13, 0x7FFFFFFF, 0x13, 0x7FFFFFFF, 99)
    found = only(raw, "godot3.2")
    assert (found.condition, found.span) == ("(type & 0xFF) >= Variant::VARIANT_MAX", Span(16, 20))


TYPED = bytes.fromhex(
    "1c000100 02000000 04000000  02000000 05000000  03000000 0000c03f  01000000 01000000  04000000 00000000"
)


def test_each_version_of_godot_4_does_its_own_with_elements_of_another_type() -> None:
    before, later = verdicts(TYPED, engines=[line("godot4.5"), line("godot4.6")])
    said = "3 values are not of the type that their collection states: it"
    assert before.notes == (f"{said} drops 3.",)
    assert later.notes == (f"{said} converts 2 and drops 1.",)


WIDE_VECTOR = bytes.fromhex("05000100 9a9999999999b93f 000000000000f03f")


@pytest.mark.parametrize(("precision", "codes"), [(Precision.SINGLE, [Code.NARROWED]), (Precision.DOUBLE, [])])
def test_a_build_with_single_precision_rounds_64_bits(precision: Precision, codes: list[Code]) -> None:
    document = Document(WIDE_VECTOR, choice=ReadOptions(load("godot4.0"), precision, FramingKind.BARE))
    assert [found.code for found in document.findings.all()] == codes
    (found,) = verdicts(document, engines=[line("godot4.2")])
    assert (found.outcome, found.oddities) == (Outcome.ACCEPTS, 0)
    assert found.notes == ("Some numbers are of 64 bits: a build with single precision rounds them to 32.",)


# Frames


STORED = struct.pack("<III", 100, 2, 7)


@pytest.mark.parametrize(
    ("key", "call", "expected"),
    [
        ("godot3.2", EngineCall.FILE, Outcome.UNSURE),
        ("godot3.2", EngineCall.STREAM, Outcome.REFUSES),
        ("godot4.4", EngineCall.FILE, Outcome.REFUSES),
        ("godot3.2", EngineCall.BYTES, Outcome.ACCEPTS),
    ],
)
def test_a_length_behind_the_end_depends_on_the_call(key: str, call: EngineCall, expected: Outcome) -> None:
    document = Document(STORED, choice=ReadOptions(load("godot3"), framing=FramingKind.STORED))
    assert verdicts(document, call, engines=[line(key)])[0].outcome is expected


def test_an_engine_that_reads_behind_the_end_says_so_in_its_label() -> None:
    document = Document(STORED, choice=ReadOptions(load("godot3"), framing=FramingKind.STORED))
    (found,) = verdicts(document, EngineCall.FILE, engines=[line("godot3.2")])
    assert (found.label, found.reads_past) == ("reads past the end", True)
    assert told(found).words == "Godot 3.2: reads past the end, may show anything"


def test_the_first_frame_that_is_not_read_decides() -> None:
    good, bad = struct.pack("<III", 8, 2, 7), struct.pack("<III", 8, 99, 7)
    document = Document(good + bad, choice=ReadOptions(load("godot3"), framing=FramingKind.STORED))
    (found,) = verdicts(document, engines=[line("godot3.2")])
    assert (found.outcome, found.frame, found.span, found.path) == (Outcome.REFUSES, 1, Span(16, 20), "[1]@header")


def test_an_empty_file_has_verdicts() -> None:
    assert {found.outcome for found in verdicts(Document(b""))} == {Outcome.REFUSES}


def test_what_is_still_wrapped_has_no_verdict() -> None:
    document = Document.open(next((DATA / "godot2" / "files").glob("encrypted_*.gdec")))
    assert {found.outcome for found in verdicts(document)} == {Outcome.UNSURE}


@pytest.mark.parametrize("folder", ["godot3", "godot4"])
def test_what_an_engine_wrote_it_reads(folder: str) -> None:
    document = Document.open(next((DATA / folder / "files").glob("plain_multi.bin"), DATA / "godot3/files/rpg.save"))
    own = line_of(document.dialect)
    assert own is not None
    assert verdicts(document, engines=[own])[0].outcome is Outcome.ACCEPTS


# Lines


def test_every_dialect_has_a_line() -> None:
    assert all(line_of(dialect) is not None for dialect in available() if dialect.key in {"godot2", "godot3", "godot4"})
    assert {each.dialect.key for each in lines()} == {
        *("godot2", "godot3", "godot4.0", "godot4"),
        *("pandemonium3.5", "pandemonium4", "pandemonium5"),
    }


def test_a_version_is_found_in_its_line() -> None:
    assert {line(alias).key for alias in ALIASES} <= {each.key for each in lines()}
    assert line("godot4.2").key == "godot4.0"


def test_every_line_says_where_it_is_known_from() -> None:
    for each in lines():
        assert each.source.startswith("found by running" if each.evidence is Evidence.RUN else "from source")


def test_verdicts_are_told_as_lines_and_as_json() -> None:
    found = verdicts(b"\x63\0\0\0")
    assert len(list(verdict_lines(found))) == len(lines())
    told = verdict_json(found[1])
    assert (told["outcome"], told["error"], told["span"]) == ("refuses", "ERR_INVALID_DATA", [0, 4])


@pytest.mark.parametrize("each", lines(), ids=lambda each: each.key)
def test_no_bytes_make_a_verdict_fail(each: object) -> None:
    dice = random.Random(11)
    for _ in range(60):
        raw = random_frame(load("godot4"), dice)
        for found in verdicts(raw, allow_objects=bool(dice.getrandbits(1))):
            assert found.text


def test_only_the_first_of_many_errors_is_put_into_an_engines_words() -> None:
    texts = b"".join(struct.pack("<II", 4, 4) + b"\xff\xfe\xfd\xfc" for _ in range(500))
    codes: Counter[CodeType] = Counter()
    sys.setprofile(lambda frame, event, _: codes.update([frame.f_code] if event == "call" else []))
    try:
        found = rule(line("godot4.4"), struct.pack("<II", 28, 500) + texts)
    finally:
        sys.setprofile(None)
    assert found.stop is not None
    assert found.stop.span.start == 16
    assert codes[condition.__code__] == 1
