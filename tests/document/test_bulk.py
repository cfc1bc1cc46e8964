"""Bulk edits: what they refuse, what they keep, and that hostile input costs nothing."""

from __future__ import annotations

import corpus
import pytest

from viewer.base.progress import Cancelled
from viewer.container.frames import FramingKind
from viewer.document.bulk import BulkError, check, plan
from viewer.document.bulk.planning import BulkPlan
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

GODOT3, GODOT4 = load("godot3"), load("godot4")


def opened(literal: str, dialect: str = "godot4") -> Document:
    found = load(dialect)
    return Document(encode(parse_literal(literal, found), found), choice=ReadOptions(found, framing=FramingKind.BARE))


def rows(found: BulkPlan) -> list[str]:
    return [f"{found.path(row)} {found.after(row)}{row.problem}" for row in found.rows]


def outcome(literal: str, expression: str, dialect: str = "godot4") -> list[str]:
    return rows(plan(opened(literal, dialect), expression))


# What cannot be read


@pytest.mark.parametrize(
    ("expression", "position"),
    [
        ("", 0),
        ("a", 1),
        ("a -> ", 5),
        ("a -> 1 2", 7),
        ("a = 1 -> 2", 2),
        ("a < 1 < 2 -> 3", 6),
        ("a -> (1", 7),
        ('a -> "x', 5),
        ("a[ -> 1", 1),
        ("a[?b -> 1", 5),
        ("a -> sqrt(4)", 5),
        ("a -> min()", 5),
        ("a -> clamp(1, 2)", 5),
        ("a -> Vector2(1)", 5),
        ("a -> Vector2(value.x, 1, 2)", 5),
        ("a -> 99999999999999999999", 5),
        ('a matches "(" -> 1', 10),
        ("a matches b -> 1", 10),
        ('..[type == "Vector"] -> 1', 11),
        ("a#0 -> 1", 2),
        ("a@count -> 1", 1),
        ("5 -> 1", 0),
        ("a -> and", 5),
        ("a -> ! b", 5),
        ("a -> " + "(" * 500, 45),
        ("a -> " + "-" * 500, 45),
        ("a -> " + "1+" * 500 + "1", 306),
        ("a" + ".a" * 100 + " -> 1", 101),
        ("a -> " + "1" * 5000, 4000),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_cannot_be_read_says_where(expression: str, position: int) -> None:
    with pytest.raises(BulkError) as caught:
        check(opened("{}"), expression)
    assert caught.value.position == position
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a|aa)*", "a*a*a*", r"(a)\\1", "(?=a)", "a?" * 40, "((a{1,9}){1,9}){1,9}", "a{999}b*c*", "a" * 300],
)
def test_patterns_that_may_run_for_ever_are_refused(pattern: str) -> None:
    with pytest.raises(BulkError):
        check(opened("{}"), f'a matches "{pattern}" -> 1')


def test_a_long_text_is_listed_and_not_matched() -> None:
    found = outcome('{"a": "' + "x" * 501 + '", "b": "xx"}', '.* matches "x+" -> "y"')
    assert len(found) == 2
    assert "501" not in found[0]
    assert "up to 500 characters" in found[0]
    assert found[1] == '[0].b "y"'


# Types stay


@pytest.mark.parametrize(
    ("literal", "new", "after"),
    [
        ("5", "6.0", "6"),
        ("5", "value / 2", "2.5 is not a whole number"),
        ("5", "10 / 2 + 1", "6"),
        ("5", '"x"', "stays of type int"),
        ("5", "true", "stays of type int"),
        ("5", "null", "stays of type int"),
        ("5", "9223372036854775807", "9223372036854775807"),
        ("5", "9223372036854775807 + 1", "does not fit"),
        ("5", "value / 0", "cannot be divided by 0"),
        ("5", "inf", "inf is not a whole number"),
        ("5", "1e400", ""),
        ("5", "1e300 * 1e300", "inf is not a whole number"),
        ("5.5", "2", "2.0"),
        ("5.5", "round(value)", "6.0"),
        ("true", "not value", "false"),
        ("true", "1", "stays of type bool"),
        ('"a"', "value + str(5)", '"a5"'),
        ('"a"', "value + 5", "write str(…)"),
        ('&"a"', '"b"', '&"b"'),
        ('^"A/B"', '"A/C"', 'NodePath("A/C")'),
        ('^"A/B"', 'str(value) + "/C"', 'NodePath("A/B/C")'),
        ("Vector2i(1, 2)", "Vector2(3, 4)", "Vector2i(3, 4)"),
        ("Vector2i(1, 2)", "value * 2", "Vector2i(2, 4)"),
        ("Vector2(1, 2)", "5", "stays of type Vector2"),
        ("[1]", "[]", "[]"),
        ("PackedInt32Array(1)", "[1, 2]", "PackedInt32Array(1, 2)"),
        ("null", "[1]", "[1]"),
    ],
)
def test_values_keep_their_type(literal: str, new: str, after: str) -> None:
    if new == "1e400":
        with pytest.raises(BulkError):
            plan(opened(f"[{literal}]"), f"[*][*] -> {new}")
        return
    found = plan(opened(f"[{literal}]"), f"[*][*] -> {new}")
    assert len(found.rows) == 1
    row = found.rows[0]
    assert after in row.problem if row.problem else after == found.after(row)


def test_an_int_grows_to_64_bits_where_the_engine_has_them() -> None:
    document = opened("[5]")
    edit = plan(document, "[0][0] -> 4294967296").edit
    assert edit is not None
    document.apply(edit)
    assert bytes(document.buffer[8:]) == bytes.fromhex("02000100 0000000001000000")


