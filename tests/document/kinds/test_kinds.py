"""Foreign bytes: named by what they are, and never where values may be in them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import pickle
import random
import struct
import zipfile
from io import BytesIO

import corpus
import pytest

from viewer.cli import main
from viewer.document.doctor import diagnose
from viewer.document.document import Document
from viewer.document.kinds.file_kinds import file_kind
from viewer.document.kinds.foreign import foreign_kind, has_plausible_value
from viewer.document.kinds.signatures import CHECKS, signatures
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.notices import notice
from viewer.document.wraps import UnwrapOptions

NOISE = random.Random(4).randbytes(5000)
WORDS = b"a plain sentence in a plain text, of which there are some more\n"


def zipped(*names: str) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "some text")
    return out.getvalue()


def font() -> bytes:
    return struct.pack(">I4H", 0x10000, 1, 16, 0, 0) + b"head" + struct.pack(">3I", 1, 28, 20) + bytes(20)


def bmp() -> bytes:
    return b"BM" + struct.pack("<I4xII", 58, 54, 40) + struct.pack("<iihh", 1, 1, 1, 24) + bytes(28)


def tar() -> bytes:
    return b"name.txt".ljust(257, b"\0") + b"ustar\x0000" + bytes(247) + NOISE


KINDS = {
    "a PNG image": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + NOISE,
    "a JPEG image": b"\xff\xd8\xff\xe0\0\x10JFIF\0" + NOISE,
    "a WebP image": b"RIFF\x20\x01\0\0WEBPVP8 " + NOISE,
    "data of a locale (glibc)": struct.pack("<II5I", 0x20031112, 3, 0x14, 0x18, 0x1C, 0x129, 0xD2) + b"UTF-8\0",
    "a WAV sound": b"RIFF\x20\x01\0\0WAVEfmt " + NOISE,
    "a BMP image": bmp(),
    "a TrueType font": font(),
    "a ZIP archive": zipped("one.txt"),
    "a Java archive (JAR)": zipped("META-INF/MANIFEST.MF"),
    "an app for Android (APK)": zipped("AndroidManifest.xml", "classes.dex"),
    "an office document (docx, xlsx, pptx)": zipped("[Content_Types].xml"),
    "a tar archive": tar(),
    "a file in xz": lzma.compress(NOISE),
    "a file in bzip2": bz2.compress(NOISE),
    "a file in LZMA": lzma.compress(WORDS * 9, lzma.FORMAT_ALONE),
    "a package of a Godot game (.pck)": b"GDPC" + struct.pack("<4I", 4, 5, 0, 1) + NOISE,
    "a compiled script of Godot (.gdc)": b"GDSC" + struct.pack("<2I", 100, 900) + NOISE,
    "an SQLite database": b"SQLite format 3\0\x10\0\1\1\0@  " + bytes(80),
    "translations for gettext (.mo)": struct.pack("<7I", 0x950412DE, 0, 1, 28, 36, 0, 44) + bytes(40),
    "a save of Unreal Engine (.sav)": b"GVAS\2\0\0\0\x07\2\0\0" + NOISE,
    "data of Minecraft (NBT)": b"\x0a\0\0\x0a\0\x04Data\x03\0\x03day\0\0\0\7\0\0",
    "objects pickled by Python": pickle.dumps({"gold": [1, 2, 3], "name": "Bob"}, 4),
    "objects serialized by Java": b"\xac\xed\0\5sr\0\x11java.util.HashMap" + NOISE,
    "data in MessagePack": b"\x83\xa4gold\x05\xa4name\xa3Bob\xa5items\x93\x01\x02\x03",
    "a document in BSON": b"\x22\0\0\0\x10gold\0\5\0\0\0\x02name\0\4\0\0\0Bob\0\x08on\0\1\0",
    "only zeros": bytes(4096),
    "only bytes of 0xFF": b"\xff" * 300,
    "compressed or encrypted data of an unknown kind": NOISE,
    "JSON text": json.dumps({"gold": 5, "items": ["a", "b"]}).encode(),
    "an SVG image": b'<?xml version="1.0"?><svg width="1"></svg>',
    "a web page (HTML)": b"<!DOCTYPE html><html><body>hello</body></html>",
    "a text scene of Godot (.tscn)": b'[gd_scene load_steps=2 format=3]\n\n[node name="Main" type="Node"]\n',
    "a text of sections and settings, such as ConfigFile writes (INI, TOML)": b'[player]\nname="Bob"\nlevel=3\n',
    "a table as text (CSV)": b"id,name,gold\n1,Bob,5\n2,Eve,7\n3,Al,9\n",
    "plain text": WORDS,
    "a key or certificate (PEM)": b"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n",
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_named(name: str) -> None:
    found = file_kind(KINDS[name])
    assert found is not None
    assert found.name == name
    assert found.sentence.count("\n") == 0


@pytest.mark.parametrize("text", ["utf-16", "utf-16-le", "utf-32-be", "utf-8-sig", "latin-1"])
def test_a_text_is_one_in_any_encoding(text: str) -> None:
    found = file_kind(("Grüße an alle, die dies lesen: " * 9).encode(text))
    assert found is not None
    assert found.name == "plain text"


def test_every_check_of_the_table_is_there_and_used() -> None:
    assert {each.check for each in signatures()} - {""} == set(CHECKS)
    assert len({each.name for each in signatures()}) > 120


@pytest.mark.parametrize("name", [name for name in KINDS if not name.startswith("a file in")])
def test_foreign_bytes_are_one_sentence_and_no_repair(name: str, capsys: pytest.CaptureFixture[str], tmp_path) -> None:  # type: ignore[no-untyped-def]
    document = Document(KINDS[name], choice=ReadOptions(opening=UnwrapOptions(())))
    found = foreign_kind(document)
    assert found is not None
    told = notice(document)
    assert told is not None
    assert told.sentence == found.sentence
    opens = Document(KINDS[name]).text is not None
    assert opens or not [repair for repair in diagnose(document) if repair.can_be_applied]
    path = tmp_path / "file"
    path.write_bytes(KINDS[name])
    assert main(["check", "--layers", "none", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert found.name in out


@pytest.mark.parametrize("saved", [saved for each in corpus.ENGINES for saved in corpus.files(each.folder)], ids=str)
def test_a_saved_file_is_nothing_else(saved: corpus.SavedFile) -> None:
    document = Document.open(saved.path)
    if document.wraps.blocked is None and document.explained > 0.9 and len(document.buffer):
        assert foreign_kind(document) is None
        assert has_plausible_value(document)


def test_a_value_that_is_damaged_is_nothing_else() -> None:
    value = bytes.fromhex("12000000 02000000 04000000 02000000 68700000 02000000 03000000")
    for at in range(len(value)):
        damaged = Document(value[:at] + bytes((value[at] ^ 0x81,)) + value[at + 1 :])
        assert foreign_kind(damaged) is None
        assert has_plausible_value(damaged)


def test_what_is_inside_a_wrap_is_named() -> None:
    found = foreign_kind(Document(gzip.compress(KINDS["a PNG image"])))
    assert found is not None
    assert found.name == "a PNG image"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_of_a_text_in_wide_signs_the_advice_is_to_save_it_in_utf_8(encoding: str) -> None:
    kind = foreign_kind(Document('{"a": 1, "b": [1, 2]}'.encode(encoding)))
    assert kind is not None
    assert "UTF-8" in kind.advice
