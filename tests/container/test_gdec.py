"""Encrypted files: what engines wrote opens, what is written opens again, and nothing else does."""

from __future__ import annotations

import hashlib

import corpus
import pytest
from container import aes
from container.fuzzing import harmed
from corpus import Row, SavedFile

from viewer.container.gdec import MAGIC, Gdec, GdecForm, Version, encrypt, quick_check
from viewer.container.layer import KeyNeeded, KeyWrong, Secret, TooLarge, WrapError

KEY = Secret(bytes(range(32)))
PLAIN = bytes.fromhex("10000000 12000000 01000000 02000000 2a000000")
SIZES = (0, 1, 15, 16, 17, 31, 32, 33, 100)


def is_encrypted(saved: SavedFile) -> bool:
    return quick_check(saved.path.read_bytes())


SAVED = [saved for engine in corpus.ENGINES for saved in corpus.wrapped(engine.folder) if is_encrypted(saved)]
BROKEN = [
    row
    for engine in corpus.ENGINES
    for row in corpus.broken_wraps(engine.folder)
    if row["id"].startswith("gdec") and not row["id"].startswith("gdec_v")
]


def secret_of(row: Row) -> Secret:
    """The key or password that a sidecar tells."""
    facts = row | (row["container"] if isinstance(row["container"], dict) else {})
    return Secret.of_hex(facts["key_hex"]) if "key_hex" in facts else Secret.of_password(facts["password"])


def own_plain(outside: bytes, key: bytes) -> bytes:
    """What the AES of this folder makes of a file."""
    if outside[4:8] == bytes((1, 0, 0, 0)):
        size = int.from_bytes(outside[24:32], "little")
        return bytes(aes.ecb_decrypt(key, outside[32 : 32 + size + -size % 16])[:size])
    size = int.from_bytes(outside[20:28], "little")
    return bytes(aes.cfb_decrypt(key, outside[28:44], outside[44 : 44 + size + -size % 16])[:size])


def test_the_own_aes_gives_the_answer_of_the_standard() -> None:
    block = bytes.fromhex("00112233445566778899aabbccddeeff")
    hidden = bytes.fromhex("8ea2b7ca516745bfeafc49904b496089")
    assert aes.encrypt_block(KEY.key, block) == hidden
    assert aes.decrypt_block(KEY.key, hidden) == block


@pytest.mark.parametrize("saved", SAVED, ids=str)
def test_what_an_engine_wrote_opens(saved: SavedFile) -> None:
    outside = saved.path.read_bytes()
    found = Gdec().unwrap(outside, secret_of(saved.sidecar))
    told = saved.sidecar.get("plain_length", saved.sidecar.get("payload_bytes"))
    assert len(found.inside) == told
    if "payload_sha256" in saved.sidecar:
        assert hashlib.sha256(found.inside).hexdigest() == saved.sidecar["payload_sha256"]


@pytest.mark.parametrize("saved", [saved for saved in SAVED if saved.path.stat().st_size < 700], ids=str)
def test_an_aes_of_another_make_reads_the_same(saved: SavedFile) -> None:
    outside = saved.path.read_bytes()
    secret = secret_of(saved.sidecar)
    assert own_plain(outside, secret.key) == Gdec().unwrap(outside, secret).inside


@pytest.mark.parametrize("saved", SAVED, ids=str)
def test_unchanged_bytes_are_wrapped_as_they_were(saved: SavedFile) -> None:
    outside = saved.path.read_bytes()
    found = Gdec().unwrap(outside, secret_of(saved.sidecar))
    assert found.form.wrap(found.inside) == outside


@pytest.mark.parametrize("saved", SAVED, ids=str)
def test_version_1_is_encrypted_to_the_very_bytes_of_the_engine(saved: SavedFile) -> None:
    outside = saved.path.read_bytes()
    secret = secret_of(saved.sidecar)
    found = Gdec().unwrap(outside, secret)
    assert isinstance(found.form, GdecForm)
    fresh = encrypt(found.form.version, secret, found.inside)
    if found.form.version is Version.ECB:
        assert fresh == outside
    else:
        assert (fresh[:28], len(fresh)) == (outside[:28], len(outside))


@pytest.mark.parametrize("version", Version)
@pytest.mark.parametrize("size", SIZES)
def test_an_aes_of_another_make_reads_what_is_written(version: Version, size: int) -> None:
    plain = bytes(range(size))
    outside = encrypt(version, KEY, plain)
    assert own_plain(outside, KEY.key) == plain
    assert len(outside) == version.header + size + -size % 16


@pytest.mark.parametrize("version", Version)
@pytest.mark.parametrize("size", SIZES)
def test_what_an_aes_of_another_make_wrote_opens(version: Version, size: int) -> None:
    plain = bytes(range(size))
    filled = plain + bytes(-size % 16)
    facts = hashlib.md5(plain).digest() + size.to_bytes(8, "little")
    if version is Version.ECB:
        outside = MAGIC + bytes((1, 0, 0, 0)) + facts + aes.ecb_encrypt(KEY.key, filled)
    else:
        iv = bytes(range(100, 116))
        outside = MAGIC + facts + iv + aes.cfb_encrypt(KEY.key, iv, filled)
    found = Gdec().unwrap(outside, KEY)
    assert found.inside == plain
    assert found.form.label == f"GDEC {version.number}"


