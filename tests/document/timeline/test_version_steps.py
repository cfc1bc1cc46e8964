"""Steps: what changed from a version to the next, in words, and where a value is in each."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from command_line import SAMPLE

from viewer.document.compare.change_script import run_script
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.path import PathError, parse_path
from viewer.document.timeline.restoring import restored, restored_value
from viewer.document.timeline.step_summary import FIRST, NOTHING, step_summary, usual_places
from viewer.document.timeline.timeline import Timeline
from viewer.document.timeline.version_documents import CLOSED, SUMMARIES, VersionDocuments
from viewer.document.timeline.version_steps import Lineage, VersionStep, path_of, place_of, version_step


def versions(*scripts: str) -> list[Document]:
    """The sample, and what each script makes of the version before."""
    out = [Document(SAMPLE.read_bytes(), name="a.save")]
    for script in scripts:
        now = Document(bytes(out[-1].buffer[:]), name="a.save")
        run_script(now, script)
        out.append(now)
    return out


def steps(documents: list[Document]) -> list[VersionStep]:
    return [version_step(number + 2, old, new) for number, (old, new) in enumerate(pairwise(documents))]


def kept_in(timeline: Timeline, documents: list[Document]) -> VersionDocuments:
    for number, document in enumerate(documents):
        timeline.add(bytes(document.buffer[:]), at=number)
    return VersionDocuments(timeline)


@pytest.fixture
def timeline(tmp_path: Path) -> Timeline:
    return Timeline(tmp_path / "game.save", tmp_path / "timelines")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("set [0].player.gold 1425", "gold +50"),
        ("set [0].player.gold 1425\nset [0].player.health 80.0", "gold +50, health -2.5"),
        ('insert [0].inventory[] {"id": 9}', "1 added to inventory"),
        ("delete [0].inventory[0]\ndelete [0].inventory[0]", "2 removed from inventory"),
        ('set [0].player.class "mage"', 'class = "mage"'),
        ("set [0].player.skills.sword 1\nset [0].player.skills.herbs 2\nset [0].player.skills.archery 3", "3 skills"),
        ("insert [0].player.shield true", "shield added"),
        ("set [0].player.position Vector3(1, 2, 3)", "position = Vector3(1, 2, 3)"),
        ("set [0].player.attributes[2] 12", "attributes[2] +1"),
        ("set [0].inventory[2].count 47", "count -1"),
    ],
)
def test_a_step_in_a_few_words(script: str, words: str) -> None:
    assert step_summary(steps(versions(script))[0]) == words


def test_what_changes_every_time_is_told_last() -> None:
    scripts = [f"set [0].play_time {number}.5\nset [0].player.level {10 + number % 2}" for number in range(6)]
    scripts.append("set [0].play_time 9.5\nset [0].player.gold 1\nset [0].version 8")
    found = steps(versions(*scripts))
    assert step_summary(found[-1], usual_places(found)).endswith("play_time +4")
    assert step_summary(steps(versions(""))[0]) == NOTHING


def test_a_value_is_followed_wherever_it_goes() -> None:
    documents = versions(
        "delete [0].inventory[0]",
        'insert [0].inventory[0] {"id": 7, "name": "new"}',
        "set [0].inventory[1].count 5",
        "delete [0].inventory[1]",
    )
    lineage = Lineage(steps(documents))
    places = lineage.places(0, (0, ".inventory", 1, ".count"))
    assert [path_of(places[number]) for number in sorted(places)] == [
        "[0].inventory[1].count",
        "[0].inventory[0].count",
        "[0].inventory[1].count",
        "[0].inventory[1].count",
    ]
    assert lineage.origin(3, (0, ".inventory", 1, ".count")) == (0, (0, ".inventory", 1, ".count"))
    assert lineage.origin(4, (0, ".inventory", 0)) == (2, (0, ".inventory", 0))


def test_a_place_is_a_path(save: Path) -> None:
    document = Document.open(save)
    for path in ("[0].player.position", "[0].inventory[2].count", "[0].player.attributes[3]", "[0]"):
        assert path_of(place_of(document, parse_path(document, path))) == path


def test_summaries_are_kept_for_the_next_time(timeline: Timeline) -> None:
    documents = kept_in(timeline, versions("set [0].player.gold 1425", "set [0].player.level 15"))
    first, second, third = timeline.versions
    assert documents.known_summary(first, second) is None
    told = [documents.summary(*pair) for pair in ((None, first), (first, second), (second, third))]
    assert told == [FIRST, "gold +50", "level +1"]
    documents.keep_summaries()
    again = VersionDocuments(timeline)
    assert again.known_summary(first, second) == "gold +50"
    (timeline.folder / SUMMARIES).write_bytes(b"[1, nonsense")
    assert VersionDocuments(timeline).summary(second, third) == "level +1"


def test_what_is_encrypted_is_not_told_and_nothing_of_it_written(timeline: Timeline) -> None:
    timeline.switch(True, keeps_secrets=True)
    for number in range(2):
        timeline.add(b"GDEC\1\0\0\0" + bytes([number]) * 200, is_secret=True)
    documents = VersionDocuments(timeline)
    assert documents.summary(*timeline.versions) == CLOSED
    documents.keep_summaries()
    assert not (timeline.folder / SUMMARIES).exists()


def test_of_a_collection_that_is_followed_what_changed_inside_is_told(timeline: Timeline) -> None:
    documents = kept_in(
        timeline,
        versions("set [0].player.gold 1425", "delete [0].inventory[9]", "set [0].inventory[7].count 3"),
    )
    found = documents.followed(timeline.versions, 0, "[0].inventory")
    assert found[0].text.startswith("[10]")
    assert [each.change for each in found][:3] == ["", "", "1 removed from inventory"]
    assert "count" in found[3].change
    short = documents.followed(timeline.versions, 0, "[0].inventory[7].count")
    assert [each.change for each in short] == [""] * 4
    assert [each.change for each in documents.followed(timeline.versions, 0, "[0].player.gold")] == [""] * 4


def test_of_a_collection_that_is_new_nothing_is_told_that_went_elsewhere(timeline: Timeline) -> None:
    keys = ", ".join(f'"{letter * 9}": 1' for letter in "abcdefghijkl")
    documents = kept_in(timeline, versions(f"insert [0].inventory[] {{{keys}}}\ndelete [0].player.gold"))
    found = documents.followed(timeline.versions, 1, "[0].inventory[10]")
    assert found[1].text.endswith("…")
    assert [each.change for each in found] == ["", "1 added to inventory"]


def test_broken_versions_have_a_summary_too(timeline: Timeline) -> None:
    whole = SAMPLE.read_bytes()
    for data in (whole, whole[:900], b"", b"\xff" * 50, whole):
        timeline.add(data)
    documents = VersionDocuments(timeline)
    pairs = pairwise(timeline.versions)
    assert all(documents.summary(old, new) for old, new in pairs)
    (timeline.folder / "blocks" / timeline.versions[0].content).unlink()
    damaged = VersionDocuments(timeline).summary(*timeline.versions[:2])
    assert damaged.startswith("Version 1 of “game.save” is damaged")


def test_one_value_through_all_versions(timeline: Timeline) -> None:
    documents = kept_in(
        timeline,
        versions("set [0].player.gold 1425", "delete [0].inventory[0]", "delete [0].player.gold\nset [0].version 1"),
    )
    found = documents.followed(timeline.versions, 0, "[0].player.gold")
    assert [each.number for each in found] == [1375, 1425, 1425, None]
    assert [each.text for each in found] == ["1375", "1425", "1425", ""]
    rows = documents.followed(timeline.versions, 1, "[0].inventory[2].count")
    assert [(each.path, each.number) for each in rows[1:3]] == [
        ("[0].inventory[2].count", 48),
        ("[0].inventory[1].count", 48),
    ]
    with pytest.raises(PathError):
        documents.followed(timeline.versions, 3, "[0].player.gold")


def test_a_version_is_restored_whole_and_can_be_taken_back() -> None:
    old, *_, now = versions("set [0].player.gold 1\ndelete [0].inventory[1]", "set [0].play_time 3.5")
    before = bytes(now.buffer[:])
    edit = restored(now, old, 1)
    assert edit is not None
    now.apply(edit)
    assert bytes(now.buffer[:]) == SAMPLE.read_bytes()
    assert edit.label == "Restore Version 1"
    assert restored(now, old, 1) is None
    now.undo()
    assert bytes(now.buffer[:]) == before


def test_a_text_is_restored_with_its_blanks() -> None:
    old = Document(b'{\n  "gold": 5, "name" :  "Mira"\n}\n', name="a.json")
    now = Document(b'{"gold":7,"name":"Mira","new":[1]}', name="a.json")
    edit = restored(now, old, 3)
    assert edit is not None
    now.apply(edit)
    assert bytes(now.to_be_written()[:]) == bytes(old.wraps.outside[:])
    with pytest.raises(EditError, match="no text"):
        restored(now, Document(SAMPLE.read_bytes(), name="b"), 1)


@pytest.mark.parametrize(
    ("script", "path"),
    [
        ("set [0].player.gold 1", "[0].player.gold"),
        ("delete [0].inventory[1]", "[0].inventory[1]"),
        ('insert [0].inventory[0] {"id": 3}\nset [0].inventory[2].count 9', "[0].inventory[1].count"),
        ("set [0].player.attributes[2] 99\nset [0].player.attributes[3] 98", "[0].player.attributes[2]"),
        ("delete [0].player.gold", "[0].player.gold"),
        ("set [0].player.skills.sword 1\nset [0].player.skills.herbs 2", "[0].player.skills"),
    ],
)
def test_one_value_is_restored_and_nothing_else(script: str, path: str) -> None:
    old, now = versions(f"set [0].play_time 3.5\n{script}")
    edit = restored_value(now, old, 1, path)
    assert edit is not None
    now.apply(edit)
    left = steps([old, now])[0].changes
    places = [path_of(change.place) for change in left]
    assert "[0].play_time" in places
    assert not any(place.startswith(path) for place in places if not place.startswith("[0].inventory[0]"))
    assert str(edit.label) == "Restore Value of Version 1"


def test_a_value_that_is_new_goes_and_one_that_is_the_same_stays() -> None:
    old, now = versions("insert [0].player.shield 5")
    assert restored_value(now, old, 1, "[0].player.gold") is None
    edit = restored_value(now, old, 1, "[0].player.shield")
    assert edit is not None
    now.apply(edit)
    assert bytes(now.buffer[:]) == bytes(old.buffer[:])
    with pytest.raises(PathError):
        restored_value(now, old, 1, "[0].player.nothing")
