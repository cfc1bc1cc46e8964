"""Binary resources whose end is missing are called cut off, and others that are broken are not."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from command_line import Run
from document.readers.resource_edits import files

from viewer.base.diagnostic import Severity
from viewer.document.doctor import Cause, examine
from viewer.document.document import Document

PLAIN = [
    path
    for line in ("godot3", "godot4")
    for path in files(line)
    if not path.name.startswith("all_flags") and not Document(path.read_bytes()).wraps.around
]
HEAD, END = 30, 6
CUTS, NAMED = 4, 0.95


def causes(data: bytes) -> list[Cause]:
    """What the doctor says of a file."""
    return [each.cause for each in examine(Document(data)).repairs]


def test_a_file_that_was_cut_anywhere_is_called_cut_off() -> None:
    dice, named, tried = random.Random(4), 0, 0
    for path in PLAIN:
        data = path.read_bytes()
        for _ in range(CUTS):
            size = dice.randrange(HEAD, len(data) - END)
            repairs = examine(Document(data[:size])).repairs
            tried += 1
            if [each.cause for each in repairs] == [Cause.END_MISSING]:
                named += 1
                missing = re.search(r"at least ([\d,]+) byte", repairs[0].reason)
                assert missing is not None
                assert int(missing[1].replace(",", "")) <= len(data) - size, (path.name, size)
                assert not repairs[0].can_be_applied
    assert named / tried >= NAMED


@pytest.mark.parametrize("path", PLAIN[::8], ids=lambda path: path.name)
def test_a_whole_file_is_never_called_cut_off(path: Path) -> None:
    data, dice = path.read_bytes(), random.Random(5)
    assert causes(data) == []
    for at in range(4, min(len(data), 600), 7):
        flipped = bytearray(data)
        flipped[at] ^= 1 << dice.randrange(8)
        assert Cause.END_MISSING not in causes(bytes(flipped)), at


def test_check_and_doctor_say_the_same_of_a_cut_resource(run: Run, tmp_path: Path) -> None:
    whole = next(path for path in PLAIN if path.name == "game.res").read_bytes()
    for size in (100, 500, 3000, 7000):
        path = tmp_path / f"{size}.res"
        path.write_bytes(whole[:size])
        checked, looked = run("check", path), run("doctor", path)
        assert (checked.code, looked.code) == (1, 1), size
        assert "1. The end of the value is missing. (end-missing, 95%)" in looked.out
        assert "Nothing seems to be wrong" not in looked.out


def test_a_file_that_ends_inside_its_last_value_is_told_though_engines_load_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.res"
    path.write_bytes(next(each for each in PLAIN if each.name == "float_f32.res").read_bytes()[:-END])
    found = [each for each in Document(path.read_bytes()).findings.all() if each.severity is Severity.ERROR]
    assert (found, run("check", path).code) == ([], 0)
    assert json.loads(run("doctor", path, "--json").out)["verdict"] == "cut off"


def test_a_broken_resource_is_not_called_sound(run: Run, tmp_path: Path) -> None:
    data = bytearray(next(path for path in PLAIN if path.name == "game.res").read_bytes())
    data[data.index(b"local://") - 8] += 1  # one resource more than there are
    path = tmp_path / "broken.res"
    path.write_bytes(data)
    looked = run("doctor", path)
    assert looked.code == run("check", path).code == 1
    assert "Nothing seems to be wrong" not in looked.out
