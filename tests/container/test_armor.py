"""Bytes that stand in text: every dress is read, known and written again; other texts are left alone."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import corpus
import pytest
from container.fuzzing import harmed

from viewer.container.armor.codecs import TEXT_CODECS, unwrap_text
from viewer.container.armor.differing import same_end, same_start
from viewer.container.codecs import CODECS, NAMES, find
from viewer.container.layer import TooLarge, WrapError

DATA = bytes.fromhex(
    "12000000 02000000 04000000 02000000 68700000 02000000 03000000 04000000 01000000 70000000 07000000"
    "0000803f 00000040 6162 27 22 5c 0a"
)
BASE64 = base64.b64encode(DATA).decode()
FILES = corpus.DATA / "godot3" / "files"
ROOT = Path(__file__).parents[2]


def rows(size: int, write: Callable[[bytes], str], turn: str) -> str:
    return turn.join(write(DATA[at : at + size]) for at in range(0, len(DATA), size))


def c_items(data: bytes) -> str:
    return ", ".join(f"0x{byte:02x}" for byte in data)


def python_items(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


def seen(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in data)


def dump(line: Callable[[int, bytes], str]) -> str:
    return "".join(line(at, DATA[at : at + 16]) for at in range(0, len(DATA), 16))


def canonical(at: int, data: bytes) -> str:
    left, right = data[:8].hex(" "), data[8:].hex(" ")
    return f"{at:08x}  {left:<23}  {right:<23}  |{seen(data)}|\n"


REGULAR = {
    "base64": ("base64", BASE64),
    "base64 with a line break": ("base64", BASE64 + "\n"),
    "base64 in quotes": ("base64", f'"{BASE64}"'),
    "base64 of MIME": ("base64", rows(45, lambda each: base64.b64encode(each).decode(), "\r\n") + "\r\n"),
    "base64 without filling": ("base64", BASE64.rstrip("=")),
    "base64 for URLs": ("base64", base64.urlsafe_b64encode(DATA + b"\xff\xfe\xfb").decode()),
    "base64 in JSON": ("base64", f'{{"blob":"{BASE64}","name":"slot1","version":2}}'),
    "base64 in a config": ("base64", f'[save]\nname=Böb\ndata="{BASE64}"\nversion=3\n'),
    "base64 of a line": ("base64", f"[save]\ndata={BASE64}\n"),
    "hex": ("hex", DATA.hex()),
    "hex in capitals": ("hex", DATA.hex(" ").upper() + "\n"),
    "hex in fours": ("hex", DATA.hex(" ", -4)),
    "hex with 0x": ("hex", c_items(DATA)),
    "hex with \\x": ("hex", python_items(DATA)),
    "hex in lines": ("hex", rows(8, lambda each: each.hex(" "), "\n") + "\n"),
    "hex in halves": ("hex", rows(16, lambda each: f"{each[:8].hex(' ')}  {each[8:].hex(' ')}".rstrip(), "\n")),
    "hex of SQL": ("hex", f"X'{DATA.hex()}'"),
    "hex with one 0x": ("hex", f"0x{DATA.hex()}"),
    "hex with colons": ("hex", DATA.hex(":")),
    "list": ("list", str(list(DATA))),
    "list without blanks": ("list", str(list(DATA)).replace(" ", "") + "\n"),
    "PoolByteArray": ("list", f"PoolByteArray( {', '.join(map(str, DATA))} )"),
    "PackedByteArray": ("list", f"PackedByteArray({', '.join(map(str, DATA))})"),
    "PackedByteArray of a list": ("list", f"var data := PackedByteArray({list(DATA)})\n"),
    "PackedByteArray of base64": ("list", f'PackedByteArray("{BASE64}")'),
    "C of xxd": (
        "c-array",
        f"unsigned char x[] = {{\n  {rows(12, c_items, f',{chr(10)}  ')}\n}};\nunsigned int x_len = {len(DATA)};\n",
    ),
    "C with a size": ("c-array", f"const uint8_t x[{len(DATA)}] = {{{c_items(DATA)}}};"),
    "C with comments": ("c-array", "static const char x[] = {\n 1, 2, // two, 2\n 0x3, 4 /* { 9 */ , 0, 0};\n"),
    "Python": ("python-bytes", repr(DATA)),
    "Python in hex": ("python-bytes", f'data = bytes(b"{python_items(DATA)}")\n'),
    "Python in lines": (
        "python-bytes",
        "(\n    " + rows(16, lambda each: f"b'{python_items(each)}'", "\n    ") + "\n)\n",
    ),
    "escapes": ("escaped", repr(DATA)[2:-1]),
    "escapes in quotes": ("escaped", f'"{python_items(DATA[:-6])}abc"'),
    "short escapes": ("escaped", "a\\0\\0\\0\\1bc\\0\\0"),
    "xxd": ("hexdump", dump(lambda at, each: f"{at:08x}: {each.hex(' ', -2):<39}  {seen(each)}\n")),
    "xxd with line breaks of Windows": (
        "hexdump",
        dump(lambda at, each: f"{at:08x}: {each.hex(' ', -2):<39}  {seen(each)}\r\n"),
    ),
    "hexdump -C": ("hexdump", dump(canonical) + f"{len(DATA):08x}\n"),
    "Wireshark": ("hexdump", dump(lambda at, each: f"{at:04x}   {each.hex(' '):<47}   {seen(each)}\n")),
    "tcpdump": ("hexdump", dump(lambda at, each: f"\t0x{at:04x}:  {each.hex(' ', -2):<39}  {seen(each)}\n")),
    "od": ("hexdump", dump(lambda at, each: f"{at:06x} {each.hex(' ')}\n") + f"{len(DATA):06x}\n"),
}
CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "a byte": lambda data: data[:4] + b"\xfe" + data[5:],
    "more at the end": lambda data: data + b"0123456789abcdefXYZ9\x00",
    "less at the end": lambda data: data[:-3],
    "less at the start": lambda data: data[3:],
    "more at the start": lambda data: b"\x00\x80\xff\x31" + data,
    "some in the middle": lambda data: data[:5] + b"1A\x000\\'\"\n" + data[5:],
    "half of it": lambda data: data[: max(len(data) // 2, 4)],
    "three times as much": lambda data: data * 3,
    "all others": lambda data: bytes(byte ^ 0xFF for byte in data),
}


@pytest.mark.parametrize("dress", REGULAR)
def test_a_dress_is_known(dress: str) -> None:
    name, text = REGULAR[dress]
    found = unwrap_text(text)
    assert found is not None
    assert found[0] == name


@pytest.mark.parametrize("dress", REGULAR)
def test_unchanged_bytes_give_the_same_text(dress: str) -> None:
    name, text = REGULAR[dress]
    found = find(name).unwrap(text.encode())
    assert found.form.wrap(found.inside) == text.encode()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("dress", REGULAR)
def test_changed_bytes_read_back(dress: str, change: str) -> None:
    name, text = REGULAR[dress]
    found = find(name).unwrap(text.encode())
    fresh = CHANGES[change](found.inside)
    assert find(name).unwrap(found.form.wrap(fresh)).inside == fresh


@pytest.mark.parametrize("dress", [dress for dress in REGULAR if dress not in ("base64 for URLs", "short escapes")])
def test_a_changed_byte_changes_only_its_own_signs(dress: str) -> None:
    name, text = REGULAR[dress]
    found = find(name).unwrap(text.encode())
    written = found.form.wrap(CHANGES["a byte"](found.inside)).decode()
    one, other = text.encode(), written.encode()
    same = same_start(one, other)
    assert abs(len(other) - len(one)) <= 4
    assert same + same_end(one, other, len(one) - same) >= len(one) - 12


def test_lines_of_a_dump_keep_their_width_and_columns() -> None:
    name, text = REGULAR["hexdump -C"]
    found = find(name).unwrap(text.encode())
    assert found.form.wrap(b"ABCDEFGH\x01\x02\x03\x04\x05\x06\x07\x08IJ").decode() == (
        "00000000  41 42 43 44 45 46 47 48  01 02 03 04 05 06 07 08  |ABCDEFGH........|\n"
        "00000010  49 4a                                             |IJ|\n"
        "00000012\n"
    )


def test_the_star_of_a_dump_stands_for_the_lines_before_it() -> None:
    text = (
        "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n"
        "00000030  01                                                |.|\n00000031\n"
    )
    found = find("hexdump").unwrap(text.encode())
    assert found.inside == bytes(48) + b"\x01"
    assert found.form.wrap(bytes(64) + b"\x01").decode() == text.replace("00000030", "00000040").replace("31\n", "41\n")


def test_a_star_that_stands_for_too_much_is_refused() -> None:
    with pytest.raises(WrapError):
        find("hexdump").unwrap(b"00000000  00 00 00 00 00 00 00 00  |........|\n*\nfffffff8\n")


def test_the_size_of_a_c_array_is_told_anew() -> None:
    text = "unsigned char x[4] = { 0x01, 0x02, 0x03, 0x04 };\nunsigned int x_len = 4;\n"
    written = find("c-array").unwrap(text.encode()).form.wrap(b"\x01\x02\xab")
    assert written == b"unsigned char x[3] = { 0x01, 0x02, 0xab };\nunsigned int x_len = 3;\n"


def test_comments_of_a_c_array_stay() -> None:
    found = find("c-array").unwrap(b"x[] = {\n 1, // one\n 2 /* two */, 3};")
    assert found.form.wrap(b"\x01\x09\x03\x04") == b"x[] = {\n 1, // one\n 9 /* two */, 3, 4};"


def test_rows_of_hex_keep_their_width() -> None:
    found = find("hex").unwrap(b"00 01 02 03\n04 05 06 07\n08\n")
    assert found.form.wrap(bytes(range(9, 19))) == b"09 0a 0b 0c\n0d 0e 0f 10\n11 12\n"


# Base64 as the engine writes it


def test_each_line_of_the_engine_is_a_value() -> None:
    outside = (FILES / "base64.txt").read_bytes()
    calls = json.loads((FILES / "base64.txt.json").read_text())["calls"]
    found = find("base64").unwrap(outside)
    pieces = [base64.b64decode(line) for line in outside.split()]
    assert [hashlib.sha256(piece).hexdigest() for piece in pieces] == [call["variant_sha256"] for call in calls]
    assert found.inside == b"".join(pieces)


def test_only_the_line_of_a_changed_value_is_written_anew() -> None:
    outside = (FILES / "base64.txt").read_bytes()
    found = find("base64").unwrap(outside)
    lines = outside.split(b"\n")
    pieces = [base64.b64decode(line) for line in lines[:-1]]
    for number, piece in enumerate(pieces):
        fresh = b"\xaa" + piece + b"more" if number % 2 else b"\xaa" + piece[1:]
        written = found.form.wrap(b"".join([*pieces[:number], fresh, *pieces[number + 1 :]])).split(b"\n")
        assert written == [*lines[:number], base64.b64encode(fresh), *lines[number + 1 :]]


def test_two_changed_lines_leave_those_between_them() -> None:
    pieces = [b"first value!", b"second value", b"third value, longer", b"fourth value", b"last"]
    text = "".join(base64.b64encode(piece).decode() + "\n" for piece in pieces)
    pieces[1] = b"SECOND value, and more"
    pieces[3] = b"shorter!"
    written = find("base64").unwrap(text.encode()).form.wrap(b"".join(pieces))
    assert written == b"".join(base64.b64encode(piece) + b"\n" for piece in pieces)


def test_a_value_more_is_a_line_more() -> None:
    found = find("base64").unwrap(b"AAAAAA==\nAgAAACoAAAA=\n")
    assert found.form.wrap(bytes(4) + b"newvalue" + found.inside[4:]) == b"AAAAAA==\nbmV3dmFsdWU=\nAgAAACoAAAA=\n"


def test_a_value_less_is_a_line_less() -> None:
    found = find("base64").unwrap(b"AAAAAA==\nAgAAACoAAAA=\n")
    assert found.form.wrap(found.inside[4:]) == b"AgAAACoAAAA=\n"


def test_the_text_around_base64_stays() -> None:
    outside = (FILES / "base64_in_json.json").read_bytes()
    found = find("base64").unwrap(outside)
    written = json.loads(found.form.wrap(b"other bytes here"))
    assert written == {**json.loads(outside), "blob": base64.b64encode(b"other bytes here").decode()}


@pytest.mark.parametrize("name", ["base64.txt", "base64_in_json.json"])
def test_what_the_engine_wrote_is_known(name: str) -> None:
    outside = (FILES / name).read_bytes()
    assert [codec.name for codec in CODECS if codec.probe(outside)] == ["base64"]


# Files


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("dress", REGULAR)
def test_the_mark_of_an_encoding_stays(dress: str, encoding: str) -> None:
    name, text = REGULAR[dress]
    outside = text.encode(encoding)
    assert find(name).probe(outside)
    found = find(name).unwrap(outside)
    changed = found.form.wrap(found.inside + b"\x01")
    assert changed[:2] == outside[:2]
    assert find(name).unwrap(changed).inside == found.inside + b"\x01"


@pytest.mark.parametrize("dress", REGULAR)
def test_more_bytes_than_allowed_are_refused(dress: str) -> None:
    name, text = REGULAR[dress]
    size = len(find(name).unwrap(text.encode()).inside)
    with pytest.raises(TooLarge) as failure:
        find(name).unwrap(text.encode(), limit=size - 1)
    assert failure.value.size == size


def test_every_codec_is_found_by_its_name() -> None:
    assert [find(name).name for name in NAMES] == list(NAMES)
    assert len(set(NAMES)) == len(NAMES)


def test_a_name_of_no_codec_is_refused() -> None:
    with pytest.raises(WrapError):
        find("rot13")


# What only looks like bytes

OTHERS = (
    "",
    "\n",
    "Hello, world!\n",
    "password",
    "password\nfootball\nbaseball\nstarwars\n",
    "HelloWorldThisIsAnIdentifierAndNoBase64AtAll",
    "12345678",
    "2023-11-04",
    "10:20:30:40",
    "1000000",
    "550e8400-e29b-41d4-a716-446655440000",
    "[1, 2, 3]",
    "[1, 2, 300, 4]",
    "[1.5, 2, 3, 4]",
    "[]",
    "{}",
    '{"a": 1, "b": [1, 2, 3, 4]}',
    "{1, 2, 3, 4}",
    "b",
    "PackedByteArray",
    "a\\x00b",
    "The escapes \\x00 to \\x1f stand for control characters, as \\0 and \\7 do.",
    "0000: nothing\n",
    "0001  one\n0002  two\n",
    "AAAA",
    f"{BASE64[:-3]}*==",
    f"first {BASE64} second {BASE64}",
    "https://example.org/Some/Long/Path/To/APage12345/And/More/Of/It",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file.bin\n",
    "[player]\nname=Bob\nlevel=3\npath=res://levels/Forest01/Scene22.tscn\n",
    '[gd_scene load_steps=2 format=2]\n\n[ext_resource path="res://player/PlayerCharacter2D.gd" type="Script" id=1]\n',
)


@pytest.mark.parametrize("text", OTHERS)
def test_another_text_is_left_alone(text: str) -> None:
    assert unwrap_text(text) is None


def test_no_text_of_this_project_is_taken_for_bytes() -> None:
    texts = [path for name in ("*.md", "*.toml", "viewer/**/*.py", "resources/**/*.toml") for path in ROOT.glob(name)]
    texts += [path for path in corpus.DATA.rglob("*.json*") if path.name != "base64_in_json.json"]
    assert len(texts) > 100
    assert [(path, codec.name) for path in texts for codec in TEXT_CODECS if codec.probe(path.read_bytes())] == []


@pytest.mark.parametrize("saved", [saved for each in corpus.ENGINES for saved in corpus.files(each.folder)], ids=str)
def test_a_saved_file_is_no_text(saved: corpus.SavedFile) -> None:
    outside = saved.path.read_bytes()
    assert [codec.name for codec in TEXT_CODECS if codec.probe(outside)] == []


# Long and hostile texts

LONG = 1 << 17
NONSENSE = (
    "/*",
    "b'",
    "[",
    "{",
    "0x",
    "\\",
    "00 ",
    "0,",
    "00000000: 00\n",
    "=",
    "b''",
    "  ",
    "A",
    "a",
    "0",
    '"',
    "\\x",
    "AAA=\n",
)


@pytest.mark.parametrize("piece", NONSENSE)
@pytest.mark.parametrize("head", ["", "{", "b'", "[", "x[] = {", "PackedByteArray(", '{"a":"', "0000: 00"])
def test_many_signs_of_nonsense_come_to_an_end(head: str, piece: str) -> None:
    outside = (head + piece * (LONG // len(piece))).encode()
    for codec in TEXT_CODECS:
        codec.probe(outside)
        codec.probe(outside[:60000])
        try:
            codec.unwrap(outside)
        except WrapError as error:
            said = str(error)
            assert len(said) < 300


@pytest.mark.parametrize("dress", ["base64", "hex", "hex in lines", "list", "C of xxd", "Python", "xxd", "hexdump -C"])
def test_a_long_text_is_known_and_written_again(dress: str) -> None:
    data = random.Random(1).randbytes(200_000)
    name, text = REGULAR[dress]
    outside = find(name).unwrap(text.encode()).form.wrap(data)
    assert find(name).probe(outside)
    found = find(name).unwrap(outside)
    assert found.inside == data
    assert find(name).unwrap(found.form.wrap(data[:1000] + data[1001:])).inside == data[:1000] + data[1001:]


def test_harmed_texts_give_bytes_that_survive_or_one_sentence() -> None:
    for data in harmed([text.encode() for _, text in REGULAR.values()]):
        for codec in TEXT_CODECS:
            known = codec.probe(data)
            try:
                found = codec.unwrap(data)
            except WrapError as error:
                said = str(error)
                assert not known
                assert (said[-1], said.count("\n")) == (".", 0)
                continue
            assert found.form.wrap(found.inside) == data
            if known:
                _check_changes(codec.name, data)


def _check_changes(name: str, outside: bytes) -> None:
    found = find(name).unwrap(outside)
    for change in ("a byte", "more at the end", "less at the end", "some in the middle"):
        fresh = CHANGES[change](found.inside)
        written = found.form.wrap(fresh)
        if len(fresh) > 24:
            assert find(name).unwrap(written).inside == fresh
