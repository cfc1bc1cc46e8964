"""Settings as people write them, odd but plausible, with what an engine reads of them, None for a refusal.

The engines were asked for each of them; ``test_odd_texts`` asks again.
"""

from __future__ import annotations

OLD, NEW = b"[o]\nconfig_version=4\np=PoolByteArray( )\n", b'[n]\nname="the text goes on behind it"\n'
"""What a text begins with that is for Godot 3, and for Godot 4; both are longer than what tells a text from bytes."""
NEW_SHOWN = '"n": {"name": "the text goes on behind it"}'
OLD_SHOWN = '"o": {"config_version": 4, "p": PoolByteArray()}'

BOTH: list[tuple[bytes, str | None]] = [
    # A section without a name
    (b"[a]\nx=1\n[]\ny=2\n", '"a": {"x": 1, "y": 2}'),
    (b"[a]\nx=1\n[ ]\ny=2\n[b]\nz=3\n", '"a": {"x": 1, "y": 2}, "b": {"z": 3}'),
    (b"[a]\nx=1\n[\n]\ny=2\n", '"a": {"x": 1, "y": 2}'),
    # Objects
    (b"[a]\nx=Object(Node)\n", None),
    (b'[a]\nx=Object(Node "name":"b")\n', None),
    (b'[a]\nx=Object("Node",)\n', None),
    (b"[a]\nx=Object()\n", None),
    (b'[a]\nx=Object(Foo,"a":1)\n', None),
    (b"[a]\nx=[Object(CollisionObject,)]\n", None),
    (b'[a]\nx=Object(Resource,"resource_name" "b")\n', None),
    # Calls of what is none, and a resource without a path
    (b"[a]\nx=int(5)\n", None),
    (b"[a]\nx=[1, float(5)]\n", None),
    (b"[a]\nx=Resource(1)\n", None),
    (b'[a]\nx=Resource("")\n', None),
    # A colour at the very end
    (b"[a]\nx=#ff0000", None),
    (b"[a]\nx=#ff0000\n", '"a": {"x": Color(1, 0, 0, 1)}'),
    (b"[a]\nx=[#f00]", '"a": {"x": [Color(1, 0, 0, 1)]}'),
    # Zero bytes
    (b"[a]\nx=1\n\0\0\n[b]\ny=2\n", '"a": {"x": 1}, "b": {"y": 2}'),
    (b"[a]\nx=1\0\n[b]\ny=2\n", '"a": {"x": 1}, "b": {"y": 2}'),
    (b"[a]\nx=1.5\0\0 y=2\n", '"a": {"x": 1.5, "y": 2}'),
    (b"[a]\n;c\0c\nx=1\n", '"a": {"x": 1}'),
    (b"[a]\nx=1\n" + bytes(512) + b"\n[b]\ny=2\n", '"a": {"x": 1}, "b": {"y": 2}'),
    (b"[a]\nk\0l=1\n", '"a": {"kl": 1}'),
    (b'[a]\nx="b\0c"\n', None),
    (b"[a]\nx=[1,\0 2]\ny=2\n", None),
    (b"[a]\nx=\0 1\ny=2\n", None),
    (b'[a]\nx={"a"\0:1}\ny=2\n', None),
    (b"[a]\nx=Vector2(1,\0 2)\ny=2\n", None),
    (b'[a]\n"k\0l"=1\n', None),
]

GODOT3: list[tuple[bytes, str | None]] = [
    (b'[a]\nx=Object(RefCounted,"a":1)\n', None),
    (b"[a\0b]\nx=1\n", '"ab": {"x": 1}'),
    (b"[a]\nx=inf_neg\n", None),
    # Zeros and halves of pairs as escapes
    (b'[a]\nx="a\\u0000b"\n', '"a": {"x": "a"}'),
    (b'[a]\nx=["\\u0000b", "c"]\n', '"a": {"x": ["", "c"]}'),
    (b'[a]\nx="a\\U000000b"\n', '"a": {"x": "aU000000b"}'),
    (b'[a]\n"k\\u0000l"=1\n', '"a": {"k": 1}'),
    (b'[a]\nx="a\\ud83d b"\n', '"a": {"x": "a= b"}'),
]

