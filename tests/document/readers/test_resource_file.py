"""Binary resources: everything that engines wrote is read as they read it, edited and saved; broken ones are told."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command_line import Run
from document.readers.resource_edits import FOLDER, edits, files, readable

from viewer.base.diagnostic import Code, Severity
from viewer.document.byte_classifier import ByteClassifier
from viewer.document.document import Document
from viewer.document.edits.fragment import taken
from viewer.document.edits.length_fixups import find
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError, Slot
from viewer.document.edits.structure import insert
from viewer.document.export.dump import dump
from viewer.document.path import parse_path
from viewer.document.splice import Splice
from viewer.variant import items
from viewer.variant.dialect import load
from viewer.variant.literal.preview import preview
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Array, Dictionary, ObjectFull, Reference, ReferenceKind, Value

LINES = ("godot3", "godot4")
ALL = [(line, path) for line in LINES for path in files(line)]
READ = [(line, path) for line, path in ALL if not path.name.startswith("all_flags")]
SEED = 4606
REFUSED, LOADED = "null", "loaded"


def _name(entry: object) -> str:
    return entry.name if isinstance(entry, Path) else str(entry)


def told(path: Path) -> list[dict[str, Any]]:
    """What the engine read from a file: its resources."""
    found: list[dict[str, Any]] = json.loads(Path(f"{path}.json").read_text(encoding="utf-8"))["resources"]
    return found


def plain(value: Value) -> object:
    """A value without the types of collections, which a resource does not store."""
    if isinstance(value.data, Array):
        return value.type, [plain(each) for each in value.data.elements]
    if isinstance(value.data, Dictionary):
        return value.type, [(plain(key), plain(each)) for key, each in value.data.pairs]
    return ("int", 0) if value.type == "RID" else (value.type, repr(value.data))


@pytest.mark.parametrize(("line", "path"), ALL, ids=_name)
def test_every_byte_is_named_and_saved_as_it_was(line: str, path: Path) -> None:
    document = Document.open(path)
    assert document.structure is not None
    at = 0
    for piece in document.structure.pieces:
        assert piece.span.start == at
        at = piece.span.end
    assert at == len(document.buffer)
    assert bytes(document.to_be_written()) == path.read_bytes()
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]


@pytest.mark.parametrize(("line", "path"), READ, ids=_name)
def test_classes_ids_properties_and_values_are_those_of_the_engine(line: str, path: Path) -> None:
    resources = told(path)
    document = Document.open(path)
    if not resources or path.name.startswith("bundled"):
        assert path.name.startswith(("relative_paths", "bundled"))  # their engine reads less than they hold
        return
    assert len(document.frames) == len(resources)
    for name, frame, wanted in zip(document.value_names, document.frames, resources, strict=True):
        value = read(frame.table).data
        assert isinstance(value, ObjectFull)
        assert value.class_name == wanted["class"]
        assert name == (wanted["id"] or "main")
        assert [each for each, _ in value.properties] == [each["name"] for each in wanted["properties"]]
        for (_, found), expected in zip(value.properties, wanted["properties"], strict=True):
            _compare(document, found, expected, line)


def _compare(document: Document, found: Value, wanted: dict[str, Any], line: str) -> None:
    resources = document.structure.resources if document.structure is not None else None
    assert resources is not None
    if "ext" in wanted or "sub" in wanted:
        assert isinstance(found.data, Reference)
        named = resources.named(found.data).removeprefix("./").removeprefix("../items/")  # wrongly relative ones
        assert named == wanted.get("sub") or named.rpartition("/")[2] == wanted["ext"].rpartition("/")[2]
        assert (found.data.kind is ReferenceKind.EXTERNAL) == ("ext" in wanted)
    elif "hex" in wanted and found.type not in ("Callable", "Signal"):
        assert plain(found) == plain(read(scan(bytes.fromhex(wanted["hex"]), load(line)))) or _has_path(found)
    elif "items" in wanted and isinstance(found.data, Array):
        for each, expected in zip(found.data.elements, wanted["items"], strict=True):
            _compare(document, each, expected, line)


def _has_path(value: Value) -> bool:
    return "RID" in repr(value) or "Signal" in repr(value)


@pytest.mark.parametrize("line", LINES)
def test_every_kind_of_value_can_be_set_to_a_longer_and_a_shorter_one(line: str) -> None:
    count = 0
    for path in readable(line):
        before = Document.open(path)
        for edit in edits(path):
            after = Document(edit.saved)
            assert [each.span for each in after.frames if not len(each.table)] == []
            assert not [found for found in after.findings.all() if found.severity is Severity.ERROR], edit
            assert len(after.frames) == len(before.frames)
            assert _changed(before, after) <= {(edit.resource or "main", edit.name)}, edit
            count += 1
    assert count >= 150


def _changed(before: Document, after: Document) -> set[tuple[str, str]]:
    out = set()
    for name, old, new in zip(before.value_names, before.frames, after.frames, strict=True):
        first, second = read(old.table).data, read(new.table).data
        assert isinstance(first, ObjectFull)
        assert isinstance(second, ObjectFull)
        for (key, value), (_, other) in zip(first.properties, second.properties, strict=True):
            if repr(value) != repr(other):
                out.add((name, key))
    return out


def test_what_grows_moves_the_offsets_of_all_resources_behind_it_and_no_others() -> None:
    document = Document.open(FOLDER / "godot4" / "game.res")
    assert document.structure is not None
    old = [offset.target for offset in document.structure.offsets]
    document.apply(set_literal(document, parse_path(document, "[3].title"), '"twelve letters and more"'))
    grown = len(document.buffer) - len(Document.open(FOLDER / "godot4" / "game.res").buffer)
    new = [offset.target for offset in document.structure.offsets]
    place = sorted(old)[3]
    assert grown > 0
    assert new == [target + grown * (target > place) for target in old]


def malformed(line: str) -> Iterator[dict[str, Any]]:
    with gzip.open(FOLDER / line / "malformed.jsonl.gz", "rt", encoding="utf-8") as rows:
        yield from map(json.loads, rows)


IMAGE = "an image of Godot 2, which Godot 3 still reads; no file of Godot 3 holds one"
FAR = "where a place so far away is sought, and not found, depends on the system; the engine then stays where it is"
WRAP = "the wrap is damaged, though the engine does not look at it there"
OTHERWISE = {
    "godot3": {
        "array_nested: type at 256 to 21": IMAGE,
        "array_nested: type at 272 to 21": IMAGE,
        "ext_engine_class: type at 296 to 21": IMAGE,
        "ext_engine_class: type at 354 to 21": IMAGE,
        "sub_shared: magic RSRX": "without its mark it is not taken for a resource, so nothing is said of its loading",
    },
    "godot4": {
        "sub_shared: offset at 377: 455 to 9223372036854775808": FAR,
        "sub_shared: offset at 447: 751 to 9223372036854775808": FAR,
        "sub_shared: int path length at 420: 23 to 0x0": FAR,
        "ext_engine_class: offset at 306: 314 to 9223372036854775808": FAR,
        "game_compressed: truncated at 1873": WRAP,
        "game_compressed: total + 4": WRAP,
    },
}
"""Broken files of which the engine makes something else than what is told, and why."""


@pytest.mark.parametrize("line", LINES)
def test_broken_files_are_refused_where_the_engine_refuses_them(line: str) -> None:
    others, total = set(), 0
    for row in malformed(line):
        found = Document(bytes.fromhex(row["hex"])).findings.all()
        if row["outcome"] in (REFUSED, LOADED):
            total += 1
            if (row["outcome"] == REFUSED) != any(each.severity is Severity.ERROR for each in found):
                others.add(row["id"])
    assert others == set(OTHERWISE[line])
    assert len(others) <= 0.03 * total
    assert total > 250


def use(data: bytes) -> None:
    """Look at everything in some bytes; what a node is made of tiles it."""
    document = Document(data)
    document.findings.all()
    assert len(ByteClassifier(document).codes(0, len(document.buffer))) == len(document.buffer)
    for frame in document.frames:
        if len(frame.table):
            read(frame.table)
        for node in frame.table.nodes:
            at = frame.table.start[node]
            for part in items.parts(frame.table, node):
                assert part.span.start == at
                at = part.span.end
            assert at <= max(frame.table.head_end(node), frame.table.start[node])


def test_a_big_endian_resource_is_saved_big_endian_with_what_changed() -> None:
    path = FOLDER / "godot4" / "big_endian_types.res"
    document = Document.open(path)
    assert document.wraps.names == ("big-endian",)
    document.apply(set_literal(document, parse_path(document, f"[{len(document.frames) - 1}].an_int"), "-2"))
    saved = bytes(document.to_be_written())
    assert len(saved) == path.stat().st_size
    changed = [at for at, (one, other) in enumerate(zip(saved, path.read_bytes(), strict=True)) if one != other]
    assert saved[changed[0] : changed[-1] + 1] == b"\xff\xff\xff\xfe"


SMALL = [path for _, path in READ if path.stat().st_size < 1200][::4]


@pytest.mark.parametrize("path", SMALL, ids=_name)
def test_a_cut_or_flipped_file_never_raises(path: Path) -> None:
    whole = path.read_bytes()
    for end in range(0, len(whole), 7):
        use(whole[:end])
    some = random.Random(SEED)
    for _ in range(60):
        broken = bytearray(whole)
        at = some.randrange(len(broken) - 4)
        broken[at : at + 4] = some.choice((b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\xff\xff\xff\xff", b"\x40\0\0\0"))
        use(bytes(broken))


def test_a_script_inside_is_told_and_never_run() -> None:
    document = Document.open(FOLDER / "godot4" / "sub_built_in_script.res")
    found = [each for each in document.findings.all() if each.code is Code.RESOURCE_SCRIPT]
    assert len(found) == 1
    assert "runs when it loads it" in found[0].message


def test_a_reference_that_leads_nowhere_is_told() -> None:
    document = Document.open(FOLDER / "godot4" / "sub_shared.res")
    for text, code in (("SubResource(7)", Code.REFERENCE_REFUSED), ("ExtResource(9)", Code.REFERENCE_LOST)):
        document.apply(set_literal(document, parse_path(document, "[2].value[0]"), text))
        assert [each.code for each in document.findings.all()] == [code]
        document.undo()
    assert not document.findings.all()


@cache
def _schema() -> Any:
    """What holds a dump against its schema; to read the schema takes longer than to hold one against it."""
    path = Path(__file__).parents[3] / "docs" / "dump.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    made = jsonschema.validators.validator_for(schema)
    made.check_schema(schema)
    return made(schema)


@pytest.mark.parametrize(("line", "path"), ALL, ids=_name)
def test_a_dump_follows_its_schema_and_names_the_fields(line: str, path: Path) -> None:
    document = Document.open(path)
    text = "".join(dump(document))
    told = json.loads(text)
    _schema().validate(told)
    assert told["structure"] == "resource"
    assert [gap["name"] for gap in told["gaps"]] == [field.name for field in document.fields]


def test_no_engine_is_asked_about_calls_that_do_not_read_it(run: Run) -> None:
    path = str(FOLDER / "godot4" / "game.res")
    for words in (["check", "--engine", "all", path], ["check", "--json", path], ["report", path], ["doctor", path]):
        code, out, err = run(*words)
        assert (code, err) == (0, "")
        assert "reads other values" not in out
    code, out, _ = run("doctor", "--json", path)
    assert json.loads(out)["verdict"] == "sound"


def test_a_resource_is_changed_from_the_terminal(run: Run, tmp_path: Path) -> None:
    path, out = FOLDER / "godot4" / "game.res", tmp_path / "out.res"
    assert run("set", str(path), "[21].level", "99", "-o", str(out))[0] == 0
    assert run("get", str(out), "[21].level")[1] == "99\n"
    assert run("bulk", str(path), "price -> 7", "-o", str(out))[0] == 0
    assert run("get", str(out), "[5].price")[1] == "7\n"


def test_what_names_another_resource_is_not_pasted_where_it_means_nothing() -> None:
    document = Document.open(FOLDER / "godot4" / "game.res")
    script = taken(document, parse_path(document, "[21].script"))
    save = Document(bytes.fromhex("1c00000000000000"))
    with pytest.raises(EditError, match="means nothing outside"):
        insert(save, Slot(0, 0, 0), [script])


def test_no_length_is_offered_for_raw_bytes_that_move_offsets() -> None:
    document = Document.open(FOLDER / "godot4" / "game.res")
    assert document.structure is not None
    start = document.frames[21].start
    assert find(document, Splice(start + 5, b"", b"x")) is None


def test_texts_of_a_packed_array_have_no_fill_in_a_preview() -> None:
    document = Document.open(FOLDER / "godot4" / "scene_tree.scn")
    items_of = {path: parse_path(document, path) for path in ("main._bundled.names", "main", "RectangleShape2D_3ppa2")}
    shown = {path: preview(document.frames[item.frame].table, item.node).text for path, item in items_of.items()}
    assert shown["main._bundled.names"].startswith('"World", "position", "Node2D"')
    assert shown["main"] == "_bundled: {…}"
    assert shown["RectangleShape2D_3ppa2"] == "script: null"
