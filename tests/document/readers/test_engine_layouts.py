"""What was edited by a layout is asked of the real Godot 3: packages, and the settings that it starts with."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import corpus
import engine
import pytest
from document.readers.test_shipped_layouts import edit_inside

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.path import parse_path
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.value import Dictionary, Value

pytestmark = pytest.mark.engine
GODOT3 = load("godot3")
TELL = """extends SceneTree
func _init():
	printerr("@@", to_json([ProjectSettings.get("application/config/name")]))
	quit()
"""


def save_of(gold: str) -> bytes:
    """A stored value of Godot 3."""
    raw = encode(Value("Dictionary", Dictionary(((Value("String", "gold"), Value("String", gold)),))), GODOT3)
    return len(raw).to_bytes(4, "little") + raw


def test_the_engine_finds_all_files_in_packages_one_of_which_was_edited() -> None:
    packages, wanted = [], []
    for seed in range(6):
        some = random.Random(seed)
        files = {f"res://of_{seed}/{k}.dat": some.randbytes(some.choice([0, 1, 15, 16, 300])) for k in range(4)}
        files[f"res://of_{seed}/x.save"] = save_of("few")
        document = Document(engine.packed(files))
        text = some.choice(["many", "x" * 300, ""])
        document.apply(edit_inside(document, f"@res_of_{seed}_x_save!0.gold", f'"{text}"'))
        assert not document.findings.all()
        files[f"res://of_{seed}/x.save"] = save_of(text)
        packages.append((bytes(document.buffer[:]), list(files)))
        wanted.append(files)
    assert engine.mounted(packages) == wanted


@pytest.mark.parametrize("text", ['"B"', '"A much longer name of the game than there was"'])
def test_the_engine_starts_with_settings_that_were_edited(tmp_path: Path, text: str) -> None:
    document = Document.open(corpus.DATA / "projects" / "godot3-project_math.binary")
    place = document.value_names.index("application/config/name")
    document.apply(set_literal(document, parse_path(document, f"[{place}]"), text))
    (tmp_path / "project.binary").write_bytes(bytes(document.buffer[:]))
    (tmp_path / "tell.gd").write_text(TELL, encoding="utf-8")
    done = subprocess.run(
        [engine.ENGINE, "--no-window", "--path", str(tmp_path), "-s", "tell.gd"],
        env=engine._environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=engine.SECONDS,
        check=False,
    )
    (line,) = [each for each in done.stderr.decode().splitlines() if each.startswith("@@")]
    assert line.replace(" ", "") == f"@@[{text}]".replace(" ", "")
