"""Resources and scenes in the other one of their two forms: the same content, as the engines read it, too."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import engine
import pytest
from command_line import Run
from corpus import DATA
from engine4 import Godot

from viewer.document.document import Document
from viewer.document.export.converting import CannotConvertError, ConvertedFile, converted
from viewer.document.export.resources.resource_content import ResourceContent, differences
from viewer.document.export.resources.resource_forms import content_of

OTHER = {".res": "tres", ".tres": "res", ".scn": "tscn", ".tscn": "scn"}
FILES = sorted(
    path
    for folder in ("resources", "texts")
    for line in ("godot3", "godot4")
    for path in (DATA / folder / line).iterdir()
    if path.suffix in OTHER
)
EXPECTED = ("typed collections hold", "no spelling for it")
UNLIKE = ("all_flags.res", "bundled.res", "callable_signal_rid", "rid.res", "node_path_absolute")
"""Files that hold what one of the forms, or the engine, has no place for."""

SCENE = """[gd_scene format=3 uid="uid://b5q6v3x0n1k2m"]

[ext_resource type="PackedScene" uid="uid://cvxw1m2k3j4h5" path="res://enemy.tscn" id="1_a"]
[ext_resource type="Script" path="res://item.gd" id="2_cd"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_x1y2z"]
resource_local_to_scene = true
size = Vector2(3, 4)

[node name="World" type="Node2D" unique_id=11]
position = Vector2(5, 6)
metadata/list = [1, 2, { "a": [Vector2i(1, 2)] }]

[node name="Foe" parent="." unique_id=2 node_paths=PackedStringArray("to") groups=["b"] instance=ExtResource("1_a")]
to = NodePath("../Late")
shape = SubResource("RectangleShape2D_x1y2z")

[node name="Body" parent="Foe" index="0" unique_id=13]
position = Vector2(5, 6)

[node name="Hat" type="Node" parent="Foe/Body/H" parent_id_path=PackedInt32Array(2, 13, 99) index="2" unique_id=14]

[node name="Late" parent="." unique_id=15 instance_placeholder="res://late.tscn"]

[node name="Owned" type="Node" parent="Foe/Body" owner="Foe" unique_id=16]

[connection signal="ready" from="." to="Foe/Body" method="hide"]
[connection signal="hit" from="Foe/Arm" to="." method="hit" flags=3 unbinds=1 binds= [1, "two", ExtResource("2_cd")]]

[editable path="Foe"]
"""


def content(data: bytes) -> ResourceContent:
    return content_of(Document(data), [])


def there_and_back(path: Path) -> tuple[ConvertedFile, ConvertedFile]:
    there = converted(Document.open(path), OTHER[path.suffix])
    return there, converted(Document(there.data), path.suffix[1:])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_both_forms_hold_the_same(path: Path) -> None:
    was = content_of(Document.open(path), [])
    if path.stem == "big_endian_extreme":
        with pytest.raises(CannotConvertError, match="nan"):
            there_and_back(path)
        return
    there, back = there_and_back(path)
    told = [sentence for sentence in (*there.lost, *back.lost) if not any(word in sentence for word in EXPECTED)]
    assert not told or path.name.startswith(UNLIKE), told
    if not path.name.startswith(UNLIKE):
        assert list(differences(was, content(there.data))) == []
        assert list(differences(was, content(back.data))) == []


def test_a_scene_keeps_all_that_its_tags_say() -> None:
    there = converted(Document(SCENE.encode()), "scn")
    back = converted(Document(there.data), "tscn")
    assert there.lost == back.lost == ()
    scene = content(there.data).scene
    assert scene is not None
    assert [node.parent for node in scene.nodes] == ["", ".", "Foe", "Foe/Body/H", ".", "Foe/Body"]
    assert scene.nodes[1].node_paths == ("to",)
    assert scene.nodes[3].parent_ids == (2, 13, 99)
    assert scene.nodes[4].placeholder == "res://late.tscn"
    assert (scene.connections[1].flags, scene.connections[1].unbinds) == (3, 1)
    assert scene.editable == ("Foe",)
    assert list(differences(content(SCENE.encode()), content(back.data))) == []
    words = (
        SCENE.replace("1_a", "1")
        .replace("2_cd", "2")
        .replace('{ "a": [Vector2i(1, 2)] }', '{\n"a": [Vector2i(1, 2)]\n}')
    )
    assert back.data.decode() == words


def test_what_a_form_has_no_place_for_is_said_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    typed, out = DATA / "texts" / "godot4" / "array_typed_inside_variant.tres", tmp_path / "out.res"
    code, _, err = run("convert", str(typed), "--to", "res", "-o", str(out))
    assert code == 1
    assert "it comes back where the script declares it: “value”, “other”." in err
    assert not out.exists()
    assert run("convert", str(typed), "--to", "res", "--allow-loss", "-o", str(out))[0] == 0
    assert run("check", str(out))[0] == 0


@pytest.mark.parametrize(
    ("text", "target", "word"),
    [
        ('[gd_resource type="Resource" format=3]\n[resource]\na = SubResource("x")\n', "res", "in front of this"),
        ('[gd_resource type="Resource" format=3]\n[resource]\na = 1\n', "scn", "becomes tres or res"),
        ('[gd_scene format=3]\n[node name="A" type="Node"]\n', "res", "becomes tscn or scn"),
        ('[gd_resource type="Resource" format=3]\n[resource]\na = [1 2]\n', "res", "Repair that first"),
        ('[gd_resource type="Resource" format=1]\n[resource]\na = 1\n', "res", "Godot 2"),
        ('[gd_resource type="Resource" format=3]\n[foo]\n[resource]\na = 1\n', "res", "know no section"),
        ('{"a": 1}', "res", "not a resource"),
    ],
)
def test_what_cannot_be_converted_says_why(text: str, target: str, word: str) -> None:
    with pytest.raises(CannotConvertError, match=word):
        converted(Document(text.encode()), target)


def test_types_that_never_come_back_are_told_apart() -> None:
    head = '[gd_resource type="Resource" format=3]\n[resource]\n'
    assert converted(Document(f"{head}points = Array[int]([1])\n".encode()), "res").lost == ()
    for text in ("a = [Array[int]([1])]", "metadata/a = Dictionary[int, int]({})"):
        (told,) = converted(Document(f"{head}{text}\n".encode()), "res").lost
        assert "is lost in metadata and inside other values: “" in told


def test_comments_and_unknown_words_are_said_to_be_lost() -> None:
    text = '[gd_resource type="Resource" format=3]\n; mine\n[resource]\na = "\n;no comment"\nb = 1\n'
    assert converted(Document(text.encode()), "res").lost == ("Comments are lost.",)
    assert converted(Document(text.replace("; mine\n", "").encode()), "res").lost == ()
    odd = text.replace("; mine\n", "").replace("format=3", "format=3 mine=1")
    assert "“mine”" in converted(Document(odd.encode()), "res").lost[0]


def test_another_engine_line_is_told_what_it_lacks() -> None:
    text = (
        b'[gd_resource type="Resource" format=3]\n[sub_resource type="Resource" id="Resource_a"]\nv = Vector2i(1, 2)\n'
    )
    text += b'[resource]\na = SubResource("Resource_a")\nn = &"x"\n'
    found = converted(Document(text), "res", "godot3")
    assert any("keep their names" in sentence for sentence in found.lost)
    assert any("Vector2i" in sentence for sentence in found.lost)
    moved = content(found.data)
    assert moved.line == "godot3"
    assert [one.id for one in moved.internal] == ["1", ""]


def test_the_path_of_the_main_resource_is_not_missed() -> None:
    text = (
        b'[gd_resource type="Resource" format=3]\n[sub_resource type="Resource" id="Resource_a"]\nv = 1\n[resource]\n'
    )
    made = converted(Document(text), "res").data
    main = made.replace(b"local://Resource_main", b"res://saved/main.tres")
    other = made.replace(b"local://Resource_a", b"res://saved/a.tre0")
    assert converted(Document(main), "tres").lost == ()
    assert "“res://saved/a.tre0”" in converted(Document(other), "tres").lost[0]


def test_a_lone_slash_is_said_to_be_forgotten_by_godot3() -> None:
    text = b'[gd_resource type="Resource" format=2]\n[resource]\na = NodePath("/")\n'
    assert "Godot 3 reads an empty path" in converted(Document(text), "res").lost[0]
    assert converted(Document(text.replace(b"format=2", b"format=3")), "res").lost == ()


def test_damaged_files_are_refused_with_a_sentence() -> None:
    draw = random.Random(4)
    for path in (DATA / "resources" / "godot4" / "scene_tree.scn", DATA / "texts" / "godot4" / "scene_tree.tscn"):
        for _ in range(60):
            raw = bytearray(path.read_bytes())
            raw[draw.randrange(len(raw))] = draw.choice(b'\0\1\xff"[]=9 ')
            del raw[draw.randrange(50, 2 * len(raw)) :]
            with contextlib.suppress(CannotConvertError):
                converted(Document(bytes(raw)), OTHER[path.suffix])


GODOT4 = ("everything.tres", "game.res", "sub_with_ids.res", "engine_theme.res", "scene_tree.scn", "scene_script.tscn")
GODOT3 = ("everything.tres", "game_small.res", "engine_input.res", "transforms.res", "scene_one.scn", "sub_shared.tres")


def chosen(line: str, names: tuple[str, ...]) -> list[Path]:
    found = [path for path in FILES if path.parent.name == line and path.name in names]
    assert len(found) == len(names)
    return found


@pytest.mark.engine4
def test_godot4_loads_the_same_from_both(godot4: Godot) -> None:
    beside = {path.name: path.read_bytes() for path in (DATA / "resources" / "godot4" / "scripts").glob("*.gd")}
    files = {f"res://{name}": raw for name, raw in beside.items()}
    for path in chosen("godot4", GODOT4):
        there, back = there_and_back(path)
        was, _ = godot4.loaded(path.read_bytes(), f"res://{path.name}", files)
        assert was is not None
        for data, suffix in ((there.data, OTHER[path.suffix]), (back.data, path.suffix[1:])):
            now, messages = godot4.loaded(data, f"res://{path.stem}.{suffix}", files)
            if path.suffix in (".scn", ".tscn"):  # what a scene packs is another list for the same nodes
                saved = godot4.resaved(data, f"res://{path.stem}.{suffix}", path.suffix[1:], files)
                assert list(differences(content(path.read_bytes()), content(saved))) == []
            else:
                assert now == was, (path.name, messages)


@pytest.mark.engine
def test_godot3_loads_the_same_from_both() -> None:
    paths = chosen("godot3", GODOT3)
    data = [raw for path in paths for raw in (path.read_bytes(), *(each.data for each in there_and_back(path)))]
    told = engine.loaded(data, DATA / "resources" / "godot3" / "scripts")
    for place, path in enumerate(paths):
        was, there, back = told[3 * place : 3 * place + 3]
        assert was is not None
        assert was == there == back, path.name
