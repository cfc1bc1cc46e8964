"""What a layout can say: every word of the language with bytes that it is about, and bytes that make it hard."""

from __future__ import annotations

import hashlib
import time
import zlib
from pathlib import Path

import pytest

from viewer.base import assets
from viewer.base.diagnostic import Code
from viewer.cli.program import main
from viewer.document.document import Document
from viewer.document.pieces.message import FieldRole
from viewer.document.readers.file_layout import LayoutError
from viewer.document.readers.file_structure import Structure
from viewer.document.readers.layout_parser import parse_layout
from viewer.document.readers.layout_reader import read_layout
from viewer.document.viewmodel.notices import notice
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Value

HEAD = 'name = "x"\ndialects = ["godot4"]\n[[field]]\nname = "mark"\ntype = "mark"\ntext = "AB"\n'
GODOT4 = load("godot4")
FIVE = encode(Value("int", 5), GODOT4)
WORD = encode(Value("String", "go"), GODOT4)


def layout_of(*fields: str, head: str = HEAD) -> str:
    """The text of a layout with these fields, each the words behind ``[[field]]`` with ``;`` between them."""
    return head + "".join("[[field]]\n" + "\n".join(each.split("; ")) + "\n" for each in fields)


def read_by(data: bytes, *fields: str, head: str = HEAD) -> Structure:
    """What a layout of these fields makes of bytes."""
    found = read_layout(data, parse_layout("x", layout_of(*fields, head=head), "x.toml"))
    at = 0
    for piece in found.pieces:
        assert piece.span.start == at
        at = piece.span.end
    assert at == len(data)
    return found


def told(data: bytes, *fields: str) -> list[str]:
    """Its fields in words behind a mark of two letters."""
    found = read_by(b"AB" + data, *fields)
    assert not found.findings
    return [f"{piece.name}={piece.text}" for piece in found.pieces[1:]]


