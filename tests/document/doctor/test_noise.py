"""Noise: what nobody meant takes the doctor no longer than damage does, whatever it looks like."""

from __future__ import annotations

import gc
import random
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any

import corpus
import pytest

from viewer.document.doctor import Cause, cut_too, encoder_bugs, examine, finding_collector, own_fields
from viewer.document.doctor.as_is import AsIs
from viewer.document.doctor.candidate import Candidate, Patch
from viewer.document.doctor.diagnose import BUDGET, OWN_SHARE
from viewer.document.doctor.encoder_replay import EncoderReplay
from viewer.document.doctor.finding_collector import FindingCollector
from viewer.document.doctor.repair_context import ScratchArena, WorkBudget
from viewer.document.doctor.replay_cursor import Branch
from viewer.document.doctor.rule_learning import LEARNING
from viewer.document.doctor.sifting import MOST_LEVELS, ValuesToCome
from viewer.document.document import Document
from viewer.variant.dialect import load
from viewer.variant.scan import scan
from viewer.variant.table import NONE

SIZE = 4096
SAVE = (corpus.DATA / "godot3" / "files" / "medium_1mb.save").read_bytes()[4:]
Noise = Callable[[random.Random], bytes]


def words(*some: int) -> Noise:
    """Words of some kinds in any order."""
    return lambda dice: struct.pack("<1024I", *(dice.choice(some) for _ in range(SIZE // 4)))


NOISE: dict[str, Noise] = {
    "any bytes": lambda dice: dice.randbytes(SIZE),
    "small words": lambda dice: struct.pack("<1024I", *(dice.randrange(40) for _ in range(SIZE // 4))),
    "mostly zeros": lambda dice: bytes(dice.randrange(40) if dice.random() < 0.02 else 0 for _ in range(SIZE)),
    "heads": words(0, 1, 2, 3, 4, 18, 19, 27, 28),
    "nests": lambda dice: b"".join(struct.pack("<2I", 18, dice.choice((1, 2, 3))) for _ in range(SIZE // 8)),
    "typed nests": lambda dice: b"".join(struct.pack("<2I", 28, dice.choice((1, 2, 3))) for _ in range(SIZE // 8)),
    "a count again and again": lambda dice: struct.pack("<2I", 19, 3) + struct.pack("<2I", 2, 1024) * 511,
    "letters": lambda dice: struct.pack("<2I", 19, 100) + bytes(dice.choice(b"abcdefgh.\n") for _ in range(SIZE - 8)),
    "the begin of a value": lambda dice: SAVE[:SIZE],
    "the middle of a value": lambda dice: SAVE[4 * SIZE + 3 :][:SIZE],
}


@pytest.mark.parametrize("kind", NOISE)
def test_every_step_counts_what_it_costs(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps that take long are counted by themselves here: there are no more than the work allows."""
    times, work = Counter[str](), 0
    charge = WorkBudget.charge

    def charged(meter: WorkBudget, more: int) -> None:
        nonlocal work
        work += more
        charge(meter, more)

    def counted(owner: Any, name: str) -> None:
        does = getattr(owner, name)

        def once(*args: Any, **named: Any) -> Any:
            times[name] += 1
            return does(*args, **named)

        monkeypatch.setattr(owner, name, once)

    noise = Document(NOISE[kind](random.Random(7)))
    monkeypatch.setattr(WorkBudget, "charge", charged)
    counted(cut_too, "Document")
    counted(own_fields, "_value")
    counted(own_fields.PlainFields, "all")
    counted(EncoderReplay, "_task")
    examine(noise)
    share = BUDGET // OWN_SHARE
    assert work < 9 * BUDGET // 8
    assert times["Document"] * cut_too.OPENED * cut_too.MOST_OPENED < BUDGET
    assert times["_value"] * own_fields.LOOKED_AT + times["all"] * own_fields.STEP < 9 * share // 8
    assert times["_task"] * encoder_bugs.STEP < 3 * LEARNING // 2


def test_a_missing_end_is_looked_for_only_where_it_would_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes on behind its begin reads far in many an order: each is compared before a document is opened."""
    opened: list[int] = []

    def document(data: bytes, **named: Any) -> Document:
        opened.append(len(data))
        return Document(data, **named)

    monkeypatch.setattr(cut_too, "Document", document)
    examine(Document(SAVE[:SIZE]))
    assert len(opened) <= 2


def test_a_missing_end_behind_turned_words_is_told_where_nothing_else_is() -> None:
    keys = [f"key {k} of it".encode() for k in range(30)]
    pairs = b"".join(
        struct.pack("<2I", 4, len(key)) + key + bytes(-len(key) % 4) + struct.pack("<2I", 2, k)
        for k, key in enumerate(keys)
    )
    cut = (struct.pack("<2I", 18, 30) + pairs)[:-60]
    turned = b"".join(cut[at : at + 4][::-1] for at in range(0, len(cut), 4))
    repair = examine(Document(turned)).repairs[0]
    assert repair.cause is Cause.BYTE_ORDER
    assert "The end is missing too." in repair.sentence


def test_what_is_not_looked_at_for_a_missing_end_is_not_told_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """To tell a long value by its bits takes seconds."""
    told: list[int] = []

    def bits(document: Document, data: bytes, region: Any, base: int) -> float:
        told.append(len(data))
        return 0.0

    monkeypatch.setattr(finding_collector, "bits_as_is", bits)
    long = Document((struct.pack("<2I", 19, 30_000) + struct.pack("<2I", 2, 9) * 30_000)[:-4])
    data = bytes(long.buffer[:])
    found = FindingCollector(long, data, AsIs(), WorkBudget(BUDGET), ScratchArena(), lambda: None)
    found.take_cut(Candidate(Cause.BYTE_ORDER, (Patch(0, len(data), data),)))
    assert told == []


@pytest.mark.parametrize("levels", [3, MOST_LEVELS, 2 * MOST_LEVELS])
def test_what_is_still_to_come_is_counted_from_any_node(levels: int) -> None:
    """Each of the collections holds a number before the next one, and one behind it."""
    one = struct.pack("<2I", 2, 7)
    table = scan(b"".join(struct.pack("<2I", 19, 3) + one for _ in range(levels)) + one * (levels + 1), load("godot3"))
    expected, owed, deep = dict[int, int | None](), 1, 0
    for node in sorted(range(len(table)), key=table.start.__getitem__):
        level, parent = 0, node
        while table.parent[parent] != NONE:
            level, parent = level + 1, table.parent[parent]
        expected[node] = owed if level < MOST_LEVELS else None
        owed += table.child_count(node) - 1
        deep = max(deep, level)
    assert (deep, owed) == (levels, 0)
    waiting = ValuesToCome(table)
    assert {node: waiting.at(node) for node in (len(table) - 1, *range(len(table)))} == expected


def test_nothing_that_was_tried_is_left_to_the_collector_of_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is still meanwhile: ways to go back to that know their replay would stay until it is asked again."""
    made: list[int] = []
    begun = Branch.__init__

    def counted(self: Branch, *args: Any) -> None:
        made.append(1)
        begun(self, *args)

    monkeypatch.setattr(Branch, "__init__", counted)
    gc.collect()
    gc.disable()
    try:
        examine(Document(bytes.fromhex("150000008a37f3758bef0aa28090885c69238f46")))
        left = sum(isinstance(each, Branch) for each in gc.get_objects())
    finally:
        gc.enable()
    assert len(made) > 1000
    assert not left
