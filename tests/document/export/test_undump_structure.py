"""Dumps of files with a structure: back to the same bytes, and with what was changed in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import corpus
import pytest

from viewer.base.diagnostic import Severity
from viewer.document.document import Document
from viewer.document.edits.setting import literal
from viewer.document.export.dump import dump
from viewer.document.export.undump import UndumpError, encode_json
from viewer.document.path import parse_path

FOLDERS = (*(corpus.DATA / "resources" / line for line in ("godot3", "godot4")), corpus.DATA / "projects")
FILES = [path for folder in FOLDERS for path in sorted(folder.iterdir()) if path.suffix in (".res", ".scn", ".binary")]
SHARED = corpus.DATA / "resources" / "godot4" / "sub_shared.res"
PROJECT = corpus.DATA / "projects" / "godot4-project.binary"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_dump_that_nobody_changed_gives_the_same_bytes(path: Path) -> None:
    document = Document.open(path)
    assert encode_json("".join(dump(document))) == bytes(document.buffer[:])


def dumped(path: Path) -> Any:
    return json.loads("".join(dump(Document.open(path))))


def child(node: Any, name: str) -> Any:
    """The node of a property."""
    return next(each for each in node["children"] if each["key"]["value"] == f"s:{name}")


def gap(root: Any, name: str) -> Any:
    return next(each for each in root["gaps"] if each["name"] == name)


def set_leaf(root: Any) -> None:
    child(root["frames"][1]["root"], "title")["node"]["value"] = "s:a much longer title"


def set_inner(root: Any) -> None:
    child(root["frames"][2]["root"], "value")["node"]["children"].pop(0)


def set_plain(root: Any) -> None:
    child(root["frames"][2]["root"], "value")["node"] = ["i:1", "s:two"]


def add_property(root: Any) -> None:
    root["frames"][2]["root"]["children"].append({"key": {"value": "s:metadata/fresh"}, "node": "i:7"})


def set_field(root: Any) -> None:
    gap(root, "external resources")["fields"][1]["fields"][1]["value"] = "s:res://other.gd"


def set_number(root: Any) -> None:
    next(each for each in gap(root, "header")["fields"] if each["name"] == "engine, minor")["value"] = 9


CHANGES: list[tuple[Callable[[Any], None], str, str]] = [
    (set_leaf, "[1].title", '"a much longer title"'),
    (set_inner, "main.value", "[SubResource(0), SubResource(1)]"),
    (set_plain, "main.value", '[1, "two"]'),
    (add_property, 'main["metadata/fresh"]', "7"),
    (set_field, "@external_resources.external_0.path", '"res://other.gd"'),
    (set_number, "@header.engine_minor", "9"),
]


@pytest.mark.parametrize(("change", "path", "wanted"), CHANGES, ids=lambda each: getattr(each, "__name__", ""))
def test_what_was_changed_in_a_dump_is_in_the_file(change: Callable[[Any], None], path: str, wanted: str) -> None:
    root = dumped(SHARED)
    change(root)
    document = Document(encode_json(json.dumps(root)))
    assert literal(document, parse_path(document, path)) == wanted
    assert not [found for found in document.findings.all() if found.severity is Severity.ERROR]
    assert len(document.frames) == 3


def test_lengths_before_values_follow() -> None:
    root = dumped(PROJECT)
    root["frames"][0]["root"]["value"] = "s:quite another name"
    document = Document(encode_json(json.dumps(root)))
    assert literal(document, parse_path(document, "application/config/name")) == '"quite another name"'
    assert document.frames[0].prefix_is_true(document.buffer, document.framing)


def shorten(root: Any) -> None:
    root["frames"][0]["hex"] = root["frames"][0]["hex"][2:]


def leave_out(root: Any) -> None:
    root["gaps"].pop(1)


def set_locked(root: Any) -> None:
    gap(root, "strings")["fields"][0]["value"] = "i:3"


def set_class(root: Any) -> None:
    root["frames"][2]["root"]["bytes"] = "0400000061626300" + root["frames"][2]["root"]["bytes"][-8:]


def set_kind(root: Any) -> None:
    root["structure"] = "texture"


def drop_field(root: Any) -> None:
    gap(root, "header")["fields"].pop()


def set_number_to_text(root: Any) -> None:
    gap(root, "external resources")["fields"][1]["fields"][1]["value"] = 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (shorten, "another number of bytes"),
        (leave_out, "lacks the bytes"),
        (set_locked, "derived from others"),
        (set_class, "not its class"),
        (set_kind, "kind"),
        (drop_field, "different parts"),
        (set_number_to_text, "quotes"),
    ],
)
def test_what_cannot_be_is_one_sentence(change: Callable[[Any], None], words: str) -> None:
    root = dumped(SHARED)
    change(root)
    with pytest.raises(UndumpError, match=words):
        encode_json(json.dumps(root))
