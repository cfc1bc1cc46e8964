"""What is inside a value is a document of its own; edits inside become one edit of the outermost document."""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma
import random
import zlib

import pytest
from document.nested.nested_saves import INSIDE, TEXTS, WAYS, nested_save, packed

from viewer.container.blocks import RSCC, BlockForm
from viewer.container.codecs import MARKED, LateCodec
from viewer.container.gdec import Version, encrypt
from viewer.container.inflate import Method
from viewer.container.layer import Secret
from viewer.container.new_wrap import fresh
from viewer.document.document import Document
from viewer.document.edits.raw_bytes import overwrite
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.export.item_text import item_literal
from viewer.document.nested.inside_evidence import inside_of
from viewer.document.nested.inside_hint import may_hold
from viewer.document.nested.nested_document import (
    NestedError,
    candidates,
    enter,
    nested_documents,
    open_nested,
    split_levels,
)
from viewer.document.path import PathError, parse_path
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Array, Dictionary, Value

GODOT4 = load("godot4")
GOLD = parse_literal('{"gold": 5, "name": "Ann", "list": [1, 2]}', GODOT4)


def holding(*values: Value) -> Document:
    """A document whose value is a list of these."""
    return Document(encode(Value("Array", Array(values)), GODOT4))


def blob(raw: bytes) -> Value:
    return Value("PackedByteArray", raw)


def told(document: Document, path: str) -> str:
    level = enter(document, path)
    return item_literal(level.document, level.item())


@pytest.mark.parametrize("way", WAYS)
def test_a_value_inside_has_a_path_and_is_marked(way: str) -> None:
    document = holding(packed(GOLD, way, GODOT4))
    level = enter(document, "[0][0]!0.list[1]")
    assert item_literal(level.document, level.item()) == "2"
    assert level.path_of(level.item()) == "[0][0]!0.list[1]"
    assert inside_of(document, parse_path(document, "[0][0]"))
    assert level.document.dialect is document.dialect


@pytest.mark.parametrize("way", WAYS)
def test_an_edit_inside_is_one_step_that_undo_takes_back(way: str) -> None:
    document = holding(packed(GOLD, way, GODOT4), Value("int", 3))
    before = bytes(document.buffer[:])
    level = enter(document, "[0][0]!0.name")
    edit = level.outermost(set_literal(level.document, level.item(), '"a longer name"'))
    document.apply(edit)
    assert told(document, "[0][0]!0.name") == '"a longer name"'
    assert told(document, "[0][0]!0.gold") == "5"
    assert told(document, "[0][1]") == "3"
    assert not document.findings.all()
    document.undo()
    assert document.buffer == before
    assert document.undo() is None


def test_bytes_inside_know_where_they_lie_outside_if_nothing_is_around_them() -> None:
    document = holding(blob(encode(GOLD, GODOT4)), blob(gzip.compress(encode(GOLD, GODOT4))))
    plain, wrapped = (open_nested(document, parse_path(document, f"[0][{k}]")) for k in (0, 1))
    assert plain.start is not None
    assert document.buffer[plain.start : plain.start + len(plain.document.buffer)] == plain.document.buffer
    assert wrapped.start is None


def test_an_element_of_an_array_of_texts_holds_a_value() -> None:
    text = base64.b64encode(encode(GOLD, GODOT4)).decode()
    document = holding(Value("PackedStringArray", ("before", text, "after")))
    level = enter(document, "[0][0][1]!0.gold")
    document.apply(level.outermost(set_literal(level.document, level.item(), "6")))
    assert told(document, "[0][0][1]!0.gold") == "6"
    assert told(document, "[0][0][2]") == '"after"'


def test_an_encrypted_value_opens_with_the_password_of_the_file() -> None:
    secret = Secret.of_password("open")
    raw = encrypt(Version.CFB, secret, encode(GOLD, GODOT4))
    document = holding(blob(raw))
    assert inside_of(document, parse_path(document, "[0][0]")) == "GDEC"
    with pytest.raises(PathError, match="stays closed"):
        enter(document, "[0][0]!0.gold")
    level = enter(document, "[0][0]!0.gold", secret)
    document.apply(level.outermost(set_literal(level.document, level.item(), "77")))
    level = enter(document, "[0][0]!0.gold", secret)
    assert item_literal(level.document, level.item()) == "77"


RAW = encode(GOLD, GODOT4)
WRAPPED = {
    "gcpf": fresh("gcpf:zstd", None).wrap(RAW),
    "gcmp": fresh("gcmp:deflate", None).wrap(RAW),
    "gdec": fresh("gdec:2", Secret.of_password("open")).wrap(RAW),
    "rscc": BlockForm(RSCC.kind, Method.ZSTD, 4096, RSCC.kind.magic).wrap(RAW),
    "gzip": gzip.compress(RAW),
    "zstd": fresh("zstd", None).wrap(RAW),
    "xz": lzma.compress(RAW),
    "bzip2": bz2.compress(RAW),
}


@pytest.mark.parametrize("codec", MARKED, ids=lambda codec: codec.name)
def test_each_wrap_with_a_mark_is_seen_inside_of_a_value(codec: LateCodec) -> None:
    document = holding(blob(WRAPPED[codec.name]))
    item = parse_path(document, "[0][0]")
    assert may_hold(document.frames[0].table, item.node)
    assert inside_of(document, item).lower() == codec.name


