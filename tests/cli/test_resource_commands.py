"""Resources and fields on the command line: added, taken away, set, and what is refused in a sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import corpus
import pytest
from command_line import Run

from viewer.base.diagnostic import Severity
from viewer.document.document import Document

SHARED = corpus.DATA / "resources" / "godot4" / "sub_shared.res"


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return Path(shutil.copy(SHARED, tmp_path / "shared.res"))


def is_sound(path: Path) -> bool:
    return not [found for found in Document.open(path).findings.all() if found.severity is Severity.ERROR]


def test_fields_are_told_and_set(run: Run, shared: Path) -> None:
    assert run("get", shared, "@external_resources.external_0.path").out == '"res://anything.gd"\n'
    assert run("get", shared, "@header.flags", "--json").out == '"i:3"\n'
    assert run("set", shared, "@external_resources.external_0.path", '"res://other_script.gd"').code == 0
    assert run("get", shared, "@external_resources.external_0.path").out == '"res://other_script.gd"\n'
    assert is_sound(shared)
    assert run("set", shared, "@header.flags", "2").failed_with("derived from others")


def test_resources_are_added(run: Run, shared: Path) -> None:
    assert run("insert", shared, "@internal_resources[]", '"Resource"').code == 0
    assert run("insert", shared, "@internal_resources.internal_0", '"Curve"').code == 0
    assert run("insert", shared, "@external_resources[]", '"Script res://stats.gd"').code == 0
    document = Document.open(shared)
    assert document.value_names == ("Curve_00001", "Resource_0mtqv", "Resource_knwyo", "Resource_00001", "main")
    assert run("get", shared, "@external_resources.external_2.path").out == '"res://stats.gd"\n'
    assert run("get", shared, "[4].value[0]").out == "SubResource(1)\n"
    assert is_sound(shared)


@pytest.mark.parametrize(
    ("path", "literal", "word"),
    [
        ("@header[]", '"Resource"', "@internal_resources"),
        ("@internal_resources[]", "5", "quotes"),
        ("@internal_resources[]", '""', "class"),
        ("@external_resources[]", '"res://stats.gd"', "path"),
        ("@nothing[]", '"Resource"', "field"),
    ],
)
def test_what_is_no_resource_is_refused(run: Run, shared: Path, path: str, literal: str, word: str) -> None:
    assert run("insert", shared, path, literal).failed_with(word)
    assert shared.read_bytes() == SHARED.read_bytes()


def test_a_resource_in_use_goes_when_that_is_decided(run: Run, shared: Path) -> None:
    assert run("delete", shared, "[0]").failed_with("[2].value[0], [2].value[1], [2].other.same")
    assert shared.read_bytes() == SHARED.read_bytes()
    assert run("delete", shared, "[0]", "--null-references").code == 0
    assert run("get", shared, "[1].value").out.startswith("[null, null, SubResource(0)")
    assert is_sound(shared)
    assert run("delete", shared, "[1]").failed_with("main resource")
    assert run("delete", shared, "@external_resources.external_0", "--null-references").code == 0
    assert run("get", shared, "[1].script").out == "null\n"
    assert is_sound(shared)


def test_a_path_may_begin_with_the_name_of_a_value(run: Run, shared: Path) -> None:
    assert run("get", shared, "main.value[2]").out == "SubResource(1)\n"
    assert run("set", shared, "Resource_knwyo.title", '"other"', "main.other.same", "null").code == 0
    assert run("get", shared, "[1].title").out == '"other"\n'
    assert run("insert", shared, "main.value[]", "7").code == 0
    assert run("delete", shared, "main.value[0]", "main.value[1]").code == 0
    assert run("get", shared, "main.value[1]").out == "7\n"
    assert run("get", shared, "mai.value").failed_with("main")
    assert run("get", shared, "main2.value").failed_with("name of a value")
    assert is_sound(shared)


def test_a_field_needs_no_sign(run: Run, shared: Path) -> None:
    assert run("get", shared, "header.flags").out == "3\n"
    assert run("get", shared, "strings.string_0").out == run("get", shared, "@strings.string_0").out


def test_settings_of_a_project_are_named_by_their_keys(run: Run) -> None:
    path = corpus.DATA / "projects" / "godot4-project.binary"
    assert run("get", path, "application/config/name").out == run("get", path, "[0]").out
