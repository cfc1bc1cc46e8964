"""The samples that come with the program."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from viewer.base import assets
from viewer.document.document import Document

SCRIPT = Path(__file__).parents[2] / "tools" / "make_samples.py"
SAMPLES: list[dict[str, Any]] = tomllib.loads(assets.text("samples", "samples.toml"))["sample"]


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_samples", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def opened(sample: dict[str, Any]) -> Document:
    return Document(assets.data("samples", sample["file"]))


def test_the_script_makes_exactly_these_files(tmp_path: Path) -> None:
    script().main(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {sample["file"]: assets.data("samples", sample["file"]) for sample in SAMPLES}


def test_every_file_has_its_words() -> None:
    assert {*assets.names("samples")} == {*(sample["file"] for sample in SAMPLES), "samples.toml"}
    for sample in SAMPLES:
        assert all(sample[key] for key in ("title", "description", "engine", "dialect"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["file"])
def test_the_dialect_of_a_sample_is_found(sample: dict[str, Any]) -> None:
    found = opened(sample)
    assert found.dialect.key == sample["dialect"]
    assert found.framing.kind.value == ("bare" if "packet" in sample["file"] else "stored")
    assert found.precision.value == ("double" if "double" in sample["file"] else "single")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["file"])
def test_only_the_broken_sample_has_findings(sample: dict[str, Any]) -> None:
    codes = [found.code.slug for found in opened(sample).findings.all()]
    assert codes == (["length-too-long", "skipped-bytes"] if "broken" in sample["file"] else [])
