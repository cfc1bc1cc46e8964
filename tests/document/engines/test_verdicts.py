"""What engines do with files that are more than values: their own loaders, of which only what was seen is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import DATA
from document.readers.resource_edits import files

from viewer.document.document import Document
from viewer.document.engines.lines import EngineCall
from viewer.document.engines.verdicts import EngineVerdict, Outcome, verdicts


def told(data: bytes) -> dict[str, EngineVerdict]:
    """The verdict of each engine line."""
    return {each.engine.key: each for each in verdicts(Document(data))}


def game(line: str) -> bytes:
    return next(path for path in files(line) if path.name in ("game.res", "game_small.res")).read_bytes()


@pytest.mark.parametrize(("line", "run"), [("godot3", "godot3.2"), ("godot4", "godot4.6")])
def test_the_engine_that_was_run_reads_what_it_wrote(line: str, run: str) -> None:
    found = told(game(line))
    assert [key for key, each in found.items() if each.outcome is Outcome.ACCEPTS] == [run]
    assert {each.call for each in found.values()} == {EngineCall.LOADER}
    assert {each.call_name for each in found.values()} == {"own loader"}
    assert all(each.text for each in found.values() if each.outcome is Outcome.UNSURE)


def test_godot_3_refuses_what_godot_4_wrote() -> None:
    found = told(game("godot4"))
    assert {key for key, each in found.items() if each.outcome is Outcome.REFUSES} == {"godot3.2", "godot3.5"}


def test_a_name_beyond_the_table_kills_the_engine() -> None:
    data = bytearray(game("godot4"))
    document = Document(bytes(data))
    frame = document.frames[-1]
    name = frame.start + frame.table.start[frame.table.children(0)[0]]
    data[name : name + 4] = (5000).to_bytes(4, "little")
    verdict = told(bytes(data))["godot4.6"]
    assert verdict.outcome is Outcome.DIES
    assert verdict.span is not None
    assert verdict.span.start == name


@pytest.mark.parametrize(("size", "outcome"), [(300, Outcome.REFUSES), (7000, Outcome.UNSURE)])
def test_a_file_that_was_cut(size: int, outcome: Outcome) -> None:
    verdict = told(game("godot4")[:size])["godot4.6"]
    assert verdict.outcome is outcome
    assert verdict.text


def test_a_script_is_told_beside_the_verdict() -> None:
    path = next(path for path in files("godot4") if path.name == "sub_built_in_script.res")
    verdict = told(path.read_bytes())["godot4.6"]
    assert verdict.outcome is Outcome.ACCEPTS
    assert any("carries a script" in note for note in verdict.notes)


def test_nothing_is_said_of_calls_for_settings_of_a_project() -> None:
    path = next(iter(sorted(Path(DATA / "projects").rglob("*.binary"))))
    assert {each.outcome for each in told(path.read_bytes()).values()} == {Outcome.UNSURE}