def test_godot_2_has_no_such_ints() -> None:
    assert "does not fit" in outcome("[5]", "[0][0] -> value * 65536 * 65536", "godot2")[0]


# Structure


def test_longer_texts_keep_the_length_prefix_true() -> None:
    body = encode(parse_literal('{"a": "x", "b": "y"}', GODOT3), GODOT3)
    raw = len(body).to_bytes(4, "little") + body
    document = Document(raw, choice=ReadOptions(GODOT3, framing=FramingKind.STORED))
    edit = plan(document, '.* -> value + " and more"').edit
    assert edit is not None
    document.apply(edit)
    assert not document.findings.all()
    assert int.from_bytes(document.buffer[:4], "little") == len(document.buffer) - 4


def test_a_value_inside_one_that_is_replaced_stays() -> None:
    found = outcome('{"a": {"a": {"a": 1}}}', "..a -> {}")
    assert (found[0], len(found)) == ("[0].a {}", 3)
    assert "is inside" in found[1]


def test_equal_keys_are_told_apart() -> None:
    assert outcome('{"a": 1, "a": 2}', "a -> 5") == ["[0].a 5"]
    assert outcome('{"a": 1, "a": 2}', "a#2 -> 5") == ["[0].a#2 5"]
    assert outcome('{"a": 1, "a": 2}', "..a -> 5") == ["[0].a 5", "[0].a#2 5"]


def test_a_text_that_looks_like_a_key_is_none() -> None:
    assert outcome('{"b": "gold", "c": ["gold", 1], "gold": 2}', "..gold -> 5") == ["[0].gold 5"]


def test_names_reach_the_properties_of_objects() -> None:
    literal = 'Object(Resource,"gold":5,"name":"x")'
    assert outcome(f"[{literal}]", "..gold -> 6") == ["[0][0].gold 6"]
    assert outcome(f"[{literal}]", "[*][*].gold -> 6") == ["[0][0].gold 6"]
    assert outcome(f"[{literal}]", '[*][?name == "x"].gold -> 6') == ["[0][0].gold 6"]


def test_names_among_many_keys() -> None:
    literal = "{" + ", ".join(f'"k{n}": {n}' for n in range(200)) + "}"
    assert outcome(literal, "k150 -> 0") == ["[0].k150 0"]
    assert outcome(literal, "[?k150 == 150].k151 -> 0") == ["[0].k151 0"]


def test_what_is_already_so_is_no_change() -> None:
    found = plan(opened("[1, 1]"), "[0][*] -> 1")
    assert (found.edit, list(found.rows), found.same) == (None, [], 2)
    assert "already" in found.summary


def test_the_document_is_not_changed_by_planning() -> None:
    document = opened("[1, 2]")
    before, revision = bytes(document.buffer[:]), document.revision
    plan(document, "[0][*] -> 5")
    assert (bytes(document.buffer[:]), document.revision) == (before, revision)


def test_shared_bits_stay() -> None:
    #                    Array    1, shared
    raw = bytes.fromhex("13000000 01000080 13000000 01000080 02000000 05000000")
    document = Document(raw, choice=ReadOptions(GODOT3, framing=FramingKind.BARE))
    edit = plan(document, "[0][0] -> []").edit
    assert edit is not None
    document.apply(edit)
    assert bytes(document.buffer[:]).hex(" ", 4) == "13000000 01000080 13000000 00000080"


def test_it_can_be_given_up() -> None:
    document = opened("[" + "1, " * 20_000 + "1]")
    with pytest.raises(Cancelled):
        plan(document, "[0][*] -> 5", progress=lambda offset: False)


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.document.bulk.planning.MOST_ROWS", 10)
    with pytest.raises(BulkError, match="narrow"):
        plan(opened("[" + "1, " * 20 + "1]"), "[0][*] -> 5")


# Hostile bytes


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_no_broken_input_breaks_it(engine: corpus.Engine) -> None:
    for row in corpus.spread(corpus.malformed(engine.folder), 18, engine.folder):
        document = Document(bytes.fromhex(row["hex"]), choice=ReadOptions(load(engine.dialect)))
        for expression in (
            "..* -> value",
            "..a if name == 1 -> 1",
            "..*[*] -> len(value)",
            "..*.x -> key",
            "..*@key -> 5",
        ):
            before, found = bytes(document.buffer), plan(document, expression)
            assert (found.edit is not None) == (found.changes > 0)
            if found.edit is not None:
                document.apply(found.edit)
                document.undo()
            assert bytes(document.buffer) == before


@pytest.mark.parametrize("engine", corpus.ENGINES, ids=str)
def test_every_value_set_to_itself_is_no_change(engine: corpus.Engine) -> None:
    for row in corpus.vectors(engine.folder):
        raw = corpus.vector_bytes(row)
        document = Document(raw, choice=ReadOptions(load(engine.dialect), framing=FramingKind.BARE))
        found = plan(document, "..* -> value")
        assert not [text for text in rows(found) if "is inside" in text]
        if found.edit is not None:
            document.apply(found.edit)
            assert len(document.frames) == 1


@pytest.mark.parametrize("expression", ["..* -> 1", "..a -> 1", "..*..*[*] -> 1", "..[len(value) == 1] -> 1"])
def test_deep_nesting_neither_recurses_nor_stops(expression: str) -> None:
    raw = bytes.fromhex("13000000 01000000") * 5_000 + bytes.fromhex("02000000 05000000")
    document = Document(raw, choice=ReadOptions(GODOT3, framing=FramingKind.BARE))
    assert plan(document, expression).document is document
