"""``convert --to same:LINE``: the same kind of file for another engine line, in the wraps that it opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run
from container.encrypted_engine import carry_out
from engine import Request, read_back
from engine4 import Godot

from viewer.container.gdec import GDEC, Version, encrypt
from viewer.container.layer import Secret
from viewer.document.document import Document
from viewer.document.export.other_engine import for_engine

PASSWORD = "hünter2"
SECRET = Secret.of_password(PASSWORD)
OLD = (
    b'; of an old game\r\n[player]\r\n\r\nname="Mira"\r\nat=Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 5, 6 )\r\n'
    b'turn=Quat( 0, 0, 0, 1 )\r\nscores=PoolIntArray( 3, 5 )\r\nbag={\r\n"gold": 12,\r\n"named": [ "a", 1.5 ]\r\n}\r\n'
)
JSON = b'{ "hp": 10,\n\t"name" : "Mira" }\n'
LOG = b"2024-01-02 saved\n2024-01-03 saved again\n"


def encrypted(folder: Path, inside: bytes, version: Version) -> Path:
    path = folder / "save.dat"
    path.write_bytes(encrypt(version, SECRET, inside))
    return path


def converted(run: Run, folder: Path, inside: bytes, version: Version, line: str, *more: str) -> bytes:
    """What comes out of an encrypted file for an engine line."""
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    path, out = encrypted(folder, inside, version), folder / "out.dat"
    told = run(
        "convert", str(path), "--to", f"same:{line}", *more, "--password-file", str(folder / "password"), "-o", str(out)
    )
    assert told[0] == 0, told
    return out.read_bytes()


@pytest.mark.parametrize("inside", [JSON, LOG])
def test_a_text_that_both_engines_read_is_only_encrypted_otherwise(run: Run, tmp_path: Path, inside: bytes) -> None:
    newer = converted(run, tmp_path, inside, Version.ECB, "godot4")
    found = GDEC.unwrap(newer, SECRET)
    assert (found.form.label, found.inside) == ("GDEC 2", inside)
    older = converted(run, tmp_path, inside, Version.CFB, "godot3")
    assert older == encrypt(Version.ECB, SECRET, inside)


def test_settings_that_godot4_reads_all_the_same_stay_as_they_are(run: Run, tmp_path: Path) -> None:
    assert GDEC.unwrap(converted(run, tmp_path, OLD, Version.ECB, "godot4"), SECRET).inside == OLD


def test_of_settings_only_what_the_other_engine_reads_otherwise_is_spelled_anew(run: Run, tmp_path: Path) -> None:
    newer = b'; mine\r\n[a]\r\n\r\nname = "Mira"  ; who\r\nat = Vector2i(3, 4)\r\nscores=PackedInt32Array(3, 5)\r\n'
    older = converted(run, tmp_path, newer, Version.CFB, "godot3", "--allow-loss")
    expected = newer.replace(b"Vector2i(3, 4)", b"Vector2( 3, 4 )").replace(
        b"PackedInt32Array(3, 5)", b"PoolIntArray( 3, 5 )"
    )
    assert GDEC.unwrap(older, SECRET).inside == expected


def test_stored_values_become_those_of_the_other_line(run: Run, tmp_path: Path) -> None:
    source = Path("resources/samples/godot3-rpg.save").read_bytes()
    inside = GDEC.unwrap(converted(run, tmp_path, source, Version.ECB, "godot4", "--allow-loss"), SECRET).inside
    document = Document(inside)
    assert (document.dialect.key, len(document.frames)) == ("godot4", len(Document(source).frames))


def test_big_endian_lengths_stay_big_endian() -> None:
    document = Document(bytes.fromhex("00000008 02000000 07000000 00000008 02000000 08000000"))
    assert document.framing.big_endian
    assert for_engine(document, "godot4").data == bytes(document.buffer[:])


def test_what_is_lost_is_said_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "a.cfg", tmp_path / "b.cfg"
    path.write_bytes(b'[a]\nb=PackedInt64Array(9007199254740993)\nc=&"name"\n')
    code, _, err = run("convert", str(path), "--to", "same:godot3", "-o", str(out))
    assert code == 1
    assert err.count("\n") > 1
    assert not out.exists()


def test_where_the_encryption_goes_it_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    path, out = encrypted(tmp_path, JSON, Version.ECB), tmp_path / "out.json"
    code, _, err = run(
        "convert", str(path), "--to", "json", "--password-file", str(tmp_path / "password"), "-o", str(out)
    )
    assert code == 0
    assert "without its encryption" in err


@pytest.mark.engine4
@pytest.mark.engine
def test_godot4_opens_what_godot3_encrypted(run: Run, tmp_path: Path, godot4: Godot) -> None:
    (by_engine,) = carry_out([("write-pass", PASSWORD.encode(), OLD)])
    assert by_engine == encrypt(Version.ECB, SECRET, OLD)
    newer = converted(run, tmp_path, OLD, Version.ECB, "godot4")
    (answer,) = godot4.settings([newer], "password", PASSWORD.encode())
    (plain,) = godot4.settings([GDEC.unwrap(newer, SECRET).inside])
    assert not answer.refused
    assert answer.value == plain.value
    assert {"String": "scores"} in [key for key, _ in answer.value["Dictionary"][0][1]["Dictionary"]]
    (answer,) = godot4.parsed([converted(run, tmp_path, JSON, Version.ECB, "godot4")], "password", PASSWORD.encode())
    assert not answer.refused
    assert answer.value["Dictionary"][1][1] == {"String": "Mira"}


@pytest.mark.engine
def test_godot3_opens_what_was_encrypted_for_godot4(run: Run, tmp_path: Path) -> None:
    settings = b'[player]\n\nname="Mira"\nat=Vector2i(3, 4)\nscores=PackedInt32Array(3, 5)\n'
    older = [
        (converted(run, tmp_path, settings, Version.CFB, "godot3", "--allow-loss"), "config"),
        (converted(run, tmp_path, JSON, Version.CFB, "godot3"), "json"),
    ]
    requests = [Request(data, mode, opened="pass", secret=PASSWORD.encode()) for data, mode in older]  # type: ignore[arg-type]
    config, parsed = read_back(requests)
    assert not config.error
    assert not parsed.error
    assert "PoolIntArray" in str(config.value)
    assert "Mira" in str(parsed.value)
