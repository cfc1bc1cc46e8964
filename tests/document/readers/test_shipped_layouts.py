"""The layouts of the program: packages, caches of ids, debugger streams, textures, as engines write them."""

from __future__ import annotations

import struct
from pathlib import Path

import corpus
import pytest

from viewer.base import assets
from viewer.base.diagnostic import Code
from viewer.cli.program import main
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.kinds.foreign import foreign_kind
from viewer.document.nested.inside_evidence import inside_of
from viewer.document.nested.nested_document import enter
from viewer.document.path import parse_path
from viewer.document.pieces.message import MessageField
from viewer.document.readers import layout_reader
from viewer.document.readers.resource_uid import uid_text
from viewer.document.splice import Edit
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Array, Dictionary, Value

FOLDER = corpus.DATA / "fields"
FILES = {"a.txt": b"hello", "dir/icon.bin": bytes(range(256)), "long name ü.json": b'{"a": 1}'}
GODOT4 = load("godot4")


def package2(files: dict[str, bytes], flags: int = 2, options: int = 0) -> bytes:
    """A package as Godot 4.0 to 4.4 write it."""
    import hashlib

    entries, body = b"", b""
    for path, raw in files.items():
        name = path.encode() + bytes(-len(path.encode()) % 4)
        digest = hashlib.md5(raw, usedforsecurity=False).digest()
        entries += struct.pack("<I", len(name)) + name + struct.pack("<QQ", len(body), len(raw)) + digest
        entries += struct.pack("<I", options)
        body += raw + bytes(-len(raw) % 32)
    head = b"GDPC" + struct.pack("<IIIII", 2, 4, 2, 2, flags)
    size = len(head) + 8 + 64 + 4 + len(entries)
    base = size + -size % 32
    return (
        head + struct.pack("<Q", base) + bytes(64) + struct.pack("<I", len(files)) + entries + bytes(-size % 32) + body
    )


def id_cache(entries: dict[int, str]) -> bytes:
    """A cache of ids as Godot 4 writes it."""
    out = struct.pack("<I", len(entries))
    for uid, path in entries.items():
        out += struct.pack("<QI", uid, len(path.encode())) + path.encode()
    return out


def debugger_message(name: str, *data: Value) -> bytes:
    """What a game of Godot 4 tells the debugger."""
    whole = Array((Value("String", name), Value("int", 1), Value("Array", Array(data))))
    raw = encode(Value("Array", whole), GODOT4)
    return len(raw).to_bytes(4, "little") + raw


def debugger_stream() -> bytes:
    """Three of them."""
    told = debugger_message("set_pid", Value("int", 77)) + debugger_message("output")
    return told + debugger_message("performance:profile_names")


def texture() -> bytes:
    """A compressed texture of Godot 4 with a smaller picture behind the first."""
    webp = b"RIFF" + struct.pack("<I", 20) + b"WEBPVP8L" + bytes(12)
    head = b"GST2" + struct.pack("<IIIIi3I", 1, 16, 8, 1 << 23, -1, 0, 0, 0) + struct.pack("<IHHII", 2, 16, 8, 1, 5)
    sized = len(webp).to_bytes(4, "little") + webp
    return head + sized + sized


def save_of(gold: str) -> bytes:
    """A stored value as a game may save it."""
    raw = encode(Value("Dictionary", Dictionary(((Value("String", "gold"), Value("String", gold)),))), GODOT4)
    return len(raw).to_bytes(4, "little") + raw


def edit_inside(document: Document, path: str, text: str) -> Edit:
    """The edit that sets what a path inside a file of a package leads to."""
    level = enter(document, path)
    return level.outermost(set_literal(level.document, level.item(), text))


def contents(document: Document) -> dict[str, bytes]:
    """The files in a package by their paths."""
    assert document.structure is not None
    files = (piece for piece in document.structure.pieces if piece.form is not None and piece.form.type == "bytes")
    return {
        piece.name.removeprefix("res://"): bytes(document.buffer[piece.span.start : piece.span.end]) for piece in files
    }


def by_name(document: Document) -> dict[str, MessageField]:
    """The pieces by name, of equal ones the last."""
    assert document.structure is not None
    return {piece.name: piece for piece in document.structure.pieces}


PACKAGES = {
    "pck1": (FOLDER / "godot3.2.3.pck").read_bytes(),
    "pck2": package2(FILES),
    "pck3": (FOLDER / "godot4.6.pck").read_bytes(),
}


@pytest.mark.parametrize("kind", PACKAGES)
def test_files_in_a_package_are_named_and_every_byte_is_explained(kind: str) -> None:
    document = Document(PACKAGES[kind])
    assert document.structure is not None
    assert document.structure.kind == kind
    assert not document.findings.all()
    assert document.explained == 1
    assert foreign_kind(document) is None
    assert contents(document) == FILES
    assert len(document.structure.checksums) == (3 if kind != "pck1" else 0)  # Godot 3 leaves them out


def test_what_is_inside_a_package_is_told() -> None:
    save = encode(Value("int", 5), GODOT4)
    picture = b"\x89PNG\r\n\x1a\n" + bytes(20)
    document = Document(package2({"icon.png": picture, "empty": b"", "a.save": save}))
    assert by_name(document)["icon.png"].text == "28 bytes, a PNG image"


