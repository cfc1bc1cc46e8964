"""Searching from value to value: types, regular expressions, one part of the file; and expressions that never end."""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.document import Document
from viewer.document.path import format_path, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.searching import node_search, regex_process
from viewer.document.searching.query import Mode, QueryError, parse_query, split_mode
from viewer.document.searching.regex_process import Batch, Expression, RegexError, RegexMatch, matches
from viewer.document.searching.search import find_all, steps
from viewer.variant.dialect import load

DATA = Path(__file__).parents[2] / "data"
BARE = ReadOptions(dialect=load("godot3"), framing=FramingKind.BARE)
ENDLESS = r"(a+)+$"
TRAP = "a" * 64 + "!"


@pytest.fixture
def rpg() -> Document:
    return Document.open(DATA / "godot3/files/rpg.save")


def found(document: Document, text: str, case: bool = False) -> list[str]:
    items = [outline.item_at(document, hit.span.start) for hit in find_all(document, parse_query(text, case))]
    return [format_path(document, item) for item in items if item is not None]


def strings(*texts: bytes) -> Document:
    raw = [struct.pack("<II", 4, len(text)) + text + bytes(-len(text) % 4) for text in texts]
    return Document(struct.pack("<II", 19, len(texts)) + b"".join(raw), choice=BARE)


# Modes


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("gold", (Mode.ANY, "gold")),
        ("key: gold", (Mode.KEY, "gold")),
        ("a: b", (Mode.ANY, "a: b")),
        ("text: a: b", (Mode.TEXT, "a: b")),
        ("bytes: 10", (Mode.HEX, "10")),
    ],
)
def test_a_word_in_front_says_what_is_looked_for(text: str, split: tuple[Mode, str]) -> None:
    assert split_mode(text) == split


def test_value_leaves_keys_out(rpg: Document) -> None:
    assert found(rpg, "value: gold") == []
    assert found(rpg, "value: iron") == [f"[0].inventory[{k}].name.text" for k in (0, 9, 18)]


def test_value_finds_numbers_too(rpg: Document) -> None:
    assert found(rpg, "value: 5000000000") == ["[0].player.gold.value"]


# Types


def test_a_type_is_found_by_its_name_in_any_case(rpg: Document) -> None:
    assert found(rpg, "type: vector2")[:2] == ["[0].player.position@header", "[0].player.velocity@header"]


def test_a_part_of_a_name_finds_all_types_that_have_it(rpg: Document) -> None:
    assert set(found(rpg, "type: vector2")) < set(found(rpg, "type: vect"))
    assert found(rpg, "type: nosuchtype") == []


# Regular expressions


def test_an_expression_is_run_at_every_text(rpg: Document) -> None:
    assert found(rpg, r"regex: ^iron \w+$") == [f"[0].inventory[{k}].name.text" for k in (0, 9, 18)]
    assert found(rpg, r"regex: ^Iron", case=True) == found(rpg, r"regex: ^iron")
    assert found(rpg, r"regex: ^iron", case=True) == []


def test_places_beyond_ascii_are_those_bytes() -> None:
    document = strings("Zoë, Zoë".encode())
    hits = [hit.span for hit in find_all(document, parse_query("regex: zoë"))]
    assert [bytes(document.buffer[span.start : span.end]).decode() for span in hits] == ["Zoë", "Zoë"]


def test_texts_of_packed_arrays_and_node_paths_are_looked_at() -> None:
    packed = struct.pack("<III", 23, 1, 5) + b"iron\0\0\0\0"
    path = struct.pack("<IIIII", 15, 0x80000001, 0, 0, 4) + b"iron"
    for raw in (packed, path):
        assert len(find_all(Document(raw, choice=BARE), parse_query("regex: ^iron$"))) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(", "“(” at character 1 is never closed: add “)”, or write \\( for the character itself."),
        ("a[b", "“[” at character 2 is never closed: add “]”, or write \\[ for the character itself."),
        ("a)", "“)” at character 2 closes nothing: remove it, or write \\) for the character itself."),
        (
            "*a",
            "“*” at character 1 repeats what precedes it, which is nothing: write \\* for the character itself.",
        ),
        ("a\\", "“\\” at the end stands for nothing: write \\\\ for the character itself."),
        (
            "(?P<a",
            "something is wrong at character 5: write \\ before each character that stands for itself, "
            "such as ( [ * + ?.",
        ),
    ],
)
def test_what_is_no_expression_is_said_and_what_to_do(text: str, sentence: str) -> None:
    with pytest.raises(QueryError) as told:
        parse_query(f"regex: {text}")
    assert str(told.value) == f"In this regular expression {sentence}"


def test_a_text_that_is_no_utf8_or_too_long_is_left_out_and_told() -> None:
    document = strings(b"\xff\xfe gold", b"x" * 70000 + b"gold", b"gold")
    told = list(steps(document, parse_query("regex: gold")))
    assert sum(len(step.hits) for step in told) == 1
    assert sum(step.skipped for step in told) == 2


