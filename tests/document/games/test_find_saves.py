"""Games are found where engines keep their saves, and nothing is looked at elsewhere."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from viewer.base import assets
from viewer.document.games import save_finding
from viewer.document.games.dated_copy import CannotCopy, copy_beside
from viewer.document.games.save_finding import GameList, SaveKind, find_games, save_kind
from viewer.document.games.user_folders import DataFolder, data_folders
from viewer.document.profiles.profile_folder import shipped_profiles

NOW = datetime(2026, 3, 14, 20, 5)
ROAMING = "pfx/drive_c/users/steamuser/AppData/Roaming"


def put(path: Path, when: float = 1000, data: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (when, when))
    return path


def told(found: GameList) -> list[tuple[str, str, str, list[str]]]:
    return [
        (game.folder.name, game.folder.engine, game.folder.origin, [save.name for save in game.saves])
        for game in found.games
    ]


def test_games_of_all_homes_are_found_the_last_played_first(tmp_path: Path) -> None:
    share, steam = tmp_path / ".local/share", tmp_path / "disk/steam library"
    put(share / "godot/app_userdata/Fens/slots/1.save", 50)
    put(share / "godot/app_userdata/Fens/2.save", 60)
    put(share / "godot/app_userdata/Fens/logs/godot.log")
    put(share / "godot/app_userdata/Empty/shader_cache/x")
    put(share / "pandemonium/app_userdata/Cards/hand.bin", 40)
    put(share / "Own Name/logs/godot.log")
    put(share / "Own Name/save.dat", 30)
    put(share / "Maker/Game/logs/godot.log")
    put(share / "Maker/Game/save.dat", 20)
    put(share / "no game/secret.txt", 999)
    put(tmp_path / ".var/app/org.x.Y/data/godot/app_userdata/Flat/a.save", 10)
    put(share / "Steam/steamapps/libraryfolders.vdf", 1, f'"0" {{ "path"\t\t"{steam}" }}'.encode())
    put(steam / f"steamapps/compatdata/12/{ROAMING}/Godot/app_userdata/Wine/b.save", 5)
    found = find_games(data_folders("linux", tmp_path, {}))
    assert told(found) == [
        ("Fens", "Godot", "", ["2.save", "slots/1.save"]),
        ("Cards", "Pandemonium", "", ["hand.bin"]),
        ("Own Name", "", "", ["save.dat"]),
        ("Maker/Game", "", "", ["save.dat"]),
        ("Flat", "Godot", "Flatpak", ["a.save"]),
        ("Wine", "Godot", "Proton", ["b.save"]),
    ]
    assert not found.is_cut


@pytest.mark.parametrize(
    ("platform", "environ", "place"),
    [
        ("win32", {"APPDATA": "{home}/R"}, "R"),
        ("win32", {}, "AppData/Roaming"),
        ("darwin", {}, "Library/Application Support"),
        ("linux", {"XDG_DATA_HOME": "{home}/d"}, "d"),
    ],
)
def test_each_system_has_its_folder(tmp_path: Path, platform: str, environ: dict[str, str], place: str) -> None:
    put(tmp_path / place / "Godot/app_userdata/Fens/1.save")
    said = {key: value.format(home=tmp_path) for key, value in environ.items()}
    assert told(find_games(data_folders(platform, tmp_path, said))) == [("Fens", "Godot", "", ["1.save"])]


def test_no_link_is_followed(tmp_path: Path) -> None:
    data, outside = tmp_path / "data", tmp_path / "outside"
    put(outside / "secret.save")
    put(outside / "app_userdata/Other/1.save")
    put(outside / "logs/godot.log")
    fens = put(data / "godot/app_userdata/Fens/1.save").parent
    (fens / "folder").symlink_to(outside)
    (fens / "file.save").symlink_to(outside / "secret.save")
    (data / "pandemonium").symlink_to(outside)
    (data / "Own").symlink_to(outside)
    (data / "godot/app_userdata/Linked").symlink_to(outside)
    (data / "Half").mkdir()
    (data / "Half/logs").symlink_to(outside / "logs")
    put(data / "Half/1.save")
    if hasattr(os, "mkfifo"):
        os.mkfifo(fens / "pipe.save")
    assert told(find_games([DataFolder(data)])) == [("Fens", "Godot", "", ["1.save"])]


def test_very_many_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(save_finding, "MOST_FILES", 5)
    monkeypatch.setattr(save_finding, "MOST_OF_ALL", 30)
    for number in range(12):
        put(tmp_path / f"godot/app_userdata/A/{number:02}.save", number)
    deep = tmp_path / "godot/app_userdata/B" / "/".join("abcdefgh")
    put(deep / "too deep.save")
    game = find_games([DataFolder(tmp_path)]).games[0]
    assert ([save.name for save in game.saves], game.more) == ([f"{n:02}.save" for n in (11, 10, 9, 8, 7)], 7)
    for number in range(40):
        put(tmp_path / f"godot/app_userdata/C/{number}.save")
    assert find_games([DataFolder(tmp_path)]).is_cut
    assert not find_games([DataFolder(tmp_path)], lambda _: False).games


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("godot3-rpg.save", SaveKind("Godot 3", "The Lantern Fens")),
        ("godot4-typed.save", SaveKind("Godot 4")),
        (b"", SaveKind("empty")),
        (b'{"gold": 3}', SaveKind("JSON")),
        (b"[player]\n\ngold=3\n", SaveKind("settings")),
        (b"GDEC\1\0\0\0" + bytes(range(200)), SaveKind("encrypted")),
        (bytes(range(256)) * 4, SaveKind("compressed or encrypted data of an unknown kind")),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(60), SaveKind("PNG image")),
    ],
)
def test_a_save_is_told_by_its_first_bytes(tmp_path: Path, data: str | bytes, kind: SaveKind) -> None:
    raw = assets.data("samples", data) if isinstance(data, str) else data
    path = put(tmp_path / "godot3-rpg.save", data=raw)
    assert save_kind(path, len(raw), shipped_profiles()) == kind


def test_a_copy_lies_beside_with_its_date_and_nothing_is_written_over(tmp_path: Path) -> None:
    path = put(tmp_path / "slot1.save", data=b"abc")
    copies = [copy_beside(path, NOW), copy_beside(path, NOW)]
    assert [copy.name for copy in copies] == ["slot1 2026-03-14 20.05.save", "slot1 2026-03-14 20.05 2.save"]
    assert {copy.read_bytes() for copy in copies} == {b"abc"}
    (tmp_path / "link.save").symlink_to(path)
    with pytest.raises(CannotCopy, match="could not be copied"):
        copy_beside(tmp_path / "link.save", NOW)
    with pytest.raises(CannotCopy, match="No such file"):
        copy_beside(tmp_path / "gone.save", NOW)
    assert len(list(tmp_path.iterdir())) == 4
