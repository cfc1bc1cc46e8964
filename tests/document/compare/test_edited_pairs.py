"""Random edits of real files: a comparison tells exactly these, and what it tells makes the one file the other."""

from __future__ import annotations

from corpus import DATA
from document.compare.edited_pairs import ROOT, pairs, replayed, taken_all, verdict

FILES = [
    ROOT / "resources" / "samples" / "godot3-rpg.save",
    ROOT / "resources" / "samples" / "godot4-typed.save",
    DATA / "texts" / "godot4" / "config_plain.cfg",
    DATA / "godot3" / "files" / "all_types.save",
    DATA / "godot2" / "files" / "compressed_fastlz_multi.gcmp",
]


def test_random_edits_are_told_taken_and_replayed() -> None:
    tried = 0
    for pair in pairs(20, 2411, FILES):
        wrong, found = verdict(pair)
        assert (wrong, taken_all(found), replayed(found)) == ([], "", ""), (pair.name, pair.notes)
        tried += pair.edits
    assert tried > 60