def test_an_expression_that_never_ends_at_one_text_is_run_at_the_others() -> None:
    batch = list(matches(Expression(ENDLESS), ["aaa", TRAP, "baa"], patience=0.3))
    assert batch == [[RegexMatch(0, 3, "")], None, [RegexMatch(1, 3, "")]]


def test_a_search_that_is_given_up_ends_its_process() -> None:
    batch = Batch(Expression(ENDLESS), [TRAP], patience=60)
    assert not batch.poll()
    batch.close()
    assert batch.found == []


def open_files(process: str) -> list[str]:
    found = []
    for each in Path("/proc", process, "fd").iterdir():
        with contextlib.suppress(OSError):
            found.append(str(each.readlink()))
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells which files a process has open")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer that ends the other process")
def test_a_program_that_is_killed_leaves_no_process_behind() -> None:
    """An expression that never ends at a text must not run on for ever once nobody waits for it."""
    code = (
        "import time\n"
        "from viewer.document.searching.regex_process import Batch, Expression\n"
        "batch = Batch(Expression('(a+)+$'), ['a' * 40 + 'b'], patience=600)\n"
        "batch.poll()\n"
        "print(batch._process.pid, flush=True)\n"
        "while not batch.poll(): time.sleep(0.01)\n"
    )
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(root)}, cwd=root
    ) as program:
        assert program.stdout is not None
        child = int(program.stdout.readline())
        time.sleep(1)
        program.kill()
    until = time.monotonic() + 30
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_running(child)


def is_running(process: int) -> bool:
    """Whether a process is there, and no mere entry that nobody has fetched."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def test_no_text_that_is_looked_through_lies_in_a_file() -> None:
    batch = Batch(Expression(ENDLESS), ["secret words", TRAP], patience=60)
    before = set(open_files("self"))
    while not batch.found and not batch._size:
        batch.poll()
    assert batch._process is not None
    child = open_files(str(batch._process.pid))
    assert sum(each.startswith("pipe:") for each in child) == 2
    assert not [each for each in {*child, *open_files("self")} - before if not each.startswith(("pipe:", "/dev/null"))]
    batch.close()


def test_only_the_saving_of_a_file_and_standard_input_make_temporary_files() -> None:
    """Texts of an encrypted save must not lie on the disk in the clear."""
    source = Path(regex_process.__file__).parents[2]
    makers = {
        path.relative_to(source).as_posix() for path in source.rglob("*.py") if "tempfile" in path.read_text("utf-8")
    }
    assert makers <= {"cli/input.py", "document/disk/file_versions.py", "document/disk/private_files.py"}


def test_much_text_goes_both_ways_through_the_process() -> None:
    texts = ["gold " * 2_000] * 30
    found = list(matches(Expression("(gold)", template=r"\1\1"), texts, patience=30))
    assert [len(each or ()) for each in found] == [2_000] * 30
    assert found[-1] is not None
    assert found[-1][-1] == RegexMatch(9_995, 9_999, "goldgold")


def test_a_batch_that_is_given_up_while_it_is_fed_ends() -> None:
    batch = Batch(Expression("gold"), ["gold " * 4_000_000] * 3)
    assert not batch.poll()
    batch.close()
    assert batch.found == []


def test_a_template_that_fails_is_an_error() -> None:
    with pytest.raises(RegexError):
        list(matches(Expression("(a)", template=r"\7"), ["a"]))


# One part of the file


@pytest.mark.parametrize("text", ["name", "key: name", "type: String", "regex: name", "hex: 6E 61 6D 65"])
def test_a_search_under_one_value_finds_what_lies_there(rpg: Document, text: str) -> None:
    item = parse_path(rpg, "[0].inventory[3]")
    within, query = outline.span(rpg, item), parse_query(text)
    inside = [hit.span for step in steps(rpg, query, within) for hit in step.hits]
    assert inside
    assert inside == [hit.span for hit in find_all(rpg, query) if within.covers(hit.span)]


def test_steps_rise_and_reach_the_end(rpg: Document) -> None:
    for text in ("type: int", "regex: a"):
        reached = [step.reached for step in steps(rpg, parse_query(text))]
        assert reached == sorted(reached)
        assert reached[-1] == len(rpg.buffer)


def test_a_change_ends_the_search(rpg: Document) -> None:
    walk = steps(rpg, parse_query("regex: a"))
    next(walk)
    rpg.read_as(rpg.choice)
    assert sum(len(step.hits) for step in walk) == 0


def test_a_search_at_too_many_slow_texts_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_search, "PATIENCE", 0.15)
    monkeypatch.setattr(node_search, "MOST_SLOW", 2)
    traps = [b"a" * (60 + k) + b"!" for k in range(3)]
    with pytest.raises(RegexError, match="takes too long"):
        list(steps(strings(*traps), parse_query(f"regex: {ENDLESS}")))
