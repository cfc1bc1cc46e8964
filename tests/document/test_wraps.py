"""Wraps around a document: taken off by themselves, put on again on saving, and never a byte changed unasked."""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma
import subprocess
import sys
import urllib.parse
import zlib
from pathlib import Path
from typing import Any

import corpus
import pytest
from corpus import DATA, ENGINES, SavedFile

from viewer.container.codecs import CODECS, GUESSES, START
from viewer.container.layer import KeyNeeded, KeyWrong, Secret
from viewer.container.new_wrap import FRESH, fresh
from viewer.document.disk.files import FileProblem
from viewer.document.document import Document
from viewer.document.edits.embedded_objects import embedded, without_objects
from viewer.document.edits.layer_edit import layer_replaced
from viewer.document.edits.raw_bytes import insert_bytes, overwrite
from viewer.document.edits.setting import set_value
from viewer.document.outline import row_item
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.shown_layers import shown_layers
from viewer.document.wraps import UnwrapOptions
from viewer.variant.items import Item
from viewer.variant.literal.parse import parse_literal

RPG = DATA / "godot3" / "files" / "rpg.save"
RPG_INSIDE = bytes(Document.open(RPG).buffer)
WRAPPED = [(engine, saved) for engine in ENGINES for saved in corpus.wrapped(engine.folder)]
SECRET = Secret.of_password("pässword")


