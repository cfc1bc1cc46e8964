"""``dump --json``: every byte has its owner, and the JSON gives back the very same file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any, cast

import corpus
import pytest
from corpus import ENGINES, Engine, SavedFile

from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.export.deep_json import loads
from viewer.document.export.dump import FORMAT, dump
from viewer.document.export.text_view import text_view
from viewer.document.export.undump import encode_json
from viewer.document.reading import ReadOptions
from viewer.variant.dialect import Precision, load
from viewer.variant.native import from_native, to_native
from viewer.variant.value import Value

FILES = [saved for engine in ENGINES for saved in corpus.files(engine.folder)]
DEEP = 5_000


def bare(engine: Engine) -> ReadOptions:
    return ReadOptions(load(engine.dialect), Precision(engine.precision), FramingKind.BARE)


def words(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "little") for number in numbers)


def document(raw: bytes, dialect: str = "godot3", framing: FramingKind | None = FramingKind.BARE) -> Document:
    return Document(raw, name="test", choice=ReadOptions(load(dialect), None, framing))


def tree(source: Document) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("".join(dump(source)))
    return found


def again(source: Document) -> bytes:
    return encode_json("".join(dump(source)))


def nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for child in node.get("children", ()):
            stack += [each for each in (child["key"], child["node"]) if each is not None]


def assert_tiled(found: dict[str, Any]) -> None:
    """Prefixes, nodes, gaps and, inside each node, parts and children lie end to end."""
    at, gaps = 0, [gap["span"] for gap in found["gaps"]]
    for frame in found["frames"]:
        if gaps and gaps[0][0] == at:
            at = gaps.pop(0)[1]
        pieces = [frame["prefix"], frame["root"] and frame["root"]["span"], *frame["gaps"]]
        assert frame["span"][0] == at
        at = assert_end_to_end(at, [piece for piece in pieces if piece])
        assert frame["span"][1] == at
        for node in nodes(frame["root"]) if frame["root"] else ():
            inside = [part["span"] for part in node["parts"]]
            for child in node.get("children", ()):
                inside += [each["span"] for each in (child["key"], child["node"]) if each is not None]
            assert assert_end_to_end(node["span"][0], sorted(inside)) == node["span"][1]
    assert assert_end_to_end(at, gaps) == found["size"]


def assert_end_to_end(at: int, spans: list[list[int]]) -> int:
    for start, end in spans:
        assert start == at
        at = end
    return at


def checked(raw: bytes, choice: ReadOptions) -> None:
    source = Document(raw, name="test", choice=choice)
    text = "".join(dump(source))
    assert encode_json(text) == raw
    assert_tiled(cast(Any, loads(text)))


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_vector_comes_back_byte_for_byte(engine: Engine) -> None:
    for row in corpus.spread(corpus.vectors(engine.folder), 3, engine.folder):
        checked(corpus.vector_bytes(row), bare(engine))


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_every_broken_input_comes_back_byte_for_byte(engine: Engine) -> None:
    for row in corpus.spread(corpus.malformed(engine.folder), 9, engine.folder):
        checked(bytes.fromhex(row["hex"]), bare(engine))


@pytest.mark.parametrize("saved", FILES, ids=str)
def test_every_saved_file_comes_back_byte_for_byte(saved: SavedFile) -> None:
    checked(saved.path.read_bytes(), ReadOptions())


@pytest.mark.parametrize(
    ("saved", "cut"),
    corpus.spread(product((saved for saved in FILES if saved.path.stat().st_size < 10_000), (1, 2, 3, 5, 40)), 3),
    ids=str,
)
def test_a_cut_file_comes_back_byte_for_byte(saved: SavedFile, cut: int) -> None:
    checked(saved.path.read_bytes()[:-cut], ReadOptions())


@pytest.mark.parametrize("framing", list(FramingKind))
@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"x",
        b"plain text, no value anywhere\n",
        words(8, 2, 5)[:11],
        words(9, 2, 5) + b"\xff",
        words(99, 2, 5),
        b"\0\0\0\x08" + words(2, 5),
        b"HEAD" + words(8, 2, 5, 12, 4, 3) + b"abc\x99" + b"!!",
        words(2, 5, 2, 6, 77),
    ],
)
def test_odd_framings_come_back_byte_for_byte(raw: bytes, framing: FramingKind) -> None:
    checked(raw, ReadOptions(load("godot3"), None, framing))
    checked(raw, ReadOptions(None, None, framing))


@pytest.mark.parametrize(
    ("level", "end", "dialect"),
    [
        (words(19, 1), words(0), "godot3"),
        (words(18, 1, 4, 1, 97), words(0), "godot3"),
        (words(28, 1), words(0), "godot4"),
        (words(18, 1), words(0) * (DEEP + 1), "godot3"),
    ],
    ids=["arrays", "dictionary values", "arrays of godot4", "dictionary keys"],
)
def test_deep_nesting_comes_back_byte_for_byte(level: bytes, end: bytes, dialect: str) -> None:
    source = document(level * DEEP + end, dialect)
    assert again(source) == source.buffer
    assert sum(1 for _ in text_view(source)) > DEEP


def test_the_keys_are_those_of_the_contract() -> None:
    found = tree(document(words(8, 5, 0x3F800000, 0x40000000), framing=FramingKind.STORED))
    assert {"file", "size", "layers", "dialect", "precision", "framing", "frames", "diagnostics"} <= found.keys()
    assert (found["dialect"], found["precision"], found["framing"]) == ("godot3", "single", "stored")
    assert found["layers"] == [{"codec": "file", "size": 16}]


def test_the_first_key_says_which_form_it_is() -> None:
    assert next(iter(tree(document(words(2, 5))).items())) == ("format", FORMAT)


def test_a_leaf_has_path_type_span_text_parts_and_value() -> None:
    found = tree(document(words(12, 5, 0x3F800000, 0x40000000), framing=FramingKind.STORED))
    assert found["frames"][0]["span"] == [0, 16]
    assert found["frames"][0]["prefix"] == [0, 4]
    assert found["frames"][0]["gaps"] == []
    assert found["frames"][0]["root"] == {
        "path": "[0]",
        "type": "Vector2",
        "span": [4, 16],
        "text": "Vector2(1, 2)",
        "parts": [
            {"name": "header", "span": [4, 8], "value": 5},
            {"name": "x", "span": [8, 12], "value": 1.0},
            {"name": "y", "span": [12, 16], "value": 2.0},
        ],
        "value": {"type": "Vector2", "args": [1.0, 2.0]},
    }


def test_a_dictionary_has_children_with_keys_and_values() -> None:
    root = tree(document(words(18, 2, 4, 1, 97, 2, 7, 2, 42, 0)))["frames"][0]["root"]
    assert [part["name"] for part in root["parts"]] == ["header", "count"]
    assert [(child["index"], child["key"]["value"]) for child in root["children"]] == [(0, "s:a"), (1, "i:42")]
    assert [child["key"]["path"] for child in root["children"]] == ["[0].a@key", "[0][42]@key"]
    assert [child["node"]["path"] for child in root["children"]] == ["[0].a", "[0][42]"]
    assert "bytes" not in root


def test_an_array_has_children_without_keys() -> None:
    root = tree(document(words(19, 2, 2, 7, 0)))["frames"][0]["root"]
    assert [(child["key"], child["index"], child["node"]["path"]) for child in root["children"]] == [
        (None, 0, "[0][0]"),
        (None, 1, "[0][1]"),
    ]


def test_an_equal_key_gets_a_rank_in_its_path() -> None:
    root = tree(document(words(18, 2, 4, 1, 97, 0, 4, 1, 97, 0)))["frames"][0]["root"]
    assert [child["node"]["path"] for child in root["children"]] == ["[0].a", "[0].a#2"]


def test_the_numbers_of_a_packed_array_are_one_part() -> None:
    root = tree(document(words(21, 3, 1, 2, 3)))["frames"][0]["root"]
    assert [part["name"] for part in root["parts"]] == ["header", "count", "elements"]
    assert root["value"] == {"type": "PoolIntArray", "args": [1, 2, 3]}


def test_the_texts_of_a_packed_string_array_are_parts_of_their_own() -> None:
    root = tree(document(words(23, 1, 2, 97)))["frames"][0]["root"]
    assert [part["name"] for part in root["parts"]] == ["header", "count", "[0]@length", "[0]", "[0]@padding"]


def test_canonical_bytes_are_not_repeated() -> None:
    for row in corpus.vectors("godot4"):
        source = Document(corpus.vector_bytes(row), choice=bare(ENGINES[2]))
        for node in nodes(tree(source)["frames"][0]["root"]):
            assert "bytes" not in node or row.get("reencoded_hex") or node["type"] in ("float", "Array"), row


def test_bytes_that_no_value_claims_are_gaps() -> None:
    found = tree(document(b"HEAD" + words(8, 2, 5), framing=FramingKind.STORED))
    guess = {"span": [0, 4], "type": "mark", "text": "“HEAD”"}
    assert found["gaps"] == [{"span": [0, 4], "guess": [guess], "hex": b"HEAD".hex()}]
    found = tree(document(words(2, 5) + b"\xff"))
    assert (found["frames"][0]["gaps"], found["frames"][0]["gaps_hex"]) == ([[8, 9]], ["ff"])


def test_a_finding_tells_severity_code_message_span_and_path() -> None:
    found = tree(document(words(19, 1, 1, 7)))["diagnostics"]
    assert found == [
        {
            "severity": "warning",
            "code": "bool-not-0-or-1",
            "message": "This bool is 7; engines write 0 or 1 and read any other word as true.",
            "span": [12, 16],
            "path": "[0][0].value",
        }
    ]


def test_many_findings_in_deep_values_take_linear_time() -> None:
    source = document(words(19, 2) * DEEP + words(0) + words(1, 7) * DEEP)
    found = tree_of_findings(source)
    assert len(found) == DEEP
    assert found[0]["path"] is None
    assert found[-1]["path"] == "[0][1].value"


def tree_of_findings(source: Document) -> list[dict[str, Any]]:
    text = "".join(dump(source))
    tail = text[text.index('"diagnostics": ') + len('"diagnostics": ') :]
    found: list[dict[str, Any]] = json.loads(tail.strip()[:-1])
    return found


def test_a_resource_that_a_text_names_has_its_name_and_type() -> None:
    head = b'[gd_scene format=3]\n\n[ext_resource type="Script" path="res://a.gd" id="1"]\n\n'
    text = head + b'[node name="A" type="Node"]\nb = ExtResource("1")\n'
    source = Document(text)
    assert '"value": {"type": "ExtResource", "text": "1", "raw": "31"}' in "".join(dump(source))
    name = Value("ExtResource", "1")
    assert from_native(to_native(name, source.dialect), source.dialect) == name
