"""What engines do with files that are more than values: their own loaders, of which only what was seen is said."""

from __future__ import annotations

from pathlib import Path

import engine
import pytest
from corpus import DATA
from document.readers.resource_edits import files
from engine4 import Godot, Request

from viewer.document.document import Document
from viewer.document.engines.lines import EngineCall, EngineLine, decoder, lines
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


def eight_byte_length(saved: bytes) -> bytes:
    """A save with the length of its value in eight bytes, as a foreign encoder writes it."""
    value = saved[4 : 4 + int.from_bytes(saved[:4], "little")]
    return len(value).to_bytes(8, "little") + value


@pytest.mark.engine
def test_where_values_seem_to_begin_later_it_is_said_what_the_first_byte_gives() -> None:
    data = eight_byte_length((DATA / "godot3" / "files" / "rpg.save").read_bytes())
    document = Document(data)
    assert document.frames[0].start > 4
    found = {each.engine.key: each for each in verdicts(document, EngineCall.FILE)}["godot3.2"]
    assert found.gets == "null"
    assert found.label.startswith("reads it from 0x")
    assert found.notes[-1] == "A game that reads from the first byte on gets null there."
    (answer,) = engine.read_back([engine.Request(data, "get_var")])
    assert (answer.value, answer.error) == (None, None)


@pytest.mark.engine
def test_a_null_with_much_behind_it_is_called_null() -> None:
    data = eight_byte_length(bytes.fromhex("08000000 02000000 05000000"))
    found = {each.engine.key: each for each in verdicts(Document(data), EngineCall.FILE)}["godot3.2"]
    assert (found.outcome, found.label) == (Outcome.ACCEPTS, "reads null")
    assert found.notes == ("It gets null, and leaves 8 bytes after it unread.",)
    (answer,) = engine.read_back([engine.Request(data, "get_var")])
    assert (answer.value, answer.error) == (None, None)


@pytest.mark.engine4
def test_so_does_godot_4(godot4: Godot) -> None:
    data = eight_byte_length((Path("resources") / "samples" / "godot4-double.save").read_bytes())
    found = {each.engine.key: each for each in verdicts(Document(data), EngineCall.FILE)}["godot4.6"]
    assert found.gets == "null"
    (answer,) = godot4.read([Request(data, "stored")])
    assert answer.all_shown[0] is None


def test_of_values_that_begin_at_the_first_byte_and_fill_it_nothing_is_added() -> None:
    data = (DATA / "godot3" / "files" / "rpg.save").read_bytes()
    assert all(not each.gets for each in verdicts(Document(data)))


@pytest.mark.parametrize("line", lines(), ids=lambda line: line.key)
def test_what_a_decoder_miscounts_has_no_wide_fields_of_its_own(line: EngineLine) -> None:
    for row in decoder(line).rows:
        assert row.has_wide == (row.narrow != row.wide)