GROUP = 'name = "g"; type = "group"'
WORDS = [
    ("0507", ['name = "a"; type = "u8"', 'name = "b"; type = "i8"'], ["a=5", "b=7"]),
    ("01020102", ['name = "a"; type = "u16"', 'name = "b"; type = "u16"; order = "big"'], ["a=513", "b=258"]),
    ("ac0201", ['name = "a"; type = "varint"', 'name = "b"; type = "u8"'], ["a=300", "b=1"]),
    ("02", ['name = "a"; type = "u8"; names = { 1 = "easy", 2 = "hard" }'], ["a=2 (hard)"]),
    ("0b", ['name = "a"; type = "u8"; bits = { open = 0, shut = 2, level = "1..3" }'], ["a=0xB (open, level 5)"]),
    ("00ca9a3b", ['name = "a"; type = "u32"; as = "seconds"'], ["a=1000000000 (2001-09-09 01:46:40 UTC)"]),
    (
        "00e40b5402000000",
        ['name = "a"; type = "u64"; as = "milliseconds"'],
        ["a=10000000000 (1970-04-26 17:46:40 UTC)"],
    ),
    ("0100000000000000", ['name = "a"; type = "u64"; as = "uid"'], ["a=uid://b"]),
    ("ff00", ['name = "a"; type = "u16"; as = "hex"'], ["a=0xFF"]),
    ("8950", ['name = "a"; type = "mark"; hex = "89 50"'], ["a=89 50"]),
    ("02005858", ['name = "a"; type = "mark"; text = "XX"; length = "u16"'], ["a=XX"]),
    ("616200", ['name = "a"; type = "text"; until = "\\u0000"'], ["a=ab"]),
    ("61620d0a07", ['name = "a"; type = "text"; until = "\\r\\n"', 'name = "b"; type = "u8"'], ["a=ab", "b=7"]),
    (
        "0261620361626300",
        ['name = "a"; type = "text"; length = "u8"; repeat = 2', 'name = "z"; type = "u8"'],
        ["a 0=ab", "a 1=abc", "z=0"],
    ),
    ("61620000", ['name = "a"; type = "text"; length = 4'], ["a=ab"]),
    ("02ffff", ['name = "n"; type = "u8"', 'name = "a"; type = "bytes"; length = "n"'], ["n=2", "a=2 bytes"]),
    ("02ffffff", ['name = "n"; type = "u8"', 'name = "a"; type = "bytes"; length = "n * 2 - 1"'], ["n=2", "a=3 bytes"]),
    ("04 89504e47", ['name = "a"; type = "file"; length = "u8"'], ["a=4 bytes"]),
    ("0100", ['name = "a"; type = "u8"', 'name = "p"; type = "padding"; align = 4'], ["a=1", "p=1 byte"]),
    ("0000", ['name = "p"; type = "padding"; length = 2'], ["p=2 bytes"]),
    (
        "0102",
        [
            'name = "a"; type = "u8"',
            'name = "b"; type = "u8"; when = { a = 1 }',
            'name = "c"; type = "u8"; when = { a = 2 }',
        ],
        ["a=1", "b=2"],
    ),
    (
        "0102",
        [
            'name = "a"; type = "u8"',
            'name = "b"; type = "u8"; when = { a = "&1" }',
            'name = "c"; type = "u8"; when = { a = "not 1" }',
        ],
        ["a=1", "b=2"],
    ),
    ("01020300", ['name = "a"; type = "u8"; until = 0'], ["a 0=1", "a 1=2", "a 2=3", "a 3=0"]),
    ("0102", ['name = "a"; type = "u8"; repeat = "end"'], ["a 0=1", "a 1=2"]),
    ("0207", ['name = "a"; type = "u8"; is = [1, "2..3"]', 'name = "b"; type = "u8"; is = "7.."'], ["a=2", "b=7"]),
    (
        "0462696e6f ff",
        [
            f'{GROUP}; length = "u8"; field = [{{ name = "t", type = "text", length = "end - here" }}]',
            'name = "r"; type = "rest"',
        ],
        ["g=4, bino", "r=1 byte"],
    ),
    (
        "0308ff0909",
        ['name = "n"; type = "u8"', 'name = "a"; type = "u8"; at = "n + 3"'],
        ["n=3", "unread=3 bytes", "a=9"],
    ),
    (FIVE.hex() + "07", ['name = "v"; type = "value"', 'name = "z"; type = "u8"'], ["v=", "z=7"]),
    (
        "0c" + WORD.hex(),
        ['name = "v"; type = "value"; length = "u8"; called = "v"; is = "g?"'],
        ["length of go=12", "go="],
    ),
    (
        FIVE.hex() + 5 * "00",
        ['name = "v"; type = "value"', 'name = "z"; type = "u8"; repeat = "v"'],
        ["v=", "z 0=0", "z 1=0", "z 2=0", "z 3=0", "z 4=0"],
    ),
]


@pytest.mark.parametrize(("data", "fields", "expected"), WORDS)
def test_each_word_of_the_language(data: str, fields: list[str], expected: list[str]) -> None:
    assert told(bytes.fromhex(data), *fields) == expected


SUMS = {
    "crc32": zlib.crc32(b"body").to_bytes(4, "little"),
    "adler32": zlib.adler32(b"body").to_bytes(4, "little"),
    "md5": hashlib.md5(b"body", usedforsecurity=False).digest(),
    "sha256": hashlib.sha256(b"body").digest(),
}


@pytest.mark.parametrize("kind", SUMS)
def test_checksums_are_verified_wherever_they_stand(kind: str) -> None:
    body, own = 'name = "body"; type = "bytes"; length = 4', f'name = "sum"; type = "{kind}"; over = "body"'
    for fields, data in (((body, own), b"AB" + b"body" + SUMS[kind]), ((own, body), b"AB" + SUMS[kind] + b"body")):
        assert not read_by(data, *fields).findings
        broken = bytearray(data)
        broken[data.index(b"body")] ^= 1
        found = read_by(bytes(broken), *fields)
        assert [each.code for each in found.findings] == [Code.LAYOUT_CHECKSUM]
        assert not found.checksums
    unused = read_by(b"AB" + b"body" + bytes(len(SUMS[kind])), body, own)
    assert not unused.findings