@pytest.mark.parametrize("text", ["12", "null", "true", "hello", "[1]", "[b]bold[/b]", "{}", "[]", "a" * 64, "Node2D"])
def test_an_ordinary_text_has_no_mark(text: str) -> None:
    document = holding(Value("String", text))
    assert inside_of(document, parse_path(document, "[0][0]")) == ""


@pytest.mark.parametrize("text", ["12", "null", "hello", "[b]bold[/b]", "a" * 64])
def test_an_ordinary_text_is_not_opened(text: str) -> None:
    with pytest.raises(PathError, match="reads as a value"):
        enter(holding(Value("String", text)), "[0][0]!0")


def test_ordinary_bytes_have_no_mark() -> None:
    rng = random.Random(7)
    arrays = [bytes(64), bytes(range(256)), b"\xff" * 100, b"\x89PNG\r\n\x1a\n" + rng.randbytes(400)]
    arrays += [rng.randbytes(rng.randrange(1, 300)) for _ in range(500)]
    arrays += [bytes(rng.choice((0, 0, 0, 1, 2, 4, 27, 28)) for _ in range(64)) for _ in range(500)]
    document = holding(*map(blob, arrays))
    marked = [item for item in candidates(document) if inside_of(document, item)]
    assert not marked


def test_a_nil_or_a_lone_number_is_no_structure() -> None:
    for text in ("null", "5", "Vector3(1, 2, 3)", "1.5"):
        document = holding(blob(encode(parse_literal(text, GODOT4), GODOT4)))
        assert inside_of(document, parse_path(document, "[0][0]")) == ""


def test_a_search_goes_through_all_levels() -> None:
    save = nested_save("godot4", 3)
    document = Document(save.data)
    paths = [found.path for found in nested_documents(document, pytest.fail)]
    assert paths == [f"[0].{INSIDE}!", f"[0].{INSIDE}!0.{INSIDE}!", f"[0].{INSIDE}!0.{INSIDE}!0.{INSIDE}!"]


def test_a_path_is_cut_outside_of_brackets_and_quotes_only() -> None:
    assert split_levels('[0]["a!b"]!0[2]!0.x') == ['[0]["a!b"]', "0[2]", "0.x"]


def test_a_path_that_leads_nowhere_says_why() -> None:
    document = holding(Value("int", 3), packed(GOLD, "bytes", GODOT4))
    for path, words in (
        ("[0][0]!0", "holds neither bytes nor a text"),
        ("[0][1]!gold", "! must be followed by the number of a value"),
        ("[0][1]!1", "There is no frame"),
        ("[0][1]!0.silver", "There is no key silver"),
    ):
        with pytest.raises(PathError, match=words):
            enter(document, path).item()


def test_an_edit_that_leaves_no_value_is_refused() -> None:
    """A text can hold a whole value, and nothing else."""
    document = holding(packed(GOLD, "text", GODOT4))
    nested = open_nested(document, parse_path(document, "[0][0]"))
    with pytest.raises(EditError):
        nested.put_back(overwrite(nested.document, 0, b"\xff\xff\xff\xff"))


# Hostile bytes


def test_a_thousand_levels_are_opened_and_put_back_without_recursion() -> None:
    raw = encode(GOLD, GODOT4)
    for _ in range(1000):
        raw = encode(Value("Dictionary", Dictionary(((Value("String", "x"), blob(raw)),))), GODOT4)
    document = Document(raw)
    path = "[0].x" + "!0.x" * 999 + "!0.gold"
    level = enter(document, path)
    document.apply(level.outermost(set_literal(level.document, level.item(), "5000000000")))
    assert (5000000000).to_bytes(8, "little") in document.buffer[:]
    assert not document.findings.all()


@pytest.mark.parametrize("bomb", [gzip.compress(bytes(1 << 27)), zlib.compress(gzip.compress(bytes(1 << 27)))])
@pytest.mark.parametrize("is_text", [False, True])
def test_a_bomb_is_not_unpacked(bomb: bytes, is_text: bool) -> None:
    value = Value("String", base64.b64encode(bomb).decode()) if is_text else blob(bomb)
    document = holding(value)
    with pytest.raises(NestedError):
        open_nested(document, parse_path(document, "[0][0]"))


@pytest.mark.parametrize("way", WAYS)
def test_content_that_is_cut_off_or_flipped_never_raises(way: str) -> None:
    value = packed(GOLD, way, GODOT4)
    raw = value.data.encode() if isinstance(value.data, str) else value.data
    assert isinstance(raw, bytes)
    rng = random.Random(way)
    broken = [raw[:size] for size in range(0, len(raw), 7)]
    broken += [_flipped(raw, rng) for _ in range(30)]
    for each in broken:
        held = Value("String", each.decode(errors="replace")) if way in TEXTS else blob(each)
        document = holding(held)
        item = parse_path(document, "[0][0]")
        inside_of(document, item)
        try:
            nested = open_nested(document, item)
        except NestedError:
            continue
        nested.document.findings.all()


def _flipped(raw: bytes, rng: random.Random) -> bytes:
    out = bytearray(raw)
    out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def test_a_value_that_is_cut_off_inside_opens_with_its_finding() -> None:
    raw = encode(GOLD, GODOT4)
    document = holding(blob(raw[:-8]))
    nested = open_nested(document, parse_path(document, "[0][0]"))
    assert nested.document.findings.all()
