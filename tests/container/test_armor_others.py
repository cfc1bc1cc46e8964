"""Texts that only look like bytes, and long and hostile ones."""

from __future__ import annotations

import random
from pathlib import Path

import corpus
import pytest
from container.armor_texts import BASE64, CHANGES, REGULAR
from container.fuzzing import harmed

from viewer.container.armor.text_codecs import TEXT_CODECS, unwrap_text
from viewer.container.codecs import find
from viewer.container.layer import WrapError

ROOT = Path(__file__).parents[2]

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
    "A zero is ^@ in cat -v, two are ^@^@, and a line feed would be ^J, but M-^J is 138.",
    "<00><00> are two zeros, and <0A> is the line feed that stands at the end of each line.",
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
    known = [(path, codec.name) for path in texts for codec in TEXT_CODECS if codec.probe(path.read_bytes())]
    assert [each for each in known if each[1] != "in-text" or each[0].suffix not in (".json", ".jsonl")] == []


@pytest.mark.parametrize("saved", [saved for each in corpus.ENGINES for saved in corpus.files(each.folder)], ids=str)
def test_a_saved_file_is_no_text(saved: corpus.SavedFile) -> None:
    outside = saved.path.read_bytes()
    assert [codec.name for codec in TEXT_CODECS if codec.probe(outside)] == []


# Long and hostile texts

LONG = 1 << 16
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


HEADS = ("", "{", "b'", "[", "x[] = {", "PackedByteArray(", '{"a":"', "0000: 00")
BEGUN = [(head, piece) for k, piece in enumerate(NONSENSE) for head in HEADS[k % 2 :] + HEADS[: k % 2]]


@pytest.mark.parametrize(("head", "piece"), corpus.spread(BEGUN, 2))
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


@pytest.mark.parametrize("form", ["base64", "hex", "hex in lines", "list", "C of xxd", "Python", "xxd", "hexdump -C"])
def test_a_long_text_is_known_and_written_again(form: str) -> None:
    data = random.Random(1).randbytes(200_000)
    name, text = REGULAR[form]
    outside = find(name).unwrap(text.encode()).form.wrap(data)
    assert find(name).probe(outside)
    found = find(name).unwrap(outside)
    assert found.inside == data
    assert find(name).unwrap(found.form.wrap(data[:1000] + data[1001:])).inside == data[:1000] + data[1001:]


def test_signs_are_written_in_their_columns_whatever_the_first_one_is() -> None:
    whole = bytes((0, 0, 0, 2, 104, 112, 0, 1, 92, 39, 10, 0, 0, 0, 128, 63))
    shown = "  \\0  \\0  \\0 002   h   p  \\0 001   \\   '  \\n  \\0  \\0  \\0 200   ?"
    found = find("word-dump").unwrap(f"0000000{shown}\n0000020{shown[:8]}\n0000022\n".encode())
    assert found.inside == whole + bytes(2)
    again = found.form.wrap(whole[:5])
    assert find("word-dump").unwrap(again).inside == whole[:5]


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
            if known and codec.name != "in-text":  # beside changed bytes another run may be the longest: saving asks
                _check_changes(codec.name, data)


def _check_changes(name: str, outside: bytes) -> None:
    found = find(name).unwrap(outside)
    for change in ("a byte", "more at the end", "less at the end", "some in the middle"):
        fresh = CHANGES[change](found.inside)
        written = found.form.wrap(fresh)
        if len(fresh) > 24:
            assert find(name).unwrap(written).inside == fresh


HELD = bytes([0, 0, 0, 7, 34, 39, 92]) * 300
SPELLED = "".join(f"\\x{byte:02x}" for byte in HELD[:900])


@pytest.mark.parametrize(
    "run",
    [HELD.hex(), HELD.hex(" "), str(list(HELD)), str(list(HELD)).replace(",", ""), repr(HELD), f'"{SPELLED}"'],
    ids=["hex", "pairs", "list", "blanks", "Python", "escapes"],
)
def test_one_long_run_amid_a_text_is_found_wherever_it_begins(run: str) -> None:
    for before in range(0, 900, 150):
        text = (
            f'{{"name": "it\'s", "at": {"1 " * (before // 2)}, "data": {run}, "more": "{"x" * (600 - before // 2)}"}}'
        )
        found = unwrap_text(text)
        assert found is not None
        assert found[0] == "in-text"
        assert len(found[1].inside) >= 900
