"""Every rule of an encoder is learned from what such an encoder wrote, named, and undone in all places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import corpus
import pytest
from document.doctor.judging import load_cases
from document.doctor.wrong_encoder import Pair, WrongEncoder

from viewer.document.doctor import examine, preview
from viewer.document.doctor.causes import Cause
from viewer.document.doctor.encoder_replay import EncoderReplay
from viewer.document.doctor.encoder_rule import EncoderRule
from viewer.document.doctor.encoder_rules import RULES
from viewer.document.doctor.encoder_shapes import shape_rules
from viewer.document.doctor.wire_format import ENGINE
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load

GODOT3, GODOT4 = load("godot3"), load("godot4")
ASKED = 48
"""Each so many-th of what engines refuse is asked about."""


def text(shown: str) -> Pair:
    return ("String", shown)


def pairs(*some: tuple[str, Pair]) -> Pair:
    return ("Dictionary", [(text(key), value) for key, value in some])


def player(number: int) -> Pair:
    """What a game sends of one player: every kind of value once."""
    return pairs(
        ("id", ("int", 1000 + number)),
        ("name", text(f"Spieler Größe 🙂 {number}")),
        ("alive", ("bool", True)),
        ("target", ("Nil", None)),
        ("speed", ("float", 1.5 * (number + 1))),
        ("score", ("int", 1712345678901 + number)),
        ("ratio", ("float", 0.1 * (number + 1))),
        ("pos", ("Vector2", (12.5 + number, -3.25))),
        ("velocity", ("Vector3", (0.5, 1.25, -2.0))),
        ("tint", ("Color", (0.25, 0.5, 1.0, 1.0))),
        ("levels", ("PackedInt32Array", [3, 1, 4, 1, 5 + number])),
        ("curve", ("PackedFloat32Array", [0.5, 0.25, 12.75])),
        ("tags", ("PackedStringArray", ["red", "Gegner", "boss"])),
        ("raw", ("PackedByteArray", bytes([9, 8, 7, 6, 5 + number]))),
        ("look", ("NodePath", "/root/Main/Look:position")),
        ("bag", ("Array", [text("sword"), text("Schlüssel"), ("int", 7)])),
    )


PACKET = pairs(
    ("type", text("state")), ("tick", ("int", 99123)), ("players", ("Array", [player(0), player(1), player(2)]))
)
INVISIBLE = frozenset(
    {
        "packed-real-32",
        "packed-vectors-as-doubles",
        "packed-count-of-numbers",
        "byte-array-padding-always",
        "text-padded-by-offset",
        "byte-array-padded-by-offset",
        "padded-by-offset",
        "element-type-left-out",
    }
)
"""Rules that make no difference to the packet: it has no such arrays, and its texts begin at multiples of four."""
TOO_LONG = frozenset({"text-field-of-16"})
"""Rules that have no room for what is in the packet."""
BY_NAME = [
    pytest.param(rule, id=f"{rule.slug}-{k}") for k, rule in enumerate(RULES) if rule.slug not in INVISIBLE | TOO_LONG
]
SMALL = pairs(("a", ("int", 5)), ("b", ("int", -7)), ("c", ("bool", True)), ("d", ("float", 0.5)), ("e", text("ok")))
FLAT = pairs(("id", ("int", 3)), ("list", ("Array", [("int", 1), ("int", 2)])), ("at", ("Vector2", (1.0, 2.5))))


def right(value: Pair) -> bytes:
    return WrongEncoder(GODOT4).encode(value)


def wrong(value: Pair, *rules: EncoderRule) -> bytes:
    wire: Any = ENGINE
    for rule in rules:
        wire = rule.on(wire)
        assert wire is not None
    return WrongEncoder(GODOT4, wire).encode(value)


def packet_for(rule: EncoderRule) -> Pair:
    """A packet that such an encoder can write, and that says what it means."""
    changes = dict(rule.changes)
    letters = {"cp1251": "Привет", "cp437": "Größe", "cp932": "勇者", "gbk": "勇者", "utf-8 twice": "Größe"}
    if changes.get("coding") in letters:
        shown = letters[changes["coding"]]
        more = [(f"note {k}", text(f"{shown} {k}")) for k in range(4)]
        return pairs(("name", text(shown)), *more, ("n", ("int", 3)))
    if changes.get("coding") in ("latin-1", "cp1252"):
        return pairs(("Größe", text("Schlüssel")), ("übel", text("Mäuse")), ("n", ("int", 3)))
    if changes.get("length_means") == "units" and "coding" in changes:
        return pairs(("Größe", text("Schlüssel 🙂")), ("n", ("int", 3)))
    if "end_mark" in changes or "none" in (changes.get("array_count"), changes.get("pair_count")):
        return FLAT
    if changes.get("header") == "high half":
        return pairs(("a", SMALL), ("b", text("abc")), ("c", ("Vector2", (1.0, 2.5))))
    if "unflagged" in changes.values():
        return PACKET
    if changes.keys() & {"int_size", "bool_size"} or changes.get("packed_int_size") == 2:
        return pairs(("s", SMALL), ("p", ("PackedInt32Array", [1, 2, 3])), ("t", text("abc")))
    return PACKET


@pytest.mark.parametrize(
    ("slug", "value", "told"),
    [
        ("number-64-without-flag", SMALL, "This is so in 3 of 3 numbers, first at"),
        (
            "padding-missing-everywhere",
            pairs(("rawest", ("PackedByteArray", bytes(range(5)))), ("four", text("abcdefg"))),
            "texts and byte arrays",
        ),
        (
            "reals-as-doubles",
            pairs(("at", ("Vector2", (1.5, 2.5))), ("f", ("float", 0.5))),
            "This is so in 2 of 2 floats, vectors",
        ),
    ],
)
def test_a_rule_of_several_kinds_counts_all_of_them(slug: str, value: Pair, told: str) -> None:
    rule = next(each for each in RULES if each.slug == slug)
    repairs = examine(Document(wrong(value, rule))).repairs
    assert told in next(each.reason for each in repairs if each.name == slug)


def test_lengths_before_values_are_swapped_with_all_else() -> None:
    rule = next(each for each in RULES if each.slug == "byte-order-but-texts")
    written, expected = wrong(PACKET, rule), right(PACKET)
    document = Document(len(written).to_bytes(4, "big") + written)
    first = examine(document).repairs[0]
    assert bytes(preview(document, first).buffer[:]) == len(expected).to_bytes(4, "little") + expected


def test_varints_that_are_all_even_are_zigzag() -> None:
    rule = next(each for each in RULES if each.slug == "int-zigzag")
    value = pairs(("a", ("int", 5)), ("b", ("int", 71)), ("c", ("int", 300)), ("d", text("end")))
    first = examine(Document(wrong(value, rule))).repairs[0]
    assert first.name == "int-zigzag"


def test_the_test_encoder_writes_as_the_engine_where_nothing_is_wrong() -> None:
    document = Document(right(PACKET))
    assert [frame.sound for frame in document.frames] == [True]
    assert not document.findings.all()
    assert document.frames[0].table.end_of_data == len(document.buffer)


def test_the_rules_that_are_left_out_make_no_difference() -> None:
    same = {rule.slug for rule in RULES if rule.slug in INVISIBLE and wrong(PACKET, rule) == right(PACKET)}
    assert same == INVISIBLE


@pytest.mark.parametrize("rule", BY_NAME)
def test_a_replay_by_a_rule_gives_what_an_engine_would_have_written(rule: EncoderRule) -> None:
    wire = rule.on(ENGINE)
    assert wire is not None
    value = packet_for(rule)
    written, expected = wrong(value, rule), right(value)
    solutions = list(EncoderReplay(written, GODOT4, wire).solutions())
    assert solutions, "the replay does not read it"
    results = []
    for each in solutions:
        data = written
        for patch in reversed(each.patches):
            data = data[: patch.at] + patch.new + data[patch.at + patch.size :]
        results.append(data)
    assert written != expected
    assert expected in results


@pytest.mark.parametrize("rule", corpus.spread(BY_NAME, 2))
def test_the_doctor_names_a_rule_and_undoes_it_everywhere(rule: EncoderRule) -> None:
    value = packet_for(rule)
    document = Document(wrong(value, rule))
    repairs = examine(document).repairs
    assert repairs, "it says nothing"
    restoring = [each for each in repairs[:3] if each.edit and bytes(preview(document, each).buffer[:]) == right(value)]
    assert restoring, [(each.name, each.confidence) for each in repairs[:3]]
    assert " of " in restoring[0].reason


def test_of_two_rules_at_one_place_the_bytes_change_once() -> None:
    """A header that is wrong in a value that another rule replaces whole."""
    document = Document(bytes.fromhex("17000000 ffffffff"), choice=ReadOptions(load("godot2")))
    for repair in examine(document).repairs:
        assert len(preview(document, repair).buffer) >= 4


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_bytes_that_engines_refuse_are_answered(engine: corpus.Engine) -> None:
    for row in corpus.spread(corpus.malformed(engine.folder), ASKED, engine.folder):
        document = Document(bytes.fromhex(row["hex"]), choice=ReadOptions(load(engine.dialect)))
        for repair in examine(document).repairs:
            preview(document, repair)


class OwnArrays(WrongEncoder):
    """Writes the texts of string arrays by a rule of their own: as an engine does, or as all other texts."""

    as_engine = True

    def _text(self, text: str, closed: bool = False, is_element: bool = False) -> None:
        wire = self.wire
        self.wire = ENGINE if is_element and self.as_engine else wire
        super()._text(text, closed and self.as_engine, is_element)
        self.wire = wire


@pytest.mark.parametrize("as_engine", [True, False], ids=["as an engine", "as other texts"])
@pytest.mark.parametrize(
    "slug",
    [
        "text-length-u16",
        "text-utf16",
        "c-strings-padded",
        "text-length-u16-big-endian",
        "length-counts-characters",
        "text-utf8-twice",
    ],
)
def test_string_arrays_may_be_written_apart_from_other_texts(slug: str, as_engine: bool) -> None:
    rule = next(each for each in RULES if each.slug == slug)
    encoder = OwnArrays(GODOT4, rule.on(ENGINE))
    encoder.as_engine = as_engine
    document = Document(encoder.encode(PACKET))
    first = examine(document).repairs[0]
    assert first.name == slug
    assert bytes(preview(document, first).buffer[:]) == right(PACKET)


def test_digits_have_no_end_where_texts_have_no_length() -> None:
    nuls = next(each for each in RULES if each.slug == "c-strings-padded")
    digits = next(each for each in shape_rules() if each.slug == "number-as-text")
    wire = nuls.on(digits.on(ENGINE))
    assert not list(EncoderReplay(wrong(PACKET, nuls), GODOT4, wire).solutions())


def test_who_writes_another_number_for_a_type_does_not_write_its_own() -> None:
    """One header that was overwritten, among others of the same type."""
    expected = right(PACKET)
    at = expected.index(b"speed") - 8
    document = Document(expected[:at] + b"\x61\xbc\0\0" + expected[at + 4 :])
    repairs = examine(document).repairs
    assert repairs[0].cause is Cause.WORD_OVERWRITTEN
    assert bytes(preview(document, repairs[0]).buffer[:]) == expected
    assert not any(each.name.startswith("unknown-id") for each in repairs)


def test_a_rule_that_shows_once_stands_beside_slips() -> None:
    """A number that was written three bytes too late, over the header behind it."""
    slots = [
        pairs(("item", text(item)), ("count", ("int", 7)), ("locked", ("bool", False))) for item in ("rope", "bread")
    ]
    expected = right(pairs(("slots", ("Array", slots)), ("gold", ("int", 12956)), ("owner", text("Chloe"))))
    at = expected.index(b"gold") + 8
    document = Document(expected[: at + 3] + b"\x4e\x61\xbc\0" + expected[at + 7 :])
    first = examine(document).repairs[0]
    assert first.cause is Cause.WORD_OVERWRITTEN


def test_a_typed_array_without_its_type_is_an_array() -> None:
    expected = right(PACKET)
    at = expected.index(b"bag") + 4
    document = Document(expected[:at] + b"\x1c\0\1\0" + expected[at + 4 :])
    first = examine(document).repairs[0]
    assert first.name == "element-type-left-out"
    assert bytes(preview(document, first).buffer[:]) == expected


def test_bits_that_mark_a_dictionary_alone_are_no_type_of_an_array() -> None:
    expected = right(PACKET)
    at = expected.index(b"bag") + 4
    document = Document(expected[:at] + b"\x1c\0\4\0" + expected[at + 4 :])
    first = examine(document).repairs[0]
    assert first.cause is Cause.BIT_FLIPPED
    assert bytes(preview(document, first).buffer[:]) == expected


@pytest.mark.parametrize("engine", ["godot3", "godot4.0"])
def test_flags_of_an_array_are_no_type_where_no_array_has_one(engine: str) -> None:
    dialect = load(engine)
    bags = pairs(*((f"bag{number}", ("Array", [text("sword"), text("key")])) for number in range(4)))
    data = WrongEncoder(dialect, ENGINE).encode(bags)
    header = dialect.type_number("Array").to_bytes(4, "little")
    flagged = data.replace(header + b"\2", header[:2] + b"\1\0\2")
    assert flagged.count(b"\1\0\2") == 4
    repairs = examine(Document(flagged, choice=ReadOptions(dialect=dialect))).repairs
    assert "element-type-left-out" not in {each.name for each in repairs}


def test_texts_without_their_nul_are_no_sign_that_other_texts_are_written_otherwise() -> None:
    rule = next(each for each in RULES if each.slug == "nul-missing")
    tags = pairs(("tags", ("PackedStringArray", ["red", "blue", "greenish"])), ("name", text("abc")))
    first = examine(Document(WrongEncoder(GODOT4, rule.on(ENGINE)).encode(tags))).repairs[0]
    assert first.name == rule.slug


def test_each_text_of_a_string_array_counts_and_an_empty_array_has_none() -> None:
    arrays: list[list[str]] = [["red", "blue", "green"], [], ["one"], []]
    data = right(("Array", [("PackedStringArray", each) for each in arrays]))
    found = next(EncoderReplay(data, GODOT4, ENGINE).solutions())
    assert found.sites["text of a string array"].seen == 4
    rest = next(EncoderReplay(right(("Array", [("PackedStringArray", [])])), GODOT4, ENGINE).solutions())
    assert "text of a string array" not in rest.sites


def first_reason(data: bytes) -> tuple[str, str, str]:
    """What the doctor thinks first: its name, its sentence and why."""
    first = examine(Document(data)).repairs[0]
    return first.name, first.sentence, first.reason


@pytest.mark.parametrize(("by", "what"), [(1, "one name too many stands"), (-1, "a name is missing")])
def test_type_numbers_that_are_off_are_told_by_the_lowest_that_shows_it(by: int, what: str) -> None:
    """The list of types is wrong somewhere below Color, of which nothing else is in the packet."""
    value = pairs(*((f"tint {k}", ("Color", (0.25 * k, 0.5, 1.0, 1.0))) for k in range(3)), ("n", ("int", 3)))
    rule = EncoderRule("shifted", "", "", "header", (("shift", (7, by)),))
    name, sentence, _ = first_reason(wrong(value, rule))
    assert name == "ids-shifted-by-one"
    assert f"from Color on at the latest: {what} before it in its list of types" in sentence
    assert sentence.endswith("an engine reads 20 as Color.")


def test_a_number_that_one_name_too_many_has_belongs_to_no_type() -> None:
    wire = EncoderRule("shifted", "", "", "header", (("shift", (4, 1)),)).on(ENGINE)
    assert wire is not None
    assert not list(EncoderReplay(right(pairs(("a", text("b")))), GODOT4, wire).solutions())


def test_a_rule_against_which_most_places_speak_is_believed_little() -> None:
    value = pairs(
        ("floats", ("PackedFloat32Array", [0.5, 1.5, 0.25])),
        *((f"ints {k}", ("PackedInt32Array", [1, 2, k])) for k in range(9)),
    )
    first = examine(Document(SomeArrays(GODOT4).encode(value))).repairs[0]
    assert first.name != "packed-array-as-array" or first.confidence < 0.4


def test_of_two_rules_the_counts_of_one_are_no_type_numbers_of_the_other() -> None:
    more = next(each for each in RULES if dict(each.changes).get("count_means") == "more")
    shift = EncoderRule("shifted", "", "", "header", (("shift", (7, 1)),))
    value = pairs(
        ("list", ("Array", [("int", k) for k in range(9)])),
        *((f"tint {k}", ("Color", (0.25 * k, 0.5, 1.0, 1.0))) for k in range(3)),
    )
    for repair in examine(Document(wrong(value, more, shift))).repairs:
        assert "Vector3 on" not in repair.sentence


def test_a_byte_order_mark_is_not_told_of_texts_without_one() -> None:
    """Texts of a string array that lack their NUL."""
    data = right(pairs(("name", text("Bob")), ("tags", ("PackedStringArray", ["gold", "swordfish", ""]))))
    for shown in (b"gold", b"swordfish"):
        old = (len(shown) + 1).to_bytes(4, "little") + shown + b"\0" + bytes(-(len(shown) + 1) % 4)
        assert old in data
        data = data.replace(old, len(shown).to_bytes(4, "little") + shown + bytes(-len(shown) % 4))
    assert all("mark" not in repair.sentence for repair in examine(Document(data)).repairs)


class SomeArrays(WrongEncoder):
    """Writes the type number of an Array before arrays of floats, and before those alone."""

    def _header(self, number: int) -> None:
        is_floats = number == GODOT4.type_number("PackedFloat32Array")
        super()._header(GODOT4.type_number("Array") if is_floats else number)


def test_places_that_speak_against_a_rule_are_counted() -> None:
    value = pairs(
        *((f"floats {k}", ("PackedFloat32Array", [0.5, 1.5, k + 0.25])) for k in range(2)),
        *((f"ints {k}", ("PackedInt32Array", [1, 2, k])) for k in range(3)),
    )
    name, _, reason = first_reason(SomeArrays(GODOT4).encode(value))
    assert name == "packed-array-as-array"
    assert reason.startswith("This is so in 2 of 5 type numbers of packed arrays, first at 0x")
    assert "; 3 are as an engine writes them." in reason


def test_where_most_speak_against_a_rule_it_is_not_named_beside_the_slip() -> None:
    """A text that was edited by hand, with its length but without its fill."""
    data = right(pairs(*((f"key{k}", text("abcde")) for k in range(6))))
    at = data.index(b"abcde", 100) + 5
    name, _, reason = first_reason(data[:at] + data[at + 3 :])
    assert name == "padding-missing"
    assert "rule" not in reason


def test_the_first_place_is_that_of_the_way_that_was_gone() -> None:
    """A float of eight bytes is first taken for one of four, which it cannot be."""
    encoder = WrongEncoder(GODOT4, ENGINE)
    value = pairs(("wide", ("float", 0.1)), *((f"f{k}", ("float", 1.5 + k)) for k in range(4)))
    data = encoder.encode(value)
    flagged = data.replace(b"\3\0\0\0", b"\3\0\1\0")
    name, _, reason = first_reason(flagged)
    assert name == "float32-with-flag"
    assert f"first at 0x{flagged.index(b'f0') + 4:X}, and 1 looks" in reason


def test_one_rule_of_any_engine_line_goes_before_two() -> None:
    """Godot 4 has another number for some of these types than the line that is tried first."""
    slug = "headers-lengths-big-endian"
    rule = next(each for each in (*RULES, *shape_rules()) if each.slug == slug)
    document = Document(wrong(PACKET, rule), choice=ReadOptions(GODOT3))
    free = Document(wrong(PACKET, rule))
    assert examine(free).repairs[0].name == slug
    assert document.dialect is GODOT3


def test_a_length_that_counts_the_padding_is_a_multiple_of_four() -> None:
    """Else it counts a closing NUL, in the texts of string arrays beside the one that an engine counts."""
    value = pairs(("name", text("hero")), ("format", ("PackedStringArray", ["ab", "abc", "Größe"])))
    nul = next(each for each in RULES if each.slug == "length-counts-nul")
    padded = next(each for each in RULES if each.slug == "length-counts-padding")
    texts = [b"name", b"hero", b"format", b"ab\0", b"abc\0", "Größe\0".encode()]
    data = right(value)
    for each in texts:
        old = len(each).to_bytes(4, "little") + each + bytes(-len(each) % 4)
        new = (len(each) + 1).to_bytes(4, "little") + each + bytes(1 + -(len(each) + 1) % 4)
        assert old in data
        data = data.replace(old, new)
    for rule, reads in ((nul, True), (padded, False)):
        assert bool(list(EncoderReplay(data, GODOT4, rule.on(ENGINE)).solutions())) is reads  # type: ignore[arg-type]
    assert first_reason(data)[0] == "length-counts-nul"


def test_what_a_repair_cannot_bring_back_is_said() -> None:
    rule = next(each for each in RULES if each.slug == "bool-no-payload")
    first = examine(Document(wrong(PACKET, rule))).repairs[0]
    assert (first.name, "true stands in for it" in first.note) == ("bool-no-payload", True)


def test_where_counts_may_be_others_too_it_is_said() -> None:
    """All counts are zero: pairs behind a Dictionary in another one may be of either."""
    lists = Path(__file__).parent / "heldout"
    cases = [each for path in lists.glob("f*.jsonl.gz") for each in load_cases(path)]
    answers = [examine(Document(each.data)).repairs for each in cases if each.kind == "lua-map-count-zero"]
    open_ways = [each for repairs in answers for each in repairs if each.name == "dictionary-count-means-nothing"]
    assert any("do not trust the repaired bytes" in each.note for each in open_ways)