GODOT4: list[tuple[bytes, str | None]] = [
    (b"[a]\nx=inf_neg\n", '"a": {"x": -inf}'),
    (b'[a]\nx=Array["int"]([])\n', None),
    (b"[a]\nx=Array[5]([])\n", None),
    (b'[a]\nx=Dictionary["int", int]({})\n', None),
    (b'[a]\nx=Dictionary[int, "int"]({})\n', None),
    (b"[a\0b]\nx=1\n", '"a": {"x": 1}'),
    (b'[a]\nx="a\\u0000b"\n', '"a": {"x": "a b"}'),
    (b'[a]\nx=["\\u0000b", &"\\u0000"]\n', '"a": {"x": [" b", &" "]}'),
    (b'[a]\nx=NodePath("a\\u0000b")\n', '"a": {"x": NodePath("a b")}'),
    (b'[a]\nx="a\\U000000b"\n', '"a": {"x": "a b"}'),
    (b'[a]\n"k\\u0000l"=1\n', '"a": {"k l": 1}'),
    (b'[a]\nx="a\\ud83d b"\n', None),
    (b'[a]\nx="a\\U00d83db"\n', None),
    (b'[a]\nx="a\\U110000b"\n', '"a": {"x": "a b"}'),
]

HEAD = b'[gd_resource type="Resource" format=%d]\n'
SUB = b'[sub_resource type="Resource" id=1]\nresource_name = "s"\n'
MAIN = b'[resource]\nresource_name = "r"\n'
SCENE, NODE = b"[gd_scene format=%d]\n", b'[node name="A" type="Node"]\n'
SIGNAL = b'[connection signal="ready" from="." to="." method="m"]\n'
RESOURCES: list[tuple[bytes, bool]] = [
    (HEAD + SUB + MAIN, True),
    # Sections on one line, and line ends of old
    (HEAD.strip() + b" " + SUB.strip() + b" " + MAIN, True),
    ((HEAD + SUB + MAIN).replace(b"\n", b"\r"), True),
    ((HEAD + SUB + MAIN).replace(b"\n", b"\r\n"), True),
    (SCENE + NODE + b'process_priority=1 [node name="B" type="Node" parent="."]\n', True),
    # What is no key, and no class
    (HEAD + MAIN + b"= 1\n", False),
    (SCENE + NODE + b"= 1\n", True),
    (HEAD + SUB.replace(b'"Resource"', b'""') + MAIN, False),
    # Sections that are not there
    (HEAD + SUB + MAIN + b"metadata/a = SubResource(1)\n", True),
    (HEAD + SUB + MAIN + b'metadata/a = Array[ExtResource("1")]([])\n', False),
    # Scenes without a node, or with something in front of it
    (SCENE, False),
    (SCENE + SUB, False),
    (SCENE + SIGNAL + NODE, False),
    (SCENE + NODE + SIGNAL + NODE.replace(b"]", b' parent="."]'), True),
    # Objects
    (HEAD + MAIN + b"metadata/a = Object(Resource)\n", False),
    (HEAD + MAIN + b"metadata/a = Object(Resource,)\n", True),
    (HEAD + MAIN + b'metadata/a = Object(Nope,"a":1)\n', False),
]
"""Resources and scenes of format 2 and 3, and whether Godot 3 and Godot 4 read them."""

VALUES4 = [
    ('"a\\u0000b"', '"a\ufffdb"'),
    ('"a\\U110000b"', '"a\ufffdb"'),
    ('NodePath("a\\u0000b")', 'NodePath("a\ufffdb")'),
]
"""Values by themselves, in Godot 4."""
