"""Tags of resources and scenes as text."""

from __future__ import annotations

import pytest

from viewer.text.tags import TagError, read_tag
from viewer.variant.dialect import load_text_values

GODOT4 = load_text_values("godot4")


def test_each_field_is_a_value() -> None:
    words = 'node name="a = \\"b\\" c=1" groups=["x=1", "y"] instance=ExtResource("1_a") binds= [{"k": [1]}] id=5'
    tag = read_tag(words, GODOT4)
    assert tag.name == "node"
    assert {name: value.type for name, value in tag.fields.items()} == {
        "name": "String",
        "groups": "Array",
        "instance": "ExtResource",
        "binds": "Array",
        "id": "int",
    }
    assert tag.fields["name"].data == 'a = "b" c=1'


@pytest.mark.parametrize("words", ["", '"node"', "node name=", "node name=? x=1", "node odd", 'node name="a" "b"'])
def test_what_is_no_tag_is_told(words: str) -> None:
    with pytest.raises(TagError):
        read_tag(words, GODOT4)
