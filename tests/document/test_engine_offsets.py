"""Where each engine stands when it refuses broken bytes: our diagnosis against a decoder that knows nothing of ours."""

from __future__ import annotations

from collections import defaultdict

import pytest
from corpus import ENGINES, Engine, Row
from document.reference import Check, Refusal, refusal
from document.test_engines import LINES, NO_SCRIPT_FILE, ONLY_THE_ENGINE_KNOWS, cases, ruling
from variant.test_verdicts import is_accepted, kills

from viewer.base.diagnostic import Code
from viewer.document.engines.lines import line
from viewer.document.engines.verdicts import Outcome, verdicts
from viewer.variant.dialect import load
from viewer.variant.scan import scan

CODES = {
    Check.HEADER: {Code.HEADER_MISSING, Code.CHILD_MISSING},
    Check.TYPE: {Code.UNKNOWN_TYPE, Code.FLAGS_REFUSED},
    Check.SHORT: {Code.PAYLOAD_TRUNCATED, Code.CHILD_MISSING},
    Check.TEXT: {Code.LENGTH_TOO_LONG, Code.LENGTH_NEGATIVE},
    Check.PADDING: {Code.PADDING_MISSING},
    Check.UTF8: {Code.BAD_UTF8},
    Check.COUNT: {Code.COUNT_TOO_LARGE, Code.COUNT_NEGATIVE},
    Check.OLD_PATH: {Code.OLD_NODE_PATH},
    Check.ELEMENT: {Code.ELEMENT_TYPE},
    Check.CLASS_NAME: {Code.CLASS_NAME_EXPECTED},
    Check.OBJECT: {Code.EMBEDDED_OBJECT},
    Check.CLASS: {Code.EMBEDDED_OBJECT},
    Check.SCRIPT: {Code.SCRIPT_PATH},
    Check.DEPTH: {Code.TOO_DEEP},
    Check.PROJECTION: {Code.ENGINE_REFUSES},
    Check.IMAGE: {Code.IMAGE_FORMAT},
}
"""What we may call each check that fails. A property's name that is missing is a child as well as a text."""
IN_OTHER_WORDS = {Check.OBJECT, Check.CLASS, Check.SCRIPT, Check.DEPTH, Check.PROJECTION}
"""What depends on more than the bytes: what is allowed, how deep this engine goes, or what only it minds."""

MISCOUNTED = {"pandemonium4 v4_trunc"}
"""A Vector4 that is cut off: its check comes before any field is read, so the engine stands at the first of them."""
PROMISED_TOO_MUCH = {"godot4.0 from43_typeddict_v2i_dict_1"}
"""Two counts that promise more than all bytes: the scan says so at once, the engine goes on to where they end."""


def allows(row: Row) -> bool:
    return bool(row.get("allow_objects", "true" in row.get("api", "")))


def reference(engine: Engine, row: Row, frame: bytes) -> Refusal | None:
    return refusal(engine.folder, frame, allows(row))


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_the_reference_decoder_does_what_the_engine_did(engine: Engine) -> None:
    different = {
        f"{its} {row['id']}"
        for its, row, frame in cases()
        if its is engine and not kills(row) and (reference(its, row, frame) is None) != is_accepted(row)
    }
    assert different == {name for name in NO_SCRIPT_FILE if name.startswith(f"{engine} ")}


def test_every_refusal_is_found_where_the_engine_stands_and_for_its_reason() -> None:
    compared, different = 0, []
    for engine, row, frame in cases():
        if f"{engine} {row['id']}" in ONLY_THE_ENGINE_KNOWS:
            continue
        theirs, ours = reference(engine, row, frame), ruling(engine, row, frame).stop
        if theirs is None or ours is None:
            assert theirs is ours is None, row["id"]
            continue
        compared += 1
        if ours.span.start != theirs.at or ours.code not in CODES[theirs.check]:
            different.append(f"{engine} {row['id']}: {ours}, not {theirs}")
        assert ours.condition.is_fatal == theirs.dies, row["id"]
    assert compared > 600
    assert different == []


def test_the_scan_alone_finds_the_same_places() -> None:
    compared = 0
    for engine, row, frame in cases():
        theirs = reference(engine, row, frame)
        if (
            theirs is None
            or theirs.check in IN_OTHER_WORDS
            or f"{engine} {row['id']}" in MISCOUNTED | PROMISED_TOO_MUCH
        ):
            continue
        compared += 1
        found = [each for each in scan(frame, load(engine.dialect)).diagnostics if each.code in CODES[theirs.check]]
        assert theirs.at in [each.span.start for each in found], f"{engine} {row['id']}"
    assert compared > 580


def test_the_table_says_of_all_engines_what_each_did_with_the_same_bytes() -> None:
    given: dict[tuple[bytes, bool], list[tuple[Engine, Row]]] = defaultdict(list)
    for engine, row, frame in cases():
        given[frame, allows(row)].append((engine, row))
    compared = 0
    for (frame, allow), rows in given.items():
        if len({LINES[engine.folder] for engine, _ in rows}) < 2:
            continue
        table = {found.engine.key: found.outcome for found in verdicts(frame, allow_objects=allow)}
        for engine, row in rows:
            if f"{engine} {row['id']}" in ONLY_THE_ENGINE_KNOWS:
                continue
            compared += 1
            outcome = table[line(LINES[engine.folder]).key]
            assert outcome in _expected(row), f"{engine} {row['id']}"
    assert compared > 100


def _expected(row: Row) -> set[Outcome]:
    if kills(row):
        return {Outcome.DIES}
    return {Outcome.ACCEPTS, Outcome.DIFFERS} if is_accepted(row) else {Outcome.REFUSES}