def found(value: Any, name: str) -> str | None:
    """A text of a sidecar by its name, wherever it stands."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get(name), str):
        return str(value[name])
    return next((text for each in value.values() if (text := found(each, name)) is not None), None)


def secret_of(saved: SavedFile) -> Secret | None:
    password, key = found(saved.sidecar, "password"), found(saved.sidecar, "key_hex")
    return Secret.of_password(password) if password is not None else Secret.of_hex(key) if key else None


@pytest.mark.parametrize(("engine", "saved"), WRAPPED, ids=lambda each: str(each))
def test_a_wrapped_save_opens_and_saves_as_the_same_bytes(engine: Any, saved: SavedFile, tmp_path: Path) -> None:
    document = Document.open(saved.path, ReadOptions(opening=UnwrapOptions(secret=secret_of(saved))))
    assert document.wraps.around
    assert document.wraps.blocked is None
    assert not document.wraps.damages
    document.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == saved.path.read_bytes()


@pytest.mark.parametrize(("engine", "saved"), corpus.spread(WRAPPED, 2), ids=lambda each: str(each))
def test_a_changed_value_is_there_when_the_save_is_opened_again(engine: Any, saved: SavedFile, tmp_path: Path) -> None:
    choice = ReadOptions(opening=UnwrapOptions(secret=secret_of(saved)))
    document = Document.open(saved.path, choice)
    if not document.frames or document.frame_at(0) < 0:
        return
    value = parse_literal('{"new": [1, "a longer text than before"]}', document.dialect)
    document.apply(set_value(document, row_item(document, Item(0, 0)), value))
    path = tmp_path / saved.path.name
    if "brotli" in saved.path.name:
        with pytest.raises(FileProblem, match="Brotli"):
            document.save(path)
        return
    document.save(path)
    assert bytes(Document.open(path, choice).buffer[:]) == bytes(document.buffer[:])


def stacked(*names: str) -> bytes:
    inside = RPG.read_bytes()
    for name in reversed(names):
        inside = fresh(name, SECRET).wrap(inside)
    return inside


@pytest.mark.parametrize(
    "names", [("base64", "gdec:2"), ("gcpf:zstd", "base64"), ("gzip", "gdec:1", "gcpf:fastlz"), ("base64", "gzip")]
)
def test_any_stack_is_taken_off_edited_and_put_on_again(names: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "stack"
    path.write_bytes(stacked(*names))
    choice = ReadOptions(opening=UnwrapOptions(secret=SECRET))
    document = Document.open(path, choice)
    assert document.wraps.names == tuple(name.partition(":")[0] for name in names)
    assert bytes(document.buffer[:]) == RPG.read_bytes()
    document.apply(overwrite(document, 540, b"\x01\x02\x03"))
    document.save()
    again = Document.open(path, choice)
    assert again.wraps.names == document.wraps.names
    assert bytes(again.buffer[:]) == bytes(document.buffer[:])
    assert (tmp_path / "stack.bak").read_bytes() == stacked(*names) or "gdec:2" in names


def test_without_a_key_the_bytes_stay_closed_and_nothing_is_guessed() -> None:
    document = Document(stacked("gdec:1"))
    assert isinstance(document.wraps.blocked, KeyNeeded)
    assert document.frames == []
    assert [finding.code.slug for finding in document.findings.all()] == ["wrap-closed"]
    wrong = document.opened_as(UnwrapOptions(secret=Secret.of_password("wrong")))
    assert isinstance(wrong.wraps.blocked, KeyWrong)
    right = wrong.opened_as(UnwrapOptions(secret=SECRET))
    assert bytes(right.buffer[:]) == RPG.read_bytes()


def test_a_key_shows_itself_nowhere() -> None:
    document = Document(stacked("gdec:2"), choice=ReadOptions(opening=UnwrapOptions(secret=SECRET)))
    document.apply(overwrite(document, 540, b"\x01\x02\x03"))
    said = f"{document.choice!r} {document.wraps!r} {[layer.form for layer in document.layers]!r}"
    assert SECRET.key.decode() not in said
    assert "pässword" not in said


@pytest.mark.parametrize("name", ["gcpf:fastlz", "gcpf:deflate", "gcpf:zstd", "gcpf:gzip"])
def test_a_damaged_block_leaves_the_others_readable(name: str) -> None:
    raw = bytearray(fresh(name, None).wrap(RPG.read_bytes()))
    raw[len(raw) // 2] ^= 0xFF
    document = Document(bytes(raw))
    inside = bytes(document.buffer[:])
    whole = RPG.read_bytes()
    same = sum(inside[at : at + 4096] == whole[at : at + 4096] for at in range(0, len(whole), 4096))
    assert len(inside) == len(whole)
    assert same >= len(whole) // 4096 - 1
    assert bytes(document.to_be_written()[:]) == bytes(raw)


def test_text_that_is_only_like_base64_is_left_alone() -> None:
    for text in (b"deadbeefdeadbeefdeadbeefdeadbeef", b"[1 2 3 4]", b"SGVsbG8gd29ybGQhIQ==", b"hello world"):
        assert Document(text).wraps.names == ()


def test_a_person_can_leave_a_wrap_on_and_take_one_off_by_hand() -> None:
    document = Document(base64.b64encode(gzip.compress(RPG.read_bytes(), mtime=0)))
    assert document.wraps.names == ("base64", "gzip")
    outer = document.opened_as(UnwrapOptions(("base64",)))
    assert bytes(outer.buffer[:2]) == b"\x1f\x8b"
    assert outer.wraps.names == ("base64",)
    assert bytes(document.opened_as(UnwrapOptions(())).buffer[:]) == bytes(document.layers[0].buffer[:])
    assert bytes(outer.opened_as(UnwrapOptions(("base64", "gzip"))).buffer[:]) == RPG.read_bytes()


def test_a_layer_that_was_changed_elsewhere_is_put_back() -> None:
    document = Document(stacked("base64", "gcpf:zstd"))
    other = bytearray(RPG.read_bytes())
    other[540] ^= 1
    document.apply(layer_replaced(document, 1, fresh("gcpf:gzip", None).wrap(bytes(other))))
    assert bytes(document.buffer[:]) == bytes(other)
    document.undo()
    assert bytes(document.buffer[:]) == RPG.read_bytes()


def test_the_layers_are_shown_with_their_words() -> None:
    layers = shown_layers(Document(stacked("base64", "gcpf:zstd")))
    assert [layer.label for layer in layers] == ["File: base64", "GCPF, Zstd", "Values"]
    assert [layer.is_inside for layer in layers] == [False, False, True]


def test_every_fresh_wrap_reads_back() -> None:
    for name in FRESH:
        document = Document(
            fresh(name, SECRET).wrap(RPG.read_bytes()), choice=ReadOptions(opening=UnwrapOptions(secret=SECRET))
        )
        assert bytes(document.buffer[:]) == RPG.read_bytes(), name


def test_embedded_objects_are_named_and_can_be_replaced_by_null() -> None:
    document = Document.open(DATA / "godot3" / "files" / "full_objects.save")
    document.findings.all()
    names = [each.name for each in embedded(document)]
    assert "GDScript" in names
    assert "Resource" in names
    document.apply(without_objects(document))
    document.findings.all()
    assert embedded(document) == []
    document.undo()
    assert bytes(document.buffer[:]) == (DATA / "godot3" / "files" / "full_objects.save").read_bytes()


def test_many_versions_stay_where_they_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    path.write_bytes(RPG.read_bytes())
    document = Document.open(path)
    for number in range(4):
        document.apply(insert_bytes(document, len(document.buffer), bytes([number + 1])))
        document.save(backup=3)
    sizes = [(tmp_path / f"a.save{ending}").stat().st_size for ending in ("", ".bak", ".bak2", ".bak3")]
    assert sizes == [len(RPG.read_bytes()) + size for size in (4, 3, 2, 1)]
    assert not (tmp_path / "a.save.bak4").exists()


SHORT_BLOCKS = [
    file
    for folder in ("godot2", "godot3", "godot4", "pandemonium5")
    for file in corpus.wrapped(folder)
    if "fastlz" in file.path.name and 0 < file.path.stat().st_size < 30_000
]


@pytest.mark.parametrize("file", SHORT_BLOCKS, ids=str)
def test_an_edited_save_in_fastlz_is_wrapped_again_however_short_its_last_block_is(file: SavedFile) -> None:
    document = Document.open(file.path)
    size = len(document.buffer)
    if size:
        document.apply(overwrite(document, size - 1, bytes([document.buffer[size - 1] ^ 1])))
    assert Document(document.to_be_written()).buffer == document.buffer


@pytest.mark.parametrize(
    ("outside", "name", "label"),
    [
        (lzma.compress(RPG_INSIDE), "xz", "xz"),
        (lzma.compress(RPG_INSIDE, check=lzma.CHECK_SHA256) * 2, "xz", "xz"),
        (lzma.compress(RPG_INSIDE, lzma.FORMAT_ALONE), "lzma", "LZMA"),
        (bz2.compress(RPG_INSIDE, 3), "bzip2", "bzip2"),
    ],
)
def test_what_other_tools_compress_opens_and_saves(outside: bytes, name: str, label: str, tmp_path: Path) -> None:
    document = Document(outside)
    assert [(wrap.codec.name, wrap.form.label) for wrap in document.wraps.around] == [(name, label)]
    inside = bytes(document.buffer)
    assert inside == RPG_INSIDE * (len(inside) // len(RPG_INSIDE))
    document.apply(overwrite(document, len(inside) - 1, b"\x01"))
    document.save(tmp_path / "again")
    assert Document.open(tmp_path / "again").buffer == inside[:-1] + b"\x01"


# Wraps that nothing tells but the values inside

RAW = zlib.compress(RPG_INSIDE, wbits=-15)


def under_a_key(data: bytes, key: int = 0x5A) -> bytes:
    return bytes(byte ^ key for byte in data)


@pytest.mark.parametrize(
    ("outside", "names", "label"),
    [
        (RAW, ("raw-deflate",), "raw deflate, guessed"),
        (under_a_key(RPG_INSIDE), ("xor",), "XOR with 0x5A, guessed"),
        (base64.b64encode(base64.b64encode(RPG_INSIDE)), ("base64", "base64"), "base64"),
        (base64.b64encode(RAW), ("base64", "raw-deflate"), "raw deflate, guessed"),
        (gzip.compress(under_a_key(RPG_INSIDE)), ("gzip", "xor"), "XOR with 0x5A, guessed"),
        (urllib.parse.quote_plus(base64.b64encode(RPG_INSIDE)).encode(), ("percent", "base64"), "base64"),
        (urllib.parse.quote_plus(RPG_INSIDE).encode(), ("percent",), "percent encoding"),
    ],
)
def test_a_wrap_is_found_by_the_values_inside(
    outside: bytes, names: tuple[str, ...], label: str, tmp_path: Path
) -> None:
    document = Document(outside)
    assert document.wraps.names == names
    assert document.wraps.around[-1].form.label == label
    assert document.buffer == RPG_INSIDE
    assert document.wraps.outside == outside
    document.apply(overwrite(document, len(RPG_INSIDE) - 1, b"\x01"))
    document.save(tmp_path / "again")
    again = Document.open(tmp_path / "again")
    assert again.wraps.names == names
    assert again.buffer == RPG_INSIDE[:-1] + b"\x01"


@pytest.mark.parametrize(
    "outside",
    [
        under_a_key(RPG_INSIDE)[:-7],
        under_a_key(RPG_INSIDE[:20]),
        RAW[:-1],
        RAW + b"more",
        zlib.compress(b"no values at all, but text, and more of it " * 9, wbits=-15),
        base64.b64encode(base64.b64encode(b"\xff\xfe no values at all " * 9)),
    ],
)
def test_what_gives_no_sound_values_is_not_guessed(outside: bytes) -> None:
    document = Document(outside)
    assert document.wraps.names == ()
    assert document.wraps.blocked is None


@pytest.mark.parametrize("name", ["raw-deflate", "xor"])
def test_a_guess_is_not_made_for_bytes_that_make_sense(name: str) -> None:
    assert Document(RPG_INSIDE).wraps.names == ()
    assert Document(
        under_a_key(RPG_INSIDE) if name == "xor" else RAW, choice=ReadOptions(opening=UnwrapOptions((name,)))
    ).wraps.names
    assert Document(RPG_INSIDE, choice=ReadOptions(opening=UnwrapOptions((name,)))).wraps.blocked is not None


def test_nothing_is_loaded_to_guess_where_the_first_bytes_are_no_stream() -> None:
    raw_deflate = next(codec for codec in GUESSES if codec.name == "raw-deflate")
    assert raw_deflate.looks(RAW[:START])
    inside = RPG_INSIDE[4:]
    assert inside[0] >> 1 & 3 == 1  # as a block whose codes are the usual ones
    assert not raw_deflate.looks(inside[:START])


def test_a_guess_keeps_to_what_may_come_out() -> None:
    bomb = zlib.compress(bytes(1 << 24), 9, wbits=-15)
    document = Document(bomb, choice=ReadOptions(opening=UnwrapOptions(limit=1 << 20)))
    assert (document.wraps.names, document.wraps.blocked) == ((), None)


def test_in_an_idle_moment_all_is_loaded_that_reads_texts() -> None:
    code = "import sys; from viewer.document.wraps import get_ready; get_ready(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    readers = {codec.module for codec in CODECS if codec.looks(b"[a]") or codec.looks(b'{"a":')}
    assert readers <= set(loaded)
