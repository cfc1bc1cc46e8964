"""The script that converts saves on players' machines, run by the real Godot 4 on files that the real Godot 3 wrote."""

from __future__ import annotations

import pytest
from corpus import SavedFile, files, wrapped
from engine4 import Converted, Godot, Opened

from viewer.container.layer import Secret
from viewer.document.compare.comparing import compare
from viewer.document.document import Document
from viewer.document.export.other_engine import for_engine
from viewer.document.export.player_script import MARK, player_script
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions

SCRIPT = player_script()
LARGEST = 1 << 16
OTHERS = {
    "endian_swap.save": "no value as store_var",
    "full_objects.save": "an object of class Resource",
    "comp_deflate_mixed.save": "no value as store_var",
    "enc_key_mixed.save": "no value as store_var",
    "mixed_calls.save": "no value as store_var",
}
"""What the script says of files that it does not convert."""


def opening(saved: SavedFile) -> tuple[Opened, bytes, Secret | None]:
    """How a file is opened: by a password or a key, with which bytes, and the secret."""
    found = saved.sidecar["container"]
    if "password" in found:
        return "password", found["password"].encode(), Secret.of_password(found["password"])
    if "key_hex" in found:
        return "key", bytes.fromhex(found["key_hex"]), Secret.of_hex(found["key_hex"])
    return "plain", b"", None


def read(data: bytes, secret: Secret | None, line: str | None = None) -> Document:
    return Document(data, choice=ReadOptions(opening=UnwrapOptions(secret=secret)))


def converted(godot: Godot, name: str) -> tuple[SavedFile, Converted]:
    saved = next(each for each in (*files("godot3"), *wrapped("godot3")) if each.path.name == name)
    opened, secret, _ = opening(saved)
    return saved, godot.converted(SCRIPT, saved.path.read_bytes(), opened, secret)


def test_the_script_has_a_row_for_each_type_and_no_secret() -> None:
    rows = [line for line in SCRIPT.splitlines() if line.startswith("\t[")]
    assert MARK not in SCRIPT
    assert len(rows) == 27
    assert rows[18] == "\t[27, Kind.PAIRS, 0], # Dictionary"


@pytest.mark.engine4
@pytest.mark.parametrize(
    "name",
    [
        "all_types.save",
        "comp_deflate_many.save",
        "comp_fastlz_exact4096.save",
        "comp_gzip_rpg.save",
        "comp_zstd_many.save",
        "enc_key_one.save",
        "enc_pass_many.save",
        "enc_pass_emptypw.save",
        "many_store_var.save",
        "raw_var2bytes.bin",
        "rpg.save",
    ],
)
def test_godot4_makes_of_a_save_what_this_program_makes_of_it(godot4: Godot, name: str) -> None:
    saved, done = converted(godot4, name)
    assert (done.fault, done.messages) == ("", ())
    assert done.kept == b"there before"
    secret = opening(saved)[2]
    new = read(done.data, secret)
    expected = read(for_engine(read(saved.path.read_bytes(), secret), "godot4").data, secret)
    if all(frame.sound for frame in expected.frames) and expected.dialect.key == "godot4":
        assert new.dialect.key == "godot4"
    found = compare(expected, new)
    assert found.changes == ()
    assert [layer.codec for layer in new.layers] == [layer.codec for layer in expected.layers]


@pytest.mark.engine4
@pytest.mark.parametrize("name", sorted(OTHERS))
def test_what_it_cannot_convert_it_leaves_alone_and_says_why(godot4: Godot, name: str) -> None:
    _, done = converted(godot4, name)
    assert OTHERS[name] in done.fault
    assert done.fault.endswith(".")
    assert (done.data, done.kept) == (b"there before", b"")


@pytest.mark.engine4
def test_wrong_passwords_damage_and_second_runs_change_nothing(godot4: Godot) -> None:
    saved, done = converted(godot4, "enc_pass_one.save")
    raw = saved.path.read_bytes()
    plain = next(each for each in files("godot3") if each.path.name == "rpg.save").path.read_bytes()
    for data, secret, word in (
        (raw, b"other", "password or key is another one"),
        (raw[:100], b"hunter2", "bytes are missing"),
        (done.data, b"hunter2", "not encrypted as Godot 3 does it"),
        (plain[:-40], b"", "no value as store_var"),
        (plain[:90] + b"\xff" * 8 + plain[98:], b"", "not converted"),
        (b"\x13\0\0\0\xff\xff\xff\x7f" * 50, b"", "not converted"),
    ):
        tried = godot4.converted(SCRIPT, data, "password", secret)
        assert word in tried.fault
        assert (tried.data, tried.kept) == (b"there before", b"")


@pytest.mark.engine4
def test_every_cut_and_many_wrong_bytes_of_a_save_end_in_a_sentence(godot4: Godot) -> None:
    saved = next(each for each in files("godot3") if each.path.name == "single_dict.save")
    raw = saved.path.read_bytes()
    for at in range(1, len(raw), 11):
        assert godot4.converted(SCRIPT, raw[:at]).fault.endswith(".")
        broken = godot4.converted(SCRIPT, raw[:at] + bytes([raw[at] ^ 0x55]) + raw[at + 1 :])
        assert broken.fault.endswith(".") or broken.kept == b"there before"
