"""Bytes that stand in text: every form is read, known and written again."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import corpus
import pytest
from container.armor_texts import CHANGES, REGULAR

from viewer.base.span import Span
from viewer.container.armor import base64_text
from viewer.container.armor.byte_text import GOES_ASTRAY, linear
from viewer.container.armor.caret import CUT
from viewer.container.armor.hexdump import write_hexdump
from viewer.container.armor.text_codecs import unwrap_text
from viewer.container.armor.token_rows import same_end, same_start
from viewer.container.codecs import CODECS, NAMES, find
from viewer.container.layer import TooLarge, WrapError

FILES = corpus.DATA / "godot3" / "files"


@pytest.mark.parametrize("form", REGULAR)
def test_a_form_is_known(form: str) -> None:
    name, text = REGULAR[form]
    found = unwrap_text(text)
    assert found is not None
    assert found[0] == name


@pytest.mark.parametrize("form", REGULAR)
def test_unchanged_bytes_give_the_same_text(form: str) -> None:
    name, text = REGULAR[form]
    found = find(name).unwrap(text.encode())
    assert found.form.wrap(found.inside) == text.encode()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", REGULAR)
def test_changed_bytes_read_back(form: str, change: str) -> None:
    name, text = REGULAR[form]
    found = find(name).unwrap(text.encode())
    fresh = CHANGES[change](found.inside)
    assert find(name).unwrap(found.form.wrap(fresh)).inside == fresh


@pytest.mark.parametrize("form", [form for form in REGULAR if form not in ("base64 for URLs", "short escapes")])
def test_a_changed_byte_changes_only_its_own_signs(form: str) -> None:
    name, text = REGULAR[form]
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


LEFT_OUT = "00000000: 0100 0000 0200 0000 0300\n00000010: 0400 0000 0500 0000 0600 0000 0700 0000\n00000030: 08\n"


def test_a_row_that_is_missing_is_named_and_filled_with_zeros() -> None:
    found = find("hexdump").unwrap(LEFT_OUT.encode())
    assert (
        found.inside
        == bytes.fromhex("01000000 02000000 0300")
        + bytes(6)
        + bytes.fromhex("04000000 05000000 06000000 07000000")
        + bytes(16)
        + b"\x08"
    )
    assert [(damage.sentence, damage.inside) for damage in found.damages] == [
        ("Row 0x0 is 6 bytes short; zeros are there instead.", Span(10, 16)),
        ("Row 0x20 is missing; zeros are there instead.", Span(32, 48)),
    ]
    assert [LEFT_OUT[damage.span.start :][:9] for damage in found.damages] == ["00000010:", "00000030:"]
    changed = find("hexdump").unwrap(found.form.wrap(found.inside + b"\x09"))
    assert (changed.inside, changed.damages) == (found.inside + b"\x09", ())


def test_bytes_that_a_console_leaves_out_are_told() -> None:
    found = find("list").unwrap(b"Uint8Array(150) [\n  2, 0, 0, 0,\n  7, 0, 0, 0,\n  ... 142 more items\n]")
    assert found.inside == bytes.fromhex("0200000007000000")
    assert [damage.sentence for damage in found.damages] == [
        "The text was cut when it was printed: 142 more bytes followed."
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{bytes(16).hex()} and {bytes(17).hex()}",
        f"a9993e364706816aba3e25717850c26c9cd0d89d  {'0' * 10}.bin",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] in a text",
        "one [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3",
    ],
)
def test_a_text_with_two_runs_or_none_is_left_alone(text: str) -> None:
    assert unwrap_text(text) is None


@pytest.mark.parametrize("text", ["[1, -2, 200, 3, 4]", "[1 2 300 4]", '{"0":1,"1":2,"3":4,"4":5}', "{1, 2, 3, 4, 5}"])
def test_numbers_that_are_no_bytes_are_left_alone(text: str) -> None:
    assert unwrap_text(text) is None


def test_the_size_of_a_c_array_is_told_anew() -> None:
    text = "unsigned char x[4] = { 0x01, 0x02, 0x03, 0x04 };\nunsigned int x_len = 4;\n"
    written = find("c-array").unwrap(text.encode()).form.wrap(b"\x01\x02\xab")
    assert written == b"unsigned char x[3] = { 0x01, 0x02, 0xab };\nunsigned int x_len = 3;\n"


def test_comments_of_a_c_array_stay() -> None:
    found = find("c-array").unwrap(b"x[] = {\n 1, // one\n 2 /* two */, 3};")
    assert found.form.wrap(b"\x01\x09\x03\x04") == b"x[] = {\n 1, // one\n 9 /* two */, 3, 4};"


def test_rows_out_of_order_are_read_by_their_offsets() -> None:
    data = bytes(range(200))
    lines = write_hexdump(data).splitlines(keepends=True)
    lines[2], lines[7] = lines[7], lines[2]
    found = unwrap_text("".join(lines))
    assert found is not None
    name, read = found
    assert (name, read.inside) == ("hexdump", data)
    assert [damage.inside for damage in read.damages] == [None]
    assert "not in the order" in read.damages[0].sentence
    assert read.form.wrap(b"\xff" + data[1:]).decode() == write_hexdump(b"\xff" + data[1:])


def test_a_row_that_is_missing_among_rows_out_of_order_is_named() -> None:
    data = bytes(range(160))
    lines = write_hexdump(data).splitlines(keepends=True)
    found = unwrap_text("".join([lines[1], lines[0], *lines[3:]]))
    assert found is not None
    assert found[1].inside == data[:32] + bytes(16) + data[48:]
    assert found[1].damages[0].inside == Span(32, 48)
    assert "0x20" in found[1].damages[0].sentence


def test_rows_that_stand_twice_are_refused() -> None:
    lines = write_hexdump(bytes(range(64))).splitlines(keepends=True)
    with pytest.raises(WrapError, match="given twice"):
        find("hexdump").unwrap("".join([*lines, lines[1]]).encode())


@pytest.mark.parametrize(("first", "last"), [("\u2018", "\u2019"), ("\u201c", "\u201d")])
def test_bytes_between_typographic_quotes_are_read_and_written_with_straight_ones(first: str, last: str) -> None:
    data = bytes(range(1, 32)) * 2
    body = "".join(f"\\x{byte:02x}" for byte in data)
    found = unwrap_text(f"b{first}{body}{last}")
    assert found is not None
    name, read = found
    assert (name, read.inside) == ("python-bytes", data)
    assert read.form.wrap(data) == f"b{first}{body}{last}".encode()
    again = unwrap_text(read.form.wrap(b"\0" + data[1:]).decode())
    assert again is not None
    assert again[1].inside == b"\0" + data[1:]


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
    assert next(codec.name for codec in CODECS if codec.probe(outside)) == "base64"


# Files


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("form", REGULAR)
def test_the_mark_of_an_encoding_stays(form: str, encoding: str) -> None:
    name, text = REGULAR[form]
    outside = text.encode(encoding)
    assert find(name).probe(outside)
    found = find(name).unwrap(outside)
    changed = found.form.wrap(found.inside + b"\x01")
    assert changed[:2] == outside[:2]
    assert find(name).unwrap(changed).inside == found.inside + b"\x01"


@pytest.mark.parametrize("form", REGULAR)
def test_more_bytes_than_allowed_are_refused(form: str) -> None:
    name, text = REGULAR[form]
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


@pytest.mark.parametrize("gives_back", [False, True])
@pytest.mark.skipif(GOES_ASTRAY, reason="this interpreter cannot match groups that give nothing back")
def test_a_linear_pattern_finds_the_same_however_it_is_compiled(gives_back: bool) -> None:
    comment = linear(r"/\*(?:[^*]|\*(?!/))*+\*/|\)*+x", gives_back=gives_back)
    for text in ("/* a ** comment */", "/* none", "/**/", "))x"):
        found, plain = comment.match(text), re.match(r"/\*(?:[^*]|\*(?!/))*\*/|\)*x", text)
        assert (found and found[0]) == (plain and plain[0])


def test_a_byte_that_is_shown_by_half_is_named() -> None:
    text = f"{REGULAR['cat -v'][1][:-1]}\n"
    found = find("caret").unwrap(text.encode())
    assert found.inside == find("caret").unwrap(REGULAR["cat -v"][1].encode()).inside[:-1]
    assert [each.sentence for each in found.damages] == [CUT]
    assert found.form.wrap(found.inside + b"\xe8") == text[:-3].encode() + b"M-hM-\n"


@pytest.mark.parametrize("width", [0, 64])
@pytest.mark.parametrize("size", [41, 42, 43, 69, 70, 71])
def test_base64_that_is_cut_in_the_midst_of_a_byte_is_read_up_to_there(size: int, width: int) -> None:
    run = base64.b64encode(bytes(25) + b"\xff" * 50).decode()[:size]
    text = "\n".join(run[at : at + width] for at in range(0, size, width)) if width else run
    assert find("base64").probe(text.encode())
    found = find("base64").unwrap(text.encode())
    assert found.inside == (bytes(25) + b"\xff" * 50)[: size * 6 // 8]
    assert [each.sentence for each in found.damages] == [base64_text.CUT]
    assert found.form.wrap(found.inside) == text.encode()
    fresh = found.inside + b"\1\2\3\4"
    again = find("base64").unwrap(found.form.wrap(fresh))
    assert (again.inside, again.damages) == (fresh, ())
