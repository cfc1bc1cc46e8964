"""Profiles as people write them: what can be said, and one clear sentence with file and line for what is wrong."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from viewer.base import assets
from viewer.document.profiles.game_profile import GameProfile, ProfileError
from viewer.document.profiles.profile_folder import broken_profiles, profiles, read_profile, shipped_profiles
from viewer.document.profiles.profile_parser import LONGEST_PROFILE, parse_profile

HEAD = 'name = "X"\nfiles = "*.save"\n'
KEY = HEAD + '[[key]]\nat = "gold"\n'
BESIDE = {"ids.csv": "1,one\n", "gap.csv": "1,one\n2\n", "long.csv": f"1,{'x' * 201}\n"}


def beside(name: str) -> str:
    if name not in BESIDE:
        raise FileNotFoundError(2, "No such file or directory")
    return BESIDE[name]


def read(text: str) -> GameProfile:
    return parse_profile("x", text, "x.toml", beside)


def test_a_profile_says_all_that_it_can() -> None:
    profile = read(
        HEAD
        + 'has = ["player.gold", "[0]..hp"]\npassword_hint = "the hero\'s name"\nlayout = "project"\n'
        + '[[key]]\nat = "party[*].class"\nname = "Class"\nabout = "What it learns."\nnames = { 0 = "ranger" }\n'
        + 'favourite = true\n[[key]]\nat = "hp"\nrange = "0..9.5"\nunit = "points"\nhidden = true\n'
        + 'names_from = "ids.csv"\n'
    )
    first, second = profile.keys
    assert (profile.name, profile.layout, [path.text for path in profile.has]) == (
        "X",
        "project",
        ["player.gold", "[0]..hp"],
    )
    assert (first.name, first.names, first.is_favourite, first.is_hidden) == ("Class", {"0": "ranger"}, True, False)
    assert (second.least, second.most, second.unit, second.names, second.is_hidden) == (
        0,
        9.5,
        "points",
        {"1": "one"},
        True,
    )


def test_a_table_of_names_counts_once_however_many_keys_name_it() -> None:
    BESIDE["many.csv"] = "".join(f"{number},n{number}\n" for number in range(15_000))
    key = "[[key]]\nat = 'k{0}'\nnames_from = 'many.csv'\nnames = {{ {0} = 'own' }}\n"
    keys = read(HEAD + "".join(key.format(number) for number in range(20))).keys
    assert [keys[3].names.get(word) for word in ("3", "4", "x")] == ["own", "n4", None]


@pytest.mark.parametrize(
    ("path", "fits"),
    [("/a/slot1.save", True), ("SLOT.SAVE", True), ("C:\\games\\x.save", True), ("/a/slot1.sav", False)],
)
def test_a_save_is_known_by_its_name(path: str, fits: bool) -> None:
    assert read(HEAD).may_be(path) is fits


@pytest.mark.parametrize(("path", "fits"), [("/u/fens/slots/1", True), ("/u/notfens/slots/1", False), ("1", False)])
def test_a_save_is_known_by_the_end_of_its_path(path: str, fits: bool) -> None:
    assert read('name = "X"\nfiles = "fens/slots/*"\n').may_be(path) is fits


BROKEN = {
    "no TOML": ("name = \n", 1, "Invalid value"),
    "brackets without end": ("a = " + "[" * 5000, 0, "not TOML"),
    "a line without end": ("# " + "x" * 9000, 1, "letters"),
    "a key of very many parts": (".".join("a" * 8000) + "=1", 1, "letters"),
    "a key of many parts": (".".join("a" * 300) + "=1", 1, "dots"),
    "no name": ('files = "*.save"\n', 1, "needs the name"),
    "a name that is no text": ('files = "*.save"\nname = 3\n', 2, "text in quotes"),
    "a long name": (f'files = "*.save"\n\nname = "{"x" * 201}"\n', 3, "at most 200"),
    "nothing that tells a save": ('name = "X"\n', 1, "how its saves are known"),
    "a pattern of everything": ('name = "X"\nfiles = "*"\n', 2, "pattern of the names"),
    "an unknown word": (HEAD + "nmae = 3\n", 3, "name is likely meant"),
    "an unknown word of a key": (KEY + "\nfavorite = true\n", 6, "favourite is likely meant"),
    "paths that are no list": (HEAD + 'has = "gold"\n', 3, "list of paths"),
    "too many paths": (HEAD + f"has = {['gold'] * 17}\n", 3, "at most 16"),
    "a path that is none": (HEAD + 'has = ["gold", "."]\n', 3, "not a path"),
    "a layout that is not there": (HEAD + 'layout = "nowhere"\n', 3, "no layout"),
    "a hint that is no text": (HEAD + "password_hint = ['x']\n", 3, "text in quotes"),
    "one table of keys": (HEAD + "[key]\nat = 'gold'\n", 3, "two brackets"),
    "a key without a path": (HEAD + "[[key]]\nname = 'Gold'\n", 3, "needs the path"),
    "a key twice": (KEY + "[[key]]\nat = 'gold'\n", 6, "in line 3 already"),
    "a path with a condition": (HEAD + "[[key]]\nat = 'party[?hp > 3]'\n", 4, "no conditions"),
    "a path with a pattern of letters": (HEAD + "[[key]]\nat = '..[name matches \"(a+)+$\"]'\n", 4, "forever"),
    "a path to keys": (HEAD + "[[key]]\nat = 'gold@key'\n", 4, "no conditions"),
    "a path to the second of equal keys": (HEAD + "[[key]]\nat = 'gold#2'\n", 4, "no conditions"),
    "a long path": (HEAD + f"[[key]]\nat = '{'a.' * 200}a'\n", 4, "at most 300 letters"),
    "a path of many steps": (HEAD + f"[[key]]\nat = '{'a.' * 20}a'\n", 4, "at most 16 steps"),
    "a range of words": (KEY + "range = 'few'\n", 5, "least and the greatest"),
    "a range turned round": (KEY + "range = '9..3'\n", 5, "ends before it begins"),
    "a range of nothing": (KEY + "range = '..'\n", 5, "least and the greatest"),
    "a long about": (KEY + f"about = '{'x' * 1001}'\n", 5, "at most 1000"),
    "a flag that is none": (KEY + "favourite = 1\n", 5, "true or false"),
    "names of no text": (KEY + "names = { 0 = 1 }\n", 5, "what values mean"),
    "a long name of a value": (KEY + f"names = {{ 0 = '{'x' * 201}' }}\n", 5, "at most 200 letters"),
    "a table elsewhere": (KEY + "names_from = '../../secret.csv'\n", 5, "beside the profile"),
    "a table that is not there": (KEY + "names_from = 'none.csv'\n", 5, "No such file"),
    "a table with a row that has no name": (KEY + "names_from = 'gap.csv'\n", 5, "line 2: A row has"),
    "a table with a long name": (KEY + "names_from = 'long.csv'\n", 5, "line 1: A name"),
    "too much of all": (HEAD + "# x\n" * (LONGEST_PROFILE // 4), 0, "has at most"),
    "too many keys": (HEAD + "[[key]]\nat='a'\n" * 1001, 1, "at most 1000"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_wrong_is_one_sentence_with_its_line(kind: str) -> None:
    text, line, words = BROKEN[kind]
    with pytest.raises(ProfileError) as caught:
        read(text)
    said = str(caught.value)
    assert said.startswith("x.toml, line " if line and kind != "no TOML" else "x.toml: ")
    assert f"line {line}" in said or not line
    assert words in said
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 300


def test_hostile_profiles_take_no_time() -> None:
    parts = "".join(f"{'.'.join('a' * 190)}{line}=1\n" for line in range(600))
    names = HEAD + "".join(f'[[key]]\nat = "{"..a" * 16}.k{k}"\n' for k in range(900))
    commas = HEAD + ("x = [" + "," * 8000 + "]\n") + 'nmae = "x"\n'
    begin = time.process_time()
    for text in (HEAD + parts, names, commas, HEAD + '"""' * 80_000):
        try:
            read(text)
        except ProfileError:
            continue
    assert time.process_time() - begin < 2


def test_profiles_of_the_program_can_be_read() -> None:
    assert [profile.name for profile in shipped_profiles()] == ["Kestrel Farm", "The Lantern Fens"]


def test_the_folder_of_a_person_is_read_as_it_is_now(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    monkeypatch.setattr(assets, "user_files", lambda name, ending: sorted(folder.glob(f"*{ending}")))
    (folder / "own.toml").write_text(KEY + 'names_from = "ids.csv"\n')
    assert "ids.csv" in str(broken_profiles()[0])
    assert len(profiles()) == len(shipped_profiles())
    (folder / "ids.csv").write_text("title;extra;id\nSword;x;7\n")
    assert not broken_profiles()
    assert profiles()[0].keys[0].names == {"7": "Sword"}
    (folder / "own.toml").write_bytes(b"\xff\xfe")
    assert str(broken_profiles()[0]) == f"{folder / 'own.toml'}: A profile is written in UTF-8."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_the_place_of_a_profile_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.toml")
    with pytest.raises(ProfileError, match="plain file"):
        read_profile(tmp_path / "x.toml")
