"""Letters that cannot be seen, written into settings and resources: engines read there one byte of an escape only."""

from __future__ import annotations

import engine
import pytest
from engine4 import Godot

from viewer.document.document import Document
from viewer.document.edits.fragment import written
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import Slot
from viewer.document.edits.structure import insert
from viewer.document.export.converting import converted
from viewer.document.path import parse_path
from viewer.text.engine_notation import as_letters

SETTINGS = b'[s]\nname="x"\nlist=[1, 2]\n'
UNSEEN = '"a\\u200b\\u200f\\u2028\\u0085\\ufeff\\u00ad\\u061c\\ufdd0\\u0001\\u007f\\t\\\\u200b"'
"""As the program shows them."""
LETTERS = "a\u200b\u200f\u2028\u0085\ufeff\u00ad\u061c\ufdd0"
RESOURCE = f"""[gd_resource type="Resource" format=3]

[resource]
metadata/a{LETTERS[1:4]} = {{
"{LETTERS}": &"{LETTERS}"
}}
"""
SCENE = f"""[gd_scene format=3]

[node name="{LETTERS}" type="Node" groups=["{LETTERS}"]]

[node name="b" type="Node" parent="."]

[connection signal="{LETTERS}" from="b" to="." method="{LETTERS}"]
"""


def edited() -> bytes:
    """The settings with such letters in a value, a key and an element."""
    document = Document(SETTINGS)
    document.apply(set_literal(document, parse_path(document, "[0].s.name"), UNSEEN))
    settings = parse_path(document, "[0].s")
    document.apply(insert(document, Slot(0, settings.node, 2), [written(document, UNSEEN, UNSEEN)]))
    return bytes(document.to_be_written()[:])


def test_letters_stand_in_the_text_as_they_are() -> None:
    text = edited().decode()
    assert text.count(LETTERS) == 3
    assert text.count('\\\\u200b"') == 3
    assert as_letters('"\\\\u200b\\n\\u0001"') == '"\\\\u200b\\n\\u0001"'


@pytest.mark.parametrize(("text", "ending"), [(RESOURCE, "res"), (SCENE, "scn")])
def test_a_resource_and_a_scene_keep_them_in_their_other_form_and_back(text: str, ending: str) -> None:
    there = converted(Document(text.encode()), ending)
    back = converted(Document(there.data), f"t{ending}")
    assert (there.lost, back.lost) == ((), ())
    assert back.data.decode().count("\\u") == 0
    assert back.data.decode().count(LETTERS) == text.count(LETTERS)


@pytest.mark.engine4
def test_godot4_reads_them(godot4: Godot) -> None:
    settings = godot4.settings([edited()])[0]
    assert not settings.refused
    value = '"' + LETTERS + '\\u0001\\u007f\\t\\\\u200b"'
    ours = godot4.texts([f'{{"s": {{"name": {value}, "list": [1, 2], {value}: {value}}}}}'])[0]
    assert settings.value == ours.value
    binary = converted(Document(RESOURCE.encode()), "res").data
    text = converted(Document(binary), "tres").data
    loaded = [godot4.loaded(raw, f"res://x.{ending}", {})[0] for raw, ending in ((binary, "res"), (text, "tres"))]
    assert loaded[0] is not None
    assert loaded[0] == loaded[1]


@pytest.mark.engine
def test_godot3_reads_them() -> None:
    old = SETTINGS.replace(b"2]", b"PoolByteArray( 1 )]")
    document = Document(old)
    assert document.dialect.key == "godot3-text"
    document.apply(set_literal(document, parse_path(document, "[0].s.name"), UNSEEN))
    (answer,) = engine.read_back([engine.Request(bytes(document.to_be_written()[:]), "config")])
    assert answer.value["Dictionary"][0][1]["Dictionary"][0][1] == {"str": LETTERS + "\x01\x7f\t\\u200b"}