def test_a_file_that_was_changed_in_a_package_has_another_checksum() -> None:
    broken = PACKAGES["pck3"].replace(b"hello", b"hallo")
    document = Document(broken)
    assert [found.code for found in document.findings.all()] == [Code.LAYOUT_CHECKSUM]
    (found,) = document.findings.all()
    assert "5D41402ABC4B2A76B9719D911017C592" in found.message


def test_a_value_of_a_save_inside_a_package_is_edited_and_all_numbers_follow() -> None:
    project = (corpus.DATA / "projects" / "godot4-project.binary").read_bytes()
    files = {"a.txt": b"hello", "b.save": save_of("few"), "project.binary": project, "z.bin": bytes(40)}
    document = Document(package2(files))
    inside = {path: inside_of(document, parse_path(document, f"@{path.replace('.', '_')}")) for path in files}
    assert inside == {"a.txt": "", "b.save": "value", "project.binary": "settings of a Godot project", "z.bin": ""}
    document.apply(edit_inside(document, "@b_save!0.gold", '"very many pieces of gold"'))
    assert not document.findings.all()
    again = Document(bytes(document.buffer[:]))
    assert contents(again) == {**files, "b.save": save_of("very many pieces of gold")}


def test_a_search_on_wish_looks_into_the_files_of_a_package(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.pck"
    path.write_bytes(package2({"a.txt": b"hello", "b.save": save_of("a needle")}))
    assert main(["find", "--nested", str(path), "needle"]) == 0
    assert "@b_save!0.gold: " in capsys.readouterr().out


def test_a_stream_that_was_cut_is_about_its_layout(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", str(FOLDER / "godot3.2.3-debugger.bin")])
    assert "the layout of such a file: Debugger stream of Godot 3." in capsys.readouterr().out


def test_encrypted_and_lost_parts_of_packages_are_not_read() -> None:
    document = Document(package2(FILES, options=1))
    assert [found.code for found in document.findings.all()] == [Code.FOREIGN_BYTES]
    assert by_name(document)["entry 0"].text.startswith("a.txt, ")
    assert not document.structure.checksums if document.structure else True
    whole = PACKAGES["pck3"]
    for end in range(8, len(whole), 7):
        Document(whole[:end]).findings.all()
    lost = bytearray(whole)
    lost[32:40] = b"\xff" * 8
    assert Document(bytes(lost)).findings.all()[0].code is Code.LAYOUT_OFFSET


def test_ids_and_their_paths_are_told_without_a_mark() -> None:
    entries = {1: "res://a.tscn", 5_000_000_000_000_000_000: "res://ünicode.png", (1 << 63) - 1: "res://b/c.gd"}
    document = Document(id_cache(entries))
    assert document.structure is not None
    assert document.structure.kind == "uid_cache"
    assert not document.findings.all()
    found = [piece for piece in document.structure.pieces if piece.children]
    assert [(piece.name, piece.children[0].text) for piece in found] == [
        (path, uid_text(uid)) for uid, path in entries.items()
    ]
    for other in (bytes(4), id_cache({1: "user://x"}), id_cache(entries)[:20], id_cache(entries) + b"\0"):
        other_document = Document(other)
        assert other_document.structure is None, other


def test_what_a_game_of_godot_3_tells_the_debugger_has_names() -> None:
    document = Document((FOLDER / "godot3.2.3-debugger.bin").read_bytes())
    assert document.structure is not None
    assert document.structure.kind == "debugger3"
    assert document.dialect.key == "godot3"
    assert document.value_names[:4] == ("output", "count", "argument 0", "argument 1")
    assert "performance" in document.value_names


def test_what_a_game_of_godot_4_tells_the_debugger_has_names() -> None:
    document = Document(debugger_stream())
    assert document.value_names == ("set_pid", "output", "performance:profile_names")
    assert not document.findings.all()
    assert document.structure is not None
    save = debugger_message("player") + debugger_message("output")
    assert Document(save).structure is None


def test_the_head_of_a_texture_is_explained() -> None:
    document = Document(texture())
    found = by_name(document)
    assert not document.findings.all()
    assert document.explained == 1
    assert found["flags"].text == "0x800000 (mipmaps)"
    assert found["stored as"].text == "2 (WebP)"
    assert found["pixels are"].text == "5 (RGBA8)"
    assert found["picture 1"].text.endswith("a WebP image")


def test_ordinary_saves_are_never_taken_for_such_files() -> None:
    kinds = {name.removesuffix(".toml") for name in assets.names("layouts")}
    for line in ("godot2", "godot3", "godot4", "pandemonium4"):
        for path in sorted((corpus.DATA / line / "files").glob("*"))[:20]:
            if path.suffix != ".json" and path.is_file():
                document = Document.open(Path(path))
                assert document.structure is None or document.structure.kind not in kinds, path


def test_a_package_with_more_entries_than_can_be_told_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = package2(FILES)
    whole = Document(raw)
    assert Code.LAYOUT_STOPS not in {found.code for found in whole.findings.all()}
    monkeypatch.setattr(layout_reader, "MOST_FIELDS", 24)
    cut = Document(raw)
    (found,) = [found for found in cut.findings.all() if found.code is Code.LAYOUT_STOPS]
    assert "24" in found.message
    assert sum(len(piece.span) for piece in cut.structure.pieces) == len(raw)