def test_a_checksum_over_itself_counts_its_own_bytes_as_zeros() -> None:
    own = zlib.crc32(b"AB" + bytes(4) + b"xyz").to_bytes(4, "big")
    fields = ('name = "sum"; type = "crc32"; over = ["mark", "body"]; order = "big"', 'name = "body"; type = "rest"')
    assert not read_by(b"AB" + own + b"xyz", *fields).findings


def test_a_layout_may_lie_in_another(own: Path) -> None:
    (own / "inner.toml").write_text(layout_of('name = "n"; type = "u8"'), encoding="utf-8")
    (own / "outer.toml").write_text(
        'name = "outer"\n[[field]]\nname = "m"\ntype = "mark"\ntext = "OUTER"\n'
        '[[field]]\nname = "inside"\ntype = "layout"\nlayout = "inner"\nrepeat = "end"\n',
        encoding="utf-8",
    )
    document = Document(b"OUTERAB\5AB\6")
    assert document.structure is not None
    assert [piece.text for piece in document.structure.pieces] == ["OUTER", "AB, 5", "AB, 6"]
    (own / "inner.toml").write_text(layout_of('name = "n"; type = "layout"; layout = "outer"'), encoding="utf-8")
    assert Document(b"OUTERAB\5").structure is None


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of layouts."""
    monkeypatch.setattr(assets, "_configuration", lambda: tmp_path)
    folder = tmp_path / "layouts"
    folder.mkdir()
    return folder


def test_a_layout_that_cannot_be_used_is_told_once_and_the_others_are_used(
    own: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (own / "broken.toml").write_text('name = "x"\n\n[[field]]\nname = "a"\ntype = "u7"\n', encoding="utf-8")
    (own / "sound.toml").write_text(layout_of('name = "n"; type = "u8"'), encoding="utf-8")
    problem = "broken.toml, line 3: “u7” is not a type; u8 is likely meant."
    sentence = f"A layout of yours cannot be used: {problem}"
    for data, wants in ((b"AB\5", None), (b"\7\1\2\3", sentence)):
        document = Document(data)
        assert (document.structure is not None) == (wants is None)
        found = notice(document)
        assert (found is None) == (wants is None)
        assert found is None or found.sentence.startswith(sentence)
    path = tmp_path / "a.save"
    path.write_bytes(b"AB\5")
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().err.count(f"{own / problem}") == 1


PATHS = 'name = "count"; type = "u32"'
ENTRY = (
    'name = "e"; type = "group"; repeat = "count"; '
    'field = [{ name = "path", type = "text", length = "u32", is = "res://*" }]'
)
NO_HEAD = 'name = "x"\ndialects = ["godot4"]\n'


def test_without_a_mark_every_byte_must_be_as_the_layout_says(own: Path) -> None:
    (own / "paths.toml").write_text(layout_of(PATHS, ENTRY, head=NO_HEAD), encoding="utf-8")
    path = b"\x09\0\0\0res://abc"
    assert Document(b"\1\0\0\0" + path).structure is not None
    for other in (b"\2\0\0\0" + path, b"\1\0\0\0" + path + b"\0", b"\1\0\0\0" + path.replace(b"r", b"u"), path, b""):
        assert Document(other).structure is None


def test_values_that_are_sound_are_values_whatever_a_layout_without_a_mark_says(own: Path) -> None:
    text = layout_of('name = "head"; type = "u64"', 'name = "t"; type = "text"; length = "u32"; is = "res://*"',
                     'name = "p"; type = "padding"; align = 4', head=NO_HEAD)  # fmt: skip
    (own / "values.toml").write_text(text, encoding="utf-8")
    stored = encode(Value("String", "res://abc"), GODOT4)
    data = len(stored).to_bytes(4, "little") + stored
    layout = parse_layout("values", text, "values.toml")
    assert [piece.name for piece in read_layout(data, layout).pieces] == ["head", "t", "p"]
    assert Document(data).structure is None


def test_what_stands_there_must_be_what_the_layout_says() -> None:
    found = read_by(b"AB\5", 'name = "version"; type = "u8"; is = "1..3"')
    assert [each.message for each in found.findings] == [
        "The field version says 5; by the layout of x it should say 1..3."
    ]
    assert found.pieces[-1].text == "5"
    found = read_by(b"AB\x77", 'name = "n"; type = "u8"', 'name = "a"; type = "u8"; at = "n"')
    assert [each.code for each in found.findings] == [Code.LAYOUT_OFFSET]


TEXTS = '[{ name = "t", type = "bytes", length = 0 }]'
NEVER = ", ".join(f'{{ name = "a{k}", type = "u8", when = {{ m = 9 }} }}' for k in range(200))
BELOW = 'length = "n - 255"'
HARD = [
    ("repeats that take nothing", [f"{GROUP}; repeat = 4000000000; field = {TEXTS}"]),
    ("fields that are not there", [f"{GROUP}; repeat = 4000000000; field = [{NEVER}]"]),
    (
        "repeats of repeats",
        [f'{GROUP}; repeat = "end"; field = [{{ name = "h", type = "group", repeat = 4000000000, field = {TEXTS} }}]'],
    ),
    (
        "offsets that lead back",
        [f'{GROUP}; repeat = 4000000000; at = 0; field = [{{ name = "h", type = "text", length = 60000, at = 0 }}]'],
    ),
    (
        "checksums over all, over and over",
        [
            'name = "r"; type = "bytes"; length = 200000',
            f'{GROUP}; repeat = "end"; at = 0; field = [{{ name = "c", type = "md5", over = ["r", "r"] }}]',
        ],
    ),
    (
        "all that fits",
        [
            'name = "u"; type = "unknown"; repeat = "fits"',
            f'{GROUP}; repeat = "fits"; field = [{{ name = "v", type = "value" }}]',
        ],
    ),
    (
        "lengths that are too long",
        ['name = "n"; type = "u64"', 'name = "b"; type = "bytes"; length = "n * 999999999999"'],
    ),
    (
        "lengths below zero",
        [
            'name = "n"; type = "u8"',
            f'name = "b"; type = "bytes"; {BELOW}',
            f'name = "v"; type = "value"; {BELOW}',
            f'name = "p"; type = "padding"; {BELOW}',
            f'name = "u"; type = "unknown"; {BELOW}',
            f'{GROUP}; {BELOW}; field = [{{ name = "a", type = "u8" }}]',
        ],
    ),
    (
        "counts below zero",
        [
            'name = "n"; type = "u8"',
            'name = "b"; type = "u8"; repeat = "n - 255"',
            'name = "c"; type = "u8"; at = "n - 255"',
        ],
    ),
]


@pytest.mark.parametrize("fields", [fields for _, fields in HARD], ids=[name for name, _ in HARD])
def test_no_layout_takes_long_or_raises(fields: list[str]) -> None:
    head = HEAD + '[[field]]\nname = "m"\ntype = "u8"\n'
    data = b"AB\0" + bytes(range(250)) * 1000
    began = time.process_time()
    read_by(data, *fields, head=head)
    assert time.process_time() - began < 6


WRONG = [
    ('name = "a"; type = "u8"; length = 3', "“length” belongs to a text, bytes, a part or a value only"),
    ('name = "a"; type = "text"; length = "later"', "“length” names “later”, but no field before"),
    ('name = "a"; type = "bytes"; length = "3 +"', "or a sum such as count * 4 - 2"),
    ('name = "a"; type = "bytes"; length = -1', "“length” is a number, 0 or more"),
    ('name = "a"; type = "f32"', 'name = "b"; type = "bytes"; length = "a"', "which is not a whole number"),
    ('name = "a"; type = "text"; until = ""', "“until” is what ends the text"),
    ('name = "a"; type = "text"; until = "x"; length = 3', "“until” belongs to a text without a length only"),
    ('name = "a"; type = "u8"; align = 4', "“align” belongs to padding and a text only"),
    ('name = "a"; type = "padding"; align = 0', "“align” is a number of bytes from 1"),
    ('name = "a"; type = "padding"', "Padding needs a length, or align"),
    ('name = "a"; type = "bytes"; length = 3; is = 4', "“is” belongs to a number, a text or a value only"),
    ('name = "a"; type = "u8"; is = "3..1"', "“is” is 3"),
    ('name = "a"; type = "u8"; is = []', "“is” is 3"),
    ('name = "a"; type = "u8"; when = { b = 1 }', "“when” names “b”"),
    ('name = "a"; type = "u8"; when = 1', "“when” says what fields before must say"),
    ('name = "a"; type = "f32"; names = { 1 = "x" }', "“names” belongs to a whole number only"),
    ('name = "a"; type = "u8"; names = { one = "x" }', "“one” is not a number that could have a name"),
    ('name = "a"; type = "u8"; bits = { x = 8 }', "“bits” names bits 0 to 7"),
    ('name = "a"; type = "u8"; as = "dates"', "is not how such a number is shown"),
    ('name = "a"; type = "u32"; as = "uid"', "is not how such a number is shown"),
    ('name = "a"; type = "crc32"', "A checksum needs the fields that it covers"),
    ('name = "a"; type = "crc32"; over = "nothing"', "There is no field “nothing”"),
    ('name = "a"; type = "crc32"; over = 3', "“over” is the name of a field"),
    ('name = "a"; type = "mark"; hex = "8"', "pairs of hex digits"),
    ('name = "a"; type = "mark"', "A mark needs the text that is there"),
    ('name = "a"; type = "group"', "Fields are missing here"),
    ('name = "a"; type = "u8"; field = []', "“field” belongs to a group only"),
    ('name = "a"; type = "layout"; layout = "none"', "There is no layout “none”"),
    ('name = "a"; type = "rest"', 'name = "b"; type = "u8"', "Nothing can follow “a”"),
    ('name = "a"; type = "u8"; called = "b"', "No field “b” comes before this one"),
    ('name = "a"; type = "u8"; until = "x"', "“until” is what the last number says"),
    (
        'name = "a"; type = "group"; field = ' + 12 * '[{ name = "g", type = "group", field = ' + "[]" + 12 * "}]",
        "levels deep",
    ),
    ("name = 3 3", "x.toml: "),
    ("a = " + 5000 * "[", "x.toml: "),
    (f'name = "a"; type = "bytes"; length = {"9" * 5000}', "x.toml"),
]


@pytest.mark.parametrize("case", WRONG, ids=[case[-1] for case in WRONG])
def test_what_a_layout_says_wrong_is_told_with_its_line(case: tuple[str, ...]) -> None:
    *fields, words = case
    with pytest.raises(LayoutError) as raised:
        parse_layout("x", layout_of(*fields), "x.toml")
    assert words in str(raised.value)
    if not words.startswith(("x.toml", "levels")):
        line = 7 + sum(len(each.split("; ")) + 1 for each in fields[:-1])
        assert f"x.toml, line {line}: " in str(raised.value)


def test_values_of_bytes_left_over_are_never_called_damage() -> None:
    found = read_by(b"AB\5\6\7", 'name = "n"; type = "u8"')
    assert not found.findings
    assert found.pieces[-1].role is FieldRole.OPAQUE
