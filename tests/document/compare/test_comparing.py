"""What two documents differ in, told by value."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from corpus import DATA

from viewer.base.progress import Cancelled
from viewer.container.frames import FramingKind
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference import CompareOptions, DocumentComparison
from viewer.document.compare.difference_words import by_words, difference_line, summary
from viewer.document.compare.sequence_alignment import aligned, matched
from viewer.document.compare.shared_bytes import SharedBytes
from viewer.document.compare.value_side import TypeNames, ValueSide
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal

ITEMS = ", ".join(f'{{"id": {number}, "name": "item {number}", "count": {number % 7}}}' for number in range(10))


def document(*literals: str, dialect: str = "godot4", precision: Precision = Precision.SINGLE) -> Document:
    line = load(dialect)
    raw = b"".join(encode(parse_literal(each, line, precision=precision), line, precision) for each in literals)
    framing = FramingKind.BARE if len(literals) == 1 else FramingKind.CONCATENATED
    return Document(raw, choice=ReadOptions(line, precision, framing))


def told(found: DocumentComparison) -> list[str]:
    return [str(difference_line(found, row)) for row in found.rows]


def difference(old: str, new: str, options: CompareOptions | None = None) -> list[str]:
    return told(compare(document(old), document(new), options))


@pytest.mark.parametrize(
    ("old", "new", "rows"),
    [
        ('{"gold": 1375}', '{"gold": 9999}', ["changed [0].gold: 1375 -> 9999 (+8624)"]),
        (f"[{ITEMS}]", f"[{ITEMS.replace(', {', '; {').split('; ', 1)[1].replace('; ', ', ')}]", None),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', ["written otherwise [0]: order of keys"]),
        ('{"a": 1, "old": {"x": "y"}}', '{"a": 1, "new": {"x": "y"}}', ['renamed [0].old -> [0].new: {1} x: "y"']),
        ("[1, 2, 3]", "[3, 1, 2]", ["moved [0][2] -> [0][0]: 3"]),
        ("[[0], [0], [1, 2]]", "[[1, 2], [0], [0]]", ["moved [0][2] -> [0][0]: [2] 1, 2"]),
        ("[0, 0, 0, 0]", "[0, 9, 0, 8]", ["changed [0][1]: 0 -> 9 (+9)", "changed [0][3]: 0 -> 8 (+8)"]),
        ('{"a": 5}', '{"a": "five"}', ['changed [0].a: 5 -> "five" (type)']),
        ("[1, 2, 3, 4]", "[1, 2, 4, 5]", ["removed [0][2]: 3", "added [0][3]: 5"]),
        (
            "PackedInt32Array(1, 2, 3, 4, 5)",
            "PackedInt32Array(1, 9, 9, 4, 5, 6)",
            ["changed [0][1..2]: 2, 3 -> 9, 9", "added [0][5]: 6"],
        ),
        (
            '[{"id": 1, "hp": 5}, {"id": 2, "hp": 6}, {"id": 3, "hp": 7}]',
            '[{"id": 3, "hp": 8}, {"id": 1, "hp": 5}, {"id": 2, "hp": 9}]',
            [
                "moved [0][2] -> [0][0]: {2} id: 3, hp: 8",
                "changed [0][2].hp (now [0][0].hp): 7 -> 8 (+1)",
                "changed [0][1].hp (now [0][2].hp): 6 -> 9 (+3)",
            ],
        ),
        (
            '{"bag": [{"name": "a sword", "power": 5}], "chest": []}',
            '{"bag": [], "chest": [{"name": "a sword", "power": 5}]}',
            ['moved [0].bag[0] -> [0].chest[0]: {2} name: "a sword", power: 5'],
        ),
        ("[[1, 2], [3, 4]]", "[[1, 2], [3, 5]]", ["changed [0][1][1]: 4 -> 5 (+1)"]),
        ("{1: 2}", "{1.0: 2}", ["removed [0][1]: 2", "added [0][1.0]: 2"]),
    ],
)
def test_rows_are_the_fewest_that_say_what_changed(old: str, new: str, rows: list[str] | None) -> None:
    found = difference(old, new)
    if rows is None:
        assert len(found) == 1
        assert found[0].startswith("removed [0][0]: ")
    elif "{1: 2}" in old:
        assert len(found) == 1  # one key took the other's place
    else:
        assert found == rows


def test_equal_values_in_other_bytes_are_written_otherwise() -> None:
    raw = bytes(document('{"a": 5, "b": "x"}').buffer[:])
    wide = raw.replace(bytes.fromhex("0200000005000000"), bytes.fromhex("020001000500000000000000"))
    filled = raw[:-3] + b"pad"
    for other, about in ((wide, "64 bits"), (filled, "other bytes")):
        found = compare(Document(raw), Document(other))
        assert found.is_equal
        assert [row.about for row in found.rows] == [about]
        assert summary(found).startswith("The values are equal. 1 place is only written otherwise")


def test_values_of_other_engine_lines_wraps_and_texts_are_the_same() -> None:
    literal3 = '{"q": Quat(0, 0, 0, 1), "p": PoolIntArray(1, 2), "t": "x", "v": Vector2(0.1, 2)}'
    literal4 = '{"t": &"x", "q": Quaternion(0, 0, 0, 1), "p": PackedInt32Array(1, 2), "v": Vector2(0.1, 2)}'
    old, new = document(literal3, dialect="godot3"), document(literal4, precision=Precision.DOUBLE)
    found = compare(old, new)
    assert found.is_equal
    assert {row.about.partition(":")[0] for row in found.rows} == {"engine line", "precision"}
    text = Document(b'{"gold": 5, "items": [1, 2, 3]}')
    found = compare(text, document('{"gold": 5, "items": [1, 3]}'))
    assert [line for line in told(found) if "items" in line] == ["removed [0].items[1]: 2.0"]
    assert len(found.changes) == 1


def test_frames_are_found_again_by_what_they_hold() -> None:
    old = document('{"kind": "head"}', '{"gold": 5, "level": 3}', "[1, 2, 3]", "7")
    new = document('{"kind": "head"}', "[1, 2, 3]", '{"gold": 6, "level": 3}', "7")
    lines = told(compare(old, new))
    assert len(lines) == 2
    assert lines[0].startswith("moved [1] -> [2]")
    assert lines[1] == "changed [1].gold (now [2].gold): 5 -> 6 (+1)"


def test_what_is_ignored_or_tolerated_has_no_row() -> None:
    old = '{"stats": {"play_time": 5.0, "hp": 1.0}, "play_time": 3.0, "list": PackedFloat32Array(1, 2)}'
    new = '{"stats": {"play_time": 6.0, "hp": 1.25}, "play_time": 4.0, "list": PackedFloat32Array(1, 2.125)}'
    found = compare(document(old), document(new), CompareOptions(("**.play_time",), 0.25))
    assert found.rows == ()
    assert found.ignored == 2
    assert len(difference(old, new, CompareOptions(("stats",)))) == 2
    assert len(difference(old, new, CompareOptions(("[0].*.play_time", ".list[*]")))) == 3


def test_a_person_chooses_how_rows_are_paired_and_is_told() -> None:
    old, new = '{"a": [{"id": 1, "n": "x"}, {"id": 2, "n": "y"}, {"id": 3, "n": "z"}]}', '{"a": [{"id": 2, "n": "y"}]}'
    assert len(difference(old, new)) == 2
    assert len(difference(old, new, CompareOptions(pair_by={"a": "place"}))) == 4
    found = compare(document(old), document(new.replace('"y"', '"other"')), CompareOptions(pair_by={"a": "id"}))
    assert {pairing.by for _, _, pairing in found.pairings.values()} == {"keys", "id"}


def test_broken_bytes_are_compared_as_far_as_they_read_then_as_bytes() -> None:
    raw = (DATA / "godot4" / "files" / "plain_single.bin").read_bytes()
    for at in range(8, len(raw), 29):
        broken = Document(raw[:at] + b"\xff\xff\xff\xff" + raw[at + 4 :])
        found = compare(Document(raw), broken)
        assert found.rows or bytes(broken.buffer[:]) == raw
        assert all(told(found))
        assert compare(broken, Document(raw)).rows or bytes(broken.buffer[:]) == raw


def test_every_file_equals_itself_and_work_can_be_given_up() -> None:
    for path in sorted((DATA / "resources" / "godot4").glob("*.*res"))[:12]:
        assert compare(Document(path.read_bytes()), Document(path.read_bytes())).rows == ()
    with pytest.raises(Cancelled):
        compare(document('{"a": [1]}'), document('{"a": [2]}'), progress=lambda _: False)


def test_nesting_and_hostile_lengths_cost_no_more_than_their_bytes() -> None:
    head, depth = bytes.fromhex("1300000002000000"), 2_000
    tail = bytes.fromhex("0200000007000000")
    deep = head * depth + bytes.fromhex("0200000005000000") + tail * depth
    changed = deep.replace(bytes.fromhex("0200000005000000"), bytes.fromhex("0200000006000000"))
    line = ReadOptions(load("godot3"), Precision.SINGLE, FramingKind.BARE)
    asked: list[int] = []
    old, new = (Document(raw, choice=line) for raw in (deep, changed))
    found = compare(old, new, progress=lambda count: asked.append(count) is None)
    assert len(found.rows) == 1
    assert len(asked) < 8 * depth


def test_a_side_knows_the_end_of_every_value_in_any_order() -> None:
    raw = (DATA / "godot4" / "files" / "plain_single.bin").read_bytes()
    deep = document("[" * 300 + "[1, 2], 3" + "]" * 300)
    for each in (Document(raw), deep, Document(raw[:90] + b"\xff\xff\xff\xff" + raw[94:])):
        table = each.frames[0].table
        nodes = list(table.nodes)
        side = ValueSide(table, TypeNames({}), lambda: None)
        dice = random.Random(3)
        for order in (nodes, nodes[::-1], dice.sample(nodes, len(nodes))):
            assert [side.end(node) for node in order] == [table.end(node) for node in order]


def test_words_of_a_long_text_stand_side_by_side() -> None:
    pieces = by_words("the quick brown fox jumps", "the slow brown fox leaps high")
    assert "".join(piece.text for piece in pieces if piece.side <= 0) == "the quick brown fox jumps"
    assert "".join(piece.text for piece in pieces if piece.side >= 0) == "the slow brown fox leaps high"
    assert [piece.text for piece in pieces if piece.side < 0] == ["quick", "jumps"]


def longest(old: Sequence[int], new: Sequence[int]) -> int:
    above = [0] * (len(new) + 1)
    for mine in old:
        row = [0]
        for place, yours in enumerate(new):
            row.append(above[place] + 1 if mine == yours else max(row[-1], above[place + 1]))
        above = row
    return above[-1]


def test_alignment_is_the_longest_in_small_windows_and_true_in_large_ones() -> None:
    dice = random.Random(24)
    for _ in range(400):
        signs = dice.choice((2, 4, 20))
        old, new = ([dice.randrange(signs) for _ in range(dice.randrange(14))] for _ in range(2))
        runs = matched(old, new)
        assert all(old[a : a + length] == new[b : b + length] for a, b, length in runs)
        assert sum(length for *_, length in runs) == longest(old, new)
    old = [dice.randrange(1 << 40) for _ in range(9000)]
    new = [dice.randrange(1 << 40) for _ in range(700)] + old[500:4000] + old[4001:]
    runs = aligned(len(old), len(new), lambda a, b: 0, lambda a, b: old[a:b], lambda a, b: new[a:b])
    assert sum(length for *_, length in runs) == len(old) - 501


def test_common_bytes_are_told_from_any_two_places() -> None:
    dice = random.Random(2)
    old, new = (bytes(dice.choice(b"ab" if dice.random() < 0.01 else b"aa") for _ in range(3000)) for _ in range(2))
    shared = SharedBytes(old, new)
    for _ in range(300):
        at, beside, most = dice.randrange(3000), dice.randrange(3000), dice.randrange(3000)
        most = min(most, 3000 - at, 3000 - beside)
        true = next((n for n in range(most) if old[at + n] != new[beside + n]), most)
        assert shared.common(at, beside, most) == true


def test_a_length_that_stays_while_its_value_is_cut_off_is_no_change() -> None:
    raw = (DATA / "godot3" / "files" / "rpg.save").read_bytes()
    rows = told(compare(Document(raw), Document(raw[:700])))
    assert rows
    assert not any("@prefix" in row for row in rows)
    wrong = (len(raw) + 4).to_bytes(4, "little") + raw[4:]
    assert any("@prefix" in row for row in told(compare(Document(raw), Document(wrong))))