@pytest.mark.parametrize("row", BROKEN, ids=lambda row: f"{row['engine']}-{row['id']}")
def test_a_broken_file_is_judged_as_the_engine_judges_it(row: Row) -> None:
    how, _, text = row["open_mode"].partition(":")
    secret = Secret.of_hex(text) if how == "key" else Secret.of_password(text)
    outside = bytes.fromhex(row["hex"])
    if row["rc"] == 0:
        assert Gdec().unwrap(outside, secret).inside
    else:
        with pytest.raises(WrapError):
            Gdec().unwrap(outside, secret)


@pytest.mark.parametrize("version", Version)
def test_without_a_key_one_is_asked_for(version: Version) -> None:
    with pytest.raises(KeyNeeded):
        Gdec().unwrap(encrypt(version, KEY, PLAIN))


@pytest.mark.parametrize("version", Version)
def test_a_wrong_key_and_damage_are_one_sentence(version: Version) -> None:
    outside = encrypt(version, KEY, PLAIN)
    damaged = (
        outside[:-1] + bytes((outside[-1] ^ 1,)) if version is Version.ECB else outside[:8] + bytes(8) + outside[16:]
    )
    said = []
    for data, secret in ((outside, Secret.of_password("no")), (damaged, KEY)):
        with pytest.raises(KeyWrong) as failure:
            Gdec().unwrap(data, secret)
        said.append(str(failure.value))
    assert set(said) == {"The password or key is wrong, or the file is damaged."}


@pytest.mark.parametrize("version", Version)
def test_a_file_that_is_cut_off_says_so_before_it_asks_for_a_key(version: Version) -> None:
    outside = encrypt(version, KEY, PLAIN)
    for size in range(4, len(outside)):
        with pytest.raises(WrapError) as failure:
            Gdec().unwrap(outside[:size])
        assert not isinstance(failure.value, KeyNeeded)


@pytest.mark.parametrize("version", Version)
def test_bytes_behind_the_encrypted_ones_are_kept(version: Version) -> None:
    outside = encrypt(version, KEY, PLAIN) + b"tail"
    found = Gdec().unwrap(outside, KEY)
    assert found.inside == PLAIN
    assert found.form.wrap(PLAIN) == outside
    again = found.form.wrap(PLAIN + b"more")
    assert again.endswith(b"tail")
    assert Gdec().unwrap(again, KEY).inside == PLAIN + b"more"


def test_changed_bytes_never_get_the_same_iv_twice() -> None:
    form = Gdec().unwrap(encrypt(Version.CFB, KEY, PLAIN), KEY).form
    assert len({form.wrap(b"changed")[28:44] for _ in range(20)}) == 20


@pytest.mark.parametrize("length", [1 << 40, (1 << 64) - 1, (1 << 64) - 16, 1 << 63])
@pytest.mark.parametrize("version", Version)
def test_a_length_beyond_the_file_costs_nothing(version: Version, length: int) -> None:
    outside = bytearray(encrypt(version, KEY, PLAIN))
    outside[version.length_at : version.length_at + 8] = length.to_bytes(8, "little")
    with pytest.raises(WrapError):
        Gdec().unwrap(bytes(outside), KEY)


@pytest.mark.parametrize("version", Version)
def test_more_bytes_than_allowed_are_not_decrypted(version: Version) -> None:
    with pytest.raises(TooLarge) as failure:
        Gdec().unwrap(encrypt(version, KEY, PLAIN), KEY, limit=len(PLAIN) - 1)
    assert failure.value.size == len(PLAIN)


@pytest.mark.parametrize("version", Version)
def test_a_form_shows_neither_key_nor_bytes(version: Version) -> None:
    secret = Secret.of_password("hunter2")
    found = Gdec().unwrap(encrypt(version, secret, b"the treasure is here"), secret)
    shown = repr(found.form) + str(found.form)
    for hidden in (secret.key.decode(), secret.key.hex(), "treasure", "hunter2", repr(secret.key)):
        assert hidden not in shown


@pytest.mark.parametrize("password", ["", "päss世", "hunter2", "a" * 1000])
@pytest.mark.parametrize("version", Version)
def test_any_password_is_a_key(version: Version, password: str) -> None:
    secret = Secret.of_password(password)
    assert Gdec().unwrap(encrypt(version, secret, PLAIN), Secret.of_password(password)).inside == PLAIN


@pytest.mark.parametrize("data", [b"", b"G", b"GDE", b"GDEX" + bytes(60), b"GCPF" + bytes(60)])
def test_other_bytes_are_no_encrypted_file(data: bytes) -> None:
    assert not Gdec().probe(data)
    with pytest.raises(WrapError):
        Gdec().unwrap(data, KEY)


def test_harmed_files_give_their_bytes_or_one_sentence() -> None:
    starts = [encrypt(version, KEY, bytes(range(size))) for version in Version for size in (0, 5, 40)]
    for data in harmed(starts):
        try:
            assert Gdec().unwrap(data, KEY).inside == own_plain(data, KEY.key)
        except WrapError as error:
            said = str(error)
            assert (said[-1], said.count("\n")) == (".", 0)
